//! Fields: of what lies at a place, of the place itself, and the values of a type.

use super::Thing;
use crate::check::noted::Taken;
use crate::check::{Checked, Checker, Reported};
use crate::diagnostic::codes;
use crate::model::{Base, DomainId, DomainKind, Expr, ExprKind, Place, Type, ZoneKind};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn field_of(
        &mut self,
        base: &ast::Expr,
        field: &ast::Name,
        span: Span,
        _want: Option<Type>,
    ) -> Checked<Thing> {
        match self.thing(base, None)? {
            Thing::Domain(domain) => self.qualified(domain, field),
            Thing::Place(place) => self.place_field(place, field, base.span, span),
            Thing::Value(value) => self.value_field(value, field, span).map(Thing::Value),
            Thing::Family(_) | Thing::Track(_) | Thing::Table(_) => {
                let message = "this needs an index before a field of it can be read";
                Err(self.error(codes::WRONG_ARGUMENTS, base.span, message))
            }
        }
    }

    #[inline(never)]
    fn qualified(&mut self, domain: DomainId, field: &ast::Name) -> Checked<Thing> {
        match self.value_of(domain, field.as_str()) {
            Some(value) => {
                self.note_inside(field, domain);
                Ok(Thing::Value(self.enum_value(domain, value, field.span)))
            }
            None => {
                let list = self.value_names(domain);
                let name = self
                    .domain(domain)
                    .map_or(String::new(), |it| it.name.clone());
                let message = format!("`{name}` has no value `{field}`");
                Err(self.not_among(codes::NO_SUCH_VALUE, field, message, &list))
            }
        }
    }

    #[inline(never)]
    fn place_field(
        &mut self,
        place: Place,
        field: &ast::Name,
        base: Span,
        span: Span,
    ) -> Checked<Thing> {
        let Some(zone) = self.game.zones.get(place.zone.index()) else {
            return Err(Reported);
        };
        if let Some(at) = zone.fields.iter().position(|it| it.name == field.text) {
            let ty = zone.fields.get(at).map_or(Type::UNIT, |it| it.ty);
            let zone = zone.name.clone();
            self.note(field, Taken::Inside(zone));
            return Ok(Thing::Value(Expr {
                kind: ExprKind::PlaceField(place, at),
                ty,
                span,
            }));
        }
        if zone.kind != ZoneKind::One {
            let name = zone.name.clone();
            return Err(self.complain(
                codes::UNKNOWN_FIELD,
                field.span,
                format!("`{name}` holds many components"),
                format!("look at each of them: `{{ x in {name} where x.{field} == … }}`"),
            ));
        }
        let names: Vec<String> = zone.fields.iter().map(|it| it.name.clone()).collect();
        let component = self.component_at(place, base);
        let Base::Elem(id) = component.ty.base else {
            return Err(Reported);
        };
        let mut list = self.field_names(id);
        if !list.contains(&field.text) {
            list.extend(names);
            let name = self.domain(id).map_or(String::new(), |it| it.name.clone());
            let message = format!("`{name}` has no field `{field}`");
            return Err(self.not_among(codes::UNKNOWN_FIELD, field, message, &list));
        }
        self.value_field(component, field, span).map(Thing::Value)
    }

    #[inline(never)]
    fn value_field(&mut self, value: Expr, field: &ast::Name, span: Span) -> Checked<Expr> {
        let fields = match value.ty.base {
            Base::Elem(id) => match self.domain(id).map(|it| &it.kind) {
                Some(
                    DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. },
                ) => fields.clone(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if let Some(at) = fields.iter().position(|it| it.name == field.text) {
            let ty = fields.get(at).map_or(Type::UNIT, |it| it.ty);
            let listed = match value.ty.base {
                Base::Elem(id) => {
                    self.note_inside(field, id);
                    self.cells(id)
                }
                _ => None,
            };
            let kind = match listed.and_then(|it| it.fields.get(at).copied()) {
                Some(table) => ExprKind::Table(table, vec![value]),
                None => ExprKind::Field(Box::new(value), at),
            };
            return Ok(Expr { kind, ty, span });
        }
        let of = self.type_name(value.ty);
        let message = format!("{of} has no field `{field}`");
        let list: Vec<String> = fields.iter().map(|it| it.name.clone()).collect();
        Err(self.not_among(codes::UNKNOWN_FIELD, field, message, &list))
    }

    /// The component that lies at a place for one.
    pub(in crate::check) fn component_at(&self, place: Place, span: Span) -> Expr {
        let component = self
            .game
            .zones
            .get(place.zone.index())
            .map_or(DomainId(0), |it| it.component);
        Expr {
            kind: ExprKind::Component(place),
            ty: Type::of(Base::Elem(component)).or_none(),
            span,
        }
    }
}

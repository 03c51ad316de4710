//! What a name, an index or a field stands for, before it is known to be a value.

mod field;

use crate::diagnostic::{Diagnostic, closest, codes};
use crate::model::{
    Base, BinaryOp, DomainId, DomainKind, Expr, ExprKind, Folded, Place, TableId, TrackId, Type,
    ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast;

use super::family::Family;
use super::noted::Taken;
use super::scope::Binding;
use super::{Checked, Checker, Entity, Reported};

/// A thing that an expression names.
#[derive(Clone, Debug)]
pub(super) enum Thing {
    Value(Expr),
    /// One place of a zone.
    Place(Place),
    Family(Family),
    Track(TrackId),
    Table(TableId),
    /// A type, used as the set of its values or to qualify one.
    Domain(DomainId),
}

impl Checker<'_> {
    /// Finds what an expression names; anything but names, indices and fields is a value.
    #[inline(never)]
    pub(super) fn thing(&mut self, expr: &ast::Expr, want: Option<Type>) -> Checked<Thing> {
        match &expr.kind {
            ast::ExprKind::Name(name) => self.named_thing(name, want),
            ast::ExprKind::Index { base, indices } => self.indexed(base, indices, expr.span),
            ast::ExprKind::Field { base, field } => self.field_of(base, field, expr.span, want),
            _ => self.value(expr, want).map(Thing::Value),
        }
    }

    #[inline(never)]
    fn named_thing(&mut self, name: &ast::Name, want: Option<Type>) -> Checked<Thing> {
        if name.text == "me" {
            return self.me(name.span).map(Thing::Value);
        }
        match self.binding(&name.text) {
            Some(Binding::Local(id, _)) => {
                let id = *id;
                return Ok(Thing::Value(self.local(id, name.span)));
            }
            Some(Binding::Alias(expr) | Binding::Members { value: expr, .. }) => {
                let mut expr = expr.clone();
                expr.span = name.span;
                return Ok(Thing::Value(expr));
            }
            Some(Binding::Failed) => return Err(Reported),
            None => {}
        }
        if let Some(Base::Elem(domain)) = want.map(|it| it.base)
            && let Some(value) = self.value_of(domain, name.as_str())
        {
            self.note_inside(name, domain);
            return Ok(Thing::Value(self.enum_value(domain, value, name.span)));
        }
        match self.named(name.as_str()) {
            Some(entity) => {
                self.is_no_other(name)?;
                self.note(name, Taken::Item);
                self.entity_thing(entity?, name)
            }
            None => self.unclaimed(name, want),
        }
    }

    /// A name that the game wrote for a value must not come to stand for an item that an amendment brings.
    fn is_no_other(&mut self, name: &ast::Name) -> Checked<()> {
        let own = &self.composed.files;
        let index = self.names.get(name.as_str());
        let item = index.and_then(|it| self.item(*it).kind.name());
        let Some(item) = item.filter(|it| !own.contains(&it.span.file)) else {
            return Ok(());
        };
        if !own.contains(&name.span.file) {
            return Ok(());
        }
        let values = self.enums_named(name.as_str());
        let Some(of) = values.first().and_then(|it| self.domain(*it)) else {
            return Ok(());
        };
        let message = format!(
            "`{name}` would take the place of the `{name}` of `{}` that the game speaks of",
            of.name
        );
        let diagnostic = Diagnostic::new(codes::CAPTURED_NAME, message)
            .label(item.span, "this brings the name")
            .label(name.span, "and this means the other one")
            .help("give what the amendment brings another name");
        Err(self.report(diagnostic))
    }

    pub(super) fn enum_value(&self, domain: DomainId, value: i64, span: Span) -> Expr {
        Expr::new(ExprKind::Value(value), Type::of(Base::Elem(domain)), span)
    }

    #[inline(never)]
    fn entity_thing(&mut self, entity: Entity, name: &ast::Name) -> Checked<Thing> {
        let span = name.span;
        let wrong = |this: &mut Self, what: &str, help: String| {
            let message = format!("`{name}` is {what}, not a value");
            Err(this.complain(codes::WRONG_KIND, span, message, help))
        };
        match entity {
            Entity::Domain(id) => Ok(Thing::Domain(id)),
            Entity::Zone(id) => {
                let single = self
                    .game
                    .zones
                    .get(id.index())
                    .is_some_and(|it| it.index.is_empty());
                Ok(if single {
                    Thing::Place(Place {
                        zone: id,
                        index: Vec::new(),
                    })
                } else {
                    Thing::Family(id.into())
                })
            }
            Entity::Track(id) => {
                let Some(track) = self.game.tracks.get(id.index()) else {
                    return Err(Reported);
                };
                if !track.index.is_empty() {
                    return Ok(Thing::Track(id));
                }
                Ok(Thing::Value(Expr {
                    kind: ExprKind::Track(id, Vec::new()),
                    ty: track.ty,
                    span,
                }))
            }
            Entity::Table(id) => Ok(Thing::Table(id)),
            Entity::Setting(id) => {
                let Some(setting) = self.game.settings.get(id.index()) else {
                    return Err(Reported);
                };
                if !setting.readings.is_empty() {
                    let message = format!(
                        "`{name}` stands here as a value, which is of an older form of the language"
                    );
                    let help = format!(
                        "say here what is so by default, and in the block of each other reading of `{name}` what is different, as by `replace x = …`; `adit upgrade FILE` does so"
                    );
                    return Err(self.complain(codes::OLDER_FORM, span, message, help));
                }
                Ok(Thing::Value(Expr {
                    kind: ExprKind::Setting(Folded {
                        setting: id,
                        value: setting.value,
                    }),
                    ty: setting.ty,
                    span,
                }))
            }
            Entity::Define(id) => {
                let Some(define) = self.define(id) else {
                    return Err(Reported);
                };
                let (count, ty) = (define.params.len(), define.ty);
                if count > 0 {
                    let message = format!("`{name}` needs {}", arguments(count));
                    return Err(self.complain(
                        codes::WRONG_ARGUMENTS,
                        span,
                        message,
                        format!("write `{name}(…)`"),
                    ));
                }
                Ok(Thing::Value(Expr {
                    kind: ExprKind::Call(id, Vec::new()),
                    ty,
                    span,
                }))
            }
            Entity::Proc(_) => wrong(
                self,
                "something that happens",
                "a `define` gives a value; a flow gives one to `let` or `=`".to_owned(),
            ),
            Entity::Action(_) | Entity::Offers => wrong(
                self,
                "an action",
                format!("ask whether it is legal: `can(me, {name})`"),
            ),
            Entity::Other => wrong(
                self,
                "a name of its own",
                "nothing can refer to it".to_owned(),
            ),
        }
    }

    /// A name that no item has: a seat, a built-in, or the value of some enum.
    #[inline(never)]
    fn unclaimed(&mut self, name: &ast::Name, want: Option<Type>) -> Checked<Thing> {
        match name.as_str() {
            "seat" => return Ok(Thing::Domain(self.game.seat)),
            "Direction" => return Ok(Thing::Domain(self.direction)),
            "bool" => return Ok(Thing::Domain(self.truths(name.span))),
            "straight" => return Ok(Thing::Value(self.ways(name.span, 0))),
            "oblique" => return Ok(Thing::Value(self.ways(name.span, 1))),
            "to_move" if self.expects => return Ok(Thing::Value(self.who_chooses(name.span))),
            _ => {}
        }
        let found = self.enums_with(name.as_str());
        match found.as_slice() {
            [one] => {
                let value = self.value_of(*one, name.as_str()).unwrap_or(0);
                self.note_inside(name, *one);
                Ok(Thing::Value(self.enum_value(*one, value, name.span)))
            }
            [] => Err(self.unknown(name, want)),
            several => {
                let names: Vec<String> = several
                    .iter()
                    .filter_map(|id| self.domain(*id))
                    .map(|it| format!("{}.{name}", it.name))
                    .collect();
                let message = format!("`{name}` may be the value of several types");
                Err(self.complain(
                    codes::AMBIGUOUS_NAME,
                    name.span,
                    message,
                    format!(
                        "write {}",
                        super::scope::listed(&names).replace(" and ", " or ")
                    ),
                ))
            }
        }
    }

    fn ways(&self, span: Span, odd: i64) -> Expr {
        let way = |value| self.enum_value(self.direction, value, span);
        Expr::set(
            ExprKind::SetOf((0..4).map(|it| way(2 * it + odd)).collect()),
            self.direction,
            span,
        )
    }

    /// Whether an expression is a bare name that only its expected type can explain.
    pub(super) fn is_open_name(&self, expr: &ast::Expr) -> bool {
        match &expr.kind {
            ast::ExprKind::Name(name) => {
                name.text != "me"
                    && self.binding(&name.text).is_none()
                    && !self.names.contains_key(name.as_str())
            }
            ast::ExprKind::None => true,
            ast::ExprKind::Set(items) => items.iter().all(|it| self.is_open_name(it)),
            _ => false,
        }
    }

    #[inline(never)]
    fn indexed(&mut self, base: &ast::Expr, indices: &[ast::Expr], span: Span) -> Checked<Thing> {
        match self.thing(base, None)? {
            Thing::Family(family) => {
                let rest = self.rest_of(&family);
                let begun = rest.get(..indices.len()).filter(|it| it.len() < rest.len());
                let index = self.indices(begun.unwrap_or(&rest), indices, span, true)?;
                let Place { zone, index } = family.place(index);
                Ok(match begun {
                    Some(_) => Thing::Family(Family { zone, given: index }),
                    None => Thing::Place(Place { zone, index }),
                })
            }
            Thing::Track(id) => {
                let Some(track) = self.game.tracks.get(id.index()).cloned() else {
                    return Err(Reported);
                };
                let index = self.indices(&track.index, indices, span, false)?;
                Ok(Thing::Value(Expr {
                    kind: ExprKind::Track(id, index),
                    ty: track.ty,
                    span,
                }))
            }
            Thing::Table(id) => {
                let Some(table) = self.game.tables.get(id.index()) else {
                    return Err(Reported);
                };
                let (domains, ty) = (table.index.clone(), table.ty);
                let index = self.indices(&domains, indices, span, false)?;
                Ok(Thing::Value(Expr {
                    kind: ExprKind::Table(id, index),
                    ty,
                    span,
                }))
            }
            Thing::Place(place) if self.zone_kind(&place) == ZoneKind::Pile => {
                self.deep_in(place, indices, span).map(Thing::Value)
            }
            Thing::Place(_) | Thing::Value(_) | Thing::Domain(_) => {
                Err(self.has_no_index(base, span))
            }
        }
    }

    /// Reports an index behind what has none; perhaps a name beside it was meant that has one.
    fn has_no_index(&mut self, base: &ast::Expr, span: Span) -> Reported {
        let help = "only zones, tracks and tables that are declared with one have an index";
        let ast::ExprKind::Name(name) = &base.kind else {
            return self.complain(codes::WRONG_ARGUMENTS, span, "this has no index", help);
        };
        let is_indexed = |item: &ast::ItemKind| match item {
            ast::ItemKind::Zone(it) => !it.index.is_empty(),
            ast::ItemKind::Track(it) => !it.index.is_empty(),
            ast::ItemKind::Table(_) => true,
            _ => false,
        };
        let items = self.composed.items.iter().map(|it| &it.item.kind);
        let indexed = items.filter(|it| is_indexed(it)).filter_map(|it| it.name());
        let near = closest(name.as_str(), indexed.map(ast::Name::as_str)).map(str::to_owned);
        let message = format!("`{name}` has no index");
        let finding = Diagnostic::at(codes::WRONG_ARGUMENTS, span, message).help(help);
        self.report(super::scope::did_you_mean(finding, name.span, near))
    }

    /// Checks an index. The coordinates of a cell may stand for the cell.
    #[inline(never)]
    fn indices(
        &mut self,
        domains: &[DomainId],
        indices: &[ast::Expr],
        span: Span,
        absent: bool,
    ) -> Checked<Vec<Expr>> {
        if let [only] = domains
            && indices.len() > 1
            && let Some(DomainKind::Space { axes, .. }) = self.domain(*only).map(|it| &it.kind)
            && axes.len() == indices.len()
        {
            let args: Vec<ast::Arg> = indices
                .iter()
                .map(|value| ast::Arg {
                    name: None,
                    value: value.clone(),
                })
                .collect();
            return Ok(vec![self.construct(*only, &args, span)?]);
        }
        if domains.len() != indices.len() {
            let message = format!(
                "the index has {} parts, not {}",
                domains.len(),
                indices.len()
            );
            let parts = domains.iter().filter_map(|it| self.domain(*it));
            let parts: Vec<String> = parts.map(|it| format!("`{}`", it.name)).collect();
            let parts = parts.join(" and one of ");
            let help = format!("each place has a member of {parts}, in this order");
            return Err(self.complain(codes::WRONG_ARGUMENTS, span, message, help));
        }
        let mut index = Vec::new();
        let mut failed = false;
        for (domain, written) in domains.iter().zip(indices) {
            let mut ty = self.element(*domain);
            ty.optional = absent;
            match self.typed(written, ty) {
                Ok(value) => index.push(value),
                Err(Reported) => failed = true,
            }
        }
        if failed { Err(Reported) } else { Ok(index) }
    }

    /// Takes a thing as a value.
    #[inline(never)]
    pub(super) fn as_value(
        &mut self,
        thing: Thing,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        match thing {
            Thing::Value(value) => Ok(value),
            Thing::Place(place) => {
                let Some(zone) = self.game.zones.get(place.zone.index()) else {
                    return Err(Reported);
                };
                let (component, one) = (zone.component, zone.kind == ZoneKind::One);
                let set = matches!(want.map(|it| it.base), Some(Base::Set(_)));
                if one && !set {
                    return Ok(self.component_at(place, span));
                }
                let domain = self.domain_of(Type::of(Base::Elem(component)), span)?;
                Ok(Expr::set(ExprKind::Kinds(place), domain, span))
            }
            Thing::Domain(id) => {
                let ty = self.element(id);
                let domain = self.domain_of(ty, span)?;
                Ok(Expr::all(domain, span))
            }
            Thing::Family(_) | Thing::Track(_) | Thing::Table(_) => {
                let name = match thing {
                    Thing::Family(ref it) => Some(self.family_name(it)),
                    Thing::Track(id) => self.game.tracks.get(id.index()).map(|it| it.name.clone()),
                    Thing::Table(id) => self.game.tables.get(id.index()).map(|it| it.name.clone()),
                    _ => None,
                };
                let name = name.unwrap_or_default();
                let mut help = format!("say which one: `{name}[…]`");
                let mut message = format!("`{name}` needs an index");
                if let Thing::Family(family) = thing {
                    if !family.is_whole() {
                        message = format!("`{name}` needs the rest of its index");
                    }
                    let (one, all) = (self.one_of_family(&family), self.lying_anywhere(&family));
                    help = format!(
                        "say which one: `{one}`; what lies in all of them is `{{ x for {all} }}`"
                    );
                }
                Err(self.complain(codes::WRONG_ARGUMENTS, span, message, help))
            }
        }
    }

    /// `x in S`, with what is cheaper than a set.
    pub(super) fn membership(&mut self, value: Expr, set: Expr, span: Span) -> Expr {
        Expr::truth(ExprKind::binary(BinaryOp::In, value, set), span)
    }
}

/// Writes a number of arguments.
pub(super) fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

//! Enums, records, components and spaces.

use crate::diagnostic::codes;
use crate::limits::{MOST_ELEMENTS, MOST_IN_FIELD};
use crate::model::{
    Base, Domain, DomainId, DomainKind, EnumValue, Expr, ExprKind, Field, Shape, Sign, Type,
};
use crate::source::Span;
use crate::syntax::ast::{self, Axis};

use super::constant::Const;
use super::types::{Sized, grouped};
use super::{Checked, Checker, Entity};

impl<'a> Checker<'a> {
    pub(super) fn enumeration(&mut self, it: &'a ast::EnumDecl) -> Checked<DomainId> {
        let mut values: Vec<EnumValue> = Vec::new();
        let mut names = rustc_hash::FxHashSet::default();
        for value in &it.values {
            if !names.insert(value.name.as_str()) {
                let message = format!("`{}` has the value `{}` twice", it.name, value.name);
                self.error(codes::DUPLICATE_NAME, value.name.span, message);
                continue;
            }
            values.push(enum_value(value));
        }
        if values.is_empty() {
            let message = format!("`{}` has no values", it.name);
            return Err(self.error(codes::EMPTY_RANGE, it.name.span, message));
        }
        Ok(self.add_domain(Domain {
            name: it.name.text.clone(),
            lo: 0,
            size: values.len() as u64,
            kind: DomainKind::Enum {
                values,
                cyclic: it.cyclic,
            },
            show: None,
            span: it.name.span,
        }))
    }

    pub(super) fn component(&mut self, it: &'a ast::ComponentDecl) -> Checked<DomainId> {
        self.record(&it.name, &it.fields, true)
    }

    pub(super) fn record(
        &mut self,
        name: &'a ast::Name,
        fields: &'a [ast::FieldDecl],
        component: bool,
    ) -> Checked<DomainId> {
        let mut made = self.fields(fields, &[])?;
        let size = strides(&mut made);
        if size == u64::MAX {
            let message = format!("`{name}` has too many elements to count");
            return Err(self.complain(
                codes::TOO_MANY_ELEMENTS,
                name.span,
                message,
                "give its fields smaller types",
            ));
        }
        Ok(self.add_domain(Domain {
            name: name.text.clone(),
            lo: 0,
            size,
            kind: DomainKind::Record {
                fields: made,
                component,
            },
            show: None,
            span: name.span,
        }))
    }

    /// Reads fields; none may have a name of `taken`.
    pub(super) fn fields(
        &mut self,
        fields: &'a [ast::FieldDecl],
        taken: &[String],
    ) -> Checked<Vec<Field>> {
        let mut made: Vec<Field> = Vec::new();
        for field in fields {
            let name = &field.name;
            if taken.contains(&name.text) || made.iter().any(|it| it.name == name.text) {
                let message = format!("the field `{name}` is declared twice");
                return Err(self.error(codes::DUPLICATE_NAME, name.span, message));
            }
            let Sized { ty, size } = self.sized(&field.ty)?;
            if let Base::Set(domain) = ty.base
                && self.size(domain) > MOST_IN_FIELD
            {
                let message = format!(
                    "the set in the field `{name}` may hold {} elements, more than {MOST_IN_FIELD}",
                    grouped(self.size(domain))
                );
                return Err(self.complain(
                    codes::TOO_MANY_ELEMENTS,
                    field.ty.span,
                    message,
                    "use a track or a table for it",
                ));
            }
            let sign = match &field.symbol {
                None => None,
                Some(symbol) if ty.base == Base::Bool && !ty.optional => Some(Sign {
                    symbol: symbol.text.clone(),
                    plain: field.plain.as_ref().map(|it| it.text.clone()),
                }),
                Some(symbol) => {
                    let message = format!("`{name}` is more than true or not");
                    let help = "a sign behind a field is drawn where it is true; give signs to the values of an `enum`";
                    return Err(self.complain(codes::WRONG_KIND, symbol.span, message, help));
                }
            };
            let default = match &field.default {
                None => None,
                Some(default) => {
                    let value = self.typed(default, ty)?;
                    self.constant_or_error(&value)?;
                    Some(value)
                }
            };
            made.push(Field {
                name: name.text.clone(),
                ty,
                size,
                stride: 1,
                default,
                sign,
            });
        }
        strides(&mut made);
        Ok(made)
    }

    pub(super) fn space(&mut self, it: &'a ast::SpaceDecl) -> Checked<DomainId> {
        if let Some(meeting) = &it.meeting
            && it.shape.text != "parts"
        {
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                meeting.ports.span,
                format!("the places of a {} do not meet at ports", it.shape),
                "only `parts(land, Slot)` do",
            ));
        }
        let (axes, shape) = match it.shape.as_str() {
            "grid" => (self.named_axes(it, 2)?, Shape::Grid),
            "hexes" => (self.named_axes(it, 2)?, Shape::Hexes),
            "edges" => return self.edges(it),
            "drawn" => {
                let [Axis::Drawn(text)] = it.axes.as_slice() else {
                    let help = "write the drawing behind `drawn`, in three quotes on each side";
                    return Err(self.axes_wrong(it, help));
                };
                return self.drawn(it, text);
            }
            "line" => (self.single_axis(it)?, Shape::Line),
            "ring" => (self.single_axis(it)?, Shape::Ring),
            "graph" => self.graph(it)?,
            "plane" => self.plane(it)?,
            "parts" => self.parts(it)?,
            _ => {
                let shapes = [
                    "grid", "hexes", "line", "ring", "graph", "edges", "drawn", "plane", "parts",
                ];
                let shapes = shapes.map(str::to_owned);
                let message = format!("no space has the shape `{}`", it.shape);
                return Err(self.not_among(codes::UNKNOWN_NAME, &it.shape, message, &shapes));
            }
        };
        let mut axes = axes;
        let size = strides(&mut axes);
        if let Some(condition) = &it.condition {
            if !matches!(shape, Shape::Grid | Shape::Hexes) {
                return Err(self.complain(
                    codes::WRONG_ARGUMENTS,
                    condition.span,
                    format!("no places are left out of `{}`", it.shape),
                    "only of a `grid` and of `hexes`",
                ));
            }
            if size <= MOST_ELEMENTS {
                return self.holed(it, axes, &shape, condition);
            }
        }
        if size > MOST_ELEMENTS {
            let message = format!(
                "`{}` has {} elements, more than 65,536",
                it.name,
                grouped(size)
            );
            return Err(self.complain(
                codes::TOO_MANY_ELEMENTS,
                it.name.span,
                message,
                "make its coordinates smaller",
            ));
        }
        Ok(self.add_domain(Domain {
            name: it.name.text.clone(),
            lo: 0,
            size,
            kind: DomainKind::Space { axes, shape },
            show: None,
            span: it.name.span,
        }))
    }

    fn named_axes(&mut self, it: &'a ast::SpaceDecl, count: usize) -> Checked<Vec<Field>> {
        let mut axes = Vec::new();
        for axis in &it.axes {
            let Axis::Named { name, ty } = axis else {
                return Err(
                    self.axes_wrong(it, "give each coordinate a name and a type: `file: 1..8`")
                );
            };
            axes.push(self.axis(name, ty)?);
        }
        if axes.len() != count {
            return Err(self.axes_wrong(
                it,
                "a grid has two coordinates: `grid(file: 1..8, rank: 1..8)`",
            ));
        }
        Ok(axes)
    }

    fn axis(&mut self, name: &ast::Name, ty: &ast::Type) -> Checked<Field> {
        let sized = self.sized(ty)?;
        if sized.ty.optional || matches!(sized.ty.base, Base::Set(_)) {
            return Err(self.error(codes::WRONG_TYPE, ty.span, "a coordinate is one value"));
        }
        Ok(field(&name.text, sized))
    }

    fn single_axis(&mut self, it: &'a ast::SpaceDecl) -> Checked<Vec<Field>> {
        match it.axes.as_slice() {
            [Axis::Named { name, ty }] => Ok(vec![self.axis(name, ty)?]),
            [Axis::Value(length)] => {
                let length_value = self.typed(length, super::types::NUMBER)?;
                let Const::Scalar(n) = self.constant_or_error(&length_value)? else {
                    return Err(self.axes_wrong(it, "write the number of places: `line(26)`"));
                };
                if n < 1 || n.unsigned_abs() > MOST_ELEMENTS {
                    let message = format!("a {} cannot have {n} places", it.shape);
                    return Err(self.error(codes::TOO_MANY_ELEMENTS, length.span, message));
                }
                let sized = Sized {
                    ty: Type::of(Base::Int(0, n - 1)),
                    size: n.unsigned_abs(),
                };
                Ok(vec![field("at", sized)])
            }
            _ => Err(self.axes_wrong(
                it,
                "write the number of places: `line(26)`, or one coordinate: `line(at: 1..26)`",
            )),
        }
    }

    /// `graph(links)` with `table links[Town]: set of Town`.
    fn graph(&mut self, it: &'a ast::SpaceDecl) -> Checked<(Vec<Field>, Shape)> {
        let help =
            "name a table of neighbours: `table road[Town]: set of Town { … }`, then `graph(road)`";
        let Some(name) = lone_name(it) else {
            return Err(self.axes_wrong(it, help));
        };
        let table = match self.named(name.as_str()) {
            Some(Ok(Entity::Table(id))) => id,
            Some(Err(reported)) => return Err(reported),
            _ => return Err(self.axes_wrong(it, help)),
        };
        let declared = self
            .composed
            .items
            .iter()
            .find_map(|it| match &it.item.kind {
                ast::ItemKind::Table(table) if table.name.text == name.text => Some(table),
                _ => None,
            });
        if let Some(declared) = declared {
            self.table_rows(declared, table)?;
        }
        let Some(table) = self.game.tables.get(table.index()).cloned() else {
            return Err(super::Reported);
        };
        let ([town], Base::Set(over)) = (table.index.as_slice(), table.ty.base) else {
            return Err(self.axes_wrong(it, help));
        };
        if *town != over {
            return Err(self.axes_wrong(it, help));
        }
        let n_cells = table.cells.len() / table.words.max(1);
        let edges = (0..n_cells)
            .map(|at| {
                table
                    .members(at)
                    .filter_map(|it| it.try_into().ok())
                    .collect()
            })
            .collect();
        let ty = self.element(*town);
        let sized = Sized {
            ty,
            size: self.size(*town),
        };
        Ok((vec![field("at", sized)], Shape::Graph(edges)))
    }

    pub(super) fn axes_wrong(&mut self, it: &ast::SpaceDecl, help: &str) -> super::Reported {
        let message = format!("`{}` is not made like this", it.shape);
        self.complain(codes::WRONG_ARGUMENTS, it.shape.span, message, help)
    }

    /// Makes a value of a record or a cell of a space; folds it if all parts are constant.
    pub(super) fn made(&self, domain: DomainId, parts: Vec<Expr>, ty: Type, span: Span) -> Expr {
        let expr = Expr::new(ExprKind::Make(domain, parts), ty, span);
        match self.constant(&expr) {
            Some(Const::Scalar(value)) => expr.with_kind(ExprKind::Value(value)),
            _ => expr,
        }
    }
}

/// A value of a list with how it is printed.
pub(super) fn enum_value(value: &ast::EnumValue) -> EnumValue {
    let text = |it: &Option<ast::Text>| it.as_ref().map(|it| it.text.clone());
    EnumValue {
        name: value.name.text.clone(),
        symbol: text(&value.symbol),
        plain: text(&value.plain),
    }
}

/// A value of a list that is printed by its name.
pub(super) fn plain_value(name: &str) -> EnumValue {
    EnumValue {
        name: name.to_owned(),
        symbol: None,
        plain: None,
    }
}

pub(super) fn field(name: &str, sized: Sized) -> Field {
    Field {
        name: name.to_owned(),
        ty: sized.ty,
        size: sized.size,
        stride: 1,
        default: None,
        sign: None,
    }
}

/// The one name that a space is made of.
pub(super) fn lone_name(it: &ast::SpaceDecl) -> Option<&ast::Name> {
    match it.axes.as_slice() {
        [
            Axis::Value(ast::Expr {
                kind: ast::ExprKind::Name(name),
                ..
            }),
        ] => Some(name),
        _ => None,
    }
}

/// Sets the strides, the first field the most significant, and returns the size of the product.
fn strides(fields: &mut [Field]) -> u64 {
    let mut size = 1_u64;
    for field in fields.iter_mut().rev() {
        field.stride = size;
        size = size.saturating_mul(field.size);
    }
    size
}

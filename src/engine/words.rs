//! Expressions as they would be written in a rulebook: for `why`, which names what a clause saw.

use super::text::print_value;
use crate::model::text::Form;
use crate::model::{
    Aggregate, AggregateOp, AltKind, Base, BinaryOp, Expr, ExprKind, Game, LocalId, Near, Node,
    Over, Place, UnaryOp, each_in_expr,
};

/// Deepest nesting that is spelled out.
const MOST_DEPTH: u32 = 6;

/// Writes an expression; what would be too long is cut to `…`.
#[must_use]
pub fn write_expr(game: &Game, expr: &Expr) -> String {
    Writer { game }.expr(expr, MOST_DEPTH)
}

/// Writes a place of a zone.
#[must_use]
pub fn write_place(game: &Game, place: &Place) -> String {
    Writer { game }.place(place, MOST_DEPTH)
}

struct Writer<'g> {
    game: &'g Game,
}

impl Writer<'_> {
    fn expr(&self, expr: &Expr, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "…".to_owned();
        };
        let one = |expr: &Expr| self.expr(expr, depth);
        match &expr.kind {
            ExprKind::Value(value) => print_value(self.game, expr.ty, *value, Form::Signs),
            ExprKind::Setting(folded) => name(
                self.game
                    .settings
                    .get(folded.setting.index())
                    .map(|it| &it.name),
            ),
            ExprKind::SetOf(items) => match self.together(items) {
                Some(name) => name,
                None => format!("{{{}}}", self.list(items, depth)),
            },
            ExprKind::All(domain) => name(self.game.domains.get(domain.index()).map(|it| &it.name)),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Track(track, index) => {
                let track = name(self.game.tracks.get(track.index()).map(|it| &it.name));
                self.indexed(&track, index, depth)
            }
            ExprKind::Table(table, index) => {
                let table = name(self.game.tables.get(table.index()).map(|it| &it.name));
                self.indexed(&table, index, depth)
            }
            ExprKind::Component(place) | ExprKind::Kinds(place) => self.place(place, depth),
            ExprKind::PlaceField(place, field) => {
                let zone = self.game.zones.get(place.zone.index());
                let field = zone.and_then(|zone| zone.fields.get(*field));
                format!(
                    "{}.{}",
                    self.place(place, depth),
                    name(field.map(|it| &it.name))
                )
            }
            ExprKind::Top(place) => format!("top({})", self.place(place, depth)),
            ExprKind::Nth(place, n) => format!("{}[{}]", self.place(place, depth), one(n)),
            ExprKind::Count(place) => format!("count {}", self.place(place, depth)),
            ExprKind::CountOf(place, kind) => {
                format!("count {} in {}", one(kind), self.place(place, depth))
            }
            ExprKind::Filled(place) => format!("filled {}", self.place(place, depth)),
            ExprKind::Field(base, field) => match self.field(base, *field) {
                field if field.is_empty() => one(base),
                field => format!("{}.{field}", one(base)),
            },
            ExprKind::Make(domain, args) => {
                let domain = name(self.game.domains.get(domain.index()).map(|it| &it.name));
                format!("{domain}({})", self.list(args, depth))
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, depth),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, depth),
            ExprKind::If(cond, then, other) => {
                format!("if {} then {} else {}", one(cond), one(then), one(other))
            }
            ExprKind::Match(subject, ..) => format!("by {} {{…}}", one(subject)),
            ExprKind::OrElse(value, fallback) => {
                format!("{} default {}", one(value), one(fallback))
            }
            ExprKind::Aggregate(aggregate) => self.aggregate(aggregate, depth),
            ExprKind::Reach { start, .. } => format!("reach {} via …", one(start)),
            ExprKind::Groups { over, .. } => format!("groups {} via …", one(over)),
            ExprKind::Walk { way, from, .. } => {
                format!("walk {} from {} while …", one(way), one(from))
            }
            ExprKind::Let(_, _, body) => one(body),
            ExprKind::Call(define, args) => {
                let define = name(self.game.defines.get(define.index()).map(|it| &it.name));
                if args.is_empty() {
                    return define;
                }
                format!("{define}({})", self.list(args, depth))
            }
            ExprKind::After(_, value) => format!("after {{…}} {}", one(value)),
            ExprKind::Can(who, alts) => {
                let offered: Vec<String> = alts
                    .iter()
                    .map(|alt| match &alt.kind {
                        AltKind::Action(id, _) => {
                            name(self.game.actions.get(id.index()).map(|it| &it.name))
                        }
                        AltKind::Inline { name, .. } => name.clone(),
                    })
                    .collect();
                format!("can({}, {})", one(who), offered.join(" | "))
            }
            ExprKind::Near(near, cell) => {
                let near = match near {
                    Near::Orthogonal => "orthogonal",
                    Near::Diagonal => "diagonal",
                    Near::Around => "around",
                    Near::Neighbours => "neighbours",
                };
                format!("{near}({})", one(cell))
            }
            ExprKind::Step { cell, way, count } => match count.kind {
                ExprKind::Value(1) => format!("step({}, {})", one(cell), one(way)),
                _ => format!("step({}, {}, {})", one(cell), one(way), one(count)),
            },
            ExprKind::Frontier(zone) => format!("frontier({})", self.zone(*zone)),
            ExprKind::Laid(zone) => format!("laid({})", self.zone(*zone)),
            ExprKind::PartsAt(_, spot) => format!("parts_at({})", one(spot)),
            ExprKind::Touching(part) => format!("touching({})", one(part)),
            ExprKind::Loose(part) => format!("loose({})", one(part)),
            ExprKind::PartAtPort(spot, port) => format!("part_with({}, {})", one(spot), one(port)),
            ExprKind::Repeated => "repeated()".to_owned(),
        }
    }

    fn list(&self, exprs: &[Expr], depth: u32) -> String {
        let written: Vec<String> = exprs.iter().map(|expr| self.expr(expr, depth)).collect();
        written.join(", ")
    }

    fn indexed(&self, name: &str, index: &[Expr], depth: u32) -> String {
        if index.is_empty() {
            return name.to_owned();
        }
        format!("{name}[{}]", self.list(index, depth))
    }

    fn place(&self, place: &Place, depth: u32) -> String {
        self.indexed(&self.zone(place.zone), &place.index, depth)
    }

    fn zone(&self, zone: crate::model::ZoneId) -> String {
        name(self.game.zones.get(zone.index()).map(|it| &it.name))
    }

    fn local(&self, local: LocalId) -> String {
        name(self.game.locals.get(local.index()).map(|it| &it.name))
    }

    /// The name that members taken together go by.
    fn together(&self, items: &[Expr]) -> Option<String> {
        let first_of = |it: &Expr| {
            let mut first = None;
            let mut note = |node: Node<'_>| {
                if let Node::Expr(Expr {
                    kind: ExprKind::Local(local),
                    ..
                }) = node
                {
                    first.get_or_insert(*local);
                }
            };
            note(Node::Expr(it));
            each_in_expr(it, &mut note);
            first
        };
        // Each of them is a local of its own, and all are declared at one place.
        let locals: Vec<LocalId> = items.iter().map_while(first_of).collect();
        let (first, others) = locals.split_first()?;
        if others.is_empty() || locals.len() < items.len() || others.contains(first) {
            return None;
        }
        let first = self.game.locals.get(first.index())?;
        let mut others = others
            .iter()
            .filter_map(|it| self.game.locals.get(it.index()));
        let alike = others.all(|it| it.span.same_place(first.span));
        alike.then(|| first.name.clone())
    }

    fn field(&self, base: &Expr, field: usize) -> String {
        use crate::model::DomainKind;
        let Base::Elem(domain) = base.ty.base else {
            return "…".to_owned();
        };
        let domain = self.game.domains.get(domain.index());
        let fields = match domain.map(|it| &it.kind) {
            Some(DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. }) => {
                fields.as_slice()
            }
            Some(DomainKind::Range | DomainKind::Enum { .. }) | None => &[],
        };
        name(fields.get(field).map(|it| &it.name))
    }

    fn unary(&self, op: UnaryOp, operand: &Expr, depth: u32) -> String {
        let inner = self.expr(operand, depth);
        match op {
            UnaryOp::Not => format!("not {inner}"),
            UnaryOp::Neg => format!("-{inner}"),
            UnaryOp::Abs => format!("abs({inner})"),
            UnaryOp::IsSome => format!("some {inner}"),
            UnaryOp::Ord => format!("ord({inner})"),
            UnaryOp::FromOrd(domain) => {
                let domain = name(self.game.domains.get(domain.index()).map(|it| &it.name));
                format!("{domain}({inner})")
            }
            UnaryOp::Opposite => format!("opposite({inner})"),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, depth: u32) -> String {
        let (left, right) = (self.expr(left, depth), self.expr(right, depth));
        let sign = match op {
            BinaryOp::Distance => return format!("distance({left}, {right})"),
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::Add | BinaryOp::CycleAdd | BinaryOp::Union => "+",
            BinaryOp::Sub | BinaryOp::CycleSub | BinaryOp::Minus => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "mod",
            BinaryOp::In => "in",
        };
        format!("{left} {sign} {right}")
    }

    fn aggregate(&self, aggregate: &Aggregate, depth: u32) -> String {
        let word = match aggregate.op {
            AggregateOp::Collect => "",
            AggregateOp::Count => "count ",
            AggregateOp::Some => "some ",
            AggregateOp::No => "no ",
            AggregateOp::Every => "every ",
            AggregateOp::Sum => "sum ",
            AggregateOp::Product => "product ",
            AggregateOp::Max => "max ",
            AggregateOp::Min => "min ",
            AggregateOp::Most => "most ",
            AggregateOp::Least => "least ",
            AggregateOp::First => "first ",
            AggregateOp::Last => "last ",
        };
        let binders: Vec<String> = aggregate
            .binders
            .iter()
            .map(|binder| {
                let over = match &binder.over {
                    Over::Set(set) => self.expr(set, depth),
                    Over::Zone(place) => self.place(place, depth),
                    Over::Span(from, to) => {
                        format!("{}..{}", self.expr(from, depth), self.expr(to, depth))
                    }
                };
                let guard = match &binder.guard {
                    Some(guard) => format!(" where {}", self.expr(guard, depth)),
                    None => String::new(),
                };
                format!("{} in {over}{guard}", self.local(binder.local))
            })
            .collect();
        let binders = binders.join(", ");
        let inside = match (&aggregate.value, aggregate.op) {
            (None, _) => binders,
            (Some(key), AggregateOp::Most | AggregateOp::Least) => {
                format!("{binders} by {}", self.expr(key, depth))
            }
            (Some(value), _) => format!("{} for {binders}", self.expr(value, depth)),
        };
        format!("{word}{{ {inside} }}")
    }
}

fn name(name: Option<&String>) -> String {
    name.cloned().unwrap_or_else(|| "…".to_owned())
}

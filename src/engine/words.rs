//! Expressions as they would be written in a rulebook: for `why`, which names what a clause saw.

use super::text::print_value;
use crate::model::text::Form;
use crate::model::{
    Aggregate, AggregateOp, AltKind, Base, BinaryOp, Expr, ExprKind, Game, LocalId, Near, Node,
    Over, Place, UnaryOp, each_in_expr,
};
use crate::syntax::ast;

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
                field => format!("{}.{field}", self.operand(base, u8::MAX, depth)),
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
                let (before, behind) = ast::DEFAULT_TIGHTNESS;
                let value = self.operand(value, before, depth);
                let fallback = self.operand(fallback, behind, depth);
                format!("{value} default {fallback}")
            }
            ExprKind::Aggregate(aggregate) => self.aggregate(aggregate, depth),
            ExprKind::Reach { start, .. } => format!("reach {} via …", one(start)),
            ExprKind::Groups { over, .. } => format!("groups {} via …", one(over)),
            ExprKind::Walk { way, from, .. } => {
                format!("walk {} from {} while …", one(way), one(from))
            }
            ExprKind::Let(local, value, body) => one(meant(*local, value, body)),
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

    /// An operand, in brackets where it would be read otherwise without.
    fn operand(&self, operand: &Expr, least: u8, depth: u32) -> String {
        let written = self.expr(operand, depth);
        if tightness(operand) < least {
            format!("({written})")
        } else {
            written
        }
    }

    fn unary(&self, op: UnaryOp, operand: &Expr, depth: u32) -> String {
        let prefix =
            |word: &str, least: u8| format!("{word}{}", self.operand(operand, least, depth));
        let call = |name: &str| format!("{name}({})", self.expr(operand, depth));
        match op {
            UnaryOp::Not => prefix("not ", ast::UnaryOp::Not.tightness()),
            UnaryOp::Neg => prefix("-", ast::UnaryOp::Minus.tightness()),
            UnaryOp::IsSome => prefix("some ", u8::MAX),
            UnaryOp::Abs => call("abs"),
            UnaryOp::Ord => call("ord"),
            UnaryOp::FromOrd(domain) => call(&name(
                self.game.domains.get(domain.index()).map(|it| &it.name),
            )),
            UnaryOp::Opposite => call("opposite"),
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr, depth: u32) -> String {
        let Some(op) = as_written(op) else {
            let (left, right) = (self.expr(left, depth), self.expr(right, depth));
            return format!("distance({left}, {right})");
        };
        let (before, behind) = op.tightness();
        let behind = match op {
            // Of these it is all the same which come first.
            ast::BinaryOp::And | ast::BinaryOp::Or | ast::BinaryOp::Plus => before,
            _ => behind,
        };
        let left = self.operand(left, before, depth);
        let right = self.operand(right, behind, depth);
        format!("{left} {} {right}", op.word())
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

/// How tightly the outermost part of an expression binds.
fn tightness(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Binary(op, ..) => as_written(*op).map_or(u8::MAX, |it| it.tightness().0),
        ExprKind::Unary(UnaryOp::Not, _) => ast::UnaryOp::Not.tightness(),
        ExprKind::Unary(UnaryOp::Neg, _) => ast::UnaryOp::Minus.tightness(),
        ExprKind::OrElse(..) => ast::DEFAULT_TIGHTNESS.0,
        ExprKind::CountOf(..) => ast::BinaryOp::In.tightness().0,
        ExprKind::If(..) | ExprKind::Walk { .. } | ExprKind::After(..) => 0,
        ExprKind::Let(local, value, body) => tightness(meant(*local, value, body)),
        _ => u8::MAX,
    }
}

/// What is said where something is worked out first: it, where no more is asked than that it is there.
fn meant<'e>(local: LocalId, value: &'e Expr, body: &'e Expr) -> &'e Expr {
    match body.kind {
        ExprKind::Local(same) if same == local => value,
        _ => body,
    }
}

/// The operator as a rulebook writes it; none where it is called by a name.
fn as_written(op: BinaryOp) -> Option<ast::BinaryOp> {
    Some(match op {
        BinaryOp::Distance => return None,
        BinaryOp::And => ast::BinaryOp::And,
        BinaryOp::Or => ast::BinaryOp::Or,
        BinaryOp::Eq => ast::BinaryOp::Equal,
        BinaryOp::Ne => ast::BinaryOp::NotEqual,
        BinaryOp::Lt => ast::BinaryOp::Less,
        BinaryOp::Le => ast::BinaryOp::LessOrEqual,
        BinaryOp::Gt => ast::BinaryOp::Greater,
        BinaryOp::Ge => ast::BinaryOp::GreaterOrEqual,
        BinaryOp::Add | BinaryOp::CycleAdd | BinaryOp::Union => ast::BinaryOp::Plus,
        BinaryOp::Sub | BinaryOp::CycleSub | BinaryOp::Minus => ast::BinaryOp::Minus,
        BinaryOp::Mul => ast::BinaryOp::Times,
        BinaryOp::Div => ast::BinaryOp::Divided,
        BinaryOp::Mod => ast::BinaryOp::Mod,
        BinaryOp::In => ast::BinaryOp::In,
    })
}

fn name(name: Option<&String>) -> String {
    name.cloned().unwrap_or_else(|| "…".to_owned())
}

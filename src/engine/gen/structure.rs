//! The structure of expressions as numbers, to compare them by: places in the text are left out.

use rustc_hash::FxHashMap;

use crate::model::{
    Base, Binder, Expr, ExprKind, LocalId, Node, Order, Over, Type, UnaryOp, each_in_expr,
    parts_of_expr,
};

/// A structure; equal for expressions that are written alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::engine) struct Structure {
    numbers: Vec<u64>,
    /// Whether it holds what is like nothing else, as long as that stands where it does.
    is_passing: bool,
}

/// Numbers of locals that are called alike whatever they are.
type Names = FxHashMap<LocalId, u64>;

impl Structure {
    /// That of an expression.
    pub fn of(expr: &Expr) -> Self {
        let mut structure = Self::default();
        structure.expr(expr, &Names::default());
        structure
    }

    /// That of an expression, told apart from the expression itself.
    pub fn laid(part: &Expr) -> Self {
        let mut structure = Self::of(part);
        structure.numbers.push(0);
        structure
    }

    /// That of an expression but for the names of what it binds and of these locals, whose types count.
    pub fn nameless(body: &Expr, inputs: impl Iterator<Item = (LocalId, Type)>) -> Self {
        let (mut names, mut structure) = (Names::default(), Self::default());
        for (local, ty) in inputs {
            let at = names.len() as u64;
            names.insert(local, at);
            structure.ty(ty);
        }
        each_in_expr(body, &mut |node| {
            if let Node::Binds(local) = node {
                let at = names.len() as u64;
                names.entry(local).or_insert(at);
            }
        });
        structure.numbers.push(names.len() as u64);
        structure.expr(body, &names);
        structure
    }

    /// Whether another that equals it means the same whenever it is made.
    pub fn is_lasting(&self) -> bool {
        !self.is_passing
    }

    fn expr(&mut self, expr: &Expr, names: &Names) {
        self.head(&expr.kind, names);
        self.ty(expr.ty);
        parts_of_expr(expr, &mut |node| {
            if let Node::Expr(part) = node {
                self.expr(part, names);
            }
        });
    }

    fn ty(&mut self, ty: Type) {
        let optional = u64::from(ty.optional);
        match ty.base {
            Base::Bool => self.all([1, optional]),
            Base::Int(lo, hi) => self.all([2, optional, lo as u64, hi as u64]),
            Base::Elem(domain) => self.all([3, optional, u64::from(domain.0)]),
            Base::Set(domain) => self.all([4, optional, u64::from(domain.0)]),
            Base::Unit => self.all([5, optional]),
        }
    }

    fn all<const N: usize>(&mut self, numbers: [u64; N]) {
        self.numbers.extend(numbers);
    }

    fn local(&mut self, local: LocalId, names: &Names) {
        match names.get(&local) {
            Some(name) => self.all([1, *name]),
            None => self.all([0, u64::from(local.0)]),
        }
    }

    /// What tells a node from others apart from its parts: how many these are follows from it.
    fn head(&mut self, kind: &ExprKind, names: &Names) {
        let of = |id: u32| u64::from(id);
        match kind {
            ExprKind::Value(value) => self.all([1, *value as u64]),
            ExprKind::Setting(folded) => self.all([1, folded.value as u64]),
            ExprKind::All(domain) => self.all([2, of(domain.0)]),
            ExprKind::Local(local) => {
                self.numbers.push(3);
                self.local(*local, names);
            }
            ExprKind::Track(track, _) => self.all([4, of(track.0)]),
            ExprKind::Table(table, _) => self.all([5, of(table.0)]),
            ExprKind::Component(place) => self.all([6, of(place.zone.0)]),
            ExprKind::Top(place) => self.all([7, of(place.zone.0)]),
            ExprKind::Nth(place, _) => self.all([40, of(place.zone.0)]),
            ExprKind::Count(place) => self.all([8, of(place.zone.0)]),
            ExprKind::CountOf(place, _) => self.all([9, of(place.zone.0)]),
            ExprKind::Kinds(place) => self.all([10, of(place.zone.0)]),
            ExprKind::Filled(place) => self.all([11, of(place.zone.0)]),
            ExprKind::PlaceField(place, at) => self.all([12, of(place.zone.0), *at as u64]),
            ExprKind::Frontier(zone) => self.all([13, of(zone.0)]),
            ExprKind::Laid(zone) => self.all([14, of(zone.0)]),
            ExprKind::PartsAt(domain, _) => self.all([15, of(domain.0)]),
            ExprKind::Touching(_) => self.numbers.push(16),
            ExprKind::Loose(_) => self.numbers.push(17),
            ExprKind::PartAtPort(..) => self.numbers.push(18),
            ExprKind::Field(_, at) => self.all([19, *at as u64]),
            ExprKind::Make(domain, args) => self.all([20, of(domain.0), args.len() as u64]),
            ExprKind::Unary(op, _) => match op {
                UnaryOp::FromOrd(domain) => self.all([21, of(domain.0)]),
                UnaryOp::Not => self.numbers.push(22),
                UnaryOp::Neg => self.numbers.push(23),
                UnaryOp::Abs => self.numbers.push(24),
                UnaryOp::IsSome => self.numbers.push(25),
                UnaryOp::Ord => self.numbers.push(26),
                UnaryOp::Opposite => self.numbers.push(27),
            },
            ExprKind::Binary(op, ..) => self.all([28, *op as u64]),
            ExprKind::Call(id, args) => self.all([29, of(id.0), args.len() as u64]),
            ExprKind::Near(near, _) => self.all([30, *near as u64]),
            ExprKind::Let(local, ..) => {
                self.numbers.push(31);
                self.local(*local, names);
            }
            ExprKind::Match(_, arms, other) => {
                self.all([32, arms.len() as u64, u64::from(other.is_some())]);
                for (values, _) in arms {
                    self.numbers.push(values.len() as u64);
                    self.numbers
                        .extend(values.iter().map(|value| *value as u64));
                }
            }
            ExprKind::Aggregate(aggregate) => {
                let (value, default) = (aggregate.value.is_some(), aggregate.default.is_some());
                self.all([
                    33,
                    aggregate.op as u64,
                    u64::from(value),
                    u64::from(default),
                ]);
                self.numbers.push(aggregate.binders.len() as u64);
                for binder in &aggregate.binders {
                    self.binder(binder, names);
                }
            }
            ExprKind::SetOf(items) => self.all([34, items.len() as u64]),
            ExprKind::If(..) => self.numbers.push(35),
            ExprKind::OrElse(..) => self.numbers.push(36),
            ExprKind::Reach { .. } => self.numbers.push(37),
            ExprKind::Groups { .. } => self.numbers.push(38),
            ExprKind::Walk { .. } => self.numbers.push(39),
            ExprKind::Step { .. } => self.numbers.push(42),
            // Never alike: they hold statements or depend on when they are asked.
            ExprKind::After(..) | ExprKind::Can(..) | ExprKind::Repeated => {
                self.all([41, std::ptr::from_ref(kind) as u64]);
                self.is_passing = true;
            }
        }
    }

    fn binder(&mut self, binder: &Binder, names: &Names) {
        self.local(binder.local, names);
        self.numbers.push(match binder.order {
            Order::Ascending => 1,
            Order::Descending => 2,
            Order::From(_) => 3,
        });
        match &binder.over {
            Over::Set(_) => self.numbers.push(1),
            Over::Zone(place) => self.all([2, u64::from(place.zone.0)]),
            Over::Span(..) => self.numbers.push(3),
        }
        self.numbers.push(u64::from(binder.guard.is_some()));
    }
}

/// Whether two expressions are written alike but for the names of what they bind.
pub(super) fn alike(one: &Expr, other: &Expr) -> bool {
    let of = |it: &Expr| Structure::nameless(it, std::iter::empty());
    of(one) == of(other)
}

/// Whether two expressions are written alike.
pub(super) fn same(one: &Expr, other: &Expr) -> bool {
    Structure::of(one) == Structure::of(other)
}

/// How often a local is read.
pub(super) fn uses(expr: &Expr, local: LocalId) -> usize {
    let times = |it: &Expr| usize::from(it.as_local() == Some(local));
    let mut n = times(expr);
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(it) = node {
            n += times(it);
        }
    });
    n
}

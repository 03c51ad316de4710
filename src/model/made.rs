//! Expressions in a few words: made of their parts, and taken apart again.

use super::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Order, Over,
    Type, UnaryOp,
};
use crate::source::Span;

impl Expr {
    /// What something computes, with its type, at a place in the text.
    pub fn new(kind: impl Into<ExprKind>, ty: Type, span: Span) -> Self {
        let kind = kind.into();
        Self { kind, ty, span }
    }

    /// What is true or false.
    pub fn truth(kind: impl Into<ExprKind>, span: Span) -> Self {
        Self::new(kind, Type::BOOL, span)
    }

    /// A set over a domain.
    pub fn set(kind: impl Into<ExprKind>, domain: DomainId, span: Span) -> Self {
        Self::new(kind, Type::of(Base::Set(domain)), span)
    }

    /// Every element of a domain.
    #[must_use]
    pub fn all(domain: DomainId, span: Span) -> Self {
        Self::set(ExprKind::All(domain), domain, span)
    }

    /// A constant number, of a type that has no other.
    #[must_use]
    pub fn number(number: i64, span: Span) -> Self {
        let ty = Type::of(Base::Int(number, number));
        Self::new(ExprKind::Value(number), ty, span)
    }

    /// A local.
    #[must_use]
    pub fn local(local: LocalId, ty: Type, span: Span) -> Self {
        Self::new(ExprKind::Local(local), ty, span)
    }

    /// Whether a value is there, where it may be absent.
    #[must_use]
    pub fn is_there(self) -> Self {
        let span = self.span;
        Self::truth(ExprKind::Unary(UnaryOp::IsSome, Box::new(self)), span)
    }

    /// Whether both hold; the second is not asked where the first does not.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let span = self.span;
        Self::truth(ExprKind::binary(BinaryOp::And, self, other), span)
    }

    /// Whether one of both holds; the second is not asked where the first does.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let span = self.span;
        Self::truth(ExprKind::binary(BinaryOp::Or, self, other), span)
    }

    /// The members of both sets.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let (ty, span) = (self.ty, self.span);
        Self::new(ExprKind::binary(BinaryOp::Union, self, other), ty, span)
    }

    /// The members of this set for which a condition on a local holds.
    #[must_use]
    pub fn filtered(&self, local: LocalId, guard: Self) -> Self {
        let binder = Binder::over(local, self.clone()).guarded(guard);
        self.with_kind(Aggregate::over(AggregateOp::Collect, vec![binder]))
    }

    /// Something else of the same type, at the same place in the text.
    #[must_use]
    pub fn with_kind(&self, kind: impl Into<ExprKind>) -> Self {
        Self::new(kind, self.ty, self.span)
    }

    /// The same, of another type.
    #[must_use]
    pub fn with_type(self, ty: Type) -> Self {
        Self { ty, ..self }
    }

    /// The comprehension, if it is one.
    #[must_use]
    pub fn as_aggregate(&self) -> Option<&Aggregate> {
        match &self.kind {
            ExprKind::Aggregate(it) => Some(it),
            _ => None,
        }
    }

    /// The operator and its two operands.
    #[must_use]
    pub fn as_binary(&self) -> Option<(BinaryOp, &Expr, &Expr)> {
        match &self.kind {
            ExprKind::Binary(op, left, right) => Some((*op, left, right)),
            _ => None,
        }
    }

    /// The two operands of this operator.
    #[must_use]
    pub fn operands_of(&self, op: BinaryOp) -> Option<(&Expr, &Expr)> {
        let (its, left, right) = self.as_binary()?;
        (its == op).then_some((left, right))
    }

    /// The constant that it is.
    #[must_use]
    pub fn as_value(&self) -> Option<i64> {
        match self.kind {
            ExprKind::Value(value) => Some(value),
            _ => None,
        }
    }

    /// The local that it names.
    #[must_use]
    pub fn as_local(&self) -> Option<LocalId> {
        match self.kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        }
    }

    /// The cell, the direction and the number of a step.
    #[must_use]
    pub fn as_step(&self) -> Option<(&Expr, &Expr, &Expr)> {
        match &self.kind {
            ExprKind::Step { cell, way, count } => Some((cell, way, count)),
            _ => None,
        }
    }
}

impl ExprKind {
    /// An operator and its operand.
    #[must_use]
    pub fn unary(op: UnaryOp, part: Expr) -> Self {
        Self::Unary(op, Box::new(part))
    }

    /// An operator and its operands.
    #[must_use]
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Self {
        Self::Binary(op, Box::new(left), Box::new(right))
    }

    /// One of two values, as a condition holds or not.
    #[must_use]
    pub fn choice(cond: Expr, then: Expr, other: Expr) -> Self {
        Self::If(Box::new(cond), Box::new(then), Box::new(other))
    }

    /// The cell so many steps in a direction.
    #[must_use]
    pub fn step(cell: Expr, way: Expr, count: Expr) -> Self {
        let [cell, way, count] = [cell, way, count].map(Box::new);
        Self::Step { cell, way, count }
    }
}

impl From<Aggregate> for ExprKind {
    fn from(aggregate: Aggregate) -> Self {
        Self::Aggregate(Box::new(aggregate))
    }
}

impl Aggregate {
    /// What is made of the combinations of some variables; their first, where a value is needed.
    #[must_use]
    pub fn over(op: AggregateOp, binders: Vec<Binder>) -> Self {
        Self {
            op,
            binders,
            value: None,
            default: None,
        }
    }

    /// With a value of each combination, or none.
    #[must_use]
    pub fn of(self, value: impl Into<Option<Expr>>) -> Self {
        let value = value.into();
        Self { value, ..self }
    }

    /// The same made of other combinations.
    #[must_use]
    pub fn with_binders(&self, binders: Vec<Binder>) -> Self {
        Self {
            op: self.op,
            binders,
            value: self.value.clone(),
            default: self.default.clone(),
        }
    }

    /// Its variable, if it has one only and makes this of it.
    #[must_use]
    pub fn only_binder_of(&self, op: AggregateOp) -> Option<&Binder> {
        self.only_binder().filter(|_| self.op == op)
    }

    /// Its variable, if it has one only.
    #[must_use]
    pub fn only_binder(&self) -> Option<&Binder> {
        match self.binders.as_slice() {
            [binder] => Some(binder),
            _ => None,
        }
    }
}

impl From<Expr> for Over {
    fn from(set: Expr) -> Self {
        Self::Set(set)
    }
}

impl Over {
    /// The set, if it is one.
    #[must_use]
    pub fn as_set(&self) -> Option<&Expr> {
        match self {
            Self::Set(set) => Some(set),
            Self::Zone(_) | Self::Span(..) => None,
        }
    }

    /// What it is worked out from.
    #[must_use]
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Self::Set(set) => vec![set],
            Self::Zone(place) => place.index.iter().collect(),
            Self::Span(from, to) => vec![from, to],
        }
    }
}

impl Binder {
    /// A variable over a set or something else, in its order.
    pub fn over(local: LocalId, over: impl Into<Over>) -> Self {
        Self {
            local,
            over: over.into(),
            order: Order::Ascending,
            guard: None,
        }
    }

    /// With a condition in place of the one that it has, or none.
    #[must_use]
    pub fn guarded(self, guard: impl Into<Option<Expr>>) -> Self {
        let guard = guard.into();
        Self { guard, ..self }
    }

    /// In another order.
    #[must_use]
    pub fn ordered(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// The same variable over a set or something else.
    #[must_use]
    pub fn with_over(&self, over: impl Into<Over>) -> Self {
        Self {
            local: self.local,
            over: over.into(),
            order: self.order.clone(),
            guard: self.guard.clone(),
        }
    }

    /// The same variable without a condition.
    #[must_use]
    pub fn unguarded(&self) -> Self {
        Self {
            local: self.local,
            over: self.over.clone(),
            order: self.order.clone(),
            guard: None,
        }
    }
}

impl Type {
    /// The same, where nothing may be there.
    #[must_use]
    pub const fn or_none(self) -> Self {
        Self {
            optional: true,
            ..self
        }
    }
}

impl Base {
    /// The domain of which it is an element.
    #[must_use]
    pub fn element_of(self) -> Option<DomainId> {
        match self {
            Self::Elem(domain) => Some(domain),
            _ => None,
        }
    }

    /// The domain over which it is a set.
    #[must_use]
    pub fn set_over(self) -> Option<DomainId> {
        match self {
            Self::Set(domain) => Some(domain),
            _ => None,
        }
    }
}

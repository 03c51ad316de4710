//! Conditions that ask for what lies at an element, for each that may lie there.

use super::Gen;
use super::inline::size_of;
use super::mask::{Plan, is_local};
use super::structure::same;
use super::unroll::{MOST_NUMBERS, joined};
use crate::model::{
    BinaryOp, DomainId, Expr, ExprKind, LocalId, NONE, Node, NodeMut, Place, Type, UnaryOp, change,
    each_in_expr,
};

impl Gen<'_, '_> {
    /// A condition that asks for what lies at x, or for a track at x, for each that may be there.
    pub(super) fn by_value(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        let of = value_at(cond, x)?;
        let (lo, n) = self.shared.values(of.ty)?;
        let n = usize::try_from(n).ok().filter(|n| *n <= MOST_NUMBERS + 1)?;
        let nodes = size_of(cond).saturating_mul(n);
        self.shared.said = self.shared.said.checked_sub(nodes)?;
        let absent = of.ty.optional.then_some(NONE);
        let there = (lo..).take(n - usize::from(absent.is_some()));
        let mut parts = Vec::new();
        for value in there.chain(absent) {
            let mut part = cond.clone();
            self.shared.rename(&mut part);
            let value = Expr {
                kind: ExprKind::Value(value),
                ty: Type {
                    optional: value == NONE,
                    ..of.ty
                },
                span: of.span,
            };
            put_value(&mut part, &of, &value);
            // Within `after` it has another value.
            if value_at(&part, x).is_some_and(|it| same(&it, &of)) {
                return None;
            }
            let part = joined(BinaryOp::And, is_value(&of, &value), part);
            let plan = self.plan(&part, x, domain)?;
            parts.push((part, plan));
        }
        Some(Plan::Any(parts))
    }
}

/// Something that is asked of the place x itself.
fn value_at(cond: &Expr, x: LocalId) -> Option<Expr> {
    let mut found: Option<Expr> = None;
    let is_x = |index: &[Expr]| matches!(index, [index] if is_local(index, x));
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(expr) = node
            && found.is_none()
        {
            let is_value = match &expr.kind {
                ExprKind::Component(place) | ExprKind::PlaceField(place, _) => is_x(&place.index),
                ExprKind::Track(_, index) => is_x(index),
                _ => false,
            };
            found = is_value.then(|| expr.clone());
        }
    });
    found
}

/// That something has a value.
pub(super) fn is_value(of: &Expr, value: &Expr) -> Expr {
    let mut is = joined(BinaryOp::Eq, of.clone(), value.clone());
    none_is_empty(&mut is);
    is
}

/// Writes a value for something, within one position.
pub(super) fn put_value(expr: &mut Expr, of: &Expr, value: &Expr) {
    if matches!(expr.kind, ExprKind::After(..) | ExprKind::Can(..)) {
        return;
    }
    if same(expr, of) {
        *expr = value.clone();
        return;
    }
    if let (ExprKind::Filled(place), ExprKind::Component(at), ExprKind::Value(value)) =
        (&expr.kind, &of.kind, &value.kind)
        && same(&component(place, of), &component(at, of))
    {
        expr.kind = ExprKind::Value(i64::from(*value != NONE));
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put_value(part, of, value);
        }
    });
    none_is_empty(expr);
    decided(expr);
}

/// What a place holds.
fn component(place: &Place, of: &Expr) -> Expr {
    Expr {
        kind: ExprKind::Component(place.clone()),
        ..of.clone()
    }
}

/// What is asked first may decide.
fn decided(expr: &mut Expr) {
    let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) = &expr.kind else {
        return;
    };
    let goes_on = i64::from(*op == BinaryOp::And);
    if matches!(left.kind, ExprKind::Value(value) if value == goes_on) {
        *expr = (**right).clone();
    } else if is_left(left, *op) {
        *expr = (**left).clone();
    }
}

/// Whether what is asked behind is never come to.
fn is_left(expr: &Expr, op: BinaryOp) -> bool {
    match &expr.kind {
        ExprKind::Value(value) => (*value == 0) == (op == BinaryOp::And),
        ExprKind::Binary(of, left, right) => *of == op && (is_left(left, op) || is_left(right, op)),
        _ => false,
    }
}

/// Nothing is equal to what lies at a place where nothing lies there.
fn none_is_empty(expr: &mut Expr) {
    let ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) = &expr.kind else {
        return;
    };
    let is_none = |it: &Expr| matches!(it.kind, ExprKind::Value(NONE));
    let place = match (&left.kind, &right.kind) {
        (ExprKind::Component(place), _) if is_none(right) => place.clone(),
        (_, ExprKind::Component(place)) if is_none(left) => place.clone(),
        _ => return,
    };
    let filled = Expr {
        kind: ExprKind::Filled(place),
        ty: Type::BOOL,
        span: expr.span,
    };
    *expr = match op {
        BinaryOp::Eq => Expr {
            kind: ExprKind::Unary(UnaryOp::Not, Box::new(filled)),
            ty: Type::BOOL,
            span: expr.span,
        },
        _ => filled,
    };
}

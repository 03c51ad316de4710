//! What is added up for one value after the other, as one count.

use super::Shared;
use super::inline::size_of;
use super::mask::terms;
use super::structure::{alike, same};
use crate::model::{
    Aggregate, AggregateOp, Base, Binder, Expr, ExprKind, LocalId, NodeMut, Over, change,
};

/// Fewer are rather added up as they stand.
const LEAST: usize = 3;
/// The same of what is counted at places, one by one.
const LEAST_LED: usize = 4;
/// Largest sum that is looked at, in nodes.
const MOST_NODES: usize = 400;

impl Shared<'_> {
    /// `count_of(K(a, r), z) + count_of(K(b, r), z) + …` is `sum { count_of(K(i, r), z) for i in { a, b, … } }`, where that is
    /// one count of what lies there; `(if P(step(q, n)) then 1 else 0) + …` is `count { d in { n, … } where P(step(q, d)) }`.
    pub(super) fn added_up(&mut self, expr: &Expr) -> Option<Expr> {
        let terms = terms(expr);
        let (first, others) = terms.split_first()?;
        if terms.len() < LEAST || size_of(expr) > MOST_NODES || !self.surely(expr) {
            return None;
        }
        let mut types = Vec::new();
        each_element(&mut (*first).clone(), &mut |one| types.push(one.ty));
        types.into_iter().enumerate().find_map(|(at, ty)| {
            let local = self.new_local(ty);
            let (term, value) = without(first, at, local)?;
            let mut values = vec![value];
            for other in others {
                let (like, value) = without(other, at, local)?;
                let is_new = values.iter().all(|it| !same(it, &value));
                (is_new && value.ty == ty && alike(&like, &term)).then_some(())?;
                values.push(value);
            }
            let mut sum = self.sum_of(term, local, values, expr)?;
            self.expand(&mut sum);
            let is_count = sum.as_aggregate().is_some_and(|it| {
                let is_led = terms.len() >= LEAST_LED && it.only_binder().is_some();
                let lies = |of: &Binder| matches!(of.over, Over::Zone(_));
                it.op == AggregateOp::Count && (is_led || it.binders.iter().all(lies))
            });
            is_count.then_some(sum)
        })
    }

    fn sum_of(&self, term: Expr, local: LocalId, values: Vec<Expr>, of: &Expr) -> Option<Expr> {
        let domain = self.local_type(local).base.element_of()?;
        let size = self.game.domains.get(domain.index())?.size;
        let set = match values.len() as u64 == size {
            true => Expr::all(domain, of.span),
            false => Expr::set(ExprKind::SetOf(values), domain, of.span),
        };
        let sum = Aggregate::over(AggregateOp::Sum, vec![Binder::over(local, set)]).of(term);
        Some(of.with_kind(sum))
    }
}

/// An expression with a variable in place of the constant at a place, and that constant.
fn without(expr: &Expr, at: usize, local: LocalId) -> Option<(Expr, Expr)> {
    let (mut expr, mut n, mut gone) = (expr.clone(), 0, None);
    each_element(&mut expr, &mut |one| {
        if n == at {
            gone = Some(one.clone());
            one.kind = ExprKind::Local(local);
        }
        n += 1;
    });
    Some((expr, gone?))
}

/// Calls `f` with each constant that is an element of something.
fn each_element(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr)) {
    let is_element = matches!(expr.ty.base, Base::Elem(_)) && !expr.ty.optional;
    if is_element && matches!(expr.kind, ExprKind::Value(_)) {
        f(expr);
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            each_element(part, f);
        }
    });
}

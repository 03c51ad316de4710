//! Lines that something completes when it comes to lie at an empty place.

use std::collections::HashMap;

use super::Shared;
use super::grown::Laid;
use super::inline::{mentions, substitute};
use super::mask::{is_local, terms};
use super::question::Question;
use super::steps::{self, counted_set};
use super::structure::same;
use crate::model::{AggregateOp, BinaryOp, DomainId, Expr, ExprKind, LocalId, Over, UnaryOp};

impl Shared<'_> {
    /// `some { a in Cell where P(a) and some { d in D where 1 + count (walk d from a …) + … >= n } }`: such a line through
    /// the new place. One that does not go through it was there before.
    pub(super) fn line_through(&mut self, question: &Question, laid: &Laid) -> Option<Expr> {
        let ([binder], [member, line]) = (&*question.binders, &*question.conds) else {
            return None;
        };
        let Over::Set(Expr {
            kind: ExprKind::All(space),
            ..
        }) = &binder.over
        else {
            return None;
        };
        // Whether any thing is meant, and not only such a one.
        let is_any = |it: &Expr, x: LocalId| {
            let (at, value) = self.asked_at(it, laid)?;
            let fits = value.as_ref().is_none_or(|it| same(it, &laid.kind));
            (fits && is_local(&at, x)).then_some(value.is_none())
        };
        let any = is_any(member, binder.local)?;
        let ways = line.as_aggregate()?;
        let way = ways.only_binder_of(AggregateOp::Some)?;
        let (over, guard) = (way.over.as_set()?, way.guard.as_ref()?);
        let ExprKind::Binary(BinaryOp::Ge | BinaryOp::Gt, length, number) = &guard.kind else {
            return None;
        };
        let walks: Vec<&Expr> = terms(length)
            .into_iter()
            .filter(|it| !matches!(it.kind, ExprKind::Value(_)))
            .collect();
        let ([there, back], ExprKind::Value(_)) = (&*walks, &number.kind) else {
            return None;
        };
        let mut on = Vec::new();
        for counted in [there, back] {
            let counted = counted.as_aggregate()?;
            let walk = steps::Walk::of(counted_set(counted)?)?;
            let is_own = is_local(walk.from, binder.local) && walk.space == *space;
            if !is_own || is_any(walk.cond, walk.var)? != any {
                return None;
            }
            on.push((walk.way, walk.ways));
        }
        let [(one, ways), (other, _)] = &*on else {
            return None;
        };
        let is_back = |one: &Expr, other: &Expr| {
            is_local(one, way.local)
                && matches!(&other.kind, ExprKind::Unary(UnaryOp::Opposite, it) if is_local(it, way.local))
        };
        let both = is_back(one, other) || is_back(other, one);
        let reads = self.reads_laid(over, laid) || mentions(over, &[binder.local]);
        if !both || reads || !self.is_endless(*space, *ways) {
            return None;
        }
        let mut through = line.clone();
        self.rename(&mut through);
        substitute(
            &mut through,
            &HashMap::from([(binder.local, laid.at.clone())]),
        );
        Some(through)
    }

    /// Whether steps lead back as they led there, and no line comes back to where it began.
    fn is_endless(&mut self, space: DomainId, ways: DomainId) -> bool {
        self.comes_back(space, ways) && self.longest_line(space).is_some()
    }
}

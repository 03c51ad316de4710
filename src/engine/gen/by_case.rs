//! Lists of what may be chosen, in other words: what hangs on none of the variables decides which of two lists is meant, and of a
//! union only the part that is meant is gone through.

use super::decided::decided;
use super::facts::Facts;
use super::inline::mentions;
use super::mask::{conjuncts, is_local};
use super::nest::{Cond, Level, Sink, depth_of};
use super::structure::alike;
use super::{Gen, Shared};
use crate::model::{
    AggregateOp, BinaryOp, Expr, ExprKind, LocalId, Node, NodeMut, Over, Type, change,
    parts_of_expr,
};

/// Most questions that are answered around a list, each of which makes two of it or one for each value.
pub(super) const MOST_CASES: u32 = 2;

impl Gen<'_, '_> {
    /// Runs a nest in which a question hangs on no variable, as `P(x, y) or C`: `C` is asked before, and the nest is written
    /// for where it holds and for where it does not.
    pub(super) fn nest_by_case(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) -> bool {
        // Where one is enough what is asked beforehand may be asked in vain.
        let is_list = matches!(sink, Sink::Emit { .. });
        let is_full = self.cases >= MOST_CASES;
        if self.goes_as_written(levels) || is_full || !is_list || levels.len() < 2 {
            return false;
        }
        let locals: Vec<LocalId> = levels.iter().map(|it| it.local).collect();
        let is_first = |it: &&Cond<'_>| it.written == 0 && depth_of(it.expr, &locals) == 0;
        let (first, rest): (Vec<Cond<'_>>, Vec<Cond<'_>>) =
            conds.iter().copied().partition(|it| is_first(&it));
        let mut facts = self.facts.clone();
        for cond in &first {
            if !self.sure(cond.expr, &mut facts) {
                return false;
            }
            self.learn(cond.expr, true, &mut facts);
        }
        let Some(asked) = self.case_of(levels, &rest, &mut facts) else {
            return false;
        };
        let (holds, exit) = (self.label(), self.label());
        for cond in &first {
            self.cond(cond.expr, false, exit);
        }
        let before = std::mem::replace(&mut self.facts, facts);
        self.cases += 1;
        self.cond(&asked, true, holds);
        self.knowing(&asked, false, |it| {
            it.nest_where(levels, &rest, sink, &asked, false);
        });
        self.jump(exit);
        self.bind(holds);
        self.knowing(&asked, true, |it| {
            it.nest_where(levels, &rest, sink, &asked, true);
        });
        self.cases -= 1;
        self.facts = before;
        self.bind(exit);
        true
    }

    /// A question that hangs on no variable, within what is asked of several of them or within the set of one that hangs on others.
    fn case_of(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        facts: &mut Facts,
    ) -> Option<Expr> {
        let locals: Vec<LocalId> = levels.iter().map(|it| it.local).collect();
        let mut parts = Vec::new();
        conds.iter().for_each(|it| conjuncts(it.expr, &mut parts));
        let hangs_on = |it: &Expr| {
            let on = locals.iter().filter(|local| mentions(it, &[**local]));
            on.count()
        };
        parts.retain(|it| hangs_on(it) > 1);
        let sets = levels.iter().filter_map(|it| it.over.as_set());
        parts.extend(sets.filter(|it| hangs_on(it) > 0));
        parts
            .into_iter()
            .find_map(|it| self.case_in(it, &mut locals.clone(), facts))
    }

    fn case_in(
        &mut self,
        expr: &Expr,
        bound: &mut Vec<LocalId>,
        facts: &mut Facts,
    ) -> Option<Expr> {
        if matches!(
            expr.kind,
            ExprKind::After(..) | ExprKind::Can(..) | ExprKind::Call(..)
        ) {
            return None;
        }
        if expr.ty == Type::BOOL && !mentions(expr, bound) {
            let is_open = self.shared.reads_state(expr) && self.sure(expr, facts);
            return is_open.then(|| expr.clone());
        }
        let (before, mut parts) = (bound.len(), Vec::new());
        parts_of_expr(expr, &mut |node| match node {
            Node::Expr(part) => parts.push(part),
            Node::Binds(local) => bound.push(local),
            Node::Stmt(_) => {}
        });
        let found = parts
            .into_iter()
            .find_map(|it| self.case_in(it, bound, facts));
        bound.truncate(before);
        found
    }

    /// Writes a nest with the answer in place of a question.
    fn nest_where(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
        asked: &Expr,
        holds: bool,
    ) {
        self.nest_said(levels, conds, sink, |it, expr| {
            let mut expr = expr.clone();
            if it.shared.answer(&mut expr, asked, holds) {
                it.shared.expand(&mut expr);
            }
            expr
        });
    }

    /// Runs a nest in which of a union only one part is meant, as `y in S(x) + T(x)` where `y in T(x)`: `y in T(x)`.
    pub(super) fn nest_of_part(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) -> bool {
        if self.goes_as_written(levels) {
            return false;
        }
        let mut facts = self.facts.clone();
        for (at, level) in levels.iter().enumerate() {
            for cond in conds.iter().filter(|it| it.written == at) {
                self.learn(cond.expr, true, &mut facts);
            }
            let is_union = |it: &Expr| matches!(it.kind, ExprKind::Binary(BinaryOp::Union, ..));
            if level.over.as_set().is_some_and(is_union) && self.over_sure(level.over, &mut facts) {
                let mut known = facts.clone();
                self.learn_binder(level.local, level.over, &mut known);
                let mut own = conds.iter().enumerate();
                let own = own.by_ref().find(|(_, it)| it.written == at + 1);
                let part = own.and_then(|(of, cond)| {
                    let (one, set) = cond.expr.operands_of(BinaryOp::In)?;
                    let is_part = is_local(one, level.local) && has_part(level.over.as_set()?, set);
                    is_part.then(|| (of, Over::Set(set.clone())))
                });
                if let Some((of, over)) = part {
                    let levels = with_over(levels, at, &over);
                    let mut conds = conds.to_vec();
                    conds.remove(of);
                    self.nest(&levels, &conds, sink);
                    return true;
                }
            }
            self.learn_binder(level.local, level.over, &mut facts);
        }
        false
    }
}

/// The levels, one of which runs over something else.
fn with_over<'e>(levels: &[Level<'e>], at: usize, over: &'e Over) -> Vec<Level<'e>> {
    let mut levels = levels.to_vec();
    if let Some(level) = levels.get_mut(at) {
        level.over = over;
    }
    levels
}

/// Whether a set is one of those that are joined in another.
fn has_part(whole: &Expr, part: &Expr) -> bool {
    match &whole.kind {
        ExprKind::Binary(BinaryOp::Union, left, right) => {
            has_part(left, part) || has_part(right, part)
        }
        _ => alike(whole, part),
    }
}

impl Shared<'_> {
    /// Writes the answer to a question wherever it is asked, and says whether it is asked anywhere.
    fn answer(&mut self, expr: &mut Expr, asked: &Expr, holds: bool) -> bool {
        if matches!(expr.kind, ExprKind::After(..) | ExprKind::Can(..)) {
            return false;
        }
        if let Some(is_so) = is_asked(expr, asked) {
            expr.kind = ExprKind::Value(i64::from(is_so == holds));
            return true;
        }
        let mut found = false;
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                found |= self.answer(part, asked, holds);
            }
        });
        if !found {
            return false;
        }
        let whole = std::mem::replace(&mut expr.kind, ExprKind::Value(0));
        *expr = decided(expr.with_kind(whole));
        match &mut expr.kind {
            // What stands before is still asked where it may fault.
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), before, known) => {
                let decides = i64::from(*op == BinaryOp::Or);
                if known.as_value() == Some(decides) && self.surely(before) {
                    expr.kind = ExprKind::Value(decides);
                }
            }
            ExprKind::Aggregate(aggregate) => {
                for binder in &mut aggregate.binders {
                    binder.guard.take_if(|it| it.as_value() == Some(1));
                }
            }
            _ => {}
        }
        true
    }
}

/// Whether an expression asks the same, or the opposite.
fn is_asked(expr: &Expr, asked: &Expr) -> Option<bool> {
    if expr.ty != Type::BOOL {
        return None;
    }
    if alike(expr, asked) {
        return Some(true);
    }
    let (ExprKind::Aggregate(one), ExprKind::Aggregate(other)) = (&expr.kind, &asked.kind) else {
        return None;
    };
    let turned = match one.op {
        AggregateOp::Some => AggregateOp::No,
        AggregateOp::No => AggregateOp::Some,
        _ => return None,
    };
    let mut opposite = (**one).clone();
    opposite.op = turned;
    let is_opposite = other.op == turned && alike(&expr.with_kind(opposite), asked);
    is_opposite.then_some(false)
}

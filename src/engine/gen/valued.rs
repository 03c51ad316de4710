//! Conditions that ask for what lies at an element, for each that may lie there.

use std::collections::HashMap;

use super::grown::Laid;
use super::inline::{size_of, substitute};
use super::mask::{Plan, conjuncts, is_local};
use super::question::Question;
use super::structure::same;
use super::tried::Board;
use super::unroll::{MOST_NUMBERS, joined, not};
use super::{Gen, Shared};
use crate::model::{
    BinaryOp, DomainId, Expr, ExprKind, LocalId, NONE, Node, NodeMut, Place, Type, UnaryOp, change,
    each_in_expr,
};

impl Gen<'_, '_> {
    /// A condition that asks for what lies at x, or for a track at x, for each that may be there.
    pub(super) fn by_value(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        let of = value_at(cond, x)?;
        let mut parts = Vec::new();
        for value in self.shared.values_of(&of, size_of(cond))? {
            let mut part = cond.clone();
            self.shared.rename(&mut part);
            put_value(&mut part, &of, &value);
            // Within `after` it has another value.
            if value_at(&part, x).is_some_and(|it| same(&it, &of)) {
                return None;
            }
            let mut row = part.clone();
            self.shared.say(&mut row, Shared::row_as_walks);
            // What is asked of each may be a row now.
            let plan = [row, part].into_iter().find_map(|it| {
                let asked = is_value(&of, &value).and(it);
                Some((self.plan(&asked, x, domain)?, asked))
            });
            let (plan, part) = plan?;
            parts.push((part, plan));
        }
        Some(Plan::Any(parts))
    }
}

impl Shared<'_> {
    /// The values that something may have, if they are few enough to write so many nodes for each.
    fn values_of(&mut self, of: &Expr, nodes: usize) -> Option<Vec<Expr>> {
        let (lo, n) = self.values(of.ty)?;
        let n = usize::try_from(n).ok().filter(|n| *n <= MOST_NUMBERS + 1)?;
        self.said = self.said.checked_sub(nodes.saturating_mul(n))?;
        let absent = of.ty.optional.then_some(NONE);
        let there = (lo..).take(n - usize::from(absent.is_some()));
        Some(there.chain(absent).map(|it| value_of(of, it)).collect())
    }

    /// A question that compares what lies at two places, `board[a].side != board[b].side`, for each that may lie at one of
    /// them: so each part asks for one place only.
    pub(super) fn questions_by_value(
        &mut self,
        question: &Question,
        laid: &Laid,
    ) -> Option<Vec<Question>> {
        let of = self.compared_at(question, laid)?;
        let nodes = question.conds.iter().map(size_of).sum();
        let mut questions = Vec::new();
        for value in self.values_of(&of, nodes)? {
            let mut conds = Vec::new();
            let mut is_open = true;
            for cond in &question.conds {
                let mut put = cond.clone();
                put_value(&mut put, &of, &value);
                let is_put = !same(&put, cond);
                self.known_fields(&mut put);
                is_open &= !(is_put && self.always(&not(put.clone())));
                if !(is_put && self.always(&put)) {
                    conds.push(put);
                }
            }
            if !is_open {
                continue;
            }
            conds.push(is_value(&of, &value));
            let mut conds = self.given_apart(conds);
            conds.iter_mut().for_each(|it| self.known_fields(it));
            for cond in &conds {
                if self.reads_laid(cond, laid) {
                    self.gain(cond, laid)?;
                }
            }
            let binders = question.binders.clone();
            let of_value = Question { binders, conds };
            if !questions.iter().any(|it| self.is_turned(it, &of_value)) {
                questions.push(of_value);
            }
        }
        (!questions.is_empty()).then_some(questions)
    }

    /// Whether a question is found wherever another one is, with its two variables the other way round.
    fn is_turned(&mut self, one: &Question, other: &Question) -> bool {
        let [a, b] = one.binders.as_slice() else {
            return false;
        };
        let [of_a, of_b] = [a, b].map(|it| {
            self.local(
                it.local,
                other.conds.first().map(|it| it.span).unwrap_or_default(),
            )
        });
        if of_a.ty != of_b.ty {
            return false;
        }
        let by = HashMap::from([(a.local, of_b), (b.local, of_a)]);
        let turned = |it: &Expr| {
            let mut it = it.clone();
            substitute(&mut it, &by);
            it
        };
        let [mut asked, mut known] = [one, other].map(|question| {
            let within = question
                .binders
                .iter()
                .filter_map(|it| self.is_within_set(it));
            let all: Vec<Expr> = question.conds.iter().cloned().chain(within).collect();
            all
        });
        asked.retain(|it| !known.iter().any(|other| same(other, &turned(it))));
        known.retain(|it| !self.reads_state(it));
        // What is left hangs on no position.
        let all = |it: Vec<Expr>| {
            let all = it.into_iter();
            all.reduce(Expr::and)
        };
        match (all(asked), all(known)) {
            (None, _) => true,
            (Some(asked), Some(known)) => {
                let turned = turned(&asked);
                self.always(&not(known).or(turned))
            }
            _ => false,
        }
    }

    /// What lies at one of the places of which too much is asked at once.
    fn compared_at(&mut self, question: &Question, laid: &Laid) -> Option<Expr> {
        let of_board = |it: &Expr| Board::read_by(it).is_some_and(|(board, _)| board == laid.board);
        question.conds.iter().find_map(|cond| {
            if !self.reads_laid(cond, laid) || self.gain(cond, laid).is_some() {
                return None;
            }
            let mut binders = question.binders.iter();
            binders.find_map(|it| value_at(cond, it.local).filter(of_board))
        })
    }

    /// Conditions with components in place of fields that give them.
    pub(super) fn given_apart(&mut self, conds: Vec<Expr>) -> Vec<Expr> {
        let times = conds.len();
        let all = conds.into_iter();
        let Some(mut all) = all.reduce(Expr::and) else {
            return Vec::new();
        };
        (0..times).for_each(|_| self.say(&mut all, Self::all_given));
        let mut parts = Vec::new();
        conjuncts(&all, &mut parts);
        parts.into_iter().cloned().collect()
    }

    /// Writes components and fields of components that are known.
    fn known_fields(&mut self, expr: &mut Expr) {
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.known_fields(part);
            }
        });
        if matches!(expr.kind, ExprKind::Field(..) | ExprKind::Make(..))
            && let Some(value) = self.known(expr)
        {
            expr.kind = ExprKind::Value(value);
        }
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

/// One of the values that something may have.
fn value_of(of: &Expr, value: i64) -> Expr {
    Expr {
        kind: ExprKind::Value(value),
        ty: Type {
            optional: value == NONE,
            ..of.ty
        },
        span: of.span,
    }
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
    of.with_kind(ExprKind::Component(place.clone()))
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
    let filled = Expr::truth(ExprKind::Filled(place), expr.span);
    *expr = match op {
        BinaryOp::Eq => Expr::truth(ExprKind::unary(UnaryOp::Not, filled), expr.span),
        _ => filled,
    };
}

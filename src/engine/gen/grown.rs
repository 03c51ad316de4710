//! `after { board[q] = Man(s) } some { … }`: what holds when something has come to lie at an empty place, said of what
//! lies there before. A question that only gets truer by that holds if it holds before, or by the new place.

use super::Shared;
use super::bags::over_mentions;
use super::flood::asked_of;
use super::inline::{mentions, substitute};
use super::mask::is_local;
use super::question::Question;
use super::related::some;
use super::steps;
use super::structure::same;
use super::tried::Board;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Node, Over, Place,
    Type, UnaryOp, ZoneId, each_in_expr,
};
use std::collections::HashMap;

/// Most parts of one question that the new place may be asked for.
const MOST_PARTS: usize = 8;

/// Something that comes to lie at an empty place.
pub(super) struct Laid {
    pub board: Board,
    /// The place, a name.
    pub at: Expr,
    pub kind: Expr,
    /// Where it lies before.
    pub from: Option<Place>,
}

/// How a condition gets true that does not hold before: where that place is meant, and what else is asked.
pub(super) struct Gain {
    hit: Expr,
    also: Option<Expr>,
}

impl Shared<'_> {
    /// What a condition is behind that, said of the position before.
    pub(super) fn before(&mut self, cond: &Expr, laid: &Laid) -> Option<Expr> {
        if !self.reads_laid(cond, laid) {
            return Some(cond.clone());
        }
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, part) => Some(not(self.before(part, laid)?)),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => Some(joined(
                *op,
                self.before(left, laid)?,
                self.before(right, laid)?,
            )),
            ExprKind::Binary(BinaryOp::Ne, left, right) => {
                let equal = joined(BinaryOp::Eq, (**left).clone(), (**right).clone());
                Some(not(self.before(&equal, laid)?))
            }
            ExprKind::Binary(BinaryOp::Lt | BinaryOp::Le, ..) => {
                let more = not(cond.clone());
                let is_turned = matches!(more.kind, ExprKind::Binary(..));
                Some(not(is_turned.then(|| self.before(&more, laid))??))
            }
            ExprKind::Aggregate(aggregate) => self.found_before(aggregate, laid),
            _ => {
                let gain = self.gain(cond, laid)?;
                Some(self.with_gain(cond, gain, None))
            }
        }
    }

    /// `some { … }`: it is found before, or one of the places that it asks for is the new one.
    fn found_before(&mut self, aggregate: &Aggregate, laid: &Laid) -> Option<Expr> {
        let is_asked = matches!(
            (aggregate.op, &aggregate.value),
            (AggregateOp::Some | AggregateOp::No, None) | (AggregateOp::Every, Some(_))
        );
        let mut binders = aggregate.binders.clone();
        binders.last_mut().filter(|_| is_asked)?.guard = asked_of(aggregate);
        let found = some(binders.clone());
        let mut question = Question::of(binders);
        for binder in &mut question.binders {
            if let Over::Set(set) = &mut binder.over {
                named(set);
            }
        }
        question.open();
        question.open_sets(self);
        let line = self.line_through(&question, laid);
        if line.is_none() {
            open_questions(&mut question);
            question.conds = self.given_apart(question.conds);
        }
        for binder in &question.binders {
            match &binder.over {
                Over::Set(set) if !self.reads_laid(set, laid) => {}
                _ => return None,
            }
        }
        let mut holds = found;
        match line {
            Some(line) => holds = holds.or(line),
            None => match self.questions_by_value(&question, laid) {
                Some(questions) => {
                    let mut all = Vec::new();
                    for question in &questions {
                        let conds = question.conds.clone();
                        all.push(self.some_of(question.binders.clone(), conds)?);
                        all.extend(self.cases_of_gain(question, laid)?);
                    }
                    let all = all.into_iter();
                    holds = all.reduce(Expr::or)?;
                }
                None => {
                    for case in self.cases_of_gain(&question, laid)? {
                        holds = holds.or(case);
                    }
                }
            },
        }
        Some(match aggregate.op {
            AggregateOp::Some => holds,
            _ => not(holds),
        })
    }

    /// For each part that may get true by the new place: what the others ask then.
    fn cases_of_gain(&mut self, question: &Question, laid: &Laid) -> Option<Vec<Expr>> {
        let (grow, rest): (Vec<Expr>, Vec<Expr>) = question
            .conds
            .iter()
            .cloned()
            .partition(|it| self.reads_laid(it, laid));
        if grow.len() > MOST_PARTS {
            return None;
        }
        let mut cases = Vec::new();
        for (which, part) in grow.iter().enumerate() {
            let gain = self.gain(part, laid)?;
            if gain.also.iter().any(|it| self.always(&not(it.clone()))) {
                continue;
            }
            let (mut binders, mut conds) = (question.binders.clone(), Vec::new());
            let mut by = HashMap::new();
            match self.place_that_is(&gain.hit, laid, &binders) {
                Some((local, place)) => {
                    let at = binders.iter().position(|it| it.local == local)?;
                    let binder = binders.remove(at);
                    // What another one runs over must not hang on itself.
                    let others: Vec<LocalId> = binders.iter().map(|it| it.local).collect();
                    if mentions(&place, &others)
                        && binders.iter().any(|it| over_mentions(&it.over, &[local]))
                    {
                        return None;
                    }
                    for other in &mut binders {
                        let Over::Set(set) = &mut other.over else {
                            return None;
                        };
                        substitute(set, &HashMap::from([(local, place.clone())]));
                        self.rename(set);
                    }
                    let is_any = matches!(&binder.over, Over::Set(set) if matches!(set.kind, ExprKind::All(_)));
                    let is_asked = |it: &Expr| {
                        let mut asked = it.clone();
                        substitute(&mut asked, &HashMap::from([(local, place.clone())]));
                        let at = self.asked_at(&asked, laid);
                        at.is_some_and(|(at, _)| leads_from(&at, &place))
                    };
                    // What is asked of a place that is not there is not so.
                    let others = grow.iter().enumerate().filter(|it| it.0 != which);
                    let is_there = rest.is_empty() && is_any && others.map(|it| it.1).any(is_asked);
                    if place.ty.optional && !is_there {
                        conds.push(place.clone().is_there());
                    }
                    if let Over::Set(set) = binder.over
                        && !is_any
                    {
                        conds.push(joined(BinaryOp::In, place.clone(), set));
                    }
                    by.insert(local, place);
                }
                None => conds.push(gain.hit),
            }
            let first = conds.iter().cloned();
            let first = first.reduce(Expr::and);
            let put = |cond: &Expr| {
                let mut cond = cond.clone();
                substitute(&mut cond, &by);
                cond
            };
            // What no position changes says that the others are not the new place, or that they are.
            let within = binders.iter().filter_map(|it| self.is_within_set(it));
            let known: Vec<Expr> = rest.iter().map(put).chain(within).collect();
            let known = known.into_iter().filter(|it| !self.reads_state(it));
            let known = first.into_iter().chain(known);
            let known = known.reduce(Expr::and);
            conds.extend(rest.iter().chain(&gain.also).map(put));
            for (_, part) in grow.iter().enumerate().filter(|it| it.0 != which) {
                let Gain { hit, also } = self.gain(part, laid)?;
                let gain = Gain {
                    hit: put(&hit),
                    also: also.as_ref().map(put),
                };
                conds.push(self.with_gain(&put(part), gain, known.as_ref()));
            }
            conds.iter_mut().for_each(|it| self.rename(it));
            cases.push(self.some_of(binders, conds)?);
        }
        Some(cases)
    }

    /// That a variable is one of those that it is taken from.
    pub(super) fn is_within_set(&self, binder: &Binder) -> Option<Expr> {
        let set = binder.over.as_set()?;
        let one = self.local(binder.local, set.span);
        let is_all = matches!(set.kind, ExprKind::All(_));
        (!is_all).then(|| joined(BinaryOp::In, one, set.clone()))
    }

    /// Whether there are values for which all conditions hold; of no variables, whether they hold.
    fn some_of(&mut self, mut binders: Vec<Binder>, conds: Vec<Expr>) -> Option<Expr> {
        let all = conds.into_iter();
        let all = all.reduce(Expr::and)?;
        let Some(last) = binders.last_mut() else {
            return Some(all);
        };
        last.guard = Some(all);
        let mut case = some(binders);
        self.rename(&mut case);
        Some(case)
    }

    /// A condition, or that it gets true; where that can be, if so much is known.
    fn with_gain(&mut self, cond: &Expr, gain: Gain, known: Option<&Expr>) -> Expr {
        let unless = |gained: &Expr| match known {
            Some(known) => not(known.clone()).or(not(gained.clone())),
            None => not(gained.clone()),
        };
        if self.always(&unless(&gain.hit)) {
            return cond.clone();
        }
        let gained = match gain.also {
            Some(also) if self.always(&unless(&also)) => return cond.clone(),
            Some(also) => gain.hit.and(also),
            None => gain.hit,
        };
        cond.clone().or(gained)
    }

    /// How a condition on one place, or a count of places, gets true.
    pub(super) fn gain(&mut self, cond: &Expr, laid: &Laid) -> Option<Gain> {
        if let ExprKind::Binary(op @ (BinaryOp::Ge | BinaryOp::Gt), counted, number) = &cond.kind {
            return self.gain_of_count(*op, counted, number, laid);
        }
        let (at, value) = self.asked_at(cond, laid)?;
        let is_it = value.as_ref().is_none_or(|it| same(it, &laid.kind));
        Some(Gain {
            hit: joined(BinaryOp::Eq, at, laid.at.clone()),
            also: match value {
                Some(value) if !is_it => {
                    Some(joined(BinaryOp::Eq, laid.kind.clone(), value.clone()))
                }
                _ => None,
            },
        })
    }

    /// Of `board[p] == e` and `filled board[p]`: which place, and what has to lie there.
    pub(super) fn asked_at(&self, cond: &Expr, laid: &Laid) -> Option<(Expr, Option<Expr>)> {
        let (read, value) = match &cond.kind {
            ExprKind::Binary(BinaryOp::In, one, set) => {
                return self.asked_at(&asked_of_member(one, set)?, laid);
            }
            ExprKind::Filled(_) => (cond, None),
            ExprKind::Binary(BinaryOp::Eq, left, right) => match Board::read_by(left) {
                Some(_) => (&**left, Some(&**right)),
                None => (&**right, Some(&**left)),
            },
            _ => return None,
        };
        let (board, at) = Board::read_by(read)?;
        let others = [Some(at), value].into_iter().flatten();
        let reads = others.fold(false, |found, it| found | self.reads_laid(it, laid));
        // Something that may be nothing is equal to what is not there.
        let is_there = value.is_none_or(|it| !it.ty.optional);
        (board == laid.board && !reads && is_there).then(|| (at.clone(), value.cloned()))
    }

    /// `count { t in T where filled board[t] } >= n`: the new place is one of them, and there are n - 1.
    fn gain_of_count(
        &mut self,
        op: BinaryOp,
        counted: &Expr,
        number: &Expr,
        laid: &Laid,
    ) -> Option<Gain> {
        let (aggregate, n) = (counted.as_aggregate()?, number.as_value()?);
        let one = aggregate.only_binder_of(AggregateOp::Count)?;
        let (set, guard) = (one.over.as_set()?, one.guard.as_ref()?);
        let (at, value) = self.asked_at(guard, laid)?;
        let is_it = value.is_none_or(|it| same(&it, &laid.kind));
        if !is_it || !is_local(&at, one.local) || self.reads_laid(set, laid) || number.ty.optional {
            return None;
        }
        let less = Expr {
            kind: ExprKind::Value(n.checked_sub(1)?),
            ty: Type::of(Base::Int(n - 1, n - 1)),
            span: number.span,
        };
        let mut fewer = joined(op, counted.clone(), less);
        self.rename(&mut fewer);
        let mut hit = joined(BinaryOp::In, laid.at.clone(), set.clone());
        self.rename(&mut hit);
        Some(Gain {
            hit,
            also: Some(fewer),
        })
    }

    /// `step(a, d) == q` as `a`, being `step(q, opposite(d))`.
    fn place_that_is(
        &mut self,
        hit: &Expr,
        laid: &Laid,
        binders: &[Binder],
    ) -> Option<(LocalId, Expr)> {
        let (one, _) = hit.operands_of(BinaryOp::Eq)?;
        let (mut one, mut place) = (one, laid.at.clone());
        loop {
            match &one.kind {
                ExprKind::Local(local) => {
                    let binder = binders.iter().find(|it| it.local == *local)?;
                    let is_own = self.local_type(*local).base == place.ty.base;
                    return is_own.then_some((binder.local, place));
                }
                ExprKind::Step { cell, way, count } => {
                    let (space, ways, n) = (
                        cell.ty.base.element_of()?,
                        way.ty.base.element_of()?,
                        count.as_value()?,
                    );
                    let back = way.with_kind(ExprKind::Unary(UnaryOp::Opposite, way.clone()));
                    let fits = place.ty.base == cell.ty.base && !way.ty.optional;
                    if !fits || n < 1 || !self.comes_back(space, ways) {
                        return None;
                    }
                    place = steps::step(&place, &back, n, one.span);
                    one = cell;
                }
                _ => return None,
            }
        }
    }

    /// Whether an expression reads that board, where the thing lies before, or what cannot be looked through.
    pub(super) fn reads_laid(&self, expr: &Expr, laid: &Laid) -> bool {
        let from = laid.from.as_ref().map(|it| Board::Zone(it.zone));
        self.reads_boards(expr, [laid.board, from.unwrap_or(laid.board)])
    }

    /// Whether an expression reads one of these, or what cannot be looked through.
    pub(super) fn reads_boards(&self, expr: &Expr, boards: [Board; 2]) -> bool {
        let mut reads = self.node_reads(expr, boards);
        each_in_expr(expr, &mut |node| match node {
            Node::Expr(expr) => reads |= self.node_reads(expr, boards),
            Node::Stmt(_) => reads = true,
            Node::Binds(_) => {}
        });
        reads
    }

    /// Whether an expression does so by itself.
    pub(super) fn node_reads(&self, expr: &Expr, boards: [Board; 2]) -> bool {
        let is_read = |zone: ZoneId| boards.contains(&Board::Zone(zone));
        match &expr.kind {
            ExprKind::Track(track, _) => boards.contains(&Board::Track(*track)),
            ExprKind::After(..)
            | ExprKind::Can(..)
            | ExprKind::Repeated
            | ExprKind::Touching(_)
            | ExprKind::Loose(_)
            | ExprKind::PartsAt(..)
            | ExprKind::PartAtPort(..) => true,
            ExprKind::Call(..) => self.node_reads_state(expr),
            ExprKind::Frontier(zone) | ExprKind::Laid(zone) => is_read(*zone),
            ExprKind::Aggregate(aggregate) => aggregate
                .binders
                .iter()
                .any(|it| matches!(&it.over, Over::Zone(place) if is_read(place.zone))),
            kind => kind.place().is_some_and(|it| is_read(it.zone)),
        }
    }
}

/// Puts what has a name in its place.
fn named(set: &mut Expr) {
    while let ExprKind::Let(local, value, body) = &set.kind {
        let mut whole = (**body).clone();
        substitute(&mut whole, &HashMap::from([(*local, (**value).clone())]));
        *set = whole;
    }
}

/// `some { … where some { … } }` as one question.
fn open_questions(question: &mut Question) {
    for _ in 0..MOST_PARTS {
        let inner = question.conds.iter().position(|it| {
            matches!(&it.kind, ExprKind::Aggregate(it) if it.op == AggregateOp::Some && it.value.is_none())
        });
        let Some(at) = inner else { return };
        if let ExprKind::Aggregate(inner) = question.conds.remove(at).kind {
            question.binders.extend(inner.binders);
            question.open();
        }
    }
}

/// Whether a place is so many steps from another one.
fn leads_from(place: &Expr, from: &Expr) -> bool {
    match &place.kind {
        _ if same(place, from) => true,
        ExprKind::Step { cell, .. } => leads_from(cell, from),
        _ => false,
    }
}

/// `e in { x in Cell where P(x) }` is `P(e)`.
pub(super) fn asked_of_member(one: &Expr, set: &Expr) -> Option<Expr> {
    let aggregate = set.as_aggregate()?;
    let ([binder], AggregateOp::Collect, None) =
        (&*aggregate.binders, aggregate.op, &aggregate.value)
    else {
        return None;
    };
    let is_all = matches!(&binder.over, Over::Set(all) if matches!(all.kind, ExprKind::All(_)));
    let mut asked = binder.guard.clone().filter(|_| is_all)?;
    substitute(&mut asked, &HashMap::from([(binder.local, one.clone())]));
    Some(asked)
}

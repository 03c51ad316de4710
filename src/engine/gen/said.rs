//! Conditions in other words, where these can be asked of all elements at once.

use super::bags::over_mentions;
use std::collections::HashMap;

use super::coordinates::led_in_cases;
use super::flood::asked_of;
use super::inline::{mentions, size_of, substitute};
use super::mask::{Plan, conjuncts};
use super::question::Question;
use super::related::{some, with};
use super::structure::same;
use super::through::is_nowhere;
use super::unroll::{cases_of, joined, not};
use super::{Gen, Shared};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Over, Type,
    UnaryOp,
};

/// Most times that a condition is said in other words of other words.
const MOST_SAID: u8 = 16;
/// Most places of which each is asked by itself.
const MOST_LISTED: usize = 4;

impl Gen<'_, '_> {
    /// A condition in other words.
    pub(super) fn in_other_words(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        if self.shared.saying >= MOST_SAID {
            return None;
        }
        self.shared.saying += 1;
        let ways = [
            Self::asked_from_the_end,
            Self::among_values,
            Self::solved,
            Self::taken_apart,
            Self::way_by_way,
            Self::of_listed,
        ];
        let plan = self.by_value(cond, x, domain).or_else(|| {
            ways.into_iter().find_map(|way| {
                let said = way(self, cond, x)?;
                self.said_so(said, x, domain)
            })
        });
        self.shared.saying -= 1;
        plan
    }

    fn said_so(&mut self, said: Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        self.shared.said = self.shared.said.checked_sub(size_of(&said))?;
        let plan = self.plan(&said, x, domain)?;
        Some(Plan::Said(Box::new((said, plan))))
    }

    /// `e in { v for q in S }` is `some { q in S where v == e }`.
    fn among_values(&mut self, cond: &Expr, _: LocalId) -> Option<Expr> {
        let (one, set) = cond.operands_of(BinaryOp::In)?;
        let of = set.as_aggregate()?;
        let value = of.value.as_ref()?;
        if of.op != AggregateOp::Collect || one.ty.optional && value.ty.optional {
            return None;
        }
        let mut binders = of.binders.clone();
        let last = binders.pop()?;
        let is = joined(BinaryOp::Eq, value.clone(), one.clone());
        binders.push(with(last, is));
        Some(some(binders))
    }

    /// `some { t in T where A(t) or B(t) }` is `some { t in T where A(t) } or some { t in T where B(t) }`, also of `if C(t) then A(t) else B(t)`.
    fn taken_apart(&mut self, cond: &Expr, x: LocalId) -> Option<Expr> {
        let (question, _, asks) = self.question_of(cond, x)?;
        let (at, parts) = question
            .conds
            .iter()
            .enumerate()
            .find_map(|(at, it)| Some((at, cases_apart(it)?)))?;
        let parts = parts.into_iter().map(|part| {
            let mut conds = question.conds.clone();
            conds.splice(at..=at, [part]);
            let mut binders = question.binders.clone();
            // A question that is asked last asks of one more variable.
            if let Some(of) = conds.last().and_then(Expr::as_aggregate)
                && of.op == AggregateOp::Some
                && of.value.is_none()
            {
                let inner = of.binders.clone();
                conds.pop();
                let all = conds.into_iter().reduce(Expr::and);
                binders.last_mut()?.guard = all;
                binders.extend(inner);
            } else {
                let all = conds.into_iter().reduce(Expr::and);
                binders.last_mut()?.guard = all;
            }
            let mut part = some(binders);
            self.shared.rename(&mut part);
            Some(part)
        });
        let said = parts.collect::<Option<Vec<_>>>()?.into_iter();
        let said = said.reduce(Expr::or)?;
        Some(if asks { said } else { not(said) })
    }

    /// `some { t in around(q) where P(t, q) }` is `some { d in Direction where some step(q, d) and P(step(q, d), q) }`.
    fn way_by_way(&mut self, cond: &Expr, x: LocalId) -> Option<Expr> {
        let (mut question, _, asks) = self.question_of(cond, x)?;
        let said = question.binders.iter_mut().find_map(|it| {
            let (binder, step) = self.shared.by_way(it)?;
            let near = std::mem::replace(it, binder);
            Some((near.local, step))
        });
        let (local, step) = said?;
        // A step may lead nowhere, where nothing can be said to lie and no number is.
        let speaks =
            |it: &Binder| !matches!(it.over, Over::Set(_)) && over_mentions(&it.over, &[local]);
        if question.binders.iter().any(speaks) {
            return None;
        }
        let there = Expr::truth(ExprKind::unary(UnaryOp::IsSome, step.clone()), cond.span);
        let by = HashMap::from([(local, step)]);
        let sets = question
            .binders
            .iter_mut()
            .filter_map(|it| match &mut it.over {
                Over::Set(set) => Some(set),
                _ => None,
            });
        sets.chain(&mut question.conds)
            .for_each(|it| substitute(it, &by));
        let conds = question.conds.into_iter();
        let all = conds.fold(there, Expr::and);
        let last = question.binders.pop()?;
        question.binders.push(with(last, all));
        let said = some(question.binders);
        Some(if asks { said } else { not(said) })
    }

    /// `some { q in { a, b } where P(q) }` is `P(a) or P(b)`.
    fn of_listed(&mut self, cond: &Expr, x: LocalId) -> Option<Expr> {
        let (question, _, asks) = self.question_of(cond, x)?;
        let listed = |it: &Binder| match &it.over {
            Over::Set(Expr {
                kind: ExprKind::SetOf(items),
                ..
            }) if (1..=MOST_LISTED).contains(&items.len()) => Some(items.clone()),
            _ => None,
        };
        let mut binders = question.binders.iter().enumerate();
        let (at, items) = binders.find_map(|(at, it)| Some((at, listed(it)?)))?;
        let parts = items.into_iter().map(|item| {
            let (mut binders, mut conds) = (question.binders.clone(), question.conds.clone());
            let by = HashMap::from([(binders.remove(at).local, item.clone())]);
            for binder in &mut binders {
                match &mut binder.over {
                    Over::Set(set) => substitute(set, &by),
                    _ => return None,
                }
            }
            conds.iter_mut().for_each(|it| substitute(it, &by));
            if item.ty.optional {
                conds.insert(0, item.is_there());
            }
            let said = Question { binders, conds };
            let mut said = said.in_order()?;
            self.shared.rename(&mut said);
            Some(said)
        });
        let parts = parts.collect::<Option<Vec<_>>>()?.into_iter();
        let said = parts.reduce(Expr::or)?;
        Some(if asks { said } else { not(said) })
    }

    /// A question in fewer variables, where one of them follows from the others.
    fn solved(&mut self, cond: &Expr, x: LocalId) -> Option<Expr> {
        let (mut question, one, asks) = self.question_of(cond, x)?;
        // What is reached is asked from its end.
        let is_reached = |it: &Binder| matches!(&it.over, Over::Set(set) if matches!(set.kind, ExprKind::Reach { .. }));
        if question.binders.iter().any(is_reached) {
            return None;
        }
        question.without_no(self.shared, x);
        let parts = |it: &Question| (it.binders.len(), it.conds.len());
        let before = parts(&question);
        question.only_one(self.shared, &one, x);
        let is_opened = parts(&question) != before;
        if !(question.solve(&mut []) || is_opened && question.relates(self.shared, x)) {
            return None;
        }
        question.without_members(self.shared);
        let said = question.in_order()?;
        Some(if asks { said } else { not(said) })
    }

    /// `some { d in D where P(f(x, d)) and Q(x, d) }` is `some { y in { f(x, d) for d in D where Q(x, d) } where P(y) }`.
    pub(super) fn image_plan(
        &mut self,
        cond: &Expr,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        if aggregate
            .binders
            .iter()
            .any(|it| matches!(it.over, Over::Zone(_)))
        {
            return None;
        }
        let (question, _, asks) = self.question_of(cond, x)?;
        let own = question.locals();
        let mut conds = question.conds.into_iter();
        let (mut kept, mut asked) = (Vec::new(), None);
        for cond in &mut conds {
            if self.shared.reads_state(&cond) && led_in_cases(&cond, &[&[x], &own]).is_some() {
                asked = Some(cond);
                break;
            }
            kept.push(cond);
        }
        // In each case the same is asked of a place.
        let mut cases = Vec::new();
        cases_of(asked.as_ref()?, &mut cases);
        let alone = cases.len() == 1;
        let of_place: Vec<Expr> = conds.collect();
        let variables: [&[LocalId]; 2] = [&[x], &own];
        let first = cases.iter().find_map(|it| led_in_cases(it, &variables))?;
        let over = first.ty.base.element_of()?;
        let ty = Type::of(first.ty.base);
        let y = self.shared.new_local(ty);
        let (mut asked, mut steps) = (None, Vec::new());
        for case in cases {
            let (before, step, of_it) = self.led_in(case, &variables, (y, ty))?;
            if asked.as_ref().is_some_and(|it| !same(it, &of_it)) {
                return None;
            }
            asked = Some(of_it);
            steps.push((before, step));
        }
        let mut asked = asked?;
        for cond in of_place {
            let mut of_it = cond.clone();
            if alone {
                self.shared.put_alike(&mut of_it, &first, y, ty);
            }
            match mentions(&of_it, &[y]) {
                true => asked = asked.and(of_it),
                false => kept.push(cond),
            }
        }
        let bound: Vec<LocalId> = own.iter().copied().chain([x]).collect();
        if mentions(&asked, &bound) || !self.shared.surely(cond) {
            return None;
        }
        let leads_there = |it: &mut Self, (before, step): &(Vec<Expr>, Expr)| {
            let conds = kept.iter().chain(before).cloned();
            it.shared
                .leads_always(&question.binders, conds.collect(), step)
        };
        if !is_nowhere(&asked, y) && !steps.iter().all(|it| leads_there(self, it)) {
            return None;
        }
        let targets = steps.into_iter().map(|(before, step)| {
            let mut binders = question.binders.clone();
            let there = step.ty.optional.then(|| step.clone().is_there());
            let conds = kept.iter().cloned().chain(before).chain(there);
            if let Some(last) = binders.last_mut() {
                last.guard = conds.reduce(Expr::and);
            }
            let mut targets = Expr::set(
                Aggregate::over(AggregateOp::Collect, binders).of(step),
                over,
                cond.span,
            );
            self.shared.rename(&mut targets);
            targets
        });
        let targets = targets.reduce(Expr::union)?;
        let said = some(vec![Binder::over(y, targets).guarded(asked)]);
        let related = said.as_aggregate()?;
        let plan = self.related_plan(related, x, domain)?;
        let plan = Plan::Any(vec![(said, plan)]);
        Some(if asks {
            plan
        } else {
            Plan::Not(Box::new(plan))
        })
    }

    /// What a case asks before it speaks of the place to which it leads, the place, and what is asked of that.
    fn led_in(
        &self,
        case: &Expr,
        variables: &[&[LocalId]],
        (y, ty): (LocalId, Type),
    ) -> Option<(Vec<Expr>, Expr, Expr)> {
        let mut parts = Vec::new();
        conjuncts(case, &mut parts);
        let (mut kept, mut place, mut asked) = (Vec::new(), None, None::<Expr>);
        for part in parts {
            if place.is_none() && self.shared.reads_state(part) {
                place = led_in_cases(part, variables);
            }
            let mut of_it = part.clone();
            if let Some(place) = &place {
                self.shared.put_alike(&mut of_it, place, y, ty);
            }
            if !mentions(&of_it, &[y]) {
                kept.push(of_it);
                continue;
            }
            asked = Some(match asked {
                Some(asked) => asked.and(of_it),
                None => of_it,
            });
        }
        let place = place.filter(|it| it.ty.base == ty.base)?;
        Some((kept, place, asked?))
    }

    /// What is asked for some combination of variables, the element, and whether there should be one.
    fn question_of(&self, cond: &Expr, x: LocalId) -> Option<(Question, Expr, bool)> {
        let aggregate = cond.as_aggregate()?;
        let asked = asked_of(aggregate)?;
        let mut binders = aggregate.binders.clone();
        binders.last_mut()?.guard = Some(asked);
        let mut question = Question::of(binders);
        question.open();
        let one = self.shared.local(x, cond.span);
        Some((question, one, aggregate.op == AggregateOp::Some))
    }
}

impl Question {
    /// Whether what is asked of an element and of variables is the same in every position.
    fn relates(&self, shared: &Shared<'_>, x: LocalId) -> bool {
        let own = self.locals();
        let is_led = |it: &Binder| matches!(&it.over, Over::Set(set) if !mentions(set, &[x]));
        let hangs = |it: &&Expr| mentions(it, &[x]) && mentions(it, &own);
        let mut asked = self.conds.iter().filter(hangs);
        self.binders.iter().all(is_led) && asked.all(|it| !shared.reads_state(it))
    }

    /// The question with each condition behind the last variable of which it asks; what asks of none stands before it.
    pub(super) fn in_order(mut self) -> Option<Expr> {
        let mut alone = Vec::new();
        for cond in self.conds {
            let last = self
                .binders
                .iter()
                .rposition(|it| mentions(&cond, &[it.local]));
            match last.and_then(|at| self.binders.get_mut(at)) {
                Some(binder) => *binder = with(binder.clone(), cond),
                None => alone.push(cond),
            }
        }
        let asked = (!self.binders.is_empty()).then(|| some(self.binders));
        let all = alone.into_iter().chain(asked);
        all.reduce(Expr::and)
    }

    /// `e in S` only asks whether there is such a place, where each that there is lies in S.
    fn without_members(&mut self, shared: &mut Shared<'_>) {
        let binders = &self.binders;
        for cond in &mut self.conds {
            let ExprKind::Binary(BinaryOp::In, one, set) = &cond.kind else {
                continue;
            };
            if !one.ty.optional || shared.reads_state(one) || shared.reads_state(set) {
                continue;
            }
            let there = cond.with_kind(ExprKind::Unary(UnaryOp::IsSome, one.clone()));
            let among = |binder: &Binder| {
                let of = shared.local(binder.local, cond.span);
                match &binder.over {
                    Over::Set(set) => Some(joined(BinaryOp::In, of, set.clone())),
                    Over::Span(..) | Over::Zone(_) => None,
                }
            };
            let own = binders.iter().filter(|it| mentions(one, &[it.local]));
            let Some(known) = own.map(among).collect::<Option<Vec<_>>>() else {
                continue;
            };
            let known = known.into_iter().chain([there.clone()]);
            let known = known.reduce(Expr::and);
            let holds = known.map(|it| not(it).or(cond.clone()));
            if holds.is_some_and(|it| shared.always(&it)) {
                *cond = there;
            }
        }
    }

    /// `no { d in D where t == e(d) and P(d) }` is `some { d in D where t == e(d) and not P(d) }`, where each `t` that is asked
    /// is `e(d)` for exactly one `d`.
    fn without_no(&mut self, shared: &mut Shared<'_>, x: LocalId) {
        for at in 0..self.conds.len() {
            let Some((binder, is, denied)) = self.conds.get(at).and_then(denied_of) else {
                continue;
            };
            let named = self.binders.iter().find(|it| {
                mentions(&is, &[it.local]) && mentions(&is, &[x]) && mentions(&is, &[binder.local])
            });
            let (Some(named), Over::Set(_)) = (named, &binder.over) else {
                continue;
            };
            let Over::Set(set) = &named.over else {
                continue;
            };
            let one = shared.local(named.local, is.span);
            let ways = Aggregate::over(AggregateOp::Count, vec![with(binder.clone(), is.clone())]);
            let number = |kind, n| Expr::new(kind, Type::of(Base::Int(0, n)), is.span);
            let ways = number(ExprKind::Aggregate(Box::new(ways)), i64::from(u16::MAX));
            let alone = joined(BinaryOp::Eq, ways, number(ExprKind::Value(1), 1));
            let outside = not(joined(BinaryOp::In, one, set.clone()));
            if !shared.always(&outside.or(alone)) {
                continue;
            }
            self.binders.push(binder);
            if let Some(cond) = self.conds.get_mut(at) {
                *cond = is;
            }
            self.conds.push(denied);
        }
    }
}

/// The cases in which a condition holds.
fn cases_apart(cond: &Expr) -> Option<Vec<Expr>> {
    let (cond, holds) = match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, cond) => (&**cond, false),
        _ => (cond, true),
    };
    let asked = |part: &Expr| {
        if holds {
            part.clone()
        } else {
            not(part.clone())
        }
    };
    match &cond.kind {
        ExprKind::Binary(BinaryOp::Or, left, right) if holds => {
            Some(vec![(**left).clone(), (**right).clone()])
        }
        ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right)
            if left.ty == Type::BOOL && right.ty == Type::BOOL =>
        {
            let is_alike = (*op == BinaryOp::Eq) == holds;
            let [one, other] = [left, right].map(|it| (**it).clone());
            let [like, unlike] = match is_alike {
                true => [other.clone(), not(other)],
                false => [not(other.clone()), other],
            };
            Some(vec![one.clone().and(like), not(one).and(unlike)])
        }
        ExprKind::If(which, then, other) => Some(vec![
            (**which).clone().and(asked(then)),
            not((**which).clone()).and(asked(other)),
        ]),
        _ => None,
    }
}

/// `no { d in D where t == e and P }`: the variable, `t == e`, and `not P`.
fn denied_of(cond: &Expr) -> Option<(Binder, Expr, Expr)> {
    let (aggregate, op) = match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => match &inner.kind {
            ExprKind::Aggregate(aggregate) => (aggregate, AggregateOp::Some),
            _ => return None,
        },
        ExprKind::Aggregate(aggregate) => (aggregate, AggregateOp::No),
        _ => return None,
    };
    let ([binder], true) = (aggregate.binders.as_slice(), aggregate.op == op) else {
        return None;
    };
    let guard = binder
        .guard
        .as_ref()
        .filter(|_| aggregate.value.is_none())?;
    let mut parts = Vec::new();
    conjuncts(guard, &mut parts);
    let is_said = |it: &&&Expr| {
        matches!(&it.kind, ExprKind::Binary(BinaryOp::Eq, left, right)
            if matches!(left.kind, ExprKind::Local(_)) || matches!(right.kind, ExprKind::Local(_)))
    };
    let is = *parts.iter().find(is_said)?;
    let rest = parts.iter().filter(|it| !std::ptr::eq(**it, is));
    let rest = rest.map(|it| (*it).clone());
    let rest = rest.reduce(Expr::and)?;
    let binder = binder.unguarded();
    Some((binder, is.clone(), not(rest)))
}

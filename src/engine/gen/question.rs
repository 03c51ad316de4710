//! Questions that are asked within others as one, and their variables without those that follow from the others.

use std::collections::HashMap;

use super::Shared;
use super::bags::over_mentions;
use super::inline::{SMALL_LOOKUP, mentions, size_of, substitute};
use super::mask::{conjuncts, is_local};
use super::related::{some, with};
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, Over, Type,
};

/// Most questions that are opened into one.
const MOST_OPENED: usize = 16;

/// One question for some combination of values: its variables, and what is asked of them.
pub(super) struct Question {
    pub binders: Vec<Binder>,
    pub conds: Vec<Expr>,
}

/// Puts what is known of variables into what others run over.
fn put_into(binders: &mut [Binder], by: &HashMap<LocalId, Expr>) {
    for binder in binders {
        match &mut binder.over {
            Over::Set(set) => substitute(set, by),
            Over::Zone(place) => place.index.iter_mut().for_each(|it| substitute(it, by)),
            Over::Span(from, to) => {
                substitute(from, by);
                substitute(to, by);
            }
        }
    }
}

impl Question {
    /// A question whose conditions still stand with its variables.
    pub fn of(binders: Vec<Binder>) -> Self {
        let conds = Vec::new();
        Self { binders, conds }
    }

    /// Takes what is asked of the variables apart.
    pub fn open(&mut self) {
        for binder in &mut self.binders {
            if let Some(guard) = binder.guard.take() {
                let mut parts = Vec::new();
                conjuncts(&guard, &mut parts);
                self.conds.extend(parts.into_iter().cloned());
            }
        }
    }

    /// Its variable, if it has one only.
    pub fn only_binder(&self) -> Option<&Binder> {
        match self.binders.as_slice() {
            [binder] => Some(binder),
            _ => None,
        }
    }

    /// Makes one question of what is asked within it: `some { … }`, and `x in { e for … }`.
    pub fn only_one(&mut self, shared: &mut Shared<'_>, one: &Expr, x: LocalId) {
        for _ in 0..MOST_OPENED {
            let inner = self
                .conds
                .iter()
                .position(|it| mentions(it, &[x]) && is_inner(it, x));
            let Some(at) = inner else { break };
            let mut cond = self.conds.remove(at);
            shared.rename(&mut cond);
            let (aggregate, value) = match cond.kind {
                ExprKind::Aggregate(aggregate) => (aggregate, None),
                ExprKind::Binary(_, _, set) => {
                    let ExprKind::Aggregate(mut aggregate) = set.kind else {
                        return;
                    };
                    let last = aggregate.binders.last().map(|it| it.local);
                    let value = aggregate
                        .value
                        .take()
                        .or_else(|| last.map(|local| one.with_kind(ExprKind::Local(local))));
                    (aggregate, value)
                }
                _ => return,
            };
            self.binders.extend(aggregate.binders);
            self.open();
            if let Some(value) = value {
                self.conds.push(joined(BinaryOp::Eq, value, one.clone()));
            }
            self.name_it(one, x);
        }
        self.name_it(one, x);
    }

    /// `t in T where t == x` is `x in T`.
    fn name_it(&mut self, one: &Expr, x: LocalId) {
        let named = self.conds.iter().enumerate().find_map(|(at, cond)| {
            let ExprKind::Binary(BinaryOp::Eq, left, right) = &cond.kind else {
                return None;
            };
            let other = match (is_local(left, x), is_local(right, x)) {
                (true, false) => right,
                (false, true) => left,
                _ => return None,
            };
            let is_it = |it: &Binder| is_local(other, it.local) && matches!(it.over, Over::Set(_));
            Some((at, self.binders.iter().position(is_it)?))
        });
        let Some((cond, binder)) = named else { return };
        self.conds.remove(cond);
        let binder = self.binders.remove(binder);
        let by = HashMap::from([(binder.local, one.clone())]);
        if let Over::Set(set) = binder.over {
            self.conds.push(joined(BinaryOp::In, one.clone(), set));
        }
        put_into(&mut self.binders, &by);
        self.conds.iter_mut().for_each(|it| substitute(it, &by));
    }

    /// The same question of a variable that is known.
    pub fn known(
        &self,
        shared: &mut Shared<'_>,
        at: usize,
        value: i64,
        cond: &Expr,
    ) -> Option<Question> {
        let mut binders = self.binders.clone();
        let binder = binders.remove(at);
        let value = Expr {
            kind: ExprKind::Value(value),
            ty: shared.local_type(binder.local),
            span: cond.span,
        };
        let by = HashMap::from([(binder.local, value)]);
        let mut conds = self.conds.clone();
        conds.push(cond.clone());
        conds.iter_mut().for_each(|it| {
            substitute(it, &by);
            shared.rename(it);
        });
        put_into(&mut binders, &by);
        Some(Question { binders, conds })
    }

    pub fn locals(&self) -> Vec<LocalId> {
        self.binders.iter().map(|it| it.local).collect()
    }

    /// `k in { k in 1..7 where P(k) }` is `k in 1..7 where P(k)`.
    pub fn open_numbers(&mut self, shared: &mut Shared<'_>) {
        self.open();
        for binder in &mut self.binders {
            let is_number = matches!(shared.local_type(binder.local).base, Base::Int(..));
            if let Over::Set(set) = &binder.over
                && is_number
                && let ExprKind::Aggregate(of) = &set.kind
                && let (AggregateOp::Collect, [one], None) = (of.op, &*of.binders, &of.value)
            {
                let named = shared.local(binder.local, set.span);
                let (by, over) = (HashMap::from([(one.local, named)]), one.over.clone());
                let mut guard = one.guard.clone();
                guard.iter_mut().for_each(|it| substitute(it, &by));
                (binder.over, binder.guard) = (over, guard);
            }
        }
        self.open();
    }

    /// `t in { e for d in D where P }` is `d in D where P and e == t`.
    pub fn open_sets(&mut self, shared: &mut Shared<'_>) {
        for binder in &mut self.binders {
            if let Over::Set(set) = &mut binder.over {
                shared.put_in_place(set);
            }
        }
        for _ in 0..MOST_OPENED {
            let is_made = |it: &Binder| {
                matches!(&it.over, Over::Set(set) if matches!(&set.kind,
                    ExprKind::Aggregate(of) if of.op == AggregateOp::Collect))
            };
            let Some(at) = self.binders.iter().position(is_made) else {
                return;
            };
            let Some(Over::Set(set)) = self.binders.get(at).map(|it| &it.over) else {
                return;
            };
            let mut set = set.clone();
            shared.rename(&mut set);
            let ExprKind::Aggregate(aggregate) = set.kind else {
                return;
            };
            let binder = self.binders.remove(at);
            let one = shared.local(binder.local, set.span);
            let conds = std::mem::take(&mut self.conds);
            let rest = self.binders.split_off(at);
            let inner = aggregate.binders.last().map(|it| it.local);
            self.binders.extend(aggregate.binders);
            self.open();
            match (aggregate.value, inner) {
                (Some(value), _) => {
                    self.binders.push(Binder {
                        over: Over::Set(Expr {
                            kind: ExprKind::All(match set.ty.base {
                                Base::Set(domain) => domain,
                                _ => return,
                            }),
                            ..set
                        }),
                        guard: None,
                        ..binder
                    });
                    self.conds.push(joined(BinaryOp::Eq, value, one));
                }
                (None, Some(inner)) => {
                    let by = HashMap::from([(inner, one)]);
                    self.conds.iter_mut().for_each(|it| substitute(it, &by));
                    let named = self.binders.iter_mut().find(|it| it.local == inner);
                    named.into_iter().for_each(|it| it.local = binder.local);
                }
                (None, None) => return,
            }
            self.binders.extend(rest);
            self.conds.extend(conds);
        }
    }

    /// `t in { e }` is `t in T where t == e`.
    fn say_alone(&mut self, shared: &Shared<'_>) {
        for binder in &mut self.binders {
            if let Over::Set(set) = &mut binder.over
                && let (ExprKind::SetOf(items), Base::Set(domain)) = (&set.kind, set.ty.base)
                && let [one] = items.as_slice()
            {
                let local = shared.local(binder.local, set.span);
                self.conds
                    .insert(0, joined(BinaryOp::Eq, local, one.clone()));
                set.kind = ExprKind::All(domain);
            }
        }
    }

    /// Leaves out variables that others say: `t in T where t == e` is `e in T`. Whether there were any.
    pub fn solve(&mut self, values: &mut [Expr]) -> bool {
        let mut found = false;
        for _ in 0..MOST_OPENED {
            let solved = self.conds.iter().enumerate().find_map(|(at, cond)| {
                let ExprKind::Binary(BinaryOp::Eq, left, right) = &cond.kind else {
                    return None;
                };
                let of = |one: &Expr, other: &Expr| {
                    let is_it =
                        |it: &Binder| matches!(it.over, Over::Set(_)) && is_local(one, it.local);
                    let binder = self.binders.iter().position(is_it)?;
                    let local = self.binders.get(binder)?.local;
                    let is_said = !mentions(other, &[local]) && is_place(one.ty);
                    is_said.then(|| (at, binder, other.clone()))
                };
                of(left, right).or_else(|| of(right, left))
            });
            let Some((at, binder, value)) = solved else {
                break;
            };
            let binder = self.binders.remove(binder);
            self.conds.remove(at);
            let mut known = Vec::new();
            if value.ty.optional {
                known.push(value.clone().is_there());
            }
            if let Over::Set(set) = binder.over
                && !matches!(set.kind, ExprKind::All(_))
            {
                known.push(joined(BinaryOp::In, value.clone(), set));
            }
            self.conds.splice(at..at, known);
            let by = HashMap::from([(binder.local, value)]);
            put_into(&mut self.binders, &by);
            let all = self.conds.iter_mut().chain(values.iter_mut());
            all.for_each(|it| substitute(it, &by));
            found = true;
        }
        found
    }

    /// The set of what has this value, if it is one of few variables.
    pub fn collected(mut self, shared: &Shared<'_>, value: Expr) -> Option<Aggregate> {
        let few = |it: &Binder| shared.few_of(it).is_some() || shared.few_elements(it).is_some();
        if self.binders.is_empty() || !self.binders.iter().all(few) {
            return None;
        }
        if value.ty.optional {
            self.conds.push(value.clone().is_there());
        }
        let conds = self.conds.into_iter();
        self.binders.last_mut()?.guard = conds.reduce(Expr::and);
        Some(Aggregate::over(AggregateOp::Collect, self.binders).of(value))
    }
}

fn is_place(ty: Type) -> bool {
    matches!(ty.base, Base::Elem(_)) && !ty.optional
}

impl Shared<'_> {
    /// Puts a definition in place that would be looked up, if it says what its members are.
    fn put_in_place(&mut self, set: &mut Expr) {
        let is_collected = |it: &Expr| matches!(&it.kind, ExprKind::Aggregate(of) if of.op == AggregateOp::Collect);
        if let Some(body) = self.looked_up(set).filter(is_collected) {
            *set = body;
        }
    }

    /// The body of a definition that would be looked up.
    pub(super) fn looked_up(&mut self, call: &Expr) -> Option<Expr> {
        let ExprKind::Call(id, args) = &call.kind else {
            return None;
        };
        let is_known = |it: &Expr| matches!(it.kind, ExprKind::Local(_) | ExprKind::Value(_));
        let params = self.game.defines.get(id.index())?.params.clone();
        if !args.iter().all(is_known) || !self.is_table(*id) {
            return None;
        }
        let mut body = self.expanded_body(*id);
        self.rename(&mut body);
        substitute(&mut body, &params.into_iter().zip(args.clone()).collect());
        Some(body)
    }

    /// `some { t in S where t == e and P(t) }` is `e in S and P(e)`, and `some { t in { e } where P(t) }` is `P(e)`.
    pub(super) fn asked_of_one(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let (AggregateOp::Some | AggregateOp::No, [_]) =
            (aggregate.op, aggregate.binders.as_slice())
        else {
            return None;
        };
        let mut question = Question::of(aggregate.binders.clone());
        question.open();
        question.say_alone(self);
        if !question.solve(&mut []) {
            return None;
        }
        let asked = question.conds.into_iter().reduce(Expr::and)?;
        let is_small = size_of(&asked) <= size_of(expr) + SMALL_LOOKUP;
        is_small.then(|| match aggregate.op {
            AggregateOp::No => not(asked),
            _ => asked,
        })
    }

    /// `some { a in A, b in B, c in C where P(a, b) and Q(b, c) }` is `some { a in A, b in B where P(a, b) and some { c in C where Q(b, c) } }`:
    /// each of `b` alone says whether there is such a `c`.
    pub(super) fn asked_within(&mut self, expr: &Expr) -> Option<Expr> {
        let of = expr.as_aggregate()?;
        let (AggregateOp::Some | AggregateOp::No, [before @ .., last]) =
            (of.op, of.binders.as_slice())
        else {
            return None;
        };
        let locals: Vec<LocalId> = of.binders.iter().map(|it| it.local).collect();
        let hangs = |it: &Binder| over_mentions(&it.over, &locals) || self.few_of(it).is_some();
        if before.len() < 2 || of.binders.iter().any(hangs) {
            return None;
        }
        let mut parts = Vec::new();
        conjuncts(last.guard.as_ref()?, &mut parts);
        let (own, others): (Vec<&Expr>, Vec<&Expr>) = parts
            .into_iter()
            .partition(|it| mentions(it, &[last.local]));
        let own = own.into_iter().cloned().reduce(Expr::and)?;
        let asked = |it: &(usize, &Binder)| mentions(&own, &[it.1.local]);
        let mut partners = before.iter().enumerate().filter(asked);
        let (Some((at, _)), None) = (partners.next(), partners.next()) else {
            return None;
        };
        let within = some(vec![last.unguarded().guarded(Some(own))]);
        let mut said = of.clone();
        said.binders.pop();
        let others = others.into_iter().cloned().reduce(Expr::and);
        if let (Some(others), Some(before)) = (others, said.binders.last_mut()) {
            *before = with(before.clone(), others);
        }
        let partner = said.binders.get_mut(at)?;
        *partner = with(partner.clone(), within);
        let said = expr.with_kind(said);
        Some(self.asked_within(&said).unwrap_or(said))
    }

    /// `{ b for t in around(a), b in behind(a, t) where P }`, where a direction says both `t` and `b`, is the set of what lies
    /// in each direction.
    pub(super) fn by_few(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let (AggregateOp::Collect, [_, _, ..], Some(value)) =
            (aggregate.op, aggregate.binders.as_slice(), &aggregate.value)
        else {
            return None;
        };
        let mut question = Question::of(aggregate.binders.clone());
        question.open();
        question.open_sets(self);
        let mut values = [value.clone()];
        if !question.solve(&mut values) {
            return None;
        }
        let [value] = values;
        Some(expr.with_kind(question.collected(self, value)?))
    }
}

/// Whether a question is asked within one.
fn is_inner(cond: &Expr, x: LocalId) -> bool {
    match &cond.kind {
        ExprKind::Aggregate(it) => it.op == AggregateOp::Some && it.value.is_none(),
        ExprKind::Binary(BinaryOp::In, one, set) if is_local(one, x) => {
            matches!(&set.kind, ExprKind::Aggregate(it) if it.op == AggregateOp::Collect)
        }
        _ => false,
    }
}

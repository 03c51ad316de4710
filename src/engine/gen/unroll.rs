//! Loops over a few numbers, written out.

use std::collections::HashMap;

use super::Shared;
use super::decided::{decide, decided};
use super::folds::opposite;
use super::grows::truer_with;
use super::inline::{mentions, size_of, substitute};
use super::mask::conjuncts;
use super::related::with;
use super::spans::{has_span_to, of_no_number};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, LocalId, NodeMut, Order, Over,
    UnaryOp, change,
};
use crate::source::Span;

/// Most numbers that a loop is written out for.
pub(super) const MOST_NUMBERS: usize = 8;
/// Largest condition that is asked for each value at once, in nodes.
const MOST_ASKED: usize = 1_000;
/// What may be asked so in all: one such question in another takes as many times more.
pub(super) const MOST_ASKED_IN_ALL: usize = 40_000;
/// Largest condition that is written out, in nodes.
const MOST_NODES: usize = 200;
/// The same of one that asks of other variables as well.
const MOST_NESTED: usize = 1_000;
/// Of so few places those that matter are asked one by one.
const FEW_CELLS: u64 = 16;

impl Shared<'_> {
    /// `every { P(k) for k in 1..3 }` is `P(1) and P(2) and P(3)`, `some` an `or`: asked in the same order and
    /// as far. What was written for each number can then be told apart.
    pub(super) fn write_out(&mut self, expr: &mut Expr) {
        let ExprKind::Aggregate(aggregate) = &mut expr.kind else {
            return;
        };
        if let Some(known) = of_no_number(aggregate) {
            *expr = known;
            return;
        }
        self.spans_apart(aggregate);
        self.counted_from_zero(aggregate);
        let is_asked = matches!(
            aggregate.op,
            AggregateOp::Some | AggregateOp::No | AggregateOp::Every
        );
        let mut is_nested = false;
        if aggregate.binders.len() > 1 && is_asked {
            is_nested = true;
            self.numbers_last(aggregate);
            self.write_out_last(aggregate);
        }
        let (Some((local, mut numbers)), Some(cond)) =
            (self.few_values(aggregate), condition(aggregate))
        else {
            return;
        };
        match aggregate.binders.first().map(|it| &it.order) {
            Some(Order::Ascending) => {}
            Some(Order::Descending) => numbers.reverse(),
            _ => return,
        }
        let is_number = matches!(self.local_type(local).base, Base::Int(..));
        if !is_number || numbers.len() > 2 && self.asks_of_row(&cond, local) {
            return;
        }
        let nodes = size_of(&cond).saturating_mul(numbers.len());
        // Where a number is the last one of others these are known then.
        let most = match is_nested && has_span_to(&cond, local) {
            true => MOST_NESTED,
            false => MOST_NODES,
        };
        if nodes > most || nodes > self.room {
            return;
        }
        self.room -= nodes;
        if let Some(written) = self.written_out(aggregate.op, local, &numbers, &cond) {
            *expr = written;
        }
    }

    /// Whether a variable only says of which places something is asked, as `k` in `every { P(q) for q in line[k] }`: of all its
    /// values that is a set.
    fn asks_of_row(&self, cond: &Expr, local: LocalId) -> bool {
        let ExprKind::Aggregate(of) = &cond.kind else {
            return false;
        };
        let asks_once = |it: &Expr| !mentions(it, &[local]) && self.reads_state(it);
        let is_row = |it: &Expr| mentions(it, &[local]) && !self.reads_state(it);
        let has_row = matches!(&*of.binders, [Binder { over: Over::Set(row), .. }] if is_row(row));
        has_row && condition(of).is_some_and(|it| asks_once(&it))
    }

    /// Asks what does not hang on a variable before it takes its values, where that loses no fault and finds no other.
    pub(super) fn ask_early(&mut self, aggregate: &mut Aggregate) {
        for at in (1..aggregate.binders.len()).rev() {
            let Some(binder) = aggregate.binders.get(at) else {
                return;
            };
            let mut parts = Vec::new();
            binder.guard.iter().for_each(|it| conjuncts(it, &mut parts));
            if parts.iter().all(|it| mentions(it, &[binder.local])) {
                continue;
            }
            let is_few = self.few_of(binder).is_some();
            let is_sure = is_few || self.surely_over(&binder.over);
            let before = aggregate.binders.iter().take(at);
            let mut known = before.filter_map(|it| it.guard.clone()).reduce(Expr::and);
            let (mut early, mut kept, mut sure) = (Vec::new(), Vec::new(), true);
            for part in parts {
                let is_alone = is_sure && sure && !mentions(part, &[binder.local]);
                let there = known.iter().chain([part]).cloned().reduce(Expr::and);
                let may_go = is_alone
                    && (is_few && kept.is_empty()
                        || self.surely(part)
                        || there.as_ref().is_some_and(|it| self.surely(it)));
                if may_go {
                    early.push(part.clone());
                    known = there;
                } else {
                    sure = sure && self.surely(part);
                    kept.push(part.clone());
                }
            }
            if let Some(early) = early.into_iter().reduce(Expr::and)
                && let [.., before, binder] = aggregate.binders.get_mut(..=at).unwrap_or_default()
            {
                *before = with(before.clone(), early);
                binder.guard = kept.into_iter().reduce(Expr::and);
            }
        }
    }

    /// Whether what a variable goes through can surely be had.
    pub(super) fn surely_over(&mut self, over: &Over) -> bool {
        match over {
            Over::Set(set) => self.surely(set),
            Over::Span(from, to) => [from, to]
                .into_iter()
                .all(|it| self.surely(it) && self.surely_there(it)),
            Over::Zone(_) => false,
        }
    }

    /// `some { n in 0..2, d in S where P }` is `some { d in S, n in 0..2 where P }`, where nothing faults.
    fn numbers_last(&mut self, aggregate: &mut Aggregate) {
        let is_number = |it: &Self, of: &Binder| {
            it.few_of(of).is_some() && matches!(it.local_type(of.local).base, Base::Int(..))
        };
        let (Some(first), Some(last)) = (aggregate.binders.first(), aggregate.binders.last())
        else {
            return;
        };
        let local = first.local;
        let hangs = |it: &Binder| match &it.over {
            Over::Set(set) => mentions(set, &[local]),
            Over::Zone(place) => place.index.iter().any(|it| mentions(it, &[local])),
            Over::Span(..) => true,
        };
        if !is_number(self, first) || is_number(self, last) || aggregate.binders.iter().any(hangs) {
            return;
        }
        let whole = Expr::truth(aggregate.clone(), Span::default());
        if !self.surely(&whole) {
            return;
        }
        // What is asked of the number may guard what is asked behind it.
        let guards = aggregate.binders.iter_mut();
        let guards = guards.filter_map(|it| it.guard.take());
        let guard = guards.reduce(Expr::and);
        aggregate.binders.rotate_left(1);
        if let Some(last) = aggregate.binders.last_mut() {
            last.guard = guard;
        }
    }

    /// The last variable of several, and those before it, while these are numbers.
    fn write_out_last(&mut self, aggregate: &mut Aggregate) {
        while aggregate.binders.len() > 1 {
            let Some(last) = aggregate.binders.last() else {
                return;
            };
            let (Some(numbers), Order::Ascending) = (self.few_of(last), &last.order) else {
                return;
            };
            let local = last.local;
            if self.is_element(local) {
                if self.has_many(aggregate) {
                    nest_last(aggregate);
                }
                return;
            }
            let op = match aggregate.op {
                AggregateOp::No => AggregateOp::Some,
                op => op,
            };
            let alone = Aggregate::over(op, vec![last.clone()]).of(aggregate.value.clone());
            let Some(cond) = condition(&alone) else {
                return;
            };
            let nodes = size_of(&cond).saturating_mul(numbers.len());
            let is_number = matches!(self.local_type(local).base, Base::Int(..));
            if !is_number || nodes > MOST_NESTED || nodes > self.room {
                return;
            }
            self.room -= nodes;
            let Some(written) = self.written_out(alone.op, local, &numbers, &cond) else {
                return;
            };
            aggregate.binders.pop();
            if alone.op == AggregateOp::Every {
                aggregate.value = Some(written);
            } else if let Some(before) = aggregate.binders.pop() {
                aggregate.binders.push(with(before, written));
            }
        }
    }

    /// Whether the variable before the last one has so many values that it is worth asking all of them at once.
    fn has_many(&self, aggregate: &Aggregate) -> bool {
        let [.., before, _] = aggregate.binders.as_slice() else {
            return false;
        };
        let Over::Set(set) = &before.over else {
            return false;
        };
        let Base::Set(domain) = set.ty.base else {
            return false;
        };
        let of_one = matches!(set.kind, ExprKind::SetOf(_));
        !of_one && self.domain(domain).is_some_and(|it| it.size > FEW_CELLS)
    }

    /// What is asked for each number; what is known to be so or not is left out.
    fn written_out(
        &mut self,
        op: AggregateOp,
        local: LocalId,
        numbers: &[i64],
        cond: &Expr,
    ) -> Option<Expr> {
        let op = match op {
            AggregateOp::Some => BinaryOp::Or,
            _ => BinaryOp::And,
        };
        let spans = has_span_to(cond, local);
        let parts = numbers.iter().map(|number| {
            let mut part = self.with_number(cond, local, *number);
            if spans {
                self.expand(&mut part);
            }
            part
        });
        parts.reduce(|left, right| decided(joined(op, left, right)))
    }

    /// `max { k in 1..4 where P(k) } default 0` is `if P(4) then 4 else if P(3) then 3 …`: no more is asked than before.
    /// Where P only gets truer with k, what compares it may ask less; so that is written out `last`.
    pub(super) fn greatest_of_few(&mut self, expr: &Expr, last: bool) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let (binder, default) = (aggregate.only_binder()?, aggregate.default.as_ref()?);
        let (local, mut numbers) = (binder.local, self.few_of(binder)?);
        match aggregate.op {
            AggregateOp::Max => {}
            AggregateOp::Min => numbers.reverse(),
            _ => return None,
        }
        let is_itself = |it: &Expr| it.as_local() == Some(local);
        let value = aggregate.value.as_ref();
        let cond = binder
            .guard
            .as_ref()
            .filter(|_| value.is_none_or(is_itself))?;
        let nodes = size_of(cond).saturating_mul(numbers.len());
        let is_number = matches!(self.local_type(local).base, Base::Int(..));
        let waits = !last && truer_with(cond, local).is_some();
        if !is_number || waits || nodes > MOST_NESTED || nodes > self.room || !self.surely(expr) {
            return None;
        }
        self.room -= nodes;
        let mut rest = default.clone();
        for number in numbers {
            let mut asked = self.with_number(cond, local, number);
            self.expand(&mut asked);
            let value = Expr::number(number, expr.span);
            rest = expr.with_kind(ExprKind::choice(asked, value, rest));
        }
        Some(rest)
    }

    /// A condition on a variable for one number.
    pub(super) fn with_number(&mut self, cond: &Expr, local: LocalId, number: i64) -> Expr {
        let mut part = cond.clone();
        self.rename(&mut part);
        let value = Expr::number(number, cond.span);
        substitute(&mut part, &HashMap::from([(local, value)]));
        self.without_steps(&mut part);
        decide(&mut part);
        part
    }

    /// What `some` asks, and what `every` and `no` deny, for each value of a variable that has few of them.
    pub(super) fn for_each_value(&mut self, aggregate: &Aggregate) -> Option<Vec<Expr>> {
        let (local, values) = self.few_values(aggregate)?;
        let ty = self.is_element(local).then_some(self.local_type(local))?;
        let cond = condition(aggregate)?;
        let cond = match aggregate.op {
            AggregateOp::Some => cond,
            _ => not(cond),
        };
        let nodes = size_of(&cond).saturating_mul(values.len());
        if nodes > MOST_ASKED || nodes > self.asked {
            return None;
        }
        self.asked -= nodes;
        let asked = values.into_iter().map(|value| {
            let mut part = cond.clone();
            self.rename(&mut part);
            let value = Expr::new(ExprKind::Value(value), ty, part.span);
            substitute(&mut part, &HashMap::from([(local, value)]));
            part
        });
        Some(asked.collect())
    }

    fn is_element(&self, local: LocalId) -> bool {
        let ty = self.local_type(local);
        matches!(ty.base, Base::Elem(_)) && !ty.optional
    }

    /// The variable and its values, ascending, if it is the only one and they are few.
    fn few_values(&self, aggregate: &Aggregate) -> Option<(LocalId, Vec<i64>)> {
        match aggregate.binders.as_slice() {
            [binder] => Some((binder.local, self.few_of(binder)?)),
            _ => None,
        }
    }

    /// The values that a variable goes through, if they are few and known.
    pub(super) fn few_of(&self, binder: &Binder) -> Option<Vec<i64>> {
        let set = match &binder.over {
            Over::Set(set) => set,
            Over::Span(from, to) => return span_of(from, to),
            Over::Zone(_) => return None,
        };
        let mut values = match &set.kind {
            ExprKind::SetOf(items) if items.len() <= MOST_NUMBERS => {
                let values = items.iter().map(|item| match item.kind {
                    ExprKind::Value(value) if !item.ty.optional => Some(value),
                    _ => None,
                });
                values.collect::<Option<Vec<i64>>>()?
            }
            ExprKind::All(id) => {
                let domain = self.game.domains.get(id.index())?;
                let size = usize::try_from(domain.size).ok()?;
                let few = (size <= MOST_NUMBERS).then_some(size)?;
                (domain.lo..).take(few).collect()
            }
            _ => return None,
        };
        values.sort_unstable();
        values.dedup();
        (!values.is_empty()).then_some(values)
    }

    /// No step at all leads to where it begins.
    fn without_steps(&mut self, expr: &mut Expr) {
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.without_steps(part);
            }
        });
        if let ExprKind::Step { cell, way, count } = &expr.kind
            && matches!(count.kind, ExprKind::Value(0))
            && !way.ty.optional
            && self.surely(way)
        {
            *expr = (**cell).clone();
        }
    }
}

/// `some { q in S, d in D where P }` is `some { q in S where some { d in D where P } }`, which is asked of all `q` at once.
fn nest_last(aggregate: &mut Aggregate) {
    let Some(last) = aggregate.binders.last() else {
        return;
    };
    let asked = match aggregate.op {
        AggregateOp::Every => aggregate.value.as_ref(),
        _ => last.guard.as_ref(),
    };
    let Some(span) = asked.map(|it| it.span) else {
        return;
    };
    let Some(last) = aggregate.binders.pop() else {
        return;
    };
    let op = match aggregate.op {
        AggregateOp::Every => AggregateOp::Every,
        _ => AggregateOp::Some,
    };
    let inner = Aggregate::over(op, vec![last]).of(aggregate.value.take());
    let inner = Expr::truth(inner, span);
    if aggregate.op == AggregateOp::Every {
        aggregate.value = Some(inner);
    } else if let Some(before) = aggregate.binders.pop() {
        aggregate.binders.push(with(before, inner));
    }
}

/// The numbers of a short span that is known.
fn span_of(from: &Expr, to: &Expr) -> Option<Vec<i64>> {
    let (from, to) = (from.as_value()?, to.as_value()?);
    let few = to.checked_sub(from)?.checked_add(1)?;
    let fits = usize::try_from(few).is_ok_and(|it| (1..=MOST_NUMBERS).contains(&it));
    fits.then(|| (from..=to).collect())
}

/// What is asked of each number.
pub(super) fn condition(aggregate: &Aggregate) -> Option<Expr> {
    let guard = aggregate.binders.first()?.guard.clone();
    match (aggregate.op, guard, &aggregate.value) {
        (AggregateOp::Some, guard, None) => guard,
        (AggregateOp::No, guard, None) => guard.map(not),
        (AggregateOp::Every, None, Some(value)) => Some(value.clone()),
        (AggregateOp::Every, Some(guard), Some(value)) => Some(not(guard).or(value.clone())),
        _ => None,
    }
}

/// The parts of a disjunction.
pub(super) fn cases_of<'e>(cond: &'e Expr, out: &mut Vec<&'e Expr>) {
    if let ExprKind::Binary(BinaryOp::Or, left, right) = &cond.kind {
        cases_of(left, out);
        cases_of(right, out);
    } else {
        out.push(cond);
    }
}

pub(super) fn joined(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr::truth(ExprKind::binary(op, left, right), span)
}

/// The opposite, asked in the same order and as far.
pub(super) fn not(part: Expr) -> Expr {
    let span = part.span;
    let kind = match part.kind {
        ExprKind::Unary(UnaryOp::Not, part) => return *part,
        ExprKind::Binary(BinaryOp::Eq, left, right) => ExprKind::Binary(BinaryOp::Ne, left, right),
        ExprKind::Binary(BinaryOp::Ne, left, right) => ExprKind::Binary(BinaryOp::Eq, left, right),
        ExprKind::Binary(BinaryOp::And, left, right) => {
            return not(*left).or(not(*right));
        }
        ExprKind::Binary(BinaryOp::Or, left, right) => {
            return not(*left).and(not(*right));
        }
        ExprKind::Binary(op, left, right) if let Some(op) = opposite(op, &left, &right) => {
            ExprKind::Binary(op, left, right)
        }
        kind => ExprKind::unary(UnaryOp::Not, Expr { kind, ..part }),
    };
    Expr::truth(kind, span)
}

//! Comprehensions: one combination after the other, in the order that is written.

use std::collections::{BTreeSet, VecDeque};

use adit::engine::FaultKind;
use adit::model::{Aggregate, AggregateOp, Binder, Expr, LocalId, Order, Over, Type};

use super::{Found, Interpreter, Value};

/// Whether the combinations that follow are wanted.
#[derive(PartialEq, Eq)]
pub(super) enum Then {
    Next,
    Enough,
}

type Each<'e, 'g> = dyn FnMut(&mut Interpreter<'g>, i128) -> Found<Then> + 'e;

impl<'g> Interpreter<'g> {
    /// The values of a variable in their order, each with the number of its copies.
    pub(super) fn members(&mut self, over: &Over, order: &Order) -> Found<VecDeque<(i128, i128)>> {
        let mut members: VecDeque<(i128, i128)> = match over {
            Over::Set(set) => self.set(set)?.into_iter().map(|it| (it, 1)).collect(),
            Over::Zone(place) => {
                let at = self.place(place)?;
                let kinds = at.map(|at| self.heap(place.zone, at).kinds());
                let kinds = kinds.unwrap_or_default().into_iter();
                kinds.map(|(kind, n)| (kind, i128::from(n))).collect()
            }
            Over::Span(from, to) => {
                let (first, last) = if matches!(order, Order::Descending) {
                    let last = self.number(to)?;
                    (self.number(from)?, last)
                } else {
                    (self.number(from)?, self.number(to)?)
                };
                let mut members = VecDeque::new();
                for number in first..=last {
                    self.step()?;
                    members.push_back((number, 1));
                }
                members
            }
        };
        match order {
            Order::Ascending => {}
            Order::Descending => members = members.into_iter().rev().collect(),
            Order::From(seat) => {
                let first = self.number(seat)?;
                let later = members.iter().filter(|(it, _)| *it >= first);
                let earlier = members.iter().filter(|(it, _)| *it < first);
                members = later.chain(earlier).copied().collect();
            }
        }
        Ok(members)
    }

    /// Goes through the combinations of some variables.
    pub(super) fn combinations(
        &mut self,
        binders: &[Binder],
        copies: i128,
        each: &mut Each<'_, 'g>,
    ) -> Found<Then> {
        let Some((binder, rest)) = binders.split_first() else {
            return each(self, copies);
        };
        for (member, n) in self.members(&binder.over, &binder.order)? {
            self.step()?;
            self.bind(binder.local, Value::Number(member));
            if let Some(guard) = &binder.guard
                && !self.truth(guard)?
            {
                continue;
            }
            if self.combinations(rest, copies * n, each)? == Then::Enough {
                return Ok(Then::Enough);
            }
        }
        Ok(Then::Next)
    }

    pub(super) fn aggregate(&mut self, it: &Aggregate, ty: Type) -> Found {
        let first = it.binders.first().map(|it| it.local);
        match it.op {
            AggregateOp::Some | AggregateOp::No | AggregateOp::Every => {
                let every = it.op == AggregateOp::Every;
                let found = self.combinations(&it.binders, 1, &mut |this, _| match &it.value {
                    Some(value) if this.truth(value)? == every => Ok(Then::Next),
                    _ => Ok(Then::Enough),
                })?;
                Ok(Value::truth(
                    (found == Then::Enough) == (it.op == AggregateOp::Some),
                ))
            }
            AggregateOp::Count | AggregateOp::Sum => {
                let mut sum = 0_i128;
                self.combinations(&it.binders, 1, &mut |this, copies| {
                    let value = match &it.value {
                        Some(value) => this.number(value)?,
                        None => 1,
                    };
                    this.calculated(value * copies)?;
                    sum += value * copies;
                    this.calculated(sum)?;
                    Ok(Then::Next)
                })?;
                Ok(Value::Number(sum))
            }
            AggregateOp::Product => {
                let mut product = 1_i128;
                self.combinations(&it.binders, 1, &mut |this, copies| {
                    let value = match &it.value {
                        Some(value) => this.number(value)?,
                        None => panic!("a product of nothing"),
                    };
                    for _ in 0..copies {
                        product *= value;
                        this.calculated(product)?;
                    }
                    Ok(Then::Next)
                })?;
                Ok(Value::Number(product))
            }
            AggregateOp::Collect => {
                let mut set = BTreeSet::new();
                self.combinations(&it.binders, 1, &mut |this, _| {
                    let value = this.value_or(it.value.as_ref(), first)?;
                    if let Value::Number(number) = value {
                        set.insert(number);
                    }
                    Ok(Then::Next)
                })?;
                let adit::model::Base::Set(id) = ty.base else {
                    panic!("collected into {ty:?}")
                };
                Ok(Value::Set(&set & &self.domain_members(id)))
            }
            AggregateOp::Max | AggregateOp::Min => {
                let mut best: Option<i128> = None;
                let max = it.op == AggregateOp::Max;
                self.combinations(&it.binders, 1, &mut |this, _| {
                    let value = this.there(it.value.as_ref(), first)?;
                    best = Some(match best {
                        Some(best) if max => best.max(value),
                        Some(best) => best.min(value),
                        None => value,
                    });
                    Ok(Then::Next)
                })?;
                self.settled(best, it, ty)
            }
            AggregateOp::Most | AggregateOp::Least => {
                let (mut best, mut set): (Option<i128>, BTreeSet<i128>) = (None, BTreeSet::new());
                let most = it.op == AggregateOp::Most;
                self.combinations(&it.binders, 1, &mut |this, _| {
                    let key = this.there(it.value.as_ref(), None)?;
                    let Some(Value::Number(member)) = first.map(|it| this.local(it)) else {
                        panic!("`most` of nothing");
                    };
                    let better = best.is_none_or(|best| if most { key > best } else { key < best });
                    if better {
                        best = Some(key);
                        set.clear();
                    }
                    if best == Some(key) {
                        set.insert(member);
                    }
                    Ok(Then::Next)
                })?;
                match (&it.default, set.is_empty()) {
                    (Some(default), true) => self.value(default),
                    _ if matches!(ty.base, adit::model::Base::Set(_)) => Ok(Value::Set(set)),
                    _ => self.settled(set.first().copied(), it, ty),
                }
            }
            AggregateOp::First | AggregateOp::Last => {
                let mut found = None;
                self.combinations(&it.binders, 1, &mut |this, _| {
                    found = first.map(|it| this.local(it));
                    Ok(match it.op {
                        AggregateOp::First => Then::Enough,
                        _ => Then::Next,
                    })
                })?;
                match found {
                    Some(Value::Number(found)) => self.settled(Some(found), it, ty),
                    _ => self.settled(None, it, ty),
                }
            }
        }
    }

    fn value_or(&mut self, value: Option<&Expr>, variable: Option<LocalId>) -> Found {
        match (value, variable) {
            (Some(value), _) => self.value(value),
            (None, Some(local)) => Ok(self.local(local)),
            (None, None) => panic!("nothing is collected"),
        }
    }

    fn there(&mut self, value: Option<&Expr>, variable: Option<LocalId>) -> Found<i128> {
        match self.value_or(value, variable)? {
            Value::Number(number) => Ok(number),
            _ => self.fault(FaultKind::Absent),
        }
    }

    /// What was found, or what stands for nothing.
    fn settled(&mut self, found: Option<i128>, it: &Aggregate, ty: Type) -> Found {
        match (found, &it.default) {
            (Some(found), _) => Ok(Value::Number(found)),
            (None, Some(default)) => self.value(default),
            (None, None) if ty.optional => Ok(Value::None),
            (None, None) => self.fault(FaultKind::Absent),
        }
    }

    /// The least set that holds the start and with each member all of a step.
    pub(super) fn reached(
        &mut self,
        start: BTreeSet<i128>,
        var: LocalId,
        step: &Expr,
    ) -> Found<BTreeSet<i128>> {
        let (mut found, mut edge) = (start.clone(), start);
        while let Some(member) = edge.pop_first() {
            self.bind(var, Value::Number(member));
            for next in self.set(step)? {
                if found.insert(next) {
                    edge.insert(next);
                }
            }
        }
        Ok(found)
    }
}

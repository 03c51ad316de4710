//! `some { t in R(x) where P(t) }` for all x at once: what is related to a member of a set, or to so many of them.

use super::Gen;
use super::facts::Facts;
use super::inline::mentions;
use super::mask::{Plan, conjuncts, is_local};
use super::tables::Tabled;
use super::through::put;
use super::unroll::{joined as binary, not};
use crate::engine::layout::words_for;
use crate::engine::op::{Op, Reg};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Over, Type,
    UnaryOp,
};

/// The elements that some member of a set is related to, or at least so many.
#[derive(Clone, Debug)]
pub(super) struct Related {
    /// Stands for the members.
    local: LocalId,
    domain: DomainId,
    set: Expr,
    /// Whether the members are the same for all elements.
    is_fixed: bool,
    /// What is asked of a member, in this order: a set where that does not hang on the element.
    asked: Vec<(Expr, Option<Plan>)>,
    /// By member, last: the elements that it is related to.
    table: Tabled,
    /// 1 or more.
    least: Option<Expr>,
}

impl Gen<'_, '_> {
    /// How to get the elements `x` for which a question for some member has the answer yes.
    pub(super) fn related_plan(
        &mut self,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let related = Plan::Related(Box::new(self.related(aggregate, x, domain, None)?));
        Some(match aggregate.op {
            AggregateOp::Some => related,
            _ => Plan::Not(Box::new(related)),
        })
    }

    /// How to get those for which so many members are counted.
    pub(super) fn related(
        &mut self,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
        least: Option<Expr>,
    ) -> Option<Related> {
        let (binder, before) = aggregate.binders.split_last()?;
        let mut set = self.as_set(&binder.over)?;
        if !before.is_empty() {
            set = self.members_of(before, binder, set, aggregate.value.as_ref())?;
            // What may be something else in each position is worked out only where the relation is always the same.
            let mut parts = Vec::new();
            let asked = binder.guard.iter().chain(&aggregate.value);
            asked.for_each(|it| conjuncts(it, &mut parts));
            let changes = |it: &&Expr| mentions(it, &[x]) && self.shared.reads_state(it);
            let is_known = !mentions(&set, &[x]) && !parts.iter().any(changes);
            (is_known || !self.shared.reads_state(&set)).then_some(())?;
        }
        let inner = set.ty.base.set_over()?;
        if self.is_parts(inner) || self.is_parts(domain) {
            return None;
        }
        let local = binder.local;
        let counter = match (aggregate.op, &aggregate.value) {
            (AggregateOp::Some | AggregateOp::No, None) if least.is_none() => None,
            (AggregateOp::Count, None) if least.is_some() && before.is_empty() => {
                match &binder.over {
                    // What lies there more than once counts so often.
                    Over::Zone(place) if !self.shared.lies_once(place) => return None,
                    _ => None,
                }
            }
            (AggregateOp::Every, Some(value)) => Some(not(value.clone())),
            _ => return None,
        };
        let mut questions = Vec::new();
        for expr in binder.guard.iter().chain(&counter) {
            conjuncts(expr, &mut questions);
        }
        let mut asked = Vec::new();
        let mut relation: Option<Expr> = None;
        let mut relate = |part: Expr| {
            relation = Some(match relation.take() {
                Some(before) => before.and(part),
                None => part,
            });
        };
        let is_fixed = !mentions(&set, &[x]);
        if !is_fixed {
            let member = self.shared.local(local, set.span);
            relate(binary(BinaryOp::In, member, set.clone()));
        }
        for question in questions {
            let plan = if mentions(question, &[x]) {
                relate(question.clone());
                None
            } else {
                Some(self.plan(question, local, inner)?)
            };
            asked.push((question.clone(), plan));
        }
        let rows = self.collect(&relation?, x, domain, x);
        let fits = |domain| u8::try_from(words_for(self.domain_size(domain))).is_ok();
        if !fits(inner) || !fits(domain) {
            return None;
        }
        let table = self.by_last(&rows, local, inner)?;
        Some(Related {
            local,
            domain: inner,
            set,
            is_fixed,
            asked,
            table,
            least,
        })
    }

    /// `{ t for d in D, t in T(d) }`: what the last of several variables may be, where nothing else is asked of both.
    fn members_of(
        &mut self,
        before: &[Binder],
        last: &Binder,
        set: Expr,
        value: Option<&Expr>,
    ) -> Option<Expr> {
        let others: Vec<LocalId> = before.iter().map(|it| it.local).collect();
        let mut asked = last.guard.iter().chain(value);
        let is_apart = asked.all(|it| !mentions(it, &others));
        if !is_apart {
            return None;
        }
        let one = last.unguarded().with_over(set.clone());
        let members = Aggregate::over(
            AggregateOp::Collect,
            before.iter().cloned().chain([one]).collect(),
        )
        .of(self.shared.local(last.local, set.span));
        let mut members = set.with_kind(members);
        self.shared.rename(&mut members);
        Some(members)
    }

    /// The members of a zone as a set of kinds: how many copies there are does not matter here.
    fn as_set(&self, over: &Over) -> Option<Expr> {
        match over {
            Over::Set(set) => Some(set.clone()),
            Over::Zone(place) => {
                let zone = self.shared.game.zones.get(place.zone.index())?;
                let span = place.index.first().map(|it| it.span).unwrap_or_default();
                let kinds = ExprKind::Kinds(place.clone());
                Some(Expr::set(kinds, zone.component, span))
            }
            Over::Span(..) => None,
        }
    }

    /// `{ e(p) for p in S, … }`: the elements that are `e(p)` for some member, where that hangs on little else.
    pub(super) fn image(&mut self, aggregate: &Aggregate, domain: DomainId) -> Option<Reg> {
        let value = aggregate.value.as_ref()?;
        let [outer, rest @ ..] = aggregate.binders.as_slice() else {
            return None;
        };
        let ty = Type::of(match value.ty.base {
            Base::Elem(of) if of == domain => Base::Elem(domain),
            Base::Int(lo, hi) => {
                let first = self.domain_lo(domain);
                let size = i64::try_from(self.domain_size(domain)).ok()?;
                let last = first.checked_add(size - 1)?;
                (first <= lo && hi <= last).then_some(Base::Int(first, last))?
            }
            _ => return None,
        });
        if self.shared.is_plain() {
            return None;
        }
        let x = self.shared.new_local(ty);
        let element = Expr::local(x, ty, value.span);
        let others: Vec<_> = aggregate.binders.iter().map(|it| it.local).collect();
        let (mut outer, mut binders) = (outer.clone(), rest.to_vec());
        let last = binders.last_mut().unwrap_or(&mut outer);
        // What is asked of the place that is meant is asked of the element.
        let is_place = matches!(
            value.kind,
            ExprKind::Local(_) | ExprKind::Step { .. } | ExprKind::Make(..)
        );
        let mut parts = Vec::new();
        last.guard.iter().for_each(|it| conjuncts(it, &mut parts));
        let parts = parts.into_iter().map(|it| {
            let mut of_it = it.clone();
            if is_place {
                put(&mut of_it, value, x, ty);
            }
            of_it
        });
        let (alone, own): (Vec<_>, Vec<_>) =
            parts.partition(|it| mentions(it, &[x]) && !mentions(it, &others));
        // Where all members give the same element, or there is one alone, the first that is found would be enough.
        let one_is_enough = !mentions(value, &others) || self.domain_size(domain) == 1;
        if (one_is_enough || value.ty.optional && !alone.is_empty())
            && !self.sure_here(&collected(aggregate, domain))
        {
            return None;
        }
        let is_there =
            |it: &Expr| matches!(&it.kind, ExprKind::Unary(UnaryOp::IsSome, it) if is_local(it, x));
        let alone = alone.into_iter().filter(|it| !is_there(it));
        last.guard = own.into_iter().reduce(Expr::and);
        let is = match binders
            .last()
            .map(|last| (last.local, &last.over, last.guard.clone()))
        {
            // The last variable is the element itself.
            Some((local, Over::Set(set), guard)) if is_local(value, local) => {
                let is = binary(BinaryOp::In, element, set.clone());
                binders.pop();
                guard.into_iter().fold(is, Expr::and)
            }
            _ => binary(BinaryOp::Eq, element, value.clone()),
        };
        let related = match binders.pop() {
            Some(last) => {
                binders.push(with(last, is));
                some(binders)
            }
            None => is,
        };
        let cond = some(vec![with(outer, related)]);
        let cond = alone.fold(cond, Expr::and);
        self.mask_of(&cond, x, domain)
    }

    pub(super) fn related_early(&mut self, related: &Related, facts: &mut Facts) -> bool {
        let members = !related.is_fixed || self.sure(&related.set, facts);
        let mut inputs = related.table.inputs.iter().rev().skip(1);
        let many = related.least.as_ref().is_none_or(|it| self.sure(it, facts));
        if !members || !many || !inputs.all(|it| self.sure(&it.expr, facts)) {
            return false;
        }
        let mut plans = related.asked.iter().filter_map(|(_, plan)| plan.as_ref());
        plans.all(|plan| self.early(plan, facts))
    }

    /// No member is asked for what may fault, so it does not matter how many are asked.
    pub(super) fn related_exact(&mut self, related: &Related, facts: &mut Facts) -> bool {
        let mark = facts.mark();
        let mut exact = self.sure(&related.set, facts);
        self.learn_in(related.local, &related.set, facts);
        for (question, plan) in &related.asked {
            exact = exact
                && match plan {
                    Some(plan) => self.exact(plan, question, related.local, related.domain, facts),
                    None => self.sure(question, facts),
                };
            self.learn(question, true, facts);
        }
        facts.release(mark);
        exact
    }

    /// The members of which all is asked that does not hang on the element, and how many words these have.
    fn related_members(&mut self, related: &Related) -> (Reg, u8) {
        let inner = related.domain;
        let m = words_for(self.domain_size(inner));
        let mut set = match related.is_fixed {
            true => self.value(&related.set),
            false => self.all_of(inner),
        };
        for plan in related.asked.iter().filter_map(|(_, plan)| plan.as_ref()) {
            set = self.restricted(set, plan, inner, m);
        }
        (set, u8::try_from(m).unwrap_or(u8::MAX))
    }

    /// Adds to a number of each element, so often, how many members are related to it.
    pub(super) fn related_tally(&mut self, related: &Related, by: i8, [d, a]: [Reg; 2], n: u16) {
        let (set, m) = self.related_members(related);
        let off = self.row_offset(&related.table, 1);
        self.op(Op::TallyRows {
            m,
            n: u8::try_from(n).unwrap_or(u8::MAX),
            by: by as u8,
            d,
            a,
            set,
            off,
            base: related.table.base,
        });
    }

    pub(super) fn related_mask(&mut self, related: &Related, domain: DomainId) -> Reg {
        let n = words_for(self.domain_size(domain));
        let (set, m) = self.related_members(related);
        let off = self.row_offset(&related.table, n);
        let (d, base) = (self.temps(n), related.table.base);
        let n = u8::try_from(n).unwrap_or(u8::MAX);
        let op = match &related.least {
            None => Op::UnionRows {
                d,
                set,
                n,
                m,
                off,
                base,
            },
            Some(least) => Op::SeveralRows {
                d,
                set,
                n,
                m,
                off,
                least: self.value(least),
                base,
            },
        };
        self.op(op);
        d
    }

    /// Where the rows of a table by its last input begin, in words.
    pub(super) fn row_offset(&mut self, table: &Tabled, n: u16) -> Reg {
        let row = self.table_row(table, 1);
        if n == 1 {
            return row;
        }
        let (off, size) = (self.temp(), self.constant(i64::from(n)));
        self.op(Op::Mul {
            d: off,
            a: row,
            b: size,
        });
        off
    }
}

fn collected(aggregate: &Aggregate, domain: DomainId) -> Expr {
    let span = aggregate.value.as_ref().map(|it| it.span);
    Expr::set(aggregate.clone(), domain, span.unwrap_or_default())
}

/// A variable of which more is asked.
pub(super) fn with(mut binder: Binder, cond: Expr) -> Binder {
    binder.guard = Some(match binder.guard.take() {
        Some(guard) => guard.and(cond),
        None => cond,
    });
    binder
}

pub(super) fn some(binders: Vec<Binder>) -> Expr {
    let span = binders.first().and_then(|it| it.guard.as_ref());
    let span = span.map(|it| it.span).unwrap_or_default();
    let aggregate = Aggregate::over(AggregateOp::Some, binders);
    Expr::truth(aggregate, span)
}

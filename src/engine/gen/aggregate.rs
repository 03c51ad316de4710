//! Comprehensions and what is made of them.

use super::Gen;
use super::func::Label;
use super::mask::{Plan, conjuncts, is_local};
use super::nest::{Cond, Level, Sink};
use crate::engine::layout::words_for;
use crate::engine::op::{FaultKind, Op, Reg};
use crate::model::{
    Aggregate, AggregateOp, Base, Binder, DomainId, Expr, ExprKind, LocalId, NONE, Order, Over,
    Type,
};
use crate::source::Span;

/// The loops of a comprehension.
pub(super) fn levels_of(binders: &[Binder]) -> (Vec<Level<'_>>, Vec<Cond<'_>>) {
    let levels = binders
        .iter()
        .map(|b| Level {
            local: b.local,
            over: &b.over,
            order: &b.order,
            member: None,
        })
        .collect();
    let conds = binders
        .iter()
        .enumerate()
        .filter_map(|(at, b)| {
            b.guard.as_ref().map(|expr| Cond {
                expr,
                written: at + 1,
            })
        })
        .collect();
    (levels, conds)
}

impl Gen<'_, '_> {
    /// The value of an aggregate.
    pub(super) fn aggregate_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) {
        match aggregate.op {
            AggregateOp::Some | AggregateOp::No | AggregateOp::Every => {
                let (yes, done) = (self.label(), self.label());
                let (one, zero) = (self.constant(1), self.constant(0));
                self.cond_aggregate(aggregate, true, yes);
                self.mov(d, zero);
                self.jump(done);
                self.bind(yes);
                self.mov(d, one);
                self.bind(done);
            }
            AggregateOp::Count => {
                if let [binder] = aggregate.binders.as_slice()
                    && let (Over::Set(set), None) = (&binder.over, &binder.guard)
                    && self.walk_length_to(set, d)
                {
                    return;
                }
                if let Some((set, n)) = self.whole_set(aggregate) {
                    return self.count_to(set, n, d);
                }
                if self.copies_to(aggregate, ty, d) {
                    return;
                }
                let (sum, zero) = (self.temp(), self.constant(0));
                let (levels, conds) = levels_of(&aggregate.binders);
                self.mov(sum, zero);
                self.nest(&levels, &conds, &mut Sink::Count { d: sum });
                self.mov(d, sum);
            }
            AggregateOp::Collect => self.collect_to(aggregate, ty, d),
            AggregateOp::Sum => self.sum_to(aggregate, ty, d),
            AggregateOp::Product => self.product_to(aggregate, ty, d),
            AggregateOp::Max | AggregateOp::Min => self.extreme_to(aggregate, ty, d),
            AggregateOp::Most | AggregateOp::Least => self.best_to(aggregate, ty, d),
            AggregateOp::First | AggregateOp::Last => self.end_to(aggregate, ty, d),
        }
    }

    /// Jumps where a quantifier is `when`.
    pub(super) fn cond_aggregate(&mut self, aggregate: &Aggregate, when: bool, label: Label) {
        if self.cond_lines(aggregate, when, label) {
            return;
        }
        let (levels, mut conds) = levels_of(&aggregate.binders);
        let negated;
        // Every: none for which the value fails.
        let found_means = match aggregate.op {
            AggregateOp::Every => {
                if let Some(value) = &aggregate.value {
                    negated = not(value);
                    let written = levels.len();
                    conds.push(Cond {
                        expr: &negated,
                        written,
                    });
                }
                false
            }
            AggregateOp::No => false,
            _ => {
                if let Some(value) = &aggregate.value {
                    let written = levels.len();
                    conds.push(Cond {
                        expr: value,
                        written,
                    });
                }
                true
            }
        };
        if found_means == when {
            self.nest(&levels, &conds, &mut Sink::Exists(label));
        } else {
            let found = self.label();
            self.nest(&levels, &conds, &mut Sink::Exists(found));
            self.jump(label);
            self.bind(found);
        }
    }

    /// The elements of a comprehension over one set whose conditions are sets too, with its words:
    /// no loop is needed then. Do not write to the register.
    pub(super) fn whole_set(&mut self, aggregate: &Aggregate) -> Option<(Reg, u16)> {
        let binder = aggregate.only_binder()?;
        let set = binder.over.as_set()?;
        let domain = set.ty.base.set_over()?;
        if self.shared.is_plain()
            || aggregate.op == AggregateOp::Collect && aggregate.value.is_some()
        {
            return None;
        }
        let mut plans = Vec::new();
        if let Some(guard) = &binder.guard {
            let mut parts = Vec::new();
            conjuncts(guard, &mut parts);
            let (mut early, mut facts) = (self.facts.clone(), self.facts.clone());
            self.learn_binder(binder.local, &binder.over, &mut facts);
            for part in parts {
                let plan = self.sound_plan(part, binder.local, domain, &mut early, &mut facts)?;
                // What does not depend on the element is asked before anything else.
                if let Plan::Fixed(cond) = &plan {
                    self.learn(cond, true, &mut early);
                }
                self.learn(part, true, &mut facts);
                plans.push(plan);
            }
        }
        let n = words_for(self.domain_size(domain));
        self.merge_plans(&mut plans);
        let mut set = match self.instead_of_all(set, &mut plans) {
            Some(kept) => self.mask(&kept, domain, None),
            None => self.value(set),
        };
        // What does not depend on the element decides whether there is anything to look at.
        let (fixed, plans): (Vec<Plan>, Vec<Plan>) = plans
            .into_iter()
            .partition(|plan| matches!(plan, Plan::Fixed(_)));
        let chosen = (!fixed.is_empty()).then(|| (self.temps(n), self.label()));
        if let Some((d, done)) = chosen {
            self.op(Op::Clear { d, n });
            for plan in &fixed {
                if let Plan::Fixed(cond) = plan {
                    self.cond(cond, false, done);
                }
            }
        }
        for plan in &plans {
            set = self.restricted(set, plan, domain, n);
        }
        if let Some((d, done)) = chosen {
            self.mov_n(d, set, n);
            self.bind(done);
            set = d;
        }
        Some((set, n))
    }

    fn collect_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) {
        let Base::Set(domain) = ty.base else {
            return self.fail(FaultKind::Bounds);
        };
        let n = words_for(self.domain_size(domain));
        if aggregate.value.is_none()
            && self.same_domain(aggregate, domain)
            && let Some((set, _)) = self.whole_set(aggregate)
        {
            return self.mov_n(d, set, n);
        }
        if !self.shared.is_plain() && self.rays_to(aggregate, d) {
            return;
        }
        if let Some(image) = self.image(aggregate, domain) {
            return self.mov_n(d, image, n);
        }
        let (levels, conds) = levels_of(&aggregate.binders);
        let sum = self.own(d, n);
        self.op(Op::Clear { d: sum, n });
        let last = aggregate.binders.last().map(|b| b.local);
        let of_last = match &aggregate.value {
            None => aggregate.binders.len() == 1,
            Some(value) => last.is_some_and(|last| is_local(value, last)),
        };
        if of_last && self.same_domain(aggregate, domain) {
            self.nest(&levels, &conds, &mut Sink::Gather { d: sum, n });
        } else {
            let lo = self.domain_lo(domain);
            let first = aggregate.binders.first().map(|b| b.local);
            let value = aggregate.value.as_ref();
            let mut each = |r#gen: &mut Gen<'_, '_>, _: Option<Reg>| {
                let e = match (value, first) {
                    (Some(value), _) => r#gen.bit(value, lo),
                    (None, Some(first)) => {
                        let x = r#gen.local(first);
                        r#gen.bit_of(x, lo)
                    }
                    (None, None) => return,
                };
                r#gen.add_element(sum, e, n);
            };
            self.nest(&levels, &conds, &mut Sink::Each(&mut each));
        }
        self.mov_n(d, sum, n);
    }

    /// Whether the last variable ranges over the domain of the result.
    fn same_domain(&self, aggregate: &Aggregate, domain: DomainId) -> bool {
        match aggregate.binders.last().map(|b| &b.over) {
            Some(Over::Set(set)) => set.ty.base == Base::Set(domain),
            Some(Over::Zone(place)) => self
                .shared
                .game
                .zones
                .get(place.zone.index())
                .is_some_and(|z| z.component == domain),
            Some(Over::Span(..)) | None => false,
        }
    }

    fn extreme_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) {
        if !self.shared.is_plain() {
            let whole = Expr::new(aggregate.clone(), ty, Span::default());
            if let Some(said) = self.shared.greatest_of_few(&whole, true) {
                return self.value_to(&said, d);
            }
        }
        let (best, none) = (self.temp(), self.constant(NONE));
        self.mov(best, none);
        let (levels, conds) = levels_of(&aggregate.binders);
        let greatest = aggregate.op == AggregateOp::Max;
        let variable = aggregate.binders.first().map(|b| b.local);
        let value = aggregate.value.as_ref();
        let mut each = |r#gen: &mut Gen<'_, '_>, _: Option<Reg>| {
            let Some(a) = r#gen.value_or(value, variable) else {
                return;
            };
            if greatest {
                r#gen.op(Op::Max {
                    d: best,
                    a: best,
                    b: a,
                });
            } else {
                let (take, done) = (r#gen.label(), r#gen.label());
                let to = r#gen.to(take);
                r#gen.op(Op::JumpEq {
                    a: best,
                    b: none,
                    to,
                });
                r#gen.op(Op::Min {
                    d: best,
                    a: best,
                    b: a,
                });
                r#gen.jump(done);
                r#gen.bind(take);
                r#gen.mov(best, a);
                r#gen.bind(done);
            }
        };
        self.nest(&levels, &conds, &mut Sink::Each(&mut each));
        self.settle(best, aggregate.default.as_ref(), ty, d);
    }

    fn value_or(&mut self, value: Option<&Expr>, variable: Option<LocalId>) -> Option<Reg> {
        match (value, variable) {
            (Some(value), _) => Some(self.value(value)),
            (None, Some(local)) => Some(self.local(local)),
            (None, None) => None,
        }
    }

    /// What was found, or the default, or absent, or a fault.
    fn settle(&mut self, found: Reg, default: Option<&Expr>, ty: Type, d: Reg) {
        self.mov(d, found);
        match default {
            Some(default) => self.default_to(found, default, d),
            None if ty.optional => {}
            None => self.op(Op::NeedSome { a: found }),
        }
    }

    /// What is to be had where nothing was found; else `d` stays as it is.
    pub(super) fn default_to(&mut self, found: Reg, default: &Expr, d: Reg) {
        let (done, none) = (self.label(), self.constant(NONE));
        let to = self.to(done);
        self.op(Op::JumpNe {
            a: found,
            b: none,
            to,
        });
        self.value_to(default, d);
        self.bind(done);
    }

    fn best_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) {
        let (levels, conds) = levels_of(&aggregate.binders);
        let (Some(key), Some(variable)) =
            (&aggregate.value, aggregate.binders.first().map(|b| b.local))
        else {
            return self.fail(FaultKind::Bounds);
        };
        let none = self.constant(NONE);
        let best = self.temp();
        self.mov(best, none);
        let most = aggregate.op == AggregateOp::Most;
        let better = |best: Reg, a: Reg, to: u16| {
            if most {
                Op::JumpLt { a: best, b: a, to }
            } else {
                Op::JumpLt { a, b: best, to }
            }
        };
        let Base::Set(domain) = ty.base else {
            return self.fail(FaultKind::Bounds);
        };
        let (n, lo) = (words_for(self.domain_size(domain)), self.domain_lo(domain));
        let winners = self.temps(n);
        self.op(Op::Clear { d: winners, n });
        let mut each = |r#gen: &mut Gen<'_, '_>, _: Option<Reg>| {
            let a = r#gen.value_there(key);
            let x = r#gen.local(variable);
            let e = r#gen.bit_of(x, lo);
            let (take, add, done) = (r#gen.label(), r#gen.label(), r#gen.label());
            let to = r#gen.to(take);
            r#gen.op(Op::JumpEq {
                a: best,
                b: none,
                to,
            });
            r#gen.op(better(best, a, to));
            let to = r#gen.to(add);
            r#gen.op(Op::JumpEq { a: best, b: a, to });
            r#gen.jump(done);
            r#gen.bind(take);
            r#gen.mov(best, a);
            r#gen.op(Op::Clear { d: winners, n });
            r#gen.bind(add);
            r#gen.add_element(winners, e, n);
            r#gen.bind(done);
        };
        self.nest(&levels, &conds, &mut Sink::Each(&mut each));
        self.mov_n(d, winners, n);
        if let Some(default) = &aggregate.default {
            self.default_to(best, default, d);
        }
    }

    fn end_to(&mut self, aggregate: &Aggregate, ty: Type, d: Reg) {
        let (levels, conds) = levels_of(&aggregate.binders);
        let Some(variable) = aggregate.binders.first() else {
            return self.fail(FaultKind::Bounds);
        };
        let (found, none) = (self.temp(), self.constant(NONE));
        let of_set = match (
            aggregate.binders.as_slice(),
            &variable.over,
            &variable.order,
        ) {
            ([_], Over::Set(set), Order::Ascending) => match set.ty.base {
                Base::Set(domain) => self.whole_set(aggregate).map(|(all, _)| (domain, all)),
                _ => None,
            },
            _ => None,
        };
        // Else no more are asked than up to the first that is found.
        if let Some((domain, all)) = of_set {
            let (n, lo) = (words_for(self.domain_size(domain)), self.domain_lo(domain));
            // Nothing is left to be done with what is found.
            let whole = lo == 0 && ty.optional && aggregate.default.is_none();
            let found = if whole { d } else { found };
            self.op(if aggregate.op == AggregateOp::First {
                Op::First {
                    d: found,
                    a: all,
                    n,
                }
            } else {
                Op::Last {
                    d: found,
                    a: all,
                    n,
                }
            });
            if whole {
                return;
            }
            if lo != 0 {
                let skip = self.label();
                let to = self.to(skip);
                self.op(Op::JumpEq {
                    a: found,
                    b: none,
                    to,
                });
                self.unbit(found, lo);
                self.bind(skip);
            }
        } else {
            self.mov(found, none);
            let (local, first) = (variable.local, aggregate.op == AggregateOp::First);
            let out = self.label();
            let mut each = |r#gen: &mut Gen<'_, '_>, _: Option<Reg>| {
                let x = r#gen.local(local);
                r#gen.mov(found, x);
                if first {
                    r#gen.jump(out);
                }
            };
            self.nest(&levels, &conds, &mut Sink::Each(&mut each));
            self.bind(out);
        }
        self.settle(found, aggregate.default.as_ref(), ty, d);
    }
}

/// The negation of a condition.
pub(super) fn not(expr: &Expr) -> Expr {
    let kind = ExprKind::unary(crate::model::UnaryOp::Not, expr.clone());
    expr.with_kind(kind)
}

//! How many of a few conditions hold, asked of all elements at once.

use std::collections::HashMap;

use super::folds::mirrored;
use super::inline::{mentions, substitute};
use super::mask::{Plan, conjuncts, is_local, terms};
use super::related::{Related, some};
use super::sure::within;
use super::tables::Tabled;
use super::through::{Through, is_nowhere, put};
use super::unroll::{MOST_NUMBERS, joined, not};
use super::{Gen, Shared};
use crate::engine::layout::words_for;
use crate::engine::op::Reg;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, Field, LocalId, NONE,
    Node, Over, Place, Type, UnaryOp, each_in_expr,
};

/// Four times the work that is worth it for each element, where a table has the members, and where these are looked for.
const WORK_OF_ROW: u64 = 5;
const WORK_OF_EACH: u64 = 12;

/// Work that is less than to look through the rows of all members, where a table has the members, and where these are
/// looked for; of so many words of elements any is less.
const LEAST_OF_ROW: usize = 48;
const LEAST_OF_EACH: usize = 16;
const MOST_WORDS: u16 = 2;

/// What is counted, if that is the members of a set of which something is asked.
fn counted(expr: &Expr) -> Option<&Binder> {
    let aggregate = expr.as_aggregate()?;
    let binder = aggregate.only_binder_of(AggregateOp::Count)?;
    // As a set that has a name elsewhere.
    let (Over::Set(set), None) = (&binder.over, &binder.guard) else {
        return Some(binder);
    };
    let ExprKind::Aggregate(members) = &set.kind else {
        return Some(binder);
    };
    match (members.binders.as_slice(), members.op, &members.value) {
        ([one], AggregateOp::Collect, None) if matches!(one.over, Over::Set(_)) => Some(one),
        _ => Some(binder),
    }
}

/// At least so many of these conditions hold.
#[derive(Clone, Debug)]
pub(super) struct Several {
    least: usize,
    pub parts: Vec<(Expr, Plan)>,
}

impl Several {
    /// Operations that count: each part is added to the elements of which there are fewer.
    pub fn work(&self) -> usize {
        let added = |at: usize| 2 * at.min(self.least);
        let sets: usize = self.parts.iter().map(|(_, plan)| plan.size()).sum();
        sets + (0..self.parts.len()).map(added).sum::<usize>()
    }
}

impl Gen<'_, '_> {
    /// `count { v in D where P(x, v) } >= n` of few values, and `count { t in S where P(t) and R(t, x) } >= n`, where a table
    /// has `R`.
    pub(super) fn several_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let (op, left, right) = cond.as_binary()?;
        let (op, left, right) = match left.as_value() {
            Some(_) => (mirrored(op), right, left),
            None => (op, left, right),
        };
        let (more, negated): (i64, bool) = match op {
            BinaryOp::Ge => (0, false),
            BinaryOp::Gt => (1, false),
            BinaryOp::Lt => (0, true),
            BinaryOp::Le => (1, true),
            _ => return None,
        };
        let number = right.as_value().and_then(|it| it.checked_add(more));
        let least = number.and_then(|it| usize::try_from(it).ok());
        let few = least.and_then(|it| self.of_few(cond, left, it, x, domain));
        let plan = match few {
            Some(Plan::Several(few)) if few.work() > self.least_work(left, x, domain) => {
                let many = self.of_many(left, right, more, x, domain);
                many.unwrap_or(Plan::Several(few))
            }
            Some(plan) => plan,
            None => self.of_many(left, right, more, x, domain)?,
        };
        Some(match negated {
            true => Plan::Not(Box::new(plan)),
            false => plan,
        })
    }

    /// More work than this is worth looking through rows.
    fn least_work(&self, left: &Expr, x: LocalId, domain: DomainId) -> usize {
        let over = counted(left).and_then(|it| it.over.as_set());
        match over {
            _ if words_for(self.domain_size(domain)) > MOST_WORDS => usize::MAX,
            Some(set) if mentions(set, &[x]) => LEAST_OF_ROW,
            _ => LEAST_OF_EACH,
        }
    }

    /// The elements that at least so many members of one set are related to.
    fn of_many(
        &mut self,
        left: &Expr,
        number: &Expr,
        more: i64,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        if mentions(number, &[x]) || self.shared.bounds_of(number)?.0 + more < 1 {
            return None;
        }
        let span = number.span;
        let least = match (number.as_value(), number.ty.base) {
            _ if more == 0 => number.clone(),
            (Some(number), _) => Expr::number(number + more, span),
            (None, Base::Int(lo, hi)) => {
                let more_than =
                    ExprKind::binary(BinaryOp::Add, number.clone(), Expr::number(more, span));
                let ty = Type::of(Base::Int(lo.checked_add(more)?, hi.checked_add(more)?));
                Expr::new(more_than, ty, span)
            }
            _ => return None,
        };
        let related = self.related_counted(left, least, x, domain)?;
        Some(Plan::Related(Box::new(related)))
    }

    /// What is counted, as the members of one set that are related to an element.
    pub(super) fn related_counted(
        &mut self,
        count: &Expr,
        least: Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Related> {
        let binder = counted(count)?;
        let made = self.shared.by_made(binder);
        let binder = made.unwrap_or_else(|| binder.clone());
        let count = Aggregate::over(AggregateOp::Count, vec![binder]);
        self.related(&count, x, domain, Some(least))
    }

    /// The elements of which at least so many of a few conditions hold.
    fn of_few(
        &mut self,
        cond: &Expr,
        left: &Expr,
        least: usize,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let (mut parts, mut is_looked_up) = (Vec::new(), false);
        let terms = terms(left);
        for term in &terms {
            let Some(binder) = counted(term) else {
                let part = (terms.len() > 1).then(|| self.one_or_none(term, x, domain));
                parts.push(part??);
                continue;
            };
            let of_it = self.by_few_values(binder, x, domain);
            let of_it = of_it.or_else(|| self.by_members(binder, x, domain));
            parts.extend(of_it.or_else(|| {
                let (mut by_way, step) = self.shared.by_way(binder)?;
                let there = cond.with_kind(ExprKind::unary(UnaryOp::IsSome, step.clone()));
                let mut asked = binder.guard.clone()?;
                substitute(&mut asked, &HashMap::from([(binder.local, step)]));
                by_way.guard = Some(there.and(asked));
                self.by_few_values(&by_way, x, domain)
            })?);
            is_looked_up |= matches!(&binder.over, Over::Set(set) if mentions(set, &[x]));
        }
        // To look through the members of one set for each element takes less than to ask for each of several conditions.
        let each = if is_looked_up {
            WORK_OF_ROW
        } else {
            WORK_OF_EACH
        };
        let most = each * self.domain_size(domain) / 4;
        if (1..=parts.len()).contains(&least) {
            let several = Several { least, parts };
            return (several.work() as u64 <= most).then(|| Plan::Several(Box::new(several)));
        }
        // However many there are, to count them may fault.
        let fixed = cond.with_kind(ExprKind::Value(i64::from(least == 0)));
        self.shared.surely(left).then_some(Plan::Fixed(fixed))
    }

    /// A number that is 0 or 1 counts where it is not 0.
    fn one_or_none(&mut self, term: &Expr, x: LocalId, domain: DomainId) -> Option<(Expr, Plan)> {
        let zero = term.with_kind(ExprKind::Value(0));
        let is_one = match &term.kind {
            _ if term.ty != Type::of(Base::Int(0, 1)) => return None,
            ExprKind::If(cond, one, none) => match (&one.kind, &none.kind) {
                (ExprKind::Value(1), ExprKind::Value(0)) => (**cond).clone(),
                (ExprKind::Value(0), ExprKind::Value(1)) => not((**cond).clone()),
                _ => return None,
            },
            _ => joined(BinaryOp::Gt, term.clone(), zero),
        };
        let plan = self.plan(&is_one, x, domain)?;
        Some((is_one, plan))
    }

    /// `e == n` of something that is counted is `e >= n and e <= n`.
    pub(super) fn exactly_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), counted, number) = &cond.kind
        else {
            return None;
        };
        let is_counted = |it: &Expr| match &it.kind {
            ExprKind::Count(_) | ExprKind::CountOf(..) => true,
            ExprKind::Aggregate(it) => it.op == AggregateOp::Count,
            ExprKind::If(_, one, other) => {
                let is_one_or_none = |it: &Expr| matches!(it.kind, ExprKind::Value(0 | 1));
                is_one_or_none(one) && is_one_or_none(other)
            }
            _ => false,
        };
        if !terms(counted).into_iter().all(is_counted)
            || !matches!(number.kind, ExprKind::Value(1..))
        {
            return None;
        }
        let against = |op| joined(op, (**counted).clone(), (**number).clone());
        let said = match op {
            BinaryOp::Eq => against(BinaryOp::Ge).and(against(BinaryOp::Le)),
            _ => against(BinaryOp::Lt).or(against(BinaryOp::Gt)),
        };
        let plan = self.plan(&said, x, domain)?;
        Some(Plan::Any(vec![(said, plan)]))
    }

    /// What is asked for each value of a variable that has few.
    fn by_few_values(
        &mut self,
        binder: &Binder,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Vec<(Expr, Plan)>> {
        let (cond, values) = (binder.guard.as_ref()?, self.shared.few_of(binder)?);
        let ty = self.shared.local_type(binder.local);
        let parts = values.into_iter().map(|value| {
            let mut part = cond.clone();
            self.shared.rename(&mut part);
            let (kind, span) = (ExprKind::Value(value), part.span);
            let value = Expr { kind, ty, span };
            substitute(&mut part, &HashMap::from([(binder.local, value)]));
            let plan = self.plan(&part, x, domain)?;
            Some((part, plan))
        });
        parts.collect()
    }

    /// What is asked of the first member, of the second, and so on, of a set that a table has for each element.
    fn by_members(
        &mut self,
        binder: &Binder,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Vec<(Expr, Plan)>> {
        let t = binder.local;
        let (set, lying) = match &binder.over {
            Over::Set(set) => (set.clone(), None),
            Over::Zone(place) if !place.index.iter().any(|it| mentions(it, &[x])) => {
                let (set, lies) = self.kinds_once(place, t)?;
                (set, Some(lies))
            }
            Over::Zone(_) | Over::Span(..) => return None,
        };
        let over = set.ty.base.set_over()?;
        let fits = self.is_gathered(domain) && self.domain_lo(over) == 0 && !self.is_parts(over);
        let (set, lying) = match self.shared.reads_state(&set) {
            false => (set, lying),
            // Of all that may be members those that are.
            true if fits && lying.is_none() && !mentions(&set, &[x]) => {
                let one = self.shared.local(t, set.span);
                let all = set.with_kind(ExprKind::All(over));
                (all, Some(joined(BinaryOp::In, one, set)))
            }
            true => return None,
        };
        if !fits {
            return None;
        }
        let mut parts = Vec::new();
        binder.guard.iter().for_each(|it| conjuncts(it, &mut parts));
        let (asked, related): (Vec<&Expr>, Vec<&Expr>) = parts
            .into_iter()
            .partition(|it| self.shared.reads_state(it));
        let asked = lying.into_iter().chain(asked.into_iter().cloned());
        let asked = asked.reduce(Expr::and)?;
        if mentions(&asked, &[x]) {
            return None;
        }
        let related = related.into_iter().cloned();
        let member = binder.with_over(set.clone());
        let member = member.guarded(related.reduce(Expr::and));
        let members = Aggregate::over(AggregateOp::Collect, vec![member]);
        let mut members = set.with_kind(members);
        self.shared.rename(&mut members);
        let table = self
            .by_last(&members, x, domain)
            .filter(|it| !it.faults && it.inputs.len() == 1)?;
        let plan = self.plan(&asked, t, over)?;
        let tables = self.nth_members(&table, over)?;
        let parts = tables.into_iter().map(|table| {
            let through = Through {
                local: t,
                domain: over,
                cond: asked.clone(),
                plan: plan.clone(),
                table,
                step: None,
                needed: None,
            };
            (asked.clone(), Plan::Through(Box::new(through)))
        });
        Some(parts.collect())
    }

    /// What lies in a bag in which each kind lies once at most: all kinds, and that they lie there.
    fn kinds_once(&self, place: &Place, t: LocalId) -> Option<(Expr, Expr)> {
        if !self.shared.lies_once(place) {
            return None;
        }
        let component = self.shared.game.zones.get(place.zone.index())?.component;
        let (set, span) = (Type::of(Base::Set(component)), Default::default());
        let expr = |kind, ty| Expr { kind, ty, span };
        let kinds = expr(ExprKind::Kinds(place.clone()), set);
        let one = expr(ExprKind::Local(t), Type::of(Base::Elem(component)));
        let all = expr(ExprKind::All(component), set);
        Some((all, joined(BinaryOp::In, one, kinds)))
    }

    /// From a table of sets those of their first members, of their second ones, and so on, if they have few.
    fn nth_members(&mut self, table: &Tabled, over: DomainId) -> Option<Vec<Tabled>> {
        let words = usize::from(words_for(self.domain_size(over)));
        let members = |row: &[i64]| {
            let bits = (0..64 * row.len() as i64).filter(|at| {
                let word = row.get((at / 64) as usize).copied().unwrap_or_default();
                word >> (at % 64) & 1 == 1
            });
            bits.collect::<Vec<i64>>()
        };
        let rows: Vec<Vec<i64>> = self
            .shared
            .cells(table)?
            .chunks(words)
            .map(members)
            .collect();
        let most = rows.iter().map(Vec::len).max()?;
        if most > MOST_NUMBERS {
            return None;
        }
        let nth = |n: usize| {
            let cells = rows.iter().map(|row| row.get(n).copied().unwrap_or(NONE));
            let name = format!("member {n} of {}", table.base);
            let known = self.shared.tables.named(&name);
            let base = known.unwrap_or_else(|| self.shared.data(cells));
            self.shared.tables.name(&name, base);
            Tabled {
                base,
                words: 1,
                ..table.clone()
            }
        };
        Some((0..most).map(nth).collect())
    }

    fn both(&mut self, one: Reg, other: Reg, n: u16) -> Reg {
        let d = self.temps(n);
        self.and(d, one, other, n);
        d
    }

    /// Those elements of which so many conditions hold.
    pub(super) fn several_mask(
        &mut self,
        several: &Several,
        domain: DomainId,
        within: Option<Reg>,
    ) -> Reg {
        let n = words_for(self.domain_size(domain));
        // Behind so many parts, the elements of which one, two and more of them hold.
        let mut held: Vec<Reg> = Vec::new();
        for (_, plan) in &several.parts {
            let part = self.mask(plan, domain, within);
            let before = held.clone();
            for (at, of) in held.iter_mut().enumerate() {
                let more = match at.checked_sub(1).and_then(|it| before.get(it)) {
                    Some(fewer) => self.both(*fewer, part, n),
                    None => part,
                };
                let d = self.temps(n);
                self.or(d, *of, more, n);
                *of = d;
            }
            if held.len() < several.least {
                let first = match before.last() {
                    Some(fewer) => self.both(*fewer, part, n),
                    None => part,
                };
                held.push(first);
            }
        }
        held.pop().unwrap_or(crate::engine::op::CONSTS)
    }
}

impl Shared<'_> {
    /// `v in D where P(Cell(v, r))` as `t in Cell where some { v in D where t == Cell(v, r) } and P(t)`: each `v` says another
    /// place.
    pub(super) fn by_made(&mut self, binder: &Binder) -> Option<Binder> {
        let (v, guard) = (binder.local, binder.guard.as_ref()?);
        binder.over.as_set()?;
        let (mut found, mut bound) = (None, Vec::new());
        let mut note = |node: Node<'_>| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(it) if found.is_none() => {
                if let ExprKind::Make(space, args) = &it.kind
                    && args.iter().any(|it| is_local(it, v))
                {
                    found = Some((it.clone(), *space, args.clone()));
                }
            }
            _ => {}
        };
        note(Node::Expr(guard));
        each_in_expr(guard, &mut note);
        let (made, space, args) = found?;
        let ty = self.local_type(v);
        let mut axes = args.iter().zip(self.axes(space)?);
        let is_told = |(arg, axis): (&Expr, &Field)| match is_local(arg, v) {
            true => within(ty, axis.ty),
            false => !mentions(arg, &[v]),
        };
        if mentions(&made, &bound) || !axes.all(is_told) {
            return None;
        }
        let place = Type::of(Base::Elem(space));
        let local = self.new_local(place);
        let mut asked = guard.clone();
        put(&mut asked, &made, local, place);
        if mentions(&asked, &[v]) || made.ty.optional && !is_nowhere(&asked, local) {
            return None;
        }
        let here = Expr::local(local, place, made.span);
        let is_it = joined(BinaryOp::Eq, here, made.clone());
        let mut is_one = some(vec![binder.unguarded().guarded(is_it)]);
        self.rename(&mut is_one);
        Some(Binder::over(local, Expr::all(space, made.span)).guarded(is_one.and(asked)))
    }
}

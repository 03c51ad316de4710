//! Pairs of which more is asked than one table says: by what lies at the first of both, and in cases of which each asks
//! something of the second alone.

use super::Gen;
use super::facts::Facts;
use super::inline::mentions;
use super::mask::{Plan, conjuncts};
use super::pairs::{From, MOST_PARTS, Part};
use super::tables::{Input, Tabled};
use super::unroll::joined;
use crate::model::{AggregateOp, BinaryOp, Expr, ExprKind, LocalId, Over, Type};

/// Most cases in which a condition on both is taken apart.
const MOST_CASES: usize = 4;
/// Most kinds of what lies at an element that are looked at one by one.
const MOST_VALUES: u64 = 64;

/// One case in which a condition on both elements of a pair holds.
#[derive(Clone, Default)]
pub(super) struct Case {
    /// What is asked of both, in every position.
    pub rows: Vec<Tabled>,
    /// What is asked of the second alone.
    pub within: Vec<Plan>,
}

/// From which elements something leads, and where.
pub(super) type Lead = (Option<Plan>, Case);

impl Case {
    pub fn of(table: Tabled) -> Self {
        Self {
            rows: vec![table],
            within: Vec::new(),
        }
    }

    pub fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.rows.extend(other.rows.iter().cloned());
        both.within.extend(other.within.iter().cloned());
        both
    }
}

/// Each of some cases with each of others.
pub(super) fn with_each(some: &[Case], others: &[Case]) -> Option<Vec<Case>> {
    let each = some
        .iter()
        .flat_map(|it| others.iter().map(|of| it.and(of)));
    let each: Vec<Case> = each.collect();
    (each.len() <= MOST_CASES).then_some(each)
}

impl Gen<'_, '_> {
    /// The cases in which a condition on `x` and another element is `holds`: `R(x, t) or E(t)` is the one or the other.
    pub(super) fn cases(
        &mut self,
        plan: &Plan,
        holds: bool,
        x: LocalId,
        facts: &Facts,
    ) -> Option<Vec<Case>> {
        if !hangs_on(plan, x)? {
            let own = match holds {
                true => plan.clone(),
                false => Plan::Not(Box::new(plan.clone())),
            };
            return Some(vec![Case {
                rows: Vec::new(),
                within: vec![own],
            }]);
        }
        match plan {
            Plan::Row(_) | Plan::Member(_) => {
                let table = match plan {
                    Plan::Member(set) => self.table_for(set, &[x], &mut facts.clone())?,
                    Plan::Row(table) => table.clone(),
                    _ => return None,
                };
                let table = match holds {
                    true => table,
                    false => self.shared.complement(&table)?,
                };
                Some(vec![Case {
                    rows: vec![table],
                    within: Vec::new(),
                }])
            }
            Plan::Not(part) => self.cases(part, !holds, x, facts),
            Plan::And(one, other) | Plan::Or(one, other) => {
                let (one, other) = (
                    self.cases(one, holds, x, facts)?,
                    self.cases(other, holds, x, facts)?,
                );
                match matches!(plan, Plan::And(..)) == holds {
                    true => with_each(&one, &other),
                    false => {
                        let all: Vec<Case> = one.into_iter().chain(other).collect();
                        (all.len() <= MOST_CASES).then_some(all)
                    }
                }
            }
            Plan::Choice(parts) => {
                let [which, then, or] = &**parts;
                let first = with_each(
                    &self.cases(which, true, x, facts)?,
                    &self.cases(then, holds, x, facts)?,
                )?;
                let second = with_each(
                    &self.cases(which, false, x, facts)?,
                    &self.cases(or, holds, x, facts)?,
                )?;
                let all: Vec<Case> = first.into_iter().chain(second).collect();
                (all.len() <= MOST_CASES).then_some(all)
            }
            Plan::Any(parts) => match parts.as_slice() {
                [(_, part)] => self.cases(part, holds, x, facts),
                _ => None,
            },
            Plan::Said(said) => self.cases(&said.1, holds, x, facts),
            _ => None,
        }
    }

    /// Adds where a set leads of whose members more is asked than a table says: the cases of that.
    pub(super) fn lead_members(
        &mut self,
        set: &Expr,
        asked: Option<&Expr>,
        from: &From<'_>,
        facts: &Facts,
        parts: &mut Vec<Lead>,
    ) -> bool {
        if let Some(more) = self.members_led(set, asked, from, facts) {
            parts.extend(more);
            return true;
        }
        if from.member.is_none() || !self.sure(set, &mut facts.clone()) {
            return false;
        }
        let Some([one, other]) = either_of(set) else {
            return false;
        };
        let first = self.members_led(&one, asked, from, facts);
        let both = first.and_then(|first| {
            let second = self.members_led(&other, asked, from, facts)?;
            Some(first.into_iter().chain(second))
        });
        let is_led = both.is_some();
        parts.extend(both.into_iter().flatten());
        is_led
    }

    fn members_led(
        &mut self,
        set: &Expr,
        asked: Option<&Expr>,
        from: &From<'_>,
        facts: &Facts,
    ) -> Option<Vec<Lead>> {
        let (t, to) = from.member?;
        let one = self.shared.local(t, set.span);
        let (mut base, mut conds) = self.opened(set, &one)?;
        let (sources, table) = loop {
            match self.leaf(&base, asked, from, facts) {
                Some(leaf) => break leaf,
                None => {
                    let (less, more) = self.opened(&base, &one)?;
                    conds.splice(..0, more);
                    base = less;
                }
            }
        };
        let (mut known, mut cases) = (facts.clone(), vec![Case::of(table)]);
        self.learn_binder(t, &Over::Set(base), &mut known);
        for cond in &conds {
            let mut early = facts.clone();
            let plan = self.sound_plan(cond, t, to, &mut early, &mut known)?;
            cases = with_each(&cases, &self.cases(&plan, true, from.x, facts)?)?;
            self.learn(cond, true, &mut known);
        }
        // What hangs on more of the element is asked way by way.
        let mut rows = cases.iter().flat_map(|it| &it.rows);
        if !rows.all(|it| self.is_by(it, from.x)) {
            return None;
        }
        Some(cases.into_iter().map(|it| (sources.clone(), it)).collect())
    }

    /// A table by one more that hangs on the element, as what lies there: for each set that it gives, of which elements it is asked.
    pub(super) fn split_by(
        &mut self,
        part: &Part,
        from: &From<'_>,
        facts: &Facts,
        parts: &mut Vec<Part>,
    ) -> Option<()> {
        for (plan, table) in self.by_what_lies(&part.table, from, facts)? {
            if parts.len() == MOST_PARTS {
                return None;
            }
            let asked = part.sources.as_ref();
            parts.push(Part {
                sources: Some(both(asked, plan)),
                table,
                within: part.within.clone(),
            });
        }
        Some(())
    }

    /// Adds where a set leads that hangs on what lies at the element.
    pub(super) fn lead_by_what_lies(
        &mut self,
        set: &Expr,
        asked: Option<&Expr>,
        from: &From<'_>,
        facts: &Facts,
        parts: &mut Vec<Lead>,
    ) -> Option<()> {
        let table = self.shared.tabled(set, &[from.x])?;
        let (mut facts, mut conds) = (facts.clone(), Vec::new());
        asked.iter().for_each(|it| conjuncts(it, &mut conds));
        let sources = self.asked_of_all(&conds, |_| true, from, &mut facts)?;
        if table.faults && !self.sure(set, &mut facts) {
            return None;
        }
        for (plan, table) in self.by_what_lies(&table, from, &facts)? {
            parts.push((Some(both(sources.as_ref(), plan)), Case::of(table)));
        }
        (parts.len() <= MOST_PARTS).then_some(())
    }

    /// The sets of a table that hangs on what lies at the element: each with the elements of which it is asked.
    fn by_what_lies(
        &mut self,
        table: &Tabled,
        from: &From<'_>,
        facts: &Facts,
    ) -> Option<Vec<(Plan, Tabled)>> {
        let hangs = |it: &Self, input: &Input| {
            it.digit_of(input, from.x).is_none() && mentions(&input.expr, &[from.x])
        };
        let at = table.inputs.iter().position(|it| hangs(self, it))?;
        let input = table.inputs.get(at)?.clone();
        let is_few = input.n <= MOST_VALUES && self.is_there(&input.expr, facts);
        let n = input.n - u64::from(input.expr.ty.optional);
        if !is_few {
            return None;
        }
        let ty = Type::of(input.expr.ty.base);
        let mut found: Vec<(Tabled, Expr)> = Vec::new();
        let tables = self.shared.split(table, at)?.into_iter();
        for (value, table) in (input.lo..).zip(tables).take(n as usize) {
            if self.is_void(&table) {
                continue;
            }
            let value = Expr::new(ExprKind::Value(value), ty, input.expr.span);
            let is = joined(BinaryOp::Eq, input.expr.clone(), value);
            let cells = self.shared.cells(&table);
            let alike = found
                .iter_mut()
                .find(|it| self.shared.cells(&it.0) == cells);
            match alike {
                Some((_, asked)) => *asked = asked.clone().or(is),
                None => found.push((table, is)),
            }
        }
        let parts = found.into_iter().map(|(table, asked)| {
            let (mut early, mut facts) = (from.early.clone(), facts.clone());
            let plan = self.sound_plan(&asked, from.x, from.domain, &mut early, &mut facts)?;
            self.is_by(&table, from.x).then_some((plan, table))
        });
        parts.collect()
    }
}

fn both(asked: Option<&Plan>, plan: Plan) -> Plan {
    match asked {
        Some(asked) => Plan::And(Box::new(asked.clone()), Box::new(plan)),
        None => plan,
    }
}

/// `{ e for x in S where P and (A or B) }` as `{ e for x in S where P and A }` and `{ e for x in S where P and B }`.
fn either_of(set: &Expr) -> Option<[Expr; 2]> {
    let of = set.as_aggregate()?;
    let last = of
        .binders
        .last()
        .filter(|_| of.op == AggregateOp::Collect)?;
    let mut parts = Vec::new();
    conjuncts(last.guard.as_ref()?, &mut parts);
    let at = parts
        .iter()
        .position(|it| it.operands_of(BinaryOp::Or).is_some())?;
    let (one, other) = parts.get(at)?.operands_of(BinaryOp::Or)?;
    Some([one, other].map(|case| {
        let mut of_case = of.clone();
        let cond = |(of, it): (usize, &&Expr)| {
            if of == at {
                case.clone()
            } else {
                (*it).clone()
            }
        };
        let guard = parts.iter().enumerate().map(cond).reduce(Expr::and);
        if let Some(last) = of_case.binders.last_mut() {
            last.guard = guard;
        }
        set.with_kind(of_case)
    }))
}

/// Whether a set hangs on an element, where that is easy to see.
fn hangs_on(plan: &Plan, x: LocalId) -> Option<bool> {
    let is_said = |it: &Expr| mentions(it, &[x]);
    Some(match plan {
        Plan::Filled(_) | Plan::Kept(_) => false,
        Plan::Member(it) | Plan::Is(it) | Plan::Fixed(it) => is_said(it),
        Plan::Kind(_, it) | Plan::Field(_, _, it) => is_said(it),
        Plan::Holds(holds) => holds.kind.as_ref().is_some_and(is_said),
        Plan::Lane(_, values) => values.exprs().into_iter().any(is_said),
        Plan::Row(table) | Plan::KindIn(_, table) => {
            table.inputs.iter().any(|it| is_said(&it.expr))
        }
        Plan::Not(part) => hangs_on(part, x)?,
        Plan::And(one, other) | Plan::Or(one, other) => hangs_on(one, x)? || hangs_on(other, x)?,
        Plan::Choice(parts) => {
            let [which, then, other] = &**parts;
            hangs_on(which, x)? || hangs_on(then, x)? || hangs_on(other, x)?
        }
        Plan::Any(parts) => {
            let mut hangs = false;
            for (_, part) in parts {
                hangs |= hangs_on(part, x)?;
            }
            hangs
        }
        Plan::Said(said) => hangs_on(&said.1, x)?,
        _ => return None,
    })
}

//! `x in S, t in T(x)` as pairs: from which `x` each table of targets leads on, asked of all of them at once.

use std::collections::HashMap;

use super::Gen;
use super::arms::chain;
use super::facts::Facts;
use super::inline::{mentions, substitute};
use super::mask::{Plan, conjuncts};
use super::nest::{Cond, Level, Nest, Sink};
use super::pairs_apart::{Case, Lead, with_each};
use super::tables::Tabled;
use super::unroll::not;
use crate::engine::layout::words_for;
use crate::model::{BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Order, Over, UnaryOp};

/// Most parts of which pairs are made.
pub(super) const MOST_PARTS: usize = 32;

/// Most sets that these parts are made of: beyond that to ask element by element costs less.
const MOST_SETS: usize = 96;

/// Pairs of elements of one level and members of the next.
pub(super) struct Pairs {
    pub parts: Vec<Part>,
    /// What else is asked of the members, where that is no set yet.
    pub within: Option<Vec<Plan>>,
    /// Words of a row.
    pub words: u16,
}

impl Pairs {
    /// Whether there is one row of one word for each element.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.parts.as_slice(), [part] if part.sources.is_none()) && self.words == 1
    }
}

/// Some of them.
pub(super) struct Part {
    /// From which elements; from all of them where nothing is said.
    pub sources: Option<Plan>,
    /// Where they lead; the inputs are the same for all parts.
    pub table: Tabled,
    /// What is asked of the members of this part alone.
    pub within: Vec<Plan>,
}

/// What is known of the element of the outer level.
pub(super) struct From<'f> {
    pub x: LocalId,
    pub domain: DomainId,
    /// Stands for where it leads, if more may be asked of that.
    pub member: Option<(LocalId, DomainId)>,
    /// What is known before the loops.
    pub early: &'f Facts,
}

impl Gen<'_, '_> {
    /// The pairs that the levels `k` and `k + 1`, the last ones, run over, if nothing else is asked of either.
    pub(super) fn pairs_of(
        &mut self,
        k: usize,
        nest: &Nest<'_, '_>,
        sink: &Sink<'_>,
    ) -> Option<Pairs> {
        let [outer, inner] = nest.levels.get(k..)? else {
            return None;
        };
        let simple = |at: usize| nest.residual.get(at).is_none_or(Vec::is_empty);
        let ascending = [outer, inner]
            .iter()
            .all(|level| matches!(level.order, Order::Ascending) && level.member.is_none());
        // How many copies of something lie somewhere makes no more moves.
        let (Over::Set(_) | Over::Zone(_), Over::Set(_) | Over::Zone(_)) = (outer.over, inner.over)
        else {
            return None;
        };
        let listed = matches!(sink, Sink::Emit { .. } | Sink::Exists(_)) && nest.copies.is_none();
        if !ascending || !listed || !simple(k + 1) || !simple(k + 2) {
            return None;
        }
        let domain = self.level_domain(nest.levels, k)?;
        let to = self.level_domain(nest.levels, k + 1)?;
        let is_known = *nest.ready_at.get(k + 1)? <= k;
        let (mut rows, mut within, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
        for (of, at, plan) in &nest.masks {
            match plan {
                _ if *of == k && self.mask_time(k, *at, nest) > k => return None,
                _ if *of != k + 1 => {}
                _ if *at <= k => within.push(plan.clone()),
                Plan::Row(table) => rows.push(table.clone()),
                Plan::Member(set) => {
                    let mut facts = nest.known.get(k + 1)?.clone();
                    rows.push(self.table_for(set, &[outer.local], &mut facts)?);
                }
                _ => {
                    let facts = nest.known.get(k + 1)?.clone();
                    mixed.push(self.cases(plan, true, outer.local, &facts)?);
                }
            }
        }
        let early = nest.known.get(k)?;
        let from = From {
            x: outer.local,
            domain,
            member: Some((inner.local, to)),
            early,
        };
        let facts = nest.known.get(k + 1)?.clone();
        let mut parts = Vec::new();
        if is_known {
            let within = Vec::new();
            parts.push((None, Case { rows, within }));
        } else {
            let known = &mut early.clone();
            if self.is_parts(to) || !within.iter().all(|plan| self.early(plan, known)) {
                return None;
            }
            self.lead_to(inner.over.as_set()?, None, &from, &facts, &mut parts)?;
            for (_, case) in &mut parts {
                case.rows.extend(rows.iter().cloned());
            }
        }
        let mut cases: Vec<Case> = vec![Case::default()];
        for mixed in mixed {
            cases = with_each(&cases, &mixed)?;
        }
        let mut owns = Vec::new();
        let (mut sources, mut tables) = (Vec::new(), Vec::new());
        for (part, own) in parts {
            for case in &cases {
                let (case, mut early) = (own.and(case), early.clone());
                if !case.within.iter().all(|plan| self.early(plan, &mut early)) {
                    return None;
                }
                sources.push(part.clone());
                tables.push(case.rows);
                owns.push(case.within);
            }
        }
        if tables.is_empty() || tables.iter().any(Vec::is_empty) {
            return None;
        }
        let words = words_for(self.domain_size(to));
        let tables = self.shared.met(tables, words)?;
        let mut parts = Vec::new();
        for ((sources, table), within) in sources.into_iter().zip(tables).zip(owns) {
            let part = Part {
                sources,
                table,
                within,
            };
            match self.is_by(&part.table, from.x) {
                true => parts.push(part),
                false => self.split_by(&part, &from, &facts, &mut parts)?,
            }
        }
        let work = parts.iter().filter_map(|it| it.sources.as_ref());
        if parts.is_empty() || work.map(Plan::size).sum::<usize>() > MOST_SETS {
            return None;
        }
        let is_gathered = parts.iter().any(|it| self.gathers(&it.table, from.x));
        if is_gathered && (parts.len() > 1 || words > 1) {
            return None;
        }
        let sets = parts
            .len()
            .checked_mul(usize::from(words_for(self.domain_size(domain))))?;
        let members = match parts.iter().all(|it| it.within.is_empty()) {
            true => usize::from(words),
            false => parts.len().checked_mul(usize::from(words))?,
        };
        let fits =
            (parts.len() == 1 || u8::try_from(sets).is_ok()) && u8::try_from(members).is_ok();
        fits.then_some(Pairs {
            parts,
            within: (!is_known).then_some(within),
            words,
        })
    }

    /// Adds where a set leads from an element: for each part, of which elements it is asked and the tables of what it
    /// has then.
    pub(super) fn lead_to(
        &mut self,
        set: &Expr,
        asked: Option<&Expr>,
        from: &From<'_>,
        facts: &Facts,
        parts: &mut Vec<Lead>,
    ) -> Option<()> {
        if let Some((sources, table)) = self.leaf(set, asked, from, facts) {
            let never = self.is_void(&table) || sources.as_ref().is_some_and(|it| self.never(it));
            if !never {
                parts.push((sources, Case::of(table)));
            }
            return (parts.len() <= MOST_PARTS).then_some(());
        }
        if self.lead_members(set, asked, from, facts, parts) {
            return (parts.len() <= MOST_PARTS).then_some(());
        }
        let mut lead = |it: &mut Self, set: &Expr, cond: Option<Expr>| {
            let all = match (asked.cloned(), cond) {
                (Some(asked), Some(cond)) => Some(asked.and(cond)),
                (asked, cond) => asked.or(cond),
            };
            it.lead_to(set, all.as_ref(), from, facts, parts)
        };
        match &set.kind {
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                lead(self, left, None)?;
                lead(self, right, None)
            }
            ExprKind::If(cond, then, other) => {
                lead(self, then, Some((**cond).clone()))?;
                lead(self, other, Some(not((**cond).clone())))
            }
            ExprKind::Match(subject, arms, other) if !subject.ty.optional => {
                let chosen = chain(subject, arms, other.as_deref(), set)?;
                lead(self, &chosen, None)
            }
            ExprKind::Let(local, value, body) if self.sure(set, &mut facts.clone()) => {
                let mut body = (**body).clone();
                substitute(&mut body, &HashMap::from([(*local, (**value).clone())]));
                lead(self, &body, None)
            }
            ExprKind::Aggregate(aggregate) => {
                let Some(ways) = self.shared.for_each_way(aggregate, set) else {
                    return self.lead_by_what_lies(set, asked, from, facts, parts);
                };
                for (cond, targets) in ways {
                    lead(self, &targets, Some(cond))?;
                }
                Some(())
            }
            ExprKind::Call(..) => self.lead_by_what_lies(set, asked, from, facts, parts),
            // What is none is left out.
            ExprKind::SetOf(items) if items.len() > 1 => {
                for one in items {
                    let there =
                        Expr::truth(ExprKind::unary(UnaryOp::IsSome, one.clone()), one.span);
                    let alone = set.with_kind(ExprKind::SetOf(vec![one.clone()]));
                    lead(self, &alone, one.ty.optional.then_some(there))?;
                }
                Some(())
            }
            _ => None,
        }
    }

    /// From which elements a set leads where a table says, if it does.
    pub(super) fn leaf(
        &mut self,
        set: &Expr,
        asked: Option<&Expr>,
        from: &From<'_>,
        facts: &Facts,
    ) -> Option<(Option<Plan>, Tabled)> {
        let mut conds = Vec::new();
        asked.iter().for_each(|it| conjuncts(it, &mut conds));
        let mut known = facts.clone();
        conds
            .iter()
            .for_each(|cond| self.learn(cond, true, &mut known));
        let is_set = match &set.kind {
            ExprKind::SetOf(items) => items.iter().all(|it| self.is_there(it, &known)),
            _ => true,
        };
        if !is_set {
            return None;
        }
        // What no position changes is asked when the table is made.
        let (always, now): (Vec<&Expr>, Vec<&Expr>) = conds
            .iter()
            .partition(|cond| !self.shared.reads_state(cond));
        let always = always.into_iter().cloned();
        let always = always.reduce(Expr::and);
        let folded = always.and_then(|cond| {
            let nothing = set.with_kind(ExprKind::SetOf(Vec::new()));
            let kind = ExprKind::choice(cond, set.clone(), nothing);
            let part = set.with_kind(kind);
            let table = self.table_for(&part, &[from.x], &mut known.clone())?;
            (!table.faults && self.is_by(&table, from.x)).then_some(table)
        });
        let is_folded = folded.is_some();
        let table = match folded {
            Some(table) => table,
            None => {
                let table = self.table_for(set, &[from.x], &mut known)?;
                self.is_by(&table, from.x).then_some(table)?
            }
        };
        let is_now = |it: &Expr| !is_folded || now.iter().any(|now| std::ptr::eq(*now, it));
        let sources = self.asked_of_all(&conds, is_now, from, &mut facts.clone())?;
        Some((sources, table))
    }

    /// Of which elements conditions hold that are asked of them, one after the other; of all where none is.
    pub(super) fn asked_of_all(
        &mut self,
        conds: &[&Expr],
        is_asked: impl Fn(&Expr) -> bool,
        from: &From<'_>,
        facts: &mut Facts,
    ) -> Option<Option<Plan>> {
        let mut sources = None;
        for cond in conds {
            if is_asked(cond) {
                let early = &mut from.early.clone();
                let plan = self.sound_plan(cond, from.x, from.domain, early, facts)?;
                sources = Some(match sources {
                    Some(before) => Plan::And(Box::new(before), Box::new(plan)),
                    None => plan,
                });
            }
            self.learn(cond, true, facts);
        }
        Some(sources)
    }

    /// Whether the rows of a table have no members.
    pub(super) fn is_void(&self, table: &Tabled) -> bool {
        let cells = self.shared.cells(table);
        cells.is_some_and(|cells| cells.iter().all(|word| *word == 0))
    }

    /// Whether a condition holds for no element in any position.
    fn never(&self, plan: &Plan) -> bool {
        match plan {
            Plan::Row(table) | Plan::KindIn(_, table) => self.is_void(table),
            Plan::And(left, right) => self.never(left) || self.never(right),
            Plan::Or(left, right) => self.never(left) && self.never(right),
            Plan::Any(parts) => parts.iter().all(|(_, plan)| self.never(plan)),
            _ => false,
        }
    }

    /// Whether the rows of a table hang on an element itself and on what is known before it.
    pub(super) fn is_by(&mut self, table: &Tabled, x: LocalId) -> bool {
        table.inputs.iter().all(|input| {
            self.digit_of(input, x).is_some()
                || !mentions(&input.expr, &[x]) && self.sure_here(&input.expr)
        })
    }

    /// The last of some levels with more elements, and what is asked of these besides, if the pairs of the last two
    /// levels are one operation then.
    pub(super) fn looser(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &Sink<'_>,
    ) -> Option<(Over, Vec<Expr>)> {
        let [before @ .., last] = levels else {
            return None;
        };
        let k = before.len().checked_sub(1)?;
        let listed = matches!(sink, Sink::Emit { .. } | Sink::Exists(_)) && last.member.is_none();
        let Over::Set(set) = last.over else {
            return None;
        };
        let locals: Vec<LocalId> = before.iter().map(|it| it.local).collect();
        if !listed || !mentions(set, &locals) {
            return None;
        }
        let mut facts = self.facts_in(before, conds);
        let one = self.shared.local(last.local, set.span);
        let (mut set, mut asked) = (set.clone(), Vec::new());
        let x = locals.get(k).copied()?;
        while self.sure(&set, &mut facts) && self.table_for(&set, &[x], &mut facts).is_none() {
            let Some((base, more)) = self.opened(&set, &one) else {
                break;
            };
            set = base;
            asked.splice(..0, more);
        }
        if asked.is_empty() || !self.sure(&set, &mut facts) {
            return None;
        }
        let over = Over::Set(set);
        let levels = with_set(levels, 0, &over);
        let conds = with_asked(conds, &asked, levels.len());
        let is_one = self.are_pairs(&levels, &conds, sink);
        drop((levels, conds));
        is_one.then_some((over, asked))
    }

    /// Whether the last two levels are one operation as they stand.
    pub(super) fn are_pairs(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &Sink<'_>,
    ) -> bool {
        let Some(k) = levels.len().checked_sub(2) else {
            return false;
        };
        let locals: Vec<LocalId> = levels.iter().map(|it| it.local).collect();
        let mut nest = Nest::new(levels, false);
        self.place_all(conds, &locals, &mut nest);
        self.pairs_of(k, &nest, sink).is_some()
    }
}

/// The levels with another set for the one that is so far from the last.
pub(super) fn with_set<'e>(
    levels: &[Level<'e>],
    from_last: usize,
    over: &'e Over,
) -> Vec<Level<'e>> {
    let mut levels = levels.to_vec();
    if let Some(level) = levels.iter_mut().rev().nth(from_last) {
        level.over = over;
    }
    levels
}

/// The levels and one more.
pub(super) fn with_one_more<'e>(levels: &[Level<'e>], binder: &'e Binder) -> Vec<Level<'e>> {
    let last = Level {
        local: binder.local,
        over: &binder.over,
        order: &binder.order,
        member: None,
    };
    levels.iter().copied().chain([last]).collect()
}

/// The conditions behind others that are asked once so many variables are bound.
pub(super) fn with_asked<'e>(
    conds: &[Cond<'e>],
    asked: &'e [Expr],
    written: usize,
) -> Vec<Cond<'e>> {
    let asked = asked.iter().map(|expr| Cond { expr, written });
    asked.chain(conds.iter().copied()).collect()
}

//! What is the same in all rounds of a loop is asked once: it is kept where it is first worked out.
//!
//! What stands behind a condition cannot be worked out before the loop: it may fault, and nobody may ask for
//! it. So it stays where it is. A bit that is cleared in front of the loop says whether it is known.

use std::collections::HashMap;

use super::Gen;
use super::structure::Structure;
use super::tidy::NOTHING;
use crate::engine::op::{Op, PlaneOp, Reg, word};
use crate::model::{Expr, ExprKind, LocalId, Node, StmtKind, Type, each_in_expr};

/// What an expression must cost to be kept, in operations.
const LEAST_COST: usize = 16;
/// What is worked out in a loop counts so many times.
const ROUNDS: usize = 4;
/// What a call counts, and what `after` counts.
const CALL: usize = 16;
/// What an operation counts that goes through rows or what hangs together.
const SEARCH: usize = 4;
/// Bits of a word.
const BITS: i64 = 64;

/// The loops around the code being written within which the position stays as it is, and since when locals
/// have their values.
#[derive(Default)]
pub(in crate::engine) struct Memos {
    scopes: Vec<Scope>,
    since: HashMap<LocalId, usize>,
    /// First temporary that nothing kept lies behind.
    pub held: u16,
}

/// Code that is come to in one position only, loops included.
struct Scope {
    /// The operation that forgets what is known.
    start: usize,
    /// Bits that say what is known.
    known: Option<Reg>,
    bits: i64,
    slots: Vec<Slot>,
    asked: Vec<Asked>,
}

/// Something that is kept.
struct Slot {
    key: Key,
    size: usize,
    /// Its first bit; a truth has another one for `false`.
    bit: i64,
    /// Where it is kept; a truth is in its bits.
    reg: Option<Reg>,
}

/// What tells apart what may be kept.
#[derive(PartialEq, Eq)]
struct Key {
    structure: Structure,
    locals: Vec<Reg>,
    bound: Vec<Type>,
    /// What is never the same as anything else has a number.
    alone: Option<usize>,
}

/// Where something that may be kept is asked for.
struct Asked {
    slot: usize,
    ops: std::ops::Range<usize>,
    /// Operations that are there because it is kept.
    added: Vec<usize>,
}

/// A jump in code that is being written, by the places of both ends.
type Way = (usize, usize);

impl Gen<'_, '_> {
    /// Notes since when a local has its value.
    pub(super) fn note_since(&mut self, local: LocalId, reg: Reg) {
        let since = if reg == word::WHO { 0 } else { self.next_op() };
        self.memos.since.insert(local, since);
    }

    /// Lets a local have its value as long as another one.
    pub(super) fn since_as(&mut self, local: LocalId, same: LocalId) {
        if let Some(since) = self.memos.since.get(&same).copied() {
            self.memos.since.insert(local, since);
        }
    }

    /// What `body` writes is come to in one position only.
    pub(super) fn in_one_position(&mut self, body: impl FnOnce(&mut Self)) {
        if self.shared.is_plain() {
            return body(self);
        }
        let start = self.next_op();
        self.op(NOTHING);
        self.memos.scopes.push(Scope {
            start,
            known: None,
            bits: 0,
            slots: Vec::new(),
            asked: Vec::new(),
        });
        body(self);
        if let Some(scope) = self.memos.scopes.pop() {
            self.close(scope);
        }
        if self.memos.scopes.is_empty() {
            self.memos.held = 0;
        }
    }

    /// What `body` writes is come to in another position.
    pub(super) fn in_another_position(&mut self, body: impl FnOnce(&mut Self)) {
        let scopes = std::mem::take(&mut self.memos.scopes);
        body(self);
        self.memos.scopes = scopes;
    }

    /// Works an expression out unless it is known; false where it is not worth keeping.
    pub(super) fn kept_value(&mut self, expr: &Expr, d: Reg) -> bool {
        let Some((scope, slot)) = self.slot_for(expr) else {
            return false;
        };
        let n = self.words(expr.ty);
        let Some((known, bit, kept)) = self.place_of(scope, slot, n) else {
            return false;
        };
        let have = self.label();
        let to = self.to(have);
        let first = self.next_op();
        let e = self.constant(bit);
        self.op(Op::JumpIn { set: known, e, to });
        self.value_of(expr, d);
        let last = self.next_op();
        self.mov_n(kept, d, n);
        self.op(Op::SetBit { d: known, e });
        self.bind(have);
        self.mov_n(d, kept, n);
        let mut added = vec![first];
        added.extend(last..self.next_op());
        self.note_asked(scope, slot, first + 1..last, added);
        true
    }

    fn note_asked(
        &mut self,
        scope: usize,
        slot: usize,
        ops: std::ops::Range<usize>,
        added: Vec<usize>,
    ) {
        if let Some(scope) = self.memos.scopes.get_mut(scope) {
            scope.asked.push(Asked { slot, ops, added });
        }
    }

    /// The outermost scope in which an expression has one value, and the number of its slot there.
    fn slot_for(&mut self, expr: &Expr) -> Option<(usize, usize)> {
        let innermost = self.memos.scopes.last()?.start;
        if !may_cost(expr) || self.is_crowded() {
            return None;
        }
        let (mut bound, mut locals, mut size) = (Vec::new(), Vec::new(), 1);
        let mut is_alone = is_hypothetical(expr);
        each_in_expr(expr, &mut |node| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(part) => {
                size += 1;
                is_alone |= is_hypothetical(part);
                if let ExprKind::Local(local) = part.kind
                    && !locals.contains(&local)
                {
                    locals.push(local);
                }
            }
            Node::Stmt(stmt) => {
                if let StmtKind::SetLocal(local, ..) = stmt.kind
                    && !locals.contains(&local)
                {
                    locals.push(local);
                }
            }
        });
        locals.retain(|local| !bound.contains(local));
        let mut since = 0;
        for local in &locals {
            since = since.max(*self.memos.since.get(local)?);
        }
        if since > innermost {
            return None;
        }
        let at = self.memos.scopes.iter().position(|it| it.start >= since)?;
        let types = locals.iter().map(|it| (*it, self.shared.local_type(*it)));
        let key = Key {
            structure: Structure::nameless(expr, types),
            locals: locals.iter().map(|it| self.local(*it)).collect(),
            bound: bound.iter().map(|it| self.shared.local_type(*it)).collect(),
            alone: is_alone.then(|| self.next_op()),
        };
        let scope = self.memos.scopes.get_mut(at)?;
        let known = scope.slots.iter().position(|it| it.key == key);
        // So that few are looked through, none is noted that has no bit.
        if known.is_none() && scope.bits + 1 > BITS {
            return None;
        }
        let slot = known.unwrap_or_else(|| {
            scope.slots.push(Slot {
                key,
                size,
                bit: -1,
                reg: None,
            });
            scope.slots.len() - 1
        });
        Some((at, slot))
    }

    /// The bits of a scope, the first of a slot, and where its value is kept.
    fn place_of(&mut self, scope: usize, slot: usize, n: u16) -> Option<(Reg, i64, Reg)> {
        let of = self.memos.scopes.get(scope)?;
        let (known, bits, old) = (of.known, of.bits, of.slots.get(slot)?);
        let (bit, reg) = (old.bit, old.reg);
        let known = known.unwrap_or_else(|| self.temp());
        let bit = if bit >= 0 { bit } else { bits };
        let reg = reg.unwrap_or_else(|| self.temps(n));
        self.memos.held = self.memos.held.max(self.temps_in_use());
        let of = self.memos.scopes.get_mut(scope)?;
        of.known = Some(known);
        let slot = of.slots.get_mut(slot)?;
        if slot.bit < 0 {
            if bits + 1 > BITS {
                return None;
            }
            of.bits += 1;
            slot.bit = bit;
        }
        slot.reg = Some(reg);
        Some((known, bit, reg))
    }

    /// Keeps what is asked for more than once and costs enough; the rest is as if it had never been kept.
    fn close(&mut self, scope: Scope) {
        let ways = self.ways_back(scope.start..self.next_op());
        let mut by_size: Vec<usize> = (0..scope.slots.len()).collect();
        by_size.sort_by_key(|slot| std::cmp::Reverse(scope.slots[*slot].size));
        let mut is_kept = vec![false; scope.slots.len()];
        for slot in by_size {
            is_kept[slot] = self.is_worth_keeping(&scope, slot, &is_kept, &ways);
        }
        for asked in scope.asked.iter().filter(|it| !is_kept[it.slot]) {
            for at in &asked.added {
                self.replace_op(*at, NOTHING);
            }
        }
        if let Some(known) = scope.known.filter(|_| is_kept.contains(&true)) {
            self.replace_op(scope.start, Op::Clear { d: known, n: 1 });
        }
    }

    /// Whether a slot saves more than it costs, if those of what it is a part of are decided.
    fn is_worth_keeping(&self, scope: &Scope, slot: usize, is_kept: &[bool], ways: &[Way]) -> bool {
        // Where it is asked for, as far as that is not the same place of what is kept itself.
        let mut places: Vec<(Option<usize>, usize)> = Vec::new();
        let (mut is_repeated, mut cost) = (false, usize::MAX);
        for asked in scope.asked.iter().filter(|it| it.slot == slot) {
            let (from, to) = (asked.ops.start, asked.ops.end);
            let around = scope
                .asked
                .iter()
                .filter(|it| is_kept[it.slot] && it.ops.start <= from && to <= it.ops.end)
                .max_by_key(|it| it.ops.start);
            let first = around.map_or(scope.start, |it| it.ops.start);
            is_repeated |= ways
                .iter()
                .any(|(back, at)| (first..=from).contains(back) && to <= *at);
            let place = (around.map(|it| it.slot), from - first);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        // What is worked out on every way to where it is asked for again is read there anyhow.
        let starts = scope.asked.iter().filter(|it| it.slot == slot);
        let starts: Vec<usize> = starts.map(|it| it.ops.start).collect();
        let first = starts.iter().min().copied().unwrap_or(scope.start);
        let last = starts.iter().max().copied().unwrap_or(first);
        let is_passed = self.ways_past(scope.start..first, last);
        for asked in scope.asked.iter().filter(|it| it.slot == slot) {
            let once_counts = is_repeated || is_passed;
            cost = cost.min(self.cost(asked.ops.clone(), ways, once_counts));
        }
        (is_repeated || places.len() > 1) && cost >= LEAST_COST
    }

    /// What operations cost, as far as they show it; those that are executed once where that counts.
    fn cost(&self, ops: std::ops::Range<usize>, ways: &[Way], once_counts: bool) -> usize {
        let within = |it: &&Way| ops.start <= it.0 && it.1 < ops.end;
        let loops: Vec<&Way> = ways.iter().filter(within).collect();
        let each =
            ops.clone().filter_map(|at| {
                let weight = match self.op_at(at)? {
                    Op::Clear { n: 0, .. } => 0,
                    Op::Call { .. } | Op::Enter { .. } => CALL,
                    Op::Reach { .. }
                    | Op::UnionRows { .. }
                    | Op::SeveralRows { .. }
                    | Op::Plane(
                        PlaneOp::Flood { .. } | PlaneOp::Class { .. } | PlaneOp::Open { .. },
                    ) => SEARCH,
                    _ => 1,
                };
                let is_looped = loops
                    .iter()
                    .any(|(back, from)| (*back..=*from).contains(&at));
                match (is_looped, weight) {
                    (true, _) => Some(weight * ROUNDS),
                    (false, 1) => Some(usize::from(once_counts)),
                    (false, _) => Some(weight),
                }
            });
        each.sum()
    }
}

/// Whether an expression may cost more than to look whether it is known.
fn may_cost(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Aggregate(_)
            | ExprKind::Let(..)
            | ExprKind::Call(..)
            | ExprKind::After(..)
            | ExprKind::Can(..)
            | ExprKind::Reach { .. }
            | ExprKind::Groups { .. }
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::OrElse(..)
    )
}

/// Whether an expression is never known to be the same as another.
fn is_hypothetical(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::After(..) | ExprKind::Can(..) | ExprKind::Repeated
    )
}

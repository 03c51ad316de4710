//! Values that shared a temporary get temporaries of their own, and in the end as few as they need.

use rustc_hash::FxHashMap as HashMap;

use super::blocks::Blocks;
use super::live::{self, Liveness, is_temp};
use super::uses::{Access, Uses};
use crate::engine::op::{CONSTS, Op, Reg, word};
use crate::engine::operands::Operand;

/// Temporaries that code is given here.
const MOST_MORE: u16 = 4_096;

/// Gives each value that another one replaces within its block a temporary of its own: what is still there
/// need not be worked out again. `temps` is the number in use.
pub(super) fn split(ops: &mut [Op], blocks: &Blocks, uses: &Uses, temps: &mut u16) {
    let mut alone: HashMap<Reg, bool> = HashMap::default();
    for words in uses.each().flat_map(|it| it.1) {
        for word in words.all().filter(|reg| is_temp(*reg)) {
            *alone.entry(word).or_insert(true) &= words.n == Some(1);
        }
    }
    let mut left = MOST_MORE;
    for block in &blocks.order {
        // By temporary: where its last value so far was made.
        let mut made: HashMap<Reg, usize> = HashMap::default();
        for at in blocks.ops(*block) {
            for words in uses.at(at) {
                let reg = words.first;
                if words.n != Some(1)
                    || words.access != Access::Written
                    || alone.get(&reg) != Some(&true)
                {
                    continue;
                }
                if let Some(first) = made.insert(reg, at)
                    && left > 0
                    && *temps < CONSTS - word::FREE_TEMP - 1
                {
                    left -= 1;
                    let own = word::FREE_TEMP + *temps;
                    *temps += 1;
                    rename(&mut ops[first..=at], reg, own);
                }
            }
        }
    }
}

/// From what is written first up to what is read last, one register for another.
fn rename(ops: &mut [Op], old: Reg, new: Reg) {
    let last = ops.len() - 1;
    for (at, op) in ops.iter_mut().enumerate() {
        op.operands(&mut |_, operand| match operand {
            Operand::Use(reg, _) if *reg == old && at > 0 => *reg = new,
            Operand::Def(reg, _) if *reg == old && at < last => *reg = new,
            Operand::Both(reg, _) if *reg == old && at > 0 => *reg = new,
            _ => {}
        });
    }
}

/// Lets temporaries share words where no two are needed at once; returns how many words they take. None where
/// that is not known: then all stays as it is.
pub(super) fn pack(
    ops: &mut [Op],
    blocks: &Blocks,
    liveness: &Liveness,
    uses: &Uses,
) -> Option<u16> {
    let mut spans: Vec<(Reg, Reg, usize)> = Vec::new();
    let mut is_known = true;
    for (at, all) in uses.each() {
        for words in all.iter().filter(|it| is_temp(it.first)) {
            is_known &= words.n.is_some();
            spans.push((words.first, words.all().end.max(words.first + 1), at));
        }
    }
    if !is_known {
        return None;
    }
    let mut rows = rows(&mut spans);
    for block in &blocks.order {
        let ops = blocks.ops(*block);
        let ends = [
            (&liveness.before[*block], ops.start),
            (&liveness.behind[*block], ops.end.max(1) - 1),
        ];
        for (live, at) in ends {
            live::each(live, &mut |reg| {
                let behind = rows.partition_point(|row| row.first <= reg);
                if let Some(row) = behind.checked_sub(1).and_then(|it| rows.get_mut(it)) {
                    row.from = row.from.min(at);
                    row.to = row.to.max(at);
                }
            });
        }
    }
    let mut by_start: Vec<usize> = (0..rows.len()).collect();
    by_start.sort_by_key(|it| (rows[*it].from, rows[*it].first));
    // For each word: the operation from which on it is free.
    let mut free_from: Vec<usize> = Vec::new();
    let mut place: HashMap<Reg, Reg> = HashMap::default();
    for row in by_start.iter().map(|it| &rows[*it]) {
        let n = usize::from(row.end - row.first);
        let fits = |at: usize| {
            (at..at + n).all(|it| free_from.get(it).is_none_or(|free| *free <= row.from))
        };
        let at = (0..=free_from.len()).find(|at| fits(*at))?;
        if free_from.len() < at + n {
            free_from.resize(at + n, 0);
        }
        free_from[at..at + n].fill(row.to + 1);
        for (reg, to) in (row.first..row.end).zip(at..) {
            place.insert(reg, word::FREE_TEMP + u16::try_from(to).ok()?);
        }
    }
    for op in ops {
        op.each_reg(&mut |reg| *reg = place.get(reg).copied().unwrap_or(*reg));
    }
    u16::try_from(free_from.len()).ok()
}

/// Temporaries that belong together, and between which operations they are needed.
struct Row {
    first: Reg,
    end: Reg,
    from: usize,
    to: usize,
}

fn rows(spans: &mut [(Reg, Reg, usize)]) -> Vec<Row> {
    spans.sort_unstable();
    let mut rows: Vec<Row> = Vec::new();
    for (first, end, at) in spans.iter().copied() {
        match rows.last_mut() {
            Some(row) if first < row.end => {
                row.end = row.end.max(end);
                row.from = row.from.min(at);
                row.to = row.to.max(at);
            }
            _ => rows.push(Row {
                first,
                end,
                from: at,
                to: at,
            }),
        }
    }
    rows
}

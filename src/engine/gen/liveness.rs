//! Liveness: which temporaries hold something that is still read, by blocks, backwards to a fixpoint.

use std::collections::{HashMap, HashSet};

use super::tidy::MANY;
use crate::engine::op::{CONSTS, Op, Reg, word};
use crate::engine::operands::Operand;

/// Words for what is live in all blocks together; larger code keeps its copies.
const MOST_LIVE_WORDS: usize = 1 << 18;

/// How many words begin at each temporary: as many as the operation takes that takes most.
fn widths(ops: &[Op]) -> HashMap<Reg, u16> {
    let mut widths: HashMap<Reg, u16> = HashMap::new();
    for op in ops {
        let mut op = *op;
        op.operands(&mut |_, operand| {
            if let Operand::Use(reg, Some(n))
            | Operand::Def(reg, Some(n))
            | Operand::Both(reg, Some(n)) = operand
            {
                let width = widths.entry(*reg).or_default();
                *width = n.max(*width);
            }
        });
    }
    widths
}

/// Which temporaries hold something that is still read.
pub(super) struct Liveness {
    widths: HashMap<Reg, u16>,
    /// Operations, each with a temporary that it reads and nothing behind it does.
    pub last_reads: HashSet<(usize, Reg)>,
}

impl Liveness {
    /// None where an `end` may lead to another place than the next, or the code is too large.
    pub fn of(ops: &[Op], targets: &[bool]) -> Option<Self> {
        let is_plain = |op: &Op| !matches!(op, Op::Enter { .. } | Op::Leave);
        if !ops.iter().all(is_plain) {
            return None;
        }
        let mut liveness = Self {
            widths: widths(ops),
            last_reads: HashSet::new(),
        };
        let starts: Vec<usize> = (0..ops.len())
            .filter(|at| *at == 0 || targets[*at])
            .collect();
        let words = liveness.words(ops);
        if words.saturating_mul(starts.len()) > MOST_LIVE_WORDS {
            return None;
        }
        let block_of: HashMap<usize, usize> = starts.iter().copied().zip(0..).collect();
        let mut live_in = vec![vec![0u64; words]; starts.len()];
        loop {
            let mut changed = false;
            liveness.last_reads.clear();
            for (block, start) in starts.iter().enumerate().rev() {
                let end = starts.get(block + 1).copied().unwrap_or(ops.len());
                let mut live = vec![0u64; words];
                for at in (*start..end).rev() {
                    let mut op = ops[at];
                    let mut follow = |to: usize| {
                        if let Some(next) = block_of.get(&to).and_then(|it| live_in.get(*it)) {
                            live.iter_mut().zip(next).for_each(|(a, b)| *a |= b);
                        }
                    };
                    if !matches!(op, Op::Call { .. }) {
                        op.each_target(&mut |to| follow(usize::from(*to)));
                    }
                    if at + 1 == end && goes_on(op) {
                        follow(end);
                    }
                    liveness.note_last(at, op, &live);
                    liveness.step(op, &mut live);
                }
                changed |= live_in[block] != live;
                live_in[block] = live;
            }
            if !changed {
                return Some(liveness);
            }
        }
    }

    /// Words of a set of temporaries.
    fn words(&self, ops: &[Op]) -> usize {
        let mut last = 0;
        for op in ops {
            let mut op = *op;
            op.operands(&mut |_, operand| {
                if let Operand::Use(reg, n) | Operand::Def(reg, n) | Operand::Both(reg, n) = operand
                    && (word::FREE_TEMP..CONSTS).contains(reg)
                {
                    last = last.max((*reg - word::FREE_TEMP).saturating_add(self.n(*reg, n)));
                }
            });
        }
        usize::from(last) / 64 + 1
    }

    fn n(&self, reg: Reg, n: Option<u16>) -> u16 {
        n.or_else(|| self.widths.get(&reg).copied()).unwrap_or(MANY)
    }

    fn note_last(&mut self, at: usize, mut op: Op, live: &[u64]) {
        op.operands(&mut |_, operand| {
            if let Operand::Use(reg, Some(1)) = operand
                && !has(live, *reg)
            {
                self.last_reads.insert((at, *reg));
            }
        });
    }

    /// What is live before an operation, from what is live behind it.
    fn step(&self, mut op: Op, live: &mut [u64]) {
        op.operands(&mut |_, operand| {
            if let Operand::Def(reg, Some(n)) = operand {
                mark(live, *reg, n, false);
            }
        });
        op.operands(&mut |_, operand| {
            if let Operand::Use(reg, n) | Operand::Both(reg, n) = operand {
                mark(live, *reg, self.n(*reg, n), true);
            }
        });
    }
}

/// Whether the next operation may follow.
fn goes_on(op: Op) -> bool {
    !matches!(
        op,
        Op::Jump { .. }
            | Op::Loop { .. }
            | Op::Return { .. }
            | Op::Stop { .. }
            | Op::End
            | Op::Halt
            | Op::Fail { .. }
    )
}

fn mark(live: &mut [u64], reg: Reg, n: u16, is_live: bool) {
    for reg in reg..reg.saturating_add(n).min(CONSTS) {
        let Some(at) = reg.checked_sub(word::FREE_TEMP).map(usize::from) else {
            continue;
        };
        if let Some(word) = live.get_mut(at / 64) {
            let bit = 1 << (at % 64);
            *word = if is_live { *word | bit } else { *word & !bit };
        }
    }
}

fn has(live: &[u64], reg: Reg) -> bool {
    let at = reg.checked_sub(word::FREE_TEMP).map(usize::from);
    let word = |at: usize| live.get(at / 64).is_some_and(|it| it >> (at % 64) & 1 == 1);
    at.is_none_or(word)
}

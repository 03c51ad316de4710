//! Liveness: which temporaries hold something that is still read, by blocks, backwards to a fixpoint.

use rustc_hash::FxHashSet as HashSet;

use super::blocks::Blocks;
use super::uses::{Access, Uses, Words};
use crate::engine::op::{CONSTS, Op, Reg, word};

/// Words for what is live in all blocks together; larger code keeps its copies.
const MOST_LIVE_WORDS: usize = 1 << 18;

/// Which temporaries hold something that is still read.
pub(in crate::engine::r#gen) struct Liveness {
    /// Operations, each with a temporary that it reads and nothing behind it does.
    pub last_reads: HashSet<(usize, Reg)>,
    /// Operations that only work out what nobody reads.
    pub idle: Vec<usize>,
    /// What is live before and behind each block.
    pub before: Vec<Live>,
    pub behind: Vec<Live>,
}

/// A set of temporaries.
pub(super) type Live = Vec<u64>;

impl Liveness {
    /// None where the code is too large.
    pub(super) fn of(ops: &[Op], blocks: &Blocks, uses: &Uses) -> Option<Self> {
        let words = words_of(uses);
        if words.saturating_mul(blocks.len()) > MOST_LIVE_WORDS {
            return None;
        }
        let mut liveness = Self {
            last_reads: HashSet::default(),
            idle: Vec::new(),
            before: Vec::new(),
            behind: vec![Vec::new(); blocks.len()],
        };
        let mut live_in = vec![vec![0u64; words]; blocks.len()];
        let behind = |block: usize, live_in: &[Vec<u64>]| {
            let mut live = vec![0u64; words];
            for next in &blocks.behind[block] {
                live.iter_mut()
                    .zip(&live_in[*next])
                    .for_each(|(a, b)| *a |= b);
            }
            live
        };
        loop {
            let mut changed = false;
            for block in blocks.order.iter().rev() {
                let mut live = behind(*block, &live_in);
                for at in blocks.ops(*block).rev() {
                    if !is_idle(ops[at], &live, uses.at(at)) {
                        step(&mut live, uses.at(at));
                    }
                }
                changed |= live_in[*block] != live;
                live_in[*block] = live;
            }
            if !changed {
                break;
            }
        }
        for block in &blocks.order {
            let mut live = behind(*block, &live_in);
            liveness.behind[*block].clone_from(&live);
            for at in blocks.ops(*block).rev() {
                if is_idle(ops[at], &live, uses.at(at)) {
                    liveness.idle.push(at);
                } else {
                    liveness.note_last(at, &live, uses.at(at));
                    step(&mut live, uses.at(at));
                }
            }
        }
        liveness.before = live_in;
        Some(liveness)
    }

    fn note_last(&mut self, at: usize, live: &Live, uses: &[Words]) {
        for words in uses {
            if words.access == Access::Read && words.n == Some(1) && !has(live, words.first) {
                self.last_reads.insert((at, words.first));
            }
        }
    }
}

/// Whether an operation writes nothing but temporaries that nobody reads.
fn is_idle(op: Op, live: &Live, uses: &[Words]) -> bool {
    let mut written = uses.iter().filter(|it| it.access != Access::Read);
    let is_unread = |it: &Words| it.first >= word::FREE_TEMP && !it.all().any(|reg| has(live, reg));
    op.effect().is_harmless() && written.all(is_unread)
}

/// What is live before an operation, from what is live behind it.
fn step(live: &mut Live, uses: &[Words]) {
    for words in uses {
        if words.access == Access::Written && words.n.is_some() {
            words.all().for_each(|reg| mark(live, reg, false));
        }
    }
    for words in uses {
        if words.access != Access::Written {
            words.all().for_each(|reg| mark(live, reg, true));
        }
    }
}

/// Words of a set of temporaries.
fn words_of(uses: &Uses) -> usize {
    let all = uses.each().flat_map(|it| it.1);
    let temps = all.filter(|it| is_temp(it.first));
    let end = temps
        .map(|it| it.all().end.min(CONSTS) - word::FREE_TEMP)
        .max();
    usize::from(end.unwrap_or(0)) / 64 + 1
}

/// Whether a word is a temporary of the instance.
pub(super) fn is_temp(reg: Reg) -> bool {
    (word::FREE_TEMP..CONSTS).contains(&reg)
}

/// Calls `f` with each temporary of a set.
pub(super) fn each(live: &Live, f: &mut dyn FnMut(Reg)) {
    for (word, at) in live.iter().zip((word::FREE_TEMP..).step_by(64)) {
        let mut rest = *word;
        while rest != 0 {
            f(at + u16::try_from(rest.trailing_zeros()).unwrap_or(0));
            rest &= rest - 1;
        }
    }
}

fn mark(live: &mut Live, reg: Reg, is_live: bool) {
    let Some(at) = reg.checked_sub(word::FREE_TEMP).map(usize::from) else {
        return;
    };
    if let Some(word) = live.get_mut(at / 64) {
        let bit = 1 << (at % 64);
        *word = if is_live { *word | bit } else { *word & !bit };
    }
}

fn has(live: &Live, reg: Reg) -> bool {
    let at = reg.checked_sub(word::FREE_TEMP).map(usize::from);
    let word = |at: usize| live.get(at / 64).is_some_and(|it| it >> (at % 64) & 1 == 1);
    at.is_none_or(word)
}

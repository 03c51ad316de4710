//! What is worked out only to be copied is worked out where the copy goes.

use super::blocks::Blocks;
use super::live::{Liveness, is_temp};
use super::uses::{Access, Uses, Words};
use crate::engine::r#gen::tidy::{NOTHING, is_idle};
use crate::engine::op::{Op, Reg, TEMPS, word};
use crate::engine::operands::Operand;

/// Operations between a value and the copy of it.
const MOST_BETWEEN: usize = 8;

/// What is worked out only to be copied is worked out where the copy goes.
pub(super) fn at_goals(ops: &mut [Op], blocks: &Blocks, liveness: &Liveness, uses: &mut Uses) {
    for at in 0..ops.len() {
        let Some(Op::Mov { d: goal, a: from }) = ops.get(at).copied() else {
            continue;
        };
        let is_last = liveness.last_reads.contains(&(at, from));
        if !is_temp(from) || !is_last || blocks.starts_at(at) || goal == word::MOVE {
            continue;
        }
        // Others may look at a word of the state; nobody else looks at a temporary.
        let mut left = if goal >= TEMPS { MOST_BETWEEN } else { 0 };
        let mut source = None;
        for back in (0..at).rev() {
            if !is_idle(ops[back]) && makes(uses.at(back), from) {
                source = Some(back);
                break;
            }
            let in_the_way = touches(uses.at(back), goal) || touches(uses.at(back), from);
            let passes =
                is_idle(ops[back]) || left > 0 && ops[back].effect().is_quiet && !in_the_way;
            if blocks.starts_at(back) || !passes {
                break;
            }
            left -= usize::from(!is_idle(ops[back]));
        }
        // What is read while it is being written would be another value.
        let Some(source) =
            source.filter(|it| ops[*it].effect().is_quiet || !touches(uses.at(*it), goal))
        else {
            continue;
        };
        ops[source].operands(&mut |_, operand| {
            if let Operand::Def(reg, _) | Operand::Both(reg, None) = operand
                && *reg == from
            {
                *reg = goal;
            }
        });
        uses.rename(source, from, goal);
        ops[at] = NOTHING;
    }
}

/// Whether an operation writes a word, and only it, as an operand.
fn makes(words: &[Words], reg: Reg) -> bool {
    let own = |it: &Words| it.access == Access::Written && it.first == reg && it.n == Some(1);
    words.iter().any(own)
}

/// Whether an operation may read or write a word.
fn touches(words: &[Words], reg: Reg) -> bool {
    words.iter().any(|it| it.all().contains(&reg))
}

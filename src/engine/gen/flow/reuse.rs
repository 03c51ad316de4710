//! What is known already is not worked out again, and copies are read where they come from.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::blocks::Blocks;
use super::live::is_temp;
use super::slots::{Act, Slot, Slots};
use super::uses::{Access, Uses};
use super::values::{Value, Values};
use crate::engine::r#gen::tidy::NOTHING;
use crate::engine::layout::Layout;
use crate::engine::op::{CONSTS, Code, Op, Reg};
use crate::engine::operands::Operand;

/// Most blocks times words that are followed; larger code stays as it is.
const MOST_FOLLOWED: usize = 1 << 22;

/// Reads what is known where it is first held, and turns what is worked out again into copies; what is
/// checked again goes.
pub(super) fn reuse(ops: &mut [Op], blocks: &Blocks, uses: &Uses, code: &Code, layout: &Layout) {
    let mut slots = Slots::of(uses, blocks, layout);
    if blocks.len().saturating_mul(slots.flow_end as usize) > MOST_FOLLOWED {
        return;
    }
    let mut shapes: HashMap<Op, u32> = HashMap::default();
    let mut shape = |op: Op| {
        let next = u32::try_from(shapes.len()).unwrap_or(u32::MAX);
        *shapes.entry(op).or_insert(next)
    };
    let acts: Vec<Act> = ops
        .iter()
        .enumerate()
        .map(|(at, op)| slots.act((at, *op), uses, code, layout, &mut shape))
        .collect();
    let Some(mut values) = Values::of(ops, blocks, &slots, &acts) else {
        return;
    };
    let known = Known::of(code, &mut values);
    for block in &blocks.order {
        let Some(mut now) = values.before[*block].clone() else {
            continue;
        };
        for at in blocks.ops(*block) {
            let (op, act) = (ops[at], &acts[at]);
            let made = values.made(op, act, &now);
            let words: Vec<Value> = made.map_or_else(Vec::new, |made| {
                let n = act.goals.len();
                (0..n).map(|k| values.word(made, k, n)).collect()
            });
            let here = Here {
                at,
                now: &now,
                known: &known,
                values: &values,
                slots: &slots,
                blocks,
                uses,
            };
            ops[at] = match made.and_then(|_| here.copy(act, &words)) {
                Some(copy) => copy,
                None => known_way(here.read_first(op), code),
            };
            values.step(at, op, act, blocks, &slots, &mut now);
        }
    }
}

/// Which slots ever hold a value, the first ones first, and which constants do.
struct Known {
    /// By value.
    held: Vec<(Value, Slot)>,
    consts: HashMap<Value, Reg>,
}

impl Known {
    fn of(code: &Code, values: &mut Values) -> Self {
        let mut consts = HashMap::default();
        for (value, reg) in code.consts.iter().zip(CONSTS..) {
            consts.entry(values.constant(*value)).or_insert(reg);
        }
        let mut held = std::mem::take(&mut values.held);
        let mut met = HashSet::default();
        held.retain(|it| met.insert(*it));
        held.sort_by_key(|it| it.0);
        Self { held, consts }
    }

    fn slots(&self, value: Value) -> impl Iterator<Item = Slot> {
        let first = self.held.partition_point(|it| it.0 < value);
        let held = self.held[first..]
            .iter()
            .take_while(move |it| it.0 == value);
        held.map(|it| it.1)
    }
}

/// What is known in front of an operation.
struct Here<'a> {
    at: usize,
    now: &'a [Value],
    known: &'a Known,
    values: &'a Values,
    slots: &'a Slots,
    blocks: &'a Blocks,
    uses: &'a Uses,
}

impl Here<'_> {
    /// The slots that may hold a value, the first ones first.
    fn holders(&self, value: Value) -> impl Iterator<Item = Slot> {
        let met = self.values.met_in(value);
        met.into_iter().chain(self.known.slots(value))
    }

    fn holds(&self, slot: Slot, value: Value) -> bool {
        self.values.get(slot, self.now) == value && self.slots.holds(slot, self.at, self.blocks)
    }

    /// The first of registers in a row that hold words, but for some.
    fn row(&self, words: &[Value], not: &dyn Fn(Reg) -> bool) -> Option<Reg> {
        let first = *words.first()?;
        if let ([_], Some(reg)) = (words, self.known.consts.get(&first)) {
            return Some(*reg);
        }
        self.holders(first).find_map(|slot| {
            let first = self.slots.regs[slot as usize]?;
            let holds = |(reg, value): (Reg, &Value)| {
                let slot = self.slots.slot(reg);
                !not(reg) && slot.is_some_and(|it| self.holds(it, *value))
            };
            (first..).zip(words).all(holds).then_some(first)
        })
    }

    /// The operation, with each word that it reads read where it is first held.
    fn read_first(&self, mut op: Op) -> Op {
        let all = self.uses.at(self.at);
        let written = all.iter().filter(|it| it.access != Access::Read);
        // What is written while it is read is read where it was.
        let is_written = |reg: Reg| written.clone().any(|it| it.all().contains(&reg));
        let goes_along = matches!(op, Op::Walk { .. } | Op::Rays { .. } | Op::Behind { .. });
        op.operands(&mut |_, operand| {
            let Operand::Use(reg, n) = operand else {
                return;
            };
            // How wide the mask of a walk is says its shape.
            let mask = || {
                all.iter()
                    .find(|it| it.access == Access::Read && it.first == *reg)?
                    .n
            };
            let Some(n) = n.or_else(|| mask().filter(|_| goes_along && is_temp(*reg))) else {
                return;
            };
            let held = |reg: Reg| Some(self.values.get(self.slots.slot(reg)?, self.now));
            let words = (*reg..reg.saturating_add(n)).map(held);
            if let Some(words) = words.collect::<Option<Vec<Value>>>()
                && let Some(first) = self.row(&words, &is_written)
            {
                *reg = first;
            }
        });
        op
    }

    /// The copy that comes to the same as an operation, if what it makes is held.
    fn copy(&self, act: &Act, words: &[Value]) -> Option<Op> {
        let mut goals = act.goals.iter().zip(words);
        if goals.all(|(goal, value)| self.holds(*goal, *value)) {
            return Some(NOTHING);
        }
        let regs = act.goals.iter().map(|it| self.slots.regs[*it as usize]);
        let Some(regs) = regs.collect::<Option<Vec<Reg>>>() else {
            // A check has passed already.
            let passed = *words.first()?;
            let mut checks = self.holders(passed);
            return checks.any(|it| self.holds(it, passed)).then_some(NOTHING);
        };
        let (d, a) = (*regs.first()?, self.row(words, &|reg| regs.contains(&reg))?);
        Some(match u16::try_from(words.len()).ok()? {
            1 => Op::Mov { d, a },
            n => Op::WideMov { d, a, n },
        })
    }
}

/// A jump of which is known where it leads, as one that asks nothing.
fn known_way(op: Op, code: &Code) -> Op {
    let known = |reg: Reg| {
        let at = usize::from(reg.checked_sub(CONSTS)?);
        code.consts.get(at).copied()
    };
    let one = |a, holds: fn(u64) -> bool| known(a).map(holds);
    let two = |a, b, hold: fn(u64, u64) -> bool| Some(hold(known(a)?, known(b)?));
    // In an empty set there is nothing, whatever is asked for.
    let has = |set, e| match (known(set)?, known(e)) {
        (0, _) => Some(false),
        (set, Some(e)) => Some(e < 64 && set >> e & 1 == 1),
        _ => None,
    };
    let (leads, to) = match op {
        Op::JumpIf { a, to } => (one(a, |a| a != 0), to),
        Op::JumpNot { a, to } => (one(a, |a| a == 0), to),
        Op::JumpEq { a, b, to } => (two(a, b, |a, b| a == b), to),
        Op::JumpNe { a, b, to } => (two(a, b, |a, b| a != b), to),
        Op::JumpEmpty { set, n: 1, to } => (one(set, |set| set == 0), to),
        Op::JumpAny { set, n: 1, to } => (one(set, |set| set != 0), to),
        Op::JumpIn { set, e, to } => (has(set, e), to),
        Op::JumpNotIn { set, e, to } => (has(set, e).map(|has| !has), to),
        _ => return op,
    };
    match leads {
        Some(true) => Op::Jump { to },
        Some(false) => NOTHING,
        None => op,
    }
}

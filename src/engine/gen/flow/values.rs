//! Value numbering: which words hold the same, wherever the code came from.
//!
//! Two words have one number only where they hold one value. What several ways that meet do not agree on
//! gets a number of its own there, so a number that comes from within a loop never outlives its round.
//! After B. K. Rosen, M. N. Wegman, F. K. Zadeck, "Global value numbers and redundant computations" (1988),
//! and L. T. Simpson's numbering in reverse postorder (1996), over words instead of names assigned once.

use rustc_hash::FxHashMap as HashMap;

use super::blocks::Blocks;
use super::slots::{Act, Slot, Slots, Source};
use crate::engine::op::Op;

/// Number of a value.
pub(in crate::engine::r#gen) type Value = u32;

/// The first number of what ways do not agree on: a number for each block and slot.
const MEETINGS: Value = 1 << 29;
/// Rounds until all must be settled; what is not is left as it is.
const MOST_ROUNDS: usize = 24;

/// What a number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Const(u64),
    /// A number that an operation says.
    Number(u32),
    /// Whatever an operation leaves in the so-manieth of its words.
    Made(u32, u32),
    /// A word of a part of the state, by the number of the part.
    Word(Value, Slot),
    /// What an operation of a shape makes of values.
    Shaped(u32, [Value; 3]),
    /// A list of values: what comes before, and more.
    List(Value, [Value; 3]),
    /// The so-manieth word of a value.
    Part(Value, u32),
}

/// What is known in front of each block.
pub(in crate::engine::r#gen) struct Values {
    keys: HashMap<Key, Value>,
    next: Value,
    n_slots: u32,
    /// What is in the slots that one operation writes.
    fixed: Vec<Value>,
    /// How often something changed that is not handed on from block to block.
    n_changes: u32,
    /// In front of each block; none where it is never reached.
    pub before: Vec<Option<Vec<Value>>>,
    /// What each operation makes, in the order of the blocks, and where.
    pub held: Vec<(Value, Slot)>,
    /// What was known at each `Enter`.
    entered: HashMap<usize, Vec<Value>>,
    /// Numbers of constants.
    consts: HashMap<Value, u64>,
    /// Sets of one word of which all members are among these.
    within: HashMap<Value, u64>,
    /// Of what is so much more than another: that, and how much.
    raised: HashMap<Value, (Value, i64)>,
}

impl Values {
    /// None where it takes too long to settle.
    pub fn of(ops: &[Op], blocks: &Blocks, slots: &Slots, acts: &[Act]) -> Option<Self> {
        let n_slots = slots.flow_end;
        let mut values = Self {
            keys: HashMap::default(),
            next: 0,
            n_slots,
            fixed: vec![Value::MAX; slots.len().saturating_sub(n_slots) as usize],
            n_changes: 0,
            before: vec![None; blocks.len()],
            held: Vec::new(),
            entered: HashMap::default(),
            consts: HashMap::default(),
            within: HashMap::default(),
            raised: HashMap::default(),
        };
        let mut behind: Vec<Option<Vec<Value>>> = vec![None; blocks.len()];
        let mut held: Vec<Vec<(Value, Slot)>> = vec![Vec::new(); blocks.len()];
        let mut looked: Vec<Option<u32>> = vec![None; blocks.len()];
        for _ in 0..MOST_ROUNDS {
            let mut is_settled = true;
            for block in &blocks.order {
                let now = values.meet(*block, blocks, &behind);
                let is_known = values.before[*block].as_ref() == Some(&now);
                if is_known && looked[*block] == Some(values.n_changes) {
                    continue;
                }
                let n_changes = values.n_changes;
                looked[*block] = Some(n_changes);
                values.before[*block] = Some(now.clone());
                held[*block].clear();
                let mut now = now;
                for at in blocks.ops(*block) {
                    values.step(at, ops[at], &acts[at], blocks, slots, &mut now);
                    for goal in &acts[at].goals {
                        let value = values.get(*goal, &now);
                        held[*block].push((value, *goal));
                    }
                }
                behind[*block] = Some(now);
                is_settled &= is_known && values.n_changes == n_changes;
            }
            if is_settled {
                let held = blocks.order.iter().map(|it| held[*it].as_slice());
                values.held = held.collect::<Vec<_>>().concat();
                return Some(values);
            }
        }
        None
    }

    /// What all ways to a block agree on.
    fn meet(&self, block: usize, blocks: &Blocks, behind: &[Option<Vec<Value>>]) -> Vec<Value> {
        let first = MEETINGS + u32::try_from(block).unwrap_or(0) * self.n_slots;
        if blocks.is_entry[block] {
            return (first..first + self.n_slots).collect();
        }
        let mut ways = blocks.before[block]
            .iter()
            .filter_map(|it| behind[*it].as_ref());
        let mut now = ways.next().cloned().unwrap_or_default();
        for way in ways {
            for ((now, other), own) in now.iter_mut().zip(way).zip(first..) {
                if now != other {
                    *now = own;
                }
            }
        }
        // What ways have once disagreed on stays so, and the rounds come to an end.
        if let Some(old) = &self.before[block] {
            for ((now, old), own) in now.iter_mut().zip(old).zip(first..) {
                if *old == own {
                    *now = own;
                }
            }
        }
        now
    }

    /// The slot in which ways to some block do not agree, if a number is that of such a one.
    pub fn met_in(&self, value: Value) -> Option<Slot> {
        value.checked_sub(MEETINGS)?.checked_rem(self.n_slots)
    }

    fn key(&mut self, key: Key) -> Value {
        let next = self.next;
        let value = *self.keys.entry(key).or_insert(next);
        self.next += u32::from(value == next);
        value
    }

    /// What is in a slot.
    pub fn get(&self, slot: Slot, now: &[Value]) -> Value {
        let fixed = |it: Slot| self.fixed[(it - self.n_slots) as usize];
        now.get(slot as usize)
            .copied()
            .unwrap_or_else(|| fixed(slot))
    }

    fn set(&mut self, slot: Slot, value: Value, now: &mut [Value]) {
        let held = match now.get_mut(slot as usize) {
            Some(held) => held,
            None => {
                let held = &mut self.fixed[(slot - self.n_slots) as usize];
                self.n_changes += u32::from(*held != value);
                held
            }
        };
        *held = value;
    }

    /// The number of a constant.
    pub fn constant(&mut self, value: u64) -> Value {
        let number = self.key(Key::Const(value));
        self.consts.insert(number, value);
        self.within.insert(number, value);
        number
    }

    fn source(&mut self, source: Source, now: &[Value]) -> Value {
        match source {
            Source::Slot(slot) => self.get(slot, now),
            Source::Const(value) => self.constant(value),
            Source::Number(number) => self.key(Key::Number(number)),
        }
    }

    /// What an operation makes of what it reads, if that follows from it.
    pub fn made(&mut self, op: Op, act: &Act, now: &[Value]) -> Option<Value> {
        let shape = act.shape?;
        let [one, other] = [0, 1].map(|at| {
            let source = act.sources.get(at).copied();
            source.map_or(Value::MAX, |it| self.source(it, now))
        });
        if let Some(known) = self.left_of(op, one, other) {
            return Some(known);
        }
        if let Op::AddK { k, .. } = op {
            return Some(self.raised(one, i64::from(k), shape, act, now));
        }
        let made = self.shaped(shape, act, now);
        let bits = match op {
            Op::And { .. } => self.bits(one) & self.bits(other),
            Op::Or { .. } => self.bits(one) | self.bits(other),
            Op::AndNot { .. }
            | Op::Before { .. }
            | Op::FilterLanes { .. }
            | Op::FilterSpan { .. }
            | Op::FilterRows { .. }
            | Op::FilterSets { .. }
            | Op::GatherNot { .. }
            | Op::Gather { n: 1, .. } => self.bits(one),
            _ => return Some(made),
        };
        if bits != u64::MAX {
            self.within.insert(made, bits);
        }
        Some(made)
    }

    /// So much more than a value: that is where what was added is taken away again.
    fn raised(&mut self, one: Value, k: i64, shape: u32, act: &Act, now: &[Value]) -> Value {
        let (of, before) = self.raised.get(&one).copied().unwrap_or((one, 0));
        let all = before.wrapping_add(k);
        if all == 0 {
            return of;
        }
        let made = self.shaped(shape, act, now);
        self.raised.insert(made, (of, all));
        made
    }

    /// The elements that a set of one word may have.
    fn bits(&self, set: Value) -> u64 {
        self.within.get(&set).copied().unwrap_or(u64::MAX)
    }

    /// What sets come to that are known, or one of two that stays as it is.
    fn left_of(&mut self, op: Op, one: Value, other: Value) -> Option<Value> {
        let known = |it: &Self, set: Value| it.consts.get(&set).copied();
        let (a, b) = (known(self, one), known(self, other));
        let (of_one, of_other) = (self.bits(one), self.bits(other));
        match op {
            Op::And { .. } => match (a, b) {
                (Some(a), Some(b)) => Some(self.constant(a & b)),
                (_, Some(b)) if of_one & !b == 0 => Some(one),
                (Some(a), _) if of_other & !a == 0 => Some(other),
                _ => None,
            },
            Op::Or { .. } => match (a, b) {
                (Some(a), Some(b)) => Some(self.constant(a | b)),
                (_, Some(0)) => Some(one),
                (Some(0), _) => Some(other),
                _ => None,
            },
            Op::AndNot { .. } => match (a, b) {
                (Some(a), Some(b)) => Some(self.constant(a & !b)),
                _ => (of_one & of_other == 0).then_some(one),
            },
            _ => None,
        }
    }

    fn shaped(&mut self, shape: u32, act: &Act, now: &[Value]) -> Value {
        let mut read = [0; 3];
        let mut list = Value::MAX;
        let n = act.sources.len();
        for (at, source) in act.sources.iter().enumerate() {
            read[at % 3] = self.source(*source, now);
            if at % 3 == 2 && at + 1 < n {
                list = self.key(Key::List(list, read));
                read = [0; 3];
            }
        }
        if act.commutes && n == 2 {
            read[..2].sort_unstable();
        }
        if list != Value::MAX {
            list = self.key(Key::List(list, read));
            read = [list, Value::MAX, 0];
        }
        self.key(Key::Shaped(shape, read))
    }

    /// The so-manieth word of a value of `n` words.
    pub fn word(&mut self, value: Value, at: usize, n: usize) -> Value {
        if n == 1 {
            return value;
        }
        self.key(Key::Part(value, u32::try_from(at).unwrap_or(u32::MAX)))
    }

    /// What is known behind an operation, from what is known before it.
    pub fn step(
        &mut self,
        at: usize,
        op: Op,
        act: &Act,
        blocks: &Blocks,
        slots: &Slots,
        now: &mut [Value],
    ) {
        let pc = u32::try_from(at).unwrap_or(u32::MAX);
        if matches!(op, Op::Enter { .. }) {
            let state = &now[..slots.frame_end as usize];
            if self.entered.get(&at).is_none_or(|it| it != state) {
                self.n_changes += 1;
                self.entered.insert(at, state.to_vec());
            }
        }
        if act.copies {
            let values: Vec<Value> = act.sources.iter().map(|it| self.source(*it, now)).collect();
            for (goal, value) in act.goals.iter().zip(values) {
                self.set(*goal, value, now);
            }
        } else if let Some(made) = self.made(op, act, now) {
            for (k, goal) in act.goals.iter().enumerate() {
                let word = self.word(made, k, act.goals.len());
                self.set(*goal, word, now);
            }
        } else {
            for (k, goal) in (0..).zip(&act.goals) {
                let made = self.key(Key::Made(pc, k));
                self.set(*goal, made, now);
            }
        }
        let first = u32::try_from(act.goals.len()).unwrap_or(u32::MAX);
        for (k, part) in (first..).zip(act.touches.iter().chain(&act.changes)) {
            now[*part as usize] = self.key(Key::Made(pc, k));
        }
        for part in &act.changes {
            let value = now[*part as usize];
            for word in slots.words_in(*part) {
                now[*word as usize] = self.key(Key::Word(value, *word));
            }
        }
        if matches!(op, Op::Leave) {
            let enter = blocks.entered.iter().find(|(leave, _)| *leave == at);
            if let Some(state) = enter.and_then(|(_, enter)| self.entered.get(enter)) {
                now[..slots.frame_end as usize].copy_from_slice(state);
            }
        }
    }
}

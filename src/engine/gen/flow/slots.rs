//! What code may know something of: its words, and the parts of the state that it reads and writes.

use rustc_hash::FxHashMap as HashMap;

use super::blocks::Blocks;
use super::live::is_temp;
use super::uses::{Access, Uses, Words};
use crate::engine::r#gen::FRAME_REL;
use crate::engine::layout::{Layout, Store, Values};
use crate::engine::op::{CONSTS, Code, Op, Reg, TEMPS, word};
use crate::engine::operands::{Kind, List, Operand};

/// A word, a part of the state, or whether a check has passed, by number: those of the state first.
pub(in crate::engine::r#gen) type Slot = u32;

/// Where something is read from.
#[derive(Clone, Copy, Debug)]
pub(in crate::engine::r#gen) enum Source {
    /// What is in a slot.
    Slot(Slot),
    /// A constant.
    Const(u64),
    /// A number of the operation.
    Number(u32),
}

/// An operation, by what it reads and writes.
#[derive(Clone, Debug, Default)]
pub(in crate::engine::r#gen) struct Act {
    /// Which operation, but for its registers; none where anything may come of it.
    pub shape: Option<u32>,
    /// Whether it copies its sources.
    pub copies: bool,
    pub sources: Vec<Source>,
    /// Whether the order of its two sources does not count.
    pub commutes: bool,
    /// The words that it writes.
    pub goals: Vec<Slot>,
    /// The parts of the state in which it writes these.
    pub touches: Vec<Slot>,
    /// The parts of the state that it may change anywhere.
    pub changes: Vec<Slot>,
}

/// The words and parts of the state that the code of an instance names.
pub(in crate::engine::r#gen) struct Slots {
    /// Registers by slot; parts and checks have none.
    pub regs: Vec<Option<Reg>>,
    slot_of: HashMap<Reg, Slot>,
    /// First words of the parts of the state, ascending, with the slots of the parts.
    parts: Vec<(Reg, Slot)>,
    /// By part: the words in it that code names.
    words: HashMap<Slot, Vec<Slot>>,
    /// What is kept beside the zones.
    beside: Slot,
    /// Slots of the state, the frame included: all below.
    pub frame_end: Slot,
    /// Slots that may hold one value here and another there: all below. Each of the others is written by one
    /// operation, before all that read it.
    pub flow_end: Slot,
    /// For each of the others, the operation that writes it.
    pub made_at: Vec<usize>,
}

impl Slots {
    pub fn of(uses: &Uses, blocks: &Blocks, layout: &Layout) -> Self {
        let mut named = vec![word::MOVE, word::RETURN, word::STOPPED];
        for words in uses.each().flat_map(|it| it.1) {
            let end = words.first.saturating_add(words.n.unwrap_or(1));
            named.extend(words.first..end.min(CONSTS));
        }
        named.sort_unstable();
        named.dedup();
        let mut slots = Self {
            regs: Vec::new(),
            slot_of: HashMap::default(),
            parts: Vec::new(),
            words: HashMap::default(),
            beside: 0,
            frame_end: 0,
            flow_end: 0,
            made_at: Vec::new(),
        };
        let first_own = named.partition_point(|it| *it < FRAME_REL);
        let (state, own) = named.split_at(first_own);
        state.iter().for_each(|reg| slots.add(*reg));
        slots.parts_of(layout);
        slots.beside = slots.nameless();
        slots.frame_end = slots.len();
        for reg in state {
            let (Some(part), Some(slot)) = (slots.part(*reg), slots.slot(*reg)) else {
                continue;
            };
            slots.words.entry(part).or_default().push(slot);
        }
        let fixed = fixed(uses, blocks);
        let flowing = own.iter().filter(|reg| !fixed.contains_key(reg));
        for reg in flowing {
            slots.add(*reg);
            if *reg < TEMPS {
                slots.frame_end = slots.len();
            }
        }
        slots.flow_end = slots.len();
        for (reg, at) in own.iter().filter_map(|reg| Some((reg, fixed.get(reg)?))) {
            slots.add(*reg);
            slots.made_at.push(*at);
        }
        slots
    }

    /// Whether a slot holds what was last written to it by the operation that wrote it.
    pub fn holds(&self, slot: Slot, at: usize, blocks: &Blocks) -> bool {
        let made_at = slot
            .checked_sub(self.flow_end)
            .map(|it| self.made_at[it as usize]);
        made_at.is_none_or(|made| blocks.dominates(made, at))
    }

    fn add(&mut self, reg: Reg) {
        let slot = self.len();
        self.regs.push(Some(reg));
        self.slot_of.insert(reg, slot);
    }

    fn nameless(&mut self) -> Slot {
        self.regs.push(None);
        self.len() - 1
    }

    pub fn len(&self) -> Slot {
        u32::try_from(self.regs.len()).unwrap_or(Slot::MAX)
    }

    /// The slot of a word that code names.
    pub fn slot(&self, reg: Reg) -> Option<Slot> {
        self.slot_of.get(&reg).copied()
    }

    /// What lies together: each track, each zone, each of the first words.
    fn parts_of(&mut self, layout: &Layout) {
        for reg in 0..word::FREE {
            let part = self.nameless();
            self.parts.push((reg, part));
        }
        for track in &layout.tracks {
            let part = self.nameless();
            self.parts.push((track.array.base, part));
        }
        for zone in &layout.zones {
            let part = self.nameless();
            let starts = starts_of(&zone.store).into_iter().chain(zone.known);
            self.parts.extend(starts.map(|at| (at, part)));
        }
        let others = [
            Some(layout.outcome),
            layout.history.map(|it| it.0),
            Some(layout.frames),
        ];
        for at in others.into_iter().flatten() {
            let part = self.nameless();
            self.parts.push((at, part));
        }
        self.parts.sort_unstable();
    }

    /// The part of the state that a word lies in.
    pub fn part(&self, reg: Reg) -> Option<Slot> {
        let behind = self.parts.partition_point(|(first, _)| *first <= reg);
        Some(self.parts.get(behind.checked_sub(1)?)?.1)
    }

    /// The part of the state that a zone is.
    pub fn part_of_zone(&self, zone: usize, layout: &Layout) -> Option<Slot> {
        let starts = starts_of(&layout.zones.get(zone)?.store);
        self.part(*starts.first()?)
    }

    /// The first word of a part, and the one behind its last; none for the last part of all.
    pub fn extent(&self, part: Slot) -> Option<(Reg, Reg)> {
        let first = self.parts.iter().find(|it| it.1 == part)?.0;
        let last = self.parts.iter().rposition(|it| it.1 == part)?;
        Some((first, self.parts.get(last + 1)?.0))
    }

    /// All parts of the state.
    fn all_parts(&self) -> Vec<Slot> {
        let mut all: Vec<Slot> = self.parts.iter().map(|it| it.1).collect();
        all.push(self.beside);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The words of a part that code names.
    pub fn words_in(&self, part: Slot) -> &[Slot] {
        self.words.get(&part).map_or(&[], Vec::as_slice)
    }

    /// What an operation reads and writes. `shape` numbers operations that are alike but for their registers.
    pub fn act(
        &mut self,
        (at, op): (usize, Op),
        uses: &Uses,
        code: &Code,
        layout: &Layout,
        shape: &mut dyn FnMut(Op) -> u32,
    ) -> Act {
        let mut act = Act::default();
        let effect = op.effect();
        let kind = effect.kind;
        let mut is_known = kind != Kind::Other;
        for words in uses.at(at) {
            if words.access != Access::Written {
                is_known &= self.read(words, code, &mut act.sources);
            }
            if words.access != Access::Read {
                is_known &= words.n.is_some();
                act.goals.extend(self.slots_in(words.all()));
                if words.first < FRAME_REL && words.is_said {
                    act.touches.extend(self.part(words.first));
                } else if words.first < FRAME_REL {
                    act.changes.extend(self.part(words.first));
                }
            }
        }
        let mut alike = op;
        alike.operands(&mut |_, operand| match operand {
            Operand::Use(reg, _) | Operand::Def(reg, _) | Operand::Both(reg, _) => *reg = 0,
            Operand::To(to) => *to = 0,
            Operand::Index(List::Zone, at) => {
                let part = self.part_of_zone(at, layout);
                act.sources.extend(part.map(Source::Slot));
                if effect.moves {
                    act.changes.extend(part);
                    act.changes.push(self.beside);
                }
            }
            _ => {}
        });
        match op {
            Op::Clear { n, .. } => {
                act.copies = true;
                act.sources = vec![Source::Const(0); usize::from(n)];
            }
            Op::Unpack { .. } => act.sources.extend(self.slot(word::MOVE).map(Source::Slot)),
            Op::Plane(_) => act.sources.push(Source::Slot(self.beside)),
            Op::Call { .. } => {
                act.changes = self.all_parts();
                act.goals.extend(self.slots_in(TEMPS..word::FREE_TEMP));
            }
            Op::Leave => act.changes = self.all_parts(),
            _ => {}
        }
        if matches!(op, Op::Enter { .. } | Op::Leave | Op::End) {
            act.goals.extend(self.slot(word::STOPPED));
        }
        act.copies |= kind == Kind::Copy;
        if kind == Kind::Check {
            act.goals.push(self.nameless());
            self.made_at.push(at);
        }
        act.commutes = effect.commutes;
        act.shape = (is_known && !act.copies).then(|| shape(alike));
        act
    }

    fn slots_in(&self, regs: std::ops::Range<Reg>) -> Vec<Slot> {
        let mut slots: Vec<Slot> = if regs.len() > self.slot_of.len() {
            let of = self.slot_of.iter().filter(|(reg, _)| regs.contains(reg));
            of.map(|it| *it.1).collect()
        } else {
            regs.filter_map(|reg| self.slot(reg)).collect()
        };
        slots.sort_unstable();
        slots
    }

    /// Notes what is read. Of an array in the state that is the part it lies in.
    fn read(&self, words: &Words, code: &Code, sources: &mut Vec<Source>) -> bool {
        let is_array = !words.is_said && !(FRAME_REL..CONSTS).contains(&words.first);
        if is_array {
            sources.push(Source::Number(u32::from(words.first)));
            let part = (words.first < FRAME_REL).then(|| self.part(words.first));
            sources.extend(part.flatten().map(Source::Slot));
            return true;
        }
        if words.n.is_none() {
            return false;
        }
        for reg in words.all() {
            match self.slot(reg) {
                Some(slot) => sources.push(Source::Slot(slot)),
                None => match code.consts.get(usize::from(reg.saturating_sub(CONSTS))) {
                    Some(value) if reg >= CONSTS => sources.push(Source::Const(*value)),
                    _ => return false,
                },
            }
        }
        true
    }
}

/// Temporaries that one operation writes, before all that read them.
fn fixed(uses: &Uses, blocks: &Blocks) -> HashMap<Reg, usize> {
    let mut made: HashMap<Reg, Option<usize>> = HashMap::default();
    let mut read: Vec<(Reg, usize)> = Vec::new();
    for (at, all) in uses.each() {
        for words in all {
            let temps = words.all().filter(|reg| is_temp(*reg));
            match words.access {
                Access::Read => read.extend(temps.map(|reg| (reg, at))),
                Access::Both => made.extend(temps.map(|reg| (reg, None))),
                Access::Written => {
                    for reg in temps {
                        let one = made.entry(reg).and_modify(|it| *it = None);
                        one.or_insert(Some(at));
                    }
                }
            }
        }
    }
    let mut fixed: HashMap<Reg, usize> = made
        .into_iter()
        .filter_map(|(reg, at)| Some((reg, at?)))
        .collect();
    for (reg, at) in read {
        if fixed
            .get(&reg)
            .is_some_and(|made| !blocks.dominates(*made, at))
        {
            fixed.remove(&reg);
        }
    }
    fixed
}

/// First words of what a zone holds.
fn starts_of(store: &Store) -> Vec<Reg> {
    let of_values = |values: &Values| match values {
        Values::Single(_) => None,
        Values::Sets { base, .. } => Some(*base),
        Values::Lanes(array) => Some(array.base),
    };
    match store {
        Store::One {
            filled,
            kind,
            fields,
        } => [Some(*filled), of_values(kind)]
            .into_iter()
            .chain(fields.iter().map(of_values))
            .flatten()
            .collect(),
        Store::List(list) => [list.used, list.cells, list.kind.base]
            .into_iter()
            .chain(list.fields.iter().map(|it| it.base))
            .chain(list.filled)
            .collect(),
        Store::Bag(contents) => vec![base_of(contents)],
        Store::Pile {
            contents, order, ..
        } => vec![base_of(contents), *order],
    }
}

fn base_of(contents: &crate::engine::layout::Contents) -> Reg {
    match contents {
        crate::engine::layout::Contents::Bits(base)
        | crate::engine::layout::Contents::Counts { base, .. } => *base,
    }
}

//! What hangs together: the classes of parts that touch each other, one through the other, and the parts that lead on to
//! where nothing is laid. Both follow from what lies on the plane, so that a component that is laid joins a few classes and
//! one that is lifted parts its own, instead of each question flooding them anew.

use super::Entry;
use crate::engine::memory::{Memory, insert};
use crate::engine::op::Reg;
use crate::engine::parts::Parts;

/// What hangs together in a space of parts.
#[derive(Debug)]
pub struct Meeting {
    /// By part: one part of its class, the same for all of them.
    class: Vec<u32>,
    /// By part: the next part of its class, round and round.
    next: Vec<u32>,
    /// By class: number of its parts.
    size: Vec<u32>,
    /// By part: its ports beyond which nothing is laid.
    open: Vec<u8>,
    /// The parts that have such ports.
    loose: Vec<u64>,
    /// Parts that are looked at again; a buffer.
    again: Vec<u32>,
    /// Members that are still to be looked at; a buffer.
    seeds: Vec<u64>,
}

impl Meeting {
    /// For at most so many components, of which some are laid.
    pub fn new(parts: &Parts<'_>, most: usize) -> Self {
        let n = most * parts.slots();
        let own: Vec<u32> = (0..n).map(|part| part as u32).collect();
        let mut met = Self {
            class: own.clone(),
            next: own,
            size: vec![1; n],
            open: vec![0; n],
            loose: vec![0; n.div_ceil(64)],
            again: Vec::new(),
            seeds: Vec::new(),
        };
        for (number, entry) in parts.all() {
            for port in 0..parts.ports() {
                let free = parts.beyond(number, port).0 == 0;
                parts.each_slot(number, parts.slots_at(&entry, port), |part| {
                    met.open[part] += u8::from(free);
                });
            }
            let first = (number - 1) * parts.slots();
            for part in first..first + parts.slots() {
                met.mark(part);
                parts.touching(part, |other| met.join(part, other));
            }
        }
        met
    }

    /// The parts that have ports beyond which nothing is laid.
    pub fn loose(&self) -> &[u64] {
        &self.loose
    }

    /// A component has been laid.
    pub fn lay(&mut self, parts: &Parts<'_>, number: usize, entry: Entry) {
        for port in 0..parts.ports() {
            let own = parts.slots_at(&entry, port);
            let (beyond, facing) = parts.beyond(number, port);
            let Some(other) = parts.laid(beyond) else {
                parts.each_slot(number, own, |part| self.open[part] += 1);
                continue;
            };
            let theirs = parts.slots_at(&other, facing);
            // What lies beside itself, on a plane that is one spot wide, never was open there.
            if beyond != number {
                parts.each_slot(beyond, theirs, |part| {
                    self.open[part] -= 1;
                    self.mark(part);
                });
            }
            parts.each_slot(number, own, |part| {
                parts.each_slot(beyond, theirs, |other| self.join(part, other));
            });
        }
        let first = (number - 1) * parts.slots();
        (first..first + parts.slots()).for_each(|part| self.mark(part));
    }

    /// A component has been lifted; it does not lie on the plane any more.
    pub fn lift(&mut self, parts: &Parts<'_>, number: usize) {
        for port in 0..parts.ports() {
            let (beyond, facing) = parts.beyond(number, port);
            if let Some(other) = parts.laid(beyond) {
                parts.each_slot(beyond, parts.slots_at(&other, facing), |part| {
                    self.open[part] += 1;
                    self.mark(part);
                });
            }
        }
        let mut again = std::mem::take(&mut self.again);
        again.clear();
        let first = (number - 1) * parts.slots();
        for part in first..first + parts.slots() {
            self.open[part] = 0;
            self.mark(part);
            self.part(part, &mut again);
        }
        for part in again.iter().map(|part| *part as usize) {
            parts.touching(part, |other| self.join(part, other));
        }
        self.again = again;
    }

    /// All components have been lifted.
    pub fn empty(&mut self) {
        for part in 0..self.class.len() {
            (self.class[part], self.next[part]) = (part as u32, part as u32);
            (self.size[part], self.open[part]) = (1, 0);
        }
        self.loose.fill(0);
    }

    /// Notes whether a part has open ports.
    fn mark(&mut self, part: usize) {
        let (word, bit) = (part / 64, 1 << (part % 64));
        if self.open[part] > 0 {
            self.loose[word] |= bit;
        } else {
            self.loose[word] &= !bit;
        }
    }

    /// Makes two classes one.
    fn join(&mut self, one: usize, other: usize) {
        let (a, b) = (self.class[one], self.class[other]);
        if a == b {
            return;
        }
        let (keep, lose, member) = if self.size[a as usize] >= self.size[b as usize] {
            (a, b, other)
        } else {
            (b, a, one)
        };
        let mut part = member;
        loop {
            self.class[part] = keep;
            part = self.next[part] as usize;
            if part == member {
                break;
            }
        }
        self.size[keep as usize] += self.size[lose as usize];
        // Two rings become one where they cross over.
        self.next.swap(one, other);
    }

    /// Makes every member of a part's class a class of its own.
    fn part(&mut self, part: usize, members: &mut Vec<u32>) {
        let mut at = part;
        loop {
            let next = self.next[at] as usize;
            members.push(at as u32);
            self.class[at] = at as u32;
            self.size[at] = 1;
            self.next[at] = at as u32;
            at = next;
            if at == part {
                return;
            }
        }
    }

    /// The class of a part, as a set of `n` words.
    pub fn class_to(&self, part: usize, mem: &mut Memory, d: Reg, n: u16) {
        let words = usize::from(d)..usize::from(d) + usize::from(n);
        let Some(set) = mem.get_mut(words) else {
            return;
        };
        set.fill(0);
        let mut member = part;
        loop {
            if let Some(word) = set.get_mut(member / 64) {
                *word |= 1 << (member % 64);
            }
            member = self.next.get(member).map_or(part, |next| *next as usize);
            if member == part {
                return;
            }
        }
    }

    /// Adds to a set of `n` words the classes of all its members.
    pub fn flood(&mut self, mem: &mut Memory, d: Reg, n: u16) {
        let words = usize::from(n);
        self.seeds.clear();
        let set = mem.get(usize::from(d)..usize::from(d) + words);
        self.seeds.extend_from_slice(set.unwrap_or_default());
        for w in 0..self.seeds.len() {
            while self.seeds[w] != 0 {
                let first = w * 64 + self.seeds[w].trailing_zeros() as usize;
                let mut part = first;
                loop {
                    if let Some(seeds) = self.seeds.get_mut(part / 64) {
                        *seeds &= !(1 << (part % 64));
                        insert(mem, d, part);
                    }
                    part = self.next.get(part).map_or(first, |next| *next as usize);
                    if part == first {
                        break;
                    }
                }
            }
        }
    }
}

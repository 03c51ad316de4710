//! Registers of an instance: temporaries, what is kept in the frame, constants, locals.

use super::super::FRAME_REL;
use super::{Gen, MOST_APART, MOST_TEMPS, Mark};
use crate::engine::layout::words_of;
use crate::engine::op::{CONSTS, Frame, Op, Reg, TEMPS, word};
use crate::model::{DomainId, LocalId, Type};

impl Gen<'_, '_> {
    pub fn mark(&self) -> Mark {
        Mark {
            temp: self.temp,
            frame: self.frame,
        }
    }

    pub fn release(&mut self, mark: Mark) {
        // What is known already is looked for where it was put: each value has its own place, and in the end
        // they share as few as they need.
        if self.shared.is_plain() || self.temp > MOST_APART {
            self.temp = mark.temp.max(self.memos.held);
        }
        self.frame = mark.frame;
        let end = FRAME_REL + mark.frame;
        self.kept.locals.retain(|(_, reg)| *reg < end);
    }

    /// The first register that is free.
    pub fn next_temp(&self) -> Reg {
        word::FREE_TEMP + self.temp
    }

    /// How many registers are in use.
    pub fn temps_in_use(&self) -> u16 {
        self.temp
    }

    /// Whether values no longer have registers of their own.
    pub fn is_crowded(&self) -> bool {
        self.temp > MOST_APART
    }

    /// Registers to build a value in that is to end up in `d`: `d` itself, unless it may hold something
    /// that the value is made of.
    pub fn own(&mut self, d: Reg, n: u16) -> Reg {
        if (word::FREE_TEMP..CONSTS).contains(&d) {
            d
        } else {
            self.temps(n)
        }
    }

    /// Registers until the next `release`.
    pub fn temps(&mut self, n: u16) -> Reg {
        let at = self.temp;
        self.temp = self.temp.saturating_add(n);
        self.most_temps = self.most_temps.max(self.temp);
        if self.temp > MOST_TEMPS {
            self.overflow("a procedure");
            return word::FREE_TEMP;
        }
        word::FREE_TEMP + at
    }

    pub fn temp(&mut self) -> Reg {
        self.temps(1)
    }

    /// Whether what is bound here may be asked for after somebody has chosen.
    pub fn is_kept(&self) -> bool {
        self.keeps && self.hypothetical == 0 && (self.pauses || self.pauses_behind)
    }

    /// Registers that keep their value while somebody chooses, if anybody does as long as it is asked for.
    pub fn keep(&mut self, n: u16) -> Reg {
        if !self.is_kept() {
            return self.temps(n);
        }
        let at = self.frame;
        self.frame = self.frame.saturating_add(n);
        self.most_frame = self.most_frame.max(self.frame);
        if FRAME_REL.saturating_add(self.frame) >= TEMPS {
            self.overflow("the locals of a flow");
            return FRAME_REL;
        }
        FRAME_REL + at
    }

    /// Zeroes the words of the frame that are not in use, so that equal positions are equal blocks.
    pub fn clear_dead(&mut self) {
        if self.keeps && self.hypothetical == 0 {
            self.dead.push((self.ops.len(), self.frame));
            self.op(Op::Clear { d: FRAME_REL, n: 0 });
        }
    }

    /// Size of the frame so far.
    pub fn frame_size(&self) -> u16 {
        self.most_frame
    }

    pub fn constant(&mut self, value: i64) -> Reg {
        self.word(value as u64)
    }

    pub fn word(&mut self, value: u64) -> Reg {
        if let Some(reg) = self.shared.consts.get(&value) {
            return *reg;
        }
        let at = self.shared.code.consts.len();
        if at >= usize::from(u16::MAX - CONSTS) {
            self.overflow("the constants");
            return CONSTS;
        }
        self.shared.code.consts.push(value);
        let reg = CONSTS + u16::try_from(at).unwrap_or(0);
        self.shared.consts.insert(value, reg);
        reg
    }

    /// A set as constants in a row.
    pub fn constant_words(&mut self, words: &[u64]) -> Reg {
        if let [value] = words {
            return self.word(*value);
        }
        let consts = &mut self.shared.code.consts;
        let found = consts.windows(words.len().max(1)).position(|w| w == words);
        let at = found.unwrap_or_else(|| {
            consts.extend_from_slice(words);
            consts.len() - words.len()
        });
        if at + words.len() >= usize::from(u16::MAX - CONSTS) {
            self.overflow("the constants");
            return CONSTS;
        }
        CONSTS + u16::try_from(at).unwrap_or(0)
    }

    /// Where a local lives.
    pub fn local(&mut self, local: LocalId) -> Reg {
        match self.env.get(&local) {
            Some(reg) => *reg,
            None => {
                self.overflow("a local that is not bound");
                word::FREE_TEMP
            }
        }
    }

    pub fn is_bound(&self, local: LocalId) -> bool {
        self.env.contains_key(&local)
    }

    /// From here on the local is this register.
    pub fn set_local(&mut self, local: LocalId, reg: Reg) {
        self.env.insert(local, reg);
        self.note_since(local, reg);
        if self.keeps && (FRAME_REL..TEMPS).contains(&reg) {
            self.kept.locals.retain(|(other, _)| *other != local);
            self.kept.locals.push((local, reg));
        }
    }

    /// What is kept of this procedure here.
    pub fn kept(&self) -> Frame {
        self.kept.clone()
    }

    /// Words of a local's value.
    pub fn local_words(&self, local: LocalId) -> u16 {
        self.words(self.shared.local_type(local))
    }

    pub fn words(&self, ty: Type) -> u16 {
        words_of(self.shared.game, ty)
    }

    pub fn domain_size(&self, domain: DomainId) -> u64 {
        self.shared
            .game
            .domains
            .get(domain.index())
            .map_or(1, |d| d.size)
    }

    pub fn domain_lo(&self, domain: DomainId) -> i64 {
        self.shared
            .game
            .domains
            .get(domain.index())
            .map_or(0, |d| d.lo)
    }

    pub fn mov(&mut self, d: Reg, a: Reg) {
        if d != a {
            self.op(Op::Mov { d, a });
        }
    }

    pub fn mov_n(&mut self, d: Reg, a: Reg, n: u16) {
        if d == a {
            return;
        }
        if n == 1 {
            self.op(Op::Mov { d, a });
        } else {
            self.op(Op::WideMov { d, a, n });
        }
    }
}

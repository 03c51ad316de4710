//! What is kept of choices that are made at the same time.

use super::chance::Chance;
use super::fault::Fault;
use super::machine::{Machine, Move, Status};
use super::op::{Pending, Reg, word};
use super::view::Viewer;
use crate::model::StreamId;
use crate::model::text::Form;

impl<'p> Machine<'p> {
    /// Whether the pending choice is one that several make at the same time.
    #[must_use]
    pub fn is_together(&self) -> bool {
        self.kept_together().is_some()
    }

    /// Whether more than one seat chooses at the pending choice, without knowing what the others do.
    #[must_use]
    pub fn is_of_several(&self) -> bool {
        let word = |reg: Reg| self.mem[usize::from(reg)];
        let seats = |kept: &Pending| word(kept.all) & !word(kept.idle);
        self.kept_together()
            .is_some_and(|kept| seats(kept).count_ones() > 1)
    }

    /// What has been chosen of a choice that several make at the same time, by seat, in their order.
    #[must_use]
    pub fn pending(&self) -> Vec<(u32, Move)> {
        let Some(kept) = self.kept_together() else {
            return Vec::new();
        };
        let word = |reg: Reg| self.mem[usize::from(reg)];
        let chosen = word(kept.all) & !word(kept.left) & !word(kept.idle);
        let moves = (0..).zip(&kept.moves);
        moves
            .filter(|(seat, _)| *seat < 64 && chosen >> seat & 1 == 1)
            .map(|(seat, reg)| (seat, Move(word(*reg))))
            .collect()
    }

    /// Takes back what a seat has chosen while others have yet to choose; it is asked again. Returns whether
    /// there was such a choice.
    pub fn retract(&mut self, seat: u32) -> bool {
        let has_chosen = self.pending().iter().any(|(it, _)| *it == seat);
        let Some(kept) = self.kept_together().filter(|_| has_chosen) else {
            return false;
        };
        if let Some(reg) = kept.moves.get(seat as usize) {
            self.mem[usize::from(*reg)] = 0;
        }
        self.mem[usize::from(kept.left)] |= 1 << seat;
        self.ask_of_seat(kept, seat);
        self.knowledge.take_back(seat);
        true
    }

    /// Asks a seat for its choice, where several choose at the same time in place of the one that is asked; returns
    /// whether it has something to choose now.
    ///
    /// # Errors
    /// Where its moves could not be listed, which takes work.
    pub fn turn_to(&mut self, seat: u32) -> Result<bool, Fault> {
        let Status::Choice { seat: asked } = self.status() else {
            return Ok(false);
        };
        if asked == seat {
            return Ok(true);
        }
        let waits = |kept: &&Pending| {
            let left = self.mem[usize::from(kept.left)];
            left.checked_shr(seat).is_some_and(|it| it & 1 == 1)
        };
        let Some(kept) = self.kept_together().filter(waits) else {
            return Ok(false);
        };
        self.take_turn(kept, seat);
        let listed = self.list_again();
        if listed.is_ok() && !self.moves.is_empty() {
            return Ok(true);
        }
        self.ask_of_seat(kept, asked);
        listed.map(|()| false).map_err(|trap| self.fault(trap))
    }

    fn take_turn(&mut self, kept: &Pending, seat: u32) {
        self.mem[usize::from(kept.seat)] = u64::from(seat);
        self.mem[usize::from(word::WHO)] = u64::from(seat);
    }

    /// Asks another one of the seats that choose at the same time.
    fn ask_of_seat(&mut self, kept: &Pending, seat: u32) {
        self.take_turn(kept, seat);
        self.relist();
    }

    /// What a seat has chosen, as viewers hear it when all have.
    pub fn print_pending(&mut self, viewers: &[Viewer], seat: u32, mv: Move, form: Form) -> String {
        let who = usize::from(word::WHO);
        let asked = std::mem::replace(&mut self.mem[who], u64::from(seat));
        let printed = self.print_for(viewers, mv, form);
        self.mem[who] = asked;
        printed
    }

    /// Lets the other seats choose anew, as they could where something else is dealt; returns whether they can, and the
    /// same ones.
    pub(super) fn deal_pending<C: Chance>(
        &mut self,
        seat: u32,
        stream: StreamId,
        chance: &mut C,
    ) -> bool {
        let Some(kept) = self.kept_together() else {
            return true;
        };
        let asked = u32::try_from(self.mem[usize::from(kept.seat)]).unwrap_or(seat);
        let left = self.mem[usize::from(kept.left)];
        let idle = self.mem[usize::from(kept.idle)];
        let all = self.mem[usize::from(kept.all)];
        for (other, reg) in (0..).zip(&kept.moves) {
            let is_other = other != seat && all >> other & 1 == 1 && left >> other & 1 == 0;
            if !is_other {
                continue;
            }
            self.ask_of_seat(kept, other);
            let n = self.moves.len();
            if (idle >> other & 1 == 1) != (n == 0) {
                return false;
            }
            if n > 0 {
                let nth = usize::try_from(chance.ticket(stream, n as u64)).unwrap_or(0);
                self.mem[usize::from(*reg)] = self.moves.get(nth).map_or(0, |it| it.0);
            }
        }
        self.ask_of_seat(kept, asked);
        true
    }

    fn kept_together(&self) -> Option<&'p Pending> {
        self.point()?.pending.as_ref()
    }
}

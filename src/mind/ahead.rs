//! What is certain within a few choices: that a seat wins whatever the other side does, or loses.
//!
//! All lines are gone through, so games played on at random cannot hide it. Asked only where two sides play against each other
//! and nothing is hidden; where luck decides nothing is certain. Of two sides one wins for certain if it has a move behind
//! which it does, or if it does behind each move of the other. Replies that refuted one move are tried first against the next
//! (killer moves).

use super::judge::Judge;
use super::{Quick, Thinker};
use crate::engine::{Chance, Machine, Move, Scale, State, Status};
use crate::model::StreamId;

/// Choices that are looked at.
const MOST_CHOICES: u32 = 8;
/// The same behind the move that looks best: enough for what the other side threatens to threaten.
const CLOSER: u32 = 4;

/// Moves behind which it is asked whether the other side wins, before that is asked of all: what it threatens hangs on few of them.
const ASKED: usize = 8;

/// What is certain of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Certain {
    /// Whether who makes it wins, or else loses.
    pub wins: bool,
    /// Within so many choices, this one included.
    pub within: u32,
}

/// Luck, and whether it was asked.
struct Luck {
    dice: Quick,
    was_asked: bool,
}

impl Chance for Luck {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        self.was_asked |= total > 1;
        self.dice.ticket(stream, total)
    }
}

/// Looks ahead from one position.
pub(super) struct Ahead<'p, 'r> {
    machine: Machine<'p>,
    judge: Judge<'r>,
    scale: Scale,
    from: &'r State,
    seat: u32,
    moves: &'r [Move],
    /// By choices to go: what decided last.
    killers: [Move; MOST_CHOICES as usize + 1],
    until: u64,
    /// Whether some line was left before it came to an end.
    has_left: bool,
    /// By move.
    pub certain: Vec<Option<Certain>>,
}

/// The work it may do is used up.
struct Spent;

impl<'p, 'r> Ahead<'p, 'r> {
    /// None where nothing is certain: in games of other than two sides, and where something is hidden from the seat.
    pub(super) fn new(
        by: &'r Thinker<'p>,
        from: &'r State,
        seat: u32,
        moves: &'r [Move],
    ) -> Option<Ahead<'p, 'r>> {
        let judge = Judge::new(by.program, by.gauge.as_ref());
        if !judge.has_two_sides() {
            return None;
        }
        let mut machine = Machine::new(by.program);
        machine.load(from);
        if !machine.dealer(seat).is_certain() {
            return None;
        }
        Some(Ahead {
            machine,
            judge,
            scale: Scale::default(),
            from,
            seat,
            moves,
            killers: [Move(0); MOST_CHOICES as usize + 1],
            until: 0,
            has_left: false,
            certain: vec![None; moves.len()],
        })
    }

    /// May do so much more work.
    pub(super) fn grant(&mut self, work: u64) {
        self.until = self.machine.work_done().saturating_add(work);
    }

    /// Looks ever further ahead from all moves, as far as the work takes it that is granted.
    pub(super) fn look(&mut self) {
        for within in 1..=MOST_CHOICES {
            self.has_left = false;
            for wins in [true, false] {
                if self.look_within(wins, within).is_err() {
                    return;
                }
            }
            let is_won = self.certain.iter().flatten().any(|it| it.wins);
            if is_won || !self.has_left || !self.certain.contains(&None) {
                return;
            }
        }
    }

    /// Looks from all moves whether the seat wins, or else the other side, within so many choices: as long as there may be some.
    fn look_within(&mut self, wins: bool, within: u32) -> Result<(), Spent> {
        let (mut asked, mut found) = (0, 0);
        for at in 0..self.moves.len() {
            if self.certain[at].is_some() {
                continue;
            }
            self.settle(at, wins, within)?;
            asked += 1;
            found += usize::from(self.certain[at].is_some());
            if wins && found > 0 || !wins && found == 0 && asked == ASKED {
                break;
            }
        }
        Ok(())
    }

    /// The moves that lose for certain; none where all do.
    pub(super) fn lost(&self) -> Vec<usize> {
        let loses = |at: &usize| self.certain[*at].is_some_and(|it| !it.wins);
        let lost: Vec<usize> = (0..self.certain.len()).filter(loses).collect();
        if lost.len() == self.certain.len() {
            return Vec::new();
        }
        lost
    }

    /// Looks whether the other side wins behind a move that looks good: returns whether it may be made.
    pub(super) fn allows(&mut self, at: usize) -> bool {
        for within in 2..=CLOSER {
            if self.certain[at].is_some() || self.settle(at, false, within).is_err() {
                break;
            }
        }
        self.certain[at].is_none_or(|it| it.wins)
    }

    /// Moves that decided last, as far as they are among those of the root: what is good for the other side is mostly good to take
    /// from it.
    pub(super) fn killers(&self) -> impl Iterator<Item = usize> {
        let at = |it: &Move| self.moves.iter().position(|mv| mv == it);
        self.killers.iter().rev().filter_map(at)
    }

    /// Whether the seat that chooses, or else the other side, wins behind a move.
    fn settle(&mut self, at: usize, wins: bool, within: u32) -> Result<(), Spent> {
        if self.is_sure(self.from, self.moves[at], wins, within - 1)? {
            self.certain[at] = Some(Certain { wins, within });
        }
        Ok(())
    }

    /// Whether a side wins behind a move for certain: that of the seat, or else the other one.
    fn is_sure(&mut self, from: &State, mv: Move, own: bool, left: u32) -> Result<bool, Spent> {
        if self.machine.work_done() >= self.until {
            return Err(Spent);
        }
        let mut luck = Luck {
            dice: Quick::new(0),
            was_asked: false,
        };
        let status = self.machine.play_from(from, mv, &mut luck);
        let (Ok(status), false) = (status, luck.was_asked) else {
            return Ok(false);
        };
        let Status::Choice { seat } = status else {
            let is_told = self.judge.look(&mut self.machine, &mut self.scale);
            return Ok(is_told && self.judge.has_won(self.seat, own));
        };
        if left == 0 {
            self.has_left = true;
            return Ok(false);
        }
        let chooses = self.judge.is_own(self.seat, seat) == own;
        let here = self.machine.save();
        let mut moves = self.machine.moves().to_vec();
        let killer = self.killers[left as usize];
        if let Some(at) = moves.iter().position(|it| *it == killer) {
            moves.swap(0, at);
        }
        for mv in moves {
            if self.is_sure(&here, mv, own, left - 1)? == chooses {
                self.killers[left as usize] = mv;
                return Ok(chooses);
            }
        }
        Ok(!chooses)
    }
}

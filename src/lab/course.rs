//! One game, played by the laws.

use std::sync::atomic::{AtomicBool, Ordering};

use super::measures::{Measures, Taken};
use super::refusals::{Offers, is_looked_at};
use super::seated::Seated;
use super::totals::Totals;
use crate::engine::{
    Dice, Fault, Machine, Move, Names, Outcome, PlayError, Program, Status, Streams, mixed,
};

/// A game of so many choices is left off, unless something else is asked for.
pub const MOST_CHOICES: u64 = 20_000;

/// What is known of a game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Its seed.
    pub seed: u64,
    /// Choices made.
    pub choices: u64,
    /// Stretches of choices by one seat.
    pub turns: u64,
    /// The seats in the order in which they first chose; those that never did are missing.
    pub order: Vec<u32>,
    /// What stands for all that was chosen, and by whom.
    pub digest: u64,
    /// What was measured in it, by measure.
    pub taken: Vec<Taken>,
    /// How it ended.
    pub end: End,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// As the rules say.
    Judged(Outcome),
    /// The rules stopped with a fault.
    Fault(Box<Fault>),
    /// It was left off.
    Overlong,
}

impl Course {
    /// A game in which nobody has chosen.
    pub(super) fn begun(seed: u64) -> Course {
        Course {
            seed,
            choices: 0,
            turns: 0,
            order: Vec::new(),
            digest: 0,
            taken: Vec::new(),
            end: End::Overlong,
        }
    }

    /// For each seat its place in the order in which they first chose.
    pub fn turn_of(&self, seat: u32) -> Option<usize> {
        self.order.iter().position(|it| *it == seat)
    }
}

/// Plays games of one program, all seats by the second law.
pub struct Gambler<'p> {
    machine: Machine<'p>,
    names: &'p Names,
    streams: &'p Streams,
    /// By seat, how often it has chosen.
    chosen: Vec<u64>,
    most_choices: u64,
    /// What is offered where, if it is looked at what clauses forbid.
    looks: Option<&'p Offers>,
    /// What is measured, if anything is.
    measures: Option<&'p Measures>,
    /// Who sits at the table, if not all play at random, and the number of the game.
    seated: Option<(&'p Seated<'p>, u64)>,
}

/// The number by which a seat puts its moves in order.
pub(super) fn number(seed: u64, seat: u32, nth: u64) -> u64 {
    mixed(mixed(mixed(seed) ^ u64::from(seat)) ^ nth)
}

impl<'p> Gambler<'p> {
    /// A player of games of at most so many choices.
    #[must_use]
    pub fn new(
        program: &'p Program,
        names: &'p Names,
        streams: &'p Streams,
        most_choices: u64,
    ) -> Self {
        Self {
            machine: Machine::new(program),
            names,
            streams,
            chosen: vec![0; program.game.n_seats as usize],
            most_choices,
            looks: None,
            measures: None,
            seated: None,
        }
    }

    /// Also looks at what clauses forbid, from here on, or no longer.
    pub(super) fn look(&mut self, at: Option<&'p Offers>) {
        self.looks = at;
    }

    /// Lets others play than random ones in a game, which has this number, or no longer.
    pub fn seat(&mut self, seated: Option<(&'p Seated<'p>, u64)>) {
        self.seated = seated;
        if let Some((seated, _)) = seated {
            seated.prepare(&mut self.machine);
        }
    }

    /// Also measures what is to be measured, from here on.
    pub(super) fn measure(&mut self, what: &'p Measures) {
        self.measures = Some(what).filter(|it| !it.is_empty());
    }

    /// Plays the game with a seed and adds up what was chosen from; none where it was told to stop. The totals are then
    /// of no use.
    pub fn play(&mut self, seed: u64, totals: &mut Totals, stop: &AtomicBool) -> Option<Course> {
        let mut watch = |_: Move| !stop.load(Ordering::Relaxed);
        self.run(seed, totals, &mut watch)
    }

    /// The moves of the game with a seed; the last one of a game that a fault stops is the one that could not be
    /// finished.
    #[must_use]
    pub fn moves(&mut self, seed: u64) -> (Vec<Move>, Option<Course>) {
        let mut moves = Vec::new();
        let mut totals = Totals::of(self.machine.program());
        let course = self.run(seed, &mut totals, &mut |mv| {
            moves.push(mv);
            true
        });
        (moves, course)
    }

    fn run(
        &mut self,
        seed: u64,
        totals: &mut Totals,
        watch: &mut dyn FnMut(Move) -> bool,
    ) -> Option<Course> {
        let mut dice = Dice::named(seed, self.streams);
        self.chosen.fill(0);
        let mut course = Course::begun(seed);
        course.taken = self.measures.map_or_else(Vec::new, Measures::nothing);
        let mut last = None;
        let mut status = self.machine.start(&mut dice);
        loop {
            let seat = match status {
                Ok(Status::Choice { seat }) => seat,
                Ok(Status::Ended) => {
                    // A machine that has ended has an outcome.
                    course.end = self.machine.outcome().map_or(End::Overlong, End::Judged);
                    if let Some(measures) = self.measures {
                        measures.at_end(&mut self.machine, &mut course.taken);
                    }
                    return Some(course);
                }
                Err(fault) => {
                    course.end = End::Fault(Box::new(fault));
                    return Some(course);
                }
            };
            if course.choices == self.most_choices {
                return Some(course);
            }
            let chosen = self.chosen.get_mut(seat as usize)?;
            if *chosen == 0 {
                course.order.push(seat);
            }
            if let Some(offers) = self.looks
                && is_looked_at(seed, course.choices)
            {
                totals.refusals.look(&mut self.machine, offers);
            }
            if let Some(measures) = self.measures {
                let is_new = last != Some(seat);
                measures.at_choice(&mut self.machine, is_new, &mut course.taken);
            }
            let number = number(seed, seat, *chosen);
            let mut preferred = self.machine.preferred(self.names, number)?;
            if let Some((seated, game)) = self.seated
                && let Some(mv) = seated.chosen(&self.machine, seat, game, number)
            {
                self.machine.prefer(self.names, mv, &mut preferred);
            }
            *chosen += 1;
            course.choices += 1;
            course.digest = mixed(course.digest ^ mixed(preferred.name ^ u64::from(seat)));
            if last != Some(seat) {
                course.turns += 1;
                last = Some(seat);
            }
            let moves = self.machine.moves();
            let mv = *moves.get(preferred.index)?;
            totals.chose(&preferred, mv, moves.len());
            if !watch(mv) {
                return None;
            }
            status = match self.machine.play_nth(preferred.index, &mut dice) {
                Ok(status) => Ok(status),
                Err(PlayError::Fault(fault)) => Err(fault),
                // What was listed is legal.
                Err(PlayError::Illegal | PlayError::Over) => return None,
            };
        }
    }
}

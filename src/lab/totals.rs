//! What is known of many games: whole numbers that are added up.

use std::collections::BTreeMap;

use super::carried::{Carrier, Merged};
use super::course::{Course, End};
use super::measures::Measured;
use super::refusals::Refusals;
use super::spread::Spread;
use super::uses::Uses;
use crate::engine::{Fault, FaultKind, Move, Outcome, Preferred, Program};
use crate::model::{Alike, ProcId, sides};

/// What one who wins alone is given of a game; those who share the first place share it. Up to 16 can do so
/// without a rest.
pub const CREDIT: u64 = 720_720;

/// What is known of many games of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    n_seats: usize,
    /// By seat, the first of those who win and lose together with it.
    pub together: Vec<usize>,
    /// Games played.
    pub games: u64,
    /// Games that the rules have judged.
    pub judged: u64,
    /// By seat, then by its turn: the games in which it was the first to choose, the second …, and those in which
    /// it never chose.
    tallies: Vec<Tally>,
    /// By seat, then by place, the best first.
    places: Vec<u64>,
    /// Games in which several share the first place.
    pub shared: u64,
    /// Games that nobody won.
    pub nobody: u64,
    /// Of games that were judged, by ending.
    pub endings: BTreeMap<ProcId, EndingTotals>,
    /// Choices of a game that was judged.
    pub choices: Spread,
    /// Stretches of choices by one seat, of a game that was judged.
    pub turns: Spread,
    /// The longest game that was judged.
    pub longest: Option<Extreme>,
    /// The shortest one.
    pub shortest: Option<Extreme>,
    /// Legal moves of a choice.
    pub moves: Spread,
    /// What could be chosen, and was.
    pub uses: Uses,
    /// Which clauses forbid moves alone, where that was looked at.
    pub refusals: Refusals,
    /// What the rulebook says is measured, of games that were judged.
    pub measures: Vec<Measured>,
    /// Games that a fault has stopped, by fault.
    pub faults: Vec<Faulted>,
    /// Games that were left off.
    pub overlong: Option<Overlong>,
}

/// So many games that run out of work are no accident.
const MANY: u64 = 3;

/// How a seat fared that was the first to choose, or the second, or never chose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that were judged.
    pub games: u64,
    /// Those in which it was first alone, or with those who win and lose together with it.
    pub alone: u64,
    /// Those in which it shared the first place.
    pub shared: u64,
    /// Those that nobody won.
    pub lost: u64,
    /// What it was given, in parts of [`CREDIT`].
    pub credit: u128,
}

/// What is known of the games that one ending has judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndingTotals {
    /// How many.
    pub games: u64,
    /// By figure that it ranks by, then by seat.
    pub figures: Vec<Vec<Spread>>,
}

/// A game that lasted longest or shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// Its choices.
    pub choices: u64,
    /// The least seed of such a game.
    pub seed: u64,
}

/// Games that a fault has stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faulted {
    /// Why and where; of the game with the least seed.
    pub fault: Fault,
    /// How many games.
    pub games: u64,
    /// The least seed.
    pub seed: u64,
    /// Choices made in that game, the one that could not be finished among them.
    pub choices: u64,
}

/// Games that were left off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlong {
    /// How many.
    pub games: u64,
    /// The least seed.
    pub seed: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.alone += other.alone;
        self.shared += other.shared;
        self.lost += other.lost;
        self.credit += other.credit;
    }
}

impl Merged for Totals {
    fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.judged += other.judged;
        self.shared += other.shared;
        self.nobody += other.nobody;
        for (own, other) in self.tallies.iter_mut().zip(&other.tallies) {
            own.add(other);
        }
        for (own, other) in self.places.iter_mut().zip(&other.places) {
            *own += other;
        }
        for (id, other) in &other.endings {
            let own = self.endings.entry(*id).or_default();
            own.games += other.games;
            own.figures
                .resize(own.figures.len().max(other.figures.len()), Vec::new());
            for (own, other) in own.figures.iter_mut().zip(&other.figures) {
                own.resize(own.len().max(other.len()), Spread::default());
                own.iter_mut()
                    .zip(other)
                    .for_each(|(own, other)| own.merge(other));
            }
        }
        self.choices.merge(&other.choices);
        self.turns.merge(&other.turns);
        self.moves.merge(&other.moves);
        self.longest = longer(self.longest, other.longest);
        self.shortest = shorter(self.shortest, other.shortest);
        self.uses.merge(&other.uses);
        self.refusals.merge(&other.refusals);
        let measures = self.measures.iter_mut().zip(&other.measures);
        measures.for_each(|(own, other)| own.merge(other));
        for fault in &other.faults {
            self.stop(fault.clone());
        }
        if let Some(overlong) = other.overlong {
            self.leave_off(overlong);
        }
    }
}

impl Totals {
    /// Nothing known yet.
    #[must_use]
    pub fn of(program: &Program) -> Totals {
        let n_seats = program.game.n_seats as usize;
        Totals {
            n_seats,
            together: sides(&program.game),
            games: 0,
            judged: 0,
            tallies: vec![Tally::default(); n_seats * (n_seats + 1)],
            places: vec![0; n_seats * n_seats],
            shared: 0,
            nobody: 0,
            endings: BTreeMap::new(),
            choices: Spread::default(),
            turns: Spread::default(),
            longest: None,
            shortest: None,
            moves: Spread::default(),
            uses: Uses::of(program),
            refusals: Refusals::default(),
            measures: vec![Measured::default(); program.game.measures.len()],
            faults: Vec::new(),
            overlong: None,
        }
    }

    pub(super) fn chose(&mut self, from: &Preferred, mv: Move, n_moves: usize) {
        self.moves.add(i64::try_from(n_moves).unwrap_or(i64::MAX));
        self.uses.chose(from, mv);
    }

    /// Adds a game.
    pub fn add(&mut self, course: &Course) {
        self.games += 1;
        match &course.end {
            End::Judged(outcome) => self.judge(course, outcome),
            End::Fault(fault) => self.stop(Faulted {
                fault: (**fault).clone(),
                games: 1,
                seed: course.seed,
                choices: course.choices,
            }),
            End::Overlong => self.leave_off(Overlong {
                games: 1,
                seed: course.seed,
            }),
        }
    }

    /// Whether games run out of work one after the other, so that no more of them tell anything.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        let faults = self.faults.iter();
        let endless = faults.filter(|it| it.fault.kind == FaultKind::Fuel);
        let games: u64 = endless.map(|it| it.games).sum();
        games >= MANY && games * 2 >= self.games
    }

    fn judge(&mut self, course: &Course, outcome: &Outcome) {
        self.judged += 1;
        let first = outcome.places.iter().filter(|it| **it == 1).count();
        let nobody = outcome.alike == Some(Alike::NobodyWins);
        let winners = outcome.winners(&self.together);
        self.shared += u64::from(winners.is_empty() && !nobody);
        self.nobody += u64::from(nobody);
        let never = self.n_seats;
        for (seat, place) in (0..).zip(&outcome.places) {
            // Where all have lost nobody is in any place.
            let won = *place == 1 && !nobody;
            let tally = Tally {
                games: 1,
                alone: u64::from(winners.contains(&seat)),
                shared: u64::from(won && winners.is_empty()),
                lost: u64::from(nobody),
                credit: u128::from(if won { CREDIT / first.max(1) as u64 } else { 0 }),
            };
            let turn = course.turn_of(seat).unwrap_or(never);
            let seat = seat as usize;
            if let Some(own) = self.tallies.get_mut(seat * (self.n_seats + 1) + turn) {
                own.add(&tally);
            }
            let place = (*place as usize).saturating_sub(1);
            if !nobody && let Some(own) = self.places.get_mut(seat * self.n_seats + place) {
                *own += 1;
            }
        }
        let ending = self.endings.entry(outcome.ending).or_default();
        ending.games += 1;
        for (seat, keys) in outcome.keys.iter().enumerate() {
            ending
                .figures
                .resize(ending.figures.len().max(keys.len()), Vec::new());
            for (figure, key) in ending.figures.iter_mut().zip(keys) {
                figure.resize(figure.len().max(seat + 1), Spread::default());
                figure[seat].add(*key);
            }
        }
        self.choices.add(whole(course.choices));
        self.turns.add(whole(course.turns));
        for (own, taken) in self.measures.iter_mut().zip(&course.taken) {
            own.add(taken, course.seed);
        }
        let own = Some(Extreme {
            choices: course.choices,
            seed: course.seed,
        });
        self.longest = longer(self.longest, own);
        self.shortest = shorter(self.shortest, own);
    }

    /// Carries all but what stopped games.
    pub(super) fn carry_games(&mut self, by: &mut Carrier<'_>) {
        let Totals {
            n_seats,
            together: _,
            games,
            judged,
            tallies,
            places,
            shared,
            nobody,
            endings,
            choices,
            turns,
            longest,
            shortest,
            moves,
            uses,
            refusals,
            measures,
            faults: _,
            overlong: _,
        } = self;
        by.number("games", games);
        by.number("judged", judged);
        by.number("shared", shared);
        by.number("nobody", nobody);
        if *judged > *games || shared.checked_add(*nobody).is_none_or(|it| it > *judged) {
            by.refuse("judged");
        }
        let most = *judged;
        by.inside("tally", |by| {
            for (at, tally) in tallies.iter_mut().enumerate() {
                by.inside(at, |by| tally.carry(by));
            }
            if tallies.iter().any(|it| it.games > most) {
                by.refuse("games");
            }
        });
        by.inside("place", |by| {
            for (at, games) in places.iter_mut().enumerate() {
                by.number(at, games);
            }
        });
        by.inside("ending", |by| {
            if by.puts_back() {
                let all = by.names::<u32>().into_iter();
                *endings = all
                    .map(|it| (ProcId(it), EndingTotals::default()))
                    .collect();
            }
            for (id, ending) in endings {
                by.inside(id.0, |by| ending.carry(*n_seats, by));
            }
        });
        by.inside("choices", |by| choices.carry(by));
        by.inside("turns", |by| turns.carry(by));
        by.inside("moves", |by| moves.carry(by));
        for (name, extreme) in [("longest", longest), ("shortest", shortest)] {
            let mut it = extreme.unwrap_or(Extreme {
                choices: 0,
                seed: 0,
            });
            by.inside(name, |by| it.carry(by));
            if by.puts_back() {
                *extreme = (most > 0).then_some(it);
            }
        }
        by.inside("use", |by| uses.carry(by));
        by.inside("refusal", |by| refusals.carry(by));
        by.inside("measure", |by| {
            for (at, it) in measures.iter_mut().enumerate() {
                by.inside(at, |by| it.carry(by));
            }
        });
    }

    pub(super) fn stop(&mut self, other: Faulted) {
        let known = self.faults.iter_mut();
        let mut known = known.filter(|it| it.fault.is_like(&other.fault));
        match known.next() {
            Some(own) => {
                let games = own.games + other.games;
                if other.seed < own.seed {
                    *own = other;
                }
                own.games = games;
            }
            None => self.faults.push(other),
        }
        self.faults.sort_by_key(|it| it.seed);
    }

    fn leave_off(&mut self, other: Overlong) {
        self.overlong = Some(match self.overlong {
            Some(own) => Overlong {
                games: own.games + other.games,
                seed: own.seed.min(other.seed),
            },
            None => other,
        });
    }

    /// Seats at the table.
    #[must_use]
    pub fn n_seats(&self) -> usize {
        self.n_seats
    }

    /// How a seat fared in the games in which it was the first to choose (0), the second (1) …, or never
    /// chose (the number of seats).
    #[must_use]
    pub fn tally(&self, seat: usize, turn: usize) -> Tally {
        let at = seat * (self.n_seats + 1) + turn;
        self.tallies.get(at).copied().unwrap_or_default()
    }

    /// How a seat fared.
    #[must_use]
    pub fn of_seat(&self, seat: usize) -> Tally {
        let mut sum = Tally::default();
        (0..=self.n_seats).for_each(|turn| sum.add(&self.tally(seat, turn)));
        sum
    }

    /// How those fared who were the first to choose (0), the second (1) …
    #[must_use]
    pub fn of_turn(&self, turn: usize) -> Tally {
        let mut sum = Tally::default();
        (0..self.n_seats).for_each(|seat| sum.add(&self.tally(seat, turn)));
        sum
    }

    /// In how many games a seat came to a place, counted from 1.
    #[must_use]
    pub fn place(&self, seat: usize, place: usize) -> u64 {
        let at = place.checked_sub(1).map(|it| seat * self.n_seats + it);
        at.and_then(|at| self.places.get(at)).copied().unwrap_or(0)
    }

    /// Choices that left nothing to choose.
    #[must_use]
    pub fn forced(&self) -> u64 {
        let mut counts = self.moves.counts();
        counts.find(|(n, _)| *n == 1).map_or(0, |(_, count)| count)
    }
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn longer(one: Option<Extreme>, other: Option<Extreme>) -> Option<Extreme> {
    let both = one.into_iter().chain(other);
    both.max_by_key(|it| (it.choices, std::cmp::Reverse(it.seed)))
}

fn shorter(one: Option<Extreme>, other: Option<Extreme>) -> Option<Extreme> {
    let both = one.into_iter().chain(other);
    both.min_by_key(|it| (it.choices, it.seed))
}

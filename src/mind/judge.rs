//! What a position is worth to each seat.

use std::cmp::Ordering;

use crate::engine::{Gauge, Machine, Program, Scale, Status};
use crate::model::{Alike, ProcId, alike, sides};

/// How much of what a game is worth the places decide; the rest is by how much.
const BY_PLACE: f64 = 0.7;
/// What a won game counts for beside any lead, where only one move is looked ahead.
const DECIDED: f64 = 1e9;

/// Judges positions, and keeps what the last one came to.
pub(super) struct Judge<'g> {
    gauge: Option<&'g Gauge>,
    /// Whether all can win or lose together.
    is_shared: bool,
    /// By seat: the first of those who win and lose with it.
    sides: Vec<usize>,
    /// By seat: the figures to compare, one after the other.
    values: Vec<i64>,
    /// By seat: what part of its rivals it leaves behind.
    pub places: Vec<f64>,
    /// By seat: its part of the first place.
    pub wins: Vec<f64>,
    /// By seat: how much its figure is above the best of its rivals.
    pub margins: Vec<f64>,
    /// By seat: what it is worth.
    pub rewards: Vec<f64>,
    is_over: bool,
    seen: f64,
    squares: f64,
    sum: f64,
}

/// How the rivals of a seat stand.
#[derive(Default)]
struct Rivals {
    better: u32,
    equal: u32,
    /// Sides that stand as well.
    equal_sides: u32,
}

impl Rivals {
    fn add(&mut self, order: Ordering, is_first: bool) {
        self.better += u32::from(order.is_gt());
        self.equal += u32::from(order.is_eq());
        self.equal_sides += u32::from(order.is_eq() && is_first);
    }
}

impl<'g> Judge<'g> {
    pub(super) fn new(program: &Program, gauge: Option<&'g Gauge>) -> Judge<'g> {
        let game = &*program.game;
        let n = game.n_seats as usize;
        let ends_alike = |ending: u32| {
            let figures = vec![vec![1]; n];
            alike(game, ProcId(ending), &figures) == Some(Alike::AllWin)
        };
        Judge {
            gauge,
            is_shared: (0..).zip(&game.procs).any(|(it, _)| ends_alike(it)),
            sides: sides(game),
            values: Vec::new(),
            places: vec![0.5; n],
            wins: vec![0.0; n],
            margins: vec![0.0; n],
            rewards: vec![0.5; n],
            is_over: false,
            seen: 0.0,
            squares: 0.0,
            sum: 0.0,
        }
    }

    /// Looks at a position; false where it cannot be told how it stands there.
    pub(super) fn look(&mut self, machine: &mut Machine<'_>, scale: &mut Scale) -> bool {
        self.is_over = machine.status() == Status::Ended;
        if self.is_over {
            return self.compare(machine);
        }
        let Some(gauge) = self.gauge else {
            self.places.fill(0.5);
            self.wins.fill(0.5);
            self.margins.fill(0.0);
            self.rewards.fill(0.5);
            return true;
        };
        if machine.gauge(gauge, scale, &mut self.values).is_err() {
            return false;
        }
        for seat in 0..self.places.len() {
            let own = self.values.get(seat).copied().unwrap_or(0);
            let mut found = Rivals::default();
            for (at, other) in self.values.iter().enumerate() {
                if self.are_rivals(seat, at) {
                    found.add(other.cmp(&own), self.is_first(at));
                }
            }
            self.place(seat, &found);
        }
        self.weigh();
        true
    }

    /// Compares the figures of an ending.
    fn compare(&mut self, machine: &Machine<'_>) -> bool {
        let n = self.places.len();
        self.values.clear();
        for seat in (0..).take(n) {
            let Some(mut own) = machine.figures(seat) else {
                return false;
            };
            let first = own.next().unwrap_or(0);
            self.values.push(first);
            let mut found = Rivals::default();
            for other in (0..).take(n) {
                if !self.are_rivals(seat as usize, other as usize) {
                    continue;
                }
                let figures = machine.figures(seat).zip(machine.figures(other));
                if let Some(order) = figures.map(|(own, other)| other.cmp(own)) {
                    found.add(order, self.is_first(other as usize));
                }
            }
            self.place(seat as usize, &found);
        }
        if (n == 1 || self.is_shared)
            && let Some(outcome) = machine.outcome()
        {
            let all = match outcome.alike {
                Some(Alike::AllWin) => Some(1.0),
                Some(Alike::NobodyWins) => Some(0.0),
                Some(Alike::Draw) | None => None,
            };
            if let Some(all) = all {
                self.places.fill(all);
                self.wins.fill(all);
            }
        }
        self.weigh();
        true
    }

    /// Whether two sides play, of which only one can win.
    pub(super) fn has_two_sides(&self) -> bool {
        let firsts = (0..self.sides.len()).filter(|it| self.is_first(*it));
        !self.is_shared && firsts.count() == 2
    }

    /// Whether another seat is of the side of a seat.
    pub(super) fn is_own(&self, seat: u32, other: u32) -> bool {
        self.sides.get(seat as usize) == self.sides.get(other as usize)
    }

    /// Whether the side of a seat, or else the other one of two, has won alone.
    pub(super) fn has_won(&self, seat: u32, own: bool) -> bool {
        let mut seats = (0..).zip(&self.places);
        self.is_over
            && seats.all(|(it, place)| *place == f64::from(u8::from(self.is_own(seat, it) == own)))
    }

    fn are_rivals(&self, seat: usize, other: usize) -> bool {
        seat != other && self.sides.get(seat) != self.sides.get(other)
    }

    /// Whether a seat is the first of its side.
    fn is_first(&self, seat: usize) -> bool {
        self.sides.get(seat) == Some(&seat)
    }

    /// Takes down the place of a seat by how its rivals stand.
    fn place(&mut self, seat: usize, found: &Rivals) {
        let all = 0..self.places.len();
        let others = all.filter(|it| self.are_rivals(seat, *it)).count();
        let ahead = f64::from(found.better) + f64::from(found.equal) / 2.0;
        self.places[seat] = match others {
            0 => 1.0,
            n => 1.0 - ahead / n as f64,
        };
        self.wins[seat] = match found.better {
            0 => 1.0 / f64::from(found.equal_sides + 1),
            _ => 0.0,
        };
    }

    /// Works out what the position is worth; how far leads are spread is learnt on the way.
    fn weigh(&mut self) {
        let alone = self.values.len() == 1;
        for (seat, own) in self.values.iter().enumerate() {
            let others = self.values.iter().enumerate();
            let others = others.filter(|(other, _)| self.are_rivals(seat, *other));
            let best = others.map(|it| *it.1).max().map(|it| it as f64);
            let usual = match self.seen > 0.0 {
                true => self.sum / self.seen,
                false => *own as f64,
            };
            self.margins[seat] = *own as f64 - best.unwrap_or(usual);
        }
        for margin in &self.margins {
            self.seen += 1.0;
            self.squares += margin * margin;
        }
        if alone {
            self.sum += self.values.first().map_or(0.0, |it| *it as f64);
        }
        let spread = (self.squares / self.seen).sqrt();
        let seats = self.rewards.iter_mut().zip(&self.places).zip(&self.margins);
        for ((reward, place), margin) in seats {
            let lead = match spread > 0.0 {
                true => 1.0 / (1.0 + (-margin / spread).exp()),
                false => 0.5,
            };
            *reward = BY_PLACE * place + (1.0 - BY_PLACE) * lead;
        }
    }

    /// What it is worth to a seat.
    pub(super) fn reward(&self, seat: u32) -> f64 {
        self.rewards.get(seat as usize).copied().unwrap_or(0.5)
    }

    /// By seat: the first figure.
    pub(super) fn figures(&self) -> &[i64] {
        &self.values
    }

    /// How a seat stands, the end of the game before everything.
    pub(super) fn standing(&self, seat: u32) -> f64 {
        let seat = seat as usize;
        let margin = self.margins.get(seat).copied().unwrap_or(0.0);
        let place = self.places.get(seat).copied().unwrap_or(0.5);
        match self.is_over {
            true => (place - 0.5) * DECIDED + margin,
            false => margin,
        }
    }

    /// Nothing is known of a game that does not end.
    pub(super) fn leave_open(&mut self) {
        self.places.fill(0.5);
        self.wins.fill(0.0);
        self.margins.fill(0.0);
        self.rewards.fill(0.5);
    }
}

//! What a game has come to.

use std::collections::BTreeSet;

use super::machine::Machine;
use super::op::word;
use super::vm::peek;
use crate::model::{Alike, ProcId, alike};

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The ending that was met.
    pub ending: ProcId,
    /// For each seat its place, 1 for the best; seats with equal keys share a place.
    pub places: Vec<u32>,
    /// For each seat the figures that it was ranked by, most important first. The first one is the
    /// payoff.
    pub keys: Vec<Vec<i64>>,
    /// How it has ended if it has ended alike for all.
    pub alike: Option<Alike>,
}

impl Outcome {
    /// The seats that are first, alone or with others; none in a draw or where all have lost.
    #[must_use]
    pub fn first(&self) -> Vec<u32> {
        match self.alike {
            Some(Alike::NobodyWins | Alike::Draw) => Vec::new(),
            Some(Alike::AllWin) | None => (0..)
                .zip(&self.places)
                .filter(|(_, place)| **place == 1)
                .map(|(seat, _)| seat)
                .collect(),
        }
    }

    /// Those who have won: one seat, or all that win and lose together; nobody where several share the first place, or where
    /// nobody has won. By seat, the first of those who do so with it is `together`.
    #[must_use]
    pub fn winners(&self, together: &[usize]) -> Vec<u32> {
        if self.alike == Some(Alike::NobodyWins) {
            return Vec::new();
        }
        let places = (0..).zip(&self.places).zip(together);
        let first: Vec<(u32, usize)> = places
            .filter(|((_, place), _)| **place == 1)
            .map(|((seat, _), side)| (seat, *side))
            .collect();
        let side = first.first().map(|it| it.1);
        match first.iter().all(|it| Some(it.1) == side) {
            true => first.into_iter().map(|it| it.0).collect(),
            false => Vec::new(),
        }
    }

    /// By seat, its part of the win: a whole one for who wins alone, for partners and where all win, an equal part for each side
    /// that shares the first place, and nothing where nobody has won. By seat, the first of those who win and lose with it is
    /// `together`.
    #[must_use]
    pub fn parts(&self, together: &[usize]) -> Vec<f64> {
        let first = || self.places.iter().zip(together).filter(|it| *it.0 == 1);
        let sides: BTreeSet<usize> = first().map(|it| *it.1).collect();
        let part = match self.alike {
            Some(Alike::NobodyWins) => 0.0,
            Some(Alike::AllWin) => 1.0,
            Some(Alike::Draw) | None => 1.0 / sides.len().max(1) as f64,
        };
        let parts = self.places.iter();
        parts.map(|it| if *it == 1 { part } else { 0.0 }).collect()
    }
}

impl Machine<'_> {
    /// The result, once the game has ended.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let ending = u32::try_from(peek(&self.mem, word::ENDING))
            .ok()?
            .checked_sub(1)?;
        let ending = ProcId(ending);
        let figures = |seat| self.figures(seat).map(Iterator::collect);
        let keys: Vec<Vec<i64>> = (0..self.program.game.n_seats).filter_map(figures).collect();
        let place = |own: &Vec<i64>| 1 + keys.iter().filter(|other| *other > own).count();
        let places = keys
            .iter()
            .map(|own| u32::try_from(place(own)).unwrap_or(u32::MAX))
            .collect();
        Some(Outcome {
            ending,
            places,
            alike: alike(&self.program.game, ending, &keys),
            keys,
        })
    }
}

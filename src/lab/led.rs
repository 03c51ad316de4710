//! Games that are led to what differs between two rule sets, for rules that random games seldom come to.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::kind::Kind;
use super::near::Goals;
use super::run::{BATCH, Plan, in_stretches, next};
use super::step::{Pair, Rules};
use crate::engine::{Program, mixed};
use crate::threads::Left;

/// So many moves are tried out at a choice, and the one that comes nearest is played.
const TRIED: usize = 3;
/// One choice in so many is made at random.
const FREE: u64 = 5;

/// What games that were led have come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Led {
    /// Games that ended alike under both, and the one that did not.
    pub games: u64,
    /// The first difference that was met.
    pub found: Option<Found>,
}

/// A difference that was met in a game that was led.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The seed of the game.
    pub seed: u64,
    /// How the two differ.
    pub kind: Kind,
    /// The names of the moves that lead to it.
    pub(super) line: Vec<u64>,
}

/// Plays games of two rule sets in step, each move the one of a few after which a clause that differs is nearest to deciding
/// something, until they differ, all are played or `watch` says no. Nothing is played where no such clause is known: then there
/// is nothing to tell. How often something differs these games do not say.
pub fn lead(
    programs: [&Program; 2],
    plan: Plan,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Option<(Led, Left)> {
    let goals = Goals::of(programs);
    if goals.is_empty() {
        return None;
    }
    let rules = Rules::of(programs);
    let mut led = Led::default();
    let worker = || {
        let mut pair = Pair::new(&rules, plan.most_choices);
        let goals = &goals;
        move |games: Range<u64>, stop: &AtomicBool| {
            let mut led = Led::default();
            for game in games {
                let seed = plan.first.wrapping_add(game);
                led.games += 1;
                led.found = pair.led(seed, goals, &mut || !stop.load(Ordering::Relaxed))?;
                if led.found.is_some() {
                    break;
                }
            }
            Some(led)
        }
    };
    let left = in_stretches(&plan, BATCH, worker, &mut |played: Option<Led>| {
        if let Some(more) = played {
            led.games += more.games;
            led.found = more.found;
        }
        let go_on = watch(led.games);
        next(false, led.found.is_some(), go_on)
    });
    Some((led, left))
}

impl Pair<'_> {
    /// The difference that a game comes to, if it comes to one; none at all where it was told to stop.
    fn led(
        &mut self,
        seed: u64,
        goals: &Goals,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Option<Found>> {
        self.begin(seed);
        let mut line = Vec::new();
        loop {
            if let Some(kind) = self.difference() {
                return Some(Some(Found { seed, kind, line }));
            }
            let Some(seat) = self.chooser() else {
                return Some(None);
            };
            if line.len() as u64 >= self.most_choices() {
                return Some(None);
            }
            if !go_on() {
                return None;
            }
            let Some(name) = self.nearest(seed, line.len() as u64, goals) else {
                return Some(None);
            };
            if !self.play_named(seat, name) {
                return Some(None);
            }
            line.push(name);
        }
    }

    /// The name of the move that comes nearest of a few.
    fn nearest(&mut self, seed: u64, nth: u64, goals: &Goals) -> Option<u64> {
        let names = self.names(0);
        let mut luck = mixed(mixed(!seed) ^ nth);
        let mut drawn: Vec<u64> = Vec::new();
        for _ in 0..TRIED {
            luck = mixed(luck);
            let at = usize::try_from(luck % names.len().max(1) as u64).ok()?;
            let name = *names.get(at)?;
            if !drawn.contains(&name) {
                drawn.push(name);
            }
        }
        if drawn.len() == 1 || mixed(luck).is_multiple_of(FREE) {
            return drawn.first().copied();
        }
        let mut best: Option<(i64, u64)> = None;
        for name in drawn {
            let near = [0, 1].into_iter().filter(|side| goals.asks(*side));
            let near: Vec<i64> = near
                .filter_map(|side| self.behind(side, name, goals))
                .collect();
            let near = near.into_iter().max().unwrap_or(0);
            if best.is_none_or(|(most, _)| near > most) {
                best = Some((near, name));
            }
        }
        best.map(|(_, name)| name)
    }

    /// How near a side is behind a move, which is taken back.
    fn behind(&mut self, at: usize, name: u64, goals: &Goals) -> Option<i64> {
        let mv = self.move_named(at, name)?;
        let side = &mut self.sides[at];
        let before = side.machine.save();
        let mut dice = side.dice.clone();
        let near = match side.machine.play_from(&before, mv, &mut dice) {
            Ok(_) => goals.nearness(at, &mut side.machine),
            // A fault is what one looks for.
            Err(_) => i64::MAX,
        };
        side.machine.load(&before);
        Some(near)
    }
}

//! Positions in which a seat may be, found by playing the game again from its beginning as the seat saw it go.
//!
//! A world is one way in which all may have gone: what others chose in secret and what luck gave is chosen anew, and each time the seat
//! has to see what it saw. Where a world stops short of the end, something before that is changed and all behind it played again, as
//! long as it comes no less far. One that comes to the end gives the next: one thing goes otherwise, and all behind it as before, or
//! all that is chosen behind it. How often that is taken (Metropolis and Hastings) sees to it that in the long run each world comes as
//! often as it is likely, if those who choose in secret choose at random.

use std::sync::Arc;

use super::chance::{Chance, below};
use super::lived::{Eyes, Lived, Seen, Step};
use super::machine::{Machine, Move, State, Status};
use super::naming::mixed;
use crate::model::StreamId;

/// Worlds that are gone on from in turn.
const MOST_WORLDS: usize = 8;
/// Moves that are played to find the first of them, and all.
const MOST_PLAYS: u32 = 40_000;
/// Work after which no more are looked for: less than a thought takes.
const MOST_WORK: u64 = 4_000_000;
/// Beginnings that are tried.
const MOST_STARTS: u32 = 64;
/// How often a move is played with other luck, or another one in its place.
const MOST_TRIES: u32 = 12;
/// How often one is drawn that would be told in the same words.
const MOST_DRAWN: u32 = 24;

/// The worlds of a seat.
#[derive(Clone, Debug)]
pub(super) struct Worlds {
    lived: Arc<Lived>,
    seat: u32,
    /// The values that it does not see.
    hidden: Vec<(usize, usize)>,
    /// Of the last moves so many are choices that come out when all have chosen.
    n_pending: usize,
    found: Option<Vec<World>>,
    next: usize,
}

/// The beginning, then each move.
type World = Vec<Turn>;

/// What is chosen anew of a move.
#[derive(Clone, Debug)]
struct Turn {
    mv: Move,
    /// Among so many it was chosen; one where the seat saw it.
    n: usize,
    seed: u64,
    /// Whether it could have gone otherwise.
    is_free: bool,
    after: State,
}

/// How all behind a change goes on.
#[derive(Clone, Copy, PartialEq)]
enum Behind {
    /// As it did, and otherwise where it cannot: to find a world.
    AsItCan,
    /// As it did, or not at all.
    AsItDid,
    /// Otherwise, but for luck.
    Anew,
}

/// Luck that notes whether it was asked.
struct Luck {
    state: u64,
    was_asked: bool,
}

impl Luck {
    fn new(seed: u64) -> Luck {
        Luck {
            state: seed,
            was_asked: false,
        }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.state)
    }

    fn nth(&mut self, n: usize) -> usize {
        let nth = below(self.next(), (n as u64).max(1));
        usize::try_from(nth).unwrap_or(0)
    }
}

impl Chance for Luck {
    fn ticket(&mut self, _stream: StreamId, total: u64) -> u64 {
        self.was_asked |= total > 1;
        below(self.next(), total)
    }
}

impl Worlds {
    pub(super) fn new(
        lived: Arc<Lived>,
        seat: u32,
        hidden: Vec<(usize, usize)>,
        n_pending: usize,
    ) -> Worlds {
        Worlds {
            lived,
            seat,
            hidden,
            n_pending,
            found: None,
            next: 0,
        }
    }

    fn eyes(&self) -> Option<&Eyes> {
        self.lived.eyes.get(self.seat as usize)
    }

    fn is_whole(&self, world: &World) -> bool {
        world.len() > self.lived.steps.len()
    }

    /// A move that was played, what the seat saw of it, and whether it knows which it was and has been told of it.
    fn step(&self, nth: usize) -> Option<(&Step, &Seen, [bool; 2])> {
        let step = self.lived.steps.get(nth)?;
        let seen = step.seen.get(self.seat as usize)?;
        let comes_out = nth + self.n_pending < self.lived.steps.len();
        let is_open = step.seat == self.seat || seen.is_open && comes_out;
        Some((step, seen, [is_open, comes_out]))
    }
}

impl Machine<'_> {
    /// Goes to another position in which the seat may be; false where none was found.
    pub(super) fn deal_lived<C: Chance>(
        &mut self,
        worlds: &mut Worlds,
        stream: StreamId,
        chance: &mut C,
    ) -> bool {
        let knowledge = std::mem::take(&mut self.knowledge);
        let heard = std::mem::take(&mut self.heard);
        let listens = std::mem::replace(&mut self.bench.listens, worlds.lived.hears);
        let keeps_past = std::mem::replace(&mut self.keeps_past, false);
        let mut dice = Luck::new(chance.ticket(stream, u64::MAX));
        let next = self.next_world(worlds, &mut dice);
        self.bench.listens = listens;
        self.keeps_past = keeps_past;
        self.heard = heard;
        self.knowledge = knowledge;
        let Some(state) = next else {
            return false;
        };
        self.restore(&state);
        self.relist();
        !self.moves.is_empty()
    }

    fn next_world(&mut self, worlds: &mut Worlds, dice: &mut Luck) -> Option<State> {
        let mut found = match worlds.found.take() {
            Some(found) => found,
            None => self.find_worlds(worlds, dice),
        };
        worlds.next = (worlds.next + 1) % found.len().max(1);
        let world = found.get_mut(worlds.next)?;
        if let Some(at) = one_free(world, dice) {
            let mut left = MOST_PLAYS;
            let behind = match dice.nth(2) {
                0 => Behind::AsItDid,
                _ => Behind::Anew,
            };
            let (other, odds) = self.change(worlds, world, (at, behind), dice, &mut left);
            // What to change is one of so many.
            let [before, after] = [&*world, &other].map(|it| all_free(it).len().max(1) as f64);
            let draw = dice.next() as f64 / u64::MAX as f64;
            if worlds.is_whole(&other) && draw < odds.exp() * before / after {
                *world = other;
            }
        }
        let state = world.last().map(|it| it.after.clone());
        worlds.found = Some(found);
        state
    }

    fn find_worlds(&mut self, worlds: &Worlds, dice: &mut Luck) -> Vec<World> {
        let (mut found, mut left) = (Vec::new(), MOST_PLAYS);
        let until = self.work_done().saturating_add(MOST_WORK);
        while found.len() < MOST_WORLDS
            && let Some(world) = self.find_world(worlds, until, dice, &mut left)
        {
            found.push(world);
        }
        found
    }

    fn find_world(
        &mut self,
        worlds: &Worlds,
        until: u64,
        dice: &mut Luck,
        left: &mut u32,
    ) -> Option<World> {
        let (mut world, _) = self.change(worlds, &World::new(), (0, Behind::AsItCan), dice, left);
        while !worlds.is_whole(&world) {
            if *left == 0 || self.work_done() >= until {
                return None;
            }
            let at = one_free(&world, dice)?;
            let (other, _) = self.change(worlds, &world, (at, Behind::AsItCan), dice, left);
            if other.len() >= world.len() {
                world = other;
            }
        }
        Some(world)
    }

    /// Lets one move go otherwise, and plays on from there as far as the seat sees what it saw. Tells how much more likely than that
    /// world the other one is, held against how likely it was to be found.
    fn change(
        &mut self,
        worlds: &Worlds,
        world: &World,
        (at, behind): (usize, Behind),
        dice: &mut Luck,
        left: &mut u32,
    ) -> (World, f64) {
        let mut other = world.get(..at).unwrap_or_default().to_vec();
        let mut odds = 0.0;
        if let Some(turn) = other.last() {
            self.load(&turn.after);
        }
        for nth in at..=worlds.lived.steps.len() {
            let kept = world.get(nth).filter(|_| nth > at);
            let turn = match other.last() {
                None => self.begin(worlds, dice, left),
                Some(last) => {
                    let from = (nth - 1, &last.after);
                    self.turn(worlds, from, (kept, behind), dice, left)
                }
            };
            let Some(turn) = turn else { break };
            if let Some(kept) = kept.filter(|_| behind == Behind::AsItDid) {
                odds += (kept.n as f64).ln() - (turn.n as f64).ln();
            }
            other.push(turn);
        }
        (other, odds)
    }

    /// Begins the game so that the seat sees what it saw then.
    fn begin(&mut self, worlds: &Worlds, dice: &mut Luck, left: &mut u32) -> Option<Turn> {
        let eyes = worlds.eyes()?;
        let wanted = worlds.lived.marks.get(worlds.seat as usize)?;
        let mut is_free = false;
        for nth in 0..=MOST_STARTS {
            *left = left.checked_sub(1)?;
            let mut luck = Luck::new(dice.next());
            self.start(&mut luck).ok()?;
            is_free |= luck.was_asked;
            // What is seen from the beginning may be too rare: then all lies as it does, and is dealt anew.
            if nth == MOST_STARTS && !self.begin_dealt(worlds, &mut luck) {
                return None;
            }
            if self.mark(eyes) == *wanted {
                return Some(Turn {
                    mv: Move(0),
                    n: 1,
                    seed: 0,
                    is_free,
                    after: self.save(),
                });
            }
            if !is_free {
                return None;
            }
        }
        None
    }

    /// Goes to the beginning of the game, with what lies hidden dealt anew and hidden values as another beginning has given them.
    fn begin_dealt(&mut self, worlds: &Worlds, luck: &mut Luck) -> bool {
        let layout = &self.program.layout;
        let slots = worlds.hidden.iter();
        let slots = slots.filter_map(|(track, place)| Some((layout.tracks.get(*track)?, *place)));
        let values: Vec<_> = slots
            .map(|(slot, place)| (slot, place, slot.read(&self.mem, place)))
            .collect();
        self.load(&worlds.lived.begin);
        let mut dealer = self.dealer(worlds.seat);
        dealer.keep_tracks();
        if !self.deal(&mut dealer, luck) {
            return false;
        }
        for (slot, place, value) in values {
            slot.write(&mut self.mem, place, &value);
        }
        self.relist();
        true
    }

    /// Plays a move again from where the machine stands, as it was played in a world or otherwise.
    fn turn(
        &mut self,
        worlds: &Worlds,
        (nth, from): (usize, &State),
        (kept, behind): (Option<&Turn>, Behind),
        dice: &mut Luck,
        left: &mut u32,
    ) -> Option<Turn> {
        let (step, seen, [is_open, is_told]) = worlds.step(nth)?;
        let eyes = worlds.eyes()?;
        let turned;
        let mut from = from;
        match self.status() {
            Status::Choice { seat } if seat == step.seat => {}
            Status::Choice { .. } if self.turn_to(step.seat).ok()? => {
                turned = self.save();
                from = &turned;
            }
            _ => return None,
        }
        let moves = self.moves().to_vec();
        if is_open && !moves.contains(&step.mv) {
            return None;
        }
        let most = if behind == Behind::AsItCan {
            MOST_TRIES
        } else {
            1
        };
        let mut kept = kept;
        for again in 0..most {
            *left = left.checked_sub(1)?;
            if again > 0 {
                self.restore(from);
            }
            let same = kept.take();
            let as_before = same.filter(|_| behind != Behind::Anew).map(|it| it.mv);
            let mv = match as_before.filter(|it| moves.contains(it)) {
                _ if is_open => step.mv,
                Some(mv) => mv,
                None if as_before.is_some() && behind == Behind::AsItDid => return None,
                // What has yet to come out may be anything.
                None if !is_told => *moves.get(dice.nth(moves.len()))?,
                None => self.drawn(worlds.seat, seen.words, &moves, dice)?,
            };
            let seed = same.map_or_else(|| dice.next(), |it| it.seed);
            let mut luck = Luck::new(seed);
            let is_played = self.play_from(from, mv, &mut luck).is_ok();
            let n = if is_open { 1 } else { moves.len() };
            let is_free = n > 1 || luck.was_asked;
            if is_played && seen.mark.is_none_or(|it| it == self.mark(eyes)) {
                return Some(Turn {
                    mv,
                    n,
                    seed,
                    is_free,
                    after: self.save(),
                });
            }
            if !is_free {
                return None;
            }
        }
        None
    }

    /// One of the legal moves that the seat would have been told of in the same words.
    fn drawn(&mut self, seat: u32, words: u64, moves: &[Move], dice: &mut Luck) -> Option<Move> {
        (0..MOST_DRAWN).find_map(|_| {
            let mv = *moves.get(dice.nth(moves.len()))?;
            (self.words_of(seat, mv) == words).then_some(mv)
        })
    }
}

/// The moves of a world that could have gone otherwise.
fn all_free(world: &World) -> Vec<usize> {
    let free = |(at, turn): (usize, &Turn)| turn.is_free.then_some(at);
    world.iter().enumerate().filter_map(free).collect()
}

/// One of them.
fn one_free(world: &World, dice: &mut Luck) -> Option<usize> {
    let free = all_free(world);
    free.get(dice.nth(free.len())).copied()
}

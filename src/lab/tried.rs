//! What one rule set changes of another: many games of both, choice by choice.

use crate::model::text::Form;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::carried::{Carried, Carrier, Merged};
use super::course::{Course, End};
use super::kind::Kind;
use super::led::Led;
use super::run::{BATCH, Plan, in_stretches, next};
use super::sight::{Sighting, Sights};
use super::step::{Both, Pair, Rules, Stand};
use super::totals::Totals;
use crate::engine::{Machine, Move, Program};
use crate::threads::Left;

/// What is known of many games that were played under two rule sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// What is known of either side alone.
    pub sides: [Totals; 2],
    /// Games played under both.
    pub games: u64,
    /// Those in which anything differs.
    pub differ: u64,
    /// Those in which the first difference is one of each kind.
    pub first_by: [u64; Kind::ALL.len()],
    /// Those in which both sides did not choose alike to the end.
    pub parted: u64,
    /// Choices that both sides were asked for in step.
    pub in_step: u64,
    /// Those in which a difference of each kind was met.
    pub choices: [u64; Kind::ALL.len()],
    /// Games that both sides have judged.
    pub judged: u64,
    /// Those of them that end with other places.
    pub places: u64,
    /// Those of them that end with other figures.
    pub figures: u64,
    /// The difference that was met behind the fewest choices.
    pub first: Option<Met>,
    /// What was compared of what seats see.
    pub sights: Sights,
}

/// A difference that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Met {
    /// Choices that lead to it.
    pub choices: u64,
    /// The seed of the game.
    pub seed: u64,
    /// How the two differ.
    pub kind: Kind,
}

impl Carried for Tried {
    fn carry(&mut self, by: &mut Carrier<'_>) {
        let Tried {
            sides,
            games,
            differ,
            first_by,
            parted,
            in_step,
            choices,
            judged,
            places,
            figures,
            first,
            sights,
        } = self;
        for (side, totals) in sides.iter_mut().enumerate() {
            by.side(side, |by| totals.carry(by));
        }
        for (name, own) in [
            ("games", &mut *games),
            ("differ", &mut *differ),
            ("parted", parted),
            ("in_step", in_step),
            ("judged", judged),
            ("places", places),
            ("figures", figures),
        ] {
            by.number(name, own);
        }
        for (name, list) in [("first_by", first_by), ("choices", choices)] {
            by.inside(name, |by| {
                let counts = list.iter_mut().enumerate();
                counts.for_each(|(at, count)| by.number(at, count));
            });
        }
        by.inside("first", |by| {
            let (mut at, mut seed, mut kind) =
                first.map_or((0, 0, 0), |it| (it.choices, it.seed, it.kind as u64));
            by.value("choices", &mut at);
            by.value("seed", &mut seed);
            by.value("kind", &mut kind);
            if by.puts_back() && *differ > 0 {
                let kind = usize::try_from(kind).ok().and_then(|it| Kind::ALL.get(it));
                match kind {
                    Some(kind) => {
                        *first = Some(Met {
                            choices: at,
                            seed,
                            kind: *kind,
                        });
                    }
                    None => by.refuse("kind"),
                }
            }
        });
        by.inside("sights", |by| sights.carry(by));
        if *differ > *games || *games != sides[0].games {
            by.refuse("games");
        }
    }

    fn games(&self) -> u64 {
        self.games
    }
}

impl Merged for Tried {
    fn merge(&mut self, other: &Self) {
        for (own, other) in self.sides.iter_mut().zip(&other.sides) {
            own.merge(other);
        }
        let counts = [
            (&mut self.games, other.games),
            (&mut self.differ, other.differ),
            (&mut self.parted, other.parted),
            (&mut self.in_step, other.in_step),
            (&mut self.judged, other.judged),
            (&mut self.places, other.places),
            (&mut self.figures, other.figures),
        ];
        counts.into_iter().for_each(|(own, other)| *own += other);
        let lists = [
            (&mut self.first_by, other.first_by),
            (&mut self.choices, other.choices),
        ];
        for (own, other) in lists {
            own.iter_mut()
                .zip(other)
                .for_each(|(own, other)| *own += other);
        }
        if let Some(met) = other.first {
            self.meet(met);
        }
        self.sights.merge(&other.sights);
    }
}

impl Tried {
    /// Nothing known yet.
    #[must_use]
    pub fn of(programs: [&Program; 2]) -> Tried {
        Tried {
            sides: programs.map(Totals::of),
            games: 0,
            differ: 0,
            first_by: [0; Kind::ALL.len()],
            parted: 0,
            in_step: 0,
            choices: [0; Kind::ALL.len()],
            judged: 0,
            places: 0,
            figures: 0,
            first: None,
            sights: Sights::default(),
        }
    }

    fn add(&mut self, both: &Both) {
        self.games += 1;
        let played = both.courses.iter().zip(&both.uses);
        for (side, (course, uses)) in self.sides.iter_mut().zip(played) {
            side.add(course);
            side.uses.merge(uses);
        }
        self.differ += u64::from(both.first.is_some());
        self.parted += u64::from(both.parted);
        self.in_step += both.in_step;
        self.sights.merge(&both.sights);
        for (own, other) in self.choices.iter_mut().zip(both.differ) {
            *own += other;
        }
        if let Some((choices, kind)) = both.first {
            self.first_by[kind as usize] += 1;
            let seed = both.courses[0].seed;
            self.meet(Met {
                choices,
                seed,
                kind,
            });
        }
        if let [End::Judged(one), End::Judged(other)] = both.courses.each_ref().map(|it| &it.end) {
            self.judged += 1;
            let places = one.places != other.places || one.alike != other.alike;
            self.places += u64::from(places);
            self.figures += u64::from(one.keys != other.keys);
        }
    }

    fn is_endless(&self) -> bool {
        self.sides.iter().any(Totals::is_endless)
    }

    fn meet(&mut self, met: Met) {
        self.first = Some(self.first.map_or(met, |it| it.min(met)));
    }
}

/// Plays games under two rule sets for as many seats until all are played, `watch` says no, or games of one of them run out of
/// work one after the other. As for
/// [`super::simulate`], what it gets follows from the plan alone.
pub fn try_out(
    programs: [&Program; 2],
    plan: Plan,
    watch: &mut dyn FnMut(&Tried) -> bool,
) -> (Tried, Left) {
    let rules = Rules::of(programs);
    let mut tried = Tried::of(programs);
    let worker = || {
        let mut pair = Pair::new(&rules, plan.most_choices);
        move |games: Range<u64>, stop: &AtomicBool| {
            let mut tried = Tried::of(programs);
            for game in games {
                let seed = plan.first.wrapping_add(game);
                let looks = game < plan.looks;
                let both = pair.play(seed, looks, &mut || !stop.load(Ordering::Relaxed))?;
                tried.add(&both);
                if tried.is_endless() {
                    break;
                }
            }
            Some(tried)
        }
    };
    let left = in_stretches(&plan, BATCH, worker, &mut |played: Option<Tried>| {
        if let Some(more) = &played {
            tried.merge(more);
        }
        let go_on = watch(&tried);
        next(tried.is_endless(), false, go_on)
    });
    (tried, left)
}

/// Plays the game with a seed under two rule sets again, as [`try_out`] does.
#[must_use]
pub fn tried_again(programs: [&Program; 2], most_choices: u64, seed: u64) -> Option<[Course; 2]> {
    let rules = Rules::of(programs);
    let mut pair = Pair::new(&rules, most_choices);
    Some(pair.play(seed, false, &mut || true)?.courses)
}

/// Who sees what under one rule set only, behind so many choices of the game with a seed.
#[must_use]
pub fn sighted_again(programs: [&Program; 2], choices: u64, seed: u64) -> Option<Sighting> {
    let rules = Rules::of(programs);
    let mut pair = Pair::new(&rules, u64::MAX);
    pair.listen(pair.hides);
    pair.line(seed, choices);
    pair.sighting()
}

/// A line of play that both rule sets allow, to where they differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The seed of chance, by the names of its streams.
    pub seed: u64,
    /// How they differ then.
    pub kind: Kind,
    /// The choices of either side.
    pub moves: [Vec<Move>; 2],
    /// The seat that is to choose then, on either side.
    pub choosers: [Option<u32>; 2],
    /// What only one side offers then, as it is written.
    pub only: [Vec<String>; 2],
    /// Whether either side's game is over then.
    pub over: [bool; 2],
    /// A move that only one side offers: which side, and the move.
    pub last: Option<(usize, Move)>,
}

/// So many shorter lines are tried.
const MOST_TRIES: usize = 300;
/// So many, where each takes all the work that a move may take.
const FEW_TRIES: usize = 6;
/// And so many choices are made for that.
const MOST_STEPS: usize = 60_000;

/// Finds a line to a difference that is not longer than the one that was met: stretches of choices are left out as long as
/// the two still differ.
#[must_use]
pub fn witness(programs: [&Program; 2], met: Met) -> Option<Witness> {
    shortened(programs, met.seed, &mut |pair| {
        pair.line(met.seed, met.choices)
    })
}

/// The same of a difference to which a game was led.
#[must_use]
pub fn witness_of(programs: [&Program; 2], led: &Led) -> Option<Witness> {
    let found = led.found.as_ref()?;
    shortened(programs, found.seed, &mut |_| found.line.clone())
}

fn shortened(
    programs: [&Program; 2],
    seed: u64,
    line: &mut dyn FnMut(&mut Pair<'_>) -> Vec<u64>,
) -> Option<Witness> {
    let rules = Rules::of(programs);
    let mut pair = Pair::new(&rules, u64::MAX);
    let mut line = line(&mut pair);
    let whole = follow(&mut pair, seed, &line)?;
    let mut best = whole.1;
    let most_tries = match pair.is_endless() {
        true => FEW_TRIES,
        false => MOST_TRIES,
    };
    line.truncate(best.len());
    let (mut tries, mut steps) = (0, 0);
    let mut stretch = line.len() / 2;
    while stretch > 0 && tries < most_tries && steps < MOST_STEPS {
        let mut at = 0;
        while at < best.len() && tries < most_tries && steps < MOST_STEPS {
            let mut shorter = best.clone();
            shorter.drain(at..(at + stretch).min(best.len()));
            tries += 1;
            steps += shorter.len() + 1;
            match follow(&mut pair, seed, &shorter) {
                Some((_, found)) if found.len() < best.len() => best = found,
                _ => at += stretch,
            }
        }
        stretch /= 2;
    }
    let (kind, _) = follow(&mut pair, seed, &best)?;
    let only = match kind {
        Kind::Fewer | Kind::More | Kind::Other => pair.only(),
        _ => [Vec::new(), Vec::new()],
    };
    let choosers = [0, 1].map(|at| pair.seat(at));
    let over = pair.sides.each_ref();
    let over = over.map(|it| matches!(it.stand, Stand::Ended(_)));
    let last = match kind {
        Kind::Fewer | Kind::Other => pair.move_written(0, only[0].first()),
        Kind::More => pair.move_written(1, only[1].first()),
        Kind::Chooser | Kind::Over => {
            let at = usize::from(choosers[0].is_none());
            let first = pair.sides[at].machine.moves().first();
            first.map(|it| (at, *it))
        }
        Kind::Fault | Kind::End | Kind::Chance | Kind::Together | Kind::Likelihood => None,
    };
    let moves = [0, 1].map(|at| replayed(&mut pair, at, seed, &best));
    Some(Witness {
        seed,
        kind,
        moves,
        choosers,
        only,
        over,
        last,
    })
}

/// Plays those of some moves that both offer; the difference that is met, and the moves that were played until then.
fn follow(pair: &mut Pair<'_>, seed: u64, line: &[u64]) -> Option<(Kind, Vec<u64>)> {
    pair.begin(seed);
    let mut played = Vec::new();
    let mut line = line.iter();
    loop {
        if let Some(kind) = pair.difference() {
            return Some((kind, played));
        }
        let seat = pair.chooser()?;
        let next = line.find(|it| pair.play_named(seat, **it))?;
        played.push(*next);
    }
}

/// The moves of one side on a line.
fn replayed(pair: &mut Pair<'_>, at: usize, seed: u64, line: &[u64]) -> Vec<Move> {
    pair.begin(seed);
    let mut moves = Vec::new();
    for name in line {
        let Some(seat) = pair.chooser() else { break };
        moves.extend(pair.move_named(at, *name));
        if !pair.play_named(seat, *name) {
            break;
        }
    }
    moves
}

impl Pair<'_> {
    fn move_written(&mut self, at: usize, text: Option<&String>) -> Option<(usize, Move)> {
        let text = text?;
        let machine: &mut Machine<'_> = &mut self.sides[at].machine;
        let place = machine
            .names(Form::Plain)
            .iter()
            .position(|it| it == text)?;
        machine.moves().get(place).map(|it| (at, *it))
    }
}

//! Games on several threads.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::carried::Merged;
use super::course::{Course, Gambler};
use super::measures::Measures;
use super::refusals::Offers;
use super::seated::Seated;
use super::totals::{CREDIT, Totals};
use crate::engine::{Names, Program, Streams};
use crate::stats::{self, LEVEL, Sequence};
use crate::threads::{self, Go, Left};

/// Games that one thread plays before it tells of them.
pub const BATCH: u64 = 16;
/// Games between two looks at whether enough is known.
const LOOK: u64 = 256;

/// What is to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The seed of the first game; the others follow one by one.
    pub first: u64,
    /// Most games.
    pub games: u64,
    /// When enough is known.
    pub until: Until,
    /// Threads.
    pub jobs: NonZeroUsize,
    /// Most choices of a game.
    pub most_choices: u64,
    /// Whether each game is told, and not only their totals.
    pub each: bool,
    /// In so many of the first games it is looked more closely: at what clauses forbid, or at what seats see.
    pub looks: u64,
}

/// When enough is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// When all games are played.
    Played,
    /// When the shares of the wins are known so well: the part of all games that they may lie off to either side.
    Within(f64),
    /// When it is decided that those who choose first, second … do not win alike.
    Decided,
}

/// How far it is.
#[derive(Debug)]
pub struct Progress<'t> {
    /// All games so far, in the order of their seeds.
    pub totals: &'t Totals,
    /// Those that were not told yet, if each is to be told.
    pub courses: &'t [Course],
    /// Games that will be played at most.
    pub games: u64,
}

/// Plays the games of a plan in stretches of so many, each on one of its threads, and hands what comes of them on in their order; and
/// nothing, where it takes long. The games of a stretch are told by their numbers; none comes of one that was stopped.
pub(super) fn in_stretches<T, W>(
    plan: &Plan,
    stretch: u64,
    worker: impl Fn() -> W + Sync,
    take: &mut dyn FnMut(Option<T>) -> Go,
) -> Left
where
    T: Send,
    W: FnMut(Range<u64>, &AtomicBool) -> Option<T>,
{
    let n_stretches = plan.games.div_ceil(stretch);
    let by_number = || {
        let mut play = worker();
        move |at: u64, stop: &AtomicBool| {
            play(at * stretch..plan.games.min((at + 1) * stretch), stop)
        }
    };
    threads::in_turn(plan.jobs, n_stretches, by_number, take)
}

/// What is to be done behind a stretch: games that run out of work one after the other tell no more, however little is known.
pub(super) fn next(is_endless: bool, is_enough: bool, go_on: bool) -> Go {
    match (is_endless, is_enough, go_on) {
        (true, _, _) => Go::Vain,
        (_, true, _) => Go::Enough,
        (_, _, true) => Go::On,
        (_, _, false) => Go::Stop,
    }
}

/// Plays games until enough is known, they run out of work one after the other, or `watch` says no. It is asked again and again from this thread, also while
/// nothing is known yet; what it gets follows from the plan alone, whatever the number of threads.
pub fn simulate(
    program: &Program,
    plan: Plan,
    seated: Option<&Seated<'_>>,
    watch: &mut dyn FnMut(Progress<'_>) -> bool,
) -> (Totals, Left) {
    let (names, streams) = (Names::of(program), Streams::of(&program.game));
    let offers = Offers::of(program);
    let measures = Measures::of(program);
    let mut totals = Totals::of(program);
    let worker = || {
        let mut gambler = Gambler::new(program, &names, &streams, plan.most_choices);
        gambler.measure(&measures);
        let offers = &offers;
        move |games: Range<u64>, stop: &AtomicBool| {
            let mut totals = Totals::of(program);
            let mut courses = Vec::new();
            for game in games {
                let seed = plan.first.wrapping_add(game);
                gambler.seat(seated.map(|it| (it, game)));
                gambler.look((game < plan.looks).then_some(offers));
                let course = gambler.play(seed, &mut totals, stop)?;
                totals.add(&course);
                if plan.each {
                    courses.push(course);
                }
                if totals.is_endless() {
                    break;
                }
            }
            Some((totals, courses))
        }
    };
    // Where they think each game takes long.
    let stretch = seated.map_or(BATCH, |_| 1);
    let left = in_stretches(&plan, stretch, worker, &mut |played: Option<(
        Totals,
        Vec<Course>,
    )>| {
        let (more, courses) = played.unzip();
        if let Some(more) = &more {
            totals.merge(more);
        }
        let go_on = watch(Progress {
            totals: &totals,
            courses: courses.as_deref().unwrap_or_default(),
            games: plan.games,
        });
        let looks = more.is_some() && is_look(totals.games, &plan);
        let is_enough = looks && is_enough(&totals, plan.until);
        next(totals.is_endless(), is_enough, go_on)
    });
    (totals, left)
}

/// Whether it is looked behind so many games whether enough is known.
pub(super) fn is_look(games: u64, plan: &Plan) -> bool {
    games == plan.games || games.is_multiple_of(LOOK)
}

/// Whether enough is known of the wins of those who choose first, second …
pub(super) fn is_enough(totals: &Totals, until: Until) -> bool {
    match until {
        Until::Played => false,
        Until::Within(radius) => {
            let turns = (0..totals.n_seats()).map(|turn| totals.of_turn(turn));
            let wide = |alone| stats::share(alone, totals.judged, LEVEL).radius() > radius;
            totals.judged > 0 && !turns.map(|it| it.alone).any(wide)
        }
        Until::Decided => (0..totals.n_seats()).any(|turn| {
            let even = 1.0 / totals.n_seats() as f64;
            fairness(totals, turn).is_some_and(|it| !it.holds(even))
        }),
    }
}

/// Where the share of the games that somebody wins lies that those win who choose first (0), second (1) …, shared places in parts, however
/// often somebody looks; none where nobody did.
#[must_use]
pub fn fairness(totals: &Totals, turn: usize) -> Option<stats::Interval> {
    let tally = totals.of_turn(turn);
    // What one of two has the other one has not; of more each may be the odd one.
    let looks = match totals.n_seats() {
        2 => 1,
        n => n,
    };
    let sequence = Sequence::new((1.0 - LEVEL) / looks.max(1) as f64);
    let sum = tally.credit as f64 / CREDIT as f64;
    // A game that nobody won tells nothing of who wins more often.
    let won = tally.games - tally.lost;
    (won > 0).then(|| sequence.interval(won, sum))
}

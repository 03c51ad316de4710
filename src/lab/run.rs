//! Games on several threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::course::{Course, Gambler};
use super::stats::{self, LEVEL, Sequence};
use super::totals::{CREDIT, Totals};
use crate::engine::{Names, Program, Streams};

/// Games that one thread plays before it tells of them.
pub const BATCH: u64 = 16;
/// Games between two looks at whether enough is known.
const LOOK: u64 = 256;
/// How long nobody is asked whether to go on.
const TICK: Duration = Duration::from_millis(100);

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

/// Why no more games were played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// All were played.
    Played,
    /// Enough was known.
    Enough,
    /// Somebody did not want any more.
    Stopped,
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

struct Batch {
    at: u64,
    totals: Totals,
    courses: Vec<Course>,
}

/// Plays games until enough is known, or `watch` says no. It is asked again and again from this thread, also while
/// nothing is known yet; what it gets follows from the plan alone, whatever the number of threads.
pub fn simulate(
    program: &Program,
    plan: Plan,
    watch: &mut dyn FnMut(Progress<'_>) -> bool,
) -> (Totals, Left) {
    let (names, streams) = (Names::of(program), Streams::of(&program.game));
    let mut totals = Totals::of(program);
    let n_batches = plan.games.div_ceil(BATCH);
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let work = |send: Sender<Batch>| {
        let mut gambler = Gambler::new(program, &names, &streams, plan.most_choices);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= n_batches {
                return;
            }
            let played = batch(program, plan, at, &mut gambler, &stop);
            let Some(played) = played else { return };
            if send.send(played).is_err() {
                return;
            }
        }
    };
    let left = thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..plan.jobs.get() {
            let send = send.clone();
            // With fewer threads it takes longer.
            let _ = thread::Builder::new().spawn_scoped(scope, || work(send));
        }
        drop(send);
        let mut early: BTreeMap<u64, Batch> = BTreeMap::new();
        let mut due = 0;
        let left = loop {
            match receive.recv_timeout(TICK) {
                Ok(batch) => {
                    early.insert(batch.at, batch);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break Left::Stopped,
            }
            let mut go_on = true;
            let mut enough = false;
            let mut told = false;
            while let Some(batch) = early.remove(&due).filter(|_| go_on && !enough) {
                due += 1;
                totals.merge(&batch.totals);
                let looks = totals.games.is_multiple_of(LOOK);
                enough = looks && is_enough(&totals, plan.until);
                go_on = watch(Progress {
                    totals: &totals,
                    courses: &batch.courses,
                    games: plan.games,
                });
                told = true;
            }
            if !told {
                go_on = watch(Progress {
                    totals: &totals,
                    courses: &[],
                    games: plan.games,
                });
            }
            if enough {
                break Left::Enough;
            }
            if due == n_batches {
                break match plan.until {
                    Until::Played => Left::Played,
                    until if is_enough(&totals, until) => Left::Enough,
                    Until::Within(_) | Until::Decided => Left::Played,
                };
            }
            if !go_on {
                break Left::Stopped;
            }
        };
        stop.store(true, Ordering::Relaxed);
        left
    });
    (totals, left)
}

fn batch(
    program: &Program,
    plan: Plan,
    at: u64,
    gambler: &mut Gambler<'_>,
    stop: &AtomicBool,
) -> Option<Batch> {
    let mut played = Batch {
        at,
        totals: Totals::of(program),
        courses: Vec::new(),
    };
    let from = at * BATCH;
    for game in from..plan.games.min(from + BATCH) {
        let seed = plan.first.wrapping_add(game);
        let course = gambler.play(seed, &mut played.totals, stop)?;
        played.totals.add(&course);
        if plan.each {
            played.courses.push(course);
        }
    }
    Some(played)
}

/// Whether enough is known of the wins of those who choose first, second …
#[must_use]
pub fn is_enough(totals: &Totals, until: Until) -> bool {
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

/// Where the share of the games lies that those win who choose first (0), second (1) …, shared places in parts, however
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
    (tally.games > 0).then(|| sequence.interval(tally.games, sum))
}

//! Measures playouts: players of one game take turns within one run, so that a slow spell of the
//! machine falls on all of them and cancels in the ratios.

mod costs;
pub mod players;

use std::time::Duration;

use adit::engine::Program;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustix::time::{ClockId, clock_gettime};

/// Plays one game with uniform choices from the full legal list and returns the number of choices.
///
/// Every player of a game takes its choices by `baseline::chance::pick` from the generator that
/// is passed in, so that all of them pay the same for luck.
pub type Playout = Box<dyn FnMut(&mut ChaCha8Rng) -> u64>;

/// Somebody who can play a game.
pub struct Player {
    pub name: &'static str,
    pub playout: Playout,
    /// The rules that it plays by, if it plays by rules.
    pub program: Option<&'static Program>,
}

impl Player {
    pub fn new(name: &'static str, playout: impl FnMut(&mut ChaCha8Rng) -> u64 + 'static) -> Self {
        Player {
            name,
            playout: Box::new(playout),
            program: None,
        }
    }
}

/// A game and those who play it; the first one is the yardstick of the others.
pub struct Contest {
    pub game: &'static str,
    pub players: Vec<Player>,
}

/// How much is measured.
#[derive(Clone, Copy)]
pub struct Effort {
    pub rounds: usize,
    /// CPU time of one player in one round.
    pub slice: Duration,
}

struct Tally {
    games: u64,
    plies: u64,
    nanos_per_ply: Vec<f64>,
    ratios: Vec<f64>,
}

impl Contest {
    /// Measures all players in turns and prints one line for each.
    pub fn run(&mut self, effort: Effort) {
        let mut tallies: Vec<Tally> = Vec::new();
        for player in &mut self.players {
            run_slice(player, 0, effort.slice / 4);
            tallies.push(Tally {
                games: 0,
                plies: 0,
                nanos_per_ply: vec![],
                ratios: vec![],
            });
        }
        for round in 0..effort.rounds {
            let mut yardstick = None;
            for (player, tally) in self.players.iter_mut().zip(&mut tallies) {
                let (games, plies, nanos) = run_slice(player, 1 + round as u64, effort.slice);
                let nanos_per_ply = nanos / plies as f64;
                tally.games += games;
                tally.plies += plies;
                tally.nanos_per_ply.push(nanos_per_ply);
                tally
                    .ratios
                    .push(nanos_per_ply / *yardstick.get_or_insert(nanos_per_ply));
            }
        }
        for (player, tally) in self.players.iter().zip(&mut tallies) {
            let nanos = median(&mut tally.nanos_per_ply);
            let ratio = median(&mut tally.ratios);
            println!(
                "{:<15} {:<12} {:>9.1} {:>12.2} {:>12.1} {:>10.0}   {:>5.2}  ({:.2}..{:.2})",
                self.game,
                player.name,
                nanos,
                1e3 / nanos,
                tally.plies as f64 / tally.games as f64,
                1e9 / nanos * tally.games as f64 / tally.plies as f64,
                ratio,
                tally.ratios.first().unwrap_or(&ratio),
                tally.ratios.last().unwrap_or(&ratio),
            );
        }
        if let Some(program) = self.players.last().and_then(|it| it.program) {
            costs::print(program);
        }
    }
}

/// Prints what the columns of [`Contest::run`] are.
pub fn print_header(effort: Effort) {
    println!(
        "random playouts, full legal list at every choice; CPU time, medians of {} interleaved rounds of {:?}",
        effort.rounds, effort.slice
    );
    println!(
        "{:<15} {:<12} {:>9} {:>12} {:>12} {:>10}   {:>5}  (least..most)",
        "game", "player", "ns/move", "M moves/s", "moves/game", "games/s", "ratio"
    );
}

/// Plays whole games until the time is over; returns games, choices and nanoseconds.
fn run_slice(player: &mut Player, seed: u64, slice: Duration) -> (u64, u64, f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut games, mut plies) = (0, 0);
    let start = cpu_time();
    let mut batch = 1;
    loop {
        for _ in 0..batch {
            games += 1;
            plies += (player.playout)(&mut rng);
        }
        let spent = cpu_time().saturating_sub(start);
        if spent >= slice {
            return (games, plies, spent.as_nanos() as f64);
        }
        // The clock is asked rarely enough not to show in games of under a microsecond, and often
        // enough for a slow game not to go on long after its time.
        if spent < slice / 8 {
            batch *= 2;
        }
    }
}

/// Returns the CPU time that this process has used.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

/// Sorts the values and returns the middle one.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

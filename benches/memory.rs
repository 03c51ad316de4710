//! Peak memory of a million random playouts of every game by its last player, the engine.
//!
//! `cargo bench --bench memory [-- PLAYOUTS]`

#[allow(dead_code, reason = "the tests ask more of the hand-written games")]
mod baseline;
#[allow(dead_code, reason = "shared with the other benchmark")]
mod harness;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

const PLAYOUTS: u64 = 1_000_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let given = args.iter().find_map(|it| it.parse().ok());
    let is_measuring = args.iter().any(|it| it == "--bench");
    let playouts = given.unwrap_or(if is_measuring { PLAYOUTS } else { 100 });
    println!(
        "{:<14} {:<12} {:>9} {:>14}   peak memory so far",
        "game", "player", "playouts", "moves"
    );
    for mut contest in harness::players::contests() {
        let Some(player) = contest.players.last_mut() else {
            continue;
        };
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut plies = 0;
        for _ in 0..playouts {
            plies += (player.playout)(&mut rng);
        }
        let peak = peak_memory().unwrap_or_else(|| "unknown on this system".to_owned());
        println!(
            "{:<14} {:<12} {playouts:>9} {plies:>14}   {peak}",
            contest.game, player.name
        );
    }
}

/// Returns the high-water mark of resident memory, as the system words it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}

//! Random playouts by the engine and by hand-written Rust, as moves per second and as a ratio.
//!
//! `cargo bench --bench playouts [-- GAME]`

#[allow(dead_code, reason = "the tests ask more of the hand-written games")]
mod baseline;
mod harness;

use std::time::Duration;

use harness::Effort;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // Cargo passes `--bench` when it measures; without it this is a test that all players run.
    let effort = if args.iter().any(|it| it == "--bench") {
        Effort {
            rounds: 21,
            slice: Duration::from_millis(60),
        }
    } else {
        Effort {
            rounds: 1,
            slice: Duration::from_millis(1),
        }
    };
    let wanted = args.iter().find(|it| !it.starts_with("--"));
    harness::print_header(effort);
    for mut contest in harness::players::contests() {
        if wanted.is_none_or(|it| contest.game.contains(it.as_str())) {
            contest.run(effort);
        }
    }
}

//! Who plays which game in the benchmarks.

use super::{Contest, Player};
use crate::baseline::{connect_four, tunnels};

/// All games; the hand-written one comes first, as the yardstick of the others.
pub fn contests() -> Vec<Contest> {
    vec![
        Contest {
            game: "connect four",
            players: vec![hand_written_connect_four()],
        },
        Contest {
            game: "tunnels",
            players: vec![hand_written_tunnels()],
        },
    ]
}

fn hand_written_connect_four() -> Player {
    let mut moves = Vec::new();
    Player::new("hand-written", move |rng| {
        connect_four::playout(rng, &mut moves)
    })
}

fn hand_written_tunnels() -> Player {
    let mut moves = Vec::new();
    Player::new("hand-written", move |rng| tunnels::playout(rng, &mut moves))
}

//! What `cargo bench` measures can be played.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::harness::players::contests;

#[test]
fn each_player_of_a_benchmark_plays_a_game() {
    for mut contest in contests() {
        for player in &mut contest.players {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let choices = (player.playout)(&mut rng);
            assert!(choices > 4, "{}, {}: {choices}", contest.game, player.name);
        }
    }
}

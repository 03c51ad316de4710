//! The cost of a choice, counted: exact, and equal on every machine.

use std::fmt::Write;

use adit::engine::{Dice, Machine, Program, Status, below};
use rand_chacha::rand_core::Rng;

use crate::carcassonne::rulebook;
use crate::perft::program;

/// Numbers for the choices, apart from those of the games.
const CHOICES: u32 = 1_000;

fn cost(name: &str, program: &Program, games: u64) -> String {
    let mut machine = Machine::new(program);
    let (mut plies, mut ops) = (0u64, 0u64);
    for seed in 0..games {
        let mut dice = Dice::new(seed);
        machine.start(&mut dice).unwrap();
        while machine.status() != Status::Ended {
            let word = dice.stream(CHOICES).next_u64();
            let index = below(word, machine.moves().len() as u64) as usize;
            ops += machine.play_counting(index, &mut dice).unwrap().1;
            plies += 1;
        }
    }
    let (whole, tenths) = (ops / plies, ops * 10 / plies % 10);
    let bytes = program.state_bytes();
    format!(
        "{name}: {games} games, {plies} plies, {whole}.{tenths} ops a ply, {bytes} bytes a state"
    )
}

#[test]
fn operations_of_a_ply() {
    let mut report = String::new();
    for (path, games) in [
        ("rules/classics/connect_four.rules", 100),
        ("rules/classics/othello.rules", 10),
        ("rules/classics/breakthrough.rules", 10),
        ("rules/classics/hex.rules", 5),
        ("rules/classics/draughts.rules", 5),
        ("rules/classics/backgammon.rules", 3),
        ("rules/classics/chess.rules", 1),
        ("rules/classics/gomoku.rules", 2),
        ("rules/classics/amazons.rules", 2),
        ("rules/classics/whist.rules", 5),
        ("rules/classics/leduc_poker.rules", 100),
        ("rules/tunnels.rules", 20),
        ("rules/channel_tunnel.rules", 5),
    ] {
        let program = program(path, &[], None);
        writeln!(report, "{}", cost(path, &program, games)).unwrap();
    }
    let landscape = rulebook::program(&(2, true, vec![]));
    let name = "rules/carcassonne.rules with carcassonne_tunnel.rules";
    writeln!(report, "{}", cost(name, landscape, 5)).unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("operations_of_a_ply", report));
}

/// Most bytes that a choice of Carcassonne with The Tunnel may copy.
const MOST_BYTES: usize = 1024;

/// A ply copies the state once, so its bytes are those that a choice copies.
#[test]
fn operations_of_a_ply_among_many_tiles() {
    let mut report = String::new();
    for (sets, games) in [(1, 10), (3, 3), (10, 1)] {
        let set = [("tile_sets", sets), ("tunnel_sets", sets)];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_string()));
        let program = rulebook::program(&(2, true, set.to_vec()));
        let name = format!("Carcassonne with The Tunnel, two players, {sets}x the tiles");
        writeln!(report, "{}", cost(&name, program, games)).unwrap();
        let bytes = program.state_bytes();
        assert!(sets > 1 || bytes <= MOST_BYTES, "{bytes} bytes a choice");
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("operations_of_carcassonne", report));
}

//! Counts of legal sequences that others have published.

use std::sync::Arc;

use adit::engine::{Dice, Machine, Program, Status, compile};

use crate::fixtures::compiled;

/// Compiles a rulebook of the fixtures.
pub fn program(path: &str, set: &[(&str, &str)], seats: Option<u32>) -> Program {
    let set: Vec<(String, String)> = set
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let (_, compiled) = compiled(path, &[], &set, seats);
    let errors: Vec<String> = compiled
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .map(|d| format!("{} {}", d.code.id(), d.message))
        .collect();
    assert!(errors.is_empty(), "{path}: {errors:#?}");
    let game: Arc<_> = compiled.game.unwrap();
    compile(game).unwrap_or_else(|problems| panic!("{path}: {problems:#?}"))
}

fn perft(machine: &mut Machine<'_>, depth: u32) -> u64 {
    if machine.status() == Status::Ended {
        return 0;
    }
    if depth == 1 {
        return machine.moves().len() as u64;
    }
    let state = machine.save();
    let mut sum = 0;
    for mv in machine.moves().to_vec() {
        machine.play(mv, &mut Dice::new(0)).unwrap();
        sum += perft(machine, depth - 1);
        machine.load(&state);
    }
    sum
}

fn counts(path: &str, depth: u32) -> Vec<u64> {
    let program = program(path, &[], None);
    let mut machine = Machine::new(&program);
    machine.start(&mut Dice::new(0)).unwrap();
    (1..=depth)
        .map(|depth| perft(&mut machine, depth))
        .collect()
}

#[test]
fn othello_has_the_published_numbers_of_sequences() {
    let path = "tests/fixtures/games/othello.rules";
    assert_eq!(counts(path, 7), [4, 12, 56, 244, 1396, 8200, 55092]);
}

#[test]
fn connect_four_has_the_published_numbers_of_sequences() {
    let path = "tests/fixtures/games/connect_four.rules";
    assert_eq!(counts(path, 7), [7, 49, 343, 2401, 16807, 117_649, 823_536]);
}

#[test]
fn tic_tac_toe_has_the_published_numbers_of_sequences() {
    let path = "tests/fixtures/games/tic_tac_toe.rules";
    let sequences = counts(path, 9);
    assert_eq!(
        sequences,
        [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872]
    );
}

//! Counts of legal sequences that others have published.

use std::sync::Arc;

use adit::engine::{Machine, Program, compile};
use adit::study::{self, Step};

use crate::command::{adit, keep};
use crate::fixtures::{compiled, width};

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

fn counts(path: &str, depth: u32) -> Vec<u64> {
    lines(path, Step::Ply, depth)
}

fn lines(path: &str, step: Step, depth: u32) -> Vec<u64> {
    let program = program(path, &[], None);
    let mut machine = Machine::new(&program);
    let starts = study::starts(&mut machine).unwrap();
    let mut count = |depth| {
        let firsts = starts.iter().flat_map(|start| {
            let firsts = study::divide(&mut machine, start, depth, step, &|| true);
            firsts.unwrap().unwrap()
        });
        firsts.map(|(_, lines)| lines).sum()
    };
    (1..=depth).map(&mut count).collect()
}

#[test]
fn lines_are_counted_by_moves_by_turns_and_by_chance() {
    let kuhn = "tests/fixtures/games/kuhn.rules";
    keep(
        "perft",
        "each_deal_counts",
        &format!("perft {kuhn} 4 --divide"),
    );
    keep(
        "perft",
        "one_deal",
        &format!("perft {kuhn} 3 --seed 3 --divide"),
    );
    keep("perft", "turns", "--plain perft tunnels 2 --turns --seed 1");
    let four = "tests/fixtures/games/connect_four.rules";
    keep(
        "perft",
        "for_programs",
        &format!("--json perft {four} 2 --moves d;d --divide"),
    );
    keep("perft", "too_much_chance", "perft tunnels 1");
}

/// Of 81 cells none, one or two: 1 + 81 + 3,240, and as many but for none.
#[test]
fn several_are_taken_from_more_than_a_word_holds() {
    let counted = counts("tests/fixtures/perft/large_board.rules", 1);
    assert_eq!(counted, [3322 + 3321]);
}

#[test]
fn random_games_are_measured() {
    let ran = adit("--json bench tests/fixtures/games/tic_tac_toe.rules --seconds 2");
    let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let figure = |name: &str| told[name].as_f64().unwrap();
    assert!((7.0..8.2).contains(&figure("moves_per_game")), "{told}");
    assert!(figure("moves_per_second") > 0.0, "{told}");
    assert!(figure("ops_per_move") > 5.0, "{told}");
    assert!(figure("state_bytes") > 0.0, "{told}");
    let ran = adit("--plain bench tests/fixtures/games/nim.rules --seconds 1");
    assert!(ran.out.starts_with("moves per CPU second  "), "{}", ran.out);
}

/// For each of the classics the numbers of sequences of one, two and more moves or turns; those behind are
/// counted where `ADIT_WIDE` is set.
const PUBLISHED: [(&str, Step, &[u64], &[u64]); 11] = [
    ("amazons", Step::Ply, &[80, 2176, 168_420], &[4_307_152]),
    (
        "breakthrough",
        Step::Ply,
        &[22, 484, 11_132, 256_036],
        &[6_182_818],
    ),
    ("chess", Step::Ply, &[20, 400, 8902], &[197_281]),
    (
        "connect_four",
        Step::Ply,
        &[7, 49, 343, 2401, 16_807, 117_649, 823_536],
        &[5_673_234],
    ),
    (
        "draughts",
        Step::Turn,
        &[7, 49, 302, 1469, 7361, 36_768],
        &[179_740, 845_931],
    ),
    ("gomoku", Step::Ply, &[225, 50_400], &[11_239_200]),
    ("hex", Step::Ply, &[121, 14_520, 1_727_880], &[]),
    ("kuhn_poker", Step::Ply, &[12, 24, 12, 0], &[]),
    ("leduc_poker", Step::Ply, &[60, 150, 630, 1740], &[]),
    (
        "othello",
        Step::Ply,
        &[4, 12, 56, 244, 1396, 8200, 55_092],
        &[390_216, 3_005_288],
    ),
    (
        "tic_tac_toe",
        Step::Ply,
        &[9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872],
        &[],
    ),
];

/// Those of one of the classics, as many as are counted today.
pub fn published(game: &str) -> Vec<u64> {
    let (_, _, soon, later) = PUBLISHED.into_iter().find(|it| it.0 == game).unwrap();
    let most = width(5_000, u64::MAX, u64::MAX);
    let later = later.iter().filter(|_| width(0, 0, 1) == 1);
    let all = soon.iter().chain(later).copied();
    all.take_while(|it| *it < most).collect()
}

#[test]
fn classics_have_the_published_numbers_of_sequences() {
    for (game, step, _, _) in PUBLISHED {
        let path = format!("rules/classics/{game}.rules");
        let counts = published(game);
        let counted = lines(&path, step, u32::try_from(counts.len()).unwrap());
        assert_eq!(counted, counts, "{game}");
    }
}

/// In this position castling, promotion and capturing in passing soon occur.
#[test]
fn chess_has_the_published_numbers_of_sequences_from_a_position() {
    let depth = if cfg!(debug_assertions) { 2 } else { 3 };
    let ran = adit(&format!(
        "perft chess {depth} --with tests/fixtures/positions/kiwipete.rules"
    ));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines, ["d1 48", "d2 2039", "d3 97862"][..depth]);
}

/// Another program, which knows only backgammon, counts as many; each die that is used is a step.
#[test]
fn backgammon_has_as_many_sequences_as_another_program_counts() {
    let path = "rules/classics/backgammon.rules";
    assert_eq!(counts(path, 2), [200, 758]);
}

//! Whole games, written by somebody who read the language reference.

use adit::model::text::Form;
use std::collections::BTreeSet;
use std::fs;

use adit::cli::Exit;
use adit::engine::{Dice, Machine, Program, Status, Viewer, compile};
use adit::play::tableau::{self, Drawn};
use adit::play::{at_random, board};
use serde_json::Value;

use crate::command::adit;
use crate::fixtures::{compiled, snapshot};

const FOLDER: &str = "tests/fixtures/complete";
const MOST_LINES: usize = 150;
const MOST_PLIES: usize = 5000;
/// How often it is looked at what is offered.
const LOOKS: usize = 5;

/// The games, each with the expansion that is used.
const GAMES: [(&str, Option<&str>); 27] = [
    ("cribbage", None),
    ("dice_liar", None),
    ("dishes", None),
    ("dots_and_boxes", None),
    ("draughts_crowns", None),
    ("fireworks", None),
    ("five_and_a_turn", None),
    ("hearts", None),
    ("hex_swap", None),
    ("how_many", None),
    ("kalah", None),
    ("mosaic", None),
    ("nine_mens_morris", None),
    ("orchard", None),
    ("orchard", Some("orchard_expansion")),
    ("plague", None),
    ("polys", None),
    ("rails", None),
    ("road", None),
    ("roles", None),
    ("six_rows", None),
    ("skulls", None),
    ("spades_partners", None),
    ("stones", None),
    ("tiles", None),
    ("wonders", None),
    ("yahtzee", None),
];

fn path(name: &str) -> String {
    format!("{FOLDER}/{name}.rules")
}

fn name_of(game: &'static str, expansion: Option<&'static str>) -> &'static str {
    expansion.unwrap_or(game)
}

fn program(game: &str, expansion: Option<&str>) -> Program {
    let with = expansion.map(path);
    let with: Vec<&str> = with.iter().map(String::as_str).collect();
    let (_, compiled) = compiled(&path(game), &with, &[], None);
    compile(compiled.game.expect("a game")).expect("a program")
}

#[test]
fn they_are_short_and_nothing_is_wrong_with_them() {
    for (game, expansion) in GAMES {
        let name = name_of(game, expansion);
        let text = fs::read_to_string(format!("{}/{}", env!("CARGO_MANIFEST_DIR"), path(name)));
        let lines = text.unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{name} has {lines} lines");
        let with = expansion.map(|it| format!(" --with @/{it}.rules"));
        let files = format!("@/{game}.rules{}", with.unwrap_or_default())
            .replace('@', &format!("{}/{FOLDER}", env!("CARGO_MANIFEST_DIR")));
        adit(&format!("check {files}")).says(Exit::Yes, ": 0 errors, 0 warnings");
        adit(&format!("lint {files}")).says(Exit::Yes, "0 findings");
    }
}

#[test]
fn their_rulings_hold() {
    for (game, expansion) in GAMES {
        let name = name_of(game, expansion);
        let with = expansion.map(|it| format!(" --with {}", path(it)));
        let line = format!("--json rulings {}{}", path(game), with.unwrap_or_default());
        let ran: Value = serde_json::from_str(&adit(&line).out).expect("rulings");
        let ran = ran.as_array().expect("a list");
        assert!(ran.len() >= 3, "{name} has {} rulings", ran.len());
        for ran in ran {
            assert_eq!(ran["verdict"], "holds", "{name}: {}", ran["id"]);
        }
    }
}

/// Plays by luck until the game is over or so many choices are made, and says how many were. No two moves that are
/// offered are printed alike, and nothing that is printed has a hole in it.
fn play_on(machine: &mut Machine<'_>, dice: &mut Dice, seed: u64, most: usize) -> usize {
    for ply in 0..most {
        let Status::Choice { seat } = machine.status() else {
            return ply;
        };
        let moves = machine.moves().to_vec();
        if ply % LOOKS == 0 {
            let printed: BTreeSet<String> = moves
                .iter()
                .map(|it| machine.print(*it, Form::Plain))
                .collect();
            assert_eq!(printed.len(), moves.len(), "{printed:?}");
            assert!(
                printed.iter().all(|it| !it.contains(['…', '{', '?'])),
                "{printed:?}"
            );
        }
        let chosen = at_random(&moves, seed, seat, ply);
        machine
            .play(chosen.expect("a move"), dice)
            .expect("no fault");
    }
    most
}

#[test]
fn games_by_luck_come_to_an_end() {
    for (game, expansion) in GAMES {
        let program = program(game, expansion);
        for seed in 0..20 {
            let mut machine = Machine::new(&program);
            let mut dice = Dice::new(seed);
            machine.start(&mut dice).expect("no fault");
            let plies = play_on(&mut machine, &mut dice, seed, MOST_PLIES);
            assert_eq!(
                machine.status(),
                Status::Ended,
                "{game}, seed {seed}, {plies} plies"
            );
            let outcome = machine.outcome().expect("an ending");
            assert!(
                outcome.places.contains(&1),
                "{game}, seed {seed}: {outcome:?}"
            );
        }
    }
}

/// What the first seat sees after some moves, and when the game is over.
#[test]
fn their_tables_look_like_tables() {
    for (game, expansion) in GAMES {
        let program = program(game, expansion);
        let mut machine = Machine::new(&program);
        let mut dice = Dice::new(1);
        machine.start(&mut dice).expect("no fault");
        let mut text = String::new();
        for most in [15, MOST_PLIES] {
            play_on(&mut machine, &mut dice, 1, most);
            let view = machine.view(Viewer::Seat(0));
            text += &tableau::draw(&mut machine, &view, &Drawn::default(), board::WIDTH)
                .expect("no fault");
            let mut drawn = Drawn::default();
            drawn.add_shown(&program.game);
            text += &board::draw(&program.game, &view, &drawn, false, board::WIDTH);
            text += "---\n";
        }
        snapshot("complete", name_of(game, expansion), &text);
    }
}

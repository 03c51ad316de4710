//! Whole games with secrets: they are played to their ends, and nothing that a seat gets to know hangs on what it cannot know.

use adit::cli::Exit;
use adit::engine::{Dice, Program, Status};
use adit::pipeline::{Request, compile};
use adit::play::Session;
use adit::source::Sources;

use super::generated::outputs;
use super::header;
use crate::command::adit;

fn program(game: &str, seats: u32) -> Program {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string(format!("tests/fixtures/{game}.rules")).unwrap();
    let base = sources.add(game, text);
    let request = Request {
        base,
        seats: Some(seats),
        ..Request::default()
    };
    adit::engine::compile(compile(&sources, &request).game.expect("a game")).unwrap()
}

/// Plays at random, and deals anew at each choice what each of the seats does not know.
fn played(game: &str, seats: u32, seeds: u64) -> (usize, usize) {
    let program = program(game, seats);
    let (mut choices, mut dealt) = (0, 0);
    for seed in 0..seeds {
        let mut session = Session::start(&program, header(&program, seed)).unwrap();
        let mut luck = seed * 2 + 1;
        while session.status() != Status::Ended {
            luck = luck
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            for seat in 0..seats {
                let (state, knowledge) = (
                    session.machine().save(),
                    session.machine().knowledge().clone(),
                );
                let before = outputs(&mut session, seat);
                if session.machine().redeal(seat, &mut Dice::new(luck)) {
                    let after = outputs(&mut session, seat);
                    assert_eq!(before, after, "{game}, seed {seed}, seat {seat}");
                    dealt += usize::from(session.machine().save() != state);
                }
                session.machine().load(&state);
                session.machine().recall(knowledge);
            }
            let moves = session.machine().moves().to_vec();
            session
                .play(moves[(luck >> 33) as usize % moves.len()])
                .unwrap();
            choices += 1;
        }
    }
    (choices, dealt)
}

#[test]
fn goofspiel_keeps_its_bids_and_ends() {
    let (choices, dealt) = played("games/goofspiel", 3, 2);
    assert_eq!(choices, 2 * 3 * 13);
    assert!(dealt > 80, "{dealt}");
}

#[test]
fn love_letter_keeps_its_cards_and_ends() {
    let (choices, dealt) = played("games/love_letter", 4, 12);
    assert!(choices > 60 && dealt > 100, "{choices} {dealt}");
}

#[test]
fn fireworks_keeps_each_hand_from_its_owner_and_ends() {
    let (choices, dealt) = played("complete/fireworks", 3, 4);
    assert!(choices > 60 && dealt > 150, "{choices} {dealt}");
}

#[test]
fn their_rulings_hold() {
    for game in ["goofspiel", "love_letter"] {
        let ran = adit(&format!("rulings tests/fixtures/games/{game}.rules"));
        assert_eq!(ran.exit, Exit::Yes, "{}", ran.out);
    }
}

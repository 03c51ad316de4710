//! The classics that are written by hand, and the engine by their rulebooks, agree with each other and with what
//! others have published.

use adit::engine::{Dice, Machine, Status};
use adit::model::text::Form;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::baseline::Game;
use crate::baseline::breakthrough::Breakthrough;
use crate::baseline::chance::pick;
use crate::baseline::chess::Chess;
use crate::baseline::connect_four::ConnectFour;
use crate::baseline::draughts::Draughts;
use crate::baseline::othello::Othello;
use crate::fixtures::width;
use crate::perft::{program, published};

/// Counts the sequences of so many turns.
fn sequences<G: Game>(game: &G, turns: usize) -> u64 {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let follow = |choice: G::Move| {
        let mut next = game.clone();
        next.apply(choice);
        // Who goes on jumping is still in the same turn.
        let turns = turns - usize::from(next.mover() != game.mover());
        if turns == 0 {
            1
        } else {
            sequences(&next, turns)
        }
    };
    moves.into_iter().map(follow).sum()
}

fn legal<G: Game>(game: &G) -> Vec<(String, G::Move)> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let mut named: Vec<_> = moves.into_iter().map(|it| (it.to_string(), it)).collect();
    named.sort_by(|one, other| one.0.cmp(&other.0));
    named
}

/// Compares the list of legal moves at each choice of random games, as it is printed.
fn agrees<G: Game>(name: &str, set: &[(&str, &str)]) {
    let program = program(&format!("rules/classics/{name}.rules"), set, None);
    let mut machine = Machine::new(&program);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut dice = Dice::new(0);
    for round in 0..width(2, 50, 300) {
        let mut game = G::new();
        let mut status = machine.start(&mut dice).unwrap();
        loop {
            let moves = legal(&game);
            let listed = machine.moves().to_vec().into_iter();
            let mut listed: Vec<_> = listed
                .map(|mv| (machine.print(mv, Form::Plain), mv))
                .collect();
            listed.sort_by(|one, other| one.0.cmp(&other.0));
            assert!(
                moves
                    .iter()
                    .map(|it| &it.0)
                    .eq(listed.iter().map(|it| &it.0)),
                "{name}, game {round}"
            );
            let Status::Choice { seat } = status else {
                break;
            };
            assert_eq!(seat, u32::from(game.mover()), "{name}, game {round}");
            let at = pick(&mut rng, moves.len());
            game.apply(moves[at].1);
            status = machine.play(listed[at].1, &mut dice).unwrap();
        }
    }
}

fn check<G: Game>(name: &str, set: &[(&str, &str)]) {
    let counts = published(name);
    let counted: Vec<u64> = (1..=counts.len())
        .map(|turns| sequences(&G::new(), turns))
        .collect();
    assert_eq!(counted, counts, "{name}");
    agrees::<G>(name, set);
}

#[test]
fn connect_four() {
    check::<ConnectFour>("connect_four", &[]);
}

#[test]
fn breakthrough() {
    check::<Breakthrough>("breakthrough", &[]);
}

#[test]
fn othello() {
    check::<Othello>("othello", &[]);
}

#[test]
fn draughts() {
    check::<Draughts>("draughts", &[]);
}

#[test]
fn chess() {
    check::<Chess>("chess", &[("draws", "automatic")]);
}

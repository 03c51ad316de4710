//! Games that are nothing but a rulebook, against what is known about them.

use adit::model::text::Form;
use std::collections::HashMap;

use adit::engine::{Chance, Dice, Machine, State, Status, TrackValue};
use adit::model::StreamId;

use crate::perft::program;

/// Gives the cards out in a fixed order.
struct Deal(Vec<i64>);

impl Chance for Deal {
    fn ticket(&mut self, _: StreamId, _: u64) -> u64 {
        0
    }

    fn forced(&mut self, _: StreamId) -> Option<i64> {
        self.0.pop()
    }
}

/// The probability of a move in the equilibrium that Kuhn (1950) gives, with its free parameter at
/// one third.
fn kuhn_plan(seat: u32, card: i64, mv: &str, is_answer: bool) -> f64 {
    let bold = match (seat, is_answer, card) {
        (0, false, 0) => 1.0 / 3.0,
        (0, false, 1) => 0.0,
        (0, true, 1) => 2.0 / 3.0,
        (1, true, 1) => 1.0 / 3.0,
        (1, false, 0) => 1.0 / 3.0,
        (1, false, 1) => 0.0,
        (_, true, 0) => 0.0,
        _ => 1.0,
    };
    if mv == "bet" || mv == "call" {
        bold
    } else {
        1.0 - bold
    }
}

fn kuhn_value(machine: &mut Machine<'_>, cards: [i64; 2], leaves: &mut u32) -> f64 {
    let Status::Choice { seat } = machine.status() else {
        *leaves += 1;
        let payoffs = machine.outcome().unwrap().keys;
        assert_eq!(payoffs[0][0] + payoffs[1][0], 0);
        return payoffs[0][0] as f64;
    };
    let state = machine.save();
    let mut sum = 0.0;
    for mv in machine.moves().to_vec() {
        let text = machine.print(mv, Form::Plain);
        let is_answer = text == "call" || text == "fold";
        let chance = kuhn_plan(seat, cards[seat as usize], &text, is_answer);
        machine.play(mv, &mut Dice::new(0)).unwrap();
        sum += chance * kuhn_value(machine, cards, leaves);
        machine.load(&state);
    }
    sum
}

#[test]
fn kuhn_poker_is_worth_a_loss_of_an_eighteenth() {
    let program = program("tests/fixtures/games/kuhn.rules", &[], None);
    let mut machine = Machine::new(&program);
    let (mut sum, mut leaves) = (0.0, 0);
    for first in 0..3 {
        for second in (0..3).filter(|card| *card != first) {
            machine.start(&mut Deal(vec![second, first])).unwrap();
            sum += kuhn_value(&mut machine, [first, second], &mut leaves);
        }
    }
    assert_eq!(leaves, 30);
    assert!((sum / 6.0 + 1.0 / 18.0).abs() < 1e-12, "{}", sum / 6.0);
}

/// Whether the mover can win; positions are remembered as blocks of bytes.
fn wins(machine: &mut Machine<'_>, known: &mut HashMap<State, bool>) -> bool {
    let Status::Choice { seat } = machine.status() else {
        return false;
    };
    let state = machine.save();
    if let Some(answer) = known.get(&state) {
        return *answer;
    }
    let mut answer = false;
    for mv in machine.moves().to_vec() {
        machine.play(mv, &mut Dice::new(0)).unwrap();
        answer |= match machine.outcome() {
            Some(outcome) => outcome.places[seat as usize] == 1,
            None => !wins(machine, known),
        };
        machine.load(&state);
    }
    known.insert(state, answer);
    answer
}

#[test]
fn nim_is_won_where_the_heaps_do_not_balance() {
    let program = program("tests/fixtures/games/nim.rules", &[], None);
    let mut machine = Machine::new(&program);
    machine.start(&mut Dice::new(0)).unwrap();
    let mut known = HashMap::new();
    wins(&mut machine, &mut known);
    let heap = program
        .game
        .zones
        .iter()
        .position(|zone| zone.name == "heap")
        .unwrap();
    assert!(known.len() > 300, "{}", known.len());
    for (state, answer) in known {
        machine.load(&state);
        let view = machine.view(adit::engine::Viewer::Referee);
        let sizes = view.zones[heap].places.iter().map(|place| place.seen.len());
        assert_eq!(answer, sizes.fold(0, |sum, size| sum ^ size) != 0);
    }
}

#[test]
fn a_choice_between_true_and_false_is_a_move() {
    let program = program("tests/fixtures/games/toss.rules", &[], None);
    let mut machine = Machine::new(&program);
    let offered = |machine: &mut Machine<'_>| {
        let moves = machine.moves().to_vec();
        let texts = moves.iter().map(|it| machine.print(*it, Form::Plain));
        texts.collect::<Vec<_>>()
    };
    let mut fell = [0; 2];
    for seed in 0..64 {
        let mut dice = Dice::new(seed);
        machine.start(&mut dice).unwrap();
        assert_eq!(offered(&mut machine), ["call false", "call true"]);
        let mut called = seed % 2;
        while let Status::Choice { .. } = machine.status() {
            let moves = machine.moves().to_vec();
            let text = format!("call {}", called == 1);
            let it = offered(&mut machine).iter().position(|it| *it == text);
            machine.play(moves[it.unwrap()], &mut dice).unwrap();
            called = 1 - called;
            if let Status::Choice { .. } = machine.status() {
                assert_eq!(offered(&mut machine), [format!("call {}", called == 1)]);
            }
        }
        let view = machine.view(adit::engine::Viewer::Referee);
        let track = |name: &str| {
            &view
                .tracks
                .iter()
                .find(|it| it.name == name)
                .unwrap()
                .values
        };
        for (side, fell) in fell.iter_mut().enumerate() {
            let Some(TrackValue::Scalar(times)) = track("fell")[side] else {
                panic!("nothing is hidden");
            };
            *fell += times;
        }
    }
    // 256 tosses of a fair coin: six deviations to either side.
    assert_eq!(fell[0] + fell[1], 256);
    assert!((80..=176).contains(&fell[0]), "{fell:?}");
}

//! Questions to a position that no move asks, and what others see of a move.

use adit::engine::{Dice, FaultKind, Machine, Program, Query, Status, Viewer};
use adit::lint::Games;
use adit::model::text::Form;
use adit::model::{Expr, ExprKind, Type};
use adit::pipeline::{Request, compile};
use adit::source::Sources;

use crate::face::program;
use crate::fixtures::{base_of, rulebook_files, width};

fn tunnels(set: &[(&str, &str)]) -> Program {
    program("rules/tunnels.rules", set).unwrap()
}

fn from_text(text: &str) -> Program {
    let mut sources = Sources::new();
    let request = Request {
        base: sources.add("text", text),
        ..Request::default()
    };
    adit::engine::compile(compile(&sources, &request).game.unwrap()).unwrap()
}

/// A machine some way into a game.
fn midway(program: &Program) -> Machine<'_> {
    let mut machine = Machine::new(program);
    let mut dice = Dice::new(4);
    machine.start(&mut dice).unwrap();
    for ply in 0..40 {
        let index = ply * 7 % machine.moves().len();
        machine.play_nth(index, &mut dice).unwrap();
    }
    machine
}

#[test]
fn invariants_hold_in_random_games() {
    let program = tunnels(&[]);
    let invariants = program.game.invariants.iter();
    let query = Query::new(&program, invariants.map(|it| &it.cond)).unwrap();
    let mut machine = Machine::new(&program);
    for seed in 0..10 {
        let mut dice = Dice::new(seed);
        machine.start(&mut dice).unwrap();
        for ply in 0.. {
            let values = machine.ask(&query).unwrap();
            for (invariant, value) in program.game.invariants.iter().zip(values) {
                assert_eq!(value.scalar(), 1, "{}, seed {seed}", invariant.name);
            }
            if machine.status() == Status::Ended {
                break;
            }
            let index = ply * 13 % machine.moves().len();
            machine.play_nth(index, &mut dice).unwrap();
        }
    }
}

#[test]
fn invariants_that_do_not_hold_are_found_in_games() {
    let text = |claims: &str| {
        format!(
            "game g \"G\" {{ seats anna, bert }}
            track a: 0..9 = 0
            track coins[seat]: 0..9 = 1
            action up() \"up\" {{ do {{ a += 1  coins[me] += 1 }} }}
            flow main() {{ turns me from anna {{ choose me: up  if a == 5 {{ end over }} }} }}
            ending over() {{ winner none }}
            {claims}"
        )
    };
    let found = |claims: &str| {
        let program = from_text(&text(claims));
        let games = Games::play(&program, 3, &|| true);
        let told = games.stopped.iter().map(|it| {
            assert_eq!((it.seed, it.games, it.last), (0, 3, None));
            (it.fault.diagnostic().message, it.played.len())
        });
        told.collect::<Vec<_>>()
    };
    let low = "invariant low: a < 3 else \"a is {a}\"";
    let message = "an invariant does not hold in this position: a is 3";
    assert_eq!(found(low), [(message.to_owned(), 3)]);
    let poor = "invariant poor(s: seat): coins[s] < 3";
    let message = "an invariant does not hold in this position: `poor` does not hold for s = anna";
    assert_eq!(found(poor), [(message.to_owned(), 3)]);
    // At the last choice a is 4; the end is none.
    assert_eq!(found("invariant high: a < 5"), []);
    let told = found("invariant one: coins[next_seat(anna)] / (3 - a) < 9");
    assert_eq!(told.first().map(|it| it.1), Some(3), "{told:?}");
}

#[test]
fn invariants_of_shipped_rulebooks_hold_in_random_games() {
    let mut asked = 0;
    for path in rulebook_files("rules") {
        if base_of(&path).is_some() {
            continue;
        }
        let path = path
            .strip_prefix(env!("CARGO_MANIFEST_DIR"))
            .unwrap_or(&path);
        let program = program(path.to_str().unwrap(), &[]).unwrap();
        let games = Games::play(&program, width(1, 5, 200), &|| true);
        let told = games.stopped.iter().map(|it| it.fault.diagnostic().message);
        assert_eq!(told.collect::<Vec<_>>(), [""; 0], "{path:?}");
        asked += program.game.invariants.len();
    }
    assert!(asked > 10, "{asked}");
}

/// `y` has no piece in `s2`, so what is said of that piece would fault; the first condition keeps it out.
#[test]
fn a_condition_keeps_those_out_for_which_the_next_one_faults() {
    let text = "game g \"G\" { seats anna, bert }
        enum Design { x, y, z }
        enum Slot { s1, s2 }
        enum End { nowhere, gate }
        record Piece { ports: set of End, ends: End = nowhere }
        table piece[Design, Slot]: Piece or none else none {
            x, s2: { nowhere }, ends = gate
            z, s1: { gate }
            z, s2: { nowhere, gate }, ends = gate
        }
        track n: 0..9 = 0
        invariant both: count { d in Design where some piece[d, s2] and piece[d, s2].ends == gate } == 2 - n
        invariant none_: no { d in Design where some piece[d, s2] and piece[d, s2].ends == nowhere } and n == 0
        invariant each(d: Design, s: Slot) where some piece[d, s] and n == 0: some piece[d, s].ports
        invariant other: count { d in Design where not (some piece[d, s2] and piece[d, s2].ends == gate) } == 1 + n
        flow main() { choose anna: stop \"stop\" { n = 1 }  end over() }
        ending over() { winner none }";
    let program = from_text(text);
    let mut machine = Machine::new(&program);
    machine.start(&mut Dice::new(1)).unwrap();
    for invariant in &program.game.invariants {
        let holds = Query::new(&program, [&invariant.cond]).unwrap();
        let value = machine.ask(&holds).unwrap()[0].scalar();
        assert_eq!(value, 1, "{}", invariant.name);
    }
}

/// An invariant with parameters asks for every value that passes its `where`, in each position.
#[test]
fn invariants_with_parameters_hold_for_all_values() {
    let text = "game g \"G\" { seats anna, bert }
        track coins[seat]: 0..9 = 1
        invariant poor(s: seat) where s != bert: coins[s] < 2
        invariant few(s: seat, n in coins[s]..3): n < 3 or coins[s] < 3
        action earn() \"earn\" { do { coins[me] += 1 } }
        flow main() { turns me from bert { choose me: earn  if coins[anna] == 3 { end over() } } }
        ending over() { winner none }";
    let mut sources = Sources::new();
    let base = sources.add("text", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let game = compile(&sources, &request).game.expect("a game");
    let program = adit::engine::compile(game).unwrap();
    let invariants = program.game.invariants.iter();
    let query = Query::new(&program, invariants.map(|it| &it.cond)).unwrap();
    let mut machine = Machine::new(&program);
    let mut dice = Dice::new(0);
    machine.start(&mut dice).unwrap();
    let mut seen = Vec::new();
    loop {
        let values = machine.ask(&query).unwrap();
        seen.push(values.iter().map(|it| it.scalar()).collect::<Vec<_>>());
        if machine.status() == Status::Ended {
            break;
        }
        machine.play_nth(0, &mut dice).unwrap();
    }
    // Bert earns, Anna earns, Bert has three, Anna has three.
    assert_eq!(seen, [[1, 1], [1, 1], [0, 1], [0, 0], [0, 0]]);
}

#[test]
fn a_question_leaves_the_position_as_it_is() {
    let program = tunnels(&[]);
    let mut machine = midway(&program);
    let (before, moves) = (machine.save(), machine.moves().to_vec());
    for define in &program.game.defines {
        if define.params.is_empty() {
            machine.evaluate(&define.body).unwrap();
        }
    }
    let divide = |op, right| Expr {
        kind: ExprKind::Binary(op, Box::new(number(1)), Box::new(number(right))),
        ty: number(0).ty,
        span: adit::source::Span::default(),
    };
    assert_eq!(machine.eval(&divide(adit::model::BinaryOp::Add, 2)), Ok(3));
    let fault = machine
        .eval(&divide(adit::model::BinaryOp::Div, 0))
        .unwrap_err();
    assert_eq!(fault.kind, FaultKind::Zero);
    assert_eq!((before, moves), (machine.save(), machine.moves().to_vec()));
}

fn number(value: i64) -> Expr {
    Expr {
        kind: ExprKind::Value(value),
        ty: Type::of(adit::model::Base::Int(-9, 9)),
        span: adit::source::Span::default(),
    }
}

#[test]
fn a_position_that_cannot_be_set_up_changes_nothing() {
    let program = tunnels(&[]);
    let mut machine = midway(&program);
    let (before, moves) = (machine.save(), machine.moves().to_vec());
    let fault = machine.set_up(usize::MAX, &mut Dice::new(1)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NotReached);
    assert_eq!((before, moves), (machine.save(), machine.moves().to_vec()));
}

#[test]
fn others_are_not_told_which_hidden_card_is_meant() {
    let readings = [
        ("private", "face_down", true),
        // What is discarded face up is told as it is laid down.
        ("private", "face_up", false),
        ("open", "face_down", false),
    ];
    for (hands, discards, hidden) in readings {
        let program = tunnels(&[("hand_visibility", hands), ("discard_visibility", discards)]);
        let mut machine = midway(&program);
        let Status::Choice { seat } = machine.status() else {
            panic!("over")
        };
        for mv in machine.moves().to_vec() {
            let whole = machine.print(mv, Form::Plain);
            assert_eq!(
                machine.print_for(&[Viewer::Seat(seat)], mv, Form::Plain),
                whole
            );
            let others = machine.print_for(&[Viewer::Seat(1 - seat)], mv, Form::Plain);
            assert_eq!(others.contains('…'), hidden, "{others}");
            assert_eq!(others == whole, !hidden);
        }
    }
}

#[test]
fn a_hidden_hand_shows_only_how_many_cards_it_holds() {
    let program = tunnels(&[]);
    let machine = midway(&program);
    let hand = program
        .game
        .zones
        .iter()
        .position(|zone| zone.name == "hand")
        .unwrap();
    let all = machine.view(Viewer::Referee);
    for seat in 0..2 {
        let view = machine.view(Viewer::Seat(seat));
        for (own, place) in view.zones[hand].places.iter().enumerate() {
            let whole = &all.zones[hand].places[own];
            assert_eq!(place.seen.len(), whole.seen.len());
            assert_eq!(place.seen == whole.seen, own == seat as usize);
        }
    }
}

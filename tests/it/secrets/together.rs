//! Choices that are made at the same time: nothing that a seat gets to know hangs on what others have chosen, until all have.

use adit::engine::{Dice, Machine, Program, Status, Viewer};
use adit::model::text::Form;
use adit::pipeline::{Request, compile};
use adit::play::transcript::Transcript;
use adit::play::{Barrier, Compare, Session, replay, seen_by};
use adit::source::Sources;
use adit::study::{Bounds, Extent, search};

use super::generated::outputs;
use super::header;

const BIDS: &str = r#"game g "G" { seats anna, bert, cleo  history up to 20 }
component Card { value: 1..3 }
show Card as "{value}"
zone hand[seat]: bag of Card seen by owner
zone bid[seat]: bag of Card open
zone box: bag of Card hidden
supply 3 every Card in box
track passed[seat]: 0..9 = 0
track peak: 0..9 = 0
track seen: 0..9 = 0
action lay(c in hand[me]) "lay {c}" { do { move c from hand[me] to bid[me]  tell all "{me} lays {c}" } }
flow main() {
    for each s in seat, n in 1..3 { move Card(n) from box to hand[s] }
    move Card(1) from hand[cleo] to box
    move Card(2) from hand[cleo] to box
    repeat 3 {
        together s in seat where s != bert or peak == 0 {
            choose s: lay { peak = max { peak, count bid[s] } } | pass "pass" { passed[s] += 1 }
                otherwise { passed[s] += 2 }
        }
        seen = repeated()
    }
    end over()
}
ending over() { ranking seat by count bid[it] }
"#;

fn bids() -> Program {
    super::program(BIDS).expect("a game")
}

fn play(session: &mut Session<'_>, wanted: &str) {
    let legal = session.machine().moves().to_vec();
    let chosen = legal
        .into_iter()
        .find(|it| session.machine().print(*it, Form::Plain) == wanted);
    session.play(chosen.expect(wanted)).unwrap();
}

fn asked(session: &Session<'_>) -> Option<u32> {
    match session.status() {
        Status::Choice { seat } => Some(seat),
        Status::Ended => None,
    }
}

#[test]
fn nothing_happens_until_all_have_chosen_and_then_in_the_order_of_the_seats() {
    let program = bids();
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    play(&mut session, "lay 2");
    assert_eq!(asked(&session), Some(1));
    let view = session.machine().view(Viewer::Referee);
    assert_eq!(
        (view.chosen.as_slice(), view.zones[1].places[0].seen.len()),
        (&[0][..], 0)
    );
    play(&mut session, "pass");
    play(&mut session, "lay 3");
    let told: Vec<_> = session
        .told()
        .iter()
        .map(|it| it.heard_by(1, Form::Plain).unwrap())
        .collect();
    assert_eq!(told, ["anna lays 2", "cleo lays 3"]);
    // In the second round bert is left out; cleo has no card any more, and passes.
    play(&mut session, "pass");
    assert_eq!(asked(&session), Some(2));
    play(&mut session, "pass");
    let lines = session.transcript();
    assert_eq!(lines.matches("\"together\":true").count(), 5);
}

/// Who has nothing to choose is not asked.
#[test]
fn who_has_nothing_to_choose_does_what_stands_behind_otherwise() {
    let text = BIDS.replace(" | pass \"pass\" { passed[s] += 1 }", "");
    let program = super::program(&text).expect("a game");
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    for wanted in ["lay 1", "lay 1", "lay 3", "lay 2", "lay 3"] {
        play(&mut session, wanted);
    }
    assert_eq!(session.status(), Status::Ended);
    let view = session.machine().view(Viewer::Referee);
    let passed = format!("{:?}", view.tracks[0].values);
    assert_eq!(
        passed,
        "[Some(Scalar(0)), Some(Scalar(0)), Some(Scalar(4))]"
    );
}

/// The position in which several choose is one, however many have chosen.
#[test]
fn a_position_counts_once() {
    let program = bids();
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    for wanted in ["lay 1", "lay 1", "lay 3"] {
        play(&mut session, wanted);
    }
    let view = session.machine().view(Viewer::Referee);
    assert_eq!(format!("{:?}", view.tracks[2].values), "[Some(Scalar(1))]");
}

#[test]
fn an_own_choice_is_taken_back_until_the_last_is_made() {
    let program = bids();
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    let start = session.machine().save();
    play(&mut session, "lay 2");
    play(&mut session, "pass");
    assert_eq!(session.undo_barrier(), Some(Barrier::Seat(1)));
    session.undo_by(0, 0, true).unwrap();
    assert_eq!(asked(&session), Some(0));
    session.undo_by(1, 1, true).unwrap();
    session.undo_by(0, 0, true).unwrap_err();
    assert_eq!(asked(&session), Some(1));
    play(&mut session, "lay 3");
    assert_eq!(asked(&session), Some(0));
    play(&mut session, "lay 1");
    play(&mut session, "lay 3");
    assert_eq!(session.undo_by(1, 1, true), Err(Barrier::Together));
    assert_eq!(session.undo_by(0, 0, true), Err(Barrier::Together));
    // The file tells the same, and so does a game that is taken up in the middle.
    let text = session.transcript();
    let whole = Transcript::read(&text).unwrap();
    let again = replay(&program, &whole, Compare::Bytes).unwrap();
    assert_eq!(again.transcript(), text);
    let mut fresh = Machine::new(&program);
    fresh.start(&mut Dice::new(1)).unwrap();
    assert_eq!(fresh.save(), start);
}

/// A program that is killed between two of the choices has lost none of them.
#[test]
fn what_is_chosen_is_kept_line_by_line() {
    let program = bids();
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    play(&mut session, "lay 2");
    play(&mut session, "lay 3");
    let kept = Transcript::read(&session.transcript()).unwrap();
    let mut again = replay(&program, &kept, Compare::Bytes).unwrap();
    assert_eq!(again.machine().save(), session.machine().save());
    play(&mut again, "lay 3");
    let bid = &again.machine().view(Viewer::Referee).zones[1].places;
    assert!(bid.iter().all(|it| it.seen.len() == 1));
}

/// The games in which several choose at the same time.
fn games() -> Vec<Program> {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string("tests/fixtures/games/goofspiel.rules").unwrap();
    let base = sources.add("goofspiel", text);
    let request = Request {
        base,
        seats: Some(3),
        set: vec![(String::from("cards"), String::from("4"))],
        ..Request::default()
    };
    let game = compile(&sources, &request).game.expect("a game");
    vec![bids(), adit::engine::compile(game).unwrap()]
}

/// A game goes on by chance, and at each choice that several make at the same time each seat is held against one in
/// whose world the others chose otherwise.
#[test]
fn nothing_that_a_seat_gets_to_know_hangs_on_what_others_have_chosen() {
    let mut compared = 0;
    for (program, seed) in games()
        .iter()
        .flat_map(|it| (0..8).map(move |seed| (it, seed)))
    {
        let mut one = Session::start(program, header(program, seed)).unwrap();
        let mut at = seed as usize;
        while let Some(seat) = asked(&one) {
            at = at * 31 + 7;
            let kept = Transcript::read(&one.transcript()).unwrap();
            for other in 0..program.game.n_seats {
                // The same choices but for the last one, of somebody else.
                if other == seat {
                    continue;
                }
                let results: Vec<_> = one
                    .machine()
                    .moves()
                    .to_vec()
                    .into_iter()
                    .map(|chosen| {
                        let mut world = replay(program, &kept, Compare::Bytes).unwrap();
                        world.play(chosen).unwrap();
                        (
                            world.has_chosen(seat),
                            outputs(&mut world, other),
                            seen_by(program, &world, other).unwrap(),
                        )
                    })
                    .collect();
                if results.iter().any(|(waits, ..)| !waits) {
                    continue;
                }
                for result in &results {
                    assert_eq!(result.1, results[0].1);
                    assert_eq!(result.2, results[0].2);
                    compared += 1;
                }
            }
            let moves = one.machine().moves().to_vec();
            one.play(moves[at % moves.len()]).unwrap();
        }
    }
    assert!(compared > 200, "{compared}");
}

/// Two who show one of three signs: in nine ways, and three of them are alike.
#[test]
fn a_choice_of_two_at_the_same_time_is_two_plies() {
    let text = r#"game g "G" { seats anna, bert }
track sign[seat]: 0..3 = 0
action show_sign(n: 1..3) "{n}" { do { sign[me] = n } }
flow main() { together s in seat { choose s: show_sign }  step judge { choose anna: on "on" { } }  end over() }
ending over() { winner none }
study alike "Both show three" { find sign[anna] == 3 and sign[bert] == 3 within 2 plies }
study too_soon "One alone shows nothing" { find sign[anna] != 0  within 1 plies }
"#;
    let program = super::program(text).expect("a game");
    let answer = |at: usize| {
        let study = &program.game.studies[at];
        let bounds = Bounds {
            plies: study.plies,
            positions: 1_000,
        };
        search(&program, study, bounds, &mut |_| true).unwrap()
    };
    let line = answer(0).found.expect("a line");
    assert_eq!(line.plies.len(), 2);
    // The start, three after the first choice, and nine after the second.
    let none = answer(1);
    assert_eq!(
        (none.found, none.extent, none.positions),
        (None, Extent::Plies, 4)
    );
}

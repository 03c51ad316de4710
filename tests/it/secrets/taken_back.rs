//! What stands is what a person has learnt; what a program has seen it forgets.

use adit::model::text::Form;
use std::time::Duration;

use adit::engine::Program;
use adit::mind::{Means, Thinker};
use adit::play::transcript::{Header, Transcript};
use adit::play::{Barrier, Compare, Player, Session, replay};

use super::{header, program};

const GAME: &str = r#"game g "G" { seats anna, bert, cleo }
component Card { value: 1..5 }
show Card as "{value}"
zone deck: bag of Card hidden
zone pile: pile of Card hidden
zone hand[seat]: bag of Card seen by owner
zone table: bag of Card open
zone aside: bag of Card hidden
supply 3 every Card in deck
supply every Card in pile
track luck: 0..6 = 0
action wait() "wait" { do { } }
action fetch() "fetch" { do { draw 1 of deck to hand[me] } }
action burn() "burn" { do { draw 1 of deck to aside } }
action turn() "turn" { do { draw 1 of deck to table } }
action lay(c in hand[me]) "lay {c}" { do { move c from hand[me] to table } }
action roll() "roll" { do { choose chance n in 1..6  luck = n } }
action mix() "mix" { do { shuffle pile } }
action look() "look" { do { show hand[next_seat(me)] to me } }
action spill() "spill" { do { luck = count { c in hand[me] where c.value > 3 } } }
action flash() "flash" { do { show hand[me] to next_seat(me) } }
flow main() {
    for each s in seat { move Card(2) from deck to hand[s] }
    repeat 12 { turns me from anna once { choose me: wait | fetch | burn | turn | lay | roll | mix | look | flash | spill } }
    end over()
}
ending over() { winner none }
"#;

fn seated<'p>(program: &'p Program, seats: [&str; 3], moves: &[&str]) -> Session<'p> {
    let header = Header {
        seats: seats.map(String::from).to_vec(),
        ..header(program, 3)
    };
    let mut session = Session::start(program, header).unwrap();
    for wanted in moves {
        let legal = session.machine().moves().to_vec();
        let chosen = legal
            .into_iter()
            .find(|it| session.machine().name(*it, Form::Plain) == *wanted);
        session.play(chosen.expect(wanted)).unwrap();
    }
    session
}

/// Why anna, against programs, cannot take back what she did first; none where she can.
fn after(moves: &[&str]) -> Option<Barrier> {
    let program = program(GAME).expect("a game");
    let mut session = seated(&program, ["human", "random", "random"], moves);
    let (known, undone) = (
        session.machine().knowledge().clone(),
        session.undo_by(0, 0, false),
    );
    if undone.is_ok() {
        assert_eq!(session.n_choices(), 0);
        let mut first = Session::start(&program, session.header().clone()).unwrap();
        assert_eq!(session.machine().save(), first.machine().save());
        assert_eq!(session.machine().knowledge(), first.machine().knowledge());
        // So it is read again.
        let text = session.transcript();
        let again = Transcript::read(&text).unwrap();
        let again = replay(&program, &again, Compare::Bytes).unwrap();
        assert_eq!(again.transcript(), text);
    } else {
        assert_eq!(*session.machine().knowledge(), known);
    }
    undone.err()
}

#[test]
fn what_a_program_has_seen_it_forgets() {
    for free in ["wait", "fetch", "burn", "mix", "look", "flash"] {
        assert_eq!(after(&["wait", free, "wait"]), None, "{free}");
    }
    // What lay open before tells nothing new, what comes to lie open does.
    for seen in ["turn", "lay 2"] {
        let barrier = after(&["wait", seen, "wait"]);
        assert!(
            matches!(barrier, Some(Barrier::Seen { seat: 0, .. })),
            "{seen}: {barrier:?}"
        );
    }
    let rolled = after(&["wait", "roll", "wait"]);
    assert!(matches!(rolled, Some(Barrier::Chance(_))), "{rolled:?}");
    let spilt = after(&["wait", "spill", "wait"]);
    assert_eq!(spilt, Some(Barrier::Hidden));
    // What she sees herself stands as well.
    for own in ["fetch", "look"] {
        let barrier = after(&[own, "wait", "wait"]);
        assert!(
            matches!(barrier, Some(Barrier::Seen { seat: 0, .. })),
            "{own}: {barrier:?}"
        );
    }
}

#[test]
fn what_another_person_has_learnt_stands() {
    let program = program(GAME).expect("a game");
    // Bert, a program, shows his cards to cleo.
    for (last, stands) in [("random", false), ("human", true)] {
        let session = seated(&program, ["human", "random", last], &["wait", "flash"]);
        let barrier = session.undo_barrier();
        assert_eq!(barrier.is_some(), stands, "{barrier:?}");
    }
}

/// Why what another one chose stands is told as far as who asks may know it.
#[test]
fn what_another_has_seen_is_told_to_nobody_who_asks() {
    let program = program(GAME).expect("a game");
    let mut session = seated(&program, ["human"; 3], &["wait", "fetch"]);
    for asker in [0, 1, 2] {
        let told = session.undo_by(asker, 1, false).err().unwrap();
        // Who asks of what it did itself is told all of it.
        let is_whole = matches!(told, Barrier::Seen { what: Some(_), .. });
        assert_eq!(is_whole, asker == 1, "{asker}: {told:?}");
    }
}

/// A program that chooses again after an undo chooses as if nothing had been.
#[test]
fn a_program_chooses_again_as_it_would_have_chosen() {
    let program = program(GAME).expect("a game");
    let mut session = seated(&program, ["human", "mcts:40", "human"], &[]);
    let thinker = Thinker::new(&program);
    let clock = || Duration::ZERO;
    let means = Means {
        threads: 1,
        clock: &clock,
        is_stopped: &|| false,
    };
    let player = Player::find("mcts:40").unwrap();
    let answer = |session: &mut Session<'_>| {
        let at = (5, 1, session.n_choices());
        player
            .choose(&thinker, session.machine(), at, means)
            .unwrap()
    };
    let wait = session.machine().moves()[0];
    session.play(wait).unwrap();
    let chosen = answer(&mut session);
    let fetch = session.machine().moves()[1];
    session.play(fetch).unwrap();
    session.undo().and_then(|()| session.undo()).unwrap();
    session.play(wait).unwrap();
    assert_eq!(answer(&mut session), chosen);
}

#[test]
fn what_a_person_hears_to_hold_stands() {
    let text = GAME
        .replace(
            "action fetch()",
            "action say(n in 1..5) \"I hold {n}\" { require so: Card(n) in hand[me] else \"you do not\"  do { } }\naction fetch()",
        )
        .replace("wait | fetch", "wait | say | fetch");
    let program = program(&text).expect("a game");
    let mut session = seated(&program, ["human", "human", "human"], &["I hold 2"]);
    let barrier = session.undo_by(0, 0, false).err();
    assert!(
        matches!(
            barrier,
            Some(Barrier::Seen {
                seat: 1,
                what: None
            })
        ),
        "{barrier:?}"
    );
    // Programs forget it; a person that plays against them does not.
    let alone = ["human", "random", "random"];
    let mut session = seated(&program, alone, &["I hold 2", "wait", "wait"]);
    assert_eq!(session.undo_by(0, 0, false).err(), None);
    let mut session = seated(&program, alone, &["wait", "I hold 2", "wait"]);
    let barrier = session.undo_by(0, 0, false).err();
    assert!(
        matches!(barrier, Some(Barrier::Seen { seat: 0, .. })),
        "{barrier:?}"
    );
}

/// Anna, among people, may take back what she chose here, while a hidden condition decides something elsewhere.
#[test]
fn a_hidden_condition_bars_what_leads_to_it_alone() {
    let text = r#"game g "G" { seats anna, bert, cleo }
component Die { pips: 1..6 }
zone box: bag of Die hidden
zone cup[seat]: bag of Die seen by owner
supply every Die in box
track bid: 0..9 = 0
track lost[seat]: 0..9 = 0
action raise(n in 1..9) "bid {n}" { require higher: n > bid else "{bid} was bid" do { bid = n } }
action tell_way() "on the way" { do { choose me: left "left" { } | right "right" { }  settle(me) } }
flow settle(s: seat) { if some { d in cup[bert] where d.pips > 3 } { lost[s] += 1 } else { lost[anna] += 1 } }
flow asks(s: seat) {
    choose s: raise | hold "hold" { return } | doubt "doubt" { settle(s) } | tell_way
    if bid > 8 { settle(s) }
}
flow main() {
    move Die(2) from box to cup[anna]
    move Die(5) from box to cup[bert]
    repeat 6 { turns me from anna once { asks(me) } }
    end over()
}
ending over() { winner none }
"#;
    let program = program(text).expect("a game");
    let people = ["human"; 3];
    let barrier = |moves: &[&str]| seated(&program, people, moves).undo_barrier();
    assert_eq!(barrier(&["hold"]), None);
    assert_eq!(barrier(&["on the way"]), None);
    for moves in [
        &["doubt"][..],
        &["hold", "doubt"],
        // Behind it all may stand, so it is barred whatever was bid.
        &["bid 2"],
        &["on the way", "left"],
    ] {
        assert_eq!(barrier(moves), Some(Barrier::Hidden), "{moves:?}");
    }
    // What was decided before a choice is no reason against taking that back.
    assert_eq!(barrier(&["doubt", "hold"]), None);
    assert_eq!(barrier(&["hold", "hold", "hold"]), None);
}

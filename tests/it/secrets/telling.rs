//! What the rules tell: to whom, in which words, and that nothing hangs on whether somebody listens.

use adit::engine::{Dice, Machine, Program, Viewer};
use adit::model::text::Form;
use adit::play::news::{self, Announced};
use adit::play::{Session, seen_by};

use super::header;

const GAME: &str = r#"game g "G" { seats anna, bert, cleo }
component Card { value: 1..6 }
show Card as "{value}"
zone deck: pile of Card hidden
zone hand[seat]: bag of Card seen by owner
zone table: bag of Card open
zone burnt: bag of Card hidden
supply 2 every Card in deck
track points[seat]: 0..99 = 0
track secret[seat]: 0..9 = 0 seen by owner
show points as "points"
event pass_on(c: Card, giver: seat, taker: seat) "{c} goes to {taker}" { move c from hand[giver] to hand[taker] }
action give(c in hand[me]) "give" { do { pass_on(c, me, next_seat(me)) } }
action burn(c in hand[me]) "burn" { do { move c from hand[me] to burnt  tell all "{me} burns {c}" } }
action lay(c in hand[me]) "lay {c}" {
    do {
        tell { next_seat(me), previous_seat(me) } "{me} has {count hand[me]} cards, {hand[me]}"
        move c from hand[me] to table
        points[me] += c.value because "a {c} laid"
        secret[me] += 1 because "a note"
    }
}
action look() "look" { do { show hand[next_seat(me)] to me  tell me "that was {hand[next_seat(me)]}" } }
flow main() {
    tell all "a new game"
    for each s in seat, n in 1..6 { move Card(n) from deck to hand[s] }
    repeat 4 { turns me from anna once { choose me: give | burn | lay | look  otherwise { next } } }
    end over()
}
ending over() { tell all "that was it"  ranking seat by points[it] }
"#;

/// A game of three who have the cards from 1 to 3, 4 to 6, and 1 to 3.
fn program() -> Program {
    let text = GAME.replace("supply 2 every", "supply 3 every").replace(
        "for each s in seat, n in 1..6 {",
        "for each s in seat, n in 1..6 where (ord(s) == 1) == (n > 3) {",
    );
    super::program(&text).expect("a game")
}

/// What each of the three is told of moves, one after the other.
fn told(moves: &[&str]) -> Vec<Vec<String>> {
    let program = program();
    let mut machine = Machine::new(&program);
    let mut luck = Dice::new(1);
    machine.listen(true);
    machine.start(&mut luck).unwrap();
    let mut all = Vec::new();
    for wanted in moves {
        let legal = machine.moves().to_vec();
        let chosen = legal
            .into_iter()
            .find(|it| machine.name(*it, Form::Plain) == *wanted);
        let chosen = chosen.unwrap_or_else(|| panic!("`{wanted}` is not legal"));
        let before: Vec<Announced> = (0..3)
            .map(|seat| Announced::before(&mut machine, chosen, seat, Form::Plain))
            .collect();
        let (_, events) = machine.play_watched(chosen, &mut luck).unwrap();
        let heard = machine.heard().to_vec();
        let told = before.into_iter();
        all.push(told.map(|it| it.after(&machine, &events, &heard)).collect());
    }
    all
}

#[test]
fn a_text_behind_an_event_is_told_to_those_who_see_what_it_says() {
    let all = told(&["give (c 2)"]);
    assert_eq!(all[0][0], "anna: give; 2 goes to bert");
    assert_eq!(all[0][1], "anna: give; 2 goes to bert");
    assert_eq!(all[0][2], "anna: give; … goes to bert");
}

#[test]
fn what_goes_where_nobody_looks_is_masked_for_all_but_its_seat() {
    let all = told(&["burn (c 1)"]);
    assert_eq!(all[0][0], "anna: burn; anna burns 1");
    assert_eq!(all[0][1], "anna: burn; anna burns …");
    assert_eq!(all[0][2], "anna: burn; anna burns …");
}

#[test]
fn reasons_are_told_with_the_value_to_those_who_see_it() {
    let all = told(&["lay 3"]);
    assert_eq!(
        all[0][0],
        "anna: lay 3; anna points 3 (+3): a 3 laid; anna secret 1 (+1): a note"
    );
    assert_eq!(
        all[0][1],
        "anna: lay 3; anna has 3 cards, …; anna points 3 (+3): a 3 laid"
    );
}

#[test]
fn what_was_shown_is_told_to_who_saw_it() {
    let all = told(&["look"]);
    assert_eq!(
        all[0][0],
        "anna: look; that was {4, 5, 6}; you see bert hand 4, 5, 6"
    );
    assert_eq!(all[0][1], "anna: look");
}

/// A number, a hue, a seat, or what was worked out of them, is told as the move reads; who chose knows it. What comes to lie
/// open in the same breath is told, also under another name.
#[test]
fn what_a_move_does_not_tell_no_word_tells() {
    let text = r#"game g "G" { seats anna, bert }
component Card { value: 1..6 }
show Card as "{value}"
zone hand[seat]: bag of Card seen by owner
zone face[seat]: one Card hidden
zone mine[seat]: one Card seen by owner
zone out: bag of Card open
zone burnt: bag of Card hidden
supply every Card in burnt
track note[seat]: 0..19 = 0 seen by owner
track foe[seat]: seat = anna seen by owner
event noted(s: seat, k: 0..19) "{s} notes {k}" { note[s] = k because "it is {k}" }
event turned(s: seat) "{s} had {face[s]}" { let c = face[s]  move face[s] to out  tell all "it was {c}, now {face[s]}" }
event bared(s: seat) { tell all "{mine[s]} is bared"  move mine[s] to out }
action write(k in 1..9) "write {k}" { do { let more = k + 1  note[me] = k  tell all "{k}, {more}, {note[me]}" } }
action call(k in 1..9) "call {k}" { do { noted(me, k) } }
action point(s: seat) "point at {s}" { do { foe[me] = s  tell all "{s}" } }
action beckon(s: seat) "beckon {s}" { do { foe[me] = s  tell s "you" } }
action give(s: seat, k in 1..9) "give {k} to {s}" { do { note[s] = k  tell all "{k}" } }
action burn(c in hand[me]) "burn {c}" { do { let k = c.value  move c from hand[me] to burnt  tell all "one of {k}" } }
action lay(c in hand[me]) "lay {c}" { do { let k = c.value  move c from hand[me] to out  tell all "one of {k}" } }
action turn() "turn" { do { turned(next_seat(me))  bared(me) } }
flow main() {
    for each n in 1..3 { move Card(n) from burnt to hand[anna] }
    move Card(4) from burnt to face[bert]
    move Card(5) from burnt to mine[anna]
    repeat 9 { choose anna: write | call | point | beckon | give | burn | lay | turn }
    end over
}
ending over() { winner none }
"#;
    let cases = [
        ("write 3", "write …", "3, 4, 3", "…, …, …"),
        (
            "call 3",
            "call …",
            "anna notes 3; anna note 3: it is 3",
            "anna notes …",
        ),
        ("point at bert", "point at …", "bert", "…"),
        ("beckon bert", "beckon bert", "", "you"),
        ("give 3 to anna", "give … to …", "3", "…"),
        ("burn 2", "burn …", "one of 2", "one of …"),
        ("lay 2", "lay 2", "one of 2", "one of 2"),
        (
            "turn",
            "turn",
            "bert had 4; it was 4, now none; 5 is bared",
            "bert had 4; it was 4, now none; 5 is bared",
        ),
    ];
    let program = super::program(text).expect("a game");
    for (wanted, heard_as, own, other) in cases {
        let mut machine = Machine::new(&program);
        let mut luck = Dice::new(1);
        machine.listen(true);
        machine.start(&mut luck).unwrap();
        let legal = machine.moves().to_vec();
        let chosen = legal
            .into_iter()
            .find(|it| machine.print(*it, Form::Plain) == wanted);
        let chosen = chosen.unwrap_or_else(|| panic!("`{wanted}` is not legal"));
        assert_eq!(
            machine.print_for(&[Viewer::Seat(1)], chosen, Form::Plain),
            heard_as
        );
        machine.play_watched(chosen, &mut luck).unwrap();
        for (seat, words) in [(0, own), (1, other)] {
            let heard = machine.heard().iter();
            let heard: Vec<String> = heard
                .filter_map(|it| {
                    let words = it.heard_by(seat, Form::Plain)?;
                    let of = it
                        .of
                        .as_ref()
                        .map(|it| format!("anna note {}: ", it.printed[1]));
                    Some(of.unwrap_or_default() + &words)
                })
                .collect();
            assert_eq!(heard.join("; "), words, "{wanted} to {seat}");
        }
    }
}

#[test]
fn a_transcript_as_a_seat_saw_it_tells_it_what_it_was_told() {
    let program = program();
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    let burn = session.machine().moves().to_vec();
    let burn = burn
        .into_iter()
        .find(|it| session.machine().print(*it, Form::Plain) == "burn");
    session.play(burn.unwrap()).unwrap();
    let seen = seen_by(&program, &session, 1).unwrap();
    assert!(seen.contains("{\"told\":[\"a new game\"]}"), "{seen}");
    assert!(seen.contains("{\"told\":[\"anna burns …\"]}"), "{seen}");
    let seen = seen_by(&program, &session, 0).unwrap();
    assert!(seen.contains("{\"told\":[\"anna burns 1\"]}"), "{seen}");
    // What is told follows from the moves: no line of it is kept.
    assert!(!session.transcript().contains("told"));
}

/// Whether somebody listens changes neither what happens nor what can be chosen, however the rules are run.
#[test]
fn nothing_hangs_on_whether_somebody_listens() {
    let program = program();
    for plain in [false, true] {
        let fresh = || match plain {
            true => Machine::plain(&program).unwrap(),
            false => Machine::new(&program),
        };
        let (mut deaf, mut keen) = (fresh(), fresh());
        keen.listen(true);
        for seed in 0..20 {
            let (mut one, mut other) = (Dice::new(seed), Dice::new(seed));
            assert_eq!(deaf.start(&mut one), keen.start(&mut other));
            assert_eq!(keen.heard().len(), 1);
            let mut at = seed as usize;
            while let Some(chosen) = deaf.moves().get(at % deaf.moves().len().max(1)).copied() {
                assert_eq!(deaf.moves(), keen.moves());
                assert_eq!(deaf.save(), keen.save());
                let status = deaf.play(chosen, &mut one).unwrap();
                let (heard, _) = keen.play_watched(chosen, &mut other).unwrap();
                assert_eq!(status, heard);
                at = at * 7 + 3;
            }
            let last = keen.heard().last().unwrap();
            assert_eq!(
                last.heard_by(2, Form::Plain).as_deref(),
                Some("that was it")
            );
        }
    }
}

/// A value that cannot be worked out is no reason to stop: nobody is told it.
#[test]
fn what_cannot_be_worked_out_is_masked() {
    let text = r#"game g "G" { seats anna, bert }
track n: 0..9 = 0
define inverse: int = 6 / n
flow main() {
    choose anna: one "one" { tell all "n is {n}, {inverse}" }
    end over()
}
ending over() { winner none }
"#;
    let program = super::program(text).expect("a game");
    let mut machine = Machine::new(&program);
    machine.listen(true);
    machine.start(&mut Dice::new(1)).unwrap();
    let only = machine.moves()[0];
    machine.play(only, &mut Dice::new(1)).unwrap();
    let heard: Vec<_> = machine
        .heard()
        .iter()
        .map(|it| it.heard_by(0, Form::Plain))
        .collect();
    assert_eq!(heard, [Some(String::from("n is 0, …"))]);
}

#[test]
fn what_is_told_first_is_told_at_the_table() {
    let program = program();
    let mut machine = Machine::new(&program);
    machine.listen(true);
    machine.start(&mut Dice::new(1)).unwrap();
    let told = news::told_first(&program.game, machine.heard(), 2, Form::Plain);
    let [told] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(told.text == "a new game" && told.is_said, "{told:?}");
    assert_eq!(machine.view(Viewer::Seat(2)).chooser, Some(0));
}

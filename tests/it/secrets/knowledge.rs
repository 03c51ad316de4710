//! What was seen stays known: as long as it is certain, and never longer.

use adit::engine::{Dice, Seen, Status, Viewer};
use adit::model::text::Form;
use adit::play::{Session, board};

use super::header;

const GAME: &str = r#"game g "G" { seats anna, bert, cleo }
component Card { value: 1..5 }
show Card as "{value}"
zone hand[seat]: bag of Card seen by owner
zone nook[seat]: one Card seen by owner
zone face[seat]: one Card hidden
zone table: bag of Card open
zone heap: bag of Card hidden
zone stock: pile of Card hidden
supply 4 every Card in heap
action peek(s: seat) "peek at {s}" { do { show hand[s] to me } }
action peek_in(s: seat) "peek in {s}" { do { show nook[s] to me } }
action lay(c in hand[me]) "lay {c}" { do { move c from hand[me] to table } }
action take(c in table) "take {c}" { do { move c from table to hand[me] } }
action give(c in hand[me], s: seat) "give to {s}" { do { move c from hand[me] to hand[s] } }
action put(c in hand[me]) "put" { require room: empty nook[me]  do { move c from hand[me] to nook[me] } }
action hand_on(s: seat) "hand on to {s}" { require one: filled nook[me] and empty nook[s]  do { move nook[me] to nook[s] } }
action swap(s: seat) "swap with {s}" { require both: s != me and filled nook[me] and filled nook[s]  do { exchange nook[me] with nook[s] } }
action cover(c in hand[me]) "cover" { require room: empty face[me]  do { move c from hand[me] to face[me] } }
action turn(s: seat, t: seat) "turn {s} and {t}" { require both: s != t and filled face[s] and filled face[t]  do { exchange face[s] with face[t] } }
action look(s: seat) "look under {s}" { require there: filled face[s]  do { show face[s] to me } }
action trick(c in hand[me], s: seat) "trick {s}" { require there: filled face[s]  do { exchange c from hand[me] with face[s] } }
action pour(s: seat) "pour to {s}" { do { move all of hand[me] to hand[s] } }
action trade(s: seat) "trade with {s}" { do { exchange all of hand[me] with all of hand[s] } }
action fetch() "fetch" { require there: filled heap  do { draw 1 of heap to hand[me] } }
action mix() "mix" { do { move all of table to stock  shuffle stock  move all of stock to heap } }
flow main() {
    for each s in seat, n in 1..3 { move Card(n) from heap to hand[s] }
    repeat 12 { turns me from anna once { choose me: peek | peek_in | lay | take | give | put | hand_on | swap | cover | turn | look | trick | pour | trade | fetch | mix } }
    end over()
}
ending over() { winner none }
"#;

/// What a seat is shown of a hand after moves.
fn after(moves: &[&str]) -> Vec<String> {
    let program = super::program(GAME).expect("a game");
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    for wanted in moves {
        let legal = session.machine().moves().to_vec();
        let chosen = legal
            .into_iter()
            .find(|it| session.machine().name(*it, Form::Plain) == *wanted);
        let chosen = chosen
            .unwrap_or_else(|| panic!("`{wanted}`: {:?}", session.machine().names(Form::Plain)));
        session.play(chosen).unwrap();
    }
    let view = session.machine().view(Viewer::Seat(0));
    let facts = board::facts(&program.game, &view);
    let of_others =
        |it: &(String, String)| !it.1.is_empty() && !it.0.contains("[anna]") && it.0.contains('[');
    facts
        .into_iter()
        .filter(of_others)
        .map(|(at, what)| format!("{at} {what}"))
        .collect()
}

#[test]
fn what_was_shown_stays_known_beside_what_comes_and_goes() {
    assert_eq!(
        after(&["peek at bert"]),
        ["hand[bert] 1 2 3", "hand[cleo] 3 hidden"]
    );
    let come = ["peek at bert", "fetch"];
    assert_eq!(after(&come), ["hand[bert] 1 2 3 ?", "hand[cleo] 3 hidden"]);
    let gone = ["peek at bert", "give to cleo (c 2, s cleo)"];
    assert_eq!(after(&gone), ["hand[bert] 2 hidden", "hand[cleo] 4 hidden"]);
    let laid = ["peek at bert", "lay 2"];
    assert_eq!(after(&laid), ["hand[bert] 1 3", "hand[cleo] 3 hidden"]);
    // What lay open and is taken is seen to be taken.
    let taken = ["lay 3", "take 3"];
    assert_eq!(after(&taken), ["hand[bert] 3 ? ? ?", "hand[cleo] 3 hidden"]);
    // What a seat gives it knows to be there.
    assert_eq!(
        after(&["give to cleo (c 3, s cleo)"]),
        ["hand[bert] 3 hidden", "hand[cleo] 3 ? ? ?"]
    );
    // Where it lies alone it is what goes on from there.
    let alone = [
        "peek at anna",
        "pour to cleo",
        "peek at cleo",
        "give to bert (c 3, s bert)",
        "give to cleo",
    ];
    assert_eq!(after(&alone), ["hand[cleo] 3 6 hidden"]);
}

#[test]
fn all_that_goes_takes_along_what_is_known_of_it() {
    let poured = ["peek at bert", "pour to cleo"];
    assert_eq!(after(&poured), ["hand[cleo] 1 2 3 ? ? ?"]);
    let in_nook = [
        "fetch",
        "put (c 2)",
        "put (c 3)",
        "peek in bert",
        "hand on to anna",
    ];
    assert!(after(&in_nook).iter().all(|it| !it.contains("nook[bert]")));
    let traded = ["peek at bert", "trade with cleo"];
    assert_eq!(after(&traded), ["hand[bert] 3 hidden", "hand[cleo] 1 2 3"]);
    let swapped = [
        "peek in bert",
        "put (c 2)",
        "put (c 3)",
        "peek in bert",
        "swap with cleo",
    ];
    let seen = after(&swapped);
    assert!(seen.contains(&String::from("nook[cleo] 2")), "{seen:?}");
    assert!(seen.contains(&String::from("nook[bert] ?")), "{seen:?}");
}

/// What lies face down changes places, and each seat follows what it has seen, whoever did it.
#[test]
fn what_changes_places_is_known_where_it_lies_then() {
    let laid = ["cover (c 3)", "cover (c 2)", "cover (c 1)"];
    let faces = |more: &[&str]| {
        let seen = after(&[&laid, more].concat());
        let faces = seen.iter().filter(|it| it.starts_with("face"));
        faces.cloned().collect::<Vec<String>>()
    };
    let own = |at: &str| after(&[&laid[..], &["peek at anna", at]].concat());
    assert_eq!(faces(&[]), ["face[bert] ?", "face[cleo] ?"]);
    // What anna laid goes to another place, named first or second.
    let away = faces(&["peek at anna", "turn anna and bert"]);
    assert_eq!(away, ["face[bert] 3", "face[cleo] ?"]);
    let away = faces(&["peek at anna", "turn bert and anna"]);
    assert_eq!(away, ["face[bert] 3", "face[cleo] ?"]);
    assert!(own("turn bert and cleo").contains(&String::from("face[bert] ?")));
    // What she has looked at goes on, and nothing is read off where it lay.
    let on = faces(&["look under bert", "turn bert and cleo"]);
    assert_eq!(on, ["face[bert] ?", "face[cleo] 2"]);
    let on = faces(&["look under bert", "turn cleo and bert"]);
    assert_eq!(on, ["face[bert] ?", "face[cleo] 2"]);
    let back = [
        "look under bert",
        "turn bert and cleo",
        "turn cleo and bert",
    ];
    assert_eq!(faces(&back), ["face[bert] 2", "face[cleo] ?"]);
}

/// How many of each kind lie at each place, as somebody sees it.
fn counts(session: &mut Session<'_>, viewer: Viewer) -> Vec<Vec<i64>> {
    let view = session.machine().view(viewer);
    let places = view.zones.iter().flat_map(|it| &it.places);
    let known = |it: &Seen| match it {
        Seen::Known(kind) => Some(*kind),
        Seen::Unknown => None,
    };
    places
        .map(|it| {
            let mut kinds: Vec<i64> = it.seen.iter().filter_map(known).collect();
            kinds.sort_unstable();
            kinds
        })
        .collect()
}

fn is_part_of(some: &[i64], all: &[i64]) -> bool {
    let mut rest = all.to_vec();
    some.iter()
        .all(|it| match rest.iter().position(|kind| kind == it) {
            Some(at) => {
                rest.remove(at);
                true
            }
            None => false,
        })
}

/// What is known is true, what is dealt anew agrees with it, and what is taken back is forgotten.
#[test]
fn what_is_known_is_never_false() {
    let program = super::program(GAME).expect("a game");
    let (mut known, mut dealt) = (0, 0);
    for seed in 0..30_u64 {
        let mut session = Session::start(&program, header(&program, seed)).unwrap();
        let mut at = seed as usize + 11;
        while session.status() != Status::Ended {
            at = at
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let moves = session.machine().moves().to_vec();
            session.play(moves[(at >> 33) % moves.len()]).unwrap();
            let all = counts(&mut session, Viewer::Referee);
            for seat in 0..3 {
                let viewer = Viewer::Seat(seat);
                let own = counts(&mut session, viewer);
                assert!(
                    own.iter()
                        .zip(&all)
                        .all(|(some, all)| is_part_of(some, all))
                );
                known += own.iter().map(Vec::len).sum::<usize>();
                let (state, knowledge) = (
                    session.machine().save(),
                    session.machine().knowledge().clone(),
                );
                let view = session.machine().view(viewer);
                if session.machine().redeal(seat, &mut Dice::new(at as u64)) {
                    dealt += 1;
                    assert_eq!(session.machine().view(viewer), view);
                    let other = counts(&mut session, Viewer::Referee);
                    assert!(
                        own.iter()
                            .zip(&other)
                            .all(|(some, all)| is_part_of(some, all))
                    );
                }
                session.machine().load(&state);
                session.machine().recall(knowledge);
            }
        }
    }
    assert!(known > 1_000 && dealt > 500, "{known} {dealt}");
}

//! Two positions that a seat cannot tell apart give it equal outputs of every kind.

use std::env;

use adit::engine::{Chance as _, Dice, Machine, Program, Status, TrackValue, Viewer};
use adit::model::StreamId;
use adit::play::{Session, board, explain, news, tableau};

use super::{header, program};

/// Draws small numbers.
struct Draw(Dice);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.0.ticket(StreamId(0), n as u64)).unwrap()
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// Writes a rulebook with things that not everybody sees.
fn rulebook(seed: u64) -> String {
    let mut draw = Draw(Dice::new(seed));
    let dark = draw.one(&["hidden", "seen by owner", "open"]);
    let mut text = format!(
        "game g \"G\" {{ seats anna, bert, cleo }}
component Card {{ value: 1..4, suit: 1..3 }}
show Card as \"<{{value}}-{{suit}}>\"
zone deck: pile of Card hidden
zone hand[seat]: bag of Card seen by owner
zone dark[seat]: bag of Card {dark}
zone table[seat]: bag of Card open
supply every Card in deck
track note[seat]: 0..3 = 0 seen by owner
track secret: 0..3 = 0 hidden
track score[seat]: 0..9 = 0
show hand as \"hand\"
show table as \"table\"
show note as \"note\"
"
    );
    let to = |draw: &mut Draw| {
        draw.one(&[
            "table[me]",
            "dark[me]",
            "hand[next_seat(me)]",
            "table[next_seat(me)]",
        ])
    };
    let mut names = Vec::new();
    let kinds = 3 + draw.below(3);
    for at in 0..kinds {
        let shown = draw.one(&["{c}", "{c.value}", "a card"]);
        let written = match draw.below(9) {
            0 => format!(
                "action a{at}(c in hand[me]) \"a{at} {shown}\" {{ do {{ move c from hand[me] to {} }} }}",
                to(&mut draw)
            ),
            1 => format!(
                "action a{at}(s: seat) \"a{at} {{s}}\" {{ require there: filled hand[s] else \"empty\" do {{ draw 1 of hand[s] to hand[me] }} }}"
            ),
            2 => format!(
                "action a{at}(s: seat) \"a{at} {{s}}\" {{ do {{ show hand[s] to {} }} }}",
                draw.one(&["me", "all", "next_seat(me)"])
            ),
            3 => format!(
                "action a{at}(n: 0..3) \"a{at} {{n}}\" {{ do {{ {} = n }} }}",
                draw.one(&["note[me]", "secret"])
            ),
            4 => format!(
                "action a{at}() \"a{at}\" {{ do {{ if {} {{ show {} to {} }} }} }}",
                draw.one(&[
                    "some { c in hand[next_seat(me)] where c.value > 2 }",
                    "secret > 1",
                    "note[next_seat(me)] > 0"
                ]),
                draw.one(&["hand[me]", "dark[me]", "hand[next_seat(me)]"]),
                draw.one(&["next_seat(me)", "me", "all"]),
            ),
            5 => format!(
                "action a{at}(c in hand[me]) \"a{at} {shown}\" {{ do {{ move c from hand[me] to table[me]  move c from table[me] to {} }} }}",
                draw.one(&["hand[me]", "dark[me]"])
            ),
            6 => format!(
                "action a{at}(c in hand[me], s: seat) \"a{at} {shown} {{s}}\" {{ do {{ move c from hand[me] to hand[s] }} }}"
            ),
            7 => format!(
                "action a{at}(c in hand[me]) \"a{at} {shown}\" {{ do {{ if c.value > 2 {{ score[me] = 1 }}  move c from hand[me] to dark[me] }} }}"
            ),
            _ => format!(
                "action a{at}() \"a{at}\" {{ do {{ let big = secret > 1  if big {{ note[next_seat(me)] = 2 }} }} }}"
            ),
        };
        text.push_str(&written);
        text.push('\n');
        names.push(format!("a{at}"));
    }
    let wait = "wait \"wait\" { }";
    let turn = format!("choose me: {} | {wait}", names.join(" | "));
    let place = match draw.below(5) {
        0 => format!(
            "may choose me c in hand[me] {{ move c from hand[me] to {} }}",
            to(&mut draw)
        ),
        1 => String::from("choose me n in 0..3 { note[me] = n }"),
        2 => String::from(
            "choose me: rock \"rock\" { note[me] = 1 } | paper \"paper\" { note[me] = 2 } | loud \"loud\" { score[me] = 2 }",
        ),
        3 => String::from("may choose me n in 0..3 { secret = n }"),
        _ => String::new(),
    };
    text.push_str(&format!(
        "flow main() {{
    shuffle deck
    for each s in seat {{ repeat 2 {{ move top of deck to hand[s] }}  move top of deck to dark[s] }}
    repeat 6 {{ turns me from anna once {{ {turn}  {place}  {wait_too} }} }}
    end over()
}}
ending over() {{ winner none }}
",
        wait_too = draw.one(&["choose me: on \"on\" { }", ""]),
    ));
    text
}

/// All that a seat is shown of a position.
fn outputs(session: &mut Session<'_>, seat: u32) -> Vec<String> {
    let viewer = Viewer::Seat(seat);
    let game = session.game();
    let mut shown = Vec::new();
    let view = session.machine().view(viewer);
    shown.push(serde_json::to_string(&view).unwrap());
    let nothing = tableau::Drawn::default();
    shown.push(board::draw(game, &view, &nothing, false, 80));
    shown.push(tableau::draw(session.machine(), &view, &nothing, 80).unwrap());
    shown.push(format!(
        "{:?}",
        tableau::facts(session.machine(), viewer).unwrap()
    ));
    if session.status() == (Status::Choice { seat }) {
        let machine = session.machine();
        let moves = machine.moves().to_vec();
        let mut printed: Vec<String> = moves.iter().map(|mv| machine.print(*mv, true)).collect();
        shown.push(printed.join("\n"));
        printed.extend(["a0", "a1 <1-1>", "a2 bert", "a3 2", "wait"].map(String::from));
        for typed in printed {
            let answer = explain::answer(session, &typed, true);
            shown.push(serde_json::to_string(&answer).unwrap());
        }
        let undo = session.undo_barrier().map(|it| it.message(game));
        shown.push(format!("{undo:?}"));
    }
    shown
}

/// What a seat is told of a move, and what it is shown after it.
fn told(
    program: &Program,
    machine: Machine<'_>,
    seat: u32,
    nth: usize,
) -> Option<(Vec<String>, Vec<String>)> {
    let mut copy = Machine::new(program);
    copy.load(&machine.save());
    let mut session = Session::at(program, header(program, 7), copy);
    let before = news::look(session.machine(), seat, true);
    let chosen = *session.machine().moves().get(nth)?;
    let line = session
        .machine()
        .print_for(&[Viewer::Seat(seat)], chosen, true);
    session.play(chosen).unwrap();
    let after = news::look(session.machine(), seat, true);
    let news = news::told(
        session.game(),
        [&before, &after],
        session.events(),
        &line,
        true,
    );
    let view = serde_json::to_string(&session.machine().view(Viewer::Seat(seat))).unwrap();
    let mut all = vec![line, news.join("\n")];
    all.extend(outputs(&mut session, seat));
    Some((vec![view], all))
}

/// Plays one rulebook and compares; returns how many pairs of positions were compared.
fn compare(seed: u64, text: &str, program: &Program) -> usize {
    let mut n_pairs = 0;
    let mut machine = Machine::new(program);
    let mut dice = Dice::new(seed);
    machine.start(&mut dice).unwrap();
    let mut pick = Draw(Dice::new(seed + 1));
    for _ in 0..12 {
        let Status::Choice { seat: chooser } = machine.status() else {
            break;
        };
        for seat in 0..3 {
            let mut other = Machine::new(program);
            other.load(&machine.save());
            let mut deal = Dice::new(seed * 31 + u64::from(seat));
            if !other.redeal(seat, &mut deal) {
                continue;
            }
            let viewer = Viewer::Seat(seat);
            let asked = format!("seed {seed}, seat {seat}\n{text}");
            assert_eq!(machine.view(viewer), other.view(viewer), "{asked}");
            let [one, two] = [&machine, &other].map(|it| {
                let mut copy = Machine::new(program);
                copy.load(&it.save());
                outputs(&mut Session::at(program, header(program, 7), copy), seat)
            });
            assert_eq!(one, two, "{asked}");
            n_pairs += 1;
            // The same move in both: who sees no difference after it is told none.
            for nth in 0..machine.moves().len().min(8) {
                let same = machine.moves().get(nth) == other.moves().get(nth);
                if chooser == seat && !same {
                    panic!("another list of moves\n{asked}");
                }
                if !same {
                    continue;
                }
                let pair = [&machine, &other].map(|it| {
                    let mut copy = Machine::new(program);
                    copy.load(&it.save());
                    told(program, copy, seat, nth)
                });
                let [Some((view, told)), Some((view_too, told_too))] = pair else {
                    continue;
                };
                if view == view_too {
                    let mv = machine.print(machine.moves()[nth], true);
                    assert_eq!(told, told_too, "{mv}\n{asked}");
                }
            }
        }
        let n = machine.moves().len();
        machine.play_nth(pick.below(n), &mut dice).unwrap();
    }
    n_pairs
}

#[test]
fn positions_that_look_alike_are_told_alike() {
    let n_books: u64 = env::var("ADIT_SECRETS").map_or(8, |it| it.parse().unwrap());
    let mut n_pairs = 0;
    let mut n_played = 0;
    for seed in 0..n_books {
        let text = rulebook(seed);
        // Some give away a secret by what may be chosen, and are refused.
        if let Some(program) = program(&text) {
            n_played += 1;
            n_pairs += compare(seed, &text, &program);
        }
    }
    println!("{n_played} of {n_books} rulebooks, {n_pairs} pairs of positions");
    assert!(n_played * 2 > n_books && n_pairs as u64 > n_played * 4);
}

/// A track that a seat does not see is dealt anew like what lies face down: each value comes up.
#[test]
fn what_stands_on_a_hidden_track_is_dealt_anew() {
    let program = program(&rulebook(1)).expect("a game");
    let mut machine = Machine::new(&program);
    machine.start(&mut Dice::new(1)).unwrap();
    let mut seen = [0; 4];
    for seed in 0..80 {
        machine.redeal(0, &mut Dice::new(seed));
        let view = machine.view(Viewer::Referee);
        let track = view.tracks.iter().find(|it| it.name == "secret").unwrap();
        let Some(TrackValue::Scalar(value)) = track.values[0] else {
            panic!("no number")
        };
        seen[usize::try_from(value).unwrap()] += 1;
        let own = view.tracks.iter().find(|it| it.name == "note").unwrap();
        assert_eq!(own.values[0], Some(TrackValue::Scalar(0)));
    }
    assert!(seen.iter().all(|n| *n > 5), "{seen:?}");
}

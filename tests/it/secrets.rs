//! What nobody may know is told to nobody, and what everybody may see is told to all.

mod deals;
mod generated;
mod knowledge;
mod made;
mod redeals;
mod taken_back;
mod telling;
mod together;
mod whole;

use adit::model::text::Form;
use std::fmt::Write as _;
use std::fs;

use adit::engine::{Machine, Program, Status, Viewer};
use adit::pipeline::{Request, compile};
use adit::play::transcript::Header;
use adit::play::{Session, news, rules_hash, seat_name, seen_by};
use adit::source::Sources;

pub fn program(text: &str) -> Option<Program> {
    let mut sources = Sources::new();
    let base = sources.add("text", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let game = compile(&sources, &request).game?;
    Some(adit::engine::compile(game).unwrap())
}

pub fn header(program: &Program, seed: u64) -> Header {
    Header {
        adit: 1,
        game: String::from("text"),
        amendments: Vec::new(),
        settings: serde_json::Map::new(),
        seats: vec![String::from("human"); program.game.n_seats as usize],
        from: None,
        seed: Some(seed),
        chance: None,
        view: None,
        rules: rules_hash(&program.game),
        engine: String::new(),
    }
}

/// Plays moves given by their beginnings, and writes down what each seat is told, learns, and may take back.
fn course(name: &str, seed: u64, moves: &[&str]) {
    let path = format!("tests/fixtures/secrets/{name}.rules");
    let text = fs::read_to_string(path).unwrap();
    let program = program(&text).expect("a game");
    let mut session = Session::start(&program, header(&program, seed)).unwrap();
    let game = session.game();
    let seats: Vec<u32> = (0..game.n_seats).collect();
    let mut told = String::new();
    for asked in moves {
        let machine = session.machine();
        let mut legal = machine.moves().to_vec().into_iter();
        let chosen = legal.find(|mv| machine.print(*mv, Form::Plain).starts_with(asked));
        let chosen = chosen.unwrap_or_else(|| panic!("{asked}\n{told}"));
        writeln!(told, "> {}", machine.print(chosen, Form::Plain)).unwrap();
        let lines: Vec<String> = seats
            .iter()
            .map(|seat| machine.print_for(&[Viewer::Seat(*seat)], chosen, Form::Plain))
            .collect();
        let look = |session: &mut Session<'_>| -> Vec<news::Sight> {
            let seats = seats.iter();
            seats
                .map(|seat| news::look(session.machine(), *seat, Form::Plain))
                .collect()
        };
        let before = look(&mut session);
        let Status::Choice { seat: by } = session.status() else {
            panic!("nobody is asked")
        };
        session.play(chosen).unwrap();
        let after = look(&mut session);
        for (seat, line) in seats.iter().zip(lines) {
            let at = *seat as usize;
            let sights = [&before[at], &after[at]];
            let done = [(by, line.clone())];
            let news = news::told(
                game,
                sights,
                session.events(),
                session.told(),
                &done,
                Form::Plain,
            );
            let name = seat_name(game, *seat, Form::Plain);
            writeln!(
                told,
                "  {name}: {line}  [{}]",
                news::in_line(&news, Form::Signs)
            )
            .unwrap();
        }
        if let Status::Choice { seat } = session.status() {
            let answer = session.undo_barrier();
            let answer = answer.map_or_else(
                || String::from("granted"),
                |it| it.message(game, Form::Signs),
            );
            writeln!(
                told,
                "  undo by {}: {answer}",
                seat_name(game, seat, Form::Plain)
            )
            .unwrap();
        }
    }
    for seat in &seats {
        let seen = seen_by(&program, &session, *seat).unwrap();
        let lines = seen.lines().skip(1).collect::<Vec<_>>().join("\n");
        writeln!(
            told,
            "\nas {} saw it\n{lines}",
            seat_name(game, *seat, Form::Plain)
        )
        .unwrap();
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/secrets");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, format!("{text}\n{told}")));
}

#[test]
fn what_is_robbed_hidden_or_looked_at_is_told_to_those_who_see_it() {
    let moves = [
        "hide", "lay", "pass", "flash", "rob anna", "peek", "rob bert",
    ];
    course("rob", 1, &moves);
}

#[test]
fn a_choice_in_place_tells_no_more_than_an_action() {
    let moves = ["1", "2", "3", "paper", "sheet", "2", "3", "on"];
    course("in_place", 1, &moves);
}

#[test]
fn a_look_is_told_to_who_looks_and_no_undo_tells_more() {
    course("look", 1, &["look", "fine", "look", "look", "pry", "fine"]);
}

/// Which of two options was chosen that are told in the same words, no answer tells.
#[test]
fn undo_keeps_what_was_chosen_in_secret() {
    let text = "game g \"G\" { seats anna, bert, cleo }
        track note[seat]: 0..3 = 0 seen by owner
        track secret: 0..3 = 0 hidden
        action one() \"one\" { do { note[me] = 1 } }
        action two() \"two\" { do { if secret > 1 { note[me] = 2 } } }
        flow main() {
            choose cleo: one | two
            choose anna: wait \"wait\" { }
            end over()
        }
        ending over() { winner none }";
    let program = program(text).expect("a game");
    let answers = [0, 1].map(|nth| {
        let mut session = Session::start(&program, header(&program, 1)).unwrap();
        let machine = session.machine();
        let chosen = machine.moves()[nth];
        let line = machine.print_for(&[Viewer::Seat(0)], chosen, Form::Plain);
        session.play(chosen).unwrap();
        (line, session.undo_barrier())
    });
    assert_eq!(answers[0], answers[1]);
}

/// Recursion is no secret, and looking through it ends.
#[test]
fn a_definition_that_comes_back_to_itself_is_seen_through() {
    let text = "game g \"G\" { seats anna, bert }
        track coins[seat]: 0..99 = 9
        track purse[seat]: 0..99 = 9 seen by owner
        define halvings(n: 0..99): 0..7 depth 8 = if n < 2 then 0 else 1 + halvings(n / 2)
        define around(s: seat, n: 0..9): 0..9999 depth 10 =
            if n == 0 then coins[s] else around(next_seat(s), n - 1) + around(s, n - 1)
        define inside(s: seat, n: 0..9): 0..9999 depth 10 =
            if n == 0 then purse[s] else inside(next_seat(s), n - 1) + inside(s, n - 1)
        define open(s: seat): 0..7 = halvings(coins[s])
        define far(s: seat): 0..9999 = around(s, 9)
        define closed(s: seat): 0..9999 = inside(s, 9)
        show open as \"halvings\"
        show far as \"around\"
        show closed as \"inside\"
        flow main() { choose anna: wait \"wait\" { }  end over() }
        ending over() { winner none }";
    let program = program(text).expect("a game");
    let mut machine = Machine::new(&program);
    machine.start(&mut adit::engine::Dice::new(1)).unwrap();
    for (viewer, is_referee) in [(Viewer::Seat(0), false), (Viewer::Referee, true)] {
        let facts = adit::play::tableau::facts(&mut machine, viewer).unwrap();
        let has = |name: &str| facts.iter().any(|(address, _)| address.starts_with(name));
        assert!(has("open[anna]") && has("open[bert]") && has("far[bert]"));
        assert_eq!(has("closed["), is_referee, "{facts:?}");
    }
}

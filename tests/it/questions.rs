//! Readings as edits mean what the same rules mean that ask for the reading where it matters.

use adit::cli::Exit;
use adit::engine::{Dice, Machine, Program, Status, below};
use adit::model::text::Form;
use adit::pipeline::{Request, check_readings, compile};
use adit::report;
use adit::source::Sources;
use rand_chacha::rand_core::Rng;

use crate::command::adit;
use crate::fixtures::{compiled, snapshot, width};
use crate::perft::program;
use crate::upgrade;

/// The stream of the choices, apart from those of the rules.
const CHOICES: u32 = 1_000;

const EDITS: &str = "tests/fixtures/questions/heap.rules";
/// The same rules in an older form, which ask for the reading where it matters.
const ASKED: &str = "tests/fixtures/questions/heap_by.rules";

/// The answers to each question but the default; the last needs one of the second.
const ANSWERS: [&[(&str, &str)]; 7] = [
    &[],
    &[("size", "large")],
    &[("size", "three")],
    &[("last_stone", "lost")],
    &[("last_stone", "bonus")],
    &[("passing", "allowed")],
    &[("passing", "allowed"), ("first_pass", "no")],
];

/// Plays one game by both and compares what is offered, how it is told, and how it ends.
fn in_step(edits: &Program, asked: &Program, seed: u64, what: &str) {
    let (mut one, mut other) = (Machine::new(edits), Machine::new(asked));
    let (mut dice, mut others) = (Dice::new(seed), Dice::new(seed));
    one.start(&mut dice).unwrap();
    other.start(&mut others).unwrap();
    loop {
        let told = |it: &mut Machine<'_>| -> Vec<String> {
            let moves = it.moves().to_vec();
            moves.iter().map(|mv| it.print(*mv, Form::Signs)).collect()
        };
        assert_eq!(told(&mut one), told(&mut other), "{what} seed {seed}");
        assert_eq!(one.status(), other.status(), "{what} seed {seed}");
        if one.status() == Status::Ended {
            break;
        }
        let at = below(dice.stream(CHOICES).next_u64(), one.moves().len() as u64);
        let at = usize::try_from(at).unwrap();
        one.play_nth(at, &mut dice).unwrap();
        other.play_nth(at, &mut others).unwrap();
    }
    let end = |it: &Machine<'_>| {
        let outcome = it.outcome().expect("an end");
        (outcome.places.clone(), outcome.keys.clone())
    };
    assert_eq!(end(&one), end(&other), "{what} seed {seed}");
}

#[test]
fn edits_of_readings_mean_what_was_asked_for_by_hand() {
    let asked_of = asked_of();
    for (at, one) in ANSWERS.iter().enumerate() {
        for other in &ANSWERS[at..] {
            for rounds in ["0", "4"] {
                let mut set: Vec<(&str, &str)> = vec![("rounds", rounds)];
                set.extend(one.iter().chain(*other));
                let clashes =
                    |one: &(&str, &str)| set.iter().any(|it| it.0 == one.0 && it.1 != one.1);
                let differs = set.iter().any(clashes);
                if differs {
                    continue;
                }
                let (edits, asked) = (
                    program(EDITS, &set, None),
                    upgrade::program(&asked_of, &set),
                );
                for seed in 0..width(2, 10, 100) {
                    in_step(&edits, &asked, seed, &format!("{set:?}"));
                }
            }
        }
    }
}

/// The rules that ask for the reading where it matters, as they are written now.
fn asked_of() -> String {
    let (text, marks) = upgrade::upgraded(&upgrade::fixture(ASKED));
    assert!(marks.iter().all(|it| !it.must), "{marks:?}");
    text
}

/// What `adit check` says of the readings of a fixture.
fn said_of_readings(path: &str) -> String {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let base = sources.add(path, text);
    let request = Request {
        base,
        ..Request::default()
    };
    let compiled = compile(&sources, &request);
    assert_eq!(report::plain(&sources, &compiled.diagnostics), "");
    let readings = check_readings(&sources, &request, &compiled);
    let said = report::graphical(&sources, &readings.findings, report::Look::default());
    format!(
        "{said}\n{} looked at, {} pairs left out",
        readings.looked_at, readings.left_out
    )
}

#[test]
fn each_reading_is_checked_alone_and_with_each_other() {
    assert!(said_of_readings(EDITS).contains("\n7 looked at, 0 pairs left out"));
    snapshot(
        "questions",
        "broken_readings",
        &said_of_readings("tests/fixtures/questions/broken_readings.rules"),
    );
}

#[test]
fn what_is_inserted_at_an_event_stays_when_the_event_is_replaced() {
    let set = [("passing", "allowed")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let house = "tests/fixtures/questions/house.rules";
    let (_, amended) = compiled(EDITS, &[house], &set, None);
    assert!(amended.diagnostics.is_empty(), "{:?}", amended.diagnostics);
    let amended = adit::engine::compile(amended.game.unwrap()).unwrap();
    let asked = upgrade::program(&asked_of(), &[("passing", "allowed")]);
    for seed in 0..width(2, 10, 100) {
        in_step(&amended, &asked, seed, "replaced");
    }
}

#[test]
fn what_was_called_otherwise_is_known_by_that_name() {
    let old = adit("check rules/tunnels.rules --set null_swap=forbidden");
    assert_eq!(old.exit, Exit::Yes, "{}{}", old.out, old.err);
    let said = format!("{}{}", old.out, old.err);
    assert!(
        said.contains("`null_swap` is called `equal_swap` now"),
        "{said}"
    );
    let old = "legal rules/tunnels.rules --seed 1 --json --set exposure=plus_sides";
    let new = "legal rules/tunnels.rules --seed 1 --json --set exposure=five";
    assert_eq!(adit(old).out, adit(new).out);
    // Of what has a reading of that name it is that reading.
    let all = adit("settings rules/tunnels.rules --set first_card_to=dealer");
    assert!(all.out.contains("* dealer"), "{}", all.out);
}

/// What a session on the command line says about a game of questions.
#[test]
fn the_commands_say_which_reading_it_is() {
    let mut said = String::new();
    for line in [
        "settings GAME",
        "settings GAME --set passing=allowed",
        "settings GAME --edits",
        "explain GAME lift",
        "explain GAME lift --set passing=allowed",
        "check GAME",
        "check GAME --set first_pass=no",
        "rulings GAME",
        "rulings GAME --matrix",
    ] {
        let line = line.replace("GAME", EDITS);
        let ran = adit(&line);
        said += &format!("$ adit {line}\n{}{}[{:?}]\n\n", ran.out, ran.err, ran.exit);
    }
    snapshot("questions", "commands", &said);
}

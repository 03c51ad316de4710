//! What `adit lint --fix` writes can be read and checked, and plays as before.

use adit::model::text::Form;
use std::fs;

use adit::diagnostic::Diagnostic;
use adit::engine::{self, Dice, Machine, Status};
use adit::lint::{self, Book};
use adit::pipeline::{self, Request};
use adit::source::{FileId, Sources};
use adit::syntax::{ast, parse};

use crate::fixtures::{property, rule_files};
use crate::lint::{Texts, fixtures, mended, read};
use crate::mutation::{Mutations, Numbers, n_texts};

fn has_safe_fix(finding: &Diagnostic) -> bool {
    finding.fix.as_ref().is_some_and(|fix| fix.safe)
}

/// All rulebooks that tests read, alone or on top of their base.
fn all_books() -> Vec<Texts> {
    let mut books: Vec<Texts> = fixtures()
        .into_iter()
        .flat_map(|it| it.errors.into_iter().chain(it.ok))
        .collect();
    for folder in [
        "rules",
        "tests/fixtures/games",
        "tests/fixtures/fragments",
        "tests/fixtures/samples",
        "tests/fixtures/questions",
    ] {
        for path in rule_files(folder) {
            let text = fs::read_to_string(&path).expect("a readable rulebook");
            books.push(vec![(path.display().to_string(), text)]);
        }
    }
    books
}

/// Writes a tree without places and without parentheses, which say nothing that it does not say.
fn bare(file: &ast::File) -> String {
    let text = format!("{:?} {:?}", file.header, file.items);
    let text = text.replace("parenthesised: true", "parenthesised: false");
    let is_place = |c: char| c.is_ascii_digit() || c == ':' || c == '.';
    text.split("span: ")
        .map(|part| part.trim_start_matches(is_place))
        .collect()
}

#[test]
fn fixed_texts_are_read_and_have_nothing_left_to_fix() {
    for texts in all_books() {
        for at in 0..texts.len() {
            let before = read(&texts);
            let fixed = mended(&texts, at);
            let mut texts = texts.clone();
            texts[at].1 = fixed.text;
            let after = read(&texts);
            let name = &texts[at].0;
            assert_eq!(
                after.errors.len(),
                before.errors.len(),
                "{name}\n{}",
                after.shown(&after.errors)
            );
            let file = after.files[at].file;
            let left = after
                .findings
                .iter()
                .find(|it| has_safe_fix(it) && it.span().is_some_and(|span| span.file == file));
            assert!(left.is_none(), "{name}: {left:?}");
        }
    }
}

// ---------- the game stays the same

/// Writes what can be chosen and what is chosen in a random game, with how it ends; none if the text
/// is no game.
fn course(text: &str, seed: u64) -> Option<String> {
    let mut sources = Sources::new();
    let base = sources.add("g", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let program = engine::compile(pipeline::compile(&sources, &request).game?).ok()?;
    let mut machine = Machine::new(&program);
    let (mut dice, mut numbers) = (Dice::new(seed), Numbers::new(seed + 1));
    let mut course = String::new();
    let mut status = machine
        .start(&mut dice)
        .map_err(|fault| format!("{:?}", fault.kind));
    for _ in 0..60 {
        let moves = machine.moves().to_vec();
        let texts: Vec<String> = moves
            .iter()
            .map(|mv| machine.print(*mv, Form::Plain))
            .collect();
        course.push_str(&format!("{status:?} {texts:?}\n"));
        if !matches!(status, Ok(Status::Choice { .. })) {
            break;
        }
        let index = numbers.below(moves.len());
        status = machine
            .play_nth(index, &mut dice)
            .map_err(|error| match error {
                engine::PlayError::Fault(fault) => format!("{:?}", fault.kind),
                other => format!("{other:?}"),
            });
    }
    Some(format!("{course}{:?}", machine.outcome()))
}

fn alone(text: &str) -> Texts {
    vec![(String::from("g.rules"), text.to_owned())]
}

/// Compares a text with what `--fix` makes of it; returns whether there was something to mend.
fn assert_same_game(text: &str) -> bool {
    let Some(before) = course(text, 1) else {
        return false;
    };
    let fixed = mended(&alone(text), 0);
    if fixed.n_fixes == 0 {
        return false;
    }
    let after = course(&fixed.text, 1);
    assert_eq!(Some(before), after, "{text}\n=====>\n{}", fixed.text);
    for seed in 2..4 {
        let (before, after) = (course(text, seed), course(&fixed.text, seed));
        assert_eq!(before, after, "{text}\n=====>\n{}", fixed.text);
    }
    true
}

fn mendable_games() -> Vec<String> {
    let books = fixtures().into_iter().flat_map(|it| it.errors);
    let texts = books.filter(|texts| texts.len() == 1).flatten();
    let texts = texts.map(|(_, text)| text);
    texts
        .filter(|text| mended(&alone(text), 0).n_fixes > 0)
        .collect()
}

#[test]
fn fixed_games_play_as_before() {
    let games = mendable_games();
    assert!(games.len() >= 4, "{}", games.len());
    for text in games {
        assert!(assert_same_game(&text), "{text}");
    }
}

#[test]
fn any_text_can_be_linted_and_fixed() {
    let mut mutations = Mutations::new(11, mendable_games());
    for _ in 0..n_texts() / 50 {
        let text = mutations.next_text();
        let read = read(&alone(&text));
        for label in read.findings.iter().flat_map(|it| &it.labels) {
            let place = text.get(label.span.range());
            assert!(place.is_some(), "{label:?} in {text:?}");
        }
        if read.errors.is_empty() {
            assert_same_game(&text);
        }
    }
}

/// Writes a condition about the lamps, in as roundabout a way as the numbers say.
fn condition(numbers: &mut Numbers, depth: u32) -> String {
    let kind = numbers.below(if depth > 3 { 12 } else { 18 });
    let mut inside = || condition(numbers, depth + 1);
    let text = match kind {
        0 => String::from("lit[me]"),
        1 => String::from("dark"),
        2 => String::from("count till > 0"),
        3 => String::from("0 == count purse[me]"),
        4 => String::from("count { s in seat where lit[s] } >= 1"),
        5 => String::from("1 > count bright"),
        6 => String::from("not (me in bright)"),
        7 => String::from("not empty till"),
        8 => String::from("not filled purse[next_seat(me)]"),
        9 => String::from("not (last == me)"),
        10 => String::from("not some { s in bright where s == me }"),
        11 => String::from("last != me"),
        12 => format!("not {}", inside()),
        13 => format!("({}) == true", inside()),
        14 => format!("false == ({})", inside()),
        15 => format!("{} and {}", inside(), inside()),
        16 => format!("not no {{ s in seat where lit[s] or {} }}", inside()),
        _ => format!("({}) != ({})", inside(), inside()),
    };
    if numbers.below(3) == 0 {
        format!("({text})")
    } else {
        text
    }
}

#[test]
fn fixed_conditions_mean_the_same() {
    let mut numbers = Numbers::new(5);
    let mut n_compared = 0;
    for _ in 0..60 {
        let (one, other) = (condition(&mut numbers, 0), condition(&mut numbers, 0));
        let text = format!(
            "game lamps \"Lamps\" {{ seats anna, bert }}\n\
             component Coin {{ }}\nzone till: bag of Coin open\nzone purse[seat]: bag of Coin open\n\
             supply 3 every Coin in till\ntrack lit[seat]: bool = false\ntrack last: seat or none = none\n\
             define dark: bool = every {{ not lit[s] for s in seat }}\n\
             define bright: set of seat = {{ s in seat where lit[s] }}\n\
             action switch(s: seat) \"switch {{s}}\" {{\n  require one: {one} else \"no\"\n  do {{ lit[s] = not lit[s] }}\n}}\n\
             action take() \"take\" {{ require left: filled till and ({other}) else \"no\" do {{ move Coin() from till to purse[me] }} }}\n\
             flow main() {{\n  repeat 12 {{ turns me from anna once {{\n\
             choose me: switch | take | wait \"wait\" {{ }}  if {other} {{ last = me }} }} }}\n  end over()\n}}\n\
             ending over() {{ ranking seat by count purse[it] }}\n"
        );
        let read = read(&alone(&text));
        assert!(
            read.errors.is_empty(),
            "{text}\n{}",
            read.shown(&read.errors)
        );
        n_compared += usize::from(assert_same_game(&text));
    }
    assert!(n_compared > 40, "{n_compared}");
}

// ---------- parentheses

/// Writes an expression with parentheses wherever the next number is odd.
fn expression(choices: &mut impl Iterator<Item = u8>, depth: u32) -> String {
    let mut next = || choices.next().unwrap_or(0);
    let (kind, parenthesised) = (next() % 14, next() % 2 == 1);
    let mut inside = || expression(choices, depth + 1);
    let text = match if depth > 4 { kind % 4 } else { kind } {
        0 => String::from("p"),
        1 => String::from("3"),
        2 => String::from("next"),
        3 => String::from("f(p)"),
        4 => format!("{} and {}", inside(), inside()),
        5 => format!("{} in {}", inside(), inside()),
        6 => format!("not {}", inside()),
        7 => format!("count {}", inside()),
        8 => format!("{} - {}", inside(), inside()),
        9 => format!("{{ {} }}", inside()),
        10 => format!("{{ {} for p in {} }}", inside(), inside()),
        11 => format!("if {} then {} else {}", inside(), inside(), inside()),
        12 => format!("z[{}]", inside()),
        _ => format!("reach {{ p }} via q -> ({})", inside()),
    };
    if parenthesised {
        format!("({text})")
    } else {
        text
    }
}

fn parentheses_in(text: &str) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let file = sources.add("g", text);
    let mut found = lint::lint(&Book {
        sources: &sources,
        files: &[&parse(file, text).0],
        composed: None,
        game: None,
        played: None,
    });
    found.retain(|it| it.code.id() == "L112");
    found
}

proptest::proptest! {
    #![proptest_config(property(256))]

    #[test]
    fn without_needless_parentheses_the_tree_is_the_same(numbers: Vec<u8>) {
        let value = expression(&mut numbers.into_iter(), 0);
        let text = format!(
            "game g \"G\" {{ seats a, b }}\nflow main(): bool {{\n    \
             x = {value}\n    y[{value}] = 3\n    return {value}\n}}\n"
        );
        let (before, wrong) = parse(FileId(0), &text);
        if wrong.is_empty() {
            let fixed = lint::fix(&text, FileId(0), &mut parentheses_in);
            let (after, wrong) = parse(FileId(0), &fixed.text);
            proptest::prop_assert!(wrong.is_empty(), "{text}\n{}", fixed.text);
            proptest::prop_assert_eq!(bare(&before), bare(&after), "{}\n{}", text, fixed.text);
        }
    }
}

//! Names that are changed everywhere, and those that are not.

use std::collections::BTreeMap;

use adit::engine::{Machine, Status, compile};
use adit::library;
use adit::pipeline::{self, Request};
use adit::source::Sources;
use adit::syntax::ast::HeaderKind;
use adit::syntax::parse_header;
use serde_json::{Value, json};

use super::editor::{Editor, edited, place_at};
use crate::fixtures::width;

const GAME: &str = include_str!("../../../rules/classics/tic_tac_toe.rules");
const AMENDMENT: &str = "\
variant mine \"Mine\" for noughts { source house \"The house\" sentences H-1..H-1 }

forbid place(c) label not_centre
    when c == Square(b, 2) and empty board[c] cite house H-1
    because \"not in the middle, {c}\"
replace place.free cite house H-1 = empty board[at] and not three(o)
sentences house \"Rules\" { H-1 \"Not in the middle.\" }
";

type Texts = BTreeMap<String, String>;

fn pair() -> Texts {
    let base = GAME.replace("game tic_tac_toe", "game noughts");
    let both = [("noughts.rules", base.as_str()), ("mine.rules", AMENDMENT)];
    both.map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into()
}

fn opened(texts: &Texts) -> Editor {
    let mut editor = Editor::new();
    for (name, text) in texts {
        editor.open(name, text);
    }
    editor
}

/// Asks for another name; returns the texts with it, or why not.
fn rename(
    editor: &mut Editor,
    texts: &Texts,
    file: &str,
    at: &Value,
    new: &str,
) -> Result<Texts, String> {
    let uri = editor.uri(file);
    let asked = json!({ "textDocument": { "uri": uri }, "position": at, "newName": new });
    let answer = editor.asked("textDocument/rename", asked).response_result;
    let answer = answer.map_err(|it| it.message)?;
    let changes = answer["changes"].as_object().unwrap();
    let mut texts = texts.clone();
    for (uri, edits) in changes {
        let name = uri.rsplit('/').next().unwrap();
        let text = texts.get_mut(name).unwrap();
        *text = edited(text, edits);
    }
    Ok(texts)
}

fn put(editor: &mut Editor, texts: &Texts) {
    for (name, text) in texts {
        editor.change(name, json!([{ "text": text }]));
    }
}

/// How many moves there are at each choice of some games with equal dice, and how they end.
fn played(texts: &Texts, base: &str, seeds: u64) -> Vec<usize> {
    let mut sources = Sources::new();
    let files: Vec<_> = texts
        .iter()
        .map(|(name, text)| (name, sources.add(name.as_str(), text.as_str())))
        .collect();
    let (first, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|(name, _)| *name == base);
    let request = Request {
        base: first[0].1,
        amendments: others.into_iter().map(|(_, file)| file).collect(),
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    let game = compiled
        .game
        .unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let program = compile(game).unwrap();
    let mut machine = Machine::new(&program);
    let mut journal = Vec::new();
    for seed in 0..seeds {
        let mut dice = adit::engine::Dice::new(seed);
        machine.start(&mut dice).unwrap();
        for ply in 0..200 {
            if machine.status() == Status::Ended {
                let places = machine.outcome().unwrap().places;
                journal.extend(places.into_iter().map(|it| it as usize));
                break;
            }
            let moves = machine.moves().len();
            journal.push(moves);
            machine
                .play_counting((seed as usize * 7 + ply * 5) % moves, &mut dice)
                .unwrap();
        }
    }
    journal
}

/// The places of all names that the outline shows, of what is inside too.
fn named(editor: &mut Editor, file: &str) -> Vec<Value> {
    let outline = editor.about("textDocument/documentSymbol", file, json!({}));
    let all = outline.as_array().unwrap().iter();
    all.flat_map(|it| {
        let inside = it["children"].as_array().unwrap().iter();
        [it].into_iter()
            .chain(inside)
            .map(|it| it["selectionRange"]["start"].clone())
    })
    .collect()
}

#[test]
fn a_name_is_changed_there_and_back_and_means_the_same() {
    let texts = pair();
    let mut editor = opened(&texts);
    let before = played(&texts, "noughts.rules", 20);
    let mut all = Vec::new();
    for file in ["noughts.rules", "mine.rules"] {
        let places = named(&mut editor, file).into_iter();
        all.extend(places.map(|at| (file, at)));
    }
    let locals = [
        ("noughts.rules", "at: Square"),
        ("noughts.rules", "s: seat"),
        ("mine.rules", "c) label"),
    ];
    for (file, words) in locals {
        let at = texts[file].find(words).unwrap();
        all.push((file, place_at(&texts[file], at)));
    }
    let (mut n_changed, mut refused) = (0, Vec::new());
    for (file, at) in all {
        let other = match rename(&mut editor, &texts, file, &at, "quite_new") {
            Ok(other) => other,
            Err(why) => {
                refused.push(why);
                continue;
            }
        };
        assert_eq!(played(&other, "noughts.rules", 20), before, "{other:?}");
        let asked = json!({ "position": at });
        let told = editor.about("textDocument/prepareRename", file, asked);
        let old = told["placeholder"].as_str().unwrap();
        put(&mut editor, &other);
        let at = place_of(&other[file], &at);
        let back = rename(&mut editor, &other, file, &at, old).unwrap();
        assert!(back == texts && other != texts, "{other:?}");
        put(&mut editor, &texts);
        n_changed += 1;
    }
    // What the outline shows without a name of its own: `show`, `hide`, edits, sentences.
    refused.retain(|it| it != "here stands no name that is known");
    let why: Vec<&str> = refused.iter().map(|it| reason(it)).collect();
    let sign = |name| format!("`{name}` is no sign of `Square`");
    let (a, b, c) = (sign("a1"), sign("b2"), sign("c3"));
    let book = "this is the name of a rulebook, which is not changed here";
    assert_eq!(why, [book, &a, &b, &c, "the game has no `flow main`", book]);
    assert_eq!(n_changed, 22);
}

/// What is said behind the place.
fn reason(why: &str) -> &str {
    why.rsplit(": ").next().unwrap()
}

/// The place of the new name on the line of the old one, before which it may stand too.
fn place_of(text: &str, old: &Value) -> Value {
    let line = old["line"].as_u64().unwrap() as usize;
    let lines = text.split_inclusive('\n').take(line);
    let start: usize = lines.map(str::len).sum();
    place_at(text, start + text[start..].find("quite_new").unwrap())
}

#[test]
fn a_name_is_not_changed_where_it_cannot_be() {
    let texts = pair();
    let mut editor = opened(&texts);
    let mut ask = |file: &str, words: &str, new: &str| {
        let at = place_at(&texts[file], texts[file].find(words).unwrap());
        rename(&mut editor, &texts, file, &at, new).unwrap_err()
    };
    let mut all = vec![
        ask("mine.rules", "place(c)", "board"),
        ask("mine.rules", "place(c)", "two words"),
        ask("mine.rules", "place(c)", "not"),
        ask("mine.rules", "noughts {", "crosses"),
        ask("noughts.rules", "at: Square", "me"),
        ask("noughts.rules", "q in Square", "d"),
    ];
    // What comes with the program.
    let mine = AMENDMENT.replace("for noughts", "for tic_tac_toe");
    let own = Texts::from([(String::from("own.rules"), mine.clone())]);
    let mut editor = opened(&own);
    let place = place_at(&mine, mine.find("place(c)").unwrap());
    all.push(rename(&mut editor, &own, "own.rules", &place, "lay_it").unwrap_err());
    // What is broken.
    let broken = format!("{mine}\ndefine foo(");
    editor.change("own.rules", json!([{ "text": broken }]));
    all.push(rename(&mut editor, &own, "own.rules", &place, "lay_it").unwrap_err());
    let all: Vec<&str> = all.iter().map(|it| reason(it)).collect();
    assert_eq!(
        all,
        [
            "`board` is a `zone`, not an action or an event",
            "letters, digits and `_`, a letter first, and no word of the language",
            "letters, digits and `_`, a letter first, and no word of the language",
            "this is the name of a rulebook, which is not changed here",
            "`me` is always the seat that plays",
            "a `Direction` is no place of a space",
            "it is declared at rules/classics/tic_tac_toe.rules:20:8, which comes with the program",
            "`(` is not closed",
        ]
    );
}

#[test]
fn an_amendment_that_is_not_open_is_changed_too() {
    let texts = pair();
    let mut editor = Editor::new();
    editor.open("noughts.rules", &texts["noughts.rules"]);
    editor.save("mine.rules", AMENDMENT);
    let base = &texts["noughts.rules"];
    let at = place_at(base, base.find("place(").unwrap());
    let other = rename(&mut editor, &texts, "noughts.rules", &at, "put").unwrap();
    assert_eq!(other["mine.rules"], AMENDMENT.replace(" place", " put"));
}

/// A shipped rulebook with its parts.
fn with_parts(shipped: library::Shipped) -> Texts {
    let all = [shipped]
        .into_iter()
        .chain(shipped.parts().copied().collect::<Vec<_>>());
    let name = |it: &library::Shipped| it.path.rsplit('/').next().unwrap().to_owned();
    all.map(|it| (name(&it), it.text.to_owned())).collect()
}

/// What a shipped rulebook stands on, with the parts of that; the game's file is the last one named.
fn below(shipped: library::Shipped) -> (Texts, String) {
    let (mut texts, mut it) = (Texts::new(), shipped);
    while let Some(HeaderKind::Amendment { base, .. }) =
        parse_header(it.text).map(|header| header.kind)
    {
        it = library::find(base.as_str()).unwrap();
        texts.extend(with_parts(it));
    }
    (texts, format!("{}.rules", it.stem()))
}

#[test]
fn names_of_shipped_rulebooks_can_be_changed() {
    let step = width(20, 60, 7) as usize;
    let (mut n_met, mut n_changed, mut unknown) = (0, 0, Vec::new());
    for shipped in library::FILES {
        let own = with_parts(*shipped);
        let (mut texts, game) = below(*shipped);
        texts.extend(own.clone());
        if cfg!(debug_assertions) && texts.values().map(String::len).sum::<usize>() > 12_000 {
            continue;
        }
        let mut before = None;
        let mut editor = Editor::new();
        for (name, text) in &texts {
            editor.save(name, text);
        }
        for (file, text) in &own {
            editor.open(file, text);
            for at in named(&mut editor, file) {
                n_met += 1;
                if n_met % step != 0 {
                    continue;
                }
                let other = match rename(&mut editor, &texts, file, &at, "quite_new") {
                    Ok(other) => other,
                    Err(why) => {
                        if !REASONS.iter().any(|it| why.contains(it)) {
                            unknown.push(format!("{file} {at}: {why}"));
                        }
                        continue;
                    }
                };
                n_changed += 1;
                if n_changed % 4 == 0 {
                    let before = before.get_or_insert_with(|| played(&texts, &game, 20));
                    assert_eq!(played(&other, &game, 20), *before, "{file} {at}");
                }
            }
            editor.close(file);
        }
    }
    // Where rules that are not chosen use a word of several things, nothing says which is meant.
    assert!(
        n_changed >= 10 && unknown.len() * 50 <= n_changed,
        "{n_changed} {unknown:#?}"
    );
}

/// Why a name may be refused, whatever the index knows.
const REASONS: &[&str] = &[
    "here stands no name",
    "the name of a rulebook",
    "is no sign of",
    "no `flow main`",
];

/// A word that is built in, or a local of something else, keeps no name from being changed; what an edit adds to a table
/// has the names of fields too.
#[test]
fn what_cannot_be_meant_keeps_no_name() {
    let base = MARKET.replace("game market", "game bazaar");
    let amendment = "variant mine \"Mine\" for bazaar { }
question begins \"Who begins?\" { first \"Alice.\" default  second \"Bob.\" { replace one_of = third(Colour) } }
define one_of: Colour = first(Colour)
define third(all: set of Colour): Colour = first(all)
add rows to cost { blue: 3, bulk = 4 }
action sell(card in Colour) \"sell {card}\" { do { last = card } }
add choice to main.round: sell
";
    let texts: Texts = [("bazaar.rules", base.as_str()), ("mine.rules", amendment)]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into();
    let mut editor = opened(&texts);
    let table = [
        ("mine.rules", "first \"Alice", 2),
        ("mine.rules", "card in", 3),
        ("bazaar.rules", "bulk:", 4),
    ];
    for (file, words, n_places) in table {
        let at = place_at(&texts[file], texts[file].find(words).unwrap());
        let n_places = n_places - usize::from(words.starts_with("first"));
        let other = rename(&mut editor, &texts, file, &at, "renamed").unwrap();
        let n_new: usize = other.values().map(|it| it.matches("renamed").count()).sum();
        assert_eq!(n_new, n_places, "{words}: {other:?}");
    }
}

const MARKET: &str = "game market \"Market\" { seats alice, bob }
enum Colour { red, green, blue }
record Price { each: 0..9, bulk: 0..9 = 0 }
table cost[Colour]: Price or none else none { red: 1, bulk = 2 }
track last: Colour or none = none
define dear(c: Colour): bool = some cost[c] and bulk_of(c) > 2
define bulk_of(c: Colour): 0..9 = if some cost[c] then cost[c].bulk else 0
question taking \"May more be taken?\" {
    one \"One.\" default
    more \"More.\" { insert after take { let card = c  last = card } insert after put_back { last = card } }
}
event put_back(c: Colour) { let card = c  last = none }
action take(c in Colour) \"take {c}\" { require there: not dear(c)  do { last = c  put_back(c) } }
ending over() { winner none }
flow main() { step round { choose alice: take }  end over }
";

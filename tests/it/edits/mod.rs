//! What each edit of an amendment makes of the rules of a small game.

use adit::compose::{Composed, compose};
use adit::diagnostic::Diagnostic;
use adit::source::FileId;
use adit::syntax::{ast, parse};

mod refused;

const BASE: &str = r#"
game g "G" version "1" { seats a, b }
enum Suit { clubs, hearts }
record Price { coins: 0..9 }
table price[Suit]: Price { clubs: 1  hearts: 2 }
zone stock: bag of Card hidden
component Card { suit: Suit }
supply every Card in stock
option limit: 1..5 = 3 "how many"
question match_values "which match" { equal "equal" default  near "near" }
track points[seat]: 0..9 = 0
define good(c: Suit): bool = c == clubs
define worth(c: Suit, n: 0..9): int = n
define all_of: set of Suit = { c in Suit where good(c) }
event pay(s: seat) { points[s] += 1 }
action take(c: Suit) "take {c}" {
    require may: good(c) else "no"
    do { step paying { pay(me) } }
}
action leave() "leave" { do { } }
forbid take(c) label broke when points[me] == 0
flow main() {
    step setup { shuffle stock }
    step play {
        turns me from a {
            step dig { choose me: take | leave }
            step extras { window me { once more: take } }
        }
    }
}
ending over() { ranking seat by points }
"#;

fn files(texts: &[&str]) -> Vec<ast::File> {
    let files = (0..).zip(texts).map(|(at, text)| {
        let (file, diagnostics) = parse(FileId(at), text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        file
    });
    files.collect()
}

fn composed(amendments: &[&str]) -> (Option<Composed>, Vec<Diagnostic>) {
    let mut texts = vec![BASE];
    texts.extend(amendments);
    let files = files(&texts);
    let (base, amendments) = files.split_first().unwrap();
    let amendments: Vec<&ast::File> = amendments.iter().collect();
    compose(base, &amendments, &[])
}

/// Composes variants of the base with these items, named `v0`, `v1`, ….
fn variants(items: &[&str]) -> (Option<Composed>, Vec<Diagnostic>) {
    let texts = items.iter().enumerate();
    let texts = texts.map(|(at, items)| format!("variant v{at} \"V\" for g {{ }}\n{items}"));
    let texts: Vec<String> = texts.collect();
    composed(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn rules(items: &[&str]) -> String {
    let (composed, diagnostics) = variants(items);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    composed.unwrap().rules()
}

/// Returns the lines that a composition changes, removed ones with `-`, new ones with `+`.
fn change(items: &[&str]) -> String {
    let (old, new) = (rules(&[]), rules(items));
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let gone = old.iter().filter(|line| !new.contains(line));
    let come = new.iter().filter(|line| !old.contains(line));
    let lines = gone.map(|line| format!("- {line}"));
    let lines = lines.chain(come.map(|line| format!("+ {line}")));
    lines.collect::<Vec<_>>().join("\n")
}

fn snapshot(name: &str, text: &str) {
    crate::fixtures::snapshot("compose", name, text);
}

/// Shows sets of amendments with what `show` says about them.
fn snapshot_each(name: &str, cases: &[&[&str]], show: impl Fn(&[&str]) -> String) {
    let shown = cases.iter().map(|items| {
        let lines = items.iter().enumerate();
        let text: String = lines
            .map(|(at, items)| {
                format!(
                    "v{at}: {items}
"
                )
            })
            .collect();
        text + &show(items)
    });
    snapshot(name, &shown.collect::<Vec<_>>().join("\n\n"));
}

fn problems(items: &[&str]) -> Vec<String> {
    let (composed, diagnostics) = variants(items);
    let is_error = diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(composed.is_none(), is_error);
    let lines = diagnostics
        .iter()
        .map(|it| format!("{}: {}", it.code.name(), it.message));
    lines.collect()
}

#[test]
fn a_base_alone_stays_as_it_is() {
    let (composed, diagnostics) = composed(&[]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let composed = composed.unwrap();
    assert_eq!(composed.items.len(), 17);
    assert!(composed.items.iter().all(|it| it.origin.is_none()));
    assert_eq!(composed.guards.len(), 1);
    assert_eq!(composed.guards[0].label, "broke");
    assert!(composed.amendments.is_empty());
}

#[test]
fn the_hash_counts_rules_and_not_words_about_them() {
    let hash = |text: &str| {
        let files = files(&[text]);
        compose(&files[0], &[], &[]).0.unwrap().hash
    };
    let said = BASE
        .replace("\"how many\"", "\"how many of them\" cite \"a reason\"")
        .replace("else \"no\"", "else \"no, {me}\"")
        .replace("event pay", "/// Pays.\n// really\nevent    pay");
    assert_eq!(hash(BASE), hash(&said));
    assert_eq!(hash(BASE), hash(&format!("{BASE}\ninvariant i: true")));
    assert_ne!(hash(BASE), hash(&BASE.replace("+= 1", "+= 2")));
    assert_ne!(
        hash(BASE),
        hash(&BASE.replace("\"take {c}\"", "\"grab {c}\""))
    );
    // A written form does not change with the machine or the compiler.
    assert_eq!(hash("game n \"N\" { seats a, b }"), 17526816813761170767);
}

#[test]
fn set_chooses_values_and_readings() {
    snapshot_each(
        "set_chooses_values_and_readings",
        &[&["set limit = 5", "set match_values = near"]],
        change,
    );
    assert_eq!(
        rules(&["set match_values = match_values.near"]),
        rules(&["set match_values = near", "set match_values = near"])
    );
}

#[test]
fn replace_keeps_the_old_body_for_base() {
    snapshot_each(
        "replace_keeps_the_old_body_for_base",
        &[
            &["replace good = c == hearts"],
            &["replace worth = base(c, n + 1)"],
            &["replace all_of = base + { hearts }"],
            &["replace define all_of: set of Suit = base + { hearts }"],
            &["replace pay { base(s)  points[s] += 2 }"],
            &["replace pay { base(me) }"],
            &["replace pay { base(s)  base(s) }"],
            &["replace main { base()  pay(a) }"],
            &[
                "flow round(s: seat): seat { let t = s  return t }",
                "needs v0  replace round { pay(s)  return base(s) }",
            ],
            &[
                "flow round(s: seat): seat { let t = s  return t }",
                "needs v0  replace round { let t = base(s)  pay(t)  return t }",
            ],
            &["replace take.may = base() or limit > 3 else \"no\""],
            &["replace main.setup { base()  base() }"],
            &["replace take { pay(me)  base() }"],
            &["replace price.clubs = 4"],
            &["replace take.broke = base() and limit > 1"],
            &["replace ending over() { base() }"],
        ],
        change,
    );
}

#[test]
fn replace_in_layers_keeps_each_old_body() {
    snapshot_each(
        "replace_in_layers_keeps_each_old_body",
        &[&[
            "replace worth = base(c, n + 1)",
            "needs v0\nreplace worth = base(c, n + 2)",
        ]],
        change,
    );
}

#[test]
fn remove_takes_out_what_has_an_address() {
    snapshot_each(
        "remove_takes_out_what_has_an_address",
        &[
            &["remove take.broke"],
            &["remove broke"],
            &["remove main.play.dig.leave  remove match_values.near remove price.hearts"],
            &["remove take"],
        ],
        change,
    );
    assert_eq!(
        rules(&["remove leave", "remove leave"]),
        rules(&["remove leave"])
    );
}

#[test]
fn inserts_stand_beside_their_anchor_in_order() {
    snapshot_each(
        "inserts_stand_beside_their_anchor_in_order",
        &[
            &[
                "insert after main.setup { step hand_out { pay(a) } }",
                "insert after main.setup { pay(b) } order after v0",
                "needs v0 insert after main.hand_out { step last { pay(b) } } insert before main.hand_out { step early { } }",
            ],
            &["insert before pay { points[s] = 0 }  insert after pay { points[s] = 9 }"],
            &["insert after take.paying { pay(a) }"],
        ],
        change,
    );
}

#[test]
fn extensions_commute_and_take_the_names_of_the_base() {
    snapshot_each(
        "extensions_commute_and_take_the_names_of_the_base",
        &[
            &["extend good(x) or x == hearts"],
            &["extend good(x) and some { c in Suit where c == x }"],
        ],
        change,
    );
    assert_eq!(
        rules(&[
            "extend good(x) or x == hearts",
            "extend good(c) or limit == 1"
        ]),
        rules(&["extend good(c) or c == hearts", "extend good or limit == 1"]),
    );
    // The local `c` would hide the parameter.
}

#[test]
fn add_grows_what_is_there() {
    snapshot_each(
        "add_grows_what_is_there",
        &[
            &[
                "add values to Suit { spades \"S\" }  add rows to price { spades: 3 }  add fields to Price { tax: 0..2 = 0 }",
            ],
            &[
                "action pass() \"pass\" { do { } }  add choice to main.play.dig: pass  add choice to main.play.extras { many again: leave }",
                "add choice to main.play.extras.more: leave",
            ],
            &[
                "replace main.play.dig { choose me: take  otherwise { choose me: leave } }",
                "needs v0  add choice to main.play.dig: leave",
            ],
        ],
        change,
    );
}

#[test]
fn guards_of_all_kinds_are_kept_apart() {
    snapshot_each(
        "guards_of_all_kinds_are_kept_apart",
        &[&[
            "forbid pay(x) label enough when points[x] > 8 because \"enough\"",
            "permit take.may(x) label kind when x == hearts  permit broke label poor when true",
            "replace take.may = true  replace pay { }",
        ]],
        change,
    );
}

#[test]
fn an_expansion_can_be_amended() {
    let expansion = "expansion e \"E\" version \"2\" for g \"1\" { source book \"B\" }
        track coins: 0..9 = 0
        insert after main.setup { step hand_out { coins = 1 } }";
    let variant = "variant v \"V\" for e \"2\" { } replace main.hand_out { coins = 2 } replace track coins: 0..99 = 0";
    let (both, diagnostics) = composed(&[variant, expansion]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let both = both.unwrap();
    assert_eq!(both.amendments, ["e", "v"]);
    assert_eq!(both.header.sources.len(), 1);
    let coins = both
        .items
        .iter()
        .find(|it| it.item.kind.name().is_some_and(|name| name == "coins"));
    assert_eq!(coins.unwrap().origin.as_deref(), Some("v"));
    assert_eq!(
        composed(&[variant]).1[0].message,
        "`v` is for `e`, not for `g`"
    );
}

#[test]
fn what_commutes_composes() {
    for items in [
        ["forbid pay(s) label one when true", "replace pay { }"],
        [
            "forbid take(c) label one when true",
            "forbid take(c) label two when true",
        ],
        ["set limit = 4", "set limit = 4"],
        [
            "add values to Suit { spades }",
            "add values to Suit { diamonds }",
        ],
        [
            "add choice to main.play.extras { once x: leave }",
            "add choice to main.play.extras.more: leave",
        ],
        [
            "insert before main.setup { pay(a) }",
            "insert after main.setup { pay(b) }",
        ],
        [
            "insert before main.setup { pay(a) }",
            "replace main.setup { }",
        ],
        ["replace take.may = true", "replace take { }"],
        ["replace pay { }", "action x() \"x\" { do { pay(me) } }"],
        [
            "replace good = true",
            "order after v0 replace good = base(c)",
        ],
        [
            "replace define good(c: Suit): bool = true",
            "replace define good(c: Suit): bool = false order after v0",
        ],
    ] {
        assert_eq!(problems(&items), Vec::<String>::new(), "{items:?}");
    }
}

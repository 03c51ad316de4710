use super::*;
use crate::source::FileId;
use crate::syntax::parse;

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
    compose(base, &amendments)
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
    let composed = composed.unwrap();
    canon::rules(&composed.header, &composed.items, &composed.guards)
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
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/compose");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
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
        compose(&files[0], &[]).0.unwrap().hash
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
            "permit take.may(x) label kind when x == hearts  except broke label poor when true",
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
    ] {
        assert_eq!(problems(&items), Vec::<String>::new(), "{items:?}");
    }
}

#[test]
fn what_does_not_commute_is_a_conflict() {
    let cases = [
        ["replace good = true", "replace good = false"],
        ["replace good = true", "extend good or false"],
        ["replace main { }", "insert after main.setup { }"],
        ["replace main { }", "insert after main.set_up { }"],
        ["remove take", "forbid take(c) label one when true"],
        ["remove take.may", "permit take.may label one when true"],
        ["remove take.broke", "except broke label one when true"],
        ["remove points", "insert after pay { points[s] = 0 }"],
        [
            "remove match_values.near",
            "define x: bool = match_values == near",
        ],
        ["insert after pay { }", "insert after pay { }"],
        ["extend good and true", "extend good or true"],
        ["set limit = 4", "set limit = 5"],
        ["set limit = 4", "replace option limit: 1..9 = 1 \"l\""],
        ["track x: 0..1 = 0", "track x: 0..1 = 0"],
        [
            "add values to Suit { spades }",
            "add values to Suit { spades }",
        ],
        [
            "forbid take(c) label one when true",
            "permit take.may label one when true",
        ],
        [
            "insert before main.setup { step s { } }",
            "insert after main.setup { step s { } }",
        ],
        ["replace good = true", "define x: bool = good(clubs)"],
    ];
    let cases: Vec<&[&str]> = cases.iter().map(|case| &case[..]).collect();
    let name = "what_does_not_commute_is_a_conflict";
    snapshot_each(name, &cases, |items| {
        problems(items).join(
            "
",
        )
    });
}

#[test]
fn a_resolution_settles_what_it_is_about() {
    let replaced = ["replace good = true", "replace good = false"];
    let [a, b] = replaced;
    let named = ["track x: 0..1 = 0", "track x: 0..2 = 0"];
    let inserted = [
        "insert after pay { points[s] = 1 }",
        "insert after pay { points[s] = 2 }",
    ];
    snapshot_each(
        "a_resolution_settles_what_it_is_about",
        &[
            &[
                a,
                b,
                "resolve v0 + v1 { replace good = base(c) or c == hearts }",
            ],
            &[named[0], named[1], "resolve v0 + v1 { track x: 0..3 = 0 }"],
            &[
                named[0],
                named[1],
                "resolve v0 + v1 { replace track x: 0..3 = 0 }",
            ],
            &[
                inserted[0],
                inserted[1],
                "resolve v0 + v1 { insert after pay { points[s] = 3 } }",
            ],
        ],
        change,
    );
    assert_eq!(
        problems(&[a, b, "resolve v0 + v1 { replace worth = 1 }"]).len(),
        1
    );
    assert_eq!(
        problems(&[a, b, "resolve v0 + other { replace good = true }"]).len(),
        1
    );

    let read = ["remove points", "define x: int = points[a]"];
    let resolve = "resolve v0 + v1 { replace x = 0 }";
    assert_eq!(problems(&[read[0], read[1], resolve]), Vec::<String>::new());
    let keep = "resolve v0 + v1 { replace track points[seat]: 0..9 = 0 }";
    assert_eq!(problems(&[read[0], read[1], keep]), Vec::<String>::new());
    let warned = "define x: bool = good(clubs)";
    assert_eq!(problems(&[a, warned]).len(), 1);
    assert_eq!(problems(&[a, warned, "resolve v0 + v1 { }"]).len(), 0);
}

#[test]
fn edits_that_fit_nothing_are_refused() {
    let cases = [
        "remove tke",
        "remove take.maay",
        "remove extras",
        "insert after main.play.digg { }",
        "insert after good { }",
        "set good = true",
        "set match_values = neer",
        "replace take.paying = 3",
        "replace stock = 3",
        "replace define worth(c: Suit): int = 1",
        "replace event good(c: Suit) { }",
        "extend pay + 1",
        "extend worth(c) + 1",
        "extend good(x) + c",
        "forbid good(c) label one when true",
        "forbid take(a, b) label one when true",
        "permit take label one when true",
        "except take.may label one when true",
        "add values to Price { x }",
        "add fields to Suit { x: bool }",
        "add rows to Suit { x: 1 }",
        "add choice to main.setup { once x: take }",
        "add choice to main.setup: take",
        "add values to Suit { clubs }",
        "track points: 0..1 = 0",
        "replace take.may = some { c in Suit where base() }",
        "replace take.may = base(1)",
        "replace worth = base(c)",
        "replace main.setup { points[a] = base() }",
        "needs w",
        "excludes v0",
        "resolve v0 + g { needs v1 }",
    ];
    let cases: Vec<&[&str]> = cases.iter().map(std::slice::from_ref).collect();
    let name = "edits_that_fit_nothing_are_refused";
    snapshot_each(name, &cases, |items| {
        problems(items).join(
            "
",
        )
    });
}

#[test]
fn sibling_amendments_do_not_lean_on_each_other_unsaid() {
    let items = ["track x: 0..1 = 0", "remove x"];
    let message = "target-of-another: `x` comes with `v0`, which `v1` does not need";
    assert_eq!(problems(&items), [message]);
    let items = ["track x: 0..1 = 0", "needs v0 remove x"];
    assert_eq!(problems(&items), Vec::<String>::new());
}

#[test]
fn circles_are_refused() {
    let circle = ["needs v1", "needs v2", "needs v0"];
    let message = "circular-order: `v0`, `v1`, `v2` each come before the other";
    assert_eq!(problems(&circle), [message]);
    let circle = ["remove leave order after v1", "remove leave order after v0"];
    let message = "circular-order: `v0`, `v1` each come before the other";
    assert_eq!(problems(&circle), [message]);
}

#[test]
fn many_extensions_make_no_deep_tree() {
    let items = "extend worth + 1\n".repeat(4000);
    let (composed, diagnostics) = variants(&[&items]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let composed = composed.unwrap();
    let deepest = composed
        .items
        .iter()
        .map(|it| canon::depth(&it.item.kind))
        .max();
    assert!(deepest.unwrap() < 40);
    let items = "extend worth + 1\n".repeat(5000);
    assert_eq!(
        problems(&[&items]),
        ["too-many-edits: 5000 edits are more than can be composed"]
    );
}

#[test]
fn old_bodies_do_not_grow_without_end() {
    let double = "replace take.may = base() and base()";
    let mut items = vec![double.to_owned()];
    for at in 0..30 {
        items.push(format!("needs v{at}\n{double}"));
    }
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let (composed, diagnostics) = variants(&items);
    assert!(composed.is_none());
    assert_eq!(diagnostics[0].code, codes::TOO_MANY_EDITS);
}

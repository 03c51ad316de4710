//! Inserts at one place: those that go together without an order play alike in either order.

use adit::diagnostic::codes;
use adit::engine::{Dice, Machine, Program, Status, View, Viewer, compile};
use adit::pipeline::{self, Compiled, Request};
use adit::source::Sources;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::fixtures::width;

const GAME: &str = r#"
game g "G" { seats anna, bert  history up to 20 }
component Coin { }
component Card { value: 1..6 }
zone bank: bag of Coin open
zone purse[seat]: bag of Coin open
zone deck: pile of Card hidden
zone hand[seat]: bag of Card seen by owner
zone shown: bag of Card open
supply 9 every Coin in bank
supply 2 every Card in deck
track one: 0..99 = 1
track two: 0..99 = 2
track three[seat]: 0..99 = 3
track twice: bool = false
define both: 0..198 = one + two
define rich: bool = can(anna, buy)
event grow(n: 0..9) { three[anna] += n  if three[anna] > 20 { return }  two += 1 }
event finish() { if one > 90 { end over() } }
flow deep() { choose anna: wait "wait" { } }
action buy() "buy" { require coins_: one > 2 else "no"  do { grow(1) } }
action go() "go" { do { } }
forbid buy label late when two > 9
flow main() {
    let kept = 0
    shuffle deck
    repeat 4 {
        step play { kept += 1 }
        choose anna: buy | go
        if kept > 50 { one = 7 }
    }
    end over()
}
ending over() { ranking seat by three[it] }
"#;

/// What house rules insert.
const INSERTS: &[(&str, &str)] = &[
    ("one", "one = 2 * one mod 50"),
    ("two", "two += 3"),
    ("reads_one", "if one > 3 { three[bert] += 1 }"),
    ("reads_both", "three[bert] = (both mod 7) + 1"),
    ("calls", "grow(2)"),
    ("asks", "deep()"),
    ("chooses", "choose anna: nod \"nod\" { one = 3 }"),
    ("ends", "finish()"),
    ("rolls", "choose chance roll in 1..6 { one = roll }"),
    ("draws", "if filled deck { draw 1 of deck to hand[anna] }"),
    (
        "pays",
        "if filled bank { move Coin() from bank to purse[bert] }",
    ),
    ("counts_bank", "two = count bank"),
    ("local", "kept = 2 * kept mod 40"),
    ("reads_local", "let more = kept + 1  three[anna] = more"),
    ("own_local", "let kept_too = 1  three[bert] = kept_too"),
    ("may_buy", "if rich { three[bert] += 5 }"),
    ("repeats", "twice = repeated() > 1"),
    (
        "shadow",
        "let one_more = 2  if one_more == 2 { twice = not twice }",
    ),
    ("shuffles", "shuffle deck"),
    ("loops", "for each one_ in 1..2 { three[bert] += one_ }"),
    ("after", "twice = after { grow(9) } (three[anna] > 9)"),
];

fn compiled(game: &str, first: &str, second: &str, order: Option<&str>) -> Compiled {
    let mut sources = Sources::new();
    let base = sources.add("g.rules", game);
    let order = order.map_or(String::new(), |side| format!("order {side} b"));
    let a = format!("variant a \"A\" for g {{ }}\ninsert before main.play {order} {{ {first} }}");
    let b = format!("variant b \"B\" for g {{ }}\ninsert before main.play {{ {second} }}");
    let amendments = vec![sources.add("a.rules", a), sources.add("b.rules", b)];
    let request = Request {
        base,
        amendments,
        ..Request::default()
    };
    pipeline::compile(&sources, &request)
}

fn program(first: &str, second: &str, order: Option<&str>) -> Result<Program, bool> {
    let compiled = compiled(GAME, first, second, order);
    let unordered = |it: &adit::diagnostic::Diagnostic| it.code == codes::UNORDERED_INSERTS;
    match compiled.game {
        Some(game) => Ok(compile(game).expect("it compiles")),
        None => Err(compiled
            .diagnostics
            .iter()
            .all(|it| unordered(it) || !it.is_error())),
    }
}

/// All that is seen in a game, and how it goes on.
fn played(program: &Program, seed: u64) -> Vec<(View, Status)> {
    let mut machine = Machine::new(program);
    let mut dice = Dice::new(seed);
    let mut seen = Vec::new();
    if machine.start(&mut dice).is_err() {
        return seen;
    }
    for ply in 0..20 {
        seen.push((machine.view(Viewer::Referee), machine.status()));
        if machine.status() == Status::Ended {
            break;
        }
        let index = (ply * 7 + seed as usize) % machine.moves().len();
        if machine.play_nth(index, &mut dice).is_err() {
            break;
        }
    }
    seen
}

#[test]
fn inserts_without_an_order_play_alike_in_either_order() {
    let mut together = Vec::new();
    for (at, (first_name, first)) in INSERTS.iter().enumerate() {
        for (second_name, second) in &INSERTS[at + 1..] {
            let pair = format!("{first_name} {second_name}");
            match program(first, second, None) {
                Err(only_unordered) => assert!(only_unordered, "{pair}"),
                Ok(unordered) => {
                    let [before, behind] = ["before", "after"].map(|side| {
                        program(first, second, Some(side)).expect("an order settles it")
                    });
                    for seed in 0..2 {
                        let alike = played(&before, seed);
                        assert_eq!(alike, played(&behind, seed), "{pair}, seed {seed}");
                        assert_eq!(alike, played(&unordered, seed), "{pair}, seed {seed}");
                    }
                    together.push(pair);
                }
            }
        }
    }
    insta::with_settings!({ snapshot_path => "../../snapshots/compose", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("inserts_that_need_no_order", together.join("\n"));
    });
}

/// By what is refused: two inserts, the words that say why, and the first one without it, which goes with the second one.
const PARTS: [(&str, &str, &str, &str); 14] = [
    (
        "choose anna: nod \"nod\" { }",
        "two += 3",
        "asks somebody",
        "one = 3",
    ),
    ("deep()", "two += 3", "asks somebody", "one = 3"),
    (
        "if one > 90 { end over() }",
        "two += 3",
        "ends",
        "if one > 90 { one = 3 }",
    ),
    ("finish()", "two += 3", "ends", "grow_one()"),
    (
        "if one > 90 { return }",
        "two += 3",
        "leaves something",
        "if one > 90 { one = 1 }",
    ),
    (
        "choose chance roll in 1..6 { }",
        "choose chance other in 1..6 { }",
        "leaves something to chance",
        "one = 6",
    ),
    (
        "if filled deck { draw 1 of deck to hand[anna] }",
        "choose chance roll in 1..6 { }",
        "leaves something to chance",
        "one = 6",
    ),
    (
        "two = 2 * two mod 50",
        "two = two / 2",
        "changes `two`",
        "one = 2 * one mod 50",
    ),
    (
        "one = 7",
        "three[bert] = (one mod 7) + 1",
        "uses `one`",
        "one_more()",
    ),
    (
        "one = 7",
        "three[bert] = (both mod 7) + 1",
        "uses `one`",
        "one_more()",
    ),
    ("one = two", "two += 3", "uses `two`", "one = 2"),
    (
        "grow(2)",
        "if three[anna] > 4 { one = 1 }",
        "uses `three`",
        "twice = true",
    ),
    (
        "if filled bank { move Coin() from bank to purse[bert] }",
        "two = count bank",
        "uses `bank`",
        "one = 6",
    ),
    (
        "one = 4",
        "twice = repeated() > 1",
        "uses all",
        "one_more()",
    ),
];

/// What the inserts call besides.
const CALLED: &str = "event grow_one() { if one < 90 { one += 1 } }\nevent one_more() { }\n";

/// Each part of what makes an order count is refused by itself, with its reason; without it the two go together.
#[test]
fn each_part_of_what_makes_an_order_count_is_told() {
    for (first, second, why, mended) in PARTS {
        let said = refusal(first, second).unwrap_or_else(|| panic!("{first} / {second}"));
        assert!(said.contains(why), "{first} / {second}: {said}");
        assert_eq!(refusal(mended, second), None, "{mended} / {second}");
    }
}

/// What is said of two inserts that are unordered; nothing if they go together.
fn refusal(first: &str, second: &str) -> Option<String> {
    let found = compiled(&format!("{GAME}{CALLED}"), first, second, None);
    if found.game.is_some() {
        return None;
    }
    let errors = found.diagnostics.iter().filter(|it| it.is_error());
    let said = errors.map(|it| {
        assert_eq!(
            it.code,
            codes::UNORDERED_INSERTS,
            "{first} / {second}: {it:?}"
        );
        let labels: Vec<&str> = it.labels.iter().map(|it| it.text.as_str()).collect();
        format!("{} {}", it.message, labels.join("; "))
    });
    Some(said.collect())
}

/// Statements over these tracks, with holes for what they change and what they read.
const GENERATED: [&str; 7] = [
    "W = (R * 3 + 7) mod 50",
    "if W < 80 { W += 2 }",
    "if R > 10 { W = Q mod 40 }",
    "for each i_ in 1..3 { W = (W + i_ * R) mod 60 }",
    "if R > Q { W = 3 } else { W = Q mod 9 }",
    "W = (after { bump() } p0) mod 30 + R mod 3",
    "bump()",
];

/// Pairs of inserts that are made up: those that are accepted play alike in either order.
#[test]
fn made_up_inserts_that_are_accepted_play_alike_in_either_order() {
    const TABLE: &str = "game g \"G\" { seats anna, bert }\n\
        track p0: 0..999 = 1\ntrack p1: 0..999 = 2\ntrack p2: 0..999 = 3\ntrack p3: 0..999 = 44\ntrack p4: 0..999 = 55\n\
        event bump() { if p0 < 900 { p0 += 1 } }\n\
        action go() \"go\" { do { p4 = (p4 * 5 + 3) mod 97 } }\naction rest() \"rest\" { do { p3 = (p3 + p4) mod 89 } }\n\
        flow main() { repeat 6 { step play { p1 = (p1 + 1) mod 900 } choose anna: go | rest } end over() }\n\
        ending over() { ranking seat by p1 + p2 + p3 }\n";
    let mut words = ChaCha8Rng::seed_from_u64(225);
    let mut below = |n: usize| (words.next_u64() % n as u64) as usize;
    let (mut accepted, mut refused) = (0, 0);
    let wanted = width(25, 200, 400);
    while accepted < wanted {
        let mut insert = || {
            let statements = (0..1 + below(2)).map(|_| {
                let [w, r, q] = [below(5), below(5), below(5)].map(|it| format!("p{it}"));
                let form = GENERATED[below(GENERATED.len())];
                form.replace('W', &w).replace('R', &r).replace('Q', &q)
            });
            statements.collect::<Vec<String>>().join("  ")
        };
        let (first, second) = (insert(), insert());
        let pair = format!("{first} / {second}");
        let program = |order| {
            compiled(TABLE, &first, &second, order)
                .game
                .map(|it| compile(it).unwrap())
        };
        let Some(unordered) = program(None) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        let [before, behind] =
            ["before", "after"].map(|side| program(Some(side)).expect("an order settles it"));
        for seed in 0..2 {
            let alike = played(&before, seed);
            assert_eq!(alike, played(&behind, seed), "{pair}, seed {seed}");
            assert_eq!(alike, played(&unordered, seed), "{pair}, seed {seed}");
        }
    }
    // Both answers are given often enough to mean something.
    assert!(
        refused * 4 > accepted,
        "{refused} refused, {accepted} accepted"
    );
}

//! Inserts at one place: those that go together without an order play alike in either order.

use adit::diagnostic::codes;
use adit::engine::{Dice, Machine, Program, Status, View, Viewer, compile};
use adit::pipeline::{self, Request};
use adit::source::Sources;

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

fn program(first: &str, second: &str, order: Option<&str>) -> Result<Program, bool> {
    let mut sources = Sources::new();
    let base = sources.add("g.rules", GAME);
    let order = order.map_or(String::new(), |side| format!("order {side} b"));
    let a = format!("variant a \"A\" for g {{ }}\ninsert before main.play {order} {{ {first} }}");
    let b = format!("variant b \"B\" for g {{ }}\ninsert before main.play {{ {second} }}");
    let amendments = vec![sources.add("a.rules", a), sources.add("b.rules", b)];
    let request = Request {
        base,
        amendments,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
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

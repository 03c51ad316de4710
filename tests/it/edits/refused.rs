//! What does not go together, and what settles it.

use adit::compose::Composite;
use adit::diagnostic::codes;
use adit::syntax::ast::{Canon, Tree};

use super::*;

#[test]
fn what_does_not_commute_is_a_conflict() {
    let cases = [
        ["replace good = true", "replace good = false"],
        ["replace good = true", "extend good or false"],
        ["replace main { }", "insert after main.setup { }"],
        ["replace main { }", "insert after main.set_up { }"],
        ["remove take", "forbid take(c) label one when true"],
        ["remove take.may", "permit take.may label one when true"],
        ["remove take.broke", "permit broke label one when true"],
        ["remove points", "insert after pay { points[s] = 0 }"],
        [
            "remove match_values.near",
            "define x: bool = match_values == near",
        ],
        [
            "insert after pay { points[s] = 0 }",
            "insert after pay { points[s] = 1 }",
        ],
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
        "permit main.setup label one when true",
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
    let items = "extend worth + 1\n".repeat(2000);
    let (composed, diagnostics) = variants(&[&items]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let composed = composed.unwrap();
    let depth = |item: &Composite| {
        let mut canon = Canon::default();
        item.item.kind.canon(&mut canon);
        canon.deepest()
    };
    let deepest = composed.items.iter().map(depth).max();
    assert!(deepest.unwrap() < 40);
    let items = "extend worth + 1\n".repeat(2500);
    assert_eq!(
        problems(&[&items]),
        ["too-many-edits: 2500 edits are more than can be composed"]
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

#[test]
fn what_is_nested_by_many_amendments_is_not_too_deep() {
    let deep = format!("{}step s {{ }}{}", "if true { ".repeat(60), " }".repeat(60));
    let layer = format!(
        "replace main.play {{ {} }}",
        deep.replace("step s { }", "step play { }")
    );
    let mut items = vec![layer];
    for at in 0..9 {
        let path = ".play".repeat(at + 2);
        items.push(format!(
            "needs v{at}\nreplace main{path} {{ {} }}",
            deep.replace("step s { }", "step play { }")
        ));
    }
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let (composed, diagnostics) = variants(&items);
    assert!(composed.is_none());
    assert!(
        diagnostics
            .iter()
            .any(|it| it.code == codes::TOO_MANY_EDITS)
    );
}

#[test]
fn long_rules_with_many_edits_take_no_long_time() {
    let steps: String = (0..8_000).map(|at| format!("step s{at} {{ }} ")).collect();
    let base = format!("game g \"G\" {{ seats a, b }}\nflow main() {{ {steps} }}");
    let inserts =
        (0..400).map(|at| format!("insert after main.s{} {{ step n{at} {{ }} }}\n", at * 19));
    let amendment = format!(
        "variant v \"V\" for g {{ }}\n{}",
        inserts.collect::<String>()
    );
    let files = files(&[&base, &amendment]);
    let (composed, diagnostics) = compose(&files[0], &[&files[1]], &[]);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let rules = Composed {
        items: Vec::new(),
        guards: Vec::new(),
        ..composed.unwrap()
    };
    assert_eq!(rules.rules().lines().count(), 1);
}

#[test]
fn a_resolve_is_put_in_an_order_but_never_named() {
    let resolve = "resolve v0 + v1 { insert after pay { points[s] = 3 } }";
    let items = ["", resolve, "insert after pay { points[s] = 2 }"];
    let (_, diagnostics) = variants(&items);
    let [finding] = diagnostics.as_slice() else {
        panic!("{diagnostics:?}");
    };
    let help = finding.help.as_deref().unwrap();
    assert!(
        help.contains("`order before v2` or `order after v2` behind the edit of `v0 + v1`"),
        "{help}"
    );
    assert!(!help.contains("excludes"), "{help}");
    let ordered = "resolve v0 + v1 { insert after pay { points[s] = 3 } order after v2 }";
    assert_eq!(problems(&["", ordered, items[2]]), Vec::<String>::new());
}

#[test]
fn two_resolves_that_disagree_are_settled_by_one_of_all() {
    let of = |resolve: &str| format!("{resolve} {{ insert after pay {{ points[s] = 3 }} }}");
    let (ab, bc) = (of("resolve v0 + v1"), of("resolve v1 + v2"));
    let (_, diagnostics) = variants(&["", &ab, &bc]);
    let [finding] = diagnostics.as_slice() else {
        panic!("{diagnostics:?}");
    };
    let help = finding.help.as_deref().unwrap();
    assert!(help.starts_with("write `resolve v0 + v1 + v2 {"), "{help}");
    let abc = format!("{bc} {}", of("resolve v0 + v1 + v2"));
    assert_eq!(problems(&["", &ab, &abc]), Vec::<String>::new());
}

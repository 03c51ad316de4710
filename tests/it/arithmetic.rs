//! Numbers are what the reference says, to the checker, to the folding of constants and to the machine.

use adit::model::BinaryOp;
use adit::model::arith::{Bounds, MOST, bounds, calculate, quotient, remainder};

use crate::command::adit;

const EXACT: &str = "tests/fixtures/arithmetic/exact.rules";

const OPS: [BinaryOp; 5] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
];

/// Input and output of a command, kept.
fn snapshot(name: &str, command: &str) {
    let ran = adit(&format!("--plain {command}"));
    let text = format!("$ adit {command}\n{}{}[{:?}]\n", ran.out, ran.err, ran.exit);
    insta::with_settings!({
        snapshot_path => "../../snapshots/arithmetic",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn calculations_are_exact_and_what_leaves_its_type_is_a_fault() {
    snapshot("exact", &format!("rulings {EXACT}"));
}

#[test]
fn no_place_is_written_that_was_not_named() {
    snapshot(
        "poked",
        "show tests/fixtures/arithmetic/poked.rules --moves poke",
    );
}

/// On boards of any size; where no way leads to a place, its distance is a fault.
#[test]
fn distances_are_least_numbers_of_steps() {
    let book = "tests/fixtures/arithmetic/distances.rules";
    snapshot("distances", &format!("rulings {book}"));
    snapshot("too_far", &format!("legal {book} --moves rome"));
}

#[test]
fn division_rounds_down_and_leaves_what_has_the_sign_of_the_divisor() {
    let seen: Vec<_> = [(7, 2), (7, -2), (-7, 2), (-7, -2), (6, -2), (1, 0)]
        .map(|(a, b)| (quotient(a, b), remainder(a, b)))
        .into();
    assert_eq!(
        seen,
        [
            (Some(3), Some(1)),
            (Some(-4), Some(-1)),
            (Some(-4), Some(1)),
            (Some(3), Some(-1)),
            (Some(-3), Some(0)),
            (None, None),
        ]
    );
}

#[test]
fn a_result_of_more_than_eighteen_digits_is_none() {
    assert_eq!(calculate(BinaryOp::Add, MOST, 0), Some(MOST));
    assert_eq!(calculate(BinaryOp::Add, MOST, 1), None);
    assert_eq!(calculate(BinaryOp::Sub, -MOST, 1), None);
    assert_eq!(calculate(BinaryOp::Mul, MOST, MOST), None);
    assert_eq!(
        calculate(BinaryOp::Mul, 1_000_000_000, -1_000_000_000),
        None
    );
}

/// Every result lies within the bounds, and the bounds of all but remainders are results themselves.
#[test]
fn bounds_are_those_of_all_results() {
    for op in OPS {
        for (a, b) in pairs() {
            for (c, d) in pairs() {
                let (lo, hi) = bounds(op, (a, b), (c, d));
                let results: Vec<i128> = (a..=b)
                    .flat_map(|x| (c..=d).filter_map(move |y| calculate(op, x, y)))
                    .map(i128::from)
                    .collect();
                let Some((least, most)) = results.iter().min().zip(results.iter().max()) else {
                    continue;
                };
                let of = format!("{op:?} of {a}..{b} and {c}..{d}: {lo}..{hi}");
                assert!(lo <= *least && *most <= hi, "{of}");
                if op != BinaryOp::Mod {
                    assert_eq!((lo, hi), (*least, *most), "{of}");
                }
            }
        }
    }
}

fn pairs() -> impl Iterator<Item = Bounds> {
    (-5..=5).flat_map(|lo| (lo..=5).map(move |hi| (lo, hi)))
}

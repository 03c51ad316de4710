//! Numbers are what the reference says, to the checker, to the folding of constants and to the machine.

use crate::command::adit;

const EXACT: &str = "tests/fixtures/arithmetic/exact.rules";

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

//! What words of the language mean, shown by rulebooks made for it.

use adit::cli::Exit;

use crate::command::adit;

const FOLDER: &str = "tests/fixtures/meaning";

/// Runs the rulings of a rulebook with its amendments: each must hold.
fn holds(line: &str) {
    let ran = adit(&format!("--plain rulings {line}"));
    ran.says(Exit::Yes, " 0 fail");
}

#[test]
fn a_block_behind_an_action_comes_behind_it() {
    let file = format!("{FOLDER}/block_behind_action.rules");
    holds(&file);
    holds(&format!("{file} --with {FOLDER}/more_behind_actions.rules"));
    let why = adit(&format!("why-not {file} \"pay 1\""));
    assert!(
        why.out.contains("`pay.n` and `pay.rich` forbid `pay 1`"),
        "{}",
        why.out
    );
}

#[test]
fn what_a_scene_adds_to_its_position_is_its_own() {
    holds(&format!("{FOLDER}/two_suppositions.rules"));
}

#[test]
fn what_is_given_back_may_be_called_like_a_statement() {
    holds(&format!("{FOLDER}/returned_calls.rules"));
}

#[test]
fn a_track_of_a_block_is_stacked_and_leaves_nothing_behind() {
    let file = format!("{FOLDER}/block_tracks.rules");
    for set in ["", " --set fresh=yes", " --set fresh=off"] {
        holds(&format!("{file}{set}"));
    }
    let check = adit(&format!("--plain check {file}"));
    assert!(check.out.contains("0 errors, 0 warnings"), "{}", check.out);
    adit(&format!("fmt --check {file}")).says(Exit::Yes, "");
}

#[test]
fn a_list_of_alternatives_offers_what_the_asker_gives() {
    let file = format!("{FOLDER}/listed_actions.rules");
    for set in ["", " --set digging=no"] {
        holds(&format!("{file}{set}"));
    }
    let check = adit(&format!("--plain check {file}"));
    assert!(check.out.contains("0 errors, 0 warnings"), "{}", check.out);
    adit(&format!("fmt --check {file}")).says(Exit::Yes, "");
    let why = adit(&format!("--plain why-not {file} rest"));
    assert!(
        why.out.contains("`main.rest` forbids `rest`"),
        "{}",
        why.out
    );
    assert!(
        why.out.contains("it is offered only where stopped"),
        "{}",
        why.out
    );
    // Of `sell` it cannot be said that one condition alone refuses it.
    let why = adit(&format!("--plain why-not {file} \"sell left\""));
    assert!(why.out.contains("no rule offers"), "{}", why.out);
}

#[test]
fn a_slot_that_is_used_up_says_so() {
    let file = format!("{FOLDER}/used_slots.rules");
    holds(&file);
    let why = |moves: &str, asked: &str| {
        adit(&format!(
            "--plain why-not {file} --moves \"{moves}\" \"{asked}\""
        ))
        .out
    };
    let used = why("sell 1", "sell 2");
    assert!(
        used.contains("`main.market.stall` forbids `sell 2`"),
        "{used}"
    );
    assert!(used.contains("it may be used once, and was"), "{used}");
    // What the action itself asks is told alone.
    let refused = why("sell 2", "sell 2");
    assert!(refused.contains("`sell.few` forbids"), "{refused}");
    assert!(!refused.contains("once"), "{refused}");
    let open = why("buy", "sell 2");
    assert!(
        open.contains("is legal") && !open.contains("once"),
        "{open}"
    );
}

#[test]
fn rows_and_rings_are_found_on_boards() {
    holds(&format!("{FOLDER}/patterns.rules"));
}

#[test]
fn what_is_missing_is_no_member() {
    holds(&format!("{FOLDER}/what_is_missing.rules"));
}

#[test]
fn what_is_packed_slides_in_order() {
    holds(&format!("{FOLDER}/pack.rules"));
    adit(&format!("fmt --check {FOLDER}/pack.rules")).says(Exit::Yes, "");
}

#[test]
fn what_is_cleared_lies_as_before_play() {
    holds(&format!("{FOLDER}/clear.rules"));
    adit(&format!("fmt --check {FOLDER}/clear.rules")).says(Exit::Yes, "");
}

#[test]
fn what_goes_by_numbers_and_what_moves_together_is_all_of_it() {
    holds(&format!("{FOLDER}/numbers.rules"));
    adit(&format!("fmt --check {FOLDER}/numbers.rules")).says(Exit::Yes, "");
}

#[test]
fn expansions_bring_cases_and_reach_into_turns() {
    holds(&format!("{FOLDER}/more_cases.rules"));
    holds(&format!("{FOLDER}/other_turn.rules"));
    holds(&format!(
        "{FOLDER}/cases.rules --with {FOLDER}/other_turn.rules --with {FOLDER}/more_cases.rules"
    ));
    for name in ["cases", "more_cases", "other_turn"] {
        adit(&format!("fmt --check {FOLDER}/{name}.rules")).says(Exit::Yes, "");
    }
}

#[test]
fn a_loop_over_a_bag_takes_each_copy() {
    holds(&format!("{FOLDER}/copies.rules"));
}

#[test]
fn what_lies_deep_in_a_pile_is_counted_from_the_top() {
    holds(&format!("{FOLDER}/deep_in_piles.rules"));
    adit(&format!("fmt --check {FOLDER}/deep_in_piles.rules")).says(Exit::Yes, "");
}

#[test]
fn an_event_may_come_back_to_itself() {
    holds(&format!("{FOLDER}/chain.rules"));
    adit(&format!("fmt --check {FOLDER}/chain.rules")).says(Exit::Yes, "");
}

#[test]
fn a_zone_taken_as_a_whole_is_all_that_lies_in_it() {
    holds(&format!("{FOLDER}/everywhere.rules"));
    adit(&format!("fmt --check {FOLDER}/everywhere.rules")).says(Exit::Yes, "");
}

#[test]
fn a_house_rule_changes_rows_of_tables() {
    holds(&format!("{FOLDER}/rows.rules"));
    holds(&format!(
        "{FOLDER}/rows.rules --with {FOLDER}/other_rows.rules"
    ));
    for name in ["rows", "other_rows"] {
        adit(&format!("fmt --check {FOLDER}/{name}.rules")).says(Exit::Yes, "");
    }
    let rows = adit(&format!("--plain outline {FOLDER}/rows.rules"));
    for address in ["worth.3", "cost.wolf", "beats.wolf.2", "price.hare"] {
        assert!(
            rows.out.contains(&format!("{address}  ")),
            "{address}: {}",
            rows.out
        );
    }
}

#[test]
fn what_is_remembered_may_stand_in_the_block_of_a_reading() {
    let file = format!("{FOLDER}/history_item.rules");
    for set in ["", " --set repetition=thrice"] {
        holds(&format!("{file}{set}"));
    }
    let check = adit(&format!("--plain check {file}"));
    assert!(check.out.contains("0 errors, 0 warnings"), "{}", check.out);
    adit(&format!("fmt --check {file}")).says(Exit::Yes, "");
}

#[test]
fn a_track_in_a_block_of_a_list_lives_for_who_asks_it() {
    holds(&format!("{FOLDER}/list_tracks.rules"));
    let ran = adit(&format!(
        "--plain simulate {FOLDER}/list_tracks.rules --games 20"
    ));
    assert!(!ran.out.contains("fault"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_position_is_what_is_not_merely_counted() {
    holds(&format!("{FOLDER}/repeated.rules"));
    holds(&format!("{FOLDER}/repeated_of.rules"));
}

#[test]
fn amendments_hook_into_actions_and_take_them_away() {
    let file = format!("{FOLDER}/hooks.rules");
    holds(&file);
    let check = adit(&format!("--plain check {file}"));
    assert!(
        check.out.contains("0 warnings"),
        "{}{}",
        check.out,
        check.err
    );
    let late = adit(&format!("--plain check {FOLDER}/behind_turns.rules"));
    assert!(late.out.contains("E0412"), "{}{}", late.out, late.err);
}

#[test]
fn what_was_seen_to_go_into_a_pile_is_known_to_lie_in_it() {
    holds(&format!("{FOLDER}/known_in_piles.rules"));
}

#[test]
fn what_lies_in_a_place_with_fields_is_drawn_as_it_is_printed() {
    holds(&format!("{FOLDER}/lying.rules"));
    adit(&format!("fmt --check {FOLDER}/lying.rules")).says(Exit::Yes, "");
}

#[test]
fn what_a_parameter_is_drawn_from_is_cited() {
    let game = format!("--plain why-not {FOLDER}/cited.rules");
    let why = adit(&format!("{game} --moves \"visit one\" \"visit two\""));
    for said in [
        "visit.at  book B-2; open_to: book B-3",
        "book B-2 (All): a stall",
    ] {
        assert!(why.out.contains(said), "{}{}", why.out, why.err);
    }
}

#[test]
fn what_is_said_before_an_item_that_replaces_another_is_kept() {
    for (with, said) in [
        (String::new(), "Nothing is open any more."),
        (
            format!("--with {FOLDER}/cited_last.rules"),
            "Whoever began has won.",
        ),
    ] {
        let path = format!("{}/said.jsonl", env!("CARGO_TARGET_TMPDIR"));
        let _ = std::fs::remove_file(&path);
        let line = format!(
            "play {FOLDER}/cited.rules {with} --seats first,first --seed 1 --journal {path}"
        );
        adit(&line).says(Exit::Yes, said);
    }
}

#[test]
fn what_was_shown_may_be_told_in_words() {
    let file = format!("{FOLDER}/showdown.rules");
    holds(&file);
    adit(&format!("fmt --check {file}")).says(Exit::Yes, "");
}

#[test]
fn what_is_picked_is_a_set_of_kinds_however_few_are_picked() {
    holds(&format!("{FOLDER}/picked.rules"));
}

#[test]
fn what_changes_places_takes_its_fields_along() {
    holds(&format!("{FOLDER}/exchanged.rules"));
}

#[test]
fn boards_with_holes_have_coordinates_of_their_own() {
    holds(&format!("{FOLDER}/holes.rules"));
}

#[test]
fn towards_what_is_not_there_no_line_leads() {
    holds(&format!("{FOLDER}/edges.rules"));
}

//! What is told of a house rule where luck, the table or the length of games is another one.

use adit::cli::Exit;
use serde_json::Value;

use crate::command::{adit, adit_stopped};
use crate::tried::{file, value};

/// Who is dealt first changes no game but by luck; that luck fell otherwise is told.
#[test]
fn luck_that_falls_otherwise_is_told() {
    let other = "tests/fixtures/tried/from_behind.rules";
    for how in ["--games 30", "--prove 3"] {
        let told = value(&adit(&format!("--json try {other} {how}")));
        assert_eq!(told["luck"]["games"], told["luck"]["looked"], "{told}");
        assert_eq!(told["luck"]["place"], "hand[first_player]", "{told}");
        let ran = adit(&format!("--plain try {other} {how}"));
        assert!(ran.out.contains("may be luck alone"), "{}", ran.out);
    }
    // What is laid out otherwise by the rules is no luck, and the same deal is not told.
    let laid = file(
        "laid.rules",
        "variant laid \"Laid\" for kuhn { }\nreplace showdown { end won_by(first_player) }\n",
    );
    let told = value(&adit(&format!("--json try {laid} --games 30")));
    assert!(told["play"]["differ"].as_u64() > Some(0), "{told}");
    assert!(told.get("luck").is_none(), "{told}");
}

/// The seats stand in the header of the house rule, and there it is told.
#[test]
fn other_seats_are_told_where_they_are_written() {
    let three = file(
        "three.rules",
        "variant three \"Three\" for connect_four { seats yellow, red, green }\n",
    );
    let told = value(&adit(&format!("--json try {three} --games 1")));
    let clauses = told["clauses"].as_array().unwrap();
    let of: Vec<&Value> = clauses.iter().map(|it| &it["address"]).collect();
    assert_eq!(of, ["seats of the game"], "{told}");
    assert_eq!(clauses[0]["origin"], "three");
    let place = clauses[0]["place"].as_str().unwrap();
    assert!(place.ends_with("three.rules:1:9"), "{place}");
}

/// Most games of a rule set never end, and all of the other one: that is more than luck.
#[test]
fn more_games_without_an_end_than_before_are_a_no() {
    let game = |name: &str, most: u32, at: u32| {
        format!(
            "game {name} \"Walk\" {{ seats anna, bert }}\ntrack n: int = 0\n\
             action add() \"add\" {{ do {{ n += 1 }} }}\naction less() \"less\" {{ do {{ n -= 1 }} }}\n\
             flow main() {{ turns me from anna {{ choose me: add | less  if n == {at} or n == -{most} {{ end over }} }} }}\n\
             ending over() {{ winner anna }}\n"
        )
    };
    let [near, far] = [("near", 2), ("far", 40)];
    let near = file("near.rules", &game(near.0, near.1, 12));
    let far = file("far.rules", &game(far.0, far.1, 12));
    let how = "--games 60 --most-choices 60";
    let ran = adit(&format!("--json diff {near} {far} {how}"));
    let told = value(&ran);
    let left: Vec<u64> = told["play"]["overlong"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    assert!(left[0] > 0 && left[1] > left[0], "{left:?}");
    assert_eq!((ran.exit, &told["fine"]), (Exit::No, &Value::Bool(false)));
    let same = adit(&format!("diff {far} {far} {how}"));
    assert_eq!(same.exit, Exit::Yes);
    let other = adit(&format!("diff {far} {near} {how}"));
    assert_eq!(other.exit, Exit::Yes);
}

/// A proof begins in a position that both have.
#[test]
fn a_ruling_of_one_side_is_no_beginning_of_both() {
    let ran = adit("try no_take_back --prove 2 --from R-take-back");
    assert_eq!(ran.exit, Exit::Failure);
    assert!(
        ran.err.contains("only B has the ruling `R-take-back`"),
        "{}",
        ran.err
    );
    let ran = adit("try no_take_back --prove 2 --from R-nowhere");
    assert!(ran.err.contains("no ruling `R-nowhere`"), "{}", ran.err);
}

/// Whoever stops a measurement or a count is told what is known by then.
#[test]
fn what_is_measured_and_counted_can_be_stopped() {
    let ran = adit_stopped(0, "bench tic_tac_toe --seconds 3600");
    assert_eq!(ran.exit, Exit::Failure);
    assert!(ran.out.contains("random games"), "{}", ran.out);
    let ran = adit_stopped(100, "perft tic_tac_toe 9 --divide");
    ran.says(
        Exit::Failure,
        "d1 9\nd2 72\nd3 504\nstopped: d4 is not counted\n",
    );
    let ran = adit_stopped(100, "--json perft tic_tac_toe 9 --divide");
    let told = value(&ran);
    assert_eq!((ran.exit, told.get("divide")), (Exit::Failure, None));
    assert_eq!(told["counts"], serde_json::json!([9, 72, 504]));
}

/// What only says it in other words, or cites something else, is told as such.
#[test]
fn other_words_for_the_same_are_told() {
    let path = file(
        "texts.rules",
        "variant texts \"Texts\" for connect_four { }\nreplace drop.room = base else \"{c} has no room\"\n",
    );
    let ran = adit(&format!("--json try {path} --games 2"));
    let told = value(&ran);
    assert_eq!(told["same_rules"], true, "{told}");
    let clauses = told["clauses"].as_array().unwrap();
    let told: Vec<(&Value, &Value, &Value)> = clauses
        .iter()
        .map(|it| (&it["address"], &it["how"], &it["origin"]))
        .collect();
    let [address, how, origin] = ["drop.room", "worded", "texts"].map(Value::from);
    assert_eq!(told, [(&address, &how, &origin)]);
    let ran = adit(&format!("--plain try {path} --games 2"));
    let said = "~ clause drop.room";
    let line = ran.out.lines().find(|it| it.contains(said));
    let alone = "of texts, in words or citation alone";
    assert!(line.is_some_and(|it| it.ends_with(alone)), "{}", ran.out);
}

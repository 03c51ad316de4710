//! Two rule sets game by game: what is told of their difference is true.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use adit::lab::Paired;
use adit::lab::stats;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::command::{adit, adit_stopped, keep};
use crate::fixtures::width;

fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compared");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Cards are drawn and taken or left; points are what was taken.
const DRAWS: &str = r#"game draws "Draws" { seats a, b }
component Card { rank: 1..30 }
zone deck: pile of Card hidden
zone shown: one Card open
zone gone: bag of Card open
track points[seat]: 0..999 = 0
show points as "points"
supply every Card in deck
action take() "take" { do { win(me, shown.rank) } }
event win(s: seat, n: 1..30) { points[s] += n }
flow main() {
    turns me from a {
        if empty deck { end done() }
        move top of deck to shown
        choose me: take | leave "leave" { }
        move shown to gone
    }
}
ending done() { ranking seat by points[it] }
"#;

fn draws() -> String {
    file("draws.rules", DRAWS)
}

fn amendment(name: &str, edits: &str) -> String {
    let text = format!("variant {name} \"{name}\" for draws {{ }}\n{edits}\n");
    file(&format!("{name}.rules"), &text)
}

fn told(line: &str) -> Value {
    let ran = adit(&format!("--json {line}"));
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

fn row(told: &Value, of: &str) -> (f64, f64, f64) {
    let rows = told["rows"].as_array().unwrap().iter();
    let mut rows = rows.filter(|it| it["of"] == of || it["what"] == of);
    let row = rows.next().unwrap_or_else(|| panic!("{told}"));
    let number = |name: &str| row[name].as_f64().unwrap();
    (number("more"), number("low"), number("high"))
}

#[test]
fn any_number_of_threads_tells_the_same() {
    let (game, bonus) = (
        draws(),
        amendment("bonus", "insert after win { points[a] += 1 }"),
    );
    let line = format!("--json compare {game} {bonus} --games 100 --jobs");
    let all = [1, 2, 7].map(|jobs| adit(&format!("{line} {jobs}")).out);
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
}

/// What changes nothing differs in no game; what adds the same to each game differs by exactly that.
#[test]
fn what_is_known_exactly_is_told_exactly() {
    let game = draws();
    let idle = amendment(
        "idle",
        "insert after win { if points[s] > 900 { points[a] = 0 } }",
    );
    let ran = told(&format!("compare {game} {idle} --games 200"));
    assert_eq!(
        (&ran["judged"], &ran["differ"]),
        (&Value::from(200), &Value::from(0))
    );
    assert_eq!(row(&ran, "choices"), (0.0, 0.0, 0.0));
    assert_eq!(row(&ran, "a").0, 0.0);
    // None in 200 pairs: no more than about three in 200.
    assert!((0.0137..0.0138).contains(&row(&ran, "a").2), "{ran}");
    let more = amendment("more", "insert before done { points[a] += 7 }");
    let ran = told(&format!("compare {game} {more} --games 200"));
    assert_eq!(row(&ran, "points, a"), (7.0, 7.0, 7.0));
    assert_eq!(row(&ran, "points, b"), (0.0, 0.0, 0.0));
    assert_eq!(ran["differ"], 200);
}

/// The same games, chance and choices, are compared: a small change is found where luck would hide it.
#[test]
fn pairs_are_worth_many_games() {
    let (game, last) = (
        draws(),
        amendment("last", "insert after win { if n == 30 { points[s] += 2 } }"),
    );
    let ran = told(&format!("compare {game} {last} --games 300"));
    let rows = ran["rows"].as_array().unwrap();
    let points = rows.iter().find(|it| it["of"] == "points, a").unwrap();
    assert!(points["worth"].as_f64().unwrap() > 100.0, "{points}");
    assert!(points["luck"].as_f64().unwrap() < 0.001, "{points}");
}

#[test]
fn both_sides_are_told_in_lines_and_in_json() {
    let game = "compare tests/fixtures/simulated/coins.rules --but-with tests/fixtures/simulated/gifts.rules --games 200";
    keep("simulate", "compared", game);
    keep("simulate", "compared_plain", &format!("--plain {game}"));
    keep("simulate", "compared_json", &format!("--json {game}"));
    keep(
        "simulate",
        "compared_tunnels",
        "compare tunnels breather --games 48",
    );
}

#[test]
fn one_rule_set_is_not_compared_with_itself() {
    let game = "rules/classics/tic_tac_toe.rules";
    adit(&format!("compare {game}")).complains(Exit::Failure, "J0942");
    let ran = adit("compare tunnels --set hand_limit=3 --but-set hand_limit=3");
    ran.complains(Exit::Failure, "J0942");
    let other = "rules/classics/whist.rules";
    adit(&format!("compare {game} {other}")).complains(Exit::Failure, "J0926");
}

#[test]
fn a_setting_of_the_second_side_goes_before_that_of_both() {
    let ran = told("compare tunnels --set hand_limit=3 --but-set hand_limit=4 --games 2");
    assert_eq!(ran["a"]["set"]["hand_limit"], "3");
    assert_eq!(ran["b"]["set"]["hand_limit"], "4");
}

#[test]
fn who_asks_to_stop_is_told_what_is_known() {
    let (game, more) = (
        draws(),
        amendment("stopped", "insert before done { points[a] += 7 }"),
    );
    let ran = adit_stopped(
        5,
        &format!("compare {game} {more} --games 100000000 --jobs 1"),
    );
    ran.says(Exit::Yes, "stopped: this is what is known");
}

/// The interval of a difference of shares holds it in about 95 % of all runs, also where few pairs differ.
#[test]
fn differences_of_shares_are_as_sure_as_they_say() {
    let runs = width(1_500, 6_000, 30_000);
    let mut words = ChaCha8Rng::seed_from_u64(77);
    let mut number = || words.next_u64() as f64 / u64::MAX as f64;
    for (only_first, only_second, pairs) in [(0.01, 0.01, 300), (0.02, 0.06, 200), (0.2, 0.25, 100)]
    {
        let mut held = 0;
        for _ in 0..runs {
            let mut paired = Paired::default();
            for _ in 0..pairs {
                let it = number();
                paired.add(match it {
                    it if it < only_first => [1, 0],
                    it if it < only_first + only_second => [0, 1],
                    it if it < 0.7 => [1, 1],
                    _ => [0, 0],
                });
            }
            held += u64::from(paired.more_share_interval().holds(only_second - only_first));
        }
        let share = held as f64 / runs as f64;
        // Of shares as small as these an interval can only be too wide.
        let most = if only_first < 0.02 { 0.995 } else { 0.985 };
        assert!(
            (0.935..=most).contains(&share),
            "{share} at {only_first}, {only_second}"
        );
    }
}

#[test]
fn the_gain_of_pairs_is_that_of_the_variances() {
    let mut paired = Paired::default();
    for (a, b) in [(1, 2), (2, 3), (3, 5), (4, 4), (5, 6)] {
        paired.add([a, b]);
    }
    // Variances 2.5 and 2.5 apart, 0.5 of the differences.
    assert_eq!(paired.means(), Some([3.0, 4.0]));
    assert_eq!(paired.more(), Some(1.0));
    assert_eq!(paired.gain(), Some((2.5 + 2.5) / 0.5));
    let radius = paired.more_interval().radius();
    assert!((radius - stats::quantile(0.975) * (0.5_f64 / 5.0).sqrt()).abs() < 1e-12);
}

//! Two rule sets game by game: what is told of their difference is true.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use adit::lab::Paired;
use adit::stats;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::Value;

use crate::command::{adit, adit_stopped, keep};
use crate::fixtures::width;

fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("compared");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    // Other tests read the same files meanwhile.
    let fresh = folder.join(format!("{name} {:?}", std::thread::current().id()));
    fs::write(&fresh, text).unwrap();
    fs::rename(fresh, &path).unwrap();
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
    ran.says(Exit::Failure, "stopped: this is what is known");
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

/// Whoever looks at a difference after every 256 pairs is misled in at most 5 % of all runs; a difference of four games in a
/// hundred is found.
#[test]
fn who_looks_often_at_a_difference_is_not_misled() {
    let runs = width(60, 400, 2_000);
    let mut words = ChaCha8Rng::seed_from_u64(19);
    let mut number = || words.next_u64() as f64 / u64::MAX as f64;
    // How often only the first one wins, and only the second one; all others win both or neither.
    for (only, is_there) in [([0.1, 0.1], false), ([0.08, 0.12], true)] {
        let mut called = 0_u64;
        for _ in 0..runs {
            let mut paired = Paired::default();
            let found = (0..80).any(|_| {
                for _ in 0..256 {
                    let it = number();
                    paired.add(match it {
                        it if it < only[0] => [1, 0],
                        it if it < only[0] + only[1] => [0, 1],
                        _ => [1, 1],
                    });
                }
                paired.more_sequence(1).is_some_and(|it| !it.holds(0.0))
            });
            called += u64::from(found);
        }
        match is_there {
            false => assert!(called * 20 <= runs, "{called} of {runs}"),
            true => assert!(called * 10 >= runs * 9, "{called} of {runs}"),
        }
    }
}

/// What is told of both sides is what the lines of the pairs come to, read by somebody else.
#[test]
fn the_lines_of_the_pairs_come_to_what_is_told() {
    let (game, dear) = (
        draws(),
        amendment("dear", "insert after win { if n > 15 { points[s] += 4 } }"),
    );
    let (table, picture) = (file("pairs.csv", ""), file("pairs.svg", ""));
    let told = told(&format!(
        "compare {game} {dear} --games 120 --jobs 2 --csv {table} --svg {picture}"
    ));
    let table = fs::read_to_string(table).unwrap();
    let mut lines = table.lines().map(|it| it.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let rows: Vec<Vec<&str>> = lines.collect();
    assert_eq!(rows.len(), 120);
    let column = |name: &str| {
        let at = head.iter().position(|it| *it == name);
        let at = at.unwrap_or_else(|| panic!("{name}: {head:?}"));
        rows.iter().map(move |it| it[at].parse::<f64>().unwrap())
    };
    let mean = |numbers: &mut dyn Iterator<Item = f64>| numbers.sum::<f64>() / 120.0;
    let rows_told = told["rows"].as_array().unwrap();
    let is = |of: &str, side: &str, own: f64| {
        let row = rows_told
            .iter()
            .find(|it| it["of"] == of || it["what"] == of);
        let found = row.unwrap_or_else(|| panic!("{of}: {told}"))[side]
            .as_f64()
            .unwrap();
        assert!(
            (found - own).abs() < 1e-5,
            "{of} {side}: {found}, not {own}"
        );
    };
    for (side, name) in [("a", "A"), ("b", "B")] {
        is(
            "choices",
            side,
            mean(&mut column(&format!("{name} choices"))),
        );
        for seat in ["a", "b"] {
            let figure = column(&format!("{name} figure 1 {seat}"));
            is(
                &format!("points, {seat}"),
                side,
                mean(&mut figure.into_iter()),
            );
            let other = if seat == "a" { "b" } else { "a" };
            let own = column(&format!("{name} place {seat}"));
            let alone = own.zip(column(&format!("{name} place {other}")));
            let won = alone.map(|(own, other)| f64::from(u8::from(own == 1.0 && other > 1.0)));
            is(seat, side, mean(&mut won.into_iter()));
        }
    }
    let alike = rows.iter().filter(|it| {
        let half = (it.len() - 1) / 2;
        it[1..=half] == it[half + 1..]
    });
    // Other choices of the same length may come to the same.
    assert!(
        120 - alike.count() as u64 <= told["differ"].as_u64().unwrap(),
        "{told}"
    );
    let picture = fs::read_to_string(picture).unwrap();
    assert!(picture.contains("B: choices of a game"), "{picture}");
}

#[test]
fn a_difference_is_decided_or_not() {
    let (game, gift) = (
        draws(),
        amendment("gift", "insert before done { points[a] += 60 }"),
    );
    let line =
        |games: u64| format!("compare {game} {gift} --until decided --games {games} --jobs 2");
    let ran = adit(&format!("--json {}", line(20_000)));
    let known: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (ran.exit, &known["decided"]),
        (Exit::Yes, &Value::from(true)),
        "{known}"
    );
    assert!(known["games"].as_u64() < Some(20_000), "{known}");
    let few = adit(&line(16));
    few.says(Exit::No, "not decided");
    adit(&line(20_000)).says(Exit::Yes, "decided: who chooses first");
    let close = told(&format!("compare {game} {gift} --until 5% --games 20000"));
    assert_eq!(close["left"], "enough");
    let rows = close["rows"].as_array().unwrap();
    for row in rows.iter().filter(|it| it["what"] == "wins") {
        let [low, high] = ["low", "high"].map(|it| row[it].as_f64().unwrap());
        assert!(high - low <= 0.1, "{row}");
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

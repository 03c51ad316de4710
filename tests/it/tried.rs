//! What a house rule changes: what is told of it is true, and the lines that show it do.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use serde_json::Value;

use crate::command::{Ran, adit, adit_stopped, keep};
use crate::fixtures::width;

/// Each test has a folder of its own: it writes the same files as others.
pub fn file(name: &str, text: &str) -> String {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("tried").replace("::", "_");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Two take stones from a heap; who takes the last one wins. A die says how many there are, and what is taken scores.
pub const HEAP: &str = include_str!("../fixtures/tried/heap.rules");

pub fn heap() -> String {
    file("heap.rules", HEAP)
}

pub fn rule(name: &str, edits: &str) -> String {
    heap();
    let text = format!("variant {name} \"{name}\" for heap {{ }}\n{edits}\n");
    file(&format!("{name}.rules"), &text)
}

pub fn value(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

/// House rules of every sort, and what is said of each: how the first difference looks, and the exit.
const RULES: [(&str, &str, &str, Exit); 14] = [
    (
        "no_three",
        "forbid take(n) label three when n == 3 because \"no three\"",
        "forbids",
        Exit::Yes,
    ),
    (
        "four",
        "replace action take(n in 1..4) \"take {n}\" { require enough: n <= heap  do { lift(me, min { n, 3 }) } }",
        "permits",
        Exit::Yes,
    ),
    (
        "pass",
        "action pass() \"pass\" { }\nadd choice to main.take: pass",
        "permits",
        Exit::Yes,
    ),
    (
        "instead",
        "action pass() \"pass\" { }\nadd choice to main.take: pass\nforbid take(n) label two when n == 2",
        "both",
        Exit::Yes,
    ),
    (
        "bo_first",
        "replace track first: seat = bo",
        "chooser",
        Exit::Yes,
    ),
    (
        "short",
        "insert after lift { if heap <= 2 { end over() } }",
        "over",
        Exit::Yes,
    ),
    (
        "double",
        "insert after lift { points[s] += n }",
        "end",
        Exit::Yes,
    ),
    (
        "fewest",
        "replace over { ranking seat by 0 - points[it] }",
        "end",
        Exit::Yes,
    ),
    (
        "broken",
        "insert after lift { if heap == 2 { heap -= 3 } }",
        "fault",
        Exit::No,
    ),
    (
        "endless",
        "insert after lift { heap += n }",
        "permits",
        Exit::No,
    ),
    (
        "seldom",
        "forbid take label never when points[ann] > 100",
        "",
        Exit::Yes,
    ),
    ("title", "replace main.deal { base() }", "", Exit::Yes),
    (
        "larger",
        "replace main.deal { choose chance n in 4..9  heap = n }",
        "",
        Exit::Yes,
    ),
    (
        "worth_of",
        "table worth[1..3]: 1..9 { 1: 1  2: 5  3: 1 }\nreplace lift { heap -= n  points[s] += worth[n] }",
        "end",
        Exit::Yes,
    ),
];

fn rules() -> Vec<(String, &'static str, &'static str, Exit)> {
    let files = RULES.iter();
    let files = files.map(|(name, edits, first, exit)| (rule(name, edits), *name, *first, *exit));
    files.collect()
}

#[test]
fn each_house_rule_gets_its_verdict() {
    for (path, name, first, exit) in rules() {
        let ran = adit(&format!("--json try {path} --games 40 --most-choices 300"));
        let told = value(&ran);
        assert_eq!(ran.exit, exit, "{name}: {told}");
        if name == "larger" {
            // Other luck is another game: what differs first is by chance.
            assert!(told["play"]["differ"].as_u64().unwrap() > 0, "{told}");
            continue;
        }
        let kind = told["first"]["kind"].as_str().unwrap_or("");
        assert_eq!(kind, first, "{name}: {told}");
        let differ = told["play"]["differ"].as_u64();
        assert_eq!(
            differ.is_some_and(|it| it > 0),
            !first.is_empty(),
            "{name}: {told}"
        );
    }
}

/// What is told of the clauses is what was written, and nothing around it.
#[test]
fn the_clauses_that_differ_are_those_that_were_written() {
    let told = |name: &str, edits: &str| {
        let path = rule(name, edits);
        let told = value(&adit(&format!("--json try {path} --games 1")));
        let clauses = told["clauses"].as_array().unwrap().iter();
        let clauses = clauses.map(|it| {
            let word = |name: &str| it[name].as_str().unwrap().to_owned();
            format!("{} {}", word("how"), word("address"))
        });
        clauses.collect::<Vec<String>>()
    };
    let cases = [
        (
            "pass",
            "action pass() \"pass\" { }\nadd choice to main.take: pass",
            &["added main.take.pass", "added pass"][..],
        ),
        (
            "lifted",
            "insert after lift { points[s] += n }",
            &["changed lift"],
        ),
        (
            "dealt",
            "replace main.deal { heap = 5 }",
            &["changed main.deal"],
        ),
        (
            "at_first",
            "insert before main.deal { heap = 5 }",
            &["changed main"],
        ),
        ("unbound", "remove take.enough", &["removed take.enough"]),
        (
            "too_late",
            "forbid take label never when heap < 0",
            &["added take.never"],
        ),
    ];
    for (name, edits, changes) in cases {
        assert_eq!(told(name, edits), changes, "{name}");
    }
}

/// A line that is kept goes to its end under one side alone: under the other one it differs where it is said to.
#[test]
fn a_line_that_is_kept_is_legal_under_one_side_alone() {
    let heap = heap();
    for (path, name, first, _) in rules() {
        if first.is_empty() || first == "fault" {
            continue;
        }
        let line = file(&format!("{name}.jsonl"), "");
        let ran = adit(&format!(
            "--json try {path} --games 40 --most-choices 300 --save {line}"
        ));
        assert_ne!(ran.exit, Exit::Failure, "{name}: {}", ran.err);
        let own = adit(&format!("replay {line}"));
        assert_eq!(own.exit, Exit::Yes, "{name}: {}{}", own.out, own.err);
        let of_a = ["forbids", "both", "chooser", "over"].contains(&first);
        let other = if of_a { &path } else { &heap };
        let foreign = adit(&format!("replay {line} --under {other}"));
        assert_eq!(
            foreign.exit,
            Exit::No,
            "{name} under {other}: {}",
            foreign.out
        );
    }
}

#[test]
fn any_number_of_threads_tells_the_same() {
    let path = rule("no_three", RULES[0].1);
    let all =
        [1, 2, 7].map(|jobs| adit(&format!("--json try {path} --games 100 --jobs {jobs}")).out);
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
}

#[test]
fn a_search_that_is_stopped_tells_what_is_known() {
    let path = rule("no_three", RULES[0].1);
    let ran = adit_stopped(3, &format!("try {path} --games 1000000 --jobs 1"));
    ran.says(Exit::Failure, "stopped: this is what is known");
    let same = rule("none_more", "forbid take(n) label more when n > heap");
    let ran = adit_stopped(0, &format!("try {same} --prove 30"));
    ran.says(Exit::Failure, "it was stopped");
}

/// The move that a fault answers belongs to the line, and so does what chance gave upon it.
#[test]
fn a_line_to_a_fault_is_kept_with_its_last_move() {
    file(
        "twice.rules",
        "game twice \"T\" { seats anna, bert }\ntrack n: 0..9 = 0\n\
         action go(k in 1..2) \"go {k}\" { do { n += k } }\n\
         flow main() { choose anna: go  choose bert: go  choose anna: go  end over() }\n\
         ending over() { winner none }\n",
    );
    for (edit, code) in [
        (
            "forbid go(k) label full when n == 4 because \"full\"",
            "F0802",
        ),
        (
            "insert after go { if n == 4 { choose chance e in 0..1  n = n / e } }",
            "F0807",
        ),
    ] {
        let text = format!("variant stuck \"S\" for twice {{ }}\n{edit}\n");
        let path = file("stuck.rules", &text);
        let kept = file("stuck.jsonl", "");
        fs::remove_file(&kept).unwrap();
        let ran = adit(&format!("try {path} --prove 4 --save {kept}"));
        assert!(ran.out.contains("bert: go 2"), "{}{}", ran.out, ran.err);
        let replayed = adit(&format!("replay {kept}"));
        assert!(
            replayed.err.contains(code),
            "{}{}",
            replayed.out,
            replayed.err
        );
    }
}

/// What is proven of a rule is what following every line by hand comes to.
#[test]
fn what_is_proven_holds() {
    let proven = |name: &str, edits: &str, more: &str| {
        let path = rule(name, edits);
        let ran = adit(&format!("--json try {path} --prove {more}"));
        (value(&ran)["all_lines"].clone(), ran.exit)
    };
    // Never more than seven stones: two rules that are dead.
    let dead = [
        ("dead", "forbid take label dead when heap > 7"),
        ("idle", "insert after lift { if heap > 20 { heap = 0 } }"),
    ];
    for (name, edits) in dead {
        let (told, exit) = proven(name, edits, "20");
        assert_eq!(
            (told["verdict"].as_str(), exit),
            (Some("same"), Exit::Yes),
            "{told}"
        );
        let (told, _) = proven(name, edits, "3");
        assert_eq!(told["verdict"], "proven", "{told}");
        let (told, exit) = proven(name, edits, "20 --pairs 5");
        assert_eq!(
            (told["verdict"].as_str(), exit),
            (Some("open"), Exit::No),
            "{told}"
        );
    }
    // Rules that are alive, and behind how many choices.
    let live = [
        ("no_three", RULES[0].1, 0),
        (
            "at_four",
            "forbid take(n) label four when heap == 4 and n == 2 and points[ann] > 0 and points[bo] > 0",
            2,
        ),
        (
            "last",
            "insert after lift { if heap == 0 { points[s] += 1 } }",
            2,
        ),
    ];
    for (name, edits, depth) in live {
        let (told, _) = proven(name, edits, "20");
        assert_eq!(told["verdict"], "differs", "{name}: {told}");
        assert_eq!(told["depth"], depth, "{name}: {told}");
    }
    let (told, _) = proven("no_three", RULES[0].1, "4 --from R-all");
    assert_eq!(
        (told["depth"].as_u64(), &told["only_a"][0]),
        (Some(0), &Value::from("take 3")),
        "{told}"
    );
}

#[test]
fn what_is_told_is_shown() {
    let folder = "tests/fixtures/tried";
    keep(
        "tried",
        "forbids",
        &format!("try {folder}/no_three.rules --games 40"),
    );
    keep(
        "tried",
        "plain",
        &format!("--plain try {folder}/no_three.rules --games 40"),
    );
    keep(
        "tried",
        "fault",
        &format!("try {folder}/broken.rules --games 40"),
    );
    keep(
        "tried",
        "end",
        &format!("try {folder}/double.rules --games 40"),
    );
    keep(
        "tried",
        "nothing",
        &format!("try {folder}/seldom.rules --games 40"),
    );
    keep(
        "tried",
        "dead",
        &format!("try {folder}/seldom.rules --prove 20"),
    );
    keep(
        "tried",
        "proven",
        &format!("try {folder}/no_three.rules --prove 20"),
    );
    keep(
        "tried",
        "diff",
        &format!(
            "diff {folder}/heap.rules {folder}/heap.rules --but-with {folder}/double.rules --games 20"
        ),
    );
    keep(
        "tried",
        "same",
        &format!("diff {folder}/heap.rules {folder}/heap.rules"),
    );
    keep("tried", "no_rule", &format!("try {folder}/heap.rules"));
}

/// The amendments that are shipped: a line that is kept shows each.
#[test]
fn the_amendments_that_come_with_the_program_differ_as_they_say() {
    let games = width(3, 10, 200);
    // What is forbidden leaves somebody without a choice now and then.
    let forbids = ["forbids", "chooser", "over"];
    let expected = [
        ("no_block", &forbids[..]),
        ("own_follower", &forbids),
        ("both_at_once", &[]),
        ("magazine", &[]),
    ];
    for (name, kinds) in expected {
        let ran = adit(&format!("--json try {name} --games {games}"));
        let told = value(&ran);
        assert_eq!(ran.exit, Exit::Yes, "{name}: {told}");
        let choices = told["play"]["choices"].as_object().unwrap();
        let told_so = |it: &String| kinds.is_empty() || kinds.contains(&it.as_str());
        assert!(choices.keys().all(told_so), "{name}: {told}");
    }
}

const LADDER: &str = include_str!("../fixtures/tried/ladder.rules");

/// What random games come to once in many thousands, games that are led come to soon; what is dead they do not find.
#[test]
fn rare_differences_are_found() {
    file("ladder.rules", LADDER);
    let cases = [
        (
            "both_high",
            "forbid up label both_high when height[ann] == 33 and height[bo] == 33",
            Some("forbids"),
        ),
        (
            "fall",
            "insert after climb { if height[ann] > 32 and height[bo] > 32 { height[s] = 20 } }",
            Some("end"),
        ),
        ("above", "forbid up label above when height[me] > 40", None),
        (
            "below",
            "insert after climb { if height[s] < 1 { height[s] = 20 } }",
            None,
        ),
    ];
    for (name, edits, kind) in cases {
        let text = format!("variant {name} \"{name}\" for ladder {{ }}\n{edits}\n");
        let path = file(&format!("{name}.rules"), &text);
        let line = file(&format!("{name}.jsonl"), "");
        let save = if kind.is_some() {
            format!(" --save {line}")
        } else {
            String::new()
        };
        let ran = adit(&format!("--json try {path}{save}"));
        let told = value(&ran);
        assert_eq!(ran.exit, Exit::Yes, "{name}: {told}");
        assert_eq!(told["play"]["differ"], 0, "{name}: {told}");
        assert_eq!(told["led"]["found"], kind.is_some(), "{name}: {told}");
        assert_eq!(told["first"]["kind"].as_str(), kind, "{name}: {told}");
        if kind.is_some() {
            let own = adit(&format!("replay {line}"));
            assert_eq!(own.exit, Exit::Yes, "{name}: {}{}", own.out, own.err);
            let jobs = [1, 2, 7].map(|jobs| adit(&format!("--json try {path} --jobs {jobs}")).out);
            assert_eq!(jobs[0], jobs[1], "{name}");
            assert_eq!(jobs[0], jobs[2], "{name}");
        }
    }
    let folder = "tests/fixtures/tried";
    keep("tried", "led", &format!("try {folder}/both_high.rules"));
}

//! What a house rule changes: what is told of it is true, and the lines that show it do.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use serde_json::Value;

use crate::command::{Ran, adit, adit_stopped, keep};
use crate::fixtures::width;

/// Each test has a folder of its own: it writes the same files as others.
fn file(name: &str, text: &str) -> String {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("tried").replace("::", "_");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Two take stones from a heap; who takes the last one wins. A die says how many there are, and what is taken scores.
const HEAP: &str = include_str!("../fixtures/tried/heap.rules");

fn heap() -> String {
    file("heap.rules", HEAP)
}

fn rule(name: &str, edits: &str) -> String {
    heap();
    let text = format!("variant {name} \"{name}\" for heap {{ }}\n{edits}\n");
    file(&format!("{name}.rules"), &text)
}

fn value(ran: &Ran) -> Value {
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
    let games = width(3, 60, 200);
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

/// The same choices, and another game: what was hidden lies open.
#[test]
fn what_is_laid_open_is_no_proof_of_the_same_game() {
    let open = file(
        "open.rules",
        "variant open_cards \"Open cards\" for kuhn { }\n\
         insert after main.deal { for each s in seat { show hand[s] to all } }\n",
    );
    let told = value(&adit(&format!("--json try {open} --games 30")));
    let sights = &told["play"]["sights"];
    assert_eq!(told["play"]["differ"], 0, "{told}");
    assert!(sights["looked"].as_u64() > Some(20), "{sights}");
    // Where nobody folds, all hands lie open in the end under both.
    assert!(sights["differ"].as_u64() > Some(20), "{sights}");
    assert!(sights["looked"].as_u64() > sights["differ"].as_u64());
    let ran = adit(&format!("--plain try {open} --prove 9"));
    assert!(ran.out.contains("the same moves:"), "{}", ran.out);
    let said = "first_player sees of hand[second_player] more under B than under A";
    assert!(ran.out.contains(said), "{}", ran.out);
    // The other way round, and with nothing laid open.
    let ran = adit(&format!("--plain diff {open} kuhn_poker --games 30"));
    assert!(ran.out.contains("more under A than under B"), "{}", ran.out);
    let idle = file(
        "idle.rules",
        "variant idle \"Idle\" for kuhn { }\ntrack n: 0..1 = 0 hidden\ninsert after main.deal { n = 1 }\n",
    );
    let ran = adit(&format!("--plain try {idle} --prove 9"));
    assert!(ran.out.contains("the same game:"), "{}", ran.out);
    assert!(
        ran.out
            .contains("who sees and knows what is the same in 54"),
        "{}",
        ran.out
    );
}

/// Two hold a card each that nobody else sees.
const CARDS: &str = "game cards \"Cards\" { seats anna, bert }
component Card { v: 1..3 }
show Card as \"{v}\"
zone deck: bag of Card hidden
zone hand[seat]: bag of Card seen by owner
zone out: bag of Card open
supply every Card in deck
track looks: 0..9 = 0
action look() \"look\" { do { looks += 1 } }
action rest() \"rest\" { }
flow main() {
    step deal { for each s in seat { draw 1 of deck to hand[s] } }
    step play { turns me from anna once { choose me: look | rest } }
    end over
}
ending over() { winner none }
";

/// What a seat sees elsewhere, in a track of its own, when the game is over, or only remembers is no less a difference.
#[test]
fn what_seats_come_to_know_is_compared_wherever_it_lies() {
    file("cards.rules", CARDS);
    for (name, edits, said) in [
        (
            "laid",
            "insert after look { move all of hand[me] to out }",
            "bert knows where more of Card",
        ),
        (
            "noted",
            "track note[seat]: 1..3 or none = none\ninsert after look { note[me] = first({ c.v for c in hand[me] }) }",
            "which only B has",
        ),
        (
            "bared",
            "insert after main.play { for each s in seat { show hand[s] to all } }",
            "anna sees of hand[bert] more under B than under A",
        ),
    ] {
        let text = format!("variant {name} \"{name}\" for cards {{ }}\n{edits}\n");
        let rule = file(&format!("{name}.rules"), &text);
        for how in ["--games 30", "--prove 9"] {
            let ran = adit(&format!("--plain try {rule} {how}"));
            assert!(ran.out.contains(said), "{name}: {}{}", ran.out, ran.err);
        }
        let proof = adit(&format!("--plain try {rule} --prove 9")).out;
        assert!(proof.contains("the same moves:"), "{proof}");
        let told = value(&adit(&format!("--json try {rule} --prove 9")));
        assert_eq!(told["all_lines"]["verdict"], "moves", "{told}");
    }
}

/// A hand that only its owner sees is not before everybody's eyes, whatever the words of the position hold.
#[test]
fn what_lies_open_is_what_everybody_sees() {
    let rule = file(
        "turned.rules",
        "variant turned \"Turned\" for kuhn { }\n\
         replace main.deal { for each s in seat backwards { draw 1 of deck to hand[s] } }\n",
    );
    let told = value(&adit(&format!("--json try {rule} --games 30")));
    assert_eq!(told["first"]["kind"], "end", "{told}");
    let places = told["first"]["apart"]["places"].to_string();
    assert!(!places.contains("hand"), "{told}");
}

/// Steps that are written alike are told apart by their addresses.
#[test]
fn of_steps_that_are_alike_only_the_changed_one_is_told() {
    file(
        "steps.rules",
        "game steps \"Steps\" { seats anna, bert }\n\
         track n: 0..99 = 0\n\
         action a() \"a\" { do { n += 1 } }\naction b() \"b\" { do { n += 2 } }\n\
         flow main() {\n    step one { choose anna: a | b }\n    step two { choose anna: a | b }\n    \
         step three { choose bert: a | b }\n    end over\n}\n\
         ending over() { ranking seat by n }\n",
    );
    for (edit, changes) in [
        ("remove main.one.b", vec!["main.one.b"]),
        ("replace main.two { choose anna: a }", vec!["main.two.b"]),
        (
            "replace main.three { choose anna: a | b }",
            vec!["main.three"],
        ),
    ] {
        let rule = file(
            "edit.rules",
            &format!("variant edit \"Edit\" for steps {{ }}\n{edit}\n"),
        );
        let told = value(&adit(&format!("--json try {rule} --games 2")));
        let clauses = told["clauses"].as_array().unwrap();
        let told: Vec<&str> = clauses
            .iter()
            .filter_map(|it| it["address"].as_str())
            .collect();
        assert_eq!(told, changes, "{edit}");
    }
}

/// A rule without an end is told as such behind a few games, in each command that plays many.
#[test]
fn games_without_an_end_are_left_off() {
    // Each such game takes all the work that it may.
    if cfg!(debug_assertions) {
        return;
    }
    let endless = rule(
        "endless",
        "insert after lift { while points[s] < 99 { points[s] = 0 } }",
    );
    let heap = heap();
    for line in [
        format!("try {endless}"),
        format!("compare {heap} --but-with {endless} --games 1000"),
        format!("simulate {heap} --with {endless} --games 1000"),
    ] {
        let ran = adit(&format!("--plain {line}"));
        assert_eq!(ran.exit, Exit::No, "{line}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("left off"), "{line}: {}", ran.out);
        assert!(ran.out.contains("run out of work"), "{line}: {}", ran.out);
    }
    let line = format!("--json simulate {heap} --with {endless} --games 1000 --until decided");
    assert_eq!(value(&adit(&line))["left"], "endless");
}

/// Of an option that a house rule brings one value is looked at, and that is said.
#[test]
fn values_of_an_option_that_were_not_looked_at_are_told() {
    let option =
        "option limit: 1..3 = 3 \"how many may be taken\"\nforbid take(n) label few when n > limit";
    let ran = adit(&format!(
        "--plain try {} --games 5",
        rule("limited", option)
    ));
    let said = "looked at with limit = 3 alone; `--set limit=...` looks at another";
    assert!(ran.out.contains(said), "{}", ran.out);
}

/// A draw and a game that all have lost are two ends, though nobody is better there.
#[test]
fn all_that_lose_have_not_drawn() {
    let lost = file(
        "lost.rules",
        "variant lost \"All lose\" for tic_tac_toe { }\nreplace ending full() { winner {} }\n",
    );
    let told = value(&adit(&format!("--json try {lost} --games 30")));
    assert!(told["play"]["differ"].as_u64() > Some(0), "{told}");
    assert_eq!(told["play"]["differ"], told["play"]["other_places"]);
    let ran = adit(&format!("--plain try {lost} --games 30"));
    assert!(ran.out.contains("B: full, nobody wins"), "{}", ran.out);
    let ran = adit(&format!("--plain try {lost} --prove 9"));
    assert!(ran.out.contains("both end otherwise"), "{}", ran.out);
    let pairs = value(&adit(&format!(
        "--json compare tic_tac_toe --but-with {lost} --games 30"
    )));
    assert_eq!(pairs["differ"], told["play"]["differ"], "{pairs}");
}

/// Partners win and lose as one, also where players are compared.
#[test]
fn partners_are_no_rivals() {
    let line = "--json simulate whist --seats greedy,random,greedy,random --games 12";
    let told = value(&adit(line));
    let players = told["players"].as_array().unwrap();
    assert_eq!(players[0]["alone"], players[2]["alone"], "{told}");
    assert_eq!(players[0]["shared"], 0, "{told}");
    let won = |at: usize| players[at]["alone"].as_u64().unwrap();
    assert_eq!(won(0) + won(1), 12, "{told}");
}

/// What an amendment leaves without anything that leads to it is told, and what `adit check` says of it alone.
#[test]
fn what_died_and_what_is_said_of_it_is_told() {
    let path = rule(
        "dead",
        "replace main.take { lift(ann, 1)  end over() }\nevent shrink() { points[ann] = 0 }\ninsert after main.deal { shrink() }\nforbid shrink() label never",
    );
    let ran = adit(&format!("try {path} --games 2 --plain"));
    let out = &ran.out;
    assert!(out.contains("dead      action take  "), "{out}");
    assert!(out.contains("checked   B: E0681 "), "{out}");
    let told = value(&adit(&format!("--json try {path} --games 2")));
    assert_eq!(told["dead"][0]["name"], "take");
    assert_eq!(told["checked"][0]["code"], "E0681");
    // What is dead without it is none of its matters, and what the second one takes away is a clause.
    let back = heap();
    let told = value(&adit(&format!("--json diff {path} {back} --games 2")));
    assert_eq!(told["dead"], Value::Null);
    assert_eq!(told["checked"], Value::Null);
}

/// Whether seats choose at the same time or one after the other is a difference, though each is offered the same.
#[test]
fn choices_at_the_same_time_are_none_in_turn() {
    let game = "game bids \"Bids\" { seats anna, bert }\ntrack bid[seat]: 0..3\naction offer(n in 0..3) \"{n}\" { do { bid[me] = n } }\nflow main() { step bidding { together s in seat { choose s: offer } }  end over }\nending over() { ranking seat by bid[it] }\n";
    file("bids.rules", game);
    let told = |name: &str, block: &str| {
        let text = format!(
            "variant {name} \"{name}\" for bids {{ }}\nreplace main.bidding {{ {block} }}\n"
        );
        let path = file(&format!("{name}.rules"), &text);
        let tried = value(&adit(&format!("--json try {path} --games 5")));
        let proven = value(&adit(&format!("--json try {path} --prove 5")));
        (
            tried["play"]["differ"].clone(),
            proven["all_lines"]["verdict"].clone(),
        )
    };
    let in_turn = told("in_turn", "for each s in seat { choose s: offer }");
    assert_eq!(in_turn, (5.into(), "differs".into()));
    let still = told(
        "still",
        "together s in seat { choose s: offer } if 1 > 2 { bid[anna] = 0 }",
    );
    assert_eq!(still, (0.into(), "same".into()));
}

/// A rule that stops before chance is asked is no other chance; and nothing is lost where no line is there to keep.
#[test]
fn what_stops_before_chance_is_told_as_what_it_is() {
    let over = rule(
        "over_",
        "insert before main.deal { if first == ann { end over() } }",
    );
    let proven = adit(&format!("--plain try {over} --prove 2"));
    assert!(
        proven.out.contains("only one game is over"),
        "{}",
        proven.out
    );
    let same = rule("same", "insert after lift { if heap > 20 { end over() } }");
    let to = file("kept.jsonl", "");
    let ran = adit(&format!("--plain try {same} --games 3 --save {to}"));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("is not written: no difference was found"),
        "{}",
        ran.out
    );
}

/// A reading that brings an edit which cannot be made is an error, whoever is asked.
#[test]
fn readings_that_cannot_be_played_are_told_by_all() {
    let rule = rule(
        "asked",
        "question mid \"Is it so?\" { yes \"yes\" default  no_ \"no\" { remove nothing_here } }",
    );
    for (line, exit) in [
        (format!("--plain check {rule}"), Exit::No),
        (format!("--plain try {rule} --games 2"), Exit::Yes),
    ] {
        let ran = adit(&line);
        let all = format!("{}{}", ran.out, ran.err);
        assert!(all.contains("E0210") && ran.exit == exit, "{line}: {all}");
    }
    let ran = adit(&format!("--plain lint {rule}"));
    assert_eq!(ran.exit, Exit::Failure, "{}{}", ran.out, ran.err);
    assert!(format!("{}{}", ran.out, ran.err).contains("E0210"));
}

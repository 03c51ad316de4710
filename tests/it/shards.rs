//! Games that are played in parts come to what they come to in one run, and what is not so is refused.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use xxhash_rust::xxh3::xxh3_128;

use crate::command::{Ran, adit, keep};

/// Each test has a folder of its own: it writes the same files as others.
fn folder() -> PathBuf {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("shards").replace("::", "_");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(name: &str, text: &str) -> String {
    let path = folder().join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Coins are taken from a box and given away again. Giving away what nobody has is a fault.
const COINS: &str = include_str!("../fixtures/simulated/coins.rules");
/// Two take stones from a heap; a house rule forbids three.
const HEAP: &str = include_str!("../fixtures/tried/heap.rules");
const NO_THREE: &str = include_str!("../fixtures/tried/no_three.rules");

/// A plan, and the parts of it.
struct Plan {
    path: String,
    parts: u64,
}

impl Plan {
    fn new(parts: u64, command: &str) -> Plan {
        let path = file("plan.json", "");
        let ran = adit(&format!("shard plan --of {parts} -o {path} {command}"));
        ran.says(Exit::Yes, "");
        Plan { path, parts }
    }

    fn part(&self, number: u64) -> String {
        let path = folder().join(format!("plan.{number}.part"));
        path.display().to_string()
    }

    /// Plays a part with a number of threads that differs from part to part.
    fn play(&self, number: u64) -> String {
        let jobs = 1 + number % 3;
        let ran = adit(&format!("shard run {} {number} --jobs {jobs}", self.path));
        ran.says(Exit::Yes, "");
        self.part(number)
    }

    fn merge(&self, looks: &str, parts: &[String]) -> Ran {
        adit(&format!(
            "{looks}shard merge {} {}",
            self.path,
            parts.join(" ")
        ))
    }

    fn all(&self) -> Vec<String> {
        (0..self.parts).map(|it| self.play(it)).collect()
    }
}

/// Another order that is the same each time.
fn shuffled(mut parts: Vec<String>) -> Vec<String> {
    parts.sort_by_key(|it| xxh3_128(it.as_bytes()));
    parts
}

#[test]
fn parts_in_any_order_come_to_the_bytes_of_one_run() {
    let coins = file("coins.rules", COINS);
    let command = format!("simulate {coins} --games 333 --seed 5 --refusals 40");
    let plan = Plan::new(64, &command);
    let mut parts = plan.all();
    let lost = parts.remove(17);
    let text = fs::read_to_string(&lost).unwrap();
    fs::remove_file(&lost).unwrap();
    plan.merge("", &parts).complains(Exit::Failure, "J0972");
    plan.merge("--plain ", &parts)
        .complains(Exit::Failure, "of 64 parts 1 is missing: 17");
    parts.push(plan.play(17));
    assert_eq!(fs::read_to_string(&lost).unwrap(), text);
    parts.push(parts[3].clone());
    let parts = shuffled(parts);
    for looks in ["", "--plain ", "--json "] {
        let (merged, one) = (
            plan.merge(looks, &parts),
            adit(&format!("{looks}{command}")),
        );
        assert_eq!(merged.out, one.out);
        assert_eq!(merged.exit, one.exit);
    }
    assert!(adit(&command).out.contains("F0803"), "a fault is told");
}

#[test]
fn pairs_of_games_and_what_a_house_rule_changes_come_to_the_same() {
    let (heap, rule) = (file("heap.rules", HEAP), file("no_three.rules", NO_THREE));
    let open = file(
        "open_hands.rules",
        "variant open_hands \"Open hands\" for kuhn { }\n\
         insert after main.deal { for each s in seat { show hand[s] to all } }\n",
    );
    for command in [
        format!("try {open} --games 70"),
        format!("compare {heap} {rule} --games 100"),
        format!("try {rule} --games 100"),
        format!("diff {rule} {heap} --games 50 --seed 9"),
    ] {
        let plan = Plan::new(7, &command);
        let parts = shuffled(plan.all());
        for looks in ["", "--json "] {
            let (merged, one) = (
                plan.merge(looks, &parts),
                adit(&format!("{looks}{command}")),
            );
            assert_eq!(merged.out, one.out, "{command}");
            assert_eq!(merged.exit, one.exit, "{command}");
        }
    }
}

#[test]
fn rulings_under_many_rule_sets_come_to_the_same() {
    let game = file(
        "lamps.rules",
        "game lamps \"Lamps\" { seats anna, bert }\n\
         track lit: 0..9 = 0\n\
         question start \"How many burn?\" { none_of_them \"none\" default one \"one\" { replace track lit: 0..9 = 1 } \
         two \"two\" { replace track lit: 0..9 = 2 } }\n\
         question odd \"May it be odd?\" { yes \"it may\" default never \"never\" { \
         forbid light label even when (lit + 1) mod 2 == 1 because \"that would be odd\" } }\n\
         action light \"light one\" { do { lit += 1 } }\n\
         flow main() { turns me from anna once { choose me: light | rest \"rest\" { } } end over }\n\
         ending over() { winner none }\n\
         ruling dark \"It is dark\" answers start { expect lit == 0  expect lit == 2 under start = two }\n\
         ruling one \"One is lit\" answers odd { expect legal anna: light  \
         expect illegal anna: light by even under odd = never }\n",
    );
    let command = format!("rulings {game} --matrix");
    let plan = Plan::new(3, &command);
    let parts = shuffled(plan.all());
    for looks in ["", "--plain ", "--json "] {
        let (merged, one) = (
            plan.merge(looks, &parts),
            adit(&format!("{looks}{command}")),
        );
        assert_eq!(merged.out, one.out);
        assert_eq!(merged.exit, one.exit);
        assert!(one.out.contains("start = one"), "{}", one.out);
    }
    plan.merge("", &parts[1..])
        .complains(Exit::Failure, "J0972");
    adit(&format!("shard plan --of 9 {command}")).complains(Exit::Failure, "4 rule sets");
    adit(&format!("shard plan --of 2 rulings {game}")).complains(Exit::Failure, "--matrix");
}

/// One run looks behind each 256 games whether enough is known, and so do parts of that size.
#[test]
fn no_part_is_asked_for_behind_the_one_that_decides() {
    let (heap, rule) = (file("heap.rules", HEAP), file("no_three.rules", NO_THREE));
    for command in [
        format!("simulate {heap} --games 2048 --until 4%"),
        format!("compare {heap} {rule} --games 2048 --until 4%"),
        format!("simulate {heap} --games 2048 --until decided"),
    ] {
        let plan = Plan::new(8, &command);
        let parts = shuffled((0..6).map(|it| plan.play(it)).collect());
        for looks in ["", "--json "] {
            let (merged, one) = (
                plan.merge(looks, &parts),
                adit(&format!("{looks}{command}")),
            );
            assert_eq!(merged.out, one.out, "{command}");
            assert_eq!((merged.exit, one.exit), (Exit::Yes, Exit::Yes), "{command}");
        }
        plan.merge("", &[plan.part(5)])
            .complains(Exit::Failure, "J0972");
    }
    let plan = Plan::new(2, &format!("simulate {heap} --games 100 --until 1%"));
    let parts = plan.all();
    plan.merge("", &parts[1..])
        .complains(Exit::Failure, "J0972");
    plan.merge("", &parts).says(Exit::No, "100 games");
}

#[test]
fn a_plan_brings_its_rules_along() {
    let coins = file("coins.rules", COINS);
    let command = format!("--json simulate {coins} --games 20");
    let one = adit(&command);
    let plan = Plan::new(2, &format!("simulate {coins} --games 20"));
    fs::remove_file(&coins).unwrap();
    assert_eq!(plan.merge("--json ", &plan.all()).out, one.out);
}

/// A part that says something else, with a checksum of its own.
fn forged(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} is not in {text}");
    let text = text.replacen(from, to, 1);
    let lines = text.rsplit_once("checksum").unwrap().0;
    format!("{lines}checksum\t{:032x}\n", xxh3_128(lines.as_bytes()))
}

#[test]
fn what_is_no_part_of_the_plan_is_refused_by_its_number() {
    let coins = file("coins.rules", COINS);
    let other = Plan::new(2, &format!("simulate {coins} --games 40 --seed 1"));
    let foreign = file("other.part", &fs::read_to_string(other.play(1)).unwrap());
    let plan = Plan::new(2, &format!("simulate {coins} --games 40"));
    let parts = plan.all();
    let text = fs::read_to_string(&parts[1]).unwrap();
    let with = |name: &str, text: &str| {
        let parts = [parts[0].clone(), file(name, text)];
        plan.merge("--plain ", &parts)
    };
    // Each byte counts.
    for at in (0..text.len() - 1).step_by(7) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        let flipped = String::from_utf8(bytes).unwrap();
        with("flipped.part", &flipped).complains(Exit::Failure, "J0971");
    }
    let flipped = text.replacen("games\t", "games\t1", 1);
    with("flipped.part", &flipped).complains(Exit::Failure, "part 1 in");
    with("torn.part", &text[..text.len() / 2]).complains(Exit::Failure, "its checksum");
    plan.merge("--plain ", &[parts[0].clone(), foreign])
        .complains(Exit::Failure, "part 1 belongs to another plan");
    // Nor is it enough that the checksum is right.
    let more = forged(&text, "\ngames\t20", "\ngames\t21");
    with("more.part", &more).complains(Exit::Failure, "it has 21 games in place of 20");
    let (seed, _) = text
        .split_once("faults.")
        .unwrap()
        .1
        .split_once('.')
        .unwrap();
    let from = format!("faults.{seed}.choices\t");
    let fault = forged(&text, &from, &format!("{from}1"));
    with("fault.part", &fault).complains(Exit::Failure, &format!("`faults.{seed}` cannot be so"));
    let unknown = forged(&text, "\ngames\t", "\ngamer\t1\ngames\t");
    with("unknown.part", &unknown).complains(Exit::Failure, "`gamer` cannot be so");
    let huge = forged(&text, "judged\t1", &format!("judged\t{}", u64::MAX));
    with("huge.part", &huge).complains(Exit::Failure, "`judged` cannot be so");
    // Two whole parts of one number that differ.
    let parts = [parts[0].clone(), parts[1].clone(), file("more.part", &more)];
    plan.merge("--plain ", &parts)
        .complains(Exit::Failure, "J0973");
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let coins = file("coins.rules", COINS);
    let plan = |of: u64, more: &str| adit(&format!("--plain shard plan --of {of} {more}"));
    plan(5, &format!("simulate {coins} --games 4"))
        .complains(Exit::Failure, "4 games make no 5 parts");
    for option in ["--csv x.csv", "--save x.jsonl"] {
        let name = option.split(' ').next().unwrap();
        plan(2, &format!("simulate {coins} {option}")).complains(Exit::Failure, name);
    }
    let made = plan(2, &format!("simulate {coins} --games 4"));
    let changed = |from: &str, to: &str| {
        assert!(made.out.contains(from), "{from} is not in {}", made.out);
        let path = file("changed.json", &made.out.replacen(from, to, 1));
        adit(&format!("--plain shard run {path} 0"))
    };
    changed("\"parts\":2", "\"parts\":3").says(Exit::Yes, "");
    changed("\"parts\":2", "\"parts\":0").complains(Exit::Failure, "J0970");
    changed("\"adit_plan\":1", "\"adit_plan\":2").complains(Exit::Failure, "it has format 2");
    changed("\"engine\":\"", "\"engine\":\"9").complains(Exit::Failure, "was made by adit 9");
    changed("\"rules\":\"", "\"rules\":\"0").complains(Exit::Failure, "other rules than it says");
    changed("\"simulate\"", "\"compare\"").complains(Exit::Failure, "as many rule sets");
    changed("{", "").complains(Exit::Failure, "J0970");
    let path = file("plan.json", &made.out);
    adit(&format!("--plain shard run {path} 2")).complains(Exit::Failure, "the parts are 0 to 1");
}

#[test]
fn the_files_are_texts_that_anybody_can_read() {
    let coins = file("coins.rules", COINS);
    let plan = Plan::new(3, &format!("simulate {coins} --games 12"));
    let text = fs::read_to_string(plan.play(2)).unwrap();
    let shown: Vec<&str> = text
        .lines()
        .skip(1)
        .filter(|it| !it.starts_with("checksum"))
        .collect();
    crate::fixtures::snapshot("shards", "part", &shown.join("\n"));
    keep("shards", "help", "shard --help");
}

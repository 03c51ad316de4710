//! What programs read: the reference of it lists what the commands really write.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::command::adit;

/// What stands at one place of a value: its type, or several.
type Shape = BTreeMap<String, Vec<&'static str>>;

/// The commands that are described, each with lines that show all that it writes, one under the other.
const COMMANDS: [(&str, &str); 35] = [
    ("bench", "bench tic_tac_toe --seconds 1"),
    ("check", "check tests/fixtures/broken/unknown_name.rules"),
    (
        "compare",
        "compare tests/fixtures/tried/heap.rules tests/fixtures/tried/no_three.rules --games 20",
    ),
    (
        "diff",
        "diff tests/fixtures/tried/heap.rules tests/fixtures/tried/no_three.rules --games 20",
    ),
    ("doc", "doc no_take_back"),
    ("explain", "explain"),
    ("explain CODE", "explain E0301"),
    ("explain GAME", "explain connect_four drop.room"),
    ("games", "games"),
    ("hint", "hint connect_four --iterations 50"),
    ("legal", "legal connect_four"),
    ("lint", "lint tests/fixtures/tried/no_three.rules"),
    ("outline", "outline connect_four"),
    ("perft", "perft tic_tac_toe 2 --divide"),
    ("profile", "profile tic_tac_toe --choices 50"),
    ("replay", "replay GAME.jsonl"),
    ("review", "review GAME.jsonl --iterations 20"),
    ("rulings", "rulings connect_four"),
    ("rulings --matrix", "rulings connect_four --matrix"),
    ("rulings --why", "rulings connect_four stacking --why"),
    ("settings", "settings tunnels"),
    ("settings --edits", "settings tunnels --edits"),
    ("show", "show connect_four"),
    (
        "simulate",
        "simulate tests/fixtures/simulated/coins.rules --games 60",
    ),
    (
        "simulate --seats",
        "simulate connect_four --seats greedy,random --rotate --games 8",
    ),
    ("solve", "solve tic_tac_toe"),
    ("solve --cfr", "solve kuhn_poker --cfr 20"),
    ("sources", "sources connect_four"),
    ("study", "study tests/fixtures/games/tic_tac_toe.rules"),
    (
        "shard plan",
        "shard plan --of 2 simulate tic_tac_toe --games 2",
    ),
    (
        "try",
        "try tests/fixtures/tried/no_three.rules --games 20
try tests/fixtures/tried/double.rules --games 20
try tests/fixtures/tried/broken.rules --games 20
try tests/fixtures/tried/seldom.rules --games 20
try tests/fixtures/tried/from_behind.rules --games 20",
    ),
    (
        "try --prove",
        "try tests/fixtures/tried/no_three.rules --prove 3
try tests/fixtures/tried/broken.rules --prove 3",
    ),
    (
        "upgrade",
        "upgrade tests/fixtures/tried/no_three.rules --check",
    ),
    ("why", "why connect_four d"),
    (
        "why-not",
        "why-not tunnels \"swap Ks with c4\" --with no_take_back --ruling R-take-back",
    ),
];

fn noted(value: &Value, path: &str, shape: &mut Shape) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(it) if it.is_f64() => "number",
        Value::Number(_) => "whole number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    };
    let kinds = shape.entry(path.to_owned()).or_default();
    if !kinds.contains(&kind) {
        kinds.push(kind);
        kinds.sort_unstable();
    }
    match value {
        Value::Array(all) => all
            .iter()
            .for_each(|it| noted(it, &format!("{path}[]"), shape)),
        Value::Object(all) => {
            // By name of a seat or an action: what stands behind each is alike.
            let names: Vec<&String> = all.keys().collect();
            let by_name = names.iter().all(|it| SEATS.contains(&it.as_str()));
            for (name, it) in all {
                let name = if by_name { "SEAT" } else { name.as_str() };
                noted(it, &format!("{path}.{name}"), shape);
            }
        }
        _ => {}
    }
}

/// How seats are called in the commands above.
const SEATS: [&str; 6] = ["a", "b", "ann", "bo", "south", "north"];

fn described() -> String {
    let game = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("described.jsonl");
    let kept = game.display().to_string();
    adit(&format!("simulate connect_four --games 1 --save {kept}"));
    let mut text = String::new();
    for (title, line) in COMMANDS {
        let mut shape = Shape::new();
        for line in line.lines() {
            let ran = adit(&format!("--json {}", line.replace("GAME.jsonl", &kept)));
            let value: Value = serde_json::from_str(&ran.out)
                .unwrap_or_else(|error| panic!("{line}: {error}: {}{}", ran.out, ran.err));
            noted(&value, "", &mut shape);
        }
        let lines = line.lines().map(|it| format!("`adit --json {it}`"));
        text += &format!(
            "### adit {title}\n\n{} {}:\n\n| member | what it is |\n|---|---|\n",
            Vec::from_iter(lines).join(", "),
            if line.contains('\n') {
                "write"
            } else {
                "writes"
            },
        );
        for (path, kinds) in shape {
            let path = if path.is_empty() {
                "all of it"
            } else {
                path.trim_start_matches('.')
            };
            text += &format!("| `{path}` | {} |\n", kinds.join(" or "));
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_reference_lists_what_the_commands_write() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, _) = text
        .split_once(&format!("### adit {}", COMMANDS[0].0))
        .unwrap();
    let real = format!("{before}{}", described().trim_end()) + "\n";
    if std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always") {
        fs::write(&path, &real).unwrap();
    }
    assert!(
        text == real,
        "INSTA_UPDATE=always cargo test --test it described writes docs/json.md"
    );
}

#[test]
fn the_versions_in_the_reference_are_those_that_are_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md");
    let text = fs::read_to_string(path).unwrap();
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("versions.jsonl");
    let kept = kept.display().to_string();
    adit(&format!("simulate connect_four --games 1 --save {kept}"));
    let header = fs::read_to_string(&kept).unwrap();
    let header: Value = serde_json::from_str(header.lines().next().unwrap()).unwrap();
    let plan = adit("shard plan --of 1 simulate connect_four --games 1").out;
    let plan: Value = serde_json::from_str(&plan).unwrap();
    for (name, value) in [("adit", &header["adit"]), ("adit_plan", &plan["adit_plan"])] {
        let told = format!("\"{name}\":{value}");
        assert!(text.contains(&told), "{told}");
    }
    let told: Vec<&str> = header
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    for member in told {
        assert!(
            text.contains(&format!("`{member}`")),
            "{member} of a transcript"
        );
    }
}

//! What `adit upgrade` makes of rulebooks that ask questions in the middle of clauses.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use adit::cli::Exit;
use adit::engine::{self, Program};
use adit::pipeline::{Request, compile};
use adit::report;
use adit::source::{FileId, Sources};
use adit::upgrade::{Mark, Which, upgrade};

use crate::command::adit;
use crate::fixtures::{rule_files, snapshot};
use crate::frozen::hash;

/// Rewrites one file; a second time nothing is left to rewrite.
pub(crate) fn upgraded(text: &str) -> (String, Vec<Mark>) {
    let (once, marks) = step(text);
    let (twice, again) = step(&once);
    assert_eq!(once, twice);
    assert_eq!(
        marks.iter().filter(|it| !it.must).count(),
        again.iter().filter(|it| !it.must).count()
    );
    (once, marks)
}

fn step(text: &str) -> (String, Vec<Mark>) {
    let mut sources = Sources::new();
    let base = sources.add("game.rules", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let which = Which {
        own: &[base],
        beside: &[],
        done: &BTreeMap::new(),
    };
    let done = upgrade(&sources, &request, which).unwrap();
    let text = done.texts.get(&FileId(0)).map_or(text, String::as_str);
    (text.to_owned(), done.marks)
}

pub(crate) fn program(text: &str, set: &[(&str, &str)]) -> Program {
    let mut sources = Sources::new();
    let base = sources.add("game.rules", text);
    let set = set.iter().map(|it| (it.0.to_owned(), it.1.to_owned()));
    let request = Request {
        base,
        set: set.collect(),
        ..Request::default()
    };
    let compiled = compile(&sources, &request);
    let said = report::plain(&sources, &compiled.diagnostics);
    engine::compile(compiled.game.unwrap_or_else(|| panic!("{said}"))).unwrap()
}

pub(crate) fn fixture(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Where the older files are kept; amendments have their game beside them.
const FOLDER: &str = "tests/fixtures/upgrade";

/// Each fixture is in an older form. As it is rewritten it has no error under any reading, its rulings hold, and it plays as
/// it did: `snapshots/upgrade/played.txt` was written by an engine that still read the older form.
#[test]
fn older_files_mean_what_they_meant() {
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for path in rule_files(FOLDER) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        fs::copy(&path, folder.path().join(&name)).unwrap();
        names.push(name);
    }
    names.sort();
    let shown = folder.path().to_str().unwrap();
    let files: Vec<String> = names.iter().map(|it| format!("{shown}/{it}")).collect();
    let ran = adit(&format!("upgrade {}", files.join(" ")));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    let told = ran.out.replace(&format!("{shown}/"), "");
    snapshot("upgrade", "told", &told);
    let again = adit(&format!("upgrade --check {}", files.join(" ")));
    assert_eq!(again.exit, Exit::Yes, "{}", again.out);
    let mut played = String::new();
    for (file, name) in files.iter().zip(&names) {
        snapshot("upgrade", name, &fs::read_to_string(file).unwrap());
        let checked = adit(&format!("--plain check {file}"));
        assert_eq!(checked.exit, Exit::Yes, "{}{}", checked.out, checked.err);
        let rulings = adit(&format!("rulings {file}"));
        assert_eq!(rulings.exit, Exit::Yes, "{}{}", rulings.out, rulings.err);
        let settings = adit(&format!("--json settings {file}"));
        for set in sets(&settings.out) {
            played += &format!("{name} {set}");
            for seed in 1..=3 {
                let journal = format!("{shown}/game.jsonl");
                let set = if set == "-" {
                    String::new()
                } else {
                    format!("--set {set}")
                };
                let ran = adit(&format!(
                    "play {file} {set} --seats random,random --seed {seed} --journal {journal}"
                ));
                assert_eq!(ran.exit, Exit::Yes, "{name} {set} {seed}: {}", ran.err);
                let lines = fs::read_to_string(&journal).unwrap();
                let moves = lines.split_once('\n').unwrap().1;
                played += &format!(" {}", hash(moves));
                fs::remove_file(&journal).unwrap();
            }
            played += "\n";
        }
    }
    snapshot("upgrade", "played", &played);
}

/// The default, and each other reading alone.
fn sets(settings: &str) -> Vec<String> {
    let settings: serde_json::Value = serde_json::from_str(settings).unwrap();
    let mut sets = vec!["-".to_owned()];
    for setting in settings.as_array().unwrap() {
        let values = setting["values"].as_array().into_iter().flatten();
        let others = values.filter(|it| it["name"] != setting["default"]);
        sets.extend(others.map(|it| {
            let (name, value) = (&setting["name"], &it["name"]);
            format!("{}={}", name.as_str().unwrap(), value.as_str().unwrap())
        }));
    }
    sets
}

#[test]
fn the_command_looks_shows_and_rewrites() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heap.rules");
    let text = fixture("tests/fixtures/questions/heap_by.rules");
    fs::write(&file, &text).unwrap();
    let shown = file.to_str().unwrap();
    let looked = adit(&format!("upgrade --check {shown}"));
    assert_eq!(looked.exit, Exit::No);
    let said = format!("{shown}: would change\n");
    assert!(looked.out.starts_with(&said), "{}", looked.out);
    let diff = adit(&format!("upgrade --diff {shown}"));
    assert_eq!(diff.exit, Exit::No);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    snapshot("upgrade", "diff", &diff.out.replace(shown, "heap.rules"));
    let done = adit(&format!("upgrade {shown}"));
    assert_eq!(done.exit, Exit::Yes, "{}", done.err);
    assert_eq!(fs::read_to_string(&file).unwrap(), upgraded(&text).0);
    let again = adit(&format!("upgrade --check {shown}"));
    assert_eq!(again.exit, Exit::Yes);
}

/// What was noted of a rulebook is held against what it says later; remarks and layout do not count.
#[test]
fn a_rulebook_that_says_something_else_than_was_noted_is_told() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("noted");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let game = "game stall \"A stall\" { seats anna, bert }\n\
        track coins[seat]: 0..9 = 3\n\
        action sell() \"sell\" {\n  require poor: coins[me] < 5 else \"too rich\"\n  do { coins[me] += 1 }\n}\n\
        define worth(s: seat): int = coins[s]\n\
        flow main() { turns me from anna once { choose me: sell }  end over() }\n\
        ending over() { ranking seat by worth(it) }\n";
    let rule = "variant dear \"Dear\" for stall { }\n\
        replace sell.poor = coins[me] < 4 else \"too rich\"\n\
        extend worth(s) + 1\n\
        forbid sell() label never when coins[me] == 0\n";
    let (stall, dear) = (folder.join("stall.rules"), folder.join("dear.rules"));
    fs::write(&stall, game).unwrap();
    fs::write(&dear, rule).unwrap();
    let check = || adit(&format!("check \"{}\" --plain", dear.display()));
    let lock = |path: &Path| adit(&format!("upgrade --lock \"{}\"", path.display()));
    check().says(Exit::Yes, "0 errors, 0 warnings");
    lock(&dear).says(Exit::Yes, "dear.lock: written");
    // A game stands on nothing.
    lock(&stall).says(Exit::No, "no amendment was named");
    let noted = fs::read_to_string(folder.join("dear.lock")).unwrap();
    assert!(
        noted.contains("sell.poor") && noted.contains("\"worth\""),
        "{noted}"
    );
    check().says(Exit::Yes, "0 errors, 0 warnings");
    for laid_out in [
        "coins[me] <   5 // not yet\n",
        "coins[me]<5",
        "coins [ me ]<5",
    ] {
        fs::write(&stall, game.replace("coins[me] < 5", laid_out)).unwrap();
        check().says(Exit::Yes, "0 errors, 0 warnings");
    }
    // What is only forbidden may do anything else.
    fs::write(&stall, game.replace("coins[me] += 1", "coins[me] += 2")).unwrap();
    check().says(Exit::Yes, "0 errors, 0 warnings");
    fs::write(&stall, game.replace("coins[me] < 5", "coins[me] < 6")).unwrap();
    let ran = check();
    ran.says(Exit::Yes, "0 errors, 1 warning");
    for part in [
        "E0236",
        "dear.rules:2:",
        "`sell.poor` says something else",
        "coins[me] < 5",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    lock(&dear).says(Exit::Yes, "dear.lock: written");
    check().says(Exit::Yes, "0 errors, 0 warnings");
    fs::write(folder.join("dear.lock"), "no notes").unwrap();
    check().complains(Exit::Failure, "J0961");
}

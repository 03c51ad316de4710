//! What `adit lint` does with several rulebooks, for other programs, and with what is not to be told.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use adit::cli::Exit;
use serde_json::Value;

use crate::command::{adit, adit_stopped, adit_with};

const HALL: &str = "game hall \"A hall\" { seats anna, bert }

track coins[seat]: 0..9 = 3
define rich(s: seat): bool = (coins[s] > 3)
action pay() \"pay\" {
    require able: count { x in 1..9 where x <= coins[me] } > 0     else \"no coin\"
    require poor: not rich(me)
    do { coins[me] -= 1 }
}
flow main() {
    turns me from anna once { choose me: pay }
    end over()
}
ending over() { ranking seat by coins[it] }
";

const VARIANT: &str = "variant cheap \"Cheap\" for hall allow(L167, \"a test\") { }

replace define rich(s: seat): bool = (coins[s] > 4)
";

/// Makes a folder with a game that has three findings, and a variant of it that has one.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("house rules")).expect("a folder");
    fs::write(folder.join("hall.rules"), HALL).expect("a file");
    fs::write(folder.join("house rules/cheap.rules"), VARIANT).expect("a file");
    folder
}

fn lint(folder: &Path, rest: &str) -> crate::command::Ran {
    adit(&format!("lint \"{}\" {rest}", folder.display()))
}

#[test]
fn a_folder_is_looked_at_and_each_finding_told_once() {
    let folder = folder("lint_folder");
    let ran = lint(&folder, "--plain");
    ran.says(Exit::No, "4 findings");
    let count = |word: &str| ran.out.matches(word).count();
    assert_eq!(
        (count("hall.rules:"), count("cheap.rules:")),
        (3, 1),
        "{}",
        ran.out
    );
    let variant = format!(
        "lint \"{}/house rules/cheap.rules\" --plain",
        folder.display()
    );
    adit(&variant).says(Exit::No, "1 finding");
    adit(&format!("{variant} --all")).says(Exit::No, "4 findings");
    let empty = folder.join("nothing");
    fs::create_dir_all(&empty).expect("a folder");
    lint(&empty, "").complains(Exit::Failure, "no rulebook lies in");
}

#[test]
fn what_cannot_be_played_keeps_the_others_from_nothing() {
    let folder = folder("lint_one_broken");
    fs::write(
        folder.join("torn.rules"),
        "game torn \"Torn\" { seats a, b }\nflow main( {}\n",
    )
    .expect("a file");
    let ran = lint(&folder, "--plain");
    ran.says(Exit::Failure, "error[E0101]");
    assert!(ran.out.contains("hall.rules:4"), "{}", ran.out);
}

#[test]
fn a_diff_shows_and_leaves_alone() {
    let folder = folder("lint_diff");
    let file = folder.join("hall.rules");
    let line = format!("lint \"{}\" --plain --fix", file.display());
    let ran = adit(&format!("{line} --diff"));
    ran.says(Exit::No, "-define rich(s: seat): bool = (coins[s] > 3)");
    ran.says(Exit::No, "2 to mend");
    assert_eq!(fs::read_to_string(&file).expect("the file"), HALL);
    adit(&line).says(Exit::No, "1 finding, 2 mended");
    let mended = fs::read_to_string(&file).expect("the file");
    assert!(
        mended.contains("some { x in 1..9 where x <= coins[me] }"),
        "{mended}"
    );
}

#[test]
fn only_what_may_change_the_meaning_waits_to_be_asked() {
    let folder = folder("lint_unsafe");
    let file = folder.join("hall.rules");
    let odd = HALL.replace(
        "(coins[s] > 3)",
        "coins[s] > 3 and some { b in bool where b == false }",
    );
    fs::write(&file, &odd).expect("a file");
    let line = format!("lint \"{}\" --plain --fix", file.display());
    adit(&line);
    let safe = fs::read_to_string(&file).expect("the file");
    assert!(safe.contains("b == false"), "{safe}");
    adit(&format!("{line} --unsafe"));
    let all = fs::read_to_string(&file).expect("the file");
    assert!(all.contains("where not b"), "{all}");
}

#[test]
fn sarif_has_rules_places_fixes_and_lasting_marks() {
    let folder = folder("lint_sarif");
    let marks = |text: &str| -> Vec<String> {
        let log: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
        let results = run["results"].as_array().expect("results");
        let each = results.iter().map(|it| {
            let at = it["ruleIndex"]
                .as_u64()
                .and_then(|it| usize::try_from(it).ok());
            assert_eq!(rules[at.expect("an index")]["id"], it["ruleId"]);
            let place = &it["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().expect("a uri");
            assert!(uri.starts_with("file:///") && !uri.contains(' '), "{uri}");
            assert!(place["region"]["startLine"].as_u64() > Some(0));
            for change in it["fixes"][0]["artifactChanges"]
                .as_array()
                .into_iter()
                .flatten()
            {
                assert_eq!(change["artifactLocation"]["uri"], uri);
            }
            it["partialFingerprints"]["adit/v1"]
                .as_str()
                .expect("a mark")
                .to_owned()
        });
        each.collect()
    };
    let before = lint(&folder, "--format sarif");
    assert_eq!(before.exit, Exit::No);
    let before = marks(&before.out);
    assert_eq!(before.len(), 4);
    // Lines above and blanks inside move a finding and change nothing of it.
    let moved = HALL
        .replace("track", "// one line more\ntrack")
        .replace("(coins[s] > 3)", "( coins[s] > 3)");
    fs::write(
        folder.join("hall.rules"),
        moved.replace("( coins", "(coins"),
    )
    .expect("a file");
    assert_eq!(marks(&lint(&folder, "--format sarif").out), before);
}

#[test]
fn other_programs_read_lines_and_xml() {
    let folder = folder("lint_forms");
    let lines = lint(&folder, "--format github").out;
    assert_eq!(lines.lines().count(), 4, "{lines}");
    assert!(
        lines.lines().all(|it| it.starts_with("::warning file=")),
        "{lines}"
    );
    assert!(
        lines.contains("title=L112 needless-parentheses::"),
        "{lines}"
    );
    let xml = lint(&folder, "--format junit").out;
    assert!(xml.contains("tests=\"4\" failures=\"4\""), "{xml}");
    fs::write(folder.join("hall.rules"), "game hall \"A hall\" { seats a, b }\nflow main() { end over }\nending over() { winner none }\n").expect("a file");
    fs::remove_dir_all(folder.join("house rules")).expect("a folder");
    let xml = lint(&folder, "--format junit");
    xml.says(Exit::Yes, "tests=\"1\" failures=\"0\"");
}

#[test]
fn a_file_of_settings_says_what_is_looked_for() {
    let folder = folder("lint_config");
    let config = folder.join("adit.toml");
    let set = |text: &str| fs::write(&config, text).expect("a file");
    set("[lint]\nselect = [\"L103\", \"needless-parentheses\"]\nignore = [\"L103\"]\n");
    lint(&folder, "--plain").says(Exit::No, "2 findings");
    set("[lint.severity]\nL103 = \"info\"\nL110 = \"info\"\nL112 = \"info\"\n");
    lint(&folder, "--plain").says(Exit::Yes, "4 findings");
    set("[lint.per-file]\n\"house rules/*\" = [\"L112\"]\n");
    lint(&folder, "--plain").says(Exit::No, "3 findings");
    set("[lint]\ngames = 3\n");
    lint(&folder, "--plain").says(Exit::No, "6 random games");
    for (wrong, words) in [
        ("[lint]\nignore = [\"L999\"]\n", "no lint is called `L999`"),
        ("[lint]\nselected = [\"L103\"]\n", "unknown field"),
        (
            "[lint.per-file]\n\"a***\" = [\"L103\"]\n",
            "is no pattern of files",
        ),
        ("[lint\n", "J0960"),
    ] {
        set(wrong);
        lint(&folder, "--plain").complains(Exit::Failure, words);
    }
    let other = folder.join("other.toml");
    fs::write(&other, "[lint]\nselect = []\n").expect("a file");
    let line = format!("--plain --config \"{}\"", other.display());
    lint(&folder, &line).says(Exit::Yes, "0 findings");
}

#[test]
fn what_was_found_before_is_left_alone_until_it_is_gone() {
    let folder = folder("lint_baseline");
    let known = folder.join("known.json");
    let known = known.display();
    lint(&folder, &format!("--write-baseline \"{known}\"")).says(Exit::Yes, "4 findings");
    let line = format!("--plain --baseline \"{known}\"");
    lint(&folder, &line).says(Exit::Yes, "0 findings");
    // In another folder, and by one file of it: the file lies beside the same texts.
    let other = self::folder("lint_baseline_moved");
    let moved = other.join("known.json");
    fs::copy(folder.join("known.json"), &moved).expect("a copy");
    let moved = format!("--plain --baseline \"{}\"", moved.display());
    let ran = lint(&other, &moved);
    assert_eq!(ran.out, "0 findings\n");
    let ran = lint(&other.join("hall.rules"), &moved);
    assert_eq!(ran.out, "0 findings\n");
    let more = HALL
        .replace("coins[me] -= 1", "coins[me] -= (1)")
        .replace("(coins[s] > 3)", "coins[s] > 3");
    fs::write(folder.join("hall.rules"), more).expect("a file");
    let ran = lint(&folder, &line);
    ran.says(Exit::No, "1 finding\n");
    ran.says(Exit::No, "gone: L112");
    fs::write(folder.join("known.json"), "{}").expect("a file");
    lint(&folder, &line).complains(Exit::Failure, "holds no findings to leave alone");
}

#[test]
fn what_comes_by_the_input_is_looked_at() {
    let folder = folder("lint_input");
    adit_with("--plain lint -", HALL).says(Exit::No, "-:4:30: warning[L112]");
    adit_with("--plain check -", HALL).says(Exit::Yes, "0 errors");
    let there = folder.join("house rules/not_saved.rules");
    let line = format!("--plain lint - --as \"{}\"", there.display());
    adit_with(&line, VARIANT).says(Exit::No, "not_saved.rules:3:38: warning[L112]");
    let line = format!("--plain check - --as \"{}\"", there.display());
    adit_with(&line, VARIANT).says(Exit::Yes, "0 errors");
    assert!(!there.exists(), "nothing is written");
}

#[test]
fn what_is_stopped_tells_what_is_known_and_mends_nothing() {
    let folder = folder("lint_stopped");
    let marks = folder.join("marks.json");
    let line = format!(
        "lint \"{}\" --plain --fix --games 1000000000 --write-baseline \"{}\"",
        folder.display(),
        marks.display()
    );
    let ran = adit_stopped(0, &line);
    ran.complains(Exit::Failure, "stopped: ");
    assert!(!marks.exists());
    let text = fs::read_to_string(folder.join("hall.rules")).expect("the file");
    assert_eq!(text, HALL);
    let study = "study tests/fixtures/games/tic_tac_toe.rules";
    let ran = adit_stopped(0, study);
    let matrix = adit_stopped(2, "rulings tunnels --matrix --plain");
    matrix.says(
        Exit::Failure,
        "stopped: this is what is known; 61 more rule sets were not looked at",
    );
    ran.says(Exit::Failure, "before it was stopped");
    let rulings = adit_stopped(1, "rulings tunnels --plain");
    rulings.complains(Exit::Failure, "stopped: this is what is known of 1 of ");
    let tried = adit_stopped(1, "try steal_second --games 5 --plain");
    tried.says(Exit::Failure, "stopped before all were run");
}

#[test]
fn several_rulebooks_are_checked_each_and_findings_told_once() {
    let folder = folder("check_several");
    let line = format!("check \"{}\" --plain", folder.display());
    let ran = adit(&line);
    ran.says(Exit::Yes, "A hall: 0 errors, 0 warnings;");
    ran.says(Exit::Yes, "A hall with Cheap: 0 errors, 0 warnings;");
    fs::write(
        folder.join("hall.rules"),
        HALL.replace("<= coins[me]", "<= coin[me]"),
    )
    .expect("a file");
    let ran = adit(&line);
    ran.says(Exit::No, "hall.rules: 1 error, 0 warnings");
    ran.says(Exit::No, "cheap.rules: 1 error, 0 warnings");
    assert_eq!(ran.out.matches("[E0301]").count(), 1, "{}", ran.out);
    let json: Value = serde_json::from_str(&adit(&format!("{line} --json")).out).expect("JSON");
    let playable: Vec<_> = json
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| &it["playable"])
        .collect();
    assert_eq!(playable, [&Value::Bool(false); 2]);
    let both = format!(
        "check \"{0}/hall.rules\" \"{0}/house rules/cheap.rules\" --plain",
        folder.display()
    );
    assert_eq!(adit(&both).out, ran.out);
}

const PURSE: &str = "game purse \"Purse\" { seats anna, bert }

track coins[seat]: 0..9 = 3
show coins as \"coins\"
action pay() \"pay\" { do { coins[me] -= 1 } }
action rob() \"rob\" {
    require poor: coins[me] < 1     else \"not poor\"
    require rich: coins[me] > 8     else \"not rich\"
    do { coins[me] += 1 }
}
flow main() {
    turns me from anna once { choose me: pay | rob }
    end over()
}
ending over() { ranking seat by coins[it] }

ruling may \"Who is poor may rob\" {
    given { from seed 1  coins[anna] = 0 }
    expect legal anna: rob
}
";

#[test]
fn a_ruling_that_fails_does_not_show_that_something_can_be_played() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint_failing");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("purse.rules");
    let line = format!("--plain lint \"{}\" --games 20", file.display());
    fs::write(&file, PURSE).expect("a file");
    adit(&line).says(Exit::No, "L119");
    let never = "    require rich: coins[me] > 8     else \"not rich\"\n";
    fs::write(&file, PURSE.replace(never, "")).expect("a file");
    let ran = adit(&line);
    assert!(!ran.out.contains("L119"), "{}", ran.out);
}

#[test]
fn whole_examples_of_the_language_have_nothing_to_lint() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/language.md")).expect("the page");
    for name in ["five_dice", "cited", "twenty"] {
        let mut fences = page.split("```rules\n").skip(1);
        let fence = fences.find(|it| it.contains(&format!("game {name} ")));
        let Some(text) = fence.and_then(|it| it.split("```").next()) else {
            panic!("there is no example {name}");
        };
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.rules"));
        fs::write(&file, text).expect("a file");
        adit(&format!("lint \"{}\"", file.display())).says(Exit::Yes, "");
    }
}

/// A bare name lies in the folder that somebody is in, and what is sent has a name too.
#[test]
fn settings_are_found_from_a_bare_name() {
    let folder = folder("lint_bare");
    let inner = folder.join("house rules");
    fs::write(
        folder.join("adit.toml"),
        "[lint]\nignore = [\"L110\"]\n\n[lint.per-file]\n\"house rules/**\" = [\"L112\"]\n",
    )
    .expect("a file");
    fs::copy(folder.join("hall.rules"), inner.join("hall.rules")).expect("a file");
    let told = |folder: &Path, args: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_adit"))
            .arg("lint")
            .args(args)
            .arg("--plain")
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is built before its tests");
        let mut input = child.stdin.take().expect("it is piped");
        // What reads a file hears nothing of this.
        let _ = input.write_all(HALL.as_bytes());
        drop(input);
        let out = child.wait_with_output().expect("it ends").stdout;
        String::from_utf8(out).expect("answers are text")
    };
    let sent = ["-", "--as", "house rules/hall.rules"];
    for out in [
        told(&inner, &["hall.rules"]),
        told(&inner, &["./hall.rules"]),
        told(&folder, &["house rules/hall.rules"]),
        told(&folder, &sent),
        told(&inner, &["-", "--as", "hall.rules"]),
    ] {
        assert!(out.contains("L103"), "{out}");
        assert!(!out.contains("L110") && !out.contains("L112"), "{out}");
    }
}

//! Secrets that get out by what a seat is offered are refused, and what only looks like one is not.
//!
//! Each case in `tests/fixtures/leaks` is a leak and its harmless double at the same table.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use adit::diagnostic::{Diagnostic, codes};
use adit::pipeline::{Request, compile};
use adit::report::{Look, graphical};
use adit::source::Sources;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/leaks")
}

/// Returns all that is found in a text, and how it is shown.
fn findings(text: &str) -> (Vec<Diagnostic>, String) {
    let mut sources = Sources::new();
    let base = sources.add("leaks.rules", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let found = compile(&sources, &request).diagnostics;
    let shown = graphical(&sources, &found, Look::default());
    (found, shown)
}

/// Returns the title, the leak and the double of each case in a file.
fn cases(file: &str) -> Vec<(String, String, String)> {
    let text = fs::read_to_string(folder().join(file)).unwrap();
    let cases = text.split("\n## ").skip(1).map(|case| {
        let block = |kind: &str| {
            let (_, behind) = case.split_once(&format!("```rules {kind}\n")).unwrap();
            behind.split_once("```").unwrap().0.to_owned()
        };
        let title = case.lines().next().unwrap().to_owned();
        (title, block("leak"), block("harmless"))
    });
    cases.collect()
}

fn is_leak(it: &Diagnostic) -> bool {
    [
        codes::READS_HIDDEN,
        codes::ASKED_BY_SECRET,
        codes::TOLD_BY_SECRET,
    ]
    .contains(&it.code)
}

fn checked(file: &str) {
    let table = fs::read_to_string(folder().join("table.rules")).unwrap();
    let mut shown = String::new();
    for (title, leak, harmless) in cases(file) {
        let (found, report) = findings(&format!("{table}{harmless}"));
        assert!(found.is_empty(), "the double of “{title}”:\n{report}");
        let (found, report) = findings(&format!("{table}{leak}"));
        assert!(
            matches!(found.as_slice(), [one] if is_leak(one)),
            "“{title}”:\n{report}"
        );
        write!(shown, "## {title}\n\n{leak}\n=====>\n\n{report}\n\n").unwrap();
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/leaks");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = file.trim_end_matches(".md");
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

#[test]
fn a_value_carries_what_it_follows_from() {
    checked("values.md");
}

#[test]
fn a_branch_asks_only_who_knows_why() {
    checked("branches.md");
}

#[test]
fn an_offer_says_nothing_that_is_hidden() {
    checked("offers.md");
}

#[test]
fn what_only_seems_to_be_known_is_no_excuse() {
    checked("behind.md");
}

/// Whoever was asked at one of two choices shows by what is chosen at which one, but not where the other may be called alike:
/// a hole may be anything.
#[test]
fn a_choice_shows_where_it_was_made_if_no_other_may_look_like_it() {
    let table = fs::read_to_string(folder().join("table.rules")).unwrap();
    let action = |name: &str, look: &str| {
        let text = look.replacen('*', "{m}", 1).replacen('*', "{n}", 1);
        format!("action {name}(m: 0..3, n: 0..3) \"{text}\" {{ do {{ told = m + n }} }}\n")
    };
    let leaks = |one: &str, other: &str| {
        let actions = action("one", one) + &action("other", other);
        let flow = "flow main() {
            if has(bert, clubs) { choose bert: one  choose anna n in 0..3 { told = n } } else { choose bert: other }
            end over()
        }";
        let (found, report) = findings(&format!("{table}{actions}{flow}"));
        assert!(found.iter().all(is_leak), "{one}, {other}:\n{report}");
        !found.is_empty()
    };
    for (one, other, alike) in [
        ("swap on", "swap * with *", false),
        ("swap on", "swap *", true),
        ("*on", "swap *", true),
        ("a*", "b*", false),
        ("", "*", true),
        ("*", "*", true),
        ("a*c", "ab*", true),
        ("a*c", "ab", false),
        ("on", "on", true),
        ("on", "one", false),
        ("**x", "yx", true),
    ] {
        assert_eq!(leaks(one, other), alike, "{one} {other}");
        assert_eq!(leaks(other, one), alike, "{other} {one}");
    }
}

/// A long file takes as long as it is, whatever hangs on what in it.
#[test]
fn long_files_are_followed_in_little_time() {
    let table = fs::read_to_string(folder().join("table.rules")).unwrap();
    let long = |n: usize| {
        let mut text = table.clone();
        for at in 0..n {
            writeln!(
                text,
                "define d{at}(s: seat): 0..6 = if best(s) > 3 then d{}(next_seat(s)) else best(s)",
                at + 1
            )
            .unwrap();
            writeln!(text, "flow f{at}(s: seat, k: 0..6) {{ let v = d{at}(s)  if v > k {{ points[s] += 1  choose s: x \"x\" {{ f{}(next_seat(s), v) }} }} }}", at + 1).unwrap();
        }
        writeln!(text, "define d{n}(s: seat): 0..6 = best(s)").unwrap();
        writeln!(
            text,
            "flow f{n}(s: seat, k: 0..6) {{ choose s n in 0..k {{ told = n }} }}"
        )
        .unwrap();
        writeln!(text, "flow main() {{ f0(anna, 1)  end over() }}").unwrap();
        let start = Instant::now();
        let (found, _) = findings(&text);
        assert!(found.iter().any(is_leak));
        start.elapsed()
    };
    let (short, long) = (long(100), long(400));
    let room = Duration::from_millis(200);
    assert!(long < short * 10 + room, "{short:?}, {long:?}");
}

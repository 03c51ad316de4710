//! Odd rulebooks, each with all that is told of it: what is not meant is found, and what only looks so is not.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::command::adit;

#[test]
fn odd_rulebooks_are_told_what_is_odd() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("tests/fixtures/odd.md")).expect("the page");
    let mut sections = page.split("\n## ");
    let base = text_of(sections.next().expect("the game"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("odd");
    fs::create_dir_all(&folder).expect("a folder");
    assert_eq!(told(&folder, base, None), Vec::<String>::new());
    let (mut n_odd, mut wrong) = (0, Vec::new());
    for section in sections {
        let title = section.lines().next().unwrap_or("");
        let expected = section.lines().filter_map(|it| it.strip_prefix("- "));
        let expected: Vec<&str> = expected.collect();
        n_odd += usize::from(!expected.is_empty());
        let text = text_of(section);
        let (items, amendment) = text.split_once("---\n").unwrap_or((text, ""));
        let amendment = Some(amendment).filter(|it| !it.is_empty());
        let found = told(&folder, &exchanged(base, items), amendment);
        if found != expected {
            wrong.push(format!("{title}\n  {}", found.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_odd > 90, "{n_odd}");
}

fn text_of(section: &str) -> &str {
    let (_, text) = section.split_once("```rules\n").expect("a text");
    text.split_once("```").expect("its end").0
}

/// Puts items in the place of those with their word and name, and the others at the end.
fn exchanged(base: &str, items: &str) -> String {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split("\n\n").map(str::trim);
        parts
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut all = parts(base);
    for item in parts(items) {
        let shown = item.starts_with("show ");
        match all.iter_mut().find(|it| !shown && key(it) == key(&item)) {
            Some(place) => *place = item,
            None => all.push(item),
        }
    }
    all.join("\n\n")
}

fn key(item: &str) -> &str {
    let end = item
        .find(['(', '[', ':', '=', '{', '"'])
        .unwrap_or(item.len());
    let key = item[..end].trim();
    if key.starts_with("supply") {
        "supply"
    } else {
        key
    }
}

/// Returns all that `adit lint` says of a game, or of an amendment of it, with its code.
fn told(folder: &Path, game: &str, amendment: Option<&str>) -> Vec<String> {
    let [hall, odd] = ["hall.rules", "odd.rules"].map(|it| folder.join(it));
    fs::write(&hall, game).expect("a file");
    fs::write(&odd, amendment.unwrap_or("")).expect("a file");
    let path = if amendment.is_some() { odd } else { hall };
    let ran = adit(&format!("lint \"{}\" --format json", path.display()));
    let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    let findings = told["findings"].as_array().expect("findings");
    let each = findings.iter();
    each.map(|it| {
        let word = |key: &str| it[key].as_str().unwrap_or("").to_owned();
        format!("{} {}", word("code"), word("message"))
    })
    .collect()
}

//! Rules as a booklet: for each game that is there, whole, with anchors that are addresses.

use std::collections::BTreeSet;

use adit::cli::Exit;
use adit::library;
use serde_json::Value;

use crate::command::{adit, adit_with, keep};

/// All that stands in quotes behind these words.
fn quoted<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
    let parts = text.split(before).skip(1);
    parts.map(|it| it.split('"').next().unwrap()).collect()
}

#[test]
fn each_rulebook_that_is_there_makes_a_booklet_whose_links_lead_somewhere() {
    for file in library::FILES {
        let name = file.name;
        let page = adit(&format!("doc {name} --format html"));
        page.says(Exit::Yes, "</html>");
        let anchors = quoted(&page.out, " id=\"");
        let all: BTreeSet<&str> = anchors.iter().copied().collect();
        assert_eq!(all.len(), anchors.len(), "{name}: an anchor stands twice");
        let links = quoted(&page.out, "href=\"");
        assert!(links.len() > 5, "{name}");
        for link in links {
            let link = link.strip_prefix('#');
            assert!(link.is_some_and(|it| all.contains(it)), "{name}: {link:?}");
        }
        // Nothing is fetched from anywhere.
        assert!(!page.out.contains("http"), "{name}");
        // What can be anchored can be named.
        let outline = adit(&format!("--json outline {name}")).out;
        let outline: Value = serde_json::from_str(&outline).unwrap();
        let entries = outline.as_array().unwrap().iter();
        let addresses: BTreeSet<&str> = entries.map(|it| it["address"].as_str().unwrap()).collect();
        let gone = page.out.split_once(">What a house rule takes away</h2>");
        let kept = gone.map_or(page.out.as_str(), |it| it.0);
        let named = quoted(kept, " id=\"").into_iter();
        for anchor in named.filter(|it| !it.starts_with('-')) {
            assert!(addresses.contains(anchor), "{name}: {anchor} is no address");
        }
        let told = adit(&format!("--json doc {name}")).out;
        let told: Value = serde_json::from_str(&told).unwrap();
        let chapters = told["chapters"].as_array().unwrap().iter();
        let titles: Vec<&str> = chapters.map(|it| it["title"].as_str().unwrap()).collect();
        for title in ["The game", "How it goes", "What may be done", "The end"] {
            assert!(titles.contains(&title), "{name}: {titles:?}");
        }
    }
}

#[test]
fn booklets_read_like_booklets() {
    keep("booklets", "connect_four", "doc connect_four");
    keep("booklets", "tunnels", "doc tunnels");
    keep("booklets", "leduc_html", "doc leduc --format html");
}

#[test]
fn house_rules_are_marked_with_what_was_said_before() {
    keep(
        "booklets",
        "no_take_back",
        "--plain doc no_take_back --set exposure=five",
    );
    let tiles = adit("doc carcassonne --with first_printing");
    tiles.says(Exit::Yes, "without amendments `four`");
    let chosen = adit("doc tunnels --set target=31");
    chosen.says(Exit::Yes, "chosen for this table; usually `21`");
}

/// What another reading is about is not told as if it held.
#[test]
fn the_readings_of_a_table_decide_what_is_told() {
    let elsewhere = "### Cases that suppose other rules than these";
    let usual = adit("doc carcassonne");
    usual.says(Exit::Yes, "A city of two tiles scores like any other");
    assert!(!usual.out.contains(elsewhere), "{}", usual.out);
    // Nobody who plays with farmers is told of a game without.
    assert!(
        !usual.out.contains("not where this game is played without"),
        "{}",
        usual.out
    );
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("small_cities.rules");
    let house = "variant small_cities \"Small\" for carcassonne { }\nset small_city = two\n";
    std::fs::write(&path, house).unwrap();
    let with = format!("--with {}", path.display());
    for line in ["--set small_city=two", with.as_str()] {
        let chosen = adit(&format!("doc carcassonne {line}"));
        chosen.says(Exit::Yes, elsewhere);
        let (before, cases) = chosen.out.split_once(elsewhere).unwrap();
        assert!(
            !before.contains("A city of two tiles scores like any other"),
            "{before}"
        );
        assert!(
            cases.contains("A city of two tiles scores like any other"),
            "{cases}"
        );
        assert!(
            cases.contains("Here: [1 for each tile and each shield.]"),
            "{cases}"
        );
    }
    let without = adit("doc carcassonne --set farmers=false");
    without.says(Exit::Yes, "not where this game is played without farmers");
    let options = without.out.split_once("## What is agreed here").unwrap().1;
    assert!(options.contains("\n\nno\n"), "{options}");
}

#[test]
fn rules_that_cannot_be_played_make_no_booklet() {
    adit("doc tests/fixtures/broken/unknown_name.rules").complains(Exit::Failure, "E03");
}

#[test]
fn whoever_plays_can_look_into_the_rules() {
    let typed = "rules\nrules drop\nrules nothing_of_this\nquit";
    let ran = adit_with(
        "--plain play connect_four --seats human,human --seed 1",
        typed,
    );
    for words in [
        "What may be done: Drop",
        "The disc goes into any column that has room. (C-5)",
        "nothing of the rules is called `nothing_of_this`",
    ] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
}

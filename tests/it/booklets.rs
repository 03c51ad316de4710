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

/// The booklet of a game with a house rule that is written here.
fn with_house(name: &str, rules: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("{name}.rules"));
    std::fs::write(&path, rules).unwrap();
    let told = adit(&format!("--plain doc {}", path.display()));
    told.says(Exit::Yes, "# ");
    told.out
}

const AWAY: &str = "## What a house rule takes away";

#[test]
fn what_a_house_rule_takes_away_is_told_there_and_nowhere_as_in_force() {
    for (name, game, edit, sentence) in [
        ("room", "connect_four", "remove drop.room", "(C-5)"),
        ("stuck", "othello", "remove pass.stuck", "(O-8)"),
        ("castle", "chess", "remove castle", "(F-27)"),
        ("castle", "chess", "remove castle", "(F-29)"),
        (
            "larger",
            "backgammon",
            "remove go.larger\nremove enter.larger\nremove bear_off.larger",
            "(G-18)",
        ),
    ] {
        let rules = format!("variant v \"Less\" for {game} {{ }}\n{edit}\n");
        let told = with_house(name, &rules);
        let (before, gone) = told.split_once(AWAY).expect(name);
        let before = before.lines().filter(|it| it.contains(sentence));
        assert_eq!(before.collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
        let gone = gone.split("\n## ").next().unwrap();
        assert!(gone.contains("House rule \"Less\""), "{name}: {gone}");
        assert!(gone.contains(sentence), "{name}: {gone}");
    }
    // One of three is left out: the others say so still.
    let rules = "variant v \"Less\" for backgammon { }\nremove go.larger\n";
    let told = with_house("one_larger", rules);
    let (before, gone) = told.split_once(AWAY).unwrap();
    assert!(
        before.contains("the larger has to be, if it can. (G-18)"),
        "{before}"
    );
    assert!(gone.contains("Go: Larger"), "{gone}");
}

#[test]
fn what_a_house_rule_brings_is_told_where_it_happens_with_its_name() {
    for (name, rules, lines) in [
        (
            "consolation",
            "variant v \"More\" for tunnels { }\ninsert after score_tunnel { points[rival(s)] += 1 }\n",
            vec![
                "House rule \"More\":",
                "*points* of *rival* (*s*) grows by 1",
            ],
        ),
        (
            "n",
            "variant v \"More\" for tic_tac_toe { }\ntrack n[seat]: 0..9 = 0\n\
             insert after place { n[me] += 1  if n[me] == 5 { end full } }\n",
            vec![
                "- House rule \"More\":",
                "  - *n* of *me* grows by 1",
                "  - If *n* of *me* is 5:",
                "    - The game ends: [Full](#full).",
            ],
        ),
        (
            "board_full",
            "variant v \"More\" for connect_four { }\n\
             insert before main.turn { if count box == 40 { end board_full } }\n",
            vec![
                "- House rule \"More\":",
                "  - If the number of *box* is 40:",
                "    - The game ends: [Board full](#board_full).",
            ],
        ),
        (
            "first_word",
            "variant v \"More\" for kuhn { }\nreplace main.first_word { choose first_player: check }\n",
            vec![
                "- <a id=\"main.first_word\"></a>*First word*.",
                "  - House rule \"More\". Before: The first player may bet one coin or pass. (K-4)",
                "  - `first_player` chooses [Check](#check).",
            ],
        ),
        (
            "any",
            "variant v \"More\" for tunnels { }\nextend matches(x, y) or x.rank == ace\n",
            vec![
                "*rank* of *x* is *rank* of *y* or *next to* (*x*, *y*) or *rank* of *x* is *ace*",
            ],
        ),
        (
            "third",
            "variant v \"More\" for kuhn { }\nreplace main.first_word { may choose first_player: check | bet }\n",
            vec!["`first_player` may choose [Check](#check) or [Bet](#bet)."],
        ),
    ] {
        let told = with_house(name, rules);
        let mut rest = told.as_str();
        for line in lines {
            let at = rest.find(line);
            assert!(
                at.is_some(),
                "{name}: `{line}` is not there, or not in this place: {told}"
            );
            rest = &rest[at.unwrap() + line.len()..];
        }
        assert!(told.contains("House rule \"More\""), "{name}: {told}");
    }
}

/// What is done on the way, what a round ends with, every case: nothing that holds is left out.
#[test]
fn all_that_is_in_force_is_told() {
    let rules = "game g \"G\" { seats anna, bert }
enum Kind { one, two, three }
component Card { k: Kind }
zone deck: pile of Card hidden
zone hand[seat]: bag of Card seen by owner
supply 2 every Card in deck
track n: 0..9 = 0
track free: set of seat = {}
define best: seat = if n > 3 then anna else bert
flow main() {
    n = 3
    one_round()
    end over
}
flow one_round() {
    clear
    shuffle deck
    for each s in seat backwards { draw 1 of deck to hand[s] }
    turns me from best {
        if n == 9 { return }
        choose me: go_ \"go\" where n < 8 { n += 1 } | show_ with_me \"x\" { }
        choose chance i in 1..2 weighted i
        by n { 4, 6..7 => { n = 5 } 5 => { } else => { n = 2 } }
        if n == 1 { } else if n == 2 { free += { me } } else { next }
    }
}
ending over() { winner most { s in seat by n } }
";
    let rules = rules.replace("show_ with_me", "pass_");
    let told = with_house("all", &rules);
    for line in [
        "`supply 2 every Card in deck`",
        "`track free: set of seat = {}`",
        "*n* becomes 3",
        "Everything goes back to where it began",
        "*deck* is shuffled",
        "For each *s* in *seat*, from the last to the first:",
        "draw 1 from *deck* to *hand* of *s*",
        "[One round](#one_round) is over.",
        "*go* where *n* is less than 8",
        "Chance chooses *i* in 1 to 2, each as likely as *i* says",
        "If *n* is 4, 6 to 7:",
        "5: nothing happens.",
        "If *n* is 1: nothing happens.",
        "Otherwise, if *n* is 2:",
        "*free* grows by `{ me }`",
        "*Best*: `if n > 3 then anna else bert`",
    ] {
        assert!(told.contains(line), "`{line}` is not there: {told}");
    }
}

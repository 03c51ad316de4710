//! The house rules of `docs/house-rules.md`: each can be played, and is seen to change something. And those that somebody
//! writes who has read only `docs/`: each is seen to do what it is for, by one command.

use std::fs;
use std::path::{Path, PathBuf};

use adit::cli::Exit;
use serde_json::Value;

use crate::command::adit;
use crate::fixtures::width;

fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cookbook");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.rules"));
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The recipes of the page by name, in order.
fn recipes() -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/house-rules.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, cookbook) = page.split_once("## Thirty house rules").unwrap();
    let fences = cookbook.split("```rules\n").skip(1);
    let recipes = fences.map(|it| {
        let text = it.split("```").next().unwrap();
        let name = text.split("variant ").nth(1).unwrap();
        (name.split(' ').next().unwrap().to_owned(), text.to_owned())
    });
    recipes.collect()
}

fn told(line: &str) -> (Value, Exit) {
    let ran = adit(&format!("--json {line}"));
    let told = serde_json::from_str(&ran.out);
    (
        told.unwrap_or_else(|_| panic!("{line}: {}{}", ran.out, ran.err)),
        ran.exit,
    )
}

/// Plays both sides of a house rule in step: no fault, no endless game, and something differs.
fn is_seen(name: &str, path: &str, games: u64) {
    let (told, exit) = told(&format!("try {path} --games {games}"));
    assert_eq!(exit, Exit::Yes, "{name}: {told}");
    assert!(told["play"]["differ"].as_u64() > Some(0), "{name}: {told}");
}

/// One that somebody has written who has read only `docs/`.
fn house(name: &str) -> String {
    let path = format!("tests/fixtures/house/{name}.rules");
    is_checked(name, &path);
    path
}

fn is_checked(name: &str, path: &str) {
    let checked = adit(&format!("check {path}"));
    assert_eq!(
        checked.exit,
        Exit::Yes,
        "{name}: {}{}",
        checked.out,
        checked.err
    );
    let laid_out = adit(&format!("fmt --check {path}"));
    assert_eq!(laid_out.exit, Exit::Yes, "{name}: {}", laid_out.out);
}

#[test]
fn each_recipe_can_be_read() {
    let recipes = recipes();
    assert_eq!(recipes.len(), 30);
    // Each asks for all readings of its game: a part of them in a quick run.
    for (name, text) in recipes.iter().step_by(width(6, 3, 1) as usize) {
        is_checked(name, &file(name, text));
    }
}

#[test]
fn each_recipe_changes_games_and_stops_none() {
    for (name, text) in recipes().iter().step_by(width(5, 4, 1) as usize) {
        is_seen(name, &file(name, text), width(12, 16, 200));
    }
}

/// The words in the table of recipes are their names.
#[test]
fn the_table_of_recipes_names_them() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/house-rules.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, cookbook) = page.split_once("## Thirty house rules").unwrap();
    let (table, _) = cookbook.split_once("### ").unwrap();
    let rows = table.lines().filter(|it| it.starts_with("| ")).skip(1);
    let known: Vec<String> = recipes().into_iter().map(|it| it.0).collect();
    let cells = rows.filter_map(|it| it.split('|').nth(2));
    let mut n_named = 0;
    for named in cells.flat_map(|it| it.split('`').skip(1).step_by(2)) {
        assert!(known.iter().any(|it| it == named), "{named}");
        n_named += 1;
    }
    assert!(n_named >= 20, "{n_named}");
}

/// Tunnels to 31 with hands of four: games last longer, and nobody discards a fourth card.
#[test]
fn a_longer_game_with_greater_hands() {
    let path = house("longer");
    let games = width(10, 100, 100);
    let (told, exit) = told(&format!(
        "compare tunnels --but-with {path} --games {games}"
    ));
    assert_eq!(exit, Exit::Yes, "{told}");
    let rows = told["rows"].as_array().unwrap();
    let choices = rows.iter().find(|it| it["what"] == "choices").unwrap();
    assert!(choices["low"].as_f64() > Some(0.0), "{told}");
}

/// Aces score two: only what is scored changes, by as much as there are aces.
#[test]
fn aces_score_two() {
    let path = house("dear_aces");
    let games = width(6, 60, 60);
    let (told, _) = told(&format!("try {path} --games {games}"));
    let kinds = told["play"]["choices"].as_object().unwrap();
    // Until somebody has more points there is no other choice for anybody.
    let only = ["end", "over"];
    assert!(kinds.keys().all(|it| only.contains(&it.as_str())), "{told}");
    assert!(told["play"]["differ"].as_u64() > Some(0), "{told}");
}

/// Small cities score two and a token costs a point: legal moves never differ, figures do.
#[test]
fn small_cities_score_two_and_a_token_costs_a_point() {
    let path = house("sober");
    let games = width(4, 20, 40);
    let (told, exit) = told(&format!("try {path} --games {games}"));
    assert_eq!(exit, Exit::Yes, "{told}");
    let kinds = told["play"]["choices"].as_object().unwrap();
    assert!(kinds.keys().all(|it| it == "end"), "{told}");
    let play = &told["play"];
    assert_eq!(play["other_figures"], play["judged"], "{told}");
}

/// The second to pass takes the card of the first player: another seat begins.
#[test]
fn the_second_passer_takes_the_card() {
    let path = house("last_out");
    let games = width(4, 20, 40);
    let (told, exit) = told(&format!("try {path} --games {games}"));
    assert_eq!(exit, Exit::Yes, "{told}");
    let kinds = told["play"]["choices"].as_object().unwrap();
    assert!(kinds.contains_key("chooser"), "{told}");
    assert!(told["play"]["differ"].as_u64() > Some(0), "{told}");
}

/// A fifth rule against blocking: moves are only forbidden, and the position of the dispute shows it.
#[test]
fn a_fifth_rule_against_blocking() {
    let path = house("only_linked");
    let decided = adit(&format!("rulings {path} R-fifth"));
    assert_eq!(decided.exit, Exit::Yes, "{}", decided.out);
    let games = width(4, 20, 40);
    let (told, exit) = told(&format!("try {path} --games {games}"));
    assert_eq!(exit, Exit::Yes, "{told}");
    let kinds = told["play"]["choices"].as_object().unwrap();
    assert!(kinds.contains_key("forbids"), "{told}");
    assert!(!kinds.contains_key("permits"), "{told}");
}

/// House rules of other kinds, over the classics: name, game, edit, how alone the choices differ, and the exit.
const OTHERS: [(&str, &str, &str, &[&str], Exit); 12] = [
    ("misere", "tic_tac_toe", "replace ending three_in_a_row(s: seat) { winner next_seat(s) }", &["end"], Exit::Yes),
    (
        "not_middle",
        "tic_tac_toe",
        "forbid place(at) label middle when at == Square(b, 2) and count pencil == 10 because \"not at first\"",
        &["forbids"],
        Exit::Yes,
    ),
    (
        "five_line",
        "connect_four",
        "replace four = some { d in { n, ne, e, se } where 1 + count run(q, d, s) + count run(q, opposite(d), s) >= 5 }",
        &["over"],
        Exit::Yes,
    ),
    (
        "pop_out",
        "connect_four",
        "action pop(c: Column) \"{c} out\" {
            require own: board[Cell(c, 1)] == Disc(me) else \"no disc of {me} lies there\"
            do {
                move board[Cell(c, 1)] to box
                for each r in 1..5 { if filled board[Cell(c, r + 1)] { move board[Cell(c, r + 1)] to board[Cell(c, r)] } }
            }
        }
        add choice to main: pop",
        &["permits"],
        Exit::Yes,
    ),
    (
        "must_capture",
        "breakthrough",
        "forbid advance label first when can(me, capture) because \"a capture comes first\"",
        &["forbids"],
        Exit::Yes,
    ),
    (
        "calm",
        "leduc",
        "forbid raise label early when empty board because \"not in the first round\"",
        &["forbids"],
        Exit::Yes,
    ),
    (
        "queens_high",
        "leduc",
        "replace worth = if hand[s].rank == board.rank then 3 else by hand[s].rank { queen => 2  king => 1  jack => 0 }",
        &["end"],
        Exit::Yes,
    ),
    ("double_ante", "kuhn", "replace track stake[seat]: 0..9 = 2", &["both"], Exit::Yes),
    (
        "overline",
        "gomoku",
        "replace five = some { d in { n, ne, e, se } where in_a_row(q, d, p) >= 5 }",
        &["over"],
        Exit::Yes,
    ),
    ("no_honours", "whist", "replace for_honours = 0", &["over", "end"], Exit::Yes),
    ("lazy", "draughts", "remove advance.no_jump", &["permits"], Exit::Yes),
    // Twice is as often as somebody may pass there.
    ("free_pass", "othello", "remove pass.stuck", &["permits"], Exit::No),
];

#[test]
fn house_rules_of_other_kinds_get_their_verdict() {
    for (name, game, edit, kinds, exit) in OTHERS {
        let path = file(
            name,
            &format!("variant {name} \"{name}\" for {game} {{ }}\n{edit}\n"),
        );
        let games = match game {
            "gomoku" | "leduc" => 40,
            _ => 6,
        };
        let (told, ended) = told(&format!("try {path} --games {games}"));
        assert_eq!(ended, exit, "{name}: {told}");
        assert!(told["play"]["differ"].as_u64() > Some(0), "{name}: {told}");
        let found = told["play"]["choices"].as_object().unwrap();
        assert!(!found.is_empty(), "{name}: {told}");
        assert!(
            found.keys().all(|it| kinds.contains(&it.as_str())),
            "{name}: {told}"
        );
    }
}

/// Six cards to start with are more than there are; farmers who score four change no move; a token that closes no loop is only refused.
#[test]
fn house_rules_over_the_shipped_games_get_their_verdict() {
    let six = "set hand_limit = 6\ninsert after play_hand.deal { for each s in seat { draw 5 of stock to hand[s] } }";
    let four = "replace score_fields { for each p in farms, s in owners(whole(p)) { points[s] += 4 * count cities_beside(p) } }";
    let six = file(
        "six_cards",
        &format!("variant six_cards \"Six\" for tunnels {{ }}\n{six}\n"),
    );
    let four = file(
        "farmers_four",
        &format!("variant farmers_four \"Four\" for carcassonne {{ }}\n{four}\n"),
    );
    let (told_six, exit) = told(&format!("try {six} --games 2"));
    assert_eq!(exit, Exit::No, "{told_six}");
    assert_eq!(told_six["first"]["kind"], "fault", "{told_six}");
    assert!(told_six.to_string().contains("F0804"), "{told_six}");
    let (told, exit) = told(&format!("try {four} --games {}", width(3, 20, 20)));
    assert_eq!(exit, Exit::Yes, "{told}");
    let kinds = told["play"]["choices"].as_object().unwrap();
    assert!(kinds.keys().all(|it| it == "end"), "{told}");
    assert!(told["play"]["other_figures"].as_u64() > Some(0), "{told}");
}

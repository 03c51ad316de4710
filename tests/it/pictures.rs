//! Landscapes as pictures: in the terminal and as SVG.

use adit::cli::Exit;

use crate::command::{Ran, adit};

const PATHS: &str = "tests/fixtures/pictures/paths.rules";
const MOVES: &str = "--moves \"walker on first_path; walker on lake\"";

fn shown(command: &str) -> Ran {
    let ran = adit(command);
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    ran
}

fn snapshot(name: &str, command: &str) {
    let ran = shown(command);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/pictures");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, ran.out));
}

/// What lies in heaps on a board of two rows is piled up from its edges, each thing drawn.
#[test]
fn heaps_are_piled_up() {
    let path = format!("{}/heaps.svg", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_file(&path);
    shown(&format!("show backgammon --seed 3 --svg {path}"));
    let svg = std::fs::read_to_string(&path).unwrap();
    // Thirty men on their places, in two rows of five at most from each edge.
    assert_eq!(svg.matches("<circle").count(), 30);
    let heights = svg.split("<circle").skip(1);
    let heights = heights.map(|it| it.split('"').nth(3).unwrap().parse::<f64>().unwrap());
    let heights: std::collections::BTreeSet<i64> = heights.map(|it| it as i64).collect();
    assert_eq!(heights.len(), 10, "{heights:?}");
    assert!(!svg.contains(">5 ○<"));
}

#[test]
fn landscapes_are_drawn_with_signs() {
    snapshot("signs", &format!("show {PATHS} {MOVES}"));
}

#[test]
fn landscapes_are_drawn_in_ascii() {
    let command = format!("show {PATHS} {MOVES} --plain");
    snapshot("plain", &command);
    assert!(shown(&command).out.is_ascii());
}

#[test]
fn landscapes_are_drawn_in_colour() {
    snapshot("colour", &format!("show {PATHS} {MOVES} --color always"));
}

#[test]
fn moves_are_numbered_where_they_are_made() {
    snapshot("legal", &format!("legal {PATHS}"));
}

#[test]
fn landscapes_are_drawn_as_svg() {
    snapshot("svg", &format!("show {PATHS} {MOVES} --svg -"));
}

const SIDES: &str = "tests/fixtures/pictures/sides.rules --moves \"bid 12; pass; b1; a3; b2\"";

/// Each side sits at the bottom of its own picture, sees what it can move marked, and crowns.
#[test]
fn a_board_lies_before_who_looks() {
    snapshot("from_south", &format!("show {SIDES} --seat white"));
    snapshot("from_north", &format!("show {SIDES} --seat black"));
    snapshot("sides_plain", &format!("show {SIDES} --plain"));
    snapshot("sides_svg", &format!("show {SIDES} --seat black --svg -"));
    is_well_formed(&shown(&format!("show {SIDES} --seat black --svg -")).out);
}

const TABLES: &str = "tests/fixtures/pictures/tables.rules";
const TABLES_MOVES: &str = "--moves \"take R; to hull\"";

/// Two things at one place of a drawing, a board for each seat, tables over numbers.
#[test]
fn much_lies_on_a_table() {
    snapshot("tables", &format!("show {TABLES}"));
    snapshot("tables_later", &format!("show {TABLES} {TABLES_MOVES}"));
    let svg = format!("show {TABLES} {TABLES_MOVES} --svg -");
    snapshot("tables_svg", &svg);
    is_well_formed(&shown(&svg).out);
    shown(&format!("rulings {TABLES}"));
}

#[test]
fn legal_lists_each_move_with_its_number() {
    snapshot("list_of_moves", "legal tests/fixtures/pictures/sides.rules");
}

/// What is drawn in colour is what is drawn without: the same columns and rows.
#[test]
fn colour_only_adds_colour() {
    let lines = |look: &str| -> Vec<usize> {
        let text = shown(&format!("show {PATHS} {MOVES} {look}")).out;
        let text = text
            .split("\u{1b}[")
            .enumerate()
            .map(|(at, piece)| match at {
                0 => piece,
                _ => piece.split_once('m').map_or("", |it| it.1),
            });
        let text: String = text.collect();
        assert!(!text.contains('\u{1b}'));
        text.lines().map(|it| it.chars().count()).collect()
    };
    let (with, without) = (lines("--color always"), lines("--color never"));
    assert_eq!(with.len(), without.len());
}

/// Every element that is opened is closed, in order, and texts are escaped.
fn is_well_formed(svg: &str) {
    let mut open = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert!(!text.contains('&') || text.contains("&amp;") || text.contains("&lt;"));
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn every_game_can_be_drawn() {
    for game in ["tunnels", "othello", PATHS] {
        let svg = shown(&format!("show {game} --svg -")).out;
        is_well_formed(&svg);
        assert!(svg.starts_with("<svg"));
        let json = shown(&format!("show {game} --json")).out;
        assert!(json.contains("\"zones\""));
    }
}

#[test]
fn pictures_are_written_into_files() {
    let path = format!("{}/paths.svg", env!("CARGO_TARGET_TMPDIR"));
    let said = shown(&format!("show {PATHS} --svg {path}")).out;
    assert_eq!(said, format!("drawn in {path}\n"));
    let first = std::fs::read_to_string(&path).unwrap();
    assert_eq!(first, shown(&format!("show {PATHS} --svg -")).out);
    let failed = adit(&format!("show {PATHS} --svg /nowhere/at/all.svg"));
    failed.complains(Exit::Failure, "J0925");
}

/// A seat is shown what it sees: nobody else's secrets are in the picture.
#[test]
fn pictures_keep_secrets() {
    let own = shown("show tunnels --svg - --seat 1").out;
    let others = shown("show tunnels --svg - --seat 2").out;
    assert_ne!(own, others);
    assert_eq!(adit("show tunnels --seat nobody").exit, Exit::Failure);
}

#[test]
fn boards_look_like_boards() {
    let drawn = |line: &str| {
        let svg = shown(&format!("{line} --svg -")).out;
        is_well_formed(&svg);
        svg
    };
    let chess = drawn("show chess --moves \"e2-e4\"");
    assert_eq!(chess.matches("width=\"40\" height=\"40\"").count(), 64);
    assert_eq!(
        chess.matches("fill=\"#c9ab74\"").count(),
        32,
        "dark squares"
    );
    assert_eq!(
        chess.matches("stroke=\"#b0281a\"").count(),
        2,
        "where the move went"
    );
    // White's right-hand corner is light, from either side.
    let corner = |svg: &str| {
        let last = svg
            .split("<rect")
            .filter(|it| it.contains("height=\"40\""))
            .last();
        last.is_some_and(|it| it.contains("fill=\"#ead9b5\""))
    };
    assert!(corner(&chess) && corner(&drawn("show chess --seat white")));
    let hex = drawn("show hex --moves \"f6\"");
    assert_eq!(hex.matches("Z\" fill=\"#ead9b5\"").count(), 121);
    assert_eq!(hex.matches("<circle").count(), 1);
    let four = drawn("show connect_four --moves \"d; d\"");
    assert_eq!(four.matches("<circle").count(), 2);
    assert!(!four.contains("#c9ab74"), "not chequered");
}

//! The table of disputed points in the documentation agrees with the rulebook.

use std::collections::BTreeSet;

use adit::engine::{Dice, Machine, Seen, Viewer};
use adit::model::Game;

use super::table::card;
use super::{AGENDA, games, read};

const PAGE: &str = "docs/channel_tunnel.md";
/// Points that the specification counts.
const N_POINTS: usize = 85;
/// Settings whose readings no ruling tells apart; the tests below do.
const NOT_RULED: [&str; 1] = ["free_ability"];

/// A row of the table.
struct Point {
    name: String,
    settings: Vec<String>,
    rulings: Vec<String>,
    reason: String,
}

fn points() -> Vec<Point> {
    let path = format!("{}/{PAGE}", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| KQ-"));
    let quoted = |cell: &str| -> Vec<String> {
        let words = cell.split('`').skip(1).step_by(2);
        words.map(str::to_owned).collect()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, name, _, settings, decided, _] = cells.as_slice() else {
            panic!("{row}");
        };
        let (ruled, reason) = decided.split_once("; ").unwrap_or((decided, ""));
        let is_ruled = ruled.starts_with('`');
        Point {
            name: (*name).to_owned(),
            settings: quoted(settings),
            rulings: if is_ruled { quoted(ruled) } else { Vec::new() },
            reason: if is_ruled { reason } else { ruled }.to_owned(),
        }
    })
    .collect()
}

/// The names of the settings that a ruling answers.
fn answered<'g>(game: &'g Game, id: &str) -> BTreeSet<&'g str> {
    let ruling = game.rulings.iter().find(|it| it.id == id);
    let ruling = ruling.unwrap_or_else(|| panic!("there is no ruling {id}"));
    let name = |id: &adit::model::SettingId| game.settings[id.index()].name.as_str();
    ruling.answers.iter().map(name).collect()
}

#[test]
fn every_disputed_point_is_decided_or_says_why_not() {
    let game = &games()[1].1.game;
    let points = points();
    let names: Vec<&str> = points.iter().map(|it| it.name.as_str()).collect();
    let all: Vec<String> = (1..=N_POINTS).map(|n| format!("KQ-{n}")).collect();
    assert_eq!(names, all);
    for point in &points {
        let name = &point.name;
        assert!(
            !point.rulings.is_empty() || !point.reason.is_empty(),
            "{name}"
        );
        let answers: BTreeSet<&str> = point
            .rulings
            .iter()
            .flat_map(|id| answered(game, id))
            .collect();
        for setting in point.settings.iter().map(String::as_str) {
            let is_ruled = answers.contains(setting);
            assert_eq!(is_ruled, !NOT_RULED.contains(&setting), "{name}: {setting}");
        }
    }
}

#[test]
fn every_setting_stands_in_one_row() {
    let game = &games()[1].1.game;
    let points = points();
    let mut listed: Vec<&str> = points
        .iter()
        .flat_map(|it| it.settings.iter().map(String::as_str))
        .collect();
    listed.sort_unstable();
    // How many discs a player starts with is printed; the setting only lets people play with others.
    let settings = game.settings.iter().map(|it| it.name.as_str());
    let mut settings: Vec<&str> = settings.filter(|it| *it != "start_discs").collect();
    settings.sort_unstable();
    assert_eq!(listed, settings);
}

/// The printed fixtures of disputed cases have rulings of their names.
#[test]
fn the_fixtures_of_the_specification_are_rulings() {
    let game = &games()[1].1.game;
    for n in 9..=16 {
        let id = format!("F{n}");
        assert!(game.rulings.iter().any(|it| it.id == id), "{id}");
    }
}

/// KQ-52: what the rival sees of an exhausted card.
#[test]
fn exhausted_cards_can_be_public() {
    for (reading, is_seen) in [("owner_only", false), ("everybody", true)] {
        let set = [("face_down_cards".to_owned(), reading.to_owned())];
        let program = read(&[AGENDA], &set);
        let rulings = &program.game.rulings;
        let number = rulings
            .iter()
            .position(|it| it.id == "R-exhausted")
            .unwrap();
        let mut machine = Machine::new(&program);
        machine.set_up(number, &mut Dice::new(1)).unwrap();
        let heavy = i64::try_from(card(&program.game, "heavy_machinery_1")).unwrap();
        let view = machine.view(Viewer::Seat(1));
        let done = view.zones.iter().find(|it| it.name == "done").unwrap();
        let wanted = if is_seen {
            Seen::Known(heavy)
        } else {
            Seen::Unknown
        };
        assert_eq!(done.places[0].seen, [wanted], "{reading}");
    }
}

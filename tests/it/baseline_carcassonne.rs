//! The hand-written Carcassonne is right where recorded games of another engine can say so.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;

use crate::baseline::carcassonne::tiles::{BASE, DESIGNS, Design, Kind, Land, PIECES, START};
use crate::baseline::carcassonne::{Carcassonne, MOST_SEATS, Setup};
use crate::baseline::chance::pick;
use crate::carcassonne::log::{self, Log};
use crate::carcassonne::mutate::{CHANGES, must_refuse};
use crate::carcassonne::plain::Plain;
use crate::carcassonne::replay::{Compared, replay};

#[test]
fn recorded_games_are_played_as_they_were() {
    let mut compared = Compared::default();
    let paths = log::paths();
    for path in &paths {
        let log = log::load(path);
        compared += replay::<Plain>(&log).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    }
    println!("{} logs, {compared:?}", paths.len());
    assert!(compared.decisions >= 1800 && compared.options >= 30_000);
}

#[test]
fn a_recorded_game_with_one_thing_changed_is_refused_at_that_line() {
    let texts: Vec<String> = log::own().iter().map(|it| log::text(it)).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for change in &CHANGES {
        let refused = texts
            .iter()
            .filter(|it| must_refuse::<Plain>(it, change, &mut rng));
        assert!(refused.count() >= 7, "{} was hardly tried", change.name);
    }
}

#[test]
fn the_end_of_a_recorded_game_is_compared() {
    let log = log::load(&log::own()[0]);
    let refused = |change: &dyn Fn(&mut Log), word: &str| {
        let mut log = log.clone();
        change(&mut log);
        let parted = replay::<Plain>(&log).unwrap_err();
        assert!(parted.to_string().contains(word), "{word}: {parted}");
    };
    refused(
        &|it| it.final_scores[0] += 1,
        "end of the game: final scores",
    );
    refused(&|it| drop(it.final_points.pop()), "the log lacks points");
    refused(&|it| it.final_points[0].points += 1, "was not scored");
    refused(&|it| drop(it.final_followers.pop()), "final follower");
    refused(&|it| drop(it.final_features.pop()), "final feature");
    refused(
        &|it| drop(it.final_features[3].parts.pop()),
        "final feature",
    );
    refused(&|it| it.final_features[0].owners.push(1), "final feature");
    refused(
        &|it| it.discarded_at_end.push("C".to_owned()),
        "could not be laid",
    );
    refused(
        &|it| it.tokens_per_player[0] = [("A".to_owned(), 1)].into(),
        "tokens",
    );
    refused(&|it| it.start.rot = 90, "the start tile");
    refused(&|it| drop(it.turns.pop()), "more tiles are drawn");
}

#[test]
fn the_tiles_are_those_of_the_box() {
    let text = include_str!("../fixtures/carcassonne/tiles.json");
    let known: Value = serde_json::from_str(text).unwrap();
    let listed = |key: &str| known[key].as_array().unwrap().clone();
    let (base, tunnel) = (listed("base"), listed("tunnel"));
    assert_eq!(base.len(), BASE);
    let all: Vec<Value> = [base, tunnel].concat();
    assert_eq!(all.len(), DESIGNS.len());
    for (design, known) in DESIGNS.iter().zip(&all) {
        compare(design, known);
    }
    assert_eq!(known["start"]["design"], DESIGNS[START].name);
}

const SIDES: [&str; 4] = ["N", "E", "S", "W"];
const HALVES: [&str; 8] = ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"];

fn numbers(list: &Value, names: &[&str]) -> Vec<usize> {
    let Some(list) = list.as_array() else {
        return vec![];
    };
    let number = |name: &Value| names.iter().position(|it| *name == **it).unwrap();
    list.iter().map(number).collect()
}

fn compare(design: &Design, known: &Value) {
    let name = design.name;
    assert_eq!(known["design"], name);
    assert_eq!(known["count"], design.copies, "{name}");
    for (side, land) in SIDES.iter().zip(design.edges) {
        let land = match land {
            Land::Field => "field",
            Land::Road => "road",
            Land::City => "city",
        };
        assert_eq!(known["edges"][side], land, "{name} {side}");
    }
    let features = known["features"].as_array().unwrap();
    assert_eq!(features.len(), design.pieces.len(), "{name}");
    assert!(features.len() <= PIECES);
    assert!(design.pieces.is_sorted_by_key(|it| (it.kind, it.name)));
    let names: Vec<&str> = design.pieces.iter().map(|it| it.name).collect();
    for piece in design.pieces {
        let known = features.iter().find(|it| it["id"] == piece.name).unwrap();
        let kind = match piece.kind {
            Kind::City => "city",
            Kind::Road => "road",
            Kind::Field => "field",
            Kind::Cloister => "cloister",
        };
        assert_eq!(known["kind"], kind);
        assert_eq!(numbers(&known["edges"], &SIDES), piece.sides, "{name}");
        assert_eq!(
            numbers(&known["half_edges"], &HALVES),
            piece.halves,
            "{name}"
        );
        assert_eq!(numbers(&known["cities"], &names), piece.cities, "{name}");
        let shields = known["shields"].as_u64().unwrap_or(0);
        assert_eq!(shields, u64::from(piece.shields), "{name}");
        let openings = numbers(&known["tunnel_openings"], &SIDES);
        assert_eq!(
            openings,
            if piece.mouth { piece.sides } else { &[] },
            "{name}"
        );
    }
}

#[test]
fn nothing_is_lost_in_random_games() {
    for seats in 2..=MOST_SEATS {
        let mut rng = ChaCha8Rng::seed_from_u64(seats as u64);
        let mut game = Carcassonne::new(Setup::with_tunnel(seats, 1), &mut rng);
        while !game.is_over() {
            assert!(game.legal.is_sorted(), "{:?}", game.legal);
            let laid =
                game.table.laid.len() + game.discarded.len() + usize::from(game.hand.is_some());
            assert_eq!(laid + game.bag.len(), 76);
            for seat in 0..seats {
                let tiles = game.table.laid.iter();
                let standing = tiles
                    .flat_map(|it| it.followers)
                    .filter(|it| *it == Some(seat as u8));
                assert_eq!(standing.count() + usize::from(game.supply[seat]), 7);
            }
            let choice = game.legal[pick(&mut rng, game.legal.len())];
            game.apply(choice, &mut rng);
        }
        assert!(game.bag.is_empty());
        let scored: u32 = game.scored.iter().map(|it| it.points).sum();
        assert_eq!(scored, game.points.iter().sum::<u32>());
    }
}

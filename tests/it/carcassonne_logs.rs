//! The rulebook of Carcassonne plays recorded games of another engine as they were played.

use std::collections::{BTreeMap, BTreeSet};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::carcassonne::engine::{Engine, points_under};
use crate::carcassonne::log;
use crate::carcassonne::mutate::{CHANGES, must_refuse};
use crate::carcassonne::replay::{Compared, replay};

#[test]
fn recorded_games_are_played_as_they_were() {
    let mut compared = Compared::default();
    let paths = log::paths();
    for path in &paths {
        let log = log::load(path);
        compared += replay::<Engine>(&log).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    }
    println!("{} logs, {compared:?}", paths.len());
    assert!(compared.decisions >= 1800 && compared.options >= 30_000);
}

#[test]
fn a_recorded_game_with_one_thing_changed_is_refused_at_that_line() {
    let texts: Vec<String> = log::own().iter().map(|it| log::text(it)).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for change in &CHANGES {
        let refused = texts
            .iter()
            .any(|it| must_refuse::<Engine>(it, change, &mut rng));
        assert!(refused, "{} was not tried", change.name);
    }
}

/// The points of the same moves under other readings, worked out by another program that knows nothing of the rulebook.
#[test]
fn recorded_games_score_otherwise_under_other_readings() {
    const EVERY: usize = if cfg!(debug_assertions) { 4 } else { 1 };
    let text = include_str!("../fixtures/carcassonne/other_readings.json");
    let known: BTreeMap<String, BTreeMap<String, Vec<u32>>> = serde_json::from_str(text).unwrap();
    let mut moved = BTreeSet::new();
    for path in log::own().iter().skip(1).step_by(EVERY) {
        let log = log::load(path);
        for (reading, points) in &known[path.file_stem().unwrap().to_str().unwrap()] {
            let place = format!("{} under {reading}", path.display());
            let own = points_under(&log, reading).unwrap_or_else(|it| panic!("{place}: {it}"));
            assert_eq!(own, *points, "{place}");
            if own != log.final_scores {
                moved.insert(reading.clone());
            }
        }
    }
    assert!(moved.len() >= 4, "only {moved:?} make a difference");
}

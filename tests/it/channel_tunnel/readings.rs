//! Many random games under every single reading, of the game and of its expansion.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{AGENDA, games, read};
use crate::readings::{check, n_games};
use crate::rulebooks::readings;

/// In the development profile each reading is only tried.
fn tries() -> u64 {
    if cfg!(debug_assertions) { 1 } else { n_games() }
}

/// Readings under which the playing cards can run out, so that players with full storage come to a
/// standstill, which the printed rules do not end (KQ-11). Games under them are played with the guard.
const RUN_OUT: [(&str, &str); 3] = [
    ("deck_refill", "finance_only"),
    ("late_card", "stays_closed"),
    ("spent_cards", "out_of_game"),
];

type Set = Vec<(String, String)>;

#[test]
fn games_end_and_keep_their_invariants_under_every_reading() {
    let [(_, base), (_, agenda)] = games();
    let of_base = readings(&base.game);
    let is_new = |set: &Set| !of_base.contains(set);
    let of_agenda = readings(&agenda.game).into_iter().filter(is_new);
    let mut all: Vec<(&[&str], Set)> = of_agenda.map(|set| (&[AGENDA][..], set)).collect();
    assert!(
        of_base.len() > 60 && all.len() > 10,
        "{} and {}",
        of_base.len(),
        all.len()
    );
    all.extend(of_base.into_iter().map(|set| (&[][..], set)));
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((amendments, set)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let runs_out = set.iter().any(|(question, reading)| {
                RUN_OUT.contains(&(question.as_str(), reading.as_str()))
            });
            let guard = runs_out.then(|| ("stall_guard".into(), "idle_rounds".into()));
            let set: Set = set.iter().cloned().chain(guard).collect();
            let may_stall = set.iter().any(|(question, _)| question == "stall_guard");
            check(
                &read(amendments, &set),
                &format!("{set:?}"),
                tries(),
                may_stall,
            );
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

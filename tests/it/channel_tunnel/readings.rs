//! Many random games under every single reading, of the game and of its expansion.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{AGENDA, games, read};
use crate::readings::{GAMES, check};
use crate::rulebooks::readings;

/// In the development profile each reading is only tried.
const TRIES: u64 = if cfg!(debug_assertions) { 1 } else { GAMES };

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
            check(&read(amendments, set), &format!("{set:?}"), TRIES);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

//! Whether chance gives something else under two rule sets before anybody has chosen.

use std::collections::BTreeMap;

use super::run::Plan;
use super::seen::written;
use super::sight::LOOKED_GAMES;
use super::step::{Pair, Rules};
use crate::engine::{Machine, Program, Seen, Viewer, of_value};
use crate::model::{Base, Type};

/// A place in which as much lies under both when the first seat chooses, and not the same, by luck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    /// A zone and its place, as it is written in plain letters.
    pub place: String,
    /// Games in which something else lies there.
    pub games: u64,
    /// Games whose beginning was looked at.
    pub looked: u64,
}

/// What lies in each place, by what stands for it in both rule sets.
type Lying = BTreeMap<String, Vec<u64>>;

/// Looks at how the first of some games begin under both. Differences behind that may be those of luck alone.
#[must_use]
pub fn dealt(programs: [&Program; 2], plan: &Plan) -> Option<Dealt> {
    let rules = Rules::of(programs);
    let mut pair = Pair::new(&rules, plan.most_choices);
    let looked = plan.games.min(LOOKED_GAMES);
    let games: Vec<[Lying; 2]> = (0..looked)
        .map(|game| {
            pair.begin(plan.first.wrapping_add(game));
            pair.sides.each_ref().map(|it| lying(&it.machine))
        })
        .collect();
    let (first, rest) = games.split_first()?;
    // What lies there in each game alike was not drawn.
    let is_drawn = |place: &String| {
        [0, 1].into_iter().all(|side| {
            let own = first[side].get(place);
            rest.iter().any(|it| it[side].get(place) != own)
        })
    };
    let is_other = |place: &String, [one, other]: &[Lying; 2]| {
        let both = one.get(place).zip(other.get(place));
        both.is_some_and(|(a, b)| a.len() == b.len() && a != b)
    };
    first[0].keys().find_map(|place| {
        let games = games.iter().filter(|it| is_other(place, it)).count() as u64;
        (games > 0 && is_drawn(place)).then(|| Dealt {
            place: place.clone(),
            games,
            looked,
        })
    })
}

fn lying(machine: &Machine<'_>) -> Lying {
    let game = &*machine.program().game;
    let zones = machine.view(Viewer::Referee).zones;
    let mut lying = Lying::new();
    for (zone, view) in game.zones.iter().zip(zones) {
        let of = Type::of(Base::Elem(zone.component));
        for place in view.places {
            let name = written(&view.name, &place.at);
            let seen = place.seen.iter().map(|it| match it {
                Seen::Known(kind) => of_value(game, of, *kind),
                Seen::Unknown => 0,
            });
            lying.insert(name, seen.collect());
        }
    }
    lying
}

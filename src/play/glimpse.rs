//! What a seat saw for a moment: it came and went between one table and the next.

use std::collections::BTreeMap;

use crate::engine::{Event, Happened, Seen, View};
use crate::model::{DomainId, Game, ZoneId};

/// Something seen at a place.
pub struct Glimpse {
    /// The zone.
    pub zone: ZoneId,
    /// The number of the place.
    pub place: usize,
    /// What its components are.
    pub component: DomainId,
    /// Those that were seen, by kind, with how many of each were shown at once; one of what came and went.
    pub kinds: BTreeMap<i64, usize>,
    /// Whether the seat was shown it, other than seeing it lie there.
    pub is_shown: bool,
    /// Whether it was shown to that seat alone.
    pub is_private: bool,
    /// Whether the seat still knows what lies there.
    pub stays: bool,
    /// Whether the one table and the other tell it.
    pub is_new: bool,
}

/// What a seat saw by what happened: what it was shown, though it may have known it before, and what lay before
/// it for a moment.
pub fn glimpses(game: &Game, seat: u32, events: &[Event], views: [&View; 2]) -> Vec<Glimpse> {
    let mut found: Vec<Glimpse> = Vec::new();
    // What is shown anew is not there twice.
    let mut at_once: BTreeMap<(ZoneId, usize, i64), usize> = BTreeMap::new();
    for event in events {
        let by_rule = event.is_seen_by_rule(game, seat);
        let is_shown = match event.what {
            Happened::Forgotten(who) => {
                if who.is_none_or(|it| it == seat) {
                    at_once.retain(|it, _| (it.0, it.1) != (event.zone, event.place));
                }
                continue;
            }
            Happened::Taken | Happened::Poured { .. } => continue,
            Happened::Laid if by_rule => false,
            Happened::Shown(who) if !by_rule && who.is_none_or(|it| it == seat) => true,
            Happened::Laid | Happened::Shown(_) => continue,
        };
        let [before, after] = views.map(|view| lies_there(game, view, event));
        if !is_shown && (before || after) {
            continue;
        }
        let is_new = after && !before;
        let many = match is_shown {
            true => {
                let key = (event.zone, event.place, event.kind);
                let so_far = at_once.entry(key).or_default();
                *so_far += 1;
                *so_far
            }
            false => 1,
        };
        let Some(zone) = game.zones.get(event.zone.index()) else {
            continue;
        };
        let same = |it: &&mut Glimpse| {
            let key = (it.zone, it.place, it.is_shown, it.is_new);
            key == (event.zone, event.place, is_shown, is_new)
        };
        match found.iter_mut().find(same) {
            Some(glimpse) => {
                let most = glimpse.kinds.entry(event.kind).or_default();
                *most = many.max(*most);
                glimpse.stays &= after;
            }
            None => found.push(Glimpse {
                zone: event.zone,
                place: event.place,
                component: zone.component,
                kinds: BTreeMap::from([(event.kind, many)]),
                is_shown,
                is_private: is_shown && event.what == Happened::Shown(Some(seat)),
                stays: after,
                is_new,
            }),
        }
    }
    found
}

/// Whether a view shows at the place what the event is about.
fn lies_there(game: &Game, view: &View, event: &Event) -> bool {
    let index = event.index(game);
    let zone = view.zones.get(event.zone.index());
    let place = zone.and_then(|it| it.places.iter().find(|place| place.index == index));
    place.is_some_and(|it| it.seen.contains(&Seen::Known(event.kind)))
}

//! The table as the referee sees it, read without asking any rule.

use adit::engine::{Machine, Seen, TrackValue, View, Viewer};
use adit::model::{DomainKind, Game};

/// Britain is 0, France is 1.
pub struct Table {
    /// Discs by colour: everywhere, and before each seat.
    pub discs: Vec<usize>,
    pub area: [Vec<usize>; 2],
    /// Rubble tokens everywhere, and those stored.
    pub tokens: usize,
    pub stored: [usize; 2],
    /// By space of the route, from Britain to France.
    pub face_down: Vec<bool>,
    pub revealed: Vec<bool>,
    pub dug: [usize; 2],
    /// How often each playing card is there, each deviation card, each agenda card.
    pub cards: Vec<usize>,
    pub deviation_cards: Vec<usize>,
    pub agenda_cards: Vec<usize>,
    pub deviation_deck: usize,
    /// Position of both technology counters.
    pub level: [[usize; 2]; 2],
    /// Discs by which New workers raise what is allowed in this round.
    pub hired: [usize; 2],
    /// Tokens on each card, and cards that lie before each seat with their number.
    pub charges: Vec<usize>,
    pub works: [Vec<usize>; 2],
    pub done: [Vec<usize>; 2],
    pub offers: Vec<usize>,
}

/// The kinds of all components that lie in a zone, place by place.
fn places(view: &View, name: &str) -> Vec<Vec<usize>> {
    let Some(zone) = view.zones.iter().find(|zone| zone.name == name) else {
        return Vec::new();
    };
    let kind = |seen: &Seen| match seen {
        Seen::Known(kind) => usize::try_from(*kind).unwrap(),
        Seen::Unknown => panic!("the referee sees everything"),
    };
    let place = |seen: &Vec<Seen>| seen.iter().map(kind).collect();
    zone.places.iter().map(|it| place(&it.seen)).collect()
}

fn number(view: &View, name: &str, place: usize) -> usize {
    let track = view.tracks.iter().find(|track| track.name == name).unwrap();
    match track.values[place] {
        Some(TrackValue::Scalar(value)) => usize::try_from(value).unwrap(),
        _ => panic!("{name} is no number"),
    }
}

/// How often each kind of a component lies anywhere.
fn census(game: &Game, view: &View, component: &str) -> Vec<usize> {
    let domain = game.domains.iter().position(|it| it.name == component);
    let Some(domain) = domain else {
        return Vec::new();
    };
    let size = usize::try_from(game.domains[domain].size).unwrap();
    let mut copies = vec![0; size];
    for zone in &game.zones {
        if zone.component.index() == domain {
            for kind in places(view, &zone.name).into_iter().flatten() {
                copies[kind] += 1;
            }
        }
    }
    copies
}

fn by_colour(discs: &[usize]) -> Vec<usize> {
    (0..5)
        .map(|colour| discs.iter().filter(|it| **it == colour).count())
        .collect()
}

impl Table {
    pub fn of(machine: &Machine<'_>) -> Table {
        let view = machine.view(Viewer::Referee);
        let game = &machine.program().game;
        let pair = |name: &str| -> [Vec<usize>; 2] { places(&view, name).try_into().unwrap() };
        let filled = |name: &str| -> Vec<bool> {
            places(&view, name)
                .iter()
                .map(|it| !it.is_empty())
                .collect()
        };
        let tokens = census(game, &view, "Rubble");
        Table {
            discs: census(game, &view, "Disc"),
            area: pair("area").map(|it| by_colour(&it)),
            tokens: tokens.iter().sum(),
            stored: pair("store").map(|it| it.len()),
            face_down: filled("face_down"),
            revealed: filled("route"),
            dug: [0, 1].map(|seat| number(&view, "dug", seat)),
            cards: census(game, &view, "Card"),
            deviation_cards: census(game, &view, "Deviation"),
            agenda_cards: census(game, &view, "AgendaCard"),
            deviation_deck: places(&view, "deviation_deck")[0].len(),
            level: [0, 1]
                .map(|seat| [0, 1].map(|counter| number(&view, "level", 2 * seat + counter))),
            hired: [0, 1].map(|seat| number(&view, "hired", seat)),
            charges: places(&view, "charge").iter().map(Vec::len).collect(),
            works: pair("works"),
            done: pair("done"),
            offers: places(&view, "offer").concat(),
        }
    }

    pub fn n_discs(&self, seat: usize) -> usize {
        self.area[seat].iter().sum()
    }

    /// How many discs a seat may have (K-37, K-38): ten, one for each disc on the technology spaces that
    /// its counters have reached, and those of New workers.
    pub fn allowed(&self, seat: usize) -> usize {
        let [upper, lower] = self.level[seat];
        let reached = [upper >= 2, upper >= 6, lower >= 3];
        10 + reached.into_iter().filter(|it| *it).count() + self.hired[seat]
    }

    /// The route as a seat sees it from its own coast: nine spaces, the first one nearest.
    pub fn own_side<'a>(&self, spaces: &'a [bool], seat: usize) -> Vec<&'a bool> {
        match seat {
            0 => spaces.iter().take(9).collect(),
            _ => spaces.iter().rev().take(9).collect(),
        }
    }
}

/// The number of a card by its name.
pub fn card(game: &Game, name: &str) -> usize {
    let domain = game.domains.iter().find(|it| it.name == "CardId").unwrap();
    let DomainKind::Enum { values, .. } = &domain.kind else {
        panic!("the cards are a list of names")
    };
    values.iter().position(|it| it.name == name).unwrap()
}

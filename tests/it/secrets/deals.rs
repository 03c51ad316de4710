//! What is dealt anew could lie there: nothing that a seat saw and did rules it out.
//!
//! Beside the engine's own knowledge stands one that is kept here: of each kind, how many may lie at a place and how many
//! must. It follows from what the seat saw move alone.

use adit::model::text::Form;
use std::collections::{BTreeMap, BTreeSet};

use adit::engine::{
    Chance, Dice, Event, Happened, Machine, Program, Seen, Status, TrackValue, View, Viewer,
};
use adit::model::{DomainId, Game, StreamId, Visibility};
use adit::play::Session;

use super::header;
use crate::fixtures::width;
use crate::perft;

/// A zone and the index of a place.
type Address = (usize, Vec<usize>);
type Counts = BTreeMap<i64, i64>;

/// What may lie at a place that a seat does not see.
#[derive(Clone, Debug, Default)]
struct Bounds {
    least: Counts,
    most: Counts,
}

fn add(counts: &mut Counts, kind: i64, n: i64) {
    *counts.entry(kind).or_default() += n;
}

fn get(counts: &Counts, kind: i64) -> i64 {
    counts.get(&kind).copied().unwrap_or(0)
}

/// What a seat can tell of all that is hidden from it.
struct Witness {
    seat: u32,
    places: BTreeMap<Address, Bounds>,
}

fn component(game: &Game, at: &Address) -> DomainId {
    game.zones[at.0].component
}

fn is_hidden(game: &Game, at: &Address, seat: u32) -> bool {
    match game.zones[at.0].visibility {
        Visibility::Open => false,
        Visibility::Hidden => true,
        Visibility::Owner(own) => at.1[own] != seat as usize,
        Visibility::Others(own) => at.1[own] == seat as usize,
    }
}

/// What lies at all places that a seat does not see, whatever it was shown.
fn contents(machine: &Machine<'_>, seat: u32) -> BTreeMap<Address, Counts> {
    let game = &machine.program().game;
    let mut all = BTreeMap::new();
    for (zone, view) in machine.view(Viewer::Referee).zones.into_iter().enumerate() {
        for place in view.places {
            let at = (zone, place.index);
            if !is_hidden(game, &at, seat) {
                continue;
            }
            let counts: &mut Counts = all.entry(at).or_default();
            for seen in place.seen {
                let Seen::Known(kind) = seen else {
                    panic!("the referee sees all");
                };
                add(counts, kind, 1);
            }
        }
    }
    all
}

fn address(game: &Game, event: &Event) -> Address {
    (event.zone.index(), event.index(game))
}

impl Witness {
    /// Who comes to a game knows how many of each kind lie somewhere.
    fn of(machine: &Machine<'_>, seat: u32) -> Self {
        let contents = contents(machine, seat);
        let places = contents.keys().map(|at| (at.clone(), Bounds::default()));
        let mut witness = Self {
            seat,
            places: places.collect(),
        };
        let game = &machine.program().game;
        for (at, bounds) in &mut witness.places {
            let same = contents.iter();
            let same = same.filter(|(it, _)| component(game, it) == component(game, at));
            for (kind, n) in same.flat_map(|(_, counts)| counts) {
                add(&mut bounds.most, *kind, *n);
            }
        }
        witness.narrow(machine);
        witness
    }

    fn hidden(&mut self, at: &Address) -> Option<&mut Bounds> {
        self.places.get_mut(at)
    }

    fn learn(&mut self, machine: &Machine<'_>, events: &[Event]) {
        let game = &machine.program().game;
        let mut taken: Vec<(Address, i64)> = Vec::new();
        let mut poured = 0;
        let mut shown: BTreeMap<Address, Counts> = BTreeMap::new();
        for event in events {
            let at = address(game, event);
            match event.what {
                Happened::Poured {
                    zone,
                    place,
                    many,
                    back,
                } => {
                    let to = address(
                        game,
                        &Event {
                            zone,
                            place,
                            ..*event
                        },
                    );
                    if self.hidden(&at).is_some() && self.hidden(&to).is_some() {
                        poured = many * 2;
                        let from = std::mem::take(self.hidden(&at).unwrap());
                        let there = self.hidden(&to).unwrap();
                        if back {
                            let other = std::mem::replace(there, from);
                            *self.hidden(&at).unwrap() = other;
                        } else {
                            from.least
                                .iter()
                                .for_each(|(k, n)| add(&mut there.least, *k, *n));
                            from.most
                                .iter()
                                .for_each(|(k, n)| add(&mut there.most, *k, *n));
                        }
                    }
                }
                Happened::Taken | Happened::Laid if poured > 0 => poured -= 1,
                Happened::Taken => taken.push((at, event.kind)),
                Happened::Laid => {
                    let (from, kind) = taken.pop().unwrap();
                    self.moved(&from, &at, kind);
                }
                Happened::Forgotten(who) => {
                    if who.is_none_or(|it| it == self.seat) {
                        shown.remove(&at);
                    }
                }
                Happened::Shown(who) if who.is_none_or(|it| it == self.seat) => {
                    let counts = shown.entry(at.clone()).or_default();
                    add(counts, event.kind, 1);
                    let counts = counts.clone();
                    if let Some(bounds) = self.hidden(&at) {
                        bounds.least = counts.clone();
                        bounds.most = counts;
                    }
                }
                Happened::Shown(_) => {}
            }
        }
        self.narrow(machine);
    }

    fn moved(&mut self, from: &Address, to: &Address, kind: i64) {
        let unseen = self.places.contains_key(from) && self.places.contains_key(to);
        if !unseen {
            for (at, n) in [(from, -1), (to, 1)] {
                if let Some(bounds) = self.hidden(at) {
                    add(&mut bounds.most, kind, n);
                    let least = get(&bounds.least, kind) + n;
                    bounds.least.insert(kind, least.max(0));
                }
            }
            return;
        }
        let source = self.hidden(from).unwrap();
        let may: Vec<i64> = source
            .most
            .iter()
            .filter(|it| *it.1 > 0)
            .map(|it| *it.0)
            .collect();
        source.least.values_mut().for_each(|n| *n = (*n - 1).max(0));
        let goal = self.hidden(to).unwrap();
        may.into_iter()
            .for_each(|kind| add(&mut goal.most, kind, 1));
    }

    /// What must lie somewhere lies nowhere else, and what can lie nowhere else must lie there.
    fn narrow(&mut self, machine: &Machine<'_>) {
        let game = &machine.program().game;
        let contents = contents(machine, self.seat);
        for _ in 0..2 {
            let mut all: BTreeMap<(DomainId, i64), i64> = BTreeMap::new();
            let mut must = all.clone();
            for (at, counts) in &contents {
                for (kind, n) in counts {
                    *all.entry((component(game, at), *kind)).or_default() += n;
                }
                for (kind, n) in &self.places[at].least {
                    *must.entry((component(game, at), *kind)).or_default() += n;
                }
            }
            for (at, counts) in &contents {
                let size: i64 = counts.values().sum();
                let bounds = self.places.get_mut(at).unwrap();
                let certain: i64 = bounds.least.values().sum();
                let possible: i64 = bounds.most.values().sum();
                for (kind, most) in &mut bounds.most {
                    let least = bounds.least.entry(*kind).or_default();
                    let key = (component(game, at), *kind);
                    let elsewhere = must.get(&key).copied().unwrap_or(0) - *least;
                    let left = all.get(&key).copied().unwrap_or(0) - elsewhere;
                    let other = possible - *most;
                    *most = (*most).min(left).min(size - (certain - *least));
                    *least = (*least).max(size - other);
                }
            }
        }
    }

    /// What lies where it cannot.
    fn contradicted(&self, machine: &Machine<'_>) -> Option<String> {
        let game = &machine.program().game;
        for (at, counts) in contents(machine, self.seat) {
            let bounds = &self.places[&at];
            let kinds: BTreeSet<i64> = counts.keys().chain(bounds.least.keys()).copied().collect();
            for kind in kinds {
                let (n, least, most) = (
                    get(&counts, kind),
                    get(&bounds.least, kind),
                    get(&bounds.most, kind),
                );
                if !(least..=most).contains(&n) {
                    let zone = &game.zones[at.0].name;
                    let seat = self.seat;
                    let place = &at.1;
                    return Some(format!(
                        "seat {seat}: {n} of {kind} in {zone}{place:?}, which holds {least} to {most}"
                    ));
                }
            }
        }
        None
    }
}

/// Plays at random and deals anew before each choice; returns how many deals there were, and what was wrong.
fn deal(program: &Program, deals: u64) -> (u64, Vec<String>) {
    let n_seats = program.game.n_seats;
    let (mut dealt, mut wrong) = (0, Vec::new());
    for seed in 0.. {
        if dealt >= deals {
            break;
        }
        let mut session = Session::start(program, header(program, seed)).unwrap();
        let mut witnesses: Vec<Witness> = (0..n_seats)
            .map(|seat| Witness::of(session.machine(), seat))
            .collect();
        let mut luck = seed * 2 + 1;
        while session.status() != Status::Ended {
            luck = luck
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let asked = luck as usize >> 8;
            let seat = (asked % n_seats as usize) as u32;
            let witness = &witnesses[seat as usize];
            let machine = session.machine();
            let truth = witness.contradicted(machine);
            assert_eq!(truth, None, "what was played: seed {seed}");
            let (state, knowledge) = (machine.save(), machine.knowledge().clone());
            if machine.redeal(seat, &mut Dice::new(luck)) {
                dealt += 1;
                wrong.extend(
                    witness
                        .contradicted(machine)
                        .map(|it| format!("{seed}: {it}")),
                );
            }
            machine.load(&state);
            machine.recall(knowledge);
            let moves = machine.moves().to_vec();
            session
                .play(moves[(luck >> 33) as usize % moves.len()])
                .unwrap();
            let events = session.events().to_vec();
            for witness in &mut witnesses {
                witness.learn(session.machine(), &events);
            }
        }
    }
    (dealt, wrong)
}

#[test]
fn no_deal_contradicts_what_a_seat_has_seen() {
    let deals = width(150, 1_000, 10_000);
    for (path, seats) in [
        ("rules/tunnels.rules", None),
        ("rules/channel_tunnel.rules", None),
        ("rules/classics/whist.rules", None),
        ("tests/fixtures/complete/hearts.rules", None),
        ("tests/fixtures/games/love_letter.rules", Some(4)),
    ] {
        let program = perft::program(path, &[], seats);
        let (dealt, wrong) = deal(&program, deals);
        assert!(dealt >= deals, "{path}: {dealt}");
        assert!(wrong.is_empty(), "{path}: {wrong:#?}");
    }
}

/// What lies at each hidden place, in order where it lies in order, and what stands on hidden tracks.
type Dealt = (Vec<Vec<i64>>, Vec<Option<TrackValue>>);

/// Every way in which what a seat does not see could lie, each copy for itself; all kinds that are known to lie somewhere
/// stay there.
fn all_deals(machine: &Machine<'_>, seat: u32) -> BTreeMap<Vec<Vec<i64>>, f64> {
    let [own, whole] = [Viewer::Seat(seat), Viewer::Referee].map(|it| machine.view(it));
    let mut known: Vec<(usize, Vec<i64>, usize)> = Vec::new();
    let mut loose = Vec::new();
    let places = |view: View| view.zones.into_iter().flat_map(|it| it.places);
    for (seen, there) in places(own).zip(places(whole)) {
        let kinds = |seen: &[Seen]| -> Vec<i64> {
            let known = seen.iter().filter_map(|it| match it {
                Seen::Known(kind) => Some(*kind),
                Seen::Unknown => None,
            });
            known.collect()
        };
        let certain = kinds(&seen.seen);
        let mut rest = kinds(&there.seen);
        for kind in &certain {
            rest.remove(rest.iter().position(|it| it == kind).unwrap());
        }
        known.push((there.ordered, certain, rest.len()));
        loose.extend(rest);
    }
    let mut ways = BTreeMap::new();
    orders(&mut loose, 0, &mut |order| {
        let mut order = order.iter().copied();
        let filled = known.iter().map(|(ordered, certain, n)| {
            let mut kinds = certain.clone();
            kinds.extend(order.by_ref().take(*n));
            let in_no_order = kinds.len() - ordered;
            kinds[..in_no_order].sort_unstable();
            kinds
        });
        *ways.entry(filled.collect()).or_default() += 1.0;
    });
    ways
}

/// Every order of things that are told apart.
fn orders(things: &mut Vec<i64>, from: usize, look: &mut dyn FnMut(&[i64])) {
    if from >= things.len() {
        return look(things);
    }
    for at in from..things.len() {
        things.swap(from, at);
        orders(things, from + 1, look);
        things.swap(from, at);
    }
}

fn dealt(machine: &Machine<'_>) -> Dealt {
    let view = machine.view(Viewer::Referee);
    let places = view.zones.into_iter().flat_map(|it| it.places);
    let kinds = places.map(|place| {
        let seen = place.seen.iter();
        let kinds = seen.map(|it| match it {
            Seen::Known(kind) => *kind,
            Seen::Unknown => panic!("the referee sees all"),
        });
        kinds.collect()
    });
    let tracks = view.tracks.into_iter().flat_map(|it| it.values);
    (kinds.collect(), tracks.collect())
}

/// How far counts lie from what is expected, as a deviation of the normal distribution (Wilson and Hilferty).
fn deviation(counts: &[(f64, f64)]) -> f64 {
    let chi: f64 = counts.iter().map(|(n, of)| (n - of).powi(2) / of).sum();
    let free = 2.0 / (9.0 * (counts.len() as f64 - 1.0));
    ((chi / (counts.len() as f64 - 1.0)).cbrt() - (1.0 - free)) / free.sqrt()
}

/// Three games that are small enough for every deal to be counted: every one comes as often as it should (p > 0.001).
#[test]
fn each_deal_comes_as_often_as_any_other() {
    let head = "game g \"G\" { seats anna, bert }
        component Card { value: 1..3 }
        zone deck: pile of Card hidden
        zone hand[seat]: bag of Card seen by owner
        zone secret[seat]: one Card seen by owner
        zone table: bag of Card open
        supply 2 every Card in deck
        action give(c in hand[me]) \"give\" { do { move c from hand[me] to hand[next_seat(me)] } }
        action wait() \"wait\" { do { } }
        ending over() { winner none }";
    let games = [
        // Two of each lie in a hand and a deck that is in no order.
        "flow main() { for each s in seat { repeat 2 { draw 1 of deck to hand[s] } }
            choose anna: wait  end over() }",
        // What anna gave lies in the hand of bert, and his own in a place of its own.
        "flow main() { for each s in seat { repeat 2 { draw 1 of deck to hand[s] } }
            choose anna: give  choose bert c in hand[bert] { move c from hand[bert] to secret[bert] }
            choose anna: wait  end over() }",
        // What was laid on the deck lies there in order, above the rest, and bert may have chosen anything.
        "track chosen[seat]: 0..2 = 0 seen by owner
        flow main() { for each s in seat { repeat 2 { draw 1 of deck to hand[s] } }
            choose bert n in 0..2 { chosen[bert] = n }
            repeat 2 { choose bert c in hand[bert] { move c from hand[bert] to deck } }
            choose anna: wait
            move top of deck to table  end over() }",
    ];
    for (nth, text) in games.into_iter().enumerate() {
        let program = super::program(&format!("{head} {text}")).expect("a game");
        let mut session = Session::start(&program, header(&program, 5)).unwrap();
        while session.machine().names(Form::Plain) != ["wait"] {
            let first = session.machine().moves()[0];
            session.play(first).unwrap();
        }
        let machine = session.machine();
        let ways = all_deals(machine, 0);
        let total: f64 = ways.values().sum();
        let mut dealer = machine.dealer(0);
        let mut counts: BTreeMap<Vec<Vec<i64>>, f64> = BTreeMap::new();
        let mut chosen: BTreeMap<String, f64> = BTreeMap::new();
        // Where values are hidden a deal follows from one before it: some apart from each other are looked at.
        let (deals, apart) = if nth == 2 { (500, 41) } else { (20_000, 1) };
        let mut dice = Dice::new(nth as u64);
        for _ in 0..deals {
            for _ in 0..apart {
                assert!(machine.deal(&mut dealer, &mut dice), "{nth}");
            }
            let (kinds, tracks) = dealt(machine);
            *counts.entry(kinds).or_default() += 1.0;
            if let Some(value) = tracks.get(1) {
                *chosen.entry(format!("{value:?}")).or_default() += 1.0;
            }
        }
        assert!(
            ways.len() > 3 && counts.keys().all(|it| ways.contains_key(it)),
            "{nth}"
        );
        let expected = ways.iter().map(|(way, n)| {
            let found = counts.get(way).copied().unwrap_or(0.0);
            (found, f64::from(deals) * n / total)
        });
        let far = deviation(&expected.collect::<Vec<_>>());
        assert!(far < 3.09, "{nth}: {far}");
        let third = f64::from(deals) / 3.0;
        let values: Vec<_> = chosen.values().map(|n| (*n, third)).collect();
        assert_eq!(values.len(), if nth == 2 { 3 } else { 0 });
        assert!(values.is_empty() || deviation(&values) < 3.09, "{chosen:?}");
    }
}

/// Where a seat sees all that can lie in more than one way, nothing is dealt and nothing worked out again.
#[test]
fn nothing_is_dealt_where_nothing_can_differ() {
    let program = perft::program("rules/carcassonne.rules", &[], Some(2));
    let mut machine = Machine::new(&program);
    machine.start(&mut Dice::new(1)).unwrap();
    let (state, moves) = (machine.save(), machine.moves().to_vec());
    let mut dealer = machine.dealer(0);
    for _ in 0..4 {
        assert!(machine.deal(&mut dealer, &mut Nothing));
        assert_eq!(
            (machine.save(), machine.moves()),
            (state.clone(), &moves[..])
        );
        machine.play_nth(0, &mut Dice::new(2)).unwrap();
    }
}

/// Chance that nobody may ask.
struct Nothing;

impl Chance for Nothing {
    fn ticket(&mut self, _: StreamId, _: u64) -> u64 {
        panic!("nothing is left to chance")
    }
}

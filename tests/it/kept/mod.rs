//! Zones of every kind keep what is put there, in its order, and keep nothing of what is taken away.

mod filtered;
mod sparse;

use adit::engine::{Dice, FaultKind, Machine, PlayError, Program, Seen, Viewer, ZoneView};
use adit::model::text::Form;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::fixtures::{program_of, width};

const PLACES: [&str; 3] = ["left", "middle", "right"];
const KINDS: usize = 5;
/// How many there are of each kind.
const COPIES: usize = 4;

const TABLE: &str = "game g \"G\" { seats anna, bert }
enum Place { left, middle, right }
component Card { value: 0..4 }
show Card as \"{value}\"
zone one[Place]: one Card with mark: 3..4 = 3 open
zone sack[Place]: bag of Card open
zone heap[Place]: pile of Card open
supply 4 every Card in heap[left]
track gone: bool = false
define filled_: set of Place = { p in Place where filled one[p] }
define empty_: set of Place = { p in Place where empty one[p] }
define heaps: set of Place = { p in Place where filled heap[p] }
action one_one(f in filled_, t in empty_) \"one {f} {one[f]} one {t}\" { do { move one[f] to one[t] } }
action one_sack(f in filled_, t: Place) \"one {f} {one[f]} sack {t}\" { do { move one[f] to sack[t] } }
action one_heap(f in filled_, t: Place) \"one {f} {one[f]} heap {t}\" { do { move one[f] to heap[t] } }
action sack_one(f: Place, c in sack[f], t in empty_) \"sack {f} {c} one {t}\" { do { move c from sack[f] to one[t] } }
action sack_sack(f: Place, c in sack[f], t: Place) \"sack {f} {c} sack {t}\" { do { move c from sack[f] to sack[t] } }
action sack_heap(f: Place, c in sack[f], t: Place) \"sack {f} {c} heap {t}\" { do { move c from sack[f] to heap[t] } }
action heap_one(f: Place, c in heap[f], t in empty_) \"heap {f} {c} one {t}\" { do { move c from heap[f] to one[t] } }
action heap_sack(f: Place, c in heap[f], t: Place) \"heap {f} {c} sack {t}\" { do { move c from heap[f] to sack[t] } }
action heap_heap(f: Place, c in heap[f], t: Place) \"heap {f} {c} heap {t}\" { do { move c from heap[f] to heap[t] } }
action top_sack(f in heaps, t: Place) \"top {f} sack {t}\" { do { move top of heap[f] to sack[t] } }
action mix(f: Place) \"shuffle {f}\" { do { shuffle heap[f] } }
action note(f in filled_) \"mark {f}\" { do { one[f].mark = 4 } }
action force(f: Place, c in sack[f], t in filled_) \"force {f} {c} {t}\" { do { move c from sack[f] to one[t] } }
flow main() { repeat { choose anna: one_one | one_sack | one_heap | sack_one | sack_sack | sack_heap
    | heap_one | heap_sack | heap_heap | top_sack | mix | note | force | stop \"stop\" { gone = true } } until gone  end over() }
ending over() { winner none }
";

/// A machine at the first choice of a game.
fn begun(program: &Program) -> Machine<'_> {
    let mut machine = Machine::new(program);
    machine.start(&mut Dice::new(1)).unwrap();
    machine
}

/// Plays the move of a name.
#[track_caller]
fn play(machine: &mut Machine<'_>, name: &str) {
    try_play(machine, name).unwrap_or_else(|error| panic!("{name}: {error:?}"));
}

#[track_caller]
fn try_play(machine: &mut Machine<'_>, name: &str) -> Result<(), PlayError> {
    let names = machine.names(Form::Plain);
    let at = names.iter().position(|it| it == name);
    let at = at.unwrap_or_else(|| panic!("no {name} in {names:?}"));
    machine.play_nth(at, &mut Dice::new(1)).map(drop)
}

fn zone(machine: &Machine<'_>, name: &str) -> ZoneView {
    let mut zones = machine.view(Viewer::Referee).zones.into_iter();
    zones.find(|it| it.name == name).unwrap()
}

/// What lies at a place, as the referee sees it, and how many of the last are in order.
fn lies(machine: &Machine<'_>, name: &str, place: usize) -> (Vec<usize>, usize) {
    let zone = zone(machine, name);
    let Some(place) = zone.places.iter().find(|it| it.index == [place]) else {
        return (Vec::new(), 0);
    };
    let kind = |it: &Seen| match it {
        Seen::Known(kind) => usize::try_from(*kind).unwrap(),
        Seen::Unknown => panic!("the referee sees all"),
    };
    (place.seen.iter().map(kind).collect(), place.ordered)
}

/// A place as a hand keeps it that moves cards: in no order by their kinds, and in order above.
#[derive(Clone, Debug, Default, PartialEq)]
struct Kept {
    loose: Vec<usize>,
    ordered: Vec<usize>,
}

impl Kept {
    fn take(&mut self, kind: usize) {
        if let Some(at) = self.ordered.iter().rposition(|it| *it == kind) {
            self.ordered.remove(at);
        } else {
            let at = self.loose.iter().position(|it| *it == kind);
            self.loose.remove(at.expect("what is taken is there"));
        }
    }

    fn put(&mut self, kind: usize, in_order: bool) {
        if in_order {
            self.ordered.push(kind);
        } else {
            self.loose.push(kind);
            self.loose.sort_unstable();
        }
    }
}

const ZONES: [&str; 3] = ["one", "sack", "heap"];

/// All places of all zones, as the referee sees them.
fn all(machine: &Machine<'_>) -> [[Kept; 3]; 3] {
    ZONES.map(|name| {
        [0, 1, 2].map(|place| {
            let (mut seen, ordered) = lies(machine, name, place);
            let ordered = seen.split_off(seen.len() - ordered);
            Kept {
                loose: seen,
                ordered,
            }
        })
    })
}

fn zone_at(word: &str) -> usize {
    ZONES.iter().position(|it| *it == word).unwrap()
}

fn place_at(word: &str) -> usize {
    PLACES.iter().position(|it| *it == word).unwrap()
}

/// Does by hand what the move of a name does.
fn by_hand(table: &mut [[Kept; 3]; 3], name: &str, seen: &[[Kept; 3]; 3]) {
    let words: Vec<&str> = name.split(' ').collect();
    match words.as_slice() {
        ["shuffle", place] => {
            let heap = &mut table[2][place_at(place)];
            heap.loose.append(&mut heap.ordered);
            heap.loose.sort_unstable();
        }
        ["mark", _] => {}
        ["top", from, "sack", to] => {
            let (from, to) = (place_at(from), place_at(to));
            let top = table[2][from].ordered.last().copied();
            // Of what lies in no order chance takes one.
            let gone = |kind: &usize| {
                let count = |it: &Kept| it.loose.iter().filter(|it| *it == kind).count();
                count(&table[2][from]) > count(&seen[2][from])
            };
            let kind = top.or_else(|| (0..KINDS).find(gone)).unwrap();
            table[2][from].take(kind);
            table[1][to].put(kind, false);
        }
        [zone, from, kind, to_zone, to] => {
            let kind = kind.parse().unwrap();
            let goal = zone_at(to_zone);
            table[zone_at(zone)][place_at(from)].take(kind);
            table[goal][place_at(to)].put(kind, goal == 2);
        }
        _ => panic!("{name}"),
    }
}

#[test]
fn random_moves_keep_all_components() {
    let program = program_of(TABLE);
    let mut machine = begun(&program);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut dice = Dice::new(1);
    let mut table = all(&machine);
    assert_eq!(table[2][0].loose.len(), KINDS * COPIES);
    let mut deepest = 0;
    for step in 0..width(1_000, 3_000, 20_000) {
        let names = machine.names(Form::Plain);
        let fits = names
            .iter()
            .enumerate()
            .filter(|(_, it)| !it.starts_with("force") && *it != "stop");
        let fits: Vec<usize> = fits.map(|it| it.0).collect();
        let at = fits[rng.next_u32() as usize % fits.len()];
        machine.play_nth(at, &mut dice).unwrap();
        let seen = all(&machine);
        by_hand(&mut table, &names[at], &seen);
        assert_eq!(table, seen, "step {step}: {}", names[at]);
        let n: usize = table
            .iter()
            .flatten()
            .map(|it| it.loose.len() + it.ordered.len())
            .sum();
        assert_eq!(n, KINDS * COPIES, "step {step}");
        deepest = table[2]
            .iter()
            .map(|it| it.ordered.len())
            .fold(deepest, usize::max);
    }
    assert!(deepest > 4, "{deepest}");
}

#[test]
fn the_top_of_a_pile_is_what_was_put_there_last() {
    let program = program_of(TABLE);
    let mut machine = begun(&program);
    for kind in [0, 1, 1, 2] {
        play(&mut machine, &format!("heap left {kind} heap middle"));
    }
    assert_eq!(lies(&machine, "heap", 1), (vec![0, 1, 1, 2], 4));
    play(&mut machine, "heap middle 1 sack left");
    assert_eq!(lies(&machine, "heap", 1), (vec![0, 1, 2], 3));
    let ordered = machine.save();
    play(&mut machine, "top middle sack right");
    assert_eq!(lies(&machine, "sack", 2).0, [2]);
    assert_eq!(lies(&machine, "heap", 1), (vec![0, 1], 2));
    machine.load(&ordered);
    play(&mut machine, "shuffle middle");
    assert_eq!(lies(&machine, "heap", 1), (vec![0, 1, 2], 0));
    play(&mut machine, "heap left 4 heap middle");
    assert_eq!(lies(&machine, "heap", 1), (vec![0, 1, 2, 4], 1));
    play(&mut machine, "top middle sack right");
    assert_eq!(lies(&machine, "sack", 2).0, [4]);
    // Below it nobody knows what comes first.
    let names = machine.names(Form::Plain);
    let top = names
        .iter()
        .position(|it| it == "top middle sack right")
        .unwrap();
    let mixed = machine.save();
    let mut found = [0; KINDS];
    for seed in 0..60 {
        machine.load(&mixed);
        machine.play_nth(top, &mut Dice::new(seed)).unwrap();
        found[lies(&machine, "sack", 2).0[0]] += 1;
    }
    assert!(found[..3].iter().all(|it| *it > 0), "{found:?}");
}

#[test]
fn an_emptied_place_is_one_that_was_never_filled() {
    let program = program_of(TABLE);
    let mut machine = begun(&program);
    play(&mut machine, "heap left 4 sack left");
    play(&mut machine, "heap left 3 sack left");
    let before = machine.save();
    play(&mut machine, "sack left 4 one right");
    play(&mut machine, "mark right");
    assert_eq!(lies(&machine, "one", 2).0, [4]);
    let places = zone(&machine, "one").places;
    let place = places.iter().find(|it| it.index == [2]).unwrap();
    assert_eq!(place.fields, [4]);
    let filled = machine.save();
    let full = try_play(&mut machine, "force left 3 right");
    assert!(
        matches!(&full, Err(PlayError::Fault(fault)) if fault.kind == FaultKind::Full),
        "{full:?}"
    );
    assert_eq!(machine.save(), filled);
    play(&mut machine, "one right 4 sack left");
    assert_eq!(machine.save(), before);
}

#[test]
fn what_was_shown_is_forgotten_when_the_place_changes() {
    let program = program_of(
        "game g \"G\" { seats anna, bert }
        component Card { value: 1..3 }
        zone sack: bag of Card hidden
        zone out: bag of Card open
        supply every Card in out
        flow main() {
            move Card(2) from out to sack
            choose anna: a \"wait\" { }
            show sack to bert
            choose anna: b \"wait\" { }
            move Card(3) from out to sack
            choose anna: c \"wait\" { }
            end over()
        }
        ending over() { winner none }",
    );
    let mut machine = begun(&program);
    let seen = |machine: &Machine<'_>, seat| {
        let zones = machine.view(Viewer::Seat(seat)).zones;
        zones[0].places[0].seen.clone()
    };
    assert_eq!(seen(&machine, 1), [Seen::Unknown]);
    play(&mut machine, "wait");
    assert_eq!(seen(&machine, 1), [Seen::Known(1)]);
    assert_eq!(seen(&machine, 0), [Seen::Unknown]);
    play(&mut machine, "wait");
    assert_eq!(seen(&machine, 1), [Seen::Unknown; 2]);
}

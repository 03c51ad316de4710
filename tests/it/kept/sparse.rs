//! Zones of many places of which few are filled.

use super::*;

const SPOTS: [&str; 4] = ["1,8", "8,1", "20,20", "3,3"];

const FIELD: &str = "game g \"G\" { seats anna, bert }
component Card { value: 0..4 }
show Card as \"{value}\"
space Field: grid(column: 1..20, row: 1..20)
show Field as \"{column},{row}\"
zone board[Field]: one Card with mark: 0..300 = 0 open
zone sack: bag of Card open
supply every Card in sack
track told: 0..300 = 0
track gone: bool = false
define spots: set of Field = { Field(1, 8), Field(8, 1), Field(20, 20), Field(3, 3) }
action lay(c in sack, at in { p in spots where empty board[p] }) \"lay {c} at {at}\" {
    do { move c from sack to board[at] with mark = 10 * at.column }
}
action lift(at in { p in spots where filled board[p] }) \"lift {at}\" { do { move board[at] to sack } }
action read(at in spots) \"read {at}\" { do { told = board[at].mark } }
flow main() { repeat { choose anna: lay | lift | read | stop \"stop\" { gone = true } } until gone  end over() }
ending over() { winner none }
";

/// What lies where, with its mark.
fn laid(machine: &Machine<'_>) -> Vec<(String, Seen, i64)> {
    let places = zone(machine, "board").places.into_iter();
    let filled = places.filter(|it| !it.seen.is_empty());
    filled
        .map(|it| (it.at.clone(), it.seen[0], it.fields[0]))
        .collect()
}

/// Equal positions are equal, in whatever order they came about.
#[test]
fn what_lies_on_few_of_many_places_is_kept_in_no_order() {
    let program = program_of(FIELD);
    let start = begun(&program).save();
    let mut states = Vec::new();
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [2, 0, 1]] {
        let mut machine = begun(&program);
        for at in order {
            play(&mut machine, &format!("lay {} at {}", at + 1, SPOTS[at]));
        }
        play(&mut machine, "lay 4 at 3,3");
        assert_eq!(laid(&machine).len(), 4);
        play(&mut machine, "lift 8,1");
        let nothing = try_play(&mut machine, "read 8,1");
        assert!(
            matches!(&nothing, Err(PlayError::Fault(fault)) if fault.kind == FaultKind::Absent),
            "{nothing:?}"
        );
        let told = laid(&machine);
        assert_eq!(
            told,
            [
                ("1,8".to_owned(), Seen::Known(1), 10),
                ("3,3".to_owned(), Seen::Known(4), 30),
                ("20,20".to_owned(), Seen::Known(3), 200),
            ]
        );
        states.push(machine.save());
        for spot in ["20,20", "1,8", "3,3"] {
            play(&mut machine, &format!("lift {spot}"));
        }
        assert_eq!(machine.save(), start);
    }
    assert!(states.iter().all(|it| *it == states[0]));
}

const LAND: &str = "game g \"G\" { seats anna, bert }
enum Side cyclic { n, e, s, w }
enum Slot { upper, lower }
component Tile { design: 0..4 }
component Walker { name: 0..4 }
show Tile as \"{design}\"
show Walker as \"{name}\"
define ends(t: Tile, s: Slot): set of Side = { d in Side where s == upper }
space Spot: plane(Side)
zone land[Spot]: one Tile with turn: Side = n open
space Path: parts(land, Slot) meeting at ends turned by turn
zone stands[Path]: one Walker open
zone bag: bag of Tile open
zone home: bag of Walker open
supply every Tile in bag
supply every Walker in home
track gone: bool = false
action lay(c in bag, at in frontier(land)) \"lay {c} at {at}\" {
    do { move c from bag to land[at]
         move Walker(c.design) from home to stands[Path(at, upper)] }
}
action lift(at in laid(land)) \"lift {at}\" {
    do { move stands[Path(at, upper)] to home
         move land[at] to bag }
}
flow main() { repeat { choose anna: lay | lift | stop \"stop\" { gone = true } } until gone  end over() }
ending over() { winner none }
";

/// By spot the tile and who stands on it.
fn landscape(machine: &Machine<'_>) -> Vec<(String, Seen, Seen)> {
    let tiles = zone(machine, "land").places;
    let walkers = zone(machine, "stands").places;
    assert_eq!(tiles.len(), walkers.len());
    let mut all: Vec<_> = tiles
        .iter()
        .map(|tile| {
            let on = walkers.iter().find(|it| it.spot == Some(tile.index[0]));
            (tile.at.clone(), tile.seen[0], on.expect("a walker").seen[0])
        })
        .collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// Who stands on a tile stays there when others are lifted, and who stood on a tile that is gone stands on none that
/// comes after it.
#[test]
fn tiles_of_a_landscape_keep_what_stands_on_them() {
    let program = program_of(LAND);
    let mut machine = begun(&program);
    let start = machine.save();
    let mut wanted: Vec<(String, Seen, Seen)> = Vec::new();
    for (what, kind, spot) in [
        ("lay", 0, "0, 0"),
        ("lay", 1, "1, 0"),
        ("lay", 2, "0, 1"),
        ("lift", 1, "1, 0"),
        ("lay", 3, "-1, 0"),
        ("lay", 1, "0, -1"),
        ("lay", 4, "1, 0"),
        ("lift", 4, "1, 0"),
        ("lift", 2, "0, 1"),
        ("lift", 0, "0, 0"),
        ("lay", 0, "0, 0"),
        ("lift", 1, "0, -1"),
        ("lift", 0, "0, 0"),
        ("lift", 3, "-1, 0"),
    ] {
        let at = format!("Spot({spot})");
        if what == "lay" {
            play(&mut machine, &format!("lay {kind} at {at}"));
            wanted.push((at, Seen::Known(kind), Seen::Known(kind)));
            wanted.sort_by(|one, other| one.0.cmp(&other.0));
        } else {
            play(&mut machine, &format!("lift {at}"));
            wanted.retain(|it| it.0 != at);
        }
        assert_eq!(landscape(&machine), wanted, "{what} {spot}");
    }
    assert_eq!(machine.save(), start);
}

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::*;
use crate::engine::layout::{Array, Contents, Lane, Store, Values, ZoneSlot};
use crate::engine::vm::fresh_memory;

const PLACES: usize = 3;
const KINDS: usize = 5;

fn slot(store: Store, capacity: u32) -> ZoneSlot {
    ZoneSlot {
        copies: 1,
        total: 1,
        enough: true,
        places: PLACES as u32,
        kinds: KINDS as u32,
        kind_words: 1,
        place_words: 1,
        capacity,
        seats: 2,
        store,
        known: Some(200),
    }
}

fn one() -> ZoneSlot {
    let array = Array {
        base: 20,
        lane: Lane::Byte,
        lo: 0,
        optional: true,
    };
    let fields = vec![Values::Sets {
        base: 30,
        n: 2,
        lo: 3,
    }];
    slot(
        Store::One {
            filled: 10,
            kind: Values::Lanes(array),
            fields,
        },
        1,
    )
}

fn bag() -> ZoneSlot {
    slot(
        Store::Bag(Contents::Counts {
            base: 40,
            wide: false,
        }),
        u32::MAX,
    )
}

fn pile() -> ZoneSlot {
    let contents = Contents::Counts {
        base: 60,
        wide: false,
    };
    slot(
        Store::Pile {
            contents,
            order: 80,
            stride: 11,
        },
        u32::MAX,
    )
}

fn total(mem: &Memory, slots: &[ZoneSlot]) -> u64 {
    slots
        .iter()
        .map(|slot| (0..PLACES).map(|place| slot.size(mem, place)).sum::<u64>())
        .sum()
}

#[test]
fn random_moves_keep_all_components() {
    let slots = [one(), bag(), pile()];
    let mut mem = fresh_memory();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for kind in 0..KINDS {
        for _ in 0..4 {
            slots[2].put(&mut mem, 0, kind).unwrap();
        }
    }
    let mut pick = |n: usize| (rng.next_u32() as usize) % n;
    for step in 0..20_000 {
        let (from, to) = (&slots[pick(3)], &slots[pick(3)]);
        let (place, target, kind) = (pick(PLACES), pick(PLACES), pick(KINDS));
        if pick(20) == 0 {
            from.shuffle(&mut mem, place);
        }
        if from.take(&mut mem, place, kind).is_ok() && to.put(&mut mem, target, kind).is_err() {
            from.put(&mut mem, place, kind).unwrap();
        }
        assert_eq!(total(&mem, &slots), 20, "step {step}");
    }
}

#[test]
fn the_top_of_a_pile_is_what_was_put_there_last() {
    let (pile, mut mem) = (pile(), fresh_memory());
    for kind in [0, 1, 1, 2] {
        pile.put(&mut mem, 1, kind).unwrap();
    }
    assert_eq!(pile.top(&mem, 1), 2);
    pile.take(&mut mem, 1, 1).unwrap();
    assert_eq!(pile.ordered(&mem, 1).collect::<Vec<_>>(), [0, 1, 2]);
    pile.shuffle(&mut mem, 1);
    assert_eq!(pile.top(&mem, 1), NONE);
    assert_eq!(pile.size(&mem, 1), 3);
    pile.put(&mut mem, 1, 4).unwrap();
    assert_eq!((pile.loose(&mem, 1, 4), pile.loose(&mem, 1, 0)), (0, 1));
}

#[test]
fn an_emptied_place_is_all_zeros() {
    let (one, mut mem) = (one(), fresh_memory());
    one.put(&mut mem, 2, 4).unwrap();
    let Store::One { fields, .. } = &one.store else {
        panic!("the zone holds one component a place")
    };
    fields[0].set(&mut mem, 2, 1, 4);
    assert_eq!((one.peek(&mem, 2), fields[0].get(&mem, 2, 1)), (4, 4));
    assert_eq!(one.put(&mut mem, 2, 3), Err(FaultKind::Full));
    one.take(&mut mem, 2, 4).unwrap();
    assert!(mem.iter().all(|word| *word == 0));
}

#[test]
fn what_was_shown_is_forgotten_when_the_place_changes() {
    let (bag, mut mem) = (bag(), fresh_memory());
    bag.put(&mut mem, 0, 1).unwrap();
    bag.show(&mut mem, 0, 1);
    assert!(bag.knows(&mem, 0, 1) && !bag.knows(&mem, 0, 0));
    bag.put(&mut mem, 0, 2).unwrap();
    assert!(!bag.knows(&mem, 0, 1));
}

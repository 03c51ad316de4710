use super::*;
use crate::engine::layout::Lane;
use crate::engine::vm::fresh_memory;

fn array(base: Reg, optional: bool) -> Array {
    Array {
        base,
        lane: Lane::Byte,
        lo: 0,
        optional,
    }
}

fn list(plane: bool) -> List {
    List {
        used: 10,
        cap: 4,
        cells: 11,
        kind: array(13, true),
        fields: vec![array(14, false)],
        filled: (!plane).then_some(20),
        plane: plane.then_some(0),
    }
}

#[test]
fn a_list_that_is_no_plane_is_sorted_so_that_equal_positions_are_equal_words() {
    let (mut a, mut b) = (fresh_memory(), fresh_memory());
    let list = list(false);
    for (mem, order) in [(&mut a, [7, 300, 42]), (&mut b, [300, 42, 7])] {
        for place in order {
            assert_eq!(list.put(mem, place, place as i64 % 5), Ok(()));
            assert_eq!(list.set_field(mem, place, 0, 3), Ok(()));
        }
        list.take(mem, 42);
    }
    assert_eq!(a, b);
    assert_eq!(list.peek(&a, 300), 0);
    assert_eq!(list.peek(&a, 42), NONE);
    assert_eq!(list.field(&a, 7, 0), Ok(3));
    assert_eq!(list.field(&a, 42, 0), Err(FaultKind::Absent));
    list.take(&mut a, 7);
    list.take(&mut a, 300);
    assert!(a.iter().all(|word| *word == 0));
}

#[test]
fn entries_of_a_plane_keep_their_numbers() {
    let mut mem = fresh_memory();
    let list = list(true);
    for place in [50, 40, 30] {
        assert_eq!(list.put(&mut mem, place, 1), Ok(()));
    }
    list.take(&mut mem, 40);
    assert_eq!((list.find(&mem, 50), list.find(&mem, 30)), (1, 3));
    assert_eq!(list.put(&mut mem, 20, 2), Ok(()));
    assert_eq!(list.find(&mem, 20), 2);
    assert_eq!(list.put(&mut mem, 10, 2), Ok(()));
    assert_eq!(list.put(&mut mem, 60, 2), Err(FaultKind::Full));
    for place in [10, 30, 50, 20] {
        list.take(&mut mem, place);
    }
    assert!(mem.iter().all(|word| *word == 0));
}

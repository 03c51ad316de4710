//! A stack may be placed if and only if some action can then be taken (KQ-18): tried out.

use adit::engine::{Machine, Program, Status};

use super::{AGENDA, Luck, games, path, read};

/// Games of each kind.
const GAMES: u64 = if cfg!(debug_assertions) { 4 } else { 100 };

/// Whether the player who placed a stack is asked for an action on it.
fn action_follows(machine: &Machine<'_>, seat: u32) -> bool {
    machine.status() == (Status::Choice { seat }) && path(machine) == "act"
}

/// The moves as they are printed.
fn printed(machine: &mut Machine<'_>) -> Vec<String> {
    let moves = machine.moves().to_vec();
    moves.iter().map(|mv| machine.print(*mv, true)).collect()
}

/// Plays both rulebooks side by side; the loose one lets any stack be placed. Returns how many
/// stacks were offered, and how many were not.
fn compare(strict: &Program, loose: &Program, seed: u64) -> [u32; 2] {
    let (mut one, mut other) = (Machine::new(strict), Machine::new(loose));
    let (mut luck, mut same_luck) = (Luck::new(strict, seed), Luck::new(loose, seed));
    one.start(&mut luck).unwrap();
    other.start(&mut same_luck).unwrap();
    let mut stacks = [0, 0];
    while let Status::Choice { seat } = one.status() {
        let offered = printed(&mut one);
        let tried = printed(&mut other);
        if path(&one) == "take_turn.move" {
            let before = other.save();
            for (at, stack) in tried.iter().enumerate().filter(|(_, it)| *it != "pass") {
                let mut other_luck = Luck::new(loose, seed + 1);
                other.play_nth(at, &mut other_luck).unwrap();
                let works = action_follows(&other, seat);
                assert_eq!(works, offered.contains(stack), "game {seed}: {stack}");
                stacks[usize::from(!works)] += 1;
                other.load(&before);
            }
        } else {
            assert_eq!(offered, tried, "game {seed}");
        }
        let at = luck.pick(offered.len());
        let same = tried.iter().position(|it| *it == offered[at]).unwrap();
        one.play_nth(at, &mut luck).unwrap();
        other.play_nth(same, &mut same_luck).unwrap();
    }
    stacks
}

#[test]
fn a_stack_is_offered_exactly_where_an_action_follows() {
    let reading = "place_without_effect_ok".to_owned();
    let set = [("placement_needs_effect".to_owned(), reading)];
    let loose = [read(&[], &set), read(&[AGENDA], &set)];
    for ((name, strict), loose) in games().iter().zip(&loose) {
        let mut stacks = [0, 0];
        for seed in 0..GAMES {
            let [offered, refused] = compare(strict, loose, seed);
            stacks = [stacks[0] + offered, stacks[1] + refused];
        }
        assert!(stacks.iter().all(|it| *it > 10), "{name}: {stacks:?}");
    }
}

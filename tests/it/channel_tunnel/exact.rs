//! A stack may be placed if and only if some action can then be taken (KQ-18): tried out.

use adit::engine::{Machine, Program, Status};
use adit::model::text::Form;

use super::{AGENDA, Luck, data, games, path, read};

/// Games of each kind.
const GAMES: u64 = if cfg!(debug_assertions) { 4 } else { 100 };

/// Whether the player who placed a stack is asked for an action on it.
fn action_follows(machine: &Machine<'_>, seat: u32) -> bool {
    machine.status() == (Status::Choice { seat }) && path(machine) == "act"
}

/// The moves as they are printed.
fn printed(machine: &mut Machine<'_>) -> Vec<String> {
    let moves = machine.moves().to_vec();
    moves
        .iter()
        .map(|mv| machine.print(*mv, Form::Plain))
        .collect()
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
    let reading = "yes".to_owned();
    let set = [("placement_for_nothing".to_owned(), reading)];
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

/// Takes away what asks whether the action that a card allows can be taken.
const LOOSE_CARDS: &str = r#"
variant loose_cards "Cards may be used for nothing" for agenda { }
remove plan_again.able
remove tunnel_after_plan.able
remove technology_again.able
remove any_other.able
"#;
/// The ends of the moves that use a card for an action.
const CARDS: [&str; 4] = [
    ": plan again",
    ": tunnel",
    ": technology again",
    ": another action",
];

/// Uses each card that the loose rulebook offers, and compares with what the strict one offers.
fn try_cards(loose: &mut Machine<'_>, offered: &[String], seed: u64, uses: &mut [[u32; 2]; 4]) {
    let Status::Choice { seat } = loose.status() else {
        return;
    };
    let before = loose.save();
    for (at, card) in printed(loose).iter().enumerate() {
        let Some(kind) = CARDS.iter().position(|it| card.ends_with(it)) else {
            assert!(
                offered.contains(card) || offered.is_empty(),
                "game {seed}: {card}"
            );
            continue;
        };
        let mut luck = Luck::new(loose.program(), seed + 1);
        // Where nothing can be chosen, the rules of one card fail and those of another go on.
        let played = loose.play_nth(at, &mut luck);
        let asking = ["act", "plan_again", "tunnel_after_plan", "technology_again"];
        let works = played.is_ok()
            && loose.status() == (Status::Choice { seat })
            && asking.contains(&path(loose).as_str());
        assert_eq!(works, offered.contains(card), "game {seed}: {card}");
        uses[kind][usize::from(!works)] += 1;
        loose.load(&before);
    }
}

/// Plays both rulebooks side by side; by the loose one a card may be used where no action follows.
/// Counts how often a card was offered for each kind of action, and how often it was not.
fn compare_cards(strict: &Program, loose: &Program, seed: u64, uses: &mut [[u32; 2]; 4]) {
    let (mut one, mut other) = (Machine::new(strict), Machine::new(loose));
    let (mut luck, mut same_luck) = (Luck::new(strict, seed), Luck::new(loose, seed));
    one.start(&mut luck).unwrap();
    other.start(&mut same_luck).unwrap();
    while one.status() != Status::Ended {
        // With no card that could be used, the strict rulebook does not ask at all.
        while path(&other) == "chain" && path(&one) != "chain" {
            try_cards(&mut other, &[], seed, uses);
            let done = printed(&mut other).iter().position(|it| it == "done");
            other.play_nth(done.unwrap(), &mut same_luck).unwrap();
        }
        let offered = printed(&mut one);
        try_cards(&mut other, &offered, seed, uses);
        let at = luck.pick(offered.len());
        let tried = printed(&mut other);
        let same = tried.iter().position(|it| *it == offered[at]).unwrap();
        one.play_nth(at, &mut luck).unwrap();
        other.play_nth(same, &mut same_luck).unwrap();
    }
}

#[test]
fn a_card_is_offered_exactly_where_its_action_follows() {
    let strict = &games()[1].1;
    let loose = data::read(&[LOOSE_CARDS.to_owned()]).unwrap_or_else(|said| panic!("{said}"));
    let mut uses = [[0; 2]; 4];
    for seed in 0..4 * GAMES {
        compare_cards(strict, &loose, seed, &mut uses);
    }
    assert!(uses.iter().all(|it| it[0] > 0), "{uses:?}");
    let n_refused: u32 = uses.iter().map(|it| it[1]).sum();
    assert!(n_refused > 1, "{uses:?}");
}

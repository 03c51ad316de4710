//! What holds in every game, whatever is chosen: P5 to P8 of the specification, and that nothing is
//! lost. Read off the table, so that a rule that is wrong and an invariant that agrees with it show.

use adit::engine::{Machine, Status};

use super::table::Table;
use super::{Luck, games, path, walk};
use crate::fixtures::width;

/// Games of each kind; the release profile plays many more in the same time.
fn n_games() -> u64 {
    width(15, 150, 1_500)
}
/// What a seat has done since discs were drawn last.
#[derive(Default)]
struct Round {
    /// Discs when the seat last chose a stack to place, and those it took back since.
    last: Option<usize>,
    taken_back: usize,
    stacks: u32,
}

#[derive(Default)]
struct Course {
    rounds: [Round; 2],
    choices: u32,
}

/// Checks one choice after the other.
fn check(course: &mut Course, machine: &mut Machine<'_>, luck: &mut Luck) -> Result<(), String> {
    let table = Table::of(machine);
    nothing_is_lost(&table)?;
    tokens_lie_in_order(&table)?;
    exhausted_cards_bear_no_token(&table)?;
    // P7. A card that loses a machine may match an earlier one, and nothing is shuffled any more.
    let least = if machine.status() == Status::Ended {
        3
    } else {
        4
    };
    ensure(table.deviation_deck >= least, || {
        format!("{} deviation cards are left", table.deviation_deck)
    })?;
    if std::mem::take(&mut luck.drew_discs) {
        course.rounds = Default::default();
    }
    course.choices += 1;
    let (player, played) = &luck.played;
    if played.contains("take a disc back") {
        course.rounds[*player as usize].taken_back += 1;
    }
    let Status::Choice { seat } = machine.status() else {
        let outcome = machine.outcome();
        let is_decided =
            outcome.is_some_and(|it| it.places.iter().filter(|place| **place == 1).count() == 1);
        return ensure(is_decided, || "nobody won".to_owned());
    };
    discs_run_out(course, machine, &table, seat as usize)
}

/// K-6, K-7, K-13..K-15, and P8.
fn nothing_is_lost(table: &Table) -> Result<(), String> {
    ensure(table.discs == [5; 5], || {
        format!("discs: {:?}", table.discs)
    })?;
    ensure(table.tokens == 20, || format!("{} tokens", table.tokens))?;
    ensure(table.cards == [1; 33], || {
        format!("cards: {:?}", table.cards)
    })?;
    let agenda = table.agenda_cards.iter().all(|copies| *copies == 1);
    ensure(agenda, || format!("agenda: {:?}", table.agenda_cards))?;
    let deviation = &table.deviation_cards;
    ensure(deviation.iter().sum::<usize>() == 9, || {
        format!("{deviation:?}")
    })
}

/// P6: own tokens are dug from the coast on, then come those face up, then those face down.
fn tokens_lie_in_order(table: &Table) -> Result<(), String> {
    for seat in 0..2 {
        let revealed = table.own_side(&table.revealed, seat);
        let face_down = table.own_side(&table.face_down, seat);
        let states: Vec<u8> = revealed
            .iter()
            .zip(&face_down)
            .map(|(up, down)| match (**up, **down) {
                (false, false) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (true, true) => 3,
            })
            .collect();
        let n_dug = states.iter().filter(|it| **it == 0).count();
        // While a game ends, the token is taken and the machine has moved.
        ensure(
            states.is_sorted() && !states.contains(&3) && n_dug == table.dug[seat],
            || {
                format!(
                    "seat {seat} has dug {}, and its side is {states:?}",
                    table.dug[seat]
                )
            },
        )?;
        let room = [2, 3][seat] + usize::from(seat == 0 && table.level[0][0] >= 4);
        ensure(table.stored[seat] <= room, || {
            format!("seat {seat} stores {} in {room} spaces", table.stored[seat])
        })?;
    }
    Ok(())
}

/// K-104, K-106, K-107. While a card is paid for, it still lies on its action card.
fn exhausted_cards_bear_no_token(table: &Table) -> Result<(), String> {
    for seat in 0..2 {
        let bare = table.done[seat]
            .iter()
            .all(|card| table.charges[*card] == 0);
        ensure(bare, || format!("seat {seat} has a charged card face down"))?;
    }
    let lies_open = |card: usize| {
        let mut open = table.works.iter().flatten().chain(&table.offers);
        open.any(|it| *it == card)
    };
    let mut charged = (0..33).filter(|card| table.charges[*card] > 0);
    ensure(charged.all(lies_open), || {
        "a token lies on a card that lies nowhere".to_owned()
    })?;
    Ok(())
}

/// P5: between two stacks that a seat places in a round its discs get fewer, but for those that it
/// takes back, so rounds end. Two cards can each take a disc back after one stack, so that alone does not keep
/// a seat from having more discs than it may have; K-56 does.
fn discs_run_out(
    course: &mut Course,
    machine: &Machine<'_>,
    table: &Table,
    seat: usize,
) -> Result<(), String> {
    let n = table.n_discs(seat);
    let round = &mut course.rounds[seat];
    if path(machine) == "take_turn.move" {
        let allowed = table.allowed(seat);
        ensure(n <= allowed, || {
            format!("seat {seat} may have {allowed} discs and has {n}")
        })?;
        if let Some(last) = round.last.replace(n) {
            let most = last + round.taken_back;
            ensure(n < most, || {
                format!(
                    "seat {seat} had {last} discs, took {} back and has {n}",
                    round.taken_back
                )
            })?;
        }
        round.taken_back = 0;
        round.stacks += 1;
        ensure(round.stacks <= 30, || format!("seat {seat} goes on and on"))?;
    }
    Ok(())
}

fn ensure(holds: bool, seen: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(seen()) }
}

#[test]
fn every_property_holds_in_random_games() {
    let play = |(name, program): &(&str, adit::engine::Program)| {
        for seed in 0..n_games() {
            let mut course = Course::default();
            let ended = walk(program, seed, &mut |machine, luck| {
                if let Err(what) = check(&mut course, machine, luck) {
                    panic!("{name}, game {seed}, choice {}: {what}", course.choices);
                }
            });
            assert!(ended, "{name}, game {seed} came to a standstill");
        }
    };
    std::thread::scope(|scope| {
        for game in games() {
            scope.spawn(move || play(game));
        }
    });
}

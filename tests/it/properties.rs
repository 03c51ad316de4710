//! What holds in every match of Tunnels, whoever referees it.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::baseline::chance::pick;
use crate::baseline::tunnels::{LANES, Move, PLOTS, exposed, is_tunnelled};
use crate::referee::{HandWritten, Referee, Table, follow};

/// A choice of a match, with what led to it.
pub struct Moment {
    table: Table,
    legal: Vec<Move>,
    /// Swaps since the last match or the start of the round.
    swaps_running: u32,
    /// The same, for the swaps of each seat and its own matches.
    own_swaps_running: [u32; 2],
    matches_in_hand: u32,
    tunnels_in_hand: usize,
    plies_in_hand: u32,
    is_after_collapse: bool,
    is_after_match: bool,
}

/// A statement about one choice; its error says what was seen instead.
pub type Property = fn(&Moment) -> Result<(), String>;

pub const ALL: [Property; 8] = [
    fifty_two_cards_are_on_the_table,
    hands_hold_one_to_three_cards,
    somebody_who_is_to_move_can_move,
    each_player_has_an_exposed_card,
    a_swap_is_legal_unless_a_match_is_forced,
    the_longest_line_is_full_after_a_collapse,
    every_tunnel_makes_the_field_narrower,
    swaps_and_matches_run_out,
];

fn fifty_two_cards_are_on_the_table(moment: &Moment) -> Result<(), String> {
    let table = &moment.table;
    let mut seen = [0; 52];
    let piles = [
        &table.stock,
        &table.hands[0],
        &table.hands[1],
        &table.away[0],
        &table.away[1],
    ];
    for &card in table
        .field
        .iter()
        .flatten()
        .chain(piles.into_iter().flatten())
    {
        seen[usize::from(card)] += 1;
    }
    ensure(seen == [1; 52], || {
        format!("cards are there this often: {seen:?}")
    })
}

/// P2. The fourth card is there only until it is decided what to discard.
fn hands_hold_one_to_three_cards(moment: &Moment) -> Result<(), String> {
    let Some(mover) = moment.table.mover else {
        return Ok(());
    };
    let sizes = [0, 1].map(|seat: usize| moment.table.hands[seat].len());
    let is_discard = moment
        .legal
        .iter()
        .any(|it| matches!(it, Move::Discard { .. }));
    let holds = if is_discard {
        sizes[mover] == 4 && (1..=4).contains(&sizes[1 - mover])
    } else {
        sizes.iter().all(|it| (1..=3).contains(it))
    };
    ensure(holds, || format!("hands hold {sizes:?}"))
}

fn somebody_who_is_to_move_can_move(moment: &Moment) -> Result<(), String> {
    ensure(
        moment.table.mover.is_some() != moment.legal.is_empty(),
        || {
            format!(
                "{:?} is to move and may {:?}",
                moment.table.mover, moment.legal
            )
        },
    )
}

/// P1, first half.
fn each_player_has_an_exposed_card(moment: &Moment) -> Result<(), String> {
    let Table { field, width, .. } = &moment.table;
    let is_empty = field.iter().all(Option::is_none);
    if is_empty || is_tunnelled(field, *width) {
        return Ok(());
    }
    let seen = [true, false].map(|near| exposed(field, *width, near).iter().count());
    ensure(seen.iter().all(|&it| it > 0), || {
        format!("exposed are {seen:?} cards")
    })
}

/// P1, second half.
fn a_swap_is_legal_unless_a_match_is_forced(moment: &Moment) -> Result<(), String> {
    let Some(mover) = moment.table.mover else {
        return Ok(());
    };
    let has = |wanted: fn(&Move) -> bool| moment.legal.iter().any(wanted);
    let discards = has(|it| matches!(it, Move::Discard { .. }));
    let swaps = has(|it| matches!(it, Move::Swap { .. }));
    let matches = has(|it| matches!(it, Move::Match { .. }));
    let is_forced = matches && moment.own_swaps_running[mover] >= 3;
    ensure(
        discards != (swaps || matches) && (discards || swaps != is_forced),
        || {
            format!(
                "after {} swaps: {:?}",
                moment.own_swaps_running[mover], moment.legal
            )
        },
    )
}

/// P3, first half: so there is no tunnel before the next match.
fn the_longest_line_is_full_after_a_collapse(moment: &Moment) -> Result<(), String> {
    let Table { field, width, .. } = &moment.table;
    if !moment.is_after_match {
        ensure(!is_tunnelled(field, *width), || {
            "there is a tunnel".to_owned()
        })?;
    }
    if !moment.is_after_collapse {
        return Ok(());
    }
    let lines = PLOTS / LANES;
    let line = |depth: usize| (0..LANES).map(move |lane| field[lane * lines + depth]);
    let longest = (0..lines).map(|depth| line(depth).flatten().count()).max();
    let is_packed = (0..lines).all(|depth| line(depth).is_sorted_by_key(|it| it.is_some()));
    ensure(longest == Some(*width) && is_packed, || {
        format!("the field is {width} wide and its longest line {longest:?}: {field:?}")
    })
}

/// P3, second half.
fn every_tunnel_makes_the_field_narrower(moment: &Moment) -> Result<(), String> {
    ensure(moment.table.width + moment.tunnels_in_hand <= LANES, || {
        format!(
            "{} wide after {} tunnels",
            moment.table.width, moment.tunnels_in_hand
        )
    })
}

/// P4: 42 matches and five stuck rounds part at most 47 runs of swaps, and no more than 50
/// discards come between.
fn swaps_and_matches_run_out(moment: &Moment) -> Result<(), String> {
    let holds = moment.swaps_running <= 7
        && moment.matches_in_hand <= 42
        && moment.plies_in_hand <= 47 * 7 + 42 + 50;
    ensure(holds, || {
        format!(
            "{} swaps in a row, {} matches and {} plies in the hand",
            moment.swaps_running, moment.matches_in_hand, moment.plies_in_hand
        )
    })
}

/// Plays random matches and checks all properties at every choice.
pub fn check<R: Referee>(seeds: Range<u64>, properties: &[Property]) -> Result<(), String> {
    for seed in seeds {
        let mut choices = ChaCha8Rng::seed_from_u64(!seed);
        let mut game = R::start(seed);
        let mut moment = Moment {
            table: game.look(),
            legal: game.legal(),
            swaps_running: 0,
            own_swaps_running: [0, 0],
            matches_in_hand: 0,
            tunnels_in_hand: 0,
            plies_in_hand: 0,
            is_after_collapse: false,
            is_after_match: false,
        };
        for ply in 0.. {
            for property in properties {
                property(&moment).map_err(|it| format!("match {seed}, ply {ply}: {it}"))?;
            }
            if moment.legal.is_empty() {
                break;
            }
            let choice = moment.legal[pick(&mut choices, moment.legal.len())];
            game.apply(choice);
            moment.advance(choice, game.look(), game.legal());
        }
    }
    Ok(())
}

impl Moment {
    fn advance(&mut self, choice: Move, table: Table, legal: Vec<Move>) {
        self.plies_in_hand += 1;
        match choice {
            Move::Match { .. } => {
                self.matches_in_hand += 1;
                self.swaps_running = 0;
            }
            Move::Swap { .. } => self.swaps_running += 1,
            Move::Discard { .. } => {}
        }
        if let Some(mover) = self.table.mover {
            match choice {
                Move::Match { .. } => self.own_swaps_running[mover] = 0,
                Move::Swap { .. } => self.own_swaps_running[mover] += 1,
                Move::Discard { .. } => {}
            }
        }
        // Two cards leave the stock for each round, and all come back for a new hand.
        let is_new_round = table.stock.len() != self.table.stock.len();
        let is_new_hand = table.stock.len() > self.table.stock.len();
        self.is_after_match = matches!(choice, Move::Match { .. })
            && !is_new_round
            && legal.iter().any(|it| matches!(it, Move::Discard { .. }));
        // Within a hand, only a tunnel scores.
        self.is_after_collapse = is_new_round && !is_new_hand && table.points != self.table.points;
        self.tunnels_in_hand += usize::from(self.is_after_collapse);
        if is_new_round {
            self.swaps_running = 0;
            self.own_swaps_running = [0, 0];
        }
        if is_new_hand {
            self.matches_in_hand = 0;
            self.tunnels_in_hand = 0;
            self.plies_in_hand = 0;
        }
        self.table = table;
        self.legal = legal;
    }
}

fn ensure(holds: bool, seen: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(seen()) }
}

#[test]
fn the_hand_written_game_keeps_every_property() {
    assert_eq!(check::<HandWritten>(0..2_000, &ALL), Ok(()));
}

#[test]
fn the_hand_written_game_agrees_with_itself() {
    for seed in 0..100 {
        assert_eq!(follow::<HandWritten>(seed), Ok(()), "match {seed}");
    }
}

//! The hand-written Tunnels is right where a ruling of the rulebook can say so.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::baseline::chance::{Card, Recorded, Scripted, pick};
use crate::baseline::tunnels::*;

const ACE_OF_SPADES: Card = 39;

/// Reads `c3` as lane c, depth 3.
fn plot(name: &str) -> usize {
    let name = name.as_bytes();
    usize::from(name[0] - b'a') * DEPTHS + usize::from(name[1] - b'1')
}

fn names(plots: impl Iterator<Item = usize>) -> String {
    let name = |it: usize| {
        format!(
            "{}{}",
            char::from(b'a' + (it / DEPTHS) as u8),
            it % DEPTHS + 1
        )
    };
    plots.map(name).collect::<Vec<_>>().join(" ")
}

/// A full field without the given positions; what the cards are does not matter.
fn field_without(empty: &str) -> Field {
    let mut field: Field = std::array::from_fn(|it| Some(it as Card));
    for name in empty.split_whitespace() {
        field[plot(name)] = None;
    }
    field
}

/// A field that holds only the given cards.
fn field_of(cards: &[(&str, Card)]) -> Field {
    let mut field = [None; PLOTS];
    for &(name, card) in cards {
        field[plot(name)] = Some(card);
    }
    field
}

/// Seat 0 deals, leads round 1 and is to dig; every card not mentioned is in the stock.
fn game(field: Field, hands: [&[Card]; 2]) -> Tunnels {
    let lies_elsewhere =
        |card: &Card| field.contains(&Some(*card)) || hands.iter().any(|it| it.contains(card));
    Tunnels {
        phase: Phase::Dig,
        mover: 0,
        dealer: 0,
        leader: 0,
        round: 1,
        width: LANES,
        field,
        stock: (0..CARDS).filter(|card| !lies_elsewhere(card)).collect(),
        hands: hands.map(<[Card]>::to_vec),
        away: [Vec::new(), Vec::new()],
        points: [0, 0],
        swaps: [0, 0],
        stuck: false,
    }
}

fn legal(game: &Tunnels) -> Vec<Move> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    moves
}

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

#[test]
fn f1_cards_beyond_a_diagonal_pocket_are_not_exposed() {
    let field = field_without("c1 d2");
    assert_eq!(
        names(exposed(&field, LANES, true).iter()),
        "a1 b1 b2 c2 d1 e1 f1"
    );
}

#[test]
fn f2_a_gallery_exposes_ahead_but_not_sideways() {
    let field = field_without("c1 c2 d2");
    assert_eq!(
        names(exposed(&field, LANES, true).iter()),
        "a1 b1 b2 b3 c3 d1 d3 e1 e3 f1"
    );
}

#[test]
fn the_other_seat_sees_the_field_from_its_own_edge() {
    let field = field_without("c7 c6 d6");
    assert_eq!(
        names(exposed(&field, LANES, false).iter()),
        "a7 b5 b6 b7 c5 d5 d7 e5 e7 f7"
    );
}

#[test]
fn f3_whoever_completes_the_tunnel_scores() {
    let mut field = field_without("c1 c2 c3 c4 c5 c6");
    field[plot("c7")] = Some(42);
    let mut game = game(field, [&[50], &[43]]);
    game.mover = 1;
    game.apply(
        Move::Match {
            used: 43,
            at: plot("c7") as Plot,
        },
        &mut rng(0),
    );
    assert_eq!(game.points, [0, 3]);
    assert_eq!((game.round, game.leader, game.mover), (2, 1, 1));
    assert_eq!(game.width, 5, "every line lost one card");
}

#[test]
fn f4_the_field_is_as_wide_as_its_longest_line() {
    let mut field = [None; PLOTS];
    for (depth, length) in [5, 5, 3, 4, 5, 5, 5].into_iter().enumerate() {
        for lane in 0..length {
            field[lane * DEPTHS + depth] = Some((lane * DEPTHS + depth) as Card);
        }
    }
    let width = collapse(&mut field);
    assert_eq!(width, 5);
    let inside = (0..PLOTS).filter(|it| it / DEPTHS >= LANES - width);
    assert_eq!(names(inside.filter(|&it| field[it].is_none())), "b3 b4 c3");
    assert!(!is_tunnelled(&field, width));
    assert!(
        is_tunnelled(&field, LANES),
        "a field that stays six wide is tunnelled at once"
    );
}

#[test]
fn collapse_keeps_the_order_of_a_line() {
    let mut field = field_of(&[("a3", 1), ("c3", 2), ("e3", 3), ("b4", 4)]);
    assert_eq!(collapse(&mut field), 3);
    assert_eq!(
        field,
        field_of(&[("d3", 1), ("e3", 2), ("f3", 3), ("f4", 4)])
    );
}

/// A full field whose fronts hold sevens to tens, and one low card in each hand.
fn matchless() -> Tunnels {
    let mut field: Field = [None; PLOTS];
    let mut stock: Vec<Card> = (0..CARDS).collect();
    let mut lay = |field: &mut Field, at: usize, fits: &dyn Fn(Card) -> bool| {
        if let Some(found) = stock.iter().position(|&it| fits(it)) {
            field[at] = Some(stock.swap_remove(found));
        }
    };
    for lane in 0..LANES {
        for depth in [0, DEPTHS - 1] {
            lay(&mut field, lane * DEPTHS + depth, &|it| {
                (6..10).contains(&rank(it))
            });
        }
    }
    for at in 0..PLOTS {
        if field[at].is_none() {
            lay(&mut field, at, &|it| it != 2 && it != 3);
        }
    }
    game(field, [&[2], &[3]])
}

#[test]
fn f5_two_stuck_turns_end_the_round() {
    let mut game = matchless();
    game.swaps = [3, 3];
    game.start_turn(0, &mut rng(0));
    assert!(game.stuck);
    let swaps = legal(&game);
    assert_eq!(swaps.len(), 6, "the stuck mover may swap once more");
    game.apply(swaps[0], &mut rng(0));
    assert_eq!((game.round, game.mover, game.dealer), (2, 0, 0));
    assert_eq!([game.away[0].len(), game.away[1].len()], [1, 1]);
    assert_eq!([game.hands[0].len(), game.hands[1].len()], [1, 1]);
    assert_eq!((game.swaps, game.stuck), ([0, 0], false));
}

#[test]
fn a_turn_with_a_match_between_two_stuck_turns_saves_the_round() {
    let mut game = matchless();
    game.swaps = [3, 0];
    game.start_turn(0, &mut rng(0));
    assert!(game.stuck);
    game.apply(legal(&game)[0], &mut rng(0));
    assert_eq!((game.round, game.mover, game.stuck), (1, 1, false));
}

#[test]
fn after_three_swaps_a_player_who_can_match_must() {
    let mut game = game(field_without(""), [&[42], &[51]]);
    let all = legal(&game);
    game.swaps = [3, 0];
    let forced = legal(&game);
    assert_eq!(forced.len() + LANES, all.len());
    assert!(forced.iter().all(|it| matches!(it, Move::Match { .. })));
}

#[test]
fn f6_the_leader_discards_first_before_leading() {
    let mut field = field_without("c1 c2 c3 c4 c5 c6");
    field[plot("c7")] = Some(42);
    let mut game = game(field, [&[44, 45, 46], &[43, 47]]);
    game.mover = 1;
    game.apply(
        Move::Match {
            used: 43,
            at: plot("c7") as Plot,
        },
        &mut rng(0),
    );
    assert_eq!((game.phase, game.mover), (Phase::TrimAfterDeal, 1));
    assert_eq!(legal(&game).len(), 4);
    game.apply(Move::Discard { gone: 43 }, &mut rng(0));
    assert_eq!((game.phase, game.mover), (Phase::TrimAfterDeal, 0));
    game.apply(Move::Discard { gone: 44 }, &mut rng(0));
    assert_eq!((game.phase, game.mover), (Phase::Dig, 1));
    assert_eq!(game.away, [vec![44], vec![43]]);
}

#[test]
fn a_match_beyond_three_cards_costs_a_discard_before_the_tunnel_scores() {
    let mut field = field_without("c1 c2 c3 c4 c5 c6");
    field[plot("c7")] = Some(42);
    let mut game = game(field, [&[50], &[43, 44, 45]]);
    game.mover = 1;
    game.apply(
        Move::Match {
            used: 43,
            at: plot("c7") as Plot,
        },
        &mut rng(0),
    );
    assert_eq!((game.phase, game.points), (Phase::TrimAfterMatch, [0, 0]));
    let discards = [42, 43, 44, 45].map(|gone| Move::Discard { gone });
    assert_eq!(legal(&game), discards);
    game.apply(discards[0], &mut rng(0));
    assert_eq!((game.points, game.round), ([0, 3], 2));
}

#[test]
fn f7_cards_in_hand_score_only_when_the_last_round_is_stuck() {
    let mut field = field_without("c1 c2 c3 c4 c5 c6");
    field[plot("c7")] = Some(50);
    let mut tunnel = game(field, [&[ACE_OF_SPADES], &[51]]);
    tunnel.round = ROUNDS;
    tunnel.mover = 1;
    tunnel.apply(
        Move::Match {
            used: 51,
            at: plot("c7") as Plot,
        },
        &mut rng(0),
    );
    assert_eq!((tunnel.points, tunnel.round, tunnel.dealer), ([0, 3], 1, 1));

    let mut stuck = matchless();
    stuck.hands[0].push(ACE_OF_SPADES);
    stuck.round = ROUNDS;
    stuck.swaps = [3, 3];
    stuck.stuck = true;
    stuck.start_turn(0, &mut rng(0));
    assert_eq!((stuck.points, stuck.round, stuck.dealer), ([1, 0], 1, 1));
}

#[test]
fn f8_twenty_one_points_do_not_end_a_hand() {
    let mut field = field_without("c1 c2 c3 c4 c5 c6");
    field[plot("c7")] = Some(42);
    let mut game = game(field, [&[50], &[43]]);
    game.points = [19, 20];
    game.round = 2;
    game.mover = 1;
    game.apply(
        Move::Match {
            used: 43,
            at: plot("c7") as Plot,
        },
        &mut rng(0),
    );
    assert_eq!(
        (game.points, game.round, game.result()),
        ([19, 23], 3, None)
    );
}

#[test]
fn a_tie_asks_for_another_hand() {
    let mut game = game(field_without(""), [&[50], &[43]]);
    game.round = ROUNDS;
    game.points = [21, 21];
    game.end_round(0, &mut rng(0));
    assert_eq!((game.result(), game.round, game.dealer), (None, 1, 1));
    game.round = ROUNDS;
    game.points = [22, 21];
    game.end_round(0, &mut rng(0));
    assert_eq!(game.result(), Some([22, 21]));
    assert_eq!(legal(&game), []);
}

#[test]
fn an_empty_field_spends_each_remaining_round() {
    let mut game = game(field_of(&[]), [&[], &[]]);
    game.width = 0;
    game.stock.truncate(6);
    game.round = 2;
    game.start_round(3, 1, &mut rng(0));
    assert_eq!((game.round, game.dealer), (1, 1), "a new hand");
}

#[test]
fn the_lower_card_deals_and_an_ace_is_not_low() {
    // King against king is drawn again; then an ace against a two.
    let mut cards = vec![12, 25, 0, 1];
    cards.extend(0..42);
    cards.extend([50, 51]);
    let mut chance = Scripted::new(&cards);
    let game = Tunnels::new(&mut chance);
    assert_eq!(chance.verdict(), Ok(()));
    assert_eq!((game.dealer, game.mover), (1, 1));
    assert_eq!(
        game.hands,
        [vec![50], vec![51]],
        "the other player is dealt first"
    );
    assert_eq!(game.field[plot("b1")], Some(7));
    assert!(legal(&game).contains(&Move::Swap {
        used: 51,
        at: plot("f1") as Plot
    }));
}

#[test]
fn card_points_add_up() {
    assert_eq!(card_points(&[]), 0);
    assert_eq!(card_points(&[0, 13, 26, ACE_OF_SPADES]), 4);
    assert_eq!(card_points(&[TEN_OF_DIAMONDS, TWO_OF_SPADES]), 3);
    assert_eq!(card_points(&[41, 42, 43, 44, 45, 46]), 0);
    assert_eq!(card_points(&[40, 41, 42, 43, 44, 45, 46]), 2);
}

#[test]
fn values_wrap_around() {
    let fits = |x: u8| {
        (0..RANKS)
            .filter(|&y| matches(x, y + 13))
            .collect::<Vec<_>>()
    };
    assert_eq!(fits(0), [0, 1, 12]);
    assert_eq!(fits(2), [1, 2, 3]);
    assert_eq!(fits(12), [0, 11, 12]);
}

#[test]
fn the_legal_list_is_in_canonical_order() {
    let mut rng = rng(11);
    let mut game = Tunnels::new(&mut rng);
    loop {
        let moves = legal(&game);
        assert!(moves.is_sorted(), "{moves:?}");
        if moves.is_empty() {
            return;
        }
        let choice = moves[pick(&mut rng, moves.len())];
        game.apply(choice, &mut rng);
    }
}

#[test]
fn a_recorded_match_is_replayed_draw_by_draw() {
    let mut rng = rng(5);
    let mut recorded = Recorded::new(&mut rng);
    let mut game = Tunnels::new(&mut recorded);
    let mut drawn = recorded.drawn;
    let mut script = Scripted::new(&drawn);
    let mut replayed = Tunnels::new(&mut script);
    loop {
        assert_eq!(script.verdict(), Ok(()));
        // The stock is drawn from in another order, so only its cards are the same.
        replayed.stock.clone_from(&game.stock);
        assert_eq!(game, replayed);
        let moves = legal(&game);
        if moves.is_empty() {
            return;
        }
        let choice = moves[pick(&mut rng, moves.len())];
        let mut recorded = Recorded::new(&mut rng);
        game.apply(choice, &mut recorded);
        drawn = recorded.drawn;
        script = Scripted::new(&drawn);
        replayed.apply(choice, &mut script);
    }
}

#[test]
fn a_false_script_is_noticed() {
    let run = |cards: &[Card]| {
        let mut script = Scripted::new(cards);
        Tunnels::new(&mut script);
        script.verdict()
    };
    assert!(run(&[3, 3]).is_err_and(|it| it.contains("not in the stock")));
    assert!(run(&[3]).is_err_and(|it| it.contains("more cards")));
}

//! The hand-written Connect Four knows the game.

use crate::baseline::connect_four::*;

fn perft(game: &ConnectFour, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let mut leaves = 0;
    for column in moves {
        let mut next = game.clone();
        next.apply(column);
        leaves += perft(&next, depth - 1);
    }
    leaves
}

#[test]
fn legal_sequences_are_as_many_as_known() {
    let counts: Vec<u64> = (1..=7)
        .map(|depth| perft(&ConnectFour::new(), depth))
        .collect();
    assert_eq!(counts, [7, 49, 343, 2401, 16807, 117_649, 823_536]);
}

#[test]
fn a_rising_diagonal_wins() {
    let mut game = ConnectFour::new();
    for column in [0, 1, 1, 2, 2, 3, 2, 3, 3, 6] {
        game.apply(column);
        assert_eq!(game.result(), None);
    }
    game.apply(3);
    assert_eq!(game.result(), Some(Outcome::Won(0)));
}

#[test]
fn a_full_board_without_a_line_is_drawn() {
    let mut game = ConnectFour::new();
    // Column pairs filled so that no four meet: 0 and 1 swap their colours every two rows.
    for column in [
        0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3,
    ] {
        game.apply(column);
        assert_eq!(game.result(), None);
    }
    for column in [4, 5, 4, 5, 5, 4, 5, 4, 4, 5, 4, 5, 6, 6, 6, 6, 6] {
        game.apply(column);
        assert_eq!(game.result(), None, "after a disc in column {column}");
    }
    game.apply(6);
    assert_eq!(game.result(), Some(Outcome::Drawn));
}

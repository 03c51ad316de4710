//! The hand-written Connect Four knows the game.

use crate::baseline::Game;
use crate::baseline::connect_four::*;

#[test]
fn a_rising_diagonal_wins() {
    let mut game = ConnectFour::new();
    for column in [0, 1, 1, 2, 2, 3, 2, 3, 3, 6] {
        game.apply(Column(column));
        assert_eq!(game.result(), None);
    }
    game.apply(Column(3));
    assert_eq!(game.result(), Some(Outcome::Won(0)));
}

#[test]
fn a_full_board_without_a_line_is_drawn() {
    let mut game = ConnectFour::new();
    // Column pairs filled so that no four meet: 0 and 1 swap their colours every two rows.
    for column in [
        0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3,
    ] {
        game.apply(Column(column));
        assert_eq!(game.result(), None);
    }
    for column in [4, 5, 4, 5, 5, 4, 5, 4, 4, 5, 4, 5, 6, 6, 6, 6, 6] {
        game.apply(Column(column));
        assert_eq!(game.result(), None, "after a disc in column {column}");
    }
    game.apply(Column(6));
    assert_eq!(game.result(), Some(Outcome::Drawn));
}

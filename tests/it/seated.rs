//! Numbers in pictures, games that are over, and tiles that are heard, at the table.

use adit::cli::Exit;

use crate::command::{adit_at, adit_with};
use crate::prompt::{TIC, fresh};

/// What begins a coordinate is still the number in the picture, behind a list too.
#[test]
fn a_number_stands_for_what_it_stands_for_in_the_picture() {
    let path = fresh("p70.jsonl");
    let command = format!(
        "play carcassonne_tunnel --players 3 --seats human,first,first --seed 3 --color never --journal {}",
        path.display()
    );
    let asked = adit_at((80, 24), &command, "1\n\n77\nlist\n1\n\n1.\nquit\n");
    let several = "which of these?\n  S at 0,1 turned e s w\n";
    assert_eq!(asked.out.matches(several).count(), 2, "{}", asked.out);
    assert!(asked.out.contains("the picture has no 77"), "{}", asked.out);
    assert!(
        asked.out.contains("player1: S at 0,1 turned e"),
        "{}",
        asked.out
    );
}

#[test]
fn a_game_that_is_over_is_asked_about() {
    let path = fresh("p71.jsonl");
    let command = format!("{TIC} --seats human,first --journal {}", path.display());
    let typed = "b2\nc2\nc3\nb3\na3\nc1\nhistory 2\nmoves\n\n";
    let ran = adit_at((80, 24), &command, typed);
    let (_, behind) = ran
        .out
        .split_once("over> ")
        .expect("what can be asked then");
    assert!(
        behind.contains("wins") || behind.contains("   7  ") || behind.contains("   5  "),
        "{}",
        ran.out
    );
    assert!(behind.contains("Enter leaves"), "{}", ran.out);
    assert_eq!(ran.exit, Exit::Yes);
}

#[test]
fn who_cannot_see_a_tile_hears_what_is_on_it() {
    let path = fresh("p72.jsonl");
    let command = format!(
        "play carcassonne --plain --seed 5 --journal {}",
        path.display()
    );
    let ran = adit_with(&command, "look drawn\nlook 0,0\nlook row 0\nquit\n");
    for line in [
        "drawn, city1: city at n",
        "0,0, road1: road at e, w",
        "land, row 0: 0,0 D/n",
    ] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    assert!(ran.out.is_ascii(), "{}", ran.out);
}

#[test]
fn a_game_is_chosen_by_number_beginning_or_title() {
    let ran = adit_at((80, 24), "play", "zzz\nchss\nc\nConnect four\nquit\n");
    for line in [
        "no game is called `zzz`",
        "did you mean `chess`?",
        "several begin so: ",
        "Connect Four, seed ",
    ] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
}

//! Numbers in pictures, games that are over, and tiles that are heard, at the table.

use std::fs;

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

fn typed_at(game: &str, typed: &str) -> String {
    let name = game.split(' ').next().unwrap();
    let path = fresh(&format!("p73_{name}.jsonl"));
    let line = format!("play {game} --journal {}", path.display());
    adit_with(&line, typed).out
}

/// What each move fills into a text stands there by what it is, not by what the rulebook calls it.
#[test]
fn what_a_move_fills_in_is_told_by_its_kind() {
    let told = typed_at(
        "carcassonne --seed 3",
        "rules place tile\nrules place follower\nquit\n",
    );
    assert!(told.contains(": TILE at SPOT turned SIDE\n"), "{told}");
    assert!(
        told.contains("not where whoever moves has no follower left"),
        "{told}"
    );
    assert!(!told.contains("at at"), "{told}");
    let told = typed_at("channel_tunnel --seed 3", "rules what may be done\nquit\n");
    assert!(
        told.contains("  Pay two: pay COLOUR and COLOUR\n"),
        "{told}"
    );
    assert!(told.contains("  Keep: keep NUMBER COLOUR\n"), "{told}");
}

/// Of discs that turn over where they lie it is told where, and of many how many.
#[test]
fn what_looks_otherwise_where_it_lay_is_told() {
    let told = typed_at(
        "othello --seed 1 --seats human,human",
        "c4\nc3\nd3\nc5\nb2\ne3\nf3\nquit\n",
    );
    assert!(told.contains("board d4 now ●"), "{told}");
    assert!(told.contains("board 2 now ○: d4 e4"), "{told}");
}

/// How a game ended is told in the words of the rulebook, not by the name of a clause.
#[test]
fn an_ending_is_told_in_words() {
    let told = typed_at(
        "connect_four --seed 1 --seats human,human",
        "a\nb\na\nb\na\nb\na\n",
    );
    assert!(told.contains("the game is over: yellow wins\n"), "{told}");
    assert!(told.contains("  Four discs lie in a line."), "{told}");
    let told = typed_at(
        "tests/fixtures/games/tic_tac_toe.rules --seed 1 --seats human,human",
        "a1\nb1\na2\nb2\na3\n",
    );
    assert!(!told.contains('_'), "{told}");
}

/// What each of several seats has takes a line of its own, but no more lines than all of it in one go.
#[test]
fn what_seats_have_is_packed_beside_a_landscape() {
    let path = fresh("p74.jsonl");
    let line = format!(
        "play carcassonne_tunnel --seed 5 --color never --journal {}",
        path.display()
    );
    let frame = adit_at((80, 24), &line, "quit\n").out;
    let colours = ["red", "green", "black", "blue", "yellow", "grey"];
    let has = |it: &&str| colours.iter().any(|of| it.contains(&format!("2 {of}")));
    assert_eq!(frame.lines().filter(has).count(), 3, "{frame}");
}

/// What a game is won by is told by `score`, also where no figure of the table says it.
#[test]
fn what_has_no_name_is_scored() {
    let path = fresh("p79.jsonl").display().to_string();
    let command =
        format!("play tests/fixtures/questions/seeds.rules --seats human,human --journal {path}");
    let ran = adit_with(&command, "take 2\nscore\nquit\n");
    ran.says(
        Exit::Yes,
        "what the game is won by: anna 3, bert -1\nanna caught 0",
    );
    let _ = fs::remove_file(&path);
    let ran = adit_at((80, 24), &command, "take 2\ntake 2\ntake 1\nscore\n\n");
    assert!(
        ran.out.contains("what the game is won by: anna 5, bert 5"),
        "{}",
        ran.out
    );
}

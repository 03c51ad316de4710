//! A person at the prompt.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use adit::cli::Exit;

use crate::command::{Ran, adit, adit_at, adit_resized, adit_with};

fn fresh_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

pub fn fresh(name: &str) -> PathBuf {
    let path = fresh_path(name);
    let _ = fs::remove_file(&path);
    path
}

fn snapshot(name: &str, command: &str, journal: &str, typed: &str) {
    let path = fresh(journal);
    let ran = adit_with(&format!("{command} --journal {}", path.display()), typed);
    keep(name, command, &path, typed, &ran);
}

/// The same at a terminal of so many columns and lines.
fn at_terminal(name: &str, size: (usize, usize), command: &str, journal: &str, typed: &str) {
    let path = fresh(journal);
    let command = format!("{command} --color never");
    let line = format!("{command} --journal {}", path.display());
    let ran = adit_at(size, &line, typed);
    keep(name, &command, &path, typed, &ran);
}

fn keep(name: &str, command: &str, path: &Path, typed: &str, ran: &Ran) {
    let typed: String = typed.lines().map(|line| format!("< {line}\n")).collect();
    let text = format!("$ adit {command}\n{typed}\n{}{}", ran.out, ran.err);
    let text = text.replace(&path.display().to_string(), "JOURNAL");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/prompt");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
}

pub const TIC: &str = "play tests/fixtures/games/tic_tac_toe.rules --seed 1";
const KUHN: &str = "play tests/fixtures/games/kuhn.rules --seed 1";

#[test]
fn a_game_between_a_person_and_a_bot() {
    snapshot(
        "whole_game",
        &format!("{TIC} --seats human,first"),
        "p1.jsonl",
        "b2\nlist\n5\nC2\nc3\nb3\na3\n",
    );
}

/// A number is that of a bid, and none of a list that nobody has seen.
#[test]
fn a_number_is_typed_for_moves_that_differ_in_it() {
    let typed = "why 5\n38\n12\n3\nbid 41\npass\nquit\n";
    let command = "play tests/fixtures/pictures/sides.rules --seed 1 --seats human,human";
    snapshot("number_in_a_move", command, "p_runs.jsonl", typed);
}

/// Of what is written in part the clause is told that forbids all that it can be.
#[test]
fn a_move_that_is_begun_and_forbidden_names_its_clause() {
    let command = "play tunnels --seed 21 --seats human,random";
    let typed = "match ks\nks m a\nfoo\nfoo ks\nquit\n";
    snapshot("begun_forbidden", command, "p_begun.jsonl", typed);
    let command = "play carcassonne --seed 21 --seats human,random";
    let typed = "N at 1,1\nn 0,1 turned n\nfoo\nquit\n";
    snapshot(
        "begun_with_another_tile",
        command,
        "p_begun_tile.jsonl",
        typed,
    );
}

/// `look` is an order, and here a word of a move; orders may be written large.
#[test]
fn what_begins_a_move_is_no_order() {
    let command =
        "play tests/fixtures/secrets/look.rules --seed 1 --seats human,human --ask-forced --plain";
    let typed = "look hand\n:look\nSCORE\nlook c\nquit\n";
    snapshot("order_or_move", command, "p_look.jsonl", typed);
}

#[test]
fn questions_at_the_prompt() {
    let typed =
        "help\nwhy\nwhy b2\nwhy not b2\nb2\nwhy not b2\nlist\nnonsense\n77\n:nonsense\nquit\n";
    snapshot(
        "questions",
        &format!("{TIC} --seats human,human"),
        "p2.jsonl",
        typed,
    );
}

#[test]
fn the_input_ends() {
    snapshot(
        "end_of_input",
        &format!("{TIC} --seats human,human"),
        "p3.jsonl",
        "b2\n",
    );
}

#[test]
fn undo_stops_where_another_seat_has_chosen() {
    snapshot(
        "undo_after_another_seat",
        &format!("{TIC} --seats human,first"),
        "p4.jsonl",
        "undo\nb2\nundo\n",
    );
}

/// Around one table whoever is asked takes back what another has just chosen, one choice after the other.
#[test]
fn what_another_person_chose_last_is_taken_back() {
    snapshot(
        "undo_of_another_person",
        &format!("{TIC} --seats human,human"),
        "p4b.jsonl",
        "b2\na1\nundo x\nundo\nundo x\nundo\na3\nundo o\nquit\n",
    );
}

/// A trick that is put away at once is told with all its cards, and what sides have is a score.
#[test]
fn a_trick_is_told_whole_and_sides_have_a_score() {
    let seats = "human,first,first,first";
    let command = format!(
        "play whist --plain --seats {seats} --seed 4 --journal {}",
        fresh("p4c.jsonl").display()
    );
    let ran = adit_with(&command, "5c\nscore\nquit\n");
    let mut lines = ran.out.lines();
    let trick = lines.find(|it| it.contains("cards won") && it.contains(" + "));
    let trick = trick.expect("a trick");
    assert_eq!(trick.matches('(').count(), 4, "{trick}");
    ran.says(
        Exit::Yes,
        "points north and south 0, points east and west 0",
    );
}

/// What lies or holds at many places that a person does not see is counted, not listed.
#[test]
fn what_nobody_sees_is_counted() {
    let game = "play tests/fixtures/complete/fireworks.rules --seats human,random,random --seed 3";
    let command = format!("{game} --journal {}", fresh("p4e.jsonl").display());
    let ran = adit_with(&command, "quit\n");
    assert!(!ran.out.contains('?'), "{}", ran.out);
    ran.says(Exit::Yes, "hand player1  5 hidden");
    let command = format!("{game} --plain --journal {}", fresh("p4f.jsonl").display());
    let ran = adit_with(&command, "look hand\nquit\n");
    ran.says(Exit::Yes, "player1, you: hand 5 hidden");
    ran.says(Exit::Yes, "player1 hand: 5 hidden");
    let fleet = "play tests/fixtures/minds/fleet.rules --seats human,random --seed 3";
    let command = format!("{fleet} --journal {}", fresh("p4g.jsonl").display());
    adit_with(&command, "quit\n").says(Exit::Yes, "  ships 36 hidden · hits 0");
}

/// Where many cards of a field move at once, their number is told.
#[test]
fn a_collapse_is_told_in_short() {
    let path = fresh("p4h.jsonl");
    let game = "tunnels --seats random,random --games 1 --seed 1";
    adit(&format!("simulate {game} --save {}", path.display())).says(Exit::Yes, "south");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replacen("\"random\"", "\"human\"", 1);
    let end = text.find("{\"end\"").unwrap();
    let last = text[..end].trim_end().rfind('\n').unwrap();
    fs::write(&path, &text[..=last]).unwrap();
    let ran = adit_with(
        &format!("resume {}", path.display()),
        "history 1000\nscore\nquit\n",
    );
    ran.says(Exit::Yes, "field changes at ");
}

/// What the rules tell of fits on a screen, and begins with what the game is about.
#[test]
fn the_rules_are_told_in_short() {
    for game in ["tunnels", "carcassonne", "channel_tunnel", "chess"] {
        let command = format!(
            "play {game} --seed 1 --journal {}",
            fresh("p4d.jsonl").display()
        );
        let ran = adit_at((80, 24), &command, "rules\nquit\n");
        let told = ran.out.rsplit_once("> ").unwrap().0;
        let told = told.rsplit_once("> ").unwrap().1;
        assert!(told.lines().count() < 24, "{told}");
        assert!(told.contains("For 2 "), "{told}");
        assert!(told.contains("What may be done: "), "{told}");
    }
}

#[test]
fn undo_goes_back_over_open_choices_of_one_seat() {
    let game =
        "play tests/fixtures/fragments/window.rules --ask-forced --seed 1 --seats human,human";
    snapshot(
        "undo_in_a_window",
        game,
        "p5.jsonl",
        "build\nundo\nbu\nr f\nundo\nundo\nquit\n",
    );
}

/// What happened, and how each point came about, also in a game that was left for a while; and a part of the table.
#[test]
fn what_happened_and_who_has_points() {
    let typed = "M at 0,1 turned s\nfol city\nhistory\nscore\nboard ba\nboard nothing\nundo\nhistory\nhistory 1\nhistory x\nquit\n";
    let command = "play carcassonne --seed 21 --seats human,random";
    let path = fresh("p15.jsonl");
    let line = format!("{command} --journal {}", path.display());
    let ran = adit_with(&line, typed);
    keep("history", command, &path, typed, &ran);
    let resumed = adit_with(&format!("resume {}", path.display()), "history 2\nquit\n");
    resumed.says(Exit::Yes, "   3  player2: R at 1,1 turned n");
}

/// What is the only move is made and told, and undo goes back to where there was something to choose.
#[test]
fn what_is_the_only_move_is_made() {
    let game = "play tests/fixtures/fragments/window.rules --seed 1 --seats human,random";
    snapshot("forced", game, "p16.jsonl", "raise\nundo\ndone\nquit\n");
    let text = fs::read_to_string(fresh_path("p16.jsonl")).unwrap();
    let resumed = adit(&format!(
        "replay --emit {}",
        fresh_path("p16.jsonl").display()
    ));
    assert_eq!(resumed.out, text, "{}", resumed.err);
}

#[test]
fn hidden_cards_of_others_stay_hidden() {
    snapshot(
        "hidden_hand",
        &format!("{KUHN} --seats human,first"),
        "p6.jsonl",
        "check\n",
    );
}

/// Who is asked again in a turn is told what happened and does not see the whole table again.
#[test]
fn a_turn_of_many_questions() {
    let moves = [
        "white on Plan/Tunnel",
        "tunnel",
        "why 1",
        "why not 77",
        "blue on Finance/Technology",
        "technology",
        "advance the lower counter",
        "look at space 5",
        "pass",
        "keep 2 black",
        "quit",
    ];
    snapshot(
        "many_questions",
        "play channel_tunnel --seed 11 --seats human,random",
        "p7.jsonl",
        &moves.join("\n"),
    );
}

/// What has no name on the table is told to nobody, so the table is drawn anew; and how a game ends for all of them.
#[test]
fn what_nobody_is_told_is_drawn_anew() {
    let command = "play tests/fixtures/pictures/tables.rules --seed 1 --seats human,human";
    let moves = "B for anna\nscore\nstay\ntake B\nto leeds\nlose\n";
    snapshot("drawn_anew", command, "p12.jsonl", moves);
    snapshot("all_win", command, "p13.jsonl", "win\n");
}

/// Where nobody sees any more who has how much, what is counted then is not held against what was counted before.
#[test]
fn a_score_that_is_seen_no_more() {
    let command = "play tests/fixtures/pictures/pots.rules --seed 1 --seats human,human --plain";
    let typed = "earn\nearn\nscore\ndrop\ndrop\nscore\nearn\nscore\nearn\n";
    snapshot("score_unseen", command, "p28.jsonl", typed);
}

/// Whatever a choice changes stands in a line of its own with why, also where nobody told it: on a screen, to be heard, for programs.
#[test]
fn a_score_tells_each_change_alone() {
    let command = "play tests/fixtures/pictures/reckoning.rules --seed 1 --seats human,human";
    let typed = "take the marsh\ntake the hill\ntake the wood\nscore\n";
    at_terminal("score_screen", (60, 24), command, "p29.jsonl", typed);
    let spoken = format!("{command} --spoken");
    let typed = "take the marsh\nscore\ntake the hill\ntake the wood\n";
    snapshot("score_spoken", &spoken, "p30.jsonl", typed);
    let path = fresh("p31.jsonl").display().to_string();
    let ran = adit_with(&format!("{command} --json --journal {path}"), typed);
    let value: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.out);
    let last = value["scored"].as_array().unwrap().last().unwrap();
    assert_eq!(last["told"], "bert: take the lake");
    let changes = last["changes"].as_array().unwrap().iter();
    let changes: Vec<String> = changes
        .map(|it| format!("{} {} {} {}", it["of"], it["by"], it["to"], it["why"]))
        .collect();
    let wanted = [
        r#""anna points" 2 4 "the marsh is worth 2""#,
        r#""anna points" 3 7 "the wood is worth 3""#,
        r#""bert points" 1 2 null"#,
        r#""bert points" 5 7 "the hill is worth 5""#,
        r#""bert points" 7 14 "the lake is worth 7""#,
    ];
    assert_eq!(changes, wanted);
}

/// A number of the picture goes with other words of a move; behind words that were asked about it plays nothing else.
#[test]
fn a_number_of_the_picture_goes_with_words() {
    let path = fresh("p32.jsonl").display().to_string();
    let command = format!("play carcassonne_tunnel --seed 21 --seats human,first --journal {path}");
    let ran = adit_with(&command, "0,1\n3\nquit\n");
    ran.says(Exit::Yes, "`3` is none of these");
    assert!(!ran.out.contains("player1: N"), "{}", ran.out);
    let _ = fs::remove_file(&path);
    let ran = adit_with(&command, "3 w\nquit\n");
    ran.says(Exit::Yes, "player1: N at 0,-1 turned w");
    // With a point it is one of the list, which is shown before anything is played by it.
    let _ = fs::remove_file(&path);
    let ran = adit_with(&command, "3.\nquit\n");
    ran.says(Exit::Yes, "numbers are those of this list:");
    assert!(!ran.out.contains("player1: N"), "{}", ran.out);
}

/// Nobody reads through hundreds of moves: what may be typed is one line, and beginnings of words lead to one of them.
#[test]
fn a_crowd_of_moves_is_one_line() {
    let command =
        "play tests/fixtures/complete/hearts.rules --seed 3 --seats human,random,random,random";
    let typed = "why pass J♥ 6♣ K♣\np 7 6\n7s\npl 4\nquit\n";
    snapshot("crowd_of_moves", command, "p14.jsonl", typed);
}

/// What one of two people looks at is told to that one alone.
#[test]
fn a_secret_look_between_two_people() {
    let moves = [
        "white on Finance/Technology",
        "technology",
        "advance the lower counter",
        "look at space 5",
        "pass",
        "keep 2 blue",
        "done",
        "quit",
    ];
    snapshot(
        "secret_look",
        "play channel_tunnel --seed 11 --seats human,human",
        "p8.jsonl",
        &moves.join("\n"),
    );
}

/// Where the table is given to the next person, only an empty line shows what that one sees.
#[test]
fn who_gives_the_table_away_is_shown_nothing() {
    let path = fresh("p33.jsonl").display().to_string();
    let seats = "human,human,human,human";
    let command = format!("play whist --seed 3 --seats {seats} --color never --journal {path}");
    let play = |typed: &str| adit_at((80, 24), &command, typed);
    let first = play("\nlist\n");
    let card = first.out.split("  1  ").nth(1).expect(&first.out);
    let card = card.split_whitespace().next().unwrap().to_owned();
    std::fs::remove_file(&path).unwrap();
    let ran = play(&format!("\n{card}\nwhat?\nundo\nquit\n"));
    ran.says(Exit::Yes, "Enter alone shows what north sees");
    ran.says(Exit::Yes, "no undo: ");
    assert!(!ran.out.contains("north (you)"), "{}", ran.out);
}

/// An action is called as in the rules, and a place by what lies there; what is asked about is narrowed by a word that is begun
/// already.
#[test]
fn moves_are_named_in_other_words() {
    let path = fresh("p34.jsonl").display().to_string();
    let command = format!("play chess --seed 1 --seats human,first --journal {path}");
    let typed = "g1-f3\ng2-g3\nf1-g2\ncastle\nquit\n";
    adit_with(&command, typed).says(Exit::Yes, "white: O-O");
    let path = fresh("p36.jsonl").display().to_string();
    let command = format!("play tunnels --seed 3 --seats human,random --journal {path}");
    let typed = "swap 7c 5d\nquit\n";
    adit_with(&command, typed).says(Exit::Yes, "south: swap 7♣ with a7");
}

/// A tile that looks the same in several ways is offered in one of them, and can be laid in all.
#[test]
fn ways_that_look_alike_are_offered_once() {
    let path = fresh("p35.jsonl").display().to_string();
    let play = "play carcassonne --seed 8 --seats human,human --journal";
    let ran = adit_with(&format!("{play} {path}"), "list\n0,-1\nquit\n");
    ran.says(Exit::Yes, "  B at 0,-1 turned n\n");
    ran.says(Exit::Yes, "B at 0,-1 turned w\n");
    ran.says(Exit::Yes, "player1: B at 0,-1 turned n\n");
    let path = fresh("p37.jsonl").display().to_string();
    let ran = adit_with(&format!("{play} {path}"), "B at 0,-1 turned s\nquit\n");
    ran.says(Exit::Yes, "player1: B at 0,-1 turned s\n");
}

/// Several moves on one line, Enter for the only one, and a line that is dropped where it cannot go on.
#[test]
fn several_moves_on_one_line() {
    let moves = [
        "white on Plan/Tunnel; tunnel; blue on card 2; nothing",
        "blue on Finance/Technology; technology; advance the lower counter",
        "look at space 5; why",
        "take Spain as money",
        "black on Plan/Tunnel; nonsense; plan",
        "",
        "pass; keep 2 black; done",
        "quit",
    ];
    at_terminal(
        "several_on_a_line",
        (80, 24),
        "play channel_tunnel --seed 11 --seats human,random",
        "p9.jsonl",
        &moves.join("\n"),
    );
}

/// Whoever is asked about a thing that has just come to the table is told what is printed on it, and helped with
/// what is no move.
#[test]
fn a_card_that_comes_up_within_a_turn() {
    let typed = "score\nbord\nwhy not\nlist\n2.\nundo\nblue on Plan/Tunnel; plan\nwhy not 3\nlist\n1\nquit\n";
    at_terminal(
        "card_in_a_turn",
        (100, 30),
        "play agenda --seed 21 --seats human,random",
        "p11.jsonl",
        typed,
    );
}

/// However wide a landscape is, no line of it is wider than the terminal; what its signs mean is told for itself.
#[test]
fn a_wide_landscape_fits() {
    let path = fresh("wide.jsonl");
    let game = "carcassonne_tunnel --seats random,random --games 1 --seed 1";
    adit(&format!("simulate {game} --save {}", path.display())).says(Exit::Yes, "player1");
    for (color, size) in [("always", (60, 24)), ("never", (60, 24))] {
        let line = format!(
            "show --color {color} carcassonne_tunnel --at {}",
            path.display()
        );
        let ran = adit_at(size, &line, "");
        assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
        let out = crate::frames::strip(&ran.out);
        let widest = out.lines().map(|it| it.chars().count()).max();
        assert!(widest <= Some(size.0), "{widest:?} of {size:?}\n{out}");
    }
    let command = format!(
        "play carcassonne_tunnel --seed 1 --color never --journal {}",
        fresh("wide2.jsonl").display()
    );
    let ran = adit_at((80, 24), &command, "board legend\nquit\n");
    ran.says(Exit::Yes, "tunnel mouth");
}

/// What has no room on a screen is named so that `board` finds it.
#[test]
fn what_is_left_out_can_be_asked_for() {
    let run = |typed: &str| {
        let journal = fresh("left_out.jsonl");
        let line = "play channel_tunnel --seats human,first --seed 21 --color never";
        let line = format!("{line} --journal {}", journal.display());
        adit_at((60, 24), &line, typed)
    };
    let first = run("quit\n");
    let more = first.out.lines().find_map(|it| it.split_once("more: "));
    let more = more.expect("something has no room").1;
    let names: Vec<&str> = more.split(", ").filter(|it| !it.contains('…')).collect();
    assert!(names.len() >= 2, "{more}");
    let asked: String = names.iter().map(|it| format!("board {it}\n")).collect();
    let ran = run(&format!("{asked}quit\n"));
    assert!(!ran.out.contains("nothing on the table"), "{}", ran.out);
}

/// A landscape that is higher than a small terminal is drawn where something is new; `board` draws all.
#[test]
fn a_landscape_in_a_small_terminal() {
    let moves =
        "F at 0,1 turned e\ndone\n".to_owned() + &"list\n1.\ndone\n".repeat(8) + "board\nquit\n";
    at_terminal(
        "small_terminal",
        (60, 16),
        "play carcassonne --seed 5 --seats human,random",
        "p10.jsonl",
        &moves,
    );
}

#[test]
fn what_was_undone_stays_in_the_transcript_and_replays() {
    let path = fresh("undone.jsonl");
    let game =
        "play tests/fixtures/fragments/window.rules --ask-forced --seed 1 --seats human,human";
    let ran = adit_with(
        &format!("{game} --journal {}", path.display()),
        "build\nundo\nbuild\ndone\n",
    );
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("{\"undo\":"), "{text}");
    let emitted = adit(&format!("replay --emit {}", path.display()));
    assert_eq!(emitted.out, text, "{}", emitted.err);
}

/// Whoever names no game chooses one of a list, and whoever has left one finds it again.
#[test]
fn games_are_listed_and_kept_ones_found_again() {
    let ran = adit_at((80, 24), "play --seed 3", "tunnels\nquit\n");
    ran.says(Exit::Yes, "Tunnels, seed 3, south: you, north: medium");
    assert!(ran.out.contains(" 1  "), "{}", ran.out);
    adit("play").complains(Exit::Failure, "which game?");
    let home = fresh_path("kept_games");
    let _ = fs::remove_dir_all(&home);
    fs::create_dir(&home).unwrap();
    let run = |args: &[&str], typed: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_adit"))
            .args(args)
            .env("XDG_STATE_HOME", &home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(typed.as_bytes()).unwrap();
        drop(input);
        let out = child.wait_with_output().unwrap();
        let of = |it: Vec<u8>| String::from_utf8(it).unwrap();
        of(out.stdout) + &of(out.stderr)
    };
    assert!(run(&["resume"], "").contains("no game is kept"));
    run(
        &["play", "tunnels", "--seed", "7", "--seats", "human,random"],
        "swap 9d with d1\nquit\n",
    );
    let listed = run(&["resume"], "");
    let told = " 1  Tunnels  south: you, north: random  ";
    assert!(listed.contains(told), "{listed}");
    assert!(
        listed.contains("2 choices; points south 0 · north 0"),
        "{listed}"
    );
    let resumed = run(&["resume", "1"], "history\nquit\n");
    assert!(resumed.contains("1  south: swap 9♦ with d1"), "{resumed}");
    let resumed = run(&["resume", "tunn"], "history\nquit\n");
    assert!(resumed.contains("1  south: swap 9♦ with d1"), "{resumed}");
    assert!(run(&["resume", "2"], "").contains("there is no kept game 2"));
}

/// Kills the program as hard as possible while a person thinks, and goes on.
#[test]
fn a_killed_game_resumes_where_it_stood() {
    let path = fresh("killed.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_adit"))
        .args([
            "play",
            "tunnels",
            "--seats",
            "human,random",
            "--seed",
            "7",
            "--journal",
        ])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typed = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut moves = 0;
    while moves < 6 {
        let line = lines.next().expect("the game goes on").unwrap();
        if line.contains(" to choose") {
            writeln!(typed, "list\n1").unwrap();
            moves += 1;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(&path).unwrap();
    let resumed = adit_with(&format!("resume {}", path.display()), "quit\n");
    assert_eq!(resumed.exit, Exit::Yes, "{}", resumed.err);
    let after = fs::read_to_string(&path).unwrap();
    let whole = before.rfind('\n').unwrap() + 1;
    assert!(after.starts_with(&before[..whole]));
    let south = after.matches("\"seat\":\"south\"").count();
    assert!((5..=7).contains(&south), "{after}");
}

#[test]
fn a_table_that_is_read_out() {
    let typed = "match 8h with f7\nscore\nlook\nlook row 7\nlook a7\nlook near b2\nlook field\nlook north\nlook foo\nquit\n";
    snapshot(
        "read_out",
        "--plain play tunnels --seed 21 --seats human,first",
        "p_read_out.jsonl",
        typed,
    );
    let typed = "match 8 hearts with f7\nlook field\nm 7 clu f6\nlook\nquit\n";
    snapshot(
        "read_aloud",
        "--spoken play tunnels --seed 21 --seats human,first",
        "p_read_aloud.jsonl",
        typed,
    );
    let typed = "e2-e4\nlook board\nlook near e4\nquit\n";
    snapshot(
        "read_aloud_board",
        "--spoken play chess --seed 21 --seats human,first",
        "p_read_aloud_board.jsonl",
        typed,
    );
    let typed = "1\nlook land\nlook drawn\nlook 0,0\nlook near 0,0\nlook near 0,1\nquit\n";
    snapshot(
        "read_out_landscape",
        "--plain play carcassonne_tunnel --seed 21 --seats human,first",
        "p_read_out_landscape.jsonl",
        typed,
    );
}

/// A terminal that becomes smaller shows the whole table again in the room that is left.
#[test]
fn a_table_is_drawn_anew_in_another_size() {
    let journal = fresh("p_resized.jsonl");
    let line = "play tunnels --seed 21 --seats human,first --color never";
    let line = format!("{line} --journal {}", journal.display());
    let ran = adit_resized([(100, 30), (60, 24)], &line, "quit\n");
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    let frames: Vec<&str> = ran.out.split("Tunnels  ").collect();
    let [_, first, second] = frames.as_slice() else {
        panic!("two frames: {}", ran.out);
    };
    let size = |frame: &str| {
        let lines: Vec<&str> = frame.lines().collect();
        let asked = lines.iter().position(|it| it.contains("  swap "));
        let drawn = lines.iter().take(asked.map_or(0, |at| at + 1));
        (asked, drawn.map(|it| it.chars().count()).max())
    };
    let [(Some(high), Some(wide)), (Some(lower), Some(narrow))] = [size(first), size(second)]
    else {
        panic!("both ask: {}", ran.out);
    };
    assert!(lower < high && narrow <= 60 && wide > 60, "{}", ran.out);
}

/// Who notes games types what moves and where to; where that is forbidden it hears why, as for the places.
#[test]
fn a_forbidden_move_is_named_by_what_moves() {
    at_terminal(
        "named_by_what_moves",
        (80, 24),
        "play chess --seed 21 --seats human,first",
        "p_what_moves.jsonl",
        "Nf6\nkf2\nwhy not Ke2\nNf3\nO-O\nundo\nquit\n",
    );
}

/// Other words between those of a name, a pair without its comma, several moves without the sign between them.
#[test]
fn what_is_typed_loosely_is_understood() {
    let ran = |game: &str, typed: &str| {
        let journal = fresh("p_loosely.jsonl");
        let line = format!("{game} --color never --journal {}", journal.display());
        let ran = adit_at((80, 24), &line, &format!("{typed}quit\n"));
        assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
        ran.out
    };
    let whist = "play whist --seed 21 --seats human,first,first,first";
    let [spoken, short] = ["king of hearts\n", "Kh\n"].map(|it| ran(whist, it));
    let [spoken, short] =
        [&spoken, &short].map(|it| it.split_once("legal here:").expect("why not").0);
    assert_eq!(spoken, short);
    let land = "play carcassonne_tunnel --seed 1 --seats human,first";
    assert_eq!(ran(land, "L at 1 0 e\n"), ran(land, "L at 1,0 e\n"));
    let dice = "play backgammon --seed 1 --seats human,first";
    let both = ran(dice, "13/8 6/5\n");
    assert!(both.contains("`;` between them: `13/8; 6/5`"), "{both}");
}

/// What lies somewhere is found by its name in letters, and where several of it lie.
#[test]
fn what_lies_somewhere_is_found_by_its_name() {
    at_terminal(
        "found_by_its_name",
        (80, 24),
        "play channel_tunnel --seed 21 --seats human,first",
        "p_found.jsonl",
        "look white\nlook Black\nlook space 1\nquit\n",
    );
    at_terminal(
        "found_in_a_hand",
        (80, 24),
        "play tunnels --seed 21 --seats human,first",
        "p_found_hand.jsonl",
        "look 8h\nlook 8♥\nlook zz\nquit\n",
    );
    at_terminal(
        "found_part_by_part",
        (80, 24),
        "play carcassonne_tunnel --seed 21 --seats human,first",
        "p_found_parts.jsonl",
        "look drawn\nlook 0,0\nquit\n",
    );
}

/// What the game is won by changes nowhere without a line that says by which choice.
#[test]
fn what_a_game_is_won_by_is_told_in_the_frame() {
    let path = fresh("p_won_by.jsonl");
    let line = "play channel_tunnel --with agenda --seed 21 --seats human,first --color never";
    let line = format!("{line} --journal {}", path.display());
    let ran = adit_at(
        (80, 24),
        &line,
        &("list\n1.\n".repeat(12) + "score\nquit\n"),
    );
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    let (before, score) = ran.out.rsplit_once("total: ").expect("a score");
    let told: Vec<&str> = score
        .lines()
        .filter_map(|it| it.split_once(" · ").map(|it| it.1))
        .collect();
    assert!(!told.is_empty(), "{score}");
    for told in told.iter().filter(|it| it.contains(" total ")) {
        assert!(before.contains(told), "{told} stands in no frame");
    }
}

/// What does not go on one screen is told page by page.
#[test]
fn help_stands_on_pages() {
    at_terminal(
        "help_on_pages",
        (60, 24),
        "play tunnels --seed 21 --seats human,first",
        "p_help.jsonl",
        "help\nhelp 2\nrules\nquit\n",
    );
    let path = fresh("p_help_plain.jsonl").display().to_string();
    let line = format!("play tunnels --plain --seed 21 --seats human,first --journal {path}");
    let ran = adit_at((60, 24), &line, "help\nquit\n");
    let (_, help) = ran.out.split_once("type a move as it is").unwrap();
    let (help, _) = help.split_once("south> ").unwrap();
    let long = help.lines().find(|it| it.chars().count() > 60);
    assert_eq!(long, None, "{help}");
}

/// Whoever asks for a game by a word of its title is told what it is called.
#[test]
fn a_game_is_found_by_a_word_of_its_title() {
    let ran = adit("play poker");
    assert_eq!(ran.exit, Exit::Failure, "{}", ran.out);
    assert!(
        ran.err.contains("did you mean `kuhn` or `leduc`?"),
        "{}",
        ran.err
    );
}

/// Where several choose at the same time, nobody has chosen since, before anybody has.
#[test]
fn who_has_not_chosen_takes_nothing_back() {
    let path = fresh("p_none.jsonl").display().to_string();
    let command = format!(
        "play tests/fixtures/complete/hearts.rules --seed 3 --seats human,human,random,random --journal {path}"
    );
    let ran = adit_with(&command, "undo east\nquit\n");
    ran.says(Exit::Yes, "there is no choice to take back");
    // Of several rivals it is told whom a seat is compared with.
    let _ = fs::remove_file(&path);
    let ran = adit_with(&command, "hint\nquit\n");
    ran.says(Exit::Yes, "the best of the others (");
}

/// A letter is typed without its marks, and what has been begun is kept where nothing goes on from it.
#[test]
fn accents_need_no_key_and_what_was_begun_is_kept() {
    let path = fresh("p_marks.jsonl").display().to_string();
    let command = format!(
        "play tests/fixtures/asking/lying.rules --seed 1 --seats human,human --journal {path}"
    );
    adit_with(&command, "buy cafe\nquit\n").says(Exit::Yes, "bert: buy café");
    let _ = fs::remove_file(&path);
    let path = fresh("p_kept.jsonl").display().to_string();
    let command = format!("play carcassonne_tunnel --seed 21 --seats human,first --journal {path}");
    let ran = adit_with(&command, "0,1\nnonsense\nquit\n");
    ran.says(Exit::Yes, "an empty line forgets `0,1`");
    let _ = fs::remove_file(&path);
    let ran = adit_with(&command, "0,1\n0,-1\nquit\n");
    let told = "`0,-1` does not go with `0,1`, which is forgotten";
    ran.says(Exit::Yes, told);
    ran.says(Exit::Yes, "player1 0,-1 …>");
}

const MARKET: &str = "play tests/fixtures/asking/market.rules --seed 1 --seats human,human";

/// Words that can stand in one place are parted; who copies such a line is asked which is meant, and a number stands for so many.
#[test]
fn words_in_one_place_are_parted_and_can_be_typed() {
    let market = |typed: &str| {
        let path = fresh("p_market.jsonl").display().to_string();
        adit_with(&format!("{MARKET} --journal {path}"), typed)
    };
    let line = "sell two grain, wood, wool for a point";
    let ran = market(&format!("{line}\nwool\nquit\n"));
    ran.says(Exit::Yes, &format!("which of these?\n  {line}\n"));
    ran.says(Exit::Yes, "anna: sell two wool for a point\n");
    let ran = market("sell two wood, wool for a point\nquit\n");
    ran.says(
        Exit::Yes,
        "which of these?\n  sell two wood, wool for a point\n",
    );
    assert!(!ran.out.contains("anna: sell"), "{}", ran.out);
    for typed in ["pay 2 wood", "pay 2x wood", "2 wood"] {
        market(&format!("{typed}\nquit\n")).says(Exit::Yes, "anna: pay wood and wood\n");
    }
}

/// What has no label stands on the table under its name in words, and is found by its name in the rulebook too.
#[test]
fn a_name_on_the_table_has_no_underscores() {
    let path = fresh("p_names.jsonl").display().to_string();
    let typed = "put wool down\nboard put_down\nrules send\nquit\n";
    let ran = adit_with(&format!("{MARKET} --journal {path}"), typed);
    for name in ["put_down", "at_", "to_"] {
        assert!(!ran.out.contains(name), "{}", ran.out);
    }
    ran.says(Exit::Yes, "bert> put down  wool\n");
    for line in [
        "choose w in Worker",
        "choose to in Yard",
        "choose n in 1 to 2",
    ] {
        ran.says(Exit::Yes, &format!("    {line}\n"));
    }
}

/// A hand that is passed on is told as it is now: what two hands have in common has changed too.
#[test]
fn a_hand_that_is_passed_on_is_told_whole() {
    let path = fresh("p_passed.jsonl").display().to_string();
    let typed = "pass the hands on\nput wood down\nquit\n";
    let ran = adit_with(&format!("{MARKET} --journal {path}"), typed);
    ran.says(Exit::Yes, " · bert hand grain, wood, wool\n");
    ran.says(Exit::Yes, "anna sees: anna hand 2 grain, 2 wood, 2 wool");
}

/// Boards of both sides stand side by side, without what is empty beside a filled one; what holds is a sign.
#[test]
fn boards_of_two_sides_stand_side_by_side() {
    let path = fresh("p_sides.jsonl").display().to_string();
    let fleet = "play tests/fixtures/minds/fleet.rules --seed 3 --seats human,random --color never";
    let typed = "1-1\n3-3\n5-5\n2-5\nquit\n";
    let ran = adit_at((80, 24), &format!("{fleet} --journal {path}"), typed);
    let (_, frame) = ran.out.rsplit_once("Fleets  ").unwrap();
    let at = |text: &str| frame.lines().position(|it| it.contains(text));
    let both = frame
        .lines()
        .find(|it| it.contains("  ships") && it.contains("  shot at"));
    assert!(both.is_some() && at("1  ■ ·").is_some(), "{frame}");
    assert_eq!(at("anna  "), Some(1), "{frame}");
    for text in ["true", "  hit\n", "more:"] {
        assert!(!frame.contains(text), "{text}: {frame}");
    }
}

/// What comes in the place of something is told with it, in one piece.
#[test]
fn a_capture_is_told_in_one_piece() {
    let path = fresh("p_capture.jsonl").display().to_string();
    let chess = format!("play chess --seed 1 --seats human,human --journal {path}");
    let ran = adit_with(&chess, "e2-e4\nd7-d5\ne4-d5\nquit\n");
    ran.says(Exit::Yes, "white: e4-d5\n    board d5 ♙ in place of ♟\n");
    let _ = fs::remove_file(&path);
    let ran = adit_with(&format!("{chess} --spoken"), "e2-e4\nd7-d5\ne4-d5\nquit\n");
    ran.says(Exit::Yes, "board d5 white pawn in place of black pawn");
}

/// Who names no more than the suit is told which clause forbids all of it.
#[test]
fn a_suit_that_is_forbidden_names_its_clause() {
    let path = fresh("p_suit.jsonl").display().to_string();
    let whist = "play whist --seed 1 --seats random,human,random,random --plain";
    let typed = "h\nhearts\nwhy not hearts\nquit\n";
    let ran = adit_with(&format!("{whist} --journal {path}"), typed);
    let told = "`play.follow` (laws W-17): east has to follow suit";
    assert_eq!(ran.out.matches(told).count(), 2, "{}", ran.out);
    ran.says(Exit::Yes, "`play.follow` forbids `7h`");
}

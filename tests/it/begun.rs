//! What the program writes for somebody to go on with is sound, lints clean, and is laid out.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use serde_json::Value;

use crate::command::{adit, keep};
use crate::fixtures::width;

fn folder() -> PathBuf {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("begun").replace("::", "_");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// It checks, lints clean, is laid out, and can be played.
#[track_caller]
fn is_fine(path: &str) {
    for command in [
        "check",
        "lint",
        "fmt --check",
        "simulate --games 3",
        "rulings",
    ] {
        let ran = adit(&format!("{command} {path}"));
        let text = fs::read_to_string(path).unwrap();
        assert_eq!(
            ran.exit,
            Exit::Yes,
            "{command}: {}{}\n{text}",
            ran.out,
            ran.err
        );
    }
}

#[test]
fn a_game_can_be_played_at_once() {
    for players in [2, 6, 7, 16] {
        let path = folder().join("my_game.rules").display().to_string();
        adit(&format!("new game my_game --players {players} -o {path}"))
            .says(Exit::Yes, "is there");
        is_fine(&path);
        adit(&format!("new game my_game -o {path}")).complains(Exit::Failure, "J0925");
    }
    let path = folder().join("my_game.rules").display().to_string();
    adit(&format!("new game my_game -o {path}")).says(Exit::Yes, "is there");
    crate::fixtures::snapshot("new", "game", &fs::read_to_string(path).unwrap());
    for name in ["My", "2x", "a-b", ""] {
        let ran = adit(&format!(
            "new game \"{name}\" -o {}",
            folder().join("x").display()
        ));
        assert_eq!(ran.exit, Exit::Failure, "{name}: {}", ran.out);
    }
    adit("new game x --title \"{a}\"").complains(Exit::Failure, "J0975");
}

#[test]
fn a_house_rule_begins_at_any_address() {
    for game in ["connect_four", "leduc"] {
        let outline = adit(&format!("--json outline {game}")).out;
        let outline: Value = serde_json::from_str(&outline).unwrap();
        let entries = outline.as_array().unwrap();
        let every = usize::try_from(width(11, 3, 1)).unwrap();
        for entry in entries.iter().step_by(every) {
            let address = entry["address"].as_str().unwrap();
            let path = folder().join("mine.rules").display().to_string();
            let ran = adit(&format!(
                "new variant mine --for {game} --edit {address} -o {path}"
            ));
            ran.says(Exit::Yes, "is there");
            is_fine(&path);
        }
    }
    let path = folder().join("mine.rules").display().to_string();
    let new = |more: &str| {
        adit(&format!(
            "new variant mine --for connect_four {more} -o {path}"
        ))
    };
    new("--edit drop.rom").complains(Exit::Failure, "did you mean `drop.room`?");
    new("--edit drop.room --title \"No full columns\"").says(Exit::Yes, "is there");
    crate::fixtures::snapshot("new", "variant", &fs::read_to_string(&path).unwrap());
    fs::remove_file(&path).unwrap();
    new("").says(Exit::Yes, "is there");
    is_fine(&path);
    // Of a game with sixty readings only those that are chosen are looked at.
    fs::remove_file(&path).unwrap();
    adit(&format!(
        "new variant mine --for tunnels --edit swap.stalemate -o {path}"
    ))
    .says(Exit::Yes, "is there");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\nreplace swap.stalemate = "), "{text}");
}

#[test]
fn a_line_that_was_kept_becomes_a_ruling_that_holds() {
    let folder = folder();
    let file = |name: &str| folder.join(name).display().to_string();
    let rule = file("beside.rules");
    fs::write(
        &rule,
        "variant beside \"Beside\" for connect_four { }\n\n\
         forbid drop(c) label beside when c == d and count box == 42 because \"the first disc goes beside the middle\" cite \"agreed\"\n",
    )
    .unwrap();
    let line = file("line.jsonl");
    adit(&format!("try {rule} --games 20 --save {line}")).says(Exit::Yes, "saved");
    let command = format!("new ruling R-beside --from {line}");
    let refused = adit(&format!("{command} --for {rule}"));
    refused.says(Exit::Yes, "expect illegal yellow: drop(c: \"d\") by beside");
    let text = fs::read_to_string(&rule).unwrap() + "\n" + &refused.out;
    fs::write(&rule, text).unwrap();
    adit(&format!("fmt {rule}")).says(Exit::Yes, "");
    is_fine(&rule);
    adit(&format!("rulings {rule} R-beside")).says(Exit::Yes, "ok   R-beside");
    adit(&command).says(Exit::Yes, "expect legal yellow: drop(c: \"d\")");
    // The id is taken, and a line of draws has no seed.
    adit(&format!("{command} --for {rule}")).complains(Exit::Failure, "E0");
    let drawn = file("drawn.jsonl");
    adit(&format!("simulate tunnels --games 1 --save {drawn}")).says(Exit::Yes, "");
    adit(&format!("new ruling R-x --from {drawn}")).complains(Exit::Failure, "J0975");
    keep("new", "help", "new ruling --help");
}

/// A part of a tile has no sign: it is called by its spot and its slot.
#[test]
fn a_ruling_names_parts_of_what_lies_on_a_plane() {
    let folder = folder();
    let file = |name: &str| folder.join(name).display().to_string();
    let rule = file("no_roads_first.rules");
    let text = "variant no_roads_first \"No roads first\" for carcassonne { }\n\n\
         forbid place_follower(p) label early when kind[p.slot] == road because \"roads are closed\"\n";
    fs::write(&rule, text).unwrap();
    let line = file("road.jsonl");
    adit(&format!("try {rule} --games 20 --save {line}")).says(Exit::Yes, "saved");
    let written = adit(&format!("new ruling R-road --from {line} --for {rule}"));
    written.says(Exit::Yes, "place_follower(p: Part(Spot(");
    written.says(Exit::Yes, "), road1)) by early");
    fs::write(&rule, format!("{text}\n{}", written.out)).unwrap();
    adit(&format!("rulings {rule} R-road")).says(Exit::Yes, "ok   R-road");
}

/// Where hidden cards decide, only a seed that deals them so that the move is judged as it was will do.
#[test]
fn a_ruling_says_what_happened_in_the_line() {
    let folder = folder();
    let file = |name: &str| folder.join(name).display().to_string();
    let rule = file("no_bluff.rules");
    let text = "variant no_bluff \"No bluff\" for kuhn { }\n\n\
         forbid bet() label jack when hand[me].rank == jack because \"a jack does not bet\"\n";
    fs::write(&rule, text).unwrap();
    let line = file("jack.jsonl");
    adit(&format!("try {rule} --games 30 --save {line}")).says(Exit::Yes, "saved");
    let written = adit(&format!("new ruling R-jack --from {line} --for {rule}"));
    written.says(Exit::Yes, "expect illegal first_player: bet by jack");
    let told = adit(&format!(
        "--json new ruling R-jack --from {line} --for {rule}"
    ));
    let told: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(told["text"].as_str(), Some(written.out.as_str()));
    // What is not offered to a seat is illegal; what no rule has any more has no word in a ruling.
    let gone = file("no_bets.rules");
    let text = "variant no_bets \"No bets\" for kuhn { }\n\nremove main.first_word.bet\n";
    fs::write(&gone, text).unwrap();
    let written = adit(&format!("new ruling R-x --from {line} --for {gone}"));
    written.says(Exit::Yes, "expect illegal first_player: bet\n");
    let text = "variant no_bets \"No bets\" for kuhn { }\n\nremove bet\n";
    fs::write(&gone, text).unwrap();
    adit(&format!("new ruling R-x --from {line} --for {gone}"))
        .complains(Exit::Failure, "nothing like `bet` is offered there");
}

/// Where another seat chooses, or the game ends otherwise, that is what the ruling says; of what a ruling cannot tell none is made.
#[test]
fn a_ruling_tells_what_is_different() {
    let folder = folder();
    let file = |name: &str| folder.join(name).display().to_string();
    let written = |name: &str, game: &str, edits: &str| {
        let (rule, line) = (
            file(&format!("{name}.rules")),
            file(&format!("{name}.jsonl")),
        );
        let text = format!("variant {name} \"{name}\" for {game} {{ }}\n\n{edits}\n");
        fs::write(&rule, &text).unwrap();
        let tried = adit(&format!("try {rule} --games 30 --save {line}"));
        assert!(tried.out.contains("saved"), "{}{}", tried.out, tried.err);
        let made = adit(&format!("new ruling R-x --from {line} --for {rule}"));
        if made.exit == Exit::Yes {
            fs::write(&rule, format!("{text}\n{}", made.out)).unwrap();
            adit(&format!("rulings {rule} R-x")).says(Exit::Yes, "ok   R-x");
        }
        made
    };
    let second = "replace main.first_word { choose second_player: check | bet }";
    let made = written("second", "kuhn", second);
    made.says(Exit::Yes, "expect illegal first_player: check\n");
    let drawn = "replace drop { let at = lowest(c)  move Disc(me) from box to board[at]  if four(at, me) { end board_full } }";
    let made = written("drawn", "connect_four", drawn);
    made.says(Exit::Yes, "expect ended by board_full\n");
    let misere = "replace ending four_in_line(s: seat) { winner next_seat(s) }";
    let made = written("misere", "connect_four", misere);
    made.says(Exit::Yes, "expect winner red\n");
    let double =
        "replace ending four_in_line(s: seat) { ranking seat by if it == s then 2 else 0 }";
    let made = written("double", "connect_four", double);
    made.complains(Exit::Failure, "what is different may be");
    // What is counted otherwise is expected.
    fs::write(folder.join("heap.rules"), crate::tried::HEAP).unwrap();
    let made = written("twice", "heap", "insert after lift { points[s] += n }");
    made.says(Exit::Yes, "expect points[");
}

//! A game is named by itself or by what amends it.

use std::fs;
use std::path::{Path, PathBuf};

use adit::cli::Exit;

use crate::command::{Ran, adit};

/// An empty folder of this test run.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn yes(command: &str) -> Ran {
    let ran = adit(command);
    assert_eq!(ran.exit, Exit::Yes, "{command}: {}{}", ran.out, ran.err);
    ran
}

/// What a game between bots writes down.
fn transcript(game: &str) -> String {
    let path = folder("naming").join("game.jsonl");
    yes(&format!(
        "play {game} --seats random,random --seed 3 --journal {}",
        path.display()
    ));
    fs::read_to_string(path).unwrap()
}

#[test]
fn an_amendment_stands_for_its_game_as_well() {
    for (short, whole) in [
        ("breather", "tunnels --with breather"),
        (
            "carcassonne_tunnel",
            "carcassonne --with carcassonne_tunnel",
        ),
        (
            "no_block",
            "carcassonne --with carcassonne_tunnel --with no_block",
        ),
        (
            "no_block --with inns",
            "carcassonne --with carcassonne_tunnel --with no_block --with inns",
        ),
        (
            "carcassonne --with no_block",
            "carcassonne --with carcassonne_tunnel --with no_block",
        ),
        (
            "no_block --with carcassonne_tunnel",
            "carcassonne --with carcassonne_tunnel --with no_block",
        ),
        ("carcassonne_inns", "carcassonne --with inns"),
        (
            "carcassonne --with tunnel",
            "carcassonne --with carcassonne_tunnel",
        ),
        ("channel_tunnel --with channel_tunnel_agenda", "agenda"),
    ] {
        let check = |words: &str| yes(&format!("check {words}")).out;
        assert_eq!(check(short), check(whole), "{short}");
    }
}

#[test]
fn a_transcript_names_all_of_them() {
    let text = transcript("breather");
    assert_eq!(text, transcript("tunnels --with breather"));
    assert!(
        text.contains("\"game\":\"tunnels\",\"amendments\":[\"breather\"]"),
        "{text}"
    );
}

#[test]
fn the_game_may_lie_beside_its_amendment() {
    let folder = folder("naming-beside");
    let game = "game coins \"Coins\" version \"1\" { seats a, b }\nflow main() { end over() }\nending over() { winner none }\n";
    let variant = |name: &str, base: &str| {
        format!("variant {name} \"More\" for {base} {{ }}\noption {name}_bet: 1..9 = 1 \"\"\n")
    };
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("coins.rules", game);
    write("more.rules", &variant("more", "coins"));
    write("much_more.rules", &variant("much_more", "more"));
    write("lost.rules", &variant("lost", "no_such_game"));
    let path = |name: &str| folder.join(name).display().to_string();
    let short = yes(&format!("settings {}", path("much_more.rules"))).out;
    let whole = yes(&format!(
        "settings {} --with {} --with {}",
        path("coins.rules"),
        path("more.rules"),
        path("much_more.rules")
    ));
    assert_eq!(short, whole.out);
    assert!(
        short.contains("more_bet") && short.contains("much_more_bet"),
        "{short}"
    );

    let ran = adit(&format!("--plain check {}", path("lost.rules")));
    ran.says(Exit::No, "[E0208]: `lost` is no game");
}

#[test]
fn an_amendment_of_another_game_brings_nothing_with_it() {
    let ran = adit("--plain check tunnels --with no_block");
    assert_eq!(ran.exit, Exit::No);
    let findings = ran.out.matches("error[").count();
    assert_eq!(findings, 1, "{}", ran.out);
    assert!(
        ran.out
            .contains("`no_block` is for `carcassonne_tunnel`, not for `tunnels`"),
        "{}",
        ran.out
    );
}

#[test]
fn the_rest_of_a_name_means_an_amendment_of_that_game_only() {
    let ran = adit("check channel_tunnel --with tunnel");
    ran.complains(Exit::Failure, "there is no amendment `tunnel`");
}

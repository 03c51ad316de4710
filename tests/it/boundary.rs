//! What crosses the edge of the program: characters, files, lines of input.

use std::fs;
use std::path::{Path, PathBuf};

use adit::cli::Exit;
use adit::source::hidden::is_hidden;

use crate::command::{Ran, adit, adit_at, adit_with};

/// Tries to empty the screen, name the window, colour, ring, turn what follows around, and speak with the
/// program's own sign for colours.
const HOSTILE: &str =
    "x\u{1b}[2J\u{1b}]0;t\u{7}\u{1b}[41m\u{9b}2J\u{202e}\u{2066}\u{200b}\u{fdd0}[41my";
/// The same as the name of a file.
const NAME: &str = "x\u{1b}[2J\u{1b}]0;t\u{7}\u{1b}[41m\u{9b}2J\u{202e}\u{2066}\u{200b}y";

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir(&path).unwrap();
    path
}

/// Whether a text steers a reader otherwise than by the colours of this program.
fn steers(text: &str) -> bool {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or("");
    let behind = parts.map(|part| {
        let codes = part.split('m').next().unwrap_or("");
        let own = codes
            .split(';')
            .all(|it| it.parse::<u8>().is_ok() && it != "41");
        if own { part } else { "\u{1b}" }
    });
    std::iter::once(first)
        .chain(behind)
        .any(|part| part.contains(is_hidden))
}

#[test]
fn what_is_no_rulebook_is_not_written_over_one() {
    let path = folder("spared").join("house.rules");
    let text = "variant house \"House\" for connect_four { }\n\nreplace ending four_in_line(s: seat) { winner next_seat(s) }\n";
    fs::write(&path, text).unwrap();
    let file = path.display().to_string();
    for line in [
        "try HOUSE --games 2 --save HOUSE",
        "doc HOUSE -o HOUSE",
        "simulate HOUSE --games 2 --csv HOUSE",
        "simulate HOUSE --games 2 --svg HOUSE",
        "lint HOUSE --write-baseline HOUSE",
        "shard plan --of 2 -o HOUSE simulate HOUSE --games 2",
    ] {
        let ran = adit(&line.replace("HOUSE", &file));
        assert!(
            ran.err.contains("is a rulebook and is left"),
            "{line}: {}",
            ran.err
        );
        assert_eq!(ran.exit, Exit::Failure, "{line}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{line}");
    }
}

#[test]
fn nothing_that_steers_a_terminal_gets_out() {
    let folder = folder("hostile");
    let at = |name: &str| folder.join(name).display().to_string();
    let book = at(&format!("{NAME}.rules"));
    let hidden = "tests/fixtures/broken/hidden_character.rules";
    fs::copy(hidden, &book).unwrap();
    let unclosed = at(&format!("unclosed{NAME}.rules"));
    fs::write(
        &unclosed,
        format!("game g \"G\" {{ seats a, b }}\n// {HOSTILE}\nflow {HOSTILE}"),
    )
    .unwrap();
    let hostile = serde_json::to_string(HOSTILE).unwrap();
    let header = |game: &str| {
        format!(
            "{{\"adit\":1,\"game\":{game},\"amendments\":[],\"settings\":{{}},\"seats\":[\"human\",\"human\"],\"seed\":1,\"rules\":{hostile},\"engine\":{hostile}}}\n"
        )
    };
    let named = at("named.jsonl");
    fs::write(&named, header(&hostile)).unwrap();
    let played = at("played.jsonl");
    adit(&format!(
        "play tests/fixtures/games/tic_tac_toe.rules --seats random,random --seed 1 --journal {played}"
    ));
    let text = fs::read_to_string(&played).unwrap();
    let edited = at("edited.jsonl");
    fs::write(
        &edited,
        text.replacen(
            "\"move\":\"",
            &format!("\"move\":\"{}", hostile.trim_matches('"')),
            1,
        ),
    )
    .unwrap();
    let raw = at("raw.jsonl");
    fs::write(
        &raw,
        format!(
            "{}{HOSTILE}\n",
            text.lines().next().unwrap().to_owned() + "\n"
        ),
    )
    .unwrap();
    let commands = [
        format!("check {book}"),
        format!("check {unclosed}"),
        format!("check {hidden}"),
        format!("lint {book}"),
        format!("fmt {book}"),
        format!("legal {HOSTILE}"),
        format!("legal {HOSTILE}.rules"),
        format!("legal tunnels --with {HOSTILE}"),
        format!("legal tunnels --set {HOSTILE}=1"),
        format!("legal tunnels --moves {HOSTILE}"),
        format!("legal tunnels --ruling {HOSTILE}"),
        format!("legal tunnels --{HOSTILE}"),
        format!("why tunnels {HOSTILE}"),
        format!("explain {HOSTILE}"),
        HOSTILE.to_owned(),
        format!("play tunnels --seats {HOSTILE}"),
        format!("show tunnels --svg {}", at(&format!("{NAME}.svg"))),
        format!("show tunnels --seat {HOSTILE}"),
        format!("replay {named}"),
        format!("replay {edited}"),
        format!("replay {raw}"),
        format!("replay {HOSTILE}"),
        format!("study carcassonne_tunnel {HOSTILE}"),
        format!(
            "play tests/fixtures/games/tic_tac_toe.rules --seats human,first --seed 1 --journal {}",
            at(&format!("{NAME}.jsonl"))
        ),
    ];
    let typed = format!(
        "{HOSTILE}\n:{HOSTILE}\nwhy {HOSTILE}\nb2;{HOSTILE};c3\nsave {}\nsave /{HOSTILE}/\n",
        at(&format!("{NAME}.saved"))
    );
    for look in ["", "--plain ", "--color always ", "--json "] {
        for command in &commands {
            for terminal in [false, true] {
                let line = format!("{look}{command}");
                let _ = fs::remove_file(at(&format!("{NAME}.jsonl")));
                let _ = fs::remove_file(at(&format!("{NAME}.saved")));
                let ran = match terminal {
                    true => adit_at((80, 24), &line, &typed),
                    false => adit_with(&line, &typed),
                };
                let Ran { out, err, .. } = &ran;
                assert!(!steers(out) && !steers(err), "{line:?}\n{out:?}\n{err:?}");
                assert!(look.contains("always") || terminal || !out.contains('\u{1b}'));
            }
        }
    }
}

#[test]
fn a_message_is_no_second_line_of_an_answer() {
    let ran = adit("--plain why tunnels \"x\nillegal: y\"");
    assert!(
        !format!("{}{}", ran.out, ran.err).contains("\nillegal"),
        "{}{}",
        ran.out,
        ran.err
    );
}

/// A rulebook that `fmt` changes.
const LOOSE: &str =
    "game g \"G\"   { seats a, b }\nflow main() { end over() }\nending over() { winner none }\n";

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_its_links() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = folder("replaced");
    let at = |name: &str| folder.join(name);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for command in ["fmt", "lint --fix"] {
        let loose = match command {
            "fmt" => String::from(LOOSE),
            _ => LOOSE.replace("end over()", "if (1 == 1) { end over() }"),
        };
        for name in ["own.rules", "linked_to.rules"] {
            fs::write(at(name), &loose).unwrap();
            fs::set_permissions(at(name), fs::Permissions::from_mode(0o640)).unwrap();
        }
        for name in ["link.rules", "other_name.rules"] {
            let _ = fs::remove_file(at(name));
        }
        symlink("linked_to.rules", at("link.rules")).unwrap();
        fs::hard_link(at("own.rules"), at("other_name.rules")).unwrap();
        fs::write(at("own.rules.tmp"), "precious").unwrap();
        for name in ["own.rules", "link.rules"] {
            adit(&format!("{command} {}", at(name).display()));
            assert_ne!(
                fs::read_to_string(at(name)).unwrap(),
                loose,
                "{command} {name}"
            );
            assert_eq!(mode(&at(name)), 0o640, "{command} {name}");
        }
        assert!(at("link.rules").is_symlink());
        assert_eq!(fs::metadata(at("own.rules")).unwrap().nlink(), 2);
        assert_eq!(fs::read_to_string(at("own.rules.tmp")).unwrap(), "precious");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 5);
    }
    fs::write(at("own.rules"), LOOSE).unwrap();
    fs::set_permissions(at("own.rules"), fs::Permissions::from_mode(0o440)).unwrap();
    let ran = adit(&format!("fmt {}", at("own.rules").display()));
    ran.complains(Exit::Failure, "read-only");
    assert_eq!(fs::read_to_string(at("own.rules")).unwrap(), LOOSE);
}

#[test]
fn every_game_that_is_kept_can_be_read_again() {
    let folder = folder("kept");
    let mut books = Vec::new();
    for of in ["alike", "games", "fragments", "faults"] {
        let there = fs::read_dir(Path::new("tests/fixtures").join(of)).unwrap();
        books.extend(there.map(|entry| entry.unwrap().path()));
    }
    let mut n_replayed = 0;
    for book in books {
        for seed in 1..4 {
            let name = book.file_stem().unwrap().to_str().unwrap();
            let journal = folder.join(format!("{name}-{seed}.jsonl"));
            let journal = journal.display();
            let game = book.display();
            // Some have only a beginning.
            let ran = adit(&format!(
                "play {game} --seed {seed} --journal {journal} --seats random,random"
            ));
            if ran.exit != Exit::Yes {
                continue;
            }
            let again = adit(&format!("replay {journal}"));
            assert_eq!(
                again.exit,
                Exit::Yes,
                "{game} {seed}: {}{}",
                again.out,
                again.err
            );
            n_replayed += 1;
        }
    }
    assert!(n_replayed >= 20, "{n_replayed}");
}

#[test]
fn moves_that_print_alike_have_names_of_their_own() {
    let mut shown = String::new();
    for game in ["parameters", "options", "cards"] {
        let book = format!("tests/fixtures/alike/{game}.rules");
        let legal = adit(&format!("--json legal {book} --seed 1"));
        let legal: serde_json::Value = serde_json::from_str(&legal.out).unwrap();
        for name in legal["moves"].as_array().unwrap() {
            let name = name.as_str().unwrap();
            let ran = adit_with(&format!("run --emit {book} - --seed 1"), name.trim());
            let line = ran.out.lines().rfind(|it| it.contains("\"move\"")).unwrap();
            let written = serde_json::to_string(name).unwrap();
            assert!(
                line.contains(&format!("\"move\":{written}")),
                "{name}: {line}"
            );
            shown.push_str(&format!("{game}: {name}\n"));
        }
    }
    let expected = [
        "parameters: wait (k 1)",
        "parameters: wait #2",
        "parameters: wait (k 2)",
        "options: go ##1",
        "options: Go #2",
        "options:  go  #3",
        "options: go #1",
        "options: go ##3",
        "cards: lay red #1",
        "cards: lay red #2",
        "cards: lay blue",
    ];
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_line_of_play_over_cards_that_print_alike_is_kept_and_read() {
    let path = folder("alike").join("line.jsonl");
    let ran = adit(&format!(
        "study tests/fixtures/alike/cards.rules red-first --save {}",
        path.display()
    ));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    let again = adit(&format!("replay {}", path.display()));
    assert_eq!(again.exit, Exit::Yes, "{}{}", again.out, again.err);
}

#[test]
fn what_a_seat_sees_of_a_move_tells_nothing_that_its_text_leaves_out() {
    let path = folder("unsaid").join("game.jsonl");
    let path = path.display();
    adit(&format!(
        "play tests/fixtures/alike/parameters.rules --seats random,random --seed 2 --journal {path}"
    ));
    let seen = adit(&format!("replay --as bert {path}")).out;
    let of = |seat: &str| {
        seen.lines()
            .filter(|it| it.contains(&format!("\"seat\":\"{seat}\"")))
            .collect::<String>()
    };
    assert!(of("bert").contains("(k "), "{seen}");
    assert!(
        !of("anna").contains("(k 1)") && of("anna").contains("\"wait\""),
        "{seen}"
    );
}

#[test]
fn with_json_the_output_is_json_and_a_person_is_spoken_to_beside_it() {
    let path = folder("beside").join("game.jsonl");
    let line = format!(
        "--json play tests/fixtures/games/tic_tac_toe.rules --seats human,first --seed 1 --journal {}",
        path.display()
    );
    let ran = adit_with(&line, "b2\n");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect(&ran.out);
    assert_eq!(json["finished"], false);
    assert!(
        ran.err.contains("x> ") && ran.err.contains("x: b2"),
        "{}",
        ran.err
    );
}

#[test]
fn a_game_can_be_played_where_nothing_can_be_kept() {
    let tic = "play tests/fixtures/games/tic_tac_toe.rules --seats human,first --seed 1";
    for (line, home) in [
        (format!("{tic} --journal /dev/null"), true),
        (String::from(tic), false),
    ] {
        let ran = match home {
            true => adit_with(&line, "b2\nquit\n"),
            false => crate::command::adit_without_home(&line, "b2\nquit\n"),
        };
        assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
        assert_eq!(ran.out.matches("not kept").count(), 2, "{}", ran.out);
        assert!(!ran.out.contains("resume"), "{}", ran.out);
    }
    assert!(!Path::new("adit").exists());
}

#[test]
fn a_journal_is_resumed_from_wherever_it_lies() {
    let folder = folder("elsewhere");
    let inner = folder.join("inner");
    fs::create_dir(&inner).unwrap();
    let book = folder.join("ttt.rules");
    fs::copy("tests/fixtures/games/tic_tac_toe.rules", &book).unwrap();
    let header = |journal: &Path| {
        fs::read_to_string(journal)
            .unwrap()
            .lines()
            .next()
            .unwrap()
            .to_owned()
    };
    for journal in [folder.join("beside.jsonl"), inner.join("apart.jsonl")] {
        let line = format!(
            "play {} --seats human,first --seed 1 --journal {}",
            book.display(),
            journal.display()
        );
        adit_with(&line, "b2\nquit\n");
        let ran = adit_with(&format!("resume {}", journal.display()), "quit\n");
        assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    }
    assert!(header(&folder.join("beside.jsonl")).contains("\"game\":\"ttt.rules\""));
    // Both have been moved.
    fs::rename(&book, inner.join("ttt.rules")).unwrap();
    let ran = adit_with(
        &format!("resume {}", inner.join("apart.jsonl").display()),
        "quit\n",
    );
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
}

#[test]
fn a_transcript_opens_rulebooks_and_nothing_else() {
    let folder = folder("wants");
    let (secret, posing) = (folder.join("secret.txt"), folder.join("posing.rules"));
    for path in [&secret, &posing] {
        fs::write(path, "the password is swordfish\n").unwrap();
    }
    let absent = folder.join("absent.rules");
    for (path, why) in [
        (&secret, "name of no rulebook"),
        (&posing, "is no rulebook"),
        (&absent, "no such file"),
    ] {
        for amendments in [false, true] {
            let path = format!("\"{}\"", path.display());
            let (game, more) = if amendments {
                ("\"tunnels\"", path.as_str())
            } else {
                (path.as_str(), "")
            };
            let header = format!(
                "{{\"adit\":1,\"game\":{game},\"amendments\":[{more}],\"settings\":{{}},\"seats\":[\"human\",\"human\"],\"seed\":1,\"rules\":\"0\",\"engine\":\"0\"}}\n"
            );
            let transcript = folder.join("t.jsonl");
            fs::write(&transcript, header).unwrap();
            for command in ["replay", "resume"] {
                let ran = adit(&format!("{command} {}", transcript.display()));
                ran.complains(Exit::Failure, "J0950");
                let words: Vec<&str> = ran.err.split_whitespace().filter(|it| *it != "│").collect();
                assert!(words.join(" ").contains(why), "{}", ran.err);
                assert!(!ran.err.contains("swordfish"), "{}", ran.err);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn nothing_is_waited_for_that_may_never_come() {
    let folder = folder("pipes");
    let pipe = folder.join("pipe.rules");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|it| it.success()));
    for command in ["check", "replay", "fmt", "run tunnels", "resume"] {
        let ran = adit(&format!("{command} {}", pipe.display()));
        ran.complains(Exit::Failure, "no regular file");
    }
}

#[test]
fn a_line_without_end_is_refused() {
    let ran = adit_with(
        "play tests/fixtures/games/tic_tac_toe.rules --seats human,first --seed 1 --journal /dev/null",
        &"x".repeat(100_000),
    );
    ran.complains(Exit::Failure, "65536 bytes");
}

/// A person who does something to the files while playing.
#[cfg(unix)]
#[test]
fn a_journal_that_is_deleted_is_made_again() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let journal = folder("deleted").join("game.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_adit"))
        .args([
            "play",
            "tests/fixtures/games/tic_tac_toe.rules",
            "--seats",
            "human,first",
            "--seed",
            "1",
            "--journal",
        ])
        .arg(&journal)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typed = child.stdin.take().unwrap();
    let mut shown = BufReader::new(child.stdout.take().unwrap()).lines();
    typed.write_all(b"b2\n").unwrap();
    let moved = shown
        .by_ref()
        .any(|line| line.unwrap().contains("x> x: b2"));
    assert!(moved);
    fs::remove_file(&journal).unwrap();
    typed.write_all(b"c3\nquit\n").unwrap();
    drop(typed);
    shown.for_each(drop);
    assert!(child.wait().unwrap().success());
    let text = fs::read_to_string(&journal).unwrap();
    assert!(text.contains("\"b2\"") && text.contains("\"c3\""), "{text}");
}

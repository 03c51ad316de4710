//! A rulebook in several files is the rulebook in one file.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;

use crate::command::{Ran, adit};

const HEAP: &str = include_str!("../fixtures/questions/heap.rules");

/// A folder of files.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str, files: &[(&str, &str)]) -> Folder {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("parts_{test}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
        Folder(folder)
    }

    /// Runs a command; `@name` is a file of the folder.
    fn adit(&self, line: &str) -> Ran {
        adit(&line.replace('@', &format!("{}/", self.0.display())))
    }
}

/// What the rules say, what their questions, and the disputed cases.
fn split() -> [String; 3] {
    let questions = HEAP.find("\nquestion ").unwrap() + 1;
    let rulings = HEAP.find("\nruling ").unwrap() + 1;
    let part = |title: &str, text: &str| format!("part \"{title}\" of heap\n\n{text}");
    [
        HEAP[..questions].to_owned(),
        part("Questions", &HEAP[questions..rulings]),
        part("Disputed cases", &HEAP[rulings..]),
    ]
}

fn in_parts(test: &str) -> Folder {
    let [main, readings, rulings] = split();
    let files = [
        ("heap.rules", main.as_str()),
        ("heap.readings.rules", &readings),
        ("heap.rulings.rules", &rulings),
        // As long a name as the other, for long lines are broken by it.
        ("pile.rules", HEAP),
        (
            "heap.house.rules",
            "variant more \"More\" for heap { }\nset size = large\n",
        ),
    ];
    Folder::new(test, &files)
}

#[test]
fn parts_are_read_along() {
    let folder = in_parts("along");
    for line in [
        "check @FILE",
        "settings @FILE --edits",
        "rulings @FILE",
        "rulings @FILE --matrix",
        "sources @FILE",
        "lint @FILE",
        "explain @FILE lift --set passing=allowed",
        "play @FILE --seed 3 --seats random,random --set passing=allowed --journal @FILE.jsonl",
        "check @FILE --with @heap.house.rules",
    ] {
        let [whole, parts] = ["pile", "heap"].map(|name| {
            let ran = folder.adit(&line.replace("FILE", &format!("{name}.rules")));
            let said = ran.out + &ran.err;
            (said.replace("/pile.", "/heap."), ran.exit)
        });
        // Only the places of lines differ.
        let words = |said: &str| {
            said.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        if line.starts_with("check") || line.starts_with("rulings") || line.starts_with("play") {
            assert_eq!(parts.0, whole.0, "{line}");
        }
        assert_eq!(
            words(&parts.0).len(),
            words(&whole.0).len(),
            "{line}: {}",
            parts.0
        );
        assert_eq!(parts.1, whole.1, "{line}: {}", parts.0);
    }
}

#[test]
fn a_part_stands_for_its_rulebook() {
    let folder = in_parts("stands");
    let whole = folder.adit("check @heap.rules");
    whole.says(Exit::Yes, "A heap: 0 errors");
    for part in ["@heap.readings.rules", "@heap.rulings.rules"] {
        let ran = folder.adit(&format!("check {part}"));
        assert_eq!(ran.out, whole.out, "{part}: {}", ran.err);
        // Named on top of it, it is there once.
        let ran = folder.adit(&format!("check @heap.rules --with {part}"));
        assert_eq!(ran.out, whole.out, "{part}: {}", ran.err);
    }
    // A part of what comes with the program may lie anywhere.
    let more =
        "part \"More cases\" of tic_tac_toe\n\nruling R-more \"More\" { expect count seat == 2 }\n";
    fs::write(folder.0.join("more.rules"), more).unwrap();
    folder
        .adit("rulings @more.rules R-more")
        .says(Exit::Yes, "1 ruling: 1 hold,");
}

#[test]
fn what_is_wrong_in_a_part_is_said_there() {
    let folder = in_parts("wrong");
    let path = folder.0.join("heap.readings.rules");
    let text = fs::read_to_string(&path).unwrap();
    let tell = |wrong: String| {
        fs::write(&path, wrong).unwrap();
        let ran = folder.adit("--plain check @heap.rules");
        assert_eq!(ran.exit, Exit::No, "{}", ran.out);
        ran.out
    };
    let said = tell(text.replace("replace copies = 5", "replace copis = 5"));
    assert!(
        said.contains("heap.readings.rules:") && said.contains("E0210"),
        "{said}"
    );
    let said = tell(text.replace(
        "question size",
        "game more \"More\" { seats a, b }\nquestion size",
    ));
    assert!(
        said.contains("heap.readings.rules:") && said.contains("E0108"),
        "{said}"
    );
    let said = tell(text.replace("of heap\n", "of\n"));
    assert!(
        said.contains("heap.readings.rules:") && said.contains("E0101"),
        "{said}"
    );
    let said = tell(text.replace("Questions", "Disputed cases"));
    assert!(
        said.contains("heap.rulings.rules:") && said.contains("E0234"),
        "{said}"
    );
    let said = tell(text.replace("of heap\n", "of heaps\n"));
    assert!(
        said.contains("heap.readings.rules:") && said.contains("E0233"),
        "{said}"
    );
    assert!(said.contains("did you mean `heap`?"), "{said}");
}

#[test]
fn a_part_is_laid_out_and_mended() {
    let folder = in_parts("mended");
    let path = folder.0.join("heap.rulings.rules");
    let text = "part  \"Disputed cases\"   of heap   cite book H-2\n// Kept.\ndefine few: bool cite book H-1 = (count heap < 3)\n\
                invariant fine: not few or count heap < 5 cite book H-1\n";
    fs::write(&path, text).unwrap();
    folder
        .adit("fmt @heap.rulings.rules")
        .says(Exit::Yes, "changed");
    let laid_out = fs::read_to_string(&path).unwrap();
    assert!(
        laid_out.starts_with("part \"Disputed cases\" of heap cite book H-2\n// Kept.\n"),
        "{laid_out}"
    );
    folder
        .adit("lint @heap.rules")
        .says(Exit::No, "heap.rulings.rules");
    folder
        .adit("lint @heap.rules --fix")
        .says(Exit::Yes, "mended");
    let mended = fs::read_to_string(&path).unwrap();
    assert_eq!(
        mended,
        laid_out.replace("(count heap < 3)", "count heap < 3")
    );
}

#[test]
fn a_game_of_parts_is_played_again() {
    let folder = in_parts("again");
    let line =
        "play @heap.rules --seed 3 --seats random,random --journal @game.jsonl --set size=large";
    assert_eq!(folder.adit(line).exit, Exit::Yes);
    folder.adit("replay @game.jsonl").says(Exit::Yes, "");
}

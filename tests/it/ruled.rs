//! One ruling looked at closely.

use std::fs;

use adit::cli::Exit;

use crate::command::adit;

/// A game with a question about the middle, and a ruling about it.
pub fn middle() -> String {
    let game = include_str!("../../rules/classics/tic_tac_toe.rules");
    game.replace("game tic_tac_toe", "game noughts")
        + r#"
question middle "May the middle be taken?" cite "it was agreed" {
    yes "It may." default
    no "It may not." {
        forbid place(c) label not_middle when c == Square(b, 2) because "not in the middle"
    }
}

ruling R-middle "Whether the middle may be taken" cite "it was agreed" answers middle {
    expect legal x: place(at: "b2")
    expect illegal x: place(at: "b2") by not_middle under middle = no
}
ruling R-twice "No square is taken twice" {
    when x: place(at: "a1")
    expect illegal o: place(at: "a1") by free
}
"#
}

#[test]
fn a_ruling_says_why_and_which_reading_turns_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noughts.rules");
    fs::write(&path, middle()).unwrap();
    let path = path.to_str().unwrap();
    let why = adit(&format!("rulings {path} R-twice --why"));
    why.says(
        Exit::Yes,
        "holds expect illegal o: place(at: \"a1\") by free",
    );
    why.says(Exit::Yes, "refused by place.free [custom N-4]");
    let flips = adit(&format!("rulings {path} R-middle --flips"));
    flips.says(Exit::Yes, "under middle = no: holds");
    flips.says(Exit::Yes, "the same under 0 other readings");
    // What no reading turns is a no.
    let flips = adit(&format!("rulings {path} R-twice --flips"));
    flips.says(Exit::No, "the same under 1 other reading");
    adit(&format!("rulings {path} R-nothing --flips")).complains(Exit::Failure, "R-nothing");
    let told = adit(&format!("--json rulings {path} R-twice --why"));
    let told: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(told[0]["why"][0]["refused_by"][0]["clause"], "place.free");
    let told = adit(&format!("--json rulings {path} R-middle --flips"));
    let told: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(told["otherwise"][0]["reading"], "middle = no");
}

/// What fails alike whatever is chosen is no reading's doing.
#[test]
fn a_ruling_that_fails_everywhere_is_turned_by_no_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noughts.rules");
    let more = "question other \"Another?\" cite \"it was agreed\" { one \"One.\" default  two \"Two.\" { define spare: bool = true } }
ruling R-wrong \"Taken\" { when x: place(at: \"a1\")  expect legal o: place(at: \"a1\") }
";
    fs::write(&path, middle() + more).unwrap();
    let path = path.to_str().unwrap();
    let flips = adit(&format!("--plain rulings {path} R-wrong --flips"));
    flips.says(Exit::No, "the same under all 2 other readings");
    assert!(!flips.out.contains("under middle"), "{}", flips.out);
    let fails = flips.out.matches("expect legal o: place").count();
    assert_eq!(fails, 1, "{}", flips.out);
}

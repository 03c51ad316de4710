//! A verdict never covers what was not looked at: rulings, studies, random games, replays and `why`.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;

use crate::command::{Ran, adit};

/// A folder of this test with some rulebooks.
struct Books(PathBuf);

impl Books {
    fn new(test: &str, books: &[(&str, &str)]) -> Books {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        // What an earlier run has kept stands in the way of a journal.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in books {
            fs::write(folder.join(name), text).unwrap();
        }
        Books(folder)
    }

    /// Runs a command; `@name` is a file of the folder.
    fn adit(&self, line: &str) -> Ran {
        adit(&line.replace('@', &format!("{}/", self.0.display())))
    }

    /// The same, where it must end with `exit`.
    fn ends(&self, exit: Exit, line: &str) -> Ran {
        let ran = self.adit(line);
        assert_eq!(ran.exit, exit, "{line}: {}{}", ran.out, ran.err);
        ran
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

const COINS: &str = r#"
game coins "Coins" { seats 2..3, player }
question worth "What is a coin worth?" { one "one" default  two "two" { replace value = n + n } }
option chest: 1..9 = 5 "coins in the bank"
enum Kind { gold, silver }
track bank: 0..9 = chest
track purse[seat]: 0..9 = 0
define value(n: 0..9): 0..18 = n
event earn(s: seat) { purse[s] += 1  bank -= 1 }
action take() "take" { require some_left: bank > 0 else "the bank is empty" do { earn(me) } }
flow main() { turns me from player1 { step draw { } choose me: take otherwise { end over() } } }
ending over() { ranking seat by purse[it] }
ruling R-usual "A coin is worth one" {
    when player1: take
    expect value(purse[player1]) == 1
    expect value(purse[player1]) == 2 under worth = two
}
ruling R-two "Only of the other reading" { expect value(3) == 6 under worth = two }
ruling R-three "Three may play" { given { from seed 1 players 3 } expect purse[player3] == 0 }
study S-three "Three" { given { from seed 1 players 3 } find bank == 0 within 9 plies }
"#;

const BELLS: &str = r#"variant bells "Bells" for coins { }
track bells: 0..9 = 0
insert before main.draw { if bells < 9 { bells += 1 } }
ruling B "A bell rings" { expect bells == 1 expect bells == 7 under worth = two }
"#;

const HORNS: &str = "variant horns \"Horns\" for coins { }\ntrack horns: 0..9 = 0\n";

#[test]
fn what_a_ruling_says_of_a_reading_is_looked_at_whatever_is_asked_for() {
    let books = Books::new(
        "under",
        &[
            ("coins.rules", COINS),
            ("bells.rules", BELLS),
            ("horns.rules", HORNS),
        ],
    );
    let wrong = COINS.replace("== 2 under worth", "== 3 under worth");
    fs::write(books.0.join("wrong.rules"), wrong).unwrap();
    for with in ["", " --players 2"] {
        let ran = books.ends(Exit::No, &format!("--plain rulings @wrong.rules{with}"));
        assert!(ran.out.contains("FAIL R-usual"), "{with}: {}", ran.out);
        assert!(ran.out.contains("value(purse[player1]) = 2"), "{}", ran.out);
    }
    // It was not written for these rules, but it is no `ok`.
    for with in [" --set chest=4", " --with @horns.rules"] {
        let ran = books.adit(&format!("--plain rulings @wrong.rules{with} R-usual"));
        assert!(ran.out.starts_with("~    R-usual"), "{with}: {}", ran.out);
    }
    // An amendment's own rulings are at home with it.
    let ran = books.ends(Exit::No, "--plain rulings @coins.rules --with @bells.rules");
    assert!(ran.out.contains("FAIL B"), "{}", ran.out);
}

#[test]
fn what_was_not_looked_at_is_told_and_counted() {
    let books = Books::new("silent", &[("coins.rules", COINS)]);
    let ran = books.ends(Exit::Yes, "--plain rulings @coins.rules");
    assert!(
        ran.out.ends_with("3 rulings: 3 hold, 0 fail\n"),
        "{}",
        ran.out
    );
    let ran = books.ends(
        Exit::Yes,
        "--plain rulings @coins.rules --players 2 --set worth=one",
    );
    assert!(ran.out.contains("-    R-three"), "{}", ran.out);
    assert!(
        ran.out.contains("not looked at: it is for 3 players"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("-    R-two"), "{}", ran.out);
    assert!(
        ran.out
            .contains("not looked at: what it says under worth = two"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .ends_with("1 hold, 0 fail, 2 not looked at, 1 only in part\n"),
        "{}",
        ran.out
    );
    let json = books.adit("--json rulings @coins.rules --players 2");
    assert!(json.out.contains("\"silent\""), "{}", json.out);
    books.ends(Exit::No, "--plain rulings @coins.rules --players 2 R-three");
    let study = books.ends(Exit::No, "--plain study @coins.rules --players 2");
    assert!(
        study.out.contains("not looked at: it is for 3 players"),
        "{}",
        study.out
    );
}

#[test]
fn a_resolution_is_at_home_where_both_are_used() {
    let both =
        "resolve bells + horns {\n    ruling BH \"Both\" { expect bells == 5 and horns == 0 }\n}\n";
    let books = Books::new(
        "resolve",
        &[
            ("coins.rules", COINS),
            ("bells.rules", BELLS),
            ("horns.rules", &format!("{HORNS}{both}")),
        ],
    );
    let ran = books.ends(
        Exit::No,
        "--plain rulings @coins.rules --with @bells.rules --with @horns.rules BH",
    );
    assert!(ran.out.contains("FAIL BH"), "{}", ran.out);
}

#[test]
fn a_misspelt_name_does_not_vanish_behind_another_amendment() {
    let typo = "variant typo \"Typo\" for coins { }\n\
        ruling T \"Typo\" { expect bank == 5 and gould == gold }\n\
        study U \"Typo\" { find silwer == gold within 2 plies }\n";
    let gone = "variant gone \"Gone\" for coins { }\nremove take.some_left\n";
    let fine = "variant fine \"Fine\" for coins { }\n\
        ruling F \"By its clause\" { expect illegal player2: take by some_left }\n";
    let books = Books::new(
        "typo",
        &[
            ("coins.rules", COINS),
            ("typo.rules", typo),
            ("horns.rules", HORNS),
            ("gone.rules", gone),
            ("fine.rules", fine),
        ],
    );
    for command in ["check", "rulings", "study"] {
        let ran = books.adit(&format!(
            "--plain {command} @coins.rules --with @typo.rules --with @horns.rules"
        ));
        assert_ne!(ran.exit, Exit::Yes, "{command}: {}", ran.out);
        let said = ran.out + &ran.err;
        assert!(
            said.contains("gould") && said.contains("silwer"),
            "{command}: {said}"
        );
    }
    // What another amendment has taken away is no slip.
    let ran = books.adit("--plain rulings @coins.rules --with @fine.rules --with @gone.rules F");
    assert!(ran.out.starts_with("-    F"), "{}{}", ran.out, ran.err);
}

/// Whoever takes the third coin breaks the rules.
const BROKEN: &str = r#"variant broken "Broken" for coins { }
track room: 0..2 = 0
insert after earn { room += 1 }
ruling K "Three coins" {
    when player1: take
    when player2: take
    when player1: take
    expect room == 3
}
"#;

/// A title that speaks of one reading is not told as if it held under another.
#[test]
fn a_verdict_names_the_reading_that_it_supposes() {
    let chosen = adit("rulings carcassonne R-small-city --set small_city=two");
    chosen.says(
        Exit::Yes,
        "not written for small_city = two; looked at: what it says under small_city = two",
    );
    let usual = adit("rulings carcassonne R-small-city");
    usual.says(Exit::Yes, "also under small_city = two");
    assert!(!usual.out.contains("not written"), "{}", usual.out);
}

#[test]
fn a_fault_is_a_failure_with_a_line_that_shows_it() {
    let books = Books::new(
        "fault",
        &[
            ("coins.rules", COINS),
            ("broken.rules", BROKEN),
            ("horns.rules", HORNS),
        ],
    );
    // Also where the ruling was not written for these rules.
    let line = "@coins.rules --with @broken.rules --with @horns.rules";
    let ran = books.ends(
        Exit::No,
        &format!("--plain rulings {line} K --save @k.jsonl"),
    );
    assert!(ran.out.contains("FAIL K"), "{}", ran.out);
    assert!(
        ran.out.contains("the rules stop with F0803 at"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("broken.rules:3:"), "{}", ran.out);
    let again = books.ends(Exit::No, "--plain replay @k.jsonl");
    assert!(again.err.contains("F0803"), "{}", again.err);
    assert!(again.err.contains("k.jsonl:4:"), "{}", again.err);
    let json = books.adit(&format!("--json rulings {line} K"));
    assert!(json.out.contains("\"transcript\""), "{}", json.out);
}

#[test]
fn what_a_rulings_own_words_cannot_do_says_nothing_against_the_rules() {
    let own = "variant own \"Own\" for coins { }\n\
        ruling O \"Too much\" { given { from seed 1 at main.draw  bank += 4 } expect bank == 9 }\n";
    let books = Books::new("own", &[("coins.rules", COINS), ("own.rules", own)]);
    books.ends(
        Exit::Yes,
        "--plain rulings @coins.rules --with @own.rules O",
    );
    // Its statement cannot be done with other money in the chest; the rules themselves go on.
    let ran = books.ends(
        Exit::Yes,
        "--plain rulings @coins.rules --with @own.rules --set chest=8 O",
    );
    assert!(ran.out.starts_with("~    O"), "{}", ran.out);
    assert!(ran.out.contains("F0803"), "{}", ran.out);
    // Under the very rules it was written for it is a failure all the same.
    let wrong = own.replace("bank += 4", "bank += 5");
    fs::write(books.0.join("own.rules"), wrong).unwrap();
    books.ends(Exit::No, "--plain rulings @coins.rules --with @own.rules O");
}

#[test]
fn random_games_that_stop_are_a_finding_and_nobody_else_is_blamed() {
    let late = COINS
        .replace("choose me: take", "choose me: take | shout")
        .replace("flow main", "action shout() \"shout\" { require late: bank == 1 else \"soon\" do { earn(me) } }\nflow main");
    let books = Books::new("games", &[("coins.rules", &late), ("broken.rules", BROKEN)]);
    let ran =
        books.adit("--plain lint @coins.rules --with @broken.rules --games 5 --save @g.jsonl");
    ran.says(Exit::No, "error[F0803]");
    assert!(
        ran.out
            .contains("5 of 5 random games stop so, the first with seed 0 at choice 3"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("L119"), "{}", ran.out);
    assert!(
        ran.out
            .contains("5 stopped with a fault; nobody could shout before that"),
        "{}",
        ran.out
    );
    let again = books.ends(Exit::No, "--plain replay @g.jsonl");
    assert!(again.err.contains("F0803"), "{}", again.err);
    let fine = books.adit("--plain lint @coins.rules --games 5");
    assert!(!fine.out.contains("L119"), "{}", fine.out);
}

#[test]
fn a_reading_that_is_off_is_no_finding() {
    let off = COINS
        .replace("choose me: take", "choose me: take | double")
        .replace(
            "flow main",
            "option twice: bool = false \"whether coins are doubled\"\n\
             define doubles(k: Kind): bool = k == gold and twice\n\
             action double() \"double\" { require on: bank > 1 and doubles(gold) else \"no\" do { earn(me) } }\nflow main",
        );
    let books = Books::new("off", &[("coins.rules", &off)]);
    let ran = books.adit("--plain lint @coins.rules --games 5");
    assert!(!ran.out.contains("L119"), "{}", ran.out);
    assert!(ran.out.contains("nobody could double"), "{}", ran.out);
}

#[test]
fn lint_tells_what_check_warns_of() {
    let warned = COINS.replace("step draw { }", "step draw { if bank > 9 { bank = 0 } }");
    let books = Books::new("warned", &[("coins.rules", &warned)]);
    for command in ["check", "lint"] {
        let ran = books.adit(&format!("--plain {command} @coins.rules"));
        assert!(ran.out.contains("warning[E0606]"), "{command}: {}", ran.out);
    }
}

#[test]
fn chance_that_nobody_vouches_for_is_told() {
    let dice = r#"game dice "Dice" { seats anna, bert }
track points[seat]: 0..99 = 0
action roll() "roll" { do { choose chance n in 1..6  points[me] += n } }
flow main() { turns me from anna once { choose me: roll } end over() }
ending over() { ranking seat by points[it] }
study six "A six" { find points[anna] == 6 within 2 plies }
"#;
    let books = Books::new("forged", &[("dice.rules", dice)]);
    books.ends(
        Exit::Yes,
        "play @dice.rules --seats random,random --seed 3 --journal @true.jsonl",
    );
    let told = books.adit("--json replay @true.jsonl");
    told.says(Exit::Yes, "\"seed\"");

    let forged =
        books
            .read("true.jsonl")
            .replacen("\"rules\"", "\"chance\":\"recorded\",\"rules\"", 1);
    fs::write(books.0.join("forged.jsonl"), forged).unwrap();
    let ran = books.ends(Exit::No, "--plain replay @forged.jsonl");
    assert!(ran.out.contains("nobody vouches for it"), "{}", ran.out);
    assert!(ran.err.contains("J0941"), "{}", ran.err);
    let json = books.adit("--json replay @forged.jsonl");
    assert!(json.out.contains("\"unvouched\""), "{}", json.out);
    let accepted = books.adit("--plain replay @forged.jsonl --trust-chance");
    assert_eq!(accepted.exit, Exit::Yes, "{}", accepted.err);

    // A line of a study has chosen its chance, and says so.
    books.ends(Exit::Yes, "study @dice.rules six --save @six.jsonl");
    let ran = books.ends(Exit::Yes, "--plain replay @six.jsonl");
    assert!(
        ran.out
            .contains("chance was chosen by the line, not by a seed"),
        "{}",
        ran.out
    );
    // Not so if it does not come to what the study looks for.
    let other = books
        .read("six.jsonl")
        .replace("\"value\":\"6\"", "\"value\":\"5\"");
    fs::write(books.0.join("five.jsonl"), other).unwrap();
    books.ends(Exit::No, "--plain replay @five.jsonl");
}

#[test]
fn a_game_is_replayed_under_other_rules_where_that_is_asked_for() {
    let books = Books::new("other", &[("coins.rules", COINS)]);
    fs::write(
        books.0.join("again.rules"),
        COINS.replace("\"the bank is empty\"", "\"nothing left\""),
    )
    .unwrap();
    books.ends(
        Exit::Yes,
        "play @coins.rules --seats random,random --seed 3 --journal @game.jsonl",
    );
    fs::write(
        books.0.join("coins.rules"),
        COINS.replace("\"take\" {", "\"grab\" {"),
    )
    .unwrap();
    assert_eq!(books.adit("replay @game.jsonl").exit, Exit::No);
    books.ends(Exit::Yes, "--plain replay @game.jsonl --game @again.rules");
}

#[test]
fn why_names_what_made_a_move_legal() {
    let guarded = r#"variant guarded "Guarded" for coins cite "the club" { }
forbid take label rich when purse[me] > 0 because "one each" cite "the club"
permit take.rich label poor when bank > 2 because "there is enough" cite "a friend"
permit take.some_left label credit when purse[me] == 1 cite "the bank"
"#;
    let books = Books::new("why", &[("coins.rules", COINS), ("guarded.rules", guarded)]);
    let line = "@coins.rules --with @guarded.rules --set chest=5";
    let first = books.ends(Exit::Yes, &format!("--plain why {line} take"));
    assert!(!first.out.contains("take.rich.poor"), "{}", first.out);
    let third = books.adit(&format!("--plain why {line} take --moves take;take"));
    third.says(Exit::Yes, "ok take.rich.poor (of guarded)");
    assert!(
        third.out.contains("a friend") && third.out.contains("guarded.rules:3:1"),
        "{}",
        third.out
    );
    assert!(
        third.out.contains("`take.rich` alone would refuse"),
        "{}",
        third.out
    );
    assert!(!third.out.contains("credit"), "{}", third.out);
    let json = books.adit(&format!("--json why {line} take --moves take;take"));
    assert!(json.out.contains("take.rich.poor"), "{}", json.out);
}

#[test]
fn a_transcript_is_replayed_only_under_its_rules_and_if_it_is_whole() {
    let books = Books::new("header", &[("coins.rules", COINS)]);
    books.ends(
        Exit::Yes,
        "play @coins.rules --seats random,random --seed 3 --journal @game.jsonl",
    );
    let text = books.read("game.jsonl");
    let at = text.find("\"rules\":\"").unwrap() + 9;
    let mut other = text.clone();
    other.replace_range(
        at..=at,
        if text.as_bytes()[at] == b'0' {
            "1"
        } else {
            "0"
        },
    );
    for (name, text, code) in [
        ("rules.jsonl", other, "J0906"),
        (
            "seedless.jsonl",
            text.replacen("\"seed\":3,", "\"seed\":null,", 1),
            "J0918",
        ),
        (
            "view.jsonl",
            text.replacen("\"seed\":3,", "\"seed\":3,\"view\":\"player1\",", 1),
            "J0918",
        ),
    ] {
        fs::write(books.0.join(name), text).unwrap();
        let ran = books.ends(Exit::No, &format!("--plain replay @{name}"));
        assert!(ran.err.contains(code), "{name}: {}", ran.err);
    }
}

#[test]
fn an_outcome_of_another_chance_is_refused() {
    let two = r#"game two "Two dice" { seats anna, bert }
track points[seat]: 0..99 = 0
action roll() "roll" { do { choose chance n in 1..6  choose chance m in 1..6  points[me] += n * m } }
flow main() { turns me from anna once { choose me: roll } end over() }
ending over() { ranking seat by points[it] }
study greatest "Six times six" { find points[anna] == 36 within 1 plies }
"#;
    let books = Books::new("streams", &[("two.rules", two)]);
    books.ends(Exit::Yes, "study @two.rules --save @kept.jsonl");
    let kept = books.read("kept.jsonl");
    let names: Vec<&str> = kept
        .lines()
        .filter_map(|it| it.strip_prefix("{\"chance\":\"")?.split('"').next())
        .collect();
    assert_eq!(names.len(), 2, "{kept}");
    assert_ne!(names[0], names[1], "{kept}");
    let swapped = kept
        .replace(
            &format!("{{\"chance\":\"{}\"", names[0]),
            "{\"chance\":\"@\"",
        )
        .replace(
            &format!("{{\"chance\":\"{}\"", names[1]),
            &format!("{{\"chance\":\"{}\"", names[0]),
        )
        .replace(
            "{\"chance\":\"@\"",
            &format!("{{\"chance\":\"{}\"", names[1]),
        );
    fs::write(books.0.join("swapped.jsonl"), swapped).unwrap();
    assert_eq!(books.adit("replay @kept.jsonl").exit, Exit::Yes);
    let ran = books.ends(Exit::No, "--plain replay @swapped.jsonl");
    assert!(ran.err.contains("F0811"), "{}", ran.err);
}

#[test]
fn a_resolution_settles_only_what_it_edits() {
    let one = "variant one \"One\" for coins { }\ninsert before main.draw { bank = 3 }\n";
    let two = "variant two \"Two\" for coins { }\ninsert before main.draw { bank = 4 }\n";
    let books = Books::new("settles", &[("coins.rules", COINS), ("one.rules", one)]);
    for (edit, settled) in [
        ("insert before main.draw { bank = 5 }", true),
        ("insert before earn { bank = 5 }", false),
    ] {
        let text = format!("{two}resolve one + two {{ {edit} }}\n");
        fs::write(books.0.join("two.rules"), text).unwrap();
        let ran = books.adit("--plain check @coins.rules --with @one.rules --with @two.rules");
        let said = ran.out + &ran.err;
        assert_eq!(!said.contains("E0225"), settled, "{edit}: {said}");
    }
}

/// All bid at the same time; carl has nothing to bid.
const TOGETHER: &str = r#"
game bids "Bids" { seats anna, bert, carl }
track bid[seat]: 0..3 = 0
track money[seat]: 0..4 = 3
action offer(n in 1..4) "offer {n}" { require funds: n <= money[me] else "too much" do { bid[me] = n } }
flow main() { step ask { together s in seat { choose s: offer otherwise { } } } end over() }
ending over() { ranking seat by bid[it] }
position asked "All are asked" { from seed 1 at main.ask money[carl] = 0 }
"#;

#[test]
fn each_of_several_who_choose_at_the_same_time_is_asked() {
    let rulings = r#"
        ruling may "Each may bid what it has" {
            given asked
            expect legal bert: offer(3)
            expect to_move == anna
            expect illegal bert: offer(4) by funds
            expect offers bert: exactly { offer(1), offer(2), offer(3) }
            expect legal anna: offer(3)
            expect illegal carl: offer(1) by funds
        }
        ruling first "Who bids first makes no difference" {
            given asked
            when bert: offer(2)
            expect illegal bert: offer(1)
            expect to_move == anna and bid[bert] == 0
            when anna: offer(1)
            expect ended by over
            expect bid[anna] == 1 and bid[bert] == 2
        }
    "#;
    let wrong = r#"ruling denied "Bert may not" { given asked expect illegal bert: offer(2) }"#;
    let fault = r#"
        ruling rich "Bert bids too much before anna bids" {
            given { from seed 1 at main.ask money[bert] = 4 }
            when bert: offer(4)  when carl: offer(2)  when anna: offer(1)
            expect ended
        }
    "#;
    let text = |rulings: &str| format!("{TOGETHER}{rulings}");
    let books = Books::new(
        "together",
        &[
            ("bids.rules", &text(rulings)),
            ("wrong.rules", &text(wrong)),
            ("fault.rules", &text(fault)),
        ],
    );
    books.ends(Exit::Yes, "--plain rulings @bids.rules");
    let ran = books.ends(Exit::No, "--plain rulings @wrong.rules");
    assert!(ran.out.contains("`offer 2` is legal"), "{}", ran.out);
    // A transcript has the choices in the order in which a game asks for them.
    books.ends(
        Exit::No,
        "--plain rulings @fault.rules rich --save @k.jsonl",
    );
    let choices = books.read("k.jsonl");
    let moves: Vec<&str> = choices.lines().skip(1).collect();
    for (line, said) in moves.iter().zip(["offer 1", "offer 4", "offer 2"]) {
        assert!(line.contains(said), "{choices}");
    }
    let again = books.ends(Exit::No, "--plain replay @k.jsonl");
    assert!(again.err.contains("F08"), "{}", again.err);
}

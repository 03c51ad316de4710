//! What is told of a house rule: what it changes and where, what was not looked at, and what stops a game.

use adit::cli::Exit;
use serde_json::Value;

use crate::command::adit;
use crate::fixtures::width;
use crate::tried::{HEAP, file, heap, rule, value};

/// Steps that are written alike are told apart by their addresses.
#[test]
fn of_steps_that_are_alike_only_the_changed_one_is_told() {
    file(
        "steps.rules",
        "game steps \"Steps\" { seats anna, bert }\n\
         track n: 0..99 = 0\n\
         action a() \"a\" { do { n += 1 } }\naction b() \"b\" { do { n += 2 } }\n\
         flow main() {\n    step one { choose anna: a | b }\n    step two { choose anna: a | b }\n    \
         step three { choose bert: a | b }\n    end over\n}\n\
         ending over() { ranking seat by n }\n",
    );
    for (edit, changes) in [
        ("remove main.one.b", vec!["main.one.b"]),
        ("replace main.two { choose anna: a }", vec!["main.two.b"]),
        (
            "replace main.three { choose anna: a | b }",
            vec!["main.three"],
        ),
    ] {
        let rule = file(
            "edit.rules",
            &format!("variant edit \"Edit\" for steps {{ }}\n{edit}\n"),
        );
        let told = value(&adit(&format!("--json try {rule} --games 2")));
        let clauses = told["clauses"].as_array().unwrap();
        let told: Vec<&str> = clauses
            .iter()
            .filter_map(|it| it["address"].as_str())
            .collect();
        assert_eq!(told, changes, "{edit}");
    }
}

/// A rule without an end is told as such behind a few games, in each command that plays many.
#[test]
fn games_without_an_end_are_left_off() {
    // Each such game takes all the work that it may.
    if cfg!(debug_assertions) {
        return;
    }
    let endless = rule(
        "endless",
        "insert after lift { while points[s] < 99 { points[s] = 0 } }",
    );
    let heap = heap();
    let lines = [
        format!("simulate {heap} --with {endless} --games 1000"),
        format!("try {endless}"),
        format!("compare {heap} --but-with {endless} --games 1000"),
    ];
    for line in lines.iter().take(width(0, 1, 3) as usize) {
        let ran = adit(&format!("--plain {line}"));
        assert_eq!(ran.exit, Exit::No, "{line}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("left off"), "{line}: {}", ran.out);
        assert!(ran.out.contains("run out of work"), "{line}: {}", ran.out);
    }
    if width(0, 0, 1) == 1 {
        let line = format!("--json simulate {heap} --with {endless} --games 1000 --until decided");
        assert_eq!(value(&adit(&line))["left"], "endless");
    }
}

/// Of an option that a house rule brings one value is looked at, and that is said.
#[test]
fn values_of_an_option_that_were_not_looked_at_are_told() {
    let option =
        "option limit: 1..3 = 3 \"how many may be taken\"\nforbid take(n) label few when n > limit";
    let ran = adit(&format!(
        "--plain try {} --games 5",
        rule("limited", option)
    ));
    let said = "looked at with limit = 3 alone; `--set limit=...` looks at another";
    assert!(ran.out.contains(said), "{}", ran.out);
}

/// A draw and a game that all have lost are two ends, though nobody is better there.
#[test]
fn all_that_lose_have_not_drawn() {
    let lost = file(
        "lost.rules",
        "variant lost \"All lose\" for tic_tac_toe { }\nreplace ending full() { winner {} }\n",
    );
    let told = value(&adit(&format!("--json try {lost} --games 30")));
    assert!(told["play"]["differ"].as_u64() > Some(0), "{told}");
    assert_eq!(told["play"]["differ"], told["play"]["other_places"]);
    let ran = adit(&format!("--plain try {lost} --games 30"));
    assert!(ran.out.contains("B: full, nobody wins"), "{}", ran.out);
    let ran = adit(&format!("--plain try {lost} --prove 9"));
    assert!(ran.out.contains("both end otherwise"), "{}", ran.out);
    let pairs = value(&adit(&format!(
        "--json compare tic_tac_toe --but-with {lost} --games 30"
    )));
    let all = file(
        "all.rules",
        "variant all \"All win\" for tic_tac_toe { }\nreplace ending full() { winner seat }\n",
    );
    let ran = adit(&format!(
        "--plain compare tic_tac_toe --but-with {all} --games 30"
    ));
    assert!(ran.out.contains("all win: A 0.0 %; B "), "{}", ran.out);
    assert_eq!(pairs["differ"], told["play"]["differ"], "{pairs}");
    // Nobody is in any place then, and nobody has a part of the win.
    let table = adit(&format!(
        "simulate tic_tac_toe --with {lost} --games 30 --csv -"
    ));
    let mut rows = table
        .out
        .lines()
        .skip(1)
        .map(|it| it.split(',').collect::<Vec<_>>());
    let full: Vec<Vec<&str>> = rows.by_ref().filter(|it| it[1] == "full").collect();
    assert!(!full.is_empty(), "{}", table.out);
    assert!(full.iter().all(|it| it[5..7] == ["", ""]), "{full:?}");
    let rule = file(
        "over.rules",
        "variant over \"Over\" for tic_tac_toe { }\nreplace ending full() { winner {} }\nreplace ending three_in_a_row(s: seat) { winner {} }\n",
    );
    let fair = format!("--plain simulate tic_tac_toe --with {rule} --games 20 --until decided");
    adit(&fair).says(Exit::No, "not decided: nobody won any game");
}

/// Partners win and lose as one, also where players are compared.
#[test]
fn partners_are_no_rivals() {
    let line = "--json simulate whist --seats greedy,random,greedy,random --games 12";
    let told = value(&adit(line));
    let players = told["players"].as_array().unwrap();
    assert_eq!(players[0]["alone"], players[2]["alone"], "{told}");
    assert_eq!(players[0]["shared"], 0, "{told}");
    let won = |at: usize| players[at]["alone"].as_u64().unwrap();
    assert_eq!(won(0) + won(1), 12, "{told}");
}

/// What an amendment leaves without anything that leads to it is told, and what `adit check` says of it alone.
#[test]
fn what_died_and_what_is_said_of_it_is_told() {
    let path = rule(
        "dead",
        "replace main.take { lift(ann, 1)  end over() }\nevent shrink() { points[ann] = 0 }\ninsert after main.deal { shrink() }\nforbid shrink() label never",
    );
    let ran = adit(&format!("try {path} --games 2 --plain"));
    let out = &ran.out;
    assert!(out.contains("dead      action take  "), "{out}");
    assert!(out.contains("checked   B: E0681 "), "{out}");
    let told = value(&adit(&format!("--json try {path} --games 2")));
    assert_eq!(told["dead"][0]["name"], "take");
    assert_eq!(told["checked"][0]["code"], "E0681");
    // A track that is only counted, and positions that nobody asks for.
    let path = file(
        "no_raise.rules",
        "variant no_raise \"N\" for leduc { }\nremove raise\n",
    );
    let told = adit(&format!("try {path} --games 2 --plain")).out;
    assert!(
        told.contains("dead      track raises  ") && told.contains("nothing in B asks for it"),
        "{told}"
    );
    let path = file(
        "on.rules",
        "variant on \"O\" for draughts { }\nreplace no_progress = false\n",
    );
    let told = value(&adit(&format!("--json try {path} --games 2")));
    assert_eq!(told["dead"][0]["name"], "of board", "{told}");
    // A reading that cannot be chosen with the rule leads nowhere; one that can does.
    let asks = "game asks \"Asks\" { seats ann, bo }\ntrack n: 0..9 = 0\ntrack seen: 0..9 = 0\n\
                flow main() { step go { choose ann: up }  check()  if n > 5 { end over() } }\n\
                action up() \"up\" { do { n += 1 } }\naction down() \"down\" { do { n = 0 } }\n\
                event check() { fall() }\nevent fall() { n = 0  seen = 1 }\n\
                define far: bool = seen > 0\nending over() { ranking seat by n }\n\
                question twice \"How often?\" { once \"once\" default  again \"twice\" { replace check { fall() fall() } } }\n\
                question more \"More?\" { no \"no\" default  yes \"yes\" { add choice to main.go: down } }\n\
                measure often: int = seen at end\n";
    file("asks.rules", asks);
    let names = |text: &str| {
        let path = file(
            "quiet.rules",
            &format!("variant quiet \"Q\" for asks {{ }}\n{text}\n"),
        );
        let told = value(&adit(&format!("--json try {path} --games 2")));
        let dead = told["dead"].as_array().cloned().unwrap_or_default();
        let names = dead
            .iter()
            .map(|it| it["name"].as_str().unwrap_or_default().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names("replace check { }"), ["fall"]);
    assert_eq!(names("insert after check { n = 1 }"), [""; 0]);
    let reads = "measure often_: int = n at end\nreplace main.go { n = 9 }";
    assert_eq!(names(reads), ["up", "down"]);
    // What is dead without it is none of its matters, and what the second one takes away is a clause.
    let back = heap();
    let told = value(&adit(&format!("--json diff {path} {back} --games 2")));
    assert_eq!(told["dead"], Value::Null);
    assert_eq!(told["checked"], Value::Null);
}

/// Whether seats choose at the same time or one after the other is a difference, though each is offered the same.
#[test]
fn choices_at_the_same_time_are_none_in_turn() {
    let game = "game bids \"Bids\" { seats anna, bert }\ntrack bid[seat]: 0..3\naction offer(n in 0..3) \"{n}\" { do { bid[me] = n } }\nflow main() { step bidding { together s in seat { choose s: offer } }  end over }\nending over() { ranking seat by bid[it] }\n";
    file("bids.rules", game);
    let told = |name: &str, block: &str| {
        let text = format!(
            "variant {name} \"{name}\" for bids {{ }}\nreplace main.bidding {{ {block} }}\n"
        );
        let path = file(&format!("{name}.rules"), &text);
        let tried = value(&adit(&format!("--json try {path} --games 5")));
        let proven = value(&adit(&format!("--json try {path} --prove 5")));
        (
            tried["play"]["differ"].clone(),
            proven["all_lines"]["verdict"].clone(),
        )
    };
    let in_turn = told("in_turn", "for each s in seat { choose s: offer }");
    assert_eq!(in_turn, (5.into(), "differs".into()));
    let still = told(
        "still",
        "together s in seat { choose s: offer } if 1 > 2 { bid[anna] = 0 }",
    );
    assert_eq!(still, (0.into(), "same".into()));
}

/// A rule that stops before chance is asked is no other chance; and nothing is lost where no line is there to keep.
#[test]
fn what_stops_before_chance_is_told_as_what_it_is() {
    let over = rule(
        "over_",
        "insert before main.deal { if first == ann { end over() } }",
    );
    let proven = adit(&format!("--plain try {over} --prove 2"));
    assert!(
        proven.out.contains("only one game is over"),
        "{}",
        proven.out
    );
    let same = rule("same", "insert after lift { if heap > 20 { end over() } }");
    let to = file("kept.jsonl", "");
    let ran = adit(&format!("--plain try {same} --games 3 --save {to}"));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .contains("is not written: no different move or end was found"),
        "{}",
        ran.out
    );
}

/// A reading that brings an edit which cannot be made is an error, whoever is asked.
#[test]
fn readings_that_cannot_be_played_are_told_by_all() {
    let rule = rule(
        "asked",
        "question mid \"Is it so?\" { yes \"yes\" default  no_ \"no\" { remove nothing_here } }",
    );
    for (line, exit) in [
        (format!("--plain check {rule}"), Exit::No),
        (format!("--plain try {rule} --games 2"), Exit::No),
    ] {
        let ran = adit(&line);
        let all = format!("{}{}", ran.out, ran.err);
        assert!(all.contains("E0210") && ran.exit == exit, "{line}: {all}");
    }
    let ran = adit(&format!("--plain lint {rule}"));
    assert_eq!(ran.exit, Exit::Failure, "{}{}", ran.out, ran.err);
    assert!(format!("{}{}", ran.out, ran.err).contains("E0210"));
}

/// What an edit has changed is told with the line of the edit, not with that of the rulebook.
#[test]
fn a_changed_clause_is_told_where_the_house_rule_stands() {
    for (name, edits, place) in [
        ("double", "insert after lift { points[s] += n }", 2),
        ("again", "///\n\nreplace lift { heap = heap - n }", 4),
        ("start", "insert before main.take { points[bo] = 1 }", 2),
    ] {
        let ran = adit(&format!("--json try {} --games 1", rule(name, edits)));
        let told = value(&ran);
        let clause = &told["clauses"][0];
        assert_eq!(clause["how"], "changed", "{told}");
        let at = clause["place"].as_str().unwrap_or_default().to_owned();
        assert!(
            at.contains(&format!("{name}.rules:{place}:")),
            "{at}: {told}"
        );
    }
}

/// A clause that two amendments change is of both, and only of the one that only one of the rule sets has.
#[test]
fn who_changed_a_clause_is_who_only_the_second_one_has() {
    let game = heap();
    let one = rule("one", "insert after lift { points[s] += n }");
    let two = rule(
        "two",
        "insert before lift { if heap == 1 { points[s] += 1 } }",
    );
    let three = rule(
        "three",
        "replace main.take { choose me: take  points[me] += 1 }",
    );
    let of = |with: &str| {
        let told = value(&adit(&format!("--json diff {game} {with} --games 1")));
        let clauses = told["clauses"].as_array().unwrap().clone();
        let origins = clauses
            .iter()
            .map(|it| it["origin"].as_str().unwrap_or("").to_owned());
        origins.collect::<Vec<_>>()
    };
    assert_eq!(of(&format!("--with {one} --but-with {two}")), ["two"]);
    assert_eq!(of(&format!("--with {two} --but-with {one}")), ["one"]);
    let both = format!("--but-with {one} --but-with {two}");
    assert_eq!(of(&both), ["one, two"]);
    assert_eq!(
        of(&format!("{both} --but-with {three}")),
        ["three", "one, two"]
    );
}

/// What rulings say of a game with signs is plain where that was asked for.
#[test]
fn signs_of_the_rules_are_written_plainly() {
    let text = "game signs \"Signs\" { seats a, b }
        enum Suit { clubs \"♣\" \"c\", hearts \"♥\" \"h\" }
        component Card { suit: Suit }
        show Card as \"{suit}\"
        zone lies: bag of Card open
        supply every Card in lies
        question first \"Which?\" { any \"any\" default  red \"red\" { forbid take(c) label red when c.suit == clubs } }
        action take(c in lies) \"take {c}\" { do { } }
        flow main() { choose a: take  end over() }
        ending over() { winner none }
        ruling r \"♥ or ♣\" { expect offers a: exactly { take(c: Card(clubs)), take(c: Card(hearts)) } }\n";
    let game = file("signs.rules", text);
    let flips = adit(&format!("--plain rulings {game} r --flips"));
    flips.says(Exit::Yes, "offered: take h");
    assert!(flips.out.is_ascii(), "{}", flips.out);
    let failed = adit(&format!("--plain rulings {game} --set first=red"));
    assert!(
        failed.out.is_ascii() && failed.out.contains("h or c"),
        "{}",
        failed.out
    );
    let signs = adit(&format!("rulings {game} r --flips"));
    signs.says(Exit::Yes, "offered: take ♥");
}

/// What is put in and is nothing changes nothing, also where nothing was done before.
#[test]
fn nothing_that_is_put_in_changes_nothing() {
    let edit = "action pass() \"pass\" { }\nadd choice to main.take: pass";
    rule("passing", edit);
    let ran = adit(&format!(
        "--plain try {} --games 3",
        file(
            "nothing.rules",
            "variant nothing \"N\" for kuhn { }\ninsert after check { }\n"
        )
    ));
    ran.says(
        Exit::Yes,
        "none says anything else; pictures, comments and rulings are not compared",
    );
    // Of so few games no share can be excluded.
    let dead = rule("dead", "forbid take label dead when heap > 7");
    for games in [1, 3] {
        let ran = adit(&format!("--plain try {dead} --games {games}"));
        ran.says(Exit::Yes, "too few to exclude any share");
    }
    let ran = adit(&format!("--plain try {dead} --games 4"));
    ran.says(
        Exit::Yes,
        "one in more than 75.0 % of all games is excluded",
    );
}

/// Behind a difference no line is followed: that is said, and games at random say whether the rules can be played.
#[test]
fn what_lies_behind_a_difference_is_played() {
    let broken =
        "forbid take(n) label three when n == 3\ninsert after lift { if heap == 1 { heap -= 3 } }";
    let ran = adit(&format!("--json try {} --prove 1", rule("broken", broken)));
    let told = value(&ran);
    assert_eq!(told["all_lines"]["verdict"], "differs", "{told}");
    assert_eq!(
        (ran.exit, &told["fine"]),
        (Exit::No, &Value::from(false)),
        "{told}"
    );
    let ran = adit(&format!("--plain try {} --prove 1", rule("broken", broken)));
    ran.says(
        Exit::No,
        "no line was followed behind that difference; in 200 games at random:",
    );
    assert!(ran.out.contains("games stop with a fault"), "{}", ran.out);
    let three = "forbid take(n) label three when n == 3";
    let ran = adit(&format!("--plain try {} --prove 1", rule("three", three)));
    ran.says(Exit::Yes, "no fault, none longer than 5,000 choices");
}

/// A file that cannot be read does not keep the others from being looked at.
#[test]
fn a_file_that_cannot_be_read_hides_nothing() {
    let good = heap();
    let folder = std::path::Path::new(&good).parent().unwrap().join("mix");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.rules"), [0xff, 0xfe, b'g']).unwrap();
    std::fs::write(
        folder.join("b.rules"),
        "game b \"B\" { seats x, y }\nflow main() { end over }\n",
    )
    .unwrap();
    std::fs::write(folder.join("c.rules"), HEAP).unwrap();
    let folder = folder.display();
    for command in ["check", "lint"] {
        let ran = adit(&format!("--plain {command} {folder}"));
        assert_eq!(ran.exit, Exit::Failure, "{command}: {}", ran.out);
        for code in ["J0924", "E0301"] {
            assert!(
                ran.out.contains(code),
                "{command}: {code}: {}{}",
                ran.out,
                ran.err
            );
        }
        let ran = adit(&format!("--json {command} {folder}"));
        assert_eq!(ran.exit, Exit::Failure, "{command}: {}", ran.out);
        let told = value(&ran).to_string();
        assert!(
            told.contains("J0924") && told.contains("E0301"),
            "{command}: {told}"
        );
    }
}

/// What must hold at each choice is asked in games that are tried: a rule that breaks it cannot be played, however the games end.
#[test]
fn what_must_hold_is_asked() {
    let path = rule(
        "greedy",
        "invariant never_more: heap <= 7\ninsert after lift { heap = 9 }",
    );
    let told = value(&adit(&format!("--json try {path} --games 20")));
    assert_eq!(told["fine"], false, "{told}");
    assert_eq!(told["play"]["faults"][1][0]["code"], "F0815", "{told}");
    assert_eq!(told["play"]["faults"][0], serde_json::json!([]), "{told}");
    let path = rule("modest", "invariant never_more: heap <= 7");
    let told = value(&adit(&format!("--json try {path} --games 20")));
    assert_eq!(told["fine"], true, "{told}");
}

/// Where nobody can do anything any more a rule is not sound, and what only one side comes to is told.
#[test]
fn what_nobody_can_do_any_more_is_told() {
    let barred = "connect_four { }\nforbid drop(c) label lo when count box > 20\n\
                  forbid drop(c) label hi when count box <= 20\n";
    let path = file(
        "barred.rules",
        &format!("variant barred \"B\" for {barred}"),
    );
    let ran = adit(&format!("try {path} --games 20 --plain"));
    assert_eq!(ran.exit, Exit::No, "{}", ran.out);
    assert!(
        ran.out.contains("in 20 games of B nobody chooses anything"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("ends      board_full judges 0 of 20 games in A, 20 of 20 in B"),
        "{}",
        ran.out
    );
    // Of two actions the one that is left is chosen.
    let path = rule(
        "no_take",
        "action rest() \"rest\" { do { lift(me, 1) } }\nadd choice to main.take: rest\nforbid take(n) label never",
    );
    let told = value(&adit(&format!("--json try {path} --games 20")));
    assert_eq!(told["fine"], true, "{told}");
    assert_eq!(told["reached"]["barred"][0]["name"], "take", "{told}");
    // A share that luck explains is no matter.
    let path = rule(
        "seldom",
        "forbid take(n) label seldom when heap == 7 and n == 3",
    );
    let told = value(&adit(&format!("--json try {path} --games 20")));
    assert_eq!(told["reached"]["barred"], Value::Null, "{told}");
    assert_eq!(told["reached"]["endings"], Value::Null, "{told}");
    let path = rule("idle", "replace main.take { choose ann: take }");
    let told = value(&adit(&format!("--json try {path} --games 20")));
    assert_eq!(told["reached"]["idle"][0], "bo", "{told}");
}

/// An invariant is no clause that anybody plays by, and a rule that brings no more than one that does not hold cannot be played: at
/// random and in all lines.
#[test]
fn a_rule_of_one_invariant_is_asked() {
    let broken = rule("only_broken", "invariant many: heap > 3");
    for how in ["--games 20", "--prove 6"] {
        let told = value(&adit(&format!("--json try {broken} {how}")));
        assert_eq!(told["fine"], false, "{told}");
        assert_eq!(told["same_rules"], false, "{told}");
        assert_eq!(told["clauses"][0]["kind"], "invariant", "{told}");
        let ran = adit(&format!("--plain try {broken} {how}"));
        assert_eq!(ran.exit, Exit::No, "{}", ran.out);
        assert!(ran.out.contains("+ invariant many"), "{}", ran.out);
        assert!(ran.out.contains("F0815"), "{}", ran.out);
    }
    let told = value(&adit(&format!("--json try {broken} --prove 6")));
    let faults = &told["all_lines"]["faults"];
    assert_eq!(faults[0]["side"], "b", "{told}");
    // Four lie there at least.
    assert_eq!(faults[0]["choices"], 1, "{told}");
    // The line to it can be kept and played again.
    let line = file("broken.jsonl", "");
    adit(&format!("try {broken} --prove 6 --save {line}"));
    let ran = adit(&format!("replay {line}"));
    let told = format!("{}{}", ran.out, ran.err);
    assert!(told.contains("stops where bo has to choose"), "{told}");
    let sound = rule("only_sound", "invariant few: heap <= 7");
    let ran = adit(&format!("--plain try {sound} --prove 6"));
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.out);
    assert!(ran.out.contains("the same game:"), "{}", ran.out);
}

/// Two rule sets that stop alike are no game that can be played.
#[test]
fn what_stops_both_alike_is_told() {
    let game = "game stops \"It stops\" { seats anna, bert }\ntrack left: 0..2 = 2\n\
        action take() \"take\" { do { left -= 1 } }\n\
        flow main() { turns me from anna { choose me: take | stop \"stop\" { end over } } }\n\
        ending over() { winner none }\n";
    file("stops.rules", game);
    let idle = "variant idle \"Idle\" for stops { }\n\
        track seen: 0..9 = 0 hidden\ninsert before take { seen = 1 }\n";
    let path = file("stops_idle.rules", idle);
    let ran = adit(&format!("--plain try {path} --prove 9"));
    assert_eq!(ran.exit, Exit::No, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("A and B: "), "{}", ran.out);
    let told = value(&adit(&format!("--json try {path} --prove 9")));
    assert_eq!(told["fine"], false, "{told}");
    assert_eq!(told["all_lines"]["faults"][0]["side"], "both", "{told}");
    assert_eq!(told["all_lines"]["faults"][0]["choices"], 3, "{told}");
}

/// Rules for another number of players are played alone.
#[test]
fn rules_for_another_table_are_played_alone() {
    let game = "game taken \"Taken\" { seats anna, bert }\ntrack points[seat]: 0..9 = 0\n\
        action take() \"take\" { do { points[me] += 1 } }\n\
        flow main() { repeat 3 { turns me from anna once { choose me: take } }  end over }\n\
        ending over() { ranking seat by points[it] }\n";
    file("taken.rules", game);
    let header = "variant three \"For three\" for taken { seats anna, bert, carl }\n";
    let path = file("three.rules", header);
    let ran = adit(&format!("--plain try {path} --games 10"));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("B alone, with 3 players"), "{}", ran.out);
    let told = value(&adit(&format!("--json try {path} --games 10")));
    assert_eq!(told["alone"]["games"], 10, "{told}");
    let broken = format!("{header}invariant few: points[anna] < 2\n");
    let path = file("three_broken.rules", &broken);
    let ran = adit(&format!("--plain try {path} --games 10"));
    assert_eq!(ran.exit, Exit::No, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("F0815"), "{}", ran.out);
}

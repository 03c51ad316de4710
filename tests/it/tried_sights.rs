//! What seats see and know under two rule sets is compared wherever it lies.

use crate::command::adit;
use crate::tried::{file, value};

/// The same choices, and another game: what was hidden lies open.
#[test]
fn what_is_laid_open_is_no_proof_of_the_same_game() {
    let open = file(
        "open.rules",
        "variant open_cards \"Open cards\" for kuhn { }\n\
         insert after main.deal { for each s in seat { show hand[s] to all } }\n",
    );
    let told = value(&adit(&format!("--json try {open} --games 30")));
    let sights = &told["play"]["sights"];
    assert_eq!(told["play"]["differ"], 0, "{told}");
    assert!(sights["looked"].as_u64() > Some(20), "{sights}");
    // Where nobody folds, all hands lie open in the end under both.
    assert!(sights["differ"].as_u64() > Some(20), "{sights}");
    assert!(sights["looked"].as_u64() > sights["differ"].as_u64());
    let ran = adit(&format!("--plain try {open} --prove 9"));
    assert!(ran.out.contains("the same moves:"), "{}", ran.out);
    let said = "first_player sees of hand[second_player] more under B than under A";
    assert!(ran.out.contains(said), "{}", ran.out);
    // The other way round, and with nothing laid open.
    let ran = adit(&format!("--plain diff {open} kuhn_poker --games 30"));
    assert!(ran.out.contains("more under A than under B"), "{}", ran.out);
    let idle = file(
        "idle.rules",
        "variant idle \"Idle\" for kuhn { }\ntrack n: 0..1 = 0 hidden\ninsert after main.deal { n = 1 }\n",
    );
    let ran = adit(&format!("--plain try {idle} --prove 9"));
    assert!(ran.out.contains("the same game:"), "{}", ran.out);
    assert!(
        ran.out
            .contains("who sees and knows what is the same in 54"),
        "{}",
        ran.out
    );
}

/// Where nothing is hidden all see what one rule set alone lays on the table, and nobody what it keeps off it.
#[test]
fn what_lies_open_is_seen_where_only_one_has_it() {
    let counted = "variant counted \"Counted\" for tic_tac_toe { }\n\
         track marks: 0..9 = 0\ninsert after place { marks += 1 }\n";
    let open = file("counted.rules", counted);
    let ran = adit(&format!("--plain try {open} --prove 9"));
    assert!(ran.out.contains("the same moves:"), "{}", ran.out);
    assert!(
        ran.out.contains("x sees marks, which only B has"),
        "{}",
        ran.out
    );
    let kept = file("kept.rules", &format!("{counted}hide marks\n"));
    let ran = adit(&format!("--plain try {kept} --prove 9"));
    assert!(ran.out.contains("the same game:"), "{}", ran.out);
    assert!(!ran.out.contains("sees"), "{}", ran.out);
}

/// Two hold a card each that nobody else sees.
const CARDS: &str = "game cards \"Cards\" { seats anna, bert }
component Card { v: 1..3 }
show Card as \"{v}\"
zone deck: bag of Card hidden
zone hand[seat]: bag of Card seen by owner
zone out: bag of Card open
supply every Card in deck
track looks: 0..9 = 0
action look() \"look\" { do { looks += 1 } }
action rest() \"rest\" { }
flow main() {
    step deal { for each s in seat { draw 1 of deck to hand[s] } }
    step play { turns me from anna once { choose me: look | rest } }
    end over
}
ending over() { winner none }
";

/// What a seat sees elsewhere, in a track of its own, when the game is over, or only remembers is no less a difference.
#[test]
fn what_seats_come_to_know_is_compared_wherever_it_lies() {
    file("cards.rules", CARDS);
    for (name, edits, said) in [
        (
            "laid",
            "insert after look { move all of hand[me] to out }",
            "bert knows where more of `Card",
        ),
        (
            "noted",
            "track note[seat]: 1..3 or none = none\ninsert after look { note[me] = first({ c.v for c in hand[me] }) }",
            "which only B has",
        ),
        (
            "bared",
            "insert after main.play { for each s in seat { show hand[s] to all } }",
            "anna sees of hand[bert] more under B than under A",
        ),
    ] {
        let text = format!("variant {name} \"{name}\" for cards {{ }}\n{edits}\n");
        let rule = file(&format!("{name}.rules"), &text);
        for how in ["--games 30", "--prove 9"] {
            let ran = adit(&format!("--plain try {rule} {how}"));
            assert!(ran.out.contains(said), "{name}: {}{}", ran.out, ran.err);
        }
        let proof = adit(&format!("--plain try {rule} --prove 9")).out;
        assert!(proof.contains("the same moves:"), "{proof}");
        let told = value(&adit(&format!("--json try {rule} --prove 9")));
        assert_eq!(told["all_lines"]["verdict"], "moves", "{told}");
    }
}

/// A hand that only its owner sees is not before everybody's eyes, whatever the words of the position hold.
#[test]
fn what_lies_open_is_what_everybody_sees() {
    let rule = file(
        "turned.rules",
        "variant turned \"Turned\" for kuhn { }\n\
         replace main.deal { for each s in seat backwards { draw 1 of deck to hand[s] } }\n",
    );
    let told = value(&adit(&format!("--json try {rule} --games 30")));
    assert_eq!(told["first"]["kind"], "end", "{told}");
    let places = told["first"]["apart"]["places"].to_string();
    assert!(!places.contains("hand"), "{told}");
}

/// The same moves in other words are read otherwise, and where nobody can choose otherwise all that lies there otherwise is told.
#[test]
fn the_same_moves_in_other_words_are_told() {
    let words = file(
        "words.rules",
        "variant words \"Words\" for tic_tac_toe { }\n\
         replace action place(at: Square) \"mark {at}\" {\n\
         require free: empty board[at] else \"{at} is taken\"\n\
         do { move Mark(me) from pencil to board[at] }\n}\n",
    );
    for how in ["--prove 9", "--games 20"] {
        let ran = adit(&format!("--plain try {words} {how}"));
        let is_told = ran.out.lines().any(|it| {
            it.contains("x is offered `") && it.contains("in A, and the same move as `mark ")
        });
        assert!(is_told, "{how}: {}{}", ran.out, ran.err);
        assert!(!ran.out.contains("the same game:"), "{}", ran.out);
    }
}

/// Points that turn no end are something that everybody sees.
#[test]
fn points_that_turn_no_end_are_seen() {
    let game = "game score \"Score\" { seats anna, bert }\ntrack points[seat]: 0..99 = 0\n\
        define gain: 0..9 = 2\naction take() \"take\" { do { points[me] += gain } }\n\
        flow main() { turns me from anna once { choose me: take }  end over }\n\
        ending over() { winner anna }\n";
    file("score.rules", game);
    let path = file(
        "gain.rules",
        "variant gain_one \"One\" for score { }\nreplace gain = 1\n",
    );
    let ran = adit(&format!("--plain try {path} --games 20"));
    let said = "anna sees something else in points";
    assert!(ran.out.contains(said), "{}{}", ran.out, ran.err);
    let told = value(&adit(&format!("--json try {path} --games 20")));
    let sights = &told["play"]["sights"];
    assert!(sights["differ"].as_u64() > Some(0), "{told}");
    assert_eq!(sights["alone"], 0, "{told}");
}

/// What a rule counts for itself hides nothing else that is seen.
#[test]
fn what_only_one_has_comes_last() {
    let path = file(
        "counted_bare.rules",
        "variant counted_bare \"Counted\" for kuhn { }\ntrack n: 0..1 = 0\n\
         insert before main.deal { n = 1 }\ninsert after main.first_word { for each s in seat { show hand[s] to all } }\n",
    );
    let ran = adit(&format!("--plain try {path} --games 30"));
    let said = "of these only what one of them alone has: first";
    assert!(ran.out.contains(said), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("more under B than under A"), "{}", ran.out);
}

/// What comes and goes between two choices is seen too, and so is what is only told.
#[test]
fn what_is_seen_for_a_moment_is_compared() {
    file("cards.rules", CARDS);
    for (name, edit, said) in [
        (
            "peeked",
            "show hand[me] to bert  move all of hand[me] to deck  draw 1 of deck to hand[me]",
            "for a moment under B only",
        ),
        (
            "told",
            "tell all \"{me} holds {hand[me]}\"  move all of hand[me] to deck  draw 1 of deck to hand[me]",
            "is told `anna holds {",
        ),
    ] {
        let base = format!("base_{name}");
        let plain = "move all of hand[me] to deck  draw 1 of deck to hand[me]";
        let text = |edit: &str| CARDS.replace("looks += 1", &format!("looks += 1  {edit}"));
        file(
            &format!("{base}.rules"),
            &text(plain).replace("game cards", &format!("game {base}")),
        );
        let rule = file(
            &format!("{name}.rules"),
            &format!(
                "variant {name} \"{name}\" for {base} {{ }}\nreplace look {{ looks += 1  {edit} }}\n"
            ),
        );
        for how in ["--games 30", "--prove 9"] {
            let ran = adit(&format!("--plain try {rule} {how}"));
            assert!(ran.out.contains(said), "{name}: {}{}", ran.out, ran.err);
        }
        let proof = adit(&format!("--plain try {rule} --prove 9")).out;
        assert!(proof.contains("the same moves:"), "{proof}");
    }
}

/// What lies at one seat's place and at another's is told apart, though as much lies there in all.
#[test]
fn what_lies_elsewhere_is_something_else() {
    let game = "game coins \"Coins\" { seats anna, bert }
component Coin { value: 1..1 }
zone bank: bag of Coin open
zone purse[seat]: bag of Coin open
supply 9 every Coin in bank
action take(n: 1..2) \"take {n}\" { do { move n of Coin(1) from bank to purse[me] } }
flow main() { turns me from anna once { choose me: take }  end over }
ending over() { winner none }
";
    file("coins.rules", game);
    let rule = file(
        "given.rules",
        "variant given \"Given\" for coins { }\n\
         insert after take { move n of Coin(1) from purse[me] to purse[next_seat(me)] }\n",
    );
    for how in ["--games 30", "--prove 9"] {
        let ran = adit(&format!("--plain try {rule} {how}"));
        let said = "anna sees something else in purse[anna]";
        assert!(ran.out.contains(said), "{}{}", ran.out, ran.err);
    }
}

/// What is only drawn otherwise is known no better, and a field or an order is something that is seen.
#[test]
fn what_is_shown_otherwise_is_no_other_thing() {
    let shown = file(
        "shown.rules",
        "variant shown \"Shown\" for tic_tac_toe { }\nreplace show Mark as \"[{side}]\"\n",
    );
    let ran = adit(&format!("--plain try {shown} --prove 3"));
    assert!(!ran.out.contains("knows where more"), "{}", ran.out);
    let game = "game lying \"Lying\" { seats anna, bert }
component Card { value: 1..2 }
zone spot: one Card with turned: bool = false open
zone heap: pile of Card open
zone deck: bag of Card open
supply 2 every Card in deck
action rest() \"rest\" { do { } }
flow main() {
    step lay { move Card(1) from deck to spot  move Card(1) from deck to heap  move Card(2) from deck to heap }
    step play { turns me from anna once { choose me: rest } }
    end over
}
ending over() { winner none }
";
    file("lying.rules", game);
    for (name, edit, place) in [
        ("turned", "spot.turned = true", "spot"),
        (
            "heaped",
            "move bottom of heap to deck  move Card(1) from deck to heap",
            "heap",
        ),
    ] {
        let rule = file(
            &format!("{name}.rules"),
            &format!(
                "variant {name} \"{name}\" for lying {{ }}\ninsert before main.play {{ {edit} }}\n"
            ),
        );
        let ran = adit(&format!("--plain try {rule} --prove 9"));
        let said = format!("anna sees something else in {place}");
        assert!(ran.out.contains(&said), "{name}: {}{}", ran.out, ran.err);
    }
}

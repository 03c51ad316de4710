//! Studies: what is found, what is not, and the line of play as a transcript.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;

use crate::command::{Ran, adit};

/// A rulebook of this test run.
fn rulebook(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

const TIC_TAC_TOE: &str = "tests/fixtures/games/tic_tac_toe.rules";

/// Two red and one blue ball; each turn draws one, and red is kept or thrown away.
const BALLS: &str = r#"
game balls "Balls" { seats anna, bert }
enum Colour { red, blue }
component Ball { colour: Colour }
show Ball as "{colour}"
zone bag: bag of Ball open
zone drawn: one Ball open
zone kept[seat]: bag of Ball open
zone lost: bag of Ball open
supply (if it.colour == red then 2 else 1) every Ball in bag
action keep() "keep" { do { move drawn to kept[me] } }
action throw() "throw" { do { move drawn to lost } }
flow main() {
    turns me from anna {
        step draw { if empty bag { end over() } draw 1 of bag to drawn }
        choose me: keep | throw
    }
}
ending over() { ranking seat by count kept[it] }
study all_red "Can a seat have both red balls?" {
    find s in seat where count_of(Ball(red), kept[s]) == 2
    within 3 plies
}
study two_each "Can both seats have two balls?" {
    find every { count kept[s] == 2 for s in seat }
    within 9 plies
}
study blue_gone "How soon can a seat not get the blue ball any more?" {
    find s in seat
    never Ball(blue) in kept[s]
    within 4 plies
}
study after_red "From one red ball left: can the next be blue?" {
    given { from seed 1 at main.draw  move Ball(red) from bag to lost }
    find drawn == Ball(blue)
    within 1 plies
}
"#;

/// Searches in a copy of its own, for tests run side by side.
fn balls(copy: &str, args: &str) -> Ran {
    let path = rulebook(&format!("balls-{copy}.rules"), BALLS);
    adit(&format!("--plain study {} {args}", path.display()))
}

fn snapshot(name: &str, text: &str) {
    crate::fixtures::snapshot("studies", name, text);
}

#[test]
fn the_shortest_line_is_found() {
    let ran = adit(&format!("--plain study {TIC_TAC_TOE}"));
    snapshot("tic_tac_toe", &ran.out);
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
}

#[test]
fn every_outcome_of_chance_is_followed() {
    let ran = balls("chance", "all_red blue_gone after_red");
    snapshot("balls", &ran.out);
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
}

/// Two heaps, a number and cards, and studies that name several of them.
const NAMES: &str = r#"
game two "Two heaps" { seats anna, bert }
enum Heap { left, right }
component Card { value: 1..3 }
track size[Heap]: 0..3 = 2
track tall: 0..99 = 30
zone deck: bag of Card open
zone hand[seat]: bag of Card open
supply every Card in deck
action take(h: Heap) "take {h}" { require some_left: size[h] > 0 else "empty"  do { size[h] -= 1 } }
action draw_it(c in deck) "draw {c}" { do { move c from deck to hand[me] } }
flow main() { turns me from anna { choose me: take | draw_it otherwise { end over() } } }
ending over() { winner none }
study second "second" { find g in Heap, h in Heap where h == right within 4 plies }
study first "first" { find g in Heap, h in Heap where g == right within 4 plies }
study both "both" { find h in Heap, g in Heap where size[h] == 0 and size[g] == 2 within 4 plies }
study card "a card" { find s in seat, c in hand[s] where c.value == 3 within 4 plies }
study later "the second one fits" {
    find h in Heap where size[left] == 1
    never size[right] == 0 and h == left
    within 1 plies
}
study many "too many" {
    find a in 0..tall, b in 0..tall, c in 0..tall where a + b + c > 0
    never size[left] == 2
    within 4 plies
}
"#;

#[test]
fn every_name_takes_every_value() {
    let path = rulebook("names.rules", NAMES);
    let ran = adit(&format!("--plain study {}", path.display()));
    snapshot("several_names", &format!("{NAMES}\n{}{}", ran.out, ran.err));
    assert_eq!(ran.exit, Exit::No);
    let json = adit(&format!("--json study {} many", path.display()));
    assert!(
        json.out.contains("\"searched\":\"values\"")
            || json.out.contains("\"searched\": \"values\""),
        "{}",
        json.out
    );
}

#[test]
fn where_nothing_is_found_it_says_how_much_was_searched() {
    let whole = balls("none", "two_each");
    whole.says(Exit::No, "none in the whole game from there");
    let two = balls("none", "two_each --plies 2");
    assert!(two.out.contains("none within 2 plies:"), "{}", two.out);
    let few = balls("none", "two_each --positions 4");
    assert!(
        few.out.contains("before the bound on positions"),
        "{}",
        few.out
    );
}

#[test]
fn a_kept_line_replays_and_an_outcome_that_cannot_be_is_refused_at_its_line() {
    let kept = rulebook("all_red.jsonl", "");
    let ran = balls("kept", &format!("all_red --save {}", kept.display()));
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.err);
    let again = adit(&format!("replay {}", kept.display()));
    assert_eq!(again.exit, Exit::Yes, "{}", again.err);
    let text = fs::read_to_string(&kept).unwrap();
    let behind_the_header: Vec<&str> = text.lines().skip(1).collect();
    snapshot("kept_line", &behind_the_header.join("\n"));

    // There is one blue ball only.
    let other = text.replace("\"value\":\"red\"", "\"value\":\"blue\"");
    let other = rulebook("all_blue.jsonl", &other);
    let refused = adit(&format!("--plain replay {}", other.display()));
    refused.complains(Exit::No, "F0811");
    assert!(refused.err.contains("all_blue.jsonl:4:"), "{}", refused.err);
    // A colour that is none.
    let other = rulebook("green.jsonl", &text.replacen("\"red\"", "\"green\"", 1));
    let refused = adit(&format!("--plain replay {}", other.display()));
    assert!(refused.err.contains("green.jsonl:2:"), "{}", refused.err);
    assert!(refused.err.contains("J0907"), "{}", refused.err);
}

#[test]
fn what_cannot_be_searched_is_said() {
    let unknown = balls("said", "all_rod");
    unknown.complains(Exit::Failure, "did you mean `all_red`");
    let several = balls("said", "--save lines.jsonl");
    assert!(several.err.contains("J0932"), "{}", several.err);
    let path = rulebook(
        "deck.rules",
        r#"game deck "Deck" { seats anna, bert }
component Card { value: 1..20 }
zone deck: pile of Card hidden
zone hand[seat]: bag of Card seen by owner
supply every Card in deck
action wait() "wait" { }
flow main() { draw 5 of deck to hand[bert]  choose first(seat): wait  end over() }
ending over() { winner none }
study any "Is there a position?" { find false within 1 plies }
"#,
    );
    let deck = adit(&format!("--plain study {}", path.display()));
    assert!(deck.err.contains("J0931"), "{}{}", deck.out, deck.err);
}

#[test]
fn a_search_has_a_depth() {
    let path = rulebook(
        "depth.rules",
        &BALLS.replace("within 9 plies", "within 0 plies"),
    );
    let ran = adit(&format!("--plain check {}", path.display()));
    assert!(ran.out.contains("E0512"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_rulebook_without_a_study_says_so() {
    let ran = adit("study tunnels");
    ran.complains(Exit::Failure, "Tunnels has no study");
}

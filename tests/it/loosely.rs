//! A person at the table who never read the manual.

use crate::command::adit_with;
use crate::prompt::fresh;

/// What a game answers to what is typed.
fn answers(name: &str, game: &str, typed: &str) -> String {
    let path = fresh(&format!("loosely_{name}.jsonl"));
    let line = format!("play {game} --journal {}", path.display());
    adit_with(&line, typed).out
}

const CHANNEL: &str = "channel_tunnel --seed 3 --seats human,random";

/// However a move is written, what forbids it is found as the move would be.
#[test]
fn what_is_forbidden_is_found_as_what_is_legal() {
    let ways = [
        "orange on card 1",
        "orange card 1",
        "card 1 orange",
        "place the orange to card 1",
        "oran car 1",
        "órange, card 1",
    ];
    let told = answers("orange", CHANNEL, &(ways.join("\n") + "\nquit\n"));
    let forbidden = told.matches("`orange on card 1` is not legal: `place.c`");
    assert_eq!(forbidden.count(), ways.len(), "{told}");
    assert!(told.contains("orange is not among your colours"), "{told}");
}

/// A number of what is taken as a whole plays nothing; the nearest is asked for.
#[test]
fn a_count_of_what_goes_as_a_whole_is_asked_about() {
    let typed = "5 white on plan\ntake white on plan\n2 white on plan\nquit\n";
    let told = answers("count", CHANNEL, typed);
    assert_eq!(
        told.matches("did you mean `white on Plan/Tunnel`").count(),
        3,
        "{told}"
    );
    // Of what is begun, the letters that are typed count.
    let told = answers("begun", CHANNEL, "put 3 white on plan\nquit\n");
    assert!(
        told.contains("legal here: `white on Plan/Tunnel`"),
        "{told}"
    );
}

const ON_PLANS: &str = "What may be done: Plan: plan";

/// However a question is put, it is about something, or it is none.
#[test]
fn questions_are_about_something() {
    let answer = |line: &str| answers("about", CHANNEL, &format!("{line}\nquit\n"));
    for line in [
        "help plan",
        "Help with a plan",
        "what is the plan?",
        "what does plan do",
        "how do plan work?",
        "explain plan",
    ] {
        let told = answer(line);
        assert!(told.contains(ON_PLANS), "{line}: {told}");
    }
    for line in ["help", "what is", "what is the", "what now?", "plan"] {
        let told = answer(line);
        assert!(!told.contains("What may be done"), "{line}: {told}");
    }
}

/// Whoever asks in words of their own reads the rules, and sees what lies there.
#[test]
fn questions_are_asked_in_words() {
    let typed = "help plan\nquit\n";
    let told = answers("plan", CHANNEL, typed);
    assert!(told.contains(ON_PLANS), "{told}");
    let tunnels = "tunnels --plain --seed 5 --seats human,greedy";
    let typed = "hand\nmy hand\nshow hand\nwhat is a zeppelin?\nquit\n";
    let told = answers("hand", tunnels, typed);
    assert_eq!(told.matches("south hand: 10c\n").count(), 3, "{told}");
    assert!(
        told.contains("no rule offers `what is a zeppelin?` here"),
        "{told}"
    );
}

const CARDS: &str = "game g \"G\" { seats anna, bert }
enum Suit { clubs \"♣\" \"c\", hearts \"♥\" \"h\" }
enum Rank { ten \"10\", queen \"Q\", king \"K\" }
component Card { suit: Suit, rank: Rank }
show Card as \"{rank}{suit}\"
zone hand[seat]: bag of Card seen by owner
zone out: bag of Card
supply every Card in out
track n: 0..2 = 0
show hand as \"hand\"
action play(card in hand[me]) \"play {card}\" { do { move card from hand[me] to out } }
action quiet() \"quiet\" { do { n = 1 } }
action wait() \"wait\" { do { n = 2 } }
flow main() {
    move Card(clubs, ten) from out to hand[anna]
    move Card(clubs, queen) from out to hand[anna]
    repeat 9 { choose anna: play | quiet | wait }
    end over
}
ending over() { ranking seat by 0 }
";

/// What the game of cards answers.
fn at_cards(name: &str, typed: &str) -> String {
    let path = fresh(&format!("loosely_{name}.rules"));
    std::fs::write(&path, CARDS).expect("a rulebook");
    let game = format!("{} --plain --seed 1 --seats human,first", path.display());
    answers(name, &game, typed)
}

/// Of a kind of things of which none is there it is said that none is; one of them is not named.
#[test]
fn none_of_a_kind_is_told() {
    let told = at_cards("kind", "hearts\nwhy not hearts\nplay hearts\nkh\nquit\n");
    assert!(
        told.contains("`hearts` is not legal: `play.card`: nothing of that name is in your hand"),
        "{told}"
    );
    assert!(told.contains("`play.card` forbids `hearts`"), "{told}");
    assert!(told.contains("Kh is not in your hand"), "{told}");
}

/// A place from which something comes may be named by its row, if nothing is called so.
#[test]
fn a_row_is_enough_where_nothing_is_called_so() {
    let chess = "chess --seed 3 --seats human,human";
    let told = answers("exd5", chess, "e4\nd5\nexd5\nquit\n");
    assert!(told.contains("white: e4-d5\n"), "{told}");
    // A `b` is a bishop as well.
    let told = answers("bxc5", chess, "b4\nc5\nbxc5\nquit\n");
    assert!(!told.contains("white: b4-c5\n"), "{told}");
    let told = answers("pawn", chess, "castle\npawn e4\nquit\n");
    assert!(told.contains("white: e2-e4\n"), "{told}");
    assert!(told.contains("`castle.clear`"), "{told}");
}

/// The first letter of an order makes no move, though it begins one.
#[test]
fn a_letter_that_begins_an_order_makes_no_move() {
    let told = at_cards("letter", "qui\nquie\nquit\n");
    let asked = told.matches("begins `quit` as well as `quiet`").count();
    assert_eq!(asked, 1, "{told}");
    assert!(told.contains("anna: quiet\n"), "{told}");
    let told = at_cards("waiting", "skip\nquit\n");
    assert!(!told.contains("did you mean"), "{told}");
}

//! What is offered while somebody writes.

use serde_json::{Value, json};

use super::editor::{Editor, edited, place_at};

const GAME: &str = include_str!("../../../rules/classics/tic_tac_toe.rules");
const OPTIONS: &str = "
question corner \"Who begins?\" cite custom N-2 { x_begins \"Crosses.\" default  o_begins \"Noughts.\" }
option hands: 2..4 = 3 \"How many\" cite custom N-2
track last: Square or none = none
";

fn offers(editor: &mut Editor, name: &str, text: &str) -> Vec<Value> {
    let at = json!({ "position": place_at(text, text.len()) });
    let found = editor.about("textDocument/completion", name, at);
    match found {
        Value::Array(all) => all,
        _ => Vec::new(),
    }
}

fn labels(all: &[Value]) -> Vec<&str> {
    let mut all: Vec<&Value> = all.iter().collect();
    all.sort_by_key(|it| it["sortText"].as_str().unwrap());
    all.iter().map(|it| it["label"].as_str().unwrap()).collect()
}

/// What is offered behind some words at the end of a text that was whole before.
fn behind(before: &str, words: &str) -> Vec<Value> {
    let mut editor = Editor::new();
    editor.open("it.rules", before);
    let text = format!("{before}{words}");
    editor.findings("it.rules");
    editor.change("it.rules", json!([{ "text": text }]));
    offers(&mut editor, "it.rules", &text)
}

#[test]
fn an_edit_is_offered_addresses_and_readings() {
    let mut editor = Editor::new();
    let base = GAME.replace("game tic_tac_toe", "game noughts") + OPTIONS;
    editor.open("noughts.rules", &base);
    let mut ask = |words: &str| {
        let text = format!("variant mine \"Mine\" for noughts {{ }}\n\n{words}");
        editor.open("mine.rules", &text);
        (text.clone(), offers(&mut editor, "mine.rules", &text))
    };
    let (_, all) = ask("remove ");
    let all = labels(&all);
    for it in [
        "place.free",
        "board",
        "main",
        "corner.x_begins",
        "Mark.side",
    ] {
        assert!(all.contains(&it), "{it}: {all:?}");
    }
    // The whole address is written anew.
    let (text, all) = ask("replace place.fr");
    let free = all.iter().find(|it| it["label"] == "place.free").unwrap();
    assert!(edited(&text, &json!([free["textEdit"]])).ends_with("\n\nreplace place.free"));
    // An edit is offered what takes it, and the words for its parameters.
    let (_, all) = ask("forbid ");
    assert_eq!(labels(&all), ["place(at)"]);
    let (_, all) = ask("permit ");
    assert!(
        labels(&all).contains(&"place.free(at)"),
        "{:?}",
        labels(&all)
    );
    let (_, all) = ask("set ");
    assert_eq!(labels(&all), ["corner", "hands"]);
    let (_, all) = ask("set corner = ");
    assert_eq!(labels(&all), ["x_begins", "o_begins"]);
    let (_, all) = ask("set hands = ");
    assert_eq!(labels(&all), ["2", "3", "4"]);
    let (_, all) = ask("insert ");
    assert_eq!(labels(&all), ["after", "before"]);
    let (_, all) = ask("");
    assert!(labels(&all).contains(&"forbid"), "{:?}", labels(&all));
}

#[test]
fn a_file_begins_with_what_it_is_and_what_it_amends() {
    let mut editor = Editor::new();
    editor.open("own.rules", "");
    let all = offers(&mut editor, "own.rules", "");
    let all = labels(&all);
    assert_eq!(all, ["edition", "expansion", "game", "part", "variant"]);
    let text = "variant own \"Own\" for ";
    editor.change("own.rules", json!([{ "text": text }]));
    let all = offers(&mut editor, "own.rules", text);
    let all = labels(&all);
    assert!(
        all.contains(&"tunnels") && all.contains(&"chess"),
        "{all:?}"
    );
}

#[test]
fn a_body_is_offered_what_it_can_name() {
    let all = behind(GAME, "\ndefine foo(column: Column): bool = column == ");
    assert_eq!(labels(&all)[..4], ["a", "b", "c", "column"]);
    let all = behind(GAME, "\ndefine foo(mark: Mark): bool = mark.");
    assert_eq!(labels(&all), ["side"]);
    let all = behind(GAME, "\ndefine foo(mark: ");
    assert!(labels(&all).contains(&"Square"), "{:?}", labels(&all));
    let all = behind(GAME, "\nflow other() {\n    cho");
    assert!(labels(&all).contains(&"choose") && labels(&all).contains(&"main"));
    assert!(!labels(&all).contains(&"zone"), "{:?}", labels(&all));
    // Nothing is offered inside of a comment.
    assert_eq!(behind(GAME, "\n// the fl"), [] as [Value; 0]);
}

#[test]
fn what_an_edit_names_has_the_fields_of_its_kind() {
    let mut editor = Editor::new();
    let base = GAME.replace("game tic_tac_toe", "game noughts");
    editor.open("noughts.rules", &base);
    let text = "variant mine \"Mine\" for noughts { }\n\nforbid place(there) label l when there.";
    editor.open("mine.rules", text);
    let all = offers(&mut editor, "mine.rules", text);
    let mut all = labels(&all);
    all.sort_unstable();
    assert_eq!(all, ["column", "row"]);
}

const MARKET: &str = "\
game market \"Market\" {
    source house \"The house\" sentences H-1..H-2
    seats alice, bob
}
sentences house \"Rules\" { H-1 \"First.\" H-2 \"Second.\" }
enum Colour { red, green, blue }
record Deal { colour: Colour, price: 0..9 }
component Token { colour: Colour }
supply 1 every Token in box
zone box: bag of Token
zone held[seat]: bag of Token
track worth[Colour]: 0..9 = 1
track last: Colour or none = none
question opening \"Who begins?\" cite house H-1 { first \"Alice.\" default  second \"Bob.\" }
action take(c in Colour) \"take {c}\" cite house H-1 {
    require there: Token(c) in box else \"no {c}\"
    do { move Token(c) from box to held[me]  last = c }
}
ending sold { winner alice }
define cheap(d: Deal): bool = d.price < 3
flow main() { step round { window alice { once buy: take } choose bob: take }  end sold }
position begun \"Begun\" { worth[red] = 2 }
ruling R-1 \"One may take\" answers opening { given begun expect legal alice: take(red) }
";

#[test]
fn where_little_fits_nothing_else_is_offered() {
    let mut editor = Editor::new();
    editor.open("market.rules", MARKET);
    let errors = editor.findings("market.rules");
    let errors = errors.as_array().unwrap().iter();
    let errors: Vec<&Value> = errors.filter(|it| it["severity"] == 1).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let header =
        "/// A house rule, for all.\nvariant mine \"Mine\" for market { }\n\n/// Of a b.\n";
    editor.open("mine.rules", header);
    let mut ask = |words: &str| {
        let text = format!("{header}{words}");
        editor.change("mine.rules", json!([{ "text": text }]));
        let all = offers(&mut editor, "mine.rules", &text);
        let mut all: Vec<String> = labels(&all).iter().map(|it| (*it).to_owned()).collect();
        all.sort_unstable();
        all.join(" ")
    };
    let table = [
        ("add values to ", "Colour"),
        ("add choice to ", "main.round main.round.buy"),
        ("add readings to ", "opening"),
        ("set opening = ", "first second"),
        ("event e(c: Colour) { move Token(c) from ", "box held"),
        (
            "event e(c: Colour) { move Token(c) from box to h",
            "box held",
        ),
        ("event e(s: seat) { choose s: ", "take"),
        ("define e(d: Deal): bool = d.", "colour price"),
        ("define e(t: Token): bool = t.", "colour"),
        ("define e(s: seat): bool = can(s, ", "take"),
        ("define e(c: Colour): int = by c { ", "blue green red"),
        (
            "define e(c: Colour): int = by c { red => 1 gr",
            "blue green",
        ),
        ("table t[Colour]: 0..3 { ", "blue green red"),
        ("add choice to main.round.buy: once t: ", "take"),
        ("ruling R \"r\" answers ", "opening"),
        ("ruling R \"r\" cite ", "house"),
        ("ruling R \"r\" cite house ", "H-1 H-2"),
        ("ruling R \"r\" cite house H-", "H-1 H-2"),
        ("ruling R \"r\" { given ", "begun"),
        (
            "ruling R \"r\" { given begun expect illegal alice: ",
            "take",
        ),
        (
            "ruling R \"r\" { given begun expect illegal alice: take by ",
            "there",
        ),
        ("ruling R \"r\" { given begun expect ended by ", "sold"),
        (
            "ruling R \"r\" { given begun expect 1 == 1 under ",
            "opening",
        ),
        (
            "ruling R \"r\" { given begun expect 1 == 1 under opening = ",
            "first second",
        ),
    ];
    let wrong = table
        .iter()
        .map(|(words, wanted)| (words, wanted, ask(words)));
    let wrong: Vec<_> = wrong.filter(|(_, wanted, all)| all != *wanted).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let first = [
        ("ruling R \"r\" { given begun when alice: take(", "c: "),
        ("ruling R \"r\" { given begun when alice: take(c: ", "blue"),
        ("define e(d: Deal): bool = d.colour in { red, ", "blue"),
        ("define e: int = worth[", "blue"),
        ("forbid take(c) label l when c == ", "blue"),
    ];
    for (words, wanted) in first {
        let text = format!("{header}{words}");
        editor.change("mine.rules", json!([{ "text": text }]));
        let all = offers(&mut editor, "mine.rules", &text);
        assert_eq!(
            labels(&all).first(),
            Some(&wanted),
            "{words}: {:?}",
            labels(&all)
        );
    }
}

/// Nobody waits for a look at the text behind a key: what was known before is moved to where it lies now.
#[test]
fn what_is_asked_right_behind_a_key_is_about_the_text_as_it_is() {
    let mut editor = Editor::new();
    let text = format!("{GAME}\n// é\ndefine foo(mark: Mark, other: Square): bool = mark");
    editor.open("it.rules", &text);
    editor.findings("it.rules");
    let type_in = |editor: &mut Editor, text: &str, at: usize, typed: &str| {
        let place = place_at(text, at);
        let typed = json!({ "range": { "start": place, "end": place }, "text": typed });
        editor.change("it.rules", json!([typed]));
    };
    type_in(&mut editor, &text, text.len(), ".");
    let dotted = format!("{text}.");
    assert_eq!(labels(&offers(&mut editor, "it.rules", &dotted)), ["side"]);
    editor.change("it.rules", json!([{ "text": text }]));
    editor.findings("it.rules");
    // Before the change and behind it; what the change touches is looked at anew.
    let mut grown = text.clone();
    let at = text.find("// é").unwrap() + 3;
    grown.insert_str(at, "é🎲");
    type_in(&mut editor, &text, at, "é🎲");
    for words in ["Mark cite", "mark: Mark", "Square): bool"] {
        let at = grown.find(words).unwrap();
        let there = place_at(&grown, at + 1);
        let told = editor.about(
            "textDocument/hover",
            "it.rules",
            json!({ "position": there }),
        );
        assert_eq!(told["range"]["start"], place_at(&grown, at), "{words}");
    }
    let at = grown.find("foo").unwrap() + 3;
    type_in(&mut editor, &grown, at, "l");
    grown.insert(at, 'l');
    let there = place_at(&grown, at);
    let told = editor.about(
        "textDocument/hover",
        "it.rules",
        json!({ "position": there }),
    );
    let ends = place_at(&grown, at + 1);
    assert_eq!(told["range"]["end"], ends, "{told}");
    let said = told["contents"]["value"].as_str().unwrap();
    assert!(said.contains("fool"), "{said}");
}

#[test]
fn only_types_are_offered_where_one_stands() {
    let types = |words: &str| {
        let all = behind(GAME, words);
        let all: Vec<String> = labels(&all).into_iter().map(str::to_owned).collect();
        for it in ["Mark", "Square", "bool"] {
            assert!(all.iter().any(|there| there == it), "{words}: {all:?}");
        }
        for it in ["board", "main", "place", "a"] {
            assert!(!all.iter().any(|there| there == it), "{words}: {all:?}");
        }
    };
    for words in [
        "\ndefine x: ",
        "\ndefine x(a: Square): ",
        "\ndefine x(a: ",
        "\ntrack t[Square]: ",
        "\naction turn(a: ",
        "\ncomponent Coin { worth: ",
    ] {
        types(words);
    }
    let all = behind(GAME, "\ndefine x: bool cite custom N-2 status ");
    assert!(labels(&all).contains(&"literal"), "{:?}", labels(&all));
    assert!(!labels(&all).contains(&"board"), "{:?}", labels(&all));
}

#[test]
fn a_comment_before_the_header_hides_no_base() {
    let mut editor = Editor::new();
    let text = "/// A rule for all: one in two.\nvariant own \"Own\" for ";
    editor.open("own.rules", text);
    let all = offers(&mut editor, "own.rules", text);
    let all = labels(&all);
    assert!(all.contains(&"tunnels") && !all.contains(&"one"), "{all:?}");
}

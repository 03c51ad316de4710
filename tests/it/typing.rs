//! Moves as people type them in a hurry: the beginnings of their words.

use adit::model::text::Form;
use std::collections::BTreeSet;

use adit::engine::{Dice, Machine, Move, Program, Status};
use adit::play::groups::Groups;
use adit::play::{Meant, Session, completed, is_called, meant, typed};

use crate::face::program;
use crate::fixtures::{program_of, width};
use crate::secrets::header;

const GAMES: [&str; 6] = [
    "rules/tunnels.rules",
    "rules/channel_tunnel.rules",
    "rules/carcassonne.rules",
    "rules/classics/gomoku.rules",
    "rules/classics/backgammon.rules",
    "tests/fixtures/complete/hearts.rules",
];

/// Looks at positions of a random game.
fn walk(program: &Program, plies: usize, look: &mut dyn FnMut(&mut Machine<'_>)) {
    let mut machine = Machine::new(program);
    let mut dice = Dice::new(5);
    machine.start(&mut dice).expect("a game that begins");
    for ply in 0..plies {
        if machine.status() == Status::Ended {
            return;
        }
        look(&mut machine);
        let at = (ply * 7 + 3) % machine.moves().len();
        machine.play_nth(at, &mut dice).expect("a move");
    }
}

/// The first letters of each word, behind one another or turned round.
fn shortened(name: &str, letters: usize) -> String {
    let words = name.split(' ');
    let short = words.map(|it| it.chars().take(letters).collect::<String>());
    short.collect::<Vec<_>>().join(" ")
}

/// Whether each typed word begins a word of the move.
fn names(machine: &mut Machine<'_>, mv: Move, typed: &str) -> bool {
    let forms = Form::ALL.map(|form| machine.print(mv, form).to_lowercase());
    let mut words = forms.iter().flat_map(|it| it.split([' ', '-', '/', ',']));
    let whole = forms.iter().flat_map(|it| it.split(' '));
    let words: BTreeSet<&str> = words.by_ref().chain(whole).collect();
    let typed = typed.to_lowercase();
    let without = |it: &str| it.replace([' ', '-', '/', ':'], "");
    if forms.iter().any(|it| without(it) == without(&typed)) {
        return true;
    }
    // A card by its suit and rank, as `hQ`.
    let turned = typed.split(' ').map(|it| match it.char_indices().nth(1) {
        Some((at, _)) if it.starts_with(char::is_alphabetic) => {
            format!("{}{}", &it[at..], &it[..at])
        }
        _ => it.to_owned(),
    });
    let turned = turned.collect::<Vec<_>>().join(" ");
    let is_turned = turned
        .split(' ')
        .zip(typed.split(' '))
        .all(|(one, other)| words.contains(one) || words.iter().any(|it| it.starts_with(other)));
    if is_turned {
        return true;
    }
    let begin = |mut typed: std::str::Split<'_, &[char]>| {
        typed.all(|short| words.iter().any(|it| it.starts_with(short)))
    };
    begin(typed.split(&[' '][..])) || begin(typed.split(&[' ', '-', '/', ':', 'x'][..]))
}

#[test]
fn beginnings_of_words_play_no_move_that_they_do_not_name() {
    for path in GAMES {
        let program = program(path, &[]).unwrap();
        let mut seen: Vec<String> = Vec::new();
        walk(&program, width(12, 30, 60) as usize, &mut |machine| {
            let moves = machine.moves().to_vec();
            let own = machine.names(Form::Signs);
            for (at, name) in own.iter().enumerate().step_by(own.len() / 6 + 1) {
                for letters in 1..4 {
                    let typed = shortened(name, letters);
                    match meant(machine, &typed) {
                        Meant::One(mv) => assert!(
                            mv == moves[at] || names(machine, mv, &typed),
                            "{path}: {typed} for {name}"
                        ),
                        // A whole word goes before the beginning of another.
                        Meant::Several(several) => {
                            for at in several {
                                assert!(names(machine, moves[at], &typed), "{path}: {typed}");
                            }
                        }
                        Meant::Nothing => {}
                    }
                }
            }
            // What was legal before may not be now.
            for name in seen.iter().rev().take(12) {
                if let Meant::One(mv) = meant(machine, name) {
                    let own = machine.print(mv, Form::Signs);
                    assert!(names(machine, mv, name), "{path}: {name} plays {own}");
                }
            }
            seen.extend(own.into_iter().take(4));
        });
    }
}

/// A name with a letter left out, doubled or changed, or two that stand the wrong way round.
fn mistyped(name: &str, slip: usize) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let at = slip / 4 % letters.len().saturating_sub(1).max(1);
    match slip % 4 {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        2 => letters[at] = 'x',
        _ => letters.swap(at, at + 1),
    }
    letters.into_iter().collect()
}

/// Whoever slips plays no other move than the one that the letters name, or is told what would be legal.
#[test]
fn what_is_mistyped_is_understood_or_answered_with_the_nearest() {
    for path in GAMES {
        let program = program(path, &[]).unwrap();
        let mut session = Session::start(&program, header(&program, 5)).unwrap();
        for ply in 0..width(6, 20, 60) as usize {
            let names_here = session.machine().names(Form::Plain);
            for (nth, name) in names_here.iter().enumerate().take(12) {
                let text = mistyped(name, ply * 5 + nth);
                let read = typed::read(&mut session, &text, Form::Plain);
                let found = meant(session.machine(), &text);
                match (read, found) {
                    (Ok(mv), _) | (Err(_), Meant::One(mv)) => {
                        assert!(names(session.machine(), mv, &text), "{path}: {text}");
                    }
                    (Err(_), Meant::Several(_)) => {}
                    (Err(problem), Meant::Nothing) => {
                        let help = problem.nearest().help.expect(&text);
                        let is_told = names_here.iter().any(|it| help.contains(it));
                        assert!(is_told, "{path}: {text}: {help}");
                    }
                }
            }
            let moves = session.machine().moves().to_vec();
            if session.play(moves[(ply * 7 + 3) % moves.len()]).unwrap() == Status::Ended {
                break;
            }
        }
    }
}

/// Whoever writes other signs between the words of a move, or none, is understood; whoever writes what is no move is told
/// first of those that share a word with it.
#[test]
fn other_signs_are_understood() {
    let chess = program("rules/classics/chess.rules", &[]).unwrap();
    let mut session = Session::start(&chess, header(&chess, 1)).unwrap();
    for text in ["e2e4", "e2 e4", "e2/e4", "E2:e4", "e2→e4", "e2-E4"] {
        let Meant::One(mv) = meant(session.machine(), text) else {
            panic!("{text}");
        };
        assert_eq!(session.machine().print(mv, Form::Plain), "e2-e4", "{text}");
    }
    // As those who note games do: what lies there stands for the place.
    for text in ["Nf3", "nf3", "Nxf3", "Nf3!"] {
        let Meant::One(mv) = meant(session.machine(), text) else {
            panic!("{text}");
        };
        assert_eq!(session.machine().print(mv, Form::Plain), "g1-f3", "{text}");
    }
    for text in ["Nf4", "Bf3", "Nf", "N", "NNf3"] {
        let found = meant(session.machine(), text);
        assert!(!matches!(found, Meant::One(_)), "{text}: {found:?}");
    }
    for text in ["e4e2", "e4-e2", "e2e", "e2e44"] {
        assert_eq!(meant(session.machine(), text), Meant::Nothing, "{text}");
    }
    let problem = typed::read(&mut session, "Nf3", Form::Plain).unwrap_err();
    assert_eq!(problem.legal[..2], ["f2-f3", "g1-f3"], "{problem:?}");
    let text = "game g \"G\" { seats anna, bert }
enum Hue { red, black }
track n: 0..9 = 0
action keep(k in 0..6, h: Hue) \"keep {k} {h}\" { do { n = k } }
action pair(k in 1..6, j in 1..6) \"pair {k} {j}\" { do { n = k } }
flow main() { repeat 9 { choose anna: keep | pair } end over }
ending over() { ranking seat by 0 }";
    let copies = crate::secrets::program(text).unwrap();
    let mut session = Session::start(&copies, header(&copies, 1)).unwrap();
    let cases = [
        ("2x black", "keep 2 black"),
        ("keep 2× b", ""),
        ("2xblack", ""),
        ("pair 2x6", "pair 2 6"),
        ("black 2x", "keep 2 black"),
    ];
    for (text, name) in cases {
        let found = match meant(session.machine(), text) {
            Meant::One(mv) => session.machine().print(mv, Form::Plain),
            _ => String::new(),
        };
        assert_eq!(found, name, "{text}");
    }
    let problem = typed::read(&mut session, "raise 3", Form::Plain).unwrap_err();
    assert!(problem.help.is_some(), "{problem:?}");
}

#[test]
fn a_place_is_not_the_beginning_of_another() {
    let program = program("rules/classics/gomoku.rules", &[]).unwrap();
    let mut machine = Machine::new(&program);
    let mut dice = Dice::new(1);
    machine.start(&mut dice).unwrap();
    let at = machine
        .names(Form::Plain)
        .iter()
        .position(|it| it == "a1")
        .unwrap();
    machine.play_nth(at, &mut dice).unwrap();
    assert_eq!(meant(&mut machine, "a1"), Meant::Nothing);
    assert!(matches!(meant(&mut machine, "a"), Meant::Several(_)));
}

/// Words in the order in which a move has them go before others, and a word that is written as one with another is found.
#[test]
fn what_is_typed_in_its_order_is_meant() {
    let text = "game g \"G\" { seats anna, bert }
enum Tile { east \"E\" \"e\", far \"F\" \"f\" }
enum Way { east_way \"e\", south_way \"s\" }
enum Place { one \"Plan/Tunnel\", two \"Tech\" }
track n: 0..9 = 0
action lay(t: Tile, k in 1..3, w: Way) \"{t} at {k} turned {w}\" { do { n = k } }
action work(p: Place) \"work {p}\" { do { n = 1 } }
flow main() { repeat 9 { choose anna: lay | work } end over }
ending over() { ranking seat by 0 }";
    let program = crate::secrets::program(text).unwrap();
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    let mut found = |text: &str| match meant(session.machine(), text) {
        Meant::One(mv) => session.machine().print(mv, Form::Plain),
        Meant::Several(all) => format!("{} moves", all.len()),
        Meant::Nothing => String::new(),
    };
    let cases = [
        ("f 2 e", "f at 2 turned e"),
        ("f e 2", "f at 2 turned e"),
        ("at 2 e", "2 moves"),
        ("e 2", "2 moves"),
        ("e 2 e", "e at 2 turned e"),
        ("tunnel", "work Plan/Tunnel"),
        ("work tun", "work Plan/Tunnel"),
        ("tu", "12 moves"),
    ];
    for (text, name) in cases {
        assert_eq!(found(text), name, "{text}");
    }
}

#[test]
fn few_words_in_any_order_name_a_move() {
    let program = program("rules/tunnels.rules", &[]).unwrap();
    let mut machine = Machine::new(&program);
    machine.start(&mut Dice::new(7)).unwrap();
    let name = machine.names(Form::Plain)[0].clone();
    let words: Vec<&str> = name.split(' ').collect();
    let [verb, card, _, place] = words.as_slice() else {
        panic!("{name}")
    };
    let first = machine.moves()[0];
    for typed in [
        format!("{} {place}", &verb[..2]),
        format!("{place} {}", card.to_lowercase()),
        format!("W {} {}", place.to_uppercase(), &verb[..1]),
    ] {
        assert_eq!(meant(&mut machine, &typed), Meant::One(first), "{typed}");
    }
    assert_eq!(meant(&mut machine, "x a1"), Meant::Nothing);
}

/// The figures of the design: how many lines of a terminal the moves of a choice take.
#[test]
fn moves_take_few_lines() {
    for path in GAMES {
        let program = program(path, &[]).unwrap();
        let (mut choices, mut long) = (0, 0);
        walk(&program, width(25, 100, 400) as usize, &mut |machine| {
            let groups = Groups::of(machine, Form::Signs);
            let most = groups.lines(78, Some(6));
            assert!(most.len() <= 6, "{path}: {most:?}");
            let lines = groups.lines(78, None);
            for line in most.iter().chain(&lines) {
                assert!(line.chars().count() <= 78, "{path}: {line}");
            }
            choices += 1;
            long += usize::from(lines.len() > 10);
        });
        // Of a landscape there are as many lines as spots and turns, and of a large board as many as places.
        let most = match path {
            "rules/carcassonne.rules" => 46,
            "rules/classics/gomoku.rules" => continue,
            _ => 0,
        };
        assert!(long * 100 <= most * choices, "{path}: {long} of {choices}");
    }
}

/// Whoever writes commas and small words is understood; of whoever names two values the other way round it is asked whether
/// the move is meant.
#[test]
fn several_things_are_named_as_people_name_them() {
    let text = "game g \"G\" { seats anna, bert }
enum Hue { red, blue, white }
track n: 0..9 = 0
action pay(x: Hue, y: Hue) \"pay {x} and {y}\" { require up: y > x do { n = 1 } }
action buy(x: Hue) \"buy {x} for one\" { do { n = 2 } }
flow main() { repeat 9 { choose anna: pay | buy } end over }
ending over() { ranking seat by 0 }";
    let program = crate::secrets::program(text).unwrap();
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    let mut found = |text: &str| match typed::read_begun(&mut session, text, Form::Plain) {
        Ok(mv) => session.machine().print(mv, Form::Plain),
        Err(problem) => problem.help.unwrap_or_default(),
    };
    let cases = [
        ("pay red, white", "pay red and white"),
        ("pay red & white of my", "pay red and white"),
        ("red,white please", "pay red and white"),
        ("pay with the red + the white", "pay red and white"),
        ("buy white for", "buy white for one"),
        ("pay white and red", "did you mean `pay red and white`?"),
        ("pay white, red", "did you mean `pay red and white`?"),
        ("white red", "did you mean `pay red and white`?"),
    ];
    for (text, name) in cases {
        assert_eq!(found(text), name, "{text}");
    }
    assert!(found("pay red, white with blue").starts_with("legal here"));
}

/// A card is known by the names of its suit and rank, in either order.
#[test]
fn cards_have_other_names() {
    let program = program("rules/classics/whist.rules", &[]).unwrap();
    let mut session = Session::start(&program, header(&program, 1)).unwrap();
    let mut answer = |text: &str| match typed::read(&mut session, text, Form::Plain) {
        Ok(mv) => session.machine().print(mv, Form::Plain),
        Err(problem) => problem.message,
    };
    for (text, card) in [
        ("ten of spades", "10s"),
        ("the spades ten", "10s"),
        ("hq", "Qh"),
        ("Queen of Hearts", "Qh"),
        ("d2", "2d"),
    ] {
        let told = answer(text);
        let is_it = told == card || told.starts_with(&format!("`{card}` is not legal"));
        assert!(is_it, "{text}: {told}");
    }
    assert!(answer("eleven of spades").starts_with("there is no"));
    // There is a player of that name, and a suit, and neither is a card.
    for text in ["north", "hearts"] {
        assert_eq!(answer(text), format!("no rule offers `{text}` here"));
    }
}

#[test]
fn tab_completes_the_next_word_of_what_has_begun_so() {
    let names = [
        "match Qs with a7",
        "match Jh with b7",
        "swap Qs with a7",
        "undo",
    ];
    let names = names.map(str::to_owned);
    let all = |typed| completed(&names, typed).join(" ");
    assert_eq!(all(""), "match swap undo");
    assert_eq!(all("M"), "match");
    assert_eq!(all("m "), "Qs Jh");
    assert_eq!(all("match q"), "Qs");
    assert_eq!(all("s q w "), "a7");
    assert_eq!(all("undo "), "");
    assert_eq!(all("x "), "");
}

#[test]
fn a_place_is_called_by_what_tells_it_apart() {
    for typed in ["Spot(0, -1)", "spot(0,-1)", "spot 0 -1", "0,-1", "(0, -1)"] {
        assert!(is_called("Spot(0, -1)", typed), "{typed}");
    }
    for typed in ["0,1", "0", "spot", "1, 0", "0, -1, 0", ""] {
        assert!(!is_called("Spot(0, -1)", typed), "{typed}");
    }
    assert!(is_called("0,1", "0,1") && !is_called("a1", "a 1"));
}

/// A game in which a move of one of these names is chosen.
fn offering(names: &[&str]) -> Program {
    let moves = names.iter().enumerate();
    let moves = moves.map(|(at, name)| format!("m{at} \"{name}\" {{ n = {at} }}"));
    program_of(&format!(
        "game g \"G\" {{ seats a, b }}
        track n: 0..9 = 0
        flow main() {{ choose a: {}  end over() }}
        ending over() {{ winner none }}",
        moves.collect::<Vec<_>>().join(" | ")
    ))
}

/// The move that a text means among those of these names.
fn taken(names: &[&str], typed: &str) -> String {
    let program = offering(names);
    let mut machine = Machine::new(&program);
    machine
        .start(&mut Dice::new(1))
        .expect("a game that begins");
    match meant(&mut machine, typed) {
        Meant::One(mv) => machine.print(mv, Form::Signs),
        Meant::Several(all) => format!("{} moves", all.len()),
        Meant::Nothing => "nothing".to_owned(),
    }
}

/// Whether a text means the move of a name, which is offered beside one that nobody means.
fn is_taken(name: &str, typed: &str) -> bool {
    taken(&[name, "zz"], typed) == name
}

#[test]
fn two_numbers_side_by_side_are_a_pair() {
    assert!(is_taken("g at 0,-1 e", "g at 0 -1 e"));
    assert!(is_taken("7 w 2", "7 w 2") && !is_taken("7,2 w", "7 w 2"));
    assert!(is_taken("1,2 3", "1 2 3") && !is_taken("1 2,3", "1 2 3"));
}

#[test]
fn a_number_before_a_word_is_so_many_of_it() {
    assert!(is_taken("pay white white", "pay 2 white"));
    assert!(is_taken("white white red red red", "2x white 3 red"));
    for (name, typed) in [
        ("bid a7 a7 a7 a7", "bid 4 a7"),
        ("bid red", "bid 1 red"),
        ("bid red red", "bid red 2"),
        ("bid red red red red red red red red red", "bid 9 red"),
    ] {
        assert_eq!(taken(&[name, "zz"], typed), "nothing", "{typed}");
    }
    let same = "bid 4 a7 1 red 99 red 2";
    assert!(is_taken(same, same));
}

#[test]
fn a_number_does_not_begin_a_pair() {
    for (name, typed) in [("plan/tunnel", "tun"), ("plan/tunnel", "pl"), ("1,3", "1,")] {
        assert_eq!(taken(&[name, "zz"], typed), name, "{typed}");
    }
    for (name, typed) in [
        ("1,3", "1"),
        ("-1,3", "-1"),
        ("plan/tunnel", "tu"),
        ("24/18", "18"),
        ("e2-e4", "e4"),
    ] {
        assert_eq!(taken(&[name, "zz"], typed), "nothing", "{typed}");
    }
}

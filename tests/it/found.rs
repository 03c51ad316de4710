//! What writers of games found wrong.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;

use crate::command::adit;

fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("found");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Writes a game that comes to one choice, and returns what `adit show` draws then.
fn table(name: &str, items: &str, setup: &str) -> String {
    let text = format!(
        "game {name} \"A table\" {{ seats a, b }}\n{items}\nflow main() {{ {setup}  choose a: go \"go\" {{ }}  end over }}\nending over() {{ winner none }}\n"
    );
    let path = file(&format!("{name}.rules"), &text);
    let ran = adit(&format!("show {path} --seed 1"));
    assert_eq!(ran.exit, Exit::Yes, "{}{}", ran.out, ran.err);
    ran.out
}

#[test]
fn nought_is_drawn_where_nothing_may_stand() {
    let drawn = table(
        "boxes",
        "enum Box { one, two, three, four, five, six, seven, eight, nine }
         track score[seat, Box]: 0..9 or none = none
         track count_[seat, Box]: 0..9 = 0
         show score as \"boxes\"  show count_ as \"counts\"",
        "score[a, one] = 0  score[a, two] = 5  count_[b, two] = 1",
    );
    assert!(drawn.contains("boxes one 0, two 5"), "{drawn}");
    assert!(drawn.contains("counts two 1"), "{drawn}");
    assert!(!drawn.contains("three"), "{drawn}");
}

#[test]
fn alike_dice_are_drawn_by_their_faces() {
    let drawn = table(
        "dice_alike",
        "component Die { pips: 1..6 }  show Die as \"{pips}\"
         zone cup: bag of Die hidden  zone rolled: bag of Die open  supply 9 every Die in cup
         show rolled as \"dice\"",
        "for each n in { 1, 2, 5, 6 } { move Die(n) from cup to rolled }  move Die(1) from cup to rolled",
    );
    assert!(drawn.contains("dice 1 1 2 5 6\n"), "{drawn}");
}

#[test]
fn a_field_of_a_place_is_named_when_it_is_true() {
    let drawn = table(
        "crowns",
        "enum Top { bare \"\", crown \"♔\" \"K\" }
         component Man { owner: seat }  show Man as \"{owner}\"
         space Cell: line(3)
         zone board[Cell]: one Man with crowned: bool = false open
         zone other[Cell]: one Man with top: Top = bare open
         zone box: bag of Man open
         supply 3 every Man in box",
        "move Man(a) from box to board[Cell(0)]
         move Man(a) from box to board[Cell(1)] with crowned = true
         move Man(b) from box to other[Cell(0)]
         move Man(b) from box to other[Cell(1)] with top = crown",
    );
    assert!(drawn.contains("Cell(0) a · Cell(1) a/crowned"), "{drawn}");
    assert!(drawn.contains("Cell(0) b · Cell(1) b/♔"), "{drawn}");
}

#[test]
fn a_number_out_of_bounds_is_told_with_them() {
    let text = r#"game bounds "Bounds" { seats a, b }
track points[seat]: 0..20 = 6
track n: 0..9 = 7
table w[2..3]: 0..9 { 2: 1  3: 4 }
enum F { x, y }
track q: F = x
define twice(s: seat): 0..9 = 2 * points[s]
flow main() {
    choose a: twice "twice" { points[a] = twice(a) } | less "less" { n -= 8 } | row "row" { n = w[n] }
        | value "value" { q = F(n) } | fewer "fewer" { repeat n - 9 { n -= 1 } }
    end over
}
ending over() { winner none }
"#;
    let path = file("bounds.rules", text);
    for (played, words) in [
        (
            "twice",
            "a number left the bounds of its type: 12 is not in 0..9",
        ),
        ("less", "-1 is not in 0..9"),
        ("row", "asked for a place that it does not have"),
        ("value", "7 is not in 0..1"),
    ] {
        let ran = adit(&format!("--plain legal {path} --moves {played}"));
        assert_eq!(ran.exit, Exit::Failure, "{played}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("F0803"), "{}", ran.err);
        assert!(ran.err.contains(words), "{played}: {}", ran.err);
    }
}

#[test]
fn a_drawing_is_marked_where_its_line_breaks_off() {
    for (drawing, column, line) in [
        ("    a1-  b1\n", 7, 3),
        ("    a1  --b1\n", 9, 3),
        ("    a1--b1\n    |\n    |\n", 5, 5),
        ("    a1--b1\n         \\\n          \\\n", 11, 5),
    ] {
        let text = format!(
            "game drawn_ \"D\" {{ seats a, b }}\nspace Point: drawn \"\"\"\n{drawing}\"\"\"\nflow main() {{ end over }}\nending over() {{ winner none }}\n"
        );
        let path = file("drawn.rules", &text);
        let ran = adit(&format!("--plain check {path}"));
        let place = format!("drawn.rules:{line}:{column}: error[E0514]");
        assert!(ran.out.contains(&place), "{place}: {}", ran.out);
    }
}

const SHOP: &str = r#"game shop "Shop" { seats a, b }
component Coin { v: 1..3 }
zone bag: bag of Coin open
zone slot: one Coin open
supply 3 every Coin in bag
event buy(k: 1..3) { }
action take(c: Coin, way: bool) "take {c} {way}" {
    require free: way and empty slot    else "taken"
    do { move c from bag to slot  buy(c.v) }
}
action wait() "wait" { }
flow main() { turns me from a { choose me: take | wait  if empty bag { end over } } }
ending over() { winner none }
"#;

/// The event is tried out only where the clauses above it are met: with a full slot it would fault.
#[test]
fn a_forbidden_event_is_tried_out_only_where_the_clauses_above_hold() {
    file("shop.rules", SHOP);
    let path = file(
        "strict.rules",
        r#"variant strict "Strict" for shop { }
forbid buy(k) label dear when filled slot and k == 3 because "too dear"
ruling full "With a full slot nothing is taken" {
    given { from seed 1  move Coin(1) from bag to slot }
    expect illegal a: take(way: true) by free
}
ruling dear-ones "The dear ones are not taken" {
    expect illegal a: take(c: Coin(3), way: true) by dear
    expect legal a: take(c: Coin(2), way: true)
}
"#,
    );
    adit(&format!("--plain rulings {path}")).says(Exit::Yes, "2 hold, 0 fail");
}

#[test]
fn an_amendment_stands_on_the_file_in_the_folder_above() {
    let path = file(
        "tunnels.rules",
        "game tunnels \"Mine\" { seats a, b }\nflow main() { end over }\nending over() { winner none }\n",
    );
    let folder = PathBuf::from(&path).with_file_name("variants");
    fs::create_dir_all(&folder).unwrap();
    let variant = folder.join("mine.rules");
    fs::write(&variant, "variant mine \"Mine too\" for tunnels { }\n").unwrap();
    let ran = adit(&format!("--plain check {}", variant.display()));
    ran.says(Exit::Yes, "Mine with Mine too: 0 errors");
}

#[test]
fn what_is_hidden_is_not_drawn_and_what_belongs_to_nobody_is() {
    let drawn = table(
        "hidden",
        "component Card { rank: 1..3 }  zone row: bag of Card open  zone rest: bag of Card open
         supply every Card in row
         track n: 0..9 = 4  track m: 0..9 = 3
         define so_far: 0..99 = sum { c.rank for c in row }  define half: 0..9 or none = none
         show n as \"turns\"  hide m, rest, row  show row as \"row\"
         show so_far as \"count\"  show half as \"half\"",
        "m = 2",
    );
    assert!(drawn.starts_with("turns 4 · count 6\n"), "{drawn}");
    for word in ["rest", "row", "m 2", "half"] {
        assert!(!drawn.contains(word), "{drawn}");
    }
}

/// What only three or more can learn is found with nobody asking for them; what is dead among two is no finding.
#[test]
fn rules_are_checked_with_each_number_of_players() {
    let text = "game few \"Few\" { seats 2..LAST, player }
        component Card { worth: 1..9 }
        zone hand[seat]: bag of Card seen by owner
        zone deck: pile of Card hidden
        supply every Card in deck
        track round: 0..9 = 0
        define peeks(s: seat): bool = count seat == ODD and some { c in hand[next_seat(s)] where c.worth == 1 }
        action pass() \"pass\" { require low: not peeks(me) else \"low\"  do { round += 1 } }
        action stop() \"stop\" { require many: count seat > 2 else \"only two\"  do { } }
        flow main() { turns me from player1 { choose me: pass | stop otherwise { end over } } }
        ending over() { winner none }\n";
    for (last, odd, said) in [
        ("3", "3", "error[E0611]: with 3 players:"),
        ("60", "60", "error[E0611]: with 60 players:"),
        ("60", "31", "50 numbers of players not looked at"),
        ("4", "5", "Few: 0 errors, 0 warnings"),
    ] {
        let text = text.replace("LAST", last).replace("ODD", odd);
        let ran = adit(&format!("--plain check {}", file("few.rules", &text)));
        let exit = if said.starts_with("error") {
            Exit::No
        } else {
            Exit::Yes
        };
        ran.says(exit, said);
    }
}

#[test]
fn a_ruling_at_another_table_is_checked_and_says_which_it_is() {
    let text = "game six \"Six\" { seats 2..3, player }
        enum Role { duke, captain }
        component Card { role: Role }
        zone hand[seat]: bag of Card open
        supply every Card in hand[player1]
        action keep(c in hand[me]) \"keep {c}\" { do { } }
        flow main() { turns me from player1 once { choose me: keep otherwise { } }  end over }
        ending over() { winner none }
        ruling a \"of three\" { given { from seed 1 players 3 }  when player1: keep(c: CARD)  expect count hand[player1] == 2 }\n";
    let wrong = file("six_wrong.rules", &text.replace("CARD", "captain"));
    let ran = adit(&format!("--plain check {wrong}"));
    ran.says(Exit::No, "error[E0401]: with 3 players:");
    adit(&format!("--plain check {wrong} --players 2")).says(Exit::Yes, "0 errors");
    let right = file("six.rules", &text.replace("CARD", "Card(captain)"));
    adit(&format!("--plain check {right}")).says(Exit::Yes, "0 errors");
    adit(&format!("legal {right} --ruling a")).complains(Exit::Failure, "`--players 3`");
    adit(&format!("legal {right} --ruling a --players 3")).says(Exit::Yes, "1. player3");
}

/// What the errors about an edit of a game with two places for its castles advise.
fn advice(name: &str, edit: &str) -> String {
    let game = file(
        &format!("{name}_game.rules"),
        &format!(
            "game {name}_game \"A game\" {{ seats a, b }}
enum Kind {{ castle, farm }}
track n: 0..99 = 0
action take(k: Kind) \"take {{k}}\" {{ require few: n < 9  do {{ n += 1 }} }}
flow main() {{
    step play {{
        turns me from a {{
            choose me: take | castle \"castle\" {{ n += 3 }} otherwise {{ end over }}
            if n > 90 {{ end over }}
        }}
    }}
}}
ending over() {{ winner none }}
"
        ),
    );
    let edits = file(
        &format!("{name}.rules"),
        &format!("variant {name} \"X\" for {name}_game {{ }}\n{edit}\n"),
    );
    let ran = adit(&format!("--plain check {game} --with {edits}"));
    format!("{}{}", ran.out, ran.err)
}

#[test]
fn an_address_that_is_not_there_names_those_that_fit() {
    let said = advice("near_two", "remove castle");
    assert!(
        said.contains("did you mean `Kind.castle` or `main.play.castle`?"),
        "{said}"
    );
    let said = advice("near_below", "permit take.rich label l");
    assert!(said.contains("did you mean `take.few`?"), "{said}");
    let said = advice("near_turn", "insert before main.turn { n = 1 }");
    assert!(said.contains("did you mean `main.play.turn`?"), "{said}");
}

/// What `adit check` says of a game of two seats with these items in place of a main flow.
fn checked(name: &str, items: &str) -> String {
    let path = file(
        &format!("{name}.rules"),
        &format!("game {name} \"G\" {{ seats anna, bert }}\n{items}\n"),
    );
    adit(&format!("--plain check {path}")).out
}

const END: &str = "flow main() { choose anna: a \"a\"  end over }\nending over() { winner none }\n";

#[test]
fn what_does_not_go_so_says_how_it_goes() {
    for (name, items, advice) in [
        (
            "in_each",
            "enum Pit { left, right } component Seed { } zone pit[Pit]: bag of Seed open\nsupply 4 every Seed in pit",
            "the set-up deals it out: `for each p in Pit { move 4 of Seed(",
        ),
        (
            "no_sign",
            "component Gold { } zone gold: bag of Gold open supply 9 every Gold in gold\nposition p \"P\" { lay gold \"2\" }",
            "write the sign behind the number: `\"2 Gold\"`",
        ),
        (
            "lowest",
            "component Card { v: 1..3 } zone deck: pile of Card hidden zone out: bag of Card open\nevent e() { move last 2 of deck to out }",
            "the lowest of a pile are `move bottom 2 of deck to",
        ),
        (
            "alone",
            "event score() { do { } }",
            "write what happens without it",
        ),
        (
            "circle",
            "event one() { two() } event two() { one() }",
            "in the head of a definition, an event or a flow on this way",
        ),
        (
            "deep_secret",
            "component Card { v: 1..3 } zone deck: pile of Card hidden zone out: bag of Card open supply every Card in deck\naction guess() \"guess\" { require low: deck[2] == Card(1) } action dig() \"dig\" { do { move bottom of deck to out } }\nflow other() { choose anna: guess | dig }",
            "error[E0611]",
        ),
    ] {
        let said = checked(name, &format!("{items}\n{END}"));
        assert!(said.contains(advice), "{name}: {said}");
    }
    let said = checked(
        "holes",
        "flow main() { choose anna: a \"a {anna}\"  end over }\nending over() { winner none }",
    );
    assert!(said.contains("`choose s: doubt(r: r)`"), "{said}");
}

#[test]
fn a_choice_narrows_a_parameter_that_is_called_like_a_local() {
    let said = checked(
        "narrowed",
        "enum Role { duke, captain }
         action doubt(r: Role) \"doubt the {r}\" { do { } }
         flow claim(s: seat, r: Role) { choose s: doubt(r in { r }) | no_ \"no\" }
         flow main() { claim(anna, captain)  end over }
         ending over() { winner none }
         ruling a \"One may be doubted\" {
             given { from seed 1 }
             expect offers anna: doubt(r: captain)
         }",
    );
    assert!(said.contains("0 errors, 0 warnings"), "{said}");
}

#[test]
fn the_least_of_a_whole_figure_ranks() {
    let said = checked(
        "whole_figure",
        "track cards[seat]: 0..9 = 3 track bonus[seat]: 0..9 = 1
         flow main() { choose anna: a \"a\" { bonus[anna] = 3 }  end over }
         ending over() { ranking seat by least cards[it] - bonus[it], most bonus[it] + 1 }",
    );
    assert!(said.contains("0 errors, 0 warnings"), "{said}");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("found/whole_figure.rules");
    adit(&format!("fmt {}", path.display())).says(Exit::Yes, "");
    let written = fs::read_to_string(path).unwrap();
    assert!(
        written.contains("by least cards[it] - bonus[it], most bonus[it] + 1"),
        "{written}"
    );
}

const MARKET: &str = r#"game stall "Stall" { seats anna, bert }
enum Fruit { plum, pear }
component Card { fruit: Fruit, value: 1..3 }
zone shop: bag of Card open
zone hand[seat]: bag of Card open
supply 2 every Card in shop
track coins[seat]: 0..9 = 5
track n: 0..9 = 0
event sell(f: Fruit) { n += 1 }
define worth(f: Fruit): 0..9 = after { sell(f) } n
action buy(c in shop) "buy {c}" {
    require money: coins[me] > 0
    do { coins[me] -= 1  sell(c.fruit)  move c from shop to hand[me] }
}
action castle() "castle" { require once: n < 3 }
action hint(f: Fruit) "hint {f}" { require dear: worth(f) > 0 }
flow main() {
    step play { turns me from anna { choose me: buy | castle | hint | stop "stop" { end over } } }
}
ending over() { winner none }
"#;

/// What an author tries first with a rulebook in hand; an empty answer means that it works.
#[test]
fn an_edit_works_or_says_what_to_write() {
    file("stall.rules", MARKET);
    for (at, edit, answer) in [
        (0, "insert after buy { n += 1 }", ""),
        (1, "insert after main.play { n = 0 }", "main.play.turn"),
        (
            2,
            "forbid sell(f) label no_plums when f == plum because \"none\"",
            "",
        ),
        (3, "forbid buy(c) label never because \"closed\"", ""),
        (4, "forbid hint", "give it a name before `when`"),
        (5, "permit castle.once() label free", ""),
        (
            6,
            "permit buy.gold(c) label free",
            "did you mean `buy.money`",
        ),
        (7, "remove castle", ""),
        (8, "remove main.play.castle", ""),
        (
            9,
            "replace sell { by n { 0 => { n = 1 }  else => { n = 2 } } }",
            "",
        ),
        (
            10,
            "event give(pear: seat, f: Fruit) { if f == pear { n = 1 } }",
            "hides the value of a `Fruit`",
        ),
        (
            11,
            "ruling a \"A\" { given { from seed 1 players 2 at main.play } expect n == 0 }",
            "",
        ),
        (
            12,
            "ruling a \"A\" { given { from seed 1 at main.play players 2 } expect n == 0 }",
            "",
        ),
        (
            13,
            "ruling a \"A\" { given { players 2 from seed 1 } expect n == 0 }",
            "the start stands first",
        ),
        (14, "replace buy.monney = true", "did you mean `buy.money`"),
        (15, "insert before sell.x { n = 1 }", "did you mean `sell`"),
    ] {
        let path = file(
            &format!("edit_{at}.rules"),
            &format!("variant edit_{at} \"V\" for stall {{ }}\n{edit}\n"),
        );
        let said = adit(&format!("check {path}")).out;
        match answer {
            "" => assert!(said.contains("0 errors, 0 warnings"), "{edit}: {said}"),
            answer => assert!(said.contains(answer), "{edit}: {said}"),
        }
    }
}

/// What an amendment settles something with and what is nowhere is told; what lies beside it or comes with the program is not.
#[test]
fn strangers_are_told() {
    file(
        "tall.rules",
        "game tall \"T\" { seats a, b }\ntrack n: 0..9 = 0\nquestion mid \"M\" { low \"l\" default  high \"h\" { replace track n: 0..9 = 3 } }\nevent up() { n += 1 }\nflow main() { choose a: go \"go\" { up() }  end over() }\nending over() { winner none }\n",
    );
    file(
        "beside.rules",
        "variant beside \"B\" for tall { }\noption wide: 1..3 = 2 \"w\"\n",
    );
    for (edit, said) in [
        (
            "excludes besid \"why\"",
            "no amendment and no question is called `besid`",
        ),
        (
            "resolve stranger + nobody { insert after up { n = 1 } }",
            "called `nobody`",
        ),
        (
            "insert after up order after miid { n = 1 }",
            "did you mean `mid`?",
        ),
        ("excludes mid = hihg \"why\"", "did you mean `high`?"),
        (
            "excludes mid = low2 \"why\"\nadd readings to mid { low2 \"2\" }",
            "",
        ),
        ("excludes beside \"why\"", ""),
        ("excludes breather \"why\"", ""),
        ("insert after up order before wide, mid { n = 1 }", ""),
    ] {
        let text = format!("variant stranger \"S\" for tall {{ }}\n{edit}\n");
        let ran = adit(&format!("--plain check {}", file("stranger.rules", &text)));
        match said {
            "" => assert!(!ran.out.contains("E0237"), "{edit}: {}", ran.out),
            said => ran.says(Exit::Yes, said),
        }
    }
}

/// The beginning of a move stands for all that begins so: what is legal of it, or what refuses each.
#[test]
fn the_beginning_of_a_move_is_answered() {
    let text = "game begun \"B\" { seats a, b }
        component Card { worth: 1..3 }
        show Card as \"{worth}\"
        zone hand[seat]: bag of Card open
        supply every Card in hand[a]
        action lay_out(c in hand[me]) \"play {c}\" {
            require small: c.worth < MOST else \"too great\"
            require odd: c.worth != 3 else \"no three\"
            do { move c from hand[me] to hand[b] }
        }
        action wait() \"wait a while\" { do { } }
        flow main() { repeat 3 { choose a: lay_out | wait }  end over() }
        ending over() { winner none }\n";
    let some = file("begun.rules", &text.replace("MOST", "3"));
    adit(&format!("why-not {some} pl")).says(Exit::No, "can mean 2 moves, all of them legal");
    adit(&format!("why {some} \"w a\"")).says(Exit::Yes, "`wait a while` is legal");
    adit(&format!("legal {some} --moves \"wai; p 2\"")).says(Exit::Yes, "play 1");
    adit(&format!("legal {some} --moves pla"))
        .complains(Exit::Failure, "type one of `play 1`, `play 2`");
    let none = file("begun.rules", &text.replace("MOST", "1"));
    for typed in ["play", "lay_out"] {
        let ran = adit(&format!("why-not {none} {typed}"));
        ran.says(Exit::No, "forbidden, by `lay_out.small` or `lay_out.odd`");
    }
    adit(&format!("why-not {none} pray")).says(Exit::No, "no rule offers `pray` here");
}

/// A condition that is called by a word of the language has a name, and is told that it cannot be that one.
#[test]
fn words_of_the_language_are_no_labels() {
    let text = |clause: &str| {
        format!(
            "game label \"L\" {{ seats a, b }}\naction go() \"go\" {{ require {clause} else \"no\"  do {{ }} }}\nflow main() {{ choose a: go  end over() }}\nending over() {{ winner none }}\n"
        )
    };
    let named = file("label.rules", &text("in: 1 < 2"));
    adit(&format!("check {named}")).says(
        Exit::No,
        "`in` is a word of the language and cannot be a name",
    );
    let bare = file("label.rules", &text("not 1 < 2"));
    adit(&format!("check {bare}")).says(Exit::No, "this condition has no name");
}

/// What led writers of house rules astray says what to write.
#[test]
fn slips_in_house_rules_say_what_is_meant() {
    let table = [
        (
            "for tunells { }",
            "no rulebook here is called `tunells`",
            "did you mean `tunnels`?",
        ),
        (
            "for tunnels { }\nadd choice to play_round.dig: once dug: swap",
            "a slot of a window stands in braces",
            "write `add choice to WINDOW { once NAME: ACTION }`",
        ),
        (
            "for tunnels { }\nruling R \"r\" { given bare { clear } given { clear } expect true }",
            "a position has one `given`",
            "`given NAME { ... }`",
        ),
        (
            "for tunnels { }\nposition p \"p\" { given bare { clear } }",
            "in a position nothing stands in braces behind `given`",
            "without them",
        ),
        (
            "for tunnels { }\nruling R \"r\" { given bare expect after { clear } empty field and empty away }",
            "what is looked ahead at ends here",
            "(A and B)",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("slip.rules");
    let check = |text: &str| {
        fs::write(&path, format!("variant m \"M\" {text}\n")).unwrap();
        adit(&format!("--plain check {}", path.display()))
    };
    for (text, message, help) in table {
        let ran = check(text);
        let said = ran.out + &ran.err;
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            said.contains(message) && said.contains(help),
            "{text}: {said}"
        );
    }
    let text = "for tunnels { }\nruling R \"r\" { given bare expect after { clear } (empty field and empty away) }";
    assert!(!check(text).out.contains("E0251"));
}

/// A word of the game goes on to mean what it meant, or the amendment that takes it is told so; in its own text it is free to use it.
#[test]
fn what_an_amendment_brings_takes_no_word_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let check = |items: &str| {
        let path = folder.path().join("captured.rules");
        let text = format!("variant captured \"C\" for connect_four {{ }}\n{items}\n");
        fs::write(&path, text).unwrap();
        adit(&format!("--plain check {}", path.display()))
    };
    for taken in ["define n: Direction = e", "track n: 0..1 = 0"] {
        let ran = check(taken);
        assert!(ran.out.contains("captured.rules:2:"), "{}", ran.out);
        assert!(ran.out.contains("error[E0252]: `n`"), "{}", ran.out);
    }
    // Of these the game speaks only where nothing but a direction is meant, or not at all.
    for free in ["define w: Direction = e", "define up: Direction = n"] {
        assert!(check(free).out.contains(" 0 errors"), "{free}");
    }
}

use std::fs;

use adit::diagnostic::codes::ALL;
use adit::model::{DomainKind, Shape};
use adit::pipeline::{Compiled, Request, compile};
use adit::report;
use adit::source::Sources;

fn compiled(path: &str) -> (Sources, Compiled) {
    crate::fixtures::compiled(path, &[], &[], None)
}

#[test]
fn the_small_games_are_sound() {
    for name in ["kuhn", "nim", "tic_tac_toe", "connect_four", "toss"] {
        let (sources, result) = compiled(&format!("tests/fixtures/games/{name}.rules"));
        assert_eq!(report::plain(&sources, &result.diagnostics), "", "{name}");
        assert!(result.game.is_some(), "{name}");
    }
}

#[test]
fn tunnels_is_sound() {
    let (sources, result) = compiled("rules/tunnels.rules");
    assert_eq!(report::plain(&sources, &result.diagnostics), "");
}

#[test]
fn variants_of_tunnels_are_sound() {
    for name in ["breather", "no_take_back"] {
        let variant = format!("rules/variants/{name}.rules");
        let path = "rules/tunnels.rules";
        let (sources, result) = crate::fixtures::compiled(path, &[&variant], &[], None);
        assert_eq!(report::plain(&sources, &result.diagnostics), "", "{name}");
    }
}

/// Every code of the checker is shown by a broken rulebook of its name and has a page.
#[test]
fn every_code_of_the_checker_has_a_case_and_a_page() {
    let root = env!("CARGO_MANIFEST_DIR");
    let families = ["E03", "E04", "E051", "E06", "E07"];
    for code in ALL {
        if !families.iter().any(|it| code.id().starts_with(it)) {
            continue;
        }
        let name = code.name().replace('-', "_");
        let base = format!("{root}/tests/fixtures/broken/{name}");
        let shown = fs::metadata(format!("{base}.rules")).or_else(|_| fs::metadata(&base));
        assert!(shown.is_ok(), "{code:?} has no case");
        let page = fs::read_to_string(format!("{root}/docs/codes/{code}.md")).unwrap_or_default();
        assert!(
            page.starts_with(&format!("# {code} {}", code.name())),
            "{code:?} has no page"
        );
    }
}

#[test]
fn settings_that_do_not_exist_are_named() {
    let set = [
        ("tableu", "x"),
        ("tableau", "lanes7"),
        ("rounds", "9"),
        ("exposure", "frotn"),
    ];
    let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let (_, compiled) = crate::fixtures::compiled("rules/tunnels.rules", &[], &set, Some(3));
    let found = compiled.diagnostics;
    let told: Vec<String> = found
        .iter()
        .map(|it| {
            format!(
                "{} {}; {}",
                it.code,
                it.message,
                it.help.clone().unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "E0301 no option or question is called `tableu`; did you mean `tableau`?",
            "E0703 the game has 2 seats, not 3; ask for a number of seats that the header allows",
            "E0309 `rounds` cannot be `9`; it is a number from 1 to 5",
            "E0309 `tableau` cannot be `lanes7`; there are `six_lanes` and `seven_lanes`",
            "E0309 `exposure` cannot be `frotn`; did you mean `front`?",
        ]
    );
}

fn game_of(texts: &[&str]) -> adit::model::Game {
    let mut sources = Sources::new();
    let files: Vec<_> = texts
        .iter()
        .map(|text| sources.add("text", *text))
        .collect();
    let request = Request {
        base: files[0],
        amendments: files[1..].to_vec(),
        ..Request::default()
    };
    let result = compile(&sources, &request);
    let told = report::plain(&sources, &result.diagnostics);
    let game = result.game.unwrap_or_else(|| panic!("{told}"));
    game.as_ref().clone()
}

const SHOP: &str = r#"
game shop "Shop" { seats anna, bert }
track coins[seat]: 0..9 = 3
track debt: 0..9 = 0
question tax "Is there a tax?" { yes "yes" { replace main.tax { step levy { pay_all() } } }  no "no" default }
event lose(s: seat, n: 1..9) { coins[s] -= n }
event owe() { debt += 1 }
event pay_all() { lose(me, 1)  owe() }
action buy(n: 1..9) "buy {n}" {
    require rich: coins[me] >= n
    do { owe()  lose(me, n) }
}
action wait() "wait" { do { owe() } }
flow main() {
    turns me from anna {
        choose me: buy | wait
        step tax { }
        if debt == 9 { end over() }
    }
}
ending over() { ranking seat by coins }
"#;

#[test]
fn a_guard_is_asked_at_the_moment_of_the_call() {
    use adit::model::{BinaryOp, ClauseKind, ExprKind, UnaryOp};
    let mercy = r#"
variant mercy "Mercy" for shop { }
forbid lose(who, n) label poor when coins[who] == n because "{who} needs the last coin"
permit lose.poor(who, n) label brave when who == anna
permit buy.rich(n) label credit when n == 1
"#;
    let game = game_of(&[SHOP, mercy]);
    let buy = &game.actions[0];
    let paths: Vec<&str> = buy
        .requires
        .iter()
        .map(|it| game.clauses[it.clause.index()].path.as_str())
        .collect();
    assert_eq!(paths, ["buy.rich", "lose.poor"]);
    assert!(matches!(
        &buy.requires[0].cond.kind,
        ExprKind::Binary(BinaryOp::Or, ..)
    ));
    let poor = &buy.requires[1];
    let clause = &game.clauses[poor.clause.index()];
    assert_eq!(
        (clause.kind, clause.origin.as_deref()),
        (ClauseKind::Forbid, Some("mercy"))
    );
    let ExprKind::After(before, asked) = &poor.cond.kind else {
        panic!("the call is not the first statement: {:?}", poor.cond.kind);
    };
    assert_eq!(before.len(), 1);
    let ExprKind::Unary(UnaryOp::Not, forbidden) = &asked.kind else {
        panic!("a forbid refuses: {:?}", asked.kind);
    };
    assert!(matches!(
        &forbidden.kind,
        ExprKind::Binary(BinaryOp::And, ..)
    ));
    // `wait` does not lose anything.
    assert!(game.actions[1].requires.is_empty());
}

#[test]
fn me_is_handed_only_to_those_who_read_it() {
    let set = format!("{SHOP}\nevent nothing() {{ owe() }}\n");
    let game = game_of(&[&set]);
    let params = |name: &str| {
        let proc = game
            .procs
            .iter()
            .find(|it| it.name == name)
            .expect("a procedure");
        proc.params.len()
    };
    assert_eq!(
        (params("pay_all"), params("owe"), params("lose")),
        (1, 0, 2)
    );
    assert_eq!(
        (params("main"), params("nothing"), params("buy")),
        (0, 0, 2)
    );
}

#[test]
fn readings_that_are_not_chosen_leave_no_addresses() {
    let has_levy = |game: &adit::model::Game| {
        let mut clauses = game.clauses.iter();
        clauses.any(|it| it.path == "main.tax.levy")
    };
    let game = game_of(&[SHOP]);
    assert!(!has_levy(&game));
    let taxed = game_of(&[
        SHOP,
        "variant taxed \"Taxed\" for shop { }\nset tax = yes\n",
    ]);
    assert!(has_levy(&taxed));
    assert_ne!(game.hash, taxed.hash);
}

#[test]
fn the_most_precise_expectation_holds() {
    let rulings = r#"
ruling R-1 "Which one?" answers tax {
    expect debt == 0
    expect debt == 1 under tax = yes
    expect coins[anna] == 3 under tax = no
}
"#;
    let game = game_of(&[&format!("{SHOP}{rulings}")]);
    let under: Vec<usize> = game.rulings[0]
        .expects
        .iter()
        .map(|it| it.under.len())
        .collect();
    assert_eq!(
        under,
        [1],
        "what is said under a reading of this game comes before what is said of all"
    );
}

/// A plane has room for all its components, but no more spots than can be listed.
#[test]
fn planes_wrap_where_they_can_be_listed() {
    for (copies, slots, span) in [(4, 2, 6), (252, 2, 254), (800, 80, 254)] {
        let names: Vec<String> = (0..slots).map(|it| format!("s{it}")).collect();
        let text = format!(
            "game g \"G\" {{ seats anna, bert }}
            enum Side cyclic {{ n, e, s, w }}
            enum Slot {{ {} }}
            enum Port cyclic {{ n1, n2, e1, e2, s1, s2, w1, w2 }}
            component Tile {{ }}
            space Spot: plane(Side)
            zone land[Spot]: one Tile with turn: Side = n open
            zone bag: bag of Tile open
            supply {copies} every Tile in bag
            define ports(t: Tile, s: Slot): set of Port = if s == s0 then {{n1, e2}} else {{}}
            space Part: parts(land, Slot) meeting at ports turned by turn
            flow main() {{ end over() }}
            ending over() {{ winner none }}",
            names.join(", ")
        );
        let game = game_of(&[&text]);
        let sizes = |name: &str| {
            game.domains
                .iter()
                .find(|it| it.name == name)
                .map(|it| it.size)
        };
        assert_eq!(sizes("Spot"), Some(span * span));
        assert_eq!(sizes("Part"), Some(copies * slots));
        let meets = game.domains.iter().find_map(|it| match &it.kind {
            DomainKind::Space {
                shape: Shape::Parts { meeting, .. },
                ..
            } => *meeting,
            _ => None,
        });
        let meets = meets.expect("parts that meet");
        assert_eq!(game.defines[meets.ports.index()].name, "ports");
        assert_eq!(game.domains[meets.port.index()].name, "Port");
        assert_eq!(meets.turn, Some(0));
    }
}

/// Which part of a tile it is, only the position says: the same tile lies elsewhere in another game.
#[test]
fn a_part_at_a_written_spot_is_found_while_the_game_runs() {
    let text = "game g \"G\" { seats a, b }
enum Side cyclic { n, e, s, w }
enum Slot { upper, lower }
component Tile { }
space Spot: plane(Side)
zone land[Spot]: one Tile open
zone bag: bag of Tile open
space Part: parts(land, Slot)
supply 3 every Tile in bag
define mine: set of Part = { p in Part where p == Part(Spot(4, 4), upper) }
flow main() { if some mine { end over() } else { end over() } }
ending over() { winner none }";
    let mut sources = Sources::new();
    let request = Request {
        base: sources.add("g", text),
        ..Request::default()
    };
    let result = compile(&sources, &request);
    assert_eq!(report::plain(&sources, &result.diagnostics), "");
    let game = result.game.expect("a game");
    let found = game.defines.iter().find(|it| it.name == "mine");
    let body = format!("{:?}", found.expect("a definition").body);
    assert!(body.contains("Make("), "{body}");
}

#[test]
fn items_without_a_name_are_addressed_by_what_they_are_about() {
    let moved = |first: &str, second: &str| {
        let game = game_of(&[&format!(
            "game g \"G\" {{ seats anna, bert source book \"The rules\" sentences B-1..B-3 }}
{first}
aside book B-2, B-3 \"a greeting\"
component Coin {{ }}
component Card {{ value: 1..3 }}
show Card as \"{{value}}\"
zone purse[seat]: bag of Coin open
zone hand[1..3]: bag of Card open
{second}
supply 2 every Coin in purse[anna]
supply every Card in hand[it.value]
flow main() {{ end over() }}
ending over() {{ winner none }}"
        )]);
        let paths = game.clauses.iter().map(|it| it.path.clone());
        paths.filter(|it| it.contains(' ')).collect::<Vec<_>>()
    };
    let mut paths = moved("", "supply 3 every Coin in purse[anna]");
    let wanted = [
        "aside book B-2",
        "show Card",
        "supply Card in hand[it.value]",
        "supply Coin in purse[anna]",
        "supply Coin in purse[anna] 2",
    ];
    paths.sort();
    assert_eq!(paths, wanted);
    // What else is in the rulebook, and where, makes no difference.
    let mut paths = moved(
        "supply 3 every Coin in purse[anna]",
        "track rounds: 0..9 = 0",
    );
    paths.sort();
    assert_eq!(paths, wanted);
}

/// A condition on an event is asked once for each caller: what is so for one of them only is not said of it. A call that no
/// action is judged by is named.
#[test]
fn guards_of_events_are_judged_for_all_callers_together() {
    let game = "game gains \"Gains\" { seats anna, bert }\n\
        track p[seat]: 0..99 = 0\n\
        event gain(s: seat, n: 0..9, k: 0..2) { p[s] += n }\n\
        action nine(k in 0..2) \"nine {k}\" { do { gain(me, 9, k) } }\n\
        action pick(n in 1..4) \"pick {n}\" { do { gain(me, n, 0) } }\n";
    let judged = "flow main() { turns me from anna once { choose me: nine | pick }  end over }\n";
    let beside = "flow main() { turns me from anna once { choose me: nine | pick | more \"more\" { gain(me, 1, 0) } }  end over }\n";
    let over = "ending over() { ranking seat by p[it] }\n";
    let told = |flow: &str, when: &str| -> Vec<String> {
        let mut sources = Sources::new();
        let base = sources.add("gains.rules", format!("{game}{flow}{over}"));
        let text = format!(
            "variant rule \"Rule\" for gains {{ }}\nforbid gain(s, n, k) label small when {when}\n"
        );
        let rule = sources.add("rule.rules", text);
        let request = Request {
            base,
            amendments: vec![rule],
            ..Request::default()
        };
        let found = compile(&sources, &request).diagnostics;
        found
            .iter()
            .map(|it| format!("{} {}", it.code, it.message))
            .collect()
    };
    assert_eq!(told(judged, "n <= 3 + k"), Vec::<String>::new());
    assert_eq!(told(judged, "n > 4 + k"), Vec::<String>::new());
    assert_eq!(
        told(judged, "p[s] > 99"),
        ["E0606 this comparison never holds"]
    );
    let also = ["E0681 `gain` also happens where no action is judged, and is not forbidden there"];
    assert_eq!(told(beside, "n <= 3 + k"), also);
}

/// What rulings expect is of the rules as they stand, and no matter of the values that an option has else.
#[test]
fn rulings_are_not_judged_under_other_values() {
    let ran = crate::command::adit("check carcassonne");
    ran.says(adit::cli::Exit::Yes, "0 errors, 0 warnings");
}

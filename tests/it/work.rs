//! Work is paid for: no rulebook hangs or aborts the program, however it is made.
//!
//! Each test makes a rulebook of one shape, large enough that it would not end, or would overflow the
//! stack, if its work were not bounded. What does not end is a test that does not end.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;

use crate::command::{Ran, adit, adit_with};
use crate::fixtures::width;

const HEAD: &str = "game g \"G\" { seats a, b }\ntrack t: 0..99 = 0\n";

/// A game with these declarations, whose only action is legal where the condition holds and whose main
/// flow begins with these statements.
fn game(declarations: &str, condition: &str, first: &str) -> String {
    format!(
        "{HEAD}{declarations}\naction go() \"go\" {{ require x: {condition}\n do {{ t = (t + 1) mod 9 }} }}\n\
         flow main() {{ {first} turns me from a {{ choose me: go otherwise {{ end done() }} }} }}\n\
         ending done() {{ winner none }}\n"
    )
}

fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).map(line).collect()
}

fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("work");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.rules"));
    fs::write(&path, text).unwrap();
    path
}

/// Runs a command over a rulebook.
fn run(command: &str, name: &str, text: &str) -> Ran {
    adit(&format!("{command} {}", file(name, text).display()))
}

fn assert_code(ran: &Ran, exit: Exit, code: &str) {
    let said = format!("{}{}", ran.out, ran.err);
    assert!(ran.exit == exit && said.contains(code), "{said}");
}

/// Definitions `f0` to `f(n-1)`, of which each but the first is made of the one before.
fn definitions(n: usize, first: &str, made: impl Fn(usize) -> String) -> String {
    let body = |i: usize| match i {
        0 => first.to_owned(),
        _ => made(i - 1),
    };
    lines(n, |i| format!("define f{i}(n: 0..99): int = {}\n", body(i)))
}

/// What takes long to find out is neither so nor otherwise.
#[test]
fn a_ruling_that_takes_too_long_is_not_finished() {
    let text = game("", "t < 9", "")
        + "define seen(x: 0..60000): int = count { y in 0..60000 where x * y + t == 7 }\n\
           ruling SLOW \"Slow\" cite \"slow\" { given { from seed 1 }\n\
           expect legal a: go\nexpect sum { seen(x) for x in 0..60000 } == 3 }\n";
    let path = file("slow_ruling", &text);
    let ran = adit(&format!("rulings {}", path.display()));
    ran.says(Exit::No, "1 ruling: 0 hold, 0 fail, 1 not finished");
    assert!(ran.out.contains("F0801"), "{}", ran.out);
    let other = file("slow_other", &text.replace("mod 9", "mod 8"));
    let [one, other] = [path, other].map(|it| it.display().to_string());
    let ran = adit(&format!("diff {one} {other} --games 20"));
    ran.says(Exit::Yes, "1 as before");
}

/// The expectations of a ruling are worked out as in play, on boards of any size.
#[test]
fn a_larger_board_costs_a_ruling_no_more_work() {
    let ran = adit("rulings carcassonne --set tile_sets=2");
    ran.says(Exit::Yes, "20 rulings: 20 hold, 0 fail");
}

#[test]
fn calls_that_double_run_out_of_work() {
    let flows = lines(60, |i| match i {
        0 => "flow e0() { t = (t + 1) mod 7 }\n".to_owned(),
        _ => format!("flow e{i}() {{ e{0}() e{0}() }}\n", i - 1),
    });
    let text = game(&flows, "true", "e59()");
    assert_code(&run("check", "flows", &text), Exit::Yes, "0 errors");
    assert_code(&run("legal", "flows", &text), Exit::Failure, "F0801");

    let doubled = |i: usize| format!("(f{i}(n) + f{i}((n + 1) mod 9)) mod 7");
    let text = game(&definitions(60, "n + t", doubled), "f59(t) > 3", "");
    assert_code(&run("check", "defines", &text), Exit::Yes, "0 errors");
    assert_code(&run("legal", "defines", &text), Exit::Failure, "F0801");

    // What each of them shares is worked out once, so the first sum that no int holds is come to in time.
    let doubled = |i: usize| format!("f{i}(n) + f{i}((n + 1) mod 9)");
    let text = game(&definitions(60, "n + t", doubled), "f59(t) > 3", "");
    assert_code(&run("check", "sums", &text), Exit::Yes, "0 errors");
    assert_code(&run("legal", "sums", &text), Exit::Failure, "F0803");
}

/// Questions for each of eight directions, one in the other: they are asked one by one where eight times eight
/// times … of them would be written.
#[test]
fn questions_in_questions_are_not_all_written_out() {
    let places = "space Field: grid(column: 1..8, row: 1..8)\ntrack lit[Field]: bool = true\n";
    let mut cond = "lit[q]".to_owned();
    for at in 0..8 {
        cond =
            format!("some {{ d{at} in Direction where lit[step(q, d{at}) default q] and {cond} }}");
    }
    let text = game(
        places,
        &format!("count {{ q in Field where {cond} }} >= 0"),
        "",
    );
    assert_code(&run("legal", "directions", &text), Exit::Yes, "");
    let lengths = ["n", "e", "s", "w", "ne", "se"]
        .map(|way| format!("count (walk {way} from q while x{way}: lit[x{way}])"));
    let cond = format!("{} == 9", lengths.join(" + "));
    let text = game(
        places,
        &format!("count {{ q in Field where {cond} }} >= 0"),
        "",
    );
    assert_code(&run("legal", "lengths", &text), Exit::Yes, "");
}

/// What is known before play is worked out when the rulebook is read: that is work too.
#[test]
fn constants_that_double_are_checked() {
    let constants = lines(60, |i| match i {
        0 => "define f0: int = 1\n".to_owned(),
        _ => format!("define f{i}: int = f{0} + f{0}\n", i - 1),
    });
    let text = game(&constants, "f59 > 3", "");
    assert_code(&run("check", "constants", &text), Exit::Yes, "0 errors");
}

/// A jump back over many statements is more work than one over few.
#[test]
fn long_loops_run_out_of_work() {
    let body = "t = (t + 1) mod 7\n".repeat(1_000);
    let text = game("", "true", &format!("repeat 90000000 {{ {body} }}"));
    assert_code(&run("legal", "long_loop", &text), Exit::Failure, "F0801");
    let product = lines(8, |i| {
        format!("{}p{i} in 0..99", if i > 0 { ", " } else { "" })
    });
    let text = game(
        "",
        &format!("count {{ {product} where p0 + p7 == t }} > 3"),
        "",
    );
    assert_code(&run("legal", "product", &text), Exit::Failure, "F0801");
}

#[test]
fn chains_of_definitions_have_an_end() {
    let next = |i: usize| format!("f{i}(n) + 1");
    let text = game(&definitions(500, "n + t", next), "f499(t) > 3", "");
    assert_code(&run("legal", "chain", &text), Exit::Yes, "go");
    // 100 kB, in both orders.
    let down: Vec<String> = definitions(3_500, "n + t", next)
        .lines()
        .map(str::to_owned)
        .collect();
    let up: Vec<String> = down.iter().rev().cloned().collect();
    for (name, chain) in [("down", down), ("up", up)] {
        let text = game(&chain.join("\n"), "f3499(t) > 3", "");
        assert_code(&run("check", name, &text), Exit::No, "E0502");
        assert_ne!(run("lint", name, &text).exit, Exit::Yes);
    }
}

#[test]
fn chains_in_a_row_are_no_nesting() {
    let arms = |n: usize| {
        let arm = |i: usize| format!(" else if t == {} {{ t = {} }}", i % 99, (i + 1) % 99);
        format!("if t == 0 {{ t = 1 }}{}", lines(n, arm))
    };
    let ors = |n: usize| vec!["t == 1"; n].join(" or ");
    for command in ["check", "lint", "fmt --check", "legal", "show", "rulings"] {
        for (name, text) in [
            ("ors", game("", &ors(400), "")),
            (
                "sums",
                game("", &format!("{} < 900", vec!["t"; 900].join(" + ")), ""),
            ),
            ("arms", game("", "true", &arms(900))),
        ] {
            let ran = run(command, name, &text);
            let said = format!("{}{}", ran.out, ran.err);
            assert!(!said.contains("E0502"), "{command} {name}: {said}");
        }
    }
    for (name, text) in [
        ("too_many_ors", game("", &ors(20_000), "")),
        ("too_many_arms", game("", "true", &arms(8_000))),
    ] {
        assert_code(&run("check", name, &text), Exit::No, "E0502");
        assert_ne!(run("fmt --check", name, &text).exit, Exit::Yes);
    }
}

#[test]
fn a_depth_has_a_bound() {
    let deep = |n: usize| {
        let define =
            format!("define f(n: 0..99): int depth {n} = if n == 0 then 0 else f(n - 1) + 1\n");
        game(&define, "f(t) < 50", "")
    };
    assert_code(&run("check", "depth", &deep(1_000)), Exit::Yes, "0 errors");
    for n in [1_000_000, 1_000_000_000] {
        assert_code(&run("check", "too_deep", &deep(n)), Exit::No, "E0512");
    }
}

/// More holes than can be numbered; what is printed then is no matter.
#[test]
fn texts_may_have_many_holes() {
    let text = game("", "true", "").replace("\"go\"", &format!("\"{}\"", "{t}".repeat(70_000)));
    let ran = run("legal", "holes", &text);
    assert!(!ran.out.is_empty() || !ran.err.is_empty());
}

/// Programs that find no end of a game say so; what they played is kept.
#[test]
fn programs_do_not_play_for_ever() {
    let path = file("endless", &game("", "true", ""));
    let journal = path.with_extension("jsonl");
    let _ = fs::remove_file(&journal);
    let line = format!("play {} --seats random,random --seed 1", path.display());
    let ran = adit(&format!(
        "{line} --most-choices 500 --journal {}",
        journal.display()
    ));
    let said = "no end after 500 choices of programs in a row; among the last 500 positions 18 are different";
    assert_code(&ran, Exit::No, said);
    let resumed = adit(&format!("resume {} --most-choices 100", journal.display()));
    assert_code(&resumed, Exit::No, "resumed after 500 choices");
}

fn questions(n: usize) -> String {
    let ask = |i: usize| format!("question q{i} \"Q{i}?\" {{ r{i} \"r\" default  s{i} \"s\" }}\n");
    let rulings = |i: usize| format!("ruling R-{i} \"r\" {{ expect t == 0 }}\n");
    game(&(lines(n, ask) + &lines(3, rulings)), "true", "")
}

/// Each reading is a rule set to be read anew: where that would take too long, the rest is told.
#[test]
fn a_matrix_of_many_readings_has_an_end() {
    let few = run("rulings --matrix --plain", "few_questions", &questions(5));
    assert!(
        few.out.starts_with("3 rulings x 6 rule sets\n"),
        "{}",
        few.out
    );
    assert_eq!(few.exit, Exit::Yes, "{}", few.out);
    // No more than a megabyte, of which each rule set reads all.
    let text = questions(100) + &"// a long remark\n".repeat(58_000);
    let ran = run("rulings --matrix --plain", "many_questions", &text);
    assert_code(&ran, Exit::No, "more rule sets were not looked at");
}

/// What one answer may take, a thousand may not take a thousand times.
#[test]
fn all_rulings_together_have_an_end() {
    let long = "repeat 40000000 { t = (t + 1) mod 7 }";
    let ruling = |i: usize| format!("ruling R-{i} \"r\" {{ given {{ {long} }} expect t == 0 }}\n");
    let text = game(&lines(50, ruling), "true", "");
    assert_code(&run("rulings", "many_rulings", &text), Exit::No, "F0830");
    if width(0, 0, 1) == 0 {
        return;
    }
    let study = |i: usize| {
        format!("study S-{i} \"s\" {{ given {{ {long} }} find t == 8 within 2 plies }}\n")
    };
    let text = game(&lines(50, study), "true", "");
    assert_code(&run("study", "many_studies", &text), Exit::Failure, "F0830");
}

#[test]
fn random_games_have_an_end() {
    let slow = "count { x in 0..999, y in 0..999 where x + y == t } < 2000";
    let text = game("", slow, "");
    // Games that do not come to their end bring no work along for more of them.
    let ran = run("lint --games 100000", "slow_games", &text);
    assert!(ran.out.contains("left off before the end"), "{}", ran.out);
    assert!(!ran.out.contains("F08"), "{}", ran.out);
}

/// Invariants about tables are judged when the rulebook is read; that they were not judged to the end is no
/// verdict on them.
#[test]
fn invariants_of_many_values_have_an_end() {
    let invariant = |i: usize| format!("invariant i{i}(x: 0..9999, y: 0..9999): x + y >= 0\n");
    let ran = run(
        "check --plain",
        "invariants",
        &game(&lines(100, invariant), "true", ""),
    );
    assert_code(&ran, Exit::No, "F0830");
    let said = format!("{}{}", ran.out, ran.err);
    assert!(!said.contains("does not hold"), "{said}");
}

/// What a formatter or a checker does once for each line must not go through all other lines.
#[test]
fn long_lists_are_read_once() {
    let rows = lines(20_000, |i| format!("{i}: {}  ", i % 10));
    let text = game(
        &format!("table w[0..19999]: 0..9 {{ {rows} }}\n"),
        "w[t] > 9",
        "",
    );
    assert_ne!(run("fmt --check", "long_table", &text).exit, Exit::Failure);
    let sentences = lines(20_000, |i| format!("B-{i} \"sentence {i}\"\n"));
    let text = game(
        &format!("sentences book \"h\" {{ {sentences} }}\n"),
        "true",
        "",
    );
    let text = text.replace("seats a, b", "seats a, b source book \"B\"");
    assert_code(&run("check", "sentences", &text), Exit::Yes, "0 errors");
}

/// A set for each cell of a large board would take half a gigabyte.
#[test]
fn neighbours_on_a_large_board_take_little_room() {
    let near = |side: usize| {
        let board = format!("space S: grid(column: 1..{side}, row: 1..{side})\n");
        let last = format!("S({side}, {side})");
        let all = format!(
            "count around(S(1, 1)) == 3 and count orthogonal(S(2, 2)) == 4 and count diagonal({last}) == 1 \
             and S(1, 2) in neighbours(S(1, 1)) and count around(step(S(1, 1), w)) == 0"
        );
        game(&board, &all, "")
    };
    for side in [3, 256] {
        let ran = run("legal --plain", &format!("board{side}"), &near(side));
        assert_code(&ran, Exit::Yes, "go");
    }
}

/// A table may hold what a track may: sets of any size.
#[test]
fn a_table_holds_large_sets() {
    let tables = "enum Side { white, black }\nspace Square: grid(column: 1..12, row: 1..12)\n\
        table home[Side]: set of Square { white: {Square(1, 1), Square(12, 12)}  black: { q in Square where q.row > 6 } }\n\
        table none_of[Side]: set of Square else {} { white: {Square(3, 3)} }\n\
        table road[Town]: set of Town { t0: {t99, t1}  t99: {t0}  t1: {t0}  t70: {} REST }\n\
        enum Town { TOWNS }\nspace Map: graph(road)\n\
        track at: set of Square = home[white]\ntrack side: Side = black\n";
    let towns: Vec<String> = (0..100).map(|i| format!("t{i}")).collect();
    let rest = (2..99)
        .filter(|it| *it != 70)
        .map(|i| format!("t{i}: {{}} "));
    let tables = tables
        .replace("TOWNS", &towns.join(", "))
        .replace("REST", &rest.collect::<String>());
    let holds = "Square(12, 12) in home[white] and count home[side] == 72 and at == home[white] \
        and count none_of[black] == 0 and Square(3, 3) in none_of[white] \
        and Map(t99) in neighbours(Map(t0)) and count neighbours(Map(t70)) == 0 \
        and count reach { Map(t1) } via q -> neighbours(q) == 3";
    let text = game(&tables, holds, "");
    assert_code(&run("legal --plain", "large_sets", &text), Exit::Yes, "go");
    let text = game(&tables, &format!("not ({holds})"), "");
    assert_code(
        &run("legal --plain", "not_large_sets", &text),
        Exit::Yes,
        "the game is over",
    );
}

fn cited(declarations: &str, more: &str) -> String {
    let spans = "B-1..B-5000, B-5001..B-10000, B-10001..B-15000, B-15001..B-20000";
    let text = game(declarations, "true", "");
    text.replace(
        "seats a, b",
        &format!("seats a, b source book \"B\" sentences {spans}{more}"),
    )
}

/// Each citation is looked up, not looked for.
#[test]
fn many_sentences_are_looked_up() {
    let lists = lines(8_000, |i| {
        format!("sentences book \"h{i}\" {{ B-{} \"s{i}\" }}\n", i + 1)
    });
    let tracks = lines(8_000, |i| {
        format!("track t{i}: bool = false cite book B-{}\n", i + 9_000)
    });
    let asides = lines(3_000, |i| format!("aside book B-{} \"a\"\n", i + 17_001));
    let text = cited(&(lists + &tracks + &asides), "");
    assert_code(&run("check", "many_cites", &text), Exit::Yes, "0 errors");
    let ran = run("sources --plain", "many_cites", &text);
    assert_code(&ran, Exit::No, "B: 11000 of 20000 sentences accounted for");
}

/// A short text may name as many sentences as it likes, and each of them is kept.
#[test]
fn citations_of_whole_chapters_have_a_bound() {
    let chapters = lines(150, |i| {
        format!("track t{i}: bool = false cite book B-1..B-5000\n")
    });
    let text = cited(&chapters, "");
    assert_code(&run("check", "chapters", &text), Exit::No, "E0680");
    assert_ne!(run("lint", "chapters", &text).exit, Exit::Yes);
    let few = chapters.lines().take(90).collect::<Vec<_>>().join("\n");
    let text = cited(&few, "");
    assert_code(
        &run("check", "fewer_chapters", &text),
        Exit::Yes,
        "0 errors",
    );
    let text = cited("", ", B-20001..B-25001, B-25002..B-40000");
    assert_code(
        &run("check", "long_span", &text),
        Exit::No,
        "at most 5000 sentences",
    );
}

#[test]
fn items_without_a_name_are_numbered_once() {
    let supplies = "supply 1 every Man in box\n".repeat(8_000);
    let text = game(
        &format!("component Man {{ }}\nzone box: bag of Man open\n{supplies}"),
        "true",
        "",
    );
    // More than the engine has room for; that is known at once.
    assert_code(&run("check", "supplies", &text), Exit::No, "E0590");
}

#[test]
fn long_rows_of_locals_have_a_bound() {
    let lets = |n: usize| lines(n, |i| format!("let x{i} = {}\n", i % 50));
    let text = game("", "true", &lets(300));
    assert_code(&run("check", "locals", &text), Exit::Yes, "0 errors");
    let ran = run("check", "many_locals", &game("", "true", &lets(30_000)));
    assert_code(&ran, Exit::No, "E0590");
    assert!(ran.out.contains("x4000 "), "{}", ran.out);
}

/// The positions that choices can be taken back to are no more than the memory there is.
#[test]
fn choices_are_taken_back_as_far_as_there_is_room() {
    let text = game("", "true", "")
        .replace("seats a, b", "seats a history up to 20000")
        .replace("otherwise {", "otherwise { if repeated() > 3 { t = 0 }");
    let path = file("long_solo", &text);
    let script = path.with_extension("moves");
    fs::write(&script, "go\n".repeat(1_000)).unwrap();
    let ran = adit(&format!(
        "run {} {} --plain",
        path.display(),
        script.display()
    ));
    assert_code(&ran, Exit::Yes, "a to choose");

    let journal = path.with_extension("jsonl");
    let play = |undos: usize| {
        let _ = fs::remove_file(&journal);
        let typed = "go\n".repeat(300) + &"undo\n".repeat(undos);
        let line = format!(
            "play {} --ask-forced --seed 1 --journal {}",
            path.display(),
            journal.display()
        );
        adit_with(&line, &typed)
    };
    let kept = play(60);
    assert!(!kept.out.contains("too many choices ago"), "{}", kept.out);
    let ran = play(299);
    assert!(
        ran.out.contains("no undo: it was too many choices ago"),
        "{}",
        ran.out
    );
    let again = adit(&format!("replay {}", journal.display()));
    assert!(again.err.contains("J0913"), "{}", again.err);
}

/// To tell a move from all others each of them is printed.
#[test]
fn many_moves_have_names() {
    let many = "action pick(x: 0..99, y: 0..99) \"pick {x} {y}\" { }\n\
        action alike(x: 0..99, y: 0..99) \"like\" { }\n";
    let text = game(many, "true", "").replace("choose me: go", "choose me: go | pick | alike");
    let path = file("many_moves", &text);
    let script = path.with_extension("moves");
    fs::write(&script, "pick 7 8\nalike\n").unwrap();
    let ran = adit(&format!(
        "run {} {} --plain",
        path.display(),
        script.display()
    ));
    assert_code(&ran, Exit::No, "no rule offers `alike`");
    fs::write(&script, "pick 7 8\nlike\n").unwrap();
    let ran = adit(&format!(
        "run {} {} --plain",
        path.display(),
        script.display()
    ));
    assert_code(&ran, Exit::No, "can mean several moves");
    assert!(ran.err.len() < 5_000, "{}", ran.err.len());
}

/// What one choice may take, a game may not take at each.
#[test]
fn long_games_have_an_end() {
    let slow = "count { x in 0..999, y in 0..999 where x + y == t } < 2000";
    let path = file("slow_game", &game("", slow, ""));
    let script = path.with_extension("moves");
    fs::write(&script, "go\n".repeat(1_000)).unwrap();
    let ran = adit(&format!("run {} {}", path.display(), script.display()));
    assert_code(&ran, Exit::No, "F0830");
}

/// Each setting and each reading that is named has the rules read anew or looked up.
#[test]
fn many_settings_and_readings_have_an_end() {
    let ask = |i: usize| {
        format!(
            "question q{i} \"Q{i}?\" {{ r{i} \"r\" default  s{i} \"s\" }}\n\
             ruling R-{i} \"r\" {{ expect t == 0 expect t == 0 under q{i} = s{i} }}\n"
        )
    };
    let text = game(&lines(60, ask), "true", "") + &"// a long remark\n".repeat(55_000);
    let ran = run("rulings --plain", "many_readings", &text);
    assert_code(&ran, Exit::Yes, "only in part");
    let set: Vec<String> = (0..40_000).map(|i| format!("\"s{i}\":\"x\"")).collect();
    let path = file("settings", &game("", "true", ""));
    let header = format!(
        "{{\"adit\":1,\"game\":\"{}\",\"amendments\":[],\"settings\":{{{}}},\"seats\":[\"human\",\"human\"],\
         \"seed\":1,\"rules\":\"0\",\"engine\":\"0.1.0\"}}\n",
        path.display(),
        set.join(",")
    );
    let transcript = path.with_extension("jsonl");
    fs::write(&transcript, header).unwrap();
    let ran = adit(&format!("replay {}", transcript.display()));
    assert_ne!(ran.exit, Exit::Yes);
    assert!(ran.err.len() < 20_000, "{}", ran.err.len());
}

/// A game without choices is over before anybody chose; a profile of so many choices does not wait for them.
#[test]
fn games_without_choices_are_profiled() {
    let text =
        format!("{HEAD}flow main() {{ t += 1  end over() }}\nending over() {{ winner none }}\n");
    let ran = run("profile", "no_choice", &text);
    ran.says(Exit::Yes, " over 0 choices in 2000 games");
}

/// Upon one choice chance alone decides again and again, and each of its outcomes takes long.
#[test]
fn all_outcomes_upon_one_choice_have_an_end() {
    let text = format!(
        "{HEAD}action go() \"go\" {{ }}\nflow main() {{ choose a: go  \
         repeat 99999 {{ choose chance side in bool }}  end over() }}\nending over() {{ winner none }}\n"
    );
    let path = file("chance_upon_a_choice", &text);
    let ran = adit(&format!("perft {} 2", path.display()));
    assert_code(&ran, Exit::Failure, "F0830");
}

/// `n` questions with a default and a reading with edits, asked under what is written of each.
fn with_edits(
    n: usize,
    under: impl Fn(usize) -> String,
    edits: impl Fn(usize) -> String,
) -> String {
    lines(n, |i| {
        let (under, edits) = (under(i), edits(i));
        format!("question q{i} \"Q\"{under} {{ a \"A\" default b \"B\" {{ {edits} }} }}\n")
    })
}

#[test]
fn readings_with_edits_are_checked_as_far_as_there_is_time() {
    let own = |i: usize| format!("define d{i}: int = 1");
    let on_two = |i: usize| match i {
        0 | 1 => String::new(),
        _ => format!(" under q{} = a, q{} = a", i - 1, i - 2),
    };
    let doubled = game(&with_edits(60, on_two, own), "true", "");
    assert_code(
        &run("check", "doubled", &doubled),
        Exit::Yes,
        "60 other readings checked",
    );

    let on_one = |i: usize| match i {
        0 => String::new(),
        _ => format!(" under q{} = a", i - 1),
    };
    let chain = game(&with_edits(3_000, on_one, own), "true", "");
    assert_code(
        &run("check", "chain", &chain),
        Exit::Yes,
        "would take too long",
    );

    let circle = |i: usize| format!(" under q{} = b", (i + 1) % 3_000);
    let circle = game(&with_edits(3_000, circle, own), "true", "");
    assert_code(
        &run("check", "circle", &circle),
        Exit::No,
        "depends on its own answer",
    );

    let same = |_: usize| "extend one + 1".to_owned();
    let same = with_edits(150, |_| String::new(), same);
    let same = game(&format!("define one: int = 1\n{same}"), "true", "");
    assert_code(
        &run("check", "same", &same),
        Exit::Yes,
        "pairs would take too long",
    );
}

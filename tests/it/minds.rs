//! Minds: what they choose is good, follows from the seed, and never from what their seat cannot know.

use adit::model::text::Form;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use adit::cli::Exit;
use adit::engine::{Dice, Machine, Status, TrackValue, Viewer};
use adit::mind::{Budget, Means, Mind, Question, Thinker, ponder};
use adit::study::Solved;
use serde_json::Value;

use crate::command::{adit, adit_stopped, adit_with};

fn json(line: &str) -> Value {
    let ran = adit(&format!("--json {line}"));
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{line}: {}{}", ran.out, ran.err))
}

fn path(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("minds");
    fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// A name for a file that is not there yet.
fn new_file(name: &str) -> String {
    let path = path(name);
    let _ = fs::remove_file(&path);
    path.display().to_string()
}

#[test]
fn words_are_read_as_they_are_written() {
    let numbered = [
        "mcts:1000",
        "flat:7",
        "mcts:2s",
        "flat:0.5s",
        "mcts:10000000",
    ];
    let plain = Mind::words()
        .map(|it| it.0)
        .filter(|it| !["mcts", "flat"].contains(it));
    let all: Vec<&str> = plain.chain(numbered).collect();
    assert!(all.len() > 8, "{all:?}");
    for word in all {
        let mind = Mind::find(word).unwrap_or_else(|| panic!("{word}"));
        assert_eq!(mind.word(), word);
    }
    assert_eq!(Mind::find("flat:500ms"), Mind::find("flat:0.5s"));
    for word in [
        "mcts",
        "mcts:",
        "mcts:0",
        "mcts:-1",
        "mcts:1e9s",
        "mcts:NaNs",
        "flat:0s",
        "hard:3",
        "mcts:10000001",
        "",
    ] {
        assert_eq!(Mind::find(word), None, "{word}");
    }
    let ran = adit("play tic_tac_toe --seats human,mediun");
    ran.complains(Exit::Failure, "did you mean `medium`?");
}

#[test]
fn a_search_wins_where_it_can_and_blocks_where_it_must() {
    // A line of two is filled up; that of the other side is stopped.
    for (moves, best) in [
        ("a1; b1; a2; b2", "a3"),
        ("a1; b2; c1", "b1"),
        ("b2; a1; c3; a2", "a3"),
    ] {
        for games in [60, 1500] {
            let line = format!("hint tic_tac_toe --iterations {games} --moves \"{moves}\"");
            let hint = json(&line);
            assert_eq!(hint["moves"][0]["move"], best, "{moves}: {hint}");
        }
    }
}

const TIC_TAC_TOE: &str = include_str!("../../rules/classics/tic_tac_toe.rules");

/// What is called certain is so by the worth of all positions, and near the end all that is certain is called so.
#[test]
fn what_is_certain_agrees_with_what_positions_are_worth() {
    let program = crate::secrets::program(TIC_TAC_TOE).expect("a game");
    let thinker = Thinker::new(&program);
    let solved = Solved::of(&program, 100_000, &mut |_| true).unwrap();
    let solved = solved.unwrap_or_else(|_| panic!("it is solved"));
    let means = Means {
        threads: 1,
        clock: &|| Duration::ZERO,
        is_stopped: &|| false,
    };
    let (mut certain, mut open) = ([0, 0], 0);
    for seed in 0..60 {
        let (mut machine, mut dice) = (Machine::new(&program), Dice::new(seed));
        machine.start(&mut dice).unwrap();
        while let Status::Choice { seat } = machine.status() {
            let about = Question {
                mind: Mind::Tree(Budget::Games(60)),
                seat,
                seed,
                cut: None,
                only: &[],
            };
            let thought = ponder(&thinker, &machine, about, means);
            let worths = solved.moves(&program, &machine.save()).unwrap();
            let left = machine.moves().len();
            let is_won = worths.contains(&1.0);
            for (weighed, worth) in thought.moves.iter().zip(worths) {
                match weighed.certain {
                    Some(it) => {
                        assert_eq!(worth, f64::from(u8::from(it.wins)), "seed {seed}");
                        certain[usize::from(it.wins)] += 1;
                    }
                    None => {
                        // Behind a win that is found nothing else is asked.
                        assert!(
                            left > 6 || worth == 0.5 || is_won,
                            "seed {seed}, {left} left"
                        );
                        open += 1;
                    }
                }
            }
            let nth = seed as usize % left;
            machine.play_nth(nth, &mut dice).unwrap();
        }
    }
    assert!(
        certain.iter().all(|it| *it > 40) && open > 40,
        "{certain:?} {open}"
    );
}

/// A row of three with both ends open is stopped, and a row of four filled up, among more than two hundred moves.
#[test]
fn medium_sees_what_is_about_to_end_among_many_moves() {
    for (moves, best) in [
        ("h8; a1; h9; c1; h10; e1; h11; g1", &["h7", "h12"][..]),
        ("a1; h8; c1; h9; e1; h10; g2", &["h7", "h11"]),
        ("a1; h8; c1; h9; e1; h10", &["h6", "h7", "h11", "h12"]),
    ] {
        let line = format!("--json hint gomoku --iterations 300 --moves \"{moves}\"");
        let ran = adit(&line);
        let hint: Value = serde_json::from_str(&ran.out).expect(&ran.err);
        let played = hint["moves"][0]["move"].as_str().unwrap();
        assert!(best.contains(&played), "{moves}: {hint}");
    }
}

#[test]
fn two_good_players_of_tic_tac_toe_draw() {
    let told = json("simulate tic_tac_toe --seats mcts:2000,mcts:2000 --rotate --games 4");
    let players = told["players"].as_array().unwrap();
    assert_eq!(players.len(), 2, "{told}");
    assert_eq!(told["shared"]["games"], 4, "{told}");
}

/// Who plays as well as one can neither wins against another such nor loses against anybody.
#[test]
fn exact_players_draw_and_never_lose() {
    let told = json("simulate tic_tac_toe --seats exact,exact --rotate --games 20");
    assert_eq!(told["shared"]["games"], 20, "{told}");
    let told = json("simulate tic_tac_toe --seats exact,random --rotate --games 200");
    let alone = |at: usize| told["players"][at]["alone"].as_u64().unwrap();
    assert_eq!(alone(1), 0, "{told}");
    assert!(alone(0) > 120, "{told}");
}

/// Who is to win rolls three times and may stop: by hand, the third roll is worth 3.5, so 4 and more are kept behind the second
/// (4.25 on average), and 5 and more behind the first.
const ROLLS: &str = r#"game g "G" { seats anna, bert }
track points[seat]: 0..6 = 0
track rolled[seat]: 0..3 = 0
action keep() "keep" { require rolled: points[me] > 0  do { rolled[me] = 3 } }
action roll() "roll" { do { rolled[me] += 1  choose chance n in 1..6  points[me] = n } }
flow main() { for each s in seat { while rolled[s] < 3 { choose s: roll | keep } } end over() }
ending over() { ranking seat by points[it] - points[next_seat(it)] }
"#;

#[test]
fn an_exact_player_weighs_chance_by_how_likely_it_is() {
    let program = crate::secrets::program(ROLLS).expect("a game");
    let thinker = Thinker::new(&program);
    assert_eq!(thinker.work_out(&mut |_| true), Ok(Ok(())));
    let clock = || Duration::ZERO;
    let means = Means {
        threads: 1,
        clock: &clock,
        is_stopped: &|| false,
    };
    let mut machine = Machine::new(&program);
    let mut seen = 0;
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        machine.start(&mut dice).unwrap();
        for least in [1, 5, 4] {
            let view = machine.view(Viewer::Referee);
            let Some(TrackValue::Scalar(points)) = view.tracks[0].values[0] else {
                panic!("{view:?}");
            };
            let Status::Choice { seat: 0 } = machine.status() else {
                break;
            };
            let chosen = thinker
                .choose(Mind::Exact, &machine, 0, seed, means)
                .unwrap();
            let printed = machine.print(chosen, Form::Plain);
            let wanted = if points >= least { "keep" } else { "roll" };
            assert_eq!(printed, wanted, "{points} of {least}");
            seen += 1;
            machine.play(chosen, &mut dice).unwrap();
        }
    }
    assert!(seen > 120, "{seen}");
}

#[test]
fn an_exact_player_says_before_the_game_where_it_cannot_play() {
    let refused = [
        (
            "simulate connect_four --seats exact,random",
            "there are more than 2,000,000 positions",
        ),
        (
            "play kuhn_poker --seats random,exact",
            "first_player does not see all that may differ",
        ),
        (
            "simulate kuhn_poker --seats random,exact",
            "first_player does not see all that may differ",
        ),
        (
            "play whist --seats exact,random,random,random",
            "with three seats or more no play is",
        ),
        (
            "play backgammon --seats exact,exact",
            "takes more work than one command may",
        ),
    ];
    for (line, why) in refused {
        let ran = adit(line);
        ran.complains(Exit::Failure, why);
        ran.complains(Exit::Failure, "seat `medium`");
        assert!(ran.out.is_empty(), "{}", ran.out);
    }
    let kept = new_file("exact.jsonl");
    let play = "play tests/fixtures/games/nim.rules --seats exact,random --seed 3";
    adit(&format!("{play} --journal {kept}")).says(Exit::Yes, "first_player wins");
    adit(&format!("replay {kept}")).says(Exit::Yes, "");
}

#[test]
fn more_thought_wins_connect_four() {
    let ran =
        adit("simulate connect_four --seats mcts:400,random --rotate --games 20 --seed 3 --bar 95");
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.out);
    let ran =
        adit("simulate connect_four --seats random,mcts:400 --rotate --games 20 --seed 3 --bar 50");
    assert_eq!(ran.exit, Exit::No, "{}", ran.out);
    let ran =
        adit("simulate connect_four --seats greedy,random --rotate --games 60 --seed 3 --bar 60");
    assert_eq!(ran.exit, Exit::Yes, "{}", ran.out);
}

/// Who looks wins more than half; who does not cannot.
#[test]
fn nobody_looks() {
    for sort in ["track", "cards"] {
        let file = format!("tests/fixtures/minds/rps_{sort}.rules");
        for mind in ["mcts:60", "flat:60", "greedy"] {
            let play = format!("--seats {mind},random --rotate --games 400 --seed 5");
            let ran = adit(&format!("simulate {file} {play} --within 43,57"));
            assert_eq!(ran.exit, Exit::Yes, "{sort}, {mind}: {}", ran.out);
            let open = fs::read_to_string(&file)
                .unwrap()
                .replace(" seen by owner", "");
            let shown = path(&format!("open_{sort}.rules")).display().to_string();
            fs::write(&shown, open).unwrap();
            let ran = adit(&format!("simulate {shown} {play} --bar 65"));
            assert_eq!(ran.exit, Exit::Yes, "{sort}, {mind}: {}", ran.out);
        }
    }
}

/// Equal words of a seed and a number of games: equal answers, whatever the threads.
#[test]
fn threads_change_nothing() {
    let hint = |threads: u32| {
        json(&format!(
            "hint connect_four --iterations 20000 --threads {threads}"
        ))
    };
    let one = hint(1);
    assert_eq!(one, hint(8));
    assert_eq!(one["games"], 20_000);
    let match_of = |jobs: u32| {
        json(&format!(
            "simulate tests/fixtures/games/goofspiel.rules --seats mcts:30,greedy --rotate --games 12 --jobs {jobs}"
        ))
    };
    assert_eq!(match_of(1), match_of(3));
}

#[test]
fn random_players_by_name_are_random_players() {
    let plain = adit("simulate connect_four --games 30");
    let named = adit("simulate connect_four --games 30 --seats random,random");
    assert_eq!(plain.out, named.out);
    let told = json("simulate connect_four --games 30 --seats random,random --rotate");
    let credit = |at: usize| told["players"][at]["share"].as_f64().unwrap();
    assert!((credit(0) + credit(1) - 1.0).abs() < 1e-9, "{told}");
}

/// A game whose endings are `ends`; chance says which one it is.
fn ended(name: &str, seats: &str, ends: &str) -> String {
    let path = path(&format!("{name}.rules"));
    let text = format!(
        "game {name} \"G\" {{ seats {seats} }}\n\
         action go(n in 1..2) \"go {{n}}\" {{ do {{ }} }}\n\
         flow main() {{ choose a: go  choose chance d in 1..10  if d <= 9 {{ end often }} else {{ end rarely }} }}\n{ends}\n"
    );
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn where_all_have_lost_nobody_has_won() {
    let lost = "ending often() { winner {} }\nending rarely() { winner {} }";
    for (name, seats, minds) in [("alone", "a", "random"), ("both", "a, b", "random,random")] {
        let game = ended(name, seats, lost);
        let bar = format!("simulate {game} --seats {minds} --games 20 --bar 1");
        adit(&bar).says(Exit::No, "0.0 %");
        let kept = new_file(&format!("{name}.jsonl"));
        adit(&format!("simulate {game} --games 1 --save {kept}"));
        let told = json(&format!("review {kept} --iterations 10"));
        assert_eq!(
            told["course"].as_array().unwrap().last().unwrap(),
            0.0,
            "{told}"
        );
    }
    // What all win each of them has won.
    let won = "ending often() { winner seat }\nending rarely() { winner {} }";
    let game = ended("together", "a, b", won);
    let told = json(&format!(
        "simulate {game} --seats random,random --rotate --games 200"
    ));
    for player in told["players"].as_array().unwrap() {
        let share = player["share"].as_f64().unwrap();
        assert!((0.8..1.0).contains(&share), "{told}");
    }
}

#[test]
fn partners_who_are_named_win_the_whole_game() {
    let ends = "ending often() { winner { a, b } }\nending rarely() { winner c }";
    let game = ended("partners", "a, b, c", ends);
    let told = json(&format!("hint {game} --iterations 300"));
    let wins = told["moves"][0]["wins"].as_f64().unwrap();
    assert!((0.8..1.0).contains(&wins), "{told}");
    let told = json(&format!(
        "simulate {game} --seats random,random,random --rotate --games 200"
    ));
    let players = told["players"].as_array().unwrap();
    let shares = players.iter().map(|it| it["share"].as_f64().unwrap());
    // Each win of the two counts twice.
    assert!((1.7..2.0).contains(&shares.sum::<f64>()), "{told}");
}

#[test]
fn a_match_is_kept_as_it_was_played() {
    let kept = new_file("match.jsonl");
    let line = "simulate connect_four --seats mcts:40,greedy --rotate --games 1 --seed 8";
    adit(&format!("{line} --save {kept}")).says(Exit::Yes, "mcts:40 against greedy");
    adit(&format!("replay {kept}")).says(Exit::Yes, "");
    let text = fs::read_to_string(&kept).unwrap();
    assert!(text.contains(r#""seats":["mcts:40","greedy"]"#), "{text}");
}

/// A game that is gone on with goes on as it would have gone.
#[test]
fn a_resumed_game_goes_on_alike() {
    let whole = new_file("whole.jsonl");
    let play = "play tests/fixtures/games/goofspiel.rules --seats mcts:40,easy --seed 11";
    adit(&format!("{play} --journal {whole}")).says(Exit::Yes, "");
    let text = fs::read_to_string(&whole).unwrap();
    let n_lines = text.lines().count();
    assert!(n_lines > 8, "{text}");
    for keep in [1, 2, n_lines / 2, n_lines - 2] {
        let part = new_file("part.jsonl");
        let lines = text.split_inclusive('\n').take(keep);
        fs::write(&part, lines.collect::<String>()).unwrap();
        adit(&format!("resume {part}")).says(Exit::Yes, "");
        assert_eq!(fs::read_to_string(&part).unwrap(), text, "{keep}");
    }
}

#[test]
fn a_hint_is_kept_and_tells_three_moves() {
    let kept = new_file("hinted.jsonl");
    let play = format!("play tic_tac_toe --seats human,random --seed 2 --journal {kept}");
    let ran = adit_with(&play, "hint\nb2\nquit\n");
    assert_eq!(ran.out.matches("  wins ").count(), 3, "{}", ran.out);
    let text = fs::read_to_string(&kept).unwrap();
    let hinted = text.lines().nth(1).unwrap();
    assert!(hinted.starts_with(r#"{"hint":""#), "{text}");
    // What was asked changes nothing of the game.
    adit_with(&format!("resume {kept}"), "quit\n").says(Exit::Yes, "");
    assert_eq!(fs::read_to_string(&kept).unwrap(), text);
    let hint = json(&format!("hint --at {kept} --iterations 300"));
    assert_eq!(hint["moves"].as_array().unwrap().len(), 3, "{hint}");
    for told in hint["moves"].as_array().unwrap() {
        let [low, wins, high] = ["low", "wins", "high"].map(|it| told[it].as_f64().unwrap());
        assert!(low <= wins && wins <= high, "{hint}");
    }
}

/// Hidden values are dealt so that all comes about as the seat saw it: of two fields of which one hides a ship the hint promises half.
/// Where nobody knows how the game went, each is dealt by itself, and the hint says so.
#[test]
fn a_hint_deals_hidden_values_as_the_seat_saw_them_come_about() {
    let game = r#"game fields "Fields" { seats anna, bert }
space Field: line(at: 1..6)
show Field as "{at}"
track ship[seat, Field]: bool = false seen by owner
track shot[Field]: bool = false
track hits: 0..2 = 0
action hide_at(one in Field) "hide at {one}" {
    require far: one.at > 3 and not ship[me, one]
    do { ship[me, one] = true }
}
action fire(one in Field) "fire at {one}" {
    require fresh: not shot[one]
    do {
        shot[one] = true
        if ship[bert, one] { hits += 1 }
    }
}
flow main() {
    repeat 2 { choose bert: hide_at }
    step play { choose anna: fire }
    end over
}
ending over() { winner if hits > 0 then anna else bert }
ruling fired "She fires at a field." {
    given { from seed 1 at main.play }
    expect legal anna: fire(Field(4))
}
"#;
    let file = path("fields.rules").display().to_string();
    fs::write(&file, game).unwrap();
    let hint = json(&format!(
        "hint {file} --iterations 400 --seed 1 --moves \"hide at 4; hide at 6\""
    ));
    assert!(hint["by_value"].is_null(), "{hint}");
    let best = &hint["moves"][0];
    let wins = best["wins"].as_f64().unwrap();
    assert!((0.5..0.8).contains(&wins), "{hint}");
    assert!(best["move"].as_str().unwrap() > "fire at 3", "{hint}");
    let told = "each value of `ship` by itself";
    let fleet = format!("hint {file} --iterations 40 --ruling fired");
    adit(&fleet).says(Exit::Yes, told);
    assert_eq!(json(&fleet)["by_value"][0], "ship");
}

/// What mostly follows is told from deals in which it can, and how often it did; what is expected from all games.
/// What has been found when somebody asks to stop is told, and that it is not what was asked for.
#[test]
fn a_hint_that_is_stopped_tells_what_is_known() {
    let line = "hint connect_four --iterations 10000000 --threads 1 --json";
    // Whoever gets no processor at first has played no game by then.
    let mut ran = [20, 1000].into_iter().map(|it| adit_stopped(it, line));
    let ran = ran.find(|it| !it.out.contains("why")).unwrap();
    ran.complains(Exit::Failure, "stopped: this is what is known");
    let hint: Value = serde_json::from_str(&ran.out).expect(&ran.out);
    let games = hint["games"].as_u64().unwrap();
    assert!((1..10_000_000).contains(&games), "{games}");
    assert_eq!(hint["moves"].as_array().unwrap().len(), 3, "{}", ran.out);
}

#[test]
fn a_hint_tells_what_follows_and_what_is_expected() {
    let hint = json("hint tunnels --seed 4 --iterations 800");
    for told in hint["moves"].as_array().unwrap() {
        let figures = told["figures"].as_array().unwrap();
        let [own, other] = [0, 1].map(|it| figures[it].as_f64().unwrap());
        assert!(
            (told["ahead"].as_f64().unwrap() - (own - other)).abs() < 1e-9,
            "{told}"
        );
        let share = told["followed"].as_f64();
        assert_eq!(
            share.is_some(),
            !told["then"].as_array().unwrap().is_empty(),
            "{told}"
        );
        assert!(share.is_none_or(|it| 0.0 < it && it < 1.0), "{told}");
    }
    assert!(hint["moves"][0]["followed"].is_f64(), "{hint}");
    // Who wins is all there is to know of this one.
    let hint = json("hint tic_tac_toe --iterations 400");
    assert_eq!(hint["moves"][0].get("figures"), None, "{hint}");
}

#[test]
fn a_review_parts_choice_and_luck() {
    let kept = new_file("review.jsonl");
    adit(&format!(
        "play connect_four --seats mcts:60,easy --seed 4 --journal {kept}"
    ))
    .says(Exit::Yes, "");
    let svg = new_file("review.svg");
    let told = json(&format!("review {kept} --iterations 120 --svg {svg}"));
    let swings = told["swings"].as_array().unwrap();
    assert!((1..=5).contains(&swings.len()), "{told}");
    let was_worse = |it: &Value| it["by_choice"].as_f64().unwrap() < -0.1;
    assert!(swings.iter().any(was_worse), "{told}");
    for it in swings {
        let number = |name: &str| it[name].as_f64().unwrap();
        // What may as well be luck of the measuring is no swing.
        let swing = number("by_choice").abs().max(number("by_luck").abs());
        assert!(swing > number("off"), "{it}");
        assert!(number("by_choice") <= 0.0, "{it}");
        let parts = number("before") + number("by_choice") - number("after");
        assert!(parts.abs() < 1e-9, "{it}");
        // Only where another move is better something was lost by the choice.
        assert_eq!(
            number("by_choice") < 0.0,
            it.get("better").is_some(),
            "{it}"
        );
    }
    // Nothing is hidden or left to luck: what a choice came to is where the next one begins.
    let last = told["course"].as_array().unwrap().len() - 2;
    for it in swings {
        let is_last = it["choice"] == last;
        assert!(is_last || it["by_luck"] == 0.0, "{it}");
        assert!(it["off"].as_f64().unwrap() <= 0.15, "{it}");
    }
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    let choices = fs::read_to_string(&kept)
        .unwrap()
        .matches("\"move\"")
        .count();
    let course = told["course"].as_array().unwrap();
    assert_eq!(course.len(), choices + 1, "{told}");
    let plain = adit(&format!("review {kept} --iterations 20 --plain --seat red"));
    plain.says(Exit::Yes, "the chances of red");
    assert!(!plain.out.contains('█'), "{}", plain.out);
    adit(&format!("review {kept} --seat green"))
        .complains(Exit::Failure, "there is no seat `green`");
}

/// Where the choices change nothing, all is luck: none of them is called worse than another.
#[test]
fn a_review_of_luck_blames_no_choice() {
    let kept = new_file("coins.jsonl");
    for seed in 1..4 {
        let _ = fs::remove_file(&kept);
        adit(&format!(
            "play tests/fixtures/minds/coins.rules --seats random,random --seed {seed} --journal {kept}"
        ))
        .says(Exit::Yes, "");
        let told = json(&format!("review {kept} --iterations 100"));
        let swings = told["swings"].as_array().unwrap();
        for it in swings {
            assert_eq!(it["by_choice"], 0.0, "{it}");
            assert!(it.get("better").is_none(), "{it}");
            assert_eq!(it["before"], it["after"], "{it}");
        }
        let luck = |it: &Value| it["by_luck"].as_f64().unwrap().abs() > 0.1;
        assert!(swings.iter().any(luck), "{told}");
    }
}

#[test]
fn who_cannot_think_says_what_stands_in_the_way() {
    let file = "tests/fixtures/minds/deep.rules";
    // How it came to the position of a ruling nobody knows.
    let line = format!("--plain hint {file} --iterations 200");
    let ran = adit(&format!("{line} --ruling begun"));
    assert_eq!(ran.exit, Exit::No, "{}{}", ran.out, ran.err);
    let why =
        "anna does not see all of `depth`, and wherever that is dealt anew the rules stop: F08";
    assert!(
        ran.out.starts_with(&format!("no hint: {why}")),
        "{}",
        ran.out
    );
    // Since the game began nobody has set a depth, so all can be as it is alone.
    adit(&line).says(Exit::Yes, "of 200 games, dealt from what anna has seen");
    for game in [file, "tic_tac_toe"] {
        let ran = adit(&format!(
            "--plain play {game} --seats medium,first --seed 1"
        ));
        assert!(!ran.out.contains("at random"), "{}", ran.out);
    }
}

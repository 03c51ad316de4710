//! Measures: what is taken down is what a hand comes to that reads the transcripts, and nothing changes by it.

use std::fs;
use std::path::PathBuf;

use adit::cli::Exit;
use serde_json::Value;

use crate::command::{adit, keep};

const HEAP: &str = include_str!("../fixtures/tried/heap.rules");

/// What is measured of the heap.
const MEASURES: &str = r#"
measure lead: int = points[ann] - points[bo] each turn
measure margin: int = abs(points[ann] - points[bo]) at end
measure ann_leads: bool = points[ann] > points[bo]
measure points_at_two: int = points[ann] + points[bo] when heap == 2
measure never_so: int = 1 when heap > 10
measure broken: int = 6 / (heap - 3) when heap > 0
"#;

fn file(test: &str, name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The heap, and an amendment that measures it.
fn files(test: &str) -> (String, String) {
    let amendment = format!("variant measured \"Measured\" for heap {{ }}\n{MEASURES}");
    (
        file(test, "heap.rules", HEAP),
        file(test, "measured.rules", &amendment),
    )
}

fn told(line: &str) -> Value {
    let ran = adit(&format!("--json {line}"));
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

/// What a hand comes to that reads what was taken: by measure the values in order, and how often there was none.
fn by_hand(transcript: &str) -> Vec<(Vec<i64>, u64)> {
    let lines = transcript.lines().skip(1);
    let lines: Vec<Value> = lines.map(|it| serde_json::from_str(it).unwrap()).collect();
    let heap = lines[0]["value"].as_str().unwrap().parse::<i64>().unwrap();
    let (mut heap, mut points) = (heap, [0_i64; 2]);
    let mut taken = vec![(Vec::new(), 0); 6];
    for line in &lines {
        let Some(text) = line["move"].as_str() else {
            continue;
        };
        // Whoever chooses has not chosen before: they take turns.
        taken[0].0.push(points[0] - points[1]);
        if heap == 2 {
            taken[3].0.push(points[0] + points[1]);
        }
        match heap - 3 {
            0 => taken[5].1 += 1,
            less => taken[5].0.push(6_i64.div_euclid(less)),
        }
        let n: i64 = text.strip_prefix("take ").unwrap().parse().unwrap();
        heap -= n;
        points[usize::from(line["seat"] == "bo")] += n;
    }
    taken[1].0.push((points[0] - points[1]).abs());
    taken[2].0.push(i64::from(points[0] > points[1]));
    taken
}

#[test]
fn what_is_measured_is_what_a_hand_comes_to() {
    const GAMES: u64 = 60;
    let (_, measured) = files("measured_by_hand");
    let kept = file("measured_by_hand", "kept.jsonl", "");
    let mut all: Vec<(Vec<i64>, u64)> = vec![(Vec::new(), 0); 6];
    for seed in 0..GAMES {
        let line = format!("simulate {measured} --games 1 --seed {seed} --save {kept}");
        assert_eq!(adit(&line).exit, Exit::Yes);
        let own = by_hand(&fs::read_to_string(&kept).unwrap());
        for (all, (values, failed)) in all.iter_mut().zip(own) {
            all.0.extend(values);
            all.1 += failed;
        }
    }
    let told = told(&format!("simulate {measured} --games {GAMES} --jobs 2"));
    let names = [
        "lead",
        "margin",
        "ann_leads",
        "points_at_two",
        "never_so",
        "broken",
    ];
    let measures = told["measures"].as_array().unwrap();
    assert_eq!(measures.len(), names.len(), "{told}");
    for ((told, name), (mut values, failed)) in measures.iter().zip(names).zip(all) {
        assert_eq!(told["name"], name);
        values.sort_unstable();
        let mut counts: Vec<(i64, u64)> = Vec::new();
        for value in &values {
            match counts.last_mut() {
                Some((last, count)) if last == value => *count += 1,
                _ => counts.push((*value, 1)),
            }
        }
        let found = &told["values"];
        assert_eq!(found["counts"], serde_json::json!(counts), "{name}: {told}");
        assert_eq!(found["count"], values.len(), "{name}");
        assert_eq!(found["least"].as_i64(), values.first().copied(), "{name}");
        assert_eq!(found["most"].as_i64(), values.last().copied(), "{name}");
        let times = told["failed"]["times"].as_u64().unwrap_or(0);
        assert_eq!(times, failed, "{name}: {told}");
    }
    assert!(measures[5]["failed"]["times"].as_u64() > Some(0), "{told}");
}

/// What `simulate` tells of many games is what a hand counts in those games, kept one by one.
#[test]
fn the_figures_are_what_kept_games_come_to() {
    const GAMES: u64 = 60;
    let (heap, _) = files("figures_by_hand");
    let kept = file("figures_by_hand", "kept.jsonl", "");
    let (mut alone, mut shared, mut points) = ([0_u64; 2], 0_u64, [0_i64; 2]);
    let (mut choices, mut turns, mut moves, mut forced) = (0_u64, 0_u64, 0_i64, 0_u64);
    for seed in 0..GAMES {
        let line = format!("simulate {heap} --games 1 --seed {seed} --save {kept}");
        assert_eq!(adit(&line).exit, Exit::Yes);
        let text = fs::read_to_string(&kept).unwrap();
        let lines = text.lines().skip(1);
        let lines: Vec<Value> = lines.map(|it| serde_json::from_str(it).unwrap()).collect();
        let mut left: i64 = lines[0]["value"].as_str().unwrap().parse().unwrap();
        let (mut own, mut last) = ([0_i64; 2], String::new());
        for line in lines.iter().filter(|it| it["move"].is_string()) {
            let (seat, text) = (
                line["seat"].as_str().unwrap(),
                line["move"].as_str().unwrap(),
            );
            choices += 1;
            turns += u64::from(last != seat);
            moves += left.min(3);
            forced += u64::from(left == 1);
            let n: i64 = text.strip_prefix("take ").unwrap().parse().unwrap();
            left -= n;
            own[usize::from(seat == "bo")] += n;
            seat.clone_into(&mut last);
        }
        shared += u64::from(own[0] == own[1]);
        alone[0] += u64::from(own[0] > own[1]);
        alone[1] += u64::from(own[1] > own[0]);
        points[0] += own[0];
        points[1] += own[1];
    }
    let told = told(&format!("simulate {heap} --games {GAMES}"));
    assert_eq!(told["judged"], GAMES);
    assert_eq!(told["shared"]["games"], shared, "{told}");
    for (at, seat) in ["ann", "bo"].iter().enumerate() {
        let wins = told["wins"].as_array().unwrap();
        let won = wins.iter().find(|it| it["seat"] == *seat).unwrap();
        assert_eq!(won["alone"]["games"], alone[at], "{told}");
        let figure = &told["endings"][0]["figures"][0]["seats"][*seat];
        assert_eq!(figure["sum"], points[at].to_string(), "{told}");
    }
    assert_eq!(told["endings"][0]["games"], GAMES);
    assert_eq!(told["choices"]["sum"], choices.to_string());
    assert_eq!(told["turns"]["sum"], turns.to_string());
    assert_eq!(told["moves"]["sum"], moves.to_string());
    assert_eq!(told["moves"]["count"], choices);
    assert_eq!(told["forced"], forced);
    assert_eq!(told["uses"][0]["played"], choices);
}

/// A measure with a seat is one for each seat.
#[test]
fn what_is_measured_for_each_seat() {
    let (_, measured) = files("measured_seats");
    let text = "variant seats \"Seats\" for heap { }\nmeasure own(s: seat): int = points[s]\nmeasure ann: int = points[ann]\nmeasure bo: int = points[bo]\n";
    let path = measured.replace("measured.rules", "seats.rules");
    fs::write(&path, text).unwrap();
    let told = told(&format!("simulate {path} --games 50"));
    let measures = told["measures"].as_array().unwrap();
    let names: Vec<&Value> = measures.iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["own(ann)", "own(bo)", "ann", "bo"]);
    assert_eq!(measures[0]["values"], measures[2]["values"]);
    assert_eq!(measures[1]["values"], measures[3]["values"]);
    assert_ne!(measures[0]["values"], measures[1]["values"]);
    for wrong in ["(x: int)", "(s: seat, t: seat)", "(s in seat)"] {
        fs::write(&path, text.replace("own(s: seat)", &format!("own{wrong}"))).unwrap();
        let ran = adit(&format!("check {path}"));
        assert_eq!(ran.exit, Exit::No, "{wrong}: {}", ran.out);
        let said = "a measure is taken of the whole table or for each seat";
        assert_eq!(ran.out.matches(said).count(), 1, "{wrong}: {}", ran.out);
    }
}

/// Neither the rules nor a game know of what is measured.
#[test]
fn what_is_measured_changes_no_game() {
    let (heap, measured) = files("measured_nothing");
    let (plain, with) = (
        told(&format!("simulate {heap} --games 40")),
        told(&format!("simulate {measured} --games 40")),
    );
    for word in ["rules", "wins", "choices", "endings", "uses"] {
        assert_eq!(plain[word], with[word], "{word}");
    }
    assert!(plain.get("measures").is_none(), "{plain}");
    let all = [1, 2, 7].map(|jobs| told(&format!("simulate {measured} --games 99 --jobs {jobs}")));
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
}

#[test]
fn what_is_measured_is_compared() {
    let (_, measured) = files("measured_compared");
    let rule = "variant more \"More\" for heap { }\nreplace main.deal { heap = 12 }\n";
    let rule = file("measured_compared", "more.rules", rule);
    let told = told(&format!("compare {measured} --but-with {rule} --games 200"));
    let rows = told["rows"].as_array().unwrap();
    let row = rows.iter().find(|it| it["of"] == "margin").unwrap();
    assert_eq!(row["what"], "measure");
    let bounds = ["low", "more", "high"].map(|it| row[it].as_f64().unwrap());
    assert!(bounds.is_sorted(), "{row}");
    let mean = |side: &str| row[side].as_f64().unwrap();
    assert!((bounds[1] - (mean("b") - mean("a"))).abs() < 1e-5, "{row}");
    // What no game gives on a side is not compared.
    assert!(rows.iter().all(|it| it["of"] != "never_so"), "{told}");
}

#[test]
fn measures_are_shown() {
    let folder = "tests/fixtures/measured";
    keep(
        "measured",
        "lines",
        &format!("simulate {folder}/measured.rules --games 40"),
    );
    keep(
        "measured",
        "plain",
        &format!("--plain simulate {folder}/measured.rules --games 40"),
    );
    keep(
        "measured",
        "json",
        &format!("--json simulate {folder}/measured.rules --games 8"),
    );
    keep(
        "measured",
        "compared",
        &format!("compare {folder}/measured.rules --but-with {folder}/more.rules --games 40"),
    );
    let [table, picture] = ["table.csv", "picture.svg"].map(|it| file("measured_shown", it, ""));
    adit(&format!(
        "simulate {folder}/measured.rules --games 6 --csv {table} --svg {picture}"
    ));
    let [table, picture] = [table, picture].map(|it| fs::read_to_string(it).unwrap());
    crate::fixtures::snapshot("measured", "table", &table);
    assert!(picture.contains("lead each turn"), "{picture}");
}

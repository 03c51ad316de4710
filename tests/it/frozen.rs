//! What the shipped games were before their readings became edits of the rules, kept line by line: under each
//! reading of each question and under many pairs of readings the same moves are offered in the same order, told in the
//! same words, seen by the same seats, and come to the same end.
//!
//! A line of `snapshots/frozen/GAME.txt` begins with the settings: the default, each single reading, another value of
//! each option, some 300 pairs of readings that were drawn. A short hash for each seed stands behind them; the engine
//! wrote them before any rulebook was changed. What a reading is called may change there, a hash only where the rules
//! were wrong: a `//` line says so.

use adit::model::text::Form;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use adit::engine::{self, Knowledge, Program, Status, Viewer};
use adit::play::{Session, at_random, board, seat_name, transcript};
use adit::report;
use adit::ruling;

use crate::fixtures::{compiled, width};

/// The name of the file, the rulebook, its amendments.
type Frozen = (&'static str, &'static str, &'static [&'static str]);

const TUNNELS: Frozen = ("tunnels", "rules/tunnels.rules", &[]);
const CARCASSONNE: Frozen = ("carcassonne", "rules/carcassonne.rules", &[]);
const CARCASSONNE_TUNNEL: Frozen = (
    "carcassonne_tunnel",
    "rules/carcassonne.rules",
    &["rules/carcassonne_tunnel.rules"],
);
const CHANNEL_TUNNEL: Frozen = ("channel_tunnel", "rules/channel_tunnel.rules", &[]);
const AGENDA: Frozen = (
    "agenda",
    "rules/channel_tunnel.rules",
    &["rules/channel_tunnel_agenda.rules"],
);

/// The seeds of a line, and how many choices are made at most; the last is for a whole game.
const SEEDS: [usize; 5] = [300, 300, 300, 300, 3_000];
/// A seat is looked at every so many choices.
const LOOKS: usize = 10;

type Settings = Vec<(String, String)>;

fn program((_, base, amendments): Frozen, set: &Settings) -> Result<Program, String> {
    let (sources, compiled) = compiled(base, amendments, set, None);
    let said = report::plain(&sources, &compiled.diagnostics);
    let game = compiled.game.ok_or_else(|| said.clone())?;
    engine::compile(game).map_err(|found| report::plain(&sources, &found))
}

fn header(seed: u64) -> transcript::Header {
    transcript::Header {
        adit: transcript::FORMAT,
        game: String::new(),
        amendments: Vec::new(),
        settings: serde_json::Map::new(),
        seats: Vec::new(),
        from: None,
        seed: Some(seed),
        chance: None,
        view: None,
        rules: String::new(),
        engine: String::new(),
    }
}

/// Plays one game at random and hashes all that it came to.
fn course(program: &Program, seed: u64, most: usize) -> String {
    let mut told = String::new();
    let mut session = match Session::start(program, header(seed)) {
        Ok(session) => session,
        Err(fault) => return hash(&format!("{:?}", fault.kind)),
    };
    for ply in 0..most {
        look(&mut session, ply, &mut told);
        let Status::Choice { seat } = session.status() else {
            break;
        };
        told += &seat_name(session.game(), seat, Form::Plain);
        let moves = session.machine().moves().to_vec();
        for mv in &moves {
            told += "\n";
            told += &session.machine().print(*mv, Form::Plain);
        }
        let chosen = at_random(&moves, seed, seat, session.n_choices());
        if let Err(error) = session.play(chosen.expect("a move")) {
            let engine::PlayError::Fault(fault) = error else {
                panic!("{error:?}");
            };
            told += &format!("{:?}", fault.kind);
            break;
        }
    }
    for record in session.records() {
        let mut record = record.clone();
        if let transcript::Record::End(end) = &mut record {
            end.figures = telling(&end.figures);
        }
        told += &transcript::line_of(&record);
    }
    hash(&told)
}

/// What each seat sees, now and then. What is empty is left out, so that a place may come or go that is never used.
fn look(session: &mut Session<'_>, ply: usize, told: &mut String) {
    let is_over = session.status() == Status::Ended;
    if !ply.is_multiple_of(LOOKS) && !is_over {
        return;
    }
    let game = session.game();
    let seats = (0..game.n_seats).map(Viewer::Seat);
    for viewer in seats.chain([Viewer::Referee]) {
        // What lies open to it now; what it remembers is kept beside the position.
        let knowledge = session.machine().knowledge().clone();
        session.machine().recall(Knowledge::default());
        let view = session.machine().view(viewer);
        session.machine().recall(knowledge);
        for (address, what) in board::facts(game, &view) {
            let name = address.split('[').next();
            if game.zones.iter().any(|it| Some(it.name.as_str()) == name) && !what.is_empty() {
                *told += &format!("{address}: {what}\n");
            }
        }
    }
}

/// Leaves out the figures that are equal for all seats: they rank nobody.
fn telling(figures: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let tells = |at: &usize| figures.iter().any(|it| it.get(*at) != figures[0].get(*at));
    let n = figures.first().map_or(0, Vec::len);
    let at: Vec<usize> = (0..n).filter(tells).collect();
    let of = |it: &Vec<i64>| at.iter().filter_map(|at| it.get(*at).copied()).collect();
    figures.iter().map(of).collect()
}

pub(crate) fn hash(text: &str) -> String {
    let hash = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
    format!("{:06x}", hash >> 40)
}

fn written(set: &Settings) -> String {
    let words: Vec<String> = set.iter().map(|(q, r)| format!("{q}={r}")).collect();
    if words.is_empty() {
        "-".to_owned()
    } else {
        words.join(" ")
    }
}

fn read(line: &str) -> (Settings, Vec<String>) {
    let (set, hashes): (Vec<&str>, Vec<&str>) = line.split(' ').partition(|it| it.contains('='));
    let pair = |it: &&str| {
        it.split_once('=')
            .map(|(q, r)| (q.to_owned(), r.to_owned()))
    };
    let set = set.iter().filter_map(pair).collect();
    let hashes = hashes.into_iter().filter(|it| *it != "-");
    (set, hashes.map(str::to_owned).collect())
}

fn hashes(frozen: Frozen, set: &Settings, seeds: usize) -> Vec<String> {
    let program = match program(frozen, set) {
        Ok(program) => program,
        Err(said) => return vec![said],
    };
    let seeds = (0..).zip(SEEDS).take(seeds);
    seeds
        .map(|(seed, most)| course(&program, seed, most))
        .collect()
}

fn path(frozen: Frozen) -> PathBuf {
    let name = format!("snapshots/frozen/{}.txt", frozen.0);
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Works on all of these, two at a time, and gives the answers in their order.
fn each<T: Sync>(all: &[T], work: impl Fn(&T) -> String + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(vec![String::new(); all.len()]);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(it) = all.get(at) else { break };
                    let answer = work(it);
                    answers.lock().unwrap()[at] = answer;
                }
            });
        }
    });
    answers.into_inner().unwrap()
}

/// Compares with what was. Every day a part is looked at: a fifth of the single readings, a game each; else pairs too, of which two games.
fn compare(frozen: Frozen) {
    let text = fs::read_to_string(path(frozen)).expect("what was");
    let (ruled, played): (Vec<&str>, Vec<&str>) = text
        .lines()
        .filter(|it| !it.starts_with("//"))
        .partition(|it| it.starts_with("ruling "));
    let (most_words, every) = [(1, 8), (1, 5), (usize::MAX, 1)][width(0, 1, 2) as usize];
    let (alone, together) = [(1, 0), (1, 0), (SEEDS.len(), 2)][width(0, 1, 2) as usize];
    let looked_at: Vec<(Settings, Vec<String>)> = played
        .iter()
        .map(|line| read(line))
        .filter(|(set, _)| set.len() <= most_words)
        .step_by(every)
        .collect();
    let differ = each(&looked_at, |(set, before)| {
        let seeds = if set.len() > 1 { together } else { alone };
        let now = hashes(frozen, set, seeds);
        let same = now == before[..seeds];
        if same {
            String::new()
        } else {
            format!("{} {}\n", written(set), now.join(" "))
        }
    });
    assert_eq!(differ.concat(), "", "{} plays otherwise", frozen.0);
    let program = program(frozen, &Vec::new()).unwrap();
    let now: Vec<String> = ruling::run_all(&program)
        .iter()
        .map(|it| format!("ruling {} {:?}", it.id, it.verdict()))
        .collect();
    let missing: Vec<&str> = ruled
        .into_iter()
        .filter(|it| !now.contains(&(*it).to_owned()))
        .collect();
    assert!(missing.is_empty(), "{}: {missing:?}", frozen.0);
}

#[test]
fn tunnels_is_what_it_was() {
    compare(TUNNELS);
}

#[test]
fn carcassonne_is_what_it_was() {
    compare(CARCASSONNE);
    compare(CARCASSONNE_TUNNEL);
}

#[test]
fn channel_tunnel_is_what_it_was() {
    compare(CHANNEL_TUNNEL);
}

#[test]
fn agenda_is_what_it_was() {
    compare(AGENDA);
}

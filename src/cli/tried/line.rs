//! A line of play to a difference: in words, and as a transcript.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::cli::load::Loaded;
use crate::cli::position;
use crate::engine::{Move, Viewer};
use crate::lab::{Kind, Witness};
use crate::model::Alike;
use crate::model::text::Form;
use crate::play::explain::{self, Says};
use crate::play::transcript::{Header, Luck};
use crate::play::{Player, Session, board, seat_name};

/// A line to a difference, with what is said of it.
pub struct Shown {
    /// The line.
    pub found: Witness,
    /// Who is to choose then, on either side.
    pub choosers: [Option<String>; 2],
    /// Why the first move that only A offers is refused under B: the clause and its words.
    pub refused: Vec<(String, Option<String>)>,
    /// Of games that have ended, what either side says of it.
    pub ends: Option<[End; 2]>,
    /// Where something that both have first lay otherwise before everybody's eyes.
    pub apart: Option<Apart>,
}

/// What lies otherwise before everybody's eyes.
pub struct Apart {
    /// Behind so many choices.
    pub choices: usize,
    /// Its address, and what lies there on either side; nothing where there is nothing.
    pub places: Vec<(String, [String; 2])>,
}

/// How a game ended.
pub struct End {
    /// The ending.
    pub by: String,
    /// By seat.
    pub places: Vec<u32>,
    /// By seat, all it is ranked by.
    pub figures: Vec<Vec<i64>>,
    /// What all have in common.
    pub alike: Option<Alike>,
}

/// Says what there is to say of a line to a difference.
pub fn shown(sides: &[Loaded; 2], found: Witness, form: Form) -> Shown {
    let programs = sides.each_ref().map(|it| &it.program);
    let choosers = [0, 1].map(|at: usize| {
        let seat = found.choosers[at]?;
        Some(seat_name(&programs[at].game, seat, form))
    });
    let mut refused = Vec::new();
    if let (Some(text), Some(mut session)) = (found.only[0].first(), session(sides, &found, 1)) {
        let answer = explain::answer(&mut session, text, form);
        let findings = answer.into_iter().flat_map(|it| it.findings);
        let refusing = findings.filter(|it| it.says == Says::Refuses);
        refused.extend(refusing.map(|it| (it.clause, it.message)));
    }
    let ends = match found.kind {
        Kind::End => end(sides, &found, 0).zip(end(sides, &found, 1)),
        _ => None,
    };
    Shown {
        apart: apart(sides, &found),
        found,
        choosers,
        refused,
        ends: ends.map(|(a, b)| [a, b]),
    }
}

/// Looks for the first position of the line in which both do not show everybody the same.
fn apart(sides: &[Loaded; 2], found: &Witness) -> Option<Apart> {
    let [mut one, mut other] = [begun(sides, found, 0)?, begun(sides, found, 1)?];
    let mut played = found.moves[0].iter().zip(&found.moves[1]);
    for choices in 0.. {
        let places = unlike([open(&mut one), open(&mut other)]);
        if !places.is_empty() {
            return Some(Apart { choices, places });
        }
        let (a, b) = played.next()?;
        one.play(*a).ok()?;
        other.play(*b).ok()?;
    }
    None
}

/// What everybody sees, by its address.
fn open(session: &mut Session<'_>) -> BTreeMap<String, String> {
    let view = session.machine().view(Viewer::NOBODY);
    board::facts(session.game(), &view).into_iter().collect()
}

/// What is not the same on both sides; what only one rule set has is no difference in what lies there.
fn unlike([one, other]: [BTreeMap<String, String>; 2]) -> Vec<(String, [String; 2])> {
    let has = |facts: &BTreeMap<String, String>, address: &str| {
        let name = head(address);
        facts.keys().any(|it| head(it) == name)
    };
    let addresses: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let mut places = Vec::new();
    for address in addresses {
        let [a, b] = [&one, &other].map(|it| it.get(address).cloned().unwrap_or_default());
        if a != b && has(&one, address) && has(&other, address) {
            places.push((address.clone(), [a, b]));
        }
    }
    places
}

fn head(address: &str) -> &str {
    address.split(['[', '.']).next().unwrap_or_default()
}

fn end(sides: &[Loaded; 2], found: &Witness, at: usize) -> Option<End> {
    let mut session = session(sides, found, at)?;
    let outcome = session.machine().outcome()?;
    let procs = &sides[at].program.game.procs;
    let ending = procs.get(outcome.ending.index());
    Some(End {
        by: ending.map_or_else(String::new, |it| it.name.clone()),
        places: outcome.places,
        figures: outcome.keys,
        alike: outcome.alike,
    })
}

fn header(side: &Loaded, seed: u64, folder: Option<&Path>) -> Header {
    let game = &side.program.game;
    let seats = vec![Player::RANDOM.word(); game.n_seats as usize];
    let mut header = position::header(game, &side.asked.seen_from(folder), seats, seed);
    header.chance = Some(Luck::Named);
    header
}

/// Begins the game of the line on one side.
fn begun<'s>(sides: &'s [Loaded; 2], found: &Witness, at: usize) -> Option<Session<'s>> {
    let side = sides.get(at)?;
    let header = header(side, found.seed, None);
    Session::start_with(&side.program, header, Vec::new()).ok()
}

/// Plays the line on one side.
fn session<'s>(sides: &'s [Loaded; 2], found: &Witness, at: usize) -> Option<Session<'s>> {
    let mut session = begun(sides, found, at)?;
    for mv in &found.moves[at] {
        session.play(*mv).ok()?;
    }
    Some(session)
}

/// The side under which alone the line is legal to its end, or which a fault stops; the second one, where it is legal under both.
pub fn side_of(sides: &[Loaded; 2], found: &Witness) -> usize {
    match (found.last, found.kind) {
        (Some((at, _)), _) => at,
        (None, Kind::Fault) => faulting(sides, found),
        (None, _) => 1,
    }
}

/// Returns the line as a transcript under the rules that allow its last move: legal to its end under them alone.
pub fn transcript(sides: &[Loaded; 2], shown: &Shown, path: &Path) -> String {
    let found = &shown.found;
    let at = side_of(sides, found);
    let side = &sides[at];
    let header = header(side, found.seed, path.parent());
    let mut moves: Vec<Move> = found.moves[at].clone();
    let last = match (found.kind, found.last) {
        (Kind::Fault, _) => moves.pop(),
        (_, Some((_, mv))) => {
            moves.push(mv);
            None
        }
        _ => None,
    };
    position::line_to_fault(&side.program, header, &moves, last)
}

/// The side that a fault stops; the second one, where one stops both.
fn faulting(sides: &[Loaded; 2], found: &Witness) -> usize {
    match session(sides, found, 1) {
        None => 1,
        Some(_) => 0,
    }
}

/// Says behind how many choices something is.
pub fn behind(choices: usize) -> String {
    match choices {
        0 => String::from("at the first choice"),
        1 => String::from("behind one choice"),
        n => format!("behind {n} choices"),
    }
}

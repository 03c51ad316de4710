//! A line of play to a difference: in words, and as a transcript.

use crate::model::text::Form;
use std::path::Path;

use crate::cli::load::Loaded;
use crate::cli::position;
use crate::engine::Move;
use crate::lab::{Kind, Witness};
use crate::model::Alike;
use crate::play::explain::{self, Says};
use crate::play::transcript::{Header, Luck};
use crate::play::{Player, Session, seat_name};

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
        found,
        choosers,
        refused,
        ends: ends.map(|(a, b)| [a, b]),
    }
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

/// Plays the line on one side.
fn session<'s>(sides: &'s [Loaded; 2], found: &Witness, at: usize) -> Option<Session<'s>> {
    let side = sides.get(at)?;
    let header = header(side, found.seed, None);
    let mut session = Session::start_with(&side.program, header, Vec::new()).ok()?;
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

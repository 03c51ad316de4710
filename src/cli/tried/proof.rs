//! What all lines of two rule sets come to.

use crate::model::text::Form;
use std::path::Path;

use serde::Serialize;

use super::json::SightsTold;
use super::line::behind;
use super::sighted;
use crate::cli::load::Loaded;
use crate::cli::simulated::words::grouped;
use crate::cli::{CliError, Ui, commands, position};
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::engine::{Fault, FaultKind, Move, Program};
use crate::lab::{self, Found, Given, Kind, Parting, Proof, Reach, Why};
use crate::model::{Game, Ruling};
use crate::play::transcript::Record;
use crate::play::{Session, of_play, seat_name, typed};

/// What was searched, and what came of it.
pub struct Proven {
    reach: Reach,
    from: Option<String>,
    proof: Proof,
    /// The line to a difference, as it is written.
    line: Vec<String>,
    /// Who is to choose then, on either side.
    choosers: [Option<String>; 2],
    /// What was compared of what seats see.
    sights: String,
}

/// The same, for programs.
#[derive(Serialize)]
pub struct ProvenTold<'a> {
    /// `same`, `moves` where only what is asked and how it ends is the same, `proven`, `differs` or `open`.
    verdict: &'static str,
    /// Choices that were asked for.
    asked: u32,
    /// Choices behind which nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'a str>,
    pairs: usize,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    line: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    only_a: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    only_b: &'a [String],
    /// Pairs of positions in which it was compared who sees what, and those in which somebody sees more under one of them.
    sights: SightsTold,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<FaultMetTold>,
}

/// A fault in a line that was followed.
pub struct FaultMet {
    /// `a`, `b` or `both`.
    pub side: &'static str,
    /// So often.
    pub times: usize,
    /// Behind so many choices at first.
    pub choices: u32,
    /// What it is.
    pub found: Diagnostic,
}

/// The same, for programs.
#[derive(Serialize)]
struct FaultMetTold {
    side: &'static str,
    times: usize,
    choices: u32,
    code: String,
    message: String,
}

/// Searches all lines of both, from the start of the game or the position of a ruling.
pub fn search(
    sides: &[Loaded; 2],
    from: Option<&str>,
    reach: Reach,
    ui: &mut Ui<'_>,
) -> Result<Proven, CliError> {
    let programs = sides.each_ref().map(|it| &it.program);
    let starts = match from {
        None => None,
        Some(id) => {
            let [one, other] = programs.map(|it| ruling(&it.game, id));
            Some(match (one, other) {
                (Ok(one), Ok(other)) => [one.start, other.start],
                (Err(error), Err(_)) => return Err(error),
                (one, _) => return Err(of_one(id, usize::from(one.is_err()), programs)),
            })
        }
    };
    let mut shown = None;
    let proof = lab::prove(programs, starts, reach, &mut |depth, pairs| {
        ui.watched(&mut shown, || {
            let pairs = grouped(pairs as u64);
            format!("depth {depth}, {pairs} pairs of positions")
        })
    });
    ui.progress("");
    let (mut line, mut choosers) = (Vec::new(), [None, None]);
    if let Found::Differs(parting) = &proof.found {
        let mut played = session(&sides[0], 0, from, parting, None)?;
        let mut records = played.records();
        // What chance gives where they part is not of the line to it.
        if matches!(parting.kind, Kind::Chance | Kind::Likelihood) {
            let last = records
                .iter()
                .rposition(|it| matches!(it, Record::Choice(_)));
            records = records
                .get(..last.map_or(0, |it| it + 1))
                .unwrap_or_default();
        }
        // A fault may stop one where the other one has ended.
        let stops = parting.kind == Kind::Fault;
        let of_line = records
            .iter()
            .filter(|it| !stops || !matches!(it, Record::End(_)));
        line.extend(of_line.map(written));
        if let Some((last, upon)) = unfinished(parting, 0) {
            line.extend(played.unfinished(*last, upon).iter().map(written));
        }
        choosers = [0, 1].map(|at: usize| {
            let seat = parting.choosers[at]?;
            Some(seat_name(&programs[at].game, seat, ui.form()))
        });
    }
    Ok(Proven {
        reach,
        from: from.map(str::to_owned),
        line,
        choosers,
        sights: sighted::sights(
            &programs[0].game,
            (&proof.sights.0, ""),
            proof.sights.1.as_ref(),
            ui.form(),
        ),
        proof,
    })
}

fn ruling<'g>(game: &'g Game, id: &str) -> Result<&'g Ruling, CliError> {
    let found = game.rulings.iter().find(|it| it.id == id);
    found.ok_or_else(|| {
        let known: Vec<String> = game.rulings.iter().map(|it| it.id.clone()).collect();
        commands::unknown_ruling(id, &known)
    })
}

/// Says of a ruling that only one rule set has that there is no position to begin in under the other one.
fn of_one(id: &str, by: usize, programs: [&Program; 2]) -> CliError {
    let [own, other] = if by == 0 { ["A", "B"] } else { ["B", "A"] };
    let rulings = programs.map(|it| it.game.rulings.iter().map(|it| it.id.as_str()));
    let [one, two] = rulings.map(Vec::from_iter);
    let both: Vec<&str> = one.into_iter().filter(|id| two.contains(id)).collect();
    let near = closest(id, both.iter().copied());
    let near = near.map_or_else(String::new, |it| format!(", such as `{it}`"));
    let help =
        format!("name a ruling that both have{near}; `adit rulings GAME` lists those of a game");
    let message = format!("only {own} has the ruling `{id}`; {other} has no such position");
    CliError::new(codes::UNKNOWN_RULING, message, help)
}

fn written(record: &Record) -> String {
    match record {
        Record::Choice(it) => {
            let played = it.played.as_deref().unwrap_or_default();
            format!("{}: {played}", it.seat)
        }
        Record::Chance(it) => {
            let value = it.value.as_deref().unwrap_or_default();
            format!("{} gives {value}", it.chance)
        }
        Record::Undo(it) => format!("{} takes it back", it.undo),
        Record::Hint(it) => format!("{} asks for a hint", it.hint),
        Record::End(it) => format!("the game ends by {}", it.end),
    }
}

/// The last move of a line to a fault, where a side cannot finish it, and what chance gave upon it.
fn unfinished(parting: &Parting, at: usize) -> Option<&(Move, Given)> {
    let last = parting.line.last()?;
    // What must hold is asked behind the move.
    let stops = |it: &Fault| it.kind != FaultKind::Untrue;
    let fault = parting.faults[at].as_deref();
    fault.is_some_and(stops).then(|| &last[at])
}

/// Plays the line on a side, as far as it can be played there.
fn session<'l>(
    side: &'l Loaded,
    at: usize,
    from: Option<&str>,
    parting: &Parting,
    folder: Option<&Path>,
) -> Result<Session<'l>, CliError> {
    let upon = parting.line.iter().flat_map(|it| &it[at].1);
    let chance = parting.opening[at].iter().chain(upon).copied();
    let mut moves: Vec<_> = parting.line.iter().map(|it| it[at].0).collect();
    moves.truncate(moves.len() - usize::from(unfinished(parting, at).is_some()));
    let start = from.map(|id| ruling(&side.program.game, id)).transpose()?;
    let from = start.map(|it| (it.id.as_str(), it.start.seed));
    let asked = side.asked.seen_from(folder);
    position::searched(side, &asked, from, chance, moves.into_iter())
}

impl FaultMet {
    fn told(self) -> FaultMetTold {
        FaultMetTold {
            side: self.side,
            times: self.times,
            choices: self.choices,
            code: self.found.code.to_string(),
            message: self.found.message,
        }
    }
}

impl Proven {
    /// Whether what is known is that both can be played.
    pub fn is_known(&self) -> bool {
        self.faults().is_empty() && !matches!(self.proof.found, Found::Open(..))
    }

    /// What stops either side in the lines that were followed: which, how often, behind how many choices.
    pub fn faults(&self) -> Vec<FaultMet> {
        let of = |side, times, choices, fault: &Fault| FaultMet {
            side,
            times,
            choices,
            found: fault.diagnostic(),
        };
        let halted = self.proof.halted.iter();
        let mut all = Vec::from_iter(halted.map(|it| of("both", it.times, it.choices, &it.fault)));
        if let Found::Differs(it) = &self.proof.found {
            let choices = u32::try_from(it.line.len()).unwrap_or(u32::MAX);
            let each = ["a", "b"].into_iter().zip(&it.faults);
            let met = each.filter_map(|(side, fault)| Some((side, fault.as_deref()?)));
            all.extend(met.map(|(side, fault)| of(side, 1, choices, fault)));
        }
        all
    }

    /// Whether the rules part without a fault, so that more of them lies behind that.
    pub fn goes_on(&self) -> bool {
        matches!(&self.proof.found, Found::Differs(it) if it.kind != Kind::Fault)
    }

    /// Whether somebody stopped the search.
    pub fn is_stopped(&self) -> bool {
        matches!(self.proof.found, Found::Open(_, Why::Stopped))
    }

    /// Returns the line to a difference as a transcript, with a move that only one side offers, if there is one.
    pub fn transcript(
        &self,
        sides: &[Loaded; 2],
        folder: Option<&Path>,
    ) -> Result<Option<String>, CliError> {
        let Found::Differs(parting) = &self.proof.found else {
            return Ok(None);
        };
        let from = self.from.as_deref();
        for at in [1, 0] {
            if let Some((last, upon)) = unfinished(parting, at) {
                let mut session = session(&sides[at], at, from, parting, folder)?;
                if session.play(*last).is_err() {
                    return Ok(Some(session.transcript_with(*last, upon)));
                }
            }
        }
        let stops_one = parting.faults[0].is_some() && parting.faults[1].is_none();
        let at = usize::from(parting.only[0].is_empty() && !stops_one);
        let mut session = session(&sides[at], at, from, parting, folder)?;
        if let Some(text) = parting.only[at].first() {
            let chosen = typed::read(&mut session, text, Form::Plain)?;
            session.play(chosen).map_err(|error| of_play(&error))?;
        }
        Ok(Some(session.transcript()))
    }

    /// Says what is proven, word for word.
    pub fn lines(&self, kind: impl Fn(Kind) -> &'static str) -> Vec<String> {
        let mut lines = self.proven(kind);
        let is_begun = !matches!(self.proof.found, Found::Open(None, _));
        if is_begun && !self.sights.is_empty() {
            lines.push(self.sights.clone());
        }
        lines
    }

    fn proven(&self, kind: impl Fn(Kind) -> &'static str) -> Vec<String> {
        let from = match &self.from {
            Some(id) => format!("from {id}"),
            None => String::from("from the start of the game"),
        };
        let pairs = format!("{} pairs of positions", grouped(self.proof.pairs as u64));
        match &self.proof.found {
            Found::Same => vec![format!(
                "{}: {from}, whatever is chosen and drawn, both ask the same seat for the same moves, and where one ends the other ends alike; {pairs}, and there are no more",
                match self.proof.sights.0.differ {
                    0 => "the same game",
                    _ => "the same moves",
                }
            )],
            Found::Proven(choices) => vec![format!(
                "proven: in every line of at most {choices} choices {from}, whatever is chosen and drawn, both ask the same seat for the same moves; {pairs}"
            )],
            Found::Open(depth, why) => {
                let why = match why {
                    Why::Pairs => "there are too many pairs of positions; `--pairs N` allows more",
                    Why::Chance => match self.from {
                        None => "chance decides in too many ways; `--from RULING` begins later",
                        Some(_) => {
                            "chance decides in too many ways; a ruling of a later position, or one that says what lies where, leaves less to it"
                        }
                    },
                    Why::Work => "it takes too much work",
                    Why::Stopped => "it was stopped",
                };
                let known = match depth {
                    Some(depth) => format!(
                        "{from} nothing differs within {depth} of {} choices, and no more is known",
                        self.reach.choices
                    ),
                    None => format!("not even how both begin is known {from}"),
                };
                vec![format!("open: {known}: {why}; {pairs}")]
            }
            Found::Differs(parting) => {
                let mut lines = vec![format!(
                    "differs {from}, {}, and no sooner in any line: {}; {pairs}",
                    behind(parting.line.len()),
                    kind(parting.kind)
                )];
                lines.extend(self.line.iter().map(|it| format!("- {it}")));
                let who =
                    |it: &Option<String>| it.clone().unwrap_or_else(|| String::from("nobody"));
                if self.choosers[0] != self.choosers[1] {
                    let [a, b] = self.choosers.each_ref().map(who);
                    lines.push(format!("to choose: A {a}; B {b}"));
                }
                for (name, only) in ["A", "B"].iter().zip(&parting.only) {
                    if !only.is_empty() {
                        lines.push(format!("only {name}: {}", only.join("; ")));
                    }
                }
                lines
            }
        }
    }

    /// Tells the same to programs.
    pub fn told(&self) -> ProvenTold<'_> {
        let none: &[String] = &[];
        let (verdict, depth, only) = match &self.proof.found {
            Found::Same if self.proof.sights.0.differ > 0 => ("moves", None, [none, none]),
            Found::Same => ("same", None, [none, none]),
            Found::Proven(choices) => ("proven", Some(*choices), [none, none]),
            Found::Open(depth, _) => ("open", *depth, [none, none]),
            Found::Differs(it) => {
                let depth = u32::try_from(it.line.len()).unwrap_or(u32::MAX);
                let only = it.only.each_ref().map(Vec::as_slice);
                ("differs", Some(depth), only)
            }
        };
        ProvenTold {
            verdict,
            asked: self.reach.choices,
            depth,
            from: self.from.as_deref(),
            pairs: self.proof.pairs,
            line: &self.line,
            only_a: only[0],
            only_b: only[1],
            sights: SightsTold::of(&self.proof.sights.0),
            faults: self.faults().into_iter().map(FaultMet::told).collect(),
        }
    }
}

//! One ruling looked at closely: why it comes out as it does, and which reading turns it.

use serde::Serialize;

use super::check::counted;
use super::matrix;
use super::rulings::one_line;
use crate::cli::load::{Asked, Budget, Checked, Loaded};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};
use crate::model::{Game, Ruling};
use crate::play::{Sentence, cites_of, sentences_of};
use crate::ruling::{Judged, Purse, Ran};
use crate::source::Sources;

/// Something that a ruling expects, and why it is so.
#[derive(Clone, Serialize)]
pub struct Why {
    place: String,
    text: String,
    holds: bool,
    /// What refuses the move, where one is refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused_by: Vec<Refusal>,
    /// What was there instead, or who refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    saw: Option<String>,
    /// What the clauses cite, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sentences: Vec<Sentence>,
}

/// A clause that refuses a move.
#[derive(Clone, Serialize)]
struct Refusal {
    clause: String,
    cites: String,
    place: String,
}

/// Returns why each thing that a ruling expects is so.
pub fn why(ran: &Ran, game: &Game, sources: &Sources) -> Vec<Why> {
    let all = ran.judged.iter().map(|it| {
        let clauses = it.refused_by.iter();
        let refused_by = clauses.filter_map(|id| {
            let clause = game.clauses.get(id.index())?;
            Some(Refusal {
                clause: clause.path.clone(),
                cites: cites_of(game, *id),
                place: sources.place(clause.span),
            })
        });
        Why {
            place: sources.place(it.span),
            text: one_line(sources.slice(it.span)),
            holds: it.holds,
            refused_by: refused_by.collect(),
            saw: it.saw.clone(),
            sentences: sentences_of(game, it.refused_by.iter().copied()),
        }
    });
    let failed = ran.failed.iter().map(|(span, message)| Why {
        place: sources.place(*span),
        text: one_line(sources.slice(*span)),
        holds: false,
        refused_by: Vec::new(),
        saw: Some(message.clone()),
        sentences: Vec::new(),
    });
    all.chain(failed).collect()
}

/// Writes it.
pub fn show(all: &[Why], ui: &mut Ui<'_>) -> Result<(), CliError> {
    for it in all {
        let mark = match it.holds {
            true => ui.paint(Tone::Green, "holds"),
            false => ui.paint(Tone::Red, "fails"),
        };
        let place = ui.paint(Tone::Dim, &it.place);
        ui.line(format!("     {mark} {}  {place}", it.text))?;
        for by in &it.refused_by {
            let cites = match by.cites.as_str() {
                "" => String::new(),
                cites => format!(" [{cites}]"),
            };
            ui.line(format!(
                "           refused by {}{cites}  {}",
                by.clause, by.place
            ))?;
        }
        if let Some(saw) = it.saw.as_ref().filter(|_| it.refused_by.is_empty()) {
            ui.line(format!("           {saw}"))?;
        }
        for sentence in &it.sentences {
            ui.line(ui.paint(Tone::Dim, format!("           {sentence}")))?;
        }
    }
    Ok(())
}

/// What a ruling comes to under each other reading.
#[derive(Serialize)]
struct Flips {
    id: String,
    title: String,
    /// What it comes to as the rules are.
    here: &'static str,
    /// What does not hold as the rules are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fails: Vec<Why>,
    /// The readings under which it comes out otherwise.
    otherwise: Vec<Flip>,
    /// Under so many it is the same.
    same: usize,
    /// Under so many it says nothing.
    silent: usize,
    /// The readings that do not go with what else is chosen.
    conflicts: Vec<String>,
    /// So many were not looked at.
    left_out: usize,
}

/// A reading that turns a ruling.
#[derive(Serialize)]
struct Flip {
    reading: String,
    verdict: &'static str,
    /// What it expects there by that reading's name, or what does not hold.
    why: Vec<Why>,
}

/// Says under which other readings a ruling comes out otherwise; the answer is no if there is none.
pub fn flips(asked: &Asked, here: &Loaded, id: &str, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let game = &here.program.game;
    let wanted = |it: &Ruling| it.id == id;
    let (mut purse, mut text, mut shown) = (Purse::default(), Budget::default(), None);
    let as_is = one(matrix::run_some(asked, &here.program, &mut purse, &wanted)?);
    let Some(mut as_is) = as_is else {
        let known: Vec<String> = game.rulings.iter().map(|it| it.id.clone()).collect();
        return Err(super::unknown_ruling(id, &known));
    };
    let verdict = as_is.verdict().word();
    as_is.judged.retain(|it| !it.holds);
    let mut flips = Flips {
        id: id.to_owned(),
        title: as_is.title.clone(),
        here: verdict,
        fails: why(&as_is, game, &here.sources),
        otherwise: Vec::new(),
        same: 0,
        silent: 0,
        conflicts: Vec::new(),
        left_out: 0,
    };
    let (mut n_seen, mut is_stopped) = (0, false);
    for (reading, with) in matrix::readings(asked, game, &[]) {
        is_stopped |= !ui.watched(&mut shown, || counted(n_seen, "reading"));
        if is_stopped || text.is_empty() || purse.is_empty() {
            flips.left_out += 1;
            continue;
        }
        n_seen += 1;
        let Checked {
            program, sources, ..
        } = text.read(&with)?;
        let Some(program) = program else {
            flips.conflicts.push(reading);
            continue;
        };
        let ran = one(matrix::run_some(&with, &program, &mut purse, &wanted)?);
        let Some(mut ran) = ran else {
            flips.silent += 1;
            continue;
        };
        let verdict = ran.verdict().word();
        // What it says by the name of a reading is not what it says otherwise; what fails alike is.
        ran.judged.retain(|it| match it.holds {
            true => it.named,
            false => {
                let alike = |as_is: &Judged| as_is.span.same_place(it.span) && as_is.saw == it.saw;
                !as_is.judged.iter().any(alike)
            }
        });
        // The words for what fails only say for which rules it was written.
        let fail = ["failed", "differs"];
        let is_alike = verdict == flips.here
            || fail.contains(&verdict)
                && fail.contains(&flips.here)
                && ran.failed.is_none()
                && ran.fault.is_none();
        if is_alike && ran.judged.is_empty() {
            flips.same += 1;
            continue;
        }
        flips.otherwise.push(Flip {
            why: why(&ran, &program.game, &sources),
            reading,
            verdict,
        });
    }
    ui.progress("");
    match ui.json {
        true => ui.json_value(&flips)?,
        false => flips.show(ui)?,
    }
    Ok(match flips.otherwise.is_empty() {
        _ if is_stopped => Exit::Failure,
        true => Exit::No,
        false => Exit::Yes,
    })
}

/// All lines of a ruling as one.
fn one(all: Vec<Ran>) -> Option<Ran> {
    let mut all = all.into_iter();
    let mut first = all.next()?;
    all.for_each(|it| first.add(it));
    Some(first)
}

impl Flips {
    fn show(&self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        ui.line(format!("{}: {}", self.title, self.here))?;
        show(&self.fails, ui)?;
        for flip in &self.otherwise {
            ui.line(format!("under {}: {}", flip.reading, flip.verdict))?;
            show(&flip.why, ui)?;
        }
        if !self.conflicts.is_empty() {
            let conflicts = self.conflicts.join(", ");
            ui.line(format!("does not go with what is chosen: {conflicts}"))?;
        }
        let silent = match self.silent {
            0 => String::new(),
            n => format!(", nothing is said under {n}"),
        };
        let left_out = match self.left_out {
            0 => String::new(),
            n => format!(", {n} not looked at"),
        };
        let same = counted(self.same, "other reading");
        let is_all = self.otherwise.is_empty() && self.same > 1 && !self.fails.is_empty();
        let all = if is_all { "all " } else { "" };
        ui.line(format!("the same under {all}{same}{silent}{left_out}"))
    }
}

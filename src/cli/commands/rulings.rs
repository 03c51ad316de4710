use std::collections::HashSet;
use std::path::Path;

use clap::Args;
use serde::Serialize;

use super::check::counted;
use super::heard::{Heard, hear};
use super::ruled::{self, Why};
use crate::cli::load::{self, Asked, GameArgs, Loaded};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui, files};
use crate::diagnostic::codes;
use crate::engine::Tier;
use crate::lsp::Question;
use crate::play::Problem;
use crate::ruling::{Matrix, Ran};
use crate::source::Sources;

/// Run the rulings of a game: the disputed cases that it decides.
#[derive(Args, Debug, Default)]
pub struct RulingsArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Run them under every single reading and every shipped amendment as well
    #[arg(long)]
    matrix: bool,
    /// Say of each thing that is expected where it stands, and what refuses the move if one is refused, with the sentence
    #[arg(long, conflicts_with_all = ["matrix", "flips"])]
    why: bool,
    /// Say under which other readings this ruling comes out otherwise
    #[arg(long, requires = "id", conflicts_with = "matrix")]
    flips: bool,
    /// Run only this ruling
    #[arg(value_name = "ID", conflicts_with = "matrix")]
    id: Option<String>,
    /// Keep the line that leads to the first fault as a transcript, for `adit replay FILE`
    #[arg(long, value_name = "FILE", conflicts_with = "matrix")]
    save: Option<String>,
}

impl RulingsArgs {
    /// Returns those of `adit rulings` with nothing else said.
    pub fn of(game: GameArgs) -> RulingsArgs {
        RulingsArgs {
            game,
            ..RulingsArgs::default()
        }
    }

    /// What is to be run on several machines: the game, and how many rule sets there are.
    pub fn planned(&self) -> Result<(Loaded, u64), CliError> {
        if !self.matrix {
            let message = "rulings of one rule set are not cut into parts";
            let help = "plan `adit rulings GAME --matrix`, or run them here";
            return Err(CliError::new(codes::BAD_PLAN, message, help));
        }
        let asked = self.game.asked().for_few_moves();
        let loaded = load::load(asked.clone())?;
        let none = super::matrix::columns(&asked, &loaded.program.game, 0..0, &mut |_| true)?;
        Ok((loaded, none.n_sets))
    }

    /// Returns those that an editor asks about one ruling.
    pub fn about(game: &str, id: &str, question: Question) -> RulingsArgs {
        RulingsArgs {
            game: GameArgs {
                game: game.to_owned(),
                ..GameArgs::default()
            },
            why: question == Question::Why,
            flips: question == Question::Flips,
            id: Some(id.to_owned()),
            ..RulingsArgs::default()
        }
    }
}

#[derive(Serialize)]
struct RulingJson {
    id: String,
    title: String,
    verdict: &'static str,
    holds: bool,
    /// The readings chosen here for which it was not written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_written_for: Vec<String>,
    /// The readings under which it says something by name that was looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    under: Vec<String>,
    /// Otherwise than written, under rules that it was not written for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    differs: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrong: Vec<WrongJson>,
    /// Each thing that is expected, if somebody asks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<Why>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<FaultJson>,
    /// What was not looked at, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unheard: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct WrongJson {
    /// Where it is expected.
    pub place: String,
    /// What is.
    pub text: String,
    /// What was there instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saw: Option<String>,
}

/// Where the rules stopped with a fault, and how to come there.
#[derive(Clone, Serialize)]
pub struct FaultJson {
    pub code: &'static str,
    pub message: String,
    pub place: String,
    pub seed: u64,
    pub transcript: String,
}

/// Runs the rulings; the answer is no where one fails, or where none says anything.
pub fn run(args: &RulingsArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let asked = args.game.asked();
    // How a ruling flips is looked for in many games.
    let asked = if args.flips {
        asked
    } else {
        asked.for_few_moves()
    };
    run_for(args, asked, ui)
}

/// The same, with the game looked for where it is said.
pub fn run_for(args: &RulingsArgs, asked: Asked, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let loaded = load::load(asked.clone())?;
    ui.spell(&loaded.program.game);
    if args.matrix {
        let mut shown = None;
        let matrix = super::matrix::matrix(&asked, &loaded.program.game, &mut |sets| {
            ui.watched(&mut shown, || counted(sets, "rule set"))
        })?;
        ui.progress("");
        if asked.tier == Tier::Baseline && !matrix.stopped && matrix.runs_short() {
            return run_for(args, asked.for_many_moves(), ui);
        }
        return tell_matrix(&matrix, ui);
    }
    if let (true, Some(id)) = (args.flips, &args.id) {
        return ruled::flips(&asked, &loaded, id, ui);
    }
    let written = loaded.program.game.rulings.iter();
    let written = written.map(|it| &it.id).collect::<HashSet<_>>().len();
    let mut all = hear(&asked, loaded, args.id.as_deref(), &|| !ui.is_stopped())?;
    let is_stopped = ui.is_stopped();
    // What ran out of work may come to its end where nothing is worked out twice.
    let is_tired = |it: &Heard| it.ran.as_ref().is_some_and(|it| it.unfinished);
    if asked.tier == Tier::Baseline && !is_stopped && all.values().any(is_tired) {
        return run_for(args, asked.for_many_moves(), ui);
    }
    if let Some(id) = &args.id {
        let known: Vec<String> = all.keys().cloned().collect();
        all.retain(|it, _| it == id);
        if all.is_empty() && !is_stopped {
            return Err(super::unknown_ruling(id, &known));
        }
    }
    if let Some(path) = &args.save {
        let fault = all.values().find_map(|it| it.fault.as_ref());
        let Some(fault) = fault else {
            return Err(
                Problem::new(codes::NOTHING_TO_KEEP, "no ruling stops with a fault")
                    .help("leave `--save` out")
                    .into(),
            );
        };
        files::write(Path::new(path), &fault.transcript)?;
    }
    if !args.why {
        all.values_mut().for_each(|it| it.why.clear());
    }
    let all: Vec<RulingJson> = all.into_values().map(describe).collect();
    let of = |verdict: &str| all.iter().filter(|it| it.verdict == verdict).count();
    let (failed, silent, unfinished) = (of("failed"), of("silent"), of("unfinished"));
    if ui.json {
        ui.json_value(&all)?;
    } else {
        for ruling in &all {
            show(ruling, args, ui)?;
        }
        let rulings = counted(all.len(), "ruling");
        let hold = of("holds");
        let differ = match of("differs") {
            0 => String::new(),
            n => format!(", {n} turn out otherwise under these rules"),
        };
        let open = match unfinished {
            0 => String::new(),
            n => format!(", {n} not finished"),
        };
        let unheard = match silent {
            0 => String::new(),
            n => format!(", {n} not looked at"),
        };
        let in_part = all
            .iter()
            .filter(|it| it.verdict != "silent" && !it.unheard.is_empty());
        let in_part = match in_part.count() {
            0 => String::new(),
            n => format!(", {n} only in part"),
        };
        ui.line(format!(
            "{rulings}: {hold} hold, {failed} fail{open}{differ}{unheard}{in_part}"
        ))?;
    }
    if is_stopped {
        let of = counted(written, "ruling");
        ui.note(format!(
            "stopped: this is what is known of {} of {of}",
            all.len()
        ));
        return Ok(Exit::Failure);
    }
    let is_known = failed == 0 && unfinished == 0;
    Ok(if is_known && (silent < all.len() || all.is_empty()) {
        Exit::Yes
    } else {
        Exit::No
    })
}

/// Tells what rulings come to under many rule sets; the answer is no where one fails, or was not looked at to its end.
pub fn tell_matrix(matrix: &Matrix, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    if ui.json {
        ui.json_value(matrix)?;
    } else {
        ui.part(matrix.text(ui.plain))?;
    }
    if matrix.stopped {
        return Ok(Exit::Failure);
    }
    let is_yes = !matrix.failed() && matrix.is_finished();
    Ok(if is_yes { Exit::Yes } else { Exit::No })
}

/// What did not come out as expected.
pub fn wrong_of(ran: &Ran, sources: &Sources) -> Vec<WrongJson> {
    let wrong = |span, saw: Option<String>| WrongJson {
        place: sources.place(span),
        text: one_line(sources.slice(span)),
        saw,
    };
    let judged = ran.judged.iter().filter(|judged| !judged.holds);
    let judged = judged.map(|it| wrong(it.span, it.saw.clone()));
    let failed = ran.failed.iter();
    let failed = failed.map(|(span, message)| wrong(*span, Some(message.clone())));
    judged.chain(failed).collect()
}

fn describe(heard: Heard) -> RulingJson {
    let verdict = heard.ran.as_ref();
    let verdict = verdict.map_or("silent", |it| it.verdict().word());
    RulingJson {
        id: heard.id,
        title: heard.title,
        verdict,
        holds: verdict == "holds",
        not_written_for: heard.not_written_for,
        under: heard.under.into_iter().collect(),
        differs: verdict == "differs",
        wrong: heard.wrong,
        why: heard.why,
        fault: heard.fault,
        unheard: heard.unheard,
    }
}

pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn show(ruling: &RulingJson, args: &RulingsArgs, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let differs = if ui.plain { "~   " } else { "±   " };
    let mark = match ruling.verdict {
        "holds" => ui.paint(Tone::Green, "ok  "),
        "differs" => ui.paint(Tone::Cyan, differs),
        "failed" => ui.paint(Tone::Red, "FAIL"),
        "unfinished" => ui.paint(Tone::Yellow, "?   "),
        _ => ui.paint(Tone::Yellow, "-   "),
    };
    ui.line(format!("{mark} {:<24} {}", ruling.id, ruling.title))?;
    let under: Vec<&str> = ruling.under.iter().map(String::as_str).collect();
    let said = match (ruling.not_written_for.as_slice(), under.as_slice()) {
        ([], []) => None,
        ([], under) => Some(format!("also under {}", under.join("; "))),
        (foreign, []) => Some(format!("not written for {}", foreign.join(", "))),
        (foreign, under) => Some(format!(
            "not written for {}; looked at: what it says under {}",
            foreign.join(", "),
            under.join("; ")
        )),
    };
    if let Some(said) = said {
        ui.line(ui.paint(Tone::Dim, format!("     {said}")))?;
    }
    ruled::show(&ruling.why, ui)?;
    let wrong = ruling.wrong.iter().filter(|_| !args.why);
    for wrong in wrong {
        ui.line(format!(
            "     {}  {}",
            ui.paint(Tone::Dim, &wrong.place),
            wrong.text
        ))?;
        if let Some(saw) = &wrong.saw {
            ui.line(format!("     {saw}"))?;
        }
    }
    if ruling.verdict == "unfinished" {
        ui.line(match &args.id {
            Some(_) => String::from("     not finished: it takes more work than one command may"),
            None => format!(
                "     not finished: there was not enough work left; `adit rulings {} {}` runs it by itself",
                args.game.game, ruling.id
            ),
        })?;
    }
    if let Some(fault) = &ruling.fault {
        ui.line(format!(
            "     the rules stop with {} at {}, seed {}: {}",
            fault.code, fault.place, fault.seed, fault.message
        ))?;
        match &args.save {
            Some(path) => ui.line(format!("     adit replay {path} shows it"))?,
            None => ui.line(format!(
                "     `adit rulings {} {} --save FILE` keeps the line that leads there",
                args.game.game, ruling.id
            ))?,
        }
    }
    for what in &ruling.unheard {
        ui.line(ui.paint(Tone::Dim, format!("     not looked at: {what}")))?;
    }
    Ok(())
}

use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, Asked, Loaded};
use crate::cli::{CliError, Exit, Ui, show};
use crate::diagnostic::codes;
use crate::engine::Sought;
use crate::play::transcript::{Ending, Luck, Record, Transcript};
use crate::play::{Compare, Session, check_whole, replay, rules_hash, seen_by};
use crate::source::Sources;

/// Play a transcript again, and say where it differs.
#[derive(Args, Debug)]
pub struct ReplayArgs {
    /// The transcript
    file: String,
    /// Take this rulebook instead of the one that the transcript names
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Play it under this rule set instead: a game or an amendment, which stands for its game as well, and with several what
    /// else amends it. Told is the first line that does not go so there, and the clause that refuses it
    #[arg(long, value_name = "RULES", conflicts_with = "game")]
    under: Vec<String>,
    /// Accept that chance gave what the lines say, where no seed vouches for it
    #[arg(long)]
    trust_chance: bool,
    /// Print the transcript as the program writes it
    #[arg(long)]
    emit: bool,
    /// Print the information state of this seat: all that it saw and did, no seed, nothing hidden
    #[arg(long = "as", value_name = "SEAT", conflicts_with = "emit")]
    seat: Option<String>,
}

#[derive(Serialize)]
struct Replayed<'a> {
    lines: usize,
    choices: usize,
    /// What decided: the `seed`, or the lines, `chosen` by a search or `unvouched`.
    chance: &'static str,
    /// The rules under which it was played, if they are others.
    #[serde(skip_serializing_if = "Option::is_none")]
    played_under: Option<&'a str>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    result: Option<&'a Ending>,
}

/// Replays a file; the answer is no where it differs.
pub fn run(args: &ReplayArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let path = args.file.as_str();
    let text = load::read_text_or_input(ui, path)?;
    let no = |rules: &Sources, problem| CliError::no(rules, &problem, path, &text);
    let mut transcript = Transcript::read(&text).map_err(|it| no(&Sources::new(), it))?;
    let asked = match args.under.split_first() {
        None => Asked::by(&transcript.header, path, args.game.as_deref())?,
        Some((game, with)) => {
            let asked = Asked {
                game: game.clone(),
                amendments: with.to_vec(),
                set: transcript.header.settings_as_text(),
                seats: u32::try_from(transcript.header.seats.len()).ok(),
                ..Asked::default()
            };
            asked.with_own_settings()?
        }
    };
    let loaded = load::load(asked)?;
    let no = |problem| no(&loaded.sources, problem);
    let mut played_under = None;
    if args.game.is_some() || !args.under.is_empty() {
        let rules = rules_hash(&loaded.program.game);
        let played = std::mem::replace(&mut transcript.header.rules, rules);
        played_under = Some(played).filter(|it| *it != transcript.header.rules);
    }
    let exact = !args.emit && args.seat.is_none();
    let compare = if exact {
        Compare::Bytes
    } else {
        Compare::Meaning
    };
    let mut session = replay(&loaded.program, &transcript, compare).map_err(no)?;
    let chance = chance_of(&transcript, &loaded, &mut session);
    let exit = match chance {
        "unvouched" if !args.trust_chance => Exit::No,
        _ => Exit::Yes,
    };
    if let Some(seat) = &args.seat {
        let seat = super::seat_of(session.game(), seat)?;
        ui.part(seen_by(&loaded.program, &session, seat)?)?;
    } else if args.emit {
        ui.part(session.transcript())?;
    } else {
        check_whole(&transcript, &session).map_err(no)?;
        let lines = transcript.lines.len() + 1;
        say(&mut session, lines, chance, played_under.as_deref(), ui)?;
    }
    if exit == Exit::No {
        let code = codes::UNVOUCHED_CHANCE;
        ui.note(format!(
            "warning[{}]: {}: the lines say what chance gave, and the seed was not asked\n    help: `--trust-chance` accepts that",
            code.id(),
            code.meaning()
        ));
    }
    Ok(exit)
}

/// Says what decided for chance: the seed, or lines that a search has chosen, or lines that anybody may
/// have written.
fn chance_of(it: &Transcript, loaded: &Loaded, session: &mut Session<'_>) -> &'static str {
    if it.header.chance != Some(Luck::Recorded) {
        return "seed";
    }
    let game = &loaded.program.game;
    let study = game
        .studies
        .iter()
        .find(|study| it.header.from.as_deref() == Some(study.id.as_str()));
    let is_its_line = study.is_some_and(|study| {
        let sought = Sought::new(&loaded.program, study);
        sought.is_ok_and(|mut sought| sought.is_here(session.machine()).unwrap_or(false))
    });
    if is_its_line { "chosen" } else { "unvouched" }
}

fn say(
    session: &mut Session<'_>,
    lines: usize,
    chance: &'static str,
    played_under: Option<&str>,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    if ui.json {
        let result = match session.records().last() {
            Some(Record::End(ending)) => Some(ending),
            _ => None,
        };
        return ui.json_value(&Replayed {
            lines,
            choices: session.n_choices(),
            chance,
            played_under,
            result,
        });
    }
    ui.line(format!(
        "{lines} lines agree, {} choices",
        session.n_choices()
    ))?;
    match chance {
        "chosen" => {
            let from = session.header().from.as_deref().unwrap_or("");
            let told = format!("chance was chosen by the line, not by a seed: a line of `{from}`");
            ui.line(told)?;
        }
        "unvouched" => ui.line("chance as the lines say: nobody vouches for it")?,
        _ => {}
    }
    if let Some(rules) = played_under {
        ui.line(format!("played under other rules, {rules}"))?;
    }
    show::result(session, ui)
}

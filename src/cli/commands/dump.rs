use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, GameArgs};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};
use crate::engine::Listed;
use crate::source::{Sources, Span};

/// List the operations that the rules of a game become.
///
/// Above those that come from one place of the rulebook stands that place. `=` is a constant, `@` the
/// operation where it goes on, `t` a temporary; `>` marks what something goes on to.
#[derive(Args, Debug)]
pub struct DumpArgs {
    #[command(flatten)]
    game: GameArgs,
    /// As the rules are written, without lowering: what `why` reads
    #[arg(long)]
    as_written: bool,
}

#[derive(Serialize)]
struct OpJson<'a> {
    at: u16,
    is_target: bool,
    name: &'static str,
    operands: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

/// Lists them.
pub fn run(args: &DumpArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let loaded = load::load(args.game.asked())?;
    let listing = loaded.program.listing(args.as_written);
    if ui.json {
        let all: Vec<OpJson<'_>> = listing
            .iter()
            .map(|op| {
                let place = place(op, &loaded.sources);
                OpJson {
                    at: op.pc,
                    is_target: op.is_target,
                    name: op.name,
                    operands: &op.operands,
                    file: place.map(|(file, ..)| file),
                    line: place.map(|(_, line, _)| line),
                }
            })
            .collect();
        ui.json_value(&all)?;
        return Ok(Exit::Yes);
    }
    let mut before = None;
    for op in &listing {
        let place = place(op, &loaded.sources);
        if place != before
            && let Some((file, line, text)) = place
        {
            ui.line(ui.paint(Tone::Dim, format!("{file}:{line}: {text}")))?;
        }
        before = place;
        let mark = if op.is_target { '>' } else { ' ' };
        let line = format!("{mark}{:5} {:11} {}", op.pc, op.name, op.operands);
        ui.line(line.trim_end())?;
    }
    Ok(Exit::Yes)
}

/// The file, the line and what stands there.
fn place<'s>(op: &Listed, sources: &'s Sources) -> Option<(&'s str, usize, &'s str)> {
    line_of(op.span?, sources)
}

/// The file, the line where something begins, and what stands there.
pub(super) fn line_of(span: Span, sources: &Sources) -> Option<(&str, usize, &str)> {
    let source = sources.get(span.file)?;
    let (line, start) = source.line_before(span.start as usize, 0);
    let text = source.text.get(start..)?.lines().next().unwrap_or_default();
    Some((&source.name, line + 1, text.trim()))
}

use std::collections::BTreeMap;

use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, GameArgs, Read};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};
use crate::compose::{Composed, Entry};
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::source::Sources;
use crate::syntax::ast::Cited;

/// List what an amendment can name, and what may be done to it.
///
/// A line for each, in the order of the rulebook: what stands there, its address, the edits that it takes, its text, and the
/// printed sentences that it stands for. With a PATH only that and what is inside it.
#[derive(Args, Debug)]
pub struct OutlineArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Only this address and those inside it
    path: Option<String>,
    /// Only where all of these words stand: in the address, the comment, the text, or the printed sentences
    #[arg(long, value_name = "WORDS")]
    find: Option<String>,
    /// Only what stands for this printed sentence
    #[arg(long, value_name = "ID")]
    sentence: Option<String>,
}

/// An address, for programs.
#[derive(Serialize)]
struct EntryJson<'a> {
    address: &'a str,
    kind: &'a str,
    edits: &'a [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    about: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cites: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comes_with: Option<&'a str>,
    place: String,
}

/// Lists the addresses; the answer is no where none is found.
pub fn run(args: &OutlineArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let read = load::compile(&args.game.asked())?;
    let Some(composed) = &read.compiled.composed else {
        let found = read.compiled.diagnostics.into_iter();
        let errors = found.filter(Diagnostic::is_error).collect();
        return Err(CliError::found(read.sources, errors));
    };
    let mut entries = composed.outline();
    if let Some(path) = &args.path {
        entries = below(entries, path)?;
    }
    if let Some(id) = &args.sentence {
        entries.retain(|it| it.cites(id));
    }
    if let Some(words) = &args.find {
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        let printed = printed(&read);
        entries.retain(|it| {
            let text = text_of(it, &read.sources, &printed).to_lowercase();
            words.iter().all(|word| text.contains(word))
        });
    }
    if ui.json {
        let all = entries.iter().map(|it| json(it, &read.sources));
        ui.json_value(&all.collect::<Vec<_>>())?;
    } else {
        match &args.sentence {
            Some(id) if entries.is_empty() => ui.line(match is_printed(id, &read) {
                true => format!("nothing cites {id}"),
                false => format!("there is no sentence {id}"),
            })?,
            _ => show(&entries, composed, &read.sources, ui)?,
        }
    }
    Ok(match entries.is_empty() {
        true => Exit::No,
        false => Exit::Yes,
    })
}

/// Whether a sentence is declared in any of the books.
fn is_printed(id: &str, read: &Read) -> bool {
    let mut books = read.compiled.game.iter().flat_map(|it| &it.books);
    books.any(|it| it.sentences.contains(id) || it.wordings.contains_key(id))
}

fn below(mut entries: Vec<Entry>, path: &str) -> Result<Vec<Entry>, CliError> {
    let all: Vec<String> = entries.iter().map(|it| it.address.clone()).collect();
    let is_inside = |it: &Entry| {
        let rest = it.address.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    entries.retain(is_inside);
    if !entries.is_empty() {
        return Ok(entries);
    }
    let message = format!("there is no `{path}`");
    let help = match closest(path, all.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => String::from("without a path all addresses are listed"),
    };
    Err(CliError::new(codes::UNKNOWN_TARGET, message, help))
}

/// Returns what the printed sentences say, by their ids.
fn printed(read: &Read) -> BTreeMap<&str, &str> {
    let books = read.compiled.game.iter().flat_map(|it| &it.books);
    let wordings = books.flat_map(|it| &it.wordings);
    wordings
        .map(|(id, it)| (id.as_str(), it.text.as_str()))
        .collect()
}

/// Returns all words that may be looked for.
fn text_of(it: &Entry, sources: &Sources, printed: &BTreeMap<&str, &str>) -> String {
    let mut text = [it.address.as_str(), it.kind, &it.docs].join("\n");
    let cited = it.cites.iter().filter_map(|cite| match &cite.what {
        Cited::Sentences { first, last } => Some((first, last)),
        Cited::Reason(_) => None,
    });
    for (first, last) in cited {
        for number in (first.number..=last.number).take(MOST_CITED) {
            let suffix = match number == last.number {
                true => &last.suffix,
                false => &first.suffix,
            };
            let id = format!("{}-{number}{suffix}", first.series);
            text += "\n";
            text += printed.get(id.as_str()).copied().unwrap_or(&id);
        }
    }
    let says = it.says.map(|it| sources.slice(it));
    text + "\n" + says.unwrap_or_default()
}

/// So many sentences of one citation are read.
const MOST_CITED: usize = 1_000;

fn json<'a>(it: &'a Entry, sources: &'a Sources) -> EntryJson<'a> {
    EntryJson {
        address: &it.address,
        kind: it.kind,
        edits: &it.edits,
        text: it.says.map(|it| sources.slice(it)),
        about: &it.docs,
        cites: it.cites.iter().map(|it| sources.slice(it.span)).collect(),
        comes_with: it.from.as_deref(),
        place: sources.place(it.span),
    }
}

/// Addresses that are longer than this push the rest of their line to the right.
const WIDEST: usize = 40;

fn show(
    entries: &[Entry],
    composed: &Composed,
    sources: &Sources,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let widest = |of: &dyn Fn(&Entry) -> usize| entries.iter().map(of).max().unwrap_or(0);
    let edits = |it: &Entry| it.edits.join(", ");
    let kinds = widest(&|it| it.kind.len());
    let addresses = widest(&|it| it.address.len()).min(WIDEST);
    let all_edits = widest(&|it| edits(it).len());
    for it in entries {
        let kind = ui.paint(Tone::Dim, format!("{:kinds$}", it.kind));
        let address = ui.paint(Tone::Bold, format!("{:addresses$}", it.address));
        let edits = ui.paint(Tone::Cyan, format!("{:all_edits$}", edits(it)));
        let mut more: Vec<String> = Vec::new();
        if let Some(from) = &it.from {
            more.push(match composed.worked_in.contains(from) {
                true => format!("under {from}"),
                false => format!("of {from}"),
            });
        }
        match it.says {
            Some(says) => more.push(sources.slice(says).to_owned()),
            None if !it.docs.is_empty() => more.push(it.docs.clone()),
            None => {}
        }
        let cites = it.cites.iter().map(|it| sources.slice(it.span));
        let cites = cites.collect::<Vec<_>>().join(", ");
        if !cites.is_empty() {
            more.push(ui.paint(Tone::Dim, cites));
        }
        let line = format!("{kind}  {address}  {edits}  {}", more.join("  "));
        ui.line(line.trim_end())?;
    }
    if entries.is_empty() {
        ui.line("nothing that an amendment can name")?;
    }
    Ok(())
}

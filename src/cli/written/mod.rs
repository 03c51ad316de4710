//! Rulebooks that the program writes for somebody to go on with. What it writes was checked before it is handed out.

mod ruling;

pub use ruling::{RulingAsked, ruling};

use std::sync::Arc;

use super::CliError;
use super::load::{self, Asked, Read, Texts};
use super::render::in_words;
use crate::compose::Entry;
use crate::diagnostic::{Diagnostic, Severity, closest, codes};
use crate::format;
use crate::lint::{self, Book};
use crate::source::Sources;
use crate::syntax::ast::{Item, ItemKind, SettingValues};

/// A game that is asked for.
pub struct GameAsked<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its title.
    pub title: Option<&'a str>,
    /// How many play.
    pub players: u32,
}

/// A house rule that is asked for.
pub struct VariantAsked<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it stands on.
    pub game: &'a str,
    /// What is to change.
    pub edit: Option<&'a str>,
    /// Its title.
    pub title: Option<&'a str>,
}

/// Returns the finding that something cannot be written.
fn unwritten(message: impl Into<String>, help: impl Into<String>) -> CliError {
    CliError::new(codes::NOT_WRITTEN, message, help)
}

/// Checks a name, and returns a title that can stand in quotes.
fn named(name: &str, title: Option<&str>) -> Result<String, CliError> {
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|it| it.is_ascii_lowercase());
    let goes_on = letters.all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    if !begins || !goes_on {
        let message = format!("`{name}` is no name of a rulebook");
        let help = "a name has small letters, digits and underscores, and begins with a letter";
        return Err(unwritten(message, help));
    }
    quoted(&title.map_or_else(|| in_words(name), str::to_owned))
}

fn quoted(title: &str) -> Result<String, CliError> {
    if title.trim().is_empty() || title.contains(['"', '\\', '{', '}', '\n', '\r']) {
        let message = format!("`{title}` is no title");
        let help = "a title is one line without quotes, backslashes and braces";
        return Err(unwritten(message, help));
    }
    Ok(title.trim().to_owned())
}

/// Lays a text out.
fn laid_out(text: &str) -> Result<String, CliError> {
    let mut sources = Sources::new();
    let file = sources.add("what was written", text);
    format::format(file, text).map_err(|found| CliError::found(sources, found))
}

/// Reads a rulebook of these texts, the first of which is the game.
fn read(asked: &Asked, texts: Vec<(String, String)>) -> Result<Read, CliError> {
    load::compile(&Asked {
        texts: Some(Arc::new(Texts(texts))),
        ..asked.clone()
    })
}

fn is_sound(read: &Read) -> bool {
    read.compiled.game.is_some() && !read.compiled.diagnostics.iter().any(Diagnostic::is_error)
}

/// Whether the linter finds something in the last of the texts.
fn is_odd(read: &Read) -> bool {
    let files: Vec<_> = read.compiled.files.iter().collect();
    let found = lint::lint(&Book {
        sources: &read.sources,
        files: &files,
        composed: read.compiled.composed.as_ref(),
        game: read.compiled.game.as_deref(),
        played: None,
    });
    let last = read.sources.iter().last().map(|(file, _)| file);
    let told = found.iter().filter(|it| it.severity > Severity::Info);
    let mut labels = told.flat_map(|it| &it.labels);
    labels.any(|it| Some(it.span.file) == last)
}

fn findings(read: Read) -> CliError {
    let found = read.compiled.diagnostics.into_iter();
    CliError::found(read.sources, found.filter(Diagnostic::is_error).collect())
}

/// Where a house rule comes from.
const CITE: &str = "cite \"agreed at this table\" status house";

/// Names of seats, as far as they go.
const SEATS: [&str; 6] = ["anna", "bert", "carl", "dora", "emil", "fina"];

/// Writes a small game.
pub fn game(asked: &GameAsked<'_>) -> Result<String, CliError> {
    let name = asked.name;
    let title = named(name, asked.title)?;
    let players = asked.players as usize;
    let (seats, first) = match SEATS.get(..players) {
        Some(seats) => (seats.join(", "), SEATS[0]),
        None => (format!("{players}..{players}, player"), "player1"),
    };
    let stones = 6 * players;
    let text = format!(
        "/// What it is about, in a sentence or two.\n\
         /// Whoever has taken more than the others when nothing is left has won.\n\
         game {name} \"{title}\" {{ seats {seats} }}\n\n\
         // What lies on the table.\n\n\
         /// The stones that nobody has taken yet.\n\
         track stones: 0..{stones} = {stones}\n\
         track taken[seat]: 0..{stones} = 0\n\
         show stones as \"stones\"\n\
         show taken as \"taken\"\n\n\
         // What may be done.\n\n\
         action take(n in 1..3) \"take {{n}}\" {{\n\
         require enough: n <= stones else \"there are only {{stones}}\"\n\
         do {{ gather(me, n) }}\n\
         }}\n\
         event gather(s: seat, n: 1..3) {{ stones -= n  taken[s] += n }}\n\n\
         // How it goes on, and how it ends.\n\n\
         flow main() {{ turns me from {first} {{ choose me: take  if stones == 0 {{ end all_taken }} }} }}\n\
         /// Nothing is left; the most win.\n\
         ending all_taken() {{ ranking seat by taken[it] }}\n\n\
         // What comes of it.\n\n\
         ruling R-one \"Whoever takes one has one\" {{\n\
         given {{ from seed 1 }}\n\
         when {first}: take(n: 1)\n\
         expect taken[{first}] == 1 and stones == {}\n\
         }}\n",
        stones - 1
    );
    let text = laid_out(&text)?;
    let asked = Asked {
        game: name.to_owned(),
        ..Asked::default()
    };
    let read = read(&asked, vec![(format!("{name}.rules"), text.clone())])?;
    match is_sound(&read) {
        true => Ok(text),
        // The name is a word of the language.
        false => Err(findings(read)),
    }
}

/// Writes a house rule.
pub fn variant(asked: &VariantAsked<'_>) -> Result<String, CliError> {
    let name = asked.name;
    let title = named(name, asked.title)?;
    let base = Asked {
        game: asked.game.to_owned(),
        ..Asked::default()
    };
    let found = load::compile(&base)?;
    if !is_sound(&found) {
        return Err(findings(found));
    }
    let Some(composed) = &found.compiled.composed else {
        return Err(findings(found));
    };
    let last = composed.amendments.last();
    let stands_on = last.unwrap_or(&composed.header.name.text).clone();
    let header = format!(
        "/// What it changes, in a sentence.\n\
         variant {name} \"{title}\" for {stands_on} {CITE} {{ }}\n"
    );
    let with = |edit: &str| {
        let text = laid_out(&format!("{header}\n{edit}"))?;
        let sources = found.sources.iter();
        let texts = sources.map(|(_, it)| (it.name.clone(), it.text.clone()));
        let own = (format!("{name}.rules"), text.clone());
        let read = read(&found.asked, texts.chain([own]).collect())?;
        match is_sound(&read) && !is_odd(&read) {
            true => Ok(text),
            false => Err(findings(read)),
        }
    };
    let Some(address) = asked.edit else {
        return with(&format!(
            "// `adit outline {}` lists what can be changed, and how.\n",
            asked.game
        ));
    };
    let entries = composed.outline();
    let dotted = dotted(address);
    let Some(entry) = entries.iter().find(|it| it.address == dotted) else {
        let near = closest(address, entries.iter().map(|it| it.address.as_str()));
        let near = near.map_or_else(String::new, |it| format!("did you mean `{it}`? "));
        let message = format!("there is no `{address}`");
        let help = format!("{near}`adit outline {}` lists all", asked.game);
        return Err(CliError::new(codes::UNKNOWN_TARGET, message, help));
    };
    let place = found.sources.place(entry.span);
    let there = found.sources.slice(entry.span).lines();
    let there: Vec<String> = there
        .map(|it| format!("//     {}", it.trim_end()))
        .collect();
    let comment = format!("// The game has at {place}:\n{}\n", there.join("\n"));
    let items = composed.items.iter().map(|it| &*it.item);
    let edits = edits(entry, items, &found);
    // The first one that these rules take.
    let mut tried = edits.iter().map(|edit| with(&format!("{comment}{edit}\n")));
    let written = tried.find_map(Result::ok);
    match written {
        Some(text) => Ok(text),
        None => {
            let how = entry.edits.join("`, `");
            let example = edits.first().into_iter().flat_map(|it| it.lines());
            let example: Vec<String> = example.map(|it| format!("//     {it}\n")).collect();
            let example = match example.as_slice() {
                [] => String::new(),
                lines => format!(
                    "// For example, with what is to be otherwise:\n{}",
                    lines.concat()
                ),
            };
            with(&format!("{comment}// It takes `{how}`.\n{example}"))
        }
    }
}

/// An address as the outline has it: a row of a table may be named by its keys in brackets.
fn dotted(address: &str) -> String {
    match address.strip_suffix(']').and_then(|it| it.split_once('[')) {
        Some((table, keys)) => {
            let keys: Vec<&str> = keys.split(',').map(str::trim).collect();
            format!("{}.{}", table.trim(), keys.join("."))
        }
        None => address.to_owned(),
    }
}

/// Edits at an address that change nothing yet, the best one first.
fn edits<'i>(entry: &Entry, mut items: impl Iterator<Item = &'i Item>, read: &Read) -> Vec<String> {
    let address = &entry.address;
    let top = address.split('.').next().unwrap_or_default();
    let item = items.find(|it| it.kind.name().is_some_and(|it| it.text == top));
    let whole = read.sources.slice(entry.span);
    let mut edits = Vec::new();
    if let Some(item) = item {
        let source = |span| read.sources.slice(span);
        match &item.kind {
            ItemKind::Action(action) if entry.kind == "clause" => {
                let label = address.rsplit('.').next().unwrap_or_default();
                let require = action.requires.iter().find(|it| it.label.text == label);
                edits.extend(require.map(|it| {
                    let message = it.message.as_ref().map(|it| source(it.span));
                    let message = message.map_or_else(String::new, |it| format!(" else {it}"));
                    format!(
                        "replace {address} = {}{message} {CITE}",
                        source(it.condition.span)
                    )
                }));
            }
            ItemKind::Define(define) if entry.kind == "define" => {
                edits.push(format!(
                    "replace {address} = {} {CITE}",
                    source(define.value.span)
                ));
            }
            ItemKind::Table(table) if entry.kind == "row" => {
                let mut rows = table.rows.iter();
                let row = rows.find(|it| {
                    it.span.file == entry.span.file && it.span.range() == entry.span.range()
                });
                if let Some([only]) = row.map(|it| it.cells.as_slice()) {
                    let value = source(only.value.span);
                    edits.push(format!("replace {address} = {value} {CITE}"));
                }
            }
            ItemKind::Setting(setting) => {
                let value = match &setting.values {
                    SettingValues::Typed { default, .. } => source(default.span),
                    SettingValues::Readings(all) => {
                        let chosen = all.iter().find(|it| it.default).or(all.first());
                        chosen.map_or("", |it| it.name.as_str())
                    }
                };
                edits.push(format!("set {address} = {value} {CITE}"));
            }
            _ => {}
        }
    }
    if entry.edits.contains(&"insert") {
        edits.push(format!("insert after {address} {CITE} {{ }}"));
    }
    if !address.contains('.') {
        edits.push(format!("replace {whole}"));
    }
    edits
}

//! What can be said of a name.

use super::names::{Doing, Names, Target};
use crate::compose::Composed;
use crate::model::{Game, Local};
use crate::pipeline::StandIn;
use crate::play::explain::{disputed, provenance};
use crate::play::{cites_of, sentences_of, setting_value};
use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{self, SourceDecl};

/// Lines of a declaration that are shown.
const MOST_LINES: usize = 12;

/// Places that are listed.
const MOST_PLACES: usize = 20;

/// What is known of a rulebook, as far as it could be understood.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The texts.
    pub sources: &'a Sources,
    /// The files, as they were read.
    pub files: &'a [ast::File],
    /// The names in them.
    pub names: &'a Names,
    /// The rulebook with its amendments worked in.
    pub composed: Option<&'a Composed>,
    /// The game.
    pub game: Option<&'a Game>,
    /// The earlier texts of which items stand in for broken ones.
    pub stand_ins: &'a [StandIn],
    /// Where a file has changed since: names from there on lie elsewhere now.
    pub until: Option<(FileId, u32)>,
}

/// Returns what can be said of what a name stands for, as Markdown; nothing of what is declared nowhere.
pub fn hover(known: &Known<'_>, target: &Target) -> Option<String> {
    let thing = known.names.things(target).first();
    let mut all = Vec::new();
    match target {
        Target::Local(..) => {
            let name = known.sources.slice(thing?.name);
            let ty = type_of_local(known.game, thing?.param.unwrap_or(thing?.name));
            let ty = ty.map_or_else(String::new, |it| format!(": {it}"));
            all.push(format!("local `{name}`{ty}"));
        }
        Target::Sentence(source, id) => {
            all.push(format!("**{source} {id}**").replace("** ", "**"));
            all.extend(thing.map(|it| format!("> {}", it.docs)));
            all.extend(title(known, source));
            all.extend(places_that_cite(known, target));
        }
        Target::Source(name) => {
            all.push(format!("source `{name}`"));
            all.push(title(known, name)?);
        }
        Target::Book(_) => {
            all.push(shown(known, thing?.whole));
            all.push(thing?.docs.clone());
        }
        Target::Item(address) | Target::Case(address) => {
            all.push(shown(known, thing?.whole));
            all.push(thing?.docs.clone());
            all.extend(in_force(known, address));
            all.push(of_clause(known, address));
        }
        Target::Inside(address) => {
            all.push(shown(known, line_of(known, thing?.name)));
            all.push(format!("{} `{address}`", thing?.word));
            all.extend(in_force(known, address));
            all.push(of_clause(known, address));
        }
    }
    all.retain(|it| !it.is_empty());
    Some(all.join("\n\n"))
}

fn title(known: &Known<'_>, source: &str) -> Option<String> {
    let headers = known.files.iter().flat_map(|file| {
        let parts = file.parts.iter().map(|part| &part.header);
        file.header.iter().chain(parts)
    });
    let mut all = headers.flat_map(|it| &it.sources);
    let found: Option<&SourceDecl> = all.find(|it| it.name.text == source);
    found.map(|it| it.title.text.clone())
}

fn line_of(known: &Known<'_>, span: Span) -> Span {
    let text = known.sources.get(span.file).map_or("", |it| &it.text);
    let (start, end) = (span.start as usize, span.end as usize);
    let before = text.get(..start).and_then(|it| it.rfind('\n'));
    let behind = text.get(end..).and_then(|it| it.find('\n'));
    let from = before.map_or(0, |it| it + 1);
    Span::new(span.file, from, behind.map_or(text.len(), |it| end + it))
}

/// Returns a declaration as it is written; of a long one the beginning.
fn shown(known: &Known<'_>, span: Span) -> String {
    let text = known.sources.slice(span);
    let mut lines: Vec<&str> = text.trim().lines().take(MOST_LINES + 1).collect();
    if lines.len() > MOST_LINES {
        lines.pop();
        lines.push("…");
    }
    // What is written may hold the quotes of a drawing, but no fence stands at the start of a line of it.
    format!("```rules\n{}\n```", lines.join("\n"))
}

/// Says which value of a question or an option holds, and of a reading whether it does.
fn in_force(known: &Known<'_>, address: &str) -> Option<String> {
    let game = known.game?;
    let (name, reading) = match address.split_once('.') {
        Some((name, reading)) => (name, Some(reading)),
        None => (address, None),
    };
    let setting = game.settings.iter().find(|it| it.name == name)?;
    let value = setting_value(game, setting, setting.value);
    if known.composed.is_some_and(|it| it.unasked.contains(name)) {
        return Some(String::from("not asked here"));
    }
    match reading {
        Some(reading) if reading == value => Some(String::from("in force")),
        Some(_) => Some(format!("in force is `{value}`")),
        None => Some(format!("in force: `{value}`")),
    }
}

/// Says for what the clause at an address is cited, who brought or last changed it, and what of it is disputed.
fn of_clause(known: &Known<'_>, address: &str) -> String {
    let brought = known.composed.and_then(|it| it.brought.get(address));
    let clause = known
        .game
        .and_then(|it| Some((it, it.clauses_at(address).next()?)));
    let Some((game, id)) = clause else {
        return brought.map_or_else(String::new, |it| format!("(of {it})"));
    };
    let origin = game
        .clauses
        .get(id.index())
        .and_then(|it| it.origin.as_ref());
    let from = provenance(
        game,
        origin.or(brought).map(String::as_str),
        &disputed(game, id),
    );
    let mut lines = vec![
        from.trim_start_matches(',').trim().to_owned(),
        cites_of(game, id),
    ];
    let told = sentences_of(game, [id]);
    lines.extend(told.iter().map(|it| format!("> {} {}", it.id, it.text)));
    lines.retain(|it| !it.is_empty());
    lines.join("\n\n")
}

fn places_that_cite(known: &Known<'_>, target: &Target) -> Option<String> {
    let uses = known.names.uses_of(target);
    let cites = uses.filter(|it| it.doing == Doing::Cites);
    let mut places: Vec<String> = cites.map(|it| known.sources.place(it.span)).collect();
    places.dedup();
    let rest = places.len().saturating_sub(MOST_PLACES);
    places.truncate(MOST_PLACES);
    if rest > 0 {
        places.push(format!("and {rest} more"));
    }
    (!places.is_empty()).then(|| format!("cited at {}", places.join(", ")))
}

/// Returns the type of a local that is bound at a place, in words.
pub(super) fn type_of_local(game: Option<&Game>, span: Span) -> Option<String> {
    Some(game?.type_name(local_at(game?, span)?.ty))
}

pub(super) fn local_at(game: &Game, span: Span) -> Option<&Local> {
    game.locals.iter().find(|it| it.span.same_place(span))
}

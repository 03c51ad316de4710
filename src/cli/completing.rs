//! What a shell offers while somebody types: games, amendments, settings, rulings, seats and codes.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use clap::{Arg, Command};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};

use super::load::Asked;
use super::rulebooks;
use crate::diagnostic::codes;
use crate::library;
use crate::limits::MOST_SEATS;
use crate::play::Player;
use crate::syntax;
use crate::syntax::ast::{HeaderKind, Item, ItemKind, Seats, SettingValues};

thread_local! {
    /// What was typed so far, if not what the shell has handed over.
    static TYPED: RefCell<Option<Vec<OsString>>> = const { RefCell::new(None) };
}

/// Returns what a shell offers for the last of some words.
pub fn candidates(words: &[&str]) -> Vec<String> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    TYPED.set(Some(words.clone()));
    let last = words.len().saturating_sub(1);
    let mut command = super::help::command();
    let found = clap_complete::engine::complete(&mut command, words, last, None);
    TYPED.set(None);
    let found = found.unwrap_or_default().into_iter();
    found
        .map(|it| it.get_value().to_string_lossy().into_owned())
        .collect()
}

/// Tells the arguments of all commands what can stand in them.
pub fn teach(command: Command) -> Command {
    command
        .mut_args(|arg| match offered(&arg) {
            Some(offered) => arg.add(ArgValueCompleter::new(offered)),
            None => arg,
        })
        .mut_subcommands(teach)
}

type Offer = fn(&OsStr) -> Vec<CompletionCandidate>;

fn offered(arg: &Arg) -> Option<Offer> {
    let offer: Offer = match arg.get_id().as_str() {
        "game" | "other" | "games_meant" => games,
        "with" | "but_with" | "rule" | "under" => amendments,
        "set" | "but_set" => settings,
        "ruling" | "from" | "id" => rulings,
        "code" => codes_and_games,
        "seats" => players,
        "seat" | "as" => seats,
        _ => return None,
    };
    Some(offer)
}

fn beginning(
    current: &OsStr,
    all: impl Iterator<Item = (String, String)>,
) -> Vec<CompletionCandidate> {
    let begun = current.to_string_lossy();
    all.filter(|(word, _)| word.starts_with(begun.as_ref()))
        .map(|(word, help)| CompletionCandidate::new(word).help(Some(help.into())))
        .collect()
}

/// The shipped files, and those that lie here.
fn files(current: &OsStr, wanted: impl Fn(bool) -> bool) -> Vec<CompletionCandidate> {
    let shipped = library::FILES.iter().filter_map(|it| {
        let header = syntax::parse_header(it.text)?;
        let is_amendment = matches!(header.kind, HeaderKind::Amendment { .. });
        wanted(is_amendment).then(|| (it.name.to_owned(), header.title.text))
    });
    let mut all = beginning(current, shipped);
    let is_rulebook =
        |path: &std::path::Path| path.is_dir() || path.extension().is_some_and(|it| it == "rules");
    all.extend(PathCompleter::any().filter(is_rulebook).complete(current));
    all
}

fn games(current: &OsStr) -> Vec<CompletionCandidate> {
    files(current, |_| true)
}

fn amendments(current: &OsStr) -> Vec<CompletionCandidate> {
    files(current, |is_amendment| is_amendment)
}

fn codes_and_games(current: &OsStr) -> Vec<CompletionCandidate> {
    let codes = codes::ALL.iter();
    let codes = codes.map(|it| (it.id().to_owned(), it.meaning().to_owned()));
    let mut all = beginning(current, codes);
    all.extend(games(current));
    all
}

/// Who may sit on a seat, behind those that are named already.
fn players(current: &OsStr) -> Vec<CompletionCandidate> {
    let text = current.to_string_lossy();
    let before = text.rfind(',').map_or("", |at| &text[..=at]);
    let words = Player::words();
    let words = words.map(|(word, about)| (format!("{before}{word}"), about.to_owned()));
    beginning(current, words)
}

fn settings(current: &OsStr) -> Vec<CompletionCandidate> {
    let mut all = Vec::new();
    for item in typed_items() {
        let ItemKind::Setting(setting) = &item.kind else {
            continue;
        };
        let name = &setting.name;
        match &setting.values {
            SettingValues::Typed { .. } => all.push((format!("{name}="), String::new())),
            SettingValues::Readings(readings) => all.extend(
                readings
                    .iter()
                    .map(|it| (format!("{name}={}", it.name), it.text.text.clone())),
            ),
        }
    }
    beginning(current, all.into_iter())
}

fn rulings(current: &OsStr) -> Vec<CompletionCandidate> {
    let items = typed_items().into_iter();
    let all = items.filter_map(|it| match &it.kind {
        ItemKind::Ruling(it) => Some((it.id.text.clone(), it.title.text.clone())),
        _ => None,
    });
    beginning(current, all)
}

fn seats(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(found) = typed_rulebooks() else {
        return Vec::new();
    };
    let base = found.sources.get(found.base);
    let header = base.and_then(|it| syntax::parse_header(&it.text));
    let names = match header.and_then(|it| it.seats) {
        Some(Seats::Named(names)) => names.into_iter().map(|it| it.name.text).collect(),
        Some(Seats::Numbered { most, stem, .. }) => {
            let numbers = 1..=most.value.clamp(0, MOST_SEATS);
            numbers.map(|it| format!("{stem}{it}")).collect()
        }
        None => Vec::new(),
    };
    beginning(current, names.into_iter().map(|it| (it, String::new())))
}

/// The items of the rulebooks that the words so far name.
fn typed_items() -> Vec<Arc<Item>> {
    let Some(found) = typed_rulebooks() else {
        return Vec::new();
    };
    let texts = found.sources.iter();
    let trees = texts.map(|(file, it)| syntax::parse(file, &it.text).0);
    trees.flat_map(|it| it.items).collect()
}

fn typed_rulebooks() -> Option<rulebooks::Rulebooks> {
    let words = TYPED.with_borrow(Clone::clone).unwrap_or_else(|| {
        let handed = std::env::args_os().skip_while(|it| it != "--");
        handed.skip(1).collect()
    });
    let words: Vec<String> = words
        .into_iter()
        .skip(2)
        .filter_map(|it| it.into_string().ok())
        .collect();
    let is_rulebook = |word: &&String| library::find(word).is_some() || rulebooks::is_path(word);
    let mut meant = words.iter().filter(is_rulebook).cloned();
    let asked = Asked {
        game: meant.next()?,
        amendments: meant.collect(),
        ..Asked::default()
    };
    rulebooks::gather(&asked).ok()
}

//! From texts to a checked game: the one door for every front end.

mod memory;
mod parts;
mod readings;
mod tolerant;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use memory::Memory;
pub use parts::joined;
pub use readings::{Readings, check_readings, check_readings_of, check_readings_while};
pub use tolerant::{Analysis, StandIn, analyse};

use crate::check::{Meant, check, look};
use crate::compose::{Composed, Dead, compose};
use crate::diagnostic::{Diagnostic, sort_by_place};
use crate::model::{Game, SettingId, Silence, Unheard};
use crate::play::setting_value;
use crate::source::{FileId, Sources, Span};
#[cfg(doc)]
use crate::syntax::ast::HeaderKind;
use crate::syntax::ast::{ItemKind, Role, SettingValues, Tree, Use, Visitor};
use crate::syntax::{ast, parse};

/// What to compile.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The rulebook.
    pub base: FileId,
    /// Its amendments, and what is [a part](HeaderKind::Part) of it or of them, in any order.
    pub amendments: Vec<FileId>,
    /// Options and questions with the value or reading that is wanted.
    pub set: Vec<(String, String)>,
    /// The number of seats; by default the least that the rulebook allows.
    pub seats: Option<u32>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// What is written: the rulebook, then its amendments, each with its parts.
    pub files: Vec<ast::File>,
    /// The rulebook with its amendments worked in, if they fit together.
    pub composed: Option<Composed>,
    /// The game, if nothing is wrong with the texts.
    pub game: Option<Arc<Game>>,
    /// Everything found, by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// Rulings may speak of so many other readings that they are looked for among them.
const MOST_OTHERS: usize = 64;

/// Compiles a rulebook with its amendments for one table.
pub fn compile(sources: &Sources, request: &Request) -> Compiled {
    crate::stack::with_room(|| compile_here(sources, request, &parse))
}

/// Does the same, and reads no text again that is in the memory.
pub fn compile_with(sources: &Sources, request: &Request, memory: &Memory) -> Compiled {
    let parse = |file, text: &str| memory.parse(file, text);
    crate::stack::with_room(|| compile_here(sources, request, &parse))
}

fn compile_here(sources: &Sources, request: &Request, parse: &Parse<'_>) -> Compiled {
    let (files, diagnostics) = read(sources, request, parse);
    // An item that could not be read would be missed everywhere.
    if has_error(&diagnostics) {
        return Compiled {
            files,
            composed: None,
            game: None,
            diagnostics: sorted(diagnostics),
        };
    }
    let Analysis { compiled, .. } = made(sources, request, files, diagnostics);
    compiled
}

/// How a text is read.
type Parse<'p> = dyn Fn(FileId, &str) -> (ast::File, Vec<Diagnostic>) + 'p;

/// Reads all files, and puts parts behind what they belong to.
fn read(
    sources: &Sources,
    request: &Request,
    parse: &Parse<'_>,
) -> (Vec<ast::File>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut read = |file: FileId| {
        let text = sources.get(file).map_or("", |source| source.text.as_str());
        let (tree, found) = parse(file, text);
        diagnostics.extend(found);
        tree
    };
    let texts = std::iter::once(&request.base).chain(&request.amendments);
    let files: Vec<ast::File> = texts.map(|file| read(*file)).collect();
    let (files, found) = joined(files);
    diagnostics.extend(found);
    (files, diagnostics)
}

/// Makes the game of what was read.
fn made(
    sources: &Sources,
    request: &Request,
    files: Vec<ast::File>,
    mut diagnostics: Vec<Diagnostic>,
) -> Analysis {
    let (composed, known, meant) = stages(&files, request, &mut diagnostics);
    let is_sound = !has_error(&diagnostics);
    if let Some(game) = known.as_ref().filter(|_| is_sound) {
        let misspelt = misspelt(sources, &files, request.seats, game);
        diagnostics.extend(misspelt);
    }
    let known = known.map(Arc::new);
    let game = known.clone().filter(|_| !has_error(&diagnostics));
    Analysis {
        compiled: Compiled {
            files,
            composed,
            game,
            diagnostics: sorted(diagnostics),
        },
        known,
        meant,
        stand_ins: Vec::new(),
        broken: Vec::new(),
    }
}

fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    sort_by_place(&mut diagnostics);
    diagnostics
}

/// Returns the composed rulebook, the game as far as it could be made, and what its names stand for.
fn stages(
    files: &[ast::File],
    request: &Request,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Option<Composed>, Option<Game>, Vec<Meant>) {
    let Some((base, amendments)) = files.split_first() else {
        return (None, None, Vec::new());
    };
    let amendments: Vec<&ast::File> = amendments.iter().collect();
    let (composed, found) = compose(base, &amendments, &request.set);
    diagnostics.extend(found);
    let Some(composed) = composed else {
        return (None, None, Vec::new());
    };
    let (game, found, meant) = look(&composed, &request.set, request.seats);
    diagnostics.extend(found);
    (Some(composed), Some(game), meant)
}

/// Returns what is wrong with rulings and studies that name what these rules do not have: where the
/// rules that they were written for do not have it either, nor those of a reading that they speak of,
/// it is misspelt.
fn misspelt(
    sources: &Sources,
    files: &[ast::File],
    seats: Option<u32>,
    game: &Game,
) -> Vec<Diagnostic> {
    let Some((base, amendments)) = files.split_first() else {
        return Vec::new();
    };
    let mut homes: BTreeMap<&BTreeSet<String>, Vec<&Unheard>> = BTreeMap::new();
    for it in game.unheard.iter().filter(|it| it.why == Silence::Missing) {
        homes.entry(&it.home).or_default().push(it);
    }
    let mut found = Vec::new();
    for (home, unheard) in homes {
        let is_own = |file: &&ast::File| {
            let name = file.header.as_ref().map(|header| header.name.as_str());
            name.is_some_and(|name| home.contains(name))
        };
        let own: Vec<&ast::File> = amendments.iter().filter(is_own).collect();
        let mut known: BTreeMap<Settings, Outcome> = BTreeMap::new();
        for it in unheard {
            let mut named: Vec<Settings> = vec![Vec::new()];
            let readings = game.other_readings.iter().filter(|(id, _)| *id == it.id);
            let brought = brought(files, readings.clone().flat_map(|it| as_text(game, &it.1)));
            let mut missing = it.said.iter().filter_map(Diagnostic::span);
            // That saves composing the rules once more for each such reading.
            if !it.said.is_empty() && missing.all(|at| brought.contains(sources.slice(at))) {
                continue;
            }
            named.extend(readings.map(|(_, under)| as_text(game, under)));
            let mut wrong = Vec::new();
            for set in named {
                if !known.contains_key(&set) && known.len() < MOST_OTHERS {
                    known.insert(set.clone(), outcome(base, &own, &set, seats));
                }
                // Of rules that cannot be made nothing is known, and so nothing is said.
                let said = known
                    .get(&set)
                    .map_or_else(Vec::new, |other| other.about(it.span));
                if said.is_empty() {
                    wrong.clear();
                    break;
                }
                if wrong.is_empty() {
                    wrong = said;
                }
            }
            found.extend(wrong);
        }
    }
    found
}

/// Returns the names of what these readings bring.
fn brought(
    files: &[ast::File],
    readings: impl Iterator<Item = (String, String)>,
) -> BTreeSet<&str> {
    let chosen: Settings = readings.collect();
    let items = files.iter().flat_map(|it| &it.items);
    let settings = items.filter_map(|item| match &item.kind {
        ItemKind::Setting(it) => Some(it),
        _ => None,
    });
    let mut names = BTreeSet::new();
    for setting in settings {
        let SettingValues::Readings(readings) = &setting.values else {
            continue;
        };
        let is_it = |it: &&ast::Reading| {
            let mut chosen = chosen.iter();
            chosen.any(|(q, r)| *q == setting.name.text && *r == it.name.text)
        };
        let edits = readings
            .iter()
            .filter(is_it)
            .filter_map(|it| it.edits.as_ref());
        names.extend(
            edits
                .flatten()
                .filter_map(|it| Some(it.kind.name()?.as_str())),
        );
    }
    names
}

/// Returns to what nothing leads in rules that were composed; nothing where they were not. Readings that cannot be chosen in them
/// lead nowhere: each that might make a difference is composed.
pub fn dead(request: &Request, compiled: &Compiled) -> Vec<Dead> {
    let (Some(composed), Some((base, amendments))) =
        (&compiled.composed, compiled.files.split_first())
    else {
        return Vec::new();
    };
    crate::stack::with_room(|| {
        let without: BTreeSet<String> = composed
            .dead(&|_, _| false)
            .into_iter()
            .map(|it| it.name)
            .collect();
        let amendments: Vec<&ast::File> = amendments.iter().collect();
        composed.dead(&|setting, reading| {
            let mut named = Named(&without, false);
            reading.edits.walk(&mut named, Role::Plain);
            if !named.1 {
                return true;
            }
            let under = setting.under.iter();
            let under = under.filter_map(|it| Some((&it.question, it.readings.first()?)));
            let set = under.chain([(&setting.name, &reading.name)]);
            let set = set.map(|(question, reading)| (question.text.clone(), reading.text.clone()));
            let set: Settings = request.set.iter().cloned().chain(set).collect();
            let wrong = compose(base, &amendments, &set).1;
            let places = wrong
                .iter()
                .filter(|it| it.is_error())
                .flat_map(|it| &it.labels);
            !places.into_iter().any(|it| reading.span.holds(it.span))
        })
    })
}

/// Whether one of some names is met.
struct Named<'n>(&'n BTreeSet<String>, bool);

impl<'t> Visitor<'t> for Named<'_> {
    fn name(&mut self, name: &'t ast::Name, _used_as: Use) {
        self.1 |= self.0.contains(name.as_str());
    }
}

/// Options and questions with their values, as a user writes them.
type Settings = Vec<(String, String)>;

/// What came of the same files under other readings.
struct Outcome {
    errors: Vec<Diagnostic>,
    unheard: Vec<Unheard>,
}

impl Outcome {
    /// Returns what is wrong with a ruling there.
    fn about(&self, span: Span) -> Vec<Diagnostic> {
        let errors = self.errors.iter();
        let errors = errors.filter(|it| it.span().is_some_and(|at| span.holds(at)));
        let unheard = self.unheard.iter().filter(|it| it.span.holds(span));
        let said = unheard.flat_map(|it| &it.said);
        errors
            .chain(said)
            .filter(|it| it.is_error())
            .cloned()
            .collect()
    }
}

fn outcome(base: &ast::File, own: &[&ast::File], set: &Settings, seats: Option<u32>) -> Outcome {
    let composed = compose(base, own, set).0;
    let (game, errors) = composed.map_or((None, Vec::new()), |it| check(&it, set, seats));
    Outcome {
        errors,
        unheard: game.map_or_else(Vec::new, |game| game.unheard),
    }
}

fn as_text(game: &Game, under: &[(SettingId, i64)]) -> Settings {
    let settings = under.iter().filter_map(|(id, value)| {
        let setting = game.settings.get(id.index())?;
        Some((setting.name.clone(), setting_value(game, setting, *value)))
    });
    settings.collect()
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

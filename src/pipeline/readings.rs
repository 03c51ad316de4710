//! The rules under each other reading that changes them, under each two, under the least and the greatest value of each
//! option, and at tables of other sizes.

mod look;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::{Compiled, Request, Settings};
use crate::diagnostic::{Diagnostic, Severity, sort_by_place};
use crate::model::{Base, Game, Setting};
use crate::play::setting_value;
use crate::source::{FileId, Sources};
use crate::syntax::ast::{self, ItemKind, SettingValues};
use crate::threads::{self, Go, Left};
use look::{Look, Which};

/// Clauses that are composed and checked again and again, a hundred bytes of text counting for one; to compose them
/// alone takes a quarter of that. Readings and pairs beyond are not looked at.
const MOST_CLAUSES: usize = 250_000;

/// So many other questions may decide whether one that is looked at is asked.
const MOST_DECIDING: usize = 256;

/// So many numbers of players are looked at besides the least one and those that rulings speak of.
const MOST_TABLES: usize = 8;

/// How often two readings are held against each other.
const MOST_TRIES: usize = 1 << 20;

/// What was found under other readings.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// What is wrong under other readings and not under those chosen.
    pub findings: Vec<Diagnostic>,
    /// How many readings were looked at.
    pub looked_at: usize,
    /// How many values of options that bring no edits were looked at.
    pub values: usize,
    /// How many readings and values were not looked at, because all would take too long.
    pub left_out: usize,
    /// How many numbers of players were not looked at.
    pub tables_left_out: usize,
    /// Whether pairs of readings, of which one changes what the other speaks of, were left out too.
    pub pairs_left_out: bool,
}

/// Another answer to a question, with those that it needs to be asked.
struct Other<'a> {
    set: BTreeMap<&'a str, String>,
    /// What has to be answered so that it is asked, be it the default.
    under: Vec<&'a ast::Condition>,
    title: String,
    question: &'a str,
    /// Whether it brings no edits.
    is_value: bool,
    /// The file in which the question is asked.
    home: FileId,
    /// The first words of the addresses that its edits change, and the names that it brings.
    changes: BTreeSet<&'a str>,
    /// All words of its edits.
    words: BTreeSet<&'a str>,
}

/// What a question needs to be asked: answers other than those chosen, and all that has to be answered so.
#[derive(Default)]
struct Needs<'a> {
    set: BTreeMap<&'a str, String>,
    under: Vec<&'a ast::Condition>,
}

/// Checks the rules under each reading with edits that is not chosen, and composes each two of them that
/// speak of the same.
pub fn check_readings(sources: &Sources, request: &Request, compiled: &Compiled) -> Readings {
    let jobs = threads::here();
    check_readings_while(sources, request, compiled, jobs, &|| true).unwrap_or_default()
}

/// The same under the answers to some questions alone, and under each two answers of which one is to such a question, as
/// long as somebody wants it.
pub fn check_readings_of(
    sources: &Sources,
    request: &Request,
    compiled: &Compiled,
    is_meant: &dyn Fn(&str) -> bool,
    is_wanted: &dyn Fn() -> bool,
) -> Readings {
    let how = (threads::here(), is_wanted);
    let here = || check_here(sources, request, compiled, is_meant, how);
    crate::stack::with_room(here).unwrap_or_default()
}

/// The same on so many threads, as long as somebody wants it; none if nobody does any more.
pub fn check_readings_while(
    sources: &Sources,
    request: &Request,
    compiled: &Compiled,
    jobs: NonZeroUsize,
    is_wanted: &dyn Fn() -> bool,
) -> Option<Readings> {
    let how = (jobs, is_wanted);
    crate::stack::with_room(|| check_here(sources, request, compiled, &|_| true, how))
}

fn check_here(
    sources: &Sources,
    request: &Request,
    compiled: &Compiled,
    is_meant: &dyn Fn(&str) -> bool,
    (jobs, is_wanted): (NonZeroUsize, &dyn Fn() -> bool),
) -> Option<Readings> {
    let mut found = Readings::default();
    let (Some(composed), Some(game)) = (&compiled.composed, &compiled.game) else {
        return Some(found);
    };
    let settings = composed.items.iter().filter_map(|it| match &it.item.kind {
        ItemKind::Setting(setting) => Some((setting.name.as_str(), setting)),
        _ => None,
    });
    let settings: BTreeMap<&str, &ast::Setting> = settings.collect();
    let length: usize = sources.iter().map(|(_, source)| source.text.len()).sum();
    let most = MOST_CLAUSES / (game.clauses.len() + length / 100).max(1);
    let chosen: HashMap<&str, &Setting> = game
        .settings
        .iter()
        .map(|it| (it.name.as_str(), it))
        .collect();
    let value = |it: &Setting| setting_value(game, it, it.value);
    let values: HashMap<&str, String> =
        chosen.iter().map(|(name, it)| (*name, value(it))).collect();
    let mut others: Vec<Other<'_>> = Vec::new();
    let mut left_out = 0;
    for setting in settings.values() {
        let Some(chosen) = chosen.get(setting.name.as_str()) else {
            continue;
        };
        let answers = answers(setting, game, chosen);
        let mut needs = Needs::default();
        if answers.is_empty() {
            continue;
        }
        let full = others.len() >= most;
        let can_be_asked = (!full).then(|| needed(setting, &settings, &values, &mut needs));
        if can_be_asked.flatten().is_none() {
            left_out += answers.len();
        } else if can_be_asked == Some(Some(true)) {
            let made = answers.into_iter();
            others.extend(made.map(|it| other(setting, it, &needs, sources)));
        }
    }
    left_out += others.len().saturating_sub(most);
    others.truncate(most);
    let mut looks: Vec<Look> = Vec::new();
    let (tables, tables_left_out) = match request.seats {
        Some(_) => (Vec::new(), 0),
        None => tables(game, most),
    };
    looks.extend(tables.into_iter().map(|count| Look {
        which: Which::Table {
            count,
            is_named: game.other_tables.contains(&count),
        },
        place: format!("with {count} players"),
        set: request.set.clone(),
        homes: None,
    }));
    let meant = others.iter().filter(|it| is_meant(it.question));
    looks.extend(meant.map(|it| {
        let homes = Some(vec![it.home]);
        let which = match it.is_value {
            true => Which::Value,
            false => Which::Reading,
        };
        Look::under(which, &it.title, wanted(request, [it]), homes)
    }));
    let mut named: Vec<Settings> = Vec::new();
    for under in &game.heard_under {
        let set = super::as_text(game, under);
        let is_known = |it: &Other<'_>| {
            it.set.len() == set.len() && set.iter().all(|(q, r)| it.set.get(q.as_str()) == Some(r))
        };
        if !others.iter().any(is_known) && !named.contains(&set) {
            named.push(set);
        }
    }
    let n_named = named.len();
    let named = named.into_iter().take(most.saturating_sub(others.len()));
    looks.extend(named.map(|set| {
        let title: Vec<String> = set.iter().map(|(q, r)| format!("{q} = {r}")).collect();
        let set = [request.set.clone(), set].concat();
        Look::under(Which::Named, &title.join(", "), set, None)
    }));
    let room = 4 * most.saturating_sub(others.len() + n_named);
    let (pairs, is_more) = pairs(&others, room);
    let meant = pairs
        .into_iter()
        .filter(|pair| pair.iter().any(|it| is_meant(it.question)));
    looks.extend(meant.map(|[one, other]| {
        let title = format!("{}, {}", one.title, other.title);
        let homes = Some(vec![one.home, other.home]);
        Look::under(Which::Pair, &title, wanted(request, [one, other]), homes)
    }));
    let mut known: HashSet<Place> = compiled.diagnostics.iter().map(place_of).collect();
    // Nobody asked an amendment to go with readings of others that are not chosen.
    let of_others = |it: &Diagnostic, homes: &[FileId]| {
        let is_other = |file: &&ast::File| !homes.iter().any(|home| file.holds(*home));
        let mut places = it.labels.iter().map(|label| label.span.file);
        places.any(|at| {
            let mut others = compiled.files.iter().skip(1).filter(is_other);
            others.any(|it| it.holds(at))
        })
    };
    let mut note = |said: Vec<Diagnostic>, at: &Look| {
        for mut it in said {
            if known.insert(place_of(&it)) {
                let homes = at.homes.as_ref();
                if homes.is_some_and(|homes| of_others(&it, homes)) {
                    it.severity = Severity::Warning;
                }
                let message = format!("{}: {}", at.place, it.message);
                found.findings.push(Diagnostic { message, ..it });
            }
        }
    };
    let worker = || {
        |at: u64, _: &AtomicBool| {
            let it = looks.get(usize::try_from(at).ok()?)?;
            let look = || it.look(&compiled.files, composed, request.seats);
            Some(crate::stack::with_room(look))
        }
    };
    let mut each = looks.iter();
    let left = threads::in_turn(jobs, looks.len() as u64, worker, &mut |said| {
        if let Some((said, it)) = said.and_then(|said| Some((said, each.next()?))) {
            note(said, it);
        }
        if is_wanted() { Go::On } else { Go::Stop }
    });
    if left == Left::Stopped {
        return None;
    }
    found.values = others.iter().filter(|it| it.is_value).count();
    found.looked_at = others.len() - found.values;
    found.left_out = left_out;
    found.tables_left_out = tables_left_out;
    found.pairs_left_out = is_more;
    sort_by_place(&mut found.findings);
    Some(found)
}

/// Returns the numbers of players to look at besides the one that was, those first that rulings speak of, and how many
/// more there are.
fn tables(game: &Game, most: usize) -> (Vec<u32>, usize) {
    let named = &game.other_tables;
    let (least, greatest) = game.seat_range;
    let others = (least..=greatest).filter(|it| *it != game.n_seats && !named.contains(it));
    let mut others: Vec<u32> = others.collect();
    let all = named.len() + others.len();
    // The smaller ones, and the greatest.
    if let Some(greatest) = others.pop() {
        others.truncate(MOST_TABLES - 1);
        others.push(greatest);
    }
    let tables: Vec<u32> = named.iter().copied().chain(others).take(most).collect();
    let left_out = all - tables.len();
    (tables, left_out)
}

/// What was found, and where.
type Place = (&'static str, Vec<(FileId, u32, u32)>);

fn place_of(it: &Diagnostic) -> Place {
    let places = it.labels.iter().map(|it| it.span);
    let places = places.map(|it| (it.file, it.start, it.end)).collect();
    (it.code.id(), places)
}

/// Returns so many pairs of readings of which one changes what the other speaks of, and whether there may be more.
fn pairs<'o, 'a>(others: &'o [Other<'a>], most: usize) -> (Vec<[&'o Other<'a>; 2]>, bool) {
    let mut speaking: HashMap<&str, Vec<usize>> = HashMap::default();
    for (at, other) in others.iter().enumerate() {
        for word in &other.words {
            speaking.entry(word).or_default().push(at);
        }
    }
    let (mut met, mut tries) = (BTreeSet::new(), 0_usize);
    for (at, one) in others.iter().enumerate() {
        for word in &one.changes {
            for other in speaking.get(word).into_iter().flatten() {
                if *other == at {
                    continue;
                }
                tries = tries.saturating_add(1 + one.set.len() + one.under.len());
                if met.len() >= most || tries > MOST_TRIES {
                    return (paired(others, &met), true);
                }
                let pair = (at.min(*other), at.max(*other));
                if others.get(*other).is_some_and(|other| one.goes_with(other)) {
                    met.insert(pair);
                }
            }
        }
    }
    (paired(others, &met), false)
}

fn paired<'o, 'a>(
    others: &'o [Other<'a>],
    met: &BTreeSet<(usize, usize)>,
) -> Vec<[&'o Other<'a>; 2]> {
    let both = |(one, other): &(usize, usize)| Some([others.get(*one)?, others.get(*other)?]);
    met.iter().filter_map(both).collect()
}

fn wanted<'o, 'a: 'o>(
    request: &Request,
    others: impl IntoIterator<Item = &'o Other<'a>>,
) -> Settings {
    let mut set = request.set.clone();
    for other in others {
        let needed = other.set.iter();
        set.extend(needed.map(|(name, value)| ((*name).to_owned(), value.clone())));
    }
    set
}

impl Other<'_> {
    /// Returns whether both can be chosen.
    fn goes_with(&self, other: &Other<'_>) -> bool {
        let agrees = |(name, value)| other.set.get(name).is_none_or(|it: &String| it == value);
        self.question != other.question
            && self.set.iter().all(agrees)
            && self.is_asked_with(other)
            && other.is_asked_with(self)
    }

    fn is_asked_with(&self, other: &Other<'_>) -> bool {
        self.under.iter().all(|it| {
            let answer = other.set.get(it.question.as_str());
            answer.is_none_or(|answer| it.readings.iter().any(|it| it.text == *answer))
        })
    }
}

/// Returns the answers to a question that are not chosen and have edits, and of an option without any its first and last value.
fn answers<'a>(
    setting: &'a ast::Setting,
    game: &Game,
    chosen: &Setting,
) -> Vec<(String, &'a [Arc<ast::Item>])> {
    match &setting.values {
        SettingValues::Readings(readings) => {
            let value = setting_value(game, chosen, chosen.value);
            let others = readings.iter().filter(|it| it.name.text != value);
            let edits = others.filter_map(|it| Some((it.name.text.clone(), it.edits.as_deref()?)));
            edits.collect()
        }
        SettingValues::Typed { .. } => match setting.edits.as_deref() {
            Some(edits) if chosen.value == chosen.default => {
                vec![(another(game, chosen), edits)]
            }
            Some(_) => Vec::new(),
            None => {
                let values = extremes(game, chosen).into_iter();
                let values = values.filter(|it| *it != chosen.value);
                values
                    .map(|it| (setting_value(game, chosen, it), &[][..]))
                    .collect()
            }
        },
    }
}

/// The first and the last value that an option may be set to.
fn extremes(game: &Game, setting: &Setting) -> [i64; 2] {
    match setting.ty.base {
        Base::Int(least, most) => [least, most],
        Base::Elem(domain) => {
            let size = game.domains.get(domain.index()).map_or(0, |it| it.size);
            [0, i64::try_from(size).unwrap_or(0) - 1]
        }
        _ => [0, 1],
    }
}

fn other<'a>(
    setting: &'a ast::Setting,
    (answer, edits): (String, &'a [Arc<ast::Item>]),
    needs: &Needs<'a>,
    sources: &'a Sources,
) -> Other<'a> {
    let name = setting.name.as_str();
    let mut set = needs.set.clone();
    let title = format!("{name} = {answer}");
    set.insert(name, answer);
    let text = edits.iter().map(|it| sources.slice(it.span));
    let words = text.flat_map(|text| text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let changes = edits.iter().filter_map(|it| match &it.kind {
        ItemKind::Edit(edit) => edit.head(),
        kind => kind.name(),
    });
    Other {
        set,
        under: needs.under.clone(),
        title,
        question: name,
        is_value: matches!(setting.values, SettingValues::Typed { .. }) && setting.edits.is_none(),
        home: setting.name.span.file,
        changes: changes.map(ast::Name::as_str).collect(),
        words: words.filter(|word| !word.is_empty()).collect(),
    }
}

/// Returns a value of an option other than the one that is chosen.
fn another(game: &Game, setting: &Setting) -> String {
    let value = match setting.ty.base {
        Base::Int(_, most) if setting.value < most => setting.value + 1,
        Base::Int(..) => setting.value - 1,
        _ if setting.value > 0 => 0,
        _ => 1,
    };
    setting_value(game, setting, value)
}

/// Adds the answers that a question needs to be asked; returns whether there are such answers, none if too many
/// questions decide it.
fn needed<'a>(
    setting: &'a ast::Setting,
    all: &BTreeMap<&'a str, &'a ast::Setting>,
    values: &HashMap<&str, String>,
    needs: &mut Needs<'a>,
) -> Option<bool> {
    let mut seen = BTreeSet::new();
    let mut open = vec![setting];
    while let Some(setting) = open.pop() {
        for condition in &setting.under {
            let name = condition.question.as_str();
            let Some(other) = all.get(name) else {
                return Some(false);
            };
            let fits = |value: &String| condition.readings.iter().any(|it| it.text == *value);
            needs.under.push(condition);
            match (needs.set.get(name), condition.readings.first()) {
                (Some(known), _) if !fits(known) => return Some(false),
                (Some(_), _) => {}
                (None, _) if values.get(name).is_some_and(fits) => {}
                (None, Some(first)) => {
                    needs.set.insert(name, first.text.clone());
                }
                (None, None) => return Some(false),
            }
            if seen.insert(name) {
                open.push(other);
            }
            if seen.len() > MOST_DECIDING {
                return None;
            }
        }
    }
    Some(true)
}

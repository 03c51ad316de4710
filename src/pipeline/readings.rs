//! The rules under each other reading that changes them, and under each two.

use std::collections::{BTreeMap, BTreeSet};

use super::{Compiled, Request, Settings};
use crate::check::check;
use crate::compose::compose;
use crate::diagnostic::{Diagnostic, Severity, sort_by_place};
use crate::model::{Base, Game, Setting};
use crate::play::setting_value;
use crate::source::Sources;
use crate::syntax::ast::{self, ItemKind, SettingValues};

/// Text that is composed again and again; more pairs are not looked at.
const MOST_TEXT: usize = 256 << 20;

/// What was found under other readings.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// What is wrong under other readings and not under those chosen.
    pub findings: Vec<Diagnostic>,
    /// How many readings were looked at.
    pub looked_at: usize,
    /// How many pairs of readings, that each change what the other one speaks of, were not looked at.
    pub left_out: usize,
}

/// Another answer to a question, with those that it needs to be asked.
struct Other<'a> {
    set: BTreeMap<&'a str, String>,
    title: String,
    question: &'a str,
    /// The first words of the addresses that its edits change, and the names that it brings.
    changes: BTreeSet<&'a str>,
    /// All words of its edits.
    words: BTreeSet<&'a str>,
}

/// Checks the rules under each reading with edits that is not chosen, and composes each two of them that
/// speak of the same.
pub fn check_readings(sources: &Sources, request: &Request, compiled: &Compiled) -> Readings {
    crate::stack::with_room(|| check_here(sources, request, compiled))
}

fn check_here(sources: &Sources, request: &Request, compiled: &Compiled) -> Readings {
    let mut found = Readings::default();
    let (Some(composed), Some(game)) = (&compiled.composed, &compiled.game) else {
        return found;
    };
    let settings = composed.items.iter().filter_map(|it| match &it.item.kind {
        ItemKind::Setting(setting) => Some((setting.name.as_str(), setting)),
        _ => None,
    });
    let settings: BTreeMap<&str, &ast::Setting> = settings.collect();
    let others = settings
        .values()
        .flat_map(|it| others(it, &settings, game, sources));
    let others: Vec<Other<'_>> = others.collect();
    let Some((base, amendments)) = compiled.files.split_first() else {
        return found;
    };
    let amendments: Vec<&ast::File> = amendments.iter().collect();
    let mut known: Vec<Diagnostic> = compiled.diagnostics.clone();
    let mut note = |said: Vec<Diagnostic>, title: &str| {
        for it in said {
            let is_known = |other: &Diagnostic| other.code == it.code && other.labels == it.labels;
            if !known.iter().any(is_known) {
                known.push(it.clone());
                let message = format!("under `{title}`: {}", it.message);
                found.findings.push(Diagnostic { message, ..it });
            }
        }
    };
    for other in &others {
        let set = wanted(request, [other]);
        let (composed, mut said) = compose(base, &amendments, &set);
        if let Some(composed) = composed {
            said.extend(check(&composed, &set, request.seats).1);
        }
        note(said, &other.title);
    }
    found.looked_at = others.len();

    let length: usize = sources.iter().map(|(_, source)| source.text.len()).sum();
    let mut room = MOST_TEXT / length.max(1);
    for (at, one) in others.iter().enumerate() {
        let behind = others.iter().skip(at + 1);
        for other in behind.filter(|other| one.meets(other)) {
            if room == 0 {
                found.left_out += 1;
                continue;
            }
            room -= 1;
            let mut said = compose(base, &amendments, &wanted(request, [one, other])).1;
            said.retain(|it| it.severity == Severity::Error);
            note(said, &format!("{}, {}", one.title, other.title));
        }
    }
    sort_by_place(&mut found.findings);
    found
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
    /// Returns whether both can be chosen, and one changes what the other speaks of.
    fn meets(&self, other: &Other<'_>) -> bool {
        let agrees = |(name, value)| other.set.get(name).is_none_or(|it: &String| it == value);
        self.question != other.question
            && self.set.iter().all(agrees)
            && (!self.changes.is_disjoint(&other.words) || !other.changes.is_disjoint(&self.words))
    }
}

/// Returns the answers to a question that are not chosen and have edits.
fn others<'a>(
    setting: &'a ast::Setting,
    all: &BTreeMap<&'a str, &'a ast::Setting>,
    game: &Game,
    sources: &'a Sources,
) -> Vec<Other<'a>> {
    let name = setting.name.as_str();
    let chosen = game.settings.iter().find(|it| it.name == name);
    let Some(chosen) = chosen else {
        return Vec::new();
    };
    let value = setting_value(game, chosen, chosen.value);
    let answers: Vec<(String, &'a [ast::Item])> = match &setting.values {
        SettingValues::Readings(readings) => {
            let others = readings.iter().filter(|it| it.name.text != value);
            let edits = others.filter_map(|it| Some((it.name.text.clone(), it.edits.as_deref()?)));
            edits.collect()
        }
        SettingValues::Typed { .. } => {
            let edits = setting
                .edits
                .as_deref()
                .filter(|_| chosen.value == chosen.default);
            edits
                .map(|edits| (another(game, chosen), edits))
                .into_iter()
                .collect()
        }
    };
    let mut needs = BTreeMap::new();
    if answers.is_empty() || !needed(setting, all, game, &mut needs) {
        return Vec::new();
    }
    let other = |(answer, edits): (String, &'a [ast::Item])| {
        let mut set = needs.clone();
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
            title,
            question: name,
            changes: changes.map(ast::Name::as_str).collect(),
            words: words.filter(|word| !word.is_empty()).collect(),
        }
    };
    answers.into_iter().map(other).collect()
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

/// Adds the answers that a question needs to be asked; returns whether there are such answers.
fn needed<'a>(
    setting: &'a ast::Setting,
    all: &BTreeMap<&'a str, &'a ast::Setting>,
    game: &Game,
    needs: &mut BTreeMap<&'a str, String>,
) -> bool {
    for condition in &setting.under {
        let name = condition.question.as_str();
        let Some(other) = all.get(name) else {
            return false;
        };
        let chosen = game.settings.iter().find(|it| it.name == name);
        let value = chosen.map(|it| setting_value(game, it, it.value));
        let fits = |value: &String| condition.readings.iter().any(|it| it.text == *value);
        let known = needs.get(name);
        match (known, condition.readings.first()) {
            (Some(known), _) if !fits(known) => return false,
            (Some(_), _) => continue,
            (None, _) if value.as_ref().is_some_and(fits) => {}
            (None, Some(first)) => {
                needs.insert(name, first.text.clone());
            }
            (None, None) => return false,
        }
        // Conditions go in no circle in a game that is sound.
        if !needed(other, all, game, needs) {
            return false;
        }
    }
    true
}

//! Which readings are chosen, and the edits that they bring.
//!
//! A chosen reading with edits is worked in like an amendment that stands on the file that holds the
//! question. So is an option with edits that is not at its default.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::state::State;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::FileId;
use crate::syntax::ast::{self, ExprKind, ItemKind, SettingValues, UnaryOp};

/// An answered question, or an option that is not at its default.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub name: String,
    /// The reading; none of an option.
    pub reading: Option<String>,
    /// The citations of the reading, or else those of its question.
    pub tail: ast::Tail,
    /// The questions that have to be answered for it to be asked; its edits may name what those bring.
    pub under: Vec<ast::Name>,
    /// What the reading itself says about its order.
    pub orders: Vec<ast::Order>,
    /// The edits that hold.
    pub items: Vec<Arc<ast::Item>>,
    /// The file that the edits are written in.
    pub file: FileId,
}

impl Choice {
    /// Returns how the choice is written: `exposure = five`, `hand_cap`.
    pub(super) fn title(&self) -> String {
        match &self.reading {
            Some(reading) => format!("{} = {reading}", self.name),
            None => self.name.clone(),
        }
    }

    /// Returns whether this is what is meant.
    pub(super) fn is(&self, unit: &ast::UnitRef) -> bool {
        let reading = unit.reading.as_ref().map(|it| it.as_str());
        unit.name.text == self.name && (reading.is_none() || reading == self.reading.as_deref())
    }
}

/// All choices, and the questions that are not asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Chosen {
    /// By name.
    pub choices: Vec<Choice>,
    pub unasked: BTreeSet<String>,
}

impl Chosen {
    /// Returns what is chosen where no edit changes a setting of these files.
    pub(super) fn first(files: &[&ast::File], wanted: &[(String, String)]) -> Chosen {
        let items = files.iter().flat_map(|it| &it.items);
        let settings = items.filter_map(|item| match &item.kind {
            ItemKind::Setting(it) => Some((it, &item.tail)),
            _ => None,
        });
        Settings::new(settings, &BTreeMap::new(), wanted).chosen()
    }

    /// Returns the titles of those that bring edits.
    pub(super) fn worked_in(&self) -> Vec<String> {
        let with_edits = self.choices.iter().filter(|it| !it.items.is_empty());
        with_edits.map(Choice::title).collect()
    }

    /// Returns what is chosen in rules that are worked in.
    pub(super) fn of(state: &State, wanted: &[(String, String)]) -> Chosen {
        Settings::of(state, wanted).chosen()
    }
}

/// Complains about answers to questions that are not asked.
pub(super) fn not_asked(
    state: &State,
    wanted: &[(String, String)],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let settings = Settings::of(state, wanted);
    let asked = settings.asked();
    for (setting, _) in settings.by_name.values() {
        if asked.contains(setting.name.as_str()) || !settings.is_answered(setting) {
            continue;
        }
        let (name, under) = (&setting.name, setting.condition());
        let fitting: Vec<&str> = settings.fitting(setting).collect();
        let open = setting.under.iter();
        let open = open.filter(|it| !fitting.contains(&it.question.as_str()));
        let set =
            open.filter_map(|it| Some(format!("--set {}={}", it.question, it.readings.first()?)));
        let set: Vec<String> = set.collect();
        let message = format!("`{name}` is asked only under `{under}`");
        let help = match set.is_empty() {
            true => format!("leave `{name}` alone, or choose that too"),
            false => format!("leave `{name}` alone, or write `{}` too", set.join(" ")),
        };
        diagnostics.push(Diagnostic::at(codes::NOT_ASKED, name.span, message).help(help));
    }
}

/// The settings of some rules.
struct Settings<'s> {
    by_name: BTreeMap<&'s str, (&'s ast::Setting, &'s ast::Tail)>,
    /// The defaults of options before any amendment set another.
    first_defaults: &'s BTreeMap<String, ast::Expr>,
    wanted: &'s [(String, String)],
}

impl<'s> Settings<'s> {
    fn new(
        settings: impl Iterator<Item = (&'s ast::Setting, &'s ast::Tail)>,
        first_defaults: &'s BTreeMap<String, ast::Expr>,
        wanted: &'s [(String, String)],
    ) -> Settings<'s> {
        let mut by_name = BTreeMap::new();
        for (setting, tail) in settings {
            // Of two of one name the first counts; the checker complains.
            by_name
                .entry(setting.name.as_str())
                .or_insert((setting, tail));
        }
        Settings {
            by_name,
            first_defaults,
            wanted,
        }
    }

    fn of(state: &'s State, wanted: &'s [(String, String)]) -> Settings<'s> {
        let items = state.items.iter().flatten().map(|it| &it.item);
        let settings = items.filter_map(|item| match &item.kind {
            ItemKind::Setting(it) => Some((it, &item.tail)),
            _ => None,
        });
        Settings::new(settings, &state.first_defaults, wanted)
    }

    fn chosen(&self) -> Chosen {
        let mut chosen = Chosen::default();
        let asked = self.asked();
        for (name, (setting, tail)) in &self.by_name {
            if !asked.contains(name) {
                chosen.unasked.insert((*name).to_owned());
                continue;
            }
            let under = setting.under.iter().map(|it| it.question.clone());
            let under = under.collect();
            let choice = match &setting.values {
                SettingValues::Readings(_) => self.reading(setting).map(|it| Choice {
                    name: (*name).to_owned(),
                    reading: Some(it.name.text.clone()),
                    tail: with_citations(&it.tail, tail),
                    under,
                    orders: it.tail.orders.clone(),
                    items: it.edits.clone().unwrap_or_default(),
                    file: it.span.file,
                }),
                SettingValues::Typed { default, .. } => {
                    let first = self.first_defaults.get(*name).unwrap_or(default);
                    let value = self.wanted_value(name).map(str::to_owned);
                    let value = value.or_else(|| literal(default));
                    let edits = setting.edits.as_ref();
                    edits.filter(|_| value != literal(first)).map(|it| Choice {
                        name: (*name).to_owned(),
                        reading: None,
                        tail: with_citations(tail, tail),
                        under,
                        orders: Vec::new(),
                        items: it.clone(),
                        file: setting.name.span.file,
                    })
                }
            };
            chosen.choices.extend(choice);
        }
        chosen
    }

    /// Returns what the user wants of a setting; the last word counts, as on a command line.
    fn wanted_value(&self, name: &str) -> Option<&'s str> {
        let mut wanted = self.wanted.iter().rev();
        wanted.find(|it| it.0 == name).map(|it| it.1.as_str())
    }

    /// Returns whether the user wants anything but the default.
    fn is_answered(&self, setting: &ast::Setting) -> bool {
        let wanted = self.wanted_value(setting.name.as_str());
        let default = match &setting.values {
            SettingValues::Readings(readings) => {
                let default = readings.iter().find(|it| it.default);
                default.map(|it| it.name.text.clone())
            }
            SettingValues::Typed { default, .. } => literal(default),
        };
        wanted.is_some() && wanted != default.as_deref()
    }

    fn reading(&self, setting: &'s ast::Setting) -> Option<&'s ast::Reading> {
        let SettingValues::Readings(readings) = &setting.values else {
            return None;
        };
        let wanted = self.wanted_value(setting.name.as_str());
        let mut all = readings.iter();
        let wanted = wanted.and_then(|wanted| all.find(|it| it.name.text == wanted));
        wanted.or_else(|| readings.iter().find(|it| it.default))
    }

    /// Returns the settings all of whose conditions hold. Those whose conditions go in a circle are none.
    fn asked(&self) -> BTreeSet<&'s str> {
        let mut open: BTreeMap<&str, usize> = BTreeMap::new();
        let mut behind: BTreeMap<&str, Vec<&'s str>> = BTreeMap::new();
        for (name, (setting, _)) in &self.by_name {
            open.insert(name, setting.under.len());
            for condition in self.fitting(setting) {
                behind.entry(condition).or_default().push(name);
            }
        }
        let mut asked = BTreeSet::new();
        let first = self.by_name.iter().filter(|(_, it)| it.0.under.is_empty());
        let mut next: Vec<&'s str> = first.map(|(name, _)| *name).collect();
        while let Some(name) = next.pop() {
            asked.insert(name);
            for other in behind.remove(name).unwrap_or_default() {
                if let Some(left) = open.get_mut(other) {
                    *left = left.saturating_sub(1);
                    next.extend((*left == 0).then_some(other));
                }
            }
        }
        asked
    }

    /// The questions of those conditions of a setting that hold where their question is asked.
    fn fitting(&self, setting: &'s ast::Setting) -> impl Iterator<Item = &'s str> {
        setting.under.iter().filter_map(|it| {
            let (other, _) = self.by_name.get(it.question.as_str())?;
            let reading = self.reading(other)?.name.as_str();
            let fits = it.readings.iter().any(|it| it.as_str() == reading);
            fits.then_some(other.name.as_str())
        })
    }
}

/// Returns a tail that says no less than the one around it.
fn with_citations(tail: &ast::Tail, around: &ast::Tail) -> ast::Tail {
    let mut tail = tail.clone();
    if tail.cites.is_empty() {
        tail.cites.clone_from(&around.cites);
    }
    tail.status = tail.status.or_else(|| around.status.clone());
    tail.orders.clear();
    tail.allows.clear();
    tail
}

/// Returns the value of an option as a user writes it, where it need not be worked out.
pub(super) fn literal(value: &ast::Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Number(number) => Some(number.to_string()),
        ExprKind::Bool(truth) => Some(truth.to_string()),
        ExprKind::Name(name) => Some(name.text.clone()),
        ExprKind::Unary {
            op: UnaryOp::Minus,
            operand,
            ..
        } => literal(operand).map(|it| format!("-{it}")),
        _ => None,
    }
}

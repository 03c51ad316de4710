use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint, words};
use crate::syntax::ast::{
    Item, ItemKind, Reading, Role, Setting, SettingValues, Tree, UnitRef, Visitor,
};

pub(super) const LINT: Lint = Lint {
    code: codes::INDISTINCT_READINGS,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut named = Named::default();
    for item in context.book.files.iter().flat_map(|file| &file.items) {
        named.item(item, Role::Plain);
    }
    for (_, item, name) in context.index.declarations() {
        let ItemKind::Setting(setting) = &item.kind else {
            continue;
        };
        let SettingValues::Readings(readings) = &setting.values else {
            continue;
        };
        // A question that changes nothing at all is a finding of its own.
        if setting.all_edits().next().is_none() || named.questions.contains(name.as_str()) {
            continue;
        }
        let told = |it: &&Reading| !named.readings.contains(&(name.as_str(), it.name.as_str()));
        for same in alike(readings.iter().filter(told)) {
            found.push(report(setting, &same));
        }
    }
}

fn report(setting: &Setting, same: &[&Reading]) -> Diagnostic {
    let names = words::listed(same.iter().map(|it| it.name.as_str()));
    let message = format!(
        "the readings {names} of `{}` lead to the same everywhere",
        setting.name
    );
    let mut finding = Diagnostic::new(codes::INDISTINCT_READINGS, message);
    for reading in same {
        finding = finding.label(reading.name.span, "");
    }
    finding.help("say in the block of one of them what is different under it, or keep one of them")
}

/// What is said of readings elsewhere than in their blocks.
#[derive(Default)]
struct Named<'a> {
    /// Readings under which something else is asked or holds.
    readings: HashSet<(&'a str, &'a str)>,
    /// Questions of which any reading but the default will do.
    questions: HashSet<&'a str>,
}

impl<'a> Named<'a> {
    fn unit(&mut self, unit: &'a UnitRef) {
        match &unit.reading {
            Some(reading) => {
                self.readings.insert((unit.name.as_str(), reading.as_str()));
            }
            None => {
                self.questions.insert(unit.name.as_str());
            }
        }
    }
}

impl<'a> Visitor<'a> for Named<'a> {
    fn item(&mut self, item: &'a Item, _role: Role) {
        match &item.kind {
            ItemKind::Setting(it) => {
                for condition in &it.under {
                    let question = condition.question.as_str();
                    let readings = condition.readings.iter();
                    self.readings
                        .extend(readings.map(|it| (question, it.as_str())));
                }
            }
            ItemKind::Resolve(it) => it.units.iter().for_each(|it| self.unit(it)),
            ItemKind::Relation(it) => self.unit(&it.unit),
            _ => {}
        }
        item.kind.walk(self, Role::Plain);
    }
}

/// Returns the groups of readings whose blocks say the same.
fn alike<'r>(readings: impl Iterator<Item = &'r Reading>) -> Vec<Vec<&'r Reading>> {
    fn kinds(reading: &Reading) -> impl Iterator<Item = &ItemKind> {
        reading.edits.iter().flatten().map(|it| &it.kind)
    }
    let mut groups: Vec<Vec<&Reading>> = Vec::new();
    for reading in readings {
        let same = |group: &&mut Vec<&Reading>| {
            group.first().is_some_and(|it| kinds(it).eq(kinds(reading)))
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(reading),
            None => groups.push(vec![reading]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

//! Where questions are asked: `under QUESTION = READING`.

use std::collections::{BTreeMap, BTreeSet};

use super::Checker;
use super::scope::{did_you_mean, listed};
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::model::Dispute;
use crate::syntax::ast::{self, Edit, ItemKind, SettingValues};

impl<'a> Checker<'a> {
    /// Notes what the edits of readings that are not chosen would change.
    pub(super) fn disputes(&mut self) {
        let mut disputes = Vec::new();
        for composite in &self.composed.items {
            let ItemKind::Setting(it) = &composite.item.kind else {
                continue;
            };
            for item in it.all_edits() {
                if let ItemKind::Edit(edit) = &item.kind {
                    let at_edge = matches!(
                        edit,
                        Edit::Forbid(_) | Edit::Permit(_) | Edit::Insert { .. } | Edit::Add(_)
                    );
                    let dispute = |address| Dispute {
                        address,
                        question: it.name.text.clone(),
                        inside: !at_edge,
                    };
                    disputes.extend(edit.target().map(dispute));
                }
            }
        }
        disputes.sort_unstable();
        disputes.dedup();
        self.game.disputes = disputes;
    }

    /// Checks the conditions of questions.
    pub(super) fn conditions(&mut self) {
        let mut all: BTreeMap<&'a str, &'a ast::Setting> = BTreeMap::new();
        for composite in &self.composed.items {
            if let ItemKind::Setting(it) = &composite.item.kind {
                all.entry(it.name.as_str()).or_insert(it);
            }
        }
        let circular = waiting_for_themselves(&all);
        for (name, setting) in &all {
            for condition in &setting.under {
                self.asked_under(condition, &all);
            }
            if circular.contains(name) {
                self.complain(
                    codes::CIRCULAR,
                    setting.name.span,
                    format!(
                        "whether `{}` is asked depends on its own answer",
                        setting.name
                    ),
                    "leave one `under` out of the circle",
                );
            }
        }
    }

    fn asked_under(&mut self, it: &ast::Condition, all: &BTreeMap<&'a str, &'a ast::Setting>) {
        let name = &it.question;
        let Some(other) = all.get(name.as_str()) else {
            let near = closest(name.as_str(), all.keys().copied()).map(str::to_owned);
            let message = format!("no question is called `{name}`");
            let diagnostic = Diagnostic::at(codes::UNKNOWN_NAME, name.span, message);
            self.report(did_you_mean(diagnostic, name.span, near));
            return;
        };
        let SettingValues::Readings(readings) = &other.values else {
            self.complain(
                codes::WRONG_KIND,
                name.span,
                format!("`{name}` has no readings"),
                "only what is answered by a reading can be a condition",
            );
            return;
        };
        let names: Vec<String> = readings.iter().map(|it| it.name.text.clone()).collect();
        for reading in it.readings.iter().filter(|it| !names.contains(&it.text)) {
            let message = format!("`{name}` has no reading `{reading}`");
            let diagnostic = Diagnostic::at(codes::UNKNOWN_READING, reading.span, message);
            let near = closest(reading.as_str(), names.iter().map(String::as_str));
            let diagnostic = match near {
                Some(near) => did_you_mean(diagnostic, reading.span, Some(near.to_owned())),
                None => diagnostic.help(format!("its readings are {}", listed(&names))),
            };
            self.report(diagnostic);
        }
    }
}

/// Returns the questions that lie on a circle of conditions.
fn waiting_for_themselves<'a>(all: &BTreeMap<&'a str, &'a ast::Setting>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for start in all.keys() {
        // The way from here to a question, with the conditions of each that are not followed yet.
        let mut way: Vec<(&'a str, &'a [ast::Condition])> = Vec::new();
        let mut place_on_way: BTreeMap<&str, usize> = BTreeMap::new();
        let mut next = Some(*start);
        loop {
            let open = next.filter(|it| !done.contains(it));
            if let Some((name, setting)) = open.and_then(|it| all.get_key_value(it)) {
                if let Some(place) = place_on_way.get(name) {
                    found.extend(way.iter().skip(*place).map(|it| it.0));
                } else {
                    place_on_way.insert(*name, way.len());
                    way.push((*name, setting.under.as_slice()));
                }
            }
            let Some((name, rest)) = way.last_mut() else {
                break;
            };
            next = rest.first().map(|it| it.question.as_str());
            match rest.split_first() {
                Some((_, behind)) => *rest = behind,
                None => {
                    done.insert(*name);
                    place_on_way.remove(name);
                    way.pop();
                }
            }
        }
    }
    found
}

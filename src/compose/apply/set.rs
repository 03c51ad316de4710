//! `set PATH = value`.

use super::Work;
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::Target;
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::syntax::ast::{self, ExprKind, ItemKind, SettingValues};

impl Work<'_> {
    pub(super) fn set(&mut self, edit: Edit, path: &ast::Path, value: &ast::Expr) {
        let Some(found) = self.seek(edit, path, Act::Set) else {
            return;
        };
        let Target::Item(number) = found.target else {
            return self.unfit(path, &found, "an option or a question", HELP);
        };
        let Some(ItemKind::Setting(setting)) = self.state.item(number).map(|item| &mut item.kind)
        else {
            return self.unfit(path, &found, "an option or a question", HELP);
        };
        let problem = match &mut setting.values {
            SettingValues::Typed { .. } => None,
            SettingValues::Readings(readings) => no_such_reading(path, value, readings),
        };
        if let Some(problem) = problem {
            return self.diagnostics.push(problem);
        }
        if !self.may(edit, &found.place, Act::Set, path.span) {
            return;
        }
        let mut first = None;
        if let Some(ItemKind::Setting(setting)) = self.state.item(number).map(|item| &mut item.kind)
        {
            match &mut setting.values {
                SettingValues::Typed { default, .. } => {
                    let old = std::mem::replace(default, value.clone());
                    first = Some((setting.name.text.clone(), old));
                }
                SettingValues::Readings(readings) => {
                    for reading in readings {
                        reading.default = Some(reading.name.as_str()) == reading_of(path, value);
                    }
                }
            }
        }
        if let Some((name, old)) = first {
            self.state.first_defaults.entry(name).or_insert(old);
        }
        self.changed(edit, number);
        self.touch(edit, &found.place, Act::Set, path.span);
    }
}

const HELP: &str = "`set` chooses the value of an option or the reading of a question; write `replace` to change anything else";

/// Returns the reading that a value names: `equal_only` or `match_values.equal_only`.
fn reading_of<'v>(path: &ast::Path, value: &'v ast::Expr) -> Option<&'v str> {
    match &value.kind {
        ExprKind::Name(name) => Some(name.as_str()),
        ExprKind::Field { base, field } => match &base.kind {
            ExprKind::Name(question) if question.text == path.to_string() => Some(field.as_str()),
            _ => None,
        },
        _ => None,
    }
}

fn no_such_reading(
    path: &ast::Path,
    value: &ast::Expr,
    readings: &[ast::Reading],
) -> Option<Diagnostic> {
    let written = reading_of(path, value);
    let names = || readings.iter().map(|reading| reading.name.as_str());
    if names().any(|name| Some(name) == written) {
        return None;
    }
    let message = match written {
        Some(written) => format!("`{path}` has no reading `{written}`"),
        None => format!("`{path}` is set to something that is no reading"),
    };
    let all: Vec<_> = names().map(|name| format!("`{name}`")).collect();
    let near = written.and_then(|written| closest(written, names()));
    let diagnostic = Diagnostic::at(codes::UNKNOWN_READING, value.span, message);
    Some(match near {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(
            format!("write `{near}`"),
            vec![(value.span, near.to_owned())],
        ),
        None => diagnostic.help(format!("its readings are {}", all.join(", "))),
    })
}

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{ItemKind, SettingValues};

pub(super) const LINT: Lint = Lint {
    code: codes::LONG_READING_NAME,
    run,
};

/// Letters of the longest name that people type without a slip.
const LONGEST: usize = 16;

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for (_, item, _) in context.index.declarations() {
        let ItemKind::Setting(setting) = &item.kind else {
            continue;
        };
        let SettingValues::Readings(readings) = &setting.values else {
            continue;
        };
        for name in readings.iter().map(|it| &it.name) {
            let n = name.as_str().chars().count();
            if n > LONGEST {
                let message = format!("`{name}` has {n} letters");
                let help = format!(
                    "people type it behind `--set {}=`: {LONGEST} letters are enough, and `formerly {name}` keeps the old name known",
                    setting.name
                );
                found.push(Diagnostic::at(codes::LONG_READING_NAME, name.span, message).help(help));
            }
        }
    }
}

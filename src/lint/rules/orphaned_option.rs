use rustc_hash::FxHashSet as HashSet;

use crate::compose::{Composed, Composite};
use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Use;
use crate::lint::{Context, Lint};
use crate::source::{FileId, Span};
use crate::syntax::ast::{self, Edit, ItemKind, Name, Role, SettingValues, Tree, Visitor};

pub(super) const LINT: Lint = Lint {
    code: codes::ORPHANED_OPTION,
    run,
};

/// Options that rules ask as they are written, and none any more when the amendments are worked in.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(composed) = context.book.composed.filter(|it| !it.amendments.is_empty()) else {
        return;
    };
    let mut left = None;
    for (_, item, name) in context.index.declarations() {
        let ItemKind::Setting(setting) = &item.kind else {
            continue;
        };
        if setting.edits.is_some() || !matches!(setting.values, SettingValues::Typed { .. }) {
            continue;
        }
        let is_it = |it: &Composite| it.item.kind.name() == Some(name);
        if !composed.items.iter().any(is_it) {
            continue;
        }
        let uses = context.index.uses.iter();
        let uses = uses.filter(|it| it.name == name && !context.index.in_ruling(it.item));
        let uses: Vec<&Use<'_>> = uses.collect();
        let Some((edit, from)) = uses.iter().find_map(|it| taken_by(context, it)) else {
            continue;
        };
        let left = left.get_or_insert_with(|| Left::of(composed));
        if !uses.iter().any(|it| left.holds(it.name.span)) {
            let message = format!("nothing asks the option `{name}` any more");
            found.push(
                Diagnostic::new(codes::ORPHANED_OPTION, message)
                    .label(edit, "this takes away what asked it")
                    .label(from, "it was asked here")
                    .label(name.span, "whoever sets it changes nothing")
                    .help(format!("ask it in the edit too, or write `remove {name}`")),
            );
        }
    }
}

/// The edit that took away where an option was asked, and where that was.
fn taken_by(context: &Context<'_>, asked: &Use<'_>) -> Option<(Span, Span)> {
    let owner = context.index.item(asked.item)?.kind.name()?;
    let edit = context.index.items.iter().find(|placed| {
        let ItemKind::Edit(edit @ (Edit::Replace(_) | Edit::Remove { .. })) = &placed.item.kind
        else {
            return false;
        };
        edit.head() == Some(owner)
    })?;
    Some((edit.item.span, asked.name.span))
}

/// Where the names stand that are left.
#[derive(Default)]
struct Left(HashSet<(FileId, u32)>);

impl Left {
    fn of(composed: &Composed) -> Left {
        let mut left = Left::default();
        for composite in &composed.items {
            left.item(&composite.item, Role::Plain);
        }
        for guard in &composed.guards {
            left.expr(&guard.when, Role::Plain);
            guard.because.walk(&mut left, Role::Plain);
        }
        left
    }

    fn holds(&self, span: Span) -> bool {
        self.0.contains(&(span.file, span.start))
    }
}

impl<'t> Visitor<'t> for Left {
    fn name(&mut self, name: &'t Name, _used_as: ast::Use) {
        self.0.insert((name.span.file, name.span.start));
    }
}

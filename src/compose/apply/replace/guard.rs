//! `replace forbid …`, `replace permit …`, `replace except …`.

use crate::compose::apply::Work;
use crate::compose::apply::base::{New, Old};
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{Target, guard_place};
use crate::compose::{Guard, GuardKind};
use crate::diagnostic::{Diagnostic, codes};
use crate::syntax::ast;

impl Work<'_> {
    pub(super) fn replace_guard(&mut self, edit: Edit, kind: GuardKind, new: &ast::Guard) {
        let Some(head) = new.target.segments.first() else {
            return;
        };
        let path = ast::Path {
            segments: vec![head.clone(), new.label.clone()],
            span: new.label.span,
        };
        let Some(found) = self.seek(edit, &path, Act::Replace) else {
            return;
        };
        let Target::Guard(number) = found.target else {
            return self.unfit(
                &path,
                &found,
                "a guard",
                "leave `replace` out to add the guard",
            );
        };
        if !self.may(edit, &found.place, Act::Replace, path.span) {
            return;
        }
        let Some(old) = self.state.guards.get(number).cloned() else {
            return;
        };
        let same_target =
            old.path == new.target || guard_place(&old).ends_with(&written(&new.target));
        if old.kind != kind || !same_target {
            let message = format!("`{path}` is another guard than the one it replaces");
            let diagnostic = Diagnostic::new(codes::CHANGED_SIGNATURE, message)
                .label(path.span, "the new one")
                .label(old.label.span, "the old one")
                .help("keep the word it begins with and what it guards");
            return self.diagnostics.push(diagnostic);
        }
        let mut when = new.condition.clone();
        let base = if old.formals == new.formals {
            Old::Value(&old.when)
        } else {
            Old::Nothing
        };
        if self.put_base(&base, New::Value(&mut when)).is_none() {
            return;
        }
        let replaced = Guard {
            formals: new.formals.clone(),
            label: new.label.clone(),
            when,
            because: new.because.clone(),
            tail: self.tail(edit),
            origin: self.origin(edit),
            ..old
        };
        if let Some(guard) = self.state.guards.get_mut(number) {
            *guard = replaced;
        }
        self.touch(edit, &found.place, Act::Replace, path.span);
    }
}

fn written(path: &ast::Path) -> Vec<String> {
    path.segments.iter().map(|name| name.text.clone()).collect()
}

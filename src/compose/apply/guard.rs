//! `forbid` and `permit`.

use std::collections::BTreeSet;

use super::Work;
use crate::compose::address::Kind;
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{Found, Target, params_of};
use crate::compose::walk::{Scope, Use, Visitor, Walk};
use crate::compose::{Guard, GuardKind};
use crate::diagnostic::{Diagnostic, codes};
use crate::syntax::ast::{self, ItemKind};

/// Most names that are told.
const MOST_TOLD: usize = 8;

impl Work<'_> {
    pub(super) fn guard(&mut self, edit: Edit, kind: GuardKind, guard: &ast::Guard) {
        let path = &guard.target;
        let Some(found) = self.seek(edit, path, Act::Guard) else {
            return;
        };
        if !self.guards_fit(kind, path, &found) || !self.formals_fit(&found, &guard.formals, path) {
            return;
        }
        if !self.may(edit, &found.place, Act::Guard, path.span) {
            return;
        }
        let Some(head) = found.place.first().cloned() else {
            return;
        };
        let place = [head, guard.label.text.clone()];
        if !self.brings(edit, &place, guard.label.span) {
            return;
        }
        self.touch(edit, &found.place, Act::Guard, path.span);
        let span = self
            .edits
            .get(edit)
            .map_or(path.span, |(_, item)| item.span);
        let guard = Guard {
            kind,
            path: path_to(&found, path),
            formals: guard.formals.clone(),
            label: guard.label.clone(),
            when: guard.condition.clone(),
            because: guard.because.clone(),
            tail: self.tail(edit),
            origin: self.origin(edit),
            span,
        };
        self.state.guards.push(guard);
    }

    fn guards_fit(&mut self, kind: GuardKind, path: &ast::Path, found: &Found) -> bool {
        let fits = match (kind, &found.target) {
            (GuardKind::Forbid, Target::Item(number)) => self
                .state
                .get(*number)
                .is_some_and(|it| is_forbiddable(&it.item.kind)),
            (GuardKind::Permit, Target::Inside { at, .. }) => at.kind == Kind::Clause,
            (GuardKind::Permit, Target::Guard(number)) => {
                let guard = self.state.guards.get(*number);
                guard.is_some_and(|guard| guard.kind == GuardKind::Forbid)
            }
            _ => false,
        };
        if !fits {
            let (wanted, help) = match kind {
                GuardKind::Forbid => ("an action or an event", self.help_to_forbid(found)),
                GuardKind::Permit => (
                    "a clause of an action",
                    "`permit` names one clause, `ACTION.CLAUSE`, that need not hold then, or a `forbid` by its label"
                        .to_owned(),
                ),
            };
            self.unfit(path, found, wanted, &help);
        }
        fits
    }

    /// Says what can be forbidden of what an item offers and makes happen.
    fn help_to_forbid(&self, found: &Found) -> String {
        let help = "`forbid` names what may not be done or may not happen";
        let (Target::Item(number) | Target::Inside { item: number, .. }) = &found.target else {
            return help.to_owned();
        };
        let mut called = Called::default();
        if let Some(composite) = self.state.get(*number) {
            Walk::new(&mut called).item(&mut ast::Item::clone(&composite.item));
        }
        let mut names = called.names.into_iter().filter(|name| {
            let number = self.state.number(name);
            let item = number.and_then(|number| self.state.get(number));
            item.is_some_and(|it| is_forbiddable(&it.item.kind))
        });
        let told: Vec<String> = names.by_ref().take(MOST_TOLD).collect();
        match told.as_slice() {
            [] => help.to_owned(),
            told => {
                let more = if names.next().is_some() { ", …" } else { "" };
                format!("{help}; in it there are `{}`{more}", told.join("`, `"))
            }
        }
    }

    /// Checks that as many parameters are named as there are, or none.
    pub(super) fn formals_fit(
        &mut self,
        found: &Found,
        formals: &[ast::Name],
        path: &ast::Path,
    ) -> bool {
        let number = found.place.first().and_then(|head| self.state.number(head));
        let item = number.and_then(|number| self.state.get(number));
        let Some(params) = item.and_then(|it| params_of(&it.item.kind)) else {
            return true;
        };
        if formals.is_empty() || formals.len() == params.len() {
            return true;
        }
        let head = found.place.first().map_or("", String::as_str);
        let have = match params.len() {
            0 => String::from("no parameters"),
            1 => String::from("one parameter"),
            count => format!("{count} parameters"),
        };
        let named = match formals.len() {
            1 => String::from("one is named"),
            count => format!("{count} are named"),
        };
        let message = format!("`{head}` has {have}, but {named} here");
        let help = format!(
            "write `{path}({})`, with names of your own if you like",
            params.join(", ")
        );
        let mut spans = formals.iter().map(|name| name.span);
        let first = spans.next().unwrap_or(path.span);
        let span = spans.next_back().map_or(first, |last| first.to(last));
        self.diagnostics
            .push(Diagnostic::at(codes::WRONG_FORMALS, span, message).help(help));
        false
    }
}

/// What is called somewhere, in order of the names.
#[derive(Default)]
struct Called {
    names: BTreeSet<String>,
}

impl Visitor for Called {
    fn free(&mut self, name: &mut ast::Name, used_as: Use, _: &Scope) {
        if used_as == Use::Call {
            self.names.insert(name.text.clone());
        }
    }
}

fn is_forbiddable(kind: &ItemKind) -> bool {
    matches!(kind, ItemKind::Action(_) | ItemKind::Event(_))
}

/// Returns the path of what was found; a guard found by its label alone gets the rest.
fn path_to(found: &Found, written: &ast::Path) -> ast::Path {
    let name = |text: &String| ast::Name {
        text: text.clone(),
        span: written.span,
    };
    match &found.target {
        Target::Guard(_) => ast::Path {
            segments: found.place.iter().map(name).collect(),
            span: written.span,
        },
        Target::Item(_) | Target::Inside { .. } => written.clone(),
    }
}

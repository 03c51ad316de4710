//! `replace item`, `replace PATH = E`, `replace PATH { … }`.
//!
//! A replacement could carry a fingerprint of what it replaces, so that a base that changed since is
//! noticed; until then the version in the header is all that is checked.

use std::sync::Arc;

use self::body::put_case;
use super::Work;
use super::base::{New, Old, with_one_base};
use crate::compose::Composite;
use crate::compose::address::{Kind, Place, change};
use crate::compose::conflict::{Act, Edit, written};
use crate::compose::state::{Found, Target, key_of, params_of};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

mod body;
mod signature;

impl Work<'_> {
    pub(super) fn replace(&mut self, edit: Edit, replace: &ast::Replace) {
        match replace {
            ast::Replace::Item(item) => match &item.kind {
                ItemKind::Edit(_)
                | ItemKind::Hide(_)
                | ItemKind::History(_)
                | ItemKind::Aside(_)
                | ItemKind::Sentences(_)
                | ItemKind::Relation(_)
                | ItemKind::Resolve(_) => {
                    self.not_replaceable(item);
                }
                _ => self.replace_item(edit, item),
            },
            ast::Replace::Value {
                path,
                value,
                message,
            } => self.replace_value(edit, path, value, message.as_ref()),
            ast::Replace::Body { path, body } => self.replace_body(edit, path, body),
        }
    }

    fn not_replaceable(&mut self, item: &ast::Item) {
        let word = item.kind.word();
        let message = format!("`{word}` has no name by which it could be replaced");
        let diagnostic = Diagnostic::at(codes::MISPLACED_ITEM, item.span, message)
            .help("write it without `replace`");
        self.diagnostics.push(diagnostic);
    }

    fn replace_item(&mut self, edit: Edit, new: &ast::Item) {
        let span = new.kind.name().map_or(new.span, |name| name.span);
        let Some(number) = self.number_of(&new.kind) else {
            return self.replaces_nothing(edit, new, span);
        };
        let place = vec![key_of(&new.kind).unwrap_or_else(|| format!("supply {number}"))];
        let path = path_of(&place, span);
        if !self.may_name(edit, &path, &place) || !self.may(edit, &place, Act::Replace, span) {
            return;
        }
        self.finish_growth_of(number);
        let Some(old) = self.state.get(number).cloned() else {
            return;
        };
        if let Some(differs) = signature::difference(&old.item.kind, &new.kind) {
            return self.other_signature(&old.item, span, &differs);
        }
        let mut item = new.clone();
        let Some(uses_base) = self.put_base_in_item(edit, &old.item.kind, &mut item.kind) else {
            return;
        };
        let outer = self.tail(edit);
        super::merge(&mut item.tail, &self.own_tail(edit));
        if item.tail.cites.is_empty() {
            item.tail.cites = outer.cites;
        }
        item.tail.status = item.tail.status.or(outer.status);
        if item.docs.is_empty() {
            // They stand before the word `replace`.
            let outer = self.edits.get(edit).map(|it| it.1.docs.clone());
            item.docs = outer.unwrap_or_default();
        }
        if item.docs.is_empty() {
            item.docs.clone_from(&old.item.docs);
        }
        self.put_item(edit, number, item, uses_base.then_some(old));
        self.inserted.replaced(&place);
        self.touch(edit, &place, Act::Replace, span);
    }

    /// Returns the number of the item that an item of this name and kind would replace.
    fn number_of(&self, kind: &ItemKind) -> Option<usize> {
        let ItemKind::Supply(supply) = kind else {
            return key_of(kind).and_then(|key| self.state.number(&key));
        };
        let mut same = (0..self.state.items.len()).filter(|number| {
            self.state.get(*number).is_some_and(|it| {
                matches!(&it.item.kind, ItemKind::Supply(old) if old.component == supply.component)
            })
        });
        match (same.next(), same.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    }

    fn replaces_nothing(&mut self, edit: Edit, new: &ast::Item, span: Span) {
        let key = key_of(&new.kind);
        let overridden = self.dropped.iter().any(|dropped| {
            let item = self.edits.get(*dropped).map(|(_, item)| item);
            key.is_some() && item.and_then(|item| key_of(&item.kind)) == key
        });
        if overridden {
            // The amendments that bring it disagree; what the resolution says holds.
            return self.addition(edit, &Arc::new(new.clone()));
        }
        if let Some(name) = new.kind.name() {
            let path = path_of(std::slice::from_ref(&name.text), span);
            self.missed(edit, &path, Act::Replace, None);
            return;
        }
        let word = new.kind.word();
        let message = format!("there is not exactly one such `{word}` to replace");
        self.diagnostics
            .push(Diagnostic::at(codes::UNKNOWN_TARGET, span, message));
    }

    fn other_signature(&mut self, old: &ast::Item, span: Span, differs: &str) {
        let old_span = old.kind.name().map_or(old.span, |name| name.span);
        let diagnostic = Diagnostic::new(codes::CHANGED_SIGNATURE, differs)
            .label(span, "the new one")
            .label(old_span, "the old one")
            .help("keep what others rely on, or add a new item with a name of its own");
        self.diagnostics.push(diagnostic);
    }

    /// Puts a new item in the place of the old one, which lives on if it is still used.
    fn put_item(&mut self, edit: Edit, number: usize, item: ast::Item, old: Option<Composite>) {
        if let Some(mut old) = old {
            let name = self.old_name(edit, &old.item.kind);
            rename(&mut Arc::make_mut(&mut old.item).kind, name);
            self.state.add_hidden(old, number);
        }
        let (origin, home) = (self.origin(edit), self.home(edit));
        if let Some(composite) = self.state.get_mut(number) {
            let item = Arc::new(item);
            *composite = Composite { item, origin, home };
        }
    }

    /// Returns the name that an old body lives on under.
    fn old_name(&self, edit: Edit, old: &ItemKind) -> String {
        let name = old.name().map_or("", |name| name.as_str());
        format!("{name}@{}", self.name(edit).replace(' ', ""))
    }

    fn named(&self, edit: Edit, old: &ItemKind) -> Old<'static> {
        Old::Named {
            name: self.old_name(edit, old),
            params: params_of(old).map_or(0, |params| params.len()),
            is_value: matches!(old, ItemKind::Define(_)),
        }
    }

    /// Puts the old item's bodies where the new one says `base`; returns whether the old item is
    /// still used as a whole, and nothing if `base` stands where it cannot.
    fn put_base_in_item(&mut self, edit: Edit, old: &ItemKind, new: &mut ItemKind) -> Option<bool> {
        let named = self.named(edit, old);
        let whole = old;
        match (old, new) {
            (ItemKind::Define(_), ItemKind::Define(new)) => {
                self.put_base(&named, New::Value(&mut new.value))
            }
            (old, ItemKind::Event(ast::Event { body, .. }))
            | (old, ItemKind::Flow(ast::Flow { body, .. }))
            | (old, ItemKind::Ending(ast::Ending { body, .. })) => {
                self.put_base_in_body(edit, old, body)
            }
            (ItemKind::Invariant(old), ItemKind::Invariant(new)) => {
                let old = Old::Value(&old.condition);
                self.put_base(&old, New::Value(&mut new.condition))?;
                Some(false)
            }
            (ItemKind::Measure(old), ItemKind::Measure(new)) => {
                let old = Old::Value(&old.value);
                self.put_base(&old, New::Value(&mut new.value))?;
                Some(false)
            }
            (ItemKind::Action(old), ItemKind::Action(new)) => {
                for require in &mut new.requires {
                    let mut old = old.requires.iter();
                    let old = old.find(|it| it.label.text == require.label.text);
                    let old = old.map_or(Old::Nothing, |it| Old::Value(&it.condition));
                    self.put_base(&old, New::Value(&mut require.condition))?;
                }
                match &mut new.body {
                    Some(body) => self.put_base_in_body(edit, whole, body),
                    None => Some(false),
                }
            }
            _ => Some(false),
        }
    }

    /// Puts the old body of an item where a block says `base`; returns whether the old item is still
    /// used as a whole.
    fn put_base_in_body(
        &mut self,
        edit: Edit,
        old: &ItemKind,
        body: &mut ast::Block,
    ) -> Option<bool> {
        let params = params_of(old).unwrap_or_default();
        let written_out = match old {
            ItemKind::Event(ast::Event { body: old, .. })
            | ItemKind::Flow(ast::Flow { body: old, .. }) => {
                with_one_base(body, old, &params).map(|body| (old, body))
            }
            ItemKind::Ending(it) => Some((&it.body, body.clone())),
            ItemKind::Action(ast::Action {
                body: Some(old), ..
            }) => Some((old, body.clone())),
            _ => None,
        };
        let base = match (written_out, old) {
            (Some((old, without_arguments)), _) => {
                *body = without_arguments;
                Old::Body(old)
            }
            (None, ItemKind::Action(_)) => Old::Nothing,
            (None, _) => self.named(edit, old),
        };
        let used = self.put_base(&base, New::Body(body))?;
        Some(used && matches!(base, Old::Named { .. }))
    }

    fn replace_value(
        &mut self,
        edit: Edit,
        path: &ast::Path,
        value: &ast::Expr,
        message: Option<&ast::Template>,
    ) {
        let Some(found) = self.seek(edit, path, Act::Replace) else {
            return;
        };
        if !self.value_fits(path, &found, message)
            || !self.may(edit, &found.place, Act::Replace, path.span)
        {
            return;
        }
        let mut value = value.clone();
        let done = match &found.target {
            Target::Item(number) => self.replace_value_of_item(edit, *number, value),
            Target::Inside { item, at } => {
                let old = self.state.item(*item).and_then(|it| {
                    change(it, at, |place| match place {
                        Place::Clause(list, at) => list.get(at).map(|it| it.condition.clone()),
                        Place::Alternative(list, at) => list.get(at)?.condition.clone(),
                        Place::Track(list, at) => start_of(list.get_mut(at)?)?.clone(),
                        Place::ValueCase(list, at, _) => list.get(at).map(|it| it.body.clone()),
                        _ => None,
                    })
                });
                let old = old.flatten();
                let base = old.as_ref().map_or(Old::Nothing, Old::Value);
                if self.put_base(&base, New::Value(&mut value)).is_none() {
                    return;
                }
                let tail = self.tail(edit);
                if let Some(it) = self.state.item(*item) {
                    change(it, at, |place| put_value(place, value, message, tail));
                }
                self.note(edit, *item);
                true
            }
            Target::Guard(number) => {
                let old = self.state.guards.get(*number).cloned();
                let base = old.as_ref().map_or(Old::Nothing, |it| Old::Value(&it.when));
                if self.put_base(&base, New::Value(&mut value)).is_none() {
                    return;
                }
                let (tail, origin) = (self.tail(edit), self.origin(edit));
                if let Some(guard) = self.state.guards.get_mut(*number) {
                    guard.when = value;
                    guard.because = message.cloned();
                    guard.tail = tail;
                    guard.origin = origin;
                    guard.span = path.span;
                }
                true
            }
        };
        if done {
            if let Some(title) = self.origin(edit) {
                let address = written(&found.place);
                self.replaced.insert(address, (title, path.span));
            }
            self.touch(edit, &found.place, Act::Replace, path.span);
        }
    }

    fn value_fits(
        &mut self,
        path: &ast::Path,
        found: &Found,
        message: Option<&ast::Template>,
    ) -> bool {
        let (fits, has_message) = match &found.target {
            Target::Item(number) => {
                let kind = self.state.get(*number).map(|it| &it.item.kind);
                let fits = matches!(
                    kind,
                    Some(ItemKind::Define(_) | ItemKind::Invariant(_) | ItemKind::Measure(_))
                );
                (fits, false)
            }
            Target::Inside { at, .. } => match at.kind {
                Kind::Clause => (true, true),
                Kind::Row | Kind::Track | Kind::Alternative | Kind::ValueCase => (true, false),
                _ => (false, false),
            },
            Target::Guard(_) => (true, true),
        };
        if !fits {
            let help = "`replace PATH = …` is for a definition, a clause, a guard, a row, an alternative, a case of a definition or a track of a block; write `replace` and the whole item, `replace PATH { … }` or `set`";
            self.unfit(path, found, "something with a value", help);
        } else if let Some(message) = message.filter(|_| !has_message) {
            let text = format!("`{path}` refuses nothing, so it has no `else`");
            let diagnostic = Diagnostic::at(codes::WRONG_TARGET, message.span, text);
            self.diagnostics
                .push(diagnostic.help("leave the `else` out"));
            return false;
        }
        fits
    }

    fn replace_value_of_item(&mut self, edit: Edit, number: usize, mut value: ast::Expr) -> bool {
        self.finish_growth_of(number);
        let Some(old) = self.state.get(number).cloned() else {
            return false;
        };
        let base = match &old.item.kind {
            ItemKind::Invariant(it) => Old::Value(&it.condition),
            ItemKind::Measure(it) => Old::Value(&it.value),
            kind => self.named(edit, kind),
        };
        let Some(used) = self.put_base(&base, New::Value(&mut value)) else {
            return false;
        };
        let mut item = ast::Item::clone(&old.item);
        let lives_on = match &mut item.kind {
            ItemKind::Define(it) => {
                it.value = value;
                used
            }
            ItemKind::Invariant(it) => {
                it.condition = value;
                false
            }
            ItemKind::Measure(it) => {
                it.value = value;
                false
            }
            _ => false,
        };
        item.tail = self.tail(edit);
        self.put_item(edit, number, item, lives_on.then_some(old));
        true
    }
}

fn path_of(place: &[String], span: Span) -> ast::Path {
    let name = |text: &String| ast::Name {
        text: text.clone(),
        span,
    };
    ast::Path {
        segments: place.iter().map(name).collect(),
        span,
    }
}

/// Gives the old body of a definition, event or flow the name it lives on under.
fn rename(kind: &mut ItemKind, name: String) {
    match kind {
        ItemKind::Define(it) => it.name.text = name,
        ItemKind::Event(it) => it.name.text = name,
        ItemKind::Flow(it) => it.name.text = name,
        _ => {}
    }
}

fn put_value(place: Place<'_>, value: ast::Expr, message: Option<&ast::Template>, tail: ast::Tail) {
    match place {
        Place::Clause(list, at) => {
            if let Some(clause) = list.get_mut(at) {
                clause.condition = value;
                clause.message = message.cloned();
                clause.tail = tail;
            }
        }
        Place::Alternative(list, at) => {
            if let Some(alternative) = list.get_mut(at) {
                alternative.condition = Some(value);
            }
        }
        Place::ValueCase(list, at, name) => put_case(list, at, &name, value),
        Place::Track(list, at) => {
            if let Some(start) = list.get_mut(at).and_then(start_of) {
                *start = Some(value);
            }
        }
        Place::Row(list, at) => {
            if let Some(row) = list.get_mut(at) {
                row.cells = vec![ast::Cell { field: None, value }];
                row.tail = tail;
            }
        }
        _ => {}
    }
}

/// The first value of a track that lives in a block.
fn start_of(statement: &mut ast::Statement) -> Option<&mut Option<ast::Expr>> {
    match &mut statement.kind {
        ast::StatementKind::Track { decl, .. } => Some(&mut decl.start),
        _ => None,
    }
}

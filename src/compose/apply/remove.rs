//! `remove PATH`.
//!
//! A removal could carry a fingerprint of what it removes, so that a base that changed since is
//! noticed; until then the version in the header is all that is checked.

use std::sync::Arc;

use super::Work;
use crate::compose::address::{Kind, Place, change};
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{Target, guard_place};
use crate::compose::walk::{Scope, Use, Visitor, Walk};
use crate::syntax::ast::{self, ItemKind};

impl Work<'_> {
    pub(super) fn remove(&mut self, edit: Edit, path: &ast::Path) {
        let Some(found) = self.seek(edit, path, Act::Remove) else {
            return;
        };
        if let Target::Inside { at, .. } = &found.target
            && at.kind == Kind::Turn
        {
            let help = "remove a step or a choice in it";
            return self.unfit(path, &found, "something that can be left out", help);
        }
        if !self.may(edit, &found.place, Act::Remove, path.span) {
            return;
        }
        let along = self.along_with(&found, None);
        let mut may = along
            .iter()
            .map(|it| self.may(edit, it, Act::Remove, path.span));
        if !may.all(|it| it) {
            return;
        }
        let by = (self.name(edit).to_owned(), path.span);
        self.state.removed.insert(found.place.join("."), by);
        match &found.target {
            Target::Item(number) => {
                let kind = self.state.get(*number).map(|it| &it.item.kind);
                if let Some(ItemKind::Action(action)) = kind {
                    let name = action.name.text.clone();
                    let offers = self.state.offers_of(&name);
                    self.offer_no_more(&name);
                    let left = self.state.offers_of(&name);
                    for place in offers.difference(&left) {
                        if self.may(edit, place, Act::Remove, path.span) {
                            self.touch(edit, place, Act::Remove, path.span);
                        }
                    }
                }
                self.grown.remove(number);
                self.state.remove(*number);
            }
            Target::Inside { item, at } => {
                if at.kind == Kind::Step {
                    self.inserted.removed(&found.place);
                }
                if matches!(at.kind, Kind::Reading | Kind::Value) {
                    self.removed_values.insert(found.place.clone());
                }
                if let Some(it) = self.state.item(*item) {
                    change(it, at, take_out);
                }
                if let (Kind::Clause, Some(head), [label]) =
                    (at.kind, found.place.first(), at.path.as_slice())
                {
                    self.state.remove_guards_of(head, label);
                }
                self.changed(edit, *item);
            }
            Target::Guard(number) => {
                if let Some(guard) = self.state.guards.get(*number).cloned() {
                    self.state.guards.remove(*number);
                    if let [head, label] = guard_place(&guard).as_slice() {
                        self.state.remove_guards_of(head, label);
                    }
                }
            }
        }
        self.touch(edit, &found.place, Act::Remove, path.span);
        for place in along {
            self.touch(edit, &place, Act::Remove, path.span);
        }
    }
}

impl Work<'_> {
    /// Takes an action from the choices that offer something else too; where it is all that is offered,
    /// the checker says what is missing.
    fn offer_no_more(&mut self, action: &str) {
        for composite in self.state.items.iter_mut().flatten() {
            let mut offers = Offers { action };
            let item = Arc::make_mut(&mut composite.item);
            if let ItemKind::Action(it) = &mut item.kind {
                offers.leave_out(&mut it.alternatives);
            }
            Walk::new(&mut offers).item(item);
        }
    }
}

struct Offers<'a> {
    action: &'a str,
}

impl Offers<'_> {
    fn leave_out(&self, alternatives: &mut Vec<ast::Alternative>) {
        let is_it = |it: &ast::Alternative| it.text.is_none() && it.name.text == self.action;
        if alternatives.iter().any(|it| !is_it(it)) {
            alternatives.retain(|it| !is_it(it));
        }
    }
}

impl Visitor for Offers<'_> {
    fn free(&mut self, _: &mut ast::Name, _: Use, _: &Scope) {}

    fn expr(&mut self, expr: &mut ast::Expr, _: ast::Role, _: &Scope) -> bool {
        if let ast::ExprKind::Can { alternatives, .. } = &mut expr.kind {
            self.leave_out(alternatives);
        }
        false
    }

    fn statement(&mut self, statement: &mut ast::Statement, _: &Scope) -> bool {
        match &mut statement.kind {
            ast::StatementKind::Choose(ast::Choose {
                among: ast::Among::Alternatives(alternatives),
                ..
            }) => self.leave_out(alternatives),
            ast::StatementKind::Window { slots, .. } => {
                for slot in slots.iter_mut() {
                    self.leave_out(&mut slot.alternatives);
                }
                let only = |it: &ast::Slot| match it.alternatives.as_slice() {
                    [one] => one.text.is_none() && one.name.text == self.action,
                    _ => false,
                };
                if slots.iter().any(|it| !only(it)) {
                    slots.retain(|it| !only(it));
                }
            }
            _ => {}
        }
        false
    }
}

fn take_out(place: Place<'_>) {
    match place {
        Place::Clause(list, at) => take(list, at),
        Place::Step(list, at) | Place::Track(list, at) => take(list, at),
        Place::Slot(list, at) => take(list, at),
        Place::Alternative(list, at) => take(list, at),
        Place::Reading(list, at) => take(list, at),
        Place::Value(list, at) => take(list, at),
        Place::Field(list, at) => take(list, at),
        Place::Row(list, at) => take(list, at),
        // An edit cannot name these.
        Place::Window(..) | Place::Choice(..) | Place::Turn(..) | Place::Cases(..) => {}
        Place::Case(list, at, name) => take_name(list, at, &name),
        Place::ValueCase(list, at, name) => take_name(list, at, &name),
    }
}

/// Takes a name from before a case, and the case with its last one.
pub(super) fn take_name<T>(list: &mut Vec<ast::Arm<T>>, at: usize, name: &str) {
    if let Some(ast::Arm {
        head: ast::ArmHead::Names(names),
        ..
    }) = list.get_mut(at)
        && names.len() > 1
    {
        names.retain(|it| it.text != name);
    } else {
        take(list, at);
    }
}

fn take<T>(list: &mut Vec<T>, at: usize) {
    if at < list.len() {
        list.remove(at);
    }
}

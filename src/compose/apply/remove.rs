//! `remove PATH`.
//!
//! A removal could carry a fingerprint of what it removes, so that a base that changed since is
//! noticed; until then the version in the header is all that is checked.

use super::Work;
use crate::compose::address::{Kind, Place, change};
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{Target, guard_place};
use crate::syntax::ast;

impl Work<'_> {
    pub(super) fn remove(&mut self, edit: Edit, path: &ast::Path) {
        let Some(found) = self.seek(edit, path, Act::Remove) else {
            return;
        };
        if !self.may(edit, &found.place, Act::Remove, path.span) {
            return;
        }
        match &found.target {
            Target::Item(number) => {
                self.grown.remove(number);
                self.state.remove(*number);
                if let [name] = found.place.as_slice() {
                    let by = (self.name(edit).to_owned(), path.span);
                    self.state.removed.insert(name.clone(), by);
                }
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
    }
}

fn take_out(place: Place<'_>) {
    match place {
        Place::Clause(list, at) => take(list, at),
        Place::Step(list, at) => take(list, at),
        Place::Slot(list, at) => take(list, at),
        Place::Alternative(list, at) => take(list, at),
        Place::Reading(list, at) => take(list, at),
        Place::Value(list, at) => take(list, at),
        Place::Field(list, at) => take(list, at),
        Place::Row(list, at) => take(list, at),
        // An edit cannot name these.
        Place::Window(..) | Place::Choice(..) => {}
    }
}

fn take<T>(list: &mut Vec<T>, at: usize) {
    if at < list.len() {
        list.remove(at);
    }
}

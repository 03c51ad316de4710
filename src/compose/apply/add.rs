//! `add values|fields|rows|choice to PATH …`.

use std::collections::HashMap;

use super::Work;
use crate::compose::address::{self, Kind, change, key_text};
use crate::compose::canon;
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{Found, Place, Target};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

impl Work<'_> {
    pub(super) fn add(&mut self, edit: Edit, add: &ast::Add) {
        match add {
            ast::Add::Values { to, values } => {
                let wanted = ("an enum", "`add values` is for an enum");
                let new = values
                    .iter()
                    .map(|it| (vec![it.name.text.clone()], it.name.span));
                self.add_to_item(edit, to, wanted, new.collect(), |kind| match kind {
                    ItemKind::Enum(it) => Some(Grows::Values(&mut it.values, values)),
                    _ => None,
                });
            }
            ast::Add::Fields { to, fields } => {
                let wanted = (
                    "a record, a component or a zone",
                    "`add fields` is for a record, a component, or the places of a zone",
                );
                let new = fields
                    .iter()
                    .map(|it| (vec![it.name.text.clone()], it.name.span));
                self.add_to_item(edit, to, wanted, new.collect(), |kind| {
                    let old = match kind {
                        ItemKind::Record(it) => &mut it.fields,
                        ItemKind::Component(it) => &mut it.fields,
                        ItemKind::Zone(it) => &mut it.fields,
                        _ => return None,
                    };
                    Some(Grows::Fields(old, fields))
                });
            }
            ast::Add::Rows { to, rows } => {
                let wanted = ("a table", "`add rows` is for a table");
                let new = rows.iter().map(|row| {
                    let keys = row.keys.iter().map(key_text);
                    (keys.collect(), row.span)
                });
                self.add_to_item(edit, to, wanted, new.collect(), |kind| match kind {
                    ItemKind::Table(it) => Some(Grows::Rows(&mut it.rows, rows)),
                    _ => None,
                });
            }
            ast::Add::Readings { to, readings } => {
                let wanted = (
                    "a question",
                    "`add readings` is for a question, which has some already",
                );
                let new = readings
                    .iter()
                    .map(|it| (vec![it.name.text.clone()], it.name.span));
                self.add_to_item(edit, to, wanted, new.collect(), |kind| match kind {
                    ItemKind::Setting(ast::Setting {
                        values: ast::SettingValues::Readings(old),
                        ..
                    }) => Some(Grows::Readings(old, readings)),
                    _ => None,
                });
            }
            ast::Add::Slots { to, slots } => self.add_slots(edit, to, slots),
            ast::Add::Alternatives { to, alternatives } => {
                self.add_alternatives(edit, to, alternatives);
            }
        }
    }

    fn add_to_item<'n>(
        &mut self,
        edit: Edit,
        to: &ast::Path,
        wanted: (&str, &str),
        new: Vec<(Place, Span)>,
        grows: impl for<'k> Fn(&'k mut ItemKind) -> Option<Grows<'k, 'n>>,
    ) {
        let Some(found) = self.seek(edit, to, Act::Grow) else {
            return;
        };
        let number = match &found.target {
            Target::Item(number) => Some(*number),
            Target::Inside { .. } | Target::Guard(_) => None,
        };
        let item = number.and_then(|number| self.state.item(number));
        let (Some(number), true) = (number, item.is_some_and(|it| grows(&mut it.kind).is_some()))
        else {
            return self.unfit(to, &found, wanted.0, wanted.1);
        };
        if !self.may_grow(edit, &found, to, &new) {
            return;
        }
        if let Some(grows) = self.state.item(number).and_then(|it| grows(&mut it.kind)) {
            grows.grow();
        }
        self.changed(edit, number);
    }

    /// Notes that something grows by new names, if it may.
    fn may_grow(
        &mut self,
        edit: Edit,
        found: &Found,
        path: &ast::Path,
        new: &[(Place, Span)],
    ) -> bool {
        if !self.may(edit, &found.place, Act::Grow, path.span) {
            return false;
        }
        let inside = self.taken_inside(found, new);
        for (label, span) in new {
            let place: Place = found.place.iter().chain(label).cloned().collect();
            let old = inside.get(label).copied();
            if !self.brings_beside(edit, &place, *span, old) {
                return false;
            }
        }
        self.touch(edit, &found.place, Act::Grow, path.span);
        true
    }

    /// Returns which labels are taken in what grows; those of other choices with the same address do
    /// not count.
    fn taken_inside(&mut self, found: &Found, new: &[(Place, Span)]) -> HashMap<Place, Span> {
        match &found.target {
            Target::Item(number) => {
                let labels = new.iter().map(|(label, _)| label.clone()).collect();
                self.state.taken(*number, &[], &labels)
            }
            Target::Inside { item, at } => {
                let item = self.state.item(*item);
                let labels = item.and_then(|item| change(item, at, labels_of));
                labels.unwrap_or_default()
            }
            Target::Guard(_) => HashMap::new(),
        }
    }

    fn add_slots(&mut self, edit: Edit, to: &ast::Path, slots: &[ast::Slot]) {
        let Some(found) = self.seek_container(edit, to, Kind::Window) else {
            return;
        };
        let new = slots
            .iter()
            .map(|slot| (vec![slot.name.text.clone()], slot.name.span));
        let new: Vec<_> = new.collect();
        if !self.may_grow(edit, &found, to, &new) {
            return;
        }
        let Target::Inside { item, at } = &found.target else {
            return;
        };
        if !self.shallow(to.span, at.nesting, canon::depth(slots)) {
            return;
        }
        let tail = self.tail(edit);
        let cited = slots.iter().map(|slot| {
            let mut slot = slot.clone();
            if slot.tail.is_empty() {
                slot.tail.clone_from(&tail);
            }
            slot
        });
        if let Some(it) = self.state.item(*item) {
            change(it, at, |place| {
                if let address::Place::Window(list, _) = place {
                    list.extend(cited);
                }
            });
        }
        self.note(edit, *item);
    }

    fn add_alternatives(&mut self, edit: Edit, to: &ast::Path, alternatives: &[ast::Alternative]) {
        let Some(found) = self.seek_container(edit, to, Kind::Choice) else {
            return;
        };
        let new = alternatives
            .iter()
            .map(|it| (vec![it.name.text.clone()], it.name.span));
        let new: Vec<_> = new.collect();
        if !self.may_grow(edit, &found, to, &new) {
            return;
        }
        let Target::Inside { item, at } = &found.target else {
            return;
        };
        if !self.shallow(to.span, at.nesting, canon::depth(alternatives)) {
            return;
        }
        if let Some(it) = self.state.item(*item) {
            change(it, at, |place| {
                if let address::Place::Choice(list, _) = place {
                    list.extend(alternatives.iter().cloned());
                }
            });
        }
        self.changed(edit, *item);
    }
}

/// A list and what is added to it.
enum Grows<'k, 'n> {
    Values(&'k mut Vec<ast::EnumValue>, &'n [ast::EnumValue]),
    Fields(&'k mut Vec<ast::FieldDecl>, &'n [ast::FieldDecl]),
    Rows(&'k mut Vec<ast::Row>, &'n [ast::Row]),
    Readings(&'k mut Vec<ast::Reading>, &'n [ast::Reading]),
}

impl Grows<'_, '_> {
    fn grow(self) {
        match self {
            Grows::Values(old, new) => old.extend_from_slice(new),
            Grows::Fields(old, new) => old.extend_from_slice(new),
            Grows::Rows(old, new) => old.extend_from_slice(new),
            Grows::Readings(old, new) => old.extend_from_slice(new),
        }
    }
}

fn labels_of(place: address::Place<'_>) -> HashMap<Place, Span> {
    let label = |name: &ast::Name| (vec![name.text.clone()], name.span);
    match place {
        address::Place::Window(slots, _) => slots.iter().map(|it| label(&it.name)).collect(),
        address::Place::Choice(list, _) => list.iter().map(|it| label(&it.name)).collect(),
        _ => HashMap::new(),
    }
}

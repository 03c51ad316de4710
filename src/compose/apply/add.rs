//! `add values|fields|rows|choice to PATH …`.

use rustc_hash::FxHashMap as HashMap;

use super::Work;
use crate::compose::address::{self, Kind, change, key_text};
use crate::compose::canon;
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{Found, Place, Target, held_by};
use crate::diagnostic::{Diagnostic, codes};
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
            ast::Add::Cases { to, done, values } => self.add_cases(edit, to, done, values),
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
        let mut grows = found.place.clone();
        if let Target::Inside { at, .. } = &found.target {
            grows.extend(held_by(at.kind));
        }
        if !self.may(edit, &grows, Act::Grow, path.span) {
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
        self.touch(edit, &grows, Act::Grow, path.span);
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
            Target::Guard(_) => HashMap::default(),
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

impl Work<'_> {
    fn add_cases(
        &mut self,
        edit: Edit,
        to: &ast::Path,
        done: &[ast::Arm<ast::Block>],
        values: &[ast::Arm<ast::Expr>],
    ) {
        let Some(found) = self.seek_container(edit, to, Kind::Cases) else {
            return;
        };
        let heads = done.iter().map(|it| (&it.head, it.span));
        let heads: Vec<_> = heads
            .chain(values.iter().map(|it| (&it.head, it.span)))
            .collect();
        let mut new = Vec::new();
        for (head, span) in heads {
            match head {
                ast::ArmHead::Names(names) => {
                    new.extend(names.iter().map(|it| (vec![it.text.clone()], it.span)));
                }
                ast::ArmHead::Numbers(numbers) => {
                    let text =
                        |it: &ast::NumberHead| format!("{}..{}", it.bounds().0, it.bounds().1);
                    new.extend(numbers.iter().map(|it| (vec![text(it)], it.span())));
                }
                ast::ArmHead::Else => new.push((vec!["else".to_owned()], span)),
            }
        }
        let Target::Inside { item, at } = &found.target else {
            return;
        };
        let depth = canon::depth(done).max(canon::depth(values));
        if !self.shallow(to.span, at.nesting, depth) {
            return;
        }
        let are_done = self.state.item(*item).and_then(|it| {
            change(it, at, |place| {
                matches!(place, address::Place::Cases(address::Cases::Done(_), _))
            })
        });
        let wrong = match are_done {
            Some(true) => values
                .first()
                .map(|it| (it.span, "what is done stands in braces: `king => { … }`")),
            _ => done.first().map(|it| {
                (
                    it.span,
                    "a value stands there; where it is a set, in brackets: `king => ({ … })`",
                )
            }),
        };
        if let Some((span, help)) = wrong {
            let message = format!("this is no case for `{to}`");
            let diagnostic = Diagnostic::at(codes::WRONG_TARGET, span, message);
            self.diagnostics.push(diagnostic.help(help));
            return;
        }
        if !self.may_grow(edit, &found, to, &new) {
            return;
        }
        if let Some(it) = self.state.item(*item) {
            change(it, at, |place| match place {
                address::Place::Cases(address::Cases::Done(list), _) => put_cases(list, done),
                address::Place::Cases(address::Cases::Values(list), _) => put_cases(list, values),
                _ => {}
            });
        }
        self.changed(edit, *item);
    }
}

/// Puts cases behind the others, but before an `else`.
fn put_cases<T: Clone>(list: &mut Vec<ast::Arm<T>>, new: &[ast::Arm<T>]) {
    let otherwise = list
        .iter()
        .position(|it| matches!(it.head, ast::ArmHead::Else));
    let at = otherwise.unwrap_or(list.len());
    list.splice(at..at, new.iter().cloned());
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
        address::Place::Cases(address::Cases::Done(list), _) => heads_of(list),
        address::Place::Cases(address::Cases::Values(list), _) => heads_of(list),
        _ => HashMap::default(),
    }
}

fn heads_of<T>(arms: &[ast::Arm<T>]) -> HashMap<Place, Span> {
    let mut heads = HashMap::default();
    for arm in arms {
        match &arm.head {
            ast::ArmHead::Names(names) => {
                heads.extend(names.iter().map(|it| (vec![it.text.clone()], it.span)));
            }
            ast::ArmHead::Else => {
                heads.insert(vec!["else".to_owned()], arm.span);
            }
            ast::ArmHead::Numbers(_) => {}
        }
    }
    heads
}

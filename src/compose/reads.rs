//! Amendments that use what another one removes or replaces.

use std::collections::{BTreeMap, BTreeSet};

use super::apply::Work;
use super::conflict::{Act, Edit, Side, Touch, Why};
use super::state::Place;
use super::walk::{Scope, Use, Visitor, Walk};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Role, Tree};

/// Something that is gone, or not what it was.
struct Gone {
    place: Place,
    touch: Touch,
    why: Why,
}

/// Notes a conflict for each use of a name that another amendment removes, and for each use of a
/// definition that another one replaces.
pub(super) fn check(work: &mut Work<'_>) {
    let gone = gone(work);
    if gone.is_empty() {
        return;
    }
    for (edit, (_, item)) in work.edits.iter().enumerate() {
        if work.dropped.contains(&edit) {
            continue;
        }
        // Most items need no walk that knows their locals, and no copy for it.
        let mut names = Named {
            gone: &gone,
            any: false,
        };
        item.kind.walk(&mut names, Role::Plain);
        if !names.any {
            continue;
        }
        let mut reads = Reads {
            gone: &gone,
            found: BTreeMap::new(),
        };
        Walk::new(&mut reads).item(&mut ast::Item::clone(item));
        for (name, span) in reads.found {
            for gone in gone.get(&name).into_iter().flatten() {
                note(work, edit, span, gone);
            }
        }
    }
}

fn note(work: &mut Work<'_>, edit: Edit, span: Span, gone: &Gone) {
    if work.related(edit, gone.touch.edit) {
        return;
    }
    // What a reading gives another value has a name so that all that goes with it can use that name.
    if gone.why == Why::ReadOfReplaced && work.reads_on(edit, gone.touch.edit) {
        return;
    }
    let reader = Side {
        edit,
        span,
        does: String::from("uses it"),
    };
    let places = [gone.place.clone(), gone.place.clone()];
    work.clashes(gone.why, places, Side::new(gone.touch), reader);
}

/// Returns what is gone, by the word that it was used by.
fn gone(work: &mut Work<'_>) -> BTreeMap<String, Vec<Gone>> {
    let mut gone: BTreeMap<String, Vec<Gone>> = BTreeMap::new();
    let overrides = work
        .touches
        .overrides()
        .map(|(place, touch)| (place.to_vec(), touch));
    let overrides: Vec<(Place, Touch)> = overrides.collect();
    let mut values = None;
    for (place, touch) in overrides {
        let why = match (touch.act, place.as_slice()) {
            (Act::Remove, [_]) => Why::ReadOfRemoved,
            // A value or a reading is used by its own name; if others have that name too, only the
            // checker can tell which is meant.
            (Act::Remove, [_, label]) if work.removed_values.contains(&place) => {
                let values = values.get_or_insert_with(|| all_values(work));
                if values.contains(label) {
                    continue;
                }
                Why::ReadOfRemoved
            }
            (Act::Replace, [name]) if is_definition(work, name) => Why::ReadOfReplaced,
            _ => continue,
        };
        if let Some(word) = place.last().cloned() {
            gone.entry(word)
                .or_default()
                .push(Gone { place, touch, why });
        }
    }
    gone
}

fn is_definition(work: &Work<'_>, name: &str) -> bool {
    let number = work.state.number(name);
    let item = number.and_then(|number| work.state.get(number));
    item.is_some_and(|it| matches!(it.item.kind, ItemKind::Define(_)))
}

/// Returns the names of all items, values and readings.
fn all_values(work: &Work<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for composite in work.state.items.iter().flatten() {
        let kind = &composite.item.kind;
        names.extend(kind.name().map(|name| name.text.clone()));
        match kind {
            ItemKind::Enum(it) => {
                names.extend(it.values.iter().map(|value| value.name.text.clone()));
            }
            ItemKind::Setting(it) => {
                if let ast::SettingValues::Readings(readings) = &it.values {
                    names.extend(readings.iter().map(|reading| reading.name.text.clone()));
                }
            }
            _ => {}
        }
    }
    names
}

/// Finds out whether a name that is gone occurs at all.
struct Named<'g> {
    gone: &'g BTreeMap<String, Vec<Gone>>,
    any: bool,
}

impl<'t> ast::Visitor<'t> for Named<'_> {
    fn name(&mut self, name: &'t ast::Name, _used_as: Use) {
        self.any |= self.gone.contains_key(&name.text);
    }
}

/// Finds the first use of each name that is gone.
struct Reads<'g> {
    gone: &'g BTreeMap<String, Vec<Gone>>,
    found: BTreeMap<String, Span>,
}

impl Visitor for Reads<'_> {
    fn free(&mut self, name: &mut ast::Name, used_as: Use, _scope: &Scope) {
        let Some(gone) = self.gone.get(&name.text) else {
            return;
        };
        // Items are not used behind a dot.
        let fits = used_as != Use::Field || gone.iter().any(|gone| gone.place.len() > 1);
        if fits {
            self.found.entry(name.text.clone()).or_insert(name.span);
        }
    }
}

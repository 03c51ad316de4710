//! What a `resolve A + B { … }` settles.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet as HashSet;

use super::apply::{Intent, Work};
use super::conflict::{Act, Conflict, Edit, Why};
use super::state::Place;
use super::units::Unit;
use crate::syntax::ast::ItemKind;

/// Returns the edits that a resolution overrides to settle a conflict; none if nothing settles it.
pub(super) fn overridden(work: &Work<'_>, conflict: &Conflict) -> Option<HashSet<Edit>> {
    let [one, other] = &conflict.sides;
    let mut origins: BTreeSet<usize> = BTreeSet::new();
    for side in [one, other] {
        let unit = work.units.units.get(work.unit(side.edit))?;
        if unit.resolves.is_empty() {
            origins.insert(unit.origin);
        } else {
            origins.extend(&unit.resolves);
        }
    }
    let sides = [work.unit(one.edit), work.unit(other.edit)];
    let covers = |number: usize, unit: &Unit<'_>| {
        !unit.resolves.is_empty() && origins.is_subset(&unit.resolves) && !sides.contains(&number)
    };
    if conflict.why == Why::ReadOfReplaced {
        let mut units = work.units.units.iter().enumerate();
        return units
            .any(|(number, unit)| covers(number, unit))
            .then(HashSet::default);
    }
    let intents = work.intents.iter().filter(|intent| {
        let number = work.unit(intent.edit);
        let unit = work.units.units.get(number);
        unit.is_some_and(|unit| covers(number, unit))
    });
    let intents: Vec<&Intent> = intents.collect();
    if conflict.why == Why::ReadOfRemoved {
        return overridden_read(work, conflict, &intents);
    }
    let settles = |intent: &&&Intent| match intent.act {
        Act::Insert(_) => conflict.why == Why::UnorderedInserts && intent.place == conflict.place,
        Act::Extend(_) => {
            conflict.why == Why::DifferentExtensions && intent.place == conflict.place
        }
        act => takes_over(act) && at_or_above(intent, &conflict.place),
    };
    intents
        .iter()
        .find(settles)
        .map(|_| HashSet::from_iter([one.edit, other.edit]))
}

/// One side uses what the other removes: either what is used stays, or the use goes.
fn overridden_read(
    work: &Work<'_>,
    conflict: &Conflict,
    intents: &[&Intent],
) -> Option<HashSet<Edit>> {
    let removes = |edit: Edit| {
        let mut touches = work.touches.at(&conflict.place);
        touches.any(|touch| touch.edit == edit && touch.act == Act::Remove)
    };
    let [one, other] = &conflict.sides;
    let (remover, reader) = if removes(one.edit) {
        (one.edit, other.edit)
    } else {
        (other.edit, one.edit)
    };
    let taken_over = |place: &Place| {
        let mut intents = intents.iter();
        intents.any(|intent| takes_over(intent.act) && at_or_above(intent, place))
    };
    if taken_over(&conflict.place) {
        return Some(HashSet::from_iter([remover]));
    }
    let own = work.touches.of(reader);
    if !own.iter().any(taken_over) {
        return None;
    }
    // A new item stays for the resolution to change.
    let is_edit =
        matches!(work.edits.get(reader), Some((_, item)) if matches!(item.kind, ItemKind::Edit(_)));
    Some(if is_edit {
        HashSet::from_iter([reader])
    } else {
        HashSet::default()
    })
}

fn takes_over(act: Act) -> bool {
    match act {
        Act::Set | Act::Replace | Act::ReplaceBody | Act::Remove | Act::New => true,
        Act::Insert(_) | Act::Extend(_) | Act::Grow | Act::Guard => false,
    }
}

fn at_or_above(intent: &Intent, place: &[String]) -> bool {
    place.starts_with(&intent.place)
}

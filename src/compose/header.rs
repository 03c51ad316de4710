//! The header of a composed rulebook.

use super::conflict::{Conflict, Side, Why, describe};
use super::units::Units;
use super::{Composite, Edited, Touched};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

/// As [`super::Composed::edited`] and [`super::changes`] call what a header says beside its name.
pub(super) const SEATS: &str = "seats of the game";
pub(super) const HISTORY: &str = "history of the game";

/// Returns the header of the base with what the amendments add: their sources, a longer history,
/// other seats; and notes which of them changed it.
pub(super) fn merged(
    units: &Units<'_>,
    edited: &mut Edited,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ast::Header> {
    let mut files: Vec<usize> = Vec::new();
    for unit in &units.units {
        if !files.contains(&unit.file) {
            files.push(unit.file);
        }
    }
    let mut headers = files.iter().filter_map(|file| {
        let header = units.files.get(*file)?.header.as_ref()?;
        Some((*file, header))
    });
    let (base, first) = headers.next()?;
    let mut merged = first.clone();
    let mut sources: Vec<usize> = vec![base; merged.sources.len()];
    let mut seats_from = base;
    for (file, header) in headers {
        add_sources(
            units,
            &mut merged,
            &mut sources,
            (file, header),
            diagnostics,
        );
        let mut note = |what: &str| {
            let by = Some(units.file_name(file).to_owned());
            touch(edited, what, by, header.name.span);
        };
        if let Some(history) = &header.history
            && remember(&mut merged.history, history)
        {
            note(HISTORY);
        }
        if header.seats.is_some() && header.seats != merged.seats {
            if seats_from > 0 && !units.files_ordered(seats_from, file) {
                let old = units
                    .files
                    .get(seats_from)
                    .and_then(|it| it.header.as_ref());
                let old = old.map_or(header.name.span, |old| old.name.span);
                let sides = [(seats_from, old), (file, header.name.span)];
                diagnostics.push(clash(units, Why::SetTwice, "seats", "sets them", sides));
            }
            note(SEATS);
            merged.seats.clone_from(&header.seats);
            seats_from = file;
        }
    }
    Some(merged)
}

fn touch(edited: &mut Edited, what: &str, by: Option<String>, span: Span) {
    let edits = edited.entry(what.to_owned()).or_default();
    edits.push(Touched {
        by,
        span,
        around: false,
    });
}

/// Puts into the header what items say of the history.
pub(super) fn take_histories(
    header: &mut ast::Header,
    items: &mut Vec<Composite>,
    edited: &mut Edited,
) {
    items.retain(|it| match &it.item.kind {
        ItemKind::History(history) => {
            let is_other = remember(&mut header.history, history);
            if is_other && it.origin.is_some() {
                touch(edited, HISTORY, it.origin.clone(), it.item.span);
            }
            false
        }
        _ => true,
    });
}

/// The longer history counts, and what one of them names; whether that is another one than before.
fn remember(history: &mut Option<ast::History>, new: &ast::History) -> bool {
    let Some(old) = history else {
        *history = Some(new.clone());
        return true;
    };
    let before = old.clone();
    if new.most.value > old.most.value {
        old.most = new.most;
    }
    for name in &new.of {
        if !old.of.iter().any(|it| it.text == name.text) {
            old.of.push(name.clone());
        }
    }
    old.of.sort_by(|one, other| one.text.cmp(&other.text));
    *old != before
}

fn add_sources(
    units: &Units<'_>,
    merged: &mut ast::Header,
    from: &mut Vec<usize>,
    (file, header): (usize, &ast::Header),
    diagnostics: &mut Vec<Diagnostic>,
) {
    for source in &header.sources {
        let same = merged
            .sources
            .iter()
            .position(|it| it.name.text == source.name.text);
        let Some((at, old)) = same.and_then(|at| Some((at, merged.sources.get_mut(at)?))) else {
            merged.sources.push(source.clone());
            from.push(file);
            continue;
        };
        if old.title.text == source.title.text {
            let new = source.sentences.iter();
            let new = new.filter(|span| !old.sentences.contains(span)).cloned();
            let new: Vec<_> = new.collect();
            old.sentences.extend(new);
        } else {
            let what = format!("source {}", source.name);
            let other = from.get(at).copied().unwrap_or(0);
            let sides = [(other, old.name.span), (file, source.name.span)];
            diagnostics.push(clash(units, Why::AddedTwice, &what, "adds it", sides));
        }
    }
}

fn clash(
    units: &Units<'_>,
    why: Why,
    what: &str,
    does: &str,
    mut sides: [(usize, Span); 2],
) -> Diagnostic {
    // Files are numbered by name.
    sides.sort_by_key(|(file, _)| *file);
    let names = sides.map(|(file, _)| units.file_name(file));
    let sides = sides.map(|(_, span)| Side {
        edit: 0,
        span,
        does: does.to_owned(),
    });
    let conflict = Conflict {
        why,
        place: vec![what.to_owned()],
        above: vec![what.to_owned()],
        sides,
    };
    describe(&conflict, names)
}

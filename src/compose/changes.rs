//! What two rule sets say differently, address by address.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap as HashMap;

use super::{Composed, Entry, Touched, canon, header};
use crate::source::Span;
use crate::syntax::ast::ItemKind;

/// How something differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Only the second one has it.
    Added,
    /// Only the first one has it.
    Removed,
    /// Both have it, and it means something else.
    Changed,
    /// Both have it, and it means the same in other words or with another citation.
    Worded,
}

/// Something that two rule sets say differently.
#[derive(Clone, Debug)]
pub struct Change {
    /// How.
    pub how: How,
    /// What stands there, in the word of the language.
    pub kind: &'static str,
    /// Its address, or what it is about where it has none.
    pub address: String,
    /// The amendments or readings that brought it or changed it.
    pub origin: Option<String>,
    /// Where it is written, in the texts of the rule set that has it, or else the second one; of what an edit has changed,
    /// where that edit names it.
    pub span: Span,
}

/// Something that counts, by what it is about.
struct Part {
    kind: &'static str,
    origin: Option<String>,
    span: Span,
    form: String,
}

/// Returns what two rule sets say differently, in the order of the second one, and then what it no longer says. What
/// changes no position, no list of moves and nothing that must hold does not count: messages, citations, pictures, rulings.
#[must_use]
pub fn changes(one: &Composed, other: &Composed) -> Vec<Change> {
    let [before, after] = [one, other].map(parts);
    let by_address = |parts: &'_ [(String, Part)]| -> BTreeSet<String> {
        parts.iter().map(|(at, _)| at.clone()).collect()
    };
    let addresses = [by_address(&before), by_address(&after)];
    let known: HashMap<&str, &Part> = before.iter().map(|(at, it)| (at.as_str(), it)).collect();
    let mut changes = Vec::new();
    let mut added = BTreeSet::new();
    for (address, part) in &after {
        let change = |how| Change {
            how,
            kind: part.kind,
            address: address.clone(),
            origin: part.origin.clone(),
            span: part.span,
        };
        match known.get(address.as_str()) {
            Some(old) if is_same([&old.form, &part.form], &addresses) => {}
            // What brought both has not changed either.
            Some(old) => {
                let is_by = old.origin != part.origin;
                let known = edits_of(one, address, part.kind, &before);
                let mut edits = edits_of(other, address, part.kind, &after);
                edits.retain(|it| known.iter().all(|old| old.by != it.by));
                let by: BTreeSet<&str> = edits.iter().filter_map(|it| it.by.as_deref()).collect();
                let by = Vec::from_iter(by).join(", ");
                let brought = part.origin.clone().filter(|_| is_by);
                changes.push(Change {
                    origin: Some(by).filter(|it| !it.is_empty()).or(brought),
                    span: edits.last().map_or(part.span, |it| it.span),
                    ..change(How::Changed)
                });
            }
            None => {
                // What is inside it is as new as it is.
                if !is_inside(address, &added) {
                    changes.push(change(How::Added));
                }
                added.insert(address.as_str());
            }
        }
    }
    let known: BTreeSet<&str> = after.iter().map(|(at, _)| at.as_str()).collect();
    let mut removed = BTreeSet::new();
    for (address, part) in &before {
        if known.contains(address.as_str()) {
            continue;
        }
        // The cases of what was extended are all within it, and have no address of their own there.
        let is_kept = part.kind == "case"
            && changes
                .iter()
                .any(|it: &Change| it.how == How::Changed && is_below(address, &it.address));
        if !is_kept && !is_inside(address, &removed) {
            let above = address.match_indices('.').map(|(at, _)| at).rev();
            let mut all = [address.as_str()]
                .into_iter()
                .chain(above.filter_map(|at| address.get(..at)));
            let by = all.find_map(|it| other.removed.get(it));
            changes.push(Change {
                how: How::Removed,
                kind: part.kind,
                address: address.clone(),
                origin: by.map(|(by, _)| by.clone()),
                span: part.span,
            });
        }
        removed.insert(address.as_str());
    }
    changes
}

/// The edits that changed what is at an address: those that name it, or those that put something in around what stands there.
fn edits_of<'r>(
    rules: &'r Composed,
    address: &str,
    kind: &str,
    parts: &[(String, Part)],
) -> Vec<&'r Touched> {
    if let Some(edits) = rules.edited.get(address) {
        return edits.iter().collect();
    }
    let address = around(kind, address);
    let is_part = |it: &str| parts.iter().any(|(known, _)| known == it);
    let below = rules.edited.iter().filter(|(it, _)| is_below(it, address));
    let below: Vec<(&String, &Touched)> = below
        .flat_map(|(it, edits)| edits.iter().map(move |edit| (it, edit)))
        .collect();
    // What is inside something else here goes with that.
    let directly = |it: &str| {
        it.rsplit_once('.')
            .is_some_and(|(above, _)| above == address)
    };
    let of = |is_meant: &dyn Fn(&str, &Touched) -> bool| {
        let found = below.iter().filter(|(it, edit)| is_meant(it, edit));
        let found: Vec<&Touched> = found.map(|(_, edit)| *edit).collect();
        (!found.is_empty()).then_some(found)
    };
    of(&|it, edit| !is_part(it) || edit.around && directly(it))
        .or_else(|| of(&|_, edit| edit.around))
        .or_else(|| of(&|_, _| true))
        .unwrap_or_default()
}

/// Stand around an address in a form; nothing in a form is written so.
const BEGIN: char = '\u{1}';
const END: char = '\u{2}';

fn head(address: &str) -> &str {
    address.split('.').next().unwrap_or_default()
}

/// Whether two forms are the same but for what is only in one of the rule sets, which is told by itself.
fn is_same(forms: [&String; 2], addresses: &[BTreeSet<String>; 2]) -> bool {
    let [one, other] = forms.map(|form| {
        let mut kept = String::new();
        for (at, piece) in form.split([BEGIN, END]).enumerate() {
            // Every second piece is an address.
            if at % 2 == 0 || addresses.iter().all(|it| it.contains(piece)) {
                kept += piece;
            }
        }
        let words = kept.replace('[', "[ ").replace(']', " ]");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    one == other
}

/// The address that is around what is inside something: a turn and a case have none of their own for it.
fn around<'t>(kind: &str, address: &'t str) -> &'t str {
    match kind {
        "turn" | "case" => address.rsplit_once('.').map_or("", |(above, _)| above),
        _ => address,
    }
}

/// Whether something has its address inside another one.
fn is_below(address: &str, above: &str) -> bool {
    let below = address.strip_prefix(above);
    below.is_some_and(|it| it.starts_with('.'))
}

fn is_inside(address: &str, known: &BTreeSet<&str>) -> bool {
    let ends = address.match_indices('.').map(|(at, _)| at);
    let mut above = ends.filter_map(|end| address.get(..end));
    above.any(|it| known.contains(it))
}

/// Returns all that counts with what it says itself: of what has an address inside it, only that it is there.
fn parts(rules: &Composed) -> Vec<(String, Part)> {
    let entries = rules.outline();
    // By item, what has an address in it, the longest first: what holds something stands before it.
    let mut inside: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
    for it in entries.iter().filter(|it| !it.form.is_empty()) {
        inside.entry(head(&it.address)).or_default().push(it);
    }
    for all in inside.values_mut() {
        all.sort_by_key(|it| std::cmp::Reverse(it.form.len()));
    }
    let origins: HashMap<&str, &Option<String>> = rules
        .items
        .iter()
        .filter_map(|it| Some((it.item.kind.name()?.as_str(), &it.origin)))
        .collect();
    let mut parts = Vec::new();
    for it in entries.iter().filter(|it| !it.form.is_empty()) {
        let mut form = it.form.clone();
        let inner = inside.get(head(&it.address)).into_iter().flatten();
        let mut inner: Vec<&&Entry> = inner
            .filter(|part| part.form.len() < it.form.len())
            .filter(|part| is_below(&part.address, around(it.kind, &it.address)))
            .collect();
        // What is inside something else here goes with that: what is written alike elsewhere is not meant.
        let all: BTreeSet<String> = inner.iter().map(|it| it.address.clone()).collect();
        let all = all.iter().map(String::as_str).collect();
        inner.retain(|part| !is_inside(&part.address, &all));
        for part in inner {
            form = form.replacen(&part.form, &format!("{BEGIN}{}{END}", part.address), 1);
        }
        let head = head(&it.address);
        let origin = it.from.clone();
        let origin = origin.or_else(|| origins.get(head).copied().cloned().flatten());
        let part = Part {
            kind: it.kind,
            origin,
            span: it.span,
            form,
        };
        parts.push((it.address.clone(), part));
    }
    let mut unnamed: BTreeMap<String, Part> = BTreeMap::new();
    for composite in &rules.items {
        let kind = &composite.item.kind;
        // Nothing is played otherwise by an invariant; whether it holds is another matter.
        let form = match kind {
            ItemKind::Invariant(it) => canon::text(&it.condition),
            _ => canon::text(kind),
        };
        let about = match kind {
            ItemKind::Supply(it) => format!("supply {}", it.component),
            ItemKind::Show(it) => format!("show {}", it.name),
            ItemKind::Invariant(it) => it.name.to_string(),
            _ if kind.name().is_none() && !form.is_empty() => kind.word().to_owned(),
            _ => continue,
        };
        let part = unnamed.entry(about).or_insert_with(|| Part {
            kind: kind.word(),
            origin: composite.origin.clone(),
            span: composite.item.span,
            form: String::new(),
        });
        part.form += &form;
        // What came last is what is different.
        if composite.origin.is_some() {
            part.origin.clone_from(&composite.origin);
            part.span = composite.item.span;
        }
    }
    parts.extend(unnamed);
    // No name of an item is written so.
    let name = format!("game {}", rules.header.name);
    let seats = rules.header.seats.as_ref().map(canon::text);
    let history = rules.header.history.as_ref().map(canon::text);
    let said = [
        ("game", name.as_str(), Some(rules.header.name.to_string())),
        ("seats", header::SEATS, seats),
        ("history", header::HISTORY, history),
    ];
    parts.extend(said.into_iter().filter_map(|(kind, address, form)| {
        let part = Part {
            kind,
            origin: None,
            span: rules.header.name.span,
            form: form?,
        };
        Some((address.to_owned(), part))
    }));
    parts
}

//! What an amendment can name: every address, with the edits that it takes there.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap as HashMap;

use super::address::{self, Address, Kind, Place};
use super::canon;
use super::state::{State, Target, guard_place};
use super::{Composed, Composite, Guard, GuardKind};
use crate::source::Span;
use crate::syntax::ast::{self, Cite, ItemKind, StatementKind, Tree};

/// An address.
#[derive(Clone, Debug)]
pub struct Entry {
    /// As an edit names it.
    pub address: String,
    /// What stands there, in the word of the language.
    pub kind: &'static str,
    /// The edits that it takes, by the words that they begin with.
    pub edits: Vec<&'static str>,
    /// Its doc comment.
    pub docs: String,
    /// Its text, title or message, as written.
    pub says: Option<Span>,
    /// What is cited at this very place.
    pub cites: Vec<Cite>,
    /// The amendment or reading that it comes with: another amendment that names it has to need that.
    pub from: Option<String>,
    /// Where it is written.
    pub span: Span,
    /// What it means, in canonical form.
    pub form: String,
}

impl Entry {
    /// Returns whether a printed sentence is cited here.
    pub fn cites(&self, sentence: &str) -> bool {
        let series = sentence.split_once('-');
        self.cites.iter().any(|it| match &it.what {
            ast::Cited::Sentences { first, last } => series.is_some_and(|(series, number)| {
                let exact = [first, last].iter().any(|it| it.to_string() == sentence);
                let number = number.parse::<u32>();
                let inside = number.is_ok_and(|it| (first.number..=last.number).contains(&it));
                exact || first.series == series && inside
            }),
            ast::Cited::Reason(_) => false,
        })
    }
}

impl Composed {
    /// Returns every address that an amendment can name, in the order of the rulebook: what is inside an item behind it,
    /// and then its guards.
    pub fn outline(&self) -> Vec<Entry> {
        let mut old: HashMap<&str, Vec<&Composite>> = HashMap::default();
        for composite in self.items.iter().rev() {
            let name = composite.item.kind.name();
            if let Some((name, _)) = name.and_then(|it| it.as_str().split_once('@')) {
                old.entry(name).or_default().push(composite);
            }
        }
        let mut all = Vec::new();
        let mut known = BTreeSet::new();
        for composite in &self.items {
            let Some(name) = composite.item.kind.name() else {
                continue;
            };
            let key = name.text.clone();
            // Old bodies and the tracks of a block are named by what is around them.
            let lives = self.lives.contains_key(&key);
            if key.contains('@') || lives || !known.insert(key.clone()) {
                continue;
            }
            all.push(self.entry_of_item(&key, composite));
            let mut inside = BTreeSet::new();
            let bodies = old.get(key.as_str()).into_iter().flatten();
            for body in [composite].into_iter().chain(bodies.copied()) {
                self.inside(&key, body, &mut inside, &mut all);
            }
            let guards = self.guards.iter();
            let own = guards.filter(|it| it.path.segments.first().is_some_and(|it| it.text == key));
            all.extend(own.map(|it| self.entry_of_guard(it)));
        }
        all
    }

    fn entry_of_item(&self, key: &str, composite: &Composite) -> Entry {
        let item = &composite.item;
        Entry {
            address: key.to_owned(),
            kind: item.kind.word(),
            edits: edits_of_item(&item.kind),
            docs: joined(&item.docs),
            says: says_of_item(&item.kind),
            cites: item.tail.cites.clone(),
            from: self.brought.get(key).cloned(),
            span: item.span,
            form: form(&item.kind),
        }
    }

    fn entry_of_guard(&self, guard: &Guard) -> Entry {
        let address = guard_place(guard).join(".");
        Entry {
            kind: guard.kind.word(),
            edits: edits_of_guard(guard.kind),
            docs: String::new(),
            says: guard.because.as_ref().map(|it| it.span),
            cites: guard.tail.cites.clone(),
            from: self.brought.get(&address).cloned(),
            span: guard.span,
            form: form(guard),
            address,
        }
    }

    /// Adds what has an address inside an item and none in `known`.
    fn inside(
        &self,
        key: &str,
        composite: &Composite,
        known: &mut BTreeSet<(Vec<String>, bool)>,
        all: &mut Vec<Entry>,
    ) {
        let mut item = ast::Item::clone(&composite.item);
        let mut found: Vec<Vec<Address>> = Vec::new();
        let mut at: HashMap<(Vec<String>, bool, Option<Kind>), usize> = HashMap::default();
        for it in address::addresses(&mut item) {
            let kind = (
                it.kind.is_container(),
                Some(it.kind).filter(|it| it.is_container()),
            );
            let group = *at
                .entry((it.path.clone(), kind.0, kind.1))
                .or_insert(found.len());
            match found.get_mut(group) {
                Some(group) => group.push(it),
                None => found.push(vec![it]),
            }
        }
        let mut seen = BTreeSet::new();
        for mut group in found {
            let Some(least) = group.iter().map(|it| it.depth).min() else {
                continue;
            };
            group.retain(|it| !it.kind.is_outermost() || it.depth == least);
            if group.iter().any(|it| !it.kind.gives_way()) {
                group.retain(|it| !it.kind.gives_way());
            }
            let Some(first) = group.first() else { continue };
            let is_container = first.kind.is_container();
            let place = (first.path.clone(), is_container);
            let is_new = !known.contains(&place);
            seen.insert(place);
            // An address of several things names none of them.
            if !is_new || group.len() > 1 {
                continue;
            }
            let address = [key]
                .into_iter()
                .chain(first.path.iter().map(String::as_str));
            let address = address.collect::<Vec<_>>().join(".");
            if is_container {
                let around = all.iter_mut().find(|it| it.address == address);
                let word = match first.kind {
                    Kind::Cases => "add cases",
                    _ => "add choice",
                };
                if let Some(around) = around.filter(|it| !it.edits.contains(&word)) {
                    around.edits.insert(0, word);
                }
                continue;
            }
            let entry = address::change(&mut item, first, entry_of);
            if let Some(Some(mut entry)) = entry {
                entry.from = self.brought.get(&address).cloned();
                entry.address = address;
                all.push(entry);
            }
        }
        known.extend(seen);
    }
}

impl State {
    /// Returns what was found, in a word, and the edits that are for it alone.
    pub(super) fn edits_at(
        &mut self,
        target: &Target,
    ) -> Option<(&'static str, Vec<&'static str>)> {
        match target {
            Target::Item(number) => {
                let kind = &self.get(*number)?.item.kind;
                Some((kind.word(), edits_of_item(kind)))
            }
            Target::Inside { item, at } => {
                let entry = address::change(self.item(*item)?, at, entry_of)??;
                Some((entry.kind, entry.edits))
            }
            Target::Guard(number) => {
                let kind = self.guards.get(*number)?.kind;
                Some((kind.word(), edits_of_guard(kind)))
            }
        }
    }
}

fn edits_of_guard(kind: GuardKind) -> Vec<&'static str> {
    match kind {
        GuardKind::Forbid => vec!["permit", "replace", "remove"],
        GuardKind::Permit => vec!["replace", "remove"],
    }
}

/// Returns the edits that are for an item as a whole.
fn edits_of_item(kind: &ItemKind) -> Vec<&'static str> {
    let own: &[&str] = match kind {
        ItemKind::Enum(_) => &["add values"],
        ItemKind::Record(_) | ItemKind::Component(_) | ItemKind::Zone(_) => &["add fields"],
        ItemKind::Table(_) => &["add rows"],
        ItemKind::Setting(it) => match it.values {
            ast::SettingValues::Typed { .. } => &["set"],
            ast::SettingValues::Readings(_) => &["set", "add readings"],
        },
        ItemKind::Define(_) => &["extend"],
        // What is only a name for a list of alternatives neither asks nor does anything itself.
        ItemKind::Action(it) if !it.alternatives.is_empty() => &[],
        ItemKind::Action(_) | ItemKind::Event(_) => &["forbid", "insert"],
        ItemKind::Ending(_) => &["insert"],
        ItemKind::Position(_) => return vec!["remove"],
        _ => &[],
    };
    own.iter().copied().chain(["replace", "remove"]).collect()
}

fn says_of_item(kind: &ItemKind) -> Option<Span> {
    let template = |it: &Option<ast::Template>| it.as_ref().map(|it| it.span);
    match kind {
        ItemKind::Action(it) => template(&it.text),
        ItemKind::Event(it) => template(&it.text),
        ItemKind::Invariant(it) => template(&it.message),
        ItemKind::Setting(it) => Some(it.text.span),
        ItemKind::Ruling(it) => Some(it.title.span),
        ItemKind::Study(it) => Some(it.title.span),
        _ => None,
    }
}

/// Returns what stands at a place, without its address; nothing of what is around something.
fn entry_of(place: Place<'_>) -> Option<Entry> {
    let blank = |kind, edits: &[&'static str], span, form| Entry {
        address: String::new(),
        kind,
        edits: edits.to_vec(),
        docs: String::new(),
        says: None,
        cites: Vec::new(),
        from: None,
        span,
        form,
    };
    let entry = match place {
        Place::Clause(list, at) => {
            let it = list.get(at)?;
            Entry {
                docs: joined(&it.docs),
                says: it.message.as_ref().map(|it| it.span),
                cites: it.tail.cites.clone(),
                ..blank(
                    "clause",
                    &["permit", "replace", "remove"],
                    it.span,
                    form(it),
                )
            }
        }
        Place::Step(list, at) => {
            let it = list.get(at)?;
            let StatementKind::Step { tail, .. } = &it.kind else {
                return None;
            };
            Entry {
                docs: joined(&it.docs),
                cites: tail.cites.clone(),
                ..blank(
                    "step",
                    &["insert", "replace", "remove"],
                    it.span,
                    form(&it.kind),
                )
            }
        }
        Place::Track(list, at) => {
            let it = list.get(at)?;
            let StatementKind::Track { tail, .. } = &it.kind else {
                return None;
            };
            Entry {
                docs: joined(&it.docs),
                cites: tail.cites.clone(),
                ..blank("track", &["replace", "remove"], it.span, form(&it.kind))
            }
        }
        Place::Slot(list, at) => {
            let it = list.get(at)?;
            let word = if it.many { "many" } else { "once" };
            Entry {
                cites: it.tail.cites.clone(),
                ..blank(word, &["remove"], it.span, form(it))
            }
        }
        Place::Alternative(list, at) => {
            let it = list.get(at)?;
            Entry {
                says: it.text.as_ref().map(|it| it.span),
                ..blank("choice", &["replace", "remove"], it.span, form(it))
            }
        }
        Place::Reading(list, at) => {
            let it = list.get(at)?;
            Entry {
                docs: joined(&it.docs),
                says: Some(it.text.span),
                cites: it.tail.cites.clone(),
                ..blank("reading", &["remove"], it.span, form(it))
            }
        }
        Place::Value(list, at) => {
            let it = list.get(at)?;
            blank("value", &["remove"], it.span, form(it))
        }
        Place::Field(list, at) => {
            let it = list.get(at)?;
            blank("field", &["remove"], it.span, form(it))
        }
        Place::Row(list, at) => {
            let it = list.get(at)?;
            Entry {
                cites: it.tail.cites.clone(),
                ..blank("row", &["replace", "remove"], it.span, form(it))
            }
        }
        Place::Turn(body, span) => blank("turn", &["insert", "replace"], span, form(body)),
        Place::Case(list, at, _) => {
            let it = list.get(at)?;
            blank("case", &["replace", "remove"], it.span, form(it))
        }
        Place::ValueCase(list, at, _) => {
            let it = list.get(at)?;
            blank("case", &["replace", "remove"], it.span, form(it))
        }
        Place::Window(..) | Place::Choice(..) | Place::Cases(..) => return None,
    };
    Some(entry)
}

fn form(part: &impl Tree) -> String {
    canon::text(part)
}

fn joined(docs: &[ast::Doc]) -> String {
    let lines: Vec<&str> = docs.iter().map(|it| it.text.trim()).collect();
    lines.join(" ")
}

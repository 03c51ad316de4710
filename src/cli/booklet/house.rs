//! What amendments have made of a rulebook: what they bring, what they take away, and which printed sentences hold no more.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::teller::{Teller, cited};
use super::{House, Section, in_words, text};
use crate::compose::{Change, Entry, How};
use crate::model::Game;
use crate::source::{FileId, Sources, Span};
use crate::syntax;
use crate::syntax::ast::{
    Flavour, HeaderKind, Item, Role, Statement, StatementKind, Tree, Visitor,
};

/// The statements that stand at an address itself: none of the steps in it, but that they are there.
struct Own<'t> {
    within: Option<Span>,
    is_in: bool,
    found: Vec<&'t Statement>,
}

impl<'t> Visitor<'t> for Own<'t> {
    fn statement(&mut self, it: &'t Statement) {
        let is_root = |root: Span| (root.file, root.start) == (it.span.file, it.span.start);
        if !self.is_in {
            self.is_in = self.within.is_some_and(is_root);
            it.kind.walk(self, Role::Plain);
            self.is_in &= !self.within.is_some_and(is_root);
            return;
        }
        self.found.push(it);
        if !matches!(it.kind, StatementKind::Step { .. }) {
            it.kind.walk(self, Role::Plain);
        }
    }
}

/// What stands at an address in an item itself.
fn own<'t>(item: &'t Item, entry: &Entry) -> Vec<&'t Statement> {
    let is_inside = entry.address.contains('.');
    let mut own = Own {
        within: is_inside.then_some(entry.span),
        is_in: !is_inside,
        found: Vec::new(),
    };
    item.kind.walk(&mut own, Role::Plain);
    own.found
}

/// What may hold statements.
const DOES: [&str; 7] = ["action", "event", "flow", "ending", "step", "turn", "case"];

/// Where something is written, whichever rules the text was read for.
fn place(sources: &Sources, span: Span) -> Option<(String, u32)> {
    let source = sources.iter().find(|(file, _)| *file == span.file)?;
    Some((source.1.name.clone(), span.start))
}

/// What amendments are, and their titles: by name, and by the file in which they are written.
pub(super) fn titles(sources: &Sources) -> (BTreeMap<String, String>, HashMap<FileId, String>) {
    let mut titles = BTreeMap::new();
    let mut files = HashMap::new();
    for (file, source) in sources.iter() {
        let Some(header) = syntax::parse_header(&source.text) else {
            continue;
        };
        let HeaderKind::Amendment { flavour, .. } = header.kind else {
            continue;
        };
        let what = match flavour {
            Flavour::Variant => "House rule",
            Flavour::Edition => "Edition",
            Flavour::Expansion => "Expansion",
        };
        let title = format!("{what} “{}”", header.title.text);
        files.insert(file, title.clone());
        titles.insert(header.name.text, title);
    }
    (titles, files)
}

impl Teller<'_> {
    /// The amendment in whose text something is written.
    pub(super) fn brought_by(&self, span: Span) -> Option<&String> {
        self.houses.get(&span.file)
    }

    /// Whether all that is done at an address is done there still: what is put in besides is marked where it is told.
    pub(super) fn only_adds(&self, address: &str) -> bool {
        let known = || {
            let before = self.before.as_ref()?;
            let (old, new) = (before.entries.get(address)?, self.entry(address)?);
            let is_there = place(before.sources, old.span) == place(self.sources, new.span);
            if !DOES.contains(&old.kind) || !is_there {
                return None;
            }
            let name = address.split('.').next()?;
            let there = own(self.items.get(name)?, new).into_iter();
            let there: HashSet<_> = there.map(|it| place(self.sources, it.span)).collect();
            let mut old = own(before.items.get(name)?, old).into_iter();
            Some(old.all(|it| there.contains(&place(before.sources, it.span))))
        };
        known().unwrap_or(false)
    }

    /// The amendment by which something else is done at an address, if what is done there is all that it changes.
    pub(super) fn done_by(&self, address: &str) -> Option<&String> {
        let is_known = self.before.as_ref()?.entries.contains_key(address);
        let entry = self.entry(address).filter(|it| DOES.contains(&it.kind))?;
        if !is_known || self.only_adds(address) {
            return None;
        }
        let item = self.items.get(address.split('.').next()?)?;
        let mut own = own(item, entry).into_iter();
        own.find_map(|it| self.brought_by(it.span))
    }

    /// Leaves the printed sentences to nobody that something stood for which is gone or is another thing now, unless
    /// the same kind of thing says them still.
    pub(super) fn forget(&mut self, changes: &[Change]) {
        let Some(before) = &self.before else { return };
        let changed = changes.iter().filter(|it| it.how == How::Changed);
        let changed = changed.map(|it| &it.address).filter(|it| {
            let says = ["clause", "define", "forbid", "permit"];
            let entry = self.entry(it);
            entry.is_some_and(|it| says.contains(&it.kind)) && self.changed.contains_key(*it)
        });
        let done = before.entries.keys();
        let done = done.filter(|it| {
            let is_changed = self.changed.contains_key(*it) || self.done_by(it).is_some();
            let does = self.entry(it).is_some_and(|it| DOES.contains(&it.kind));
            is_changed && does && !self.only_adds(it)
        });
        let changed = changed.chain(done);
        let old = changed.filter_map(|it| before.entries.get(it));
        let lost: HashMap<String, String> = old
            .map(|it| (it.address.clone(), it.docs.clone()))
            .collect();
        let is_lost = |it: &Entry| lost.contains_key(&it.address);
        let sentences = |entry: &Entry, game: &Game| -> Vec<String> {
            let all = cited(&entry.cites, game).into_iter();
            all.map(|(id, _)| id).collect()
        };
        let mut dropped: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for entry in before.entries.values() {
            let there = match self.entry(&entry.address).filter(|it| !is_lost(it)) {
                Some(it) => sentences(it, self.game),
                None => Vec::new(),
            };
            for id in sentences(entry, before.game) {
                if !there.contains(&id) {
                    dropped.entry(id).or_default().insert(entry.kind);
                }
            }
        }
        for (id, kinds) in dropped {
            let mut others = self.entries.iter();
            let other = others.find(|it| {
                kinds.contains(it.kind) && !is_lost(it) && sentences(it, self.game).contains(&id)
            });
            match other {
                Some(other) => self.owners.insert(id, other.address.clone()),
                None => self.owners.remove(&id),
            };
        }
        self.lost = lost;
    }

    /// What amendments have taken away.
    pub(super) fn gone(&mut self) -> Vec<Section> {
        let Some(before) = &self.before else {
            return Vec::new();
        };
        let mut gone: BTreeMap<&str, &str> = BTreeMap::new();
        let items = self.composed.removed.iter();
        gone.extend(items.map(|(address, (by, _))| (address.as_str(), by.as_str())));
        let is_choice = |it: &&String| {
            let entry = before.entries.get(it.as_str());
            entry.is_some_and(|it| it.kind == "choice")
        };
        // A choice that something else stands instead of is told of there.
        for address in self.left_out.iter().filter(|it| !is_choice(it)) {
            // What takes the place of what was around it says so there.
            let above = address.match_indices('.').map(|(at, _)| at).rev();
            let mut above = above.filter_map(|at| address.get(..at));
            if let Some(by) = above.find_map(|it| self.changed.get(it)) {
                gone.entry(address).or_insert(by);
            }
        }
        let told = gone.iter().filter(|(address, _)| {
            let mut above = address
                .match_indices('.')
                .filter_map(|(at, _)| address.get(..at));
            !above.any(|it| gone.contains_key(it))
        });
        let mut sections = Vec::new();
        for (address, by) in told {
            if self.at.contains_key(*address) {
                continue;
            }
            let (Some(entry), Some(by)) = (before.entries.get(*address), self.titles.get(*by))
            else {
                continue;
            };
            let mut lines = before.said(entry);
            let below = format!("{address}.");
            let mut inside: Vec<&Entry> = before.entries.values().collect();
            inside.retain(|it| it.address.starts_with(&below) && !it.cites.is_empty());
            inside.sort_by_key(|it| it.span.start);
            for line in inside.into_iter().flat_map(|it| before.said(it)) {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
            let title = address.split('.').map(in_words).collect::<Vec<_>>();
            sections.push(Section {
                address: (*address).to_owned(),
                title: vec![text(title.join(": "))],
                lines: Vec::new(),
                house: Some(House {
                    by: by.clone(),
                    before: lines,
                }),
            });
        }
        sections
    }
}

//! What the rules lead to: what nothing leads to is dead.

use std::collections::{BTreeMap, BTreeSet};

use super::Composed;
use crate::source::Span;
use crate::syntax::ast::{Item, ItemKind, Name, Role, Tree, Use, Visitor};

/// Something that is declared and to which nothing leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dead {
    /// What it is, in the word of the language.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Where it is written.
    pub span: Span,
}

impl Composed {
    /// Returns the actions, events, flows, endings, definitions, tables and options to which nothing leads from the beginning of the
    /// game or from what lies on the table. What a reading says that is not chosen leads on too.
    pub fn dead(&self) -> Vec<Dead> {
        let mut inside: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
        let mut names = Names::default();
        for composite in &self.items {
            let item = &composite.item;
            match item.kind.name().filter(|_| may_die(&item.kind)) {
                Some(name) => inside.entry(name.as_str()).or_default().push(item),
                None if is_asked_from_outside(&item.kind) => {}
                None => names.item(item, Role::Plain),
            }
            // A question is dead where its readings say nothing, and that is another matter.
            if let ItemKind::Setting(setting) = &item.kind {
                setting
                    .all_edits()
                    .for_each(|it| names.item(it, Role::Plain));
            }
        }
        for guard in &self.guards {
            guard.when.walk(&mut names, Role::Plain);
            guard.because.walk(&mut names, Role::Plain);
        }
        names.open.push("main");
        while let Some(name) = names.open.pop() {
            for item in inside.remove(name).into_iter().flatten() {
                names.item(item, Role::Plain);
            }
        }
        let left = inside.into_values().flatten();
        let left = left.filter(|it| !it.kind.name().is_some_and(|it| it.as_str().contains('@')));
        let mut dead: Vec<Dead> = left
            .filter_map(|it| {
                Some(Dead {
                    kind: it.kind.word(),
                    name: it.kind.name()?.text.clone(),
                    span: it.span,
                })
            })
            .collect();
        dead.sort_by_key(|it| (it.span.file, it.span.start));
        dead
    }
}

/// Whether an item does nothing unless something leads to it.
fn may_die(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Setting(it) => it.all_edits().next().is_none(),
        ItemKind::Action(_)
        | ItemKind::Event(_)
        | ItemKind::Flow(_)
        | ItemKind::Ending(_)
        | ItemKind::Define(_)
        | ItemKind::Table(_) => true,
        _ => false,
    }
}

fn is_asked_from_outside(kind: &ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Ruling(_)
            | ItemKind::Study(_)
            | ItemKind::Position(_)
            | ItemKind::Invariant(_)
            | ItemKind::Measure(_)
    )
}

/// Names that were met, each once.
#[derive(Default)]
struct Names<'t> {
    met: BTreeSet<&'t str>,
    open: Vec<&'t str>,
}

impl<'t> Visitor<'t> for Names<'t> {
    fn name(&mut self, name: &'t Name, _used_as: Use) {
        if self.met.insert(name.as_str()) {
            self.open.push(name.as_str());
        }
    }
}

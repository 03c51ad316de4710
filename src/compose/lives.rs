//! Tracks that live in a block are known everywhere, like those that stand as items.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

use super::Composite;
use super::walk::{Scope, Use, Visitor, Walk};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, StatementKind, Tree};

/// Adds an item for each track that lives in a block; returns their names with their blocks' places.
pub(super) fn listed(items: &mut Vec<Composite>) -> BTreeMap<String, Span> {
    let mut found = Found::default();
    for (at, composite) in items.iter().enumerate() {
        if has_any(&composite.item) {
            found.at = at;
            Walk::new(&mut found).item(&mut ast::Item::clone(&composite.item));
        }
    }
    let kinds = items.iter().filter_map(|it| {
        let name = it.item.kind.name()?;
        Some((name.text.clone(), is_known_before_play(&it.item.kind)))
    });
    let mut known: HashMap<String, bool> = kinds.collect();
    let own = found.tracks.iter().filter_map(|it| it.1.kind.name());
    known.extend(own.map(|name| (name.text.clone(), false)));
    let mut names = BTreeMap::new();
    for (at, mut item, asks) in found.tracks {
        let ItemKind::Track(decl) = &mut item.kind else {
            continue;
        };
        let is_known = |name: &String| known.get(name).copied().unwrap_or(true);
        if !asks.is_some_and(|asks| asks.iter().all(is_known)) {
            decl.start = None;
        }
        names.insert(decl.name.text.clone(), decl.name.span);
        let Some(around) = items.get(at) else {
            continue;
        };
        items.push(Composite {
            item: Arc::new(item),
            origin: around.origin.clone(),
            home: around.home.clone(),
        });
    }
    names
}

/// Whether a name of the item says nothing about the position.
fn is_known_before_play(kind: &ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Enum(_)
            | ItemKind::Record(_)
            | ItemKind::Component(_)
            | ItemKind::Space(_)
            | ItemKind::Setting(_)
            | ItemKind::Table(_)
    )
}

fn has_any(item: &ast::Item) -> bool {
    let mut any = Any(false);
    if matches!(
        item.kind,
        ItemKind::Event(_) | ItemKind::Action(_) | ItemKind::Flow(_) | ItemKind::Ending(_)
    ) {
        item.kind.walk(&mut any, ast::Role::Plain);
    }
    any.0
}

struct Any(bool);

impl<'t> ast::Visitor<'t> for Any {
    fn statement(&mut self, statement: &'t ast::Statement) {
        self.0 |= matches!(statement.kind, StatementKind::Track { .. });
        statement.kind.walk(self, ast::Role::Plain);
    }
}

/// The tracks found so far: in which item, as an item, and the names that their starts ask for, if none
/// of those is local.
#[derive(Default)]
struct Found {
    at: usize,
    tracks: Vec<(usize, ast::Item, Option<Vec<String>>)>,
}

impl Visitor for Found {
    fn free(&mut self, _name: &mut ast::Name, _used_as: Use, _scope: &Scope) {}

    fn statement(&mut self, statement: &mut ast::Statement, scope: &Scope) -> bool {
        if let StatementKind::Track { decl, tail } = &statement.kind {
            let mut asked = Asked::default();
            Walk::new(&mut asked).part(&mut decl.start.clone());
            let local = |name: &String| name == "me" || name == "repeated" || scope.holds(name);
            let asks = (!asked.names.iter().any(local)).then_some(asked.names);
            let item = ast::Item {
                docs: statement.docs.clone(),
                kind: ItemKind::Track(decl.clone()),
                tail: tail.clone(),
                span: statement.span,
            };
            self.tracks.push((self.at, item, asks));
        }
        false
    }
}

/// The names that an expression asks for.
#[derive(Default)]
struct Asked {
    names: Vec<String>,
}

impl Visitor for Asked {
    fn free(&mut self, name: &mut ast::Name, used_as: Use, _scope: &Scope) {
        if used_as != Use::Field {
            self.names.push(name.text.clone());
        }
    }
}

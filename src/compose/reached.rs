//! What the rules lead to: what nothing leads to is dead.

use std::collections::{BTreeMap, BTreeSet};

use super::Composed;
use crate::source::Span;
use crate::syntax::ast::{
    Expr, ExprKind, History, Item, ItemKind, Name, Reading, Role, Setting, SettingValues, Tree,
    Use, Visitor,
};

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
    /// game, from what lies on the table or from what must hold at each choice, and the tracks and the history that get values for
    /// which nothing asks. What a reading says that is not chosen leads on too, where it may be chosen.
    pub fn dead(&self, may_be_chosen: &dyn Fn(&Setting, &Reading) -> bool) -> Vec<Dead> {
        let mut inside: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
        let mut names = Names::default();
        for composite in &self.items {
            let item = &composite.item;
            match item.kind.name().filter(|_| may_die(&item.kind)) {
                Some(name) => inside.entry(name.as_str()).or_default().push(item),
                None if is_asked_from_outside(&item.kind) => {}
                // What its readings say comes below.
                None if matches!(item.kind, ItemKind::Setting(_)) => {}
                None => names.item(item, Role::Plain),
            }
        }
        // A question is dead where its readings say nothing, and that is another matter. What changes something leads on from there.
        let mut changes: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
        let settings = self.items.iter().filter_map(|it| match &it.item.kind {
            ItemKind::Setting(setting) => Some(setting),
            _ => None,
        });
        for setting in settings {
            if let (SettingValues::Typed { .. }, Some(_)) = (&setting.values, &setting.edits) {
                setting.values.walk(&mut names, Role::Plain);
            }
            let holds = |it: &&Reading| may_be_chosen(setting, it);
            let edits = setting.readings().iter().filter(holds);
            let edits = edits.filter_map(|it| it.edits.as_ref());
            for item in edits.chain(&setting.edits).flatten() {
                let changed = match &item.kind {
                    ItemKind::Edit(edit) => edit.head(),
                    kind => kind.name().filter(|_| may_die(kind)),
                };
                let changed = changed.map(Name::as_str);
                match changed.filter(|it| inside.contains_key(it) || item.kind.name().is_some()) {
                    Some(name) => changes.entry(name).or_default().push(item),
                    None => names.item(item, Role::Plain),
                }
            }
        }
        for guard in &self.guards {
            guard.when.walk(&mut names, Role::Plain);
            guard.because.walk(&mut names, Role::Plain);
        }
        names.open.push("main");
        let history = self.header.history.as_ref();
        while let Some(name) = names.open.pop() {
            let led = [inside.remove(name), changes.remove(name)];
            for item in led.into_iter().flatten().flatten() {
                names.item(item, Role::Plain);
            }
            // What is remembered are these.
            if name == "repeated" {
                let of = history.into_iter().flat_map(|it| &it.of);
                of.for_each(|it| names.name(it, Use::Value));
            }
        }
        // What is watched from outside keeps a track that only it asks for.
        let mut watched = Names::default();
        let outside = self.items.iter().map(|it| &it.item.kind);
        for kind in outside.filter(|it| matches!(it, ItemKind::Invariant(_) | ItemKind::Measure(_)))
        {
            kind.walk(&mut watched, Role::Plain);
        }
        let left = inside.into_values().flatten();
        let left = left.filter_map(|item| Some((item, item.kind.name()?.as_str())));
        let left = left.filter(|(item, name)| {
            let is_watched = matches!(item.kind, ItemKind::Track(_)) && watched.met.contains(name);
            !is_watched && !name.contains('@')
        });
        let mut dead: Vec<Dead> = left
            .map(|(item, name)| Dead {
                kind: item.kind.word(),
                name: name.to_owned(),
                span: item.span,
            })
            .collect();
        dead.extend(
            history
                .filter(|_| !names.met.contains("repeated"))
                .map(|it| Dead {
                    kind: "history",
                    name: remembered(it),
                    span: it.most.span,
                }),
        );
        dead.sort_by_key(|it| (it.span.file, it.span.start));
        dead
    }

    /// Returns the names of what may be among the dead of these rules.
    pub fn mortal(&self) -> BTreeSet<String> {
        let items = self.items.iter();
        let names = items.filter_map(|it| Some(it.item.kind.name()?.text.clone()));
        names
            .chain(self.header.history.iter().map(remembered))
            .collect()
    }
}

/// What a history is told by.
fn remembered(it: &History) -> String {
    let of: Vec<&str> = it.of.iter().map(Name::as_str).collect();
    match of.is_empty() {
        true => String::from("of positions"),
        false => format!("of {}", of.join(", ")),
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
        | ItemKind::Table(_)
        | ItemKind::Track(_) => true,
        _ => false,
    }
}

fn is_asked_from_outside(kind: &ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Ruling(_)
            | ItemKind::Study(_)
            | ItemKind::Position(_)
            | ItemKind::Measure(_)
            | ItemKind::Hide(_)
    )
}

/// Names that were met, each once.
#[derive(Default)]
struct Names<'t> {
    met: BTreeSet<&'t str>,
    open: Vec<&'t str>,
}

impl<'t> Visitor<'t> for Names<'t> {
    fn expr(&mut self, expr: &'t Expr, role: Role) {
        match (&expr.kind, role) {
            // What gets a value is not asked for.
            (ExprKind::Name(_), Role::Target) => {}
            (ExprKind::Index { base, indices }, Role::Target) => {
                self.expr(base, Role::Target);
                indices.walk(self, Role::Plain);
            }
            (kind, _) => kind.walk(self, Role::Plain),
        }
    }

    fn name(&mut self, name: &'t Name, _used_as: Use) {
        if self.met.insert(name.as_str()) {
            self.open.push(name.as_str());
        }
    }
}

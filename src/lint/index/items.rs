//! What is noted of files, items and edits.

use rustc_hash::FxHashSet as HashSet;

use super::{LocalKind, Placed, Walk};
use crate::source::Span;
use crate::syntax::ast::{
    Add, Edit, EnumValue, File, Find, Item, ItemKind, Name, Path, Replace, Role, Seats, Study,
    Visitor,
};

/// Returns the names of all values of enums, and of the seats.
pub(super) fn values(files: &[&File], items: &[Placed<'_>]) -> HashSet<String> {
    let mut all = HashSet::default();
    let names = |values: &[EnumValue]| -> Vec<String> {
        values.iter().map(|it| it.name.to_string()).collect()
    };
    for placed in items {
        match &placed.item.kind {
            ItemKind::Enum(it) => all.extend(names(&it.values)),
            ItemKind::Edit(Edit::Add(Add::Values { values, .. })) => all.extend(names(values)),
            _ => {}
        }
    }
    for seats in files
        .iter()
        .filter_map(|it| it.header.as_ref()?.seats.as_ref())
    {
        match seats {
            Seats::Named(values) => all.extend(names(values)),
            Seats::Numbered { most, stem, .. } => {
                all.extend((1..=most.value.min(64)).map(|at| format!("{stem}{at}")));
            }
        }
    }
    all
}

impl<'a> Walk<'a> {
    pub(super) fn file(&mut self, file: &'a File) {
        if let Some(header) = &file.header {
            let whole = Span::new(file.file, 0, u32::MAX as usize);
            self.clause(&header.tail, whole);
        }
        for part in &file.parts {
            let whole = Span::new(part.file, 0, u32::MAX as usize);
            self.clause(&part.header.tail, whole);
        }
        for item in &file.items {
            self.item(item, Role::Plain);
        }
    }

    pub(super) fn noted(&mut self, item: &'a Item, replaces: bool) {
        let outside = std::mem::replace(&mut self.item, self.index.items.len());
        let looped = std::mem::replace(&mut self.looped, false);
        self.index.items.push(Placed {
            item,
            replaces,
            first_expr: self.index.exprs.len(),
        });
        self.clause(&item.tail, item.span);
        self.enter(false);
        if let ItemKind::Edit(edit) = &item.kind {
            self.edited(edit);
        }
        self.part(&item.kind);
        // What is found are the members themselves.
        if let ItemKind::Study(Study {
            find: Find::Members(binders),
            ..
        }) = &item.kind
        {
            self.collected(binders);
        }
        self.leave();
        self.item = outside;
        self.looped = looped;
    }

    /// Notes what an edit changes and which names its text may use for that.
    fn edited(&mut self, edit: &'a Edit) {
        match edit {
            Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it) => self.changes(&it.target),
            Edit::Remove { path } | Edit::Extend { path, .. } => self.changes(path),
            Edit::Replace(Replace::Value { path, .. } | Replace::Body { path, .. })
            | Edit::Insert { path, .. } => {
                self.changes(path);
                self.inherited(path);
            }
            Edit::Add(Add::Alternatives { alternatives, .. }) => {
                self.index.choices.push(alternatives.iter().collect());
            }
            Edit::Set { .. } | Edit::Replace(Replace::Item(_)) | Edit::Add(_) => {}
        }
    }

    fn changes(&mut self, path: &'a Path) {
        let first = path.segments.first().map(Name::as_str);
        self.index.edited.extend(first);
    }

    /// Binds the parameters of what an edit changes: its body may name them.
    fn inherited(&mut self, path: &'a Path) {
        let first = path.segments.first().map_or("", Name::as_str);
        let params = self.params.get(first).copied().unwrap_or_default();
        for name in params.iter().flat_map(|param| &param.names) {
            self.bind(name, LocalKind::Formal);
        }
    }
}

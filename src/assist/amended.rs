//! The names in edits, which may have words of their own for the parameters of what they change.

use super::declared::named_type;
use super::names::Doing;
use super::walk::{Walk, place};
use crate::syntax::ast::{Add, Edit, ItemKind, Name, Param, Path, Replace};

impl<'a> Walk<'a> {
    /// The words that an edit has for the parameters of what it changes.
    fn formals(&mut self, path: &'a Path, formals: &'a [Name]) {
        let params = self.params_of(path);
        for (formal, param) in formals.iter().zip(params.iter().flat_map(|it| &it.names)) {
            self.walked.formals.insert(place(formal.span), param.span);
            if let Some(ty) = self.types.get(&place(param.span)) {
                self.types.insert(place(formal.span), ty);
            }
        }
    }

    /// Returns the parameters of what an edit changes.
    fn params_of(&mut self, path: &'a Path) -> &'a [Param] {
        let head = path.segments.first().map_or("", Name::as_str);
        let items = self.declared.items.get(head);
        let item = items.and_then(|it| it.first());
        let params = item.and_then(|it| it.kind.params()).unwrap_or_default();
        self.params(params);
        params
    }

    /// Binds the parameters of what an edit changes: its text may name them.
    fn inherited(&mut self, path: &'a Path) {
        let params = self.params_of(path);
        for name in params.iter().flat_map(|param| &param.names) {
            self.scope.push((name.as_str(), place(name.span)));
        }
    }

    pub(super) fn edit(&mut self, edit: &'a Edit) {
        let Ok(path) = edit.place() else { return };
        self.path(path, Doing::Amends);
        match edit {
            Edit::Set { value, .. } => self.value_of(path, value),
            Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it) => {
                self.formals(path, &it.formals);
            }
            Edit::Extend { formals, .. } => self.formals(path, formals),
            Edit::Add(Add::Rows { rows, .. }) => {
                let head = path.segments.last().map_or("", Name::as_str);
                let items = self.declared.items.get(head).into_iter().flatten();
                let mut kinds = items.map(|it| &it.kind);
                if let Some(ItemKind::Table(it)) = kinds.next() {
                    self.rows(rows, &it.index, named_type(&it.ty));
                }
            }
            Edit::Insert { .. }
            | Edit::Replace(Replace::Value { .. } | Replace::Body { .. })
            | Edit::Add(_) => self.inherited(path),
            _ => {}
        }
    }
}

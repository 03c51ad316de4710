//! Files and items.

use super::{LocalKind, Placed, Role, Walk, params_of};
use crate::source::Span;
use crate::syntax::ast::{
    self, Action, Add, Axis, Edit, ExpectKind, FieldDecl, File, Find, Item, ItemKind, Name, Path,
    Play, Reading, Replace, Row, Ruling, SettingValues, Study, Tree, Visibility, Visitor,
};

impl<'a> Walk<'a> {
    pub(super) fn file(&mut self, file: &'a File) {
        if let Some(header) = &file.header {
            let whole = Span::new(file.file, 0, u32::MAX as usize);
            self.clause(&header.tail, whole);
        }
        for item in &file.items {
            self.item(item, false);
        }
    }

    fn item(&mut self, item: &'a Item, replaces: bool) {
        let outside = std::mem::replace(&mut self.item, self.index.items.len());
        let looped = std::mem::replace(&mut self.looped, false);
        self.index.items.push(Placed {
            item,
            replaces,
            first_expr: self.index.exprs.len(),
        });
        self.clause(&item.tail, item.span);
        self.scoped(|walk| walk.kind(&item.kind));
        self.item = outside;
        self.looped = looped;
    }

    fn kind(&mut self, kind: &'a ItemKind) {
        for param in params_of(kind).into_iter().flatten() {
            self.part(param);
        }
        match kind {
            ItemKind::Enum(_)
            | ItemKind::Aside(_)
            | ItemKind::Sentences(_)
            | ItemKind::Relation(_) => {}
            // Holes name fields of what is shown; to be shown is no use.
            ItemKind::Show(_) => {}
            ItemKind::Record(it) => self.fields(&it.fields),
            ItemKind::Component(it) => self.fields(&it.fields),
            ItemKind::Supply(it) => {
                self.operand(&it.count);
                self.use_name(&it.component, Role::Read);
                self.part(&it.condition);
                self.operand(&it.place);
            }
            ItemKind::Space(it) => {
                for axis in &it.axes {
                    match axis {
                        Axis::Named { ty, .. } => self.part(ty),
                        Axis::Value(value) => self.operand(value),
                    }
                }
                let ports = it.meeting.iter().map(|meeting| &meeting.ports);
                ports.for_each(|name| self.use_name(name, Role::Called));
            }
            ItemKind::Setting(it) => {
                match &it.values {
                    SettingValues::Typed { ty, default } => {
                        self.part(ty);
                        self.part(default);
                    }
                    SettingValues::Readings(readings) => self.readings(readings),
                }
                self.items(it.edits.iter().flatten());
            }
            ItemKind::Zone(it) => {
                self.part(&it.index);
                self.use_name(&it.component, Role::Read);
                self.operand(&it.capacity);
                self.fields(&it.fields);
                self.visibility(it.visibility.as_ref());
            }
            ItemKind::Track(it) => {
                self.part(&it.index);
                self.part(&it.ty);
                self.part(&it.start);
                self.visibility(it.visibility.as_ref());
            }
            ItemKind::Table(it) => {
                self.part(&it.index);
                self.part(&it.ty);
                self.part(&it.otherwise);
                self.rows(&it.rows);
            }
            ItemKind::Define(it) => {
                self.part(&it.ty);
                self.part(&it.value);
            }
            ItemKind::Event(it) => self.part(&it.body),
            ItemKind::Action(it) => self.action(it),
            ItemKind::Flow(it) => {
                self.part(&it.result);
                self.part(&it.body);
            }
            ItemKind::Ending(it) => self.part(&it.body),
            ItemKind::Invariant(it) => {
                self.part(&it.guard);
                self.part(&it.condition);
                self.part(&it.message);
            }
            // To be drawn is no use, but what is asked for it is.
            ItemKind::Picture(it) => {
                self.formals(&it.formals);
                it.layers
                    .iter()
                    .for_each(|layer| self.part(&layer.condition));
            }
            ItemKind::Ruling(it) => self.ruling(it),
            ItemKind::Study(it) => self.study(it),
            ItemKind::Edit(it) => self.edit(it),
            ItemKind::Resolve(it) => {
                self.items(&it.items);
            }
        }
    }

    fn readings(&mut self, readings: &'a [Reading]) {
        for reading in readings {
            self.clause(&reading.tail, reading.span);
            self.items(reading.edits.iter().flatten());
        }
    }

    fn items(&mut self, items: impl IntoIterator<Item = &'a Item>) {
        for item in items {
            self.item(item, false);
        }
    }

    fn action(&mut self, it: &'a Action) {
        self.part(&it.text);
        for require in &it.requires {
            self.clause(&require.tail, require.span);
            self.part(&require.condition);
            self.part(&require.message);
        }
        // A move can come again and again.
        self.looped = true;
        self.part(&it.body);
    }

    fn fields(&mut self, fields: &'a [FieldDecl]) {
        for field in fields {
            self.part(&field.ty);
            self.part(&field.default);
        }
    }

    fn rows(&mut self, rows: &'a [Row]) {
        for row in rows {
            self.clause(&row.tail, row.span);
            row.cells.iter().for_each(|cell| self.part(&cell.value));
        }
    }

    fn visibility(&mut self, visibility: Option<&'a Visibility>) {
        if let Some(it) = visibility {
            self.part(&it.audience);
        }
    }

    fn edit(&mut self, edit: &'a Edit) {
        match edit {
            Edit::Set { value, .. } => self.expr(value, ast::Role::Kept),
            Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it) => {
                self.changes(&it.target);
                self.formals(&it.formals);
                self.part(&it.condition);
                self.part(&it.because);
            }
            Edit::Replace(Replace::Item(item)) => self.item(item, true),
            Edit::Replace(Replace::Value {
                path,
                value,
                message,
            }) => {
                self.changes(path);
                self.inherited(path);
                self.part(value);
                self.part(message);
            }
            Edit::Replace(Replace::Body { path, body }) => {
                self.changes(path);
                self.inherited(path);
                self.part(body);
            }
            Edit::Insert { path, body, .. } => {
                self.changes(path);
                self.inherited(path);
                self.part(body);
            }
            Edit::Remove { path } => self.changes(path),
            Edit::Extend {
                path,
                formals,
                value,
                ..
            } => {
                self.changes(path);
                self.formals(formals);
                self.part(value);
            }
            Edit::Add(Add::Values { .. }) => {}
            Edit::Add(Add::Fields { fields, .. }) => self.fields(fields),
            Edit::Add(Add::Rows { rows, .. }) => self.rows(rows),
            Edit::Add(Add::Readings { readings, .. }) => self.readings(readings),
            Edit::Add(Add::Slots { slots, .. }) => self.part(slots),
            Edit::Add(Add::Alternatives { alternatives, .. }) => {
                self.index.choices.push(alternatives.iter().collect());
                self.part(alternatives);
            }
        }
    }

    fn changes(&mut self, path: &'a Path) {
        let first = path.segments.first().map(Name::as_str);
        self.index.edited.extend(first);
    }

    fn formals(&mut self, names: &'a [Name]) {
        for name in names {
            self.bind(name, LocalKind::Formal);
        }
    }

    /// Binds the parameters of what an edit changes: its body may name them.
    fn inherited(&mut self, path: &'a Path) {
        let first = path.segments.first().map_or("", Name::as_str);
        let params = self.params.get(first).copied().unwrap_or_default();
        for name in params.iter().flat_map(|param| &param.names) {
            self.bind(name, LocalKind::Formal);
        }
    }

    fn ruling(&mut self, it: &'a Ruling) {
        if let Some(given) = &it.given {
            given.body.walk(self, ast::Role::Open);
        }
        for when in &it.whens {
            self.play(&when.play);
        }
        for expect in &it.expects {
            self.clause(&expect.tail, expect.span);
            match &expect.kind {
                ExpectKind::Legal(play) | ExpectKind::Illegal { play, .. } => self.play(play),
                ExpectKind::Offers { who, exactly } => {
                    self.operand(who);
                    self.part(exactly);
                }
                ExpectKind::Ended { by } => {
                    by.iter().for_each(|name| self.use_name(name, Role::Called));
                }
                ExpectKind::Sees { who, what, .. } => {
                    self.operand(who);
                    self.operand(what);
                }
                ExpectKind::Told { who, .. } => self.operand(who),
                // `expect (legal)` asks for a value of that name.
                ExpectKind::Holds(value) => self.expr(value, ast::Role::Kept),
            }
            for under in &expect.under {
                self.expr(&under.value, ast::Role::Kept);
            }
        }
    }

    fn study(&mut self, it: &'a Study) {
        if let Some(given) = &it.given {
            given.body.walk(self, ast::Role::Open);
        }
        self.scoped(|walk| {
            match &it.find {
                Find::Members(binders) => {
                    binders.walk(walk, ast::Role::Binds(LocalKind::Member));
                    // What is found are the members themselves.
                    walk.collected(binders);
                }
                // `find (x in S)` is one truth value.
                Find::Condition(condition) => walk.expr(condition, ast::Role::Kept),
            }
            walk.part(&it.never);
        });
    }

    fn play(&mut self, play: &'a Play) {
        self.operand(&play.who);
        self.part(&play.alternative);
    }
}

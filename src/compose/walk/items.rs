//! Items.

use super::{Use, Visitor, Walk};
use crate::syntax::ast::{self, Binds, Changer, ItemKind, Role, Tree};

impl<V: Visitor> Walk<'_, V> {
    /// Walks an item; of an edit, what it brings, not the address it names.
    pub(in crate::compose) fn item(&mut self, item: &mut ast::Item) {
        self.scoped(|walk| walk.kind(&mut item.kind));
    }

    fn kind(&mut self, kind: &mut ItemKind) {
        match kind {
            ItemKind::Enum(_)
            | ItemKind::Aside(_)
            | ItemKind::Sentences(_)
            | ItemKind::Relation(_) => {}
            // The items inside a resolution are walked one by one.
            ItemKind::Resolve(_) => {}
            ItemKind::Record(it) => self.fields(&mut it.fields),
            ItemKind::Component(it) => self.fields(&mut it.fields),
            ItemKind::Supply(it) => {
                self.free(&mut it.component, Use::Named);
                self.know("it");
                self.part(&mut it.count);
                self.part(&mut it.condition);
                self.part(&mut it.place);
            }
            ItemKind::Space(it) => {
                for axis in &mut it.axes {
                    match axis {
                        ast::Axis::Named { ty, .. } => self.part(ty),
                        ast::Axis::Value(value) => self.part(value),
                    }
                }
                if let Some(meeting) = &mut it.meeting {
                    self.free(&mut meeting.ports, Use::Call);
                }
            }
            // The items of its readings are walked one by one.
            ItemKind::Setting(it) => {
                for condition in &mut it.under {
                    self.free(&mut condition.question, Use::Named);
                }
                match &mut it.values {
                    ast::SettingValues::Typed { ty, default } => {
                        self.part(ty);
                        self.part(default);
                    }
                    ast::SettingValues::Readings(_) => {}
                }
            }
            ItemKind::Zone(it) => {
                self.part(&mut it.index);
                self.free(&mut it.component, Use::Named);
                self.part(&mut it.capacity);
                self.fields(&mut it.fields);
                self.visibility(&mut it.visibility);
            }
            ItemKind::Track(it) => {
                self.part(&mut it.index);
                self.part(&mut it.ty);
                self.part(&mut it.start);
                self.visibility(&mut it.visibility);
            }
            ItemKind::Table(it) => {
                self.part(&mut it.index);
                self.part(&mut it.ty);
                self.part(&mut it.otherwise);
                self.rows(&mut it.rows);
            }
            ItemKind::Define(it) => {
                self.part(&mut it.params);
                self.part(&mut it.ty);
                self.part(&mut it.value);
            }
            ItemKind::Event(it) => {
                self.part(&mut it.params);
                self.part(&mut it.body);
            }
            ItemKind::Action(it) => self.action(it),
            ItemKind::Flow(it) => {
                self.part(&mut it.params);
                self.part(&mut it.result);
                self.part(&mut it.body);
            }
            ItemKind::Ending(it) => {
                self.part(&mut it.params);
                self.part(&mut it.body);
            }
            ItemKind::Invariant(it) => {
                self.part(&mut it.params);
                self.part(&mut it.guard);
                self.part(&mut it.condition);
                self.part(&mut it.message);
            }
            // The holes read fields of what is shown.
            ItemKind::Show(it) => self.free(&mut it.name, Use::Named),
            ItemKind::Picture(it) => {
                self.free(&mut it.space, Use::Named);
                self.locals(&it.formals);
                for layer in &mut it.layers {
                    self.part(&mut layer.condition);
                }
            }
            ItemKind::Ruling(it) => self.ruling(it),
            ItemKind::Study(it) => self.study(it),
            ItemKind::Edit(it) => self.edit(it),
        }
    }

    fn action(&mut self, it: &mut ast::Action) {
        self.part(&mut it.params);
        self.part(&mut it.text);
        for require in &mut it.requires {
            self.part(&mut require.condition);
            self.part(&mut require.message);
        }
        self.part(&mut it.body);
    }

    fn edit(&mut self, edit: &mut ast::Edit) {
        match edit {
            ast::Edit::Set { value, .. } => self.part(value),
            ast::Edit::Forbid(guard) | ast::Edit::Permit(guard) | ast::Edit::Except(guard) => {
                self.locals(&guard.formals);
                self.part(&mut guard.condition);
                self.part(&mut guard.because);
            }
            ast::Edit::Replace(ast::Replace::Item(item)) => self.kind(&mut item.kind),
            ast::Edit::Replace(ast::Replace::Value { value, message, .. }) => {
                self.part(value);
                self.part(message);
            }
            ast::Edit::Replace(ast::Replace::Body { body, .. })
            | ast::Edit::Insert { body, .. } => self.part(body),
            ast::Edit::Remove { .. } => {}
            ast::Edit::Extend { formals, value, .. } => {
                self.locals(formals);
                self.part(value);
            }
            ast::Edit::Add(add) => match add {
                ast::Add::Values { .. } | ast::Add::Readings { .. } => {}
                ast::Add::Fields { fields, .. } => self.fields(fields),
                ast::Add::Rows { rows, .. } => self.rows(rows),
                ast::Add::Slots { slots, .. } => self.part(slots),
                ast::Add::Alternatives { alternatives, .. } => self.part(alternatives),
            },
        }
    }

    fn ruling(&mut self, it: &mut ast::Ruling) {
        for question in &mut it.answers {
            self.free(question, Use::Named);
        }
        self.given(&mut it.given);
        for when in &mut it.whens {
            self.play(&mut when.play);
        }
        for expect in &mut it.expects {
            match &mut expect.kind {
                ast::ExpectKind::Legal(play) | ast::ExpectKind::Illegal { play, .. } => {
                    self.play(play);
                }
                ast::ExpectKind::Offers { who, exactly } => {
                    self.part(who);
                    self.part(exactly);
                }
                ast::ExpectKind::Ended { by } => {
                    by.iter_mut().for_each(|name| self.free(name, Use::Call));
                }
                ast::ExpectKind::Sees { who, what, .. } => {
                    self.part(who);
                    self.part(what);
                }
                ast::ExpectKind::Told { who, .. } => self.part(who),
                ast::ExpectKind::Holds(expr) => self.part(expr),
            }
            for under in &mut expect.under {
                self.head(Some(&mut under.setting));
                self.part(&mut under.value);
            }
        }
    }

    fn study(&mut self, it: &mut ast::Study) {
        self.given(&mut it.given);
        match &mut it.find {
            ast::Find::Members(binders) => binders.walk_mut(self, Role::Binds(Binds::Member)),
            ast::Find::Condition(condition) => self.part(condition),
        }
        self.part(&mut it.never);
    }

    fn given(&mut self, given: &mut Option<ast::Given>) {
        if let Some(given) = given {
            let at = given.from.as_mut().and_then(|from| from.at.as_mut());
            self.head(at);
            given.body.walk_mut(self, Role::Open);
        }
    }

    fn play(&mut self, play: &mut ast::Play) {
        self.part(&mut play.who);
        self.part(&mut play.alternative);
    }

    fn head(&mut self, path: Option<&mut ast::Path>) {
        if let Some(head) = path.and_then(|path| path.segments.first_mut()) {
            self.free(head, Use::Named);
        }
    }

    fn locals(&mut self, names: &[ast::Name]) {
        for name in names {
            self.scope
                .locals
                .push((name.text.clone(), name.text.clone()));
        }
    }

    fn fields(&mut self, fields: &mut [ast::FieldDecl]) {
        for field in fields {
            self.part(&mut field.ty);
            self.part(&mut field.default);
        }
    }

    fn rows(&mut self, rows: &mut [ast::Row]) {
        for row in rows {
            for key in &mut row.keys {
                match key {
                    ast::Key::Name(name) => self.free(name, Use::Named),
                    ast::Key::Number(_) => {}
                }
            }
            for cell in &mut row.cells {
                self.part(&mut cell.value);
            }
        }
    }

    fn visibility(&mut self, visibility: &mut Option<ast::Visibility>) {
        if let Some(visibility) = visibility {
            self.scoped(|walk| {
                walk.know("owner");
                walk.part(&mut visibility.audience);
            });
        }
    }
}

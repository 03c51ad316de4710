//! Items.

use super::{Use, Visitor, Walk};
use crate::syntax::ast::{self, ItemKind};

impl<V: Visitor> Walk<'_, V> {
    /// Walks an item; of an edit, what it brings, not the address it names.
    pub(in crate::compose) fn item(&mut self, item: &mut ast::Item) {
        self.block_of(|walk| walk.kind(&mut item.kind));
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
                self.free(&mut it.component, Use::Value);
                self.with_it(|walk| {
                    walk.exprs(&mut it.count);
                    walk.exprs(&mut it.condition);
                    walk.expr(&mut it.place);
                });
            }
            ItemKind::Space(it) => {
                for axis in &mut it.axes {
                    match axis {
                        ast::Axis::Named { ty, .. } => self.ty(ty),
                        ast::Axis::Value(value) => self.expr(value),
                    }
                }
                if let Some(meeting) = &mut it.meeting {
                    self.free(&mut meeting.ports, Use::Call);
                }
            }
            ItemKind::Setting(it) => match &mut it.values {
                ast::SettingValues::Typed { ty, default } => {
                    self.ty(ty);
                    self.expr(default);
                }
                ast::SettingValues::Readings(_) => {}
            },
            ItemKind::Zone(it) => {
                self.types(&mut it.index);
                self.free(&mut it.component, Use::Value);
                self.exprs(&mut it.capacity);
                self.fields(&mut it.fields);
                self.visibility(&mut it.visibility);
            }
            ItemKind::Track(it) => {
                self.types(&mut it.index);
                self.ty(&mut it.ty);
                self.exprs(&mut it.start);
                self.visibility(&mut it.visibility);
            }
            ItemKind::Table(it) => {
                self.types(&mut it.index);
                self.ty(&mut it.ty);
                self.exprs(&mut it.otherwise);
                self.rows(&mut it.rows);
            }
            ItemKind::Define(it) => {
                self.params(&mut it.params);
                self.ty(&mut it.ty);
                self.expr(&mut it.value);
            }
            ItemKind::Event(it) => {
                self.params(&mut it.params);
                self.block(&mut it.body);
            }
            ItemKind::Action(it) => self.action(it),
            ItemKind::Flow(it) => {
                self.params(&mut it.params);
                it.result.iter_mut().for_each(|ty| self.ty(ty));
                self.block(&mut it.body);
            }
            ItemKind::Ending(it) => {
                self.params(&mut it.params);
                self.block(&mut it.body);
            }
            ItemKind::Invariant(it) => {
                self.params(&mut it.params);
                self.exprs(&mut it.guard);
                self.expr(&mut it.condition);
                it.message.iter_mut().for_each(|text| self.template(text));
            }
            // The holes read fields of what is shown.
            ItemKind::Show(it) => self.free(&mut it.name, Use::Value),
            ItemKind::Picture(it) => {
                self.free(&mut it.space, Use::Value);
                self.locals(&it.formals);
                for layer in &mut it.layers {
                    self.exprs(&mut layer.condition);
                }
            }
            ItemKind::Ruling(it) => self.ruling(it),
            ItemKind::Study(it) => self.study(it),
            ItemKind::Edit(it) => self.edit(it),
        }
    }

    fn action(&mut self, it: &mut ast::Action) {
        self.params(&mut it.params);
        if let Some(text) = &mut it.text {
            self.template(text);
        }
        for require in &mut it.requires {
            self.expr(&mut require.condition);
            if let Some(message) = &mut require.message {
                self.template(message);
            }
        }
        it.body.iter_mut().for_each(|body| self.block(body));
    }

    fn edit(&mut self, edit: &mut ast::Edit) {
        match edit {
            ast::Edit::Set { value, .. } => self.expr(value),
            ast::Edit::Forbid(guard) | ast::Edit::Permit(guard) | ast::Edit::Except(guard) => {
                self.locals(&guard.formals);
                self.expr(&mut guard.condition);
                if let Some(because) = &mut guard.because {
                    self.template(because);
                }
            }
            ast::Edit::Replace(ast::Replace::Item(item)) => self.kind(&mut item.kind),
            ast::Edit::Replace(ast::Replace::Value { value, message, .. }) => {
                self.expr(value);
                if let Some(message) = message {
                    self.template(message);
                }
            }
            ast::Edit::Replace(ast::Replace::Body { body, .. })
            | ast::Edit::Insert { body, .. } => self.block(body),
            ast::Edit::Remove { .. } => {}
            ast::Edit::Extend { formals, value, .. } => {
                self.locals(formals);
                self.expr(value);
            }
            ast::Edit::Add(add) => match add {
                ast::Add::Values { .. } => {}
                ast::Add::Fields { fields, .. } => self.fields(fields),
                ast::Add::Rows { rows, .. } => self.rows(rows),
                ast::Add::Slots { slots, .. } => self.slots(slots),
                ast::Add::Alternatives { alternatives, .. } => self.alternatives(alternatives),
            },
        }
    }

    fn ruling(&mut self, it: &mut ast::Ruling) {
        for question in &mut it.answers {
            self.free(question, Use::Value);
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
                    self.expr(who);
                    self.alternatives(exactly);
                }
                ast::ExpectKind::Ended { by } => {
                    by.iter_mut().for_each(|name| self.free(name, Use::Call));
                }
                ast::ExpectKind::Sees { who, what, .. } => {
                    self.expr(who);
                    self.expr(what);
                }
                ast::ExpectKind::Told { who, .. } => self.expr(who),
                ast::ExpectKind::Holds(expr) => self.expr(expr),
            }
            for under in &mut expect.under {
                self.head(Some(&mut under.setting));
                self.expr(&mut under.value);
            }
        }
    }

    fn study(&mut self, it: &mut ast::Study) {
        self.given(&mut it.given);
        match &mut it.find {
            ast::Find::Members(binders) => {
                for binder in binders {
                    self.binder(binder);
                }
            }
            ast::Find::Condition(condition) => self.expr(condition),
        }
        self.exprs(&mut it.never);
    }

    fn given(&mut self, given: &mut Option<ast::Given>) {
        if let Some(given) = given {
            let at = given.from.as_mut().and_then(|from| from.at.as_mut());
            self.head(at);
            self.statements(&mut given.body);
        }
    }

    fn play(&mut self, play: &mut ast::Play) {
        self.expr(&mut play.who);
        self.alternatives(std::slice::from_mut(&mut play.alternative));
    }

    fn head(&mut self, path: Option<&mut ast::Path>) {
        if let Some(head) = path.and_then(|path| path.segments.first_mut()) {
            self.free(head, Use::Value);
        }
    }

    fn locals(&mut self, names: &[ast::Name]) {
        for name in names {
            self.scope
                .locals
                .push((name.text.clone(), name.text.clone()));
        }
    }

    fn params(&mut self, params: &mut [ast::Param]) {
        for param in params {
            match &mut param.domain {
                ast::ParamDomain::Type(ty) => self.ty(ty),
                ast::ParamDomain::Set(set) => self.expr(set),
            }
            param.names.iter_mut().for_each(|name| self.bind(name));
        }
    }

    fn fields(&mut self, fields: &mut [ast::FieldDecl]) {
        for field in fields {
            self.ty(&mut field.ty);
            self.exprs(&mut field.default);
        }
    }

    fn rows(&mut self, rows: &mut [ast::Row]) {
        for row in rows {
            for key in &mut row.keys {
                match key {
                    ast::Key::Name(name) => self.free(name, Use::Value),
                    ast::Key::Number(_) => {}
                }
            }
            for cell in &mut row.cells {
                self.expr(&mut cell.value);
            }
        }
    }

    fn visibility(&mut self, visibility: &mut Option<ast::Visibility>) {
        if let Some(visibility) = visibility {
            self.block_of(|walk| {
                walk.scope.locals.push(("owner".into(), "owner".into()));
                walk.audience(&mut visibility.audience);
            });
        }
    }

    fn types(&mut self, types: &mut [ast::Type]) {
        types.iter_mut().for_each(|ty| self.ty(ty));
    }

    fn ty(&mut self, ty: &mut ast::Type) {
        match &mut ty.kind {
            ast::TypeKind::Named(name) => self.free(name, Use::Value),
            ast::TypeKind::Range(from, to) => self.exprs([&mut **from, to]),
            ast::TypeKind::SetOf(ty) | ast::TypeKind::OrNone(ty) => self.ty(ty),
            ast::TypeKind::Tuple(types) => self.types(types),
        }
    }
}

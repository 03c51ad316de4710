//! Files and items.

use super::{LocalKind, Placed, Role, Stands, Walk, params_of};
use crate::source::Span;
use crate::syntax::ast::{
    Action, Add, Axis, Edit, ExpectKind, FieldDecl, File, Find, Item, ItemKind, Name, Param,
    ParamDomain, Path, Play, Replace, Row, Ruling, SettingValues, Study, Visibility,
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
            self.param(param);
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
                self.operands(&it.count);
                self.use_name(&it.component, Role::Read);
                self.all_alone(&it.condition);
                self.operand(&it.place);
            }
            ItemKind::Space(it) => {
                for axis in &it.axes {
                    match axis {
                        Axis::Named { ty, .. } => self.ty(ty),
                        Axis::Value(value) => self.operand(value),
                    }
                }
                let ports = it.meeting.iter().map(|meeting| &meeting.ports);
                ports.for_each(|name| self.use_name(name, Role::Called));
            }
            ItemKind::Setting(it) => match &it.values {
                SettingValues::Typed { ty, default } => {
                    self.ty(ty);
                    self.alone(default);
                }
                SettingValues::Readings(readings) => {
                    for reading in readings {
                        self.clause(&reading.tail, reading.span);
                    }
                }
            },
            ItemKind::Zone(it) => {
                self.types(&it.index);
                self.use_name(&it.component, Role::Read);
                self.operands(&it.capacity);
                self.fields(&it.fields);
                self.visibility(it.visibility.as_ref());
            }
            ItemKind::Track(it) => {
                self.types(&it.index);
                self.ty(&it.ty);
                self.all_alone(&it.start);
                self.visibility(it.visibility.as_ref());
            }
            ItemKind::Table(it) => {
                self.types(&it.index);
                self.ty(&it.ty);
                self.all_alone(&it.otherwise);
                self.rows(&it.rows);
            }
            ItemKind::Define(it) => {
                self.ty(&it.ty);
                self.alone(&it.value);
            }
            ItemKind::Event(it) => self.block(&it.body),
            ItemKind::Action(it) => self.action(it),
            ItemKind::Flow(it) => {
                self.types(&it.result);
                self.block(&it.body);
            }
            ItemKind::Ending(it) => self.block(&it.body),
            ItemKind::Invariant(it) => {
                self.all_alone(&it.guard);
                self.alone(&it.condition);
                it.message.iter().for_each(|text| self.template(text));
            }
            // To be drawn is no use, but what is asked for it is.
            ItemKind::Picture(it) => {
                self.formals(&it.formals);
                let conditions = it.layers.iter().flat_map(|it| &it.condition);
                self.all_alone(conditions);
            }
            ItemKind::Ruling(it) => self.ruling(it),
            ItemKind::Study(it) => self.study(it),
            ItemKind::Edit(it) => self.edit(it),
            ItemKind::Resolve(it) => {
                for item in &it.items {
                    self.item(item, false);
                }
            }
        }
    }

    fn action(&mut self, it: &'a Action) {
        it.text.iter().for_each(|text| self.template(text));
        for require in &it.requires {
            self.clause(&require.tail, require.span);
            self.alone(&require.condition);
            let message = require.message.iter();
            message.for_each(|message| self.template(message));
        }
        // A move can come again and again.
        self.looped = true;
        it.body.iter().for_each(|body| self.block(body));
    }

    fn param(&mut self, param: &'a Param) {
        match &param.domain {
            ParamDomain::Type(ty) => self.ty(ty),
            ParamDomain::Set(set) => self.alone(set),
        }
        for name in &param.names {
            self.bind(name, LocalKind::Param);
        }
    }

    fn fields(&mut self, fields: &'a [FieldDecl]) {
        for field in fields {
            self.ty(&field.ty);
            self.all_alone(&field.default);
        }
    }

    fn rows(&mut self, rows: &'a [Row]) {
        for row in rows {
            self.clause(&row.tail, row.span);
            self.all_alone(row.cells.iter().map(|cell| &cell.value));
        }
    }

    fn visibility(&mut self, visibility: Option<&'a Visibility>) {
        if let Some(it) = visibility {
            self.audience(&it.audience);
        }
    }

    fn edit(&mut self, edit: &'a Edit) {
        match edit {
            Edit::Set { value, .. } => self.expr(value, Stands::Kept),
            Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it) => {
                self.changes(&it.target);
                self.formals(&it.formals);
                self.alone(&it.condition);
                it.because.iter().for_each(|text| self.template(text));
            }
            Edit::Replace(Replace::Item(item)) => self.item(item, true),
            Edit::Replace(Replace::Value {
                path,
                value,
                message,
            }) => {
                self.changes(path);
                self.inherited(path);
                self.alone(value);
                message.iter().for_each(|text| self.template(text));
            }
            Edit::Replace(Replace::Body { path, body }) => {
                self.changes(path);
                self.inherited(path);
                self.block(body);
            }
            Edit::Insert { path, body, .. } => {
                self.changes(path);
                self.inherited(path);
                self.block(body);
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
                self.alone(value);
            }
            Edit::Add(Add::Values { .. }) => {}
            Edit::Add(Add::Fields { fields, .. }) => self.fields(fields),
            Edit::Add(Add::Rows { rows, .. }) => self.rows(rows),
            Edit::Add(Add::Slots { slots, .. }) => self.slots(slots),
            Edit::Add(Add::Alternatives { alternatives, .. }) => {
                self.index.choices.push(alternatives.iter().collect());
                self.alternatives(alternatives);
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
            self.statements(&given.body);
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
                    self.alternatives(exactly);
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
                ExpectKind::Holds(value) => self.expr(value, Stands::Kept),
            }
            for under in &expect.under {
                self.expr(&under.value, Stands::Kept);
            }
        }
    }

    fn study(&mut self, it: &'a Study) {
        if let Some(given) = &it.given {
            self.statements(&given.body);
        }
        self.scoped(|walk| {
            match &it.find {
                Find::Members(binders) => {
                    let first = walk.index.locals.len();
                    for binder in binders {
                        walk.binder(binder, LocalKind::Member);
                    }
                    // What is found are the members themselves.
                    for local in walk.index.locals.iter_mut().skip(first) {
                        local.n_reads += 1;
                    }
                }
                // `find (x in S)` is one truth value.
                Find::Condition(condition) => walk.expr(condition, Stands::Kept),
            }
            walk.all_alone(&it.never);
        });
    }

    fn play(&mut self, play: &'a Play) {
        self.operand(&play.who);
        self.alternatives(std::slice::from_ref(&play.alternative));
    }
}

//! One walk over the files that says of each name what it stands for.

use rustc_hash::FxHashMap as HashMap;

use super::declared::{Declared, named_type};
use super::names::{Doing, Target, Use};
use crate::check::{Meant, Taken};
use crate::model::{Base, Game};
use crate::source::{FileId, Span};
use crate::syntax::ast::{
    self, Alternative, Arg, ArmHead, Binds, Call, Cite, Cited, Expr, ExprKind, Header, HeaderKind,
    Item, ItemKind, Key, Name, Param, ParamDomain, Path, Role, Row, Statement, StatementKind, Tail,
    Tree, Type, UnitRef, Visitor,
};

/// Returns what names stand for; of what is said twice of a place the first holds.
pub(super) fn walk(
    files: &[ast::File],
    declared: &Declared<'_>,
    game: Option<&Game>,
    meant: &[Meant],
) -> Walked {
    let meant = meant.iter().map(|it| (place(it.name), &it.as_what));
    let mut walk = Walk {
        declared,
        meant: meant.collect(),
        types: HashMap::default(),
        scope: Vec::new(),
        outside: Vec::new(),
        bases: HashMap::default(),
        hints: HashMap::default(),
        shown: None,
        amends: None,
        walked: Walked::default(),
    };
    for local in game.into_iter().flat_map(|it| &it.locals) {
        let domain = match local.ty.base {
            Base::Elem(id) | Base::Set(id) => game.and_then(|it| it.domains.get(id.index())),
            _ => None,
        };
        if let Some(domain) = domain {
            walk.types.insert(place(local.span), &domain.name);
        }
    }
    for file in files {
        let parts = file.parts.iter().map(|part| &part.header);
        for header in file.header.iter().chain(parts) {
            walk.header(header);
        }
        for item in &file.items {
            walk.item(item, Role::Plain);
        }
    }
    let things = declared.things.iter();
    let declares = things.flat_map(|(target, all)| {
        all.iter().map(|it| Use {
            span: it.name,
            target: target.clone(),
            doing: match it.replaces {
                true => Doing::Amends,
                false => Doing::Declares,
            },
        })
    });
    walk.walked.uses.extend(declares);
    walk.walked
}

/// What was found.
#[derive(Default)]
pub(super) struct Walked {
    pub(super) uses: Vec<Use>,
    /// Names of which the words do not say what they stand for.
    pub(super) unknown: Vec<Unknown>,
    /// The parameters that an edit has words of its own for, by where these stand.
    pub(super) formals: HashMap<At, Span>,
    /// What is bound by `let`.
    pub(super) lets: Vec<Span>,
}

pub(super) type At = (FileId, u32);

/// What something can be.
type Words = &'static [&'static str];

/// A name of which the words do not say what it stands for.
#[derive(Clone, Debug)]
pub(super) struct Unknown {
    pub(super) span: Span,
    /// What it could be, in words of the language.
    pub(super) words: Words,
    /// The item that the edit changes in which it stands; it could be a local of that.
    pub(super) amends: Option<String>,
}

pub(super) fn place(span: Span) -> At {
    (span.file, span.start)
}

pub(super) struct Walk<'a> {
    pub(super) declared: &'a Declared<'a>,
    /// What the check took names for.
    meant: HashMap<At, &'a Taken>,
    /// The names of the types of locals, by where they are bound.
    pub(super) types: HashMap<At, &'a str>,
    /// The locals that can be named here; inner ones last.
    pub(super) scope: Vec<(&'a str, At)>,
    outside: Vec<usize>,
    /// What fields are asked of, by the place of the field.
    bases: HashMap<At, &'a Expr>,
    /// The item in which a name is looked for first.
    hints: HashMap<At, &'a str>,
    /// The kind of value whose text is told: its fields are known there.
    shown: Option<&'a str>,
    /// The item that the edit changes in which the walk is.
    amends: Option<&'a str>,
    pub(super) walked: Walked,
}

impl<'a> Walk<'a> {
    pub(super) fn push(&mut self, span: Span, target: Target, doing: Doing) {
        self.walked.uses.push(Use {
            span,
            target,
            doing,
        });
    }

    fn header(&mut self, header: &'a Header) {
        let book = |name: &Name| Target::Book(name.text.clone());
        match &header.kind {
            HeaderKind::Game => {}
            HeaderKind::Amendment { base, .. } => self.push(base.span, book(base), Doing::Amends),
            HeaderKind::Part => self.push(header.name.span, book(&header.name), Doing::Reads),
        }
        self.cites(&header.tail.cites);
        for name in header.history.iter().flat_map(|it| &it.of) {
            self.free(name, Doing::Reads);
        }
    }

    fn cites(&mut self, cites: &[Cite]) {
        for it in cites {
            let source = it.source.as_ref();
            if let Some(name) = source {
                let target = Target::Source(name.text.clone());
                self.push(name.span, target, Doing::Cites);
            }
            let source = source.map_or_else(String::new, |it| it.text.clone());
            if let Cited::Sentences { first, last } = &it.what {
                for id in [first, last] {
                    let target = Target::Sentence(source.clone(), id.to_string());
                    self.push(id.span, target, Doing::Cites);
                }
            }
        }
    }

    fn ends(&mut self, tail: &'a Tail) {
        self.cites(&tail.cites);
        let units = tail.orders.iter().flat_map(|it| &it.units);
        units.for_each(|it| self.unit(it));
    }

    fn unit(&mut self, unit: &'a UnitRef) {
        let name = unit.name.as_str();
        let book = Target::Book(name.to_owned());
        let target = match self.declared.find(name) {
            Some(item) if !self.declared.things.contains_key(&book) => item,
            _ => book,
        };
        self.push(unit.name.span, target, Doing::Reads);
        if let Some(reading) = &unit.reading {
            self.below(name, reading, Doing::Reads);
        }
    }

    /// A name that is looked for inside something.
    pub(super) fn below(&mut self, around: &str, name: &Name, doing: Doing) {
        if let Some(target) = self.declared.find(&format!("{around}.{name}")) {
            self.push(name.span, target, doing);
        }
    }

    /// An address: each of its names as far as something has it.
    pub(super) fn path(&mut self, path: &'a Path, doing: Doing) {
        let mut address = String::new();
        for (at, name) in path.segments.iter().enumerate() {
            if at > 0 {
                address.push('.');
            }
            address.push_str(name.as_str());
            let doing = match at + 1 == path.segments.len() {
                true => doing,
                false => Doing::Reads,
            };
            if let Some(target) = self.declared.find(&address) {
                self.push(name.span, target, doing);
            }
        }
    }

    fn local(&self, name: &str) -> Option<At> {
        let mut all = self.scope.iter().rev();
        all.find(|(it, _)| *it == name).map(|(_, at)| *at)
    }

    /// A name that is no local.
    fn free(&mut self, name: &'a Name, doing: Doing) {
        let text = name.as_str();
        let hint = self.hints.get(&place(name.span)).copied();
        let hint = hint.or(self.shown);
        if self.as_checked(name, doing) {
        } else if let Some(around) = hint
            && let Some(target) = self.declared.find(&format!("{around}.{text}"))
        {
            self.push(name.span, target, doing);
        } else if self.declared.items.contains_key(text) {
            self.push(name.span, Target::Item(text.to_owned()), doing);
        } else {
            self.inner(name, &["value", "reading", "track"], hint, doing);
        }
    }

    /// Takes a name for what the check took it for; returns whether it did.
    fn as_checked(&mut self, name: &'a Name, doing: Doing) -> bool {
        let (target, is_built_in) = match self.meant.get(&place(name.span)) {
            Some(Taken::Inside(around)) => (
                self.declared.find(&format!("{around}.{name}")),
                !self.declared.items.contains_key(around.as_str()),
            ),
            Some(Taken::Item) => (self.declared.find(name.as_str()), false),
            Some(Taken::Word) => (None, true),
            None => (None, false),
        };
        let is_known = target.is_some() || is_built_in;
        if let Some(target) = target {
            self.push(name.span, target, doing);
        }
        is_known
    }

    /// What has a name inside an item and is of one of these kinds, if that is one thing only.
    fn inner(&mut self, name: &'a Name, words: Words, hint: Option<&str>, doing: Doing) {
        let all = self.declared.inner.get(name.as_str());
        let all = all.into_iter().flatten();
        let all: Vec<&str> = all
            .filter(|(_, word)| words.contains(word))
            .map(|(address, _)| address.as_str())
            .collect();
        let hinted = hint.map(|around| format!("{around}.{name}"));
        let found = match all.as_slice() {
            [only] => Some(*only),
            several => several
                .iter()
                .copied()
                .find(|it| Some(*it) == hinted.as_deref()),
        };
        match found {
            Some(address) => self.push(name.span, Target::Inside(address.to_owned()), doing),
            None => self.walked.unknown.push(Unknown {
                span: name.span,
                words,
                amends: self.amends.map(str::to_owned),
            }),
        }
    }

    /// Arguments with the names of their parameters, or of the fields of what is made.
    fn args(&mut self, called: &'a Name, args: &'a [Arg]) {
        let items = self.declared.items.get(called.as_str());
        let Some(item) = items.and_then(|it| it.first()) else {
            return;
        };
        let params = item.kind.params().unwrap_or_default();
        let params = || params.iter().flat_map(|it| &it.names);
        for name in args.iter().filter_map(|it| it.name.as_ref()) {
            match params().find(|it| it.text == name.text) {
                Some(param) => {
                    let (file, start) = place(param.span);
                    self.push(name.span, Target::Local(file, start), Doing::Reads);
                }
                None => self.below(called.as_str(), name, Doing::Reads),
            }
        }
    }

    pub(super) fn alternative(&mut self, it: &'a Alternative) {
        if it.text.is_none() {
            self.args(&it.name, &it.args);
        }
    }

    /// Returns the item that says what type an expression has, as far as the words tell.
    fn type_of(&self, expr: &'a Expr) -> Option<&'a str> {
        match &expr.kind {
            ExprKind::Name(name) => match self.local(name.as_str()) {
                Some(at) => self.types.get(&at).copied(),
                None => self.declared.type_of_item(name.as_str()),
            },
            ExprKind::Index { base, .. } => self.type_of(base),
            ExprKind::Call(call) => self.declared.type_of_item(call.name.as_str()),
            ExprKind::Field { base, field } => {
                let around = self.type_of(base)?;
                let item = self.declared.items.get(around)?.first()?;
                let fields = match &item.kind {
                    ItemKind::Record(it) => it.fields.as_slice(),
                    ItemKind::Component(it) => it.fields.as_slice(),
                    _ => return None,
                };
                let field = fields.iter().find(|it| it.name.text == field.text)?;
                named_type(&field.ty)
            }
            _ => None,
        }
    }

    /// Notes the types of parameters that are written out.
    pub(super) fn params(&mut self, params: &'a [Param]) {
        for param in params {
            if let ParamDomain::Type(ty) = &param.domain
                && let Some(ty) = named_type(ty)
            {
                let names = param.names.iter();
                self.types.extend(names.map(|it| (place(it.span), ty)));
            }
        }
    }

    /// What a setting is set to is looked for among its readings.
    pub(super) fn value_of(&mut self, setting: &'a Path, value: &'a Expr) {
        if let (Some(name), ExprKind::Name(value)) = (setting.segments.first(), &value.kind) {
            let around = self
                .declared
                .type_of_item(name.as_str())
                .unwrap_or(name.as_str());
            self.hints.insert(place(value.span), around);
        }
    }

    /// The keys of rows are values of the types of a table, the names in their cells fields of what it holds.
    pub(super) fn rows(&mut self, rows: &'a [Row], index: &'a [Type], ty: Option<&str>) {
        for row in rows {
            for (key, ty) in row.keys.iter().zip(index) {
                if let (Key::Name(name), Some(ty)) = (key, named_type(ty)) {
                    self.hints.insert(place(name.span), ty);
                }
            }
            for name in row.cells.iter().filter_map(|it| it.field.as_ref()) {
                self.inner(name, &["field"], ty, Doing::Reads);
            }
        }
    }

    /// The heads of the cases of something are values of its type.
    fn heads(&mut self, subject: &'a Expr, heads: impl Iterator<Item = &'a ArmHead>) {
        let Some(ty) = self.type_of(subject) else {
            return;
        };
        for head in heads {
            if let ArmHead::Names(names) = head {
                let names = names.iter();
                self.hints.extend(names.map(|it| (place(it.span), ty)));
            }
        }
    }
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn item(&mut self, item: &'a Item, _: Role) {
        self.ends(&item.tail);
        self.params(item.kind.params().unwrap_or_default());
        self.enter(false);
        let outside = self.amends;
        match &item.kind {
            ItemKind::Edit(it) => {
                let path = it.place().ok().and_then(|it| it.segments.first());
                self.amends = path.map(Name::as_str);
                self.edit(it);
            }
            ItemKind::Relation(it) => self.unit(&it.unit),
            ItemKind::Resolve(it) => it.units.iter().for_each(|it| self.unit(it)),
            ItemKind::Setting(it) => self.conditions(&it.under),
            ItemKind::Ruling(it) => {
                self.given(it.given.as_ref());
                self.scenes(&it.scenes);
            }
            ItemKind::Position(it) => self.given(Some(&it.given)),
            ItemKind::Study(it) => self.given(it.given.as_ref()),
            ItemKind::Show(it) => {
                self.shown = Some(it.name.as_str());
                it.template.walk(self, Role::Plain);
                self.shown = None;
            }
            ItemKind::Aside(it) => self.cites(&it.cites),
            ItemKind::History(it) => it.of.iter().for_each(|it| self.free(it, Doing::Reads)),
            ItemKind::Sentences(it) => {
                let target = Target::Source(it.source.text.clone());
                self.push(it.source.span, target, Doing::Cites);
            }
            ItemKind::Space(it) => {
                let turn = it.meeting.as_ref().and_then(|it| it.turn.as_ref());
                if let Some(turn) = turn {
                    self.inner(turn, &["field"], None, Doing::Reads);
                }
            }
            ItemKind::Table(it) => {
                self.rows(&it.rows, &it.index, named_type(&it.ty));
            }
            _ => {}
        }
        item.kind.walk(self, Role::Plain);
        self.amends = outside;
        self.leave();
    }

    fn expr(&mut self, expr: &'a Expr, role: Role) {
        match &expr.kind {
            ExprKind::Name(name) if role == Role::Target && self.local(name.as_str()).is_none() => {
                return self.free(name, Doing::Writes);
            }
            ExprKind::Index { base, indices } if role == Role::Target => {
                self.expr(base, Role::Target);
                return indices.walk(self, Role::Plain);
            }
            ExprKind::Field { base, field } => {
                self.bases.insert(place(field.span), base);
            }
            ExprKind::Call(Call { name, args }) => self.args(name, args),
            ExprKind::By { subject, arms } => self.heads(subject, arms.iter().map(|it| &it.head)),
            ExprKind::Can { alternatives, .. } => {
                alternatives.iter().for_each(|it| self.alternative(it));
            }
            ExprKind::Binary { left, right, .. } => {
                for (one, other) in [(left, right), (right, left)] {
                    if let ExprKind::Name(name) = &one.kind
                        && let Some(ty) = self.type_of(other)
                        && self.local(name.as_str()).is_none()
                    {
                        self.hints.insert(place(name.span), ty);
                    }
                }
            }
            _ => {}
        }
        expr.kind.walk(self, Role::Plain);
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Step { tail, .. } => self.ends(tail),
            StatementKind::Call(call) | StatementKind::End(call) => {
                self.args(&call.name, &call.args);
            }
            StatementKind::By { subject, arms } => {
                self.heads(subject, arms.iter().map(|it| &it.head));
            }
            StatementKind::Choose(it) => {
                self.ends(&it.tail);
                if let ast::Among::Alternatives(all) = &it.among {
                    all.iter().for_each(|it| self.alternative(it));
                }
            }
            StatementKind::Window { slots, .. } => {
                let all = slots.iter().flat_map(|it| &it.alternatives);
                all.for_each(|it| self.alternative(it));
            }
            _ => {}
        }
        statement.kind.walk(self, Role::Plain);
    }

    fn bind(&mut self, name: &'a Name, binds: Binds) {
        if binds == Binds::Let {
            self.walked.lets.push(name.span);
        }
        let (file, start) = place(name.span);
        self.scope.push((name.as_str(), (file, start)));
        self.push(name.span, Target::Local(file, start), Doing::Declares);
    }

    fn name(&mut self, name: &'a Name, used_as: ast::Use) {
        let local = match used_as {
            ast::Use::Value | ast::Use::Type => self.local(name.as_str()),
            ast::Use::Named | ast::Use::Call | ast::Use::Field => None,
        };
        match (local, used_as) {
            (Some((file, start)), _) => {
                self.push(name.span, Target::Local(file, start), Doing::Reads);
            }
            (None, ast::Use::Field) => {
                let base = self.bases.get(&place(name.span)).copied();
                let ty = base.and_then(|it| self.type_of(it));
                if !self.as_checked(name, Doing::Reads) {
                    self.inner(name, &["field", "value", "reading"], ty, Doing::Reads);
                }
            }
            (None, ast::Use::Call) if !self.declared.items.contains_key(name.as_str()) => {
                self.inner(name, &["choice"], None, Doing::Reads);
            }
            (None, _) => self.free(name, Doing::Reads),
        }
    }

    fn tail(&mut self, tail: &'a Tail, _: Span) {
        self.ends(tail);
    }

    fn enter(&mut self, _: bool) {
        self.outside.push(self.scope.len());
    }

    fn leave(&mut self) {
        if let Some(before) = self.outside.pop() {
            self.scope.truncate(before);
        }
    }
}

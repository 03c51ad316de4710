//! Names: what is declared, what is local, what was probably meant.

use crate::diagnostic::{Diagnostic, closest, codes};
use crate::limits::MOST_LOCALS;
use crate::model::{ClauseId, DomainId, DomainKind, Expr, ExprKind, Local, LocalId, ProcId, Type};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Name};

pub(super) use super::words::{did_you_mean, listed, there_is};
use super::{Checked, Checker, Entity, Entry, Reported, State};

/// The most declarations that are looked at one for the sake of the other.
const MOST_DEPTH: u32 = 40;
/// After so many findings nothing is proposed any more.
const MOST_SUGGESTIONS: usize = 30;

/// What a local name stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A local; whether a statement may change it.
    Local(LocalId, bool),
    /// The argument in a formal's place.
    Alias(Expr),
    /// Parameters that go by one name, and what that stands for.
    Members { locals: Vec<LocalId>, value: Expr },
    /// Its value is wrong, which has been said.
    Failed,
}

/// Who `me` is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Me {
    /// Nobody, and why.
    Nobody(&'static str),
    /// The seat that an event or flow is called for.
    Implicit(LocalId),
    /// The seat of an action or a turn.
    Bound(LocalId),
}

/// What surrounds the piece that is being checked.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) kind: BodyKind,
    pub(super) locals: Vec<(String, Binding)>,
    pub(super) me: Me,
    /// The type that `return` gives, in a flow that has one.
    pub(super) result: Option<Type>,
    /// The number of `turns` around.
    pub(super) turns: u32,
    /// The address of the innermost labelled piece around.
    pub(super) path: String,
    pub(super) clause: ClauseId,
    pub(super) proc: Option<ProcId>,
    /// In a list of alternatives, the seat that chooses.
    pub(super) acting: Option<Expr>,
    /// The lists of alternatives around.
    pub(super) lists: Vec<String>,
    /// The tracks whose blocks are around, outermost first.
    pub(super) living: Vec<super::lives::Living>,
}

/// What sort of body it is: this decides which statements it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// Only expressions.
    Pure,
    Event,
    Flow,
    Ending,
    /// The `do` of an action.
    Action,
    /// Effects that leave no trace.
    After,
    /// The position of a ruling.
    Given,
}

impl Default for Body {
    fn default() -> Body {
        Body {
            kind: BodyKind::Pure,
            locals: Vec::new(),
            me: Me::Nobody("here nobody is playing"),
            result: None,
            turns: 0,
            path: String::new(),
            clause: ClauseId(0),
            proc: None,
            acting: None,
            lists: Vec::new(),
            living: Vec::new(),
        }
    }
}

impl<'a> Checker<'a> {
    pub(super) fn collect_names(&mut self) {
        for composite in &self.composed.items {
            let item = &composite.item;
            let index = self.entries.len();
            let clause = self.item_clause(composite);
            self.entries.push(Entry {
                composite,
                clause,
                state: State::New,
            });
            // Rulings and studies are cited by their ids, which are no names of the game.
            let name = match &item.kind {
                ItemKind::Ruling(_) | ItemKind::Study(_) => None,
                kind => kind.name(),
            };
            let Some(name) = name else {
                continue;
            };
            if let Some(first) = self.names.get(name.as_str()).copied() {
                let other = self.item(first);
                let earlier = other.kind.name().map_or(item.span, |it| it.span);
                // Which is meant where the name is used, nobody knows.
                if matches!(
                    (&item.kind, &other.kind),
                    (ItemKind::Track(_), ItemKind::Track(_))
                ) && let Some(entry) = self.entries.get_mut(first)
                {
                    entry.state = State::Failed;
                }
                self.report(
                    Diagnostic::new(codes::DUPLICATE_NAME, format!("`{name}` is declared twice"))
                        .label(name.span, "here")
                        .label(earlier, "and here")
                        .help("give one of them another name: all items share one name space"),
                );
                if let Some(entry) = self.entries.get_mut(index) {
                    entry.state = State::Failed;
                }
            } else {
                self.names.insert(name.as_str(), index);
            }
        }
    }

    /// Returns what an item declares; looks at its head if nobody has yet.
    pub(super) fn entity(&mut self, index: usize) -> Checked<Entity> {
        let Some(entry) = self.entries.get_mut(index) else {
            return Err(Reported);
        };
        match entry.state {
            State::Done(entity) => return Ok(entity),
            State::Failed => return Err(Reported),
            State::Busy => {
                let item = self.item(index);
                let (span, word) = match item.kind.name() {
                    Some(name) => (name.span, name.text.clone()),
                    None => (item.span, item.kind.word().to_owned()),
                };
                return Err(self.complain(
                    codes::CIRCULAR,
                    span,
                    format!("the declaration of `{word}` depends on itself"),
                    "write the type or the size of one of them without the other",
                ));
            }
            State::New if self.depth >= MOST_DEPTH => {
                let item = self.item(index);
                let span = item.kind.name().map_or(item.span, |it| it.span);
                return Err(self.complain(
                    codes::CIRCULAR,
                    span,
                    "too many declarations depend on each other in a row",
                    "write some of their sizes out",
                ));
            }
            State::New => entry.state = State::Busy,
        }
        let clause = entry.clause;
        let item = &entry.composite.item;
        let body = std::mem::take(&mut self.body);
        self.body.clause = clause;
        self.depth += 1;
        let entity = self.declare(item, clause);
        self.depth -= 1;
        self.body = body;
        if let Some(entry) = self.entries.get_mut(index) {
            entry.state = match entity {
                Ok(entity) => State::Done(entity),
                Err(Reported) => State::Failed,
            };
        }
        entity
    }

    fn declare(&mut self, item: &'a ast::Item, clause: ClauseId) -> Checked<Entity> {
        match &item.kind {
            ItemKind::Enum(it) => self.enumeration(it).map(Entity::Domain),
            ItemKind::Record(it) => self.record(&it.name, &it.fields, false).map(Entity::Domain),
            ItemKind::Component(it) => self.component(it).map(Entity::Domain),
            ItemKind::Space(it) => self.space(it).map(Entity::Domain),
            ItemKind::Setting(it) => self.setting(it, item, clause).map(Entity::Setting),
            ItemKind::Zone(it) => self.zone(it, clause).map(Entity::Zone),
            ItemKind::Track(it) => self.track(it, clause).map(Entity::Track),
            ItemKind::Table(it) => self.table(it, clause).map(Entity::Table),
            ItemKind::Define(it) => self.define_head(it, item, clause).map(Entity::Define),
            ItemKind::Event(_) | ItemKind::Flow(_) | ItemKind::Ending(_) => {
                self.proc_head(item, clause).map(Entity::Proc)
            }
            ItemKind::Action(it) if !it.alternatives.is_empty() => self.offers_head(it, clause),
            ItemKind::Action(it) => self.action_head(it, item, clause).map(Entity::Action),
            ItemKind::Invariant(_)
            | ItemKind::Measure(_)
            | ItemKind::Ruling(_)
            | ItemKind::Study(_)
            | ItemKind::Position(_)
            | ItemKind::Supply(_)
            | ItemKind::Show(_)
            | ItemKind::Hide(_)
            | ItemKind::History(_)
            | ItemKind::Picture(_)
            | ItemKind::Aside(_)
            | ItemKind::Sentences(_)
            | ItemKind::Edit(_)
            | ItemKind::Relation(_)
            | ItemKind::Resolve(_) => Ok(Entity::Other),
        }
    }

    /// Returns what a name declares, if anything does.
    pub(super) fn named(&mut self, name: &str) -> Option<Checked<Entity>> {
        let index = *self.names.get(name)?;
        Some(self.entity(index))
    }

    pub(super) fn binding(&self, name: &str) -> Option<&Binding> {
        let found = self.body.locals.iter().rev().find(|(it, _)| it == name);
        found.map(|(_, binding)| binding)
    }

    /// Makes a local that nothing refers to yet.
    pub(super) fn fresh(&mut self, name: &str, ty: Type, span: Span) -> LocalId {
        let id = LocalId(u32::try_from(self.game.locals.len()).unwrap_or(u32::MAX));
        self.game.locals.push(Local {
            name: name.to_owned(),
            ty,
            span,
        });
        id
    }

    /// Makes a local that the rest of the block may read.
    pub(super) fn bind(&mut self, name: &Name, ty: Type) -> LocalId {
        let id = self.fresh(&name.text, ty, name.span);
        self.bind_as(name, Binding::Local(id, false));
        id
    }

    pub(super) fn bind_as(&mut self, name: &Name, binding: Binding) {
        if name.text == "me" {
            self.complain(
                codes::DUPLICATE_NAME,
                name.span,
                "`me` is always the seat that plays",
                "give the local another name",
            );
            return;
        }
        let n_locals = self.body.locals.len();
        if n_locals == MOST_LOCALS {
            self.complain(
                codes::TOO_LARGE_FOR_ENGINE,
                name.span,
                format!("more than {MOST_LOCALS} names are known here"),
                "put part of this into a flow or an event of its own",
            );
        }
        if n_locals <= MOST_LOCALS {
            self.body.locals.push((name.text.clone(), binding));
        }
    }

    pub(super) fn local_type(&self, id: LocalId) -> Type {
        self.game
            .locals
            .get(id.index())
            .map_or(Type::UNIT, |it| it.ty)
    }

    pub(super) fn local(&self, id: LocalId, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Local(id),
            ty: self.local_type(id),
            span,
        }
    }

    pub(super) fn me(&mut self, span: Span) -> Checked<Expr> {
        if let Some(acting) = &self.body.acting {
            return Ok(Expr {
                span,
                ..acting.clone()
            });
        }
        match self.body.me {
            Me::Bound(local) => Ok(self.local(local, span)),
            Me::Implicit(local) => {
                if let Some(proc) = self.body.proc {
                    self.reads_me.push((proc, span));
                }
                Ok(self.local(local, span))
            }
            Me::Nobody(why) => Err(self.complain(
                codes::NO_ME,
                span,
                format!("`me` is not known here: {why}"),
                "name a seat, or give it a parameter `s: seat` and pass the seat",
            )),
        }
    }

    /// Finds the value of an enum, or a seat, by its name.
    pub(super) fn value_of(&self, domain: DomainId, name: &str) -> Option<i64> {
        self.values.get(&domain)?.get(name).copied()
    }

    /// Returns the enums that have a value of this name, those of the rulebook if there are any.
    pub(super) fn enums_with(&mut self, name: &str) -> Vec<DomainId> {
        let mut found = self.enums_named(name);
        if found.len() > 1 {
            found.retain(|id| *id != self.direction);
        }
        found
    }

    /// Returns all enums that have a value of this name.
    pub(super) fn enums_named(&mut self, name: &str) -> Vec<DomainId> {
        for index in 0..self.entries.len() {
            let entry = self.entries.get(index);
            let names_values = |item: &ItemKind| match item {
                ItemKind::Enum(_) => true,
                ItemKind::Space(it) => it.shape.text == "drawn",
                _ => false,
            };
            let needed = entry.is_some_and(|it| {
                matches!(it.state, State::New) && names_values(&it.composite.item.kind)
            });
            if needed {
                let _ = self.entity(index);
            }
        }
        let ids = (0..self.game.domains.len()).map(|at| DomainId(u32::try_from(at).unwrap_or(0)));
        ids.filter(|id| self.value_of(*id, name).is_some())
            .filter(|id| !self.is_readings(*id))
            .collect()
    }

    fn is_readings(&self, domain: DomainId) -> bool {
        let readings = |setting: &crate::model::Setting| {
            setting.question && setting.ty == Type::of(crate::model::Base::Elem(domain))
        };
        self.game.settings.iter().any(readings)
    }

    /// Reports a name that nothing has.
    pub(super) fn unknown(&mut self, name: &Name, wanted: Option<Type>) -> Reported {
        if self.diagnostics.len() > MOST_SUGGESTIONS {
            let message = format!("nothing is called `{name}`");
            return self.error(codes::UNKNOWN_NAME, name.span, message);
        }
        if let Some(form) = super::builtin::form(name.as_str()) {
            let message = format!("`{name}` needs what it is asked of");
            return self.complain(
                codes::WRONG_ARGUMENTS,
                name.span,
                message,
                format!("write `{form}`"),
            );
        }
        let mut words: Vec<String> = self.body.locals.iter().map(|(it, _)| it.clone()).collect();
        if let Some(crate::model::Base::Elem(domain)) = wanted.map(|it| it.base) {
            words.extend(self.value_names(domain));
        }
        words.extend(self.names.keys().map(|it| (*it).to_owned()));
        words.sort();
        words.extend(
            super::builtin::BUILT_INS
                .iter()
                .map(|it| it.name.to_owned()),
        );
        words.extend(self.value_names(self.game.seat));
        let domains = self.game.domains.len();
        for at in 0..domains {
            words.extend(self.value_names(DomainId(u32::try_from(at).unwrap_or(0))));
        }
        let message = format!("nothing is called `{name}`");
        let diagnostic = Diagnostic::at(codes::UNKNOWN_NAME, name.span, message);
        let removed = self.of_removed(&diagnostic, name);
        if let Some(diagnostic) = removed.or_else(|| self.of_chosen(&diagnostic, name)) {
            return self.report(diagnostic);
        }
        words.retain(|it| it != name.as_str());
        let near = self.meant(&name.text, &words);
        let values = match wanted.map(|it| it.base) {
            Some(crate::model::Base::Elem(domain)) => self.value_names(domain),
            _ => Vec::new(),
        };
        let diagnostic = match near.is_none() {
            true if wanted == Some(Type::BOOL) => {
                diagnostic.help("it is `true` or `false`, or what is true of the position")
            }
            true if !values.is_empty() => diagnostic.help(there_is(&values)),
            _ => diagnostic,
        };
        self.report(did_you_mean(diagnostic, name.span, near))
    }

    /// Says which amendment has removed what a name stood for, if one has.
    pub(super) fn of_removed(&self, found: &Diagnostic, name: &Name) -> Option<Diagnostic> {
        let (by, span) = self.composed.removed.get(name.as_str())?;
        let told = found
            .clone()
            .label(*span, format!("`{by}` removes it here"));
        Some(told.help("remove or replace what uses it as well, or replace it with something else"))
    }

    pub(super) fn value_names(&self, domain: DomainId) -> Vec<String> {
        match self.game.domains.get(domain.index()).map(|it| &it.kind) {
            Some(DomainKind::Enum { values, .. }) => {
                values.iter().map(|value| value.name.clone()).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Finds the word that was probably meant; a text full of mistakes is not worth the search.
    fn meant(&self, word: &str, list: &[String]) -> Option<String> {
        if self.diagnostics.len() > MOST_SUGGESTIONS {
            return None;
        }
        // Of an address the last name is known best.
        if let Some((_, last)) = word.rsplit_once('.') {
            let is_it = |it: &&String| it.rsplit_once('.').is_some_and(|it| it.1 == last);
            let mut same = list.iter().filter(is_it);
            if let (Some(one), None) = (same.next(), same.next()) {
                return Some(one.clone());
            }
        }
        closest(word, list.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Reports a name that is missing in a closed list.
    pub(super) fn not_among(
        &mut self,
        code: crate::diagnostic::Code,
        name: &Name,
        message: String,
        list: &[String],
    ) -> Reported {
        let mut diagnostic = Diagnostic::at(code, name.span, message);
        if let Some(diagnostic) = self.of_removed(&diagnostic, name) {
            return self.report(diagnostic);
        }
        let near = self.meant(&name.text, list);
        if near.is_none() && !list.is_empty() {
            diagnostic = diagnostic.help(there_is(list));
        }
        self.report(did_you_mean(diagnostic, name.span, near))
    }

    /// Runs a check whose locals end with it.
    pub(super) fn scoped<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.body.locals.len();
        let result = inside(self);
        self.body.locals.truncate(before);
        result
    }

    /// Runs a check in another body.
    pub(super) fn in_body<R>(&mut self, body: Body, inside: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.body, body);
        let result = inside(self);
        self.body = outer;
        result
    }
}

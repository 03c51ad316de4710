//! The search through all that has an address in an item.

use std::collections::BTreeSet;

use crate::source::Span;
use crate::syntax::ast::{self, Changer, ItemKind, Role, StatementKind, Tree};

use super::{Cases, Labelled, Place, key_text, step_name, track_name};

/// The label of what each turn is.
const TURN: &str = "turn";

/// What is done at each place; a result ends the search.
pub(super) type Visit<'f, R> = &'f mut dyn FnMut(&[String], Depth, Place<'_>) -> Option<R>;

/// Which labels a search goes into; looking everywhere takes long in long rules.
pub(super) enum Wanted<'w> {
    All,
    At(&'w [String]),
    /// All of these labels below an address.
    Below(&'w [String], BTreeSet<&'w str>),
}

/// A search through the places of an item, outermost first.
pub(super) struct Finder<'f, R> {
    wanted: Wanted<'f>,
    visit: Visit<'f, R>,
    path: Vec<String>,
    depth: Depth,
}

/// How many blocks are around a place.
#[derive(Clone, Copy, Default)]
pub(super) struct Depth {
    /// Those within what has the next shorter address.
    pub(super) unlabelled: usize,
    pub(super) all: usize,
}

impl<'f, R> Finder<'f, R> {
    pub(super) fn new(wanted: Wanted<'f>, visit: Visit<'f, R>) -> Finder<'f, R> {
        Finder {
            wanted,
            visit,
            path: Vec::new(),
            depth: Depth::default(),
        }
    }

    pub(super) fn item(&mut self, kind: &mut ItemKind) -> Option<R> {
        match kind {
            ItemKind::Enum(it) => self.each(&mut it.values),
            ItemKind::Record(it) => self.each(&mut it.fields),
            ItemKind::Component(it) => self.each(&mut it.fields),
            ItemKind::Zone(it) => self.each(&mut it.fields),
            ItemKind::Setting(it) => match &mut it.values {
                ast::SettingValues::Typed { .. } => None,
                ast::SettingValues::Readings(readings) => self.each(readings),
            },
            ItemKind::Table(it) => self.rows(&mut it.rows),
            ItemKind::Action(it) => {
                if !it.alternatives.is_empty() {
                    let span = it.name.span;
                    return self.choice(&mut it.alternatives, span);
                }
                let found = self.each(&mut it.requires);
                found.or_else(|| self.opt_block(&mut it.body))
            }
            ItemKind::Event(it) => self.block(&mut it.body),
            ItemKind::Flow(it) => self.block(&mut it.body),
            ItemKind::Ending(it) => self.block(&mut it.body),
            ItemKind::Define(it) => match &mut it.value.kind {
                ast::ExprKind::By { arms, .. } => self.value_cases(arms, it.name.span),
                _ => None,
            },
            ItemKind::Supply(_)
            | ItemKind::Space(_)
            | ItemKind::Track(_)
            | ItemKind::Invariant(_)
            | ItemKind::Measure(_)
            | ItemKind::Show(_)
            | ItemKind::Hide(_)
            | ItemKind::History(_)
            | ItemKind::Picture(_)
            | ItemKind::Aside(_)
            | ItemKind::Sentences(_)
            | ItemKind::Ruling(_)
            | ItemKind::Study(_)
            | ItemKind::Position(_)
            | ItemKind::Edit(_)
            | ItemKind::Relation(_)
            | ItemKind::Resolve(_) => None,
        }
    }

    /// Visits the members of a list one by one.
    fn each<T: Labelled>(&mut self, list: &mut Vec<T>) -> Option<R> {
        for at in 0..list.len() {
            let label = &list.get(at)?.label().text;
            if !self.wants(label) {
                continue;
            }
            let label = label.clone();
            let found = self.inside(&label, |finder| finder.visit(T::place(list, at)));
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn rows(&mut self, rows: &mut Vec<ast::Row>) -> Option<R> {
        for at in 0..rows.len() {
            let keys = rows.get(at)?.keys.iter().map(key_text);
            if let Wanted::At(path) = self.wanted
                && !keys.clone().eq(path.iter().cloned())
            {
                continue;
            }
            let path: Vec<String> = keys.collect();
            if let Some(found) = (self.visit)(&path, Depth::default(), Place::Row(rows, at)) {
                return Some(found);
            }
        }
        None
    }

    fn wants(&self, label: &str) -> bool {
        let at = self.path.len();
        match &self.wanted {
            Wanted::All => true,
            Wanted::At(path) => path.get(at).is_some_and(|it| it == label),
            Wanted::Below(path, labels) => match path.get(at) {
                Some(it) => it == label,
                None => at == path.len() && labels.contains(label),
            },
        }
    }

    fn visit(&mut self, place: Place<'_>) -> Option<R> {
        (self.visit)(&self.path, self.depth, place)
    }

    /// Runs `visit` below a label.
    fn inside(&mut self, label: &str, visit: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        if !self.wants(label) {
            return None;
        }
        self.path.push(label.to_owned());
        let unlabelled = std::mem::take(&mut self.depth.unlabelled);
        let found = visit(self);
        self.depth.unlabelled = unlabelled;
        self.path.pop();
        found
    }

    /// Searches a block that stands at `path`.
    pub(super) fn block_at(&mut self, path: &[String], block: &mut ast::Block) -> Option<R> {
        self.path = path.to_vec();
        self.block(block)
    }

    fn block(&mut self, block: &mut ast::Block) -> Option<R> {
        let depth = self.depth;
        self.depth.unlabelled += 1;
        self.depth.all += 1;
        let found = self.statements(block);
        self.depth = depth;
        found
    }

    fn statements(&mut self, block: &mut ast::Block) -> Option<R> {
        let statements = &mut block.statements;
        for at in 0..statements.len() {
            let statement = statements.get(at)?;
            if let Some(name) = track_name(statement) {
                let name = name.text.clone();
                let found = self.inside(&name, |it| it.visit(Place::Track(statements, at)));
                if found.is_some() {
                    return found;
                }
                continue;
            }
            let label = step_name(statement).map(|name| &name.text);
            let found = match label {
                Some(label) if !self.wants(label) => None,
                Some(label) => self.inside(&label.clone(), |finder| {
                    let found = finder.visit(Place::Step(statements, at));
                    found.or_else(|| finder.statement(statements.get_mut(at)?))
                }),
                None => self.statement(statements.get_mut(at)?),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn opt_block(&mut self, block: &mut Option<ast::Block>) -> Option<R> {
        block.as_mut().and_then(|block| self.block(block))
    }

    fn statement(&mut self, statement: &mut ast::Statement) -> Option<R> {
        let span = statement.span;
        match &mut statement.kind {
            StatementKind::Choose(choose) => {
                let found = match &mut choose.among {
                    ast::Among::Alternatives(list) => self.choice(list, span),
                    ast::Among::Members { body, .. } => self.opt_block(body),
                };
                found.or_else(|| self.opt_block(&mut choose.otherwise))
            }
            StatementKind::Window { slots, .. } => self.window(slots, span),
            StatementKind::Turns { body, .. } => {
                let found = self.inside(TURN, |finder| finder.visit(Place::Turn(body, span)));
                found.or_else(|| self.block(body))
            }
            StatementKind::By { arms, .. } => {
                let found = self.cases(arms, span);
                found.or_else(|| arms.iter_mut().find_map(|arm| self.block(&mut arm.body)))
            }
            kind => {
                let mut blocks = Blocks {
                    finder: self,
                    found: None,
                };
                kind.walk_mut(&mut blocks, Role::Plain);
                blocks.found
            }
        }
    }

    fn choice(&mut self, list: &mut Vec<ast::Alternative>, span: Span) -> Option<R> {
        if let Some(found) = self.visit(Place::Choice(list, span)) {
            return Some(found);
        }
        if let Some(found) = self.each(list) {
            return Some(found);
        }
        list.iter_mut().find_map(|alternative| {
            let body = alternative.body.as_mut()?;
            self.inside(&alternative.name.text, |finder| finder.block(body))
        })
    }

    fn cases(&mut self, arms: &mut Vec<ast::Arm<ast::Block>>, span: Span) -> Option<R> {
        if let Some(found) = self.visit(Place::Cases(Cases::Done(arms), span)) {
            return Some(found);
        }
        (0..arms.len()).find_map(|at| {
            let names = names_of(&arms.get(at)?.head);
            names.into_iter().find_map(|name| {
                let case = Place::Case(arms, at, name.clone());
                self.inside(&name, |finder| finder.visit(case))
            })
        })
    }

    fn value_cases(&mut self, arms: &mut Vec<ast::Arm<ast::Expr>>, span: Span) -> Option<R> {
        if let Some(found) = self.visit(Place::Cases(Cases::Values(arms), span)) {
            return Some(found);
        }
        (0..arms.len()).find_map(|at| {
            let names = names_of(&arms.get(at)?.head);
            names.into_iter().find_map(|name| {
                let case = Place::ValueCase(arms, at, name.clone());
                self.inside(&name, |finder| finder.visit(case))
            })
        })
    }

    fn window(&mut self, slots: &mut Vec<ast::Slot>, span: Span) -> Option<R> {
        if let Some(found) = self.visit(Place::Window(slots, span)) {
            return Some(found);
        }
        if let Some(found) = self.each(slots) {
            return Some(found);
        }
        slots.iter_mut().find_map(|slot| {
            let span = slot.span;
            self.inside(&slot.name.text, |finder| {
                finder.choice(&mut slot.alternatives, span)
            })
        })
    }
}

/// The search through the blocks of one statement.
struct Blocks<'b, 'f, R> {
    finder: &'b mut Finder<'f, R>,
    found: Option<R>,
}

impl<R> Changer for Blocks<'_, '_, R> {
    /// What stands in an expression has no address.
    fn expr(&mut self, _expr: &mut ast::Expr, _role: Role) {}

    fn block(&mut self, block: &mut ast::Block, _role: Role) {
        if self.found.is_none() {
            self.found = self.finder.block(block);
        }
    }
}

/// The names before a case.
fn names_of(head: &ast::ArmHead) -> Vec<String> {
    match head {
        ast::ArmHead::Names(names) => names.iter().map(|it| it.text.clone()).collect(),
        ast::ArmHead::Numbers(_) | ast::ArmHead::Else => Vec::new(),
    }
}

//! Addresses inside an item: what has a name there, and how to get at it.
//!
//! An address is the name of the item followed by the labels of the steps, slots and options around a
//! place: `main.play.extras.token`. What has no label is passed through: a step inside a `turns`
//! inside a step is addressed as if the `turns` were not there. A window and a choice have the address of
//! the step around them; the one in the fewest blocks is meant.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::source::Span;
use crate::syntax::ast::{self, Changer, ItemKind, Role, StatementKind, Tree};

/// What stands at an address inside an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Clause,
    Step,
    /// A track that lives in a block.
    Track,
    Slot,
    Alternative,
    Reading,
    Value,
    Field,
    Row,
    /// All slots of a window; its address is that of the step around it.
    Window,
    /// All alternatives of a choice; its address is that of the step or slot around it.
    Choice,
}

impl Kind {
    /// Returns the kind in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Kind::Clause => "a clause",
            Kind::Step => "a step",
            Kind::Track => "a track",
            Kind::Slot => "a slot",
            Kind::Alternative => "an alternative",
            Kind::Reading => "a reading",
            Kind::Value => "a value",
            Kind::Field => "a field",
            Kind::Row => "a row",
            Kind::Window => "a window",
            Kind::Choice => "a choice",
        }
    }

    /// Returns whether the address is that of something around it.
    pub(super) fn is_container(self) -> bool {
        matches!(self, Kind::Window | Kind::Choice)
    }

    /// Returns whether of several things with one address that in the fewest blocks is meant: a
    /// choice in the `otherwise` of another one has the same address as that.
    pub(super) fn is_outermost(self) -> bool {
        self.is_container() || matches!(self, Kind::Slot | Kind::Alternative)
    }
}

/// An address below an item.
#[derive(Clone, Debug)]
pub(super) struct Address {
    /// The labels behind the name of the item.
    pub path: Vec<String>,
    pub kind: Kind,
    /// How many unlabelled blocks are around it, within what has the next shorter address.
    pub depth: usize,
    /// How many blocks are around it in all.
    pub nesting: usize,
    pub span: Span,
}

/// A place inside an item: a list and the position in it.
pub(super) enum Place<'a> {
    Clause(&'a mut Vec<ast::Require>, usize),
    Step(&'a mut Vec<ast::Statement>, usize),
    Track(&'a mut Vec<ast::Statement>, usize),
    Slot(&'a mut Vec<ast::Slot>, usize),
    Alternative(&'a mut Vec<ast::Alternative>, usize),
    Reading(&'a mut Vec<ast::Reading>, usize),
    Value(&'a mut Vec<ast::EnumValue>, usize),
    Field(&'a mut Vec<ast::FieldDecl>, usize),
    Row(&'a mut Vec<ast::Row>, usize),
    Window(&'a mut Vec<ast::Slot>, Span),
    Choice(&'a mut Vec<ast::Alternative>, Span),
}

impl Place<'_> {
    fn kind(&self) -> Kind {
        match self {
            Place::Clause(..) => Kind::Clause,
            Place::Step(..) => Kind::Step,
            Place::Track(..) => Kind::Track,
            Place::Slot(..) => Kind::Slot,
            Place::Alternative(..) => Kind::Alternative,
            Place::Reading(..) => Kind::Reading,
            Place::Value(..) => Kind::Value,
            Place::Field(..) => Kind::Field,
            Place::Row(..) => Kind::Row,
            Place::Window(..) => Kind::Window,
            Place::Choice(..) => Kind::Choice,
        }
    }

    fn span(&self) -> Option<Span> {
        match self {
            Place::Clause(list, at) => span_of(list, *at),
            Place::Step(list, at) => list.get(*at).and_then(step_name).map(|name| name.span),
            Place::Track(list, at) => list.get(*at).and_then(track_name).map(|name| name.span),
            Place::Slot(list, at) => span_of(list, *at),
            Place::Alternative(list, at) => span_of(list, *at),
            Place::Reading(list, at) => span_of(list, *at),
            Place::Value(list, at) => span_of(list, *at),
            Place::Field(list, at) => span_of(list, *at),
            Place::Row(list, at) => list.get(*at).map(|it| it.span),
            Place::Window(_, span) | Place::Choice(_, span) => Some(*span),
        }
    }
}

/// Returns the label of a step; none for other statements.
pub(super) fn step_name(statement: &ast::Statement) -> Option<&ast::Name> {
    if let StatementKind::Step { name, .. } = &statement.kind {
        Some(name)
    } else {
        None
    }
}

/// Returns the name of a track that lives in a block; none for other statements.
fn track_name(statement: &ast::Statement) -> Option<&ast::Name> {
    match &statement.kind {
        StatementKind::Track { decl, .. } => Some(&decl.name),
        _ => None,
    }
}

/// What stands in a list and has a label.
trait Labelled: Sized {
    fn label(&self) -> &ast::Name;
    fn place(list: &mut Vec<Self>, at: usize) -> Place<'_>;
}

fn span_of<T: Labelled>(list: &[T], at: usize) -> Option<Span> {
    list.get(at).map(|it| it.label().span)
}

macro_rules! labelled {
    ($($ty:ident $label:ident $place:ident;)*) => { $(
        impl Labelled for ast::$ty {
            fn label(&self) -> &ast::Name {
                &self.$label
            }

            fn place(list: &mut Vec<Self>, at: usize) -> Place<'_> {
                Place::$place(list, at)
            }
        }
    )* };
}

labelled! {
    Require label Clause;
    Slot name Slot;
    Alternative name Alternative;
    Reading name Reading;
    EnumValue name Value;
    FieldDecl name Field;
}

/// Returns all addresses below an item.
pub(super) fn addresses(item: &mut ast::Item) -> Vec<Address> {
    let mut all = Vec::new();
    let _: Option<()> = Finder::new(Wanted::All, &mut |path, depth, place| {
        all.push(address(path, depth, &place));
        None
    })
    .item(&mut item.kind);
    all
}

/// Returns everything that has an address below an item.
pub(super) fn find(item: &mut ast::Item, path: &[String]) -> Vec<Address> {
    let mut all = Vec::new();
    let _: Option<()> = Finder::new(Wanted::At(path), &mut |at, depth, place| {
        if at == path {
            all.push(address(at, depth, &place));
        }
        None
    })
    .item(&mut item.kind);
    all
}

/// Returns which of some labels below an address there are, with their places.
pub(super) fn taken(
    item: &mut ast::Item,
    path: &[String],
    labels: &HashSet<Vec<String>>,
) -> HashMap<Vec<String>, Span> {
    let mut taken = HashMap::new();
    let first = labels.iter().filter_map(|label| label.first());
    let first: BTreeSet<&str> = first.map(String::as_str).collect();
    let _: Option<()> = Finder::new(Wanted::Below(path, first), &mut |at, _, place| {
        let below = at.get(path.len()..).unwrap_or_default();
        if at.starts_with(path) && !place.kind().is_container() && labels.contains(below) {
            let span = place.span().unwrap_or_default();
            taken.entry(below.to_vec()).or_insert(span);
        }
        None
    })
    .item(&mut item.kind);
    taken
}

/// Returns all addresses below a block that stands at `path`.
pub(super) fn addresses_of_block(block: &mut ast::Block, path: &[String]) -> Vec<Address> {
    let mut all = Vec::new();
    let mut list = |path: &[String], depth: Depth, place: Place<'_>| -> Option<()> {
        all.push(address(path, depth, &place));
        None
    };
    let mut finder = Finder::new(Wanted::All, &mut list);
    finder.path = path.to_vec();
    let _ = finder.block(block);
    all
}

fn address(path: &[String], depth: Depth, place: &Place<'_>) -> Address {
    Address {
        path: path.to_vec(),
        kind: place.kind(),
        depth: depth.unlabelled,
        nesting: depth.all,
        span: place.span().unwrap_or_default(),
    }
}

/// Changes what has an address below an item; none if there is no such place.
pub(super) fn change<R>(
    item: &mut ast::Item,
    address: &Address,
    change: impl FnOnce(Place<'_>) -> R,
) -> Option<R> {
    let mut change = Some(change);
    Finder::new(Wanted::At(&address.path), &mut |path, depth, place| {
        if path == address.path && depth.unlabelled == address.depth && place.kind() == address.kind
        {
            return change.take().map(|change| change(place));
        }
        None
    })
    .item(&mut item.kind)
}

/// What is done at each place; a result ends the search.
type Visit<'f, R> = &'f mut dyn FnMut(&[String], Depth, Place<'_>) -> Option<R>;

/// Which labels a search goes into; looking everywhere takes long in long rules.
enum Wanted<'w> {
    All,
    At(&'w [String]),
    /// All of these labels below an address.
    Below(&'w [String], BTreeSet<&'w str>),
}

/// A search through the places of an item, outermost first.
struct Finder<'f, R> {
    wanted: Wanted<'f>,
    visit: Visit<'f, R>,
    path: Vec<String>,
    depth: Depth,
}

/// How many blocks are around a place.
#[derive(Clone, Copy, Default)]
struct Depth {
    /// Those within what has the next shorter address.
    unlabelled: usize,
    all: usize,
}

impl<'f, R> Finder<'f, R> {
    fn new(wanted: Wanted<'f>, visit: Visit<'f, R>) -> Finder<'f, R> {
        Finder {
            wanted,
            visit,
            path: Vec::new(),
            depth: Depth::default(),
        }
    }

    fn item(&mut self, kind: &mut ItemKind) -> Option<R> {
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
            ItemKind::Supply(_)
            | ItemKind::Space(_)
            | ItemKind::Track(_)
            | ItemKind::Define(_)
            | ItemKind::Invariant(_)
            | ItemKind::Show(_)
            | ItemKind::Hide(_)
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

/// Returns a key as it stands in an address.
pub(super) fn key_text(key: &ast::Key) -> String {
    match key {
        ast::Key::Name(name) => name.text.clone(),
        ast::Key::Number(number) => number.value.to_string(),
    }
}

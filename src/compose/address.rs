//! Addresses inside an item: what has a name there, and how to get at it.
//!
//! An address is the name of the item followed by the labels of the steps, slots and options around a
//! place: `main.play.extras.token`. What has no label is passed through: a step inside a `turns`
//! inside a step is addressed as if the `turns` were not there. A window and a choice have the address of
//! the step around them; the one in the fewest blocks is meant.

mod finder;

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::source::Span;
use crate::syntax::ast::{self, StatementKind};

use self::finder::{Depth, Finder, Wanted};

/// What stands at an address inside an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// What each turn of a `turns` is.
    Turn,
    /// What is done in one case of a `by`.
    Case,
    /// The value in one case of a `by`.
    ValueCase,
    /// All cases of a `by`; its address is that of what is around it.
    Cases,
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
            Kind::Turn => "a turn",
            Kind::Case | Kind::ValueCase => "a case",
            Kind::Cases => "cases",
        }
    }

    /// Returns whether the address is that of something around it.
    pub(super) fn is_container(self) -> bool {
        matches!(self, Kind::Window | Kind::Choice | Kind::Cases)
    }

    /// Returns whether of several things with one address that in the fewest blocks is meant: a
    /// choice in the `otherwise` of another one has the same address as that.
    pub(super) fn is_outermost(self) -> bool {
        self.is_container() || self.gives_way() || matches!(self, Kind::Slot | Kind::Alternative)
    }

    /// Returns whether something else at the same address is meant before it: what it is called by was not
    /// chosen as its label.
    pub(super) fn gives_way(self) -> bool {
        matches!(self, Kind::Turn | Kind::Case | Kind::ValueCase)
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
    Turn(&'a mut ast::Block, Span),
    /// With the one of its names that is meant.
    Case(&'a mut Vec<ast::Arm<ast::Block>>, usize, String),
    ValueCase(&'a mut Vec<ast::Arm<ast::Expr>>, usize, String),
    Cases(Cases<'a>, Span),
}

/// The cases of a `by`.
pub(super) enum Cases<'a> {
    Done(&'a mut Vec<ast::Arm<ast::Block>>),
    Values(&'a mut Vec<ast::Arm<ast::Expr>>),
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
            Place::Turn(..) => Kind::Turn,
            Place::Case(..) => Kind::Case,
            Place::ValueCase(..) => Kind::ValueCase,
            Place::Cases(..) => Kind::Cases,
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
            Place::Window(_, span)
            | Place::Choice(_, span)
            | Place::Turn(_, span)
            | Place::Cases(_, span) => Some(*span),
            Place::Case(list, at, _) => list.get(*at).map(|it| it.span),
            Place::ValueCase(list, at, _) => list.get(*at).map(|it| it.span),
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
    let mut taken = HashMap::default();
    let first = labels.iter().filter_map(|label| label.first());
    let first: BTreeSet<&str> = first.map(String::as_str).collect();
    let _: Option<()> = Finder::new(Wanted::Below(path, first), &mut |at, _, place| {
        let below = at.get(path.len()..).unwrap_or_default();
        let kind = place.kind();
        let is_label = !kind.is_container() && !kind.gives_way();
        if at.starts_with(path) && is_label && labels.contains(below) {
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
    let _ = finder.block_at(path, block);
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

/// Returns a key as it stands in an address.
pub(super) fn key_text(key: &ast::Key) -> String {
    match key {
        ast::Key::Name(name) => name.text.clone(),
        ast::Key::Number(number) => number.value.to_string(),
    }
}

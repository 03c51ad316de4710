//! Lowering: from the typed tree of a [`Game`] to bytecode.
//!
//! Each procedure, and each definition that is not inlined, becomes an instance: code with registers
//! counted from zero. The linker then gives every instance its frame so that no two that are active
//! together overlap, and puts the code in a row. Recursion with a declared depth becomes one instance
//! per level, so nothing needs a stack at run time.

mod action;
mod added;
mod against;
mod aggregate;
mod all_of;
mod all_ways;
mod apart;
mod arms;
mod asked;
mod bags;
mod balance;
mod best;
mod by_case;
mod by_coordinates;
mod by_values;
mod choice;
mod classes;
mod closure;
mod components;
mod cond;
mod coordinates;
mod counted;
mod covered;
mod decided;
mod distances;
mod each_value;
mod edges;
mod ends;
mod equal;
mod expr;
mod facts;
mod filling;
mod flood;
mod flow;
mod folds;
mod func;
mod gathered;
mod geometry;
mod given;
mod graph;
mod grown;
mod grows;
mod held;
mod hints;
mod holds;
mod how_many;
mod implied;
mod in_one;
mod inline;
mod judgement;
mod kept;
mod kinds;
mod kinds_made;
mod known_ways;
mod landing;
mod lanes;
mod laws;
mod lifted;
mod line_laid;
mod lines;
mod link;
mod listed;
mod loops;
mod lying;
mod mask;
mod masks;
mod memo;
mod met;
mod moved;
mod nest;
mod one_count;
mod operator;
mod or_none;
mod pairs;
mod pairs_apart;
mod place;
mod placed;
mod places_on;
mod placing;
mod planes;
mod question;
mod raised;
mod reach;
mod records;
mod related;
mod rows;
mod runs;
mod said;
mod set;
mod set_lanes;
mod settled;
mod several;
mod shapes;
mod sound;
mod sources;
mod spans;
mod start;
mod steps;
mod stmt;
mod stops;
mod structure;
mod sure;
mod tables;
mod targets;
mod those;
mod through;
mod tidy;
mod tier;
mod together;
mod totals;
mod trial;
mod tried;
mod unasked;
mod unroll;
mod value_sets;
mod valued;
mod walks;
mod weighed;
mod windows;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::layout::Layout;
use super::op::{Code, Pc};
use crate::model::{ActionId, DefineId, DomainId, Expr, Game, Local, LocalId, ProcId, Type};
use crate::source::Span;

pub(in crate::engine) use choice::{DECLINE, DONE};
pub(super) use func::Gen;
pub(super) use graph::Graph;
pub use tier::Tier;

/// First register that stands for a word of the instance's frame in the state block.
pub(super) const FRAME_REL: u16 = 20_480;

/// What an instance is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Source {
    /// Start of the game: tracks, supplies, then `main`.
    Start,
    /// A procedure.
    Proc(ProcId),
    /// A procedure where only so much is asked of what it does: an index into `Shared::asked_after`.
    Tried(ProcId, u32),
    /// A definition.
    Define(DefineId),
    /// A fragment that is asked for by number.
    Fragment(u32),
}

/// A source and the level of recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub source: Source,
    pub level: u32,
}

/// What all instances of a program share.
pub(super) struct Shared<'g> {
    pub game: &'g Game,
    pub layout: &'g Layout,
    pub graph: Arc<Graph>,
    /// What is made of the rules.
    pub tier: Tier,
    pub code: Code,
    pub consts: HashMap<u64, u16>,
    /// Definitions with other definitions put in place, made when first asked for, and their sizes.
    pub expanded: HashMap<DefineId, (Expr, usize)>,
    /// Definitions that call themselves, and whether that is a walk.
    pub walked: HashMap<DefineId, bool>,
    /// What is not none and where something lies, as what stands before says.
    pub there: Vec<Expr>,
    /// How many expressions are being expanded.
    pub depth: usize,
    /// What else is known of the position in which is asked.
    pub given: facts::Facts,
    /// How many nodes may still be put in place of calls.
    pub room: usize,
    /// How many nodes may still be asked for each of a few values.
    pub asked: usize,
    /// How many nodes may still be said in other words.
    pub said: usize,
    /// How often what is planned now has been said in other words.
    pub saying: u8,
    /// The same for what leads from an element to others.
    pub led: usize,
    /// Questions that cannot be asked the other way round.
    pub uncovered: HashSet<structure::Structure>,
    /// Questions of elements that no set answers, as numbers: whoever meets another with the same number loses a set at most.
    pub unplanned: FxHashSet<u64>,
    /// Actions ready for listing.
    pub actions: HashMap<ActionId, Rc<action::Expanded>>,
    /// Those of the game, and what is made while expanding.
    pub locals: Locals<'g>,
    pub tables: tables::Cache,
    /// Whether something is laid on a plane.
    pub has_planes: bool,
    /// Sets of parts that are kept though some of their parts fault.
    pub faulty_kept: HashSet<u16>,
    /// The same for what is gathered from neighbours.
    pub faulty_gathered: HashSet<u16>,
    /// Definitions that have a value for all arguments, or not.
    pub sure_defines: HashMap<DefineId, bool>,
    /// What is asked after something was tried out, each once.
    pub asked_after: Vec<Rc<unasked::Asked>>,
    pub wanted: Vec<Key>,
    pub known: HashMap<Key, usize>,
    pub done: Vec<Instance>,
    /// What did not fit.
    pub overflow: Option<Overflow>,
}

/// What did not fit.
#[derive(Clone, Debug)]
pub struct Overflow {
    /// In words.
    pub what: String,
    /// Where it stands, if one place is to blame.
    pub at: Option<Span>,
}

impl From<String> for Overflow {
    fn from(what: String) -> Self {
        Self { what, at: None }
    }
}

/// Locals: those of the game are many, and are needed for each fragment.
pub(super) struct Locals<'g> {
    game: &'g [Local],
    pub more: Vec<Type>,
}

impl Locals<'_> {
    fn get(&self, index: usize) -> Option<Type> {
        match index.checked_sub(self.game.len()) {
            Some(index) => self.more.get(index).copied(),
            None => self.game.get(index).map(|it| it.ty),
        }
    }

    fn push(&mut self, ty: Type) -> LocalId {
        let id = self.game.len() + self.more.len();
        self.more.push(ty);
        LocalId(u32::try_from(id).unwrap_or(u32::MAX))
    }
}

/// Compiled code of a source, registers counted from zero.
#[derive(Debug)]
pub(super) struct Instance {
    pub key: Key,
    pub ops: Vec<super::op::Op>,
    pub spans: Vec<(usize, crate::source::Span)>,
    pub origins: Vec<(usize, crate::source::Span)>,
    pub frame: u16,
    pub temps: u16,
    /// Ops that call: index and callee (an index into `Shared::known`).
    pub calls: Vec<(usize, usize)>,
    /// Choice points whose places in the code are relative to this instance.
    pub points: Vec<usize>,
    /// By the op behind a call: what is kept of this instance.
    pub frames: Vec<(usize, super::op::Frame)>,
}

impl<'g> Shared<'g> {
    pub fn new(game: &'g Game, layout: &'g Layout, graph: &Arc<Graph>, tier: Tier) -> Self {
        Self {
            game,
            layout,
            graph: Arc::clone(graph),
            tier,
            code: Code::default(),
            consts: HashMap::new(),
            expanded: HashMap::new(),
            walked: HashMap::new(),
            there: Vec::new(),
            depth: 0,
            given: facts::Facts::default(),
            room: inline::MOST_PUT,
            asked: unroll::MOST_ASKED_IN_ALL,
            said: unroll::MOST_ASKED_IN_ALL,
            saying: 0,
            led: unroll::MOST_ASKED_IN_ALL,
            uncovered: HashSet::new(),
            unplanned: FxHashSet::default(),
            actions: HashMap::new(),
            locals: Locals {
                game: &game.locals,
                more: Vec::new(),
            },
            tables: tables::Cache::default(),
            has_planes: layout.zones.iter().any(super::layout::ZoneSlot::is_plane),
            faulty_kept: HashSet::new(),
            faulty_gathered: HashSet::new(),
            sure_defines: HashMap::new(),
            asked_after: Vec::new(),
            wanted: Vec::new(),
            known: HashMap::new(),
            done: Vec::new(),
            overflow: None,
        }
    }

    /// Whether nothing is lowered.
    pub fn is_plain(&self) -> bool {
        self.tier == Tier::AsWritten
    }

    /// The instance for a source, compiled later if it is new.
    pub fn instance(&mut self, key: Key) -> usize {
        let next = self.known.len();
        *self.known.entry(key).or_insert_with(|| {
            self.wanted.push(key);
            next
        })
    }

    /// The record of several indices.
    pub fn product_of(&self, index: &[DomainId]) -> Option<DomainId> {
        let mut products = self.layout.products.iter();
        products.find(|(of, _)| of == index).map(|it| it.1)
    }

    pub fn is_product(&self, domain: DomainId) -> bool {
        self.layout.products.iter().any(|it| it.1 == domain)
    }

    /// Type of a local.
    pub fn local_type(&self, local: LocalId) -> Type {
        self.locals.get(local.index()).unwrap_or(Type::UNIT)
    }

    /// A local, at a place in the text.
    pub fn local(&self, local: LocalId, span: Span) -> Expr {
        Expr::local(local, self.local_type(local), span)
    }

    /// A local of the same type that nothing else uses.
    pub fn fresh_local(&mut self, like: LocalId) -> LocalId {
        match self.locals.get(like.index()) {
            Some(ty) => self.locals.push(ty),
            None => like,
        }
    }

    /// A new local.
    pub fn new_local(&mut self, ty: Type) -> LocalId {
        self.locals.push(ty)
    }

    /// Appends a table to the data.
    pub fn data(&mut self, rows: impl IntoIterator<Item = i64>) -> u32 {
        let base = self.code.data.len();
        self.code.data.extend(rows);
        u32::try_from(base).unwrap_or(u32::MAX)
    }

    /// Compiles everything wanted and links it.
    pub fn finish(mut self) -> Result<Code, Overflow> {
        let mut n_ops = self.done.iter().map(|it| it.ops.len()).sum::<usize>();
        // A fragment is done before.
        if let Some(what) = self.overflow.take() {
            return Err(what);
        }
        while let Some(key) = self.wanted.pop() {
            let instance = Gen::instance(&mut self, key);
            n_ops += instance.ops.len();
            self.done.push(instance);
            if n_ops >= usize::from(Pc::MAX) {
                return Err("the rulebook as a whole".to_owned().into());
            }
            if let Some(what) = self.overflow.take() {
                return Err(what);
            }
        }
        link::link(self)
    }
}

/// Compiles the game.
///
/// # Errors
/// What did not fit.
pub(super) fn program(
    game: &Game,
    layout: &Layout,
    graph: &Arc<Graph>,
    tier: Tier,
) -> Result<Code, Overflow> {
    tier.made(|tier| {
        let mut shared = Shared::new(game, layout, graph, tier);
        shared.instance(Key {
            source: Source::Start,
            level: 0,
        });
        shared.finish()
    })
}

/// Compiles a fragment that `emit` writes; it ends with `Halt`.
///
/// # Errors
/// What did not fit.
pub(super) fn fragment(
    game: &Game,
    layout: &Layout,
    graph: &Arc<Graph>,
    tier: Tier,
    emit: &mut dyn FnMut(&mut Gen<'_, '_>),
) -> Result<Code, Overflow> {
    tier.made(|tier| fragment_of(Shared::new(game, layout, graph, tier), emit))
}

fn fragment_of(
    mut shared: Shared<'_>,
    emit: &mut dyn FnMut(&mut Gen<'_, '_>),
) -> Result<Code, Overflow> {
    let key = Key {
        source: Source::Fragment(0),
        level: 0,
    };
    shared.known.insert(key, 0);
    let instance = Gen::fragment(&mut shared, key, emit);
    shared.done.push(instance);
    shared.finish()
}

/// Compiles a call of a procedure without parameters, followed by `Halt`.
///
/// # Errors
/// What did not fit.
pub(super) fn procedure(
    game: &Game,
    layout: &Layout,
    graph: &Arc<Graph>,
    tier: Tier,
    proc: ProcId,
) -> Result<Code, Overflow> {
    fragment(game, layout, graph, tier, &mut |r#gen| {
        r#gen.call(graph::Callee::Proc(proc));
    })
}

/// Marks a jump whose target is not known yet.
pub(super) const UNKNOWN: Pc = Pc::MAX;

//! Tabulation: what depends on nothing but a few small values is worked out once, when the game is
//! compiled, by the very bytecode that it replaces.

use std::cell::RefCell;
use std::collections::HashMap;
use std::iter::Peekable;

use super::Shared;
use super::graph::Callee;
use super::inline::mentions;
use super::mask::is_local;
use super::structure::{Structure, alike, same};
use super::trial::Room;
use crate::engine::layout::{span_of, words_of};
use crate::model::{
    Base, DefineId, Expr, ExprKind, LocalId, Node, NodeMut, Type, change, each_in_expr,
    parts_of_expr,
};

/// Most rows of a table.
pub(super) const MOST_ROWS: u64 = 16_384;
/// Most values of one input.
const MOST_VALUES: u64 = 1024;
/// Most words of a table.
pub(super) const MOST_WORDS: u64 = 65_536;
/// Most inputs.
const MOST_INPUTS: usize = 4;
/// Work that all tables of a program may take together; what comes after stays code.
pub(super) const MOST_WORK: u64 = 300_000_000;
/// Work for putting down one word.
pub(super) const WORD_WORK: u64 = 16;

/// Tables made so far.
#[derive(Default)]
pub(in crate::engine) struct Cache {
    /// Work done for them.
    spent: u64,
    of_define: HashMap<DefineId, bool>,
    reads_state: RefCell<HashMap<DefineId, bool>>,
    made: HashMap<Structure, u32>,
    named: HashMap<String, u32>,
    /// By table: the rows that could not be worked out without a fault.
    faults: HashMap<u32, Vec<u64>>,
    room: Option<Room>,
}

impl Cache {
    /// Data put down under a name.
    pub fn named(&self, name: &str) -> Option<u32> {
        self.named.get(name).copied()
    }

    /// The rows of a table that fault, or have elements that do.
    pub fn faults(&self, base: u32) -> &[u64] {
        self.faults.get(&base).map_or(&[], Vec::as_slice)
    }

    /// Pays for putting words down; false where nothing is left to do it with.
    pub fn pay_words(&mut self, words: u64) -> bool {
        self.spent = self.spent.saturating_add(words.saturating_mul(WORD_WORK));
        self.spent < MOST_WORK
    }

    pub fn name(&mut self, name: &str, base: u32) {
        self.named.insert(name.to_owned(), base);
    }
}

/// A pure function of a few inputs, as a table.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Tabled {
    /// First entry in the data.
    pub base: u32,
    /// The inputs, to be evaluated where the table is read; the last one varies fastest.
    pub inputs: Vec<Input>,
    /// Words of an entry.
    pub words: u16,
    /// Whether what it stands for faults for some inputs, or where its inputs are read.
    pub faults: bool,
}

/// An input of a table.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Input {
    /// A local or something that reads the state.
    pub expr: Expr,
    /// Least value.
    pub lo: i64,
    /// Number of values, the absent one (the last) included.
    pub n: u64,
}

/// The inputs of an expression, while they are looked for.
#[derive(Default)]
struct Inputs {
    inputs: Vec<(LocalId, Input)>,
    /// How many parts were met.
    met: usize,
    /// The parts that are inputs by when they were met, and what stands in their places.
    taken: Vec<(usize, Expr)>,
}

impl Shared<'_> {
    /// Whether calls of a definition are read from a table: its value depends on its parameters
    /// only, and there are few of them.
    pub fn is_table(&mut self, id: DefineId) -> bool {
        if let Some(known) = self.tables.of_define.get(&id) {
            return *known;
        }
        self.tables.of_define.insert(id, false);
        let yes = self.could_be_table(id);
        self.tables.of_define.insert(id, yes);
        yes
    }

    fn could_be_table(&mut self, id: DefineId) -> bool {
        let Some(define) = self.game.defines.get(id.index()) else {
            return false;
        };
        if self.graph.recursive(Callee::Define(id)) || self.reads_state(&define.body) {
            return false;
        }
        let rows = define.params.iter().try_fold(1u64, |rows, param| {
            rows.checked_mul(self.values(self.local_type(*param))?.1)
        });
        let words = u64::from(words_of(self.game, define.ty));
        rows.is_some_and(|rows| rows <= MOST_ROWS && rows * words <= MOST_WORDS)
    }

    /// Least value and number of values of a scalar type, the absent one included.
    pub(super) fn values(&self, ty: Type) -> Option<(i64, u64)> {
        let (lo, n) = span_of(self.game, ty)?;
        n.checked_add(u64::from(ty.optional)).map(|n| (lo, n))
    }

    /// Whether a number may have more values than what hangs on it is worked out for.
    pub(super) fn is_wide(&self, ty: Type) -> bool {
        matches!(ty.base, Base::Int(..)) && self.values(ty).is_none_or(|it| it.1 > MOST_VALUES)
    }

    /// Whether an expression reads anything but locals and constants.
    pub fn reads_state(&self, expr: &Expr) -> bool {
        let mut found = self.node_reads_state(expr);
        each_in_expr(expr, &mut |node| {
            if let Node::Expr(expr) = node {
                found |= self.node_reads_state(expr);
            }
            found |= matches!(node, Node::Stmt(_));
        });
        found
    }

    fn define_reads_state(&self, id: DefineId) -> bool {
        if let Some(known) = self.tables.reads_state.borrow().get(&id) {
            return *known;
        }
        let define = self.game.defines.get(id.index());
        let reads = define.is_none_or(|define| self.reads_state(&define.body));
        self.tables.reads_state.borrow_mut().insert(id, reads);
        reads
    }

    pub(super) fn node_reads_state(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Track(..)
            | ExprKind::Component(_)
            | ExprKind::PlaceField(..)
            | ExprKind::Top(_)
            | ExprKind::Nth(..)
            | ExprKind::Count(_)
            | ExprKind::CountOf(..)
            | ExprKind::Kinds(_)
            | ExprKind::Filled(_)
            | ExprKind::After(..)
            | ExprKind::Can(..)
            | ExprKind::Frontier(_)
            | ExprKind::Laid(_)
            | ExprKind::PartsAt(..)
            | ExprKind::Touching(_)
            | ExprKind::Loose(_)
            | ExprKind::PartAtPort(..)
            | ExprKind::Repeated => true,
            // Which parts there are, and where, depends on what is laid.
            ExprKind::All(domain) | ExprKind::Make(domain, _) => self.is_parts(*domain),
            ExprKind::Field(base, 0) => {
                matches!(base.ty.base, Base::Elem(domain) if self.is_parts(domain))
            }
            ExprKind::Aggregate(aggregate) => aggregate
                .binders
                .iter()
                .any(|b| matches!(b.over, crate::model::Over::Zone(_))),
            // One that calls itself is never worth a table, and looking into it would not end.
            ExprKind::Call(id, _) => {
                self.graph.recursive(Callee::Define(*id)) || self.define_reads_state(*id)
            }
            _ => false,
        }
    }

    /// An expression as a table over its inputs, or `None` where it has too many or they are too
    /// large. The locals in `last`, if mentioned, become the last inputs.
    pub fn tabled(&mut self, expr: &Expr, last: &[LocalId]) -> Option<Tabled> {
        self.tabled_where(expr, last, |_| true)
    }

    /// An expression as a table by a local, its last input, on which no other hangs.
    pub fn tabled_by(&mut self, expr: &Expr, x: LocalId, lo: i64) -> Option<Tabled> {
        self.tabled_where(expr, &[x], |inputs| {
            inputs.split_last().is_some_and(|((_, last), others)| {
                let alone = others.iter().all(|(_, it)| !mentions(&it.expr, &[x]));
                alone && is_local(&last.expr, x) && last.lo == lo
            })
        })
    }

    /// The same where its inputs are as wanted: looked at before anything is worked out.
    fn tabled_where(
        &mut self,
        expr: &Expr,
        last: &[LocalId],
        is_wanted: impl FnOnce(&[(LocalId, Input)]) -> bool,
    ) -> Option<Tabled> {
        if self.is_plain() {
            return None;
        }
        let mut found = Inputs::default();
        self.find_inputs(expr, &mut Vec::new(), &mut found)?;
        let Inputs {
            mut inputs, taken, ..
        } = found;
        inputs.sort_by_key(|(_, input)| match &input.expr.kind {
            ExprKind::Local(local) => last.iter().position(|l| l == local).map_or(0, |at| at + 1),
            _ => 0,
        });
        let words = words_of(self.game, expr.ty);
        let rows = inputs
            .iter()
            .try_fold(1u64, |rows, (_, input)| rows.checked_mul(input.n))?;
        if rows > MOST_ROWS || rows * u64::from(words) > MOST_WORDS || !is_wanted(&inputs) {
            return None;
        }
        let mut body = expr.clone();
        put(&mut body, &mut 0, &mut taken.into_iter().peekable());
        let base = self.build(&body, &inputs, words, rows)?;
        let inputs: Vec<Input> = inputs.into_iter().map(|(_, input)| input).collect();
        let faults = !self.tables.faults(base).is_empty()
            || inputs.iter().any(|input| self.gathers_faults(input));
        Some(Tabled {
            base,
            inputs,
            words,
            faults,
        })
    }

    /// All that a table holds.
    pub(super) fn cells(&self, table: &Tabled) -> Option<&[i64]> {
        let words = table
            .inputs
            .iter()
            .try_fold(u64::from(table.words), |words, it| words.checked_mul(it.n));
        let words = usize::try_from(words?).ok()?;
        self.code.data.get(table.base as usize..)?.get(..words)
    }

    /// Whether a condition that hangs on little holds for all of that.
    pub(super) fn always(&mut self, cond: &Expr) -> bool {
        let table = self.tabled(cond, &[]).filter(|it| !it.faults);
        let cells = table.and_then(|it| self.cells(&it));
        cells.is_some_and(|cells| cells.iter().all(|it| *it == 1))
    }

    /// Whether a condition may be a table, were it asked of all values of a local.
    pub(super) fn may_be_rows(&mut self, cond: &Expr, x: LocalId) -> bool {
        let found = &mut Inputs::default();
        !self.is_plain() && self.find_inputs(cond, &mut vec![x], found).is_some()
    }

    /// Finds the largest parts that read the state or outer locals.
    fn find_inputs(
        &mut self,
        expr: &Expr,
        bound: &mut Vec<LocalId>,
        found: &mut Inputs,
    ) -> Option<()> {
        let at = found.met;
        found.met += 1;
        match &expr.kind {
            ExprKind::Local(local) if bound.contains(local) => return Some(()),
            ExprKind::Local(_) => return self.take(expr, at, found),
            ExprKind::After(..) | ExprKind::Can(..) | ExprKind::Repeated => return None,
            _ => {}
        }
        if !bound.is_empty()
            && let Some((digit, input)) = self.gather(expr, bound)
        {
            let mut known = found.inputs.iter();
            let known = known.find(|(_, it)| same(&it.expr, &input.expr));
            let local = match known {
                Some((local, _)) => *local,
                None => {
                    let local = self.new_local(input.expr.ty);
                    found.inputs.push((local, input));
                    local
                }
            };
            found.taken.push((at, digit(local)));
            return (found.inputs.len() <= MOST_INPUTS).then_some(());
        }
        if self.node_reads_state(expr) {
            if mentions(expr, bound) {
                return None;
            }
            return self.take(expr, at, found);
        }
        let before = (bound.len(), found.inputs.len(), found.taken.len());
        let mut ok = Some(());
        parts_of_expr(expr, &mut |node| match node {
            Node::Expr(part) => {
                if ok.is_some() {
                    ok = self.find_inputs(part, bound, found);
                }
            }
            Node::Binds(local) => bound.push(local),
            Node::Stmt(_) => ok = None,
        });
        // What is found by a search of its own is looked for once, where it hangs on no variable.
        if ok.is_none() && matches!(expr.kind, ExprKind::Aggregate(_)) && before.0 > 0 {
            bound.truncate(before.0);
            if expr.ty.base != Base::Bool && !mentions(expr, bound) {
                found.inputs.truncate(before.1);
                found.taken.truncate(before.2);
                found.met = at + 1;
                return self.take(expr, at, found);
            }
        }
        ok
    }

    fn take(&mut self, expr: &Expr, at: usize, found: &mut Inputs) -> Option<()> {
        let (lo, n) = self.values(expr.ty).filter(|it| it.1 <= MOST_VALUES)?;
        let known = found
            .inputs
            .iter()
            .find(|(_, input)| alike(&input.expr, expr) || is_asked(&input.expr, expr))
            .map(|(local, _)| *local);
        let local = known.unwrap_or_else(|| {
            let id = self.new_local(expr.ty);
            let expr = expr.clone();
            found.inputs.push((id, Input { expr, lo, n }));
            id
        });
        if found.inputs.len() > MOST_INPUTS {
            return None;
        }
        let kind = ExprKind::Local(local);
        let Expr { ty, span, .. } = *expr;
        found.taken.push((at, Expr { kind, ty, span }));
        Some(())
    }

    /// Works a table out by running the expression for every combination of inputs.
    pub(super) fn build(
        &mut self,
        body: &Expr,
        inputs: &[(LocalId, Input)],
        words: u16,
        rows: u64,
    ) -> Option<u32> {
        let typed = inputs.iter().map(|(local, it)| (*local, it.expr.ty));
        let key = Structure::nameless(body, typed);
        if let Some(base) = self.tables.made.get(&key) {
            return Some(*base);
        }
        if self.tables.spent >= MOST_WORK {
            return None;
        }
        let mut room = self.tables.room.take().unwrap_or_default();
        let mut spent = self.tables.spent;
        let made = match self.turned(body, inputs, rows, &mut room, &mut spent) {
            Some(cells) => Some((cells, Vec::new())),
            None => self.tried(body, inputs, words, rows, &mut room, &mut spent),
        };
        self.tables.room = Some(room);
        self.tables.spent = spent;
        let (cells, faults) = made.filter(|_| spent < MOST_WORK)?;
        let base = self.data(cells);
        if !faults.is_empty() {
            self.tables.faults.insert(base, faults);
        }
        self.tables.made.insert(key, base);
        Some(base)
    }
}

/// Puts in place what the inputs of an expression are called.
fn put(
    expr: &mut Expr,
    met: &mut usize,
    taken: &mut Peekable<impl Iterator<Item = (usize, Expr)>>,
) {
    let at = *met;
    *met += 1;
    if let Some((_, called)) = taken.next_if(|it| it.0 == at) {
        *expr = called;
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put(part, met, taken);
        }
    });
}

/// A scalar type that is an index into a table.
pub(super) fn is_scalar(ty: Type) -> bool {
    !matches!(ty.base, Base::Set(_) | Base::Unit)
}

/// Whether a local is read where it is known to be there, of which was asked before whether it is.
fn is_asked(before: &Expr, read: &Expr) -> bool {
    match (&before.kind, &read.kind) {
        (ExprKind::Local(one), ExprKind::Local(other)) => {
            one == other && before.ty.optional && before.ty.base == read.ty.base
        }
        _ => false,
    }
}

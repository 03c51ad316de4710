//! Tabulation: what depends on nothing but a few small values is worked out once, when the game is
//! compiled, by the very bytecode that it replaces.

use std::cell::RefCell;
use std::collections::HashMap;

use super::graph::Callee;
use super::inline::{mentions, rename_in};
use super::{Gen, Shared, fragment_of};
use crate::engine::chance::Dice;
use crate::engine::layout::{Layout, span_of, words_of};
use crate::engine::op::{Code, Reg, word};
use crate::engine::vm::{Bench, fresh_memory, load_consts, run};
use crate::engine::zones::{Memory, at};
use crate::model::{
    AggregateOp, Base, DefineId, Expr, ExprKind, LocalId, NONE, Node, Over, Type, each_in_expr,
};

/// Most rows of a table.
const MOST_ROWS: u64 = 16_384;
/// Most words of a table.
const MOST_WORDS: u64 = 65_536;
/// Work that all tables of a program may take together; what comes after stays code.
pub(super) const MOST_WORK: u64 = 300_000_000;
/// Work for putting down one word.
const WORD_WORK: u64 = 16;

/// Tables made so far.
#[derive(Default)]
pub(in crate::engine) struct Cache {
    /// Work done for them.
    spent: u64,
    of_define: HashMap<DefineId, bool>,
    reads_state: RefCell<HashMap<DefineId, bool>>,
    made: HashMap<String, u32>,
    /// By table: the rows that could not be worked out without a fault.
    faults: HashMap<u32, Vec<u64>>,
    memory: Option<Box<Memory>>,
}

impl Cache {
    /// Data put down under a name.
    pub fn named(&self, name: &str) -> Option<u32> {
        self.made.get(name).copied()
    }

    /// The rows of a table that fault, or have elements that do.
    pub fn faults(&self, base: u32) -> &[u64] {
        self.faults.get(&base).map_or(&[], Vec::as_slice)
    }

    pub fn name(&mut self, name: &str, base: u32) {
        self.made.insert(name.to_owned(), base);
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

/// An expression that runs by itself.
struct Trial {
    code: Code,
    /// Where its value stands afterwards.
    value: Reg,
    words: u16,
}

impl Trial {
    /// Its value for these inputs; none where it faults.
    fn run(
        &mut self,
        layout: &Layout,
        memory: &mut Memory,
        given: &[i64],
        spent: &mut u64,
    ) -> Option<Vec<i64>> {
        load_consts(memory, &self.code);
        for (input, value) in given.iter().enumerate() {
            memory[at(word::ARGS, input)] = *value as u64;
        }
        let mut bench = Bench::default();
        bench.most = Some(MOST_WORK.saturating_sub(*spent));
        let ran = run::<Dice, false>(
            memory,
            &self.code,
            layout,
            0,
            self.code.start,
            &mut bench,
            &mut Dice::new(0),
        );
        *spent += bench.spent + WORD_WORK * u64::from(self.words);
        ran.ok()?;
        let words = 0..usize::from(self.words);
        Some(words.map(|w| memory[at(self.value, w)] as i64).collect())
    }

    /// The set of the last inputs for which it holds: where it faults, it does not.
    fn set(
        &mut self,
        layout: &Layout,
        memory: &mut Memory,
        given: &[i64],
        (lo, n): (i64, u64),
        words: u16,
        spent: &mut u64,
    ) -> Vec<i64> {
        let mut set = vec![0; usize::from(words)];
        let mut given = given.to_vec();
        given.push(lo);
        for element in 0..n {
            if let Some(last) = given.last_mut() {
                *last = lo + element as i64;
            }
            let holds = self.run(layout, memory, &given, spent);
            if let (Some([1]), Some(word)) = (holds.as_deref(), set.get_mut(element as usize / 64))
            {
                *word |= 1 << (element % 64);
            }
        }
        set
    }
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
        if self.plain {
            return None;
        }
        let mut body = expr.clone();
        let mut inputs: Vec<(LocalId, Input)> = Vec::new();
        self.take_inputs(&mut body, &mut Vec::new(), &mut inputs)?;
        inputs.sort_by_key(|(_, input)| match &input.expr.kind {
            ExprKind::Local(local) => last.iter().position(|l| l == local).map_or(0, |at| at + 1),
            _ => 0,
        });
        let words = words_of(self.game, expr.ty);
        let rows = inputs
            .iter()
            .try_fold(1u64, |rows, (_, input)| rows.checked_mul(input.n))?;
        if rows > MOST_ROWS || rows * u64::from(words) > MOST_WORDS {
            return None;
        }
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

    /// Replaces the largest parts that read the state or outer locals by fresh locals.
    fn take_inputs(
        &mut self,
        expr: &mut Expr,
        bound: &mut Vec<LocalId>,
        inputs: &mut Vec<(LocalId, Input)>,
    ) -> Option<()> {
        match &expr.kind {
            ExprKind::Local(local) if bound.contains(local) => return Some(()),
            ExprKind::Local(_) => return self.take(expr, inputs),
            ExprKind::After(..) | ExprKind::Can(..) | ExprKind::Repeated => return None,
            _ => {}
        }
        if !bound.is_empty()
            && let Some((digit, input)) = self.gather(expr, bound)
        {
            let known = inputs.iter().find(|(_, it)| same(&it.expr, &input.expr));
            let local = match known {
                Some((local, _)) => *local,
                None => {
                    let local = self.new_local(input.expr.ty, expr.span);
                    inputs.push((local, input));
                    local
                }
            };
            *expr = digit(local);
            return (inputs.len() <= 4).then_some(());
        }
        if self.node_reads_state(expr) {
            if mentions(expr, bound) {
                return None;
            }
            return self.take(expr, inputs);
        }
        let mut ok = Some(());
        crate::model::change::parts_of_expr(expr, &mut |node| match node {
            crate::model::NodeMut::Expr(part) => {
                if ok.is_some() {
                    ok = self.take_inputs(part, bound, inputs);
                }
            }
            crate::model::NodeMut::Binds(local) => bound.push(*local),
            crate::model::NodeMut::Stmt(_) => ok = None,
        });
        ok
    }

    fn take(&mut self, expr: &mut Expr, inputs: &mut Vec<(LocalId, Input)>) -> Option<()> {
        let (lo, n) = self.values(expr.ty)?;
        if n > 1024 {
            return None;
        }
        let known = inputs
            .iter()
            .find(|(_, input)| same(&input.expr, expr))
            .map(|(local, _)| *local);
        let local = known.unwrap_or_else(|| {
            let id = self.new_local(expr.ty, expr.span);
            inputs.push((
                id,
                Input {
                    expr: expr.clone(),
                    lo,
                    n,
                },
            ));
            id
        });
        if inputs.len() > 4 {
            return None;
        }
        expr.kind = ExprKind::Local(local);
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
        let key = self.key_of(body, inputs);
        if let Some(base) = self.tables.made.get(&key) {
            return Some(*base);
        }
        if self.tables.spent >= MOST_WORK {
            return None;
        }
        let mut spent = self.tables.spent;
        let locals: Vec<LocalId> = inputs.iter().map(|(local, _)| *local).collect();
        let mut whole = self.trial(body, &locals, words)?;
        let mut by_element: Option<(Trial, i64, u64)> = None;
        let mut memory = self.tables.memory.take().unwrap_or_else(fresh_memory);
        let mut cells = Vec::new();
        let mut faults = Vec::new();
        for row in 0..rows {
            let mut rest = row;
            let mut given = Vec::new();
            for (_, input) in inputs.iter().rev() {
                let digit = rest % input.n;
                rest /= input.n;
                let absent = input.expr.ty.optional && digit == input.n - 1;
                given.push(if absent {
                    NONE
                } else {
                    input.lo + digit as i64
                });
            }
            given.reverse();
            if spent >= MOST_WORK {
                break;
            }
            if let Some(found) = whole.run(self.layout, &mut memory, &given, &mut spent) {
                cells.extend(found);
                continue;
            }
            faults.push(row);
            if by_element.is_none() {
                by_element = self.by_element(body, &locals);
            }
            // Whoever uses the table makes sure that what faults is never looked up.
            cells.extend(match &mut by_element {
                Some((trial, lo, n)) => trial.set(
                    self.layout,
                    &mut memory,
                    &given,
                    (*lo, *n),
                    words,
                    &mut spent,
                ),
                None => vec![0; usize::from(words)],
            });
        }
        self.tables.memory = Some(memory);
        self.tables.spent = spent;
        if spent >= MOST_WORK {
            return None;
        }
        let base = self.data(cells);
        if !faults.is_empty() {
            self.tables.faults.insert(base, faults);
        }
        self.tables.made.insert(key, base);
        Some(base)
    }

    /// Of `{ x in D where P }` P for one x, because a condition beside P may keep those out for which
    /// P faults; with the least x and how many there are.
    fn by_element(&mut self, body: &Expr, locals: &[LocalId]) -> Option<(Trial, i64, u64)> {
        let ExprKind::Aggregate(aggregate) = &body.kind else {
            return None;
        };
        let [binder] = aggregate.binders.as_slice() else {
            return None;
        };
        let collects = aggregate.op == AggregateOp::Collect && aggregate.value.is_none();
        let all = matches!(&binder.over, Over::Set(over) if matches!(over.kind, ExprKind::All(_)));
        let guard = binder.guard.as_ref().filter(|_| collects && all)?;
        let (lo, n) = self.values(self.local_type(binder.local))?;
        let mut locals = locals.to_vec();
        locals.push(binder.local);
        Some((self.trial(guard, &locals, 1)?, lo, n))
    }

    /// Makes an expression that can be run for values of its inputs.
    fn trial(&mut self, body: &Expr, locals: &[LocalId], words: u16) -> Option<Trial> {
        let mut value: Reg = word::ARGS;
        let shared = Shared::new(self.game, self.layout, &self.graph, true);
        let code = fragment_of(shared, &mut |r#gen: &mut Gen<'_, '_>| {
            r#gen.shared.locals.more.clone_from(&self.locals.more);
            for (at, local) in locals.iter().enumerate() {
                // Calls overwrite the argument words.
                let input = r#gen.temp();
                r#gen.mov(input, word::ARGS + u16::try_from(at).unwrap_or(0));
                r#gen.set_local(*local, input);
            }
            value = r#gen.temps(words);
            r#gen.value_to(body, value);
        })
        .ok()?;
        Some(Trial { code, value, words })
    }

    /// Whether two expressions mean the same but for the names of what they bind.
    pub(super) fn alike(&self, one: &Expr, other: &Expr) -> bool {
        self.key_of(one, &[]) == self.key_of(other, &[])
    }

    /// Text that is equal for equal tables.
    fn key_of(&self, body: &Expr, inputs: &[(LocalId, Input)]) -> String {
        let mut names: HashMap<LocalId, usize> = HashMap::new();
        for (local, _) in inputs {
            let at = names.len();
            names.insert(*local, at);
        }
        each_in_expr(body, &mut |node| {
            if let Node::Binds(local) = node {
                let at = names.len();
                names.entry(local).or_insert(at);
            }
        });
        let mut canonical = body.clone();
        let by: HashMap<LocalId, LocalId> = names
            .iter()
            .map(|(local, at)| (*local, LocalId(u32::try_from(*at).unwrap_or(u32::MAX))))
            .collect();
        rename_in(&mut canonical, &by);
        let mut text = String::new();
        write_key(&canonical, &mut text);
        for (_, input) in inputs {
            text.push_str(&format!("|{:?}", input.expr.ty));
        }
        text
    }
}

/// Writes the structure of an expression, places in the text left out.
pub(super) fn write_key(expr: &Expr, out: &mut String) {
    use std::fmt::Write;
    let _ = write!(out, "{}:{:?}(", head(&expr.kind), expr.ty);
    crate::model::parts_of_expr(expr, &mut |node| {
        if let Node::Expr(part) = node {
            write_key(part, out);
            out.push(',');
        }
    });
    out.push(')');
}

/// What tells a node from others apart from its parts.
fn head(kind: &ExprKind) -> String {
    match kind {
        ExprKind::Value(v) => format!("v{v}"),
        ExprKind::Setting(folded) => format!("v{}", folded.value),
        ExprKind::All(domain) => format!("all{}", domain.0),
        ExprKind::Local(local) => format!("l{}", local.0),
        ExprKind::Track(track, _) => format!("track{}", track.0),
        ExprKind::Table(table, _) => format!("table{}", table.0),
        ExprKind::Component(p) => format!("component{}", p.zone.0),
        ExprKind::Top(p) => format!("top{}", p.zone.0),
        ExprKind::Count(p) => format!("count{}", p.zone.0),
        ExprKind::CountOf(p, _) => format!("copies{}", p.zone.0),
        ExprKind::Kinds(p) => format!("kinds{}", p.zone.0),
        ExprKind::Filled(p) => format!("filled{}", p.zone.0),
        ExprKind::PlaceField(p, at) => format!("place{}.{at}", p.zone.0),
        ExprKind::Frontier(z) => format!("frontier{}", z.0),
        ExprKind::Laid(z) => format!("laid{}", z.0),
        ExprKind::PartsAt(d, _) => format!("parts{}", d.0),
        ExprKind::Touching(_) => "touching".to_owned(),
        ExprKind::Loose(_) => "loose".to_owned(),
        ExprKind::PartAtPort(..) => "part".to_owned(),
        ExprKind::Field(_, at) => format!("field{at}"),
        ExprKind::Make(domain, _) => format!("make{}", domain.0),
        ExprKind::Unary(op, _) => format!("{op:?}"),
        ExprKind::Binary(op, ..) => format!("{op:?}"),
        ExprKind::Call(id, _) => format!("call{}", id.0),
        ExprKind::Near(near, _) => format!("{near:?}"),
        ExprKind::Let(local, ..) => format!("let{}", local.0),
        ExprKind::Match(_, arms, _) => {
            format!(
                "match{:?}",
                arms.iter().map(|(v, _)| v.clone()).collect::<Vec<_>>()
            )
        }
        ExprKind::Aggregate(aggregate) => {
            let binders: String = aggregate.binders.iter().map(binder_head).collect();
            let (value, default) = (aggregate.value.is_some(), aggregate.default.is_some());
            format!("{:?}{binders}{value}{default}", aggregate.op)
        }
        ExprKind::SetOf(items) => format!("set{}", items.len()),
        ExprKind::If(..) => "if".to_owned(),
        ExprKind::OrElse(..) => "default".to_owned(),
        ExprKind::Reach { .. } => "reach".to_owned(),
        ExprKind::Groups { .. } => "groups".to_owned(),
        ExprKind::Walk { .. } => "walk".to_owned(),
        ExprKind::Step { .. } => "step".to_owned(),
        // Never alike: they hold statements or depend on when they are asked.
        ExprKind::After(..) | ExprKind::Can(..) | ExprKind::Repeated => {
            format!("{:p}", std::ptr::from_ref(kind))
        }
    }
}

fn binder_head(binder: &crate::model::Binder) -> String {
    use crate::model::{Order, Over};
    let order = match binder.order {
        Order::Ascending => 'a',
        Order::Descending => 'd',
        Order::From(_) => 'f',
    };
    let over = match &binder.over {
        Over::Set(_) => "set".to_owned(),
        Over::Zone(place) => format!("zone{}", place.zone.0),
        Over::Span(..) => "span".to_owned(),
    };
    format!("{}{order}{over}{}", binder.local.0, binder.guard.is_some())
}

/// Whether two expressions are written alike.
pub(super) fn same(one: &Expr, other: &Expr) -> bool {
    let (mut a, mut b) = (String::new(), String::new());
    write_key(one, &mut a);
    write_key(other, &mut b);
    a == b
}

/// A scalar type that is an index into a table.
pub(super) fn is_scalar(ty: Type) -> bool {
    !matches!(ty.base, Base::Set(_) | Base::Unit)
}

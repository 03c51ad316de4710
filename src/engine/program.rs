//! A compiled game.

use std::sync::{Arc, OnceLock};

use super::chance::Dice;
use super::face::ActionFace;
use super::fault::Fault;
use super::r#gen::{self, Gen, Graph, Overflow, Tier};
use super::layout::{Layout, Store, TooLarge};
use super::looks;
use super::op::Code;
use super::operands::Operand;
use super::products::add_products;
use super::query::Query;
use super::setup::Image;
use super::told::Courses;
use super::truths;
use super::verify::verify;
use super::vm::{Bench, fresh_memory, load_consts, peek, run};
use super::work::Allowance;
use crate::check::settle_orders;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Game, ZoneId};

/// A game ready to be played: the checked rulebook, the layout of its state and its bytecode.
///
/// Immutable; share it between threads and give each thread a [`super::Machine`].
#[derive(Debug)]
pub struct Program {
    /// The checked rulebook.
    pub game: Arc<Game>,
    pub(super) layout: Layout,
    pub(super) code: Code,
    /// What was made of the rules.
    pub(super) tier: Tier,
    /// Who calls whom.
    pub(super) graph: Arc<Graph>,
    /// The same rules without lowering, compiled when first asked for.
    plain: OnceLock<Option<Code>>,
    /// What every game begins with, worked out when first asked for.
    pub(super) image: OnceLock<Option<Image>>,
    /// By action: its clauses and texts one by one, compiled when first asked for.
    pub(super) faces: Vec<OnceLock<Option<Box<ActionFace>>>>,
    /// By telling: what it asks for, compiled when first told.
    pub(super) tellings: Vec<OnceLock<Option<Query>>>,
    /// By definition: what asks for its value, compiled when somebody is first shown it.
    pub(super) defined: Vec<OnceLock<Option<Query>>>,
    /// Where what not everybody sees decides what happens, found out when first asked for.
    pub(super) courses: OnceLock<Courses>,
    /// What all runs may take together.
    pub(super) work: Allowance,
    /// Words of the state block.
    pub(super) state_words: usize,
}

/// Compiles a checked game for many games.
///
/// # Errors
/// As [`compile_as`].
pub fn compile(game: Arc<Game>) -> Result<Program, Vec<Diagnostic>> {
    compile_as(game, Tier::Optimized)
}

/// Compiles a checked game. All tiers mean the same.
///
/// # Errors
/// What only the engine can see: a state, a flow or a rulebook that is too large; an invariant about
/// what never changes that does not hold.
pub fn compile_as(game: Arc<Game>, tier: Tier) -> Result<Program, Vec<Diagnostic>> {
    crate::stack::with_room(|| compile_here(game, tier))
}

fn compile_here(game: Arc<Game>, tier: Tier) -> Result<Program, Vec<Diagnostic>> {
    // No finding hangs on it, and it would take a fifth of a check.
    let mut game = Arc::unwrap_or_clone(game);
    settle_orders(&mut game);
    let products = add_products(&mut game);
    let game = Arc::new(game);
    let graph = Arc::new(Graph::of(&game));
    let copies = copies_of(&game, &graph)?;
    let mut layout = Layout::of(&game, &|component| {
        copies.get(component.index()).cloned().unwrap_or_default()
    })
    .map_err(|TooLarge { name }| vec![too_large(&game, format!("`{name}`"))])?;
    layout.products = products;
    layout.parts = super::ports::parts_of(&game, &layout, &graph)
        .map_err(|what| vec![too_large(&game, what)])?;
    let code = r#gen::program(&game, &layout, &graph, tier)
        .map_err(|what| vec![too_large(&game, what)])?;
    let state_words = state_words(&code, &layout);
    if let Err(problem) = verify(&code, &layout) {
        return Err(vec![too_large(&game, problem)]);
    }
    let faces = game.actions.iter().map(|_| OnceLock::new()).collect();
    let tellings = game.tellings.iter().map(|_| OnceLock::new()).collect();
    let defined = game.defines.iter().map(|_| OnceLock::new()).collect();
    let program = Program {
        game,
        layout,
        code,
        tier,
        graph,
        plain: OnceLock::new(),
        image: OnceLock::new(),
        faces,
        tellings,
        defined,
        courses: OnceLock::new(),
        work: Allowance::default(),
        state_words,
    };
    let mut broken = truths::broken(&program);
    broken.extend(looks::broken(&program));
    if broken.is_empty() {
        Ok(program)
    } else {
        Err(broken)
    }
}

impl Program {
    /// Size of a state in bytes.
    #[must_use]
    pub fn state_bytes(&self) -> usize {
        self.state_words * 8
    }

    /// Whether the order in a pile is kept: where no rule asks for it, there is none.
    #[must_use]
    pub fn keeps_order(&self, zone: ZoneId) -> bool {
        let slot = self.layout.zones.get(zone.index());
        slot.is_some_and(|it| matches!(it.store, Store::Pile { .. }))
    }

    /// The unlowered code.
    pub(super) fn plain(&self) -> Option<&Code> {
        self.plain
            .get_or_init(|| {
                r#gen::program(&self.game, &self.layout, &self.graph, Tier::AsWritten).ok()
            })
            .as_ref()
    }
}

/// End of the frames, rounded up to whole cache lines.
pub(super) fn state_words(code: &Code, layout: &Layout) -> usize {
    let mut end = layout.frames;
    let mut ops = code.ops.clone();
    for op in &mut ops {
        op.operands(&mut |_, operand| {
            let (Operand::Use(reg, n) | Operand::Def(reg, n) | Operand::Both(reg, n)) = operand
            else {
                return;
            };
            if *reg >= layout.frames && *reg < r#gen::FRAME_REL {
                end = end.max(reg.saturating_add(n.unwrap_or(1)));
            }
        });
    }
    usize::from(end).div_ceil(8) * 8
}

fn too_large(game: &Game, overflow: impl Into<Overflow>) -> Diagnostic {
    let Overflow { what, at } = overflow.into();
    let message = format!("{what} needs more room than the engine has");
    let found = Diagnostic::new(codes::TOO_LARGE_FOR_ENGINE, message);
    if let Some(at) = at {
        return found
            .label(at, "the innermost one")
            .help("in place of the inner questions ask what they come to: the conditions of their actions");
    }
    let span = game.clauses.first().map(|clause| clause.span);
    found
        .label(span.unwrap_or_default(), "in this rulebook")
        .help("make a domain, a capacity or a `depth` smaller")
}

/// For each component, the copies of each kind that the supplies put into play.
fn copies_of(game: &Game, graph: &Arc<Graph>) -> Result<Vec<Vec<u32>>, Vec<Diagnostic>> {
    let mut all: Vec<Vec<u32>> = game.domains.iter().map(|_| Vec::new()).collect();
    let nowhere = Layout::default();
    let mut memory = fresh_memory();
    for supply in &game.supplies {
        let kinds = game
            .domains
            .get(supply.component.index())
            .map_or(0, |d| d.size);
        let it = super::op::word::ARGS;
        let mut count = it;
        let code = r#gen::fragment(
            game,
            &nowhere,
            graph,
            Tier::AsWritten,
            &mut |r#gen: &mut Gen<'_, '_>| {
                // Calls overwrite the argument words.
                let kind = r#gen.temps(1);
                r#gen.mov(kind, it);
                r#gen.set_local(supply.it, kind);
                count = r#gen.temps(1);
                let zero = r#gen.constant(0);
                r#gen.mov(count, zero);
                let skip = r#gen.label();
                if let Some(guard) = &supply.guard {
                    r#gen.cond(guard, false, skip);
                }
                r#gen.value_to(&supply.count, count);
                r#gen.bind(skip);
            },
        )
        .map_err(|what| vec![too_large(game, what)])?;
        load_consts(&mut memory, &code);
        let Some(list) = all.get_mut(supply.component.index()) else {
            continue;
        };
        list.resize(usize::try_from(kinds).unwrap_or(0), 0);
        for (kind, total) in list.iter_mut().enumerate() {
            memory[usize::from(it)] = kind as u64;
            let ran = run::<false>(
                &mut memory,
                &code,
                &nowhere,
                0,
                code.start,
                &mut Bench::default(),
                &mut Dice::new(0),
            );
            if let Err((kind, pc)) = ran {
                return Err(vec![Fault::at(kind, code.span(pc)).diagnostic()]);
            }
            *total = total
                .saturating_add(u32::try_from(peek(&memory, count).max(0)).unwrap_or(u32::MAX));
        }
    }
    for (at, domain) in game.domains.iter().enumerate() {
        let component = matches!(
            domain.kind,
            crate::model::DomainKind::Record {
                component: true,
                ..
            }
        );
        if let Some(list) = all.get_mut(at)
            && component
            && list.is_empty()
        {
            *list = vec![0; usize::try_from(domain.size).unwrap_or(0)];
        }
    }
    Ok(all)
}

//! What runs bytecode: where it starts and stops, and what work may cost.

mod bench;
mod dispatch;
pub(super) mod filled;
mod flow;
mod handed;
mod moves;
mod places;
mod sets;

pub use self::bench::{Bench, Event, Happened};
use self::filled::{Filled, LARGE, MIDDLE, SMALL};
pub(super) use self::handed::changed;
pub use self::moves::{Move, Moves};
use super::chance::Chance;
use super::layout::Layout;
use super::memory::{Memory, WORDS, at};
use super::op::{CONSTS, Code, FaultKind, Pc, Reg};
pub use crate::limits::{FUEL, MOST_MOVES};
use crate::model::NONE;

/// Most that is told of one answer.
const MOST_EVENTS: usize = 1 << 20;
/// Deepest nesting of `after`.
const MOST_AFTERS: usize = 64;

/// Why the loop stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// At a choice point.
    Choice(u16),
    /// The game has ended.
    Ended,
    /// At the end of a fragment.
    Halted,
    /// At a marked step (only where asked for).
    Marked(u16, Pc),
    /// Something is told, and the run goes on there (only where somebody listens).
    Told(u16, Pc),
}

/// What an operation comes to that does not say where to go on.
type Done = Result<(), FaultKind>;

/// A fault and where in the code.
pub type Trap = (FaultKind, Pc);

/// Runs from `pc` until something stops it. `state` is the number of words of the state block.
///
/// # Errors
/// A fault: the memory is then as it was when it happened; the caller restores the state.
pub fn run<const COUNT: bool>(
    mem: &mut Memory,
    code: &Code,
    layout: &Layout,
    state: usize,
    pc: Pc,
    bench: &mut Bench,
    chance: &mut dyn Chance,
) -> Result<Exit, Trap> {
    let fuel = bench.left.take().or(bench.most).unwrap_or(FUEL);
    bench.afters.clear();
    bench.kept.clear();
    // Whoever put another position into the memory did not tell.
    if let Err(kind) = bench.planes.follow(mem, layout) {
        return Err((kind, pc));
    }
    bench.spent += fuel;
    let mut run = Run {
        code,
        layout,
        state,
        bench,
        chance,
        fuel,
        is_watched: COUNT,
    };
    let ran = match &code.filled {
        Filled::Nothing => Err((FaultKind::Depth, pc)),
        Filled::Small(ops) => run.go_on::<COUNT, SMALL>(mem, ops, pc),
        Filled::Middle(ops) => run.go_on::<COUNT, MIDDLE>(mem, ops, pc),
        Filled::Large(ops) => run.go_on::<COUNT, LARGE>(mem, ops, pc),
    };
    run.bench.spent -= run.fuel;
    if let Ok(Exit::Told(..)) = ran {
        run.bench.left = Some(run.fuel);
    }
    ran
}

/// What runs, but for the memory. What an operation does is a method where it takes more than a few
/// instructions: so little is left in the loop that it stays in the registers of the processor.
struct Run<'r> {
    code: &'r Code,
    layout: &'r Layout,
    /// Words of the state block.
    state: usize,
    bench: &'r mut Bench,
    chance: &'r mut dyn Chance,
    /// Work that may still be done.
    fuel: u64,
    /// Whether somebody wants to know what happens to components.
    is_watched: bool,
}

impl Run<'_> {
    /// Pays for work.
    #[inline]
    fn burn(&mut self, work: u64) -> Done {
        match self.fuel.checked_sub(work) {
            Some(left) => self.fuel = left,
            None => {
                self.fuel = 0;
                return Err(FaultKind::Fuel);
            }
        }
        Ok(())
    }

    /// Pays for words in a row, which cost less than as many operations.
    #[inline]
    fn burn_words(&mut self, n: u16) -> Done {
        self.burn(u64::from(n) >> 2)
    }
}

/// Puts constants where registers find them.
pub fn load_consts(mem: &mut Memory, code: &Code) {
    for (i, value) in code.consts.iter().enumerate() {
        mem[at(CONSTS, i)] = *value;
    }
}

/// A memory of zeros.
#[must_use]
pub fn fresh_memory() -> Box<Memory> {
    let words = vec![0u64; WORDS].into_boxed_slice();
    words.try_into().unwrap_or_else(|_| Box::new([0; WORDS]))
}

/// Reads a register.
#[must_use]
pub fn peek(mem: &Memory, reg: Reg) -> i64 {
    mem[usize::from(reg)] as i64
}

/// A number modulo `n`, never negative.
#[inline]
fn wrapped(value: i64, n: i64) -> i64 {
    // Mostly at most one step beyond the end: a division would cost more than all else here.
    let once = if value >= n && value - n < n {
        value - n
    } else {
        value
    };
    if (0..n).contains(&once) {
        once
    } else {
        once.rem_euclid(n)
    }
}

/// The value of a stored form.
#[inline]
fn from_stored(raw: i64, bias: i64) -> i64 {
    if raw == 0 { NONE } else { raw - 1 + bias }
}

/// The stored form of a value.
#[inline]
fn to_stored(value: i64, bias: i64) -> i64 {
    if value == NONE { 0 } else { value - bias + 1 }
}

/// The first member of a set of one word, or absent.
#[inline]
fn first(set: u64) -> i64 {
    if set == 0 {
        NONE
    } else {
        i64::from(set.trailing_zeros())
    }
}

//! What is left of finished code when idle operations, jumps over jumps and jumps to what comes next are gone.
//!
//! Nothing that can fault is moved: it is changed where it stands, or it goes. What a fault shows and what happens
//! first stay as they are.

use super::flow::{self, Blocks};
use super::link::thread_jumps;
use crate::engine::layout::Layout;
use crate::engine::op::{Code, Op, Pc, word};

/// Makes code shorter. `entries` are the places where it is entered from outside. Returns for each
/// operation its new place, one more than there were; those that went have the place of the next.
///
/// `pausing` are the calls in which somebody may choose, `statements` the places where others begin.
pub(super) fn tidy(
    ops: &mut Vec<Op>,
    [entries, pausing, statements]: [&[usize]; 3],
    temps: &mut u16,
    code: &Code,
    layout: &Layout,
) -> Vec<usize> {
    turn_jumps(ops, entries);
    let mut hoisted: Option<Vec<usize>> = None;
    if let Some(mut blocks) = Blocks::of(ops, entries, pausing) {
        flow::reuse(ops, &blocks, temps, code, layout);
        hoisted = flow::hoist(ops, &mut blocks, [entries, pausing], code, layout);
        let now = |at: &usize| hoisted.as_ref().map_or(*at, |places| places[*at]);
        let statements: Vec<usize> = statements.iter().map(now).collect();
        flow::shorten(ops, &blocks, temps, &statements, code, layout);
    }
    let now = |at: &usize| hoisted.as_ref().map_or(*at, |places| places[*at]);
    let entries: Vec<usize> = entries.iter().map(now).collect();
    thread_jumps(ops, is_idle);
    leave_out_unreached(ops, &entries);
    turn_jumps(ops, &entries);
    let mut gone: Vec<bool> = ops.iter().map(|op| is_idle(*op)).collect();
    for (at, op) in ops.iter().enumerate().rev() {
        if let Op::Jump { to } = op {
            gone[at] = next_kept(at + 1, &gone) == next_kept(usize::from(*to), &gone);
        }
    }
    let mut places = Vec::with_capacity(ops.len() + 1);
    let mut next = 0;
    for is_gone in &gone {
        places.push(next);
        next += usize::from(!is_gone);
    }
    places.push(next);
    let mut kept = gone.into_iter();
    ops.retain(|_| !kept.next().unwrap_or(false));
    for op in ops {
        op.each_jump(&mut |to| *to = place(&places, *to));
    }
    match hoisted {
        Some(hoisted) => hoisted
            .iter()
            .filter_map(|at| places.get(*at).copied())
            .collect(),
        None => places,
    }
}

/// What stands where an operation went, until all move up.
pub(super) const NOTHING: Op = Op::Clear {
    d: word::FREE_TEMP,
    n: 0,
};

/// Whether an operation comes to nothing.
pub(super) fn is_idle(op: Op) -> bool {
    match op {
        Op::Clear { n, .. } => n == 0,
        Op::Mov { d, a } => d == a,
        _ => false,
    }
}

/// The new place of an operation.
pub(super) fn place(places: &[usize], old: Pc) -> Pc {
    let new = places.get(usize::from(old)).copied();
    new.and_then(|it| Pc::try_from(it).ok()).unwrap_or(old)
}

fn next_kept(from: usize, gone: &[bool]) -> usize {
    let left = gone.get(from..).unwrap_or_default();
    from + left.iter().take_while(|is_gone| **is_gone).count()
}

/// Whether something goes on at each operation.
fn targets(ops: &[Op], entries: &[usize]) -> Vec<bool> {
    let mut targets = vec![false; ops.len() + 1];
    let mut note = |at: usize| {
        if let Some(target) = targets.get_mut(at) {
            *target = true;
        }
    };
    entries.iter().for_each(|at| note(*at));
    for (at, op) in ops.iter().enumerate() {
        let mut op = *op;
        match op {
            // What is called stands elsewhere, and comes back here.
            Op::Call { .. } | Op::Mark { .. } => note(at + 1),
            _ => op.each_target(&mut |to| note(usize::from(*to))),
        }
    }
    targets
}

/// Leaves out what no way leads to. A call stays, because it is known by its place.
fn leave_out_unreached(ops: &mut [Op], entries: &[usize]) {
    let mut is_reached = vec![false; ops.len()];
    let mut open = entries.to_vec();
    while let Some(at) = open.pop() {
        let Some(is_reached @ false) = is_reached.get_mut(at) else {
            continue;
        };
        *is_reached = true;
        let mut op = ops[at];
        op.each_jump(&mut |to| open.push(usize::from(*to)));
        if !op.effect().leaves {
            open.push(at + 1);
        }
    }
    for (op, is_reached) in ops.iter_mut().zip(is_reached) {
        if !is_reached && !matches!(op, Op::Call { .. }) {
            *op = NOTHING;
        }
    }
}

/// A jump over a jump is a jump where the opposite holds.
fn turn_jumps(ops: &mut [Op], entries: &[usize]) {
    let targets = targets(ops, entries);
    for at in 0..ops.len().saturating_sub(1) {
        let (Some(first), Some(Op::Jump { to: far })) = (ops.get(at), ops.get(at + 1)) else {
            continue;
        };
        let Some((over, turned)) = turned(*first, *far) else {
            continue;
        };
        if usize::from(over) == at + 2 && !targets[at + 1] {
            ops[at] = turned;
            ops[at + 1] = NOTHING;
        }
    }
}

/// Where a conditional jump leads, and the jump elsewhere under the opposite condition.
fn turned(op: Op, far: Pc) -> Option<(Pc, Op)> {
    Some(match op {
        Op::JumpIf { a, to } => (to, Op::JumpNot { a, to: far }),
        Op::JumpNot { a, to } => (to, Op::JumpIf { a, to: far }),
        Op::JumpEq { a, b, to } => (to, Op::JumpNe { a, b, to: far }),
        Op::JumpNe { a, b, to } => (to, Op::JumpEq { a, b, to: far }),
        Op::JumpLt { a, b, to } => (
            to,
            Op::JumpLe {
                a: b,
                b: a,
                to: far,
            },
        ),
        Op::JumpLe { a, b, to } => (
            to,
            Op::JumpLt {
                a: b,
                b: a,
                to: far,
            },
        ),
        Op::JumpIn { set, e, to } => (to, Op::JumpNotIn { set, e, to: far }),
        Op::JumpNotIn { set, e, to } => (to, Op::JumpIn { set, e, to: far }),
        Op::JumpEmpty { set, n, to } => (to, Op::JumpAny { set, n, to: far }),
        Op::JumpAny { set, n, to } => (to, Op::JumpEmpty { set, n, to: far }),
        _ => return None,
    })
}

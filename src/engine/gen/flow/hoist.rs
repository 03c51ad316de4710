//! What comes to the same in each round of a loop is worked out before the loop.
//!
//! Only what cannot fault is moved, and only what every full round works out; a table is then read so that what
//! there is not comes to 0. Loops are the natural ones of A. V. Aho, M. S. Lam, R. Sethi, J. D. Ullman, *Compilers*
//! (2006), 9.6.6; the inner ones first.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::blocks::Blocks;
use super::slots::{Act, Slot, Slots, Source};
use super::uses::Uses;
use crate::engine::r#gen::tidy::place;
use crate::engine::layout::Layout;
use crate::engine::op::{Code, Op};
use crate::engine::operands::Operand;

/// Blocks that all loops together are looked through for; larger code stays as it is.
const MOST_BLOCKS: usize = 20_000;

/// A loop with one way into it.
struct Loop {
    /// Its blocks.
    body: HashSet<usize>,
    /// The jumps back to where it begins.
    backs: Vec<usize>,
    /// The operation before which something can be put that is done once.
    before: usize,
    /// Whether a jump back leads to that very operation.
    is_first: bool,
}

/// What is put before an operation.
#[derive(Default)]
struct Put {
    /// What a jump to the operation leaves out.
    ahead: Vec<usize>,
    /// What a jump to it does as well.
    along: Vec<usize>,
}

/// Moves what can be moved. Returns for each operation its new place, one more than there are; nothing where all
/// stays. `entries` and `pausing` as [`Blocks::of`] has them.
pub(in crate::engine::r#gen) fn hoist(
    ops: &mut Vec<Op>,
    blocks: &mut Blocks,
    [entries, pausing]: [&[usize]; 2],
    code: &Code,
    layout: &Layout,
) -> Option<Vec<usize>> {
    let loops = loops(ops, blocks);
    if loops.is_empty() {
        return None;
    }
    let uses = Uses::of(ops, code, layout);
    let mut slots = Slots::of(&uses, blocks, layout);
    let acts: Vec<Act> = ops
        .iter()
        .enumerate()
        .map(|(at, op)| slots.act((at, *op), &uses, code, layout, &mut |_| 0))
        .collect();
    let mut puts: HashMap<usize, Put> = HashMap::default();
    // Where what is moved is done now.
    let mut moved: HashMap<usize, usize> = HashMap::default();
    for it in &loops {
        let mut inside: Vec<usize> = Vec::new();
        for block in &blocks.order {
            if !it.body.contains(block) {
                continue;
            }
            for at in blocks.ops(*block) {
                if let Some(put) = puts.get(&at) {
                    inside.extend(put.ahead.iter().chain(&put.along));
                }
                if !moved.contains_key(&at) {
                    inside.push(at);
                }
            }
        }
        let mut written: HashSet<Slot> = HashSet::default();
        // What is put before a jump into the loop cannot read what the jump leaves.
        let way_in = (!it.is_first).then_some(it.before);
        for at in inside.iter().chain(&way_in) {
            // What is tried out leaves no trace.
            if !matches!(ops[*at], Op::Leave) {
                let act = &acts[*at];
                written.extend(act.goals.iter().chain(&act.touches).chain(&act.changes));
                let words = act.changes.iter().flat_map(|part| slots.words_in(*part));
                written.extend(words);
            }
        }
        for at in inside {
            let act = &acts[at];
            let stays = |it: &Source| match it {
                Source::Slot(slot) => !written.contains(slot),
                Source::Const(_) | Source::Number(_) => true,
            };
            let own = |slot: &Slot| {
                let made = slot.checked_sub(slots.flow_end);
                made.is_some_and(|it| slots.made_at[it as usize] == at)
            };
            let here = moved.get(&at).copied().unwrap_or(at);
            let goes = (act.shape.is_some() || act.copies)
                && (ops[at].effect().is_harmless() || matches!(ops[at], Op::Look { .. }))
                && !act.goals.is_empty()
                && act.goals.iter().all(own)
                && act.sources.iter().all(stays)
                && it.backs.iter().all(|back| blocks.dominates(here, *back))
                && !is_asked_at_once(ops, at);
            if !goes {
                continue;
            }
            act.goals.iter().for_each(|goal| {
                written.remove(goal);
            });
            if let Some(put) = moved.get(&at).and_then(|old| puts.get_mut(old)) {
                put.ahead.retain(|it| *it != at);
                put.along.retain(|it| *it != at);
            }
            let put = puts.entry(it.before).or_default();
            let list = if it.is_first {
                &mut put.ahead
            } else {
                &mut put.along
            };
            list.push(at);
            moved.insert(at, it.before);
        }
    }
    if moved.is_empty() {
        return None;
    }
    let (now, places) = put_in_order(ops, &puts, &moved);
    let new = |all: &[usize]| all.iter().map(|at| places[*at]).collect::<Vec<_>>();
    *blocks = Blocks::of(&now, &new(entries), &new(pausing))?;
    *ops = now;
    Some(places)
}

/// Whether the next operation jumps by what this one says: the two become one.
fn is_asked_at_once(ops: &[Op], at: usize) -> bool {
    let Some(Op::JumpIf { a: asked, .. } | Op::JumpNot { a: asked, .. }) = ops.get(at + 1) else {
        return false;
    };
    let (mut op, mut found) = (ops[at], false);
    op.operands(&mut |_, operand| found |= matches!(operand, Operand::Def(d, _) if d == asked));
    found
}

/// Lays the operations out anew, and says where each stands then.
fn put_in_order(
    ops: &[Op],
    puts: &HashMap<usize, Put>,
    moved: &HashMap<usize, usize>,
) -> (Vec<Op>, Vec<usize>) {
    let (mut new, mut places) = (
        Vec::with_capacity(ops.len()),
        Vec::with_capacity(ops.len() + 1),
    );
    for (at, op) in ops.iter().enumerate() {
        let put = puts.get(&at);
        new.extend(
            put.iter()
                .flat_map(|it| &it.ahead)
                .map(|it| early(ops[*it])),
        );
        places.push(new.len());
        new.extend(
            put.iter()
                .flat_map(|it| &it.along)
                .map(|it| early(ops[*it])),
        );
        if !moved.contains_key(&at) {
            new.push(*op);
        }
    }
    places.push(new.len());
    for op in &mut new {
        op.each_jump(&mut |to| *to = place(&places, *to));
    }
    (new, places)
}

/// An operation as it is done before anybody asks for it.
fn early(op: Op) -> Op {
    match op {
        Op::Look { d, i, base } => Op::LookAhead { d, i, base },
        op => op,
    }
}

/// The loops into which one way leads, the smallest first.
fn loops(ops: &[Op], blocks: &Blocks) -> Vec<Loop> {
    let mut backs: HashMap<usize, Vec<usize>> = HashMap::default();
    for (at, op) in ops.iter().enumerate() {
        let mut op = *op;
        op.each_jump(&mut |to| {
            let to = usize::from(*to);
            if to <= at && (blocks.block_of(to) == blocks.block_of(at) || blocks.dominates(to, at))
            {
                backs.entry(blocks.block_of(to)).or_default().push(at);
            }
        });
    }
    let mut loops = Vec::new();
    let mut left = MOST_BLOCKS;
    for (header, backs) in backs {
        let mut body: HashSet<usize> = HashSet::default();
        body.insert(header);
        let mut open: Vec<usize> = backs.iter().map(|at| blocks.block_of(*at)).collect();
        while let Some(block) = open.pop() {
            if body.insert(block) {
                open.extend(&blocks.before[block]);
            }
        }
        left = left.saturating_sub(body.len());
        if left == 0 {
            return Vec::new();
        }
        let mut outside = blocks.before[header].iter().filter(|it| !body.contains(it));
        let (Some(way_in), None) = (outside.next(), outside.next()) else {
            continue;
        };
        if body.iter().any(|block| blocks.is_entry[*block]) || !is_closed(&body, blocks) {
            continue;
        }
        let first = blocks.ops(header).start;
        let last = blocks.ops(*way_in).end - 1;
        let turns = ops[last].jumps();
        // Behind what does not turn off the code goes on with the next.
        if !turns && last + 1 != first {
            continue;
        }
        loops.push(Loop {
            body,
            backs,
            before: if turns { last } else { first },
            is_first: !turns,
        });
    }
    loops.sort_by_key(|it| (it.body.len(), it.before));
    loops
}

/// Whether what is tried out in a loop is left in it.
fn is_closed(body: &HashSet<usize>, blocks: &Blocks) -> bool {
    let is_in = |at: usize| body.contains(&blocks.block_of(at));
    let mut all = blocks.entered.iter();
    all.all(|(leave, enter)| is_in(*leave) == is_in(*enter))
}

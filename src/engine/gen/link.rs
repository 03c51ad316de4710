//! Linking: one frame for each instance, one row of code for all.

use super::{FRAME_REL, Instance, Overflow, Shared};
use crate::engine::op::{CONSTS, Code, Op, Pc, Reg, TEMPS, word};
use crate::engine::vm::filled::Filled;
use crate::source::Span;

/// Gives every instance its place.
pub(super) fn link(mut shared: Shared<'_>) -> Result<Code, Overflow> {
    let instances = std::mem::take(&mut shared.done);
    let order: Vec<usize> = in_order(&shared, &instances);
    let bases = frames(&instances, &order)?;
    let frames_at = usize::from(shared.layout.frames);
    let mut first: Vec<usize> = Vec::new();
    let lengths: Vec<usize> = instances.iter().map(|it| it.ops.len()).collect();
    let mut length = 0;
    for instance in &instances {
        first.push(length);
        length += instance.ops.len();
    }
    if length >= usize::from(Pc::MAX) {
        return Err("the rulebook as a whole".to_owned().into());
    }
    let mut code = std::mem::take(&mut shared.code);
    for (at, instance) in instances.into_iter().enumerate() {
        let (Some((frame, temps)), Some(start)) = (bases.get(at), first.get(at)) else {
            continue;
        };
        if frames_at + frame + usize::from(instance.frame) > usize::from(FRAME_REL) {
            return Err("the locals of the flows".to_owned().into());
        }
        let place = |reg: &mut Reg| *reg = relocate(*reg, frames_at + frame, *temps);
        let mut ops = instance.ops;
        for op in &mut ops {
            op.each_reg(&mut |reg| place(reg));
            op.each_target(&mut |target| *target = shifted(*target, *start));
        }
        for (index, callee) in instance.calls {
            let callee = order.get(callee).copied().unwrap_or(0);
            let of = |list: &[usize]| Pc::try_from(list.get(callee).copied().unwrap_or(0));
            if let Some(Op::Call { to, work }) = ops.get_mut(index) {
                *to = of(&first).unwrap_or(Pc::MAX);
                *work = of(&lengths).unwrap_or(Pc::MAX);
            }
        }
        for point in instance.points {
            if let Some(point) = code.points.get_mut(point) {
                point.list = shifted(point.list, *start);
                point.frame.each_reg(place);
                if let Some(pending) = &mut point.pending {
                    pending.each_reg(place);
                }
                point
                    .alts
                    .iter_mut()
                    .for_each(|alt| alt.entry = shifted(alt.entry, *start));
            }
        }
        for (behind, mut frame) in instance.frames {
            frame.each_reg(place);
            let behind = Pc::try_from(behind).unwrap_or(Pc::MAX);
            code.frames.insert(shifted(behind, *start), frame);
        }
        let from = |(pc, span): &(usize, Span)| {
            let first = shifted(Pc::try_from(*pc).unwrap_or(0), *start);
            (first, *span)
        };
        code.spans.extend(instance.spans.iter().map(from));
        code.origins.extend(instance.origins.iter().map(from));
        code.ops.extend(ops);
    }
    code.filled = Filled::of(&code.ops);
    // Instance 0 is the start of the game or the fragment itself.
    code.start = order
        .first()
        .and_then(|at| first.get(*at))
        .map_or(0, |pc| Pc::try_from(*pc).unwrap_or(0));
    Ok(code)
}

/// For each number given out by `Shared::instance`, the index in `instances`.
fn in_order(shared: &Shared<'_>, instances: &[Instance]) -> Vec<usize> {
    let mut order = vec![0; shared.known.len()];
    for (at, instance) in instances.iter().enumerate() {
        if let Some(slot) = shared
            .known
            .get(&instance.key)
            .and_then(|n| order.get_mut(*n))
        {
            *slot = at;
        }
    }
    order
}

/// Frame and first temporary of each instance: behind those of everything that may call it.
fn frames(instances: &[Instance], order: &[usize]) -> Result<Vec<(usize, usize)>, String> {
    let mut bases = vec![(0usize, 0usize); instances.len()];
    let called = |instance: &Instance| -> Vec<usize> {
        let callees = instance.calls.iter();
        callees
            .filter_map(|(_, callee)| order.get(*callee).copied())
            .collect()
    };
    let mut n_callers = vec![0usize; instances.len()];
    for callee in instances.iter().flat_map(called) {
        if let Some(n) = n_callers.get_mut(callee) {
            *n += 1;
        }
    }
    // Calls form no circle, so in the end each instance comes after all that call it.
    let mut open: Vec<usize> = (0..instances.len())
        .filter(|at| n_callers.get(*at) == Some(&0))
        .collect();
    let mut n_placed = 0;
    let mut most = 0;
    while let Some(at) = open.pop() {
        let (Some((frame, temps)), Some(instance)) = (bases.get(at).copied(), instances.get(at))
        else {
            continue;
        };
        n_placed += 1;
        let below = (
            frame + usize::from(instance.frame),
            temps + usize::from(instance.temps),
        );
        most = most.max(below.1);
        for callee in called(instance) {
            if let (Some(slot), Some(n)) = (bases.get_mut(callee), n_callers.get_mut(callee)) {
                *slot = (slot.0.max(below.0), slot.1.max(below.1));
                *n -= 1;
                if *n == 0 {
                    open.push(callee);
                }
            }
        }
    }
    if n_placed < instances.len() {
        return Err("a recursion without a declared depth".to_owned());
    }
    if most >= usize::from(CONSTS - word::FREE_TEMP) {
        return Err("the definitions".to_owned());
    }
    Ok(bases)
}

fn relocate(reg: Reg, frame: usize, temps: usize) -> Reg {
    let moved = if (FRAME_REL..TEMPS).contains(&reg) {
        usize::from(reg - FRAME_REL) + frame
    } else if (word::FREE_TEMP..CONSTS).contains(&reg) {
        usize::from(reg) + temps
    } else {
        usize::from(reg)
    };
    Reg::try_from(moved).unwrap_or(Reg::MAX)
}

fn shifted(target: Pc, by: usize) -> Pc {
    Pc::try_from(usize::from(target) + by).unwrap_or(Pc::MAX)
}

/// Lets what jumps to a jump go on to where that leads, over operations that may be passed.
pub(super) fn thread_jumps(ops: &mut [Op], passes: fn(Op) -> bool) {
    let mut leads: Vec<usize> = (0..ops.len()).collect();
    for at in (0..ops.len()).rev() {
        let to = match ops.get(at) {
            Some(Op::Jump { to }) => usize::from(*to),
            Some(op) if passes(*op) => at + 1,
            _ => continue,
        };
        // In a ring it would not end.
        let on = leads.get(to).filter(|_| to > at).copied();
        leads[at] = on.unwrap_or(to);
    }
    for op in ops {
        op.each_jump(&mut |target| {
            let to = leads.get(usize::from(*target)).copied();
            *target = to.and_then(|it| Pc::try_from(it).ok()).unwrap_or(*target);
        });
    }
}

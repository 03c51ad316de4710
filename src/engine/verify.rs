//! The verifier: what the loop relies on, shown once for a piece of code.

use super::layout::Layout;
use super::op::{CONSTS, Code, MEMORY, Op, PlaneOp, Reg};

/// Shows that every jump, register range, table and zone named in the code exists.
///
/// # Errors
/// What is wrong, in words; it means that lowering has a fault, not the rulebook.
pub fn verify(code: &Code, layout: &Layout) -> Result<(), String> {
    let n = code.ops.len();
    for (pc, op) in code.ops.iter().enumerate() {
        let mut op = *op;
        let mut bad = None;
        op.each_target(&mut |target| {
            if usize::from(*target) >= n {
                bad = Some("a jump");
            }
        });
        let consts_end = usize::from(CONSTS) + code.consts.len();
        op.each_reg(&mut |reg| {
            let reg = usize::from(*reg);
            if reg >= usize::from(CONSTS) && reg >= consts_end {
                bad = Some("a constant");
            }
        });
        bad = bad.or_else(|| missing(op, code, layout));
        if let Some(what) = bad {
            return Err(format!("{what} at op {pc}"));
        }
    }
    Ok(())
}

/// What an op names that does not exist, registers and jumps aside.
fn missing(op: Op, code: &Code, layout: &Layout) -> Option<&'static str> {
    let zone = |zone: u16| (usize::from(zone) >= layout.zones.len()).then_some("a zone");
    let within = |d: Reg, n: u16| {
        (usize::from(d) + usize::from(n) > MEMORY).then_some("words behind the last")
    };
    let shape = |at: u16, n: usize, what| (usize::from(at) >= n).then_some(what);
    match op {
        Op::Look { base, .. }
        | Op::Row { base, .. }
        | Op::UnionRows { base, .. }
        | Op::Gather { base, .. }
        | Op::Reach { base, .. } => (base as usize > code.data.len()).then_some("a table"),
        Op::Walk { shape: at, .. } => shape(at, code.walks.len(), "a walk"),
        Op::Rows(rows) => shape(rows.shape, code.rows.len(), "rows"),
        Op::Stop { point, .. } => shape(point, code.points.len(), "a choice point"),
        Op::Clear { d, n }
        | Op::JumpEmpty { set: d, n, .. }
        | Op::JumpAny { set: d, n, .. }
        | Op::WideSetBit { d, n, .. }
        | Op::WideNext { cur: d, n, .. }
        | Op::WideAgain { cur: d, n, .. }
        | Op::WidePrev { cur: d, n, .. }
        | Op::Note { a: d, n, .. }
        | Op::EmitAll { set: d, n, .. }
        | Op::WideHas { set: d, n, .. }
        | Op::WideCount { a: d, n, .. }
        | Op::First { a: d, n, .. }
        | Op::Last { a: d, n, .. } => within(d, n),
        Op::WideMov { d, a, n } => within(d, n).or_else(|| within(a, n)),
        Op::WideEq { a, b, n, .. } => within(a, n).or_else(|| within(b, n)),
        Op::WideAnd { d, a, b, n } | Op::WideOr { d, a, b, n } | Op::WideAndNot { d, a, b, n } => {
            within(d, n)
                .or_else(|| within(a, n))
                .or_else(|| within(b, n))
        }
        Op::Put { zone: at, .. }
        | Op::Take { zone: at, .. }
        | Op::Peek { zone: at, .. }
        | Op::Top { zone: at, .. }
        | Op::Size { zone: at, .. }
        | Op::Copies { zone: at, .. }
        | Op::Kinds { zone: at, .. }
        | Op::Find { zone: at, .. }
        | Op::Draw { zone: at, .. }
        | Op::Shuffle { zone: at, .. }
        | Op::Show { zone: at, .. }
        | Op::GetField { zone: at, .. }
        | Op::PutField { zone: at, .. } => zone(at),
        Op::MoveAll { from, to, .. } => zone(from).or_else(|| zone(to)),
        Op::Plane(op) => match op {
            PlaneOp::Entry { zone: at, .. }
            | PlaneOp::Cell { zone: at, .. }
            | PlaneOp::Frontier { zone: at, .. }
            | PlaneOp::Laid { zone: at, .. }
            | PlaneOp::Parts { zone: at, .. }
            | PlaneOp::PartsAt { zone: at, .. }
            | PlaneOp::Base { zone: at, .. }
            | PlaneOp::Held { zone: at, .. } => zone(at),
            PlaneOp::Touching { parts, .. }
            | PlaneOp::Loose { parts, .. }
            | PlaneOp::With { parts, .. }
            | PlaneOp::Flood { parts, .. }
            | PlaneOp::Class { parts, .. }
            | PlaneOp::Open { parts, .. } => shape(parts, layout.parts.len(), "a space of parts"),
            PlaneOp::Kept { kept, .. } => shape(kept, code.kept.len(), "kept parts"),
            PlaneOp::Gathered { gathered, .. } => {
                shape(gathered, code.gathered.len(), "gathered neighbours")
            }
            PlaneOp::Near { .. } => None,
        },
        _ => None,
    }
}

//! The verifier: what the loop relies on, shown once for a piece of code.

use super::layout::Layout;
use super::op::{CONSTS, Code, MEMORY, Op};

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
        match op {
            Op::Call { to } if usize::from(to) >= n => bad = Some("a call"),
            Op::Look { base, .. }
            | Op::Row { base, .. }
            | Op::UnionRows { base, .. }
            | Op::Reach { base, .. }
                if base as usize > code.data.len() =>
            {
                bad = Some("a table");
            }
            Op::Walk { shape, .. } if usize::from(shape) >= code.walks.len() => {
                bad = Some("a walk")
            }
            Op::Stop { point, .. } if usize::from(point) >= code.points.len() => {
                bad = Some("a choice point");
            }
            Op::Clear { d, n } if usize::from(d) + usize::from(n) > MEMORY => bad = Some("a frame"),
            Op::Put { zone, .. }
            | Op::Take { zone, .. }
            | Op::Peek { zone, .. }
            | Op::Draw { zone, .. }
                if usize::from(zone) >= layout.zones.len() =>
            {
                bad = Some("a zone");
            }
            _ => {}
        }
        if let Some(what) = bad {
            return Err(format!("{what} at op {pc}"));
        }
    }
    Ok(())
}

//! The verifier: what the loop relies on, shown once for a piece of code.

use super::layout::Layout;
use super::op::{CONSTS, Code, MEMORY, Reg};
use super::operands::{List, Operand};

/// Shows that every jump, register range, table, zone and shape named in the code exists.
///
/// # Errors
/// What is wrong, in words; it means that lowering has a fault, not the rulebook.
pub fn verify(code: &Code, layout: &Layout) -> Result<(), String> {
    let consts_end = usize::from(CONSTS) + code.consts.len();
    for (pc, op) in code.ops.iter().enumerate() {
        let (mut op, mut bad) = (*op, None);
        op.operands(&mut |name, operand| {
            let wrong = match operand {
                Operand::To(to) => (usize::from(*to) >= code.ops.len()).then_some("a jump"),
                Operand::Use(reg, n) => words(*reg, n.unwrap_or(1), consts_end),
                // Constants are never written.
                Operand::Def(reg, n) | Operand::Both(reg, n) => {
                    words(*reg, n.unwrap_or(1), usize::from(CONSTS))
                }
                Operand::Index(list, at) => missing(list, at, code, layout),
                Operand::Number(_) | Operand::Fault(_) | Operand::Around(_) => None,
            };
            bad = bad.or(wrong.map(|wrong| (name, wrong)));
        });
        if let Some((operand, what)) = bad {
            return Err(format!("{what} at op {pc}: {operand} of {}", op.name()));
        }
    }
    Ok(())
}

/// What is wrong with words from a register on, which end before `end` or below the constants.
fn words(from: Reg, n: u16, end: usize) -> Option<&'static str> {
    let last = usize::from(from) + usize::from(n.max(1));
    if last > MEMORY {
        return Some("words behind the last");
    }
    (last > end).then_some("a constant")
}

/// What is wrong with an index.
fn missing(list: List, at: usize, code: &Code, layout: &Layout) -> Option<&'static str> {
    let (n, what) = match list {
        List::Zone => (layout.zones.len(), "a zone"),
        List::Parts => (layout.parts.len(), "a space of parts"),
        List::Data => (code.data.len() + 1, "a table"),
        List::Point => (code.points.len(), "a choice point"),
        List::Walk => (code.walks.len(), "a walk"),
        List::Line => (code.lines.len(), "a line"),
        List::Shift => (code.shifts.len(), "shift"),
        List::Rows => (code.rows.len(), "rows"),
        List::Kept => (code.kept.len(), "kept parts"),
        List::Gathered => (code.gathered.len(), "gathered neighbours"),
    };
    (at >= n).then_some(what)
}

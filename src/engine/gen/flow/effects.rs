//! What an operation does besides its operands.

use crate::engine::op::{Op, PlaneOp};

/// What becomes of the operands that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine::r#gen) enum Kind {
    /// They are what is read, word for word.
    Copy,
    /// They follow from what is read and from what the operation says; nothing else changes.
    Value,
    /// Nothing is written: it only faults, or not.
    Check,
    /// Anything may be in them, or something else happens.
    Other,
}

/// The kind of an operation.
pub(in crate::engine::r#gen) fn kind(op: &Op) -> Kind {
    match op {
        Op::Mov { .. } | Op::WideMov { .. } => Kind::Copy,
        Op::NeedSome { .. } | Op::Check { .. } => Kind::Check,
        Op::Plane(PlaneOp::Gathered { .. }) | Op::Plane(PlaneOp::Kept { .. }) => Kind::Other,
        Op::Plane(_) => Kind::Value,
        Op::Add { .. }
        | Op::AddK { .. }
        | Op::Sub { .. }
        | Op::Mul { .. }
        | Op::Div { .. }
        | Op::Mod { .. }
        | Op::Abs { .. }
        | Op::Min { .. }
        | Op::Max { .. }
        | Op::Wrap { .. }
        | Op::CycleDistance { .. }
        | Op::Eq { .. }
        | Op::Ne { .. }
        | Op::Lt { .. }
        | Op::Le { .. }
        | Op::Not { .. }
        | Op::IsSome { .. }
        | Op::FromStored { .. }
        | Op::ToStored { .. }
        | Op::Digit { .. }
        | Op::Look { .. }
        | Op::And { .. }
        | Op::Or { .. }
        | Op::AndNot { .. }
        | Op::Count { .. }
        | Op::Bit { .. }
        | Op::SetBit { .. }
        | Op::Has { .. }
        | Op::Clear { .. }
        | Op::WideAnd { .. }
        | Op::WideOr { .. }
        | Op::WideAndNot { .. }
        | Op::WideEq { .. }
        | Op::WideCount { .. }
        | Op::WideSetBit { .. }
        | Op::WideHas { .. }
        | Op::First { .. }
        | Op::Last { .. }
        | Op::Load { .. }
        | Op::Load8 { .. }
        | Op::Load16 { .. }
        | Op::LoadWide { .. }
        | Op::Row { .. }
        | Op::UnionRows { .. }
        | Op::FilterLanes { .. }
        | Op::Gather { .. }
        | Op::Reach { .. }
        | Op::Walk { .. }
        | Op::Behind { .. }
        | Op::Step { .. }
        | Op::Peek { .. }
        | Op::Top { .. }
        | Op::Size { .. }
        | Op::Copies { .. }
        | Op::Holders { .. }
        | Op::Kinds { .. }
        | Op::Find { .. }
        | Op::GetField { .. }
        | Op::Pack { .. }
        | Op::Unpack { .. } => Kind::Value,
        _ => Kind::Other,
    }
}

/// Whether an operation whose result nobody reads may go: it cannot fault.
pub(in crate::engine::r#gen) fn is_harmless(op: &Op) -> bool {
    let faults = matches!(
        op,
        Op::Mul { .. }
            | Op::Div { .. }
            | Op::Mod { .. }
            | Op::Look { .. }
            | Op::Row { .. }
            | Op::UnionRows { .. }
            | Op::Reach { .. }
            | Op::Walk { .. }
            | Op::Behind { .. }
            | Op::Step { .. }
            | Op::GetField { .. }
            | Op::Plane(_)
    );
    matches!(kind(op), Kind::Copy | Kind::Value) && !faults
}

/// Whether the order of the first two operands does not count.
pub(in crate::engine::r#gen) fn commutes(op: &Op) -> bool {
    matches!(
        op,
        Op::Add { .. }
            | Op::Mul { .. }
            | Op::Min { .. }
            | Op::Max { .. }
            | Op::Eq { .. }
            | Op::Ne { .. }
            | Op::And { .. }
            | Op::Or { .. }
    )
}

/// Whether an operation changes what lies in the zones that it names.
pub(in crate::engine::r#gen) fn changes_zones(op: &Op) -> bool {
    matches!(
        op,
        Op::Put { .. }
            | Op::Take { .. }
            | Op::MoveAll { .. }
            | Op::Shuffle { .. }
            | Op::Show { .. }
            | Op::PutField { .. }
    )
}

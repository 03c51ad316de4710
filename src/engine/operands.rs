//! Operands of ops by role: for linking and for the verifier.

use super::op::{Op, Pc, PlaneOp, Reg};

impl PlaneOp {
    fn each_reg(&mut self, f: &mut dyn FnMut(&mut Reg)) {
        match self {
            Self::Frontier { d, .. }
            | Self::Laid { d, .. }
            | Self::Parts { d, .. }
            | Self::Flood { d, .. }
            | Self::Open { d, .. }
            | Self::Kept { d, .. } => f(d),
            Self::Entry { d, place, .. }
            | Self::PartsAt { d, place, .. }
            | Self::Gathered { d, place, .. }
            | Self::Base { d, place, .. } => {
                f(d);
                f(place);
            }
            Self::Cell { d, part, .. }
            | Self::Touching { d, part, .. }
            | Self::Class { d, part, .. }
            | Self::Loose { d, part, .. } => {
                f(d);
                f(part);
            }
            Self::Held { d, kind, .. } => {
                f(d);
                f(kind);
            }
            Self::With { d, place, port, .. } => {
                f(d);
                f(place);
                f(port);
            }
            Self::Near { d, cell, .. } => {
                f(d);
                f(cell);
            }
        }
    }
}

impl Op {
    /// Calls `f` with each register operand.
    pub fn each_reg(&mut self, f: &mut dyn FnMut(&mut Reg)) {
        match self {
            Self::Jump { .. }
            | Self::JumpNone { .. }
            | Self::Loop { .. }
            | Self::Call { .. }
            | Self::List
            | Self::Stop { .. }
            | Self::End
            | Self::Halt
            | Self::Fail { .. }
            | Self::Enter { .. }
            | Self::Leave
            | Self::Mark { .. } => {}
            Self::JumpIf { a, .. }
            | Self::JumpNot { a, .. }
            | Self::Return { a }
            | Self::NeedSome { a }
            | Self::Happened { a, .. }
            | Self::Emit { a }
            | Self::Note { a, .. } => {
                f(a);
            }
            Self::JumpEq { a, b, .. }
            | Self::JumpNe { a, b, .. }
            | Self::JumpLt { a, b, .. }
            | Self::JumpLe { a, b, .. } => {
                f(a);
                f(b);
            }
            Self::JumpIn { set, e, .. } | Self::JumpNotIn { set, e, .. } => {
                f(set);
                f(e);
            }
            Self::JumpEmpty { set, .. } | Self::JumpAny { set, .. } => {
                f(set);
            }
            Self::Clear { d, .. }
            | Self::Forced { d, .. }
            | Self::Unpack { d, .. }
            | Self::Repeated { d } => {
                f(d);
            }
            Self::Mov { d, a }
            | Self::AddK { d, a, .. }
            | Self::Abs { d, a }
            | Self::Not { d, a }
            | Self::IsSome { d, a }
            | Self::Count { d, a }
            | Self::WideMov { d, a, .. }
            | Self::WideCount { d, a, .. }
            | Self::First { d, a, .. }
            | Self::Last { d, a, .. }
            | Self::Ticket { d, a, .. } => {
                f(d);
                f(a);
            }
            Self::Wrap { d, a, n } => {
                f(d);
                f(a);
                f(n);
            }
            Self::CycleDistance { d, a, b, n } => {
                f(d);
                f(a);
                f(b);
                f(n);
            }
            Self::Add { d, a, b }
            | Self::Sub { d, a, b }
            | Self::Mul { d, a, b }
            | Self::Div { d, a, b }
            | Self::Mod { d, a, b }
            | Self::Min { d, a, b }
            | Self::Max { d, a, b }
            | Self::Eq { d, a, b }
            | Self::Ne { d, a, b }
            | Self::Lt { d, a, b }
            | Self::Le { d, a, b }
            | Self::And { d, a, b }
            | Self::Or { d, a, b }
            | Self::AndNot { d, a, b }
            | Self::WideAnd { d, a, b, .. }
            | Self::WideOr { d, a, b, .. }
            | Self::WideAndNot { d, a, b, .. }
            | Self::WideEq { d, a, b, .. } => {
                f(d);
                f(a);
                f(b);
            }
            Self::Check { a, lo, hi, .. } => {
                f(a);
                f(lo);
                f(hi);
            }
            Self::FromStored { d, a, bias } | Self::ToStored { d, a, bias } => {
                f(d);
                f(a);
                f(bias);
            }
            Self::Digit { d, a, stride, size } => {
                f(d);
                f(a);
                f(stride);
                f(size);
            }
            Self::Look { d, i, .. } | Self::Row { d, i, .. } => {
                f(d);
                f(i);
            }
            Self::Bit { d, e } | Self::SetBit { d, e } | Self::WideSetBit { d, e, .. } => {
                f(d);
                f(e);
            }
            Self::Has { d, set, e } | Self::WideHas { d, set, e, .. } => {
                f(d);
                f(set);
                f(e);
            }
            Self::Next { cur, d, .. }
            | Self::Again { cur, d, .. }
            | Self::WideNext { cur, d, .. }
            | Self::WideAgain { cur, d, .. }
            | Self::WidePrev { cur, d, .. } => {
                f(cur);
                f(d);
            }
            Self::Load { d, base, i }
            | Self::Load8 { d, base, i }
            | Self::Load16 { d, base, i }
            | Self::LoadWide { d, base, i, .. } => {
                f(d);
                f(base);
                f(i);
            }
            Self::Store { base, i, a }
            | Self::Store8 { base, i, a }
            | Self::Store16 { base, i, a }
            | Self::StoreWide { base, i, a, .. } => {
                f(base);
                f(i);
                f(a);
            }
            Self::UnionRows { d, set, off, .. } => {
                f(d);
                f(set);
                f(off);
            }
            Self::FilterLanes { d, set, lanes, row } => {
                f(d);
                f(set);
                f(lanes);
                f(row);
            }
            Self::Gather {
                d,
                set,
                off,
                filled,
                ..
            } => {
                f(d);
                f(set);
                f(off);
                f(filled);
            }
            Self::Reach {
                d,
                start,
                mask,
                off,
                ..
            } => {
                f(d);
                f(start);
                f(mask);
                f(off);
            }
            Self::Walk {
                d, from, way, mask, ..
            } => {
                f(d);
                f(from);
                f(way);
                f(mask);
            }
            Self::Put { place, kind, .. } | Self::Take { place, kind, .. } => {
                f(place);
                f(kind);
            }
            Self::Peek { d, place, .. }
            | Self::Top { d, place, .. }
            | Self::Size { d, place, .. }
            | Self::Kinds { d, place, .. }
            | Self::Draw { d, place, .. }
            | Self::GetField { d, place, .. } => {
                f(d);
                f(place);
            }
            Self::Copies { d, place, kind, .. } => {
                f(d);
                f(place);
                f(kind);
            }
            Self::Find { d, kind, .. } => {
                f(d);
                f(kind);
            }
            Self::MoveAll { place, target, .. } => {
                f(place);
                f(target);
            }
            Self::Shuffle { place, .. } => {
                f(place);
            }
            Self::Show { place, who, .. } => {
                f(place);
                f(who);
            }
            Self::PutField { place, a, .. } => {
                f(place);
                f(a);
            }
            Self::Plane(op) => op.each_reg(f),
            Self::Pack { d, a, e, .. } => {
                f(d);
                f(a);
                f(e);
            }
            Self::EmitAll { a, set, .. } => {
                f(a);
                f(set);
            }
            Self::Rows(rows) => {
                f(&mut rows.a);
                f(&mut rows.set);
                f(&mut rows.within);
                f(&mut rows.off);
            }
        }
    }

    /// Calls `f` with each op that this one may jump to.
    pub fn each_target(&mut self, f: &mut dyn FnMut(&mut Pc)) {
        match self {
            Self::Jump { to }
            | Self::Loop { to }
            | Self::JumpNone { to }
            | Self::JumpIf { to, .. }
            | Self::JumpNot { to, .. }
            | Self::JumpEq { to, .. }
            | Self::JumpNe { to, .. }
            | Self::JumpLt { to, .. }
            | Self::JumpLe { to, .. }
            | Self::JumpIn { to, .. }
            | Self::JumpNotIn { to, .. }
            | Self::JumpEmpty { to, .. }
            | Self::JumpAny { to, .. }
            | Self::Call { to, .. }
            | Self::Next { to, .. }
            | Self::Again { to, .. }
            | Self::WideNext { to, .. }
            | Self::WideAgain { to, .. }
            | Self::WidePrev { to, .. }
            | Self::Forced { to, .. } => f(to),
            Self::Rows(rows) => f(&mut rows.to),
            Self::Stop { empty, .. } => f(empty),
            Self::Enter { stopped } => f(stopped),
            Self::Return { .. }
            | Self::Clear { .. }
            | Self::List
            | Self::End
            | Self::Halt
            | Self::Fail { .. }
            | Self::Mov { .. }
            | Self::Add { .. }
            | Self::AddK { .. }
            | Self::Sub { .. }
            | Self::Mul { .. }
            | Self::Div { .. }
            | Self::Mod { .. }
            | Self::Abs { .. }
            | Self::Min { .. }
            | Self::Max { .. }
            | Self::Wrap { .. }
            | Self::CycleDistance { .. }
            | Self::Eq { .. }
            | Self::Ne { .. }
            | Self::Lt { .. }
            | Self::Le { .. }
            | Self::Not { .. }
            | Self::IsSome { .. }
            | Self::NeedSome { .. }
            | Self::Check { .. }
            | Self::FromStored { .. }
            | Self::ToStored { .. }
            | Self::Digit { .. }
            | Self::Look { .. }
            | Self::And { .. }
            | Self::Or { .. }
            | Self::AndNot { .. }
            | Self::Count { .. }
            | Self::Bit { .. }
            | Self::SetBit { .. }
            | Self::Has { .. }
            | Self::WideMov { .. }
            | Self::WideAnd { .. }
            | Self::WideOr { .. }
            | Self::WideAndNot { .. }
            | Self::WideEq { .. }
            | Self::WideCount { .. }
            | Self::WideSetBit { .. }
            | Self::WideHas { .. }
            | Self::First { .. }
            | Self::Last { .. }
            | Self::Load { .. }
            | Self::Load8 { .. }
            | Self::Load16 { .. }
            | Self::Store { .. }
            | Self::Store8 { .. }
            | Self::Store16 { .. }
            | Self::LoadWide { .. }
            | Self::StoreWide { .. }
            | Self::Row { .. }
            | Self::UnionRows { .. }
            | Self::FilterLanes { .. }
            | Self::Gather { .. }
            | Self::Reach { .. }
            | Self::Walk { .. }
            | Self::Put { .. }
            | Self::Take { .. }
            | Self::Peek { .. }
            | Self::Top { .. }
            | Self::Size { .. }
            | Self::Copies { .. }
            | Self::Kinds { .. }
            | Self::Find { .. }
            | Self::MoveAll { .. }
            | Self::Draw { .. }
            | Self::Shuffle { .. }
            | Self::Show { .. }
            | Self::GetField { .. }
            | Self::PutField { .. }
            | Self::Plane(_)
            | Self::Ticket { .. }
            | Self::Happened { .. }
            | Self::Pack { .. }
            | Self::Unpack { .. }
            | Self::Emit { .. }
            | Self::EmitAll { .. }
            | Self::Leave
            | Self::Repeated { .. }
            | Self::Note { .. }
            | Self::Mark { .. } => {}
        }
    }
}

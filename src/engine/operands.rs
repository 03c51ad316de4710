//! What an operation names: one table makes its type, its operands, the verifier's questions and the listing.

use super::op::{Around, FaultKind, Pc, Reg};

/// An operand by what it is for. Registers come with the number of words from there on; none where a
/// shape, a zone or an index decides it.
#[derive(Debug)]
pub enum Operand<'a> {
    /// Read.
    Use(&'a mut Reg, Option<u16>),
    /// Written, whatever it was; unless the operation faults.
    Def(&'a mut Reg, Option<u16>),
    /// Read and written, or written in some cases only.
    Both(&'a mut Reg, Option<u16>),
    /// Where the code goes on.
    To(&'a mut Pc),
    /// An index into one of the program's lists.
    Index(List, usize),
    /// A number, as it is.
    Number(i64),
    /// A fault.
    Fault(FaultKind),
    /// Which neighbours.
    Around(Around),
}

/// A list of the program that operations point into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// `Layout::zones`.
    Zone,
    /// `Layout::parts`.
    Parts,
    /// `Code::data`; the end of it is an index too.
    Data,
    /// `Code::points`.
    Point,
    /// `Code::walks`.
    Walk,
    /// `Code::lines`.
    Line,
    /// `Code::rows`.
    Rows,
    /// `Code::kept`.
    Kept,
    /// `Code::gathered`.
    Gathered,
}

/// Makes a type of operations from a table: for each its fields, and for each field its role.
///
/// | role | type | is |
/// |---|---|---|
/// | `use`, `def`, `both` | `Reg` | a word read, written, or both |
/// | `may` | `Reg` | a word written in some cases |
/// | `uses(n)`, `defs(n)`, `boths(n)` | `Reg` | as many words as the field `n` says |
/// | `array`, `into` | `Reg` | words read, or written, whose number is not in the operation |
/// | `to` | `Pc` | where the code goes on |
/// | `zone`, `parts`, `point`, `walk`, `line`, `rows`, `kept`, `gathered` | `u16` | an index |
/// | `data` | `u32` | an index into the data |
/// | `words`, `number` | `u16` | a number |
/// | `few` | `u8` | a number |
/// | `step` | `i16` | a number |
macro_rules! operations {
    (
        $(#[$outer:meta])*
        $name:ident:
        $(
            $(#[$doc:meta])*
            $op:ident
                $({ $($field:ident : $role:ident $(($count:ident))?),* $(,)? })?
                $(( $inner:ident : $type:ty ))?
        ),* $(,)?
    ) => {
        $(#[$outer])*
        pub enum $name {
            $(
                $(#[$doc])*
                $op $({ $($field: $crate::engine::operands::typed!($role)),* })? $(($type))?
            ),*
        }

        impl $name {
            /// The name of the operation.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$op $({ $($field: _),* })? $(($inner))? => {
                        // What holds another operation has its name.
                        [stringify!($op) $(, $inner.name())?].last().copied().unwrap_or_default()
                    })*
                }
            }

            /// Calls `f` with each operand and its name, in the order of writing.
            pub fn operands(&mut self, f: &mut dyn FnMut(&'static str, $crate::engine::operands::Operand<'_>)) {
                match self {
                    $(Self::$op $({ $($field),* })? $(($inner))? => {
                        $($(f(
                            stringify!($field),
                            $crate::engine::operands::operand!($role $field $($count)?),
                        );)*)?
                        $($inner.operands(f);)?
                    })*
                }
            }
        }
    };
}

macro_rules! typed {
    (to) => {
        $crate::engine::op::Pc
    };
    (fault) => {
        $crate::engine::op::FaultKind
    };
    (around) => {
        $crate::engine::op::Around
    };
    (data) => {
        u32
    };
    (few) => {
        u8
    };
    (step) => {
        i16
    };
    // Registers, indices and numbers.
    ($other:ident) => {
        u16
    };
}

macro_rules! operand {
    (use $reg:ident) => {
        Operand::Use($reg, Some(1))
    };
    (uses $reg:ident $n:ident) => {
        Operand::Use($reg, Some(u16::from(*$n)))
    };
    (array $reg:ident) => {
        Operand::Use($reg, None)
    };
    (def $reg:ident) => {
        Operand::Def($reg, Some(1))
    };
    (defs $reg:ident $n:ident) => {
        Operand::Def($reg, Some(u16::from(*$n)))
    };
    (both $reg:ident) => {
        Operand::Both($reg, Some(1))
    };
    (may $reg:ident) => {
        Operand::Both($reg, Some(1))
    };
    (boths $reg:ident $n:ident) => {
        Operand::Both($reg, Some(u16::from(*$n)))
    };
    (into $reg:ident) => {
        Operand::Both($reg, None)
    };
    (to $to:ident) => {
        Operand::To($to)
    };
    (zone $at:ident) => {
        Operand::Index(List::Zone, usize::from(*$at))
    };
    (parts $at:ident) => {
        Operand::Index(List::Parts, usize::from(*$at))
    };
    (point $at:ident) => {
        Operand::Index(List::Point, usize::from(*$at))
    };
    (walk $at:ident) => {
        Operand::Index(List::Walk, usize::from(*$at))
    };
    (line $at:ident) => {
        Operand::Index(List::Line, usize::from(*$at))
    };
    (rows $at:ident) => {
        Operand::Index(List::Rows, usize::from(*$at))
    };
    (kept $at:ident) => {
        Operand::Index(List::Kept, usize::from(*$at))
    };
    (gathered $at:ident) => {
        Operand::Index(List::Gathered, usize::from(*$at))
    };
    (data $at:ident) => {
        Operand::Index(List::Data, *$at as usize)
    };
    (fault $kind:ident) => {
        Operand::Fault(*$kind)
    };
    (around $which:ident) => {
        Operand::Around(*$which)
    };
    // `words`, `number`, `few`, `step`
    ($role:ident $number:ident) => {
        Operand::Number(i64::from(*$number))
    };
}

pub(super) use {operand, operations, typed};

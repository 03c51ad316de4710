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
    /// `Code::shifts`.
    Shift,
    /// `Code::rows`.
    Rows,
    /// `Code::kept`.
    Kept,
    /// `Code::gathered`.
    Gathered,
}

/// What an operation does besides its operands. Where the table says nothing, anything may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What becomes of the operands that are written.
    pub kind: Kind,
    /// Whether it may fault; of values alone this is asked.
    pub faults: bool,
    /// Whether the order of the first two operands does not count.
    pub commutes: bool,
    /// Whether it reads and writes nothing but its operands, and reads all before it writes.
    pub is_quiet: bool,
    /// Whether it changes what lies in the zones that it names.
    pub moves: bool,
    /// Whether what stands behind it never follows.
    pub leaves: bool,
}

/// What becomes of the operands that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// They are what is read, word for word.
    Copy,
    /// They follow from what is read and from what the operation says; nothing else changes.
    Value,
    /// Nothing is written: it only faults, or not.
    Check,
    /// Anything may be in them, or something else happens.
    Other,
}

impl Effect {
    /// Of an operation of which nothing is said.
    pub const OTHER: Self = Self {
        kind: Kind::Other,
        faults: false,
        commutes: false,
        is_quiet: false,
        moves: false,
        leaves: false,
    };

    /// Whether an operation whose result nobody reads may go: it cannot fault.
    #[must_use]
    pub fn is_harmless(&self) -> bool {
        matches!(self.kind, Kind::Copy | Kind::Value) && !self.faults
    }
}

/// Makes a type of operations from a table: for each what it does ([`Effect`]), its fields, and for each
/// field its role.
///
/// | word | the operation |
/// |---|---|
/// | `copy`, `value`, `check` | is of that [`Kind`]; without, of the kind `Other` |
/// | `faults`, `commutes`, `quiet`, `moves`, `leaves` | see [`Effect`] |
///
/// | role | type | is |
/// |---|---|---|
/// | `use`, `def`, `both` | `Reg` | a word read, written, or both |
/// | `may` | `Reg` | a word written in some cases |
/// | `uses(n)`, `defs(n)`, `boths(n)` | `Reg` | as many words as the field `n` says |
/// | `array`, `into` | `Reg` | words read, or written, whose number is not in the operation |
/// | `to` | `Pc` | where the code goes on |
/// | `zone`, `parts`, `point`, `walk`, `line`, `shift`, `rows`, `kept`, `gathered` | `u16` | an index |
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
            $op:ident $(: $($effect:ident)+)?
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

            /// What the operation does besides its operands.
            #[must_use]
            pub fn effect(&self) -> $crate::engine::operands::Effect {
                #[allow(unused_mut, reason = "of some operations nothing is said")]
                match self {
                    $(Self::$op $({ $($field: _),* })? $(($inner))? => {
                        let other = $crate::engine::operands::Effect::OTHER;
                        // What holds another operation does what that does.
                        let effects = [other $(, $inner.effect())?];
                        let mut effect = effects.last().copied().unwrap_or(other);
                        $($($crate::engine::operands::effect!(effect $effect);)+)?
                        effect
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

macro_rules! effect {
    ($it:ident copy) => {
        $it.kind = $crate::engine::operands::Kind::Copy
    };
    ($it:ident value) => {
        $it.kind = $crate::engine::operands::Kind::Value
    };
    ($it:ident check) => {
        $it.kind = $crate::engine::operands::Kind::Check
    };
    ($it:ident quiet) => {
        $it.is_quiet = true
    };
    // `faults`, `commutes`, `moves`, `leaves`
    ($it:ident $other:ident) => {
        $it.$other = true
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
    (shift $at:ident) => {
        Operand::Index(List::Shift, usize::from(*$at))
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

pub(super) use {effect, operand, operations, typed};

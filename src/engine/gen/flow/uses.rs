//! Which words the operands of an operation are.

use crate::engine::layout::Layout;
use crate::engine::op::{Code, Op, Reg};
use crate::engine::operands::Operand;

/// Words that an operand is taken to have where nothing says how many begin there.
pub(super) const MANY: u16 = 1_024;

/// What is done with words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Written,
    /// Read and written, or written in some cases only.
    Both,
}

/// Words that an operation names as an operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub access: Access,
    pub first: Reg,
    /// How many: none where that is not known.
    pub n: Option<u16>,
    /// Whether the operation says how many.
    pub is_said: bool,
}

impl Words {
    /// All that may be among them.
    pub fn all(&self) -> std::ops::Range<Reg> {
        self.first..self.first.saturating_add(self.n.unwrap_or(MANY))
    }
}

/// The words that each operation names.
pub(super) struct Uses {
    words: Vec<Words>,
    /// Where those of each operation start.
    starts: Vec<usize>,
}

impl Uses {
    pub fn of(ops: &[Op], code: &Code, layout: &Layout) -> Self {
        let mut uses = Self {
            words: Vec::new(),
            starts: vec![0],
        };
        let mut arrays = Vec::new();
        for op in ops {
            // What a walk and kinds go to is not read.
            let writes_array = matches!(
                op,
                Op::Walk { .. } | Op::Rays { .. } | Op::Behind { .. } | Op::Kinds { .. }
            );
            let (own, mut op) = (*op, *op);
            op.operands(&mut |name, operand| {
                let (access, first, n) = match operand {
                    Operand::Use(reg, n) => (Access::Read, *reg, n),
                    Operand::Def(reg, n) => (Access::Written, *reg, n),
                    Operand::Both(reg, None) if writes_array => (Access::Written, *reg, None),
                    Operand::Both(reg, n) => (Access::Both, *reg, n),
                    _ => return,
                };
                let known = n.or_else(|| width(&own, name, code, layout));
                if known.is_none() {
                    arrays.push((first, first));
                }
                uses.words.push(Words {
                    access,
                    first,
                    n: known,
                    is_said: n.is_some(),
                });
            });
            uses.starts.push(uses.words.len());
        }
        uses.measure(arrays);
        uses
    }

    /// Arrays end where the longest operand of known length ends that they begin in.
    fn measure(&mut self, mut arrays: Vec<(Reg, Reg)>) {
        arrays.sort_unstable();
        arrays.dedup();
        for words in self.words.iter().filter(|it| it.n.is_some()) {
            let all = words.all();
            let from = arrays.partition_point(|it| it.0 < all.start);
            for (_, end) in arrays[from..].iter_mut().take_while(|it| it.0 < all.end) {
                *end = all.end.max(*end);
            }
        }
        for words in self.words.iter_mut().filter(|it| it.n.is_none()) {
            let at = arrays.binary_search_by_key(&words.first, |it| it.0);
            let end = at.ok().map(|at| arrays[at].1);
            words.n = end.map(|end| end - words.first).filter(|n| *n > 0);
        }
    }

    /// The words that an operation names.
    pub fn at(&self, at: usize) -> &[Words] {
        &self.words[self.starts[at]..self.starts[at + 1]]
    }

    /// Lets an operation write another word.
    pub fn rename(&mut self, at: usize, old: Reg, new: Reg) {
        for words in &mut self.words[self.starts[at]..self.starts[at + 1]] {
            if words.access == Access::Written && words.first == old {
                words.first = new;
            }
        }
    }

    /// The same, operation by operation.
    pub fn each(&self) -> impl Iterator<Item = (usize, &[Words])> {
        (0..self.starts.len() - 1).map(|at| (at, self.at(at)))
    }
}

/// How many words an operand has that does not say it.
fn width(op: &Op, name: &str, code: &Code, layout: &Layout) -> Option<u16> {
    match (op, name) {
        (Op::Walk { shape, .. }, "d" | "mask") => {
            let shape = code.walks.get(usize::from(*shape))?;
            let is_count = shape.count && name == "d";
            Some(if is_count { 1 } else { shape.words })
        }
        (Op::Behind { shape, .. } | Op::Rays { shape, .. }, _) => {
            Some(code.walks.get(usize::from(*shape))?.words)
        }
        (Op::Gather { base, .. } | Op::GatherNot { base, .. }, "filled") => {
            let led = code.led.iter().filter(|it| it.0 == *base);
            led.map(|it| it.1).max()
        }
        (Op::Lines { n, .. }, "cells") => Some(u16::from(*n)),
        (Op::JumpLine { shape, .. }, "set") => {
            let shape = code.lines.get(usize::from(*shape))?;
            Some(code.walks.get(usize::from(shape.walk))?.words)
        }
        (Op::Kinds { zone, .. }, "d") => Some(layout.zones.get(usize::from(*zone))?.kind_words),
        _ => None,
    }
}

//! Two innermost loops as one operation: for each element of a set, the members of a row of a table.
//! Lists of moves are mostly such loops: for each place, the ways to lay something there.

use super::Gen;
use super::inline::mentions;
use super::mask::{Plan, is_local};
use super::nest::{Nest, Ready, Sink};
use super::tables::{Input, Tabled};
use crate::engine::layout::words_for;
use crate::engine::op::{Op, Reg, RowsOp, RowsShape, RowsSource, zone16};
use crate::model::{Expr, ExprKind, LocalId, Order, Over};

/// What a row depends on besides what is known before the loop.
#[derive(Clone, Copy)]
enum Digit {
    /// The element.
    Own,
    /// What is gathered from around it.
    Gathered(u16),
}

impl Gen<'_, '_> {
    /// The table whose rows the level behind `k` runs over, if nothing else is asked of either level.
    fn rows_of(&mut self, k: usize, nest: &Nest<'_, '_>, sink: &Sink<'_>) -> Option<Tabled> {
        let [outer, inner] = nest.levels.get(k..)? else {
            return None;
        };
        let simple = |at: usize| nest.residual.get(at).is_none_or(Vec::is_empty);
        let ascending = [outer, inner]
            .iter()
            .all(|level| matches!(level.order, Order::Ascending) && !level.paired);
        let sets = matches!((outer.over, inner.over), (Over::Set(_), Over::Set(_)));
        if !sets || !ascending || !simple(k + 1) || !simple(k + 2) {
            return None;
        }
        if !matches!(sink, Sink::Emit { .. } | Sink::Exists(_)) || nest.copies.is_some() {
            return None;
        }
        if nest.ready_at.get(k + 1)? > &k {
            return None;
        }
        let domain = self.level_domain(nest.levels, k + 1)?;
        let mut late = nest
            .masks
            .iter()
            .filter(|(of, at, _)| self.mask_time(*of, *at, nest) > k && *of >= k);
        match (late.next()?, late.next()) {
            ((of, _, Plan::Row(table)), None)
                if *of == k + 1 && words_for(self.domain_size(domain)) == 1 =>
            {
                Some(table.clone())
            }
            _ => None,
        }
    }

    /// How an input of such a table depends on the element; `None` where it does in another way.
    fn digit_of(&self, input: &Input, x: LocalId) -> Option<Digit> {
        if is_local(&input.expr, x) && !input.expr.ty.optional {
            return Some(Digit::Own);
        }
        match &input.expr.kind {
            ExprKind::Call(id, args) => match args.as_slice() {
                [spot] if is_local(spot, x) => self.shared.gathered_in(*id).map(Digit::Gathered),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the loops of the last two levels are one operation. Nothing is written yet.
    pub(super) fn by_rows(
        &mut self,
        k: usize,
        nest: &Nest<'_, '_>,
        sink: &Sink<'_>,
    ) -> Option<Tabled> {
        let table = self.rows_of(k, nest, sink)?;
        let x = nest.levels.get(k)?.local;
        let fits = |input: &Input| match self.digit_of(input, x) {
            Some(_) => true,
            None => !mentions(&input.expr, &[x]),
        };
        (table.words == 1 && table.inputs.iter().all(fits)).then_some(table)
    }

    /// The zone whose free spots a level runs over, where no condition restricts them.
    pub(super) fn free_spots(&self, k: usize, nest: &Nest<'_, '_>) -> Option<u16> {
        let Over::Set(Expr {
            kind: ExprKind::Frontier(zone),
            ..
        }) = nest.levels.get(k)?.over
        else {
            return None;
        };
        let alone = !nest.masks.iter().any(|(of, _, _)| *of == k);
        (alone && self.is_plane(*zone)).then(|| zone16(*zone))
    }

    /// Writes the loops of the last two levels as one operation; `free` is the zone whose free spots
    /// are the elements.
    pub(super) fn loop_rows(
        &mut self,
        k: usize,
        table: &Tabled,
        free: Option<u16>,
        nest: &Nest<'_, '_>,
        sink: &Sink<'_>,
        packed: Option<Reg>,
    ) {
        let (Some(level), Some(Some(within))) =
            (nest.levels.get(k), nest.ready.get(k + 1).copied())
        else {
            return;
        };
        let outer: Option<Ready> = nest.ready.get(k).copied().flatten();
        let Some(domain) = self.level_domain(nest.levels, k) else {
            return;
        };
        let lo = self.domain_lo(domain);
        let mut shape = RowsShape {
            source: match free {
                Some(zone) => RowsSource::Free(zone),
                None => RowsSource::Set(outer.map_or(1, |ready| ready.n)),
            },
            base: table.base,
            own: 0,
            bias: 0,
            gathered: None,
            shifts: None,
        };
        let off = self.temp();
        let zero = self.constant(0);
        self.mov(off, zero);
        let mut stride = 1u64;
        for input in table.inputs.iter().rev() {
            match self.digit_of(input, level.local) {
                Some(Digit::Own) => {
                    shape.own += stride as u32;
                    shape.bias += (lo - input.lo).wrapping_mul(stride as i64);
                }
                Some(Digit::Gathered(index)) => shape.gathered = Some((index, stride as u32)),
                None => {
                    let (bit, by) = (self.input_bit(input), self.constant(stride as i64));
                    let scaled = self.temp();
                    self.op(Op::Mul {
                        d: scaled,
                        a: bit,
                        b: by,
                    });
                    self.op(Op::Add {
                        d: off,
                        a: off,
                        b: scaled,
                    });
                }
            }
            stride = stride.saturating_mul(input.n);
        }
        let mut rows = RowsOp {
            a: off,
            set: outer.map_or(off, |ready| ready.set),
            within: within.set,
            off,
            shape: 0,
            to: 0,
        };
        let next = self.label();
        match sink {
            Sink::Emit { slots, .. } => {
                let (Some(a), [x, e]) = (packed, slots.get(k..).unwrap_or_default()) else {
                    return;
                };
                shape.shifts = Some([x.shift, e.shift]);
                (rows.a, rows.to) = (a, self.to(next));
            }
            Sink::Exists(found) => rows.to = self.to(*found),
            Sink::Count { .. } | Sink::Gather { .. } | Sink::Each(_) => return,
        }
        rows.shape = self.shared.rows_shape(shape);
        self.op(Op::Rows(rows));
        self.bind(next);
    }
}

//! `for each x in S { t[x] += 1 }`: what a track says of all members of a set, changed in one operation.

use super::Gen;
use super::facts::Facts;
use super::inline::mentions;
use super::mask::is_local;
use super::structure::same;
use crate::engine::layout::{Array, Lane, words_for};
use crate::engine::op::{Op, Reg};
use crate::model::{
    AssignOp, Base, Binder, DomainId, Expr, ExprKind, LocalId, Order, Stmt, StmtKind, TrackId,
    Type, UnaryOp,
};

/// What a track says of each element, one so far from the next.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub array: Array,
    /// The indices of the first.
    first: Vec<Expr>,
    domains: Vec<DomainId>,
    pub stride: u16,
}

impl Gen<'_, '_> {
    /// `t[a, x]` for all `x` of a domain, where nothing else in it hangs on `x`.
    pub(super) fn column(
        &self,
        track: TrackId,
        index: &[Expr],
        x: LocalId,
        domain: DomainId,
    ) -> Option<Column> {
        let declared = self.shared.game.tracks.get(track.index())?;
        let at = index.iter().position(|it| is_local(it, x))?;
        let alone = (index.iter().enumerate()).all(|(of, it)| of == at || !mentions(it, &[x]));
        let fits = declared.index.get(at) == Some(&domain) && declared.index.len() == index.len();
        let slot = *self.shared.layout.tracks.get(track.index())?;
        if !alone || !fits || slot.set_words > 0 {
            return None;
        }
        let behind = declared.index.get(at + 1..)?.iter();
        let stride = behind.map(|it| self.domain_size(*it)).product::<u64>();
        let mut first = index.to_vec();
        if let Some(it) = first.get_mut(at) {
            it.kind = ExprKind::Value(self.domain_lo(domain));
        }
        Some(Column {
            array: slot.array,
            first,
            domains: declared.index.clone(),
            stride: u16::try_from(stride).ok()?,
        })
    }

    pub(super) fn column_sure(&mut self, column: &Column, facts: &mut Facts) -> bool {
        self.index_sure(&column.first, &column.domains, facts)
    }

    /// Where the first value of a column lies, from the first of the track on.
    pub(super) fn column_start(&mut self, column: &Column) -> Reg {
        let at = self.index(&column.first, &column.domains);
        self.index_reg(at)
    }

    /// `for each x in S { t[x] += n }`, `t[x] = n`, `t[x] = not t[x]`; false where it is something else.
    pub(super) fn change_those(&mut self, binders: &[Binder], body: &[Stmt]) -> bool {
        let ([binder], [stmt]) = (binders, body) else {
            return false;
        };
        let (StmtKind::SetTrack(track, index, op, value), Some(set)) =
            (&stmt.kind, binder.over.as_set())
        else {
            return false;
        };
        let is_bare = binder.guard.is_none() && !matches!(binder.order, Order::From(_));
        let (Some(domain), Some(ty)) = (
            set.ty.base.set_over(),
            self.shared.game.tracks.get(track.index()).map(|it| it.ty),
        ) else {
            return false;
        };
        let words = u8::try_from(words_for(self.domain_size(domain)));
        let (true, Ok(m), false) = (is_bare, words, self.shared.is_plain()) else {
            return false;
        };
        let Some(column) = self.column(*track, index, binder.local, domain) else {
            return false;
        };
        let is_it = |it: &Expr| same(it, &it.with_kind(ExprKind::Track(*track, index.clone())));
        let flips = matches!(&value.kind, ExprKind::Unary(UnaryOp::Not, it)
            if ty == Type::BOOL && *op == AssignOp::Set && is_it(it));
        let mut facts = self.facts.clone();
        let fits = match (op, ty.base) {
            _ if flips => true,
            (AssignOp::Set, _) => self.fits(value, ty, &facts),
            (_, Base::Int(lo, _)) => {
                let is_based = column.array.lane != Lane::Word || lo == 0;
                is_based && !ty.optional && !value.ty.optional
            }
            _ => false,
        };
        let hangs =
            !flips && (mentions(value, &[binder.local]) || self.reads_what(value, &stmt.kind));
        let hangs = hangs
            || column
                .first
                .iter()
                .any(|it| self.reads_what(it, &stmt.kind));
        if !fits || hangs || self.is_parts(domain) {
            return false;
        }
        if !flips && !self.sure_here(value) || !self.column_sure(&column, &mut facts) {
            return false;
        }
        let array = column.array;
        let set = self.value(set);
        let off = self.column_start(&column);
        let (a, by, most) = match (op, ty.base) {
            _ if flips => (self.constant(1), 2, 1),
            (AssignOp::Set, _) => {
                let a = self.value(value);
                (self.stored(a, array), 0, i64::MAX)
            }
            (op, Base::Int(lo, hi)) => {
                let by = if *op == AssignOp::Add { 1 } else { 3 };
                (self.value(value), by, hi.saturating_sub(lo))
            }
            _ => (self.constant(0), 1, i64::MAX),
        };
        let (hi, stride) = (self.constant(most), column.stride);
        let around = self.here();
        self.at(stmt.span);
        self.op(Op::Those {
            bytes: array.bytes(),
            by,
            m,
            lanes: array.base,
            off,
            stride,
            set,
            a,
            hi,
        });
        self.at(around);
        true
    }
}

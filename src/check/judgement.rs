//! Who wins.

use crate::diagnostic::codes;
use crate::model::{Base, BinaryOp, Expr, ExprKind, LocalId, StmtKind, Type, UnaryOp, Winners};
use crate::source::Span;
use crate::syntax::ast;

use super::scope::{Binding, BodyKind};
use super::thing::Thing;
use super::types::CALCULATED;
use super::{Checked, Checker, Reported};

impl Checker<'_> {
    pub(super) fn only_in_endings(&mut self, word: &str, span: Span) -> Checked<()> {
        if self.body.kind == BodyKind::Ending {
            return Ok(());
        }
        Err(self.complain(
            codes::MISPLACED,
            span,
            format!("`{word}` stands outside of an ending"),
            format!("write an `ending` with `{word}`, and `end` it here"),
        ))
    }

    pub(super) fn ranking(
        &mut self,
        seats: &ast::Expr,
        by: &[ast::Expr],
        span: Span,
    ) -> Checked<StmtKind> {
        self.only_in_endings("ranking", span)?;
        match self.thing(seats, None)? {
            Thing::Domain(id) if id == self.game.seat => {}
            _ => {
                return Err(self.complain(
                    codes::WRONG_TYPE,
                    seats.span,
                    "a ranking is of all seats",
                    "write `ranking seat by …`",
                ));
            }
        }
        let it = self.fresh("it", self.seat_type(), seats.span);
        self.scoped(|this| {
            this.body
                .locals
                .push(("it".to_owned(), Binding::Local(it, false)));
            let mut keys = Vec::new();
            let mut failed = false;
            for key in by {
                // `least points[it]`: fewer is better.
                let (key, turned) = match &key.kind {
                    ast::ExprKind::Unary { op, operand, .. } if !is_set(operand) => match op {
                        ast::UnaryOp::Most => (&**operand, false),
                        ast::UnaryOp::Least => (&**operand, true),
                        _ => (key, false),
                    },
                    _ => (key, false),
                };
                match this.ranking_key(key, it).map(|it| turned_round(it, turned)) {
                    Ok(key) => keys.push(key),
                    Err(Reported) => failed = true,
                }
            }
            if failed {
                return Err(Reported);
            }
            Ok(StmtKind::Ranking(it, keys))
        })
    }

    /// A figure of a ranking; a track of all seats stands for that of each seat.
    pub(super) fn ranking_key(&mut self, key: &ast::Expr, it: LocalId) -> Checked<Expr> {
        let value = match self.thing(key, Some(CALCULATED))? {
            Thing::Track(id) => {
                let Some(track) = self.game.tracks.get(id.index()) else {
                    return Err(Reported);
                };
                if track.index != [self.game.seat] {
                    let message = format!("`{}` is not a track of the seats", track.name);
                    return Err(self.error(codes::WRONG_TYPE, key.span, message));
                }
                Expr {
                    ty: track.ty,
                    kind: ExprKind::Track(id, vec![self.local(it, key.span)]),
                    span: key.span,
                }
            }
            thing => self.as_value(thing, Some(CALCULATED), key.span)?,
        };
        let span = value.span;
        match value.ty.base {
            Base::Bool => Ok(as_number(value)),
            Base::Elem(id) => {
                let most = i64::try_from(self.size(id)).unwrap_or(1) - 1;
                Ok(Expr {
                    kind: ExprKind::unary(UnaryOp::Ord, value),
                    ty: super::bounds::number(0, most),
                    span,
                })
            }
            _ => self.fit(super::operator::present(value), CALCULATED),
        }
    }

    pub(super) fn winner(&mut self, seat: &ast::Expr, span: Span) -> Checked<StmtKind> {
        self.only_in_endings("winner", span)?;
        Ok(match self.winners(seat)? {
            Winners::One(seat) => StmtKind::Winner(seat),
            Winners::Together(it, among) => StmtKind::Ranking(it, vec![among]),
        })
    }

    /// A seat, `none`, or a set of seats that win together.
    pub(super) fn winners(&mut self, seats: &ast::Expr) -> Checked<Winners> {
        let ty = self.seat_type().or_none();
        // Braces with nothing between them are a set of whatever is wanted.
        let ty = match &seats.kind {
            ast::ExprKind::Set(none) if none.is_empty() => Type::of(Base::Set(self.game.seat)),
            _ => ty,
        };
        let (value, span) = (self.value(seats, Some(ty))?, seats.span);
        let Base::Set(of) = value.ty.base else {
            return self.fit(value, ty).map(Winners::One);
        };
        if of != self.game.seat {
            return Err(self.mismatch(&value, ty));
        }
        let it = self.fresh("it", self.seat_type(), span);
        let own = self.local(it, span);
        let among = Expr::truth(ExprKind::binary(BinaryOp::In, own, value), span);
        Ok(Winners::Together(it, as_number(among)))
    }
}

/// Whether an operand is a set of candidates, of which the best are asked for.
fn is_set(operand: &ast::Expr) -> bool {
    matches!(
        operand.kind,
        ast::ExprKind::Comprehension(_) | ast::ExprKind::Set(_)
    )
}

/// A figure of which less is better.
fn turned_round(key: Expr, turned: bool) -> Expr {
    if !turned {
        return key;
    }
    let ty = match key.ty.base {
        Base::Int(lo, hi) => super::bounds::number(-hi, -lo),
        _ => key.ty,
    };
    let span = key.span;
    let kind = ExprKind::unary(UnaryOp::Neg, key);
    Expr { kind, ty, span }
}

/// A truth as a figure.
fn as_number(truth: Expr) -> Expr {
    let span = truth.span;
    let [one, zero] = [1, 0].map(|n| super::holders::number(n, span));
    Expr {
        kind: ExprKind::choice(truth, one, zero),
        ty: super::bounds::number(0, 1),
        span,
    }
}

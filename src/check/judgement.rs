//! Who wins.

use crate::diagnostic::codes;
use crate::model::{Base, Expr, ExprKind, LocalId, StmtKind, Type, UnaryOp};
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
                match this.ranking_key(key, it) {
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
            Base::Bool => {
                let [one, zero] = [1, 0].map(|n| super::holders::number(n, span));
                Ok(Expr {
                    kind: ExprKind::If(Box::new(value), Box::new(one), Box::new(zero)),
                    ty: super::bounds::number(0, 1),
                    span,
                })
            }
            Base::Elem(id) => {
                let most = i64::try_from(self.size(id)).unwrap_or(1) - 1;
                Ok(Expr {
                    kind: ExprKind::Unary(UnaryOp::Ord, Box::new(value)),
                    ty: super::bounds::number(0, most),
                    span,
                })
            }
            _ => self.fit(super::operator::present(value), CALCULATED),
        }
    }

    pub(super) fn winner(&mut self, seat: &ast::Expr, span: Span) -> Checked<StmtKind> {
        self.only_in_endings("winner", span)?;
        let ty = Type {
            optional: true,
            ..self.seat_type()
        };
        let seat = self.value(seat, Some(ty))?;
        if let Base::Set(_) = seat.ty.base {
            return Err(self.complain(
                codes::WRONG_TYPE,
                seat.span,
                "one seat wins, not a set of seats",
                "write `ranking seat by (if it in … then 1 else 0)` to let several win",
            ));
        }
        Ok(StmtKind::Winner(self.fit(seat, ty)?))
    }
}

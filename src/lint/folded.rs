//! What the readings and the rows of a game decide before it is played.

use crate::model::{BinaryOp, Expr, ExprKind, Game, LocalId, UnaryOp};

/// Expressions that are looked into for one condition.
const FUEL: u32 = 10_000;
/// How deep one may stand in another.
const DEPTH: u32 = 60;

/// Whether the readings of a game decide that this condition never holds.
pub(super) fn never_holds(game: &Game, cond: &Expr) -> bool {
    let mut fold = Fold {
        game,
        env: Vec::new(),
        fuel: FUEL,
    };
    fold.value(cond, 0) == Some(0)
}

struct Fold<'g> {
    game: &'g Game,
    env: Vec<(LocalId, Option<i64>)>,
    fuel: u32,
}

impl Fold<'_> {
    /// The value that an expression has in every position; none where that depends.
    fn value(&mut self, expr: &Expr, depth: u32) -> Option<i64> {
        self.fuel = self.fuel.checked_sub(1)?;
        let depth = Some(depth + 1).filter(|it| *it < DEPTH)?;
        match &expr.kind {
            ExprKind::Value(value) => Some(*value),
            ExprKind::Setting(folded) => Some(folded.value),
            ExprKind::Local(local) => {
                let known = self.env.iter().rev().find(|(it, _)| it == local);
                known.and_then(|(_, value)| *value)
            }
            ExprKind::Let(local, value, body) => {
                let value = self.value(value, depth);
                self.env.push((*local, value));
                let found = self.value(body, depth);
                self.env.pop();
                found
            }
            ExprKind::Unary(UnaryOp::Not, it) => Some(i64::from(self.value(it, depth)? == 0)),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.value(left, depth), self.value(right, depth));
                match op {
                    BinaryOp::And if left == Some(0) || right == Some(0) => Some(0),
                    BinaryOp::Or if left == Some(1) || right == Some(1) => Some(1),
                    BinaryOp::And | BinaryOp::Or | BinaryOp::Eq => Some(match op {
                        BinaryOp::And => i64::from(left? != 0 && right? != 0),
                        BinaryOp::Or => i64::from(left? != 0 || right? != 0),
                        _ => i64::from(left? == right?),
                    }),
                    BinaryOp::Ne => Some(i64::from(left? != right?)),
                    _ => None,
                }
            }
            ExprKind::If(cond, then, other) => match self.value(cond, depth) {
                Some(0) => self.value(other, depth),
                Some(_) => self.value(then, depth),
                None => {
                    let then = self.value(then, depth)?;
                    (self.value(other, depth) == Some(then)).then_some(then)
                }
            },
            ExprKind::Call(define, args) => {
                let define = self.game.defines.get(define.index())?;
                let values: Vec<_> = args.iter().map(|it| self.value(it, depth)).collect();
                let outer = self.env.len();
                self.env.extend(define.params.iter().copied().zip(values));
                let found = self.value(&define.body, depth);
                self.env.truncate(outer);
                found
            }
            _ => None,
        }
    }
}

//! Loops of statements that only add up, or only say that something was found, as one statement.

use super::Gen;
use super::inline::mentions;
use crate::model::arith::MOST;
use crate::model::{
    Aggregate, AggregateOp, AssignOp, Base, Binder, Expr, ExprKind, LocalId, Node, Order, Over,
    Stmt, StmtKind, Type, each_in_expr,
};

impl Gen<'_, '_> {
    /// `for each x in S where P { t += e(x) }` is `t += sum { e(x) for x in S where P }`, all `e` having one sign, and
    /// `for each x in S where P { t = e }` is `if some { x in S where P } { t = e }`; also with `P` as an `if`.
    pub(super) fn in_one(&mut self, binders: &[Binder], body: &[Stmt]) -> Option<Stmt> {
        let (mut conds, mut body) = (Vec::new(), body);
        let stmt = loop {
            let [stmt] = body else { return None };
            match &stmt.kind {
                StmtKind::If(cond, then, other) if other.is_empty() => {
                    conds.push(cond);
                    body = then;
                }
                _ => break stmt,
            }
        };
        let none = Vec::new();
        let (index, op, value, ty) = match &stmt.kind {
            StmtKind::SetTrack(track, index, op, value) => {
                let track = self.shared.game.tracks.get(track.index())?;
                (index, *op, value, track.ty)
            }
            StmtKind::SetLocal(local, op, value) => {
                (&none, *op, value, self.shared.local_type(*local))
            }
            _ => return None,
        };
        let locals: Vec<LocalId> = binders.iter().map(|it| it.local).collect();
        let is_plain =
            |it: &Binder| !matches!(it.over, Over::Zone(_)) && !matches!(it.order, Order::From(_));
        let hangs = |it: &Expr| mentions(it, &locals);
        if self.shared.is_plain() || !binders.iter().all(is_plain) || index.iter().any(hangs) {
            return None;
        }
        let mut binders = binders.to_vec();
        let last = binders.last_mut()?;
        let guards = last.guard.take().into_iter();
        last.guard = guards.chain(conds.into_iter().cloned()).reduce(Expr::and);
        let (span, is_set) = (value.span, matches!(ty.base, Base::Set(_)));
        let asked = match (op, &value.kind) {
            (AssignOp::Set, _) if !hangs(value) => {
                Expr::truth(Aggregate::over(AggregateOp::Some, binders), span)
            }
            (AssignOp::Set, _) => return None,
            (_, ExprKind::SetOf(items)) if is_set => {
                let [one] = items.as_slice() else { return None };
                let members = Aggregate::over(AggregateOp::Collect, binders).of(one.clone());
                (!one.ty.optional).then(|| value.with_kind(members))?
            }
            _ => {
                let (least, most) = self.shared.bounds_of(value)?;
                let are_alike = least >= 0 || most <= 0;
                if !are_alike || ty.optional || value.ty.optional || is_set {
                    return None;
                }
                let sum = Aggregate::over(AggregateOp::Sum, binders).of(value.clone());
                let mut sum = Expr::new(sum, Type::of(Base::Int(1 - MOST, MOST - 1)), span);
                self.shared.narrow(&mut sum);
                sum
            }
        };
        let mut read = index.iter().chain([value, &asked]);
        if read.any(|it| self.reads_what(it, &stmt.kind)) || !self.sure_here(&asked) {
            return None;
        }
        // What is not found is not asked where it would be put.
        let domains = match &stmt.kind {
            StmtKind::SetTrack(track, ..) => {
                let of = self.shared.game.tracks.get(track.index());
                of.map(|it| it.index.clone()).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        let mut facts = self.facts.clone();
        if op != AssignOp::Set && !self.index_sure(index, &domains, &mut facts) {
            return None;
        }
        let asked = self.shared.expanded_knowing(&asked, &facts);
        let kind = match &stmt.kind {
            _ if op == AssignOp::Set => StmtKind::If(asked, vec![stmt.clone()], Vec::new()),
            StmtKind::SetTrack(track, index, op, _) => {
                StmtKind::SetTrack(*track, index.clone(), *op, asked)
            }
            StmtKind::SetLocal(local, op, _) => StmtKind::SetLocal(*local, *op, asked),
            _ => return None,
        };
        Some(Stmt {
            kind,
            ..stmt.clone()
        })
    }

    /// Whether something may read what a statement changes.
    pub(super) fn reads_what(&self, expr: &Expr, changed: &StmtKind) -> bool {
        let reads = |it: &Expr| match (&it.kind, changed) {
            (ExprKind::Track(track, _), StmtKind::SetTrack(of, ..)) => track == of,
            (ExprKind::Local(local), StmtKind::SetLocal(of, ..)) => local == of,
            (ExprKind::Call(..) | ExprKind::After(..) | ExprKind::Can(..), _) => {
                self.shared.reads_state(it)
            }
            _ => false,
        };
        let mut found = reads(expr);
        each_in_expr(expr, &mut |node| match node {
            Node::Expr(part) => found |= reads(part),
            Node::Stmt(_) => found = true,
            Node::Binds(_) => {}
        });
        found
    }
}

//! Puts small procedures in place of their calls: larger ones where something is only tried out, as that is done for every
//! move.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Shared;
use super::graph::Callee;
use super::inline::{may_stand_for, rename_node, substitute_node};
use crate::model::{Base, Expr, ExprKind, Node, NodeMut, ProcId, Stmt, StmtKind, each_in_block};

/// Largest body that is put in place where something is tried out, and where it is done, in nodes.
pub(super) const MOST_PLACED: usize = 100;
pub(super) const SMALL: usize = 50;

impl Shared<'_> {
    /// The body of a loop with what small events do in place of their calls.
    pub(super) fn opened<'b>(&mut self, body: &'b [Stmt]) -> Cow<'b, [Stmt]> {
        let mut opened = Cow::Borrowed(body);
        for at in (0..body.len()).rev() {
            if let Some(StmtKind::Call(proc, args)) = body.get(at).map(|it| &it.kind)
                && let Some(placed) = self.placed(*proc, args, SMALL)
            {
                opened.to_mut().splice(at..=at, placed);
            }
        }
        opened
    }

    /// What a call does, written out, if that is little and nobody chooses in it or leaves it early.
    pub(super) fn placed(&mut self, id: ProcId, args: &[Expr], most: usize) -> Option<Vec<Stmt>> {
        let proc = self.game.procs.get(id.index())?;
        // One that owes a value faults at its end.
        let owes = proc.ty.base != Base::Unit;
        if self.is_plain() || owes || self.graph.recursive(Callee::Proc(id)) {
            return None;
        }
        let (mut size, mut bound) = (0, HashMap::new());
        let (mut straight, mut calls) = (true, false);
        each_in_block(&proc.body, &mut |node| {
            size += 1;
            match node {
                Node::Binds(local) => {
                    bound.insert(local, local);
                }
                Node::Stmt(stmt) => {
                    straight &= is_straight(&stmt.kind);
                    calls |= matches!(stmt.kind, StmtKind::Call(..) | StmtKind::CallInto(..));
                }
                Node::Expr(_) => {}
            }
        });
        // Calls in calls would double what is written with each.
        let is_last = most > SMALL || !calls;
        if !straight || !is_last || size > most || size > self.room {
            return None;
        }
        self.room -= size;
        for (old, new) in &mut bound {
            *new = self.fresh_local(*old);
        }
        let mut body = self.expanded_block(&proc.body);
        let (mut written, mut by) = (Vec::new(), HashMap::new());
        for (param, arg) in proc.params.iter().zip(args) {
            let stays = match &arg.kind {
                ExprKind::Value(_) => true,
                ExprKind::Local(local) => !self.graph.written.contains(local),
                _ => false,
            };
            let ty = self.local_type(*param);
            if stays && may_stand_for(arg, ty) && !self.graph.written.contains(param) {
                by.insert(*param, arg.clone());
                continue;
            }
            let fresh = self.fresh_local(*param);
            bound.insert(*param, fresh);
            written.push(Stmt {
                kind: StmtKind::Let(fresh, arg.clone()),
                span: arg.span,
            });
        }
        for stmt in &mut body {
            rename_node(NodeMut::Stmt(stmt), &bound);
            substitute_node(NodeMut::Stmt(stmt), &by);
        }
        written.append(&mut body);
        Some(written)
    }
}

/// Whether a statement is done at one go and goes on with the next.
fn is_straight(kind: &StmtKind) -> bool {
    !matches!(
        kind,
        StmtKind::Choose(_)
            | StmtKind::Pick(_)
            | StmtKind::Window(_)
            | StmtKind::Together(_)
            | StmtKind::Turns(_)
            | StmtKind::Return(_)
            | StmtKind::Next
            | StmtKind::Again
            | StmtKind::End(..)
    )
}

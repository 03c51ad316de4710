//! Puts definitions in place of their calls, so that later passes see through them.

use std::collections::HashMap;

use super::Shared;
use super::coordinates::makes_of;
use super::facts::Facts;
use super::graph::Callee;
use super::implied::note_there;
use super::structure::{same, uses};
use super::sure::within;
use super::tables::is_scalar;
use crate::model::{
    Base, BinaryOp, DefineId, Expr, ExprKind, LocalId, Node, NodeMut, Type, UnaryOp, change,
    each_in_expr,
};

/// Largest body that is put in place, in nodes.
const MOST_NODES: usize = 3_000;
/// How many nodes are put in place in all; further calls stay calls.
pub(super) const MOST_PUT: usize = 1_000_000;
/// Largest argument that is written out at each use of its parameter.
const SMALL_ARG: usize = 3;
/// Largest body of which laws are asked anew where more is known of an argument, in nodes.
const MOST_ASKED_ANEW: usize = 300;
/// The same of one that is an element which is looked up, so that laws see of which it is asked.
pub(super) const SMALL_LOOKUP: usize = 30;

impl Shared<'_> {
    /// The body of a definition that is not too large to be put in place of a call.
    fn body_to_put(&mut self, id: DefineId) -> Option<Expr> {
        self.expand_define(id);
        let (body, size) = self.expanded.get(&id)?;
        if *size > MOST_NODES || *size > self.room {
            return None;
        }
        self.room -= size;
        Some(body.clone())
    }

    /// A definition's body with the definitions that it calls put in place.
    pub fn expanded_body(&mut self, id: DefineId) -> Expr {
        self.expand_define(id);
        if let Some((body, _)) = self.expanded.get(&id) {
            return body.clone();
        }
        Expr {
            kind: ExprKind::Value(0),
            ty: crate::model::Type::BOOL,
            span: crate::source::Span::default(),
        }
    }

    fn expand_define(&mut self, id: DefineId) {
        if self.expanded.contains_key(&id) {
            return;
        }
        let Some(define) = self.game.defines.get(id.index()) else {
            return;
        };
        let mut body = define.body.clone();
        let there = std::mem::take(&mut self.there);
        let given = std::mem::take(&mut self.given);
        self.depth += 1;
        let calls_itself = !self.is_plain() && self.graph.recursive(Callee::Define(id));
        if calls_itself {
            self.walked.insert(id, false);
        }
        self.expand(&mut body);
        if calls_itself && let Some(walk) = self.calls_as_walk(id, &body) {
            self.walked.insert(id, true);
            body = walk;
            self.expand(&mut body);
        }
        self.depth -= 1;
        self.there = there;
        self.given = given;
        let size = size_of(&body);
        self.expanded.insert(id, (body, size));
    }

    /// Whether a definition calls itself, and not only to walk.
    fn stays_called(&mut self, id: DefineId) -> bool {
        if !self.graph.recursive(Callee::Define(id)) {
            return false;
        }
        if !self.walked.contains_key(&id) {
            self.expand_define(id);
        }
        self.walked.get(&id) != Some(&true)
    }

    /// What stands behind a condition that holds, or that does not.
    fn expand_where(&mut self, cond: &Expr, holds: bool, expr: &mut Expr) {
        let known = self.there.len();
        note_there(cond, holds, &mut self.there);
        self.expand(expr);
        self.there.truncate(known);
    }

    /// Puts definitions in place, from the inside out. Recursive ones, tabulated ones and very large
    /// ones stay calls.
    pub fn expand(&mut self, expr: &mut Expr) {
        if self.is_plain() {
            return;
        }
        self.depth += 1;
        self.expand_inner(expr);
        self.depth -= 1;
        if self.depth == 0 {
            self.write_out_spans(expr, &mut Vec::new());
        }
    }

    fn expand_inner(&mut self, expr: &mut Expr) {
        if let Some(count) = self.added_up(expr) {
            *expr = count;
            return;
        }
        self.say_first(expr);
        if let ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) = &mut expr.kind {
            self.expand(left);
            self.expand_where(left, *op == BinaryOp::And, right);
        } else if let ExprKind::If(cond, then, or) = &mut expr.kind {
            self.expand(cond);
            self.expand_where(cond, true, then);
            self.expand_where(cond, false, or);
        } else {
            // Where something was tried out other things lie there.
            let tried = matches!(expr.kind, ExprKind::After(..));
            let there = tried.then(|| std::mem::take(&mut self.there));
            let given = tried.then(|| std::mem::take(&mut self.given));
            change::parts_of_expr(expr, &mut |node| {
                if let NodeMut::Expr(part) = node {
                    self.expand(part);
                } else if let NodeMut::Stmt(stmt) = node {
                    self.expand_stmt(stmt);
                }
            });
            if let ExprKind::After(_, asked) = &mut expr.kind {
                self.ask_once(asked);
            }
            if let (Some(there), Some(given)) = (there, given) {
                self.there = there;
                self.given = given;
            }
        }
        self.say_by_laws(expr);
        let ExprKind::Call(id, args) = &mut expr.kind else {
            return;
        };
        let id = *id;
        if self.stays_called(id) || self.is_table(id) {
            return;
        }
        let Some(mut body) = self.body_to_put(id) else {
            return;
        };
        let Some(define) = self.game.defines.get(id.index()) else {
            return;
        };
        let (params, declared) = (define.params.clone(), define.ty);
        let args = std::mem::take(args);
        self.rename(&mut body);
        let mut small: HashMap<LocalId, Expr> = HashMap::new();
        let mut large: Vec<(LocalId, Expr)> = Vec::new();
        let sure: Vec<bool> = args.iter().map(|arg| self.surely(arg)).collect();
        let last_unsure = sure.iter().rposition(|sure| !sure);
        let (mut is_led, is_sure) = (false, self.surely(&body));
        // Of a set that is the same in every position laws see more than of one that has a name.
        let mut is_known = false;
        for (at, (param, arg)) in params.into_iter().zip(args).enumerate() {
            let ty = self.local_type(param);
            let fits = may_stand_for(&arg, ty) || self.leads_there(&arg, ty);
            let fits = fits && self.may_be_asked_in(&arg, param, &body);
            // A fault must neither get lost nor be met by another one.
            let safe =
                sure.get(at) == Some(&true) || last_unsure == Some(at) && begins_with(&body, param);
            let most = match arg.ty.base {
                Base::Elem(_) if binds_nothing(&arg) => SMALL_LOOKUP,
                Base::Set(_)
                    if sure.get(at) == Some(&true)
                        && size_of(&arg) <= SMALL_LOOKUP
                        && size_of(&body) <= MOST_ASKED_ANEW
                        && !self.reads_state(&arg) =>
                {
                    is_known |= size_of(&arg) > SMALL_ARG;
                    SMALL_LOOKUP
                }
                // Whether a place is there is seen where its coordinates are.
                Base::Int(..)
                    if !is_sure
                        && makes_of(&body, param)
                        && binds_nothing(&arg)
                        && !self.reads_state(&arg) =>
                {
                    is_led = true;
                    SMALL_LOOKUP
                }
                _ => SMALL_ARG,
            };
            if fits && safe && (size_of(&arg) <= most || uses(&body, param) == 0) {
                small.insert(param, arg);
            } else {
                let fresh = self.fresh_local(param);
                let local = Expr::local(fresh, if fits { arg.ty } else { ty }, arg.span);
                small.insert(param, local);
                large.push((fresh, arg));
            }
        }
        substitute(&mut body, &small);
        if is_known {
            self.rename(&mut body);
            self.expand(&mut body);
        }
        if is_led {
            self.say_there(&mut body);
        }
        if !self.there.is_empty() {
            self.leave_known(&mut body);
        }
        if !may_stand_for(&body, declared) {
            self.narrow(&mut body);
        }
        if !may_stand_for(&body, declared) {
            body = self.held(body, declared);
        }
        for (local, arg) in large.into_iter().rev() {
            let (ty, span) = (body.ty, body.span);
            body = Expr {
                kind: ExprKind::Let(local, Box::new(arg), Box::new(body)),
                ty,
                span,
            };
        }
        *expr = body;
    }

    /// Whether a value is the same wherever it would be worked out in place of a local: where something was tried out, it
    /// might be another one.
    pub(super) fn may_be_asked_in(&self, value: &Expr, local: LocalId, body: &Expr) -> bool {
        let mut tried = is_tried(body, local);
        each_in_expr(body, &mut |node| {
            tried |= matches!(node, Node::Expr(expr) if is_tried(expr, local));
        });
        !tried || !self.reads_state(value)
    }

    /// The same where more is known, as that something lies at a place: more laws hold there.
    pub(super) fn expanded_knowing(&mut self, expr: &Expr, facts: &Facts) -> Expr {
        let before = std::mem::replace(&mut self.given, facts.clone());
        let mut known = expr.clone();
        self.put_values(&mut known);
        self.expand(&mut known);
        self.given = before;
        known
    }

    /// Whether a value is one of a type, as far as is given.
    fn may_be(&mut self, value: &Expr, ty: Type) -> bool {
        let there = Type::of(value.ty.base);
        may_stand_for(value, ty) || is_scalar(ty) && within(there, ty) && self.surely_there(value)
    }

    /// Puts what has a name and surely has a value in its place.
    fn put_values(&mut self, expr: &mut Expr) {
        if matches!(expr.kind, ExprKind::After(..) | ExprKind::Can(..)) {
            return;
        }
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.put_values(part);
            }
        });
        if let ExprKind::Let(local, value, body) = &expr.kind
            && size_of(value) <= SMALL_LOOKUP
            && self.may_be(value, self.local_type(*local))
            && binds_nothing(value)
            && self.may_be_asked_in(value, *local, body)
            && self.surely(value)
        {
            let by = HashMap::from([(*local, (**value).clone())]);
            let mut whole = (**body).clone();
            substitute(&mut whole, &by);
            *expr = whole;
        }
    }

    /// Whether what stands before says that a step leads to a place.
    fn leads_there(&self, step: &Expr, ty: Type) -> bool {
        let is_it =
            |it: &Expr| matches!(&it.kind, ExprKind::Unary(UnaryOp::IsSome, it) if same(it, step));
        let is_step = matches!(step.kind, ExprKind::Step { .. }) && step.ty.base == ty.base;
        is_step && self.there.iter().any(is_it)
    }

    /// A value that is checked to be one of a type.
    fn held(&mut self, value: Expr, ty: Type) -> Expr {
        let span = value.span;
        let local = self.new_local(ty);
        let kept = Expr::local(local, ty, span);
        Expr {
            kind: ExprKind::Let(local, Box::new(value), Box::new(kept)),
            ty,
            span,
        }
    }

    /// A block with definitions put in place.
    pub fn expanded_block(&mut self, block: &[crate::model::Stmt]) -> Vec<crate::model::Stmt> {
        let mut block = block.to_vec();
        block.iter_mut().for_each(|stmt| self.expand_stmt(stmt));
        block
    }

    fn expand_stmt(&mut self, stmt: &mut crate::model::Stmt) {
        change::parts_of_stmt(stmt, &mut |node| match node {
            NodeMut::Expr(part) => self.expand(part),
            NodeMut::Stmt(stmt) => self.expand_stmt(stmt),
            NodeMut::Binds(_) => {}
        });
    }

    /// Gives every local that is bound in an expression a new id, so that two copies never share one.
    pub(super) fn rename(&mut self, expr: &mut Expr) {
        let mut fresh: HashMap<LocalId, LocalId> = HashMap::new();
        each_in_expr(expr, &mut |node| {
            if let Node::Binds(local) = node {
                fresh.insert(local, local);
            }
        });
        for (old, new) in &mut fresh {
            *new = self.fresh_local(*old);
        }
        rename_in(expr, &fresh);
    }
}

/// Whether a local is read behind what is tried out.
fn is_tried(expr: &Expr, local: LocalId) -> bool {
    matches!(expr.kind, ExprKind::After(..)) && mentions(expr, &[local])
}

/// Whether no variable is bound in an expression, and so no loop stands in it.
pub(super) fn binds_nothing(expr: &Expr) -> bool {
    let mut binds = matches!(expr.kind, ExprKind::Aggregate(_));
    each_in_expr(expr, &mut |node| binds |= matches!(node, Node::Binds(_)));
    !binds
}

/// Whether a value is one of a type whatever the position.
pub(super) fn may_stand_for(value: &Expr, ty: Type) -> bool {
    !is_scalar(ty) || within(value.ty, ty) && (ty.optional || !value.ty.optional)
}

/// Whether the first that is worked out is the value of a local.
fn begins_with(body: &Expr, local: LocalId) -> bool {
    match &body.kind {
        ExprKind::Local(it) => *it == local,
        ExprKind::Binary(_, first, _)
        | ExprKind::Unary(_, first)
        | ExprKind::Field(first, _)
        | ExprKind::If(first, ..)
        | ExprKind::Match(first, ..)
        | ExprKind::OrElse(first, _)
        | ExprKind::Near(_, first)
        | ExprKind::Let(_, first, _) => begins_with(first, local),
        ExprKind::Track(_, all)
        | ExprKind::Table(_, all)
        | ExprKind::Make(_, all)
        | ExprKind::Call(_, all) => all.first().is_some_and(|it| begins_with(it, local)),
        ExprKind::Component(place)
        | ExprKind::PlaceField(place, _)
        | ExprKind::Count(place)
        | ExprKind::CountOf(place, _)
        | ExprKind::Filled(place)
        | ExprKind::Kinds(place)
        | ExprKind::Nth(place, _)
        | ExprKind::Top(place) => {
            let first = place.index.first();
            first.is_some_and(|it| begins_with(it, local))
        }
        _ => false,
    }
}

/// Gives locals other ids.
pub(super) fn rename_in(expr: &mut Expr, fresh: &HashMap<LocalId, LocalId>) {
    if let ExprKind::Local(local) = &mut expr.kind
        && let Some(new) = fresh.get(local)
    {
        *local = *new;
    }
    change::parts_of_expr(expr, &mut |node| rename_node(node, fresh));
}

pub(super) fn rename_node(node: NodeMut<'_>, fresh: &HashMap<LocalId, LocalId>) {
    match node {
        NodeMut::Expr(part) => rename_in(part, fresh),
        NodeMut::Binds(local) => {
            if let Some(new) = fresh.get(local) {
                *local = *new;
            }
        }
        NodeMut::Stmt(stmt) => {
            if let crate::model::StmtKind::SetLocal(local, ..) = &mut stmt.kind
                && let Some(new) = fresh.get(local)
            {
                *local = *new;
            }
            change::parts_of_stmt(stmt, &mut |node| rename_node(node, fresh));
        }
    }
}

/// Puts expressions in place of locals.
pub(super) fn substitute(expr: &mut Expr, by: &HashMap<LocalId, Expr>) {
    if let ExprKind::Local(local) = &expr.kind
        && let Some(new) = by.get(local)
    {
        let span = expr.span;
        *expr = new.clone();
        expr.span = span;
        return;
    }
    change::parts_of_expr(expr, &mut |node| substitute_node(node, by));
}

pub(super) fn substitute_node(node: NodeMut<'_>, by: &HashMap<LocalId, Expr>) {
    match node {
        NodeMut::Expr(part) => substitute(part, by),
        NodeMut::Binds(_) => {}
        NodeMut::Stmt(stmt) => {
            change::parts_of_stmt(stmt, &mut |node| substitute_node(node, by));
        }
    }
}

/// Number of nodes.
pub(super) fn size_of(expr: &Expr) -> usize {
    let mut n = 1;
    each_in_expr(expr, &mut |_| n += 1);
    n
}

/// Whether an expression mentions one of the locals.
pub(super) fn mentions(expr: &Expr, locals: &[LocalId]) -> bool {
    let is_one = |it: &Expr| it.as_local().is_some_and(|it| locals.contains(&it));
    let mut found = is_one(expr);
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(it) = node {
            found |= is_one(it);
        }
    });
    found
}

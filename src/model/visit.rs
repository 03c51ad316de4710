//! Walking over expressions and statements.

use super::{
    Alt, AltKind, Binder, Expr, ExprKind, Holder, Holding, LocalId, Move, Order, Over, Picker,
    Place, Stmt, StmtKind, What,
};

/// What a walk meets.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A statement.
    Stmt(&'a Stmt),
    /// A local that is bound here.
    Binds(LocalId),
}

/// What a changing walk meets.
#[derive(Debug)]
pub enum NodeMut<'a> {
    /// An expression.
    Expr(&'a mut Expr),
    /// A statement.
    Stmt(&'a mut Stmt),
    /// A local that is bound here.
    Binds(&'a mut LocalId),
}

macro_rules! walker {
    ($node:ident, $local:ident $(, $m:tt)?) => {
/// Calls `f` with the direct parts of an expression, in the order of evaluation.
pub fn parts_of_expr<'a>(expr: &'a $($m)? Expr, f: &mut dyn FnMut($node<'a>)) {
    match &$($m)? expr.kind {
        ExprKind::Value(_)
        | ExprKind::Setting(_)
        | ExprKind::All(_)
        | ExprKind::Local(_)
        | ExprKind::Frontier(_)
        | ExprKind::Laid(_)
        | ExprKind::Repeated => {}
        ExprKind::SetOf(items)
        | ExprKind::Track(_, items)
        | ExprKind::Table(_, items)
        | ExprKind::Make(_, items)
        | ExprKind::Call(_, items) => exprs(items, f),
        ExprKind::Component(place)
        | ExprKind::PlaceField(place, _)
        | ExprKind::Top(place)
        | ExprKind::Count(place)
        | ExprKind::Kinds(place)
        | ExprKind::Filled(place) => of_place(place, f),
        ExprKind::CountOf(place, value) | ExprKind::Nth(place, value) => {
            of_place(place, f);
            f($node::Expr(value));
        }
        ExprKind::Field(base, _)
        | ExprKind::Unary(_, base)
        | ExprKind::Near(_, base)
        | ExprKind::PartsAt(_, base)
        | ExprKind::Touching(base)
        | ExprKind::Loose(base) => f($node::Expr(base)),
        ExprKind::Binary(_, left, right)
        | ExprKind::OrElse(left, right)
        | ExprKind::PartAtPort(left, right) => {
            f($node::Expr(left));
            f($node::Expr(right));
        }
        ExprKind::If(cond, then, other) => {
            f($node::Expr(cond));
            f($node::Expr(then));
            f($node::Expr(other));
        }
        ExprKind::Match(subject, arms, other) => {
            f($node::Expr(subject));
            for (_, arm) in arms {
                f($node::Expr(arm));
            }
            if let Some(other) = other {
                f($node::Expr(other));
            }
        }
        ExprKind::Aggregate(aggregate) => {
            of_binders(&$($m)? aggregate.binders, f);
            if let Some(value) = &$($m)? aggregate.value {
                f($node::Expr(value));
            }
            if let Some(default) = &$($m)? aggregate.default {
                f($node::Expr(default));
            }
        }
        ExprKind::Reach {
            start: first,
            var,
            step,
        }
        | ExprKind::Groups {
            over: first,
            var,
            step,
        } => {
            f($node::Expr(first));
            f($node::Binds($local(var)));
            f($node::Expr(step));
        }
        ExprKind::Walk {
            way,
            from,
            var,
            cond,
        } => {
            f($node::Expr(way));
            f($node::Expr(from));
            f($node::Binds($local(var)));
            f($node::Expr(cond));
        }
        ExprKind::Let(local, value, body) => {
            f($node::Expr(value));
            f($node::Binds($local(local)));
            f($node::Expr(body));
        }
        ExprKind::After(body, value) => {
            stmts(body, f);
            f($node::Expr(value));
        }
        ExprKind::Can(who, alts) => {
            f($node::Expr(who));
            of_alts(alts, f);
        }
        ExprKind::Step { cell, way, count } => {
            f($node::Expr(cell));
            f($node::Expr(way));
            f($node::Expr(count));
        }
    }
}

/// Calls `f` with the direct parts of a statement, in the order of execution.
pub fn parts_of_stmt<'a>(stmt: &'a $($m)? Stmt, f: &mut dyn FnMut($node<'a>)) {
    match &$($m)? stmt.kind {
        StmtKind::Let(local, value) => {
            f($node::Expr(value));
            f($node::Binds($local(local)));
        }
        StmtKind::SetLocal(_, _, value) | StmtKind::Winner(value) => f($node::Expr(value)),
        StmtKind::SetTrack(_, index, _, value) => {
            exprs(index, f);
            f($node::Expr(value));
        }
        StmtKind::SetField(place, _, _, value) => {
            of_place(place, f);
            f($node::Expr(value));
        }
        StmtKind::If(cond, then, other) => {
            f($node::Expr(cond));
            stmts(then, f);
            stmts(other, f);
        }
        StmtKind::Match(subject, arms, other) => {
            f($node::Expr(subject));
            for (_, arm) in arms {
                stmts(arm, f);
            }
            if let Some(other) = other {
                stmts(other, f);
            }
        }
        StmtKind::ForEach(binders, body) => {
            of_binders(binders, f);
            stmts(body, f);
        }
        StmtKind::Together(it) => {
            of_binder(&$($m)? it.seats, f);
            stmts(&$($m)? it.choice, f);
        }
        StmtKind::While(cond, body) | StmtKind::Times(cond, body) => {
            f($node::Expr(cond));
            stmts(body, f);
        }
        StmtKind::Repeat(body, until) => {
            stmts(body, f);
            if let Some(until) = until {
                f($node::Expr(until));
            }
        }
        StmtKind::Step(_, body) => stmts(body, f),
        StmtKind::Choose(choose) => {
            f($node::Expr(&$($m)? choose.who));
            of_alts(&$($m)? choose.alts, f);
            if let Some(otherwise) = &$($m)? choose.otherwise {
                stmts(otherwise, f);
            }
        }
        StmtKind::Pick(pick) => {
            match &$($m)? pick.who {
                Picker::Seat(who) => {
                    f($node::Expr(who));
                    parts_of_over(&$($m)? pick.over, f);
                    f($node::Binds($local(&$($m)? pick.local)));
                }
                Picker::Chance(weight, _) => {
                    parts_of_over(&$($m)? pick.over, f);
                    f($node::Binds($local(&$($m)? pick.local)));
                    if let Some(weight) = weight {
                        f($node::Expr(weight));
                    }
                }
            }
            if let Some(otherwise) = &$($m)? pick.otherwise {
                stmts(otherwise, f);
            }
        }
        StmtKind::Window(window) => {
            f($node::Expr(&$($m)? window.who));
            for slot in &$($m)? window.slots {
                of_alts(&$($m)? slot.alts, f);
            }
        }
        StmtKind::Turns(turns) => {
            f($node::Expr(&$($m)? turns.from));
            f($node::Binds($local(&$($m)? turns.me)));
            if let Some(guard) = &$($m)? turns.guard {
                f($node::Expr(guard));
            }
            stmts(&$($m)? turns.body, f);
        }
        StmtKind::Move(moved) => of_move(moved, f),
        StmtKind::Exchange(one, other) => {
            of_holder(one, f);
            of_holder(other, f);
        }
        StmtKind::Shuffle(place) => of_place(place, f),
        StmtKind::Show(place, who) => {
            of_place(place, f);
            if let Some(who) = who {
                f($node::Expr(who));
            }
        }
        StmtKind::Call(_, args) | StmtKind::End(_, args) | StmtKind::Tell(_, args) => {
            exprs(args, f);
        }
        StmtKind::CallInto(local, _, args) => {
            exprs(args, f);
            f($node::Binds($local(local)));
        }
        StmtKind::Return(value) => {
            if let Some(value) = value {
                f($node::Expr(value));
            }
        }
        StmtKind::Next | StmtKind::Again => {}
        StmtKind::Ranking(it, keys) => {
            f($node::Binds($local(it)));
            exprs(keys, f);
        }
    }
}

fn exprs<'a>(items: &'a $($m)? [Expr], f: &mut dyn FnMut($node<'a>)) {
    for item in items {
        f($node::Expr(item));
    }
}

fn stmts<'a>(items: &'a $($m)? [Stmt], f: &mut dyn FnMut($node<'a>)) {
    for item in items {
        f($node::Stmt(item));
    }
}

fn of_place<'a>(place: &'a $($m)? Place, f: &mut dyn FnMut($node<'a>)) {
    exprs(&$($m)? place.index, f);
}

/// Calls `f` with what a variable ranges over.
pub fn parts_of_over<'a>(over: &'a $($m)? Over, f: &mut dyn FnMut($node<'a>)) {
    match over {
        Over::Set(set) => f($node::Expr(set)),
        Over::Zone(place) => of_place(place, f),
        Over::Span(from, to) => {
            f($node::Expr(from));
            f($node::Expr(to));
        }
    }
}

fn of_binders<'a>(binders: &'a $($m)? [Binder], f: &mut dyn FnMut($node<'a>)) {
    for binder in binders {
        of_binder(binder, f);
    }
}

fn of_binder<'a>(binder: &'a $($m)? Binder, f: &mut dyn FnMut($node<'a>)) {
    parts_of_over(&$($m)? binder.over, f);
    if let Order::From(seat) = &$($m)? binder.order {
        f($node::Expr(seat));
    }
    f($node::Binds($local(&$($m)? binder.local)));
    if let Some(guard) = &$($m)? binder.guard {
        f($node::Expr(guard));
    }
}

fn of_alts<'a>(alts: &'a $($m)? [Alt], f: &mut dyn FnMut($node<'a>)) {
    for alt in alts {
        if let Some(offered) = &$($m)? alt.offered {
            f($node::Expr(&$($m)? offered.cond));
        }
        if let AltKind::Action(_, args) = &$($m)? alt.kind {
            for arg in args {
                if let Some(arg) = arg {
                    f($node::Expr(arg));
                }
            }
        }
        exprs(&$($m)? alt.among, f);
        stmts(&$($m)? alt.then, f);
    }
}

fn of_holder<'a>(holder: &'a $($m)? Holder, f: &mut dyn FnMut($node<'a>)) {
    match holder {
        Holder::At(place) | Holder::All(place) => of_place(place, f),
        Holder::Copy(value, place) => {
            f($node::Expr(value));
            of_place(place, f);
        }
    }
}

fn of_move<'a>(moved: &'a $($m)? Move, f: &mut dyn FnMut($node<'a>)) {
    match &$($m)? moved.what {
        What::At(place) | What::All(place) | What::Top(place, _) => of_place(place, f),
        What::Nth(place, at, _) => {
            of_place(place, f);
            f($node::Expr(at));
        }
        What::Copies(count, value, holding) => {
            if let Some(count) = count {
                f($node::Expr(count));
            }
            f($node::Expr(value));
            if let Holding::Place(place) = holding {
                of_place(place, f);
            }
        }
        What::Draw(count, place, _) => {
            if let Some(count) = count {
                f($node::Expr(count));
            }
            of_place(place, f);
        }
    }
    of_place(&$($m)? moved.to, f);
    for (_, value) in &$($m)? moved.with {
        f($node::Expr(value));
    }
}
    };
}

/// Reading.
mod shared {
    use super::*;
    fn bound(local: &LocalId) -> LocalId {
        *local
    }
    walker!(Node, bound);
}

/// Changing.
pub mod change {
    use super::*;
    fn bound(local: &mut LocalId) -> &mut LocalId {
        local
    }
    walker!(NodeMut, bound, mut);
}

pub use shared::{parts_of_expr, parts_of_stmt};

/// Calls `f` with every node below an expression, parents first.
pub fn each_in_expr<'a>(expr: &'a Expr, f: &mut dyn FnMut(Node<'a>)) {
    parts_of_expr(expr, &mut |node| descend(node, f));
}

/// Calls `f` with every node below a block, parents first.
pub fn each_in_block<'a>(block: &'a [Stmt], f: &mut dyn FnMut(Node<'a>)) {
    for stmt in block {
        descend(Node::Stmt(stmt), f);
    }
}

/// The locals that an expression names, each as often as it does, itself among them.
#[must_use]
pub fn locals_of(expr: &Expr) -> Vec<LocalId> {
    let mut found = Vec::new();
    let mut note = |node: Node<'_>| {
        if let Node::Expr(Expr {
            kind: ExprKind::Local(local),
            ..
        }) = node
        {
            found.push(*local);
        }
    };
    note(Node::Expr(expr));
    each_in_expr(expr, &mut note);
    found
}

/// Calls `f` with every statement of a block and those inside them, not those in hypotheses.
pub fn each_statement<'a>(block: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    for stmt in block {
        f(stmt);
        parts_of_stmt(stmt, &mut |node| {
            if let Node::Stmt(inner) = node {
                each_statement(std::slice::from_ref(inner), f);
            }
        });
    }
}

fn descend<'a>(node: Node<'a>, f: &mut dyn FnMut(Node<'a>)) {
    f(node);
    match node {
        Node::Expr(expr) => parts_of_expr(expr, &mut |below| descend(below, f)),
        Node::Stmt(stmt) => parts_of_stmt(stmt, &mut |below| descend(below, f)),
        Node::Binds(_) => {}
    }
}

/// Calls `f` with the blocks directly inside a statement.
pub fn blocks_of<'g>(stmt: &'g Stmt, f: &mut dyn FnMut(&'g [Stmt])) {
    let of_alts = |alts: &'g [Alt], f: &mut dyn FnMut(&'g [Stmt])| {
        alts.iter().for_each(|alt| f(&alt.then));
    };
    match &stmt.kind {
        StmtKind::If(_, then, other) => {
            f(then);
            f(other);
        }
        StmtKind::Match(_, arms, other) => {
            arms.iter().for_each(|(_, arm)| f(arm));
            f(other.as_deref().unwrap_or_default());
        }
        StmtKind::ForEach(_, body)
        | StmtKind::While(_, body)
        | StmtKind::Times(_, body)
        | StmtKind::Repeat(body, _)
        | StmtKind::Step(_, body) => f(body),
        StmtKind::Turns(turns) => f(&turns.body),
        StmtKind::Together(it) => f(&it.choice),
        StmtKind::Choose(choose) => {
            of_alts(&choose.alts, f);
            f(choose.otherwise.as_deref().unwrap_or_default());
        }
        StmtKind::Pick(pick) => f(pick.otherwise.as_deref().unwrap_or_default()),
        StmtKind::Window(window) => window.slots.iter().for_each(|it| of_alts(&it.alts, f)),
        _ => {}
    }
}

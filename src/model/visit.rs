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

/// Calls `f` with the direct parts of an expression, in the order of evaluation.
pub fn parts_of_expr<'a>(expr: &'a Expr, f: &mut dyn FnMut(Node<'a>)) {
    match &expr.kind {
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
        ExprKind::CountOf(place, value) => {
            of_place(place, f);
            f(Node::Expr(value));
        }
        ExprKind::Field(base, _)
        | ExprKind::Unary(_, base)
        | ExprKind::Near(_, base)
        | ExprKind::PartsAt(_, base) => f(Node::Expr(base)),
        ExprKind::Binary(_, left, right) | ExprKind::OrElse(left, right) => {
            f(Node::Expr(left));
            f(Node::Expr(right));
        }
        ExprKind::If(cond, then, other) => {
            f(Node::Expr(cond));
            f(Node::Expr(then));
            f(Node::Expr(other));
        }
        ExprKind::Match(subject, arms, other) => {
            f(Node::Expr(subject));
            for (_, arm) in arms {
                f(Node::Expr(arm));
            }
            if let Some(other) = other {
                f(Node::Expr(other));
            }
        }
        ExprKind::Aggregate(aggregate) => {
            of_binders(&aggregate.binders, f);
            if let Some(value) = &aggregate.value {
                f(Node::Expr(value));
            }
            if let Some(default) = &aggregate.default {
                f(Node::Expr(default));
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
            f(Node::Expr(first));
            f(Node::Binds(*var));
            f(Node::Expr(step));
        }
        ExprKind::Walk {
            way,
            from,
            var,
            cond,
        } => {
            f(Node::Expr(way));
            f(Node::Expr(from));
            f(Node::Binds(*var));
            f(Node::Expr(cond));
        }
        ExprKind::Let(local, value, body) => {
            f(Node::Expr(value));
            f(Node::Binds(*local));
            f(Node::Expr(body));
        }
        ExprKind::After(body, value) => {
            stmts(body, f);
            f(Node::Expr(value));
        }
        ExprKind::Can(who, alts) => {
            f(Node::Expr(who));
            of_alts(alts, f);
        }
        ExprKind::Step { cell, way, count } => {
            f(Node::Expr(cell));
            f(Node::Expr(way));
            f(Node::Expr(count));
        }
    }
}

/// Calls `f` with the direct parts of a statement, in the order of execution.
pub fn parts_of_stmt<'a>(stmt: &'a Stmt, f: &mut dyn FnMut(Node<'a>)) {
    match &stmt.kind {
        StmtKind::Let(local, value) => {
            f(Node::Expr(value));
            f(Node::Binds(*local));
        }
        StmtKind::SetLocal(_, _, value) | StmtKind::Winner(value) => f(Node::Expr(value)),
        StmtKind::SetTrack(_, index, _, value) => {
            exprs(index, f);
            f(Node::Expr(value));
        }
        StmtKind::SetField(place, _, _, value) => {
            of_place(place, f);
            f(Node::Expr(value));
        }
        StmtKind::If(cond, then, other) => {
            f(Node::Expr(cond));
            stmts(then, f);
            stmts(other, f);
        }
        StmtKind::Match(subject, arms, other) => {
            f(Node::Expr(subject));
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
        StmtKind::While(cond, body) | StmtKind::Times(cond, body) => {
            f(Node::Expr(cond));
            stmts(body, f);
        }
        StmtKind::Repeat(body, until) => {
            stmts(body, f);
            if let Some(until) = until {
                f(Node::Expr(until));
            }
        }
        StmtKind::Step(_, body) => stmts(body, f),
        StmtKind::Choose(choose) => {
            f(Node::Expr(&choose.who));
            of_alts(&choose.alts, f);
            if let Some(otherwise) = &choose.otherwise {
                stmts(otherwise, f);
            }
        }
        StmtKind::Pick(pick) => {
            if let Picker::Seat(who) = &pick.who {
                f(Node::Expr(who));
            }
            of_over(&pick.over, f);
            f(Node::Binds(pick.local));
            if let Picker::Chance(Some(weight), _) = &pick.who {
                f(Node::Expr(weight));
            }
            if let Some(otherwise) = &pick.otherwise {
                stmts(otherwise, f);
            }
        }
        StmtKind::Window(window) => {
            f(Node::Expr(&window.who));
            for slot in &window.slots {
                of_alts(&slot.alts, f);
            }
        }
        StmtKind::Turns(turns) => {
            f(Node::Expr(&turns.from));
            f(Node::Binds(turns.me));
            if let Some(guard) = &turns.guard {
                f(Node::Expr(guard));
            }
            stmts(&turns.body, f);
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
                f(Node::Expr(who));
            }
        }
        StmtKind::Call(_, args) | StmtKind::End(_, args) => exprs(args, f),
        StmtKind::CallInto(local, _, args) => {
            exprs(args, f);
            f(Node::Binds(*local));
        }
        StmtKind::Return(value) => {
            if let Some(value) = value {
                f(Node::Expr(value));
            }
        }
        StmtKind::Next | StmtKind::Again => {}
        StmtKind::Ranking(it, keys) => {
            f(Node::Binds(*it));
            exprs(keys, f);
        }
    }
}

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

fn descend<'a>(node: Node<'a>, f: &mut dyn FnMut(Node<'a>)) {
    f(node);
    match node {
        Node::Expr(expr) => parts_of_expr(expr, &mut |below| descend(below, f)),
        Node::Stmt(stmt) => parts_of_stmt(stmt, &mut |below| descend(below, f)),
        Node::Binds(_) => {}
    }
}

fn exprs<'a>(items: &'a [Expr], f: &mut dyn FnMut(Node<'a>)) {
    for item in items {
        f(Node::Expr(item));
    }
}

fn stmts<'a>(items: &'a [Stmt], f: &mut dyn FnMut(Node<'a>)) {
    for item in items {
        f(Node::Stmt(item));
    }
}

fn of_place<'a>(place: &'a Place, f: &mut dyn FnMut(Node<'a>)) {
    exprs(&place.index, f);
}

fn of_over<'a>(over: &'a Over, f: &mut dyn FnMut(Node<'a>)) {
    match over {
        Over::Set(set) => f(Node::Expr(set)),
        Over::Zone(place) => of_place(place, f),
        Over::Span(from, to) => {
            f(Node::Expr(from));
            f(Node::Expr(to));
        }
    }
}

fn of_binders<'a>(binders: &'a [Binder], f: &mut dyn FnMut(Node<'a>)) {
    for binder in binders {
        of_over(&binder.over, f);
        if let Order::From(seat) = &binder.order {
            f(Node::Expr(seat));
        }
        f(Node::Binds(binder.local));
        if let Some(guard) = &binder.guard {
            f(Node::Expr(guard));
        }
    }
}

fn of_alts<'a>(alts: &'a [Alt], f: &mut dyn FnMut(Node<'a>)) {
    for alt in alts {
        match &alt.kind {
            AltKind::Action(_, args) => {
                for arg in args.iter().flatten() {
                    f(Node::Expr(arg));
                }
            }
            AltKind::Inline { body, .. } => stmts(body, f),
        }
    }
}

fn of_holder<'a>(holder: &'a Holder, f: &mut dyn FnMut(Node<'a>)) {
    match holder {
        Holder::At(place) => of_place(place, f),
        Holder::Copy(value, place) => {
            f(Node::Expr(value));
            of_place(place, f);
        }
    }
}

fn of_move<'a>(moved: &'a Move, f: &mut dyn FnMut(Node<'a>)) {
    match &moved.what {
        What::At(place) | What::All(place) | What::Top(place, _) => of_place(place, f),
        What::Copies(count, value, holding) => {
            if let Some(count) = count {
                f(Node::Expr(count));
            }
            f(Node::Expr(value));
            if let Holding::Place(place) = holding {
                of_place(place, f);
            }
        }
        What::Draw(count, place, _) => {
            if let Some(count) = count {
                f(Node::Expr(count));
            }
            of_place(place, f);
        }
    }
    of_place(&moved.to, f);
    for (_, value) in &moved.with {
        f(Node::Expr(value));
    }
}

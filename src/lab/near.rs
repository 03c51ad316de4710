//! How near a position comes to one in which a clause that differs decides something.

use std::collections::HashMap;

use crate::engine::{Machine, Program, Query, write_expr};
use crate::model::{
    Action, Aggregate, AggregateOp, Base, BinaryOp, Binder, Expr, ExprKind, Game, LocalId, Node,
    Order, Over, Proc, Require, StmtKind, Type, UnaryOp, each_in_block, each_in_expr,
};

/// It is so.
const SO: i64 = 1_000;
/// As near as it can be without being so.
const NEARLY: i64 = 900;
/// Definitions are followed so far.
const MOST_CALLS: u32 = 4;
/// What is greater than that many expressions is not followed.
const MOST_PARTS: usize = 4_000;
/// Values that the names of an event are tried with.
const MOST_VALUES: u64 = 4_096;

const NUMBER: Type = Type::of(Base::Int(-1_000_000_000, 1_000_000_000));

/// What a game is led to: the clauses of either side that the other one does not have.
#[derive(Debug)]
pub(super) struct Goals(Vec<(usize, Query)>);

impl Goals {
    /// Those of two rule sets. What is no guard and no condition leads nowhere.
    pub(super) fn of(programs: [&Program; 2]) -> Goals {
        let mut goals = Vec::new();
        for side in 0..2 {
            let (own, other) = (programs[side], programs[1 - side]);
            let ready = |expr: &Expr| Query::new(own, [expr]).ok();
            let exprs = guards(&own.game, &other.game).chain(conditions(&own.game, &other.game));
            let exprs: Vec<Expr> = exprs.collect();
            goals.extend(exprs.iter().filter_map(ready).map(|it| (side, it)));
        }
        Goals(goals)
    }

    /// Whether there is nothing to be led to.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether some of them belong to a side.
    pub(super) fn asks(&self, side: usize) -> bool {
        self.0.iter().any(|it| it.0 == side)
    }

    /// How near the position of a side is to the nearest of its goals.
    pub(super) fn nearness(&self, side: usize, machine: &mut Machine<'_>) -> i64 {
        let own = self.0.iter().filter(|it| it.0 == side);
        let near =
            own.filter_map(|(_, query)| machine.ask(query).ok()?.first().map(|it| it.scalar()));
        near.max().unwrap_or(0)
    }
}

/// By clause of the guards that are not in both: whether some instance of the action comes near to being refused by it, or
/// permitted.
fn guards(own: &Game, other: &Game) -> impl Iterator<Item = Expr> {
    let said = |game: &Game| -> HashMap<String, String> {
        let all = game.actions.iter().flat_map(|action| {
            let requires = action.requires.iter();
            requires.map(|it| (path(game, it), write_expr(game, &it.cond)))
        });
        all.collect()
    };
    let others = said(other);
    let differs = move |game: &Game, it: &Require| {
        others.get(&path(game, it)) != Some(&write_expr(game, &it.cond))
    };
    let mut found = Vec::new();
    for action in &own.actions {
        for (at, require) in action.requires.iter().enumerate() {
            if differs(own, require) {
                found.extend(instances(own, action, at, require));
            }
        }
    }
    found.into_iter()
}

fn path(game: &Game, require: &Require) -> String {
    let clause = game.clauses.get(require.clause.index());
    clause.map_or_else(String::new, |it| it.path.clone())
}

/// The best instance of an action of which the requirements before a clause allow all.
fn instances(game: &Game, action: &Action, at: usize, require: &Require) -> Option<Expr> {
    let near = match (require.lifts.last(), &require.bare) {
        // What is lifted is to be refused otherwise.
        (Some(lift), Some(bare)) => {
            let mut nearness = Nearness {
                game,
                left: MOST_PARTS,
            };
            let lifted = nearness.of(&lift.cond, true, 0);
            choice(bare.clone(), half(nearness.of(bare, false, 0)), lifted)
        }
        _ => Nearness {
            game,
            left: MOST_PARTS,
        }
        .of(&require.cond, false, 0),
    };
    let seats = Type::of(Base::Set(game.seat));
    let all = made(ExprKind::All(game.seat), seats, &near);
    let mut binders = vec![bound(action.me, Over::Set(all))];
    binders.extend(
        action
            .params
            .iter()
            .map(|it| bound(it.local, it.over.clone())),
    );
    let before = action.requires.get(..at)?.iter().map(|it| it.cond.clone());
    if let Some(last) = binders.last_mut() {
        last.guard = before.reduce(|all, one| {
            let both = ExprKind::binary(BinaryOp::And, all, one.clone());
            made(both, Type::BOOL, &one)
        });
    }
    Some(greatest(binders, near))
}

/// By condition of an event or flow that only one side has: how near it is to being true, for the best values of the names
/// that it reads.
fn conditions(own: &Game, other: &Game) -> impl Iterator<Item = Expr> {
    let known = |game: &Game| -> HashMap<(String, String), usize> {
        let mut known = HashMap::new();
        for proc in &game.procs {
            each_condition(proc, &mut |it| {
                let said = (proc.name.clone(), write_expr(game, it));
                *known.entry(said).or_default() += 1;
            });
        }
        known
    };
    let mut others = known(other);
    let mut found = Vec::new();
    for proc in &own.procs {
        each_condition(proc, &mut |it| {
            let said = (proc.name.clone(), write_expr(own, it));
            match others.get_mut(&said) {
                Some(left) if *left > 0 => *left -= 1,
                _ => found.extend(for_some_values(own, it)),
            }
        });
    }
    found.into_iter()
}

fn each_condition(proc: &Proc, each: &mut dyn FnMut(&Expr)) {
    each_in_block(&proc.body, &mut |node| {
        if let Node::Stmt(stmt) = node
            && let StmtKind::If(condition, ..) = &stmt.kind
        {
            each(condition);
        }
    });
}

fn for_some_values(game: &Game, condition: &Expr) -> Option<Expr> {
    let (mut read, mut own) = (Vec::new(), Vec::new());
    let mut look = |node: Node<'_>| match node {
        Node::Expr(it) => {
            if let ExprKind::Local(id) = it.kind
                && !read.contains(&id)
            {
                read.push(id);
            }
        }
        Node::Binds(id) => own.push(id),
        Node::Stmt(_) => {}
    };
    look(Node::Expr(condition));
    each_in_expr(condition, &mut look);
    read.retain(|it| !own.contains(it));
    let near = Nearness {
        game,
        left: MOST_PARTS,
    }
    .of(condition, true, 0);
    if read.is_empty() {
        return Some(near);
    }
    let mut values = 1_u64;
    let mut binders = Vec::new();
    for id in read {
        let ty = game.locals.get(id.index())?.ty;
        let (over, count) = match ty.base {
            _ if ty.optional => return None,
            Base::Elem(domain) => {
                let all = made(ExprKind::All(domain), Type::of(Base::Set(domain)), &near);
                (Over::Set(all), game.domains.get(domain.index())?.size)
            }
            Base::Int(low, high) => {
                let count = high.checked_sub(low)?.checked_add(1)?;
                let end = |value| {
                    made(
                        ExprKind::Value(value),
                        Type::of(Base::Int(value, value)),
                        &near,
                    )
                };
                (Over::Span(end(low), end(high)), u64::try_from(count).ok()?)
            }
            _ => return None,
        };
        values = values.checked_mul(count).filter(|it| *it <= MOST_VALUES)?;
        binders.push(bound(id, over));
    }
    Some(greatest(binders, near))
}

/// Writes how near something is to being so as an expression.
struct Nearness<'g> {
    game: &'g Game,
    left: usize,
}

impl Nearness<'_> {
    /// From 0 to [`SO`], which is said where it is so, or is not so if that is wanted.
    fn of(&mut self, it: &Expr, so: bool, calls: u32) -> Expr {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return plain(it, so);
        }
        match &it.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.of(inner, !so, calls),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                self.both(*op == BinaryOp::And, [a, b], so, calls)
            }
            ExprKind::Binary(op, a, b) if compares(*op) && is_number(a) && is_number(b) => {
                if *op == BinaryOp::Eq && !so || *op == BinaryOp::Ne && so {
                    return plain(it, so);
                }
                let apart = made(
                    ExprKind::Binary(BinaryOp::Sub, a.clone(), b.clone()),
                    NUMBER,
                    it,
                );
                let apart = made(ExprKind::unary(UnaryOp::Abs, apart), NUMBER, it);
                self.unless(it, so, apart)
            }
            ExprKind::Aggregate(aggregate) => self.members(it, aggregate, so, calls),
            ExprKind::If(condition, a, b) => {
                let (a, b) = (self.of(a, so, calls), self.of(b, so, calls));
                choice((**condition).clone(), a, b)
            }
            ExprKind::Let(local, value, body) => {
                let body = self.of(body, so, calls);
                made(
                    ExprKind::Let(*local, value.clone(), Box::new(body)),
                    NUMBER,
                    it,
                )
            }
            ExprKind::Call(id, args) if calls < MOST_CALLS => {
                let define = self.game.defines.get(id.index());
                let Some(define) =
                    define.filter(|it| it.depth == 0 && it.params.len() == args.len())
                else {
                    return plain(it, so);
                };
                let body = self.of(&define.body, so, calls + 1);
                // The arguments read names of outside, which those of the definition are not.
                define
                    .params
                    .iter()
                    .zip(args)
                    .rev()
                    .fold(body, |body, (param, arg)| {
                        let bound = ExprKind::Let(*param, Box::new(arg.clone()), Box::new(body));
                        made(bound, NUMBER, it)
                    })
            }
            _ => plain(it, so),
        }
    }

    /// What stands second is asked only where the first one leaves it open: it may be a fault else.
    fn both(&mut self, is_and: bool, [a, b]: [&Expr; 2], so: bool, calls: u32) -> Expr {
        let (first, second) = (self.of(a, so, calls), self.of(b, so, calls));
        if is_and == so && is_harmless(b) {
            return half(sum(first, second));
        }
        // Of `and` both must be so, of `or` one; the other way round where it must not be so.
        match (is_and, so) {
            (true, true) => choice(a.clone(), sum(number(SO / 2, a), half(second)), half(first)),
            (false, false) => choice(a.clone(), half(first), sum(number(SO / 2, a), half(second))),
            (true, false) => choice(a.clone(), second, number(SO, a)),
            (false, true) => choice(a.clone(), number(SO, a), second),
        }
    }

    fn members(&mut self, it: &Expr, aggregate: &Aggregate, so: bool, calls: u32) -> Expr {
        let (is_some, each_so) = match aggregate.op {
            AggregateOp::Some => (so, true),
            AggregateOp::No => (!so, true),
            AggregateOp::Every => (!so, false),
            _ => return plain(it, so),
        };
        let mut binders = aggregate.binders.clone();
        let Some(last) = binders.last_mut() else {
            return plain(it, so);
        };
        let value = match &aggregate.value {
            Some(value) if each_so => value.clone(),
            Some(value) => negated(value),
            None if each_so => match last.guard.take() {
                Some(guard) => guard,
                None => return plain(it, so),
            },
            None => return plain(it, so),
        };
        if is_some {
            let near = self.of(&value, true, calls);
            return greatest(binders, near);
        }
        let guard = last.guard.take();
        last.guard = Some(match guard {
            Some(guard) => made(
                ExprKind::binary(BinaryOp::And, guard, value),
                Type::BOOL,
                it,
            ),
            None => value,
        });
        let count = Aggregate {
            op: AggregateOp::Count,
            binders,
            value: None,
            default: None,
        };
        let count = made(ExprKind::Aggregate(Box::new(count)), NUMBER, it);
        self.unless(it, so, count)
    }

    /// The farther from it, the less.
    fn unless(&mut self, it: &Expr, so: bool, apart: Expr) -> Expr {
        let below = sum(number(1, it), apart);
        let part = ExprKind::binary(BinaryOp::Div, number(NEARLY, it), below);
        let (part, whole) = (made(part, NUMBER, it), number(SO, it));
        match so {
            true => choice(it.clone(), whole, part),
            false => choice(it.clone(), part, whole),
        }
    }
}

/// Whether it can be worked out wherever it stands: it reads what is always there.
fn is_harmless(it: &Expr) -> bool {
    let mut harmless = true;
    let mut look = |node: Node<'_>| {
        harmless &= match node {
            Node::Expr(it) => match &it.kind {
                ExprKind::Value(_)
                | ExprKind::Setting(_)
                | ExprKind::Local(_)
                | ExprKind::Track(..)
                | ExprKind::Count(_)
                | ExprKind::Filled(_) => !it.ty.optional,
                ExprKind::Unary(op, _) => *op == UnaryOp::Not,
                ExprKind::Binary(op, ..) => {
                    compares(*op) || matches!(op, BinaryOp::And | BinaryOp::Or)
                }
                _ => false,
            },
            Node::Stmt(_) => false,
            Node::Binds(_) => true,
        };
    };
    look(Node::Expr(it));
    each_in_expr(it, &mut look);
    harmless
}

fn compares(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    )
}

fn is_number(it: &Expr) -> bool {
    matches!(it.ty.base, Base::Int(..)) && !it.ty.optional
}

fn made(kind: ExprKind, ty: Type, like: &Expr) -> Expr {
    Expr {
        kind,
        ty,
        span: like.span,
    }
}

fn number(value: i64, like: &Expr) -> Expr {
    made(
        ExprKind::Value(value),
        Type::of(Base::Int(value, value)),
        like,
    )
}

fn plain(it: &Expr, so: bool) -> Expr {
    let (yes, no) = (number(SO, it), number(0, it));
    match so {
        true => choice(it.clone(), yes, no),
        false => choice(it.clone(), no, yes),
    }
}

fn choice(condition: Expr, then: Expr, other: Expr) -> Expr {
    let like = condition.clone();
    let kind = ExprKind::choice(condition, then, other);
    made(kind, NUMBER, &like)
}

fn sum(a: Expr, b: Expr) -> Expr {
    let like = a.clone();
    made(ExprKind::binary(BinaryOp::Add, a, b), NUMBER, &like)
}

fn half(it: Expr) -> Expr {
    let two = number(2, &it);
    let like = it.clone();
    made(ExprKind::binary(BinaryOp::Div, it, two), NUMBER, &like)
}

fn negated(it: &Expr) -> Expr {
    made(ExprKind::unary(UnaryOp::Not, it.clone()), Type::BOOL, it)
}

fn bound(local: LocalId, over: Over) -> Binder {
    Binder {
        local,
        over,
        order: Order::Ascending,
        guard: None,
    }
}

/// The greatest value; 0 where there is nothing to look at.
fn greatest(binders: Vec<Binder>, value: Expr) -> Expr {
    let like = value.clone();
    let none = number(0, &like);
    let aggregate = Aggregate {
        op: AggregateOp::Max,
        binders,
        value: Some(value),
        default: Some(none),
    };
    made(ExprKind::Aggregate(Box::new(aggregate)), NUMBER, &like)
}

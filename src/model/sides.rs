//! Which seats win and lose together, because all endings judge them by the side that a table puts them on, or name them
//! together.

use std::collections::BTreeSet;

use super::{
    AggregateOp, BinaryOp, DefineId, Expr, ExprKind, Game, LocalId, Node, Over, ProcKind, StmtKind,
    TableId, each_in_block, parts_of_expr, parts_of_stmt,
};

/// Definitions are looked into no deeper than this.
const DEEPEST: usize = 20;
/// Expressions of an ending that are looked into.
const MOST_LOOKED: u32 = 10_000;

/// By seat, the first seat of its side: itself, where the endings tell each seat from the others.
#[must_use]
pub fn sides(game: &Game) -> Vec<usize> {
    let seats = 0..game.n_seats as usize;
    let mut by = BTreeSet::new();
    let mut named = Vec::new();
    let mut is_by_side = true;
    for ending in game.procs.iter().filter(|it| it.kind == ProcKind::Ending) {
        each_in_block(&ending.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            let mut found = Found {
                game,
                by: &mut by,
                named: &mut named,
                within: Vec::new(),
                left: MOST_LOOKED,
            };
            match &stmt.kind {
                StmtKind::Ranking(seat, figures) => {
                    is_by_side &= figures.iter().all(|it| found.is_by_side(it, *seat));
                }
                StmtKind::Winner(one) => is_by_side &= found.are_named(std::slice::from_ref(one)),
                _ => {}
            }
        });
    }
    if !is_by_side || by.is_empty() && named.is_empty() {
        return seats.collect();
    }
    let side = |seat: usize| {
        let tables = by.iter().map(|it| game.tables.get(it.index()));
        let cells = tables.map(|it| it.and_then(|it| it.cell(seat)));
        let is_it = |it: &BTreeSet<i64>| i64::try_from(seat).is_ok_and(|seat| it.contains(&seat));
        let named = named.iter().map(is_it);
        (cells.collect::<Vec<_>>(), named.collect::<Vec<_>>())
    };
    let first = |seat: usize| (0..seat).find(|other| side(*other) == side(seat));
    let found: Vec<usize> = seats.clone().map(|it| first(it).unwrap_or(it)).collect();
    // Who are all on one side are told apart by nothing.
    match found.iter().all(|it| *it == 0) {
        true => seats.collect(),
        false => found,
    }
}

/// By what a seat is judged.
struct Found<'g, 'b> {
    game: &'g Game,
    by: &'b mut BTreeSet<TableId>,
    /// Seats that are named together.
    named: &'b mut Vec<BTreeSet<i64>>,
    /// The definitions that are being looked into.
    within: Vec<DefineId>,
    /// Expressions that may still be looked into.
    left: u32,
}

impl Found<'_, '_> {
    /// Whether an expression asks nothing of a seat but what tables say of it.
    fn is_by_side(&mut self, expr: &Expr, seat: LocalId) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let is_seat = |it: &Expr| matches!(it.kind, ExprKind::Local(it) if it == seat);
        match &expr.kind {
            ExprKind::Local(it) => *it != seat,
            ExprKind::Table(table, at) if at.len() == 1 && at.iter().all(is_seat) => {
                self.by.insert(*table);
                true
            }
            ExprKind::Call(define, args) => {
                let of = self.game.defines.get(define.index());
                let is_known = !self.within.contains(define) && self.within.len() < DEEPEST;
                let Some(of) = of.filter(|_| is_known) else {
                    return args.iter().all(|it| self.is_by_side(it, seat));
                };
                self.within.push(*define);
                let args = of.params.iter().zip(args);
                let found = args.fold(true, |found, (param, arg)| {
                    let here = match is_seat(arg) {
                        true => self.is_by_side(&of.body, *param),
                        false => self.is_by_side(arg, seat),
                    };
                    found && here
                });
                self.within.pop();
                found
            }
            // Whether it is one of those of whom something holds: that must hold of a side.
            ExprKind::Binary(BinaryOp::In, one, all) if is_seat(one) => {
                let all = written_out(self.game, all);
                if let ExprKind::SetOf(some) = &all.kind {
                    return self.are_named(some);
                }
                let ExprKind::Aggregate(those) = &all.kind else {
                    return matches!(all.kind, ExprKind::All(_));
                };
                let [binder] = those.binders.as_slice() else {
                    return false;
                };
                let is_plain = those.op == AggregateOp::Collect && those.value.is_none();
                let is_any =
                    matches!(&binder.over, Over::Set(it) if matches!(it.kind, ExprKind::All(_)));
                let guard = binder.guard.as_ref();
                is_plain
                    && is_any
                    && guard.is_none_or(|it| {
                        self.is_by_side(it, binder.local) && self.is_by_side(it, seat)
                    })
            }
            _ => {
                let mut found = true;
                parts_of_expr(expr, &mut |part| found &= self.part_is_by_side(part, seat));
                found
            }
        }
    }

    /// Whether seats are named one by one, which puts them on one side.
    fn are_named(&mut self, seats: &[Expr]) -> bool {
        let named = seats
            .iter()
            .map(|it| match written_out(self.game, it).kind {
                ExprKind::Value(seat) => Some(seat),
                _ => None,
            });
        let Some(named) = named.collect() else {
            return false;
        };
        self.named.push(named);
        true
    }

    fn part_is_by_side(&mut self, part: Node<'_>, seat: LocalId) -> bool {
        match part {
            Node::Expr(it) => self.is_by_side(it, seat),
            Node::Stmt(it) => {
                let mut found = true;
                parts_of_stmt(it, &mut |part| found &= self.part_is_by_side(part, seat));
                found
            }
            Node::Binds(_) => true,
        }
    }
}

/// What a definition stands for that is given nothing.
fn written_out<'e>(game: &'e Game, mut expr: &'e Expr) -> &'e Expr {
    for _ in 0..DEEPEST {
        let ExprKind::Call(define, args) = &expr.kind else {
            break;
        };
        match game.defines.get(define.index()) {
            Some(of) if args.is_empty() => expr = &of.body,
            _ => break,
        }
    }
    expr
}

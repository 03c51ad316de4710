//! What somebody who thinks ahead asks a machine for: how well each seat stands in a running position, and what a game
//! has come to.

use super::fault::Fault;
use super::machine::Machine;
use super::op::word;
use super::program::Program;
use super::query::{Query, Value};
use super::vm::{Bench, peek};
use crate::model::{Expr, ExprKind, Game, LocalId, Node, StmtKind, each_in_block, each_in_expr};

/// How well each seat stands in any position: what the rulebook measures of each seat, or else the first figure of
/// a ranking that follows from the position alone.
#[derive(Debug)]
pub struct Gauge {
    query: Query,
    /// Whether a seat is given, and its value asked for by itself.
    by_seat: bool,
    /// What the rulebook calls it, where it measures it.
    pub name: Option<String>,
}

/// What a gauge is read with, kept from reading to reading.
#[derive(Debug, Default)]
pub struct Scale {
    bench: Bench,
}

impl Gauge {
    /// That of a program; none where only the end says who is better.
    #[must_use]
    pub fn of(program: &Program) -> Option<Gauge> {
        let game = &*program.game;
        let measures = game.measures.iter();
        let mut measures = measures.skip_while(|it| it.seat.is_none()).peekable();
        if let Some(first) = measures.peek() {
            let name = first.name.split('(').next().map(str::to_owned);
            let values = measures.take(game.n_seats as usize).map(|it| &it.value);
            return Some(Gauge {
                query: Query::new(program, values).ok()?,
                by_seat: false,
                name,
            });
        }
        let (it, key) = first_figure(game)?;
        Some(Gauge {
            query: Query::with_inputs(program, &[it], &[key], program.tier).ok()?,
            by_seat: true,
            name: None,
        })
    }
}

/// The first figure of a ranking that asks for nothing but the seat and the position, with the name by which it calls the seat.
#[must_use]
pub fn first_figure(game: &Game) -> Option<(LocalId, &Expr)> {
    let mut found = None;
    for ending in &game.procs {
        each_in_block(&ending.body, &mut |node| {
            if let Node::Stmt(stmt) = node
                && let StmtKind::Ranking(it, keys) = &stmt.kind
                && let Some(key) = keys.first()
                && found.is_none()
                && is_of_position(key, *it)
            {
                found = Some((*it, key));
            }
        });
    }
    found
}

fn is_of_position(key: &Expr, seat: LocalId) -> bool {
    let (mut bound, mut read) = (vec![seat], Vec::new());
    let mut is_pure = !matches!(key.kind, ExprKind::If(..));
    let mut look = |node: Node<'_>| match node {
        Node::Binds(local) => bound.push(local),
        Node::Expr(expr) => match &expr.kind {
            ExprKind::Local(local) => read.push(*local),
            ExprKind::Top(_) | ExprKind::Nth(..) | ExprKind::Repeated => is_pure = false,
            _ => {}
        },
        Node::Stmt(_) => {}
    };
    look(Node::Expr(key));
    each_in_expr(key, &mut look);
    is_pure && read.iter().all(|it| bound.contains(it))
}

impl Machine<'_> {
    /// How well each seat stands, in their order.
    ///
    /// # Errors
    /// A fault of the expression; the position is unchanged.
    pub fn gauge(
        &mut self,
        gauge: &Gauge,
        scale: &mut Scale,
        values: &mut Vec<i64>,
    ) -> Result<(), Fault> {
        values.clear();
        if !gauge.by_seat {
            let read = self.notes(&gauge.query, super::query::ALL, &[], &mut scale.bench)?;
            values.extend(read.iter().map(Value::scalar));
            return Ok(());
        }
        for seat in 0..self.program.game.n_seats {
            let read = self.probe_on(&gauge.query, 0, &[i64::from(seat)], &mut scale.bench)?;
            values.push(read.scalar());
        }
        Ok(())
    }

    /// The figures that a seat was ranked by, most important first, once the game has ended.
    #[must_use]
    pub fn figures(&self, seat: u32) -> Option<impl Iterator<Item = i64> + '_> {
        (peek(&self.mem, word::ENDING) != 0).then(|| {
            let n_keys = usize::from(self.program.layout.keys);
            let base = usize::from(self.program.layout.outcome) + seat as usize * n_keys;
            self.mem[base..base + n_keys].iter().map(|it| *it as i64)
        })
    }

    /// Which choice of the rules is pending, by a number that stays the same for a program.
    #[must_use]
    pub fn choice_number(&self) -> Option<usize> {
        self.point_index()
    }

    /// The work that all runs so far have taken.
    #[must_use]
    pub fn work_done(&self) -> u64 {
        self.bench.spent
    }
}

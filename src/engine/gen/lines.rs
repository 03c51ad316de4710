//! Lines through a cell: how far walks go there and back, asked in one operation.

use super::Gen;
use super::folds::{self, mirrored};
use super::func::Label;
use super::inline::mentions;
use super::mask::{Plan, is_local};
use super::related::some;
use super::steps::{Walk, counted_set};
use super::structure::{alike, same};
use super::unroll::not;
use crate::engine::layout::words_for;
use crate::engine::op::{LineShape, Op, Reg};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, DomainId, Expr, ExprKind, LocalId, UnaryOp,
};

/// Most ways of one question.
const MOST_WAYS: u64 = 16;

/// Walks there and back from one cell within the same cells, and what is added to their lengths.
#[derive(Default)]
struct Both<'e> {
    added: i64,
    walks: Vec<&'e Expr>,
    /// Bounds that a part of the sum is held to, with what was added by then.
    held: Vec<(i64, i64, i64)>,
}

/// A question about the length of a line.
struct Line<'e> {
    walk: Walk<'e>,
    ways: Vec<[u16; 2]>,
    /// The least and the most that both walks may have together.
    least: i64,
    most: i64,
}

/// The elements through which such a line goes.
#[derive(Clone, Debug)]
pub(super) struct Lined {
    /// What is asked of the cells of a line.
    pub cells: (LocalId, Expr, Plan),
    ways: Vec<[u16; 2]>,
    bounds: [u64; 2],
    /// Where the steps of the board lie, and how many cells and directions it has.
    steps: (u32, u64, u64),
}

impl Gen<'_, '_> {
    /// How to get the elements `x` for which `some { d in D where 1 + count (walk d from x …) + … >= n }` holds.
    pub(super) fn lined_plan(
        &mut self,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        if let Some(said) = self.line_apart(aggregate) {
            let plan = self.plan(&said, x, domain)?;
            return Some(Plan::Any(vec![(said, plan)]));
        }
        let (cond, negated, over) = asked_of_ways(aggregate)?;
        let ways = self.ways_of(over).filter(|ways| !ways.is_empty())?;
        let var = aggregate.binders.first().map(|it| it.local);
        let line = self.line_of(cond, negated, var, &ways)?;
        let walk = line.walk;
        let is_own = is_local(walk.from, x) && walk.space == domain && !mentions(walk.cond, &[x]);
        if !is_own || self.along(walk).beyond || !self.is_gathered(domain) {
            return None;
        }
        let base = self.shared.steps(walk.space, walk.ways)?;
        let plan = self.plan(walk.cond, walk.var, domain)?;
        let lined = Plan::Lined(Box::new(Lined {
            cells: (walk.var, walk.cond.clone(), plan),
            ways: line.ways,
            bounds: [line.least, line.most].map(|it| it.max(0) as u64),
            steps: (base, self.domain_size(domain), self.domain_size(walk.ways)),
        }));
        Some(match aggregate.op {
            AggregateOp::Some => lined,
            _ => Plan::Not(Box::new(lined)),
        })
    }

    pub(super) fn lined_mask(
        &mut self,
        lined: &Lined,
        domain: DomainId,
        within: Option<Reg>,
    ) -> Reg {
        let n = words_for(self.domain_size(domain));
        let cells = self.mask(&lined.cells.2, domain, None);
        let set = within.unwrap_or_else(|| self.all_of(domain));
        let (base, size, ways) = lined.steps;
        let walk = self.shared.walk(base, size, ways, [true, false]);
        let shape = LineShape::of(walk, lined.ways.clone(), lined.bounds, &self.shared.code);
        let (d, shape) = (self.temps(n), self.shared.line_shape(shape));
        let n = u8::try_from(n).unwrap_or(u8::MAX);
        self.op(Op::Lines {
            d,
            set,
            cells,
            shape,
            n,
        });
        d
    }

    /// `some { d in D where 1 + count (walk d …) + count (walk opposite(d) …) >= n }`: jumps where that is
    /// `when`; false where it is another condition.
    pub(super) fn cond_lines(&mut self, aggregate: &Aggregate, when: bool, label: Label) -> bool {
        let Some((cond, negated, over)) =
            asked_of_ways(aggregate).filter(|_| !self.shared.is_plain())
        else {
            return false;
        };
        if let Some(said) = self.line_apart(aggregate) {
            self.cond(&said, when, label);
            return true;
        }
        let var = aggregate.binders.first().map(|it| it.local);
        let found_means = aggregate.op == AggregateOp::Some;
        // Where there is no direction, nothing is asked of the cell.
        let ways = self.ways_of(over).filter(|ways| !ways.is_empty());
        let line = ways.and_then(|ways| self.line_of(cond, negated, var, &ways));
        line.is_some_and(|line| self.jump_line(&line, found_means == when, label))
    }

    /// `some { d in D where C and Q(d) }` is `C and some { d in D where Q(d) }`, where `Q` is about the length of a line.
    fn line_apart(&mut self, aggregate: &Aggregate) -> Option<Expr> {
        let binder = aggregate.only_binder()?;
        let (AggregateOp::Some | AggregateOp::No, Some(guard)) = (aggregate.op, &binder.guard)
        else {
            return None;
        };
        let (alone, line) = guard.operands_of(BinaryOp::And)?;
        let local = Some(binder.local);
        let ways = self.ways_of(binder.over.as_set()?)?;
        let hangs = mentions(alone, &[binder.local]) || aggregate.value.is_some();
        if hangs || ways.is_empty() || self.line_of(line, false, local, &ways).is_none() {
            return None;
        }
        let on_line = some(vec![binder.unguarded().guarded(Some(line.clone()))]);
        let both = alone.clone().and(on_line);
        Some(match aggregate.op {
            AggregateOp::Some => both,
            _ => not(both),
        })
    }

    /// The same for one way that is known.
    pub(super) fn cond_line(&mut self, cond: &Expr, when: bool, label: Label) -> bool {
        if self.shared.is_plain() {
            return false;
        }
        let line = self.line_of(cond, false, None, &[0]);
        line.is_some_and(|line| self.jump_line(&line, when, label))
    }

    /// The numbers of the directions in a set that is always the same.
    fn ways_of(&self, set: &Expr) -> Option<Vec<i64>> {
        match &set.kind {
            ExprKind::All(domain) => {
                let n = self.domain_size(*domain);
                (n <= MOST_WAYS).then(|| (0..n as i64).collect())
            }
            ExprKind::SetOf(items) => {
                let numbers = items.iter().map(|item| match item.kind {
                    ExprKind::Value(way) => Some(way),
                    _ => None,
                });
                numbers.collect()
            }
            _ => None,
        }
    }

    fn line_of<'e>(
        &mut self,
        cond: &'e Expr,
        negated: bool,
        var: Option<LocalId>,
        each: &[i64],
    ) -> Option<Line<'e>> {
        let (op, left, right) = cond.as_binary()?;
        let (op, sum, number) = match (&left.kind, &right.kind) {
            (_, ExprKind::Value(number)) => (op, left, *number),
            (ExprKind::Value(number), _) => (mirrored(op), right, *number),
            _ => return None,
        };
        let op = match (negated, op) {
            (true, BinaryOp::Ne) => BinaryOp::Eq,
            (true, _) => folds::opposite(op, left, right)?,
            _ => op,
        };
        let mut both = Both::default();
        both.read(sum)?;
        let number = number.checked_sub(both.added)?;
        let (least, most) = match op {
            BinaryOp::Ge => (number, i64::MAX),
            BinaryOp::Gt => (number + 1, i64::MAX),
            BinaryOp::Eq => (number, number),
            BinaryOp::Le => (0, number),
            BinaryOp::Lt => (0, number - 1),
            _ => return None,
        };
        let [walk, back] = both.walks.as_slice() else {
            return None;
        };
        let (there, again) = (Walk::of(walk)?, Walk::of(back)?);
        let bound: Vec<LocalId> = var.into_iter().collect();
        let is_again = same(there.from, again.from) && there.space == again.space;
        let free = mentions(there.from, &bound) || mentions(there.cond, &bound);
        if most < 0 || !is_again || free || there.from.ty.optional {
            return None;
        }
        let longest = self.shared.longest_line(there.space)?;
        let is_held = |(lo, hi, added): &(i64, i64, i64)| *lo <= *added && *added + longest <= *hi;
        if !both.held.iter().all(is_held) {
            return None;
        }
        let cells = self.collect(there.cond, there.var, there.space, there.var);
        let other = self.collect(again.cond, again.var, again.space, again.var);
        if !alike(&cells, &other) {
            return None;
        }
        let n = i64::try_from(self.domain_size(there.ways)).ok()?;
        let mut ways: Vec<[u16; 2]> = Vec::new();
        for each in each {
            let (one, two) = (
                number_of(there.way, var, *each, n)?,
                number_of(again.way, var, *each, n)?,
            );
            if two != opposite(one, n) {
                return None;
            }
            let pair = [one.min(two), one.max(two)].map(|way| u16::try_from(way).ok());
            let [Some(one), Some(two)] = pair else {
                return None;
            };
            if !ways.contains(&[one, two]) {
                ways.push([one, two]);
            }
        }
        Some(Line {
            walk: there,
            ways,
            least,
            most,
        })
    }

    fn jump_line(&mut self, line: &Line<'_>, when: bool, label: Label) -> bool {
        let walk = line.walk;
        let Some((set, shape)) = self.walk_within(walk, true) else {
            return false;
        };
        let bounds = [line.least, line.most].map(|it| it.max(0) as u64);
        let shape = LineShape::of(shape, line.ways.clone(), bounds, &self.shared.code);
        let shape = self.shared.line_shape(shape);
        let cell = self.value(walk.from);
        let to = self.to(label);
        self.op(Op::JumpLine {
            set,
            cell,
            shape,
            when: u8::from(when),
            to,
        });
        true
    }
}

/// What is asked of each direction of a set, and whether it is to fail.
fn asked_of_ways(aggregate: &Aggregate) -> Option<(&Expr, bool, &Expr)> {
    let binder = aggregate.only_binder()?;
    let over = binder.over.as_set()?;
    match (aggregate.op, &binder.guard, &aggregate.value) {
        (AggregateOp::Some | AggregateOp::No, Some(cond), None)
        | (AggregateOp::Some | AggregateOp::No, None, Some(cond)) => Some((cond, false, over)),
        (AggregateOp::Every, None, Some(cond)) => Some((cond, true, over)),
        _ => None,
    }
}

impl<'e> Both<'e> {
    /// Reads a sum of numbers and of the lengths of walks.
    fn read(&mut self, expr: &'e Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Value(number) => self.added = self.added.checked_add(*number)?,
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                self.read(left)?;
                self.read(right)?;
            }
            // A value that is held to the bounds of a type.
            ExprKind::Let(local, value, body) => {
                let Base::Int(lo, hi) = body.ty.base else {
                    return None;
                };
                let is_value = matches!(body.kind, ExprKind::Local(it) if it == *local);
                if !is_value || body.ty.optional {
                    return None;
                }
                let mut part = Both::default();
                part.read(value)?;
                self.held.append(&mut part.held);
                self.held.push((lo, hi, part.added));
                self.added = self.added.checked_add(part.added)?;
                self.walks.append(&mut part.walks);
            }
            ExprKind::Aggregate(aggregate) => self.read_set(counted_set(aggregate)?)?,
            _ => return None,
        }
        Some(())
    }

    /// There and back no cell comes twice.
    fn read_set(&mut self, set: &'e Expr) -> Option<()> {
        match &set.kind {
            ExprKind::Walk { .. } => self.walks.push(set),
            ExprKind::Binary(BinaryOp::Union, one, other) => {
                self.read_set(one)?;
                self.read_set(other)?;
            }
            _ => return None,
        }
        Some(())
    }
}

/// The number of a direction, where the variable has a value.
fn number_of(way: &Expr, var: Option<LocalId>, value: i64, n: i64) -> Option<i64> {
    let number = match &way.kind {
        ExprKind::Value(number) => *number,
        ExprKind::Local(local) if Some(*local) == var => value,
        ExprKind::Unary(UnaryOp::Opposite, other) => opposite(number_of(other, var, value, n)?, n),
        _ => return None,
    };
    (0..n).contains(&number).then_some(number)
}

/// The direction that leads back, of so many.
pub(super) fn opposite(way: i64, n: i64) -> i64 {
    (way + n / 2) % n.max(1)
}

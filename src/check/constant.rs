//! The value of an expression that no position can change.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    Base, BinaryOp, DefineId, DomainId, DomainKind, Expr, ExprKind, LocalId, NONE, Node, Shape,
    TableId, Type, UnaryOp, arith, each_in_expr,
};

use crate::source::Span;

use super::bounds::is_sure;
use super::{Checked, Checker};

/// A constant value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Const {
    Scalar(i64),
    Set(BTreeSet<i64>),
}

impl Const {
    /// Whether it may be given where a type is asked for; else the rules stop there when they run.
    fn fits(&self, ty: Type) -> bool {
        match (self, ty.base) {
            (Const::Scalar(NONE), _) => ty.optional,
            (Const::Scalar(value), Base::Int(lo, hi)) => (lo..=hi).contains(value),
            _ => true,
        }
    }
}

/// Why there is no constant value.
pub(super) enum Stop {
    Varies,
    /// It takes too many steps, or nests too deep.
    Work,
    Body(DefineId),
    Rows(TableId),
}

pub(super) type Found = Result<Const, Stop>;

/// The steps that an evaluation may take where its value is needed.
const FUEL: u32 = 2_000_000;
/// The steps where it only would be nice to know the value.
const LITTLE_FUEL: u32 = 20_000;
/// The steps that all evaluations of a rulebook may take together, those of a few steps not counted.
const ALL_FUEL: u64 = 20_000_000;
/// What an evaluation may take before it counts.
const FREE: u64 = 1_000;
/// How deep expressions and definitions may nest.
const DEPTH: u32 = 250;

pub(super) struct Eval<'c, 'a> {
    checker: &'c Checker<'a>,
    pub(super) env: Vec<(LocalId, Const)>,
    fuel: u32,
    depth: u32,
}

/// Finds the word `none` where it is the value of an expression in some case.
pub(super) fn written_none(expr: &Expr) -> Option<Span> {
    match &expr.kind {
        ExprKind::Value(NONE) => Some(expr.span),
        ExprKind::If(_, then, other) => written_none(then).or_else(|| written_none(other)),
        ExprKind::Match(_, arms, other) => {
            let in_arms = arms.iter().find_map(|(_, arm)| written_none(arm));
            in_arms.or_else(|| other.as_deref().and_then(written_none))
        }
        _ => None,
    }
}

impl Checker<'_> {
    /// Returns the value of an expression if it is known before play.
    pub(super) fn constant(&self, expr: &Expr) -> Option<Const> {
        self.eval(expr, &[], LITTLE_FUEL).ok()
    }

    /// Returns whether a condition is decided before play, and how.
    pub(super) fn decided(&self, expr: &Expr) -> Option<bool> {
        match self.constant(expr)? {
            Const::Scalar(value) => Some(value != 0),
            Const::Set(_) => None,
        }
    }

    pub(super) fn constant_or_error(&mut self, expr: &Expr) -> Checked<Const> {
        self.constant_with(expr, &[])
    }

    /// Evaluates an expression in which some locals have values.
    pub(super) fn constant_with(
        &mut self,
        expr: &Expr,
        env: &[(LocalId, Const)],
    ) -> Checked<Const> {
        loop {
            match self.eval(expr, env, FUEL) {
                Ok(value) => return Ok(value),
                Err(Stop::Body(id)) => {
                    if !self.define_body(id.index()) {
                        return Err(super::Reported);
                    }
                }
                Err(Stop::Rows(id)) => self.rows_of(id)?,
                Err(Stop::Work) => {
                    return Err(self.complain(
                        codes::TOO_MUCH_BEFORE_PLAY,
                        expr.span,
                        "this must be known before play, and takes too long to work out",
                        "write its value, or let less lead to it: it may take two million steps, and definitions may stand on 200 others in a row; all such values together may take ten times as many",
                    ));
                }
                Err(Stop::Varies) => {
                    let mut found = Diagnostic::at(
                        codes::NOT_CONSTANT,
                        expr.span,
                        "this must be known before play",
                    );
                    if let Some((name, span)) = self.first_read(expr) {
                        found = found.label(span, format!("`{name}` changes during play"));
                    }
                    return Err(self.report(found.help(
                        "use numbers, options, `count seat`, tables and definitions made of these",
                    )));
                }
            }
        }
    }

    /// The first thing that an expression, or what it calls, reads of the table.
    fn first_read(&self, expr: &Expr) -> Option<(String, Span)> {
        let (mut seen, mut found) = (HashSet::default(), None);
        let mut open = vec![expr];
        while let (Some(expr), None) = (open.pop(), &found) {
            let mut look = |it: &Expr| {
                let name = match &it.kind {
                    ExprKind::Track(id, _) => self.game.tracks.get(id.index()).map(|it| &it.name),
                    ExprKind::Component(place)
                    | ExprKind::Filled(place)
                    | ExprKind::Count(place)
                    | ExprKind::Kinds(place)
                    | ExprKind::Top(place)
                    | ExprKind::Nth(place, _)
                    | ExprKind::CountOf(place, _)
                    | ExprKind::PlaceField(place, _) => {
                        self.game.zones.get(place.zone.index()).map(|it| &it.name)
                    }
                    ExprKind::Call(id, _) if seen.insert(*id) => {
                        open.extend(self.define(*id).map(|it| &it.body));
                        None
                    }
                    _ => None,
                };
                if let (Some(name), None) = (name, &found) {
                    found = Some((name.clone(), it.span));
                }
            };
            look(expr);
            each_in_expr(expr, &mut |node| {
                if let Node::Expr(inner) = node {
                    look(inner);
                }
            });
        }
        found
    }

    /// Works out a value; what must be known has a budget for all of it together.
    fn eval(&self, expr: &Expr, env: &[(LocalId, Const)], fuel: u32) -> Found {
        let left = ALL_FUEL.saturating_sub(self.worked.get());
        let fuel = fuel.min(u32::try_from(left).unwrap_or(u32::MAX));
        let mut eval = Eval {
            checker: self,
            env: env.to_vec(),
            fuel,
            depth: 0,
        };
        let found = eval.value(expr);
        let steps = u64::from(fuel - eval.fuel);
        // Small ones cost no more than it does to read them.
        if steps > FREE {
            self.worked.set(self.worked.get() + steps);
        }
        found
    }
}

impl Eval<'_, '_> {
    pub(super) fn value(&mut self, expr: &Expr) -> Found {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Work)?;
        self.depth += 1;
        let found = if self.depth > DEPTH {
            Err(Stop::Work)
        } else {
            self.value_inside(expr)
        };
        self.depth -= 1;
        found
    }

    fn value_inside(&mut self, expr: &Expr) -> Found {
        match &expr.kind {
            ExprKind::Value(value) => Ok(Const::Scalar(*value)),
            ExprKind::Setting(folded) => Ok(Const::Scalar(folded.value)),
            ExprKind::All(domain) => Ok(Const::Set(self.all(*domain))),
            ExprKind::SetOf(items) => {
                let mut set = BTreeSet::new();
                for item in items {
                    set.insert(self.scalar(item)?);
                }
                set.remove(&NONE);
                Ok(Const::Set(set))
            }
            ExprKind::Local(local) => {
                let found = self.env.iter().rev().find(|(id, _)| id == local);
                found.map(|(_, value)| value.clone()).ok_or(Stop::Varies)
            }
            ExprKind::Let(local, value, body) => {
                let value = self.value(value)?;
                self.env.push((*local, value));
                let found = self.value(body);
                self.env.pop();
                found
            }
            ExprKind::Table(table, index) => self.cell(*table, index, expr.ty.base),
            ExprKind::Make(domain, parts) => self.make(*domain, parts),
            ExprKind::Field(base, field) => {
                let base_value = self.scalar(base)?;
                let Base::Elem(domain) = base.ty.base else {
                    return Err(Stop::Varies);
                };
                self.field(domain, *field, base_value)
            }
            ExprKind::Unary(op, operand) => {
                let value = self.scalar(operand)?;
                self.unary(*op, operand, value).map(Const::Scalar)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::If(cond, then, other) => {
                if self.scalar(cond)? != 0 {
                    self.value(then)
                } else {
                    self.value(other)
                }
            }
            ExprKind::Match(subject, arms, other) => {
                let subject = self.scalar(subject)?;
                match arms.iter().find(|(heads, _)| heads.contains(&subject)) {
                    Some((_, arm)) => self.value(arm),
                    None => self.value(other.as_deref().ok_or(Stop::Varies)?),
                }
            }
            ExprKind::OrElse(value, fallback) => match self.value(value)? {
                Const::Scalar(NONE) => self.value(fallback),
                found => Ok(found),
            },
            ExprKind::Call(define, args) => self.call(*define, args),
            ExprKind::Aggregate(aggregate) => self.aggregate(aggregate, expr),
            _ => Err(Stop::Varies),
        }
    }

    pub(super) fn scalar(&mut self, expr: &Expr) -> Result<i64, Stop> {
        match self.value(expr)? {
            Const::Scalar(value) => Ok(value),
            Const::Set(_) => Err(Stop::Varies),
        }
    }

    fn all(&self, domain: DomainId) -> BTreeSet<i64> {
        let (lo, size) = self
            .checker
            .domain(domain)
            .map_or((0, 0), |it| (it.lo, it.size.min(1 << 17)));
        (lo..lo.saturating_add_unsigned(size)).collect()
    }

    #[inline(never)]
    fn call(&mut self, id: DefineId, args: &[Expr]) -> Found {
        let mut values = Vec::new();
        for arg in args {
            values.push(self.value(arg)?);
        }
        let pending = self.checker.defines.get(id.index()).map(|it| it.state);
        match pending {
            Some(super::State::Done(_)) => {}
            Some(super::State::New) => return Err(Stop::Body(id)),
            _ => return Err(Stop::Varies),
        }
        let define = self.checker.define(id).ok_or(Stop::Varies)?;
        let given = define.params.iter().copied().zip(values);
        let inner: Vec<(LocalId, Const)> = given.collect();
        let fits = |(param, value): &(LocalId, Const)| value.fits(self.checker.local_type(*param));
        if !inner.iter().all(fits) {
            return Err(Stop::Varies);
        }
        let outer = std::mem::replace(&mut self.env, inner);
        let found = self.value(&define.body);
        self.env = outer;
        found.and_then(|it| {
            if it.fits(define.ty) {
                Ok(it)
            } else {
                Err(Stop::Varies)
            }
        })
    }

    #[inline(never)]
    fn cell(&mut self, id: TableId, index: &[Expr], base: Base) -> Found {
        if !self.checker.rows_done.contains(&id) || self.checker.rows_failed.contains(&id) {
            return Err(Stop::Rows(id));
        }
        let table = self
            .checker
            .game
            .tables
            .get(id.index())
            .ok_or(Stop::Varies)?;
        let mut at = 0_usize;
        for (domain, value) in table.index.iter().zip(index) {
            let value = self.scalar(value)?;
            let domain = self.checker.domain(*domain).ok_or(Stop::Varies)?;
            let place =
                usize::try_from(value.saturating_sub(domain.lo)).map_err(|_| Stop::Varies)?;
            let size = usize::try_from(domain.size).unwrap_or(0);
            if place >= size {
                return Err(Stop::Varies);
            }
            at = at * size + place;
        }
        match base {
            Base::Set(domain) => {
                let lo = self.checker.domain(domain).map_or(0, |it| it.lo);
                let members = table.members(at);
                Ok(Const::Set(members.map(|it| lo + it as i64).collect()))
            }
            _ => {
                let cell = table.cell(at).and_then(<[i64]>::first);
                cell.map(|it| Const::Scalar(*it)).ok_or(Stop::Varies)
            }
        }
    }

    #[inline(never)]
    fn make(&mut self, id: DomainId, parts: &[Expr]) -> Found {
        // Which part of what lies somewhere, the position says.
        let shape = self.checker.domain(id).map(|it| &it.kind);
        if let Some(DomainKind::Space {
            shape: Shape::Parts { .. },
            ..
        }) = shape
        {
            return Err(Stop::Varies);
        }
        let mut total = 0_i64;
        for (at, part) in parts.iter().enumerate() {
            let value = self.value(part)?;
            let domain = self.checker.domain(id).ok_or(Stop::Varies)?;
            let (DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. }) =
                &domain.kind
            else {
                return Err(Stop::Varies);
            };
            let field = fields.get(at).ok_or(Stop::Varies)?;
            let index = self
                .checker
                .field_index(field.ty, field.size, &value)
                .ok_or(Stop::Varies)?;
            let step = i64::try_from(field.stride)
                .ok()
                .and_then(|it| it.checked_mul(index));
            total = step
                .and_then(|it| total.checked_add(it))
                .ok_or(Stop::Varies)?;
        }
        Ok(Const::Scalar(total))
    }

    #[inline(never)]
    fn field(&self, id: DomainId, at: usize, value: i64) -> Found {
        let domain = self.checker.domain(id).ok_or(Stop::Varies)?;
        let (DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. }) =
            &domain.kind
        else {
            return Err(Stop::Varies);
        };
        let field = fields.get(at).ok_or(Stop::Varies)?;
        if value < 0 || field.stride == 0 || field.size == 0 {
            return Err(Stop::Varies);
        }
        let index = (value.unsigned_abs() / field.stride) % field.size;
        let index = i64::try_from(index).map_err(|_| Stop::Varies)?;
        if field.ty.optional && index.unsigned_abs() + 1 == field.size {
            return Ok(Const::Scalar(NONE));
        }
        Ok(match field.ty.base {
            Base::Int(lo, _) => Const::Scalar(lo + index),
            Base::Set(over) => {
                let lo = self.checker.domain(over).map_or(0, |it| it.lo);
                Const::Set(
                    (0..16)
                        .filter(|bit| index >> bit & 1 == 1)
                        .map(|bit| lo + bit)
                        .collect(),
                )
            }
            _ => Const::Scalar(index),
        })
    }

    #[inline(never)]
    fn unary(&self, op: UnaryOp, operand: &Expr, value: i64) -> Result<i64, Stop> {
        if op == UnaryOp::IsSome {
            return Ok(i64::from(value != NONE));
        }
        if value == NONE {
            return Err(Stop::Varies);
        }
        match op {
            UnaryOp::Not => Ok(i64::from(value == 0)),
            UnaryOp::Neg => Ok(-value),
            UnaryOp::Abs => Ok(value.abs()),
            UnaryOp::Ord => Ok(value),
            UnaryOp::FromOrd(domain) => {
                let size = self.checker.size(domain);
                let inside = value >= 0 && value.unsigned_abs() < size;
                if inside { Ok(value) } else { Err(Stop::Varies) }
            }
            UnaryOp::Opposite => {
                let size = self.size_of(operand).ok_or(Stop::Varies)?;
                Ok((value + size / 2) % size)
            }
            UnaryOp::IsSome => Err(Stop::Varies),
        }
    }

    fn size_of(&self, expr: &Expr) -> Option<i64> {
        let domain = expr.ty.base.element_of()?;
        i64::try_from(self.checker.size(domain))
            .ok()
            .filter(|it| *it > 0)
    }

    #[inline(never)]
    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Found {
        let truth = |it: bool| Ok(Const::Scalar(i64::from(it)));
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            let stops = i64::from(op == BinaryOp::Or);
            let decided = |this: &mut Self, side: &Expr| match this.scalar(side) {
                Ok(value) => Ok(Some(value)),
                Err(Stop::Varies) => Ok(None),
                Err(stop) => Err(stop),
            };
            let first = decided(self, left)?;
            if first == Some(stops) {
                return truth(stops == 1);
            }
            let second = decided(self, right)?;
            return match (first, second) {
                // The right side alone decides only where the left cannot fault.
                (None, Some(value)) if value == stops && is_sure(left) => truth(stops == 1),
                (Some(_), Some(value)) => truth(value != 0),
                _ => Err(Stop::Varies),
            };
        }
        let (a, b) = (self.value(left)?, self.value(right)?);
        match (op, a, b) {
            (BinaryOp::Eq, a, b) => truth(a == b),
            (BinaryOp::Ne, a, b) => truth(a != b),
            (BinaryOp::In, Const::Scalar(a), Const::Set(b)) => truth(b.contains(&a)),
            (BinaryOp::Union, Const::Set(a), Const::Set(b)) => Ok(Const::Set(&a | &b)),
            (BinaryOp::Minus, Const::Set(a), Const::Set(b)) => Ok(Const::Set(&a - &b)),
            (op, Const::Scalar(a), Const::Scalar(b)) if a != NONE && b != NONE => match op {
                BinaryOp::Lt => truth(a < b),
                BinaryOp::Le => truth(a <= b),
                BinaryOp::Gt => truth(a > b),
                BinaryOp::Ge => truth(a >= b),
                _ => self.arithmetic(op, left, a, b).map(Const::Scalar),
            },
            _ => Err(Stop::Varies),
        }
    }

    #[inline(never)]
    fn arithmetic(&self, op: BinaryOp, left: &Expr, a: i64, b: i64) -> Result<i64, Stop> {
        let value = match op {
            BinaryOp::CycleAdd => self.size_of(left).map(|n| (a + b).rem_euclid(n)),
            BinaryOp::CycleSub => self.size_of(left).map(|n| (a - b).rem_euclid(n)),
            _ => arith::calculate(op, a, b),
        };
        value.ok_or(Stop::Varies)
    }
}

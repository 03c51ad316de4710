//! Expressions.

use std::collections::BTreeSet;

use adit::engine::FaultKind;
use adit::model::{
    Base, BinaryOp, DomainId, DomainKind, Expr, ExprKind, Field, NONE, Place, UnaryOp,
};

use super::{Found, Interpreter, MOST, Stop, Value};

impl Interpreter<'_> {
    pub fn value(&mut self, expr: &Expr) -> Found {
        self.step()?;
        self.trail.push(expr.span);
        let value = self.value_inside(expr)?;
        self.within(expr, &value)?;
        self.trail.pop();
        Ok(value)
    }

    /// What the checker says of a value must be true of it.
    fn within(&self, expr: &Expr, value: &Value) -> Found<()> {
        let so = match (value, expr.ty.base) {
            (Value::None, _) => expr.ty.optional,
            (Value::Number(number), Base::Int(lo, hi)) => {
                (i128::from(lo)..=i128::from(hi)).contains(number)
            }
            (Value::Number(number), Base::Bool) => (0..=1).contains(number),
            (Value::Number(number), Base::Elem(id)) => {
                let size = i128::from(self.game.domains[id.index()].size);
                (0..size).contains(number)
            }
            (Value::Set(members), Base::Set(id)) => members.is_subset(&self.domain_members(id)),
            _ => false,
        };
        if so {
            return Ok(());
        }
        let said = format!("{value:?} is no {:?} at {:?}", expr.ty, expr.span);
        Err(Stop::Disagreed(said))
    }

    /// A value that is there.
    pub(super) fn number(&mut self, expr: &Expr) -> Found<i128> {
        let value = self.value(expr)?;
        self.number_of(expr, value)
    }

    fn number_of(&mut self, expr: &Expr, value: Value) -> Found<i128> {
        match value {
            Value::Number(number) => Ok(number),
            Value::None => {
                self.trail.push(expr.span);
                self.fault(FaultKind::Absent)
            }
            Value::Set(_) => panic!("a set for a number"),
        }
    }

    pub(super) fn truth(&mut self, expr: &Expr) -> Found<bool> {
        Ok(self.number(expr)? != 0)
    }

    pub(super) fn set(&mut self, expr: &Expr) -> Found<BTreeSet<i128>> {
        match self.value(expr)? {
            Value::Set(members) => Ok(members),
            other => panic!("{other:?} for a set"),
        }
    }

    fn values(&mut self, exprs: &[Expr]) -> Found<Vec<Value>> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    /// Where a place is; none where an index is absent or outside.
    pub(super) fn place(&mut self, place: &Place) -> Found<Option<usize>> {
        let zone = &self.game.zones[place.zone.index()];
        self.position(&zone.index, &place.index)
    }

    /// A number that was worked out.
    pub(super) fn calculated(&self, number: i128) -> Found {
        if number.abs() > MOST {
            return self.fault(FaultKind::Bounds);
        }
        Ok(Value::Number(number))
    }

    #[expect(clippy::too_many_lines, reason = "one arm per kind of expression")]
    fn value_inside(&mut self, expr: &Expr) -> Found {
        Ok(match &expr.kind {
            ExprKind::Value(value) => match expr.ty.base {
                _ if *value == NONE => Value::None,
                Base::Set(id) => self.bits(id, &[*value]),
                _ => Value::Number(i128::from(*value)),
            },
            ExprKind::Setting(folded) => Value::Number(i128::from(folded.value)),
            ExprKind::SetOf(items) => Value::Set(
                self.values(items)?
                    .into_iter()
                    .filter_map(|it| match it {
                        Value::Number(number) => Some(number),
                        _ => None,
                    })
                    .filter(|it| self.is_member(expr, *it))
                    .collect(),
            ),
            ExprKind::All(id) => Value::Set(self.domain_members(*id)),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Track(track, index) => {
                let track_index = &self.game.tracks[track.index()].index;
                match self.position(track_index, index)? {
                    Some(at) => self.table.tracks[track.index()][at].clone(),
                    None => return self.fault(FaultKind::Outside),
                }
            }
            ExprKind::Table(id, index) => {
                let table = &self.game.tables[id.index()];
                let Some(at) = self.position(&table.index, index)? else {
                    return self.fault(if self.game.is_coordinate(*id) {
                        FaultKind::Absent
                    } else {
                        FaultKind::Outside
                    });
                };
                let cell = &table.cells[at * table.words..(at + 1) * table.words];
                match (cell, table.ty.base) {
                    (words, Base::Set(id)) => self.bits(id, words),
                    ([NONE], _) => Value::None,
                    (value, _) => Value::Number(i128::from(value[0])),
                }
            }
            ExprKind::Component(place) => {
                let at = self.place(place)?;
                match at.and_then(|at| self.heap(place.zone, at).single()) {
                    Some(kind) => Value::Number(kind),
                    None => Value::None,
                }
            }
            ExprKind::PlaceField(place, field) => {
                let at = self.place(place)?;
                match at.and_then(|at| self.heap(place.zone, at).field(*field)) {
                    Some(value) => value,
                    None => return self.fault(FaultKind::Absent),
                }
            }
            ExprKind::Top(place) => {
                let at = self.place(place)?;
                match at.and_then(|at| self.heap(place.zone, at).top()) {
                    Some(kind) => Value::Number(kind),
                    None => Value::None,
                }
            }
            ExprKind::Nth(place, deep) => {
                let (at, deep) = (self.place(place)?, self.number(deep)?);
                match at.and_then(|at| self.heap(place.zone, at).counted_down(deep)) {
                    Some(kind) => Value::Number(kind),
                    None => Value::None,
                }
            }
            ExprKind::Count(place) => {
                let at = self.place(place)?;
                Value::Number(at.map_or(0, |at| i128::from(self.heap(place.zone, at).size())))
            }
            ExprKind::CountOf(place, kind) => {
                // Of what is not there, nothing lies anywhere.
                let (at, kind) = (self.place(place)?, self.value(kind)?);
                let copies = match (at, kind) {
                    (Some(at), Value::Number(kind)) => self.heap(place.zone, at).copies(kind),
                    _ => 0,
                };
                Value::Number(i128::from(copies))
            }
            ExprKind::Kinds(place) => {
                let at = self.place(place)?;
                let kinds = at.map(|at| self.heap(place.zone, at).kinds());
                Value::Set(kinds.unwrap_or_default().into_keys().collect())
            }
            ExprKind::Filled(place) => {
                let at = self.place(place)?;
                Value::truth(at.is_some_and(|at| self.heap(place.zone, at).size() > 0))
            }
            ExprKind::Field(base, field) => {
                let whole = self.number(base)?;
                let Base::Elem(id) = base.ty.base else {
                    panic!("a field of {:?}", base.ty)
                };
                let field = &fields_of(&self.game.domains[id.index()].kind)[*field];
                self.field_of(field, whole)
            }
            ExprKind::Make(id, parts) => {
                // One part that does not fit settles it: those behind it are not looked at.
                let (mut given, mut whole) = (Vec::new(), Some(0));
                for part in parts {
                    given.push(self.value(part)?);
                    whole = self.made(*id, &given);
                    if whole.is_none() {
                        break;
                    }
                }
                match whole {
                    Some(whole) => Value::Number(whole),
                    None if expr.ty.optional => Value::None,
                    None => return self.fault(FaultKind::Bounds),
                }
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand)?,
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right)?,
            ExprKind::If(cond, then, other) => {
                let branch = if self.truth(cond)? { then } else { other };
                self.value(branch)?
            }
            ExprKind::Match(subject, arms, other) => {
                let subject = self.value(subject)?;
                let is = |it: &i64| Value::Number(i128::from(*it)) == subject;
                let arm = arms.iter().find(|(heads, _)| heads.iter().any(is));
                match (arm, other) {
                    (Some((_, arm)), _) => self.value(arm)?,
                    (None, Some(other)) => self.value(other)?,
                    (None, None) => return self.fault(FaultKind::Absent),
                }
            }
            ExprKind::OrElse(value, fallback) => match self.value(value)? {
                Value::None => self.value(fallback)?,
                found => found,
            },
            ExprKind::Aggregate(aggregate) => self.aggregate(aggregate, expr.ty)?,
            ExprKind::Reach { start, var, step } => {
                let start = self.set(start)?;
                Value::Set(self.reached(start, *var, step)?)
            }
            ExprKind::Groups { over, var, step } => {
                let (mut rest, mut heads) = (self.set(over)?, BTreeSet::new());
                while let Some(head) = rest.pop_first() {
                    heads.insert(head);
                    let class = self.reached(BTreeSet::from([head]), *var, step)?;
                    rest = &rest - &class;
                }
                Value::Set(heads)
            }
            ExprKind::Walk {
                way,
                from,
                var,
                cond,
            } => {
                let (from_value, mut run) = (self.value(from)?, BTreeSet::new());
                let way_value = self.number(way)?;
                let Value::Number(start) = from_value else {
                    return Ok(Value::Set(run));
                };
                let (space, ways) = (element(from), element(way));
                let mut cell = start;
                while let Some(next) = self.next_cell(space, ways, cell, way_value) {
                    if next == start {
                        break;
                    }
                    self.bind(*var, Value::Number(next));
                    if !self.truth(cond)? {
                        break;
                    }
                    run.insert(next);
                    cell = next;
                }
                Value::Set(run)
            }
            ExprKind::Let(local, value, body) => {
                let value = self.value(value)?;
                let value = self.fitting(value, self.game.locals[local.index()].ty)?;
                self.bind(*local, value);
                self.value(body)?
            }
            ExprKind::Call(define, args) => self.define(*define, args)?,
            ExprKind::After(body, value) => self.after(body, value)?,
            ExprKind::Can(who, alts) => Value::truth(self.can(who, alts)?),
            ExprKind::Near(near, cell) => match self.value(cell)? {
                Value::Number(at) => Value::Set(self.near(*near, element(cell), at)),
                _ => Value::Set(BTreeSet::new()),
            },
            ExprKind::Step { cell, way, count } => {
                let Value::Number(start) = self.value(cell)? else {
                    return Ok(Value::None);
                };
                let (space, ways) = (element(cell), element(way));
                let (way, count) = (self.number(way)?, self.number(count)?);
                self.stepped(space, ways, start, way, count)
            }
            ExprKind::Laid(zone) => {
                let Base::Set(domain) = expr.ty.base else {
                    panic!("no set")
                };
                let lo = i128::from(self.game.domains[domain.index()].lo);
                let filled = self.table.zones[zone.index()].iter().zip(lo..);
                let filled = filled.filter(|(heap, _)| heap.size() > 0);
                Value::Set(filled.map(|(_, at)| at).collect())
            }
            ExprKind::Frontier(_)
            | ExprKind::PartsAt(..)
            | ExprKind::Touching(_)
            | ExprKind::Loose(_)
            | ExprKind::PartAtPort(..)
            | ExprKind::Repeated => panic!("not among what is generated: {:?}", expr.kind),
        })
    }

    fn is_member(&self, set: &Expr, member: i128) -> bool {
        let Base::Set(id) = set.ty.base else {
            return false;
        };
        let domain = &self.game.domains[id.index()];
        let at = member - i128::from(domain.lo);
        (0..i128::from(domain.size)).contains(&at)
    }

    /// A set that is written as bits, 64 in a word.
    fn bits(&self, id: DomainId, words: &[i64]) -> Value {
        let is_set = |at: usize| {
            words
                .get(at / 64)
                .is_some_and(|it| it >> (at % 64) & 1 == 1)
        };
        let members = self.domain_members(id).into_iter().enumerate();
        let members = members.filter(|(at, _)| is_set(*at));
        Value::Set(members.map(|(_, member)| member).collect())
    }

    /// The value of a field out of the number of the whole.
    pub(super) fn field_of(&self, field: &Field, whole: i128) -> Value {
        let (stride, size) = (
            i128::from(field.stride.max(1)),
            i128::from(field.size.max(1)),
        );
        let at = whole / stride % size;
        match field.ty.base {
            _ if field.ty.optional && at == size - 1 => Value::None,
            Base::Int(lo, _) => Value::Number(i128::from(lo) + at),
            Base::Set(id) => self.bits(id, &[i64::try_from(at).unwrap()]),
            _ => Value::Number(at),
        }
    }

    /// The number of what is made of parts; none where one does not fit.
    fn made(&self, id: DomainId, parts: &[Value]) -> Option<i128> {
        let fields = fields_of(&self.game.domains[id.index()].kind);
        let mut whole = 0;
        for (field, part) in fields.iter().zip(parts) {
            let size = i128::from(field.size.max(1));
            let at = match (part, field.ty.base) {
                (Value::None, _) if field.ty.optional => size - 1,
                (Value::Number(number), Base::Int(lo, hi)) => {
                    let inside = (i128::from(lo)..=i128::from(hi)).contains(number);
                    inside.then_some(number - i128::from(lo))?
                }
                (Value::Number(number), _) => *number,
                (Value::Set(members), Base::Set(over)) => {
                    let lo = i128::from(self.game.domains[over.index()].lo);
                    members.iter().map(|it| 1 << (it - lo)).sum()
                }
                _ => return None,
            };
            whole = whole * size + at;
        }
        Some(whole)
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Found {
        let value = self.value(operand)?;
        match op {
            UnaryOp::IsSome => return Ok(Value::truth(value != Value::None)),
            UnaryOp::Opposite if value == Value::None => return Ok(value),
            _ => {}
        }
        let number = self.number_of(operand, value)?;
        Ok(match op {
            UnaryOp::Not => Value::truth(number == 0),
            UnaryOp::Neg => self.calculated(-number)?,
            UnaryOp::Abs => self.calculated(number.abs())?,
            UnaryOp::Ord | UnaryOp::IsSome => Value::Number(number),
            UnaryOp::FromOrd(id) => {
                let size = i128::from(self.game.domains[id.index()].size);
                if !(0..size).contains(&number) {
                    return self.fault(FaultKind::Bounds);
                }
                Value::Number(number)
            }
            UnaryOp::Opposite => {
                let size = i128::from(self.game.domains[element(operand).index()].size);
                Value::Number((number + size / 2) % size)
            }
        })
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Found {
        match op {
            BinaryOp::And => return Ok(Value::truth(self.truth(left)? && self.truth(right)?)),
            BinaryOp::Or => return Ok(Value::truth(self.truth(left)? || self.truth(right)?)),
            BinaryOp::Eq | BinaryOp::Ne => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                return Ok(Value::truth((a == b) == (op == BinaryOp::Eq)));
            }
            BinaryOp::Union => return Ok(Value::Set(&self.set(left)? | &self.set(right)?)),
            BinaryOp::Minus => return Ok(Value::Set(&self.set(left)? - &self.set(right)?)),
            BinaryOp::In => {
                let (element, set) = (self.value(left)?, self.set(right)?);
                return Ok(Value::truth(match element {
                    Value::Number(number) => set.contains(&number),
                    _ => false,
                }));
            }
            _ => {}
        }
        let (a, b) = (self.number(left)?, self.number(right)?);
        Ok(match op {
            BinaryOp::Lt => Value::truth(a < b),
            BinaryOp::Le => Value::truth(a <= b),
            BinaryOp::Gt => Value::truth(a > b),
            BinaryOp::Ge => Value::truth(a >= b),
            BinaryOp::Add => self.calculated(a + b)?,
            BinaryOp::Sub => self.calculated(a - b)?,
            BinaryOp::Mul => self.calculated(a * b)?,
            BinaryOp::Div | BinaryOp::Mod if b == 0 => return self.fault(FaultKind::Zero),
            BinaryOp::Div => self.calculated(floor(a, b))?,
            BinaryOp::Mod => self.calculated(a - b * floor(a, b))?,
            BinaryOp::CycleAdd | BinaryOp::CycleSub => {
                let size = i128::from(self.game.domains[element(left).index()].size);
                let sum = if op == BinaryOp::CycleAdd {
                    a + b
                } else {
                    a - b
                };
                Value::Number(sum.rem_euclid(size))
            }
            BinaryOp::Distance => match self.apart(element(left), a, b) {
                Some(steps) => Value::Number(steps),
                None => return self.fault(FaultKind::Absent),
            },
            _ => panic!("{op:?} is met before"),
        })
    }
}

/// Rounded down.
fn floor(a: i128, b: i128) -> i128 {
    let down = (a % b != 0) && ((a < 0) != (b < 0));
    a / b - i128::from(down)
}

/// The domain of an element.
pub(super) fn element(expr: &Expr) -> DomainId {
    match expr.ty.base {
        Base::Elem(id) => id,
        other => panic!("{other:?} is no element"),
    }
}

pub(super) fn fields_of(kind: &DomainKind) -> &[Field] {
    match kind {
        DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. } => fields,
        DomainKind::Range | DomainKind::Enum { .. } => &[],
    }
}

//! What a spot of a plane sees of its four neighbours, as one number that is kept up as components
//! are laid: an expression that reads a zone only at `step(at, way)` becomes a digit of it.

use super::Shared;
use super::mask::is_local;
use super::tables::Input;
use crate::engine::layout::span_of;
use crate::engine::op::{GatheredShape, zone16};
use crate::model::{
    Base, BinaryOp, DefineId, DomainKind, Expr, ExprKind, LocalId, NONE, Node, NodeMut, Place,
    Shape, Type, UnaryOp, ZoneId, change, each_in_expr,
};

/// Most contents of a place.
const MOST_CONTENTS: u64 = 4096;
/// Most values of a gathered number.
const MOST_VALUES: u64 = 1024;
/// Sides of a spot.
const SIDES: u32 = 4;

/// Where an expression reads.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reading {
    zone: ZoneId,
    at: LocalId,
    way: LocalId,
}

/// Makes the digit out of the local that holds the number.
pub(super) type Digit = Box<dyn Fn(LocalId) -> Expr>;

impl Shared<'_> {
    /// The gathered number that a call stands for. Such calls are made here only, with ids from the
    /// far end.
    pub fn gathered_in(&self, id: DefineId) -> Option<u16> {
        let at = u16::try_from(u32::MAX - id.0).ok()?;
        (usize::from(at) < self.code.gathered.len()).then_some(at)
    }

    /// An expression that sees nothing but one neighbour of a spot that is known outside, over a side
    /// that is bound.
    pub fn gather(&mut self, expr: &Expr, bound: &[LocalId]) -> Option<(Digit, Input)> {
        // A truth value made of other values is better left to the table.
        let is_made = expr.ty.base == Base::Bool && !self.node_reads_state(expr);
        if is_made || !self.has_planes {
            return None;
        }
        let reading = self.reading(expr, bound)?;
        let (lo, radix) = self.values(expr.ty)?;
        let most = radix.checked_pow(SIDES).filter(|n| *n <= MOST_VALUES)?;
        let index = self.gathered_shape(expr, reading, lo, radix)?;
        let (ty, span, way) = (expr.ty, expr.span, reading.way);
        let whole = Type::of(Base::Int(0, most as i64 - 1));
        let side = self.local_type(way);
        let radix = radix as i64;
        let digit = move |local: LocalId| {
            let number = |value: i64| Expr::new(ExprKind::Value(value), whole, span);
            let binary = |op, left: Expr, right: Expr| {
                Expr::new(ExprKind::binary(op, left, right), whole, span)
            };
            let local = || Expr::local(local, whole, span);
            let digit = |place: u32| {
                let shifted = binary(BinaryOp::Div, local(), number(radix.pow(place)));
                binary(BinaryOp::Mod, shifted, number(radix))
            };
            let value = |place: u32| {
                let known = binary(BinaryOp::Add, digit(place), number(lo));
                if !ty.optional {
                    return known;
                }
                let absent = Expr {
                    ty: Type::BOOL,
                    ..binary(BinaryOp::Eq, digit(place), number(radix - 1))
                };
                let none = number(NONE).with_type(ty);
                choose(absent, none, known, ty)
            };
            (1..SIDES).fold(value(0), |other, place| {
                let here = Expr::local(way, side, span);
                let is = Expr {
                    ty: Type::BOOL,
                    ..binary(BinaryOp::Eq, here, number(i64::from(place)))
                };
                choose(is, value(place), other, ty)
            })
        };
        let spot = self.local(reading.at, span);
        let input = Input {
            expr: Expr {
                kind: ExprKind::Call(DefineId(u32::MAX - index), vec![spot]),
                ty: whole,
                span,
            },
            lo: 0,
            n: most,
        };
        Some((Box::new(digit), input))
    }

    /// The one place that an expression reads, if it reads no other and depends on nothing else.
    fn reading(&self, expr: &Expr, bound: &[LocalId]) -> Option<Reading> {
        let mut found: Option<Reading> = None;
        let mut ok = true;
        let mut inner = Vec::new();
        let mut locals = Vec::new();
        let mut look = |expr: &Expr| {
            if let ExprKind::Local(local) = &expr.kind {
                locals.push(*local);
            }
            if !self.node_reads_state(expr) {
                return;
            }
            let place = match &expr.kind {
                ExprKind::Component(place)
                | ExprKind::PlaceField(place, _)
                | ExprKind::Filled(place) => self.beside(place),
                _ => None,
            };
            match (place, found) {
                (Some(place), None) => found = Some(place),
                (Some(place), Some(known)) if place == known => {}
                _ => ok = false,
            }
        };
        look(expr);
        each_in_expr(expr, &mut |node| match node {
            Node::Expr(part) => look(part),
            Node::Binds(local) => inner.push(local),
            Node::Stmt(_) => {}
        });
        let reading = found.filter(|_| ok)?;
        let known = |local: &LocalId| {
            *local == reading.at || *local == reading.way || inner.contains(local)
        };
        let fits = bound.contains(&reading.way)
            && !bound.contains(&reading.at)
            && locals.iter().all(known);
        fits.then_some(reading)
    }

    /// `z[step(at, way)]` of a zone over a plane.
    fn beside(&self, place: &Place) -> Option<Reading> {
        let [index] = place.index.as_slice() else {
            return None;
        };
        let (cell, way, count) = index.as_step()?;
        let (at, way) = (cell.as_local()?, way.as_local()?);
        let plane = self.layout.zone(place.zone)?.is_plane();
        (plane && matches!(count.kind, ExprKind::Value(1))).then_some(Reading {
            zone: place.zone,
            at,
            way,
        })
    }

    /// Works out what each content of a place shows over each side.
    fn gathered_shape(
        &mut self,
        expr: &Expr,
        reading: Reading,
        lo: i64,
        radix: u64,
    ) -> Option<u32> {
        let zone = self.game.zones.get(reading.zone.index())?;
        let domain = self.game.domains.get(zone.index.first()?.index())?;
        let DomainKind::Space {
            shape: Shape::Plane { sides, .. },
            ..
        } = &domain.kind
        else {
            return None;
        };
        let kinds = self.game.domains.get(zone.component.index())?.size;
        let kind_ty = Type::of(Base::Elem(zone.component)).or_none();
        let span = expr.span;
        let kind = self.new_local(kind_ty);
        let (mut fields, mut sizes) = (Vec::new(), Vec::new());
        let mut contents = kinds;
        let game = self.game;
        for field in &game.zones.get(reading.zone.index())?.fields {
            let (_, n) = span_of(game, field.ty)?;
            if field.ty.optional {
                return None;
            }
            contents = contents.checked_mul(n).filter(|n| *n <= MOST_CONTENTS)?;
            sizes.push(u16::try_from(n).ok()?);
            fields.push(self.new_local(field.ty));
        }
        let way = self.new_local(Type::of(Base::Elem(*sides)));
        let mut body = expr.clone();
        replace(&mut body, reading, kind, &fields, way);
        let local = |local: LocalId, ty: Type| Expr::local(local, ty, span);
        // All contents, then the empty place, whose fields do not matter.
        let mut inputs = vec![(
            kind,
            Input {
                expr: local(kind, kind_ty),
                lo: 0,
                n: kinds + 1,
            },
        )];
        for (field, n) in fields.iter().zip(&sizes) {
            let ty = self.local_type(*field);
            let (lo, _) = self.values(ty)?;
            inputs.push((
                *field,
                Input {
                    expr: local(*field, ty),
                    lo,
                    n: u64::from(*n),
                },
            ));
        }
        inputs.push((
            way,
            Input {
                expr: local(way, self.local_type(way)),
                lo: 0,
                n: u64::from(SIDES),
            },
        ));
        let per_kind: u64 = sizes.iter().map(|n| u64::from(*n)).product();
        let rows = (kinds + 1) * per_kind * u64::from(SIDES);
        let made = self.build(&body, &inputs, 1, rows)?;
        let faults = !self.tables.faults(made).is_empty();
        let made = made as usize;
        let wanted = (contents as usize + 1) * SIDES as usize;
        let values: Vec<i64> = self.code.data.get(made..made + wanted)?.to_vec();
        let digits: Vec<i64> = values
            .iter()
            .map(|value| match *value {
                NONE => radix as i64 - 1,
                value => value - lo,
            })
            .collect();
        if digits
            .iter()
            .any(|digit| !(0..radix as i64).contains(digit))
        {
            return None;
        }
        let name = format!("gathered {made} {lo} {radix}");
        let base = self.named_data(&name, &digits);
        let shape = GatheredShape {
            zone: zone16(reading.zone),
            base,
            contents: u32::try_from(contents + 1).ok()?,
            fields: sizes,
            radix: u16::try_from(radix).ok()?,
        };
        let known = &mut self.code.gathered;
        let at = known.iter().position(|it| *it == shape);
        let at = at.unwrap_or_else(|| {
            known.push(shape);
            known.len() - 1
        });
        let at = u16::try_from(at).ok().filter(|at| *at < u16::MAX)?;
        if faults {
            self.faulty_gathered.insert(at);
        }
        Some(u32::from(at))
    }

    /// Whether an input is gathered from what faults at some places.
    pub fn gathers_faults(&self, input: &Input) -> bool {
        match &input.expr.kind {
            ExprKind::Call(id, _) => self
                .gathered_in(*id)
                .is_some_and(|at| self.faulty_gathered.contains(&at)),
            _ => false,
        }
    }
}

/// `if cond then yes else no`.
fn choose(cond: Expr, yes: Expr, no: Expr, ty: Type) -> Expr {
    let span = cond.span;
    Expr::new(ExprKind::choice(cond, yes, no), ty, span)
}

/// Whether something lies at the neighbour.
fn filled(span: crate::source::Span, kind: LocalId) -> Expr {
    let inner = Expr::local(kind, Type::BOOL.or_none(), span);
    Expr::truth(ExprKind::unary(UnaryOp::IsSome, inner), span)
}

/// Puts locals in place of what is read of the neighbour.
fn replace(expr: &mut Expr, reading: Reading, kind: LocalId, fields: &[LocalId], way: LocalId) {
    let local = |local: LocalId| ExprKind::Local(local);
    match &expr.kind {
        ExprKind::Component(_) => {
            expr.kind = local(kind);
            return;
        }
        ExprKind::Filled(_) => {
            *expr = filled(expr.span, kind);
            return;
        }
        ExprKind::PlaceField(_, field) => {
            if let Some(field) = fields.get(*field) {
                // The field of an empty place is a fault.
                let is = filled(expr.span, kind);
                let field = expr.with_kind(local(*field));
                expr.kind = ExprKind::Match(Box::new(is), vec![(vec![1], field)], None);
            }
            return;
        }
        _ if is_local(expr, reading.way) => {
            expr.kind = local(way);
            return;
        }
        _ => {}
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            replace(part, reading, kind, fields, way);
        }
    });
}

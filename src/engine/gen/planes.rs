//! Planes and the parts of what lies on them.

use super::inline::mentions;
use super::mask::{conjuncts, is_local};
use super::{Gen, Shared};
use crate::engine::layout::words_for;
use crate::engine::op::{Around, FaultKind, Op, PlaneOp, Reg, zone16};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, DomainId, DomainKind, Expr, ExprKind, LocalId, NONE,
    Near, Over, Shape, ZoneId,
};

/// Where a closure begins.
pub(super) enum Start<'e> {
    /// At all members of a set.
    Set(&'e Expr),
    /// At the element in a register.
    One(Reg),
}

impl Shared<'_> {
    /// Whether a domain is the parts of what lies on a plane.
    pub fn is_parts(&self, domain: DomainId) -> bool {
        self.parts_shape(domain).is_some()
    }

    /// The zone of a space of parts and the number of parts of a component.
    fn parts_shape(&self, domain: DomainId) -> Option<(ZoneId, u16)> {
        match &self.game.domains.get(domain.index())?.kind {
            DomainKind::Space {
                axes,
                shape: Shape::Parts { zone, .. },
            } => Some((*zone, u16::try_from(axes.get(1)?.size).ok()?)),
            _ => None,
        }
    }
}

impl Gen<'_, '_> {
    pub(super) fn is_parts(&self, domain: DomainId) -> bool {
        self.shared.is_parts(domain)
    }

    /// Whether a zone lies over a plane.
    pub(super) fn is_plane(&self, zone: ZoneId) -> bool {
        self.shared
            .layout
            .zone(zone)
            .is_some_and(crate::engine::layout::ZoneSlot::is_plane)
    }

    /// The number at which the coordinates of a plane wrap.
    pub(super) fn span_of_plane(&self, space: DomainId) -> Option<u16> {
        match &self.shared.game.domains.get(space.index())?.kind {
            DomainKind::Space {
                shape: Shape::Plane { span, .. },
                ..
            } => u16::try_from(*span).ok(),
            _ => None,
        }
    }

    fn plane_op(&mut self, op: PlaneOp) {
        self.op(Op::Plane(op));
    }

    /// Every part that there is.
    pub(super) fn all_parts_to(&mut self, parts: DomainId, d: Reg, n: u16) {
        let Some((zone, slots)) = self.shared.parts_shape(parts) else {
            return self.fail(FaultKind::Absent);
        };
        let zone = zone16(zone);
        self.plane_op(PlaneOp::Parts { d, zone, n, slots });
    }

    pub(super) fn parts_at_to(&mut self, parts: DomainId, spot: &Expr, d: Reg, n: u16) {
        let Some((zone, slots)) = self.shared.parts_shape(parts) else {
            return self.fail(FaultKind::Absent);
        };
        let place = self.value(spot);
        self.plane_op(PlaneOp::PartsAt {
            d,
            zone: zone16(zone),
            place,
            n,
            slots,
        });
    }

    pub(super) fn laid_to(&mut self, zone: ZoneId, d: Reg, n: u16) {
        let zone = zone16(zone);
        self.plane_op(PlaneOp::Laid { d, zone, n });
    }

    pub(super) fn frontier_to(&mut self, zone: ZoneId, d: Reg, n: u16) {
        let zone = zone16(zone);
        self.plane_op(PlaneOp::Frontier { d, zone, n });
    }

    pub(super) fn near_on_plane(&mut self, near: Near, cell: Reg, span: u16, d: Reg, n: u16) {
        let which = match near {
            Near::Orthogonal | Near::Neighbours => Around::Sides,
            Near::Diagonal => Around::Corners,
            Near::Around => Around::All,
        };
        self.plane_op(PlaneOp::Near {
            d,
            cell,
            span,
            n,
            which,
        });
    }

    /// Where the component lies that a part belongs to.
    pub(super) fn spot_of_part_to(&mut self, parts: DomainId, part: &Expr, d: Reg) {
        let Some((zone, slots)) = self.shared.parts_shape(parts) else {
            return self.fail(FaultKind::Absent);
        };
        let value = self.value(part);
        if part.ty.optional {
            self.op(Op::NeedSome { a: value });
        }
        self.plane_op(PlaneOp::Cell {
            d,
            zone: zone16(zone),
            part: value,
            slots,
        });
    }

    /// The part in a slot of what lies at a spot.
    pub(super) fn part_to(
        &mut self,
        parts: DomainId,
        args: &[Expr],
        ty: crate::model::Type,
        d: Reg,
    ) {
        let (Some((zone, slots)), [spot, slot]) = (self.shared.parts_shape(parts), args) else {
            return self.fail(FaultKind::Absent);
        };
        let (place, first) = (self.value(spot), self.temp());
        self.plane_op(PlaneOp::Base {
            d: first,
            zone: zone16(zone),
            place,
            slots,
        });
        let (absent, done) = (self.label(), self.label());
        let none = self.constant(NONE);
        let to = self.to(absent);
        self.op(Op::JumpEq {
            a: first,
            b: none,
            to,
        });
        let lo = match slot.ty.base {
            Base::Int(lo, _) => lo,
            Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => 0,
        };
        let slot = self.bit(slot, lo);
        self.op(Op::Add {
            d,
            a: first,
            b: slot,
        });
        self.jump(done);
        self.bind(absent);
        if ty.optional {
            self.mov(d, none);
        } else {
            self.fail(FaultKind::Absent);
        }
        self.bind(done);
    }

    /// The space of parts in the layout.
    fn meeting(&self, domain: DomainId) -> Option<u16> {
        let parts = &self.shared.layout.parts;
        let at = parts.iter().position(|parts| parts.domain == domain)?;
        u16::try_from(at).ok()
    }

    /// `some loose(x)` or `no loose(x)`: the space of parts in the layout.
    pub(super) fn open_parts(
        &self,
        aggregate: &Aggregate,
        x: LocalId,
        domain: DomainId,
    ) -> Option<u16> {
        let quantifier = matches!(aggregate.op, AggregateOp::Some | AggregateOp::No);
        let ([binder], None) = (aggregate.binders.as_slice(), &aggregate.value) else {
            return None;
        };
        match &binder.over {
            Over::Set(Expr {
                kind: ExprKind::Loose(part),
                ..
            }) if quantifier && binder.guard.is_none() && is_local(part, x) => self.meeting(domain),
            _ => None,
        }
    }

    fn part_value(&mut self, part: &Expr) -> Option<(u16, Reg)> {
        let domain = part.ty.base.element_of()?;
        let parts = self.meeting(domain)?;
        let value = self.value(part);
        if part.ty.optional {
            self.op(Op::NeedSome { a: value });
        }
        Some((parts, value))
    }

    pub(super) fn touching_to(&mut self, part: &Expr, d: Reg, n: u16) {
        let Some((parts, part)) = self.part_value(part) else {
            return self.fail(FaultKind::Absent);
        };
        self.plane_op(PlaneOp::Touching { d, parts, part, n });
    }

    pub(super) fn loose_to(&mut self, part: &Expr, d: Reg, n: u16) {
        let Some((parts, part)) = self.part_value(part) else {
            return self.fail(FaultKind::Absent);
        };
        debug_assert_eq!(n, 1);
        self.plane_op(PlaneOp::Loose { d, parts, part });
    }

    pub(super) fn part_with_to(
        &mut self,
        ty: crate::model::Type,
        spot: &Expr,
        port: &Expr,
        d: Reg,
    ) {
        let parts = match ty.base {
            Base::Elem(domain) => self.meeting(domain),
            _ => None,
        };
        let Some(parts) = parts else {
            return self.fail(FaultKind::Absent);
        };
        let (place, port) = (self.value(spot), self.value(port));
        self.plane_op(PlaneOp::With {
            d,
            parts,
            place,
            port,
        });
    }

    /// Closure over `touching(x) + rest`: what touches in one operation, the rest element by element.
    pub(super) fn flood_parts(
        &mut self,
        start: Start<'_>,
        var: LocalId,
        step: &Expr,
        domain: DomainId,
        d: Reg,
    ) -> bool {
        let Some(parts) = self.meeting(domain).filter(|_| !self.shared.is_plain()) else {
            return false;
        };
        let mut rest = Vec::new();
        if !without_touching(step, var, &mut rest) {
            return false;
        }
        let n = words_for(self.domain_size(domain));
        let found = self.own(d, n);
        match start {
            Start::One(part) => {
                self.plane_op(PlaneOp::Class {
                    d: found,
                    parts,
                    part,
                    n,
                });
            }
            Start::Set(set) => {
                match set.kind {
                    // What touches one part is kept as a class.
                    ExprKind::SetOf(ref items) if items.len() == 1 => {
                        let part = self.bit(&items[0], self.domain_lo(domain));
                        self.plane_op(PlaneOp::Class {
                            d: found,
                            parts,
                            part,
                            n,
                        });
                    }
                    _ => {
                        self.set_to(set, domain, found);
                        self.plane_op(PlaneOp::Flood { d: found, parts, n });
                    }
                }
            }
        }
        if rest.is_empty() {
            self.mov_n(d, found, n);
            return true;
        }
        let (edge, fresh) = (self.temps(n), self.temps(n));
        let worth = self.worth_asking(&rest, var, domain);
        match worth {
            Some(worth) => self.and(edge, found, worth, n),
            None => self.mov_n(edge, found, n),
        }
        self.take_each(edge, var, domain, |it| {
            for part in rest {
                let mark = it.mark();
                it.set_to(part, domain, fresh);
                it.release(mark);
                it.and_not(fresh, fresh, found, n);
                let none = it.label();
                let to = it.to(none);
                it.op(Op::JumpEmpty { set: fresh, n, to });
                it.plane_op(PlaneOp::Flood { d: fresh, parts, n });
                it.and_not(fresh, fresh, found, n);
                it.or(found, found, fresh, n);
                if let Some(worth) = worth {
                    it.and(fresh, fresh, worth, n);
                }
                it.or(edge, edge, fresh, n);
                it.bind(none);
            }
        });
        self.mov_n(d, found, n);
        true
    }
}

impl Gen<'_, '_> {
    /// The elements for which some of these sets may have members: those that pass what does not
    /// depend on the members. `None` where all must be asked.
    fn worth_asking(&mut self, sets: &[&Expr], x: LocalId, domain: DomainId) -> Option<Reg> {
        let n = words_for(self.domain_size(domain));
        let mut sum = None;
        for set in sets {
            let aggregate = set.as_aggregate()?;
            let binder = aggregate.only_binder()?;
            let mut parts = Vec::new();
            conjuncts(binder.guard.as_ref()?, &mut parts);
            let (mut early, mut facts) = (self.facts.clone(), self.facts.clone());
            self.learn_laid(x, crate::model::Type::of(Base::Set(domain)), &mut facts);
            if !self.over_sure(&binder.over, &mut facts) {
                return None;
            }
            self.learn_binder(binder.local, &binder.over, &mut facts);
            let mut own = None;
            for part in parts {
                let free = mentions(part, &[x]) && !mentions(part, &[binder.local]);
                if free {
                    own = self.sound_plan(part, x, domain, &mut early, &mut facts);
                }
                // Whoever does not pass is not asked anything else, so nothing may fault before.
                if own.is_some() || !self.sure(part, &mut facts) {
                    break;
                }
                self.learn(part, true, &mut facts);
            }
            let own = own?;
            let mask = self.mask(&own, domain, None);
            sum = Some(match sum {
                None => mask,
                Some(sum) => {
                    let d = self.temps(n);
                    self.or(d, sum, mask, n);
                    d
                }
            });
        }
        sum
    }
}

/// The members of a union but for `touching(var)`; false where that is not among them.
fn without_touching<'e>(step: &'e Expr, var: LocalId, rest: &mut Vec<&'e Expr>) -> bool {
    match &step.kind {
        ExprKind::Binary(BinaryOp::Union, left, right) => {
            // Both sides are looked at, whatever the first one gives.
            let (a, b) = (
                without_touching(left, var, rest),
                without_touching(right, var, rest),
            );
            a || b
        }
        ExprKind::Touching(part) if is_local(part, var) => true,
        _ => {
            rest.push(step);
            false
        }
    }
}

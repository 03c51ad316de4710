//! Parts that are chosen by nothing but what they are parts of: a set that is kept up as components
//! are laid, instead of being looked for.

use super::Gen;
use super::inline::mentions;
use super::mask::{Plan, is_local};
use crate::engine::op::{KeptShape, zone16};
use crate::model::{
    Base, DomainId, DomainKind, Expr, ExprKind, LocalId, NodeMut, Shape, Type, ZoneId, change,
};

impl Gen<'_, '_> {
    /// A condition that looks at a part only through its slot and the component that it is part of.
    pub(super) fn kept_plan(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        let game = self.shared.game;
        let (zone, slot) = match &game.domains.get(domain.index())?.kind {
            DomainKind::Space {
                axes,
                shape: Shape::Parts { zone, .. },
            } => (*zone, axes.get(1)?.ty),
            _ => return None,
        };
        let Base::Elem(slots) = slot.base else {
            return None;
        };
        let component = game.zones.get(zone.index())?.component;
        let n = u16::try_from(self.domain_size(slots)).ok().filter(|n| *n <= 64)?;
        let k = self
            .shared
            .new_local(Type::of(Base::Elem(component)), cond.span);
        let s = self.shared.new_local(slot, cond.span);
        let mut of_kind = cond.clone();
        replace(&mut of_kind, zone, x, k, s);
        if mentions(&of_kind, &[x]) || self.shared.reads_state(&of_kind) {
            return None;
        }
        let rows = self.collect(&of_kind, s, slots, s);
        let table = self.shared.tabled(&rows, &[])?;
        match table.inputs.as_slice() {
            [input] if is_local(&input.expr, k) => {}
            _ => return None,
        }
        let shape = KeptShape {
            zone: zone16(zone),
            slots: n,
            base: table.base,
        };
        let kept = &mut self.shared.code.kept;
        let at = kept.iter().position(|known| *known == shape);
        let at = at.unwrap_or_else(|| {
            kept.push(shape);
            kept.len() - 1
        });
        Some(Plan::Kept(u16::try_from(at).ok()?))
    }
}

/// Puts a kind and a slot in place of what is asked of a part.
fn replace(expr: &mut Expr, zone: ZoneId, x: LocalId, kind: LocalId, slot: LocalId) {
    let found = match &expr.kind {
        ExprKind::Component(place) if place.zone == zone => match place.index.as_slice() {
            [index] if is_field(index, x, 0) => Some(kind),
            _ => None,
        },
        _ if is_field(expr, x, 1) => Some(slot),
        _ => None,
    };
    if let Some(local) = found {
        expr.kind = ExprKind::Local(local);
        expr.ty.optional = false;
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            replace(part, zone, x, kind, slot);
        }
    });
}

fn is_field(expr: &Expr, x: LocalId, axis: usize) -> bool {
    matches!(&expr.kind, ExprKind::Field(base, at) if *at == axis && is_local(base, x))
}

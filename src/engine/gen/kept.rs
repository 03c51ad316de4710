//! Parts that are chosen by nothing but what they are parts of: a set that is kept up as components
//! are laid, instead of being looked for.

use super::Gen;
use super::inline::mentions;
use super::mask::{Plan, is_local};
use super::shapes::number_in;
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
        let slots = slot.base.element_of()?;
        let component = game.zones.get(zone.index())?.component;
        let n = u16::try_from(self.domain_size(slots))
            .ok()
            .filter(|n| *n <= 64)?;
        let k = self.shared.new_local(Type::of(Base::Elem(component)));
        let s = self.shared.new_local(slot);
        let mut of_kind = cond.clone();
        replace(&mut of_kind, zone, x, k, s);
        if mentions(&of_kind, &[x]) || self.shared.reads_state(&of_kind) {
            return None;
        }
        // Slot by slot: what is asked of a slot that a component does not have may fault, and is then
        // asked of no other.
        let table = self.shared.tabled(&of_kind, &[s])?;
        let kinds = self.domain_size(component);
        let mut faults = table
            .inputs
            .iter()
            .any(|input| self.shared.gathers_faults(input));
        let mut rows = Vec::new();
        for kind in 0..kinds {
            let mut slots = 0i64;
            for slot in 0..u64::from(n) {
                let mut row = 0;
                for input in &table.inputs {
                    let digit = match &input.expr.kind {
                        ExprKind::Local(local) if *local == k => kind,
                        ExprKind::Local(local) if *local == s => slot,
                        _ => return None,
                    };
                    row = row * input.n + digit;
                }
                faults |= self.shared.tables.faults(table.base).contains(&row);
                let cell = usize::try_from(u64::from(table.base) + row).ok()?;
                slots |= i64::from(*self.shared.code.data.get(cell)? != 0) << slot;
            }
            rows.push(slots);
        }
        let base = self
            .shared
            .named_data(&format!("kept {} {n}", table.base), &rows);
        let shape = KeptShape {
            zone: zone16(zone),
            slots: n,
            base,
        };
        let kept = self.keep_up(shape)?;
        if faults {
            self.shared.faulty_kept.insert(kept);
        }
        Some(Plan::Kept(kept))
    }

    fn keep_up(&mut self, shape: KeptShape) -> Option<u16> {
        number_in(&mut self.shared.code.kept, shape)
    }

    /// One set that is kept up instead of two that are met at each question.
    pub(super) fn both_kept(&mut self, one: &Plan, other: &Plan) -> Option<Plan> {
        let (Plan::Kept(one), Plan::Kept(other)) = (one, other) else {
            return None;
        };
        let kept = &self.shared.code.kept;
        let (a, b) = (
            *kept.get(usize::from(*one))?,
            *kept.get(usize::from(*other))?,
        );
        if (a.zone, a.slots) != (b.zone, b.slots) {
            return None;
        }
        let zone = self.shared.game.zones.get(usize::from(a.zone))?;
        let kinds = usize::try_from(self.domain_size(zone.component)).ok()?;
        let data = &self.shared.code.data;
        let rows = |base: u32| data.get(base as usize..base as usize + kinds);
        let both: Vec<i64> = rows(a.base)?
            .iter()
            .zip(rows(b.base)?)
            .map(|(a, b)| a & b)
            .collect();
        let name = format!("kept {} and {}", a.base, b.base);
        let base = self.shared.named_data(&name, &both);
        Some(Plan::Kept(self.keep_up(KeptShape { base, ..a })?))
    }

    /// Makes one of all sets that are kept up.
    pub(super) fn merge_plans(&mut self, plans: &mut Vec<Plan>) {
        let mut at = 0;
        while at + 1 < plans.len() {
            let later = (at + 1..plans.len()).find_map(|other| {
                let (one, two) = (plans.get(at)?, plans.get(other)?);
                Some((other, self.both_kept(one, two)?))
            });
            match later {
                Some((other, both)) => {
                    plans.remove(other);
                    plans[at] = both;
                }
                None => at += 1,
            }
        }
    }

    /// Takes the plan out that alone says which of all parts are meant: no other parts are kept.
    pub(super) fn instead_of_all(&self, set: &Expr, plans: &mut Vec<Plan>) -> Option<Plan> {
        if !matches!(set.kind, ExprKind::All(domain) if self.is_parts(domain)) {
            return None;
        }
        let kept = plans
            .iter()
            .position(|plan| matches!(plan, Plan::Kept(_)))?;
        Some(plans.remove(kept))
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

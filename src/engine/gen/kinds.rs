//! Conditions on what lies at a place, as sets of kinds.

use super::Gen;
use super::inline::mentions;
use super::mask::{Plan, is_local};
use crate::engine::layout::{Values, words_for};
use crate::model::{
    Base, DomainId, Expr, ExprKind, LocalId, Node, Type, ZoneId, change, each_in_expr,
};

impl Gen<'_, '_> {
    /// A condition that looks at `z[x]` only through fields and tables of the component there.
    pub(super) fn kind_plan(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        let (zone, pure) = self.component_zone(cond, x, domain)?;
        pure.then(|| self.plan_by_kind(cond, x, domain, zone))?
    }

    /// The same where an empty place may matter: right only where something lies.
    pub(super) fn filled_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let (zone, _) = self.component_zone(cond, x, domain)?;
        self.plan_by_kind(cond, x, domain, zone)
    }

    fn plan_by_kind(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
        zone: ZoneId,
    ) -> Option<Plan> {
        self.kind_store(zone)?;
        let component = self.shared.game.zones.get(zone.index())?.component;
        let k = self.shared.new_local(Type::of(Base::Elem(component)));
        let mut over_kinds = cond.clone();
        replace_component(&mut over_kinds, zone, x, k);
        let rows = self.collect(&over_kinds, k, component, k);
        if mentions(&over_kinds, &[x]) {
            let one_by_one = matches!(self.kind_store(zone), Some(Values::Lanes(_)))
                && words_for(self.domain_size(domain)) == 1;
            let table = one_by_one.then(|| self.by_last(&rows, x, domain))??;
            return Some(Plan::KindAt(zone, table));
        }
        let table = self.shared.tabled(&rows, &[])?;
        Some(Plan::KindIn(zone, table))
    }

    /// The one zone whose component at `x` is looked into, and whether an empty place is nowhere compared.
    pub(super) fn component_zone(
        &self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<(ZoneId, bool)> {
        let mut zone = None;
        let mut pure = true;
        let mut look = |expr: &Expr| match &expr.kind {
            ExprKind::Field(base, _) => self.note_component(base, x, domain, &mut zone),
            ExprKind::Call(_, args) => {
                for arg in args {
                    self.note_component(arg, x, domain, &mut zone);
                }
            }
            // Compared as it is, an empty place would matter.
            ExprKind::Binary(_, left, right) => {
                pure &= !is_component(left, x) && !is_component(right, x);
            }
            _ => {}
        };
        look(cond);
        each_in_expr(cond, &mut |node| {
            if let Node::Expr(expr) = node {
                look(expr);
            }
        });
        zone.map(|zone| (zone, pure))
    }

    pub(super) fn note_component(
        &self,
        expr: &Expr,
        x: LocalId,
        domain: DomainId,
        zone: &mut Option<ZoneId>,
    ) {
        if let ExprKind::Component(place) = &expr.kind
            && self.indexed_by(place, x, domain)
        {
            zone.get_or_insert(place.zone);
        }
    }
}

fn is_component(expr: &Expr, x: LocalId) -> bool {
    matches!(&expr.kind, ExprKind::Component(place)
        if matches!(place.index.as_slice(), [index] if is_local(index, x)))
}

fn replace_component(expr: &mut Expr, zone: ZoneId, x: LocalId, k: LocalId) {
    // Another place of the zone holds something else.
    if is_component(expr, x)
        && matches!(&expr.kind, ExprKind::Component(place) if place.zone == zone)
    {
        expr.kind = ExprKind::Local(k);
        expr.ty.optional = false;
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let crate::model::NodeMut::Expr(part) = node {
            replace_component(part, zone, x, k);
        }
    });
}

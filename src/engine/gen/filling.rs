//! What is read at the places of a board as if something lay at each of them, where that is so.

use super::Gen;
use super::nest::{Cond, Level, Sink};
use super::related::with;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, Node, NodeMut, Over,
    Place, Type, UnaryOp, ZoneId, change, each_in_expr, parts_of_expr,
};

/// Most places that are asked one by one.
const FEW_PLACES: u32 = 8;

impl Gen<'_, '_> {
    /// Runs a nest that reads places of a zone without asking whether something lies there: as if it asked where something
    /// lies at all places of the zone, else as written.
    pub(super) fn nest_filled(
        &mut self,
        levels: &[Level<'_>],
        conds: &[Cond<'_>],
        sink: &mut Sink<'_>,
    ) -> bool {
        if self.filling || self.goes_as_written(levels) {
            return false;
        }
        let Some((zone, all)) = self.read_unasked(levels, conds) else {
            return false;
        };
        let (full, exit) = (self.label(), self.label());
        self.filling = true;
        self.cond(&all, true, full);
        self.nest(levels, conds, sink);
        self.jump(exit);
        self.bind(full);
        self.nest_said(levels, conds, sink, |it, expr| it.asked_first(expr, zone));
        self.filling = false;
        self.bind(exit);
        true
    }

    /// A zone of which places are read that may be empty, though all of them can be filled; and whether they are.
    fn read_unasked(&mut self, levels: &[Level<'_>], conds: &[Cond<'_>]) -> Option<(ZoneId, Expr)> {
        let (mut facts, mut read) = (self.facts.clone(), None);
        for stage in 0..=levels.len() {
            for cond in conds.iter().filter(|it| it.written == stage) {
                read = read.or_else(|| self.unguarded(cond.expr, &mut facts));
                self.learn(cond.expr, true, &mut facts);
            }
            if let Some(level) = levels.get(stage) {
                if let Over::Set(set) = level.over {
                    read = read.or_else(|| self.unguarded(set, &mut facts));
                }
                self.learn_binder(level.local, level.over, &mut facts);
            }
        }
        let place = read_by(read?)?;
        let [domain] = self.zone_index(place.zone)[..] else {
            return None;
        };
        // A place that is not there is not filled either, but to read it is a fault.
        let sets = levels.iter().filter_map(|it| it.over.as_set());
        let mut all = conds.iter().map(|it| it.expr).chain(sets);
        if all.any(|it| self.reads_beyond(it, place.zone, domain)) {
            return None;
        }
        let slot = self.shared.layout.zone(place.zone)?;
        if !slot.enough || slot.places <= FEW_PLACES || self.filled_set(place.zone).is_none() {
            return None;
        }
        let (ty, span) = (place.index.first()?.ty, place.index.first()?.span);
        let local = self.shared.new_local(ty);
        let index = vec![Expr::local(local, ty, span)];
        let zone = place.zone;
        let binders = vec![Binder::over(local, Expr::all(domain, span))];
        let all = Aggregate::over(AggregateOp::Every, binders).of(lies_at(&Place { zone, index }));
        Some((zone, Expr::truth(all, span)))
    }

    /// Whether a place is read that may lie outside a zone.
    fn reads_beyond(&self, expr: &Expr, zone: ZoneId, domain: DomainId) -> bool {
        let beyond = |it: &Expr| {
            let place = read_by(it).filter(|it| it.zone == zone);
            let mut index = place.iter().flat_map(|it| &it.index);
            index.any(|it| self.may_lie_outside(it, domain))
        };
        let mut found = beyond(expr);
        each_in_expr(expr, &mut |node| {
            if let Node::Expr(part) = node {
                found |= beyond(part);
            }
        });
        found
    }

    /// An expression that asks whether something lies at a place of a zone before it reads it.
    fn asked_first(&mut self, expr: &Expr, zone: ZoneId) -> Expr {
        let mut asked = expr.clone();
        ask_first(&mut asked, zone);
        self.shared.expand(&mut asked);
        asked
    }
}

fn ask_first(expr: &mut Expr, zone: ZoneId) {
    if matches!(expr.kind, ExprKind::After(..) | ExprKind::Can(..)) {
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            ask_first(part, zone);
        }
    });
    let mut places = Vec::new();
    match &mut expr.kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..)
        | ExprKind::Unary(UnaryOp::Not, _)
        | ExprKind::If(..)
        | ExprKind::Match(..) => {}
        ExprKind::Aggregate(aggregate) => {
            if let Some(value) = aggregate
                .value
                .as_ref()
                .filter(|it| it.ty.base != Base::Bool)
                && let Some(last) = aggregate.binders.pop()
            {
                reads(value, zone, &mut places);
                let asked = places
                    .iter()
                    .fold(last, |last, place| with(last, lies_at(place)));
                aggregate.binders.push(asked);
            }
        }
        _ if expr.ty == Type::BOOL => {
            reads(expr, zone, &mut places);
            let all = places.iter().map(lies_at).chain([expr.clone()]);
            if let Some(all) = all.reduce(Expr::and) {
                *expr = all;
            }
        }
        _ => {}
    }
}

/// The places of a zone that are read wherever an expression is worked out.
fn reads(expr: &Expr, zone: ZoneId, places: &mut Vec<Place>) {
    if let Some(place) = read_by(expr)
        && place.zone == zone
    {
        places.push(place.clone());
    }
    let is_let = matches!(expr.kind, ExprKind::Let(..));
    let mut first = true;
    parts_of_expr(expr, &mut |node| {
        let Node::Expr(part) = node else { return };
        // What a name stands for is worked out before.
        let own = !is_let || std::mem::take(&mut first);
        let binds = matches!(
            part.kind,
            ExprKind::Aggregate(_)
                | ExprKind::Reach { .. }
                | ExprKind::Groups { .. }
                | ExprKind::Walk { .. }
                | ExprKind::If(..)
                | ExprKind::Match(..)
                | ExprKind::Let(..)
        );
        if own && !binds && part.ty.base != Base::Bool {
            reads(part, zone, places);
        }
    });
}

/// The place of which a field is read, if there is such a place.
fn read_by(expr: &Expr) -> Option<&Place> {
    let place = match &expr.kind {
        ExprKind::PlaceField(place, _) => place,
        ExprKind::Field(base, _) => match &base.kind {
            ExprKind::Component(place) => place,
            _ => return None,
        },
        _ => return None,
    };
    let is_there = place.index.iter().all(|it| !it.ty.optional);
    is_there.then_some(place)
}

fn lies_at(place: &Place) -> Expr {
    let span = place.index.first().map(|it| it.span).unwrap_or_default();
    Expr::truth(ExprKind::Filled(place.clone()), span)
}

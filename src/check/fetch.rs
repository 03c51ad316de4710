//! What is laid is fetched: from where `supply` lays it, or from where it lies else.

use crate::model::{
    AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, Holding, Move, Place, Stmt,
    StmtKind, Type, UnaryOp, What, ZoneId, ZoneKind,
};
use crate::source::Span;

use super::aggregate::aggregate;
use super::drawn::{both, compare};
use super::holders::number;
use super::homes::Homes;
use super::moves::{statement, when};
use super::operator::not;
use super::scope::BodyKind;
use super::{Checked, Checker, Reported};

/// What besides a thing that is laid lies where it is laid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Besides {
    /// What is laid with it.
    Nothing,
    /// The same, and all other places of the zone are laid as well.
    Zone(ZoneId),
    /// The rest of a pile, and so many of the same kind above that.
    Rest(i64),
}

/// One way by which a thing may come to a place.
struct Way {
    before: Option<Stmt>,
    /// Whether it lies there.
    there: Expr,
    go: Vec<Stmt>,
}

impl Checker<'_> {
    /// Brings one of a kind from where it lies: where `supply` lays it, or the first other place that holds it. There
    /// another thing takes its place, if any is left where things start.
    pub(super) fn fetched(
        &mut self,
        kind: i64,
        to: &Place,
        homes: &Homes,
        besides: Besides,
        span: Span,
    ) -> Checked<Vec<Stmt>> {
        let component = self.component_of(to.zone)?;
        let thing = Expr::new(ExprKind::Value(kind), Type::of(Base::Elem(component)), span);
        let mut ways: Vec<Way> = Vec::new();
        let mut is_home = false;
        let listed = usize::try_from(kind)
            .ok()
            .and_then(|it| homes.kinds.get(it));
        for (zone, index, _) in listed.map_or(&[][..], Vec::as_slice) {
            let domains = self.index_of(*zone);
            let home = self.place_at(*zone, &domains, index, span);
            is_home |= self.is_place(to, *zone, index);
            let above = match besides {
                Besides::Rest(above) if self.is_place(to, *zone, index) => above,
                _ => 0,
            };
            let mut there = self.holds(&home, &thing, above, span);
            if *zone == to.zone && !self.is_place(to, *zone, index) {
                there = both(elsewhere(&home, to, span), there, span);
            }
            ways.push(Way {
                before: None,
                there,
                go: vec![moved_to(self.taken(&home, &thing), to, span)],
            });
        }
        let mut chain = ways.first().map(|it| it.go.clone()).ok_or(Reported)?;
        for at in 0..self.game.zones.len() {
            let zone = ZoneId(u32::try_from(at).unwrap_or(0));
            if self.component_of(zone)? != component || besides == Besides::Zone(zone) {
                continue;
            }
            let domains = self.index_of(zone);
            let (before, source, there) = match domains.as_slice() {
                [] if zone == to.zone || homes.first(kind) == Some((zone, &[])) => continue,
                [] => {
                    let source = Place {
                        zone,
                        index: Vec::new(),
                    };
                    let there = self.holds(&source, &thing, 0, span);
                    (None, Some(source), there)
                }
                [only] => {
                    let some = self.some_place(zone, &domains, &thing, to, span);
                    let first = self.first_of(some, *only, span);
                    let local = self.fresh("it", first.ty, span);
                    let found = self.local(local, span);
                    let source = Place {
                        zone,
                        index: vec![found.clone()],
                    };
                    let before = statement(StmtKind::Let(local, first), span);
                    (Some(before), Some(source), is_some(found, span))
                }
                _ if zone == to.zone => continue,
                _ => (
                    None,
                    None,
                    self.some_place(zone, &domains, &thing, to, span),
                ),
            };
            let go = match &source {
                Some(source) => {
                    let go = moved_to(self.taken(source, &thing), to, span);
                    let refill = self.refilled(source, to, homes, span);
                    std::iter::once(go).chain(refill).collect()
                }
                None => {
                    let anywhere = Holding::Anywhere(zone);
                    vec![moved_to(
                        What::Copies(None, thing.clone(), anywhere),
                        to,
                        span,
                    )]
                }
            };
            ways.push(Way { before, there, go });
        }
        if let (Besides::Rest(above), false) = (besides, is_home) {
            ways.push(Way {
                before: None,
                there: self.holds(to, &thing, above, span),
                go: vec![moved_to(self.taken(to, &thing), to, span)],
            });
        }
        for way in ways.into_iter().rev() {
            let next = when(way.there, way.go, chain, span);
            chain = way.before.into_iter().chain([next]).collect();
        }
        Ok(chain)
    }

    /// Something comes from where things start to a place from which one was taken. What is laid where things start
    /// stays there.
    fn refilled(&mut self, place: &Place, to: &Place, homes: &Homes, span: Span) -> Option<Stmt> {
        let groups = &homes.groups;
        let [(zone, index, _)] = groups.as_slice() else {
            return None;
        };
        if self.is_place(to, *zone, index) {
            return None;
        }
        if matches!(self.body.kind, BodyKind::After | BodyKind::Ending) {
            return None;
        }
        let domains = self.index_of(*zone);
        let home = self.place_at(*zone, &domains, index, span);
        let stream = self.stream_of(&home);
        let there = filled(&home, span);
        let what = match self.zone_kind(&home) {
            ZoneKind::Pile => What::Top(home, stream),
            ZoneKind::Bag => What::Draw(None, home, stream),
            ZoneKind::One => return None,
        };
        Some(when(
            there,
            vec![moved_to(what, place, span)],
            Vec::new(),
            span,
        ))
    }

    /// Whether some place of a zone besides `to` holds a thing.
    fn some_place(
        &mut self,
        zone: ZoneId,
        domains: &[DomainId],
        thing: &Expr,
        to: &Place,
        span: Span,
    ) -> Expr {
        let (mut binders, index) = self.each_place(domains, span);
        let place = Place { zone, index };
        let mut there = self.holds(&place, thing, 0, span);
        if zone == to.zone {
            there = both(elsewhere(&place, to, span), there, span);
        }
        if let Some(last) = binders.last_mut() {
            last.guard = Some(there);
        }
        aggregate(AggregateOp::Some, binders, None, Type::BOOL, span)
    }

    /// What runs through all places with an index, and the index of the place that it has come to.
    pub(super) fn each_place(
        &mut self,
        domains: &[DomainId],
        span: Span,
    ) -> (Vec<Binder>, Vec<Expr>) {
        let (mut binders, mut index) = (Vec::new(), Vec::new());
        for domain in domains {
            let local = self.fresh("it", self.element(*domain), span);
            binders.push(Binder::over(local, Expr::all(*domain, span)));
            index.push(self.local(local, span));
        }
        (binders, index)
    }

    /// The first member for which an aggregate of one binder finds something.
    fn first_of(&self, some: Expr, domain: DomainId, span: Span) -> Expr {
        let ExprKind::Aggregate(mut it) = some.kind else {
            return some;
        };
        it.op = AggregateOp::First;
        Expr {
            kind: ExprKind::Aggregate(it),
            ty: self.element(domain).or_none(),
            span,
        }
    }

    /// Whether a place is known to be this one.
    pub(super) fn is_place(&self, place: &Place, zone: ZoneId, index: &[i64]) -> bool {
        let domains = self.index_of(zone);
        let known = self.place_at(zone, &domains, index, Span::default());
        let same = |(one, other): (&Expr, &Expr)| match (&one.kind, &other.kind) {
            (ExprKind::Value(one), ExprKind::Value(other)) => one == other,
            _ => false,
        };
        place.zone == zone && place.index.iter().zip(&known.index).all(same)
    }

    /// Whether more than so many of a kind lie at a place.
    fn holds(&self, place: &Place, thing: &Expr, above: i64, span: Span) -> Expr {
        if self.zone_kind(place) == ZoneKind::One {
            let there = self.component_at(place.clone(), span);
            return compare(BinaryOp::Eq, there, thing.clone(), span);
        }
        let count = Expr {
            kind: ExprKind::CountOf(place.clone(), Box::new(thing.clone())),
            ty: Type::of(Base::Int(0, i64::from(u16::MAX))),
            span,
        };
        compare(BinaryOp::Gt, count, number(above, span), span)
    }

    fn taken(&self, place: &Place, thing: &Expr) -> What {
        if self.zone_kind(place) == ZoneKind::One {
            return What::At(place.clone());
        }
        What::Copies(None, thing.clone(), Holding::Place(place.clone()))
    }
}

pub(super) fn moved_to(what: What, to: &Place, span: Span) -> Stmt {
    let (to, with) = (to.clone(), Vec::new());
    statement(StmtKind::Move(Move::new(what, to, with)), span)
}

pub(super) fn filled(place: &Place, span: Span) -> Expr {
    Expr::truth(ExprKind::Filled(place.clone()), span)
}

/// Whether two places of a zone are different ones.
pub(super) fn elsewhere(one: &Place, other: &Place, span: Span) -> Expr {
    let same = one
        .index
        .iter()
        .zip(&other.index)
        .map(|(one, other)| compare(BinaryOp::Eq, one.clone(), other.clone(), span));
    let same = same.reduce(|one, other| both(one, other, span));
    match same {
        Some(same) => not(same, span),
        None => Expr::truth(ExprKind::Value(0), span),
    }
}

pub(super) fn is_some(value: Expr, span: Span) -> Expr {
    Expr::truth(ExprKind::unary(UnaryOp::IsSome, value), span)
}

//! Conditions as sets: what a condition says of every element of a domain at once.

use super::sure::within;
use std::collections::HashMap;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::Gen;
use super::arms::chain;
use super::flood::Flood;
use super::holds::Holds;
use super::inline::{mentions, size_of, substitute};
use super::lines::Lined;
use super::related::Related;
use super::runs::Behind;
use super::several::Several;
use super::structure::Structure;
use super::tables::{Tabled, is_scalar};
use super::through::Through;
use super::unroll::not;
use super::weighed::Weighed;
use crate::engine::layout::{Lane, Store, Values};
use crate::engine::op::Reg;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Place,
    TrackId, Type, UnaryOp, ZoneId,
};

/// Most words of places or values of which each is looked at, eight at once.
pub(super) const MOST_FILTERED: u16 = 8;

/// Largest condition in which a name is replaced by what it stands for, in nodes.
const MOST_NODES: usize = 400;

/// The set of elements for which a condition holds.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// `x in S`.
    Member(Expr),
    /// Something lies at `z[x]`.
    Filled(ZoneId),
    /// `z[x]` holds this component.
    Kind(ZoneId, Expr),
    /// A field of `z[x]` has this value.
    Field(ZoneId, usize, Expr),
    /// A row of a table made in advance.
    Row(Tabled),
    /// `z[x]` holds a component of a row of a table made in advance.
    KindIn(ZoneId, Tabled),
    /// The same with a row for each x.
    KindAt(ZoneId, Tabled),
    /// `f(x)` is there and in a set of another domain, `f` in a table.
    Preimage(Box<Plan>, DomainId, Tabled),
    /// Parts by what they are parts of.
    Kept(u16),
    /// `z[x]` of a list holds this component, or nothing where it is absent.
    Held(ZoneId, Expr),
    /// It is this element.
    Is(Expr),
    /// Parts with ports beyond which nothing is laid.
    Open(u16),
    /// A condition on what lies behind a run.
    Behind(Box<Behind>),
    /// A condition on what a table leads to.
    Through(Box<Through>),
    /// So much lies at `z[x]` of a zone of many things.
    Holds(Holds),
    /// What it has comes to so much.
    Weighed(Box<Weighed>),
    /// `t[x]` of a track is one of these values.
    Lane(TrackId, super::lanes::Values),
    /// So many of some conditions hold.
    Several(Box<Several>),
    /// Some member of a set is related to it.
    Related(Box<Related>),
    /// Steps lead from it to a member of a set.
    Flood(Box<Flood>),
    /// Lines of some length go through it.
    Lined(Box<Lined>),
    /// One of two conditions, as a third one says.
    Choice(Box<[Plan; 3]>),
    /// What holds for one of a few values, each with its condition; or one condition in other words.
    Any(Vec<(Expr, Plan)>),
    /// The same in other words, where nothing in it faults.
    Said(Box<(Expr, Plan)>),
    /// Does not depend on the element.
    Fixed(Expr),
    Not(Box<Plan>),
    And(Box<Plan>, Box<Plan>),
    Or(Box<Plan>, Box<Plan>),
}

impl Plan {
    /// How many sets it is made of.
    pub(super) fn size(&self) -> usize {
        match self {
            Plan::Preimage(part, ..) | Plan::Not(part) => part.size(),
            Plan::Through(through) => through.plan.size(),
            Plan::Choice(parts) => parts.iter().map(Plan::size).sum(),
            Plan::Any(parts) => parts.iter().map(|(_, part)| part.size()).sum(),
            Plan::Several(several) => several.work(),
            Plan::Said(said) => said.1.size(),
            Plan::And(left, right) | Plan::Or(left, right) => left.size() + right.size(),
            _ => 1,
        }
    }
}

impl Gen<'_, '_> {
    /// The set of elements of a domain for which a condition holds, if it can be had as a whole.
    pub(super) fn mask_of(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Reg> {
        let (mut early, mut facts) = (self.facts.clone(), self.facts.clone());
        let plan = self.sound_plan(cond, x, domain, &mut early, &mut facts)?;
        Some(self.mask(&plan, domain, None))
    }

    /// How to get that set. What was asked in vain is not asked again while the same is known.
    pub(super) fn plan(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        if self.shared.is_plain() {
            return None;
        }
        if !mentions(cond, &[x]) {
            return Some(Plan::Fixed(cond.clone()));
        }
        let asked = self.asked_of(cond, x, domain);
        if asked.is_some_and(|it| self.shared.unplanned.contains(&it)) {
            return None;
        }
        let plan = self.new_plan(cond, x, domain);
        if plan.is_none() {
            self.shared.unplanned.extend(asked);
        }
        plan
    }

    /// A question as a number, with all that an answer hangs on. None where it is never the same again.
    fn asked_of(&self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<u64> {
        let ty = self.shared.local_type(x);
        let asked = Structure::nameless(cond, std::iter::once((x, ty)));
        let shared = &*self.shared;
        let there: Vec<_> = shared.there.iter().map(Structure::of).collect();
        let known = (&self.facts, &shared.given, there, shared.saying);
        let is_lasting = asked.is_lasting() && known.2.iter().all(Structure::is_lasting);
        is_lasting.then(|| FxBuildHasher.hash_one((asked, domain, known)))
    }

    fn new_plan(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        match &cond.kind {
            ExprKind::Unary(UnaryOp::Not, part) => {
                return Some(Plan::Not(Box::new(self.plan(part, x, domain)?)));
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                // A table for both together is better than two.
                if let Some(row) = self.row_plan(cond, x, domain) {
                    return Some(row);
                }
                if let Some(through) = self.through_plan(cond, x, domain) {
                    return Some(through);
                }
                // What holds off the board is asked the other way round.
                if *op == BinaryOp::Or
                    && let Some(through) = self.through_plan(&not(cond.clone()), x, domain)
                {
                    return Some(Plan::Not(Box::new(through)));
                }
                // What is asked where a run stops is asked of one place.
                if *op == BinaryOp::And
                    && let Some(behind) = self.behind_plan(cond, x, domain)
                {
                    return Some(behind);
                }
                // Of the arms of a choice the last one is looked at first: less was planned in vain where it has no plan.
                let right = Box::new(self.plan(right, x, domain)?);
                let left = Box::new(self.plan(left, x, domain)?);
                return Some(match op {
                    BinaryOp::And => Plan::And(left, right),
                    _ => Plan::Or(left, right),
                });
            }
            ExprKind::Binary(BinaryOp::In, element, set)
                if is_local(element, x)
                    && !mentions(set, &[x])
                    && set.ty.base == Base::Set(domain) =>
            {
                return Some(Plan::Member((**set).clone()));
            }
            ExprKind::If(which, then, other) => {
                return self
                    .row_plan(cond, x, domain)
                    .or_else(|| self.kind_plan(cond, x, domain))
                    .or_else(|| self.through_plan(cond, x, domain))
                    .or_else(|| self.choice_plan([&**which, &**then, &**other], x, domain));
            }
            ExprKind::Match(subject, arms, other) if !subject.ty.optional => {
                let row = self.row_plan(cond, x, domain);
                let row = row.or_else(|| self.kind_plan(cond, x, domain));
                if row.is_some() {
                    return row;
                }
                let mut chosen = chain(subject, arms, other.as_deref(), cond)?;
                if subject.as_aggregate().is_some() {
                    self.shared.expand(&mut chosen);
                }
                let plan = self.plan(&chosen, x, domain)?;
                return Some(Plan::Any(vec![(chosen, plan)]));
            }
            ExprKind::Let(local, value, body) => {
                if let Some(row) = self.row_plan(cond, x, domain) {
                    return Some(row);
                }
                let mut whole = (**body).clone();
                substitute(&mut whole, &HashMap::from([(*local, (**value).clone())]));
                let fits = size_of(&whole) <= MOST_NODES
                    && self.shared.may_be_asked_in(value, *local, body);
                if fits && value.as_aggregate().is_some() {
                    self.shared.rename(&mut whole);
                    self.shared.expand(&mut whole);
                }
                let plan = fits.then(|| self.plan(&whole, x, domain))??;
                return Some(Plan::Any(vec![(whole, plan)]));
            }
            ExprKind::Aggregate(aggregate) => {
                if let Some(parts) = self.open_parts(aggregate, x, domain) {
                    let open = Plan::Open(parts);
                    return Some(match aggregate.op {
                        AggregateOp::Some => open,
                        _ => Plan::Not(Box::new(open)),
                    });
                }
            }
            ExprKind::Filled(place) if self.indexed_by(place, x, domain) => {
                return Some(Plan::Filled(place.zone));
            }
            ExprKind::Filled(place) => {
                if self.filled_set(place.zone).is_some()
                    && let Some((over, table)) = self.mapped(place, x, domain)
                {
                    let filled = Box::new(Plan::Filled(place.zone));
                    return Some(Plan::Preimage(filled, over, table));
                }
            }
            ExprKind::Unary(UnaryOp::IsSome, part) => {
                if let ExprKind::Component(place) = &part.kind
                    && self.indexed_by(place, x, domain)
                {
                    return Some(Plan::Filled(place.zone));
                }
            }
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
                let plan = self
                    .equality_plan(left, right, x, domain)
                    .or_else(|| self.equality_plan(right, left, x, domain))
                    .or_else(|| self.preimage_plan(left, right, x, domain))
                    .or_else(|| self.preimage_plan(right, left, x, domain));
                if let Some(plan) = plan {
                    return Some(if *op == BinaryOp::Eq {
                        plan
                    } else {
                        Plan::Not(Box::new(plan))
                    });
                }
            }
            _ => {}
        }
        self.row_plan(cond, x, domain)
            .or_else(|| self.kind_plan(cond, x, domain))
            .or_else(|| self.kept_plan(cond, x, domain))
            .or_else(|| Self::identity_plan(cond, x))
            .or_else(|| self.lane_plan(cond, x, domain))
            .or_else(|| self.set_lane_plan(cond, x, domain))
            .or_else(|| self.holds_plan(cond, x, domain))
            .or_else(|| self.several_plan(cond, x, domain))
            .or_else(|| self.through_plan(cond, x, domain))
            .or_else(|| self.nested_plan(cond, x, domain))
            .or_else(|| self.behind_plan(cond, x, domain))
            .or_else(|| match &cond.kind {
                ExprKind::Aggregate(aggregate) => self
                    .lined_plan(aggregate, x, domain)
                    .or_else(|| self.on_the_way_plan(aggregate, x, domain))
                    .or_else(|| self.related_plan(aggregate, x, domain))
                    .or_else(|| self.flood_plan(aggregate, x, domain))
                    .or_else(|| self.image_plan(cond, aggregate, x, domain))
                    .or_else(|| self.any_plan(aggregate, x, domain))
                    .or_else(|| self.covered_plan(cond, aggregate, x, domain)),
                _ => None,
            })
            .or_else(|| self.exactly_plan(cond, x, domain))
            .or_else(|| self.weighed_plan(cond, x, domain))
            .or_else(|| self.case_by_case(cond, x, domain))
            .or_else(|| self.in_other_words(cond, x, domain))
            .or_else(|| self.through_there(cond, x, domain))
    }

    /// Whether a place is `z[x]` of a zone over the domain whose filled places are a set.
    pub(super) fn indexed_by(&self, place: &Place, x: LocalId, domain: DomainId) -> bool {
        matches!(place.index.as_slice(), [index] if is_local(index, x))
            && self.place_index(place) == [domain]
            && self.filled_set(place.zone).is_some()
    }

    /// `z[f(x)] == e`: what lies nowhere equals nothing that is there.
    fn preimage_plan(
        &mut self,
        left: &Expr,
        right: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let ExprKind::Component(place) = &left.kind else {
            return None;
        };
        if right.ty.optional || mentions(right, &[x]) || self.is_list(place.zone) {
            return None;
        }
        self.kind_store(place.zone)?;
        let (over, table) = self.mapped(place, x, domain)?;
        let kind = Box::new(Plan::Kind(place.zone, right.clone()));
        Some(Plan::Preimage(kind, over, table))
    }

    /// The places `z[f(x)]` as a table, `x` last, and what they are places of.
    pub(super) fn mapped(
        &mut self,
        place: &Place,
        x: LocalId,
        domain: DomainId,
    ) -> Option<(DomainId, Tabled)> {
        let [index] = place.index.as_slice() else {
            return None;
        };
        let [over] = self.place_index(place)[..] else {
            return None;
        };
        if self.domain_lo(over) != 0 || !self.is_gathered(domain) {
            return None;
        }
        Some((over, self.by_last(index, x, domain)?))
    }

    /// An expression as a table by an element, its last input.
    pub(super) fn by_last(&mut self, expr: &Expr, x: LocalId, domain: DomainId) -> Option<Tabled> {
        let lo = self.domain_lo(domain);
        self.shared.tabled_by(expr, x, lo)
    }

    pub(super) fn equality_plan(
        &self,
        left: &Expr,
        right: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        if mentions(right, &[x]) {
            return None;
        }
        match &left.kind {
            ExprKind::Component(place)
                if self.indexed_by(place, x, domain) && self.is_list(place.zone) =>
            {
                Some(Plan::Held(place.zone, right.clone()))
            }
            _ if right.ty.optional && !self.is_there(right, &self.facts) => None,
            ExprKind::Component(place) if self.indexed_by(place, x, domain) => {
                self.kind_store(place.zone)?;
                let there = right.clone().with_type(Type::of(right.ty.base));
                Some(Plan::Kind(place.zone, there))
            }
            _ if right.ty.optional => None,
            ExprKind::PlaceField(place, field)
                if self.indexed_by(place, x, domain) && within(right.ty, left.ty) =>
            {
                match self.field_store(place.zone, *field)? {
                    Values::Sets { .. } | Values::Single(_) => {
                        Some(Plan::Field(place.zone, *field, right.clone()))
                    }
                    Values::Lanes(_) => None,
                }
            }
            _ => None,
        }
    }

    /// `x == e` or `x != e`.
    fn identity_plan(cond: &Expr, x: LocalId) -> Option<Plan> {
        let ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) = &cond.kind else {
            return None;
        };
        let other = match (is_local(left, x), is_local(right, x)) {
            (true, _) => right,
            (_, true) => left,
            _ => return None,
        };
        if mentions(other, &[x]) || !is_scalar(other.ty) {
            return None;
        }
        let same = Plan::Is((**other).clone());
        Some(match op {
            BinaryOp::Eq => same,
            _ => Plan::Not(Box::new(same)),
        })
    }

    fn is_list(&self, zone: ZoneId) -> bool {
        let slot = self.shared.layout.zone(zone);
        slot.is_some_and(|slot| matches!(slot.store, Store::List(_)))
    }

    pub(super) fn field_store(&self, zone: ZoneId, field: usize) -> Option<Values> {
        match &self.shared.layout.zone(zone)?.store {
            Store::One { fields, .. } => fields.get(field).cloned(),
            Store::List(_) | Store::Bag(_) | Store::Pile { .. } => None,
        }
    }

    /// How the components of a zone are stored, if they can be filtered as a whole.
    pub(super) fn kind_store(&self, zone: ZoneId) -> Option<Values> {
        let slot = self.shared.layout.zone(zone)?;
        let Store::One { kind, .. } = &slot.store else {
            return None;
        };
        let fits = match kind {
            Values::Single(_) | Values::Sets { .. } => true,
            Values::Lanes(array) => {
                array.lane == Lane::Byte && slot.kinds < 64 && slot.place_words <= MOST_FILTERED
            }
        };
        fits.then(|| kind.clone())
    }

    /// A table with the set as its rows.
    pub(super) fn row_plan(&mut self, cond: &Expr, x: LocalId, domain: DomainId) -> Option<Plan> {
        if !self.shared.may_be_rows(cond, x) {
            return None;
        }
        let rows = self.collect(cond, x, domain, x);
        let table = self.shared.tabled(&rows, &[])?;
        Some(Plan::Row(table))
    }

    /// `{ y in domain where cond }` with `x` called `y`.
    pub(super) fn collect(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
        y: LocalId,
    ) -> Expr {
        let fresh = self.shared.fresh_local(y);
        let ty = self.shared.local_type(y);
        let span = cond.span;
        let local = Expr::local(fresh, ty, span);
        let mut guard = cond.clone();
        substitute(&mut guard, &HashMap::from([(x, local)]));
        let set = Type::of(Base::Set(domain));
        let all = Expr::new(ExprKind::All(domain), set, span);
        let binder = Binder::over(fresh, all).guarded(guard);
        let aggregate = Aggregate::over(AggregateOp::Collect, vec![binder]);
        Expr::new(aggregate, set, span)
    }
}

/// The parts of a conjunction.
pub(super) fn conjuncts<'e>(expr: &'e Expr, out: &mut Vec<&'e Expr>) {
    chained(BinaryOp::And, expr, out);
}

/// The terms of a sum.
pub(super) fn terms(sum: &Expr) -> Vec<&Expr> {
    let mut out = Vec::new();
    chained(BinaryOp::Add, sum, &mut out);
    out
}

/// What is joined by an operator, from left to right.
pub(super) fn chained<'e>(by: BinaryOp, expr: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary(op, left, right) if *op == by => {
            chained(by, left, out);
            chained(by, right, out);
        }
        _ => out.push(expr),
    }
}

pub(super) fn is_local(expr: &Expr, local: LocalId) -> bool {
    matches!(&expr.kind, ExprKind::Local(l) if *l == local)
}

//! What cannot fault: only that may be worked out earlier than it is written, for more elements than
//! ask for it, or not at all.

use super::facts::{Facts, laid, there};
use super::graph::Callee;
use super::operator::stays_within;
use super::related::some;
use super::tables::is_scalar;
use super::{Gen, Key, Shared, Source};
use crate::engine::layout::span_of;
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DefineId, DomainId, Expr, ExprKind, Order,
    Over, Type, UnaryOp,
};

/// Whether values of a type are within the bounds of another.
pub(super) fn within(from: Type, to: Type) -> bool {
    match (from.base, to.base) {
        (Base::Int(from_lo, from_hi), Base::Int(lo, hi)) => from_lo >= lo && from_hi <= hi,
        (from, to) => from == to,
    }
}

pub(super) const FRAGMENT: Key = Key {
    source: Source::Fragment(0),
    level: 0,
};

impl Shared<'_> {
    /// Whether working an expression out surely comes to a value, whatever the position.
    pub(super) fn surely(&mut self, expr: &Expr) -> bool {
        let mut given = self.given.clone();
        Gen::new(self, FRAGMENT).sure(expr, &mut given)
    }

    /// Whether it is not none, once it is worked out.
    pub(super) fn surely_there(&mut self, expr: &Expr) -> bool {
        let given = self.given.clone();
        Gen::new(self, FRAGMENT).is_there(expr, &given)
    }
}

impl Gen<'_, '_> {
    /// Whether working an expression out surely comes to a value.
    pub(super) fn sure(&mut self, expr: &Expr, facts: &mut Facts) -> bool {
        let mark = facts.mark();
        let sure = self.sure_of(expr, facts) || self.sure_by_table(expr, facts);
        facts.release(mark);
        sure
    }

    /// Whether a value that hangs on little has been worked out for all of that, and never faulted.
    fn sure_by_table(&mut self, expr: &Expr, facts: &mut Facts) -> bool {
        let is_worth_it = match &expr.kind {
            ExprKind::Make(..) => true,
            ExprKind::If(..) => expr.ty.optional && matches!(expr.ty.base, Base::Elem(_)),
            ExprKind::Aggregate(aggregate) => aggregate.default.is_none() && is_scalar(expr.ty),
            _ => false,
        };
        // What reads the state would be its own input.
        if !is_worth_it || self.shared.node_reads_state(expr) {
            return false;
        }
        let table = self.shared.tabled(expr, &[]);
        table.is_some_and(|it| !it.faults && it.inputs.iter().all(|it| self.sure(&it.expr, facts)))
    }

    fn sure_of(&mut self, expr: &Expr, facts: &mut Facts) -> bool {
        match &expr.kind {
            ExprKind::Value(_)
            | ExprKind::Setting(_)
            | ExprKind::All(_)
            | ExprKind::Local(_)
            | ExprKind::Frontier(_)
            | ExprKind::Laid(_)
            | ExprKind::Repeated => true,
            ExprKind::SetOf(items) => self.all_sure(items, facts),
            ExprKind::Track(track, index) => {
                let of = self.shared.game.tracks.get(track.index());
                let domains = of.map(|it| it.index.clone()).unwrap_or_default();
                let domains = self.joined_index(index.len(), domains);
                self.index_sure(index, &domains, facts)
            }
            ExprKind::Table(table, index) => {
                let of = self.shared.game.tables.get(table.index());
                let domains = of.map(|it| it.index.clone()).unwrap_or_default();
                self.index_sure(index, &domains, facts)
            }
            ExprKind::Component(place)
            | ExprKind::Filled(place)
            | ExprKind::Count(place)
            | ExprKind::Kinds(place)
            | ExprKind::Top(place) => self.all_sure(&place.index, facts),
            ExprKind::CountOf(place, kind) => {
                self.all_sure(&place.index, facts) && self.sure(kind, facts)
            }
            ExprKind::Nth(place, n) => {
                self.all_sure(&place.index, facts) && self.surely_there(n, facts)
            }
            ExprKind::PlaceField(place, _) => {
                self.all_sure(&place.index, facts) && self.is_filled(place, facts)
            }
            ExprKind::Field(base, field) => {
                let spot = *field == 0
                    && matches!(base.ty.base, Base::Elem(domain) if self.is_parts(domain));
                self.sure(base, facts)
                    && self.is_there(base, facts)
                    && (!spot || self.names_laid(base, facts))
            }
            ExprKind::Make(domain, args) => self.make_sure(*domain, args, expr.ty, facts),
            ExprKind::Unary(op, part) => {
                self.sure(part, facts)
                    && match op {
                        UnaryOp::Ord | UnaryOp::Neg | UnaryOp::Abs => self.is_there(part, facts),
                        UnaryOp::FromOrd(domain) => {
                            let size = self.domain_size(*domain);
                            !part.ty.optional
                                && matches!(part.ty.base, Base::Int(lo, hi)
                                    if lo >= 0 && u64::try_from(hi).is_ok_and(|hi| hi < size))
                        }
                        UnaryOp::Not | UnaryOp::IsSome | UnaryOp::Opposite => true,
                    }
            }
            ExprKind::Binary(op, left, right) => {
                stays_within(expr.ty) && self.binary_sure(*op, left, right, facts)
            }
            ExprKind::If(cond, then, other) => {
                let mark = facts.mark();
                if !self.sure(cond, facts) {
                    return false;
                }
                self.learn(cond, true, facts);
                let first = self.sure(then, facts);
                facts.release(mark);
                self.learn(cond, false, facts);
                first && self.sure(other, facts)
            }
            ExprKind::Match(subject, arms, other) => {
                let covered = span_of(self.shared.game, subject.ty).is_some_and(|(_, n)| {
                    let values = arms.iter().map(|(values, _)| values.len() as u64);
                    !subject.ty.optional && values.sum::<u64>() >= n
                });
                self.sure(subject, facts)
                    && arms.iter().all(|(_, arm)| self.sure(arm, facts))
                    && match other {
                        Some(other) => self.sure(other, facts),
                        None => covered,
                    }
            }
            ExprKind::OrElse(value, other) => self.sure(value, facts) && self.sure(other, facts),
            ExprKind::Aggregate(aggregate) => self.aggregate_sure(aggregate, expr.ty, facts),
            ExprKind::Reach { start, var, step } => {
                if !self.sure(start, facts) {
                    return false;
                }
                if self.all_laid(expr, facts) {
                    self.learn_laid(*var, expr.ty, facts);
                }
                self.learn_in(*var, expr, facts);
                self.sure(step, facts)
            }
            ExprKind::Groups { over, var, step } => {
                if !self.sure(over, facts) {
                    return false;
                }
                let mut inner = facts.clone();
                self.learn_laid(*var, expr.ty, &mut inner);
                if self.all_laid(over, facts) && self.all_laid(step, &inner) {
                    self.learn_laid(*var, expr.ty, facts);
                }
                self.sure(step, facts)
            }
            ExprKind::Walk {
                way, from, cond, ..
            } => self.surely_there(way, facts) && self.sure(from, facts) && self.sure(cond, facts),
            ExprKind::Let(local, value, body) => {
                let ty = self.shared.local_type(*local);
                if !self.is_one(*local, value, facts) {
                    return false;
                }
                let one = Expr::local(*local, ty, value.span);
                if self.is_there(value, facts) {
                    facts.0.push(there(&one));
                }
                if self.names_laid(value, facts) {
                    facts.0.push(laid(&one));
                }
                self.sure(body, facts)
            }
            ExprKind::Call(id, args) => self.call_sure(*id, args, facts),
            ExprKind::Near(_, cell) | ExprKind::PartsAt(_, cell) => self.sure(cell, facts),
            ExprKind::Touching(part) | ExprKind::Loose(part) => {
                self.sure(part, facts) && self.is_there(part, facts) && self.names_laid(part, facts)
            }
            ExprKind::PartAtPort(spot, port) => self.sure(spot, facts) && self.sure(port, facts),
            ExprKind::Step { cell, way, count } => {
                self.sure(cell, facts)
                    && self.surely_there(way, facts)
                    && self.surely_there(count, facts)
            }
            // What is tried out may do anything.
            ExprKind::After(..) | ExprKind::Can(..) => false,
        }
    }

    fn all_sure(&mut self, all: &[Expr], facts: &mut Facts) -> bool {
        all.iter().all(|expr| self.sure(expr, facts))
    }

    /// An index that must be inside.
    pub(super) fn index_sure(
        &mut self,
        index: &[Expr],
        domains: &[DomainId],
        facts: &mut Facts,
    ) -> bool {
        index.iter().zip(domains).all(|(expr, domain)| {
            let (lo, size) = (self.domain_lo(*domain), self.domain_size(*domain));
            let inside = match expr.ty.base {
                Base::Int(from, to) => {
                    from >= lo && i128::from(to) < i128::from(lo) + i128::from(size)
                }
                Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => true,
            };
            inside && self.sure(expr, facts) && self.is_there(expr, facts)
        })
    }

    /// Whether a value is one that a type has.
    pub(super) fn fits(&self, value: &Expr, ty: Type, facts: &Facts) -> bool {
        within(value.ty, ty) && (ty.optional || self.is_there(value, facts))
    }

    fn make_sure(&mut self, domain: DomainId, args: &[Expr], ty: Type, facts: &mut Facts) -> bool {
        let fits = ty.optional
            || !self.is_parts(domain)
                && args.iter().enumerate().all(|(at, arg)| {
                    let field = self.field_shape(domain, at).map(|(_, _, ty)| ty);
                    field.is_some_and(|ty| self.fits(arg, ty, facts) || !is_scalar(ty))
                });
        fits && self.all_sure(args, facts)
    }

    fn binary_sure(&mut self, op: BinaryOp, left: &Expr, right: &Expr, facts: &mut Facts) -> bool {
        if !self.sure(left, facts) {
            return false;
        }
        if let BinaryOp::And | BinaryOp::Or = op {
            self.learn(left, op == BinaryOp::And, facts);
        }
        let there = !op.needs_both() || self.is_there(left, facts) && self.is_there(right, facts);
        there
            && self.sure(right, facts)
            && match (op, right.ty.base) {
                (BinaryOp::Div | BinaryOp::Mod, Base::Int(lo, hi)) => lo > 0 || hi < 0,
                (BinaryOp::Distance, Base::Elem(domain)) => !self.shared.are_apart(domain),
                _ => true,
            }
    }

    fn aggregate_sure(&mut self, aggregate: &Aggregate, ty: Type, facts: &mut Facts) -> bool {
        let single = matches!(
            aggregate.op,
            AggregateOp::Max
                | AggregateOp::Min
                | AggregateOp::Most
                | AggregateOp::Least
                | AggregateOp::First
                | AggregateOp::Last
        );
        let may_lack = single && is_scalar(ty) && !ty.optional && aggregate.default.is_none();
        let may_lack = may_lack && !self.is_of_some(aggregate, facts);
        let may_lack = may_lack && !self.shared.always(&some(aggregate.binders.clone()));
        let is_sum = matches!(aggregate.op, AggregateOp::Sum | AggregateOp::Product);
        if may_lack || is_sum && !stays_within(ty) {
            return false;
        }
        if let Some(default) = &aggregate.default
            && !self.sure(default, facts)
        {
            return false;
        }
        let mut binders = aggregate.binders.iter();
        binders.all(|it| self.binder_sure(it, facts))
            && aggregate.value.as_ref().is_none_or(|value| {
                self.sure(value, facts) && (!is_sum || self.is_there(value, facts))
            })
    }

    /// Whether a variable can be gone through; leaves what is known then.
    pub(super) fn binder_sure(&mut self, binder: &Binder, facts: &mut Facts) -> bool {
        let from = match &binder.order {
            Order::From(seat) => self.sure(seat, facts) && self.is_there(seat, facts),
            Order::Ascending | Order::Descending => true,
        };
        if !from || !self.over_sure(&binder.over, facts) {
            return false;
        }
        self.learn_binder(binder.local, &binder.over, facts);
        if let Some(guard) = &binder.guard {
            if !self.sure(guard, facts) {
                return false;
            }
            self.learn(guard, true, facts);
        }
        true
    }

    /// Whether a value can be had that is not none.
    fn surely_there(&mut self, expr: &Expr, facts: &mut Facts) -> bool {
        self.sure(expr, facts) && self.is_there(expr, facts)
    }

    /// Whether the elements of a variable can be had.
    pub(super) fn over_sure(&mut self, over: &Over, facts: &mut Facts) -> bool {
        match over {
            Over::Set(set) => self.sure(set, facts),
            Over::Zone(place) => self.all_sure(&place.index, facts),
            Over::Span(from, to) => self.surely_there(from, facts) && self.surely_there(to, facts),
        }
    }

    fn call_sure(&mut self, id: DefineId, args: &[Expr], facts: &mut Facts) -> bool {
        if !self.all_sure(args, facts) {
            return false;
        }
        if self.shared.gathered_in(id).is_some() {
            return true;
        }
        let Some(define) = self.shared.game.defines.get(id.index()) else {
            return false;
        };
        let fits = define.params.iter().zip(args).all(|(param, arg)| {
            let ty = self.shared.local_type(*param);
            within(arg.ty, ty) && (ty.optional || self.is_there(arg, facts))
        });
        fits && self.define_sure(id)
    }

    /// Whether a definition has a value for all arguments of its types.
    fn define_sure(&mut self, id: DefineId) -> bool {
        if let Some(known) = self.shared.sure_defines.get(&id) {
            return *known;
        }
        // One that calls itself may go too deep.
        self.shared.sure_defines.insert(id, false);
        let game = self.shared.game;
        let sure = !self.shared.graph.recursive(Callee::Define(id))
            && game.defines.get(id.index()).is_some_and(|define| {
                let facts = &mut Facts::default();
                within(define.body.ty, define.ty)
                    && (define.ty.optional || self.is_there(&define.body, facts))
                    && self.sure(&define.body, facts)
            });
        self.shared.sure_defines.insert(id, sure);
        sure
    }
}

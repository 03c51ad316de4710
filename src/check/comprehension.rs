//! Comprehensions, and what variables range over.

use super::family::Family;
use crate::diagnostic::codes;
use crate::limits::MOST_ELEMENTS;
use crate::model::{
    AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, Order, Over, Place,
    Type, ZoneId, arith,
};
use crate::source::Span;
use crate::syntax::ast;

use super::aggregate::aggregate;
use super::holders::number;
use super::operator::present;
use super::thing::Thing;
use super::{Checked, Checker, Entity, Reported, bounds};

/// The most copies that the bounds of a count assume.
const MANY: i64 = arith::MOST;

/// A comprehension whose parts are checked.
pub(super) struct Parts {
    pub(super) binders: Vec<Binder>,
    pub(super) value: Option<Expr>,
    pub(super) by: Option<Expr>,
}

impl Checker<'_> {
    /// A set, or a zone or type taken as one.
    #[inline(never)]
    pub(super) fn any_set(&mut self, expr: &ast::Expr, member: Option<Base>) -> Checked<Expr> {
        let hint = match member {
            Some(Base::Elem(id)) => Some(Type::of(Base::Set(id))),
            _ => None,
        };
        match self.thing(expr, hint)? {
            Thing::Place(place) => {
                let component = self
                    .game
                    .zones
                    .get(place.zone.index())
                    .map(|it| it.component);
                let ty = Type::of(Base::Elem(component.ok_or(Reported)?));
                let domain = self.domain_of(ty, expr.span)?;
                Ok(Expr::set(ExprKind::Kinds(place), domain, expr.span))
            }
            Thing::Family(all) => self.kinds_anywhere(&all, expr.span),
            thing => self.as_value(thing, hint, expr.span),
        }
    }

    /// The kinds that lie in any place of a zone.
    fn kinds_anywhere(&mut self, family: &Family, span: Span) -> Checked<Expr> {
        let (mut binders, place) = self.each_in(family, span);
        let element = Type::of(Base::Elem(self.component_of(family.zone)?));
        let domain = self.domain_of(element, span)?;
        let local = self.fresh("it", element, span);
        binders.push(Binder::over(local, Over::Zone(place)));
        let value = self.local(local, span);
        let ty = Type::of(Base::Set(domain));
        Ok(aggregate(
            AggregateOp::Collect,
            binders,
            Some(value),
            ty,
            span,
        ))
    }

    /// `{ x in S where P }` and `{ E for x in S }` as a set.
    #[inline(never)]
    pub(super) fn collected(
        &mut self,
        it: &ast::Comprehension,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        if let Some(by) = &it.by {
            return Err(self.complain(
                codes::NOT_A_SET,
                by.span,
                "a set has no order to choose by",
                "write `most` or `least` before the brace",
            ));
        }
        let element = match want.map(|it| it.base) {
            Some(Base::Set(domain)) => Some(self.element(domain)),
            _ => None,
        };
        // A set takes what may be missing, and leaves it out.
        let mut parts = self.comprehension(it, element.map(Type::or_none))?;
        if let ([_], [_, .., last], None) = (
            it.binders.as_slice(),
            parts.binders.as_slice(),
            &parts.value,
        ) {
            parts.value = Some(self.local(last.local, span));
        }
        let ty = match &parts.value {
            Some(value) => value.ty,
            None => self.binder_type(&parts.binders),
        };
        let mut ty = Type::of(ty.base);
        if let (Some(wanted), Base::Int(lo, hi)) = (element, ty.base)
            && let Base::Int(least, most) = wanted.base
            && (parts.value.is_some() || (least, most) == (lo, hi))
            && least <= lo
            && hi <= most
        {
            ty = wanted;
        }
        let domain = self.domain_of(ty, span)?;
        let set = Type::of(Base::Set(domain));
        Ok(aggregate(
            AggregateOp::Collect,
            parts.binders,
            parts.value,
            set,
            span,
        ))
    }

    /// Checks binders, value and figure of a comprehension; its names end with it.
    #[inline(never)]
    pub(super) fn comprehension(
        &mut self,
        it: &ast::Comprehension,
        value: Option<Type>,
    ) -> Checked<Parts> {
        self.scoped(|this| {
            let mut binders = Vec::new();
            let mut failed = false;
            for binder in &it.binders {
                // The best are chosen among kinds.
                let made = match &it.by {
                    Some(_) => this.binder(binder, false).map(|it| vec![it]),
                    None => this.binders(binder, false),
                };
                match made {
                    Ok(made) => binders.extend(made),
                    Err(Reported) => {
                        this.bind_as(&binder.name, super::scope::Binding::Failed);
                        failed = true;
                    }
                }
            }
            let value = it
                .map
                .as_ref()
                .map(|map| this.value(map, value))
                .transpose();
            let by = it.by.as_ref().map(|by| this.value(by, None)).transpose();
            if failed {
                return Err(Reported);
            }
            Ok(Parts {
                binders,
                value: value?,
                by: by?,
            })
        })
    }

    /// Checks a binder; its name is bound from here on. What runs through a zone of many places runs through the places first.
    pub(super) fn binders(&mut self, it: &ast::Binder, backwards: bool) -> Checked<Vec<Binder>> {
        let Some(zone) = self.family_named(&it.set) else {
            return Ok(vec![self.binder(it, backwards)?]);
        };
        let (mut binders, index) = self.each_place(&self.index_of(zone), it.set.span);
        let element = Type::of(Base::Elem(self.component_of(zone)?));
        self.domain_of(element, it.set.span)?;
        let local = self.bind_element(&it.name, element);
        let guard = self.guard_of(it)?;
        binders.push(Binder::over(local, Over::Zone(Place { zone, index })).guarded(guard));
        if backwards {
            binders
                .iter_mut()
                .for_each(|it| it.order = Order::Descending);
        }
        Ok(binders)
    }

    /// The zone of many places whose bare name an expression is.
    pub(super) fn family_named(&mut self, set: &ast::Expr) -> Option<ZoneId> {
        let ast::ExprKind::Name(name) = &set.kind else {
            return None;
        };
        if self.binding(name.as_str()).is_some() {
            return None;
        }
        let Some(Ok(Entity::Zone(zone))) = self.named(name.as_str()) else {
            return None;
        };
        (!self.index_of(zone).is_empty()).then_some(zone)
    }

    fn guard_of(&mut self, it: &ast::Binder) -> Checked<Option<Expr>> {
        let guard = it.condition.as_ref();
        guard.map(|it| self.condition(it)).transpose()
    }

    /// Checks a binder; its name is bound from here on.
    #[inline(never)]
    pub(super) fn binder(&mut self, it: &ast::Binder, backwards: bool) -> Checked<Binder> {
        let (over, element, order) = self.ordered_over(&it.set)?;
        let local = self.bind_element(&it.name, element);
        let guard = self.guard_of(it)?;
        let order = match (order, backwards) {
            (Order::Ascending, true) => Order::Descending,
            (order, _) => order,
        };
        Ok(Binder::over(local, over).ordered(order).guarded(guard))
    }

    #[inline(never)]
    pub(super) fn ordered_over(&mut self, set: &ast::Expr) -> Checked<(Over, Type, Order)> {
        if let ast::ExprKind::Call(call) = &set.kind
            && call.name.text == "seats_from"
            && !self.names.contains_key("seats_from")
        {
            let [from] = call.args.as_slice() else {
                let message = "`seats_from` takes one argument";
                return Err(self.error(codes::WRONG_ARGUMENTS, set.span, message));
            };
            let from = self.seat_of(&from.value)?;
            let all = Expr::all(self.game.seat, set.span);
            return Ok((Over::Set(all), self.seat_type(), Order::From(from)));
        }
        let (over, element) = self.over(set)?;
        Ok((over, element, Order::Ascending))
    }

    /// What a variable ranges over, and the type of its values.
    #[inline(never)]
    pub(super) fn over(&mut self, set: &ast::Expr) -> Checked<(Over, Type)> {
        if let ast::ExprKind::Range { from, to } = &set.kind {
            let (low, high) = self.range_ends(from, to)?;
            let fixed = self.constant(&low).is_some() && self.constant(&high).is_some();
            if !fixed && matches!(low.ty.base, Base::Int(..)) {
                let (low, high) = (present(low), present(high));
                let ((lo, _), (_, hi)) = (bounds::of(&low), bounds::of(&high));
                if hi.saturating_sub(lo).unsigned_abs() >= MOST_ELEMENTS {
                    return Err(self.complain(
                        codes::TOO_MANY_ELEMENTS,
                        set.span,
                        format!("these may be the numbers from {lo} to {hi}: nothing says that they are fewer"),
                        "give what it comes from closer bounds, `0..20` for `int`, or leave some out: `n in 1..100 where n <= high`",
                    ));
                }
                let ty = bounds::number(lo, hi.max(lo));
                self.domain_of(ty, set.span)?;
                return Ok((Over::Span(low, high), ty));
            }
        }
        match self.thing(set, None)? {
            Thing::Place(place) => {
                let component = self
                    .game
                    .zones
                    .get(place.zone.index())
                    .map(|it| it.component);
                let ty = Type::of(Base::Elem(component.ok_or(Reported)?));
                self.domain_of(ty, set.span)?;
                Ok((Over::Zone(place), ty))
            }
            thing => {
                let value = match thing {
                    Thing::Family(all) => self.kinds_anywhere(&all, set.span)?,
                    thing => self.as_value(thing, None, set.span)?,
                };
                let Base::Set(domain) = value.ty.base else {
                    let of = self.type_name(value.ty);
                    return Err(self.complain(
                        codes::NOT_A_SET,
                        set.span,
                        format!("this is {of}, not a set"),
                        "use a set in braces, a type, a zone or a range",
                    ));
                };
                let element = self.element(domain);
                Ok((Over::Set(value), element))
            }
        }
    }

    /// A range as a set whose ends are not constant.
    #[inline(never)]
    pub(super) fn span_set(&mut self, low: Expr, high: Expr, span: Span) -> Checked<Expr> {
        let Base::Int(..) = low.ty.base else {
            return Err(self.complain(
                codes::NOT_CONSTANT,
                span,
                "a range of names must be known before play",
                "use a set with a condition: `{ x in Rank where x <= y }`",
            ));
        };
        let ((lo, _), (_, hi)) = (bounds::of(&low), bounds::of(&high));
        let element = bounds::number(lo, hi.max(lo));
        let domain = self.domain_of(element, span)?;
        let local = self.fresh("it", element, span);
        let binder = Binder::over(local, Over::Span(low, high));
        let ty = Type::of(Base::Set(domain));
        Ok(aggregate(
            AggregateOp::Collect,
            vec![binder],
            None,
            ty,
            span,
        ))
    }

    /// Puts the members of a set into a wider domain.
    pub(super) fn fit_set(&mut self, set: Expr, domain: DomainId) -> Checked<Expr> {
        let ty = Type::of(Base::Set(domain));
        let (Base::Set(from), span) = (set.ty.base, set.span) else {
            return Err(self.mismatch(&set, ty));
        };
        let (Base::Int(a, b), Base::Int(c, d)) =
            (self.element(from).base, self.element(domain).base)
        else {
            return Err(self.mismatch(&set, ty));
        };
        if a > d || b < c {
            return Err(self.mismatch(&set, ty));
        }
        let local = self.fresh("it", self.element(from), span);
        let value = self.local(local, span);
        let guard = (a < c || b > d).then(|| {
            let (from, to) = (number(c, span), number(d, span));
            let ends = [(from, value.clone()), (value.clone(), to)];
            let [low, high] = ends.map(|(left, right)| {
                Expr::truth(ExprKind::binary(BinaryOp::Le, left, right), span)
            });
            Expr::truth(ExprKind::binary(BinaryOp::And, low, high), span)
        });
        let binder = Binder::over(local, set).guarded(guard);
        Ok(aggregate(
            AggregateOp::Collect,
            vec![binder],
            Some(value),
            ty,
            span,
        ))
    }

    pub(super) fn binder_over_set(&mut self, set: Expr) -> Checked<Binder> {
        let Base::Set(domain) = set.ty.base else {
            let of = self.type_name(set.ty);
            return Err(self.complain(
                codes::NOT_A_SET,
                set.span,
                format!("this is {of}, not a set"),
                "use a set in braces, a type, a zone or a range",
            ));
        };
        let element = self.element(domain);
        let local = self.fresh("it", element, set.span);
        Ok(Binder::over(local, set))
    }

    /// The members of a set or zone, each as the value of a comprehension.
    pub(super) fn each_of(&mut self, operand: &ast::Expr, member: Type) -> Checked<(Binder, Expr)> {
        let binder = if let ast::ExprKind::Comprehension(it) = &operand.kind {
            let set = self.collected(it, None, operand.span)?;
            self.binder_over_set(set)?
        } else {
            let set = self.any_set(operand, Some(member.base))?;
            self.binder_over_set(set)?
        };
        let value = self.local(binder.local, operand.span);
        Ok((binder, value))
    }

    pub(super) fn binder_type(&self, binders: &[Binder]) -> Type {
        binders
            .first()
            .map_or(Type::UNIT, |it| self.local_type(it.local))
    }

    /// The most combinations that binders have.
    pub(super) fn most_combinations(&mut self, binders: &[Binder]) -> i64 {
        let mut most = 1_i64;
        for binder in binders {
            let here = match &binder.over {
                Over::Zone(place) => self.capacity(&place.clone()),
                Over::Set(set) => match &set.kind {
                    ExprKind::SetOf(items) => i64::try_from(items.len()).unwrap_or(MANY),
                    _ => self.members(binder.local),
                },
                Over::Span(..) => self.members(binder.local),
            };
            most = most.saturating_mul(here);
        }
        most.clamp(0, MANY)
    }

    pub(super) fn members(&self, local: LocalId) -> i64 {
        let ty = self.local_type(local);
        i64::try_from(self.values(ty)).unwrap_or(MANY)
    }

    /// The most components at a place: as many as it takes, or as there are.
    pub(super) fn capacity(&mut self, place: &Place) -> i64 {
        self.most_at(place).0
    }

    /// How many things can lie at a place at most, and how many of one kind.
    pub(super) fn most_at(&mut self, place: &Place) -> (i64, i64) {
        let Some(zone) = self.game.zones.get(place.zone.index()) else {
            return (MANY, MANY);
        };
        let (component, room) = (zone.component, zone.capacity.map(i64::from));
        let (all, alike) = self.most_copies(component);
        room.map_or((all, alike), |room| (room, room.min(alike)))
    }

    /// How many copies of a component there are, and how many of one kind at most.
    fn most_copies(&mut self, component: DomainId) -> (i64, i64) {
        if let Some(copies) = self.copies_known.get(&component) {
            return *copies;
        }
        self.copies_known.insert(component, (MANY, MANY));
        let copies = self.copies_by_kind(component).map_or((MANY, MANY), |it| {
            let number = |it: u64| i64::try_from(it).unwrap_or(MANY);
            (
                number(it.iter().sum()),
                number(it.into_iter().max().unwrap_or(0)),
            )
        });
        self.copies_known.insert(component, copies);
        copies
    }
}

//! Loops over coordinates as loops over places.

use std::collections::HashMap;

use super::Shared;
use super::flood::asked_of;
use super::inline::{mentions, substitute};
use super::mask::{conjuncts, is_local};
use super::related::{some, with};
use super::sure::within;
use super::through::{is_nowhere, put};
use super::unroll::{cases_of, joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, DomainKind, Expr, ExprKind, Field,
    LocalId, NONE, Node, NodeMut, Order, Over, Type, UnaryOp, change, each_in_expr,
};

/// Fewest numbers that are asked as places.
const FEWEST_PLACES: usize = 3;

impl Shared<'_> {
    /// `count { c in 1..8, r in 1..8 where P(Cell(c, r)) }` is `count { q in Cell where P(q) }`, and so wherever
    /// the order does not matter: nothing may fault.
    pub(super) fn by_places(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let is_unordered = matches!(
            aggregate.op,
            AggregateOp::Count
                | AggregateOp::Some
                | AggregateOp::No
                | AggregateOp::Every
                | AggregateOp::Sum
        );
        if !is_unordered || aggregate.binders.len() < 2 {
            return None;
        }
        let (space, locals) = self.coordinates(aggregate)?;
        Some(expr.with_kind(self.over_places(aggregate, space, &locals)?))
    }

    pub(super) fn axes(&self, space: DomainId) -> Option<&[Field]> {
        match &self.game.domains.get(space.index())?.kind {
            DomainKind::Space { axes, .. } => Some(axes),
            _ => None,
        }
    }

    /// The space of which the first variables are the coordinates, and these in the order of its axes.
    fn coordinates(&self, aggregate: &Aggregate) -> Option<(DomainId, Vec<LocalId>)> {
        let mut found = None;
        let mut note = |node: Node<'_>| {
            let Node::Expr(expr) = node else { return };
            if let ExprKind::Make(space, args) = &expr.kind
                && found.is_none()
            {
                found = self.made_of(*space, args, aggregate);
            }
        };
        let guards = aggregate.binders.iter().filter_map(|it| it.guard.as_ref());
        for part in guards.chain(&aggregate.value) {
            note(Node::Expr(part));
            each_in_expr(part, &mut note);
        }
        found
    }

    fn made_of(
        &self,
        space: DomainId,
        args: &[Expr],
        aggregate: &Aggregate,
    ) -> Option<(DomainId, Vec<LocalId>)> {
        let first = aggregate.binders.get(..args.len())?;
        let axes = self.axes(space)?;
        let mut locals = Vec::new();
        for (arg, axis) in args.iter().zip(axes) {
            // A coordinate, or what is worked out of one: `Cell(c + 1, r)`.
            let mut of = first.iter().map(|it| it.local);
            let local = of.find(|it| mentions(arg, &[*it]))?;
            let alone = of.all(|it| !mentions(arg, &[it]));
            let ty = self.local_type(local);
            if !alone || locals.contains(&local) || ty.optional || !within(ty, axis.ty) {
                return None;
            }
            locals.push(local);
        }
        (locals.len() > 1 && locals.len() == axes.len()).then_some((space, locals))
    }

    fn over_places(
        &mut self,
        aggregate: &Aggregate,
        space: DomainId,
        locals: &[LocalId],
    ) -> Option<Aggregate> {
        let place = Type::of(crate::model::Base::Elem(space));
        let span = aggregate.binders.first()?.guard.as_ref().map(|it| it.span);
        let span = span.unwrap_or_default();
        let axes = self.axes(space)?.to_vec();
        let local = self.new_local(place);
        let here = Expr::local(local, place, span);
        let coordinate =
            |at: usize, ty: Type| Expr::new(ExprKind::Field(Box::new(here.clone()), at), ty, span);
        let (first, rest) = aggregate.binders.split_at_checked(locals.len())?;
        let mut binder = first.last()?.clone();
        binder.local = local;
        binder.guard = None;
        binder.over = Over::Set(Expr {
            kind: ExprKind::All(space),
            ty: Type::of(crate::model::Base::Set(space)),
            span,
        });
        let mut by = HashMap::new();
        for one in first {
            let at = locals.iter().position(|it| *it == one.local)?;
            let axis = axes.get(at)?;
            let set = one.over.as_set()?;
            let is_ascending = matches!(one.order, Order::Ascending);
            if mentions(set, locals) || !is_ascending || self.reads_state(set) {
                return None;
            }
            let whole = matches!(set.kind, ExprKind::All(_))
                && self.local_type(one.local).base == axis.ty.base;
            if !whole {
                let among = joined(BinaryOp::In, coordinate(at, axis.ty), set.clone());
                binder = with(binder, among);
            }
            by.insert(one.local, coordinate(at, axis.ty));
        }
        for guard in first.iter().filter_map(|it| it.guard.clone()) {
            binder = with(binder, guard);
        }
        let mut by_place = aggregate.clone();
        by_place.binders = std::iter::once(binder)
            .chain(rest.iter().cloned())
            .collect();
        let rename = |it: &mut Self, expr: &mut Expr| {
            substitute(expr, &by);
            it.said_as_steps(expr, space);
        };
        for binder in &mut by_place.binders {
            if let Over::Set(set) = &mut binder.over {
                rename(self, set);
            }
            binder.guard.iter_mut().for_each(|it| rename(self, it));
            binder.guard.iter_mut().for_each(|it| self.say_there(it));
        }
        by_place.value.iter_mut().for_each(|it| rename(self, it));
        let spans = |it: &Over| !matches!(it, Over::Set(_));
        (!by_place.binders.iter().any(|it| spans(&it.over))).then_some(by_place)
    }
}

impl Shared<'_> {
    /// Says places beside one as steps, which may lead nowhere; what is made of them is nothing then.
    pub(super) fn said_as_steps(&mut self, expr: &mut Expr, space: DomainId) {
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.said_as_steps(part, space);
            }
        });
        if let Some(step) = self
            .as_step(expr)
            .filter(|it| it.ty.base == Base::Elem(space))
        {
            *expr = step;
        }
        let made = match &mut expr.kind {
            ExprKind::Table(_, args) | ExprKind::Make(_, args) if expr.ty.optional => args,
            _ => return,
        };
        let mut named = Vec::new();
        for arg in made
            .iter_mut()
            .filter(|it| matches!(it.kind, ExprKind::Step { .. }))
        {
            let there = Type::of(arg.ty.base);
            let local = self.new_local(arg.ty);
            let name = Expr::local(local, there, arg.span);
            named.push((local, std::mem::replace(arg, name)));
        }
        for (local, step) in named.into_iter().rev() {
            let kind = ExprKind::Local(local);
            let some = ExprKind::unary(UnaryOp::IsSome, step.with_kind(kind));
            let some = Expr::truth(some, step.span);
            let none = expr.with_kind(ExprKind::Value(NONE));
            let there = ExprKind::choice(some, expr.clone(), none);
            let there = expr.with_kind(there);
            expr.kind = ExprKind::Let(local, Box::new(step), Box::new(there));
        }
    }
}

impl Shared<'_> {
    /// `count { i in -1..1, j in -1..1 where Q(i, j) and P(Cell(a + i, b + j)) }` is
    /// `count { t in { Cell(a + i, b + j) for i in -1..1, j in -1..1 where Q(i, j) } where P(t) }`, where each combination leads to a
    /// place of its own.
    pub(super) fn counted_places(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr
            .as_aggregate()
            .filter(|it| it.op == AggregateOp::Count)?;
        Some(expr.with_kind(self.of_places(aggregate)?))
    }

    fn of_places(&mut self, aggregate: &Aggregate) -> Option<Aggregate> {
        let locals: Vec<LocalId> = aggregate.binders.iter().map(|it| it.local).collect();
        // One number alone may be that of a row, or of a step in a line.
        if let [local] = locals.as_slice()
            && !matches!(self.local_type(*local).base, Base::Elem(_))
        {
            return None;
        }
        let (mut binders, mut conds) = (aggregate.binders.clone(), Vec::new());
        for binder in &mut binders {
            if !matches!(&binder.over, Over::Set(set) if !self.reads_state(set)) {
                return None;
            }
            let guard = binder.guard.take().map(|it| self.without_names(it));
            let mut parts = Vec::new();
            guard.iter().for_each(|it| conjuncts(it, &mut parts));
            conds.extend(parts.into_iter().cloned());
        }
        let (asked, kept): (Vec<Expr>, Vec<Expr>) =
            conds.into_iter().partition(|it| self.reads_state(it));
        let place = asked.iter().find_map(|it| led_in_cases(it, &[&locals]))?;
        let (ty, Base::Elem(space)) = (Type::of(place.ty.base), place.ty.base) else {
            return None;
        };
        let t = self.new_local(ty);
        let mut of_place = asked;
        of_place
            .iter_mut()
            .for_each(|it| self.put_alike(it, &place, t, ty));
        let mut of_place = of_place.into_iter();
        let first = of_place.next()?;
        let is_out = !is_nowhere(&first, t) && !self.leads_always(&binders, kept.clone(), &place);
        let of_place = of_place.fold(first, Expr::and);
        if mentions(&of_place, &locals) || is_out || self.reads_state(&place) {
            return None;
        }
        let there = place.ty.optional.then(|| place.clone().is_there());
        let all = kept.into_iter().chain(there);
        binders.last_mut()?.guard = all.reduce(Expr::and);
        let combined = aggregate.with_binders(binders);
        let number =
            |of: Aggregate| Expr::new(of, Type::of(Base::Int(0, i64::from(u32::MAX))), place.span);
        let mut places = Expr {
            ty: Type::of(Base::Set(space)),
            ..number(Aggregate {
                op: AggregateOp::Collect,
                value: Some(place.clone()),
                ..combined.clone()
            })
        };
        self.rename(&mut places);
        let mut by_place = aggregate.with_binders(vec![Binder::over(t, places)]);
        let alike = joined(BinaryOp::Eq, number(combined), number(by_place.clone()));
        if !self.always(&alike) {
            return None;
        }
        by_place.binders.last_mut()?.guard = Some(of_place);
        Some(by_place)
    }

    /// Whether there is a place wherever something is asked of it: a condition before says so, or what the variables may be.
    pub(super) fn leads_always(
        &mut self,
        binders: &[Binder],
        conds: Vec<Expr>,
        place: &Expr,
    ) -> bool {
        if !place.ty.optional {
            return true;
        }
        let mut binders = binders.to_vec();
        let known = conds.into_iter().filter(|it| !self.reads_state(it));
        let missing = known.reduce(Expr::and).into_iter();
        let missing = missing.chain([not(place.clone().is_there())]);
        if let (Some(last), Some(missing)) = (binders.last_mut(), missing.reduce(Expr::and)) {
            *last = with(last.clone(), missing);
        }
        let mut missing = some(binders);
        self.rename(&mut missing);
        self.always(&not(missing))
    }

    /// Writes what names stand for, where that is the same in every position.
    pub(super) fn without_names(&self, mut expr: Expr) -> Expr {
        change::parts_of_expr(&mut expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                *part = self.without_names(part.clone());
            }
        });
        match expr.kind {
            ExprKind::Let(local, value, mut body) if !self.reads_state(&value) => {
                substitute(&mut body, &HashMap::from([(local, *value)]));
                *body
            }
            kind => Expr { kind, ..expr },
        }
    }
}

impl Shared<'_> {
    /// `no { k in 1..8 where P(Cell(k, r)) }` asks the places of a row: `no { t in { Cell(k, r) for k in 1..8 } where P(t) }`. Where it
    /// asks `P` or `Q`, each of the places of its own. Nothing may fault, and nowhere is what is asked met.
    pub(super) fn asked_of_places(&mut self, expr: &mut Expr) {
        self.say_of_sure(expr, Self::in_places_asked);
    }

    fn in_places_asked(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let (binder, asked) = (aggregate.only_binder()?, asked_of(aggregate)?);
        let few = self
            .few_of(binder)
            .is_some_and(|it| it.len() < FEWEST_PLACES);
        if few || !matches!(self.local_type(binder.local).base, Base::Int(..)) {
            return None;
        }
        let mut cases = Vec::new();
        cases_of(&asked, &mut cases);
        let is_every = aggregate.op == AggregateOp::Every;
        let parts = cases
            .into_iter()
            .map(|case| self.in_places(binder, case, is_every));
        let all = parts.collect::<Option<Vec<_>>>()?.into_iter();
        let some = all.reduce(Expr::or)?;
        let asks = aggregate.op == AggregateOp::Some;
        Some(if asks { some } else { not(some) })
    }

    /// Whether one of the places to which a number leads is as asked.
    fn in_places(&mut self, binder: &Binder, case: &Expr, is_every: bool) -> Option<Expr> {
        let place = led_by(case, &[&[binder.local]])?;
        let space = place.ty.base.element_of()?;
        let (t, ty) = (
            self.new_local(Type::of(place.ty.base)),
            Type::of(place.ty.base),
        );
        let mut of_place = case.clone();
        put(&mut of_place, &place, t, ty);
        let is_made = match place.kind {
            ExprKind::Make(..) => true,
            // In a loop over numbers they may be those before one at which something is asked.
            ExprKind::Step { .. } => !counts_on(&binder.over),
            _ => false,
        };
        let is_made = is_made && !self.reads_state(&place);
        // That each of some has something is a question about a line.
        let is_bare = !is_every && is_empty(&of_place, t);
        let is_told = !place.ty.optional && (is_bare || is_told(&of_place, t));
        let is_asked = is_told || is_nowhere(&of_place, t);
        let is_asked = is_asked && !mentions(&of_place, &[binder.local]);
        if !is_made || !is_asked || !self.reads_state(case) {
            return None;
        }
        let places =
            Aggregate::over(AggregateOp::Collect, vec![binder.unguarded()]).of(place.clone());
        let mut places = Expr::set(places, space, place.span);
        self.rename(&mut places);
        Some(some(vec![Binder::over(t, places).guarded(of_place)]))
    }
}

/// Whether a condition is first of all that a track has a value at a place: `hue[t] == red`, `wall[t]`.
fn is_told(cond: &Expr, place: LocalId) -> bool {
    let is_it = |it: &Expr| match &it.kind {
        ExprKind::Track(_, index) => matches!(&**index, [one] if is_local(one, place)),
        _ => false,
    };
    match &cond.kind {
        ExprKind::Binary(BinaryOp::Eq, left, right) => is_it(left) || is_it(right),
        ExprKind::Binary(BinaryOp::And, left, _) => is_told(left, place),
        ExprKind::Unary(UnaryOp::IsSome, part) => is_it(part),
        _ => is_it(cond),
    }
}

fn is_empty(cond: &Expr, place: LocalId) -> bool {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, part) => match &part.kind {
            ExprKind::Filled(at) => matches!(&*at.index, [one] if is_local(one, place)),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the bounds of a span hang on a number that another loop goes through.
fn counts_on(over: &Over) -> bool {
    let Over::Span(from, to) = over else {
        return false;
    };
    let is_number =
        |it: &Expr| matches!(it.kind, ExprKind::Local(_)) && matches!(it.ty.base, Base::Int(..));
    [from, to].into_iter().any(|bound| {
        let mut found = is_number(bound);
        each_in_expr(bound, &mut |node| {
            found |= matches!(node, Node::Expr(it) if is_number(it))
        });
        found
    })
}

/// The place that a condition asks for by way of one variable of each of these.
pub(super) fn led_by(cond: &Expr, variables: &[&[LocalId]]) -> Option<Expr> {
    let (mut found, mut bound) = (None, Vec::new());
    each_in_expr(cond, &mut |node| match node {
        Node::Binds(local) => bound.push(local),
        Node::Expr(expr) => {
            let is_made = match expr.kind {
                ExprKind::Step { .. } | ExprKind::Make(..) => true,
                // Places that are listed one by one stand in tables.
                ExprKind::Table(..) => matches!(expr.ty.base, Base::Elem(_)),
                _ => false,
            };
            if is_made && found.is_none() && variables.iter().all(|it| mentions(expr, it)) {
                found = Some(expr.clone());
            }
        }
        Node::Stmt(_) => {}
    });
    found.filter(|it| !mentions(it, &bound))
}

/// The same, also of what is a place in some cases, as the edge to where a step leads.
pub(super) fn led_in_cases(cond: &Expr, variables: &[&[LocalId]]) -> Option<Expr> {
    let (mut found, mut bound) = (None, Vec::new());
    each_in_expr(cond, &mut |node| match node {
        Node::Binds(local) => bound.push(local),
        Node::Expr(expr) => {
            let is_case = matches!(expr.kind, ExprKind::Let(..) | ExprKind::If(..));
            let is_place = is_case && matches!(expr.ty.base, Base::Elem(_));
            if is_place && found.is_none() && variables.iter().all(|it| mentions(expr, it)) {
                found = Some(expr.clone());
            }
        }
        Node::Stmt(_) => {}
    });
    let found = found.filter(|it| {
        each_in_expr(it, &mut |node| {
            if let Node::Binds(own) = node {
                bound.retain(|local| *local != own);
            }
        });
        !mentions(it, &bound)
    });
    found.or_else(|| led_by(cond, variables))
}

/// Writes a variable for the place with these coordinates.
pub(super) fn to_place(expr: &mut Expr, space: DomainId, locals: &[LocalId], here: &Expr) {
    if let ExprKind::Make(of, args) = &expr.kind
        && *of == space
    {
        let named = args.iter().map(|arg| match arg.kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        });
        if named.eq(locals.iter().map(|it| Some(*it))) {
            *expr = here.clone();
            return;
        }
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            to_place(part, space, locals, here);
        }
    });
}

/// Whether a place is made of a local.
pub(super) fn makes_of(expr: &Expr, local: LocalId) -> bool {
    let mut found = false;
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(part) = node {
            found |= matches!(part.kind, ExprKind::Make(..)) && mentions(part, &[local]);
        }
    });
    found
}

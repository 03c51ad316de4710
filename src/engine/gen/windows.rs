//! Places in a row that are asked one by one, as walks there and back.

use std::collections::{BTreeMap, HashMap};

use super::Shared;
use super::grown::asked_of_member;
use super::inline::{mentions, substitute};
use super::mask::{conjuncts, is_local};
use super::places_on::{From, add, step_from};
use super::question::Question;
use super::related::some;
use super::steps;
use super::structure::same;
use super::through::{is_nowhere, put};
use super::unroll::{MOST_NUMBERS, cases_of, joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, DomainId, Expr, ExprKind, LocalId, NodeMut,
    Over, Type, UnaryOp, change,
};
use crate::source::Span;

/// Places in a row from one of them on, and what is asked of each.
struct Row {
    /// How many steps on the first and the last lie.
    first: i64,
    last: i64,
    /// What is asked of a place, by that variable.
    place: LocalId,
    asked: Expr,
    /// One that has to be among them.
    through: Option<Expr>,
    /// Whether nothing is asked of the place from which the others are counted, as if it were one of them.
    around: bool,
}

impl Shared<'_> {
    /// `some { a in Cell, d in D where P(a) and P(step(a, d)) and P(step(a, d, 2)) and q in { a, step(a, d), step(a, d, 2) } }`
    /// is `P(q) and some { d in D where 1 + count (walk d from q while x: P(x)) + … >= 3 }`; the same where the first place
    /// is so many steps back from `q`, for each number of them.
    pub(super) fn row_as_walks(&mut self, expr: &Expr) -> Option<Expr> {
        if let Some((one, other)) = expr.operands_of(BinaryOp::Or) {
            let both = self.on_both_ways(one, other)?;
            return self.surely(&both).then_some(both);
        }
        let aggregate = expr.as_aggregate()?;
        if !matches!(aggregate.op, AggregateOp::Some | AggregateOp::No) || aggregate.value.is_some()
        {
            return None;
        }
        let mut question = Question::of(aggregate.binders.clone());
        question.open();
        question
            .conds
            .iter_mut()
            .for_each(|it| self.with_places(it));
        let said = match question.binders.len() {
            1 => self
                .row_of_cases(&question)
                .or_else(|| self.rows_on_known_ways(&question))
                .or_else(|| self.rows_around(&question))
                .or_else(|| self.row_of_nested(&question)),
            2 => self.row_of_one(&question),
            _ => None,
        }?;
        let is_sure = self.surely(expr) && self.surely(&said);
        is_sure.then(|| match aggregate.op {
            AggregateOp::No => not(said),
            _ => said,
        })
    }

    /// Puts definitions in place that name some places.
    pub(super) fn with_places(&mut self, expr: &mut Expr) {
        if let Some(body) = self.looked_up(expr) {
            let body = self.few_places(&body).unwrap_or(body);
            if matches!(body.kind, ExprKind::SetOf(_)) {
                *expr = body;
                return;
            }
        }
        if let Some(step) = self.as_step(expr) {
            *expr = step;
            return;
        }
        if let Some(places) = self.few_places(expr) {
            *expr = places;
        }
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.with_places(part);
            }
        });
    }

    /// `{ step(q, d, k) for k in 0..2 }` is `{ q, step(q, d), step(q, d, 2) }`.
    fn few_places(&mut self, expr: &Expr) -> Option<Expr> {
        let aggregate = expr.as_aggregate()?;
        let (AggregateOp::Collect, [binder], Some(value)) =
            (aggregate.op, aggregate.binders.as_slice(), &aggregate.value)
        else {
            return None;
        };
        let is_place = matches!(value.kind, ExprKind::Step { .. } | ExprKind::Make(..));
        let is_number = matches!(self.local_type(binder.local).base, Base::Int(..));
        if !is_place || !is_number || binder.guard.is_some() || self.reads_state(value) {
            return None;
        }
        let numbers = self.few_of(binder)?.into_iter();
        let places = numbers.map(|number| self.with_number(value, binder.local, number));
        Some(expr.with_kind(ExprKind::SetOf(places.collect())))
    }

    /// Some row anywhere.
    pub(super) fn row_of_one(&mut self, question: &Question) -> Option<Expr> {
        let [one, other] = question.binders.as_slice() else {
            return None;
        };
        let is_way = |it: &Binder| {
            question
                .conds
                .iter()
                .any(|c| step_from(c, it.local).is_some())
        };
        let [first, ways] = match is_way(other) {
            true => [one, other],
            false => [other, one],
        };
        let ty = self.local_type(first.local);
        let (Over::Set(set), Base::Elem(space), false) = (&first.over, ty.base, ty.optional) else {
            return None;
        };
        let here = self.here(first.local);
        let mut conds = question.conds.clone();
        if !matches!(set.kind, ExprKind::All(_)) {
            conds.push(joined(BinaryOp::In, here.clone(), set.clone()));
        }
        let mut from = From {
            here: &here,
            way: ways.local,
            space,
            is_free: false,
        };
        from.is_free = conds.iter().all(|it| from.among(it).is_none());
        let (free, conds): (Vec<Expr>, Vec<Expr>) = conds
            .into_iter()
            .partition(|it| self.is_free(it, ways) && from.among(it).is_none());
        let row = self.row(&conds, &from).filter(|it| !it.around)?;
        if !free.iter().all(|it| self.follows(it, &row, &from, ways)) {
            return None;
        }
        let own = [first.local, ways.local];
        let through = match &row.through {
            Some(through) if mentions(through, &own) || through.ty.optional => return None,
            Some(through) => through.clone(),
            // It goes through any of its places.
            None => here.clone(),
        };
        if mentions(&row.asked, &own) {
            return None;
        }
        let mut asked = row.asked.clone();
        substitute(&mut asked, &HashMap::from([(row.place, through.clone())]));
        let long = self.long_enough(&row, &through, ways, space)?;
        let holds = asked.and(long);
        if row.through.is_some() {
            return Some(holds);
        }
        let all = Expr::all(space, set.span);
        Some(some(vec![Binder::over(first.local, all).guarded(holds)]))
    }

    /// The same as `some { a in Cell where some { d in D where … } }`.
    fn row_of_nested(&mut self, question: &Question) -> Option<Expr> {
        let ([first], [.., last]) = (&*question.binders, &*question.conds) else {
            return None;
        };
        let inner = last.as_aggregate()?;
        let ways = inner.only_binder_of(AggregateOp::Some)?;
        let mut conds = question.conds.clone();
        conds.pop();
        let mut question = Question {
            binders: vec![first.clone(), ways.clone()],
            conds,
        };
        question.open();
        question
            .conds
            .iter_mut()
            .for_each(|it| self.with_places(it));
        self.row_of_one(&question)
    }

    /// Whether a condition hangs neither on the position nor on the way.
    fn is_free(&self, cond: &Expr, ways: &Binder) -> bool {
        // What a set by a name holds may hang on the position.
        let is_open = match &cond.kind {
            ExprKind::Unary(UnaryOp::IsSome, _) => true,
            ExprKind::Binary(BinaryOp::In, _, set) => matches!(set.kind, ExprKind::Local(_)),
            _ => false,
        };
        !is_open && !self.reads_state(cond) && !mentions(cond, &[ways.local])
    }

    /// Whether a condition holds wherever all places of a row are there.
    fn follows(&mut self, cond: &Expr, row: &Row, from: &From<'_>, ways: &Binder) -> bool {
        let Over::Set(over) = &ways.over else {
            return false;
        };
        let way = self.here(ways.local);
        let mut holds = not(joined(BinaryOp::In, way.clone(), over.clone())).or(cond.clone());
        for at in [row.first, row.last].into_iter().filter(|it| *it != 0) {
            let step = steps::step(from.here, &way, at, cond.span);
            let there = cond.with_kind(ExprKind::unary(UnaryOp::IsSome, step));
            holds = not(there).or(holds);
        }
        self.always(&holds)
    }

    /// A row that begins so many steps back from a place, for each number of them.
    pub(super) fn row_of_many(&mut self, question: &Question) -> Option<Expr> {
        let ([ways], [cond]) = (question.binders.as_slice(), question.conds.as_slice()) else {
            return None;
        };
        let mut cases = Vec::new();
        cases_of(cond, &mut cases);
        let here = step_from(cases.first()?, ways.local)?;
        let (Base::Elem(space), false) = (here.ty.base, here.ty.optional) else {
            return None;
        };
        let from = From {
            here: &here,
            way: ways.local,
            space,
            is_free: false,
        };
        let mut rows = Vec::new();
        for case in &cases {
            let mut conds = Vec::new();
            conjuncts(case, &mut conds);
            let (free, conds): (Vec<&Expr>, Vec<&Expr>) =
                conds.into_iter().partition(|it| self.is_free(it, ways));
            let conds: Vec<Expr> = conds.into_iter().cloned().collect();
            let row = self.row(&conds, &from)?;
            if !free.iter().all(|it| self.follows(it, &row, &from, ways)) {
                return None;
            }
            rows.push(row);
        }
        let row = rows.first()?;
        let one = self.here(row.place);
        for other in &rows {
            let mut asked = other.asked.clone();
            substitute(&mut asked, &HashMap::from([(other.place, one.clone())]));
            let fits = other.through.is_none() && other.around == row.around;
            if !fits || !same(&asked, &row.asked) {
                return None;
            }
        }
        let n = row.last - row.first + 1;
        // One place beside it is no line.
        if row.around && n < 3 {
            return None;
        }
        let mut ends: Vec<(i64, i64)> = rows.iter().map(|it| (it.first, it.last)).collect();
        if self.goes_back(ways) {
            ends.extend(rows.iter().map(|it| (-it.last, -it.first)));
        }
        ends.sort_unstable();
        ends.dedup();
        let all: Vec<(i64, i64)> = (1 - n..=0).map(|at| (at, at + n - 1)).collect();
        if ends != all {
            return None;
        }
        if mentions(&row.asked, &[ways.local]) {
            return None;
        }
        let mut asked = row.asked.clone();
        substitute(&mut asked, &HashMap::from([(row.place, here.clone())]));
        let long = self.long_enough(row, &here, ways, space)?;
        Some(match row.around {
            true => long,
            false => asked.and(long),
        })
    }

    fn here(&self, local: LocalId) -> Expr {
        self.local(local, Span::default())
    }

    /// The row that some conditions ask for.
    fn row(&mut self, conds: &[Expr], from: &From<'_>) -> Option<Row> {
        let ty = Type::of(Base::Elem(from.space));
        let place = self.new_local(ty);
        let mut asked: BTreeMap<i64, Expr> = BTreeMap::new();
        let (mut there, mut skipped, mut through) = (Vec::new(), Vec::new(), None);
        for cond in conds {
            let mut each = from.each_of(cond);
            if let Some((_, _, places)) = &each {
                skipped.extend(places);
            }
            let all = from.all_of(cond);
            if let Some((places, of_each)) = &all {
                there.extend(places);
                let asked = of_each.guard.as_ref();
                each = asked.map(|value| (of_each.local, value, places.clone()));
            }
            if let Some((one, value, places)) = each {
                let by = HashMap::from([(one, self.here(place))]);
                for at in places {
                    let mut of_it = value.clone();
                    self.rename(&mut of_it);
                    substitute(&mut of_it, &by);
                    add(&mut asked, at, of_it);
                }
                continue;
            }
            if all.is_some() {
                continue;
            }
            if let Some((one, places)) = from.among(cond) {
                if through.replace((one, places)).is_some() {
                    return None;
                }
                continue;
            }
            if let Some((var, value, n)) = from.run_of(cond) {
                for at in 1..=n {
                    let mut of_it = value.clone();
                    self.rename(&mut of_it);
                    substitute(&mut of_it, &HashMap::from([(var, self.here(place))]));
                    add(&mut asked, at, of_it);
                    there.push(at);
                }
                continue;
            }
            let step = from.asked_of(cond)?;
            let at = from.steps_to(&step)?;
            let mut of_it = cond.clone();
            put(&mut of_it, &step, place, ty);
            if let ExprKind::Binary(BinaryOp::In, one, set) = &of_it.kind
                && is_local(one, place)
                && let Some(asked) = asked_of_member(one, set)
            {
                of_it = asked;
                self.rename(&mut of_it);
            }
            if matches!(&of_it.kind, ExprKind::Unary(UnaryOp::IsSome, it) if is_local(it, place)) {
                there.push(at);
                continue;
            }
            add(&mut asked, at, of_it);
        }
        let of_one = asked.values().next()?.clone();
        let around = !asked.contains_key(&0);
        if around {
            asked.insert(0, of_one.clone());
        }
        let (first, last) = (*asked.keys().next()?, *asked.keys().next_back()?);
        let n = usize::try_from(last.checked_sub(first)?.checked_add(1)?).ok()?;
        let alike = asked.values().all(|it| same(it, &of_one));
        // A set skips the places that are not there.
        let is_there = |at: i64| {
            at == 0
                || is_nowhere(&of_one, place) && !skipped.contains(&at)
                || there
                    .iter()
                    .any(|it| it.signum() == at.signum() && it.abs() >= at.abs())
        };
        let are_there = (first..=last).all(is_there);
        let others = there.iter().all(|it| (first..=last).contains(it));
        if n != asked.len() || !(2..=MOST_NUMBERS).contains(&n) || !alike || !are_there || !others {
            return None;
        }
        let through = match through {
            Some((one, mut places)) => {
                places.sort_unstable();
                places.dedup();
                let all = places.len() == n && places.first() == Some(&first);
                (all && places.last() == Some(&last)).then_some(Some(one))?
            }
            None => None,
        };
        let asked = of_one;
        Some(Row {
            first,
            last,
            place,
            asked,
            through,
            around,
        })
    }

    /// Whether on one of these ways so many places lie in a row through one of which the same is asked.
    fn long_enough(
        &mut self,
        row: &Row,
        here: &Expr,
        ways: &Binder,
        space: DomainId,
    ) -> Option<Expr> {
        let ty = self.local_type(ways.local);
        let directions = ty.base.element_of()?;
        let longest = self.longest_line(space)?;
        if !self.comes_back(space, directions) {
            return None;
        }
        let number = |kind, lo, hi| Expr::new(kind, Type::of(Base::Int(lo, hi)), here.span);
        let d = Expr::local(self.fresh_local(ways.local), ty, here.span);
        let back = d.with_kind(ExprKind::unary(UnaryOp::Opposite, d.clone()));
        let mut length = number(ExprKind::Value(1), 1, 1);
        for (at, way) in (1..).zip([&d, &back]) {
            let [x, t] = [(); 2].map(|()| self.fresh_local(row.place));
            let mut cond = row.asked.clone();
            self.rename(&mut cond);
            substitute(&mut cond, &HashMap::from([(row.place, self.here(x))]));
            let walk = steps::walk(way, here, (x, cond), space, here.span);
            let counted = Aggregate::over(AggregateOp::Count, vec![Binder::over(t, walk)]);
            let counted = number(ExprKind::Aggregate(Box::new(counted)), 0, longest);
            let sum = ExprKind::binary(BinaryOp::Add, length, counted);
            length = number(sum, 1, 1 + at * longest);
        }
        let n = row.last - row.first + 1;
        let enough = joined(BinaryOp::Ge, length, number(ExprKind::Value(n), n, n));
        let local = d.as_local()?;
        Some(some(vec![
            Binder::over(local, ways.over.clone()).guarded(enough),
        ]))
    }
}

//! `reach S via v -> { u in T(v) where P(edge of v and u) }`, edge by edge: each edge that is asked joins its two ends, both ways.

use super::Gen;
use super::inline::{mentions, substitute};
use super::mask::is_local;
use super::question::Question;
use super::related::{some, with};
use super::structure::alike;
use super::through::is_nowhere;
use super::unroll::{joined, not};
use crate::model::{
    Aggregate, AggregateOp, Base, BinaryOp, Binder, Cells, DomainId, DomainKind, Expr, ExprKind,
    LocalId, Look, Near, Node, NodeMut, Over, Shape, Type, change, each_in_expr,
};
use std::collections::HashMap;

/// Most combinations of an edge and two places that are looked at.
const MOST_COMBINED: u64 = 250_000;
/// Most places to begin with of which each is compared with the ends of an edge.
const MOST_COMPARED: usize = 2;

/// Steps over edges of a space: which may be gone over.
pub(super) struct Edges {
    space: DomainId,
    /// Stands for an edge.
    local: LocalId,
    asked: Expr,
}

/// A step to a place: what does not hang on the position, and the edge of which the rest is asked.
struct Led {
    question: Question,
    /// How much of that comes before the edge is asked.
    before: usize,
    edge: Expr,
}

impl Gen<'_, '_> {
    /// What is reached by steps over edges: what those lead to that hang together with edges of the start.
    pub(super) fn edge_by_edge(
        &mut self,
        start: &Expr,
        var: LocalId,
        step: &Expr,
        domain: DomainId,
    ) -> Option<Expr> {
        let edges = self.steps_over_edges(var, step, domain)?;
        self.plan(&edges.asked, edges.local, edges.space)?;
        let [ty, of] = [edges.space, domain].map(|it| Type::of(Base::Set(it)));
        let set = |kind, ty| Expr::new(kind, ty, step.span);
        let [first, from, next, led] = [(); 4].map(|()| self.shared.fresh_local(edges.local));
        let touched = self.touches(start, first, edges.space)?;
        let touched = self.asked_of_edge(&edges, first).and(touched);
        let begin = Binder::over(first, set(ExprKind::All(edges.space), ty)).guarded(touched);
        let near = ExprKind::Near(
            Near::Neighbours,
            Box::new(self.shared.local(from, step.span)),
        );
        let goes_on = self.asked_of_edge(&edges, next);
        let goes_on = Binder::over(next, set(near, ty)).guarded(goes_on);
        let reach = ExprKind::Reach {
            start: Box::new(collected(vec![begin], None, ty, step)),
            var: from,
            step: Box::new(collected(vec![goes_on], None, ty, step)),
        };
        let place = self.shared.new_local(Type::of(Base::Elem(domain)));
        let ends = ExprKind::SetOf(
            self.ends_of(&self.shared.local(led, step.span), edges.space)?
                .to_vec(),
        );
        let over = Binder::over(led, set(reach, ty));
        let within_ends = Binder::over(place, set(ends, of));
        let end = self.shared.local(place, step.span);
        let ends = collected(vec![over, within_ends], Some(end), of, step);
        let all = ExprKind::binary(BinaryOp::Union, start.clone(), ends);
        let all = set(all, of);
        self.sure_here(&all).then_some(all)
    }

    /// The edges over which each step leads, if each of them joins its ends and no step leads elsewhere.
    pub(super) fn steps_over_edges(
        &mut self,
        var: LocalId,
        step: &Expr,
        domain: DomainId,
    ) -> Option<Edges> {
        if self.shared.is_plain() {
            return None;
        }
        let to = self.shared.fresh_local(var);
        let mut sides = Vec::new();
        sides_of(step, &mut sides);
        let (mut edges, mut leads): (Option<Edges>, _) = (None, Vec::new());
        for side in sides {
            let (led, own) = self.led_over(side, [var, to], domain)?;
            let same = edges.as_ref().is_none_or(|it| {
                let mut asked = own.asked.clone();
                rename(
                    &mut asked,
                    own.local,
                    &self.shared.local(it.local, step.span),
                );
                it.space == own.space && alike(&it.asked, &asked)
            });
            if !same {
                return None;
            }
            edges = edges.or(Some(own));
            leads.push(led);
        }
        let edges = edges?;
        let of_edge = |it: &Led| {
            it.question
                .binders
                .iter()
                .any(|by| is_local(&it.edge, by.local))
        };
        let most = match leads.iter().any(of_edge) {
            true => self.domain_size(edges.space),
            false => 1,
        };
        let size = self.domain_size(domain);
        let combined = size.checked_mul(size)?.checked_mul(most)?;
        if combined > MOST_COMBINED {
            return None;
        }
        let all = |local, of| {
            let kind = ExprKind::All(of);
            let (ty, span) = (Type::of(Base::Set(of)), step.span);
            Binder::over(local, Expr { kind, ty, span })
        };
        let places = [all(var, domain), all(to, domain)];
        for led in &leads {
            let elsewhere = self.leads_elsewhere(led, places.to_vec(), [var, to])?;
            if !self.shared.always(&not(elsewhere)) {
                return None;
            }
        }
        // Over each edge steps lead both ways.
        let e = self.shared.fresh_local(edges.local);
        let ends = self.ends_of(&self.shared.local(e, step.span), edges.space)?;
        let over: Vec<Expr> = leads.iter().map(|it| self.leads(it, Some(e))).collect();
        let over = over.into_iter().reduce(Expr::or)?;
        let [one, other] = ends;
        for [from, end] in [[&one, &other], [&other, &one]] {
            let mut leads_there = over.clone();
            rename(&mut leads_there, var, from);
            rename(&mut leads_there, to, end);
            self.shared.rename(&mut leads_there);
            let missing = with(all(e, edges.space), not(leads_there));
            if !self.shared.always(&not(some(vec![missing]))) {
                return None;
            }
        }
        // Where there is no edge nothing may be asked of it.
        if leads.iter().any(|it| it.edge.ty.optional) && !is_nowhere(&edges.asked, edges.local) {
            let missing = leads.iter().map(|it| self.leads(it, None));
            let missing: Vec<Expr> = missing.collect();
            let missing = missing.into_iter().reduce(Expr::or)?;
            let [from, to] = places;
            if !self
                .shared
                .always(&not(some(vec![from, with(to, missing)])))
            {
                return None;
            }
        }
        Some(edges)
    }

    /// A step taken apart.
    fn led_over(
        &mut self,
        side: &Expr,
        [var, to]: [LocalId; 2],
        domain: DomainId,
    ) -> Option<(Led, Edges)> {
        let one = self.shared.local(to, side.span);
        let mut question = Question {
            binders: Vec::new(),
            conds: vec![joined(BinaryOp::In, one.clone(), side.clone())],
        };
        question.only_one(self.shared, &one, to);
        question.open_sets(self.shared);
        let mut members = Vec::new();
        for binder in &mut question.binders {
            let Over::Set(set) = &mut binder.over else {
                continue;
            };
            if let (true, Base::Set(of)) = (self.shared.reads_state(set), set.ty.base) {
                let one = self.shared.local(binder.local, set.span);
                let all = set.with_kind(ExprKind::All(of));
                members.push(joined(BinaryOp::In, one, std::mem::replace(set, all)));
            }
        }
        question.conds.splice(..0, members);
        let is_known = |it: &Binder| !matches!(it.over, Over::Zone(_));
        if !question.binders.iter().all(is_known) {
            return None;
        }
        let mut bound = question.locals();
        bound.extend([var, to]);
        let reads: Vec<bool> = question
            .conds
            .iter()
            .map(|it| self.shared.reads_state(it))
            .collect();
        let before = reads.iter().position(|it| *it)?;
        let edge = self.edge_in(question.conds.get(before)?, &bound, domain)?;
        let space = edge.ty.base.element_of()?;
        let local = self.shared.new_local(Type::of(edge.ty.base));
        let conds = std::mem::take(&mut question.conds).into_iter().zip(reads);
        let (asked, known): (Vec<_>, Vec<_>) = conds.partition(|it| it.1);
        question.conds = known.into_iter().map(|it| it.0).collect();
        let asked = asked.into_iter().map(|it| it.0);
        let mut asked = asked.reduce(Expr::and)?;
        self.put_edge(&mut asked, &edge, local);
        if mentions(&asked, &bound) {
            return None;
        }
        let led = Led {
            question,
            before,
            edge,
        };
        let edges = Edges {
            space,
            local,
            asked,
        };
        Some((led, edges))
    }

    /// The edge of which a condition asks.
    fn edge_in(&self, cond: &Expr, bound: &[LocalId], domain: DomainId) -> Option<Expr> {
        let (mut found, mut inner) = (None, Vec::new());
        each_in_expr(cond, &mut |node| match node {
            Node::Binds(local) => inner.push(local),
            Node::Expr(expr) => {
                let is_edge = matches!(expr.ty.base, Base::Elem(of) if self.cells_of_edges(of).is_some_and(|it| it.1 == domain));
                if found.is_none()
                    && is_edge
                    && mentions(expr, bound)
                    && !self.shared.reads_state(expr)
                {
                    found = Some(expr.clone());
                }
            }
            Node::Stmt(_) => {}
        });
        found.filter(|it| {
            let mut others = inner;
            each_in_expr(it, &mut |node| {
                if let Node::Binds(own) = node {
                    others.retain(|local| *local != own);
                }
            });
            !mentions(it, &others)
        })
    }

    /// Writes a variable for the edge.
    fn put_edge(&self, expr: &mut Expr, edge: &Expr, local: LocalId) {
        if expr.ty.base == edge.ty.base && alike(expr, edge) {
            expr.kind = ExprKind::Local(local);
            expr.ty.optional = false;
            return;
        }
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.put_edge(part, edge, local);
            }
        });
    }

    /// Whether some step leads to another place than to the other end of its edge.
    fn leads_elsewhere(
        &mut self,
        led: &Led,
        places: Vec<Binder>,
        [v, u]: [LocalId; 2],
    ) -> Option<Expr> {
        let space = led.edge.ty.base.element_of()?;
        let edge = led.edge.clone().with_type(Type::of(led.edge.ty.base));
        let [one, other] = self.ends_of(&edge, space)?;
        let [v, u] = [v, u].map(|it| self.shared.local(it, led.edge.span));
        let both = |a: &Expr, b: &Expr| {
            let is = |place: &Expr, end: &Expr| joined(BinaryOp::Eq, place.clone(), end.clone());
            is(&v, a).and(is(&u, b))
        };
        let joins = both(&one, &other).or(both(&other, &one));
        // To stay is no step.
        let stays = joined(BinaryOp::Eq, v.clone(), u.clone());
        let mut conds = led.question.conds.clone();
        conds.insert(led.before, led.edge.clone().is_there());
        conds.push(not(stays.or(joins)));
        let mut binders = places;
        binders.extend(led.question.binders.iter().cloned());
        let last = binders.pop()?;
        let cond = conds.into_iter().reduce(Expr::and)?;
        binders.push(with(last, cond));
        let mut elsewhere = some(binders);
        self.shared.rename(&mut elsewhere);
        Some(elsewhere)
    }

    /// Whether a step leads over an edge whatever is asked of it, or over none.
    fn leads(&mut self, led: &Led, edge: Option<LocalId>) -> Expr {
        let mut binders = led.question.binders.clone();
        let mut conds = led.question.conds.clone();
        match edge {
            Some(edge) => {
                let named = self.shared.local(edge, led.edge.span);
                let at = binders.iter().position(|it| is_local(&led.edge, it.local));
                match at.map(|at| binders.remove(at)) {
                    Some(binder) => {
                        if let Over::Set(set) = binder.over {
                            conds.insert(0, joined(BinaryOp::In, named.clone(), set));
                        }
                        conds
                            .iter_mut()
                            .for_each(|it| rename(it, binder.local, &named));
                    }
                    None => {
                        let is = joined(BinaryOp::Eq, led.edge.clone(), named);
                        conds.insert(led.before, is);
                    }
                }
            }
            None => {
                conds.insert(led.before, not(led.edge.clone().is_there()));
            }
        }
        let conds = conds.into_iter().reduce(Expr::and);
        let cond = conds.unwrap_or(Expr::truth(ExprKind::Value(1), led.edge.span));
        let mut leads = match binders.pop() {
            Some(last) => {
                binders.push(with(last, cond));
                some(binders)
            }
            None => cond,
        };
        self.shared.rename(&mut leads);
        leads
    }

    /// Whether an end of an edge is in a set.
    fn touches(&mut self, set: &Expr, edge: LocalId, space: DomainId) -> Option<Expr> {
        let [one, other] = self.ends_of(&self.shared.local(edge, set.span), space)?;
        let ends = |place: &Expr| {
            let is = |end: &Expr| joined(BinaryOp::Eq, place.clone(), end.clone());
            is(&one).or(is(&other))
        };
        match &set.kind {
            ExprKind::SetOf(items) if !items.is_empty() && items.len() <= MOST_COMPARED => {
                let all = items.iter().map(ends);
                all.reduce(Expr::or)
            }
            _ => {
                let place = self.shared.new_local(one.ty);
                let asked = ends(&self.shared.local(place, set.span));
                let mut set = set.clone();
                self.shared.rename(&mut set);
                Some(some(vec![Binder::over(place, set).guarded(asked)]))
            }
        }
    }

    fn asked_of_edge(&mut self, edges: &Edges, edge: LocalId) -> Expr {
        let mut asked = edges.asked.clone();
        rename(
            &mut asked,
            edges.local,
            &self.shared.local(edge, edges.asked.span),
        );
        self.shared.rename(&mut asked);
        asked
    }

    fn ends_of(&self, edge: &Expr, space: DomainId) -> Option<[Expr; 2]> {
        let (cells, domain) = self.cells_of_edges(space)?;
        let [one, other] = cells.fields.as_slice() else {
            return None;
        };
        Some([one, other].map(|it| Expr {
            kind: ExprKind::Table(*it, vec![edge.clone()]),
            ty: Type::of(Base::Elem(domain)),
            span: edge.span,
        }))
    }

    /// The edges of a space, and which space that is.
    fn cells_of_edges(&self, edges: DomainId) -> Option<(&Cells, DomainId)> {
        let DomainKind::Space {
            shape: Shape::Cells(cells),
            ..
        } = &self.shared.game.domains.get(edges.index())?.kind
        else {
            return None;
        };
        match cells.look {
            Look::Edges(of) => Some((cells, of)),
            _ => None,
        }
    }
}

fn sides_of<'e>(step: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &step.kind {
        ExprKind::Binary(BinaryOp::Union, one, other) => {
            sides_of(one, out);
            sides_of(other, out);
        }
        _ => out.push(step),
    }
}

fn rename(expr: &mut Expr, from: LocalId, to: &Expr) {
    substitute(expr, &HashMap::from([(from, to.clone())]));
}

fn collected(binders: Vec<Binder>, value: Option<Expr>, ty: Type, like: &Expr) -> Expr {
    let members = Aggregate::over(AggregateOp::Collect, binders).of(value);
    Expr::new(members, ty, like.span)
}

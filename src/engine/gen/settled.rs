//! Loops of statements whose conditions nothing in them changes: over the set of those that are meant.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::inline::{mentions, substitute};
use super::mask::{conjuncts, is_local};
use super::structure::{alike, same};
use super::unroll::{joined, not};
use super::{Gen, Shared};
use crate::model::{
    Aggregate, AggregateOp, BinaryOp, Binder, Expr, ExprKind, Holder, Holding, LocalId, Node,
    Order, Over, Place, Stmt, StmtKind, TrackId, What, ZoneId, each_in_expr, each_statement,
};

/// How deep calls are looked into.
const DEEPEST: usize = 6;

/// The index of the one place that is changed; none where others are too.
type Index = Option<Vec<Expr>>;

/// What statements may change.
#[derive(Default)]
struct Changed {
    tracks: HashMap<TrackId, Index>,
    zones: HashMap<ZoneId, Index>,
    fields: HashMap<(ZoneId, usize), Index>,
    locals: HashSet<LocalId>,
}

/// What names stand for.
type Names = HashMap<LocalId, Expr>;

impl Gen<'_, '_> {
    /// `for each x in S where P { T }`, also with `P` as an `if`, is `for each x in { x in S where P } { T }` where
    /// `T` changes nothing of what `P` asks, and `P` cannot fault.
    pub(super) fn settled(
        &mut self,
        binders: &[Binder],
        body: &[Stmt],
    ) -> Option<(Vec<Binder>, Vec<Stmt>)> {
        let last = binders.last()?;
        let set = last.over.as_set()?;
        let domain = set.ty.base.set_over()?;
        if self.shared.is_plain()
            || !matches!(last.order, Order::Ascending)
            || self.is_parts(domain)
        {
            return None;
        }
        let mut parts = Vec::new();
        if let Some(guard) = &last.guard {
            conjuncts(guard, &mut parts);
        }
        let guards = parts.len();
        let mut parts: Vec<Expr> = parts.into_iter().cloned().collect();
        let (named, then) = self.asked_within(body, &mut parts);
        let mut changed = Changed::default();
        self.shared
            .changes(body, &Names::new(), DEEPEST, &mut changed)?;
        let (mut early, mut facts) = (self.facts.clone(), self.facts.clone());
        self.learn_binder(last.local, &last.over, &mut facts);
        let mut taken = 0;
        for part in &parts {
            if !mentions(part, &[last.local])
                || self.shared.is_changed(part, &changed, last.local)
                || self
                    .sound_plan(part, last.local, domain, &mut early, &mut facts)
                    .is_none()
            {
                break;
            }
            self.learn(part, true, &mut facts);
            taken += 1;
        }
        let left = parts.split_off(taken);
        let guard = parts.into_iter().reduce(Expr::and)?;
        let still = guards.saturating_sub(taken);
        let one = last.unguarded().guarded(Some(guard));
        let mut binders = binders.to_vec();
        let last = binders.last_mut()?;
        last.over = Over::Set(set.with_kind(Aggregate::over(AggregateOp::Collect, vec![one])));
        last.guard = left.iter().take(still).cloned().reduce(Expr::and);
        let body = match then {
            // What follows a guard that is still asked stays behind it.
            Some((stmt, then)) if still == 0 => {
                let mut body: Vec<Stmt> = named.into_iter().cloned().collect();
                match left.into_iter().reduce(Expr::and) {
                    None => body.extend_from_slice(then),
                    Some(cond) => body.push(Stmt {
                        kind: StmtKind::If(cond, then.to_vec(), Vec::new()),
                        ..stmt.clone()
                    }),
                }
                body
            }
            _ => body.to_vec(),
        };
        Some((binders, body))
    }

    /// `for each x in S { if C { A } else { B } }` is `if C { for each x in S { A } } else { for each x in S { B } }`, where `C`
    /// hangs on no `x`, and nothing in A and B changes what it asks.
    pub(super) fn asked_once(&mut self, binders: &[Binder], body: &[Stmt]) -> Option<Stmt> {
        let ([stmt], [binder]) = (body, binders) else {
            return None;
        };
        let StmtKind::If(cond, then, other) = &stmt.kind else {
            return None;
        };
        let x = binder.local;
        if self.shared.is_plain() || mentions(cond, &[x]) || !self.sure_here(cond) {
            return None;
        }
        let mut changed = Changed::default();
        self.shared
            .changes(body, &Names::new(), DEEPEST, &mut changed)?;
        if self.shared.is_changed(cond, &changed, x) {
            return None;
        }
        let [then, other] = [then, other].map(|body| match body.as_slice() {
            [] => Vec::new(),
            _ => vec![Stmt {
                kind: StmtKind::ForEach(binders.to_vec(), body.clone()),
                ..stmt.clone()
            }],
        });
        Some(Stmt {
            kind: StmtKind::If(cond.clone(), then, other),
            ..stmt.clone()
        })
    }

    /// What a body asks before it does anything, the names that it gives before, the innermost `if`, and what follows.
    fn asked_within<'b>(
        &mut self,
        mut body: &'b [Stmt],
        asked: &mut Vec<Expr>,
    ) -> (Vec<&'b Stmt>, Option<(&'b Stmt, &'b [Stmt])>) {
        let (mut named, mut names, mut then) = (Vec::new(), Names::new(), None);
        let assigned = assigned_in(body);
        while let [lets @ .., stmt] = body
            && let StmtKind::If(cond, inner, other) = &stmt.kind
            && other.is_empty()
        {
            let mut own = names.clone();
            for it in lets {
                let StmtKind::Let(local, value) = &it.kind else {
                    return (named, then);
                };
                if assigned.contains(local) || !self.shared.surely(value) {
                    return (named, then);
                }
                own.insert(*local, named_by(value, &own));
            }
            names = own;
            let cond = named_by(cond, &names);
            let mut parts = Vec::new();
            conjuncts(&cond, &mut parts);
            asked.extend(parts.into_iter().cloned());
            named.extend(lets);
            then = Some((stmt, inner.as_slice()));
            body = inner;
        }
        (named, then)
    }
}

/// An expression with what they stand for in place of names.
fn named_by(expr: &Expr, names: &Names) -> Expr {
    let mut expr = expr.clone();
    substitute(&mut expr, names);
    expr
}

/// The locals that statements give new values.
fn assigned_in(block: &[Stmt]) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    each_statement(block, &mut |stmt| {
        if let StmtKind::SetLocal(local, ..) = &stmt.kind {
            found.insert(*local);
        }
    });
    found
}

/// Notes that something is changed at an index.
fn note<K: Eq + Hash>(changed: &mut HashMap<K, Index>, what: K, index: &[Expr], names: &Names) {
    let index: Vec<Expr> = index.iter().map(|it| named_by(it, names)).collect();
    let known = changed.entry(what).or_insert_with(|| Some(index.clone()));
    if !known.as_ref().is_some_and(|it| are_alike(it, &index)) {
        *known = None;
    }
}

fn are_alike(one: &[Expr], other: &[Expr]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
}

impl Shared<'_> {
    /// `for each x in S where board[x] == K { if P(board[x]) { … } }` is `for each x in S where board[x] == K { if P(K) { … } }`.
    pub(super) fn asked_of_equal(&mut self, guard: Option<&Expr>, body: &[Stmt]) -> Option<Stmt> {
        let [stmt] = body else { return None };
        let StmtKind::If(cond, then, other) = &stmt.kind else {
            return None;
        };
        let mut parts = [guard?.clone(), cond.clone()];
        self.use_equal_parts(&mut parts);
        let [_, mut asked] = parts;
        if self.is_plain() || same(&asked, cond) {
            return None;
        }
        self.expand(&mut asked);
        Some(Stmt {
            kind: StmtKind::If(asked, then.clone(), other.clone()),
            ..stmt.clone()
        })
    }

    /// Collects what statements may change; none where that cannot be told.
    fn changes(
        &self,
        block: &[Stmt],
        names: &Names,
        depth: usize,
        changed: &mut Changed,
    ) -> Option<()> {
        let (mut names, assigned) = (names.clone(), assigned_in(block));
        for stmt in block {
            match &stmt.kind {
                StmtKind::Let(local, value) => {
                    if !assigned.contains(local) {
                        names.insert(*local, named_by(value, &names));
                    }
                }
                StmtKind::SetLocal(local, ..) => {
                    changed.locals.insert(*local);
                }
                StmtKind::SetTrack(track, index, ..) => {
                    note(&mut changed.tracks, *track, index, &names);
                }
                StmtKind::SetField(place, field, ..) => {
                    let field = (place.zone, *field);
                    note(&mut changed.fields, field, &place.index, &names);
                }
                StmtKind::If(_, then, other) => {
                    self.changes(then, &names, depth, changed)?;
                    self.changes(other, &names, depth, changed)?;
                }
                StmtKind::Match(_, arms, other) => {
                    for (_, arm) in arms {
                        self.changes(arm, &names, depth, changed)?;
                    }
                    let other = other.as_deref().unwrap_or_default();
                    self.changes(other, &names, depth, changed)?;
                }
                StmtKind::ForEach(_, body)
                | StmtKind::While(_, body)
                | StmtKind::Times(_, body)
                | StmtKind::Step(_, body)
                | StmtKind::Repeat(body, _) => self.changes(body, &names, depth, changed)?,
                StmtKind::Move(moved) => {
                    let mut lies = |place: &Place| {
                        note(&mut changed.zones, place.zone, &place.index, &names);
                    };
                    lies(&moved.to);
                    match &moved.what {
                        What::At(from)
                        | What::All(from)
                        | What::Top(from, _)
                        | What::Nth(from, ..)
                        | What::Draw(_, from, _)
                        | What::Copies(_, _, Holding::Place(from)) => lies(from),
                        What::Copies(_, _, Holding::Anywhere(zone)) => {
                            changed.zones.insert(*zone, None);
                        }
                    }
                }
                StmtKind::Exchange(one, other) => {
                    for holder in [one, other] {
                        let (Holder::At(place) | Holder::All(place) | Holder::Copy(_, place)) =
                            holder;
                        note(&mut changed.zones, place.zone, &place.index, &names);
                    }
                }
                StmtKind::Call(proc, args) => {
                    let depth = depth.checked_sub(1)?;
                    let proc = self.game.procs.get(proc.index())?;
                    let assigned = assigned_in(&proc.body);
                    let given = proc.params.iter().zip(args);
                    let given = given.filter(|(param, _)| !assigned.contains(param));
                    let given = given.map(|(param, arg)| (*param, named_by(arg, &names)));
                    self.changes(&proc.body, &given.collect(), depth, changed)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Whether a condition on x may read what is changed for another x.
    fn is_changed(&mut self, expr: &Expr, changed: &Changed, x: LocalId) -> bool {
        let (mut parts, mut runs) = (vec![expr], false);
        each_in_expr(expr, &mut |node| match node {
            Node::Expr(part) => parts.push(part),
            Node::Stmt(_) => runs = true,
            Node::Binds(_) => {}
        });
        runs || parts
            .into_iter()
            .any(|it| self.reads_changed(it, changed, x))
    }

    fn reads_changed(&mut self, expr: &Expr, changed: &Changed, x: LocalId) -> bool {
        match &expr.kind {
            ExprKind::Local(local) => changed.locals.contains(local),
            ExprKind::Track(track, index) => self.is_met(changed.tracks.get(track), index, x),
            ExprKind::Component(place)
            | ExprKind::Filled(place)
            | ExprKind::Top(place)
            | ExprKind::Nth(place, _)
            | ExprKind::Count(place)
            | ExprKind::CountOf(place, _)
            | ExprKind::Kinds(place) => {
                self.is_met(changed.zones.get(&place.zone), &place.index, x)
            }
            ExprKind::PlaceField(place, field) => {
                let field = changed.fields.get(&(place.zone, *field));
                self.is_met(changed.zones.get(&place.zone), &place.index, x)
                    || self.is_met(field, &place.index, x)
            }
            ExprKind::Aggregate(aggregate) => aggregate.binders.iter().any(|it| match &it.over {
                Over::Zone(place) => self.is_met(changed.zones.get(&place.zone), &place.index, x),
                Over::Set(_) | Over::Span(..) => false,
            }),
            _ => self.node_reads_state(expr),
        }
    }

    /// Whether what is changed for another x may lie at an index.
    fn is_met(&mut self, changed: Option<&Index>, index: &[Expr], x: LocalId) -> bool {
        match changed {
            None => false,
            Some(None) => true,
            Some(Some(own)) => {
                !are_alike(own, index) || !own.iter().any(|it| self.leads_apart(it, x))
            }
        }
    }

    /// Whether a place is another one for each x.
    fn leads_apart(&mut self, place: &Expr, x: LocalId) -> bool {
        if is_local(place, x) {
            return true;
        }
        if !mentions(place, &[x]) {
            return false;
        }
        let other = self.fresh_local(x);
        let [one, also] = [x, other].map(|it| self.local(it, place.span));
        let again = named_by(place, &Names::from([(x, also.clone())]));
        let nowhere = not(place.clone().is_there());
        let apart = joined(BinaryOp::Ne, place.clone(), again);
        let same = joined(BinaryOp::Eq, one, also);
        self.always(&match place.ty.optional {
            true => same.or(nowhere).or(apart),
            false => same.or(apart),
        })
    }
}

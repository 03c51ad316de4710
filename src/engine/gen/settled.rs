//! Loops of statements whose conditions nothing in them changes: over the set of those that are meant.

use std::collections::HashSet;

use super::inline::mentions;
use super::mask::conjuncts;
use super::{Gen, Shared};
use crate::model::{
    Aggregate, AggregateOp, Binder, Expr, ExprKind, Holder, Holding, LocalId, Node, Order, Over,
    Stmt, StmtKind, TrackId, What, ZoneId, each_in_expr,
};

/// How deep calls are looked into.
const DEEPEST: usize = 6;

/// What statements may change.
#[derive(Default)]
struct Changed {
    tracks: HashSet<TrackId>,
    zones: HashSet<ZoneId>,
    fields: HashSet<(ZoneId, usize)>,
    locals: HashSet<LocalId>,
}

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
        let (mut parts, mut guards) = (Vec::new(), 0);
        if let Some(guard) = &last.guard {
            conjuncts(guard, &mut parts);
            guards = parts.len();
        }
        let within = match body {
            [stmt] => match &stmt.kind {
                StmtKind::If(cond, then, other) if other.is_empty() => {
                    conjuncts(cond, &mut parts);
                    Some((stmt, then))
                }
                _ => None,
            },
            _ => None,
        };
        let mut changed = Changed::default();
        self.shared.changes(body, DEEPEST, &mut changed)?;
        let (mut early, mut facts) = (self.facts.clone(), self.facts.clone());
        self.learn_binder(last.local, &last.over, &mut facts);
        let mut taken = 0;
        for part in &parts {
            if !mentions(part, &[last.local])
                || self.shared.is_changed(part, &changed)
                || self
                    .sound_plan(part, last.local, domain, &mut early, &mut facts)
                    .is_none()
            {
                break;
            }
            self.learn(part, true, &mut facts);
            taken += 1;
        }
        let (asked, left) = parts.split_at(taken);
        let all = |parts: &[&Expr]| {
            let parts = parts.iter().map(|it| (*it).clone());
            parts.reduce(Expr::and)
        };
        let guard = all(asked)?;
        let still = guards.saturating_sub(taken);
        let (left_guard, left_if) = left.split_at(still);
        let one = last.unguarded().guarded(guard);
        let mut binders = binders.to_vec();
        let last = binders.last_mut()?;
        last.over = Over::Set(set.with_kind(Aggregate::over(AggregateOp::Collect, vec![one])));
        last.guard = all(left_guard);
        let body = match within {
            // What follows a guard that is still asked stays behind it.
            Some((stmt, then)) if still == 0 => match all(left_if) {
                None => then.clone(),
                Some(cond) => vec![Stmt {
                    kind: StmtKind::If(cond, then.clone(), Vec::new()),
                    ..stmt.clone()
                }],
            },
            _ => body.to_vec(),
        };
        Some((binders, body))
    }
}

impl Shared<'_> {
    /// Collects what statements may change; none where that cannot be told.
    fn changes(&self, block: &[Stmt], depth: usize, changed: &mut Changed) -> Option<()> {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Let(..) => {}
                StmtKind::SetLocal(local, ..) => {
                    changed.locals.insert(*local);
                }
                StmtKind::SetTrack(track, ..) => {
                    changed.tracks.insert(*track);
                }
                StmtKind::SetField(place, field, ..) => {
                    changed.fields.insert((place.zone, *field));
                }
                StmtKind::If(_, then, other) => {
                    self.changes(then, depth, changed)?;
                    self.changes(other, depth, changed)?;
                }
                StmtKind::Match(_, arms, other) => {
                    for (_, arm) in arms {
                        self.changes(arm, depth, changed)?;
                    }
                    self.changes(other.as_deref().unwrap_or_default(), depth, changed)?;
                }
                StmtKind::ForEach(_, body)
                | StmtKind::While(_, body)
                | StmtKind::Times(_, body)
                | StmtKind::Step(_, body)
                | StmtKind::Repeat(body, _) => self.changes(body, depth, changed)?,
                StmtKind::Move(moved) => {
                    changed.zones.insert(moved.to.zone);
                    changed.zones.insert(match &moved.what {
                        What::At(from)
                        | What::All(from)
                        | What::Top(from, _)
                        | What::Nth(from, ..) => from.zone,
                        What::Draw(_, from, _) | What::Copies(_, _, Holding::Place(from)) => {
                            from.zone
                        }
                        What::Copies(_, _, Holding::Anywhere(zone)) => *zone,
                    });
                }
                StmtKind::Exchange(one, other) => {
                    for holder in [one, other] {
                        let (Holder::At(place) | Holder::All(place) | Holder::Copy(_, place)) =
                            holder;
                        changed.zones.insert(place.zone);
                    }
                }
                StmtKind::Call(proc, _) => {
                    let depth = depth.checked_sub(1)?;
                    let proc = self.game.procs.get(proc.index())?;
                    self.changes(&proc.body, depth, changed)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Whether what is changed may be read.
    fn is_changed(&self, expr: &Expr, changed: &Changed) -> bool {
        let mut found = self.reads_changed(expr, changed);
        each_in_expr(expr, &mut |node| match node {
            Node::Expr(part) => found |= self.reads_changed(part, changed),
            Node::Stmt(_) => found = true,
            Node::Binds(_) => {}
        });
        found
    }

    fn reads_changed(&self, expr: &Expr, changed: &Changed) -> bool {
        match &expr.kind {
            ExprKind::Local(local) => changed.locals.contains(local),
            ExprKind::Track(track, _) => changed.tracks.contains(track),
            ExprKind::Component(place)
            | ExprKind::Filled(place)
            | ExprKind::Top(place)
            | ExprKind::Nth(place, _)
            | ExprKind::Count(place)
            | ExprKind::CountOf(place, _)
            | ExprKind::Kinds(place) => changed.zones.contains(&place.zone),
            ExprKind::PlaceField(place, field) => {
                changed.zones.contains(&place.zone)
                    || changed.fields.contains(&(place.zone, *field))
            }
            ExprKind::Aggregate(aggregate) => aggregate.binders.iter().any(|it| match &it.over {
                Over::Zone(place) => changed.zones.contains(&place.zone),
                Over::Set(_) | Over::Span(..) => false,
            }),
            _ => self.node_reads_state(expr),
        }
    }
}

//! Which expressions somebody may see the value of.

use std::collections::HashMap;

use super::machine::Machine;
use super::view::{TrackValue, Viewer, may_see};
use crate::model::{
    Alt, AltKind, Base, BinaryOp, DomainKind, Expr, ExprKind, Holder, Holding, LocalId, NONE, Node,
    Over, Place, ProcId, Shape, Stmt, StmtKind, Visibility, What, ZoneId, parts_of_expr,
    parts_of_stmt,
};

/// Deepest chain of definitions and events that is followed; what lies deeper is not shown.
const MOST_DEPTH: u32 = 48;

/// Locals whose value is known while an expression is looked through.
pub(super) type Known = HashMap<LocalId, i64>;

/// Looks through expressions for what a viewer may not see.
pub(super) struct Sight<'m, 'p> {
    machine: &'m Machine<'p>,
    viewer: Viewer,
    depth: u32,
}

impl<'m, 'p> Sight<'m, 'p> {
    pub fn new(machine: &'m Machine<'p>, viewer: Viewer) -> Self {
        Self {
            machine,
            viewer,
            depth: 0,
        }
    }

    /// Whether the value of an expression follows from what the viewer sees.
    pub fn sees(&mut self, expr: &Expr, known: &Known) -> bool {
        if self.viewer == Viewer::Referee {
            return true;
        }
        self.sees_itself(expr, known) && self.sees_parts(expr, known)
    }

    /// Whether the members of what a variable ranges over follow from what the viewer sees.
    pub fn sees_range(&mut self, over: &Over, known: &Known) -> bool {
        match over {
            Over::Set(set) => self.sees(set, known),
            Over::Zone(place) => self.sees_place(place, known),
            Over::Span(from, to) => self.sees(from, known) && self.sees(to, known),
        }
    }

    fn sees_parts(&mut self, expr: &Expr, known: &Known) -> bool {
        match &expr.kind {
            ExprKind::Let(local, value, body) => {
                let mut inner = known.clone();
                if let Some(value) = self.constant(value, known) {
                    inner.insert(*local, value);
                }
                return self.sees(value, known) && self.sees(body, &inner);
            }
            ExprKind::Match(subject, arms, other) => {
                // Only the arm that is taken is looked at.
                if let Some(value) = self.constant(subject, known) {
                    let taken = arms.iter().find(|(values, _)| values.contains(&value));
                    let taken = taken.map(|(_, arm)| arm).or(other.as_deref());
                    return taken.is_none_or(|arm| self.sees(arm, known));
                }
            }
            _ => {}
        }
        let mut all = true;
        parts_of_expr(expr, &mut |node| {
            all = all
                && match node {
                    Node::Expr(part) => self.sees(part, known),
                    Node::Stmt(stmt) => self.sees_stmt(stmt, known),
                    Node::Binds(_) => true,
                };
        });
        all
    }

    /// The expression without its parts.
    fn sees_itself(&mut self, expr: &Expr, known: &Known) -> bool {
        match &expr.kind {
            ExprKind::Component(place)
            | ExprKind::PlaceField(place, _)
            | ExprKind::Top(place)
            | ExprKind::CountOf(place, _)
            | ExprKind::Kinds(place) => self.sees_place(place, known),
            ExprKind::PartsAt(domain, _) => self.sees_parts_of(*domain),
            ExprKind::Touching(part) | ExprKind::Loose(part) => self.sees_parts_in(part),
            ExprKind::PartAtPort(..) => self.sees_parts_in(expr),
            ExprKind::Track(track, index) => {
                let Some(declared) = self.machine.program.game.tracks.get(track.index()) else {
                    return false;
                };
                self.sees_index(declared.visibility, index, known)
            }
            ExprKind::Aggregate(aggregate) => {
                aggregate.binders.iter().all(|binder| match &binder.over {
                    Over::Zone(place) => self.sees_place(place, known),
                    Over::Set(_) | Over::Span(..) => true,
                })
            }
            ExprKind::Call(define, args) => {
                let Some(define) = self.machine.program.game.defines.get(define.index()) else {
                    return false;
                };
                let inner = self.bind(&define.params, args, known);
                self.deeper(|sight| sight.sees(&define.body, &inner))
            }
            ExprKind::Can(who, alts) => {
                let who = self.constant(who, known);
                alts.iter().all(|alt| self.sees_alt(alt, who, known))
            }
            ExprKind::Value(_)
            | ExprKind::Setting(_)
            | ExprKind::SetOf(_)
            | ExprKind::All(_)
            | ExprKind::Local(_)
            | ExprKind::Table(..)
            | ExprKind::Count(_)
            | ExprKind::Filled(_)
            | ExprKind::Field(..)
            | ExprKind::Make(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::OrElse(..)
            | ExprKind::Reach { .. }
            | ExprKind::Groups { .. }
            | ExprKind::Walk { .. }
            | ExprKind::Let(..)
            | ExprKind::After(..)
            | ExprKind::Near(..)
            | ExprKind::Step { .. }
            | ExprKind::Frontier(_)
            | ExprKind::Laid(_)
            | ExprKind::Repeated => true,
        }
    }

    fn sees_stmt(&mut self, stmt: &Stmt, known: &Known) -> bool {
        let itself = match &stmt.kind {
            StmtKind::Move(moved) => match &moved.what {
                What::At(from) | What::All(from) | What::Top(from, _) | What::Draw(_, from, _) => {
                    self.sees_place(from, known)
                }
                What::Copies(_, _, Holding::Place(from)) => self.sees_place(from, known),
                What::Copies(_, _, Holding::Anywhere(zone)) => self.sees_zone(*zone),
            },
            StmtKind::Exchange(one, other) => [one, other].into_iter().all(|holder| match holder {
                Holder::At(place) | Holder::Copy(_, place) => self.sees_place(place, known),
            }),
            StmtKind::Show(place, _) => self.sees_place(place, known),
            StmtKind::Call(proc, args)
            | StmtKind::CallInto(_, proc, args)
            | StmtKind::End(proc, args) => self.sees_proc(*proc, args, known),
            StmtKind::ForEach(binders, _) => binders
                .iter()
                .all(|binder| self.sees_range(&binder.over, known)),
            StmtKind::Choose(_) | StmtKind::Pick(_) | StmtKind::Window(_) => false,
            StmtKind::Let(..)
            | StmtKind::SetLocal(..)
            | StmtKind::SetTrack(..)
            | StmtKind::SetField(..)
            | StmtKind::If(..)
            | StmtKind::Match(..)
            | StmtKind::While(..)
            | StmtKind::Times(..)
            | StmtKind::Repeat(..)
            | StmtKind::Step(..)
            | StmtKind::Turns(_)
            | StmtKind::Shuffle(_)
            | StmtKind::Return(_)
            | StmtKind::Next
            | StmtKind::Again
            | StmtKind::Ranking(..)
            | StmtKind::Winner(_) => true,
        };
        let mut all = itself;
        parts_of_stmt(stmt, &mut |node| {
            all = all
                && match node {
                    Node::Expr(part) => self.sees(part, known),
                    Node::Stmt(stmt) => self.sees_stmt(stmt, known),
                    Node::Binds(_) => true,
                };
        });
        all
    }

    fn sees_proc(&mut self, proc: ProcId, args: &[Expr], known: &Known) -> bool {
        let Some(proc) = self.machine.program.game.procs.get(proc.index()) else {
            return false;
        };
        let inner = self.bind(&proc.params, args, known);
        self.deeper(|sight| proc.body.iter().all(|stmt| sight.sees_stmt(stmt, &inner)))
    }

    fn sees_alt(&mut self, alt: &Alt, who: Option<i64>, known: &Known) -> bool {
        let AltKind::Action(id, args) = &alt.kind else {
            return true;
        };
        let Some(action) = self.machine.program.game.actions.get(id.index()) else {
            return false;
        };
        let mut inner = Known::new();
        if let Some(who) = who {
            inner.insert(action.me, who);
        }
        for (param, arg) in action.params.iter().zip(args) {
            let value = arg.as_ref().and_then(|arg| self.constant(arg, known));
            if let Some(value) = value {
                inner.insert(param.local, value);
            }
        }
        self.deeper(|sight| {
            action
                .params
                .iter()
                .all(|param| sight.sees_range(&param.over, &inner))
                && action
                    .requires
                    .iter()
                    .all(|require| sight.sees(&require.cond, &inner))
        })
    }

    fn deeper(&mut self, look: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.depth >= MOST_DEPTH {
            return false;
        }
        self.depth += 1;
        let seen = look(self);
        self.depth -= 1;
        seen
    }

    fn bind(&mut self, params: &[LocalId], args: &[Expr], known: &Known) -> Known {
        params
            .iter()
            .zip(args)
            .filter_map(|(param, arg)| Some((*param, self.constant(arg, known)?)))
            .collect()
    }

    // ---- places

    fn sees_zone(&self, zone: ZoneId) -> bool {
        let zone = self.machine.program.game.zones.get(zone.index());
        zone.is_some_and(|zone| zone.visibility == Visibility::Open)
    }

    /// Whether the viewer sees the components whose parts an expression gives.
    fn sees_parts_in(&self, part: &Expr) -> bool {
        matches!(part.ty.base, Base::Elem(domain) if self.sees_parts_of(domain))
    }

    fn sees_parts_of(&self, domain: crate::model::DomainId) -> bool {
        let domain = self.machine.program.game.domains.get(domain.index());
        match domain.map(|domain| &domain.kind) {
            Some(DomainKind::Space {
                shape: Shape::Parts { zone, .. },
                ..
            }) => self.sees_zone(*zone),
            _ => false,
        }
    }

    fn sees_place(&mut self, place: &Place, known: &Known) -> bool {
        let Some(zone) = self.machine.program.game.zones.get(place.zone.index()) else {
            return false;
        };
        self.sees_index(zone.visibility, &place.index, known)
            || self.was_shown(place, &zone.index, known)
    }

    fn sees_index(&mut self, visibility: Visibility, index: &[Expr], known: &Known) -> bool {
        if self.viewer == Viewer::Referee || visibility == Visibility::Open {
            return true;
        }
        let Visibility::Owner(own) = visibility else {
            return false;
        };
        let Some(owner) = index.get(own).and_then(|expr| self.constant(expr, known)) else {
            return false;
        };
        let mut split = vec![0; own + 1];
        if let (Some(slot), Ok(owner)) = (split.get_mut(own), usize::try_from(owner)) {
            *slot = owner;
            return may_see(visibility, &split, self.viewer);
        }
        // The place of an absent index is empty for everybody.
        owner == NONE
    }

    fn was_shown(
        &mut self,
        place: &Place,
        index: &[crate::model::DomainId],
        known: &Known,
    ) -> bool {
        let Viewer::Seat(seat) = self.viewer else {
            return true;
        };
        let program = self.machine.program;
        let Some(slot) = program.layout.zone(place.zone) else {
            return false;
        };
        if slot.known.is_none() {
            return false;
        }
        let Some(at) = self.number(&place.index, index, known) else {
            return false;
        };
        at < slot.places as usize && slot.knows(&self.machine.mem, at, seat as usize)
    }

    /// The number of a place or of a track's value.
    fn number(
        &mut self,
        index: &[Expr],
        domains: &[crate::model::DomainId],
        known: &Known,
    ) -> Option<usize> {
        let mut at: u64 = 0;
        for (expr, domain) in index.iter().zip(domains) {
            let domain = self.machine.program.game.domains.get(domain.index())?;
            let value = self.constant(expr, known)?.checked_sub(domain.lo)?;
            let value = u64::try_from(value).ok().filter(|it| *it < domain.size)?;
            at = at.checked_mul(domain.size)?.checked_add(value)?;
        }
        usize::try_from(at).ok()
    }

    /// The value of an expression where that takes no rule: enough to tell whose place is meant.
    fn constant(&mut self, expr: &Expr, known: &Known) -> Option<i64> {
        let game = &*self.machine.program.game;
        match &expr.kind {
            ExprKind::Value(value) => Some(*value),
            ExprKind::Setting(folded) => Some(folded.value),
            ExprKind::Local(local) => known.get(local).copied(),
            ExprKind::Binary(op @ (BinaryOp::CycleAdd | BinaryOp::CycleSub), left, right) => {
                let crate::model::Base::Elem(domain) = expr.ty.base else {
                    return None;
                };
                let size = i64::try_from(game.domains.get(domain.index())?.size).ok()?;
                let (left, right) = (self.constant(left, known)?, self.constant(right, known)?);
                let sum = match op {
                    BinaryOp::CycleAdd => left.checked_add(right)?,
                    _ => left.checked_sub(right)?,
                };
                Some(sum.rem_euclid(size.max(1)))
            }
            ExprKind::Track(track, index) => {
                let declared = game.tracks.get(track.index())?;
                if !self.sees_index(declared.visibility, index, known) {
                    return None;
                }
                let at = self.number(index, &declared.index, known)?;
                let slot = self.machine.program.layout.tracks.get(track.index())?;
                match slot.read(&self.machine.mem, at) {
                    TrackValue::Scalar(value) => Some(value),
                    TrackValue::Set(_) => None,
                }
            }
            ExprKind::Call(define, args) => {
                let define = game.defines.get(define.index())?;
                if self.depth >= MOST_DEPTH {
                    return None;
                }
                let inner = self.bind(&define.params, args, known);
                self.depth += 1;
                let value = self.constant(&define.body, &inner);
                self.depth -= 1;
                value
            }
            _ => None,
        }
    }
}

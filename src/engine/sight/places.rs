//! Which places and tracks somebody sees, and which of them are meant.

use super::{Known, Sight};
use crate::engine::view::{TrackValue, Viewer, may_see};
use crate::model::{
    Base, BinaryOp, DomainId, DomainKind, Expr, ExprKind, NONE, Place, Shape, TrackId, Visibility,
    ZoneId,
};

/// Deepest chain of definitions in which the seat is looked for whose place is meant.
const MOST_DEPTH: u32 = 48;

impl Sight<'_, '_> {
    pub(super) fn sees_zone(&self, zone: ZoneId) -> bool {
        let zone = self.machine.program.game.zones.get(zone.index());
        zone.is_some_and(|zone| zone.visibility == Visibility::Open)
    }

    /// Whether all that makes a position lies open.
    pub(super) fn sees_position(&self) -> bool {
        let game = &*self.machine.program.game;
        let zones = (0..).map(ZoneId).zip(&game.zones);
        let tracks = (0..).map(TrackId).zip(&game.tracks);
        let hides = |it: Visibility| it != Visibility::Open;
        self.viewer == Viewer::Referee
            || !zones
                .filter(|(id, _)| !game.passing.zones.contains(id))
                .any(|(_, it)| hides(it.visibility))
                && !tracks
                    .filter(|(id, _)| !game.passing.tracks.contains(id))
                    .any(|(_, it)| hides(it.visibility))
    }

    /// Whether the viewer sees the components whose parts an expression gives.
    pub(super) fn sees_parts_in(&self, part: &Expr) -> bool {
        matches!(part.ty.base, Base::Elem(domain) if self.sees_parts_of(domain))
    }

    pub(super) fn sees_parts_of(&self, domain: DomainId) -> bool {
        let domain = self.machine.program.game.domains.get(domain.index());
        match domain.map(|domain| &domain.kind) {
            Some(DomainKind::Space {
                shape: Shape::Parts { zone, .. },
                ..
            }) => self.sees_zone(*zone),
            _ => false,
        }
    }

    pub(super) fn sees_place(&mut self, place: &Place, known: &Known) -> bool {
        let Some(zone) = self.machine.program.game.zones.get(place.zone.index()) else {
            return false;
        };
        self.sees_index(zone.visibility, &place.index, known)
            || self.was_shown(place, &zone.index, known)
    }

    /// Takes a place down that the viewer does not see, where that is done and it is sure which one it is.
    pub(super) fn lacks_place(&mut self, place: &Place, known: &Known) -> bool {
        if self.lacks.is_none() {
            return false;
        }
        let at = self.place_number(place, known);
        let lacks = self.lacks.as_mut().zip(at);
        lacks.is_some_and(|(lacks, at)| {
            lacks.insert((place.zone, at));
            true
        })
    }

    pub fn sees_index(&mut self, visibility: Visibility, index: &[Expr], known: &Known) -> bool {
        if self.viewer == Viewer::Referee || visibility == Visibility::Open {
            return true;
        }
        let (Visibility::Owner(own) | Visibility::Others(own)) = visibility else {
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

    /// Whether the viewer was shown what lies at a place, or sees that nothing does.
    fn was_shown(&mut self, place: &Place, index: &[DomainId], known: &Known) -> bool {
        let Viewer::Seat(seat) = self.viewer else {
            return true;
        };
        if !self.reads {
            return false;
        }
        let program = self.machine.program;
        let Some(slot) = program.layout.zone(place.zone) else {
            return false;
        };
        let mem = &self.machine.mem;
        let is_shown = |at: usize| {
            slot.size(mem, at) == 0 || slot.known.is_some() && slot.knows(mem, at, seat as usize)
        };
        let places = slot.places as usize;
        match self.number(&place.index, index, known) {
            Some(at) => at < places && is_shown(at),
            // Whichever it is.
            None => {
                let zone = program.game.zones.get(place.zone.index());
                let sees = |zone, at| slot.seen_by(&program.game, zone, mem, at, self.viewer);
                (0..places).all(|at| is_shown(at) || zone.is_some_and(|it| sees(it, at)))
            }
        }
    }

    /// The number of a place, where it is known which one is meant.
    pub fn place_number(&mut self, place: &Place, known: &Known) -> Option<usize> {
        let zone = self.machine.program.game.zones.get(place.zone.index())?;
        self.number(&place.index, &zone.index, known)
    }

    /// The number of a place or of a track's value.
    fn number(&mut self, index: &[Expr], domains: &[DomainId], known: &Known) -> Option<usize> {
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
    pub fn constant(&mut self, expr: &Expr, known: &Known) -> Option<i64> {
        let game = &*self.machine.program.game;
        match &expr.kind {
            ExprKind::Value(value) => Some(*value),
            ExprKind::Setting(folded) => Some(folded.value),
            ExprKind::Local(local) => known.get(*local),
            ExprKind::Binary(op @ (BinaryOp::CycleAdd | BinaryOp::CycleSub), left, right) => {
                let domain = expr.ty.base.element_of()?;
                let size = i64::try_from(game.domains.get(domain.index())?.size).ok()?;
                let (left, right) = (self.constant(left, known)?, self.constant(right, known)?);
                let sum = match op {
                    BinaryOp::CycleAdd => left.checked_add(right)?,
                    _ => left.checked_sub(right)?,
                };
                Some(sum.rem_euclid(size.max(1)))
            }
            ExprKind::Track(track, index) if self.reads => {
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
                let inner = self.bind(&game.defines.get(define.index())?.params, args, known);
                let asked = (*define, inner);
                if let Some(found) = self.constants.get(&asked) {
                    return *found;
                }
                if self.depth >= MOST_DEPTH {
                    return None;
                }
                self.depth += 1;
                let value = self.constant(&game.defines.get(define.index())?.body, &asked.1);
                self.depth -= 1;
                self.constants.insert(asked, value);
                value
            }
            _ => None,
        }
    }
}

//! What comes of what is carried from one place to another, and of what is shown.

use super::{Trail, Way};
use crate::model::{Expr, Holder, Holding, Move, Place, What, ZoneId};

impl Trail<'_, '_> {
    pub(super) fn moved(&mut self, moved: &Move, way: Way) {
        if let What::At(from) = &moved.what {
            let is_seen = self.sees(&moved.to) || self.sees(from);
            self.done.laid_open |= is_seen && way.is_sure && self.lies_in(from);
        }
        let taken_from = match &moved.what {
            What::At(from) | What::All(from) | What::Top(from, _) => from.zone,
            What::Nth(from, ..) | What::Draw(_, from, _) => from.zone,
            What::Copies(_, _, Holding::Place(from)) => from.zone,
            What::Copies(_, _, Holding::Anywhere(zone)) => *zone,
        };
        self.stir(taken_from);
        self.stir(moved.to.zone);
        let (from, kind) = match &moved.what {
            What::At(from) | What::All(from) | What::Top(from, _) => (Some(from), None),
            What::Nth(from, n, _) => (Some(from), Some(n)),
            What::Draw(count, from, _) => {
                self.done.shown |= count.as_ref().is_some_and(|it| self.is_tainted(it));
                (Some(from), None)
            }
            What::Copies(count, kind, holding) => {
                self.done.shown |= count.as_ref().is_some_and(|it| self.is_tainted(it));
                let from = match holding {
                    Holding::Place(from) => Some(from),
                    Holding::Anywhere(_) => None,
                };
                (from, Some(kind))
            }
        };
        // Everybody sees how many things lie at a place.
        let places = from.into_iter().chain([&moved.to]);
        let counted = way.depends || places.into_iter().any(|it| self.is_tainted_place(it));
        self.done.shown |= counted;
        let given = moved.with.iter().any(|(_, value)| self.is_tainted(value));
        let Some(kind) = kind.filter(|it| self.is_tainted(it)) else {
            if given {
                let is_seen = self.sees(&moved.to);
                self.note(is_seen);
            }
            return;
        };
        let is_seen = self.sees(&moved.to) || from.is_some_and(|it| self.sees(it));
        self.laid(kind, is_seen, way);
    }

    /// A component goes to a place.
    fn laid(&mut self, kind: &Expr, is_seen: bool, way: Way) {
        self.note(is_seen);
        self.done.laid_open |= is_seen && way.is_sure && self.is_same(kind);
    }

    pub(super) fn exchanged(&mut self, holders: [&Holder; 2], way: Way) {
        let place_of = |holder: &'_ Holder| match holder {
            Holder::At(place) | Holder::All(place) | Holder::Copy(_, place) => place.clone(),
        };
        let [one, other] = holders.map(place_of);
        self.stir(one.zone);
        self.stir(other.zone);
        self.done.shown |=
            way.depends || self.is_tainted_place(&one) || self.is_tainted_place(&other);
        let is_seen = self.sees(&one) || self.sees(&other);
        for holder in holders {
            if let Holder::Copy(kind, _) = holder
                && self.is_tainted(kind)
            {
                self.laid(kind, is_seen, way);
            }
        }
    }

    pub(super) fn showed(&mut self, place: &Place, who: Option<&Expr>, way: Way) {
        let seat = who.map(|it| self.sight().constant(it, &self.known));
        let is_told = match seat {
            None => true,
            Some(seat) => seat.is_some_and(|it| self.is_viewer(it)),
        };
        let depends = way.depends
            || self.is_tainted_place(place)
            || who.is_some_and(|it| self.is_tainted(it));
        // Everybody notices that somebody looks, and where.
        self.done.shown |= depends;
        self.done.laid_open |= is_told && self.lies_in(place) && way.is_sure;
    }

    /// Whether what is followed still lies at a place for certain.
    fn lies_in(&self, place: &Place) -> bool {
        let at = self.sight().place_number(place, &self.known);
        at.is_some_and(|at| self.lies == Some((place.zone, at)))
    }

    /// Something goes to a zone or leaves it.
    fn stir(&mut self, zone: ZoneId) {
        self.lies = self.lies.filter(|(it, _)| *it != zone);
    }
}

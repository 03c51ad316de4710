//! `lay PLACE "…"`: what is drawn lies there then, and nothing else.
//!
//! It is written out as moves. What lies there goes where `supply` lays its kind first; then each thing that is drawn is
//! taken from where `supply` lays it, or, if it is not there, from the first place of the other zones that holds it, in the
//! order in which they are declared. What is taken from there is replaced, so that no holes come of it.

mod clear;
mod twice;

use crate::diagnostic::codes;
use crate::model::{DomainId, ExprKind, Place, Stmt, StmtKind, What, ZoneKind};
use crate::source::Span;
use crate::syntax::ast;

use super::family::Family;
use super::fetch::{Besides, moved_to};
use super::holders::number;
use super::homes::Homes;
use super::moves::statement;
use super::signs::{Drawn, Ink, Piece};
use super::thing::Thing;
use super::{Checked, Checker};

/// What stands for all that lies there already.
const REST: &str = "...";

impl Checker<'_> {
    pub(super) fn lay(
        &mut self,
        place: &ast::Expr,
        drawn: &ast::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let thing = self.thing(place, None)?;
        self.effect_allowed(span)?;
        match thing {
            Thing::Place(mut there) => {
                self.settle_index(&mut there, span, out);
                let ink = self.ink(drawn)?;
                self.lay_there(&there, &ink, place.span, out)
            }
            Thing::Family(mut family) => {
                self.settle_family(&mut family, span, out);
                let ink = self.ink(drawn)?;
                self.lay_all(&family, &ink, place.span, out)
            }
            _ => Err(self.complain(
                codes::NOT_A_PLACE,
                place.span,
                "this is no place of a zone",
                "name a zone, with its index or for all its places: `lay hand[anna] \"…\"`",
            )),
        }
    }

    /// Asks once where a place is, before anything moves.
    pub(super) fn settle_index(&mut self, place: &mut Place, span: Span, out: &mut Vec<Stmt>) {
        for index in &mut place.index {
            if !matches!(index.kind, ExprKind::Local(_) | ExprKind::Value(_)) {
                let local = self.fresh("it", index.ty, index.span);
                let asked = std::mem::replace(index, self.local(local, index.span));
                out.push(statement(StmtKind::Let(local, asked), span));
            }
        }
    }

    fn lay_there(
        &mut self,
        place: &Place,
        ink: &Ink,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let component = self.component_of(place.zone)?;
        let homes = self.homes(component, span)?;
        let start = ink.text.len() - ink.text.trim_start().len();
        let keeps = ink.text.get(start..).is_some_and(|it| it.starts_with(REST));
        let from = if keeps { start + REST.len() } else { 0 };
        let pieces = self.read_all_lying(ink, from, place.zone)?;
        if self.zone_kind(place) == ZoneKind::One
            && let Some((_, at)) = pieces.get(usize::from(!keeps))
        {
            return Err(self.too_many_for_one(*at));
        }
        self.are_enough(&homes, pieces.iter(), component)?;
        let is_home = homes
            .groups
            .iter()
            .any(|it| self.is_place(place, it.0, &it.1));
        if is_home && !keeps {
            let name = self.zone_name(place);
            return Err(self.complain(
                codes::MISPLACED,
                ink.span,
                format!("`{name}` is where `supply` lays things, so more than this lies there"),
                "write dots before what is laid there on top of all the rest: `\"... 9s\"`",
            ));
        }
        if !keeps {
            self.send_home(place, &homes, span, out);
        }
        let mut laid: Vec<i64> = Vec::new();
        for (drawn, at) in &pieces {
            let Some((kind, n)) = drawn.kind().filter(|_| keeps) else {
                self.lay_piece(drawn, place, &homes, Besides::Nothing, *at, out)?;
                continue;
            };
            for _ in 0..n {
                let above = laid.iter().filter(|it| **it == kind).count();
                let rest = Besides::Rest(i64::try_from(above).unwrap_or(i64::MAX));
                out.extend(self.fetched(kind, place, &homes, rest, *at)?);
                laid.push(kind);
            }
        }
        Ok(())
    }

    /// Lays what is drawn of a zone with many places; where nothing is drawn, nothing lies then.
    fn lay_all(
        &mut self,
        family: &Family,
        ink: &Ink,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let zone = family.zone;
        let component = self.component_of(zone)?;
        let homes = self.homes(component, span)?;
        let spots = self.read_spots(family, ink)?;
        let name = self.family_name(family);
        if homes.groups.iter().any(|it| it.0 == zone) {
            let help = format!("name one of its places: `lay {name}[…] \"…\"`");
            let message =
                format!("`{name}` is where `supply` lays things, so not all of it can be drawn");
            return Err(self.complain(codes::MISPLACED, ink.span, message, help));
        }
        let is_one = self
            .game
            .zones
            .get(zone.index())
            .is_some_and(|it| it.kind == ZoneKind::One);
        if is_one && let Some((_, at)) = spots.iter().find_map(|it| it.pieces.get(1)) {
            return Err(self.too_many_for_one(*at));
        }
        self.are_enough(&homes, spots.iter().flat_map(|it| &it.pieces), component)?;
        let (binders, place) = self.each_in(family, span);
        let mut each = Vec::new();
        self.send_home(&place, &homes, span, &mut each);
        out.push(statement(StmtKind::ForEach(binders, each), span));
        for spot in &spots {
            let place = self.place_in(family, &spot.index, span);
            for (drawn, at) in &spot.pieces {
                self.lay_piece(drawn, &place, &homes, Besides::Zone(zone), *at, out)?;
            }
        }
        Ok(())
    }

    /// Complains where more is drawn of a kind than there is.
    fn are_enough<'p>(
        &mut self,
        homes: &Homes,
        pieces: impl Iterator<Item = &'p Piece>,
        component: DomainId,
    ) -> Checked<()> {
        let mut drawn: Vec<(i64, i64)> = Vec::new();
        for (piece, at) in pieces {
            let Some((kind, n)) = piece.kind() else {
                continue;
            };
            let so_far = match drawn.iter_mut().find(|it| it.0 == kind) {
                Some(it) => {
                    it.1 += n;
                    it.1
                }
                None => {
                    drawn.push((kind, n));
                    n
                }
            };
            let there_are = homes.copies(kind);
            if so_far > there_are {
                let of = self
                    .domain(component)
                    .map_or(String::new(), |it| it.name.clone());
                let message = match there_are {
                    0 => format!("no such `{of}` is in the game"),
                    1 => format!("{so_far} are drawn of this `{of}`, and there is one"),
                    n => format!("{so_far} are drawn of this `{of}`, and there are {n}"),
                };
                let help = "what is laid must be in the game: see `supply`";
                return Err(self.complain(codes::OUT_OF_RANGE, *at, message, help));
            }
        }
        Ok(())
    }

    fn lay_piece(
        &mut self,
        drawn: &Drawn,
        to: &Place,
        homes: &Homes,
        besides: Besides,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        match drawn {
            Drawn::Empty => Ok(()),
            Drawn::Kind(kind, n) => {
                let one = self.fetched(*kind, to, homes, besides, span)?;
                if *n == 1 {
                    out.extend(one);
                } else {
                    out.push(statement(StmtKind::Times(number(*n, span), one), span));
                }
                Ok(())
            }
            Drawn::Lying(kind, fields) => {
                let one = self.fetched(*kind, to, homes, besides, span)?;
                out.extend(one);
                self.lay_fields(to, fields, span, out);
                Ok(())
            }
            Drawn::Any | Drawn::Some => {
                self.chance_allowed(span)?;
                let groups = &homes.groups;
                let from = match groups.as_slice() {
                    [(zone, index, _)] if !self.is_place(to, *zone, index) => {
                        let domains = self.index_of(*zone);
                        self.place_at(*zone, &domains, index, span)
                    }
                    _ => {
                        let message = "nothing says which one comes to lie here";
                        let help =
                            "write its sign: things of this kind start in several places, or here";
                        return Err(self.complain(codes::UNKNOWN_SIGN, span, message, help));
                    }
                };
                let stream = self.stream_of(&from);
                let what = match self.zone_kind(&from) {
                    ZoneKind::Pile => What::Top(from, stream),
                    ZoneKind::Bag => What::Draw(None, from, stream),
                    ZoneKind::One => What::At(from),
                };
                out.push(moved_to(what, to, span));
                Ok(())
            }
        }
    }
}

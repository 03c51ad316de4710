//! `clear PLACE` and `clear`: things go back to where `supply` lays them.
//!
//! It is written out as moves. `clear` alone lets everything lie as before play: all things of a kind are gathered in one
//! place, where they start if there is only one such, and each other place gets from there what is laid in it. Nothing is
//! asked of what lies where, so it tells no more than the moves do.

use crate::check::family::Family;
use crate::diagnostic::codes;
use crate::model::{
    Base, BinaryOp, Binder, DomainId, Expr, ExprKind, Holding, Move, Over, Place, Stmt, StmtKind,
    Type, Visibility, What, ZoneId, ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast;

use crate::check::drawn::compare;
use crate::check::fetch::{filled, moved_to};
use crate::check::holders::number;
use crate::check::homes::Homes;
use crate::check::moves::{statement, when};
use crate::check::thing::Thing;
use crate::check::{Checked, Checker};

impl Checker<'_> {
    pub(in crate::check) fn clear(
        &mut self,
        place: Option<&ast::Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        self.effect_allowed(span)?;
        let Some(place) = place else {
            return self.clear_all(span, out);
        };
        match self.thing(place, None)? {
            Thing::Place(mut there) => {
                self.settle_index(&mut there, span, out);
                let homes = self.goes_home(there.zone, Some(&there), place.span)?;
                self.send_home(&there, &homes, span, out);
                Ok(())
            }
            Thing::Family(mut family) => {
                self.settle_family(&mut family, span, out);
                let homes = self.goes_home(family.zone, None, place.span)?;
                let (binders, place) = self.each_in(&family, span);
                let mut each = Vec::new();
                self.send_home(&place, &homes, span, &mut each);
                out.push(statement(StmtKind::ForEach(binders, each), span));
                Ok(())
            }
            _ => Err(self.complain(
                codes::NOT_A_PLACE,
                place.span,
                "this is no place of a zone",
                "name a zone, or write `clear` alone for all that lies anywhere",
            )),
        }
    }

    /// Where things of a zone start, if what lies there can go back by itself.
    fn goes_home(
        &mut self,
        zone: ZoneId,
        place: Option<&Place>,
        span: Span,
    ) -> Checked<std::rc::Rc<Homes>> {
        let component = self.component_of(zone)?;
        let homes = self.homes(component, span)?;
        let groups = &homes.groups;
        let name = self.game.zones.get(zone.index());
        let name = name.map_or(String::new(), |it| it.name.clone());
        if let [(only, index, _)] = groups.as_slice()
            && *only == zone
            && place.is_none_or(|it| self.is_place(it, *only, index))
            && (place.is_some() || index.is_empty())
        {
            return Err(self.complain(
                codes::MISPLACED,
                span,
                format!("`{name}` is where `supply` lays things: they stay there"),
                "name the places that are emptied, or write `clear` alone for all of them",
            ));
        }
        let is_one = |zone: ZoneId| self.kind_of_zone(zone) == ZoneKind::One;
        if let Some((one, ..)) = groups.iter().find(|it| is_one(it.0)) {
            let one = self.game.zones.get(one.index());
            let one = one.map_or(String::new(), |it| it.name.clone());
            return Err(self.complain(
                codes::MISPLACED,
                span,
                format!("`supply` lays these in `{one}`, where another one may lie meanwhile"),
                "write `clear` alone: then everything lies as before play",
            ));
        }
        Ok(homes)
    }

    fn clear_all(&mut self, span: Span, out: &mut Vec<Stmt>) -> Checked<()> {
        let mut cleared: Vec<DomainId> = Vec::new();
        for zone in self.game.supplies.clone().iter().map(|it| it.zone) {
            let component = self.component_of(zone)?;
            if !cleared.contains(&component) {
                cleared.push(component);
                self.clear_things(component, span, out)?;
            }
        }
        Ok(())
    }

    /// Lets all things of a component lie as before play.
    fn clear_things(
        &mut self,
        component: DomainId,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let homes = self.homes(component, span)?;
        let laid = laid(&homes);
        let all = laid.iter().map(|it| it.2 * count(&it.3)).sum();
        let Some(middle) = self.gathering_place(component, &laid, all, span) else {
            let of = self.domain(component);
            let of = of.map_or(String::new(), |it| it.name.clone());
            let message = format!("there is no zone that has room for all `{of}` meanwhile");
            let help = format!("let there be one: `zone box: bag of {of} open`");
            return Err(self.complain(codes::MISPLACED, span, message, help));
        };
        // What stands on things goes before they do.
        for at in (0..self.game.zones.len()).rev() {
            let zone = ZoneId(u32::try_from(at).unwrap_or(0));
            if self.component_of(zone)? == component {
                self.gather(&zone.into(), &middle, &[], span, out);
            }
        }
        let mut piles: Vec<Place> = Vec::new();
        for (zone, index, copies, kinds) in &laid {
            let domains = self.index_of(*zone);
            let home = self.place_at(*zone, &domains, index, span);
            if self.kind_of_zone(*zone) == ZoneKind::Pile
                && !piles.iter().any(|it| self.is_place(it, *zone, index))
            {
                piles.push(home.clone());
            }
            if self.is_place(&middle, *zone, index) {
                continue;
            }
            let local = self.fresh("it", Type::of(Base::Elem(component)), span);
            let kind = self.local(local, span);
            let binder = Binder::over(local, self.set_of(component, kinds, span));
            let amount = Some(number(*copies, span));
            let what = What::Copies(amount, kind, Holding::Place(middle.clone()));
            let go = moved_to(what, &home, span);
            out.push(statement(StmtKind::ForEach(vec![binder], vec![go]), span));
        }
        for pile in piles {
            out.push(statement(StmtKind::Shuffle(pile), span));
        }
        Ok(())
    }

    /// Where all things of a component have room; best where most of them start, and where it is least seen.
    fn gathering_place(
        &mut self,
        component: DomainId,
        laid: &[(ZoneId, Vec<i64>, i64, Vec<i64>)],
        all: i64,
        span: Span,
    ) -> Option<Place> {
        let zones = self.game.zones.iter().enumerate();
        let has_room = |zone: &crate::model::Zone| {
            zone.component == component
                && (zone.kind != ZoneKind::One || all == 1 && zone.index.is_empty())
                && zone.capacity.is_none_or(|it| i64::from(it) >= all)
        };
        let seen = |zone: &crate::model::Zone| match zone.visibility {
            Visibility::Hidden => 0,
            Visibility::Owner(_) | Visibility::Others(_) => 1,
            Visibility::Open => 2,
        };
        let places = zones.filter(|(_, zone)| has_room(zone)).map(|(at, zone)| {
            let id = ZoneId(u32::try_from(at).unwrap_or(0));
            let homes = laid.iter().filter(|it| it.0 == id);
            let most = homes.max_by_key(|it| it.2 * count(&it.3));
            let n = most.map_or(0, |it| it.2 * count(&it.3));
            let first = vec![0; zone.index.len()];
            let index = most.map_or(first, |it| it.1.clone());
            ((n == all, std::cmp::Reverse(seen(zone)), n), id, index)
        });
        let (_, zone, index) = places.max_by(|one, other| one.0.cmp(&other.0))?;
        let domains = self.index_of(zone);
        Some(self.place_at(zone, &domains, &index, span))
    }

    /// All that lies in a zone goes to one place.
    pub(in crate::check) fn gather(
        &mut self,
        family: &Family,
        to: &Place,
        with: &[(usize, Expr)],
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let zone = family.zone;
        let is_one = self.kind_of_zone(zone) == ZoneKind::One;
        let domains = self.index_of(zone);
        let (mut binders, place) = self.each_in(family, span);
        if let ([binder], [space], true) = (binders.as_mut_slice(), domains.as_slice(), is_one) {
            binder.over = Over::Set(Expr {
                kind: ExprKind::Laid(zone),
                ty: self.set_of_cells(*space),
                span,
            });
        } else if is_one && let Some(binder) = binders.last_mut() {
            binder.guard = Some(filled(&place, span));
        }
        let what = match is_one {
            true => What::At(place.clone()),
            false => What::All(place.clone()),
        };
        let (to, with) = (to.clone(), with.to_vec());
        let is_there = self.is_place(&to, zone, &[]);
        let go = statement(StmtKind::Move(Move::new(what, to, with)), span);
        if !binders.is_empty() {
            out.push(statement(StmtKind::ForEach(binders, vec![go]), span));
        } else if is_one && !is_there {
            out.push(when(filled(&place, span), vec![go], Vec::new(), span));
        } else if !is_there {
            out.push(go);
        }
    }

    fn kind_of_zone(&self, zone: ZoneId) -> ZoneKind {
        let zone = self.game.zones.get(zone.index());
        zone.map_or(ZoneKind::Bag, |it| it.kind)
    }

    /// Lets all that lies at a place go to where `supply` lays it first.
    pub(super) fn send_home(
        &mut self,
        place: &Place,
        homes: &Homes,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let is_one = self.zone_kind(place) == ZoneKind::One;
        let is_only = homes.groups.len() == 1;
        for (zone, index, kinds) in &homes.groups {
            let domains = self.index_of(*zone);
            let to = self.place_at(*zone, &domains, index, span);
            let moved = |what| {
                let (to, with) = (to.clone(), Vec::new());
                statement(StmtKind::Move(Move::new(what, to, with)), span)
            };
            let component = self.component_of(place.zone).unwrap_or(DomainId(0));
            let kinds = self.set_of(component, kinds, span);
            let of_them = |it: Expr| compare(BinaryOp::In, it, kinds.clone(), span);
            if is_one {
                let there = match is_only {
                    true => filled(place, span),
                    false => of_them(self.component_at(place.clone(), span)),
                };
                let go = moved(What::At(place.clone()));
                out.push(when(there, vec![go], Vec::new(), span));
            } else if is_only {
                out.push(moved(What::All(place.clone())));
            } else {
                let local = self.fresh("it", Type::of(Base::Elem(component)), span);
                let it = self.local(local, span);
                let binder =
                    Binder::over(local, Over::Zone(place.clone())).guarded(of_them(it.clone()));
                let amount = Some(self.copies_at(place, it.clone(), span));
                let go = moved(What::Copies(amount, it, Holding::Place(place.clone())));
                out.push(statement(StmtKind::ForEach(vec![binder], vec![go]), span));
            }
        }
    }
}

/// The places where things start, with how many of each of which kinds.
fn laid(homes: &Homes) -> Vec<(ZoneId, Vec<i64>, i64, Vec<i64>)> {
    let mut laid: Vec<(ZoneId, Vec<i64>, i64, Vec<i64>)> = Vec::new();
    for (kind, places) in (0..).zip(&homes.kinds) {
        for (zone, index, n) in places {
            let same = |it: &&mut (ZoneId, Vec<i64>, i64, Vec<i64>)| {
                it.0 == *zone && it.1 == *index && it.2 == *n
            };
            match laid.iter_mut().find(same) {
                Some(it) => it.3.push(kind),
                None => laid.push((*zone, index.clone(), *n, vec![kind])),
            }
        }
    }
    laid
}

fn count(kinds: &[i64]) -> i64 {
    i64::try_from(kinds.len()).unwrap_or(i64::MAX)
}

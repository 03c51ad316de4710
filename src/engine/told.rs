//! What a seat is told of a choice that another one makes.
//!
//! What is chosen is public, unless all that the rules do with it is to put it where the seat does not look. A
//! component that lies where the seat does not look is secret, unless it goes where the seat does. Nothing here
//! depends on what the seat may not know.

mod closed;
mod course;
mod heard;
mod leaving;
mod look;
mod sites;
mod trail;

use std::collections::BTreeSet;

use super::machine::{Machine, Move};
use super::op::{ChoiceKind, Point};
use super::sight::Known;
use super::view::Viewer;
use crate::model::{
    Action, Alt, AltKind, ClauseId, Expr, ExprKind, Game, LocalId, Picker, Slot, Stmt, StmtKind,
    blocks_of,
};
pub(super) use closed::leading_to;
pub(super) use course::Courses;
pub use heard::{Change, Told, ToldPart};
pub(super) use heard::{Closed, Missed};
use trail::{Done, Trail, Way};

impl<'p> Machine<'p> {
    /// Whether all that a viewer may know of a move is that there was a choice.
    pub(super) fn is_silent(&self, viewer: Viewer, mv: Move, seat: u32) -> bool {
        if viewer == Viewer::Referee || viewer == Viewer::Seat(seat) {
            return false;
        }
        let quiet = self.alike(viewer, seat);
        usize::try_from(mv.0 & 0xff).is_ok_and(|own| quiet.iter().any(|(at, _)| *at == own))
    }

    /// The alternatives of the pending choice of which a viewer is told the same: that there was a choice.
    fn alike(&self, viewer: Viewer, seat: u32) -> Vec<(usize, Done)> {
        let alts = 0..self.point().map_or(0, |it| it.alts.len());
        let quiet = alts.filter_map(|at| Some((at, self.done_by(viewer, at, seat)?)));
        let quiet: Vec<(usize, Done)> = quiet.filter(|(_, done)| done.is_quiet()).collect();
        if quiet.len() > 1 && quiet.iter().any(|(_, done)| done.hidden) {
            quiet
        } else {
            Vec::new()
        }
    }

    /// Which one of the alternatives that are told in the same words a move answers with, from 1, and how many
    /// there are; none if there is no other. Which alternative is chosen is public.
    pub(super) fn way(&self, mv: Move) -> Option<(usize, usize)> {
        let own = usize::try_from(mv.0 & 0xff).ok()?;
        let point = self.point()?;
        let kind = &point.alts.get(own)?.kind;
        let is_alike = |other: &ChoiceKind| match (kind, other) {
            (ChoiceKind::Action(one), ChoiceKind::Action(other)) => one == other,
            (ChoiceKind::Inline { text, .. }, ChoiceKind::Inline { text: other, .. }) => {
                text == other
            }
            _ => false,
        };
        if point.alts.iter().filter(|it| is_alike(&it.kind)).count() < 2 {
            return None;
        }
        let alts = self.alternatives(point);
        let given = |at: usize| match alts.get(at).map(|it| &it.kind) {
            Some(AltKind::Action(_, args)) => args.as_slice(),
            _ => &[],
        };
        let at = 0..point.alts.len();
        let alike = at.filter(|at| {
            let other = point.alts.get(*at);
            other.is_some_and(|it| is_alike(&it.kind)) && !are_apart(given(own), given(*at))
        });
        let alike: Vec<usize> = alike.collect();
        let rank = alike.iter().position(|it| *it == own)?;
        (alike.len() > 1).then_some((rank + 1, alike.len()))
    }

    /// The alternatives of a choice, as the rulebook writes them.
    pub(super) fn alternatives(&self, point: &Point) -> Vec<&'p Alt> {
        let all = self.offered_at(point).into_iter();
        all.map(|(alt, _)| alt).collect()
    }

    /// The same, with the slots of a window.
    pub(super) fn offered_at(&self, point: &Point) -> Vec<(&'p Alt, Option<&'p Slot>)> {
        let mut found = Vec::new();
        let is_it =
            |clause: ClauseId, who: &Expr| clause == point.clause && who.span.same_place(point.at);
        each_choice(&self.program.game, &mut |stmt, _| match &stmt.kind {
            StmtKind::Choose(it) if is_it(it.clause, &it.who) => {
                found = it.alts.iter().map(|alt| (alt, None)).collect();
            }
            StmtKind::Window(it) if is_it(it.clause, &it.who) => {
                let slots = it.slots.iter();
                let alts = slots.flat_map(|slot| slot.alts.iter().map(move |it| (it, Some(slot))));
                found = alts.collect();
            }
            _ => {}
        });
        found
    }

    /// What an alternative of the pending choice does as a whole; where several choices may be meant, what all
    /// of them let be seen.
    fn done_by(&self, viewer: Viewer, at: usize, seat: u32) -> Option<Done> {
        let point = self.point()?;
        let game = &*self.program.game;
        let choice = point.alts.get(at)?;
        let mut found: Option<Done> = None;
        let mut note = |done: Done| {
            found = Some(found.map_or(done, |it| it.and(done)));
        };
        if let ChoiceKind::Value(local) = choice.kind {
            self.follow_picked(viewer, local, seat, &mut |trail, rest| {
                trail.tainted.insert(local);
                trail.block(rest, Way::SURE);
                note(trail.done);
            });
            return found;
        }
        each_choice(game, &mut |stmt, _| {
            let (clause, who, alt) = match &stmt.kind {
                StmtKind::Choose(it) => (it.clause, &it.who, it.alts.get(at)),
                StmtKind::Window(it) => {
                    let mut alts = it.slots.iter().flat_map(|slot| &slot.alts);
                    (it.clause, &it.who, alts.nth(at))
                }
                _ => return,
            };
            let Some(alt) = alt.filter(|_| clause == point.clause) else {
                return;
            };
            let mut known = Known::default();
            if let ExprKind::Local(local) = who.kind {
                known.put(local, Some(i64::from(seat)));
            }
            let mut trail = Trail::new(self, viewer, known);
            match (&alt.kind, &choice.kind) {
                (AltKind::Inline { text, .. }, ChoiceKind::Inline { text: own, .. })
                    if text == own => {}
                (AltKind::Action(id, _), ChoiceKind::Action(own)) if id == own => {
                    let action = game.actions.get(id.index());
                    let Some(body) = action.and_then(|it| game.procs.get(it.body.index())) else {
                        return;
                    };
                    if let Some(me) = body.params.first() {
                        trail.known.put(*me, Some(i64::from(seat)));
                    }
                    trail.tainted.extend(body.params.iter().skip(1));
                    trail.block(&body.body, Way::SURE.perhaps(true));
                }
                _ => return,
            }
            trail.block(&alt.then, Way::SURE.perhaps(true));
            note(trail.done);
        });
        // To decline, or to leave a window, does nothing.
        Some(found.unwrap_or_default())
    }

    /// Whether a viewer is told which value was picked.
    pub(super) fn tells_value(&self, viewer: Viewer, local: LocalId, seat: u32) -> bool {
        if viewer == Viewer::Referee || viewer == Viewer::Seat(seat) {
            return true;
        }
        let mut told = true;
        self.follow_picked(viewer, local, seat, &mut |trail, rest| {
            trail.follow(local, rest);
            told = trail.tells();
        });
        told
    }

    fn follow_picked(
        &self,
        viewer: Viewer,
        local: LocalId,
        seat: u32,
        each: &mut dyn FnMut(&mut Trail<'_, 'p>, &[Stmt]),
    ) {
        each_choice(&self.program.game, &mut |stmt, rest| {
            let StmtKind::Pick(pick) = &stmt.kind else {
                return;
            };
            let Picker::Seat(who) = &pick.who else {
                return;
            };
            if pick.local != local {
                return;
            }
            let mut known = Known::default();
            if let ExprKind::Local(who) = who.kind {
                known.put(who, Some(i64::from(seat)));
            }
            let mut trail = Trail::new(self, viewer, known);
            trail.come_from(&pick.over);
            each(&mut trail, rest);
        });
    }

    /// The parameters of an action whose values a viewer is not told, where a seat plays it.
    pub(super) fn untold(
        &self,
        viewer: Viewer,
        action: &Action,
        inputs: &[Option<i64>],
        seat: u32,
    ) -> BTreeSet<LocalId> {
        let mut untold = BTreeSet::new();
        if viewer == Viewer::Referee || viewer == Viewer::Seat(seat) {
            return untold;
        }
        let Some(body) = self.program.game.procs.get(action.body.index()) else {
            return untold;
        };
        untold.extend(action.params.iter().map(|it| it.local));
        let mut known = Known::default();
        known.put(action.me, Some(i64::from(seat)));
        if let Some(me) = body.params.first() {
            known.put(*me, Some(i64::from(seat)));
        }
        // What is told of one may say where another one goes.
        loop {
            let before = untold.len();
            let params = action.params.iter().zip(body.params.iter().skip(1));
            for ((param, own), value) in params.zip(inputs.iter().skip(1)) {
                if !untold.contains(&param.local) {
                    continue;
                }
                let mut trail = Trail::new(self, viewer, known.clone());
                trail.come_from(&param.over);
                trail.follow(*own, &body.body);
                if trail.tells() {
                    untold.remove(&param.local);
                    if let Some(value) = value {
                        known.put(param.local, Some(*value));
                        known.put(*own, Some(*value));
                    }
                }
            }
            if untold.len() == before {
                return untold;
            }
        }
    }
}

/// Whether arguments that an action is given are never equal.
fn are_apart(one: &[Option<Expr>], other: &[Option<Expr>]) -> bool {
    let value = |it: &Option<Expr>| match &it.as_ref()?.kind {
        ExprKind::Value(value) => Some(*value),
        ExprKind::Setting(folded) => Some(folded.value),
        _ => None,
    };
    let mut both = one.iter().map(value).zip(other.iter().map(value));
    both.any(|pair| matches!(pair, (Some(one), Some(other)) if one != other))
}

/// Calls `f` with each statement of the game that lets somebody choose, and with what follows it in its block.
fn each_choice<'g>(game: &'g Game, f: &mut dyn FnMut(&'g Stmt, &'g [Stmt])) {
    for proc in &game.procs {
        in_block(&proc.body, f);
    }
}

pub(super) fn in_block<'g>(block: &'g [Stmt], f: &mut dyn FnMut(&'g Stmt, &'g [Stmt])) {
    for (at, stmt) in block.iter().enumerate() {
        let rest = block.get(at + 1..).unwrap_or_default();
        f(stmt, rest);
        blocks_of(stmt, &mut |inner| in_block(inner, f));
    }
}

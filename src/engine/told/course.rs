//! Whether what nobody may know decides what happens.

use std::collections::BTreeSet;

use super::look::Look;
use super::sites::{Chosen, Site};
use crate::engine::machine::{Machine, Move, Status};
use crate::engine::say::CandidateKind;
use crate::engine::sight::{Known, Sight};
use crate::engine::view::Viewer;
use crate::model::{Expr, LocalId, Visibility};

/// What not everybody sees, and what it decides.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Courses {
    /// Alternatives between which and the next choice it may decide what happens.
    decided: BTreeSet<Site>,
    /// Locals whose values not everybody knows.
    closed: BTreeSet<LocalId>,
    /// Whether there is anything that not everybody sees.
    is_closed: bool,
}

impl<'p> Machine<'p> {
    fn find_courses(&self) -> Courses {
        let game = &*self.program.game;
        let zones = game.zones.iter().map(|it| it.visibility);
        let mut seen = zones.chain(game.tracks.iter().map(|it| it.visibility));
        if seen.all(|it| it == Visibility::Open) {
            return Courses::default();
        }
        Courses {
            decided: Look::new(self).decided(),
            closed: self.closed_to_some(),
            is_closed: true,
        }
    }

    /// Locals whose values not everybody knows.
    pub(in crate::engine) fn closed_locals(&self) -> &'p BTreeSet<LocalId> {
        let courses = &self.program.courses;
        &courses.get_or_init(|| self.find_courses()).closed
    }

    /// Whether something hidden may decide what happens between a move of the pending choice and the next choice.
    #[must_use]
    pub fn is_decided_in_secret(&self, mv: Move) -> bool {
        let courses = self.program.courses.get_or_init(|| self.find_courses());
        let (Ok(own), Some(point)) = (usize::try_from(mv.0 & 0xff), self.point()) else {
            return false;
        };
        let site = |at: usize| Some((point.clause, Chosen::of(&point.alts.get(at)?.kind)));
        let is_decided = |at: usize| site(at).is_some_and(|it| courses.decided.contains(&it));
        is_decided(own) || courses.is_closed && self.alike_to(own).into_iter().any(is_decided)
    }

    /// Who of these, other than who chooses, is told a move and does not see all that its being legal hangs on: it learns that
    /// this holds.
    #[must_use]
    pub fn hears_that_it_holds(&self, mv: Move, people: &[u32]) -> Option<u32> {
        let game = &*self.program.game;
        let candidate = self.candidate(mv)?;
        let point = self.point()?;
        let at = usize::try_from(mv.0 & 0xff).ok()?;
        let offered = self.alternatives(point).get(at).copied();
        let offered = offered.and_then(|it| it.offered.as_ref());
        let action = match &candidate.kind {
            CandidateKind::Action(id, args) => game.actions.get(id.index()).zip(Some(args)),
            _ => None,
        };
        let mut others = people.iter().copied().filter(|it| *it != candidate.seat);
        others.find(|person| {
            let viewer = Viewer::Seat(*person);
            let sees = |expr: &Expr, known: &Known| Sight::new(self, viewer).sees(expr, known);
            if self.is_silent(viewer, mv, candidate.seat) {
                return false;
            }
            let asks = action.is_some_and(|(action, args)| {
                let inputs = std::iter::once(Some(i64::from(candidate.seat)));
                let inputs: Vec<Option<i64>> = inputs.chain(args.iter().copied()).collect();
                let mut known = self.known_to(&[viewer], action, &inputs);
                // What is chosen in secret may be chosen again.
                known.untold.clear();
                let mut requires = action.requires.iter();
                requires.any(|it| !sees(&it.cond, &known))
            });
            asks || offered.is_some_and(|it| !sees(&it.cond, &Known::default()))
        })
    }

    /// The alternatives that somebody else is told in the same words as another one, if this is among them: what can be
    /// taken back must not tell which it was.
    fn alike_to(&self, own: usize) -> BTreeSet<usize> {
        let (Status::Choice { seat }, Some(point)) = (self.status(), self.point()) else {
            return BTreeSet::new();
        };
        if point.alts.len() < 2 {
            return BTreeSet::new();
        }
        let others = (0..self.program.game.n_seats).filter(|it| *it != seat);
        let alike = others.flat_map(|it| self.alike(Viewer::Seat(it), seat));
        let alike: BTreeSet<usize> = alike.map(|(at, _)| at).collect();
        match alike.contains(&own) {
            true => alike,
            false => BTreeSet::new(),
        }
    }
}

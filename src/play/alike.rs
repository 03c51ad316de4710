//! Moves that lay a tile in ways that look the same: nobody has to choose between them.

use std::collections::HashMap;

use super::picture::looks_alike;
use crate::engine::{
    CandidateKind, Dice, Looks, Machine, Move, PlaceView, Seen, State, Status, View, Viewer,
};
use crate::model::{ActionId, Base, DomainId, Type};

/// More legal moves than these are not compared.
const MOST_MOVES: usize = 512;

/// A move without the way in which it turns what it lays.
type Key = (ActionId, Vec<i64>);

/// By legal move the first one that looks the same to who chooses: itself, where none does. The positions behind both differ in
/// nothing else than in how one tile is turned, and that tile looks the same in both ways.
#[must_use]
pub fn firsts(machine: &Machine<'_>) -> Vec<usize> {
    let n_moves = machine.moves().len();
    let mut firsts: Vec<usize> = (0..n_moves).collect();
    let game = &machine.program().game;
    let (Status::Choice { seat }, true) = (machine.status(), n_moves <= MOST_MOVES) else {
        return firsts;
    };
    for space in game.pictures.iter().map(|it| it.space) {
        if let Ok(Some(looks)) = Looks::of(machine.program(), space) {
            Turning::of(machine, seat, looks).find(&mut firsts);
        }
    }
    firsts
}

/// The legal moves that are left where of those that look the same only the first stands.
#[must_use]
pub fn distinct(machine: &Machine<'_>) -> Vec<usize> {
    let firsts = firsts(machine).into_iter().enumerate();
    firsts
        .filter(|(at, first)| at == first)
        .map(|(at, _)| at)
        .collect()
}

/// What a landscape is asked for, with the position from which moves are tried.
struct Turning<'m, 'p> {
    machine: &'m Machine<'p>,
    root: State,
    seat: u32,
    looks: Looks<'p>,
}

impl<'m, 'p> Turning<'m, 'p> {
    fn of(machine: &'m Machine<'p>, seat: u32, looks: Looks<'p>) -> Self {
        Self {
            machine,
            root: machine.save(),
            seat,
            looks,
        }
    }

    fn find(&mut self, firsts: &mut [usize]) {
        let Some((ways, field)) = self.ways() else {
            return;
        };
        let mut found: HashMap<Key, Vec<usize>> = HashMap::new();
        for (at, mv) in self.machine.moves().iter().enumerate() {
            if let Some(key) = self.key(*mv, ways) {
                found.entry(key).or_default().push(at);
            }
        }
        for several in found.into_values().filter(|it| it.len() > 1) {
            let mut known: Vec<(usize, Behind)> = Vec::new();
            for at in several {
                let Some(behind) = self.behind(at, field) else {
                    continue;
                };
                let same = known.iter().find(|(_, it)| self.is_same(it, &behind));
                match (same, firsts.get_mut(at)) {
                    (Some((other, _)), Some(first)) => *first = *other,
                    _ => known.push((at, behind)),
                }
            }
        }
    }

    /// In what a component of the landscape can be turned, and the field that says how it is.
    fn ways(&self) -> Option<(DomainId, usize)> {
        let field = self.looks.turn?;
        let zone = self.looks.zone.index();
        let zone = self.machine.program().game.zones.get(zone)?;
        match zone.fields.get(field)?.ty.base {
            Base::Elem(ways) => Some((ways, field)),
            _ => None,
        }
    }

    /// What a move is besides the only value that can say how it turns something.
    fn key(&self, mv: Move, ways: DomainId) -> Option<Key> {
        let CandidateKind::Action(id, _) = self.machine.candidate(mv)?.kind else {
            return None;
        };
        let args = self.machine.args(mv);
        let is_way = |(ty, _): &&(Type, i64)| ty.base == Base::Elem(ways);
        let others = args.iter().filter(|it| !is_way(it));
        let others: Vec<i64> = others.map(|(_, value)| *value).collect();
        (others.len() + 1 == args.len()).then_some((id, others))
    }

    /// What the seat sees behind a move by which one component more lies on the landscape.
    fn behind(&self, at: usize, field: usize) -> Option<Behind> {
        let mut here = Machine::new(self.machine.program());
        here.load(&self.root);
        here.recall(self.machine.knowledge().clone());
        let viewer = Viewer::Seat(self.seat);
        let zone = self.looks.zone.index();
        let before = here.view(viewer);
        here.play_nth(at, &mut Dice::new(0)).ok()?;
        let mut view = here.view(viewer);
        let lay = &before.zones.get(zone)?.places;
        let lie = &mut view.zones.get_mut(zone)?.places;
        let new = |it: &&mut PlaceView| !lay.iter().any(|old| old.index == it.index);
        let mut new = lie.iter_mut().filter(new);
        let (Some(place), None) = (new.next(), new.next()) else {
            return None;
        };
        let Some(Seen::Known(kind)) = place.seen.first() else {
            return None;
        };
        let kind = *kind;
        let turn = std::mem::take(place.fields.get_mut(field)?);
        let turn = usize::try_from(turn).ok()?;
        Some(Behind { view, kind, turn })
    }

    fn is_same(&mut self, one: &Behind, other: &Behind) -> bool {
        one.kind == other.kind
            && one.view == other.view
            && looks_alike(&mut self.looks, one.kind, [one.turn, other.turn])
    }
}

/// What comes of a move.
struct Behind {
    /// What is seen then, but how the new component is turned.
    view: View,
    kind: i64,
    turn: usize,
}

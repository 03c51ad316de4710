//! How a board lies before who looks: which side is whose, and what is marked.

use super::board::Artist;
use super::squares::EMPTY;
use crate::engine::text::{members, print_sign};
use crate::engine::{Fault, Machine, Value, View, Viewer};
use crate::model::text::Form;
use crate::model::{
    Base, DomainId, DomainKind, Field, Game, Look, Mark, MarkSign, Shape, Shown, ShownWhat, SideOf,
    Type,
};

/// Who sits at which edge of a board, and how it is turned.
#[derive(Clone, Debug, Default)]
pub(super) struct Aspect {
    /// How often the right edge is brought down.
    pub(super) turns: u8,
    /// Who sits at the top, to the right, at the bottom and to the left, as it is turned.
    pub(super) edges: [String; 4],
    /// The zone of which places are drawn, if it is one.
    pub(super) zone: Option<usize>,
    /// Whether its places are dark and light by turns.
    pub(super) chequered: bool,
    /// Signs before and behind what is marked; all else has blanks there.
    pub(super) before: usize,
    pub(super) behind: usize,
}

/// The edge at the bottom, of those in [`Aspect::edges`].
const BOTTOM: u8 = 2;

impl Aspect {
    /// Of a zone that the rulebook does not name for people.
    pub(super) fn of_zone(zone: usize) -> Self {
        Self {
            zone: Some(zone),
            ..Self::default()
        }
    }

    /// As it is drawn in the rulebook.
    pub(super) fn over(shown: &Shown) -> Self {
        let zone = match shown.what {
            ShownWhat::Zone(id) => Some(id.index()),
            _ => None,
        };
        Self {
            zone,
            chequered: shown.chequered,
            ..Self::default()
        }
    }

    /// How a board lies before a viewer.
    pub(super) fn of(
        machine: &mut Machine<'_>,
        view: &View,
        shown: &Shown,
        space: DomainId,
    ) -> Result<Self, Fault> {
        let mut aspect = Self::over(shown);
        let Some(side) = shown.side else {
            return Ok(aspect);
        };
        let game = &*machine.program().game;
        let mut sides = Vec::new();
        for seat in 0..game.n_seats {
            let edges = edges_of(machine, view.viewer, side, space, seat)?;
            sides.extend(edges.into_iter().map(|edge| (seat, edge)));
        }
        let of = |wanted: u32| sides.iter().filter(move |(seat, _)| *seat == wanted);
        if let Viewer::Seat(own) = view.viewer
            && let Some((_, edge)) = of(own).next().filter(|_| of(own).count() == 1)
        {
            aspect.turns = (4 + BOTTOM - edge) % 4;
        }
        if aspect.turns % 2 == 1 && is_slanted(game, space) {
            aspect.turns = 0;
        }
        for (seat, edge) in sides {
            let at = usize::from((edge + aspect.turns) % 4);
            let name = super::seat_name(game, seat, Form::Signs);
            let sign = print_sign(
                game,
                Type::of(Base::Elem(game.seat)),
                i64::from(seat),
                Form::Signs,
            );
            let Some(edge) = aspect.edges.get_mut(at) else {
                continue;
            };
            if !edge.is_empty() {
                edge.push_str(", ");
            }
            edge.push_str(&name);
            if sign != name {
                edge.push(' ');
                edge.push_str(&sign);
            }
        }
        Ok(aspect)
    }

    /// Marks what a viewer is to see marked.
    pub(super) fn mark(
        &mut self,
        machine: &mut Machine<'_>,
        artist: &Artist<'_>,
        view: &View,
        (on, space): (ShownWhat, DomainId),
        cells: &mut [String],
    ) -> Result<(), Fault> {
        let game = artist.game;
        let long = |text: &str| text.chars().count();
        let (mut widest_before, mut widest_behind) = (0, 0);
        let mut marked = vec![false; cells.len()];
        for mark in game.marks.iter().filter(|it| it.on == on) {
            let Some(places) = places_marked(machine, view, mark)? else {
                continue;
            };
            if let MarkSign::Around { before, behind } = &mark.sign {
                widest_before = widest_before.max(long(before));
                widest_behind = widest_behind.max(long(behind));
            }
            for place in places {
                let (Some(cell), Some(is_marked)) = (cells.get_mut(place), marked.get_mut(place))
                else {
                    continue;
                };
                match &mark.sign {
                    MarkSign::Around { before, behind } => {
                        *cell = format!("{before}{}{behind}", or_empty(cell));
                        *is_marked = true;
                    }
                    MarkSign::Empty(sign) if cell.is_empty() => cell.clone_from(sign),
                    MarkSign::Empty(_) => {}
                }
            }
        }
        let (before, behind) = (widest_before, widest_behind);
        // In rows and columns all else stands where it would stand in a mark.
        if before + behind > 0
            && look_of(game, space).is_none_or(|it| !matches!(it, Look::Drawn(_)))
        {
            for (cell, _) in cells
                .iter_mut()
                .zip(&marked)
                .filter(|(_, marked)| !**marked)
            {
                *cell = format!("{:before$}{}{:behind$}", "", or_empty(cell), "");
            }
            (self.before, self.behind) = (before, behind);
        }
        Ok(())
    }
}

/// What lies at a place, as it is drawn.
fn or_empty(cell: &str) -> &str {
    if cell.is_empty() { EMPTY } else { cell }
}

/// The places that are marked for a viewer; none where it may not know.
pub(super) fn places_marked(
    machine: &mut Machine<'_>,
    view: &View,
    mark: &Mark,
) -> Result<Option<Vec<usize>>, Fault> {
    let game = &*machine.program().game;
    let n_params = game.defines.get(mark.define.index());
    let n_params = n_params.map_or(0, |it| it.params.len());
    // Who sees all is shown what the seat sees that has to choose.
    let seat = match view.viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Referee => view.chooser,
    };
    let args: Vec<i64> = seat
        .filter(|_| n_params > 0)
        .into_iter()
        .map(i64::from)
        .collect();
    if args.len() != n_params {
        return Ok(None);
    }
    let value = machine.defined_for(view.viewer, mark.define, &args)?;
    Ok(value.as_ref().map(places_in))
}

fn places_in(value: &Value) -> Vec<usize> {
    match value {
        Value::Set(words) => members(words).collect(),
        Value::Scalar(bits) => members(&[*bits as u64]).collect(),
    }
}

fn look_of(game: &Game, space: DomainId) -> Option<&Look> {
    match &game.domains.get(space.index())?.kind {
        DomainKind::Space {
            shape: Shape::Cells(cells),
            ..
        } => Some(&cells.look),
        _ => None,
    }
}

fn is_slanted(game: &Game, space: DomainId) -> bool {
    let kind = game.domains.get(space.index()).map(|it| &it.kind);
    let is_hexes = matches!(
        kind,
        Some(DomainKind::Space {
            shape: Shape::Hexes,
            ..
        })
    );
    is_hexes || matches!(look_of(game, space), Some(Look::Hexagons))
}

/// At which edges a seat sits: 0 at the top, then to the right, at the bottom, to the left; none where that cannot be said.
fn edges_of(
    machine: &mut Machine<'_>,
    viewer: Viewer,
    side: SideOf,
    space: DomainId,
    seat: u32,
) -> Result<Vec<u8>, Fault> {
    let game = &*machine.program().game;
    let id = match side {
        SideOf::Table(id) => {
            let table = game.tables.get(id.index());
            let cell = table.and_then(|it| it.cell(seat as usize)?.first().copied());
            return Ok(cell.and_then(edge_towards).into_iter().collect());
        }
        SideOf::Define(id) => id,
    };
    let Some(define) = game.defines.get(id.index()) else {
        return Ok(Vec::new());
    };
    let args: Vec<i64> = define.params.iter().map(|_| i64::from(seat)).collect();
    let value = machine.defined_for(viewer, id, &args)?;
    Ok(value.map_or_else(Vec::new, |value| match define.ty.base {
        Base::Set(_) => edges_near(game, space, &places_in(&value)).unwrap_or_default(),
        _ => edge_towards(value.scalar()).into_iter().collect(),
    }))
}

/// The edge in a direction; the directions between two edges lead to none.
fn edge_towards(direction: i64) -> Option<u8> {
    let direction = u8::try_from(direction).ok()?;
    (direction < 8 && direction % 2 == 0).then_some(direction / 2)
}

/// The edge to which places lie nearest on the whole; both, where they lie at two opposite edges alike.
fn edges_near(game: &Game, space: DomainId, places: &[usize]) -> Option<Vec<u8>> {
    let DomainKind::Space { axes, shape } = &game.domains.get(space.index())?.kind else {
        return None;
    };
    let [across, up] = axes.as_slice() else {
        return None;
    };
    let at = |place: usize| -> Option<[i64; 2]> {
        let [column, row] = match shape {
            Shape::Cells(cells) => {
                let at = cells.at.get(place)?;
                [*at.first()?, *at.get(1)?]
            }
            _ => {
                let digit = |axis: &Field| place as u64 / axis.stride.max(1) % axis.size.max(1);
                [digit(across), digit(up)]
            }
        };
        Some([i64::try_from(column).ok()?, i64::try_from(row).ok()?])
    };
    let width = |axis: &Field| i64::try_from(axis.size).map_or(1, |it| it.saturating_sub(1).max(1));
    let (width, height) = (width(across), width(up));
    // How far they lie from the middle, as a share of half the board.
    let (mut right, mut top) = (0_i64, 0_i64);
    let places: Vec<[i64; 2]> = places.iter().filter_map(|it| at(*it)).collect();
    for [column, row] in &places {
        right = right.saturating_add((2 * column - width).saturating_mul(height));
        top = top.saturating_add((2 * row - height).saturating_mul(width));
    }
    match right.abs().cmp(&top.abs()) {
        std::cmp::Ordering::Less => Some(vec![if top > 0 { 0 } else { BOTTOM }]),
        std::cmp::Ordering::Greater => Some(vec![if right > 0 { 1 } else { 3 }]),
        std::cmp::Ordering::Equal if places.is_empty() => None,
        std::cmp::Ordering::Equal => {
            let all_at =
                |axis: usize, end: i64| places.iter().all(|it| [0, end].contains(&it[axis]));
            match (all_at(1, height), all_at(0, width)) {
                (true, false) => Some(vec![0, BOTTOM]),
                (false, true) => Some(vec![1, 3]),
                _ => None,
            }
        }
    }
}

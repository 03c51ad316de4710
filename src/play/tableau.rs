//! The table by the names that a rulebook gives: what belongs to a seat stands with the seat, places
//! in a row stand in a row, and below it what is printed on the things that lie open.

use crate::model::text::Form;
use std::collections::BTreeSet;

use super::aspect::Aspect;
use super::board::{self, Artist};
use super::entries::wrapped;
use super::legend;
use super::own_boards::{board_of, filled};
use super::part::{Part, named};
use super::strips::{line_of, strip};
use crate::engine::text::print_value;
use crate::engine::{Dice, Fault, Machine, TrackValue, Value, View, Viewer};
use crate::model::{
    Base, DefineId, DomainId, Game, NONE, Shown, ShownWhat, TableId, Type, Zone, ZoneKind,
};

/// Between what stands on one line.
pub const BETWEEN: &str = " · ";

/// Columns from which on what a seat has stands behind its name.
const ONE_LINE: usize = 60;

/// What is drawn by its name, and so not again by the name in the rules.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Numbers of zones.
    pub zones: BTreeSet<usize>,
    /// Numbers of tracks.
    pub tracks: BTreeSet<usize>,
    /// Whether what never changes was drawn before: tables over several things.
    pub tables: bool,
    /// Whether what is nought goes without saying, and as few lines are taken as can be.
    pub in_brief: bool,
    /// Things of which nobody has to be told again what is printed on them.
    pub read: BTreeSet<(DomainId, i64)>,
}

impl Drawn {
    /// Adds what the rulebook names.
    pub fn add_shown(&mut self, game: &Game) {
        for shown in &game.shown {
            match shown.what {
                ShownWhat::Zone(id) => drop(self.zones.insert(id.index())),
                ShownWhat::Track(id) => drop(self.tracks.insert(id.index())),
                ShownWhat::Define(_) | ShownWhat::Table(_) => {}
            }
        }
    }
}

/// Draws what the rulebook names, as the viewer sees it; empty if it names nothing.
///
/// # Errors
/// A fault of a definition that is shown.
pub fn draw(
    machine: &mut Machine<'_>,
    view: &View,
    drawn: &Drawn,
    width: usize,
) -> Result<String, Fault> {
    let parts = parts(machine, view, drawn, width)?;
    Ok(parts.iter().map(Part::written).collect())
}

/// What the rulebook names, as the viewer sees it, part by part.
///
/// # Errors
/// A fault of a definition that is shown.
pub fn parts(
    machine: &mut Machine<'_>,
    view: &View,
    drawn: &Drawn,
    width: usize,
) -> Result<Vec<Part>, Fault> {
    let game = &*machine.program().game;
    let artist = Artist {
        game,
        form: Form::Signs,
        width,
    };
    let shown: Vec<&Shown> = game
        .shown
        .iter()
        .filter(|it| !it.label.is_empty())
        .filter(|it| !matches!(it.what, ShownWhat::Zone(id) if drawn.zones.contains(&id.index())))
        .collect();
    // What is named before all that belongs to a seat lies above the seats.
    let is_of_seat = |it: &&Shown| match it.what {
        ShownWhat::Define(id) => n_params(game, id) != Some(0),
        _ => index_of(game, it).and_then(|index| index.first()) == Some(&game.seat),
    };
    let (above, below) = shown.split_at(shown.iter().position(is_of_seat).unwrap_or(0));
    let mut parts = between_seats(machine, &artist, view, above)?;
    for seat in 0..game.n_seats {
        let (mut words, mut boards) = (Vec::new(), Vec::new());
        for it in &shown {
            match board_of(&artist, view, it, seat) {
                Some(board) => boards.push((index_of(game, it), board)),
                None => words.extend(of_seat(machine, &artist, view, (it, drawn.in_brief), seat)?),
            }
        }
        if !words.is_empty() || !boards.is_empty() {
            let name = super::seat_name(game, seat, Form::Signs);
            words.retain(|it| !(drawn.in_brief && it.is_empty()));
            let boards = match drawn.in_brief {
                true => filled(&boards),
                false => boards.into_iter().map(|(_, it)| it.picture).collect(),
            };
            let text = match drawn.in_brief && width >= ONE_LINE {
                true if words.is_empty() && boards.is_empty() => String::new(),
                true if words.is_empty() => format!("{name}\n"),
                true => wrapped(&format!("{name}  "), &words, BETWEEN, width),
                false => format!("{name}\n{}", wrapped("  ", &words, BETWEEN, width)),
            };
            parts.push(Part::Seat {
                seat,
                text,
                boards,
                width,
            });
        }
    }
    parts.extend(between_seats(machine, &artist, view, below)?);
    parts.extend(legends(&artist, view, drawn));
    Ok(parts)
}

/// What is printed on things that somebody has not read yet.
#[must_use]
pub fn unread(game: &Game, view: &View, read: &BTreeSet<(DomainId, i64)>, width: usize) -> String {
    let artist = Artist {
        game,
        form: Form::Signs,
        width,
    };
    let drawn = Drawn {
        tables: true,
        read: read.clone(),
        ..Drawn::default()
    };
    let parts = legends(&artist, view, &drawn);
    parts.iter().map(Part::written).collect()
}

/// What the tables say that stand on the table.
fn legends(artist: &Artist<'_>, view: &View, drawn: &Drawn) -> Vec<Part> {
    let game = artist.game;
    let shown = game.shown.iter().filter(|it| !it.label.is_empty());
    let mut legends: Vec<(&str, Vec<TableId>)> = Vec::new();
    for it in shown {
        let ShownWhat::Table(id) = it.what else {
            continue;
        };
        if drawn.tables && legend::is_fixed(game, id) {
            continue;
        }
        match legends.iter_mut().find(|(label, _)| *label == it.label) {
            Some((_, tables)) => tables.push(id),
            None => legends.push((&it.label, vec![id])),
        }
    }
    let written = legends.into_iter().map(|(label, tables)| Part::Printed {
        name: label.to_owned(),
        text: legend::write(artist, view, label, &tables, &drawn.read),
    });
    written.collect()
}

/// The things of which tables that stand on the table say what is printed on them; of these perhaps only those that
/// lie alone on a place of nobody, as what can be taken does.
#[must_use]
pub fn printed(game: &Game, view: &View, single: bool) -> BTreeSet<(DomainId, i64)> {
    let is_meant = |zone: &Zone| match zone.kind {
        ZoneKind::One => !(single && zone.index.first() == Some(&game.seat)),
        ZoneKind::Bag => !single,
        ZoneKind::Pile => false,
    };
    let mut printed = BTreeSet::new();
    for shown in &game.shown {
        if let ShownWhat::Table(id) = shown.what
            && let Some([of]) = game.tables.get(id.index()).map(|it| it.index.as_slice())
        {
            let members = legend::members_in(game, view, *of, is_meant);
            printed.extend(members.into_iter().map(|member| (*of, member)));
        }
    }
    printed
}

/// What belongs to no seat: boards, rows, lists, and last what stands alone.
fn between_seats(
    machine: &mut Machine<'_>,
    artist: &Artist<'_>,
    view: &View,
    shown: &[&Shown],
) -> Result<Vec<Part>, Fault> {
    let game = artist.game;
    let mut parts = Vec::new();
    let mut mapped = BTreeSet::new();
    let mut alone = Vec::new();
    for (at, it) in shown.iter().enumerate() {
        if let ShownWhat::Define(id) = it.what
            && n_params(game, id) == Some(0)
        {
            let told = of_define(machine, view, id, &it.label, &[])?;
            alone.extend(told.map(|told| (it.label.clone(), told)));
        }
        let Some(index) = index_of(game, it).filter(|index| index.first() != Some(&game.seat))
        else {
            continue;
        };
        let label = &it.label;
        let mut cells = cells(artist, view, it);
        let mut aspect = Aspect::over(it);
        if let [space] = index {
            aspect = Aspect::of(machine, view, it, *space)?;
            aspect.mark(machine, artist, view, (it.what, *space), &mut cells)?;
        }
        if index.is_empty() {
            let filled = cells.first().filter(|it| !it.is_empty());
            alone.extend(filled.map(|it| (label.clone(), format!("{label} {it}"))));
        } else if line_of(game, index).is_some() {
            // Rows over the same places stand together; the first of them draws all.
            let same = |it: &&&Shown| index_of(game, it) == Some(index);
            if !shown.iter().take(at).any(|it| same(&it)) {
                let rows: Vec<&Shown> = shown.iter().filter(same).copied().collect();
                parts.extend(strip(artist, view, index, &rows).map(Part::Strip));
            }
        } else if let Some(list) = artist.on_map(label, index, &cells, &mut mapped) {
            parts.push(named(label, list));
        } else if let Some(mut boards) = artist.pictures(label, index, &cells, &aspect) {
            parts.append(&mut boards);
        } else if is_truth(game, it) {
            parts.push(named(label, artist.truths(label, index, &cells)));
        } else {
            parts.push(named(label, list(artist, label, index, &cells)));
        }
    }
    parts.push(Part::Values {
        words: alone,
        width: artist.width,
    });
    Ok(parts)
}

pub(super) fn n_params(game: &Game, id: DefineId) -> Option<usize> {
    Some(game.defines.get(id.index())?.params.len())
}

/// The name and the value of a definition, `?` where the viewer cannot know it; of what is true or not the name where it is true.
fn of_define(
    machine: &mut Machine<'_>,
    view: &View,
    id: DefineId,
    label: &str,
    args: &[i64],
) -> Result<Option<String>, Fault> {
    let game = &*machine.program().game;
    let ty = game.defines.get(id.index()).map_or(Type::UNIT, |it| it.ty);
    let value = value(machine, view.viewer, id, args)?;
    if value == Some(NONE) || ty.base == Base::Bool && value == Some(0) {
        return Ok(None);
    }
    if ty.base == Base::Bool && value.is_some() {
        return Ok(Some(label.to_owned()));
    }
    let value = value.map_or_else(
        || "?".to_owned(),
        |it| print_value(game, ty, it, Form::Signs),
    );
    Ok(Some(format!("{label} {value}")))
}

/// The values that definitions give the seats, as address and value, as far as the viewer sees them.
pub fn facts(machine: &mut Machine<'_>, viewer: Viewer) -> Result<Vec<(String, String)>, Fault> {
    let game = &*machine.program().game;
    let mut facts = Vec::new();
    for shown in &game.shown {
        let ShownWhat::Define(id) = shown.what else {
            continue;
        };
        let Some(define) = game.defines.get(id.index()) else {
            continue;
        };
        if define.params.is_empty()
            && let Some(value) = value(machine, viewer, id, &[])?
        {
            let value = print_value(game, define.ty, value, Form::Plain);
            facts.push((define.name.clone(), value));
        }
        if define.params.len() != 1 {
            continue;
        }
        for seat in 0..game.n_seats {
            if let Some(value) = value(machine, viewer, id, &[i64::from(seat)])? {
                let name = super::seat_name(game, seat, Form::Plain);
                let value = print_value(game, define.ty, value, Form::Plain);
                facts.push((format!("{}[{name}]", define.name), value));
            }
        }
    }
    Ok(facts)
}

/// What a definition gives, as far as the viewer sees what it hangs on.
pub(super) fn value(
    machine: &mut Machine<'_>,
    viewer: Viewer,
    id: DefineId,
    args: &[i64],
) -> Result<Option<i64>, Fault> {
    let value = machine.defined_for(viewer, id, args)?;
    Ok(value.as_ref().map(Value::scalar))
}

pub(super) fn index_of<'g>(game: &'g Game, shown: &Shown) -> Option<&'g [DomainId]> {
    match shown.what {
        ShownWhat::Zone(id) => game.zones.get(id.index()).map(|it| it.index.as_slice()),
        ShownWhat::Track(id) => game.tracks.get(id.index()).map(|it| it.index.as_slice()),
        ShownWhat::Define(_) | ShownWhat::Table(_) => None,
    }
}

/// What lies at each place, or each value.
pub(super) fn cells(artist: &Artist<'_>, view: &View, shown: &Shown) -> Vec<String> {
    let game = artist.game;
    match shown.what {
        ShownWhat::Zone(id) => game.zones.get(id.index()).map_or_else(Vec::new, |zone| {
            let places = 0..artist.n_places(&zone.index);
            places
                .map(|place| artist.place(view, id.index(), zone, place))
                .collect()
        }),
        ShownWhat::Track(id) => game
            .tracks
            .get(id.index())
            .map_or_else(Vec::new, |track| artist.track(view, id.index(), track)),
        ShownWhat::Define(_) | ShownWhat::Table(_) => Vec::new(),
    }
}

/// Whether something is a track of what is true or not.
pub(super) fn is_truth(game: &Game, shown: &Shown) -> bool {
    let ShownWhat::Track(id) = shown.what else {
        return false;
    };
    let track = game.tracks.get(id.index());
    track.is_some_and(|it| it.ty.base == Base::Bool)
}

/// A number of nothing.
const NOUGHT: &str = "0";

/// Whether something is a track of numbers of which none stands for nothing.
fn counts(game: &Game, shown: &Shown) -> bool {
    let ShownWhat::Track(id) = shown.what else {
        return false;
    };
    let track = game.tracks.get(id.index());
    track.is_some_and(|it| matches!(it.ty.base, Base::Int(..)) && !it.ty.optional)
}

/// Whether a seat has something at its first choice: of what is spent, one wants to be told that nothing is left.
fn began_with_some(
    machine: &Machine<'_>,
    view: &View,
    shown: &Shown,
    seat: u32,
) -> Result<bool, Fault> {
    let mut first = Machine::new(machine.program());
    if first.start(&mut Dice::new(0)).is_err() {
        return Ok(false);
    }
    let some = match shown.what {
        ShownWhat::Define(id) => value(&mut first, view.viewer, id, &[i64::from(seat)])?,
        ShownWhat::Track(id) => {
            let tracks = first.view(view.viewer).tracks;
            let values = tracks.get(id.index()).map(|it| it.values.as_slice());
            match values.and_then(|it| it.get(seat as usize)) {
                Some(Some(TrackValue::Scalar(value))) => Some(*value),
                _ => None,
            }
        }
        ShownWhat::Zone(_) | ShownWhat::Table(_) => None,
    };
    Ok(some.is_some_and(|it| it != 0 && it != NONE))
}

/// What one line of a seat says of something; in brief nothing of what is nought.
fn of_seat(
    machine: &mut Machine<'_>,
    artist: &Artist<'_>,
    view: &View,
    (shown, in_brief): (&Shown, bool),
    seat: u32,
) -> Result<Option<String>, Fault> {
    let game = artist.game;
    let label = &shown.label;
    if let ShownWhat::Define(id) = shown.what {
        if n_params(game, id) != Some(1) {
            return Ok(None);
        }
        let told = of_define(machine, view, id, label, &[i64::from(seat)])?;
        let is_nought = told
            .as_ref()
            .is_some_and(|it| *it == format!("{label} {NOUGHT}"));
        return Ok(
            match in_brief && is_nought && !began_with_some(machine, view, shown, seat)? {
                true => Some(String::new()),
                false => told,
            },
        );
    }
    let Some([first, rest @ ..]) = index_of(game, shown) else {
        return Ok(None);
    };
    if *first != game.seat {
        return Ok(None);
    }
    let each = artist.n_places(rest);
    let cells = cells(artist, view, shown);
    let own = cells
        .chunks(each.max(1))
        .nth(seat as usize)
        .unwrap_or_default();
    if let Some(hidden) = board::unseen(own) {
        return Ok(Some(format!("{label} {hidden}")));
    }
    let is_truth = is_truth(game, shown);
    let filled = own
        .iter()
        .enumerate()
        .filter(|(_, what)| !what.is_empty() && (!is_truth || *what == "true"));
    let is_counted = in_brief && counts(game, shown);
    let is_nought = is_counted && filled.clone().all(|(_, what)| what == NOUGHT);
    if is_nought && began_with_some(machine, view, shown, seat)? && rest.is_empty() {
        return Ok(Some(format!("{label} {NOUGHT}")));
    }
    if is_nought {
        return Ok(Some(String::new()));
    }
    let words: Vec<String> = filled
        .filter(|(_, what)| !is_counted || *what != NOUGHT)
        .map(|(at, what)| match artist.index_name(rest, at) {
            name if name.is_empty() => what.clone(),
            name if is_truth => name,
            name => format!("{name} {what}"),
        })
        .collect();
    if words.is_empty() {
        return Ok(None);
    }
    // Of what is true or not, the name says it when it is true.
    if is_truth && rest.is_empty() {
        return Ok(Some(label.clone()));
    }
    Ok(Some(format!("{label} {}", words.join(", "))))
}

/// A line with all places, or with those that hold something where there are many.
fn list(artist: &Artist<'_>, label: &str, index: &[DomainId], cells: &[String]) -> String {
    if let Some(hidden) = board::unseen(cells) {
        return format!("{label}  {hidden}\n");
    }
    let named = cells.iter().enumerate();
    let words: Vec<String> = named
        .filter(|(_, what)| cells.len() <= board::FEW || !what.is_empty())
        .map(|(at, what)| {
            let what = if what.is_empty() { "-" } else { what };
            format!("{} {what}", artist.index_name(index, at))
        })
        .collect();
    wrapped(&format!("{label}  "), &words, BETWEEN, artist.width)
}

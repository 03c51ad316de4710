//! Positions as they are drawn for people.

use std::collections::{BTreeMap, BTreeSet};

use super::show::text_width;
use super::{CliError, Ui, show, ui};
use crate::engine::{Fault, PlayError, View, Viewer};
use crate::model::text::Form;
use crate::model::{Base, DomainId, Game};
use crate::play::alike;
use crate::play::part::{Block, Part};
use crate::play::picture::raster::{self, Frame};
use crate::play::picture::{self, Scene, Spot, svg};
use crate::play::tableau::{self, Drawn};
use crate::play::transcript::Record;
use crate::play::{Problem, Session, board as draw, of_play};

/// A move at one spot or part of a landscape: the space, the spot or part, the number of the move in the list.
pub type Number = (DomainId, i64, usize);

/// What is drawn, and how much of it.
#[derive(Default)]
pub struct Drawing<'a> {
    /// Whose eyes see it; without a seat, all is seen.
    pub seat: Option<u32>,
    /// Moves that have their numbers where they are made.
    pub numbers: &'a [Number],
    /// Whether it was drawn before: then without what never changes.
    pub again: bool,
    /// What the person has seen before.
    pub known: Option<&'a Known>,
    /// Whether the game is over: nobody needs to read again what is printed on things.
    pub over: bool,
}

/// What a person was shown.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By the name of a landscape, where something lay.
    spots: BTreeSet<(String, Spot)>,
    /// What was printed on things.
    pub printed: BTreeSet<(DomainId, i64)>,
    /// What was drawn that has no name of its own, so that nobody is told when it changes.
    untold: String,
    /// By the name of a landscape, around what it was drawn where there was no room for all of it.
    pub middles: BTreeMap<String, Spot>,
}

/// Draws a position; returns what is known to whom it was shown.
pub fn board(
    session: &mut Session<'_>,
    drawing: &Drawing<'_>,
    ui: &mut Ui<'_>,
) -> Result<Known, CliError> {
    let view = view_of(session, drawing.seat);
    let scenes = picture::scenes(session.machine(), &view, drawing.numbers).map_err(fault)?;
    let (plain, width) = (ui.plain, text_width(ui));
    let zones = scenes.iter().flat_map(|it| it.zones.iter().copied());
    let mut drawn = Drawn {
        zones: zones.collect(),
        tables: drawing.again,
        ..Drawn::default()
    };
    if drawing.over
        && let Some(known) = drawing.known
    {
        drawn.read.clone_from(&known.printed);
    }
    let text = below(session, &view, drawn, plain, width)?;
    let text = text.trim_end();
    // On a terminal the landscape stands next to the moves.
    let text_first = ui.on_terminal() && !ui.plain && !scenes.is_empty();
    if text_first && !text.is_empty() {
        ui.line(text)?;
    }
    for scene in &scenes {
        land(scene, ui)?;
    }
    if !text_first {
        ui.line(text)?;
    }
    Ok(known(session, &view, &scenes))
}

/// What somebody knows who was shown all of a position.
pub fn known(session: &mut Session<'_>, view: &View, scenes: &[Scene<'_>]) -> Known {
    let spots = scenes.iter().flat_map(|scene| {
        let spots = scene.tiles.keys();
        spots.map(|spot| (scene.name.clone(), *spot))
    });
    Known {
        spots: spots.collect(),
        printed: tableau::printed(session.game(), view, false),
        untold: untold(session.game(), view),
        middles: BTreeMap::new(),
    }
}

/// Whether something that lies on the table under no name of its own looks otherwise than when a person was shown it: what
/// has a name is told when it changes.
pub fn looks_otherwise(session: &mut Session<'_>, seat: u32, known: &Known) -> bool {
    let view = view_of(session, Some(seat));
    untold(session.game(), &view) != known.untold
}

fn untold(game: &Game, view: &View) -> String {
    let mut named = Drawn::default();
    named.add_shown(game);
    draw::draw(game, view, &named, false, draw::WIDTH)
}

/// Says what is printed on things that have come to the table since a person was shown it.
pub fn unread(
    session: &mut Session<'_>,
    seat: u32,
    known: &mut Known,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let view = view_of(session, Some(seat));
    let text = tableau::unread(session.game(), &view, &known.printed, text_width(ui));
    known
        .printed
        .extend(tableau::printed(session.game(), &view, false));
    if ui.plain || text.is_empty() {
        return Ok(());
    }
    ui.line(text.trim_end())
}

/// How landscapes are written.
fn look(ui: &Ui<'_>) -> raster::Look {
    match (ui.plain, ui.color) {
        (true, _) => raster::Look::Plain,
        (false, true) => raster::Look::Colour,
        (false, false) => raster::Look::Signs,
    }
}

/// Draws a landscape.
fn land(scene: &Scene<'_>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let mut written = raster::write(scene, look(ui), ui.width(), None);
    if written.left_out.is_some() && !ui.on_terminal() {
        written = raster::write(scene, look(ui), usize::MAX, None);
    }
    ui.line(ui::styled(written.text.trim_end()))?;
    match written.left_out {
        Some(left_out) => ui.line(show::paragraph(&format!("not drawn: {left_out}"), ui)),
        None => Ok(()),
    }
}

/// Draws the landscape that is called so, or what the signs in all of them mean; says whether there is one.
pub fn land_called(
    session: &mut Session<'_>,
    seat: u32,
    name: &str,
    ui: &mut Ui<'_>,
) -> Result<bool, CliError> {
    let view = view_of(session, Some(seat));
    let numbers = numbers(session);
    let scenes = picture::scenes(session.machine(), &view, &numbers).map_err(fault)?;
    let mut is_found = false;
    for scene in &scenes {
        if name == LEGEND {
            for line in land_in(scene, (ui.width(), 0), None, ui).legend {
                ui.line(line)?;
            }
        } else if scene.name.to_lowercase() == name {
            land(scene, ui)?;
        } else {
            continue;
        }
        is_found = true;
    }
    Ok(is_found)
}

/// What a person calls the signs of landscapes by.
pub const LEGEND: &str = "legend";

/// A landscape in parts: the land, what is about to be laid, and what the signs mean.
pub struct Land {
    pub land: Vec<String>,
    pub aside: Vec<String>,
    pub legend: Vec<String>,
    /// What of the land is not drawn.
    pub left_out: Option<String>,
    /// Around what it is drawn then.
    pub middle: Option<Spot>,
}

/// Draws a landscape in so many lines and columns.
pub fn land_in(
    scene: &Scene<'_>,
    (columns, lines): (usize, usize),
    known: Option<&Known>,
    ui: &Ui<'_>,
) -> Land {
    let write = |lines: usize| {
        let frame = Frame {
            lines,
            least: lines.saturating_sub(LAND_FRAME),
            focus: scene.numbered(),
            newest: newest(scene, known),
            last: known.and_then(|it| it.middles.get(&scene.name).copied()),
        };
        let written = raster::write(scene, look(ui), columns, Some(&frame));
        let parts = apart(scene, &ui::styled(&written.text));
        (parts, written.left_out, written.middle)
    };
    let ([_, aside, legend], ..) = write(0);
    // The land alone has to fit.
    let ([mut land, ..], mut left_out, mut middle) = write(lines + aside.len() + legend.len());
    if land.len() > lines {
        ([land, ..], left_out, middle) = write(lines);
    }
    Land {
        land,
        aside,
        legend,
        left_out,
        middle,
    }
}

/// Lines of a land besides its places: its name, and the numbers of its columns.
const LAND_FRAME: usize = 2;

/// Takes a drawn landscape apart.
fn apart(scene: &Scene<'_>, text: &str) -> [Vec<String>; 3] {
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    let mut at = 0;
    for line in text.lines() {
        let is_aside = |it: &picture::Aside| line.starts_with(&format!("{}: ", it.zone));
        let is_columns = |line: &str| {
            let signs = |it: char| it.is_ascii_digit() || it == '-' || it == ' ';
            line.starts_with(' ') && !line.trim().is_empty() && line.chars().all(signs)
        };
        if scene.aside.iter().any(is_aside) {
            at = 1;
        } else if at > 0 && !line.starts_with(' ') {
            at = 2;
        }
        if let Some(part) = parts.get_mut(at) {
            part.push(line.to_owned());
        }
        if at == 0 && is_columns(line) && scene.aside.is_empty() {
            at = 2;
        }
    }
    parts
}

/// Where something lies that did not when the landscape was shown last.
fn newest(scene: &Scene<'_>, known: Option<&Known>) -> BTreeSet<Spot> {
    let is_new =
        |spot: &&Spot| known.is_some_and(|it| !it.spots.contains(&(scene.name.clone(), **spot)));
    scene.tiles.keys().filter(is_new).copied().collect()
}

pub fn view_of(session: &mut Session<'_>, seat: Option<u32>) -> View {
    let viewer = seat.map_or(Viewer::Referee, Viewer::Seat);
    session.machine().view(viewer)
}

/// What is written of a position besides what is drawn.
fn below(
    session: &mut Session<'_>,
    view: &View,
    drawn: Drawn,
    plain: bool,
    width: usize,
) -> Result<String, CliError> {
    if !plain {
        let parts = table(session, view, drawn, width)?;
        return Ok(parts.iter().map(Part::written).collect());
    }
    let facts = tableau::facts(session.machine(), view.viewer).map_err(fault)?;
    let facts = facts.into_iter();
    let mut text: String = facts
        .map(|(address, value)| format!("{address}: {value}\n"))
        .collect();
    text.push_str(&draw::draw(session.game(), view, &drawn, plain, width));
    Ok(text)
}

/// What is drawn of a position besides landscapes, part by part: first what the rulebook names.
fn table(
    session: &mut Session<'_>,
    view: &View,
    mut drawn: Drawn,
    width: usize,
) -> Result<Vec<Part>, CliError> {
    let mut parts = tableau::parts(session.machine(), view, &drawn, width).map_err(fault)?;
    drawn.add_shown(session.game());
    parts.extend(draw::parts(session.game(), view, &drawn, width));
    Ok(parts)
}

/// The same in parts, with signs.
pub fn blocks(
    session: &mut Session<'_>,
    view: &View,
    drawn: Drawn,
    width: usize,
) -> Result<Vec<Block>, CliError> {
    let parts = table(session, view, drawn, width)?;
    Ok(parts.iter().flat_map(Part::blocks).collect())
}

/// What goes wrong where something is drawn.
pub fn fault(fault: Fault) -> Problem {
    of_play(&PlayError::Fault(fault))
}

/// Draws what a seat sees of the position as SVG; without a seat, all of it.
pub fn picture(
    session: &mut Session<'_>,
    seat: Option<u32>,
    title: &str,
) -> Result<String, CliError> {
    let view = view_of(session, seat);
    let scenes = picture::scenes(session.machine(), &view, &[]).map_err(fault)?;
    let zones = scenes.iter().flat_map(|it| it.zones.iter().copied());
    let drawn = Drawn {
        zones: zones.collect(),
        ..Drawn::default()
    };
    let moved = session.events().iter();
    let moved = moved.map(|it| (it.zone.index(), it.place)).collect();
    let mut parts = table(session, &view, drawn, draw::WIDTH)?;
    if let Some(Record::End(ending)) = session.records().last() {
        let line = show::who_wins(session.game(), ending, Form::Signs);
        let over = show::is_over(session.game(), &ending.end);
        let over = format!("{over}: {line}");
        parts.push(Part::Values {
            words: vec![(String::new(), over)],
            width: draw::WIDTH,
        });
    }
    Ok(svg::draw(&scenes, title, &parts, &moved))
}

/// The numbers of the legal moves that are made at one spot or part of a landscape, of each the first.
pub fn numbers(session: &mut Session<'_>) -> Vec<Number> {
    let mut found: Vec<Number> = Vec::new();
    for (number, part) in (1..).zip(parts(session)) {
        let is_new = |(space, part): &(DomainId, i64)| {
            !found.iter().any(|it| (it.0, it.1) == (*space, *part))
        };
        if let Some((space, part)) = part.filter(is_new) {
            found.push((space, part, number));
        }
    }
    found
}

/// The moves at the spot or part of a landscape that has a number, from nought.
pub fn numbered(session: &mut Session<'_>, number: usize) -> Vec<usize> {
    let drawn = numbers(session);
    let meant = drawn.iter().find(|it| it.2 == number);
    let meant = meant.map(|(space, part, _)| (*space, *part));
    let parts = parts(session);
    let is_there = |at: &usize| meant.is_some() && parts.get(*at).is_some_and(|it| *it == meant);
    alike::distinct(session.machine())
        .into_iter()
        .filter(is_there)
        .collect()
}

/// By legal move: the only spot or part of a landscape that it names.
fn parts(session: &mut Session<'_>) -> Vec<Option<(DomainId, i64)>> {
    let game = session.game();
    let drawn = picture::drawn_spaces(game);
    let machine = session.machine();
    let moves = machine.moves().iter();
    let parts = moves.map(|chosen| {
        let args = machine.args(*chosen).into_iter();
        let mut parts = args.filter_map(|(ty, value)| match ty.base {
            Base::Elem(space) if drawn.contains(&space) => Some((space, value)),
            _ => None,
        });
        let only = parts.next();
        only.filter(|_| parts.next().is_none())
    });
    parts.collect()
}

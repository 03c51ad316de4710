//! Positions as they are drawn for people.

use std::collections::BTreeSet;

use super::show::text_width;
use super::ui::Tone;
use super::{CliError, Ui, ui};
use crate::engine::{PlayError, View, Viewer};
use crate::model::{Base, DomainId, Game};
use crate::play::picture::raster::{self, Frame};
use crate::play::picture::{self, Scene, Spot, svg};
use crate::play::tableau::{self, Drawn};
use crate::play::{Session, board as draw, of_play};

/// A move at one part of a landscape: the space, the part, the number of the move in the list.
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
    /// How many lines there are for it, and how many a terminal shows at once.
    pub lines: Option<(usize, usize)>,
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
    printed: BTreeSet<(DomainId, i64)>,
    /// What was drawn that has no name of its own, so that nobody is told when it changes.
    untold: String,
}

/// Draws a position; returns what is known to whom it was shown.
pub fn board(
    session: &mut Session<'_>,
    drawing: &Drawing<'_>,
    ui: &mut Ui<'_>,
) -> Result<Known, CliError> {
    let view = view_of(session, drawing.seat);
    let scenes = picture::scenes(session.machine(), &view, drawing.numbers)
        .map_err(|fault| of_play(&PlayError::Fault(fault)))?;
    let (plain, width) = (ui.plain, text_width(ui));
    let zones = scenes.iter().flat_map(|it| it.zones.iter().copied());
    let mut drawn = Drawn {
        zones: zones.collect(),
        tables: drawing.again,
        ..Drawn::default()
    };
    let mut text = below(session, &view, drawn.clone(), plain, width)?;
    let room = drawing.lines.map_or(usize::MAX, |(free, screen)| {
        free.saturating_sub(if scenes.is_empty() { 0 } else { screen / 2 })
    });
    if (drawing.over || text.lines().count() > room)
        && let Some(known) = drawing.known
    {
        let whole = text.len();
        drawn.read.clone_from(&known.printed);
        if !drawing.over {
            // What can be taken is weighed again each time.
            let offered = tableau::printed(session.game(), &view, true);
            drawn.read.retain(|it| !offered.contains(it));
        }
        text = below(session, &view, drawn, plain, width)?;
        if text.len() < whole && !drawing.over {
            let aside = "what you have read on things is left out; `board` draws all";
            text.push_str(&ui.paint(Tone::Dim, aside));
        }
    }
    let text = text.trim_end();
    // On a terminal the landscape stands next to the moves.
    let text_first = ui.on_terminal() && !ui.plain && !scenes.is_empty();
    if text_first && !text.is_empty() {
        ui.line(text)?;
    }
    let n_lines = text.lines().count();
    let lines = drawing
        .lines
        .map(|(free, screen)| (free.saturating_sub(n_lines) / scenes.len().max(1), screen));
    for scene in &scenes {
        land(scene, lines, drawing.known, ui)?;
    }
    if !text_first {
        ui.line(text)?;
    }
    let spots = scenes.iter().flat_map(|scene| {
        let spots = scene.tiles.keys();
        spots.map(|spot| (scene.name.clone(), *spot))
    });
    Ok(Known {
        spots: spots.collect(),
        printed: tableau::printed(session.game(), &view, false),
        untold: untold(session.game(), &view),
    })
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

/// Draws a landscape: all of it if it needs no more lines than are free or than a screen has, or else what is
/// around the moves or around what is new.
fn land(
    scene: &Scene<'_>,
    lines: Option<(usize, usize)>,
    known: Option<&Known>,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let look = match (ui.plain, ui.color) {
        (true, _) => raster::Look::Plain,
        (false, true) => raster::Look::Colour,
        (false, false) => raster::Look::Signs,
    };
    let frame = lines.map(|(lines, screen)| {
        let numbered = scene.numbered();
        let is_new = |spot: &&Spot| {
            known.is_some_and(|it| !it.spots.contains(&(scene.name.clone(), **spot)))
        };
        let new = || scene.tiles.keys().filter(is_new).copied().collect();
        Frame {
            lines,
            least: screen.saturating_sub(2),
            focus: if numbered.is_empty() { new() } else { numbered },
        }
    });
    let written = raster::write(scene, look, ui.width(), frame.as_ref());
    ui.line(ui::styled(written.text.trim_end()))?;
    if let Some(left_out) = written.left_out {
        let aside = format!("not drawn: {left_out}; `board` draws all");
        ui.line(ui.paint(Tone::Dim, aside))?;
    }
    Ok(())
}

fn view_of(session: &mut Session<'_>, seat: Option<u32>) -> View {
    let viewer = seat.map_or(Viewer::Referee, Viewer::Seat);
    session.machine().view(viewer)
}

/// What is written of a position besides what is drawn.
fn below(
    session: &mut Session<'_>,
    view: &View,
    mut drawn: Drawn,
    plain: bool,
    width: usize,
) -> Result<String, CliError> {
    let fault = |fault| of_play(&PlayError::Fault(fault));
    let mut text = String::new();
    if plain {
        for (address, value) in tableau::facts(session.machine(), view.viewer).map_err(fault)? {
            text.push_str(&format!("{address}: {value}\n"));
        }
    } else {
        text = tableau::draw(session.machine(), view, &drawn, width).map_err(fault)?;
        drawn.add_shown(session.game());
    }
    text.push_str(&draw::draw(session.game(), view, &drawn, plain, width));
    Ok(text)
}

/// Draws what a seat sees of the position as SVG; without a seat, all of it.
pub fn picture(
    session: &mut Session<'_>,
    seat: Option<u32>,
    title: &str,
) -> Result<String, CliError> {
    let view = view_of(session, seat);
    let scenes = picture::scenes(session.machine(), &view, &[])
        .map_err(|fault| of_play(&PlayError::Fault(fault)))?;
    let zones = scenes.iter().flat_map(|it| it.zones.iter().copied());
    let drawn = Drawn {
        zones: zones.collect(),
        ..Drawn::default()
    };
    let rest = below(session, &view, drawn, false, draw::WIDTH)?;
    let notes: Vec<String> = rest.lines().map(str::to_owned).collect();
    Ok(svg::draw(&scenes, title, &notes))
}

/// The numbers of the legal moves that are made at one part of a landscape, of each part the first.
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

/// The moves at the part of a landscape that has a number, from nought.
pub fn numbered(session: &mut Session<'_>, number: usize) -> Vec<usize> {
    let drawn = numbers(session);
    let meant = drawn.iter().find(|it| it.2 == number);
    let meant = meant.map(|(space, part, _)| (*space, *part));
    let parts = parts(session).into_iter().enumerate();
    let at = parts.filter(|(_, part)| part.is_some() && *part == meant);
    at.map(|(at, _)| at).collect()
}

/// By legal move: the only part of a landscape that it names.
fn parts(session: &mut Session<'_>) -> Vec<Option<(DomainId, i64)>> {
    let game = session.game();
    let drawn: BTreeSet<DomainId> = game.pictures.iter().map(|it| it.space).collect();
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

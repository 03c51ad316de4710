//! Positions, moves and answers as text for people.

use super::ui::Tone;
use super::{CliError, Ui};
use crate::engine::{Status, Viewer};
use crate::model::{ClauseId, Game};
use crate::play::explain::{Answer, Asked, Kind, Says};
use crate::play::transcript::Record;
use crate::play::{Session, board as draw, cites_of, seat_name};
use crate::source::Sources;

/// Draws what a seat sees of the position; without a seat, all of it.
pub fn board(
    session: &mut Session<'_>,
    seat: Option<u32>,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let viewer = seat.map_or(Viewer::Referee, Viewer::Seat);
    let view = session.machine().view(viewer);
    let text = draw::draw(session.game(), &view, ui.plain);
    ui.line(text.trim_end())
}

/// Says who has to choose, and which clause asks.
pub fn chooser(session: &mut Session<'_>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let Status::Choice { seat } = session.status() else {
        return Ok(());
    };
    let game = session.game();
    let name = ui.paint(Tone::Bold, seat_name(game, seat, ui.plain));
    let clause = session
        .machine()
        .clause()
        .map(|id| clause_in_words(game, id));
    let clause = clause.map_or_else(String::new, |it| ui.paint(Tone::Dim, format!("  {it}")));
    ui.line(format!("{name} to choose{clause}"))
}

fn clause_in_words(game: &Game, id: ClauseId) -> String {
    let path = game
        .clauses
        .get(id.index())
        .map_or("", |clause| clause.path.as_str());
    format!("{path}  {}", cites_of(game, id))
        .trim_end()
        .to_owned()
}

/// Lists the legal moves with their numbers.
pub fn moves(session: &mut Session<'_>, plain: bool, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let moves = session.machine().moves().to_vec();
    let width = moves.len().to_string().len();
    for (number, chosen) in (1..).zip(&moves) {
        let text = ui.paint(Tone::Cyan, session.machine().print(*chosen, plain));
        ui.line(format!("  {number:>width$}  {text}"))?;
    }
    Ok(())
}

/// Says how the game ended.
pub fn result(session: &Session<'_>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let Some(Record::End(ending)) = session.records().last() else {
        return Ok(());
    };
    let game = session.game();
    let best = ending.places.iter().filter(|place| **place == 1).count();
    let names = |wanted: u32| {
        let seats = (0..)
            .zip(&ending.places)
            .filter(|(_, place)| **place == wanted);
        let names: Vec<String> = seats
            .map(|(seat, _)| seat_name(game, seat, ui.plain))
            .collect();
        names.join(", ")
    };
    let line = if best == ending.places.len() && best > 1 {
        String::from("a draw")
    } else {
        let verb = if best == 1 { "wins" } else { "share the win" };
        format!("{} {verb}", names(1))
    };
    ui.line(format!(
        "the game is over ({}): {}",
        ending.end,
        ui.paint(Tone::Bold, line)
    ))?;
    let mut ranked: Vec<(u32, u32)> = (0..).zip(ending.places.iter().copied()).collect();
    ranked.sort_by_key(|(_, place)| *place);
    for (seat, place) in ranked {
        let figures = ending.figures.get(seat as usize);
        let figures: Vec<String> = figures
            .into_iter()
            .flatten()
            .map(ToString::to_string)
            .collect();
        let name = seat_name(game, seat, ui.plain);
        ui.line(format!("  {place}. {name}  {}", figures.join(" / ")).trim_end())?;
    }
    Ok(())
}

/// Shows why a move is legal, or why not.
pub fn answer(
    answer: &Answer,
    sources: &Sources,
    game: &Game,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let (word, tone) = match answer.verdict {
        Kind::Legal => ("legal", Tone::Green),
        Kind::Forbidden => ("illegal", Tone::Red),
        Kind::NoRule => ("not offered", Tone::Red),
        Kind::NotYourTurn => ("not your turn", Tone::Red),
        Kind::NoSuchThing => ("unknown", Tone::Red),
        Kind::Ambiguous => ("ambiguous", Tone::Yellow),
    };
    ui.line(format!("{}: {}", ui.paint(tone, word), answer.message))?;
    for finding in &answer.findings {
        asked(finding, sources, game, ui)?;
    }
    if !answer.offered.is_empty() {
        let offered: Vec<String> = answer.offered.iter().map(|it| format!("`{it}`")).collect();
        ui.line(format!("  legal here: {}", offered.join(", ")))?;
    }
    if !answer.near.is_empty() {
        let near: Vec<String> = answer.near.iter().map(|it| format!("`{it}`")).collect();
        ui.line(format!("  did you mean {}?", near.join(", ")))?;
    }
    Ok(())
}

fn asked(finding: &Asked, sources: &Sources, game: &Game, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let mark = match (finding.says, ui.plain) {
        (Says::Allows, false) => ui.paint(Tone::Green, "✓"),
        (Says::Refuses, false) => ui.paint(Tone::Red, "✗"),
        (Says::NotAsked, false) => ui.paint(Tone::Dim, "·"),
        (Says::Allows, true) => String::from("ok"),
        (Says::Refuses, true) => String::from("no"),
        (Says::NotAsked, true) => String::from("--"),
    };
    let place = game
        .clauses
        .get(finding.id.index())
        .map(|clause| sources.place(clause.span));
    let aside = format!("{}  {}", finding.cites, place.unwrap_or_default());
    let aside = ui.paint(Tone::Dim, aside.trim());
    let from = finding
        .origin
        .as_ref()
        .map_or_else(String::new, |it| format!(" (of {it})"));
    ui.line(format!("  {mark} {}{from}  {aside}", finding.clause))?;
    if let Some(message) = &finding.message {
        ui.line(format!("      {message}"))?;
    }
    for (text, value) in &finding.values {
        ui.line(format!("      {text} = {value}"))?;
    }
    Ok(())
}

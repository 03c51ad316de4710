//! Moves, answers and results as text for people.

use super::ui::Tone;
use super::{CliError, Ui};
use crate::engine::{PlayError, Status};
use crate::model::text::{Form, spelt};
use crate::model::{Alike, ClauseId, Game, Proc, ProcId, ProcKind, alike};
use crate::play::entries::wrapped;
use crate::play::explain::{Answer, Asked, Kind, Says, provenance};
use crate::play::groups::Groups;
use crate::play::news::{Piece, in_lines};
use crate::play::sheets;
use crate::play::tableau::BETWEEN;
use crate::play::transcript::{Ending, Record};
use crate::play::{Sentence, Session, board as draw, cites_of, of_play, seat_name};
use crate::source::{Sources, hidden};

/// Moves that a terminal shows one below the other; more of them stand in columns.
const LONG_LIST: usize = 8;
/// Longest line of text, however wide a terminal is.
const WIDEST: usize = 120;

/// Breaks a sentence into lines.
pub fn paragraph(text: &str, ui: &Ui<'_>) -> String {
    if !ui.on_terminal() {
        return text.to_owned();
    }
    let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    wrapped("", &words, " ", text_width(ui))
        .trim_end()
        .to_owned()
}

/// The same, below what it belongs to.
pub fn indented(text: &str, ui: &Ui<'_>) -> String {
    // What stands in a list is not torn.
    let words: Vec<String> = text
        .split_inclusive(", ")
        .map(|it| it.trim_end().to_owned())
        .collect();
    let width = if ui.on_terminal() {
        text_width(ui)
    } else {
        usize::MAX
    };
    wrapped("  ", &words, " ", width).trim_end().to_owned()
}

/// Where lines of text are broken.
pub fn text_width(ui: &Ui<'_>) -> usize {
    if ui.on_terminal() {
        ui.width().min(WIDEST)
    } else {
        draw::WIDTH
    }
}

/// Writes what somebody learnt, behind the words before it.
pub fn news(before: &str, news: &[Piece], ui: &Ui<'_>) -> String {
    let between = if ui.plain { "; " } else { BETWEEN };
    let width = text_width(ui);
    let indent = " ".repeat(before.chars().count());
    let mut text = String::new();
    for line in in_lines(news) {
        let pieces: Vec<String> = line.iter().map(|it| it.text.clone()).collect();
        let before = if text.is_empty() { before } else { &indent };
        text.push_str(&wrapped(before, &pieces, between, width));
    }
    ui.paint(Tone::Dim, text.trim_end())
}

/// Says who has to choose, and which clause asks.
pub fn chooser(session: &mut Session<'_>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let Status::Choice { seat } = session.status() else {
        return Ok(());
    };
    let game = session.game();
    let name = ui.paint(Tone::Bold, seat_name(game, seat, ui.form()));
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

/// Lists the legal moves with their numbers; many of them stand in columns on a terminal.
pub fn moves(session: &mut Session<'_>, form: Form, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let texts = session.machine().names(form);
    let width = texts.len().to_string().len();
    let longest = |column: &[String]| {
        let long = column.iter().map(|it| it.chars().count());
        long.max().unwrap_or(0)
    };
    let in_columns = ui.on_terminal() && !form.is_plain() && texts.len() > LONG_LIST;
    let most = if in_columns { texts.len() } else { 1 };
    // The fewest rows with which the columns, each as wide as its longest move, fit beside one another.
    let fits = |n_rows: &usize| {
        let columns = texts.chunks(*n_rows);
        columns.map(|it| longest(it) + width + 4).sum::<usize>() <= ui.width()
    };
    let least = texts.len().div_ceil(most).max(1);
    let n_rows = (least..texts.len())
        .find(fits)
        .unwrap_or(texts.len())
        .max(1);
    let widths: Vec<usize> = texts.chunks(n_rows).map(longest).collect();
    for row in 0..n_rows.min(texts.len()) {
        let mut line = String::new();
        let cells = texts.iter().enumerate().skip(row).step_by(n_rows);
        for ((at, text), column) in cells.zip(&widths) {
            let gap = column.saturating_sub(text.chars().count());
            let is_last = at + n_rows >= texts.len();
            let gap = " ".repeat(if is_last { 0 } else { gap });
            let text = ui.paint(Tone::Cyan, text);
            let number = at + 1;
            line.push_str(&format!("  {number:>width$}  {text}{gap}"));
        }
        ui.line(line)?;
    }
    Ok(())
}

/// The legal moves in groups, in no more lines than `most`.
pub fn offers(groups: &Groups, most: Option<usize>, ui: &Ui<'_>) -> Vec<String> {
    let lines = groups.lines(text_width(ui).saturating_sub(2), most);
    let painted = lines.iter().map(|it| ui.paint(Tone::Cyan, it));
    painted.map(|it| format!("  {it}")).collect()
}

/// The last line of a score sheet.
const TOTAL: &str = "total";

/// Writes the score sheets of a game that is over.
fn sheets(session: &mut Session<'_>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let game = session.game();
    let figures = sheets::sheets(session.machine());
    for sheet in figures.map_err(|fault| of_play(&PlayError::Fault(fault)))? {
        let seats = (0..game.n_seats).map(|seat| seat_name(game, seat, ui.form()));
        let seats: Vec<String> = seats.collect();
        if ui.plain {
            for ((at, seat), total) in seats.iter().enumerate().zip(&sheet.totals) {
                let lines = sheet.lines.iter();
                let figures = lines.filter_map(|it| Some((&it.name, *it.figures.get(at)?)));
                let figures = figures.filter(|(_, figure)| *figure != 0);
                let mut words: Vec<String> =
                    figures.map(|(name, it)| format!("{name} {it}")).collect();
                words.push(format!("{TOTAL} {total}"));
                ui.line(format!("{seat} {}: {}", sheet.title, words.join(", ")))?;
            }
            continue;
        }
        let names = sheet.lines.iter().map(|it| it.name.as_str());
        let names = names.chain([sheet.title.as_str(), TOTAL]);
        let margin = names.map(|it| it.chars().count()).max().unwrap_or(0);
        let mut head = format!("{:<margin$}", sheet.title);
        seats
            .iter()
            .for_each(|seat| head.push_str(&format!("  {seat:>8}")));
        ui.line(ui.paint(Tone::Bold, head))?;
        let lines = sheet.lines.iter().map(|it| (it.name.as_str(), &it.figures));
        for (name, figures) in lines.chain([(TOTAL, &sheet.totals)]) {
            let mut line = format!("{name:<margin$}");
            for (figure, seat) in figures.iter().zip(&seats) {
                let width = seat.chars().count().max(8);
                line.push_str(&format!("  {figure:>width$}"));
            }
            ui.line(line)?;
        }
    }
    Ok(())
}

/// Who wins by the end of a game, in words.
pub fn who_wins(game: &Game, ending: &Ending, form: Form) -> String {
    let best = ending.places.iter().filter(|place| **place == 1).count();
    let names = |wanted: u32| {
        let seats = (0..)
            .zip(&ending.places)
            .filter(|(_, place)| **place == wanted);
        let names: Vec<String> = seats.map(|(seat, _)| seat_name(game, seat, form)).collect();
        names.join(", ")
    };
    let by = ending_called(game, &ending.end);
    match by.and_then(|it| alike(game, ProcId(it), &ending.figures)) {
        Some(Alike::AllWin) if best > 1 => String::from("all win"),
        Some(Alike::NobodyWins) => String::from("nobody wins"),
        Some(Alike::Draw) => String::from("a draw"),
        Some(Alike::AllWin) | None => {
            let verb = if best == 1 { "wins" } else { "share the win" };
            format!("{} {verb}", names(1))
        }
    }
}

fn ending_called(game: &Game, name: &str) -> Option<u32> {
    let is_met = |it: &Proc| it.kind == ProcKind::Ending && it.name == name;
    let by = game.procs.iter().position(is_met)?;
    u32::try_from(by).ok()
}

/// What the rulebook says of an ending.
fn said_of_ending<'g>(game: &'g Game, name: &str) -> Option<&'g str> {
    let reached = game.procs.get(ending_called(game, name)? as usize)?;
    let clause = game.clauses.get(reached.clause.index())?;
    Some(clause.text.as_str()).filter(|it| !it.is_empty())
}

/// Says that the game is over; where the rulebook has no words for how it ended, by the name of the ending.
pub fn is_over(game: &Game, name: &str) -> String {
    match said_of_ending(game, name) {
        Some(_) => String::from("the game is over"),
        None => format!("the game is over ({})", spelt(name)),
    }
}

/// Says how the game ended.
pub fn result(session: &mut Session<'_>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    sheets(session, ui)?;
    let Some(Record::End(ending)) = session.records().last() else {
        return Ok(());
    };
    let game = session.game();
    let line = who_wins(game, ending, ui.form());
    let line = ui.paint(Tone::Bold, line);
    ui.line(format!("{}: {line}", is_over(game, &ending.end)))?;
    if let Some(text) = said_of_ending(game, &ending.end) {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let text = wrapped("  ", &words, " ", text_width(ui));
        ui.line(ui.paint(Tone::Dim, text.trim_end()))?;
    }
    let called = crate::play::figures::figures_of(game, &ending.end);
    let mut ranked: Vec<(u32, u32)> = (0..).zip(ending.places.iter().copied()).collect();
    ranked.sort_by_key(|(_, place)| *place);
    for (seat, place) in ranked {
        let figures = ending.figures.get(seat as usize);
        let figures = called.iter().flatten().zip(figures.into_iter().flatten());
        let figures = figures.filter(|(of, _)| !of.is_truth);
        let figures = figures.map(|(of, figure)| {
            let figure = if of.least { -figure } else { *figure };
            match &of.name {
                Some(name) => format!("{name} {figure}"),
                None => figure.to_string(),
            }
        });
        let figures: Vec<String> = figures.collect();
        let name = seat_name(game, seat, ui.form());
        ui.line(format!("  {place}. {name}  {}", figures.join(", ")).trim_end())?;
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
    // It may quote what was typed.
    let message = hidden::on_one_line(&answer.message);
    ui.line(format!("{}: {message}", ui.paint(tone, word)))?;
    for finding in &answer.findings {
        asked(finding, sources, game, ui)?;
    }
    sentences(&answer.sentences, ui)?;
    let quoted = |moves: &[String]| moves.iter().map(|it| format!("`{it}`")).collect();
    if !answer.offered.is_empty() {
        let offered: Vec<String> = quoted(&answer.offered);
        ui.line(listed("  legal here: ", &offered, ui))?;
    }
    if !answer.near.is_empty() {
        let near: Vec<String> = quoted(&answer.near);
        ui.line(listed("  did you mean ", &near, ui) + "?")?;
    }
    Ok(())
}

/// Says what cited sentences say, one below the other.
pub fn sentences(sentences: &[Sentence], ui: &mut Ui<'_>) -> Result<(), CliError> {
    for sentence in sentences {
        let words: Vec<String> = sentence.to_string().split(' ').map(str::to_owned).collect();
        let text = wrapped("  ", &words, " ", text_width(ui));
        ui.line(ui.paint(Tone::Dim, text.trim_end()))?;
    }
    Ok(())
}

/// Writes what can be typed behind some words, without breaking a move in two.
fn listed(before: &str, moves: &[String], ui: &Ui<'_>) -> String {
    if !ui.on_terminal() {
        return format!("{before}{}", moves.join(", "));
    }
    let (last, others) = moves
        .split_last()
        .map_or(("", moves), |(last, others)| (last.as_str(), others));
    let mut words: Vec<String> = others.iter().map(|it| format!("{it},")).collect();
    words.push(last.to_owned());
    let text = wrapped(before, &words, " ", text_width(ui));
    text.trim_end().to_owned()
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
    let aside = aside.trim();
    let from = provenance(game, finding.origin.as_deref(), &finding.disputed);
    let named = format!("{}{from}", finding.clause);
    let long = |text: &str| text.chars().count();
    let fits = 6 + long(&named) + long(aside) <= ui.width();
    let aside = ui.paint(Tone::Dim, aside);
    if fits || !ui.on_terminal() {
        ui.line(format!("  {mark} {named}  {aside}"))?;
    } else {
        ui.line(format!("  {mark} {named}"))?;
        ui.line(format!("      {aside}"))?;
    }
    if let Some(message) = &finding.message {
        ui.line(format!("      {message}"))?;
    }
    for (text, value) in &finding.values {
        ui.line(format!("      {text} = {value}"))?;
    }
    Ok(())
}

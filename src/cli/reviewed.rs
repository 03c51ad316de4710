//! How the chances of a game went, choice by choice.

use serde::Serialize;

use super::simulated::plot::Plot;
use super::simulated::words::percent;
use super::{CliError, Ui};

/// Swings that are told.
pub const TOLD: usize = 5;
/// Size of the plot in the terminal.
const COLUMNS: usize = 60;
const ROWS: usize = 9;

/// A choice, and what it did.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Choices before it.
    pub choice: usize,
    pub seat: String,
    #[serde(rename = "move")]
    pub played: String,
    /// The better move, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<String>,
    /// The part of the games that who chooses wins with the best move.
    pub before: f64,
    /// The same with the move that was made.
    pub after: f64,
    /// What the choice did: never more than nothing.
    pub by_choice: f64,
    /// What luck and the others did until this seat chose again.
    pub by_luck: f64,
    /// How far each of these may be off, in 95 % of all cases.
    pub off: f64,
    /// Whether it was looked at closely.
    #[serde(skip)]
    pub is_close: bool,
    /// The chances of the seat whose course is drawn.
    pub course: f64,
}

/// A game that was looked through.
#[derive(Serialize)]
pub struct Review {
    /// Whose chances the course tells.
    pub of: String,
    /// Games played on from each choice.
    pub games: u32,
    /// The choices with the largest swings first.
    pub swings: Vec<Judged>,
    /// The chances at each choice, in order, and what came at the end.
    pub course: Vec<f64>,
}

impl Judged {
    /// How far the chances went up or down.
    pub fn swing(&self) -> f64 {
        self.by_choice.abs().max(self.by_luck.abs())
    }
}

impl Review {
    /// Of the choices of a game, in order; the course ends with what came of the game, if it is over.
    pub fn of(name: String, games: u32, judged: &[Judged], end: Option<f64>) -> Review {
        let course = judged.iter().map(|it| it.course).chain(end).collect();
        let closer = judged
            .iter()
            .filter(|it| it.is_close && it.swing() > it.off);
        let mut swings: Vec<Judged> = closer.cloned().collect();
        swings.sort_by(|a, b| b.swing().total_cmp(&a.swing()));
        swings.truncate(TOLD);
        Review {
            of: name,
            games,
            swings,
            course,
        }
    }

    /// Tells it to people.
    pub fn show(&self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        ui.line(format!(
            "the chances of {}, of {} games played on from each choice",
            self.of, self.games
        ))?;
        if ui.plain {
            let tenths: Vec<String> = self.points(10).into_iter().map(percent).collect();
            ui.line(format!("in ten parts: {}", tenths.join(", ")))?;
        } else {
            self.draw(ui)?;
        }
        if self.swings.is_empty() {
            ui.line("no choice swung them more than so few games may be off")?;
        }
        for it in &self.swings {
            ui.line("")?;
            ui.line(format!(
                "choice {}, {}: {}",
                it.choice + 1,
                it.seat,
                it.played
            ))?;
            let (arrow, off) = match ui.plain {
                true => ("to", "give or take "),
                false => ("→", "±"),
            };
            ui.line(format!(
                "  {} {arrow} {}, {off}{}; by the choice {}, by luck and the others {}",
                percent(it.before),
                percent(it.after + it.by_luck),
                percent(it.off),
                signed(it.by_choice),
                signed(it.by_luck)
            ))?;
            if let Some(better) = &it.better {
                ui.line(format!("  better: {better}"))?;
            }
        }
        Ok(())
    }

    /// The course at so many points, one for each stretch of choices.
    fn points(&self, n: usize) -> Vec<f64> {
        let all = self.course.len();
        let n = n.min(all);
        let at = |nth: usize| self.course.get(nth * all / n.max(1)).copied();
        (0..n).filter_map(at).collect()
    }

    fn draw(&self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let points = self.points(COLUMNS);
        for row in (0..ROWS).rev() {
            let low = row as f64 / ROWS as f64;
            let cell = |point: &f64| {
                let filled = (point - low) * ROWS as f64;
                match filled {
                    it if it >= 1.0 => '█',
                    it if it >= 0.5 => '▄',
                    _ if row == ROWS / 2 => '·',
                    _ => ' ',
                }
            };
            let line: String = points.iter().map(cell).collect();
            let label = match row {
                0 => "  0 %",
                it if it == ROWS / 2 => " 50 %",
                it if it == ROWS - 1 => "100 %",
                _ => "     ",
            };
            ui.line(format!("{label} {line}").trim_end())?;
        }
        Ok(())
    }

    /// The course as a picture.
    pub fn picture(&self, title: &str) -> String {
        let mut plot = Plot::new(title);
        plot.note(&format!("the chances of {}", self.of));
        plot.course(&self.course);
        plot.page()
    }
}

fn signed(part: f64) -> String {
    let sign = if part < 0.0 { "-" } else { "+" };
    format!("{sign}{}", percent(part.abs()))
}

//! What happened last at a table, for its next frame.

use super::{ONLY, Table};
use crate::model::Game;
use crate::model::text::Form;
use crate::play::entries::wrapped;
use crate::play::seat_name;

/// How much of what happened is told, at most.
const MOST_LAST: usize = 6;
/// How much of what happened is kept.
const MOST_EVENTS: usize = 24;
/// Before what happened last.
const LAST: &str = "last  ";

/// Something that happened.
pub(super) struct Happening {
    /// Whose move it was; none where nobody moved.
    pub by: Option<u32>,
    /// Who alone is told.
    pub only: Option<u32>,
    /// In words; what stands alone has a line of its own.
    pub text: String,
    /// How many choices had been made then.
    pub n_choices: usize,
}

impl Table<'_> {
    /// Keeps what happened for the next frame: whose move it was, who alone is told, and that in words.
    pub(super) fn note(&mut self, by: Option<u32>, only: Option<u32>, text: String) {
        let n_choices = self.session.n_choices();
        self.recall(by, only, text, n_choices);
    }

    /// The same of what happened after so many choices.
    pub(super) fn recall(
        &mut self,
        by: Option<u32>,
        only: Option<u32>,
        text: String,
        n_choices: usize,
    ) {
        if self.happened.len() >= MOST_EVENTS {
            self.happened.pop_front();
        }
        self.happened.push_back(Happening {
            by,
            only,
            text,
            n_choices,
        });
    }

    /// Forgets what was taken back.
    pub(super) fn forget_undone(&mut self) {
        let left = self.session.n_choices();
        self.happened.retain(|it| it.n_choices <= left);
    }

    /// What happened last, the newest behind; what another seat did is among it.
    pub(super) fn last(&self, seat: u32, width: usize) -> Vec<Last> {
        let told = |it: &&Happening| it.only.is_none_or(|only| only == seat);
        let told: Vec<&Happening> = self.happened.iter().filter(told).collect();
        let of_others = |it: &&Happening| it.by.is_some_and(|by| by != seat);
        let rival = told.iter().rposition(of_others);
        // What this seat chose last and what others did since; where they did nothing, what they did before. What was all there
        // was is no choice.
        let chose = |it: &&Happening| it.by == Some(seat) && !it.text.contains(ONLY);
        let chosen = told.iter().rposition(chose);
        let since = chosen.unwrap_or(0).min(rival.unwrap_or(0));
        let needed = chosen.map_or(0, |at| at + 1).min(rival.unwrap_or(0));
        let first = told.len().saturating_sub(MOST_LAST).min(since);
        let shown = told.iter().enumerate().skip(first);
        let lines = shown.map(|(at, it)| {
            let lines = it.text.lines().map(|line| {
                // An arrow at the end of a line would lead nowhere.
                let words = line.replace("→ ", "→\u{a0}");
                let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
                wrapped(LAST, &words, " ", width).replace('\u{a0}', " ")
            });
            let text: String = lines.collect();
            Last {
                lines: text.lines().map(str::to_owned).collect(),
                is_needed: at + 1 == told.len()
                    || rival.is_some_and(|it| (needed..=it).contains(&at)),
            }
        });
        lines.collect()
    }
}

/// Something that happened, in lines.
pub(super) struct Last {
    pub lines: Vec<String>,
    /// Whether its beginning is shown wherever there is room for it.
    pub is_needed: bool,
}

/// What happened last, in so many lines; the first of them says what they are.
pub(super) fn newest(all: &[Last], room: usize) -> Vec<String> {
    let mut taken: Vec<usize> = vec![0; all.len()];
    let mut left = room;
    // First the beginnings of what is needed, then all of the newest, then what was before.
    for is_first in [true, false] {
        for (last, taken) in all.iter().zip(&mut taken).rev() {
            let wanted = match (is_first, last.is_needed) {
                (true, needed) => usize::from(needed),
                (false, _) => last.lines.len().saturating_sub(*taken),
            };
            let more = wanted.min(left);
            *taken += more;
            left -= more;
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for (last, taken) in all.iter().zip(taken) {
        let mut own: Vec<String> = last.lines.iter().take(taken).cloned().collect();
        if let Some(end) = own.last_mut().filter(|_| taken < last.lines.len()) {
            let kept = end.trim_end_matches(['·', '→', ' ']).len();
            end.truncate(kept);
            end.push_str(" …");
        }
        lines.append(&mut own);
    }
    let indent = " ".repeat(LAST.len());
    for line in lines.iter_mut().skip(1) {
        if let Some(rest) = line.strip_prefix(LAST) {
            *line = format!("{indent}{rest}");
        }
    }
    lines
}

/// What is told of a move, in one text.
pub(super) fn told(game: &Game, seat: u32, words: &str) -> String {
    format!("{}: {words}", seat_name(game, seat, Form::Signs))
}

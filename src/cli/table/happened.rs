//! What happened last at a table, for its next frame.

use super::{ONLY, Table};
use crate::model::Game;
use crate::model::text::Form;
use crate::play::entries::wrapped;
use crate::play::news::Piece;
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
    /// What was done, in words; empty where that is told apart.
    pub done: String,
    /// What came of it.
    pub news: Vec<Piece>,
    /// How many choices had been made then.
    pub n_choices: usize,
}

impl Table<'_> {
    /// Keeps what happened for the next frame: whose move it was, who alone is told, and that in words.
    pub(super) fn note(&mut self, by: Option<u32>, only: Option<u32>, done: String) {
        self.recall(Happening {
            by,
            only,
            done,
            news: Vec::new(),
            n_choices: self.session.n_choices(),
        });
    }

    /// The same of what happened before.
    pub(super) fn recall(&mut self, happening: Happening) {
        if self.happened.len() >= MOST_EVENTS {
            self.happened.pop_front();
        }
        self.happened.push_back(happening);
    }

    /// Adds to what happened last what came of it.
    pub(super) fn add_to_last(&mut self, news: &[Piece], only: Option<u32>) {
        if news.is_empty() {
            return;
        }
        if self.happened.back().is_none_or(|it| it.only != only) {
            self.note(None, only, String::new());
        }
        if let Some(last) = self.happened.back_mut() {
            last.news.extend_from_slice(news);
        }
    }

    /// Forgets what was taken back.
    pub(super) fn forget_undone(&mut self) {
        let left = self.session.n_choices();
        self.happened.retain(|it| it.n_choices <= left);
    }

    /// Whether the newest that a seat was told says just this.
    pub(super) fn is_newest(&self, seat: u32, text: &str) -> bool {
        let told = |it: &&Happening| it.only.is_none_or(|only| only == seat);
        let newest = self.happened.iter().rfind(told);
        newest.is_some_and(|it| it.news.iter().any(|piece| piece.text == text))
    }

    /// What happened last, the newest behind; what another seat did is among it.
    pub(super) fn last(&self, seat: u32, width: usize) -> Vec<Last> {
        let told = |it: &&Happening| it.only.is_none_or(|only| only == seat);
        let told: Vec<&Happening> = self.happened.iter().filter(told).collect();
        let of_others = |it: &&Happening| it.by.is_some_and(|by| by != seat);
        let rival = told.iter().rposition(of_others);
        // What this seat chose last and what others did since; where they did nothing, what they did before. What was all there
        // was is no choice.
        let chose = |it: &&Happening| it.by == Some(seat) && !it.done.contains(ONLY);
        let chosen = told.iter().rposition(chose);
        let since = chosen.unwrap_or(0).min(rival.unwrap_or(0));
        let needed = chosen.map_or(0, |at| at + 1).min(rival.unwrap_or(0));
        let first = told.len().saturating_sub(MOST_LAST).min(since);
        let shown = told.iter().enumerate().skip(first);
        let lasts = shown.map(|(at, it)| Last {
            lines: it.lines(width),
            is_needed: at + 1 == told.len() || rival.is_some_and(|it| (needed..=it).contains(&at)),
            is_new: at >= since,
        });
        lasts.collect()
    }
}

impl Happening {
    /// In lines of a width: behind what was done what came of it, but each number that changed for a reason alone.
    fn lines(&self, width: usize) -> Vec<Line> {
        let is_one = |one: &Piece, other: &Piece| {
            !one.has_reason() && !other.has_reason() && one.is_said == other.is_said
        };
        let mut before = match self.done.as_str() {
            "" => Vec::new(),
            done => vec![done.to_owned()],
        };
        let mut lines = Vec::new();
        let mut parts = self.news.chunk_by(is_one).peekable();
        // An arrow leads to what came of it, and nothing is torn that fits.
        let arrow = if before.is_empty() { "" } else { "→ " };
        if parts.peek().is_none() {
            lines.extend(written(&before, false, width));
        }
        for (at, part) in parts.enumerate() {
            let mut words = std::mem::take(&mut before);
            let is_last = |nth: usize| nth + 1 == part.len();
            words.extend(part.iter().enumerate().map(|(nth, piece)| {
                let arrow = if at + nth == 0 { arrow } else { "" };
                let behind = if is_last(nth) { "" } else { " ·" };
                format!("{arrow}{}{behind}", piece.text)
            }));
            let is_said = part.iter().any(|it| it.is_said);
            let mut written = written(&words, is_said, width);
            // What the game is won by stands at the beginning.
            let counted = part.iter().any(|it| it.is_figure);
            if let Some(first) = written.first_mut().filter(|_| counted) {
                first.is_said = true;
            }
            lines.extend(written);
        }
        lines
    }
}

/// Words in lines; what fits into one is not torn.
fn written(words: &[String], is_said: bool, width: usize) -> Vec<Line> {
    let text = wrapped(LAST, words, " ", width);
    let lines = text.lines().map(|it| Line {
        text: it.to_owned(),
        is_said,
    });
    lines.collect()
}

/// A line of what happened.
pub(super) struct Line {
    pub text: String,
    /// Whether the rules say it in their own words, why a number has changed or what befell, or it tells what the game is won by.
    pub is_said: bool,
}

/// Something that happened, in lines.
pub(super) struct Last {
    pub lines: Vec<Line>,
    /// Whether its beginning is shown wherever there is room for it.
    pub is_needed: bool,
    /// Whether it is of this turn or the one before.
    pub is_new: bool,
}

impl Last {
    /// How soon a line is shown, where not all are: first the beginnings of what is needed, then what the rules say.
    fn rank(&self, line: usize) -> usize {
        match self.lines.get(line) {
            _ if line == 0 && self.is_needed => 0,
            Some(it) if it.is_said && self.is_new => 1,
            _ => 2,
        }
    }

    /// How many lines are shown wherever there is room for them.
    pub fn n_needed(&self) -> usize {
        let lines = 0..self.lines.len();
        lines.filter(|it| self.rank(*it) < 2).count()
    }
}

/// What happened last, in so many lines; the first of them says what they are.
pub(super) fn newest(all: &[Last], room: usize) -> Vec<String> {
    // In each rank the newest, and of that all from its beginning.
    let each = all.iter().enumerate().rev();
    let each =
        each.flat_map(|(at, it)| (0..it.lines.len()).map(move |line| (it.rank(line), at, line)));
    let mut order: Vec<(usize, usize, usize)> = each.collect();
    order.sort_by_key(|(rank, ..)| *rank);
    order.truncate(room);
    let mut lines: Vec<String> = Vec::new();
    for (at, last) in all.iter().enumerate() {
        let is_taken = |line: usize| order.iter().any(|(_, of, it)| (*of, *it) == (at, line));
        let mut is_whole = false;
        for (number, line) in last.lines.iter().enumerate() {
            if is_taken(number) {
                lines.push(line.text.clone());
            } else if let Some(end) = lines.last_mut().filter(|_| is_whole) {
                let kept = end.trim_end_matches(['·', '→', ' ']).len();
                end.truncate(kept);
                end.push_str(" …");
            }
            is_whole = is_taken(number);
        }
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

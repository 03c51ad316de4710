//! Values that changed, by how much, and why: what the rules say of a change, and changes of which nothing is said.

use std::collections::BTreeMap;

use super::board::Artist;
use super::sighted::{Value, is_count, named};
use crate::engine::{Change, Told, TrackValue, View};
use crate::model::text::{Form, spelt};
use crate::model::{Base, ShownWhat, TrackId};
use serde::Serialize;

/// Between a value and why it is so.
const WHY: &str = ": ";

/// One thing that a seat is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// In words.
    pub text: String,
    /// The number that has changed, if that is what it tells of.
    pub change: Option<Changed>,
    /// Whether the rules say it in their own words.
    pub is_said: bool,
    /// Whether the number is what the game is won by.
    pub is_figure: bool,
}

/// A number that has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// What it is called on the table, with whose it is.
    pub of: String,
    /// By how much.
    pub by: i64,
    /// What it is now.
    pub to: i64,
    /// What the rules say of why, if they do.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Self {
            text,
            change: None,
            is_said: false,
            is_figure: false,
        }
    }
}

impl Piece {
    /// A number of which nobody says why it has changed.
    #[must_use]
    pub fn silent(of: &str, [before, after]: [i64; 2], form: Form) -> Self {
        let by = changed_by(Some(before), Some(after), form);
        let text = format!("{of} {after}{by}");
        let change = after.checked_sub(before).map(|by| Changed {
            of: of.to_owned(),
            by,
            to: after,
            why: String::new(),
        });
        Self {
            text,
            change,
            is_said: false,
            is_figure: false,
        }
    }

    /// Whether a number has changed, and the rules say why.
    #[must_use]
    pub fn has_reason(&self) -> bool {
        self.change.as_ref().is_some_and(|it| !it.why.is_empty())
    }
}

/// What a seat was told of values on the way, and what it knows by that.
#[derive(Default)]
pub(super) struct Heard {
    /// In order: what the rules say, and the changes that they explain.
    pub lines: Vec<Piece>,
    /// What it was told last of a value.
    last: BTreeMap<(TrackId, usize), i64>,
}

impl Heard {
    /// What the rules told a seat; with what it saw before, if there was anything, a change that nobody explained stands before
    /// the next one that somebody does, and what was changed into what it was is not told.
    pub fn by(artist: &Artist<'_>, seat: u32, before: Option<&View>, told: &[Told]) -> Self {
        let mut heard = Self::default();
        for told in told {
            let Some(words) = told.heard_by(seat, artist.form) else {
                continue;
            };
            match &told.of {
                None => heard.lines.push(Piece {
                    is_said: true,
                    ..words.into()
                }),
                Some(change) => heard.note(artist, before, change, &words),
            }
        }
        heard
    }

    fn note(&mut self, artist: &Artist<'_>, seen: Option<&View>, change: &Change, words: &str) {
        let at = (change.track, change.place);
        let Some(track) = artist.game.tracks.get(change.track.index()) else {
            return;
        };
        let mut shown = artist.game.shown.iter();
        let label =
            shown.find(|it| it.what == ShownWhat::Track(change.track) && !it.label.is_empty());
        let label = label.map_or_else(|| spelt(&track.name), |it| it.label.clone());
        let name = named(artist, &label, &track.index, change.place);
        let printed = change.printed.get(artist.form as usize);
        let printed = printed.map_or("", String::as_str);
        let [before, after] = change.values;
        let known = self.last.get(&at).copied();
        let known = known.or_else(|| seen.and_then(|it| scalar(it, at)));
        let is_number = matches!(track.ty.base, Base::Int(..));
        if let (Some(known), Some(before)) = (known, before)
            && known != before
            && is_count(artist.game, &track.index, track.ty)
        {
            let silent = Piece::silent(&name, [known, before], artist.form);
            self.lines.push(silent);
        }
        self.last.extend(after.map(|after| (at, after)));
        if before.is_some() && before == after {
            return;
        }
        let by = match is_number {
            true => changed_by(before, after, artist.form),
            false => String::new(),
        };
        let text = format!("{name} {printed}{by}{WHY}{words}");
        let change = before.zip(after).filter(|_| is_number);
        let change = change.and_then(|(before, after)| {
            Some(Changed {
                by: after.checked_sub(before)?,
                to: after,
                of: name,
                why: words.to_owned(),
            })
        });
        self.lines.push(Piece {
            text,
            change,
            is_said: true,
            is_figure: false,
        });
    }

    /// What is still to be told of a value of which a seat sees both; none where it knows.
    pub fn rest(&self, before: &Value, after: &Value, form: Form) -> Option<Piece> {
        let told = after.of.and_then(|it| self.last.get(&it));
        if told.is_some() && told.copied() == after.scalar {
            return None;
        }
        if before.text == after.text && told.is_none() || after.text.is_empty() {
            return None;
        }
        let known = told.copied().or(before.scalar);
        Some(match known.zip(after.scalar) {
            Some((known, now)) if after.is_count => Piece::silent(&after.name, [known, now], form),
            _ => format!("{} {}", after.name, after.text).into(),
        })
    }
}

fn scalar(view: &View, (track, place): (TrackId, usize)) -> Option<i64> {
    match view.tracks.get(track.index())?.values.get(place)? {
        Some(TrackValue::Scalar(value)) => Some(*value),
        _ => None,
    }
}

/// By how much a number has changed, behind its new value.
fn changed_by(before: Option<i64>, after: Option<i64>, form: Form) -> String {
    let change = before.zip(after);
    let change = change.and_then(|(before, after)| after.checked_sub(before));
    match change {
        None | Some(0) => String::new(),
        Some(more @ 1..) if form == Form::Spoken => format!(", {more} more"),
        Some(less) if form == Form::Spoken => format!(", {} less", less.unsigned_abs()),
        Some(change) => format!(" ({change:+})"),
    }
}

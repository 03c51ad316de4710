//! Chance as a transcript recorded it.

use std::collections::{HashMap, VecDeque};

use super::transcript::{Luck as From, Outcome, Record};
use super::{Problem, stream_name, stream_types};
use crate::diagnostic::codes;
use crate::engine::{Chance, Dice};
use crate::model::{Game, StreamId, Type};

/// An outcome that is fixed beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The stream it comes from.
    pub stream: StreamId,
    /// What comes.
    pub value: i64,
    /// The line that says so, if one does.
    pub line: Option<usize>,
}

/// A value that no component and no element has.
const IMPOSSIBLE: i64 = i64::MIN + 1;

/// What decides for nature in a session: outcomes that are fixed, then dice; and what it decided
/// since this was last asked.
#[derive(Clone)]
pub(super) struct Luck {
    dice: Dice,
    fixed: VecDeque<Fixed>,
    /// The line of the outcome that was taken last.
    pub(super) line: Option<usize>,
    pub(super) happened: Vec<(StreamId, i64)>,
}

impl Luck {
    pub(super) fn new(dice: Dice, fixed: Vec<Fixed>) -> Luck {
        Luck {
            dice,
            fixed: fixed.into(),
            line: None,
            happened: Vec::new(),
        }
    }
}

impl Chance for Luck {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        self.dice.ticket(stream, total)
    }

    fn forced(&mut self, stream: StreamId) -> Option<i64> {
        let fixed = self.fixed.pop_front()?;
        self.line = fixed.line;
        Some(if fixed.stream == stream {
            fixed.value
        } else {
            IMPOSSIBLE
        })
    }

    fn happened(&mut self, stream: StreamId, value: i64) {
        self.happened.push((stream, value));
    }
}

/// Returns the outcomes of chance that the lines of a transcript fix; none where the seed decides.
pub(super) fn fixed_by<'r>(
    game: &Game,
    from: Option<From>,
    records: impl IntoIterator<Item = (usize, &'r Record)>,
) -> Result<Vec<Fixed>, Problem> {
    if from != Some(From::Recorded) {
        return Ok(Vec::new());
    }
    let types = stream_types(game);
    let mut printed: HashMap<usize, HashMap<String, i64>> = HashMap::new();
    let mut fixed = Vec::new();
    for (line, record) in records {
        let Record::Chance(Outcome { chance, value }) = record else {
            continue;
        };
        let unknown = |what: &str| {
            let message = format!("there is no {what} in this game");
            Problem::new(codes::OTHER_OUTCOME, message).on_line(line)
        };
        let stream = (0..types.len()).find(|at| stream_name(game, id(*at)) == *chance);
        let Some(stream) = stream else {
            return Err(unknown(&format!("chance `{chance}`")));
        };
        let ty = types.get(stream).copied().unwrap_or(Type::BOOL);
        let known = printed.entry(stream).or_insert_with(|| {
            let names = super::outcome_names(game, ty).into_iter();
            names.map(|(value, name)| (name, value)).collect()
        });
        let value = value.as_deref().unwrap_or("");
        let Some(value) = known.get(value) else {
            return Err(unknown(&format!("`{value}` that `{chance}` could give")));
        };
        fixed.push(Fixed {
            stream: id(stream),
            value: *value,
            line: Some(line),
        });
    }
    Ok(fixed)
}

fn id(stream: usize) -> StreamId {
    StreamId(u32::try_from(stream).unwrap_or(u32::MAX))
}

//! The text of a transcript: a header line, then one JSON line for each thing that happened.
//!
//! The text is append-only, so that a game that is killed has lost at most the line it was writing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Problem;
use crate::diagnostic::codes;
use crate::source::hidden;

/// The version of the format that is written and read.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub adit: u32,
    /// The rulebook: the name of a shipped one, or a path.
    pub game: String,
    /// The amendments, as they were asked for.
    pub amendments: Vec<String>,
    /// Every option and question with its value, in the order of the rulebook.
    pub settings: Map<String, Value>,
    /// Who sat on each seat, in the order of the seats.
    pub seats: Vec<String>,
    /// The study or ruling from whose position it starts; none where it starts with the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The seed of chance; none in the view of one seat.
    pub seed: Option<u64>,
    /// Where chance comes from, if not from the seed and the numbers of the streams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<Luck>,
    /// The seat whose view this is; none in a whole transcript.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// The hash of the composed rules.
    pub rules: String,
    /// The version of the program that wrote it.
    pub engine: String,
}

/// Where chance comes from, if not from the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Luck {
    /// From the lines of the transcript.
    Recorded,
    /// From the seed and the names of the streams, so that amended rules share what they both draw.
    Named,
}

impl Header {
    /// Returns the settings as they are given on a command line.
    pub fn settings_as_text(&self) -> Vec<(String, String)> {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.settings
            .iter()
            .map(|(name, value)| (name.clone(), text(value)))
            .collect()
    }
}

/// One line after the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Record {
    /// A seat chose.
    Choice(Choice),
    /// Chance decided.
    Chance(Outcome),
    /// The last choice was taken back.
    Undo(Undo),
    /// A seat asked what it should do.
    Hint(Hint),
    /// The game is over.
    End(Ending),
}

/// A seat chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The seat.
    pub seat: String,
    /// What it chose, as printed in plain form; none where the reader may not know.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// Whether others choose at the same time, and learn it when all have chosen.
    #[serde(default, skip_serializing_if = "is_alone")]
    pub together: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde calls"
)]
fn is_alone(together: &bool) -> bool {
    !together
}

/// Chance decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// The stream it came from.
    pub chance: String,
    /// What came, as printed in plain form; none where the reader may not know.
    pub value: Option<String>,
}

/// A choice was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Undo {
    /// The seat that takes its last choice back.
    pub undo: String,
}

/// A seat asked the program what it should do, and was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hint {
    /// The seat.
    pub hint: String,
}

/// The game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// The ending that judged.
    pub end: String,
    /// The place of each seat: 1 is the best, equal ones share it.
    pub places: Vec<u32>,
    /// The figures that the seats were ranked by, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub figures: Vec<Vec<i64>>,
}

/// A transcript that could be read as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    /// The first line.
    pub header: Header,
    /// The further lines as they stand, whole ones only.
    pub lines: Vec<String>,
    /// The number of the last line if its end is missing: the program was killed while writing it.
    pub torn: Option<usize>,
    /// The length in bytes of the whole lines.
    pub whole: usize,
}

/// Writes a header or record as its line, with the line's end.
pub fn line_of(value: &impl Serialize) -> String {
    // Only maps with other keys than text cannot be written, and there are none.
    let text = serde_json::to_string(value).unwrap_or_default();
    hidden::in_json(&text).into_owned() + "\n"
}

impl Record {
    /// Reads a line.
    pub fn read(line: &str, number: usize) -> Result<Record, Problem> {
        serde_json::from_str(line).map_err(|_| {
            Problem::new(codes::BAD_RECORD, "this line is no record of a transcript")
                .on_line(number)
                .help("a record is one of `{\"seat\":…,\"move\":…}`, `{\"chance\":…,\"value\":…}`, `{\"undo\":…}`, `{\"hint\":…}`, `{\"end\":…,\"places\":…}`")
        })
    }
}

impl Transcript {
    /// Whether a text begins as one does, be it whole or not.
    #[must_use]
    pub fn is_begun_by(text: &str) -> bool {
        let first = unmarked(text.lines().next().unwrap_or_default());
        let header = first.starts_with('{').then(|| serde_json::from_str(first));
        let header: Option<Value> = header.and_then(Result::ok);
        header.is_some_and(|it| it.get("adit").is_some())
    }

    /// Reads the header and cuts the rest into lines; the records are read as they are replayed.
    pub fn read(text: &str) -> Result<Transcript, Problem> {
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        let mut lines = text.get(..whole).unwrap_or("").lines();
        let Some(first) = lines.next() else {
            return Err(no_transcript(text));
        };
        let header = read_header(first)?;
        let lines: Vec<String> = lines.map(str::to_owned).collect();
        let torn = (whole < text.len()).then_some(lines.len() + 2);
        Ok(Transcript {
            header,
            lines,
            torn,
            whole,
        })
    }
}

/// A line without the mark that some editors put before a text.
fn unmarked(line: &str) -> &str {
    line.strip_prefix('\u{feff}').unwrap_or(line)
}

fn read_header(line: &str) -> Result<Header, Problem> {
    let line = unmarked(line);
    let value: Value = serde_json::from_str(line).map_err(|_| no_transcript(line))?;
    let Some(format) = value.get("adit") else {
        return Err(no_transcript(line));
    };
    if format.as_u64() != Some(u64::from(FORMAT)) {
        let message = format!("this transcript has format {format}, and only {FORMAT} can be read");
        return Err(Problem::new(codes::OTHER_FORMAT, message)
            .on_line(1)
            .help("use the version of the program that wrote it"));
    }
    serde_json::from_value(value).map_err(|error| {
        Problem::new(
            codes::BAD_HEADER,
            format!("the header is not whole: {error}"),
        )
        .on_line(1)
        .help("the first line must stay as the program wrote it")
    })
}

fn no_transcript(text: &str) -> Problem {
    let message = if text.trim().is_empty() {
        "this is no transcript: it is empty"
    } else {
        "this is no transcript: the first line is no header"
    };
    Problem::new(codes::NO_TRANSCRIPT, message)
        .on_line(1)
        .help("a transcript begins with the line that `adit play` writes first: `{\"adit\":1,…}`")
}

//! What a part has come to, as a text: a line of JSON, the numbers by name, and what stands for all of that.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::{Plan, digest};
use crate::cli::CliError;
use crate::diagnostic::codes;
use crate::lab::Numbers;

/// The version of the format that is written and read.
const FORMAT: u32 = 1;
/// What the last line begins with.
const SUM: &str = "checksum\t";

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    adit_part: u32,
    /// What stands for the plan.
    plan: String,
    rules: Vec<String>,
    engine: String,
    part: u64,
    of: u64,
    /// The seed of the first game.
    seed: u64,
    games: u64,
}

/// What a part has come to.
pub struct Part {
    header: Header,
    numbers: Numbers,
}

impl Header {
    fn of(plan: &Plan, part: u64) -> Header {
        let of_part = plan.of_part(part);
        Header {
            adit_part: FORMAT,
            plan: plan.digest(),
            rules: plan.rules(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            part,
            of: plan.parts,
            seed: of_part.first,
            games: of_part.games,
        }
    }
}

impl Part {
    /// What a part of a plan has come to.
    pub fn new(plan: &Plan, number: u64, numbers: Numbers) -> Part {
        let header = Header::of(plan, number);
        Part { header, numbers }
    }

    /// The text of the file: the same whenever the part is played.
    pub fn text(&self) -> String {
        // Neither can fail.
        let mut text = serde_json::to_string(&self.header).unwrap_or_default() + "\n";
        for (name, number) in &self.numbers {
            let _ = writeln!(text, "{name}\t{number}");
        }
        let sum = digest(&text);
        let _ = writeln!(text, "{SUM}{sum}");
        text
    }

    /// Reads a part of a plan.
    pub fn read(plan: &Plan, path: &str, text: &str) -> Result<Part, CliError> {
        let first = text.lines().next().unwrap_or_default();
        let header: Result<Header, _> = serde_json::from_str(first);
        let header = match header {
            Ok(header) => header,
            Err(_) => return Err(foreign(path, "it does not begin as one")),
        };
        let number = header.part;
        let own = text.rfind(SUM).map(|at| text.split_at(at));
        let is_whole = own.is_some_and(|(all, sum)| {
            sum.strip_prefix(SUM).map(|it| it.trim_end_matches('\n')) == Some(&digest(all))
        });
        if !is_whole {
            return Err(damaged(
                path,
                number,
                "its checksum is not that of its lines",
            ));
        }
        if header.adit_part != FORMAT {
            let why = format!("part {number} has format {}", header.adit_part);
            return Err(foreign(path, &why));
        }
        if number >= plan.parts {
            let why = format!("it is part {number}, and the plan has {}", plan.parts);
            return Err(foreign(path, &why));
        }
        let wanted = Header::of(plan, number);
        let (rules, engine) = (header.rules != wanted.rules, header.engine != wanted.engine);
        if header != wanted {
            let why = match (rules, engine) {
                (true, _) => "was played under other rules",
                (_, true) => "was played by another version of the program",
                _ => "belongs to another plan",
            };
            return Err(foreign(path, &format!("part {number} {why}")));
        }
        let mut numbers = Numbers::new();
        for line in text.lines().skip(1).filter(|it| !it.starts_with(SUM)) {
            let number_here = line
                .split_once('\t')
                .and_then(|(name, number)| Some((name.to_owned(), number.parse().ok()?)));
            numbers.extend(number_here);
        }
        let part = Part { header, numbers };
        // One way to write it, so that two of one part can be compared.
        match part.text() == text {
            true => Ok(part),
            false => Err(damaged(
                path,
                number,
                "its lines are not as the program writes them",
            )),
        }
    }

    /// Which one it is.
    pub fn number(&self) -> u64 {
        self.header.part
    }

    /// What it has come to.
    pub fn into_numbers(self) -> Numbers {
        self.numbers
    }
}

/// Returns the finding that a part is not what was written.
pub fn damaged(path: &str, number: u64, why: &str) -> CliError {
    let message = format!("part {number} in `{path}` is damaged: {why}");
    let help = format!("play it once more: `adit shard run PLAN {number}`");
    CliError::new(codes::BAD_PART, message, help)
}

fn foreign(path: &str, why: &str) -> CliError {
    let message = format!("`{path}` is no part of this plan: {why}");
    let help = "`adit shard run PLAN N` plays one";
    CliError::new(codes::BAD_PART, message, help)
}

//! What was found before and is to be left alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cli::CliError;
use crate::cli::load::read_text;
use crate::diagnostic::codes;
use crate::report::Found;

/// The findings of an earlier run, by their fingerprints.
#[derive(Serialize, Deserialize, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The form of the file.
    version: u32,
    /// For people: code, file and message of each.
    findings: BTreeMap<String, String>,
}

const VERSION: u32 = 1;

impl Baseline {
    /// Notes what is found now.
    pub fn of(all: &[Found<'_>]) -> Baseline {
        let words = |it: &Found<'_>| {
            let file = it.finding.span().and_then(|span| it.sources.get(span.file));
            let file = file.map_or("", |it| it.name.as_str());
            format!("{} {file}: {}", it.finding.code, it.finding.message)
        };
        let each = all.iter().map(|it| (it.fingerprint.clone(), words(it)));
        Baseline {
            version: VERSION,
            findings: each.collect(),
        }
    }

    /// Reads the file.
    pub fn read(path: &str) -> Result<Baseline, CliError> {
        let text = read_text(path)?;
        let read: Result<Baseline, _> = serde_json::from_str(&text);
        match read {
            Ok(it) if it.version == VERSION => Ok(it),
            _ => {
                let message = format!("`{path}` holds no findings to leave alone");
                let help = format!("write it anew: `adit lint … --write-baseline {path}`");
                Err(CliError::new(codes::WRONG_CONFIG, message, help))
            }
        }
    }

    /// Returns whether something was found before.
    pub fn knows(&self, it: &Found<'_>) -> bool {
        self.findings.contains_key(&it.fingerprint)
    }

    /// Returns what was found before and is there no more.
    pub fn gone<'a>(&'a self, now: &[Found<'_>]) -> Vec<&'a str> {
        let there = |mark: &String| now.iter().any(|it| it.fingerprint == *mark);
        let gone = self.findings.iter().filter(|(mark, _)| !there(mark));
        gone.map(|(_, words)| words.as_str()).collect()
    }
}

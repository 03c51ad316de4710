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
    /// Notes what is found now; `named` says how files are called there.
    pub fn of(all: &[Found<'_>], named: &dyn Fn(&str) -> String) -> Baseline {
        let words = |it: &Found<'_>| {
            let file = it.finding.span().and_then(|span| it.sources.get(span.file));
            let file = file.map_or_else(String::new, |it| named(&it.name));
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

    /// Returns what was found before in one of these files and is there no more.
    pub fn gone<'a>(&'a self, now: &[Found<'_>], files: &[String]) -> Vec<&'a str> {
        let there = |mark: &String| now.iter().any(|it| it.fingerprint == *mark);
        let looked_at = |words: &str| {
            let behind = words.split_once(' ').map_or(words, |it| it.1);
            let of = |file: &String| behind.strip_prefix(file.as_str());
            files.iter().filter_map(of).any(|it| it.starts_with(": "))
        };
        let gone = self.findings.iter().filter(|(mark, _)| !there(mark));
        let words = gone.map(|(_, words)| words.as_str());
        words.filter(|it| looked_at(it)).collect()
    }
}

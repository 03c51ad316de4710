//! SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format").

use serde::Serialize;

use super::found::{Found, level, place, whole};
use crate::diagnostic::Code;
use crate::source::{Sources, Span};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log with one run of one tool.
#[derive(Serialize)]
pub struct Log<'a> {
    version: &'static str,
    #[serde(rename = "$schema")]
    schema: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: &'static str,
    short_description: Text,
    default_configuration: Level,
}

#[derive(Serialize)]
struct Level {
    level: &'static str,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: Fingerprints<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix>,
}

#[derive(Serialize)]
struct Fingerprints<'a> {
    #[serde(rename = "adit/v1")]
    adit: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize, PartialEq)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix {
    description: Text,
    artifact_changes: Vec<Change>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

/// Returns the log of some findings; columns count characters.
pub fn log<'a>(all: &'a [Found<'a>]) -> Log<'a> {
    let mut used: Vec<Code> = all.iter().map(|it| it.finding.code).collect();
    used.sort_by_key(|code| code.id());
    used.dedup();
    let results = all.iter().map(|it| finding(it, &used)).collect();
    Log {
        version: "2.1.0",
        schema: SCHEMA,
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "adit",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: used.into_iter().map(rule).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results,
        }],
    }
}

fn rule(code: Code) -> Rule {
    Rule {
        id: code.id(),
        name: code.name(),
        short_description: text(code.meaning()),
        default_configuration: Level {
            level: level(code.severity(), "note"),
        },
    }
}

fn text(text: impl Into<String>) -> Text {
    Text { text: text.into() }
}

fn finding<'a>(it: &'a Found<'a>, rules: &[Code]) -> Finding<'a> {
    let labels = it.finding.labels.iter();
    let mut places = labels.filter_map(|label| {
        let words = (!label.text.is_empty()).then(|| text(&label.text));
        location(it.sources, label.span, words)
    });
    let first = places.next();
    Finding {
        rule_id: it.finding.code.id(),
        rule_index: rules
            .iter()
            .position(|code| *code == it.finding.code)
            .unwrap_or(0),
        level: level(it.finding.severity, "note"),
        message: text(whole(it.finding)),
        locations: first.into_iter().collect(),
        related_locations: places.collect(),
        partial_fingerprints: Fingerprints {
            adit: &it.fingerprint,
        },
        fixes: fix(it).into_iter().collect(),
    }
}

fn location(sources: &Sources, span: Span, message: Option<Text>) -> Option<Location> {
    Some(Location {
        physical_location: Physical {
            artifact_location: artifact(place(sources, span)?.file),
            region: region(sources, span)?,
        },
        message,
    })
}

fn region(sources: &Sources, span: Span) -> Option<Region> {
    let place = place(sources, span)?;
    Some(Region {
        start_line: place.start.line,
        start_column: place.start.column,
        end_line: place.end.line,
        end_column: place.end.column,
    })
}

/// Returns the file as a URI: a whole path as `file:`, any other as it is seen from here.
fn artifact(file: &str) -> Artifact {
    let mut uri = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        match byte {
            b'\\' => uri.push('/'),
            _ if plain => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Artifact { uri }
}

/// Returns the edit that mends it, file by file.
fn fix(it: &Found<'_>) -> Option<Fix> {
    let fix = it.finding.fix.as_ref()?;
    let mut changes: Vec<Change> = Vec::new();
    for (span, new) in &fix.edits {
        let file = artifact(place(it.sources, *span)?.file);
        let replacement = Replacement {
            deleted_region: region(it.sources, *span)?,
            inserted_content: text(new),
        };
        match changes.iter_mut().find(|it| it.artifact_location == file) {
            Some(change) => change.replacements.push(replacement),
            None => changes.push(Change {
                artifact_location: file,
                replacements: vec![replacement],
            }),
        }
    }
    Some(Fix {
        description: text(&fix.title),
        artifact_changes: changes,
    })
}

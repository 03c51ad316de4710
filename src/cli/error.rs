//! Why a command could not answer.

use std::io;

use serde::Serialize;

use super::{Exit, Ui, render};
use crate::diagnostic::{Code, Diagnostic};
use crate::play::Problem;
use crate::report::DiagnosticJson;
use crate::source::Sources;

/// Why a command could not answer.
#[derive(Debug)]
pub enum CliError {
    /// Findings about a rulebook, a transcript, a move or the arguments.
    Found(Box<Findings>),
    /// The answer cannot be written.
    Output(io::Error),
    /// The input cannot be read.
    Input(io::Error),
}

/// Findings with the texts that they are about.
#[derive(Debug, Default)]
pub struct Findings {
    /// The texts.
    pub sources: Sources,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the question was answered with no; else it could not be answered.
    pub answer: bool,
}

#[derive(Serialize)]
struct FindingsJson<'a> {
    findings: Vec<DiagnosticJson<'a>>,
}

impl CliError {
    /// Returns the failure to understand the arguments or the surroundings.
    pub fn new(code: Code, message: impl Into<String>, help: impl Into<String>) -> CliError {
        CliError::from(Problem::new(code, message).help(help))
    }

    /// Returns findings that kept the question from being answered.
    pub fn found(sources: Sources, diagnostics: Vec<Diagnostic>) -> CliError {
        CliError::Found(Box::new(Findings {
            sources,
            diagnostics,
            answer: false,
        }))
    }

    /// Returns a finding that answers the question with no, about a text that was played under rules.
    pub fn no(rules: &Sources, problem: &Problem, name: &str, text: &str) -> CliError {
        let mut findings = about(rules, problem, name, text);
        findings.answer = true;
        CliError::Found(Box::new(findings))
    }

    /// Returns a finding about a text, played under rules, that kept the question from being answered.
    pub fn about(rules: &Sources, problem: &Problem, name: &str, text: &str) -> CliError {
        CliError::Found(Box::new(about(rules, problem, name, text)))
    }

    /// Whether this was found.
    pub fn is(&self, code: Code) -> bool {
        matches!(self, CliError::Found(it) if it.diagnostics.iter().any(|it| it.code == code))
    }

    /// Shows where in the rules it happened, if it brings no texts of its own.
    pub fn within(mut self, rules: &Sources) -> CliError {
        if let CliError::Found(findings) = &mut self
            && findings.sources.iter().next().is_none()
        {
            findings.sources = rules.clone();
        }
        self
    }

    /// Tells the person and returns how the program ends.
    pub(super) fn show(&self, ui: &mut Ui<'_>) -> Exit {
        match self {
            CliError::Found(findings) => {
                show_findings(ui, findings);
                if findings.answer {
                    Exit::No
                } else {
                    Exit::Failure
                }
            }
            CliError::Output(error) => unwritten(error, |said| ui.note(said)),
            CliError::Input(error) => {
                ui.note(format!("error: the input cannot be read: {error}"));
                Exit::Failure
            }
        }
    }
}

impl From<Problem> for CliError {
    fn from(problem: Problem) -> CliError {
        let sources = Sources::new();
        let diagnostics = vec![problem.diagnostic(&sources, None)];
        CliError::found(sources, diagnostics)
    }
}

/// Tells that an answer could not be written, and returns how the program ends.
pub(super) fn unwritten(error: &io::Error, tell: impl FnOnce(String)) -> Exit {
    // Who was to answer, or to be told again and again, has gone: that is no failure of ours.
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::Yes;
    }
    tell(format!("error: the answer cannot be written: {error}"));
    Exit::Failure
}

fn about(rules: &Sources, problem: &Problem, name: &str, text: &str) -> Findings {
    let mut sources = rules.clone();
    let file = sources.add(name, text);
    let diagnostics = vec![problem.diagnostic(&sources, Some(file))];
    Findings {
        sources,
        diagnostics,
        answer: false,
    }
}

fn show_findings(ui: &mut Ui<'_>, findings: &Findings) {
    if ui.json {
        let each = findings.diagnostics.iter();
        let findings = each
            .map(|it| DiagnosticJson::new(&findings.sources, it))
            .collect();
        // Where even the error cannot be written, the exit code says it.
        let _ = ui.json_value(&FindingsJson { findings });
    } else {
        ui.note(render::findings(
            &findings.sources,
            &findings.diagnostics,
            ui,
        ));
    }
}

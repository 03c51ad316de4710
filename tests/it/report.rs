//! Findings as people and programs read them.

use adit::diagnostic::{Diagnostic, Severity, codes};
use adit::report::{DiagnosticJson, Look, graphical, plain};
use adit::source::{Sources, Span};

fn example() -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::new();
    let base = sources.add("base.rules", "define f: bool =\n    a = b\n");
    let other = sources.add("variant.rules", "replace f = ♣\n");
    let span = Span::new(base, 23, 24);
    let first = Diagnostic::at(
        codes::ASSIGNMENT_IN_CONDITION,
        span,
        "`=` gives a value and asks nothing",
    )
    .label(Span::new(other, 8, 9), "replaced here")
    .help("write `==` to compare")
    .safe_fix("write `==`", vec![(span, String::from("=="))])
    .cite("book T-3");
    let second =
        Diagnostic::new(codes::TEXT_TOO_LONG, "this text is too long").severity(Severity::Warning);
    let third = Diagnostic::at(
        codes::UNREADABLE,
        Span::new(other, 12, 99),
        "this place is too long",
    );
    (sources, vec![first, second, third])
}

fn snapshot(name: &str, text: &str) {
    crate::fixtures::snapshot("report", name, text);
}

#[test]
fn a_report_is_drawn() {
    let (sources, diagnostics) = example();
    snapshot(
        "graphical",
        &graphical(&sources, &diagnostics, Look::default()),
    );
    let ascii = Look {
        ascii: true,
        ..Look::default()
    };
    snapshot("ascii", &graphical(&sources, &diagnostics, ascii));
}

#[test]
fn a_report_is_written_in_lines() {
    let (sources, diagnostics) = example();
    snapshot("plain", &plain(&sources, &diagnostics));
}

#[test]
fn a_report_is_told_to_programs() {
    let (sources, diagnostics) = example();
    let json: Vec<_> = diagnostics
        .iter()
        .map(|it| DiagnosticJson::new(&sources, it))
        .collect();
    snapshot("json", &serde_json::to_string_pretty(&json).unwrap());
}

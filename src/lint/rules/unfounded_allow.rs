//! Judges the `allow`s, and silences what they rightly allow.

use crate::diagnostic::{Code, Diagnostic, codes};
use crate::lint::index::Clause;
use crate::lint::{Context, Lint, rules};
use crate::source::Span;
use crate::syntax::ast::Allow;

pub(super) const LINT: Lint = Lint {
    code: codes::UNFOUNDED_ALLOW,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut judged = Vec::new();
    // From the inside out: the nearest `allow` silences, one farther out that silences nothing is told.
    for clause in context.index.clauses.iter().rev() {
        for allow in clause.tail.allows.iter().rev() {
            // Only games show some, and an amendment may be the reason why there is nothing to allow in its game.
            let played = context.book.played.is_some();
            let is_sure = move |code: Code| {
                (code != codes::NEVER_LEGAL_ACTION || played) && !is_amended(context, clause)
            };
            judged.extend(judge(clause, allow, &is_sure, found));
        }
    }
    judged.reverse();
    found.append(&mut judged);
}

/// Whether it belongs to a game of which amendments are looked at too.
fn is_amended(context: &Context<'_>, clause: &Clause<'_>) -> bool {
    match context.book.files {
        [base, _, ..] => base.holds(clause.span.file),
        _ => false,
    }
}

/// Removes what the `allow` silences; returns what is wrong with it.
fn judge(
    clause: &Clause<'_>,
    allow: &Allow,
    is_sure: &dyn Fn(Code) -> bool,
    found: &mut Vec<Diagnostic>,
) -> Option<Diagnostic> {
    let Some(code) = lint_named(allow.code.as_str()) else {
        return Some(unknown(allow));
    };
    let n_before = found.len();
    let inside = |it: &Diagnostic| it.span().is_some_and(|span| holds(clause.span, span));
    found.retain(|it| it.code != code || !inside(it));
    if found.len() == n_before && is_sure(code) {
        let message = format!("there is no finding {code} here to allow");
        let finding = Diagnostic::at(codes::UNFOUNDED_ALLOW, allow.span, message);
        let fix = (String::from("remove it"), vec![(allow.span, String::new())]);
        return Some(finding.help("remove the `allow`").fix(fix.0, fix.1));
    }
    if allow.reason.text.trim().is_empty() {
        let message = format!("nothing says why {code} is allowed here");
        let finding = Diagnostic::at(codes::UNFOUNDED_ALLOW, allow.reason.span, message);
        return Some(finding.help("write the reason between the quotes"));
    }
    None
}

fn lint_named(word: &str) -> Option<Code> {
    let code = Code::find(word)?;
    rules::ALL
        .iter()
        .any(|lint| lint.code == code)
        .then_some(code)
}

fn unknown(allow: &Allow) -> Diagnostic {
    let word = allow.code.as_str();
    let (message, help) = match Code::find(word) {
        Some(code) => (
            format!("{code} is an error and cannot be allowed"),
            String::from(
                "only the findings of `adit lint` can be allowed: their codes begin with L",
            ),
        ),
        None => (
            format!("no finding has the code `{word}`"),
            String::from("`adit explain` lists all codes"),
        ),
    };
    Diagnostic::at(codes::UNFOUNDED_ALLOW, allow.code.span, message).help(help)
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

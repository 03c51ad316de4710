use crate::diagnostic::{Diagnostic, codes};
use crate::lint::terms::number;
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{Block, Branch, Expr, Move, Moved, Name, Statement, StatementKind, Times};

pub(super) const LINT: Lint = Lint {
    code: codes::EMPTY_STEP,
    run,
};

/// Steps, cases and loops in which nothing happens. What an edit of these files may fill, or a remark speaks of, is left alone.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for done in &context.index.statements {
        match &done.statement.kind {
            StatementKind::Step { name, body, .. } => {
                let owner = context.index.item(done.item).and_then(|it| it.kind.name());
                let is_edited = owner.is_some_and(|it| context.index.edited.contains(it.as_str()));
                if body.statements.is_empty() && !is_edited {
                    found.push(of_step(name, done.statement.span));
                }
            }
            _ => found.extend(idle(context, done.statement)),
        }
    }
}

fn of_step(name: &Name, span: Span) -> Diagnostic {
    let message = format!("nothing happens in the step `{name}`");
    Diagnostic::at(codes::EMPTY_STEP, span, message)
        .help("say what is done, or remove it; edits can be put before and behind its neighbours")
}

/// Returns what there is to say of a statement after which all is as it was.
fn idle(context: &Context<'_>, statement: &Statement) -> Option<Diagnostic> {
    let is_empty = |it: &Block| it.statements.is_empty() && !context.holds_remark(it.span);
    let (span, message) = match &statement.kind {
        StatementKind::If {
            branches,
            otherwise,
        } => {
            if let Some(otherwise) = otherwise.as_ref().filter(|it| is_empty(it)) {
                (otherwise.span, "nothing happens behind this `else`")
            } else {
                // Of several cases one may be there so that none of the others is taken.
                let Branch { body, condition } = branches.last()?;
                let is_last = otherwise.is_none() && is_empty(body);
                (
                    is_last.then_some(condition.span.to(body.span))?,
                    "nothing happens in this `if`",
                )
            }
        }
        StatementKind::ForEach { body, .. } | StatementKind::Repeat { body, .. }
            if is_empty(body) =>
        {
            (statement.span, "nothing happens in this loop")
        }
        StatementKind::Repeat {
            times: Times::Count(times),
            ..
        } => match number(times) {
            Some(0) => (statement.span, "this is never done"),
            Some(1) => (statement.span, "this is done once, as without `repeat`"),
            _ => return None,
        },
        StatementKind::Move(it) => (statement.span, idle_move(it)?),
        StatementKind::Draw { amount, .. } => {
            let is_none = amount.as_ref().and_then(number) == Some(0);
            (is_none.then_some(statement.span)?, "nothing is drawn here")
        }
        _ => return None,
    };
    Some(Diagnostic::at(codes::EMPTY_STEP, span, message).help("say what is done, or leave it out"))
}

fn idle_move(it: &Move) -> Option<&'static str> {
    let none = |amount: &Option<Expr>| amount.as_ref().and_then(number) == Some(0);
    let stays = |from: &Expr| from.kind == it.to.kind && it.with.is_empty();
    match &it.what {
        Moved::Top { amount, .. } | Moved::Copies { amount, .. } if none(amount) => {
            Some("nothing is moved here")
        }
        // From the top of a pile to its bottom is another matter, and so is what is moved one by one.
        Moved::Place(from) | Moved::All(from) if stays(from) => Some("this stays where it lies"),
        _ => None,
    }
}

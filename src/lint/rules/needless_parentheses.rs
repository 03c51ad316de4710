use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Stands;
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::{EXPECTED, is_verb};

pub(super) const LINT: Lint = Lint {
    code: codes::NEEDLESS_PARENTHESES,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for seen in &context.index.exprs {
        let expr = seen.expr;
        let needless = expr.parenthesised
            && match seen.stands {
                // Around `if … then … else …` they help where other values follow.
                Stands::Alone => !matches!(expr.kind, ExprKind::If { .. }),
                Stands::Loose | Stands::Tight => is_one_word(expr),
                Stands::Kept => false,
            };
        if !needless {
            continue;
        }
        let (Some(open), Some(close)) = brackets(context, expr.span) else {
            continue;
        };
        let (before, behind) = context.beside(expr.span);
        let gap = |beside: Option<char>| {
            let is_letter = beside.is_some_and(|it| it.is_alphanumeric() || it == '_');
            String::from(if is_letter { " " } else { "" })
        };
        let message = "these parentheses change nothing";
        found.push(
            Diagnostic::at(codes::NEEDLESS_PARENTHESES, expr.span, message)
                .help("remove them")
                .safe_fix(
                    "remove them",
                    vec![(open, gap(before)), (close, gap(behind))],
                ),
        );
    }
}

/// Returns whether a word begins something else where a value may begin: `return next`, `expect ended`.
fn begins_another(word: &str) -> bool {
    is_verb(word) || EXPECTED.contains(&word)
}

/// Returns whether an expression is read as one thing wherever it stands.
fn is_one_word(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_)
        | ExprKind::Bool(_)
        | ExprKind::None
        | ExprKind::Set(_)
        | ExprKind::Comprehension(_) => true,
        ExprKind::Name(name) => !begins_another(name.as_str()),
        ExprKind::Call(call) => !begins_another(call.name.as_str()),
        ExprKind::Index { base, .. } | ExprKind::Field { base, .. } => is_one_word(base),
        _ => false,
    }
}

/// Returns the two parentheses with the blanks inside them.
fn brackets(context: &Context<'_>, span: Span) -> (Option<Span>, Option<Span>) {
    let text = context.text(span);
    let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let Some(inside) = inside else {
        return (None, None);
    };
    let is_blank = [' ', '\t', '\r', '\n'];
    let n_before = inside.len() - inside.trim_start_matches(is_blank).len();
    let n_behind = inside.len() - inside.trim_end_matches(is_blank).len();
    let (start, end) = (span.start as usize, span.end as usize);
    (
        Some(Span::new(span.file, start, start + 1 + n_before)),
        Some(Span::new(span.file, end - 1 - n_behind, end)),
    )
}

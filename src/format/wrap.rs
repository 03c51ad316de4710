//! Expressions that do not fit on one line.

use super::flat::{self, is_joined_by, joined};
use super::{INDENT, Printer, WIDTH};
use crate::syntax::ast::{BinaryOp, Block, Expr, ExprKind};

impl Printer<'_> {
    /// Writes an expression behind what stands on this line, on several lines if it has to.
    pub(super) fn expr(&mut self, it: &Expr) {
        let text = wrapped(it, self.column(), self.indent * INDENT);
        self.out.push_str(&text);
    }
}

/// Returns an expression whose first line begins at `column` and whose others are indented.
fn wrapped(it: &Expr, column: usize, indent: usize) -> String {
    let flat = flat::written(it);
    if column + flat.chars().count() <= WIDTH {
        return flat;
    }
    let broken = broken(it, column + usize::from(it.parenthesised), indent);
    if it.parenthesised {
        format!("({broken})")
    } else {
        broken
    }
}

fn broken(it: &Expr, column: usize, indent: usize) -> String {
    let deeper = indent + INDENT;
    let line = newline(deeper);
    if let (ExprKind::Binary { .. }, Some(body)) = (&it.kind, looked_at(it)) {
        // What follows from it stays together.
        let head = format!("after {}", flat::written(body));
        let whole = flat::written(&it.kind);
        if let Some(rest) = whole.strip_prefix(head.as_str()) {
            return format!("{head}{line}{}", rest.trim_start());
        }
    }
    match &it.kind {
        ExprKind::Binary { op, .. } => {
            let ops = same_line_of(*op);
            let mut pieces = Vec::new();
            split(it, ops, &mut pieces);
            let mut out = String::new();
            for (at, (word, piece)) in pieces.into_iter().enumerate() {
                if at == 0 {
                    out.push_str(&wrapped(piece, column, deeper));
                } else {
                    let word = format!("{line}{word} ");
                    let column = deeper + word.trim_start().len() + 1;
                    out.push_str(&word);
                    out.push_str(&wrapped(piece, column, deeper));
                }
            }
            out
        }
        ExprKind::Unary { op, operand, .. } => {
            let word = format!("{} ", op.word());
            format!("{word}{}", wrapped(operand, column + word.len(), indent))
        }
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => {
            let head = format!(
                "if {} then {}",
                flat::written(condition),
                wrapped(then, deeper + INDENT, deeper)
            );
            format!(
                "{head}{line}else {}",
                wrapped(otherwise, deeper + 5, indent)
            )
        }
        ExprKind::By { subject, arms } => {
            let longest = arms
                .iter()
                .map(|arm| flat::written(&arm.head).chars().count())
                .max()
                .unwrap_or(0);
            let arms = joined(arms, "", |arm| {
                let head = format!("{:longest$} => ", flat::written(&arm.head));
                format!(
                    "{line}{head}{}",
                    wrapped(&arm.body, deeper + head.chars().count(), deeper)
                )
            });
            format!(
                "by {} {{{arms}{}}}",
                flat::written(subject),
                newline(indent)
            )
        }
        ExprKind::Comprehension(it) => {
            let mut lines = Vec::new();
            if let Some(map) = &it.map {
                lines.push(wrapped(map, column + 2, deeper));
            }
            for (at, binder) in it.binders.iter().enumerate() {
                let word = if at == 0 && it.map.is_some() {
                    "for "
                } else {
                    ""
                };
                let comma = if at + 1 < it.binders.len() { "," } else { "" };
                let head = format!("{word}{} in {}", binder.name, flat::written(&binder.set));
                let condition = binder.condition.as_ref();
                let whole = format!("{head}{}{comma}", flat::opt(" where ", condition));
                if let (true, Some(condition)) = (deeper + whole.chars().count() > WIDTH, condition)
                {
                    let condition = wrapped(condition, deeper + INDENT + 6, deeper + INDENT);
                    lines.push(format!(
                        "{head}{}where {condition}{comma}",
                        newline(deeper + INDENT)
                    ));
                } else {
                    lines.push(whole);
                }
            }
            if let Some(by) = &it.by {
                lines.push(format!("by {}", wrapped(by, deeper + 3, deeper)));
            }
            format!("{{ {} }}", lines.join(&line))
        }
        ExprKind::Default { value, fallback } => {
            format!(
                "{} default {}",
                wrapped(value, column, indent),
                flat::written(fallback)
            )
        }
        ExprKind::After { body, value } => {
            format!(
                "after {}{line}{}",
                flat::written(body),
                wrapped(value, deeper, deeper)
            )
        }
        ExprKind::Reach { start, var, next } => {
            format!(
                "reach {}{line}via {var} -> {}",
                flat::written(start),
                wrapped(next, deeper + 10, deeper)
            )
        }
        ExprKind::Groups { domain, var, next } => {
            format!(
                "groups {}{line}via {var} -> {}",
                flat::written(domain),
                wrapped(next, deeper + 10, deeper)
            )
        }
        _ => flat::written(&it.kind),
    }
}

/// What is played before an expression that begins with `after` is looked at.
pub(super) fn looked_at(it: &Expr) -> Option<&Block> {
    match &it.kind {
        ExprKind::After { body, .. } => Some(body),
        ExprKind::Binary { left, .. } if !left.parenthesised => looked_at(left),
        _ => None,
    }
}

/// Takes a chain of operators of one kind apart, from left to right.
fn split<'e>(it: &'e Expr, ops: &[BinaryOp], pieces: &mut Vec<(&'static str, &'e Expr)>) {
    match &it.kind {
        ExprKind::Binary {
            op, left, right, ..
        } => {
            if is_joined_by(left, ops) {
                split(left, ops, pieces);
            } else {
                pieces.push(("", left));
            }
            pieces.push((op.word(), right));
        }
        _ => pieces.push(("", it)),
    }
}

/// Returns the operators that stand on lines of their own together with this one.
fn same_line_of(op: BinaryOp) -> &'static [BinaryOp] {
    match op {
        BinaryOp::Or => &[BinaryOp::Or],
        BinaryOp::And => &[BinaryOp::And],
        BinaryOp::Plus | BinaryOp::Minus => &[BinaryOp::Plus, BinaryOp::Minus],
        BinaryOp::Times | BinaryOp::Divided | BinaryOp::Mod => {
            &[BinaryOp::Times, BinaryOp::Divided, BinaryOp::Mod]
        }
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessOrEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterOrEqual
        | BinaryOp::In
        | BinaryOp::NotIn => &[],
    }
}

fn newline(indent: usize) -> String {
    format!("\n{}", " ".repeat(indent))
}

//! Sorts flat lists of operands and operators by how tightly the operators bind.

use std::collections::VecDeque;

use super::expressions::new;
use super::{Lower, Lowered, Pair};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, DEFAULT_TIGHTNESS, Expr, ExprKind, RANGE_TIGHTNESS, UnaryOp};
use crate::syntax::parse::Rule;

/// `least A - B` in a ranking is the least of the whole figure.
pub(super) fn of_whole_figure(mut figure: Expr) -> Expr {
    let leading = match &mut figure.kind {
        ExprKind::Binary { left, .. } => take_leading(left),
        _ => None,
    };
    let Some((op, op_span)) = leading else {
        return figure;
    };
    let span = op_span.to(figure.span);
    let kind = ExprKind::Unary {
        op,
        op_span,
        operand: Box::new(figure),
    };
    new(kind, span)
}

/// Takes away a `most` or `least` that begins a figure and asks no set.
fn take_leading(figure: &mut Expr) -> Option<(UnaryOp, Span)> {
    match &mut figure.kind {
        ExprKind::Binary { left, .. } => take_leading(left),
        ExprKind::Unary {
            op: op @ (UnaryOp::Most | UnaryOp::Least),
            op_span,
            operand,
        } if !matches!(operand.kind, ExprKind::Set(_) | ExprKind::Comprehension(_)) => {
            let found = (*op, *op_span);
            let bare = std::mem::replace(&mut **operand, new(ExprKind::None, figure.span));
            *figure = bare;
            Some(found)
        }
        _ => None,
    }
}

impl Lower<'_> {
    /// Reads an operand with its prefixes that stands alone.
    pub(super) fn lone_operand(&mut self, pair: Pair<'_>) -> Lowered<Expr> {
        let span = self.span(&pair);
        let n_levels = pair.clone().into_inner().count().saturating_sub(1);
        self.deeper(n_levels, span, |lower| {
            let mut tokens = VecDeque::new();
            lower.operand_tokens(pair, &mut tokens)?;
            lower.climb(&mut tokens, 0, span)
        })
    }

    pub(super) fn flat(&mut self, pair: Pair<'_>) -> Lowered<Expr> {
        let span = self.span(&pair);
        // The tree may get as deep as there are operators in one list.
        let n_levels = pair.clone().into_inner().map(|part| match part.as_rule() {
            Rule::operand => part.into_inner().count().saturating_sub(1),
            _ => 1,
        });
        let n_levels = n_levels.sum();
        self.deeper(n_levels, span, |lower| {
            let mut tokens = VecDeque::new();
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::operand => lower.operand_tokens(part, &mut tokens)?,
                    _ => {
                        let infix = lower.infix(&part);
                        tokens.push_back(infix);
                    }
                }
            }
            lower.climb(&mut tokens, 0, span)
        })
    }

    fn operand_tokens(&mut self, pair: Pair<'_>, tokens: &mut VecDeque<Token>) -> Lowered<()> {
        for part in self.open(pair).queue {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::postfix => tokens.push_back(Token::Operand(self.postfix(part)?)),
                _ if part.as_str() == "!" => {
                    self.foreign(span, "!", "not ");
                    tokens.push_back(Token::Prefix(
                        UnaryOp::Not,
                        UnaryOp::Minus.tightness(),
                        span,
                    ));
                }
                _ => {
                    let op = UnaryOp::ALL
                        .into_iter()
                        .find(|op| op.word() == part.as_str());
                    let op = self.some(op, span)?;
                    tokens.push_back(Token::Prefix(op, op.tightness(), span));
                }
            }
        }
        Ok(())
    }

    fn infix(&mut self, pair: &Pair<'_>) -> Token {
        let span = self.span(pair);
        let text = pair.as_str();
        let first = text.split_whitespace().next().unwrap_or("");
        let meant = match text {
            "=" => {
                let finding = Diagnostic::at(
                    codes::ASSIGNMENT_IN_CONDITION,
                    span,
                    "`=` gives a value and asks nothing",
                );
                let finding = finding.help("write `==` to compare");
                self.tell(finding.fix("write `==`", vec![(span, String::from("=="))]));
                BinaryOp::Equal
            }
            "≤" => BinaryOp::LessOrEqual,
            "≥" => BinaryOp::GreaterOrEqual,
            "<>" | "≠" => BinaryOp::NotEqual,
            "&&" => BinaryOp::And,
            "||" => BinaryOp::Or,
            ".." => return Token::Infix(Infix::Range, span),
            "default" => return Token::Infix(Infix::Default, span),
            _ if first == "is" && text.len() > first.len() => BinaryOp::NotEqual,
            _ if first == "is" => BinaryOp::Equal,
            _ if first == "not" => BinaryOp::NotIn,
            _ => BinaryOp::ALL
                .into_iter()
                .find(|op| op.word() == text)
                .unwrap_or(BinaryOp::Equal),
        };
        if first != "not" && text != "=" && meant.word() != text {
            self.foreign(span, text, meant.word());
        }
        Token::Infix(Infix::Binary(meant), span)
    }

    /// Takes from the tokens the longest expression whose operators all bind at least so tightly.
    fn climb(&mut self, tokens: &mut VecDeque<Token>, least: u8, span: Span) -> Lowered<Expr> {
        let mut left = match tokens.pop_front() {
            Some(Token::Operand(expr)) => expr,
            Some(Token::Prefix(op, tightness, op_span)) => {
                let operand = Box::new(self.climb(tokens, tightness, span)?);
                let span = op_span.to(operand.span);
                new(
                    ExprKind::Unary {
                        op,
                        op_span,
                        operand,
                    },
                    span,
                )
            }
            _ => return self.disagree(span),
        };
        while let Some(&Token::Infix(infix, op_span)) = tokens.front() {
            let (before, behind) = infix.tightness();
            if before < least {
                break;
            }
            tokens.pop_front();
            let right = self.climb(tokens, behind, span)?;
            left = self.joined(left, infix, op_span, right);
        }
        Ok(left)
    }

    fn joined(&mut self, left: Expr, infix: Infix, op_span: Span, right: Expr) -> Expr {
        let span = left.span.to(right.span);
        let kind = match infix {
            Infix::Range => ExprKind::Range {
                from: Box::new(left),
                to: Box::new(right),
            },
            Infix::Default => ExprKind::Default {
                value: Box::new(left),
                fallback: Box::new(right),
            },
            Infix::Binary(op) => {
                if is_comparison(op) {
                    self.check_chain(&left, op, op_span);
                }
                ExprKind::Binary {
                    op,
                    op_span,
                    left: Box::new(left),
                    right: Box::new(right),
                }
            }
        };
        new(kind, span)
    }

    fn check_chain(&mut self, left: &Expr, op: BinaryOp, op_span: Span) {
        let ExprKind::Binary {
            op: first,
            right: middle,
            ..
        } = &left.kind
        else {
            return;
        };
        if left.parenthesised || !is_comparison(*first) {
            return;
        }
        let mut finding = Diagnostic::at(
            codes::CHAINED_COMPARISON,
            op_span,
            format!("`{}` compares the outcome of another comparison", op.word()),
        )
        .label(left.span, "this is true or false");
        finding = match &middle.kind {
            ExprKind::Name(name) => {
                let edit = format!(" and {name}");
                finding
                    .help(format!("write `… and {name} {} …`", op.word()))
                    .fix("compare twice", vec![(left.span.end_point(), edit)])
            }
            _ => finding.help(
                "write two comparisons with `and` between them, or parentheses around the first",
            ),
        };
        self.tell(finding);
    }
}

/// A piece of a flat list.
enum Token {
    Operand(Expr),
    Prefix(UnaryOp, u8, Span),
    Infix(Infix, Span),
}

#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    Range,
    Default,
}

impl Infix {
    /// Returns how tightly it binds what stands before and behind it.
    fn tightness(self) -> (u8, u8) {
        match self {
            Infix::Binary(op) => op.tightness(),
            Infix::Range => RANGE_TIGHTNESS,
            Infix::Default => DEFAULT_TIGHTNESS,
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    op.tightness() == BinaryOp::Equal.tightness()
}

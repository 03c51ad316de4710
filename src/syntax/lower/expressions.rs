//! Values. The grammar reads operands and operators as a flat list; here they are sorted by how
//! tightly the operators bind.

use std::collections::VecDeque;

use super::{Lower, Lowered, Pair, Parts};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{
    Arg, Arm, ArmHead, BinaryOp, Binder, Call, Comprehension, DEFAULT_TIGHTNESS, Expr, ExprKind,
    RANGE_TIGHTNESS, UnaryOp,
};
use crate::syntax::parse::Rule;

impl Lower<'_> {
    pub(super) fn expr_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let pair = self.need(parts, Rule::expr)?;
        self.flat(pair)
    }

    pub(super) fn opt_expr_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Expr>> {
        parts
            .opt(Rule::expr)
            .map(|pair| self.flat(pair))
            .transpose()
    }

    pub(super) fn exprs_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Expr>> {
        parts
            .all(Rule::expr)
            .into_iter()
            .map(|pair| self.flat(pair))
            .collect()
    }

    pub(super) fn opt_sum_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Expr>> {
        parts.opt(Rule::sum).map(|pair| self.flat(pair)).transpose()
    }

    pub(super) fn operand_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let pair = self.need(parts, Rule::operand)?;
        self.lone_operand(pair)
    }

    pub(super) fn postfix_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let pair = self.need(parts, Rule::postfix)?;
        self.postfix(pair)
    }

    /// Reads the one expression in a part of this rule.
    pub(super) fn wrapped(&mut self, parts: &mut Parts<'_>, rule: Rule) -> Lowered<Expr> {
        let value = self.opt_wrapped(parts, rule)?;
        self.some(value, parts.span)
    }

    pub(super) fn opt_wrapped(
        &mut self,
        parts: &mut Parts<'_>,
        rule: Rule,
    ) -> Lowered<Option<Expr>> {
        let Some(pair) = parts.opt(rule) else {
            return Ok(None);
        };
        let mut inner = self.open(pair);
        match inner.opt(Rule::postfix) {
            Some(pair) => self.postfix(pair).map(Some),
            None => self.expr_in(&mut inner).map(Some),
        }
    }

    pub(super) fn opt_template_behind(
        &mut self,
        parts: &mut Parts<'_>,
        rule: Rule,
    ) -> Lowered<Option<crate::syntax::ast::Template>> {
        match parts.opt(rule) {
            Some(pair) => {
                let mut inner = self.open(pair);
                self.template_in(&mut inner).map(Some)
            }
            None => Ok(None),
        }
    }

    pub(in crate::syntax) fn lone_expression(&mut self, pair: Pair<'_>) -> Lowered<Expr> {
        let mut parts = self.open(pair);
        self.expr_in(&mut parts)
    }

    /// Reads an operand with its prefixes that stands alone.
    pub(super) fn lone_operand(&mut self, pair: Pair<'_>) -> Lowered<Expr> {
        let span = self.span(&pair);
        let n_levels = pair.clone().into_inner().count();
        self.deeper(n_levels, span, |lower| {
            let mut tokens = VecDeque::new();
            lower.operand_tokens(pair, &mut tokens)?;
            lower.climb(&mut tokens, 0, span)
        })
    }

    /// Reads the `no` that answers a question.
    pub(super) fn answer_no(&self, pair: &Pair<'_>) -> Expr {
        new(ExprKind::Name(self.name(pair)), self.span(pair))
    }

    // ---------- operators

    fn flat(&mut self, pair: Pair<'_>) -> Lowered<Expr> {
        let span = self.span(&pair);
        // The tree may get as deep as there are operators in one list.
        let n_levels = pair.clone().into_inner().map(|part| match part.as_rule() {
            Rule::operand => part.into_inner().count().saturating_sub(1),
            _ => 1,
        });
        let n_levels = n_levels.sum::<usize>().max(1);
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

    // ---------- operands

    pub(super) fn postfix(&mut self, pair: Pair<'_>) -> Lowered<Expr> {
        let span = self.span(&pair);
        let n_levels = pair.clone().into_inner().count().saturating_sub(2);
        self.deeper(n_levels, span, |lower| {
            let mut parts = lower.open(pair);
            let primary = lower.some(parts.any(), span)?;
            let mut expr = lower.primary(primary)?;
            while let Some(part) = parts.any() {
                let rule = part.as_rule();
                let mut inner = lower.open(part);
                let span = expr.span.to(inner.span);
                let base = Box::new(expr);
                let kind = match rule {
                    Rule::index => ExprKind::Index {
                        base,
                        indices: lower.exprs_in(&mut inner)?,
                    },
                    _ => {
                        let word = lower.need(&mut inner, Rule::word)?;
                        ExprKind::Field {
                            base,
                            field: lower.name(&word),
                        }
                    }
                };
                expr = new(kind, span);
            }
            Ok(expr)
        })
    }

    fn primary(&mut self, pair: Pair<'_>) -> Lowered<Expr> {
        let rule = pair.as_rule();
        let span = self.span(&pair);
        let kind = match rule {
            Rule::number => ExprKind::Number(self.number(&pair).value),
            Rule::truth => ExprKind::Bool(pair.as_str() == "true"),
            Rule::none => ExprKind::None,
            Rule::string => ExprKind::Text(self.template(pair)?),
            _ => {
                let mut parts = self.open(pair);
                return self.compound(rule, &mut parts);
            }
        };
        Ok(new(kind, span))
    }

    fn compound(&mut self, rule: Rule, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let span = parts.span;
        let kind = match rule {
            Rule::named => {
                let name = self.name_in(parts)?;
                if parts.peek() == Some(Rule::args) {
                    let args = self.args(parts)?;
                    ExprKind::Call(Call { name, args })
                } else {
                    ExprKind::Name(name)
                }
            }
            Rule::parens => {
                let mut members = self.exprs_in(parts)?;
                match members.pop() {
                    Some(single) if members.is_empty() => {
                        return Ok(Expr {
                            parenthesised: true,
                            span,
                            ..single
                        });
                    }
                    last => ExprKind::Tuple(members.into_iter().chain(last).collect()),
                }
            }
            Rule::braces => self.braces(parts)?,
            Rule::if_expr => return self.if_expression(parts, span),
            Rule::by_expr => {
                let subject = Box::new(self.postfix_in(parts)?);
                let mut arms = Vec::new();
                for pair in parts.all(Rule::arm) {
                    let mut arm = self.open(pair);
                    arms.push(Arm {
                        head: self.arm_head(&mut arm)?,
                        body: self.expr_in(&mut arm)?,
                        span: arm.span,
                    });
                }
                ExprKind::By { subject, arms }
            }
            Rule::after => ExprKind::After {
                body: self.block_in(parts)?,
                value: Box::new(self.operand_in(parts)?),
            },
            Rule::can => {
                let who = Box::new(self.expr_in(parts)?);
                let alternatives = self.need(parts, Rule::alternatives)?;
                ExprKind::Can {
                    who,
                    alternatives: self.alternatives(alternatives)?,
                }
            }
            Rule::reach => ExprKind::Reach {
                start: Box::new(self.operand_in(parts)?),
                var: self.name_in(parts)?,
                next: Box::new(self.operand_in(parts)?),
            },
            Rule::groups => ExprKind::Groups {
                domain: Box::new(self.operand_in(parts)?),
                var: self.name_in(parts)?,
                next: Box::new(self.operand_in(parts)?),
            },
            Rule::walk => ExprKind::Walk {
                direction: Box::new(self.operand_in(parts)?),
                from: Box::new(self.operand_in(parts)?),
                var: self.name_in(parts)?,
                condition: Box::new(self.expr_in(parts)?),
            },
            _ => return self.disagree(span),
        };
        self.done(parts)?;
        Ok(new(kind, span))
    }

    fn braces(&mut self, parts: &mut Parts<'_>) -> Lowered<ExprKind> {
        let first = self.opt_expr_in(parts)?;
        let Some(binders) = parts.opt(Rule::binders) else {
            let mut members = Vec::from_iter(first);
            if let Some(pair) = parts.opt(Rule::listed) {
                let mut listed = self.open(pair);
                members.extend(self.exprs_in(&mut listed)?);
            }
            return Ok(ExprKind::Set(members));
        };
        let mut inner = self.open(binders);
        let mut binders = Vec::new();
        for pair in inner.all(Rule::binder) {
            let mut parts = self.open(pair);
            binders.push(Binder {
                name: self.name_in(&mut parts)?,
                set: self.expr_in(&mut parts)?,
                condition: self.opt_wrapped(&mut parts, Rule::where_)?,
                span: parts.span,
            });
        }
        let by = self.opt_wrapped(&mut inner, Rule::key)?;
        Ok(ExprKind::Comprehension(Comprehension {
            map: first.map(Box::new),
            binders,
            by: by.map(Box::new),
        }))
    }

    fn if_expression(&mut self, parts: &mut Parts<'_>, span: Span) -> Lowered<Expr> {
        // Each `else if` is one level deeper in the tree.
        let n_levels = parts
            .queue
            .iter()
            .filter(|part| part.as_rule() == Rule::else_if)
            .count();
        self.deeper(n_levels, span, |lower| {
            let mut branches = Vec::new();
            loop {
                let condition = lower.expr_in(parts)?;
                branches.push((condition, lower.expr_in(parts)?));
                match parts.opt(Rule::else_if) {
                    Some(pair) => lower.else_if(&pair),
                    None => break,
                }
            }
            let mut otherwise = lower.expr_in(parts)?;
            for (condition, then) in branches.into_iter().rev() {
                let span = condition.span.to(otherwise.span);
                let kind = ExprKind::If {
                    condition: Box::new(condition),
                    then: Box::new(then),
                    otherwise: Box::new(otherwise),
                };
                otherwise = new(kind, span);
            }
            otherwise.span = span;
            Ok(otherwise)
        })
    }

    pub(super) fn args(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Arg>> {
        let Some(pair) = parts.opt(Rule::args) else {
            return Ok(Vec::new());
        };
        let mut args = Vec::new();
        for pair in self.open(pair).all(Rule::arg) {
            let mut parts = self.open(pair);
            let name = parts.opt(Rule::ident);
            args.push(Arg {
                name: name.map(|pair| self.name(&pair)),
                value: self.expr_in(&mut parts)?,
            });
        }
        Ok(args)
    }

    pub(super) fn arm_head(&mut self, parts: &mut Parts<'_>) -> Lowered<ArmHead> {
        let mut heads = self.open_in(parts, Rule::heads)?;
        let names: Vec<_> = heads
            .all(Rule::head)
            .iter()
            .map(|pair| self.name(pair))
            .collect();
        Ok(if names.is_empty() {
            ArmHead::Else
        } else {
            ArmHead::Names(names)
        })
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

fn new(kind: ExprKind, span: Span) -> Expr {
    Expr {
        kind,
        parenthesised: false,
        span,
    }
}

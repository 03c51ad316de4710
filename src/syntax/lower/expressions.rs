//! Values. The grammar reads operands and operators as a flat list; here they are sorted by how
//! tightly the operators bind.

use super::{Lower, Lowered, Pair, Parts};
use crate::source::Span;
use crate::syntax::ast::{
    Arg, Arm, ArmHead, Binder, Call, Comprehension, Expr, ExprKind, NumberHead, Until,
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

    /// Reads what is drawn, in a line or in rows.
    pub(super) fn drawn_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let drawn = match parts.opt(Rule::drawing) {
            Some(pair) => Some(pair),
            None => parts.opt(Rule::string),
        };
        let drawn = self.some(drawn, parts.span)?;
        self.primary(drawn)
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
        let value = match inner.opt(Rule::postfix) {
            Some(pair) => self.postfix(pair)?,
            None => self.expr_in(&mut inner)?,
        };
        if rule == Rule::where_ && matches!(value.kind, ExprKind::Bool(true)) {
            let word = Span {
                end: inner.span.start + 5,
                ..inner.span
            };
            let edits = vec![(word, String::new()), (value.span, String::new())];
            self.older(inner.span, "`where true`", edits, "leave it out");
        }
        Ok(Some(value))
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

    /// Reads the `no` that answers a question.
    pub(super) fn answer_no(&self, pair: &Pair<'_>) -> Expr {
        new(ExprKind::Name(self.name(pair)), self.span(pair))
    }

    // ---------- operands

    pub(super) fn postfix(&mut self, pair: Pair<'_>) -> Lowered<Expr> {
        let span = self.span(&pair);
        let n_levels = pair.clone().into_inner().count().saturating_sub(1);
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
            Rule::drawing => ExprKind::Drawn(self.drawing(&pair)),
            _ => {
                let mut parts = self.open(pair);
                // Parentheses are not in the tree.
                let n_levels = usize::from(rule != Rule::parens);
                return self.deeper(n_levels, span, |lower| lower.compound(rule, &mut parts));
            }
        };
        Ok(new(kind, span))
    }

    /// Dispatches only: in a build without optimisation each arm of a `match` has room of its own on the
    /// stack, and expressions nest.
    fn compound(&mut self, rule: Rule, parts: &mut Parts<'_>) -> Lowered<Expr> {
        match rule {
            Rule::named => self.named(parts),
            Rule::parens => self.parens(parts),
            Rule::braces => self.braces(parts),
            Rule::if_expr => self.if_expression(parts, parts.span),
            Rule::by_expr => self.by_expression(parts),
            Rule::after => self.after(parts),
            Rule::can => self.can(parts),
            Rule::walk => self.walk(parts),
            _ => self.closure(rule, parts),
        }
    }

    fn named(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let name = self.name_in(parts)?;
        if parts.peek() != Some(Rule::args) {
            return Ok(new(ExprKind::Name(name), parts.span));
        }
        let args = self.args(parts)?;
        Ok(new(ExprKind::Call(Call { name, args }), parts.span))
    }

    fn parens(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let span = parts.span;
        let mut members = self.exprs_in(parts)?;
        match members.pop() {
            Some(single) if members.is_empty() => Ok(Expr {
                parenthesised: true,
                span,
                ..single
            }),
            last => {
                let members = members.into_iter().chain(last).collect();
                Ok(new(ExprKind::Tuple(members), span))
            }
        }
    }

    fn by_expression(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let subject = Box::new(self.postfix_in(parts)?);
        let arms = parts.all(Rule::arm);
        let arms = self.deeper(n_asked(&arms), parts.span, |lower| {
            let arms = arms.into_iter().map(|pair| lower.arm(pair));
            arms.collect::<Lowered<Vec<_>>>()
        })?;
        Ok(new(ExprKind::By { subject, arms }, parts.span))
    }

    pub(super) fn arm(&mut self, pair: Pair<'_>) -> Lowered<Arm<Expr>> {
        let mut arm = self.open(pair);
        Ok(Arm {
            head: self.arm_head(&mut arm)?,
            body: self.expr_in(&mut arm)?,
            span: arm.span,
        })
    }

    fn after(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let body = self.block_in(parts)?;
        let value = Box::new(self.operand_in(parts)?);
        Ok(new(ExprKind::After { body, value }, parts.span))
    }

    fn can(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let who = Box::new(self.expr_in(parts)?);
        let alternatives = self.need(parts, Rule::alternatives)?;
        let alternatives = self.alternatives(alternatives)?;
        Ok(new(ExprKind::Can { who, alternatives }, parts.span))
    }

    fn walk(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let kind = ExprKind::Walk {
            direction: Box::new(self.operand_in(parts)?),
            from: Box::new(self.operand_in(parts)?),
            until: parts.flag(Rule::up_to).then_some(Until::UpTo),
            var: self.name_in(parts)?,
            condition: Box::new(self.expr_in(parts)?),
        };
        Ok(new(kind, parts.span))
    }

    fn closure(&mut self, rule: Rule, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let start = Box::new(self.operand_in(parts)?);
        let var = self.name_in(parts)?;
        let next = Box::new(self.operand_in(parts)?);
        let kind = match rule {
            Rule::reach => ExprKind::Reach { start, var, next },
            Rule::groups => ExprKind::Groups {
                domain: start,
                var,
                next,
            },
            _ => return self.disagree(parts.span),
        };
        Ok(new(kind, parts.span))
    }

    fn braces(&mut self, parts: &mut Parts<'_>) -> Lowered<Expr> {
        let first = self.opt_expr_in(parts)?;
        let Some(binders) = parts.opt(Rule::binders) else {
            let mut members = Vec::from_iter(first);
            if let Some(pair) = parts.opt(Rule::listed) {
                let mut listed = self.open(pair);
                members.extend(self.exprs_in(&mut listed)?);
            }
            return Ok(new(ExprKind::Set(members), parts.span));
        };
        let mut inner = self.open(binders);
        let mut binders = Vec::new();
        for pair in inner.all(Rule::binder) {
            binders.push(self.binder(pair)?);
        }
        let by = self.opt_wrapped(&mut inner, Rule::key)?;
        let kind = ExprKind::Comprehension(Comprehension {
            map: first.map(Box::new),
            binders,
            by: by.map(Box::new),
        });
        Ok(new(kind, parts.span))
    }

    pub(super) fn binder(&mut self, pair: Pair<'_>) -> Lowered<Binder> {
        let mut parts = self.open(pair);
        Ok(Binder {
            name: self.name_in(&mut parts)?,
            set: self.expr_in(&mut parts)?,
            condition: self.opt_wrapped(&mut parts, Rule::where_)?,
            span: parts.span,
        })
    }

    fn if_expression(&mut self, parts: &mut Parts<'_>, span: Span) -> Lowered<Expr> {
        // Each `else if` is one level deeper in the tree.
        let n_levels = parts.n_else_ifs();
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
        let mut numbers = Vec::new();
        for pair in heads.all(Rule::number_head) {
            let mut head = self.open(pair);
            let least = self.number_in(&mut head)?;
            let most = head.opt(Rule::number).map(|it| self.number(&it));
            numbers.push(NumberHead { least, most });
        }
        if !numbers.is_empty() {
            return Ok(ArmHead::Numbers(numbers));
        }
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

/// How many levels the cases of a `by` over numbers make in the checked tree: one for each that is asked for.
pub(super) fn n_asked(arms: &[Pair<'_>]) -> usize {
    let heads = arms.iter().filter_map(|it| it.as_str().split("=>").next());
    let asked = heads.filter(|it| it.starts_with(|it: char| it.is_ascii_digit()));
    asked.map(|it| it.split(',').count()).sum()
}

pub(super) fn new(kind: ExprKind, span: Span) -> Expr {
    Expr {
        kind,
        parenthesised: false,
        span,
    }
}

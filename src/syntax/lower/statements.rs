//! What is done.

use super::expressions::n_asked;
use super::operators::of_whole_figure;
use super::{Lower, Lowered, Pair, Parts};
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::syntax::ast::{
    Alternative, Among, Arm, AssignOp, Audience, Binder, Block, Branch, Call, Choose, Chooser,
    Each, Expr, ExprKind, Slot, Statement, StatementKind, Times,
};
use crate::syntax::parse::Rule;
use crate::syntax::vocabulary::{shape, verbs};

impl Lower<'_> {
    pub(super) fn block_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Block> {
        let pair = self.need(parts, Rule::block)?;
        self.block(pair)
    }

    pub(super) fn opt_block_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Block>> {
        parts
            .opt(Rule::block)
            .map(|pair| self.block(pair))
            .transpose()
    }

    pub(super) fn block(&mut self, pair: Pair<'_>) -> Lowered<Block> {
        let span = self.span(&pair);
        self.deeper(1, span, |lower| {
            let mut statements: Vec<Statement> = Vec::new();
            for pair in lower.open(pair).all(Rule::statement) {
                let statement = lower.statement(pair)?;
                if let Some(StatementKind::Return(_)) = statements.last().map(|it| &it.kind) {
                    let finding = Diagnostic::at(
                        codes::AFTER_RETURN,
                        statement.span,
                        "nothing behind `return` is ever done",
                    );
                    lower.tell(finding.help("put `return` at the end of its block"));
                }
                statements.push(statement);
            }
            Ok(Block { statements, span })
        })
    }

    pub(super) fn statement(&mut self, pair: Pair<'_>) -> Lowered<Statement> {
        let mut parts = self.open(pair);
        let docs = self.docs(&mut parts);
        let inner = self.some(parts.any(), parts.span)?;
        let mut span = self.span(&inner);
        span.end = parts.span.end;
        let rule = inner.as_rule();
        let mut inner = self.open(inner);
        let kind = self.statement_kind(rule, &mut inner)?;
        self.done(&inner)?;
        Ok(Statement { docs, kind, span })
    }

    /// Dispatches only: in a build without optimisation each arm of a `match` has room of its own on the
    /// stack, and blocks nest.
    fn statement_kind(&mut self, rule: Rule, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        match rule {
            Rule::if_ => self.if_statement(parts),
            Rule::by_statement => self.by_statement(parts),
            Rule::while_ | Rule::for_each | Rule::step | Rule::together | Rule::turns => {
                self.one_block(rule, parts)
            }
            Rule::repeat => self.repeat(parts),
            Rule::choose => self.choose(parts),
            Rule::window => self.window(parts),
            Rule::track => Ok(StatementKind::Track {
                decl: self.track(parts)?,
                tail: self.tail(std::mem::take(&mut parts.tail))?,
            }),
            Rule::move_ => self.move_statement(parts),
            Rule::effect => self.effect(parts),
            _ => self.short_statement(rule, parts),
        }
    }

    fn by_statement(&mut self, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        let subject = self.postfix_in(parts)?;
        let cases = parts.all(Rule::case);
        let arms = self.deeper(n_asked(&cases), parts.span, |lower| {
            let arms = cases.into_iter().map(|pair| lower.case(pair));
            arms.collect::<Lowered<Vec<_>>>()
        })?;
        Ok(StatementKind::By { subject, arms })
    }

    pub(super) fn case(&mut self, pair: Pair<'_>) -> Lowered<Arm<Block>> {
        let mut case = self.open(pair);
        Ok(Arm {
            head: self.arm_head(&mut case)?,
            body: self.block_in(&mut case)?,
            span: case.span,
        })
    }

    fn one_block(&mut self, rule: Rule, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        Ok(match rule {
            Rule::while_ => StatementKind::While {
                condition: self.expr_in(parts)?,
                body: self.block_in(parts)?,
            },
            Rule::for_each => {
                let mut binders = Vec::new();
                for pair in parts.all(Rule::each) {
                    binders.push(self.each(pair)?);
                }
                StatementKind::ForEach {
                    binders,
                    body: self.block_in(parts)?,
                }
            }
            Rule::together => {
                let name = self.name_in(parts)?;
                let set = self.expr_in(parts)?;
                let condition = self.opt_wrapped(parts, Rule::where_)?;
                let until = condition.as_ref().map_or(set.span, |it: &Expr| it.span);
                let binder = Binder {
                    span: name.span.to(until),
                    name,
                    set,
                    condition,
                };
                StatementKind::Together {
                    binder,
                    body: self.block_in(parts)?,
                }
            }
            Rule::step => StatementKind::Step {
                name: self.name_in(parts)?,
                tail: self.tail(std::mem::take(&mut parts.tail))?,
                body: self.block_in(parts)?,
            },
            _ => StatementKind::Turns {
                name: self.name_in(parts)?,
                from: self.postfix_in(parts)?,
                once: parts.flag(Rule::once),
                condition: self.opt_wrapped(parts, Rule::where_)?,
                body: self.block_in(parts)?,
            },
        })
    }

    fn window(&mut self, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        Ok(StatementKind::Window {
            who: self.postfix_in(parts)?,
            slots: self.slots(parts)?,
        })
    }

    /// Reads a statement without a block.
    fn short_statement(&mut self, rule: Rule, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        Ok(match rule {
            Rule::let_ => StatementKind::Let {
                name: self.name_in(parts)?,
                value: self.wrapped(parts, Rule::value)?,
            },
            Rule::lay => StatementKind::Lay {
                place: self.postfix_in(parts)?,
                drawn: self.drawn_in(parts)?,
            },
            Rule::clear => StatementKind::Clear {
                place: parts
                    .opt(Rule::postfix)
                    .map(|it| self.postfix(it))
                    .transpose()?,
            },
            Rule::draw => {
                let first = self.expr_in(parts)?;
                let of = self.opt_wrapped(parts, Rule::copies_of)?;
                let (amount, from) = match of {
                    Some(of) => (Some(first), of),
                    None => (None, first),
                };
                StatementKind::Draw {
                    amount,
                    from,
                    to: self.postfix_in(parts)?,
                }
            }
            Rule::exchange => StatementKind::Exchange {
                left: self.exchanged(parts)?,
                right: self.exchanged(parts)?,
            },
            Rule::pack => StatementKind::Pack {
                zone: self.postfix_in(parts)?,
                way: self.operand_in(parts)?,
                into: self.opt_expr_in(parts)?,
            },
            Rule::shuffle => StatementKind::Shuffle {
                zone: self.postfix_in(parts)?,
            },
            Rule::show_to => StatementKind::Show {
                place: self.postfix_in(parts)?,
                audience: self.audience(parts)?,
            },
            Rule::tell => StatementKind::Tell {
                audience: self.audience(parts)?,
                text: self.template_in(parts)?,
            },
            Rule::ranking => StatementKind::Ranking {
                seats: self.expr_in(parts)?,
                by: self
                    .exprs_in(parts)?
                    .into_iter()
                    .map(of_whole_figure)
                    .collect(),
            },
            Rule::winner => StatementKind::Winner(self.expr_in(parts)?),
            Rule::end_ => StatementKind::End(Call {
                name: self.name_in(parts)?,
                args: self.args(parts)?,
            }),
            Rule::return_ => StatementKind::Return(self.opt_expr_in(parts)?),
            Rule::next => StatementKind::Next,
            Rule::again => StatementKind::Again,
            _ => return self.disagree(parts.span),
        })
    }

    fn audience(&mut self, parts: &mut Parts<'_>) -> Lowered<Audience> {
        Ok(match self.postfix_in(parts)? {
            Expr {
                kind: ExprKind::Name(name),
                ..
            } if name == "all" => Audience::All,
            seat => Audience::Seat(seat),
        })
    }

    fn if_statement(&mut self, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        // Each `else if` is one level deeper in the checked tree.
        let n_levels = parts.n_else_ifs();
        self.deeper(n_levels, parts.span, |lower| {
            let mut branches = Vec::new();
            loop {
                branches.push(Branch {
                    condition: lower.expr_in(parts)?,
                    body: lower.block_in(parts)?,
                });
                match parts.opt(Rule::else_if) {
                    Some(pair) => lower.else_if(&pair),
                    None => break,
                }
            }
            Ok(StatementKind::If {
                branches,
                otherwise: lower.opt_block_in(parts)?,
            })
        })
    }

    pub(super) fn else_if(&mut self, pair: &Pair<'_>) {
        if !pair.as_str().starts_with("else") || pair.as_str().starts_with("elsei") {
            self.foreign(self.span(pair), pair.as_str(), "else if");
        }
    }

    fn repeat(&mut self, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        let count = self.opt_sum_in(parts)?;
        let body = self.block_in(parts)?;
        let until = self.opt_wrapped(parts, Rule::until_)?;
        let times = match (count, until) {
            (Some(_), Some(until)) => {
                return self.lose(
                    Diagnostic::at(codes::REPEAT_TWICE, until.span, "this loop has both a number of rounds and an `until`")
                        .help("remove the number, or leave the loop with `if … { return }` in a flow of its own"),
                );
            }
            (Some(count), None) => Times::Count(count),
            (None, Some(until)) => Times::Until(until),
            (None, None) => Times::Forever,
        };
        Ok(StatementKind::Repeat { times, body })
    }

    fn each(&mut self, pair: Pair<'_>) -> Lowered<Each> {
        let mut parts = self.open(pair);
        let name = self.name_in(&mut parts)?;
        let set = self.expr_in(&mut parts)?;
        let backwards = parts.flag(Rule::backwards);
        let binder = Binder {
            name,
            set,
            condition: self.opt_wrapped(&mut parts, Rule::where_)?,
            span: parts.span,
        };
        Ok(Each { binder, backwards })
    }

    fn choose(&mut self, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        let may = parts.flag(Rule::may);
        let who = match self.postfix_in(parts)? {
            Expr {
                kind: ExprKind::Name(name),
                span,
                ..
            } if name == "chance" => Chooser::Chance(span),
            seat => Chooser::Seat(seat),
        };
        let among = match parts.opt(Rule::alternatives) {
            Some(pair) => Among::Alternatives(self.alternatives(pair)?),
            None => {
                let mut members = self.open_in(parts, Rule::members)?;
                let span = members.span;
                let binder = Binder {
                    name: self.name_in(&mut members)?,
                    set: self.expr_in(&mut members)?,
                    condition: self.opt_wrapped(&mut members, Rule::where_)?,
                    span,
                };
                Among::Members {
                    binder,
                    weight: self.opt_wrapped(&mut members, Rule::weight)?,
                    body: self.opt_block_in(&mut members)?,
                }
            }
        };
        let otherwise = match parts.opt(Rule::otherwise) {
            Some(pair) => {
                let mut otherwise = self.open(pair);
                Some(self.block_in(&mut otherwise)?)
            }
            None => None,
        };
        Ok(StatementKind::Choose(Choose {
            may,
            who,
            among,
            otherwise,
            tail: self.tail(std::mem::take(&mut parts.tail))?,
        }))
    }

    pub(super) fn alternatives(&mut self, pair: Pair<'_>) -> Lowered<Vec<Alternative>> {
        let mut alternatives: Vec<Alternative> = Vec::new();
        // The signs between them are needed here, so the pair is not opened as others are.
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::alternative => alternatives.push(self.alternative(part)?),
                _ if part.as_str() != "|" => {
                    let span = self.span(&part);
                    let message = format!("alternatives are not separated by `{}`", part.as_str());
                    let finding = Diagnostic::at(codes::NOT_A_BAR, span, message)
                        .help("write `|` between them");
                    let space = if part.as_str() == "," { " |" } else { "|" };
                    self.tell(finding.safe_fix("write `|`", vec![(span, String::from(space))]));
                }
                _ => {}
            }
        }
        Ok(alternatives)
    }

    pub(in crate::syntax) fn lone_alternative(&mut self, pair: Pair<'_>) -> Lowered<Alternative> {
        let mut parts = self.open(pair);
        let pair = self.need(&mut parts, Rule::alternative)?;
        self.alternative(pair)
    }

    pub(super) fn alternative(&mut self, pair: Pair<'_>) -> Lowered<Alternative> {
        let mut parts = self.open(pair);
        Ok(Alternative {
            name: self.name_in(&mut parts)?,
            args: self.args(&mut parts)?,
            text: self.opt_template_in(&mut parts)?,
            condition: self.opt_wrapped(&mut parts, Rule::where_)?,
            body: self.opt_block_in(&mut parts)?,
            span: parts.span,
        })
    }

    pub(super) fn slots(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Slot>> {
        let mut slots = Vec::new();
        for pair in parts.all(Rule::slot) {
            let mut parts = self.open(pair);
            let many = parts.flag(Rule::many);
            parts.flag(Rule::once);
            let name = self.name_in(&mut parts)?;
            let alternatives = self.need(&mut parts, Rule::alternatives)?;
            slots.push(Slot {
                many,
                name,
                alternatives: self.alternatives(alternatives)?,
                tail: self.tail(std::mem::take(&mut parts.tail))?,
                span: parts.span,
            });
        }
        Ok(slots)
    }

    /// Reads an assignment or a call; the grammar does not tell them apart.
    fn effect(&mut self, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        let target = self.postfix_in(parts)?;
        let Some(sign) = parts.opt(Rule::assign_op) else {
            return match target.kind {
                ExprKind::Call(call) => Ok(StatementKind::Call(call)),
                _ => self.lose(no_effect(&target)),
            };
        };
        let op = match sign.as_str() {
            "+=" => AssignOp::Increase,
            "-=" => AssignOp::Decrease,
            "==" => {
                let span = self.span(&sign);
                let finding = Diagnostic::at(
                    codes::EQUALITY_AS_STATEMENT,
                    span,
                    "`==` asks and changes nothing",
                );
                let finding = finding.help("write `=` to give a value");
                self.tell(finding.fix("write `=`", vec![(span, String::from("="))]));
                AssignOp::Set
            }
            ":=" => {
                self.foreign(self.span(&sign), ":=", "=");
                AssignOp::Set
            }
            _ => AssignOp::Set,
        };
        Ok(StatementKind::Assign {
            target,
            op,
            value: self.expr_in(parts)?,
            because: self.opt_template_behind(parts, Rule::because)?,
        })
    }
}

fn no_effect(target: &Expr) -> Diagnostic {
    let ExprKind::Name(name) = &target.kind else {
        return Diagnostic::at(codes::NO_EFFECT, target.span, "this does nothing")
            .help("write `place = value`, `name(…)`, or a verb like `move`");
    };
    if name.text == "set" {
        let message = "`set` is for an amendment; here it is left out";
        return Diagnostic::at(codes::MISSPELT_WORD, target.span, message)
            .help("write `place = value`")
            .fix("remove `set`", vec![(target.span, String::new())]);
    }
    if let Some(shape) = shape(&name.text) {
        let message = format!("this `{name}` is not complete");
        return Diagnostic::at(codes::UNEXPECTED_TEXT, target.span, message)
            .help(format!("it is written like `{shape}`"));
    }
    if let Some(near) = closest(&name.text, verbs()) {
        return Diagnostic::at(
            codes::MISSPELT_WORD,
            target.span,
            format!("`{name}` is not a verb"),
        )
        .help(format!("write `{near}`"))
        .fix(
            format!("write `{near}`"),
            vec![(target.span, String::from(near))],
        );
    }
    let message = format!("`{name}` alone does nothing");
    if name == "do" {
        return Diagnostic::at(codes::CALL_WITHOUT_PARENTHESES, target.span, message)
            .help("`do { … }` stands in an action alone; write what happens without it, as `replace sow { score() }`");
    }
    Diagnostic::at(codes::CALL_WITHOUT_PARENTHESES, target.span, message)
        .help(format!("write `{name}()` if it is an event or a flow"))
        .fix(
            format!("write `{name}()`"),
            vec![(target.span.end_point(), String::from("()"))],
        )
}

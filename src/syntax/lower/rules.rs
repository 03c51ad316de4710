//! Items that say what happens, and rulings.

use super::{Lower, Lowered, Pair, Parts};
use crate::diagnostic::{Diagnostic, codes};
use crate::syntax::ast::{
    Action, Alternative, Block, Define, Ending, Event, Expect, ExpectKind, Find, Flow, FromSeed,
    Given, Invariant, Measure, Moment, Name, Number, Play, Position, Require, Ruling, Scene, Study,
    StudyLines, Under, When,
};
use crate::syntax::parse::Rule;

impl Lower<'_> {
    pub(super) fn define(&mut self, parts: &mut Parts<'_>) -> Lowered<Define> {
        Ok(Define {
            name: self.name_in(parts)?,
            params: self.params(parts)?,
            ty: self.ty_in(parts)?,
            depth: self.depth(parts)?,
            value: self.wrapped(parts, Rule::value)?,
        })
    }

    fn depth(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Number>> {
        self.opt_number(parts, Rule::depth)
    }

    fn opt_number(&mut self, parts: &mut Parts<'_>, rule: Rule) -> Lowered<Option<Number>> {
        let Some(pair) = parts.opt(rule) else {
            return Ok(None);
        };
        let mut parts = self.open(pair);
        self.number_in(&mut parts).map(Some)
    }

    pub(super) fn event(&mut self, parts: &mut Parts<'_>) -> Lowered<Event> {
        Ok(Event {
            name: self.name_in(parts)?,
            params: self.params(parts)?,
            depth: self.depth(parts)?,
            text: self.opt_template_in(parts)?,
            body: self.block_in(parts)?,
        })
    }

    pub(super) fn action(&mut self, parts: &mut Parts<'_>) -> Lowered<Action> {
        let name = self.name_in(parts)?;
        let params = self.params(parts)?;
        let text = self.opt_template_in(parts)?;
        let mut requires = Vec::new();
        for pair in parts.all(Rule::require) {
            requires.push(self.require(pair)?);
        }
        let alternatives = match parts.opt(Rule::alternatives) {
            Some(pair) => self.alternatives(pair)?,
            None => Vec::new(),
        };
        Ok(Action {
            name,
            params,
            text,
            requires,
            alternatives,
            body: self.opt_block_in(parts)?,
        })
    }

    fn require(&mut self, pair: Pair<'_>) -> Lowered<Require> {
        let mut parts = self.open(pair);
        let docs = self.docs(&mut parts);
        let label = self.name_in(&mut parts)?;
        let condition = self.expr_in(&mut parts)?;
        let message = self.opt_template_behind(&mut parts, Rule::message)?;
        Ok(Require {
            docs,
            label,
            condition,
            message,
            tail: self.tail(std::mem::take(&mut parts.tail))?,
            span: parts.span,
        })
    }

    pub(super) fn flow(&mut self, parts: &mut Parts<'_>) -> Lowered<Flow> {
        let name = self.name_in(parts)?;
        let params = self.params(parts)?;
        let result = match parts.opt(Rule::result) {
            Some(pair) => {
                let mut result = self.open(pair);
                Some(self.ty_in(&mut result)?)
            }
            None => None,
        };
        Ok(Flow {
            name,
            params,
            result,
            depth: self.depth(parts)?,
            body: self.block_in(parts)?,
        })
    }

    pub(super) fn ending(&mut self, parts: &mut Parts<'_>) -> Lowered<Ending> {
        Ok(Ending {
            name: self.name_in(parts)?,
            params: self.params(parts)?,
            body: self.block_in(parts)?,
        })
    }

    pub(super) fn invariant(&mut self, parts: &mut Parts<'_>) -> Lowered<Invariant> {
        Ok(Invariant {
            name: self.name_in(parts)?,
            params: self.params(parts)?,
            guard: self.opt_wrapped(parts, Rule::where_)?,
            condition: self.expr_in(parts)?,
            message: self.opt_template_behind(parts, Rule::message)?,
        })
    }

    pub(super) fn measure(&mut self, parts: &mut Parts<'_>) -> Lowered<Measure> {
        Ok(Measure {
            name: self.name_in(parts)?,
            params: self.params(parts)?,
            ty: self.ty_in(parts)?,
            value: self.expr_in(parts)?,
            moment: self.moment(parts)?,
        })
    }

    fn moment(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Moment>> {
        let Some(pair) = parts.opt(Rule::moment) else {
            return Ok(None);
        };
        let mut parts = self.open(pair);
        Ok(Some(match parts.peek() {
            Some(Rule::each_turn) => Moment::Turn,
            Some(Rule::at_end) => Moment::End,
            _ => Moment::When(self.expr_in(&mut parts)?),
        }))
    }

    // ---------- rulings

    pub(super) fn ruling(&mut self, parts: &mut Parts<'_>) -> Lowered<Ruling> {
        let id = self.need(parts, Rule::ruling_id)?;
        let id = self.name(&id);
        let title = self.text_in(parts)?;
        let answers = match parts.opt(Rule::answers) {
            Some(pair) => {
                let mut answers = self.open(pair);
                self.names_in(&mut answers)?
            }
            None => Vec::new(),
        };
        let given = match parts.opt(Rule::given) {
            Some(pair) => Some(self.given(pair)?),
            None => None,
        };
        let scenes = self.scenes(parts)?;
        Ok(Ruling {
            id,
            title,
            answers,
            given,
            scenes,
        })
    }

    fn scenes(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Scene>> {
        let mut scenes = Vec::new();
        for pair in parts.all(Rule::scene) {
            let mut line = self.open(pair);
            scenes.push(if let Some(pair) = line.opt(Rule::when_) {
                let mut parts = self.open(pair);
                Scene::When(When {
                    play: self.play_in(&mut parts)?,
                    then: self.alternatives_in(&mut parts)?,
                    span: parts.span,
                })
            } else if let Some(pair) = line.opt(Rule::expect) {
                Scene::Expect(self.expect(pair)?)
            } else if let Some(pair) = line.opt(Rule::in_turn) {
                let mut parts = self.open(pair);
                let binder = self.need(&mut parts, Rule::binder)?;
                Scene::Each {
                    binder: self.binder(binder)?,
                    scenes: self.scenes(&mut parts)?,
                    span: parts.span,
                }
            } else if let Some(pair) = line.opt(Rule::supposed) {
                let mut parts = self.open(pair);
                Scene::Under {
                    under: self.assumptions(&mut parts)?,
                    given: match parts.opt(Rule::more) {
                        Some(pair) => {
                            let mut more = self.open(pair);
                            Some(self.statements(&mut more)?)
                        }
                        None => None,
                    },
                    scenes: self.scenes(&mut parts)?,
                    span: parts.span,
                }
            } else {
                let mut parts = self.open_in(&mut line, Rule::repeated)?;
                Scene::Repeat {
                    times: self.number_in(&mut parts)?,
                    scenes: self.scenes(&mut parts)?,
                    span: parts.span,
                }
            });
        }
        Ok(scenes)
    }

    pub(super) fn study(&mut self, parts: &mut Parts<'_>) -> Lowered<Study> {
        let id = self.need(parts, Rule::ruling_id)?;
        let id = self.name(&id);
        let title = self.text_in(parts)?;
        let given = match parts.opt(Rule::given) {
            Some(pair) => Some(self.given(pair)?),
            None => None,
        };
        let mut line = self.open_in(parts, Rule::find)?;
        let mut binders = Vec::new();
        for pair in line.all(Rule::binder) {
            binders.push(self.binder(pair)?);
        }
        let find = if binders.is_empty() {
            Find::Condition(self.expr_in(&mut line)?)
        } else {
            Find::Members(binders)
        };
        let mut never_line = None;
        let mut never = None;
        if let Some(pair) = parts.opt(Rule::never) {
            let mut line = self.open(pair);
            never = Some(self.expr_in(&mut line)?);
            never_line = Some(line.span);
        }
        let mut within = self.open_in(parts, Rule::within)?;
        let lines = StudyLines {
            find: line.span,
            never: never_line,
            within: within.span,
        };
        Ok(Study {
            id,
            title,
            given,
            find,
            never,
            plies: self.number_in(&mut within)?,
            lines,
        })
    }

    pub(super) fn position(&mut self, parts: &mut Parts<'_>) -> Lowered<Position> {
        let name = self.name_in(parts)?;
        let title = self.text_in(parts)?;
        let base = match parts.opt(Rule::based) {
            Some(pair) => {
                let mut based = self.open(pair);
                let base = self.name_in(&mut based)?;
                // Elsewhere braces behind it add to it; here they would be a set that nobody asks for.
                if let Some(braces) = parts
                    .queue
                    .front()
                    .filter(|it| it.as_str().starts_with('{'))
                {
                    let message = "in a position nothing stands in braces behind `given`";
                    let help =
                        format!("write what is added without them: `given {base}  track = 1`");
                    let found = Diagnostic::at(codes::UNEXPECTED_TEXT, self.span(braces), message);
                    return self.lose(found.help(help));
                }
                Some(base)
            }
            None => None,
        };
        Ok(Position {
            name,
            title,
            given: self.start(base, parts)?,
        })
    }

    fn given(&mut self, pair: Pair<'_>) -> Lowered<Given> {
        let mut parts = self.open(pair);
        let base = parts.opt(Rule::ident).map(|it| self.name(&it));
        self.start(base, &mut parts)
    }

    fn start(&mut self, base: Option<Name>, parts: &mut Parts<'_>) -> Lowered<Given> {
        let from = match parts.opt(Rule::from_seed) {
            Some(pair) => Some(self.seeded(pair)?),
            None => None,
        };
        Ok(Given {
            base,
            from,
            body: self.statements(parts)?,
        })
    }

    fn seeded(&mut self, pair: Pair<'_>) -> Lowered<FromSeed> {
        let mut parts = self.open(pair);
        let seed = self.number_in(&mut parts)?;
        let players = self.opt_number(&mut parts, Rule::players)?;
        let at = match parts.opt(Rule::at_path) {
            Some(pair) => {
                let mut at = self.open(pair);
                Some(self.path_in(&mut at)?)
            }
            None => None,
        };
        Ok(FromSeed {
            seed,
            at,
            players: match players {
                None => self.opt_number(&mut parts, Rule::players)?,
                said => said,
            },
            span: parts.span,
        })
    }

    fn statements(&mut self, parts: &mut Parts<'_>) -> Lowered<Block> {
        let mut statements = Vec::new();
        for pair in parts.all(Rule::statement) {
            statements.push(self.statement(pair)?);
        }
        Ok(Block {
            statements,
            span: parts.span,
        })
    }

    fn assumptions(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Under>> {
        let mut under = Vec::new();
        for pair in parts.all(Rule::assumption) {
            under.push(self.assumption(pair)?);
        }
        Ok(under)
    }

    fn play_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Play> {
        let mut play = self.open_in(parts, Rule::play)?;
        let who = self.postfix_in(&mut play)?;
        let alternative = self.need(&mut play, Rule::alternative)?;
        Ok(Play {
            who,
            alternative: self.alternative(alternative)?,
        })
    }

    fn alternatives_in(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Alternative>> {
        let pairs = parts.all(Rule::alternative);
        pairs.into_iter().map(|it| self.alternative(it)).collect()
    }

    fn expect(&mut self, pair: Pair<'_>) -> Lowered<Expect> {
        let mut parts = self.open(pair);
        let kind = self.expect_kind(&mut parts)?;
        let under = match parts.opt(Rule::under) {
            Some(pair) => {
                let mut under = self.open(pair);
                self.assumptions(&mut under)?
            }
            None => Vec::new(),
        };
        Ok(Expect {
            kind,
            under,
            tail: self.tail(std::mem::take(&mut parts.tail))?,
            span: parts.span,
        })
    }

    fn assumption(&mut self, pair: Pair<'_>) -> Lowered<Under> {
        let mut parts = self.open(pair);
        Ok(Under {
            setting: self.path_in(&mut parts)?,
            value: match parts.opt(Rule::answer_no) {
                Some(no) => self.answer_no(&no),
                None => self.operand_in(&mut parts)?,
            },
        })
    }

    fn expect_kind(&mut self, parts: &mut Parts<'_>) -> Lowered<ExpectKind> {
        if parts.peek() == Some(Rule::expr) {
            let half = parts.queue.front().and_then(looked_ahead_at_half);
            if let Some((ahead, rest)) = half {
                let (ahead, rest) = (self.span(&ahead), self.span(&rest));
                let message =
                    "what is looked ahead at ends here: the rest is asked of the table as it is";
                self.tell(
                    Diagnostic::at(codes::HALF_AHEAD, rest, message)
                        .label(ahead, "this alone is looked at there")
                        .help("write `after { … } (A and B)`, or what is asked of the table first"),
                );
            }
            return self.expr_in(parts).map(ExpectKind::Holds);
        }
        let pair = self.some(parts.any(), parts.span)?;
        let rule = pair.as_rule();
        let mut inner = self.open(pair);
        Ok(match rule {
            Rule::legal => ExpectKind::Legal(self.play_in(&mut inner)?),
            Rule::illegal => {
                let play = self.play_in(&mut inner)?;
                let by = match inner.opt(Rule::by_path) {
                    Some(pair) => {
                        let mut by = self.open(pair);
                        Some(self.path_in(&mut by)?)
                    }
                    None => None,
                };
                ExpectKind::Illegal { play, by }
            }
            Rule::offers => {
                let who = self.postfix_in(&mut inner)?;
                let all = inner.opt(Rule::exactly);
                let of_one = all.is_none();
                let exactly = match all {
                    Some(pair) => {
                        let mut all = self.open(pair);
                        self.alternatives_in(&mut all)?
                    }
                    None => self.alternatives_in(&mut inner)?,
                };
                ExpectKind::Offers {
                    who,
                    exactly,
                    of_one,
                }
            }
            Rule::won => ExpectKind::Won(self.expr_in(&mut inner)?),
            Rule::sees => ExpectKind::Sees {
                who: self.postfix_in(&mut inner)?,
                what: self.postfix_in(&mut inner)?,
                text: self.text_in(&mut inner)?,
            },
            Rule::hears => ExpectKind::Told {
                who: self.postfix_in(&mut inner)?,
                text: self.text_in(&mut inner)?,
            },
            _ => {
                let by = match inner.opt(Rule::by_ending) {
                    Some(pair) => {
                        let mut by = self.open(pair);
                        Some(self.name_in(&mut by)?)
                    }
                    None => None,
                };
                ExpectKind::Ended { by }
            }
        })
    }
}

/// `after { … } A and B`: returns what is looked at there, and the sign behind it where the rest is looked at here.
fn looked_ahead_at_half<'p>(expr: &Pair<'p>) -> Option<(Pair<'p>, Pair<'p>)> {
    let after = |operand: &Pair<'p>| {
        let mut inner = operand.clone().into_inner();
        let first = inner.next().filter(|it| it.as_rule() == Rule::postfix)?;
        let primary = first.into_inner().next();
        primary.filter(|it| it.as_rule() == Rule::after)
    };
    let parts: Vec<Pair<'p>> = expr.clone().into_inner().collect();
    let ahead = after(parts.first()?)?;
    let pairs = parts.iter().zip(parts.iter().skip(1));
    let mut joined = pairs.filter(|(sign, _)| matches!(sign.as_str(), "and" | "or"));
    let (sign, _) = joined.find(|(_, operand)| after(operand).is_none())?;
    Some((ahead, sign.clone()))
}

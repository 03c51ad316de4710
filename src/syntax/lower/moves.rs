//! Statements that move things.

use super::{Lower, Lowered, Parts};
use crate::diagnostic::{Diagnostic, codes};
use crate::syntax::ast::{Exchanged, FieldValue, Move, Moved, PileEnd, StatementKind};
use crate::syntax::parse::Rule;

impl Lower<'_> {
    pub(super) fn move_statement(&mut self, parts: &mut Parts<'_>) -> Lowered<StatementKind> {
        let all = parts.flag(Rule::all_of);
        let top = parts.opt(Rule::top_of);
        let (end, amount) = match &top {
            Some(pair) => {
                let mut parts = self.open(pair.clone());
                let end = parts.flag(Rule::lowest).then_some(PileEnd::Bottom);
                (end, self.opt_sum_in(&mut parts)?)
            }
            None => (None, None),
        };
        let top = top.is_some();
        let first = self.expr_in(parts)?;
        let of = self.opt_wrapped(parts, Rule::copies_of)?;
        let from = self.opt_wrapped(parts, Rule::from)?;
        let condition = self.opt_wrapped(parts, Rule::where_)?;
        if let Some(condition) = condition.as_ref().filter(|_| !all) {
            let message = "only of all that lies somewhere some can be picked out";
            return self.lose(
                Diagnostic::at(codes::MOVE_UNCLEAR, condition.span, message).help(
                    "write `move all of ZONE where … to ZONE`, or put the condition in an `if`",
                ),
            );
        }
        let what = match (from, of) {
            (from, None) if all && (from.is_some() || condition.is_some()) => Moved::Each {
                what: first,
                from,
                condition,
            },
            (None, None) if all => Moved::All(first),
            (None, None) if top => Moved::Top {
                end,
                amount,
                zone: first,
            },
            (None, None) => Moved::Place(first),
            (Some(from), of) if !all && !top => {
                let (amount, component) = match of {
                    Some(of) => (Some(first), of),
                    None => (None, first),
                };
                Moved::Copies {
                    amount,
                    component,
                    from,
                }
            }
            (Some(from), _) => {
                let message = "what is moved as a whole needs no `from`";
                return self.lose(
                    Diagnostic::at(codes::MOVE_UNCLEAR, from.span, message)
                        .help("write `move all of ZONE to ZONE`"),
                );
            }
            (None, Some(of)) => {
                let message = "this does not say where the components come from";
                return self.lose(
                    Diagnostic::at(codes::MOVE_UNCLEAR, of.span, message)
                        .help("write `move 2 of WHAT from ZONE to ZONE`, or `draw 2 of ZONE to ZONE` where chance decides"),
                );
            }
        };
        let to = self.postfix_in(parts)?;
        let mut with = Vec::new();
        if let Some(pair) = parts.opt(Rule::with_) {
            for pair in self.open(pair).all(Rule::field_value) {
                let mut parts = self.open(pair);
                with.push(FieldValue {
                    field: self.name_in(&mut parts)?,
                    value: self.wrapped(&mut parts, Rule::value)?,
                });
            }
        }
        Ok(StatementKind::Move(Move { what, to, with }))
    }

    pub(super) fn exchanged(&mut self, parts: &mut Parts<'_>) -> Lowered<Exchanged> {
        let mut side = self.open_in(parts, Rule::exchanged)?;
        let all = side.flag(Rule::all_of);
        let what = self.expr_in(&mut side)?;
        Ok(match self.opt_wrapped(&mut side, Rule::from)? {
            Some(from) if all => {
                let message = "what is exchanged as a whole needs no `from`";
                return self.lose(
                    Diagnostic::at(codes::MOVE_UNCLEAR, from.span, message)
                        .help("write `exchange all of ZONE with all of ZONE`"),
                );
            }
            None if all => Exchanged::All(what),
            Some(from) => Exchanged::Copy {
                component: what,
                from,
            },
            None => Exchanged::Place(what),
        })
    }
}

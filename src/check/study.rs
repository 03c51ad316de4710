//! Studies: searches over positions.

use crate::diagnostic::codes;
use crate::model::{AggregateOp, ClauseId, Expr, ProcId, Study, Type};
use crate::source::Span;
use crate::syntax::ast;

use super::aggregate::aggregate;
use super::scope::Binding;
use super::{Checked, Checker, Reported};

/// Deepest search that a study may ask for.
const MOST_PLIES: i32 = 1_000;

impl<'a> Checker<'a> {
    /// Checks a study; there is none if it starts at a step that this game does not have.
    pub(super) fn study(
        &mut self,
        it: &'a ast::Study,
        clause: ClauseId,
        given: Option<ProcId>,
    ) -> Checked<Option<Study>> {
        let start = self.start_of(it.given.as_ref(), given);
        let (find, named) = match &it.find {
            ast::Find::Condition(condition) => (self.condition(condition), false),
            ast::Find::Members(members) => (self.some_of(members), true),
        };
        let never = it.never.as_ref().map(|it| self.condition(it)).transpose();
        let plies = match it.plies.value {
            plies @ 1..=MOST_PLIES => u32::try_from(plies).unwrap_or(u32::MAX),
            _ => {
                return Err(self.complain(
                    codes::OUT_OF_RANGE,
                    it.plies.span,
                    format!("a search goes from 1 to {MOST_PLIES} plies deep"),
                    "a ply is one choice of one seat",
                ));
            }
        };
        let (start, find, never) = (start?, find?, never?);
        let Some(start) = start else {
            return Ok(None);
        };
        Ok(Some(Study {
            id: it.id.text.clone(),
            title: it.title.text.clone(),
            players: self.players(it.given.as_ref()).map(|(count, _)| count),
            start,
            find,
            named,
            never,
            plies,
            clause,
        }))
    }

    /// Whether there are such members; their names stay bound.
    fn some_of(&mut self, members: &'a [ast::Binder]) -> Checked<Expr> {
        let mut binders = Vec::new();
        let mut failed = false;
        for member in members {
            match self.binder(member, false) {
                Ok(binder) => binders.push(binder),
                Err(Reported) => {
                    self.bind_as(&member.name, Binding::Failed);
                    failed = true;
                }
            }
        }
        if failed {
            return Err(Reported);
        }
        let first = members.first().map_or(Span::default(), |it| it.span);
        let span = members.last().map_or(first, |last| first.to(last.span));
        Ok(aggregate(
            AggregateOp::Some,
            binders,
            None,
            Type::BOOL,
            span,
        ))
    }
}

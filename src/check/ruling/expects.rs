//! What is expected in a ruling.

use crate::check::operator::present;
use crate::check::thing::Thing;
use crate::check::{Checked, Checker, Entity};
use crate::diagnostic::codes;
use crate::model::{ClauseId, ClauseKind, ExpectKind, Expr, Looked, ProcId, ProcKind};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub(super) fn expect_kind(
        &mut self,
        it: &'a ast::Expect,
        is_played: bool,
    ) -> Checked<ExpectKind> {
        match &it.kind {
            ast::ExpectKind::Legal(play) => self.played(play, it.span).map(ExpectKind::Legal),
            ast::ExpectKind::Illegal { play, by } => {
                let played = self.played(play, it.span);
                let by = by
                    .as_ref()
                    .map(|by| self.refusing_clause(play.alternative.name.as_str(), by))
                    .transpose();
                Ok(ExpectKind::Illegal(played?, by?))
            }
            ast::ExpectKind::Offers {
                who,
                exactly,
                of_one,
            } => self.offered(who, exactly, *of_one),
            ast::ExpectKind::Ended { by } => {
                self.expected_ending(by.as_ref()).map(ExpectKind::Ended)
            }
            ast::ExpectKind::Won(seats) => self.winners(seats).map(ExpectKind::Won),
            ast::ExpectKind::Holds(condition) => self.condition(condition).map(ExpectKind::Holds),
            ast::ExpectKind::Sees { who, what, text } => self.sees(who, what, text),
            ast::ExpectKind::Told { .. } if !is_played => Err(self.complain(
                codes::NOTHING_TOLD,
                it.span,
                "nothing has happened of which a seat could be told",
                "let somebody choose before: `when SEAT: ACTION`",
            )),
            ast::ExpectKind::Told { who, text } => {
                let who = self.seat_of(who);
                who.map(|who| ExpectKind::Told(present(who), text.text.clone()))
            }
        }
    }

    /// The seat that is to choose; none when the game is over.
    pub(in crate::check) fn who_chooses(&mut self, span: Span) -> Expr {
        let ty = self.seat_type().or_none();
        let local = match self.game.to_move {
            Some(local) => local,
            None => self.fresh("to_move", ty, span),
        };
        self.game.to_move = Some(local);
        self.local(local, span)
    }

    /// The clause behind `by`: of the action that is refused, or of an event that it performs.
    fn refusing_clause(&mut self, action: &str, path: &ast::Path) -> Checked<ClauseId> {
        let address = path.to_string();
        let own = format!("{action}.{address}");
        let refuses = |path: &String| {
            let id = self.paths.get(path).copied();
            let kind = |id: ClauseId| self.game.clauses.get(id.index()).map(|it| it.kind);
            id.filter(|id| {
                matches!(
                    kind(*id),
                    Some(ClauseKind::Param | ClauseKind::Require | ClauseKind::Forbid)
                )
            })
        };
        if let Some(id) = refuses(&own).or_else(|| refuses(&address)) {
            return Ok(id);
        }
        let ending = format!(".{address}");
        let guard = self
            .game
            .clauses
            .iter()
            .position(|it| it.kind == ClauseKind::Forbid && it.path.ends_with(&ending));
        if let Some(at) = guard {
            return Ok(ClauseId(u32::try_from(at).unwrap_or(0)));
        }
        let start = format!("{action}.");
        let list: Vec<String> = self
            .game
            .clauses
            .iter()
            .filter_map(|it| it.path.strip_prefix(&start).map(str::to_owned))
            .collect();
        let name = ast::Name {
            text: address.clone(),
            span: path.span,
        };
        let message = format!("`{action}` has no clause `{address}`");
        Err(self.not_among(codes::UNKNOWN_ADDRESS, &name, message, &list))
    }

    fn expected_ending(&mut self, by: Option<&ast::Name>) -> Checked<Option<ProcId>> {
        let Some(name) = by else {
            return Ok(None);
        };
        match self.named(name.as_str()) {
            Some(Ok(Entity::Proc(id)))
                if self.proc(id).is_some_and(|it| it.kind == ProcKind::Ending) =>
            {
                Ok(Some(id))
            }
            Some(Err(reported)) => Err(reported),
            _ => {
                let message = format!("no ending is called `{name}`");
                Err(self.complain(
                    codes::UNKNOWN_NAME,
                    name.span,
                    message,
                    "write the name behind `end`",
                ))
            }
        }
    }

    /// What a seat sees of a place or a value.
    fn sees(&mut self, who: &ast::Expr, what: &ast::Expr, text: &ast::Text) -> Checked<ExpectKind> {
        let who = self.seat_of(who);
        let looked = match self.thing(what, None)? {
            Thing::Value(value) => Looked::Value(value),
            Thing::Place(place) => Looked::Place(place),
            Thing::Track(_) | Thing::Table(_) => {
                return Err(self.complain(
                    codes::NOT_A_PLACE,
                    what.span,
                    "this has many values",
                    "say which one is looked at: `coins[anna]`",
                ));
            }
            Thing::Family(_) | Thing::Domain(_) => self.place(what).map(Looked::Place)?,
        };
        Ok(ExpectKind::Sees(present(who?), looked, text.text.clone()))
    }
}

//! The positions from which rulings and studies start.

use crate::check::{Checked, Checker};
use crate::diagnostic::codes;
use crate::model::{ClauseId, ClauseKind, ProcId, Start};
use crate::source::Span;
use crate::syntax::ast;

/// The seed of a ruling that names none.
const SEED: u64 = 1;

impl Checker<'_> {
    /// Says how a position comes about; not at all if it starts at a step that this game does not have.
    pub(in crate::check) fn start_of(
        &mut self,
        it: Option<&ast::Given>,
        given: Option<ProcId>,
    ) -> Checked<Option<Start>> {
        let from = it.and_then(|it| it.from.as_ref());
        let at = match from.and_then(|it| it.at.as_ref()) {
            Some(path) => match self.start(path)? {
                None => return Ok(None),
                step => step,
            },
            None => None,
        };
        let seed = from.map_or(SEED, |it| u64::try_from(it.seed.value).unwrap_or(SEED));
        Ok(Some(Start { seed, at, given }))
    }

    /// Finds the step that a position starts at; none if the readings fold it away.
    fn start(&mut self, path: &ast::Path) -> Checked<Option<ClauseId>> {
        let address = path.to_string();
        let found = self.paths.get(&address).copied();
        let step = found.filter(|id| {
            let kind = self.game.clauses.get(id.index()).map(|it| it.kind);
            kind == Some(ClauseKind::Step)
        });
        match step {
            Some(id) => Ok(Some(id)),
            None if self.folded_paths.contains(&address) => Ok(None),
            None => {
                let mut list: Vec<String> = self
                    .game
                    .clauses
                    .iter()
                    .filter(|it| it.kind == ClauseKind::Step)
                    .map(|it| it.path.clone())
                    .collect();
                list.sort();
                let name = ast::Name {
                    text: address.clone(),
                    span: path.span,
                };
                let message = format!("no step has the address `{address}`");
                if list.is_empty() {
                    return Err(self.complain(
                        codes::UNKNOWN_ADDRESS,
                        path.span,
                        message,
                        "there are no steps: put one around where it begins, `step play { … }`, and write `from seed 1 at main.play`",
                    ));
                }
                Err(self.not_among(codes::UNKNOWN_ADDRESS, &name, message, &list))
            }
        }
    }
}

/// The number of seats that a position names.
pub(in crate::check) fn players(given: Option<&ast::Given>) -> Option<(u32, Span)> {
    let players = given?.from.as_ref()?.players?;
    Some((u32::try_from(players.value).unwrap_or(0), players.span))
}

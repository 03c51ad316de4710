//! The positions from which rulings and studies start.

use crate::check::{Checked, Checker};
use crate::diagnostic::codes;
use crate::model::{ClauseId, ClauseKind, ProcId, Start};
use crate::source::Span;
use crate::syntax::ast;

/// The seed of a ruling that names none.
const SEED: u64 = 1;

/// What sets up a position.
pub(in crate::check) struct GivenBody<'a> {
    /// What happens before.
    pub(in crate::check) base: Option<ProcId>,
    /// What happens then.
    pub(in crate::check) body: Option<&'a ast::Block>,
}

impl<'a> Checker<'a> {
    /// Says how a position comes about; not at all if it starts at a step that this game does not have.
    pub(in crate::check) fn start_of(
        &mut self,
        it: Option<&ast::Given>,
        given: Option<ProcId>,
    ) -> Checked<Option<Start>> {
        let from = self.root(it).and_then(|it| it.from.as_ref());
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

    /// The position with which a position begins.
    fn root<'g>(&self, given: Option<&'g ast::Given>) -> Option<&'g ast::Given>
    where
        'a: 'g,
    {
        let mut given = given?;
        for _ in 0..=self.entries.len() {
            let Some(base) = &given.base else {
                break;
            };
            match self.position_named(base.as_str()) {
                Some(next) => given = next,
                None => break,
            }
        }
        Some(given)
    }

    fn position_named(&self, name: &str) -> Option<&'a ast::Given> {
        let index = self.names.get(name)?;
        match &self.entries.get(*index)?.composite.item.kind {
            ast::ItemKind::Position(it) => Some(&it.given),
            _ => None,
        }
    }

    /// The number of seats that a position names.
    pub(in crate::check) fn players(&self, given: Option<&ast::Given>) -> Option<(u32, Span)> {
        let given = given?;
        let players = match &given.base {
            Some(base) => self.root(self.position_named(base.as_str()))?,
            None => given,
        };
        let players = players.from.as_ref()?.players?;
        Some((u32::try_from(players.value).unwrap_or(0), players.span))
    }

    /// Finds with which position each one begins.
    pub(super) fn given_bases(&mut self) {
        for (index, id) in self.givens.clone() {
            let Some(entry) = self.entries.get(index) else {
                return;
            };
            let (item, clause) = (&entry.composite.item, entry.clause);
            let given = super::case(&item.kind).and_then(|(_, given)| given);
            let (Some(given), Some(id)) = (given, id) else {
                continue;
            };
            let Some(base) = &given.base else {
                continue;
            };
            if let Some(from) = &given.from {
                self.complain(
                    codes::MISPLACED,
                    from.span,
                    format!("it begins as `{base}` does"),
                    "leave this out, or the name behind `given`",
                );
                continue;
            }
            match self.positions.get(base.as_str()).copied() {
                Some(found) => {
                    if let Some(body) = self.given_bodies.get_mut(&id) {
                        body.base = Some(found);
                    }
                }
                None => {
                    let mut list: Vec<String> =
                        self.positions.keys().map(|it| (*it).to_owned()).collect();
                    list.sort();
                    let message = format!("no position is called `{base}`");
                    let found = self.unless_lapsed(clause, |this| -> Checked<()> {
                        Err(this.not_among(codes::UNKNOWN_NAME, base, message, &list))
                    });
                    if let Ok(None) = found {
                        let said = std::mem::take(&mut self.lapsed_for);
                        self.lapsed.insert(id, said);
                    }
                }
            }
        }
    }

    /// Complains of positions that begin with themselves, and lets them begin with none.
    pub(super) fn circles(&mut self) {
        for (index, id) in self.givens.clone() {
            let Some(id) = id else { continue };
            let mut at = id;
            for _ in 0..=self.givens.len() {
                match self.given_bodies.get(&at).and_then(|it| it.base) {
                    Some(base) => at = base,
                    None => break,
                }
                if at == id {
                    let name = self.item(index).kind.name();
                    let name = name.map_or_else(Span::default, |it| it.span);
                    self.complain(
                        codes::CIRCULAR,
                        name,
                        "this position begins with itself",
                        "let one of those that begin with each other begin `from seed 1 at …`",
                    );
                    if let Some(body) = self.given_bodies.get_mut(&id) {
                        body.base = None;
                    }
                    break;
                }
            }
        }
    }

    /// What was wrong with a position, or one that it begins with, where it lapsed.
    pub(super) fn lapsed_at(&self, id: ProcId) -> Option<Vec<crate::diagnostic::Diagnostic>> {
        let mut at = Some(id);
        for _ in 0..=self.givens.len() + self.given_bodies.len() {
            let id = at?;
            if let Some(said) = self.lapsed.get(&id) {
                return Some(said.clone());
            }
            at = self.given_bodies.get(&id).and_then(|it| it.base);
        }
        None
    }
}

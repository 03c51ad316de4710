//! What was chosen last wherever the rules are looked through, and whether something hidden decides what happens before
//! anybody chooses again.

use std::collections::BTreeSet;

use super::look::Look;
use crate::engine::op::ChoiceKind;
use crate::model::{ActionId, Alt, AltKind, ClauseId, ProcKind, Stmt};

/// An alternative of a choice, by where the choice stands in the rules. Choices that stand in one clause may have
/// others.
pub(super) type Site = (ClauseId, Chosen);

/// What may be chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chosen {
    Action(ActionId),
    /// Something else, by its name.
    Named(String),
    /// A value of `choose x in S`.
    Value,
}

impl Chosen {
    pub fn of(kind: &ChoiceKind) -> Self {
        match kind {
            ChoiceKind::Action(id) => Self::Action(*id),
            ChoiceKind::Inline { name, .. } => Self::Named(name.clone()),
            ChoiceKind::Value(_) => Self::Value,
        }
    }
}

impl Look<'_, '_> {
    /// The alternatives between which and the next choice something hidden may decide what happens.
    pub fn decided(mut self) -> BTreeSet<Site> {
        // What one procedure leaves behind may be an argument of another, and what was chosen last before a call is so
        // behind it.
        loop {
            self.round += 1;
            let before = (self.known.untold.len(), self.called.len());
            let passed = self.called.clone();
            for flow in &self.game().procs {
                if flow.kind == ProcKind::Flow {
                    self.live.clear();
                    self.leaving.clear();
                    self.block(&flow.body, false);
                }
            }
            let mut now = self.called.iter().zip(&passed);
            if before == (self.known.untold.len(), passed.len())
                && now.all(|(now, then)| now.1.live == then.1.live)
            {
                return self.decided;
            }
        }
    }

    /// Something hidden may decide what happens here.
    pub(super) fn decides(&mut self, is_hidden: bool) {
        if is_hidden {
            self.decided.extend(self.live.iter().cloned());
        }
    }

    /// Ways of which one is gone.
    pub(super) fn ways<'s>(&mut self, ways: impl IntoIterator<Item = &'s [Stmt]>, hidden: bool) {
        let before = self.live.clone();
        let mut behind = BTreeSet::new();
        for way in ways {
            self.live.clone_from(&before);
            self.block(way, hidden);
            behind.append(&mut self.live);
        }
        self.live = behind;
    }

    /// What is done any number of times.
    pub(super) fn rounds(&mut self, mut round: impl FnMut(&mut Self)) {
        loop {
            let before = self.live.clone();
            round(self);
            self.live
                .extend(self.leaving.iter().chain(&before).cloned());
            if self.live == before {
                return;
            }
        }
    }

    /// Goes on elsewhere.
    pub(super) fn leave(&mut self, hidden: bool) {
        self.decides(hidden);
        self.leaving.append(&mut self.live);
    }

    /// What was chosen last behind a choice; none where nobody asks for it.
    pub(super) fn sites(
        &self,
        clause: ClauseId,
        may: impl IntoIterator<Item = Chosen>,
    ) -> BTreeSet<Site> {
        let may = may.into_iter().filter(|_| !self.picks);
        may.map(|it| (clause, it)).collect()
    }

    /// Alternatives of which one is chosen, and what happens then; a further one does nothing.
    pub(super) fn alts<'s>(
        &mut self,
        alts: impl Iterator<Item = &'s Alt>,
        clause: ClauseId,
        further: Option<&str>,
    ) {
        let further = further.map(|it| Chosen::Named(it.to_owned()));
        let mut behind = self.sites(clause, further);
        let before = self.live.clone();
        for alt in alts {
            let offered = alt.offered.as_ref();
            let is_open = offered.is_none_or(|it| self.is_open(&it.cond));
            self.live.clone_from(&before);
            self.decides(!is_open || !self.are_open(&alt.among));
            let (chosen, action) = match &alt.kind {
                AltKind::Action(id, _) => {
                    (Chosen::Action(*id), self.game().actions.get(id.index()))
                }
                AltKind::Inline { name, .. } => (Chosen::Named(name.clone()), None),
            };
            self.live = self.sites(clause, [chosen]);
            if let Some(action) = action.filter(|_| !self.picks) {
                self.call(action.body, &[], false);
            }
            self.block(&alt.then, false);
            behind.append(&mut self.live);
        }
        self.live = behind;
    }
}

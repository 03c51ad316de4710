//! Of which readings a ruling speaks besides those that are chosen.

use crate::check::Checker;
use crate::model::{Base, ClauseId, SettingId};
use crate::syntax::ast::{self, ItemKind};

impl Checker<'_> {
    /// Whether a ruling may name what these rules do not have: under an amendment that it does not know, under
    /// a reading that changes the rules, or where it speaks of another reading.
    pub(super) fn may_lapse(&self, clause: ClauseId) -> bool {
        !self.is_among_its_own(clause)
            || !self.composed.worked_in.is_empty()
            || self.speaks_of_others.contains(&clause)
    }

    /// Notes of which other readings an expectation speaks.
    pub(super) fn note_other_reading(&mut self, id: &str, under: Vec<(SettingId, i64)>) {
        let other = (id.to_owned(), under);
        let is_known = self.game.other_readings.contains(&other);
        if !is_known && !other.1.iter().all(|it| self.is_chosen(it)) {
            self.game.other_readings.push(other);
        }
    }

    /// Notes of which other readings a ruling speaks that names what these rules do not have.
    pub(super) fn note_readings_of(&mut self, kind: &ItemKind) {
        let ItemKind::Ruling(ruling) = kind else {
            return;
        };
        for said in ruling.expects() {
            let under: Option<Vec<_>> = said.under.iter().map(|it| self.plainly(it)).collect();
            if let Some(under) = under {
                self.note_other_reading(&ruling.id.text, under);
            }
        }
    }

    /// Returns the settings that a ruling names and for whose values here it was not written: those that are not as usual,
    /// and under an amendment that it does not know those under which it says something else than at large.
    pub(super) fn foreign(
        &self,
        it: &ast::Ruling,
        answers: &[SettingId],
        instead: Vec<SettingId>,
        clause: ClauseId,
    ) -> Vec<SettingId> {
        let expects = it.expects().into_iter();
        let named = expects.flat_map(|it| it.under);
        let named = named.filter_map(|it| Some(self.plainly(it)?.0));
        let is_unusual = |it: &SettingId| {
            let setting = self.game.settings.get(it.index());
            setting.is_some_and(|it| it.asked && it.value != it.default)
        };
        let named = answers.iter().copied().chain(named);
        let mut all: Vec<SettingId> = named.filter(is_unusual).collect();
        if !self.is_among_its_own(clause) {
            all.extend(instead);
        }
        all.sort_by_key(|it| it.index());
        all.dedup();
        all
    }

    /// Returns the readings that an expectation speaks of, if they are not those that are chosen.
    pub(super) fn other_reading_of(&self, under: &[&ast::Under]) -> Option<Vec<(SettingId, i64)>> {
        let under: Option<Vec<_>> = under.iter().map(|it| self.plainly(it)).collect();
        under.filter(|it| !it.iter().all(|it| self.is_chosen(it)))
    }

    /// Whether an expectation speaks of just those readings that change the rules here, and its ruling was written for
    /// all that is here.
    pub(super) fn is_only_heard_here(&self, under: &[&ast::Under], clause: ClauseId) -> bool {
        let mut worked_in = self.composed.worked_in.iter();
        let is_named = |title: &String| {
            under.iter().any(|under| {
                let name = under.setting.segments.first().map(|it| it.as_str());
                title.split(" = ").next() == name
            })
        };
        !self.composed.worked_in.is_empty()
            && worked_in.all(is_named)
            && self.is_among_its_own(clause)
    }

    pub(super) fn names_other_readings(&self, kind: &ItemKind) -> bool {
        let ItemKind::Ruling(ruling) = kind else {
            return false;
        };
        let expects = ruling.expects().into_iter();
        let mut under = expects.flat_map(|it| it.under);
        under.any(|it| self.plainly(it).is_some_and(|it| !self.is_chosen(&it)))
    }

    /// Returns the reading or the value behind `under` where it is written out; nothing is said of what is
    /// not.
    fn plainly(&self, it: &ast::Under) -> Option<(SettingId, i64)> {
        let name = it.setting.segments.first()?.as_str();
        let at = self.game.settings.iter().position(|it| it.name == name)?;
        let id = SettingId(u32::try_from(at).ok()?);
        let value = match (&it.value.kind, self.game.settings.get(at)?.ty.base) {
            (ast::ExprKind::Name(value), Base::Elem(domain)) => {
                self.value_of(domain, value.as_str())?
            }
            (ast::ExprKind::Number(value), Base::Int(..)) => i64::from(*value),
            (ast::ExprKind::Bool(value), Base::Bool) => i64::from(*value),
            _ => return None,
        };
        Some((id, value))
    }
}

//! Rulings.
//!
//! An expectation with `under` belongs to the games with these readings. Of the expectations that
//! fit a game, one whose `under` is part of another one's gives way to it; so what is expected
//! without `under` holds wherever nothing more precise is said.

mod expects;
mod offers;
mod readings;
mod scenes;
mod start;

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    ClauseId, Expect, Played, PlayedAlt, Proc, ProcId, ProcKind, Ruling, SettingId, Silence, Start,
    Type, Unheard,
};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

pub(super) use self::start::GivenBody;
use super::constant::Const;
use super::noted::Taken;
use super::operator::present;
use super::scope::{Body, Me};
use scenes::Scenes;

use super::{Checked, Checker, Entity, Reported};

impl<'a> Checker<'a> {
    /// Makes the events that set up positions; they are checked like all others.
    pub(super) fn ruling_heads(&mut self) {
        for index in 0..self.entries.len() {
            let Some(entry) = self.entries.get(index) else {
                return;
            };
            let (item, clause) = (&entry.composite.item, entry.clause);
            let Some((name, given)) = case(&item.kind) else {
                continue;
            };
            self.homes.insert(clause, &entry.composite.home);
            if self.names_other_readings(&item.kind) {
                self.speaks_of_others.insert(clause);
            }
            let is_here = self.is_for_this_table(given);
            let id = given.filter(|_| is_here).map(|given| {
                let body = Some(&given.body);
                self.given_head(item, name, clause, body)
            });
            if let (ItemKind::Position(_), Some(id)) = (&item.kind, id) {
                self.positions.insert(&name.text, id);
            }
            if let ItemKind::Ruling(ruling) = &item.kind
                && is_here
            {
                for more in ruling.additions() {
                    let part = self.given_head(item, name, clause, Some(more));
                    self.additions
                        .insert((more.span.file, more.span.start), part);
                    // It follows on the position of its ruling.
                    if let Some(body) = self.given_bodies.get_mut(&part) {
                        body.base = id;
                    }
                }
            }
            self.givens.push((index, id));
        }
        self.given_bases();
        self.circles();
    }

    /// Makes an event that sets up a position.
    fn given_head(
        &mut self,
        item: &'a ast::Item,
        name: &ast::Name,
        clause: ClauseId,
        body: Option<&'a ast::Block>,
    ) -> ProcId {
        let proc = Proc {
            name: name.text.clone(),
            kind: ProcKind::Event,
            params: Vec::new(),
            body: Vec::new(),
            ty: Type::UNIT,
            depth: 0,
            chooses: false,
            clause,
        };
        let id = self.add_proc(proc, item, name.span);
        self.given_bodies.insert(id, GivenBody { base: None, body });
        id
    }

    fn is_for_this_table(&self, given: Option<&ast::Given>) -> bool {
        let players = self.players(given);
        players.is_none_or(|(count, _)| count == self.game.n_seats)
    }

    /// Whether a ruling was written for these amendments and this number of seats.
    fn is_at_home(&self, it: &ast::Ruling, clause: ClauseId) -> bool {
        (self.players(it.given.as_ref()).is_some() || self.game.n_seats == self.game.seat_range.0)
            && self.is_among_its_own(clause)
    }

    /// Whether every reading but these is the usual one.
    fn is_usual_but_for(&self, under: &[(SettingId, i64)]) -> bool {
        let named = |at: usize| under.iter().any(|(it, _)| it.index() == at);
        let settings = self.game.settings.iter().enumerate();
        settings
            .filter(|(at, _)| !named(*at))
            .all(|(_, it)| it.value == it.default)
    }

    /// Whether a ruling knows all amendments of these rules.
    fn is_among_its_own(&self, clause: ClauseId) -> bool {
        let home = self.homes.get(&clause);
        let known = |name| home.is_some_and(|home| home.contains(name));
        self.composed.amendments.iter().all(known)
    }

    /// Notes that this game makes nothing of a ruling or study.
    fn unheard(&mut self, item: &ast::Item, clause: ClauseId, why: Silence, said: Vec<Diagnostic>) {
        let (id, title, is_study) = match &item.kind {
            ItemKind::Ruling(it) => (&it.id, &it.title, false),
            ItemKind::Study(it) => (&it.id, &it.title, true),
            _ => return,
        };
        self.game.unheard.push(Unheard {
            id: id.text.clone(),
            title: title.text.clone(),
            is_study,
            span: item.span,
            why,
            said,
            home: self
                .homes
                .get(&clause)
                .map(|it| (*it).clone())
                .unwrap_or_default(),
        });
    }

    /// Checks a piece of a ruling. Where it may speak of what is not there it lapses, and that is no error.
    pub(super) fn unless_lapsed<T>(
        &mut self,
        clause: ClauseId,
        check: impl FnOnce(&mut Self) -> Checked<T>,
    ) -> Checked<Option<T>> {
        let (said, errors) = (self.diagnostics.len(), self.errors);
        let checked = check(self);
        let is_sound = self.errors == errors;
        match checked {
            Ok(piece) if is_sound => Ok(Some(piece)),
            _ if self.may_lapse(clause) => {
                self.lapsed_for = self.diagnostics.split_off(said);
                self.errors = errors;
                Ok(None)
            }
            Ok(piece) => Ok(Some(piece)),
            Err(reported) => Err(reported),
        }
    }

    pub(super) fn rulings(&mut self) {
        self.game.other_tables = self.other_tables();
        for (index, given) in std::mem::take(&mut self.givens) {
            let Some(entry) = self.entries.get(index) else {
                return;
            };
            let (item, clause) = (&entry.composite.item, entry.clause);
            let Some((name, place)) = case(&item.kind) else {
                continue;
            };
            let players = self.players(place);
            if let Some((count, _)) = players.filter(|_| !self.is_for_this_table(place)) {
                self.unheard(item, clause, Silence::Seats(count), Vec::new());
                continue;
            }
            if let Some(said) = given.and_then(|it| self.lapsed_at(it)) {
                self.note_readings_of(&item.kind);
                self.unheard(item, clause, Silence::Missing, said);
                continue;
            }
            let body = Body {
                me: Me::Nobody("a ruling or study names the seat"),
                path: name.text.clone(),
                clause,
                ..Body::default()
            };
            match &item.kind {
                ItemKind::Ruling(it) => {
                    let ruling = self.unless_lapsed(clause, |this| {
                        this.in_body(body, |this| this.ruling(it, item.span, clause, given))
                    });
                    match ruling {
                        Ok(Some(Some(lines))) => self.game.rulings.extend(lines),
                        Ok(Some(None)) => self.unheard(item, clause, Silence::Step, Vec::new()),
                        Ok(None) => {
                            self.note_readings_of(&item.kind);
                            let said = std::mem::take(&mut self.lapsed_for);
                            self.unheard(item, clause, Silence::Missing, said);
                        }
                        Err(Reported) => {}
                    }
                }
                ItemKind::Study(it) => {
                    let study = self.unless_lapsed(clause, |this| {
                        this.in_body(body, |this| this.study(it, clause, given))
                    });
                    match study {
                        Ok(Some(Some(study))) => self.game.studies.push(study),
                        Ok(Some(None)) => self.unheard(item, clause, Silence::Step, Vec::new()),
                        Ok(None) => {
                            let said = std::mem::take(&mut self.lapsed_for);
                            self.unheard(item, clause, Silence::Missing, said);
                        }
                        Err(Reported) => {}
                    }
                }
                _ => {}
            }
        }
        for wrong in std::mem::take(&mut self.wrong_here) {
            self.report(wrong);
        }
    }

    /// Collects the numbers of seats that rulings and studies name and this game has not.
    fn other_tables(&mut self) -> Vec<u32> {
        let named: Vec<(u32, Span)> = self
            .givens
            .iter()
            .filter_map(|(index, _)| {
                let (_, given) = case(&self.entries.get(*index)?.composite.item.kind)?;
                self.players(given)
            })
            .collect();
        let (least, most) = self.game.seat_range;
        for (count, span) in &named {
            if !(least..=most).contains(count) {
                self.seats_refused(*count, *span);
            }
        }
        let numbers = named.into_iter().map(|(count, _)| count);
        let others =
            numbers.filter(|count| *count != self.game.n_seats && (least..=most).contains(count));
        BTreeSet::from_iter(others).into_iter().collect()
    }

    /// Checks a ruling; there is none if it starts at a step that this game does not have.
    fn ruling(
        &mut self,
        it: &'a ast::Ruling,
        span: Span,
        clause: ClauseId,
        given: Option<ProcId>,
    ) -> Checked<Option<Vec<Ruling>>> {
        let mut answers = Vec::new();
        for name in &it.answers {
            answers.push(self.setting_named(name));
        }
        let start = self.start_of(it.given.as_ref(), given);
        if it.expects().is_empty() {
            return Err(self.complain(
                codes::MISPLACED,
                it.id.span,
                "this ruling expects nothing",
                "write `expect …` behind what is played",
            ));
        }
        let mut scenes = Scenes::new(it, clause);
        self.scenes(&mut scenes, &it.scenes);
        let lines = scenes.lines();
        let answers: Checked<Vec<SettingId>> = answers.into_iter().collect();
        let mut checked = Vec::new();
        for line in lines {
            let when: Checked<Vec<Played>> = line.when.into_iter().collect();
            let expects: Checked<Vec<Expect>> = line.expects.into_iter().collect();
            checked.push((when, expects, line.given, line.loose));
        }
        let (answers, start) = (answers?, start?);
        let at_home = self.is_at_home(it, clause);
        let mut rulings = Vec::new();
        for (when, expects, more, loose) in checked {
            let (when, expects) = (when?, expects?);
            for expect in &expects {
                self.note_other_reading(&it.id.text, expect.under.clone());
            }
            let Some(start) = start else {
                continue;
            };
            rulings.push(Ruling {
                id: it.id.text.clone(),
                title: it.title.text.clone(),
                answers: answers.clone(),
                players: self.players(it.given.as_ref()).map(|(count, _)| count),
                at_home: at_home && self.is_usual_but_for(&[]),
                start: Start {
                    given: more.or(start.given),
                    ..start
                },
                when,
                expects,
                loose,
                foreign: Vec::new(),
                span,
                clause,
            });
        }
        if start.is_none() {
            return Ok(None);
        }
        let instead = self.fitting(&mut rulings);
        let foreign = self.foreign(it, &answers, instead, clause);
        for line in &mut rulings {
            line.foreign.clone_from(&foreign);
        }
        for expect in rulings.iter_mut().flat_map(|it| &mut it.expects) {
            expect.at_home = at_home && self.is_usual_but_for(&expect.under);
        }
        Ok(Some(rulings))
    }

    /// Checks what is expected; nothing, if it speaks of a reading that is not chosen and names what only that
    /// reading brings: then it is left to those rules.
    fn expect_or_leave(
        &mut self,
        (ruling, clause): (&'a ast::Ruling, ClauseId),
        outer: &[&'a ast::Under],
        line: &'a ast::Expect,
        is_played: bool,
    ) -> Option<Checked<Expect>> {
        let under: Vec<&ast::Under> = outer.iter().copied().chain(&line.under).collect();
        if let Some(other) = self.other_reading_of(&under) {
            let checked = self.unless_lapsed(clause, |this| this.expect(line, &under, is_played));
            if let Ok(None) = checked {
                self.note_other_reading(&ruling.id.text, other.clone());
                self.game.heard_under.push(other);
            }
            return checked.transpose();
        }
        let (said, errors) = (self.diagnostics.len(), self.errors);
        let checked = self.expect(line, &under, is_played);
        // No other rules will hear it.
        if self.errors > errors && self.is_only_heard_here(&under, clause) {
            let wrong = self.diagnostics.get(said..).unwrap_or_default();
            self.wrong_here.extend(wrong.iter().cloned());
        }
        Some(checked)
    }

    fn played(&mut self, play: &'a ast::Play, span: Span) -> Checked<Played> {
        let expects = std::mem::replace(&mut self.expects, true);
        let who = self.seat_of(&play.who);
        self.expects = expects;
        let alt = self.played_alt(&play.alternative);
        Ok(Played {
            who: present(who?),
            alt: alt?,
            span,
        })
    }

    pub(super) fn played_alt(&mut self, alternative: &ast::Alternative) -> Checked<PlayedAlt> {
        let name = &alternative.name;
        if let Some(Ok(Entity::Action(_))) = self.named(name.as_str()) {
            return self.named_action(alternative).map(PlayedAlt::Action);
        }
        if let Some(text) = alternative.text.as_ref().and_then(|it| it.plain()) {
            return Ok(PlayedAlt::Text(text.to_owned()));
        }
        if let Some((_, text)) = self.options.iter().find(|(it, _)| *it == name.text) {
            let text = text.clone();
            self.note(name, Taken::Word);
            return Ok(PlayedAlt::Text(text));
        }
        if matches!(name.as_str(), "decline" | "done") {
            self.note(name, Taken::Word);
            return Ok(PlayedAlt::Text(name.text.clone()));
        }
        let enums = self.enums_named(name.as_str());
        if let Some(domain) = enums.first() {
            let value = self.value_of(*domain, name.as_str()).unwrap_or(0);
            self.note_inside(name, *domain);
            return Ok(PlayedAlt::Text(self.printed_value(*domain, value)));
        }
        self.named_action(alternative).map(PlayedAlt::Action)
    }

    fn printed_value(&self, domain: crate::model::DomainId, value: i64) -> String {
        let kind = self.domain(domain).map(|it| &it.kind);
        let Some(crate::model::DomainKind::Enum { values, .. }) = kind else {
            return String::new();
        };
        let value = usize::try_from(value).ok().and_then(|it| values.get(it));
        value.map_or(String::new(), |it| {
            it.symbol.clone().unwrap_or_else(|| it.name.clone())
        })
    }

    fn expect(
        &mut self,
        it: &'a ast::Expect,
        settings: &[&'a ast::Under],
        is_played: bool,
    ) -> Checked<Expect> {
        self.expects = true;
        let kind = self.expect_kind(it, is_played);
        self.expects = false;
        let mut under = Vec::new();
        for setting in settings {
            under.push(self.under(setting));
        }
        let under: Checked<Vec<_>> = under.into_iter().collect();
        Ok(Expect {
            after: 0,
            kind: kind?,
            under: under?,
            at_home: false,
            span: it.span,
        })
    }

    fn under(&mut self, it: &'a ast::Under) -> Checked<(SettingId, i64)> {
        let Some(name) = it.setting.segments.first() else {
            return Err(Reported);
        };
        let id = self.setting_named(name)?;
        let Some(ty) = self.game.settings.get(id.index()).map(|it| it.ty) else {
            return Err(Reported);
        };
        let value = self.typed(&it.value, ty)?;
        match self.constant_or_error(&value)? {
            Const::Scalar(value) => Ok((id, value)),
            Const::Set(_) => Err(self.mismatch(&value, ty)),
        }
    }

    fn is_chosen(&self, (setting, value): &(SettingId, i64)) -> bool {
        self.game.settings.get(setting.index()).map(|it| it.value) == Some(*value)
    }

    /// Keeps the most precise of the expectations that fit this game, over all lines of a ruling. Returns the settings
    /// under which something else is expected than at large.
    fn fitting(&self, lines: &mut [Ruling]) -> Vec<SettingId> {
        let fits = |it: &Expect| it.under.iter().all(|it| self.is_chosen(it));
        let all = lines.iter().flat_map(|it| &it.expects);
        let fitting: Vec<Expect> = all.filter(|it| fits(it)).cloned().collect();
        let narrower = |wide: &Expect, narrow: &Expect| {
            wide.after == narrow.after
                && wide.under.len() < narrow.under.len()
                && wide.under.iter().all(|it| narrow.under.contains(it))
        };
        let instead = fitting
            .iter()
            .filter(|it| fitting.iter().any(|wide| narrower(wide, it)));
        let instead = instead.flat_map(|it| it.under.iter().map(|it| it.0));
        for line in lines {
            line.expects
                .retain(|it| fits(it) && !fitting.iter().any(|other| narrower(it, other)));
        }
        instead.collect()
    }

    /// Remembers how the options written in place are printed, for rulings that choose them.
    pub(super) fn remember_option(&mut self, name: &str, text: &str) {
        if !self.options.iter().any(|(it, _)| it == name) {
            self.options.push((name.to_owned(), text.to_owned()));
        }
    }
}

/// The id and the position of a ruling, study or position.
fn case(item: &ItemKind) -> Option<(&ast::Name, Option<&ast::Given>)> {
    match item {
        ItemKind::Ruling(it) => Some((&it.id, it.given.as_ref())),
        ItemKind::Study(it) => Some((&it.id, it.given.as_ref())),
        ItemKind::Position(it) => Some((&it.name, Some(&it.given))),
        _ => None,
    }
}

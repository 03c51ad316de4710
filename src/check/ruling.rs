//! Rulings.
//!
//! An expectation with `under` belongs to the games with these readings. Of the expectations that
//! fit a game, one whose `under` is part of another one's gives way to it; so what is expected
//! without `under` holds wherever nothing more precise is said.

mod readings;
mod scenes;
mod start;

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    ClauseId, ClauseKind, Expect, ExpectKind, Looked, Played, PlayedAlt, Proc, ProcId, ProcKind,
    Ruling, SettingId, Silence, Type, Unheard,
};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

pub(super) use self::start::players;
use super::constant::Const;
use super::operator::present;
use super::scope::{Body, Me};
use super::thing::Thing;
use scenes::Told;

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
            let id = given.filter(|_| self.is_for_this_table(given)).map(|_| {
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
                self.add_proc(proc, item, name.span)
            });
            self.givens.push((index, id));
        }
    }

    fn is_for_this_table(&self, given: Option<&ast::Given>) -> bool {
        players(given).is_none_or(|(count, _)| count == self.game.n_seats)
    }

    /// Whether a ruling was written for these amendments and this number of seats.
    fn is_at_home(&self, it: &ast::Ruling, clause: ClauseId) -> bool {
        (players(it.given.as_ref()).is_some() || self.game.n_seats == self.game.seat_range.0)
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
            if let Some((count, _)) = players(place).filter(|_| !self.is_for_this_table(place)) {
                self.unheard(item, clause, Silence::Seats(count), Vec::new());
                continue;
            }
            if let Some(said) = given.and_then(|it| self.lapsed.remove(&it)) {
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
                        Ok(Some(Some(ruling))) => self.game.rulings.push(ruling),
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
                players(given)
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
    ) -> Checked<Option<Ruling>> {
        let mut answers = Vec::new();
        for name in &it.answers {
            answers.push(self.setting_named(name));
        }
        let start = self.start_of(it.given.as_ref(), given);
        let mut told = Told::default();
        self.scenes((it, clause), &it.scenes, &mut told);
        let Told { when, expects, .. } = told;
        if it.expects().is_empty() {
            return Err(self.complain(
                codes::MISPLACED,
                it.id.span,
                "this ruling expects nothing",
                "write `expect …` behind what is played",
            ));
        }
        let answers: Checked<Vec<SettingId>> = answers.into_iter().collect();
        let when: Checked<Vec<Played>> = when.into_iter().collect();
        let expects: Checked<Vec<Expect>> = expects.into_iter().collect();
        let (answers, start, when, expects) = (answers?, start?, when?, expects?);
        for expect in &expects {
            self.note_other_reading(&it.id.text, expect.under.clone());
        }
        let Some(start) = start else {
            return Ok(None);
        };
        let at_home = self.is_at_home(it, clause);
        let mut expects = self.fitting(expects);
        for expect in &mut expects {
            expect.at_home = at_home && self.is_usual_but_for(&expect.under);
        }
        Ok(Some(Ruling {
            id: it.id.text.clone(),
            title: it.title.text.clone(),
            answers,
            players: players(it.given.as_ref()).map(|(count, _)| count),
            at_home: at_home && self.is_usual_but_for(&[]),
            start,
            when,
            expects,
            span,
            clause,
        }))
    }

    /// Checks what is expected; nothing, if it speaks of a reading that is not chosen and names what only that
    /// reading brings: then it is left to those rules.
    fn expect_or_leave(
        &mut self,
        (ruling, clause): (&'a ast::Ruling, ClauseId),
        line: &'a ast::Expect,
        is_played: bool,
    ) -> Option<Checked<Expect>> {
        if let Some(under) = self.other_reading_of(line) {
            let checked = self.unless_lapsed(clause, |this| this.expect(line, is_played));
            if let Ok(None) = checked {
                self.note_other_reading(&ruling.id.text, under.clone());
                self.game.heard_under.push(under);
            }
            return checked.transpose();
        }
        let (said, errors) = (self.diagnostics.len(), self.errors);
        let checked = self.expect(line, is_played);
        // No other rules will hear it.
        if self.errors > errors && self.is_only_heard_here(line, clause) {
            let wrong = self.diagnostics.get(said..).unwrap_or_default();
            self.wrong_here.extend(wrong.iter().cloned());
        }
        Some(checked)
    }

    fn played(&mut self, play: &'a ast::Play, span: Span) -> Checked<Played> {
        let who = self.seat_of(&play.who);
        let alt = self.played_alt(&play.alternative);
        Ok(Played {
            who: present(who?),
            alt: alt?,
            span,
        })
    }

    fn played_alt(&mut self, alternative: &'a ast::Alternative) -> Checked<PlayedAlt> {
        let name = &alternative.name;
        if let Some(Ok(Entity::Action(_))) = self.named(name.as_str()) {
            return self.named_action(alternative).map(PlayedAlt::Action);
        }
        if let Some(text) = alternative.text.as_ref().and_then(|it| it.plain()) {
            return Ok(PlayedAlt::Text(text.to_owned()));
        }
        if let Some((_, text)) = self.options.iter().find(|(it, _)| *it == name.text) {
            return Ok(PlayedAlt::Text(text.clone()));
        }
        if matches!(name.as_str(), "decline" | "done") {
            return Ok(PlayedAlt::Text(name.text.clone()));
        }
        let enums = self.enums_named(name.as_str());
        if let Some(domain) = enums.first() {
            let value = self.value_of(*domain, name.as_str()).unwrap_or(0);
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

    fn expect(&mut self, it: &'a ast::Expect, is_played: bool) -> Checked<Expect> {
        let kind = match &it.kind {
            ast::ExpectKind::Legal(play) => self.played(play, it.span).map(ExpectKind::Legal),
            ast::ExpectKind::Illegal { play, by } => {
                let played = self.played(play, it.span);
                let by = by
                    .as_ref()
                    .map(|by| self.refusing_clause(play.alternative.name.as_str(), by))
                    .transpose();
                Ok(ExpectKind::Illegal(played?, by?))
            }
            ast::ExpectKind::Offers { who, exactly } => {
                let who = self.seat_of(who);
                let alts: Vec<_> = exactly.iter().map(|it| self.played_alt(it)).collect();
                let alts: Checked<Vec<_>> = alts.into_iter().collect();
                Ok(ExpectKind::Offers(who?, alts?))
            }
            ast::ExpectKind::Ended { by } => {
                self.expected_ending(by.as_ref()).map(ExpectKind::Ended)
            }
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
        };
        let mut under = Vec::new();
        for setting in &it.under {
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

    /// The clause behind `by`: of the action that is refused, or of an event that it performs.
    fn refusing_clause(&mut self, action: &str, path: &ast::Path) -> Checked<ClauseId> {
        let address = path.to_string();
        let own = format!("{action}.{address}");
        if let Some(id) = self.paths.get(&own).or_else(|| self.paths.get(&address)) {
            return Ok(*id);
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

    /// Keeps the most precise of the expectations that fit this game.
    fn fitting(&self, expects: Vec<Expect>) -> Vec<Expect> {
        let fits: Vec<Expect> = expects
            .into_iter()
            .filter(|it| it.under.iter().all(|it| self.is_chosen(it)))
            .collect();
        let narrower = |wide: &Expect, narrow: &Expect| {
            wide.after == narrow.after
                && wide.under.len() < narrow.under.len()
                && wide.under.iter().all(|it| narrow.under.contains(it))
        };
        let gives_way = |it: &Expect| fits.iter().any(|other| narrower(it, other));
        fits.iter().filter(|it| !gives_way(it)).cloned().collect()
    }

    /// Remembers how the options written in place are printed, for rulings that choose them.
    pub(super) fn remember_option(&mut self, name: &str, text: &str) {
        if !self.options.iter().any(|(it, _)| it == name) {
            self.options.push((name.to_owned(), text.to_owned()));
        }
    }
}

/// The id and the position of a ruling or study.
fn case(item: &ItemKind) -> Option<(&ast::Name, Option<&ast::Given>)> {
    match item {
        ItemKind::Ruling(it) => Some((&it.id, it.given.as_ref())),
        ItemKind::Study(it) => Some((&it.id, it.given.as_ref())),
        _ => None,
    }
}

//! The chapters of a booklet besides the course of the game.

use crate::compose::Guard;
use crate::model::text::{Form, spelt};
use std::collections::{BTreeMap, BTreeSet};

use super::teller::{Teller, cited, said};
use super::{Bit, House, Line, Section, asked, capital, ended, in_words, is_long, marked, text};
use crate::model::Setting;
use crate::play::{seat_name, setting_value};
use crate::syntax::ast::{Expr, ExprKind, ItemKind, Template, TemplatePart};

impl Teller<'_> {
    /// The title, the players, and what the rulebook says of itself.
    pub(super) fn goal(&mut self) -> Vec<Section> {
        let header = &self.composed.header;
        let docs: Vec<&str> = header.docs.iter().map(|it| it.text.trim()).collect();
        let own = cited(&header.tail.cites, self.game).into_iter();
        let own = own.filter(|(id, _)| !self.owners.contains_key(id));
        let line = said(&docs.join(" "), own);
        let names = (0..self.game.n_seats).map(|seat| seat_name(self.game, seat, Form::Signs));
        let names = names.collect::<Vec<_>>().join(", ");
        let players = match self.game.seat_range {
            (least, most) if least == most => format!("For {most} players: {names}."),
            (least, most) => {
                format!(
                    "For {least} to {most} players; here {}: {names}.",
                    self.game.n_seats
                )
            }
        };
        let mut lines = vec![(0, line), (0, vec![text(players)])];
        lines.retain(|(_, it)| !it.is_empty());
        let with: Vec<&str> = self.titles.values().map(String::as_str).collect();
        if !with.is_empty() {
            let with = format!("{}: what comes from there is marked.", with.join(", "));
            lines.push((0, vec![text(with)]));
        }
        vec![Section {
            lines,
            ..Section::default()
        }]
    }

    pub(super) fn things(&mut self) -> Vec<Section> {
        let mut things = self.of_kinds(&[
            "enum",
            "record",
            "component",
            "space",
            "zone",
            "track",
            "table",
        ]);
        things.extend(self.supplies());
        things
    }

    /// Where things begin.
    fn supplies(&self) -> Option<Section> {
        let items = self.composed.items.iter();
        let supplies = items.filter(|it| matches!(it.item.kind, ItemKind::Supply(_)));
        let mut lines = Vec::new();
        for it in supplies {
            let item = &it.item;
            let docs: Vec<&str> = item.docs.iter().map(|it| it.text.trim()).collect();
            let mut line = said(&docs.join(" "), std::iter::empty());
            line.extend((!line.is_empty()).then(|| text(" ")));
            line.push(self.slice(item.span));
            lines.push((1, line));
            let by = self.brought_by(item.span);
            lines.extend(by.map(|by| (2, vec![text(ended(by))])));
        }
        (!lines.is_empty()).then(|| Section {
            title: vec![text("Where it begins")],
            lines,
            ..Section::default()
        })
    }

    pub(super) fn ends(&mut self) -> Vec<Section> {
        let entries = self.entries.iter().filter(|it| it.kind == "ending");
        let names: Vec<String> = entries.map(|it| it.address.clone()).collect();
        let mut sections = Vec::new();
        for address in names.into_iter().filter(|it| !it.contains('.')) {
            let Some(ItemKind::Ending(ending)) = self.items.get(&address).map(|it| &it.kind) else {
                continue;
            };
            let prose = self.prose(&address);
            let done = self.done(&address, &ending.body, &Line::new());
            let mut lines = vec![(0, prose)];
            lines.extend(done);
            lines.retain(|(_, it)| !it.is_empty());
            sections.push(Section {
                title: vec![text(in_words(&address))],
                house: self.house(&address),
                address,
                lines,
            });
        }
        sections
    }

    /// What is said of things of some kinds, in the order of the rulebook; of those of which nothing is said, nothing.
    pub(super) fn of_kinds(&mut self, kinds: &[&str]) -> Vec<Section> {
        let wanted = self.entries.iter();
        let wanted = wanted.filter(|it| kinds.contains(&it.kind) && !it.address.contains('.'));
        let wanted: Vec<String> = wanted.map(|it| it.address.clone()).collect();
        // Tracks for which nothing asks lie on the table all the same.
        let mut dead = self.composed.dead(&|_, _| true);
        dead.retain(|it| it.kind != "track");
        let mut sections = Vec::new();
        for address in wanted {
            // What nothing leads to any more is no rule.
            if dead.iter().any(|it| it.name == address) || !self.seen.insert(address.clone()) {
                continue;
            }
            let (mut said, house) = (self.prose(&address), self.house(&address));
            if said.is_empty() {
                said.extend(self.as_written(&address));
            }
            let mut line = vec![Bit::Word(in_words(&address))];
            if let Some(ItemKind::Define(it)) = self.items.get(&address).map(|it| &it.kind) {
                line.extend(self.formals(&it.params));
            }
            line.push(text(": "));
            line.append(&mut said);
            sections.push(Section {
                address,
                lines: vec![(0, line)],
                house,
                ..Section::default()
            });
        }
        sections
    }

    /// The text of something, where nothing else tells of it; what amendments add behind it.
    pub(super) fn as_written(&self, address: &str) -> Line {
        if let Some(ItemKind::Define(it)) = self.items.get(address).map(|it| &it.kind) {
            return self.worded(&it.value);
        }
        let Some(entry) = self.entry(address) else {
            return Line::new();
        };
        let mut line = vec![self.slice(entry.span)];
        let below = format!("{address}.");
        let inside = self.entries.iter();
        let inside = inside.filter(|it| it.address.starts_with(&below));
        for it in inside.filter(|it| it.span.file != entry.span.file) {
            line.extend([text(" and "), self.slice(it.span)]);
        }
        line
    }

    /// The actions in the order in which they are offered.
    pub(super) fn moves(&mut self, offered: &[String]) -> Vec<Section> {
        let mut sections = Vec::new();
        let actions = self.entries.iter().filter(|it| it.kind == "action");
        let all: Vec<String> = actions.map(|it| it.address.clone()).collect();
        for name in offered.iter().chain(&all) {
            let Some(ItemKind::Action(action)) = self.items.get(name).map(|it| &it.kind) else {
                continue;
            };
            if !action.alternatives.is_empty() || !self.seen.insert(name.clone()) {
                continue;
            }
            let mut title = vec![text(in_words(name))];
            let shown = action.text.as_ref().map(|it| self.template(it));
            if let Some(shown) = shown.filter(|it| it.len() > 1 || it.iter().any(is_long)) {
                title.push(text(": "));
                title.extend(shown);
            }
            let prose = self.prose(name);
            let mut lines = vec![(0, prose.clone())];
            for param in &action.params {
                lines.push((1, [vec![text("choose ")], self.param(param)].concat()));
            }
            let asked = action.requires.iter();
            for require in asked.filter(|it| self.decided(&it.condition) != Some(true)) {
                let address = format!("{name}.{}", require.label);
                let mut line = self.prose(&address);
                let refused = match &require.message {
                    Some(message) => {
                        let mut words = vec![text("not where ")];
                        words.extend(self.template(message));
                        words
                    }
                    None => {
                        let condition = self.worded(&require.condition);
                        [vec![text("only if ")], condition].concat()
                    }
                };
                lines.push((1, refused));
                if let Some(last) = lines.last_mut().filter(|_| !line.is_empty()) {
                    last.1.push(text(". "));
                    last.1.append(&mut line);
                }
                if let Some(house) = self.house(&address).filter(|_| self.house(name).is_none()) {
                    lines.push((2, marked(house)));
                }
            }
            lines.extend(self.guards(name));
            if let Some(body) = &action.body {
                lines.extend(self.done(name, body, &prose));
            }
            lines.retain(|(_, it)| !it.is_empty());
            sections.push(Section {
                house: self.house(name),
                address: name.clone(),
                title,
                lines,
            });
        }
        sections
    }

    /// The words with which the clause refuses that a `permit` lifts.
    fn refusal(&self, action: &str, permit: &Guard) -> Option<Line> {
        let [_, lifted] = permit.path.segments.as_slice() else {
            return None;
        };
        let mut guards = self
            .composed
            .guards
            .iter()
            .filter(|it| matches!(it.path.segments.as_slice(), [of] if of.text == action));
        let own = match self.items.get(action).map(|it| &it.kind) {
            Some(ItemKind::Action(it)) => it.requires.iter().find(|it| it.label == *lifted),
            _ => None,
        };
        let words = match own {
            Some(own) => own.message.as_ref(),
            None => guards.find(|it| it.label == *lifted)?.because.as_ref(),
        };
        words.map(|it| self.template(it))
    }

    /// What guards refuse and lift besides.
    pub(super) fn guards(&self, name: &str) -> Vec<(u8, Line)> {
        let composed = self.composed;
        let own = composed.guards.iter();
        let own = own.filter(|it| it.path.segments.first().is_some_and(|it| it.text == name));
        let own = own.filter(|it| self.decided(&it.when) != Some(false));
        let mut lines = Vec::new();
        for guard in own {
            let is_permit = guard.kind.word() == "permit";
            let mut line = Line::new();
            if is_permit {
                line.push(text("allowed all the same"));
                if let Some(lifted) = self.refusal(name, guard) {
                    line.push(text(", though "));
                    line.extend(lifted);
                }
            }
            match &guard.because {
                Some(because) if !is_permit => {
                    line.push(text("not where "));
                    line.extend(self.template(because));
                }
                _ if is_permit && self.decided(&guard.when) == Some(true) => {}
                _ => {
                    line.push(text(match is_permit {
                        true => ", where ",
                        false => "not where ",
                    }));
                    line.extend(self.worded(&guard.when));
                }
            }
            let words = self.prose(&format!("{name}.{}", guard.label));
            if !words.is_empty() {
                line.push(text(". "));
                line.extend(words);
            }
            lines.push((1, line));
            let by = guard.origin.as_ref().and_then(|it| self.titles.get(it));
            if let Some(by) = by.cloned() {
                let before = Vec::new();
                lines.push((2, marked(House { by, before })));
            }
        }
        lines
    }

    /// The options and questions that are asked here, with what holds.
    pub(super) fn settings(&mut self) -> Vec<Section> {
        let game = self.game;
        let mut sections = Vec::new();
        for setting in game.settings.iter().filter(|it| it.asked) {
            let value = setting_value(game, setting, setting.value);
            let chosen = usize::try_from(setting.value).ok();
            let reading = chosen.and_then(|at| setting.readings.get(at)).cloned();
            let words = self.prose(&setting.name);
            let mut lines = vec![(0, words)];
            let answer = match (setting.question, reading) {
                (true, Some(reading)) => vec![text(reading), text(" "), Bit::Code(value)],
                _ => vec![text(plainly(&value))],
            };
            lines.push((0, answer));
            if setting.value != setting.default {
                let usual = setting_value(game, setting, setting.default);
                let usual = Bit::Code(plainly(&usual).to_owned());
                let usual = vec![text("chosen for this table; usually "), usual];
                lines.push((1, usual));
            }
            if let Some(before) = self.before.as_ref()
                && let Some(old) = before
                    .game
                    .settings
                    .iter()
                    .find(|it| it.name == setting.name)
            {
                let was = setting_value(before.game, old, old.value);
                let otherwise = vec![text("without amendments "), Bit::Code(was.clone())];
                let is_other = was != setting_value(game, setting, setting.value);
                lines.extend(is_other.then_some((1, otherwise)));
            }
            let others = setting.readings.iter().enumerate();
            for (at, other) in others.filter(|(at, _)| Some(*at) != chosen) {
                let name = setting_value(game, setting, i64::try_from(at).unwrap_or(0));
                let line = vec![
                    text("elsewhere "),
                    Bit::Code(name),
                    text(format!(": {other}")),
                ];
                lines.push((1, line));
            }
            lines.retain(|(_, it)| !it.is_empty());
            sections.push(Section {
                address: setting.name.clone(),
                title: vec![text(match setting.question {
                    true => asked(&setting.title),
                    false => capital(&setting.title),
                })],
                lines,
                house: self.house(&setting.name),
            });
        }
        sections
    }

    /// The disputed cases that are decided here: by question, then those that belong to none.
    pub(super) fn rulings(&mut self) -> Vec<Section> {
        let game = self.game;
        let heard: BTreeSet<&str> = game.rulings.iter().map(|it| it.id.as_str()).collect();
        let mut elsewhere = Vec::new();
        let composed = self.composed;
        let mut by_question: BTreeMap<Option<usize>, Vec<(u8, Line)>> = BTreeMap::new();
        for item in composed.items.iter().map(|it| &it.item) {
            let ItemKind::Ruling(ruling) = &item.kind else {
                continue;
            };
            if !heard.contains(ruling.id.as_str()) {
                continue;
            }
            let docs: Vec<&str> = item.docs.iter().map(|it| it.text.trim()).collect();
            let title = ended(&ruling.title.text);
            let mut line = vec![Bit::Anchor(ruling.id.text.clone()), text(title)];
            line.extend((!docs.is_empty()).then(|| text(format!(" {}", docs.join(" ")))));
            let cites = cited(&item.tail.cites, self.game);
            line.extend(cites.into_iter().map(|(id, _)| Bit::Cite(id)));
            let mut own = game.rulings.iter().filter(|it| it.id == ruling.id.text);
            let foreign = own.next().map_or(&[][..], |it| it.foreign.as_slice());
            let foreign = foreign
                .iter()
                .filter_map(|it| game.settings.get(it.index()));
            let foreign: Vec<&Setting> = foreign.collect();
            if !foreign.is_empty() || self.otherwise.contains(ruling.id.as_str()) {
                elsewhere.push((0, line));
                for setting in &foreign {
                    let answer = Bit::Link(self.answer(setting), setting.name.clone());
                    let question = format!("{} Here: ", asked(&setting.title));
                    elsewhere.push((1, vec![text(question), answer]));
                }
                if foreign.is_empty() {
                    let words = "it turns out otherwise under the rules of this table";
                    elsewhere.push((1, vec![text(words)]));
                }
                continue;
            }
            let settings = game.settings.iter();
            let at = settings
                .enumerate()
                .filter(|it| it.1.asked)
                .find(|(_, it)| {
                    let mut answers = ruling.answers.iter();
                    answers.any(|question| question.text == it.name)
                });
            let lines = by_question.entry(at.map(|it| it.0)).or_default();
            lines.push((1, line));
            if let Some(house) = self
                .house(ruling.id.as_str())
                .filter(|it| !it.before.is_empty())
            {
                lines.push((2, marked(house)));
            }
        }
        let others = by_question.remove(&None);
        let mut sections = Vec::new();
        for (at, mut lines) in by_question {
            let Some(setting) = at.and_then(|it| self.game.settings.get(it)) else {
                continue;
            };
            let answer = self.answer(setting);
            lines.insert(0, (0, vec![Bit::Link(answer, setting.name.clone())]));
            sections.push(Section {
                title: vec![text(asked(&setting.title))],
                lines,
                ..Section::default()
            });
        }
        if let Some(lines) = others {
            let title = match sections.is_empty() {
                true => Line::new(),
                false => vec![text("Other cases")],
            };
            sections.push(Section {
                title,
                lines,
                ..Section::default()
            });
        }
        if !elsewhere.is_empty() {
            sections.push(Section {
                title: vec![text("Cases that suppose other rules than these")],
                lines: elsewhere,
                ..Section::default()
            });
        }
        sections
    }

    /// What is chosen, in words.
    pub(super) fn answer(&self, setting: &Setting) -> String {
        let chosen = usize::try_from(setting.value).ok();
        let reading = chosen.and_then(|at| setting.readings.get(at));
        match reading {
            Some(reading) => ended(&capital(reading)),
            None => ended(&capital(plainly(&setting_value(
                self.game,
                setting,
                setting.value,
            )))),
        }
    }

    /// A text with holes: what stands in them in words, settings with their values.
    pub(super) fn template(&self, it: &Template) -> Line {
        let parts = it.parts.iter().map(|part| match part {
            TemplatePart::Text(text) => Bit::Text(text.clone()),
            TemplatePart::Hole(hole) => self.hole(hole),
        });
        parts.filter(|it| *it != text("")).collect()
    }

    pub(super) fn hole(&self, hole: &Expr) -> Bit {
        let source = self.sources.slice(hole.span);
        if let ExprKind::Name(name) = &hole.kind
            && let Some(setting) = self.game.settings.iter().find(|it| it.name == name.text)
        {
            let value = setting_value(self.game, setting, setting.value);
            return Bit::Text(plainly(&value).to_owned());
        }
        let written = match &hole.kind {
            ExprKind::Name(name) => spelt(name.as_str()),
            _ => source.to_owned(),
        };
        Bit::Hole(written, self.filled_in(hole))
    }
}

/// A truth in words.
fn plainly(value: &str) -> &str {
    match value {
        "true" => "yes",
        "false" => "no",
        other => other,
    }
}

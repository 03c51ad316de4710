//! What has a name in the course of a game: steps, events, flows, and what is offered.

use super::course::Course;
use super::words::code;
use super::{Bit, Line, in_words, text};
use crate::syntax::ast::{
    Alternative, Binder, Block, Chooser, Expr, ExprKind, ItemKind, Name, Role, Statement, Tree,
    Use, Visitor,
};

/// What is called.
struct Calls(Vec<String>);

impl<'t> Visitor<'t> for Calls {
    fn name(&mut self, name: &'t Name, used_as: Use) {
        if used_as == Use::Call {
            self.0.push(name.text.clone());
        }
    }
}

impl Course<'_, '_> {
    /// Tells of what has a name: what is said of it, and what happens.
    pub(super) fn named(
        &mut self,
        name: Line,
        address: String,
        body: &Block,
        depth: u8,
        due: &mut Vec<String>,
    ) {
        let prose = self.teller.prose(&address);
        let house = self.teller.house(&address);
        let guards = self.teller.guards(&address);
        let is_told = self.teller.is_whole(&prose, body);
        let mut home = match address.contains('.') {
            // A step belongs to what is around it.
            true => house.as_ref().map(|it| it.by.clone()).or(self.home.clone()),
            false => self.teller.home(&address, house.as_ref()),
        };
        let mut around = match address.contains('.') {
            true => self.around.clone(),
            false => None,
        };
        let mut line = vec![Bit::Anchor(address)];
        line.extend(name);
        line.push(text("."));
        line.extend((!prose.is_empty()).then(|| text(" ")));
        let is_said = !prose.is_empty() || house.is_some() || !guards.is_empty();
        let was = std::mem::replace(&mut self.is_told, is_told);
        std::mem::swap(&mut self.home, &mut home);
        std::mem::swap(&mut self.around, &mut around);
        line.extend(prose);
        if is_said {
            self.line(depth, line);
            if let Some(house) = house {
                self.line(depth + 1, super::marked(house));
            }
            for (more, line) in guards {
                self.line(depth + more, line);
            }
            self.block(body, depth + 1, due);
        } else {
            self.under(line, body, depth, due);
        }
        self.is_told = was;
        (self.home, self.around) = (home, around);
    }

    /// Follows what is called for its value.
    pub(super) fn called(&mut self, statement: &Statement, depth: u8, due: &mut Vec<String>) {
        let mut calls = Calls(Vec::new());
        statement.kind.walk(&mut calls, Role::Plain);
        for name in calls.0 {
            if matches!(
                self.teller.items.get(&name).map(|it| &it.kind),
                Some(ItemKind::Flow(_))
            ) {
                self.call(&name, &[], depth, due);
            }
        }
    }

    /// An event is told of where it first happens, a flow behind the one that leads to it.
    pub(super) fn call(&mut self, name: &str, args: &[&Expr], depth: u8, due: &mut Vec<String>) {
        let with = match args {
            [] => Line::new(),
            [first, rest @ ..] => {
                let mut line = [vec![text(" (")], self.teller.worded(first)].concat();
                for it in rest {
                    line.push(text(", "));
                    line.extend(self.teller.worded(it));
                }
                line.push(text(")"));
                line
            }
        };
        let link = |name: &str| {
            let link = vec![Bit::Link(in_words(name), name.to_owned())];
            [link, with.clone(), vec![text(".")]].concat()
        };
        match self.teller.items.get(name).map(|it| &it.kind) {
            Some(ItemKind::Flow(_)) => {
                due.push(name.to_owned());
                self.line(depth, link(name));
            }
            // What stood where something else stands now has no name of its own.
            Some(ItemKind::Event(event)) if name.contains('@') => {
                let was = (
                    self.home.take(),
                    std::mem::replace(&mut self.is_told, false),
                );
                self.under(vec![text("As before:")], &event.body, depth, due);
                (self.home, self.is_told) = was;
            }
            Some(ItemKind::Event(event)) => {
                if !self.teller.seen.insert(name.to_owned()) {
                    return self.line(depth, link(name));
                }
                let words = vec![Bit::Word(in_words(name))];
                let words = [words, self.teller.formals(&event.params)].concat();
                self.named(words, name.to_owned(), &event.body, depth, due);
            }
            _ => {}
        }
    }

    pub(super) fn who(&self, who: &Chooser) -> Bit {
        match who {
            Chooser::Chance(_) => text("Chance"),
            Chooser::Seat(who) => self.seat(who),
        }
    }

    /// Whoever chooses.
    pub(super) fn seat(&self, who: &Expr) -> Bit {
        match &who.kind {
            ExprKind::Name(name) if name.as_str() == "me" => text("Whoever has the turn"),
            _ => code(who),
        }
    }

    pub(super) fn binder(&self, binder: &Binder) -> Line {
        self.teller.binder_worded(binder)
    }

    pub(super) fn alternatives(&mut self, line: &mut Line, all: &[Alternative]) {
        for (at, it) in all.iter().enumerate() {
            line.extend((at > 0).then(|| text(if at + 1 == all.len() { " or " } else { ", " })));
            line.push(self.alternative(it));
            for (at, arg) in it.args.iter().enumerate() {
                line.push(text(if at == 0 { " with " } else { ", " }));
                if let Some(name) = &arg.name {
                    line.extend([Bit::Word(in_words(name.as_str())), text(" ")]);
                }
                line.extend(self.teller.worded(&arg.value));
            }
            if let Some(condition) = &it.condition {
                line.push(text(" where "));
                line.extend(self.teller.worded(condition));
            }
            if let Some(by) = self.put_in(it.span) {
                line.push(text(format!(" [{by}]")));
            }
            let name = it.name.text.clone();
            if it.text.is_some() {
                continue;
            }
            // What is only a name for a list stands for what is on the list.
            match self.teller.items.get(&name).map(|it| &it.kind) {
                Some(ItemKind::Action(action)) if !action.alternatives.is_empty() => {
                    line.push(text(" ("));
                    self.alternatives(line, &action.alternatives);
                    line.push(text(")"));
                }
                _ => self.offered.push(name),
            }
        }
    }

    pub(super) fn alternative(&self, it: &Alternative) -> Bit {
        match it.text.as_ref().and_then(|text| text.plain()) {
            Some(plain) => Bit::Word(plain.to_owned()),
            None => Bit::Link(in_words(it.name.as_str()), it.name.text.clone()),
        }
    }
}

//! How the game goes on: the flows, from the first on, with what happens on the way.

use super::teller::Teller;
use super::{Bit, Line, Section, in_words, text};
use crate::syntax::ast::{
    Alternative, Among, ArmHead, Binder, Block, Chooser, Expr, ExprKind, ItemKind, Name, Role,
    Statement, StatementKind, Times, Tree, Use, Visitor,
};

/// Deeper than this nobody follows.
const DEEPEST: u8 = 8;

/// What is called.
struct Calls(Vec<String>);

impl<'t> Visitor<'t> for Calls {
    fn name(&mut self, name: &'t Name, used_as: Use) {
        if used_as == Use::Call {
            self.0.push(name.text.clone());
        }
    }
}

/// What is told of statements, one below the other.
struct Course<'t, 'a> {
    teller: &'t mut Teller<'a>,
    lines: Vec<(u8, Line)>,
    offered: Vec<String>,
    /// Whether something is said in words, so that what is written need not be shown.
    is_told: bool,
}

impl<'a> Teller<'a> {
    /// How the game goes on, and the actions that are offered on the way, in that order.
    pub(super) fn course(&mut self) -> (Vec<Section>, Vec<String>) {
        self.due = vec![String::from("main")];
        self.flows()
    }

    /// Tells of the flows that are due.
    pub(super) fn flows(&mut self) -> (Vec<Section>, Vec<String>) {
        let mut sections = Vec::new();
        let mut offered = Vec::new();
        let mut due = std::mem::take(&mut self.due);
        while let Some(name) = due.pop() {
            let Some(ItemKind::Flow(flow)) = self.items.get(&name).map(|it| &it.kind) else {
                continue;
            };
            if !self.seen.insert(name.clone()) {
                continue;
            }
            let prose = self.prose(&name);
            let house = self.house(&name);
            let mut course = Course {
                is_told: true,
                teller: self,
                lines: Vec::new(),
                offered: Vec::new(),
            };
            course.block(&flow.body, 1, &mut due);
            let (told, more) = (course.lines, course.offered);
            let mut lines = vec![(0, prose)];
            lines.extend(told);
            lines.retain(|(_, it)| !it.is_empty());
            offered.extend(more);
            let title = if name == "main" { "the_course" } else { &name };
            sections.push(Section {
                title: vec![text(in_words(title))],
                address: name,
                lines,
                house,
            });
        }
        (sections, offered)
    }

    /// What happens in a body; the flows that it leads to are due.
    pub(super) fn done(&mut self, body: &Block, is_told: bool) -> Vec<(u8, Line)> {
        let mut course = Course {
            teller: self,
            lines: Vec::new(),
            offered: Vec::new(),
            is_told,
        };
        let mut due = Vec::new();
        course.block(body, 1, &mut due);
        let lines = course.lines;
        self.due.extend(due);
        lines
    }
}

impl Course<'_, '_> {
    fn line(&mut self, depth: u8, line: Line) {
        if !line.is_empty() {
            self.lines.push((depth, line));
        }
    }

    /// Tells of a block; the flows that it leads to are due behind this one.
    fn block(&mut self, block: &Block, depth: u8, due: &mut Vec<String>) {
        let before = due.len();
        for statement in &block.statements {
            self.statement(statement, depth, due);
        }
        // The first one comes next.
        due[before..].reverse();
    }

    /// Tells of a block behind what introduces it; of nothing, if there is nothing to tell.
    fn under(&mut self, before: Line, block: &Block, depth: u8, due: &mut Vec<String>) {
        let at = self.lines.len();
        self.lines.push((depth, before));
        self.block(block, depth + 1, due);
        if self.lines.len() == at + 1 {
            self.lines.pop();
        }
    }

    fn statement(&mut self, it: &Statement, depth: u8, due: &mut Vec<String>) {
        if depth > DEEPEST {
            return;
        }
        match &it.kind {
            StatementKind::Step { name, body, .. } => {
                let address = self.teller.step(it.span);
                self.named(name.as_str(), address, body, depth, due);
            }
            StatementKind::Turns {
                from,
                once,
                condition,
                body,
                ..
            } => {
                let mut line = vec![text(match once {
                    true => "Each has one turn, beginning with ",
                    false => "The players take turns, beginning with ",
                })];
                line.extend(self.teller.worded(from));
                if let Some(condition) = condition {
                    line.push(text(", as long as "));
                    line.extend(self.teller.worded(condition));
                }
                line.push(text(":"));
                self.under_or_alone(line, body, depth, due);
            }
            StatementKind::Choose(choose) => {
                let who = self.who(&choose.who);
                let may = if choose.may {
                    " may choose "
                } else {
                    " chooses "
                };
                match &choose.among {
                    Among::Alternatives(all) => {
                        let mut line = vec![who, text(may)];
                        self.alternatives(&mut line, all);
                        line.push(text("."));
                        self.line(depth, line);
                        for it in all {
                            if let Some(body) = &it.body {
                                let before = self.alternative(it);
                                self.under(vec![before, text(":")], body, depth + 1, due);
                            }
                        }
                    }
                    Among::Members { binder, body, .. } => {
                        let mut line = vec![who, text(may)];
                        line.extend(self.binder(binder));
                        self.line(depth, line);
                        if let Some(body) = body {
                            self.block(body, depth + 1, due);
                        }
                    }
                }
                if let Some(otherwise) = &choose.otherwise {
                    let before = vec![text("If there is nothing to choose:")];
                    self.under(before, otherwise, depth + 1, due);
                }
            }
            StatementKind::Window { who, slots } => {
                let who = self.seat(who);
                self.line(depth, vec![who, text(" may, in any order:")]);
                for slot in slots {
                    let mut line = vec![text(if slot.many {
                        "as often as wanted "
                    } else {
                        "once "
                    })];
                    self.alternatives(&mut line, &slot.alternatives);
                    self.line(depth + 1, line);
                    for it in &slot.alternatives {
                        if let Some(body) = &it.body {
                            let before = self.alternative(it);
                            self.under(vec![before, text(":")], body, depth + 2, due);
                        }
                    }
                }
            }
            StatementKind::Together { binder, body } => {
                let mut line = vec![text("All at the same time, ")];
                line.extend(self.binder(binder));
                line.push(text(":"));
                self.under(line, body, depth, due);
            }
            StatementKind::If {
                branches,
                otherwise,
            } => {
                let mut is_open = false;
                for branch in branches {
                    match self.teller.decided(&branch.condition) {
                        Some(false) => continue,
                        // What the readings decide is no condition any more.
                        Some(true) if !is_open => return self.block(&branch.body, depth, due),
                        Some(true) => {
                            self.under(vec![text("Otherwise:")], &branch.body, depth, due);
                            return;
                        }
                        None => {}
                    }
                    is_open = true;
                    let condition = self.teller.worded(&branch.condition);
                    let line = [vec![text("If ")], condition, vec![text(":")]].concat();
                    self.under(line, &branch.body, depth, due);
                }
                match otherwise {
                    Some(otherwise) if is_open => {
                        self.under(vec![text("Otherwise:")], otherwise, depth, due);
                    }
                    Some(otherwise) => self.block(otherwise, depth, due),
                    None => {}
                }
            }
            StatementKind::By { subject, arms } => {
                let reading = self.teller.reading_of(subject);
                let is_meant = |head: &ArmHead| match (&reading, head) {
                    (Some(reading), ArmHead::Names(names)) => {
                        names.iter().any(|it| it.as_str() == reading)
                    }
                    (Some(_), _) => true,
                    (None, _) => false,
                };
                if let Some(arm) = arms.iter().find(|it| is_meant(&it.head)) {
                    return self.block(&arm.body, depth, due);
                }
                for arm in arms {
                    let heads = match &arm.head {
                        ArmHead::Names(names) => {
                            let names: Vec<&str> = names.iter().map(|it| it.as_str()).collect();
                            format!("{}:", in_words(&names.join(", ")))
                        }
                        ArmHead::Numbers(_) => String::from("For some numbers:"),
                        ArmHead::Else => String::from("Otherwise:"),
                    };
                    self.under(vec![text(heads)], &arm.body, depth, due);
                }
            }
            StatementKind::While { condition, body } => {
                let condition = self.teller.worded(condition);
                let line = [vec![text("As long as ")], condition, vec![text(":")]].concat();
                self.under(line, body, depth, due);
            }
            StatementKind::Repeat { times, body } => {
                let line = match times {
                    Times::Forever => vec![text("Again and again:")],
                    Times::Count(count) => {
                        [self.teller.worded(count), vec![text(" times:")]].concat()
                    }
                    Times::Until(until) => {
                        let until = self.teller.worded(until);
                        [vec![text("Until ")], until, vec![text(":")]].concat()
                    }
                };
                self.under(line, body, depth, due);
            }
            StatementKind::ForEach { binders, body } => {
                let mut line = vec![text("For each ")];
                for (at, each) in binders.iter().enumerate() {
                    line.extend((at > 0).then(|| text(", ")));
                    line.extend(self.binder(&each.binder));
                }
                line.push(text(":"));
                self.under(line, body, depth, due);
            }
            StatementKind::Call(call) => self.call(call.name.as_str(), depth, due),
            StatementKind::End(call) => {
                let name = call.name.text.clone();
                let link = Bit::Link(in_words(&name), name);
                self.line(depth, vec![text("The game ends: "), link, text(".")]);
            }
            StatementKind::Next => self.line(depth, vec![text("The turn is over.")]),
            StatementKind::Again => {
                self.line(depth, vec![text("Another turn for the same player.")])
            }
            StatementKind::Let { .. } | StatementKind::Track { .. } | StatementKind::Return(_) => {
                self.called(it, depth, due);
            }
            _ if self.is_told => self.called(it, depth, due),
            _ => {
                self.called(it, depth, due);
                let line = self.teller.statement_worded(it);
                self.line(depth, line);
            }
        }
    }

    fn under_or_alone(&mut self, line: Line, body: &Block, depth: u8, due: &mut Vec<String>) {
        self.line(depth, line);
        self.block(body, depth + 1, due);
    }

    /// Tells of what has a name: what is said of it, and what happens.
    fn named(
        &mut self,
        name: &str,
        address: String,
        body: &Block,
        depth: u8,
        due: &mut Vec<String>,
    ) {
        let prose = self.teller.prose(&address);
        let house = self.teller.house(&address);
        let guards = match address == name {
            true => self.teller.guards(name),
            false => Vec::new(),
        };
        let mut line = vec![Bit::Anchor(address), Bit::Word(in_words(name)), text(".")];
        line.extend((!prose.is_empty()).then(|| text(" ")));
        let is_said = !prose.is_empty() || house.is_some() || !guards.is_empty();
        let was = std::mem::replace(&mut self.is_told, !prose.is_empty());
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
    }

    /// Follows what is called for its value.
    fn called(&mut self, statement: &Statement, depth: u8, due: &mut Vec<String>) {
        let mut calls = Calls(Vec::new());
        statement.kind.walk(&mut calls, Role::Plain);
        for name in calls.0 {
            if matches!(
                self.teller.items.get(&name).map(|it| &it.kind),
                Some(ItemKind::Flow(_))
            ) {
                self.call(&name, depth, due);
            }
        }
    }

    /// An event is told of where it first happens, a flow behind the one that leads to it.
    fn call(&mut self, name: &str, depth: u8, due: &mut Vec<String>) {
        let link = || Bit::Link(in_words(name), name.to_owned());
        match self.teller.items.get(name).map(|it| &it.kind) {
            Some(ItemKind::Flow(_)) => {
                due.push(name.to_owned());
                self.line(depth, vec![link(), text(".")]);
            }
            Some(ItemKind::Event(event)) => {
                let body = &event.body;
                if !self.teller.seen.insert(name.to_owned()) {
                    self.line(depth, vec![link(), text(".")]);
                    return;
                }
                self.named(name, name.to_owned(), body, depth, due);
            }
            _ => {}
        }
    }

    fn who(&self, who: &Chooser) -> Bit {
        match who {
            Chooser::Chance(_) => text("Chance"),
            Chooser::Seat(who) => self.seat(who),
        }
    }

    /// Whoever chooses.
    fn seat(&self, who: &Expr) -> Bit {
        match &who.kind {
            ExprKind::Name(name) if name.as_str() == "me" => text("Whoever has the turn"),
            _ => self.teller.slice(who.span),
        }
    }

    fn binder(&self, binder: &Binder) -> Line {
        self.teller.binder_worded(binder)
    }

    fn alternatives(&mut self, line: &mut Line, all: &[Alternative]) {
        for (at, it) in all.iter().enumerate() {
            line.extend((at > 0).then(|| text(if at + 1 == all.len() { " or " } else { ", " })));
            line.push(self.alternative(it));
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

    fn alternative(&self, it: &Alternative) -> Bit {
        match it.text.as_ref().and_then(|text| text.plain()) {
            Some(plain) => Bit::Word(plain.to_owned()),
            None => Bit::Link(in_words(it.name.as_str()), it.name.text.clone()),
        }
    }
}

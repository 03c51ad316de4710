//! How the game goes on: the flows, from the first on, with what happens on the way.

use super::teller::Teller;
use super::{Bit, House, Line, Section, in_words, text};
use crate::format::one_line;
use crate::source::Span;
use crate::syntax::ast::{
    Among, ArmHead, Block, Expr, ItemKind, Role, Statement, StatementKind, Times, Tree, Visitor,
};

/// What lies deeper is told as it is written.
const DEEPEST: u8 = 64;

/// Whether a body tells of some cases and not of others, if of what is only done nothing is told.
struct Half<'t, 'a> {
    teller: &'t Teller<'a>,
    /// How many cases and loops are around.
    inside: usize,
    is_half: bool,
}

impl<'t> Visitor<'t> for Half<'_, '_> {
    fn statement(&mut self, it: &'t Statement) {
        // What an amendment puts in is told anyway.
        if self.teller.brought_by(it.span).is_some() {
            return;
        }
        let depth = match &it.kind {
            StatementKind::If { .. }
            | StatementKind::By { .. }
            | StatementKind::While { .. }
            | StatementKind::Repeat { .. }
            | StatementKind::ForEach { .. } => 1,
            _ => 0,
        };
        self.is_half |= match &it.kind {
            StatementKind::Return(_) => true,
            StatementKind::Call(_)
            | StatementKind::Choose(_)
            | StatementKind::Window { .. }
            | StatementKind::Together { .. }
            | StatementKind::Turns { .. }
            | StatementKind::Step { .. }
            | StatementKind::End(_)
            | StatementKind::Next
            | StatementKind::Again => self.inside > 0,
            _ => false,
        };
        self.inside += depth;
        it.kind.walk(self, Role::Plain);
        self.inside -= depth;
    }
}

/// What is told of statements, one below the other.
pub(super) struct Course<'t, 'a> {
    pub(super) teller: &'t mut Teller<'a>,
    pub(super) lines: Vec<(u8, Line)>,
    pub(super) offered: Vec<String>,
    /// Whether something is said in words, so that what is written need not be shown.
    pub(super) is_told: bool,
    /// The amendment that the whole comes from; what comes from another one is marked.
    pub(super) home: Option<String>,
    /// What `return` leaves; nothing where that has no name.
    pub(super) around: Option<String>,
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
                is_told: self.is_whole(&prose, &flow.body),
                home: self.home(&name, house.as_ref()),
                around: Some(name.clone()),
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
            sections.push(Section {
                title: vec![text(in_words(titled(&name)))],
                address: name,
                lines,
                house,
            });
        }
        (sections, offered)
    }

    /// Whether what is said in words may stand for what is done in a body.
    pub(super) fn is_whole(&self, prose: &Line, body: &Block) -> bool {
        let mut half = Half {
            teller: self,
            inside: 0,
            is_half: prose.is_empty(),
        };
        half.block(body, Role::Plain);
        !half.is_half
    }

    /// The amendment that the whole of what is called so comes from.
    pub(super) fn home(&self, name: &str, house: Option<&House>) -> Option<String> {
        let item = self.items.get(name);
        let by = item.and_then(|it| self.brought_by(it.span));
        house.map(|it| it.by.clone()).or(by.cloned())
    }

    /// What happens in the body of something that has a name and of which these words are said; the flows that it leads to
    /// are due.
    pub(super) fn done(&mut self, name: &str, body: &Block, prose: &Line) -> Vec<(u8, Line)> {
        let house = self.house(name);
        let mut course = Course {
            is_told: self.is_whole(prose, body),
            home: self.home(name, house.as_ref()),
            around: None,
            teller: self,
            lines: Vec::new(),
            offered: Vec::new(),
        };
        let mut due = Vec::new();
        course.block(body, 1, &mut due);
        let lines = course.lines;
        self.due.extend(due);
        lines
    }
}

/// What a flow is called.
fn titled(name: &str) -> &str {
    if name == "main" { "the_course" } else { name }
}

impl Course<'_, '_> {
    pub(super) fn line(&mut self, depth: u8, line: Line) {
        if !line.is_empty() {
            self.lines.push((depth, line));
        }
    }

    /// Tells of a block; the flows that it leads to are due behind this one.
    pub(super) fn block(&mut self, block: &Block, depth: u8, due: &mut Vec<String>) {
        let before = due.len();
        let mut rest = block.statements.as_slice();
        while let Some(first) = rest.first() {
            let by = self.put_in(first.span);
            let alike = rest.iter().take_while(|it| self.put_in(it.span) == by);
            let (these, others) = rest.split_at(alike.count().max(1));
            rest = others;
            let Some(by) = by else {
                for statement in these {
                    self.statement(statement, depth, due);
                }
                continue;
            };
            self.lines.push((depth, vec![text(format!("{by}:"))]));
            let at = self.lines.len();
            let was = (self.is_told, self.home.replace(by));
            self.is_told = false;
            for statement in these {
                self.statement(statement, depth + 1, due);
            }
            (self.is_told, self.home) = was;
            if self.lines.len() == at {
                self.lines.pop();
            }
        }
        // The first one comes next.
        due[before..].reverse();
    }

    /// The amendment that puts something in, if the whole does not come from it.
    pub(super) fn put_in(&self, span: Span) -> Option<String> {
        let by = self.teller.brought_by(span);
        by.filter(|it| self.home.as_ref() != Some(*it)).cloned()
    }

    /// Says who replaced what stands at an address, and what was said of it.
    pub(super) fn replaced(&mut self, span: Span, depth: u8) -> Option<String> {
        let house = self.teller.house(&self.teller.step(span))?;
        let by = house.by.clone();
        self.line(depth, super::marked(house));
        Some(by)
    }

    /// Tells of a block behind what introduces it; of nothing, if there is nothing to tell.
    pub(super) fn under(&mut self, before: Line, block: &Block, depth: u8, due: &mut Vec<String>) {
        let at = self.lines.len();
        self.lines.push((depth, before));
        self.block(block, depth + 1, due);
        if self.lines.len() == at + 1 {
            self.lines.pop();
        }
    }

    pub(super) fn statement(&mut self, it: &Statement, depth: u8, due: &mut Vec<String>) {
        if depth > DEEPEST {
            return self.line(depth, vec![Bit::Code(one_line(it))]);
        }
        match &it.kind {
            StatementKind::Step { name, body, .. } => {
                let address = self.teller.step(it.span);
                let name = vec![Bit::Word(in_words(name.as_str()))];
                self.named(name, address, body, depth, due);
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
                self.line(depth, line);
                let by = self.replaced(it.span, depth + 1);
                let was = self.home.clone();
                self.home = by.or(was.clone());
                self.block(body, depth + 1, due);
                self.home = was;
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
                    Among::Members {
                        binder,
                        body,
                        weight,
                    } => {
                        let mut line = vec![who, text(may)];
                        line.extend(self.binder(binder));
                        if let Some(weight) = weight {
                            line.push(text(", each as likely as "));
                            line.extend(self.teller.worded(weight));
                            line.push(text(" says"));
                        }
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
                    let house = self.teller.house(&self.teller.step(slot.span));
                    let was = self.home.clone();
                    self.home = house.as_ref().map(|it| it.by.clone()).or(was.clone());
                    self.alternatives(&mut line, &slot.alternatives);
                    self.line(depth + 1, line);
                    if let Some(house) = house {
                        self.line(depth + 2, super::marked(house));
                    }
                    for it in &slot.alternatives {
                        if let Some(body) = &it.body {
                            let before = self.alternative(it);
                            self.under(vec![before, text(":")], body, depth + 2, due);
                        }
                    }
                    self.home = was;
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
                for (at, branch) in branches.iter().enumerate() {
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
                    let before = if is_open { "Otherwise, if " } else { "If " };
                    is_open = true;
                    let condition = self.teller.worded(&branch.condition);
                    let line = [vec![text(before)], condition, vec![text(":")]].concat();
                    let is_last = at + 1 == branches.len() && otherwise.is_none();
                    self.case(line, &branch.body, depth, due, !is_last);
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
                let mut is_open = !arms
                    .iter()
                    .take(1)
                    .any(|it| matches!(it.head, ArmHead::Else));
                for arm in arms {
                    let heads = match &arm.head {
                        ArmHead::Names(names) => {
                            let names: Vec<&str> = names.iter().map(|it| it.as_str()).collect();
                            format!("{}:", in_words(&names.join(", ")))
                        }
                        ArmHead::Numbers(numbers) => {
                            let numbers = numbers.iter().map(|it| match it.bounds() {
                                (least, most) if least == most => least.to_string(),
                                (least, most) => format!("{least} to {most}"),
                            });
                            format!("{}:", numbers.collect::<Vec<_>>().join(", "))
                        }
                        ArmHead::Else => String::from("Otherwise:"),
                    };
                    let mut line = vec![text(heads)];
                    if is_open {
                        let subject = self.teller.worded(subject);
                        line = [vec![text("If ")], subject, vec![text(" is ")], line].concat();
                    }
                    is_open = false;
                    let is_last = matches!(arm.head, ArmHead::Else);
                    self.case(line, &arm.body, depth, due, !is_last);
                    self.replaced(arm.span, depth + 1);
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
                        [
                            vec![text("Again and again, until ")],
                            until,
                            vec![text(":")],
                        ]
                        .concat()
                    }
                };
                self.under(line, body, depth, due);
            }
            StatementKind::ForEach { binders, body } => {
                let mut line = vec![text("For each ")];
                for (at, each) in binders.iter().enumerate() {
                    line.extend((at > 0).then(|| text(", ")));
                    line.extend(self.binder(&each.binder));
                    line.extend(each.backwards.then(|| text(", from the last to the first")));
                }
                line.push(text(":"));
                self.under(line, body, depth, due);
            }
            StatementKind::Call(call) => {
                let args: Vec<&Expr> = call.args.iter().map(|it| &it.value).collect();
                self.call(call.name.as_str(), &args, depth, due);
            }
            StatementKind::End(call) => {
                let name = call.name.text.clone();
                let link = Bit::Link(in_words(&name), name);
                self.line(depth, vec![text("The game ends: "), link, text(".")]);
            }
            StatementKind::Next => self.line(depth, vec![text("The turn is over.")]),
            StatementKind::Again => {
                self.line(depth, vec![text("Another turn for the same player.")])
            }
            StatementKind::Return(value) => {
                self.called(it, depth, due);
                let mut line = match &self.around {
                    Some(name) => {
                        let words = in_words(titled(name));
                        vec![Bit::Link(words, name.clone()), text(" is over")]
                    }
                    None => vec![text("That is all")],
                };
                if let Some(value) = value {
                    line.push(text(" and gives "));
                    line.extend(self.teller.worded(value));
                }
                line.push(text("."));
                self.line(depth, line);
            }
            _ if self.is_told => self.called(it, depth, due),
            _ => {
                self.called(it, depth, due);
                let line = self.teller.statement_worded(it);
                self.line(depth, line);
            }
        }
    }

    /// Tells of a case; also that nothing happens in it, where others follow.
    pub(super) fn case(
        &mut self,
        mut before: Line,
        body: &Block,
        depth: u8,
        due: &mut Vec<String>,
        more: bool,
    ) {
        if body.statements.is_empty() && more && !self.is_told {
            before.push(text(" nothing happens."));
            return self.line(depth, before);
        }
        self.under(before, body, depth, due);
    }
}

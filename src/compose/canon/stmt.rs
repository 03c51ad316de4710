use super::{Canon, Canonical, canonical};
use crate::syntax::ast;

canonical! {
    Block "do" { statements } { span }
    Branch "case" { condition body }
    Each "each" { binder backwards }
    Choose "choose" { may who among otherwise } { tail }
    Alternative "alt" { name args text body } { span }
    Slot "slot" { many name alternatives } { tail span }
    Move "move" { what to with }
    FieldValue "with" { field value }
}

impl Canonical for ast::Statement {
    fn canon(&self, canon: &mut Canon) {
        match &self.kind {
            ast::StatementKind::Let { name, value } => canon.node("let", &[name, value]),
            ast::StatementKind::Assign { target, op, value } => {
                canon.node(op.word(), &[target, value]);
            }
            ast::StatementKind::Call(call) => call.canon(canon),
            ast::StatementKind::If {
                branches,
                otherwise,
            } => canon.node("if", &[branches, otherwise]),
            ast::StatementKind::By { subject, arms } => canon.node("by", &[subject, arms]),
            ast::StatementKind::While { condition, body } => {
                canon.node("while", &[condition, body]);
            }
            ast::StatementKind::Repeat { times, body } => canon.node("repeat", &[times, body]),
            ast::StatementKind::ForEach { binders, body } => canon.node("for", &[binders, body]),
            ast::StatementKind::Step {
                name,
                tail: _,
                body,
            } => canon.node("step", &[name, body]),
            ast::StatementKind::Choose(choose) => choose.canon(canon),
            ast::StatementKind::Window { who, slots } => canon.node("window", &[who, slots]),
            ast::StatementKind::Turns {
                name,
                from,
                once,
                condition,
                body,
            } => canon.node("turns", &[name, from, once, condition, body]),
            ast::StatementKind::Move(it) => it.canon(canon),
            ast::StatementKind::Draw { amount, from, to } => {
                canon.node("draw", &[amount, from, to]);
            }
            ast::StatementKind::Exchange { left, right } => canon.node("exchange", &[left, right]),
            ast::StatementKind::Shuffle { zone } => canon.node("shuffle", &[zone]),
            ast::StatementKind::Show { place, audience } => {
                canon.node("show_to", &[place, audience]);
            }
            ast::StatementKind::Ranking { seats, by } => canon.node("ranking", &[seats, by]),
            ast::StatementKind::Winner(seats) => canon.node("winner", &[seats]),
            ast::StatementKind::End(call) => canon.node("end", &[call]),
            ast::StatementKind::Return(value) => canon.node("return", &[value]),
            ast::StatementKind::Next => canon.node("next", &[]),
            ast::StatementKind::Again => canon.node("again", &[]),
        }
    }
}

impl Canonical for ast::Times {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Times::Forever => canon.word("forever"),
            ast::Times::Count(count) => canon.node("times", &[count]),
            ast::Times::Until(condition) => canon.node("until", &[condition]),
        }
    }
}

impl Canonical for ast::Chooser {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Chooser::Chance(_) => canon.word("chance"),
            ast::Chooser::Seat(who) => canon.node("seat", &[who]),
        }
    }
}

impl Canonical for ast::Among {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Among::Alternatives(alternatives) => alternatives.canon(canon),
            ast::Among::Members {
                binder,
                weight,
                body,
            } => canon.node("members", &[binder, weight, body]),
        }
    }
}

impl Canonical for ast::Moved {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Moved::Place(place) => canon.node("place", &[place]),
            ast::Moved::All(zone) => canon.node("all", &[zone]),
            ast::Moved::Top(zone) => canon.node("top", &[zone]),
            ast::Moved::Copies {
                amount,
                component,
                from,
            } => canon.node("copies", &[amount, component, from]),
        }
    }
}

impl Canonical for ast::Exchanged {
    fn canon(&self, canon: &mut Canon) {
        match self {
            ast::Exchanged::Place(place) => canon.node("place", &[place]),
            ast::Exchanged::Copy { component, from } => canon.node("copy", &[component, from]),
        }
    }
}

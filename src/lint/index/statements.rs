//! Statements.

use super::{Done, LocalKind, Role, Stands, Walk, leading_name};
use crate::syntax::ast::{
    Among, Audience, Block, Choose, Chooser, Exchanged, Expr, ExprKind, Move, Moved, Slot,
    Statement, StatementKind, Times,
};

impl<'a> Walk<'a> {
    pub(super) fn block(&mut self, block: &'a Block) {
        self.scoped(|walk| walk.statements(block));
    }

    /// Walks statements whose locals go on behind them.
    pub(super) fn statements(&mut self, block: &'a Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }

    fn loop_of(&mut self, inside: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.looped, true);
        self.scoped(inside);
        self.looped = before;
    }

    fn statement(&mut self, statement: &'a Statement) {
        let (item, looped) = (self.item, self.looped);
        self.index.statements.push(Done {
            statement,
            item,
            looped,
        });
        match &statement.kind {
            StatementKind::Let { name, value } => {
                self.alone(value);
                self.bind(name, LocalKind::Let);
            }
            StatementKind::Assign { target, value, .. } => {
                self.target(target);
                self.alone(value);
            }
            StatementKind::Call(call) | StatementKind::End(call) => self.call(call),
            StatementKind::If {
                branches,
                otherwise,
            } => {
                for branch in branches {
                    self.alone(&branch.condition);
                    self.block(&branch.body);
                }
                otherwise.iter().for_each(|body| self.block(body));
            }
            StatementKind::By { subject, arms } => {
                self.operand(subject);
                for arm in arms {
                    self.block(&arm.body);
                }
            }
            StatementKind::While { condition, body } => self.loop_of(|walk| {
                walk.alone(condition);
                walk.block(body);
            }),
            StatementKind::Repeat { times, body } => self.repeat(times, body),
            StatementKind::ForEach { binders, body } => self.scoped(|walk| {
                for each in binders {
                    walk.binder(&each.binder, LocalKind::Each);
                }
                walk.block(body);
            }),
            StatementKind::Step { tail, body, .. } => {
                self.clause(tail, statement.span);
                self.block(body);
            }
            StatementKind::Choose(choose) => {
                self.clause(&choose.tail, statement.span);
                self.choose(choose);
            }
            StatementKind::Window { who, slots } => {
                self.operand(who);
                let offered = slots.iter().flat_map(|slot| &slot.alternatives);
                self.index.choices.push(offered.collect());
                self.slots(slots);
            }
            StatementKind::Turns {
                name,
                from,
                once,
                condition,
                body,
            } => {
                self.operand(from);
                let turn = |walk: &mut Self| {
                    walk.bind(name, LocalKind::Turn);
                    walk.all_alone(condition);
                    walk.block(body);
                };
                if *once {
                    self.scoped(turn);
                } else {
                    self.loop_of(turn);
                }
            }
            StatementKind::Move(it) => self.moved(it),
            StatementKind::Draw { amount, from, to } => {
                self.operands(amount);
                self.operands([from, to]);
            }
            StatementKind::Exchange { left, right } => {
                for side in [left, right] {
                    match side {
                        Exchanged::Place(place) => self.operand(place),
                        Exchanged::Copy { component, from } => self.operands([component, from]),
                    }
                }
            }
            StatementKind::Shuffle { zone } => self.operand(zone),
            StatementKind::Show { place, audience } => {
                self.operand(place);
                self.audience(audience);
            }
            StatementKind::Ranking { seats, by } => {
                self.alone(seats);
                self.all_alone(by);
            }
            StatementKind::Winner(value) => self.alone(value),
            // `return (next)` gives the value of a local, `return next` would not.
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.expr(value, Stands::Kept);
                }
            }
            StatementKind::Next | StatementKind::Again => {}
        }
    }

    fn repeat(&mut self, times: &'a Times, body: &'a Block) {
        match times {
            Times::Forever => self.loop_of(|walk| walk.statements(body)),
            Times::Count(count) => {
                self.operand(count);
                self.block(body);
            }
            Times::Until(condition) => self.loop_of(|walk| {
                walk.statements(body);
                walk.alone(condition);
            }),
        }
    }

    /// Walks what gets a value: its own name is written, all else in it is read.
    fn target(&mut self, target: &'a Expr) {
        match &target.kind {
            ExprKind::Name(name) => self.name(name, Role::Written),
            ExprKind::Index { base, indices } => {
                self.target(base);
                self.all_alone(indices);
            }
            // What has a field is asked for it and changed.
            _ => {
                self.expr(target, Stands::Kept);
                if let Some(name) = leading_name(target) {
                    self.name(name, Role::Written);
                }
            }
        }
    }

    fn choose(&mut self, choose: &'a Choose) {
        match &choose.who {
            Chooser::Chance(_) => {}
            Chooser::Seat(who) => self.operand(who),
        }
        choose.otherwise.iter().for_each(|body| self.block(body));
        match &choose.among {
            Among::Alternatives(alternatives) => {
                self.index.choices.push(alternatives.iter().collect());
                self.alternatives(alternatives);
            }
            Among::Members {
                binder,
                weight,
                body,
            } => {
                let chosen = |walk: &mut Self| {
                    walk.binder(binder, LocalKind::Chosen);
                    walk.all_alone(weight);
                };
                match body {
                    Some(body) => self.scoped(|walk| {
                        chosen(walk);
                        walk.block(body);
                    }),
                    None => chosen(self),
                }
            }
        }
    }

    pub(super) fn slots(&mut self, slots: &'a [Slot]) {
        for slot in slots {
            self.clause(&slot.tail, slot.span);
            self.alternatives(&slot.alternatives);
        }
    }

    fn moved(&mut self, it: &'a Move) {
        match &it.what {
            Moved::Place(place) | Moved::All(place) | Moved::Top(place) => self.operand(place),
            Moved::Copies {
                amount,
                component,
                from,
            } => {
                self.operands(amount);
                self.operands([component, from]);
            }
        }
        self.operand(&it.to);
        self.all_alone(it.with.iter().map(|with| &with.value));
    }

    pub(super) fn audience(&mut self, audience: &'a Audience) {
        match audience {
            Audience::All | Audience::Nobody => {}
            Audience::Seat(who) => self.operand(who),
        }
    }
}

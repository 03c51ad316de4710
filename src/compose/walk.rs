//! A walk over all names of a piece of the tree that knows which of them are local.

use crate::syntax::ast::{self, ExprKind, Name, StatementKind};

mod items;

/// What a free name is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// `x`: a value, a definition, a zone; a type.
    Value,
    /// `f(…)`, an alternative, an ending: something that is called.
    Call,
    /// `.x`, `with x = …`: a field, a reading, a value of an enum.
    Field,
}

/// What is done on a walk.
pub(super) trait Visitor {
    /// Meets a name that is not local; may change it.
    fn free(&mut self, name: &mut Name, used_as: Use, scope: &Scope);

    /// Meets the name of a new local; may give it another name.
    fn bind(&mut self, _name: &Name) -> Option<String> {
        None
    }

    /// Meets an expression; returns whether it is done with.
    fn expr(&mut self, _expr: &mut ast::Expr, _scope: &Scope) -> bool {
        false
    }

    /// Leaves a list of statements.
    fn leave(&mut self, _block: &mut ast::Block) {}

    /// Meets a statement; returns whether it is done with.
    fn statement(&mut self, _statement: &mut ast::Statement, _scope: &Scope) -> bool {
        false
    }
}

/// The locals at some place, outermost first, with the names they are given.
#[derive(Default)]
pub(super) struct Scope {
    locals: Vec<(String, String)>,
}

impl Scope {
    /// Returns whether the name is local.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.locals.iter().any(|(local, _)| local == name)
    }
}

/// The state of a walk.
pub(super) struct Walk<'v, V> {
    visitor: &'v mut V,
    scope: Scope,
}

impl<'v, V: Visitor> Walk<'v, V> {
    /// Starts a walk at a place without locals.
    pub(super) fn new(visitor: &'v mut V) -> Walk<'v, V> {
        let scope = Scope::default();
        Walk { visitor, scope }
    }

    /// Makes `name` local; where it is met, `given` is written.
    pub(super) fn with_local(mut self, name: &str, given: &str) -> Walk<'v, V> {
        self.scope.locals.push((name.to_owned(), given.to_owned()));
        self
    }

    fn bind(&mut self, name: &mut Name) {
        let given = self.visitor.bind(name);
        let given = given.unwrap_or_else(|| name.text.clone());
        self.scope.locals.push((name.text.clone(), given.clone()));
        name.text = given;
    }

    /// Runs `inside`; the locals it makes end with it.
    fn block_of<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.scope.locals.len();
        let result = inside(self);
        self.scope.locals.truncate(before);
        result
    }

    fn free(&mut self, name: &mut Name, used_as: Use) {
        self.visitor.free(name, used_as, &self.scope);
    }

    fn value(&mut self, name: &mut Name) {
        let local = self.scope.locals.iter().rev();
        match local.into_iter().find(|(local, _)| *local == name.text) {
            Some((_, given)) => name.text.clone_from(given),
            None => self.free(name, Use::Value),
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e mut ast::Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    pub(super) fn expr(&mut self, expr: &mut ast::Expr) {
        if self.visitor.expr(expr, &self.scope) {
            return;
        }
        match &mut expr.kind {
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::None => {}
            ExprKind::Text(template) => self.template(template),
            ExprKind::Name(name) => self.value(name),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Index { base, indices } => {
                self.expr(base);
                self.exprs(indices);
            }
            ExprKind::Field { base, field } => {
                self.expr(base);
                self.free(field, Use::Field);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => self.exprs([&mut **left, right]),
            ExprKind::Range { from, to } => self.exprs([&mut **from, to]),
            ExprKind::Default { value, fallback } => self.exprs([&mut **value, fallback]),
            ExprKind::Set(members) | ExprKind::Tuple(members) => self.exprs(members),
            ExprKind::Comprehension(it) => self.block_of(|walk| {
                for binder in &mut it.binders {
                    walk.binder(binder);
                }
                walk.exprs(it.map.as_deref_mut());
                walk.exprs(it.by.as_deref_mut());
            }),
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => self.exprs([&mut **condition, then, otherwise]),
            ExprKind::By { subject, arms } => {
                self.expr(subject);
                for arm in arms {
                    self.arm_head(&mut arm.head);
                    self.expr(&mut arm.body);
                }
            }
            ExprKind::After { body, value } => self.block_of(|walk| {
                walk.statements(body);
                walk.expr(value);
            }),
            ExprKind::Can { who, alternatives } => {
                self.expr(who);
                self.alternatives(alternatives);
            }
            ExprKind::Reach { start, var, next } => self.chained(start, var, next),
            ExprKind::Groups { domain, var, next } => self.chained(domain, var, next),
            ExprKind::Walk {
                direction,
                from,
                var,
                condition,
            } => {
                self.expr(direction);
                self.chained(from, var, condition);
            }
        }
    }

    /// Walks an expression that binds a name inside another one.
    fn chained(&mut self, outside: &mut ast::Expr, var: &mut Name, inside: &mut ast::Expr) {
        self.expr(outside);
        self.block_of(|walk| {
            walk.bind(var);
            walk.expr(inside);
        });
    }

    pub(super) fn binder(&mut self, binder: &mut ast::Binder) {
        self.expr(&mut binder.set);
        self.bind(&mut binder.name);
        self.exprs(&mut binder.condition);
    }

    fn arm_head(&mut self, head: &mut ast::ArmHead) {
        match head {
            ast::ArmHead::Names(names) => {
                for name in names {
                    // Only values of the subject's type stand here, never locals.
                    self.free(name, Use::Value);
                }
            }
            ast::ArmHead::Else => {}
        }
    }

    pub(super) fn template(&mut self, template: &mut ast::Template) {
        for part in &mut template.parts {
            match part {
                ast::TemplatePart::Text(_) => {}
                ast::TemplatePart::Hole(hole) => self.expr(hole),
            }
        }
    }

    fn call(&mut self, call: &mut ast::Call) {
        self.free(&mut call.name, Use::Call);
        self.exprs(call.args.iter_mut().map(|arg| &mut arg.value));
    }

    pub(super) fn alternatives(&mut self, alternatives: &mut [ast::Alternative]) {
        for alternative in alternatives {
            if alternative.text.is_none() {
                self.free(&mut alternative.name, Use::Call);
            }
            self.exprs(alternative.args.iter_mut().map(|arg| &mut arg.value));
            if let Some(text) = &mut alternative.text {
                self.template(text);
            }
            if let Some(body) = &mut alternative.body {
                self.block(body);
            }
        }
    }

    pub(super) fn slots(&mut self, slots: &mut [ast::Slot]) {
        for slot in slots {
            self.alternatives(&mut slot.alternatives);
        }
    }

    pub(super) fn block(&mut self, block: &mut ast::Block) {
        self.block_of(|walk| walk.statements(block));
    }

    fn statements(&mut self, block: &mut ast::Block) {
        for statement in &mut block.statements {
            if !self.visitor.statement(statement, &self.scope) {
                self.statement(statement);
            }
        }
        self.visitor.leave(block);
    }

    fn statement(&mut self, statement: &mut ast::Statement) {
        match &mut statement.kind {
            StatementKind::Let { name, value } => {
                self.expr(value);
                self.bind(name);
            }
            StatementKind::Assign { target, value, .. } => self.exprs([target, value]),
            StatementKind::Call(call) | StatementKind::End(call) => self.call(call),
            StatementKind::If {
                branches,
                otherwise,
            } => {
                for branch in branches {
                    self.expr(&mut branch.condition);
                    self.block(&mut branch.body);
                }
                otherwise.iter_mut().for_each(|body| self.block(body));
            }
            StatementKind::By { subject, arms } => {
                self.expr(subject);
                for arm in arms {
                    self.arm_head(&mut arm.head);
                    self.block(&mut arm.body);
                }
            }
            StatementKind::While { condition, body } => {
                self.expr(condition);
                self.block(body);
            }
            StatementKind::Repeat { times, body } => match times {
                ast::Times::Forever => self.block(body),
                ast::Times::Count(count) => {
                    self.expr(count);
                    self.block(body);
                }
                ast::Times::Until(condition) => self.block_of(|walk| {
                    walk.statements(body);
                    walk.expr(condition);
                }),
            },
            StatementKind::ForEach { binders, body } => self.block_of(|walk| {
                for each in binders {
                    walk.binder(&mut each.binder);
                }
                walk.block(body);
            }),
            StatementKind::Step { body, .. } => self.block(body),
            StatementKind::Choose(choose) => self.choose(choose),
            StatementKind::Window { who, slots } => {
                self.expr(who);
                self.slots(slots);
            }
            StatementKind::Turns {
                name,
                from,
                condition,
                body,
                ..
            } => {
                self.expr(from);
                self.block_of(|walk| {
                    walk.bind(name);
                    walk.exprs(condition);
                    walk.block(body);
                });
            }
            StatementKind::Move(it) => self.moved(it),
            StatementKind::Draw { amount, from, to } => {
                self.exprs(amount);
                self.exprs([from, to]);
            }
            StatementKind::Exchange { left, right } => {
                for side in [left, right] {
                    match side {
                        ast::Exchanged::Place(place) => self.expr(place),
                        ast::Exchanged::Copy { component, from } => self.exprs([component, from]),
                    }
                }
            }
            StatementKind::Shuffle { zone } => self.expr(zone),
            StatementKind::Show { place, audience } => {
                self.expr(place);
                self.audience(audience);
            }
            StatementKind::Ranking { seats, by } => {
                self.expr(seats);
                self.with_it(|walk| walk.exprs(by));
            }
            StatementKind::Winner(seats) => self.expr(seats),
            StatementKind::Return(value) => self.exprs(value),
            StatementKind::Next | StatementKind::Again => {}
        }
    }

    fn choose(&mut self, choose: &mut ast::Choose) {
        match &mut choose.who {
            ast::Chooser::Chance(_) => {}
            ast::Chooser::Seat(who) => self.expr(who),
        }
        // The chosen member is not known where there was nothing to choose.
        choose
            .otherwise
            .iter_mut()
            .for_each(|body| self.block(body));
        match &mut choose.among {
            ast::Among::Alternatives(alternatives) => self.alternatives(alternatives),
            ast::Among::Members {
                binder,
                weight,
                body: Some(body),
            } => self.block_of(|walk| {
                walk.binder(binder);
                walk.exprs(weight);
                walk.block(body);
            }),
            ast::Among::Members {
                binder,
                weight,
                body: None,
            } => {
                self.binder(binder);
                self.exprs(weight);
            }
        }
    }

    fn moved(&mut self, it: &mut ast::Move) {
        match &mut it.what {
            ast::Moved::Place(place) => self.expr(place),
            ast::Moved::All(zone) | ast::Moved::Top(zone) => self.expr(zone),
            ast::Moved::Copies {
                amount,
                component,
                from,
            } => {
                self.exprs(amount);
                self.exprs([component, from]);
            }
        }
        self.expr(&mut it.to);
        for with in &mut it.with {
            self.free(&mut with.field, Use::Field);
            self.expr(&mut with.value);
        }
    }

    fn audience(&mut self, audience: &mut ast::Audience) {
        match audience {
            ast::Audience::All | ast::Audience::Nobody => {}
            ast::Audience::Seat(who) => self.expr(who),
        }
    }

    fn with_it(&mut self, inside: impl FnOnce(&mut Self)) {
        self.block_of(|walk| {
            walk.scope.locals.push(("it".into(), "it".into()));
            inside(walk);
        });
    }
}

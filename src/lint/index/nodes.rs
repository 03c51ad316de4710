//! What is noted of expressions and statements on the way.

use super::{Done, LocalKind, Role, Seen, Stands, Walk};
use crate::source::Span;
use crate::syntax::ast::{
    self, Among, Binder, Choose, Expr, ExprKind, Item, Name, Statement, StatementKind, Tail, Tree,
    UnaryOp, Use, Visitor,
};

impl<'a> Walk<'a> {
    /// Walks something that stands alone between words or brackets.
    pub(super) fn part(&mut self, part: &'a impl Tree) {
        part.walk(self, ast::Role::Plain);
    }

    /// Walks what gets a value: its own name is written, all else in it is read.
    fn target(&mut self, target: &'a Expr) {
        match &target.kind {
            ExprKind::Name(name) => self.read_or_written(name, Role::Written),
            ExprKind::Index { base, indices } => {
                self.target(base);
                self.part(indices);
            }
            // What has a field is asked for it and changed.
            _ => {
                self.expr(target, ast::Role::Kept);
                if let Some(name) = target.leading_name() {
                    self.read_or_written(name, Role::Written);
                }
            }
        }
    }

    /// Notes that members are collected themselves, which asks for them.
    pub(super) fn collected(&mut self, binders: &[Binder]) {
        for local in &mut self.index.locals {
            let is_it = |binder: &Binder| std::ptr::eq(&binder.name, local.name);
            local.n_reads += usize::from(binders.iter().any(is_it));
        }
    }
}

impl<'a> Visitor<'a> for Walk<'a> {
    fn item(&mut self, item: &'a Item, role: ast::Role) {
        self.noted(item, role == ast::Role::Instead);
    }

    fn expr(&mut self, expr: &'a Expr, role: ast::Role) {
        let stands = match role {
            ast::Role::Target => return self.target(expr),
            ast::Role::Tight | ast::Role::Changed => Stands::Tight,
            ast::Role::Loose => Stands::Loose,
            ast::Role::Kept => Stands::Kept,
            ast::Role::Braced if matches!(expr.kind, ExprKind::Binary { .. }) => Stands::Kept,
            _ => Stands::Alone,
        };
        let item = self.item;
        self.index.exprs.push(Seen { expr, stands, item });
        // Whether there are any asks for no member where none is asked about.
        if let ExprKind::Unary {
            op: UnaryOp::Some | UnaryOp::No,
            operand,
            ..
        } = &expr.kind
            && let ExprKind::Comprehension(of) = &operand.kind
            && of.binders.iter().all(|it| it.condition.is_some())
        {
            self.only_asked = Some(operand);
        }
        self.part(&expr.kind);
        if let ExprKind::Comprehension(ast::Comprehension {
            map: None, binders, ..
        }) = &expr.kind
            && !self.only_asked.is_some_and(|it| std::ptr::eq(it, expr))
        {
            self.collected(binders);
        }
    }

    fn statement(&mut self, statement: &'a Statement) {
        let (item, looped) = (self.item, self.looped);
        self.index.statements.push(Done {
            statement,
            item,
            looped,
        });
        match &statement.kind {
            StatementKind::Step { tail, .. } => self.tail(tail, statement.span),
            StatementKind::Choose(Choose { tail, among, .. }) => {
                self.tail(tail, statement.span);
                if let Among::Alternatives(alternatives) = among {
                    self.index.choices.push(alternatives.iter().collect());
                }
            }
            StatementKind::Window { slots, .. } => {
                let offered = slots.iter().flat_map(|slot| &slot.alternatives);
                self.index.choices.push(offered.collect());
            }
            _ => {}
        }
        self.part(&statement.kind);
    }

    fn bind(&mut self, name: &'a Name, kind: LocalKind) {
        self.new_local(name, kind);
    }

    fn name(&mut self, name: &'a Name, used_as: Use) {
        match used_as {
            Use::Value | Use::Type => self.read_or_written(name, Role::Read),
            Use::Call => self.use_name(name, Role::Called),
            Use::Named | Use::Field => {}
        }
    }

    fn tail(&mut self, tail: &'a Tail, span: Span) {
        self.clause(tail, span);
    }

    fn enter(&mut self, again: bool) {
        self.outside.push((self.scope.len(), self.looped));
        self.looped |= again;
    }

    fn leave(&mut self) {
        if let Some((before, looped)) = self.outside.pop() {
            self.scope.truncate(before);
            self.looped = looped;
        }
    }
}

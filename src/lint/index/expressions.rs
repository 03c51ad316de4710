//! Expressions, templates and types.

use super::{LocalKind, Role, Seen, Stands, Walk};
use crate::syntax::ast::{
    Alternative, Arg, BinaryOp, Binder, Call, Comprehension, Expr, ExprKind, Name, Template,
    TemplatePart, Type, TypeKind, UnaryOp,
};

impl<'a> Walk<'a> {
    /// Walks an expression that stands alone between words or brackets.
    pub(super) fn alone(&mut self, expr: &'a Expr) {
        self.expr(expr, Stands::Alone);
    }

    /// Walks an expression where the grammar takes one operand.
    pub(super) fn operand(&mut self, expr: &'a Expr) {
        self.expr(expr, Stands::Tight);
    }

    pub(super) fn operands(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        for expr in exprs {
            self.operand(expr);
        }
    }

    pub(super) fn all_alone(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        for expr in exprs {
            self.alone(expr);
        }
    }

    pub(super) fn expr(&mut self, expr: &'a Expr, stands: Stands) {
        let item = self.item;
        self.index.exprs.push(Seen { expr, stands, item });
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Bool(_) | ExprKind::None => {}
            ExprKind::Text(template) => self.template(template),
            ExprKind::Name(name) => self.name(name, Role::Read),
            ExprKind::Call(call) => self.call(call),
            ExprKind::Index { base, indices } => {
                self.operand(base);
                self.all_alone(indices);
            }
            ExprKind::Field { base, .. } => self.operand(base),
            ExprKind::Unary { op, operand, .. } => {
                let loose = *op == UnaryOp::Not;
                self.expr(operand, if loose { Stands::Loose } else { Stands::Tight });
            }
            ExprKind::Binary {
                op, left, right, ..
            } => self.binary(*op, left, right),
            ExprKind::Range { from, to } => self.operands([&**from, to]),
            ExprKind::Default { value, fallback } => self.operands([&**value, fallback]),
            ExprKind::Set(members) => {
                for member in members {
                    self.braced(member);
                }
            }
            ExprKind::Comprehension(it) => self.comprehension(it),
            ExprKind::Tuple(members) => self.all_alone(members),
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => self.all_alone([&**condition, then, otherwise]),
            ExprKind::By { subject, arms } => {
                self.operand(subject);
                self.all_alone(arms.iter().map(|arm| &arm.body));
            }
            ExprKind::After { body, value } => self.scoped(|walk| {
                walk.statements(body);
                walk.operand(value);
            }),
            ExprKind::Can { who, alternatives } => {
                self.alone(who);
                self.alternatives(alternatives);
            }
            ExprKind::Reach { start, var, next } => {
                self.operand(start);
                self.member(var, next, Stands::Tight);
            }
            ExprKind::Groups { domain, var, next } => {
                self.operand(domain);
                self.member(var, next, Stands::Tight);
            }
            ExprKind::Walk {
                direction,
                from,
                var,
                condition,
            } => {
                self.operands([&**direction, from]);
                self.member(var, condition, Stands::Alone);
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &'a Expr, right: &'a Expr) {
        let beside = match op {
            BinaryOp::And | BinaryOp::Or => Stands::Loose,
            _ => Stands::Tight,
        };
        // `{ (x) in S }` asks about one x, `{ x in S }` takes them all.
        let is_in = matches!(op, BinaryOp::In | BinaryOp::NotIn);
        self.expr(left, if is_in { Stands::Kept } else { beside });
        self.expr(right, beside);
    }

    /// Walks what begins a pair of braces: `{ (x in S) }` is one truth value, `{ x in S }` a set.
    fn braced(&mut self, expr: &'a Expr) {
        let kept = matches!(expr.kind, ExprKind::Binary { .. });
        self.expr(expr, if kept { Stands::Kept } else { Stands::Alone });
    }

    fn comprehension(&mut self, it: &'a Comprehension) {
        self.scoped(|walk| {
            let first = walk.index.locals.len();
            for binder in &it.binders {
                walk.binder(binder, LocalKind::Member);
            }
            match &it.map {
                Some(map) => walk.braced(map),
                // What is collected are the members themselves.
                None => {
                    for local in walk.index.locals.iter_mut().skip(first) {
                        local.n_reads += 1;
                    }
                }
            }
            walk.all_alone(it.by.as_deref());
        });
    }

    fn member(&mut self, var: &'a Name, inside: &'a Expr, stands: Stands) {
        self.scoped(|walk| {
            walk.bind(var, LocalKind::Member);
            walk.expr(inside, stands);
        });
    }

    pub(super) fn binder(&mut self, binder: &'a Binder, kind: LocalKind) {
        self.alone(&binder.set);
        self.bind(&binder.name, kind);
        self.all_alone(&binder.condition);
    }

    pub(super) fn call(&mut self, call: &'a Call) {
        self.use_name(&call.name, Role::Called);
        self.args(&call.args);
    }

    fn args(&mut self, args: &'a [Arg]) {
        self.all_alone(args.iter().map(|arg| &arg.value));
    }

    pub(super) fn alternatives(&mut self, alternatives: &'a [Alternative]) {
        for it in alternatives {
            if it.text.is_none() {
                self.use_name(&it.name, Role::Called);
            }
            self.args(&it.args);
            it.text.iter().for_each(|text| self.template(text));
            it.body.iter().for_each(|body| self.block(body));
        }
    }

    pub(super) fn template(&mut self, template: &'a Template) {
        for part in &template.parts {
            match part {
                TemplatePart::Text(_) => {}
                TemplatePart::Hole(hole) => self.operand(hole),
            }
        }
    }

    pub(super) fn types(&mut self, types: impl IntoIterator<Item = &'a Type>) {
        for ty in types {
            self.ty(ty);
        }
    }

    pub(super) fn ty(&mut self, ty: &'a Type) {
        match &ty.kind {
            TypeKind::Named(name) => self.name(name, Role::Read),
            TypeKind::Range(from, to) => self.operands([&**from, to]),
            TypeKind::SetOf(ty) | TypeKind::OrNone(ty) => self.ty(ty),
            TypeKind::Tuple(types) => self.types(types),
        }
    }
}

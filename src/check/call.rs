//! Calls, hypothetical values and closures.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{Base, BinaryOp, DefineId, Expr, ExprKind, LocalId, Type, UnaryOp};
use crate::source::Span;
use crate::syntax::ast;

use super::offers::Asker;
use super::scope::{Binding, BodyKind};
use super::thing::Thing;
use super::{Checked, Checker, Entity, Reported};

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn call(
        &mut self,
        call: &ast::Call,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let name = &call.name;
        match self.named(name.as_str()) {
            Some(Ok(Entity::Define(id))) => self.call_define(id, call, span),
            Some(Ok(Entity::Domain(id))) => self.construct(id, &call.args, span),
            Some(Ok(entity)) => Err(self.not_callable(entity, call, span)),
            Some(Err(reported)) => {
                // The arguments are looked at all the same, for what is wrong with them.
                Err(reported)
            }
            None => match name.as_str() {
                "seat" => self.construct(self.game.seat, &call.args, span),
                "Direction" => self.construct(self.direction, &call.args, span),
                _ => match self.builtin(call, want, span) {
                    Some(found) => found,
                    None => Err(self.unknown(name, None)),
                },
            },
        }
    }

    #[inline(never)]
    fn not_callable(&mut self, entity: Entity, call: &ast::Call, span: Span) -> Reported {
        let name = &call.name;
        let (what, help) = match entity {
            Entity::Zone(_) | Entity::Track(_) | Entity::Table(_) => {
                ("has an index, not arguments", format!("write `{name}[…]`"))
            }
            Entity::Setting(_) => ("has no arguments", format!("write `{name}`")),
            Entity::Proc(_) => (
                "happens; it is no value",
                "write it as a statement, or take its result with `let x = …` first".to_owned(),
            ),
            Entity::Action(_) | Entity::Offers => (
                "is an action, not a value",
                format!("ask whether it is legal: `can(me, {name})`"),
            ),
            Entity::Domain(_) | Entity::Define(_) | Entity::Other => {
                ("is no value", "nothing can refer to it".to_owned())
            }
        };
        let message = format!("`{name}` {what}");
        self.complain(codes::WRONG_KIND, span, message, help)
    }

    #[inline(never)]
    fn call_define(&mut self, id: DefineId, call: &ast::Call, span: Span) -> Checked<Expr> {
        let Some(define) = self.define(id) else {
            return Err(Reported);
        };
        let (params, ty) = (define.params.clone(), define.ty);
        if params.is_empty() {
            let message = format!("`{}` takes no arguments", call.name);
            return Err(self.report(
                Diagnostic::at(codes::WRONG_ARGUMENTS, span, message)
                    .help(format!("write `{}`", call.name))
                    .safe_fix(
                        "leave the parentheses out",
                        vec![(span, call.name.text.clone())],
                    ),
            ));
        }
        let args = self.arguments_of(&call.name.text, &params, &call.args, span)?;
        Ok(Expr::new(ExprKind::Call(id, args), ty, span))
    }

    /// Checks the arguments for parameters; all are needed.
    #[inline(never)]
    pub(super) fn arguments_of(
        &mut self,
        callee: &str,
        params: &[crate::model::LocalId],
        args: &[ast::Arg],
        span: Span,
    ) -> Checked<Vec<Expr>> {
        let names: Vec<String> = params
            .iter()
            .filter_map(|it| self.game.locals.get(it.index()))
            .map(|it| it.name.clone())
            .collect();
        let given = self.arrange(callee, &names, args, span)?;
        let mut values = Vec::new();
        let mut failed = false;
        for (at, (param, value)) in params.iter().zip(given).enumerate() {
            let Some(value) = value else {
                let name = names.get(at).cloned().unwrap_or_default();
                let message = format!("`{callee}` needs a value for `{name}`");
                self.error(codes::WRONG_ARGUMENTS, span, message);
                failed = true;
                continue;
            };
            let ty = self.local_type(*param);
            match self.typed(value, ty) {
                Ok(value) => values.push(value),
                Err(Reported) => failed = true,
            }
        }
        if failed { Err(Reported) } else { Ok(values) }
    }

    /// `after { effects } e`.
    #[inline(never)]
    pub(super) fn after(
        &mut self,
        body: &ast::Block,
        value: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let (statements, value) = self.scoped(|this| {
            let outer = (this.body.kind, this.body.turns, this.body.result);
            (this.body.kind, this.body.turns, this.body.result) = (BodyKind::After, 0, None);
            let statements = this.block(body);
            (this.body.kind, this.body.turns, this.body.result) = outer;
            let value = this.looked_at(value, want);
            (statements, value)
        });
        let (statements, value) = (statements?, super::operator::present(value?));
        Ok(Expr {
            ty: value.ty,
            kind: ExprKind::After(statements, Box::new(value)),
            span,
        })
    }

    /// What stands directly behind `after { … }`. What lies in several places is compared there and is no value by itself.
    fn looked_at(&mut self, value: &ast::Expr, want: Option<Type>) -> Checked<Expr> {
        if matches!(value.kind, ast::ExprKind::Index { .. })
            && let Thing::Family(family) = self.thing(value, want)?
            && !family.is_whole()
        {
            let name = self.family_name(&family);
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                value.span,
                format!("what lies in several places of `{name}` is no value"),
                "what is compared behind `after` stands in parentheses: `after { … } (wall[me] == \"a1 b\")`",
            ));
        }
        self.value(value, want)
    }

    /// `can(WHO, a | b)`.
    #[inline(never)]
    pub(super) fn can(
        &mut self,
        who: &ast::Expr,
        alternatives: &[ast::Alternative],
        span: Span,
    ) -> Checked<Expr> {
        let who = self.seat_of(who)?;
        for alternative in alternatives {
            self.only_named(alternative)?;
        }
        let mut asker = Asker {
            who: Some(who.clone()),
            before: None,
            happens: false,
        };
        let alts = self.alternatives_for(alternatives, &mut asker)?;
        Ok(Expr::truth(ExprKind::Can(Box::new(who), alts), span))
    }

    #[inline(never)]
    pub(super) fn reach(
        &mut self,
        start: &ast::Expr,
        var: &ast::Name,
        next: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let start = self.value(start, want)?;
        let (var, next, ty) = self.closure(start.ty, var, next, start.span)?;
        Ok(Expr {
            kind: ExprKind::Reach {
                start: Box::new(start),
                var,
                step: Box::new(next),
            },
            ty,
            span,
        })
    }

    #[inline(never)]
    pub(super) fn groups(
        &mut self,
        domain: &ast::Expr,
        var: &ast::Name,
        next: &ast::Expr,
        want: Option<Type>,
        span: Span,
    ) -> Checked<Expr> {
        let over = self.value(domain, want)?;
        let (var, next, ty) = self.closure(over.ty, var, next, over.span)?;
        Ok(Expr {
            kind: ExprKind::Groups {
                over: Box::new(over),
                var,
                step: Box::new(next),
            },
            ty,
            span,
        })
    }

    #[inline(never)]
    fn closure(
        &mut self,
        ty: Type,
        var: &ast::Name,
        next: &ast::Expr,
        span: Span,
    ) -> Checked<(crate::model::LocalId, Expr, Type)> {
        let Base::Set(domain) = ty.base else {
            let of = self.type_name(ty);
            return Err(self.complain(
                codes::NOT_A_SET,
                span,
                format!("this is {of}, not a set"),
                "put braces around a single member: `{ p }`",
            ));
        };
        let element = self.element(domain);
        let (var, next) = self.scoped(|this| {
            let var = this.bind(var, element);
            (var, this.value(next, Some(ty)))
        });
        let next = self.fit(next?, ty)?;
        Ok((var, next, ty))
    }

    /// The place one step back from a local.
    fn behind(&self, way: &Expr, local: LocalId, span: Span) -> Expr {
        let back = Expr {
            kind: ExprKind::unary(UnaryOp::Opposite, way.clone()),
            ty: way.ty,
            span,
        };
        let one = super::holders::number(1, span);
        super::operator::stepped(self.local(local, span), back, one, span)
    }

    #[inline(never)]
    pub(super) fn walk(
        &mut self,
        direction: &ast::Expr,
        from: &ast::Expr,
        (until, var): (Option<&ast::Until>, &ast::Name),
        condition: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let (from, space) = self.cell_of(from)?;
        let ways = self.way_type(space, from.span)?;
        let way = self.typed(direction, ways)?;
        let (var, cond) = self.scoped(|this| {
            let cell = Type::of(Base::Elem(space));
            match until {
                None => {
                    let var = this.bind(var, cell);
                    (var, this.condition(condition))
                }
                Some(ast::Until::UpTo) => {
                    let local = this.fresh(&var.text, cell, var.span);
                    let before = this.behind(&way, local, var.span);
                    let start = Expr::truth(
                        ExprKind::binary(BinaryOp::Eq, before.clone(), from.clone()),
                        var.span,
                    );
                    this.bind_as(var, Binding::Alias(before.with_type(cell)));
                    let goes_on = this.condition(condition).map(|it| {
                        Expr::truth(
                            ExprKind::binary(
                                BinaryOp::Or,
                                start,
                                super::operator::not(it, condition.span),
                            ),
                            condition.span,
                        )
                    });
                    (local, goes_on)
                }
            }
        });
        Ok(Expr {
            kind: ExprKind::Walk {
                way: Box::new(way),
                from: Box::new(from),
                var,
                cond: Box::new(cond?),
            },
            ty: self.set_of_cells(space),
            span,
        })
    }
}

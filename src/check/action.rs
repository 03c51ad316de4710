//! Actions.

use crate::diagnostic::codes;
use crate::model::{
    Action, ActionId, Base, ClauseId, ClauseKind, Expr, ExprKind, LocalId, Over, Param, Proc,
    ProcKind, Require, Template, TemplatePart, Type,
};
use crate::syntax::ast::{self, ParamDomain};

use super::scope::{Body, Me};
use super::{Checked, Checker, Reported};

impl<'a> Checker<'a> {
    pub(super) fn action_head(
        &mut self,
        it: &'a ast::Action,
        item: &'a ast::Item,
        clause: ClauseId,
    ) -> Checked<ActionId> {
        let me = self.fresh("me", self.seat_type(), it.name.span);
        let body = Body {
            me: Me::Bound(me),
            path: it.name.text.clone(),
            clause,
            ..Body::default()
        };
        let params = self.in_body(body, |this| this.action_params(it))?;
        let mut locals = Vec::new();
        for param in &params {
            let Some(local) = self.game.locals.get(param.local.index()).cloned() else {
                return Err(Reported);
            };
            locals.push(self.fresh(&local.name, local.ty, local.span));
        }
        let proc = Proc {
            name: it.name.text.clone(),
            kind: ProcKind::Body,
            params: locals,
            body: Vec::new(),
            ty: Type::UNIT,
            depth: 0,
            chooses: false,
            clause,
        };
        let body = self.add_proc(proc, item, it.name.span);
        let id = ActionId(u32::try_from(self.game.actions.len()).unwrap_or(u32::MAX));
        self.game.actions.push(Action {
            name: it.name.text.clone(),
            me,
            params,
            requires: Vec::new(),
            body,
            text: Template { parts: Vec::new() },
            clause,
        });
        Ok(id)
    }

    fn action_params(&mut self, it: &'a ast::Action) -> Checked<Vec<Param>> {
        let mut params: Vec<Param> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut failed = false;
        for param in &it.params {
            let over = match &param.domain {
                ParamDomain::Type(ty) => self.whole_type(ty),
                ParamDomain::Set(set) => self.over(set),
            };
            if param.names.len() > 2 {
                self.complain(
                    codes::WRONG_ARGUMENTS,
                    param.span,
                    "at most two members are taken together",
                    "write `x & y in …`",
                );
                failed = true;
            }
            for (at, name) in param.names.iter().enumerate() {
                let clause = self.inner_clause(
                    name,
                    ClauseKind::Param,
                    &ast::Tail::default(),
                    String::new(),
                );
                if names.contains(&name.text) {
                    failed = true;
                    continue;
                }
                names.push(name.text.clone());
                let Ok((over, element)) = &over else {
                    failed = true;
                    self.bind_as(name, super::scope::Binding::Failed);
                    continue;
                };
                let local = self.bind(name, *element);
                params.push(Param {
                    local,
                    over: over.clone(),
                    paired: at > 0,
                    clause,
                });
            }
        }
        if failed { Err(Reported) } else { Ok(params) }
    }

    /// A whole type as the set that a parameter is taken from.
    pub(super) fn whole_type(&mut self, written: &ast::Type) -> Checked<(Over, Type)> {
        let sized = self.sized(written)?;
        if sized.ty.optional {
            return Err(self.complain(
                codes::WRONG_TYPE,
                written.span,
                "a parameter of an action is never `none`",
                "write a second action without it",
            ));
        }
        let domain = self.domain_of(sized.ty, written.span)?;
        let span = written.span;
        let kind = if sized.size < self.size(domain) {
            let first = i64::try_from(sized.size).unwrap_or(0);
            ExprKind::SetOf(
                (0..first)
                    .map(|it| self.enum_value(domain, it, span))
                    .collect(),
            )
        } else {
            ExprKind::All(domain)
        };
        let set = Expr {
            kind,
            ty: Type::of(Base::Set(domain)),
            span,
        };
        Ok((Over::Set(set), sized.ty))
    }

    /// Checks the conditions of an action and how it is printed.
    pub(super) fn action_rules(&mut self, it: &'a ast::Action, id: ActionId) -> Checked<()> {
        let body = self.action_scope(id)?;
        let (requires, text) = self.in_body(body, |this| {
            let mut requires = Vec::new();
            for require in &it.requires {
                let text = super::clause::docs(&require.docs);
                let clause =
                    this.inner_clause(&require.label, ClauseKind::Require, &require.tail, text);
                let cond = this.condition(&require.condition);
                let message = require
                    .message
                    .as_ref()
                    .map(|it| this.template(it))
                    .transpose();
                if let (Ok(cond), Ok(message)) = (cond, message) {
                    requires.push(Require {
                        cond,
                        message,
                        clause,
                        bare: None,
                        lifts: Vec::new(),
                    });
                }
            }
            let text = match &it.text {
                Some(text) => this.template(text),
                None => Ok(this.plain_text(it)),
            };
            (requires, text)
        });
        if let Some(action) = self.game.actions.get_mut(id.index()) {
            action.requires = requires;
            action.text = text?;
        }
        Ok(())
    }

    /// The scope of what an action asks: its seat and its parameters.
    pub(super) fn action_scope(&mut self, id: ActionId) -> Checked<Body> {
        let Some(action) = self.game.actions.get(id.index()) else {
            return Err(Reported);
        };
        let params: Vec<LocalId> = action.params.iter().map(|it| it.local).collect();
        Ok(Body {
            me: Me::Bound(action.me),
            locals: self.bound(&params),
            path: action.name.clone(),
            clause: action.clause,
            ..Body::default()
        })
    }

    /// `name x y`, where the rulebook does not say how a move is printed.
    fn plain_text(&mut self, it: &ast::Action) -> Template {
        let mut parts = vec![TemplatePart::Text(it.name.text.clone())];
        for name in it.params.iter().flat_map(|it| &it.names) {
            if let Some(super::scope::Binding::Local(local, _)) = self.binding(&name.text).cloned()
            {
                parts.push(TemplatePart::Text(" ".to_owned()));
                parts.push(TemplatePart::Hole(self.local(local, name.span)));
            }
        }
        Template { parts }
    }
}

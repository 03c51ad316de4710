//! Actions.

use crate::compose::Guard;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    Action, ActionId, ClauseId, ClauseKind, Expr, ExprKind, LocalId, Over, Param, Proc, ProcKind,
    Require, Several, Template, TemplatePart, Type,
};
use crate::syntax::ast::{self, ParamDomain};

use super::scope::{Binding, Body, Me};
use super::template::one_by_one;
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
        let (params, several) = self.in_body(body, |this| this.action_params(it))?;
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
            several,
            requires: Vec::new(),
            body,
            text: Template { parts: Vec::new() },
            clause,
        });
        Ok(id)
    }

    fn action_params(&mut self, it: &'a ast::Action) -> Checked<(Vec<Param>, Vec<Several>)> {
        let mut params: Vec<Param> = Vec::new();
        let mut several: Vec<Several> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        let mut failed = false;
        for param in &it.params {
            // Of an older form there are several, and no game comes of it.
            let Some(name) = param.names.first() else {
                continue;
            };
            let over = match &param.domain {
                ParamDomain::Type(ty) => self.whole_type(ty),
                ParamDomain::Set(set) => self.over(set),
                ParamDomain::Several { count, set } => {
                    let first = params.len();
                    match self.taken_together(name, count, set, &mut params) {
                        Ok(made) if !names.contains(&name.text) => {
                            let locals = params.iter().skip(first).map(|it| it.local);
                            let locals: Vec<LocalId> = locals.collect();
                            let binding = self.bound_members(&locals, made.domain);
                            self.bind_as(name, binding);
                            names.push(name.text.clone());
                            several.push(made);
                        }
                        Ok(_) => {
                            let message = format!("two parameters are called `{name}`");
                            self.error(codes::DUPLICATE_NAME, name.span, message);
                            failed = true;
                        }
                        Err(Reported) => {
                            self.bind_as(name, Binding::Failed);
                            failed = true;
                        }
                    }
                    continue;
                }
            };
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
            let Ok((over, element)) = over else {
                failed = true;
                self.bind_as(name, Binding::Failed);
                continue;
            };
            let local = self.bind(name, element);
            params.push(Param {
                local,
                over,
                member: None,
                clause,
            });
        }
        if failed {
            return Err(Reported);
        }
        for param in &it.params {
            if let ParamDomain::Several { count, .. } = &param.domain {
                self.fits_one_move(&params, count.span)?;
            }
        }
        Ok((params, several))
    }

    fn taken_together(
        &mut self,
        name: &ast::Name,
        count: &'a ast::Expr,
        set: &'a ast::Expr,
        params: &mut Vec<Param>,
    ) -> Checked<Several> {
        let tail = ast::Tail::default();
        let clause = self.inner_clause(name, ClauseKind::Param, &tail, String::new());
        self.several(name, count, set, clause, params)
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
        let set = Expr::set(kind, domain, span);
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

    /// Says in which action a name stands for what is chosen.
    pub(super) fn of_chosen(&self, found: &Diagnostic, name: &ast::Name) -> Option<Diagnostic> {
        let items = self.composed.items.iter().map(|it| &it.item.kind);
        let action = items.filter_map(|it| match it {
            ast::ItemKind::Action(it) => Some(it),
            _ => None,
        });
        let mut chosen = action.flat_map(|it| it.params.iter().map(move |param| (it, param)));
        let (action, param) =
            chosen.find(|(_, param)| param.names.iter().any(|it| it.text == name.text))?;
        let message = format!("`{}` calls by it what is chosen there", action.name);
        let mut guards = self.composed.guards.iter();
        let is_here = |it: &&Guard| it.when.span.holds(name.span) && it.formals.is_empty();
        let of_it = |it: &&Guard| {
            it.path
                .segments
                .first()
                .is_some_and(|it| it.text == action.name.text)
        };
        let help = match guards.find(|it| is_here(it) && of_it(it)) {
            Some(guard) => {
                let all = action.params.iter().flat_map(|it| &it.names);
                let all: Vec<&str> = all.map(ast::Name::as_str).collect();
                let (word, path) = (guard.kind.word(), &guard.path);
                format!(
                    "name what is chosen behind what is guarded: `{word} {path}({})`",
                    all.join(", ")
                )
            }
            None => String::from(
                "that is known in the action alone: let its `do` keep it in a track, and ask the track here",
            ),
        };
        Some(found.clone().label(param.span, message).help(help))
    }

    /// The scope of what an action asks: its seat and its parameters.
    pub(super) fn action_scope(&mut self, id: ActionId) -> Checked<Body> {
        let Some(action) = self.game.actions.get(id.index()) else {
            return Err(Reported);
        };
        let params: Vec<LocalId> = action.params.iter().map(|it| it.local).collect();
        Ok(Body {
            me: Me::Bound(action.me),
            locals: self.inputs_of(action, &params),
            path: action.name.clone(),
            clause: action.clause,
            ..Body::default()
        })
    }

    /// `name x y`, where the rulebook does not say how a move is printed.
    fn plain_text(&mut self, it: &ast::Action) -> Template {
        let mut parts = vec![TemplatePart::Text(it.name.text.clone())];
        for name in it.params.iter().flat_map(|it| &it.names) {
            let holes = match self.binding(&name.text).cloned() {
                Some(Binding::Local(local, _)) => vec![local],
                Some(Binding::Members { locals, .. }) => locals,
                _ => Vec::new(),
            };
            let holes = holes.into_iter().map(|it| self.local(it, name.span));
            let holes: Vec<Expr> = holes.collect();
            parts.push(TemplatePart::Text(" ".to_owned()));
            parts.extend(one_by_one(holes));
        }
        Template { parts }
    }
}

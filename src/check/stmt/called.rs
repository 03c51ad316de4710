//! Calls of events and flows.

use crate::diagnostic::codes;
use crate::model::{Expr, ProcId, ProcKind, StmtKind};
use crate::source::Span;
use crate::syntax::ast;

use crate::check::scope::{BodyKind, Me};
use crate::check::{Checked, Checker, Entity, Reported, WithoutMe};

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn call_statement(&mut self, call: &ast::Call, span: Span) -> Checked<StmtKind> {
        match self.named(call.name.as_str()) {
            Some(Ok(Entity::Proc(id))) => {
                self.may_call(id, span)?;
                let args = self.proc_args(id, call, span)?;
                Ok(StmtKind::Call(id, args))
            }
            Some(Err(reported)) => Err(reported),
            Some(Ok(entity)) => {
                let (what, help) = match entity {
                    Entity::Action(_) | Entity::Offers => (
                        "is an action: a seat chooses it",
                        format!("write `choose me: {}`", call.name),
                    ),
                    Entity::Define(_) => (
                        "is a value: nothing happens",
                        "write `event` instead of `define` if it changes something".to_owned(),
                    ),
                    _ => ("does nothing", "call an event or a flow".to_owned()),
                };
                let message = format!("`{}` {what}", call.name);
                Err(self.complain(codes::WRONG_KIND, span, message, help))
            }
            None => {
                let list = self.proc_names(&[ProcKind::Event, ProcKind::Flow]);
                let message = format!("no event or flow is called `{}`", call.name);
                Err(self.not_among(codes::UNKNOWN_NAME, &call.name, message, &list))
            }
        }
    }

    pub(in crate::check) fn proc_names(&self, kinds: &[ProcKind]) -> Vec<String> {
        let named = self.composed.items.iter().filter(|it| match &it.item.kind {
            ast::ItemKind::Event(_) => kinds.contains(&ProcKind::Event),
            ast::ItemKind::Flow(_) => kinds.contains(&ProcKind::Flow),
            ast::ItemKind::Ending(_) => kinds.contains(&ProcKind::Ending),
            _ => false,
        });
        named
            .filter_map(|it| it.item.kind.name())
            .map(|it| it.text.clone())
            .collect()
    }

    /// Says whether the present body may call a procedure.
    pub(super) fn may_call(&mut self, id: ProcId, span: Span) -> Checked<()> {
        let Some(proc) = self.proc(id) else {
            return Err(Reported);
        };
        let (kind, name) = (proc.kind, proc.name.clone());
        match (kind, self.body.kind) {
            (ProcKind::Ending, _) => Err(self.complain(
                codes::MISPLACED,
                span,
                format!("`{name}` is an ending"),
                format!("write `end {name}(…)`"),
            )),
            (
                ProcKind::Flow,
                BodyKind::Event | BodyKind::Ending | BodyKind::After | BodyKind::Given,
            ) => {
                let inside = self.body_words();
                Err(self.complain(
                    codes::CHOICE_HERE,
                    span,
                    format!("`{name}` is a flow, which may choose; {inside} cannot"),
                    format!("write `event {name}` if it never chooses"),
                ))
            }
            (_, BodyKind::Pure) => {
                Err(self.error(codes::MISPLACED, span, "nothing can happen here"))
            }
            _ => Ok(()),
        }
    }

    pub(in crate::check) fn body_words(&self) -> &'static str {
        match self.body.kind {
            BodyKind::Pure => "a definition",
            BodyKind::Event => "an event",
            BodyKind::Flow => "a flow",
            BodyKind::Ending => "an ending",
            BodyKind::Action => "an action",
            BodyKind::After => "`after`",
            BodyKind::Given => "`given`",
        }
    }

    /// Checks the arguments of a call; `me` goes before them where somebody is `me`.
    pub(in crate::check) fn proc_args(
        &mut self,
        id: ProcId,
        call: &ast::Call,
        span: Span,
    ) -> Checked<Vec<Expr>> {
        let Some(proc) = self.proc(id) else {
            return Err(Reported);
        };
        let (params, kind) = (proc.params.clone(), proc.kind);
        self.leads_to(id, span);
        let mut values = self.arguments_of(&call.name.text, &params, &call.args, span)?;
        if kind == ProcKind::Ending {
            return Ok(values);
        }
        if let Some(acting) = &self.body.acting {
            values.insert(0, acting.clone());
            return Ok(values);
        }
        match self.body.me {
            Me::Bound(local) => values.insert(0, self.local(local, span)),
            Me::Implicit(local) => {
                if let Some(caller) = self.body.proc {
                    self.hands_me.push((caller, id, span));
                }
                values.insert(0, self.local(local, span));
            }
            Me::Nobody(why) => self.without_me.push(WithoutMe {
                callee: id,
                span,
                why,
            }),
        }
        Ok(values)
    }
}

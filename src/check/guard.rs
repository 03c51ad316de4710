//! `forbid` and `permit`: conditions on actions, events and their clauses.
//!
//! A guard is judged at the moment of the call that it guards. Where that call is not the first
//! statement of an action, the condition is asked in the position after the statements before it.

mod sites;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::compose::{Guard, GuardKind};
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    ActionId, BinaryOp, ClauseId, ClauseKind, Expr, ExprKind, Lift, LocalId, ProcId, ProcKind,
    Require, Stmt, Template, TemplatePart,
};
use crate::source::Span;
use crate::syntax::ast;

use self::sites::{Site, each_call};
use super::clause::NewClause;
use super::operator::not;
use super::scope::{Binding, Body, BodyKind};
use super::{Checked, Checker, Entity, Reported};

/// The most statements that are tried out before guarded calls.
const MOST_WORK: usize = 100_000;

/// So many calls that no action is judged by are named.
const MOST_CALLS: usize = 5;

/// A guard with its clause and the guards that lift it.
struct Forbid<'a> {
    guard: &'a Guard,
    clause: ClauseId,
    lifting: Vec<&'a Guard>,
}

/// The arguments of a guarded call under the names of a guard.
struct Formals {
    locals: Vec<(String, Binding)>,
    /// What is bound around the condition.
    lets: Vec<(LocalId, Expr)>,
}

impl<'a> Checker<'a> {
    pub(super) fn check_guards(&mut self) {
        let composed = self.composed;
        let address = |it: &Guard| format!("{}.{}", it.path, it.label);
        let forbidden = composed.guards.iter();
        let forbidden = forbidden.filter(|it| it.kind == GuardKind::Forbid);
        let mut lifting: HashMap<String, Vec<&'a Guard>> =
            forbidden.map(|it| (address(it), Vec::new())).collect();
        let mut permits: Vec<&'a Guard> = Vec::new();
        let mut forbids: Vec<Forbid<'a>> = Vec::new();
        for guard in &composed.guards {
            let mut kind = ClauseKind::Forbid;
            if guard.kind == GuardKind::Permit {
                match lifting.get_mut(&guard.path.to_string()) {
                    Some(lifting) => lifting.push(guard),
                    None => {
                        kind = ClauseKind::Require;
                        permits.push(guard);
                    }
                }
            }
            let target = guard.path.segments.first().map_or("", |it| it.as_str());
            let parent = self.paths.get(target).copied();
            let clause = self.clause(NewClause {
                path: address(guard),
                kind,
                span: guard.span,
                tail: &guard.tail,
                parent,
                text: String::new(),
                origin: guard.origin.clone(),
            });
            if guard.kind == GuardKind::Forbid {
                forbids.push(Forbid {
                    guard,
                    clause,
                    lifting: Vec::new(),
                });
            }
        }
        for forbid in &mut forbids {
            let lifting = lifting.remove(&address(forbid.guard));
            forbid.lifting = lifting.unwrap_or_default();
            let _ = self.forbid(forbid);
        }
        for guard in permits {
            let _ = self.permit(guard);
        }
    }

    fn forbid(&mut self, forbid: &Forbid<'a>) -> Checked<()> {
        let path = &forbid.guard.path;
        let name = path.segments.first().map_or("", |it| it.as_str());
        match self.named(name) {
            Some(Ok(Entity::Action(id))) => {
                let body = self.action_scope(id)?;
                let formals = self.formals_of_action(id, forbid.guard)?;
                let require =
                    self.in_body(body, |this| this.refusal(forbid, &formals, Vec::new()))?;
                if let Some(action) = self.game.actions.get_mut(id.index()) {
                    action.requires.push(require);
                }
                Ok(())
            }
            Some(Ok(Entity::Proc(id))) => self.forbid_event(forbid, id, name),
            Some(Err(reported)) => Err(reported),
            _ => {
                let message = format!("`{path}` is no action and no event");
                Err(self.error(codes::WRONG_KIND, path.span, message))
            }
        }
    }

    fn formals_of_action(&mut self, id: ActionId, guard: &Guard) -> Checked<Formals> {
        let Some(action) = self.game.actions.get(id.index()) else {
            return Err(Reported);
        };
        let params: Vec<LocalId> = action.params.iter().map(|it| it.local).collect();
        let inputs = self.inputs_of(action, &params);
        self.too_many_formals(guard, inputs.len())?;
        let locals = guard
            .formals
            .iter()
            .zip(inputs)
            .map(|(formal, (_, binding))| (formal.text.clone(), binding))
            .collect();
        Ok(Formals {
            locals,
            lets: Vec::new(),
        })
    }

    fn too_many_formals(&mut self, guard: &Guard, count: usize) -> Checked<()> {
        match guard.formals.get(count) {
            Some(formal) => {
                let takes = super::thing::arguments(count);
                let message = format!("`{}` takes {takes}", guard.path);
                Err(self.error(codes::WRONG_ARGUMENTS, formal.span, message))
            }
            None => Ok(()),
        }
    }

    fn forbid_event(&mut self, forbid: &Forbid<'a>, event: ProcId, name: &str) -> Checked<()> {
        if self.guard_work > MOST_WORK {
            return Err(Reported);
        }
        let below = self.those_who_call(event);
        let mut failed = false;
        let told = self.diagnostics.len();
        let sites = self.sites(name, event, &below, forbid.guard);
        if self.diagnostics.len() == told {
            self.unjudged(forbid.guard, event, name, &below, sites.is_empty());
        }
        let mut remarks: Option<Vec<Diagnostic>> = None;
        for site in sites {
            let told = self.diagnostics.len();
            let body = self.action_scope(site.action)?;
            let require = self.in_body(body, |this| {
                let before = this.statements_before(&site)?;
                let formals = this.formals_of_call(&site, event, forbid.guard)?;
                this.refusal(forbid, &formals, before)
            });
            if self.guard_work > MOST_WORK {
                return Err(Reported);
            }
            match require {
                Ok(require) => {
                    if let Some(action) = self.game.actions.get_mut(site.action.index()) {
                        action.requires.push(require);
                    }
                }
                Err(Reported) => failed = true,
            }
            // What is so for one caller only is no fault of the condition.
            let found = self.diagnostics.split_off(told).into_iter();
            let (errors, found) = found.partition::<Vec<_>, _>(Diagnostic::is_error);
            self.diagnostics.extend(errors);
            remarks = Some(match remarks.take() {
                None => found,
                Some(mut before) => {
                    before.retain(|it| found.iter().any(|also| is_same(it, also)));
                    before
                }
            });
        }
        self.diagnostics.extend(remarks.into_iter().flatten());
        if failed { Err(Reported) } else { Ok(()) }
    }

    /// Names a call of a forbidden event that no action is judged by, or says that no action makes it happen at all.
    fn unjudged(
        &mut self,
        guard: &Guard,
        event: ProcId,
        name: &str,
        below: &HashSet<ProcId>,
        by_none: bool,
    ) {
        let is_event = |id: ProcId| {
            id == event
                || below.contains(&id) && self.proc(id).is_some_and(|it| it.kind == ProcKind::Event)
        };
        let flows = self.game.procs.iter();
        let flows = flows.filter(|it| matches!(it.kind, ProcKind::Flow | ProcKind::Ending));
        let mut elsewhere = Vec::new();
        for flow in flows {
            each_call(&flow.body, &mut |id, span| {
                if is_event(id) {
                    elsewhere.push(span);
                }
            });
        }
        if !by_none && elsewhere.is_empty() {
            return;
        }
        let message = match by_none {
            true => format!("no action makes `{name}` happen, so this forbids nothing"),
            false => format!(
                "`{name}` also happens where no action is judged, and is not forbidden there"
            ),
        };
        let finding = Diagnostic::new(codes::FORBIDS_NOTHING, message).label(guard.path.span, "");
        let finding = match elsewhere.is_empty() {
            true => finding.help("name an action, or an event that the `do` of an action calls"),
            false => {
                let params = self.proc(event).into_iter().flat_map(|it| &it.params);
                let locals = params.filter_map(|it| self.game.locals.get(it.index()));
                let names = locals.map(|it| it.name.as_str());
                // Who acts goes along by itself.
                let names: Vec<&str> = names.filter(|it| *it != "me").collect();
                finding.help(format!(
                    "forbid the action that leads there, or change what happens: `replace {name} {{ if … {{ base({}) }} }}`",
                    names.join(", ")
                ))
            }
        };
        let here = elsewhere.into_iter().take(MOST_CALLS);
        let finding = here.fold(finding, |it, span| {
            it.label(span, "it happens here, where no action is judged")
        });
        self.report(finding);
    }

    /// Checks the statements before a guarded call once more, for the parameters of the action.
    fn statements_before(&mut self, site: &Site<'a>) -> Checked<Vec<Stmt>> {
        let Some(first) = site.before.first() else {
            return Ok(Vec::new());
        };
        let block = ast::Block {
            statements: site.before.iter().map(|it| (*it).clone()).collect(),
            span: first.span,
        };
        let outer = self.body.kind;
        self.body.kind = BodyKind::After;
        // A label is declared once; here it stands for no place of its own.
        self.guard_work += site.before.len();
        if self.guard_work > MOST_WORK {
            let message = "the guards of a game would have to be asked too often";
            return Err(self.complain(
                codes::GUARDED_CALL,
                site.span,
                message,
                "put guarded calls first, or guard the actions themselves",
            ));
        }
        let told = self.diagnostics.len();
        let statements = self.folded_away(|this| this.block(&block));
        self.diagnostics.truncate(told);
        self.body.kind = outer;
        statements.map_err(|Reported| {
            self.complain(
                codes::GUARDED_CALL,
                site.span,
                "the statements before this guarded call cannot be tried out",
                "put the call before every choice and everything left to chance",
            )
        })
    }

    fn formals_of_call(
        &mut self,
        site: &Site<'a>,
        event: ProcId,
        guard: &Guard,
    ) -> Checked<Formals> {
        let Some(proc) = self.proc(event) else {
            return Err(Reported);
        };
        let params = proc.params.clone();
        self.too_many_formals(guard, params.len())?;
        let before = self.diagnostics.len();
        let args = self.arguments_of(&site.call.name.text, &params, &site.call.args, site.span);
        let args = args.map_err(|Reported| {
            // What is amiss with them here is said below, and where the call stands.
            self.diagnostics.truncate(before);
            self.complain(
                codes::GUARDED_CALL,
                site.span,
                "a guarded call has arguments made of parameters",
                "use only the parameters of the action and `me`",
            )
        })?;
        let mut formals = Formals {
            locals: Vec::new(),
            lets: Vec::new(),
        };
        for (formal, arg) in guard.formals.iter().zip(args) {
            let binding = match arg.kind {
                ExprKind::Local(_) => Binding::Alias(arg),
                _ => {
                    let local = self.fresh(&formal.text, arg.ty, formal.span);
                    formals.lets.push((local, arg));
                    Binding::Local(local, false)
                }
            };
            formals.locals.push((formal.text.clone(), binding));
        }
        Ok(formals)
    }

    /// The condition that a guard adds to an action.
    fn refusal(
        &mut self,
        forbid: &Forbid<'a>,
        formals: &Formals,
        before: Vec<Stmt>,
    ) -> Checked<Require> {
        let guard = forbid.guard;
        let (cond, message) = self.with_formals(&formals.locals, |this| {
            let cond = this.condition(&guard.when);
            let message = guard
                .because
                .as_ref()
                .map(|it| this.template(it))
                .transpose();
            Ok::<_, Reported>((cond?, message?))
        })?;
        let span = guard.when.span;
        let around = |expr: Expr| wrap(expr, &formals.lets, &before);
        let bare = (!forbid.lifting.is_empty()).then(|| around(not(cond.clone(), span)));
        let mut lifts = Vec::new();
        let mut forbidden = cond;
        for exception in &forbid.lifting {
            let names: Vec<&Binding> = formals.locals.iter().map(|(_, it)| it).collect();
            let locals: Vec<(String, Binding)> = exception
                .formals
                .iter()
                .zip(names)
                .map(|(formal, binding)| (formal.text.clone(), binding.clone()))
                .collect();
            let lifted = self.with_formals(&locals, |this| this.condition(&exception.when))?;
            lifts.extend(self.lift(exception, around(lifted.clone())));
            let span = forbidden.span;
            forbidden = both(BinaryOp::And, forbidden, not(lifted, exception.span), span);
        }
        let message = message.map(|template| Template {
            parts: template
                .parts
                .into_iter()
                .map(|part| match part {
                    TemplatePart::Hole(hole) => TemplatePart::Hole(around(hole)),
                    text => text,
                })
                .collect(),
        });
        Ok(Require {
            cond: around(not(forbidden, span)),
            message,
            clause: forbid.clause,
            bare,
            lifts,
        })
    }

    /// A permit or exception with its condition.
    fn lift(&self, guard: &Guard, cond: Expr) -> Option<Lift> {
        let address = format!("{}.{}", guard.path, guard.label);
        let clause = self.paths.get(&address).copied()?;
        Some(Lift { cond, clause })
    }

    fn with_formals<R>(
        &mut self,
        locals: &[(String, Binding)],
        inside: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let body = Body {
            locals: locals.to_vec(),
            ..self.body.clone()
        };
        self.in_body(body, inside)
    }

    fn permit(&mut self, guard: &'a Guard) -> Checked<()> {
        let address = guard.path.to_string();
        let name = guard.path.segments.first().map_or("", |it| it.as_str());
        let Some(Ok(Entity::Action(id))) = self.named(name) else {
            let message = format!("`{address}` is no clause of an action");
            return Err(self.complain(
                codes::WRONG_KIND,
                guard.path.span,
                message,
                "write the action and the label: `permit swap.stalemate …`",
            ));
        };
        let clause = self.paths.get(&address).copied();
        let action = self.game.actions.get(id.index());
        let at = action.and_then(|it| it.requires.iter().position(|it| Some(it.clause) == clause));
        let Some(at) = at else {
            let message = format!("`{name}` has no condition with the address `{address}`");
            return Err(self.error(codes::UNKNOWN_ADDRESS, guard.path.span, message));
        };
        let formals = self.formals_of_action(id, guard)?;
        let body = self.action_scope(id)?;
        let permitted = self.in_body(body, |this| {
            this.with_formals(&formals.locals, |this| this.condition(&guard.when))
        })?;
        let lift = self.lift(guard, permitted.clone());
        let action = self.game.actions.get_mut(id.index());
        if let Some(require) = action.and_then(|it| it.requires.get_mut(at)) {
            let span = require.cond.span;
            let cond = std::mem::replace(&mut require.cond, permitted.clone());
            require.bare.get_or_insert_with(|| cond.clone());
            require.lifts.extend(lift);
            require.cond = both(BinaryOp::Or, cond, permitted, span);
        }
        Ok(())
    }
}

/// Whether two findings say the same of one place.
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let place = |it: &Diagnostic| it.span().map(|at| (at.file, at.range()));
    (one.code, &one.message, place(one)) == (other.code, &other.message, place(other))
}

fn both(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr::truth(ExprKind::binary(op, left, right), span)
}

/// Asks an expression after statements, with the arguments of the call bound.
fn wrap(expr: Expr, lets: &[(LocalId, Expr)], before: &[Stmt]) -> Expr {
    let (ty, span) = (expr.ty, expr.span);
    let mut expr = expr;
    for (local, value) in lets.iter().rev() {
        expr = Expr {
            kind: ExprKind::Let(*local, Box::new(value.clone()), Box::new(expr)),
            ty,
            span,
        };
    }
    if before.is_empty() {
        return expr;
    }
    Expr::new(ExprKind::After(before.to_vec(), Box::new(expr)), ty, span)
}

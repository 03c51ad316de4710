//! Statements.

pub(in crate::check) mod ahead;
mod called;

use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    AssignOp, Base, ClauseKind, Expr, ExprKind, LocalId, ProcId, Stmt, StmtKind, TrackId, Type,
};
use crate::source::Span;
use crate::syntax::ast::{self, StatementKind};

use self::ahead::{assigned_in, endless_turn, leaves, never_ends};
use super::scope::{Binding, BodyKind};
use super::thing::Thing;
use super::types::{CALCULATED, NUMBER};
use super::{Checked, Checker, Entity, Reported};

/// What an assignment changes.
enum Target {
    Local(LocalId),
    Track(TrackId, Vec<Expr>),
    Field(crate::model::Place, usize),
}

impl Checker<'_> {
    /// Checks the statements of a block; its locals end with it.
    #[inline(never)]
    pub(super) fn block(&mut self, block: &ast::Block) -> Checked<Vec<Stmt>> {
        let before = self.body.locals.len();
        let living = self.body.living.len();
        let mut statements = Vec::new();
        let mut failed = false;
        let mut assigned = HashSet::default();
        let mut statements_here = block.statements.iter();
        if statements_here.any(|it| matches!(it.kind, StatementKind::Let { .. })) {
            assigned_in(block, &mut assigned);
        }
        for (at, statement) in block.statements.iter().enumerate() {
            if let Some(earlier) = at.checked_sub(1).and_then(|it| block.statements.get(it))
                && leaves(&earlier.kind)
            {
                let message = "this can never be reached";
                self.report(
                    Diagnostic::new(codes::UNREACHABLE, message)
                        .label(statement.span, "")
                        .label(earlier.span, "the block ends here")
                        .help("remove it, or put it before"),
                );
                failed = true;
                break;
            }
            if let Some(earlier) = at.checked_sub(1).and_then(|it| block.statements.get(it))
                && never_ends(&earlier.kind)
            {
                let message = "this never happens: what stands before it goes on and on";
                let mut help = "put it into the turn or the round, or before them".to_owned();
                if let Some(turn) = endless_turn(&earlier.kind) {
                    let path = &self.body.path;
                    help.push_str(&format!(
                        "; an amendment by `insert after {path}.{turn} {{ … }}`"
                    ));
                }
                self.report(
                    Diagnostic::new(codes::NEVER_HAPPENS, message)
                        .label(statement.span, "")
                        .label(earlier.span, "nothing but `end` or `return` leaves this")
                        .help(help),
                );
            }
            if self
                .statement(statement, &assigned, &mut statements)
                .is_err()
            {
                failed = true;
            }
        }
        failed = failed || self.laid_once(block).is_err();
        self.body.locals.truncate(before);
        let last = block.statements.last();
        if !last.is_some_and(|it| leaves(&it.kind)) {
            self.give_back(living, &mut statements);
        }
        self.body.living.truncate(living);
        if failed {
            Err(Reported)
        } else {
            Ok(statements)
        }
    }

    #[inline(never)]
    pub(super) fn statement(
        &mut self,
        statement: &ast::Statement,
        assigned: &HashSet<&str>,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let span = statement.span;
        let kind = match &statement.kind {
            StatementKind::Let { name, value } => {
                let is_assigned = assigned.contains(name.as_str());
                return self.let_statement(name, value, is_assigned, span, out);
            }
            StatementKind::Track { decl, .. } => return self.track_statement(decl, span, out),
            StatementKind::Assign {
                target,
                op,
                value,
                because,
            } => {
                self.assignment(target, *op, value, span, out)?;
                return match because {
                    Some(why) => self.assigned_because(why, out),
                    None => Ok(()),
                };
            }
            StatementKind::Call(call) => self.call_statement(call, span)?,
            StatementKind::If {
                branches,
                otherwise,
            } => return self.if_statement(branches, otherwise.as_ref(), span, out),
            StatementKind::By { subject, arms } => {
                return self.by_statement(subject, arms, span, out);
            }
            StatementKind::While { condition, body } => {
                let condition = self.condition(condition);
                let body = self.block(body);
                StmtKind::While(condition?, body?)
            }
            StatementKind::Repeat { times, body } => self.repeat(times, body)?,
            StatementKind::ForEach { binders, body } => {
                return self.for_each(binders, body, span, out);
            }
            StatementKind::Step { name, tail, body } => {
                let text = super::clause::docs(&statement.docs);
                let clause = self.inner_clause(name, ClauseKind::Step, tail, text);
                let outer = (self.body.clause, self.body.path.clone());
                self.body.clause = clause;
                self.body.path = format!("{}.{name}", outer.1);
                let body = self.block(body);
                (self.body.clause, self.body.path) = outer;
                StmtKind::Step(clause, body?)
            }
            StatementKind::Choose(choose) => return self.choose(choose, false, span, out),
            StatementKind::Together { binder, body } => self.together(binder, body, span)?,
            StatementKind::Window { who, slots } => self.window(who, slots, span)?,
            StatementKind::Turns {
                name,
                from,
                once,
                condition,
                body,
            } => self.turns(name, from, *once, condition.as_ref(), body)?,
            StatementKind::Move(it) => return self.move_statement(it, span, out),
            StatementKind::Clear { place } => return self.clear(place.as_ref(), span, out),
            StatementKind::Lay { place, drawn } => return self.lay(place, drawn, span, out),
            StatementKind::Draw { amount, from, to } => {
                self.draw(amount.as_ref(), from, to, span)?
            }
            StatementKind::Exchange { left, right } => {
                return self.exchange(left, right, span, out);
            }
            StatementKind::Pack { zone, way, into } => {
                return self.pack(zone, way, into.as_ref(), span, out);
            }
            StatementKind::Shuffle { zone } => self.shuffle(zone)?,
            StatementKind::Show { place, audience } => self.show_to(place, audience, span)?,
            StatementKind::Tell { audience, text } => self.tell(audience, text, span)?,
            StatementKind::Ranking { seats, by } => self.ranking(seats, by, span)?,
            StatementKind::Winner(seat) => self.winner(seat, span)?,
            StatementKind::End(call) => self.end(call, span)?,
            StatementKind::Return(value) => {
                return self.return_statement(value.as_ref(), span, out);
            }
            StatementKind::Next | StatementKind::Again => {
                let next = matches!(statement.kind, StatementKind::Next);
                if self.body.turns == 0 {
                    let word = if next { "next" } else { "again" };
                    return Err(self.complain(codes::MISPLACED, span, format!("`{word}` stands outside of any turn"), "it belongs into the block of `turns me from …`, not into a flow that is called there"));
                }
                self.give_back(self.living_in_turn(), out);
                if next {
                    StmtKind::Next
                } else {
                    StmtKind::Again
                }
            }
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// The flow that a call in the place of a value means, if it means one.
    fn flow_call<'e>(&mut self, value: &'e ast::Expr) -> Option<Checked<(ProcId, &'e ast::Call)>> {
        let ast::ExprKind::Call(call) = &value.kind else {
            return None;
        };
        match self.named(call.name.as_str())? {
            Ok(Entity::Proc(id)) => Some(Ok((id, call))),
            _ => None,
        }
    }

    /// A value, or what a flow returns: then the call is a statement of its own.
    pub(super) fn result(
        &mut self,
        value: &ast::Expr,
        want: Option<Type>,
        out: &mut Vec<Stmt>,
    ) -> Checked<Expr> {
        let Some(flow) = self.flow_call(value) else {
            let value = match want {
                Some(ty) => self.typed(value, ty)?,
                None => self.value(value, None)?,
            };
            return Ok(super::operator::present_if(value, want));
        };
        let (id, call) = flow?;
        let Some(proc) = self.proc(id) else {
            return Err(Reported);
        };
        let (ty, name) = (proc.ty, proc.name.clone());
        if ty.base == Base::Unit {
            return Err(self.complain(
                codes::WRONG_TYPE,
                value.span,
                format!("`{name}` returns nothing"),
                format!("write the type of its result: `flow {name}(…): seat`"),
            ));
        }
        self.may_call(id, value.span)?;
        let args = self.proc_args(id, call, value.span)?;
        let local = self.fresh(&name, ty, value.span);
        out.push(Stmt {
            kind: StmtKind::CallInto(local, id, args),
            span: value.span,
        });
        let result = self.local(local, value.span);
        match want {
            Some(ty) => self.fit(result, ty),
            None => Ok(result),
        }
    }

    #[inline(never)]
    fn let_statement(
        &mut self,
        name: &ast::Name,
        value: &ast::Expr,
        is_assigned: bool,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let value = match self.result(value, None, out) {
            Ok(value) => value,
            Err(Reported) => {
                self.bind_as(name, Binding::Failed);
                return Err(Reported);
            }
        };
        let mut ty = value.ty;
        if let Base::Int(..) = ty.base
            && is_assigned
        {
            ty.base = NUMBER.base;
        }
        let local = self.fresh(&name.text, ty, name.span);
        self.bind_as(name, Binding::Local(local, true));
        out.push(Stmt {
            kind: StmtKind::Let(local, value),
            span,
        });
        Ok(())
    }

    #[inline(never)]
    fn assignment(
        &mut self,
        target: &ast::Expr,
        op: ast::AssignOp,
        value: &ast::Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        // What the value may be follows from the target.
        let (target_ref, ty) = self.target(target)?;
        self.effect_allowed(span)?;
        let mut op = match op {
            ast::AssignOp::Set => AssignOp::Set,
            ast::AssignOp::Increase => AssignOp::Add,
            ast::AssignOp::Decrease => AssignOp::Sub,
        };
        let value = match (op, ty.base) {
            (AssignOp::Set, _) => self.result(value, Some(ty), out)?,
            (_, Base::Int(..)) => self.result(value, Some(CALCULATED), out)?,
            (_, Base::Set(_)) => self.result(value, Some(ty), out)?,
            (_, Base::Elem(_)) => {
                // A cyclic value counted on: `side += 1`.
                let sign = if op == AssignOp::Add {
                    ast::BinaryOp::Plus
                } else {
                    ast::BinaryOp::Minus
                };
                op = AssignOp::Set;
                let value = self.binary(sign, target, value, Some(ty), span)?;
                self.fit(value, ty)?
            }
            _ => {
                let of = self.type_name(ty);
                let message = format!("{of} cannot be added to");
                return Err(self.error(codes::WRONG_TYPE, span, message));
            }
        };
        let kind = match target_ref {
            Target::Local(local) => StmtKind::SetLocal(local, op, value),
            Target::Track(track, index) => {
                self.sets_track(track, span);
                StmtKind::SetTrack(track, index, op, value)
            }
            Target::Field(place, field) => StmtKind::SetField(place, field, op, value),
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    #[inline(never)]
    fn target(&mut self, target: &ast::Expr) -> Checked<(Target, Type)> {
        if let ast::ExprKind::Name(name) = &target.kind {
            match self.binding(&name.text) {
                Some(Binding::Local(local, true)) => {
                    let local = *local;
                    return Ok((Target::Local(local), self.local_type(local)));
                }
                Some(Binding::Failed) => return Err(Reported),
                Some(_) => {
                    let message = format!("`{name}` cannot be changed");
                    return Err(self.complain(
                        codes::NOT_CHANGEABLE,
                        name.span,
                        message,
                        "only tracks, fields of places and what `let` binds can change",
                    ));
                }
                None => {}
            }
        }
        let help = "only tracks, fields of places and what `let` binds can change";
        match self.thing(target, None)? {
            Thing::Value(Expr {
                kind: ExprKind::Track(id, index),
                ty,
                ..
            }) => Ok((Target::Track(id, index), ty)),
            Thing::Value(Expr {
                kind: ExprKind::PlaceField(place, field),
                ty,
                ..
            }) => Ok((Target::Field(place, field), ty)),
            Thing::Track(id) => {
                let name = self
                    .game
                    .tracks
                    .get(id.index())
                    .map_or(String::new(), |it| it.name.clone());
                Err(self.complain(
                    codes::NOT_CHANGEABLE,
                    target.span,
                    format!("`{name}` needs an index"),
                    format!("write `{name}[…]`, or `for each` to change all of them"),
                ))
            }
            Thing::Place(_) | Thing::Family(_) => Err(self.complain(
                codes::NOT_CHANGEABLE,
                target.span,
                "components are moved, not assigned",
                "write `move … to …`",
            )),
            _ => {
                let message = match &target.kind {
                    ast::ExprKind::Name(name) => format!("`{name}` cannot be changed"),
                    _ => "this cannot be changed".to_owned(),
                };
                Err(self.complain(codes::NOT_CHANGEABLE, target.span, message, help))
            }
        }
    }

    /// Says whether the present body may change the position.
    pub(super) fn effect_allowed(&mut self, span: Span) -> Checked<()> {
        if self.body.kind == BodyKind::Pure {
            return Err(self.error(codes::MISPLACED, span, "nothing can happen here"));
        }
        Ok(())
    }
}

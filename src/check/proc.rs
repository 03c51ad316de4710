//! Definitions, events, flows, endings and invariants.

use crate::diagnostic::codes;
use crate::limits::MOST_RECURSION;
use crate::model::{
    ClauseId, Define, DefineId, Expr, ExprKind, LocalId, Proc, ProcId, ProcKind, Stmt, StmtKind,
    Type, always_judge,
};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, ParamDomain};

use super::scope::{Binding, Body, BodyKind, Me};
use super::{Checked, Checker, Entity, Pending, Reported, State};

const NO_ME_IN_DEFINITIONS: &str = "a definition is the same for everybody";

impl<'a> Checker<'a> {
    /// Checks the parameters of something that is called.
    pub(super) fn formal_params(&mut self, params: &'a [ast::Param]) -> Checked<Vec<LocalId>> {
        let mut locals = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        let mut failed = false;
        for param in params {
            let ParamDomain::Type(ty) = &param.domain else {
                self.complain(
                    codes::WRONG_TYPE,
                    param.span,
                    "only the parameters of an action are chosen from a set",
                    "write its type: `x: Card`",
                );
                failed = true;
                continue;
            };
            let Ok(ty) = self.ty(ty) else {
                failed = true;
                continue;
            };
            for name in &param.names {
                if names.contains(&name.as_str()) {
                    let message = format!("two parameters are called `{name}`");
                    self.error(codes::DUPLICATE_NAME, name.span, message);
                    failed = true;
                }
                names.push(name.as_str());
                locals.push(self.fresh(&name.text, ty, name.span));
            }
        }
        if failed { Err(Reported) } else { Ok(locals) }
    }

    pub(super) fn bound(&self, params: &[LocalId]) -> Vec<(String, Binding)> {
        params
            .iter()
            .filter_map(|id| {
                self.game
                    .locals
                    .get(id.index())
                    .map(|it| (it.name.clone(), *id))
            })
            .map(|(name, id)| (name, Binding::Local(id, false)))
            .collect()
    }

    pub(super) fn define_head(
        &mut self,
        it: &'a ast::Define,
        item: &'a ast::Item,
        clause: ClauseId,
    ) -> Checked<DefineId> {
        let params = self.formal_params(&it.params);
        let ty = self.ty(&it.ty);
        let (params, ty) = (params?, ty?);
        let depth = self.depth(it.depth)?;
        let id = DefineId(u32::try_from(self.game.defines.len()).unwrap_or(u32::MAX));
        self.game.defines.push(Define {
            name: it.name.text.clone(),
            params,
            body: Expr::new(ExprKind::Value(0), ty, it.value.span),
            ty,
            depth,
            clause,
        });
        self.defines.push(Pending {
            item,
            state: State::New,
            me: LocalId(0),
        });
        Ok(id)
    }

    /// Checks the value of a definition, once; returns whether it is sound.
    pub(super) fn define_body(&mut self, index: usize) -> bool {
        let Some(pending) = self.defines.get_mut(index) else {
            return false;
        };
        let ItemKind::Define(it) = &pending.item.kind else {
            return false;
        };
        match pending.state {
            State::Done(_) => return true,
            State::Failed => return false,
            State::Busy => {
                let message = format!("`{}` needs its own value before play", it.name);
                self.error(codes::CIRCULAR, it.name.span, message);
                return false;
            }
            State::New => pending.state = State::Busy,
        }
        let Some(define) = self.game.defines.get(index) else {
            return false;
        };
        let (ty, clause, params) = (define.ty, define.clause, define.params.clone());
        let body = Body {
            me: Me::Nobody(NO_ME_IN_DEFINITIONS),
            locals: self.bound(&params),
            path: it.name.text.clone(),
            clause,
            ..Body::default()
        };
        let value = self.in_body(body, |this| {
            let value = this.typed(&it.value, ty)?;
            Ok::<_, Reported>(super::operator::present_if(value, Some(ty)))
        });
        let sound = value.is_ok();
        if let (Ok(value), Some(define)) = (value, self.game.defines.get_mut(index)) {
            define.body = value;
        }
        if let Some(pending) = self.defines.get_mut(index) {
            pending.state = if sound {
                State::Done(Entity::Other)
            } else {
                State::Failed
            };
        }
        sound
    }

    /// How deep something may call itself; 0 where that is not written.
    fn depth(&mut self, written: Option<ast::Number>) -> Checked<u32> {
        let Some(number) = written else {
            return Ok(0);
        };
        let depth = u32::try_from(number.value).unwrap_or(u32::MAX);
        if depth <= MOST_RECURSION {
            return Ok(depth);
        }
        let message = format!("`depth` is at most {MOST_RECURSION}");
        let help =
            "say how deep it really goes, or go on with `while` or `repeat`: a loop needs no depth";
        Err(self.complain(codes::OUT_OF_RANGE, number.span, message, help))
    }

    pub(super) fn proc_head(&mut self, item: &'a ast::Item, clause: ClauseId) -> Checked<ProcId> {
        let (name, params, result, limit, kind) = match &item.kind {
            ItemKind::Event(it) => (&it.name, &it.params, None, it.depth, ProcKind::Event),
            ItemKind::Flow(it) => (
                &it.name,
                &it.params,
                it.result.as_ref(),
                it.depth,
                ProcKind::Flow,
            ),
            ItemKind::Ending(it) => (&it.name, &it.params, None, None, ProcKind::Ending),
            _ => return Err(Reported),
        };
        let params = self.formal_params(params);
        let ty = result.map_or(Ok(Type::UNIT), |it| self.ty(it));
        let (params, ty) = (params?, ty?);
        let depth = self.depth(limit)?;
        Ok(self.add_proc(
            Proc {
                name: name.text.clone(),
                kind,
                params,
                body: Vec::new(),
                ty,
                depth,
                chooses: false,
                clause,
            },
            item,
            name.span,
        ))
    }

    pub(super) fn add_proc(&mut self, proc: Proc, item: &'a ast::Item, span: Span) -> ProcId {
        let me = self.fresh("me", self.seat_type(), span);
        let id = ProcId(u32::try_from(self.game.procs.len()).unwrap_or(u32::MAX));
        self.game.procs.push(proc);
        self.procs.push(Pending {
            item,
            state: State::New,
            me,
        });
        id
    }

    /// Checks what a procedure does.
    pub(super) fn proc_body(&mut self, index: usize) {
        let (Some(pending), Some(proc)) = (self.procs.get(index), self.game.procs.get(index))
        else {
            return;
        };
        let (item, me) = (pending.item, pending.me);
        let id = ProcId(u32::try_from(index).unwrap_or(0));
        let (block, kind, who) = match &item.kind {
            ItemKind::Event(it) => (Some(&it.body), BodyKind::Event, Me::Implicit(me)),
            ItemKind::Flow(it) => (Some(&it.body), BodyKind::Flow, Me::Implicit(me)),
            ItemKind::Ending(it) => (
                Some(&it.body),
                BodyKind::Ending,
                Me::Nobody("the game is over, nobody is playing"),
            ),
            ItemKind::Action(it) => (it.body.as_ref(), BodyKind::Action, Me::Bound(me)),
            ItemKind::Ruling(_) | ItemKind::Study(_) | ItemKind::Position(_) => (
                self.given_bodies.get(&id).and_then(|it| it.body),
                BodyKind::Given,
                Me::Nobody("a position is set up, nobody is playing"),
            ),
            _ => (None, BodyKind::Pure, Me::Nobody("here nobody is playing")),
        };
        let (params, clause, ty) = (proc.params.clone(), proc.clause, proc.ty);
        let locals = match self.action_of(id) {
            Some(action) => {
                let me = params.len() - action.params.len();
                self.inputs_of(action, params.get(me..).unwrap_or_default())
            }
            None => self.bound(&params),
        };
        let body = Body {
            kind,
            locals,
            me: who,
            result: (ty != Type::UNIT).then_some(ty),
            turns: 0,
            path: proc.name.clone(),
            clause,
            proc: Some(id),
            ..Body::default()
        };
        let Some(block) = block else {
            return;
        };
        let checked = if kind == BodyKind::Given {
            self.given(clause, id, body, block)
        } else {
            let text = match &item.kind {
                ItemKind::Event(it) => it.text.as_ref(),
                _ => None,
            };
            self.in_body(body, |this| {
                let statements = this.block(block);
                // Behind the block, so that it is known whether that asks for `me`.
                let told = text.map(|it| this.event_text(it)).transpose()?;
                Ok(told.into_iter().chain(statements?).collect())
            })
        };
        let Ok(mut statements) = checked else {
            return;
        };
        if kind == BodyKind::Ending {
            statements.splice(..0, self.first_values());
        }
        self.check_results(item, &statements, kind, ty, block.span);
        if let Some(proc) = self.game.procs.get_mut(index) {
            proc.body = statements;
        }
    }

    /// Checks what sets up the position of a ruling; nothing does for one that lapses.
    fn given(
        &mut self,
        clause: ClauseId,
        id: ProcId,
        body: Body,
        block: &'a ast::Block,
    ) -> Checked<Vec<Stmt>> {
        let base = self.given_bodies.get(&id).and_then(|it| it.base);
        let checked = self.unless_lapsed(clause, |this| this.in_body(body, |it| it.block(block)));
        let before = base.map(|base| Stmt {
            kind: StmtKind::Call(base, Vec::new()),
            span: block.span,
        });
        let checked = checked.map(|it| it.map(|it| before.into_iter().chain(it).collect()));
        checked.map(|it: Option<Vec<Stmt>>| {
            if it.is_none() {
                let said = std::mem::take(&mut self.lapsed_for);
                self.lapsed.insert(id, said);
            }
            it.unwrap_or_default()
        })
    }

    /// Says whether an ending judges, and a flow with a result returns one.
    fn check_results(
        &mut self,
        item: &ast::Item,
        statements: &[Stmt],
        kind: BodyKind,
        ty: Type,
        span: Span,
    ) {
        let name = item.kind.name().map_or(String::new(), |it| it.text.clone());
        let place = item.kind.name().map_or(span, |it| it.span);
        if kind == BodyKind::Ending {
            let judges = |it: &StmtKind| matches!(it, StmtKind::Ranking(..) | StmtKind::Winner(_));
            match count(statements, &judges) {
                0 => {
                    self.complain(
                        codes::NO_JUDGEMENT,
                        place,
                        format!("the ending `{name}` does not say who wins"),
                        "end it with `ranking seat by …` or `winner …`",
                    );
                }
                1 => {}
                _ => {
                    let help = match judged_in_vain(statements, &judges) {
                        Some(stmt) if judges(&stmt.kind) => {
                            "one `ranking` may have several figures: `ranking seat by points[it], count hand[it]`"
                        }
                        Some(_) => {
                            "what is said last counts, whatever was said before: write `else` between them"
                        }
                        None => return,
                    };
                    let message = format!("the ending `{name}` says twice who wins");
                    self.complain(codes::NO_JUDGEMENT, place, message, help);
                }
            }
        }
        if kind == BodyKind::Flow && ty != Type::UNIT {
            let leaves = |it: &StmtKind| matches!(it, StmtKind::Return(_) | StmtKind::End(..));
            if count(statements, &leaves) == 0 {
                let of = self.type_name(ty);
                let message = format!("the flow `{name}` never returns {of}");
                self.complain(
                    codes::NO_JUDGEMENT,
                    place,
                    message,
                    "write `return …` where it ends",
                );
            }
        }
    }
}

/// Counts statements of a kind anywhere in a block.
fn count(statements: &[Stmt], is_it: &dyn Fn(&StmtKind) -> bool) -> usize {
    let mut found = 0;
    crate::model::each_in_block(statements, &mut |node| {
        if let crate::model::Node::Stmt(stmt) = node
            && is_it(&stmt.kind)
        {
            found += 1;
        }
    });
    found
}

/// A statement that says who wins where all that comes behind says it again.
fn judged_in_vain<'s>(
    statements: &'s [Stmt],
    judges: &dyn Fn(&StmtKind) -> bool,
) -> Option<&'s Stmt> {
    let mut rest = statements;
    while let Some((stmt, behind)) = rest.split_first() {
        rest = behind;
        let one = std::slice::from_ref(stmt);
        if count(one, judges) > 0 && always_judge(behind) {
            return Some(stmt);
        }
    }
    None
}

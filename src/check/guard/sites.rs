//! Where the `do` of actions calls a guarded event.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::check::{Checker, Entity};
use crate::compose::Guard;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{ActionId, ProcId, Stmt, StmtKind, each_statement};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, StatementKind};

/// A call of a guarded event in the body of an action.
pub(super) struct Site<'a> {
    pub action: ActionId,
    pub call: &'a ast::Call,
    /// The statements before it.
    pub before: Vec<&'a ast::Statement>,
    pub span: Span,
}

impl<'a> Checker<'a> {
    /// Finds the guarded calls; reports those that stand where they cannot be judged.
    pub(super) fn sites(
        &mut self,
        name: &str,
        event: ProcId,
        below: &HashSet<ProcId>,
        guard: &Guard,
    ) -> Vec<Site<'a>> {
        let composed = self.composed;
        let mut sites = Vec::new();
        for composite in &composed.items {
            let ItemKind::Action(action) = &composite.item.kind else {
                continue;
            };
            let (Some(Ok(Entity::Action(id))), Some(block)) =
                (self.named(action.name.as_str()), &action.body)
            else {
                continue;
            };
            let mut flat = Vec::new();
            flatten(block, &mut flat);
            for (at, statement) in flat.iter().enumerate() {
                match &statement.kind {
                    StatementKind::Call(call) if call.name.text == name => sites.push(Site {
                        action: id,
                        call,
                        before: flat.get(..at).unwrap_or_default().to_vec(),
                        span: statement.span,
                    }),
                    _ => {}
                }
            }
            let direct = flat
                .iter()
                .filter(
                    |it| matches!(&it.kind, StatementKind::Call(call) if call.name.text == name),
                )
                .count();
            let body = self
                .game
                .actions
                .get(id.index())
                .map_or(ProcId(0), |it| it.body);
            if let Some(span) = self.hidden_call(body, event, below, direct) {
                let params = action.params.iter().flat_map(|it| &it.names);
                let params: Vec<&str> = params.map(|it| it.as_str()).collect();
                self.report(
                    Diagnostic::new(
                        codes::GUARDED_CALL,
                        format!("`{name}` is forbidden at times, but this call of it cannot be judged beforehand"),
                    )
                    .label(span, "here")
                    .label(guard.span, "it is guarded here")
                    .help(format!(
                        "call `{name}` at the top level of the `do` of `{0}`, or forbid that action: `forbid {0}({1}) label {2} …`",
                        action.name,
                        params.join(", "),
                        guard.label
                    )),
                );
            }
        }
        sites
    }

    /// Finds a call of an event that is not one of the `direct` calls at the top level of a body.
    fn hidden_call(
        &self,
        body: ProcId,
        event: ProcId,
        below: &HashSet<ProcId>,
        direct: usize,
    ) -> Option<Span> {
        let (mut met, mut last, mut hidden) = (0, None, None);
        let block = &self.proc(body)?.body;
        each_call(block, &mut |id, span| {
            if id == event {
                met += 1;
                last = Some(span);
            } else if below.contains(&id) {
                hidden = Some(span);
            }
        });
        hidden.or(last.filter(|_| met > direct))
    }

    /// Finds the procedures that call an event, themselves or through others.
    pub(super) fn those_who_call(&self, event: ProcId) -> HashSet<ProcId> {
        let mut callers: HashMap<ProcId, Vec<ProcId>> = HashMap::default();
        for (index, proc) in self.game.procs.iter().enumerate() {
            let caller = ProcId(u32::try_from(index).unwrap_or(u32::MAX));
            each_call(&proc.body, &mut |id, _| {
                callers.entry(id).or_default().push(caller)
            });
        }
        let mut found = HashSet::default();
        let mut open = vec![event];
        while let Some(id) = open.pop() {
            for caller in callers.get(&id).into_iter().flatten() {
                if found.insert(*caller) {
                    open.push(*caller);
                }
            }
        }
        found
    }
}

/// Lists the statements that happen one after the other whatever the position.
fn flatten<'a>(block: &'a ast::Block, out: &mut Vec<&'a ast::Statement>) {
    for statement in &block.statements {
        match &statement.kind {
            StatementKind::Step { body, .. } => flatten(body, out),
            _ => out.push(statement),
        }
    }
}

/// Calls `f` with every procedure that a block calls, not those in hypotheses.
pub(super) fn each_call(block: &[Stmt], f: &mut dyn FnMut(ProcId, Span)) {
    each_statement(block, &mut |stmt| match &stmt.kind {
        StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) => f(*id, stmt.span),
        _ => {}
    });
}

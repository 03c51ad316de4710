//! `me` as an implicit parameter.
//!
//! While bodies are checked, every call passes `me` where somebody is `me`. When all are checked it
//! is known which procedures read it, and the others lose the argument again.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    Expr, NodeMut, ProcId, ProcKind, Stmt, StmtKind, Template, TemplatePart, change,
};

use super::{Checker, WithoutMe};
use crate::source::Span;

impl Checker<'_> {
    pub(super) fn settle_me(&mut self) {
        let mut needs: HashSet<ProcId> = self.reads_me.iter().map(|(id, _)| *id).collect();
        let mut callers: HashMap<ProcId, Vec<ProcId>> = HashMap::default();
        for (caller, callee, _) in &self.hands_me {
            callers.entry(*callee).or_default().push(*caller);
        }
        let mut open: Vec<ProcId> = needs.iter().copied().collect();
        while let Some(id) = open.pop() {
            for caller in callers.get(&id).into_iter().flatten() {
                if needs.insert(*caller) {
                    open.push(*caller);
                }
            }
        }
        self.check_main(&needs);
        let mut brought: Vec<(Span, WithoutMe, usize)> = Vec::new();
        for call in std::mem::take(&mut self.without_me) {
            if !needs.contains(&call.callee) {
                continue;
            }
            // What an amendment has brought is said once, and there: the game that calls it cannot be changed.
            if let Some(read) = self.brought_read(&call) {
                match brought.iter_mut().find(|it| it.0.same_place(read)) {
                    Some(known) => known.2 += 1,
                    None => brought.push((read, call, 0)),
                }
                continue;
            }
            let name = self.name_of(call.callee);
            let message = format!("`{name}` needs to know who `me` is: {}", call.why);
            self.complain(
                codes::NO_ME,
                call.span,
                message,
                format!("give `{name}` a parameter `s: seat` and use it instead of `me`"),
            );
        }
        for (read, call, others) in brought {
            let name = self.name_of(call.callee);
            let message = format!(
                "`{name}` is called where nobody plays, and `me` is nobody there: {}",
                call.why
            );
            let more = match others {
                0 => String::new(),
                1 => String::from(", and in one more place"),
                n => format!(", and in {n} more places"),
            };
            let help =
                "name the seat otherwise, or edit an action, or an event that only play leads to";
            self.report(
                Diagnostic::at(codes::NO_ME, read, message)
                    .label(call.span, format!("it is called here{more}"))
                    .help(help),
            );
        }
        for (index, pending) in self.procs.iter().enumerate() {
            let id = ProcId(u32::try_from(index).unwrap_or(u32::MAX));
            if let Some(proc) = self.game.procs.get_mut(index)
                && (needs.contains(&id) || proc.kind == ProcKind::Body)
            {
                proc.params.insert(0, pending.me);
            }
        }
        let arity: Vec<usize> = self.game.procs.iter().map(|it| it.params.len()).collect();
        self.strip(&arity);
    }

    fn name_of(&self, id: ProcId) -> String {
        self.proc(id).map_or_else(String::new, |it| it.name.clone())
    }

    /// Where an amendment reads `me` in what the game itself calls without it.
    fn brought_read(&self, call: &WithoutMe) -> Option<Span> {
        let is_own = |span: Span| self.composed.files.contains(&span.file);
        let (mut known, mut open) = (HashSet::default(), vec![call.callee]);
        let mut found = None;
        while let Some(id) = open.pop() {
            if !known.insert(id) {
                continue;
            }
            let reads = self.reads_me.iter().filter(|(by, _)| *by == id);
            for (_, span) in reads {
                match is_own(*span) {
                    true => return None,
                    false => found = found.or(Some(*span)),
                }
            }
            let hands = self.hands_me.iter().filter(|(by, ..)| *by == id);
            open.extend(hands.map(|(_, callee, _)| *callee));
        }
        found.filter(|_| is_own(call.span))
    }

    /// Reports a course of the game that needs a seat before anybody plays.
    fn check_main(&mut self, needs: &HashSet<ProcId>) {
        let main = self.game.main;
        if !needs.contains(&main) || self.proc(main).is_none_or(|it| it.name != "main") {
            return;
        }
        let read = self
            .reads_me
            .iter()
            .find(|(id, _)| *id == main)
            .map(|(_, span)| *span);
        let handed = self
            .hands_me
            .iter()
            .find(|(caller, callee, _)| *caller == main && needs.contains(callee));
        let Some(span) = read.or(handed.map(|(_, _, span)| *span)) else {
            return;
        };
        self.complain(
            codes::NO_ME,
            span,
            "`me` is needed here, but no turn has begun",
            "put it into the block of `turns me from …`",
        );
    }

    /// Takes `me` from the calls of procedures that do not read it.
    fn strip(&mut self, arity: &[usize]) {
        let game = &mut self.game;
        for proc in &mut game.procs {
            in_block(&mut proc.body, arity);
        }
        for define in &mut game.defines {
            in_expr(&mut define.body, arity);
        }
        for action in &mut game.actions {
            for param in &mut action.params {
                change::parts_of_over(&mut param.over, &mut |node| in_node(node, arity));
            }
            for require in &mut action.requires {
                let lifts = require.lifts.iter_mut().map(|it| &mut it.cond);
                let conds = std::iter::once(&mut require.cond).chain(&mut require.bare);
                conds.chain(lifts).for_each(|it| in_expr(it, arity));
                if let Some(message) = &mut require.message {
                    in_template(message, arity);
                }
            }
            in_template(&mut action.text, arity);
        }
        for telling in &mut game.tellings {
            let index = telling.of.iter_mut().flat_map(|it| &mut it.index);
            telling
                .to
                .iter_mut()
                .chain(index)
                .for_each(|it| in_expr(it, arity));
            in_template(&mut telling.text, arity);
        }
        for ruling in &mut game.rulings {
            for expect in &mut ruling.expects {
                for expr in expect.kind.exprs_mut() {
                    in_expr(expr, arity);
                }
            }
        }
        for study in &mut game.studies {
            for expr in std::iter::once(&mut study.find).chain(&mut study.never) {
                in_expr(expr, arity);
            }
        }
        for measure in &mut game.measures {
            measure.exprs_mut().for_each(|it| in_expr(it, arity));
        }
        for invariant in &mut game.invariants {
            in_expr(&mut invariant.cond, arity);
            if let Some(message) = &mut invariant.message {
                in_template(message, arity);
            }
        }
    }
}

fn in_template(template: &mut Template, arity: &[usize]) {
    for part in &mut template.parts {
        if let TemplatePart::Hole(hole) = part {
            in_expr(hole, arity);
        }
    }
}

fn in_block(block: &mut [Stmt], arity: &[usize]) {
    for stmt in block {
        in_node(NodeMut::Stmt(stmt), arity);
    }
}

fn in_expr(expr: &mut Expr, arity: &[usize]) {
    in_node(NodeMut::Expr(expr), arity);
}

fn in_node(node: NodeMut<'_>, arity: &[usize]) {
    match node {
        NodeMut::Expr(expr) => change::parts_of_expr(expr, &mut |node| in_node(node, arity)),
        NodeMut::Stmt(stmt) => {
            if let StmtKind::Call(id, args) | StmtKind::CallInto(_, id, args) = &mut stmt.kind
                && arity.get(id.index()).is_some_and(|it| args.len() > *it)
            {
                args.remove(0);
            }
            change::parts_of_stmt(stmt, &mut |node| in_node(node, arity));
        }
        NodeMut::Binds(_) => {}
    }
}

use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::says::{Says, implies};
use crate::lint::terms::MOST_COMPARED;
use crate::lint::{Context, Lint};
use crate::syntax::ast::{
    Block, Branch, Edit, Expr, ExprKind, ItemKind, Name, Side, Statement, StatementKind,
};

pub(super) const LINT: Lint = Lint {
    code: codes::SETTLED_CONDITION,
    run,
};

/// What an `if` asks though what stands around it or before it has settled it.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut search = Search {
        context,
        seen: HashSet::default(),
        found: Vec::new(),
    };
    let edits = context
        .index
        .items
        .iter()
        .filter_map(|it| match &it.item.kind {
            // What is done behind an action opens nothing before it.
            ItemKind::Edit(Edit::Insert {
                side: Side::After, ..
            }) => None,
            ItemKind::Edit(edit) => edit.head(),
            _ => None,
        });
    let edited: HashSet<&str> = edits.map(Name::as_str).collect();
    for placed in &context.index.items {
        match &placed.item.kind {
            ItemKind::Action(action) => {
                // An edit may permit what is forbidden otherwise, or do something before.
                let is_edited = edited.contains(action.name.as_str());
                let requires = action.requires.iter().filter(|_| !is_edited);
                let requires = requires.take(MOST_COMPARED);
                let known = requires.map(|it| search.known(&it.condition, true));
                let known: Vec<Known<'_>> = known.collect();
                action.body.iter().for_each(|it| search.block(&known, it));
            }
            ItemKind::Event(it) => search.block(&[], &it.body),
            ItemKind::Flow(it) => search.block(&[], &it.body),
            ItemKind::Ending(it) => search.block(&[], &it.body),
            _ => {}
        }
    }
    for done in &context.index.statements {
        match &done.statement.kind {
            StatementKind::ForEach { binders, body } => {
                // Between two rounds that go on with the same member its own condition is not asked again.
                let asked = binders.last().and_then(|it| it.binder.condition.as_ref());
                let known: Vec<Known<'_>> =
                    asked.into_iter().map(|it| search.known(it, true)).collect();
                search.block(&known, body);
            }
            StatementKind::Turns {
                condition, body, ..
            } => {
                let known: Vec<Known<'_>> =
                    condition.iter().map(|it| search.known(it, true)).collect();
                search.block(&known, body);
            }
            StatementKind::While { condition, body } => {
                let known = [search.known(condition, true)];
                search.block(&known, body);
            }
            StatementKind::Step { body, .. } | StatementKind::Repeat { body, .. } => {
                search.block(&[], body);
            }
            StatementKind::If { .. } => search.question(&[], done.statement),
            _ => {}
        }
    }
    for seen in &context.index.exprs {
        search.value(seen.expr);
    }
    let mut told = HashSet::default();
    let found_here = search.found.into_iter();
    found.extend(found_here.filter(|it| {
        it.span()
            .is_none_or(|at| told.insert((at.file.0, at.start, at.end)))
    }));
}

/// A condition that is known to hold, or not to hold, where something stands.
#[derive(Clone)]
struct Known<'a> {
    says: std::rc::Rc<Says<'a>>,
    condition: &'a Expr,
    holds: bool,
}

struct Search<'c, 'a> {
    context: &'c Context<'a>,
    /// The `if`s that were looked at.
    seen: HashSet<*const Statement>,
    found: Vec<Diagnostic>,
}

impl<'a> Search<'_, 'a> {
    fn known(&self, condition: &'a Expr, holds: bool) -> Known<'a> {
        Known {
            says: self.context.says(condition, holds).into(),
            condition,
            holds,
        }
    }

    /// Looks at the `if`s with which a block begins: nothing has changed before them. Of those behind nothing is known.
    fn block(&mut self, known: &[Known<'a>], block: &'a Block) {
        let mut known = known.to_vec();
        for statement in &block.statements {
            self.question(&known, statement);
            match &statement.kind {
                StatementKind::If {
                    branches,
                    otherwise: None,
                } => match branches.as_slice() {
                    [only] if leaves(&only.body) && known.len() < MOST_COMPARED => {
                        known.push(self.known(&only.condition, false));
                    }
                    _ => known.clear(),
                },
                _ => known.clear(),
            }
        }
    }

    fn question(&mut self, known: &[Known<'a>], statement: &'a Statement) {
        let StatementKind::If {
            branches,
            otherwise,
        } = &statement.kind
        else {
            return;
        };
        if !self.seen.insert(std::ptr::from_ref(statement)) {
            return;
        }
        let mut known = known.to_vec();
        for Branch {
            condition, body, ..
        } in branches
        {
            self.judge(&known, condition);
            known.push(self.known(condition, true));
            self.block(&known, body);
            known.pop();
            known.push(self.known(condition, false));
        }
        if let Some(otherwise) = otherwise {
            self.block(&known, otherwise);
        }
    }

    /// Looks at an `if` between values, at those behind its `else`, and at what stands right behind `then`.
    fn value(&mut self, value: &'a Expr) {
        let mut known = Vec::new();
        let mut asked = value;
        while let ExprKind::If {
            condition,
            then,
            otherwise,
        } = &asked.kind
        {
            self.judge(&known, condition);
            if let ExprKind::If {
                condition: inner, ..
            } = &then.kind
            {
                known.push(self.known(condition, true));
                self.judge(&known, inner);
                known.pop();
            }
            known.push(self.known(condition, false));
            asked = otherwise;
        }
    }

    /// Says what there is to say of a condition where others are known to hold.
    fn judge(&mut self, known: &[Known<'a>], condition: &'a Expr) {
        let is_so = self.context.says(condition, true);
        let is_not = self.context.says(condition, false);
        // What is `true` or `false` and no more is a finding of its own.
        if is_so.is_settled() {
            return;
        }
        let settles = |it: &&Known<'a>| implies(&it.says, &is_so) || implies(&it.says, &is_not);
        let Some(by) = known.iter().find(settles) else {
            return;
        };
        let (message, help) = if implies(&by.says, &is_so) {
            (
                "this always holds here",
                "leave the question out, or ask what was meant",
            )
        } else {
            (
                "this never holds here",
                "leave the case out, or ask what was meant",
            )
        };
        let why = if by.holds {
            "here this holds"
        } else {
            "here this does not hold"
        };
        self.found.push(
            Diagnostic::at(codes::SETTLED_CONDITION, condition.span, message)
                .label(by.condition.span, why)
                .help(help),
        );
    }
}

/// Whether nothing behind a block is done after it.
fn leaves(block: &Block) -> bool {
    block.statements.last().is_some_and(|it| {
        matches!(
            it.kind,
            StatementKind::End(_)
                | StatementKind::Return(_)
                | StatementKind::Next
                | StatementKind::Again
        )
    })
}

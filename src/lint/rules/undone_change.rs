use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{
    AssignOp, Block, Move, Moved, Name, Role, Statement, StatementKind, Tree, Use, Visitor,
};

pub(super) const LINT: Lint = Lint {
    code: codes::UNDONE_CHANGE,
    run,
};

/// Statements that take back what the one right before them has done.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut search = Search(Vec::new());
    for item in context.book.files.iter().flat_map(|it| &it.items) {
        item.kind.walk(&mut search, Role::Plain);
    }
    found.extend(search.0.into_iter().map(|[first, second]| {
        Diagnostic::at(
            codes::UNDONE_CHANGE,
            second.span,
            "this takes back what was done right before it",
        )
        .label(first.span, "it is done here")
        .help("leave both out, or write the second one as it was meant")
    }));
}

/// The pairs that were found.
struct Search<'t>(Vec<[&'t Statement; 2]>);

impl<'t> Visitor<'t> for Search<'t> {
    fn block(&mut self, block: &'t Block, role: Role) {
        let behind = block.statements.iter().skip(1);
        let pairs = block.statements.iter().zip(behind);
        let undone = pairs.filter(|(one, other)| takes_back(one, other));
        self.0.extend(undone.map(|(one, other)| [one, other]));
        block.parts(self, role);
    }
}

/// Whether a name is met.
struct Reads<'n>(Option<&'n Name>, bool);

impl<'t> Visitor<'t> for Reads<'_> {
    fn name(&mut self, name: &'t Name, _used_as: Use) {
        self.1 |= Some(name) == self.0;
    }
}

fn takes_back(one: &Statement, other: &Statement) -> bool {
    use StatementKind::{Assign, Move as Moves};
    match (&one.kind, &other.kind) {
        (
            Assign {
                target: a,
                op: up,
                value: by,
                ..
            },
            Assign {
                target: b,
                op: down,
                value: back,
                ..
            },
        ) => {
            let is_step = |it: &AssignOp| matches!(it, AssignOp::Increase | AssignOp::Decrease);
            let steps = a == b && by == back && is_step(up) && is_step(down) && up != down;
            // What is added may hang on what it is added to.
            let mut reads = Reads(a.leading_name(), false);
            by.walk(&mut reads, Role::Plain);
            steps && !reads.1
        }
        (Moves(one), Moves(other)) => {
            let empty = |it: &Move| it.with.is_empty();
            let there_and_back = match (&one.what, &other.what) {
                (Moved::Place(from), Moved::Place(back)) => *from == other.to && *back == one.to,
                (
                    Moved::Copies {
                        amount,
                        component,
                        from,
                    },
                    Moved::Copies {
                        amount: again,
                        component: same,
                        from: back,
                    },
                ) => amount == again && component == same && *from == other.to && *back == one.to,
                _ => false,
            };
            there_and_back && empty(one) && empty(other)
        }
        _ => false,
    }
}

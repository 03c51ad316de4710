use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{
    Choose, Chooser, Each, ExprKind, Name, Role, Statement, StatementKind, Use, Visitor,
};

pub(super) const LINT: Lint = Lint {
    code: codes::ORDER_SENSITIVE_LOOP,
    run,
};

/// Sets have no order of their own, so a loop over one takes that of the declaration. Where somebody
/// chooses or the game ends inside, this is a rule, and should be seen to be one.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let index = &context.index;
    let deciding = index.items_that(|it| decides(it).is_some());
    let names: HashSet<&str> = index
        .declarations()
        .filter(|(at, _, _)| deciding.contains(at))
        .map(|(_, _, name)| name.as_str())
        .collect();
    for (at, done) in index.statements.iter().enumerate() {
        if index.in_ruling(done.item) {
            continue;
        }
        let StatementKind::ForEach { binders, .. } = &done.statement.kind else {
            continue;
        };
        let Some(each) = binders.iter().find(|each| !is_ordered(each)) else {
            continue;
        };
        // Who goes there and back has said in which order.
        let goes_back = index.statements.iter().filter(|it| it.item == done.item);
        let set = |each: &Each| context.text(each.binder.set.span);
        let mut goes_back = goes_back.filter_map(|it| match &it.statement.kind {
            StatementKind::ForEach { binders, .. } => Some(binders),
            _ => None,
        });
        if goes_back.any(|it| it.iter().any(|it| it.backwards && set(it) == set(each))) {
            continue;
        }
        // What stands inside comes right behind.
        let behind = index.statements.iter().skip(at + 1).map(|it| it.statement);
        let mut inside = behind.take_while(|it| within(done.statement.span, it.span));
        let what = inside.find_map(|it| match &it.kind {
            StatementKind::Call(call) if names.contains(call.name.as_str()) => Some((
                call.name.span,
                "somebody chooses in it, or the game may end",
            )),
            // The same seat makes each choice of the loop, in an order that it knows.
            StatementKind::Choose(choose) if !is_about(choose, binders) => None,
            // One ending that is the same whichever member leads to it.
            StatementKind::End(call) if call.args.is_empty() => None,
            _ => decides(it).map(|what| (it.span, what)),
        });
        if let Some((place, what)) = what {
            let message = "the order of this loop decides something and is not stated";
            found.push(
                Diagnostic::new(codes::ORDER_SENSITIVE_LOOP, message)
                    .label(each.binder.set.span, "a set has no order of its own")
                    .label(place, what)
                    .help("let the seats take turns, use `seats_from(s)` or `backwards`, or allow it and say why"),
            );
        }
    }
}

/// Returns what a statement decides.
fn decides(statement: &Statement) -> Option<&'static str> {
    match &statement.kind {
        StatementKind::Choose(choose) => match &choose.who {
            Chooser::Seat(_) => Some("here somebody chooses"),
            Chooser::Chance(_) => None,
        },
        StatementKind::Window { .. } | StatementKind::Turns { .. } => Some("here somebody chooses"),
        StatementKind::End(call) if !call.args.is_empty() => Some("here the game ends"),
        _ => None,
    }
}

/// Whether it follows from the members of a loop who chooses.
fn is_about(choose: &Choose, binders: &[Each]) -> bool {
    let Chooser::Seat(who) = &choose.who else {
        return false;
    };
    let mut names = Names(Vec::new());
    names.expr(who, Role::Plain);
    binders
        .iter()
        .any(|it| names.0.contains(&it.binder.name.as_str()))
}

/// The names in an expression.
struct Names<'t>(Vec<&'t str>);

impl<'t> Visitor<'t> for Names<'t> {
    fn name(&mut self, name: &'t Name, _: Use) {
        self.0.push(name.as_str());
    }
}

/// Returns whether a loop says in which order it runs.
fn is_ordered(each: &Each) -> bool {
    each.backwards
        || match &each.binder.set.kind {
            ExprKind::Range { .. } => true,
            ExprKind::Call(call) => call.name == "seats_from",
            _ => false,
        }
}

fn within(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start < inner.start && inner.end <= outer.end
}

use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::model::{Base, Expr, ExprKind, Game, Node, StmtKind};
use crate::source::Span;
use crate::syntax::ast::{
    self, Add, Alternative, Among, Arm, ArmHead, Block, Edit, ItemKind, StatementKind,
};

pub(super) const LINT: Lint = Lint {
    code: codes::IDLE_ELSE,
    run,
};

/// An `else` of a `by` in which every value of a list has a case of its own, and an `otherwise` behind `may choose`.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(game) = context.book.game else {
        return;
    };
    let full = full(context, game);
    let mut judge = |whole: Span, other: Option<Span>| {
        if let Some(other) = other.filter(|_| full.contains(&(whole.file.0, whole.start))) {
            found.push(
                Diagnostic::at(
                    codes::IDLE_ELSE,
                    other,
                    "every value has a case, and none is left for this",
                )
                .help("remove it, or a case that it may stand for"),
            );
        }
    };
    let mut never_done: Vec<&Block> = Vec::new();
    let mut never_asked: Vec<(&Block, &Alternative)> = Vec::new();
    for seen in &context.index.exprs {
        if let ast::ExprKind::By { arms, .. } = &seen.expr.kind {
            judge(seen.expr.span, otherwise(arms));
        }
    }
    for done in &context.index.statements {
        match &done.statement.kind {
            StatementKind::By { arms, .. } => judge(done.statement.span, otherwise(arms)),
            StatementKind::Choose(it) if it.may => never_done.extend(&it.otherwise),
            StatementKind::Choose(it) => {
                let owner = context.index.item(done.item).and_then(|it| it.kind.name());
                let is_edited = owner.is_some_and(|it| context.index.edited.contains(it.as_str()));
                if let (Among::Alternatives(all), Some(block), false) =
                    (&it.among, &it.otherwise, is_edited)
                    && let Some(always) = all.iter().find(|it| is_always_there(it))
                {
                    never_asked.push((block, always));
                }
            }
            _ => {}
        }
    }
    found.extend(never_asked.into_iter().map(|(block, always)| {
        let message = "one of the options can always be chosen, so this never happens";
        Diagnostic::at(codes::IDLE_ELSE, block.span, message)
            .label(always.span, "this can be")
            .help("remove it, or say with `where` when that option is there")
    }));
    found.extend(never_done.into_iter().map(|it| {
        let message = "who may choose can decline, so this never happens";
        let help = "remove it, or write `choose` without `may`";
        Diagnostic::at(codes::IDLE_ELSE, it.span, message).help(help)
    }));
}

/// Whether an option is written in place and bound to nothing.
fn is_always_there(it: &Alternative) -> bool {
    it.text.is_some() && it.condition.is_none() && it.args.is_empty()
}

fn otherwise<T>(arms: &[Arm<T>]) -> Option<Span> {
    let mut arms = arms.iter();
    let other = arms.find(|it| matches!(it.head, ArmHead::Else));
    other.map(|it| it.span)
}

/// Returns where each `by` begins that has a case for each value and an `else`. Where amendments or readings add values, or there
/// may be more seats, the `else` may be for them.
fn full(context: &Context<'_>, game: &Game) -> HashSet<(u16, u32)> {
    let items = context.index.items.iter().map(|it| &it.item.kind);
    let grown: HashSet<String> = items
        .filter_map(|kind| match kind {
            ItemKind::Edit(Edit::Add(Add::Values { to, .. })) => Some(to.to_string()),
            _ => None,
        })
        .collect();
    let is_full = |subject: &Expr, n_cases: usize| {
        let Base::Elem(of) = subject.ty.base else {
            return false;
        };
        let may_grow = of == game.seat && game.seat_range.0 != game.seat_range.1;
        game.domains.get(of.index()).is_some_and(|it| {
            !subject.ty.optional
                && !may_grow
                && !grown.contains(&it.name)
                && usize::try_from(it.size).is_ok_and(|size| size == n_cases)
        })
    };
    let mut full = HashSet::default();
    for node in &context.nodes {
        let (subject, n_cases, span) = match node {
            Node::Expr(Expr {
                kind: ExprKind::Match(subject, cases, Some(_)),
                span,
                ..
            }) => {
                let n_cases: usize = cases.iter().map(|(heads, _)| heads.len()).sum();
                (subject.as_ref(), n_cases, *span)
            }
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Match(subject, cases, Some(_)) => {
                    let n_cases: usize = cases.iter().map(|(heads, _)| heads.len()).sum();
                    (subject, n_cases, stmt.span)
                }
                _ => continue,
            },
            _ => continue,
        };
        if is_full(subject, n_cases) {
            full.insert((span.file.0, span.start));
        }
    }
    full
}

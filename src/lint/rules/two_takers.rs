use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::model::{
    Action, AltKind, Expr, ExprKind, Game, Holding, LocalId, Node, Over, Stmt, StmtKind, What,
    each_in_expr,
};

pub(super) const LINT: Lint = Lint {
    code: codes::TWO_TAKERS,
    run,
};

/// Seats that choose at the same time may choose the same thing; the second one would not find it any more.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(game) = context.book.game else {
        return;
    };
    let mut known = Vec::new();
    for node in &context.nodes {
        let Node::Stmt(stmt) = node else { continue };
        let StmtKind::Together(together) = &stmt.kind else {
            continue;
        };
        for alt in together.choose().into_iter().flat_map(|it| &it.alts) {
            let AltKind::Action(id, _) = &alt.kind else {
                continue;
            };
            let Some(action) = game.actions.get(id.index()) else {
                continue;
            };
            if let Some(taken) = takes_of_all(game, action)
                && !known.contains(&taken.span)
            {
                known.push(taken.span);
                found.push(
                    Diagnostic::at(
                        codes::TWO_TAKERS,
                        taken.span,
                        "two who choose at the same time can take the same thing",
                    )
                    .label(stmt.span, "they choose here")
                    .help("ask for it again, `if filled lying[at] { … }`, or let them choose one after the other"),
                );
            }
        }
    }
}

/// What an action takes that another seat may have taken: it is chosen without regard to who chooses, and moved
/// without being asked for again.
fn takes_of_all<'g>(game: &'g Game, action: &Action) -> Option<&'g Stmt> {
    let body = game.procs.get(action.body.index())?;
    let (me, params) = body.params.split_first()?;
    let of_all = |(param, local): (&crate::model::Param, &LocalId)| {
        let own = match &param.over {
            Over::Set(set) => reads(set, action.me),
            Over::Zone(place) => place.index.iter().any(|it| reads(it, action.me)),
            Over::Span(..) => true,
        };
        (!own).then_some(*local)
    };
    let chosen = action.params.iter().zip(params).filter_map(of_all);
    let chosen: Vec<LocalId> = chosen.collect();
    body.body.iter().find(|stmt| {
        let StmtKind::Move(moved) = &stmt.kind else {
            return false;
        };
        let (place, what) = match &moved.what {
            What::At(place) => (place, None),
            What::Copies(_, what, Holding::Place(place)) => (place, Some(what)),
            _ => return false,
        };
        let is_own = place.index.iter().any(|it| reads(it, *me));
        let is_chosen = |local: &LocalId| {
            let mut asked = place.index.iter().chain(what);
            asked.any(|it| reads(it, *local))
        };
        !is_own && chosen.iter().any(is_chosen)
    })
}

fn reads(expr: &Expr, local: LocalId) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Local(it) if it == local);
    each_in_expr(expr, &mut |node| {
        found |= matches!(node, Node::Expr(Expr { kind: ExprKind::Local(it), .. }) if *it == local);
    });
    found
}

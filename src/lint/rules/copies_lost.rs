use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::model::{
    AggregateOp, Base, DomainId, DomainKind, Expr, ExprKind, Game, LocalId, Node, Over, StmtKind,
    TemplatePart, each_in_block, each_in_expr,
};
use crate::source::Span;

pub(super) const LINT: Lint = Lint {
    code: codes::COPIES_LOST,
    run,
};

/// A set holds each kind once, however many copies lie in the bag that it was made of.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let Some(game) = context.book.game else {
        return;
    };
    let copied = Copied::of(game);
    let mut known = BTreeSet::new();
    let mut tell = |span: Span, what: &str, help: &str| {
        if known.insert((span.file, span.start)) {
            let message = format!("{what}, and in a set each kind is there once");
            found.push(
                Diagnostic::new(codes::COPIES_LOST, message)
                    .label(span, "several of a kind may be here")
                    .help(help),
            );
        }
    };
    let mut asked = |node: Node<'_>| {
        let (params, body, args) = match node {
            Node::Expr(Expr {
                kind: ExprKind::Call(id, args),
                ..
            }) => match game.defines.get(id.index()) {
                Some(define) => (&define.params, Counted::Value(&define.body), args),
                None => return,
            },
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Call(id, args) | StmtKind::CallInto(_, id, args) => {
                    match game.procs.get(id.index()) {
                        Some(proc) => (&proc.params, Counted::Block(&proc.body), args),
                        None => return,
                    }
                }
                _ => return,
            },
            _ => return,
        };
        for (param, arg) in params.iter().zip(args) {
            if copied.may_be_in(arg) && body.counts(*param) {
                tell(
                    arg.span,
                    "what is given is counted as a set",
                    "let the definition run through the zone itself, so that each copy counts: give it the seat",
                );
            }
        }
    };
    context.nodes.iter().for_each(|it| asked(*it));
    for action in &game.actions {
        for require in &action.requires {
            each_in_expr(&require.cond, &mut asked);
            asked(Node::Expr(&require.cond));
        }
    }
    for telling in &game.tellings {
        for part in &telling.text.parts {
            if let TemplatePart::Hole(hole) = part {
                each_in_expr(hole, &mut asked);
                asked(Node::Expr(hole));
            }
        }
    }
    for telling in &game.tellings {
        for part in &telling.text.parts {
            if let TemplatePart::Hole(hole) = part
                && copied.may_be_in(hole)
            {
                tell(
                    hole.span,
                    "a text tells what is here as a set",
                    "tell how many there are of each kind, or move them one by one where all can see it",
                );
            }
        }
    }
}

/// The components of which the box may hold several alike.
struct Copied<'g> {
    game: &'g Game,
    components: BTreeSet<DomainId>,
}

impl<'g> Copied<'g> {
    fn of(game: &'g Game) -> Self {
        let once = |domain: DomainId| {
            let mut supplies = game.supplies.iter().filter(|it| it.component == domain);
            let first = supplies.next();
            let is_one = first.is_none_or(|it| matches!(it.count.kind, ExprKind::Value(1)));
            is_one && supplies.next().is_none()
        };
        let components = game.supplies.iter().map(|it| it.component);
        Self {
            game,
            components: components.filter(|it| !once(*it)).collect(),
        }
    }

    /// Whether an expression is a set made of what may hold a kind several times.
    fn may_be_in(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Kinds(place) => {
                let zone = self.game.zones.get(place.zone.index());
                zone.is_some_and(|it| self.components.contains(&it.component))
            }
            // Copies that are chosen together, as their kinds.
            ExprKind::Aggregate(it) if it.op == AggregateOp::Collect => {
                let [binder] = it.binders.as_slice() else {
                    return false;
                };
                matches!(&binder.over, Over::Set(set) if self.are_copies(set.ty.base))
            }
            _ => false,
        }
    }

    /// Whether these are copies, each with its number: nobody names what they are made of.
    fn are_copies(&self, base: Base) -> bool {
        let Base::Set(domain) = base else {
            return false;
        };
        match self.game.domains.get(domain.index()).map(|it| &it.kind) {
            Some(DomainKind::Record { fields, .. }) => {
                !fields.is_empty() && fields.iter().all(|it| it.name.is_empty())
            }
            _ => false,
        }
    }
}

/// What may count a parameter.
enum Counted<'g> {
    Value(&'g Expr),
    Block(&'g [crate::model::Stmt]),
}

impl Counted<'_> {
    /// Whether how many are in it counts, or something is added up over it.
    fn counts(&self, param: LocalId) -> bool {
        let mut counts = false;
        let mut look = |node: Node<'_>| {
            if let Node::Expr(Expr {
                kind: ExprKind::Aggregate(it),
                ..
            }) = node
                && matches!(
                    it.op,
                    AggregateOp::Count | AggregateOp::Sum | AggregateOp::Product
                )
            {
                counts |= it.binders.iter().any(|binder| match &binder.over {
                    Over::Set(set) => matches!(set.kind, ExprKind::Local(it) if it == param),
                    Over::Zone(_) | Over::Span(..) => false,
                });
            }
        };
        match self {
            Self::Value(expr) => {
                look(Node::Expr(expr));
                each_in_expr(expr, &mut look);
            }
            Self::Block(block) => each_in_block(block, &mut look),
        }
        counts
    }
}

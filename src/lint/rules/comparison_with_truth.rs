use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Stands;
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{
    AssignOp, BinaryOp, Block, Expr, ExprKind, ItemKind, StatementKind, TypeKind, UnaryOp,
};

pub(super) const LINT: Lint = Lint {
    code: codes::COMPARISON_WITH_TRUTH,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for (seen, op, left, right) in context.index.binaries() {
        let same = match op {
            BinaryOp::Equal => true,
            BinaryOp::NotEqual => false,
            _ => continue,
        };
        let (value, asked) = match (&left.kind, &right.kind) {
            (_, ExprKind::Bool(truth)) => (left, *truth),
            (ExprKind::Bool(truth), _) => (right, *truth),
            _ => continue,
        };
        // Behind a prefix or beside another operator `not` would reach too far.
        if seen.stands == Stands::Tight && !seen.expr.parenthesised {
            continue;
        }
        if may_be_missing(value, context) {
            continue;
        }
        let whole = left.span.to(right.span);
        let kept = context.text(value.span);
        let plain = if asked == same {
            kept.to_owned()
        } else {
            format!("not {kept}")
        };
        let message = format!(
            "`{}` asks twice whether something is so",
            context.text(whole)
        );
        let finding = Diagnostic::at(codes::COMPARISON_WITH_TRUTH, whole, message);
        let title = format!("write `{plain}`");
        let finding = finding.help(title.clone());
        let edits = vec![(whole, plain)];
        found.push(if is_truth(value, context) {
            finding.safe_fix(title, edits)
        } else {
            finding.fix(title, edits)
        });
    }
    chosen(context, found);
}

/// Of two cases one comes to `true` and the other to `false`: then the question is the answer.
fn chosen(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let opposite = |then: &Expr, otherwise: &Expr| match (&then.kind, &otherwise.kind) {
        (ExprKind::Bool(then), ExprKind::Bool(otherwise)) if then != otherwise => Some(*then),
        _ => None,
    };
    let mut tell = |span: Span, condition: &Expr, holds: bool, before: &str| {
        let asked = context.text(condition.span);
        let is_single = !matches!(
            condition.kind,
            ExprKind::Binary { .. } | ExprKind::If { .. } | ExprKind::Default { .. }
        );
        let plain = match (holds, is_single || condition.parenthesised) {
            (true, _) => format!("{before}{asked}"),
            (false, true) => format!("{before}not {asked}"),
            (false, false) => format!("{before}not ({asked})"),
        };
        let message = format!("`{asked}` says already whether it is so");
        let finding = Diagnostic::at(codes::COMPARISON_WITH_TRUTH, span, message);
        found.push(finding.help(format!("write `{plain}`")));
    };
    for seen in &context.index.exprs {
        if let ExprKind::If {
            condition,
            then,
            otherwise,
        } = &seen.expr.kind
            && let Some(holds) = opposite(then, otherwise)
        {
            tell(seen.expr.span, condition, holds, "");
        }
    }
    for done in &context.index.statements {
        let StatementKind::If {
            branches,
            otherwise: Some(otherwise),
        } = &done.statement.kind
        else {
            continue;
        };
        if let [only] = branches.as_slice()
            && let (Some((target, then)), Some((other, otherwise))) =
                (set(&only.body), set(otherwise))
            && target.kind == other.kind
            && let Some(holds) = opposite(then, otherwise)
        {
            let before = format!("{} = ", context.text(target.span));
            tell(done.statement.span, &only.condition, holds, &before);
        }
    }
}

/// What a block sets, and to what, if it does nothing else and does not say why.
fn set(block: &Block) -> Option<(&Expr, &Expr)> {
    match block.statements.as_slice() {
        [only] => match &only.kind {
            StatementKind::Assign {
                target,
                op: AssignOp::Set,
                value,
                because: None,
            } => Some((target, value)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether a value is certainly true or false, and never absent.
fn is_truth(value: &Expr, context: &Context<'_>) -> bool {
    match &value.kind {
        ExprKind::Bool(_) | ExprKind::Can { .. } => true,
        ExprKind::Unary { op, .. } => matches!(
            op,
            UnaryOp::Not
                | UnaryOp::No
                | UnaryOp::Some
                | UnaryOp::Every
                | UnaryOp::Empty
                | UnaryOp::Filled
        ),
        ExprKind::Binary { op, .. } => !matches!(
            op,
            BinaryOp::Plus | BinaryOp::Minus | BinaryOp::Times | BinaryOp::Divided | BinaryOp::Mod
        ),
        ExprKind::Name(name) => {
            !context.index.is_local(value) && is_declared_truth(name.as_str(), context)
        }
        ExprKind::Call(call) => is_declared_truth(call.name.as_str(), context),
        ExprKind::Index { base, .. } => match &base.kind {
            ExprKind::Name(name) => is_declared_truth(name.as_str(), context),
            _ => false,
        },
        _ => false,
    }
}

/// To ask what is missing is a fault, to compare it is none.
fn may_be_missing(value: &Expr, context: &Context<'_>) -> bool {
    let name = match &value.kind {
        ExprKind::Call(call) => Some(&call.name),
        _ => value.leading_name(),
    };
    let ty = name.and_then(|it| declared_type(it.as_str(), context));
    matches!(ty, Some(TypeKind::OrNone(_)))
}

fn is_declared_truth(name: &str, context: &Context<'_>) -> bool {
    matches!(declared_type(name, context), Some(TypeKind::Named(name)) if name == "bool")
}

fn declared_type<'a>(name: &str, context: &Context<'a>) -> Option<&'a TypeKind> {
    let ty = match context.index.declared(name).map(|item| &item.kind)? {
        ItemKind::Define(it) => &it.ty,
        ItemKind::Track(it) => &it.ty,
        ItemKind::Table(it) => &it.ty,
        _ => return None,
    };
    Some(&ty.kind)
}

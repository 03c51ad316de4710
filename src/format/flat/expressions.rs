//! Expressions on one line.

use super::*;
use crate::syntax::ast::{
    Arg, Arm, ArmHead, BinaryOp, Binder, Call, Comprehension, DEFAULT_TIGHTNESS, Expr, ExprKind,
    Name, RANGE_TIGHTNESS,
};

pub(in crate::format) fn opt(before: &str, it: Option<&Expr>) -> String {
    it.map_or(String::new(), |it| format!("{before}{}", expr(it)))
}

pub(in crate::format) fn expr(it: &Expr) -> String {
    let inner = bare(it);
    if it.parenthesised {
        format!("({inner})")
    } else {
        inner
    }
}

/// Writes an expression without the parentheses around it.
pub(in crate::format) fn bare(it: &Expr) -> String {
    match &it.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Bool(truth) => truth.to_string(),
        ExprKind::None => String::from("none"),
        ExprKind::Text(it) => template(it),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::Call(it) => call(it),
        ExprKind::Index { base, indices } => {
            format!("{}[{}]", left(base, u8::MAX), joined(indices, ", ", expr))
        }
        ExprKind::Field { base, field } => format!("{}.{field}", left(base, u8::MAX)),
        ExprKind::Unary { op, operand, .. } => {
            let gap = if op.word() == "-" { "" } else { " " };
            format!("{}{gap}{}", op.word(), right(operand, op.tightness()))
        }
        ExprKind::Binary {
            op,
            left: a,
            right: b,
            ..
        } => {
            let (before, behind) = op.tightness();
            format!("{} {} {}", left(a, before), op.word(), right(b, behind))
        }
        ExprKind::Range { from, to } => format!(
            "{}..{}",
            left(from, RANGE_TIGHTNESS.0),
            right(to, RANGE_TIGHTNESS.1)
        ),
        ExprKind::Default { value, fallback } => {
            format!(
                "{} default {}",
                left(value, DEFAULT_TIGHTNESS.0),
                right(fallback, DEFAULT_TIGHTNESS.1)
            )
        }
        ExprKind::Set(members) if members.is_empty() => String::from("{}"),
        ExprKind::Set(members) => format!("{{ {} }}", joined(members, ", ", expr)),
        ExprKind::Comprehension(it) => comprehension(it),
        ExprKind::Tuple(members) => format!("({})", joined(members, ", ", expr)),
        ExprKind::If {
            condition,
            then,
            otherwise,
        } => format!(
            "if {} then {} else {}",
            expr(condition),
            expr(then),
            expr(otherwise)
        ),
        ExprKind::By { subject, arms } => {
            let arms = joined(arms, "  ", |arm| {
                format!("{} => {}", arm_head(arm), expr(&arm.body))
            });
            format!("by {} {{ {arms} }}", expr(subject))
        }
        ExprKind::After { body, value } => format!("after {} {}", block(body), operand(value)),
        ExprKind::Can { who, alternatives } => {
            format!("can({}, {})", expr(who), self::alternatives(alternatives))
        }
        ExprKind::Reach { start, var, next } => {
            format!("reach {} via {var} -> {}", operand(start), operand(next))
        }
        ExprKind::Groups { domain, var, next } => {
            format!("groups {} via {var} -> {}", operand(domain), operand(next))
        }
        ExprKind::Walk {
            direction,
            from,
            var,
            condition,
        } => format!(
            "walk {} from {} while {var}: {}",
            operand(direction),
            operand(from),
            expr(condition)
        ),
    }
}

/// Writes what stands before an operator that binds so tightly.
pub(in crate::format) fn left(it: &Expr, tightness: u8) -> String {
    let swallows_what_follows = matches!(it.kind, ExprKind::If { .. } | ExprKind::Walk { .. });
    if binds(it) < tightness || swallows_what_follows {
        in_parentheses(it)
    } else {
        expr(it)
    }
}

/// Writes what stands behind an operator that binds so tightly; a prefix there needs no parentheses.
pub(in crate::format) fn right(it: &Expr, tightness: u8) -> String {
    let is_prefix = matches!(it.kind, ExprKind::Unary { .. });
    if binds(it) < tightness && !is_prefix {
        in_parentheses(it)
    } else {
        expr(it)
    }
}

pub(super) fn operand(it: &Expr) -> String {
    right(it, u8::MAX)
}

fn in_parentheses(it: &Expr) -> String {
    format!("({})", bare(it))
}

/// Returns how tightly the outermost operator binds; [`u8::MAX`] if there is none.
fn binds(it: &Expr) -> u8 {
    match &it.kind {
        _ if it.parenthesised => u8::MAX,
        ExprKind::Unary { op, .. } => op.tightness(),
        ExprKind::Binary { op, .. } => op.tightness().0,
        ExprKind::Range { .. } => RANGE_TIGHTNESS.0,
        ExprKind::Default { .. } => DEFAULT_TIGHTNESS.0,
        _ => u8::MAX,
    }
}

pub(in crate::format) fn is_joined_by(it: &Expr, ops: &[BinaryOp]) -> bool {
    matches!(&it.kind, ExprKind::Binary { op, .. } if ops.contains(op)) && !it.parenthesised
}

fn comprehension(it: &Comprehension) -> String {
    let map = it
        .map
        .as_ref()
        .map_or(String::new(), |map| format!("{} for ", expr(map)));
    format!(
        "{{ {map}{}{} }}",
        joined(&it.binders, ", ", binder),
        opt(" by ", it.by.as_deref())
    )
}

pub(in crate::format) fn binder(it: &Binder) -> String {
    format!(
        "{} in {}{}",
        it.name,
        expr(&it.set),
        opt(" where ", it.condition.as_ref())
    )
}

pub(in crate::format) fn arm_head<T>(arm: &Arm<T>) -> String {
    match &arm.head {
        ArmHead::Names(names) => joined(names, ", ", |name| name.text.clone()),
        ArmHead::Else => String::from("else"),
    }
}

pub(in crate::format) fn call(call: &Call) -> String {
    format!("{}({})", call.name, joined(&call.args, ", ", arg))
}

fn arg(arg: &Arg) -> String {
    match &arg.name {
        Some(name) => format!("{name}: {}", expr(&arg.value)),
        None => expr(&arg.value),
    }
}

/// Writes a name with arguments; none are no parentheses.
pub(super) fn name_and_args(name: &Name, args: &[Arg]) -> String {
    if args.is_empty() {
        name.text.clone()
    } else {
        format!("{name}({})", joined(args, ", ", arg))
    }
}

use super::{Canon, Canonical, canonical};
use crate::syntax::ast::{self, ExprKind};

canonical! {
    Call "call" { name args }
    Arg "arg" { name value }
    Comprehension "those" { map binders by }
    Binder "in" { name set condition } { span }
}

impl Canonical for ast::Expr {
    fn canon(&self, canon: &mut Canon) {
        match &self.kind {
            ExprKind::Number(number) => number.canon(canon),
            ExprKind::Bool(truth) => truth.canon(canon),
            ExprKind::None => canon.word("none"),
            ExprKind::Text(template) => template.canon(canon),
            ExprKind::Name(name) => name.canon(canon),
            ExprKind::Call(call) => call.canon(canon),
            ExprKind::Index { base, indices } => canon.node("at", &[base, indices]),
            ExprKind::Field { base, field } => canon.node(".", &[base, field]),
            ExprKind::Unary {
                op,
                op_span: _,
                operand,
            } => canon.node(op.word(), &[operand]),
            ExprKind::Binary {
                op,
                op_span: _,
                left,
                right,
            } => canon.node(op.word(), &[left, right]),
            ExprKind::Range { from, to } => canon.node("..", &[from, to]),
            ExprKind::Default { value, fallback } => canon.node("default", &[value, fallback]),
            ExprKind::Set(members) => canon.node("set", &[members]),
            ExprKind::Comprehension(it) => it.canon(canon),
            ExprKind::Tuple(members) => canon.node("tuple", &[members]),
            ExprKind::If {
                condition,
                then,
                otherwise,
            } => canon.node("if", &[condition, then, otherwise]),
            ExprKind::By { subject, arms } => canon.node("by", &[subject, arms]),
            ExprKind::After { body, value } => canon.node("after", &[body, value]),
            ExprKind::Can { who, alternatives } => canon.node("can", &[who, alternatives]),
            ExprKind::Reach { start, var, next } => canon.node("reach", &[start, var, next]),
            ExprKind::Groups { domain, var, next } => canon.node("groups", &[domain, var, next]),
            ExprKind::Walk {
                direction,
                from,
                var,
                condition,
            } => canon.node("walk", &[direction, from, var, condition]),
        }
    }
}

impl<T: Canonical> Canonical for ast::Arm<T> {
    fn canon(&self, canon: &mut Canon) {
        match &self.head {
            ast::ArmHead::Names(names) => canon.node("when", &[names, &self.body]),
            ast::ArmHead::Else => canon.node("else", &[&self.body]),
        }
    }
}

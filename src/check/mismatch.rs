//! What is said where a value is of another type than is needed.

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{AggregateOp, Base, DomainId, DomainKind, Expr, ExprKind, Type};
use crate::source::Span;

use super::Checker;

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn mismatch(&mut self, expr: &Expr, to: Type) -> super::Reported {
        let (has, needs) = (self.type_name(expr.ty), self.type_name(to));
        let message = format!("this is {has}, but {needs} is needed");
        if let Some(word) = self.all_equal(expr, to) {
            return self.not_one(word, expr.span, message);
        }
        let whose = match (&expr.kind, to.base) {
            (ExprKind::Aggregate(it), Base::Elem(_))
                if matches!(it.op, AggregateOp::Max | AggregateOp::Min) =>
            {
                let (word, most) = match it.op {
                    AggregateOp::Max => ("max", "most"),
                    _ => ("min", "least"),
                };
                Some(format!(
                    "`{word}` gives the number; which it is of says `{most} {{ x in S by … }}`, a set: `first(…)` is one of them"
                ))
            }
            _ => None,
        };
        let hidden = whose.or_else(|| self.hidden_value(expr, to));
        match hidden.or_else(|| self.way_to(expr.ty, to)) {
            Some(help) => self.complain(codes::WRONG_TYPE, expr.span, message, help),
            None => self.error(codes::WRONG_TYPE, expr.span, message),
        }
    }

    /// The word of what gives all that are equal, where one of them is needed.
    pub(super) fn all_equal(&self, expr: &Expr, to: Type) -> Option<&'static str> {
        let it = expr.as_aggregate()?;
        let word = match it.op {
            AggregateOp::Most => "most",
            AggregateOp::Least => "least",
            _ => return None,
        };
        self.is_of(expr.ty, to).then_some(word)
    }

    /// Reports `most { … }` where one value is needed.
    pub(super) fn not_one(&mut self, word: &str, span: Span, message: String) -> super::Reported {
        let help = format!(
            "several may be equal: `first({word} …)` takes the first of them, in the order of their kind; what is done with a tie the rules must say"
        );
        let at = |place: usize| Span::new(span.file, place, place);
        let edits = vec![
            (at(span.range().start), "first(".to_owned()),
            (at(span.range().end), ")".to_owned()),
        ];
        let finding = Diagnostic::at(codes::WRONG_TYPE, span, message).help(help);
        self.report(finding.fix(format!("write `first({word} …)`"), edits))
    }

    /// Whether a set has members of a type.
    fn is_of(&self, set: Type, member: Type) -> bool {
        let Base::Set(domain) = set.base else {
            return false;
        };
        match (self.element(domain).base, member.base) {
            (Base::Int(..), Base::Int(..)) => true,
            (one, other) => one == other,
        }
    }

    /// How a value of one type becomes one of another, if there is an easy way.
    pub(super) fn way_to(&self, from: Type, to: Type) -> Option<String> {
        let name = |id: DomainId| self.domain(id).map_or("", |it| it.name.as_str());
        match (from.base, to.base) {
            (Base::Elem(a), Base::Set(b)) if a == b => {
                Some("put braces around a single member: `{ x }`".to_owned())
            }
            (Base::Int(..), Base::Set(b)) if matches!(self.element(b).base, Base::Int(..)) => {
                Some("put braces around a single number: `{ 3 }`".to_owned())
            }
            (Base::Set(a), Base::Elem(b)) if a == b => {
                Some("take one of its members: `first(…)`".to_owned())
            }
            (Base::Set(_), Base::Bool) => Some("write `some` or `no` before it".to_owned()),
            (Base::Set(_), Base::Int(..)) => Some("write `count` before it".to_owned()),
            (Base::Int(..), Base::Elem(id)) => match self.domain(id).map(|it| &it.kind) {
                Some(DomainKind::Enum { .. }) if id != self.game.seat => Some(format!(
                    "write `{}(…)` around a number that counts from 0",
                    name(id)
                )),
                _ => None,
            },
            (Base::Elem(id), base) => match self.domain(id).map(|it| &it.kind) {
                Some(
                    DomainKind::Record { fields, .. } | DomainKind::Space { axes: fields, .. },
                ) => {
                    let field = fields.iter().find(|it| match (it.ty.base, base) {
                        (Base::Int(..), Base::Int(..)) => true,
                        (a, b) => a == b,
                    })?;
                    Some(format!("use one of its fields: `….{}`", field.name))
                }
                Some(DomainKind::Enum { .. }) if matches!(base, Base::Int(..)) => {
                    let ways = "; it is a direction, as nothing nearer is called so";
                    let ways = if id == self.direction { ways } else { "" };
                    Some(format!("write `ord(…)` around it{ways}"))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

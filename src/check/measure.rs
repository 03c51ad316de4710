//! Measures: what is taken down of many games.

use crate::diagnostic::codes;
use crate::model::{
    Base, ClauseId, Expr, ExprKind, Measure, Moment, Node, StmtKind, Type, each_in_expr,
};
use crate::source::Span;
use crate::syntax::ast;

use super::scope::{Body, Me};
use super::{Checked, Checker};

impl<'a> Checker<'a> {
    pub(super) fn measure(&mut self, it: &'a ast::Measure, clause: ClauseId) -> Checked<()> {
        let body = Body {
            me: Me::Nobody("a measure is taken of the whole table"),
            path: it.name.text.clone(),
            clause,
            ..Body::default()
        };
        let ty = self.ty(&it.ty)?;
        let is_number = ty.base == super::types::NUMBER.base && !ty.optional;
        if !is_number && ty != Type::BOOL {
            return Err(self.complain(
                codes::WRONG_TYPE,
                it.ty.span,
                "a measure is a number or a truth",
                "write `: int` or `: bool`",
            ));
        }
        let (value, moment) = self.in_body(body, |this| {
            let value = match ty.base {
                Base::Bool => this.condition(&it.value),
                _ => this.typed(&it.value, ty),
            };
            let moment = match &it.moment {
                Some(ast::Moment::Turn) => Ok(Moment::Turn),
                Some(ast::Moment::When(it)) => this.condition(it).map(Moment::When),
                Some(ast::Moment::End) | None => Ok(Moment::End),
            };
            Ok((value?, moment?))
        })?;
        let measure = Measure {
            name: it.name.text.clone(),
            value,
            moment,
            clause,
        };
        if let Some((what, span)) = measure.exprs().find_map(kept_for) {
            let message = format!("{what} is remembered only where the rules ask for it");
            let help = "a measure changes nothing, not even what is remembered; ask for it in a `define`, which is one of the rules, and measure that";
            return Err(self.complain(codes::MEASURE_TOUCHES, span, message, help));
        }
        self.game.measures.push(measure);
        Ok(())
    }
}

/// What an expression asks for that the engine keeps only for those who ask.
fn kept_for(expr: &Expr) -> Option<(&'static str, Span)> {
    let mut found = None;
    let mut look = |node: Node<'_>| {
        let here = match node {
            Node::Expr(it) => match &it.kind {
                ExprKind::Top(_) | ExprKind::Nth(..) => Some(("the order of a pile", it.span)),
                ExprKind::Repeated => Some(("an earlier position", it.span)),
                _ => None,
            },
            Node::Stmt(it) => match &it.kind {
                StmtKind::Move(_) | StmtKind::Shuffle(_) | StmtKind::Show(..) => {
                    Some(("how things lie", it.span))
                }
                _ => None,
            },
            Node::Binds(_) => None,
        };
        found = found.or(here);
    };
    look(Node::Expr(expr));
    each_in_expr(expr, &mut look);
    found
}

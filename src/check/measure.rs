//! Measures: what is taken down of many games.

use crate::diagnostic::codes;
use crate::model::{
    Base, ClauseId, DomainKind, Expr, ExprKind, Measure, Moment, Node, StmtKind, Type, each_in_expr,
};
use crate::source::Span;
use crate::syntax::ast;

use super::scope::{Binding, Body, Me};
use super::{Checked, Checker};

impl<'a> Checker<'a> {
    pub(super) fn measure(&mut self, it: &'a ast::Measure, clause: ClauseId) -> Checked<()> {
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
        let Some(name) = self.measured_seat(it)? else {
            return self.measured(it, ty, None, clause);
        };
        // One after the other, so that what is wrong is said once.
        for seat in 0..self.game.n_seats {
            self.measured(it, ty, Some((name, seat)), clause)?;
        }
        Ok(())
    }

    /// What the seat is called that a measure is taken for.
    fn measured_seat(&mut self, it: &'a ast::Measure) -> Checked<Option<&'a ast::Name>> {
        let (first, others) = match it.params.as_slice() {
            [] => return Ok(None),
            [first, others @ ..] => (first, others),
        };
        let name = match (&first.domain, first.names.as_slice()) {
            (ast::ParamDomain::Type(written), [name]) if others.is_empty() => self
                .ty(written)
                .map(|ty| Some(name).filter(|_| ty == self.seat_type()))?,
            _ => None,
        };
        if name.is_none() {
            return Err(self.complain(
                codes::WRONG_ARGUMENTS,
                first.span,
                "a measure is taken of the whole table or for each seat",
                "write `(s: seat)`, or nothing",
            ));
        }
        Ok(name)
    }

    fn measured(
        &mut self,
        it: &'a ast::Measure,
        ty: Type,
        seat: Option<(&'a ast::Name, u32)>,
        clause: ClauseId,
    ) -> Checked<()> {
        let body = Body {
            me: Me::Nobody(match seat {
                Some(_) => "a measure names the seat that it is taken for",
                None => "a measure is taken of the whole table",
            }),
            path: it.name.text.clone(),
            clause,
            ..Body::default()
        };
        let (value, moment) = self.in_body(body, |this| {
            if let Some((name, seat)) = seat {
                let value = Expr {
                    kind: ExprKind::Value(i64::from(seat)),
                    ty: this.seat_type(),
                    span: name.span,
                };
                this.bind_as(name, Binding::Alias(value));
            }
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
        let seat = seat.map(|(_, seat)| seat);
        let name = match seat.and_then(|it| self.seat_text(it)) {
            Some(seat) => format!("{}({seat})", it.name.text),
            None => it.name.text.clone(),
        };
        let measure = Measure {
            name,
            seat,
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

    /// The name of a seat as it is written.
    fn seat_text(&self, seat: u32) -> Option<String> {
        match &self.game.domains.get(self.game.seat.index())?.kind {
            DomainKind::Enum { values, .. } => values.get(seat as usize).map(|it| it.name.clone()),
            _ => None,
        }
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

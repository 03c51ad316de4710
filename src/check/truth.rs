//! Invariants.

use crate::diagnostic::codes;
use crate::model::{Aggregate, AggregateOp, Binder, ClauseId, Expr, Invariant};
use crate::source::Span;
use crate::syntax::ast;

use super::scope::{Body, Me};
use super::{Checked, Checker, Reported};

impl<'a> Checker<'a> {
    pub(super) fn invariant(&mut self, it: &'a ast::Invariant, clause: ClauseId) -> Checked<()> {
        let body = Body {
            me: Me::Nobody("an invariant holds for everybody"),
            path: it.name.text.clone(),
            clause,
            ..Body::default()
        };
        let (cond, message) = self.in_body(body, |this| {
            let binders = this.all_values(it)?;
            let cond = this.condition(&it.condition);
            let message = it.message.as_ref().map(|it| this.template(it)).transpose();
            let (cond, message) = (cond?, message?);
            Ok((every(binders, cond, it.condition.span), message))
        })?;
        self.game.invariants.push(Invariant {
            name: it.name.text.clone(),
            cond,
            message,
            clause,
        });
        Ok(())
    }

    /// Binds the parameters of an invariant, which holds for all their values.
    fn all_values(&mut self, it: &'a ast::Invariant) -> Checked<Vec<Binder>> {
        let mut binders: Vec<Binder> = Vec::new();
        let mut failed = false;
        for param in &it.params {
            let [name] = param.names.as_slice() else {
                self.complain(
                    codes::WRONG_ARGUMENTS,
                    param.span,
                    "an invariant takes its values one by one",
                    "write two parameters, and `where x < y`",
                );
                failed = true;
                continue;
            };
            let over = match &param.domain {
                ast::ParamDomain::Type(ty) => self.whole_type(ty),
                ast::ParamDomain::Set(set) => self.over(set),
                ast::ParamDomain::Several { count, .. } => Err(self.complain(
                    codes::WRONG_ARGUMENTS,
                    count.span,
                    "an invariant takes its values one by one",
                    "write two parameters, and `where x < y`",
                )),
            };
            if it
                .params
                .iter()
                .take_while(|it| it.span != param.span)
                .any(|before| matches!(before.names.as_slice(), [other] if other.text == name.text))
            {
                let message = format!("two parameters are called `{name}`");
                self.error(codes::DUPLICATE_NAME, name.span, message);
                failed = true;
            }
            match over {
                Ok((over, element)) => binders.push(Binder::over(self.bind(name, element), over)),
                Err(Reported) => {
                    self.bind_as(name, super::scope::Binding::Failed);
                    failed = true;
                }
            }
        }
        if let Some(guard) = &it.guard {
            let cond = self.condition(guard)?;
            match binders.last_mut() {
                Some(last) => last.guard = Some(cond),
                None if failed => {}
                None => {
                    return Err(self.complain(
                        codes::WRONG_ARGUMENTS,
                        guard.span,
                        "`where` chooses among values, but this invariant has none",
                        "give it parameters, or write `not … or …`",
                    ));
                }
            }
        }
        if failed { Err(Reported) } else { Ok(binders) }
    }
}

fn every(binders: Vec<Binder>, cond: Expr, span: Span) -> Expr {
    if binders.is_empty() {
        return cond;
    }
    let aggregate = Aggregate::over(AggregateOp::Every, binders).of(cond);
    Expr::truth(aggregate, span)
}

//! Choices that seats make at the same time.

use crate::diagnostic::codes;
use crate::model::{Order, StmtKind, Together};
use crate::source::Span;
use crate::syntax::ast::{self, Among, Chooser, StatementKind};

use super::scope::Binding;
use super::{Checked, Checker, Reported};

/// What stands in the block.
const ONE_CHOICE: &str = "write one `choose` of that seat among actions and options: `together s in seat { choose s: lay }`";

impl Checker<'_> {
    /// `together s in S where C { choose s: … }`.
    #[inline(never)]
    pub(super) fn together(
        &mut self,
        binder: &ast::Binder,
        body: &ast::Block,
        span: Span,
    ) -> Checked<StmtKind> {
        self.choice_allowed(span)?;
        self.one_choice(binder, body)?;
        self.scoped(|this| {
            let seats = match this.binder(binder, false) {
                Ok(seats) => seats,
                Err(Reported) => {
                    this.bind_as(&binder.name, Binding::Failed);
                    let _ = this.block(body);
                    return Err(Reported);
                }
            };
            if this.local_type(seats.local) != this.seat_type() {
                let of = this.type_name(this.local_type(seats.local));
                let message = format!("only seats choose, and `{}` is {of}", binder.name);
                return Err(this.complain(codes::WRONG_TYPE, binder.set.span, message, ONE_CHOICE));
            }
            if !matches!(seats.order, Order::Ascending) {
                return Err(this.complain(
                    codes::MISPLACED,
                    binder.set.span,
                    "at the same time nobody is the first",
                    "write the set of the seats alone; what they chose is done in the order of the seats",
                ));
            }
            let mut choice = Vec::new();
            for statement in &body.statements {
                if let StatementKind::Choose(choose) = &statement.kind {
                    this.choose(choose, true, statement.span, &mut choice)?;
                }
            }
            Ok(StmtKind::Together(Together { seats, choice }))
        })
    }

    /// Says whether a block is one choice of the seat that is bound.
    fn one_choice(&mut self, binder: &ast::Binder, body: &ast::Block) -> Checked<()> {
        let [only] = body.statements.as_slice() else {
            let message = "what happens at the same time is one choice for each seat";
            return Err(self.complain(codes::MISPLACED, body.span, message, ONE_CHOICE));
        };
        let StatementKind::Choose(choose) = &only.kind else {
            let message = "at the same time seats only choose";
            return Err(self.complain(codes::MISPLACED, only.span, message, ONE_CHOICE));
        };
        let is_theirs = match &choose.who {
            Chooser::Seat(who) => {
                matches!(&who.kind, ast::ExprKind::Name(name) if name == binder.name.as_str())
            }
            Chooser::Chance(_) => false,
        };
        if !is_theirs {
            let message = format!("here `{}` chooses", binder.name);
            return Err(self.complain(codes::MISPLACED, only.span, message, ONE_CHOICE));
        }
        match &choose.among {
            Among::Alternatives(_) => Ok(()),
            Among::Members { .. } => Err(self.complain(
                codes::MISPLACED,
                only.span,
                "at the same time seats choose among actions and options",
                "write an action: `action lay(c in hand[me]) \"lay {c}\" { do { … } }`, and `choose s: lay`",
            )),
        }
    }
}

//! How a law puts other words in place of an expression.

use super::Shared;
use crate::model::Expr;

/// What an expression is in other words, if a law has some.
type Law<S> = fn(&mut S, &Expr) -> Option<Expr>;

impl Shared<'_> {
    /// Says an expression as a law does that looks itself whether a fault gets lost.
    pub(super) fn say(&mut self, expr: &mut Expr, law: Law<Self>) {
        if let Some(said) = law(self, expr) {
            *expr = said;
        }
    }

    /// The same of a law whose words fault nowhere where none of the parts of the expression does.
    pub(super) fn say_of_sure(&mut self, expr: &mut Expr, law: Law<Self>) {
        if let Some(said) = law(self, expr)
            && self.surely(expr)
        {
            *expr = said;
        }
    }

    /// The same of any law.
    pub(super) fn say_surely(&mut self, expr: &mut Expr, law: Law<Self>) {
        if let Some(said) = law(self, expr)
            && self.surely(expr)
            && self.surely(&said)
        {
            *expr = said;
        }
    }
}

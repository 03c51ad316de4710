//! How laws put other words in place of an expression, and in which order they are asked.

use super::Shared;
use super::against::of_refused;
use super::folds::compared_with_truth;
use super::unroll::not;
use crate::model::{Base, BinaryOp, Expr, ExprKind, UnaryOp};

/// What an expression is in other words, if a law has some.
type Law<S> = fn(&mut S, &Expr) -> Option<Expr>;

impl Shared<'_> {
    /// Says an expression whose parts have been said as all laws do, one after the other.
    pub(super) fn say_by_laws(&mut self, expr: &mut Expr) {
        if self.is_wide(expr.ty) {
            self.narrow(expr);
        }
        self.asked_in_cases(expr);
        if let Some(asked) = compared_with_truth(expr) {
            *expr = asked;
        }
        // What is not one of several is none of them.
        if let ExprKind::Unary(UnaryOp::Not, part) = &expr.kind
            && (matches!(part.kind, ExprKind::Binary(BinaryOp::Or, ..)) || Self::are_ordered(part))
        {
            *expr = not((**part).clone());
        }
        if let ExprKind::Aggregate(aggregate) = &mut expr.kind {
            of_refused(aggregate);
            self.of_rest(aggregate);
            self.ask_early(aggregate);
            self.say_there_in(aggregate);
            self.use_equal(aggregate);
        }
        self.say(expr, Self::in_a_row);
        self.say(expr, Self::asked_where);
        self.run_over_less(expr);
        self.say_surely(expr, Self::of_value_set);
        self.of_best(expr);
        self.say_surely(expr, Self::several_of);
        self.say_of_sure(expr, Self::all_but_one);
        self.say(expr, Self::all_given);
        self.say_surely(expr, Self::asked_of_one);
        self.say_surely(expr, Self::as_many);
        self.say_surely(expr, Self::asked_within);
        self.say_surely(expr, Self::asked_of_end);
        self.say_there(expr);
        self.fold_less(expr);
        self.say(expr, Self::first_that_does);
        self.say(expr, Self::by_kinds);
        self.say_of_sure(expr, Self::steps_as_walk);
        self.say_of_sure(expr, Self::distance_as_walk);
        self.say_surely(expr, Self::by_few);
        self.say(expr, Self::stops);
        self.rays_apart(expr);
        self.say_surely(expr, Self::groups_as_members);
        self.say_surely(expr, Self::groups_asked);
        self.use_equal_reached(expr);
        self.reach_alike(expr);
        self.say_of_sure(expr, Self::length_as_walk);
        self.say_of_sure(expr, Self::reach_of_all);
        self.say(expr, Self::only_in_reach);
        self.say(expr, Self::row_as_walks);
        self.asked_of_places(expr);
        self.write_out(expr);
        self.say(expr, Self::all_listed);
        self.say(expr, Self::row_as_walks);
        self.say(expr, |it, expr| it.greatest_of_few(expr, false));
    }

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

    /// Whether only values are compared that stand in an order.
    fn are_ordered(cond: &Expr) -> bool {
        let ExprKind::Binary(op, left, right) = &cond.kind else {
            return false;
        };
        [left, right].iter().all(|it| match it.ty.base {
            _ if matches!(op, BinaryOp::And | BinaryOp::Or) => Self::are_ordered(it),
            Base::Int(..) => true,
            Base::Elem(_) => !it.ty.optional,
            _ => false,
        })
    }
}

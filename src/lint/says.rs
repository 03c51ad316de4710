//! What conditions say, as far as their words tell: which follow from others, and which never hold together.
//!
//! Nothing is claimed that does not hold for every value. What is missing (`none`) is greater and less than nothing, so
//! that a comparison with a number may stop the rules with a fault; where it does, nothing is claimed either.

use std::collections::BTreeSet;

use super::Context;
use super::terms::number;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, ItemKind, UnaryOp};

/// A condition with `not` worked in.
pub(super) enum Says<'a> {
    /// All of these; `true` if there are none.
    All(Vec<Says<'a>>),
    /// One of these at least; `false` if there are none.
    Any(Vec<Says<'a>>),
    /// A value is one of these.
    Is(About<'a>, Among<'a>),
}

/// What is asked about; the kinds, since parentheses and places say nothing.
#[derive(PartialEq)]
pub(super) enum About<'a> {
    /// A value.
    Value(&'a ExprKind),
    /// How many there are of something.
    Count(&'a ExprKind),
    /// How two values lie to each other.
    Two(&'a ExprKind, &'a ExprKind),
    /// Whether the first is in the second.
    Member(&'a ExprKind, &'a ExprKind),
}

/// What a value may be.
pub(super) enum Among<'a> {
    /// In one of these ranges, ascending and apart.
    Ranges(Vec<(i64, i64)>),
    /// One of these values of a list, or none of them.
    Names(BTreeSet<&'a str>, bool),
    /// Less, equal, greater: one of these three.
    Orders([bool; 3]),
    /// True or false.
    Truth(bool),
}

impl<'a> Context<'a> {
    /// Returns what a condition says, or its opposite.
    pub(super) fn says(&self, expr: &'a Expr, holds: bool) -> Says<'a> {
        match &expr.kind {
            ExprKind::Bool(truth) if *truth == holds => Says::All(Vec::new()),
            ExprKind::Bool(_) => Says::Any(Vec::new()),
            ExprKind::Unary { op, operand, .. } => match op {
                UnaryOp::Not => self.says(operand, !holds),
                UnaryOp::Filled | UnaryOp::Some => counted(operand, holds),
                UnaryOp::Empty | UnaryOp::No => counted(operand, !holds),
                _ => truth(expr, holds),
            },
            ExprKind::Binary {
                op, left, right, ..
            } => match op {
                BinaryOp::And | BinaryOp::Or => {
                    let both = vec![self.says(left, holds), self.says(right, holds)];
                    if (*op == BinaryOp::And) == holds {
                        Says::All(both)
                    } else {
                        Says::Any(both)
                    }
                }
                _ => self
                    .compared(*op, left, right, holds)
                    .unwrap_or_else(|| truth(expr, holds)),
            },
            _ => truth(expr, holds),
        }
    }

    fn compared(
        &self,
        op: BinaryOp,
        left: &'a Expr,
        right: &'a Expr,
        holds: bool,
    ) -> Option<Says<'a>> {
        if matches!(op, BinaryOp::In | BinaryOp::NotIn) {
            let holds = holds == (op == BinaryOp::In);
            let (about, among) = match self.listed(right) {
                Some(among) => (About::Value(&left.kind), among),
                None => (About::Member(&left.kind, &right.kind), Among::Truth(true)),
            };
            return Some(Says::Is(
                about,
                if holds { among } else { among.opposite() },
            ));
        }
        let orders = match op {
            BinaryOp::Equal => [false, true, false],
            BinaryOp::NotEqual => [true, false, true],
            BinaryOp::Less => [true, false, false],
            BinaryOp::LessOrEqual => [true, true, false],
            BinaryOp::Greater => [false, false, true],
            BinaryOp::GreaterOrEqual => [false, true, true],
            _ => return None,
        };
        let (value, orders, other) = if self.known(left).is_some() {
            let [less, equal, greater] = orders;
            (right, [greater, equal, less], left)
        } else {
            (left, orders, right)
        };
        let (about, among) = match self.known(other) {
            Some(Known::Number(number)) => (about(value), Among::ranges(orders, number)),
            Some(Known::Name(name)) if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) => {
                let only = BTreeSet::from([name]);
                (
                    About::Value(&value.kind),
                    Among::Names(only, orders == [false, true, false]),
                )
            }
            _ => (About::Two(&value.kind, &other.kind), Among::Orders(orders)),
        };
        let is_equal =
            (op == BinaryOp::Equal) == holds && matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let among = if holds { among } else { among.opposite() };
        let said = Says::Is(about, among);
        // What is equal to a component that is written there lies there.
        let lies = is_equal && self.is_place(value) && matches!(other.kind, ExprKind::Call(_));
        Some(match lies {
            true => Says::All(vec![said, counted(value, true)]),
            false => said,
        })
    }

    /// Whether an expression is a place of a zone.
    fn is_place(&self, expr: &Expr) -> bool {
        let ExprKind::Index { base, .. } = &expr.kind else {
            return false;
        };
        let ExprKind::Name(name) = &base.kind else {
            return false;
        };
        let declared = self.index.declared(name.as_str());
        declared.is_some_and(|it| matches!(it.kind, ItemKind::Zone(_)))
    }

    /// Returns what the members of a set are, if all of them are written there.
    fn listed(&self, set: &'a Expr) -> Option<Among<'a>> {
        match &set.kind {
            ExprKind::Range { from, to } => Some(Among::Ranges(vec![(number(from)?, number(to)?)]))
                .filter(|it| match it {
                    Among::Ranges(only) => only.iter().all(|(from, to)| from <= to),
                    _ => false,
                }),
            ExprKind::Set(members) if !members.is_empty() => {
                let known: Option<Vec<Known<'a>>> =
                    members.iter().map(|it| self.known(it)).collect();
                let mut names = BTreeSet::new();
                let mut ranges = Vec::new();
                for member in known? {
                    match member {
                        Known::Name(name) => _ = names.insert(name),
                        Known::Number(number) => ranges.push((number, number)),
                    }
                }
                if names.is_empty() {
                    ranges.sort_unstable();
                    ranges.dedup();
                    Some(Among::Ranges(ranges))
                } else {
                    ranges.is_empty().then_some(Among::Names(names, true))
                }
            }
            _ => None,
        }
    }

    /// Returns what an expression is in every position, if that is written there.
    fn known(&self, expr: &'a Expr) -> Option<Known<'a>> {
        if let Some(number) = number(expr) {
            return Some(Known::Number(number));
        }
        match &expr.kind {
            ExprKind::None => Some(Known::Name("none")),
            ExprKind::Name(name) if self.index.is_value(name) => Some(Known::Name(name.as_str())),
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
enum Known<'a> {
    Number(i64),
    /// A value of an enum, a seat, or `none`.
    Name(&'a str),
}

fn truth(expr: &Expr, holds: bool) -> Says<'_> {
    Says::Is(About::Value(&expr.kind), Among::Truth(holds))
}

/// Whether there is anything.
fn counted(operand: &Expr, holds: bool) -> Says<'_> {
    let range = if holds { (1, i64::MAX) } else { (0, 0) };
    Says::Is(About::Count(&operand.kind), Among::Ranges(vec![range]))
}

/// What is compared with a number.
fn about(value: &Expr) -> About<'_> {
    match &value.kind {
        ExprKind::Unary {
            op: UnaryOp::Count,
            operand,
            ..
        } => About::Count(&operand.kind),
        kind => About::Value(kind),
    }
}

impl Says<'_> {
    /// Whether it is `true` or `false`, and no more.
    pub(super) fn is_settled(&self) -> bool {
        matches!(self, Says::All(none) | Says::Any(none) if none.is_empty())
    }
}

impl Among<'_> {
    fn ranges([less, equal, greater]: [bool; 3], number: i64) -> Self {
        let mut ranges = Vec::new();
        let each = [
            (less, i64::MIN, number - 1),
            (equal, number, number),
            (greater, number + 1, i64::MAX),
        ];
        for (_, from, to) in each.into_iter().filter(|(is_among, ..)| *is_among) {
            match ranges.last_mut() {
                Some((_, end)) if *end + 1 == from => *end = to,
                _ => ranges.push((from, to)),
            }
        }
        Among::Ranges(ranges)
    }

    fn opposite(self) -> Self {
        match self {
            Among::Ranges(ranges) => {
                let mut others = Vec::new();
                let mut free = Some(i64::MIN);
                for (from, to) in ranges {
                    if let Some(start) = free.filter(|it| *it < from) {
                        others.push((start, from - 1));
                    }
                    free = to.checked_add(1);
                }
                others.extend(free.map(|it| (it, i64::MAX)));
                Among::Ranges(others)
            }
            Among::Names(names, these) => Among::Names(names, !these),
            Among::Orders(orders) => Among::Orders(orders.map(|it| !it)),
            Among::Truth(truth) => Among::Truth(!truth),
        }
    }

    /// Whether all that this allows is allowed by the other one as well.
    fn within(&self, other: &Self, least: i64) -> bool {
        match (self, other) {
            (Among::Ranges(own), Among::Ranges(others)) => own.iter().all(|(from, to)| {
                let from = (*from).max(least);
                from > *to || others.iter().any(|(low, high)| *low <= from && to <= high)
            }),
            (Among::Names(own, true), Among::Names(others, true)) => own.is_subset(others),
            (Among::Names(own, true), Among::Names(others, false)) => own.is_disjoint(others),
            (Among::Names(own, false), Among::Names(others, false)) => others.is_subset(own),
            (Among::Orders(own), Among::Orders(others)) => {
                own.iter().zip(others).all(|(one, other)| !one || *other)
            }
            (Among::Truth(one), Among::Truth(other)) => one == other,
            _ => false,
        }
    }
}

/// Returns whether the second holds wherever the first does.
pub(super) fn implies(strong: &Says<'_>, weak: &Says<'_>) -> bool {
    match (strong, weak) {
        (_, Says::All(weak)) => weak.iter().all(|it| implies(strong, it)),
        (Says::Any(strong), _) => strong.iter().all(|it| implies(it, weak)),
        (_, Says::Any(weak)) => weak.iter().any(|it| implies(strong, it)),
        (Says::All(strong), _) => strong.iter().any(|it| implies(it, weak)),
        (Says::Is(about, own), Says::Is(other_about, others)) => {
            // A count is no less than nothing.
            let least = match about {
                About::Count(_) => 0,
                _ => i64::MIN,
            };
            if about == other_about {
                return own.within(others, least);
            }
            match (about, other_about, others) {
                (About::Two(a, b), About::Two(c, d), Among::Orders([less, equal, greater])) => {
                    a == d && b == c && own.within(&Among::Orders([*greater, *equal, *less]), least)
                }
                _ => false,
            }
        }
    }
}

//! What is written in the rules, in words where there are any; and what the readings of a table decide of it.

use super::teller::Teller;
use super::{Bit, Line, text};
use crate::format::one_line;
use crate::model::text::spelt;
use crate::model::{Base, Setting};
use crate::play::setting_value;
use crate::source::Span;
use crate::syntax::ast::{
    AssignOp, BinaryOp, Binder, Exchanged, Expr, ExprKind, ItemKind, Moved, Name, Param,
    ParamDomain, Statement, StatementKind, TypeKind, UnaryOp,
};

/// Definitions are looked into no deeper than this.
const DEEPEST: u8 = 8;

impl Teller<'_> {
    /// A piece of the rulebook as it is written.
    pub(super) fn slice(&self, span: Span) -> Bit {
        Bit::Code(on_one_line(self.sources.slice(span)))
    }

    /// An expression in words; as it is written where there are none for it.
    pub(super) fn worded(&self, it: &Expr) -> Line {
        self.in_words(it).unwrap_or_else(|| vec![code(it)])
    }

    /// What runs through what, in words.
    pub(super) fn binder_worded(&self, it: &Binder) -> Line {
        let mut line = vec![word(&it.name), text(" in ")];
        line.extend(self.worded(&it.set));
        if let Some(condition) = &it.condition {
            line.push(text(" where "));
            line.extend(self.worded(condition));
        }
        line
    }

    /// What may be chosen for a parameter, in words.
    pub(super) fn param(&self, it: &Param) -> Line {
        let names = it.names.iter().enumerate();
        let mut line: Line = names
            .flat_map(|(at, name)| [(at > 0).then(|| text(", ")), Some(word(name))])
            .flatten()
            .collect();
        line.push(text(" in "));
        match &it.domain {
            ParamDomain::Type(of) => match &of.kind {
                TypeKind::Named(of) => line.push(word(of)),
                TypeKind::Range(from, to) => {
                    line.extend(self.worded(from));
                    line.push(text(" to "));
                    line.extend(self.worded(to));
                }
                _ => return vec![self.slice(it.span)],
            },
            ParamDomain::Set(set) => line.extend(self.worded(set)),
            ParamDomain::Several { count, set } => {
                line.extend(self.worded(count));
                line.push(text(" of "));
                line.extend(self.worded(set));
            }
        }
        line
    }

    /// The names of parameters in parentheses.
    pub(super) fn formals(&self, params: &[Param]) -> Line {
        let names: Vec<&Name> = params.iter().flat_map(|it| &it.names).collect();
        let mut line = Line::new();
        for (at, name) in names.iter().enumerate() {
            line.push(text(if at == 0 { " (" } else { ", " }));
            line.push(word(name));
        }
        line.extend((!names.is_empty()).then(|| text(")")));
        line
    }

    /// How many of what, in words.
    fn amount(&self, amount: Option<&Expr>, what: Line) -> Line {
        match amount {
            Some(amount) => [self.worded(amount), vec![text(" of ")], what].concat(),
            None => what,
        }
    }

    /// What moves, in words.
    fn moved(&self, what: &Moved) -> Line {
        let from = |from: &Expr| [vec![text(" from ")], self.worded(from)].concat();
        match what {
            Moved::Place(place) => self.worded(place),
            Moved::All(zone) => [vec![text("all of ")], self.worded(zone)].concat(),
            Moved::Each {
                what,
                from: place,
                condition,
            } => {
                let mut line = [vec![text("all of ")], self.worded(what)].concat();
                line.extend(place.iter().flat_map(from));
                if let Some(condition) = condition {
                    line.push(text(" where "));
                    line.extend(self.worded(condition));
                }
                line
            }
            Moved::Top { end, amount, zone } => {
                let end = match end {
                    Some(_) => "the bottom",
                    None => "the top",
                };
                let mut line = vec![text(end)];
                if let Some(amount) = amount {
                    line.push(text(" "));
                    line.extend(self.worded(amount));
                }
                [line, vec![text(" of ")], self.worded(zone)].concat()
            }
            Moved::Copies {
                amount,
                component,
                from: place,
            } => {
                let what = self.amount(amount.as_ref(), self.worded(component));
                [what, from(place)].concat()
            }
        }
    }

    /// One side of an exchange, in words.
    fn exchanged(&self, side: &Exchanged) -> Line {
        match side {
            Exchanged::Place(place) => self.worded(place),
            Exchanged::All(zone) => [vec![text("all of ")], self.worded(zone)].concat(),
            Exchanged::Copy { component, from } => [
                self.worded(component),
                vec![text(" from ")],
                self.worded(from),
            ]
            .concat(),
        }
    }

    /// A statement in words; as it is written where there are none for it.
    pub(super) fn statement_worded(&self, it: &Statement) -> Line {
        let written = vec![Bit::Code(one_line(it))];
        let (first, between, last) = match &it.kind {
            StatementKind::Let { name, value } => {
                (vec![word(name)], " stands for ", self.worded(value))
            }
            StatementKind::Draw { amount, from, to } => {
                let mut what = vec![text("draw ")];
                match amount {
                    Some(amount) => what.extend(self.worded(amount)),
                    None => what.push(text("one")),
                }
                what.push(text(" from "));
                what.extend(self.worded(from));
                (what, " to ", self.worded(to))
            }
            StatementKind::Exchange { left, right } => (
                self.exchanged(left),
                " is exchanged with ",
                self.exchanged(right),
            ),
            StatementKind::Shuffle { zone } => (self.worded(zone), " is shuffled", Line::new()),
            StatementKind::Clear { place: None } => {
                return vec![text("Everything goes back to where it began")];
            }
            StatementKind::Clear { place: Some(place) } => {
                let what = [vec![text("all of ")], self.worded(place)].concat();
                (what, " goes back to where it began", Line::new())
            }
            StatementKind::Winner(seats) => match seats.kind {
                ExprKind::None => return vec![text("Nobody wins")],
                _ => (vec![text("It is won by ")], "", self.worded(seats)),
            },
            StatementKind::Assign {
                target, op, value, ..
            } => {
                let becomes = match op {
                    AssignOp::Set => " becomes ",
                    AssignOp::Increase => " grows by ",
                    AssignOp::Decrease => " falls by ",
                };
                (self.worded(target), becomes, self.worded(value))
            }
            StatementKind::Move(it) if it.with.is_empty() => {
                (self.moved(&it.what), " goes to ", self.worded(&it.to))
            }
            StatementKind::Ranking { by, .. } => {
                let mut line = vec![text("Places go by ")];
                for (at, figure) in by.iter().enumerate() {
                    line.extend((at > 0).then(|| text(", then by ")));
                    line.extend(self.worded(match &figure.kind {
                        ExprKind::Index { base, indices } if indices.iter().all(is_it) => base,
                        _ => figure,
                    }));
                }
                let is_least = |it: &Expr| matches!(&it.kind, ExprKind::Unary { op, .. } if *op == UnaryOp::Least);
                line.push(text(match by.iter().any(is_least) {
                    true => "",
                    false => ", the most first",
                }));
                return line;
            }
            _ => return written,
        };
        [first, vec![text(between)], last].concat()
    }

    /// Whether a condition holds at this table whatever happens; none where it depends.
    pub(super) fn decided(&self, it: &Expr) -> Option<bool> {
        self.decided_in(it, 0)
    }

    fn decided_in(&self, it: &Expr, depth: u8) -> Option<bool> {
        match &it.kind {
            ExprKind::Bool(truth) => Some(*truth),
            ExprKind::Name(name) => match self.setting(name) {
                Some(it) if it.ty.base == Base::Bool => Some(it.value != 0),
                Some(_) => None,
                None => match self.items.get(name.as_str()).map(|it| &it.kind) {
                    Some(ItemKind::Define(it)) if it.params.is_empty() && depth < DEEPEST => {
                        self.decided_in(&it.value, depth + 1)
                    }
                    _ => None,
                },
            },
            ExprKind::Unary { op, operand, .. } if *op == UnaryOp::Not => {
                self.decided_in(operand, depth).map(|it| !it)
            }
            ExprKind::Binary {
                op, left, right, ..
            } => {
                let sides = [left, right];
                match op {
                    BinaryOp::And | BinaryOp::Or => {
                        let ends = *op == BinaryOp::Or;
                        let [one, other] = sides.map(|it| self.decided_in(it, depth));
                        match (one, other) {
                            (Some(it), _) | (_, Some(it)) if it == ends => Some(ends),
                            (Some(_), Some(_)) => Some(!ends),
                            _ => None,
                        }
                    }
                    BinaryOp::Equal => self.is_chosen(left, right),
                    BinaryOp::NotEqual => self.is_chosen(left, right).map(|it| !it),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a setting is what stands on the other side; none where neither side is a setting.
    fn is_chosen(&self, left: &Expr, right: &Expr) -> Option<bool> {
        let setting = |it: &Expr| match &it.kind {
            ExprKind::Name(name) => self.setting(name),
            _ => None,
        };
        let (it, other) = match (setting(left), setting(right)) {
            (Some(it), None) => (it, right),
            (None, Some(it)) => (it, left),
            _ => return None,
        };
        match &other.kind {
            ExprKind::Number(number) if matches!(it.ty.base, Base::Int(..)) => {
                Some(it.value == i64::from(*number))
            }
            ExprKind::Bool(truth) if it.ty.base == Base::Bool => Some((it.value != 0) == *truth),
            ExprKind::Name(name) if it.question => {
                let all = 0..i64::try_from(it.readings.len()).unwrap_or(0);
                let mut all = all.map(|value| (value, setting_value(self.game, it, value)));
                let (meant, _) = all.find(|(_, word)| word == name.as_str())?;
                Some(it.value == meant)
            }
            _ => None,
        }
    }

    /// The reading of a question that is asked for by name, as `by` names its cases.
    pub(super) fn reading_of(&self, it: &Expr) -> Option<String> {
        let ExprKind::Name(name) = &it.kind else {
            return None;
        };
        let setting = self.setting(name).filter(|it| it.question)?;
        Some(setting_value(self.game, setting, setting.value))
    }

    fn setting(&self, name: &Name) -> Option<&Setting> {
        let mut all = self.game.settings.iter();
        all.find(|it| it.name == name.as_str())
    }

    /// What is said in words; none where a part has none.
    fn in_words(&self, it: &Expr) -> Option<Line> {
        let joined = |before: Line, first: &str, between: &str, parts: Vec<&Expr>| {
            let mut line = before;
            for (at, part) in parts.into_iter().enumerate() {
                line.push(text(if at == 0 { first } else { between }));
                line.extend(self.in_words(part)?);
            }
            Some(line)
        };
        match &it.kind {
            ExprKind::Number(number) => Some(vec![text(number.to_string())]),
            ExprKind::None => Some(vec![text("nothing")]),
            ExprKind::Bool(truth) => Some(vec![text(truth.to_string())]),
            ExprKind::Name(name) => match self.setting(name).filter(|it| !it.question) {
                Some(it) => Some(vec![text(setting_value(self.game, it, it.value))]),
                None => Some(vec![word(name)]),
            },
            ExprKind::Field { base, field } => {
                joined(vec![word(field)], " of ", " and ", vec![base])
            }
            ExprKind::Index { base, indices } => joined(
                self.in_words(base)?,
                " of ",
                " and ",
                indices.iter().collect(),
            ),
            ExprKind::Call(call) => {
                let args = call.args.iter().map(|it| &it.value).collect();
                let mut line = joined(vec![word(&call.name)], " (", ", ", args)?;
                line.push(text(if call.args.is_empty() { "" } else { ")" }));
                Some(line)
            }
            ExprKind::Range { from, to } => {
                Some([self.in_words(from)?, vec![text(" to ")], self.in_words(to)?].concat())
            }
            ExprKind::Unary { op, operand, .. } => {
                let of = self.in_words(operand);
                let around = |before: &str, behind: &str| {
                    Some([vec![text(before)], of.clone()?, vec![text(behind)]].concat())
                };
                match op {
                    UnaryOp::Count => around("the number of ", ""),
                    UnaryOp::Empty => around("nothing is in ", ""),
                    UnaryOp::Filled => around("something is in ", ""),
                    UnaryOp::Not => match &operand.kind {
                        ExprKind::Name(_) | ExprKind::Call(_) | ExprKind::Index { .. } => {
                            around("not ", "")
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            ExprKind::Binary {
                op, left, right, ..
            } => {
                let between = match op {
                    BinaryOp::And => " and ",
                    BinaryOp::Or => " or ",
                    BinaryOp::Equal => " is ",
                    BinaryOp::NotEqual => " is not ",
                    BinaryOp::Less => " is less than ",
                    BinaryOp::LessOrEqual => " is at most ",
                    BinaryOp::Greater => " is more than ",
                    BinaryOp::GreaterOrEqual => " is at least ",
                    BinaryOp::Plus => " + ",
                    BinaryOp::Minus => " - ",
                    _ => return None,
                };
                // What needs parentheses has no words.
                let is_closed = |it: &Expr| !it.parenthesised;
                if !is_closed(left) || !is_closed(right) {
                    return None;
                }
                let is_mixed = |it: &Expr| {
                    let ExprKind::Binary { op: inner, .. } = &it.kind else {
                        return false;
                    };
                    let joins = |it: BinaryOp| matches!(it, BinaryOp::And | BinaryOp::Or);
                    joins(*op) && joins(*inner) && inner != op
                };
                if is_mixed(left) || is_mixed(right) {
                    return None;
                }
                Some(
                    [
                        self.in_words(left)?,
                        vec![text(between)],
                        self.in_words(right)?,
                    ]
                    .concat(),
                )
            }
            _ => None,
        }
    }
}

/// A piece of a rulebook without its comments.
pub(super) fn on_one_line(source: &str) -> String {
    let lines = source.lines().map(|line| {
        // A quote cannot be within quotes but behind a backslash, and then there is another one.
        let is_outside = |at: &usize| line[..*at].matches('"').count() % 2 == 0;
        let comment = line.match_indices("//").map(|(at, _)| at).find(is_outside);
        &line[..comment.unwrap_or(line.len())]
    });
    lines
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A piece of the rules as they are now, as it is written.
pub(super) fn code(it: &Expr) -> Bit {
    Bit::Code(one_line(it))
}

fn word(name: &Name) -> Bit {
    Bit::Word(spelt(name.as_str()))
}

fn is_it(it: &Expr) -> bool {
    matches!(&it.kind, ExprKind::Name(name) if name.as_str() == "it")
}

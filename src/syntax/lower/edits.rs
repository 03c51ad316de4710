//! What amendments change.

use std::sync::Arc;

use super::{Lower, Lowered, Pair, Parts};
use crate::source::Span;
use crate::syntax::ast::{
    Add, Condition, Edit, Expr, ExprKind, ExtendOp, Guard, Item, Name, Relation, RelationKind,
    Replace, Resolve, UnitRef,
};
use crate::syntax::parse::Rule;

impl Lower<'_> {
    pub(super) fn edit(&mut self, rule: Rule, parts: &mut Parts<'_>) -> Lowered<Edit> {
        Ok(match rule {
            Rule::set_edit => Edit::Set {
                path: self.path_in(parts)?,
                value: match parts.opt(Rule::answer_no) {
                    Some(no) => self.answer_no(&no),
                    None => self.expr_in(parts)?,
                },
            },
            Rule::forbid => Edit::Forbid(self.guard(parts)?),
            Rule::permit => Edit::Permit(self.guard(parts)?),
            Rule::except => {
                let word = Span {
                    end: parts.span.start + 6,
                    ..parts.span
                };
                let edits = vec![(word, "permit".to_owned())];
                self.older(word, "`except`", edits, "write `permit` in its place");
                Edit::Except(self.guard(parts)?)
            }
            Rule::replace => Edit::Replace(self.replace(parts)?),
            Rule::remove => Edit::Remove {
                path: self.path_in(parts)?,
            },
            Rule::insert => Edit::Insert {
                side: self.side_in(parts)?,
                path: self.path_in(parts)?,
                body: self.block_in(parts)?,
            },
            Rule::extend => Edit::Extend {
                path: self.path_in(parts)?,
                formals: self.formals(parts)?,
                op: match self.need(parts, Rule::extend_op)?.as_str() {
                    "and" => ExtendOp::And,
                    "or" => ExtendOp::Or,
                    _ => ExtendOp::Plus,
                },
                value: self.expr_in(parts)?,
            },
            Rule::add => Edit::Add(self.add(parts)?),
            _ => return self.disagree(parts.span),
        })
    }

    fn guard(&mut self, parts: &mut Parts<'_>) -> Lowered<Guard> {
        let target = self.path_in(parts)?;
        let formals = self.formals(parts)?;
        let label = self.name_in(parts)?;
        let condition = match parts.peek() {
            Some(Rule::expr) => self.expr_in(parts)?,
            _ => Expr {
                kind: ExprKind::Bool(true),
                parenthesised: false,
                span: label.span,
            },
        };
        Ok(Guard {
            target,
            formals,
            label,
            condition,
            because: self.opt_template_behind(parts, Rule::because)?,
        })
    }

    pub(super) fn formals(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Name>> {
        match parts.opt(Rule::formals) {
            Some(pair) => {
                let mut formals = self.open(pair);
                let names = formals.all(Rule::ident);
                Ok(names.iter().map(|pair| self.name(pair)).collect())
            }
            None => Ok(Vec::new()),
        }
    }

    fn replace(&mut self, parts: &mut Parts<'_>) -> Lowered<Replace> {
        if let Some(pair) = parts.opt(Rule::replacement) {
            return Ok(Replace::Item(Box::new(self.item(pair)?)));
        }
        let path = self.path_in(parts)?;
        if let Some(body) = self.opt_block_in(parts)? {
            return Ok(Replace::Body { path, body });
        }
        Ok(Replace::Value {
            path,
            value: self.wrapped(parts, Rule::value)?,
            message: self.opt_template_behind(parts, Rule::message)?,
        })
    }

    fn add(&mut self, parts: &mut Parts<'_>) -> Lowered<Add> {
        let pair = self.some(parts.any(), parts.span)?;
        let rule = pair.as_rule();
        let mut inner = self.open(pair);
        let to = self.path_in(&mut inner)?;
        let add = match rule {
            Rule::add_values => Add::Values {
                to,
                values: self.enum_values(&mut inner)?,
            },
            Rule::add_fields => Add::Fields {
                to,
                fields: self.fields(&mut inner)?,
            },
            Rule::add_rows => Add::Rows {
                to,
                rows: self.rows(&mut inner)?,
            },
            Rule::add_cases => Add::Cases {
                to,
                done: self.each_of(&mut inner, Rule::case, Self::case)?,
                values: self.each_of(&mut inner, Rule::arm, Self::arm)?,
            },
            Rule::add_readings => {
                let readings = self.need(&mut inner, Rule::readings)?;
                let readings = self.readings(readings)?;
                Add::Readings { to, readings }
            }
            _ => match inner.opt(Rule::alternatives) {
                Some(pair) => Add::Alternatives {
                    to,
                    alternatives: self.alternatives(pair)?,
                },
                None => Add::Slots {
                    to,
                    slots: self.slots(&mut inner)?,
                },
            },
        };
        parts.tail.append(&mut inner.tail);
        self.done(&inner)?;
        Ok(add)
    }

    pub(super) fn relation(&mut self, parts: &mut Parts<'_>) -> Lowered<Relation> {
        Ok(Relation {
            kind: match self.need(parts, Rule::relation_kind)?.as_str() {
                "needs" => RelationKind::Needs,
                _ => RelationKind::Excludes,
            },
            unit: self.unit_in(parts)?,
            reason: self.opt_text_in(parts)?,
        })
    }

    pub(super) fn resolve(&mut self, parts: &mut Parts<'_>) -> Lowered<Resolve> {
        let mut units = Vec::new();
        while parts.peek() == Some(Rule::unit) {
            units.push(self.unit_in(parts)?);
        }
        let items = self.items(parts)?;
        Ok(Resolve { units, items })
    }

    pub(super) fn unit_in(&mut self, parts: &mut Parts<'_>) -> Lowered<UnitRef> {
        let mut unit = self.open_in(parts, Rule::unit)?;
        let name = self.name_in(&mut unit)?;
        let reading = unit.opt(Rule::reading_name);
        let reading = reading.map(|pair| self.name(&pair));
        Ok(UnitRef { name, reading })
    }

    /// Reads the edits of a reading or of an option, if it has any.
    pub(super) fn edits(&mut self, parts: &mut Parts<'_>) -> Lowered<Option<Vec<Arc<Item>>>> {
        match parts.opt(Rule::edits) {
            Some(pair) => {
                let mut inner = self.open(pair);
                self.items(&mut inner).map(Some)
            }
            None => Ok(None),
        }
    }

    fn each_of<T>(
        &mut self,
        parts: &mut Parts<'_>,
        rule: Rule,
        read: impl Fn(&mut Self, Pair<'_>) -> Lowered<T>,
    ) -> Lowered<Vec<T>> {
        let pairs = parts.all(rule).into_iter();
        pairs.map(|pair| read(self, pair)).collect()
    }

    fn items(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Arc<Item>>> {
        let mut items = Vec::new();
        for pair in parts.all(Rule::item) {
            let span = self.span(&pair);
            items.push(Arc::new(self.deeper(1, span, |lower| lower.item(pair))?));
        }
        Ok(items)
    }

    pub(super) fn formerly(&mut self, parts: &mut Parts<'_>) -> Vec<Name> {
        let Some(pair) = parts.opt(Rule::formerly) else {
            return Vec::new();
        };
        let names = self.open(pair).all(Rule::reading_name);
        names.iter().map(|pair| self.name(pair)).collect()
    }

    pub(super) fn asked(&mut self, parts: &mut Parts<'_>) -> Lowered<Vec<Condition>> {
        let Some(pair) = parts.opt(Rule::asked) else {
            return Ok(Vec::new());
        };
        let mut conditions = Vec::new();
        for pair in self.open(pair).all(Rule::asked_one) {
            let mut parts = self.open(pair);
            let question = self.name_in(&mut parts)?;
            let readings = parts.all(Rule::reading_name);
            conditions.push(Condition {
                question,
                readings: readings.iter().map(|pair| self.name(pair)).collect(),
                span: parts.span,
            });
        }
        Ok(conditions)
    }
}

//! Finds where rules ask a question in the middle of a clause.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::asked::{Asked, Case, Free, Home, Question, Refusal, Spot, is_value, params};
use crate::source::Span;
use crate::syntax::ast::{
    self, Add, Among, ArmHead, BinaryOp, Binds, Block, Edit, Expr, ExprKind, File, Item, ItemKind,
    Name, Replace, Role, SettingValues, Statement, StatementKind, Tree, Use, Visitor,
};

/// What was found.
#[derive(Default)]
pub(super) struct Found<'t> {
    pub asked: Vec<Asked<'t>>,
    /// Questions that are asked in no way that could be told apart.
    pub strays: Vec<(Span, &'t str)>,
}

pub(super) fn find<'t>(
    trees: &'t [File],
    questions: &BTreeMap<&'t str, Question<'t>>,
) -> Found<'t> {
    let mut found = Found::default();
    for (tree, file) in trees.iter().enumerate() {
        for item in &file.items {
            let mut finder = Finder {
                trees,
                questions,
                home: Home {
                    tree,
                    units: Vec::new(),
                    chosen: Vec::new(),
                    item,
                },
                spots: Vec::new(),
                prefix: String::new(),
                scope: Vec::new(),
                marks: Vec::new(),
                open: Vec::new(),
                found: &mut found,
            };
            finder.item(item, Role::Plain);
        }
    }
    found
}

struct Finder<'t, 'f> {
    trees: &'t [File],
    questions: &'f BTreeMap<&'t str, Question<'t>>,
    home: Home<'t>,
    spots: Vec<Spot<'t>>,
    /// The address that steps hang on.
    prefix: String,
    scope: Vec<(&'t str, Option<Span>)>,
    marks: Vec<usize>,
    /// Those around, with the number of names known where they begin, and the case.
    open: Vec<(usize, usize, usize)>,
    found: &'f mut Found<'t>,
}

impl<'t> Finder<'t, '_> {
    fn question(&self, expr: &'t Expr) -> Option<&'t str> {
        let ExprKind::Name(name) = &expr.kind else {
            return None;
        };
        let is_local = self.scope.iter().any(|(it, _)| *it == name.as_str());
        let question = self.questions.get(name.as_str())?;
        (!is_local).then_some(question.name)
    }

    fn reading(&self, question: &str, name: &str) -> Option<usize> {
        let mut readings = self.questions.get(question)?.readings.iter();
        readings.position(|it| it.name.text == name)
    }

    fn asked(&mut self, question: &'t str, span: Span, cases: Vec<(Vec<usize>, Case<'t>)>) {
        let at = self.found.asked.len();
        let is_done = cases.iter().any(|it| matches!(it.1, Case::Body(_)));
        self.found.asked.push(Asked {
            question,
            span,
            cases: cases.clone(),
            inside: self.open.last().map(|(at, _, case)| (*at, *case)),
            free: Vec::new(),
            special: false,
            bound_to_place: false,
            chooses: false,
            is_done,
            spots: self.spots.clone(),
            home: self.home.clone(),
        });
        let known = self.scope.len();
        for (number, (_, case)) in cases.into_iter().enumerate() {
            self.open.push((at, known, number));
            match case {
                Case::Value(value) => value.walk(self, Role::Plain),
                Case::Body(body) => body.walk(self, Role::Plain),
                Case::Truth(_) => {}
            }
            self.open.pop();
        }
    }

    /// Returns for which readings each arm holds.
    fn cases<T>(
        &self,
        question: &str,
        arms: &'t [ast::Arm<T>],
        case: impl Fn(&'t T) -> Case<'t>,
    ) -> Vec<(Vec<usize>, Case<'t>)> {
        let n_readings = self
            .questions
            .get(question)
            .map_or(0, |it| it.readings.len());
        let named = arms.iter().filter_map(|it| match &it.head {
            ArmHead::Names(names) => Some(names),
            ArmHead::Numbers(_) | ArmHead::Else => None,
        });
        let named: Vec<usize> = named
            .flatten()
            .filter_map(|it| self.reading(question, it.as_str()))
            .collect();
        let rest: Vec<usize> = (0..n_readings).filter(|it| !named.contains(it)).collect();
        let all = arms.iter().map(|arm| {
            let readings = match &arm.head {
                ArmHead::Names(names) => {
                    let numbers = names.iter();
                    let numbers = numbers.filter_map(|it| self.reading(question, it.as_str()));
                    numbers.collect()
                }
                ArmHead::Numbers(_) => Vec::new(),
                ArmHead::Else => rest.clone(),
            };
            (readings, case(&arm.body))
        });
        all.collect()
    }

    fn value(&mut self, path: String, value: &'t Expr, refusal: Option<Refusal<'t>>) {
        self.spots.push(Spot::Value {
            path,
            value,
            refusal,
        });
        value.walk(self, Role::Plain);
        self.spots.pop();
    }

    fn body(&mut self, prefix: String, body: &'t Block) {
        self.spots.push(Spot::Body {
            prefix: prefix.clone(),
            body,
        });
        let outer = std::mem::replace(&mut self.prefix, prefix);
        body.walk(self, Role::Plain);
        self.prefix = outer;
        self.spots.pop();
    }

    /// What an edit says knows the parameters of what it changes.
    fn params_of(&mut self, path: &ast::Path) {
        let Some(head) = path.segments.first() else {
            return;
        };
        for (name, span) in params(self.trees, head.as_str()) {
            self.scope.push((name, Some(span)));
        }
    }

    fn inside(&mut self, unit: String, chosen: Option<(String, String)>, items: &'t [Arc<Item>]) {
        let outer = self.home.clone();
        self.home.units.push(unit);
        self.home.chosen.extend(chosen);
        for item in items {
            self.home.item = item;
            self.item(item, Role::Plain);
        }
        self.home = outer;
    }

    fn readings(&mut self, question: &str, readings: &'t [ast::Reading]) {
        for it in readings {
            let unit = format!("{question} = {}", it.name);
            let chosen = (question.to_owned(), it.name.text.clone());
            self.inside(unit, Some(chosen), it.edits.as_deref().unwrap_or_default());
        }
    }

    /// The words of an edit for the parameters of what it changes.
    fn formals(&mut self, path: &ast::Path, formals: &'t [Name]) {
        let head = path.segments.first();
        let params = head.map_or_else(Vec::new, |it| params(self.trees, it.as_str()));
        for (formal, (_, span)) in formals.iter().zip(params) {
            self.scope.push((formal.as_str(), Some(span)));
        }
    }

    fn guard(&mut self, guard: &'t ast::Guard) {
        let from = self.scope.len();
        self.formals(&guard.target, &guard.formals);
        let refusal = Refusal {
            message: guard.because.as_ref(),
            clause: None,
        };
        let path = format!("{}.{}", guard.target, guard.label);
        self.value(path, &guard.condition, Some(refusal));
        guard.because.walk(self, Role::Plain);
        self.scope.truncate(from);
    }
}

impl<'t> Visitor<'t> for Finder<'t, '_> {
    fn item(&mut self, item: &'t Item, _role: Role) {
        let from = (self.scope.len(), self.spots.len());
        if !matches!(item.kind, ItemKind::Edit(_)) {
            self.spots.push(Spot::Item(item));
        }
        match &item.kind {
            ItemKind::Setting(it) => match &it.values {
                SettingValues::Readings(readings) => self.readings(it.name.as_str(), readings),
                SettingValues::Typed { .. } => {
                    let edits = it.edits.as_deref().unwrap_or_default();
                    self.inside(it.name.text.clone(), None, edits);
                }
            },
            ItemKind::Resolve(it) => {
                let outer = self.home.clone();
                self.home
                    .units
                    .extend(it.units.iter().map(ToString::to_string));
                for item in &it.items {
                    self.home.item = item;
                    self.item(item, Role::Plain);
                }
                self.home = outer;
            }
            ItemKind::Define(it) => {
                it.params.walk(self, Role::Plain);
                it.ty.walk(self, Role::Plain);
                self.value(it.name.text.clone(), &it.value, None);
            }
            ItemKind::Event(ast::Event {
                name, params, body, ..
            })
            | ItemKind::Flow(ast::Flow {
                name, params, body, ..
            })
            | ItemKind::Ending(ast::Ending {
                name, params, body, ..
            }) => {
                params.walk(self, Role::Plain);
                if let ItemKind::Event(it) = &item.kind {
                    it.text.walk(self, Role::Plain);
                }
                self.body(name.text.clone(), body);
            }
            ItemKind::Action(it) => {
                it.params.walk(self, Role::Plain);
                it.text.walk(self, Role::Plain);
                for clause in &it.requires {
                    let refusal = Refusal {
                        message: clause.message.as_ref(),
                        clause: Some((it, clause)),
                    };
                    let path = format!("{}.{}", it.name, clause.label);
                    self.value(path, &clause.condition, Some(refusal));
                    clause.message.walk(self, Role::Plain);
                }
                if let Some(body) = &it.body {
                    self.body(it.name.text.clone(), body);
                }
            }
            ItemKind::Edit(edit) => match edit {
                Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it) => self.guard(it),
                Edit::Replace(Replace::Value {
                    path,
                    value,
                    message,
                }) => {
                    self.params_of(path);
                    let refusal = Refusal {
                        message: message.as_ref(),
                        clause: None,
                    };
                    self.value(path.to_string(), value, Some(refusal));
                }
                Edit::Replace(Replace::Body { path, body }) => {
                    self.params_of(path);
                    self.body(path.to_string(), body);
                }
                Edit::Insert { path, body, .. } => {
                    self.params_of(path);
                    let around = match path.segments.split_last() {
                        Some((_, [])) | None => path.to_string(),
                        Some((_, around)) => {
                            let around: Vec<&str> = around.iter().map(Name::as_str).collect();
                            around.join(".")
                        }
                    };
                    let outer = std::mem::replace(&mut self.prefix, around);
                    body.walk(self, Role::Plain);
                    self.prefix = outer;
                }
                Edit::Extend {
                    path,
                    formals,
                    value,
                    ..
                } => {
                    self.formals(path, formals);
                    value.walk(self, Role::Plain);
                }
                Edit::Add(Add::Readings { to, readings }) => {
                    self.readings(&to.to_string(), readings);
                }
                _ => item.kind.walk(self, Role::Plain),
            },
            _ => item.kind.walk(self, Role::Plain),
        }
        self.scope.truncate(from.0);
        self.spots.truncate(from.1);
    }

    fn expr(&mut self, expr: &'t Expr, _role: Role) {
        match &expr.kind {
            ExprKind::By { subject, arms } => {
                if let Some(question) = self.question(subject) {
                    let cases = self.cases(question, arms, Case::Value);
                    return self.asked(question, expr.span, cases);
                }
            }
            ExprKind::Binary {
                op: op @ (BinaryOp::Equal | BinaryOp::NotEqual),
                left,
                right,
                ..
            } => {
                let sides = [(left, right), (right, left)];
                let asked = sides.into_iter().find_map(|(one, other)| {
                    let question = self.question(one)?;
                    let ExprKind::Name(name) = &other.kind else {
                        return None;
                    };
                    Some((question, self.reading(question, name.as_str())?))
                });
                if let Some((question, reading)) = asked {
                    let n_readings = self
                        .questions
                        .get(question)
                        .map_or(0, |it| it.readings.len());
                    let others = (0..n_readings).filter(|it| *it != reading).collect();
                    let is_equal = *op == BinaryOp::Equal;
                    let cases = vec![
                        (vec![reading], Case::Truth(is_equal)),
                        (others, Case::Truth(!is_equal)),
                    ];
                    return self.asked(question, expr.span, cases);
                }
            }
            ExprKind::Name(_) => {
                if let Some(question) = self.question(expr)
                    && !is_value(self.trees, question)
                {
                    self.found.strays.push((expr.span, question));
                }
            }
            _ => {}
        }
        expr.kind.walk(self, Role::Plain);
    }

    fn statement(&mut self, statement: &'t Statement) {
        let n_spots = self.spots.len();
        self.spots.push(Spot::Statement {
            prefix: self.prefix.clone(),
            statement,
        });
        match &statement.kind {
            StatementKind::By { subject, arms } => {
                if let Some(question) = self.question(subject) {
                    let cases = self.cases(question, arms, Case::Body);
                    self.asked(question, statement.span, cases);
                    self.spots.truncate(n_spots);
                    return;
                }
            }
            StatementKind::Assign { target, .. } => {
                if let ExprKind::Name(name) = &target.kind {
                    let at = self.scope.iter().rposition(|(it, _)| *it == name.as_str());
                    for (asked, known, _) in &self.open {
                        if at.is_some_and(|at| at < *known)
                            && let Some(it) = self.found.asked.get_mut(*asked)
                        {
                            it.bound_to_place = true;
                        }
                    }
                }
            }
            StatementKind::Return(_) | StatementKind::Next | StatementKind::Again => {
                for (asked, ..) in &self.open {
                    if let Some(it) = self.found.asked.get_mut(*asked) {
                        it.bound_to_place = true;
                    }
                }
            }
            StatementKind::Step { body, .. } => {
                self.spots.push(Spot::Body {
                    prefix: self.prefix.clone(),
                    body,
                });
            }
            _ => {}
        }
        let chance = match &statement.kind {
            StatementKind::Choose(it) => match it.among {
                Among::Alternatives(_) => true,
                Among::Members { .. } => !matches!(it.who, ast::Chooser::Chance(_)),
            },
            StatementKind::Window { .. }
            | StatementKind::Turns { .. }
            | StatementKind::Together { .. }
            | StatementKind::Step { .. } => true,
            StatementKind::Call(call) => self.is_flow(call.name.as_str()),
            _ => false,
        };
        if chance {
            for (asked, ..) in &self.open {
                if let Some(it) = self.found.asked.get_mut(*asked) {
                    it.chooses = true;
                }
            }
        }
        statement.kind.walk(self, Role::Plain);
        self.spots.truncate(n_spots);
    }

    fn bind(&mut self, name: &'t Name, binds: Binds) {
        let span = (binds != Binds::Turn).then_some(name.span);
        self.scope.push((name.as_str(), span));
    }

    fn know(&mut self, word: &'static str) {
        self.scope.push((word, None));
    }

    fn name(&mut self, name: &'t Name, used_as: Use) {
        if used_as != Use::Value {
            return;
        }
        let at = self.scope.iter().rposition(|(it, _)| *it == name.as_str());
        let (known, bound) = match at.and_then(|at| self.scope.get(at)) {
            Some((_, bound)) => (at.unwrap_or(0), *bound),
            None if name.text == "me" => (0, None),
            None => return,
        };
        for (asked, from, _) in &self.open {
            let Some(it) = self.found.asked.get_mut(*asked) else {
                continue;
            };
            if known >= *from && name.text != "me" || at.is_some_and(|at| at >= *from) {
                continue;
            }
            it.special |= bound.is_none() && name.text != "me";
            let free = Free {
                name: name.text.clone(),
                bound,
            };
            if !it.free.iter().any(|it| it.name == free.name) {
                it.free.push(free);
            }
        }
    }

    fn enter(&mut self, _again: bool) {
        self.marks.push(self.scope.len());
    }

    fn leave(&mut self) {
        let from = self.marks.pop().unwrap_or(0);
        self.scope.truncate(from);
    }
}

impl Finder<'_, '_> {
    fn is_flow(&self, name: &str) -> bool {
        let mut items = self.trees.iter().flat_map(|it| &it.items);
        items.any(|it| matches!(&it.kind, ItemKind::Flow(it) if it.name.text == name))
    }
}

//! `extend NAME(formals) + | and | or E`.

use std::collections::{BTreeMap, BTreeSet};

use super::Work;
use crate::compose::canon;
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{Target, params_of};
use crate::compose::walk::{Scope, Use, Visitor, Walk};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, BinaryOp, Expr, ExprKind, ExtendOp, ItemKind};

/// What a definition grows by; it is worked in late, so that many terms make no deep tree.
pub(super) struct Growth {
    op: ExtendOp,
    terms: Vec<Expr>,
}

impl Work<'_> {
    pub(super) fn extend(
        &mut self,
        edit: Edit,
        path: &ast::Path,
        formals: &[ast::Name],
        op: ExtendOp,
        value: &Expr,
    ) {
        let Some(found) = self.seek(edit, path, Act::Extend(op)) else {
            return;
        };
        let number = match found.target {
            Target::Item(number) if self.is_definition(number) => number,
            _ => {
                let help = "only a `define` has a value to extend; `insert` adds to what happens";
                return self.unfit(path, &found, "a definition", help);
            }
        };
        if !self.formals_fit(&found, formals, path)
            || !self.may(edit, &found.place, Act::Extend(op), path.span)
        {
            return;
        }
        let params = self
            .state
            .get(number)
            .and_then(|it| params_of(&it.item.kind));
        let term = match renamed(value, formals, &params.unwrap_or_default()) {
            Ok(term) => term,
            Err(name) => {
                let message = format!("`{name}` is a parameter of `{path}` under another name");
                let diagnostic = Diagnostic::at(codes::WRONG_FORMALS, name.span, message)
                    .help("use the name in the parentheses behind the name of the definition");
                return self.diagnostics.push(diagnostic);
            }
        };
        if self
            .grown
            .get(&number)
            .is_some_and(|growth| growth.op != op)
        {
            self.finish_growth_of(number);
        }
        let growth = self.grown.entry(number).or_insert_with(|| Growth {
            op,
            terms: Vec::new(),
        });
        growth.terms.push(term);
        self.changed(edit, number);
        self.touch(edit, &found.place, Act::Extend(op), path.span);
    }

    fn is_definition(&self, number: usize) -> bool {
        let kind = self.state.get(number).map(|it| &it.item.kind);
        matches!(kind, Some(ItemKind::Define(_)))
    }

    /// Writes all growth into the definitions.
    pub(super) fn finish_growth(&mut self) {
        let mut numbers: Vec<usize> = self.grown.keys().copied().collect();
        numbers.sort_unstable();
        for number in numbers {
            self.finish_growth_of(number);
        }
    }

    /// Writes the growth of a definition into it.
    pub(super) fn finish_growth_of(&mut self, number: usize) {
        let Some(growth) = self.grown.remove(&number) else {
            return;
        };
        let op = match growth.op {
            ExtendOp::Plus => BinaryOp::Plus,
            ExtendOp::And => BinaryOp::And,
            ExtendOp::Or => BinaryOp::Or,
        };
        let Some(ItemKind::Define(define)) = self.state.item(number).map(|it| &mut it.kind) else {
            return;
        };
        let Some(terms) = balanced(op, growth.terms) else {
            return;
        };
        let old = std::mem::replace(&mut define.value, nothing(terms.span));
        define.value = joined(op, old, terms);
        let depth = canon::depth(&define.value);
        let span = define.value.span;
        self.shallow(span, 0, depth);
    }
}

fn nothing(span: Span) -> Expr {
    Expr {
        kind: ExprKind::None,
        parenthesised: false,
        span,
    }
}

fn joined(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let span = right.span;
    Expr {
        kind: ExprKind::Binary {
            op,
            op_span: span.start_point(),
            left: Box::new(left),
            right: Box::new(right),
        },
        parenthesised: false,
        span,
    }
}

/// Joins terms to a tree that is as flat as can be.
fn balanced(op: BinaryOp, mut terms: Vec<Expr>) -> Option<Expr> {
    while terms.len() > 1 {
        let mut pairs = Vec::with_capacity(terms.len().div_ceil(2));
        let mut rest = terms.into_iter();
        while let Some(left) = rest.next() {
            pairs.push(match rest.next() {
                Some(right) => joined(op, left, right),
                None => left,
            });
        }
        terms = pairs;
    }
    terms.pop()
}

/// Returns an expression with formals replaced by the names of the parameters.
///
/// A local that has the name of a parameter gets another one. Fails with a name that would become
/// a parameter though it is none in the expression.
fn renamed(value: &Expr, formals: &[ast::Name], params: &[String]) -> Result<Expr, ast::Name> {
    let mut value = value.clone();
    if formals.is_empty() || formals.iter().map(|it| &it.text).eq(params) {
        return Ok(value);
    }
    let mut words = Words::default();
    Walk::new(&mut words).part(&mut value);

    let mut renamer = Renamer {
        taken: words.all,
        params,
        given: BTreeMap::new(),
        stray: None,
    };
    let mut walk = Walk::new(&mut renamer);
    for (formal, param) in formals.iter().zip(params) {
        walk = walk.with_local(formal.as_str(), param);
    }
    walk.part(&mut value);
    renamer.stray.map_or(Ok(value), Err)
}

/// All words of an expression.
#[derive(Default)]
struct Words {
    all: BTreeSet<String>,
}

impl Visitor for Words {
    fn free(&mut self, name: &mut ast::Name, _used_as: Use, _scope: &Scope) {
        self.all.insert(name.text.clone());
    }

    fn bind(&mut self, name: &ast::Name) -> Option<String> {
        self.all.insert(name.text.clone());
        None
    }
}

struct Renamer<'p> {
    taken: BTreeSet<String>,
    params: &'p [String],
    /// New names of locals.
    given: BTreeMap<String, String>,
    /// A name that is not a formal but has the name of a parameter.
    stray: Option<ast::Name>,
}

impl Visitor for Renamer<'_> {
    fn free(&mut self, name: &mut ast::Name, used_as: Use, _scope: &Scope) {
        if used_as.is_value() && self.params.contains(&name.text) {
            self.stray.get_or_insert_with(|| name.clone());
        }
    }

    fn bind(&mut self, name: &ast::Name) -> Option<String> {
        if !self.params.contains(&name.text) {
            return None;
        }
        if let Some(given) = self.given.get(&name.text) {
            return Some(given.clone());
        }
        let mut new = format!("{name}_");
        while self.taken.contains(&new) || self.params.contains(&new) {
            new.push('_');
        }
        self.taken.insert(new.clone());
        self.given.insert(name.text.clone(), new.clone());
        Some(new)
    }
}

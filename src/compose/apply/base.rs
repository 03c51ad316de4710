//! `base(…)` inside a replacement: the old body.
//!
//! Clauses, steps, endings and what an action does may use `me`, locals and parameters of their
//! surroundings, so there the old body is written where `base` stands; the labels in it keep their
//! addresses. So it is with events and flows if `base` stands once, hands on the parameters, and
//! stands last if the old body returns. Else the old body of a definition, event or flow lives on as an item of its own,
//! `NAME@AMENDMENT`, a name that cannot be typed.

use std::collections::BTreeSet;

use super::{DEEPEST, Work};
use crate::compose::canon;
use crate::compose::walk::{Scope, Use, Visitor, Walk};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, Expr, ExprKind, StatementKind};

/// The word for the old body.
const BASE: &str = "base";

/// All old bodies together may not be longer than this in canonical form: one written twice in a body
/// that is itself written twice grows without end.
const LONGEST: usize = 1 << 20;

/// What replaces an old body and may use it.
pub(super) enum New<'n> {
    Value(&'n mut Expr),
    Body(&'n mut ast::Block),
}

impl New<'_> {
    fn depth(&self) -> usize {
        match self {
            New::Value(value) => canon::depth(&**value),
            New::Body(body) => canon::depth(&**body),
        }
    }
}

/// What stands where `base` is written.
pub(super) enum Old<'o> {
    /// Another item, with the number of its parameters.
    Named {
        name: String,
        params: usize,
        is_value: bool,
    },
    Value(&'o Expr),
    Body(&'o ast::Block),
    /// Nothing: there is no old body of this kind.
    Nothing,
}

impl Work<'_> {
    /// Puts the old body where `base` stands; returns whether it stood anywhere and all was well.
    pub(super) fn put_base(&mut self, old: &Old<'_>, mut new: New<'_>) -> Option<bool> {
        let mut bases = Bases {
            old,
            needs: match old {
                Old::Value(value) => names_of(|walk| walk.part(&mut (*value).clone())),
                Old::Body(body) => names_of(|walk| walk.part(&mut (*body).clone())),
                Old::Named { .. } | Old::Nothing => BTreeSet::new(),
            },
            size: match old {
                Old::Value(value) => canon::length(*value),
                Old::Body(body) => canon::length(*body),
                Old::Named { .. } | Old::Nothing => 0,
            },
            depth: match (old, &new) {
                (Old::Value(old), new) => canon::depth(*old) + new.depth(),
                (Old::Body(old), new) => canon::depth(*old) + new.depth(),
                (Old::Named { .. } | Old::Nothing, _) => 0,
            },
            room: LONGEST.saturating_sub(self.spliced),
            uses: 0,
            blocks: Vec::new(),
            problem: None,
        };
        let mut walk = Walk::new(&mut bases);
        match &mut new {
            New::Value(value) => walk.part(&mut **value),
            New::Body(body) => walk.part(&mut **body),
        }
        self.spliced += bases.uses * bases.size;
        match bases.problem {
            Some(problem) => {
                self.diagnostics.push(problem);
                None
            }
            None => Some(bases.uses > 0),
        }
    }
}

/// Returns a body whose only `base` can be written out, without the arguments of that `base`.
pub(super) fn with_one_base(
    body: &ast::Block,
    old: &ast::Block,
    params: &[String],
) -> Option<ast::Block> {
    let mut returns = Returns(false);
    Walk::new(&mut returns).part(&mut old.clone());
    let mut body = body.clone();
    let is_last = ends_with_base(&mut body);
    let mut plain = PlainUses {
        params,
        plain: 0,
        others: 0,
    };
    Walk::new(&mut plain).part(&mut body);
    let stays = is_last || !returns.0;
    (stays && plain.plain == 1 && plain.others == 0).then_some(body)
}

/// Returns whether nothing follows a last `base(…)` or `return base(…)`, so that what the old body
/// returns may be returned at once; the latter is made the former.
fn ends_with_base(body: &mut ast::Block) -> bool {
    let Some(last) = body.statements.last_mut() else {
        return false;
    };
    if let StatementKind::Return(Some(value)) = &last.kind
        && let ExprKind::Call(call) = &value.kind
        && call.name.text == BASE
    {
        last.kind = StatementKind::Call(call.clone());
    }
    matches!(&last.kind, StatementKind::Call(call) if call.name.text == BASE)
}

/// Finds out whether something returns.
struct Returns(bool);

impl Visitor for Returns {
    fn free(&mut self, _name: &mut ast::Name, _used_as: Use, _scope: &Scope) {}

    fn statement(&mut self, statement: &mut ast::Statement, _scope: &Scope) -> bool {
        self.0 |= matches!(statement.kind, StatementKind::Return(_));
        false
    }
}

/// Counts the uses of `base` as a statement that hands on the parameters, and takes their arguments
/// away.
struct PlainUses<'p> {
    params: &'p [String],
    plain: usize,
    others: usize,
}

impl Visitor for PlainUses<'_> {
    fn free(&mut self, name: &mut ast::Name, _used_as: Use, scope: &Scope) {
        self.others += usize::from(name.text == BASE && !scope.holds(BASE));
    }

    fn statement(&mut self, statement: &mut ast::Statement, scope: &Scope) -> bool {
        let StatementKind::Call(call) = &mut statement.kind else {
            return false;
        };
        let handed_on = |(arg, param): (&ast::Arg, &String)| {
            matches!(&arg.value.kind, ExprKind::Name(name) if name.text == *param)
                && arg.name.as_ref().is_none_or(|name| name.text == *param)
                && !scope.holds(param)
        };
        let all = call.args.len() == self.params.len()
            && call.args.iter().zip(self.params).all(handed_on);
        if call.name.text != BASE || !all {
            return false;
        }
        call.args.clear();
        self.plain += 1;
        true
    }
}

/// Returns all free names.
fn names_of(walk: impl FnOnce(&mut Walk<'_, Names>)) -> BTreeSet<String> {
    let mut names = Names(BTreeSet::new());
    walk(&mut Walk::new(&mut names));
    names.0
}

struct Names(BTreeSet<String>);

impl Visitor for Names {
    fn free(&mut self, name: &mut ast::Name, used_as: Use, _scope: &Scope) {
        if used_as.is_value() {
            self.0.insert(name.text.clone());
        }
    }
}

/// Puts an old body where `base` stands.
pub(super) struct Bases<'o> {
    old: &'o Old<'o>,
    /// The free names of the old body; no local may hide them.
    needs: BTreeSet<String>,
    size: usize,
    /// How deep the new body is at most with the old one in it.
    depth: usize,
    room: usize,
    uses: usize,
    /// Where an old body was written as a block of its own.
    blocks: Vec<Span>,
    problem: Option<Diagnostic>,
}

impl Bases<'_> {
    fn complain(&mut self, span: Span, message: String, help: &str) {
        self.problem
            .get_or_insert_with(|| Diagnostic::at(codes::MISPLACED_BASE, span, message).help(help));
    }

    /// Returns whether the old body can be written here, and counts it.
    fn fits(&mut self, args: &[ast::Arg], span: Span, scope: &Scope) -> bool {
        if !args.is_empty() {
            self.complain(
                span,
                String::from("`base` has no parameters here"),
                "write `base()`: it is the old text with the names that it used",
            );
            return false;
        }
        if let Some(hidden) = self.needs.iter().find(|name| scope.holds(name)).cloned() {
            self.complain(
                span,
                format!("`base` uses `{hidden}`, which is another `{hidden}` here"),
                "give the local another name",
            );
            return false;
        }
        self.uses += 1;
        if self.uses.saturating_mul(self.size) > self.room || self.depth > DEEPEST {
            let message = "the old bodies written for `base` grow too long or too deep";
            let diagnostic = Diagnostic::at(codes::TOO_MANY_EDITS, span, message)
                .help("use `base` once, or move a part of the old body into a definition");
            self.problem.get_or_insert(diagnostic);
            return false;
        }
        true
    }

    fn names(&mut self, call: &mut ast::Call, span: Span) {
        if let Old::Named { name, params, .. } = self.old {
            let (count, name) = (call.args.len(), name.clone());
            if count != *params {
                let message = format!("`base` takes {params} here, not {count}");
                self.complain(
                    span,
                    message,
                    "give it as many arguments as the old one has parameters",
                );
            }
            self.uses += 1;
            call.name.text = name;
        }
    }
}

impl Visitor for Bases<'_> {
    fn free(&mut self, _name: &mut ast::Name, _used_as: Use, _scope: &Scope) {}

    fn expr(&mut self, expr: &mut Expr, _role: ast::Role, scope: &Scope) -> bool {
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Name(name) if name.text == BASE && !scope.holds(BASE) => {}
            ExprKind::Call(call) if call.name.text == BASE => {}
            _ => return false,
        }
        match self.old {
            Old::Named { is_value, .. } => {
                let mut call = match &expr.kind {
                    ExprKind::Call(call) => call.clone(),
                    _ => ast::Call {
                        name: ast::Name {
                            text: String::new(),
                            span,
                        },
                        args: Vec::new(),
                    },
                };
                self.names(&mut call, span);
                expr.kind = if call.args.is_empty() && *is_value {
                    // A definition without parameters is used by its bare name.
                    ExprKind::Name(call.name)
                } else {
                    ExprKind::Call(call)
                };
                // The arguments are walked next; they may hold further uses.
                false
            }
            Old::Value(old) => {
                let args = match &expr.kind {
                    ExprKind::Call(call) => call.args.as_slice(),
                    _ => &[],
                };
                if self.fits(args, span, scope) {
                    *expr = (*old).clone();
                }
                true
            }
            Old::Body(_) => {
                self.complain(
                    span,
                    String::from("`base` is something that happens here, it has no value"),
                    "write `base()` as a statement of its own",
                );
                true
            }
            Old::Nothing => {
                self.complain(
                    span,
                    String::from("there is no old body that `base` could stand for"),
                    "write out what is meant",
                );
                true
            }
        }
    }

    fn leave(&mut self, block: &mut ast::Block) {
        let old = std::mem::take(&mut block.statements);
        let last = old.len().saturating_sub(1);
        for (at, mut statement) in old.into_iter().enumerate() {
            let is_block = self.blocks.iter().any(|it| it.same_place(statement.span));
            match &mut statement.kind {
                StatementKind::If { branches, .. } if is_block => match branches.as_mut_slice() {
                    [only] if at == last || !makes_locals(&only.body) => {
                        block.statements.append(&mut only.body.statements);
                    }
                    _ => block.statements.push(statement),
                },
                _ => block.statements.push(statement),
            }
        }
    }

    fn statement(&mut self, statement: &mut ast::Statement, scope: &Scope) -> bool {
        let span = statement.span;
        let StatementKind::Call(call) = &mut statement.kind else {
            return false;
        };
        if call.name.text != BASE {
            return false;
        }
        match self.old {
            Old::Named { .. } => {
                self.names(call, span);
                false
            }
            Old::Body(old) => {
                if self.fits(&call.args, span, scope) {
                    // A block of its own: the locals of the old body end with it.
                    self.blocks.push(span);
                    statement.kind = StatementKind::If {
                        branches: vec![ast::Branch {
                            condition: Expr {
                                kind: ExprKind::Bool(true),
                                parenthesised: false,
                                span,
                            },
                            body: (*old).clone(),
                        }],
                        otherwise: None,
                    };
                }
                true
            }
            Old::Value(_) | Old::Nothing => {
                self.complain(
                    span,
                    String::from("there is no old body that `base` could stand for"),
                    "write out what is meant",
                );
                true
            }
        }
    }
}

/// Returns whether a block makes locals that would outlive it if its braces were taken away.
fn makes_locals(block: &ast::Block) -> bool {
    block
        .statements
        .iter()
        .any(|statement| match &statement.kind {
            StatementKind::Let { .. } => true,
            StatementKind::Choose(choose) => {
                matches!(choose.among, ast::Among::Members { body: None, .. })
            }
            _ => false,
        })
}

//! A rulebook and a set of amendments become one rulebook.
//!
//! Amendments are a set: the order in which they are listed never decides anything. What does not
//! commute is an error that shows both places.

mod canon;

use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast;

/// A rulebook with its amendments worked in.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The header of the game, with the sources of all amendments.
    pub header: ast::Header,
    /// The items: no edits, no relations, no resolutions.
    pub items: Vec<Composite>,
    /// All guards, those of the game itself included.
    pub guards: Vec<Guard>,
    /// The names of the amendments, each behind those that it stands on.
    pub amendments: Vec<String>,
    /// Equal for equal rules, wherever and in whatever order they were written.
    pub hash: u64,
}

/// An item with where it comes from.
#[derive(Clone, Debug)]
pub struct Composite {
    /// The item.
    pub item: ast::Item,
    /// The amendment that brought it or last changed it; none for an untouched item of the game.
    pub origin: Option<String>,
}

/// What a [`Guard`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GuardKind {
    /// Refuses an action or an event.
    Forbid,
    /// Satisfies one clause of an action.
    Permit,
    /// Lifts another guard.
    Except,
}

impl GuardKind {
    /// Returns the word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            GuardKind::Forbid => "forbid",
            GuardKind::Permit => "permit",
            GuardKind::Except => "except",
        }
    }
}

/// A condition on an action, event, clause or another guard.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What it does.
    pub kind: GuardKind,
    /// What is guarded: `NAME` of a forbid, `ACTION.CLAUSE` of a permit, `NAME.LABEL` of an except.
    pub path: ast::Path,
    /// Names for the parameters of what is guarded; may be empty.
    pub formals: Vec<ast::Name>,
    /// Its own label; no two guards and clauses of one action or event share one.
    pub label: ast::Name,
    /// When it takes effect.
    pub when: ast::Expr,
    /// What is said then.
    pub because: Option<ast::Template>,
    /// Citations and the like.
    pub tail: ast::Tail,
    /// The amendment that brought it or last changed it; none for a guard of the game.
    pub origin: Option<String>,
    /// Where it is written.
    pub span: Span,
}

/// Works the amendments into the base.
///
/// The result is the same for every order of `amendments`. There is none if anything is an error.
pub fn compose(base: &ast::File, amendments: &[&ast::File]) -> (Option<Composed>, Vec<Diagnostic>) {
    let _ = amendments;
    let Some(header) = base.header.clone() else {
        return (None, Vec::new());
    };
    let mut composed = Composed {
        header,
        items: Vec::new(),
        guards: Vec::new(),
        amendments: Vec::new(),
        hash: 0,
    };
    for item in &base.items {
        match guard_of(item, None) {
            Some(guard) => composed.guards.push(guard),
            None => composed.items.push(Composite {
                item: item.clone(),
                origin: None,
            }),
        }
    }
    composed.hash = canon::hash(&composed.header, &composed.items, &composed.guards);
    (Some(composed), Vec::new())
}

fn guard_of(item: &ast::Item, origin: Option<&str>) -> Option<Guard> {
    let ast::ItemKind::Edit(edit) = &item.kind else {
        return None;
    };
    let (kind, guard) = match edit {
        ast::Edit::Forbid(guard) => (GuardKind::Forbid, guard),
        ast::Edit::Permit(guard) => (GuardKind::Permit, guard),
        ast::Edit::Except(guard) => (GuardKind::Except, guard),
        ast::Edit::Set { .. }
        | ast::Edit::Replace(_)
        | ast::Edit::Remove { .. }
        | ast::Edit::Insert { .. }
        | ast::Edit::Extend { .. }
        | ast::Edit::Add(_) => return None,
    };
    Some(Guard {
        kind,
        path: guard.target.clone(),
        formals: guard.formals.clone(),
        label: guard.label.clone(),
        when: guard.condition.clone(),
        because: guard.because.clone(),
        tail: item.tail.clone(),
        origin: origin.map(str::to_owned),
        span: item.span,
    })
}

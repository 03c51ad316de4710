//! A walk over all names of a piece of the tree that knows which of them are local.

use crate::syntax::ast::{self, Binds, Changer, Name, Role, Tree};

pub(super) use crate::syntax::ast::Use;

/// What is done on a walk.
pub(super) trait Visitor {
    /// Meets a name that is not local; may change it.
    fn free(&mut self, name: &mut Name, used_as: Use, scope: &Scope);

    /// Meets the name of a new local; may give it another name.
    fn bind(&mut self, _name: &Name) -> Option<String> {
        None
    }

    /// Meets an expression; returns whether it is done with.
    fn expr(&mut self, _expr: &mut ast::Expr, _role: Role, _scope: &Scope) -> bool {
        false
    }

    /// Leaves a list of statements.
    fn leave(&mut self, _block: &mut ast::Block) {}

    /// Meets a statement; returns whether it is done with.
    fn statement(&mut self, _statement: &mut ast::Statement, _scope: &Scope) -> bool {
        false
    }
}

/// The locals at some place, outermost first, with the names they are given.
#[derive(Default)]
pub(super) struct Scope {
    locals: Vec<(String, String)>,
}

impl Scope {
    /// Returns whether the name is local.
    pub(super) fn holds(&self, name: &str) -> bool {
        self.locals.iter().any(|(local, _)| local == name)
    }
}

/// The state of a walk.
pub(super) struct Walk<'v, V> {
    visitor: &'v mut V,
    scope: Scope,
    /// How many locals there were where each of the things around this place began.
    outside: Vec<usize>,
}

impl<'v, V: Visitor> Walk<'v, V> {
    /// Starts a walk at a place without locals.
    pub(super) fn new(visitor: &'v mut V) -> Walk<'v, V> {
        Walk {
            visitor,
            scope: Scope::default(),
            outside: Vec::new(),
        }
    }

    /// Makes `name` local; where it is met, `given` is written.
    pub(super) fn with_local(mut self, name: &str, given: &str) -> Walk<'v, V> {
        self.scope.locals.push((name.to_owned(), given.to_owned()));
        self
    }

    /// Walks a part of a tree.
    pub(super) fn part(&mut self, part: &mut impl Tree) {
        part.walk_mut(self, Role::Plain);
    }

    /// Walks an item; of an edit, what it brings, not the address it names.
    pub(super) fn item(&mut self, item: &mut ast::Item) {
        self.enter(false);
        self.part(&mut item.kind);
        self.leave();
    }

    fn free(&mut self, name: &mut Name, used_as: Use) {
        self.visitor.free(name, used_as, &self.scope);
    }
}

impl<V: Visitor> Changer for Walk<'_, V> {
    fn item(&mut self, item: &mut ast::Item, role: Role) {
        // Those inside resolutions and readings are walked one by one.
        if role == Role::Instead {
            self.part(&mut item.kind);
        }
    }

    fn expr(&mut self, expr: &mut ast::Expr, role: Role) {
        if !self.visitor.expr(expr, role, &self.scope) {
            self.part(&mut expr.kind);
        }
    }

    fn statement(&mut self, statement: &mut ast::Statement) {
        if !self.visitor.statement(statement, &self.scope) {
            self.part(&mut statement.kind);
        }
    }

    fn block(&mut self, block: &mut ast::Block, role: Role) {
        block.parts_mut(self, role);
        self.visitor.leave(block);
    }

    fn bind(&mut self, name: &mut Name, _binds: Binds) {
        let given = self.visitor.bind(name);
        let given = given.unwrap_or_else(|| name.text.clone());
        self.scope.locals.push((name.text.clone(), given.clone()));
        name.text = given;
    }

    fn know(&mut self, word: &'static str) {
        self.scope.locals.push((word.to_owned(), word.to_owned()));
    }

    fn name(&mut self, name: &mut Name, used_as: Use) {
        let mut locals = self.scope.locals.iter().rev();
        match locals.find(|(local, _)| used_as == Use::Value && *local == name.text) {
            Some((_, given)) => name.text.clone_from(given),
            None => self.free(name, used_as),
        }
    }

    fn enter(&mut self, _again: bool) {
        self.outside.push(self.scope.locals.len());
    }

    fn leave(&mut self) {
        let before = self.outside.pop().unwrap_or(0);
        self.scope.locals.truncate(before);
    }
}

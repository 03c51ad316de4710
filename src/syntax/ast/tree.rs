//! What every node of the tree can do, made from the tables of nodes (see [`nodes`](super::nodes)).

use std::ops::Deref;
use std::sync::Arc;

use super::{Block, Canon, Doc, Expr, Item, Name, Path, Statement, Tail};
use crate::source::Span;

/// What a part is in the node that it stands in, besides what its type says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing else. An expression stands alone between words or brackets.
    Plain,
    /// An expression beside an operator, or where the grammar takes one operand.
    Tight,
    /// An expression beside `and`, `or`, or behind `not`.
    Loose,
    /// An expression whose parentheses may keep it from being read as something else.
    Kept,
    /// An expression that begins a pair of braces: `{ (x in S) }` is one truth value, `{ x in S }` a set.
    Braced,
    /// A place whose contents the statement changes.
    Changed,
    /// A track or a field that gets a value.
    Target,
    /// A block whose locals go on behind it.
    Open,
    /// A name that is known from here on.
    Binds(Binds),
    /// A name of something that is declared elsewhere.
    Uses(Use),
    /// A tail, and the whole of what it says something about.
    Of(Span),
    /// What stands before the block in the middle of its node.
    Before,
    /// What stands behind that block.
    Behind,
    /// Nothing of it is in the canonical form.
    Silent,
    /// The same where there is none of it, so that rules without it have the hash that they always had.
    IfAny,
    /// An item that takes the place of another.
    Instead,
}

impl Role {
    /// Returns whether a part in this role is in the canonical form.
    pub(super) fn is_canonical(self, part: &dyn Tree) -> bool {
        match self {
            Role::Silent => false,
            Role::IfAny => part.is_there(),
            _ => true,
        }
    }
}

/// What binds a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binds {
    /// A parameter.
    Param,
    /// `let`.
    Let,
    /// `choose … x in S`.
    Chosen,
    /// `for each`.
    Each,
    /// A comprehension, `reach`, `groups`, `walk`.
    Member,
    /// A word for a parameter of what an edit changes.
    Formal,
    /// `turns`.
    Turn,
}

/// What a name is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// `x`: a local, a value, a definition, a zone.
    Value,
    /// `x: T`: a type.
    Type,
    /// `a => …`, `answers q`: it is named and not asked for its value; never a local.
    Named,
    /// `f(…)`, an alternative, an ending: something that is called.
    Call,
    /// `.x`, `with x = …`: a field, a reading, a value of an enum.
    Field,
}

impl Use {
    /// Returns whether the name means something by itself, not by what it stands behind or before.
    pub fn is_value(self) -> bool {
        matches!(self, Use::Value | Use::Type | Use::Named)
    }
}

/// What is done on a walk through a tree.
///
/// Parts come in the order in which their names are known: `let n = e` first has `e`, then binds `n`.
pub trait Visitor<'t>: Sized {
    /// Meets an item.
    fn item(&mut self, item: &'t Item, _role: Role) {
        item.kind.walk(self, Role::Plain);
    }

    /// Meets an expression.
    fn expr(&mut self, expr: &'t Expr, _role: Role) {
        expr.kind.walk(self, Role::Plain);
    }

    /// Meets a statement.
    fn statement(&mut self, statement: &'t Statement) {
        statement.kind.walk(self, Role::Plain);
    }

    /// Meets a block.
    fn block(&mut self, block: &'t Block, role: Role) {
        block.parts(self, role);
    }

    /// Meets the name of a new local.
    fn bind(&mut self, _name: &'t Name, _binds: Binds) {}

    /// Meets a place from which on a word is known that is not written there.
    fn know(&mut self, _word: &'static str) {}

    /// Meets a name that is used.
    fn name(&mut self, _name: &'t Name, _used_as: Use) {}

    /// Meets a tail and the whole of what it says something about.
    fn tail(&mut self, _tail: &'t Tail, _span: Span) {}

    /// Goes into something whose locals end with it, and which may be `again` gone through.
    fn enter(&mut self, _again: bool) {}

    /// Leaves it.
    fn leave(&mut self) {}
}

/// What is done on a walk that changes a tree.
pub trait Changer: Sized {
    /// Meets an item.
    fn item(&mut self, item: &mut Item, _role: Role) {
        item.kind.walk_mut(self, Role::Plain);
    }

    /// Meets an expression.
    fn expr(&mut self, expr: &mut Expr, _role: Role) {
        expr.kind.walk_mut(self, Role::Plain);
    }

    /// Meets a statement.
    fn statement(&mut self, statement: &mut Statement) {
        statement.kind.walk_mut(self, Role::Plain);
    }

    /// Meets a block.
    fn block(&mut self, block: &mut Block, role: Role) {
        block.parts_mut(self, role);
    }

    /// Meets the name of a new local.
    fn bind(&mut self, _name: &mut Name, _binds: Binds) {}

    /// Meets a place from which on a word is known that is not written there.
    fn know(&mut self, _word: &'static str) {}

    /// Meets a name that is used.
    fn name(&mut self, _name: &mut Name, _used_as: Use) {}

    /// Meets a tail and the whole of what it says something about.
    fn tail(&mut self, _tail: &mut Tail, _span: Span) {}

    /// Goes into something whose locals end with it, and which may be `again` gone through.
    fn enter(&mut self, _again: bool) {}

    /// Leaves it.
    fn leave(&mut self) {}
}

/// What writes a tree out.
pub trait Writer: Sized {
    /// Writes words, signs and blanks as they are.
    fn word(&mut self, word: &str);

    /// Writes an expression.
    fn expr(&mut self, expr: &Expr, role: Role);

    /// Writes a block with its braces.
    fn block(&mut self, block: &Block);

    /// Writes what stands in a text, without quotes.
    fn text(&mut self, text: &str);

    /// Writes a tail with a blank before each of its parts.
    fn tail(&mut self, tail: &Tail);
}

/// A part of a tree. What holds no names and leaves nothing in the canonical form needs no more than to
/// be one.
pub trait Tree {
    /// Shows a visitor the parts.
    fn walk<'t, V: Visitor<'t>>(&'t self, _v: &mut V, _role: Role)
    where
        Self: Sized,
    {
    }

    /// Lets the parts be changed.
    fn walk_mut<V: Changer>(&mut self, _v: &mut V, _role: Role)
    where
        Self: Sized,
    {
    }

    /// Writes it as it stands in a rulebook.
    fn write<W: Writer>(&self, _w: &mut W, _role: Role)
    where
        Self: Sized,
    {
    }

    /// Returns what stands between two of its kind.
    fn between() -> &'static str
    where
        Self: Sized,
    {
        ", "
    }

    /// Returns whether there is something to write.
    fn is_there(&self) -> bool {
        true
    }

    /// Writes the canonical form.
    fn canon(&self, _canon: &mut Canon) {}
}

/// A field of a node with its role; stands for the field in the tables.
pub(super) struct As<R>(pub(super) R, pub(super) Role);

impl<R> Deref for As<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.0
    }
}

impl Tree for Item {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        v.item(self, role);
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        v.item(self, role);
    }

    fn canon(&self, canon: &mut Canon) {
        self.kind.canon(canon);
    }
}

impl Tree for Path {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        if let Some(head) = self.segments.first() {
            head.walk(v, role);
        }
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        if let Some(head) = self.segments.first_mut() {
            head.walk_mut(v, role);
        }
    }

    fn canon(&self, canon: &mut Canon) {
        canon.word(&self.to_string());
    }
}

impl Tree for Expr {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        v.expr(self, role);
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        v.expr(self, role);
    }

    fn write<W: Writer>(&self, w: &mut W, role: Role) {
        w.expr(self, role);
    }

    fn canon(&self, canon: &mut Canon) {
        self.kind.canon(canon);
    }
}

impl Tree for Statement {
    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        self.kind.write(w, Role::Plain);
    }

    fn between() -> &'static str {
        "  "
    }

    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, _role: Role) {
        v.statement(self);
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, _role: Role) {
        v.statement(self);
    }

    fn canon(&self, canon: &mut Canon) {
        self.kind.canon(canon);
    }
}

impl Tree for Block {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        v.block(self, role);
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        v.block(self, role);
    }

    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.block(self);
    }

    fn canon(&self, canon: &mut Canon) {
        canon.node("do", &[&self.statements]);
    }
}

impl Block {
    /// Shows a visitor the statements.
    pub fn parts<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        if role != Role::Open {
            v.enter(false);
        }
        self.statements.walk(v, Role::Plain);
        if role != Role::Open {
            v.leave();
        }
    }

    /// Lets the statements be changed.
    pub fn parts_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        if role != Role::Open {
            v.enter(false);
        }
        self.statements.walk_mut(v, Role::Plain);
        if role != Role::Open {
            v.leave();
        }
    }
}

impl Tree for Name {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        match role {
            Role::Binds(binds) => v.bind(self, binds),
            Role::Uses(used_as) => v.name(self, used_as),
            _ => {}
        }
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        match role {
            Role::Binds(binds) => v.bind(self, binds),
            Role::Uses(used_as) => v.name(self, used_as),
            _ => {}
        }
    }

    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.word(&self.text);
    }

    fn canon(&self, canon: &mut Canon) {
        canon.word(&self.text);
    }
}

impl Tree for Tail {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        if let Role::Of(span) = role {
            v.tail(self, span);
        }
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        if let Role::Of(span) = role {
            v.tail(self, span);
        }
    }

    fn write<W: Writer>(&self, w: &mut W, _role: Role) {
        w.tail(self);
    }
}

impl Tree for Span {}

impl Tree for Doc {}

impl<T: Tree> Tree for Box<T> {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        (**self).walk(v, role);
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        (**self).walk_mut(v, role);
    }

    fn write<W: Writer>(&self, w: &mut W, role: Role) {
        (**self).write(w, role);
    }

    fn canon(&self, canon: &mut Canon) {
        (**self).canon(canon);
    }
}

impl<T: Tree + Clone> Tree for Arc<T> {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        (**self).walk(v, role);
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        Arc::make_mut(self).walk_mut(v, role);
    }

    fn write<W: Writer>(&self, w: &mut W, role: Role) {
        (**self).write(w, role);
    }

    fn canon(&self, canon: &mut Canon) {
        (**self).canon(canon);
    }
}

impl<T: Tree> Tree for Option<T> {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        self.iter().for_each(|it| it.walk(v, role));
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        self.iter_mut().for_each(|it| it.walk_mut(v, role));
    }

    fn write<W: Writer>(&self, w: &mut W, role: Role) {
        self.iter().for_each(|it| it.write(w, role));
    }

    fn is_there(&self) -> bool {
        self.is_some()
    }

    fn canon(&self, canon: &mut Canon) {
        match self {
            Some(it) => it.canon(canon),
            None => canon.word("-"),
        }
    }
}

impl<T: Tree> Tree for Vec<T> {
    fn walk<'t, V: Visitor<'t>>(&'t self, v: &mut V, role: Role) {
        self.iter().for_each(|it| it.walk(v, role));
    }

    fn walk_mut<V: Changer>(&mut self, v: &mut V, role: Role) {
        self.iter_mut().for_each(|it| it.walk_mut(v, role));
    }

    fn write<W: Writer>(&self, w: &mut W, role: Role) {
        for (at, it) in self.iter().enumerate() {
            if at > 0 {
                w.word(T::between());
            }
            it.write(w, role);
        }
    }

    fn is_there(&self) -> bool {
        !self.is_empty()
    }

    fn canon(&self, canon: &mut Canon) {
        self.as_slice().canon(canon);
    }
}

impl<T: Tree> Tree for [T] {
    fn canon(&self, canon: &mut Canon) {
        canon.list(self);
    }
}

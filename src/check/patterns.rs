//! Built-in functions over boards that stand for longer expressions.

use crate::diagnostic::codes;
use crate::model::{
    Base, DomainId, DomainKind, Expr, ExprKind, Field, Look, NodeMut, Shape, Type, change,
};
use crate::source::{FileId, Span};
use crate::syntax::{ast, parse_expression};

use super::scope::Binding;
use super::types::CALCULATED;
use super::{Checked, Checker, Reported};

/// Where an expression is written that nobody wrote.
const NOWHERE: FileId = FileId(u16::MAX);

/// From each member, in each direction, the run that begins there.
const ROWS: &str = "{ p for a in s, d in ways where 1 + count (walk d from a while q: q in s) >= n, \
                    p in { a } + (walk d from a while q: q in s) }";

impl Checker<'_> {
    /// `in_a_row(n, S)`: the members of S that lie in straight lines of at least n of them.
    pub(super) fn in_a_row(
        &mut self,
        least: &ast::Expr,
        places: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let least = self.typed(least, CALCULATED)?;
        let places = self.any_set(places, None)?;
        let space = match places.ty.base {
            Base::Set(space) if self.is_board(space) => space,
            _ => {
                let of = self.type_name(places.ty);
                return Err(self.no_board(&of, places.span));
            }
        };
        let ways = Expr {
            kind: ExprKind::All(self.direction),
            ty: Type::of(Base::Set(self.direction)),
            span,
        };
        let known = vec![(String::from("ways"), Binding::Alias(ways))];
        let given = vec![("n", least), ("s", places)];
        self.spelled_out(ROWS, known, given, Type::of(Base::Set(space)), span)
    }

    /// `ring(p, n)`: the places that a king needs n steps to on an empty board without holes.
    pub(super) fn ring(
        &mut self,
        middle: &ast::Expr,
        steps: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let (middle, space) = self.cell_of(middle)?;
        let steps = self.typed(steps, CALCULATED)?;
        let (Some([across, up]), is_slanted) = self.coordinates(space) else {
            let of = self.type_name(middle.ty);
            return Err(self.no_board(&of, middle.span));
        };
        let is_there = if middle.ty.optional {
            "some p and "
        } else {
            ""
        };
        let way = |field: &Field| match field.ty.base {
            Base::Elem(_) => format!("(ord(q.{0}) - ord(p.{0}))", field.name),
            _ => format!("(q.{0} - p.{0})", field.name),
        };
        let mut ways = vec![way(&across), way(&up)];
        if is_slanted {
            ways.push(format!("({} - {})", way(&across), way(&up)));
        }
        let within = ways.iter().map(|it| format!("{it} in 0 - n..n"));
        let within: Vec<String> = within.collect();
        let at = ways.iter().map(|it| format!("{it} == n or {it} == 0 - n"));
        let at: Vec<String> = at.collect();
        let text = format!(
            "{{ q in all where {is_there}{} and ({}) }}",
            within.join(" and "),
            at.join(" or ")
        );
        let all = Expr {
            kind: ExprKind::All(space),
            ty: Type::of(Base::Set(space)),
            span,
        };
        let known = vec![(String::from("all"), Binding::Alias(all))];
        let given = vec![("n", steps), ("p", middle)];
        self.spelled_out(&text, known, given, Type::of(Base::Set(space)), span)
    }

    /// The two coordinates of the places of a board, and whether a third way leads along both at once.
    fn coordinates(&self, space: DomainId) -> (Option<[Field; 2]>, bool) {
        let Some(DomainKind::Space { axes, shape }) = self.domain(space).map(|it| &it.kind) else {
            return (None, false);
        };
        let is_slanted = match shape {
            Shape::Grid => false,
            Shape::Hexes => true,
            Shape::Cells(cells) => match cells.look {
                Look::Squares if cells.names.is_empty() => false,
                Look::Hexagons => true,
                _ => return (None, false),
            },
            _ => return (None, false),
        };
        match axes.as_slice() {
            [across, up] => (Some([across.clone(), up.clone()]), is_slanted),
            _ => (None, false),
        }
    }

    /// Whether places have neighbours in the eight directions.
    fn is_board(&self, space: DomainId) -> bool {
        let kind = self.domain(space).map(|it| &it.kind);
        matches!(
            kind,
            Some(DomainKind::Space {
                shape: Shape::Grid | Shape::Hexes | Shape::Cells(_),
                ..
            })
        )
    }

    fn no_board(&mut self, of: &str, span: Span) -> Reported {
        self.complain(
            codes::WRONG_TYPE,
            span,
            format!("{of} lies on no board with straight lines"),
            "this is for the places of a `grid` or of `hexes`",
        )
    }

    /// Checks an expression that a function stands for; what it is given is worked out once.
    fn spelled_out(
        &mut self,
        text: &str,
        known: Vec<(String, Binding)>,
        given: Vec<(&str, Expr)>,
        ty: Type,
        span: Span,
    ) -> Checked<Expr> {
        let (Some(written), _) = parse_expression(NOWHERE, text) else {
            return Err(Reported);
        };
        let mut locals = Vec::new();
        let mut names = known;
        for (name, value) in given {
            let local = self.fresh(name, value.ty, span);
            names.push((name.to_owned(), Binding::Local(local, false)));
            locals.push((local, value));
        }
        let told = self.diagnostics.len();
        let found = self.scoped(|this| {
            this.body.locals.extend(names);
            this.typed(&written, ty)
        });
        let mut whole = found.map_err(|Reported| {
            // An item of the user's own hides what it is written with.
            self.diagnostics.truncate(told);
            let message = "this cannot be worked out here";
            let help =
                "give your item that is called like a built-in function, as `ord`, another name";
            self.complain(codes::WRONG_TYPE, span, message, help)
        })?;
        placed(&mut whole, span);
        for (local, value) in locals.into_iter().rev() {
            whole = Expr {
                kind: ExprKind::Let(local, Box::new(value), Box::new(whole)),
                ty,
                span,
            };
        }
        Ok(whole)
    }
}

/// Lets what nobody wrote stand where the function is called.
fn placed(expr: &mut Expr, span: Span) {
    if expr.span.file == NOWHERE {
        expr.span = span;
    }
    change::parts_of_expr(expr, &mut |node| match node {
        NodeMut::Expr(expr) => placed(expr, span),
        NodeMut::Stmt(_) | NodeMut::Binds(_) => {}
    });
}

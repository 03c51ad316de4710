//! Built-in functions over boards that stand for longer expressions.

use crate::diagnostic::codes;
use crate::model::{
    Base, BinaryOp, Cells, DomainId, DomainKind, Expr, ExprKind, Field, Look, Near, NodeMut, Shape,
    TableId, Type, UnaryOp, change, near_of,
};
use crate::source::{FileId, Span};
use crate::syntax::{ast, parse_expression};

use super::scope::Binding;
use super::types::CALCULATED;
use super::{Checked, Checker, Reported};

/// Where an expression is written that nobody wrote.
pub(super) const NOWHERE: FileId = FileId(u16::MAX);

/// The members through which, there and back, a run of that length goes.
const ROWS: &str = "{ p in s where some { d in ways where 1 + count (walk d from p while q: q in s) \
                    + count (walk opposite(d) from p while q: q in s) >= n } }";

/// Most places of a board with holes that has rings.
const MOST_PLACES: usize = 2_048;
/// Most words of all its rings.
const MOST_WORDS: usize = 1 << 20;

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
        let ways = Expr::all(self.direction, span);
        let known = vec![(String::from("ways"), Binding::Alias(ways))];
        let given = vec![("n", least), ("s", places)];
        self.spelled_out(ROWS, known, given, Type::of(Base::Set(space)), span)
    }

    /// `ring(p, n)`: the places that a king needs n steps to on an empty board.
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
        if let Some((rings, most)) = self.rings_of(space, is_slanted, span)? {
            return Ok(self.ring_round_holes(rings, most, (middle, space), steps));
        }
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
        let all = Expr::all(space, span);
        let known = vec![(String::from("all"), Binding::Alias(all))];
        let given = vec![("n", steps), ("p", middle)];
        self.spelled_out(&text, known, given, Type::of(Base::Set(space)), span)
    }

    /// By place and number of steps the places that a king needs so many to, and the greatest such number; none where the
    /// coordinates say it, as on a board whose holes are in nobody's way.
    fn rings_of(
        &mut self,
        space: DomainId,
        is_slanted: bool,
        span: Span,
    ) -> Checked<Option<(TableId, i64)>> {
        let near = self.domain(space).and_then(|it| near_of(it, Near::Around));
        let (Some(cells), Some(near)) = (self.cells(space), near) else {
            return Ok(None);
        };
        if near.len() > MOST_PLACES {
            return Err(self.too_large_for_rings(span));
        }
        let rings: Vec<Vec<Vec<usize>>> = (0..near.len()).map(|it| rings(it, &near)).collect();
        let are_straight = rings.iter().enumerate().all(|(from, rings)| {
            let is_far = |(n, ring): (usize, &Vec<usize>)| {
                let mut ring = ring.iter();
                ring.all(|to| on_coordinates(&cells, is_slanted, from, *to) == n as u64)
            };
            rings.iter().map(Vec::len).sum::<usize>() == near.len()
                && rings.iter().enumerate().all(is_far)
        });
        if are_straight {
            return Ok(None);
        }
        let (words, n_rings) = (
            near.len().div_ceil(64),
            rings.iter().map(Vec::len).max().unwrap_or(1),
        );
        if near.len() * n_rings * words > MOST_WORDS {
            return Err(self.too_large_for_rings(span));
        }
        let most = i64::try_from(n_rings).unwrap_or(i64::MAX) - 1;
        let steps = self.range(0, most, span)?;
        let (name, index) = (String::from(".ring"), vec![space, steps]);
        let mut tables = self.game.tables.iter();
        if let Some(at) = tables.position(|it| it.name == name && it.index == index) {
            return Ok(Some((TableId(u32::try_from(at).unwrap_or(u32::MAX)), most)));
        }
        let mut bits = vec![0_i64; near.len() * n_rings * words];
        for (from, rings) in rings.iter().enumerate() {
            for (n, to) in (0..)
                .zip(rings)
                .flat_map(|(n, it)| it.iter().map(move |to| (n, to)))
            {
                if let Some(word) = bits.get_mut((from * n_rings + n) * words + to / 64) {
                    *word |= 1 << (to % 64);
                }
            }
        }
        let clause = cells.fields.first();
        let clause = clause.and_then(|it| self.game.tables.get(it.index()));
        let clause = clause.map_or(self.body.clause, |it| it.clause);
        let ty = Type::of(Base::Set(space));
        Ok(Some((self.made_table(name, index, ty, bits, clause), most)))
    }

    fn too_large_for_rings(&mut self, span: Span) -> Reported {
        self.complain(
            codes::TOO_MANY_ELEMENTS,
            span,
            "the board has too many places for rings that lead round its holes",
            "ask for `distance`, or make the board smaller",
        )
    }

    /// A ring by the table of them.
    fn ring_round_holes(
        &mut self,
        rings: TableId,
        most: i64,
        (middle, space): (Expr, DomainId),
        steps: Expr,
    ) -> Expr {
        let span = middle.span;
        let [p, n] =
            [("p", middle.ty), ("n", steps.ty)].map(|(name, ty)| self.fresh(name, ty, span));
        let made = |kind, ty| Expr { kind, ty, span };
        let both = |op, left, right| {
            let kind = ExprKind::binary(op, left, right);
            made(kind, Type::BOOL)
        };
        let number = |it| super::holders::number(it, span);
        let within = both(
            BinaryOp::And,
            both(BinaryOp::Ge, self.local(n, span), number(0)),
            both(BinaryOp::Le, self.local(n, span), number(most)),
        );
        let asked = match middle.ty.optional {
            true => {
                let kind = ExprKind::unary(UnaryOp::IsSome, self.local(p, span));
                both(BinaryOp::And, made(kind, Type::BOOL), within)
            }
            false => within,
        };
        let ty = Type::of(Base::Set(space));
        let index = vec![
            made(ExprKind::Local(p), Type::of(Base::Elem(space))),
            made(ExprKind::Local(n), super::bounds::number(0, most)),
        ];
        let found = made(ExprKind::Table(rings, index), ty);
        let nothing = made(ExprKind::SetOf(Vec::new()), ty);
        let kind = ExprKind::choice(asked, found, nothing);
        let whole = ExprKind::Let(p, Box::new(middle), Box::new(made(kind, ty)));
        made(
            ExprKind::Let(n, Box::new(steps), Box::new(made(whole, ty))),
            ty,
        )
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
            if let ExprKind::Value(_) = value.kind {
                names.push((name.to_owned(), Binding::Alias(value)));
                continue;
            }
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

/// From a place the places that are met with each step more, over sides and corners.
fn rings(from: usize, near: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut met = vec![false; near.len()];
    let mut rings = vec![vec![from]];
    met.get_mut(from).into_iter().for_each(|it| *it = true);
    loop {
        let mut next = Vec::new();
        let around = rings.last().into_iter().flatten();
        for to in around.filter_map(|it| near.get(*it)).flatten() {
            if let Some(met) = met.get_mut(*to).filter(|it| !**it) {
                *met = true;
                next.push(*to);
            }
        }
        if next.is_empty() {
            return rings;
        }
        rings.push(next);
    }
}

/// How many steps a king needs where no hole is in the way.
fn on_coordinates(cells: &Cells, is_slanted: bool, from: usize, to: usize) -> u64 {
    let [from, to] = [from, to].map(|it| cells.at.get(it).map_or(&[][..], Vec::as_slice));
    let ways = from.iter().zip(to);
    let mut ways: Vec<i64> = ways
        .map(|(one, other)| *one as i64 - *other as i64)
        .collect();
    if let ([across, up], true) = (ways.as_slice(), is_slanted) {
        ways.push(across - up);
    }
    ways.iter().map(|it| it.unsigned_abs()).max().unwrap_or(0)
}

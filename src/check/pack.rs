//! `pack field towards e into S`: what lies in each line slides over empty places.
//!
//! It is written out as loops: each line is gone through once from the end towards which things slide, and each
//! thing moves on by as many places as were passed that it slides over.

use super::family::Family;
use crate::diagnostic::codes;
use crate::model::{
    AssignOp, Base, BinaryOp, Binder, DomainId, DomainKind, Expr, ExprKind, LocalId, Move, Stmt,
    StmtKind, Type, UnaryOp, What, ZoneKind, steps_of,
};
use crate::source::Span;
use crate::syntax::ast;

use super::bounds;
use super::constant::Const;
use super::holders::number;
use super::moves::{statement, when};
use super::operator::not;
use super::thing::Thing;
use super::{Checked, Checker, Reported};

/// What is said of a zone whose things cannot slide.
const LINES: &str = "things slide in a zone that holds one at each place of a board: \
                     `zone field[Plot]: one Card`";

/// The lines of a zone, or of what of it is meant.
struct Lines {
    family: Family,
    space: DomainId,
    way: LocalId,
    span: Span,
}

impl Checker<'_> {
    #[inline(never)]
    pub(super) fn pack(
        &mut self,
        zone: &ast::Expr,
        way: &ast::Expr,
        into: Option<&ast::Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        self.effect_allowed(span)?;
        let (mut family, space) = self.packed_zone(zone)?;
        let ty = self.way_type(space, zone.span)?;
        let way = super::operator::present(self.typed(way, ty)?);
        self.some_line_ends(space, &way)?;
        let places = match into {
            Some(set) => Some(self.typed(set, Type::of(Base::Set(space)))?),
            None => None,
        };
        self.settle_family(&mut family, zone.span, out);
        let kept = self.fresh("towards", ty, way.span);
        out.push(statement(StmtKind::Let(kept, way), span));
        let over = places.map(|set| {
            let over = self.fresh("into", set.ty, set.span);
            out.push(statement(StmtKind::Let(over, set), span));
            over
        });
        let lines = Lines {
            family,
            space,
            way: kept,
            span,
        };
        let packed = self.packed_lines(&lines, over);
        out.push(packed);
        Ok(())
    }

    /// Says whether things could slide that way to an end, where the way is known.
    fn some_line_ends(&mut self, space: DomainId, way: &Expr) -> Checked<()> {
        let Some(Const::Scalar(known)) = self.constant(way) else {
            return Ok(());
        };
        let Base::Elem(ways) = way.ty.base else {
            return Ok(());
        };
        let steps = self.domain(space).zip(self.domain(ways));
        let steps = steps.and_then(|(space, ways)| steps_of(space, ways));
        let cells = usize::try_from(self.size(space)).unwrap_or(0);
        let first = usize::try_from(known).unwrap_or(0).saturating_mul(cells);
        let own = steps.as_deref().and_then(|it| it.get(first..first + cells));
        if own.is_some_and(|it| it.contains(&-1)) {
            return Ok(());
        }
        Err(self.complain(
            codes::NOT_A_PLACE,
            way.span,
            "no line of this board ends in that direction",
            "name a direction in which things come to an edge",
        ))
    }

    /// The places that are meant, and the board over which they lie.
    fn packed_zone(&mut self, zone: &ast::Expr) -> Checked<(Family, DomainId)> {
        let Thing::Family(family) = self.thing(zone, None)? else {
            let message = "this is no zone with places for things to slide over";
            return Err(self.complain(codes::NOT_A_PLACE, zone.span, message, LINES));
        };
        let Some(found) = self.game.zones.get(family.zone.index()) else {
            return Err(Reported);
        };
        let (name, is_one) = (found.name.clone(), found.kind == ZoneKind::One);
        let index = self.rest_of(&family);
        let is_board = |it: &DomainId| {
            let kind = self.domain(*it).map(|it| &it.kind);
            matches!(kind, Some(DomainKind::Space { .. }))
        };
        let boards: Vec<DomainId> = index.into_iter().filter(is_board).collect();
        match boards.as_slice() {
            [board] if is_one => Ok((family, *board)),
            _ => {
                let message = format!("in `{name}` nothing can slide");
                Err(self.complain(codes::NOT_A_PLACE, zone.span, message, LINES))
            }
        }
    }

    fn packed_lines(&mut self, lines: &Lines, over: Option<LocalId>) -> Stmt {
        let span = lines.span;
        let at_ty = Type::of(Base::Elem(lines.space)).or_none();
        let index = self.rest_of(&lines.family);
        let at = self.fresh("at", at_ty, span);
        let passed = i64::try_from(self.size(lines.space)).unwrap_or(i64::MAX);
        let shift = self.fresh("shift", bounds::number(0, passed), span);
        // All other indices are gone through as well.
        let mut binders = Vec::new();
        let mut key = Vec::new();
        let mut end = None;
        for domain in index {
            let local = self.fresh("end", self.element(domain), span);
            let is_board = domain == lines.space;
            let guard = is_board.then(|| {
                let own = self.local(local, span);
                not(
                    self.is_there(self.stepped(lines, own, number(1, span))),
                    span,
                )
            });
            binders.push(Binder::over(local, Expr::all(domain, span)).guarded(guard));
            key.push(self.local(local, span));
            if is_board {
                end = Some(key.len() - 1);
            }
        }
        let end = end.unwrap_or(0);
        let place = |cell: Expr| {
            let mut index = key.clone();
            if let Some(own) = index.get_mut(end) {
                *own = cell;
            }
            lines.family.place(index)
        };
        let here = self.local(at, span);
        let filled = Expr::truth(ExprKind::Filled(place(here.clone())), span);
        let so_far = self.local(shift, span);
        let what = What::At(place(here.clone()));
        let goal = place(self.stepped(lines, here.clone(), so_far.clone()));
        let moved = Move::new(what, goal, Vec::new());
        let moved = statement(StmtKind::Move(moved), span);
        let is_moved = Expr::truth(
            ExprKind::binary(BinaryOp::Gt, so_far, number(0, span)),
            span,
        );
        let one_more = StmtKind::SetLocal(shift, AssignOp::Add, number(1, span));
        let mut one_more = statement(one_more, span);
        if let Some(over) = over {
            let set = self.local(over, span);
            let is_over = self.membership(here.clone(), set, span);
            one_more = when(is_over, vec![one_more], Vec::new(), span);
        }
        let slide = vec![when(is_moved, vec![moved], Vec::new(), span)];
        let back = self.stepped(lines, here.clone(), number(-1, span));
        let body = vec![
            when(filled, slide, vec![one_more], span),
            statement(StmtKind::SetLocal(at, AssignOp::Set, back), span),
        ];
        let begin = key.get(end).cloned().unwrap_or(here.clone());
        let line = vec![
            statement(StmtKind::Let(at, begin), span),
            statement(StmtKind::Let(shift, number(0, span)), span),
            statement(StmtKind::While(self.is_there(here), body), span),
        ];
        statement(StmtKind::ForEach(binders, line), span)
    }

    fn stepped(&self, lines: &Lines, cell: Expr, count: Expr) -> Expr {
        let way = self.local(lines.way, lines.span);
        Expr {
            kind: ExprKind::step(cell, way, count),
            ty: Type::of(Base::Elem(lines.space)).or_none(),
            span: lines.span,
        }
    }

    fn is_there(&self, expr: Expr) -> Expr {
        let span = expr.span;
        Expr::truth(ExprKind::unary(UnaryOp::IsSome, expr), span)
    }
}

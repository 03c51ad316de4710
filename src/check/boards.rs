//! Boards whose places are listed one by one: grids with holes, hexagons, edges, drawings.
//!
//! Such a place is a number; its coordinates stand in tables, and a table says which place has which.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, codes};
use crate::limits::MOST_ELEMENTS;
use crate::model::{
    Base, BinaryOp, Cells, ClauseId, Domain, DomainId, DomainKind, Expr, ExprKind, Field, Look,
    NONE, Shape, Table, TableId, Type, UnaryOp, WAYS, step_on,
};
use crate::source::Span;
use crate::syntax::ast;

use super::constant::Const;
use super::domains::lone_name;
use super::drawing::Drawing;
use super::scope::{Binding, Body};
use super::{Checked, Checker, Entity, Reported};

impl<'a> Checker<'a> {
    /// `grid(…) where E` and `hexes(…) where E`: the places for which that is true.
    pub(super) fn holed(
        &mut self,
        it: &'a ast::SpaceDecl,
        axes: Vec<Field>,
        shape: &Shape,
        condition: &'a ast::Expr,
    ) -> Checked<DomainId> {
        let clause = self.body.clause;
        let mut locals = Vec::new();
        let mut known = Vec::new();
        for axis in &axes {
            let local = self.fresh(&axis.name, axis.ty, it.name.span);
            locals.push((axis.name.clone(), Binding::Local(local, false)));
            known.push(local);
        }
        let body = Body {
            clause,
            locals,
            ..Body::default()
        };
        let guard = self.in_body(body, |this| this.condition(condition))?;
        let [across, up] = axes.as_slice() else {
            return Err(Reported);
        };
        let (w, h) = (across.size, up.size);
        let mut at = Vec::new();
        for place in 0..w * h {
            let digits = [place / h, place % h];
            let env: Vec<_> = known
                .iter()
                .zip(&axes)
                .zip(digits)
                .map(|((local, axis), digit)| (*local, Const::Scalar(value_at(axis, digit))))
                .collect();
            if self.constant_with(&guard, &env)? != Const::Scalar(0) {
                at.push(digits.to_vec());
            }
        }
        if at.is_empty() {
            let message = format!("`{}` has no places", it.name);
            return Err(self.error(codes::TOO_MANY_ELEMENTS, condition.span, message));
        }
        let number_of = |place: u64| {
            let digits = [place / h, place % h];
            let at = at.binary_search_by(|it| it.as_slice().cmp(&digits));
            at.ok().and_then(|it| u32::try_from(it).ok())
        };
        let step = |digits: &[u64], way: (i64, i64)| {
            let from = digits.first()? * h + digits.get(1)?;
            number_of(step_on(&[w, h], shape, from, way)? as u64)
        };
        let next = at.iter().map(|digits| WAYS.map(|way| step(digits, way)));
        let six = matches!(shape, Shape::Hexes);
        let look = if six { Look::Hexagons } else { Look::Squares };
        let cells = Cells::with_steps(at.clone(), next.collect(), six, look);
        self.listed(it, axes, cells, clause)
    }

    /// `edges(Dot)`: the pairs of neighbours of another space.
    pub(super) fn edges(&mut self, it: &'a ast::SpaceDecl) -> Checked<DomainId> {
        let help = "name the space whose neighbours are joined: `edges(Dot)`";
        let Some(name) = lone_name(it) else {
            return Err(self.axes_wrong(it, help));
        };
        let dots = match self.named(name.as_str()) {
            Some(Ok(Entity::Domain(id))) => id,
            Some(Err(reported)) => return Err(reported),
            _ => return Err(self.axes_wrong(it, help)),
        };
        let Some(sides) = self.domain(dots).and_then(Domain::sides) else {
            return Err(self.axes_wrong(it, help));
        };
        let mut at = Vec::new();
        for (dot, others) in (0_u64..).zip(&sides) {
            let behind = others.iter().map(|it| *it as u64).filter(|it| *it > dot);
            let mut behind: Vec<u64> = behind.collect();
            behind.sort_unstable();
            at.extend(behind.into_iter().map(|other| vec![dot, other]));
        }
        if at.is_empty() {
            return Err(self.axes_wrong(it, help));
        }
        let ty = Type::of(Base::Elem(dots));
        let size = self.size(dots);
        let axis = |name: &str| Field {
            name: name.to_owned(),
            ty,
            size,
            stride: 1,
            default: None,
            sign: None,
        };
        let mut meeting: Vec<Vec<u32>> = vec![Vec::new(); sides.len()];
        for (edge, ends) in (0..).zip(&at) {
            for end in ends {
                if let Some(list) = usize::try_from(*end)
                    .ok()
                    .and_then(|it| meeting.get_mut(it))
                {
                    list.push(edge);
                }
            }
        }
        let near = (0_u32..).zip(&at).map(|(edge, ends)| {
            let ends = ends.iter().filter_map(|it| usize::try_from(*it).ok());
            let others = ends.filter_map(|it| meeting.get(it)).flatten();
            let mut others: Vec<u32> = others.copied().filter(|it| *it != edge).collect();
            others.sort_unstable();
            others.dedup();
            others
        });
        let cells = Cells {
            sides: near.collect(),
            corners: vec![Vec::new(); at.len()],
            next: vec![[None; 8]; at.len()],
            at,
            look: Look::Edges(dots),
            names: Vec::new(),
            fields: Vec::new(),
            place: None,
        };
        self.listed(
            it,
            vec![axis("one"), axis("other")],
            cells,
            self.body.clause,
        )
    }

    /// `drawn """ … """`: places by their names, joined by lines.
    pub(super) fn drawn(
        &mut self,
        it: &'a ast::SpaceDecl,
        text: &'a ast::Text,
    ) -> Checked<DomainId> {
        let drawing = match Drawing::read(&text.text) {
            Ok(drawing) => drawing,
            Err(wrong) => {
                // Behind the three quotes.
                let offset = |at: usize| text.span.start + 3 + u32::try_from(at).unwrap_or(0);
                let span = Span {
                    start: offset(wrong.at.start),
                    end: offset(wrong.at.end),
                    ..text.span
                };
                let diagnostic = Diagnostic::at(codes::DRAWING, span, wrong.message);
                return Err(self.report(diagnostic.help(wrong.help)));
            }
        };
        let names = drawing.names.clone();
        let next = drawing.next.clone();
        let cells = Cells {
            look: Look::Drawn(drawing.lines),
            ..Cells::with_steps(
                drawing.spots.iter().map(|it| it.to_vec()).collect(),
                next,
                false,
                Look::Squares,
            )
        };
        let cells = Cells { names, ..cells };
        self.listed(it, Vec::new(), cells, self.body.clause)
    }

    /// Adds a space whose places are listed, with the tables of its coordinates.
    fn listed(
        &mut self,
        it: &'a ast::SpaceDecl,
        axes: Vec<Field>,
        mut cells: Cells,
        clause: ClauseId,
    ) -> Checked<DomainId> {
        let size = cells.at.len() as u64;
        let product = axes
            .iter()
            .map(|it| it.size)
            .fold(1_u64, u64::saturating_mul);
        if size > MOST_ELEMENTS || product > MOST_ELEMENTS {
            let message = format!("`{}` has too many places", it.name);
            let help = "the product of its coordinates is at most 65,536";
            return Err(self.complain(codes::TOO_MANY_ELEMENTS, it.name.span, message, help));
        }
        let id = self.add_domain(Domain {
            name: it.name.text.clone(),
            lo: 0,
            size,
            kind: DomainKind::Space {
                axes: axes.clone(),
                shape: Shape::Grid,
            },
            show: None,
            span: it.name.span,
        });
        if !cells.names.is_empty() {
            let named = cells.names.iter().cloned().zip(0..);
            self.values.insert(id, named.collect());
        }
        for (number, axis) in axes.iter().enumerate() {
            let digits = cells.at.iter().filter_map(|it| it.get(number));
            let values = digits.map(|digit| value_at(axis, *digit)).collect();
            let name = format!(".{}", axis.name);
            let table = self.made_table(name, vec![id], axis.ty, values, clause);
            cells.fields.push(table);
        }
        if !axes.is_empty() {
            let index: Option<Vec<DomainId>> = axes
                .iter()
                .map(|axis| self.domain_of(axis.ty, it.name.span).ok())
                .collect();
            let mut places = vec![NONE; usize::try_from(product).unwrap_or(0)];
            for (place, digits) in (0..).zip(&cells.at) {
                let number = axes
                    .iter()
                    .zip(digits)
                    .fold(0, |all, (axis, digit)| all * axis.size + digit);
                let orders = match cells.look {
                    // The ends of an edge may be named in either order.
                    Look::Edges(_) => {
                        let turned = axes.iter().zip(digits.iter().rev());
                        let turned = turned.fold(0, |all, (axis, digit)| all * axis.size + digit);
                        vec![number, turned]
                    }
                    _ => vec![number],
                };
                for number in orders {
                    let slot = usize::try_from(number)
                        .ok()
                        .and_then(|it| places.get_mut(it));
                    if let Some(slot) = slot {
                        *slot = place;
                    }
                }
            }
            let ty = Type::of(Base::Elem(id)).or_none();
            let name = it.name.text.clone();
            let index = index.ok_or(Reported)?;
            cells.place = Some(self.made_table(name, index, ty, places, clause));
        }
        if let Some(domain) = self.game.domains.get_mut(id.index())
            && let DomainKind::Space { shape, .. } = &mut domain.kind
        {
            *shape = Shape::Cells(Arc::new(cells));
        }
        Ok(id)
    }

    pub(super) fn made_table(
        &mut self,
        name: String,
        index: Vec<DomainId>,
        ty: Type,
        cells: Vec<i64>,
        clause: ClauseId,
    ) -> TableId {
        let id = TableId(u32::try_from(self.game.tables.len()).unwrap_or(u32::MAX));
        self.game.tables.push(Table {
            name,
            index,
            ty,
            cells,
            words: 1,
            rows: Vec::new(),
            clause,
        });
        self.tables.push(None);
        self.rows_done.insert(id);
        id
    }

    /// What a space lists, if it does.
    pub(super) fn cells(&self, domain: DomainId) -> Option<Arc<Cells>> {
        match &self.domain(domain)?.kind {
            DomainKind::Space {
                shape: Shape::Cells(cells),
                ..
            } => Some(Arc::clone(cells)),
            _ => None,
        }
    }

    /// The place with these coordinates, `none` where there is none.
    pub(super) fn listed_place(
        &mut self,
        domain: DomainId,
        place: TableId,
        axes: &[Field],
        parts: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let ty = Type::of(Base::Elem(domain)).or_none();
        let none = || Expr::new(ExprKind::Value(NONE), ty, span);
        let (mut lets, mut index, mut inside) = (Vec::new(), Vec::new(), Vec::new());
        for (axis, part) in axes.iter().zip(parts) {
            let ends = match axis.ty.base {
                Base::Int(lo, hi) if !self.surely_within(axis, &part) => {
                    [(BinaryOp::Ge, lo), (BinaryOp::Le, hi)].to_vec()
                }
                _ => Vec::new(),
            };
            if ends.is_empty() && !part.ty.optional {
                index.push(part);
                continue;
            }
            let local = self.fresh("it", part.ty, part.span);
            let own = self.local(local, part.span);
            // Of what is not there no place is made.
            if part.ty.optional {
                inside.push(Expr::truth(
                    ExprKind::unary(UnaryOp::IsSome, own.clone()),
                    span,
                ));
            }
            for (op, end) in ends {
                let end = super::holders::number(end, span);
                inside.push(Expr::truth(ExprKind::binary(op, own.clone(), end), span));
            }
            index.push(own.with_type(axis.ty));
            lets.push((local, part));
        }
        let mut found = Expr::new(ExprKind::Table(place, index), ty, span);
        for cond in inside.into_iter().rev() {
            found = Expr::new(ExprKind::choice(cond, found, none()), ty, span);
        }
        for (local, part) in lets.into_iter().rev() {
            found = Expr {
                kind: ExprKind::Let(local, Box::new(part), Box::new(found)),
                ty,
                span,
            };
        }
        match self.constant(&found) {
            Some(Const::Scalar(NONE)) => {
                let name = self.domain(domain).map_or("", |it| it.name.as_str());
                let look = self.cells(domain).map(|it| it.look.clone());
                let (message, help) = match look {
                    Some(Look::Edges(_)) => (
                        format!("no `{name}` leads from the one to the other"),
                        "each leads from a place to a neighbour of it: see `neighbours(…)`",
                    ),
                    _ => (
                        format!("this lies outside `{name}`"),
                        "the declaration of the space says how far it reaches",
                    ),
                };
                Err(self.complain(codes::OUT_OF_RANGE, span, message, help))
            }
            Some(Const::Scalar(place)) => {
                Ok(Expr::new(ExprKind::Value(place), Type::of(ty.base), span))
            }
            _ => Ok(found),
        }
    }

    fn surely_within(&self, axis: &Field, value: &Expr) -> bool {
        if value.ty.optional {
            return false;
        }
        match (axis.ty.base, value.ty.base) {
            (Base::Int(lo, hi), Base::Int(a, b)) => lo <= a && b <= hi,
            _ => true,
        }
    }
}

/// The value of a coordinate with this number.
fn value_at(axis: &Field, digit: u64) -> i64 {
    let digit = i64::try_from(digit).unwrap_or(i64::MAX);
    match axis.ty.base {
        Base::Int(lo, _) => lo + digit,
        Base::Bool | Base::Elem(_) | Base::Set(_) | Base::Unit => digit,
    }
}

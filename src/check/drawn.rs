//! Drawn values: what a text stands for where a value is expected, and what lies somewhere compared with it.

use super::family::Family;
use crate::diagnostic::codes;
use crate::limits::MOST_SPOTS;
use crate::model::{
    Base, BinaryOp, DomainId, DomainKind, Expr, ExprKind, Look, NONE, Place, Shape, Type, ZoneId,
    ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast;

use super::holders::number;
use super::operator::not;
use super::signs::{Drawn, Ink, Piece, Reader};
use super::thing::Thing;
use super::{Checked, Checker, Reported};

/// What is drawn at one place of a zone with many.
pub(super) struct Spot {
    pub(super) index: Vec<i64>,
    pub(super) pieces: Vec<Piece>,
}

impl Checker<'_> {
    /// A text in the place of a value.
    pub(super) fn drawn_value(&mut self, expr: &ast::Expr, want: Option<Type>) -> Checked<Expr> {
        let span = expr.span;
        let (domain, is_set) = match want.map(|it| it.base) {
            Some(Base::Elem(domain)) => (domain, false),
            Some(Base::Set(domain)) => (domain, true),
            Some(Base::Bool | Base::Int(..)) => {
                let of = self.type_name(want.unwrap_or(Type::UNIT));
                let message = format!("a text is no value where {of} is needed");
                let help = "write numbers and truths without quotes";
                return Err(self.complain(codes::WRONG_TYPE, span, message, help));
            }
            Some(Base::Unit) | None => {
                return Err(self.complain(
                    codes::WRONG_TYPE,
                    span,
                    "a text is no value where nothing says whose signs it holds",
                    "compare it with a place or a value, give it to something, or name the value as the rules do",
                ));
            }
        };
        let ink = self.ink(expr)?;
        let mut values = Vec::new();
        for (drawn, at) in self.read_pieces(&ink, 0, domain)? {
            match drawn {
                Drawn::Kind(value, 1) => values.push(value),
                Drawn::Kind(..) => {
                    let message = "a number of things is meant where they lie, not here";
                    return Err(self.complain(
                        codes::WRONG_TYPE,
                        at,
                        message,
                        "leave the number out",
                    ));
                }
                _ => {
                    let message = "this says no value";
                    return Err(self.complain(
                        codes::UNKNOWN_SIGN,
                        at,
                        message,
                        "write signs here",
                    ));
                }
            }
        }
        if is_set {
            return Ok(self.set_of(domain, &values, span));
        }
        match values.as_slice() {
            [value] => Ok(Expr {
                kind: ExprKind::Value(*value),
                ty: Type::of(Base::Elem(domain)),
                span,
            }),
            [] if want.is_some_and(|it| it.optional) => Ok(Expr {
                kind: ExprKind::Value(NONE),
                ty: want.unwrap_or(Type::UNIT),
                span,
            }),
            values => {
                let message = match values.len() {
                    0 => "one value is needed here, and none is drawn".to_owned(),
                    n => format!("one value is needed here, and {n} are drawn"),
                };
                Err(self.complain(codes::WRONG_TYPE, span, message, "write one sign"))
            }
        }
    }

    /// A set of known elements.
    pub(super) fn set_of(&self, domain: DomainId, values: &[i64], span: Span) -> Expr {
        let ty = self.element(domain);
        let low = match ty.base {
            Base::Int(..) => self.domain(domain).map_or(0, |it| it.lo),
            _ => 0,
        };
        let element = |value: &i64| Expr::new(ExprKind::Value(low + value), ty, span);
        Expr::set(
            ExprKind::SetOf(values.iter().map(element).collect()),
            domain,
            span,
        )
    }

    /// `field == "c1 9h"`: whether that and nothing else lies there, or is the value.
    pub(super) fn as_drawn(
        &mut self,
        other: &ast::Expr,
        drawn: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        match self.thing(other, None)? {
            Thing::Place(place) => {
                let ink = self.ink(drawn)?;
                let pieces = self.read_all_lying(&ink, 0, place.zone)?;
                self.lies_there(&place, &pieces, span)
            }
            Thing::Family(family) => {
                let ink = self.ink(drawn)?;
                let spots = self.read_spots(&family, &ink)?;
                self.lie_there(&family, &spots, span)
            }
            thing => {
                let value = self.as_value(thing, None, other.span)?;
                let drawn = self.drawn_value(drawn, Some(value.ty))?;
                Ok(compare(BinaryOp::Eq, value, drawn, span))
            }
        }
    }

    pub(super) fn component_of(&self, zone: ZoneId) -> Checked<DomainId> {
        let zone = self.game.zones.get(zone.index());
        zone.map(|it| it.component).ok_or(Reported)
    }

    /// Whether these and nothing else lie at a place.
    fn lies_there(&mut self, place: &Place, pieces: &[Piece], span: Span) -> Checked<Expr> {
        let of = |kind, ty| Expr { kind, ty, span };
        let component = self.component_of(place.zone)?;
        let element = Type::of(Base::Elem(component));
        if self.zone_kind(place) == ZoneKind::One {
            let filled = of(ExprKind::Filled(place.clone()), Type::BOOL);
            return match pieces {
                [] | [(Drawn::Empty, _)] => Ok(not(filled, span)),
                [(Drawn::Any | Drawn::Some, _)] => Ok(filled),
                [(drawn @ (Drawn::Kind(value, 1) | Drawn::Lying(value, _)), at)] => {
                    let there = self.component_at(place.clone(), span);
                    let kind = Expr::new(ExprKind::Value(*value), element, *at);
                    let all = compare(BinaryOp::Eq, there, kind, span);
                    Ok(match drawn {
                        Drawn::Lying(_, fields) => self.fields_are(all, place, fields),
                        _ => all,
                    })
                }
                [(_, at), ..] => Err(self.too_many_for_one(*at)),
            };
        }
        let mut counts: Vec<(i64, i64)> = Vec::new();
        let mut others = 0;
        for (drawn, _) in pieces {
            match drawn.kind() {
                Some((value, n)) => match counts.iter_mut().find(|it| it.0 == value) {
                    Some(it) => it.1 += n,
                    None => counts.push((value, n)),
                },
                None => others += i64::from(*drawn != Drawn::Empty),
            }
        }
        let total = counts.iter().map(|it| it.1).sum::<i64>() + others;
        let most = self.capacity(place);
        let counted = Type::of(Base::Int(0, most.max(total)));
        let count = of(ExprKind::Count(place.clone()), counted);
        let mut all = compare(BinaryOp::Eq, count, number(total, span), span);
        for (value, n) in counts {
            let kind = of(ExprKind::Value(value), element);
            let there = of(ExprKind::CountOf(place.clone(), Box::new(kind)), counted);
            let op = if others > 0 {
                BinaryOp::Ge
            } else {
                BinaryOp::Eq
            };
            all = both(all, compare(op, there, number(n, span), span), span);
        }
        Ok(all)
    }

    pub(super) fn too_many_for_one(&mut self, at: Span) -> Reported {
        let message = "one thing at most lies in a place of this zone";
        self.complain(codes::DRAWING, at, message, "write one sign, or nothing")
    }

    /// Whether these and nothing else lie in the places of a zone.
    fn lie_there(&mut self, family: &Family, spots: &[Spot], span: Span) -> Checked<Expr> {
        let mut all = None;
        let is_one = self
            .game
            .zones
            .get(family.zone.index())
            .is_some_and(|it| it.kind == ZoneKind::One);
        for index in self.every_index(family, span)? {
            let spot = spots.iter().find(|it| it.index == index);
            let pieces = spot.map_or(&[][..], |it| it.pieces.as_slice());
            if is_one && matches!(pieces, [(Drawn::Any, _)]) {
                continue;
            }
            let place = self.place_in(family, &index, span);
            let here = self.lies_there(&place, pieces, span)?;
            all = Some(match all {
                Some(all) => both(all, here, span),
                None => here,
            });
        }
        Ok(all.unwrap_or(Expr::truth(ExprKind::Value(1), span)))
    }

    pub(super) fn index_of(&self, zone: ZoneId) -> Vec<DomainId> {
        let zone = self.game.zones.get(zone.index());
        zone.map_or_else(Vec::new, |it| it.index.clone())
    }

    /// All places of a family, as the numbers of what is not given of their index.
    fn every_index(&mut self, family: &Family, span: Span) -> Checked<Vec<Vec<i64>>> {
        let mut all = vec![Vec::new()];
        for domain in self.rest_of(family) {
            let size = self.size(domain);
            let many = u64::try_from(all.len())
                .unwrap_or(u64::MAX)
                .saturating_mul(size);
            if many > MOST_SPOTS {
                let message = "this zone has too many places to be drawn as a whole";
                let help = "name the place: `field[…] == \"…\"`";
                return Err(self.complain(codes::TOO_MANY_ELEMENTS, span, message, help));
            }
            let size = i64::try_from(size).unwrap_or(0);
            all = all
                .into_iter()
                .flat_map(|it: Vec<i64>| {
                    (0..size).map(move |at| it.iter().copied().chain([at]).collect())
                })
                .collect();
        }
        Ok(all)
    }

    /// A place of a zone by the numbers of its index.
    pub(super) fn place_at(
        &self,
        zone: ZoneId,
        domains: &[DomainId],
        index: &[i64],
        span: Span,
    ) -> Place {
        let index = self.index_at(domains, index, span);
        Place { zone, index }
    }

    /// A place of a family by the numbers of what is not given of its index.
    pub(super) fn place_in(&self, family: &Family, rest: &[i64], span: Span) -> Place {
        family.place(self.index_at(&self.rest_of(family), rest, span))
    }

    fn index_at(&self, domains: &[DomainId], index: &[i64], span: Span) -> Vec<Expr> {
        let part = |(domain, value): (&DomainId, &i64)| {
            let ty = self.element(*domain);
            let low = match ty.base {
                Base::Int(..) => self.domain(*domain).map_or(0, |it| it.lo),
                _ => 0,
            };
            Expr::new(ExprKind::Value(low + value), ty, span)
        };
        domains.iter().zip(index).map(part).collect()
    }

    /// Reads what is drawn of a zone with many places: rows as the board is shown, or each place with what lies there.
    pub(super) fn read_spots(&mut self, family: &Family, ink: &Ink) -> Checked<Vec<Spot>> {
        if ink.has_rows {
            return self.read_rows(family, ink);
        }
        let zone = family.zone;
        let domains = self.rest_of(family);
        let mut reader = Reader::new(ink, 0..ink.text.len(), false);
        let mut spots: Vec<Spot> = Vec::new();
        while reader.skip() {
            let is_next = match spots.last() {
                None => true,
                Some(last) if last.pieces.is_empty() => false,
                Some(_) => self.begins_place(&reader, &domains, zone)?,
            };
            if !is_next {
                let piece = self.read_lying(&mut reader, zone)?;
                if let Some(last) = spots.last_mut() {
                    last.pieces.push(piece);
                }
                continue;
            }
            let start = reader.at;
            let mut index = Vec::new();
            for domain in &domains {
                reader.skip();
                index.push(self.read_sign(&mut reader, *domain)?.0);
            }
            if spots.iter().any(|it| it.index == index) {
                let at = ink.at(&(start..reader.at));
                let help = "write what lies there behind the place once";
                return Err(self.complain(codes::DRAWING, at, "this place is drawn twice", help));
            }
            spots.push(Spot {
                index,
                pieces: Vec::new(),
            });
        }
        if let Some(last) = spots.last()
            && last.pieces.is_empty()
        {
            let help =
                "write what lies there behind the place: `\"c1 9h\"`, or `\"c1 .\"` for nothing";
            return Err(self.complain(
                codes::DRAWING,
                ink.span,
                "behind the last place nothing is drawn",
                help,
            ));
        }
        Ok(spots)
    }

    /// Whether a place stands here and not a thing; behind a comma, if it may be either.
    fn begins_place(
        &mut self,
        reader: &Reader<'_>,
        domains: &[DomainId],
        zone: ZoneId,
    ) -> Checked<bool> {
        let Some(first) = domains.first() else {
            return Ok(false);
        };
        let places = self.signs_of(*first, reader.ink.span)?;
        let component = self.component_of(zone)?;
        let things = self.signs_of(component, reader.ink.span)?;
        let is_thing = reader.sign(&things).is_some() || self.lies_next(reader, zone);
        Ok(reader.sign(&places).is_some() && (reader.behind_comma || !is_thing))
    }

    fn read_rows(&mut self, family: &Family, ink: &Ink) -> Checked<Vec<Spot>> {
        let domains = self.rest_of(family);
        let rows = match domains.as_slice() {
            [only] => self.board_rows(*only),
            _ => None,
        };
        let Some((rows, strokes)) = rows else {
            let help = "name each place with what lies there: `\"c1 9h, d2 .\"`";
            return Err(self.complain(
                codes::DRAWING,
                ink.span,
                "these places do not lie in rows",
                help,
            ));
        };
        let mut lines = Vec::new();
        let mut at = 0;
        for line in ink.text.split_inclusive('\n') {
            let mut reader = Reader::new(ink, at..at + line.len(), strokes);
            at += line.len();
            let mut pieces = Vec::new();
            while reader.skip() {
                pieces.push(self.read_lying(&mut reader, family.zone)?);
            }
            if !pieces.is_empty() {
                lines.push(pieces);
            }
        }
        if lines.len() != rows.len() {
            let message = format!(
                "{} rows are drawn, and there are {}",
                lines.len(),
                rows.len()
            );
            let help = "write each row on a line of its own, `.` for a place where nothing lies";
            return Err(self.complain(codes::DRAWING, ink.span, message, help));
        }
        let mut spots = Vec::new();
        for (line, row) in lines.into_iter().zip(rows) {
            if line.len() != row.len() {
                let (first, last) = (line.first().map(|it| it.1), line.last().map(|it| it.1));
                let span = first
                    .zip(last)
                    .map_or(ink.span, |(first, last)| first.to(last));
                let message = format!(
                    "this row has {} places, and {} are drawn",
                    row.len(),
                    line.len()
                );
                let help =
                    "write a sign for each place, `.` where nothing lies, with blanks between";
                return Err(self.complain(codes::DRAWING, span, message, help));
            }
            for (piece, place) in line.into_iter().zip(row) {
                spots.push(Spot {
                    index: vec![place],
                    pieces: vec![piece],
                });
            }
        }
        Ok(spots)
    }

    /// The places of a board in rows as it is shown, the topmost first, and whether lines are drawn between them.
    fn board_rows(&self, domain: DomainId) -> Option<(Vec<Vec<i64>>, bool)> {
        let it = self.domain(domain)?;
        let all = || (0..i64::try_from(it.size).unwrap_or(0)).collect::<Vec<i64>>();
        let DomainKind::Space { axes, shape } = &it.kind else {
            return Some((vec![all()], false));
        };
        let cells = match shape {
            Shape::Grid | Shape::Hexes => None,
            Shape::Cells(cells) => Some(cells),
            Shape::Line | Shape::Ring | Shape::Graph(_) => return Some((vec![all()], false)),
            Shape::Plane { .. } | Shape::Parts { .. } => return None,
        };
        let at: Vec<[u64; 2]> = match cells {
            None => {
                let [across, up] = axes.as_slice() else {
                    return None;
                };
                let split = |value: i64| {
                    let value = value.unsigned_abs();
                    let of =
                        |axis: &crate::model::Field| value / axis.stride.max(1) % axis.size.max(1);
                    [of(across), of(up)]
                };
                all().into_iter().map(split).collect()
            }
            Some(cells) => match cells.look {
                Look::Edges(_) => return None,
                // Lines count from the top.
                Look::Drawn(_) => cells
                    .at
                    .iter()
                    .map(|it| Some([*it.get(1)?, u64::MAX - it.first()?]))
                    .collect::<Option<_>>()?,
                Look::Squares | Look::Hexagons => cells
                    .at
                    .iter()
                    .map(|it| Some([*it.first()?, *it.get(1)?]))
                    .collect::<Option<_>>()?,
            },
        };
        let mut lines: Vec<u64> = at.iter().map(|it| it[1]).collect();
        lines.sort_unstable_by(|one, other| other.cmp(one));
        lines.dedup();
        let row = |line: &u64| {
            let mut row: Vec<(u64, i64)> = (0..)
                .zip(&at)
                .filter(|(_, it)| it[1] == *line)
                .map(|(value, it)| (it[0], value))
                .collect();
            row.sort_unstable();
            row.into_iter().map(|it| it.1).collect()
        };
        let strokes = cells.is_some_and(|it| matches!(it.look, Look::Drawn(_)));
        Some((lines.iter().map(row).collect(), strokes))
    }
}

pub(super) fn compare(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr::truth(ExprKind::binary(op, left, right), span)
}

pub(super) fn both(left: Expr, right: Expr, span: Span) -> Expr {
    compare(BinaryOp::And, left, right, span)
}

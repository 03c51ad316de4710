//! What is drawn of a place that has fields: a thing as it is printed where it lies.

use crate::model::text::Form;
use std::rc::Rc;

use crate::limits::MOST_ELEMENTS;
use crate::model::text::Said;
use crate::model::{
    AssignOp, Base, BinaryOp, Expr, ExprKind, Field, NONE, Place, Stmt, StmtKind, Type, ZoneId,
    ZoneKind,
};
use crate::source::Span;

use super::drawn::{both, compare};
use super::moves::statement;
use super::signs::{Drawn, Ink, Piece, Reader, Signs};
use super::{Checked, Checker};

/// The printed signs of things where they lie, each with the kind and the fields of the place.
#[derive(Debug, Default)]
pub(super) struct Lying {
    signs: Signs,
    ways: Vec<(i64, Vec<i64>)>,
}

/// All values that a field of a place may have; none where there are too many.
fn values_of(checker: &Checker<'_>, field: &Field) -> Option<Vec<i64>> {
    let mut values: Vec<i64> = match field.ty.base {
        Base::Bool => vec![0, 1],
        Base::Int(low, high) if high.checked_sub(low)? < MOST_ELEMENTS as i64 => {
            (low..=high).collect()
        }
        Base::Elem(id) if checker.size(id) <= MOST_ELEMENTS => {
            (0..i64::try_from(checker.size(id)).ok()?).collect()
        }
        _ => return None,
    };
    if field.ty.optional {
        values.push(NONE);
    }
    Some(values)
}

impl Checker<'_> {
    /// The signs of what lies in the places of a zone, if these have fields that can be drawn.
    fn signs_on(&mut self, zone: ZoneId) -> Option<Rc<Lying>> {
        if let Some(known) = self.lying_known.get(&zone) {
            return known.clone();
        }
        self.show_kinds();
        let found = self.lying_on(zone).map(Rc::new);
        self.lying_known.insert(zone, found.clone());
        found
    }

    fn lying_on(&self, zone: ZoneId) -> Option<Lying> {
        let zone = self.game.zones.get(zone.index())?;
        if zone.kind != ZoneKind::One || zone.fields.is_empty() {
            return None;
        }
        let kinds = i64::try_from(self.size(zone.component)).ok()?;
        let fields: Option<Vec<Vec<i64>>> =
            zone.fields.iter().map(|it| values_of(self, it)).collect();
        let fields = fields?;
        let many = fields.iter().try_fold(kinds, |all, it| {
            all.checked_mul(i64::try_from(it.len()).ok()?)
        })?;
        if many > MOST_ELEMENTS as i64 {
            return None;
        }
        let mut ways: Vec<(i64, Vec<i64>)> = (0..kinds).map(|it| (it, Vec::new())).collect();
        for values in fields {
            let more = |(kind, before): (i64, Vec<i64>)| {
                let with = values.iter().map(move |it| {
                    let before = before.iter().copied();
                    (kind, before.chain([*it]).collect())
                });
                with.collect::<Vec<_>>()
            };
            ways = ways.into_iter().flat_map(more).collect();
        }
        let nowhere = |_, _| None;
        let mut signs = Signs::default();
        for form in Form::WRITTEN {
            let said = Said::new(&self.game, &nowhere, form);
            for (at, (kind, fields)) in (0..).zip(&ways) {
                signs.add(said.lying(zone, Some(*kind), fields).join("/"), at);
            }
        }
        Some(Lying { signs, ways })
    }

    /// Whether what lies in a place of a zone may stand here, as it is printed there.
    pub(super) fn lies_next(&mut self, reader: &Reader<'_>, zone: ZoneId) -> bool {
        let lying = self.signs_on(zone);
        lying.is_some_and(|it| reader.sign(&it.signs).is_some())
    }

    /// Reads the next piece of what lies in a place of a zone.
    pub(super) fn read_lying(&mut self, reader: &mut Reader<'_>, zone: ZoneId) -> Checked<Piece> {
        let component = self.component_of(zone)?;
        let Some(lying) = self.signs_on(zone) else {
            return self.read_piece(reader, component);
        };
        let signs = self.signs_of(component, reader.ink.span)?;
        let alone = reader.sign(&signs).map_or(0, |it| it.0);
        match reader.sign(&lying.signs) {
            Some((length, [way])) if length >= alone => {
                let way = usize::try_from(*way).ok().and_then(|it| lying.ways.get(it));
                let (kind, fields) = way.cloned().unwrap_or_default();
                Ok((Drawn::Lying(kind, fields), reader.pass(length)))
            }
            Some((length, ways)) if length > alone => {
                let many = ways.len();
                let span = reader.pass(length);
                Err(self.ambiguous_sign(span, component, many))
            }
            _ if alone == 0 && !reader.is_at_mark() => {
                Err(self.unknown_sign(reader, component, &lying.signs))
            }
            _ => self.read_piece(reader, component),
        }
    }

    /// Reads all pieces of what lies in a place of a zone.
    pub(super) fn read_all_lying(
        &mut self,
        ink: &Ink,
        from: usize,
        zone: ZoneId,
    ) -> Checked<Vec<Piece>> {
        self.read_each(ink, from, |this, reader| this.read_lying(reader, zone))
    }

    /// The fields of a place with the values that are drawn of them.
    fn drawn_fields(&self, place: &Place, fields: &[i64], span: Span) -> Vec<(Expr, Expr)> {
        let zone = self.game.zones.get(place.zone.index());
        let types = zone.into_iter().flat_map(|it| &it.fields).map(|it| it.ty);
        let pair = |(at, (ty, value)): (usize, (Type, &i64))| {
            let of = |kind| Expr { kind, ty, span };
            let there = of(ExprKind::PlaceField(place.clone(), at));
            (there, of(ExprKind::Value(*value)))
        };
        types.zip(fields).enumerate().map(pair).collect()
    }

    /// Whether the fields of a place are as they are drawn.
    pub(super) fn fields_are(&self, whether: Expr, place: &Place, fields: &[i64]) -> Expr {
        let span = whether.span;
        let pairs = self.drawn_fields(place, fields, span).into_iter();
        pairs.fold(whether, |all, (there, value)| {
            both(all, compare(BinaryOp::Eq, there, value, span), span)
        })
    }

    /// Makes the fields of a place what is drawn of them.
    pub(super) fn lay_fields(
        &self,
        place: &Place,
        fields: &[i64],
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        let pairs = self.drawn_fields(place, fields, span).into_iter();
        out.extend(pairs.enumerate().map(|(at, (_, value))| {
            statement(
                StmtKind::SetField(place.clone(), at, AssignOp::Set, value),
                span,
            )
        }));
    }
}

//! Where components go, and the fields of their places.

use super::Gen;
use crate::engine::layout::span_of;
use crate::engine::op::{Op, Reg, zone16};
use crate::model::{Expr, NONE, Place, Type, ZoneKind};

/// Where a component goes, worked out.
pub(super) struct Landing {
    pub zone: u16,
    pub place: Reg,
    pub values: Vec<(u16, Reg)>,
}

impl Gen<'_, '_> {
    /// Fields of the old place that the new one has too and the move does not set.
    pub(super) fn carried_fields(
        &mut self,
        from: &Place,
        at: Reg,
        to: &Place,
        with: &[(usize, Expr)],
    ) -> Vec<(usize, Reg)> {
        let game = self.shared.game;
        let (Some(old), Some(new)) = (
            game.zones.get(from.zone.index()),
            game.zones.get(to.zone.index()),
        ) else {
            return Vec::new();
        };
        if old.kind != ZoneKind::One {
            return Vec::new();
        }
        let mut carried = Vec::new();
        for (goal, field) in new.fields.iter().enumerate() {
            let given = with.iter().any(|(f, _)| *f == goal);
            let source = old
                .fields
                .iter()
                .position(|f| f.name == field.name && f.ty == field.ty);
            if let Some(source) = source.filter(|_| !given) {
                let d = self.temp();
                let source = u16::try_from(source).unwrap_or(u16::MAX);
                self.op(Op::GetField {
                    d,
                    zone: zone16(from.zone),
                    place: at,
                    field: source,
                });
                carried.push((goal, d));
            }
        }
        carried
    }

    /// Where a component goes and with which fields: as things are before it is taken.
    pub(super) fn landing(
        &mut self,
        to: &Place,
        with: &[(usize, Expr)],
        carried: &[(usize, Reg)],
    ) -> Landing {
        let values = self.landing_fields(to, with, carried);
        Landing {
            zone: zone16(to.zone),
            place: self.place_reg(to),
            values,
        }
    }

    pub(super) fn landing_fields(
        &mut self,
        to: &Place,
        with: &[(usize, Expr)],
        carried: &[(usize, Reg)],
    ) -> Vec<(u16, Reg)> {
        let zone = self.shared.game.zones.get(to.zone.index());
        let fields = zone.map(|it| it.fields.clone());
        let mut values = Vec::new();
        for (at, field) in fields.unwrap_or_default().iter().enumerate() {
            let given = with.iter().find(|(f, _)| *f == at);
            let given = given.map(|(_, value)| value);
            let carried = carried.iter().find(|(f, _)| *f == at).map(|(_, reg)| *reg);
            let reg = match (given, carried, &field.default) {
                (Some(value), _, _) => {
                    let reg = self.value(value);
                    self.check_bounds(reg, value.ty, field.ty);
                    reg
                }
                (None, Some(reg), _) => reg,
                (None, None, Some(default)) => self.value(default),
                (None, None, None) => self.least_of(field.ty),
            };
            values.push((u16::try_from(at).unwrap_or(u16::MAX), reg));
        }
        values
    }

    /// Puts a component down, with the fields of its place.
    pub(super) fn put(&mut self, landing: Landing, kind: Reg) {
        let Landing {
            zone,
            place,
            values,
        } = landing;
        self.op(Op::Put { zone, place, kind });
        self.put_fields(zone, place, values);
    }

    pub(super) fn put_fields(&mut self, zone: u16, place: Reg, values: Vec<(u16, Reg)>) {
        for (field, a) in values {
            self.op(Op::PutField {
                zone,
                place,
                field,
                a,
            });
        }
    }

    pub(super) fn least_of(&mut self, ty: Type) -> Reg {
        let lo = span_of(self.shared.game, ty).map_or(0, |(lo, _)| lo);
        self.constant(if ty.optional { NONE } else { lo })
    }
}

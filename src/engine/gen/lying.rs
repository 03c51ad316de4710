//! What lies at places: components, their fields, kinds and numbers.

use super::Gen;
use super::place::Index;
use crate::engine::layout::{Contents, List, Store, Values};
use crate::engine::op::{FaultKind, Op, PlaneOp, Reg, zone16};
use crate::model::{Place, ZoneId};

impl Gen<'_, '_> {
    /// The component at a place.
    pub(super) fn component_to(&mut self, place: &Place, d: Reg) {
        if let Some((list, entry)) = self.entry(place) {
            // Absent in stored form is 0, and so is all of entry 0.
            let kind = list.kind;
            return self.load(kind, Index::Inside(entry), d);
        }
        let at = self.place(place);
        let slot = self.shared.layout.zone(place.zone).map(|s| &s.store);
        if let (
            Index::Fixed(_) | Index::Inside(_),
            Some(Store::One {
                kind: Values::Lanes(array),
                ..
            }),
        ) = (at, slot)
        {
            // 0 is absent in stored form, and an empty place holds 0.
            let array = *array;
            self.load(array, at, d);
            return;
        }
        let i = self.index_reg(at);
        self.op(Op::Peek {
            d,
            zone: zone16(place.zone),
            place: i,
        });
    }

    /// The set of filled places of a zone, if its places are single components.
    pub(super) fn filled_set(&self, zone: ZoneId) -> Option<Reg> {
        match &self.shared.layout.zone(zone)?.store {
            Store::One { filled, .. } => Some(*filled),
            Store::List(list) => list.filled,
            Store::Bag(_) | Store::Pile { .. } => None,
        }
    }

    /// Of a zone that is a list: the entry of a place, 0 where nothing lies.
    pub(super) fn entry(&mut self, place: &Place) -> Option<(&List, Reg)> {
        let layout = self.shared.layout;
        let Store::List(list) = &layout.zone(place.zone)?.store else {
            return None;
        };
        let at = self.place_reg(place);
        let d = self.temp();
        self.op(Op::Plane(PlaneOp::Entry {
            d,
            zone: zone16(place.zone),
            place: at,
        }));
        Some((list, d))
    }

    /// A field of a filled place; a fault where nothing lies.
    pub(super) fn place_field_to(&mut self, place: &Place, field: usize, d: Reg) {
        if let Some((list, entry)) = self.entry(place) {
            let Some(array) = list.fields.get(field).copied() else {
                return self.fail(FaultKind::Absent);
            };
            let (one, most) = (self.constant(1), self.constant(i64::from(u16::MAX)));
            self.op(Op::Check {
                a: entry,
                lo: one,
                hi: most,
                fault: FaultKind::Absent,
            });
            return self.load(array, Index::Inside(entry), d);
        }
        let at = self.place_reg(place);
        let field = u16::try_from(field).unwrap_or(u16::MAX);
        self.op(Op::GetField {
            d,
            zone: zone16(place.zone),
            place: at,
            field,
        });
    }

    pub(super) fn filled_to(&mut self, place: &Place, d: Reg) {
        if self.filled_set(place.zone).is_none()
            && let Some((_, entry)) = self.entry(place)
        {
            let zero = self.constant(0);
            return self.op(Op::Ne {
                d,
                a: entry,
                b: zero,
            });
        }
        let at = self.place(place);
        let words = self
            .shared
            .layout
            .zone(place.zone)
            .map_or(1, |s| s.place_words);
        if let Some(set) = self.filled_set(place.zone) {
            let e = self.index_reg(at);
            if words == 1 {
                self.op(Op::Has { d, set, e });
            } else {
                self.op(Op::WideHas {
                    d,
                    set,
                    e,
                    n: words,
                });
            }
            return;
        }
        let place_at = self.index_reg(at);
        let n = self.temp();
        self.op(Op::Size {
            d: n,
            zone: zone16(place.zone),
            place: place_at,
        });
        let zero = self.constant(0);
        self.op(Op::Ne { d, a: n, b: zero });
    }

    /// Where the kinds of a place lie as a set already, and its words.
    pub(super) fn kinds_register(&mut self, place: &Place) -> Option<(Reg, u16)> {
        let slot = self.shared.layout.zone(place.zone)?;
        let (base, words) = match &slot.store {
            Store::Bag(Contents::Bits(base))
            | Store::Pile {
                contents: Contents::Bits(base),
                ..
            } => (*base, slot.kind_words),
            Store::Bag(Contents::Counts { .. })
            | Store::Pile {
                contents: Contents::Counts { .. },
                ..
            }
            | Store::One { .. }
            | Store::List(_) => return None,
        };
        let set = match self.place(place) {
            Index::Fixed(at) => base.checked_add(u16::try_from(at).ok()?.checked_mul(words)?)?,
            Index::Inside(i) => {
                let d = self.temps(words);
                if words == 1 {
                    self.op(Op::Load { d, base, i });
                } else {
                    self.op(Op::LoadWide {
                        d,
                        base,
                        i,
                        n: words,
                    });
                }
                d
            }
            Index::Maybe(_) => return None,
        };
        Some((set, words))
    }

    pub(super) fn kinds_to(&mut self, place: &Place, d: Reg) {
        if let Some((set, n)) = self.kinds_register(place) {
            return self.mov_n(d, set, n);
        }
        let at = self.place_reg(place);
        self.op(Op::Kinds {
            d,
            zone: zone16(place.zone),
            place: at,
        });
    }

    pub(super) fn size_to(&mut self, place: &Place, d: Reg) {
        if let Some((set, n)) = self.kinds_register(place) {
            return self.count_to(set, n, d);
        }
        let at = self.place_reg(place);
        self.op(Op::Size {
            d,
            zone: zone16(place.zone),
            place: at,
        });
    }

    pub(super) fn count_to(&mut self, set: Reg, n: u16, d: Reg) {
        if n == 1 {
            self.op(Op::Count { d, a: set });
        } else {
            self.op(Op::WideCount { d, a: set, n });
        }
    }
}

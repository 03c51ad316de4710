//! How much room tracks and zones take: each gets the words that come next.

use super::{
    Array, Contents, Lane, List, Store, TrackSlot, Values, ZoneSlot, places_of, span_of, words_for,
    words_of,
};
use crate::engine::op::{CONSTS, Reg, TEMPS};
use crate::model::{Base, DomainKind, Field, Game, Shape, Track, Type, Visibility, Zone, ZoneKind};

/// Most places of an array that gets a word per element.
const WORD_ARRAY: u64 = 8;
/// Most values of a field that is kept as one set of places per value.
const SET_VALUES: u64 = 4;
/// Fewest places of a zone that may be a list.
const LIST_PLACES: u64 = 256;

/// Whether a zone lies over a plane.
fn over_plane(game: &Game, zone: &Zone) -> bool {
    let [space] = zone.index.as_slice() else {
        return false;
    };
    let domain = game.domains.get(space.index());
    domain.is_some_and(|domain| {
        matches!(
            &domain.kind,
            DomainKind::Space {
                shape: Shape::Plane { .. },
                ..
            }
        )
    })
}

/// The words of the state block that are still free.
pub(super) struct Room {
    at: Reg,
    planes: u16,
}

impl Room {
    /// Everything from an address on.
    pub fn from(at: Reg) -> Self {
        Self { at, planes: 0 }
    }

    /// The first free word.
    pub fn next(&self) -> Reg {
        self.at
    }

    pub fn words(&mut self, n: u64) -> Option<Reg> {
        let base = self.at;
        let end = u64::from(base) + n;
        if end >= u64::from(TEMPS.min(CONSTS)) {
            return None;
        }
        self.at = u16::try_from(end).ok()?;
        Some(base)
    }

    fn array(&mut self, game: &Game, ty: Type, len: u64, whole_words: bool) -> Option<Array> {
        let (lo, n) = span_of(game, ty).unwrap_or((0, u64::MAX));
        let values = n.saturating_add(u64::from(ty.optional));
        let (lane, per_word) = if whole_words && len <= WORD_ARRAY || values > 65_536 {
            (Lane::Word, 1)
        } else if values <= 256 {
            (Lane::Byte, 8)
        } else {
            (Lane::Half, 4)
        };
        let base = self.words(len.div_ceil(per_word))?;
        Some(Array {
            base,
            lane,
            lo,
            optional: ty.optional,
        })
    }

    pub fn track(&mut self, game: &Game, track: &Track) -> Option<TrackSlot> {
        let len = places_of(game, &track.index);
        if let Base::Set(_) = track.ty.base {
            let set_words = words_of(game, track.ty);
            let base = self.words(len.checked_mul(u64::from(set_words))?)?;
            let array = Array {
                base,
                lane: Lane::Word,
                lo: 0,
                optional: false,
            };
            return Some(TrackSlot {
                array,
                set_words,
                len: u32::try_from(len).ok()?,
            });
        }
        let array = self.array(game, track.ty, len, true)?;
        Some(TrackSlot {
            array,
            set_words: 0,
            len: u32::try_from(len).ok()?,
        })
    }

    pub fn zone(
        &mut self,
        game: &Game,
        zone: &Zone,
        copies: &[u32],
        ordered: bool,
        shown: bool,
    ) -> Option<ZoneSlot> {
        let places = places_of(game, &zone.index);
        let kinds = game.domains.get(zone.component.index())?.size;
        let place_words = words_for(places);
        let kind_words = words_for(kinds);
        let total: u64 = copies.iter().map(|n| u64::from(*n)).sum();
        let plane = over_plane(game, zone);
        let sparse = plane || places >= LIST_PLACES && total.saturating_mul(4) <= places;
        let store = match zone.kind {
            ZoneKind::One if sparse && places <= 65_536 => {
                Store::List(self.list(game, zone, places.min(total), place_words, plane)?)
            }
            ZoneKind::One => {
                let filled = self.words(u64::from(place_words))?;
                let component = Type::of(Base::Elem(zone.component));
                let kind = if kinds <= SET_VALUES {
                    self.values(game, component, places)?
                } else {
                    // Absent in stored form is 0, so that an empty place reads as no component.
                    let place = component.or_none();
                    Values::Lanes(self.array(game, place, places, false)?)
                };
                let fields = zone
                    .fields
                    .iter()
                    .map(|field: &Field| self.values(game, field.ty, places))
                    .collect::<Option<Vec<_>>>()?;
                Store::One {
                    filled,
                    kind,
                    fields,
                }
            }
            ZoneKind::Bag | ZoneKind::Pile => {
                let contents = if copies.iter().all(|n| *n <= 1) {
                    Contents::Bits(self.words(places.checked_mul(u64::from(kind_words))?)?)
                } else {
                    let wide = copies.iter().any(|n| *n > 0xff);
                    let in_a_word = if wide { 4 } else { 8 };
                    let words = places.checked_mul(kinds)?.div_ceil(in_a_word);
                    Contents::Counts {
                        base: self.words(words)?,
                        wide,
                    }
                };
                if zone.kind == ZoneKind::Pile && ordered {
                    let most = zone.capacity.map_or(total, |cap| total.min(u64::from(cap)));
                    let stride = 1 + most.div_ceil(4);
                    let order = self.words(places.checked_mul(stride)?)?;
                    Store::Pile {
                        contents,
                        order,
                        stride: u16::try_from(stride).ok()?,
                    }
                } else {
                    Store::Bag(contents)
                }
            }
        };
        let known = if shown && zone.visibility != Visibility::Open {
            Some(self.words(u64::from(game.n_seats) * u64::from(place_words))?)
        } else {
            None
        };
        let capacity = match zone.kind {
            ZoneKind::One => 1,
            ZoneKind::Bag | ZoneKind::Pile => zone.capacity.unwrap_or(u32::MAX),
        };
        Some(ZoneSlot {
            places: u32::try_from(places).ok()?,
            enough: total >= places,
            copies: copies.iter().copied().max().unwrap_or_default(),
            of_kind: copies.into(),
            total,
            kinds: u32::try_from(kinds).ok()?,
            kind_words,
            place_words,
            capacity,
            seats: game.n_seats,
            work: store.work(kinds, kind_words),
            store,
            known,
        })
    }

    fn list(
        &mut self,
        game: &Game,
        zone: &Zone,
        cap: u64,
        place_words: u16,
        plane: bool,
    ) -> Option<List> {
        let entries = cap.checked_add(1)?;
        let used = self.words(1)?;
        let cells = self.words(entries.div_ceil(4))?;
        let component = Type::of(Base::Elem(zone.component)).or_none();
        let kind = self.array(game, component, entries, false)?;
        let fields = zone
            .fields
            .iter()
            .map(|field| self.array(game, field.ty, entries, false))
            .collect::<Option<Vec<_>>>()?;
        let (filled, plane) = if plane {
            self.planes += 1;
            (None, Some(self.planes - 1))
        } else {
            (Some(self.words(u64::from(place_words))?), None)
        };
        Some(List {
            used,
            cap: u16::try_from(cap).ok()?,
            cells,
            kind,
            fields,
            filled,
            plane,
        })
    }

    fn values(&mut self, game: &Game, ty: Type, places: u64) -> Option<Values> {
        let (lo, n) = span_of(game, ty)?;
        if n == 1 && !ty.optional {
            return Some(Values::Single(lo));
        }
        if n <= SET_VALUES && !ty.optional {
            let base = self.words(n * u64::from(words_for(places)))?;
            return Some(Values::Sets {
                base,
                n: u16::try_from(n).ok()?,
                lo,
            });
        }
        Some(Values::Lanes(self.array(game, ty, places, false)?))
    }
}

//! Where everything lies in the state block.
//!
//! Scalars and sets are whole words, so that they are registers; arrays over larger domains are
//! packed into bytes. What the rulebook cannot observe is not stored: a pile whose top nobody reads
//! is a bag, a component that exists once is a bit.

mod observed;
mod room;

use std::sync::Arc;

use super::op::{Reg, word};
use crate::model::{Base, DomainId, Game, Shape, Type, ZoneId};
use observed::Observed;
use room::Room;

/// Addresses of a game's state.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// By track.
    pub tracks: Vec<TrackSlot>,
    /// By zone.
    pub zones: Vec<ZoneSlot>,
    /// Results: `keys` words for each seat.
    pub outcome: Reg,
    /// Keys of a ranking that are kept per seat.
    pub keys: u16,
    /// First word behind what `repeated()` compares.
    pub position_end: Reg,
    /// Remembered positions: the first word, and how many they are at most.
    pub history: Option<(Reg, u16)>,
    /// How many seats there are.
    pub seats: u64,
    /// First word for frames of flows.
    pub frames: Reg,
    /// Zones over planes.
    pub planes: Vec<PlaneLayout>,
    /// Spaces of parts that meet at ports.
    pub parts: Vec<PartsLayout>,
    /// By several indices: the record of these.
    pub products: Vec<(Vec<DomainId>, DomainId)>,
    /// Zones where something may lie in no order.
    pub loose: Vec<ZoneId>,
    /// Zones in which something is laid during play.
    pub laid: Vec<ZoneId>,
}

/// A space of parts that meet at ports.
#[derive(Clone, Debug)]
pub struct PartsLayout {
    /// The space.
    pub domain: DomainId,
    /// The zone over the plane.
    pub zone: u16,
    /// Parts of a component.
    pub slots: u16,
    /// Ports of a component, as many on each of its four sides.
    pub ports: u16,
    /// The field of the zone that says by how many sides a component is turned.
    pub turn: Option<usize>,
    /// By kind and slot: the ports of the part as it is printed.
    pub of_part: Vec<u64>,
    /// By kind and port as printed: the slots that come out there.
    pub at_port: Vec<u64>,
    /// By port as it lies: its side, and the port of a neighbour there that faces it.
    pub across: Vec<(u8, u8)>,
}

/// A zone over a plane, as its cache needs to know it.
#[derive(Clone, Debug)]
pub struct PlaneLayout {
    /// The zone.
    pub zone: u16,
    /// Coordinates wrap at this number.
    pub span: u32,
    /// Whether the plane is narrower than what can be laid in a row.
    pub bounded: bool,
}

/// How an array of values is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// A word each: the value itself.
    Word,
    /// A byte each, in stored form: `value - lo`, or one more with 0 for absent.
    Byte,
    /// Two bytes each, in stored form.
    Half,
}

/// An array of values.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// First word.
    pub base: Reg,
    /// Width.
    pub lane: Lane,
    /// Stored form: least value.
    pub lo: i64,
    /// Whether 0 means absent.
    pub optional: bool,
}

impl Array {
    /// How many bytes each value has.
    #[must_use]
    pub fn bytes(&self) -> u8 {
        match self.lane {
            Lane::Byte => 1,
            Lane::Half => 2,
            Lane::Word => 8,
        }
    }
}

/// A track.
#[derive(Clone, Copy, Debug)]
pub struct TrackSlot {
    /// Its values; for sets, `words` words each.
    pub array: Array,
    /// Words of a value that is a set, else 0.
    pub set_words: u16,
    /// Number of values.
    pub len: u32,
}

/// A zone.
#[derive(Clone, Debug)]
pub struct ZoneSlot {
    /// Number of places.
    pub places: u32,
    /// Whether there are components enough for all of them.
    pub enough: bool,
    /// Number of kinds of its component.
    pub kinds: u32,
    /// Most copies of one kind that there are.
    pub copies: u32,
    /// How many there are of each kind.
    pub of_kind: Arc<[u32]>,
    /// Number of all copies that there are.
    pub total: u64,
    /// Words of a set of kinds.
    pub kind_words: u16,
    /// Words of a set of places.
    pub place_words: u16,
    /// Most components in a place.
    pub capacity: u32,
    /// Number of seats of the game.
    pub seats: u32,
    /// How much there is to look through for an operation on one place.
    pub work: u64,
    /// Its contents.
    pub store: Store,
    /// For zones of which something is shown: for each seat a set of places whose contents it knows.
    pub known: Option<Reg>,
}

/// Contents of a zone.
#[derive(Clone, Debug)]
pub enum Store {
    /// One component at most per place.
    One {
        /// The set of filled places.
        filled: Reg,
        /// Which component.
        kind: Values,
        /// Fields of the place.
        fields: Vec<Values>,
    },
    /// One component at most per place, few places filled: a list of what lies somewhere.
    List(List),
    /// Any number.
    Bag(Contents),
    /// Any number, with an ordered part on top: the topmost is the last.
    Pile {
        /// Everything in it.
        contents: Contents,
        /// Per place: a word with the length, then kinds, two bytes each.
        order: Reg,
        /// Words per place.
        stride: u16,
    },
}

/// What lies somewhere, entry by entry from 1 on; entry 0 stays empty and stands for an empty place.
#[derive(Clone, Debug)]
pub struct List {
    /// The last entry in use.
    pub used: Reg,
    /// Most entries.
    pub cap: u16,
    /// The place of each entry, two bytes each.
    pub cells: Reg,
    /// Which component, absent where the entry is free.
    pub kind: Array,
    /// Fields of the place.
    pub fields: Vec<Array>,
    /// The set of filled places; a plane has too many for one.
    pub filled: Option<Reg>,
    /// The plane, whose entries keep their numbers; other lists are sorted by place.
    pub plane: Option<u16>,
}

/// One value for each place.
#[derive(Clone, Debug)]
pub enum Values {
    /// There is only this value.
    Single(i64),
    /// A set of places per value, the first value's first.
    Sets {
        /// First word.
        base: Reg,
        /// Number of values.
        n: u16,
        /// Least value.
        lo: i64,
    },
    /// An array.
    Lanes(Array),
}

/// Components of a bag.
#[derive(Clone, Copy, Debug)]
pub enum Contents {
    /// Each kind at most once: a set of kinds per place.
    Bits(Reg),
    /// A number per place and kind.
    Counts {
        /// First word.
        base: Reg,
        /// Whether a number takes two bytes, not one.
        wide: bool,
    },
}

/// Why a game has no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// What did not fit, as written.
    pub name: String,
}

impl Layout {
    /// Lays out a game. `copies[component][kind]` is how many copies the supplies put into play.
    ///
    /// # Errors
    /// The name of the zone or track that does not fit into the state block.
    pub fn of(game: &Game, copies: &dyn Fn(DomainId) -> Vec<u32>) -> Result<Self, TooLarge> {
        let mut next = Room::from(word::FREE);
        let mut layout = Self::default();
        let observed = Observed::of(game);
        let keeps = game.history > 0 && observed.repeated;
        let mut tracks = vec![None; game.tracks.len()];
        let mut zones = vec![None; game.zones.len()];
        // What makes no position of its own lies behind what does.
        for passing in [false, true] {
            for (at, track) in game.tracks.iter().enumerate() {
                let mut of = game.passing.tracks.iter();
                if (keeps && of.any(|it| it.index() == at)) != passing {
                    continue;
                }
                let slot = next.track(game, track);
                if let Some(own) = tracks.get_mut(at) {
                    *own = Some(slot.ok_or_else(|| too_large(&track.name))?);
                }
            }
            for (at, zone) in game.zones.iter().enumerate() {
                let mut of = game.passing.zones.iter();
                if (keeps && of.any(|it| it.index() == at)) != passing {
                    continue;
                }
                let id = ZoneId(u32::try_from(at).unwrap_or(u32::MAX));
                let slot = next.zone(
                    game,
                    zone,
                    &copies(zone.component),
                    observed.ordered(id),
                    observed.shown(id),
                );
                if let Some(own) = zones.get_mut(at) {
                    *own = Some(slot.ok_or_else(|| too_large(&zone.name))?);
                }
            }
            if !passing {
                layout.position_end = next.next();
            }
        }
        layout.tracks = tracks.into_iter().flatten().collect();
        layout.zones = zones.into_iter().flatten().collect();
        layout.planes = planes_of(game, &layout);
        layout.loose = observed.loose;
        layout.laid = observed.laid;
        if keeps {
            let cap = u16::try_from(game.history).map_err(|_| too_large("history"))?;
            let base = next
                .words(u64::from(cap) + super::past::BESIDE)
                .ok_or_else(|| too_large("history"))?;
            layout.history = Some((base, cap));
            layout.seats = u64::from(game.n_seats);
        }
        layout.keys = observed.keys.max(1);
        layout.outcome = next
            .words(u64::from(game.n_seats) * u64::from(layout.keys))
            .ok_or_else(|| too_large("ranking"))?;
        layout.frames = next.next();
        Ok(layout)
    }

    /// Whether a pile that holds something has a top: nothing in it is in no order.
    #[must_use]
    pub fn has_top(&self, zone: ZoneId) -> bool {
        let is_pile = self
            .zone(zone)
            .is_some_and(|it| matches!(it.store, Store::Pile { .. }));
        is_pile && !self.loose.contains(&zone)
    }

    /// Whether something in a pile may lie in a known order.
    #[must_use]
    pub fn may_have_top(&self, zone: ZoneId) -> bool {
        let store = self.zone(zone).map(|it| &it.store);
        matches!(store, Some(Store::Pile { .. })) && self.laid.contains(&zone)
    }

    /// The zone's slot.
    #[must_use]
    pub fn zone(&self, zone: ZoneId) -> Option<&ZoneSlot> {
        self.zones.get(zone.index())
    }
}

fn too_large(name: &str) -> TooLarge {
    TooLarge {
        name: name.to_owned(),
    }
}

/// Words that hold a set over `size` elements.
#[must_use]
pub fn words_for(size: u64) -> u16 {
    u16::try_from(size.div_ceil(64).max(1)).unwrap_or(u16::MAX)
}

/// Number of values of a type, with the least of them; `None` for sets.
#[must_use]
pub fn span_of(game: &Game, ty: Type) -> Option<(i64, u64)> {
    let (lo, n) = match ty.base {
        Base::Bool => (0, 2),
        Base::Int(lo, hi) => (lo, u64::try_from(hi.checked_sub(lo)?).ok()?.checked_add(1)?),
        Base::Elem(domain) => (0, game.domains.get(domain.index())?.size),
        Base::Unit => (0, 1),
        Base::Set(_) => return None,
    };
    Some((lo, n))
}

/// Words of a value of a type: sets have more than one.
#[must_use]
pub fn words_of(game: &Game, ty: Type) -> u16 {
    match ty.base {
        Base::Set(domain) => words_for(game.domains.get(domain.index()).map_or(1, |d| d.size)),
        Base::Bool | Base::Int(..) | Base::Elem(_) | Base::Unit => 1,
    }
}

/// Number of combinations of an index.
#[must_use]
pub fn places_of(game: &Game, index: &[DomainId]) -> u64 {
    index
        .iter()
        .map(|domain| game.domains.get(domain.index()).map_or(1, |d| d.size))
        .product()
}

fn planes_of(game: &Game, layout: &Layout) -> Vec<PlaneLayout> {
    let mut planes = Vec::new();
    for (at, slot) in layout.zones.iter().enumerate() {
        let Store::List(list) = &slot.store else {
            continue;
        };
        let shape = game
            .zones
            .get(at)
            .and_then(|zone| zone.index.first())
            .and_then(|space| game.domains.get(space.index()));
        if let Some(crate::model::DomainKind::Space {
            shape: Shape::Plane { span, .. },
            ..
        }) = shape.map(|domain| &domain.kind)
        {
            planes.push(PlaneLayout {
                zone: u16::try_from(at).unwrap_or(u16::MAX),
                span: *span,
                bounded: *span < u32::from(list.cap) + 2,
            });
        }
    }
    planes
}

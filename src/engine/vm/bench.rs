//! What a run may use besides the memory, and what it leaves there.

use super::Moves;
use crate::engine::op::Pc;
use crate::engine::planes::Planes;
use crate::model::ZoneId;

/// Something that happens to a component, and that somebody may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The zone.
    pub zone: ZoneId,
    /// The number of the place.
    pub place: usize,
    /// Which component it is: an element of the zone's.
    pub kind: i64,
    /// What happens.
    pub what: Happened,
}

/// What happens to a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// It is taken away.
    Taken,
    /// It is put there.
    Laid,
    /// A seat (none: everybody) looks at it.
    Shown(Option<u32>),
    /// What a seat (none: everybody) knew to lie there holds no more, or is shown anew.
    Forgotten(Option<u32>),
    /// All that lies there goes to another place: so many are then taken and laid.
    Poured {
        /// The zone to which.
        zone: ZoneId,
        /// The number of its place.
        place: usize,
        /// How many.
        many: usize,
        /// Whether all that lies there goes the other way.
        back: bool,
    },
}

/// Something that is being tried out.
#[derive(Clone, Copy, Debug)]
pub(super) struct After {
    /// Where what was kept of the state starts in [`Bench::kept`]; it ends where that ends.
    pub start: usize,
    /// The first word of the state that was kept.
    pub first: usize,
    /// Where it goes on after an `end`.
    pub stopped: Pc,
    /// What was in `word::STOPPED`.
    pub outer: u64,
}

/// What a run may use besides the memory. Buffers are reused.
#[derive(Debug, Default)]
pub struct Bench {
    /// Packed legal moves of the pending choice.
    pub moves: Moves,
    /// What fragments hand out: id and words.
    pub notes: Vec<(u16, Vec<u64>)>,
    /// States kept by `after`.
    pub(super) kept: Vec<u64>,
    pub(super) afters: Vec<After>,
    /// What a primitive notes while it works.
    pub(super) list: Vec<usize>,
    /// The step at whose `Mark` the run stops; not inside `after`.
    pub mark: Option<u16>,
    /// Ops executed, where counting is on.
    pub ops: u64,
    /// How often each op was executed, where that is asked for.
    pub counts: Vec<u64>,
    /// Work that all runs so far have paid for.
    pub spent: u64,
    /// Work that a run may take where that is less than [`FUEL`].
    pub most: Option<u64>,
    /// What happened to components, where counting is on.
    pub events: Vec<Event>,
    /// Whether the run stops where something is told.
    pub listens: bool,
    /// What is told reads these values.
    pub read: Vec<i64>,
    /// Work that is left to a run that stopped to tell something.
    pub left: Option<u64>,
    /// What is derived from the planes of the state.
    pub planes: Planes,
}

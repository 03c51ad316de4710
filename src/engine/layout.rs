//! Where everything lies in the state block.
//!
//! Scalars and sets are whole words, so that they are registers; arrays over larger domains are
//! packed into bytes. What the rulebook cannot observe is not stored: a pile whose top nobody reads
//! is a bag, a component that exists once is a bit.

use super::op::{CONSTS, Reg, TEMPS, word};
use crate::model::{
    Action, Base, DomainId, DomainKind, ExpectKind, Expr, ExprKind, Field, Game, Node, Over, Shape,
    StmtKind, Study, TemplatePart, Track, Type, Visibility, What, Zone, ZoneId, ZoneKind,
    each_in_block, each_in_expr,
};

/// Most places of an array that gets a word per element.
const WORD_ARRAY: u64 = 8;
/// Most values of a field that is kept as one set of places per value.
const SET_VALUES: u64 = 4;
/// Fewest places of a zone that may be a list.
const LIST_PLACES: u64 = 256;

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
    /// First word behind zones and tracks: hashes for `repeated()` cover what lies before it.
    pub position_end: Reg,
    /// Remembered positions: a counter and then hashes.
    pub history: Option<(Reg, u16)>,
    /// First word for frames of flows.
    pub frames: Reg,
    /// Zones over planes.
    pub planes: Vec<PlaneLayout>,
    /// Spaces of parts that meet at ports.
    pub parts: Vec<PartsLayout>,
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
    /// Number of kinds of its component.
    pub kinds: u32,
    /// Words of a set of kinds.
    pub kind_words: u16,
    /// Words of a set of places.
    pub place_words: u16,
    /// Most components in a place.
    pub capacity: u32,
    /// Number of seats of the game.
    pub seats: u32,
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
    /// There is only one value.
    Single,
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
    /// A byte per place and kind.
    Counts(Reg),
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
        let mut next = Next {
            at: word::FREE,
            planes: 0,
        };
        let mut layout = Self::default();
        for track in &game.tracks {
            let slot = next
                .track(game, track)
                .ok_or_else(|| too_large(&track.name))?;
            layout.tracks.push(slot);
        }
        let observed = Observed::of(game);
        for (at, zone) in game.zones.iter().enumerate() {
            let id = ZoneId(u32::try_from(at).unwrap_or(u32::MAX));
            let slot = next
                .zone(
                    game,
                    zone,
                    &copies(zone.component),
                    observed.ordered(id),
                    observed.shown(id),
                )
                .ok_or_else(|| too_large(&zone.name))?;
            layout.zones.push(slot);
        }
        layout.planes = planes_of(game, &layout);
        layout.position_end = next.at;
        if game.history > 0 && observed.repeated {
            let cap = u16::try_from(game.history).map_err(|_| too_large("history"))?;
            let base = next
                .words(u64::from(cap) + 1)
                .ok_or_else(|| too_large("history"))?;
            layout.history = Some((base, cap));
        }
        layout.keys = observed.keys.max(1);
        layout.outcome = next
            .words(u64::from(game.n_seats) * u64::from(layout.keys))
            .ok_or_else(|| too_large("ranking"))?;
        layout.frames = next.at;
        Ok(layout)
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

struct Next {
    at: Reg,
    planes: u16,
}

impl Next {
    fn words(&mut self, n: u64) -> Option<Reg> {
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

    fn track(&mut self, game: &Game, track: &Track) -> Option<TrackSlot> {
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

    fn zone(
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
                    let place = Type {
                        optional: true,
                        ..component
                    };
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
                    Contents::Counts(self.words(places.checked_mul(kinds)?.div_ceil(8))?)
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
            kinds: u32::try_from(kinds).ok()?,
            kind_words,
            place_words,
            capacity,
            seats: game.n_seats,
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
        let component = Type {
            optional: true,
            ..Type::of(Base::Elem(zone.component))
        };
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
            return Some(Values::Single);
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

/// What the rules look at, which decides what must be stored.
#[derive(Default)]
struct Observed {
    ordered: Vec<ZoneId>,
    shown: Vec<ZoneId>,
    repeated: bool,
    keys: u16,
}

/// What an action may choose from, what it requires, and what its texts name.
fn exprs_of_action(action: &Action) -> Vec<&Expr> {
    let ranges = action.params.iter().flat_map(|param| match &param.over {
        Over::Set(set) => vec![set],
        Over::Span(from, to) => vec![from, to],
        Over::Zone(_) => Vec::new(),
    });
    let messages = action.requires.iter().filter_map(|it| it.message.as_ref());
    let texts = messages.chain([&action.text]).flat_map(|text| &text.parts);
    let holes = texts.filter_map(|part| match part {
        TemplatePart::Hole(expr) => Some(expr),
        TemplatePart::Text(_) => None,
    });
    let conditions = action.requires.iter().map(|require| &require.cond);
    ranges.chain(conditions).chain(holes).collect()
}

impl Observed {
    fn of(game: &Game) -> Self {
        let mut seen = Self::default();
        for proc in &game.procs {
            each_in_block(&proc.body, &mut |node| seen.node(node));
        }
        let defines = game.defines.iter().map(|define| &define.body);
        let invariants = game.invariants.iter().map(|invariant| &invariant.cond);
        // What only a ruling or a study asks about must be there too, or its answer would be wrong.
        let expects = game.rulings.iter().flat_map(|ruling| &ruling.expects);
        let expects = expects.filter_map(|expect| match &expect.kind {
            ExpectKind::Holds(truth) => Some(truth),
            ExpectKind::Legal(_)
            | ExpectKind::Illegal(..)
            | ExpectKind::Offers(..)
            | ExpectKind::Ended(_) => None,
        });
        let studies = game.studies.iter().flat_map(Study::exprs);
        let actions = game.actions.iter().flat_map(exprs_of_action);
        for expr in defines
            .chain(invariants)
            .chain(expects)
            .chain(studies)
            .chain(actions)
        {
            seen.node(Node::Expr(expr));
            each_in_expr(expr, &mut |node| seen.node(node));
        }
        seen
    }

    fn node(&mut self, node: Node<'_>) {
        match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Top(place) => self.ordered.push(place.zone),
                ExprKind::Repeated => self.repeated = true,
                _ => {}
            },
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::Move(moved) => {
                    if let What::Top(place, _) = &moved.what {
                        self.ordered.push(place.zone);
                    }
                }
                StmtKind::Show(place, _) => self.shown.push(place.zone),
                StmtKind::Ranking(_, keys) => {
                    self.keys = self.keys.max(u16::try_from(keys.len()).unwrap_or(u16::MAX));
                }
                _ => {}
            },
            Node::Binds(_) => {}
        }
    }

    fn ordered(&self, zone: ZoneId) -> bool {
        self.ordered.contains(&zone)
    }

    fn shown(&self, zone: ZoneId) -> bool {
        self.shown.contains(&zone)
    }
}

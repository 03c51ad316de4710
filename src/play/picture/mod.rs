//! Landscapes of tiles as pictures: for terminals and as SVG, from what the rulebook declares.

mod frame;
mod heap;
mod key;
mod palette;
pub mod plate;
pub mod raster;
mod read;
mod region;
pub mod shape;
mod signs;
pub mod svg;
pub mod tile;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::engine::text::print_value;
use crate::engine::{Fault, Look, Looks, Machine, PlaceView, Seen, Status, TrackValue, View};
use crate::model::text;
use crate::model::{Base, Colour, DomainId, DomainKind, Game, Layer, NONE, Shape, Type, ZoneKind};
pub use read::read;
use shape::Point;
use signs::Signs;
use tile::Tile;

/// A spot: steps to the east and to the north of the first one.
pub type Spot = (i64, i64);

/// A landscape with what stands on it.
#[derive(Clone, Debug)]
pub struct Scene<'p> {
    /// The zone of the components.
    pub name: String,
    /// How a spot is written.
    pub spots: String,
    /// What lies where.
    pub tiles: BTreeMap<Spot, Laid>,
    /// The free spots beside.
    pub free: BTreeSet<Spot>,
    /// The numbers of moves that are made at spots.
    pub numbers: BTreeMap<Spot, usize>,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// Spots that a track names, with the name of the track.
    pub frames: Vec<(Spot, String)>,
    /// Components of the same kind that lie elsewhere alone.
    pub aside: Vec<Aside>,
    /// What parts can look like.
    pub layers: Vec<&'p Layer>,
    /// The zones that are shown: others are to be listed.
    pub zones: BTreeSet<usize>,
}

/// A component that lies alone in a zone of its own.
#[derive(Clone, Debug)]
pub struct Aside {
    /// The name of the zone.
    pub zone: String,
    /// How it could lie on the land, with what each way is called; of ways that look the same the first. The name is empty if
    /// there is one way only.
    pub ways: Vec<(String, Laid)>,
}

/// A component that is drawn.
#[derive(Clone, Debug)]
pub struct Laid {
    /// Its name.
    pub name: String,
    tile: Rc<Tile>,
}

/// Something that stands on the land.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// On which spot.
    pub spot: Spot,
    /// Where on it.
    at: Point,
    /// A sign or two of ASCII.
    pub sign: String,
    /// Its colour.
    pub colour: Colour,
    /// What it looks like.
    pub form: Form,
    /// Its name.
    pub name: String,
}

/// What a piece looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It belongs to a seat.
    Pawn,
    /// It belongs to nobody.
    Disc,
    /// The number of a move that is made here.
    Number,
}

/// The planes and parts that are drawn as landscapes: what is chosen of them has a place there.
#[must_use]
pub fn drawn_spaces(game: &Game) -> BTreeSet<DomainId> {
    let mut drawn = BTreeSet::new();
    for space in game.pictures.iter().map(|it| it.space) {
        let kind = game.domains.get(space.index()).map(|it| &it.kind);
        if let Some(DomainKind::Space {
            shape: Shape::Parts { zone, .. },
            ..
        }) = kind
        {
            let plane = game.zones.get(zone.index());
            drawn.extend(plane.and_then(|it| it.index.first().copied()));
        }
        drawn.insert(space);
    }
    drawn
}

/// The landscapes of a position as somebody sees it, with the numbers of moves at the spots and parts where they
/// are made.
///
/// # Errors
/// A fault of a picture.
pub fn scenes<'p>(
    machine: &Machine<'p>,
    view: &View,
    numbers: &[(DomainId, i64, usize)],
) -> Result<Vec<Scene<'p>>, Fault> {
    let game: &'p Game = &machine.program().game;
    let mut spaces: Vec<DomainId> = game.pictures.iter().map(|it| it.space).collect();
    spaces.sort_unstable();
    spaces.dedup();
    let mut scenes = Vec::new();
    for space in spaces {
        let Some(looks) = Looks::of(machine.program(), space)? else {
            continue;
        };
        let mut artist = Artist {
            game,
            machine,
            view,
            space,
            layers: looks.layers.clone(),
            looks,
            parts: HashMap::new(),
            tiles: HashMap::new(),
        };
        scenes.extend(artist.scene(numbers)?);
    }
    Ok(scenes)
}

impl Scene<'_> {
    /// The spots where moves have their numbers.
    #[must_use]
    pub fn numbered(&self) -> BTreeSet<Spot> {
        let numbers = self.pieces.iter().filter(|it| it.form == Form::Number);
        let on_parts = numbers.map(|it| it.spot);
        on_parts.chain(self.numbers.keys().copied()).collect()
    }
}

/// Whether a component looks the same, turned in either way: each part has one in the place of it that looks like it.
pub(super) fn looks_alike(looks: &mut Looks<'_>, kind: i64, turns: [usize; 2]) -> bool {
    let Ok(parts) = looks.parts(kind) else {
        return false;
    };
    let [one, other] = turns.map(|turn| {
        let n_ports = 4 * looks.n_ports.max(1);
        let lie = parts.iter().map(|part| {
            let ports = part.ports.iter();
            let mut ports: Vec<usize> = ports
                .map(|it| (it + turn * looks.n_ports) % n_ports)
                .collect();
            ports.sort_unstable();
            (ports, part.layers.clone())
        });
        let mut lie: Vec<(Vec<usize>, Vec<usize>)> = lie.collect();
        lie.sort_unstable();
        lie
    });
    one == other
}

struct Artist<'p, 'v> {
    game: &'p Game,
    machine: &'v Machine<'p>,
    view: &'v View,
    space: DomainId,
    layers: Vec<&'p Layer>,
    looks: Looks<'p>,
    parts: HashMap<i64, Vec<Look>>,
    tiles: HashMap<(i64, usize), Rc<Tile>>,
}

impl<'p> Artist<'p, '_> {
    fn scene(&mut self, numbers: &[(DomainId, i64, usize)]) -> Result<Option<Scene<'p>>, Fault> {
        let land = self.looks.zone.index();
        let (Some(zone), Some(seen)) = (self.game.zones.get(land), self.view.zones.get(land))
        else {
            return Ok(None);
        };
        let Some((plane, span)) = zone.index.first().and_then(|it| self.plane(*it)) else {
            return Ok(None);
        };
        let mut scene = Scene {
            name: zone.name.clone(),
            spots: self.written_spot(plane),
            tiles: BTreeMap::new(),
            free: BTreeSet::new(),
            numbers: BTreeMap::new(),
            pieces: Vec::new(),
            frames: self.frames(plane, span),
            aside: Vec::new(),
            layers: self.layers.clone(),
            zones: BTreeSet::from([land]),
        };
        // What lies there by its number among what was laid, as parts count it.
        for place in &seen.places {
            if let Some(spot) = place.index.first().map(|it| spot_of(*it, span))
                && let Some(laid) = self.laid(place)?
            {
                scene.tiles.insert(spot, laid);
            }
        }
        for spot in scene.tiles.keys() {
            let free = beside(*spot).into_iter();
            scene
                .free
                .extend(free.filter(|it| !scene.tiles.contains_key(it)));
        }
        if scene.tiles.is_empty() {
            scene.free.insert((0, 0));
        } else if self.machine.status() == Status::Ended {
            scene.free.clear();
        }
        self.stand(&mut scene, plane, span);
        self.number(&mut scene, span, numbers);
        let at_spots = numbers.iter().filter(|(space, _, _)| *space == plane);
        let at_spots = at_spots.filter_map(|(_, cell, number)| {
            Some((spot_of(usize::try_from(*cell).ok()?, span), *number))
        });
        scene.numbers.extend(at_spots);
        self.lie_aside(&mut scene, land)?;
        Ok(Some(scene))
    }

    fn plane(&self, id: DomainId) -> Option<(DomainId, i64)> {
        match &self.game.domains.get(id.index())?.kind {
            DomainKind::Space {
                shape: Shape::Plane { span, .. },
                ..
            } => Some((id, i64::from(*span))),
            _ => None,
        }
    }

    /// How a spot is written, with the names of its coordinates for their values.
    fn written_spot(&self, plane: DomainId) -> String {
        use crate::model::ShowPart;
        let Some(domain) = self.game.domains.get(plane.index()) else {
            return String::new();
        };
        let DomainKind::Space { axes, .. } = &domain.kind else {
            return String::new();
        };
        match &domain.show {
            Some(parts) => parts
                .iter()
                .map(|part| match part {
                    ShowPart::Text(text) => text.clone(),
                    ShowPart::Field(at) => {
                        axes.get(*at).map_or(String::new(), |it| it.name.clone())
                    }
                    ShowPart::Name | ShowPart::OfPlace(_) => String::new(),
                })
                .collect(),
            None => {
                let names: Vec<&str> = axes.iter().map(|it| it.name.as_str()).collect();
                format!("{}({})", domain.name, names.join(", "))
            }
        }
    }

    /// The picture of what lies at a place.
    fn laid(&mut self, place: &PlaceView) -> Result<Option<Laid>, Fault> {
        let Some(Seen::Known(kind)) = place.seen.first() else {
            return Ok(None);
        };
        let turn = self.looks.turn.and_then(|field| place.fields.get(field));
        let turn = turn.map_or(0, |turn| usize::try_from(*turn).unwrap_or(0));
        self.turned(*kind, turn).map(Some)
    }

    /// The picture of a component that is turned so.
    fn turned(&mut self, kind: i64, turn: usize) -> Result<Laid, Fault> {
        let tile = match self.tiles.get(&(kind, turn)) {
            Some(tile) => Rc::clone(tile),
            None => {
                if !self.parts.contains_key(&kind) {
                    let parts = self.looks.parts(kind)?;
                    self.parts.insert(kind, parts);
                }
                let parts = self.parts.get(&kind).map_or(&[][..], Vec::as_slice);
                let tile = Rc::new(Tile::new(&self.looks, parts, turn));
                self.tiles.insert((kind, turn), Rc::clone(&tile));
                tile
            }
        };
        let ty = Type::of(Base::Elem(self.looks.component));
        Ok(Laid {
            name: print_value(self.game, ty, kind, text::Form::Plain),
            tile,
        })
    }

    /// Adds what stands on the parts, and on the spots themselves.
    fn stand(&self, scene: &mut Scene<'p>, plane: DomainId, span: i64) {
        for (number, (zone, seen)) in self.game.zones.iter().zip(&self.view.zones).enumerate() {
            let on_parts = zone.index == [self.space];
            if !on_parts && (zone.index != [plane] || scene.zones.contains(&number)) {
                continue;
            }
            scene.zones.insert(number);
            let signs = Signs::of(self.game, zone.component);
            for place in &seen.places {
                let Some(cell) = place.index.first() else {
                    continue;
                };
                let (spot, slot) = if on_parts {
                    let Some(spot) = place.spot else { continue };
                    (spot_of(spot, span), Some(self.slot_of(*cell)))
                } else {
                    (spot_of(*cell, span), None)
                };
                for what in &place.seen {
                    let kind = match what {
                        Seen::Known(kind) => *kind,
                        Seen::Unknown => NONE,
                    };
                    let mark = signs.mark(kind);
                    let at = place_on(scene, spot, slot, mark.form);
                    scene.pieces.push(Piece {
                        spot,
                        at,
                        sign: mark.sign,
                        colour: mark.colour,
                        form: mark.form,
                        name: mark.name,
                    });
                }
            }
        }
    }

    /// The spots that tracks of one value name.
    fn frames(&self, plane: DomainId, span: i64) -> Vec<(Spot, String)> {
        let tracks = self.game.tracks.iter().zip(&self.view.tracks);
        let named = tracks
            .filter(|(track, _)| track.index.is_empty() && track.ty.base == Base::Elem(plane));
        let spots = named.filter_map(|(track, seen)| match seen.values.first() {
            Some(Some(TrackValue::Scalar(cell))) if *cell != NONE => {
                let spot = spot_of(usize::try_from(*cell).ok()?, span);
                Some((spot, track.name.clone()))
            }
            _ => None,
        });
        spots.collect()
    }

    fn slot_of(&self, part: usize) -> usize {
        let domain = self.game.domains.get(self.space.index());
        let n_slots = match domain.map(|it| &it.kind) {
            Some(DomainKind::Space { axes, .. }) => axes.get(1).map_or(1, |it| it.size),
            _ => 1,
        };
        part % usize::try_from(n_slots).unwrap_or(1).max(1)
    }

    /// Adds the numbers of moves at the parts that they name.
    fn number(&self, scene: &mut Scene<'p>, span: i64, numbers: &[(DomainId, i64, usize)]) {
        let here = numbers.iter().filter(|(space, _, _)| *space == self.space);
        for (_, part, number) in here {
            let Ok(part) = usize::try_from(*part) else {
                continue;
            };
            let Some(cell) = self.machine.spot_of_part(self.space, part) else {
                continue;
            };
            let (spot, slot) = (spot_of(cell, span), self.slot_of(part));
            let tile = scene.tiles.get(&spot);
            if !tile.is_some_and(|it| it.tile.places.get(slot).is_some_and(Option::is_some)) {
                continue;
            }
            let at = place_on(scene, spot, Some(slot), Form::Number);
            scene.pieces.push(Piece {
                spot,
                at,
                sign: number.to_string(),
                colour: Colour::White,
                form: Form::Number,
                name: String::new(),
            });
        }
    }

    /// Finds components of the same kind that lie alone in zones of their own.
    fn lie_aside(&mut self, scene: &mut Scene<'p>, land: usize) -> Result<(), Fault> {
        let view = self.view;
        for (number, (zone, seen)) in self.game.zones.iter().zip(&view.zones).enumerate() {
            let alike = zone.component == self.looks.component && zone.kind == ZoneKind::One;
            if number == land || !alike || !zone.index.is_empty() {
                continue;
            }
            let what = seen.places.first().and_then(|it| it.seen.first());
            if let Some(Seen::Known(kind)) = what {
                let mut ways = Vec::new();
                let mut drawn: Vec<usize> = Vec::new();
                for (turn, name) in self.turns(land).into_iter().enumerate() {
                    let is_same = |it: &usize| looks_alike(&mut self.looks, *kind, [*it, turn]);
                    if !drawn.iter().any(is_same) {
                        drawn.push(turn);
                        ways.push((name, self.turned(*kind, turn)?));
                    }
                }
                scene.zones.insert(number);
                scene.aside.push(Aside {
                    zone: zone.name.clone(),
                    ways,
                });
            }
        }
        Ok(())
    }

    /// What the ways are called in which a component can be turned.
    fn turns(&self, land: usize) -> Vec<String> {
        let zone = self.game.zones.get(land);
        let field = self.looks.turn.and_then(|at| zone?.fields.get(at));
        let ways = field.and_then(|field| {
            let Base::Elem(domain) = field.ty.base else {
                return None;
            };
            let n = i64::try_from(self.game.domains.get(domain.index())?.size).ok()?;
            let name = |turn| print_value(self.game, field.ty, turn, text::Form::Plain);
            Some((0..n).map(name).collect())
        });
        ways.unwrap_or_else(|| vec![String::new()])
    }
}

/// The spots beside one, from the north round by the east.
fn beside((x, y): Spot) -> [Spot; 4] {
    [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]
}

/// The coordinates of a spot; the far half of a plane lies on the other side of its first spot.
#[must_use]
pub fn spot_of(cell: usize, span: i64) -> Spot {
    let cell = i64::try_from(cell).unwrap_or(0);
    let near = |at: i64| if at * 2 >= span { at - span } else { at };
    (near(cell / span.max(1)), near(cell % span.max(1)))
}

/// Where the next piece on a part is put.
fn place_on(scene: &Scene<'_>, spot: Spot, slot: Option<usize>, form: Form) -> Point {
    let tile = scene.tiles.get(&spot).map(|it| &it.tile);
    let place = tile.and_then(|it| it.places.get(slot?).copied().flatten());
    let mut at = match (place, form) {
        (Some(place), Form::Disc) => place.sign.unwrap_or(place.middle),
        (Some(place), _) => place.middle,
        (None, _) => Point { x: 0.5, y: 0.5 },
    };
    let taken = |at: Point| {
        let there = scene.pieces.iter().filter(|it| it.spot == spot);
        there.into_iter().any(|it| it.at.distance(at) < 0.1)
    };
    for _ in 0..8 {
        if !taken(at) {
            break;
        }
        at.x += if at.x > 0.7 { -0.5 } else { 0.22 };
    }
    at
}

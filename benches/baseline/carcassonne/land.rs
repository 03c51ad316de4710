//! What lies on the table, and what of it hangs together.

use super::tiles::{DESIGNS, Design, Kind, Land, PIECES, Piece};
use super::{Colour, Seat};

/// A place for a tile. East is greater `x`, north greater `y`; the start tile lies at 0, 0 and what
/// lies west or south of it counts down from the span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    pub x: u16,
    pub y: u16,
}

/// A piece of a tile that lies there; tiles are numbered in the order in which they were laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    pub tile: u16,
    pub slot: u8,
}

impl Part {
    pub fn new(tile: usize, slot: usize) -> Part {
        Part {
            tile: tile as u16,
            slot: slot as u8,
        }
    }

    pub fn index(self) -> usize {
        usize::from(self.tile) * PIECES + usize::from(self.slot)
    }
}

/// A tile that lies there.
#[derive(Clone, Debug)]
pub struct Lying {
    pub at: Spot,
    pub design: u8,
    /// Quarter turns clockwise.
    pub turn: usize,
    /// What shows on the sides of the table.
    edges: [Land; 4],
    pub followers: [Option<Seat>; PIECES],
    pub tokens: [Option<Colour>; PIECES],
}

impl Lying {
    pub fn design(&self) -> &'static Design {
        &DESIGNS[usize::from(self.design)]
    }
}

pub struct Table {
    /// Coordinates wrap at this number, which is two more than the tiles.
    pub span: u16,
    /// For each spot the number of the tile, counted from 1; 0 if it is free.
    board: Vec<u16>,
    pub laid: Vec<Lying>,
    /// The openings of tunnels without and with a token, in the order in which they came to be so.
    pub vacant: Vec<Part>,
    plugged: Vec<Part>,
    columns: Extent,
    rows: Extent,
}

/// The coordinates along one axis on which something lies or could be laid.
struct Extent {
    span: u16,
    /// They go up from 0 to below this one,
    end: u16,
    /// and from this one up to below the span.
    start: u16,
}

impl Extent {
    fn new(span: usize) -> Extent {
        Extent {
            span: span as u16,
            end: 1,
            start: span as u16,
        }
    }

    /// Makes room for a tile and its neighbours; the tile lies on one of them.
    fn hold(&mut self, n: u16) {
        if n < self.end {
            self.end = self.end.max(n + 2).min(self.start);
        }
        if n == 0 || n >= self.start {
            let before = if n == 0 { self.span - 1 } else { n - 1 };
            self.start = self.start.min(before).max(self.end);
        }
    }

    /// All of them, ascending.
    fn each(&self) -> impl Iterator<Item = u16> + use<> {
        (0..self.end).chain(self.start..self.span)
    }
}

/// What a tile shows on the sides of the table.
pub fn turned(design: u8, turn: usize) -> [Land; 4] {
    let edges = &DESIGNS[usize::from(design)].edges;
    std::array::from_fn(|side| edges[(side + 4 - turn) % 4])
}

/// The half side that lies against each one.
const AGAINST: [usize; 8] = [5, 4, 7, 6, 1, 0, 3, 2];

impl Table {
    pub fn new(tiles: usize) -> Table {
        let span = tiles + 2;
        Table {
            span: span as u16,
            board: vec![0; span * span],
            laid: Vec::with_capacity(tiles),
            vacant: Vec::new(),
            plugged: Vec::new(),
            columns: Extent::new(span),
            rows: Extent::new(span),
        }
    }

    fn cell(&self, at: Spot) -> usize {
        usize::from(at.x) * usize::from(self.span) + usize::from(at.y)
    }

    fn up(&self, n: u16) -> u16 {
        if n + 1 == self.span { 0 } else { n + 1 }
    }

    fn down(&self, n: u16) -> u16 {
        if n == 0 { self.span - 1 } else { n - 1 }
    }

    fn step(&self, at: Spot, side: usize) -> Spot {
        let Spot { x, y } = at;
        match side {
            0 => Spot { x, y: self.up(y) },
            1 => Spot { x: self.up(x), y },
            2 => Spot { x, y: self.down(y) },
            _ => Spot { x: self.down(x), y },
        }
    }

    fn around(&self, at: Spot) -> [Spot; 8] {
        let [n, e, s, w] = [0, 1, 2, 3].map(|side| self.step(at, side));
        let [ne, se] = [self.step(n, 1), self.step(s, 1)];
        let [sw, nw] = [self.step(s, 3), self.step(n, 3)];
        [n, ne, e, se, s, sw, w, nw]
    }

    pub fn tile_at(&self, at: Spot) -> Option<usize> {
        usize::from(self.board[self.cell(at)]).checked_sub(1)
    }

    pub fn lay(&mut self, design: u8, at: Spot, turn: usize) {
        self.laid.push(Lying {
            at,
            design,
            turn,
            edges: turned(design, turn),
            followers: [None; PIECES],
            tokens: [None; PIECES],
        });
        let cell = self.cell(at);
        self.board[cell] = self.laid.len() as u16;
        self.columns.hold(at.x);
        self.rows.hold(at.y);
        for part in self.parts_of(self.laid.len() - 1) {
            if self.piece(part).mouth {
                self.vacant.push(part);
            }
        }
    }

    /// The free spots beside a tile, ascending.
    pub fn frontier(&self, frontier: &mut Vec<Spot>) {
        frontier.clear();
        for x in self.columns.each() {
            for y in self.rows.each() {
                let spot = Spot { x, y };
                let is_tile = |side| self.board[self.cell(self.step(spot, side))] != 0;
                if self.board[self.cell(spot)] == 0
                    && (is_tile(0) || is_tile(1) || is_tile(2) || is_tile(3))
                {
                    frontier.push(spot);
                }
            }
        }
    }

    /// Whether a tile that shows these edges can lie at a spot of the frontier: it matches on all
    /// touching sides.
    pub fn fits(&self, edges: [Land; 4], at: Spot) -> bool {
        (0..4).all(|side| match self.tile_at(self.step(at, side)) {
            Some(tile) => self.laid[tile].edges[(side + 2) % 4] == edges[side],
            None => true,
        })
    }

    pub fn piece(&self, part: Part) -> &'static Piece {
        let tile = &self.laid[usize::from(part.tile)];
        &tile.design().pieces[usize::from(part.slot)]
    }

    pub fn spot(&self, part: Part) -> Spot {
        self.laid[usize::from(part.tile)].at
    }

    pub fn follower(&self, part: Part) -> Option<Seat> {
        self.laid[usize::from(part.tile)].followers[usize::from(part.slot)]
    }

    pub fn set_follower(&mut self, part: Part, seat: Option<Seat>) {
        self.laid[usize::from(part.tile)].followers[usize::from(part.slot)] = seat;
    }

    pub fn token(&self, part: Part) -> Option<Colour> {
        self.laid[usize::from(part.tile)].tokens[usize::from(part.slot)]
    }

    pub fn plug(&mut self, part: Part, colour: Colour) {
        self.laid[usize::from(part.tile)].tokens[usize::from(part.slot)] = Some(colour);
        self.plugged.push(part);
        self.vacant.retain(|&it| it != part);
    }

    /// The other opening with a token of the same colour.
    fn mate(&self, part: Part) -> Option<Part> {
        let colour = self.token(part)?;
        let others = self.plugged.iter().copied();
        others
            .filter(|&it| it != part)
            .find(|&it| self.token(it) == Some(colour))
    }

    /// The part that goes on beyond a side, if a tile lies there.
    fn beyond_side(&self, part: Part, side: usize) -> Option<Part> {
        let tile = &self.laid[usize::from(part.tile)];
        let world = (side + tile.turn) % 4;
        let other = self.tile_at(self.step(tile.at, world))?;
        let local = (world + 6 - self.laid[other].turn) % 4;
        let mut pieces = self.laid[other].design().pieces.iter();
        let slot = pieces.position(|it| it.sides.contains(&local))?;
        Some(Part::new(other, slot))
    }

    /// The field that goes on beyond a half side, if a tile lies there.
    fn beyond_half(&self, part: Part, half: usize) -> Option<Part> {
        let tile = &self.laid[usize::from(part.tile)];
        let world = (half + 2 * tile.turn) % 8;
        let other = self.tile_at(self.step(tile.at, world / 2))?;
        let local = (AGAINST[world] + 8 - 2 * self.laid[other].turn) % 8;
        let mut pieces = self.laid[other].design().pieces.iter();
        let slot = pieces.position(|it| it.halves.contains(&local))?;
        Some(Part::new(other, slot))
    }

    /// Whether a feature is complete; a field never is.
    pub fn is_complete(&self, parts: &[Part]) -> bool {
        parts.iter().all(|&part| {
            let piece = self.piece(part);
            match piece.kind {
                Kind::Field => false,
                Kind::Cloister => self.neighbours(part) == 8,
                Kind::City | Kind::Road => {
                    let joined = |side: &usize| self.beyond_side(part, *side).is_some();
                    piece.sides.iter().all(joined) && (!piece.mouth || self.mate(part).is_some())
                }
            }
        })
    }

    /// How many tiles lie around the tile of a part.
    pub fn neighbours(&self, part: Part) -> usize {
        let around = self.around(self.spot(part));
        around
            .iter()
            .filter(|it| self.tile_at(**it).is_some())
            .count()
    }

    /// The cloisters on a tile and around it.
    pub fn cloisters_near(&self, at: Spot) -> Vec<Part> {
        let mut found = Vec::new();
        for spot in [at].into_iter().chain(self.around(at)) {
            if let Some(tile) = self.tile_at(spot) {
                let mut pieces = self.laid[tile].design().pieces.iter();
                let slot = pieces.position(|it| it.kind == Kind::Cloister);
                found.extend(slot.map(|slot| Part::new(tile, slot)));
            }
        }
        found
    }

    pub fn parts_of(&self, tile: usize) -> impl Iterator<Item = Part> + use<> {
        (0..self.laid[tile].design().pieces.len()).map(move |slot| Part::new(tile, slot))
    }
}

/// Finds whole features and keeps its buffers.
#[derive(Default)]
pub struct Flood {
    seen: Vec<bool>,
    pub parts: Vec<Part>,
}

impl Flood {
    /// Finds all parts of the feature that a part belongs to.
    pub fn fill(&mut self, table: &Table, from: Part) {
        for part in self.parts.drain(..) {
            self.seen[part.index()] = false;
        }
        self.seen.resize(table.laid.len() * PIECES, false);
        self.reach(from);
        let mut next = 0;
        while let Some(&part) = self.parts.get(next) {
            next += 1;
            let piece = table.piece(part);
            for &side in piece.sides {
                if let Some(other) = table.beyond_side(part, side) {
                    self.reach(other);
                }
            }
            for &half in piece.halves {
                if let Some(other) = table.beyond_half(part, half) {
                    self.reach(other);
                }
            }
            if piece.mouth
                && let Some(other) = table.mate(part)
            {
                self.reach(other);
            }
        }
    }

    fn reach(&mut self, part: Part) {
        let seen = &mut self.seen[part.index()];
        if !*seen {
            *seen = true;
            self.parts.push(part);
        }
    }
}

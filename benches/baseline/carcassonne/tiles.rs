//! The tiles of Carcassonne and of The Tunnel, north up.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Land {
    Field,
    Road,
    City,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    City,
    Road,
    Field,
    Cloister,
}

/// What a follower can stand on.
pub struct Piece {
    pub name: &'static str,
    pub kind: Kind,
    /// The sides it reaches, 0 to 3 clockwise from north; none for fields.
    pub sides: &'static [usize],
    /// The half sides of a field, 0 to 7 clockwise from north-west.
    pub halves: &'static [usize],
    pub shields: u32,
    /// Whether it is a road that ends in a tunnel.
    pub mouth: bool,
    /// The cities that a field lies against, as positions among the pieces.
    pub cities: &'static [usize],
}

pub struct Design {
    pub name: &'static str,
    /// How often it occurs in the box.
    pub copies: usize,
    pub edges: [Land; 4],
    pub pieces: &'static [Piece],
}

/// No design has more pieces.
pub const PIECES: usize = 8;

const N: usize = 0;
const E: usize = 1;
const S: usize = 2;
const W: usize = 3;
const NL: usize = 0;
const NR: usize = 1;
const EL: usize = 2;
const ER: usize = 3;
const SL: usize = 4;
const SR: usize = 5;
const WL: usize = 6;
const WR: usize = 7;
use Land::{City as C, Field as F, Road as R};

const fn design(
    name: &'static str,
    copies: usize,
    edges: [Land; 4],
    pieces: &'static [Piece],
) -> Design {
    Design {
        name,
        copies,
        edges,
        pieces,
    }
}

const CLOISTER: Piece = Piece {
    name: "cloister",
    kind: Kind::Cloister,
    sides: &[],
    halves: &[],
    shields: 0,
    mouth: false,
    cities: &[],
};

const fn city(name: &'static str, sides: &'static [usize], shields: u32) -> Piece {
    Piece {
        name,
        kind: Kind::City,
        sides,
        shields,
        ..CLOISTER
    }
}

const fn road(name: &'static str, sides: &'static [usize]) -> Piece {
    Piece {
        name,
        kind: Kind::Road,
        sides,
        ..CLOISTER
    }
}

const fn mouth(name: &'static str, sides: &'static [usize]) -> Piece {
    Piece {
        mouth: true,
        ..road(name, sides)
    }
}

const fn field(name: &'static str, halves: &'static [usize], cities: &'static [usize]) -> Piece {
    Piece {
        name,
        kind: Kind::Field,
        halves,
        cities,
        ..CLOISTER
    }
}

/// How many of [`DESIGNS`] belong to the base game; the others come with The Tunnel.
pub const BASE: usize = 24;

/// The design of the start tile.
pub const START: usize = 3;

#[rustfmt::skip]
pub const DESIGNS: [Design; 28] = [
    design("A", 2, [F, F, R, F], &[road("road1", &[S]), field("field1", &[NL, NR, EL, ER, SL, SR, WL, WR], &[]), CLOISTER]),
    design("B", 4, [F, F, F, F], &[field("field1", &[NL, NR, EL, ER, SL, SR, WL, WR], &[]), CLOISTER]),
    design("C", 1, [C, C, C, C], &[city("city1", &[N, E, S, W], 1)]),
    design("D", 4, [C, R, F, R], &[city("city1", &[N], 0), road("road1", &[E, W]), field("field1", &[EL, WR], &[0]), field("field2", &[ER, SL, SR, WL], &[])]),
    design("E", 5, [C, F, F, F], &[city("city1", &[N], 0), field("field1", &[EL, ER, SL, SR, WL, WR], &[0])]),
    design("F", 2, [F, C, F, C], &[city("city1", &[E, W], 1), field("field1", &[NL, NR], &[0]), field("field2", &[SL, SR], &[0])]),
    design("G", 1, [F, C, F, C], &[city("city1", &[E, W], 0), field("field1", &[NL, NR], &[0]), field("field2", &[SL, SR], &[0])]),
    design("H", 3, [C, F, C, F], &[city("city1", &[N], 0), city("city2", &[S], 0), field("field1", &[EL, ER, WL, WR], &[0, 1])]),
    design("I", 2, [C, F, F, C], &[city("city1", &[N], 0), city("city2", &[W], 0), field("field1", &[EL, ER, SL, SR], &[0, 1])]),
    design("J", 3, [C, R, R, F], &[city("city1", &[N], 0), road("road1", &[E, S]), field("field1", &[EL, SR, WL, WR], &[0]), field("field2", &[ER, SL], &[])]),
    design("K", 3, [C, F, R, R], &[city("city1", &[N], 0), road("road1", &[S, W]), field("field1", &[EL, ER, SL, WR], &[0]), field("field2", &[SR, WL], &[])]),
    design("L", 3, [C, R, R, R], &[city("city1", &[N], 0), road("road1", &[E]), road("road2", &[S]), road("road3", &[W]), field("field1", &[EL, WR], &[0]), field("field2", &[SR, WL], &[]), field("field3", &[ER, SL], &[])]),
    design("M", 2, [C, F, F, C], &[city("city1", &[N, W], 1), field("field1", &[EL, ER, SL, SR], &[0])]),
    design("N", 3, [C, F, F, C], &[city("city1", &[N, W], 0), field("field1", &[EL, ER, SL, SR], &[0])]),
    design("O", 2, [C, R, R, C], &[city("city1", &[N, W], 1), road("road1", &[E, S]), field("field1", &[EL, SR], &[0]), field("field2", &[ER, SL], &[])]),
    design("P", 3, [C, R, R, C], &[city("city1", &[N, W], 0), road("road1", &[E, S]), field("field1", &[EL, SR], &[0]), field("field2", &[ER, SL], &[])]),
    design("Q", 1, [C, C, F, C], &[city("city1", &[N, E, W], 1), field("field1", &[SL, SR], &[0])]),
    design("R", 3, [C, C, F, C], &[city("city1", &[N, E, W], 0), field("field1", &[SL, SR], &[0])]),
    design("S", 2, [C, C, R, C], &[city("city1", &[N, E, W], 1), road("road1", &[S]), field("field1", &[SL], &[0]), field("field2", &[SR], &[0])]),
    design("T", 1, [C, C, R, C], &[city("city1", &[N, E, W], 0), road("road1", &[S]), field("field1", &[SL], &[0]), field("field2", &[SR], &[0])]),
    design("U", 8, [F, R, F, R], &[road("road1", &[E, W]), field("field1", &[NL, NR, EL, WR], &[]), field("field2", &[ER, SL, SR, WL], &[])]),
    design("V", 9, [F, F, R, R], &[road("road1", &[S, W]), field("field1", &[NL, NR, EL, ER, SL, WR], &[]), field("field2", &[SR, WL], &[])]),
    design("W", 4, [F, R, R, R], &[road("road1", &[E]), road("road2", &[S]), road("road3", &[W]), field("field1", &[NL, NR, EL, WR], &[]), field("field2", &[ER, SL], &[]), field("field3", &[SR, WL], &[])]),
    design("X", 1, [R, R, R, R], &[road("road1", &[N]), road("road2", &[E]), road("road3", &[S]), road("road4", &[W]), field("field1", &[NL, WR], &[]), field("field2", &[NR, EL], &[]), field("field3", &[ER, SL], &[]), field("field4", &[SR, WL], &[])]),
    design("T1", 1, [C, R, F, R], &[city("city1", &[N], 0), mouth("road1", &[W]), mouth("road2", &[E]), field("field1", &[EL, WR], &[0]), field("field2", &[ER, SL, SR, WL], &[])]),
    design("T2", 1, [C, R, R, R], &[city("city1", &[N], 0), mouth("road1", &[W]), mouth("road2", &[E]), mouth("road3", &[S]), field("field1", &[EL, WR], &[0]), field("field2", &[ER, SL], &[]), field("field3", &[SR, WL], &[])]),
    design("T3", 1, [F, R, R, F], &[mouth("road1", &[E]), mouth("road2", &[S]), field("field1", &[NL, NR, EL, SR, WL, WR], &[]), field("field2", &[ER, SL], &[])]),
    design("T4", 1, [R, R, R, R], &[road("road1", &[N]), mouth("road2", &[W]), mouth("road3", &[E]), mouth("road4", &[S]), field("field1", &[NL, NR, EL, WR], &[]), field("field2", &[ER, SL], &[]), field("field3", &[SR, WL], &[])]),
];

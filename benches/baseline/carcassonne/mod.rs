//! Carcassonne, alone or with The Tunnel, under the default readings of its disputed sentences.

pub mod land;
mod score;
pub mod tiles;

use super::chance::Chance;
use land::{Flood, Part, Spot, Table, turned};
pub use score::Scored;
use tiles::{BASE, DESIGNS, Kind, START};

pub type Seat = u8;

/// Colours go round the table: with two seats, seat 0 has the colours 0, 2 and 4.
pub type Colour = u8;

pub const MOST_SEATS: usize = 6;
const TOKENS_OF_A_COLOUR: u8 = 2;

/// What is settled before the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub seats: usize,
    /// How often the tiles of the base game are in.
    pub base_sets: usize,
    /// How often the tiles of The Tunnel are in.
    pub tunnel_sets: usize,
    /// How many colours of tokens each seat has.
    pub colours_each: usize,
    pub followers: u8,
    pub farmers: bool,
    /// Whether a complete city of two tiles scores 2 and 1 for each shield.
    pub small_city_scores_less: bool,
}

impl Setup {
    /// The base game `sets` times, with the tiles of The Tunnel.
    pub fn with_tunnel(seats: usize, sets: usize) -> Setup {
        Setup {
            seats,
            base_sets: sets,
            tunnel_sets: 1,
            colours_each: match seats {
                2 => 3,
                3 => 2,
                _ => 1,
            },
            followers: 7,
            farmers: true,
            small_city_scores_less: false,
        }
    }

    fn copies(&self, design: usize) -> usize {
        let sets = if design < BASE {
            self.base_sets
        } else {
            self.tunnel_sets
        };
        sets * DESIGNS[design].copies
    }
}

/// What a player may do; the order of the legal list is the order of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    Lay { at: Spot, turn: u8 },
    Follower { on: Part },
    Token { colour: Colour, at: Part },
    Done,
}

pub struct Carcassonne {
    pub setup: Setup,
    pub table: Table,
    /// The designs still to be drawn, in no particular order.
    pub bag: Vec<u8>,
    /// The design that is to be laid.
    pub hand: Option<u8>,
    /// Designs that could not be laid, in the order in which they were drawn.
    pub discarded: Vec<u8>,
    pub mover: usize,
    pub points: [u32; MOST_SEATS],
    pub supply: [u8; MOST_SEATS],
    /// By colour.
    pub tokens: [u8; MOST_SEATS],
    /// What scored, in order.
    pub scored: Vec<Scored>,
    /// All legal moves, in canonical order; none when the game is over.
    pub legal: Vec<Move>,
    follower_used: bool,
    /// The opening that got a token in this turn.
    token_used: Option<Part>,
    flood: Flood,
    frontier: Vec<Spot>,
}

impl Carcassonne {
    pub fn new(setup: Setup, chance: &mut impl Chance) -> Self {
        let copies = |design: u8| {
            let copies = setup.copies(usize::from(design));
            std::iter::repeat_n(design, copies)
        };
        let mut bag: Vec<u8> = (0..DESIGNS.len() as u8).flat_map(copies).collect();
        let mut table = Table::new(bag.len());
        bag.retain({
            let mut taken = false;
            move |&it| {
                taken || usize::from(it) != START || {
                    taken = true;
                    false
                }
            }
        });
        table.lay(START as u8, Spot { x: 0, y: 0 }, 0);
        let dealt = (setup.seats * setup.colours_each).min(MOST_SEATS);
        let mut tokens = [0; MOST_SEATS];
        tokens[..dealt].fill(TOKENS_OF_A_COLOUR);
        let mut game = Carcassonne {
            supply: [setup.followers; MOST_SEATS],
            setup,
            table,
            bag,
            hand: None,
            discarded: Vec::new(),
            mover: 0,
            points: [0; MOST_SEATS],
            tokens,
            scored: Vec::new(),
            legal: Vec::new(),
            follower_used: false,
            token_used: None,
            flood: Flood::default(),
            frontier: Vec::new(),
        };
        game.draw(chance);
        game
    }

    pub fn is_over(&self) -> bool {
        self.legal.is_empty()
    }

    /// Plays a legal move, and all that follows from it up to the next choice.
    pub fn apply(&mut self, choice: Move, chance: &mut impl Chance) {
        match choice {
            Move::Lay { at, turn } => {
                if let Some(design) = self.hand.take() {
                    self.table.lay(design, at, usize::from(turn));
                }
                self.follower_used = false;
                self.token_used = None;
                self.list_extras();
            }
            Move::Follower { on } => {
                self.table.set_follower(on, Some(self.mover as Seat));
                self.supply[self.mover] -= 1;
                self.follower_used = true;
                self.list_extras();
            }
            Move::Token { colour, at } => {
                self.table.plug(at, colour);
                self.tokens[usize::from(colour)] -= 1;
                self.token_used = Some(at);
                self.list_extras();
            }
            Move::Done => self.legal.clear(),
        }
        if self.legal.is_empty() {
            self.end_turn(chance);
        }
    }

    fn end_turn(&mut self, chance: &mut impl Chance) {
        self.score_complete();
        self.mover = (self.mover + 1) % self.setup.seats;
        self.draw(chance);
    }

    /// Draws until a tile can be laid; a tile that can not is out of the game.
    fn draw(&mut self, chance: &mut impl Chance) {
        while !self.bag.is_empty() {
            let drawn = chance.draw(&self.bag);
            let design = self.bag.swap_remove(drawn);
            self.list_placements(design);
            if !self.legal.is_empty() {
                self.hand = Some(design);
                return;
            }
            self.discarded.push(design);
        }
        self.score_at_the_end();
    }

    fn list_placements(&mut self, design: u8) {
        self.legal.clear();
        self.table.frontier(&mut self.frontier);
        let turned = [0, 1, 2, 3].map(|turn| turned(design, turn));
        for &at in &self.frontier {
            for (turn, edges) in (0..).zip(turned) {
                if self.table.fits(edges, at) {
                    self.legal.push(Move::Lay { at, turn });
                }
            }
        }
    }

    /// Lists a follower and a token, as far as they have not been used; and that it is enough.
    fn list_extras(&mut self) {
        self.legal.clear();
        if !self.follower_used && self.supply[self.mover] > 0 {
            for part in self.table.parts_of(self.table.laid.len() - 1) {
                if self.table.piece(part).kind == Kind::Field && !self.setup.farmers {
                    continue;
                }
                self.flood.fill(&self.table, part);
                let mut parts = self.flood.parts.iter();
                if parts.all(|&it| self.table.follower(it).is_none()) {
                    self.legal.push(Move::Follower { on: part });
                }
            }
        }
        if self.token_used.is_none() {
            for colour in colours_of(&self.setup, self.mover) {
                if self.tokens[usize::from(colour)] > 0 {
                    let moves = self.table.vacant.iter();
                    self.legal
                        .extend(moves.map(|&at| Move::Token { colour, at }));
                }
            }
        }
        if !self.legal.is_empty() {
            self.legal.push(Move::Done);
        }
    }
}

/// The colours of a seat, ascending.
pub fn colours_of(setup: &Setup, seat: usize) -> impl Iterator<Item = Colour> + use<> {
    let seats = setup.seats;
    (0..setup.colours_each).map(move |it| (seat + it * seats) as Colour)
}

/// Plays a game at random and returns how many choices were made.
pub fn playout(setup: &Setup, rng: &mut rand_chacha::ChaCha8Rng) -> u64 {
    let mut game = Carcassonne::new(setup.clone(), rng);
    let mut plies = 0;
    while !game.is_over() {
        let choice = game.legal[super::chance::pick(rng, game.legal.len())];
        game.apply(choice, rng);
        plies += 1;
    }
    plies
}

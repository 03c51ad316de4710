//! Tunnels, whole matches to 21, under the default readings of its disputed sentences.

use super::chance::{Card, Chance};

pub const LANES: usize = 6;
pub const DEPTHS: usize = 7;
pub const PLOTS: usize = LANES * DEPTHS;
pub const CARDS: u8 = 52;
pub const RANKS: u8 = 13;
const SPADES: u8 = 3;
pub const TEN_OF_DIAMONDS: Card = 22;
pub const TWO_OF_SPADES: Card = 40;
const HAND_LIMIT: usize = 3;
const SWAP_LIMIT: u32 = 3;
pub const ROUNDS: u32 = 5;
const TARGET: u32 = 21;

/// A position of the tableau: `lane * 7 + (depth - 1)`, counted from the dealer's left and from
/// the dealer's edge.
pub type Plot = u8;

/// 0 is the seat that draws first for the deal, 1 is the other.
pub type Seat = usize;

/// The cards of the tableau.
pub type Field = [Option<Card>; PLOTS];

/// What a player may do; the order of the legal list is the order of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    Match { used: Card, at: Plot },
    Swap { used: Card, at: Plot },
    Discard { gone: Card },
}

/// What is being waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A match or a swap.
    Dig,
    /// A discard, because the new card of the round is one too many.
    TrimAfterDeal,
    /// A discard, because the card just taken is one too many.
    TrimAfterMatch,
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunnels {
    pub phase: Phase,
    pub mover: Seat,
    pub dealer: Seat,
    pub leader: Seat,
    /// 1 to 5.
    pub round: u32,
    /// How many lanes the field is wide; they are the last ones, at the dealer's right.
    pub width: usize,
    pub field: Field,
    /// In no particular order.
    pub stock: Vec<Card>,
    /// Ascending.
    pub hands: [Vec<Card>; 2],
    pub away: [Vec<Card>; 2],
    pub points: [u32; 2],
    pub swaps: [u32; 2],
    /// Whether the turn before this one was stuck.
    pub stuck: bool,
}

impl Tunnels {
    pub fn new(chance: &mut impl Chance) -> Self {
        let mut game = Tunnels {
            phase: Phase::Over,
            mover: 0,
            dealer: 0,
            leader: 0,
            round: 0,
            width: 0,
            field: [None; PLOTS],
            stock: Vec::with_capacity(CARDS as usize),
            hands: [Vec::with_capacity(4), Vec::with_capacity(4)],
            away: [
                Vec::with_capacity(CARDS as usize),
                Vec::with_capacity(CARDS as usize),
            ],
            points: [0, 0],
            swaps: [0, 0],
            stuck: false,
        };
        game.draw_for_deal(chance);
        game.start_hand(chance);
        game
    }

    /// Writes all legal moves, in canonical order; none when the match is over.
    pub fn legal(&self, moves: &mut Vec<Move>) {
        moves.clear();
        let hand = &self.hands[self.mover];
        match self.phase {
            Phase::Over => {}
            Phase::TrimAfterDeal | Phase::TrimAfterMatch => {
                moves.extend(hand.iter().map(|&gone| Move::Discard { gone }));
            }
            Phase::Dig => {
                let exposed = exposed(&self.field, self.width, self.mover == self.dealer);
                for &used in hand {
                    for at in exposed.iter() {
                        if self.field[at].is_some_and(|card| matches(used, card)) {
                            moves.push(Move::Match {
                                used,
                                at: at as Plot,
                            });
                        }
                    }
                }
                if self.swaps[self.mover] < SWAP_LIMIT || moves.is_empty() {
                    for &used in hand {
                        for at in exposed.iter() {
                            moves.push(Move::Swap {
                                used,
                                at: at as Plot,
                            });
                        }
                    }
                }
            }
        }
    }

    /// Plays a legal move, and all that follows from it up to the next choice.
    pub fn apply(&mut self, choice: Move, chance: &mut impl Chance) {
        match choice {
            Move::Match { used: _, at } => {
                if let Some(taken) = self.field[at as usize].take() {
                    insert(&mut self.hands[self.mover], taken);
                }
                self.swaps[self.mover] = 0;
                self.stuck = false;
                if self.hands[self.mover].len() > HAND_LIMIT {
                    self.phase = Phase::TrimAfterMatch;
                } else {
                    self.finish_match(chance);
                }
            }
            Move::Swap { used, at } => {
                let hand = &mut self.hands[self.mover];
                remove(hand, used);
                if let Some(taken) = self.field[at as usize].replace(used) {
                    insert(hand, taken);
                }
                self.swaps[self.mover] += 1;
                self.start_turn(1 - self.mover, chance);
            }
            Move::Discard { gone } => {
                remove(&mut self.hands[self.mover], gone);
                self.away[self.mover].push(gone);
                if self.phase == Phase::TrimAfterMatch {
                    self.finish_match(chance);
                } else {
                    self.start_digging(chance);
                }
            }
        }
    }

    /// Returns the points of a finished match; they are never equal.
    pub fn result(&self) -> Option<[u32; 2]> {
        (self.phase == Phase::Over).then_some(self.points)
    }

    /// The lower card deals; aces are high here, and only here.
    fn draw_for_deal(&mut self, chance: &mut impl Chance) {
        loop {
            self.stock.clear();
            self.stock.extend(0..CARDS);
            let drawn = [0, 1].map(|_: Seat| (rank(self.draw(chance)) + RANKS - 1) % RANKS);
            if drawn[0] != drawn[1] {
                self.dealer = usize::from(drawn[1] < drawn[0]);
                return;
            }
        }
    }

    fn draw(&mut self, chance: &mut impl Chance) -> Card {
        let at = chance.draw(&self.stock);
        self.stock.swap_remove(at)
    }

    fn start_hand(&mut self, chance: &mut impl Chance) {
        self.stock.clear();
        self.stock.extend(0..CARDS);
        for seat in [0, 1] {
            self.hands[seat].clear();
            self.away[seat].clear();
        }
        for plot in 0..PLOTS {
            self.field[plot] = Some(self.draw(chance));
        }
        self.width = LANES;
        self.start_round(1, self.dealer, chance);
    }

    pub fn start_round(&mut self, round: u32, leader: Seat, chance: &mut impl Chance) {
        self.round = round;
        self.leader = leader;
        for seat in [1 - self.dealer, self.dealer] {
            let card = self.draw(chance);
            insert(&mut self.hands[seat], card);
        }
        self.swaps = [0, 0];
        self.stuck = false;
        self.start_digging(chance);
    }

    /// Lets the leader dig once nobody holds too many cards.
    fn start_digging(&mut self, chance: &mut impl Chance) {
        for seat in [self.leader, 1 - self.leader] {
            if self.hands[seat].len() > HAND_LIMIT {
                self.mover = seat;
                self.phase = Phase::TrimAfterDeal;
                return;
            }
        }
        self.start_turn(self.leader, chance);
    }

    pub fn start_turn(&mut self, mover: Seat, chance: &mut impl Chance) {
        self.mover = mover;
        self.phase = Phase::Dig;
        let stuck = self.swaps[mover] >= SWAP_LIMIT && !self.can_match(mover);
        if self.width == 0 || (stuck && self.stuck) {
            self.fold(chance);
        } else {
            self.stuck = stuck;
        }
    }

    fn can_match(&self, seat: Seat) -> bool {
        let exposed = exposed(&self.field, self.width, seat == self.dealer);
        exposed.iter().any(|at| {
            self.field[at].is_some_and(|card| self.hands[seat].iter().any(|&it| matches(it, card)))
        })
    }

    /// Nobody can go on: both hands go away, and the dealer leads the next round.
    fn fold(&mut self, chance: &mut impl Chance) {
        for seat in [0, 1] {
            self.away[seat].append(&mut self.hands[seat]);
        }
        self.end_round(self.dealer, chance);
    }

    fn finish_match(&mut self, chance: &mut impl Chance) {
        if is_tunnelled(&self.field, self.width) {
            self.points[self.mover] += 3;
            self.width = collapse(&mut self.field);
            self.end_round(self.mover, chance);
        } else {
            self.start_turn(1 - self.mover, chance);
        }
    }

    pub fn end_round(&mut self, next_leader: Seat, chance: &mut impl Chance) {
        if self.round < ROUNDS {
            self.start_round(self.round + 1, next_leader, chance);
            return;
        }
        for seat in [0, 1] {
            self.points[seat] += card_points(&self.away[seat]);
        }
        let [a, b] = self.points;
        if a.max(b) >= TARGET && a != b {
            self.phase = Phase::Over;
        } else {
            self.dealer = 1 - self.dealer;
            self.start_hand(chance);
        }
    }
}

/// Plays a match at random and returns how many choices were made.
pub fn playout(rng: &mut rand_chacha::ChaCha8Rng, moves: &mut Vec<Move>) -> u64 {
    let mut game = Tunnels::new(rng);
    let mut plies = 0;
    loop {
        game.legal(moves);
        if moves.is_empty() {
            return plies;
        }
        let choice = moves[super::chance::pick(rng, moves.len())];
        game.apply(choice, rng);
        plies += 1;
    }
}

pub fn rank(card: Card) -> u8 {
    card % RANKS
}

pub fn suit(card: Card) -> u8 {
    card / RANKS
}

/// Equal or neighbouring values; king and ace are neighbours.
pub fn matches(x: Card, y: Card) -> bool {
    let apart = rank(x).abs_diff(rank(y));
    apart <= 1 || apart == RANKS - 1
}

/// The cards that a seat may match or swap; `near` is the dealer's view.
pub fn exposed(field: &Field, width: usize, near: bool) -> Plots {
    let (front, ahead) = if near { (0, 1) } else { (DEPTHS - 1, -1) };
    let mut open = [false; PLOTS];
    for lane in LANES - width..LANES {
        open[lane * DEPTHS + front] = true;
    }
    for plot in dug(field, width, near).iter() {
        let (lane, depth) = (plot / DEPTHS, plot % DEPTHS);
        let Some(depth) = depth.checked_add_signed(ahead).filter(|&it| it < DEPTHS) else {
            continue;
        };
        for lane in lane.saturating_sub(1).max(LANES - width)..=(lane + 1).min(LANES - 1) {
            open[lane * DEPTHS + depth] = true;
        }
    }
    let mut exposed = Plots::default();
    for plot in 0..PLOTS {
        if open[plot] && field[plot].is_some() {
            exposed.push(plot);
        }
    }
    exposed
}

/// The empty positions joined, never diagonally, to a seat's own edge.
pub fn dug(field: &Field, width: usize, near: bool) -> Plots {
    let front = if near { 0 } else { DEPTHS - 1 };
    let first_lane = LANES - width;
    let mut seen = [false; PLOTS];
    let mut dug = Plots::default();
    for lane in first_lane..LANES {
        let plot = lane * DEPTHS + front;
        if field[plot].is_none() {
            seen[plot] = true;
            dug.push(plot);
        }
    }
    let mut next = 0;
    while next < dug.len {
        let plot = dug.plots[next];
        next += 1;
        let (lane, depth) = (plot / DEPTHS, plot % DEPTHS);
        let mut visit = |plot: usize| {
            if !seen[plot] && field[plot].is_none() {
                seen[plot] = true;
                dug.push(plot);
            }
        };
        if lane > first_lane {
            visit(plot - DEPTHS);
        }
        if lane < LANES - 1 {
            visit(plot + DEPTHS);
        }
        if depth > 0 {
            visit(plot - 1);
        }
        if depth < DEPTHS - 1 {
            visit(plot + 1);
        }
    }
    dug
}

/// Whether empty positions join the two edges.
pub fn is_tunnelled(field: &Field, width: usize) -> bool {
    dug(field, width, true)
        .iter()
        .any(|plot| plot % DEPTHS == DEPTHS - 1)
}

/// Slides every line of cards to the dealer's right and returns the new width.
pub fn collapse(field: &mut Field) -> usize {
    let mut width = 0;
    for depth in 0..DEPTHS {
        let mut free = LANES;
        for lane in (0..LANES).rev() {
            if let Some(card) = field[lane * DEPTHS + depth].take() {
                free -= 1;
                field[free * DEPTHS + depth] = Some(card);
            }
        }
        width = width.max(LANES - free);
    }
    width
}

/// What the pile of a seat scores at the end of a hand.
pub fn card_points(pile: &[Card]) -> u32 {
    let mut points = 0;
    let mut spades = 0;
    for &card in pile {
        if rank(card) == 0 {
            points += 1;
        }
        if card == TEN_OF_DIAMONDS {
            points += 2;
        }
        if card == TWO_OF_SPADES {
            points += 1;
        }
        if suit(card) == SPADES {
            spades += 1;
        }
    }
    if spades >= 7 { points + 1 } else { points }
}

/// A list of positions that needs no heap.
#[derive(Clone)]
pub struct Plots {
    plots: [usize; PLOTS],
    len: usize,
}

impl Default for Plots {
    fn default() -> Self {
        Plots {
            plots: [0; PLOTS],
            len: 0,
        }
    }
}

impl Plots {
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.plots[..self.len].iter().copied()
    }

    fn push(&mut self, plot: usize) {
        self.plots[self.len] = plot;
        self.len += 1;
    }
}

fn insert(hand: &mut Vec<Card>, card: Card) {
    let at = hand.iter().take_while(|&&it| it < card).count();
    hand.insert(at, card);
}

fn remove(hand: &mut Vec<Card>, card: Card) {
    hand.retain(|&it| it != card);
}

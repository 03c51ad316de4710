//! Who referees a game of Tunnels in the tests: the hand-written game, or the engine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::baseline::chance::{Card, Recorded, Scripted, pick};
use crate::baseline::tunnels::{Field, Move, Seat, Tunnels};

/// A game in progress, stopped at a choice or at its end.
pub trait Referee {
    /// Starts a match whose luck comes from the seed.
    fn start(seed: u64) -> Self;

    /// Lists all legal moves in canonical order; none when the match is over.
    fn legal(&self) -> Vec<Move>;

    fn apply(&mut self, choice: Move);

    fn look(&self) -> Table;

    /// Returns the cards drawn since this was last asked, in the order of the draws.
    fn take_drawn(&mut self) -> Vec<Card>;
}

/// All that lies on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Nobody, once the match is over.
    pub mover: Option<Seat>,
    pub dealer: Seat,
    pub width: usize,
    pub field: Field,
    /// Ascending, as the hands and the piles are.
    pub stock: Vec<Card>,
    pub hands: [Vec<Card>; 2],
    pub away: [Vec<Card>; 2],
    pub points: [u32; 2],
}

/// The hand-written game.
pub struct HandWritten {
    game: Tunnels,
    rng: ChaCha8Rng,
    drawn: Vec<Card>,
}

impl Referee for HandWritten {
    fn start(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut chance = Recorded::new(&mut rng);
        let game = Tunnels::new(&mut chance);
        let drawn = chance.drawn;
        HandWritten { game, rng, drawn }
    }

    fn legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.legal(&mut moves);
        moves
    }

    fn apply(&mut self, choice: Move) {
        let mut chance = Recorded::new(&mut self.rng);
        self.game.apply(choice, &mut chance);
        self.drawn.append(&mut chance.drawn);
    }

    fn look(&self) -> Table {
        look(&self.game)
    }

    fn take_drawn(&mut self) -> Vec<Card> {
        std::mem::take(&mut self.drawn)
    }
}

/// Follows a random match of another referee with the hand-written game, draw by draw, and
/// reports the first choice at which the two differ.
pub fn follow<R: Referee>(seed: u64) -> Result<(), String> {
    let mut other = R::start(seed);
    let drawn = other.take_drawn();
    let mut script = Scripted::new(&drawn);
    let mut game = Tunnels::new(&mut script);
    script.verdict()?;
    let mut choices = ChaCha8Rng::seed_from_u64(!seed);
    let mut expected = Vec::new();
    for ply in 0.. {
        game.legal(&mut expected);
        let legal = other.legal();
        if legal != expected {
            return Err(format!(
                "ply {ply}: offers {legal:?} instead of {expected:?}"
            ));
        }
        if (other.look(), other.look().mover) != (look(&game), look(&game).mover) {
            return Err(format!(
                "ply {ply}: {:?} instead of {:?}",
                other.look(),
                look(&game)
            ));
        }
        if legal.is_empty() {
            break;
        }
        let choice = legal[pick(&mut choices, legal.len())];
        other.apply(choice);
        let drawn = other.take_drawn();
        let mut script = Scripted::new(&drawn);
        game.apply(choice, &mut script);
        script
            .verdict()
            .map_err(|it| format!("ply {ply}, {choice:?}: {it}"))?;
    }
    Ok(())
}

fn look(game: &Tunnels) -> Table {
    let sorted = |cards: &Vec<Card>| {
        let mut cards = cards.clone();
        cards.sort_unstable();
        cards
    };
    Table {
        mover: game.result().is_none().then_some(game.mover),
        dealer: game.dealer,
        width: game.width,
        field: game.field,
        stock: sorted(&game.stock),
        hands: game.hands.clone(),
        away: [sorted(&game.away[0]), sorted(&game.away[1])],
        points: game.points,
    }
}

//! Where a hand-written game gets its luck from.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// What is drawn. Of cards: `suit * 13 + rank`, suits clubs, diamonds, hearts, spades, ranks ace to
/// king. Of tiles: the number of the design.
pub type Card = u8;

/// Draws cards: at random, or as somebody else drew them.
pub trait Chance {
    /// Returns the position in `stock`, which is never empty, of the card that is drawn.
    fn draw(&mut self, stock: &[Card]) -> usize;
}

impl Chance for ChaCha8Rng {
    fn draw(&mut self, stock: &[Card]) -> usize {
        pick(self, stock.len())
    }
}

/// Picks one of `n` by multiply and shift; every random choice of a playout is made this way.
pub fn pick(rng: &mut ChaCha8Rng, n: usize) -> usize {
    let scaled = u64::from(rng.next_u32()) * n as u64;
    (scaled >> 32) as usize
}

/// Draws at random and remembers what was drawn.
pub struct Recorded<'a> {
    rng: &'a mut ChaCha8Rng,
    pub drawn: Vec<Card>,
}

impl<'a> Recorded<'a> {
    pub fn new(rng: &'a mut ChaCha8Rng) -> Self {
        Recorded {
            rng,
            drawn: Vec::new(),
        }
    }
}

impl Chance for Recorded<'_> {
    fn draw(&mut self, stock: &[Card]) -> usize {
        let at = self.rng.draw(stock);
        self.drawn.push(stock[at]);
        at
    }
}

/// Draws given cards in the given order.
pub struct Scripted<'a> {
    rest: &'a [Card],
    missed: Option<Card>,
    starved: bool,
}

impl<'a> Scripted<'a> {
    pub fn new(cards: &'a [Card]) -> Self {
        Scripted {
            rest: cards,
            missed: None,
            starved: false,
        }
    }

    /// Says what was wrong with the script once the game has drawn all it wants.
    pub fn verdict(&self) -> Result<(), String> {
        if let Some(card) = self.missed {
            return Err(format!(
                "card {card} was to be drawn but was not in the stock"
            ));
        }
        if self.starved {
            return Err("more cards were drawn than the script holds".to_owned());
        }
        if !self.rest.is_empty() {
            return Err(format!(
                "cards {:?} of the script were not drawn",
                self.rest
            ));
        }
        Ok(())
    }
}

impl Chance for Scripted<'_> {
    fn draw(&mut self, stock: &[Card]) -> usize {
        let Some((&card, rest)) = self.rest.split_first() else {
            self.starved = true;
            return 0;
        };
        self.rest = rest;
        stock.iter().position(|&it| it == card).unwrap_or_else(|| {
            self.missed = Some(card);
            0
        })
    }
}

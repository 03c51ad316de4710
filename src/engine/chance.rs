//! Chance: a choice made by nature, from named streams.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use xxhash_rust::xxh3::xxh3_64;

use crate::model::{Game, StreamId};

/// What decides for nature.
pub trait Chance {
    /// A number below `total` (which is not 0), each equally likely.
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64;

    /// An outcome that is fixed beforehand, as when a transcript is replayed.
    fn forced(&mut self, _stream: StreamId) -> Option<i64> {
        None
    }

    /// Called with every outcome, in order.
    fn happened(&mut self, _stream: StreamId, _value: i64) {}
}

/// The streams of a game by their names.
#[derive(Clone, Debug)]
pub struct Streams(Arc<[u64]>);

impl Streams {
    /// Those of a game.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let names = game.streams.iter();
        Self(names.map(|it| xxh3_64(it.name.as_bytes())).collect())
    }

    /// What stands for each, by its number.
    #[must_use]
    pub fn names(&self) -> Vec<u64> {
        self.0.to_vec()
    }

    fn name(&self, stream: u32) -> Option<u64> {
        self.0.get(usize::try_from(stream).ok()?).copied()
    }
}

/// Random numbers from a seed: the ChaCha8 generator with one stream of words per named stream, so
/// that drawing more from one changes no other. Its words are fixed by the cipher and equal on every
/// platform.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: u64,
    /// Where streams are told apart by name: what stands for each.
    names: Option<Streams>,
    /// Few: searched faster than hashed, and none is made before it is asked for.
    streams: Vec<(u32, ChaCha8Rng)>,
}

impl Dice {
    /// Dice for one game.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            names: None,
            streams: Vec::new(),
        }
    }

    /// Dice whose words follow from the seed and the name of a stream, not from its number: rules with
    /// more streams or fewer then find the same words in those that they share.
    #[must_use]
    pub fn named(seed: u64, names: &Streams) -> Self {
        Self {
            names: Some(names.clone()),
            ..Self::new(seed)
        }
    }

    /// The words of a stream. Numbers above those of the game's own streams are free for callers
    /// that need words of their own, such as bots.
    pub fn stream(&mut self, stream: u32) -> &mut impl Rng {
        let known = self.streams.iter().position(|(id, _)| *id == stream);
        let at = known.unwrap_or_else(|| {
            let mut words = ChaCha8Rng::seed_from_u64(self.seed);
            let name = self.names.as_ref().and_then(|it| it.name(stream));
            words.set_stream(name.unwrap_or(u64::from(stream)));
            self.streams.push((stream, words));
            self.streams.len() - 1
        });
        &mut self.streams[at].1
    }
}

/// A number below `total` by multiplication of a 64-bit word (Lemire 2019, without the rejection
/// step: the bias is below 2^-40 for the totals of a game, and every seed takes one word per outcome).
#[must_use]
pub fn below(word: u64, total: u64) -> u64 {
    ((u128::from(word) * u128::from(total)) >> 64) as u64
}

impl Chance for Dice {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        below(self.stream(stream.0).next_u64(), total)
    }
}

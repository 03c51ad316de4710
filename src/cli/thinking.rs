//! Minds at work: the time and the threads that they may use, and what they are called.

use std::time::{Duration, Instant};

use super::CliError;
use super::commands::simulate::here;
use crate::diagnostic::{closest, codes};
use crate::mind::Means;
use crate::play::{Player, Problem};

/// Time for minds, and threads.
pub struct Watch {
    clock: Box<dyn Fn() -> Duration + Sync>,
    threads: usize,
}

impl Watch {
    /// All processors but one.
    pub fn begin() -> Watch {
        Watch::with(here().get().saturating_sub(1).max(1))
    }

    /// So many threads.
    pub fn with(threads: usize) -> Watch {
        let began = Instant::now();
        Watch {
            clock: Box::new(move || began.elapsed()),
            threads,
        }
    }

    /// What a mind may use.
    pub fn means(&self) -> Means<'_> {
        Means {
            threads: self.threads,
            clock: &*self.clock,
        }
    }
}

/// Says that nobody is called so.
pub fn unknown(word: &str) -> CliError {
    let near = closest(word, Player::words().map(|it| it.0));
    let near = near.map(|near| format!("did you mean `{near}`? "));
    let help = format!(
        "{}a seat is `human`, or one of `random`, `first`, `greedy`, `easy`, `medium`, `hard`; mcts:1000, mcts:2s and flat:1000 say how much they think",
        near.unwrap_or_default()
    );
    let message = format!("nobody called `{word}` can sit on a seat");
    Problem::new(codes::BAD_SEATS, message).help(help).into()
}

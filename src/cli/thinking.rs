//! Minds at work: the time and the threads that they may use, and what they are called.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::commands::solve;
use super::load::Loaded;
use super::simulated::words::grouped;
use super::{CliError, Ui, position};
use crate::diagnostic::{closest, codes};
use crate::engine::FaultKind;
use crate::mind::{Means, Mind, Thinker};
use crate::play::{Player, Problem};
use crate::study::{MOST_POSITIONS, Open, Trouble};
use crate::threads::here;

/// How long nobody looks whether somebody asks to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Time for minds, and threads.
pub struct Watch {
    clock: Box<dyn Fn() -> Duration + Sync>,
    is_stopped: Box<dyn Fn() -> bool + Sync>,
    stop: Arc<AtomicBool>,
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
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        Watch {
            clock: Box::new(move || began.elapsed()),
            is_stopped: Box::new(move || asked.load(Ordering::Relaxed)),
            stop,
            threads,
        }
    }

    /// Thinks while somebody may ask to stop; what was found until then has to do.
    pub fn until_stopped<T: Send>(&self, ui: &Ui<'_>, think: impl FnOnce() -> T + Send) -> T {
        thread::scope(|scope| {
            let thinks = scope.spawn(think);
            while !thinks.is_finished() {
                thread::sleep(BETWEEN_LOOKS);
                self.stop.fetch_or(ui.is_stopped(), Ordering::Relaxed);
            }
            match thinks.join() {
                Ok(found) => found,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    /// Whether somebody has asked to stop while something was thought.
    pub fn has_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// What a mind may use.
    pub fn means(&self) -> Means<'_> {
        Means {
            threads: self.threads,
            clock: &*self.clock,
            is_stopped: &*self.is_stopped,
        }
    }
}

/// Says that nobody is called so.
pub fn unknown(word: &str) -> CliError {
    let near = closest(word, Player::words().map(|it| it.0));
    let near = near.map(|near| format!("did you mean `{near}`? "));
    let help = format!(
        "{}a seat is `human`, or one of `random`, `first`, `greedy`, `easy`, `medium`, `hard`, `exact`; mcts:1000, mcts:2s and flat:1000 say how much they think",
        near.unwrap_or_default()
    );
    let message = format!("nobody called `{word}` can sit on a seat");
    Problem::new(codes::BAD_SEATS, message).help(help).into()
}

/// Works out before a game begins what those who sit there have to know; an error where that cannot be.
pub fn prepare(
    thinker: &Thinker<'_>,
    minds: impl IntoIterator<Item = Mind>,
    loaded: &Loaded,
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    if minds.into_iter().all(|it| it != Mind::Exact) {
        return Ok(());
    }
    let mut shown = None;
    let worked = thinker.work_out(&mut |done| ui.watched(&mut shown, || grouped(done as u64)));
    ui.progress("");
    let open = match worked {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(open)) => Some(open),
        Err(Trouble::Chance(_)) => Some(Open::Chance),
        Err(Trouble::Fault(fault)) if fault.kind == FaultKind::Work => None,
        Err(Trouble::Fault(fault)) => return Err(position::fault(&loaded.sources, &fault)),
    };
    let game = &loaded.program.game;
    let why = match open {
        Some(open) => solve::why(game, open, MOST_POSITIONS, ui.form()),
        None => String::from("to work it out takes more work than one command may"),
    };
    let message = format!("`exact` cannot play {}: {why}", game.title);
    let help = "seat `medium`, or `mcts:1000` to say how much it thinks";
    Err(Problem::new(codes::BAD_SEATS, message).help(help).into())
}

/// Those who sit there and are no persons.
pub fn minds(seats: &[Player]) -> impl Iterator<Item = Mind> {
    seats.iter().filter_map(|it| match it {
        Player::Human => None,
        Player::Mind(mind) => Some(*mind),
    })
}

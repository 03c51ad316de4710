//! Work that several threads share, taken in as if one had done it.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// How long nobody is asked whether to go on.
const TICK: Duration = Duration::from_millis(100);

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// There is more to be known.
    On,
    /// Enough is known.
    Enough,
    /// More of the same would tell nothing.
    Vain,
    /// Somebody does not want any more.
    Stop,
}

/// Why nothing more was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// All was done.
    Played,
    /// Enough was known.
    Enough,
    /// More of the same would have told nothing.
    Vain,
    /// Somebody did not want any more.
    Stopped,
}

/// A thread for each processor.
pub fn here() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Does the pieces of some work, each on one of so many threads, and hands what comes of them on in their order; and nothing, where it
/// takes long. Nothing comes of a piece that was stopped.
pub fn in_turn<T, W>(
    jobs: NonZeroUsize,
    pieces: u64,
    worker: impl Fn() -> W + Sync,
    take: &mut dyn FnMut(Option<T>) -> Go,
) -> Left
where
    T: Send,
    W: FnMut(u64, &AtomicBool) -> Option<T>,
{
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let work = |send: Sender<(u64, T)>| {
        let mut does = worker();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= pieces {
                return;
            }
            let Some(done) = does(at, &stop) else {
                return;
            };
            if send.send((at, done)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..jobs.get() {
            let send = send.clone();
            // With fewer threads it takes longer.
            let _ = thread::Builder::new().spawn_scoped(scope, || work(send));
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut due = 0;
        let left = loop {
            match receive.recv_timeout(TICK) {
                Ok((at, done)) => {
                    early.insert(at, done);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if due == pieces => break Left::Played,
                Err(RecvTimeoutError::Disconnected) => break Left::Stopped,
            }
            let mut go = match early.contains_key(&due) {
                true => Go::On,
                false => take(None),
            };
            while go == Go::On
                && let Some(done) = early.remove(&due)
            {
                due += 1;
                go = take(Some(done));
            }
            match go {
                Go::Enough => break Left::Enough,
                Go::Vain => break Left::Vain,
                _ if due == pieces => break Left::Played,
                Go::Stop => break Left::Stopped,
                Go::On => {}
            }
        };
        stop.store(true, Ordering::Relaxed);
        left
    })
}

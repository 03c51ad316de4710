//! How commands end.

use std::process::ExitCode;

use crate::threads::Left;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, or the answer is yes.
    Yes,
    /// The answer is no: illegal, different, something found.
    No,
    /// Misuse or failure.
    Failure,
}

impl Exit {
    /// Returns what comes of something that many games were played for: what somebody stopped has no answer.
    pub fn of(is_fine: bool, left: Left) -> Exit {
        match (left, is_fine) {
            (Left::Stopped, _) => Exit::Failure,
            (_, true) => Exit::Yes,
            (_, false) => Exit::No,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Yes => 0,
            Exit::No => 1,
            Exit::Failure => 2,
        })
    }
}

//! One file for each command: its arguments and what it does.

pub mod bench;
pub mod check;
pub mod compare;
pub mod completions;
pub mod diff;
pub mod doc;
pub mod dump;
pub mod explain;
pub mod fmt;
pub mod games;
pub mod heard;
pub mod hint;
pub mod legal;
pub mod lint;
pub mod lsp;
pub mod man;
pub mod matrix;
pub mod new;
pub mod outline;
pub mod perft;
pub mod play;
pub mod profile;
pub mod replay;
pub mod resume;
pub mod review;
pub mod ruled;
pub mod rulings;
pub mod run;
pub mod settings;
pub mod shard;
pub mod show;
pub mod simulate;
pub mod solve;
pub mod sources;
pub mod study;
pub mod trying;
pub mod upgrade;
pub mod watch;
pub mod why;
pub mod why_not;

use crate::cli::CliError;
use crate::diagnostic::{closest, codes};
use crate::model::text::Form;
use crate::model::{Game, Silence};
use crate::play::{Problem, seat_name, seat_named};

/// Returns the seat with this name or number, counted from one.
pub fn seat_of(game: &Game, word: &str) -> Result<u32, CliError> {
    let names: Vec<String> = (0..game.n_seats)
        .map(|seat| seat_name(game, seat, Form::Plain))
        .collect();
    let numbered = || {
        word.parse::<u32>()
            .ok()?
            .checked_sub(1)
            .filter(|seat| *seat < game.n_seats)
    };
    seat_named(game, word).or_else(numbered).ok_or_else(|| {
        let near = closest(word, names.iter().map(String::as_str));
        let near = near
            .map(|near| format!("did you mean `{near}`? "))
            .unwrap_or_default();
        Problem::new(codes::BAD_SEATS, format!("there is no seat `{word}`"))
            .help(format!("{near}the seats are {}", names.join(", ")))
            .into()
    })
}

/// Says why a ruling or study was not looked at.
pub fn why_unheard(why: Silence) -> String {
    match why {
        Silence::Seats(count) => format!("it is for {count} players"),
        Silence::Missing => String::from("it names what these rules do not have"),
        Silence::Step => String::from("it starts at a step that these readings do not have"),
    }
}

/// Returns the finding about a ruling that does not exist.
pub fn unknown_ruling(id: &str, known: &[String]) -> CliError {
    let near = closest(id, known.iter().map(String::as_str));
    let near = near
        .map(|near| format!("did you mean `{near}`? "))
        .unwrap_or_default();
    Problem::new(codes::UNKNOWN_RULING, format!("there is no ruling `{id}`"))
        .help(format!("{near}`adit rulings GAME` lists them"))
        .into()
}

//! What minds are called.

use std::time::Duration;

use super::{Budget, Mind};

/// Most games that one choice is thought about.
const MOST_GAMES: u32 = 10_000_000;
/// Longest that one choice is thought about, in seconds.
const MOST_SECONDS: f64 = 600.0;

/// The minds that need no number.
const WORDS: [(Mind, &str, &str); 7] = [
    (Mind::Random, "random", "each legal move is equally likely"),
    (Mind::First, "first", "the first legal move"),
    (
        Mind::Greedy,
        "greedy",
        "the move behind which it stands best",
    ),
    (Mind::Easy, "easy", "greedy, a quarter at random"),
    (Mind::Medium, "medium", "plays 300 games on in its mind"),
    (Mind::Hard, "hard", "thinks for two seconds"),
    (
        Mind::Exact,
        "exact",
        "the best move of a small game that hides nothing",
    ),
];

/// Those with a number, as they are written.
const NUMBERED: [(&str, &str); 2] = [
    (
        "mcts",
        "searches the moves that promise most: `mcts:1000` games, `mcts:2s`",
    ),
    ("flat", "plays as many games on from each move: `flat:1000`"),
];

impl Mind {
    /// What can be written, each with what it is.
    pub fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
        let plain = WORDS.iter().map(|(_, word, about)| (*word, *about));
        plain.chain(NUMBERED)
    }

    /// The mind with this word.
    #[must_use]
    pub fn find(word: &str) -> Option<Mind> {
        if let Some((mind, ..)) = WORDS.iter().find(|it| it.1 == word) {
            return Some(*mind);
        }
        let (kind, budget) = word.split_once(':')?;
        let budget = Budget::read(budget)?;
        match kind {
            "mcts" => Some(Mind::Tree(budget)),
            "flat" => Some(Mind::Flat(budget)),
            _ => None,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            Mind::Tree(budget) => format!("mcts:{}", budget.written()),
            Mind::Flat(budget) => format!("flat:{}", budget.written()),
            plain => {
                let found = WORDS.iter().find(|it| it.0 == plain);
                found.map_or("", |it| it.1).to_owned()
            }
        }
    }

    /// Whether it plays games on in its mind.
    #[must_use]
    pub fn thinks(self) -> bool {
        !matches!(self, Mind::Random | Mind::First)
    }
}

impl Budget {
    fn read(text: &str) -> Option<Budget> {
        if let Some(time) = text.strip_suffix('s') {
            let seconds: f64 = match time.strip_suffix('m') {
                Some(thousandths) => thousandths.parse::<f64>().ok()? / 1_000.0,
                None => time.parse().ok()?,
            };
            let fits = (0.001..=MOST_SECONDS).contains(&seconds);
            return fits.then(|| Budget::Time(Duration::from_secs_f64(seconds)));
        }
        let games = text.parse().ok()?;
        (1..=MOST_GAMES)
            .contains(&games)
            .then_some(Budget::Games(games))
    }

    fn written(self) -> String {
        match self {
            Budget::Games(games) => games.to_string(),
            Budget::Time(time) => format!("{}s", time.as_secs_f64()),
        }
    }
}

//! What many games gave each of those who played.

use serde::Serialize;

use super::words::{between, decimal, grouped, percent};
use crate::lab::{Seated, Share, Shares};
use crate::stats::{self, Interval, LEVEL};

/// Those who played, in the order in which they were named.
pub struct Players {
    all: Vec<(String, Share)>,
    rotates: bool,
}

#[derive(Serialize)]
pub struct PlayerTold {
    player: String,
    games: u64,
    alone: u64,
    shared: u64,
    share: f64,
    low: f64,
    high: f64,
    /// By how much its first figure was above the best of the others, on average.
    margin: f64,
}

/// Those who sat at the table, with what they won.
pub fn of(seated: &Seated<'_>, shares: &Shares) -> Players {
    let words = seated.minds().iter().map(|it| it.word());
    Players {
        all: words.zip(shares.0.iter().copied()).collect(),
        rotates: seated.rotates(),
    }
}

/// Where the share of the wins lies; a part of a win counts as that part of a game.
fn interval(it: &Share) -> Interval {
    let hits = (it.part() * it.games as f64).round() as u64;
    stats::share(hits, it.games, LEVEL)
}

fn margin(it: &Share) -> f64 {
    it.margin as f64 / it.games.max(1) as f64
}

impl Players {
    /// Who played, in a few words.
    pub fn head(&self) -> String {
        let names: Vec<&str> = self.all.iter().map(|it| it.0.as_str()).collect();
        let moving = if self.rotates {
            ", seats changed after each game"
        } else {
            ""
        };
        format!("{}{moving}", names.join(" against "))
    }

    /// A row for each: its name, the games that it won, and its share of them.
    pub fn rows(&self, plain: bool) -> Vec<(String, String, String)> {
        let row = |(name, it): &(String, Share)| {
            let shared = match it.shared {
                0 => String::new(),
                n => format!("; shared {}", grouped(n)),
            };
            let share = format!(
                "{:>7} {}{shared}; ahead by {}",
                percent(it.part()),
                between(interval(it), plain),
                decimal(margin(it))
            );
            (name.clone(), grouped(it.alone), share)
        };
        self.all.iter().map(row).collect()
    }

    /// The same as data.
    pub fn told(&self) -> Vec<PlayerTold> {
        let told = |(name, it): &(String, Share)| {
            let interval = interval(it);
            PlayerTold {
                player: name.clone(),
                games: it.games,
                alone: it.alone,
                shared: it.shared,
                share: it.part(),
                low: interval.low,
                high: interval.high,
                margin: margin(it),
            }
        };
        self.all.iter().map(told).collect()
    }
}

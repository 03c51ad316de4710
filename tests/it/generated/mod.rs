//! Generated rulebooks mean the same to the rules as written, lowered, folded, and to a slow interpreter.
//!
//! `ADIT_EXPRESSIONS=1000000` and `ADIT_RULEBOOKS=20000` look at so many, from `ADIT_SEED` on; `ADIT_KEEP=FOLDER` keeps
//! the rulebooks that differ. `ADIT_FILE=FILE` looks at that rulebook alone, with the luck of `ADIT_SEED`.

mod games;
mod interpreter;
pub mod questions;
pub mod writer;

use std::env;
use std::fmt::Debug;
use std::fs;

use crate::fixtures::width;

/// Looks at what comes of seeds.
pub trait Looks: Debug + Default {
    /// Looks at what a seed gives.
    fn look(&mut self, seed: u64);
    /// Looks at a rulebook, with the luck of a seed.
    fn look_at(&mut self, text: String, seed: u64);
    /// How many have been looked at.
    fn done(&self) -> u64;
    fn wrong(&mut self) -> &mut Vec<String>;
}

/// Looks at as many as `name` says, or at those of every day, and fails where something differs; returns what came of it.
pub fn run<T: Looks>(name: &str, few: u64, usual: u64, wide: u64) -> T {
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse::<u64>().ok());
    let (asked, first) = (number(name), number("ADIT_SEED").unwrap_or(0));
    let many = asked.unwrap_or_else(|| width(few, usual, wide));
    let mut looks = T::default();
    if let Ok(file) = env::var("ADIT_FILE") {
        looks.look_at(fs::read_to_string(file).unwrap(), first);
    } else {
        let mut told = 0;
        for seed in first..first + many * 20 {
            looks.look(seed);
            let done = looks.done();
            if asked.is_some() && done / 1_000 > told {
                told = done / 1_000;
                eprintln!("{done} done, the last is seed {seed}");
            }
            if done >= many || looks.wrong().len() > 40 {
                break;
            }
        }
    }
    let wrong = std::mem::take(looks.wrong());
    if asked.is_some() || !wrong.is_empty() {
        println!("{looks:?}");
    }
    assert!(
        wrong.is_empty(),
        "{} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    looks
}

//! What many games have come to, as whole numbers with names: so it is carried from one machine to another.
//!
//! One function for each kind of totals says what its numbers are called; it writes them and reads them. Nought is
//! left out. Of a fault the seed alone is carried: whoever reads it plays that game again and sees it with his own eyes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};
use std::str::FromStr;

use super::course::{Course, End};
use super::run::{self, Until};
use super::totals::{EndingTotals, Extreme, Faulted, Overlong, Tally, Totals};

/// Whole numbers by name.
pub type Numbers = BTreeMap<String, i128>;

/// Plays the game with a seed again; of two rule sets that of one side.
pub type Again<'a> = dyn FnMut(usize, u64) -> Option<Course> + 'a;

/// What can be added up.
pub trait Merged {
    /// Adds what came of other games.
    fn merge(&mut self, other: &Self);
}

/// What is made of whole numbers, and can be added up.
pub trait Carried: Clone + Merged {
    /// Carries each of its numbers under a name.
    fn carry(&mut self, by: &mut Carrier<'_>);

    /// How many games are in it.
    fn games(&self) -> u64;

    /// Whether that is enough.
    fn is_enough(&self, _until: Until) -> bool {
        false
    }
}

/// Takes numbers out of totals, or puts them back.
pub struct Carrier<'a> {
    numbers: Numbers,
    /// What stands before each name, with a full stop behind each part.
    path: String,
    side: usize,
    /// If numbers are put back.
    again: Option<&'a mut Again<'a>>,
    /// No number that is put back is greater, so that many of them can be added up.
    most: u64,
    wrong: Option<String>,
}

/// Returns all numbers of some totals.
#[must_use]
pub fn numbers<T: Carried>(of: &T) -> Numbers {
    let mut by = Carrier {
        numbers: Numbers::new(),
        path: String::new(),
        side: 0,
        again: None,
        most: 0,
        wrong: None,
    };
    of.clone().carry(&mut by);
    by.numbers
}

/// Puts numbers into totals of which nothing is known yet, one of `parts`.
///
/// # Errors
///
/// The name of a number that cannot be.
pub fn totals<'a, T: Carried>(
    nothing: &T,
    numbers: Numbers,
    parts: u64,
    again: &'a mut Again<'a>,
) -> Result<T, String> {
    let mut totals = nothing.clone();
    let mut by = Carrier {
        numbers,
        path: String::new(),
        side: 0,
        again: Some(again),
        // What is told adds up several of them.
        most: (u64::MAX / parts.max(1)) >> 10,
        wrong: None,
    };
    totals.carry(&mut by);
    match by.wrong.or_else(|| by.numbers.into_keys().next()) {
        Some(name) => Err(name),
        None => Ok(totals),
    }
}

impl Carrier<'_> {
    /// Whether numbers are put back.
    pub(super) fn puts_back(&self) -> bool {
        self.again.is_some()
    }

    /// Notes that a number, or what they all come to, cannot be.
    pub(super) fn refuse(&mut self, name: impl Display) {
        let name = format!("{}{name}", self.path);
        self.wrong.get_or_insert(name);
    }

    /// Carries what belongs to one name.
    pub(super) fn inside(&mut self, name: impl Display, carry: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        // Writing into a string cannot fail.
        let _ = write!(self.path, "{name}.");
        carry(self);
        self.path.truncate(length);
    }

    /// Carries what belongs to one of two rule sets.
    pub(super) fn side(&mut self, side: usize, carry: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.side, side);
        self.inside(if side == 0 { "a" } else { "b" }, carry);
        self.side = before;
    }

    /// Carries a count or a sum.
    pub(super) fn number<N>(&mut self, name: impl Display, own: &mut N)
    where
        N: Copy + TryFrom<i128>,
        i128: TryFrom<N>,
    {
        let is_short = size_of::<N>() <= size_of::<u64>();
        let most = if is_short {
            i128::from(self.most)
        } else {
            i128::from(self.most) << 60
        };
        self.carried(name, own, most);
    }

    /// Carries what is no sum: a seed, or the greatest number of all.
    pub(super) fn value<N>(&mut self, name: impl Display, own: &mut N)
    where
        N: Copy + TryFrom<i128>,
        i128: TryFrom<N>,
    {
        self.carried(name, own, i128::MAX);
    }

    fn carried<N>(&mut self, name: impl Display, own: &mut N, most: i128)
    where
        N: Copy + TryFrom<i128>,
        i128: TryFrom<N>,
    {
        let key = format!("{}{name}", self.path);
        if !self.puts_back() {
            if let Ok(number) = i128::try_from(*own)
                && number != 0
            {
                self.numbers.insert(key, number);
            }
            return;
        }
        let number = self.numbers.remove(&key).unwrap_or(0);
        match N::try_from(number) {
            Ok(number_here) if number.checked_abs().is_some_and(|it| it <= most) => {
                *own = number_here;
            }
            _ => self.refuse(name),
        }
    }

    /// Returns what follows the path in the names that are there.
    pub(super) fn names<N: FromStr + Ord>(&mut self) -> BTreeSet<N> {
        let path = self.path.as_str();
        let here = self.numbers.range(path.to_owned()..);
        let rest = here.map_while(|(name, _)| name.strip_prefix(path));
        let firsts: BTreeSet<&str> = rest.filter_map(|it| it.split('.').next()).collect();
        // What cannot be read stays, and is found to be too much.
        firsts
            .into_iter()
            .filter_map(|it| it.parse().ok())
            .collect()
    }

    /// Plays a game again; none if no fault stops it.
    fn fault(&mut self, seed: u64, games: u64) -> Option<Faulted> {
        let side = self.side;
        let course = self.again.as_mut().and_then(|again| again(side, seed))?;
        match course.end {
            End::Fault(fault) => Some(Faulted {
                fault: *fault,
                games,
                seed,
                choices: course.choices,
            }),
            End::Judged(_) | End::Overlong => None,
        }
    }
}

impl Tally {
    pub(super) fn carry(&mut self, by: &mut Carrier<'_>) {
        let Tally {
            games,
            alone,
            shared,
            lost,
            credit,
        } = self;
        by.number("games", games);
        by.number("alone", alone);
        by.number("shared", shared);
        by.number("lost", lost);
        by.number("credit", credit);
        let known = [*alone, *shared, *lost]
            .iter()
            .try_fold(0_u64, |sum, it| sum.checked_add(*it));
        if known.is_none_or(|it| it > *games) {
            by.refuse("alone");
        }
    }
}

impl Extreme {
    pub(super) fn carry(&mut self, by: &mut Carrier<'_>) {
        by.value("choices", &mut self.choices);
        by.value("seed", &mut self.seed);
    }
}

impl EndingTotals {
    pub(super) fn carry(&mut self, n_seats: usize, by: &mut Carrier<'_>) {
        by.number("games", &mut self.games);
        by.inside("figure", |by| {
            if by.puts_back() {
                let names = by.names::<usize>();
                let n = names.last().map_or(0, |it| it + 1);
                // All of them are there.
                if n == names.len() {
                    self.figures = vec![Default::default(); n];
                }
            }
            for (at, seats) in self.figures.iter_mut().enumerate() {
                by.inside(at, |by| {
                    if by.puts_back() {
                        let most = by.names::<usize>().last().map_or(0, |it| it + 1);
                        seats.resize(most.min(n_seats), Default::default());
                    }
                    for (seat, spread) in seats.iter_mut().enumerate() {
                        by.inside(seat, |by| spread.carry(by));
                    }
                });
            }
        });
    }
}

impl Carried for Totals {
    fn carry(&mut self, by: &mut Carrier<'_>) {
        self.carry_games(by);
        by.inside("faults", |by| {
            if !by.puts_back() {
                for it in &mut self.faults {
                    by.inside(it.seed, |by| {
                        by.number("games", &mut it.games);
                        by.number("choices", &mut it.choices);
                    });
                }
                return;
            }
            for seed in by.names::<u64>() {
                let (mut games, mut choices) = (0, 0);
                by.inside(seed, |by| {
                    by.number("games", &mut games);
                    by.number("choices", &mut choices);
                });
                match by.fault(seed, games) {
                    Some(fault) if fault.choices == choices => self.stop(fault),
                    _ => by.refuse(seed),
                }
            }
        });
        by.inside("overlong", |by| {
            let mut it = self.overlong.unwrap_or(Overlong { games: 0, seed: 0 });
            by.number("games", &mut it.games);
            by.value("seed", &mut it.seed);
            if by.puts_back() {
                self.overlong = (it.games > 0).then_some(it);
            }
        });
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn is_enough(&self, until: Until) -> bool {
        run::is_enough(self, until)
    }
}

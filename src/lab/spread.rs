//! How whole numbers are spread.

use std::collections::BTreeMap;

use super::carried::Carrier;
use crate::stats::{self, Interval};

/// Numbers from 0 up to here are counted in a row of counters.
const ROW: usize = 2_048;
/// Greater ones are told apart by so many of their first bits.
const BITS: u32 = 11;

/// How often each whole number was seen: exactly up to 2,047, above that to within a thousandth. Two of them
/// are added up by adding counts, so it does not matter who has seen what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    row: Vec<u64>,
    far: BTreeMap<i64, u64>,
    count: u64,
    sum: i128,
    squares: i128,
    range: Option<(i64, i64)>,
}

impl Spread {
    /// Adds a number.
    pub fn add(&mut self, value: i64) {
        self.count_in(value, 1);
        self.sum += i128::from(value);
        self.squares = self.squares.saturating_add(i128::from(value).pow(2));
        self.note(value, value);
    }

    fn count_in(&mut self, value: i64, times: u64) {
        match usize::try_from(value).ok().filter(|at| *at < ROW) {
            Some(at) => {
                if at >= self.row.len() {
                    self.row.resize(at + 1, 0);
                }
                self.row[at] += times;
            }
            None => *self.far.entry(kept(value)).or_default() += times,
        }
        self.count += times;
    }

    pub(super) fn carry(&mut self, by: &mut Carrier<'_>) {
        by.number("sum", &mut self.sum);
        by.value("squares", &mut self.squares);
        let (mut least, mut most) = self.range.unwrap_or_default();
        by.value("least", &mut least);
        by.value("most", &mut most);
        by.inside("of", |by| {
            if !by.puts_back() {
                for (value, mut times) in self.counts() {
                    by.number(value, &mut times);
                }
                return;
            }
            for value in by.names::<i64>() {
                let mut times = 0;
                by.number(value, &mut times);
                match self.count.checked_add(times) {
                    Some(_) => self.count_in(value, times),
                    None => by.refuse(value),
                }
            }
        });
        if by.puts_back() {
            self.range = (self.count > 0).then_some((least, most));
            if least > most {
                by.refuse("least");
            }
        }
    }

    fn note(&mut self, least: i64, most: i64) {
        let (low, high) = self.range.unwrap_or((least, most));
        self.range = Some((low.min(least), high.max(most)));
    }

    /// Adds what another one has seen.
    pub fn merge(&mut self, other: &Spread) {
        if self.row.len() < other.row.len() {
            self.row.resize(other.row.len(), 0);
        }
        for (own, other) in self.row.iter_mut().zip(&other.row) {
            *own += other;
        }
        for (value, count) in &other.far {
            *self.far.entry(*value).or_default() += count;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.squares = self.squares.saturating_add(other.squares);
        if let Some((least, most)) = other.range {
            self.note(least, most);
        }
    }

    /// How many numbers were seen.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    #[must_use]
    pub fn sum(&self) -> i128 {
        self.sum
    }

    /// The least and the greatest one.
    #[must_use]
    pub fn range(&self) -> Option<(i64, i64)> {
        self.range
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Where the mean lies.
    #[must_use]
    pub fn mean_interval(&self) -> Interval {
        stats::mean(self.count, self.sum, self.squares, stats::LEVEL)
    }

    /// The variance.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        stats::variance(self.count, self.sum, self.squares)
    }

    /// The numbers in order, each with how often it was seen.
    pub fn counts(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        let row = (0..).zip(&self.row).map(|(value, count)| (value, *count));
        let far = self.far.iter().map(|(value, count)| (*value, *count));
        let (low, high): (Vec<_>, Vec<_>) = far.partition(|(value, _)| *value < 0);
        low.into_iter()
            .chain(row)
            .chain(high)
            .filter(|(_, count)| *count > 0)
    }

    /// The number of this rank, counted from 1.
    #[must_use]
    pub fn ranked(&self, rank: u64) -> Option<i64> {
        let mut seen = 0;
        let (least, most) = self.range?;
        let found = self.counts().find(|(_, count)| {
            seen += count;
            seen >= rank
        });
        found.map(|(value, _)| value.clamp(least, most))
    }

    /// The number below which a share of all numbers lies.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let rank = (self.count as f64 * share).ceil() as u64;
        self.ranked(rank.clamp(1, self.count.max(1)))
    }

    /// Between which numbers that quantile lies; none on a side where too few were seen.
    #[must_use]
    pub fn quantile_interval(&self, share: f64) -> (Option<i64>, Option<i64>) {
        let (low, high) = stats::ranks_of_quantile(self.count, share, stats::LEVEL);
        let value = |rank: Option<u64>| rank.and_then(|it| self.ranked(it));
        (value(low), value(high))
    }

    /// The numbers in so many stretches of one length, each with where it begins and how many lie in it.
    #[must_use]
    pub fn stretches(&self, most: usize) -> Vec<(i64, u64)> {
        let Some((least, greatest)) = self.range else {
            return Vec::new();
        };
        let width = i128::from(greatest) - i128::from(least) + 1;
        let most = i128::try_from(most.max(1)).unwrap_or(1);
        let step = (width + most - 1) / most;
        let n = usize::try_from((width + step - 1) / step).unwrap_or(1);
        let begins = |at: usize| i128::from(least) + step * i128::try_from(at).unwrap_or(0);
        let starts = (0..n).map(|at| (i64::try_from(begins(at)).unwrap_or(greatest), 0));
        let mut stretches: Vec<(i64, u64)> = starts.collect();
        for (value, count) in self.counts() {
            let from_least = i128::from(value.clamp(least, greatest)) - i128::from(least);
            let at = usize::try_from(from_least / step).unwrap_or(0);
            if let Some(stretch) = stretches.get_mut(at) {
                stretch.1 += count;
            }
        }
        stretches
    }
}

/// The number that stands for all with the same first bits.
fn kept(value: i64) -> i64 {
    let bits = 64 - value.unsigned_abs().leading_zeros();
    let shift = bits.saturating_sub(BITS);
    (value >> shift) << shift
}

//! Intervals that may be looked at after every game.

use super::Interval;

/// After so many games a sequence is as narrow as it can be for that number.
const SHARPEST: f64 = 2_500.0;

/// A confidence sequence for the mean of values between 0 and 1 (Robbins' normal mixture): the chance that
/// it ever excludes the true mean, however often somebody looks, is at most `chance`. An interval that
/// is made anew at each look excludes it sooner or later.
#[derive(Clone, Copy, Debug)]
pub struct Sequence {
    chance: f64,
}

impl Sequence {
    /// One that errs with this chance.
    #[must_use]
    pub fn new(chance: f64) -> Self {
        Self { chance }
    }

    /// What is left of the mean after so many values with this sum.
    #[must_use]
    pub fn interval(&self, count: u64, sum: f64) -> Interval {
        let n = count as f64;
        // Values between 0 and 1 have a variance of at most a quarter.
        let (spent, sharpest) = (n / 4.0, SHARPEST / 4.0);
        let two = -2.0 * self.chance.ln();
        let mixture = sharpest / (two + (two + 1.0).ln());
        let reach = spent + mixture;
        let bound = (reach * (reach / (mixture * self.chance * self.chance)).ln()).sqrt();
        let (centre, radius) = (sum / n, bound / n);
        Interval {
            low: (centre - radius).max(0.0),
            high: (centre + radius).min(1.0),
        }
    }
}

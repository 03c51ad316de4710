//! What can be said of shares, means and quantiles that were counted in random games.

mod binomial;
mod normal;
mod sequence;

pub use binomial::{chance_of_at_least, exact, ranks_of_quantile};
pub use normal::{quantile, two_sided};
pub use sequence::Sequence;

/// How sure all intervals are.
pub const LEVEL: f64 = 0.95;

/// From there to there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least value that is not excluded.
    pub low: f64,
    /// The greatest one.
    pub high: f64,
}

impl Interval {
    /// Half of its length.
    #[must_use]
    pub fn radius(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether a value is not excluded.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// The interval of a share of which `hits` in `all` were seen: Wilson's, and at 0 or all of them that of
/// Clopper and Pearson, because Wilson's is too short there. Everything, where nothing was looked at.
#[must_use]
pub fn share(hits: u64, all: u64, level: f64) -> Interval {
    let n = all as f64;
    if all == 0 {
        return Interval {
            low: 0.0,
            high: 1.0,
        };
    }
    let extreme = ((1.0 - level) / 2.0).powf(1.0 / n);
    if hits == 0 {
        return Interval {
            low: 0.0,
            high: 1.0 - extreme,
        };
    }
    if hits >= all {
        return Interval {
            low: extreme,
            high: 1.0,
        };
    }
    let z = quantile((1.0 + level) / 2.0);
    let (seen, square) = (hits as f64 / n, z * z);
    let centre = (seen + square / (2.0 * n)) / (1.0 + square / n);
    let spread = (seen * (1.0 - seen) / n + square / (4.0 * n * n)).sqrt();
    let radius = z / (1.0 + square / n) * spread;
    Interval {
        low: (centre - radius).max(0.0),
        high: (centre + radius).min(1.0),
    }
}

/// The interval of a mean, from the sum and the sum of the squares of so many values. Everything, where
/// fewer than two were looked at.
#[must_use]
pub fn mean(count: u64, sum: i128, squares: i128, level: f64) -> Interval {
    let Some(variance) = variance(count, sum, squares) else {
        return Interval {
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        };
    };
    let n = count as f64;
    let centre = sum as f64 / n;
    let radius = quantile((1.0 + level) / 2.0) * (variance / n).sqrt();
    Interval {
        low: centre - radius,
        high: centre + radius,
    }
}

/// The variance of so many values, from their sum and the sum of their squares.
#[must_use]
pub fn variance(count: u64, sum: i128, squares: i128) -> Option<f64> {
    let others = count.checked_sub(1).filter(|it| *it > 0)?;
    // Whole numbers first: what cancels out leaves nothing behind.
    let exact = i128::from(count)
        .checked_mul(squares)
        .zip(sum.checked_mul(sum))
        .and_then(|(whole, part)| whole.checked_sub(part));
    let n = count as f64;
    let scaled = match exact {
        Some(exact) => exact as f64 / n,
        None => squares as f64 - sum as f64 * (sum as f64 / n),
    };
    Some((scaled / others as f64).max(0.0))
}

/// How likely it is that a share lies at least so far from `expected` by luck: two-sided.
#[must_use]
pub fn luck_of_share(hits: u64, all: u64, expected: f64) -> f64 {
    let n = all as f64;
    let spread = (expected * (1.0 - expected) / n).sqrt();
    if all == 0 || spread == 0.0 {
        return 1.0;
    }
    two_sided((hits as f64 / n - expected) / spread)
}

/// Chances of several findings raised, so that no more than a share of `1 - LEVEL` of all looks finds anything
/// where nothing is (Holm).
#[must_use]
pub fn holm(chances: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..chances.len()).collect();
    order.sort_by(|one, other| chances[*one].total_cmp(&chances[*other]));
    let mut raised = vec![1.0; chances.len()];
    let mut most = 0.0_f64;
    for (before, at) in order.iter().enumerate() {
        let left = (chances.len() - before) as f64;
        most = most.max((chances[*at] * left).min(1.0));
        raised[*at] = most;
    }
    raised
}

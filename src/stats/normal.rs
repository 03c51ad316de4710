//! The normal distribution.

/// Where terms become too small to count.
const SMALL: f64 = 1e-18;

/// The chance of a value above `z`.
#[must_use]
pub(super) fn above(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - above(-z);
    }
    let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if z < 3.0 {
        // Marsaglia's series: the area between 0 and z.
        let (mut term, mut sum, mut odd) = (z, z, 1.0);
        while term > SMALL {
            odd += 2.0;
            term *= z * z / odd;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    // Laplace's continued fraction, from its far end.
    let fraction = (1..=60).rev().fold(z, |rest, k| z + f64::from(k) / rest);
    density / fraction
}

/// The chance of a value at least as far from 0 as `z`.
#[must_use]
pub fn two_sided(z: f64) -> f64 {
    (2.0 * above(z.abs())).min(1.0)
}

/// The value below which a share `p` of all values lies.
#[must_use]
pub fn quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if above(middle) > 1.0 - p {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

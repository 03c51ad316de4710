//! How often something happens in many independent looks.

use super::Interval;

/// The logarithm of the factorial of a number.
fn ln_factorial(n: u64) -> f64 {
    if n < 32 {
        return (2..=n).map(|it| (it as f64).ln()).sum();
    }
    // Stirling's series; the next term is below 1e-16.
    let x = n as f64;
    let inverse = 1.0 / x;
    let square = inverse * inverse;
    let rest = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square / 1260.0));
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + rest
}

/// For each number of hits from `first` on how likely at most so many are; what lies before `first` is too unlikely
/// to count.
fn at_most(n: u64, p: f64) -> (u64, Vec<f64>) {
    let mode = (((n + 1) as f64 * p) as u64).min(n);
    let top = ln_factorial(n) - ln_factorial(mode) - ln_factorial(n - mode)
        + mode as f64 * p.ln()
        + (n - mode) as f64 * (1.0 - p).ln();
    let (top, odds) = (top.exp(), p / (1.0 - p));
    let mut below = Vec::new();
    let (mut chance, mut k) = (top, mode);
    while k > 0 && chance > 1e-18 {
        chance *= k as f64 / ((n - k + 1) as f64 * odds);
        below.push(chance);
        k -= 1;
    }
    below.reverse();
    let mut chances = below;
    let (mut chance, mut above) = (top, mode);
    chances.push(chance);
    while above < n && chance > 1e-18 {
        chance *= (n - above) as f64 * odds / (above + 1) as f64;
        chances.push(chance);
        above += 1;
    }
    let mut sum = 0.0;
    for chance in &mut chances {
        sum += *chance;
        *chance = sum;
    }
    (k, chances)
}

/// How likely at most `k` hits are.
fn chance_of_at_most(n: u64, p: f64, k: u64) -> f64 {
    let (first, chances) = at_most(n, p);
    let at = k.checked_sub(first).and_then(|it| usize::try_from(it).ok());
    at.map_or(0.0, |at| chances.get(at).copied().unwrap_or(1.0))
}

/// How likely at least `k` hits in `n` looks are.
#[must_use]
pub fn chance_of_at_least(n: u64, p: f64, k: u64) -> f64 {
    match k.checked_sub(1) {
        None => 1.0,
        Some(less) => 1.0 - chance_of_at_most(n, p, less),
    }
}

/// The exact interval of a share of which `hits` in `all` were seen (Clopper and Pearson 1934): never too short.
/// Everything, where nothing was looked at.
#[must_use]
pub fn exact(hits: u64, all: u64, level: f64) -> Interval {
    let tail = (1.0 - level) / 2.0;
    // The share at which the chance of something that grows with it is the tail.
    let where_tail = |grows: &dyn Fn(f64) -> f64| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            match grows(middle) < tail {
                true => low = middle,
                false => high = middle,
            }
        }
        high
    };
    let low = match hits {
        0 => 0.0,
        hits => where_tail(&|p| chance_of_at_least(all, p, hits)),
    };
    let high = match hits >= all {
        true => 1.0,
        false => 1.0 - where_tail(&|q| chance_of_at_most(all, 1.0 - q, hits)),
    };
    Interval { low, high }
}

/// The ranks, counted from 1, between which the value lies below which a share `q` of all values lies: so sure, and
/// whatever the values are like. None on a side where so few values cannot say it.
#[must_use]
pub fn ranks_of_quantile(n: u64, q: f64, level: f64) -> (Option<u64>, Option<u64>) {
    if n == 0 {
        return (None, None);
    }
    let tail = (1.0 - level) / 2.0;
    let (first, at_most) = at_most(n, q);
    // The value of rank r lies above the quantile where fewer than r values lie below it.
    let low = at_most.partition_point(|it| *it <= tail) as u64;
    let high = at_most.partition_point(|it| *it < 1.0 - tail) as u64;
    let low = Some(first + low).filter(|it| *it > 0);
    let high = Some(first + high + 1).filter(|it| *it <= n);
    (low, high)
}

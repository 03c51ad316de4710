//! Intervals and tests are those of the books.

use adit::stats::{Sequence, holm, mean, quantile, ranks_of_quantile, share, two_sided, variance};

#[track_caller]
fn near(found: f64, published: f64, within: f64) {
    assert!(
        (found - published).abs() <= within,
        "{found}, not {published}"
    );
}

#[test]
fn the_normal_distribution_is_that_of_the_tables() {
    near(quantile(0.975), 1.959_963_984_540_054, 1e-12);
    near(quantile(0.95), 1.644_853_626_951_472, 1e-12);
    near(quantile(0.995), 2.575_829_303_548_901, 1e-12);
    near(quantile(0.5), 0.0, 1e-12);
    let above = |z| two_sided(z) / 2.0;
    near(above(1.0), 0.158_655_253_931_457, 1e-14);
    near(above(3.0), 1.349_898_031_630_095e-3, 1e-16);
    near(above(6.0), 9.865_876_450_376_98e-10, 1e-22);
    near(quantile(1.0 - 0.977_249_868_051_820_8), -2.0, 1e-12);
}

/// Newcombe, "Two-sided confidence intervals for the single proportion", 1998: table I.
#[test]
fn shares_have_the_published_intervals() {
    for (hits, all, low, high) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ] {
        let found = share(hits, all, 0.95);
        near(found.low, low, 5e-5);
        near(found.high, high, 5e-5);
    }
    // Clopper and Pearson's at the ends.
    let none = share(0, 20, 0.95);
    near(none.low, 0.0, 0.0);
    near(none.high, 0.1684, 5e-5);
    let every = share(29, 29, 0.95);
    near(every.low, 0.8806, 5e-5);
    near(every.high, 1.0, 0.0);
    assert_eq!(share(0, 0, 0.95).radius(), 0.5);
}

/// The ranks that are printed for the median in tables of order statistics: 95 %, two-sided.
#[test]
fn quantiles_lie_between_the_published_ranks() {
    for (n, low, high) in [
        (6, 1, 6),
        (10, 2, 9),
        (20, 6, 15),
        (50, 18, 33),
        (100, 40, 61),
    ] {
        let ranks = ranks_of_quantile(n, 0.5, 0.95);
        assert_eq!(ranks, (Some(low), Some(high)), "{n} values");
    }
    assert_eq!(ranks_of_quantile(5, 0.5, 0.95), (None, None));
    let (low, high) = ranks_of_quantile(1_000_000, 0.05, 0.95);
    near(low.map_or(0.0, |it| it as f64), 49_573.0, 2.0);
    near(high.map_or(0.0, |it| it as f64), 50_429.0, 2.0);
}

#[test]
fn whole_sums_give_means_and_variances() {
    assert_eq!(variance(4, 10, 30), Some(5.0 / 3.0));
    assert_eq!(variance(1, 7, 49), None);
    // Nothing is lost where the values are great and alike.
    let value = 1_i128 << 50;
    assert_eq!(variance(3, 3 * value, 3 * value * value), Some(0.0));
    let found = mean(100, 500, 2_599, 0.95);
    near(found.low, 5.0 - 0.195_996_398, 1e-6);
    near(found.high, 5.0 + 0.195_996_398, 1e-6);
}

/// Holm, "A simple sequentially rejective multiple test procedure", 1979: the order of the steps.
#[test]
fn several_findings_are_raised_step_by_step() {
    let raised = holm(&[0.01, 0.04, 0.03, 0.005]);
    for (found, published) in raised.iter().zip([0.03, 0.06, 0.06, 0.02]) {
        near(*found, published, 1e-12);
    }
    assert_eq!(holm(&[]), Vec::<f64>::new());
}

#[test]
fn a_sequence_is_as_narrow_as_the_formula_says() {
    let found = Sequence::new(0.05).interval(6_300, 3_150.0);
    near(found.radius(), 0.0194, 1e-4);
    let first = Sequence::new(0.05).interval(1, 1.0);
    assert!(first.holds(0.0) && first.holds(1.0));
}

use super::*;

const OPS: [BinaryOp; 5] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Mod,
];

#[test]
fn division_rounds_down_and_leaves_what_has_the_sign_of_the_divisor() {
    let seen: Vec<_> = [(7, 2), (7, -2), (-7, 2), (-7, -2), (6, -2), (1, 0)]
        .map(|(a, b)| (quotient(a, b), remainder(a, b)))
        .into();
    assert_eq!(
        seen,
        [
            (Some(3), Some(1)),
            (Some(-4), Some(-1)),
            (Some(-4), Some(1)),
            (Some(3), Some(-1)),
            (Some(-3), Some(0)),
            (None, None),
        ]
    );
}

#[test]
fn a_result_of_more_than_eighteen_digits_is_none() {
    assert_eq!(calculate(BinaryOp::Add, MOST, 0), Some(MOST));
    assert_eq!(calculate(BinaryOp::Add, MOST, 1), None);
    assert_eq!(calculate(BinaryOp::Sub, -MOST, 1), None);
    assert_eq!(calculate(BinaryOp::Mul, MOST, MOST), None);
    assert_eq!(
        calculate(BinaryOp::Mul, 1_000_000_000, -1_000_000_000),
        None
    );
}

/// Every result lies within the bounds, and the bounds of all but remainders are results themselves.
#[test]
fn bounds_are_those_of_all_results() {
    for op in OPS {
        for (a, b) in pairs() {
            for (c, d) in pairs() {
                let (lo, hi) = bounds(op, (a, b), (c, d));
                let results: Vec<i128> = (a..=b)
                    .flat_map(|x| (c..=d).filter_map(move |y| calculate(op, x, y)))
                    .map(i128::from)
                    .collect();
                let Some((least, most)) = results.iter().min().zip(results.iter().max()) else {
                    continue;
                };
                let of = format!("{op:?} of {a}..{b} and {c}..{d}: {lo}..{hi}");
                assert!(lo <= *least && *most <= hi, "{of}");
                if op != BinaryOp::Mod {
                    assert_eq!((lo, hi), (*least, *most), "{of}");
                }
            }
        }
    }
}

fn pairs() -> impl Iterator<Item = Bounds> {
    (-5..=5).flat_map(|lo| (lo..=5).map(move |hi| (lo, hi)))
}

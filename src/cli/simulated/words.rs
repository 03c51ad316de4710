//! Numbers as they are written for people.

use crate::lab::{Left, Spread};
use crate::stats::Interval;

/// Bars from low to high.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Most bars in a row.
const MOST_BARS: usize = 16;

/// Why fewer games, or pairs of them, were played than were asked for; nothing where all were, or enough of them.
pub fn left_early(left: Left, asked: u64, what: &str) -> Option<String> {
    let why = match left {
        Left::Played | Left::Enough => return None,
        Left::Vain => "left off: games run out of work, one after the other",
        Left::Stopped => "stopped: this is what is known",
    };
    Some(format!("{why}; {} {what} were asked for", grouped(asked)))
}

/// Writes a number with commas.
pub fn grouped(number: impl TryInto<i128>) -> String {
    let number: i128 = number.try_into().unwrap_or(i128::MAX);
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Writes a share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Writes where a share lies, in percent.
pub fn between(it: Interval, plain: bool) -> String {
    let (low, high) = (it.low * 100.0, it.high * 100.0);
    format!("[{low:.1}{}{high:.1} %]", dash(plain))
}

/// What stands between the ends of a stretch.
pub fn dash(plain: bool) -> &'static str {
    if plain { " to " } else { "–" }
}

/// What stands between two facts on a line.
pub fn dot(plain: bool) -> &'static str {
    if plain { "; " } else { " · " }
}

/// Writes a number that may have a fraction, as exactly as its size asks for.
pub fn decimal(value: f64) -> String {
    // What is nought when it is rounded has no sign.
    let value = if value.abs() < 0.005 { 0.0 } else { value };
    match value.abs() {
        it if it < 10.0 => format!("{value:.2}"),
        it if it < 1_000.0 => format!("{value:.1}"),
        _ => grouped(value.round() as i64),
    }
}

/// Which in a row: first, second …
pub fn nth(at: usize) -> String {
    const WORDS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    WORDS
        .get(at)
        .map_or_else(|| in_digits(at + 1), |it| (*it).to_owned())
}

fn in_digits(n: usize) -> String {
    let end = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{n}{end}")
}

/// Draws how numbers are spread: the higher a bar, the more lie there.
pub fn bars(spread: &Spread) -> String {
    let stretches = spread.stretches(MOST_BARS);
    let most = stretches.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let bar = |count: u64| {
        if count == 0 {
            return ' ';
        }
        let height = u128::from(count - 1) * BARS.len() as u128 / u128::from(most.max(1));
        BARS[usize::try_from(height).unwrap_or(0).min(BARS.len() - 1)]
    };
    stretches.into_iter().map(|(_, count)| bar(count)).collect()
}

/// Writes the length of some time that is still to pass.
pub fn time(seconds: u64) -> String {
    match seconds {
        0..=99 => format!("{seconds} s"),
        100..=5_999 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h", seconds.div_ceil(3_600)),
    }
}

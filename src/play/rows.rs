//! Names and numbers that follow one another, told by the first and the last.

/// So many numbers in a row are told by the first and the last.
const SHORTEST_RUN: usize = 4;

/// Names that differ in a number at their end as one, `card 1 2 3`, `space 2..16`, and those of places in a row by the first and the last,
/// `a1..a11`.
pub(super) fn under_heads(texts: &[&str]) -> Vec<String> {
    if texts.iter().all(|it| !it.contains(' ')) {
        return in_rows(texts);
    }
    // What lies at one place: `road2 road3 at 1,5`.
    let place = |text: &str| {
        let (thing, place) = text.split_once(' ')?;
        (place.contains(' ') && in_row(thing).is_some()).then_some(place.to_owned())
    };
    let beside = |one: &&str, other: &&str| place(one).is_some() && place(one) == place(other);
    if texts
        .windows(2)
        .any(|it| matches!(it, [one, other] if beside(one, other)))
    {
        let chunks = texts.chunk_by(beside).map(|chunk| {
            let parts = chunk.iter().filter_map(|it| it.split_once(' '));
            let (things, places): (Vec<&str>, Vec<&str>) = parts.unzip();
            match (places.first(), chunk) {
                (Some(place), [_, _, ..]) => format!("{} {place}", in_rows(&things).join(" ")),
                _ => chunk.join(" "),
            }
        });
        return chunks.collect();
    }
    // Other ends than numbers would be read as one: of two cards V and II a third.
    let is_number = |it: &str| it.parse::<i64>().is_ok();
    let head = |text: &str| {
        let parts = text.rsplit_once(' ').filter(|(_, tail)| is_number(tail));
        parts.map(|(head, _)| head.to_owned())
    };
    let same = |one: &&str, other: &&str| head(one).is_some() && head(one) == head(other);
    let chunks = texts.chunk_by(same).map(|chunk| {
        let Some(head) = chunk.first().and_then(|it| head(it)) else {
            return chunk.join(" ");
        };
        let tails = chunk.iter().filter_map(|it| it.rsplit_once(' '));
        let tails: Vec<&str> = tails.map(|(_, tail)| tail).collect();
        let tails = run_of(&tails).unwrap_or_else(|| tails.join(" "));
        format!("{head} {tails}")
    });
    chunks.collect()
}

/// Words that end in numbers which follow one another by the first and the last; others as they are.
fn in_rows(texts: &[&str]) -> Vec<String> {
    let follows = |one: &&str, other: &&str| match (in_row(one), in_row(other)) {
        (Some((head, n)), Some((next, m))) => head == next && n.checked_add(1) == Some(m),
        _ => false,
    };
    let rows = texts.chunk_by(follows).flat_map(|row| match row {
        [first, .., last] if row.len() >= SHORTEST_RUN => vec![format!("{first}..{last}")],
        row => row.iter().map(|it| (*it).to_owned()).collect(),
    });
    rows.collect()
}

/// A word and the number at its end.
fn in_row(text: &str) -> Option<(&str, u64)> {
    let head = text.trim_end_matches(|it: char| it.is_ascii_digit());
    let number = text.get(head.len()..).and_then(|it| it.parse().ok());
    let is_word = !head.is_empty() && head.chars().all(char::is_alphabetic);
    number.filter(|_| is_word).map(|it| (head, it))
}

/// Numbers that follow one another, as `4..100`.
pub(super) fn run_of(texts: &[&str]) -> Option<String> {
    let (first, last) = (texts.first()?, texts.last()?);
    let least: i64 = first.parse().ok()?;
    let follows = |(n, text): (i64, &&str)| text.parse() == Ok(n);
    let is_run = texts.len() >= SHORTEST_RUN && (least..).zip(texts).all(follows);
    is_run.then(|| format!("{first}..{last}"))
}

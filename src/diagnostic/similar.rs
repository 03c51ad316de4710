/// So many letters of a text are compared.
const MOST_LETTERS: usize = 64;

/// Returns the candidate that was probably meant by `word`, if one is near enough.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    let own = letters_in(word);
    let mut best = None;
    for candidate in candidates {
        let other = candidate.chars().count();
        let most = (1.max(length.max(other) / 3)).min(length.max(2) - 1);
        let most = best.map_or(most, |(least, _): (usize, _)| {
            most.min(least.saturating_sub(1))
        });
        // So many letters have to be put in or taken out at least, and so many that only one of both has to be changed,
        // where no letter becomes several in lower case.
        let theirs = letters_in(candidate);
        let alone = (own & !theirs)
            .count_ones()
            .max((theirs & !own).count_ones());
        let apart = length.abs_diff(other).max(alone as usize);
        if apart > most && word.is_ascii() && candidate.is_ascii()
            || best.is_some_and(|it| it.0 == 0)
        {
            continue;
        }
        let distance = distance(word, candidate, most);
        if distance <= most {
            best = Some((distance, candidate));
        }
    }
    best.map(|it| it.1)
}

/// The letters in a short text, large ones as small ones; two of them may share a place.
fn letters_in(text: &str) -> u64 {
    let letters = text.bytes().take(MOST_LETTERS);
    letters.fold(0, |all, it| all | 1 << (it.to_ascii_lowercase() & 63))
}

/// Puts first what holds `word`, then what is most like it; what is equally like it stays in order.
pub fn sort_by_likeness(word: &str, texts: &mut [String]) {
    let word = word.to_lowercase();
    texts.sort_by_cached_key(|text| {
        (
            !text.to_lowercase().contains(&word),
            distance(&word, text, usize::MAX),
        )
    });
}

/// Counts the letters to insert, remove, change or swap with their neighbour; case does not count. Of more than `most` it is not
/// said how many.
fn distance(a: &str, b: &str, most: usize) -> usize {
    let letters = |text: &str| -> Vec<char> {
        text.chars()
            .flat_map(char::to_lowercase)
            .take(MOST_LETTERS)
            .collect()
    };
    let (a, b) = (letters(a), letters(b));
    let mut two_back: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let change = get(&last, j) + usize::from(x != y);
            let mut best = change.min(get(&last, j + 1) + 1).min(get(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if swapped {
                best = best.min(get(&two_back, j - 1) + 1);
            }
            row.push(best);
        }
        // What comes behind two such rows is no less.
        let is_over = |row: &[usize]| row.iter().all(|it| *it > most);
        if is_over(&row) && is_over(&last) {
            return usize::MAX;
        }
        two_back = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

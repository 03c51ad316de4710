/// Returns the candidate that was probably meant by `word`, if one is near enough.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, candidate)| {
            *distance <= 1.max(length.max(candidate.chars().count()) / 3)
                && *distance < length.max(2)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Puts first what holds `word`, then what is most like it; what is equally like it stays in order.
pub fn sort_by_likeness(word: &str, texts: &mut [String]) {
    let word = word.to_lowercase();
    texts.sort_by_cached_key(|text| (!text.to_lowercase().contains(&word), distance(&word, text)));
}

/// Counts the letters to insert, remove, change or swap with their neighbour; case does not count.
fn distance(a: &str, b: &str) -> usize {
    let letters =
        |text: &str| -> Vec<char> { text.chars().flat_map(char::to_lowercase).take(64).collect() };
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
        two_back = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

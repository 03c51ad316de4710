//! Moves that differ in one number alone, told in one line: `bid 4..100`.

use std::ops::Range;

/// So many moves in a row are told in one line.
const SHORTEST: usize = 10;

/// Moves of a list that differ in one number, which grows by one from each to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Their numbers in the list, from nought.
    pub moves: Range<usize>,
    /// What they are called together.
    pub text: String,
    /// The number in the first of them.
    first: usize,
}

impl Run {
    /// The run of a list of moves; none where there is none or more than one, because then a number would not say
    /// which move is meant.
    #[must_use]
    pub fn only(names: &[String]) -> Option<Self> {
        let mut found = None;
        let mut at = 0;
        while at < names.len() {
            let Some(run) = Self::from(names, at) else {
                at += 1;
                continue;
            };
            at = run.moves.end;
            if found.replace(run).is_some() {
                return None;
            }
        }
        found
    }

    /// The longest run that begins at a move.
    fn from(names: &[String], at: usize) -> Option<Self> {
        let name = names.get(at)?;
        let runs = numbers_in(name).into_iter().filter_map(|range| {
            let (before, behind) = (name.get(..range.start)?, name.get(range.end..)?);
            let first: usize = name.get(range)?.parse().ok()?;
            let goes_on = |(n, name): &(usize, &String)| **name == format!("{before}{n}{behind}");
            let n_moves = (first..).zip(names.iter().skip(at)).take_while(goes_on);
            let n_moves = n_moves.count();
            let last = first.saturating_add(n_moves.saturating_sub(1));
            (n_moves >= SHORTEST).then(|| Self {
                moves: at..at + n_moves,
                text: format!("{before}{first}..{last}{behind}"),
                first,
            })
        });
        runs.max_by_key(|it| it.moves.len())
    }

    /// The move with a number in it.
    #[must_use]
    pub fn with(&self, number: usize) -> Option<usize> {
        let at = self.moves.start + number.checked_sub(self.first)?;
        self.moves.contains(&at).then_some(at)
    }
}

/// The move of a list that a typed number means: that with the number in it where they are told in one line, else the
/// one with this number in the list.
#[must_use]
pub fn numbered(names: &[String], number: usize, plain: bool) -> Option<usize> {
    let nth = || number.checked_sub(1).filter(|at| *at < names.len());
    match Run::only(names).filter(|_| !plain) {
        None => nth(),
        Some(run) => run
            .with(number)
            .or_else(|| nth().filter(|at| !run.moves.contains(at))),
    }
}

/// The numbers that stand in a text as words of their own.
fn numbers_in(text: &str) -> Vec<Range<usize>> {
    let is_in_word = |it: &char| it.is_alphanumeric();
    let mut found = Vec::new();
    let mut end = 0;
    while let Some(start) = text
        .get(end..)
        .and_then(|it| it.find(|c: char| c.is_ascii_digit()))
    {
        let start = end + start;
        let rest = text.get(start..).unwrap_or("");
        let length = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        end = start + length;
        let before = text.get(..start).and_then(|it| it.chars().next_back());
        let behind = text.get(end..).and_then(|it| it.chars().next());
        if !before.iter().chain(&behind).any(is_in_word) {
            found.push(start..end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Run;

    fn named(names: impl IntoIterator<Item = String>) -> Vec<String> {
        names.into_iter().collect()
    }

    #[test]
    fn what_differs_in_a_number_is_one_line() {
        let mut names = named((4..=20).map(|n| format!("bid {n} now")));
        names.push("pass".to_owned());
        let run = Run::only(&names).expect("a run");
        assert_eq!(
            (run.text.as_str(), run.moves.clone()),
            ("bid 4..20 now", 0..17)
        );
        assert_eq!(run.with(4), Some(0));
        assert_eq!(run.with(20), Some(16));
        assert_eq!((run.with(3), run.with(21)), (None, None));
    }

    #[test]
    fn few_moves_two_runs_and_names_of_places_stay_as_they_are() {
        assert_eq!(Run::only(&named((1..=9).map(|n| format!("bid {n}")))), None);
        assert_eq!(
            Run::only(&named((1..=30).map(|n| format!("go to a{n}")))),
            None
        );
        let two = (1..=30).map(|n| {
            if n < 15 {
                format!("bid {n}")
            } else {
                format!("raise {n}")
            }
        });
        assert_eq!(Run::only(&named(two)), None);
    }
}

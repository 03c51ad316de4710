//! What is different between two texts, line by line.

/// So many lines stand around a change.
const AROUND: usize = 3;
/// Stretches whose lines multiplied are more are not compared line by line.
const MOST_PAIRS: usize = 16_000_000;

#[derive(Clone, Copy, PartialEq)]
enum Line {
    Same(usize, usize),
    Old(usize),
    New(usize),
}

/// Returns a unified diff; empty where both are equal.
pub fn unified(name: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let lines = lines(&old, &new);
    let changed: Vec<usize> = (0..lines.len())
        .filter(|at| !matches!(lines.get(*at), Some(Line::Same(..))))
        .collect();
    let mut text = format!("--- {name}\n+++ {name}\n");
    let mut rest = changed.as_slice();
    while let Some(first) = rest.first() {
        let gap = rest.windows(2).position(|it| match it {
            [a, b] => b - a > 2 * AROUND,
            _ => false,
        });
        let n_here = gap.map_or(rest.len(), |it| it + 1);
        let (here, behind) = rest.split_at(n_here);
        rest = behind;
        let last = here.last().unwrap_or(first);
        let from = first.saturating_sub(AROUND);
        let to = (last + AROUND + 1).min(lines.len());
        hunk(
            lines.get(from..to).unwrap_or_default(),
            &old,
            &new,
            &mut text,
        );
    }
    text
}

fn hunk(lines: &[Line], old: &[&str], new: &[&str], text: &mut String) {
    let count = |is: fn(&Line) -> Option<usize>| {
        let numbers: Vec<usize> = lines.iter().filter_map(is).collect();
        (numbers.first().map_or(0, |it| it + 1), numbers.len())
    };
    let (from, n_old) = count(|it| match it {
        Line::Same(at, _) | Line::Old(at) => Some(*at),
        Line::New(_) => None,
    });
    let (to, n_new) = count(|it| match it {
        Line::Same(_, at) | Line::New(at) => Some(*at),
        Line::Old(_) => None,
    });
    text.push_str(&format!("@@ -{from},{n_old} +{to},{n_new} @@\n"));
    for line in lines {
        let (sign, of, at) = match line {
            Line::Same(at, _) => (' ', old, at),
            Line::Old(at) => ('-', old, at),
            Line::New(at) => ('+', new, at),
        };
        text.push(sign);
        text.push_str(of.get(*at).copied().unwrap_or_default());
        text.push('\n');
    }
}

/// Returns all lines of both texts, those that they share once.
fn lines(old: &[&str], new: &[&str]) -> Vec<Line> {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (old.len() - front, new.len() - front);
    let back = old.iter().rev().zip(new.iter().rev());
    let back = back.take_while(|(a, b)| a == b).count();
    let back = back.min(old_rest).min(new_rest);
    let (n, m) = (old_rest - back, new_rest - back);
    let mut lines: Vec<Line> = (0..front).map(|at| Line::Same(at, at)).collect();
    if n.saturating_mul(m) > MOST_PAIRS {
        lines.extend((front..front + n).map(Line::Old));
        lines.extend((front..front + m).map(Line::New));
    } else {
        middle(old, new, front, (n, m), &mut lines);
    }
    lines.extend((0..back).map(|at| Line::Same(front + n + at, front + m + at)));
    lines
}

/// The longest row of lines that both share.
fn middle(old: &[&str], new: &[&str], front: usize, (n, m): (usize, usize), lines: &mut Vec<Line>) {
    let width = m + 1;
    let mut longest = vec![0_u32; (n + 1) * width];
    let get =
        |longest: &[u32], a: usize, b: usize| longest.get(a * width + b).copied().unwrap_or(0);
    let same = |a: usize, b: usize| old.get(front + a) == new.get(front + b);
    for a in (0..n).rev() {
        for b in (0..m).rev() {
            let best = if same(a, b) {
                get(&longest, a + 1, b + 1) + 1
            } else {
                get(&longest, a + 1, b).max(get(&longest, a, b + 1))
            };
            if let Some(it) = longest.get_mut(a * width + b) {
                *it = best;
            }
        }
    }
    let (mut a, mut b) = (0, 0);
    while a < n || b < m {
        if a < n && b < m && same(a, b) {
            lines.push(Line::Same(front + a, front + b));
            (a, b) = (a + 1, b + 1);
        } else if a < n && (b == m || get(&longest, a + 1, b) >= get(&longest, a, b + 1)) {
            lines.push(Line::Old(front + a));
            a += 1;
        } else {
            lines.push(Line::New(front + b));
            b += 1;
        }
    }
}

//! How much of a landscape is drawn where there is little room.

use std::collections::BTreeSet;

use super::{Scene, Spot};

/// The room that a landscape has, with all that belongs to its picture.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Lines of text.
    pub lines: usize,
    /// How many of them the land itself may take though they become more.
    pub least: usize,
    /// What has to be seen where not all can be: around the middle of it, if there is any.
    pub focus: BTreeSet<Spot>,
    /// What has been laid last: it is seen before anything else.
    pub newest: BTreeSet<Spot>,
    /// Around what the part was drawn last: it stays as long as no less of the focus is seen, so that what is known is found
    /// where it was.
    pub last: Option<Spot>,
}

/// What of a landscape is drawn, and how large.
pub(super) struct Cut {
    /// Columns, from west to east.
    pub xs: Vec<i64>,
    /// Rows, from south to north.
    pub ys: Vec<i64>,
    /// Columns and lines of text of a component.
    pub size: (usize, usize),
    /// The rows and columns that are not drawn.
    pub left_out: Option<String>,
    /// Around what it is drawn, where not all is.
    pub middle: Option<Spot>,
}

/// A text is so wide, and of its lines `beside` belong to the picture and not to the land, by the height of a component.
pub(super) struct Paper<'a> {
    pub width: usize,
    pub margin: usize,
    pub beside: &'a dyn Fn(usize) -> usize,
    /// Smaller sizes, for where not all of what has to be seen is seen else.
    pub tight: &'a [(usize, usize)],
}

/// Chooses the largest size at which all is seen; if there is none, the smallest one and what has to be seen, or a tighter one
/// at which more of that is seen.
pub(super) fn cut(
    scene: &Scene<'_>,
    sizes: &[(usize, usize)],
    paper: &Paper<'_>,
    frame: Option<&Frame>,
) -> Cut {
    let spots = || scene.tiles.keys().chain(&scene.free);
    let xs = span(spots().map(|spot| spot.0));
    let ys = span(spots().map(|spot| spot.1));
    let laid: BTreeSet<i64> = scene.tiles.keys().map(|spot| spot.1).collect();
    // Where nothing lies in a row, one line is enough.
    let height = |y: i64, h: usize| if laid.contains(&y) { h } else { 1 };
    let wide = |size: &&(usize, usize)| size.0 * xs.len() + paper.margin + 2 <= paper.width;
    let high = |size: &&(usize, usize)| {
        let land: usize = ys.iter().map(|y| height(*y, size.1)).sum();
        frame.is_none_or(|it| land + (paper.beside)(size.1) <= it.lines)
    };
    let fitting = sizes.iter().find(|size| wide(size) && high(size));
    if let Some(size) = fitting.copied() {
        return Cut {
            xs,
            ys,
            size,
            left_out: None,
            middle: None,
        };
    }
    let focus = frame.map(|it| &it.focus).filter(|it| !it.is_empty());
    let all = || scene.tiles.keys().copied().collect();
    let focus = focus.cloned().unwrap_or_else(all);
    let newest = frame.map(|it| &it.newest);
    let at = |size: (usize, usize), (x, y): Spot| {
        let (w, h) = size;
        // One line says what is not drawn.
        let lines = frame.map_or(usize::MAX, |it| {
            let lines = it.lines.saturating_sub((paper.beside)(h) + 1);
            lines.max(it.least)
        });
        let columns = paper.width.saturating_sub(paper.margin + 2);
        Shown {
            ys: window(&ys, lines, y, |y| height(y, h)),
            xs: window(&xs, columns, x, |_| w),
            size,
            around: (x, y),
        }
    };
    let seen = |shown: &Shown| {
        let count = |of: &BTreeSet<Spot>| of.iter().filter(|it| shown.holds(**it)).count();
        (newest.map_or(0, count), count(&focus))
    };
    let last = frame.and_then(|it| it.last);
    let middles = [last, middle(&focus), newest.and_then(middle)];
    let smallest = sizes.last().copied().unwrap_or((9, 5));
    let smaller = [smallest].into_iter().chain(paper.tight.iter().copied());
    let mut shown: Option<Shown> = None;
    for size in smaller {
        for around in middles.into_iter().flatten() {
            let other = at(size, around);
            if shown.as_ref().is_none_or(|it| seen(&other) > seen(it)) {
                shown = Some(other);
            }
        }
    }
    let shown = shown.unwrap_or_else(|| at(smallest, (0, 0)));
    let left_out = [
        without("row", &ys, &shown.ys),
        without("column", &xs, &shown.xs),
    ];
    let left_out: Vec<String> = left_out.into_iter().flatten().collect();
    Cut {
        left_out: Some(left_out.join(", ")).filter(|it| !it.is_empty()),
        middle: Some(shown.around),
        size: shown.size,
        xs: shown.xs,
        ys: shown.ys,
    }
}

/// A part of a landscape.
struct Shown {
    xs: Vec<i64>,
    ys: Vec<i64>,
    size: (usize, usize),
    around: Spot,
}

impl Shown {
    fn holds(&self, (x, y): Spot) -> bool {
        self.xs.contains(&x) && self.ys.contains(&y)
    }
}

/// All from the first to the last.
fn span(of: impl Iterator<Item = i64>) -> Vec<i64> {
    let all: BTreeSet<i64> = of.collect();
    match (all.first(), all.last()) {
        (Some(first), Some(last)) => (*first..=*last).collect(),
        _ => Vec::new(),
    }
}

/// The middle of some spots.
fn middle(of: &BTreeSet<Spot>) -> Option<Spot> {
    let middle = |of: Vec<i64>| of.get(of.len() / 2).copied();
    let [xs, ys] = [
        of.iter().map(|it| it.0).collect(),
        of.iter().map(|it| it.1).collect(),
    ]
    .map(|it: Vec<i64>| span(it.into_iter()));
    Some((middle(xs)?, middle(ys)?))
}

/// As many neighbours of the middle as there is room for, on both sides alike where there are any.
fn window(all: &[i64], room: usize, middle: i64, cost: impl Fn(i64) -> usize) -> Vec<i64> {
    let Some(at) = all.iter().position(|it| *it == middle) else {
        return all.to_vec();
    };
    let price = |at: usize| all.get(at).map(|it| cost(*it));
    let (mut from, mut to) = (at, at);
    let mut left = room.saturating_sub(price(at).unwrap_or(0));
    loop {
        let mut grown = false;
        if let Some(price) = price(to + 1).filter(|it| *it <= left) {
            to += 1;
            left -= price;
            grown = true;
        }
        let before = from.checked_sub(1);
        if let Some(price) = before.and_then(price).filter(|it| *it <= left) {
            from -= 1;
            left -= price;
            grown = true;
        }
        if !grown {
            return all.get(from..=to).unwrap_or_default().to_vec();
        }
    }
}

/// Names the rows or columns on both sides of those that are shown.
fn without(what: &str, all: &[i64], shown: &[i64]) -> Option<String> {
    let named = |least: i64, most: i64| match most - least {
        0 => least.to_string(),
        _ => format!("{least} to {most}"),
    };
    let (first, last) = (*all.first()?, *all.last()?);
    let (from, to) = (*shown.first()?, *shown.last()?);
    let before = (first < from).then(|| named(first, from - 1));
    let behind = (to < last).then(|| named(to + 1, last));
    let sides: Vec<String> = before.into_iter().chain(behind).collect();
    let several = if all.len() - shown.len() > 1 { "s" } else { "" };
    (!sides.is_empty()).then(|| format!("{what}{several} {}", sides.join(" and ")))
}

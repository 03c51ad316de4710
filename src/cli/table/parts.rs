//! The parts of a frame: what is needed most, and what fits.

use std::collections::BTreeSet;

use crate::cli::columns::long;
use crate::play::entries::wrapped;
use crate::play::news;
use crate::play::part::{Block, Kind, beside};
use crate::play::tableau::BETWEEN;

/// A part of a frame, with what it is called where it is left out.
pub(super) struct Part {
    pub name: String,
    pub lines: Vec<String>,
    /// The smaller, the later it is left out.
    pub rank: usize,
    /// Whether it may be cut.
    is_own: bool,
    is_of_seat: bool,
}

/// Values in lines, as many in each as there is room for, with how soon they are left out; one that is longer than a line stands
/// alone, and is left out before.
pub(super) fn parts_of_values(values: Vec<&Block>, width: usize, rank: usize) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut room = 0;
    for value in values {
        let text = value.lines.join(" ");
        let is_long = long(&text) > width;
        match parts.last_mut() {
            Some(part) if long(&text) + long(BETWEEN) <= room => {
                room -= long(&text) + long(BETWEEN);
                part.name.push_str(", ");
                part.name.push_str(&value.name);
                for line in &mut part.lines {
                    line.push_str(BETWEEN);
                    line.push_str(&text);
                }
            }
            _ => {
                room = if is_long { 0 } else { width - long(&text) };
                let lines = wrapped("", std::slice::from_ref(&text), BETWEEN, width);
                let lines = lines.lines().map(str::to_owned).collect();
                parts.push(Part::new(&value.name, lines, rank + usize::from(is_long)));
            }
        }
    }
    parts
}

/// Lines from which on what a seat has is higher than words are.
const TALL: usize = 4;

/// Parts in which boards of several seats stand side by side where there is room.
pub(super) fn seats_beside(parts: Vec<Part>, width: usize) -> Vec<Part> {
    let mut together: Vec<Part> = Vec::new();
    for part in parts {
        let is_tall = |it: &Part| it.is_of_seat && it.lines.len() >= TALL;
        let before = together
            .last_mut()
            .filter(|it| is_tall(it) && is_tall(&part));
        let Some(before) = before else {
            together.push(part);
            continue;
        };
        let both = vec![before.lines.clone(), part.lines.clone()];
        let lines = beside(both, width, long);
        if lines.len() < before.lines.len() + part.lines.len() {
            before.lines = lines;
            before.name = format!("{}, {}", before.name, part.name);
            before.rank = before.rank.min(part.rank);
            before.is_own |= part.is_own;
        } else {
            together.push(part);
        }
    }
    together
}

/// What of the parts fits, in their order; what is less needed is left out first.
pub(super) fn fill(parts: Vec<Part>, room: usize, left_out: &mut Vec<String>) -> Vec<String> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    // Of what is needed alike, more fits if the small come first.
    order.sort_by_key(|at| parts.get(*at).map(|it| (it.rank, it.lines.len())));
    let mut left = room;
    let mut taken = vec![0; parts.len()];
    for at in order {
        let (Some(part), Some(taken)) = (parts.get(at), taken.get_mut(at)) else {
            continue;
        };
        if part.lines.len() <= left {
            *taken = part.lines.len();
        } else {
            *taken = if part.is_own { left } else { 0 };
            left_out.push(part.name.clone());
        }
        left -= *taken;
    }
    let lines = parts.into_iter().zip(taken);
    lines
        .flat_map(|(part, n)| part.lines.into_iter().take(n))
        .collect()
}

pub(super) fn part_of(block: &Block, seat: u32, asked: &BTreeSet<String>) -> Part {
    let is_asked = || {
        let lines = &block.lines;
        asked
            .iter()
            .any(|it| lines.iter().any(|line| news::names(line, it)))
    };
    let rank = match block.kind {
        Kind::Seat(of) if of == seat => 0,
        Kind::Seat(_) => 2,
        // Of what a move names in a row, one wants to see which is which.
        Kind::Row if is_asked() => 1,
        Kind::Words | Kind::Printed if is_asked() => 3,
        Kind::Row => 3,
        Kind::Board | Kind::Words | Kind::Value => 4,
        Kind::Printed => 5,
    };
    let mut part = Part::new(&block.name, block.lines.clone(), rank);
    part.is_own = rank == 0;
    part.is_of_seat = matches!(block.kind, Kind::Seat(_));
    part
}

impl Part {
    pub(super) fn new(name: &str, lines: Vec<String>, rank: usize) -> Self {
        Self {
            name: name.to_owned(),
            lines,
            rank,
            is_own: false,
            is_of_seat: false,
        }
    }
}

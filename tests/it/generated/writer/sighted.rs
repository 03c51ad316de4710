//! Questions about what is seen along lines, as pieces see it.

use super::{Kind, Writer};

impl Writer {
    /// A truth about what is seen from some cells, and from where a cell is seen.
    pub(super) fn sighted(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let [q, p] = [(); 2].map(|()| self.small_word() + "_");
        let seen = self.seen_from(&q, d);
        let (first, asked) = (self.of_cell(&q, d.min(1)), self.of_cell(&p, d.min(1)));
        let goal = self.one(Kind::Cell, d.min(1));
        if self.zones && !self.constant && self.once_in(3) {
            // What a piece sees hangs on what lies around, or on nothing but where it stands.
            let [one, other] = match self.once_in(2) {
                true => [(); 2].map(|()| self.seen_from(&q, d.min(1))),
                false => [(); 2].map(|()| match self.below(3) {
                    0 => format!("{{ step({q}, n), step({q}, se) }}"),
                    _ => format!("{}({q})", self.pick(&["orthogonal", "diagonal", "around"])),
                }),
            };
            let value = 1 + self.below(self.values);
            return format!(
                "(some {{ {p} in {{ {goal} }} where some {{ {q} in Cell where filled lying[{q}] and {p} in (if lying[{q}].value == {value} then {one} else {other}) }} }})"
            );
        }
        match self.below(5) {
            0 => {
                let from = self.one(Kind::Cell, d.min(1));
                format!("(some {{ {q} in {{ {from} }} where count {seen} {op} {few} }})")
            }
            1 => format!("(some {{ {q} in Cell where {first} and {goal} in {seen} }})"),
            2 => {
                format!("(count {{ {p} for {q} in Cell where {first}, {p} in {seen} }} {op} {few})")
            }
            3 => format!(
                "(count {{ {p} in Cell where {asked} and no {{ {q} in Cell where {first} and {p} in {seen} }} }} {op} {few})"
            ),
            _ => format!(
                "(some {{ {p} in {{ {goal} }} where {asked} and some {{ {q} in Cell where {first} and {p} in {seen} }} }})"
            ),
        }
    }

    /// What is seen from a cell, as what lies there may see.
    fn seen_from(&mut self, q: &str, d: usize) -> String {
        let (one, other) = (self.rays(q, d), self.rays(q, d));
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let cond = self.of_cell(q, d.min(1));
        match self.below(5) {
            0 => format!("({one} + {other})"),
            1 => format!("(if {cond} then {one} else {near}({q}))"),
            2 if self.zones && !self.constant => {
                let value = 1 + self.below(self.values);
                format!(
                    "(if filled lying[{q}] then (if lying[{q}].value == {value} then {one} else {near}({q})) else {{ {q} }})"
                )
            }
            _ => one,
        }
    }

    /// Lines from a cell: with or without the cell at which each of them ends.
    fn rays(&mut self, q: &str, d: usize) -> String {
        let [x, t, w] = [(); 3].map(|()| self.small_word() + "_");
        let back = format!("step({x}, opposite({w}))");
        let cond = match self.below(3) {
            0 => self.of_cell(&x, d.min(1)),
            1 => format!("{back} == {q} or {}", self.of_cell(&back, d.min(1))),
            _ => format!("{q} == {back} or {}", self.of_cell(&back, d.min(1))),
        };
        let ways = match self.below(4) {
            0 => format!(
                "(if {} then straight else oblique)",
                self.of_cell(q, d.min(1))
            ),
            _ => self
                .pick(&["Direction", "straight", "oblique", "{ n, se }"])
                .to_owned(),
        };
        format!("{{ {t} for {w} in {ways}, {t} in walk {w} from {q} while {x}: {cond} }}")
    }
}

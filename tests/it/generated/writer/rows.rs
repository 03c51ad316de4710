//! Places in a row around one of them, and places beside the edge of the board.

use super::{Heap, Kind, Writer};

/// Stands for a place in what is asked of it.
const HERE: &str = "HERE";

impl Writer {
    /// A truth about places that lie in a row.
    pub(super) fn in_rows(&mut self, d: usize) -> String {
        match self.below(5) {
            0 => self.of_a_line(d),
            1 => self.beside_the_edge(d),
            2 if self.zones && !self.constant => self.beside_in_a_suit(d),
            _ => self.around_one(d),
        }
    }

    /// Whether rows of places, said by what is added to the coordinates of one, are as asked.
    fn around_one(&mut self, d: usize) -> String {
        let (q, long) = (format!("{}_", self.small_word()), 1 + self.below(3));
        let asked = self.of_cell(HERE, d.min(1));
        let mut rows = Vec::new();
        for _ in 0..=self.below(3) {
            let [column, row] = match self.below(6) {
                0 => ["column + i_ - k_", "row"],
                1 => ["column", "row - k_ + i_"],
                2 => ["column + i_ - k_", "row + i_ - k_"],
                3 => ["column - i_ + k_", "row + i_ - k_"],
                4 => ["column + (i_ - k_) * 1", "row + (i_ - k_) * (0 - 1)"],
                _ => ["column + i_", "row - k_"],
            };
            let [column, row] = [column, row].map(|it| format!("{q}.{it}"));
            let (columns, rows_) = (self.columns, (self.rows - self.below(2)).max(1));
            let inside = match self.below(4) {
                0 => format!("{column} in 1..{columns} and {row} in 1..{rows_} and "),
                1 => format!("{column} >= 1 and {row} <= {rows_} and "),
                _ => String::new(),
            };
            let of = match self.once_in(6) {
                true => self.of_cell(HERE, d.min(1)),
                false => asked.clone(),
            };
            let of = of.replace(HERE, &format!("Cell({column}, {row})"));
            let until = long + usize::from(self.once_in(8));
            rows.push(format!("every {{ {inside}{of} for i_ in 0..{until} }}"));
        }
        let from = self.one(Kind::Cell, d.min(1));
        let word = self.pick(&["some", "some", "no"]);
        let rows = rows.join(" or ");
        format!("(some {{ {q} in {{ {from} }} where {word} {{ k_ in 0..{long} where {rows} }} }})")
    }

    /// Whether a line of places from any of them on goes through one.
    fn of_a_line(&mut self, d: usize) -> String {
        let [a, c, q] = [(); 3].map(|()| format!("{}_", self.small_word()));
        let (long, from) = (1 + self.below(3), self.one(Kind::Cell, d.min(1)));
        let ways = self.pick(&["Direction", "straight", "{ n, e }", "{ sw }"]);
        let line = format!("{{ step({a}, d_, k_) for k_ in 0..{long} }}");
        let asked = self.of_cell(HERE, d.min(1)).replace(HERE, &c);
        let many = long + self.below(2);
        let all = match self.below(3) {
            0 => format!("every {{ {asked} for {c} in {line} }}"),
            1 => format!("count {{ {c} in {line} where {asked} }} >= {many}"),
            _ => format!("count {{ {c} in {line} where {asked} }} == {many}"),
        };
        let through = match self.once_in(3) {
            true => String::new(),
            false => format!("{q} in {line} and "),
        };
        format!("(some {{ {q} in {{ {from} }}, {a} in Cell, d_ in {ways} where {through}{all} }})")
    }

    /// Cards a little above or below one, where a condition says that there are such, and the least and greatest where something
    /// lies.
    fn beside_in_a_suit(&mut self, d: usize) -> String {
        let [q, c] = [(); 2].map(|()| format!("{}_", self.small_word()));
        let place = self.a_place(&[Heap::Bag, Heap::Pile], d);
        let (op, few) = (self.pick(&["==", "<", "<=", ">", ">="]), self.below(4));
        if self.once_in(2) {
            let best = self.pick(&["min", "max"]);
            let least =
                format!("{best} {{ abs({c}.value - {few}) for {c} in {place} }} {op} {few}");
            return match self.below(2) {
                0 => format!("(empty {place} or {least})"),
                _ => format!("(filled {place} and not ({least} or {few} > 2))"),
            };
        }
        let (by, sign) = (1 + self.below(2), self.pick(&["+", "-"]));
        let value = format!("{q}.value {sign} {by}");
        let inside = match self.below(3) {
            0 => format!("{value} in 1..{}", self.values),
            _ => format!("{value} >= 1 and {value} <= {}", self.values),
        };
        let cards = self.set(Kind::Card, d.min(1));
        match self.bears {
            0 => format!(
                "(some {{ {q} in {cards} where {inside} and Card({q}.colour, {value}) in {place} }})"
            ),
            _ => format!("(some {{ {q} in {cards} where {inside} and {value} {op} {few} }})"),
        }
    }

    /// Steps and coordinates of which other coordinates say that they are on the board.
    fn beside_the_edge(&mut self, d: usize) -> String {
        let q = format!("{}_", self.small_word());
        let mut conds = Vec::new();
        for _ in 0..=self.below(2) {
            let op = self.pick(&["<", "<=", ">", ">=", "!=", "=="]);
            conds.push(match self.below(2) {
                0 => format!("{q}.column {op} {}", 1 + self.below(self.columns)),
                _ => format!("{q}.row {op} {}", 1 + self.below(self.rows)),
            });
        }
        for _ in 0..=self.below(3) {
            let cell = match self.below(4) {
                0 => format!("step({q}, {})", self.literal(Kind::Way)),
                1 => format!("step({q}, {}, {})", self.literal(Kind::Way), self.below(3)),
                2 => format!("Cell({q}.column + {}, {q}.row)", self.below(3)),
                _ => format!("Cell({q}.column + 1, {q}.row - {})", self.below(2)),
            };
            conds.push(self.of_cell(HERE, d.min(1)).replace(HERE, &cell));
        }
        let (few, op) = (self.below(4), self.pick(&["==", "<", ">="]));
        let conds = conds.join(" and ");
        match self.below(2) {
            0 => format!("(count {{ {q} in Cell where {conds} }} {op} {few})"),
            _ => format!(
                "(some {{ {q} in {} where {conds} }})",
                self.set(Kind::Cell, d.min(1))
            ),
        }
    }
}

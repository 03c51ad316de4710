//! What is asked of places and cards by way of others: where steps lead, what has the same coordinate, what follows a card.

use super::{Heap, Kind, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn related(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let ways = self.pick(&["straight", "oblique", "Direction", "{ n, e }"]);
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let d = d.min(1);
        let [one, other] = ["a_", "b_"].map(|it| self.of_cell(it, d));
        let cond = match self.below(if self.constant || !self.zones { 5 } else { 8 }) {
            0 => {
                let axis = self.pick(&["row", "column"]);
                let of = self.pick(&["row", "column"]);
                let is_in = self.pick(&["in", "not in"]);
                format!("a_.{axis} {is_in} {{ b_.{of} for b_ in Cell where {other} }}")
            }
            1 => {
                let led = self.of_cell("step(a_, d_, n_)", d);
                let word = self.pick(&["some", "no"]);
                let more = self.pick(&["", " and n_ != 2", " and d_ in oblique"]);
                format!("{word} {{ d_ in {ways}, n_ in 1..3 where {led}{more} }}")
            }
            2 => {
                let led = self.of_cell("step(b_, d_)", d);
                let is = self.pick(&["step(a_, d_) == b_", "b_ == step(a_, d_, 2)"]);
                format!("some {{ b_ in Cell, d_ in {ways} where {is} and {other} and {led} }}")
            }
            3 => {
                let led = self.of_cell("step(b_, d_)", d);
                format!(
                    "every {{ some {{ d_ in {ways} where step(a_, d_) == b_ and {led} }} for b_ in {near}(a_) where {other} }}"
                )
            }
            4 => {
                let more = self.below(3);
                let led = self.of_cell("Cell(a_.column, k_)", d);
                match self.below(3) {
                    0 => format!("no {{ k_ in a_.row..a_.row + {more} where {led} }}"),
                    1 => format!("some {{ k_ in a_.row..a_.row + {more} where {led} }}"),
                    _ => format!("every {{ {led} for k_ in a_.row..a_.row + {more} }}"),
                }
            }
            5 => {
                let bag = self.a_place(&[Heap::Bag, Heap::Pile], d);
                let colour = self.one(Kind::Colour, d);
                let of = self.literal(Kind::Colour);
                let bears = self.borne(&["true".to_owned(), of.clone(), format!("{{ {of} }}")]);
                let card = format!("Card({colour}, v_{bears})");
                let held = match self.below(4) {
                    3 => format!("{card} in lying"),
                    0 => format!("{card} in {bag}"),
                    1 => format!("count_of({card}, {bag}) > 0"),
                    _ => format!("not ({card} in {bag})"),
                };
                return format!(
                    "(count {{ v_ in 1..{} where {held} }} {op} {few})",
                    self.values
                );
            }
            6 => {
                let alike = self.pick(&["", ".value", ".colour"]);
                format!(
                    "filled lying[a_] and some {{ d_ in {ways} where filled lying[step(a_, d_)] and lying[step(a_, d_)]{alike} == lying[a_]{alike} }}"
                )
            }
            _ => format!("some {{ b_ in {near}(a_) where lying[b_] == lying[a_] and {other} }}"),
        };
        match self.below(4) {
            0 => format!("(count {{ a_ in Cell where {one} and {cond} }} {op} {few})"),
            1 => format!("({{ a_ in Cell where {cond} }} != {{}})"),
            2 => {
                let from = self.one(Kind::Cell, d);
                format!("(some {{ a_ in {{ {from} }} where {cond} }})")
            }
            _ => format!("(count {{ a_ in Cell where {cond} }} {op} {few})"),
        }
    }
}

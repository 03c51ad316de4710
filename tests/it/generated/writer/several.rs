//! How many of a few ways, places or kinds something is asked of, lines through a place, and what steps lead to.

use super::{Heap, Kind, Named, Ty, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn of_several(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let how = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (few, many) = (self.below(4), self.below(4));
        let ways = self.pick(&["straight", "oblique", "Direction", "{ n, e }"]);
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let d = d.min(1);
        let [one, other] = ["a_", "b_"].map(|it| self.of_cell(it, d));
        let cond = match self.below(if self.constant || !self.zones { 6 } else { 9 }) {
            0 => {
                let rows = format!("in_a_row({}, {{ b_ in Cell where {other} }})", 1 + few);
                match self.below(3) {
                    0 => format!("a_ in {rows}"),
                    1 => format!("a_ not in {rows}"),
                    _ => return format!("(count {rows} {op} {many})"),
                }
            }
            1 => {
                let led = self.of_cell("step(a_, d_)", d);
                format!("count {{ d_ in {ways} where {led} }} {how} {few}")
            }
            2 => format!("count {{ b_ in {near}(a_) where {other} }} {how} {few}"),
            3 => {
                let led = self.of_cell("step(b_, d_)", d);
                let there = self.pick(&["", "some step(b_, d_) and "]);
                let led = format!(
                    "{{ step(b_, d_) for b_ in Cell, d_ in {ways} where {other} and {there}{led} }}"
                );
                match self.below(2) {
                    0 => format!("a_ in {led}"),
                    _ => return format!("(count {led} {op} {many})"),
                }
            }
            4 => {
                let way = self.literal(Kind::Way);
                let led = self.of_cell(&format!("step(a_, {way})"), d);
                let isnt = self.pick(&["", "not "]);
                format!("some step(a_, {way}) and {isnt}{led}")
            }
            5 => {
                let led = self.of_cell("Cell(a_.column + i_, a_.row + j_)", d);
                let others = self.pick(&["", "(i_ != 0 or j_ != 0) and ", "i_ * j_ == 0 and "]);
                format!("count {{ i_ in -1..1, j_ in -1..1 where {others}{led} }} {how} {few}")
            }
            _ => {
                let bag = self.a_place(&[Heap::Bag, Heap::Pile], d);
                let of = self.literal(Kind::Colour);
                let bears = self.borne(&["true".to_owned(), of.clone(), format!("{{ {of} }}")]);
                let card = |colour: &str| format!("Card({colour}, v_{bears}) in {bag}");
                let asked = match self.below(7) {
                    4 => format!(
                        "(count {{ c_ in Colour where not {} }}) {how} {few}",
                        card("c_")
                    ),
                    5 => {
                        let tells = self.pick(&["!=", "!=", "<", ">"]);
                        let another = self.pick(&["b_.value == c_.value", "c_.value == v_"]);
                        format!(
                            "some {{ b_ in {bag} where b_.value == v_ and some {{ c_ in {bag} where {another} and c_.colour {tells} b_.colour }} }}"
                        )
                    }
                    6 => {
                        let n = self.colours - self.below(2);
                        let each =
                            (1..=n).map(|it| format!("count_of(Card(hue{it}, v_{bears}), {bag})"));
                        format!("({}) {how} {few}", each.collect::<Vec<_>>().join(" + "))
                    }
                    0 => format!("count {{ c_ in Colour where {} }} {how} {few}", card("c_")),
                    1 => format!("count {{ c_ in {bag} where c_.value == v_ }} {how} {few}"),
                    2 => format!(
                        "some {{ b_ in Colour, c_ in Colour where b_ != c_ and {} and {} }}",
                        card("b_"),
                        card("c_")
                    ),
                    _ => format!(
                        "(sum {{ count_of(Card(c_, v_{bears}), {bag}) for c_ in Colour }}) {how} {few}"
                    ),
                };
                return format!(
                    "(count {{ v_ in 1..{} where {asked} }} {op} {many})",
                    self.values
                );
            }
        };
        let cond = match self.below(8) {
            0 | 1 => self.of_hues(how).unwrap_or(cond),
            2 => {
                let number = self.one(Kind::Number, d);
                let lies = self.pick(&["b_.column == a_.column", "b_.row != a_.row", "b_ != a_"]);
                format!("count {{ b_ in Cell where {lies} and {other} }} {how} {number}")
            }
            _ => cond,
        };
        match self.below(4) {
            0 => format!("(count {{ a_ in Cell where {one} and {cond} }} {op} {many})"),
            1 => format!("(some {{ a_ in Cell where {cond} }})"),
            2 => {
                let from = self.one(Kind::Cell, d);
                format!("(some {{ a_ in {{ {from} }} where {cond} }})")
            }
            _ => format!("(count {{ a_ in Cell where {cond} }} {op} {many})"),
        }
    }

    /// What is asked of the sets of hues that a track has.
    fn of_hues(&mut self, how: &str) -> Option<String> {
        let is_it = |it: &&Named| it.ty == Ty::Set(Kind::Colour) && it.index == [Kind::Cell];
        let name = self.tracks.iter().find(is_it)?.name.clone();
        if self.constant {
            return None;
        }
        let hues = format!("{name}[a_]");
        let (hue, number) = (self.one(Kind::Colour, 1), self.one(Kind::Number, 1));
        let asked = self.pick(&["c_ != ", "c_ == ", "ord(c_) < ord"]);
        Some(match self.below(6) {
            0 => format!("{hue} in {hues}"),
            1 => format!("{hue} not in {hues}"),
            2 => format!("no {hues}"),
            3 => format!("count {{ c_ in {hues} where {asked}({hue}) }} {how} {number}"),
            4 => format!("count ({hues} + {{ {hue} }}) {how} {}", self.below(4)),
            _ => format!("count ({hues} - {{ {hue} }}) {how} {}", self.below(4)),
        })
    }
}

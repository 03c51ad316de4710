//! What things are worth together, the greatest number for which something holds, and what moving a thing makes of it.

use super::{Heap, Kind, Named, Ty, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn worth(&mut self, d: usize) -> String {
        let d = d.min(1);
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(6);
        match self.below(if self.constant || !self.zones { 3 } else { 7 }) {
            0 | 1 => self.greatest(op, few, d),
            2 => {
                let (way, side) = match self.once_in(2) {
                    true => ("e", format!("a_.column < {}", self.columns)),
                    false => ("s", "a_.row > 1".to_owned()),
                };
                let led = self.of_cell(&format!("step(a_, {way}) default a_"), d);
                let word = self.pick(&["some", "no", "count"]);
                let asked = format!("{word} {{ a_ in Cell where {side} and {led} }}");
                match word {
                    "count" => format!("({asked} {op} {few})"),
                    _ => format!("({asked})"),
                }
            }
            3 => {
                let place = self.a_place(&[Heap::Bag, Heap::Pile], d);
                let less = self.pick(&["max { 0, b_ - n_ }", "max { n_ - b_, 0 }", "b_ - n_"]);
                let asked = less.replace(
                    "n_",
                    &format!("count {{ c_ in {place} where c_.value == b_ }}"),
                );
                format!(
                    "(sum {{ {asked} for b_ in 1..{} }} {op} {few})",
                    self.values
                )
            }
            4 => {
                let value = self.number(d);
                let k = self.pick(&["value", "value + 1"]);
                let of = match self.once_in(2) {
                    true => {
                        format!("points_ in 0..{few} where points_ {op} 2 and points_ > {value}")
                    }
                    false => format!(
                        "s_ in Colour where ord(s_) {op} ord({})",
                        self.one(Kind::Colour, d)
                    ),
                };
                let place = self.a_place(&[Heap::Bag, Heap::Pile], d);
                format!("(1 + count {{ {of} }} > sum {{ c_.{k} for c_ in {place} }})")
            }
            _ => {
                let place = self.a_place(&[Heap::Bag, Heap::Pile], d);
                let total = self.total(&place, d);
                let limit = self.number(d);
                match self.below(4) {
                    0 => format!("({total} {op} {limit})"),
                    1 => format!("(some {{ b_ in {place} where {total} - b_.value {op} {few} }})"),
                    2 => format!("({few} - {total} {op} {limit})"),
                    _ => format!(
                        "(count {{ b_ in 1..{} where {total} + b_ {op} {} }} > {})",
                        self.values,
                        few + 3,
                        few / 2
                    ),
                }
            }
        }
    }

    /// A sum of what lies somewhere.
    fn total(&mut self, place: &str, d: usize) -> String {
        let each = self.pick(&[
            "c_.value",
            "c_.value * c_.value",
            "ord(c_.colour)",
            "2 - c_.value",
        ]);
        let cond = match self.below(5) {
            0 => format!(" where c_.colour == {}", self.one(Kind::Colour, d)),
            1 => format!(" where c_.value > {}", self.below(3)),
            2 if self.once_in(2) => format!(" where {}", self.truth(d)),
            _ => String::new(),
        };
        match self.below(4) {
            0 => format!("count {{ c_ in {place}{cond} }}"),
            _ => format!("sum {{ {each} for c_ in {place}{cond} }}"),
        }
    }

    /// What the greatest number comes to for which something holds that gets harder, or easier, as it grows.
    fn greatest(&mut self, op: &str, few: usize, d: usize) -> String {
        let ways = self.pick(&["straight", "oblique", "Direction", "{ n, e }"]);
        let last = 2 + self.below(4);
        let to = self.pick(&["k_", "k_ - 1", "k_ + 1"]);
        let [led, here] = ["step(a_, d_, j_)", "a_"].map(|it| self.of_cell(it, d));
        let word = self.pick(&["every", "every", "no", "some"]);
        let run = match word {
            "every" => format!("every {{ {led} for j_ in 0..{to} }}"),
            _ => format!("{word} {{ j_ in 1..{to} where {led} }}"),
        };
        let beyond = self.pick(&["", "k_ > 1 and ", "k_ != 2 and "]);
        match self.below(6) {
            0 => format!(
                "((max {{ k_ in 1..{last} where some {{ a_ in Cell, d_ in {ways} where {here} and {run} }} }} default 0) {op} {few})"
            ),
            1 => format!(
                "((max {{ k_ for k_ in 0..{last}, a_ in Cell, d_ in {ways} where {beyond}{run} }} default 0) {op} {few})"
            ),
            2 => format!(
                "((min {{ k_ for a_ in Cell, k_ in 1..{last}, d_ in {ways} where {here} and {run} }} default 9) {op} {few})"
            ),
            3 => format!(
                "({} {{ k_ in 1..{last}, a_ in Cell where {beyond}some {{ d_ in {ways} where {run} }} }})",
                self.pick(&["some", "no"])
            ),
            4 => format!(
                "((max {{ k_ in 1..{last} where count {{ a_ in Cell where {here} }} >= k_ }} default 0) {op} {few})"
            ),
            _ => {
                let from = self.one(Kind::Cell, d);
                format!(
                    "(some {{ k_ in 1..{last}, a_ in {{ {from} }}, d_ in {ways} where {beyond}{run} and {here} }})"
                )
            }
        }
    }

    /// An action that moves a card from one bag to another, where what lies there then is as asked.
    pub(super) fn giving(&mut self) {
        let name = self.name("give");
        let to = match self.below(4) {
            0 => "few".to_owned(),
            1 => format!("hand[{}]", self.literal(Kind::Seat)),
            _ => "kept[me]".to_owned(),
        };
        self.line("zone kept[seat]: bag of Card open");
        let op = self.pick(&["<", "<=", ">", "=="]);
        let of = match self.below(4) {
            0 => "hand[me]".to_owned(),
            1 => format!("kept[{}]", self.literal(Kind::Seat)),
            _ => to.clone(),
        };
        let (one, limit) = (self.total(&of, 0), 1 + self.below(9));
        let asked = match self.below(4) {
            0 => format!("{one} {op} {}", self.total(&to, 0)),
            1 => format!(
                "some {{ s_ in seat where {} {op} {limit} }}",
                self.total("kept[s_]", 0)
            ),
            2 => format!("count {of} {op} {limit}"),
            _ => format!("{one} {op} {limit}"),
        };
        let done = format!("move c_ from hand[me] to {to}");
        let not = self.pick(&["not ", ""]);
        let tried = format!("{not}after {{ {done} }} ({asked})");
        let (over, then) = match self.once_in(2) {
            true => (format!("{{ c_ in hand[me] where {tried} }}"), String::new()),
            false => (
                "hand[me]".to_owned(),
                format!("require then_: {tried} else \"no\"  "),
            ),
        };
        self.line(&format!(
            "action {name}(c_ in {over}) \"{name} {{c_}}\" {{ {then}do {{ {done} }} }}"
        ));
        for _ in 0..2 {
            self.actions.push(Named {
                index: vec![Kind::Card],
                literal: Some("c_".to_owned()),
                ..Named::new(name.clone(), Ty::One(Kind::Truth))
            });
        }
    }
}

//! What is said of one alone, or of all that there are, by how many there are.

use super::{Heap, Kind, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn alone(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (few, is) = (1 + self.below(3), self.pick(&["==", "!="]));
        let kind = self.set_kind();
        match self.below(if self.constant { 5 } else { 6 }) {
            0 => {
                let set = match self.below(2) {
                    0 => format!("({} - {})", self.set(kind, d), self.set(kind, d)),
                    _ => self.set(kind, d),
                };
                format!("({set} {is} {{}})")
            }
            1 => {
                let var = self.variable(kind);
                let (number, cond) = (self.number(d), self.truth(d.min(1)));
                let one = self.variable(kind);
                self.unbind(2);
                let of_one = number.replace(&var, &one);
                let by = self.pick(&[">=", "<=", "==", ">"]);
                let more = match self.below(3) {
                    0 => format!(" and {cond}"),
                    _ => String::new(),
                };
                let (of, over) = (self.kind_name(kind), self.set(kind, d));
                let asked = format!(
                    "count {{ {var} in {of} where {number} {by} {of_one}{more} }} {op} {few}"
                );
                match self.below(2) {
                    0 => format!("(some {{ {one} in {over} where {asked} }})"),
                    _ => format!("(every {{ {asked} for {one} in {over} }})"),
                }
            }
            2 => {
                let set = match self.below(3) {
                    0 => self.set(kind, d),
                    _ => {
                        let (inner, n) = self.binder(kind, d);
                        let by = self.number(d);
                        self.unbind(n);
                        let most = self.pick(&["most", "least"]);
                        format!("({most} {{ {inner} by {by} }})")
                    }
                };
                let one = self.variable(kind);
                let cond = self.truth(d);
                self.unbind(1);
                let of = self.kind_name(kind);
                let mut parts = self.pick(&[
                    [format!("{one} in {set}"), format!("count {set} == 1")],
                    [
                        format!("count {set} == 1"),
                        format!("first({set}) == {one}"),
                    ],
                    [
                        format!("first({set}) == {one}"),
                        format!("last({set}) == {one}"),
                    ],
                    [format!("last({set}) == {one}"), format!("{one} in {set}")],
                ]);
                let [first, _] = &mut parts;
                if self.once_in(3) {
                    *first = format!("{first} and {cond}");
                }
                format!("(some {{ {one} in {of} where {} }})", parts.join(" and "))
            }
            3 => {
                let var = self.variable(kind);
                let number = self.number(d);
                self.unbind(1);
                let most = self.pick(&["most", "least"]);
                let end = self.pick(&["first", "last"]);
                let over = match self.below(2) {
                    0 => self.set(kind, d),
                    _ => self.kind_name(kind),
                };
                let best = format!("{end}({most} {{ {var} in {over} by {number} }})");
                format!("(({}) {op} {few})", number.replace(&var, &best))
            }
            4 => {
                let v = self.variable(Kind::Number);
                let value = match self.below(3) {
                    0 => format!("({} mod 2)", self.number(d)),
                    1 => format!("(if {} then 1 else 0)", self.truth(d)),
                    _ => format!("max {{ 0, {} mod 2 }}", self.number(d)),
                };
                self.unbind(1);
                format!("(sum {{ {value} for {v} in 0..{} }} {op} {few})", few - 1)
            }
            _ => {
                let (place, colour) = (
                    self.a_place(&[Heap::Bag, Heap::Pile], d),
                    self.one(Kind::Colour, d),
                );
                let (c, n) = (self.variable(Kind::Card), self.variable(Kind::Number));
                self.unbind(2);
                let more = self.below(3);
                format!(
                    "(some {{ {n} in 1..{few} where count {{ {c} in {place} where {c}.colour == {colour} and {c}.value in {n}..{n} + {more} }} {op} {} }})",
                    more + 1
                )
            }
        }
    }
}

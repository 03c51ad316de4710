//! What is compared with what a position says of each of some, the greater of two, and what is said not to be so.

use super::{Heap, Kind, Named, Ty, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn told(&mut self, d: usize) -> String {
        let here = !self.constant && self.zones;
        match self.below(8) {
            0 | 1 => self.told_of_each(d),
            2 => self.of_two(d),
            3 => self.said_not_to_be(d),
            4 if here => self.beside_others(d),
            5 if here => self.least_of_what_lies(d),
            6 => self.asked_of_a_step(d),
            _ => self.on_a_line(d),
        }
    }

    /// A public track that has a value for each of a kind.
    fn told_track(&mut self) -> Option<(Named, Kind)> {
        let fits = |it: &&Named| {
            let is_value = matches!(it.ty, Ty::One(Kind::Number | Kind::Colour | Kind::Day));
            let by = [Kind::Colour, Kind::Day, Kind::Cell, Kind::Card];
            is_value && !it.hidden && it.index.len() == 1 && by.contains(&it.index[0])
        };
        let tracks: Vec<Named> = self.tracks.iter().filter(fits).cloned().collect();
        if self.constant || tracks.is_empty() {
            return None;
        }
        let track = self.pick(&tracks);
        let kind = track.index[0];
        Some((track, kind))
    }

    /// Whether what a track says of some is what follows from them and from another one.
    fn told_of_each(&mut self, d: usize) -> String {
        let Some((track, kind)) = self.told_track() else {
            return self.of_two(d);
        };
        let of = self.kind_name(kind);
        let (set, few) = (self.set(kind, d.min(1)), self.below(4));
        let [a, b] = [(); 2].map(|()| format!("{}_", self.small_word()));
        let (a, b) = (format!("a{a}"), format!("b{b}"));
        let told = format!("{}[{b}]", track.name);
        let Ty::One(value) = track.ty else {
            return "true".into();
        };
        let order = self.pick(&["==", "!=", "<", ">="]);
        let [one, other] = [(); 2].map(|()| self.literal(value));
        let follows = format!("(if {a} {order} {b} then {one} else {other})");
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let asked = match self.below(4) {
            0 => format!("{follows} {op} {told}"),
            1 => format!("(by {told} {{ {one} => {a} {order} {b} else => {a} != {b} }})"),
            _ => format!("{told} {op} {follows}"),
        };
        let guard = format!("{told} != {other}");
        let all = match self.below(6) {
            0 => format!("some {{ {b} in {of} where {asked} }}"),
            1 => format!("no {{ {b} in {set} where {guard} and {asked} }}"),
            2 => format!("every {{ {asked} for {b} in {of} where {guard} }}"),
            3 => format!("every {{ {told} == {other} or {asked} for {b} in {set} }}"),
            4 if value == Kind::Number => {
                format!(
                    "every {{ {a} {order} {b} for n_ in 0..2, {b} in {of} where {told} == n_ }}"
                )
            }
            _ => format!("count {{ {told} for {b} in {of} where {a} {order} {b} }} {op} {few}"),
        };
        match self.below(2) {
            0 => format!("(count {{ {a} in {of} where {all} }} {op} {few})"),
            _ => format!("(some {{ {a} in {set} where {all} }})"),
        }
    }

    /// The greater or smaller of some numbers, and numbers between others.
    fn of_two(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (few, more) = (self.below(3), self.below(5));
        let word = self.pick(&["max", "min"]);
        let [one, other] = [(); 2].map(|()| self.number(d.min(1)));
        let less = format!("{one} mod 9 - {other} mod 9");
        let two = match self.below(3) {
            0 => format!("{word} {{ {less}, {few} }}"),
            1 => format!("{word} {{ {one}, {few}, {other} }}"),
            _ => format!("{word} {{ {one}, {other} }}"),
        };
        match self.below(4) {
            0 => format!("({two} in {few}..{more})"),
            1 => format!("({less} in {few}..{more})"),
            2 => format!("({few} {op} {two})"),
            _ => format!("({two} {op} {few})"),
        }
    }

    /// Orders of numbers and named values that are said not to be.
    fn said_not_to_be(&mut self, d: usize) -> String {
        let kind = self.pick(&[Kind::Colour, Kind::Day]);
        let [a, b, c] = [(); 3].map(|()| self.pick(&["==", "!=", "<", "<=", ">", ">="]));
        let [one, other] = [(); 2].map(|()| self.one(kind, d.min(1)));
        let [n, m] = [(); 2].map(|()| self.number(d.min(1)));
        let (or, and) = (self.pick(&["or", "and"]), self.pick(&["or", "and"]));
        format!("(not ({n} {a} {m} {or} ({n} {b} {m} {and} {one} {c} {other})))")
    }

    /// Whether at most one beside a place is so.
    fn beside_others(&mut self, d: usize) -> String {
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let asked = self.of_cell("p_", d.min(1));
        let other = match self.once_in(4) {
            true => self.of_cell("p_", d.min(1)),
            false => asked.clone(),
        };
        let other = other.replace("p_", "q_");
        let from = self.set(Kind::Cell, d.min(1));
        format!(
            "(some {{ c_ in {from} where every {{ not ({asked}) or no {{ q_ in {near}(c_) where q_ != p_ and {other} }} for p_ in {near}(c_) }} }})"
        )
    }

    /// The least of what lies somewhere, for one that may lie there.
    fn least_of_what_lies(&mut self, d: usize) -> String {
        let place = self.a_place(&[Heap::Bag, Heap::Pile], d.min(1));
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (word, least) = self.pick(&[("min", "least"), ("max", "most")]);
        let default = self.pick(&["", " default 0", " default 99"]);
        let of = self.pick(&["Card", "HERE"]).replace("HERE", &place);
        let extreme = format!("({word} {{ b_.value for b_ in {place} }}{default})");
        let asked = match self.below(4) {
            0 => format!("a_ in {least} {{ b_ in {place} by b_.value }}"),
            1 => format!("{extreme} {op} a_.value"),
            _ => format!("a_.value {op} {extreme}"),
        };
        format!("(some {{ a_ in {of} where {asked} }})")
    }

    /// A definition about a place that is asked of what steps lead to.
    fn asked_of_a_step(&mut self, d: usize) -> String {
        let fits =
            |it: &&Named| it.index == [Kind::Cell] && it.ty == Ty::One(Kind::Truth) && !it.hidden;
        let found: Vec<Named> = self.defines.iter().filter(fits).cloned().collect();
        if self.constant || found.is_empty() {
            return self.on_a_line(d);
        }
        let define = self.pick(&found).name;
        let from = self.one(Kind::Cell, d.min(1));
        let cond = self.truth(d.min(1));
        let [one, other] = [(); 2].map(|()| self.literal(Kind::Way));
        let step = format!("step(a_, if {cond} then {one} else {other}, k_)");
        let few = 1 + self.below(3);
        let asked = match self.below(3) {
            0 => format!("(if some {step} then {define}({step}) else true)"),
            1 => format!("(not some {step} or {define}({step}))"),
            _ => format!("some {step} and {define}({step})"),
        };
        format!("(some {{ a_ in {{ {from} }} where every {{ {asked} for k_ in 1..{few} }} }})")
    }

    /// Places so many steps on, up to a number that may change.
    fn on_a_line(&mut self, d: usize) -> String {
        let (from, way) = (self.set(Kind::Cell, d.min(1)), self.literal(Kind::Way));
        let few = match self.below(2) {
            0 => format!("min {{ 4, {} }}", self.number(d.min(1))),
            _ => (3 + self.below(3)).to_string(),
        };
        let step = format!("step(a_, {way}, k_)");
        let asked = self.of_cell("HERE", d.min(1)).replace("HERE", &step);
        let word = self.pick(&["some", "no"]);
        match self.below(2) {
            0 => {
                format!("(some {{ a_ in {from} where {word} {{ k_ in 1..{few} where {asked} }} }})")
            }
            _ => format!("(some {{ a_ in {from} where every {{ {asked} for k_ in 1..{few} }} }})"),
        }
    }
}

//! Sets of values that a position gives some places, and how many are so against how many there are.

use super::{Kind, Ty, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn of_values(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let d = d.min(1);
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let [one, other] = ["b_", "b_"].map(|it| self.of_cell(it, d));
        let asked = match self.below(3) {
            0 => self.of_set(near, &one, d),
            1 => self.of_counts(near, &one, &other),
            _ => {
                let axis = self.pick(&["row", "column"]);
                let along = self.pick(&["Cell", "Cell", "{ Cell(1, 1), a_ }"]);
                let number = self.number(0);
                match self.below(4) {
                    0 => format!(
                        "count {{ b_ in {along} where b_.{axis} == a_.{axis} and {one} }} {op} {few}"
                    ),
                    1 => {
                        let rows = format!(
                            "{{ k_ in 1..2 where some {{ b_ in Cell where b_.{axis} == k_ and {one} }} }}"
                        );
                        format!("a_.{axis} in {rows} and {number} {op} {few}")
                    }
                    2 => {
                        let of = self.told_of("b_");
                        let own = of.replace("b_", "a_");
                        format!(
                            "{own} {op} (max {{ {of} for b_ in Cell where b_.{axis} == a_.{axis} }})"
                        )
                    }
                    _ => format!(
                        "count {{ b_ in {{ b_ in Cell where {one} }} where distance(a_, b_) == 1 }} {op} {few}"
                    ),
                }
            }
        };
        match self.below(3) {
            0 => format!("(count {{ a_ in Cell where {asked} }} {op} {few})"),
            1 => format!("(some {{ a_ in Cell where {asked} }})"),
            _ => {
                let from = self.one(Kind::Cell, d);
                format!("(some {{ a_ in {{ {from} }} where {asked} }})")
            }
        }
    }

    /// A number that a position gives a place.
    fn told_of(&mut self, cell: &str) -> String {
        let tracks = self
            .tracks
            .iter()
            .filter(|it| it.ty == Ty::One(Kind::Number) && !it.hidden && it.index == [Kind::Cell]);
        let tracks: Vec<String> = tracks.map(|it| it.name.clone()).collect();
        match tracks.is_empty() || self.constant {
            true => format!("{cell}.row"),
            false => format!("{}[{cell}]", self.pick(&tracks)),
        }
    }

    /// What is asked of the values around.
    fn of_set(&mut self, near: &str, cond: &str, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let tracks = self.tracks.iter().filter(|it| {
            let is_value = matches!(it.ty, Ty::One(Kind::Colour) | Ty::Maybe(Kind::Colour));
            is_value && !it.hidden && it.index == [Kind::Cell]
        });
        let tracks: Vec<String> = tracks.map(|it| format!("{}[b_]", it.name)).collect();
        let (value, there) = match self.zones && (tracks.is_empty() || self.once_in(2)) {
            true => ("lying[b_].colour".to_owned(), "filled lying[b_] and "),
            false if tracks.is_empty() => return "true".into(),
            false => (self.pick(&tracks), ""),
        };
        if self.constant {
            return "true".into();
        }
        let there = if self.full && self.once_in(3) {
            ""
        } else {
            there
        };
        let set = match self.below(3) {
            0 => format!("{{ {value} for b_ in {near}(a_) where {there}true }}"),
            1 => format!(
                "{{ {value} for c_ in 1..2, b_ in {near}(a_) where {there}({cond} or c_ == 1) }}"
            ),
            _ => format!("{{ {value} for b_ in {near}(a_) where {there}{cond} }}"),
        };
        let [one, other] = [(); 2].map(|()| self.one(Kind::Colour, d));
        match self.below(10) {
            0 => format!("{set} == {{ {one} }}"),
            1 => format!("{set} != {{ {one}, {other} }}"),
            2 => format!("count {set} {op} {few}"),
            3 => format!("count ({set} + {{ {one} }}) {op} {few}"),
            4 => format!("count ({set} - {{ {one} }}) {op} {few}"),
            5 => format!("no ({set} - {{ {one} }})"),
            6 => format!("first({set}) == {one}"),
            7 => format!("(count {set} == 1 and first({set}) == {one})"),
            8 => format!("last({set}) != {one}"),
            _ => format!("every {{ v_ == {one} or v_ == {other} for v_ in {set} }}"),
        }
    }

    /// How many around are so, against how many there are, and against those that are otherwise.
    fn of_counts(&mut self, near: &str, one: &str, other: &str) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(3);
        let part = format!("count {{ b_ in {near}(a_) where {one} }}");
        match self.below(6) {
            0 => format!("{part} {op} count {near}(a_) - {few}"),
            1 => format!("{part} + {few} {op} count {near}(a_)"),
            2 => format!("count {near}(a_) - {part} {op} {few}"),
            3 => format!("(sum {{ if {one} then 1 else -1 for b_ in {near}(a_) }}) {op} {few}"),
            4 => format!(
                "(sum {{ if {one} then 0 else if {other} then 1 else -1 for b_ in {near}(a_) }}) {op} -{few}"
            ),
            _ => format!("count {{ b_ in Cell where b_.row == a_.row and {one} }} {op} {few}"),
        }
    }
}

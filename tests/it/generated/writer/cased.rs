//! Questions about values that have several cases, in some of which there is none.

use super::{Kind, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn cased(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (few, d) = (self.below(4), d.min(1));
        if self.zones && !self.constant && self.once_in(3) {
            let found = self.alike(d);
            return format!("(count {found} {op} {few})");
        }
        let kind = self.pick(&[Kind::Cell, Kind::Cell, Kind::Card, Kind::Colour]);
        let value = self.in_cases(kind, "q_", d);
        let other = match self.below(3) {
            0 => self.in_cases(kind, "q_", d),
            1 => self.maybe(kind, d),
            _ => self.one(kind, d),
        };
        let is = self.pick(&["==", "!="]);
        let asked = match self.below(7) {
            0 => format!("some {value}"),
            1 => format!("{value} {is} none"),
            2 => format!("({value} default {other}) {is} {other}"),
            3 => format!("{value} in {}", self.set(kind, d)),
            4 => return format!("(count {{ {value} for q_ in Cell }} {op} {few})"),
            5 if kind == Kind::Cell => self.of_cell(&value, d),
            _ => format!("{value} {is} {other}"),
        };
        match self.below(3) {
            0 => format!("(some {{ q_ in Cell where {asked} }})"),
            1 => format!("(every {{ {asked} for q_ in Cell }})"),
            _ => format!("(count {{ q_ in Cell where {asked} }} {op} {few})"),
        }
    }

    /// A value that hangs on a cell, or none.
    fn in_cases(&mut self, kind: Kind, cell: &str, d: usize) -> String {
        let cond = self.of_cell(cell, d);
        let some = match kind {
            Kind::Cell if !self.constant => format!("step({cell}, {})", self.one(Kind::Way, d)),
            Kind::Card if self.zones && !self.constant => format!("lying[{cell}]"),
            _ => self.maybe(kind, d),
        };
        match self.below(5) {
            0 => format!("(if {cond} then none else {some})"),
            1 => {
                let (second, more) = (self.of_cell(cell, d), self.one(kind, d));
                format!("(if {cond} then {some} else if {second} then {more} else none)")
            }
            2 => {
                let second = self.of_cell(cell, d);
                format!("(if {cond} and {second} then {some} else none)")
            }
            _ => format!("(if {cond} then {some} else none)"),
        }
    }

    /// What hangs together and is alike.
    fn alike(&mut self, d: usize) -> String {
        let card = self.one(Kind::Card, d);
        let (more, near) = (self.of_cell("q_", d), self.pick(&["orthogonal", "around"]));
        let cond = self.of_cell("q_", d);
        let value = |cell: &str| match cond.len() % 3 {
            0 => format!("lying[{cell}]"),
            1 => format!("(if filled lying[{cell}] then lying[{cell}] else none)"),
            _ => format!(
                "(if {} then lying[{cell}] else none)",
                cond.replace("q_", cell)
            ),
        };
        let of_start = match self.below(3) {
            0 => format!("{} == {card}", value("q_")),
            1 => format!("lying[q_] == {card}"),
            _ => format!("some {}", value("q_")),
        };
        let step = match self.below(3) {
            0 => format!("{} == {}", value("t_"), value("q_")),
            1 => format!(
                "some {} and {} == {}",
                value("q_"),
                value("t_"),
                value("q_")
            ),
            _ => format!("filled lying[t_] and {} == {}", value("t_"), value("q_")),
        };
        format!(
            "{{ p_ in reach {{ q_ in Cell where {of_start} and {more} }} via q_ -> {{ t_ in {near}(q_) where {step} }} }}"
        )
    }
}

//! Questions that ask for more than what decides them.

use super::{Kind, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn narrowed(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (few, other) = (self.below(4), self.below(4));
        let d = d.min(1);
        match self.below(6) {
            0 => {
                let (binders, n) = self.binders(d);
                let (cond, of) = (self.truth(d), self.number(d));
                self.unbind(n);
                let most = self.pick(&["max", "min"]);
                let value = match self.below(2) {
                    0 => format!("if {cond} then {of} else {few}"),
                    _ => format!("if {cond} then {few} else abs({of})"),
                };
                let default = match self.below(3) {
                    0 => few,
                    1 => other,
                    _ => {
                        let is = self.pick(&["==", "!="]);
                        return format!("(({most} {{ {value} for {binders} }}) {is} {few})");
                    }
                };
                format!("((({most} {{ {value} for {binders} }}) default {default}) {op} {other})")
            }
            1 => {
                let (from, to) = (self.number(d), self.number(d));
                let (cond, skipped) = (self.truth(d), self.below(6));
                let members = format!("{{ m_ in 0..6 where m_ != {skipped} and {cond} }}");
                let more = self.number(d);
                let asked = format!("k_ in {from}..{to} where k_ in {members}");
                match self.below(3) {
                    0 => format!("(some {{ {asked} and k_ != {more} }})"),
                    1 => format!("(count {{ {asked} }} {op} {few})"),
                    _ => format!("(every {{ k_ {op} {more} for {asked} }})"),
                }
            }
            2 => {
                let (columns, rows) = (self.columns, self.rows);
                let cond = self.of_cell("a_", d);
                let row = format!("{{ Cell(k_, j_) for j_ in 1..{rows} }}");
                match self.below(3) {
                    0 => format!(
                        "(some {{ k_ in 1..{columns} where every {{ {cond} for a_ in {row} }} }})"
                    ),
                    1 => format!(
                        "(every {{ some {{ a_ in {row} where {cond} }} for k_ in 1..{columns} }})"
                    ),
                    _ => format!(
                        "(count {{ k_ in 1..{columns} where no {{ a_ in {row} where {cond} }} }} {op} {few})"
                    ),
                }
            }
            3 => {
                let (cells, goal) = (self.set(Kind::Cell, d), self.one(Kind::Cell, d));
                let (one, more) = (self.of_cell("a_", d), self.of_cell("a_", d));
                let goal = match self.below(2) {
                    0 => format!("step({goal}, {})", self.one(Kind::Way, d)),
                    _ => goal,
                };
                let word = self.pick(&["some", "no"]);
                format!("({word} {{ a_ in {cells} where {one} and a_ == {goal} and {more} }})")
            }
            4 => {
                let (one, more) = (self.of_cell("a_", d), self.of_cell("a_", d));
                let near = self.pick(&["orthogonal", "around"]);
                format!(
                    "(count groups {{ a_ in Cell where {one} }} via b_ -> {{ a_ in {near}(b_) where {more} }} {op} {})",
                    self.below(3)
                )
            }
            _ => {
                let (from, goal) = (self.set(Kind::Cell, d), self.of_cell("p_", d));
                let (here, there) = (self.of_cell("q_", d), self.of_cell("t_", d));
                let way = self.one(Kind::Way, d);
                let ways = self.pick(&["straight", "Direction", "{ n, e }"]);
                let step = match self.below(3) {
                    0 => format!("{{ t_ in orthogonal(q_) where {here} or {there} }}"),
                    1 => format!("{{ step(q_, d_) for d_ in {ways} where d_ != {way} or {here} }}"),
                    _ => format!(
                        "{{ step(q_, d_) for d_ in {ways} where by d_ {{ n => {here}  else => not ({here}) }} }}"
                    ),
                };
                format!("(count {{ p_ in reach {from} via q_ -> {step} where {goal} }} {op} {few})")
            }
        }
    }
}

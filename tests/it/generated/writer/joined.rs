//! What is asked of places that are named by others: the edge to a neighbour, what lies so far off, the first thing on the way.

use super::{Kind, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn joined(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let d = d.min(1);
        let cond = match self.below(8) {
            0 | 1 if !self.constant && self.columns * self.rows > 1 => self.edges_at(d),
            2 => self.so_far_off(d),
            3 => self.first_man(d),
            4 => {
                let near = self.pick(&["orthogonal", "diagonal", "around"]);
                let (asked, free) = (self.of_cell("t_", d), self.of_cell("q_", d));
                let listed = self.pick(&["{ step(a_, n), a_ }", "{ step(a_, se), step(a_, w) }"]);
                match self.below(3) {
                    0 => format!("every {{ {free} for q_ in {listed} }}"),
                    _ => format!(
                        "some {{ q_ in {listed} where {free} or some {{ t_ in {near}(q_) where {asked} }} }}"
                    ),
                }
            }
            5 => {
                let goal = self.one(Kind::Cell, d);
                let (first, less) = (self.below(2), self.pick(&["", " - 1", " - 1"]));
                let asked = self.of_cell("step(a_, d_, j_)", d);
                format!(
                    "some {{ d_ in straight, k_ in 1..3 where step(a_, d_, k_) == {goal} and every {{ {asked} for j_ in {first}..k_{less} }} }}"
                )
            }
            _ => self.up_to(d),
        };
        let cond = match self.below(5) {
            0 => format!("({cond}) == false"),
            _ => cond,
        };
        match self.below(3) {
            0 => {
                let goal = self.one(Kind::Cell, d);
                format!("(some {{ a_ in {{ {goal} }} where {cond} }})")
            }
            _ => format!("(count {{ a_ in Cell where {cond} }} {op} {few})"),
        }
    }

    /// What is asked of the edges at a cell.
    fn edges_at(&mut self, d: usize) -> String {
        let near = self.pick(&["orthogonal", "neighbours", "around"]);
        let word = self.pick(&["some", "no"]);
        let op = self.pick(&["==", "<", ">="]);
        let edge = self.pick(&["Join(a_, t_)", "Join(t_, a_)"]);
        let asked = self.pick(&["", "", "some EDGE and "]);
        let asked = asked.replace("EDGE", edge);
        let more = match self.below(3) {
            0 => format!(" and {}", self.of_cell("t_", d)),
            _ => String::new(),
        };
        let all = format!("t_ in {near}(a_) where {asked}open_[{edge}]{more}");
        let ways = self.pick(&["straight", "Direction", "{ n, e }"]);
        let first = self.pick(&[
            "",
            "some step(a_, d_) and ",
            "some Join(a_, step(a_, d_)) and ",
        ]);
        match self.below(4) {
            0 => format!("count {{ {all} }} {op} {}", self.below(4)),
            1 => {
                format!(
                    "{word} {{ d_ in {ways} where {first}open_[Join(a_, step(a_, d_))]{} }}",
                    { more.replace("t_", "step(a_, d_)") }
                )
            }
            _ => format!("{word} {{ {all} }}"),
        }
    }

    /// What is asked of cells by how far off they are.
    fn so_far_off(&mut self, d: usize) -> String {
        let word = self.pick(&["some", "no", "count"]);
        let cell = "Cell(a_.column + i_, a_.row + j_)";
        let (columns, rows) = (self.columns, self.rows);
        let known = match self.below(4) {
            0 => String::new(),
            1 => format!("some {cell} and "),
            2 => format!("abs(i_) + abs(j_) <= 2 and some {cell} and "),
            _ => format!("a_.column + i_ in 1..{columns} and a_.row + j_ in 1..{rows} and "),
        };
        let asked = self.of_cell(cell, d);
        let question = format!("{word} {{ i_ in -1..1, j_ in -1..2 where {known}{asked} }}");
        match word {
            "count" => format!("{question} > {}", self.below(3)),
            _ => question,
        }
    }

    /// What is asked of the first cell on the way that is so.
    fn first_man(&mut self, d: usize) -> String {
        let way = self.pick(&["n", "se", "d_"]);
        let stop = self.of_cell("x_", d);
        let met = match self.below(4) {
            0 => self.of_cell("t_", d),
            _ => stop.replace("x_", "t_"),
        };
        let first = format!("first({{ t_ in walk {way} from a_ up to x_: {stop} where {met} }})");
        let known = self.pick(&["", "some FIRST and "]).replace("FIRST", &first);
        let asked = self.of_cell("FIRST", d).replace("FIRST", &first);
        format!("some {{ d_ in straight where {known}{asked} }}")
    }

    /// What is asked of the cells up to the first that is so.
    fn up_to(&mut self, d: usize) -> String {
        let ways = self.pick(&["straight", "Direction", "{ n, e }"]);
        let (stop, met) = (self.of_cell("x_", d), self.of_cell("t_", d));
        let word = self.pick(&["some", "no"]);
        let until = self.pick(&["up to", "up to", "while"]);
        let stop = if self.once_in(4) { "true".into() } else { stop };
        let walk = format!("walk d_ from a_ {until} x_: {stop}");
        match self.below(3) {
            0 => {
                let end = format!("step(a_, d_, 1 + count (walk d_ from a_ while x_: {stop}))");
                let met = met.replace("t_", &end);
                let known = self.pick(&["", "some END and "]).replace("END", &end);
                format!("{word} {{ d_ in {ways} where {known}{met} }}")
            }
            1 => format!("{word} {{ t_ in {{ t_ for d_ in {ways}, t_ in {walk} }} where {met} }}"),
            _ => format!("{word} {{ d_ in {ways}, t_ in {walk} where {met} }}"),
        }
    }
}

//! What is asked of the first and the last of some, of numbers behind others, and of what is added up one by one.

use super::{Kind, Named, Ty, Writer};

impl Writer {
    /// A truth in one of these wordings, of cells that are counted.
    pub(super) fn ended(&mut self, d: usize) -> String {
        let (op, few) = (self.pick(&["==", ">", "<="]), self.below(4));
        let d = d.min(1);
        let cond = match self.below(4) {
            0 => self.behind(d),
            1 => self.one_by_one(d),
            _ => self.end_of(d),
        };
        format!("(count {{ a_ in Cell where {cond} }} {op} {few})")
    }

    /// What is asked of the end of a set, which may be none.
    fn end_of(&mut self, d: usize) -> String {
        let end = self.pick(&["first", "last"]);
        let over = self.pick(&["Cell", "around(a_)", "orthogonal(a_)"]);
        let guard = match self.below(3) {
            0 => "t_.row == a_.row".to_owned(),
            1 => format!("t_.column == a_.column and {}", self.of_cell("t_", d)),
            _ => self.of_cell("t_", d),
        };
        let best = self.pick(&["most", "least"]);
        let key = self.pick(&["t_.row", "t_.column", "t_.row + t_.column"]);
        let of = match self.below(3) {
            0 => format!("{end}({best} {{ t_ in {over} where {guard} by {key} }})"),
            _ => format!("{end}({{ t_ in {over} where {guard} }})"),
        };
        let op = self.pick(&["<", "<=", ">", "!="]);
        let field = self.pick(&["row", "column"]);
        let asked = match self.below(3) {
            0 => self.of_cell("END", d),
            1 => format!("END {op} a_"),
            _ => format!("END.{field} {op} a_.{field}"),
        };
        let more = self.truth(0);
        let cond = match self.below(5) {
            0 => format!("(END == none or {asked})"),
            1 => format!("(END != none and {asked})"),
            2 => format!("(some END and {asked} and {more})"),
            3 => format!("not some {{ y_ in {{ END }} where y_.{field} {op} a_.{field} }}"),
            _ => format!("(END == none or {more} or {asked})"),
        };
        cond.replace("END", &of)
    }

    /// What is asked of numbers that begin or end where others do.
    fn behind(&mut self, d: usize) -> String {
        let word = self.pick(&["some", "no", "count"]);
        let over = self.pick(&["i_ + 1..3", "i_..3", "1..i_", "1..i_ - 1", "i_..i_ + 1"]);
        let way = self.pick(&["n", "e", "sw"]);
        let cell = format!("step(a_, {way}, j_ - i_ + 1)");
        let cell = match self.once_in(3) {
            true => format!("step(a_, {way}, j_)"),
            false => cell,
        };
        let asked = self.of_cell(&cell, d);
        let all = format!("{word} {{ i_ in 1..3, j_ in {over} where some {cell} and {asked} }}");
        match word {
            "count" => format!("{all} > {}", self.below(3)),
            _ => all,
        }
    }

    /// Numbers that are 1 where something holds, added up one by one.
    fn one_by_one(&mut self, d: usize) -> String {
        let (one, none) = match self.below(3) {
            0 => ("2", "0"),
            1 => ("1", "3"),
            _ => ("1", "0"),
        };
        let (op, few) = (self.pick(&["==", ">", "<="]), self.below(4));
        let asked = self.of_cell("HERE", d);
        let same = self.once_in(3);
        let terms = ["n", "e", "s", "w", "ne"].map(|way| {
            let way = if same { "n" } else { way };
            let asked = asked.replace("HERE", &format!("step(a_, {way})"));
            let there = format!("some step(a_, {way}) and {asked}");
            format!("(if {there} then {one} else {none})")
        });
        let n = 2 + self.below(4);
        let terms: Vec<&str> = terms.iter().take(n).map(String::as_str).collect();
        format!("{} {op} {few}", terms.join(" + "))
    }

    /// A definition that goes on to the next cell, calling itself, sometimes deeper or longer than it may.
    pub(super) fn length(&mut self) {
        if self.once_in(2) {
            return;
        }
        let (name, q) = (self.name("d"), self.name("p"));
        let asked = self.of_cell(&q, 1);
        let guard = self.pick(&["", "some PLACE and "]).replace("PLACE", &q);
        let way = self.pick(&["n", "e", "se", "w"]);
        let longest = self.columns.max(self.rows);
        let (depth, most) = (longest + self.below(3), longest + self.below(3));
        let (depth, most) = (
            depth.saturating_sub(1).max(1),
            most.saturating_sub(1).max(1),
        );
        let text = format!(
            "define {name}({q}: Cell or none): 0..{most} depth {depth} = if {guard}{asked} then 1 + {name}(step({q}, {way})) else 0"
        );
        let text = self.named(&text);
        self.line(&text);
        self.defines.push(Named {
            index: vec![Kind::Cell],
            ..Named::new(name, Ty::One(Kind::Number))
        });
    }
}

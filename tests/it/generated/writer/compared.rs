//! Counts, sums, least and greatest that are compared, as people put what holds for some or for each.

use super::Writer;

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn compared(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (few, more) = (self.below(3), self.below(3));
        let kind = self.set_kind();
        match self.below(10) {
            0 => {
                let over = self.set(kind, d);
                let var = self.variable(kind);
                let (one, other) = (self.truth(d), self.truth(d));
                self.unbind(1);
                let part = format!("count {{ {var} in {over} where {one} and {other} }}");
                let known = self.pick(&[&one, &other]).clone();
                let whole = match self.below(3) {
                    0 => format!("count {{ {var} in {over} }}"),
                    _ => format!("count {{ {var} in {over} where {known} }}"),
                };
                match self.below(2) {
                    0 => format!("({part} {op} {whole})"),
                    _ => format!("({whole} {op} {part})"),
                }
            }
            1 | 2 => {
                let word = self.pick(&["max", "min"]);
                let (binders, n) = self.binders(d);
                let of = self.number(d);
                self.unbind(n);
                let default = match self.below(4) {
                    0 => String::new(),
                    _ => format!(" default {more}"),
                };
                let extreme = format!("({word} {{ {of} for {binders} }}{default})");
                let bound = match self.below(3) {
                    0 => self.number(0),
                    _ => few.to_string(),
                };
                match self.below(2) {
                    0 => format!("({extreme} {op} {bound})"),
                    _ => format!("({bound} {op} {extreme})"),
                }
            }
            3 => {
                let (binders, n) = self.binders(d);
                let (of, less) = (self.number(d), self.number(d));
                self.unbind(n);
                let value = match self.below(3) {
                    0 => format!("max {{ 0, {of} mod 50 }}"),
                    1 => format!("max {{ {of} mod 50, {less} mod 50, 0 }}"),
                    _ => format!("({of} mod 3)"),
                };
                format!("(sum {{ {value} for {binders} }} {op} {few})")
            }
            4 => {
                let (of, less) = (self.number(d), self.number(d));
                match self.below(3) {
                    0 => format!("({of} - {less} {op} 0)"),
                    1 => format!("({of} + {few} {op} {more})"),
                    _ => format!("({more} {op} {of} - {few})"),
                }
            }
            5 => {
                let (a, b) = (self.small_word(), self.small_word());
                let cell = self.of_cell(&format!("Cell({few} + {a}_, {b}_)"), d);
                let many = self.pick(&[1, 2, 4]);
                format!("(count {{ {a}_ in 0..1, {b}_ in 1..2 where {cell} }} {op} {many})")
            }
            6 => {
                let (cond, one, other) = (self.truth(d), self.set(kind, d), self.set(kind, d));
                let var = self.variable(kind);
                let of = self.number(d);
                self.unbind(1);
                let (word, default) = (self.pick(&["max", "min"]), more);
                let extreme =
                    |set: &str| format!("({word} {{ {of} for {var} in {set} }} default {default})");
                let (one, other) = (extreme(&one), extreme(&other));
                format!("((if {cond} then {one} else {other}) {op} {few})")
            }
            7 => {
                let (inner, n) = self.binder(kind, d);
                let by = self.number(d);
                self.unbind(n);
                let var = self.variable(kind);
                self.unbind(1);
                let (most, of) = (self.pick(&["most", "least"]), self.kind_name(kind));
                let is = self.pick(&["==", "!="]);
                format!(
                    "(some {{ {var} in {of} where ({most} {{ {inner} by {by} }}) {is} {{ {var} }} }})"
                )
            }
            8 => {
                // Few of these numbers are among the members.
                let of = self.number(d);
                let v = self.small_word();
                let over = self.pick(&["-3..3", "-2..0", "0..4", "1..70"]);
                let equal = format!("{v}_ in {over} where {of} == {v}_");
                match self.below(4) {
                    0 => format!("(count {{ {equal} }} {op} {few})"),
                    1 => format!("(some {{ {equal} }})"),
                    2 => format!("({{ {equal} }} == {{}})"),
                    _ => format!("(every {{ {} for {equal} }})", self.truth(d)),
                }
            }
            _ => {
                let (one, other) = (self.set(kind, d), self.set(kind, d));
                let word = self.pick(&["some", "no"]);
                let (binders, n) = self.binders(d);
                let cond = self.truth(d);
                self.unbind(n);
                match self.below(2) {
                    0 => format!("({word} ({one} - {other}))"),
                    _ => format!("(every {{ not {cond} for {binders} }})"),
                }
            }
        }
    }
}

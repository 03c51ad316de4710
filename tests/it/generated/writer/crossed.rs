//! What is asked of places whose coordinates come from several others.

use super::Writer;

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn crossed(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let (columns, rows) = (self.columns, self.rows);
        let [first, last] = [1 + self.below(2), 1 + self.below(columns)];
        let mut variables = vec![
            "a_ in Cell".to_owned(),
            match self.below(3) {
                0 => "b_ in Cell".to_owned(),
                1 => "b_ in around(a_)".to_owned(),
                _ => format!("k_ in {first}..{last}"),
            },
        ];
        if self.once_in(3) {
            variables.push(format!("m_ in 1..{rows}"));
        }
        if self.once_in(3) {
            variables.rotate_left(1);
        }
        if variables.iter().any(|it| it.contains("around(a_)")) {
            variables.sort();
        }
        let has = |name: &str| variables.iter().any(|it| it.starts_with(name));
        let mut of_column = vec!["a_.column", "a_.column + 1"];
        let mut of_row = vec!["a_.row", "a_.row - 1"];
        if has("b_") {
            of_column.push("b_.column");
            of_row.extend(["b_.row", "b_.row + 1"]);
        }
        if has("k_") {
            of_column.extend(["k_", "k_", "k_ + 1"]);
        }
        if has("m_") {
            of_row.extend(["m_", "m_"]);
        }
        let d = d.min(1);
        let mut conds = Vec::new();
        for _ in 0..1 + self.below(3) {
            let (column, row) = (self.pick(&of_column), self.pick(&of_row));
            conds.push(self.of_cell(&format!("Cell({column}, {row})"), d));
        }
        if self.once_in(2) {
            conds.push(self.of_cell("a_", d));
        }
        if has("b_") && self.once_in(2) {
            conds.push(self.pick(&["a_ != b_", "a_.column < b_.column"]).to_owned());
        }
        let joint = self.pick(&[" and ", " and ", " or "]);
        let (all, cond) = (variables.join(", "), conds.join(joint));
        match self.below(5) {
            0 => format!("(some {{ {all} where {cond} }})"),
            1 => format!("(no {{ {all} where {cond} }})"),
            2 => format!("(every {{ {cond} for {all} }})"),
            3 => {
                let number = self.number(d);
                format!("(sum {{ {number} for {all} where {cond} }} {op} {few})")
            }
            _ => format!("(count {{ {all} where {cond} }} {op} {few})"),
        }
    }
}

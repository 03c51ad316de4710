//! Questions about all that steps lead to from a place.

use super::{Kind, Writer};

impl Writer {
    /// A truth about some or all cells, of each of which it is asked where steps lead from there.
    pub(super) fn flooded(&mut self, d: usize) -> String {
        if self.once_in(4) {
            return self.wholes(d);
        }
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let [q, p, t] = [(); 3].map(|()| self.small_word()).map(|it| it + "_");
        let reached = self.reached(&q, d);
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let [one, other] = [&p, &t].map(|cell| self.of_cell(cell, d.min(1)));
        let goal = self.one(Kind::Cell, d.min(1));
        let asked = match self.below(7) {
            0 => format!("(some {{ {p} in {reached} where {one} }})"),
            1 => format!("(no {{ {p} in {reached}, {t} in {near}({p}) where {other} }})"),
            2 => format!("(every {{ {one} for {p} in {reached} }})"),
            3 => format!(
                "(count {{ {t} in Cell where {other} and some {{ {p} in {reached} where {t} in {near}({p}) }} }} == 0)"
            ),
            4 => format!(
                "(every {{ {other} for {t} in {{ {t} for {p} in {reached}, {t} in {near}({p}) where {one} }} }})"
            ),
            5 => format!("({goal} in {reached})"),
            _ => format!("(some {{ {p} in {reached} where {p} == {goal} }})"),
        };
        let first = self.of_cell(&q, d.min(1));
        match self.below(4) {
            0 => format!("(some {{ {q} in Cell where {first} and {asked} }})"),
            1 => {
                let cells = self.set(Kind::Cell, d.min(1));
                format!(
                    "(count {{ {p} for {q} in {cells} where {first}, {p} in {reached} }} {op} {few})"
                )
            }
            2 => {
                let (heads, step) = (self.set(Kind::Cell, d.min(1)), self.step_from(&p, &p, d));
                format!(
                    "(count {{ {q} in groups {heads} via {p} -> {step} where {asked} }} {op} {few})"
                )
            }
            _ => format!("(count {{ {q} in Cell where {asked} }} {op} {few})"),
        }
    }

    /// A truth about what hangs together, whole by whole.
    fn wholes(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        // Mostly those that hang together are those that are asked.
        let own = self.of_cell("q_", d.min(1));
        let other = match self.below(4) {
            0 => self.of_cell("q_", d.min(1)),
            _ => own.clone(),
        };
        let set = |cond: &str| format!("{{ q_ in Cell where {cond} }}");
        let within = other.replace("q_", "t_");
        let (step, again) = match self.below(3) {
            0 => {
                let members = set(&own);
                let step = |v: &str| format!("{{ t_ in {members} where t_ in {near}({v}) }}");
                (step("v_"), step("w_"))
            }
            1 => {
                let members = set(&own);
                let step = |v: &str| format!("{{ t_ in {near}({v}) where t_ in {members} }}");
                (step("v_"), step("w_"))
            }
            _ => {
                let step = |v: &str| format!("{{ t_ in {near}({v}) where {within} }}");
                (step("v_"), step("w_"))
            }
        };
        let end = self.of_cell("e_", d.min(1));
        let whole = format!("(reach {{ g_ }} via w_ -> {again})");
        let asked = match self.below(5) {
            0 => format!("no {{ e_ for p_ in {whole}, e_ in {near}(p_) where {end} }}"),
            1 => format!(
                "count {{ e_ in Cell where {end} and some {{ c_ in {near}(e_) where c_ in {whole} }} }} {op} {few}"
            ),
            2 => format!("count {whole} {op} {few}"),
            3 => format!("every {{ {end} for e_ in {whole} }}"),
            _ => self.of_cell("g_", d.min(1)),
        };
        let heads = format!("groups {} via v_ -> {step}", set(&own));
        let members = match self.below(2) {
            0 => format!("{{ m_ for g_ in {heads}, m_ in {whole} where {asked} }}"),
            _ => format!("{{ m_ for g_ in {{ g_ in {heads} where {asked} }}, m_ in {whole} }}"),
        };
        let goal = self.one(Kind::Cell, d.min(1));
        let all = set(&own);
        match self.below(5) {
            0 => format!("(some {{ g_ in {heads} where {asked} }})"),
            1 => format!("(some {{ g_ in {all} where no ({all} - {whole}) }})"),
            2 => format!("(no {{ g_ in {all} where every {{ q_ in {whole} for q_ in {all} }} }})"),
            3 => format!("(count {members} {op} {few})"),
            _ => format!("({goal} in {members})"),
        }
    }

    /// All that steps lead to from a cell, or from those beside it.
    fn reached(&mut self, q: &str, d: usize) -> String {
        let v = self.small_word();
        let step = self.step_from(q, &format!("{v}_"), d);
        let start = match self.below(4) {
            0 => self.targets(q, 0),
            _ => format!("{{ {q} }}"),
        };
        format!("(reach {start} via {v}_ -> {step})")
    }

    fn step_from(&mut self, q: &str, from: &str, d: usize) -> String {
        if !self.constant && self.columns * self.rows > 1 && self.once_in(4) {
            return self.over_edges(from);
        }
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let t = self.small_word() + "_";
        let cond = match self.below(6) {
            // Those that are like the first, or like the one before.
            0 if self.zones && !self.constant => format!("lying[{t}] == lying[{q}]"),
            1 if self.zones && !self.constant => format!("lying[{t}] == lying[{from}]"),
            2 if self.zones && !self.constant => {
                let like = self.pick(&[q, from]);
                let field = self.pick(&["value", "colour"]);
                let asked = match self.full && self.once_in(2) {
                    true => String::new(),
                    false => format!("filled lying[{t}] and filled lying[{like}] and "),
                };
                format!("{asked}lying[{t}].{field} == lying[{like}].{field}")
            }
            _ => self.of_cell(&t, d.min(1)),
        };
        let own = self.of_cell(from, d.min(1));
        match self.below(7) {
            0 => format!("{near}({from})"),
            3 => format!("{{ {t} in {near}({from}) where {own} and {cond} }}"),
            4 => format!("(if {own} then {{ {t} in {near}({from}) where {cond} }} else {{}})"),
            1 => self.targets(from, d.min(1)),
            2 => format!("{{ {t} in {{ {t} in Cell where {cond} }} where {t} in {near}({from}) }}"),
            _ => format!("{{ {t} in {near}({from}) where {cond} }}"),
        }
    }

    /// Where open edges lead to from a cell; now and then from one end alone, or elsewhere too.
    fn over_edges(&mut self, from: &str) -> String {
        let near = self.pick(&["orthogonal", "orthogonal", "around"]);
        let asked = self.pick(&["open_[j_]", "open_[j_]", "open_[j_] and j_.one.row > 1"]);
        let of_edge = |edge: &str| asked.replace("j_", edge);
        let more = self.pick(&["", "", " and t_.column < 3"]);
        match self.below(6) {
            0 => {
                let edge = format!("Join({from}, t_)");
                format!(
                    "{{ t_ in {near}({from}) where some {edge} and {}{more} }}",
                    of_edge(&edge)
                )
            }
            1 => {
                let edge = format!("Join(t_, {from})");
                format!(
                    "{{ t_ in Cell where some {edge} and {}{more} }}",
                    of_edge(&edge)
                )
            }
            2 => format!(
                "{{ t_ in {near}({from}) where some {{ j_ in Join where {asked} and t_ in {{ j_.one, j_.other }} and (j_.one == {from} or j_.other == {from}) }}{more} }}"
            ),
            3 => format!(
                "({{ j_.one for j_ in Join where {asked} and j_.other == {from} }} + {{ j_.other for j_ in Join where {asked} and j_.one == {from} }})"
            ),
            4 => format!(
                "{{ j_.other for j_ in Join where {asked} and {from} in {{ j_.one, j_.other }} }}"
            ),
            _ => format!(
                "{{ (if j_.one == {from} then j_.other else j_.one) for j_ in Join where {asked} and (j_.one == {from} or j_.other == {from}) }}"
            ),
        }
    }
}

//! Questions about what is seen along lines, as pieces see it.

use super::{Kind, Writer};

impl Writer {
    /// A truth about what is seen from some cells, and from where a cell is seen.
    pub(super) fn sighted(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let [q, p] = [(); 2].map(|()| self.small_word() + "_");
        let seen = self.seen_from(&q, d);
        let (first, asked) = (self.of_cell(&q, d.min(1)), self.of_cell(&p, d.min(1)));
        let goal = self.one(Kind::Cell, d.min(1));
        if self.zones && !self.constant && self.once_in(3) {
            // What a piece sees hangs on what lies around, or on nothing but where it stands.
            let [one, other] = match self.once_in(2) {
                true => [(); 2].map(|()| self.seen_from(&q, d.min(1))),
                false => [(); 2].map(|()| match self.below(3) {
                    0 => format!("{{ step({q}, n), step({q}, se) }}"),
                    _ => format!("{}({q})", self.pick(&["orthogonal", "diagonal", "around"])),
                }),
            };
            let value = 1 + self.below(self.values);
            return format!(
                "(some {{ {p} in {{ {goal} }} where some {{ {q} in Cell where filled lying[{q}] and {p} in (if lying[{q}].value == {value} then {one} else {other}) }} }})"
            );
        }
        if self.once_in(4) {
            return self.led(&q, &p, d);
        }
        match self.below(5) {
            0 => {
                let from = self.one(Kind::Cell, d.min(1));
                format!("(some {{ {q} in {{ {from} }} where count {seen} {op} {few} }})")
            }
            1 => {
                let way = self.one(Kind::Way, 0);
                let goal = self.pick(&[goal.clone(), format!("step({goal}, {way})")]);
                let tried = match self.once_in(2) {
                    true => self.tried_out(&first).map(|it| format!(" and not {it}")),
                    false => None,
                };
                let tried = tried.unwrap_or_default();
                format!("(some {{ {q} in Cell where {first} and {goal} in {seen}{tried} }})")
            }
            2 => {
                format!("(count {{ {p} for {q} in Cell where {first}, {p} in {seen} }} {op} {few})")
            }
            3 => format!(
                "(count {{ {p} in Cell where {asked} and no {{ {q} in Cell where {first} and {p} in {seen} }} }} {op} {few})"
            ),
            _ => format!(
                "(some {{ {p} in {{ {goal} }} where {asked} and some {{ {q} in Cell where {first} and {p} in {seen} }} }})"
            ),
        }
    }

    /// A truth about where something leads from a cell, of which more is asked than where it leads.
    fn led(&mut self, q: &str, p: &str, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let goals = match self.once_in(3) {
            true => self.targets(q, d.min(1)),
            false => self.seen_from(q, d),
        };
        let first = match self.zones && !self.constant && self.once_in(2) {
            true => format!("filled lying[{q}]"),
            false => self.of_cell(q, d.min(1)),
        };
        let goal = self.far_off(p);
        let more = match self.below(3) {
            0 => format!(" and {}", self.of_cell(p, d.min(1))),
            _ => String::new(),
        };
        match self.below(3) {
            0 => format!("(some {{ {q} in Cell, {p} in {goals} where {first} and {goal}{more} }})"),
            1 => format!(
                "(some {{ {q} in {{ {q} in Cell where {first} }}, {p} in {goals} where {goal}{more} }})"
            ),
            _ => format!(
                "(count {{ {p} for {q} in Cell where {first}, {p} in {goals} where {goal}{more} }} {op} {few})"
            ),
        }
    }

    /// What is asked of a cell by where it lies.
    pub(super) fn far_off(&mut self, p: &str) -> String {
        let axis = self.pick(&["row", "column"]);
        let op = self.pick(&["==", "!=", ">"]);
        format!("{p}.{axis} {op} {}", 1 + self.below(3))
    }

    /// What is seen from a cell, as what lies there may see.
    pub(super) fn seen_from(&mut self, q: &str, d: usize) -> String {
        let (one, other) = (self.rays(q, d), self.rays(q, d));
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let cond = self.of_cell(q, d.min(1));
        match self.below(5) {
            0 => format!("({one} + {other})"),
            1 => format!("(if {cond} then {one} else {near}({q}))"),
            2 if self.zones && !self.constant => {
                let value = 1 + self.below(self.values);
                format!(
                    "(if filled lying[{q}] then (if lying[{q}].value == {value} then {one} else {near}({q})) else {{ {q} }})"
                )
            }
            _ => one,
        }
    }

    /// Whether all cells are so that lie on the way from a cell in a direction, up to so many steps or one less.
    fn all_before(&mut self, [q, w, n]: [&str; 3], d: usize) -> String {
        let k = self.small_word() + "_";
        let cond = self.of_cell(&format!("step({q}, {w}, {k})"), d.min(1));
        let (first, less) = (self.below(5).min(1), self.pick(&["", " - 1", " - 1"]));
        match self.below(3) {
            0 => format!("no {{ {k} in {first}..{n}{less} where {cond} }}"),
            _ => format!("every {{ {cond} for {k} in {first}..{n}{less} }}"),
        }
    }

    /// A truth about how far it is, by a number of steps that goes on as long as something is so.
    pub(super) fn far(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let [q, n, w] = [(); 3].map(|()| self.small_word() + "_");
        let most = self.columns.max(self.rows) + self.below(2);
        let before = self.all_before([&q, &w, &n], d);
        let from = self.one(Kind::Cell, d.min(1));
        let ways = self.pick(&["Direction", "straight", "{ n, se }"]);
        let end = self.of_cell(&format!("step({q}, {w}, {n})"), d.min(1));
        let here = self.of_cell(&q, d.min(1));
        let is_there = format!("some step({q}, {w}, {n})");
        let first = self.below(3);
        let asked = match self.below(4) {
            0 => format!("{before} and {is_there}"),
            1 => format!("{is_there} and {before}"),
            _ => before.clone(),
        };
        match self.below(6) {
            4 => format!(
                "(count {{ step({q}, {w}, u_) for {q} in {{ {from} }}, {w} in {ways}, {n} in {first}..{most}, u_ in 1..{n} - 1 where {end} and {asked} }} {op} {few})"
            ),
            5 => format!(
                "(count {{ {q} in Cell where some {{ {w} in (if {here} then {{ n, e }} else {{}}), {n} in 1..3 where {w} in {ways} and {before} }} }} {op} {few})"
            ),
            0 => format!(
                "(some {{ {q} in {{ {from} }}, {w} in {ways} where (max {{ {n} in {first}..{most} where {asked} }} default {few}) {op} {few} }})"
            ),
            1 => format!(
                "((sum {{ count {{ {n} in {first}..{most} where {asked} }} for {q} in {{ {from} }}, {w} in {ways} }}) {op} {few})"
            ),
            2 => format!(
                "(count {{ {q} in Cell where some {{ {w} in {ways}, {n} in 1..{most} where {end} and {asked} }} }} {op} {few})"
            ),
            _ => format!(
                "(some {{ {q} in {{ {from} }}, {w} in {ways}, {n} in 1..{most} where {is_there} and {before} and {end} }})"
            ),
        }
    }

    /// A truth about what lies behind a neighbour, as men jump.
    pub(super) fn jumped(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let [a, t, b, w] = ["a_", "t_", "b_", "w_"];
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let ways = self.pick(&["Direction", "straight", "oblique", "{ n, se }"]);
        let from = self.of_cell(a, d.min(1));
        let over = self.of_cell(t, d.min(1));
        let free = self.of_cell(b, d.min(1));
        let next = self.of_cell(&format!("step({a}, {w})"), d.min(1));
        let behind = format!("{{ step({t}, {w}) for {w} in {ways} where step({a}, {w}) == {t} }}");
        let far = self.pick(&["step(a_, w_, 2)", "step(step(a_, w_), w_)", "step(a_, w_)"]);
        match self.below(7) {
            5 => {
                let x = "x_";
                let on = self.of_cell(x, d.min(1));
                let walk = format!("walk {w} from {a} while {x}: {on}");
                format!(
                    "(some {{ {a} in Cell, {b} in Cell where {from} and {free} and some {{ {w} in {ways} where {b} in {walk} and {next} }} }})"
                )
            }
            0 => format!(
                "(count {{ {b} for {a} in Cell, {t} in {near}({a}), {b} in {behind} where {from} and {over} and {free} }} {op} {few})"
            ),
            1 => format!(
                "(some {{ {a} in Cell where count {{ {b} for {t} in {near}({a}), {b} in {behind} where {over} and {free} }} {op} {few} }})"
            ),
            2 => format!(
                "(some {{ {a} in Cell, {b} in Cell where {from} and {free} and some {{ {w} in {ways} where {far} == {b} and {next} }} }})"
            ),
            3 => format!(
                "(some {{ {a} in Cell, {b} in Cell where {from} and some {{ {t} in {near}({a}) where {over} and {b} in {behind} }} }})"
            ),
            4 => format!(
                "(count {{ {a} in Cell where {from} and every {{ {over} or {free} for {t} in {near}({a}), {b} in {near}({t}) }} }} {op} {few})"
            ),
            _ => {
                let [i, j] = ["i_", "j_"];
                let place =
                    self.of_cell(&format!("Cell({a}.column + {i}, {a}.row + {j})"), d.min(1));
                format!(
                    "(some {{ {a} in Cell, {b} in {{ Cell({a}.column + 2 * {i}, {a}.row - {j}) for {i} in -1..1, {j} in 0..1 where {place} }} where {from} and {free} }})"
                )
            }
        }
    }

    /// Lines from a cell: with or without the cell at which each of them ends.
    fn rays(&mut self, q: &str, d: usize) -> String {
        if self.once_in(3) {
            let [n, w] = [(); 2].map(|()| self.small_word() + "_");
            let before = self.all_before([q, &w, &n], d);
            let ways = self.pick(&["Direction", "straight", "{ n, se }"]);
            let most = self.columns.max(self.rows);
            let is_there = self.pick(&[
                "",
                "some step(Q, W, N) and ",
                "filled lying[step(Q, W, N)] and ",
            ]);
            let is_there = match self.zones && !self.constant {
                true => is_there.replace('Q', q).replace('W', &w).replace('N', &n),
                false => String::new(),
            };
            return format!(
                "{{ step({q}, {w}, {n}) for {w} in {ways}, {n} in 1..{most} where {is_there}{before} }}"
            );
        }
        let [x, t, w] = [(); 3].map(|()| self.small_word() + "_");
        let back = format!("step({x}, opposite({w}))");
        let cond = match self.below(3) {
            0 => self.of_cell(&x, d.min(1)),
            1 => format!("{back} == {q} or {}", self.of_cell(&back, d.min(1))),
            _ => format!("{q} == {back} or {}", self.of_cell(&back, d.min(1))),
        };
        let ways = match self.below(4) {
            0 => format!(
                "(if {} then straight else oblique)",
                self.of_cell(q, d.min(1))
            ),
            _ => self
                .pick(&["Direction", "straight", "oblique", "{ n, se }"])
                .to_owned(),
        };
        let mut guards = Vec::new();
        if self.once_in(4) {
            guards.push(format!("({w} in straight or {w} == se)"));
        }
        if self.once_in(4) {
            guards.push(self.of_cell(q, d.min(1)));
        }
        if self.once_in(4) {
            guards.push(self.of_cell(&t, d.min(1)));
        }
        let guard = match guards.is_empty() {
            true => String::new(),
            false => format!(" where {}", guards.join(" and ")),
        };
        format!("{{ {t} for {w} in {ways}, {t} in walk {w} from {q} while {x}: {cond}{guard} }}")
    }
}

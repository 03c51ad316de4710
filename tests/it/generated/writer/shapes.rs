//! Questions as people put them, of which lowering knows another wording.

use super::{Heap, Kind, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn shaped(&mut self, d: usize) -> String {
        if self.once_in(4) {
            return self.compared(d);
        }
        if !self.constant && self.zones && self.once_in(6) {
            return match self.once_in(3) {
                true => self.lies_so(d),
                false => self.lies(d),
            };
        }
        if !self.constant && self.zones && !self.shape.secrets && self.once_in(10) {
            return self.weighed(d);
        }
        if self.once_in(10) {
            return self.alone(d);
        }
        if self.once_in(6) {
            return self.flooded(d);
        }
        if self.once_in(6) {
            return self.narrowed(d);
        }
        if self.once_in(9) {
            return self.cased(d);
        }
        if self.once_in(7) {
            return self.told(d);
        }
        if self.once_in(8) {
            return self.of_values(d);
        }
        if self.once_in(8) {
            return self.sighted(d);
        }
        if self.once_in(6) {
            return self.of_several(d);
        }
        if self.once_in(6) {
            return self.related(d);
        }
        if self.once_in(6) {
            return self.joined(d);
        }
        if self.once_in(8) {
            return self.crossed(d);
        }
        if self.once_in(7) {
            return self.ended(d);
        }
        if self.once_in(8) {
            return self.in_rows(d);
        }
        if self.once_in(7) {
            return self.worth(d);
        }
        if self.once_in(7) {
            return match self.once_in(2) {
                true => self.far(d),
                false => self.jumped(d),
            };
        }
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let (a, b) = (self.small_word(), self.small_word());
        match self.below(if self.constant { 6 } else { 15 }) {
            0 => {
                let (binders, n) = self.binders(d);
                self.unbind(n);
                match self.below(3) {
                    0 => format!("({few} {op} count {{ {binders} }})"),
                    _ => format!("(count {{ {binders} }} {op} {few})"),
                }
            }
            1 => {
                let (binders, n) = self.binders(d);
                let (cond, of) = (self.truth(d), self.number(d));
                self.unbind(n);
                let value = match self.below(3) {
                    0 => format!("if {cond} then 0 else 1"),
                    1 => format!("if {cond} then {of} else 0"),
                    _ => format!("if {cond} then 1 else 0"),
                };
                format!("((sum {{ {value} for {binders} }}) {op} {few})")
            }
            2 => {
                let (outer, n) = self.binders(d);
                let (inner, m) = self.binders(d);
                self.unbind(n + m);
                format!("((sum {{ count {{ {inner} }} for {outer} }}) {op} {few})")
            }
            3 => {
                let kind = self.set_kind();
                let (binder, n) = self.binder(kind, d);
                self.unbind(n);
                let (inner, m) = self.binder(kind, d);
                let by = self.number(d);
                self.unbind(m);
                let var = self.variable(kind);
                self.unbind(1);
                let most = self.pick(&["most", "least"]);
                let of = self.kind_name(kind);
                let whole = format!("{var} in ({most} {{ {inner} by {by} }})");
                match self.below(2) {
                    0 => format!("(some {{ {var} in {of} where {whole} }})"),
                    _ => {
                        format!("(count {{ {binder} }} == count {{ {var} in {of} where {whole} }})")
                    }
                }
            }
            4 => {
                let (columns, rows) = (self.columns, self.rows);
                if self.once_in(2) {
                    return self.by_coordinates(&a, &b, d);
                }
                let cond = self.of_cell(&format!("Cell({a}_, {b}_)"), d);
                let word = self.pick(&["count", "some", "no"]);
                let asked =
                    format!("{word} {{ {a}_ in 1..{columns}, {b}_ in 1..{rows} where {cond} }}");
                match word {
                    "count" => format!("({asked} {op} {few})"),
                    _ => format!("({asked})"),
                }
            }
            5 => {
                let near = self.pick(&["orthogonal", "diagonal", "around"]);
                let (one, other) = (
                    self.of_cell(&format!("{a}_"), d),
                    self.of_cell(&format!("{b}_"), d),
                );
                match self.below(3) {
                    0 => format!(
                        "(some {{ {a}_ in Cell where {one} and some {{ {b}_ in {near}({a}_) where {other} }} }})"
                    ),
                    1 => format!(
                        "(count {{ {a}_ for {b}_ in Cell, {a}_ in {near}({b}_) where {one} and {other} }} {op} {few})"
                    ),
                    _ => format!(
                        "(every {{ no {{ {b}_ in {near}({a}_) where {other} }} for {a}_ in Cell where {one} }})"
                    ),
                }
            }
            6 => {
                let (way, from) = (self.one(Kind::Way, d), self.one(Kind::Cell, d));
                let cond = self.of_cell(&format!("{a}_"), d);
                format!(
                    "(some {{ {b}_ in {{ {from} }} where count (walk {way} from {b}_ while {a}_: {cond}) {op} {few} }})"
                )
            }
            7 => {
                let (goal, cond) = (self.one(Kind::Cell, d), self.of_cell(&format!("{a}_"), d));
                let (way, c) = (self.one(Kind::Way, d), self.small_word());
                let ways = self.pick(&["Direction", "straight", "oblique"]);
                match self.below(2) {
                    0 => format!(
                        "(some {{ {b}_ in Cell where {goal} in (walk {way} from {b}_ while {a}_: {cond}) }})"
                    ),
                    _ => format!(
                        "(some {{ {c}_ in {{ {goal} }}, {b}_ in Cell where some {{ d_ in {ways} where {c}_ in (walk d_ from {b}_ while {a}_: {cond}) }} }})"
                    ),
                }
            }
            8 => {
                let (columns, cond) = (
                    self.columns + self.rows,
                    self.of_cell(&format!("step({a}_, d_, k_)"), d),
                );
                let from = self.one(Kind::Cell, d);
                format!(
                    "(some {{ {a}_ in {{ {from} }} where count {{ step({a}_, d_, n_) for d_ in straight, n_ in 1..{columns} where every {{ {cond} for k_ in 1..n_ }} }} {op} {few} }})"
                )
            }
            14 => {
                let same = self.asked_once(d);
                let (binders, n) = self.binders(d);
                let (own, of) = (self.truth(d), self.number(d.min(1)));
                // In another position, where something of the loop may happen, it may be something else.
                let other = self.tried_out(&same).unwrap_or_else(|| same.clone());
                self.unbind(n);
                match self.below(4) {
                    0 => format!("(every {{ {own} or {same} == {other} for {binders} }})"),
                    1 => format!("(some {{ {other} and {own} and {same} for {binders} }})"),
                    2 => format!(
                        "((sum {{ if {own} then (if {same} then {of} else 1) else (if {same} then 2 else if {other} then 1 else 0) for {binders} }}) {op} {few})"
                    ),
                    _ => format!(
                        "((count {{ {binders} }}) {op} {few} and no {{ {own} and {same} and not {same} for {binders} }})"
                    ),
                }
            }
            12 => {
                let ways = self.pick(&["Direction", "straight", "oblique"]);
                let cond = self.of_cell(&format!("{a}_"), d);
                let run = format!("count (walk d_ from {b}_ while {a}_: {cond})");
                let far = match self.below(3) {
                    0 => format!("{run} + 1"),
                    1 => format!("1 + {run}"),
                    _ => run,
                };
                let end = match self.below(3) {
                    0 => {
                        let behind = self.of_cell(&format!("step({a}_, d_)"), d);
                        format!(
                            "some {{ {a}_ in (walk d_ from {b}_ while {a}_: {cond}) where {behind} }}"
                        )
                    }
                    1 => {
                        let longest = self.columns + self.rows;
                        let (run, goal) = (
                            self.of_cell(&format!("step({b}_, d_, k_)"), d),
                            self.of_cell(&format!("step({b}_, d_, n_)"), d),
                        );
                        format!(
                            "some {{ n_ in 2..{longest} where {goal} and every {{ {run} for k_ in 1..n_ - 1 }} }}"
                        )
                    }
                    _ => self.of_cell(&format!("step({b}_, d_, {far})"), d),
                };
                match self.below(2) {
                    0 => format!(
                        "(count {{ {b}_ in Cell where some {{ d_ in {ways} where {end} }} }} {op} {few})"
                    ),
                    _ => {
                        let from = self.one(Kind::Cell, d);
                        format!("(some {{ {b}_ in {{ {from} }}, d_ in {ways} where {end} }})")
                    }
                }
            }
            13 => {
                let from = self.set(Kind::Cell, d.min(1));
                let asked = |it: &mut Self, cell: &str| match it.below(2) {
                    0 => String::new(),
                    _ => format!(" where {}", it.of_cell(cell, d.min(1))),
                };
                let one = asked(self, &format!("{a}_"));
                let targets = self.targets(&format!("{a}_"), d.min(1));
                let other = asked(self, &format!("{b}_"));
                let all = format!("{{ {a}_ in {from}{one}, {b}_ in {targets}{other} }}");
                match self.below(3) {
                    0 => format!("(count {all} {op} {few})"),
                    1 => format!(
                        "(some {{ {a}_ in {from} where {} {{ {b}_ in {targets}{other} }} }})",
                        self.pick(&["some", "no"])
                    ),
                    _ => format!("(some {all})"),
                }
            }
            9 if self.zones => {
                let (place, card) = (
                    self.a_place(&[Heap::Bag, Heap::Pile], d),
                    self.one(Kind::Card, d),
                );
                match self.below(3) {
                    0 => format!("(some {{ {a}_ in Colour where count heaps[{a}_] {op} {few} }})"),
                    1 => format!(
                        "(no {{ {a}_ in Colour where {card} in heaps[{a}_] or filled heaps[{a}_] }})"
                    ),
                    _ => format!("(count_of({card}, {place}) {op} {few})"),
                }
            }
            10 => {
                let (one, which) = (
                    self.of_cell(&format!("{a}_"), d),
                    self.of_cell(&format!("{a}_"), d),
                );
                let (then, other) = (
                    self.of_cell(&format!("{a}_"), d),
                    self.of_cell(&format!("{a}_"), d),
                );
                format!(
                    "(count {{ {a}_ in Cell where {one} and (if {which} then {then} else {other}) }} {op} {few})"
                )
            }
            11 => {
                let (from, cond) = (self.one(Kind::Cell, d), self.of_cell(&format!("{a}_"), d));
                let length = |way: &str| format!("count (walk {way} from {b}_ while {a}_: {cond})");
                let (there, back) = (length("d_"), length("opposite(d_)"));
                let long = match self.below(4) {
                    0 => format!("{there} + {back} {op} {few}"),
                    1 => format!("{few} + 1 {op} {back} + 1 + {there}"),
                    _ => format!("1 + {there} + {back} {op} {few} + 1"),
                };
                let ways = self.pick(&["Direction", "straight", "{ n, ne, e, se }", "{ n, s, e }"]);
                let asked = match self.below(4) {
                    0 => format!("no {{ d_ in {ways} where {long} }}"),
                    1 => format!("every {{ {long} for d_ in {ways} }}"),
                    2 => {
                        let way = self.pick(&["n", "se", "sw"]);
                        format!("some {{ d_ in {{ {way} }} where {long} }}")
                    }
                    _ => format!("some {{ d_ in {ways} where {long} }}"),
                };
                format!("(some {{ {b}_ in {{ {from} }} where {asked} }})")
            }
            _ => {
                let (one, hue) = (self.of_cell(&format!("{a}_"), d), self.one(Kind::Colour, d));
                let arms = [(); 2].map(|()| self.of_cell(&format!("{a}_"), d));
                format!(
                    "(some {{ {a}_ in Cell where {one} and (by {hue} {{ hue1 => {}  else => {} }}) }})",
                    arms[0], arms[1]
                )
            }
        }
    }

    /// Where something goes from a cell, as moves have it: the ways hang on what lies there, or what stands in the way.
    pub(super) fn targets(&mut self, from: &str, d: usize) -> String {
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let other = self.pick(&["orthogonal", "diagonal", "around"]);
        let t = self.small_word();
        match self.below(8) {
            0 => format!("{near}({from})"),
            1 => format!("({near}({from}) - {})", self.set(Kind::Cell, d)),
            2 => {
                let op = self.pick(&["+", "-"]);
                format!("({near}({from}) {op} {other}({from}))")
            }
            3 => {
                let cond = self.of_cell(&format!("{t}_"), d);
                format!("{{ {t}_ in {near}({from}) where {cond} }}")
            }
            4 => {
                let cond = self.of_cell(from, d);
                format!("(if {cond} then {near}({from}) else {other}({from}))")
            }
            _ => {
                let (way, steps) = (format!("{t}_"), 1 + self.below(2));
                let ways = match self.below(4) {
                    0 => self.pick(&["Direction", "straight", "oblique"]).to_owned(),
                    1 => format!(
                        "{{ {}, {} }}",
                        self.one(Kind::Way, d),
                        self.one(Kind::Way, d)
                    ),
                    _ => {
                        let cond = self.of_cell(from, d);
                        let ways = self.pick(&["oblique", "{ n, se }", "{ w }"]);
                        format!("(if {cond} then straight else {ways})")
                    }
                };
                let goal = format!("step({from}, {way}, {steps})");
                let mut conds = vec![format!("some {goal}")];
                for steps in 1..=steps {
                    if self.once_in(2) {
                        let cell = format!("step({from}, {way}, {steps})");
                        conds.push(self.of_cell(&cell, d));
                    }
                }
                format!(
                    "{{ {goal} for {way} in {ways} where {} }}",
                    conds.join(" and ")
                )
            }
        }
    }

    /// A truth that is the same for all elements of what is written next, and takes some work.
    pub(super) fn asked_once(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (binders, n) = self.binders(d);
        let of = self.number(d);
        self.unbind(n);
        let asked = format!("((sum {{ {of} for {binders} }}) {op} {})", self.below(4));
        if self.once_in(3) {
            return self.tried_out(&asked).unwrap_or(asked);
        }
        asked
    }

    pub(super) fn small_word(&mut self) -> String {
        self.name("v")
    }

    /// A truth about places by their coordinates.
    fn by_coordinates(&mut self, a: &str, b: &str, d: usize) -> String {
        let (columns, rows) = (self.columns, self.rows);
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (few, most) = (self.below(4), 1 + self.below(3));
        let word = self.pick(&["count", "some", "no"]);
        let (from, to) = (1 + self.below(2), columns - self.below(2));
        if self.once_in(5) {
            let (column, row) = (self.number(1), self.number(1));
            let (one, other) = (format!("Cell(k_, {row})"), format!("Cell({column}, k_)"));
            let one = self.of_cell(&one, 1);
            let other = self.of_cell(&other, 1);
            return match self.below(3) {
                0 => format!("(every {{ {one} and {other} for k_ in 1..{columns} }})"),
                1 => format!("(no {{ k_ in 1..{columns} where {one} or {other} }})"),
                _ => format!("(some {{ k_ in 1..{columns} where {one} }})"),
            };
        }
        let place = match self.below(4) {
            0 => format!("Cell({a}_ + k_, {b}_)"),
            1 => format!("Cell({a}_, {b}_ - k_)"),
            2 => format!("Cell({a}_ + k_, {b}_ + k_)"),
            _ => format!("Cell({a}_ + k_ * i_, {b}_ - k_ * j_)"),
        };
        let cond = self.of_cell(&place, d.min(1));
        let all = self.pick(&["every", "every", "some"]);
        let asked = match all {
            "every" => format!("every {{ {cond} for k_ in 0..{most} }}"),
            _ => format!("some {{ k_ in 0..{most} where {cond} }}"),
        };
        let own = self.of_cell(&format!("Cell({a}_, {b}_)"), d.min(1));
        let asked = match self.below(3) {
            0 => format!("{own} and {asked}"),
            1 => format!("({asked} or {own})"),
            _ => asked,
        };
        let ways = match place.contains("i_") {
            true => ", i_ in 0..1, j_ in -1..1",
            false => "",
        };
        let guard = self.pick(&["", "i_ + j_ > 0 and ", "(i_ > 0 or j_ != 0) and "]);
        let guard = if ways.is_empty() { "" } else { guard };
        let cells = format!("{a}_ in {from}..{to}, {b}_ in 1..{rows}");
        match self.below(4) {
            0 => format!(
                "((max {{ n_ in 0..{most} where some {{ {a}_ in 1..{columns}, {b}_ in 1..{rows} where {own} and {a}_ > n_ }} }} default {few}) {op} {few})"
            ),
            1 if !ways.is_empty() => {
                format!("(every {{ {asked} or i_ == j_ for {cells}{ways} where {own} }})")
            }
            _ => {
                let whole = format!("{word} {{ {cells}{ways} where {guard}{asked} }}");
                match word {
                    "count" => format!("({whole} {op} {few})"),
                    _ => format!("({whole})"),
                }
            }
        }
    }

    /// What is asked of a cell, which may not be there.
    pub(super) fn of_cell(&mut self, cell: &str, d: usize) -> String {
        if self.constant || !self.zones {
            let number = self.number(d.min(1));
            return format!("(({cell} default Cell(1, 1)) == Cell(1, 1) or {number} > 1)");
        }
        match self.below(8) {
            0 => format!("filled lying[{cell}]"),
            1 => format!("empty lying[{cell}]"),
            2 => format!("lying[{cell}] == {}", self.one(Kind::Card, d.min(1))),
            3 => {
                let asked = match self.full && self.once_in(3) {
                    true => String::new(),
                    false => format!("filled lying[{cell}] and "),
                };
                let value = 1 + self.below(self.values);
                format!("({asked}lying[{cell}].value == {value})")
            }
            4 => {
                let cells: Vec<_> = self
                    .tracks
                    .iter()
                    .filter(|it| it.index == [Kind::Cell] && !it.hidden)
                    .cloned()
                    .collect();
                match cells.first() {
                    Some(track) => match track.ty {
                        super::Ty::One(Kind::Truth) => format!("{}[{cell}]", track.name),
                        _ => {
                            let value = self.value(track.ty, 1);
                            format!("({}[{cell}] == {value})", track.name)
                        }
                    },
                    None => "true".into(),
                }
            }
            5 => {
                let (way, steps) = (self.literal(Kind::Way), 1 + self.below(2));
                format!("filled lying[step({cell}, {way}, {steps})]")
            }
            6 => format!("(not (empty lying[{cell}]))"),
            _ => format!("lying[{cell}] != {}", self.one(Kind::Card, d.min(1))),
        }
    }
}

//! Actions whose variables are told apart, asked of each other, or coordinates of a place.

use super::{Kind, Named, Ty, Writer};

/// Stands for a place in what is asked of it.
const HERE: &str = "HERE";

impl Writer {
    /// An action of several variables, what is asked of which hangs together.
    pub(super) fn listed_action(&mut self) {
        let name = self.name("act");
        self.locals.push(Named::new("me", Ty::One(Kind::Seat)));
        let (heads, names, kinds, asked) = match self.below(5) {
            0 => self.as_coordinates(),
            1 => self.told_apart(),
            2 => self.of_parts(),
            3 => self.asked_of_both(),
            _ => self.asked_of_former(),
        };
        let holes: String = names.iter().map(|it| format!(" {{{it}}}")).collect();
        let requires: String = (0..)
            .zip(&asked)
            .map(|(at, cond)| format!("require r{at}: {cond} else \"no\"  "))
            .collect();
        let body = self.block(1, 1);
        self.locals.clear();
        self.line(&format!(
            "action {name}({}) \"{name}{holes}\" {{ {requires}do {{ {body} }} }}",
            heads.join(", ")
        ));
        self.actions.push(Named {
            index: kinds,
            literal: Some(names.join(" ")),
            ..Named::new(name, Ty::One(Kind::Truth))
        });
    }

    /// Two numbers that are asked as the place of which they are the coordinates.
    fn as_coordinates(&mut self) -> (Vec<String>, Vec<String>, Vec<Kind>, Vec<String>) {
        let [x, y] = [self.variable(Kind::Number), self.variable(Kind::Number)];
        let (columns, rows) = (self.columns, self.rows);
        let here = match self.once_in(3) {
            true => format!("Cell({y}, {x})"),
            false => format!("Cell({x}, {y})"),
        };
        let turned = here.starts_with(&format!("Cell({y}"));
        let (first, last) = if turned {
            (rows, columns)
        } else {
            (columns, rows)
        };
        let mut asked: Vec<String> = (0..1 + self.below(2))
            .map(|_| self.of_cell(HERE, 1).replace(HERE, &here))
            .collect();
        if self.once_in(3) {
            asked.push(self.truth(1));
        }
        let over = match self.below(4) {
            0 => {
                let cond = self.of_cell(HERE, 1).replace(HERE, &here);
                format!("{{ {y} in 1..{last} where {cond} }}")
            }
            1 => format!("1..{}", (last - self.below(2)).max(1)),
            _ => format!("1..{last}"),
        };
        let asked = asked.iter().map(|it| self.named(it)).collect();
        let heads = [format!("{x} in 1..{first}"), format!("{y} in {over}")];
        let heads = heads.iter().map(|it| self.named(it)).collect();
        (heads, vec![x, y], vec![Kind::Number; 2], asked)
    }

    /// A variable of few values, and what is asked of another by its value.
    fn told_apart(&mut self) -> (Vec<String>, Vec<String>, Vec<Kind>, Vec<String>) {
        let kind = self.pick(&[Kind::Colour, Kind::Day, Kind::Seat]);
        let set = self.set(Kind::Cell, 1);
        let value = self.one(kind, 0);
        let a = self.variable(kind);
        let over = match self.once_in(4) {
            true => format!(
                "{{ t_ in {set} where {a} == {value} or {} }}",
                self.truth(1)
            ),
            false => set,
        };
        let q = self.variable(Kind::Cell);
        let mut asked = Vec::new();
        for _ in 0..1 + self.below(2) {
            let (one, other) = (self.truth(1), self.truth(1));
            let is = match self.once_in(3) {
                true => format!("{a} != {value}"),
                false => format!("{a} == {value}"),
            };
            asked.push(match self.below(3) {
                0 => format!("(if {is} then {one} else {other})"),
                1 => format!("(({is}) == ({one}))"),
                _ => format!("(({is}) and {one} or {other})"),
            });
        }
        let asked = asked.iter().map(|it| self.named(it)).collect();
        let heads = [
            format!("{a}: {}", self.kind_name(kind)),
            format!("{q} in {over}"),
        ];
        let heads = heads.iter().map(|it| self.named(it)).collect();
        (heads, vec![a, q], vec![kind, Kind::Cell], asked)
    }

    /// Two sets of targets together, and one of them if something holds.
    fn of_parts(&mut self) -> (Vec<String>, Vec<String>, Vec<Kind>, Vec<String>) {
        let from = self.set(Kind::Cell, 1);
        let must = self.truth(1);
        let p = self.variable(Kind::Cell);
        let [one, other] = [self.targets(&p, 1), self.targets(&p, 1)];
        let q = self.variable(Kind::Cell);
        let (over, cond) = match self.below(4) {
            0 => (format!("if {must} then {one} else {other}"), None),
            1 => (
                format!("{one} + {other}"),
                Some(format!("{q} in {other} or {must}")),
            ),
            2 => (format!("{one} + {other}"), Some(format!("{q} in {one}"))),
            _ => {
                let cond = format!("if {must} then {q} in {other} else true");
                (format!("{one} + {other}"), Some(cond))
            }
        };
        let asked = cond.iter().map(|it| self.named(it)).collect();
        let heads = [format!("{p} in {from}"), format!("{q} in {over}")];
        let heads = heads.iter().map(|it| self.named(it)).collect();
        (heads, vec![p, q], vec![Kind::Cell; 2], asked)
    }

    /// Targets of which something is asked, or which are among others.
    fn asked_of_both(&mut self) -> (Vec<String>, Vec<String>, Vec<Kind>, Vec<String>) {
        let from = self.set(Kind::Cell, 1);
        let p = self.variable(Kind::Cell);
        let [all, some] = [self.targets(&p, 1), self.targets(&p, 1)];
        let near = self.pick(&["orthogonal", "diagonal", "around"]);
        let some = match self.once_in(3) {
            true => some,
            false => format!("{near}({p})"),
        };
        let former = self.of_cell(&p, 1);
        let q = self.variable(Kind::Cell);
        let [one, other] = [self.of_cell(&q, 1), self.of_cell(&q, 1)];
        let cond = match self.below(6) {
            0 => format!("if {q} in {some} then {one} else {other}"),
            1 => format!("not ({q} in {some} and {one})"),
            2 => format!("({q} in {some}) != ({one})"),
            3 => format!("if {former} then {q} in {some} else {one}"),
            _ => format!("({q} in {some} or {one})"),
        };
        let (over, asked) = match self.below(3) {
            0 => (format!("{{ {q} in {all} where {cond} }}"), Vec::new()),
            _ => (all, vec![cond]),
        };
        let asked = asked.iter().map(|it| self.named(it)).collect();
        let heads = [format!("{p} in {from}"), format!("{q} in {over}")];
        let heads = heads.iter().map(|it| self.named(it)).collect();
        (heads, vec![p, q], vec![Kind::Cell; 2], asked)
    }

    /// A set that asks something of the variable before it.
    fn asked_of_former(&mut self) -> (Vec<String>, Vec<String>, Vec<Kind>, Vec<String>) {
        let from = self.set(Kind::Cell, 1);
        let p = self.variable(Kind::Cell);
        let (targets, former) = (self.targets(&p, 1), self.truth(1));
        let q = self.variable(Kind::Cell);
        let own = self.of_cell(&q, 1);
        let over = match self.below(3) {
            0 => format!("{{ {q} in {targets} where {former} and {own} }}"),
            1 => format!("{{ {q} in {targets} where {own} and {former} }}"),
            _ => format!("if {former} then {targets} else {{}}"),
        };
        let asked = match self.once_in(2) {
            true => vec![self.truth(1)],
            false => Vec::new(),
        };
        let asked = asked.iter().map(|it| self.named(it)).collect();
        let heads = [format!("{p} in {from}"), format!("{q} in {over}")];
        let heads = heads.iter().map(|it| self.named(it)).collect();
        (heads, vec![p, q], vec![Kind::Cell; 2], asked)
    }
}

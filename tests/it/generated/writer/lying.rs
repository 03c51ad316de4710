//! What lies somewhere, asked field by field, kind by kind and as it is.

use super::{Heap, Kind, Writer};

impl Writer {
    /// A truth about what lies at each cell and about the cell itself, as pieces of many kinds go their own ways.
    pub(super) fn lies_so(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let few = self.below(4);
        let (q, value) = ("q_", 1 + self.below(self.values));
        let goal = self.one(Kind::Cell, d.min(1));
        let [one, other] = [(); 2].map(|()| self.pick(&["orthogonal", "diagonal", "around"]));
        let colour = self.literal(Kind::Colour);
        let cond = match self.below(5) {
            0 => format!("lying[{q}].value {op} {q}.column"),
            1 => format!(
                "(if lying[{q}].colour == {colour} then {q}.row > 1 else {q}.column == {q}.row)"
            ),
            2 => format!("(lying[{q}].value == {value} or {q}.column {op} ord(lying[{q}].colour))"),
            _ => format!(
                "{goal} in (if lying[{q}].value == {value} then {one}({q}) else {{ t_ in {other}({q}) where t_.row {op} {q}.row }})"
            ),
        };
        let near = self.of_cell(&format!("step({q}, n)"), d.min(1));
        match self.below(3) {
            0 => format!(
                "(count {{ {q} in Cell where filled lying[{q}] and {cond} and {near} }} {op} {few})"
            ),
            1 => format!(
                "(some {{ {q} in Cell where {near} and filled lying[{q}] and not {cond} }})"
            ),
            _ => format!("(count {{ {q} in Cell where filled lying[{q}] and {cond} }} {op} {few})"),
        }
    }

    /// A truth in one of these wordings.
    pub(super) fn lies(&mut self, d: usize) -> String {
        if self.once_in(2) {
            return self.all_given(d);
        }
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (asked, few) = (self.kind_by_kind(d), self.below(4));
        format!("({asked} {op} {few})")
    }

    /// Values for all fields of a card, the first two as given, and conditions that say the same.
    fn fields(&mut self, card: &str, colour: &str, value: &str, d: usize) -> (String, Vec<String>) {
        let more = match self.bears {
            1 => self.truth(d),
            2 => self.maybe(Kind::Colour, d),
            3 => self.set(Kind::Colour, d),
            _ => String::new(),
        };
        let mut asked = vec![
            format!("{card}.colour == {colour}"),
            format!("{value} == {card}.value"),
        ];
        let plainly = self.once_in(2);
        match self.bears {
            1 if plainly => asked.push(format!("{card}.worn == {more}")),
            1 => asked.push(format!("not {card}.worn")),
            2 => asked.push(format!("{card}.marked == {more}")),
            3 => asked.push(format!("{card}.marks == {more}")),
            _ => {}
        }
        let more = self.borne(&[more.clone(), more.clone(), more]);
        (format!("Card({colour}, {value}{more})"), asked)
    }

    /// Whether what lies somewhere is a certain card, field by field.
    fn all_given(&mut self, d: usize) -> String {
        let a = format!("{}_", self.small_word());
        let pile = self.a_place(&[Heap::Pile], d.min(1));
        let on_top = format!("top({pile})");
        let place = match self.below(5) {
            0 => "spare".to_owned(),
            1 => on_top.clone(),
            2 => format!("lying[step({a}, {})]", self.literal(Kind::Way)),
            _ => format!("lying[{a}]"),
        };
        let (colour, value) = (self.one(Kind::Colour, d), 1 + self.below(self.values));
        let (_, mut asked) = self.fields(&place, &colour, &value.to_string(), d.min(1));
        let first = self.below(asked.len());
        asked.swap(0, first);
        if self.once_in(3) {
            let at = self.below(asked.len());
            asked.insert(at, self.of_cell(&a, d));
        }
        let there = match self.below(3) {
            0 => format!("some {place}"),
            1 => format!("{place} != none"),
            _ if place == on_top => format!("filled {pile}"),
            _ => format!("filled {place}"),
        };
        asked.insert(0, there);
        let cond = match self.below(3) {
            0 => {
                let parts: Vec<String> = asked.iter().map(|it| format!("not ({it})")).collect();
                parts.join(" or ")
            }
            1 => format!("not ({})", asked.join(" and ")),
            _ => asked.join(" and "),
        };
        let cell = self.one(Kind::Cell, d);
        match self.below(3) {
            0 => format!("(some {{ {a} in {{ {cell} }} where {cond} }})"),
            1 => format!("(every {{ {cond} for {a} in Cell }})"),
            _ => format!("(count {{ {a} in Cell where {cond} }} > {})", self.below(4)),
        }
    }

    /// A number of cards that lie together, asked field by field or kind by kind.
    fn kind_by_kind(&mut self, d: usize) -> String {
        let place = self.a_place(&[Heap::Bag, Heap::Pile], d);
        let a = format!("{}_", self.small_word());
        let b = format!("{}_", self.small_word());
        if self.once_in(4) {
            let cond = self.truth(d.min(1));
            let held = self.pick(&["> 0", "== 0", ">= 2"]);
            return format!(
                "count {{ {a} in Card where count_of({a}, {place}) {held} and {cond} }}"
            );
        }
        if self.once_in(2) {
            let (colour, value) = (self.one(Kind::Colour, d), 1 + self.below(self.values));
            let (_, mut asked) = self.fields(&a, &colour, &value.to_string(), d.min(1));
            let first = self.below(asked.len());
            asked.swap(0, first);
            if self.once_in(4) {
                asked.push(self.truth(d.min(1)));
            }
            let asked = asked.join(" and ");
            return match self.below(4) {
                0 => format!("(if some {{ {a} in {place} where {asked} }} then 1 else 2)"),
                1 => format!("(if no {{ {a} in {place} where {asked} }} then 1 else 2)"),
                2 => format!("sum {{ {a}.value + 1 for {a} in {place} where {asked} }}"),
                _ => format!("count {{ {a} in {place} where {asked} }}"),
            };
        }
        let values = self.values;
        let (colour, value) = match self.below(3) {
            0 => (self.one(Kind::Colour, d), b.clone()),
            1 => (a.clone(), (1 + self.below(values)).to_string()),
            _ => (a.clone(), b.clone()),
        };
        let (card, _) = self.fields("", &colour, &value, d.min(1));
        let copies = match self.below(3) {
            0 => {
                let c = format!("{}_", self.small_word());
                let mut asked = vec![format!("{c}.colour == {colour}")];
                asked.push(format!("{value} == {c}.value"));
                asked.truncate(1 + self.below(2));
                if self.once_in(3) {
                    asked.insert(0, self.truth(d.min(1)));
                }
                format!("count {{ {c} in {place} where {} }}", asked.join(" and "))
            }
            _ => format!("count_of({card}, {place})"),
        };
        let by = match self.below(4) {
            0 if value == b => format!("{copies} * {b}"),
            1 if colour == a => format!("(ord({a}) - 1) * {copies}"),
            2 => format!("{copies} * {copies}"),
            _ => copies,
        };
        let mut binders = Vec::new();
        if colour == a || self.once_in(4) {
            let hues = match self.below(3) {
                0 => self.set(Kind::Colour, d.min(1)),
                _ => "Colour".to_owned(),
            };
            binders.push(format!("{a} in {hues}"));
        }
        if value == b || self.once_in(4) {
            let least = 1 + self.below(values);
            let numbers = self.pick(&[format!("1..{values}"), format!("{least}..{values}")]);
            binders.push(format!("{b} in {numbers}"));
        }
        if self.once_in(2) {
            binders.reverse();
        }
        if binders.is_empty() {
            binders.push(format!("{b} in 1..{values}"));
        }
        let binders = binders.join(", ");
        match self.below(4) {
            0 => {
                let cond = self.truth(d.min(1));
                format!("sum {{ {by} for {binders} where {cond} }}")
            }
            _ => format!("sum {{ {by} for {binders} }}"),
        }
    }
}

//! Numbers of each element against one another, and what is asked of nothing but one that is counted.

use super::{Kind, Writer};

impl Writer {
    /// A truth in one of these wordings.
    pub(super) fn weighed(&mut self, d: usize) -> String {
        let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (few, more) = (self.below(4), self.below(4));
        match self.below(4) {
            0 | 1 => {
                let kind = self.pick(&[Kind::Colour, Kind::Cell]);
                let var = self.variable(kind);
                let [one, two, three] = [(); 3].map(|()| self.number_of(&var, kind, d));
                self.unbind(1);
                let (word, of) = (self.pick(&["some", "no", "count"]), self.kind_name(kind));
                let cond = match self.below(3) {
                    0 => format!("{one} {op} {two}"),
                    1 => format!("{one} + {two} {op} {three} - {few}"),
                    _ => format!("{few} * {one} - {two} {op} {more}"),
                };
                match word {
                    "count" => format!("(count {{ {var} in {of} where {cond} }} > {few})"),
                    _ => format!("({word} {{ {var} in {of} where {cond} }})"),
                }
            }
            2 => {
                let kind = self.set_kind();
                let set = self.set(kind, d);
                let is = self.pick(&["==", "!="]);
                format!("(first({set}) {is} last({set}))")
            }
            _ => {
                let (binders, n) = self.binders(d);
                self.unbind(n);
                let counted = format!("count {{ {binders} }}");
                match self.below(5) {
                    0 => format!("({counted} in {{ {few}, {more}, 2 }})"),
                    1 => format!("(abs({counted} - {few}) {op} {more})"),
                    2 => format!("({counted} == {few} or {counted} == {more})"),
                    3 => format!("(max {{ {counted}, {few} }} {op} min {{ {counted}, {more} }})"),
                    _ => format!("(({counted} + {few}) mod 3 {op} 1)"),
                }
            }
        }
    }

    /// A number that a variable says.
    fn number_of(&mut self, var: &str, kind: Kind, d: usize) -> String {
        let tracks = self.tracks.iter();
        let said = tracks.filter(|it| it.bounds.is_some() && it.index.last() == Some(&kind));
        let said: Vec<(String, usize)> = said.map(|it| (it.name.clone(), it.index.len())).collect();
        match (self.below(5), kind) {
            (0, Kind::Colour) => format!("count heaps[{var}]"),
            (1, Kind::Colour) => {
                let card = self.literal(Kind::Card);
                format!("count_of({card}, heaps[{var}])")
            }
            (2, Kind::Colour) => format!("ord({var})"),
            (2, _) => format!("{var}.column"),
            _ if said.is_empty() => self.number(0),
            (at, _) => {
                let (name, indices) = said[at % said.len()].clone();
                let before = match indices {
                    1 => String::new(),
                    _ => format!("{}, ", self.index(Kind::Number, d.min(1))),
                };
                format!("{name}[{before}{var}]")
            }
        }
    }
}

//! What is tried out with a thing that goes from one place to another: whether something reaches something then.

use super::{Kind, Named, Ty, Writer};

impl Writer {
    /// Places that only one action changes, and that action.
    pub(super) fn carried(&mut self) {
        let copies = self.pick(&["", "2 "]);
        self.line("zone ground[Cell]: one Card open");
        self.line("zone chest: bag of Card open");
        self.line(&format!("supply {copies}every Card in chest"));
        let taken = match self.once_in(4) {
            true => "",
            false => "if filled ground[goal_] { move ground[goal_] to chest }  ",
        };
        self.line(&format!(
            "event carried(at_: Cell, goal_: Cell) {{ {taken}move ground[at_] to ground[goal_] }}"
        ));
        let own = self.kind_there("p_");
        let from = match self.once_in(5) {
            true => "Cell".to_owned(),
            false => format!("{{ p_ in Cell where filled ground[p_] and {own} }}"),
        };
        let goals = self.reaching("p_");
        let free = match self.below(3) {
            0 => goals,
            1 => format!("{{ t_ in {goals} where empty ground[t_] }}"),
            _ => format!("{{ t_ in {goals} where t_ != p_ }}"),
        };
        let asked = self.asks_who_reaches();
        self.line(&format!(
            "action carry(p_ in {from}, q_ in {free}) \"carry {{p_}} {{q_}}\" {{ require safe: not after {{ carried(p_, q_) }} {asked} else \"no\"  do {{ carried(p_, q_) }} }}"
        ));
        for _ in 0..3 {
            self.actions.push(Named {
                index: vec![Kind::Cell; 2],
                literal: Some("p_ q_".to_owned()),
                ..Named::new("carry", Ty::One(Kind::Truth))
            });
        }
        for _ in 0..2 + self.below(5) {
            let (card, cell) = (self.literal(Kind::Card), self.literal(Kind::Cell));
            self.laid.push_str(&format!(
                "if empty ground[{cell}] and {card} in chest {{ move {card} from chest to ground[{cell}] }}  "
            ));
        }
    }

    /// A truth about what lies on the ground.
    fn asks_who_reaches(&mut self) -> String {
        let (one, other) = (self.kind_there("k_"), self.kind_there("e_"));
        let reach = self.reaching("e_");
        match self.below(7) {
            0 => format!(
                "(some {{ k_ in {{ k_ in Cell where {one} }} where some {{ e_ in {{ e_ in Cell where {other} }} where k_ in {reach} }} }})"
            ),
            1 => format!(
                "(some {{ k_ in {{ k_ for e_ in Cell where {other}, k_ in {reach} }} where {one} }})"
            ),
            2 => format!(
                "(no {{ k_ in Cell, e_ in Cell where {one} and {other} and k_ in {reach} }})"
            ),
            3 => format!(
                "(some {{ k_ in Cell where {one} and no {{ e_ in Cell where {other} and k_ in {reach} }} }})"
            ),
            4 => format!(
                "(count {{ k_ in Cell, e_ in Cell where {one} and {other} and k_ in {reach} }} > 1)"
            ),
            _ => format!(
                "(some {{ k_ in Cell, e_ in Cell where {one} and {other} and k_ in {reach} }})"
            ),
        }
    }

    /// A condition on what lies at a cell, if something does.
    fn kind_there(&mut self, cell: &str) -> String {
        let (colour, value) = (1 + self.below(self.colours), 1 + self.below(self.values));
        let op = self.pick(&["==", "==", "!="]);
        match self.below(7) {
            0 => format!("ground[{cell}] == {}", self.literal(Kind::Card)),
            1 => format!("filled ground[{cell}]"),
            2 => format!("(filled ground[{cell}] and ground[{cell}].value {op} {value})"),
            3 if self.once_in(3) => format!("empty ground[{cell}]"),
            4 if self.once_in(3) => {
                format!(
                    "(filled ground[{cell}] and {cell} != {})",
                    self.literal(Kind::Cell)
                )
            }
            _ => format!("(filled ground[{cell}] and ground[{cell}].colour {op} hue{colour})"),
        }
    }

    /// What can be reached from a cell.
    fn reaching(&mut self, cell: &str) -> String {
        let ways = self.pick(&["Direction", "straight", "oblique"]);
        let near = self.pick(&["around", "orthogonal", "diagonal"]);
        match self.below(8) {
            0 => format!("{near}({cell})"),
            1 => format!("{{ x_ in {near}({cell}) where filled ground[x_] }}"),
            2 => format!("{{ x_ in {near}({cell}) where empty ground[x_] }}"),
            3 | 4 => format!(
                "{{ x_ for d_ in {ways}, x_ in walk d_ from {cell} while y_: empty ground[y_] }}"
            ),
            5 => {
                let value = 1 + self.below(self.values);
                format!(
                    "(if filled ground[{cell}] and ground[{cell}].value == {value} then {near}({cell}) else {{ x_ for d_ in {ways}, x_ in walk d_ from {cell} while y_: empty ground[y_] }})"
                )
            }
            _ => format!(
                "{{ x_ for d_ in {ways}, x_ in walk d_ from {cell} while y_: step(y_, opposite(d_)) == {cell} or empty ground[step(y_, opposite(d_))] }}"
            ),
        }
    }
}

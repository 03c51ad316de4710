//! Actions that try out what they lay onto an empty cell.

use super::{Kind, Named, Ty, Writer};

impl Writer {
    /// An action that lays a card, or sets a mark, where what holds then is as asked.
    pub(super) fn laying(&mut self) {
        let name = self.name("lay");
        let marks = self
            .tracks
            .iter()
            .find(|it| it.index == [Kind::Cell] && matches!(it.ty, Ty::Maybe(_)) && !it.hidden);
        let marks = marks.cloned().filter(|_| self.once_in(2));
        let (board, thing, done) = match &marks {
            Some(track) => {
                let Ty::Maybe(kind) = track.ty else { return };
                let thing = self.literal(kind);
                let done = format!("{}[q_] = {thing}", track.name);
                (track.name.clone(), thing, done)
            }
            None => {
                let thing = self.literal(Kind::Card);
                let done = format!("move {thing} from hand[me] to lying[q_]");
                ("lying".to_owned(), thing, done)
            }
        };
        let mut counted = self
            .tracks
            .iter()
            .filter(|it| it.index.is_empty() && !it.hidden);
        let counted = counted
            .find(|it| it.bounds.is_some() && it.literal.is_none())
            .cloned();
        let done = match counted.filter(|_| self.once_in(3)) {
            Some(Named {
                name,
                bounds: Some((least, _)),
                ..
            }) => format!("{name} = {least}  {done}"),
            _ => done,
        };
        let free = match marks {
            Some(_) => format!("{board}[q_] == none"),
            None => "empty lying[q_]".to_owned(),
        };
        let held = match marks.is_none() && !self.once_in(4) {
            true => format!("require held: {thing} in hand[me] else \"not held\"  "),
            false => String::new(),
        };
        let mut asked = self.of_all(&board, &thing, marks.as_ref());
        if self.once_in(4) {
            let (op, other) = (
                self.pick(&["and", "or"]),
                self.of_all(&board, &thing, marks.as_ref()),
            );
            asked = format!("({asked} {op} {other})");
        }
        let not = self.pick(&["not ", "not ", ""]);
        let (over, first) = match self.once_in(3) {
            true => (
                format!("q_ in {{ q_ in Cell where {free} }}"),
                String::new(),
            ),
            false => (
                "q_ in Cell".to_owned(),
                format!("require free: {free} else \"taken\"  "),
            ),
        };
        self.line(&format!(
            "action {name}({over}) \"{name} {{q_}}\" {{ {held}{first}require then_: {not}after {{ {done} }} {asked} else \"no\"  do {{ {done} }} }}"
        ));
        self.actions.push(Named {
            index: vec![Kind::Cell],
            literal: Some("q_".to_owned()),
            ..Named::new(name, Ty::One(Kind::Truth))
        });
    }

    /// A truth about all that lies on a board.
    fn of_all(&mut self, board: &str, thing: &str, marks: Option<&Named>) -> String {
        let other = match marks.map(|it| it.ty) {
            Some(Ty::Maybe(kind)) => self.literal(kind),
            _ => self.literal(Kind::Card),
        };
        let alike = self.once_in(2);
        let mut lies = |at: &str| match self.below(if alike { 1 } else { 6 }) {
            1 if marks.is_none() => format!("filled {board}[{at}]"),
            2 => format!("{board}[{at}] == {other}"),
            3 => format!("{board}[{at}] != {thing}"),
            _ => format!("{board}[{at}] == {thing}"),
        };
        let here = lies("a_");
        let of_step = |it: String, ways: &str| format!("(some {ways} and {it})");
        let (one, two) = (lies("step(a_, d_)"), lies("step(a_, d_, 2)"));
        let (beside, near) = (lies("t_"), lies("t_"));
        let (v, w) = (self.literal(Kind::Way), self.literal(Kind::Way));
        let step = format!("step(step(a_, {v}), {w})");
        let corner = format!("{board}[{step}] == {thing}");
        let ways = self.pick(&["Direction", "straight", "{ n, e }", "{ n, ne, e, se }"]);
        let (op, few) = (self.pick(&[">", ">=", "<", "=="]), self.below(4));
        let around = self.pick(&["orthogonal", "around", "diagonal"]);
        if marks.is_none() && self.once_in(5) {
            let field = self.pick(&[".colour", ".value", ""]);
            let (op, filled) = (
                self.pick(&["==", "!="]),
                self.pick(&["filled lying[a_] and ", ""]),
            );
            return format!(
                "(some {{ a_ in Cell, t_ in {around}(a_) where {filled}filled lying[a_] and filled lying[t_] and lying[a_]{field} {op} lying[t_]{field} }})"
            );
        }
        match self.below(8) {
            0 => format!(
                "(some {{ a_ in Cell where {here} and {board}[step(a_, {v})] == {thing} and {corner} }})"
            ),
            1 | 2 => {
                format!("(some {{ a_ in Cell, d_ in {ways} where {here} and {one} and {two} }})")
            }
            3 => format!(
                "(no {{ a_ in Cell, d_ in {ways} where {here} and {} }})",
                of_step(one, "step(a_, d_)")
            ),
            4 => format!(
                "(no {{ a_ in Cell where {here} and count {{ t_ in {around}(a_) where {beside} }} {op} {few} }})"
            ),
            5 => format!(
                "(every {{ count {{ t_ in {around}(a_) where {beside} }} {op} {few} or {board}[a_] != {thing} for a_ in Cell }})"
            ),
            6 => format!("(some {{ a_ in Cell, t_ in {around}(a_) where {here} and {near} }})"),
            _ => format!(
                "(some in_a_row({}, {{ a_ in Cell where {here} }}))",
                2 + few.min(1)
            ),
        }
    }
}

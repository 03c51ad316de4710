//! What happens.

use super::{Heap, Kind, Named, Ty, Writer};

impl Writer {
    /// A few statements; what they bind ends with them.
    pub(super) fn block(&mut self, many: usize, depth: usize) -> String {
        let (before, tracks) = (self.locals.len(), self.tracks.len());
        let all: Vec<String> = (0..many).map(|_| self.statement(depth)).collect();
        self.locals.truncate(before);
        self.tracks.truncate(tracks);
        all.join("  ")
    }

    fn inner(&mut self, depth: usize) -> String {
        let many = 1 + self.below(2);
        self.block(many, depth - 1)
    }

    pub(super) fn statement(&mut self, depth: usize) -> String {
        let text = if self.in_flow && self.once_in(12) {
            self.living()
        } else if self.in_flow && self.once_in(3) {
            self.decision(depth)
        } else if self.shape.secrets && self.once_in(5) {
            self.secret(depth)
        } else if self.once_in(14) {
            self.telling()
        } else {
            match self.below(if depth == 0 { 11 } else { 20 }) {
                0..=4 => self.assignment(),
                5..=8 => self.moving(),
                9 => self.binding(),
                10 => self.calling(),
                11..=13 => {
                    let cond = self.truth(2);
                    let (then, other) = (self.inner(depth), self.inner(depth));
                    match self.below(2) {
                        0 => format!("if {cond} {{ {then} }}"),
                        _ => format!("if {cond} {{ {then} }} else {{ {other} }}"),
                    }
                }
                14 if self.once_in(3) => {
                    let (then, other) = (self.inner(depth), self.inner(depth));
                    let (subject, at) = (self.number(1), self.below(3));
                    format!(
                        "let n_ = ({subject}) mod 5  by n_ {{ {at} => {{ {then} }} {}..4 => {{ {other} }} else => {{ }} }}",
                        at + 1
                    )
                }
                14 => {
                    let (then, other) = (self.inner(depth), self.inner(depth));
                    let (subject, at) = (self.one(Kind::Colour, 1), 1 + self.below(self.colours));
                    format!("by {subject} {{ hue{at} => {{ {then} }} else => {{ {other} }} }}")
                }
                15 | 16 => self.each(depth),
                17 => {
                    let (times, body) = (self.number(1), self.inner(depth));
                    format!("repeat {times} mod 4 {{ {body} }}")
                }
                18 => self.counted(depth),
                _ => match self.chance() {
                    Some(text) => text,
                    None => self.assignment(),
                },
            }
        };
        self.named(&text)
    }

    /// What happens to secrets.
    fn secret(&mut self, depth: usize) -> String {
        let cards = self.locals.iter().filter(|it| it.ty == Ty::One(Kind::Card));
        let cards: Vec<Named> = cards.cloned().collect();
        let seat = self.somebody();
        match self.below(7) {
            0 | 1 if !cards.is_empty() => {
                let card = self.pick(&cards).name;
                let to = self.somewhere(&[Heap::Bag, Heap::Pile], 0);
                let from = format!("hand[{seat}]");
                match self.once_in(2) && to != "few" {
                    true => format!("move {card} from {from} to {to}"),
                    false => format!(
                        "if count_of({card}, {from}) > 0 and count few < 2 {{ move {card} from {from} to {to} }}"
                    ),
                }
            }
            2 if self.may_be_chance => {
                format!("if filled deck {{ draw deck to hand[{seat}] }}")
            }
            3 => {
                self.in_secret = true;
                let text = self.binding();
                self.in_secret = false;
                text
            }
            4 | 5 if depth > 0 => {
                self.in_secret = true;
                let cond = self.truth(1);
                self.in_secret = false;
                let body = match self.below(3) {
                    0 => self.looking(),
                    _ => self.hiding(),
                };
                match self.below(3) {
                    0 => format!("if {cond} {{ {body} }} else {{ {} }}", self.hiding()),
                    _ => format!("if {cond} {{ {body} }}"),
                }
            }
            6 => self.looking(),
            _ => self.hiding(),
        }
    }

    /// A seat: mostly the one whose turn it is, where there are secrets.
    pub(super) fn somebody(&mut self) -> String {
        let me = self.shape.secrets && self.locals.iter().any(|it| it.name == "me");
        match me && self.below(3) > 0 {
            true => "me".to_owned(),
            false => self.one(Kind::Seat, 1),
        }
    }

    /// Somebody is shown something.
    pub(super) fn looking(&mut self) -> String {
        let place = self.somewhere(&[Heap::Bag, Heap::Pile], 1);
        let seat = self.somebody();
        format!("show {place} to {}", self.pick(&["all".to_owned(), seat]))
    }

    /// Somebody is told something, whether or not that may be known.
    fn telling(&mut self) -> String {
        let words = self.words();
        let (one, other) = (self.somebody(), self.one(Kind::Seat, 0));
        match self.below(4) {
            0 => format!("tell {one} \"{words}\""),
            1 => format!("tell {{ {one}, {other} }} \"{words}\""),
            _ => format!("tell all \"{words}\""),
        }
    }

    /// Words with holes, of what is known and of what is not.
    pub(super) fn words(&mut self) -> String {
        let mut words = self.name("w");
        for _ in 0..self.below(3) {
            let hole = match self.below(3) {
                0 if !self.locals.is_empty() => self.pick(&self.locals.clone()).name,
                0 | 1 => format!("hand[{}]", self.one(Kind::Seat, 0)),
                _ => {
                    let track = self.pick(&self.tracks.clone());
                    let index: Vec<String> =
                        track.index.iter().map(|it| self.index(*it, 0)).collect();
                    match index.is_empty() {
                        true => track.name,
                        false => format!("{}[{}]", track.name, index.join(", ")),
                    }
                }
            };
            words.push_str(&format!(" {{{hole}}}"));
        }
        words
    }

    /// A secret has a new value.
    pub(super) fn hiding(&mut self) -> String {
        let tracks = self.tracks.iter().filter(|it| it.hidden);
        let tracks: Vec<Named> = tracks.cloned().collect();
        if tracks.is_empty() {
            return self.looking();
        }
        let track = self.pick(&tracks);
        self.set_to(&track)
    }

    fn assignment(&mut self) -> String {
        if self.once_in(8) {
            let (cell, day) = (self.one(Kind::Cell, 1), self.one(Kind::Day, 1));
            return match self.below(4) {
                0 => format!("lying[{cell}].turned = {day}"),
                1 => format!("if filled spare {{ spare.high = {} }}", self.truth(1)),
                _ => format!("if filled lying[{cell}] {{ lying[{cell}].turned = {day} }}"),
            };
        }
        let track = self.pick(&self.tracks.clone());
        self.set_to(&track)
    }

    fn set_to(&mut self, track: &Named) -> String {
        let index: Vec<String> = track
            .index
            .iter()
            .map(|kind| self.index(*kind, 1))
            .collect();
        let target = match index.is_empty() {
            true => track.name.clone(),
            false => format!("{}[{}]", track.name, index.join(", ")),
        };
        let around = self.in_secret;
        self.in_secret = track.hidden;
        let mut text = self.assigned(track, &target);
        self.in_secret = around;
        if !text.ends_with('}') && self.once_in(10) {
            text.push_str(&format!(" because \"{}\"", self.words()));
        }
        text
    }

    fn assigned(&mut self, track: &Named, target: &str) -> String {
        match (track.ty, track.bounds) {
            (Ty::One(Kind::Number), Some((lo, hi))) => {
                let value = self.number(2);
                match self.below(12) {
                    0 => format!("{target} = {value}"),
                    1 => format!("{target} += {value} mod 3"),
                    2 => format!("{target} -= {value} mod 3"),
                    3 | 4 => format!("if {target} < {} {{ {target} += 1 }}", self.written(hi)),
                    _ => format!("{target} = {}", self.between(value, lo, hi)),
                }
            }
            (Ty::Set(_), _) => {
                let (op, value) = (self.pick(&["=", "+=", "-="]), self.value(track.ty, 2));
                format!("{target} {op} {value}")
            }
            (Ty::One(Kind::Day), _) if self.once_in(2) => format!("{target} += {}", self.number(1)),
            _ => format!("{target} = {}", self.value(track.ty, 2)),
        }
    }

    fn binding(&mut self) -> String {
        let in_secret = self.in_secret;
        let numbers: Vec<Named> = self
            .locals
            .iter()
            .filter(|it| it.bounds.is_some() && it.hidden == in_secret)
            .cloned()
            .collect();
        if !numbers.is_empty() && self.once_in(2) {
            let local = self.pick(&numbers).name;
            let value = self.number(1);
            return match self.below(3) {
                0 => format!("{local} = {}", self.between(value, -100, 100)),
                1 => format!("{local} += {value} mod 5"),
                _ => format!("{local} = ({local} + 1) mod 7"),
            };
        }
        let ty = self.any_ty();
        // What may be missing is seldom asked before it is used.
        let ty = match ty {
            Ty::Maybe(kind) => Ty::One(kind),
            ty => ty,
        };
        let value = match ty {
            Ty::One(Kind::Number) => {
                let number = self.number(2);
                self.between(number, -100, 100)
            }
            ty => self.value(ty, 2),
        };
        let name = format!("{}_", self.name("n"));
        self.locals.push(Named {
            bounds: (ty == Ty::One(Kind::Number)).then_some((-100, 100)),
            hidden: in_secret,
            ..Named::new(name.clone(), ty)
        });
        format!("let {name} = {value}")
    }

    /// A track that lives until the block ends; nothing outside of that knows it.
    fn living(&mut self) -> String {
        let ty = match self.any_ty() {
            Ty::Maybe(Kind::Truth) => Ty::One(Kind::Truth),
            ty => ty,
        };
        let (declared, start, bounds) = match ty {
            Ty::One(Kind::Number) => {
                let (number, (lo, hi)) = (self.number(2), self.bounds());
                let start = self.between(number, lo, hi);
                (format!("{lo}..{hi}"), start, Some((lo, hi)))
            }
            ty => (self.declared(ty), self.value(ty, 2), None),
        };
        let name = self.name("lives");
        let index = match self.below(4) {
            0 => vec![Kind::Seat],
            1 => vec![Kind::Colour],
            _ => Vec::new(),
        };
        let brackets = match index.first() {
            Some(kind) => format!("[{}]", self.kind_name(*kind)),
            None => String::new(),
        };
        self.tracks.push(Named {
            index,
            bounds,
            ..Named::new(name.clone(), ty)
        });
        format!("track {name}{brackets}: {declared} = {start}")
    }

    pub(super) fn arguments(&mut self, of: &[Kind], depth: usize) -> String {
        let all: Vec<String> = of.iter().map(|kind| self.one(*kind, depth)).collect();
        all.join(", ")
    }

    fn calling(&mut self) -> String {
        if self.events.is_empty() {
            return self.assignment();
        }
        let event = self.pick(&self.events.clone());
        format!("{}({})", event.name, self.arguments(&event.index, 1))
    }

    fn each(&mut self, depth: usize) -> String {
        let before = self.locals.len();
        let text = if self.once_in(4) {
            let from = self.one(Kind::Seat, 1);
            let var = self.variable(Kind::Seat);
            format!("{var} in seats_from({from})")
        } else {
            let (mut binders, _) = self.binders(1);
            if self.once_in(3) && !binders.contains(" where ") && !binders.contains(", ") {
                binders.push_str(" backwards");
            }
            binders
        };
        let body = self.inner(depth);
        self.locals.truncate(before);
        format!("for each {text} {{ {body} }}")
    }

    /// A loop that counts so that it ends.
    fn counted(&mut self, depth: usize) -> String {
        let (n, cond) = (format!("{}_", self.name("n")), self.truth(1));
        let body = self.inner(depth);
        match self.below(3) {
            0 => format!("let {n} = 0  while {n} < 3 and {cond} {{ {n} = {n} + 1  {body} }}"),
            // What is tried out with a local is forgotten.
            1 => format!(
                "let {n} = 0  while {n} < 3 and after {{ {n} += 1 }} ({n} > 0 and {cond}) {{ {n} = {n} + 1  {body} }}"
            ),
            _ => format!("let {n} = 0  repeat {{ {n} += 1  {body} }} until {n} > 2 or {cond}"),
        }
    }

    pub(super) fn chance(&mut self) -> Option<String> {
        if !self.may_be_chance {
            return None;
        }
        let kind = self.set_kind();
        let over = match self.below(3) {
            0 if kind == Kind::Card => self.a_place(&[Heap::Bag, Heap::Pile], 1),
            0 if kind != Kind::Number => self.kind_name(kind),
            _ => self.set(kind, 1),
        };
        let var = self.variable(kind);
        let weighted = match self.below(3) {
            0 => format!(" weighted {} mod 5", self.number(1)),
            _ => String::new(),
        };
        let other = self.locals.pop();
        let otherwise = match self.below(6) {
            0 => String::new(),
            _ => format!(" otherwise {{ {} }}", self.block(1, 0)),
        };
        // Nothing may have been chosen.
        if otherwise.is_empty() {
            self.locals.extend(other);
        }
        Some(format!(
            "choose chance {var} in {over}{weighted}{otherwise}"
        ))
    }

    /// Things go back to where they start.
    fn clearing(&mut self) -> String {
        match self.below(4) {
            0 => "clear".to_owned(),
            1 => "clear lying".to_owned(),
            2 => format!("clear hand[{}]", self.one(Kind::Seat, 1)),
            _ => "clear few  clear spare".to_owned(),
        }
    }

    fn moving(&mut self) -> String {
        let (from, to) = (self.one(Kind::Cell, 1), self.one(Kind::Cell, 1));
        let any = self.somewhere(&[Heap::One, Heap::Bag, Heap::Pile], 1);
        let many = self.a_place(&[Heap::Bag, Heap::Pile], 1);
        let pile = self.somewhere(&[Heap::Pile], 1);
        let day = self.one(Kind::Day, 1);
        let open = self.once_in(12);
        let when = |cond: String, text: String| match open {
            true => text,
            false => format!("if {cond} {{ {text} }}"),
        };
        match self.below(14) {
            13 => self.clearing(),
            0 => when(
                format!("filled lying[{from}] and empty spare"),
                format!("move lying[{from}] to spare"),
            ),
            1 => when(
                format!("filled spare and empty lying[{to}]"),
                format!("move spare to lying[{to}] with turned = {day}"),
            ),
            2 => when(
                format!("filled lying[{from}] and empty lying[{to}]"),
                format!("move lying[{from}] to lying[{to}]"),
            ),
            3 => {
                let to = self.somewhere(&[Heap::Bag, Heap::Pile], 1);
                match self.below(3) {
                    0 => format!(
                        "move all of {pile} where it.value > {} to {to}",
                        self.below(4)
                    ),
                    1 => format!("move all of {many} to {to}"),
                    _ => format!("move all of {pile} to {to}"),
                }
            }
            4 if self.may_be_chance => when(
                format!("filled {pile} and empty lying[{to}]"),
                match self.below(4) {
                    0 => format!("move bottom of {pile} to lying[{to}]"),
                    1 => format!("move {pile}[count {pile} / 2 + 1] to lying[{to}]"),
                    _ => format!("move top of {pile} to lying[{to}]"),
                },
            ),
            5 if self.may_be_chance => when(
                format!("count {pile} > 1 and count few < 2"),
                format!("move top of {pile} to few"),
            ),
            6 if self.may_be_chance => {
                let seat = self.one(Kind::Seat, 1);
                when(
                    format!("count hand[{seat}] > 1"),
                    format!("draw 2 of hand[{seat}] to deck"),
                )
            }
            7 if self.may_be_chance => {
                format!("shuffle deck  if filled deck {{ draw deck to {many} }}")
            }
            8 => {
                let card = self.one(Kind::Card, 1);
                when(
                    format!("count_of({card}, {many}) > 0 and empty lying[{to}]"),
                    format!("move {card} from {many} to lying[{to}]"),
                )
            }
            9 => {
                let (card, n) = (self.one(Kind::Card, 1), self.below(3));
                when(
                    format!("count_of({card}, {many}) >= {n}"),
                    format!(
                        "move {n} of {card} from {many} to heaps[{}]",
                        self.one(Kind::Colour, 1)
                    ),
                )
            }
            10 if self.once_in(2) => when(
                format!("filled lying[{from}] and filled lying[{to}] and {from} != {to}"),
                format!("exchange lying[{from}] with lying[{to}]"),
            ),
            10 => when(
                format!("filled lying[{from}] and filled spare"),
                format!("exchange lying[{from}] with spare"),
            ),
            11 => {
                let card = self.one(Kind::Card, 1);
                when(
                    format!("count_of({card}, {many}) > 0 and filled lying[{from}]"),
                    format!("exchange {card} from {many} with lying[{from}]"),
                )
            }
            12 if self.once_in(3) => format!(
                "exchange all of hand[{}] with all of hand[{}]",
                self.one(Kind::Seat, 1),
                self.one(Kind::Seat, 1)
            ),
            12 => format!(
                "shuffle {pile}  show {any} to {}",
                self.pick(&["all", "anna", "bert"])
            ),
            _ if !self.shape.secrets => {
                let card = self.one(Kind::Card, 1);
                when(
                    format!("some {{ s_ in seat where count_of({card}, hand[s_]) > 0 }}"),
                    format!(
                        "move {card} from hand to heaps[{}]",
                        self.one(Kind::Colour, 1)
                    ),
                )
            }
            _ => self.assignment(),
        }
    }
}

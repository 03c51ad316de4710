//! Actions, events, flows, and a game that ends.

use super::{Heap, Kind, Named, Ty, Writer};

/// A parameter that stands for several.
struct Several {
    name: String,
    head: String,
    /// What is required of them.
    asked: Option<String>,
    /// What is done with them.
    first: String,
}

impl Writer {
    pub(super) fn rulebook(mut self) -> String {
        self.header();
        self.declare();
        self.line("track round: 0..1000 = 0");
        self.define_helpers(5);
        self.may_be_chance = true;
        for at in 0..3 {
            // What `after` plays must leave nothing to chance.
            self.may_be_chance = at > 0;
            self.event();
        }
        for _ in 0..4 {
            match self.once_in(4) {
                true => self.listed_action(),
                false => self.action(),
            }
        }
        if self.once_in(3) {
            self.laying();
        }
        if !self.shape.secrets && self.once_in(4) {
            self.carried();
        }
        if !self.shape.secrets && self.once_in(3) {
            self.giving();
        }
        self.in_flow = true;
        self.flow(true);
        self.flow(false);
        self.main();
        self.in_flow = false;
        self.ending();
        self.out
    }

    fn params(&mut self, least: usize) -> (Vec<Kind>, String) {
        let kinds: Vec<Kind> = (0..least + self.below(2))
            .map(|_| self.any_kind())
            .collect();
        let mut heads = Vec::new();
        for kind in &kinds {
            let name = self.variable(*kind);
            let of = match (kind, self.below(2)) {
                (Kind::Number, 0) => "int".to_owned(),
                _ => self.kind_name(*kind),
            };
            heads.push(format!("{name}: {of}"));
        }
        (kinds, heads.join(", "))
    }

    fn event(&mut self) {
        let (index, heads) = self.params(0);
        let many = 1 + self.below(3);
        let body = self.block(many, 2);
        let params = self.locals.len();
        let text = match self.once_in(3) {
            true => format!(" \"{}\"", self.words()),
            false => String::new(),
        };
        debug_assert_eq!(params, self.locals.len(), "a text binds nothing");
        self.locals.clear();
        let name = self.name("event");
        self.line(&format!("event {name}({heads}){text} {{ {body} }}"));
        let sure = !self.may_be_chance;
        self.events.push(Named {
            index,
            literal: sure.then(String::new),
            ..Named::new(name, Ty::One(Kind::Truth))
        });
    }

    fn action(&mut self) {
        let name = self.name("act");
        let (mut heads, mut holes) = (Vec::new(), String::new());
        let (mut names, mut kinds) = (Vec::new(), Vec::new());
        let (mut asked, mut first) = (Vec::new(), String::new());
        self.locals.push(Named::new("me", Ty::One(Kind::Seat)));
        if self.once_in(2) {
            let asked = self.asked_once(1);
            self.said.push(self.named(&asked));
        }
        if self.once_in(3) {
            let from = self.set(Kind::Cell, 1);
            let one = self.variable(Kind::Cell);
            let targets = match self.once_in(2) {
                true => self.targets(&one, 1),
                false => self.seen_from(&one, 1),
            };
            let other = self.variable(Kind::Cell);
            if self.once_in(2) {
                asked.push(self.far_off(&other));
            }
            heads.push(self.named(&format!("{one} in {from}")));
            heads.push(self.named(&format!("{other} in {targets}")));
            holes.push_str(&format!(" {{{one}}} {{{other}}}"));
            names.extend([one, other]);
            kinds.extend([Kind::Cell; 2]);
        }
        for _ in 0..self.below(if heads.is_empty() { 3 } else { 2 }) {
            let kind = self.set_kind();
            let over = match (kind, self.below(4)) {
                (Kind::Card, 0) => " in hand[me]".to_owned(),
                (Kind::Card, 1) => format!(" in {}", self.a_place(&[Heap::Bag, Heap::Pile], 1)),
                (Kind::Number, 0) => {
                    let (lo, hi) = self.small;
                    format!(" in {lo}..min {{ {hi}, {} }}", self.number(1))
                }
                (_, 0 | 1) => format!(": {}", self.kind_name(kind)),
                _ => format!(" in {}", self.set(kind, 1)),
            };
            let over = self.named(&over);
            if let Some(set) = over.strip_prefix(" in ").filter(|_| self.once_in(4)) {
                let several = self.several(kind, set);
                heads.push(several.head);
                holes.push_str(&format!(" {{{}}}", several.name));
                asked.extend(several.asked);
                first.push_str(&several.first);
                continue;
            }
            if over.starts_with(" in ") && self.once_in(5) && kind != Kind::Number {
                let (one, other) = (self.variable(kind), self.variable(kind));
                names.extend([one.clone(), other.clone()]);
                heads.extend([format!("{one}{over}"), format!("{other}{over}")]);
                holes.push_str(&format!(" {{{one}}} {{{other}}}"));
                kinds.extend([kind, kind]);
            } else {
                let one = self.variable(kind);
                names.push(one.clone());
                heads.push(format!("{one}{over}"));
                holes.push_str(&format!(" {{{one}}}"));
                kinds.push(kind);
            }
        }
        let mut requires = String::new();
        for at in 0..self.below(3) {
            let cond = self.truth(2);
            let mut cond = self.named(&cond);
            if !self.said.is_empty() && self.once_in(2) {
                let (said, op) = (self.said.clone(), self.pick(&["and", "or"]));
                let said = self.pick(&said);
                cond = match self.tried_out(&said).filter(|_| self.once_in(2)) {
                    Some(tried) => format!("({cond} {op} {said} == {})", self.named(&tried)),
                    None => format!("({cond} {op} {said})"),
                };
            }
            requires.push_str(&format!("require r{at}: {cond} else \"no\"  "));
        }
        for (at, cond) in asked.iter().enumerate() {
            requires.push_str(&format!("require s{at}: {cond} else \"not these\"  "));
        }
        let many = 1 + self.below(2);
        let body = self.block(many, 1);
        self.locals.clear();
        self.line(&format!(
            "action {name}({}) \"{name}{holes}\" {{ {requires}do {{ {first} {body} }} }}",
            heads.join(", ")
        ));
        self.actions.push(Named {
            index: kinds,
            literal: Some(names.join(" ")),
            ..Named::new(name, Ty::One(Kind::Truth))
        });
    }

    /// Several members of a set, or of what lies in a zone, taken together.
    fn several(&mut self, kind: Kind, set: &str) -> Several {
        let many = self.pick(&["1", "2", "3", "0..2", "1..2", "1..3", "0..3"]);
        let name = format!("{}_", self.name("v"));
        let head = format!("{name} in {many} of {set}");
        let mut several = Several {
            name,
            head,
            asked: None,
            first: String::new(),
        };
        let name = &several.name;
        // What lies in a zone comes in copies.
        if kind == Kind::Card && !set.starts_with('{') && set != "Card" {
            if self.once_in(2) {
                let n = self.number(1);
                let n = self.named(&n);
                let card = self.one(Kind::Card, 1);
                let card = self.named(&card);
                let asked = match self.below(6) {
                    0 => format!("count {name} != {n}"),
                    4 => format!("{card} in {name}"),
                    5 => format!("no {{ x_ in hand[me] where x_ in {name} }}"),
                    1 => format!("sum {{ ord(x_.colour) for x_ in {name} }} != {n}"),
                    2 => format!("count {{ x_.colour for x_ in {name} }} == count {name}"),
                    _ => format!("first({{ x_ in hand[me] }}) not in {name}"),
                };
                several.asked = Some(asked);
            }
            if self.once_in(2) {
                let to = self.a_place(&[Heap::Bag, Heap::Pile], 1);
                several.first = format!("move all of {name} from {set} to {}", self.named(&to));
            }
        } else {
            let local = Named::new(several.name.clone(), Ty::Set(kind));
            self.locals.push(local);
        }
        several
    }

    /// An alternative of a choice.
    fn alternative(&mut self, depth: usize) -> String {
        let guard = match self.once_in(5) {
            true => format!(" where {}", self.truth(1)),
            false => String::new(),
        };
        if self.once_in(4) {
            let name = self.name("opt");
            let body = self.block(1, depth);
            return format!("{name} \"{name}\"{guard} {{ {body} }}");
        }
        let action = format!("{}{guard}", self.fixed_action(1));
        if self.once_in(5) {
            return format!("{action} {{ {} }}", self.block(1, depth));
        }
        action
    }

    /// An action, sometimes with some of its parameters given.
    pub(super) fn fixed_action(&mut self, depth: usize) -> String {
        let action = self.pick(&self.actions.clone());
        let params = action.literal.iter().flat_map(|it| it.split_whitespace());
        let mut given = Vec::new();
        for (param, kind) in params.zip(&action.index) {
            match self.below(12) {
                0..=2 => given.push(format!("{param}: {}", self.one(*kind, depth))),
                3 if matches!(kind, Kind::Colour | Kind::Seat | Kind::Cell | Kind::Spot) => {
                    given.push(format!("{param} in {}", self.set(*kind, depth)));
                }
                _ => {}
            }
        }
        match given.is_empty() {
            true => action.name,
            false => format!("{}({})", action.name, given.join(", ")),
        }
    }

    fn alternatives(&mut self, depth: usize) -> String {
        let all: Vec<String> = (0..1 + self.below(3))
            .map(|_| self.alternative(depth))
            .collect();
        all.join(" | ")
    }

    /// Somebody decides.
    pub(super) fn decision(&mut self, depth: usize) -> String {
        let seat = self.somebody();
        let inner = depth.saturating_sub(1);
        if self.shape.secrets && self.once_in(3) {
            return self.quiet(&seat);
        }
        let otherwise = |writer: &mut Writer| match writer.below(8) {
            0 => String::new(),
            1 | 2 if writer.in_turn => format!(" otherwise {{ {} }}", writer.left_turn()),
            _ => format!(" otherwise {{ {} }}", writer.block(1, 0)),
        };
        match self.below(10) {
            8 if depth > 0 => self.round(inner),
            9 if self.in_turn => format!("if {} {{ {} }}", self.truth(1), self.left_turn()),
            0..=2 => {
                let may = self.pick(&["", "may "]);
                let alternatives = self.alternatives(inner);
                let otherwise = otherwise(self);
                format!("{may}choose {seat}: {alternatives}{otherwise}")
            }
            3 | 4 => {
                let kind = self.set_kind();
                let over = match kind {
                    Kind::Card if self.shape.secrets && self.once_in(2) => format!("hand[{seat}]"),
                    Kind::Card if self.once_in(2) => self.a_place(&[Heap::Bag, Heap::Pile], 1),
                    _ => self.set(kind, 1),
                };
                let var = self.variable(kind);
                let guard = match self.below(2) {
                    0 => format!(" where {}", self.truth(1)),
                    _ => String::new(),
                };
                let body = self.block(1, inner);
                self.unbind(1);
                let otherwise = otherwise(self);
                let may = self.pick(&["", "may "]);
                format!("{may}choose {seat} {var} in {over}{guard} {{ {body} }}{otherwise}")
            }
            5 => {
                let slots: Vec<String> = (0..1 + self.below(2))
                    .map(|_| {
                        let (name, alternatives) = (self.name("slot"), self.alternatives(inner));
                        format!("once {name}: {alternatives}")
                    })
                    .collect();
                format!("window {seat} {{ {} }}", slots.join("  "))
            }
            6 if !self.flows.is_empty() => {
                let flow = self.pick(&self.flows.clone());
                let call = format!("{}({})", flow.name, self.arguments(&flow.index, 1));
                if flow.literal.is_none() {
                    return call;
                }
                let name = format!("{}_", self.name("n"));
                self.locals.push(Named::new(name.clone(), flow.ty));
                format!("let {name} = {call}")
            }
            7 if self.once_in(2) => self.at_once(inner),
            _ if depth > 0 => {
                let name = self.name("part");
                let body = self.block(2, inner);
                format!("step {name} {{ {body} }}")
            }
            _ => self
                .chance()
                .unwrap_or_else(|| format!("choose {seat}: stop{depth} \"stop\" {{ }}")),
        }
    }

    /// Several decide at the same time.
    fn at_once(&mut self, depth: usize) -> String {
        let over = match self.below(3) {
            0 => self.set(Kind::Seat, 1),
            _ => "seat".to_owned(),
        };
        let seat = self.variable(Kind::Seat);
        let guard = match self.below(4) {
            0 => format!(" where {}", self.truth(1)),
            _ => String::new(),
        };
        let may = self.pick(&["", "may "]);
        let alternatives = self.alternatives(depth);
        let otherwise = match self.below(6) {
            0 => String::new(),
            _ => format!(" otherwise {{ {} }}", self.block(1, 0)),
        };
        self.unbind(1);
        format!(
            "together {seat} in {over}{guard} {{ {may}choose {seat}: {alternatives}{otherwise} }}"
        )
    }

    /// A turn ends before its rest.
    fn left_turn(&mut self) -> String {
        match self.below(2) {
            0 => "next".to_owned(),
            _ => format!("{}  next", self.block(1, 0)),
        }
    }

    /// Each seat has one turn.
    fn round(&mut self, depth: usize) -> String {
        let from = self.somebody();
        let seat = self.variable(Kind::Seat);
        let guard = match self.below(3) {
            0 => format!(" where {}", self.truth(1)),
            _ => String::new(),
        };
        let around = std::mem::replace(&mut self.in_turn, true);
        let body = self.block(2, depth);
        self.in_turn = around;
        self.unbind(1);
        format!("turns {seat} from {from} once{guard} {{ {body} }}")
    }

    /// Somebody decides what others may not learn.
    fn quiet(&mut self, seat: &str) -> String {
        let may = self.pick(&["", "may "]);
        match self.below(4) {
            0 => {
                let (one, other) = (self.hiding(), self.hiding());
                let (a, b) = (self.name("opt"), self.name("opt"));
                format!("{may}choose {seat}: {a} \"{a}\" {{ {one} }} | {b} \"{b}\" {{ {other} }}")
            }
            1 => {
                let var = self.variable(Kind::Card);
                let to = self.somewhere(&[Heap::Bag, Heap::Pile], 0);
                let (before, after) = (self.quietly(), self.quietly());
                self.unbind(1);
                format!(
                    "{may}choose {seat} {var} in hand[{seat}] {{ {before}  move {var} from hand[{seat}] to {to}  {after} }} otherwise {{ }}"
                )
            }
            _ => {
                let kind = self.set_kind();
                let over = self.set(kind, 1);
                let var = self.variable(kind);
                let (body, more) = (self.noted(&var, kind), self.quietly());
                self.unbind(1);
                format!("{may}choose {seat} {var} in {over} {{ {body}  {more} }} otherwise {{ }}")
            }
        }
    }

    /// A secret becomes what somebody chose.
    fn noted(&mut self, var: &str, kind: Kind) -> String {
        let fits = [Ty::One(kind), Ty::Maybe(kind)];
        let tracks = self.tracks.iter().filter(|it| it.hidden);
        let tracks: Vec<Named> = tracks.filter(|it| fits.contains(&it.ty)).cloned().collect();
        if tracks.is_empty() {
            return self.hiding();
        }
        let track = self.pick(&tracks);
        let index: Vec<String> = track.index.iter().map(|it| self.index(*it, 0)).collect();
        let target = match index.is_empty() {
            true => track.name,
            false => format!("{}[{}]", track.name, index.join(", ")),
        };
        let value = match track.bounds {
            Some((lo, hi)) => self.between(var.to_owned(), lo, hi),
            None => var.to_owned(),
        };
        let text = format!("{target} = {value}");
        self.named(&text)
    }

    /// Something that not everybody sees, or that somebody decides.
    fn quietly(&mut self) -> String {
        match self.below(6) {
            0 => format!("choose {}: stop \"stop\" {{ }}", self.somebody()),
            1 => self.looking(),
            2 => String::new(),
            _ => self.hiding(),
        }
    }

    fn flow(&mut self, returns: bool) {
        let (index, heads) = self.params(0);
        let many = 2 + self.below(2);
        let before = self.locals.len();
        let mut body: Vec<String> = (0..many).map(|_| self.statement(2)).collect();
        let (mut ty, mut result) = (Ty::One(Kind::Truth), String::new());
        if returns {
            ty = self.any_ty();
            let (early, late) = (self.value(ty, 2), self.value(ty, 2));
            let cond = self.truth(1);
            let text = format!("if {cond} {{ return {early} }} return {late}");
            body.push(self.named(&text));
            result = format!(": {}", self.declared(ty));
        } else if self.once_in(2) {
            let text = format!("if {} {{ return }}", self.truth(1));
            let text = self.named(&text);
            body.insert(1, text);
        }
        self.locals.truncate(before);
        self.locals.clear();
        let name = self.name("flow");
        self.line(&format!(
            "flow {name}({heads}){result} {{ {} }}",
            body.join("  ")
        ));
        self.flows.push(Named {
            index,
            literal: returns.then(String::new),
            ..Named::new(name, ty)
        });
    }

    fn main(&mut self) {
        self.is_wary = true;
        let mut start = self.block(2, 1);
        if self.shape.secrets {
            start.push_str("  shuffle deck  for each q_ in seat { repeat 2 { if filled deck { move top of deck to hand[q_] } } }");
        }
        if self.full {
            start.push_str("  for each f_ in Cell { if empty lying[f_] and filled deck { move top of deck to lying[f_] } }");
        }
        start.push_str("  ");
        start.push_str(&self.laid);
        self.locals.push(Named::new("me", Ty::One(Kind::Seat)));
        let from = self.pick(&["anna", "bert"]);
        let guard = match self.below(3) {
            0 => format!(" where {}", self.truth(1)),
            _ => String::new(),
        };
        let guard = self.named(&guard);
        let once = self.pick(&["", " once"]);
        let opens = match self.columns * self.rows {
            1 => "",
            _ => {
                "for each j_ in Join where j_.one.row == round mod 3 + 1 or j_.other.column == 1 { open_[j_] = not open_[j_] }  "
            }
        };
        let ends = format!(
            "{opens}round += 1  if round > {} {{ end over(me) }}",
            3 + self.below(6)
        );
        self.in_turn = true;
        let turn = self.block(3, 2);
        self.in_turn = false;
        let last = match self.below(3) {
            0 => format!("if {} {{ again }}", self.truth(1)),
            1 => format!("if {} {{ next }}  {}", self.truth(1), self.block(1, 1)),
            _ => String::new(),
        };
        let last = self.named(&last);
        self.locals.clear();
        let rest = self.block(2, 1);
        self.line(&format!(
            "flow main() {{ step begin {{ {start} }}  turns me from {from}{once}{guard} {{ {ends}  {turn}  {last} }}  {rest}  end over(bert) }}"
        ));
    }

    fn ending(&mut self) {
        self.locals.push(Named::new("s_", Ty::One(Kind::Seat)));
        self.may_be_chance = false;
        let before = match self.below(2) {
            0 => self.block(1, 0),
            _ => String::new(),
        };
        let result = match self.below(2) {
            0 => {
                let (one, other) = (self.number(2), self.number(1));
                format!("ranking seat by {one}, {other}")
            }
            _ => format!("winner {}", self.one(Kind::Seat, 1)),
        };
        let result = self.named(&result);
        self.locals.clear();
        self.line(&format!("ending over(s_: seat) {{ {before} {result} }}"));
    }
}

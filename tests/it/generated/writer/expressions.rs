//! Expressions of every type.

use super::{Heap, Holder, Kind, Named, Ty, Writer};

impl Writer {
    pub(super) fn value(&mut self, ty: Ty, depth: usize) -> String {
        match ty {
            Ty::One(Kind::Number) => self.number(depth),
            Ty::One(Kind::Truth) => self.truth(depth),
            Ty::One(kind) => self.one(kind, depth),
            Ty::Maybe(kind) => self.maybe(kind, depth),
            Ty::Set(kind) => self.set(kind, depth),
        }
    }

    /// Something that may be nothing, where that is a fault in play.
    fn dared(&mut self, kind: Kind) -> Option<String> {
        let dares = self.is_bold && !self.constant && self.once_in(12);
        dares.then(|| self.known(Ty::Maybe(kind), 0)).flatten()
    }

    /// Something of a type that has a name: a local, track, table or definition.
    fn known(&mut self, ty: Ty, depth: usize) -> Option<String> {
        let fits = |it: &&Named| it.ty == ty;
        let locals = self.locals.iter().filter(fits).cloned().map(|it| (0, it));
        let constant = self.constant;
        let tracks = self.tracks.iter().filter(fits).cloned().map(|it| (1, it));
        let tracks = tracks.filter(|(_, it)| !constant || it.literal.is_some());
        let settings = self.settings.iter().filter(fits).cloned().map(|it| (1, it));
        let shallow = depth == 0;
        let tables = self.tables.iter().filter(fits).cloned().map(|it| (2, it));
        let defines = self.defines.iter().filter(fits).cloned().map(|it| (3, it));
        let defines = defines.filter(|(_, it)| !constant || it.literal.is_some());
        let all: Vec<(usize, Named)> = locals
            .clone()
            .chain(locals)
            .chain(tracks.chain(settings))
            .chain(tables.chain(defines))
            .filter(|(_, it)| !shallow || it.index.is_empty())
            .collect();
        let (in_secret, own) = (self.reads_secrets(), self.reads_own());
        let is_own = |it: &Named| own && it.index.contains(&Kind::Seat);
        let all: Vec<(usize, Named)> = all
            .into_iter()
            .filter(|(_, it)| in_secret || !it.hidden || is_own(it))
            .collect();
        if all.is_empty() {
            return None;
        }
        let (what, named) = self.pick(&all);
        let is_own = named.hidden && !in_secret;
        let index: Vec<String> = named
            .index
            .iter()
            .map(|kind| match kind {
                Kind::Seat if is_own && named.others => "next_seat(me)".to_owned(),
                Kind::Seat if is_own => "me".to_owned(),
                _ => self.index(*kind, depth.saturating_sub(1)),
            })
            .collect();
        let index = index.join(", ");
        Some(match what {
            0 => named.name,
            1 if named.index.is_empty() => Writer::marked(&named.name),
            3 => format!("{}({index})", named.name),
            _ => format!("{}[{index}]", named.name),
        })
    }

    /// What stands in brackets: numbers are mostly among those that there are.
    pub(super) fn index(&mut self, kind: Kind, depth: usize) -> String {
        if kind != Kind::Number || self.once_in(4) {
            return self.value(Ty::One(kind), depth);
        }
        let (lo, hi) = self.small;
        let number = self.number(depth);
        match self.below(3) {
            0 => self.literal(Kind::Number),
            1 => format!("({} + {number} mod {})", self.written(lo), hi - lo + 1),
            _ => self.between(number, lo, hi),
        }
    }

    /// A number brought between two others.
    pub(super) fn between(&self, number: String, lo: i64, hi: i64) -> String {
        let (lo, hi) = (self.written(lo), self.written(hi));
        format!("min {{ {hi}, max {{ {lo}, {number} }} }}")
    }

    fn leaf(&mut self, ty: Ty) -> String {
        if self.below(4) > 0
            && let Some(known) = self.known(ty, 0)
        {
            return known;
        }
        match ty {
            Ty::One(Kind::Number) => self.any_number(),
            Ty::One(kind) | Ty::Maybe(kind) => self.literal(kind),
            Ty::Set(kind) => {
                let members: Vec<String> =
                    (0..1 + self.below(3)).map(|_| self.literal(kind)).collect();
                format!("{{{}}}", members.join(", "))
            }
        }
    }

    fn branch(&mut self, ty: Ty, depth: usize) -> String {
        let (one, other) = (self.value(ty, depth), self.value(ty, depth));
        if self.once_in(12) {
            return format!("(by sky {{ sunny => {one}  rainy => {other} }})");
        }
        if self.once_in(10) {
            let (subject, at) = (self.number(depth), self.below(4));
            let more = self.value(ty, depth);
            return format!(
                "(by (({subject}) mod 9) {{ {at} => {one}  {}, {}..7 => {other}  else => {more} }})",
                at + 2,
                at + 4
            );
        }
        if self.once_in(3) {
            let (kind, n) = self.pick(&[(Kind::Colour, self.colours), (Kind::Day, self.days)]);
            let subject = self.one(kind, depth);
            let stem = if kind == Kind::Colour { "hue" } else { "day" };
            let at = 1 + self.below(n);
            if n == 2 {
                let (one, other) = if at == 1 { (one, other) } else { (other, one) };
                return format!("(by {subject} {{ {stem}1 => {one}  {stem}2 => {other} }})");
            }
            return format!("(by {subject} {{ {stem}{at} => {one}  else => {other} }})");
        }
        let cond = self.truth(depth);
        format!("(if {cond} then {one} else {other})")
    }

    pub(super) fn number(&mut self, depth: usize) -> String {
        let ty = Ty::One(Kind::Number);
        if let Some(maybe) = self.dared(Kind::Number) {
            return maybe;
        }
        if depth == 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        if self.once_in(25)
            && let Some(text) = self.after(ty, d)
        {
            return text;
        }
        match self.below(24) {
            22 | 23 => {
                let by = self.pick(&["1000000000", "999999999", "2147483647", "(-1000000000)"]);
                let op = self.pick(&["*", "*", "/", "mod"]);
                format!("({} {op} {by})", self.number(d))
            }
            0..=5 => {
                let op = self.pick(&["+", "-", "*", "/", "mod", "+", "-"]);
                let (a, b) = (self.number(d), self.number(d));
                format!("({a} {op} {b})")
            }
            6 => format!("abs({})", self.number(d)),
            7 => format!("(-{})", self.number(d)),
            8 => {
                let kind = self.pick(&[Kind::Colour, Kind::Day, Kind::Seat, Kind::Spot]);
                format!("ord({})", self.one(kind, d))
            }
            9 => self.count(d),
            10 => {
                let (binders, n) = self.binders(d);
                let (of, word) = (self.number(d), self.pick(&["sum", "sum", "product"]));
                self.unbind(n);
                format!("{word} {{ {of} for {binders} }}")
            }
            11 => {
                let (binders, n) = self.binders(d);
                let (of, word) = (self.number(d), self.pick(&["max", "min"]));
                self.unbind(n);
                if self.once_in(6) {
                    return format!("({word} {{ {of} for {binders} }})");
                }
                let default = self.number(d);
                format!("({word} {{ {of} for {binders} }} default {default})")
            }
            12 => {
                let word = self.pick(&["max", "min"]);
                let items: Vec<String> = (0..2 + self.below(2)).map(|_| self.number(d)).collect();
                format!("{word} {{ {} }}", items.join(", "))
            }
            13 => {
                let kind = self.pick(&[Kind::Day, Kind::Cell, Kind::Spot]);
                if self.constant && kind != Kind::Day {
                    return self.leaf(ty);
                }
                format!("distance({}, {})", self.one(kind, d), self.one(kind, d))
            }
            14 | 15 => self.branch(ty, d),
            16 => {
                let (kind, field) = self.pick(&[
                    (Kind::Cell, "column"),
                    (Kind::Cell, "row"),
                    (Kind::Card, "value"),
                    (Kind::Card, "value"),
                ]);
                match self.locals.iter().rev().find(|it| it.ty == Ty::One(kind)) {
                    Some(local) => format!("{}.{field}", local.name),
                    None => self.leaf(ty),
                }
            }
            17 => format!(
                "({} default {})",
                self.maybe(Kind::Number, d),
                self.number(d)
            ),
            18 => {
                let end = self.pick(&["first", "last"]);
                let set = self.set(Kind::Number, d);
                match self.below(4) {
                    0 => format!("{end}({set})"),
                    _ => format!("({end}({set}) default {})", self.number(d)),
                }
            }
            _ => self.known(ty, depth).unwrap_or_else(|| "1".into()),
        }
    }

    /// What would be after an event that leaves nothing to chance.
    fn after(&mut self, ty: Ty, d: usize) -> Option<String> {
        if self.constant || self.events.iter().all(|it| it.literal.is_none()) {
            return None;
        }
        let value = self.value(ty, d);
        self.tried_out(&value)
    }

    /// The same of what is written already.
    pub(super) fn tried_out(&mut self, value: &str) -> Option<String> {
        let sure = self.events.iter().filter(|it| it.literal.is_some());
        let sure: Vec<Named> = sure.cloned().collect();
        if self.constant || sure.is_empty() {
            return None;
        }
        let event = self.pick(&sure);
        let args = self.arguments(&event.index, 0);
        Some(format!("(after {{ {}({args}) }} {value})", event.name))
    }

    /// Whether somebody could do something.
    fn can(&mut self, d: usize) -> Option<String> {
        if !self.in_flow || self.actions.is_empty() {
            return None;
        }
        let (action, seat) = (self.fixed_action(d), self.one(Kind::Seat, d));
        Some(format!("can({seat}, {action})"))
    }

    fn count(&mut self, d: usize) -> String {
        if !self.constant && self.zones && self.once_in(2) {
            let place = self.a_place(&[Heap::One, Heap::Bag, Heap::Pile], d);
            return match self.below(6) {
                0 => format!("count {}", self.pick(&["hand", "lying"])),
                1 | 2 => format!("count_of({}, {place})", self.one(Kind::Card, d)),
                _ => format!("count {place}"),
            };
        }
        if self.once_in(2) {
            let (binders, n) = self.binders(d);
            self.unbind(n);
            return format!("count {{ {binders} }}");
        }
        let kind = self.set_kind();
        format!("count {}", self.set(kind, d))
    }

    pub(super) fn set_kind(&mut self) -> Kind {
        self.pick(&[
            Kind::Number,
            Kind::Colour,
            Kind::Day,
            Kind::Seat,
            Kind::Cell,
            Kind::Spot,
            Kind::Card,
        ])
    }

    pub(super) fn truth(&mut self, depth: usize) -> String {
        let ty = Ty::One(Kind::Truth);
        if depth == 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        if self.once_in(25) {
            let found = if self.once_in(2) {
                self.can(d)
            } else {
                self.after(ty, d)
            };
            if let Some(text) = found {
                return text;
            }
        }
        match self.below(24) {
            20.. => self.shaped(d),
            0..=3 => {
                let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {op} {})", self.number(d), self.number(d))
            }
            4 | 5 => {
                let op = self.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let kind = self.any_kind();
                let ordered = matches!(kind, Kind::Colour | Kind::Day | Kind::Cell | Kind::Card);
                let op = if ordered { op } else { "==" };
                format!("({} {op} {})", self.one(kind, d), self.one(kind, d))
            }
            6 => {
                let kind = self.set_kind();
                let word = self.pick(&["in", "not in"]);
                format!("({} {word} {})", self.one(kind, d), self.set(kind, d))
            }
            7 => format!(
                "({} in {}..{})",
                self.number(d),
                self.number(d),
                self.number(d)
            ),
            8 | 9 => {
                let op = self.pick(&["and", "or"]);
                format!("({} {op} {})", self.truth(d), self.truth(d))
            }
            10 => format!("(not {})", self.truth(d)),
            11 | 12 => {
                let (binders, n) = self.binders(d);
                self.unbind(n);
                let word = self.pick(&["some", "no"]);
                format!("({word} {{ {binders} }})")
            }
            13 => {
                let (binders, n) = self.binders(d);
                let of = self.truth(d);
                self.unbind(n);
                format!("(every {{ {of} for {binders} }})")
            }
            14 => {
                let kind = self.pick(&[Kind::Number, Kind::Colour, Kind::Cell]);
                let maybe = self.maybe(kind, d);
                match self.below(3) {
                    0 => format!("({maybe} == none)"),
                    1 => format!("({maybe} == {})", self.one(kind, d)),
                    _ => match self.known(Ty::Maybe(kind), 0) {
                        Some(maybe) => format!("(some {maybe})"),
                        None => self.leaf(ty),
                    },
                }
            }
            15 => {
                let kind = self.set_kind();
                let op = self.pick(&["==", "!="]);
                format!("({} {op} {})", self.set(kind, d), self.set(kind, d))
            }
            16 if !self.constant && self.zones => {
                let word = self.pick(&["filled", "empty"]);
                let place = self.a_place(&[Heap::One, Heap::Bag, Heap::Pile], d);
                format!("({word} {place})")
            }
            17 => self.branch(ty, d),
            _ => self.known(ty, depth).unwrap_or_else(|| "true".into()),
        }
    }

    pub(super) fn one(&mut self, kind: Kind, depth: usize) -> String {
        let ty = Ty::One(kind);
        if let Some(maybe) = self.dared(kind) {
            return maybe;
        }
        match kind {
            Kind::Number => return self.index(kind, depth),
            Kind::Truth => return self.truth(depth),
            _ if depth == 0 => return self.leaf(ty),
            _ => {}
        }
        let d = depth - 1;
        match self.below(12) {
            0 | 1 => self.branch(ty, d),
            2 if kind != Kind::Way => {
                let end = self.pick(&["first", "last"]);
                let set = self.set(kind, d);
                match self.below(4) {
                    0 => format!("{end}({set})"),
                    _ => format!("({end}({set}) default {})", self.one(kind, d)),
                }
            }
            3 => {
                let maybe = self.maybe(kind, d);
                format!("({maybe} default {})", self.one(kind, d))
            }
            4..=6 => self.made(kind, d),
            7 if kind != Kind::Way => {
                let word = self.pick(&["most", "least"]);
                let (binders, n) = self.binder(kind, d);
                let by = self.number(d);
                self.unbind(n);
                format!(
                    "(first({word} {{ {binders} by {by} }}) default {})",
                    self.one(kind, d)
                )
            }
            _ => self.known(ty, depth).unwrap_or_else(|| self.literal(kind)),
        }
    }

    /// A value that is worked out of others in the way of its kind.
    fn made(&mut self, kind: Kind, d: usize) -> String {
        match kind {
            Kind::Day if self.below(3) > 0 => {
                let op = self.pick(&["+", "-"]);
                format!("({} {op} {})", self.one(kind, d), self.number(d))
            }
            Kind::Colour | Kind::Day => {
                let (name, size) = match kind {
                    Kind::Colour => ("Colour", self.colours),
                    _ => ("Day", self.days),
                };
                let number = self.number(d);
                match self.below(4) {
                    0 => format!("{name}({number})"),
                    _ => format!("{name}({number} mod {size})"),
                }
            }
            Kind::Seat => {
                let word = self.pick(&["next_seat", "previous_seat"]);
                format!("{word}({})", self.one(kind, d))
            }
            Kind::Cell => {
                let (column, row) = (self.number(d), self.number(d));
                let (columns, rows) = (self.columns, self.rows);
                match self.below(4) {
                    0 => format!("Cell({column}, {row})"),
                    _ => format!("Cell(1 + {column} mod {columns}, 1 + {row} mod {rows})"),
                }
            }
            Kind::Spot => format!("Spot({} mod {})", self.number(d), self.spots),
            Kind::Way => format!("opposite({})", self.one(kind, d)),
            Kind::Card => {
                let (colour, value) = (self.one(Kind::Colour, d), self.number(d));
                let more = match self.bears {
                    1 => self.truth(d),
                    2 => self.maybe(Kind::Colour, d),
                    3 => self.set(Kind::Colour, d),
                    _ => String::new(),
                };
                let more = self.borne(&[more.clone(), more.clone(), more]);
                match self.below(4) {
                    0 => format!("Card({colour}, {value}{more})"),
                    _ => format!("Card({colour}, 1 + {value} mod {}{more})", self.values),
                }
            }
            Kind::Truth | Kind::Number => self.literal(kind),
        }
    }

    pub(super) fn maybe(&mut self, kind: Kind, depth: usize) -> String {
        let ty = Ty::Maybe(kind);
        if depth == 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match self.below(8) {
            0 | 1 => {
                let cond = self.truth(d);
                let (one, other) = (self.one(kind, d), self.maybe(kind, d));
                match self.below(2) {
                    0 => format!("(if {cond} then none else {one})"),
                    _ => format!("(if {cond} then {one} else {other})"),
                }
            }
            2 | 3 if matches!(kind, Kind::Cell | Kind::Spot) && !self.constant => {
                let (cell, way) = (self.maybe(kind, d), self.one(Kind::Way, d));
                match self.below(3) {
                    0 => format!("step({cell}, {way}, {})", self.number(d)),
                    1 => format!("step({cell}, {way}, {})", self.below(4)),
                    _ => format!("step({cell}, {way})"),
                }
            }
            2 if kind == Kind::Card && !self.constant && self.zones => {
                let pile = self.a_place(&[Heap::Pile], d);
                match self.below(3) {
                    0 => format!("{pile}[{}]", self.number(d)),
                    1 => format!("{pile}[{}]", self.below(4)),
                    _ => format!("top({pile})"),
                }
            }
            3 if kind == Kind::Card && !self.constant && self.zones => {
                self.a_place(&[Heap::One], d)
            }
            4 if kind != Kind::Way => {
                let (end, set) = (self.pick(&["first", "last"]), self.set(kind, d));
                format!("{end}({set})")
            }
            5 => self.one(kind, d),
            _ => self.known(ty, depth).unwrap_or_else(|| self.literal(kind)),
        }
    }

    pub(super) fn set(&mut self, kind: Kind, depth: usize) -> String {
        let ty = Ty::Set(kind);
        if depth == 0 {
            return self.leaf(ty);
        }
        let d = depth - 1;
        match self.below(16) {
            0 | 1 => {
                let op = self.pick(&["+", "-"]);
                format!("({} {op} {})", self.set(kind, d), self.set(kind, d))
            }
            2..=4 => {
                let (binders, n) = self.binder(kind, d);
                self.unbind(n);
                format!("{{ {binders} }}")
            }
            5 | 6 => {
                let (binders, n) = self.binders(d);
                let of = self.one(kind, d);
                self.unbind(n);
                format!("{{ {of} for {binders} }}")
            }
            7 => {
                let word = self.pick(&["most", "least"]);
                let (binders, n) = self.binder(kind, d);
                let by = self.number(d);
                self.unbind(n);
                format!("({word} {{ {binders} by {by} }})")
            }
            8 => {
                let items: Vec<String> =
                    (0..1 + self.below(3)).map(|_| self.one(kind, d)).collect();
                format!("{{ {} }}", items.join(", "))
            }
            9 => self.branch(ty, d),
            10 | 11 if matches!(kind, Kind::Cell | Kind::Spot) && !self.constant => {
                let word = self.pick(&["orthogonal", "diagonal", "around", "neighbours"]);
                format!("{word}({})", self.one(kind, d))
            }
            12 if matches!(kind, Kind::Cell | Kind::Spot) && !self.constant => {
                let (way, from) = (self.one(Kind::Way, d), self.one(kind, d));
                let var = self.variable(kind);
                let cond = self.truth(d);
                self.unbind(1);
                format!("(walk {way} from {from} while {var}: {cond})")
            }
            13 if matches!(kind, Kind::Cell | Kind::Spot) && !self.constant => {
                // The way there must be the way back.
                let var = self.variable(kind);
                let cond = self.truth(d);
                self.unbind(1);
                let (of, other, from) = (self.name("v"), self.name("v"), self.name("v"));
                let [here, there] = [&of, &other].map(|it| cond.replace(&var, &format!("{it}_")));
                let space = self.kind_name(kind);
                format!(
                    "(groups {{ {of}_ in {space} where {here} }} via {from}_ -> {{ {other}_ in orthogonal({from}_) where {there} }})"
                )
            }
            10..=12 if !self.constant => {
                let start = self.set(kind, d);
                let var = self.variable(kind);
                let step = self.set(kind, d);
                self.unbind(1);
                format!("(reach {start} via {var} -> {step})")
            }
            _ => self.known(ty, depth).unwrap_or_else(|| self.leaf(ty)),
        }
    }

    /// A place of a zone of some kinds where everybody sees what lies there.
    pub(super) fn a_place(&mut self, kinds: &[Heap], d: usize) -> String {
        let (of, in_secret) = (self.holders.clone(), self.reads_secrets());
        if self.reads_own() && kinds.contains(&Heap::Bag) && self.once_in(3) {
            return self.pick(&["hand[me]", "hand[me]", "dark[me]"]).to_owned();
        }
        let fits = of.into_iter().filter(|it| kinds.contains(&it.kind));
        self.place_among(fits.filter(|it| in_secret || !it.hidden).collect(), d)
    }

    /// Whether secrets may be read here: where they stay so, or by mistake.
    fn reads_secrets(&mut self) -> bool {
        self.in_secret || self.shape.secrets && !self.is_wary && self.once_in(60)
    }

    /// Whether a seat may read here what it sees.
    fn reads_own(&mut self) -> bool {
        let is_here = self.locals.iter().any(|it| it.name == "me");
        self.shape.secrets && is_here && (!self.in_flow || self.once_in(8))
    }

    /// A place of a zone of some kinds.
    pub(super) fn somewhere(&mut self, kinds: &[Heap], d: usize) -> String {
        let fits = self.holders.clone().into_iter();
        self.place_among(fits.filter(|it| kinds.contains(&it.kind)).collect(), d)
    }

    fn place_among(&mut self, fits: Vec<Holder>, d: usize) -> String {
        let holder = self.pick(&fits);
        match holder.index {
            Some(kind) => format!("{}[{}]", holder.name, self.one(kind, d)),
            None => holder.name.to_owned(),
        }
    }

    pub(super) fn variable(&mut self, kind: Kind) -> String {
        let name = format!("{}_", self.name("v"));
        self.locals.push(Named::new(name.clone(), Ty::One(kind)));
        name
    }

    pub(super) fn unbind(&mut self, n: usize) {
        self.locals.truncate(self.locals.len() - n);
    }

    /// One or two variables with their conditions.
    pub(super) fn binders(&mut self, d: usize) -> (String, usize) {
        let kind = self.set_kind();
        let (first, _) = self.binder(kind, d);
        if self.below(3) > 0 {
            return (first, 1);
        }
        let kind = self.set_kind();
        let (second, _) = self.binder(kind, d);
        (format!("{first}, {second}"), 2)
    }

    /// A variable with its condition.
    pub(super) fn binder(&mut self, kind: Kind, d: usize) -> (String, usize) {
        let over = match (kind, self.below(3)) {
            (Kind::Number, 0) => self.kind_name(kind),
            (Kind::Number, 1) if !self.constant => {
                let (lo, hi) = self.small;
                let ends = [self.number(d), self.number(d)].map(|it| self.between(it, lo, hi));
                ends.join("..")
            }
            (Kind::Card, 0 | 1) if !self.constant && self.zones => {
                self.a_place(&[Heap::Bag, Heap::Pile], d)
            }
            (Kind::Number, _) | (_, 2) => self.set(kind, d),
            _ => self.kind_name(kind),
        };
        let name = self.variable(kind);
        if self.once_in(3) {
            return (format!("{name} in {over}"), 1);
        }
        let guard = self.truth(d);
        (format!("{name} in {over} where {guard}"), 1)
    }
}

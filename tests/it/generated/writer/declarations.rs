//! What lies on the table, and what never changes.

use super::{Heap, Holder, Kind, MARK, Named, Ty, Writer};

impl Writer {
    pub(super) fn header(&mut self) {
        let seats = ["anna, bert", "anna, bert, cleo"][self.seats - 2];
        self.line(&format!("game made \"Made\" {{ seats {seats} }}"));
        let (colours, days) = (self.colours, self.days);
        let names = |stem: &str, n: usize| {
            let all: Vec<String> = (1..=n).map(|at| format!("{stem}{at}")).collect();
            all.join(", ")
        };
        self.line(&format!("enum Colour {{ {} }}", names("hue", colours)));
        self.line(&format!("enum Day cyclic {{ {} }}", names("day", days)));
        let values = self.values;
        let more = [
            "",
            ", worn: bool",
            ", marked: Colour or none",
            ", marks: set of Colour",
        ][self.bears];
        self.line(&format!(
            "component Card {{ colour: Colour, value: 1..{values}{more} }}"
        ));
        let (columns, rows) = (self.columns, self.rows);
        self.line(&format!(
            "space Cell: grid(column: 1..{columns}, row: 1..{rows})"
        ));
        // A single cell has no neighbours.
        if columns * rows > 1 {
            self.line("space Join: edges(Cell)");
            self.line("track open_[Join]: bool = false");
        }
        let spots = self.spots;
        let shape = if self.ring { "ring" } else { "line" };
        self.line(&format!("space Spot: {shape}({spots})"));
    }

    /// What is settled before a game.
    fn declare_settings(&mut self) {
        for kind in [Kind::Number, Kind::Truth] {
            let (name, of, literal) = (self.name("o"), self.kind_name(kind), self.literal(kind));
            self.line(&format!("option {name}: {of} = {literal} \"{name}\""));
            self.settings.push(Named {
                literal: Some(literal),
                ..Named::new(name, Ty::One(kind))
            });
        }
        let usual = self.pick(&["sunny", "rainy"]);
        self.line("enum Sky { sunny, rainy }");
        self.line(&format!("option sky: Sky = {usual} \"sky\""));
    }

    pub(super) fn declare(&mut self) {
        self.declare_settings();
        for _ in 0..5 {
            let (lo, hi) = self.bounds();
            let near = [lo, hi, lo + 1, hi - 1, 0, 1, (lo + hi) / 2];
            let init = self.pick(&near).clamp(lo, hi);
            let declared = match self.below(3) {
                0 => "int".to_owned(),
                _ => format!("{lo}..{hi}"),
            };
            let bounds = if declared == "int" {
                (-2_147_483_647, 2_147_483_647)
            } else {
                (lo, hi)
            };
            let literal = self.written(init);
            self.track(Ty::One(Kind::Number), &[], &declared, literal, Some(bounds));
        }
        for kind in [
            Kind::Truth,
            Kind::Colour,
            Kind::Day,
            Kind::Seat,
            Kind::Cell,
            Kind::Cell,
            Kind::Spot,
            Kind::Way,
            Kind::Card,
        ] {
            let (declared, literal) = (self.kind_name(kind), self.literal(kind));
            self.track(Ty::One(kind), &[], &declared, literal, None);
        }
        for kind in [
            Kind::Number,
            Kind::Colour,
            Kind::Cell,
            Kind::Seat,
            Kind::Day,
        ] {
            let declared = format!("{} or none", self.kind_name(kind));
            // Where nothing says of what kind, `none` stands beside something.
            let some = self.literal(kind);
            let literal = match self.below(3) {
                0 => format!("(if true then none else {some})"),
                _ => some,
            };
            self.track(Ty::Maybe(kind), &[], &declared, literal, None);
        }
        if self.is_bold {
            let way = self.literal(Kind::Way);
            let declared = format!("{} or none", self.kind_name(Kind::Way));
            self.track(Ty::Maybe(Kind::Way), &[], &declared, way, None);
            let truth = self.literal(Kind::Truth);
            self.track(Ty::Maybe(Kind::Truth), &[], "bool or none", truth, None);
        }
        for kind in [
            Kind::Number,
            Kind::Colour,
            Kind::Cell,
            Kind::Spot,
            Kind::Seat,
        ] {
            let declared = format!("set of {}", self.kind_name(kind));
            let members: Vec<String> = (0..self.below(4)).map(|_| self.literal(kind)).collect();
            let literal = if members.is_empty() {
                let some = self.literal(kind);
                format!("({{{some}}} - {{{some}}})")
            } else {
                format!("{{{}}}", members.join(", "))
            };
            self.track(Ty::Set(kind), &[], &declared, literal, None);
        }
        let indices: [&[Kind]; 6] = [
            &[Kind::Colour],
            &[Kind::Number],
            &[Kind::Seat],
            &[Kind::Cell],
            &[Kind::Spot],
            &[Kind::Number, Kind::Colour],
        ];
        for index in indices {
            let (lo, hi) = self.bounds();
            let init = self.pick(&[lo, hi, 0]).clamp(lo, hi);
            let declared = format!("{lo}..{hi}");
            let literal = self.written(init);
            self.track(
                Ty::One(Kind::Number),
                index,
                &declared,
                literal,
                Some((lo, hi)),
            );
        }
        self.track(
            Ty::One(Kind::Truth),
            &[Kind::Cell],
            "bool",
            "false".into(),
            None,
        );
        let hue = self.literal(Kind::Colour);
        self.track(
            Ty::Maybe(Kind::Colour),
            &[Kind::Seat],
            "Colour or none",
            hue,
            None,
        );
        let declared = format!("set of {}", self.kind_name(Kind::Cell));
        let cell = format!("{{{}}}", self.literal(Kind::Cell));
        self.track(Ty::Set(Kind::Cell), &[Kind::Seat], &declared, cell, None);
        let hues = format!("{{{}}}", self.literal(Kind::Colour));
        let by_cell = &[Kind::Cell];
        self.track(Ty::Set(Kind::Colour), by_cell, "set of Colour", hues, None);
        self.declare_tables();
        self.declare_zones();
    }

    fn track(
        &mut self,
        ty: Ty,
        index: &[Kind],
        declared: &str,
        literal: String,
        bounds: Option<(i64, i64)>,
    ) {
        let name = self.name("t");
        let mut seen = "";
        if self.shape.secrets && self.once_in(3) {
            seen = if index.contains(&Kind::Seat) {
                self.pick(&[" seen by owner", " seen by others"])
            } else {
                " hidden"
            };
        }
        let hidden = !seen.is_empty();
        let brackets = self.brackets(index);
        self.line(&format!(
            "track {name}{brackets}: {declared} = {literal}{seen}"
        ));
        self.tracks.push(Named {
            index: index.to_vec(),
            literal: index.is_empty().then_some(literal),
            bounds,
            hidden,
            others: seen == " seen by others",
            ..Named::new(name, ty)
        });
    }

    fn brackets(&self, index: &[Kind]) -> String {
        if index.is_empty() {
            return String::new();
        }
        let names: Vec<String> = index.iter().map(|it| self.kind_name(*it)).collect();
        format!("[{}]", names.join(", "))
    }

    /// Every literal of a kind that tables can be over.
    fn all(&self, kind: Kind) -> Vec<String> {
        match kind {
            Kind::Number => (self.small.0..=self.small.1)
                .map(|it| it.to_string())
                .collect(),
            Kind::Colour => (1..=self.colours).map(|it| format!("hue{it}")).collect(),
            Kind::Day => (1..=self.days).map(|it| format!("day{it}")).collect(),
            _ => Vec::new(),
        }
    }

    fn declare_tables(&mut self) {
        let tables = [
            (Ty::One(Kind::Number), vec![Kind::Number]),
            (Ty::One(Kind::Number), vec![Kind::Colour, Kind::Day]),
            (Ty::One(Kind::Truth), vec![Kind::Colour]),
            (Ty::One(Kind::Colour), vec![Kind::Number]),
            (Ty::Maybe(Kind::Day), vec![Kind::Colour]),
            (Ty::Set(Kind::Colour), vec![Kind::Colour]),
        ];
        for (ty, index) in tables {
            let mut declared = self.declared(ty);
            let (lo, hi) = self.bounds();
            if ty == Ty::One(Kind::Number) {
                declared = format!("{lo}..{hi}");
            }
            let mut rows: Vec<String> = vec![String::new()];
            for kind in &index {
                let all = self.all(*kind);
                let longer = rows.iter().flat_map(|row| {
                    let comma = if row.is_empty() { "" } else { ", " };
                    all.iter().map(move |it| format!("{row}{comma}{it}"))
                });
                rows = longer.collect();
            }
            let mut usual = String::new();
            if index[0] == Kind::Number && self.small.0 < 0 {
                // No row begins with a sign.
                rows.retain(|row| !row.starts_with('-'));
                usual = format!(" else {}", self.cell(ty, lo, hi));
            }
            let name = self.name("w");
            let mut text = format!(
                "table {name}{}: {declared}{usual} {{",
                self.brackets(&index)
            );
            for row in rows {
                let cell = self.cell(ty, lo, hi);
                text.push_str(&format!(" {row}: {cell} "));
            }
            text.push('}');
            self.line(&text);
            self.tables.push(Named {
                index,
                ..Named::new(name, ty)
            });
        }
    }

    /// A value for a table, whose numbers lie within bounds.
    fn cell(&mut self, ty: Ty, lo: i64, hi: i64) -> String {
        match ty {
            Ty::One(Kind::Number) => {
                let near = [lo, hi, 0, 1, -1, (lo + hi) / 2];
                self.pick(&near).clamp(lo, hi).to_string()
            }
            Ty::One(kind) => self.literal(kind),
            Ty::Maybe(_) if self.once_in(3) => "none".to_owned(),
            Ty::Maybe(kind) => self.literal(kind),
            Ty::Set(kind) => {
                let members: Vec<String> = (0..self.below(3)).map(|_| self.literal(kind)).collect();
                format!("{{{}}}", members.join(", "))
            }
        }
    }

    fn declare_zones(&mut self) {
        let own = if self.shape.secrets {
            "seen by owner"
        } else {
            "open"
        };
        let dark = self.shape.secrets || self.once_in(2);
        let hidden = if dark { "hidden" } else { "open" };
        let day = self.literal(Kind::Day);
        self.line(&format!("zone hand[seat]: bag of Card {own}"));
        self.line(&format!(
            "zone lying[Cell]: one Card with turned: Day = {day} open"
        ));
        self.line("zone spare: one Card with turned: Day, high: bool = true open");
        self.line(&format!("zone deck: pile of Card {hidden}"));
        self.line("zone heaps[Colour]: pile of Card open");
        self.line("zone few: bag of Card up to 2 open");
        let secrets = self.shape.secrets;
        let holder = |name, index, kind| Holder {
            name,
            index,
            kind,
            hidden: secrets && matches!(name, "hand" | "dark") || dark && name == "deck",
        };
        self.holders = vec![
            holder("hand", Some(Kind::Seat), Heap::Bag),
            holder("lying", Some(Kind::Cell), Heap::One),
            holder("spare", None, Heap::One),
            holder("deck", None, Heap::Pile),
            holder("heaps", Some(Kind::Colour), Heap::Pile),
            holder("few", None, Heap::Bag),
        ];
        if secrets {
            let seen = self.pick(&["hidden", "seen by owner", "seen by others"]);
            self.line(&format!("zone dark[seat]: bag of Card {seen}"));
            self.holders
                .push(holder("dark", Some(Kind::Seat), Heap::Bag));
            for name in ["hand", "few", "dark", "spare"] {
                self.line(&format!("show {name} as \"{name}\""));
            }
            let tracks = self.tracks.clone().into_iter();
            for track in tracks.filter(|it| !matches!(it.ty, Ty::Set(_))) {
                let name = track.name;
                self.line(&format!("show {name} as \"{name}\""));
            }
        }
        let many = if self.bears == 3 { 2 } else { 30 };
        let copies = match self.full {
            true => many.min(4),
            false => self.pick(&[1, 1, 1, 2, 2, 2, many]),
        };
        self.line(&format!("supply {copies} every Card in deck"));
        self.line("supply every Card in hand[anna] where it.value == 1");
        self.line("supply every Card in heaps[it.colour] where it.colour == hue1");
        let more = self.borne(&["false", "none", "{}"].map(str::to_owned));
        self.line(&format!(
            "supply every Card in lying[Cell(1, 1)] where it == Card(hue2, 1{more})"
        ));
    }

    /// The last field of a card, if it has a third: one of these.
    pub(super) fn borne(&self, of: &[String; 3]) -> String {
        match self.bears.checked_sub(1).and_then(|at| of.get(at)) {
            Some(value) => format!(", {value}"),
            None => String::new(),
        }
    }

    /// A number as it is written.
    pub(super) fn written(&self, number: i64) -> String {
        if number == i64::from(i32::MIN) {
            // Its digits alone are one too many.
            "(-2147483647 - 1)".to_owned()
        } else if number < 0 {
            format!("({number})")
        } else {
            number.to_string()
        }
    }

    /// A value of a kind.
    pub(super) fn literal(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Truth => self.pick(&["true", "false"]).to_owned(),
            Kind::Number => {
                let (lo, hi) = self.small;
                let span = usize::try_from(hi - lo + 1).unwrap();
                let number = lo + i64::try_from(self.below(span)).unwrap();
                self.written(number)
            }
            Kind::Colour => format!("hue{}", 1 + self.below(self.colours)),
            Kind::Day => format!("day{}", 1 + self.below(self.days)),
            Kind::Seat => self
                .pick(&["anna", "bert", "cleo"][..self.seats])
                .to_owned(),
            Kind::Cell => {
                let (column, row) = (1 + self.below(self.columns), 1 + self.below(self.rows));
                format!("Cell({column}, {row})")
            }
            Kind::Spot => format!("Spot({})", self.below(self.spots)),
            Kind::Way => self
                .pick(&["n", "ne", "e", "se", "s", "sw", "w", "nw"])
                .to_owned(),
            Kind::Card => {
                let (colour, value) = (self.literal(Kind::Colour), 1 + self.below(self.values));
                let (worn, mark) = (self.literal(Kind::Truth), self.literal(Kind::Colour));
                let marks = format!("{{{}}}", self.literal(Kind::Colour));
                let more = self.borne(&[worn, mark, marks]);
                format!("Card({colour}, {value}{more})")
            }
        }
    }

    /// A literal number of any size.
    pub(super) fn any_number(&mut self) -> String {
        if self.shape.secrets {
            return self.literal(Kind::Number);
        }
        let number = match self.below(7) {
            // As great as can be calculated with.
            6 => {
                return self
                    .pick(&[
                        "(999999999 * 1000000000 + 999999999)",
                        "((-999999999) * 1000000000 - 999999999)",
                        "(1000000000 * 999999999)",
                        "(2147483647 * 200000000)",
                    ])
                    .to_owned();
            }
            0 => self.pick(&[
                2_147_483_647,
                i64::from(i32::MIN),
                2_147_483_646,
                65_536,
                46_341,
                1_000_000_000,
                -2_147_483_647,
            ]),
            1 => i64::try_from(self.below(2000)).unwrap() - 1000,
            _ => i64::try_from(self.below(9)).unwrap() - 3,
        };
        self.written(number)
    }

    /// A few definitions with parameters that others call.
    pub(super) fn define_helpers(&mut self, many: usize) {
        for _ in 0..many {
            self.constant = self.once_in(2);
            let pure = self.constant;
            let params: Vec<Kind> = (0..1 + self.below(2)).map(|_| self.any_kind()).collect();
            let ty = self.any_ty();
            let mut heads = Vec::new();
            for kind in &params {
                let name = self.name("p");
                let of = match kind {
                    Kind::Number => match self.below(2) {
                        0 => "int".to_owned(),
                        _ => self.kind_name(*kind),
                    },
                    _ => self.kind_name(*kind),
                };
                heads.push(format!("{name}: {of}"));
                self.locals.push(Named::new(name, Ty::One(*kind)));
            }
            self.in_secret = self.shape.secrets && !pure && self.once_in(2);
            let hidden = self.in_secret;
            let text = self.value(ty, 3);
            self.in_secret = false;
            let text = self.named(&text);
            let text = self.held(ty, text);
            self.locals.clear();
            let (name, declared) = (self.name("d"), self.declared(ty));
            self.line(&format!(
                "define {name}({}): {declared} = {text}",
                heads.join(", ")
            ));
            self.defines.push(Named {
                index: params,
                // A constant one may be called where only constants may stand.
                literal: pure.then(String::new),
                hidden,
                ..Named::new(name, ty)
            });
        }
        self.constant = false;
        self.recursion();
        self.length();
    }

    /// A definition that comes back to itself, sometimes deeper than it may.
    fn recursion(&mut self) {
        let (name, n) = (self.name("d"), self.name("p"));
        self.locals
            .push(Named::new(n.clone(), Ty::One(Kind::Number)));
        let (last, more) = (self.number(1), self.number(1));
        self.locals.clear();
        let (op, depth) = (self.pick(&["+", "-", "*"]), 3 + self.below(6));
        let text = format!(
            "define {name}({n}: 0..9): int depth {depth} = if {n} < 1 then {last} else (({more} mod 7) {op} {name}({n} - 1))"
        );
        let text = self.named(&text);
        self.line(&text);
        self.defines.push(Named {
            index: vec![Kind::Number],
            ..Named::new(name, Ty::One(Kind::Number))
        });
    }

    /// A track, by its name or its literal later.
    pub(super) fn marked(name: &str) -> String {
        format!("{MARK}{name}{MARK}")
    }
}

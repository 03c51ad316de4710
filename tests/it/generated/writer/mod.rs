//! Writes well-typed rulebooks: text that the checker should accept, of which every piece may come to run.

mod alone;
mod carried;
mod cased;
mod compared;
mod crossed;

mod declarations;
mod ended;
mod expressions;
mod flooded;
mod flows;
mod joined;
mod laying;
mod listed;
mod lying;
mod narrowed;
mod related;
mod rows;
mod several;
mod shapes;
mod sighted;
mod statements;
mod told;
mod values;
mod weighed;
mod worth;

use crate::mutation::Numbers;

/// What is written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    /// Zones and tracks that not everybody sees, and things that are shown.
    pub secrets: bool,
    /// So many definitions to be asked, in place of a game that is played.
    pub questions: usize,
}

/// Kinds of values that a rulebook of these has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Truth,
    Number,
    Colour,
    Day,
    Seat,
    Cell,
    Spot,
    Way,
    Card,
}

/// Types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    One(Kind),
    Maybe(Kind),
    Set(Kind),
}

/// Something that has a value and a name.
#[derive(Clone, Debug)]
struct Named {
    name: String,
    ty: Ty,
    /// What stands in brackets behind a track or table, in parentheses behind a definition.
    index: Vec<Kind>,
    /// The value by which it may be written as well, where no position changes it.
    literal: Option<String>,
    /// Whether it may be assigned to: its declared bounds.
    bounds: Option<(i64, i64)>,
    /// Whether not everybody sees it.
    hidden: bool,
    /// Whether all see it but the seat in its brackets.
    others: bool,
}

impl Named {
    fn new(name: impl Into<String>, ty: Ty) -> Named {
        Named {
            name: name.into(),
            ty,
            index: Vec::new(),
            literal: None,
            bounds: None,
            hidden: false,
            others: false,
        }
    }
}

/// A zone of cards.
#[derive(Clone, Debug)]
struct Holder {
    name: &'static str,
    index: Option<Kind>,
    kind: Heap,
    hidden: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heap {
    One,
    Bag,
    Pile,
}

pub struct Writer {
    numbers: Numbers,
    shape: Shape,
    /// Whether what may be nothing stands where something is needed.
    is_bold: bool,
    out: String,
    colours: usize,
    days: usize,
    seats: usize,
    columns: usize,
    rows: usize,
    spots: usize,
    ring: bool,
    /// The greatest value of a card.
    values: usize,
    /// What else a card bears: nothing, whether it is worn, what it is marked with, if anything, or a set.
    bears: usize,
    /// Whether a card is laid on each free cell before the first turn.
    full: bool,
    /// What is done before the first turn.
    laid: String,
    /// The numbers that sets of numbers and tables are over.
    small: (i64, i64),
    tracks: Vec<Named>,
    tables: Vec<Named>,
    /// Options: named, and the same in every position.
    settings: Vec<Named>,
    defines: Vec<Named>,
    locals: Vec<Named>,
    holders: Vec<Holder>,
    /// Events and flows that may be called, with their parameters.
    events: Vec<Named>,
    flows: Vec<Named>,
    actions: Vec<Named>,
    /// What actions ask that hangs on nothing but who acts.
    said: Vec<String>,
    fresh: usize,
    /// Whether only that may be written which no position changes.
    constant: bool,
    /// Whether zones may be asked in an expression.
    zones: bool,
    /// Whether somebody may decide here.
    in_flow: bool,
    /// Whether a turn may be left here.
    in_turn: bool,
    /// Whether something may be left to chance here.
    may_be_chance: bool,
    /// Whether what is worked out here goes where not everybody sees it.
    in_secret: bool,
    /// Whether nothing is read here by mistake.
    is_wary: bool,
}

/// A definition that is asked: as it stands in the rulebook, and with literals in place of tracks where
/// that says the same.
#[derive(Clone, Debug)]
pub struct Question {
    pub name: String,
    pub ty: String,
    pub folded: Option<String>,
}

/// Returns a rulebook.
pub fn generate(seed: u64, shape: &Shape) -> String {
    on_boards(asking_something(Writer::new(seed, *shape).rulebook()), seed)
}

/// Lays what lies on cells on one of several boards in some rulebooks, so that a place has two indices.
fn on_boards(text: String, seed: u64) -> String {
    let mut parts = text.match_indices("lying").map(|(at, it)| at + it.len());
    let has_whole = parts.any(|end| !text[end..].starts_with('['));
    if !seed.is_multiple_of(3) || has_whole {
        return text;
    }
    let boards = [
        "hue1",
        "on_top_now",
        "(if on_top_now == hue1 then hue2 else hue1)",
    ];
    let turned = "round += 1  on_top_now = if on_top_now == hue1 then hue2 else hue1";
    let lines = text.lines().zip(boards.iter().cycle());
    let mut text = String::new();
    for (line, board) in lines {
        let line = match line.strip_prefix("zone lying[Cell]") {
            Some(rest) => {
                format!("track on_top_now: Colour = hue1\nzone lying[Colour, Cell]{rest}")
            }
            None => line
                .replace("lying[", &format!("lying[{board}, "))
                .replace("round += 1", turned),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Leaves out the conditions that are `true` and no more, which are of an older form of the language.
fn asking_something(text: String) -> String {
    let behind = [" }", ",", ")", " by ", " {", " to ", "  "];
    let text = behind.iter().fold(text, |text, end| {
        text.replace(&format!(" where true{end}"), end)
    });
    text.replace(" where true\n", "\n")
}

/// Returns a rulebook of definitions and what each is with literals in place of tracks. One line holds one
/// item, so that an item can be left out.
pub fn questions(seed: u64, shape: &Shape) -> (String, Vec<Question>) {
    let mut writer = Writer::new(seed, *shape);
    let asked = writer.questions();
    (writer.out, asked)
}

/// Marks a name that may be replaced by its literal.
const MARK: char = '\u{1}';

impl Writer {
    fn new(seed: u64, shape: Shape) -> Writer {
        let mut numbers = Numbers::new(seed);
        let mut between = |least: usize, most: usize| least + numbers.below(most - least + 1);
        let (colours, days, seats) = (between(2, 5), between(2, 7), between(2, 3));
        let (columns, rows, spots) = (between(1, 4), between(1, 4), between(2, 9));
        let (ring, values, bears) = (between(0, 1) == 1, between(1, 4), between(0, 3));
        let full = between(0, 3) == 0;
        let low = i64::try_from(between(0, 6)).unwrap() - 4;
        let small = (low, low + i64::try_from(between(1, 6)).unwrap());
        Writer {
            numbers,
            shape,
            is_bold: seed % 7 == 6,
            out: String::new(),
            colours,
            days,
            seats,
            columns,
            rows,
            spots,
            ring,
            values,
            bears,
            full,
            laid: String::new(),
            small,
            tracks: Vec::new(),
            tables: Vec::new(),
            settings: Vec::new(),
            defines: Vec::new(),
            locals: Vec::new(),
            holders: Vec::new(),
            events: Vec::new(),
            flows: Vec::new(),
            actions: Vec::new(),
            said: Vec::new(),
            fresh: 0,
            constant: false,
            zones: true,
            in_flow: false,
            in_turn: false,
            may_be_chance: false,
            in_secret: false,
            is_wary: false,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.numbers.below(limit)
    }

    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        let at = self.below(of.len());
        of[at].clone()
    }

    fn name(&mut self, stem: &str) -> String {
        self.fresh += 1;
        format!("{stem}{}", self.fresh)
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Definitions of all types, and a game that does nothing.
    fn questions(&mut self) -> Vec<Question> {
        self.header();
        self.declare();
        self.define_helpers(4);
        let mut asked = Vec::new();
        for _ in 0..self.shape.questions {
            self.constant = self.once_in(2);
            let ty = self.any_ty();
            let depth = 1 + self.below(4);
            let text = self.value(ty, depth);
            let text = self.held(ty, text);
            let declared = self.declared(ty);
            let name = self.name("q");
            let literal = [0, 1, 2, 2][self.below(4)];
            let mixed = self.unmarked(&text, literal);
            self.line(&format!("define {name}: {declared} = {mixed}"));
            let folded = self.constant.then(|| self.unmarked(&text, 0));
            asked.push(Question {
                name,
                ty: declared,
                folded,
            });
        }
        self.constant = false;
        self.line("flow main() { choose anna: stop \"stop\" { }  end over() }");
        self.line("ending over() { winner none }");
        asked
    }

    /// The text with each marked name, or its literal: always the literal for 0, never for 2.
    fn unmarked(&mut self, text: &str, names: usize) -> String {
        let mut out = String::new();
        let mut parts = text.split(MARK);
        out.push_str(parts.next().unwrap_or_default());
        while let (Some(name), Some(rest)) = (parts.next(), parts.next()) {
            let mut named = self.tracks.iter().chain(&self.settings);
            let track = named.find(|it| it.name == name);
            let literal = track.and_then(|it| it.literal.clone());
            match literal {
                Some(literal) if names == 0 || names == 1 && self.once_in(2) => {
                    out.push_str(&literal);
                }
                _ => out.push_str(name),
            }
            out.push_str(rest);
        }
        out
    }

    /// The text with the names that it speaks of.
    fn named(&self, text: &str) -> String {
        text.replace(MARK, "")
    }

    fn any_ty(&mut self) -> Ty {
        let kind = self.any_kind();
        match self.below(10) {
            0..=3 => Ty::One(Kind::Number),
            4 | 5 => Ty::One(Kind::Truth),
            6 => Ty::One(kind),
            7 if kind != Kind::Truth => Ty::Maybe(kind),
            8 | 9 if !matches!(kind, Kind::Truth | Kind::Way) => Ty::Set(kind),
            _ => Ty::One(Kind::Number),
        }
    }

    fn any_kind(&mut self) -> Kind {
        self.pick(&[
            Kind::Truth,
            Kind::Number,
            Kind::Colour,
            Kind::Day,
            Kind::Seat,
            Kind::Cell,
            Kind::Spot,
            Kind::Way,
            Kind::Card,
        ])
    }

    /// What a definition says: mostly within what is declared where a game is to go on, else as it comes.
    fn held(&mut self, ty: Ty, text: String) -> String {
        let free = if self.shape.questions > 0 { 2 } else { 6 };
        match ty {
            _ if self.once_in(free) => text,
            Ty::One(Kind::Number) if self.once_in(2) => format!("({text} mod 1000)"),
            Ty::One(Kind::Number) => self.between(text, -2_147_483_647, 2_147_483_647),
            Ty::One(kind) if kind != Kind::Truth => {
                format!("({text} default {})", self.literal(kind))
            }
            _ => text,
        }
    }

    /// A type as it is declared.
    fn declared(&mut self, ty: Ty) -> String {
        match ty {
            Ty::One(Kind::Number) => {
                let (lo, hi) = self.bounds();
                let seldom = if self.shape.questions > 0 { 4 } else { 10 };
                match self.below(seldom) {
                    0 => format!("{lo}..{hi}"),
                    _ => "int".to_owned(),
                }
            }
            Ty::One(kind) => self.kind_name(kind),
            Ty::Maybe(kind) => format!("{} or none", self.kind_name(kind)),
            Ty::Set(kind) => format!("set of {}", self.kind_name(kind)),
        }
    }

    fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Truth => "bool",
            Kind::Number => return format!("{}..{}", self.small.0, self.small.1),
            Kind::Colour => "Colour",
            Kind::Day => "Day",
            Kind::Seat => "seat",
            Kind::Cell => "Cell",
            Kind::Spot => "Spot",
            Kind::Way => "Direction",
            Kind::Card => "Card",
        }
        .to_owned()
    }

    /// Bounds of a number, at the edges of what can be kept more often than not.
    fn bounds(&mut self) -> (i64, i64) {
        let edges = [
            (0, 9),
            (-3, 3),
            (1, 6),
            (0, 255),
            (0, 65_535),
            (-200, 100),
            (0, 2_147_483_647),
            (-2_147_483_647, 0),
            (-2_147_483_647, 2_147_483_647),
            (1, 1),
            (-2_147_483_647, -2_147_483_640),
            (2_147_483_600, 2_147_483_647),
            (-1, 0),
        ];
        match self.shape.secrets {
            true => self.pick(&edges[..3]),
            false => self.pick(&edges),
        }
    }
}

use super::table::nodes;
use super::tree::As;
use super::*;

/// Anything but the header.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The doc comment before it.
    pub docs: Vec<Doc>,
    /// What it is.
    pub kind: ItemKind,
    /// Citations and the like, wherever they were written.
    pub tail: Tail,
    /// From the item word to the end, without docs.
    pub span: Span,
}

/// What an [`Item`] is.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each payload is documented")]
pub enum ItemKind {
    Enum(EnumDecl),
    Record(RecordDecl),
    Component(ComponentDecl),
    Supply(Supply),
    Space(SpaceDecl),
    Setting(Setting),
    Zone(ZoneDecl),
    Track(TrackDecl),
    Table(TableDecl),
    Define(Define),
    Event(Event),
    Action(Action),
    Flow(Flow),
    Ending(Ending),
    Invariant(Invariant),
    Show(ShowDecl),
    Picture(Picture),
    Aside(Aside),
    Sentences(SentenceList),
    Ruling(Ruling),
    Study(Study),
    Edit(Edit),
    Relation(Relation),
    Resolve(Resolve),
}

impl ItemKind {
    /// Returns the name that the item declares.
    pub fn name(&self) -> Option<&Name> {
        match self {
            ItemKind::Enum(it) => Some(&it.name),
            ItemKind::Record(it) => Some(&it.name),
            ItemKind::Component(it) => Some(&it.name),
            ItemKind::Space(it) => Some(&it.name),
            ItemKind::Setting(it) => Some(&it.name),
            ItemKind::Zone(it) => Some(&it.name),
            ItemKind::Track(it) => Some(&it.name),
            ItemKind::Table(it) => Some(&it.name),
            ItemKind::Define(it) => Some(&it.name),
            ItemKind::Event(it) => Some(&it.name),
            ItemKind::Action(it) => Some(&it.name),
            ItemKind::Flow(it) => Some(&it.name),
            ItemKind::Ending(it) => Some(&it.name),
            ItemKind::Invariant(it) => Some(&it.name),
            ItemKind::Ruling(it) => Some(&it.id),
            ItemKind::Study(it) => Some(&it.id),
            ItemKind::Supply(_)
            | ItemKind::Show(_)
            | ItemKind::Picture(_)
            | ItemKind::Aside(_)
            | ItemKind::Sentences(_)
            | ItemKind::Edit(_)
            | ItemKind::Relation(_)
            | ItemKind::Resolve(_) => None,
        }
    }

    /// Returns the word that the item begins with.
    pub fn word(&self) -> &'static str {
        match self {
            ItemKind::Enum(_) => "enum",
            ItemKind::Record(_) => "record",
            ItemKind::Component(_) => "component",
            ItemKind::Supply(_) => "supply",
            ItemKind::Space(_) => "space",
            ItemKind::Setting(it) => it.intent.word(),
            ItemKind::Zone(_) => "zone",
            ItemKind::Track(_) => "track",
            ItemKind::Table(_) => "table",
            ItemKind::Define(_) => "define",
            ItemKind::Event(_) => "event",
            ItemKind::Action(_) => "action",
            ItemKind::Flow(_) => "flow",
            ItemKind::Ending(_) => "ending",
            ItemKind::Invariant(_) => "invariant",
            ItemKind::Show(_) => "show",
            ItemKind::Picture(_) => "picture",
            ItemKind::Aside(_) => "aside",
            ItemKind::Sentences(_) => "sentences",
            ItemKind::Ruling(_) => "ruling",
            ItemKind::Study(_) => "study",
            ItemKind::Edit(it) => it.word(),
            ItemKind::Relation(it) => it.kind.word(),
            ItemKind::Resolve(_) => "resolve",
        }
    }
}

/// `enum Suit { clubs "♣" "c", … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumDecl {
    /// The name of the type.
    pub name: Name,
    /// Whether the last value is followed by the first.
    pub cyclic: bool,
    /// The values in order.
    pub values: Vec<EnumValue>,
}

/// A value of an enum with how it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// The name of the value.
    pub name: Name,
    /// How it is printed.
    pub symbol: Option<Text>,
    /// How it is printed and typed in plain ASCII.
    pub plain: Option<Text>,
    /// Name and symbols.
    pub span: Span,
}

/// `record Piece { kind: Kind, … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordDecl {
    /// The name of the type.
    pub name: Name,
    /// The fields in order.
    pub fields: Vec<FieldDecl>,
}

/// `component Card { suit: Suit, … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentDecl {
    /// The name of the kind.
    pub name: Name,
    /// The fields in order.
    pub fields: Vec<FieldDecl>,
}

/// `turn: Side = n`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDecl {
    /// The name of the field.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its value where none is given.
    pub default: Option<Expr>,
    /// The whole field.
    pub span: Span,
}

/// `supply [n] every Card [where P] in stock`.
#[derive(Clone, Debug, PartialEq)]
pub struct Supply {
    /// How many copies of each kind; one if not said. May read `it`.
    pub count: Option<Expr>,
    /// The component.
    pub component: Name,
    /// Which kinds; may read `it`.
    pub condition: Option<Expr>,
    /// Where they start; may read `it`.
    pub place: Expr,
}

/// `space Plot: grid(lane: Lane, depth: 1..7)`.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceDecl {
    /// The name of the domain.
    pub name: Name,
    /// `grid`, `line`, `ring`, `graph`, `plane`, `parts`.
    pub shape: Name,
    /// What it is made of.
    pub axes: Vec<Axis>,
    /// Where parts of neighbours meet.
    pub meeting: Option<Meeting>,
}

/// `meeting at ports turned by turn`.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// The definition that says which ports a part has.
    pub ports: Name,
    /// The field of the zone by which everything lying there is turned.
    pub turn: Option<Name>,
}

/// One argument of a space's shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// `lane: Lane`.
    Named {
        /// The name of the coordinate.
        name: Name,
        /// Its type.
        ty: Type,
    },
    /// `26`, `Side`, `land`.
    Value(Expr),
}

/// `option NAME: T = e "text"` or `question NAME "text" { readings }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// A knob or a disputed point.
    pub intent: Intent,
    /// Its name.
    pub name: Name,
    /// What it is about, in words.
    pub text: Text,
    /// Where it is asked: where all of these hold; everywhere, if there are none.
    pub under: Vec<Condition>,
    /// What it may be set to.
    pub values: SettingValues,
    /// Of an option, the edits that hold where it is not at its default.
    pub edits: Option<Vec<Item>>,
}

impl Setting {
    /// Returns where it is asked, as it is written; nothing if it always is.
    pub fn condition(&self) -> String {
        let conditions: Vec<String> = self.under.iter().map(Condition::to_string).collect();
        conditions.join(", ")
    }
}

/// `swap_limit = in_a_row, in_the_round`: a question that is answered by one of these.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The question.
    pub question: Name,
    /// The readings, one of which has to be chosen; at least one.
    pub readings: Vec<Name>,
    /// The whole condition.
    pub span: Span,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let readings: Vec<&str> = self.readings.iter().map(Name::as_str).collect();
        write!(f, "{} = {}", self.question, readings.join(", "))
    }
}

/// Why there is a setting; both work alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// A knob of the game.
    Option,
    /// A disputed point of the rules.
    Question,
}

impl Intent {
    /// Returns the word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Intent::Option => "option",
            Intent::Question => "question",
        }
    }
}

/// What a [`Setting`] may be set to.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValues {
    /// `: 1..10 = 3`.
    Typed {
        /// The type of the values.
        ty: Type,
        /// The value if nobody sets it.
        default: Expr,
    },
    /// `{ name "text" default … }`; at least one.
    Readings(Vec<Reading>),
}

/// One way to read a disputed point.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The doc comment before it.
    pub docs: Vec<Doc>,
    /// Its name.
    pub name: Name,
    /// The reading in words.
    pub text: Text,
    /// Whether it holds if nobody sets another.
    pub default: bool,
    /// Citations and the like.
    pub tail: Tail,
    /// The edits that hold where it is chosen.
    pub edits: Option<Vec<Item>>,
    /// The whole reading.
    pub span: Span,
}

/// `zone hand[seat]: bag of Card up to 5 seen by owner`.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneDecl {
    /// Its name.
    pub name: Name,
    /// The domains of its index; empty for a single zone.
    pub index: Vec<Type>,
    /// How components lie in it.
    pub kind: ZoneKind,
    /// The component it holds.
    pub component: Name,
    /// `up to n`.
    pub capacity: Option<Expr>,
    /// `with turn: Side = n`: fields of the place.
    pub fields: Vec<FieldDecl>,
    /// Who sees what lies there.
    pub visibility: Option<Visibility>,
}

/// How components lie in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneKind {
    /// `one C`: at most one.
    One,
    /// `bag of C`: counted, without order.
    Bag,
    /// `pile of C`: ordered from its top as far as anybody knows the order.
    Pile,
}

/// Who sees what lies in a zone or stands on a track.
#[derive(Clone, Debug, PartialEq)]
pub struct Visibility {
    /// Who sees it.
    pub audience: Audience,
    /// The words.
    pub span: Span,
}

nodes! {
    /// Who sees something.
    pub enum Audience {
        /// `open`; in `show … to all`, everybody.
        All word "all",
        /// `hidden`.
        Nobody word "nobody",
        /// `seen by WHO`, `show … to WHO`. `owner` is the seat in the index.
        Seat(who: Expr as Role::Tight) = "seat",
    }
}

/// `track points[seat]: 0..200 = 0`.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackDecl {
    /// Its name.
    pub name: Name,
    /// The domains of its index; empty for a single track.
    pub index: Vec<Type>,
    /// The type of its values.
    pub ty: Type,
    /// The value at the start.
    pub start: Option<Expr>,
    /// Who sees it.
    pub visibility: Option<Visibility>,
}

/// `table edge[Design, Side]: Land else field { a, s: road … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct TableDecl {
    /// Its name.
    pub name: Name,
    /// The types of the keys.
    pub index: Vec<Type>,
    /// The type of the values.
    pub ty: Type,
    /// The value where there is no row.
    pub otherwise: Option<Expr>,
    /// The rows as written.
    pub rows: Vec<Row>,
}

/// `a, road1: road, sides = {s}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Names or numbers, one for each index.
    pub keys: Vec<Key>,
    /// The value, or the fields of a record.
    pub cells: Vec<Cell>,
    /// Citations and the like.
    pub tail: Tail,
    /// The whole row.
    pub span: Span,
}

/// A key of a [`Row`].
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A value of an enum.
    Name(Name),
    /// A member of a range.
    Number(Number),
}

/// A cell of a [`Row`]: a value in the place of the next field, or a field with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The field, if it is named.
    pub field: Option<Name>,
    /// The value.
    pub value: Expr,
}

/// `define dug(s: seat): set of Plot [depth N] = e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    /// Its name.
    pub name: Name,
    /// What it depends on; if empty, it is used without parentheses.
    pub params: Vec<Param>,
    /// The type of the value.
    pub ty: Type,
    /// How deep it may call itself.
    pub depth: Option<Number>,
    /// The value.
    pub value: Expr,
}

/// `event claim(c: Colour) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name.
    pub name: Name,
    /// What it depends on.
    pub params: Vec<Param>,
    /// What happens.
    pub body: Block,
}

/// `action swap(used in hand[me]) "swap {used}" { require … do { … } }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// What the seat chooses.
    pub params: Vec<Param>,
    /// How the move is printed and typed.
    pub text: Option<Template>,
    /// The clauses.
    pub requires: Vec<Require>,
    /// What the move does.
    pub body: Option<Block>,
}

/// `require stalemate: e else "…"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Require {
    /// The doc comment before it.
    pub docs: Vec<Doc>,
    /// The label.
    pub label: Name,
    /// What must hold.
    pub condition: Expr,
    /// What is said if it does not hold.
    pub message: Option<Template>,
    /// Citations and the like.
    pub tail: Tail,
    /// The whole clause.
    pub span: Span,
}

/// `flow round(leader: seat): seat { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Its name.
    pub name: Name,
    /// What it depends on.
    pub params: Vec<Param>,
    /// The type of the value it returns.
    pub result: Option<Type>,
    /// How deep it may call itself.
    pub depth: Option<Number>,
    /// How it goes on.
    pub body: Block,
}

/// `ending finished() { ranking seat by points }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// Its name.
    pub name: Name,
    /// What it depends on.
    pub params: Vec<Param>,
    /// The judgement.
    pub body: Block,
}

/// `invariant halves(d: Design) where drawn(d): e else "…"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    /// Its name.
    pub name: Name,
    /// For which values it holds: for all.
    pub params: Vec<Param>,
    /// For which of them only.
    pub guard: Option<Expr>,
    /// What always holds.
    pub condition: Expr,
    /// What is wrong where it does not hold.
    pub message: Option<Template>,
}

/// `picture Part(t, s) { line grey "road" where … … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The space of the parts.
    pub space: Name,
    /// What the conditions call a component and a slot.
    pub formals: Vec<Name>,
    /// What the parts look like.
    pub layers: Vec<Layer>,
}

/// `area "▒" "#" brown "city" where e`.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// How it is drawn.
    pub brush: Brush,
    /// What stands for it in a terminal.
    pub sign: Option<Text>,
    /// The same in plain ASCII.
    pub plain: Option<Text>,
    /// Its colour.
    pub colour: Name,
    /// What it is.
    pub title: Text,
    /// Which parts look like this; all, if not said.
    pub condition: Option<Expr>,
    /// The whole layer.
    pub span: Span,
}

/// How a part is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brush {
    /// It fills what nothing else covers.
    Ground,
    /// A stroke between its ports.
    Line,
    /// A shape along its sides.
    Area,
    /// A sign where its line ends before the middle.
    Stop,
    /// A sign in its middle.
    Mark,
}

impl Brush {
    /// Returns the word that stands for it.
    pub fn word(self) -> &'static str {
        match self {
            Brush::Ground => "ground",
            Brush::Line => "line",
            Brush::Area => "area",
            Brush::Stop => "stop",
            Brush::Mark => "mark",
        }
    }
}

/// `show Card as "{rank}{suit}"`.
#[derive(Clone, Debug, PartialEq)]
pub struct ShowDecl {
    /// A component, enum, space or record.
    pub name: Name,
    /// How its values are printed.
    pub template: Template,
}

/// `aside book T-1, T-2 "why it holds no rule"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Aside {
    /// The sentences.
    pub cites: Vec<Cite>,
    /// Why they hold no rule.
    pub reason: Text,
}

/// `sentences book "The cards" { T-1 "two play"  T-2 "…" }`.
#[derive(Clone, Debug, PartialEq)]
pub struct SentenceList {
    /// The source that they are in.
    pub source: Name,
    /// The heading that they stand under.
    pub heading: Text,
    /// The sentences.
    pub sentences: Vec<Worded>,
}

/// `T-1 "two play"`: a sentence of a source, in the words of the rulebook.
#[derive(Clone, Debug, PartialEq)]
pub struct Worded {
    /// Its number.
    pub id: SentenceId,
    /// What it says.
    pub text: Text,
    /// The whole of it.
    pub span: Span,
}

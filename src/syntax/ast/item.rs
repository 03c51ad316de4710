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

nodes! {
    /// What an [`Item`] is.
    #[expect(missing_docs, reason = "each payload is documented")]
    pub enum ItemKind {
        Enum(it: EnumDecl),
        Record(it: RecordDecl),
        Component(it: ComponentDecl),
        Supply(it: Supply),
        Space(it: SpaceDecl),
        Setting(it: Setting),
        Zone(it: ZoneDecl),
        Track(it: TrackDecl),
        Table(it: TableDecl),
        Define(it: Define),
        Event(it: Event),
        Action(it: Action),
        Flow(it: Flow),
        Ending(it: Ending),
        Invariant(it: Invariant as Role::Silent),
        Measure(it: Measure as Role::Silent),
        Show(it: ShowDecl),
        Hide(it: Hide),
        History(it: History),
        Picture(it: Picture as Role::Silent),
        Aside(it: Aside as Role::Silent),
        Sentences(it: SentenceList as Role::Silent),
        Ruling(it: Ruling as Role::Silent),
        Study(it: Study as Role::Silent),
        Position(it: Position as Role::Silent),
        Edit(it: Edit as Role::Silent),
        Relation(it: Relation as Role::Silent),
        Resolve(it: Resolve as Role::Silent),
    }
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
            ItemKind::Measure(it) => Some(&it.name),
            ItemKind::Ruling(it) => Some(&it.id),
            ItemKind::Study(it) => Some(&it.id),
            ItemKind::Position(it) => Some(&it.name),
            ItemKind::Supply(_)
            | ItemKind::Show(_)
            | ItemKind::Hide(_)
            | ItemKind::History(_)
            | ItemKind::Picture(_)
            | ItemKind::Aside(_)
            | ItemKind::Sentences(_)
            | ItemKind::Edit(_)
            | ItemKind::Relation(_)
            | ItemKind::Resolve(_) => None,
        }
    }

    /// Returns the parameters of an item that has some.
    pub fn params(&self) -> Option<&[Param]> {
        match self {
            ItemKind::Define(it) => Some(&it.params),
            ItemKind::Event(it) => Some(&it.params),
            ItemKind::Action(it) => Some(&it.params),
            ItemKind::Flow(it) => Some(&it.params),
            ItemKind::Ending(it) => Some(&it.params),
            ItemKind::Invariant(it) => Some(&it.params),
            ItemKind::Measure(it) => Some(&it.params),
            _ => None,
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
            ItemKind::Measure(_) => "measure",
            ItemKind::Show(_) => "show",
            ItemKind::Hide(_) => "hide",
            ItemKind::History(_) => "history",
            ItemKind::Picture(_) => "picture",
            ItemKind::Aside(_) => "aside",
            ItemKind::Sentences(_) => "sentences",
            ItemKind::Ruling(_) => "ruling",
            ItemKind::Study(_) => "study",
            ItemKind::Position(_) => "position",
            ItemKind::Edit(it) => it.word(),
            ItemKind::Relation(it) => it.kind.word(),
            ItemKind::Resolve(_) => "resolve",
        }
    }
}

nodes! {
    /// `enum Suit { clubs "♣" "c", … }`.
    pub struct EnumDecl = "enum" {
        /// The name of the type.
        name: Name,
        /// Whether the last value is followed by the first.
        cyclic: bool,
        /// The values in order.
        values: Vec<EnumValue>,
    }

    /// A value of an enum with how it is printed.
    pub struct EnumValue = "value" {
        /// The name of the value.
        name: Name,
        /// How it is printed.
        symbol: Option<Text>,
        /// How it is printed and typed in plain ASCII.
        plain: Option<Text>,
        /// Name and symbols.
        span: Span,
    }

    /// `record Piece { kind: Kind, … }`.
    pub struct RecordDecl = "record" {
        /// The name of the type.
        name: Name,
        /// The fields in order.
        fields: Vec<FieldDecl>,
    }

    /// `component Card { suit: Suit, … }`.
    pub struct ComponentDecl = "component" {
        /// The name of the kind.
        name: Name,
        /// The fields in order.
        fields: Vec<FieldDecl>,
    }

    /// `turn: Side = n`, `king: bool "♔" "K"`.
    pub struct FieldDecl = "field" {
        /// The name of the field.
        name: Name,
        /// Its type.
        ty: Type,
        /// How it is drawn where it is true.
        symbol: Option<Text> as Role::IfAny,
        /// The same in plain ASCII.
        plain: Option<Text> as Role::IfAny,
        /// Its value where none is given.
        default: Option<Expr>,
        /// The whole field.
        span: Span,
    }

    /// `supply [n] every Card [where P] in stock`.
    pub struct Supply = "supply" walk [component "it" count condition place] {
        /// How many copies of each kind; one if not said. May read `it`.
        count: Option<Expr> as Role::Tight,
        /// The component.
        component: Name as Role::Uses(Use::Type),
        /// Which kinds; may read `it`.
        condition: Option<Expr>,
        /// Where they start; may read `it`.
        place: Expr as Role::Tight,
    }

    /// `space Plot: grid(lane: Lane, depth: 1..7)`.
    pub struct SpaceDecl = "space" {
        /// The name of the domain.
        name: Name,
        /// `grid`, `hexes`, `line`, `ring`, `graph`, `edges`, `drawn`, `plane`, `parts`.
        shape: Name,
        /// What it is made of.
        axes: Vec<Axis>,
        /// Which places there are; may read the coordinates.
        condition: Option<Expr> as Role::IfAny,
        /// Where parts of neighbours meet.
        meeting: Option<Meeting> as Role::IfAny,
    }

    /// `meeting at ports turned by turn`.
    pub struct Meeting = "meeting" {
        /// The definition that says which ports a part has.
        ports: Name as Role::Uses(Use::Call),
        /// The field of the zone by which everything lying there is turned.
        turn: Option<Name>,
    }

    /// One argument of a space's shape.
    pub enum Axis {
        /// The places of a `drawn` board, and the lines between them.
        Drawn(text: Text) = "drawn",
        /// `lane: Lane`.
        Named = "axis" {
            /// The name of the coordinate.
            name: Name,
            /// Its type.
            ty: Type,
        },
        /// `26`, `Side`, `land`.
        Value(value: Expr as Role::Tight),
    }

    /// `option NAME: T = e "text"` or `question NAME "text" { readings }`.
    pub struct Setting = "setting" {
        /// A knob or a disputed point.
        intent: Intent,
        /// Its name.
        name: Name,
        /// What it is about, in words.
        text: Text as Role::Silent,
        /// Where it is asked: where all of these hold; everywhere, if there are none.
        under: Vec<Condition> as Role::Silent,
        /// What it was called before.
        formerly: Vec<Name> as Role::Silent,
        /// What it may be set to.
        values: SettingValues,
        /// Of an option, the edits that hold where it is not at its default.
        edits: Option<Vec<Arc<Item>>> as Role::Silent,
    }
}

impl Setting {
    /// Returns its readings; none where it is an option.
    pub fn readings(&self) -> &[Reading] {
        match &self.values {
            SettingValues::Readings(readings) => readings,
            SettingValues::Typed { .. } => &[],
        }
    }

    /// Returns all edits behind its readings, or behind itself.
    pub fn all_edits(&self) -> impl Iterator<Item = &Item> {
        let behind = self.readings().iter().filter_map(|it| it.edits.as_ref());
        behind.chain(&self.edits).flatten().map(|it| &**it)
    }

    /// Returns where it is asked, as it is written; nothing if it always is.
    pub fn condition(&self) -> String {
        let conditions: Vec<String> = self.under.iter().map(Condition::to_string).collect();
        conditions.join(", ")
    }
}

nodes! {
    /// `swap_limit = in_a_row, in_the_round`: a question that is answered by one of these.
    pub struct Condition {
        /// The question.
        question: Name as Role::Uses(Use::Named),
        /// The readings, one of which has to be chosen; at least one.
        readings: Vec<Name>,
        /// The whole condition.
        span: Span,
    }
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

impl Tree for Intent {}

impl Intent {
    /// Returns the word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Intent::Option => "option",
            Intent::Question => "question",
        }
    }
}

nodes! {
    /// What a [`Setting`] may be set to.
    pub enum SettingValues {
        /// `: 1..10 = 3`.
        Typed = "typed" {
            /// The type of the values.
            ty: Type,
            /// The value if nobody sets it.
            default: Expr,
        },
        /// `{ name "text" default … }`; at least one.
        Readings(readings: Vec<Reading>),
    }

    /// One way to read a disputed point.
    pub struct Reading = "reading" {
        /// The doc comment before it.
        docs: Vec<Doc> as Role::Silent,
        /// Its name.
        name: Name,
        /// The reading in words.
        text: Text as Role::Silent,
        /// Whether it holds if nobody sets another.
        default: bool,
        /// What it was called before.
        formerly: Vec<Name> as Role::Silent,
        /// Citations and the like.
        tail: Tail as Role::Of(*span),
        /// The edits that hold where it is chosen.
        edits: Option<Vec<Arc<Item>>> as Role::Silent,
        /// The whole reading.
        span: Span,
    }

    /// `zone hand[seat]: bag of Card up to 5 seen by owner`.
    pub struct ZoneDecl = "zone" {
        /// Its name.
        name: Name,
        /// The domains of its index; empty for a single zone.
        index: Vec<Type>,
        /// How components lie in it.
        kind: ZoneKind,
        /// The component it holds.
        component: Name as Role::Uses(Use::Type),
        /// `up to n`.
        capacity: Option<Expr> as Role::Tight,
        /// `with turn: Side = n`: fields of the place.
        fields: Vec<FieldDecl>,
        /// Who sees what lies there.
        visibility: Option<Visibility>,
    }
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

impl Tree for ZoneKind {
    fn canon(&self, canon: &mut Canon) {
        canon.word(match self {
            ZoneKind::One => "one",
            ZoneKind::Bag => "bag",
            ZoneKind::Pile => "pile",
        });
    }
}

nodes! {
    /// Who sees what lies in a zone or stands on a track.
    pub struct Visibility = "visible" walk [{ "owner" audience }]
        written [when(matches!(**audience, Audience::All)) [" open"] when(matches!(**audience, Audience::Nobody)) [" hidden"]
            when(matches!(**audience, Audience::Seat(_))) [" seen by " audience]] {
        /// Who sees it.
        audience: Audience,
        /// The words.
        span: Span,
    }

    /// Who sees something.
    pub enum Audience {
        /// `open`; in `show … to all` and `tell all`, everybody.
        All word "all",
        /// `hidden`.
        Nobody word "nobody",
        /// `seen by WHO`, `show … to WHO`, `tell WHO`. `owner` is the seat in the index.
        Seat(who: Expr as Role::Tight) = "seat",
    }

    /// `track points[seat]: 0..200 = 0`.
    pub struct TrackDecl = "track" written ["track " name ?index["[" index "]"] ": " ty ?start[" = " start] visibility] {
        /// Its name.
        name: Name,
        /// The domains of its index; empty for a single track.
        index: Vec<Type>,
        /// The type of its values.
        ty: Type,
        /// The value at the start.
        start: Option<Expr>,
        /// Who sees it.
        visibility: Option<Visibility>,
    }

    /// `table edge[Design, Side]: Land else field { a, s: road … }`.
    pub struct TableDecl = "table" {
        /// Its name.
        name: Name,
        /// The types of the keys.
        index: Vec<Type>,
        /// The type of the values.
        ty: Type,
        /// The value where there is no row.
        otherwise: Option<Expr>,
        /// The rows as written.
        rows: Vec<Row>,
    }

    /// `a, road1: road, sides = {s}`.
    pub struct Row = "row" walk [tail keys cells] {
        /// Names or numbers, one for each index.
        keys: Vec<Key>,
        /// The value, or the fields of a record.
        cells: Vec<Cell>,
        /// Citations and the like.
        tail: Tail as Role::Of(*span),
        /// The whole row.
        span: Span,
    }

    /// A key of a [`Row`].
    pub enum Key {
        /// A value of an enum.
        Name(name: Name as Role::Uses(Use::Named)),
        /// A member of a range.
        Number(number: Number),
    }

    /// A cell of a [`Row`]: a value in the place of the next field, or a field with its name.
    pub struct Cell = "cell" {
        /// The field, if it is named.
        field: Option<Name>,
        /// The value.
        value: Expr,
    }
}

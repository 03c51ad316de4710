use super::table::nodes;
use super::tree::As;
use super::*;

nodes! {
    /// A change that an amendment makes.
    pub enum Edit {
        /// `set PATH = value`: an option or a question.
        Set {
            /// What is set.
            path: Path,
            /// To what.
            value: Expr as Role::Kept,
        },
        /// `forbid NAME(formals) label L when E because "…"`.
        Forbid(it: Guard),
        /// `permit ACTION.CLAUSE(formals) label L when E because "…"`.
        Permit(it: Guard),
        /// `except FORBID(formals) label L when E because "…"`.
        Except(it: Guard),
        /// `replace …`.
        Replace(it: Replace),
        /// `remove PATH`.
        Remove {
            /// What is removed.
            path: Path,
        },
        /// `insert before|after PATH { … }`.
        Insert {
            /// On which side.
            side: Side,
            /// Of which step, event or ending.
            path: Path,
            /// What is inserted.
            body: Block,
        },
        /// `extend NAME(formals) + | and | or E`.
        Extend {
            /// The definition.
            path: Path,
            /// Names for its parameters.
            formals: Vec<Name> as Role::Binds(Binds::Formal),
            /// How it grows.
            op: ExtendOp,
            /// By what.
            value: Expr,
        },
        /// `add …`.
        Add(it: Add),
    }
}

impl Edit {
    /// Returns the address of what it changes, as it is written; none of what has no name.
    pub fn target(&self) -> Option<String> {
        match self.place() {
            Ok(path) => Some(path.to_string()),
            Err(item) => item.kind.name().map(Name::to_string),
        }
    }

    /// Returns the address of what it changes, or the item that takes the place of one.
    ///
    /// # Errors
    /// The item.
    pub fn place(&self) -> Result<&Path, &Item> {
        match self {
            Edit::Set { path, .. }
            | Edit::Replace(Replace::Value { path, .. } | Replace::Body { path, .. })
            | Edit::Remove { path }
            | Edit::Insert { path, .. }
            | Edit::Extend { path, .. } => Ok(path),
            Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it) => Ok(&it.target),
            Edit::Replace(Replace::Item(item)) => Err(item),
            Edit::Add(
                Add::Values { to, .. }
                | Add::Fields { to, .. }
                | Add::Rows { to, .. }
                | Add::Cases { to, .. }
                | Add::Slots { to, .. }
                | Add::Alternatives { to, .. }
                | Add::Readings { to, .. },
            ) => Ok(to),
        }
    }

    /// Returns the name of the item that it changes.
    pub fn head(&self) -> Option<&Name> {
        match self.place() {
            Ok(path) => path.segments.first(),
            Err(item) => item.kind.name(),
        }
    }

    /// Returns the word that the edit begins with.
    pub fn word(&self) -> &'static str {
        match self {
            Edit::Set { .. } => "set",
            Edit::Forbid(_) => "forbid",
            Edit::Permit(_) => "permit",
            Edit::Except(_) => "except",
            Edit::Replace(_) => "replace",
            Edit::Remove { .. } => "remove",
            Edit::Insert { .. } => "insert",
            Edit::Extend { .. } => "extend",
            Edit::Add(_) => "add",
        }
    }
}

nodes! {
    /// A condition on an action, event, clause or another guard.
    pub struct Guard {
        /// What is guarded.
        target: Path,
        /// Names for its parameters; may be empty.
        formals: Vec<Name> as Role::Binds(Binds::Formal),
        /// The label of the guard.
        label: Name,
        /// When it takes effect.
        condition: Expr,
        /// What is said then.
        because: Option<Template>,
    }

    /// What `replace` puts in the place of what.
    pub enum Replace {
        /// `replace define f … = …`: the item of the same name.
        Item(item: Box<Item> as Role::Instead),
        /// `replace PATH = E else "…"`: a clause or a definition.
        Value {
            /// What is replaced.
            path: Path,
            /// The new value; may use `base(…)`.
            value: Expr,
            /// The new message.
            message: Option<Template>,
        },
        /// `replace PATH { … }`: the body of an event, flow, ending, step or action.
        Body {
            /// What is replaced.
            path: Path,
            /// The new body; may use `base(…)`.
            body: Block,
        },
    }
}

/// How a definition grows; growth of one kind commutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExtendOp {
    /// `+`: union or sum.
    Plus,
    /// `and`: a further condition.
    And,
    /// `or`: a further case.
    Or,
}

impl Tree for ExtendOp {}

impl ExtendOp {
    /// Returns the word or sign as it is written.
    pub fn word(self) -> &'static str {
        match self {
            ExtendOp::Plus => "+",
            ExtendOp::And => "and",
            ExtendOp::Or => "or",
        }
    }
}

nodes! {
    /// What is added into something.
    pub enum Add {
        /// `add values to ENUM { … }`.
        Values {
            /// The enum.
            to: Path,
            /// The new values.
            values: Vec<EnumValue>,
        },
        /// `add fields to RECORD { … }`.
        Fields {
            /// The record or component.
            to: Path,
            /// The new fields.
            fields: Vec<FieldDecl>,
        },
        /// `add rows to TABLE { … }`.
        Rows {
            /// The table.
            to: Path,
            /// The new rows.
            rows: Vec<Row>,
        },
        /// `add cases to PATH { a => … }`.
        Cases {
            /// What the `by` stands in.
            to: Path,
            /// New cases in which something is done.
            done: Vec<Arm<Block>>,
            /// New cases of a definition.
            values: Vec<Arm<Expr>>,
        },
        /// `add readings to QUESTION { … }`.
        Readings {
            /// The question.
            to: Path,
            /// The new readings.
            readings: Vec<Reading>,
        },
        /// `add choice to WINDOW { once s: a }`.
        Slots {
            /// The step that holds the window.
            to: Path,
            /// The new slots.
            slots: Vec<Slot>,
        },
        /// `add choice to PATH: a | b`.
        Alternatives {
            /// The step that holds the choice, or a slot.
            to: Path,
            /// The new alternatives.
            alternatives: Vec<Alternative>,
        },
    }
}

/// An amendment or a question by its name, or `QUESTION = READING`.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitRef {
    /// The amendment or the question.
    pub name: Name,
    /// The reading; of a question without one, whichever is chosen.
    pub reading: Option<Name>,
}

impl Tree for UnitRef {}

impl UnitRef {
    /// Returns where it is written.
    pub fn span(&self) -> Span {
        let end = self.reading.as_ref().unwrap_or(&self.name);
        self.name.span.to(end.span)
    }
}

impl fmt::Display for UnitRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reading {
            Some(reading) => write!(f, "{} = {reading}", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

/// `excludes NAME "why"`, `needs NAME`.
#[derive(Clone, Debug, PartialEq)]
pub struct Relation {
    /// Which of them.
    pub kind: RelationKind,
    /// The other amendment or reading.
    pub unit: UnitRef,
    /// Why.
    pub reason: Option<Text>,
}

/// How an amendment stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RelationKind {
    /// Never together.
    Excludes,
    /// Never without.
    Needs,
}

impl Tree for Relation {}

impl RelationKind {
    /// Returns the word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            RelationKind::Excludes => "excludes",
            RelationKind::Needs => "needs",
        }
    }
}

nodes! {
    /// `resolve A + B { items }`: edits that hold when all of these are together.
    pub struct Resolve walk [items] {
        /// The amendments and readings; at least two.
        units: Vec<UnitRef>,
        /// What holds then.
        items: Vec<Arc<Item>>,
    }
}

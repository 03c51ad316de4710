//! Which edits do not commute, and how that is said.
//!
//! Two edits of amendments of which neither comes before the other:
//!
//! | | same address | the other one below it |
//! |---|---|---|
//! | `replace` | no `replace`, no other edit | no edit |
//! | `remove` | no edit, no guard | no edit, no guard |
//! | `set` | no other value | |
//! | `insert` | none on the same side that influences it | |
//! | `extend` | no other operator | |
//! | a new name | not the same one | |
//!
//! Guards need the signature of what they guard and nothing else, so replacing a body leaves them
//! alone; an insert at the edge of a step, event, ending or action does not mind what is done there. Two
//! removals agree.

use std::collections::{BTreeMap, BTreeSet};

use super::state::Place;
use crate::diagnostic::{Code, Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast;

/// The number of an item among all that is worked in.
pub(super) type Edit = usize;

/// What an edit does at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Set,
    Replace,
    /// Replaces what a step, an event, an ending or an action does; its name stays, and what is inserted
    /// at its edges.
    ReplaceBody,
    Remove,
    Insert(ast::Side),
    Extend(ast::ExtendOp),
    /// Adds into what is there.
    Grow,
    /// Brings the name.
    New,
    Guard,
}

impl Act {
    fn replaces(self) -> bool {
        matches!(self, Act::Replace | Act::ReplaceBody)
    }

    /// Returns whether what was there before is gone.
    pub(super) fn overrides(self) -> bool {
        self.replaces() || self == Act::Remove
    }

    /// Returns what is done, as in "`a` removes it here".
    fn does(self) -> &'static str {
        match self {
            Act::Set => "sets it",
            Act::Replace | Act::ReplaceBody => "replaces it",
            Act::Remove => "removes it",
            Act::Insert(ast::Side::Before) => "inserts before it",
            Act::Insert(ast::Side::After) => "inserts after it",
            Act::Extend(_) => "extends it",
            Act::Grow => "adds to it",
            Act::New => "adds it",
            Act::Guard => "guards it",
        }
    }
}

/// Why two edits do not commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    ReplacedTwice,
    EditOfReplaced,
    EditOfRemoved,
    ReadOfRemoved,
    UnorderedInserts,
    DifferentExtensions,
    SetTwice,
    AddedTwice,
    ReadOfReplaced,
}

impl Why {
    pub(super) fn code(self) -> Code {
        match self {
            Why::ReplacedTwice => codes::REPLACED_TWICE,
            Why::EditOfReplaced => codes::EDIT_OF_REPLACED,
            Why::EditOfRemoved => codes::EDIT_OF_REMOVED,
            Why::ReadOfRemoved => codes::READ_OF_REMOVED,
            Why::UnorderedInserts => codes::UNORDERED_INSERTS,
            Why::DifferentExtensions => codes::DIFFERENT_EXTENSIONS,
            Why::SetTwice => codes::SET_TWICE,
            Why::AddedTwice => codes::ADDED_TWICE,
            Why::ReadOfReplaced => codes::READ_OF_REPLACED,
        }
    }
}

/// An act that was worked in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub edit: Edit,
    pub act: Act,
    pub span: Span,
}

/// All that was worked in, by address.
#[derive(Default)]
pub(super) struct Touches {
    by_place: BTreeMap<Place, Vec<Touch>>,
}

impl Touches {
    pub(super) fn add(&mut self, place: Place, touch: Touch) {
        self.by_place.entry(place).or_default().push(touch);
    }

    /// Returns the touches at an address and above it.
    pub(super) fn above(&self, place: &[String]) -> impl Iterator<Item = (&[String], Touch)> {
        (1..=place.len()).flat_map(move |length| {
            let above = place
                .get(..length)
                .and_then(|above| self.by_place.get_key_value(above));
            above.into_iter().flat_map(with_place)
        })
    }

    /// Returns the touches below an address.
    pub(super) fn below(&self, place: &[String]) -> impl Iterator<Item = (&[String], Touch)> {
        let behind = self.by_place.range(place.to_vec()..);
        behind
            .take_while(move |(at, _)| at.starts_with(place))
            .filter(move |(at, _)| at.len() > place.len())
            .flat_map(with_place)
    }

    /// Returns the touches at an address.
    pub(super) fn at(&self, place: &[String]) -> impl Iterator<Item = Touch> {
        self.by_place.get(place).into_iter().flatten().copied()
    }

    /// Returns the addresses that an edit touches.
    pub(super) fn of(&self, edit: Edit) -> Vec<Place> {
        let all = self.by_place.iter();
        let own = all.filter(|(_, touches)| touches.iter().any(|touch| touch.edit == edit));
        own.map(|(place, _)| place.clone()).collect()
    }

    /// Returns the touches that replace or remove something.
    pub(super) fn overrides(&self) -> impl Iterator<Item = (&[String], Touch)> {
        let all = self.by_place.iter().flat_map(with_place);
        all.filter(|(_, touch)| touch.act.overrides())
    }
}

fn with_place<'t>(
    (place, touches): (&'t Place, &'t Vec<Touch>),
) -> impl Iterator<Item = (&'t [String], Touch)> {
    touches.iter().map(|touch| (place.as_slice(), *touch))
}

/// A touch with which another one does not commute, and where it is.
pub(super) struct Clash {
    pub why: Why,
    pub place: Place,
    pub touch: Touch,
}

/// Returns why two acts at the same address do not commute.
pub(super) fn clash(one: Act, other: Act) -> Option<Why> {
    match (one, other) {
        (Act::Remove, Act::Remove) => None,
        (Act::Remove, _) | (_, Act::Remove) => Some(Why::EditOfRemoved),
        (Act::Guard, _) | (_, Act::Guard) => None,
        (Act::New, Act::New) => Some(Why::AddedTwice),
        (Act::New, _) | (_, Act::New) => None,
        (Act::Insert(_), Act::ReplaceBody) | (Act::ReplaceBody, Act::Insert(_)) => None,
        (a, b) if a.replaces() && b.replaces() => Some(Why::ReplacedTwice),
        (a, b) if a.replaces() || b.replaces() => Some(Why::EditOfReplaced),
        (Act::Set, Act::Set) => Some(Why::SetTwice),
        (Act::Insert(a), Act::Insert(b)) if a == b => Some(Why::UnorderedInserts),
        (Act::Extend(a), Act::Extend(b)) if a != b => Some(Why::DifferentExtensions),
        _ => None,
    }
}

/// Returns why an act and one below its address do not commute.
pub(super) fn clash_below(above: Act, below: Act) -> Option<Why> {
    match (above, below) {
        // The act that brings a name is also an act on what the name is in.
        (_, Act::New) => None,
        (Act::Remove, Act::Remove) => None,
        (Act::Remove, _) => Some(Why::EditOfRemoved),
        (_, Act::Guard) => None,
        (Act::Replace | Act::ReplaceBody, _) => Some(Why::EditOfReplaced),
        _ => None,
    }
}

/// Two edits that do not commute.
#[derive(Clone, Debug)]
pub(super) struct Conflict {
    pub why: Why,
    /// The longer one of the two addresses.
    pub place: Place,
    /// The shorter one.
    pub above: Place,
    pub sides: [Side; 2],
}

/// One of the edits of a [`Conflict`].
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub edit: Edit,
    pub span: Span,
    /// What it does there, as in "removes it".
    pub does: String,
}

impl Side {
    pub(super) fn new(touch: Touch) -> Side {
        Side {
            edit: touch.edit,
            span: touch.span,
            does: touch.act.does().to_owned(),
        }
    }
}

/// Returns how an address is written.
pub(super) fn written(place: &[String]) -> String {
    // What nobody has written as a label.
    let labels = place.iter().filter(|it| !it.starts_with('{'));
    let labels: Vec<&str> = labels.map(String::as_str).collect();
    labels.join(".")
}

/// Describes a conflict between two rulebooks.
pub(super) fn describe(conflict: &Conflict, names: [&str; 2]) -> Diagnostic {
    let what = written(&conflict.place);
    let over = if conflict.above == conflict.place {
        String::from("it")
    } else {
        format!("`{}`", written(&conflict.above))
    };
    let [a, b] = names;
    let [one, other] = &conflict.sides;
    if a == b {
        return alone(conflict, a, &what);
    }
    let message = match conflict.why {
        Why::ReplacedTwice => format!("`{a}` and `{b}` both replace `{what}`"),
        Why::EditOfReplaced => {
            format!(
                "`{a}` and `{b}` do not go together: one changes `{what}`, the other replaces {over}"
            )
        }
        Why::EditOfRemoved => {
            format!(
                "`{a}` and `{b}` do not go together: one changes `{what}`, the other removes {over}"
            )
        }
        Why::ReadOfRemoved => {
            format!("`{a}` and `{b}` do not go together: one uses `{what}`, the other removes it")
        }
        Why::ReadOfReplaced => {
            format!("`{a}` and `{b}` may not go together: one uses `{what}`, the other replaces it")
        }
        Why::UnorderedInserts => {
            format!("nothing says whether `{a}` or `{b}` comes first at `{what}`")
        }
        Why::DifferentExtensions => {
            format!("`{a}` and `{b}` extend `{what}` in ways that do not commute")
        }
        Why::SetTwice => format!("`{a}` and `{b}` set `{what}` to different values"),
        Why::AddedTwice => format!("`{a}` and `{b}` both add `{what}`"),
    };
    Diagnostic::new(conflict.why.code(), message)
        .label(one.span, format!("`{a}` {} here", one.does))
        .label(other.span, format!("`{b}` {} here", other.does))
        .help(ways_out(conflict.why, a, b))
}

/// Describes a conflict of an amendment with itself.
fn alone(conflict: &Conflict, name: &str, what: &str) -> Diagnostic {
    let [one, other] = &conflict.sides;
    let (message, help) = match conflict.why {
        Why::AddedTwice => (
            format!("`{name}` adds `{what}` twice"),
            "give one of the two another name",
        ),
        _ => (
            format!("`{name}` changes `{what}` twice in ways that do not go together"),
            "make one edit of the two",
        ),
    };
    Diagnostic::new(conflict.why.code(), message)
        .label(other.span, format!("{} here", other.does))
        .label(one.span, format!("{} here", one.does))
        .help(help)
}

/// Says what a person can write to end a conflict. A side may be a `resolve` of several amendments, such
/// as `a + b`: it can be put in an order, but nothing can name it.
fn ways_out(why: Why, a: &str, b: &str) -> String {
    let is_resolve = |side: &str| side.contains(" + ");
    let is_reading = |side: &str| side.contains(" = ");
    // Who amends a rulebook writes in the amendment, not in the readings that the rulebook brings.
    let turned = is_resolve(b) || is_reading(a) && !is_reading(b);
    let (here, there) = if turned { (b, a) } else { (a, b) };
    let mut ways = Vec::new();
    if !is_resolve(here) {
        ways.push(format!(
            "`excludes {there}` in `{here}` if they never go together"
        ));
    }
    let nothing = match why {
        Why::ReadOfReplaced => ", be it nothing",
        Why::ReadOfRemoved | Why::AddedTwice => "",
        _ if is_resolve(there) => "",
        _ => {
            ways.push(format!(
                "`order before {there}` or `order after {there}` behind the edit of `{here}` if one comes first"
            ));
            ""
        }
    };
    let both: BTreeSet<&str> = a.split(" + ").chain(b.split(" + ")).collect();
    let both = both.into_iter().collect::<Vec<_>>().join(" + ");
    let resolve = format!("`resolve {both} {{ … }}` to say what holds with both{nothing}");
    match ways.as_slice() {
        [] => format!("write {resolve}"),
        ways => format!("write {}, or {resolve}", ways.join(", ")),
    }
}

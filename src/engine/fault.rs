//! Faults: the rulebook does not say what happens.

use super::layout::Layout;
use super::memory::{Memory, has};
use super::op::{Code, FaultKind, Op, Reg};
use super::text::{Ground, print_element, print_index};
use super::vm::{Trap, changed, peek};
use crate::diagnostic::{Code as DiagnosticCode, Diagnostic, codes};
use crate::model::text::Form;
use crate::model::{Game, NONE, Visibility, ZoneId, arith};
use crate::source::Span;

/// A fault while rules run: the rulebook does not say what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub kind: FaultKind,
    /// The statement or choice that ran.
    pub span: Span,
    /// What was worked out for it, where that is written elsewhere: in a definition, or an action that is offered; else empty.
    pub within: Span,
    /// What was not where, or where there is no room, if that is why.
    pub lack: Option<Lack>,
}

/// What a statement could not take, or the place where it could not put something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// In words.
    pub text: String,
    /// Whether everybody sees the place.
    pub open: bool,
}

impl Fault {
    /// Returns a fault at a place of the rulebook.
    #[must_use]
    pub fn at(kind: FaultKind, span: Option<Span>) -> Fault {
        Fault {
            kind,
            span: span.unwrap_or_default(),
            within: Span::default(),
            lack: None,
        }
    }

    /// Returns the fault at which code has stopped, with what it lacked.
    pub(super) fn of(
        (kind, pc): Trap,
        code: &Code,
        game: &Game,
        mem: &Memory,
        layout: &Layout,
    ) -> Fault {
        let ran = code.span(pc).unwrap_or_default();
        // Other kinds are faults of what runs, whatever was worked out before.
        let of_a_value = matches!(
            kind,
            FaultKind::Bounds | FaultKind::Outside | FaultKind::Absent | FaultKind::Zero
        );
        let within = code
            .origin(pc)
            .filter(|it| of_a_value && !it.is_empty() && !ran.holds(*it) && !it.holds(ran));
        Fault {
            lack: lack(kind, usize::from(pc), code, game, mem, layout),
            within: within.unwrap_or_default(),
            ..Fault::at(kind, Some(ran))
        }
    }

    /// Where in the rulebook.
    #[must_use]
    pub fn place(&self) -> Span {
        match self.within.is_empty() {
            true => self.span,
            false => self.within,
        }
    }

    /// Whether the rules have stopped for the same reason at the same place.
    #[must_use]
    pub fn is_like(&self, other: &Fault) -> bool {
        // Spans count as equal wherever they are.
        let [one, two] = [self.place(), other.place()].map(|it| (it.file, it.range()));
        self.kind == other.kind && one == two
    }

    /// Leaves out what not everybody may know.
    #[must_use]
    pub fn for_people(mut self) -> Fault {
        self.lack = self.lack.filter(|it| it.open);
        self
    }

    /// As a diagnostic.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, message, help) = self.kind.words();
        let message = match &self.lack {
            Some(lack) => format!("{message}: {}", lack.text),
            None => message.to_owned(),
        };
        let label = match self.kind {
            FaultKind::Untrue => "asked at each choice",
            _ => "while this ran",
        };
        let found = Diagnostic::new(code, message).help(help);
        let found = match self.within.is_empty() {
            true => found,
            false => found.label(self.within, "while this was worked out"),
        };
        found.label(self.span, label)
    }
}

/// The first number that would get out of its bounds where several are changed, and these bounds.
fn outside(op: &Op, mem: &Memory, layout: &Layout) -> Option<[i64; 3]> {
    let Op::Those {
        bytes,
        m,
        lanes,
        set,
        hi,
        ..
    } = op
    else {
        return None;
    };
    let track = layout.tracks.iter().find(|it| it.array.base == *lanes)?;
    let lo = if *bytes < 8 { track.array.lo } else { 0 };
    let hi = peek(mem, *hi);
    let members = (0..64 * usize::from(*m)).filter(|x| has(mem, *set, *x));
    let mut numbers = members.map(|x| changed(mem, op, x).1);
    let value = numbers.find(|it| !(0..=hi).contains(it))?;
    Some([value, 0, hi].map(|it| it.saturating_add(lo)))
}

/// Reads out of the operation that faulted what it was about.
fn lack(
    kind: FaultKind,
    pc: usize,
    code: &Code,
    game: &Game,
    mem: &Memory,
    layout: &Layout,
) -> Option<Lack> {
    let outside = match code.ops.get(pc)? {
        Op::Check { a, lo, hi, .. } => Some([a, lo, hi].map(|it| peek(mem, *it))),
        op @ Op::Those { .. } => outside(op, mem, layout),
        _ => None,
    };
    if let (FaultKind::Bounds, Some([value, lo, hi])) = (kind, outside) {
        // Where numbers come from is not known here.
        let zones = game.zones.iter().map(|it| it.visibility);
        let tracks = game.tracks.iter().map(|it| it.visibility);
        let open = zones.chain(tracks).all(|it| it == Visibility::Open);
        return Some(Lack {
            text: bounds_in_words(value, lo, hi)?,
            open,
        });
    }
    let ground = Ground::of(game, mem, layout);
    let zone_of = |zone: u16| game.zones.get(ZoneId(u32::from(zone)).index());
    let thing = |zone: u16, kind| {
        let component = zone_of(zone)?.component;
        Some(print_element(
            ground,
            component,
            peek(mem, kind),
            Form::Plain,
        ))
    };
    let place = |zone: u16, place| {
        let zone = zone_of(zone)?;
        if zone.index.is_empty() {
            return Some(format!("`{}`", zone.name));
        }
        let place = usize::try_from(peek(mem, place)).ok()?;
        let index = print_index(ground, &zone.index, place, Form::Plain);
        Some(format!("`{}[{index}]`", zone.name))
    };
    let op = code.ops.get(pc)?;
    // What is sought is looked up and checked before it is taken.
    let sought = match op {
        Op::Check { a, .. } => code.ops.iter().skip(pc).find(|it| takes(**it, *a))?,
        op => op,
    };
    let (zone, text) = match (kind, *sought) {
        (
            FaultKind::Missing,
            Op::Take {
                zone,
                place: at,
                kind,
            }
            | Op::Carry {
                from: zone,
                place: at,
                kind,
                ..
            },
        ) => {
            let text = match op {
                Op::Check { a, .. } if *a == kind => {
                    format!("nothing lies in {}", place(zone, at)?)
                }
                Op::Check { .. } => {
                    let (thing, name) = (thing(zone, kind)?, &zone_of(zone)?.name);
                    format!("no `{thing}` lies in any `{name}`")
                }
                _ => format!("no `{}` lies in {}", thing(zone, kind)?, place(zone, at)?),
            };
            (zone, text)
        }
        (
            FaultKind::Missing,
            Op::Draw {
                zone, place: at, ..
            },
        ) => {
            let named = place(zone, at)?;
            (zone, format!("nothing lies in {named}"))
        }
        (
            FaultKind::Missing,
            Op::Dig {
                zone, place: at, ..
            },
        ) => {
            let Op::Check { a, hi, .. } = op else {
                return None;
            };
            let (deep, lies) = (peek(mem, *a), peek(mem, *hi));
            let text = match lies {
                0 => format!("nothing lies in {}", place(zone, at)?),
                _ => format!(
                    "{} holds {lies}, and none is number {deep} from the top",
                    place(zone, at)?
                ),
            };
            (zone, text)
        }
        (
            FaultKind::Full,
            Op::Put {
                zone,
                place: at,
                kind,
            }
            | Op::Carry {
                zone,
                target: at,
                kind,
                ..
            }
            | Op::CarrySome {
                zone,
                target: at,
                d: kind,
                ..
            },
        ) => {
            let (thing, place) = (thing(zone, kind)?, place(zone, at)?);
            (zone, format!("no room for `{thing}` in {place}"))
        }
        _ => return None,
    };
    let open = zone_of(zone)?.visibility == Visibility::Open;
    Some(Lack { text, open })
}

/// Whether an operation takes what was found, or what was found where.
fn takes(op: Op, found: Reg) -> bool {
    match op {
        Op::Dig { n, .. } => n == found,
        Op::Take { place, kind, .. } | Op::Carry { place, kind, .. } => {
            kind == found || place == found
        }
        _ => false,
    }
}

fn bounds_in_words(value: i64, lo: i64, hi: i64) -> Option<String> {
    match (lo, hi) {
        _ if value == NONE => None,
        (_, arith::MOST) => Some(format!("{value} has more than eighteen digits")),
        (lo, i64::MAX) => Some(format!("{value} is less than {lo}")),
        (lo, hi) => Some(format!("{value} is not in {lo}..{hi}")),
    }
}

impl FaultKind {
    /// Code, message and advice.
    fn words(self) -> (DiagnosticCode, &'static str, &'static str) {
        match self {
            Self::Fuel => (
                codes::OUT_OF_FUEL,
                "this went on for longer than any rule should",
                "make sure that the loop comes to an end, bound it with `repeat N`, and call what is large once",
            ),
            Self::Work => (
                codes::OUT_OF_WORK,
                "all that was asked for takes more work than one command may",
                "ask for less at a time; what runs through many things, again and again, takes most of it",
            ),
            Self::NoChoice => (
                codes::CHOICE_WITHOUT_OPTION,
                "nothing can be chosen here, and the rules do not say what happens then",
                "add `otherwise { … }` to the choice",
            ),
            Self::Bounds => (
                codes::OUT_OF_BOUNDS,
                "a number left the bounds of its type",
                "widen the bounds, or guard the statement with `if`",
            ),
            Self::Outside => (
                codes::OUT_OF_BOUNDS,
                "a zone, a track or a table was asked for a place that it does not have",
                "guard it with `if`, or ask first with `in`",
            ),
            Self::Missing => (
                codes::NOT_THERE,
                "a component was to be taken from a place where it is not",
                "check with `filled` or `in` before moving it",
            ),
            Self::Full => (
                codes::PLACE_FULL,
                "a component was to be put where there is no room",
                "check with `empty`, or raise the capacity with `up to`",
            ),
            Self::Absent => (
                codes::ABSENT_VALUE,
                "something was read of a value that is not there",
                "check with `some` or `filled` first, or give a `default`",
            ),
            Self::Zero => (
                codes::DIVISION_BY_ZERO,
                "a number was divided by zero",
                "check the divisor first",
            ),
            Self::Depth => (
                codes::TOO_DEEP,
                "the recursion goes deeper than it declares",
                "raise `depth`",
            ),
            Self::NoValue => (
                codes::NO_VALUE,
                "a flow that should give a value ended without `return`",
                "add a `return` at its end",
            ),
            Self::NoResult => (
                codes::NO_RESULT,
                "the ending gives no result",
                "add `ranking … by …` or `winner …`",
            ),
            Self::Impossible => (
                codes::IMPOSSIBLE_CHANCE,
                "the recorded outcome of chance cannot happen here",
                "the record belongs to another position",
            ),
            Self::NoEnd => (
                codes::NO_END,
                "`flow main` came to its end without ending the game",
                "finish it with `end …`",
            ),
            Self::TooMany => (
                codes::TOO_MANY_MOVES,
                "there are more legal moves than can be listed",
                "split the choice into two",
            ),
            Self::Room => (
                codes::TOO_LARGE_FOR_ENGINE,
                "this needs more room than the engine has",
                "make a domain, a capacity or a `depth` smaller",
            ),
            Self::NotReached => (
                codes::STEP_NOT_ENTERED,
                "the game never comes to the step at which this ruling or study begins",
                "name a step that a game enters when the first option of every choice is taken",
            ),
            Self::Untrue => (
                codes::UNTRUE_INVARIANT,
                "an invariant does not hold in this position",
                "mend the rule that led there, or the invariant if it says too much",
            ),
        }
    }
}

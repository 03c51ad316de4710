//! A slow interpreter of checked games, written from the language reference alone: numbers are 128 bits
//! wide, sets are trees, a choice is a call of whoever decides. It shares nothing with the engine.

mod aggregates;
mod calls;
mod choices;
mod expressions;
mod spaces;
mod statements;
mod text;
mod zones;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use adit::engine::FaultKind;
use adit::model::{
    Base, DomainId, Expr, ExprKind, Game, LocalId, ProcId, Reason, StreamId, Telling, TemplatePart,
    Type, Visibility, ZoneId,
};
use adit::source::Span;

pub use zones::Heap;

/// The greatest number that can be calculated with: eighteen digits.
const MOST: i128 = 999_999_999_999_999_999;
/// Steps after which a run is given up.
const STEPS: u64 = 300_000;

/// A value. Elements of domains are numbered as `model` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    None,
    Number(i128),
    Set(BTreeSet<i128>),
}

impl Value {
    pub fn truth(it: bool) -> Value {
        Value::Number(i128::from(it))
    }
}

/// Why a run stops before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The rules do not say what happens: why, and the texts that were being followed, outermost first.
    Fault(FaultKind, Vec<Span>),
    /// It takes too long to be followed so slowly.
    TooLong,
    /// What the engine did cannot be: in words.
    Disagreed(String),
}

pub type Found<T = Value> = Result<T, Stop>;

/// What lies on the table.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Table {
    /// By track, by place.
    pub tracks: Vec<Vec<Value>>,
    /// By zone, by place.
    pub zones: Vec<Vec<Heap>>,
}

/// Whoever decides, seats and chance, and looks at the table meanwhile.
pub trait World {
    /// A seat chooses one of some texts, by number.
    fn choose(&mut self, table: &Table, seat: i128, texts: &[String]) -> Found<usize>;
    /// What chance gave.
    fn outcome(&mut self, stream: StreamId) -> Found<i128>;
    /// Whether the order in a pile is kept.
    fn keeps_order(&self, zone: ZoneId) -> bool;
    /// What the rules tell, and to whom.
    fn told(&mut self, to: &[i128], text: &str, values: Option<[i128; 2]>) -> Found<()>;
}

/// The end of a game: the ending and the figures of each seat.
pub type Ended = (ProcId, Vec<Vec<i128>>);

/// What the innermost call binds.
#[derive(Clone, Default)]
struct Frame {
    locals: HashMap<LocalId, Value>,
    /// Which procedure or definition this is, and how often it has come back to itself.
    callee: Option<calls::Callee>,
    level: u32,
}

pub struct Interpreter<'g> {
    game: &'g Game,
    pub table: Table,
    frame: Frame,
    trail: Vec<Span>,
    steps: u64,
    /// Whether the innermost `after` met an `end`.
    stopped: bool,
    /// How many `after` are being followed.
    inside: u32,
    figures: Vec<Vec<i128>>,
    world: &'g mut dyn World,
}

impl<'g> Interpreter<'g> {
    pub fn new(game: &'g Game, world: &'g mut dyn World) -> Interpreter<'g> {
        let places = |index: &[DomainId]| -> usize {
            let sizes = index.iter().map(|id| game.domains[id.index()].size);
            usize::try_from(sizes.product::<u64>()).unwrap()
        };
        let table = Table {
            tracks: game
                .tracks
                .iter()
                .map(|track| vec![Value::None; places(&track.index)])
                .collect(),
            zones: game
                .zones
                .iter()
                .map(|zone| vec![Heap::new(zone.kind); places(&zone.index)])
                .collect(),
        };
        Interpreter {
            game,
            table,
            frame: Frame::default(),
            trail: Vec::new(),
            steps: 0,
            stopped: false,
            inside: 0,
            figures: Vec::new(),
            world,
        }
    }

    /// Tells something; what cannot be worked out is left out, and changes nothing.
    fn tell(&mut self, telling: &Telling) -> Found<()> {
        if self.inside > 0 {
            return Ok(());
        }
        let mut to: Vec<i128> = (0..i128::from(self.game.n_seats)).collect();
        if let Some(who) = &telling.to {
            match self.tried(who)? {
                None => return Ok(()),
                Some(Value::Set(seats)) => to = seats.into_iter().collect(),
                Some(Value::Number(seat)) => to = vec![seat],
                Some(_) => return Ok(()),
            }
        }
        let mut values = None;
        if let Some(Reason {
            track,
            index,
            before,
        }) = &telling.of
        {
            let declared = &self.game.tracks[track.index()];
            let mut at = Vec::new();
            for part in index {
                match self.tried(part)? {
                    Some(Value::Number(part)) => at.push(part),
                    _ => return Ok(()),
                }
            }
            to.retain(|seat| match declared.visibility {
                Visibility::Open => true,
                Visibility::Hidden => false,
                Visibility::Owner(own) => at[own] == *seat,
                Visibility::Others(own) => at[own] != *seat,
            });
            if let Some(before) = before {
                let kind = ExprKind::Track(*track, index.clone());
                let now = Expr {
                    kind,
                    ..before.clone()
                };
                let both = [self.tried(before)?, self.tried(&now)?];
                if let [Some(Value::Number(before)), Some(Value::Number(now))] = both {
                    values = Some([before, now]);
                }
            }
        }
        let mut text = String::new();
        for part in &telling.text.parts {
            match part {
                TemplatePart::Text(words) => text.push_str(words),
                TemplatePart::Hole(hole) => {
                    if let Some(value) = self.tried(hole)? {
                        text.push_str(&self.print(&value, hole.ty));
                    }
                }
            }
        }
        self.world.told(&to, &text, values)
    }

    /// A value, if there is one; where there is none, all is as before.
    fn tried(&mut self, expr: &Expr) -> Found<Option<Value>> {
        let (table, frame) = (self.table.clone(), self.frame.clone());
        let (trail, stopped, inside) = (self.trail.len(), self.stopped, self.inside);
        match self.value(expr) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Fault(..)) => {
                (self.table, self.frame) = (table, frame);
                self.trail.truncate(trail);
                (self.stopped, self.inside) = (stopped, inside);
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    fn step(&mut self) -> Found<()> {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(Stop::TooLong);
        }
        Ok(())
    }

    fn fault<T>(&self, kind: FaultKind) -> Found<T> {
        Err(Stop::Fault(kind, self.trail.clone()))
    }

    /// A value where one of a type is needed.
    fn fitting(&self, value: Value, ty: Type) -> Found {
        match (&value, ty.base) {
            (Value::None, _) if !ty.optional => self.fault(FaultKind::Absent),
            (Value::Number(number), Base::Int(lo, hi))
                if *number < i128::from(lo) || *number > i128::from(hi) =>
            {
                self.fault(FaultKind::Bounds)
            }
            _ => Ok(value),
        }
    }

    fn local(&self, id: LocalId) -> Value {
        match self.frame.locals.get(&id) {
            Some(value) => value.clone(),
            None => panic!("`{}` is not bound", self.game.locals[id.index()].name),
        }
    }

    fn bind(&mut self, id: LocalId, value: Value) {
        self.frame.locals.insert(id, value);
    }

    fn domain_members(&self, id: DomainId) -> BTreeSet<i128> {
        let domain = &self.game.domains[id.index()];
        let lo = i128::from(domain.lo);
        (lo..lo + i128::from(domain.size)).collect()
    }

    /// The place that indices of some domains mean; none where one lies outside, and then the indices
    /// behind it are not looked at.
    fn position(&mut self, domains: &[DomainId], index: &[Expr]) -> Found<Option<usize>> {
        let mut at = 0_i128;
        for (id, expr) in domains.iter().zip(index) {
            let Value::Number(number) = self.value(expr)? else {
                return Ok(None);
            };
            let domain = &self.game.domains[id.index()];
            let (offset, size) = (number - i128::from(domain.lo), i128::from(domain.size));
            if offset < 0 || offset >= size {
                return Ok(None);
            }
            at = at * size + offset;
        }
        Ok(usize::try_from(at).ok())
    }
}

/// Copies by kind, none of which is zero.
type Kinds = BTreeMap<i128, u64>;

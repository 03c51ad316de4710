//! What the rules tell on the way, to each seat no more than it may know.

use crate::model::text::Form;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::r#gen::Tier;
use super::in_block;
use super::trail::Trail;
use crate::engine::machine::{Event, Happened, Machine};
use crate::engine::op::word;
use crate::engine::query::{Query, Value};
use crate::engine::sight::{Known, Sight};
use crate::engine::text::{members, print};
use crate::engine::view::{TrackValue, Viewer, may_see};
use crate::engine::vm::peek;
use crate::model::{
    Base, Expr, Game, LocalId, Proc, Reason, Stmt, StmtKind, Telling, TellingId, TemplatePart,
    TrackId, ZoneId, blocks_of, locals_of,
};

/// Most that is told of one move.
const MOST_TOLD: usize = 10_000;

/// A value is looked through for those from which it was worked out, and these again, so often.
const MOST_LINKS: u8 = 4;

/// Something that was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Who was told, in order.
    pub to: Vec<u32>,
    /// The change that these words explain, if they do.
    pub of: Option<Change>,
    /// The words.
    pub parts: Vec<ToldPart>,
}

/// A value that has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Of which track.
    pub track: TrackId,
    /// At which place of it.
    pub place: usize,
    /// The value before and behind; of a set both are unknown.
    pub values: [Option<i64>; 2],
    /// The new value as it is printed, in each form.
    pub printed: [String; Form::ALL.len()],
}

/// A piece of what was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToldPart {
    /// As it stands.
    Text(String),
    /// A value.
    Value {
        /// As it is printed, in each form.
        printed: [String; Form::ALL.len()],
        /// The seats that may know it.
        known: Vec<u32>,
    },
}

impl Told {
    /// The words as a seat hears them; none where it is not told.
    #[must_use]
    pub fn heard_by(&self, seat: u32, form: Form) -> Option<String> {
        if !self.to.contains(&seat) {
            return None;
        }
        let words = self.parts.iter().map(|part| match part {
            ToldPart::Text(text) => text.as_str(),
            ToldPart::Value { printed, known } if known.contains(&seat) => {
                printed[form as usize].as_str()
            }
            ToldPart::Value { .. } => crate::engine::say::UNSEEN,
        });
        Some(words.collect())
    }
}

/// Locals whose values a seat does not know, by where it is told something, by who chose, and by what that one gave.
pub(in crate::engine) type Closed =
    BTreeMap<(TellingId, u32, u32, Vec<(LocalId, i64)>), Arc<Locals>>;
type Locals = BTreeSet<LocalId>;

/// Places, each with how many lay there.
type Places = Vec<(ZoneId, usize, u64)>;

/// What a seat would have to see to know what it is told of.
#[derive(Debug)]
pub(in crate::engine) struct Missed {
    /// Which of what is told, and which part of that.
    told: usize,
    part: usize,
    seat: u32,
    places: Places,
    /// So many events had happened.
    since: usize,
}

/// The sections of what a telling asks for: who hears it, the place of the track, the holes.
fn asked(telling: &Telling) -> Vec<&Expr> {
    let mut asked = Vec::new();
    telling.exprs(&mut |it| asked.push(it));
    asked
}

impl Machine<'_> {
    /// Takes down what is told from now on, or no more.
    pub fn listen(&mut self, listens: bool) {
        self.bench.listens = listens;
        self.heard.clear();
    }

    /// What the last move, or the beginning of the game, told.
    #[must_use]
    pub fn heard(&self) -> &[Told] {
        &self.heard
    }

    /// What happened to components by the last move, or when the game began, where the machine listens.
    #[must_use]
    pub fn happened(&self) -> &[Event] {
        &self.bench.events
    }

    /// Takes down what is told in the middle of a move; what the move still needs is kept.
    pub(in crate::engine) fn hear(&mut self, number: u16) {
        if self.heard.len() >= MOST_TOLD {
            return;
        }
        let mem = self.mem.clone();
        let bench = std::mem::take(&mut self.bench);
        let before = std::mem::take(&mut self.before);
        let told = self.tell_of(TellingId(u32::from(number)), &bench.read);
        self.mem = mem;
        self.bench = bench;
        self.before = before;
        let Some((told, missed)) = told else { return };
        self.heard.push(told);
        let since = self.bench.events.len();
        let missed = missed.into_iter().map(|it| Missed { since, ..it });
        self.missed.extend(missed);
    }

    /// Behind what has happened, who saw come what had been told of is told it.
    pub(in crate::engine) fn hear_late(&mut self) {
        let game = &self.program.game;
        for missed in std::mem::take(&mut self.missed) {
            let events = self.bench.events.get(missed.since..).unwrap_or_default();
            let mut places = missed.places.iter();
            if places.all(|it| all_seen(game, events, missed.seat, *it))
                && let Some(told) = self.heard.get_mut(missed.told)
                && let Some(ToldPart::Value { known, .. }) = told.parts.get_mut(missed.part)
            {
                known.push(missed.seat);
                known.sort_unstable();
            }
        }
    }

    fn tell_of(&mut self, id: TellingId, read: &[i64]) -> Option<(Told, Vec<Missed>)> {
        let program = self.program;
        let telling = program.game.tellings.get(id.index())?;
        let slot = program.tellings.get(id.index())?;
        let query = slot.get_or_init(|| {
            Query::with_inputs(program, &telling.locals, &asked(telling), Tier::AsWritten).ok()
        });
        let query = query.as_ref()?;
        let mut values = Vec::new();
        for section in 0..asked(telling).len() {
            values.push(self.probe(query, section, read).ok());
        }
        let mut values = values.into_iter();
        let all = 0..program.game.n_seats;
        let mut to: Vec<u32> = match &telling.to {
            None => all.collect(),
            Some(_) => match values.next()?? {
                // Who is not there is told nothing.
                Value::Scalar(seat) => vec![u32::try_from(seat).ok()?],
                Value::Set(words) => members(&words)
                    .filter_map(|it| u32::try_from(it).ok())
                    .collect(),
            },
        };
        let mut of = None;
        if let Some(Reason {
            track,
            index,
            before,
        }) = &telling.of
        {
            let declared = program.game.tracks.get(track.index())?;
            let (mut place, mut split) = (0_u64, Vec::new());
            for domain in declared.index.iter().take(index.len()) {
                let domain = program.game.domains.get(domain.index())?;
                let at = values.next()??.scalar().checked_sub(domain.lo)?;
                place = place
                    .checked_mul(domain.size)?
                    .checked_add(u64::try_from(at).ok()?)?;
                split.push(usize::try_from(at).ok()?);
            }
            to.retain(|seat| may_see(declared.visibility, &split, Viewer::Seat(*seat)));
            let place = usize::try_from(place).ok()?;
            let value = match program
                .layout
                .tracks
                .get(track.index())?
                .read(&self.mem, place)
            {
                TrackValue::Scalar(value) => Value::Scalar(value),
                TrackValue::Set(words) => Value::Set(words),
            };
            let printed = Form::ALL.map(|form| print(self.ground(), declared.ty, &value, form));
            let before = match before {
                Some(_) => values.next()?.map(|it| it.scalar()),
                None => None,
            };
            of = Some(Change {
                track: *track,
                place,
                values: [before, before.map(|_| value.scalar())],
                printed,
            });
        }
        let (mut parts, mut missed) = (Vec::new(), Vec::new());
        for part in &telling.text.parts {
            parts.push(match part {
                TemplatePart::Text(text) => ToldPart::Text(text.clone()),
                TemplatePart::Hole(hole) => {
                    let value = values.next()?;
                    let printed = value.as_ref().map(|value| {
                        Form::ALL.map(|form| print(self.ground(), hole.ty, value, form))
                    });
                    let known = match printed {
                        Some(_) => {
                            let (sees, lacks) = self.who_knows(id, telling, hole, read, &to);
                            let part = parts.len();
                            missed.extend(lacks.into_iter().map(|(seat, places)| Missed {
                                told: self.heard.len(),
                                part,
                                seat,
                                places,
                                since: 0,
                            }));
                            sees
                        }
                        None => Vec::new(),
                    };
                    let printed = printed.unwrap_or_default();
                    ToldPart::Value { printed, known }
                }
            });
        }
        Some((Told { to, of, parts }, missed))
    }

    /// Those among seats who know what a hole names; of the others, what each would have to see on the way.
    fn who_knows(
        &mut self,
        id: TellingId,
        telling: &Telling,
        hole: &Expr,
        read: &[i64],
        seats: &[u32],
    ) -> (Vec<u32>, Vec<(u32, Places)>) {
        let mut values = Vec::new();
        let mut at = 0;
        for local in &telling.locals {
            let ty = self.type_of(*local);
            if !matches!(ty.base, Base::Set(_)) {
                values.extend(read.get(at).map(|value| (*local, *value)));
            }
            at += usize::from(crate::engine::layout::words_of(&self.program.game, ty));
        }
        let closed = self.closed_locals();
        let secrets = locals_of(hole);
        let has_secrets = secrets.iter().any(|it| closed.contains(it));
        let (mut sees, mut lacks) = (Vec::new(), Vec::new());
        for seat in seats {
            let viewer = Viewer::Seat(*seat);
            let own = has_secrets.then(|| self.closed_here(id, *seat, &values));
            let closed = own.as_deref().unwrap_or(closed);
            let mut known = Known::default();
            for (local, value) in &values {
                known.put(*local, Some(*value).filter(|_| !closed.contains(local)));
            }
            known.untold.extend(closed);
            for local in secrets.iter().filter(|it| closed.contains(it)) {
                if self.comes_to_light(id, *local, viewer, &known, MOST_LINKS) {
                    known.untold.remove(local);
                }
            }
            match Sight::new(self, viewer).lacks(hole, &known) {
                Some(places) if places.is_empty() => sees.push(*seat),
                Some(places) => {
                    let size = |(zone, at): (ZoneId, usize)| {
                        let slot = self.program.layout.zone(zone);
                        (zone, at, slot.map_or(0, |it| it.size(&self.mem, at)))
                    };
                    lacks.push((*seat, places.into_iter().map(size).collect()));
                }
                None => {}
            }
        }
        (sees, lacks)
    }

    /// The locals whose values a seat does not know where something is told now.
    fn closed_here(&mut self, id: TellingId, seat: u32, read: &[(LocalId, i64)]) -> Arc<Locals> {
        let chooser = u32::try_from(peek(&self.mem, word::WHO)).unwrap_or(u32::MAX);
        let game = &*self.program.game;
        let again = set_again(&game.procs);
        let is_seat = |it: LocalId| self.type_of(it).base == Base::Elem(game.seat);
        let given = read.iter().copied();
        let given = given.filter(|(it, _)| is_seat(*it) && !again.contains(it));
        let key = (id, seat, chooser, given.collect::<Vec<_>>());
        if let Some(found) = self.closed.get(&key) {
            return Arc::clone(found);
        }
        let found = Arc::new(self.closed_to(id, seat, chooser, &key.3));
        self.closed.insert(key, Arc::clone(&found));
        found
    }

    /// Whether a local is known on the way: what it stands for is seen, or all from which it was worked out.
    fn comes_to_light(
        &self,
        id: TellingId,
        local: LocalId,
        viewer: Viewer,
        known: &Known,
        most: u8,
    ) -> bool {
        if self.comes_to_sight(id, local, viewer, known) {
            return true;
        }
        let procs = &self.program.game.procs;
        let Some(value) = let_once(procs, local).filter(|_| most > 0) else {
            return false;
        };
        let mut known = known.clone();
        for from in locals_of(value) {
            let is_untold = known.untold.contains(&from);
            if is_untold && self.comes_to_light(id, from, viewer, &known, most - 1) {
                known.untold.remove(&from);
            }
        }
        Sight::by_rule(self, viewer).sees(value, &known)
    }

    /// Whether what a local stands for lies, in any case, where the viewer looks, before or after it is told of.
    fn comes_to_sight(&self, id: TellingId, local: LocalId, viewer: Viewer, known: &Known) -> bool {
        let game = &*self.program.game;
        let set_again = set_again(&game.procs);
        if set_again.contains(&local) {
            return false;
        }
        let mut trail = Trail::new(self, viewer, known.clone());
        trail.known.untold.clear();
        for other in set_again {
            trail.known.put(other, None);
        }
        let found = game.procs.iter().any(|it| {
            around(&it.body, id, &mut |block, is_innermost| {
                let bound = block.iter().position(|it| binds(it, local));
                let until = block.iter().position(|it| holds(it, id));
                let until = until.filter(|_| !is_innermost).unwrap_or(block.len());
                let sure = block.get(bound.map_or(0, |it| it + 1)..until);
                if let Some(StmtKind::Let(_, value)) =
                    bound.and_then(|it| block.get(it)).map(|it| &it.kind)
                {
                    trail.lies_at(value);
                }
                trail.follow(local, sure.unwrap_or_default());
            })
        });
        found && trail.lies_open()
    }
}

/// Whether a seat comes to see all that lies at a place: it is shown it, or sees each of them go, and nothing comes there
/// before.
fn all_seen(
    game: &Game,
    events: &[Event],
    seat: u32,
    (zone, at, many): (ZoneId, usize, u64),
) -> bool {
    let (mut left, mut taken) = (many, Vec::new());
    for event in events {
        let is_here = (event.zone, event.place) == (zone, at);
        let is_seen = event.is_seen_by_rule(game, seat);
        match event.what {
            Happened::Shown(who) if is_here && left == many => {
                return who.is_none_or(|it| it == seat);
            }
            Happened::Taken => taken.push((is_here, is_seen)),
            Happened::Laid => {
                let (was_here, was_seen) = taken.pop().unwrap_or_default();
                if was_here && !was_seen && !is_seen {
                    return false;
                }
                left -= u64::from(was_here);
                let still = taken.iter().filter(|(is_here, _)| *is_here).count() as u64;
                if left == 0 {
                    return true;
                }
                if is_here && still < left {
                    return false;
                }
            }
            Happened::Shown(_) | Happened::Forgotten(_) | Happened::Poured { .. } => {}
        }
    }
    false
}

/// The locals that are given another value somewhere.
fn set_again(procs: &[Proc]) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    for proc in procs {
        in_block(&proc.body, &mut |stmt, _| {
            if let StmtKind::SetLocal(local, ..) = &stmt.kind {
                found.insert(*local);
            }
        });
    }
    found
}

/// What a local is, where it never is anything else.
fn let_once(procs: &[Proc], local: LocalId) -> Option<&Expr> {
    let mut found = Vec::new();
    for proc in procs {
        in_block(&proc.body, &mut |stmt, _| match &stmt.kind {
            StmtKind::Let(own, value) if *own == local => found.push(Some(value)),
            StmtKind::SetLocal(own, ..) if *own == local => found.push(None),
            _ => {}
        });
    }
    match found.as_slice() {
        [only] => *only,
        _ => None,
    }
}

/// Whether a statement gives a local its value.
fn binds(stmt: &Stmt, local: LocalId) -> bool {
    match &stmt.kind {
        StmtKind::Let(own, _) | StmtKind::CallInto(own, ..) => *own == local,
        StmtKind::Pick(pick) => pick.local == local,
        _ => false,
    }
}

/// Whether a statement is where something is told, or holds that.
pub(super) fn holds(stmt: &Stmt, id: TellingId) -> bool {
    if matches!(&stmt.kind, StmtKind::Tell(own, _) if *own == id) {
        return true;
    }
    let mut found = false;
    blocks_of(stmt, &mut |block| {
        found |= block.iter().any(|it| holds(it, id))
    });
    found
}

/// Calls `f` with each block around what is told, the outermost first, and whether it is the innermost; returns
/// whether there is one.
fn around(block: &[Stmt], id: TellingId, f: &mut dyn FnMut(&[Stmt], bool)) -> bool {
    let Some(stmt) = block.iter().find(|it| holds(it, id)) else {
        return false;
    };
    let is_innermost = matches!(stmt.kind, StmtKind::Tell(..));
    f(block, is_innermost);
    blocks_of(stmt, &mut |inner| {
        around(inner, id, f);
    });
    true
}

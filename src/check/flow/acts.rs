//! What everybody notices of a block before somebody is asked: by how much open numbers and the numbers of
//! things change, who is asked, whether the game ends.

mod reading;

use std::cmp::Ordering;
use std::rc::Rc;

use super::state::Few;
use super::sym::Sym;
use crate::model::{LocalId, TrackId, ZoneId};

/// So many ways that things can go on are compared.
const MOST_WAYS: usize = 32;

/// So many changes of one way are compared.
const MOST_CHANGES: usize = 24;

/// More than any number of a rulebook.
pub(super) const ENDLESS: i128 = 1 << 100;

/// Who is asked next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Asked {
    #[default]
    Nobody,
    Perhaps,
    /// One or another, or the game is over: all see that it has come so far.
    Somebody,
    Seat(Sym),
}

/// What everybody sees change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// A number that lies open.
    Track(TrackId),
    /// How many things lie there.
    Zone(ZoneId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum By {
    /// By so much, at least and at most.
    Plus(i128, i128),
    /// It becomes this.
    To(Sym),
    Any,
}

#[derive(Clone, Debug)]
struct Change {
    of: Of,
    at: Rc<[Sym]>,
    by: By,
}

impl Change {
    /// The same where it may be left out.
    fn perhaps(mut self) -> Change {
        self.by = match self.by {
            By::Plus(low, high) => By::Plus(low.min(0), high.max(0)),
            _ => By::Any,
        };
        self
    }
}

/// What everybody notices of a block before somebody is asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Acts {
    changes: Vec<Change>,
    /// Whether anything else may change.
    all: bool,
    /// Who is asked first.
    pub(super) asks: Asked,
    /// Whether it shows then at which choice of the rules that was.
    pub(super) shows: bool,
    /// Whether the game ends before that.
    pub(super) ends: bool,
    /// Whether the procedure may be left before that.
    pub(super) leaves: bool,
    /// The same of a turn.
    pub(super) turns_over: bool,
    /// Whether the same seat may get another turn.
    pub(super) again: bool,
    /// Whether nothing behind it happens.
    gone: bool,
}

impl Acts {
    /// What nothing is known of.
    pub(super) fn unknown() -> Acts {
        Acts {
            all: true,
            asks: Asked::Perhaps,
            ..Acts::default()
        }
    }

    /// Of a block that asks perhaps, and does nothing else where it does not.
    pub(super) fn perhaps() -> Acts {
        Acts {
            asks: Asked::Perhaps,
            ..Acts::default()
        }
    }

    /// Of a block in which a seat is asked first.
    pub(super) fn asking(seat: Sym, shows: bool) -> Acts {
        Acts {
            asks: Asked::Seat(seat),
            shows,
            ..Acts::default()
        }
    }

    pub(super) fn ending() -> Acts {
        Acts {
            ends: true,
            gone: true,
            ..Acts::default()
        }
    }

    /// Of a procedure, as its callers see it.
    pub(super) fn of_proc(mut self, params: &[LocalId]) -> Acts {
        (self.leaves, self.turns_over, self.again) = (false, false, false);
        self.gone = self.ends;
        self.with(&|local| match params.contains(&local) {
            true => Sym::Local(local),
            false => Sym::Other,
        })
    }

    fn with(mut self, f: &dyn Fn(LocalId) -> Sym) -> Acts {
        for change in &mut self.changes {
            if !change.at.is_empty() {
                change.at = change.at.iter().map(|it| it.with(f)).collect();
            }
            if let By::To(sym) = &mut change.by {
                *sym = sym.with(f);
            }
        }
        if let Asked::Seat(sym) = &mut self.asks {
            *sym = sym.with(f);
        }
        self
    }

    fn is_asked(&self) -> bool {
        matches!(self.asks, Asked::Seat(_) | Asked::Somebody)
    }

    /// Whether things go on elsewhere before that.
    fn is_left(&self) -> bool {
        self.gone && !self.ends
    }

    /// Whether something comes behind it before anybody is known to be asked.
    pub(super) fn goes_on(&self) -> bool {
        !self.gone && !self.is_asked()
    }

    /// With what is behind it, of which nothing is known unless it is known that somebody is asked.
    pub(super) fn beyond(mut self) -> Acts {
        if !self.is_asked() && !self.ends {
            self.then(&Acts::unknown());
        }
        self
    }

    pub(super) fn then(&mut self, more: &Acts) {
        if !self.is_asked() {
            self.all |= more.all;
            let is_perhaps = self.asks == Asked::Perhaps;
            for change in &more.changes {
                match is_perhaps {
                    true => self.note(&change.clone().perhaps()),
                    false => self.note(change),
                }
            }
            match is_perhaps {
                true if more.is_asked() || more.ends => self.asks = Asked::Somebody,
                true => {}
                false => {
                    self.asks.clone_from(&more.asks);
                    self.shows = more.shows;
                    self.ends = more.ends;
                }
            }
        }
        self.leaves |= more.leaves;
        self.turns_over |= more.turns_over;
        self.again |= more.again;
        self.gone = more.gone;
    }

    fn note(&mut self, change: &Change) {
        let is_told = change.at.iter().all(Sym::is_told);
        let is_it = |it: &&mut Change| it.of == change.of && it.at == change.at;
        if is_told && let Some(known) = self.changes.iter_mut().find(is_it) {
            known.by = match (&known.by, &change.by) {
                (By::Plus(least, most), By::Plus(low, high)) => {
                    By::Plus((least + low).max(-ENDLESS), (most + high).min(ENDLESS))
                }
                (_, By::To(sym)) => By::To(sym.clone()),
                _ => By::Any,
            };
        } else if self.changes.len() < MOST_CHANGES {
            self.changes.push(change.clone());
        } else {
            self.all = true;
        }
    }

    /// By how much a number changes, at a place or all in all.
    fn plus(&self, of: Of, at: Option<&[Sym]>) -> Option<(i128, i128)> {
        let mut sum = (0, 0);
        for change in self.changes.iter().filter(|it| it.of == of) {
            let By::Plus(low, high) = change.by else {
                return None;
            };
            let is_there = at.is_none_or(|at| same_place(at, &change.at));
            let (low, high) = match is_there {
                true => (low, high),
                false if at.is_some_and(|at| other_place(at, &change.at)) => (0, 0),
                false => (low.min(0), high.max(0)),
            };
            sum = (sum.0 + low, sum.1 + high);
        }
        Some(sum)
    }

    /// What stands at a place for certain.
    fn to(&self, of: Of, at: &[Sym]) -> Option<&Sym> {
        let there = |it: &&Change| it.of == of && !other_place(at, &it.at);
        let mut there = self.changes.iter().filter(there);
        match (there.next(), there.next()) {
            (Some(change), None) if same_place(at, &change.at) => match &change.by {
                By::To(sym) => Some(sym),
                _ => None,
            },
            _ => None,
        }
    }

    /// All that may change.
    pub(super) fn changed(&self) -> Few<Of> {
        let mut changed = Few::default();
        self.changes.iter().for_each(|it| changed.add(it.of));
        if self.all {
            changed.fill();
        }
        changed
    }

    /// All that may change by more than one number.
    pub(super) fn varied(&self) -> Few<Of> {
        let mut varied = Few::default();
        let changes = self.changes.iter();
        let changes = changes.filter(|it| !matches!(it.by, By::Plus(low, high) if low == high));
        changes.for_each(|it| varied.add(it.of));
        varied
    }

    /// Which of two ways a number is greater, at a place or all in all.
    fn order(&self, other: &Acts, of: Of, at: Option<&[Sym]>) -> Option<Ordering> {
        let (one, it) = (self.plus(of, at)?, other.plus(of, at)?);
        if one.1 < it.0 {
            return Some(Ordering::Less);
        }
        (it.1 < one.0).then_some(Ordering::Greater)
    }

    fn is_set_apart(&self, other: &Acts, of: Of, at: &[Sym]) -> bool {
        match (self.to(of, at), other.to(of, at)) {
            (Some(one), Some(it)) => one.is_not(it),
            _ => false,
        }
    }

    /// What comes of it if it is done so often, locals that are bound inside apart.
    fn times(mut self, least: i128, most: i128, bound: &[LocalId]) -> Acts {
        if least > 0 && (self.gone || self.is_asked()) {
            return self.with(&|it| outside(it, bound));
        }
        if self.all || self.is_left() {
            return Acts {
                leaves: self.leaves,
                turns_over: self.turns_over,
                again: self.again,
                ..Acts::unknown()
            };
        }
        self = self.with(&|it| outside(it, bound));
        let (mut least, mut most) = (least, most);
        if self.is_asked() || self.ends {
            most = most.min(1);
        }
        if self.asks != Asked::Nobody || self.ends {
            least = least.min(1);
            self.asks = Asked::Perhaps;
            (self.ends, self.gone, self.shows) = (false, false, false);
        }
        for change in &mut self.changes {
            change.by = match &change.by {
                By::Plus(low, high) => {
                    let low = low.saturating_mul(if *low < 0 { most } else { least });
                    let high = high.saturating_mul(if *high > 0 { most } else { least });
                    By::Plus(low.max(-ENDLESS), high.min(ENDLESS))
                }
                By::To(sym) if least > 0 && sym.is_told() => By::To(sym.clone()),
                _ => By::Any,
            };
        }
        self
    }

    /// One or the other.
    fn or(&self, other: &Acts) -> Acts {
        let is_partly_left = self.is_left() != other.is_left();
        let is_over = |it: &Acts| it.is_asked() || it.ends;
        let asks = match self.asks == other.asks && self.ends == other.ends {
            true if !is_partly_left => self.asks.clone(),
            _ if is_over(self) && is_over(other) => Asked::Somebody,
            _ => Asked::Perhaps,
        };
        let mut changes: Vec<Change> = Vec::new();
        for change in self.changes.iter().chain(&other.changes) {
            let (of, at) = (change.of, &*change.at);
            if changes.iter().any(|it| it.of == of && *it.at == *at) {
                continue;
            }
            let by_one = |acts: &Acts| {
                let is_it = |it: &&Change| it.of == of && *it.at == *at;
                let found = acts.changes.iter().find(is_it);
                found.map_or(By::Plus(0, 0), |it| it.by.clone())
            };
            let by = match (by_one(self), by_one(other)) {
                (By::Plus(one, most), By::Plus(it, high)) => By::Plus(one.min(it), most.max(high)),
                (By::To(one), By::To(it)) if one.is(&it) => By::To(one),
                _ => By::Any,
            };
            let is_told = at.iter().all(Sym::is_told);
            // Several that cannot be told apart may come together.
            let by = if is_told { by } else { By::Any };
            changes.push(Change {
                by,
                ..change.clone()
            });
        }
        let is_vague = is_partly_left || changes.len() > MOST_CHANGES;
        Acts {
            changes,
            all: self.all || other.all || is_vague,
            asks,
            shows: self.shows && other.shows,
            ends: self.ends && other.ends,
            leaves: self.leaves || other.leaves,
            turns_over: self.turns_over || other.turns_over,
            again: self.again || other.again,
            gone: self.gone && other.gone,
        }
    }
}

fn outside(local: LocalId, bound: &[LocalId]) -> Sym {
    match bound.contains(&local) {
        true => Sym::Other,
        false => Sym::Local(local),
    }
}

fn same_place(one: &[Sym], other: &[Sym]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.is(other))
}

fn other_place(one: &[Sym], other: &[Sym]) -> bool {
    one.iter().zip(other).any(|(one, other)| one.is_not(other))
}

/// One way that things can go on.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// What everybody notices of the way itself.
    pub(super) own: Rc<Acts>,
    /// The same with all that comes behind it before somebody is asked.
    pub(super) whole: Acts,
}

impl Way {
    /// Whether it is certain that all see something else when somebody is asked next, because of the ways themselves:
    /// what comes behind both makes no difference where one way somebody is asked before it, but it can make up for one.
    /// By what had changed already, and nobody knows by how much, nothing is told.
    pub(super) fn differs(&self, other: &Way, unsure: &Few<Of>) -> bool {
        let (one, it) = (&self.whole, &other.whole);
        match (&one.asks, &it.asks) {
            (Asked::Seat(one), Asked::Seat(it)) if one.is_not(it) => return true,
            (Asked::Seat(_), Asked::Nobody) if it.ends => return true,
            (Asked::Nobody, Asked::Seat(_)) if one.ends => return true,
            (Asked::Nobody, Asked::Nobody) if one.ends && it.ends => return true,
            _ => {}
        }
        if one.all || it.all {
            return false;
        }
        let own = self.own.changes.iter().chain(&other.own.changes);
        own.into_iter().any(|change| {
            let (of, at) = (change.of, &*change.at);
            let is_apart = |at: Option<&[Sym]>| {
                let order = self.own.order(&other.own, of, at);
                order.is_some() && order == one.order(it, of, at)
            };
            let is_set_apart =
                || self.own.is_set_apart(&other.own, of, at) && one.is_set_apart(it, of, at);
            let is_told = at.iter().all(Sym::is_told);
            let is_sure = !unsure.has(of);
            is_sure && is_apart(None)
                || is_told && (is_sure && is_apart(Some(at)) || is_set_apart())
        })
    }
}

/// Whether everybody notices which of so many ways things go, told by any two of them.
pub(super) fn are_told(n: usize, differ: &dyn Fn(usize, usize) -> bool) -> bool {
    n <= MOST_WAYS && (0..n).all(|one| (one + 1..n).all(|other| differ(one, other)))
}

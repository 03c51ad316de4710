//! What is known at one point of a procedure.

use std::rc::Rc;

use super::acts::Of;
use super::label::{Label, Labels, MOST_THINGS, What};
use super::sym::Sym;
use crate::model::{LocalId, TrackId, ZoneId};

/// So many zones and shown places are remembered.
const MOST_NOTED: usize = 32;

/// A few of many, or all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Few<T> {
    some: Vec<T>,
    all: bool,
}

/// Zones in which something is moved.
pub(super) type Zones = Few<ZoneId>;

/// Tracks that are set.
pub(super) type Tracks = Few<TrackId>;

impl<T> Default for Few<T> {
    fn default() -> Few<T> {
        Few {
            some: Vec::new(),
            all: false,
        }
    }
}

impl<T: Copy + PartialEq> Few<T> {
    pub(super) fn add(&mut self, one: T) {
        if self.has(one) {
            return;
        }
        if self.some.len() >= MOST_NOTED {
            self.all = true;
        } else {
            self.some.push(one);
        }
    }

    pub(super) fn has(&self, one: T) -> bool {
        self.all || self.some.contains(&one)
    }

    /// All of them.
    pub(super) fn fill(&mut self) {
        self.all = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.all && self.some.is_empty()
    }

    pub(super) fn join(&mut self, other: &Few<T>) {
        self.all |= other.all;
        for one in &other.some {
            self.add(*one);
        }
    }
}

/// A place whose content was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shown {
    zone: ZoneId,
    /// None: wherever it is.
    at: Vec<Option<Sym>>,
    /// To whom; none: to everybody.
    to: Option<Sym>,
}

/// What is known at one point of a procedure.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// What it follows from that things came to this point, with the depth of the branch that says so.
    pub(super) course: Vec<(u32, Label)>,
    pub(super) depth: u32,
    /// Locals that follow from something hidden.
    locals: Vec<(LocalId, Rc<Labels>)>,
    /// Locals whose value everybody knows by now; those that stand on a track, as long as they stand there
    /// or until somebody has been asked.
    known: Vec<(LocalId, Option<TrackId>)>,
    shown: Vec<Shown>,
    /// Where something was moved since the procedure began.
    pub(super) moved: Zones,
    /// What has changed since somebody was asked, and not everybody knows by how much.
    pub(super) unsure: Few<Of>,
}

impl State {
    pub(super) fn bind(&mut self, local: LocalId, labels: Labels) {
        self.known.retain(|(it, _)| *it != local);
        self.locals.retain(|(it, _)| *it != local);
        if !labels.is_empty() {
            self.locals.push((local, Rc::new(labels)));
        }
    }

    pub(super) fn local(&self, local: LocalId) -> Option<&Labels> {
        let (_, labels) = self.locals.iter().rfind(|(it, _)| *it == local)?;
        Some(labels)
    }

    pub(super) fn knows(&self, local: LocalId) -> bool {
        self.known.iter().any(|(it, _)| *it == local)
    }

    /// Everybody, or one seat, gets to know the value of a local, perhaps by its standing on a track.
    pub(super) fn tell(&mut self, local: LocalId, on: Option<TrackId>, to: Option<&Sym>) {
        match to {
            None if self.known.len() < MOST_NOTED => self.known.push((local, on)),
            None => {}
            Some(seat) => {
                for (_, labels) in self.locals.iter_mut().filter(|(it, _)| *it == local) {
                    Rc::make_mut(labels).each(&mut |it| {
                        it.known_to(seat);
                        true
                    });
                }
            }
        }
    }

    pub(super) fn unknow(&mut self, is_such: &dyn Fn(LocalId) -> bool) {
        self.known.retain(|(it, _)| !is_such(*it));
    }

    /// Something else may stand on such tracks.
    pub(super) fn overwritten(&mut self, is_such: &dyn Fn(TrackId) -> bool) {
        self.known.retain(|(_, on)| !on.is_some_and(is_such));
    }

    /// Changes or drops each label of the locals and of the course.
    fn each(&mut self, f: &mut dyn FnMut(&mut Label) -> bool) {
        self.course.retain_mut(|(_, label)| f(label));
        for (_, labels) in &mut self.locals {
            Rc::make_mut(labels).each(f);
        }
        self.locals.retain(|(_, labels)| !labels.is_empty());
    }

    pub(super) fn forget(&mut self, is_such: &dyn Fn(&Sym) -> bool) {
        if self.course.is_empty() && self.locals.is_empty() && self.shown.is_empty() {
            return;
        }
        self.each(&mut |it| {
            it.forget(is_such);
            true
        });
        self.shown.retain(|it| {
            let places = it.at.iter().flatten();
            !places.chain(&it.to).any(|sym| sym.any(is_such))
        });
    }

    /// All leaves a place, as everybody sees: of what was shown there nothing is new.
    pub(super) fn empty(&mut self, zone: ZoneId) {
        self.moved.add(zone);
        self.each(&mut |it| {
            it.fresh &= it.what != What::Zone(zone);
            true
        });
    }

    /// Something comes to a zone, or some of it leaves.
    pub(super) fn stir(&mut self, zone: ZoneId, at: Option<&[Sym]>) {
        self.empty(zone);
        self.shown.retain(|it| {
            let differ = |(one, other): (&Option<Sym>, &Sym)| {
                one.as_ref().is_some_and(|one| one.is_not(other))
            };
            let elsewhere = at.is_some_and(|at| it.at.iter().zip(at).any(differ));
            it.zone != zone || elsewhere
        });
    }

    /// As much as may happen where something is moved in such zones and comes to lie in some of them.
    pub(super) fn stir_all(&mut self, zones: &Zones, filled: &Zones) {
        self.moved.join(zones);
        self.shown.retain(|it| !filled.has(it.zone));
        self.each(&mut |it| {
            it.fresh &= !matches!(it.what, What::Zone(zone) if zones.has(zone));
            true
        });
    }

    /// What lies at a place is shown, or comes to be seen.
    pub(super) fn show(&mut self, zone: ZoneId, at: &[Sym], to: Option<&Sym>, stays: bool) {
        if !at.iter().all(Sym::is_told) || to.is_some_and(|it| !it.is_told()) {
            return;
        }
        self.each(&mut |it| {
            let is_it = it.fresh && it.what == What::Zone(zone) && it.at == at;
            match to {
                Some(seat) if is_it => it.known_to(seat),
                None if is_it => return false,
                _ => {}
            }
            true
        });
        if stays && self.shown.len() < MOST_NOTED {
            self.shown.push(Shown {
                zone,
                at: at.iter().cloned().map(Some).collect(),
                to: to.cloned(),
            });
        }
    }

    /// What was shown for each value of a local was shown everywhere, or for each of such a set, but for zones
    /// in which the rounds themselves move something: what was shown in one may be gone by the next.
    pub(super) fn shown_for_each(
        &mut self,
        inside: &State,
        local: LocalId,
        set: Option<&Sym>,
        moved: &Zones,
    ) {
        let this = Sym::Local(local);
        for it in inside.shown.iter().filter(|it| !moved.has(it.zone)) {
            let mut everywhere = it.clone();
            let mut n = 0;
            for sym in &mut everywhere.at {
                if sym.as_ref() == Some(&this) {
                    *sym = set.cloned();
                    n += 1;
                }
            }
            let rest = everywhere.at.iter().flatten().chain(&everywhere.to);
            let alone = rest.into_iter().all(|it| !it.any(&|sym| *sym == this));
            // Along a diagonal is not everywhere.
            if n == 1 && alone && self.shown.len() < MOST_NOTED {
                self.shown.push(everywhere);
            }
        }
    }

    /// What was shown of each of a set was shown of the one that a local stands for.
    pub(super) fn shown_of(&mut self, local: LocalId, member: &Sym) {
        let of_it = |it: &Shown| {
            let mut one = it.clone();
            let at = one.at.iter_mut().find(|it| it.as_ref() == Some(member))?;
            *at = Some(Sym::Local(local));
            Some(one)
        };
        let found: Vec<Shown> = self.shown.iter().filter_map(of_it).collect();
        let room = MOST_NOTED.saturating_sub(self.shown.len());
        self.shown.extend(found.into_iter().take(room));
    }

    pub(super) fn has_shown(&self, member: &Sym) -> bool {
        let mut places = self.shown.iter().flat_map(|it| &it.at);
        places.any(|it| it.as_ref() == Some(member))
    }

    /// Takes what was just read of a zone: what everybody was shown is no secret.
    pub(super) fn admit(&self, mut label: Label) -> Option<Label> {
        let What::Zone(zone) = label.what else {
            return Some(label);
        };
        if !label.fresh {
            return Some(label);
        }
        let here = self.shown.iter().filter(|it| it.zone == zone);
        for shown in here {
            let is_it = |(one, other): (&Option<Sym>, &Sym)| {
                one.as_ref().is_none_or(|one| one.is_all_of(other))
            };
            if !shown.at.iter().zip(&label.at).all(is_it) {
                continue;
            }
            match &shown.to {
                None => return None,
                Some(seat) => label.known_to(seat),
            }
        }
        label.fresh = !self.moved.has(zone);
        Some(label)
    }

    // ---- the course of things

    pub(super) fn course_of(&self) -> Labels {
        let mut all = Labels::default();
        for (_, label) in &self.course {
            all.add(label.clone());
        }
        all
    }

    pub(super) fn under(&mut self, labels: &Labels) {
        for label in labels.iter() {
            self.follows(self.depth, label);
        }
    }

    fn follows(&mut self, depth: u32, label: &Label) {
        let covers = |(at, it): &(u32, Label)| *at <= depth && it.covers(label);
        if self.course.iter().any(covers) {
            return;
        }
        if self.course.len() < MOST_THINGS {
            self.course.push((depth, label.clone()));
            return;
        }
        let many = Label {
            span: label.span,
            way: label.way.clone(),
            ..Label::given(What::Many)
        };
        if label.what == What::Many || !self.course.iter().any(|(_, it)| it.what == What::Many) {
            self.course.push((0, many));
        }
    }

    pub(super) fn leave(&mut self, depth: u32) {
        self.depth = depth;
        self.course.retain(|(at, _)| *at <= depth);
    }

    /// Somebody has been asked just here: who it was everybody saw. Why things came to that the branch has told, or nobody
    /// has: what stands there may have been asked in another arm as well.
    pub(super) fn asked(&mut self) {
        self.unsure = Few::default();
        for (_, on) in &mut self.known {
            *on = None;
        }
    }

    /// Everybody saw at which choice of the rules somebody has been asked: what brought things there inside the procedure is
    /// told. What brought them to the procedure is not, for it may be entered elsewhere.
    pub(super) fn shown_why(&mut self) {
        self.course.retain_mut(|(_, label)| {
            let from_outside = matches!(label.what, What::Entry { .. });
            if from_outside {
                label.what = What::Entry { asked: true };
            }
            from_outside
        });
    }

    pub(super) fn join(&mut self, other: &State) {
        for (depth, label) in &other.course {
            self.follows(*depth, label);
        }
        for (local, labels) in &other.locals {
            match self.locals.iter_mut().find(|(it, _)| it == local) {
                Some((_, known)) if Rc::ptr_eq(known, labels) => {}
                Some((_, known)) => {
                    Rc::make_mut(known).join(labels);
                }
                None => self.locals.push((*local, labels.clone())),
            }
        }
        self.known.retain(|it| other.known.contains(it));
        self.shown.retain(|it| other.shown.contains(it));
        self.moved.join(&other.moved);
        self.unsure.join(&other.unsure);
    }
}

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

    /// Adds these to some that others may share.
    pub(super) fn join_shared(known: &mut Rc<Few<T>>, other: &Few<T>) {
        let is_known = other.some.iter().all(|it| known.has(*it));
        if !is_known || (other.all && !known.all) {
            Rc::make_mut(known).join(other);
        }
    }
}

/// Drops those that are not to be kept, of some that others may share.
fn retain<T: Clone>(all: &mut Rc<Vec<T>>, is_kept: impl Fn(&T) -> bool) {
    if !all.iter().all(&is_kept) {
        Rc::make_mut(all).retain(is_kept);
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

/// What is known at one point of a procedure. Each branch begins with the same, so it is shared until one knows more.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// What it follows from that things came to this point, with the depth of the branch that says so.
    pub(super) course: Rc<Vec<(u32, Label)>>,
    pub(super) depth: u32,
    /// Locals that follow from something hidden.
    locals: Rc<Vec<(LocalId, Rc<Labels>)>>,
    /// Locals whose value everybody knows by now; those that stand on a track, as long as they stand there
    /// or until somebody has been asked.
    known: Rc<Vec<(LocalId, Option<TrackId>)>>,
    shown: Rc<Vec<Shown>>,
    /// Where something was moved since the procedure began.
    moved: Rc<Zones>,
    /// What has changed since somebody was asked, and not everybody knows by how much.
    pub(super) unsure: Rc<Few<Of>>,
}

impl State {
    pub(super) fn bind(&mut self, local: LocalId, labels: Labels) {
        retain(&mut self.known, |(it, _)| *it != local);
        retain(&mut self.locals, |(it, _)| *it != local);
        if !labels.is_empty() {
            Rc::make_mut(&mut self.locals).push((local, Rc::new(labels)));
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
            None if self.known.len() < MOST_NOTED => {
                Rc::make_mut(&mut self.known).push((local, on))
            }
            None => {}
            Some(seat) if self.locals.iter().any(|(it, _)| *it == local) => {
                let locals = Rc::make_mut(&mut self.locals).iter_mut();
                for (_, labels) in locals.filter(|(it, _)| *it == local) {
                    Rc::make_mut(labels).each(&mut |it| {
                        it.known_to(seat);
                        true
                    });
                }
            }
            Some(_) => {}
        }
    }

    pub(super) fn unknow(&mut self, is_such: &dyn Fn(LocalId) -> bool) {
        retain(&mut self.known, |(it, _)| !is_such(*it));
    }

    /// Something else may stand on such tracks.
    pub(super) fn overwritten(&mut self, is_such: &dyn Fn(TrackId) -> bool) {
        retain(&mut self.known, |(_, on)| !on.is_some_and(is_such));
    }

    /// Changes or drops each such label of the locals and of the course.
    fn each(&mut self, is_such: &dyn Fn(&Label) -> bool, f: &dyn Fn(&mut Label) -> bool) {
        let f = &mut |label: &mut Label| !is_such(label) || f(label);
        if self.course.iter().any(|(_, it)| is_such(it)) {
            Rc::make_mut(&mut self.course).retain_mut(|(_, label)| f(label));
        }
        let has_such = |labels: &Labels| labels.iter().any(is_such);
        if self.locals.iter().any(|(_, it)| has_such(it)) {
            let locals = Rc::make_mut(&mut self.locals);
            for (_, labels) in locals.iter_mut().filter(|(_, it)| has_such(it)) {
                Rc::make_mut(labels).each(f);
            }
            locals.retain(|(_, labels)| !labels.is_empty());
        }
    }

    pub(super) fn forget(&mut self, is_such: &dyn Fn(&Sym) -> bool) {
        self.each(&|it| it.names(is_such), &|it| {
            it.forget(is_such);
            true
        });
        retain(&mut self.shown, |it| {
            let places = it.at.iter().flatten();
            !places.chain(&it.to).any(|sym| sym.any(is_such))
        });
    }

    /// All leaves a place, as everybody sees: of what was shown there nothing is new.
    pub(super) fn empty(&mut self, zone: ZoneId) {
        if !self.moved.has(zone) {
            Rc::make_mut(&mut self.moved).add(zone);
        }
        self.each(&|it| it.fresh && it.what == What::Zone(zone), &|it| {
            it.fresh = false;
            true
        });
    }

    /// Something comes to a zone, or some of it leaves.
    pub(super) fn stir(&mut self, zone: ZoneId, at: Option<&[Sym]>) {
        self.empty(zone);
        retain(&mut self.shown, |it| {
            let differ = |(one, other): (&Option<Sym>, &Sym)| {
                one.as_ref().is_some_and(|one| one.is_not(other))
            };
            let elsewhere = at.is_some_and(|at| it.at.iter().zip(at).any(differ));
            it.zone != zone || elsewhere
        });
    }

    /// As much as may happen where something is moved in such zones and comes to lie in some of them.
    pub(super) fn stir_all(&mut self, zones: &Zones, filled: &Zones) {
        Few::join_shared(&mut self.moved, zones);
        retain(&mut self.shown, |it| !filled.has(it.zone));
        let is_such = |it: &Label| it.fresh && matches!(it.what, What::Zone(it) if zones.has(it));
        self.each(&is_such, &|it| {
            it.fresh = false;
            true
        });
    }

    /// What lies at a place is shown, or comes to be seen.
    pub(super) fn show(&mut self, zone: ZoneId, at: &[Sym], to: Option<&Sym>, stays: bool) {
        if !at.iter().all(Sym::is_told) || to.is_some_and(|it| !it.is_told()) {
            return;
        }
        let is_it = |it: &Label| it.fresh && it.what == What::Zone(zone) && *it.at == *at;
        self.each(&is_it, &|it| {
            to.is_some_and(|seat| {
                it.known_to(seat);
                true
            })
        });
        if stays && self.shown.len() < MOST_NOTED {
            Rc::make_mut(&mut self.shown).push(Shown {
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
                Rc::make_mut(&mut self.shown).push(everywhere);
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
        if !found.is_empty() {
            Rc::make_mut(&mut self.shown).extend(found.into_iter().take(room));
        }
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
            if !shown.at.iter().zip(label.at.iter()).all(is_it) {
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
        for (_, label) in self.course.iter() {
            all.take(label);
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
            Rc::make_mut(&mut self.course).push((depth, label.clone()));
            return;
        }
        let many = Label {
            span: label.span,
            way: label.way.clone(),
            ..Label::given(What::Many)
        };
        if label.what == What::Many || !self.course.iter().any(|(_, it)| it.what == What::Many) {
            Rc::make_mut(&mut self.course).push((0, many));
        }
    }

    pub(super) fn leave(&mut self, depth: u32) {
        self.depth = depth;
        retain(&mut self.course, |(at, _)| *at <= depth);
    }

    /// Somebody has been asked just here: who it was everybody saw. Why things came to that the branch has told, or nobody
    /// has: what stands there may have been asked in another arm as well.
    pub(super) fn asked(&mut self) {
        self.unsure = Rc::default();
        if self.known.iter().any(|(_, on)| on.is_some()) {
            for (_, on) in Rc::make_mut(&mut self.known) {
                *on = None;
            }
        }
    }

    /// Everybody saw at which choice of the rules somebody has been asked: what brought things there inside the procedure is
    /// told. What brought them to the procedure is not, for it may be entered elsewhere.
    pub(super) fn shown_why(&mut self) {
        Rc::make_mut(&mut self.course).retain_mut(|(_, label)| {
            let from_outside = matches!(label.what, What::Entry { .. });
            if from_outside {
                label.what = What::Entry { asked: true };
            }
            from_outside
        });
    }

    pub(super) fn join(&mut self, other: &State) {
        if !Rc::ptr_eq(&self.course, &other.course) {
            for (depth, label) in other.course.iter() {
                self.follows(*depth, label);
            }
        }
        if !Rc::ptr_eq(&self.locals, &other.locals) {
            self.join_locals(&other.locals);
        }
        if !Rc::ptr_eq(&self.known, &other.known) {
            retain(&mut self.known, |it| other.known.contains(it));
        }
        if !Rc::ptr_eq(&self.shown, &other.shown) {
            retain(&mut self.shown, |it| other.shown.contains(it));
        }
        Few::join_shared(&mut self.moved, &other.moved);
        Few::join_shared(&mut self.unsure, &other.unsure);
    }

    fn join_locals(&mut self, others: &[(LocalId, Rc<Labels>)]) {
        for (local, labels) in others {
            let at = self.locals.iter().position(|(it, _)| it == local);
            let known = at.and_then(|at| self.locals.get(at));
            let is_known =
                known.is_some_and(|(_, it)| Rc::ptr_eq(it, labels) || it.covers_all(labels));
            if is_known {
                continue;
            }
            let locals = Rc::make_mut(&mut self.locals);
            match at.and_then(|at| locals.get_mut(at)) {
                Some((_, known)) => _ = Rc::make_mut(known).join(labels),
                None => locals.push((*local, Rc::clone(labels))),
            }
        }
    }
}

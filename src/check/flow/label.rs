//! What a value or a course of things follows from, and who may know that.

use std::rc::Rc;

use super::sym::Sym;
use crate::model::{LocalId, TrackId, Visibility, ZoneId};
use crate::source::Span;

/// So many places of one zone or track are told apart.
const MOST_PLACES: usize = 4;

/// So many seats are noted that know something besides.
const MOST_SEATS: usize = 8;

/// So many different things one value may follow from.
pub(super) const MOST_THINGS: usize = 256;

/// So many steps of a way are told.
const MOST_STEPS: usize = 8;

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    Zone(ZoneId),
    Track(TrackId),
    /// What the caller hands on.
    Param(LocalId),
    /// What the caller's own course depends on; whether everybody has seen since where in the procedure things are.
    Entry {
        asked: bool,
    },
    /// More than can be told.
    Many,
}

/// How something that was read gets on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Kept(LocalId),
    Handed(LocalId),
    Offered,
    Decides,
}

/// The way of something that was read, its last step first.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) how: How,
    pub(super) span: Span,
    pub(super) before: Option<Rc<Step>>,
    length: usize,
}

/// Something hidden that a value, or the course of things, follows from.
#[derive(Clone, Debug)]
pub(super) struct Label {
    pub(super) what: What,
    /// The place of the zone or track.
    pub(super) at: Rc<[Sym]>,
    /// Who sees it, by which part of the place.
    pub(super) seen: Visibility,
    /// Seats that know it besides, each once.
    pub(super) also: Vec<Sym>,
    /// Of a zone: whether nothing has been moved there since, so that to show the place tells it.
    pub(super) fresh: bool,
    /// Where it is read.
    pub(super) span: Span,
    /// Where that asks whether something can be done: what reads it there.
    pub(super) within: Option<Span>,
    pub(super) way: Option<Rc<Step>>,
}

impl Label {
    /// What a procedure is given: nothing is known of it but by whom it is called.
    pub(super) fn given(what: What) -> Label {
        Label {
            what,
            at: Rc::default(),
            seen: Visibility::Hidden,
            also: Vec::new(),
            fresh: false,
            span: Span::default(),
            within: None,
            way: None,
        }
    }

    /// Whether that is for the caller to say.
    pub(super) fn is_handed_on(&self) -> bool {
        matches!(self.what, What::Param(_) | What::Entry { .. })
    }

    pub(super) fn is_seen_by(&self, seat: &Sym) -> bool {
        let sees = match self.seen {
            Visibility::Open => true,
            Visibility::Hidden => false,
            Visibility::Owner(at) => self.at.get(at).is_some_and(|it| it.is(seat)),
            Visibility::Others(at) => self.at.get(at).is_some_and(|it| it.is_not(seat)),
        };
        sees || self.also.iter().any(|it| it.is(seat))
    }

    /// Notes a seat that knows it besides.
    pub(super) fn known_to(&mut self, seat: &Sym) {
        let room = self.also.len() < MOST_SEATS;
        if room && seat.is_told() && !self.also.contains(seat) {
            self.also.push(seat.clone());
        }
    }

    pub(super) fn known_to_all_of(&mut self, other: &Label, f: &dyn Fn(LocalId) -> Sym) {
        for seat in &other.also {
            self.known_to(&seat.with(f));
        }
    }

    /// Whether whoever does not get to know this does not get to know the other one either: by what is
    /// known of it, it is at least as secret, now and whatever is shown later.
    pub(super) fn covers(&self, other: &Label) -> bool {
        let is_place = |(one, it): (&Sym, &Sym)| one == it || *one == Sym::Other;
        self.what == other.what
            && self.seen == other.seen
            && (!self.fresh || other.fresh)
            && self.at.iter().zip(other.at.iter()).all(is_place)
            && self.also.iter().all(|it| other.also.contains(it))
    }

    /// The same, wherever it is: nothing covers more.
    pub(super) fn blurred(&self) -> Label {
        Label {
            at: self.at.iter().map(|_| Sym::Other).collect(),
            also: Vec::new(),
            fresh: false,
            ..self.clone()
        }
    }

    pub(super) fn with(&self, f: &dyn Fn(LocalId) -> Sym) -> Label {
        let mut label = Label {
            at: self.at.iter().map(|it| it.with(f)).collect(),
            also: Vec::new(),
            ..self.clone()
        };
        label.known_to_all_of(self, f);
        label
    }

    /// Whether such places and seats are told by it.
    pub(super) fn names(&self, is_such: &dyn Fn(&Sym) -> bool) -> bool {
        self.at.iter().chain(&self.also).any(|it| it.any(is_such))
    }

    /// Forgets which ones such places and seats are.
    pub(super) fn forget(&mut self, is_such: &dyn Fn(&Sym) -> bool) {
        if self.at.iter().any(|it| it.any(is_such)) {
            let kept = |it: &Sym| match it.any(is_such) {
                true => Sym::Other,
                false => it.clone(),
            };
            self.at = self.at.iter().map(kept).collect();
        }
        self.also.retain(|it| !it.any(is_such));
    }

    pub(super) fn by(&self, how: How, span: Span) -> Label {
        let length = self.way.as_ref().map_or(0, |it| it.length);
        let is_last = |it: &Rc<Step>| it.how == how && it.span.same_place(span);
        if length >= MOST_STEPS || self.way.as_ref().is_some_and(is_last) {
            return self.clone();
        }
        let step = Step {
            how,
            span,
            before: self.way.clone(),
            length: length + 1,
        };
        Label {
            way: Some(Rc::new(step)),
            ..self.clone()
        }
    }
}

/// All that something follows from. Of two labels of which one covers the other only that one is kept, of
/// many places of one thing the blurred one, and of very many things that there are: so it only grows, and
/// not for ever.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    all: Vec<Label>,
}

impl Labels {
    pub(super) fn one(label: Label) -> Labels {
        Labels { all: vec![label] }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Label> {
        self.all.iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds one; returns whether that says anything new.
    pub(super) fn add(&mut self, label: Label) -> bool {
        !self.covers(&label) && self.put(label)
    }

    /// Adds one that is not covered; returns whether that says anything new.
    fn put(&mut self, label: Label) -> bool {
        self.all.retain(|it| !label.covers(it));
        let alike = self.all.iter().filter(|it| it.what == label.what).count();
        if alike >= MOST_PLACES {
            self.all.retain(|it| it.what != label.what);
            self.all.push(label.blurred());
            return true;
        }
        if self.all.len() < MOST_THINGS {
            self.all.push(label);
            return true;
        }
        let many = Label {
            span: label.span,
            way: label.way,
            ..Label::given(What::Many)
        };
        let is_new = !self.all.iter().any(|it| it.covers(&many));
        if is_new {
            self.all.push(many);
        }
        is_new
    }

    /// Adds one that stays where it is, too.
    pub(super) fn take(&mut self, label: &Label) -> bool {
        !self.covers(label) && self.put(label.clone())
    }

    pub(super) fn join(&mut self, other: &Labels) -> bool {
        let mut is_new = false;
        for label in &other.all {
            is_new |= self.take(label);
        }
        is_new
    }

    fn covers(&self, label: &Label) -> bool {
        self.all.iter().any(|it| it.covers(label))
    }

    /// Whether others say nothing new.
    pub(super) fn covers_all(&self, others: &Labels) -> bool {
        others.all.iter().all(|it| self.covers(it))
    }

    /// Changes or drops each.
    pub(super) fn each(&mut self, f: &mut dyn FnMut(&mut Label) -> bool) {
        self.all.retain_mut(|it| f(it));
    }

    pub(super) fn map(&self, f: &dyn Fn(&Label) -> Label) -> Labels {
        let mut mapped = Labels::default();
        for label in &self.all {
            mapped.add(f(label));
        }
        mapped
    }
}

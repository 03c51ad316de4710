//! What a value or a course of things follows from, and who may know that.

use std::rc::Rc;

use super::sym::Sym;
use crate::model::{LocalId, TrackId, ZoneId};
use crate::source::Span;

/// So many places of one zone or track are told apart.
const MOST_PLACES: usize = 4;

/// So many different things one value may follow from.
const MOST_THINGS: usize = 256;

/// So many steps of a way are told.
const MOST_STEPS: usize = 8;

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Zone(ZoneId),
    Track(TrackId),
    /// What the caller hands on.
    Param(LocalId),
    /// What the caller's own course depends on; whether somebody was asked since.
    Entry {
        asked: bool,
    },
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
    pub(super) at: Vec<Sym>,
    /// Which part of the place is the seat that sees it; none: nobody does.
    pub(super) owner: Option<usize>,
    /// Seats that know it besides.
    pub(super) also: Vec<Sym>,
    /// Of a zone: whether nothing has been moved there since, so that to show the place tells it.
    pub(super) fresh: bool,
    /// Of the course of things: whether everybody knows once somebody has been asked.
    pub(super) passes: bool,
    /// Where it is read.
    pub(super) span: Span,
    pub(super) way: Option<Rc<Step>>,
}

impl Label {
    /// What a procedure is given: nothing is known of it but by whom it is called.
    pub(super) fn given(what: What) -> Label {
        Label {
            what,
            at: Vec::new(),
            owner: None,
            also: Vec::new(),
            fresh: false,
            passes: false,
            span: Span::default(),
            way: None,
        }
    }

    pub(super) fn is_seen_by(&self, seat: &Sym) -> bool {
        let owner = self.owner.and_then(|at| self.at.get(at));
        owner.is_some_and(|it| it.is(seat)) || self.also.iter().any(|it| it.is(seat))
    }

    /// Whether both say the same, the ways apart.
    pub(super) fn same(&self, other: &Label) -> bool {
        self.what == other.what
            && self.at == other.at
            && self.owner == other.owner
            && self.also == other.also
            && self.fresh == other.fresh
            && self.passes == other.passes
    }

    pub(super) fn with(&self, f: &dyn Fn(LocalId) -> Sym) -> Label {
        let also = self.also.iter().map(|it| it.with(f));
        Label {
            at: self.at.iter().map(|it| it.with(f)).collect(),
            also: also.filter(Sym::is_told).collect(),
            ..self.clone()
        }
    }

    /// Forgets which ones such places and seats are.
    pub(super) fn forget(&mut self, is_such: &dyn Fn(&Sym) -> bool) {
        for sym in &mut self.at {
            if sym.any(is_such) {
                *sym = Sym::Other;
            }
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

/// All that something follows from.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    all: Vec<Label>,
    /// Whether there is more than could be told.
    pub(super) spilt: bool,
}

impl Labels {
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
        if self.all.iter().any(|it| it.same(&label)) {
            return false;
        }
        let alike = self.all.iter().filter(|it| it.what == label.what).count();
        if alike >= MOST_PLACES {
            return self.blur(label);
        }
        if self.all.len() >= MOST_THINGS {
            let is_new = !self.spilt;
            self.spilt = true;
            return is_new;
        }
        self.all.push(label);
        true
    }

    /// Of many places of one zone or track it is not told which ones they are.
    fn blur(&mut self, label: Label) -> bool {
        let blurred = |it: &Label| Label {
            at: vec![Sym::Other; it.at.len()],
            also: Vec::new(),
            fresh: false,
            passes: false,
            ..it.clone()
        };
        let one = blurred(&label);
        if self.all.iter().any(|it| it.same(&one)) {
            return false;
        }
        match self.all.iter_mut().rfind(|it| it.what == label.what) {
            Some(last) => *last = one,
            None => self.all.push(one),
        }
        true
    }

    pub(super) fn join(&mut self, other: &Labels) -> bool {
        let mut is_new = other.spilt && !self.spilt;
        self.spilt |= other.spilt;
        for label in &other.all {
            is_new |= self.add(label.clone());
        }
        is_new
    }

    /// Changes or drops each.
    pub(super) fn each(&mut self, f: &mut dyn FnMut(&mut Label) -> bool) {
        self.all.retain_mut(|it| f(it));
    }

    pub(super) fn map(&self, f: &dyn Fn(&Label) -> Label) -> Labels {
        let mut mapped = Labels {
            all: Vec::new(),
            spilt: self.spilt,
        };
        for label in &self.all {
            mapped.add(f(label));
        }
        mapped
    }
}

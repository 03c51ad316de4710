//! What has happened in a game since it began, and what each seat saw of it: it tells which positions a seat may be in.
//!
//! It is kept only where a game hides values, since those may follow from each other in ways that only the rules know. Nothing
//! here depends on what the seat may not know, but for the moves themselves, which [`super::worlds`] asks only of who saw them.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::knowledge::Knowledge;
use super::layout::Store;
use super::machine::{Machine, Move, State, Status};
use super::say::CandidateKind;
use super::text::split_index;
use super::view::{TrackValue, Viewer, may_see};
use crate::model::text::Form;
use crate::model::{NONE, Visibility};

/// Moves of a game that are kept: behind those nothing is.
const MOST_STEPS: usize = 4_000;

/// What has happened since a game began.
#[derive(Clone, Debug)]
pub(super) struct Lived {
    /// The first position, and what stands for what each seat saw of it.
    pub begin: State,
    pub marks: Box<[u64]>,
    pub steps: Vec<Arc<Step>>,
    pub eyes: Arc<[Eyes]>,
    /// Whether anybody was told anything.
    pub hears: bool,
}

/// A move that was played.
#[derive(Debug)]
pub(super) struct Step {
    pub seat: u32,
    pub mv: Move,
    /// By seat.
    pub seen: Box<[Seen]>,
}

/// What a seat saw of a move.
#[derive(Debug)]
pub(super) struct Seen {
    /// All of it.
    pub is_open: bool,
    /// What stands for the words in which it was told.
    pub words: u64,
    /// What stands for what the seat saw behind it; none while others had yet to choose.
    pub mark: Option<u64>,
}

/// A move that is about to be played, as each seat is told of it.
pub(super) struct Heard {
    seat: u32,
    mv: Move,
    told: Vec<(bool, u64)>,
}

/// What a seat sees.
#[derive(Debug)]
pub(super) struct Eyes {
    seat: u32,
    /// Tracks, each with the number of its value.
    tracks: Vec<(usize, usize)>,
    /// Zones, each with a place and whether what lies there is seen without being shown.
    zones: Vec<(usize, usize, bool)>,
}

impl Knowledge {
    /// Forgets what a seat chose last.
    pub(super) fn take_back(&mut self, seat: u32) {
        if let Some(lived) = self.lived.as_mut().map(Arc::make_mut)
            && let Some(at) = lived.steps.iter().rposition(|it| it.seat == seat)
        {
            lived.steps.remove(at);
        }
    }
}

impl Machine<'_> {
    /// Keeps what happens in games that begin from now on, so that hidden values can be dealt as seats saw them come about.
    pub fn keep_past(&mut self) {
        self.keeps_past = true;
    }

    /// Keeps nothing of what happens from here on: for who plays on in its mind, and asks nobody what was seen of it.
    pub fn live_no_more(&mut self) {
        self.knowledge.lived = None;
    }

    /// Keeps what happens from the beginning on, where the game hides values and that is asked for.
    pub(super) fn begin_to_live(&mut self) {
        let tracks = &self.program.game.tracks;
        let hides = tracks.iter().any(|it| it.visibility != Visibility::Open);
        if !self.keeps_past || !hides && self.closed_locals().is_empty() {
            return;
        }
        let eyes: Arc<[Eyes]> = (0..self.program.game.n_seats)
            .map(|seat| self.eyes(seat))
            .collect();
        self.knowledge.lived = Some(Arc::new(Lived {
            begin: self.save(),
            marks: eyes.iter().map(|it| self.mark(it)).collect(),
            steps: Vec::new(),
            eyes,
            hears: !self.heard.is_empty(),
        }));
    }

    /// How each seat is told of a move that is about to be played, where that is kept.
    pub(super) fn heard_of(&mut self, mv: Move) -> Option<Heard> {
        let lived = self.knowledge.lived.as_ref()?;
        if lived.steps.len() >= MOST_STEPS {
            self.knowledge.lived = None;
            return None;
        }
        let Status::Choice { seat } = self.status() else {
            return None;
        };
        let told = (0..self.program.game.n_seats).map(|of| {
            let is_open = self.is_told_whole(of, mv, seat);
            // Of what is seen whole nobody asks for words.
            let words = if is_open { 0 } else { self.words_of(of, mv) };
            (is_open, words)
        });
        let told = told.collect();
        Some(Heard { seat, mv, told })
    }

    /// What stands for the words in which a seat is told of a move.
    pub(super) fn words_of(&mut self, seat: u32, mv: Move) -> u64 {
        let printed = self.print_for(&[Viewer::Seat(seat)], mv, Form::Plain);
        xxh3_64(printed.as_bytes())
    }

    fn is_told_whole(&self, of: u32, mv: Move, seat: u32) -> bool {
        let viewer = Viewer::Seat(of);
        if of == seat {
            return true;
        }
        if self.is_silent(viewer, mv, seat) {
            return false;
        }
        match self.candidate(mv).map(|it| it.kind) {
            Some(CandidateKind::Action(id, args)) => {
                let action = self.program.game.actions.get(id.index());
                let inputs = super::say::inputs_of(seat, &args);
                action.is_some_and(|it| self.untold(viewer, it, &inputs, seat).is_empty())
            }
            Some(CandidateKind::Value(local, _)) => self.tells_value(viewer, local, seat),
            _ => true,
        }
    }

    /// Keeps a move that has been played.
    pub(super) fn live(&mut self, heard: Heard) {
        let Some(mut lived) = self.knowledge.lived.take() else {
            return;
        };
        let is_behind_all = self.pending().is_empty();
        let seen = heard.told.into_iter().zip(lived.eyes.iter());
        let seen = seen.map(|((is_open, words), eyes)| Seen {
            is_open,
            words,
            mark: is_behind_all.then(|| self.mark(eyes)),
        });
        let step = Step {
            seat: heard.seat,
            mv: heard.mv,
            seen: seen.collect(),
        };
        let kept = Arc::make_mut(&mut lived);
        kept.steps.push(Arc::new(step));
        kept.hears |= !self.heard.is_empty();
        self.knowledge.lived = Some(lived);
    }

    fn eyes(&self, seat: u32) -> Eyes {
        let (game, layout) = (&*self.program.game, &self.program.layout);
        let viewer = Viewer::Seat(seat);
        let mut tracks = Vec::new();
        for (at, (track, slot)) in game.tracks.iter().zip(&layout.tracks).enumerate() {
            let sees = |place: &usize| {
                may_see(
                    track.visibility,
                    &split_index(game, &track.index, *place),
                    viewer,
                )
            };
            tracks.extend((0..slot.len as usize).filter(sees).map(|place| (at, place)));
        }
        let mut zones = Vec::new();
        for (at, (zone, slot)) in game.zones.iter().zip(&layout.zones).enumerate() {
            let sees = |place| {
                may_see(
                    zone.visibility,
                    &split_index(game, &zone.index, place),
                    viewer,
                )
            };
            // Of a landscape hardly a place is filled: those that are get looked up each time.
            if !matches!(slot.store, Store::List(_)) {
                zones.extend((0..slot.places as usize).map(|place| (at, place, sees(place))));
            }
        }
        Eyes {
            seat,
            tracks,
            zones,
        }
    }

    /// What stands for all that a seat sees, is told and may do.
    pub(super) fn mark(&self, eyes: &Eyes) -> u64 {
        let (layout, mem) = (&self.program.layout, &*self.mem);
        let (asked, mut words) = match self.status() {
            Status::Choice { seat } => (seat == eyes.seat, vec![u64::from(seat)]),
            Status::Ended => (false, vec![u64::MAX]),
        };
        for (track, place) in &eyes.tracks {
            match layout.tracks.get(*track).map(|it| it.read(mem, *place)) {
                Some(TrackValue::Scalar(value)) => words.push(value.cast_unsigned()),
                Some(TrackValue::Set(bits)) => words.extend(bits),
                None => {}
            }
        }
        let game = &*self.program.game;
        let mut filled = Vec::new();
        for (at, (zone, slot)) in game.zones.iter().zip(&layout.zones).enumerate() {
            let Store::List(list) = &slot.store else {
                continue;
            };
            let places = list.places(mem);
            words.push(places.len() as u64);
            for place in places {
                let index = split_index(game, &zone.index, place);
                let is_seen = may_see(zone.visibility, &index, Viewer::Seat(eyes.seat));
                words.push(place as u64);
                filled.push((at, place, is_seen));
            }
        }
        for (zone, place, is_seen) in eyes.zones.iter().chain(&filled) {
            let Some(slot) = layout.zones.get(*zone) else {
                continue;
            };
            let size = slot.size(mem, *place);
            words.push(size);
            if size == 0 || !is_seen && !slot.knows(mem, *place, eyes.seat as usize) {
                continue;
            }
            match &slot.store {
                Store::One { .. } | Store::List(_) => {
                    words.push(slot.peek(mem, *place).cast_unsigned());
                    let fields = slot.fields_at(mem, *place).into_iter();
                    words.extend(fields.map(i64::cast_unsigned));
                }
                Store::Bag(_) | Store::Pile { .. } => {
                    words.extend((0..slot.kinds as usize).map(|it| slot.loose(mem, *place, it)));
                    words.extend(slot.ordered(mem, *place).map(|it| it as u64));
                }
            }
        }
        words.push(NONE.cast_unsigned());
        let told = self.heard.iter();
        let told = told.filter_map(|it| it.heard_by(eyes.seat, Form::Plain));
        words.extend(told.map(|it| xxh3_64(it.as_bytes())));
        if asked {
            words.extend(self.moves().iter().map(|it| it.0));
        }
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        xxh3_64(&bytes)
    }
}

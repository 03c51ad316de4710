//! What a checker knows before it has read anything.

use std::cell::Cell;
use std::collections::BTreeSet;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::lives::Lives;
use super::{Body, Checker};
use crate::compose::Composed;
use crate::model::{DomainId, Game, Passing, ProcId};

impl<'a> Checker<'a> {
    pub(super) fn new(composed: &'a Composed, chosen: &'a [(String, String)]) -> Checker<'a> {
        let header = &composed.header;
        let game = Game {
            name: header.name.text.clone(),
            title: header.title.text.clone(),
            n_seats: 0,
            seat_range: (0, 0),
            seat: DomainId(0),
            history: header
                .history
                .as_ref()
                .map_or(0, |it| u32::try_from(it.most.value).unwrap_or(0)),
            passing: Passing::default(),
            domains: Vec::new(),
            zones: Vec::new(),
            tracks: Vec::new(),
            tables: Vec::new(),
            settings: Vec::new(),
            defines: Vec::new(),
            procs: Vec::new(),
            actions: Vec::new(),
            tellings: Vec::new(),
            shown_ranges: BTreeSet::new(),
            supplies: Vec::new(),
            main: ProcId(0),
            invariants: Vec::new(),
            measures: Vec::new(),
            rulings: Vec::new(),
            studies: Vec::new(),
            to_move: None,
            other_tables: Vec::new(),
            other_readings: Vec::new(),
            unheard: Vec::new(),
            heard_under: Vec::new(),
            pictures: Vec::new(),
            shown: Vec::new(),
            marks: Vec::new(),
            clauses: Vec::new(),
            locals: Vec::new(),
            streams: Vec::new(),
            books: Vec::new(),
            amendments: composed.amendments.clone(),
            disputes: Vec::new(),
            hash: 0,
        };
        Checker {
            noted: None,
            composed,
            chosen,
            game,
            entries: Vec::new(),
            names: HashMap::default(),
            ranges: HashMap::default(),
            values: HashMap::default(),
            direction: DomainId(1),
            paths: HashMap::default(),
            worked: Cell::new(0),
            truths: None,
            defines: Vec::new(),
            procs: Vec::new(),
            without_me: Vec::new(),
            reads_me: Vec::new(),
            hands_me: Vec::new(),
            tables: Vec::new(),
            rows_done: HashSet::default(),
            rows_failed: HashSet::default(),
            copies_known: HashMap::default(),
            kinds_shown: false,
            signs_known: HashMap::default(),
            lying_known: HashMap::default(),
            homes_known: HashMap::default(),
            copies: HashMap::default(),
            folded_paths: HashSet::default(),
            numbered: HashMap::default(),
            options: Vec::new(),
            givens: Vec::new(),
            given_bodies: HashMap::default(),
            positions: HashMap::default(),
            additions: HashMap::default(),
            expects: false,
            homes: HashMap::default(),
            speaks_of_others: HashSet::default(),
            lapsed_for: Vec::new(),
            wrong_here: Vec::new(),
            lapsed: HashMap::default(),
            guard_work: 0,
            n_sentences: 0,
            offers: HashMap::default(),
            lives: Lives::default(),
            effects: Vec::new(),
            body: Body::default(),
            diagnostics: Vec::new(),
            errors: 0,
            depth: 0,
        }
    }
}

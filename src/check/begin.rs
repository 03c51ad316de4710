//! What a checker knows before it has read anything.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet};

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
            names: HashMap::new(),
            ranges: HashMap::new(),
            values: HashMap::new(),
            direction: DomainId(1),
            paths: HashMap::new(),
            worked: Cell::new(0),
            truths: None,
            defines: Vec::new(),
            procs: Vec::new(),
            without_me: Vec::new(),
            reads_me: Vec::new(),
            hands_me: Vec::new(),
            tables: Vec::new(),
            rows_done: HashSet::new(),
            rows_failed: HashSet::new(),
            copies_known: HashMap::new(),
            kinds_shown: false,
            signs_known: HashMap::new(),
            lying_known: HashMap::new(),
            homes_known: HashMap::new(),
            copies: HashMap::new(),
            folded_paths: HashSet::new(),
            numbered: HashMap::new(),
            options: Vec::new(),
            givens: Vec::new(),
            given_bodies: HashMap::new(),
            positions: HashMap::new(),
            additions: HashMap::new(),
            expects: false,
            homes: HashMap::new(),
            speaks_of_others: HashSet::new(),
            lapsed_for: Vec::new(),
            wrong_here: Vec::new(),
            lapsed: HashMap::new(),
            guard_work: 0,
            n_sentences: 0,
            offers: HashMap::new(),
            lives: Lives::default(),
            effects: Vec::new(),
            body: Body::default(),
            diagnostics: Vec::new(),
            errors: 0,
            depth: 0,
        }
    }
}

//! From a composed rulebook to a checked [`Game`].
//!
//! The checker resolves names, types, sizes, settings and effects. A declaration is looked at when
//! it is first needed, so the order of items in a file never matters. What is wrong with one item is
//! reported once: whatever depends on it fails silently with [`Reported`].

mod action;
mod aggregate;
mod asked;
mod begin;
mod boards;
mod bounds;
mod builtin;
mod call;
mod choice;
mod clause;
mod comprehension;
mod constant;
mod constant_sets;
mod construct;
mod control;
mod domains;
mod drawing;
mod drawn;
mod effect;
mod expr;
mod family;
mod fetch;
mod flow;
mod guard;
mod history;
mod holders;
mod homes;
mod implicit;
mod judgement;
mod lay;
mod lives;
mod loops;
mod lying;
mod many_places;
mod measure;
mod mismatch;
mod moves;
mod noted;
mod offers;
mod once;
mod operator;
mod pack;
mod patterns;
mod picture;
mod plane;
mod proc;
mod recursion;
mod rows;
mod ruling;
mod scope;
mod settings;
mod several;
mod shown;
mod signs;
mod stmt;
mod study;
mod telling;
mod template;
mod thing;
mod together;
mod truth;
mod types;
mod unnamed;
mod words;

pub use builtin::{BUILT_INS, BuiltIn};
pub use moves::settle_orders;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::compose::{Composed, Composite};
use crate::diagnostic::{Code, Diagnostic, codes};
use crate::model::{
    ActionId, ClauseId, Define, DefineId, DomainId, Game, LocalId, Proc, ProcId, SettingId,
    TableId, TrackId, ZoneId,
};
use crate::source::{FileId, Span};
use crate::syntax::ast;

use scope::Body;

/// After so many errors the rest is not looked at.
const MOST_ERRORS: usize = 1_000;

/// Something is wrong, and a diagnostic says so already.
#[derive(Clone, Copy, Debug)]
struct Reported;

/// The result of a check that has reported what is wrong.
type Checked<T> = Result<T, Reported>;

pub use noted::{Meant, Taken, types};
pub use types::BUILT_IN_TYPES;

/// What a declared name stands for.
#[derive(Clone, Copy, Debug)]
enum Entity {
    Domain(DomainId),
    Zone(ZoneId),
    Track(TrackId),
    Table(TableId),
    Setting(SettingId),
    Define(DefineId),
    Proc(ProcId),
    Action(ActionId),
    /// A named list of alternatives.
    Offers,
    /// An invariant or a ruling: nothing can refer to it.
    Other,
}

/// How far a declaration is checked.
#[derive(Clone, Copy, Debug)]
enum State {
    New,
    Busy,
    Failed,
    Done(Entity),
}

/// An item with how far it is checked.
struct Entry<'a> {
    composite: &'a Composite,
    clause: ClauseId,
    state: State,
}

/// A definition or procedure whose body is checked later than its head.
struct Pending<'a> {
    item: &'a ast::Item,
    state: State,
    /// The seat that it is called for, if it reads it.
    me: LocalId,
}

/// A call of a procedure where nobody is `me`.
struct WithoutMe {
    callee: ProcId,
    span: Span,
    why: &'static str,
}

struct Checker<'a> {
    composed: &'a Composed,
    /// The kinds of all values and what names stand for, if somebody asks for them.
    noted: Option<noted::Noted>,
    chosen: &'a [(String, String)],
    game: Game,
    entries: Vec<Entry<'a>>,
    names: HashMap<&'a str, usize>,
    ranges: HashMap<(i64, i64), DomainId>,
    /// The values of the enums by their names.
    values: HashMap<DomainId, HashMap<String, i64>>,
    direction: DomainId,
    paths: HashMap<String, ClauseId>,
    /// Steps taken for what must be known before play.
    worked: Cell<u64>,
    /// The domain of `false` and `true`, once something ranges over it.
    truths: Option<DomainId>,
    defines: Vec<Pending<'a>>,
    procs: Vec<Pending<'a>>,
    without_me: Vec<WithoutMe>,
    /// The procedures that read `me` themselves, and who hands `me` on to whom, and where.
    reads_me: Vec<(ProcId, Span)>,
    hands_me: Vec<(ProcId, ProcId, Span)>,
    /// The tables in the order of their ids (`None` for those that a space makes), and those whose rows are checked.
    tables: Vec<Option<&'a ast::TableDecl>>,
    rows_done: HashSet<TableId>,
    rows_failed: HashSet<TableId>,
    /// How many copies of a component there are, and of one of its kinds at most, where somebody asked.
    copies_known: HashMap<DomainId, (i64, i64)>,
    /// Whether it is known how values are printed; the signs of domains, where something is drawn of them; and where components
    /// lie before play.
    kinds_shown: bool,
    signs_known: HashMap<DomainId, Rc<signs::Signs>>,
    lying_known: HashMap<ZoneId, Option<Rc<lying::Lying>>>,
    homes_known: HashMap<DomainId, Rc<homes::Homes>>,
    /// The kinds of which a domain has several copies.
    copies: HashMap<DomainId, DomainId>,
    /// Addresses of pieces that the settings fold away.
    folded_paths: HashSet<String>,
    /// By address that several items without a name have: the number of the last one.
    numbered: HashMap<String, u64>,
    /// Options written in place, with how they are printed.
    options: Vec<(String, String)>,
    /// The rulings and studies, by item, with the events that set up their positions.
    givens: Vec<(usize, Option<ProcId>)>,
    /// What each of these events does, by position those that have a name, and by place those that add to one.
    given_bodies: HashMap<ProcId, ruling::GivenBody<'a>>,
    positions: HashMap<&'a str, ProcId>,
    additions: HashMap<(FileId, u32), ProcId>,
    /// Whether an expectation is checked.
    expects: bool,
    /// The amendments that each ruling and study was written for.
    homes: HashMap<ClauseId, &'a BTreeSet<String>>,
    /// The rulings that speak of readings that are not chosen.
    speaks_of_others: HashSet<ClauseId>,
    /// What was wrong with the piece of a ruling that lapsed last.
    lapsed_for: Vec<Diagnostic>,
    /// What is wrong in rulings with what they say of these very rules.
    wrong_here: Vec<Diagnostic>,
    /// Those events that speak of what an amendment has taken away.
    lapsed: HashMap<ProcId, Vec<Diagnostic>>,
    /// How many statements are tried out before guarded calls.
    guard_work: usize,
    /// How many sentences are listed and cited in all.
    n_sentences: usize,
    /// The named lists of alternatives.
    offers: HashMap<&'a str, offers::Offers<'a>>,
    /// What matters to tracks that live in a block.
    lives: lives::Lives,
    /// What the procedures do, by id.
    effects: Vec<effect::Effect>,
    body: Body,
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// How many declarations are being looked at, one for the sake of the other.
    depth: u32,
}

/// Checks a composed rulebook for one table.
///
/// `settings` are `name=value` pairs of the user; `seats` is the number of seats, by default the
/// least that the rulebook allows. There is a game if no diagnostic is an error.
pub fn check(
    composed: &Composed,
    settings: &[(String, String)],
    seats: Option<u32>,
) -> (Option<Game>, Vec<Diagnostic>) {
    let (game, diagnostics, _) = run(composed, settings, seats, None);
    let sound = !diagnostics.iter().any(Diagnostic::is_error);
    (sound.then_some(game), diagnostics)
}

/// Checks it too, and returns the game as far as it could be made, and what its names stand for: where a diagnostic is
/// an error it must not be played, but it knows names and types.
pub fn look(
    composed: &Composed,
    settings: &[(String, String)],
    seats: Option<u32>,
) -> (Game, Vec<Diagnostic>, Vec<Meant>) {
    run(composed, settings, seats, Some(noted::Noted::default()))
}

fn run(
    composed: &Composed,
    settings: &[(String, String)],
    seats: Option<u32>,
    noted: Option<noted::Noted>,
) -> (Game, Vec<Diagnostic>, Vec<Meant>) {
    let mut checker = Checker::new(composed, settings);
    checker.noted = noted;
    checker.run(seats);
    let Checker {
        game,
        noted,
        diagnostics,
        ..
    } = checker;
    let meant = noted.map_or_else(Vec::new, |it| it.meant);
    (game, once::told_once(diagnostics), meant)
}

impl<'a> Checker<'a> {
    fn run(&mut self, seats: Option<u32>) {
        self.books();
        self.seats(seats);
        // Without seats nothing else can be said of the game.
        if self.composed.header.seats.is_none() {
            return;
        }
        self.collect_names();
        self.header_clause();
        self.unknown_settings();
        for index in 0..self.entries.len() {
            if self.enough() {
                return;
            }
            // What is wrong is reported; the other items are still looked at.
            let _ = self.entity(index);
        }
        self.show_kinds();
        // Conditions may lay things, so it is known before where those start; what that asks is looked at by then.
        let is_supply = |it: &usize| matches!(self.item(*it).kind, ast::ItemKind::Supply(_));
        let (supplies, others): (Vec<usize>, Vec<usize>) =
            (0..self.entries.len()).partition(is_supply);
        for index in supplies.into_iter().chain(others) {
            if self.enough() {
                return;
            }
            self.finish(index);
        }
        for index in 0..self.game.defines.len() {
            if self.enough() {
                return;
            }
            self.define_body(index);
        }
        for index in 0..self.procs.len() {
            if self.enough() {
                return;
            }
            self.proc_body(index);
        }
        // In a game that is broken, rulings would be told of what only follows from it.
        let speaks_of_rulings = !self.is_broken();
        if speaks_of_rulings {
            let first = self.procs.len();
            self.ruling_heads();
            for index in first..self.procs.len() {
                self.proc_body(index);
            }
        }
        self.check_guards();
        if speaks_of_rulings {
            self.rulings();
        }
        self.conditions();
        self.disputes();
        self.find_main();
        self.settle_me();
        self.find_effects();
        self.game.hash = self.hash();
        // What is said of the whole game would be misled by a body that is missing.
        if !self.is_broken() {
            self.check_levels();
        }
        // What follows calls relies on their number.
        if !self.is_broken() {
            self.check_lives();
            self.keep_no_first_values();
            self.check_hypotheses();
            self.check_end();
            self.check_recursion();
            self.check_ports();
            self.check_pictures();
            self.check_loops();
            self.settle_history();
            self.supplies_fit();
            self.check_flow();
        }
    }

    fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Whether so much is wrong that nobody would read more.
    fn enough(&self) -> bool {
        self.errors > MOST_ERRORS
    }

    /// Checks what an item holds besides its head; bodies of procedures come later.
    fn finish(&mut self, index: usize) {
        let Some(entry) = self.entries.get(index) else {
            return;
        };
        let (item, clause, state) = (&entry.composite.item, entry.clause, entry.state);
        let _ = match (&item.kind, state) {
            (ast::ItemKind::Table(table), State::Done(Entity::Table(id))) => {
                self.table_rows(table, id)
            }
            (ast::ItemKind::Supply(supply), _) => self.supply(supply, clause),
            (ast::ItemKind::Show(show), _) if !self.shows_a_kind(show) => {
                self.show(show, item.span)
            }
            (ast::ItemKind::Hide(hide), _) => self.hide(hide),
            (ast::ItemKind::Picture(picture), _) => self.picture(picture, clause),
            (ast::ItemKind::Invariant(invariant), _) => self.invariant(invariant, clause),
            (ast::ItemKind::Measure(measure), _) => self.measure(measure, clause),
            (ast::ItemKind::Action(action), State::Done(Entity::Action(id))) => {
                self.action_rules(action, id)
            }
            _ => Ok(()),
        };
    }

    fn find_main(&mut self) {
        match self.names.get("main").copied() {
            Some(index) => match self.entity(index) {
                Ok(Entity::Proc(id)) if matches!(self.item(index).kind, ast::ItemKind::Flow(_)) => {
                    let flow = self.game.procs.get(id.index());
                    if flow.is_some_and(|flow| !flow.params.is_empty()) {
                        let span = self.item(index).span;
                        self.error(codes::NO_MAIN, span, "`main` cannot have parameters");
                    }
                    self.game.main = id;
                }
                Ok(_) => {
                    let span = self.item(index).span;
                    self.error(codes::NO_MAIN, span, "`main` is not a flow");
                }
                Err(Reported) => {}
            },
            None => {
                let span = self.composed.header.span;
                self.complain(
                    codes::NO_MAIN,
                    span,
                    "the game has no `flow main`",
                    "write `flow main() { … }`: the course of the game",
                );
            }
        }
    }

    fn hash(&self) -> u64 {
        let mut bytes = self.composed.hash.to_le_bytes().to_vec();
        for setting in &self.game.settings {
            bytes.extend_from_slice(setting.name.as_bytes());
            bytes.push(0);
            bytes.extend_from_slice(&setting.value.to_le_bytes());
        }
        bytes.extend_from_slice(&self.game.n_seats.to_le_bytes());
        xxhash_rust::xxh3::xxh3_64(&bytes)
    }

    #[inline(never)]
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.errors += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
        Reported
    }

    /// Reports a finding about one place with what to do about it.
    #[inline(never)]
    fn complain(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Reported {
        self.report(Diagnostic::at(code, span, message).help(help))
    }

    #[inline(never)]
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::at(code, span, message))
    }

    fn item(&self, index: usize) -> &'a ast::Item {
        // Every index comes from `entries`; an empty composition has none.
        match self.entries.get(index) {
            Some(entry) => &entry.composite.item,
            None => &self.composed.items[0].item,
        }
    }

    fn define(&self, id: DefineId) -> Option<&Define> {
        self.game.defines.get(id.index())
    }

    fn proc(&self, id: ProcId) -> Option<&Proc> {
        self.game.procs.get(id.index())
    }
}

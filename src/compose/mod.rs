//! A rulebook and a set of amendments become one rulebook.
//!
//! Amendments are a set: the order in which they are listed never decides anything. What does not
//! commute is an error that shows both places.

mod address;
mod apply;
mod bits;
mod canon;
mod changes;
mod commute;
mod conflict;
mod header;
mod inner;
mod lives;
mod outline;
mod reached;
mod readings;
mod reads;
mod resolve;
mod state;
mod units;
mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashSet as HashSet;

pub use self::changes::{Change, How, changes};
pub use self::inner::{Inner, inside_block, inside_item};
pub use self::outline::Entry;
pub use self::reached::Dead;
use self::readings::Chosen;
use crate::diagnostic::{Diagnostic, codes, sort_by_place};
use crate::source::{FileId, Span};
use crate::syntax::ast;

/// A rulebook with its amendments worked in.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The header of the game, with the sources of all amendments.
    pub header: ast::Header,
    /// The files of the game itself.
    pub files: Vec<FileId>,
    /// The items: no edits, no relations, no resolutions.
    pub items: Vec<Composite>,
    /// All guards, those of the game itself included.
    pub guards: Vec<Guard>,
    /// What is no longer there, by address: which amendment removes each, and where.
    pub removed: BTreeMap<String, (String, Span)>,
    /// The questions that are not asked, because of how others are answered.
    pub unasked: BTreeSet<String>,
    /// The readings and options whose edits are worked in: `exposure = five`, `hand_cap`.
    pub worked_in: Vec<String>,
    /// The tracks that live in a block, each with its place. They are among the items too.
    pub lives: BTreeMap<String, Span>,
    /// The names of the amendments, each behind those that it stands on.
    pub amendments: Vec<String>,
    /// By address, the amendment or reading that brought what is there; nothing of the game itself.
    pub brought: BTreeMap<String, String>,
    /// By address of a condition or value that was replaced, the amendment or reading that did it last, and where.
    pub replaced: BTreeMap<String, (String, Span)>,
    /// By address, the edits that are about it, in the order in which they were made.
    pub edited: BTreeMap<String, Vec<Touched>>,
    /// Equal for equal rules, wherever and in whatever order they were written.
    pub hash: u64,
}

impl Composed {
    /// Returns the rules in the canonical form that `hash` is made of, one item a line; in it the tracks that live in a
    /// block stand once more, by themselves.
    pub fn rules(&self) -> String {
        canon::rules(&self.header, &self.items, &self.guards)
    }
}

/// An edit of what is at an address.
#[derive(Clone, Debug)]
pub struct Touched {
    /// The amendment or reading whose edit it is.
    pub by: Option<String>,
    /// Where it names the address.
    pub span: Span,
    /// Whether it changes what is around, as what is put in before a step does.
    pub around: bool,
}

/// An item with where it comes from.
#[derive(Clone, Debug)]
pub struct Composite {
    /// The item.
    pub item: Arc<ast::Item>,
    /// The amendment or the reading that brought it or last changed it; none for an untouched item of
    /// the game.
    pub origin: Option<String>,
    /// The amendments that whatever brought it or last changed it was written for, itself included.
    pub home: BTreeSet<String>,
}

/// What a [`Guard`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GuardKind {
    /// Refuses an action or an event.
    Forbid,
    /// Satisfies one clause of an action, or lifts what another guard refuses.
    Permit,
}

impl GuardKind {
    /// Returns the word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            GuardKind::Forbid => "forbid",
            GuardKind::Permit => "permit",
        }
    }
}

/// A condition on an action, an event, a clause or another guard.
#[derive(Clone, Debug)]
pub struct Guard {
    /// What it does.
    pub kind: GuardKind,
    /// What is guarded: `NAME` of a forbid; of a permit `ACTION.CLAUSE`, or `NAME.LABEL` of a forbid.
    pub path: ast::Path,
    /// Names for the parameters of what is guarded; may be empty.
    pub formals: Vec<ast::Name>,
    /// Its own label; no two guards and clauses of one action or event share one.
    pub label: ast::Name,
    /// When it takes effect.
    pub when: ast::Expr,
    /// What is said then.
    pub because: Option<ast::Template>,
    /// Citations and the like.
    pub tail: ast::Tail,
    /// The amendment that brought it or last changed it; none for a guard of the game.
    pub origin: Option<String>,
    /// Where it is written.
    pub span: Span,
}

/// Works the amendments and the readings that are wanted into the base.
///
/// The result is the same for every order of `amendments`. There is none if anything is an error. Of a
/// setting that nobody wants otherwise its default holds; names and values that do not exist are left
/// to the checker.
pub fn compose(
    base: &ast::File,
    amendments: &[&ast::File],
    wanted: &[(String, String)],
) -> (Option<Composed>, Vec<Diagnostic>) {
    // Of a file without a header the parser has said what is wrong.
    if base.header.is_none() || amendments.iter().any(|file| file.header.is_none()) {
        return (None, Vec::new());
    }
    let (composed, mut diagnostics) = compose_readings(base, amendments, wanted);
    sort_by_place(&mut diagnostics);
    let composed = composed.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    (composed, diagnostics)
}

/// Composes until the readings that are worked in are those that the rules so made choose: amendments
/// may change what is the default, and add questions and readings.
fn compose_readings(
    base: &ast::File,
    amendments: &[&ast::File],
    wanted: &[(String, String)],
) -> (Option<Composed>, Vec<Diagnostic>) {
    // Where settings are edited by what is worked in, it takes another round.
    let files: Vec<&ast::File> = std::iter::once(base)
        .chain(amendments.iter().copied())
        .collect();
    let mut chosen = Chosen::first(&files, wanted);
    for _ in 0..MOST_ROUNDS {
        let units = match units::Units::new(base, amendments, &chosen.choices) {
            Ok(units) => units,
            Err(diagnostics) => return (None, diagnostics),
        };
        let (state, mut origins, mut diagnostics) = match compose_units(&units) {
            Ok(done) => done,
            Err(endless) => return (None, endless),
        };
        let next = Chosen::of(&state, wanted);
        if next == chosen {
            units.relations(&mut diagnostics);
            readings::not_asked(&state, wanted, &mut diagnostics);
            let header = header::merged(&units, &mut origins.2, &mut diagnostics);
            let composed = header.map(|header| finish(&units, header, state, origins, &chosen));
            return (composed, diagnostics);
        }
        chosen = next;
    }
    let message = "the readings choose each other without end";
    let diagnostic = Diagnostic::new(codes::TOO_MANY_EDITS, message)
        .help("let no reading set a question that another reading sets");
    (None, vec![diagnostic])
}

/// By address, the unit that brought what is there.
type Brought = BTreeMap<String, String>;
type Replaced = BTreeMap<String, (String, Span)>;
type Edited = BTreeMap<String, Vec<Touched>>;
type Origins = (Brought, Replaced, Edited);

/// Resolutions that settle conflicts among resolutions take another round; no sane set needs more.
const MOST_ROUNDS: usize = 16;

fn compose_units(
    units: &units::Units<'_>,
) -> Result<(state::State, Origins, Vec<Diagnostic>), Vec<Diagnostic>> {
    let edits = apply::in_order(units);
    let mut dropped = HashSet::default();
    for _ in 0..MOST_ROUNDS {
        let mut work = apply::Work::new(units, &edits, &dropped);
        work.run();
        reads::check(&mut work);
        commute::check(&mut work);
        let mut open = Vec::new();
        let mut overridden: HashSet<conflict::Edit> = HashSet::default();
        for conflict in &work.conflicts {
            match resolve::overridden(&work, conflict) {
                Some(edits) => overridden.extend(edits),
                None => open.push(conflict),
            }
        }
        if overridden.is_subset(&dropped) {
            let mut diagnostics = std::mem::take(&mut work.diagnostics);
            diagnostics.extend(open.into_iter().map(|it| work.describe(it)));
            let brought = work.brought();
            let replaced = std::mem::take(&mut work.replaced);
            let edited = std::mem::take(&mut work.edited);
            return Ok((work.state, (brought, replaced, edited), diagnostics));
        }
        dropped.extend(overridden);
    }
    let message = "the resolutions override each other without end";
    let diagnostic = Diagnostic::new(codes::TOO_MANY_EDITS, message)
        .help("write one resolution for all of the amendments");
    Err(vec![diagnostic])
}

fn finish(
    units: &units::Units<'_>,
    mut header: ast::Header,
    mut state: state::State,
    (brought, replaced, mut edited): Origins,
    chosen: &Chosen,
) -> Composed {
    state.readdress_rulings();
    let mut items: Vec<Composite> = state.items.into_iter().flatten().collect();
    header::take_histories(&mut header, &mut items, &mut edited);
    let hash = canon::hash(&header, &items, &state.guards);
    // Their blocks have them in the hash already.
    let lives = lives::listed(&mut items);
    let base = units.files.first().into_iter();
    let files = base.flat_map(|it| {
        let parts = it.parts.iter().map(|part| part.file);
        parts.chain([it.file])
    });
    Composed {
        files: files.collect(),
        header,
        items,
        guards: state.guards,
        removed: state.removed,
        unasked: chosen.unasked.clone(),
        worked_in: chosen.worked_in(),
        lives,
        amendments: units.amendments(),
        brought,
        replaced,
        edited,
        hash,
    }
}

//! What a seat may not know decides neither what it is offered nor what it is told.
//!
//! Everything that is read and not open to all has a [`Label`](label::Label): what it is, at which place,
//! and which seat sees it, told by how that seat is written. Labels go with values through locals,
//! arguments, results and definitions, and with the course of things through branches and loops. Where a
//! seat chooses, it must see all that its choice follows from.
//!
//! Each procedure is looked at once, behind those that it calls, and says what it asks of its callers. What
//! leads back to itself is looked at until that says no more. What is known of it only grows, and nothing
//! is left out without a word: of too much it is said that it is [`What::Many`](label::What::Many).
//! What is put on the table is told: labels end at tracks and zones, whose own visibility holds.

mod acts;
mod apart;
mod branch;
mod call;
mod choice;
mod expr;
mod facts;
mod label;
mod needs;
mod offered;
mod order;
mod report;
mod state;
mod sym;
mod walk;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Checker;
use super::recursion::Station;
use crate::diagnostic::Diagnostic;
use crate::model::{ActionId, Expr, Game, LocalId, Place, ProcId, Stmt, TrackId};
use crate::source::Span;
use acts::Acts;
use facts::Facts;
use label::Labels;
use needs::{Asks, Need, Needs};
use sym::Sym;

/// So many labels are looked at in a whole game.
const MOST_WORK: usize = 32_000_000;

/// What others need to know of a procedure.
#[derive(Clone, Debug, Default)]
struct Summary {
    needs: Needs,
    /// What its value follows from.
    result: Labels,
    /// What its effect follows from.
    reads: Labels,
}

/// What is read where it is found whether an action is legal; the seat is `Action::me`.
#[derive(Clone, Debug, Default)]
struct Legal {
    offered: Labels,
    said: Labels,
    params: Vec<Labels>,
}

impl Legal {
    fn join(&mut self, other: &Legal) -> bool {
        let mut is_new = self.offered.join(&other.offered) | self.said.join(&other.said);
        self.params.resize_with(other.params.len(), Labels::default);
        for (known, labels) in self.params.iter_mut().zip(&other.params) {
            is_new |= known.join(labels);
        }
        is_new
    }
}

struct Analysis<'g> {
    game: &'g Game,
    facts: Facts,
    /// What definitions follow from.
    defines: Vec<Labels>,
    procs: Vec<Rc<Summary>>,
    actions: Vec<Rc<Legal>>,
    now: walk::Walk<'g>,
    /// What everybody notices of a block or a statement: it is asked at each branch around it and before it.
    noticed: RefCell<FxHashMap<(*const Stmt, usize), Rc<Acts>>>,
    /// The same of more rounds of a loop.
    noticed_rounds: RefCell<FxHashMap<*const Stmt, Rc<Acts>>>,
    /// Variables of `for each`: whether all see what they range over where they do.
    ranges: BTreeMap<LocalId, bool>,
    found: Vec<Need>,
    work: usize,
    /// What could not be followed.
    tangled: Option<Span>,
}

impl Checker<'_> {
    /// Reports what a seat would learn from its choices.
    pub(super) fn check_flow(&mut self) {
        let (findings, ranges) = Analysis::new(&self.game).run();
        self.game.shown_ranges = ranges;
        for finding in findings {
            self.report(finding);
        }
    }
}

impl<'g> Analysis<'g> {
    fn new(game: &'g Game) -> Analysis<'g> {
        Analysis {
            game,
            facts: Facts::default(),
            defines: vec![Labels::default(); game.defines.len()],
            procs: vec![Rc::default(); game.procs.len()],
            actions: vec![Rc::default(); game.actions.len()],
            now: walk::Walk::default(),
            noticed: RefCell::default(),
            noticed_rounds: RefCell::default(),
            ranges: BTreeMap::new(),
            found: Vec::new(),
            work: 0,
            tangled: None,
        }
    }

    /// Returns what is wrong, and the variables of `for each` over what everybody sees by then.
    fn run(mut self) -> (Vec<Diagnostic>, BTreeSet<LocalId>) {
        // Where everything lies open there is nothing to tell.
        let open = crate::model::Visibility::Open;
        let zones = self.game.zones.iter().map(|it| it.visibility);
        let tracks = self.game.tracks.iter().map(|it| it.visibility);
        if zones.chain(tracks).all(|it| it == open) {
            return (Vec::new(), BTreeSet::new());
        }
        let (groups, is_called) = order::groups(self.game);
        self.facts.is_called = is_called;
        self.find_facts(&groups);
        // Of what leads back to itself more is known now.
        if groups.iter().any(|it| self.leads_back(it)) {
            self.noticed.take();
        }
        for group in groups {
            // What is known only grows, and there is only so much that can be known.
            while self.look_at(&group) && self.tangled.is_none() {}
            if self.tangled.is_some() {
                break;
            }
        }
        self.settle();
        let mut ranges = BTreeSet::new();
        if self.tangled.is_none() {
            let open = self.ranges.iter().filter(|(_, is_open)| **is_open);
            ranges.extend(open.map(|(local, _)| *local));
        }
        (self.report(), ranges)
    }

    /// Looks at what leads to each other; returns whether that has to be done again.
    fn look_at(&mut self, group: &[Station]) -> bool {
        let mut is_new = false;
        for station in group {
            match station {
                Station::Define(id) => is_new |= self.look_at_define(*id),
                Station::Legality(id) => is_new |= self.look_at_action(*id),
                Station::Proc(id) => is_new |= self.look_at_proc(*id),
            }
        }
        is_new && self.leads_back(group)
    }

    fn leads_back(&self, group: &[Station]) -> bool {
        group.len() > 1
            || group.iter().any(|it| match it {
                Station::Define(id) => self
                    .game
                    .defines
                    .get(id.index())
                    .is_some_and(|it| it.depth > 0),
                Station::Proc(id) => self
                    .game
                    .procs
                    .get(id.index())
                    .is_some_and(|it| it.depth > 0),
                Station::Legality(_) => false,
            })
    }

    /// What nobody calls has nobody who could show it anything.
    fn settle(&mut self) {
        for (index, summary) in self.procs.iter().enumerate() {
            let id = ProcId(super::recursion::number(index));
            if !self.facts.is_entered(id) || id == self.game.main {
                self.found.extend(summary.needs.iter().cloned());
            }
        }
        let offered = order::offered(self.game);
        for (index, action) in self.game.actions.iter().enumerate() {
            if offered.get(index) == Some(&true) {
                continue;
            }
            let id = ActionId(super::recursion::number(index));
            let Some(legal) = self.actions.get(index) else {
                continue;
            };
            let me = Sym::Local(action.me);
            let span = self
                .game
                .clauses
                .get(action.clause.index())
                .map(|it| it.span);
            for (labels, asks) in [
                (&legal.offered, Asks::Legal(id)),
                (&legal.said, Asks::Said(id)),
            ] {
                let hidden = labels.iter().filter(|it| !it.is_seen_by(&me));
                self.found.extend(hidden.map(|label| Need {
                    label: label.clone(),
                    seat: me.clone(),
                    asks,
                    span: span.unwrap_or_default(),
                }));
            }
        }
    }

    fn tangle(&mut self, span: Option<Span>) {
        if self.tangled.is_none() {
            self.tangled = Some(span.unwrap_or_default());
        }
    }

    /// Counts work; what goes beyond all measure is given up, and that is said.
    fn pay(&mut self, labels: &Labels, span: Span) {
        self.work += 1 + labels.len();
        if self.work > MOST_WORK {
            self.tangle(Some(span));
        }
    }

    fn sym(&self, expr: &Expr) -> Sym {
        self.named(Sym::of(self.game, expr))
    }

    fn syms(&self, place: &Place) -> Rc<[Sym]> {
        place.index.iter().map(|it| self.sym(it)).collect()
    }

    /// What is kept in a local is written as where it came from.
    fn named(&self, sym: Sym) -> Sym {
        if self.facts.aliases.is_empty() {
            return sym;
        }
        sym.with(&|local| match self.facts.aliases.get(&local) {
            Some(alias) => alias.clone(),
            None => Sym::Local(local),
        })
    }

    /// Whether a seat or place is another one when something has been set.
    fn changes(&self, sym: &Sym, set: &dyn Fn(TrackId) -> bool) -> bool {
        sym.any(&|it| match it {
            Sym::Track(id, _) => set(*id),
            Sym::Define(id, _) => self.facts.define_changes(*id),
            _ => false,
        })
    }
}

//! Inserts at one place that cannot influence each other need no order.
//!
//! That is so if neither changes what the other uses or changes, neither asks anybody, ends the game or
//! leaves what is around it, and at most one leaves something to chance. What they call counts too. A
//! fault stops the game in either order. They are worked in by the names of their amendments then.

use std::collections::{BTreeMap, BTreeSet};

use super::apply::Work;
use super::conflict::{Conflict, Edit, Side, Touch, Why};
use super::resolve;
use super::state::{Place, State};
use super::walk::{Scope, Use, Visitor, Walk};
use crate::syntax::ast::{self, Expr, ExprKind, ItemKind, Role, StatementKind};

/// Built-in words that ask the whole position, or a landscape that they do not name.
const ASK_ANYTHING: [&str; 5] = ["repeated", "parts_at", "touching", "loose", "part_with"];

/// Two inserts at one place.
pub(super) struct Beside {
    pub place: Place,
    pub touches: [Touch; 2],
}

/// Notes a conflict for each two inserts at one place whose order makes a difference.
pub(super) fn check(work: &mut Work<'_>) {
    let mut known: BTreeMap<Edit, Effect> = BTreeMap::new();
    for beside in std::mem::take(&mut work.beside) {
        for touch in beside.touches {
            known.entry(touch.edit).or_insert_with(|| {
                let item = work.edits.get(touch.edit).map(|(_, item)| &item.kind);
                match item {
                    Some(ItemKind::Edit(ast::Edit::Insert { body, .. })) => {
                        Effect::of(&work.state, body)
                    }
                    _ => Effect::default(),
                }
            });
        }
        let [one, other] = beside.touches;
        let (Some(a), Some(b)) = (known.get(&one.edit), known.get(&other.edit)) else {
            continue;
        };
        let reason = a.against(b);
        let (does, other_does) = reason.clone().unwrap_or_default();
        let side = |touch: Touch, does: String| Side {
            does,
            ..Side::new(touch)
        };
        let places = [beside.place.clone(), beside.place];
        let conflict = work.conflict(
            Why::UnorderedInserts,
            places,
            side(one, does),
            side(other, other_does),
        );
        // What a resolution puts in place of both is not put beside them.
        if reason.is_some() || is_taken_over(work, &conflict) {
            work.conflicts.push(conflict);
        }
    }
}

fn is_taken_over(work: &Work<'_>, conflict: &Conflict) -> bool {
    resolve::overridden(work, conflict).is_some()
}

/// What a block does, itself and in what it calls.
#[derive(Default)]
struct Effect {
    uses: BTreeSet<String>,
    changes: BTreeSet<String>,
    asks_anything: bool,
    chance: bool,
    /// It asks somebody, ends the game or leaves what is around it.
    leaves: bool,
}

impl Effect {
    fn of(state: &State, body: &ast::Block) -> Effect {
        let mut found = Effects {
            state,
            effect: Effect::default(),
            called: false,
            asked: false,
            open: Vec::new(),
        };
        for statement in &body.statements {
            // These are known to what comes behind the insert.
            match &statement.kind {
                StatementKind::Let { name, .. } => found.changes(&name.text),
                StatementKind::Track { decl, .. } => found.changes(&decl.name.text),
                StatementKind::Choose(it) => {
                    if let ast::Among::Members {
                        binder, body: None, ..
                    } = &it.among
                    {
                        found.changes(&binder.name.text);
                    }
                }
                _ => {}
            }
        }
        Walk::new(&mut found).part(&mut body.clone());
        found.follow();
        found.effect
    }

    /// Says what each of two does that makes their order count.
    fn against(&self, other: &Effect) -> Option<(String, String)> {
        const LEAVES: &str = "asks somebody, or ends or leaves something";
        if self.leaves || other.leaves {
            let of = |it: &Effect| if it.leaves { LEAVES } else { "inserts" }.to_owned();
            return Some((of(self), of(other)));
        }
        if self.chance && other.chance {
            let chance = "leaves something to chance".to_owned();
            return Some((chance.clone(), chance));
        }
        let shared = |one: &Effect, other: &Effect| {
            let used = |name: &&String| {
                other.asks_anything || other.uses.contains(*name) || other.changes.contains(*name)
            };
            one.changes.iter().find(used).cloned()
        };
        let (first, name) = match shared(self, other) {
            Some(name) => (true, name),
            None => (false, shared(other, self)?),
        };
        let reader = if first { other } else { self };
        let changes = format!("changes `{name}`");
        let uses = match reader.changes.contains(&name) {
            true => changes.clone(),
            false if reader.uses.contains(&name) => format!("uses `{name}`"),
            false => "uses all that lies there".to_owned(),
        };
        Some(if first {
            (changes, uses)
        } else {
            (uses, changes)
        })
    }
}

/// Finds the [`Effect`] of a block.
struct Effects<'s> {
    state: &'s State,
    effect: Effect,
    /// Whether something is looked into that is called: a `return` leaves nothing else.
    called: bool,
    /// Whether it is only asked whether somebody might do this: what it changes is used, not changed.
    asked: bool,
    /// What is used or called, and whether it is only asked about.
    open: Vec<(String, bool)>,
}

impl Effects<'_> {
    fn changes(&mut self, name: &str) {
        let names = if self.asked {
            &mut self.effect.uses
        } else {
            &mut self.effect.changes
        };
        names.insert(name.to_owned());
    }

    fn leaves(&mut self) {
        self.effect.leaves |= !self.asked;
    }

    fn chance(&mut self) {
        self.effect.chance |= !self.asked;
    }

    /// Whether it names something in a pile by how deep it lies: in no known order chance picks.
    fn takes_from_pile(&self, what: &ast::Moved) -> bool {
        let ast::Moved::Place(place) = what else {
            return false;
        };
        let named = place
            .leading_name()
            .and_then(|it| self.state.number(it.as_str()));
        let zone = named.and_then(|it| self.state.get(it));
        zone.is_some_and(|it| match &it.item.kind {
            ItemKind::Zone(zone) => zone.kind == ast::ZoneKind::Pile,
            _ => false,
        })
    }

    /// Looks into all that is used or called.
    fn follow(&mut self) {
        let state = self.state;
        let mut met = BTreeSet::new();
        self.called = true;
        while let Some((name, asked)) = self.open.pop() {
            if !met.insert((name.clone(), asked)) {
                continue;
            }
            self.asked = asked;
            let heads = |path: &ast::Path| path.segments.first().is_some_and(|it| it.text == name);
            for guard in state.guards.iter().filter(|it| heads(&it.path)) {
                Walk::new(self).part(&mut guard.when.clone());
            }
            let Some(composite) = state.number(&name).and_then(|it| state.get(it)) else {
                continue;
            };
            match &composite.item.kind {
                ItemKind::Define(_)
                | ItemKind::Space(_)
                | ItemKind::Event(_)
                | ItemKind::Flow(_) => Walk::new(self).item(&mut ast::Item::clone(&composite.item)),
                ItemKind::Action(_) => {
                    self.asked = true;
                    Walk::new(self).item(&mut ast::Item::clone(&composite.item));
                }
                _ => {}
            }
        }
    }

    /// Notes what a statement puts something into or takes something from.
    fn changes_place(&mut self, place: &Expr, scope: &Scope) {
        match &place.kind {
            ExprKind::Name(name) if scope.holds(&name.text) => {}
            ExprKind::Name(name) => self.changes(&name.text),
            ExprKind::Index { base, .. } | ExprKind::Field { base, .. } => {
                self.changes_place(base, scope);
            }
            // Nothing else is a place today.
            _ => self.leaves(),
        }
    }
}

impl Visitor for Effects<'_> {
    fn free(&mut self, name: &mut ast::Name, used_as: Use, _scope: &Scope) {
        if used_as == Use::Field {
            return;
        }
        self.effect.asks_anything |= ASK_ANYTHING.contains(&name.as_str());
        self.effect.uses.insert(name.text.clone());
        self.open.push((name.text.clone(), self.asked));
    }

    fn expr(&mut self, expr: &mut Expr, role: Role, scope: &Scope) -> bool {
        if matches!(role, Role::Changed | Role::Target) {
            self.changes_place(expr, scope);
        }
        false
    }

    fn statement(&mut self, statement: &mut ast::Statement, _scope: &Scope) -> bool {
        match &statement.kind {
            StatementKind::Move(it) if matches!(it.what, ast::Moved::Top { .. }) => self.chance(),
            StatementKind::Move(it) if self.takes_from_pile(&it.what) => self.chance(),
            StatementKind::Draw { .. } => self.chance(),
            StatementKind::Choose(it) => match it.who {
                ast::Chooser::Chance(_) => self.chance(),
                ast::Chooser::Seat(_) => self.leaves(),
            },
            StatementKind::Return(_) if self.called => {}
            StatementKind::Assign { .. }
            | StatementKind::Move(_)
            | StatementKind::Exchange { .. }
            | StatementKind::Pack { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Show { .. }
            | StatementKind::Tell { .. }
            | StatementKind::Let { .. }
            | StatementKind::Track { .. }
            | StatementKind::Call(_)
            | StatementKind::If { .. }
            | StatementKind::By { .. }
            | StatementKind::While { .. }
            | StatementKind::Repeat { .. }
            | StatementKind::ForEach { .. }
            | StatementKind::Step { .. } => {}
            // Of any other nobody knows better.
            _ => self.leaves(),
        }
        false
    }
}

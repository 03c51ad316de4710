//! `insert before|after PATH { … }`.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap as HashMap;

use super::{Work, merge};
use crate::compose::address::{self, Kind, change};
use crate::compose::canon;
use crate::compose::conflict::{Act, Edit};
use crate::compose::state::{DO, Found, Place, Target};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind, Side, StatementKind};

/// How many statements were inserted where, so that further ones come behind them.
#[derive(Default)]
pub(super) struct Inserted {
    counts: HashMap<(Place, Side), usize>,
    /// For inserted steps the anchor that they were inserted at.
    anchors: HashMap<Place, (Place, Side)>,
}

impl Inserted {
    fn count(&self, anchor: &[String], side: Side) -> usize {
        let count = self.counts.get(&(anchor.to_vec(), side));
        count.copied().unwrap_or(0)
    }

    fn add(&mut self, anchor: &[String], side: Side, count: usize) {
        *self.counts.entry((anchor.to_vec(), side)).or_default() += count;
        // What is inserted beside an inserted step makes the stretch around both longer.
        let mut inside = anchor;
        while let Some(around) = self.anchors.get(inside) {
            *self.counts.entry(around.clone()).or_default() += count;
            inside = &around.0;
        }
    }

    pub(super) fn removed(&mut self, step: &[String]) {
        let mut inside = self.anchors.remove(step);
        while let Some(around) = inside {
            if let Some(count) = self.counts.get_mut(&around) {
                *count = count.saturating_sub(1);
            }
            inside = self.anchors.get(&around.0).cloned();
        }
    }

    /// Forgets what was inserted into something that now has a new body; what stands at its edges stays.
    pub(super) fn replaced_inside(&mut self, place: &[String]) {
        let anchors = std::mem::take(&mut self.anchors);
        let at_edge = |step: &Place| {
            let around = |step: &Place| anchors.get(step).map(|(around, _)| around.clone());
            let mut outwards = std::iter::successors(around(step), around);
            outwards.any(|around| around == place)
        };
        let stays = |it: &Place| it == place || !it.starts_with(place) || at_edge(it);
        self.counts.retain(|(anchor, _), _| stays(anchor));
        let staying: Vec<Place> = anchors.keys().filter(|step| stays(step)).cloned().collect();
        self.anchors = anchors;
        self.anchors.retain(|step, _| staying.contains(step));
    }

    /// Forgets what was inserted into and around something that is now another one.
    pub(super) fn replaced(&mut self, place: &[String]) {
        self.counts
            .retain(|(anchor, _), _| !anchor.starts_with(place));
        self.anchors.retain(|step, _| !step.starts_with(place));
    }

    /// Takes out of a body what was inserted at its edges.
    pub(super) fn edges_of(
        &self,
        place: &[String],
        body: &mut ast::Block,
    ) -> [Vec<ast::Statement>; 2] {
        let back = self.count(place, Side::After).min(body.statements.len());
        let behind = body.statements.split_off(body.statements.len() - back);
        let front = self.count(place, Side::Before).min(body.statements.len());
        let rest = body.statements.split_off(front);
        [std::mem::replace(&mut body.statements, rest), behind]
    }
}

impl Work<'_> {
    pub(super) fn insert(&mut self, edit: Edit, side: Side, path: &ast::Path, body: &ast::Block) {
        let act = Act::Insert(side);
        let Some(mut found) = self.seek(edit, path, act) else {
            return;
        };
        let number = match &found.target {
            Target::Item(number) if self.has_inserts(*number) => {
                // Of an action it is what it does that happens.
                if self.is_action(*number) {
                    found.place.push(DO.to_owned());
                }
                *number
            }
            Target::Inside { item, at } if matches!(at.kind, Kind::Step | Kind::Turn) => *item,
            _ => {
                let mut help = String::from(
                    "name a step, `FLOW.STEP`, what each turn is, `FLOW.turn`, or an action, event or ending as a whole",
                );
                let inside = self
                    .state
                    .below(path, |it| matches!(it, Kind::Step | Kind::Turn));
                if !inside.is_empty() {
                    let each = inside.iter().map(|it| format!("`{it}`"));
                    let each: Vec<String> = each.collect();
                    help += &format!(": there is {}", each.join(", "));
                }
                return self.unfit(
                    path,
                    &found,
                    "a step, an action, an event or an ending",
                    &help,
                );
            }
        };
        if !self.may(edit, &found.place, act, path.span) {
            return;
        }
        let nesting = match &found.target {
            Target::Inside { at, .. } => at.nesting,
            Target::Item(_) | Target::Guard(_) => 1,
        };
        if !self.shallow(path.span, nesting, canon::depth(body)) {
            return;
        }
        let mut body = body.clone();
        let Some(top) = self.brings_steps(edit, number, &found, &mut body) else {
            return;
        };
        let mut statements = body.statements;
        self.cite_step(edit, number, &mut statements);

        let count = statements.len();
        self.put(number, &found, side, statements);
        self.note(edit, number);
        let is_turn = matches!(&found.target, Target::Inside { at, .. } if at.kind == Kind::Turn);
        if side == Side::After || is_turn || matches!(found.target, Target::Item(_)) {
            for step in top {
                let anchor = (found.place.clone(), side);
                self.inserted.anchors.insert(step, anchor);
            }
        }
        self.inserted.add(&found.place, side, count);
        self.touch(edit, &found.place, act, path.span);
    }

    fn has_inserts(&self, number: usize) -> bool {
        let kind = self.state.get(number).map(|it| &it.item.kind);
        matches!(
            kind,
            Some(ItemKind::Event(_) | ItemKind::Ending(_) | ItemKind::Action(_))
        )
    }

    fn is_action(&self, number: usize) -> bool {
        let kind = self.state.get(number).map(|it| &it.item.kind);
        matches!(kind, Some(ItemKind::Action(_)))
    }

    /// Notes the labels that an inserted block brings; returns the addresses of its outermost steps.
    fn brings_steps(
        &mut self,
        edit: Edit,
        number: usize,
        found: &Found,
        body: &mut ast::Block,
    ) -> Option<Vec<Place>> {
        let parent = match &found.target {
            Target::Inside { .. } => found.place.split_last().map_or(&[][..], |(_, rest)| rest),
            Target::Item(_) | Target::Guard(_) => found.place.as_slice(),
        };
        let inside = address::addresses_of_block(body, parent).into_iter();
        let labelled = inside.filter(|it| matches!(it.kind, Kind::Step | Kind::Slot));
        let new: BTreeMap<Place, Span> = labelled.map(|it| (it.path, it.span)).collect();
        let labels = |place: &[String]| -> Place {
            let labels = place.iter().skip(1).filter(|label| *label != DO);
            labels.cloned().collect()
        };
        // Below a new label everything is new.
        let above = labels(parent);
        let outermost = new.keys().map(|place| labels(place));
        let outermost = outermost.filter_map(|it| Some(vec![it.get(above.len())?.clone()]));
        let outermost = outermost.collect();
        let taken = self.state.taken(number, &above, &outermost);
        for (place, span) in new {
            let below = labels(&place).split_off(above.len());
            if !self.brings_beside(edit, &place, span, taken.get(&below).copied()) {
                return None;
            }
        }
        let steps = body.statements.iter().filter_map(address::step_name);
        let top = steps.map(|name| parent.iter().cloned().chain([name.text.clone()]).collect());
        Some(top.collect())
    }

    /// Puts the tail of the edit where it is about most: the one step inserted, or else the item.
    fn cite_step(&mut self, edit: Edit, number: usize, statements: &mut [ast::Statement]) {
        if let [statement] = statements
            && let StatementKind::Step { tail, .. } = &mut statement.kind
        {
            let outer = self.tail(edit);
            if tail.is_empty() {
                *tail = outer;
            } else {
                merge(tail, &self.own_tail(edit));
            }
        } else {
            self.cite(edit, number);
        }
    }

    fn put(&mut self, number: usize, found: &Found, side: Side, statements: Vec<ast::Statement>) {
        let count = self.inserted.count(&found.place, side);
        let Some(item) = self.state.item(number) else {
            return;
        };
        if let Target::Inside { at, .. } = &found.target {
            change(item, at, |place| match place {
                address::Place::Step(list, at) => {
                    let at = match side {
                        Side::Before => at,
                        Side::After => (at + 1 + count).min(list.len()),
                    };
                    list.splice(at..at, statements);
                }
                address::Place::Turn(body, _) => put_at_edge(body, side, count, statements),
                _ => {}
            });
            return;
        }
        let body = match &mut item.kind {
            ItemKind::Event(it) => &mut it.body,
            ItemKind::Ending(it) => &mut it.body,
            // Nothing that is put into nothing leaves nothing.
            ItemKind::Action(it) if it.body.is_none() && statements.is_empty() => return,
            ItemKind::Action(it) => it.body.get_or_insert_with(|| ast::Block {
                statements: Vec::new(),
                span: it.name.span,
            }),
            _ => return,
        };
        put_at_edge(body, side, count, statements);
    }
}

/// Puts statements at an edge of a body, behind those that were put there before.
fn put_at_edge(body: &mut ast::Block, side: Side, count: usize, statements: Vec<ast::Statement>) {
    let at = match side {
        Side::Before => count.min(body.statements.len()),
        Side::After => body.statements.len(),
    };
    body.statements.splice(at..at, statements);
}

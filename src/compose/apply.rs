//! Working items and edits in, one after another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::commute::Beside;
use super::conflict::{
    Act, Clash, Conflict, Edit, Side, Touch, Touches, Why, clash, clash_below, describe, written,
};
use super::state::{DO, Place, State, key_of};
use super::units::Units;
use super::{Composite, GuardKind, Touched};
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

mod add;
mod base;
mod extend;
mod guard;
mod insert;
mod remove;
mod replace;
mod seek;
mod set;

/// How deep rules may nest in canonical form, as everything walks trees by recursion; a text alone
/// comes to about this.
const DEEPEST: usize = 600;

/// One go at working everything in.
pub(super) struct Work<'a> {
    pub units: &'a Units<'a>,
    /// The items of all units in order, with their units.
    pub edits: &'a [(usize, &'a Arc<ast::Item>)],
    /// Edits that a resolution overrides.
    pub dropped: &'a HashSet<Edit>,
    pub state: State,
    pub touches: Touches,
    pub conflicts: Vec<Conflict>,
    pub diagnostics: Vec<Diagnostic>,
    /// What resolutions are about, whether they got that far or not.
    pub intents: Vec<Intent>,
    /// The addresses of values and readings that were removed.
    pub removed_values: HashSet<Place>,
    /// Inserts at one place without an order.
    pub beside: Vec<Beside>,
    /// What an amendment brought, with its unit.
    brought: HashMap<Place, usize>,
    /// As [`super::Composed::replaced`] has it.
    pub replaced: BTreeMap<String, (String, Span)>,
    /// As [`super::Composed::edited`] has it.
    pub edited: BTreeMap<String, Vec<Touched>>,
    grown: HashMap<usize, extend::Growth>,
    inserted: insert::Inserted,
    suggestions: usize,
    /// The length of all old bodies written in place of `base`.
    spliced: usize,
}

/// An edit of a resolution.
pub(super) struct Intent {
    pub edit: Edit,
    pub place: Place,
    pub act: Act,
}

/// Returns the items of all units in the order they are worked in.
///
/// Within a unit new items come first, because edits may name them; guards come last, what is permitted
/// behind what is forbidden.
pub(super) fn in_order<'a>(units: &'a Units<'a>) -> Vec<(usize, &'a Arc<ast::Item>)> {
    let mut edits = Vec::new();
    for (number, unit) in units.units.iter().enumerate() {
        let start = edits.len();
        edits.extend(unit.items.iter().map(|item| (number, *item)));
        if let Some(own) = edits.get_mut(start..) {
            own.sort_by_key(|(_, item)| match &item.kind {
                ItemKind::Edit(edit) => match GuardKind::of(edit) {
                    None => 1,
                    Some((GuardKind::Forbid, _)) => 2,
                    Some((GuardKind::Permit, _)) => 3,
                },
                _ => 0,
            });
        }
    }
    edits
}

impl<'a> Work<'a> {
    pub(super) fn new(
        units: &'a Units<'a>,
        edits: &'a [(usize, &'a Arc<ast::Item>)],
        dropped: &'a HashSet<Edit>,
    ) -> Work<'a> {
        Work {
            units,
            edits,
            dropped,
            state: State::default(),
            touches: Touches::default(),
            conflicts: Vec::new(),
            diagnostics: Vec::new(),
            intents: Vec::new(),
            removed_values: HashSet::default(),
            beside: Vec::new(),
            brought: HashMap::default(),
            replaced: BTreeMap::new(),
            edited: BTreeMap::new(),
            grown: HashMap::default(),
            inserted: insert::Inserted::default(),
            suggestions: 0,
            spliced: 0,
        }
    }

    /// Works everything in that is not dropped.
    pub(super) fn run(&mut self) {
        for (edit, (_, item)) in self.edits.iter().enumerate() {
            if !self.dropped.contains(&edit) {
                self.item(edit, item);
            }
        }
        self.finish_growth();
    }

    fn item(&mut self, edit: Edit, item: &Arc<ast::Item>) {
        let ItemKind::Edit(kind) = &item.kind else {
            return self.addition(edit, item);
        };
        match kind {
            ast::Edit::Set { path, value } => self.set(edit, path, value),
            ast::Edit::Forbid(guard) => self.guard(edit, GuardKind::Forbid, guard),
            ast::Edit::Permit(guard) | ast::Edit::Except(guard) => {
                self.guard(edit, GuardKind::Permit, guard);
            }
            ast::Edit::Replace(replace) => self.replace(edit, replace),
            ast::Edit::Remove { path } => self.remove(edit, path),
            ast::Edit::Insert { side, path, body } => self.insert(edit, *side, path, body),
            ast::Edit::Extend {
                path,
                formals,
                op,
                value,
            } => self.extend(edit, path, formals, *op, value),
            ast::Edit::Add(add) => self.add(edit, add),
        }
    }

    /// Adds a plain item.
    fn addition(&mut self, edit: Edit, item: &Arc<ast::Item>) {
        let name_span = item.kind.name().map_or(item.span, |name| name.span);
        let key = key_of(&item.kind);
        if let Some(key) = &key
            && self.unit(edit) > 0
            && !self.brings(edit, std::slice::from_ref(key), name_span)
        {
            return;
        }
        let mut item = Arc::clone(item);
        let own = &item.tail;
        let says_more = |it: &ast::Tail| {
            own.cites.is_empty() && !it.cites.is_empty()
                || own.status.is_none() && it.status.is_some()
        };
        if !own.orders.is_empty() || self.around(edit).any(says_more) {
            Arc::make_mut(&mut item).tail = self.tail(edit);
        }
        let composite = Composite {
            item,
            origin: self.origin(edit),
            home: self.home(edit),
        };
        self.state.add(composite);
    }

    /// Returns by address which unit brought what is there.
    pub(super) fn brought(&self) -> BTreeMap<String, String> {
        let named = self.brought.iter().filter_map(|(place, unit)| {
            Some((
                super::conflict::written(place),
                self.units.units.get(*unit)?.name.clone(),
            ))
        });
        named.collect()
    }

    /// Notes a new name, unless it is taken.
    fn brings(&mut self, edit: Edit, place: &[String], span: Span) -> bool {
        let old = self.span_of(place);
        self.brings_beside(edit, place, span, old)
    }

    /// Notes a new name, unless it is taken by something at `old`.
    fn brings_beside(
        &mut self,
        edit: Edit,
        place: &[String],
        span: Span,
        old: Option<Span>,
    ) -> bool {
        if !self.may(edit, place, Act::New, span) {
            return false;
        }
        if let Some(old) = old {
            let what = written(place);
            let name = self.name(edit).to_owned();
            self.diagnostics.push(
                Diagnostic::new(
                    codes::NAME_TAKEN,
                    format!("`{name}` adds `{what}`, which is already there"),
                )
                .label(span, "added here")
                .label(old, "already here")
                .help(match place {
                    [_, key, ..] if key.starts_with(|it: char| it.is_ascii_digit()) => {
                        format!("write `replace {what} = …` to change what is there")
                    }
                    _ => "give it another name, or write `replace` to change what is there"
                        .to_owned(),
                }),
            );
            return false;
        }
        self.brought.insert(place.to_vec(), self.unit(edit));
        self.touch(edit, place, Act::New, span);
        true
    }

    /// Returns where something with this address is written, if there is such a thing.
    fn span_of(&mut self, place: &[String]) -> Option<Span> {
        let (head, rest) = place.split_first()?;
        let number = self.state.number(head)?;
        let composite = self.state.get(number)?;
        if rest.is_empty() {
            let kind = &composite.item.kind;
            return Some(kind.name().map_or(composite.item.span, |name| name.span));
        }
        let rest: Place = rest.iter().filter(|label| *label != DO).cloned().collect();
        let taken = self
            .state
            .taken(number, &[], &HashSet::from_iter([rest.clone()]));
        let guards = self.state.guards.iter();
        let mut same_guards = guards.filter(|guard| super::state::guard_place(guard) == place);
        taken
            .get(&rest)
            .copied()
            .or_else(|| same_guards.next().map(|guard| guard.label.span))
    }

    /// Returns whether an act commutes with all that was done so far; notes the conflict if not.
    fn may(&mut self, edit: Edit, place: &[String], act: Act, span: Span) -> bool {
        self.intends(edit, place, act);
        let touch = Touch { edit, act, span };
        let Some(other) = self.first_clash(place, touch) else {
            self.stands_beside(place, touch);
            return true;
        };
        let places = [other.place, place.to_vec()];
        self.clashes(other.why, places, Side::new(other.touch), Side::new(touch));
        false
    }

    fn intends(&mut self, edit: Edit, place: &[String], act: Act) {
        let unit = self.units.units.get(self.unit(edit));
        if unit.is_some_and(|unit| !unit.resolves.is_empty()) {
            let place = place.to_vec();
            self.intents.push(Intent { edit, place, act });
        }
    }

    /// Returns whether two edits are of one amendment or one was made with the other in view.
    pub(super) fn related(&self, one: Edit, other: Edit) -> bool {
        let (a, b) = (self.unit(one), self.unit(other));
        self.units.together(a, b) || self.units.ordered(a, b)
    }

    /// Notes other inserts at the same place; whether their order counts is known in the end.
    fn stands_beside(&mut self, place: &[String], touch: Touch) {
        let others = self.touches.at(place).filter(|other| {
            clash(other.act, touch.act) == Some(Why::UnorderedInserts)
                && !self.settled(*other, touch)
        });
        let found: Vec<Beside> = others
            .map(|other| Beside {
                place: place.to_vec(),
                touches: [other, touch],
            })
            .collect();
        self.beside.extend(found);
    }

    fn first_clash(&self, place: &[String], touch: Touch) -> Option<Clash> {
        let above = self.touches.above(place).map(|(at, other)| {
            let why = if at.len() == place.len() {
                clash(other.act, touch.act)
            } else {
                clash_below(other.act, touch.act)
            };
            (why, at, other)
        });
        let deep = touch.act.overrides().then(|| self.touches.below(place));
        let below = deep.into_iter().flatten();
        let below = below.map(|(at, other)| (clash_below(touch.act, other.act), at, other));
        above.chain(below).find_map(|(why, at, other)| {
            let why = why.filter(|_| !self.settled(other, touch))?;
            if why == Why::UnorderedInserts {
                return None;
            }
            let place = at.to_vec();
            let touch = other;
            Some(Clash { why, place, touch })
        })
    }

    /// Returns whether two acts go together for a reason outside their addresses.
    fn settled(&self, one: Touch, other: Touch) -> bool {
        let (a, b) = (self.unit(one.edit), self.unit(other.edit));
        if self.units.together(a, b) {
            // The order within an amendment is that of its text.
            return matches!((one.act, other.act), (Act::Insert(_), Act::Insert(_)));
        }
        self.units.ordered(a, b) || self.set_alike(one.edit, other.edit)
    }

    fn set_alike(&self, one: Edit, other: Edit) -> bool {
        let value = |edit: Edit| match self.edits.get(edit).map(|(_, item)| &item.kind) {
            Some(ItemKind::Edit(ast::Edit::Set { value, .. })) => Some(value),
            _ => None,
        };
        value(one).is_some() && value(one) == value(other)
    }

    /// Notes a conflict.
    pub(super) fn clashes(&mut self, why: Why, places: [Place; 2], one: Side, other: Side) {
        let conflict = self.conflict(why, places, one, other);
        self.conflicts.push(conflict);
    }

    /// Returns whether an edit was written for the rulebook that ships the reading which brings the other.
    pub(super) fn reads_on(&self, edit: Edit, other: Edit) -> bool {
        self.units
            .is_for_readings_of(self.unit(edit), self.unit(other))
    }

    /// Makes a conflict; its sides are put in the order of their rulebooks.
    pub(super) fn conflict(
        &self,
        why: Why,
        places: [Place; 2],
        one: Side,
        other: Side,
    ) -> Conflict {
        let rank = |side: &Side| (self.name(side.edit).to_owned(), side.span.start);
        let sides = if rank(&other) < rank(&one) {
            [other, one]
        } else {
            [one, other]
        };
        let [a, b] = places;
        let (above, place) = if a.len() > b.len() { (b, a) } else { (a, b) };
        Conflict {
            why,
            place,
            above,
            sides,
        }
    }

    fn touch(&mut self, edit: Edit, place: &[String], act: Act, span: Span) {
        if matches!(act, Act::Replace | Act::Remove) {
            let within = format!("{}.", super::conflict::written(place));
            self.replaced.retain(|it, _| !it.starts_with(&within));
        }
        let touched = Touched {
            by: self.origin(edit),
            span,
            around: matches!(act, Act::Insert(_) | Act::Remove | Act::Grow | Act::New),
        };
        let edits = self.edited.entry(super::conflict::written(place));
        edits.or_default().push(touched);
        self.touches.add(place.to_vec(), Touch { edit, act, span });
    }

    /// Says that an item was changed by an edit, and puts its citations there.
    fn changed(&mut self, edit: Edit, number: usize) {
        self.cite(edit, number);
        self.note(edit, number);
    }

    fn cite(&mut self, edit: Edit, number: usize) {
        let tail = self.own_tail(edit);
        let says = !(tail.cites.is_empty() && tail.allows.is_empty() && tail.status.is_none());
        if let Some(composite) = self.state.get_mut(number).filter(|_| says) {
            merge(&mut Arc::make_mut(&mut composite.item).tail, &tail);
        }
    }

    /// Notes who changed an item last.
    fn note(&mut self, edit: Edit, number: usize) {
        let (origin, home) = (self.origin(edit), self.home(edit));
        if let Some(composite) = self.state.get_mut(number) {
            composite.origin = origin;
            composite.home = home;
        }
    }

    /// Complains if something is too deep for what comes behind, at a place with some blocks around it.
    fn shallow(&mut self, span: Span, nesting: usize, depth: usize) -> bool {
        // One block is up to four nodes: a window, a slot, an alternative, a list of statements.
        let shallow = nesting * 4 + depth <= DEEPEST;
        if !shallow {
            let message = "amendments nest this deeper than can be handled";
            let diagnostic = Diagnostic::at(codes::TOO_MANY_EDITS, span, message)
                .help("move a part of it into a definition or an event of its own");
            self.diagnostics.push(diagnostic);
        }
        shallow
    }

    pub(super) fn unit(&self, edit: Edit) -> usize {
        self.edits.get(edit).map_or(0, |(unit, _)| *unit)
    }

    /// Returns the name of the rulebook or resolution that holds an edit.
    pub(super) fn name(&self, edit: Edit) -> &str {
        let unit = self.units.units.get(self.unit(edit));
        unit.map_or("?", |unit| unit.name.as_str())
    }

    pub(super) fn describe(&self, conflict: &Conflict) -> Diagnostic {
        let [one, other] = &conflict.sides;
        describe(conflict, [self.name(one.edit), self.name(other.edit)])
    }

    fn file(&self, edit: Edit) -> usize {
        let unit = self.units.units.get(self.unit(edit));
        unit.map_or(0, |unit| unit.file)
    }

    /// Returns the amendment or the reading that holds an edit; none for the base.
    fn origin(&self, edit: Edit) -> Option<String> {
        if let Some(choice) = self.units.choice(self.unit(edit)) {
            return Some(choice.title());
        }
        let file = self.file(edit);
        (file > 0).then(|| self.units.file_name(file).to_owned())
    }

    /// Returns the amendments that an edit was written for.
    fn home(&self, edit: Edit) -> BTreeSet<String> {
        self.units.home(self.unit(edit))
    }

    /// Returns the tail that is written behind an edit.
    fn own_tail(&self, edit: Edit) -> ast::Tail {
        let item = self.edits.get(edit).map(|(_, item)| item.tail.clone());
        item.unwrap_or_default()
    }

    /// Returns what is said for all that an edit stands among.
    fn around(&self, edit: Edit) -> impl Iterator<Item = &'a ast::Tail> + use<'a> {
        let file = self.units.files.get(self.file(edit));
        let header = file.and_then(|file| file.header.as_ref());
        let header = header.filter(|_| self.file(edit) > 0);
        let unit = self.units.units.get(self.unit(edit));
        let around = [unit.and_then(|it| it.around), header.map(|it| &it.tail)];
        around.into_iter().flatten()
    }

    /// Returns the tail of what an edit brings: where it says nothing, its question, its resolution or its
    /// amendment's header does.
    fn tail(&self, edit: Edit) -> ast::Tail {
        let mut tail = self.own_tail(edit);
        for around in self.around(edit) {
            if tail.cites.is_empty() {
                tail.cites.clone_from(&around.cites);
            }
            if tail.status.is_none() {
                tail.status.clone_from(&around.status);
            }
        }
        tail.orders.clear();
        tail
    }
}

/// Adds to a tail what another one says; the weaker authority counts.
fn merge(tail: &mut ast::Tail, more: &ast::Tail) {
    tail.cites.extend(more.cites.iter().cloned());
    tail.allows.extend(more.allows.iter().cloned());
    if let Some(status) = &more.status
        && tail
            .status
            .as_ref()
            .is_none_or(|old| old.authority < status.authority)
    {
        tail.status = Some(status.clone());
    }
}

//! Working items and edits in, one after another.

use std::collections::{HashMap, HashSet};

use super::address::Kind;
use super::conflict::{
    Act, Clash, Conflict, Edit, Side, Touch, Touches, Why, clash, clash_below, describe, written,
};
use super::state::{DO, Found, Miss, Place, State, Target, key_of};
use super::units::Units;
use super::{Composite, GuardKind};
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
mod set;

/// Suggestions cost a look at all addresses, so only so many are made.
const MOST_SUGGESTIONS: usize = 20;

/// One go at working everything in.
pub(super) struct Work<'a> {
    pub units: &'a Units<'a>,
    /// The items of all units in order, with their units.
    pub edits: &'a [(usize, &'a ast::Item)],
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
    /// What an amendment brought, with its unit.
    brought: HashMap<Place, usize>,
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
/// Within a unit new items come first, because edits may name them; guards come last, exceptions
/// behind what they lift.
pub(super) fn in_order<'a>(units: &'a Units<'a>) -> Vec<(usize, &'a ast::Item)> {
    let mut edits = Vec::new();
    for (number, unit) in units.units.iter().enumerate() {
        let start = edits.len();
        edits.extend(unit.items.iter().map(|item| (number, *item)));
        if let Some(own) = edits.get_mut(start..) {
            own.sort_by_key(|(_, item)| match &item.kind {
                ItemKind::Edit(edit) => match GuardKind::of(edit) {
                    None => 1,
                    Some((GuardKind::Forbid | GuardKind::Permit, _)) => 2,
                    Some((GuardKind::Except, _)) => 3,
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
        edits: &'a [(usize, &'a ast::Item)],
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
            removed_values: HashSet::new(),
            brought: HashMap::new(),
            grown: HashMap::new(),
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

    fn item(&mut self, edit: Edit, item: &ast::Item) {
        let ItemKind::Edit(kind) = &item.kind else {
            return self.addition(edit, item);
        };
        match kind {
            ast::Edit::Set { path, value } => self.set(edit, path, value),
            ast::Edit::Forbid(guard) => self.guard(edit, GuardKind::Forbid, guard),
            ast::Edit::Permit(guard) => self.guard(edit, GuardKind::Permit, guard),
            ast::Edit::Except(guard) => self.guard(edit, GuardKind::Except, guard),
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
    fn addition(&mut self, edit: Edit, item: &ast::Item) {
        let name_span = item.kind.name().map_or(item.span, |name| name.span);
        let key = key_of(&item.kind);
        if let Some(key) = &key
            && self.unit(edit) > 0
            && !self.brings(edit, std::slice::from_ref(key), name_span)
        {
            return;
        }
        let composite = Composite {
            item: ast::Item {
                tail: self.tail(edit),
                ..item.clone()
            },
            origin: self.origin(edit),
        };
        self.state.add(composite);
    }

    /// Notes a new name, unless it is taken.
    fn brings(&mut self, edit: Edit, place: &[String], span: Span) -> bool {
        if !self.may(edit, place, Act::New, span) {
            return false;
        }
        if let Some(old) = self.span_of(place) {
            let what = written(place);
            let name = self.name(edit).to_owned();
            self.diagnostics.push(
                Diagnostic::new(
                    codes::NAME_TAKEN,
                    format!("`{name}` adds `{what}`, which is already there"),
                )
                .label(span, "added here")
                .label(old, "already here")
                .help("give it another name, or write `replace` to change what is there"),
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
        let rest: Vec<&String> = rest.iter().filter(|label| *label != DO).collect();
        let mut inside = self.state.addresses(number).into_iter();
        let same = inside.find(|it| !it.kind.is_container() && it.path.iter().eq(rest.clone()));
        let guards = self.state.guards.iter();
        let mut same_guards = guards.filter(|guard| super::state::guard_place(guard) == place);
        same.map(|it| it.span)
            .or_else(|| same_guards.next().map(|guard| guard.label.span))
    }

    /// Returns whether an act commutes with all that was done so far; notes the conflict if not.
    fn may(&mut self, edit: Edit, place: &[String], act: Act, span: Span) -> bool {
        self.intends(edit, place, act);
        let touch = Touch { edit, act, span };
        let Some(other) = self.first_clash(place, touch) else {
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

    /// Notes a conflict; its sides are put in the order of their rulebooks.
    pub(super) fn clashes(&mut self, why: Why, places: [Place; 2], one: Side, other: Side) {
        let rank = |side: &Side| (self.name(side.edit).to_owned(), side.span.start);
        let sides = if rank(&other) < rank(&one) {
            [other, one]
        } else {
            [one, other]
        };
        let [a, b] = places;
        let (above, place) = if a.len() > b.len() { (b, a) } else { (a, b) };
        self.conflicts.push(Conflict {
            why,
            place,
            above,
            sides,
        });
    }

    fn touch(&mut self, edit: Edit, place: &[String], act: Act, span: Span) {
        self.touches.add(place.to_vec(), Touch { edit, act, span });
    }

    /// Finds what an edit names, or says why it cannot.
    fn seek(&mut self, edit: Edit, path: &ast::Path, act: Act) -> Option<Found> {
        let found = self.state.find(path);
        self.sought(edit, path, act, found)
    }

    /// Finds the window or choice that an edit names by what is around it.
    fn seek_container(&mut self, edit: Edit, path: &ast::Path, kind: Kind) -> Option<Found> {
        let found = self.state.find_container(path, kind);
        if matches!(found, Err(Miss::Nothing)) && self.state.find(path).is_ok() {
            self.wrong_target(path, &format!("`{path}` holds no {}", bare(kind)));
            return None;
        }
        self.sought(edit, path, Act::Grow, found)
    }

    fn sought(
        &mut self,
        edit: Edit,
        path: &ast::Path,
        act: Act,
        found: Result<Found, Miss>,
    ) -> Option<Found> {
        match found {
            Ok(found) => self.may_name(edit, path, &found.place).then_some(found),
            Err(Miss::Several(spans)) => {
                let message = format!("`{path}` is the address of {} things", spans.len());
                let mut diagnostic = Diagnostic::at(codes::AMBIGUOUS_TARGET, path.span, message);
                for span in spans.iter().take(3) {
                    diagnostic = diagnostic.label(*span, "one of them");
                }
                self.diagnostics
                    .push(diagnostic.help("give the steps there labels of their own"));
                None
            }
            Err(Miss::Nothing) => {
                self.missed(edit, path, act);
                None
            }
        }
    }

    /// Returns whether the edit may rely on everything on the way to an address.
    fn may_name(&mut self, edit: Edit, path: &ast::Path, place: &[String]) -> bool {
        let unit = self.unit(edit);
        let foreign = (1..=place.len()).find_map(|length| {
            let above = place.get(..length)?;
            let by = *self.brought.get(above)?;
            (!self.units.stands_on(unit, by) && !self.units.together(unit, by)).then_some(by)
        });
        let Some(by) = foreign else { return true };
        let name = self.name(edit).to_owned();
        let other = self.units.units.get(by).map_or(0, |unit| unit.file);
        let other = self.units.file_name(other);
        self.diagnostics.push(
            Diagnostic::at(
                codes::TARGET_OF_ANOTHER,
                path.span,
                format!("`{path}` comes with `{other}`, which `{name}` does not need"),
            )
            .help(format!("write `needs {other}` in `{name}`")),
        );
        false
    }

    /// Says that there is nothing at an address, and why.
    fn missed(&mut self, edit: Edit, path: &ast::Path, act: Act) {
        let place: Place = path.segments.iter().map(|it| it.text.clone()).collect();
        let mut inside = place.clone();
        inside.insert(1.min(inside.len()), DO.to_owned());
        self.intends(edit, &place, act);
        self.intends(edit, &inside, act);
        let over = self.overridden_above(&place, &inside);
        let span = path.span;
        let touch = Touch { edit, act, span };
        match over {
            Some((_, over)) if over.act == Act::Remove && act == Act::Remove => {}
            Some((above, over)) if !self.settled(over, touch) => {
                let why = match over.act {
                    Act::Remove => Why::EditOfRemoved,
                    _ => Why::EditOfReplaced,
                };
                self.clashes(why, [above, place], Side::new(over), Side::new(touch));
            }
            over => {
                let message = format!("there is no `{path}`");
                let mut diagnostic = Diagnostic::at(codes::UNKNOWN_TARGET, span, message);
                if let Some((_, over)) = over {
                    let by = self.name(over.edit);
                    let text = format!("`{by}` {} here", Side::new(over).does);
                    diagnostic = diagnostic.label(over.span, text);
                } else if let Some(near) = self.suggestion(path) {
                    diagnostic = diagnostic
                        .help(format!("did you mean `{near}`?"))
                        .fix(format!("write `{near}`"), vec![(span, near)]);
                }
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// Returns what replaces or removes something at or above an address that is not there.
    fn overridden_above(&self, place: &[String], inside: &[String]) -> Option<(Place, Touch)> {
        let mut above = self.touches.above(place).chain(self.touches.above(inside));
        let over = above.find(|(_, touch)| touch.act.overrides());
        // A guard may be named by its label alone.
        let mut guards = self
            .touches
            .overrides()
            .filter(|(at, _)| match (*at, place) {
                ([_, label], [written]) => label == written,
                _ => false,
            });
        let over = over.or_else(|| guards.next());
        over.map(|(at, touch)| (at.to_vec(), touch))
    }

    fn suggestion(&mut self, path: &ast::Path) -> Option<String> {
        self.suggestions += 1;
        (self.suggestions <= MOST_SUGGESTIONS)
            .then(|| self.state.near(path))
            .flatten()
    }

    fn wrong_target(&mut self, path: &ast::Path, message: &str) {
        self.diagnostics
            .push(Diagnostic::at(codes::WRONG_TARGET, path.span, message));
    }

    /// Says that what was found is not what the edit is for.
    fn unfit(&mut self, path: &ast::Path, found: &Found, wanted: &str, help: &str) {
        let kind = match &found.target {
            Target::Item(number) => self.state.get(*number).map_or("", |it| it.item.kind.word()),
            Target::Inside { kind, .. } => bare(*kind),
            Target::Guard(number) => {
                let guard = self.state.guards.get(*number);
                guard.map_or("", |guard| guard.kind.word())
            }
        };
        let message = format!("`{path}` is {} `{kind}`, not {wanted}", indefinite(kind));
        self.diagnostics
            .push(Diagnostic::at(codes::WRONG_TARGET, path.span, message).help(help));
    }

    /// Says that an item was changed by an edit, and puts its citations there.
    fn changed(&mut self, edit: Edit, number: usize) {
        let origin = self.origin(edit);
        let tail = self.own_tail(edit);
        if let Some(composite) = self.state.get_mut(number) {
            composite.origin = origin;
            merge(&mut composite.item.tail, &tail);
        }
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

    /// Returns the amendment that holds an edit; none for the base.
    fn origin(&self, edit: Edit) -> Option<String> {
        let file = self.file(edit);
        (file > 0).then(|| self.units.file_name(file).to_owned())
    }

    /// Returns the tail that is written behind an edit.
    fn own_tail(&self, edit: Edit) -> ast::Tail {
        let item = self.edits.get(edit).map(|(_, item)| item.tail.clone());
        item.unwrap_or_default()
    }

    /// Returns the tail of what an edit brings: where it says nothing, its amendment's header does.
    fn tail(&self, edit: Edit) -> ast::Tail {
        let mut tail = self.own_tail(edit);
        let file = self.units.files.get(self.file(edit));
        let header = file.and_then(|file| file.header.as_ref());
        if let Some(header) = header.filter(|_| self.file(edit) > 0) {
            if tail.cites.is_empty() {
                tail.cites.clone_from(&header.tail.cites);
            }
            if tail.status.is_none() {
                tail.status.clone_from(&header.tail.status);
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

/// Returns a kind without its article.
fn bare(kind: Kind) -> &'static str {
    let words = kind.words();
    words.split_once(' ').map_or(words, |(_, word)| word)
}

fn indefinite(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}

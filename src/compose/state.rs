//! The rules while amendments are worked in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::address::{self, Address, Kind};
use super::{Composite, Guard, GuardKind};
use crate::diagnostic::closest;
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

/// How many addresses are named at most in place of one where nothing is.
const MOST_NEAR: usize = 4;

/// Where something is, as edits are compared by it: the name of an item and labels below it.
pub(super) type Place = Vec<String>;

/// Stands before the steps of an action: they are no part of its clauses, so replacing all that it
/// does leaves the clauses alone. No label is written so.
pub(super) const DO: &str = "{do}";

/// Stands behind the address of what is around a choice, a window or cases for what these hold: a turn that is replaced
/// takes them along, and they have no label of their own. None for what has one.
pub(super) fn held_by(kind: Kind) -> Option<String> {
    let label = match kind {
        Kind::Choice => "{choice}",
        Kind::Window => "{window}",
        Kind::Cases => "{cases}",
        _ => return None,
    };
    Some(label.to_owned())
}

/// The rules so far.
#[derive(Default)]
pub(super) struct State {
    /// Emptied where an item was removed.
    pub items: Vec<Option<Composite>>,
    pub guards: Vec<Guard>,
    /// What was removed, by address: by which amendment, and where it says so.
    pub removed: BTreeMap<String, (String, Span)>,
    /// The defaults of options before an amendment set another.
    pub first_defaults: BTreeMap<String, ast::Expr>,
    by_name: HashMap<String, usize>,
    /// For replaced items their old bodies, latest first.
    hidden: HashMap<usize, Vec<usize>>,
}

/// Something that an edit may name.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub place: Place,
    pub target: Target,
}

#[derive(Clone, Debug)]
pub(super) enum Target {
    Item(usize),
    Inside { item: usize, at: Address },
    Guard(usize),
}

/// Why nothing was found.
#[derive(Clone, Debug)]
pub(super) enum Miss {
    Nothing,
    Several(Vec<Span>),
}

/// What stands for an item that has no name of its own.
pub(super) fn key_of(kind: &ItemKind) -> Option<String> {
    match kind {
        ItemKind::Show(it) => Some(match &it.on {
            Some(on) => format!("show {} on {}", it.name, on.name),
            None => format!("show {}", it.name),
        }),
        _ => kind.name().map(|name| name.text.clone()),
    }
}

impl State {
    /// Adds an item behind all others and returns its number.
    pub(super) fn add(&mut self, composite: Composite) -> usize {
        let number = self.items.len();
        if let Some(key) = key_of(&composite.item.kind) {
            // Of two items of one name in a game the first counts here; the checker complains.
            self.by_name.entry(key).or_insert(number);
        }
        self.items.push(Some(composite));
        number
    }

    /// Adds the old body of a replaced item.
    pub(super) fn add_hidden(&mut self, composite: Composite, of: usize) {
        let number = self.add(composite);
        self.hidden.entry(of).or_default().insert(0, number);
    }

    /// Removes an item with all that is written for it alone.
    pub(super) fn remove(&mut self, number: usize) {
        let old = self.items.get_mut(number).and_then(Option::take);
        if let Some(key) = old.and_then(|old| key_of(&old.item.kind)) {
            self.by_name.remove(&key);
            self.guards
                .retain(|guard| guard.path.segments.first().is_none_or(|it| it.text != key));
        }
        for hidden in self.hidden.remove(&number).unwrap_or_default() {
            self.remove(hidden);
        }
    }

    /// Removes the guards of a clause or of a guard, and the guards of those.
    pub(super) fn remove_guards_of(&mut self, head: &str, label: &str) {
        let mut labels = vec![label.to_owned()];
        while let Some(label) = labels.pop() {
            self.guards.retain(|guard| {
                let of_it = matches!(guard.path.segments.as_slice(),
                    [first, second] if first.text == head && second.text == label);
                if of_it {
                    labels.push(guard.label.text.clone());
                }
                !of_it
            });
        }
    }

    pub(super) fn get(&self, number: usize) -> Option<&Composite> {
        self.items.get(number).and_then(Option::as_ref)
    }

    pub(super) fn get_mut(&mut self, number: usize) -> Option<&mut Composite> {
        self.items.get_mut(number).and_then(Option::as_mut)
    }

    pub(super) fn item(&mut self, number: usize) -> Option<&mut ast::Item> {
        let composite = self.get_mut(number);
        composite.map(|it| Arc::make_mut(&mut it.item))
    }

    /// Returns the number of the item of this name.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Lets rulings and studies begin at steps that live on in an old body.
    pub(super) fn readdress_rulings(&mut self) {
        if self.hidden.is_empty() {
            return;
        }
        for number in 0..self.items.len() {
            let Some(mut item) = self.item(number).cloned() else {
                continue;
            };
            let given = match &mut item.kind {
                ItemKind::Ruling(it) => it.given.as_mut(),
                ItemKind::Study(it) => it.given.as_mut(),
                ItemKind::Position(it) => Some(&mut it.given),
                _ => continue,
            };
            let from = given.and_then(|given| given.from.as_mut());
            let Some(path) = from.and_then(|from| from.at.as_mut()) else {
                continue;
            };
            let Ok(Found {
                target: Target::Inside { item: owner, .. },
                ..
            }) = self.find(path)
            else {
                continue;
            };
            let owner = self.get(owner).and_then(|it| it.item.kind.name());
            if let (Some(owner), Some(head)) = (owner, path.segments.first_mut()) {
                head.text.clone_from(&owner.text);
            }
            if let Some(old) = self.item(number) {
                *old = item;
            }
        }
    }

    /// Finds what has an address.
    pub(super) fn find(&mut self, path: &ast::Path) -> Result<Found, Miss> {
        self.find_if(path, |kind| !kind.is_container())
    }

    /// Finds a window or a choice by the address of what is around it.
    pub(super) fn find_container(&mut self, path: &ast::Path, kind: Kind) -> Result<Found, Miss> {
        self.find_if(path, |it| it == kind)
    }

    fn find_if(&mut self, path: &ast::Path, fits: impl Fn(Kind) -> bool) -> Result<Found, Miss> {
        let Some((head, rest)) = path.segments.split_first() else {
            return Err(Miss::Nothing);
        };
        let Some(number) = self.number(head.as_str()) else {
            return self.find_guard(None, head, rest).ok_or(Miss::Nothing);
        };
        if rest.is_empty() && fits(Kind::Clause) {
            return Ok(Found {
                place: vec![head.text.clone()],
                target: Target::Item(number),
            });
        }
        let labels: Vec<String> = rest.iter().map(|name| name.text.clone()).collect();
        let own = [number];
        let hidden = self.hidden.get(&number).cloned().unwrap_or_default();
        for number in own.into_iter().chain(hidden) {
            let mut found = self.inside_of(number, &labels);
            found.retain(|it| fits(it.kind));
            if found.iter().any(|it| !it.kind.gives_way()) {
                found.retain(|it| !it.kind.gives_way());
            }
            if let Some(least) = found.iter().map(|it| it.depth).min() {
                found.retain(|it| !it.kind.is_outermost() || it.depth == least);
            }
            match found.as_slice() {
                [] => {}
                [one] => return Ok(self.inside(head.as_str(), number, one)),
                several => return Err(Miss::Several(several.iter().map(|it| it.span).collect())),
            }
        }
        let guard = match rest {
            [label] => self.find_guard(Some(head.as_str()), label, &[]),
            _ => None,
        };
        guard.ok_or(Miss::Nothing)
    }

    fn inside(&self, head: &str, number: usize, found: &Address) -> Found {
        let is_action = self
            .get(number)
            .is_some_and(|it| matches!(it.item.kind, ItemKind::Action(_)));
        let mut place = vec![head.to_owned()];
        if is_action && found.kind != Kind::Clause {
            place.push(DO.to_owned());
        }
        place.extend(found.path.iter().cloned());
        Found {
            place,
            target: Target::Inside {
                item: number,
                at: found.clone(),
            },
        }
    }

    /// Finds a guard by `NAME.LABEL`, or by its label alone if only one has it.
    fn find_guard(
        &self,
        head: Option<&str>,
        label: &ast::Name,
        rest: &[ast::Name],
    ) -> Option<Found> {
        if !rest.is_empty() {
            return None;
        }
        let fits = |guard: &Guard| {
            let of = guard.path.segments.first().map(|it| it.as_str());
            guard.label.text == label.text && (head.is_none() || head == of)
        };
        let mut found = (0..).zip(&self.guards).filter(|(_, guard)| fits(guard));
        match (found.next(), found.next()) {
            (Some((number, guard)), None) => Some(Found {
                place: guard_place(guard),
                target: Target::Guard(number),
            }),
            _ => None,
        }
    }

    fn inside_of(&mut self, number: usize, path: &[String]) -> Vec<Address> {
        let item = self.item(number);
        item.map(|item| address::find(item, path))
            .unwrap_or_default()
    }

    /// Returns which of some labels there are below an address.
    pub(super) fn taken(
        &mut self,
        number: usize,
        path: &[String],
        labels: &HashSet<Place>,
    ) -> HashMap<Place, Span> {
        let item = self.item(number);
        item.map(|item| address::taken(item, path, labels))
            .unwrap_or_default()
    }

    /// Returns the addresses below all items of options and slots that are called so.
    pub(super) fn offers_of(&mut self, action: &str) -> BTreeSet<Place> {
        let mut offers = BTreeSet::new();
        for number in 0..self.items.len() {
            let head = self.get(number).and_then(|it| it.item.kind.name());
            let Some(head) = head.map(|it| it.text.clone()) else {
                continue;
            };
            for at in self.addresses(number) {
                let is_offer = matches!(at.kind, Kind::Alternative | Kind::Slot);
                if is_offer && at.path.last().is_some_and(|it| it == action) {
                    offers.insert(self.inside(&head, number, &at).place);
                }
            }
        }
        offers
    }

    /// Returns all addresses below an item.
    fn addresses(&mut self, number: usize) -> Vec<Address> {
        self.item(number)
            .map(address::addresses)
            .unwrap_or_default()
    }

    /// Returns the first few addresses of such a kind in the item that an address begins with.
    pub(super) fn below(
        &mut self,
        path: &ast::Path,
        is_meant: impl Fn(Kind) -> bool,
    ) -> Vec<String> {
        let Some(head) = path.segments.first().map(|it| it.text.clone()) else {
            return Vec::new();
        };
        let number = self.number(&head);
        let below = number
            .map_or_else(Vec::new, |it| self.addresses(it))
            .into_iter();
        let below = below.filter(|it| is_meant(it.kind));
        let below = below.map(|it| {
            [std::slice::from_ref(&head), it.path.as_slice()]
                .concat()
                .join(".")
        });
        let below: BTreeSet<String> = below.collect();
        below.into_iter().take(MOST_NEAR).collect()
    }

    /// Returns what was probably meant by an address where nothing is; several where it cannot be told which.
    pub(super) fn near(&mut self, path: &ast::Path) -> Vec<String> {
        let written = path.to_string();
        let last = path.segments.last().map_or("", |it| it.as_str());
        let head = path.segments.first().map_or("", |it| it.as_str());
        let mut all: Vec<String> = Vec::new();
        for number in 0..self.items.len() {
            let Some(name) = self.get(number).and_then(|it| it.item.kind.name()) else {
                continue;
            };
            // A name that cannot be typed belongs to an old body.
            if name.text.contains('@') {
                continue;
            }
            let name = name.text.clone();
            let below = self.addresses(number);
            let below = below.iter().filter(|it| !it.kind.is_container());
            all.extend(below.map(|it| format!("{name}.{}", it.path.join("."))));
            all.push(name);
        }
        all.extend(self.guards.iter().map(|guard| guard_place(guard).join(".")));

        let below_head = format!("{head}.");
        let ends_alike = all.iter().filter(|it| it.rsplit('.').next() == Some(last));
        let ends_alike: Vec<&String> = ends_alike.collect();
        if (1..=MOST_NEAR).contains(&ends_alike.len()) {
            return ends_alike.into_iter().cloned().collect();
        }
        let inside = all.iter().filter(|it| it.starts_with(&below_head));
        // What lies as deep is more like it than what is only written alike.
        let depth = |path: &str| path.matches('.').count();
        let as_deep = all.iter().filter(|it| depth(it) == depth(&written));
        let near = closest(&written, inside.map(String::as_str))
            .or_else(|| closest(&written, as_deep.map(String::as_str)))
            .or_else(|| closest(&written, all.iter().map(String::as_str)));
        match near {
            Some(near) => vec![near.to_owned()],
            // All that has an address there.
            None => {
                let inside = all.iter().filter(|it| it.starts_with(&below_head));
                inside.take(MOST_NEAR).cloned().collect()
            }
        }
    }
}

/// Returns the address of a guard: what it guards and its label.
pub(super) fn guard_place(guard: &Guard) -> Place {
    let head = guard.path.segments.first();
    let head = head.into_iter().map(|it| it.text.clone());
    head.chain([guard.label.text.clone()]).collect()
}

/// Returns the names of all parameters.
pub(super) fn params_of(kind: &ItemKind) -> Option<Vec<String>> {
    let params = match kind {
        ItemKind::Define(it) => &it.params,
        ItemKind::Event(it) => &it.params,
        ItemKind::Action(it) => &it.params,
        ItemKind::Flow(it) => &it.params,
        ItemKind::Ending(it) => &it.params,
        _ => return None,
    };
    let names = params.iter().flat_map(|param| &param.names);
    Some(names.map(|name| name.text.clone()).collect())
}

impl GuardKind {
    /// Returns the guard of this kind that an edit holds.
    pub(super) fn of(edit: &ast::Edit) -> Option<(GuardKind, &ast::Guard)> {
        match edit {
            ast::Edit::Forbid(guard) => Some((GuardKind::Forbid, guard)),
            ast::Edit::Permit(guard) | ast::Edit::Except(guard) => Some((GuardKind::Permit, guard)),
            ast::Edit::Set { .. }
            | ast::Edit::Replace(_)
            | ast::Edit::Remove { .. }
            | ast::Edit::Insert { .. }
            | ast::Edit::Extend { .. }
            | ast::Edit::Add(_) => None,
        }
    }
}

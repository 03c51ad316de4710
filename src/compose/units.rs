//! Which amendments there are, and which comes before which.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap as HashMap;

use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use crate::syntax::ast::{self, ItemKind};

use super::bits::Bits;
use super::readings::Choice;

mod headers;

/// Items of one origin that are worked in together.
pub(super) struct Unit<'a> {
    /// The file that holds them; 0 is the base.
    pub file: usize,
    /// What brings them: a file by its number, or behind all files a choice.
    pub origin: usize,
    /// How the unit is named to a person: `own_follower`, `exposure = five`, `own_follower + no_block`.
    pub name: String,
    /// The origins whose conflicts a resolution settles; empty for all other units.
    pub resolves: BTreeSet<usize>,
    /// What the reading or the resolution says for all of its items.
    pub around: Option<&'a ast::Tail>,
    pub items: Vec<&'a Arc<ast::Item>>,
}

/// All units, each behind those that it stands on.
pub(super) struct Units<'a> {
    pub files: Vec<&'a ast::File>,
    pub choices: &'a [Choice],
    pub units: Vec<Unit<'a>>,
    /// For each unit those that it was written on top of.
    below: Vec<Bits>,
    /// For each unit those that come before it for whatever reason.
    before: Vec<Bits>,
}

impl<'a> Units<'a> {
    /// Puts amendments in order, whatever the order they are listed in.
    pub(super) fn new(
        base: &'a ast::File,
        amendments: &[&'a ast::File],
        choices: &'a [Choice],
    ) -> Result<Units<'a>, Vec<Diagnostic>> {
        let files = headers::files(base, amendments, choices)?;
        let mut graph = Graph::new(&files, choices);
        graph.stand();
        graph.order();
        graph.sorted()
    }

    /// Returns the name of a file's rulebook.
    pub(super) fn file_name(&self, file: usize) -> &str {
        name_of(self.files.get(file).copied())
    }

    /// Complains about readings that are needed and not chosen, or excluded and chosen.
    pub(super) fn relations(&self, diagnostics: &mut Vec<Diagnostic>) {
        headers::relations_to_readings(self, diagnostics);
    }

    /// Returns the choice that brings a unit, if one does.
    pub(super) fn choice(&self, at: usize) -> Option<&'a Choice> {
        let origin = self.units.get(at)?.origin;
        self.choices.get(origin.checked_sub(self.files.len())?)
    }

    /// Returns the names of the amendments, each behind those that it stands on.
    pub(super) fn amendments(&self) -> Vec<String> {
        let mut seen = BTreeSet::from([0]);
        let files = self.units.iter();
        let files = files.filter(|unit| unit.resolves.is_empty() && unit.origin == unit.file);
        let files = files
            .map(|unit| unit.file)
            .filter(|file| seen.insert(*file));
        files.map(|file| self.file_name(file).to_owned()).collect()
    }

    /// Returns the amendments that a unit was written for, its own included.
    pub(super) fn home(&self, at: usize) -> BTreeSet<String> {
        let units = self.units.iter().enumerate();
        let below = units.filter(|(below, unit)| unit.file > 0 && self.stands_on(at, *below));
        below
            .map(|(_, unit)| self.file_name(unit.file).to_owned())
            .collect()
    }

    /// Returns whether something says which of two files comes first.
    pub(super) fn files_ordered(&self, one: usize, other: usize) -> bool {
        let unit = |file: usize| {
            let mut units = self.units.iter();
            units.position(|unit| unit.origin == file && unit.resolves.is_empty())
        };
        match (unit(one), unit(other)) {
            (Some(one), Some(other)) => self.ordered(one, other),
            _ => true,
        }
    }

    /// Returns whether `other` brings a reading of a rulebook that `unit` was written for, or is a part of.
    pub(super) fn is_for_readings_of(&self, unit: usize, other: usize) -> bool {
        let Some(reading) = self
            .units
            .get(other)
            .filter(|_| self.choice(other).is_some())
        else {
            return false;
        };
        let is_whole = |it: &Unit<'_>| it.origin == reading.file && it.resolves.is_empty();
        let mut whole = self.units.iter().enumerate().filter(|(_, it)| is_whole(it));
        whole.any(|(at, _)| self.stands_on(unit, at))
    }

    /// Returns whether `unit` was written on top of `other`, so that it may use what that brings.
    pub(super) fn stands_on(&self, unit: usize, other: usize) -> bool {
        unit == other || self.below.get(unit).is_some_and(|bits| bits.has(other))
    }

    /// Returns whether something says which of two units comes first.
    pub(super) fn ordered(&self, one: usize, other: usize) -> bool {
        let before = |a: usize, b: usize| self.before.get(b).is_some_and(|bits| bits.has(a));
        before(one, other) || before(other, one)
    }

    /// Returns whether two units are parts of one amendment.
    pub(super) fn together(&self, one: usize, other: usize) -> bool {
        let (Some(a), Some(b)) = (self.units.get(one), self.units.get(other)) else {
            return false;
        };
        one == other || a.origin == b.origin && a.resolves == b.resolves
    }
}

fn name_of(file: Option<&ast::File>) -> &str {
    let header = file.and_then(|file| file.header.as_ref());
    header.map_or("?", |header| header.name.as_str())
}

/// Units with what was found about their order.
struct Graph<'a> {
    files: Vec<&'a ast::File>,
    choices: &'a [Choice],
    by_name: HashMap<&'a str, usize>,
    units: Vec<Unit<'a>>,
    /// The items' own orders, for each unit.
    orders: Vec<Vec<&'a ast::Order>>,
    edges: Vec<Edge>,
}

/// `before` comes first, because of what is written at `span`.
struct Edge {
    before: usize,
    behind: usize,
    /// Whether `behind` was written on top of `before`.
    stands: bool,
    span: Span,
}

impl<'a> Graph<'a> {
    fn new(files: &[&'a ast::File], choices: &'a [Choice]) -> Graph<'a> {
        let names = files.iter().enumerate();
        let mut graph = Graph {
            files: files.to_vec(),
            choices,
            by_name: names.map(|(at, file)| (name_of(Some(file)), at)).collect(),
            units: Vec::new(),
            orders: Vec::new(),
            edges: Vec::new(),
        };
        for (at, file) in files.iter().enumerate() {
            let name = name_of(Some(file)).to_owned();
            graph.add_units((at, at), name, BTreeSet::new(), (None, &file.items));
            for item in &file.items {
                if let ItemKind::Resolve(resolve) = &item.kind {
                    graph.add_resolve(at, resolve, &item.tail);
                }
            }
        }
        for (at, choice) in (files.len()..).zip(choices) {
            let file = files.iter().position(|it| it.holds(choice.file));
            let file = file.filter(|_| !choice.items.is_empty());
            if let Some(file) = file {
                let says = (Some(&choice.tail), choice.items.as_slice());
                graph.add_units((file, at), choice.title(), BTreeSet::new(), says);
            }
        }
        graph
    }

    /// Returns what an order or a resolution speaks of: an amendment, or the chosen reading of a question.
    fn origins_of(&self, unit: &ast::UnitRef) -> Vec<usize> {
        let amendment = self.by_name.get(unit.name.as_str());
        if let (Some(file), None) = (amendment, &unit.reading) {
            return vec![*file];
        }
        let choices = (self.files.len()..).zip(self.choices);
        let meant = choices.filter(|(_, choice)| choice.is(unit));
        meant.map(|(at, _)| at).collect()
    }

    /// Returns what is written about the order of all that an origin brings.
    fn orders_of(&self, unit: &Unit<'a>) -> &'a [ast::Order] {
        let choice = unit.origin.checked_sub(self.files.len());
        if let Some(choice) = choice.and_then(|at| self.choices.get(at)) {
            return &choice.orders;
        }
        let header = self.files.get(unit.file).and_then(|it| it.header.as_ref());
        header.map_or(&[], |header| header.tail.orders.as_slice())
    }

    fn add_resolve(&mut self, file: usize, resolve: &'a ast::Resolve, tail: &'a ast::Tail) {
        let names: BTreeSet<String> = resolve.units.iter().map(|it| it.to_string()).collect();
        let on = resolve.units.iter().map(|it| self.origins_of(it));
        let on: Vec<Vec<usize>> = on.collect();
        // It holds only where all of them are there.
        if on.iter().all(|origins| !origins.is_empty()) {
            let name = Vec::from_iter(names).join(" + ");
            let on = on.into_iter().flatten().collect();
            self.add_units((file, file), name, on, (Some(tail), &resolve.items));
        }
    }

    /// Adds a unit of items, and one for each item that has an order of its own.
    fn add_units(
        &mut self,
        (file, origin): (usize, usize),
        name: String,
        resolves: BTreeSet<usize>,
        (around, items): (Option<&'a ast::Tail>, &'a [Arc<ast::Item>]),
    ) {
        let edits = items
            .iter()
            .filter(|item| !matches!(item.kind, ItemKind::Relation(_) | ItemKind::Resolve(_)));
        // Nothing comes before the base.
        let (plain, ordered): (Vec<_>, Vec<_>) =
            edits.partition(|it| origin == 0 || it.tail.orders.is_empty());
        let groups = std::iter::once(plain).chain(ordered.into_iter().map(|item| vec![item]));
        for items in groups {
            let orders = items.iter().flat_map(|item| &item.tail.orders);
            self.orders.push(orders.collect());
            self.units.push(Unit {
                file,
                origin,
                name: name.clone(),
                resolves: resolves.clone(),
                around,
                items,
            });
        }
    }

    fn units_of(&self, origin: usize) -> Vec<usize> {
        let units = self.units.iter().enumerate();
        let own = units.filter(|(_, unit)| unit.origin == origin && unit.resolves.is_empty());
        own.map(|(at, _)| at).collect()
    }

    /// Finds out which units stand on which.
    fn stand(&mut self) {
        let mut found = Vec::new();
        for (at, unit) in self.units.iter().enumerate() {
            for (origin, span) in self.origins_below(unit) {
                let below = self.units_of(origin);
                found.extend(below.into_iter().map(|before| (before, at, span)));
            }
            let same =
                |other: &Unit| other.origin == unit.origin && other.resolves == unit.resolves;
            let first = self.units.iter().position(same).filter(|first| *first < at);
            found.extend(first.map(|first| (first, at, Span::default())));
            if !unit.resolves.is_empty() {
                for (narrower, other) in self.units.iter().enumerate() {
                    let inside = other.resolves.is_subset(&unit.resolves);
                    if !other.resolves.is_empty() && inside && other.resolves != unit.resolves {
                        found.push((narrower, at, Span::default()));
                    }
                }
            }
        }
        let edges = found.into_iter().map(|(before, behind, span)| Edge {
            before,
            behind,
            stands: true,
            span,
        });
        self.edges.extend(edges);
    }

    /// Returns what a unit stands on, and where that is said.
    fn origins_below(&self, unit: &Unit<'a>) -> Vec<(usize, Span)> {
        let mut below = Vec::new();
        if unit.origin > 0 || !unit.resolves.is_empty() {
            below.push((0, Span::default()));
        }
        if !unit.resolves.is_empty() {
            let named = unit.resolves.iter().chain([&unit.file]);
            let named = named.filter(|origin| **origin > 0);
            below.extend(named.map(|origin| (*origin, Span::default())));
            return below;
        }
        let Some(file) = self.files.get(unit.file) else {
            return below;
        };
        let items = if unit.origin == unit.file {
            let base = file.header.as_ref().and_then(headers::base_of);
            let found = base.and_then(|it| Some((*self.by_name.get(it.as_str())?, it.span)));
            below.extend(found);
            &file.items
        } else {
            below.extend((unit.file > 0).then_some((unit.file, Span::default())));
            let choice = unit.origin.checked_sub(self.files.len());
            let Some(choice) = choice.and_then(|at| self.choices.get(at)) else {
                return below;
            };
            for question in &choice.under {
                let answers = (self.files.len()..).zip(self.choices);
                let answers = answers.filter(|(_, it)| it.name == question.text);
                below.extend(answers.map(|(origin, _)| (origin, question.span)));
            }
            &choice.items
        };
        for item in items {
            if let ItemKind::Relation(it) = &item.kind
                && it.kind == ast::RelationKind::Needs
            {
                let origins = self.origins_of(&it.unit);
                below.extend(origins.into_iter().map(|origin| (origin, it.unit.span())));
            }
        }
        below
    }

    /// Finds out what `order before|after` says.
    fn order(&mut self) {
        let mut edges = Vec::new();
        for (at, unit) in self.units.iter().enumerate() {
            let of_items = self.orders.get(at).into_iter().flatten().copied();
            for order in self.orders_of(unit).iter().chain(of_items) {
                let others = order.units.iter().flat_map(|it| self.origins_of(it));
                for other in others.flat_map(|origin| self.units_of(origin)) {
                    let (before, behind) = match order.side {
                        ast::Side::Before => (at, other),
                        ast::Side::After => (other, at),
                    };
                    edges.push(Edge {
                        before,
                        behind,
                        stands: false,
                        span: order.span,
                    });
                }
            }
        }
        self.edges.extend(edges);
    }

    /// Sorts the units; where nothing says which comes first, the one whose name does.
    fn sorted(self) -> Result<Units<'a>, Vec<Diagnostic>> {
        let count = self.units.len();
        let mut behind: Vec<Vec<&Edge>> = vec![Vec::new(); count];
        let mut waits_for = vec![0usize; count];
        for edge in &self.edges {
            if let Some(list) = behind.get_mut(edge.before) {
                list.push(edge);
            }
            if let Some(count) = waits_for.get_mut(edge.behind) {
                *count += 1;
            }
        }
        // Files and choices are sorted by name, so the number of a unit ranks it by name.
        let free = waits_for
            .iter()
            .enumerate()
            .filter(|(_, count)| **count == 0);
        let mut ready: BTreeSet<usize> = free.map(|(at, _)| at).collect();
        let mut sequence = Vec::with_capacity(count);
        while let Some(at) = ready.pop_first() {
            sequence.push(at);
            for edge in behind.get(at).into_iter().flatten() {
                if let Some(count) = waits_for.get_mut(edge.behind) {
                    *count -= 1;
                    if *count == 0 {
                        ready.insert(edge.behind);
                    }
                }
            }
        }
        if sequence.len() < count {
            return Err(vec![self.circle(&waits_for)]);
        }
        Ok(self.renumbered(&sequence))
    }

    fn renumbered(self, sequence: &[usize]) -> Units<'a> {
        let count = self.units.len();
        let mut number = vec![0; count];
        for (new, old) in sequence.iter().enumerate() {
            if let Some(number) = number.get_mut(*old) {
                *number = new;
            }
        }
        let number = |old: usize| number.get(old).copied().unwrap_or(0);
        let mut units: Vec<_> = self.units.into_iter().enumerate().collect();
        units.sort_by_key(|(old, _)| number(*old));

        let mut edges: Vec<_> = self
            .edges
            .iter()
            .map(|edge| (number(edge.behind), number(edge.before), edge.stands))
            .collect();
        edges.sort_unstable();
        let mut below: Vec<Bits> = vec![Bits::new(count); count];
        let mut before = below.clone();
        for (to, from, stands) in edges {
            if stands {
                Bits::inherit(&mut below, to, from);
            }
            Bits::inherit(&mut before, to, from);
        }
        Units {
            files: self.files,
            choices: self.choices,
            units: units.into_iter().map(|(_, unit)| unit).collect(),
            below,
            before,
        }
    }

    /// Describes a circle among the units that still wait for others.
    fn circle(&self, waits_for: &[usize]) -> Diagnostic {
        let waits = |at: usize| waits_for.get(at).is_some_and(|count| *count > 0);
        let mut at = (0..waits_for.len()).find(|at| waits(*at)).unwrap_or(0);
        let mut path: Vec<&Edge> = Vec::new();
        // Every waiting unit waits for a waiting unit, so walking back comes to a circle.
        let start = loop {
            let back = self
                .edges
                .iter()
                .find(|it| it.behind == at && waits(it.before));
            let Some(edge) = back else { break 0 };
            if let Some(start) = path.iter().position(|it| it.behind == at) {
                break start;
            }
            path.push(edge);
            at = edge.before;
        };
        let name = |unit: usize| self.units.get(unit).map_or("?", |unit| unit.name.as_str());
        let circle = path.get(start..).unwrap_or_default();
        let mut names: Vec<_> = circle.iter().map(|edge| name(edge.behind)).collect();
        names.sort_unstable();
        names.dedup();
        let listed = names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let message = match names.as_slice() {
            [one] => format!("`{one}` comes before itself"),
            _ => format!("{listed} each come before the other"),
        };
        let mut diagnostic = Diagnostic::new(codes::CIRCULAR_ORDER, message)
            .help("take away one of the lines that say which comes first");
        let mut said: Vec<_> = circle.iter().filter(|edge| !edge.span.is_empty()).collect();
        said.sort_by_key(|edge| (edge.span.file, edge.span.start));
        said.dedup_by_key(|edge| (edge.span.file, edge.span.start));
        for edge in said {
            let text = format!(
                "`{}` comes before `{}`",
                name(edge.before),
                name(edge.behind)
            );
            diagnostic = diagnostic.label(edge.span, text);
        }
        diagnostic
    }
}

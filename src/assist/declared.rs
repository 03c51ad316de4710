//! What is declared in some files, and where.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap as HashMap;

use super::names::Target;
use crate::compose::{Inner, inside_block, inside_item};
use crate::source::Span;
use crate::syntax::ast::{
    self, Add, Axis, Doc, Edit, Header, HeaderKind, Item, ItemKind, Name, Replace, Role, Seats,
    SettingValues, Tree, Type, TypeKind, Visitor,
};

/// Something that was declared.
#[derive(Clone, Debug)]
pub struct Thing {
    /// Its name.
    pub name: Span,
    /// All of it, without what is said before it.
    pub whole: Span,
    /// What it is, in a word of the language.
    pub word: &'static str,
    /// Its doc comment.
    pub docs: String,
    /// Whether it takes the place of another of its name.
    pub replaces: bool,
    /// The parameter that this is a word for in an edit.
    pub param: Option<Span>,
}

impl Thing {
    pub(super) fn local(name: Span) -> Thing {
        Thing {
            name,
            whole: name,
            word: "local",
            docs: String::new(),
            replaces: false,
            param: None,
        }
    }
}

/// All declarations.
#[derive(Default)]
pub(super) struct Declared<'a> {
    pub(super) things: BTreeMap<Target, Vec<Thing>>,
    /// The items by their names; those that replace others behind these.
    pub(super) items: HashMap<&'a str, Vec<&'a Item>>,
    /// The addresses of choices that are taken by the name of an item, as `main.place` where `place` is an action.
    choices: HashMap<String, String>,
    /// The addresses of what has a name inside an item, by its last name.
    pub(super) inner: HashMap<String, Vec<(String, &'static str)>>,
}

impl<'a> Declared<'a> {
    pub(super) fn new(files: &'a [ast::File]) -> Declared<'a> {
        let mut declared = Declared::default();
        for file in files {
            let parts = file.parts.iter().map(|part| &part.header);
            for header in file.header.iter().chain(parts) {
                declared.header(header);
            }
            for item in &file.items {
                Visitor::item(&mut declared, item, Role::Plain);
            }
        }
        declared.name_choices();
        for things in declared.things.values_mut() {
            things.sort_by_key(|it| it.replaces);
        }
        declared
    }

    /// A choice that has the name of an item is that item, so where it stands that is named, not declared.
    fn name_choices(&mut self) {
        let choices = self.things.iter().filter_map(|(target, things)| {
            let Target::Inside(address) = target else {
                return None;
            };
            let name = address.rsplit('.').next()?;
            let is_choice = things.iter().all(|it| it.word == "choice");
            let is_item = is_choice && self.items.contains_key(name);
            is_item.then(|| (address.clone(), name.to_owned()))
        });
        self.choices = choices.collect();
        for address in self.choices.keys() {
            self.things.remove(&Target::Inside(address.clone()));
        }
    }

    /// Returns what an address stands for, if something has it.
    pub(super) fn find(&self, address: &str) -> Option<Target> {
        if let Some(item) = self.choices.get(address) {
            return Some(Target::Item(item.clone()));
        }
        let inside = Target::Inside(address.to_owned());
        if self.things.contains_key(&inside) {
            return Some(inside);
        }
        self.items
            .contains_key(address)
            .then(|| Target::Item(address.to_owned()))
    }

    /// Returns the item that says what type the values of an item have.
    pub(super) fn type_of_item(&self, name: &str) -> Option<&'a str> {
        type_of_item(self.items.get(name)?.first()?)
    }

    fn header(&mut self, header: &'a Header) {
        if header.kind != HeaderKind::Part {
            let thing = thing(&header.name, header.span, header.kind.word(), &header.docs);
            self.add(Target::Book(header.name.text.clone()), thing);
        }
        for source in &header.sources {
            let name = &source.name;
            let target = Target::Source(name.text.clone());
            self.add(target, thing(name, source.span, "source", &[]));
        }
        if let Some(Seats::Named(seats)) = &header.seats {
            for seat in seats {
                self.inside(&["seat", seat.name.as_str()], seat.name.span, "value");
            }
        }
    }

    fn add(&mut self, target: Target, thing: Thing) {
        self.things.entry(target).or_default().push(thing);
    }

    fn inside(&mut self, path: &[&str], name: Span, word: &'static str) {
        let address = path.join(".");
        let thing = Thing {
            word,
            ..Thing::local(name)
        };
        if let Some(last) = path.last() {
            let all = self.inner.entry((*last).to_owned()).or_default();
            if !all.contains(&(address.clone(), word)) {
                all.push((address.clone(), word));
            }
        }
        self.add(Target::Inside(address), thing);
    }

    fn inner(&mut self, found: Vec<Inner>) {
        for it in found {
            let path: Vec<&str> = it.path.iter().map(String::as_str).collect();
            self.inside(&path, it.span, it.word);
        }
    }

    fn edit(&mut self, edit: &'a Edit) {
        let path = edit.place().map(|path| path.segments.as_slice());
        let path: Vec<String> = path
            .unwrap_or_default()
            .iter()
            .map(|it| it.text.clone())
            .collect();
        let mut below = |label: &Name, word| {
            let all = path.iter().map(String::as_str);
            let all: Vec<&str> = all.chain([label.as_str()]).collect();
            self.inside(&all, label.span, word);
        };
        match edit {
            Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it) => {
                let head = path.first().map_or("", String::as_str);
                self.inside(&[head, it.label.as_str()], it.label.span, edit.word());
            }
            Edit::Insert { body, .. } | Edit::Replace(Replace::Body { body, .. }) => {
                self.inner(inside_block(body, &path));
            }
            Edit::Add(add) => match add {
                Add::Values { values, .. } => {
                    values.iter().for_each(|it| below(&it.name, "value"));
                }
                Add::Fields { fields, .. } => {
                    fields.iter().for_each(|it| below(&it.name, "field"));
                }
                Add::Readings { readings, .. } => {
                    readings.iter().for_each(|it| below(&it.name, "reading"));
                }
                Add::Slots { slots, .. } => slots.iter().for_each(|it| below(&it.name, "slot")),
                Add::Alternatives { alternatives, .. } => {
                    alternatives.iter().for_each(|it| below(&it.name, "choice"));
                }
                Add::Rows { .. } | Add::Cases { .. } => {}
            },
            Edit::Set { .. } | Edit::Replace(_) | Edit::Remove { .. } | Edit::Extend { .. } => {}
        }
    }
}

/// Returns the name of the type that the values of an item have; of a type its own.
pub(super) fn type_of_item(item: &Item) -> Option<&str> {
    match &item.kind {
        ItemKind::Zone(it) => Some(it.component.as_str()),
        ItemKind::Track(it) => named_type(&it.ty),
        ItemKind::Table(it) => named_type(&it.ty),
        ItemKind::Define(it) => named_type(&it.ty),
        ItemKind::Setting(it) => match &it.values {
            SettingValues::Typed { ty, .. } => named_type(ty),
            SettingValues::Readings(_) => Some(it.name.as_str()),
        },
        kind => kind.name().map(Name::as_str),
    }
}

pub(super) fn named_type(ty: &Type) -> Option<&str> {
    match &ty.kind {
        TypeKind::Named(name) => Some(name.as_str()),
        TypeKind::OrNone(some) | TypeKind::SetOf(some) => named_type(some),
        TypeKind::Range(..) | TypeKind::Tuple(_) => None,
    }
}

fn thing(name: &Name, whole: Span, word: &'static str, docs: &[Doc]) -> Thing {
    let lines: Vec<&str> = docs.iter().map(|it| it.text.trim()).collect();
    Thing {
        whole,
        word,
        docs: lines.join("\n"),
        ..Thing::local(name.span)
    }
}

impl<'a> Visitor<'a> for Declared<'a> {
    fn item(&mut self, item: &'a Item, role: Role) {
        if let Some(name) = item.kind.name() {
            let text = name.text.clone();
            let target = match &item.kind {
                ItemKind::Ruling(_) | ItemKind::Study(_) => Target::Case(text),
                _ => {
                    self.items.entry(name.as_str()).or_default().push(item);
                    Target::Item(text)
                }
            };
            let thing = Thing {
                replaces: role == Role::Instead,
                ..thing(name, item.span, item.kind.word(), &item.docs)
            };
            self.add(target, thing);
            self.inner(inside_item(item));
        }
        match &item.kind {
            ItemKind::Space(it) => {
                for axis in &it.axes {
                    if let Axis::Named { name, .. } = axis {
                        self.inside(&[it.name.as_str(), name.as_str()], name.span, "field");
                    }
                }
            }
            ItemKind::Edit(edit) => self.edit(edit),
            ItemKind::Sentences(it) => {
                for sentence in &it.sentences {
                    let target = Target::Sentence(it.source.text.clone(), sentence.id.to_string());
                    let thing = Thing {
                        whole: sentence.span,
                        word: "sentence",
                        docs: sentence.text.text.clone(),
                        ..Thing::local(sentence.id.span)
                    };
                    self.add(target, thing);
                }
            }
            _ => {}
        }
        item.kind.walk(self, Role::Plain);
    }
}

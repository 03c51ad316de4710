//! Questions, and the places where rules ask them.

use std::collections::BTreeMap;

use crate::source::Span;
use crate::syntax::ast::{
    self, Add, Among, Block, Edit, Expr, File, Item, ItemKind, Role, SettingValues, Statement,
    StatementKind, Tree, Visitor,
};

/// A question with all that answers it.
pub(super) struct Question<'t> {
    pub name: &'t str,
    /// The rulebook, of those that are read, that asks it.
    pub tree: usize,
    pub readings: Vec<&'t ast::Reading>,
    /// The reading that holds if nobody chooses.
    pub default: usize,
}

/// Returns the questions of some rulebooks, by their names.
pub(super) fn questions<'t>(
    trees: &'t [File],
    beside: &'t [File],
) -> BTreeMap<&'t str, Question<'t>> {
    let mut all = BTreeMap::new();
    for (tree, file) in trees.iter().chain(beside).enumerate() {
        for item in &file.items {
            if let ItemKind::Setting(it) = &item.kind
                && let SettingValues::Readings(readings) = &it.values
            {
                let default = readings.iter().position(|it| it.default).unwrap_or(0);
                all.entry(it.name.as_str()).or_insert(Question {
                    name: it.name.as_str(),
                    tree,
                    readings: readings.iter().collect(),
                    default,
                });
            }
        }
    }
    for item in trees.iter().flat_map(|it| &it.items) {
        if let ItemKind::Edit(Edit::Add(Add::Readings { to, readings })) = &item.kind
            && let Some(question) = to.segments.first().and_then(|it| all.get_mut(it.as_str()))
        {
            question.readings.extend(readings);
        }
    }
    all
}

/// What holds under some readings.
#[derive(Clone, Copy)]
pub(super) enum Case<'t> {
    Value(&'t Expr),
    Body(&'t Block),
    Truth(bool),
}

impl Case<'_> {
    pub(super) fn span(self) -> Option<Span> {
        match self {
            Case::Value(it) => Some(it.span),
            Case::Body(it) => Some(it.span),
            Case::Truth(_) => None,
        }
    }
}

/// A name that is bound around a use and said in it.
#[derive(Clone, PartialEq)]
pub(super) struct Free {
    pub name: String,
    /// Where it is bound; none of `me`, and of what is not written anywhere.
    pub bound: Option<Span>,
}

/// Where something stands that an edit can name.
#[derive(Clone)]
pub(super) enum Spot<'t> {
    /// A whole item.
    Item(&'t Item),
    /// The value behind an address.
    Value {
        path: String,
        value: &'t Expr,
        refusal: Option<Refusal<'t>>,
    },
    /// What is done at an address: that of what is around it, and the block.
    Body { prefix: String, body: &'t Block },
    Statement {
        prefix: String,
        statement: &'t Statement,
    },
}

/// What a clause says where it is not met.
#[derive(Clone, Copy)]
pub(super) struct Refusal<'t> {
    pub message: Option<&'t ast::Template>,
    /// The clause of an action with that action; none of a guard.
    pub clause: Option<(&'t ast::Action, &'t ast::Require)>,
}

/// A place where a question is asked.
pub(super) struct Asked<'t> {
    pub question: &'t str,
    pub span: Span,
    /// The cases with the readings for which they hold.
    pub cases: Vec<(Vec<usize>, Case<'t>)>,
    /// Another one in one of whose cases it stands.
    pub inside: Option<(usize, usize)>,
    pub free: Vec<Free>,
    /// Whether a word is said in it that means something only here.
    pub special: bool,
    /// Whether it changes a local from around, or leaves what is around.
    pub bound_to_place: bool,
    /// Whether somebody is asked in it.
    pub chooses: bool,
    /// Whether it is done.
    pub is_done: bool,
    /// What is around it, outermost first.
    pub spots: Vec<Spot<'t>>,
    /// The item of a list that it stands in, and what that list holds under.
    pub home: Home<'t>,
}

/// A list of items.
#[derive(Clone)]
pub(super) struct Home<'t> {
    pub tree: usize,
    /// The units that have to be together.
    pub units: Vec<String>,
    /// The readings among them.
    pub chosen: Vec<(String, String)>,
    pub item: &'t Item,
}

/// Returns the labels around a place in an item, which its address consists of.
pub(super) fn labels(item: &Item, at: Span) -> Vec<String> {
    struct Labels {
        at: Span,
        found: Vec<String>,
    }
    impl<'t> Visitor<'t> for Labels {
        fn statement(&mut self, statement: &'t Statement) {
            if !statement.span.holds(self.at) {
                return;
            }
            let holds =
                |body: &Option<Block>| body.as_ref().is_some_and(|it| it.span.holds(self.at));
            let label = match &statement.kind {
                StatementKind::Step { name, body, .. } if body.span.holds(self.at) => {
                    vec![name.text.clone()]
                }
                StatementKind::Choose(it) => match &it.among {
                    Among::Alternatives(all) => {
                        let inside = all.iter().filter(|it| holds(&it.body));
                        inside.map(|it| it.name.text.clone()).collect()
                    }
                    Among::Members { .. } => Vec::new(),
                },
                StatementKind::Window { slots, .. } => {
                    let mut label = Vec::new();
                    for slot in slots {
                        if let Some(it) = slot.alternatives.iter().find(|it| holds(&it.body)) {
                            label.extend([slot.name.text.clone(), it.name.text.clone()]);
                        }
                    }
                    label
                }
                _ => Vec::new(),
            };
            self.found.extend(label);
            statement.kind.walk(self, Role::Plain);
        }
    }
    let mut labels = Labels {
        at,
        found: Vec::new(),
    };
    item.kind.walk(&mut labels, Role::Plain);
    labels.found
}

/// Returns whether some list has a value of this name, which may be meant where one is expected.
pub(super) fn is_value(trees: &[File], name: &str) -> bool {
    let mut items = trees.iter().flat_map(|it| &it.items);
    items.any(|it| match &it.kind {
        ItemKind::Enum(it) => it.values.iter().any(|it| it.name.text == name),
        ItemKind::Edit(Edit::Add(Add::Values { values, .. })) => {
            values.iter().any(|it| it.name.text == name)
        }
        _ => false,
    })
}

/// Returns the parameters of what has a name, with their places.
pub(super) fn params<'t>(trees: &'t [File], name: &str) -> Vec<(&'t str, Span)> {
    let items = trees.iter().flat_map(|it| &it.items);
    let mut named = items.filter(|it| it.kind.name().is_some_and(|it| it.text == name));
    let params = named.find_map(|it| match &it.kind {
        ItemKind::Define(it) => Some(&it.params),
        ItemKind::Event(it) => Some(&it.params),
        ItemKind::Action(it) => Some(&it.params),
        ItemKind::Flow(it) => Some(&it.params),
        ItemKind::Ending(it) => Some(&it.params),
        _ => None,
    });
    let names = params.into_iter().flatten().flat_map(|it| &it.names);
    names.map(|it| (it.as_str(), it.span)).collect()
}

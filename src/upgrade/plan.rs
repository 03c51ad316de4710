//! Decides by which edits a reading says what it said in the middle of a clause.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::asked::{Asked, Case, Home, Question, Refusal, Spot, labels};
use super::fold::{Place, place};
use crate::source::Span;
use crate::syntax::ast::{self, Among, ExprKind, File, Item, ItemKind, Side, StatementKind};

/// What the edits of readings name, and what stands for it in the text.
pub(super) struct Carrier<'t> {
    pub form: Form<'t>,
    /// The stretch of the text that it is about.
    pub span: Span,
    /// What is asked in it and has no carrier of its own.
    pub asked: Vec<usize>,
    pub home: Home<'t>,
}

/// How it is named.
pub(super) enum Form<'t> {
    /// `replace PATH = …`.
    Value {
        path: String,
        refusal: Option<Refusal<'t>>,
    },
    /// A clause that holds by default: `forbid ACTION label L when …`.
    Clause(&'t ast::Action, &'t ast::Require),
    /// `replace PATH { … }`.
    Body { path: String },
    /// `step NAME { … }`.
    Step { path: String, name: String },
    /// `replace ITEM`.
    Item,
    /// `insert before PATH { … }`.
    Insert { path: String, side: Side },
    /// `define NAME(…)`, `event NAME(…)`, `flow NAME(…)`.
    New {
        word: &'static str,
        name: String,
        params: Vec<(String, String)>,
        args: Vec<String>,
        ty: Option<String>,
    },
}

impl Form<'_> {
    /// Returns the name that was made up.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Form::Step { name, .. } | Form::New { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// What has turned out not to work, by the place of what is asked.
#[derive(Default)]
pub(super) struct Banned {
    pub new: BTreeSet<Place>,
    pub inserts: bool,
}

pub(super) struct Planner<'t, 'p> {
    pub asked: &'p [Asked<'t>],
    pub questions: &'p BTreeMap<&'t str, Question<'t>>,
    pub types: &'p HashMap<Place, String>,
    pub banned: &'p Banned,
    /// All words of the rulebooks.
    pub words: BTreeSet<String>,
    pub carriers: Vec<Carrier<'t>>,
    /// Which carrier each is about.
    pub of: Vec<Option<usize>>,
}

impl<'t> Planner<'t, '_> {
    /// Finds a carrier for each that stands in a file that may be changed.
    pub(super) fn run(&mut self, is_own: impl Fn(Span) -> bool) {
        self.of = vec![None; self.asked.len()];
        for at in 0..self.asked.len() {
            let Some(asked) = self.asked.get(at).filter(|it| is_own(it.span)) else {
                continue;
            };
            let carrier = self.carrier(asked);
            if let (Some(carrier), Some(of)) = (carrier, self.of.get_mut(at)) {
                *of = Some(carrier);
                if let Some(it) = self.carriers.get_mut(carrier) {
                    it.asked.push(at);
                }
            }
        }
    }

    fn carrier(&mut self, asked: &Asked<'t>) -> Option<usize> {
        let around = asked.inside.map(|(at, _)| at);
        if around.is_none()
            && let Some(whole) = self.whole(asked)
        {
            return Some(whole);
        }
        let is_new = around.is_some() || !asked.is_done;
        if is_new && let Some(new) = self.new_item(asked) {
            return Some(new);
        }
        match around {
            Some(at) => self.of.get(at).copied().flatten(),
            None => self.around(asked),
        }
    }

    /// What is all of a value or a body.
    fn whole(&mut self, asked: &Asked<'t>) -> Option<usize> {
        match asked.spots.last()? {
            Spot::Value {
                path,
                value,
                refusal,
            } if value.span.same_place(asked.span) => {
                if let Some((action, clause)) = refusal.and_then(|it| it.clause)
                    && self.is_usually_true(asked)
                {
                    let start = clause.docs.first().map_or(clause.span, |it| it.span);
                    let span = start.to(clause.span);
                    return self.put(Form::Clause(action, clause), span, asked);
                }
                let form = Form::Value {
                    path: path.clone(),
                    refusal: *refusal,
                };
                self.put(form, value.span, asked)
            }
            Spot::Statement { statement, .. } if statement.span.same_place(asked.span) => {
                let before = asked.spots.len().checked_sub(2)?;
                let Some(Spot::Body { prefix, body }) = asked.spots.get(before) else {
                    return None;
                };
                let path = address(prefix, asked.home.item, body.span)?;
                if let [_] = body.statements.as_slice() {
                    return self.put(Form::Body { path }, body.span, asked);
                }
                self.insert(asked, path, body)
            }
            _ => None,
        }
    }

    /// What is done at the edge of something, under other readings only.
    fn insert(&mut self, asked: &Asked<'t>, path: String, body: &ast::Block) -> Option<usize> {
        let item = &asked.home.item.kind;
        let is_hook = path.contains('.')
            || matches!(
                item,
                ItemKind::Event(_) | ItemKind::Action(_) | ItemKind::Ending(_)
            );
        let usual = self.usual(asked)?;
        let is_empty = matches!(usual, Case::Body(it) if it.statements.is_empty());
        if self.banned.inserts || !is_hook || !is_empty || asked.bound_to_place {
            return None;
        }
        // What is done there knows the parameters of what it stands in, and no other local.
        let is_at =
            |it: Option<&ast::Statement>| it.is_some_and(|it| it.span.same_place(asked.span));
        let side = if is_at(body.statements.first()) {
            Side::Before
        } else if is_at(body.statements.last()) && !asked.free.iter().any(|it| it.name != "me") {
            Side::After
        } else {
            return None;
        };
        self.put(Form::Insert { path, side }, asked.span, asked)
    }

    fn usual(&self, asked: &Asked<'t>) -> Option<Case<'t>> {
        let default = self.questions.get(asked.question)?.default;
        let mut cases = asked.cases.iter();
        cases.find(|it| it.0.contains(&default)).map(|it| it.1)
    }

    fn is_usually_true(&self, asked: &Asked<'t>) -> bool {
        match self.usual(asked) {
            Some(Case::Truth(truth)) => truth,
            Some(Case::Value(it)) => matches!(it.kind, ExprKind::Bool(true)),
            _ => false,
        }
    }

    /// A definition, an event or a flow of its own, with what is known around as its parameters.
    fn new_item(&mut self, asked: &Asked<'t>) -> Option<usize> {
        let is_banned = self.banned.new.contains(&place(asked.span));
        if is_banned || asked.special || asked.bound_to_place {
            return None;
        }
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for free in &asked.free {
            let ty = match free.bound {
                Some(span) => self.types.get(&place(span))?.clone(),
                None if asked.is_done => continue,
                None => "seat".to_owned(),
            };
            let name = if free.name == "me" { "who" } else { &free.name };
            params.push((name.to_owned(), ty));
            args.push(free.name.clone());
        }
        let (word, ty) = match (asked.is_done, asked.chooses) {
            (false, _) => ("define", Some(self.type_of(asked)?)),
            (true, false) => ("event", None),
            (true, true) => ("flow", None),
        };
        let name = self.fresh(asked.question);
        let form = Form::New {
            word,
            name,
            params,
            args,
            ty,
        };
        self.put(form, asked.span, asked)
    }

    fn type_of(&self, asked: &Asked<'t>) -> Option<String> {
        let mut joined: Option<String> = None;
        for (readings, case) in &asked.cases {
            if readings.is_empty() {
                continue;
            }
            let ty = match case {
                Case::Truth(_) => "bool",
                Case::Value(it) => self.types.get(&place(it.span))?,
                Case::Body(_) => return None,
            };
            joined = Some(match joined {
                None => ty.to_owned(),
                Some(other) => union(&other, ty)?,
            });
        }
        joined
    }

    /// The least around that an edit can name.
    fn around(&mut self, asked: &Asked<'t>) -> Option<usize> {
        for spot in asked.spots.iter().rev() {
            match spot {
                Spot::Statement { prefix, statement } => {
                    let lives_on = match &statement.kind {
                        StatementKind::Let { .. } => true,
                        StatementKind::Choose(it) => {
                            matches!(&it.among, Among::Members { body: None, .. })
                        }
                        _ => false,
                    };
                    if lives_on {
                        continue;
                    }
                    let Some(around) = address(prefix, asked.home.item, statement.span) else {
                        continue;
                    };
                    if let Some(known) = self.known(statement.span) {
                        return Some(known);
                    }
                    let name = self.fresh(asked.question);
                    let path = format!("{around}.{name}");
                    return self.put(Form::Step { path, name }, statement.span, asked);
                }
                Spot::Value {
                    path,
                    value,
                    refusal,
                } => {
                    let form = Form::Value {
                        path: path.clone(),
                        refusal: *refusal,
                    };
                    return self.put(form, value.span, asked);
                }
                Spot::Body { prefix, body } => {
                    if let Some(path) = address(prefix, asked.home.item, body.span) {
                        return self.put(Form::Body { path }, body.span, asked);
                    }
                }
                Spot::Item(item) => {
                    let has_name =
                        item.kind.name().is_some() || matches!(item.kind, ItemKind::Supply(_));
                    let is_told = matches!(item.kind, ItemKind::Ruling(_) | ItemKind::Study(_));
                    if has_name && !is_told {
                        return self.put(Form::Item, item.span, asked);
                    }
                }
            }
        }
        None
    }

    fn known(&self, span: Span) -> Option<usize> {
        self.carriers.iter().position(|it| it.span.same_place(span))
    }

    fn put(&mut self, form: Form<'t>, span: Span, asked: &Asked<'t>) -> Option<usize> {
        if let Some(known) = self.known(span) {
            return Some(known);
        }
        self.carriers.push(Carrier {
            form,
            span,
            asked: Vec::new(),
            home: asked.home.clone(),
        });
        Some(self.carriers.len() - 1)
    }

    fn fresh(&mut self, question: &str) -> String {
        let first = format!("by_{question}");
        let more = (2..).map(|n| format!("{first}_{n}"));
        let mut names = std::iter::once(first.clone()).chain(more);
        let name = names
            .find(|it| !self.words.contains(it))
            .unwrap_or(first.clone());
        self.words.insert(name.clone());
        name
    }
}

/// Returns the address of what stands at a place.
fn address(prefix: &str, item: &Item, at: Span) -> Option<String> {
    if prefix.is_empty() {
        return None;
    }
    let labels = labels(item, at);
    Some(
        std::iter::once(prefix.to_owned())
            .chain(labels)
            .collect::<Vec<_>>()
            .join("."),
    )
}

/// Returns the type that holds the values of both.
fn union(one: &str, other: &str) -> Option<String> {
    if one == other {
        return Some(one.to_owned());
    }
    let plain = |it: &str| it.strip_suffix(" or none").map(str::to_owned);
    if plain(one).is_some() || plain(other).is_some() {
        let (a, b) = (plain(one), plain(other));
        let inner = union(&a.unwrap_or(one.to_owned()), &b.unwrap_or(other.to_owned()))?;
        return Some(format!("{inner} or none"));
    }
    if let (Some(a), Some(b)) = (one.strip_prefix("set of "), other.strip_prefix("set of ")) {
        return Some(format!("set of {}", union(a, b)?));
    }
    let ends = |it: &str| -> Option<(i64, i64)> {
        let (from, to) = it.split_once("..")?;
        Some((from.parse().ok()?, to.parse().ok()?))
    };
    match (one, other) {
        ("int", it) | (it, "int") => ends(it).map(|_| "int".to_owned()),
        _ => {
            let ((a, b), (c, d)) = (ends(one)?, ends(other)?);
            Some(format!("{}..{}", a.min(c), b.max(d)))
        }
    }
}

/// Returns all words of some rulebooks.
pub(super) fn words(trees: &[File], text: impl Fn(Span) -> String) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for tree in trees {
        let files = tree.parts.iter().map(|it| it.file).chain([tree.file]);
        for file in files {
            let all = text(Span {
                file,
                start: 0,
                end: u32::MAX,
            });
            let split = all.split(|it: char| !it.is_alphanumeric() && it != '_');
            words.extend(split.filter(|it| !it.is_empty()).map(str::to_owned));
        }
    }
    words
}

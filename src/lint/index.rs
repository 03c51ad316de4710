//! One walk over the files for all lints: what is written, in flat lists, with names told apart into
//! locals and others.

mod items;
mod nodes;

pub(super) use crate::syntax::ast::Binds as LocalKind;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::source::Span;
use crate::syntax::ast::{
    self, BinaryOp, Expr, Item, ItemKind, Name, Statement, StatementKind, Tail,
};

/// All that is written in some files.
#[derive(Debug, Default)]
pub(super) struct Index<'a> {
    /// The items, those inside resolutions and replacements too.
    pub(super) items: Vec<Placed<'a>>,
    /// All that can hold a tail, in the order in which it begins.
    pub(super) clauses: Vec<Clause<'a>>,
    /// The expressions, outer ones before inner ones.
    pub(super) exprs: Vec<Seen<'a>>,
    /// The statements, outer ones before inner ones.
    pub(super) statements: Vec<Done<'a>>,
    /// The alternatives of one choice; those of all slots of a window together.
    pub(super) choices: Vec<Vec<&'a ast::Alternative>>,
    /// The locals, in the order in which they are bound.
    pub(super) locals: Vec<Local<'a>>,
    /// The names that are not local.
    pub(super) uses: Vec<Use<'a>>,
    /// The values of enums, and the seats.
    values: HashSet<String>,
    /// The first words of the addresses that edits change.
    pub(super) edited: HashSet<&'a str>,
    /// The items by the names that they declare, replacements left aside.
    by_name: HashMap<&'a str, usize>,
    /// Where names that are not local begin.
    free: HashSet<(u16, u32)>,
}

/// An item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) item: &'a Item,
    /// Whether it takes the place of another item of its name.
    pub(super) replaces: bool,
    first_expr: usize,
}

/// Something with a tail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clause<'a> {
    pub(super) tail: &'a Tail,
    /// Where its words hold; a header's hold in the whole file.
    pub(super) span: Span,
}

/// An expression where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) expr: &'a Expr,
    pub(super) stands: Stands,
    /// Index of its item.
    pub(super) item: usize,
}

/// What surrounds an expression; tells whether parentheses around it mean anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// Alone between words or brackets.
    Alone,
    /// Beside `and`, `or`, or behind `not`.
    Loose,
    /// Beside another operator, or where the grammar takes one operand.
    Tight,
    /// Where parentheses may keep it from being read as something else.
    Kept,
}

/// A statement where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done<'a> {
    pub(super) statement: &'a Statement,
    /// Index of its item.
    pub(super) item: usize,
    /// Whether it may be done over and over within its item.
    pub(super) looped: bool,
}

/// A name with a meaning of its own inside an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local<'a> {
    pub(super) name: &'a Name,
    pub(super) kind: LocalKind,
    /// Index of its item.
    pub(super) item: usize,
    /// How often its value is asked for.
    pub(super) n_reads: usize,
    /// The local of the same name that it hides.
    pub(super) hides: Option<Span>,
}

/// A name that is no local.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use<'a> {
    pub(super) name: &'a Name,
    pub(super) role: Role,
    /// Index of the item that it stands in.
    pub(super) item: usize,
}

/// What is done with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Its value or its places are asked for, or it names a kind.
    Read,
    /// It gets a value.
    Written,
    /// It is called or offered.
    Called,
}

impl<'a> Index<'a> {
    /// Walks the files.
    pub(super) fn new(files: &[&'a ast::File]) -> Index<'a> {
        let mut params = HashMap::default();
        for item in files.iter().flat_map(|file| &file.items) {
            if let Some((name, list)) = item.kind.name().zip(item.kind.params()) {
                params.entry(name.as_str()).or_insert(list);
            }
        }
        let mut walk = Walk {
            index: Index::default(),
            scope: Vec::new(),
            outside: Vec::new(),
            item: 0,
            looped: false,
            only_asked: None,
            params,
        };
        for file in files {
            walk.file(file);
        }
        let mut index = walk.index;
        let mut by_name = HashMap::default();
        for (at, _, name) in index.declarations() {
            by_name.entry(name.as_str()).or_insert(at);
        }
        index.by_name = by_name;
        index.values = items::values(files, &index.items);
        let places = index.uses.iter().map(|it| it.name.span);
        index.free = places.map(|it| (it.file.0, it.start)).collect();
        index
    }

    /// Returns the declaration of a name, its replacements left aside.
    pub(super) fn declared(&self, name: &str) -> Option<&'a Item> {
        self.item(*self.by_name.get(name)?)
    }

    /// Returns the items that declare a name, with their index, replacements left aside.
    pub(super) fn declarations(&self) -> impl Iterator<Item = (usize, &'a Item, &'a Name)> {
        self.items.iter().enumerate().filter_map(|(at, placed)| {
            let name = placed.item.kind.name()?;
            (!placed.replaces).then_some((at, placed.item, name))
        })
    }

    /// Returns whether an expression begins with the name of a local.
    pub(super) fn is_local(&self, expr: &Expr) -> bool {
        let Some(name) = expr.leading_name() else {
            return false;
        };
        !self.free.contains(&(name.span.file.0, name.span.start))
    }

    /// Returns whether a name is a value of an enum, or a seat, and nothing else there.
    pub(super) fn is_value(&self, name: &Name) -> bool {
        let is_free = self.free.contains(&(name.span.file.0, name.span.start));
        is_free && self.values.contains(name.as_str()) && !self.by_name.contains_key(name.as_str())
    }

    /// Returns the item that something stands in.
    pub(super) fn item(&self, at: usize) -> Option<&'a Item> {
        self.items.get(at).map(|placed| placed.item)
    }

    /// Returns which item calls which, and at which statement.
    fn calls(&self) -> impl Iterator<Item = (usize, usize, &Done<'a>)> {
        self.statements
            .iter()
            .filter_map(|done| match &done.statement.kind {
                StatementKind::Call(call) => {
                    let called = self.by_name.get(call.name.as_str())?;
                    Some((done.item, *called, done))
                }
                _ => None,
            })
    }

    /// Returns the items with such a statement, and all that call one of them.
    pub(super) fn items_that(&self, is_such: impl Fn(&Statement) -> bool) -> HashSet<usize> {
        let begin = self.statements.iter().filter(|it| is_such(it.statement));
        let callers = self.calls().map(|(caller, called, _)| (called, caller));
        spread(begin.map(|it| it.item), callers)
    }

    /// Returns which item offers which action, and whether it may offer it over and over.
    fn offers(&self) -> impl Iterator<Item = (usize, usize, bool)> {
        let named = |alternative: &ast::Alternative| match alternative.text {
            None => self.by_name.get(alternative.name.as_str()).copied(),
            Some(_) => None,
        };
        let of = move |done: &Done<'a>| -> Vec<(usize, usize, bool)> {
            let offered = |all: &[ast::Alternative], again: bool| {
                let all = all.iter().filter_map(named);
                all.map(|it| (done.item, it, again)).collect::<Vec<_>>()
            };
            match &done.statement.kind {
                StatementKind::Choose(it) => match &it.among {
                    ast::Among::Alternatives(all) => offered(all, done.looped),
                    _ => Vec::new(),
                },
                StatementKind::Window { slots, .. } => {
                    let each = slots.iter();
                    each.flat_map(|it| offered(&it.alternatives, done.looped || it.many))
                        .collect()
                }
                _ => Vec::new(),
            }
        };
        let added = (0..).zip(&self.items).flat_map(move |(at, placed)| {
            let all = match &placed.item.kind {
                // Where that is may be a loop.
                ItemKind::Edit(ast::Edit::Add(ast::Add::Alternatives { alternatives, .. })) => {
                    alternatives.as_slice()
                }
                _ => &[],
            };
            all.iter().filter_map(named).map(move |it| (at, it, true))
        });
        self.statements.iter().flat_map(of).chain(added)
    }

    /// Returns the items that may be done over and over, because a loop or such an item calls or offers them.
    pub(super) fn items_called_again(&self) -> HashSet<usize> {
        let called = self.calls().map(|(by, it, done)| (by, it, done.looped));
        let all: Vec<(usize, usize, bool)> = called.chain(self.offers()).collect();
        let begin = all.iter().filter(|it| it.2).map(|it| it.1);
        spread(begin, all.iter().map(|it| (it.0, it.1)))
    }

    /// Returns the expressions of an item, without those of items inside it.
    pub(super) fn exprs_of(&self, item: usize) -> &[Seen<'a>] {
        let start = self.items.get(item).map_or(usize::MAX, |it| it.first_expr);
        let next = self.items.get(item + 1).map(|it| it.first_expr);
        self.exprs
            .get(start..next.unwrap_or(self.exprs.len()))
            .unwrap_or_default()
    }

    /// Returns the expressions with an operator between two sides.
    pub(super) fn binaries(
        &self,
    ) -> impl Iterator<Item = (&Seen<'a>, BinaryOp, &'a Expr, &'a Expr)> {
        self.exprs.iter().filter_map(|seen| match &seen.expr.kind {
            ast::ExprKind::Binary {
                op, left, right, ..
            } => Some((seen, *op, left.as_ref(), right.as_ref())),
            _ => None,
        })
    }

    /// Returns whether something uses a name that is none of its locals.
    pub(super) fn is_used(&self, name: &Name) -> bool {
        self.uses.iter().any(|it| it.name == name)
    }

    /// Returns whether the item with this index is a ruling or a study, which look at the rules from outside.
    pub(super) fn in_ruling(&self, at: usize) -> bool {
        self.item(at).is_some_and(|item| {
            matches!(
                item.kind,
                ItemKind::Ruling(_) | ItemKind::Study(_) | ItemKind::Position(_)
            )
        })
    }
}

/// Returns what can be reached from the beginnings along the edges.
fn spread(
    begin: impl Iterator<Item = usize>,
    edges: impl Iterator<Item = (usize, usize)>,
) -> HashSet<usize> {
    let mut onward: HashMap<usize, Vec<usize>> = HashMap::default();
    for (from, to) in edges {
        onward.entry(from).or_default().push(to);
    }
    let mut open: Vec<usize> = begin.collect();
    let mut reached = HashSet::default();
    while let Some(at) = open.pop() {
        if reached.insert(at) {
            open.extend(onward.get(&at).into_iter().flatten());
        }
    }
    reached
}

/// A walk under way.
struct Walk<'a> {
    index: Index<'a>,
    /// The locals that can be named here, as indices; inner ones last.
    scope: Vec<usize>,
    /// How long `scope` was where each of the things around this place began, and what `looped` was.
    outside: Vec<(usize, bool)>,
    item: usize,
    looped: bool,
    /// A set of which it is only asked whether it has members.
    only_asked: Option<&'a Expr>,
    params: HashMap<&'a str, &'a [ast::Param]>,
}

impl<'a> Walk<'a> {
    fn new_local(&mut self, name: &'a Name, kind: LocalKind) {
        let hides = self.local(name.as_str());
        self.scope.push(self.index.locals.len());
        self.index.locals.push(Local {
            name,
            kind,
            item: self.item,
            n_reads: 0,
            hides: hides.and_then(|at| self.index.locals.get(at).map(|it| it.name.span)),
        });
    }

    fn local(&self, name: &str) -> Option<usize> {
        let is_it = |at: &usize| self.index.locals.get(*at).is_some_and(|it| it.name == name);
        self.scope.iter().copied().rev().find(is_it)
    }

    fn use_name(&mut self, name: &'a Name, role: Role) {
        let item = self.item;
        self.index.uses.push(Use { name, role, item });
    }

    fn read_or_written(&mut self, name: &'a Name, role: Role) {
        match self.local(name.as_str()) {
            Some(at) if role == Role::Read => {
                if let Some(local) = self.index.locals.get_mut(at) {
                    local.n_reads += 1;
                }
            }
            Some(_) => {}
            None => self.use_name(name, role),
        }
    }

    fn clause(&mut self, tail: &'a Tail, span: Span) {
        self.index.clauses.push(Clause { tail, span });
    }
}

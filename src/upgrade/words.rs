//! Words that the language says otherwise now: members of a pair, guards that lift guards, conditions that always hold,
//! things that are not drawn.

use std::collections::BTreeMap;

use super::write::Change;
use crate::source::{Sources, Span};
use crate::syntax::ast::{
    self, Add, Alternative, Among, Edit, ExpectKind, Expr, ExprKind, File, Guard, Item, ItemKind,
    Name, Param, Role, Scene, SettingValues, Statement, StatementKind, Tree, Use, Visitor,
};

/// Parameters of an action that went by several names and go by one now.
struct Pair<'t> {
    /// Which parameter it is.
    at: usize,
    names: Vec<&'t str>,
    name: String,
}

pub(super) struct Words<'t, 'w> {
    sources: &'w Sources,
    trees: &'t [File],
    pairs: BTreeMap<&'t str, Vec<Pair<'t>>>,
    pub changes: Vec<Change>,
    /// What has to be said by hand.
    pub left: Vec<(Span, String)>,
    /// The names that stand for the members of a pair here.
    renamed: Vec<(&'t str, String)>,
}

impl<'t, 'w> Words<'t, 'w> {
    pub(super) fn new(trees: &'t [File], sources: &'w Sources) -> Words<'t, 'w> {
        let mut pairs: BTreeMap<&str, Vec<Pair<'_>>> = BTreeMap::new();
        let mut left = Vec::new();
        let items = || trees.iter().flat_map(|it| &it.items);
        for item in items() {
            item_pairs(item, sources, &mut pairs);
        }
        // The words that tell members apart may be other things here.
        let hiding = items().find_map(|it| {
            let is_hiding = |it: &&Name| matches!(it.as_str(), "first" | "last");
            it.kind.name().filter(is_hiding)
        });
        if let Some(name) = hiding.filter(|_| !pairs.is_empty()) {
            let what = format!(
                "give `{name}` another name, so that `{name}(…)` tells the members of a pair apart"
            );
            left.push((name.span, what));
            pairs.clear();
        }
        Words {
            sources,
            trees,
            pairs,
            changes: Vec::new(),
            left,
            renamed: Vec::new(),
        }
    }

    /// Looks through the items of all files.
    pub(super) fn run(&mut self) {
        let trees = self.trees;
        for item in trees.iter().flat_map(|it| &it.items) {
            self.item(item, Role::Plain);
        }
        for tree in trees {
            self.hidden(&tree.items);
        }
    }

    fn change(&mut self, span: Span, text: impl Into<String>) {
        let text = text.into();
        self.changes.push(Change { span, text });
    }

    /// Gives the words of an edit for the members of a pair one name.
    fn formals(&mut self, head: Option<&'t Name>, formals: &'t [Name]) {
        let Some(pairs) = head.and_then(|it| self.pairs.get(it.as_str())) else {
            return;
        };
        let mut changes = Vec::new();
        let mut before = 0;
        for pair in pairs {
            let from = pair.at + before;
            let Some(of) = formals.get(from..from + pair.names.len()) else {
                continue;
            };
            before += pair.names.len() - 1;
            if let (Some(first), Some(last)) = (of.first(), of.last()) {
                changes.push((first.span.to(last.span), pair.name.clone()));
            }
            let names = members(of.iter().map(Name::as_str), &pair.name);
            self.renamed.extend(names);
        }
        for (span, text) in changes {
            self.change(span, text);
        }
    }

    fn guard(&mut self, guard: &'t Guard) {
        self.formals(guard.target.segments.first(), &guard.formals);
        guard.condition.walk(self, Role::Plain);
        guard.because.walk(self, Role::Plain);
        self.renamed.clear();
    }

    /// `except L(…)` lifts the guard with that label: `permit NAME.L(…)`.
    fn except(&mut self, item: &'t Item, guard: &'t Guard) {
        let word = Span {
            end: item.span.start + 6,
            ..item.span
        };
        if guard.target.segments.len() > 1 {
            return self.change(word, "permit");
        }
        let Some(label) = guard.target.segments.first() else {
            return;
        };
        let mut guarded = Vec::new();
        for item in self.trees.iter().flat_map(|it| &it.items) {
            labelled(item, label.as_str(), &mut guarded);
        }
        guarded.sort();
        guarded.dedup();
        if let [target] = guarded.as_slice() {
            let target = format!("{target}.{label}");
            self.change(word, "permit");
            self.change(guard.target.span, target);
        } else {
            let what = format!("say what `{label}` guards: `permit ACTION.{label} …`");
            self.left.push((item.span, what));
        }
    }

    fn alternative(&mut self, it: &'t Alternative) {
        let Some(pairs) = self.pairs.get(it.name.as_str()) else {
            return;
        };
        let mut changes = Vec::new();
        for pair in pairs {
            let is_it =
                |name: &str, it: &&ast::Arg| it.name.as_ref().is_some_and(|it| it.as_str() == name);
            let args: Vec<&ast::Arg> = pair
                .names
                .iter()
                .filter_map(|name| it.args.iter().find(|it| is_it(name, it)))
                .collect();
            let (Some(first), Some(last)) = (
                args.iter()
                    .filter_map(|it| it.name.as_ref())
                    .min_by_key(|it| it.span.start),
                args.iter().max_by_key(|it| it.value.span.end),
            ) else {
                continue;
            };
            let span = first.span.to(last.value.span);
            let values: Vec<&str> = args
                .iter()
                .map(|it| self.sources.slice(it.value.span))
                .collect();
            let length: usize = values.iter().map(|it| it.len()).sum();
            // Something else stands between them, or one of them is not said.
            if args.len() < pair.names.len() || length + 40 * args.len() < span.len() {
                let what = format!("say all of `{}: {{ … }}`", pair.name);
                self.left.push((span, what));
            } else {
                changes.push((span, format!("{}: {{ {} }}", pair.name, values.join(", "))));
            }
        }
        for (span, text) in changes {
            self.change(span, text);
        }
    }

    fn scenes(&mut self, scenes: &'t [Scene]) {
        for scene in scenes {
            match scene {
                Scene::When(it) => {
                    self.alternative(&it.play.alternative);
                    for next in &it.then {
                        self.alternative(next);
                    }
                }
                Scene::Expect(it) => match &it.kind {
                    ExpectKind::Legal(play) | ExpectKind::Illegal { play, .. } => {
                        self.alternative(&play.alternative);
                    }
                    ExpectKind::Offers { exactly, .. } => {
                        for it in exactly {
                            self.alternative(it);
                        }
                    }
                    _ => {}
                },
                Scene::Repeat { scenes, .. }
                | Scene::Each { scenes, .. }
                | Scene::Under { scenes, .. } => self.scenes(scenes),
            }
        }
    }

    /// `show x as ""`, those that follow one another as one.
    fn hidden(&mut self, items: &'t [Item]) {
        let name = |it: &'t Item| match &it.kind {
            ItemKind::Show(it) if it.template.parts.is_empty() => Some(it.name.as_str()),
            _ => None,
        };
        let mut rest = items;
        while let Some(first) = rest.iter().position(|it| name(it).is_some()) {
            let from = rest.get(first..).unwrap_or_default();
            let alike = |it: &&Item| {
                let file = from.first().map(|it| it.span.file);
                it.docs.is_empty() && Some(it.span.file) == file
            };
            let names: Vec<&str> = from.iter().take_while(alike).map_while(name).collect();
            let n_names = names.len().max(1);
            let (here, behind) = from.split_at(n_names.min(from.len()));
            rest = behind;
            if let (Some(first), Some(last)) = (here.first(), here.last()) {
                let names = if names.is_empty() {
                    name(first).into_iter().collect()
                } else {
                    names
                };
                self.change(
                    first.span.to(last.span),
                    format!("hide {}", names.join(", ")),
                );
            }
        }
    }
}

/// What stands for each member of a pair.
fn members<'t>(
    names: impl ExactSizeIterator<Item = &'t str>,
    pair: &str,
) -> Vec<(&'t str, String)> {
    let n_names = names.len();
    let of = |at: usize| match at {
        0 => format!("first({pair})"),
        _ if at + 1 == n_names => format!("last({pair})"),
        // Of three the one in the middle is neither.
        _ => format!("first({pair} - {{ first({pair}) }})"),
    };
    names.enumerate().map(|(at, name)| (name, of(at))).collect()
}

fn item_pairs<'t>(item: &'t Item, sources: &Sources, pairs: &mut BTreeMap<&'t str, Vec<Pair<'t>>>) {
    struct Actions<'t, 'w> {
        sources: &'w Sources,
        pairs: &'w mut BTreeMap<&'t str, Vec<Pair<'t>>>,
    }
    impl<'t> Visitor<'t> for Actions<'t, '_> {
        fn item(&mut self, item: &'t Item, _role: Role) {
            let ItemKind::Action(action) = &item.kind else {
                return item.kind.walk(self, Role::Plain);
            };
            let text = self.sources.slice(item.span);
            for (at, param) in action.params.iter().enumerate() {
                if param.names.len() > 1 {
                    let mut names = ["both", "pair", "these", "those"].into_iter();
                    let known = self.pairs.get(action.name.as_str());
                    let is_free = |it: &&str| {
                        let is_said = |pair: &Pair<'_>| pair.name == **it;
                        !text.contains(*it) && !known.is_some_and(|all| all.iter().any(is_said))
                    };
                    let name = names.find(is_free).unwrap_or("these_two");
                    self.pairs
                        .entry(action.name.as_str())
                        .or_default()
                        .push(Pair {
                            at,
                            names: param.names.iter().map(Name::as_str).collect(),
                            name: name.to_owned(),
                        });
                }
            }
        }
    }
    Actions { sources, pairs }.item(item, Role::Plain);
}

/// Adds what a forbid with this label guards.
fn labelled(item: &Item, label: &str, found: &mut Vec<String>) {
    struct Guards<'l> {
        label: &'l str,
        found: &'l mut Vec<String>,
    }
    impl<'t> Visitor<'t> for Guards<'_> {
        fn item(&mut self, item: &'t Item, _role: Role) {
            if let ItemKind::Edit(Edit::Forbid(guard)) = &item.kind
                && guard.label.text == self.label
            {
                self.found.push(guard.target.to_string());
            }
            item.kind.walk(self, Role::Plain);
        }
    }
    Guards { label, found }.item(item, Role::Plain);
}

impl<'t> Visitor<'t> for Words<'t, '_> {
    fn item(&mut self, item: &'t Item, _role: Role) {
        match &item.kind {
            ItemKind::Action(action) => {
                let pairs = self.pairs.get(action.name.as_str()).into_iter().flatten();
                let mut renamed = Vec::new();
                let mut changes = Vec::new();
                for pair in pairs {
                    let Some(param) = action.params.get(pair.at) else {
                        continue;
                    };
                    renamed.extend(members(pair.names.iter().copied(), &pair.name));
                    changes.extend(pair_of(param, pair, self.sources));
                }
                for (span, text) in changes {
                    self.change(span, text);
                }
                self.renamed = renamed;
                item.kind.walk(self, Role::Plain);
                self.renamed.clear();
            }
            ItemKind::Edit(Edit::Forbid(guard) | Edit::Permit(guard)) => self.guard(guard),
            ItemKind::Edit(Edit::Except(guard)) => {
                self.except(item, guard);
                self.guard(guard);
            }
            ItemKind::Setting(it) => {
                if let SettingValues::Readings(readings) = &it.values {
                    for reading in readings {
                        self.hidden(reading.edits.as_deref().unwrap_or_default());
                    }
                }
                self.hidden(it.edits.as_deref().unwrap_or_default());
                item.kind.walk(self, Role::Plain);
            }
            ItemKind::Resolve(it) => {
                self.hidden(&it.items);
                item.kind.walk(self, Role::Plain);
            }
            ItemKind::Ruling(it) => {
                self.scenes(&it.scenes);
                item.kind.walk(self, Role::Plain);
            }
            ItemKind::Edit(Edit::Add(Add::Alternatives { alternatives, .. })) => {
                for it in alternatives {
                    self.alternative(it);
                }
                item.kind.walk(self, Role::Plain);
            }
            _ => item.kind.walk(self, Role::Plain),
        }
    }

    fn expr(&mut self, expr: &'t Expr, role: Role) {
        match &expr.kind {
            ExprKind::Bool(true) if role == Role::Plain => self.where_true(expr),
            ExprKind::Can { alternatives, .. } => {
                for it in alternatives {
                    self.alternative(it);
                }
            }
            _ => {}
        }
        expr.kind.walk(self, Role::Plain);
    }

    fn statement(&mut self, statement: &'t Statement) {
        match &statement.kind {
            StatementKind::Choose(ast::Choose {
                among: Among::Alternatives(all),
                ..
            }) => {
                for it in all {
                    self.alternative(it);
                }
            }
            StatementKind::Window { slots, .. } => {
                for it in slots.iter().flat_map(|it| &it.alternatives) {
                    self.alternative(it);
                }
            }
            _ => {}
        }
        statement.kind.walk(self, Role::Plain);
    }

    fn name(&mut self, name: &'t Name, used_as: Use) {
        if used_as == Use::Value {
            let renamed = self.renamed.iter().find(|it| it.0 == name.as_str());
            if let Some((_, text)) = renamed.cloned() {
                self.change(name.span, text);
            }
        }
    }
}

/// `x & y in S` is `both in 2 of S`.
fn pair_of(param: &Param, pair: &Pair<'_>, sources: &Sources) -> Option<(Span, String)> {
    let ast::ParamDomain::Set(set) = &param.domain else {
        return None;
    };
    let (first, last) = (param.names.first()?, param.names.last()?);
    let between = sources.slice(Span {
        start: last.span.end,
        end: set.span.start,
        ..param.span
    });
    let span = first.span.to(Span {
        end: set.span.start,
        ..last.span
    });
    let n_names = pair.names.len();
    let between = between.trim_end();
    Some((span, format!("{}{between} {n_names} of ", pair.name)))
}

impl<'t> Words<'t, '_> {
    /// A condition that always holds.
    fn where_true(&mut self, expr: &'t Expr) {
        let before = self.sources.slice(Span {
            start: 0,
            end: expr.span.start,
            ..expr.span
        });
        let Some(rest) = before.trim_end().strip_suffix("where") else {
            return;
        };
        let start = u32::try_from(rest.trim_end().len()).unwrap_or(expr.span.start);
        self.change(Span { start, ..expr.span }, "");
    }
}

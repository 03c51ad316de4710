//! Words that the language says otherwise now: members of a pair, and things that are not drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::plan;
use super::write::Change;
use crate::source::{Sources, Span};
use crate::syntax::ast::{
    self, Add, Alternative, Among, Binds, Edit, ExpectKind, Expr, ExprKind, File, Guard, Item,
    ItemKind, Name, Param, Role, Scene, SettingValues, Statement, StatementKind, Tree, Use,
    Visitor,
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
    /// The kinds of values, which nobody hides.
    kinds: BTreeSet<&'t str>,
    /// What each `forbid` is about, by its label.
    labels: BTreeMap<&'t str, &'t str>,
    pub changes: Vec<Change>,
    /// What has to be said by hand.
    pub left: Vec<(Span, String)>,
    /// The names that are known here; of the members of a pair with what stands for them.
    known: Vec<(&'t str, Option<String>)>,
    marks: Vec<usize>,
}

impl<'t, 'w> Words<'t, 'w> {
    pub(super) fn new(trees: &'t [File], sources: &'w Sources) -> Words<'t, 'w> {
        let text = |span: Span| sources.get(span.file).map_or("", |it| &it.text).to_owned();
        let mut declared = Declared {
            words: plan::words(trees, text),
            pairs: BTreeMap::new(),
            kinds: BTreeSet::new(),
            labels: BTreeMap::new(),
            hiding: None,
        };
        for item in trees.iter().flat_map(|it| &it.items) {
            declared.item(item, Role::Plain);
        }
        let Declared {
            mut pairs,
            kinds,
            labels,
            ..
        } = declared;
        let mut left = Vec::new();
        if let Some(name) = declared.hiding.filter(|_| !pairs.is_empty()) {
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
            kinds,
            labels,
            changes: Vec::new(),
            left,
            known: Vec::new(),
            marks: Vec::new(),
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

    /// The pairs of an action, or of the one that a `forbid` with this label is about.
    fn pairs_of(&self, name: &str) -> Option<&Vec<Pair<'t>>> {
        let by_label = || self.pairs.get(*self.labels.get(name)?);
        self.pairs.get(name).or_else(by_label)
    }

    /// Gives the words of an edit for the members of a pair one name.
    fn formals(&mut self, head: Option<&'t Name>, formals: &'t [Name]) {
        let Some(pairs) = head.and_then(|it| self.pairs_of(it.as_str())) else {
            return;
        };
        let mut changes = Vec::new();
        let mut known = Vec::new();
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
            let names: Vec<&str> = of.iter().map(Name::as_str).collect();
            known.extend(members(&names, &pair.name));
        }
        self.known.extend(known);
        for (span, text) in changes {
            self.change(span, text);
        }
    }

    /// Knows the members of pairs where an edit knows the parameters of an action.
    fn know_members(&mut self, head: Option<&'t Name>) {
        let pairs = head.and_then(|it| self.pairs_of(it.as_str()));
        let known = pairs
            .into_iter()
            .flatten()
            .flat_map(|it| members(&it.names, &it.name));
        let known: Vec<_> = known.collect();
        self.known.extend(known);
    }

    fn guard(&mut self, guard: &'t Guard) {
        self.formals(guard.target.segments.first(), &guard.formals);
        guard.condition.walk(self, Role::Plain);
        guard.because.walk(self, Role::Plain);
        self.known.clear();
    }

    fn alternative(&mut self, it: &'t Alternative) {
        let Some(pairs) = self.pairs.get(it.name.as_str()) else {
            return;
        };
        let mut changes = Vec::new();
        let mut left = Vec::new();
        let mut before = 0;
        for pair in pairs {
            let from = pair.at + before;
            before += pair.names.len() - 1;
            let is_it = |(at, arg): &(usize, &ast::Arg)| match &arg.name {
                Some(name) => pair.names.contains(&name.as_str()),
                None => (from..from + pair.names.len()).contains(at),
            };
            let args: Vec<(usize, &ast::Arg)> = it.args.iter().enumerate().filter(is_it).collect();
            let (Some((first, one)), Some((last, other))) = (args.first(), args.last()) else {
                continue;
            };
            // Something else stands between them, or one of them is not said.
            if args.len() < pair.names.len() || last - first + 1 > args.len() {
                let what = format!("say all of `{}: {{ … }}`", pair.name);
                left.push((one.value.span, what));
                continue;
            }
            for (at, arg) in &args {
                let name = arg.name.as_ref().map(|it| it.span);
                let span = name
                    .unwrap_or(arg.value.span)
                    .to(arg.value.span.start_point());
                let text = match (at == first, name) {
                    (true, Some(_)) => format!("{}: {{ ", pair.name),
                    (true, None) => "{ ".to_owned(),
                    (false, _) => String::new(),
                };
                changes.push(Change { span, text });
            }
            changes.push(Change {
                span: other.value.span.end_point(),
                text: " }".to_owned(),
            });
        }
        self.changes.extend(changes);
        self.left.extend(left);
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

    fn hidden_in(&mut self, readings: &'t [ast::Reading]) {
        for reading in readings {
            self.hidden(reading.edits.as_deref().unwrap_or_default());
        }
    }

    /// `show x as ""`, those that follow one another as one.
    fn hidden(&mut self, items: &'t [Arc<Item>]) {
        let mut rest = items;
        while let Some((first, behind)) = rest.split_first() {
            rest = behind;
            let Some(show) = self.shown_as_nothing(first) else {
                continue;
            };
            let mut names = vec![show.name.as_str()];
            let mut end = first.span;
            while let Some((next, behind)) = rest.split_first()
                && let Some(show) = self.shown_as_nothing(next)
                && next.docs.is_empty()
                && [first, next]
                    .iter()
                    .all(|it| it.tail == ast::Tail::default())
                && self.is_blank_between(end, next.span)
            {
                rest = behind;
                let gap = end.end_point().to(next.span);
                self.change(gap, "");
                names.push(show.name.as_str());
                end = next.span;
            }
            let said = first.span.start_point().to(show.template.span);
            self.change(said, format!("hide {}", names.join(", ")));
        }
    }

    fn shown_as_nothing(&self, item: &'t Item) -> Option<&'t ast::ShowDecl> {
        match &item.kind {
            ItemKind::Show(it) if it.template.parts.is_empty() => {
                (!self.kinds.contains(it.name.as_str())).then_some(it)
            }
            _ => None,
        }
    }

    fn is_blank_between(&self, one: Span, next: Span) -> bool {
        one.file == next.file
            && one.end <= next.start
            && self
                .sources
                .slice(one.end_point().to(next.start_point()))
                .trim()
                .is_empty()
    }
}

/// What stands for each member of a pair.
fn members<'t>(names: &[&'t str], pair: &str) -> Vec<(&'t str, Option<String>)> {
    let of = |at: usize| match at {
        0 => format!("first({pair})"),
        _ if at + 1 == names.len() => format!("last({pair})"),
        // Of three the one in the middle is neither.
        _ => format!("first({pair} - {{ first({pair}) }})"),
    };
    let names = names.iter().enumerate();
    names.map(|(at, name)| (*name, Some(of(at)))).collect()
}

/// What is looked for in all rules first.
struct Declared<'t> {
    /// All words that are said.
    words: BTreeSet<String>,
    pairs: BTreeMap<&'t str, Vec<Pair<'t>>>,
    kinds: BTreeSet<&'t str>,
    labels: BTreeMap<&'t str, &'t str>,
    /// What is called like the words that tell members apart.
    hiding: Option<&'t Name>,
}

impl<'t> Visitor<'t> for Declared<'t> {
    fn item(&mut self, item: &'t Item, _role: Role) {
        let name = item.kind.name();
        let is_hiding = |it: &&Name| matches!(it.as_str(), "first" | "last");
        self.hiding = self.hiding.or(name.filter(is_hiding));
        match &item.kind {
            ItemKind::Enum(_)
            | ItemKind::Record(_)
            | ItemKind::Component(_)
            | ItemKind::Space(_) => self.kinds.extend(name.map(Name::as_str)),
            ItemKind::Action(action) => {
                let pairs = self.pairs.entry(action.name.as_str()).or_default();
                for (at, param) in action.params.iter().enumerate() {
                    if param.names.len() < 2 || pairs.iter().any(|it| it.at == at) {
                        continue;
                    }
                    let mut names = ["both", "pair", "these", "those"].into_iter();
                    let is_free = |it: &&str| {
                        !self.words.contains(*it) && !pairs.iter().any(|pair| pair.name == **it)
                    };
                    pairs.push(Pair {
                        at,
                        names: param.names.iter().map(Name::as_str).collect(),
                        name: names.find(is_free).unwrap_or("these_two").to_owned(),
                    });
                }
                if pairs.is_empty() {
                    self.pairs.remove(action.name.as_str());
                }
            }
            ItemKind::Edit(Edit::Forbid(guard)) => {
                let head = guard.target.segments.first();
                let head = head.map(|it| (guard.label.as_str(), it.as_str()));
                self.labels.extend(head);
            }
            _ => item.kind.walk(self, Role::Plain),
        }
    }
}

impl<'t> Visitor<'t> for Words<'t, '_> {
    fn item(&mut self, item: &'t Item, _role: Role) {
        match &item.kind {
            ItemKind::Action(action) => {
                let pairs = self.pairs.get(action.name.as_str()).into_iter().flatten();
                let changed = pairs.filter_map(|pair| {
                    let param = action.params.get(pair.at)?;
                    pair_of(param, pair, self.sources)
                });
                let changed: Vec<Change> = changed.collect();
                self.changes.extend(changed);
                self.know_members(Some(&action.name));
                item.kind.walk(self, Role::Plain);
                self.known.clear();
            }
            ItemKind::Edit(Edit::Forbid(it) | Edit::Permit(it) | Edit::Except(it)) => {
                self.guard(it);
            }
            ItemKind::Edit(
                Edit::Replace(ast::Replace::Value { path, .. } | ast::Replace::Body { path, .. })
                | Edit::Insert { path, .. },
            ) => {
                self.know_members(path.segments.first());
                item.kind.walk(self, Role::Plain);
                self.known.clear();
            }
            ItemKind::Setting(it) => {
                if let SettingValues::Readings(readings) = &it.values {
                    self.hidden_in(readings);
                }
                self.hidden(it.edits.as_deref().unwrap_or_default());
                item.kind.walk(self, Role::Plain);
            }
            ItemKind::Edit(Edit::Add(Add::Readings { readings, .. })) => {
                self.hidden_in(readings);
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

    fn expr(&mut self, expr: &'t Expr, _role: Role) {
        if let ExprKind::Can { alternatives, .. } = &expr.kind {
            for it in alternatives {
                self.alternative(it);
            }
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
            let known = self.known.iter().rfind(|it| it.0 == name.as_str());
            if let Some((_, Some(text))) = known.cloned() {
                self.change(name.span, text);
            }
        }
    }

    fn bind(&mut self, name: &'t Name, binds: Binds) {
        if !matches!(binds, Binds::Param | Binds::Formal) {
            self.known.push((name.as_str(), None));
        }
    }

    fn enter(&mut self, _again: bool) {
        self.marks.push(self.known.len());
    }

    fn leave(&mut self) {
        let from = self.marks.pop().unwrap_or(0);
        self.known.truncate(from);
    }
}

/// `x & y in S` is `both in 2 of S`.
fn pair_of(param: &Param, pair: &Pair<'_>, sources: &Sources) -> Option<Change> {
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
    let text = format!("{}{between} {n_names} of ", pair.name);
    Some(Change { span, text })
}

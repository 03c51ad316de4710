use std::sync::Arc;

use crate::compose::compose;
use crate::diagnostic::{Diagnostic, codes};
use crate::lint::says::{Says, implies};
use crate::lint::terms::MOST_COMPARED;
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{
    self, Block, Call, Edit, Expr, ExprKind, ExtendOp, Guard, HeaderKind, History, Item, ItemKind,
    Name, Path, Replace, Role, Seats, SettingValues, Side, Statement, StatementKind, Tree, Visitor,
};

pub(super) const LINT: Lint = Lint {
    code: codes::IDLE_EDIT,
    run,
};

/// Edits after which all is as it was: what they put in stands there already, or they put in nothing.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for placed in &context.index.items {
        if let ItemKind::Edit(edit) = &placed.item.kind {
            found.extend(idle_guard(context, edit));
        }
    }
    for file in context.book.files {
        if let Some(header) = &file.header
            && matches!(header.kind, HeaderKind::Amendment { .. })
            && file.items.is_empty()
            && header.seats.as_ref().is_none_or(|it| are_seated(context, it))
            && header.history.as_ref().is_none_or(|it| is_remembered(context, it))
            // A remark may say what is still to be written.
            && file.comments.is_empty()
        {
            let message = format!("`{}` changes nothing", header.name);
            found.push(
                Diagnostic::at(codes::IDLE_EDIT, header.name.span, message)
                    .help("write an edit: `adit outline` lists what can be changed, and how"),
            );
        }
    }
    let edits = context.index.items.iter().filter_map(|placed| {
        let ItemKind::Edit(edit) = &placed.item.kind else {
            return None;
        };
        // What is cited anew stands for something else.
        let tail = match edit {
            Edit::Replace(Replace::Item(item)) => &item.tail,
            _ => &placed.item.tail,
        };
        if !tail.cites.is_empty() {
            return None;
        }
        Some((placed.item.span, edit, edit.head()?.as_str()))
    });
    let edits: Vec<(Span, &Edit, &str)> = edits.collect();
    for (span, edit, name) in &edits {
        // Where another file changes it too, this may put it back.
        let is_elsewhere = |(at, _, of): &(Span, &Edit, &str)| of == name && at.file != span.file;
        let is_kept = keeps(edit, context, name) || is_same_without(edit, *span, context);
        if is_kept && !is_worded_otherwise(edit, context) {
            let finding = Diagnostic::new(codes::IDLE_EDIT, "this edit changes nothing");
            found.push(
                finding
                    .label(*span, "what was there stays as it is")
                    .help("write what is different, or remove the edit"),
            );
            continue;
        }
        let Some(declared) = context.index.declared(name) else {
            continue;
        };
        let others = edits.iter().filter(|it| it.2 == *name);
        let mut others = others.map(|(_, edit, _)| edit);
        if let Edit::Insert {
            side: Side::After,
            path,
            ..
        } = edit
            && others.all(|it| matches!(it, Edit::Insert { .. }))
            && let Some(end) = ending_in(context, path, declared)
        {
            let message = "what is put in here never happens";
            found.push(
                Diagnostic::at(codes::IDLE_EDIT, *span, message)
                    .label(end, "the game is over before that")
                    .help(format!("`insert before {path}` happens while it goes on")),
            );
            continue;
        }
        if !edits.iter().any(is_elsewhere) && is_idle(context, edit, declared) {
            let finding = Diagnostic::new(codes::IDLE_EDIT, "this edit changes nothing");
            let finding = finding.label(*span, "");
            let finding = match edit {
                Edit::Insert { .. } => finding,
                _ => finding.label(declared.span, "so it stands here already"),
            };
            found.push(finding.help("write what is different, or remove the edit"));
        }
    }
}

/// Where the game always ends in what an address stands for, if it does.
fn ending_in(context: &Context<'_>, path: &Path, declared: &Item) -> Option<Span> {
    match path.segments.as_slice() {
        [_] => match &declared.kind {
            ItemKind::Event(it) => ends(context, &it.body, MOST_CALLS),
            _ => None,
        },
        [_, step] => {
            let ItemKind::Flow(flow) = &declared.kind else {
                return None;
            };
            let mut steps = flow.body.statements.iter();
            steps.find_map(|it| match &it.kind {
                StatementKind::Step { name, body, .. } if name == step => {
                    ends(context, body, MOST_CALLS)
                }
                _ => None,
            })
        }
        _ => None,
    }
}

/// Calls that are followed to an end.
const MOST_CALLS: u8 = 4;

/// Where a block always ends the game, if it does: what it does at its own level, and the events that it calls there.
fn ends(context: &Context<'_>, block: &Block, calls: u8) -> Option<Span> {
    for it in &block.statements {
        let inside = match &it.kind {
            StatementKind::End(_) => return Some(it.span),
            StatementKind::Step { body, .. } => ends(context, body, calls),
            StatementKind::Call(call) if calls > 0 => {
                let event = context.index.declared(call.name.as_str());
                let is_edited = context.index.edited.contains(call.name.as_str());
                match event.map(|it| &it.kind) {
                    Some(ItemKind::Event(event)) if !is_edited => {
                        ends(context, &event.body, calls - 1)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        if inside.is_some() {
            return inside;
        }
        let mut leaves = Leaves(false);
        leaves.statement(it);
        if leaves.0 {
            return None;
        }
    }
    None
}

/// Whether something may leave what it stands in before its end.
struct Leaves(bool);

impl<'t> Visitor<'t> for Leaves {
    fn statement(&mut self, it: &'t Statement) {
        self.0 |= matches!(
            it.kind,
            StatementKind::Return(_) | StatementKind::Next | StatementKind::Again
        );
        it.kind.walk(self, Role::Plain);
    }
}

/// Whether the rulebook is for the same seats without an amendment.
fn are_seated(context: &Context<'_>, wanted: &Seats) -> bool {
    let base = context.headers().next().and_then(|it| it.seats.as_ref());
    base == Some(wanted)
}

/// Whether the rulebook remembers as much without an amendment.
fn is_remembered(context: &Context<'_>, wanted: &History) -> bool {
    let base = context.headers().next().and_then(|it| it.history.as_ref());
    base.is_some_and(|it| it.of == wanted.of && it.most.value >= wanted.most.value)
}

/// Whether it gives a condition other words, or takes those that it has.
fn is_worded_otherwise(edit: &Edit, context: &Context<'_>) -> bool {
    let Edit::Replace(Replace::Value { path, message, .. }) = edit else {
        return false;
    };
    let [action, label] = path.segments.as_slice() else {
        return false;
    };
    let declared = context.index.declared(action.as_str());
    let Some(ItemKind::Action(action)) = declared.map(|it| &it.kind) else {
        return false;
    };
    let mut requires = action.requires.iter();
    requires.any(|it| it.label == *label && it.message != *message)
}

/// Whether it puts what was there in its own place, or adds nothing to it.
fn keeps(edit: &Edit, context: &Context<'_>, name: &str) -> bool {
    let params = context.index.declared(name).and_then(|it| it.kind.params());
    let names: Vec<&Name> = params
        .unwrap_or_default()
        .iter()
        .flat_map(|it| &it.names)
        .collect();
    let is_base = |call: &Call| {
        call.name == "base"
            && call.args.len() == names.len()
            && call.args.iter().zip(&names).all(|(arg, name)| {
                arg.name.is_none() && matches!(&arg.value.kind, ExprKind::Name(it) if it == *name)
            })
    };
    match edit {
        Edit::Replace(Replace::Value { value, .. }) => match &value.kind {
            ExprKind::Call(call) => is_base(call),
            ExprKind::Name(name) => *name == "base",
            _ => false,
        },
        Edit::Replace(Replace::Item(item)) => match &item.kind {
            ItemKind::Define(it) => match &it.value.kind {
                ExprKind::Call(call) => item.kind.params() == params && is_base(call),
                ExprKind::Name(name) => *name == "base" && names.is_empty(),
                _ => false,
            },
            _ => false,
        },
        Edit::Replace(Replace::Body { body, .. }) => match body.statements.as_slice() {
            [only] => matches!(&only.kind, StatementKind::Call(call) if is_base(call)),
            _ => false,
        },
        Edit::Extend { op, value, .. } => match (op, &value.kind) {
            (ExtendOp::And, ExprKind::Bool(truth)) => *truth,
            (ExtendOp::Or, ExprKind::Bool(truth)) => !truth,
            (ExtendOp::Plus, ExprKind::Number(number)) => *number == 0,
            (ExtendOp::Plus, ExprKind::Set(members)) => members.is_empty(),
            _ => false,
        },
        _ => false,
    }
}

fn is_idle(context: &Context<'_>, edit: &Edit, declared: &Item) -> bool {
    let is_whole = |path: &Path| path.segments.len() == 1;
    match edit {
        Edit::Insert { body, .. } => body.statements.is_empty(),
        Edit::Replace(Replace::Value { path, value, .. }) if is_whole(path) => match &declared.kind
        {
            ItemKind::Define(it) => it.value == *value,
            _ => false,
        },
        Edit::Replace(Replace::Body { path, body }) if is_whole(path) => match &declared.kind {
            ItemKind::Event(it) => it.body == *body,
            ItemKind::Flow(it) => it.body == *body,
            _ => false,
        },
        Edit::Replace(Replace::Item(item)) => item.kind == declared.kind,
        // What holds only where the definition does adds nothing to it.
        Edit::Extend {
            formals, op, value, ..
        } => match &declared.kind {
            ItemKind::Define(it)
                if formals.iter().eq(it.params.iter().flat_map(|it| &it.names)) =>
            {
                let says = |it| context.says(it, true);
                match op {
                    ExtendOp::Or => implies(&says(value), &says(&it.value)),
                    ExtendOp::And => implies(&says(&it.value), &says(value)),
                    ExtendOp::Plus => false,
                }
            }
            _ => false,
        },
        _ => false,
    }
}

/// A `permit` that always lifts what the same file forbids: neither does anything.
fn lifts_own(context: &Context<'_>, guard: &Guard) -> Option<Diagnostic> {
    let label = guard.target.segments.get(1)?;
    let mut items = context.index.items.iter();
    let forbids = items.find_map(|placed| match &placed.item.kind {
        ItemKind::Edit(Edit::Forbid(it)) => {
            let is_it = it.label == *label
                && it.target.segments.first() == guard.target.segments.first()
                && it.label.span.file == guard.label.span.file;
            is_it.then_some(it)
        }
        _ => None,
    })?;
    let message = format!("`{}` lifts all that `{label}` ever forbids", guard.label);
    let help = "say with `when` in which case it is lifted, or remove both";
    Some(
        Diagnostic::at(codes::IDLE_EDIT, guard.label.span, message)
            .label(forbids.label.span, "so this forbids nothing")
            .help(help),
    )
}

/// Whether a guard stands in a file by itself, so that it holds wherever others of that file do.
fn placed_alone(context: &Context<'_>, guard: &Guard) -> bool {
    let mut items = context.book.files.iter().flat_map(|it| &it.items);
    items.any(|it| match &it.kind {
        ItemKind::Edit(Edit::Permit(it) | Edit::Except(it)) => std::ptr::eq(it, guard),
        _ => false,
    })
}

/// Whether the rules mean the same without an edit of an amendment. They are composed again only where it may be so: where what it
/// puts in is written in what it changes.
fn is_same_without(edit: &Edit, span: Span, context: &Context<'_>) -> bool {
    let Some((base, amendments)) = context.book.files.split_first() else {
        return false;
    };
    let Some(composed) = context.book.composed else {
        return false;
    };
    let is_it = |it: &&Arc<Item>| it.span.same_place(span);
    let Some(own) = amendments
        .iter()
        .position(|it| it.items.iter().any(|it| is_it(&it)))
    else {
        return false;
    };
    let declared = edit
        .head()
        .and_then(|it| context.index.declared(it.as_str()));
    if !declared.is_some_and(|declared| may_be_there(context, edit, declared)) {
        return false;
    }
    let without = |(at, file): (usize, &&ast::File)| {
        let mut file = (*file).clone();
        if at == own {
            file.items.retain(|it| !is_it(&it));
        }
        file
    };
    let amendments: Vec<ast::File> = amendments.iter().enumerate().map(without).collect();
    let amendments: Vec<&ast::File> = amendments.iter().collect();
    let (other, _) = compose(base, &amendments, &[]);
    other.is_some_and(|it| it.hash == composed.hash)
}

/// Whether what an edit puts in is written somewhere in what it changes.
fn may_be_there(context: &Context<'_>, edit: &Edit, declared: &Item) -> bool {
    let inside = |span: Span| declared.span.holds(span);
    match edit {
        Edit::Set { value, .. } => match &declared.kind {
            ItemKind::Setting(it) => match &it.values {
                SettingValues::Typed { default, .. } => default == value,
                SettingValues::Readings(readings) => readings.iter().any(|it| {
                    it.default && matches!(&value.kind, ExprKind::Name(name) if *name == it.name)
                }),
            },
            _ => false,
        },
        // Words that are new are a difference for who reads them.
        Edit::Replace(Replace::Value {
            value,
            message: None,
            ..
        }) => {
            let mut exprs = context.index.exprs.iter();
            let in_table = matches!(declared.kind, ItemKind::Table(_));
            in_table || exprs.any(|it| inside(it.expr.span) && it.expr == value)
        }
        Edit::Replace(Replace::Body { body, .. }) => {
            let mut found = Blocks {
                wanted: body,
                found: false,
            };
            declared.kind.walk(&mut found, Role::Plain);
            found.found
        }
        Edit::Insert { body, .. } => body.statements.is_empty(),
        _ => false,
    }
}

/// Looks for a block.
struct Blocks<'b> {
    wanted: &'b Block,
    found: bool,
}

impl<'t> Visitor<'t> for Blocks<'_> {
    fn block(&mut self, block: &'t Block, role: Role) {
        self.found |= block == self.wanted;
        block.parts(self, role);
    }
}

/// A `permit` or an `except` where nothing forbids, and a `forbid` of what is refused already: what it names says the opposite of
/// its own condition. Where another edit changes the clause too, that may be meant.
fn idle_guard(context: &Context<'_>, edit: &Edit) -> Option<Diagnostic> {
    let (guard, opens) = match edit {
        Edit::Forbid(it) => (it, false),
        Edit::Permit(it) | Edit::Except(it) => (it, true),
        _ => return None,
    };
    let name = guard.target.segments.first()?;
    let own = context.says(&guard.condition, true);
    if own.is_settled() {
        return match implies(&Says::All(Vec::new()), &own) {
            true if opens => lifts_own(context, guard),
            _ => None,
        };
    }
    let mut clauses: Vec<(&Name, &Expr, bool)> = Vec::new();
    for placed in &context.index.items {
        match &placed.item.kind {
            ItemKind::Action(it) if it.name == *name => {
                let names = || it.params.iter().flat_map(|it| &it.names);
                if guard.formals.iter().eq(names()) {
                    let requires = it.requires.iter().take(MOST_COMPARED);
                    clauses.extend(requires.map(|it| (&it.label, &it.condition, true)));
                }
            }
            ItemKind::Edit(Edit::Forbid(it)) => {
                let is_same = it.target.segments.first() == Some(name)
                    && it.formals == guard.formals
                    && it.label != guard.label;
                clauses.extend((opens && is_same).then_some((&it.label, &it.condition, false)));
            }
            // Another one that lifts the same lifts this as well.
            ItemKind::Edit(Edit::Permit(it) | Edit::Except(it))
                if opens && it.target == guard.target && it.formals == guard.formals =>
            {
                let is_first = std::ptr::eq(it, guard);
                let covers = !is_first && implies(&own, &context.says(&it.condition, true));
                let by_it = covers && implies(&context.says(&it.condition, true), &own);
                let is_later = it.label.span.start < guard.label.span.start;
                if covers && placed_alone(context, it) && (!by_it || is_later) {
                    let message = format!(
                        "`{}` lifts nothing that `{}` does not lift",
                        guard.label, it.label
                    );
                    return Some(
                        Diagnostic::at(codes::IDLE_EDIT, guard.condition.span, message)
                            .label(it.condition.span, "where that holds, this does")
                            .help("ask what was meant, or remove the edit"),
                    );
                }
            }
            // Whoever lifts or changes a clause leaves room for what says it again.
            ItemKind::Edit(other)
                if other.head() == Some(name)
                    && !std::ptr::eq(other, edit)
                    && !matches!(other, Edit::Insert { .. }) =>
            {
                return None;
            }
            _ => {}
        }
    }
    let label = guard.target.segments.get(1);
    if opens && let Some(label) = label {
        let mut lifted = clauses.iter().filter(|it| it.0 == label);
        let whole = lifted.find(|it| implies(&context.says(it.1, !it.2), &own));
        if let Some((_, condition, _)) = whole {
            let message = format!("`{}` lifts all that `{label}` ever forbids", guard.label);
            return Some(
                Diagnostic::at(codes::IDLE_EDIT, guard.condition.span, message)
                    .label(condition.span, "so this forbids nothing")
                    .help(format!(
                        "`remove {}` says that, or ask what was meant",
                        guard.target
                    )),
            );
        }
    }
    let (clause, condition, _) = clauses.into_iter().find(|(clause, condition, requires)| {
        if opens {
            let is_met = context.says(condition, *requires);
            Some(*clause) == label && implies(&own, &is_met)
        } else {
            implies(&own, &context.says(condition, false))
        }
    })?;
    let (message, why) = if opens {
        (
            format!(
                "`{}` lifts nothing: where it holds, `{clause}` forbids nothing",
                guard.label
            ),
            "there this forbids nothing",
        )
    } else {
        (
            format!("what `{}` forbids, `{clause}` refuses already", guard.label),
            "this refuses it",
        )
    };
    Some(
        Diagnostic::at(codes::IDLE_EDIT, guard.condition.span, message)
            .label(condition.span, why)
            .help("ask what was meant, or remove the edit"),
    )
}

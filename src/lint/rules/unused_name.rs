use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Role;
use crate::lint::{Context, Lint, words};
use crate::syntax::ast::{ItemKind, Name, SettingValues};

pub(super) const LINT: Lint = Lint {
    code: codes::UNUSED_NAME,
    run,
};

/// How a name is used outside its own item.
#[derive(Clone, Copy, Default)]
struct Used {
    read: bool,
    written: bool,
    /// Read or called by something else than a ruling.
    in_rules: bool,
}

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let used = used(context);
    let items = context.index.items.iter().map(|it| &it.item.kind);
    let shown: HashSet<&str> = items
        .filter_map(|kind| match kind {
            ItemKind::Show(show) => Some(show),
            _ => None,
        })
        .flat_map(|show| {
            let side = show.side.as_ref().map(|it| it.name.as_str());
            side.into_iter().chain([show.name.as_str()])
        })
        .collect();
    let items = context.index.items.iter().map(|it| &it.item.kind);
    let begun_with: HashSet<&str> = items.filter_map(begins_with).collect();
    // What is remembered of positions tells them apart.
    let items = context.index.items.iter().map(|it| &it.item.kind);
    let histories = items.filter_map(|kind| match kind {
        ItemKind::History(it) => Some(it),
        _ => None,
    });
    let headers = context.headers().filter_map(|it| it.history.as_ref());
    let remembered: HashSet<&str> = headers
        .chain(histories)
        .flat_map(|it| it.of.iter().map(Name::as_str))
        .collect();
    for (_, item, name) in context.index.declarations() {
        let mut used = used.get(name.as_str()).copied().unwrap_or_default();
        used.read |= begun_with.contains(name.as_str()) || remembered.contains(name.as_str());
        if context.index.edited.contains(name.as_str()) {
            continue;
        }
        // A value worked out or kept for the table alone, or a legend beside it; a thing that is only shown does nothing.
        let is_for_readers = matches!(item.kind, ItemKind::Define(_) | ItemKind::Table(_));
        let is_for_readers =
            is_for_readers || used.written && matches!(item.kind, ItemKind::Track(_));
        if is_for_readers && shown.contains(name.as_str()) {
            continue;
        }
        if let Some((message, help)) = judge(&item.kind, name, used) {
            found.push(Diagnostic::at(codes::UNUSED_NAME, name.span, message).help(help));
        }
    }
}

fn used<'a>(context: &Context<'a>) -> HashMap<&'a str, Used> {
    let mut all: HashMap<&str, Used> = HashMap::default();
    let index = &context.index;
    for it in &index.uses {
        let own = index.item(it.item).and_then(|item| item.kind.name());
        if own.is_some_and(|own| own == it.name) {
            continue;
        }
        let used = all.entry(it.name.as_str()).or_default();
        let in_ruling = index.in_ruling(it.item);
        match it.role {
            Role::Written => used.written |= !in_ruling,
            Role::Read | Role::Called => {
                used.read = true;
                used.in_rules |= !in_ruling;
            }
        }
    }
    all
}

/// The position that a ruling, a study or another position begins with.
fn begins_with(kind: &ItemKind) -> Option<&str> {
    let given = match kind {
        ItemKind::Ruling(it) => it.given.as_ref()?,
        ItemKind::Study(it) => it.given.as_ref()?,
        ItemKind::Position(it) => &it.given,
        _ => return None,
    };
    given.base.as_ref().map(Name::as_str)
}

fn judge(kind: &ItemKind, name: &Name, used: Used) -> Option<(String, &'static str)> {
    let word = words::noun(kind);
    match kind {
        ItemKind::Flow(_) if name == "main" => None,
        ItemKind::Flow(_) => (!used.in_rules).then(|| {
            (
                format!("nothing goes on with the flow `{name}`"),
                "call it where it belongs, or remove it",
            )
        }),
        ItemKind::Action(_) => (!used.in_rules).then(|| {
            (
                format!("no choice offers the action `{name}`"),
                "name it in a `choose` or a `window`, or remove it",
            )
        }),
        ItemKind::Ending(_) => (!used.in_rules).then(|| {
            (
                format!("no `end` leads to the ending `{name}`"),
                "write `end` where the game is over in this way, or remove it",
            )
        }),
        // Edits behind a reading need nobody who asks for it.
        ItemKind::Setting(it) => (!used.in_rules && it.all_edits().next().is_none()).then(|| {
            (
                format!("no rule asks the {word} `{name}`"),
                match it.values {
                    SettingValues::Readings(_) => {
                        "say in the blocks of its readings what is different under them, or remove it"
                    }
                    SettingValues::Typed { .. } => "use it in a rule, or remove it",
                },
            )
        }),
        ItemKind::Track(_) if used.written && !used.read => Some((
            format!("the track `{name}` gets values that nothing asks for"),
            "use it in a rule, or remove it",
        )),
        ItemKind::Enum(_)
        | ItemKind::Record(_)
        | ItemKind::Component(_)
        | ItemKind::Space(_)
        | ItemKind::Zone(_)
        | ItemKind::Track(_)
        | ItemKind::Table(_)
        | ItemKind::Define(_)
        | ItemKind::Event(_)
        | ItemKind::Position(_) => (!used.read).then(|| {
            (
                format!("nothing uses the {word} `{name}`"),
                "use it in a rule, or remove it",
            )
        }),
        ItemKind::Supply(_)
        | ItemKind::Invariant(_)
            | ItemKind::Measure(_)
        | ItemKind::Show(_)
        | ItemKind::Hide(_)
        | ItemKind::History(_)
        | ItemKind::Picture(_)
        | ItemKind::Aside(_)
        | ItemKind::Sentences(_)
        | ItemKind::Ruling(_)
        | ItemKind::Study(_)
        | ItemKind::Edit(_)
        | ItemKind::Relation(_)
        | ItemKind::Resolve(_) => None,
    }
}

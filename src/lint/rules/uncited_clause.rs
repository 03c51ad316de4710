use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint, words};
use crate::source::{FileId, Span};
use crate::syntax::ast::{
    Authority, Cite, Cited, Edit, File, HeaderKind, Item, ItemKind, Replace, SettingValues, Tail,
};

pub(super) const LINT: Lint = Lint {
    code: codes::UNCITED_CLAUSE,
    run,
};

/// Where no printed rulebook is named there is nothing to cite.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let headers = context.headers();
    if headers.flat_map(|header| &header.sources).next().is_none() {
        return;
    }
    let at_home: HashSet<FileId> = context.book.files.iter().flat_map(|it| house(it)).collect();
    // What stands behind a reading says what its question cites, and so it is with a resolution.
    let cited = context.index.items.iter().map(|it| it.item);
    let behind = cited.filter(|it| is_cited(it)).flat_map(edits_of);
    // Spans are equal wherever they are.
    let place = |it: &Item| (it.span.file, it.span.start, it.span.end);
    let behind: HashSet<_> = behind.map(place).collect();
    for placed in &context.index.items {
        let item = placed.item;
        if behind.contains(&place(item)) || at_home.contains(&item.span.file) {
            continue;
        }
        if is_rule(&item.kind) && !is_cited(item) && !placed.replaces {
            let what = match item.kind.name() {
                Some(name) => format!("the {} `{name}`", words::noun(&item.kind)),
                None => format!("this `{}`", item.kind.word()),
            };
            let help = "write `cite book B-1`, the source and the sentence, or `cite \"…\"` and why it is here";
            found.push(
                Diagnostic::new(codes::UNCITED_CLAUSE, format!("{what} cites no sentence"))
                    .label(head(item), "nothing says where this is printed")
                    .help(help),
            );
        }
    }
}

/// The items that an item brings where it holds.
fn edits_of(item: &Item) -> Vec<&Item> {
    match &item.kind {
        ItemKind::Setting(it) => it.all_edits().collect(),
        ItemKind::Resolve(it) => it.items.iter().map(|it| &**it).collect(),
        _ => Vec::new(),
    }
}

/// The files of a house rule: an amendment that was not printed anywhere, so that it names no book and cites nothing but that something was
/// agreed (`status house`).
fn house(file: &File) -> Vec<FileId> {
    let is_house = file.header.as_ref().is_some_and(|it| {
        let amends = matches!(it.kind, HeaderKind::Amendment { .. });
        amends && it.sources.is_empty() && !is_printed(&it.tail)
    });
    let cites = file.items.iter().any(|it| is_printed(&it.tail));
    match is_house && !cites {
        true => std::iter::once(file.file)
            .chain(file.parts.iter().map(|it| it.file))
            .collect(),
        false => Vec::new(),
    }
}

/// Whether something cites what nobody has only agreed.
fn is_printed(tail: &Tail) -> bool {
    let status = tail.status.as_ref();
    let is_agreed = status.is_some_and(|it| it.authority == Authority::House);
    let names_book = |it: &Cite| matches!(it.what, Cited::Sentences { .. });
    tail.cites.iter().any(|it| !is_agreed || names_book(it))
}

/// Returns whether an item says something about the game that somebody could look up.
fn is_rule(kind: &ItemKind) -> bool {
    match kind {
        ItemKind::Enum(_)
        | ItemKind::Record(_)
        | ItemKind::Component(_)
        | ItemKind::Supply(_)
        | ItemKind::Space(_)
        | ItemKind::Setting(_)
        | ItemKind::Zone(_)
        | ItemKind::Track(_)
        | ItemKind::Table(_)
        | ItemKind::Define(_)
        | ItemKind::Event(_)
        | ItemKind::Action(_)
        | ItemKind::Flow(_)
        | ItemKind::Ending(_)
        | ItemKind::Invariant(_)
        | ItemKind::Ruling(_)
        | ItemKind::Study(_)
        | ItemKind::Edit(_) => true,
        ItemKind::Measure(_)
        | ItemKind::Show(_)
        | ItemKind::Hide(_)
        | ItemKind::History(_)
        | ItemKind::Position(_)
        | ItemKind::Picture(_)
        | ItemKind::Aside(_)
        | ItemKind::Sentences(_)
        | ItemKind::Relation(_)
        | ItemKind::Resolve(_) => false,
    }
}

/// Returns whether an item cites, or all that it is made of does.
fn is_cited(item: &Item) -> bool {
    if !item.tail.cites.is_empty() {
        return true;
    }
    match &item.kind {
        ItemKind::Setting(it) => match &it.values {
            SettingValues::Readings(readings) => {
                readings.iter().all(|it| !it.tail.cites.is_empty())
            }
            SettingValues::Typed { .. } => false,
        },
        ItemKind::Table(it) => {
            !it.rows.is_empty() && it.rows.iter().all(|it| !it.tail.cites.is_empty())
        }
        ItemKind::Edit(Edit::Replace(Replace::Item(by))) => is_cited(by),
        _ => false,
    }
}

/// Returns the first words of an item.
fn head(item: &Item) -> Span {
    match item.kind.name() {
        Some(name) => item.span.start_point().to(name.span),
        None => {
            let end = item.span.start as usize + item.kind.word().len();
            Span::new(item.span.file, item.span.start as usize, end)
        }
    }
}

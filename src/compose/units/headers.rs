//! What the headers of the files say about each other.

use crate::diagnostic::{Diagnostic, closest, codes};
use crate::library;
use crate::syntax::ast::{self, HeaderKind, ItemKind, RelationKind};

/// More edits than any set of amendments needs; composing takes time in proportion to their number
/// times the length of the rules.
const MOST_EDITS: usize = 2000;

/// Returns the base and then the amendments, sorted by name.
///
/// Files whose header could not be read are left out; the parser has complained about them.
pub(super) fn files<'a>(
    base: &'a ast::File,
    amendments: &[&'a ast::File],
) -> Result<Vec<&'a ast::File>, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let mut files: Vec<&ast::File> = amendments.to_vec();
    files.retain(|file| file.header.is_some());
    files.sort_by_key(|file| (super::name_of(Some(file)).to_owned(), file.file));
    // A set holds nothing twice.
    files.dedup_by(|a, b| a.header == b.header && a.items == b.items);
    files.insert(0, base);

    kinds(&files, &mut diagnostics);
    names(&files, &mut diagnostics);
    if diagnostics.is_empty() {
        for (at, file) in files.iter().enumerate() {
            bases(&files, at, file, &mut diagnostics);
            relations(&files, file, &mut diagnostics);
        }
        nested(&files, &mut diagnostics);
        amount(&files, &mut diagnostics);
    }
    if diagnostics.is_empty() {
        Ok(files)
    } else {
        Err(diagnostics)
    }
}

/// Returns the name of the rulebook that an amendment is for.
pub(super) fn base_of(header: &ast::Header) -> Option<&ast::Name> {
    match &header.kind {
        HeaderKind::Game => None,
        HeaderKind::Amendment { base, .. } => Some(base),
    }
}

/// The first must be a game, the others must not.
fn kinds(files: &[&ast::File], diagnostics: &mut Vec<Diagnostic>) {
    for (at, file) in files.iter().enumerate() {
        let Some(header) = &file.header else { continue };
        let name = &header.name;
        match &header.kind {
            HeaderKind::Game if at > 0 => diagnostics.push(
                Diagnostic::at(
                    codes::NOT_AN_AMENDMENT,
                    name.span,
                    format!("`{name}` is a game, it amends nothing"),
                )
                .help("begin it with `variant NAME \"Title\" for GAME { }`, or play it by itself"),
            ),
            HeaderKind::Amendment { base, flavour, .. } if at == 0 => diagnostics.push(
                Diagnostic::at(
                    codes::NOT_A_GAME,
                    name.span,
                    format!("`{name}` is no game, it is {} `{base}`", article(*flavour)),
                )
                .help(of_which(base.as_str())),
            ),
            HeaderKind::Game | HeaderKind::Amendment { .. } => {}
        }
        if at == 0 && header.kind == HeaderKind::Game {
            edits_of_a_game(file, diagnostics);
        }
    }
}

fn article(flavour: ast::Flavour) -> &'static str {
    match flavour {
        ast::Flavour::Variant => "a variant of",
        ast::Flavour::Edition => "an edition of",
        ast::Flavour::Expansion => "an expansion of",
    }
}

fn edits_of_a_game(file: &ast::File, diagnostics: &mut Vec<Diagnostic>) {
    for item in &file.items {
        let is_edit = match &item.kind {
            ItemKind::Edit(edit) => !matches!(
                edit,
                ast::Edit::Forbid(_) | ast::Edit::Permit(_) | ast::Edit::Except(_)
            ),
            ItemKind::Relation(_) | ItemKind::Resolve(_) => true,
            _ => false,
        };
        if is_edit {
            let word = item.kind.word();
            diagnostics.push(
                Diagnostic::at(
                    codes::EDIT_IN_A_GAME,
                    item.span,
                    format!("a game has no `{word}`, there is nothing before it to change"),
                )
                .help(
                    "change the rule itself, or move this into a file that begins with `variant`",
                ),
            );
        }
    }
}

fn names(files: &[&ast::File], diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: Vec<&ast::Name> = Vec::new();
    for header in files.iter().filter_map(|file| file.header.as_ref()) {
        match seen.iter().find(|it| it.text == header.name.text) {
            Some(first) => diagnostics.push(
                Diagnostic::new(
                    codes::RULEBOOK_TWICE,
                    format!("two rulebooks are named `{}`", header.name),
                )
                .label(header.name.span, "the second one")
                .label(first.span, "the first one")
                .help("leave one of them out, or give it another name"),
            ),
            None => seen.push(&header.name),
        }
    }
}

/// The base of an amendment must be there, in the version that it was written for.
fn bases(files: &[&ast::File], at: usize, file: &ast::File, diagnostics: &mut Vec<Diagnostic>) {
    let Some(header) = &file.header else { return };
    let HeaderKind::Amendment {
        base, base_version, ..
    } = &header.kind
    else {
        return;
    };
    let name = &header.name;
    let headers = || files.iter().filter_map(|file| file.header.as_ref());
    let Some(found) = headers().find(|it| it.name.text == base.text) else {
        let game = super::name_of(files.first().copied());
        let others = headers().map(|it| it.name.as_str());
        let others = others.filter(|other| *other != name.as_str());
        let help = match closest(base.as_str(), others) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("if `{base}` is an amendment of `{game}`, add it with `--with {base}`"),
        };
        diagnostics.push(
            Diagnostic::at(
                codes::OTHER_BASE,
                base.span,
                format!("`{name}` is for `{base}`, not for `{game}`"),
            )
            .help(help),
        );
        return;
    };
    let (Some(wanted), Some(version)) = (base_version, &found.version) else {
        return;
    };
    if at > 0 && wanted.text != version.text {
        diagnostics.push(
            Diagnostic::new(
                codes::OTHER_BASE_VERSION,
                format!(
                    "`{name}` was written for version \"{}\" of `{base}`, this is version \"{}\"",
                    wanted.text, version.text
                ),
            )
            .label(wanted.span, "written for this one")
            .label(version.span, "this is what there is")
            .help(format!(
                "look through its edits and then write `for {base} \"{}\"`",
                version.text
            )),
        );
    }
}

/// What is needed must be there, what is excluded must not.
fn relations(files: &[&ast::File], file: &ast::File, diagnostics: &mut Vec<Diagnostic>) {
    let own = super::name_of(Some(file));
    for item in &file.items {
        let ItemKind::Relation(relation) = &item.kind else {
            continue;
        };
        let name = &relation.name;
        let headers = files.iter().filter_map(|file| file.header.as_ref());
        let other = headers.map(|it| &it.name).find(|it| it.text == name.text);
        let reason = relation.reason.as_ref().map(|it| it.text.as_str());
        match (relation.kind, other) {
            (RelationKind::Needs, None) => {
                let message = format!("`{own}` needs `{name}`, which is not there");
                let diagnostic = Diagnostic::new(codes::MISSING_AMENDMENT, message);
                diagnostics.push(
                    diagnostic
                        .label(item.span, reason.unwrap_or_default())
                        .help(format!("add it with `--with {name}`")),
                );
            }
            (RelationKind::Excludes, Some(other)) => {
                let message = format!("`{own}` excludes `{name}`");
                let diagnostic = Diagnostic::new(codes::EXCLUDED_AMENDMENT, message);
                diagnostics.push(
                    diagnostic
                        .label(item.span, reason.unwrap_or_default())
                        .label(other.span, format!("`{name}` is here"))
                        .help("leave one of them out"),
                );
            }
            (RelationKind::Needs, Some(_)) | (RelationKind::Excludes, None) => {}
        }
    }
}

/// A resolution holds edits and additions, nothing else.
fn nested(files: &[&ast::File], diagnostics: &mut Vec<Diagnostic>) {
    let items = files.iter().flat_map(|file| &file.items);
    for item in items {
        let ItemKind::Resolve(resolve) = &item.kind else {
            continue;
        };
        for inner in &resolve.items {
            if matches!(inner.kind, ItemKind::Relation(_) | ItemKind::Resolve(_)) {
                let word = inner.kind.word();
                diagnostics.push(
                    Diagnostic::at(
                        codes::MISPLACED_ITEM,
                        inner.span,
                        format!("`{word}` cannot stand inside a `resolve`"),
                    )
                    .help("write it as an item of its own"),
                );
            }
        }
    }
}

fn amount(files: &[&ast::File], diagnostics: &mut Vec<Diagnostic>) {
    let edits = |items: &[ast::Item]| {
        let counts = items.iter().map(|item| match &item.kind {
            ItemKind::Resolve(resolve) => 16 + resolve.items.len(),
            ItemKind::Edit(_) => 1,
            _ => 0,
        });
        // An item with an order of its own is worked in by itself, which costs more.
        let ordered = items.iter().filter(|item| !item.tail.orders.is_empty());
        let ordered = ordered.count() * 16;
        counts.sum::<usize>() + ordered
    };
    let amendments = files.iter().skip(1);
    let count: usize = amendments.map(|file| edits(&file.items)).sum();
    if count > MOST_EDITS {
        let last = files.last().and_then(|file| file.header.as_ref());
        let message = format!("{count} edits are more than can be composed");
        let mut diagnostic = Diagnostic::new(codes::TOO_MANY_EDITS, message).help(format!(
            "leave amendments out; {MOST_EDITS} edits are allowed"
        ));
        if let Some(header) = last {
            diagnostic = diagnostic.label(header.name.span, "");
        }
        diagnostics.push(diagnostic);
    }
}

/// Says where the game of an amendment comes from, or what it may be called.
fn of_which(base: &str) -> String {
    let names = library::FILES.iter().flat_map(|it| [it.name, it.stem()]);
    match library::find(base).is_none().then(|| closest(base, names)) {
        Some(Some(near)) => format!("no rulebook here is called `{base}`; did you mean `{near}`?"),
        _ => format!("give the rulebook of `{base}` as the game, and this file with `--with`"),
    }
}

//! What the headers of the files say about each other.

use std::sync::Arc;

use super::Units;
use crate::compose::readings::{Choice, literal};
use crate::diagnostic::{Diagnostic, closest, codes};
use crate::library;
use crate::limits::MOST_EDITS;
use crate::source::Span;
use crate::syntax::ast::{self, HeaderKind, ItemKind, RelationKind, SettingValues};

/// Returns the base and then the amendments, sorted by name.
///
/// Files whose header could not be read are left out; the parser has complained about them.
pub(super) fn files<'a>(
    base: &'a ast::File,
    amendments: &[&'a ast::File],
    choices: &[Choice],
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
            relations(
                &files,
                super::name_of(Some(file)),
                &file.items,
                &mut diagnostics,
            );
        }
        for choice in choices {
            relations(&files, &choice.title(), &choice.items, &mut diagnostics);
        }
        nested(&files, &mut diagnostics);
        blocks(&files, &mut diagnostics);
        amount(&files, choices, &mut diagnostics);
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
        HeaderKind::Game | HeaderKind::Part => None,
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
            HeaderKind::Amendment { base, flavour, .. } if at == 0 => {
                diagnostics.push(of_which(name, base, *flavour));
            }
            HeaderKind::Part => diagnostics.push(
                Diagnostic::at(
                    codes::NOT_A_GAME,
                    header.span,
                    format!("this is a part of `{name}`, no rulebook of its own"),
                )
                .help(format!("ask for `{name}`; its parts are read along")),
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
            // Its own readings may need to be brought together.
            ItemKind::Resolve(resolve) => !resolve.units.iter().all(|it| names_a_setting(file, it)),
            ItemKind::Relation(_) => true,
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

fn names_a_setting(file: &ast::File, unit: &ast::UnitRef) -> bool {
    file.items.iter().any(|item| match &item.kind {
        ItemKind::Setting(it) => it.name.text == unit.name.text,
        _ => false,
    })
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
            None => format!(
                "write `for {game}`; or if `{base}` is an amendment of that, add it with `--with {base}`"
            ),
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

/// Of the amendments, what is needed must be there and what is excluded must not.
fn relations(
    files: &[&ast::File],
    own: &str,
    items: &[Arc<ast::Item>],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for item in items {
        let ItemKind::Relation(relation) = &item.kind else {
            continue;
        };
        if relation.unit.reading.is_some() || is_setting(files, &relation.unit) {
            continue;
        }
        let name = &relation.unit.name;
        let headers = files.iter().filter_map(|file| file.header.as_ref());
        let other = headers.map(|it| &it.name).find(|it| it.text == name.text);
        let way_out = match relation.kind {
            RelationKind::Needs => {
                format!(
                    "add it: `--with {name}` if it comes with the program, or its file, `--with {name}.rules`"
                )
            }
            RelationKind::Excludes => String::from("leave one of them out"),
        };
        let other = other.map(|it| Some(it.span));
        diagnostics.extend(broken(own, item, relation, other, way_out));
    }
}

/// Returns whether a name is that of a question or an option, and of no amendment.
fn is_setting(files: &[&ast::File], unit: &ast::UnitRef) -> bool {
    let mut names = files.iter().map(|file| super::name_of(Some(file)));
    !names.any(|name| name == unit.name.text)
        && files.iter().any(|file| names_a_setting(file, unit))
}

/// Of the readings, what is needed must be chosen and what is excluded must not.
pub(super) fn relations_to_readings(units: &Units<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let files = units.files.iter().map(|file| {
        let name = super::name_of(Some(file)).to_owned();
        (name, file.items.as_slice())
    });
    let choices = units.choices.iter();
    let choices = choices.map(|choice| (choice.title(), choice.items.as_slice()));
    for (own, items) in files.chain(choices) {
        for item in items {
            let ItemKind::Relation(relation) = &item.kind else {
                continue;
            };
            if relation.unit.reading.is_none() && !is_setting(&units.files, &relation.unit) {
                continue;
            }
            let name = &relation.unit.name;
            let reading = relation.unit.reading.as_ref().map_or("…", |it| it.as_str());
            let way_out = match relation.kind {
                RelationKind::Needs => format!("choose it with `--set {name}={reading}`"),
                RelationKind::Excludes => {
                    format!("choose another reading with `--set {name}=…`, or leave `{own}` out")
                }
            };
            let chosen = |choice: &Choice| {
                choice.is(&relation.unit)
                    && (relation.unit.reading.is_some() || !choice.items.is_empty())
            };
            let chosen = units.choices.iter().any(chosen);
            diagnostics.extend(broken(
                own.as_str(),
                item,
                relation,
                chosen.then_some(None),
                way_out,
            ));
        }
    }
}

/// Says that a relation does not hold, if so; of what it names, where it is written if it is there.
fn broken(
    own: &str,
    item: &ast::Item,
    relation: &ast::Relation,
    other: Option<Option<Span>>,
    way_out: String,
) -> Option<Diagnostic> {
    let unit = &relation.unit;
    let (code, message) = match (relation.kind, other) {
        (RelationKind::Needs, None) => (
            codes::MISSING_AMENDMENT,
            format!("`{own}` needs `{unit}`, which is not there"),
        ),
        (RelationKind::Excludes, Some(_)) => (
            codes::EXCLUDED_AMENDMENT,
            format!("`{own}` excludes `{unit}`"),
        ),
        (RelationKind::Needs, Some(_)) | (RelationKind::Excludes, None) => return None,
    };
    let reason = relation.reason.as_ref().map(|it| it.text.as_str());
    let mut diagnostic =
        Diagnostic::new(code, message).label(item.span, reason.unwrap_or_default());
    if let Some(Some(other)) = other {
        diagnostic = diagnostic.label(other, format!("`{unit}` is here"));
    }
    Some(diagnostic.help(way_out))
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

/// Complains about the edits of readings and options that cannot be meant.
fn blocks(files: &[&ast::File], diagnostics: &mut Vec<Diagnostic>) {
    for item in files.iter().flat_map(|file| &file.items) {
        blocks_of(item, diagnostics);
    }
}

fn blocks_of(item: &ast::Item, diagnostics: &mut Vec<Diagnostic>) {
    match &item.kind {
        ItemKind::Setting(setting) => blocks_of_setting(setting, diagnostics),
        ItemKind::Edit(ast::Edit::Replace(ast::Replace::Item(new))) => blocks_of(new, diagnostics),
        ItemKind::Edit(ast::Edit::Add(ast::Add::Readings { readings, .. })) => {
            readings.iter().for_each(|it| block(it, diagnostics));
        }
        ItemKind::Resolve(resolve) => {
            let items = resolve.items.iter();
            items.for_each(|item| blocks_of(item, diagnostics));
        }
        _ => {}
    }
}

fn blocks_of_setting(setting: &ast::Setting, diagnostics: &mut Vec<Diagnostic>) {
    match &setting.values {
        SettingValues::Readings(readings) => {
            readings.iter().for_each(|it| block(it, diagnostics));
        }
        SettingValues::Typed { default, .. } => {
            if setting.edits.is_some() && literal(default).is_none() {
                let message = format!(
                    "nothing says at a glance when `{}` is not at its default",
                    setting.name
                );
                let diagnostic = Diagnostic::at(codes::UNCLEAR_DEFAULT, default.span, message);
                diagnostics.push(diagnostic.help("write the default of an option with edits as a number, a value, `true` or `false`"));
            }
        }
    }
    let items = setting.edits.iter().flatten();
    misplaced(items, diagnostics);
}

fn block(reading: &ast::Reading, diagnostics: &mut Vec<Diagnostic>) {
    let items = reading.edits.iter().flatten();
    misplaced(items, diagnostics);
    if reading.default && reading.edits.is_some() {
        let message = format!("`{}` is the default, so it has no edits", reading.name);
        let diagnostic = Diagnostic::at(codes::DEFAULT_WITH_EDITS, reading.name.span, message);
        diagnostics.push(diagnostic.help("the rules themselves say what holds by default; write there what these edits say, and leave `{ … }` out"));
    }
}

/// What is chosen is known before any reading is worked in.
fn misplaced<'i>(
    items: impl Iterator<Item = &'i Arc<ast::Item>>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for item in items {
        if matches!(item.kind, ItemKind::Setting(_) | ItemKind::Resolve(_)) {
            let word = item.kind.word();
            let message = format!("`{word}` cannot stand among the edits of a reading");
            let help = match item.kind {
                ItemKind::Setting(_) => {
                    "write it as an item of its own, with `under QUESTION = READING` behind its text"
                }
                _ => "write it as an item of its own",
            };
            diagnostics.push(Diagnostic::at(codes::MISPLACED_ITEM, item.span, message).help(help));
        }
    }
}

fn amount(files: &[&ast::File], choices: &[Choice], diagnostics: &mut Vec<Diagnostic>) {
    let edits = |items: &[Arc<ast::Item>]| {
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
    let chosen = choices.iter().map(|choice| match edits(&choice.items) {
        0 => 0,
        // A unit of its own costs more than its edits.
        some => 16 + some,
    });
    let count = count + chosen.sum::<usize>();
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

/// Says what the game of an amendment may be called, or where it comes from.
fn of_which(name: &ast::Name, base: &ast::Name, flavour: ast::Flavour) -> Diagnostic {
    let names = library::FILES.iter().flat_map(|it| [it.name, it.stem()]);
    if library::find(base.as_str()).is_none()
        && let Some(near) = closest(base.as_str(), names)
    {
        let message = format!("no rulebook here is called `{base}`");
        return Diagnostic::at(codes::NOT_A_GAME, base.span, message)
            .help(format!("did you mean `{near}`?"))
            .fix(
                format!("write `{near}`"),
                vec![(base.span, near.to_owned())],
            );
    }
    let message = format!("`{name}` is no game, it is {} `{base}`", article(flavour));
    Diagnostic::at(codes::NOT_A_GAME, name.span, message).help(format!(
        "give the rulebook of `{base}` as the game, and this file with `--with`"
    ))
}

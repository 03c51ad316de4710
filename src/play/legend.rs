//! What is printed on things, from the tables of a rulebook.

use crate::model::text::{Form, spelt};
use std::collections::{BTreeMap, BTreeSet};

use super::board::Artist;
use super::entries::wrapped;
use super::tableau::BETWEEN;
use crate::engine::text::{field_value, print_index, print_value};
use crate::engine::{Seen, View};
use crate::model::{Base, DomainId, DomainKind, Field, Game, Table, TableId, Type, Zone, ZoneKind};

/// What tables of one title say: over one kind of thing, of those that lie open and not in piles, in a line for
/// each, without those that were read before; over several, of each of their rows, those that differ only in
/// the last thing in one line.
pub fn write(
    artist: &Artist<'_>,
    view: &View,
    title: &str,
    tables: &[TableId],
    read: &BTreeSet<(DomainId, i64)>,
) -> String {
    let game = artist.game;
    let tables = tables.iter().filter_map(|id| game.tables.get(id.index()));
    let mut kinds: BTreeMap<DomainId, Vec<&Table>> = BTreeMap::new();
    let mut text = String::new();
    for table in tables {
        match table.index.as_slice() {
            [of] if is_borne(game, *of) => kinds.entry(*of).or_default().push(table),
            [before @ .., last] => {
                text.push_str(&ladders(
                    artist,
                    table,
                    before,
                    *last,
                    fields_of(game, table),
                ));
            }
            [] => {}
        }
    }
    for (of, tables) in kinds {
        let members = seen_members(game, view, of).into_iter();
        for member in members.filter(|member| !read.contains(&(of, *member))) {
            text.push_str(&card(artist, &tables, of, member));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("{title}\n{text}")
}

/// The fields of the records that a table holds; none if it holds something else.
fn fields_of<'g>(game: &'g Game, table: &Table) -> &'g [Field] {
    let Base::Elem(record) = table.ty.base else {
        return &[];
    };
    match game.domains.get(record.index()).map(|it| &it.kind) {
        Some(DomainKind::Record { fields, .. }) => fields,
        _ => &[],
    }
}

/// Whether what a table says stands there whatever lies on the table.
pub fn is_fixed(game: &Game, table: TableId) -> bool {
    let table = game.tables.get(table.index());
    table.is_some_and(|it| !matches!(it.index.as_slice(), [of] if is_borne(game, *of)))
}

/// Whether things bear members of a list, so that what is said of these is printed on them.
fn is_borne(game: &Game, of: DomainId) -> bool {
    let components = game.zones.iter().map(|it| it.component);
    components
        .filter_map(|it| game.domains.get(it.index()))
        .flat_map(crate::model::text::fields_of)
        .any(|field| field.ty.base == Base::Elem(of))
}

fn card(artist: &Artist<'_>, tables: &[&Table], of: DomainId, member: i64) -> String {
    let game = artist.game;
    let at = usize::try_from(member).unwrap_or(usize::MAX);
    let mut told = Vec::new();
    for table in tables {
        let Some(cell) = table.cell(at).and_then(<[i64]>::first) else {
            continue;
        };
        let fields = fields_of(game, table);
        told.extend(fields.iter().map(|field| {
            let value = print_value(game, field.ty, field_value(field, *cell), Form::Signs);
            format!("{} {value}", spelt(&field.name))
        }));
        if fields.is_empty() {
            let value = print_value(game, table.ty, *cell, Form::Signs);
            told.push(match table.ty.base {
                Base::Elem(_) => value,
                _ => format!("{} {value}", spelt(&table.name)),
            });
        }
    }
    let name = print_value(game, Type::of(Base::Elem(of)), member, Form::Signs);
    wrapped(&format!("  {name}  "), &told, BETWEEN, artist.width)
}

/// Steps that follow one another, with what is worth a word about each.
fn ladders(
    artist: &Artist<'_>,
    table: &Table,
    before: &[DomainId],
    last: DomainId,
    fields: &[Field],
) -> String {
    let game = artist.game;
    let each = artist.n_places(&[last]).max(1);
    let written: BTreeSet<usize> = table.rows.iter().map(|(at, _)| *at).collect();
    let mut text = String::new();
    for ladder in 0..artist.n_places(before) {
        let steps = written.range(ladder * each..(ladder + 1) * each);
        let told: Vec<String> = steps
            .filter_map(|at| {
                let step = print_index(game, &[last], at % each, Form::Signs);
                let cell = *table.cell(*at)?.first()?;
                let said = match fields {
                    [] => print_value(game, table.ty, cell, Form::Signs),
                    fields => step_in_words(game, fields, cell),
                };
                Some(format!("{step}: {said}"))
            })
            .collect();
        let name = artist.index_name(before, ladder).replace(", ", " ");
        let title = if name.is_empty() {
            name
        } else {
            format!("{name}  ")
        };
        text.push_str(&wrapped(
            &format!("  {title}"),
            &told,
            BETWEEN,
            artist.width,
        ));
    }
    text
}

/// The fields of a record that are neither nothing nor untrue.
fn step_in_words(game: &Game, fields: &[Field], cell: i64) -> String {
    let words = fields.iter().filter_map(|field| {
        let value = field_value(field, cell);
        match (field.ty.base, value) {
            (Base::Bool | Base::Int(..), 0) => None,
            (Base::Bool, _) => Some(spelt(&field.name)),
            _ => Some(format!(
                "{} {}",
                spelt(&field.name),
                print_value(game, field.ty, value, Form::Signs)
            )),
        }
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() {
        "-".to_owned()
    } else {
        words.join(", ")
    }
}

/// The members of a list that some open thing is, or has in a field.
fn seen_members(game: &Game, view: &View, of: DomainId) -> BTreeSet<i64> {
    members_in(game, view, of, |zone| zone.kind != ZoneKind::Pile)
}

/// The members of a list that things in some zones are, or have in a field, as far as they are seen.
pub fn members_in(
    game: &Game,
    view: &View,
    of: DomainId,
    is_meant: impl Fn(&Zone) -> bool,
) -> BTreeSet<i64> {
    let mut members = BTreeSet::new();
    for (zone, seen) in game.zones.iter().zip(&view.zones) {
        if !is_meant(zone) {
            continue;
        }
        let kind = game.domains.get(zone.component.index()).map(|it| &it.kind);
        let Some(DomainKind::Record { fields, .. }) = kind else {
            continue;
        };
        let Some(field) = fields.iter().find(|it| it.ty.base == Base::Elem(of)) else {
            continue;
        };
        for seen in seen.places.iter().flat_map(|it| &it.seen) {
            if let Seen::Known(kind) = seen {
                members.insert(field_value(field, *kind));
            }
        }
    }
    members
}

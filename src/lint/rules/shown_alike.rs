use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{EnumValue, ItemKind, Name, Seats, SettingValues, Text, Type};

pub(super) const LINT: Lint = Lint {
    code: codes::SHOWN_ALIKE,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    of_values(context, found);
    of_texts(context, found);
    let mut shown: HashMap<_, (&Name, Option<&[Type]>)> = HashMap::default();
    for placed in &context.index.items {
        let ItemKind::Show(show) = &placed.item.kind else {
            continue;
        };
        // What lies there may be printed alike; what stands beside it on the table must not be called alike.
        let places = match context
            .index
            .declared(show.name.as_str())
            .map(|it| &it.kind)
        {
            Some(ItemKind::Zone(it)) => Some(it.index.as_slice()),
            Some(ItemKind::Track(_) | ItemKind::Define(_)) => None,
            _ => continue,
        };
        let label = show
            .template
            .plain()
            .filter(|it| !it.is_empty() && show.on.is_none());
        let Some(label) = label.filter(|_| !placed.replaces) else {
            continue;
        };
        // A figure may be called like the zone that it counts.
        let key = (places.is_some(), label);
        let (other, of_other) = *shown.entry(key).or_insert((&show.name, places));
        // Two zones of the same places may be two sides of one board.
        let one_board = places.is_some_and(|it| !it.is_empty()) && places == of_other;
        if other.as_str() != show.name.as_str() && !one_board {
            let message = format!(
                "`{}` and `{other}` are both called \"{label}\" on the table",
                show.name
            );
            found.push(
                Diagnostic::at(codes::SHOWN_ALIKE, show.name.span, message)
                    .label(other.span, "")
                    .help("give one of them another name"),
            );
        }
    }
}

/// Values of one list, or seats, that are printed or typed by the same sign.
fn of_values(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut lists: Vec<&[EnumValue]> = Vec::new();
    for placed in &context.index.items {
        if let ItemKind::Enum(it) = &placed.item.kind {
            lists.push(&it.values);
        }
    }
    for file in context.book.files {
        if let Some(Seats::Named(seats)) = file.header.as_ref().and_then(|it| it.seats.as_ref()) {
            lists.push(seats);
        }
    }
    let signs: [fn(&EnumValue) -> &str; 2] = [
        |it| {
            it.symbol
                .as_ref()
                .map_or(it.name.as_str(), |it| it.text.as_str())
        },
        |it| {
            let plain = it.plain.as_ref().or(it.symbol.as_ref());
            plain.map_or(it.name.as_str(), |it| it.text.as_str())
        },
    ];
    for values in lists {
        let mut told = HashSet::default();
        for sign in signs {
            let mut known: HashMap<&str, &EnumValue> = HashMap::default();
            for value in values {
                let first = *known.entry(sign(value)).or_insert(value);
                if first.name != value.name && told.insert(value.name.as_str()) {
                    let message = format!(
                        "`{}` and `{}` are both written \"{}\"",
                        first.name,
                        value.name,
                        sign(value)
                    );
                    found.push(
                        Diagnostic::at(codes::SHOWN_ALIKE, value.span, message)
                            .label(first.span, "")
                            .help("give one of them another sign"),
                    );
                }
            }
        }
    }
}

/// Readings of one question, options and questions, and rulings that are called by the same words.
fn of_texts(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut settings = Vec::new();
    let mut rulings = Vec::new();
    for placed in &context.index.items {
        match &placed.item.kind {
            ItemKind::Setting(it) => {
                settings.push((&it.name, &it.text));
                if let SettingValues::Readings(readings) = &it.values {
                    let readings = readings.iter().map(|it| (&it.name, &it.text));
                    twice(&readings.collect::<Vec<_>>(), found);
                }
            }
            ItemKind::Ruling(it) => rulings.push((&it.id, &it.title)),
            _ => {}
        }
    }
    twice(&settings, found);
    twice(&rulings, found);
}

fn twice(called: &[(&Name, &Text)], found: &mut Vec<Diagnostic>) {
    let mut known: HashMap<_, &Name> = HashMap::default();
    for (name, text) in called.iter().filter(|(_, it)| !it.text.trim().is_empty()) {
        // An amendment may decide anew what the game has decided.
        let key = (text.span.file, text.text.as_str());
        let first = *known.entry(key).or_insert(name);
        // An item that takes the place of another keeps its words.
        if first.as_str() != name.as_str() {
            let message = format!("`{first}` and `{name}` say the same: \"{}\"", text.text);
            found.push(
                Diagnostic::at(codes::SHOWN_ALIKE, text.span, message)
                    .label(first.span, "")
                    .help("say in words in what they differ"),
            );
        }
    }
}

use std::collections::{HashMap, HashSet};

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::{Index, Seen};
use crate::lint::{Context, Lint, words};
use crate::syntax::ast::{
    Action, Alternative, Arg, Expr, ExprKind, ItemKind, Name, Param, Template, TemplatePart,
};

pub(super) const LINT: Lint = Lint {
    code: codes::MOVES_ALIKE,
    run,
};

/// Moves are typed as they are printed, so no two that can be chosen at once may look the same.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let index = &context.index;
    let offers = offers(index);
    for (at, placed) in index.items.iter().enumerate() {
        match &placed.item.kind {
            ItemKind::Action(action) => {
                let offers = offers.get(action.name.as_str());
                of_action(
                    action,
                    index.exprs_of(at),
                    offers.map_or(&[], Vec::as_slice),
                    found,
                );
            }
            ItemKind::Show(show) => of_show(&show.name, &show.template, index, found),
            _ => {}
        }
    }
    for choice in &index.choices {
        of_choice(choice, index, found);
    }
}

/// Returns where the rules offer which action.
fn offers<'a>(index: &Index<'a>) -> HashMap<&'a str, Vec<&'a Alternative>> {
    let mut all: HashMap<&str, Vec<&Alternative>> = HashMap::new();
    for offer in index
        .choices
        .iter()
        .flatten()
        .filter(|it| it.text.is_none())
    {
        all.entry(offer.name.as_str()).or_default().push(offer);
    }
    all
}

fn of_action(
    action: &Action,
    inside: &[Seen<'_>],
    offers: &[&Alternative],
    found: &mut Vec<Diagnostic>,
) {
    let Some(text) = &action.text else {
        return;
    };
    let named = names_in(text, inside);
    let is_open = |(at, name): &(usize, &Name)| {
        !named.contains(name.as_str()) && !is_given(*at, name, offers)
    };
    let names = action.params.iter().flat_map(|param: &Param| &param.names);
    let open: Vec<&str> = names
        .enumerate()
        .filter(is_open)
        .map(|(_, name)| name.as_str())
        .collect();
    if !open.is_empty() {
        let message = format!(
            "moves that differ in {} print alike",
            words::listed(open.iter().copied())
        );
        let holes: Vec<String> = open.iter().map(|name| format!("`{{{name}}}`")).collect();
        found.push(
            Diagnostic::at(codes::MOVES_ALIKE, text.span, message)
                .help(format!("put {} into the text", holes.join(" and "))),
        );
    }
}

/// Returns whether every choice of the rules that offers the action settles the parameter.
fn is_given(at: usize, name: &Name, offers: &[&Alternative]) -> bool {
    let gives = |offer: &&Alternative| {
        let by_place = offer.args.get(at).is_some_and(|it| it.name.is_none());
        let by_name = |it: &Arg| it.name.as_ref() == Some(name);
        by_place || offer.args.iter().any(by_name)
    };
    !offers.is_empty() && offers.iter().all(gives)
}

fn of_show(shown: &Name, template: &Template, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
    let Some(ItemKind::Component(component)) = index.declared(shown.as_str()).map(|it| &it.kind)
    else {
        return;
    };
    let Some(named) = fields_in(template) else {
        return;
    };
    let fields = component.fields.iter().map(|field| field.name.as_str());
    let open: Vec<&str> = fields.filter(|field| !named.contains(field)).collect();
    if !open.is_empty() {
        let list = words::listed(open.iter().copied());
        let message = format!("two `{shown}` that differ in {list} print alike");
        let holes: Vec<String> = open.iter().map(|name| format!("`{{{name}}}`")).collect();
        found.push(
            Diagnostic::at(codes::MOVES_ALIKE, template.span, message)
                .help(format!("put {} into the text", holes.join(" and "))),
        );
    }
}

fn of_choice(choice: &[&Alternative], index: &Index<'_>, found: &mut Vec<Diagnostic>) {
    let mut seen: Vec<(Vec<Option<&str>>, &Alternative)> = Vec::new();
    for alternative in choice {
        let Some(shape) = text_of(alternative, index).map(shape) else {
            continue;
        };
        let same = seen
            .iter()
            .find(|(other, first)| *other == shape && first.name != alternative.name);
        let twice = seen.iter().find(|(_, first)| {
            first.text.is_none() && first.name == alternative.name && first.args.is_empty()
        });
        if let Some((_, first)) = twice.filter(|_| alternative.args.is_empty()) {
            let name = &alternative.name;
            let message = format!("`{name}` can be chosen in two ways that print alike");
            found.push(
                Diagnostic::at(codes::MOVES_ALIKE, name.span, message)
                    .label(first.name.span, "the other one")
                    .help("offer it once, and let what follows be chosen behind it"),
            );
        } else if let Some((_, first)) = same {
            let message = format!(
                "`{}` and `{}` print alike and can be chosen at once",
                first.name, alternative.name
            );
            found.push(
                Diagnostic::at(codes::MOVES_ALIKE, alternative.name.span, message)
                    .label(first.name.span, "the other one")
                    .help("give one of them another text"),
            );
        }
        seen.push((shape, alternative));
    }
}

fn text_of<'a>(alternative: &'a Alternative, index: &Index<'a>) -> Option<&'a Template> {
    if alternative.text.is_some() {
        return alternative.text.as_ref();
    }
    match &index.declared(alternative.name.as_str())?.kind {
        ItemKind::Action(action) => action.text.as_ref(),
        _ => None,
    }
}

/// Returns the fixed parts of a text, none for each hole.
fn shape(text: &Template) -> Vec<Option<&str>> {
    let parts = text.parts.iter().map(|part| match part {
        TemplatePart::Text(text) => Some(text.as_str()),
        TemplatePart::Hole(_) => None,
    });
    parts.collect()
}

/// Returns all names in the holes of an action's text.
fn names_in<'a>(text: &Template, inside: &[Seen<'a>]) -> HashSet<&'a str> {
    let holds = |expr: &Expr| text.span.start <= expr.span.start && expr.span.end <= text.span.end;
    let names = inside.iter().filter_map(|seen| match &seen.expr.kind {
        ExprKind::Name(name) if holds(seen.expr) => Some(name.as_str()),
        _ => None,
    });
    names.collect()
}

/// Returns the fields in the holes of how something is shown; none if a hole is more than a field.
fn fields_in(template: &Template) -> Option<HashSet<&str>> {
    let mut fields = HashSet::new();
    for part in &template.parts {
        match part {
            TemplatePart::Text(_) => {}
            TemplatePart::Hole(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => {
                fields.insert(name.as_str());
            }
            TemplatePart::Hole(_) => return None,
        }
    }
    Some(fields)
}

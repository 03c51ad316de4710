use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::{Index, Seen};
use crate::lint::{Context, Lint, words};
use crate::syntax::ast::{
    Action, Alternative, Arg, Expr, ExprKind, ItemKind, Name, Param, ParamDomain, Template,
    TemplatePart, TypeKind,
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
        let mut all = Vec::new();
        choice
            .iter()
            .for_each(|it| listed(it, index, LEVELS, &mut all));
        of_choice(&all, index, found);
    }
}

/// So deep may lists of alternatives stand in each other.
const LEVELS: u32 = 8;

/// Adds an alternative, or those of the list that it names.
fn listed<'a>(it: &'a Alternative, index: &Index<'a>, levels: u32, all: &mut Vec<&'a Alternative>) {
    let declared = index.declared(it.name.as_str()).map(|it| &it.kind);
    match declared {
        Some(ItemKind::Action(list)) if it.text.is_none() && !list.alternatives.is_empty() => {
            let each = list.alternatives.iter().filter(|_| levels > 0);
            each.for_each(|it| listed(it, index, levels - 1, all));
        }
        _ => all.push(it),
    }
}

/// Returns where the rules offer which action.
fn offers<'a>(index: &Index<'a>) -> HashMap<&'a str, Vec<&'a Alternative>> {
    let mut all: HashMap<&str, Vec<&Alternative>> = HashMap::default();
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
    if text.plain().is_some_and(|it| it.trim().is_empty()) {
        let message = format!(
            "`{}` is printed as nothing, and cannot be typed",
            action.name
        );
        found.push(
            Diagnostic::at(codes::MOVES_ALIKE, text.span, message)
                .help("say in the text what the player does"),
        );
        return;
    }
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
    let mut seen: Vec<(Vec<Part<'_>>, &Alternative)> = Vec::new();
    for alternative in choice {
        let Some(shape) = shape(alternative, index) else {
            continue;
        };
        let same = seen.iter().find(|(other, first)| {
            first.name != alternative.name && may_print_alike(other, &shape)
        });
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

/// A part of a text.
enum Part<'a> {
    Fixed(&'a str),
    /// What is printed in a hole.
    Number,
    OneOf(Vec<&'a str>),
    /// A component or a place.
    Of(&'a str),
    /// So many things.
    Several(i32),
    Anything,
}

/// Whether two texts may come to the same.
fn may_print_alike(one: &[Part<'_>], other: &[Part<'_>]) -> bool {
    let begins_as_number = |it: &&str| it.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let alike = |(one, other): (&Part<'_>, &Part<'_>)| match (one, other) {
        (Part::Fixed(one), Part::Fixed(other)) => one == other,
        (Part::Fixed(_), _) | (_, Part::Fixed(_)) => false,
        (Part::OneOf(words), Part::Number) | (Part::Number, Part::OneOf(words)) => {
            words.iter().any(begins_as_number)
        }
        (Part::OneOf(one), Part::OneOf(other)) => one.iter().any(|it| other.contains(it)),
        (Part::Of(one), Part::Of(other)) => one == other,
        (Part::Several(one), Part::Several(other)) => one == other,
        (Part::Of(_) | Part::Several(_), _) | (_, Part::Of(_) | Part::Several(_)) => true,
        (Part::Number | Part::Anything, _) | (_, Part::Anything) => true,
    };
    one.len() == other.len() && one.iter().zip(other).all(alike)
}

/// Returns the parts of the text of an alternative, if it has one.
fn shape<'a>(alternative: &'a Alternative, index: &Index<'a>) -> Option<Vec<Part<'a>>> {
    let item = index.declared(alternative.name.as_str());
    let action = item.and_then(|it| match &it.kind {
        ItemKind::Action(action) => Some(action),
        _ => None,
    });
    let own = alternative.text.as_ref();
    let text = own.or_else(|| action?.text.as_ref())?;
    let params = action.filter(|_| own.is_none());
    let params = params.map_or(&[][..], |it| it.params.as_slice());
    let parts = text.parts.iter().map(|part| match part {
        TemplatePart::Text(text) => Part::Fixed(text.as_str()),
        TemplatePart::Hole(Expr {
            kind: ExprKind::Name(name),
            ..
        }) => {
            let param = params.iter().find(|it| it.names.contains(name));
            param.map_or(Part::Anything, |it| printed(it, index))
        }
        TemplatePart::Hole(_) => Part::Anything,
    });
    Some(parts.collect())
}

/// Returns what a parameter prints as, as far as its declaration tells.
fn printed<'a>(param: &'a Param, index: &Index<'a>) -> Part<'a> {
    let name = match &param.domain {
        ParamDomain::Type(ty) => match &ty.kind {
            TypeKind::Range(..) => return Part::Number,
            TypeKind::Named(name) => name,
            _ => return Part::Anything,
        },
        ParamDomain::Set(Expr { kind, .. }) => match kind {
            ExprKind::Range { .. } => return Part::Number,
            ExprKind::Name(name) => name,
            ExprKind::Index { base, .. } => match &base.kind {
                ExprKind::Name(name) => name,
                _ => return Part::Anything,
            },
            _ => return Part::Anything,
        },
        ParamDomain::Several { count, .. } => match count.kind {
            ExprKind::Number(count) => return Part::Several(count),
            _ => return Part::Anything,
        },
    };
    let of = match index.declared(name.as_str()).map(|it| &it.kind) {
        Some(ItemKind::Enum(of)) => of,
        Some(ItemKind::Space(_) | ItemKind::Component(_)) => return Part::Of(name.as_str()),
        Some(ItemKind::Zone(zone)) => return Part::Of(zone.component.as_str()),
        _ => return Part::Anything,
    };
    let words = of.values.iter().flat_map(|it| {
        let symbols = it.symbol.iter().chain(&it.plain);
        symbols.map(|it| it.text.as_str()).chain([it.name.as_str()])
    });
    Part::OneOf(words.collect())
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
    let mut fields = HashSet::default();
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

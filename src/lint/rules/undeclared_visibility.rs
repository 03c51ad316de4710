use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::source::Span;
use crate::syntax::ast::{ItemKind, ZoneDecl};

pub(super) const LINT: Lint = Lint {
    code: codes::UNDECLARED_VISIBILITY,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    for placed in &context.index.items {
        let ItemKind::Zone(zone) = &placed.item.kind else {
            continue;
        };
        if zone.visibility.is_some() {
            continue;
        }
        let message = format!("nothing says who sees what lies in `{}`", zone.name);
        found.push(
            Diagnostic::at(codes::UNDECLARED_VISIBILITY, zone.name.span, message)
                .help("write `open`, `hidden` or `seen by owner`; without it everybody sees it")
                .fix("write `open`", vec![(behind(zone), String::from(" open"))]),
        );
    }
}

/// Returns where the word belongs.
fn behind(zone: &ZoneDecl) -> Span {
    let field = zone.fields.last().map(|field| field.span);
    let capacity = zone.capacity.as_ref().map(|it| it.span);
    field
        .or(capacity)
        .unwrap_or(zone.component.span)
        .end_point()
}

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::{Context, Lint};
use crate::syntax::ast::{ItemKind, Ruling};

pub(super) const LINT: Lint = Lint {
    code: codes::ALIKE_RULINGS,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let mut before: Vec<&Ruling> = Vec::new();
    for placed in &context.index.items {
        let ItemKind::Ruling(ruling) = &placed.item.kind else {
            continue;
        };
        let same = |it: &&&Ruling| it.given == ruling.given && it.scenes == ruling.scenes;
        if let Some(other) = before.iter().find(same) {
            let message = format!("`{}` asks what `{}` asks", ruling.id, other.id);
            found.push(
                Diagnostic::at(codes::ALIKE_RULINGS, ruling.id.span, message)
                    .label(other.id.span, "asked here first")
                    .help("make one of the two, which answers both questions"),
            );
        }
        before.push(ruling);
    }
}

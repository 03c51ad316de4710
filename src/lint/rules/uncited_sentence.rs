use crate::diagnostic::{Diagnostic, codes};
use crate::lint::sentences::{self, stretches};
use crate::lint::{Context, Lint};

pub(super) const LINT: Lint = Lint {
    code: codes::UNCITED_SENTENCE,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let cites = sentences::cites(context).chain(sentences::asides(context));
    let cited = cites.flat_map(|(_, cite)| sentences::of_cite(context, cite));
    let Some(cited) = sentences::all(cited) else {
        return;
    };
    for source in sentences::sources(context) {
        let mut missing = sentences::of_source(source);
        missing.retain(|sentence| !cited.contains(sentence));
        if missing.is_empty() {
            continue;
        }
        let (noun, they_hold) = match missing.len() {
            1 => ("sentence", "it holds"),
            _ => ("sentences", "they hold"),
        };
        let message = format!(
            "no clause stands for {} {noun} of `{}`: {}",
            missing.len(),
            source.name,
            stretches(&missing)
        );
        let help = format!(
            "write `cite` at the clause that says the same, or `aside` and why {they_hold} no rule"
        );
        found.push(Diagnostic::at(codes::UNCITED_SENTENCE, source.span, message).help(help));
    }
}

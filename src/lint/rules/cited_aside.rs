use crate::diagnostic::{Diagnostic, codes};
use crate::lint::sentences::{self, stretches};
use crate::lint::{Context, Lint};

pub(super) const LINT: Lint = Lint {
    code: codes::CITED_ASIDE,
    run,
};

/// What a game sets aside, an amendment may bring: both are compared within one file.
fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let cited = sentences::cites(context).flat_map(|(span, cite)| {
        let keys = sentences::of_cite(context, cite);
        keys.into_iter().map(move |key| (span.file, key))
    });
    let asides = sentences::asides(context);
    let asides = asides.flat_map(|(_, cite)| sentences::of_cite(context, cite));
    let (Some(cited), Some(_)) = (sentences::all(cited), sentences::all(asides)) else {
        return;
    };
    for (span, cite) in sentences::asides(context) {
        let mut both = sentences::of_cite(context, cite);
        both.retain(|key| cited.contains(&(span.file, *key)));
        if both.is_empty() {
            continue;
        }
        let message = format!(
            "{} is said to hold no rule, and a clause cites it",
            stretches(&both)
        );
        found.push(
            Diagnostic::at(codes::CITED_ASIDE, cite.span, message)
                .help("take it out of the `aside`, or out of the `cite`"),
        );
    }
}

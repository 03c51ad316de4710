use crate::diagnostic::{Diagnostic, codes};
use crate::lint::sentences::{self, stretches};
use crate::lint::{Context, Lint};

pub(super) const LINT: Lint = Lint {
    code: codes::CITED_TWICE,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let clauses = context.index.clauses.iter();
    for clause in clauses.filter(|it| it.tail.cites.len() > 1) {
        let mut before = Vec::new();
        for cite in &clause.tail.cites {
            let keys = sentences::of_cite(context, cite);
            let mut again = keys.clone();
            again.retain(|key| before.contains(key));
            if !again.is_empty() {
                let message = format!("{} is cited twice here", stretches(&again));
                found.push(
                    Diagnostic::at(codes::CITED_TWICE, cite.span, message).help("cite it once"),
                );
            }
            before.extend(keys);
        }
    }
}

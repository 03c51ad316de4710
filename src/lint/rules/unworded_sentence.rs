use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::sentences::{self, Key, stretches};
use crate::lint::{Context, Lint};
use crate::syntax::ast::ItemKind;

pub(super) const LINT: Lint = Lint {
    code: codes::UNWORDED_SENTENCE,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let items = context.index.items.iter().map(|it| &it.item.kind);
    let lists = items.filter_map(|kind| match kind {
        ItemKind::Sentences(list) => Some(list),
        _ => None,
    });
    let mut begun: HashSet<&str> = HashSet::default();
    let mut worded: HashSet<Key<'_>> = HashSet::default();
    for list in lists {
        begun.insert(&list.source.text);
        let keys = list.sentences.iter();
        worded.extend(keys.map(|it| sentences::key(&list.source.text, &it.id)));
    }
    for source in sentences::sources(context) {
        let mut missing = sentences::of_source(source);
        missing.retain(|sentence| !worded.contains(sentence));
        // A source of which nothing is told is cited for those who have it at hand.
        if missing.is_empty() || !begun.contains(source.name.text.as_str()) {
            continue;
        }
        let message = format!(
            "the list of what `{}` says leaves out {}",
            source.name,
            stretches(&missing)
        );
        found.push(
            Diagnostic::at(codes::UNWORDED_SENTENCE, source.span, message)
                .help("say in `sentences` what they say, in your own words"),
        );
    }
}

use rustc_hash::FxHashSet as HashSet;

use crate::diagnostic::{Diagnostic, codes};
use crate::lint::index::Use;
use crate::lint::{Context, Lint};
use crate::syntax::ast::{Intent, ItemKind, Name, Ruling};

pub(super) const LINT: Lint = Lint {
    code: codes::UNANSWERED_QUESTION,
    run,
};

fn run(context: &Context<'_>, found: &mut Vec<Diagnostic>) {
    let rulings: Vec<&Ruling> = context
        .index
        .items
        .iter()
        .filter_map(|placed| match &placed.item.kind {
            ItemKind::Ruling(ruling) => Some(ruling),
            _ => None,
        })
        .collect();
    let in_rules = |it: &&Use<'_>| !context.index.in_ruling(it.item);
    let uses = context.index.uses.iter().filter(in_rules);
    let asked: HashSet<&str> = uses.map(|it| it.name.as_str()).collect();
    for (_, item, name) in context.index.declarations() {
        let ItemKind::Setting(setting) = &item.kind else {
            continue;
        };
        // A question that changes nothing is a finding of its own.
        if !asked.contains(name.as_str()) && setting.all_edits().next().is_none() {
            continue;
        }
        let answered = rulings.iter().any(|ruling| ruling.answers.contains(name));
        if setting.intent == Intent::Option || answered {
            continue;
        }
        let message = format!("no ruling shows what the readings of `{name}` come to");
        let finding = Diagnostic::at(codes::UNANSWERED_QUESTION, name.span, message);
        found.push(match rulings.iter().find(|ruling| plays(ruling, name)) {
            Some(ruling) => answer(finding, ruling, name),
            None => finding.help(format!(
                "write `ruling ID \"…\" answers {name} {{ expect … }}`, with an `expect` for each reading"
            )),
        });
    }
}

/// Returns whether a ruling is played under a reading of the question.
fn plays(ruling: &Ruling, question: &Name) -> bool {
    let expects = ruling.expects().into_iter();
    let mut settings = expects.flat_map(|expect| expect.under);
    settings.any(|under| under.setting.segments.first() == Some(question))
}

fn answer(finding: Diagnostic, ruling: &Ruling, question: &Name) -> Diagnostic {
    let (place, text) = match ruling.answers.last() {
        Some(last) => (last.span.end_point(), format!(", {question}")),
        None => (
            ruling.title.span.end_point(),
            format!(" answers {question}"),
        ),
    };
    finding
        .label(ruling.id.span, "this one plays under its readings")
        .help(format!(
            "write `answers {question}` behind the title of `{}`",
            ruling.id
        ))
        .fix(format!("write `answers {question}`"), vec![(place, text)])
}

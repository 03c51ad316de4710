//! Why something cannot be chosen, as people say it.

use crate::engine::write_expr;
use crate::model::text::{first_sentence, spelt};
use crate::model::{Action, ClauseId, DefineId, Expr, ExprKind, Game, Over};

/// The set that a parameter is drawn from, with its action.
fn set_of(game: &Game, clause: ClauseId) -> Option<(&Action, &Expr)> {
    let mut params = game
        .actions
        .iter()
        .flat_map(|action| action.params.iter().map(move |it| (action, it)));
    let (action, param) = params.find(|(_, it)| it.clause == clause)?;
    match &param.over {
        Over::Set(set) => Some((action, set)),
        Over::Zone(_) | Over::Span(..) => None,
    }
}

/// The definition that says what a parameter may be.
pub(super) fn drawn_from(game: &Game, clause: ClauseId) -> Option<DefineId> {
    match set_of(game, clause)?.1.kind {
        ExprKind::Call(define, _) => Some(define),
        _ => None,
    }
}

/// Why a clause does not hold, for people: of a set that has a name, what the rulebook says of it. Only the seat itself has things
/// that are `your` ones.
pub(super) fn for_people(game: &Game, clause: ClauseId, message: &str, to_seat: bool) -> String {
    let in_words = || {
        let (action, set) = set_of(game, clause)?;
        let written = format!(" is not in {}", write_expr(game, set));
        let what = message.strip_suffix(&written)?;
        match &set.kind {
            ExprKind::Call(define, args) => {
                let define = game.defines.get(define.index())?;
                let said = &game.clauses.get(define.clause.index())?.text;
                if let Some(said) = gone_on(first_sentence(said).trim_end_matches('.')) {
                    return Some(format!("{what} is not one of these: {said}"));
                }
                let [whose] = args.as_slice() else {
                    return None;
                };
                let is_own = matches!(whose.kind, ExprKind::Local(it) if it == action.me);
                (to_seat && is_own)
                    .then(|| format!("{what} is not among your {}", spelt(&define.name)))
            }
            ExprKind::Frontier(zone) => {
                let zone = spelt(&game.zones.get(zone.index())?.name);
                Some(format!(
                    "{what} is not a free spot beside what lies on the {zone}"
                ))
            }
            _ => None,
        }
    };
    in_words().unwrap_or_else(|| message.to_owned())
}

/// A sentence as it goes on behind a colon; none of an empty one.
fn gone_on(said: &str) -> Option<String> {
    let first = said.chars().next()?;
    let rest = said.get(first.len_utf8()..)?;
    // A name keeps its capital letter.
    let is_name = rest.starts_with(|it: char| !it.is_lowercase() && it != ' ');
    Some(match is_name {
        true => said.to_owned(),
        false => format!("{}{rest}", first.to_lowercase()),
    })
}

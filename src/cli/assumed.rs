//! What a rulebook had to assume, because the printed rules do not say it.

use crate::model::text::Form;
use serde::Serialize;

use crate::engine::Value;
use crate::engine::text::{print, print_index};
use crate::model::{Base, ClauseKind, DomainKind, Game};
use crate::play::setting_value;
use crate::source::Sources;

/// The word of `status` that says so.
const WORD: &str = "assumed";

/// An assumed piece of a rulebook.
#[derive(Serialize)]
pub struct Assumed {
    /// Its address.
    pub clause: String,
    /// Where it is written.
    pub place: String,
    /// Whether it is data, like what stands on a card, and not a choice among readings.
    pub data: bool,
    /// What was assumed: each row of a table, the names of a list, the value of a setting.
    pub values: Vec<String>,
}

/// Lists what is assumed, in the order of the rulebook.
pub fn all(game: &Game, sources: &Sources) -> Vec<Assumed> {
    let assumed = game.clauses.iter().enumerate().filter(|(_, clause)| {
        clause.status.as_deref() == Some(WORD)
            && matches!(clause.kind, ClauseKind::Data | ClauseKind::Setting)
    });
    assumed
        .map(|(number, clause)| Assumed {
            clause: clause.path.clone(),
            place: sources.place(clause.span),
            data: clause.kind == ClauseKind::Data,
            values: values(game, number, &clause.path),
        })
        .collect()
}

/// Returns the names of assumed data, in the order of the rulebook.
pub fn data(game: &Game) -> Vec<&str> {
    let data = game
        .clauses
        .iter()
        .filter(|clause| clause.status.as_deref() == Some(WORD) && clause.kind == ClauseKind::Data);
    data.map(|clause| clause.path.as_str()).collect()
}

fn values(game: &Game, number: usize, path: &str) -> Vec<String> {
    if let Some(table) = game.tables.iter().find(|it| it.clause.index() == number) {
        let row = |at: usize| {
            let words: Vec<u64> = table.cell(at)?.iter().map(|it| *it as u64).collect();
            let value = match table.ty.base {
                Base::Set(_) => Value::Set(words),
                _ => Value::Scalar(*words.first()? as i64),
            };
            let value = print(game, table.ty, &value, Form::Plain);
            let at = print_index(game, &table.index, at, Form::Plain);
            Some(format!("{}[{at}] = {value}", table.name))
        };
        return table.rows.iter().filter_map(|(at, _)| row(*at)).collect();
    }
    if let Some(setting) = game.settings.iter().find(|it| it.clause.index() == number) {
        let value = setting_value(game, setting, setting.value);
        return vec![format!("{} = {value}", setting.name)];
    }
    match game
        .domains
        .iter()
        .find(|domain| domain.name == path)
        .map(|domain| &domain.kind)
    {
        Some(DomainKind::Enum { values, .. }) => {
            let names: Vec<&str> = values.iter().map(|value| value.name.as_str()).collect();
            vec![format!("{path} = {}", names.join(", "))]
        }
        _ => vec![path.to_owned()],
    }
}

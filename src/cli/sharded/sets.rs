//! Rulings under a part of many rule sets: what came of each is a line of JSON behind its number.

use super::{Part, Plan, part};
use crate::cli::commands::matrix::columns;
use crate::cli::{CliError, Ui};
use crate::diagnostic::codes;
use crate::lab::Numbers;
use crate::model::Game;
use crate::ruling::{Column, Matrix};

/// Runs the rulings under the rule sets of a part; nothing if somebody has asked to stop.
pub fn play(
    plan: &Plan,
    number: u64,
    game: &Game,
    ui: &mut Ui<'_>,
) -> Result<Option<Part>, CliError> {
    let of = plan.of_part(number);
    let mut shown = None;
    let sets = of.first..of.first + of.games;
    let columns = columns(&plan.on_shelf()?, game, sets, &mut |sets| {
        ui.watched(&mut shown, || format!("{sets} of {} rule sets", of.games))
    })?;
    ui.progress("");
    if columns.stopped {
        return Ok(None);
    }
    if columns.left_out > 0 {
        return Err(CliError::new(
            codes::BAD_PLAN,
            format!("part {number} takes more work than one command may"),
            "plan more parts: `--of N`",
        ));
    }
    let numbered = (of.first..).zip(&columns.all);
    let numbers = numbered.map(|(at, column)| {
        // Nothing in it cannot be written.
        let text = serde_json::to_string(column).unwrap_or_default();
        (format!("{at:08} {text}"), 1)
    });
    Ok(Some(Part::new(plan, number, numbers.collect::<Numbers>())))
}

/// Adds what came of the rule sets of a part.
pub fn put_back(plan: &Plan, path: &str, part: Part, matrix: &mut Matrix) -> Result<(), CliError> {
    let number = part.number();
    let of = plan.of_part(number);
    let numbers = part.into_numbers();
    if numbers.len() as u64 != of.games {
        let why = format!(
            "it has {} rule sets in place of {}",
            numbers.len(),
            of.games
        );
        return Err(part::damaged(path, number, &why));
    }
    for (at, line) in (of.first..).zip(numbers.keys()) {
        let text = line.strip_prefix(&format!("{at:08} "));
        let column = text.and_then(|it| serde_json::from_str::<Column>(it).ok());
        match column {
            Some(column) => matrix.add(column),
            None => {
                let why = format!("rule set {at} cannot be so");
                return Err(part::damaged(path, number, &why));
            }
        }
    }
    Ok(())
}

//! Sheets of figures: what a definition gives each seat for each member of a list.

use serde::Serialize;

use super::tableau::value;
use crate::engine::text::print_value;
use crate::engine::{Fault, Machine, Viewer};
use crate::model::text::Form;
use crate::model::{Base, DefineId, Game, ShownWhat, Type};

/// A sheet of figures: those of a seat and of each member of a list.
#[derive(Serialize)]
pub struct Sheet {
    /// Its name.
    pub title: String,
    /// One for each member.
    pub lines: Vec<Line>,
    /// The sums of the seats.
    pub totals: Vec<i64>,
}

/// A line of a sheet.
#[derive(Serialize)]
pub struct Line {
    /// What it is for.
    pub name: String,
    /// By seat.
    pub figures: Vec<i64>,
}

/// The sheets of figures, with all that the referee sees.
pub fn sheets(machine: &mut Machine<'_>) -> Result<Vec<Sheet>, Fault> {
    let game = &*machine.program().game;
    let mut sheets = Vec::new();
    for shown in &game.shown {
        let ShownWhat::Define(id) = shown.what else {
            continue;
        };
        let Some(members) = list_of(game, id) else {
            continue;
        };
        let mut lines = Vec::new();
        for (member, name) in (0..).zip(members) {
            let mut figures = Vec::new();
            for seat in 0..game.n_seats {
                let args = [i64::from(seat), member];
                figures.extend(value(machine, Viewer::Referee, id, &args)?);
            }
            lines.push(Line { name, figures });
        }
        let of_seat = |seat: usize| lines.iter().filter_map(move |it| it.figures.get(seat));
        let totals = 0..game.n_seats as usize;
        let totals = totals.map(|seat| of_seat(seat).sum()).collect();
        sheets.push(Sheet {
            title: shown.label.clone(),
            totals,
            lines,
        });
    }
    Ok(sheets)
}

/// The names of the list that a definition needs besides a seat.
fn list_of(game: &Game, id: DefineId) -> Option<Vec<String>> {
    let define = game.defines.get(id.index())?;
    let [_, list] = define.params.as_slice() else {
        return None;
    };
    let ty = game.locals.get(list.index())?.ty;
    let Base::Elem(domain) = ty.base else {
        return None;
    };
    let size = i64::try_from(game.domains.get(domain.index())?.size).ok()?;
    let name = |member| print_value(game, Type::of(Base::Elem(domain)), member, Form::Signs);
    Some((0..size).map(name).collect())
}

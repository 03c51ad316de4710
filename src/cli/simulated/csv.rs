//! One line for each game, for other programs.

use super::super::files::Growing;
use crate::cli::{CliError, Ui};
use crate::engine::Program;
use crate::lab::{Course, End};
use crate::model::text::Form;
use crate::model::{Alike, Measure, Moment, ProcKind};
use crate::play::figures::figures_of;
use crate::play::seat_name;

/// The names of the columns.
pub fn header(program: &Program) -> String {
    line(&columns(program))
}

/// The names of the columns of pairs: the seed, and all others once for each side.
pub fn pair_header(programs: [&Program; 2]) -> String {
    let mut all = vec![String::from("seed")];
    for (side, program) in ["A", "B"].iter().zip(programs) {
        let own = columns(program).into_iter().skip(1);
        all.extend(own.map(|it| format!("{side} {it}")));
    }
    line(&all)
}

/// Writes the lines of pairs.
pub fn write_pairs(
    to: &mut Growing,
    programs: [&Program; 2],
    pairs: &[[Course; 2]],
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let n_figures = programs.map(most_figures);
    for [first, second] in pairs {
        let mut cells = cells(programs[0], first, n_figures[0]);
        cells.extend(
            self::cells(programs[1], second, n_figures[1])
                .into_iter()
                .skip(1),
        );
        to.part(&line(&cells), ui)?;
    }
    Ok(())
}

fn columns(program: &Program) -> Vec<String> {
    let game = &program.game;
    let seats: Vec<String> = (0..game.n_seats)
        .map(|it| seat_name(game, it, Form::Plain))
        .collect();
    let mut columns: Vec<String> = ["seed", "end", "choices", "turns", "first"]
        .map(str::to_owned)
        .into();
    columns.extend(seats.iter().map(|seat| format!("place {seat}")));
    for at in 1..=most_figures(program) {
        columns.extend(seats.iter().map(|seat| format!("figure {at} {seat}")));
    }
    for measure in &game.measures {
        columns.extend(measured(measure));
    }
    columns
}

/// The columns of a measure: its value at the end, or how often it was taken and what came of it.
fn measured(it: &Measure) -> impl Iterator<Item = String> {
    let columns: &[&str] = match it.moment {
        Moment::End => &[""],
        Moment::Turn | Moment::When(_) => &["times", "sum", "least", "most"],
    };
    let columns = columns.iter();
    columns.map(|column| format!("{} {column}", it.name).trim_end().to_owned())
}

fn taken(of: &Measure, values: &[i64]) -> Vec<String> {
    let told = |it: Option<&i64>| it.map_or_else(String::new, i64::to_string);
    match of.moment {
        Moment::End => vec![told(values.first())],
        Moment::Turn | Moment::When(_) => {
            let sum: i128 = values.iter().map(|it| i128::from(*it)).sum();
            vec![
                values.len().to_string(),
                sum.to_string(),
                told(values.iter().min()),
                told(values.iter().max()),
            ]
        }
    }
}

/// The most figures that an ending ranks by.
fn most_figures(program: &Program) -> usize {
    let procs = program.game.procs.iter();
    let endings = procs.filter(|it| it.kind == ProcKind::Ending);
    let counts = endings.filter_map(|it| figures_of(&program.game, &it.name));
    counts.map(|it| it.len()).max().unwrap_or(0)
}

/// Writes the lines of games.
pub fn write(
    to: &mut Growing,
    program: &Program,
    courses: &[Course],
    ui: &mut Ui<'_>,
) -> Result<(), CliError> {
    let n_figures = most_figures(program);
    for course in courses {
        to.part(&line(&cells(program, course, n_figures)), ui)?;
    }
    Ok(())
}

fn cells(program: &Program, course: &Course, n_figures: usize) -> Vec<String> {
    let game = &program.game;
    let seats = 0..game.n_seats as usize;
    let first = course.order.first();
    let mut cells = vec![
        course.seed.to_string(),
        match &course.end {
            End::Judged(outcome) => {
                let ending = game.procs.get(outcome.ending.index());
                ending.map_or_else(String::new, |it| it.name.clone())
            }
            End::Fault(fault) => format!("fault {}", fault.diagnostic().code.id()),
            End::Overlong => String::from("left off"),
        },
        course.choices.to_string(),
        course.turns.to_string(),
        first.map_or_else(String::new, |it| seat_name(game, *it, Form::Plain)),
    ];
    let End::Judged(outcome) = &course.end else {
        let measures: usize = game.measures.iter().map(|it| measured(it).count()).sum();
        cells.resize(
            cells.len() + game.n_seats as usize * (1 + n_figures) + measures,
            String::new(),
        );
        return cells;
    };
    // Where all have lost nobody is in any place.
    let nobody = outcome.alike == Some(Alike::NobodyWins);
    let place = |it: &u32| {
        if nobody {
            String::new()
        } else {
            it.to_string()
        }
    };
    cells.extend(outcome.places.iter().map(place));
    let ending = game.procs.get(outcome.ending.index());
    let ranked = ending.and_then(|it| figures_of(game, &it.name));
    let ranked = ranked.unwrap_or_default();
    for at in 0..n_figures {
        cells.extend(seats.clone().map(|seat| {
            let figure = outcome.keys.get(seat).and_then(|it| it.get(at));
            match (ranked.get(at), figure) {
                (Some(of), Some(figure)) if of.least => (-figure).to_string(),
                (Some(_), Some(figure)) => figure.to_string(),
                _ => String::new(),
            }
        }));
    }
    for (of, found) in game.measures.iter().zip(&course.taken) {
        cells.extend(taken(of, &found.values));
    }
    cells
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|it| quoted(it)).collect();
    cells.join(",") + "\n"
}

/// A cell as RFC 4180 has it.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

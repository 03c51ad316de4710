//! What is different about what seats see and know under two rule sets.

use super::Outcome;
use super::line::behind;
use crate::cli::simulated::words::grouped;
use crate::lab::{self, Seeing, Sighting, Sights, Tried};
use crate::model::Game;
use crate::model::text::Form;
use crate::play::seat_name;

/// Says what was compared of what seats see in games that were played in step, or in lines that were followed.
pub fn in_sight(it: &Outcome, tried: &Tried, form: Form) -> Vec<String> {
    let programs = it.sides.each_ref().map(|it| &it.program);
    let first = tried.sights.first;
    let first = first.and_then(|(_, choices, seed)| lab::sighted_again(programs, choices, seed));
    // Where all lies open, who sees what is a question only if something differs.
    if first.is_none() && !programs.iter().any(|it| lab::hides(it)) {
        return Vec::new();
    }
    let all = &tried.sights;
    let part = match &it.played {
        Some((plan, ..)) if plan.games > plan.looks => {
            format!(" of the first {} games", grouped(plan.looks))
        }
        _ => String::new(),
    };
    let line = sights(&programs[0].game, (all, &part), first.as_ref(), form);
    Some(line).filter(|it| !it.is_empty()).into_iter().collect()
}

/// Says what was compared of what seats see, of which part of the games; nothing where nothing was.
pub fn sights(
    game: &Game,
    (all, part): (&Sights, &str),
    first: Option<&Sighting>,
    form: Form,
) -> String {
    let looked = grouped(all.looked);
    match (all.looked, first) {
        (0, _) => String::new(),
        (_, None) => {
            format!(
                "who sees and knows what is the same in {looked} positions{part} that both come to"
            )
        }
        (_, Some(it)) => {
            let seat = seat_name(game, it.seat, form);
            let (side, other) = if it.by == 0 { ("A", "B") } else { ("B", "A") };
            let (_, choices, _) = all.first.unwrap_or_default();
            let sees = match &it.what {
                Seeing::Place(at) => {
                    format!("{seat} sees of {at} more under {side} than under {other}")
                }
                Seeing::Kind(of, kind) => format!(
                    "{seat} knows where more of `{of} {kind}` lies under {side} than under {other}"
                ),
                Seeing::Moment(of, kind) => {
                    format!("{seat} sees `{of} {kind}` for a moment under {side} only")
                }
                Seeing::Told(words) => format!("{seat} is told `{words}` under {side} only"),
                Seeing::Track(name) => format!("{seat} sees {name}, which only {side} has"),
                Seeing::Value(name) => format!("{seat} sees something else in {name}"),
                Seeing::Words([a, b]) => {
                    format!("{seat} is offered `{a}` in A, and the same move as `{b}` in B")
                }
            };
            format!(
                "in {} of {looked} positions{part} somebody sees or knows something else{}: first {}, {sees}",
                grouped(all.differ),
                match all.alone {
                    0 => String::new(),
                    n if n == all.differ => String::from(", only what one of them alone has"),
                    n => format!(
                        ", in {} of these only what one of them alone has",
                        grouped(n)
                    ),
                },
                behind(usize::try_from(choices).unwrap_or(usize::MAX)),
            )
        }
    }
}

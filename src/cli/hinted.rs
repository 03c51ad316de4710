//! Advice: what the best moves came to in games played on from a position.

use crate::model::text::Form;
use std::time::Duration;

use serde::Serialize;

use super::commands::check::counted;
use super::simulated::words::{decimal, grouped, percent};
use super::thinking::Watch;
use super::{CliError, Ui, show};
use crate::engine::{Dice, Machine, Move, PlayError, State, Viewer};
use crate::mind::{Budget, Mind, Question, Thinker, Weighed, ponder};
use crate::play::entries::wrapped;
use crate::play::seat_name;
use crate::stats::{self, LEVEL};
use crate::study::names_winners;

/// Moves that are told.
const TOLD: usize = 3;
/// Deals in which a reply is looked for that was mostly played.
const MOST_DEALS: usize = 64;
/// Choices of a game that is played on to see why it stops.
const MOST_CHOICES: usize = 1000;
/// Half an interval that says little.
const VAGUE: f64 = 0.1;
/// How long is thought where a person waits.
pub const AT_THE_PROMPT: Budget = Budget::Time(Duration::from_secs(1));

/// What is advised.
#[derive(Serialize)]
pub struct Hint {
    seat: String,
    /// Games played on.
    games: u32,
    /// Deals in which the rules stopped with a fault.
    #[serde(skip_serializing_if = "is_none")]
    faults: u32,
    /// Tracks of which each value that the seat does not see was dealt by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_value: Vec<String>,
    moves: Vec<Advised>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde calls"
)]
fn is_none(n: &u32) -> bool {
    *n == 0
}

#[derive(Serialize)]
struct Advised {
    #[serde(rename = "move")]
    printed: String,
    games: u32,
    /// The part of the games that it won, shared places in parts.
    wins: f64,
    low: f64,
    high: f64,
    /// Whether it surely wins, or surely loses, whatever the other side does or if that plays well.
    #[serde(skip_serializing_if = "Option::is_none")]
    surely: Option<&'static str>,
    /// Within so many choices that is, this one included.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<u32>,
    /// By how much it was ahead of the best of the others.
    ahead: f64,
    /// The first figure in the end, of who chooses and then of the others; nothing where the rules say who wins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    figures: Vec<f64>,
    /// What mostly followed.
    then: Vec<String>,
    /// The part of the games in which the first of that did.
    #[serde(skip_serializing_if = "Option::is_none")]
    followed: Option<f64>,
}

impl Hint {
    /// What is advised to the seat that has to choose.
    ///
    /// # Errors
    /// Why no game can be played on.
    pub fn of<'p>(
        by: &Thinker<'p>,
        machine: &Machine<'p>,
        seat: u32,
        (budget, seed): (Budget, u64),
        watch: &Watch,
        form: Form,
    ) -> Result<Hint, String> {
        let about = Question {
            mind: Mind::Tree(budget),
            seat,
            seed,
            cut: None,
            only: &[],
        };
        let thought = ponder(by, machine, about, watch.means());
        let best = thought.ranked();
        if thought.games == 0 && watch.has_stopped() {
            return Err(String::from("it was stopped before a game was played on"));
        }
        if best.is_empty() {
            return Err(why_none(machine, seat, form));
        }
        let root = machine.save();
        let is_told = !names_winners(&machine.program().game);
        let moves = best.into_iter().take(TOLD).map(|it| {
            let line = told(machine, &root, seat, it, form);
            let n_seats = machine.program().game.n_seats;
            let seats = (seat..n_seats).chain(0..seat);
            let figures = seats.filter(|_| is_told).map(|seat| it.figure(seat));
            let share = it.wins(seat);
            let hits = (share * f64::from(it.games)).round() as u64;
            let interval = stats::share(hits, u64::from(it.games), LEVEL);
            Advised {
                printed: line.printed,
                games: it.games,
                wins: share,
                low: interval.low,
                high: interval.high,
                surely: it.certain.map(|it| if it.wins { "wins" } else { "loses" }),
                within: it.certain.map(|it| it.within),
                ahead: it.margin(),
                figures: figures.collect(),
                then: line.then,
                followed: line.followed,
            }
        });
        Ok(Hint {
            seat: seat_name(&machine.program().game, seat, form),
            games: thought.games,
            faults: thought.faults,
            by_value: dealt_by_value(machine, seat),
            moves: moves.collect(),
        })
    }

    /// Whether what the first move came to may as well be luck.
    pub fn tells_little(&self) -> bool {
        let first = self.moves.first();
        first.is_some_and(|it| (it.high - it.low) / 2.0 > VAGUE)
    }

    /// Tells it to people.
    pub fn show(&self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let games = grouped(self.games);
        ui.line(format!(
            "of {games} games, dealt from what {} has seen",
            self.seat
        ))?;
        if !self.by_value.is_empty() {
            let names: Vec<String> = self.by_value.iter().map(|it| format!("`{it}`")).collect();
            let text = format!(
                "each value of {} by itself, for no deal was found in which {} would have seen all that it saw: all of them together may be what the rules never bring about",
                names.join(", "),
                self.seat
            );
            ui.line(show::paragraph(&text, ui))?;
        }
        let width = self.moves.iter().map(|it| it.printed.chars().count()).max();
        let width = width.unwrap_or(0);
        for it in &self.moves {
            let radius = percent((it.high - it.low) / 2.0);
            let off = if ui.plain { "give or take " } else { "±" };
            let won = format!("wins {:>7} {off}{radius}", percent(it.wins));
            let side = if it.ahead < 0.0 { "behind" } else { "ahead" };
            let figures: Vec<String> = it.figures.iter().map(|it| decimal(*it)).collect();
            let by = decimal(it.ahead.abs());
            // Each number is a mean of its own: of several rivals not the same one is the best in each game.
            let ahead = match figures.as_slice() {
                [] => format!("{side} by {by}"),
                [own, rivals @ ..] if rivals.len() > 1 => {
                    let side = if it.ahead < 0.0 { "behind" } else { "ahead of" };
                    let rivals = rivals.join(", ");
                    format!("{by} {side} the best of the others ({own}; the others {rivals})")
                }
                both => format!("{side} by {by} ({})", both.join(" to ")),
            };
            let mut told = vec![format!("{:width$}", it.printed), won];
            if let (Some(surely), Some(within)) = (it.surely, it.within) {
                let choices = counted(within as usize, "choice");
                told.push(format!("surely {surely} within {choices}"));
            }
            told.push(ahead);
            if let (Some((first, rest)), Some(share)) = (it.then.split_first(), it.followed) {
                let rest = rest.iter().map(|it| format!(", {it}"));
                let rest: String = rest.collect();
                told.push(format!("then {first} ({}){rest}", percent(share)));
            }
            let line = match ui.on_terminal() {
                true => wrapped("  ", &told, "  ", show::text_width(ui)),
                false => format!("  {}", told.join("  ")),
            };
            ui.line(line.trim_end())?;
        }
        Ok(())
    }
}

/// The tracks of which several values that a seat does not see are dealt, each by itself.
fn dealt_by_value(machine: &Machine<'_>, seat: u32) -> Vec<String> {
    let program = machine.program();
    let mut here = Machine::new(program);
    here.load(&machine.save());
    here.recall(machine.knowledge().clone());
    let mut dealer = here.dealer(seat);
    here.deal(&mut dealer, &mut Dice::new(u64::from(seat)));
    let names = dealer.dealt_by_value(&program.game).into_iter();
    names.map(str::to_owned).collect()
}

/// Why no game can be played on from what a seat knows: what it does not see, and what comes of dealing that anew.
pub fn why_none(machine: &Machine<'_>, seat: u32, form: Form) -> String {
    let program = machine.program();
    let game = &program.game;
    let mut here = Machine::new(program);
    here.load(&machine.save());
    here.recall(machine.knowledge().clone());
    let mut dealer = here.dealer(seat);
    let name = seat_name(game, seat, form);
    if let Some(local) = dealer.tied() {
        let local = game.locals.get(local.index());
        let local = local.map_or("", |it| it.name.as_str());
        return format!(
            "{name} may not know `{local}`, and much that has happened since may hang on it: nothing can be dealt anew"
        );
    }
    let unseen: Vec<String> = dealer
        .dealt(game)
        .iter()
        .map(|it| format!("`{it}`"))
        .collect();
    let unseen = match unseen.as_slice() {
        [] => String::from("what others have chosen"),
        names => names.join(", "),
    };
    let mut dice = Dice::new(u64::from(seat));
    let stops = (0..MOST_DEALS).find_map(|round| {
        if !here.deal(&mut dealer, &mut dice) {
            return None;
        }
        for choice in 0..MOST_CHOICES {
            let n = here.moves().len().max(1);
            match here.play_nth((round + choice) % n, &mut dice) {
                Ok(_) => {}
                Err(PlayError::Fault(fault)) => return Some(fault.diagnostic()),
                Err(PlayError::Illegal | PlayError::Over) => return None,
            }
        }
        None
    });
    match stops {
        Some(_) if dealer.is_certain() => String::from("the rules stop in each game played on"),
        Some(found) => format!(
            "{name} does not see all of {unseen}, and wherever that is dealt anew the rules stop: {}: {}",
            found.code, found.message
        ),
        None => format!("{name} does not see all of {unseen}, and no other deal of it fits"),
    }
}

/// A move, and what mostly followed it.
struct Line {
    printed: String,
    then: Vec<String>,
    followed: Option<f64>,
}

/// A move as it is printed, and what mostly followed it, as the seat would be told: in the first of several deals in which
/// that can follow.
fn told(machine: &Machine<'_>, root: &State, seat: u32, weighed: &Weighed, form: Form) -> Line {
    let mut here = Machine::new(machine.program());
    here.load(root);
    here.recall(machine.knowledge().clone());
    let mut dealer = here.dealer(seat);
    let mut dice = Dice::new(u64::from(seat));
    // In a deal, so that nothing is told of what lies there in truth.
    let mut is_dealt = here.deal(&mut dealer, &mut dice);
    let mut line = Line {
        printed: here.name(weighed.mv, form),
        then: Vec::new(),
        followed: None,
    };
    let Some(reply) = weighed.replies.first() else {
        return line;
    };
    for _ in 0..MOST_DEALS {
        if is_dealt && here.play(weighed.mv, &mut dice).is_ok() && here.moves().contains(&reply.mv)
        {
            line.then.push(of_whom(&mut here, seat, reply.mv, form));
            line.followed = Some(f64::from(reply.times) / f64::from(weighed.games.max(1)));
            if let Some(next) = reply.next
                && here.play(reply.mv, &mut dice).is_ok()
                && here.moves().contains(&next)
            {
                line.then.push(of_whom(&mut here, seat, next, form));
            }
            break;
        }
        is_dealt = here.deal(&mut dealer, &mut dice);
    }
    line
}

fn of_whom(here: &mut Machine<'_>, seat: u32, mv: Move, form: Form) -> String {
    let printed = here.print_for(&[Viewer::Seat(seat)], mv, form);
    match here.status() {
        crate::engine::Status::Choice { seat: other } if other != seat => {
            let name = seat_name(&here.program().game, other, form);
            format!("{name}: {printed}")
        }
        _ => printed,
    }
}

use crate::model::sides;
use crate::model::text::Form;
use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;

use crate::cli::load::{self, Asked};
use crate::cli::reviewed::{Judged, Review, TOLD};
use crate::cli::thinking::Watch;
use crate::cli::{CliError, Exit, Ui, commands, files};
use crate::diagnostic::codes;
use crate::engine::{Knowledge, Machine, State, Status};
use crate::mind::{Budget, Mind, Question, Thinker, Thought, ponder};
use crate::play::transcript::{Record, Transcript};
use crate::play::{Chosen, Compare, Happening, Player, each_choice, replay, seat_name};
use crate::source::Sources;

/// Games played on from each choice.
const GAMES: u32 = 400;

/// Say how the chances of a game went, and what swung them.
///
/// The five largest swings are parted in choice and luck. From each choice games are played on, dealt from what its seat knew then: once to find the best move, and then with that move
/// and the one that was made, which meet the same deals and the same luck. Where swings are largest, four times as many are played again, so that none is told because luck was odd. They are played on by luck, so the shares say which move is better rather than how a game
/// between good players ends. Forced choices are left out.
#[derive(Args, Debug)]
pub struct ReviewArgs {
    /// The transcript
    file: String,
    /// Only the choices of this seat, and what it knew
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// Games played on from each choice
    #[arg(long, value_name = "N", default_value_t = GAMES, value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    iterations: u32,
    /// Draw the chances into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Swings that are looked at again, and how many times as many games are played then.
const AGAIN: usize = 2 * TOLD;
const CLOSER: u32 = 4;

/// What a choice came to, before it is known what followed.
struct Looked {
    chosen: Chosen,
    judged: Judged,
    /// Where it was made.
    at: (State, Knowledge),
    /// Outcomes of chance before it, and choices of whoever had one.
    behind: (usize, usize),
    /// Whether its seat saw all that may differ.
    sees_all: bool,
    /// Whether the next choice stands where this one led.
    is_alike: bool,
    /// By seat: what it wins with the best move, and with the one that was made.
    best: Vec<f64>,
    made: Vec<f64>,
    /// By seat: what it wins where a search chooses.
    searched: Vec<f64>,
}

/// Looks a game through.
pub fn run(args: &ReviewArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let path = args.file.as_str();
    let text = load::read_text_or_input(ui, path)?;
    let about = |rules: &Sources, problem| CliError::about(rules, &problem, path, &text);
    let transcript = Transcript::read(&text).map_err(|it| about(&Sources::new(), it))?;
    let loaded = load::load(Asked::by(&transcript.header, path, None)?)?;
    let program = &loaded.program;
    program.unbound_work();
    let whole = replay(program, &transcript, Compare::Meaning);
    let mut whole = whole.map_err(|it| about(&loaded.sources, it))?;
    let game = &program.game;
    let only = match &args.seat {
        Some(name) => Some(commands::seat_of(game, name)?),
        None => None,
    };
    let thinker = Thinker::new(program);
    let watch = Watch::begin();
    let mut all: Vec<Option<Looked>> = Vec::new();
    let (n_choices, mut n_free) = (whole.n_choices(), 0);
    let form = ui.form();
    each_choice(program, &whole, &mut |session, happening| {
        let machine = session.machine();
        match happening {
            Happening::Made => {}
            Happening::Undone => {
                all.pop();
            }
            Happening::Choice(chosen) => {
                ui.progress(&format!("choice {} of {n_choices}", chosen.nth + 1));
                let is_free = machine.moves().len() > 1;
                let asked = only.is_none_or(|it| it == chosen.seat) && is_free;
                let look = || look(&thinker, machine, chosen, args.iterations, &watch, form);
                let mut looked = asked.then(look).flatten();
                let outcomes = session.records().iter();
                let n_outcomes = outcomes.filter(|it| matches!(it, Record::Chance(_)));
                if let Some(looked) = &mut looked {
                    looked.behind = (n_outcomes.count(), n_free);
                }
                n_free += usize::from(is_free);
                all.push(looked);
            }
        }
        Ok(!ui.is_stopped())
    })
    .map_err(|it| about(&loaded.sources, it))?;
    ui.progress("");
    let mut looked: Vec<Looked> = all.into_iter().flatten().collect();
    let Some(first) = looked.first() else {
        let message = "there is no choice to look at in this game";
        let help =
            "forced choices are left out, and those in which what is hidden cannot be dealt anew";
        return Err(CliError::new(codes::NO_CHOICE, message, help));
    };
    // Who looks a game through wants to see how it went for the person in it.
    let seats = transcript.header.seats.iter().zip(0..);
    let human = Player::Human.word();
    let person = seats
        .filter(|(who, _)| **who == human)
        .map(|it| it.1)
        .next();
    let of = only.or(person).unwrap_or(first.chosen.seat);
    let outcome = whole.machine().outcome();
    let ends = outcome.map(|it| it.parts(&sides(game)));
    follow_up(&mut looked, of, ends.as_deref());
    let mut order: Vec<usize> = (0..looked.len()).collect();
    order.sort_by(|a, b| {
        let [a, b] = [a, b].map(|it| looked[*it].judged.swing());
        b.total_cmp(&a)
    });
    order.truncate(AGAIN);
    for at in &order {
        looked[*at].judged.is_close = true;
    }
    // What came of it is where the next one begins.
    let behind = order.iter().map(|it| it + 1);
    let closer: BTreeSet<usize> = order.iter().copied().chain(behind).collect();
    let mut machine = Machine::new(program);
    for (nth, at) in closer.iter().enumerate() {
        let Some(it) = looked.get_mut(*at).filter(|_| !ui.is_stopped()) else {
            break;
        };
        ui.progress(&format!("closer at {} of {}", nth + 1, closer.len()));
        machine.load(&it.at.0);
        machine.recall(it.at.1.clone());
        let games = args.iterations.saturating_mul(CLOSER);
        if let Some(closer) = look(&thinker, &mut machine, it.chosen, games, &watch, form) {
            *it = Looked {
                behind: it.behind,
                judged: Judged {
                    is_close: it.judged.is_close,
                    ..closer.judged
                },
                ..closer
            };
        }
    }
    ui.progress("");
    follow_up(&mut looked, of, ends.as_deref());
    let judged: Vec<Judged> = looked.into_iter().map(|it| it.judged).collect();
    let end = ends.and_then(|it| it.get(of as usize).copied());
    let review = Review::of(seat_name(game, of, form), args.iterations, &judged, end);
    if let Some(path) = &args.svg {
        files::write(path, &review.picture(&loaded.title()))?;
    }
    if ui.json {
        ui.json_value(&review)?;
    } else {
        review.show(ui)?;
    }
    if ui.is_stopped() {
        ui.note("stopped: what was not looked at yet is missing");
        return Ok(Exit::Failure);
    }
    Ok(Exit::Yes)
}

/// Compares the move that was made with the best one.
fn look<'p>(
    by: &Thinker<'p>,
    machine: &mut Machine<'p>,
    chosen: Chosen,
    games: u32,
    watch: &Watch,
    form: Form,
) -> Option<Looked> {
    let Status::Choice { seat } = machine.status() else {
        return None;
    };
    let at = (machine.save(), machine.knowledge().clone());
    let sees_all = machine.dealer(seat).is_certain();
    let mut about = Question {
        mind: Mind::Tree(Budget::Games(games)),
        seat,
        // A closer look asks luck anew.
        seed: chosen.nth as u64 ^ u64::from(games) << 32,
        cut: None,
        only: &[],
    };
    let thought = ponder(by, machine, about, watch.means());
    let best = thought.best()?;
    let two = [best, chosen.played];
    let is_best = best == chosen.played;
    about.only = if is_best { &two[..1] } else { &two };
    about.seed = !about.seed;
    let compared = ponder(by, machine, about, watch.means());
    let n_seats = machine.program().game.n_seats;
    let wins = |of: &Thought, mv| {
        let it = of.moves.iter().find(|it| it.mv == mv && it.games > 0)?;
        Some((0..n_seats).map(|seat| it.wins(seat)).collect::<Vec<f64>>())
    };
    let searched = (0..n_seats).map(|seat| {
        let won = thought.moves.iter();
        let won: f64 = won.map(|it| it.wins(seat) * f64::from(it.games)).sum();
        won / f64::from(thought.games.max(1))
    });
    let searched = searched.collect();
    let made = wins(&compared, chosen.played)?;
    let mut first = wins(&compared, best)?;
    let part = |of: &[f64]| of.get(seat as usize).copied().unwrap_or(0.0);
    let n = f64::from(games / 2).max(1.0);
    let off = [&first, &made]
        .map(|it| part(it))
        .map(|it| it * (1.0 - it) / n);
    let off = 1.96 * off.into_iter().fold(0.0, f64::max).sqrt();
    // Looked at more closely it may be the better one, or no worse as far as anybody can tell.
    let is_best = is_best || part(&first) - part(&made) <= off;
    if is_best {
        first.clone_from(&made);
    }
    let game = &machine.program().game;
    let judged = Judged {
        choice: chosen.nth,
        seat: seat_name(game, seat, form),
        played: machine.name(chosen.played, form),
        better: Some(machine.name(best, form)).filter(|_| !is_best),
        before: part(&first),
        after: part(&made),
        by_choice: part(&made) - part(&first),
        by_luck: 0.0,
        is_close: false,
        off,
        course: 0.0,
    };
    Some(Looked {
        chosen: Chosen { seat, ..chosen },
        judged,
        at,
        behind: (0, 0),
        sees_all,
        is_alike: false,
        best: first,
        made,
        searched,
    })
}

/// Says what came between each choice and the next one, and draws the course of a seat.
///
/// Where nobody else chose and nothing was left to chance between, and both seats saw all, nothing has come between: what the one
/// came to is where the other begins, and both together say what it was. Elsewhere what the one came to is held against what a search
/// finds there: it was played on by a search too, and the best move of a rival alone would always look like bad luck.
fn follow_up(looked: &mut [Looked], of: u32, ends: Option<&[f64]>) {
    for at in 0..looked.len() {
        let seat = looked[at].chosen.seat as usize;
        let next = looked.get(at + 1);
        let is_same = next.is_some_and(|next| {
            let it = &looked[at];
            let (n_outcomes, n_free) = it.behind;
            it.sees_all && next.sees_all && next.behind == (n_outcomes, n_free + 1)
        });
        let next = next.map(|it| it.searched.as_slice()).or(ends);
        let next = next.and_then(|it| it.get(seat)).copied();
        let before = at.checked_sub(1).and_then(|it| looked.get(it));
        let course = |it: &Looked| it.best.get(of as usize).copied().unwrap_or(0.0);
        let course = match before {
            Some(before) if before.is_alike => {
                let made = before.made.get(of as usize).copied().unwrap_or(0.0);
                f64::midpoint(made, course(&looked[at]))
            }
            _ => course(&looked[at]),
        };
        let it = &mut looked[at];
        let made = it.made.get(seat).copied().unwrap_or(0.0);
        it.is_alike = is_same;
        it.judged.by_luck = match next {
            Some(next) if !is_same => next - made,
            _ => 0.0,
        };
        it.judged.course = course;
    }
}

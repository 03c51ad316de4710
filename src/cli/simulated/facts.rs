//! What many games have come to, in lines for people.

use super::players::Players;
use super::words::{bars, between, dash, decimal, dot, grouped, left_early, nth, percent};
use super::{Played, Who, taken};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui};
use crate::lab::{Spread, Until, fairness};
use crate::model::{Moment, Type};
use crate::play::figures::Figure;
use crate::stats::{self, LEVEL};

/// Width of the names of what is told.
const NAME: usize = 9;

/// Lines under a name.
struct Facts {
    name: &'static str,
    lines: Vec<String>,
}

/// Writes all that is known.
pub fn show(it: &Played<'_>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let plain = ui.plain;
    let totals = &it.totals;
    let seeds = match totals.games {
        0 => String::from("no seed"),
        1 => format!("seed {}", it.plan.first),
        n => format!(
            "seeds {}{}{}",
            it.plan.first,
            dash(plain),
            it.plan.first.wrapping_add(n - 1)
        ),
    };
    let games = match totals.games {
        1 => String::from("1 game"),
        n => format!("{} games", grouped(n)),
    };
    let who = it.players.as_ref();
    let who = who.map_or_else(|| String::from("random players"), Players::head);
    let head = [it.title.as_str(), &who, &games, &seeds].join(dot(plain));
    ui.line(ui.paint(Tone::Bold, head))?;
    if let Some(text) = left_early(it.left, it.plan.games, "games") {
        ui.line(ui.paint(Tone::Yellow, text))?;
    }
    let mut facts = Vec::new();
    let mut tell = |name, lines: Vec<String>| {
        if !lines.is_empty() {
            facts.push(Facts { name, lines });
        }
    };
    if let Some(players) = &it.players {
        tell("players", columns(players.rows(plain)));
    }
    tell("wins", wins(it, plain));
    tell("fair?", fair(it, plain));
    tell("places", places(it, plain));
    tell("endings", endings(it, plain));
    tell("length", length(it, plain));
    tell("choices", choices(it));
    tell("figures", figures(it, plain));
    tell("measures", measures(it, plain));
    tell("never", never(it));
    tell("forbidden", refusals(it));
    tell("faults", faults(it));
    tell("left off", left_off(it));
    for Facts { name, lines } in facts {
        for (at, line) in lines.iter().enumerate() {
            let name = if at == 0 || plain { name } else { "" };
            let name = ui.paint(Tone::Dim, format!("{name:NAME$}"));
            ui.line(format!("{name} {line}").trim_end())?;
        }
    }
    Ok(())
}

/// How far apart columns stand.
fn columns(rows: Vec<(String, String, String)>) -> Vec<String> {
    let long = |text: &String| text.chars().count();
    let first = rows.iter().map(|(it, ..)| long(it)).max().unwrap_or(0);
    let second = rows.iter().map(|(_, it, _)| long(it)).max().unwrap_or(0);
    let line = |(a, b, c): &(String, String, String)| format!("{a:first$}  {b:>second$}  {c}");
    rows.iter().map(line).collect()
}

fn wins(it: &Played<'_>, plain: bool) -> Vec<String> {
    let totals = &it.totals;
    let wins = it.wins();
    let mut marked = false;
    let mut rows = Vec::new();
    for won in &wins {
        let who = match won.who {
            Who::Turn(turn) => format!("who chose {}", nth(turn)),
            Who::Seat(seat, None) => it.seat(seat, plain),
            Who::Side(first) => it.side_name(first, plain),
            Who::Seat(seat, Some(turn)) => {
                format!(
                    "{}, always the {} to choose",
                    it.seat(seat, plain),
                    nth(turn)
                )
            }
        };
        let mark = if won.luck < 1.0 - LEVEL { " *" } else { "" };
        marked |= !mark.is_empty();
        let share = won.tally.alone as f64 / totals.judged.max(1) as f64;
        let mut share = format!("{:>7} {}{mark}", percent(share), between(won.share, plain));
        if won.tally.shared > 0 && totals.n_seats() > 2 {
            share += &format!("; shared {}", grouped(won.tally.shared));
        }
        rows.push((who, grouped(won.tally.alone), share));
    }
    let others = [("shared", totals.shared), ("nobody", totals.nobody)];
    let shared = others.iter().skip(usize::from(rows.is_empty()));
    for (called, games) in shared.filter(|it| it.1 > 0) {
        let share = *games as f64 / totals.judged.max(1) as f64;
        let interval = stats::share(*games, totals.judged, LEVEL);
        let share = format!("{:>7} {}", percent(share), between(interval, plain));
        rows.push((String::from(*called), grouped(*games), share));
    }
    let mut lines = columns(rows);
    if marked {
        let even = percent(1.0 / it.n_sides() as f64);
        lines.push(format!(
            "* not {even} of the wins that are not shared: luck alone shows any such mark in 5 % of all runs"
        ));
    }
    lines
}

fn fair(it: &Played<'_>, plain: bool) -> Vec<String> {
    let totals = &it.totals;
    if it.plan.until != Until::Decided || totals.n_seats() < 2 {
        return Vec::new();
    }
    let even = 1.0 / totals.n_seats() as f64;
    let turns = (0..totals.n_seats()).filter_map(|turn| Some((turn, fairness(totals, turn)?)));
    let turns: Vec<_> = turns.collect();
    let odd = turns.iter().find(|(_, it)| !it.holds(even));
    let (verdict, (turn, interval)) = match (odd, turns.first()) {
        (Some(odd), _) => ("no", odd),
        (None, Some(first)) => ("not decided", first),
        (None, None) => return vec![String::from("not decided: nobody won any game")],
    };
    let tally = totals.of_turn(*turn);
    let share =
        tally.credit as f64 / crate::lab::CREDIT as f64 / (tally.games - tally.lost).max(1) as f64;
    vec![format!(
        "{verdict}: who chooses {} gets {} of the wins {}, shared ones in parts; it may be looked at after each game",
        nth(*turn),
        percent(share),
        between(*interval, plain)
    )]
}

fn places(it: &Played<'_>, plain: bool) -> Vec<String> {
    let totals = &it.totals;
    let n = totals.n_seats();
    if it.n_sides() < 3 || totals.judged == 0 {
        return Vec::new();
    }
    let of = |seat| {
        let place = |place| {
            let share = totals.place(seat, place) as f64 / totals.judged as f64;
            format!("{place}. {}", percent(share))
        };
        let places: Vec<String> = (1..=n).map(place).collect();
        (it.seat(seat, plain), String::new(), places.join("  "))
    };
    columns((0..n).map(of).collect())
}

fn endings(it: &Played<'_>, plain: bool) -> Vec<String> {
    let row = |(id, ending): (&crate::model::ProcId, &crate::lab::EndingTotals)| {
        let share = ending.games as f64 / it.totals.judged.max(1) as f64;
        let interval = stats::share(ending.games, it.totals.judged, LEVEL);
        let share = format!("{:>7} {}", percent(share), between(interval, plain));
        (it.ending(*id).0.to_owned(), grouped(ending.games), share)
    };
    columns(it.totals.endings.iter().map(row).collect())
}

/// How many numbers a game gives.
#[derive(Clone, Copy, PartialEq)]
enum Each {
    One,
    /// They hang together, so that intervals would be too short.
    Several,
}

/// Mean, the middle half, the extremes and a picture of how numbers are spread.
fn spread(spread: &Spread, each: Each, sign: i64, plain: bool) -> Option<String> {
    let (least, most) = spread.range()?;
    let ends = |one: i64, other: i64| {
        let (low, high) = (sign * one.min(other), sign * other.max(one));
        let (low, high) = (low.min(high), low.max(high));
        format!("{}{}{}", grouped(low), dash(plain), grouped(high))
    };
    let quarters = (spread.quantile(0.25)?, spread.quantile(0.75)?);
    let mut text = format!(
        "{} on average, middle half {}, median {}",
        decimal(sign as f64 * spread.mean()?),
        ends(quarters.0, quarters.1),
        grouped(sign * spread.quantile(0.5)?),
    );
    if each == Each::One
        && let (Some(low), Some(high)) = spread.quantile_interval(0.5)
    {
        text += &format!(" [{}]", ends(low, high));
    }
    let bars = match (plain, sign) {
        (true, _) => String::from(","),
        (false, -1) => format!("  {}", bars(spread).chars().rev().collect::<String>()),
        (false, _) => format!("  {}", bars(spread)),
    };
    Some(format!("{text}{bars} {}", ends(least, most)))
}

fn length(it: &Played<'_>, plain: bool) -> Vec<String> {
    let totals = &it.totals;
    let mut lines = Vec::new();
    for (name, of) in [("choices", &totals.choices), ("turns", &totals.turns)] {
        if let Some(text) = spread(of, Each::One, 1, plain) {
            lines.push(format!("{name} {text}"));
        }
    }
    if let (Some(longest), Some(shortest)) = (totals.longest, totals.shortest) {
        lines.push(format!(
            "longest {} choices (seed {}), shortest {} (seed {})",
            grouped(longest.choices),
            longest.seed,
            grouped(shortest.choices),
            shortest.seed
        ));
    }
    lines
}

fn choices(it: &Played<'_>) -> Vec<String> {
    let moves = &it.totals.moves;
    if it.plays_itself() {
        return vec![String::from(
            "nobody ever chooses anything: the game plays by itself",
        )];
    }
    let (Some(mean), Some((_, most))) = (moves.mean(), moves.range()) else {
        return Vec::new();
    };
    let forced = it.totals.forced() as f64 / moves.count().max(1) as f64;
    vec![format!(
        "{} moves to choose from, at most {}; {} forced",
        decimal(mean),
        grouped(most),
        percent(forced)
    )]
}

fn figures(it: &Played<'_>, plain: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let totals = &it.totals;
    for (id, ending) in &it.totals.endings {
        let (name, called) = it.ending(*id);
        let several = it.totals.endings.len() > 1;
        for ((of, seats), at) in called.iter().zip(&ending.figures).zip(1..) {
            let mut all = Spread::default();
            seats.iter().for_each(|it| all.merge(it));
            let title = title(of, at);
            let title = if several {
                format!("{name}: {title}")
            } else {
                title
            };
            let sign = if of.least { -1 } else { 1 };
            let each = match seats.len() {
                1 => Each::One,
                _ => Each::Several,
            };
            // The wins say it.
            if of.says_who_wins {
                continue;
            }
            if of.is_truth {
                let yes = all.mean().unwrap_or(0.0);
                lines.push(format!("{title} in {} of the cases", percent(yes.abs())));
                continue;
            }
            let Some(text) = spread(&all, each, sign, plain) else {
                continue;
            };
            lines.push(format!("{title} {text}"));
            if seats.len() > 1 {
                let mean = |(seat, spread): (usize, &Spread)| {
                    let (name, sign) = (it.side_name(seat, plain), sign as f64);
                    let it = spread.mean_interval();
                    let (low, high) = (
                        (sign * it.low).min(sign * it.high),
                        (sign * it.low).max(sign * it.high),
                    );
                    let mean = decimal(sign * spread.mean()?);
                    let dash = dash(plain);
                    Some(match low.is_finite() {
                        true => format!("{name} {mean} [{}{dash}{}]", decimal(low), decimal(high)),
                        false => format!("{name} {mean}"),
                    })
                };
                // Those of a side have all the same figure.
                let is_first =
                    |(seat, _): &(usize, &Spread)| totals.together.get(*seat) == Some(seat);
                let means = seats.iter().enumerate().filter(is_first);
                let means: Vec<String> = means.filter_map(mean).collect();
                let by = if it.has_sides() { "side" } else { "seat" };
                lines.push(format!("{title} by {by}: {}", means.join(", ")));
            }
        }
    }
    lines
}

/// What a figure is called: by its place among those of its ending, where it has no name.
pub fn title(of: &Figure, at: usize) -> String {
    let nameless = || format!("figure {at}");
    of.name.clone().unwrap_or_else(nameless)
}

fn measures(it: &Played<'_>, plain: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (of, found) in it.game().measures.iter().zip(&it.totals.measures) {
        let name = format!("{} {}", of.name, taken(of));
        let each = match of.moment {
            Moment::End => Each::One,
            Moment::Turn | Moment::When(_) => Each::Several,
        };
        match (found.values.mean(), of.value.ty == Type::BOOL) {
            (None, _) => lines.push(format!("{name}: never")),
            (Some(mean), true) => {
                let times = grouped(found.values.count());
                lines.push(format!("{name}: true {} of {times} times", percent(mean)));
            }
            (Some(_), false) => {
                let text = spread(&found.values, each, 1, plain).unwrap_or_default();
                lines.push(format!("{name}: {text}"));
            }
        }
        if let Some(seed) = found.seed {
            let times = grouped(found.failed);
            lines.push(format!(
                "{name}: cannot be worked out {times} times, the first in the game with seed {seed}"
            ));
        }
    }
    lines
}

fn never(it: &Played<'_>) -> Vec<String> {
    let named = it.totals.uses.by_name(it.program);
    let legal = named.iter().filter(|(_, it)| it.legal == 0);
    let legal: Vec<&str> = legal.map(|(name, _)| name.as_str()).collect();
    let played = named
        .iter()
        .filter(|(_, it)| it.legal > 0 && it.played == 0);
    let played: Vec<&str> = played.map(|(name, _)| name.as_str()).collect();
    let groups = [
        ("legal", legal),
        ("chosen", played),
        ("asked", it.never_asked()),
        ("reached", it.never_reached()),
    ];
    let told = groups.iter().filter(|(_, names)| !names.is_empty());
    told.map(|(what, names)| format!("{what}: {}", names.join(", ")))
        .collect()
}

fn refusals(it: &Played<'_>) -> Vec<String> {
    let found = &it.totals.refusals;
    if found.looked == 0 {
        return Vec::new();
    }
    let row = |(clause, count): (&str, u64)| {
        let share = percent(count as f64 / found.looked as f64);
        (clause.to_owned(), grouped(count), format!("{share:>7}"))
    };
    let mut lines = columns(it.refusals().into_iter().map(row).collect());
    let cut = match found.cut {
        0 => String::new(),
        n => format!("; at {} of them not all instances were tried", grouped(n)),
    };
    lines.push(format!(
        "by one clause alone, at so many of {} choices that were looked at{cut}",
        grouped(found.looked)
    ));
    lines
}

fn faults(it: &Played<'_>) -> Vec<String> {
    let games: u64 = it.totals.faults.iter().map(|it| it.games).sum();
    let share = games as f64 / it.totals.games.max(1) as f64;
    let told = format!(
        "{} games, {}; counted nowhere but in the choices",
        grouped(games),
        percent(share)
    );
    (games > 0).then_some(told).into_iter().collect()
}

fn left_off(it: &Played<'_>) -> Vec<String> {
    let overlong = it.totals.overlong.iter();
    overlong
        .map(|found| {
            format!(
                "{} after {} choices, the first with seed {}; counted nowhere but in the choices",
                grouped(found.games),
                grouped(it.plan.most_choices),
                found.seed
            )
        })
        .collect()
}

//! What is different about two rule sets, in lines for people.

use std::path::Path;

use super::line::{Apart, End, Shown, behind, side_of};
use super::proof::Proven;
use super::{Outcome, Rulings, sighted};
use crate::cli::commands::rulings::WrongJson;
use crate::cli::commands::simulate::faults;
use crate::cli::load::Loaded;
use crate::cli::simulated::words::{between, grouped, left_early, percent};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui, render};
use crate::compose::How;
use crate::lab::{Kind, Led, Left, Plan, Totals, Tried};
use crate::model::Alike;
use crate::play::setting_value;
use crate::ruling::Verdict;
use crate::stats::{self, LEVEL};

/// Width of the names of what is told.
const NAME: usize = 9;
/// Most changes, rulings and moves that are told one by one.
const MOST_TOLD: usize = 24;
const MOST_MOVES: usize = 6;
const MOST_PLACES: usize = 3;

/// Writes all that is known.
pub fn show(it: &Outcome, saved: Option<&Path>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    for (name, side) in ["A", "B"].iter().zip(&it.sides) {
        ui.line(format!(
            "{name}  {}",
            ui.paint(Tone::Bold, side.described())
        ))?;
    }
    tell("clauses", &clauses(it), ui)?;
    tell("dead", &dead(it), ui)?;
    tell("checked", &warnings(it), ui)?;
    tell("rulings", &rulings(&it.rulings), ui)?;
    if let Some(proof) = &it.proof {
        let mut lines = proof.lines(kind);
        lines.extend(saved.map(|path| format!("saved {}", path.display())));
        tell("proof", &lines, ui)?;
        tell("luck", &luck(it), ui)?;
        if let Some((plan, tried, left)) = &it.played {
            tell("behind", &behind_it(plan, tried, *left), ui)?;
            stopped(it, tried.sides.each_ref().map(Some), ui)?;
        }
        return halted(it, proof, ui);
    }
    match &it.played {
        None if it.same => {
            let line = "not asked: both mean the same, so every game is the same";
            tell("play", &[String::from(line)], ui)?;
        }
        None => {
            let seats = it.sides[1].program.game.n_seats;
            let mut lines = vec![format!(
                "not compared: no number of players is allowed by both; B alone, with {seats} players:"
            )];
            if let Some((plan, tried, left)) = &it.alone {
                lines.push(format!("{} games", grouped(tried.games)));
                lines.extend(left_early(*left, plan.games, "games"));
                lines.extend(stops(plan, [None, Some(&tried.sides[1])]));
            }
            tell("play", &lines, ui)?;
        }
        Some((plan, tried, left)) => {
            let mut lines = play(plan, tried, *left, ui.plain);
            lines.extend(players(&it.sides));
            tell("play", &lines, ui)?;
            tell("luck", &luck(it), ui)?;
            for (name, lines) in it.reached().iter().flat_map(|it| it.lines()) {
                tell(name, &lines, ui)?;
            }
            tell("sight", &sighted::in_sight(it, tried, ui.form()), ui)?;
        }
    }
    if let Some(led) = &it.led {
        tell("led", &[in_led(led)], ui)?;
    }
    if let Some(shown) = &it.shown {
        tell("first", &first(&it.sides, shown, saved), ui)?;
    }
    match &it.played {
        Some((_, tried, _)) => stopped(it, tried.sides.each_ref().map(Some), ui),
        None => {
            let alone = it.alone.as_ref().map(|(_, tried, _)| &tried.sides[1]);
            stopped(it, [None, alone], ui)
        }
    }
}

/// Tells of the faults with which games stop.
fn stopped(it: &Outcome, of: [Option<&Totals>; 2], ui: &mut Ui<'_>) -> Result<(), CliError> {
    for (name, (side, totals)) in ["A: ", "B: "].iter().zip(it.sides.iter().zip(of)) {
        let Some(totals) = totals else { continue };
        let help = match it.shown.as_ref().map(|it| it.found.kind) {
            Some(Kind::Fault) => "`--save FILE` keeps a line to it",
            _ => "`adit lint --games N --save FILE` keeps a game of these rules that stops so",
        };
        faults(side, totals, name, help, ui)?;
    }
    Ok(())
}

/// Tells of the faults in lines that were followed.
fn halted(it: &Outcome, proof: &Proven, ui: &mut Ui<'_>) -> Result<(), CliError> {
    for met in proof.faults() {
        let (who, side) = match met.side {
            "a" => ("A", &it.sides[0]),
            "b" => ("B", &it.sides[1]),
            _ => ("A and B", &it.sides[1]),
        };
        let count = match met.times {
            1 => String::new(),
            n => format!("{} times, first ", grouped(n as u64)),
        };
        let choices = behind(usize::try_from(met.choices).unwrap_or(usize::MAX));
        let mut found = met.found;
        found.message = format!("{who}: {}: {count}{choices}", found.message);
        ui.line("")?;
        ui.line(render::findings(&side.sources, &[found], ui))?;
    }
    Ok(())
}

/// Says what lies behind a difference that was found: no line is followed further, games are played at random.
fn behind_it(plan: &Plan, tried: &Tried, left: Left) -> Vec<String> {
    let mut lines = vec![format!(
        "no line was followed behind that difference; in {} games at random:",
        grouped(tried.games)
    )];
    lines.extend(left_early(left, plan.games, "games"));
    lines.extend(stops(plan, tried.sides.each_ref().map(Some)));
    lines
}

fn tell(name: &str, lines: &[String], ui: &mut Ui<'_>) -> Result<(), CliError> {
    for (at, line) in lines.iter().enumerate() {
        let name = if at == 0 || ui.plain { name } else { "" };
        let name = ui.paint(Tone::Dim, format!("{name:NAME$}"));
        ui.line(format!("{name} {line}").trim_end())?;
    }
    Ok(())
}

fn clauses(it: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    let is_set = |address: &String| it.set.iter().any(|(name, _)| name == address);
    let changes = it.changes.iter().filter(|(it, _)| !is_set(&it.address));
    for (change, place) in changes.clone().take(MOST_TOLD) {
        let mark = match change.how {
            How::Added => "+",
            How::Removed => "-",
            How::Changed | How::Worded => "~",
        };
        let alone = match change.how {
            How::Worded => ", in words or citation alone",
            _ => "",
        };
        let origin = change.origin.as_ref();
        let origin = origin.map_or_else(String::new, |it| format!("  of {it}"));
        let what = match change.address.starts_with(change.kind) {
            true => change.address.clone(),
            false => format!("{} {}", change.kind, change.address),
        };
        lines.push(format!("{mark} {what}  {place}{origin}{alone}"));
    }
    match changes.count().saturating_sub(MOST_TOLD) {
        0 => {}
        more => lines.push(format!("… and {more} more; `--json` lists all")),
    }
    for (name, [before, now]) in &it.set {
        lines.push(format!("~ {name} = {now}, before {before}"));
    }
    let game = &it.sides[1].program.game;
    let is_new = |name: &str| {
        let mut added = it.changes.iter().filter(|(it, _)| it.how == How::Added);
        added.any(|(it, _)| it.address == name)
    };
    for new in game.settings.iter().filter(|it| is_new(&it.name)) {
        let (name, value) = (&new.name, setting_value(game, new, new.value));
        lines.push(format!(
            "looked at with {name} = {value} alone; `--set {name}=…` looks at another"
        ));
    }
    if lines.is_empty() {
        lines.push(String::from(
            "none says anything else; pictures, comments and rulings are not compared",
        ));
    }
    lines
}

/// What the rules no longer lead to.
fn dead(it: &Outcome) -> Vec<String> {
    let each = it.dead.iter().take(MOST_TOLD);
    let mut lines: Vec<String> = each
        .map(|(it, place)| {
            let says = match it.kind {
                "track" | "history" => "nothing in B asks for it",
                _ => "nothing in B leads to it",
            };
            format!("{} {}  {place}: {says}", it.kind, it.name)
        })
        .collect();
    match it.dead.len().saturating_sub(MOST_TOLD) {
        0 => {}
        more => lines.push(format!("… and {more} more; `--json` lists all")),
    }
    lines
}

fn warnings(it: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    for found in it.warnings.iter().take(MOST_TOLD) {
        let place = found.span().map(|at| it.sides[1].sources.place(at));
        let place = place.map_or_else(String::new, |it| format!("  {it}"));
        lines.push(format!("B: {} {}{place}", found.code, found.message));
        lines.extend(found.help.as_ref().map(|it| format!("   {it}")));
    }
    lines
}

/// Returns a verdict in a word.
pub fn verdict(it: Option<Verdict>) -> &'static str {
    it.map_or("silent", Verdict::word)
}

fn rulings(it: &Rulings) -> Vec<String> {
    let mut lines = Vec::new();
    if it.stopped {
        return vec![String::from(
            "stopped before all were run: nothing is known of them",
        )];
    }
    let mut head = format!("{} as before", it.alike);
    if it.silent > 0 {
        head += &format!(", {} only of other readings or tables", it.silent);
    }
    if it.new > 0 {
        head += &format!(", {} new", it.new);
    }
    let unlike = it.flips.len();
    if unlike > 0 {
        head += &format!(", {unlike} otherwise");
    }
    lines.push(head);
    let mut before: &[WrongJson] = &[];
    for flip in it.flips.iter().take(MOST_TOLD) {
        let (was, now) = (verdict(flip.was), verdict(flip.now));
        lines.push(format!("{}: {was}, now {now}  {}", flip.id, flip.title));
        let told_before = std::mem::replace(&mut before, &flip.wrong);
        if !flip.wrong.is_empty() && told_before == flip.wrong {
            lines.push(String::from("  as the one above"));
            continue;
        }
        for wrong in flip.wrong.iter().take(MOST_MOVES) {
            let saw = wrong.saw.as_ref();
            let saw = saw.map_or_else(String::new, |it| format!("; {it}"));
            // What stops before the first move has no text of its own.
            let text = format!("{}{saw}", wrong.text);
            let text = text.trim_start_matches("; ");
            lines.push(format!("  {text}  {}", wrong.place));
        }
    }
    match unlike.saturating_sub(MOST_TOLD) {
        0 => {}
        more => lines.push(format!("… and {more} more; `--json` lists all")),
    }
    lines
}

/// Returns a kind of difference in a word.
fn kind(it: Kind) -> &'static str {
    match it {
        Kind::Fewer => "B only forbids",
        Kind::More => "B only permits",
        Kind::Other => "B forbids and permits",
        Kind::Chooser => "B asks another seat",
        Kind::Over => "only one game is over",
        Kind::Fault => "a fault stops one",
        Kind::End => "both end otherwise",
        Kind::Chance => "something else is left to chance",
        Kind::Likelihood => "the same is left to chance, and not as likely",
        Kind::Together => "one lets several choose at the same time, the other one after the other",
    }
}

fn play(plan: &Plan, tried: &Tried, left: Left, plain: bool) -> Vec<String> {
    let games = tried.games;
    let mut lines = Vec::new();
    lines.extend(left_early(left, plan.games, "games"));
    if games == 0 {
        lines.push(String::from("no game was played to its end"));
        return lines;
    }
    if tried.differ == 0 {
        lines.push(format!(
            "no difference in the moves and ends of {} games: {}",
            grouped(games),
            match games {
                // Of so few the bound is above all of them.
                ..=3 => String::from("too few to exclude any share of differences"),
                _ => format!(
                    "one in more than {} of all games is excluded at 95 %",
                    percent(3.0 / games as f64)
                ),
            }
        ));
    } else {
        let share = stats::exact(tried.differ, games, LEVEL);
        lines.push(format!(
            "{} games: {} differ, {} {}; {} part",
            grouped(games),
            grouped(tried.differ),
            percent(tried.differ as f64 / games as f64),
            between(share, plain),
            grouped(tried.parted)
        ));
    }
    let kinds = Kind::ALL.iter().zip(tried.choices);
    let told = kinds.filter(|(it, n)| *n > 0 && !matches!(it, Kind::End));
    let told: Vec<String> = told
        .map(|(it, n)| format!("at {} {}", grouped(n), kind(*it)))
        .collect();
    let other = match told.is_empty() {
        true => String::from("none differs"),
        false => told.join(", "),
    };
    lines.push(format!(
        "{} choices in step: {other}",
        grouped(tried.in_step)
    ));
    lines.push(format!(
        "of {} that both judge {} end with other places, {} with other figures",
        grouped(tried.judged),
        grouped(tried.places),
        grouped(tried.figures)
    ));
    lines.extend(stops(plan, tried.sides.each_ref().map(Some)));
    lines
}

/// Says how many games stop with a fault or have no end.
fn stops(plan: &Plan, of: [Option<&Totals>; 2]) -> Vec<String> {
    let mut lines = Vec::new();
    let faults = of.map(|it| {
        let games = it.iter().flat_map(|it| &it.faults).map(|it| it.games);
        games.sum::<u64>()
    });
    let overlong = of.map(|it| it?.overlong);
    for (name, (faults, overlong)) in ["A", "B"].iter().zip(faults.iter().zip(&overlong)) {
        if *faults > 0 {
            lines.push(format!(
                "{name}: {} games stop with a fault",
                grouped(*faults)
            ));
        }
        if let Some(overlong) = overlong {
            lines.push(format!(
                "{name}: {} games left off after {} choices, the first with seed {}",
                grouped(overlong.games),
                grouped(plan.most_choices),
                overlong.seed
            ));
        }
    }
    if faults == [0, 0] && overlong == [None, None] {
        let most = grouped(plan.most_choices);
        lines.push(format!("no fault, none longer than {most} choices"));
    }
    lines
}

/// Says that what differs may be no more than luck.
fn luck(it: &Outcome) -> Vec<String> {
    let Some(dealt) = &it.dealt else {
        return Vec::new();
    };
    vec![
        format!(
            "in {} of the first {} games chance has put something else into {} before anybody chooses:",
            dealt.games, dealt.looked, dealt.place
        ),
        String::from(
            "what is different behind that may be luck alone; `adit compare` tells whether it is more",
        ),
    ]
}

/// Says which numbers of players were not looked at.
fn players(sides: &[Loaded; 2]) -> Option<String> {
    let [a, b] = sides.each_ref().map(|it| &it.program.game);
    let least = a.seat_range.0.max(b.seat_range.0);
    let most = a.seat_range.1.min(b.seat_range.1);
    (least < most).then(|| {
        format!(
            "all of it with {} players; `--players N` takes another number, from {least} to {most}",
            a.n_seats
        )
    })
}

/// Says what came of games that were led to what differs.
fn in_led(led: &Led) -> String {
    let games = grouped(led.games);
    match led.found {
        Some(_) => format!(
            "a difference in game {games} that was led towards the clauses that differ: it is rare, and it is there"
        ),
        None => {
            format!("no difference in {games} games that were led towards the clauses that differ")
        }
    }
}

fn first(sides: &[Loaded; 2], shown: &Shown, saved: Option<&Path>) -> Vec<String> {
    let found = &shown.found;
    let choices = behind(found.moves[0].len());
    let mut lines = vec![format!(
        "seed {}, {choices}: {}",
        found.seed,
        kind(found.kind)
    )];
    if let (Kind::Chooser | Kind::Over | Kind::Fault, [a, b]) = (found.kind, &shown.choosers) {
        let who = |it: &Option<String>, is_over: bool| match it {
            Some(seat) => format!("{seat} is to choose"),
            None if is_over => String::from("the game is over"),
            None => String::from("no choice"),
        };
        let [over, over_too] = found.over;
        lines.push(format!("A: {}; B: {}", who(a, over), who(b, over_too)));
    } else if let Some(seat) = &shown.choosers[0] {
        lines.push(format!("{seat} is to choose"));
    }
    for (name, only) in ["A", "B"].iter().zip(&found.only) {
        if only.is_empty() {
            continue;
        }
        let told: Vec<&str> = only.iter().take(MOST_MOVES).map(String::as_str).collect();
        let more = match only.len().saturating_sub(MOST_MOVES) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        lines.push(format!("only {name}: {}{more}", told.join("; ")));
    }
    for (clause, message) in shown.refused.iter().take(MOST_MOVES) {
        let message = message.as_ref();
        let message = message.map_or_else(String::new, |it| format!(": {it}"));
        lines.push(format!("B refuses the first by {clause}{message}"));
    }
    if let Some(ends) = &shown.ends {
        for (name, end) in ["A", "B"].iter().zip(ends) {
            lines.push(format!("{name}: {}", in_words(end)));
        }
    }
    lines.extend(shown.apart.iter().map(apart));
    if let Some(path) = saved {
        let side = ["A", "B"][side_of(sides, found)];
        lines.push(format!("saved {}, a line of {side}", path.display()));
    }
    lines
}

/// Says what first lay otherwise.
fn apart(it: &Apart) -> String {
    let each = it.places.iter().take(MOST_PLACES);
    let each = each.map(|(at, [a, b])| match (a.as_str(), b.as_str()) {
        ("", b) => format!("{at} is {b} in B alone"),
        (a, "") => format!("{at} is {a} in A alone"),
        (a, b) => format!("{at} is {a} in A, {b} in B"),
    });
    let each: Vec<String> = each.collect();
    let more = match it.places.len().saturating_sub(MOST_PLACES) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!(
        "on the table {}: {}{more}",
        behind(it.choices),
        each.join("; ")
    )
}

fn in_words(end: &End) -> String {
    let places: Vec<String> = end.places.iter().map(u32::to_string).collect();
    let figures = end.figures.iter().map(|keys| {
        let keys: Vec<String> = keys.iter().map(i64::to_string).collect();
        keys.join("/")
    });
    let figures: Vec<String> = figures.filter(|it| !it.is_empty()).collect();
    let mut text = match end.alike {
        Some(Alike::AllWin) => format!("{}, all win", end.by),
        Some(Alike::NobodyWins) => format!("{}, nobody wins", end.by),
        Some(Alike::Draw) | None => format!("{}, places {}", end.by, places.join(", ")),
    };
    if !figures.is_empty() {
        text += &format!(", figures {}", figures.join(", "));
    }
    text
}

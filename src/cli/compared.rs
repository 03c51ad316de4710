//! What pairs of games of two rule sets have come to.

use crate::model::text::Form;
use std::collections::BTreeMap;

use serde::Serialize;

use super::load::Asked;
use super::simulated::json::{self, FaultTold, rounded};
use super::simulated::plot::Plot;
use super::simulated::taken;
use super::simulated::words::{between, dash, decimal, dot, grouped, left_early, nth, percent};
use super::ui::Tone;
use super::{CliError, Ui};
use crate::engine::Program;
use crate::lab::{Left, PairTotals, Paired, Plan, Until};
use crate::model::{Game, ProcKind};
use crate::play::figures::{Figure, figures_of};
use crate::play::{rules_hash, seat_name};
use crate::stats::{self, Interval, LEVEL};

/// Pairs of games that were played.
pub struct Compared<'a> {
    /// Titles of both rule sets.
    pub titles: [String; 2],
    /// The rules.
    pub programs: [&'a Program; 2],
    /// What was to be played.
    pub plan: Plan,
    /// What came of it.
    pub totals: PairTotals,
    /// Why no more was played.
    pub left: Left,
}

/// A number on both sides.
#[derive(Serialize)]
struct Row {
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    a: f64,
    b: f64,
    /// By how much that of B is greater.
    more: f64,
    low: f64,
    high: f64,
    /// How likely it is by luck where nothing differs; raised because there are several.
    luck: f64,
    /// How many times as many games with luck of their own would tell as much.
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<f64>,
    #[serde(skip)]
    is_share: bool,
}

impl Row {
    fn new(
        what: &'static str,
        of: Option<String>,
        it: &Paired,
        sign: f64,
        is_share: bool,
    ) -> Option<Row> {
        let means = it.means()?;
        let Interval { low, high } = match is_share {
            true => it.more_share_interval(),
            false => it.more_interval(),
        };
        let (low, high) = match sign < 0.0 {
            true => (sign * high, sign * low),
            false => (sign * low, sign * high),
        };
        low.is_finite().then_some(Row {
            what,
            of,
            a: rounded(sign * means[0]),
            b: rounded(sign * means[1]),
            more: rounded(sign * it.more()?),
            low: rounded(low),
            high: rounded(high),
            luck: it.luck(),
            worth: it.gain().map(rounded),
            is_share,
        })
    }
}

impl Compared<'_> {
    fn rows(&self) -> Vec<Row> {
        let totals = &self.totals;
        let game = &self.programs[0].game;
        let seat = |seat: u32| Some(seat_name(game, seat, Form::Plain));
        let mut rows = Vec::new();
        if game.n_seats > 1 {
            // Where each seat always has the same turn, its wins are told once.
            let told = |it: &Paired| totals.by_seat.contains(it);
            let turns = match totals.by_turn.iter().all(told) {
                true => &[][..],
                false => &totals.by_turn,
            };
            for (turn, it) in turns.iter().enumerate() {
                let who = Some(format!("who chose {}", nth(turn)));
                rows.push(Row::new("wins", who, it, 1.0, true));
            }
            for (at, it) in (0..).zip(&totals.by_seat) {
                rows.push(Row::new("wins", seat(at), it, 1.0, true));
            }
            rows.push(Row::new("shared", None, &totals.shared, 1.0, true));
            rows.push(Row::new("all win", None, &totals.all, 1.0, true));
        }
        rows.push(Row::new("nobody wins", None, &totals.nobody, 1.0, true));
        rows.push(Row::new("choices", None, &totals.choices, 1.0, false));
        if let Some((name, sign)) = self.figure() {
            for (at, it) in (0..).zip(&totals.figures) {
                let of = seat(at).map(|it| format!("{name}, {it}"));
                rows.push(Row::new("figure", of, it, sign, false));
            }
            if totals.figures.len() > 1 {
                let of = Some(format!("{name}, all seats"));
                rows.push(Row::new("figure", of, &totals.figure, sign, false));
            }
        }
        for (at, it) in &totals.measures {
            let of = game.measures.get(at[0]).map(|it| it.name.clone());
            rows.push(Row::new("measure", of, it, 0.001, false));
        }
        let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
        let rare = ["shared", "all win", "nobody wins"];
        rows.retain(|it| !rare.contains(&it.what) || it.a + it.b > 0.0);
        let luck: Vec<f64> = rows.iter().map(|it| it.luck).collect();
        for (row, luck) in rows.iter_mut().zip(stats::holm(&luck)) {
            row.luck = rounded(luck);
        }
        rows
    }

    /// What the first figure is called by which games are ranked, and its sign; none where the endings do not agree
    /// whether more is better.
    fn figure(&self) -> Option<(String, f64)> {
        let all = self.programs.iter().flat_map(|it| first_figures(&it.game));
        let all: Vec<Figure> = all.collect();
        let least = all.first()?.least;
        let name = all.first()?.name.clone();
        if all.iter().any(|it| it.least != least) {
            return None;
        }
        let same = all.iter().all(|it| it.name == name);
        let name = name.filter(|_| same);
        let name = name.unwrap_or_else(|| String::from("first figure"));
        Some((name, if least { -1.0 } else { 1.0 }))
    }

    /// Draws the shares of the wins and the lengths of both sides, one under the other.
    pub fn draw(&self) -> String {
        let mut plot = Plot::new(&format!("A: {}", self.titles[0]));
        plot.line(&format!("B: {}", self.titles[1]));
        let totals = &self.totals;
        plot.note(&format!(
            "{} pairs of random games, seeds from {} on; intervals 95 %",
            grouped(totals.sides[0].games),
            self.plan.first
        ));
        for row in self.rows().iter().filter(|it| it.is_share) {
            let name = match &row.of {
                Some(of) => format!("{} {of}", row.what),
                None => row.what.to_owned(),
            };
            for (side, share) in ["A", "B"].iter().zip([row.a, row.b]) {
                let hits = (share * totals.judged as f64).round() as u64;
                let interval = stats::share(hits, totals.judged, LEVEL);
                plot.share(&format!("{side}: {name}"), share, interval);
            }
        }
        for (side, own) in ["A", "B"].iter().zip(&totals.sides) {
            plot.spread(&format!("{side}: choices of a game"), &own.choices, 1);
        }
        for (at, _) in &totals.measures {
            for (side, name) in ["A", "B"].iter().enumerate() {
                let of = self.programs[side].game.measures.get(at[side]);
                let found = totals.sides[side].measures.get(at[side]);
                if let (Some(of), Some(found)) = (of, found) {
                    plot.spread(
                        &format!("{name}: {} {}", of.name, taken(of)),
                        &found.values,
                        1,
                    );
                }
            }
        }
        plot.page()
    }

    /// Whether those who choose first, second … win otherwise under B, where that was to be decided: whose wins say it.
    fn decided(&self) -> Option<Option<(usize, Interval)>> {
        let turns = &self.totals.by_turn;
        let found = turns.iter().enumerate();
        let mut found = found.filter_map(|(at, it)| Some((at, it.more_sequence(turns.len())?)));
        (self.plan.until == Until::Decided).then(|| found.find(|(_, it)| !it.holds(0.0)))
    }

    /// By name of an ending, how many games it judged on either side.
    fn endings(&self) -> BTreeMap<&str, [u64; 2]> {
        let mut endings: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
        for (side, totals) in self.totals.sides.iter().enumerate() {
            let procs = &self.programs[side].game.procs;
            for (id, ending) in &totals.endings {
                let name = procs.get(id.index()).map_or("", |it| it.name.as_str());
                endings.entry(name).or_default()[side] += ending.games;
            }
        }
        endings
    }
}

fn first_figures(game: &Game) -> Vec<Figure> {
    let procs = game.procs.iter();
    let endings = procs.filter(|it| it.kind == ProcKind::Ending);
    let figures = endings.filter_map(|it| figures_of(game, &it.name));
    figures.filter_map(|it| it.into_iter().next()).collect()
}

/// Writes all that is known.
pub fn show(it: &Compared<'_>, ui: &mut Ui<'_>) -> Result<(), CliError> {
    let plain = ui.plain;
    for (name, title) in ["A", "B"].iter().zip(&it.titles) {
        ui.line(format!("{name}  {}", ui.paint(Tone::Bold, title)))?;
    }
    let totals = &it.totals;
    let games = totals.sides[0].games;
    let last = it.plan.first.wrapping_add(games.saturating_sub(1));
    let seeds = format!("seeds {}{}{last}", it.plan.first, dash(plain));
    let pairs = format!("{} pairs of games", grouped(games));
    ui.line([pairs.as_str(), "random players", &seeds].join(dot(plain)))?;
    if let Some(text) = left_early(it.left, it.plan.games, "pairs") {
        ui.line(ui.paint(Tone::Yellow, text))?;
    }
    if totals.judged == 0 {
        ui.line("no pair of which both games were judged")?;
        for (name, side) in ["A", "B"].iter().zip(&totals.sides) {
            let faults: u64 = side.faults.iter().map(|it| it.games).sum();
            let overlong = side.overlong.map_or(0, |it| it.games);
            ui.line(format!(
                "{name}: {} judged, {} left off after {} choices, {} stopped with a fault",
                grouped(side.judged),
                grouped(overlong),
                grouped(it.plan.most_choices),
                grouped(faults)
            ))?;
        }
        return Ok(());
    }
    let other = totals.judged - totals.alike;
    let differ = stats::share(other, totals.judged, LEVEL);
    ui.line(format!(
        "{} of the {} pairs that were judged differ, {} {}",
        grouped(other),
        grouped(totals.judged),
        percent(other as f64 / totals.judged as f64),
        between(differ, plain)
    ))?;
    match it.decided() {
        None => {}
        Some(None) => ui.line("not decided whether anybody wins otherwise")?,
        Some(Some((turn, found))) => {
            let percent = |it: f64| format!("{:+.1}", it * 100.0);
            ui.line(format!(
                "decided: who chooses {} wins otherwise under B, by [{} to {}] of 100 games; it may be looked at after each pair",
                nth(turn),
                percent(found.low),
                percent(found.high)
            ))?;
        }
    }
    let rows = it.rows();
    let (mut lines, mut marked) = (Vec::new(), false);
    for row in &rows {
        let is_sure = row.luck < 1.0 - LEVEL;
        marked |= is_sure;
        lines.push(line(row, is_sure, plain));
    }
    let judged = totals.sides.each_ref().map(|it| it.judged.max(1) as f64);
    for (name, games) in it.endings() {
        let shares = [0, 1].map(|side| percent(games[side] as f64 / judged[side]));
        let [a, b] = shares;
        lines.push([format!("ends {name}"), a, b, String::new(), String::new()]);
    }
    table(&lines, ui)?;
    if marked {
        ui.line("* more than luck: where nothing differs, 5 % of all runs show any such mark")?;
    }
    for (name, side) in ["A", "B"].iter().zip(&totals.sides) {
        if let Some(found) = side.overlong {
            ui.line(format!(
                "{name}: {} games left off after {} choices, the first with seed {}",
                grouped(found.games),
                grouped(it.plan.most_choices),
                found.seed
            ))?;
        }
    }
    Ok(())
}

/// Name, A, B, difference, worth.
fn line(row: &Row, is_sure: bool, plain: bool) -> [String; 5] {
    let name = match (row.what, &row.of) {
        ("figure" | "measure", Some(of)) => of.clone(),
        (what, Some(of)) => format!("{what} {of}"),
        (what, None) => what.to_owned(),
    };
    let value = |it: f64| match row.is_share {
        true => percent(it),
        false => decimal(it),
    };
    let signed = |it: f64| {
        let it = if row.is_share { it * 100.0 } else { it };
        let text = match row.is_share {
            true => format!("{:.1}", it.abs()),
            false => decimal(it.abs()),
        };
        let is_nothing = text.chars().all(|it| matches!(it, '0' | '.'));
        match (is_nothing, it < 0.0) {
            (true, _) => text,
            (false, true) => format!("-{text}"),
            (false, false) => format!("+{text}"),
        }
    };
    let mark = if is_sure { " *" } else { "" };
    let more = format!(
        "{} [{} to {}]{mark}",
        signed(row.more),
        signed(row.low),
        signed(row.high)
    );
    let worth = match row.worth {
        Some(worth) if plain => decimal(worth),
        Some(worth) => format!("×{}", decimal(worth)),
        None => String::new(),
    };
    [name, value(row.a), value(row.b), more, worth]
}

fn table(lines: &[[String; 5]], ui: &mut Ui<'_>) -> Result<(), CliError> {
    const HEAD: [&str; 5] = ["", "A", "B", "B less A", "worth"];
    if ui.plain {
        for [name, a, b, more, worth] in lines {
            let told = [
                format!("A {a}"),
                format!("B {b}"),
                format!("B less A {more}"),
                format!("worth {worth} times as many games"),
            ];
            let empty = [false, false, more.is_empty(), worth.is_empty()];
            let told = told.into_iter().zip(empty).filter(|(_, empty)| !empty);
            let told: Vec<String> = told.map(|(text, _)| text).collect();
            ui.line(format!("{name}: {}", told.join("; ")))?;
        }
        return Ok(());
    }
    let width = |at: usize| {
        let cells = lines.iter().map(|it| it[at].chars().count());
        cells.chain([HEAD[at].len()]).max().unwrap_or(0)
    };
    let widths = [0, 1, 2, 3, 4].map(width);
    let row = |cells: [&str; 5]| {
        let [name, a, b, more, worth] = cells;
        let [n, wa, wb, wm, _] = widths;
        format!("{name:n$}  {a:>wa$}  {b:>wb$}  {more:wm$}  {worth}")
    };
    let head = ui.paint(Tone::Dim, row(HEAD).trim_end());
    ui.line(head)?;
    for cells in lines {
        ui.line(row(cells.each_ref().map(String::as_str)).trim_end())?;
    }
    ui.line(ui.paint(
        Tone::Dim,
        "worth: so many times as many games would tell as much if each had luck of its own",
    ))
}

/// All that is known, for programs.
#[derive(Serialize)]
pub struct Told<'a> {
    a: Side<'a>,
    b: Side<'a>,
    seed: u64,
    games: u64,
    left: &'static str,
    judged: u64,
    /// Whether it is decided that somebody wins otherwise, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided: Option<bool>,
    /// Pairs that differ in a choice or in what came of it.
    differ: u64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Side<'a> {
    game: &'a str,
    title: &'a str,
    amendments: &'a [String],
    set: BTreeMap<&'a str, &'a str>,
    rules: String,
    judged: u64,
    endings: BTreeMap<&'a str, u64>,
    faults: Vec<FaultTold>,
    overlong: u64,
}

/// Tells all that is known.
pub fn json<'a>(it: &'a Compared<'_>, asked: [&'a Asked; 2]) -> Told<'a> {
    let endings = it.endings();
    let side = |at: usize| {
        let (totals, asked) = (&it.totals.sides[at], asked[at]);
        let set = asked
            .set
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let endings = endings.iter().map(|(name, games)| (*name, games[at]));
        Side {
            game: &asked.game,
            title: &it.titles[at],
            amendments: &asked.amendments,
            set: set.collect(),
            rules: rules_hash(&it.programs[at].game),
            judged: totals.judged,
            endings: endings.collect(),
            faults: json::faults(totals),
            overlong: totals.overlong.map_or(0, |it| it.games),
        }
    };
    Told {
        a: side(0),
        b: side(1),
        seed: it.plan.first,
        games: it.totals.sides[0].games,
        left: json::left(it.left),
        judged: it.totals.judged,
        decided: it.decided().map(|it| it.is_some()),
        differ: it.totals.judged - it.totals.alike,
        rows: it.rows(),
    }
}

//! What is different about two rule sets, for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Outcome;
use super::line::Shown;
use super::proof::{Proven, ProvenTold};
use super::reached::{Of, Reached};
use super::words::verdict;
use crate::cli::commands::rulings::WrongJson;
use crate::cli::load::Loaded;
use crate::cli::simulated::json::{self, FaultTold, rounded};
use crate::compose::How;
use crate::lab::{Kind, Left, Plan, Sights, Totals, Tried};
use crate::play::rules_hash;
use crate::report::DiagnosticJson;
use crate::stats::{self, LEVEL};

/// All that is known.
#[derive(Serialize)]
pub struct Told<'a> {
    a: SideTold<'a>,
    b: SideTold<'a>,
    /// Whether both mean the same.
    same_rules: bool,
    clauses: Vec<ChangeTold<'a>>,
    settings: Vec<SettingTold<'a>>,
    /// What nothing leads to in B, though both have it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dead: Vec<DeadTold<'a>>,
    /// What is told of B when it is checked, and not of A.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checked: Vec<DiagnosticJson<'a>>,
    rulings: RulingsTold<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<PlayTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<ReachedTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    led: Option<LedTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_lines: Option<ProvenTold<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<FirstTold<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alone: Option<AloneTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<LuckTold<'a>>,
    fine: bool,
}

#[derive(Serialize)]
struct SideTold<'a> {
    game: &'a str,
    title: String,
    amendments: &'a [String],
    rules: String,
    seats: u32,
}

#[derive(Serialize)]
struct ChangeTold<'a> {
    how: &'static str,
    kind: &'static str,
    address: &'a str,
    place: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a str>,
}

#[derive(Serialize)]
struct DeadTold<'a> {
    kind: &'static str,
    name: &'a str,
    place: &'a str,
}

#[derive(Serialize)]
struct SettingTold<'a> {
    name: &'a str,
    a: &'a str,
    b: &'a str,
}

#[derive(Serialize)]
struct RulingsTold<'a> {
    alike: usize,
    new: usize,
    /// Those that say nothing of the second one.
    silent: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stopped: bool,
    otherwise: Vec<FlipTold<'a>>,
}

#[derive(Serialize)]
struct FlipTold<'a> {
    id: &'a str,
    title: &'a str,
    a: &'static str,
    b: &'static str,
    #[serde(skip_serializing_if = "<[WrongJson]>::is_empty")]
    wrong: &'a [WrongJson],
}

#[derive(Serialize)]
struct PlayTold {
    seed: u64,
    games: u64,
    left: &'static str,
    differ: u64,
    share: f64,
    low: f64,
    high: f64,
    parted: u64,
    /// Games by how the first difference in them looks.
    first_by: BTreeMap<&'static str, u64>,
    in_step: u64,
    /// Choices in step by how they differ.
    choices: BTreeMap<&'static str, u64>,
    judged: u64,
    other_places: u64,
    other_figures: u64,
    sights: SightsTold,
    faults: [Vec<FaultTold>; 2],
    overlong: [u64; 2],
}

/// What was compared of what seats see.
#[derive(Serialize)]
pub struct SightsTold {
    /// Positions.
    looked: u64,
    /// Those in which somebody sees under one rule set only what lies there.
    differ: u64,
    /// Those of them in which that is only what one rule set alone has.
    alone: u64,
}

impl SightsTold {
    pub fn of(it: &Sights) -> SightsTold {
        SightsTold {
            looked: it.looked,
            differ: it.differ,
            alone: it.alone,
        }
    }
}

/// Games that were led towards the clauses that differ.
#[derive(Serialize)]
struct LedTold {
    games: u64,
    found: bool,
}

/// What games of the second rule set do not come to, or seldom, and those of the first one do, or the other way round.
#[derive(Serialize)]
struct ReachedTold {
    nobody_chooses: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    idle: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    barred: Vec<BarredTold>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    endings: Vec<EndingTold>,
}

#[derive(Serialize)]
struct BarredTold {
    name: String,
    /// At how many choices of A it could be chosen.
    legal: u64,
    asked: u64,
}

#[derive(Serialize)]
struct EndingTold {
    name: String,
    a: u64,
    b: u64,
}

impl ReachedTold {
    fn of(it: Reached) -> ReachedTold {
        let barred = it.barred.into_iter();
        let endings = it.endings.into_iter();
        ReachedTold {
            nobody_chooses: it.nobody,
            idle: it.idle,
            barred: barred
                .map(|(name, Of(legal, asked))| BarredTold { name, legal, asked })
                .collect(),
            endings: endings
                .map(|(name, [Of(a, _), Of(b, _)])| EndingTold { name, a, b })
                .collect(),
        }
    }
}

/// Games of B alone, where both are not for one number of players.
#[derive(Serialize)]
struct AloneTold {
    seed: u64,
    games: u64,
    left: &'static str,
    faults: Vec<FaultTold>,
    overlong: u64,
}

/// Where chance gives something else before anybody chooses, in so many of the first games.
#[derive(Serialize)]
struct LuckTold<'a> {
    place: &'a str,
    games: u64,
    looked: u64,
}

#[derive(Serialize)]
struct FirstTold<'a> {
    kind: &'static str,
    seed: u64,
    choices: usize,
    choosers: [Option<&'a str>; 2],
    only_a: &'a [String],
    only_b: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused_by: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<[EndTold<'a>; 2]>,
    /// Where something first lay otherwise before everybody's eyes.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<ApartTold<'a>>,
}

#[derive(Serialize)]
struct ApartTold<'a> {
    choices: usize,
    places: Vec<PlaceTold<'a>>,
}

#[derive(Serialize)]
struct PlaceTold<'a> {
    place: &'a str,
    a: &'a str,
    b: &'a str,
}

#[derive(Serialize)]
struct EndTold<'a> {
    by: &'a str,
    places: &'a [u32],
    figures: &'a [Vec<i64>],
}

/// Tells all that is known.
pub fn told(it: &Outcome) -> Told<'_> {
    let changes = it.changes.iter().map(|(change, place)| ChangeTold {
        how: match change.how {
            How::Added => "added",
            How::Removed => "removed",
            How::Changed => "changed",
            How::Worded => "worded",
        },
        kind: change.kind,
        address: &change.address,
        place,
        origin: change.origin.as_deref(),
    });
    let settings = it
        .set
        .iter()
        .map(|(name, [a, b])| SettingTold { name, a, b });
    let flips = it.rulings.flips.iter().map(|flip| FlipTold {
        id: &flip.id,
        title: &flip.title,
        a: verdict(flip.was),
        b: verdict(flip.now),
        wrong: &flip.wrong,
    });
    let dead = it.dead.iter().map(|(it, place)| DeadTold {
        kind: it.kind,
        name: &it.name,
        place,
    });
    let sources = &it.sides[1].sources;
    let checked = it.warnings.iter();
    let checked = checked.map(|it| DiagnosticJson::new(sources, it));
    Told {
        a: side(&it.sides[0]),
        b: side(&it.sides[1]),
        same_rules: it.same,
        clauses: changes.collect(),
        settings: settings.collect(),
        dead: dead.collect(),
        checked: checked.collect(),
        rulings: RulingsTold {
            alike: it.rulings.alike,
            new: it.rulings.new,
            silent: it.rulings.silent,
            stopped: it.rulings.stopped,
            otherwise: flips.collect(),
        },
        play: it
            .played
            .as_ref()
            .map(|(plan, tried, left)| play(plan, tried, *left)),
        reached: it.reached().map(ReachedTold::of),
        led: it.led.as_ref().map(|it| LedTold {
            games: it.games,
            found: it.found.is_some(),
        }),
        all_lines: it.proof.as_ref().map(Proven::told),
        first: it.shown.as_ref().map(first),
        luck: it.dealt.as_ref().map(|it| LuckTold {
            place: &it.place,
            games: it.games,
            looked: it.looked,
        }),
        alone: it.alone.as_ref().map(|(plan, tried, left)| AloneTold {
            seed: plan.first,
            games: tried.games,
            left: json::left(*left),
            faults: json::faults(&tried.sides[1]),
            overlong: overlong(&tried.sides[1]),
        }),
        fine: it.is_fine(),
    }
}

fn side(it: &Loaded) -> SideTold<'_> {
    SideTold {
        game: &it.asked.game,
        title: it.title(),
        amendments: &it.asked.amendments,
        rules: rules_hash(&it.program.game),
        seats: it.program.game.n_seats,
    }
}

/// Returns a kind of difference in a word.
fn kind(it: Kind) -> &'static str {
    match it {
        Kind::Fewer => "forbids",
        Kind::More => "permits",
        Kind::Other => "both",
        Kind::Chooser => "chooser",
        Kind::Over => "over",
        Kind::Fault => "fault",
        Kind::End => "end",
        Kind::Chance => "chance",
        Kind::Together => "together",
        Kind::Likelihood => "likelihood",
    }
}

fn by_kind(counts: [u64; Kind::ALL.len()]) -> BTreeMap<&'static str, u64> {
    let counts = Kind::ALL.iter().zip(counts).filter(|(_, n)| *n > 0);
    counts.map(|(it, n)| (kind(*it), n)).collect()
}

fn overlong(it: &Totals) -> u64 {
    it.overlong.map_or(0, |it| it.games)
}

fn play(plan: &Plan, tried: &Tried, left: Left) -> PlayTold {
    let share = stats::exact(tried.differ, tried.games, LEVEL);
    PlayTold {
        seed: plan.first,
        games: tried.games,
        left: json::left(left),
        differ: tried.differ,
        share: rounded(tried.differ as f64 / tried.games.max(1) as f64),
        low: rounded(share.low),
        high: rounded(share.high),
        parted: tried.parted,
        first_by: by_kind(tried.first_by),
        in_step: tried.in_step,
        choices: by_kind(tried.choices),
        judged: tried.judged,
        other_places: tried.places,
        other_figures: tried.figures,
        sights: SightsTold::of(&tried.sights),
        faults: tried.sides.each_ref().map(json::faults),
        overlong: tried.sides.each_ref().map(overlong),
    }
}

fn first(it: &Shown) -> FirstTold<'_> {
    let found = &it.found;
    let ends = it.ends.as_ref().map(|ends| {
        ends.each_ref().map(|end| EndTold {
            by: &end.by,
            places: &end.places,
            figures: &end.figures,
        })
    });
    FirstTold {
        kind: kind(found.kind),
        seed: found.seed,
        choices: found.moves[0].len(),
        choosers: it.choosers.each_ref().map(Option::as_deref),
        only_a: &found.only[0],
        only_b: &found.only[1],
        refused_by: it
            .refused
            .iter()
            .map(|(clause, _)| clause.as_str())
            .collect(),
        ends,
        apart: it.apart.as_ref().map(|it| ApartTold {
            choices: it.choices,
            places: it.places.iter().map(place).collect(),
        }),
    }
}

fn place((place, [a, b]): &(String, [String; 2])) -> PlaceTold<'_> {
    PlaceTold { place, a, b }
}

//! What many games have come to, for programs.

use serde::Serialize;
use serde_json::{Map, Value};

use super::players::{PlayerTold, Players};
use super::{Played, Who, taken};
use crate::cli::load::Asked;
use crate::lab::{CREDIT, Left, Spread, Tally, Totals};
use crate::model::Moment;
use crate::play::rules_hash;
use crate::stats::{self, Interval, LEVEL};

/// Quantiles that are told.
const QUANTILES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

/// All that is known.
#[derive(Serialize)]
pub struct Told<'a> {
    game: &'a str,
    title: &'a str,
    amendments: &'a [String],
    rules: String,
    seats: Vec<String>,
    /// The first seed; the others follow.
    seed: u64,
    games: u64,
    /// Why no more were played: `played`, `enough` or `stopped`.
    left: &'static str,
    judged: u64,
    shared: ShareTold,
    nobody: ShareTold,
    /// Who played, where not all played at random: in the order in which they were named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    players: Vec<PlayerTold>,
    wins: Vec<WonTold>,
    places: Map<String, Value>,
    endings: Vec<EndingTold<'a>>,
    choices: SpreadTold,
    turns: SpreadTold,
    longest: Option<Extreme>,
    shortest: Option<Extreme>,
    moves: SpreadTold,
    forced: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    measures: Vec<MeasureTold<'a>>,
    uses: Vec<UseTold>,
    never_asked: Vec<&'a str>,
    never_reached: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusals: Option<RefusalsTold<'a>>,
    faults: Vec<FaultTold>,
    overlong: Option<OverlongTold>,
}

/// Which clauses forbid something alone.
#[derive(Serialize)]
struct RefusalsTold<'a> {
    /// Choices that were looked at.
    choices: u64,
    /// Those at which not all instances were tried.
    cut: u64,
    clauses: Vec<(&'a str, u64)>,
}

#[derive(Serialize)]
struct Extreme {
    choices: u64,
    seed: u64,
}

#[derive(Serialize)]
struct ShareTold {
    games: u64,
    share: Option<f64>,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct WonTold {
    /// The seat, if the wins of one are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<String>,
    /// The seats that win and lose together, if the wins of those are told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    side: Vec<String>,
    /// 1 for who was the first to choose, if the wins of those are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<usize>,
    /// Games in which they were at the table.
    games: u64,
    /// Those that they won alone.
    alone: ShareTold,
    shared: u64,
    /// Wins with shared ones in parts, for each game.
    credit: Option<f64>,
    /// How likely it is by luck where all win alike.
    luck: f64,
}

#[derive(Serialize)]
struct EndingTold<'a> {
    ending: &'a str,
    #[serde(flatten)]
    share: ShareTold,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    figures: Vec<FigureTold>,
}

#[derive(Serialize)]
struct FigureTold {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Whether it is kept with its sign turned round, because less is better.
    least: bool,
    all: SpreadTold,
    seats: Map<String, Value>,
}

#[derive(Serialize)]
struct MeasureTold<'a> {
    name: &'a str,
    /// `each turn`, `at end` or `when`.
    taken: &'static str,
    values: SpreadTold,
    /// How often it could not be worked out, and the first game of which that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<FailedTold>,
}

#[derive(Serialize)]
struct FailedTold {
    times: u64,
    seed: u64,
}

/// How numbers are spread.
#[derive(Serialize)]
pub struct SpreadTold {
    count: u64,
    sum: String,
    mean: Option<f64>,
    #[serde(flatten)]
    interval: Option<MeanTold>,
    variance: Option<f64>,
    least: Option<i64>,
    most: Option<i64>,
    quantiles: Vec<QuantileTold>,
    /// How often each number was seen.
    counts: Vec<(i64, u64)>,
}

/// Where the mean lies.
#[derive(Serialize)]
struct MeanTold {
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct QuantileTold {
    share: f64,
    value: Option<i64>,
    #[serde(flatten)]
    interval: Option<RanksTold>,
}

/// Where a quantile lies; none on a side that so few numbers do not bound.
#[derive(Serialize)]
struct RanksTold {
    low: Option<i64>,
    high: Option<i64>,
}

#[derive(Serialize)]
struct UseTold {
    name: String,
    asked: u64,
    legal: u64,
    played: u64,
}

/// A fault that stops games.
#[derive(Serialize)]
pub struct FaultTold {
    code: &'static str,
    message: String,
    games: u64,
    seed: u64,
    choices: u64,
}

#[derive(Serialize)]
struct OverlongTold {
    games: u64,
    seed: u64,
    choices: u64,
}

/// Why no more games were played.
pub fn left(it: Left) -> &'static str {
    match it {
        Left::Played => "played",
        Left::Enough => "enough",
        Left::Vain => "endless",
        Left::Stopped => "stopped",
    }
}

/// A number that is worked out, to six digits behind the point: more would be noise, and other on other machines.
pub fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn share(hits: u64, all: u64) -> ShareTold {
    let Interval { low, high } = stats::share(hits, all, LEVEL);
    let (low, high) = (rounded(low), rounded(high));
    ShareTold {
        games: hits,
        share: (all > 0).then(|| rounded(hits as f64 / all as f64)),
        low,
        high,
    }
}

impl SpreadTold {
    /// Tells how numbers are spread of which each game gives one.
    pub fn of(it: &Spread) -> SpreadTold {
        let Interval { low, high } = it.mean_interval();
        let (low, high) = (rounded(low), rounded(high));
        let mut told = SpreadTold::of_many(it);
        told.interval = Some(MeanTold { low, high }).filter(|it| it.low.is_finite());
        for quantile in &mut told.quantiles {
            let (low, high) = it.quantile_interval(quantile.share);
            quantile.interval = Some(RanksTold { low, high });
        }
        told
    }

    /// The same of which a game gives several: they hang together, so there are no intervals.
    fn of_many(it: &Spread) -> SpreadTold {
        let quantile = |share| QuantileTold {
            share,
            value: it.quantile(share),
            interval: None,
        };
        SpreadTold {
            count: it.count(),
            sum: it.sum().to_string(),
            mean: it.mean().map(rounded),
            interval: None,
            variance: it.variance().map(rounded),
            least: it.range().map(|it| it.0),
            most: it.range().map(|it| it.1),
            quantiles: QUANTILES.map(quantile).into(),
            counts: it.counts().collect(),
        }
    }
}

/// Tells all that is known.
pub fn told<'a>(it: &'a Played<'a>, asked: &'a Asked) -> Told<'a> {
    let totals = &it.totals;
    let seats: Vec<String> = (0..totals.n_seats())
        .map(|seat| it.seat(seat, true))
        .collect();
    let by_seat = |value: &dyn Fn(usize) -> Value| -> Map<String, Value> {
        let named = seats.iter().cloned().enumerate();
        named.map(|(seat, name)| (name, value(seat))).collect()
    };
    let places = |seat| {
        let counts = (1..=totals.n_seats()).map(|place| totals.place(seat, place));
        counts.map(Value::from).collect()
    };
    let endings = totals.endings.iter().map(|(id, ending)| {
        let (name, called) = it.ending(*id);
        let figures = called.iter().zip(&ending.figures).map(|(of, spreads)| {
            let mut all = Spread::default();
            spreads.iter().for_each(|it| all.merge(it));
            let seat = |seat: usize| {
                let told = spreads.get(seat).map(SpreadTold::of);
                serde_json::to_value(told).unwrap_or_default()
            };
            FigureTold {
                name: of.name.clone(),
                least: of.least,
                all: SpreadTold::of_many(&all),
                seats: by_seat(&seat),
            }
        });
        EndingTold {
            ending: name,
            share: share(ending.games, totals.judged),
            figures: figures.collect(),
        }
    });
    Told {
        game: &asked.game,
        title: &it.title,
        amendments: &asked.amendments,
        rules: rules_hash(it.game()),
        seed: it.plan.first,
        games: totals.games,
        left: left(it.left),
        judged: totals.judged,
        shared: share(totals.shared, totals.judged),
        nobody: share(totals.nobody, totals.judged),
        players: it.players.as_ref().map_or_else(Vec::new, Players::told),
        wins: wins(it),
        places: by_seat(&places),
        endings: endings.collect(),
        choices: SpreadTold::of(&totals.choices),
        turns: SpreadTold::of(&totals.turns),
        longest: totals.longest.map(|it| Extreme {
            choices: it.choices,
            seed: it.seed,
        }),
        shortest: totals.shortest.map(|it| Extreme {
            choices: it.choices,
            seed: it.seed,
        }),
        moves: SpreadTold::of_many(&totals.moves),
        forced: totals.forced(),
        measures: measures(it),
        uses: uses(it),
        never_asked: it.never_asked(),
        never_reached: it.never_reached(),
        refusals: (totals.refusals.looked > 0).then(|| RefusalsTold {
            choices: totals.refusals.looked,
            cut: totals.refusals.cut,
            clauses: it.refusals(),
        }),
        faults: faults(totals),
        overlong: totals.overlong.map(|found| OverlongTold {
            games: found.games,
            seed: found.seed,
            choices: it.plan.most_choices,
        }),
        seats,
    }
}

fn wins(it: &Played<'_>) -> Vec<WonTold> {
    let credit = |it: &Tally| {
        let sum = it.credit as f64 / CREDIT as f64;
        (it.games > 0).then(|| rounded(sum / it.games as f64))
    };
    let wins = it.wins().into_iter();
    wins.map(|won| {
        let (seat, turn) = match won.who {
            Who::Seat(seat, turn) => (Some(it.seat(seat, true)), turn),
            Who::Side(_) => (None, None),
            Who::Turn(turn) => (None, Some(turn)),
        };
        let side = match won.who {
            Who::Side(first) => it.side(first).map(|seat| it.seat(seat, true)).collect(),
            Who::Seat(..) | Who::Turn(_) => Vec::new(),
        };
        WonTold {
            seat,
            side,
            turn: turn.map(|it| it + 1),
            games: won.tally.games,
            alone: share(won.tally.alone, it.totals.judged),
            shared: won.tally.shared,
            credit: credit(&won.tally),
            luck: rounded(won.luck),
        }
    })
    .collect()
}

fn measures<'a>(it: &'a Played<'a>) -> Vec<MeasureTold<'a>> {
    let measures = it.game().measures.iter().zip(&it.totals.measures);
    let told = measures.map(|(of, found)| MeasureTold {
        name: &of.name,
        taken: taken(of),
        values: match of.moment {
            Moment::End => SpreadTold::of(&found.values),
            Moment::Turn | Moment::When(_) => SpreadTold::of_many(&found.values),
        },
        failed: found.seed.map(|seed| FailedTold {
            times: found.failed,
            seed,
        }),
    });
    told.collect()
}

fn uses(it: &Played<'_>) -> Vec<UseTold> {
    let named = it.totals.uses.by_name(it.program).into_iter();
    named
        .map(|(name, place)| UseTold {
            name,
            asked: place.asked,
            legal: place.legal,
            played: place.played,
        })
        .collect()
}

/// Tells of the faults that stop games.
pub fn faults(totals: &Totals) -> Vec<FaultTold> {
    let faults = totals.faults.iter().map(|found| {
        let diagnostic = found.fault.diagnostic();
        FaultTold {
            code: diagnostic.code.id(),
            message: diagnostic.message,
            games: found.games,
            seed: found.seed,
            choices: found.choices,
        }
    });
    faults.collect()
}

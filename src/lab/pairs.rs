//! Two rule sets, game by game on the same chance.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::carried::{Carried, Carrier, Merged};
use super::course::{Course, End, Gambler};
use super::measures::{Measures, Taken};
use super::run::{BATCH, Plan, Until, in_stretches, is_look, next};
use super::totals::Totals;
use crate::engine::{Names, Program, Streams};
use crate::model::{Alike, Game, Node, ProcId, ProcKind, StmtKind, each_in_block};
use crate::stats::{self, Interval, LEVEL, Sequence};
use crate::threads::Left;

/// A number of which both games of a pair give one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paired {
    count: u64,
    sums: [i128; 2],
    squares: [i128; 2],
    more: i128,
    more_squares: i128,
}

impl Paired {
    /// Adds a pair.
    pub fn add(&mut self, both: [i64; 2]) {
        let both = both.map(i128::from);
        self.count += 1;
        for (at, value) in both.iter().enumerate() {
            self.sums[at] += value;
            self.squares[at] = self.squares[at].saturating_add(value * value);
        }
        let more = both[1] - both[0];
        self.more += more;
        self.more_squares = self.more_squares.saturating_add(more * more);
    }

    /// Adds other pairs.
    pub fn merge(&mut self, other: &Paired) {
        self.count += other.count;
        for at in 0..2 {
            self.sums[at] += other.sums[at];
            self.squares[at] = self.squares[at].saturating_add(other.squares[at]);
        }
        self.more += other.more;
        self.more_squares = self.more_squares.saturating_add(other.more_squares);
    }

    fn carry(&mut self, by: &mut Carrier<'_>) {
        let Paired {
            count,
            sums,
            squares,
            more,
            more_squares,
        } = self;
        by.number("count", count);
        by.number("sum_a", &mut sums[0]);
        by.number("sum_b", &mut sums[1]);
        by.value("squares_a", &mut squares[0]);
        by.value("squares_b", &mut squares[1]);
        by.number("more", more);
        by.value("more_squares", more_squares);
    }

    /// The means of both.
    #[must_use]
    pub fn means(&self) -> Option<[f64; 2]> {
        (self.count > 0).then(|| self.sums.map(|it| it as f64 / self.count as f64))
    }

    /// By how much the mean of the second one is greater.
    #[must_use]
    pub fn more(&self) -> Option<f64> {
        (self.count > 0).then(|| self.more as f64 / self.count as f64)
    }

    /// Where that lies.
    #[must_use]
    pub fn more_interval(&self) -> Interval {
        stats::mean(self.count, self.more, self.more_squares, LEVEL)
    }

    /// Where that lies if the numbers are 0 and 1, shares therefore: as Bonett and Price (2012) have it, with one pair
    /// more of either kind, so that it holds where few pairs differ.
    #[must_use]
    pub fn more_share_interval(&self) -> Interval {
        let only = |sign: i128| (self.more_squares + sign * self.more) as f64 / 2.0;
        let n = self.count as f64 + 2.0;
        let (second, first) = ((only(1) + 1.0) / n, (only(-1) + 1.0) / n);
        let more = second - first;
        let spread = ((second + first - more * more) / n).sqrt();
        let radius = stats::quantile((1.0 + LEVEL) / 2.0) * spread;
        Interval {
            low: (more - radius).max(-1.0),
            high: (more + radius).min(1.0),
        }
    }

    /// Where the difference lies of numbers that are 0 and 1, however often somebody looks; none where nothing was looked at.
    /// `looks` such differences are looked at together.
    #[must_use]
    pub fn more_sequence(&self, looks: usize) -> Option<Interval> {
        let sequence = Sequence::new((1.0 - LEVEL) / looks.max(1) as f64);
        // From -1 to 1 as from 0 to 1.
        let sum = (self.count as f64 + self.more as f64) / 2.0;
        let found = (self.count > 0).then(|| sequence.interval(self.count, sum))?;
        Some(Interval {
            low: 2.0 * found.low - 1.0,
            high: 2.0 * found.high - 1.0,
        })
    }

    /// How likely such a difference is by luck where there is none.
    #[must_use]
    pub fn luck(&self) -> f64 {
        let variance = stats::variance(self.count, self.more, self.more_squares);
        match (self.more, variance) {
            (0, _) | (_, None) => 1.0,
            (more, Some(variance)) => {
                let n = self.count as f64;
                stats::two_sided(more as f64 / (variance * n).sqrt())
            }
        }
    }

    /// How many times as many games it would take to know the difference as well, if each game had luck of its own; none
    /// where no pair differs.
    #[must_use]
    pub fn gain(&self) -> Option<f64> {
        let own = |at: usize| stats::variance(self.count, self.sums[at], self.squares[at]);
        let apart = own(0)? + own(1)?;
        let paired = stats::variance(self.count, self.more, self.more_squares)?;
        (paired > 0.0).then(|| apart / paired)
    }
}

/// What is known of many pairs of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairTotals {
    /// What is known of either side alone.
    pub sides: [Totals; 2],
    /// Pairs in which both games were judged; the rest is about these.
    pub judged: u64,
    /// Pairs in which the same was chosen and came of it.
    pub alike: u64,
    /// By turn, whether who chose first, second … won alone.
    pub by_turn: Vec<Paired>,
    /// By seat, whether it won alone.
    pub by_seat: Vec<Paired>,
    /// Whether several shared the first place.
    pub shared: Paired,
    /// Whether an ending says that all win.
    pub all: Paired,
    /// Whether nobody won.
    pub nobody: Paired,
    /// Choices of a game.
    pub choices: Paired,
    /// By seat, the first figure that it was ranked by, in the pairs in which both games rank.
    pub figures: Vec<Paired>,
    /// Those of all seats together.
    pub figure: Paired,
    /// By measure that both have, where it stands on either side, and what a game gave of it on average, in thousandths.
    pub measures: Vec<([usize; 2], Paired)>,
}

impl Carried for PairTotals {
    fn carry(&mut self, by: &mut Carrier<'_>) {
        let PairTotals {
            sides,
            judged,
            alike,
            by_turn,
            by_seat,
            shared,
            all,
            nobody,
            choices,
            figures,
            figure,
            measures,
        } = self;
        for (side, totals) in sides.iter_mut().enumerate() {
            by.side(side, |by| totals.carry(by));
        }
        by.number("judged", judged);
        by.number("alike", alike);
        let lists = [("turn", by_turn), ("seat", by_seat), ("figure", figures)];
        for (name, list) in lists {
            by.inside(name, |by| {
                for (at, it) in list.iter_mut().enumerate() {
                    by.inside(at, |by| it.carry(by));
                }
            });
        }
        by.inside("shared", |by| shared.carry(by));
        by.inside("all", |by| all.carry(by));
        by.inside("nobody", |by| nobody.carry(by));
        by.inside("choices", |by| choices.carry(by));
        by.inside("figures", |by| figure.carry(by));
        by.inside("measure", |by| {
            for (at, (_, it)) in measures.iter_mut().enumerate() {
                by.inside(at, |by| it.carry(by));
            }
        });
        let games = sides.iter().map(|it| it.judged).min();
        if *alike > *judged || games.is_some_and(|most| *judged > most) {
            by.refuse("judged");
        }
    }

    fn games(&self) -> u64 {
        self.sides[0].games
    }

    fn is_enough(&self, until: Until) -> bool {
        is_enough(self, until)
    }
}

impl Merged for PairTotals {
    fn merge(&mut self, other: &Self) {
        for (own, other) in self.sides.iter_mut().zip(&other.sides) {
            own.merge(other);
        }
        self.judged += other.judged;
        self.alike += other.alike;
        let lists = [
            (&mut self.by_turn, &other.by_turn),
            (&mut self.by_seat, &other.by_seat),
            (&mut self.figures, &other.figures),
        ];
        for (own, other) in lists {
            own.iter_mut()
                .zip(other)
                .for_each(|(own, other)| own.merge(other));
        }
        self.shared.merge(&other.shared);
        self.all.merge(&other.all);
        self.nobody.merge(&other.nobody);
        self.choices.merge(&other.choices);
        self.figure.merge(&other.figure);
        let measures = self.measures.iter_mut().zip(&other.measures);
        measures.for_each(|((_, own), (_, other))| own.merge(other));
    }
}

impl PairTotals {
    /// Nothing known yet.
    #[must_use]
    pub fn of(programs: [&Program; 2]) -> PairTotals {
        let n_seats = programs[0].game.n_seats as usize;
        PairTotals {
            sides: programs.map(Totals::of),
            judged: 0,
            alike: 0,
            by_turn: vec![Paired::default(); n_seats],
            by_seat: vec![Paired::default(); n_seats],
            shared: Paired::default(),
            all: Paired::default(),
            nobody: Paired::default(),
            choices: Paired::default(),
            figures: vec![Paired::default(); n_seats],
            figure: Paired::default(),
            measures: shared_measures(programs.map(|it| &*it.game)),
        }
    }

    fn add(&mut self, both: &[Course; 2], ranking: &[HashSet<ProcId>; 2], same_end: bool) {
        for (side, course) in self.sides.iter_mut().zip(both) {
            side.add(course);
        }
        let [End::Judged(first), End::Judged(second)] = both.each_ref().map(|it| &it.end) else {
            return;
        };
        let outcomes = [first, second];
        self.judged += 1;
        let same = both[0].digest == both[1].digest && both[0].choices == both[1].choices;
        let same = same
            && first.places == second.places
            && first.keys == second.keys
            && first.alike == second.alike;
        self.alike += u64::from(same && same_end);
        let won = [0, 1].map(|side| outcomes[side].winners(&self.sides[side].together));
        for (seat, own) in (0..).zip(&mut self.by_seat) {
            own.add([0, 1].map(|side| i64::from(won[side].contains(&seat))));
        }
        for (turn, own) in self.by_turn.iter_mut().enumerate() {
            let at = |side: usize| {
                let seat = both[side].order.get(turn);
                i64::from(seat.is_some_and(|it| won[side].contains(it)))
            };
            own.add([at(0), at(1)]);
        }
        let all = outcomes.map(|it| it.alike == Some(Alike::AllWin));
        self.all.add(all.map(i64::from));
        let nobody = outcomes.map(|it| it.alike == Some(Alike::NobodyWins));
        self.nobody.add(nobody.map(i64::from));
        let shared = [0, 1].map(|side| won[side].is_empty() && !nobody[side]);
        self.shared.add(shared.map(i64::from));
        let choices = both.each_ref().map(|it| i64::try_from(it.choices));
        self.choices.add(choices.map(|it| it.unwrap_or(i64::MAX)));
        for (at, own) in &mut self.measures {
            let mean = |side: usize| both[side].taken.get(at[side]).and_then(Taken::mean);
            if let (Some(first), Some(second)) = (mean(0), mean(1)) {
                own.add([first, second]);
            }
        }
        let rank = |side: usize| ranking[side].contains(&outcomes[side].ending);
        if rank(0) && rank(1) {
            let key = |side: usize, seat: usize| {
                let keys = outcomes[side].keys.get(seat);
                keys.and_then(|it| it.first()).copied().unwrap_or(0)
            };
            let mut sums = [0_i64; 2];
            for (seat, own) in self.figures.iter_mut().enumerate() {
                let keys = [key(0, seat), key(1, seat)];
                own.add(keys);
                for (sum, key) in sums.iter_mut().zip(keys) {
                    *sum = sum.saturating_add(key);
                }
            }
            self.figure.add(sums);
        }
    }
}

/// The measures that are called alike on both sides.
fn shared_measures(games: [&Game; 2]) -> Vec<([usize; 2], Paired)> {
    let first = games[0].measures.iter().enumerate();
    let both = first.filter_map(|(at, it)| {
        let mut second = games[1].measures.iter();
        let other = second.position(|other| other.name == it.name)?;
        Some(([at, other], Paired::default()))
    });
    both.collect()
}

/// The endings that rank by figures.
fn ranking(game: &Game) -> HashSet<ProcId> {
    let procs = (0..).map(ProcId).zip(&game.procs);
    let endings = procs.filter(|(_, it)| it.kind == ProcKind::Ending);
    let ranks = endings.filter(|(_, it)| {
        let mut ranks = false;
        each_in_block(&it.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            ranks |= matches!(stmt.kind, StmtKind::Ranking(..));
        });
        ranks
    });
    ranks.map(|(id, _)| id).collect()
}

/// Whether enough is known of how the wins of those who choose first, second … differ.
fn is_enough(totals: &PairTotals, until: Until) -> bool {
    let turns = &totals.by_turn;
    match until {
        Until::Played => false,
        Until::Within(radius) => {
            let wide = |it: &Paired| it.more_share_interval().radius() > radius;
            totals.judged > 0 && !turns.iter().any(wide)
        }
        Until::Decided => turns.iter().any(|it| {
            let found = it.more_sequence(turns.len());
            found.is_some_and(|it| !it.holds(0.0))
        }),
    }
}

/// Plays games of two rule sets for as many seats, each pair with one seed, until all are played, enough is known or `watch` says
/// no; it is handed the pairs that it has not seen, if each is to be told. As for [`super::simulate`], what it gets follows from the plan
/// alone.
pub fn compare(
    programs: [&Program; 2],
    plan: Plan,
    watch: &mut dyn FnMut(&PairTotals, &[[Course; 2]]) -> bool,
) -> (PairTotals, Left) {
    let names = programs.map(Names::of);
    let streams = programs.map(|it| Streams::of(&it.game));
    let ranking = programs.map(|it| ranking(&it.game));
    let ending = |side: usize, course: &Course| match &course.end {
        End::Judged(outcome) => {
            let proc = programs[side].game.procs.get(outcome.ending.index());
            proc.map_or("", |it| it.name.as_str())
        }
        End::Fault(_) | End::Overlong => "",
    };
    let measures = programs.map(Measures::of);
    let mut totals = PairTotals::of(programs);
    let worker = || {
        let mut gamblers = [0, 1].map(|side| {
            let (names, streams) = (&names[side], &streams[side]);
            let mut gambler = Gambler::new(programs[side], names, streams, plan.most_choices);
            gambler.measure(&measures[side]);
            gambler
        });
        let (ranking, ending) = (&ranking, &ending);
        move |games: Range<u64>, stop: &AtomicBool| {
            let mut totals = PairTotals::of(programs);
            let mut courses = Vec::new();
            for game in games {
                let seed = plan.first.wrapping_add(game);
                let first = gamblers[0].play(seed, &mut totals.sides[0], stop)?;
                let second = gamblers[1].play(seed, &mut totals.sides[1], stop)?;
                let same_end = ending(0, &first) == ending(1, &second);
                let both = [first, second];
                totals.add(&both, ranking, same_end);
                if plan.each {
                    courses.push(both);
                }
                if totals.sides.iter().any(Totals::is_endless) {
                    break;
                }
            }
            Some((totals, courses))
        }
    };
    let left = in_stretches(&plan, BATCH, worker, &mut |played: Option<(
        PairTotals,
        Vec<[Course; 2]>,
    )>| {
        let (more, courses) = played.unzip();
        if let Some(more) = &more {
            totals.merge(more);
        }
        let go_on = watch(&totals, courses.as_deref().unwrap_or_default());
        let looks = more.is_some() && is_look(totals.sides[0].games, &plan);
        let is_endless = totals.sides.iter().any(Totals::is_endless);
        let is_enough = looks && is_enough(&totals, plan.until);
        next(is_endless, is_enough, go_on)
    });
    (totals, left)
}

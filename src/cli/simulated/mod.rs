//! What many games have come to, as text, JSON, CSV and pictures.

pub mod csv;
pub mod facts;
pub mod json;
pub mod players;
pub mod plot;
pub mod words;

use crate::lab::{Left, Plan, Tally, Totals};
use crate::model::text::Form;
use crate::model::{Game, Measure, Moment, ProcId};
use crate::play::figures::{Figure, figures_of};
use crate::play::seat_name;
use crate::stats::{self, Interval, LEVEL};

/// When a measure is taken, in the words of the language.
pub fn taken(it: &Measure) -> &'static str {
    match it.moment {
        Moment::Turn => "each turn",
        Moment::End => "at end",
        Moment::When(_) => "when",
    }
}

/// Games that were played, and of what.
pub struct Played<'a> {
    /// Title of the rules.
    pub title: String,
    /// The rules.
    pub program: &'a crate::engine::Program,
    /// What was to be played.
    pub plan: Plan,
    /// What came of it.
    pub totals: Totals,
    /// Why no more was played.
    pub left: Left,
    /// Who played, where not all played at random.
    pub players: Option<players::Players>,
}

/// A share of the wins.
pub struct Won {
    /// Whose.
    pub who: Who,
    /// How they fared.
    pub tally: Tally,
    /// Where the share of the games lies that they win alone.
    pub share: Interval,
    /// How likely such a share is by luck, among games that one seat wins, where all win alike; raised because
    /// there are several.
    pub luck: f64,
}

/// Whose wins are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A seat, and its turn if that was the same in all games.
    Seat(usize, Option<usize>),
    /// Those who win and lose together with this seat, which is the first of them.
    Side(usize),
    /// Those who were the first to choose (0), the second …
    Turn(usize),
}

impl Played<'_> {
    /// The rules.
    pub fn game(&self) -> &Game {
        &self.program.game
    }

    /// The wins by who chose first, second …, and by seat. Where that comes to the same, by seat alone.
    pub fn wins(&self) -> Vec<Won> {
        let totals = &self.totals;
        let n = totals.n_seats();
        if n < 2 {
            return Vec::new();
        }
        let turn = |seat| (0..n).find(|turn| totals.tally(seat, *turn).games == totals.judged);
        let turns: Vec<Option<usize>> = (0..n).map(turn).collect();
        let fixed = totals.judged > 0 && turns.iter().all(Option::is_some);
        let by_turn = (0..n)
            .filter(|_| !fixed)
            .map(|turn| (Who::Turn(turn), totals.of_turn(turn)));
        let by_turn = by_turn.filter(|(_, tally)| tally.games > 0);
        let has_sides = self.has_sides();
        let by_seat = (0..n).zip(turns).filter_map(|(seat, turn)| {
            let who = match has_sides {
                true if totals.together[seat] == seat => Who::Side(seat),
                true => return None,
                false => Who::Seat(seat, turn.filter(|_| fixed)),
            };
            Some((who, totals.of_seat(seat)))
        });
        let all: Vec<(Who, Tally)> = by_turn.chain(by_seat).collect();
        let alone = totals.judged - totals.shared - totals.nobody;
        let even = 1.0 / self.n_sides() as f64;
        let luck = all
            .iter()
            .map(|(_, it)| stats::luck_of_share(it.alone, alone, even));
        let luck = stats::holm(&luck.collect::<Vec<f64>>());
        all.into_iter()
            .zip(luck)
            .map(|((who, tally), luck)| Won {
                who,
                tally,
                share: stats::share(tally.alone, totals.judged, LEVEL),
                luck,
            })
            .collect()
    }

    /// Whether no game has left anything to anybody.
    pub fn plays_itself(&self) -> bool {
        self.totals
            .choices
            .range()
            .is_some_and(|(_, most)| most == 0)
    }

    /// How many can win: seats, or sides whose seats win and lose together.
    pub fn n_sides(&self) -> usize {
        let together = self.totals.together.iter().enumerate();
        together.filter(|(seat, first)| seat == *first).count()
    }

    /// Whether some seats win and lose together.
    pub fn has_sides(&self) -> bool {
        self.n_sides() < self.totals.n_seats()
    }

    /// The seats that win and lose together with this one.
    pub fn side(&self, seat: usize) -> impl Iterator<Item = usize> {
        let together = self.totals.together.iter().enumerate();
        let own = self.totals.together.get(seat).copied();
        together.filter_map(move |(it, first)| (Some(*first) == own).then_some(it))
    }

    /// The names of the seats that win and lose together with this one.
    pub fn side_name(&self, seat: usize, plain: bool) -> String {
        let names = self.side(seat).map(|it| self.seat(it, plain));
        names.collect::<Vec<_>>().join(" + ")
    }

    /// Name of a seat.
    pub fn seat(&self, seat: usize, plain: bool) -> String {
        seat_name(
            self.game(),
            u32::try_from(seat).unwrap_or(0),
            Form::written(plain),
        )
    }

    /// Name of an ending, and what it ranks by; nothing where it names the winner.
    pub fn ending(&self, id: ProcId) -> (&str, Vec<Figure>) {
        let name = self.game().procs.get(id.index());
        let name = name.map_or("", |it| it.name.as_str());
        (name, figures_of(self.game(), name).unwrap_or_default())
    }

    /// Choices of the rules at which nobody ever had to choose, in the order of the rulebook.
    pub fn never_asked(&self) -> Vec<&str> {
        let asked = self.totals.uses.by_clause(self.program);
        let never = asked.into_iter().filter(|(_, count)| *count == 0);
        let clauses = never.filter_map(|(id, _)| self.game().clauses.get(id.index()));
        clauses.map(|it| it.path.as_str()).collect()
    }

    /// The clauses that forbid something alone, with the choices at which they do, most first.
    pub fn refusals(&self) -> Vec<(&str, u64)> {
        let alone = self.totals.refusals.alone.iter();
        let named = alone.filter_map(|(id, count)| {
            let clause = self.game().clauses.get(id.index())?;
            Some((clause.path.as_str(), *count))
        });
        let mut named: Vec<(&str, u64)> = named.collect();
        named.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        named
    }

    /// Endings that judged no game, in the order of the rulebook.
    pub fn never_reached(&self) -> Vec<&str> {
        let procs = (0..).map(ProcId).zip(&self.game().procs);
        let endings = procs.filter(|(_, it)| it.kind == crate::model::ProcKind::Ending);
        let never = endings.filter(|(id, _)| !self.totals.endings.contains_key(id));
        never.map(|(_, it)| it.name.as_str()).collect()
    }
}

//! What games of the second rule set do not come to, or come to seldom, though those of the first one do, and the other way
//! round.

use std::collections::BTreeMap;

use crate::cli::load::Loaded;
use crate::cli::simulated::words::grouped;
use crate::lab::{Totals, Tried};
use crate::model::text::Form;
use crate::play::seat_name;
use crate::stats::{self, LEVEL};

/// What was counted of what games come to, where chance alone does not explain the difference.
pub struct Reached {
    /// Games of the second one.
    games: u64,
    /// Not all of them come to an end, and those of the first one do, or more of them than luck explains.
    pub endless: bool,
    /// Nobody ever chooses anything in them.
    pub nobody: bool,
    /// Seats that never choose in the second one alone.
    pub idle: Vec<String>,
    /// What can never be chosen in the second one alone, and at how many choices of the first one it could.
    pub barred: Vec<(String, Of)>,
    /// Endings, with the games of either that they judge.
    pub endings: Vec<(String, [Of; 2])>,
}

/// So many of so many.
#[derive(Clone, Copy)]
pub struct Of(pub u64, pub u64);

impl Of {
    fn is_more_than(self, other: Of) -> bool {
        let share = |it: Of| stats::exact(it.0, it.1, LEVEL);
        self.1 > 0 && other.1 > 0 && share(self).low > share(other).high
    }

    fn told(self) -> String {
        format!("{} of {}", grouped(self.0), grouped(self.1))
    }
}

impl Reached {
    /// What games of two rule sets for as many seats have come to.
    pub fn of(sides: &[Loaded; 2], tried: &Tried) -> Reached {
        let [one, other] = &tried.sides;
        let chooses = |it: &Totals| it.choices.range().is_none_or(|(_, most)| most > 0);
        let nobody = other.judged > 0 && other.judged == other.games;
        let nobody = nobody && !chooses(other) && chooses(one);
        let overlong = |it: &Totals| it.overlong.map_or(0, |it| it.games);
        let [before, now] = [one, other].map(|it| Of(overlong(it), it.games));
        let n_seats = one.n_seats();
        let never =
            |it: &Totals, seat: usize| it.judged > 0 && it.tally(seat, n_seats).games == it.judged;
        let idle = (0..n_seats).filter(|seat| never(other, *seat) && !never(one, *seat));
        let game = &sides[1].program.game;
        let name = |seat| seat_name(game, u32::try_from(seat).unwrap_or(0), Form::Plain);
        let uses = [0, 1].map(|side| {
            let program = &sides[side].program;
            tried.sides[side].uses.by_name(program)
        });
        let asked = |it: &Totals| it.choices.sum().unsigned_abs();
        let asked = tried
            .sides
            .each_ref()
            .map(|it| u64::try_from(asked(it)).unwrap_or(u64::MAX));
        let legal = uses[1].iter().filter(|(_, it)| it.legal == 0);
        let barred = legal.filter_map(|(name, _)| {
            let before = uses[0].iter().find(|(it, _)| it == name)?;
            let before = Of(before.1.legal, before.1.asked);
            let is_chance = !nobody && !before.is_more_than(Of(0, asked[1]));
            (before.0 > 0 && !is_chance).then(|| (name.clone(), before))
        });
        Reached {
            games: other.games,
            endless: now.0 > 0 && before.0 == 0 || now.is_more_than(before),
            nobody,
            idle: idle.filter(|_| !nobody).map(name).collect(),
            barred: barred.collect(),
            endings: endings(sides, tried),
        }
    }

    /// Says it in lines, by what it is about.
    pub fn lines(&self) -> [(&'static str, Vec<String>); 2] {
        let within = match self.games {
            1 => String::from("in the one game of B"),
            n => format!("in {} games of B", grouped(n)),
        };
        let mut never = Vec::new();
        if self.nobody {
            never.push(format!(
                "{within} nobody chooses anything: each is over before the first choice"
            ));
        }
        let idle = self.idle.iter();
        never.extend(idle.map(|it| format!("{within} {it} chooses nothing")));
        never.extend(self.barred.iter().map(|(name, before)| {
            format!(
                "{within} nobody could choose {name}; in A at {} choices",
                before.told()
            )
        }));
        let ends = self.endings.iter().map(|(name, both)| {
            let [a, b] = both.map(Of::told);
            format!("{name} judges {a} games in A, {b} in B")
        });
        [("never", never), ("ends", ends.collect())]
    }
}

fn endings(sides: &[Loaded; 2], tried: &Tried) -> Vec<(String, [Of; 2])> {
    let mut judged: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for (side, totals) in tried.sides.iter().enumerate() {
        for (id, ending) in &totals.endings {
            let proc = sides[side].program.game.procs.get(id.index());
            let name = proc.map_or("", |it| it.name.as_str());
            judged.entry(name).or_default()[side] += ending.games;
        }
    }
    let of = |games: [u64; 2]| [0, 1].map(|side| Of(games[side], tried.sides[side].judged));
    let all = judged
        .into_iter()
        .map(|(name, games)| (name.to_owned(), of(games)));
    all.filter(|(_, [a, b])| a.is_more_than(*b) || b.is_more_than(*a))
        .collect()
}

//! What a search came to, move by move.

use super::ahead::{Ahead, Certain};
use super::judge::Judge;
use super::tree::Reply;
use crate::engine::Move;

/// How far what a move came to later in games may be from what it is worth now: the less, the longer that is believed.
const BIAS: f64 = 0.1;

/// What came of a move at the root.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// The move.
    pub mv: Move,
    /// Games that began with it.
    pub games: u32,
    /// What is certain of it.
    pub certain: Option<Certain>,
    /// Whether it has been looked at more closely than others, and does not lose within a few choices.
    is_allowed: bool,
    sum: f64,
    squares: f64,
    /// Games in which its seat made it later, and what these came to.
    later: (u32, f64),
    wins: Vec<f64>,
    margin: f64,
    figures: Vec<f64>,
    /// What followed, the most frequent first.
    pub replies: Vec<Reply>,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// By legal move.
    pub moves: Vec<Weighed>,
    /// Games played on.
    pub games: u32,
    /// Deals in which the rules stopped with a fault: they count for nothing.
    pub faults: u32,
}

/// How far games lie apart, as if one of them had come out far from the others.
pub(super) fn variance(games: f64, sum: f64, squares: f64) -> f64 {
    ((squares - sum * sum / games).max(0.0) + 0.25) / games
}

impl Weighed {
    pub(super) fn new(mv: Move, n_seats: usize) -> Weighed {
        Weighed {
            mv,
            games: 0,
            certain: None,
            is_allowed: false,
            sum: 0.0,
            squares: 0.0,
            later: (0, 0.0),
            wins: vec![0.0; n_seats],
            margin: 0.0,
            figures: vec![0.0; n_seats],
            replies: Vec::new(),
        }
    }

    /// Notes a game that began with it, as it was judged for a seat.
    pub(super) fn note(&mut self, seat: u32, judge: &Judge<'_>) {
        let at = seat as usize;
        let reward = judge.reward(seat);
        self.games += 1;
        self.sum += reward;
        self.squares += reward * reward;
        self.margin += judge.margins.get(at).copied().unwrap_or(0.0);
        for (own, wins) in self.wins.iter_mut().zip(&judge.wins) {
            *own += wins;
        }
        for (own, figure) in self.figures.iter_mut().zip(judge.figures()) {
            *own += *figure as f64;
        }
    }

    /// Notes a game in which it was made later.
    pub(super) fn note_later(&mut self, reward: f64) {
        self.later.0 += 1;
        self.later.1 += reward;
    }

    /// What it is worth.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.sum / f64::from(self.games.max(1))
    }

    /// How much of its worth is taken from games in which it was made later: less, the more began with it
    /// (Gelly and Silver 2011, rapid action value estimation).
    fn by_later(&self) -> f64 {
        let (own, later) = (f64::from(self.games), f64::from(self.later.0));
        later / (own + later + 4.0 * own * later * BIAS * BIAS).max(1.0)
    }

    /// What it is worth by all games in which it was made, first or later.
    pub(super) fn value_anywhere(&self) -> f64 {
        let part = self.by_later();
        let later = self.later.1 / f64::from(self.later.0.max(1));
        part * later + (1.0 - part) * self.value()
    }

    /// What it is worth at least, supposing the worst that is not unlikely.
    fn at_least(&self) -> f64 {
        if self.games == 0 {
            return f64::NEG_INFINITY;
        }
        let n = f64::from(self.games);
        let error = (variance(n, self.sum, self.squares) / n).sqrt();
        self.value_anywhere() - (1.0 - self.by_later()) * error
    }

    /// By which the best comes first: what is certain before what it seems to be worth, and late defeats before early ones.
    fn rank(&self) -> (i64, bool, f64) {
        let certain = self.certain.map_or(0, |it| match it.wins {
            true => i64::from(u32::MAX - it.within),
            false => i64::from(it.within) - i64::from(u32::MAX),
        });
        (certain, self.is_allowed, self.at_least())
    }

    /// The part of the games that a seat won, shared places in parts.
    #[must_use]
    pub fn wins(&self, seat: u32) -> f64 {
        let wins = self.wins.get(seat as usize).copied().unwrap_or(0.0);
        wins / f64::from(self.games.max(1))
    }

    /// The first figure of a seat where the games were left, on average.
    #[must_use]
    pub fn figure(&self, seat: u32) -> f64 {
        let sum = self.figures.get(seat as usize).copied().unwrap_or(0.0);
        sum / f64::from(self.games.max(1))
    }

    /// By how much who chooses is ahead of the best of the others, on average.
    #[must_use]
    pub fn margin(&self) -> f64 {
        self.margin / f64::from(self.games.max(1))
    }
}

impl Weighed {
    /// Adds what followed in another tree.
    fn hear(&mut self, others: &[Reply]) {
        for other in others {
            let same = |it: &&mut Reply| (it.mv, it.asked) == (other.mv, other.asked);
            match self.replies.iter_mut().find(same) {
                Some(own) => {
                    // The tree that went that way more often knows better what came next.
                    if other.times > own.times {
                        own.next = other.next;
                    }
                    own.times += other.times;
                }
                None => self.replies.push(*other),
            }
        }
        self.replies.sort_by_key(|it| u32::MAX - it.times);
    }
}

impl Thought {
    /// The best move; none where nothing could be played on.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.ranked().first().map(|it| it.mv)
    }

    /// The moves that were looked at, the best first.
    #[must_use]
    pub fn ranked(&self) -> Vec<&Weighed> {
        let wins = |it: &Weighed| it.certain.is_some_and(|it| it.wins);
        let all = self.moves.iter();
        let looked_at = all.filter(|it| it.games > 0 || it.is_allowed || wins(it));
        let mut moves: Vec<&Weighed> = looked_at.collect();
        moves.sort_by(|a, b| {
            let ((a, is_a, of_a), (b, is_b, of_b)) = (a.rank(), b.rank());
            (b, is_b).cmp(&(a, is_a)).then(of_b.total_cmp(&of_a))
        });
        moves
    }

    /// Notes what is certain, and looks closer at the best until one is found that does not lose for certain.
    pub(super) fn settle(&mut self, ahead: &mut Ahead<'_, '_>, work: u64) {
        let mut is_refuted = false;
        ahead.grant(work);
        let all = self.moves.iter_mut().zip(&ahead.certain);
        all.for_each(|(own, certain)| own.certain = *certain);
        loop {
            let open = |it: &usize| self.moves[*it].certain.is_none();
            // Behind one that loses those come first which take from the other side what it wins by.
            let killer = ahead.killers().filter(|_| is_refuted).find(open);
            let best = self.best();
            let best = self.moves.iter().position(|it| Some(it.mv) == best);
            let Some(at) = killer.or(best.filter(open)) else {
                return;
            };
            if ahead.allows(at) {
                self.moves[at].is_allowed = true;
                return;
            }
            if ahead.certain[at].is_none() {
                return;
            }
            self.moves[at].certain = ahead.certain[at];
            is_refuted = true;
        }
    }
}

impl Thought {
    pub(super) fn join(&mut self, other: &Thought) {
        self.games += other.games;
        self.faults += other.faults;
        for (own, other) in self.moves.iter_mut().zip(&other.moves) {
            own.games += other.games;
            own.sum += other.sum;
            own.squares += other.squares;
            own.later.0 += other.later.0;
            own.later.1 += other.later.1;
            own.margin += other.margin;
            let sums = own.wins.iter_mut().zip(&other.wins);
            let figures = own.figures.iter_mut().zip(&other.figures);
            sums.chain(figures).for_each(|(own, other)| *own += other);
            own.hear(&other.replies);
        }
    }
}

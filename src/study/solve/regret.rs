//! Two seats that do not see all learn from playing against each other: counterfactual regret minimisation (CFR+), over all
//! lines of the game and all outcomes of chance.

use super::ends::Stake;
use super::tree::{Node, Tree};
use super::{Measure, Open};
use crate::engine::Program;
use crate::study::Trouble;

/// What two seats come to that have learnt.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// In what.
    pub measure: Measure,
    /// By seat, on average.
    pub seats: [f64; 2],
    /// What a seat that knew how the other plays could win by it, on average of both: no play is worth more than that above
    /// what is told here.
    pub exploitability: f64,
    /// Rounds that were played.
    pub rounds: u32,
    /// Different lines up to a choice.
    pub lines: usize,
    /// What a seat can know when it chooses: so many different things.
    pub states: usize,
}

/// Lets the seats of a game learn for a number of rounds; `watch` is told how many lines or rounds there were.
///
/// # Errors
/// Where the rules stop with a fault.
pub fn equilibrium(
    program: &Program,
    rounds: u32,
    lines: usize,
    watch: &mut dyn FnMut(usize) -> bool,
) -> Result<Result<Equilibrium, Open>, Trouble> {
    if program.game.n_seats != 2 {
        return Ok(Err(Open::Seats));
    }
    let tree = match Tree::of(program, lines, watch) {
        Ok(Ok(tree)) => tree,
        Ok(Err(open)) => return Ok(Err(open)),
        // There is no place to start behind it: what a seat knows it knows from the beginning on.
        Err(Trouble::Chance(_)) => return Ok(Err(Open::Chance)),
        Err(trouble) => return Err(trouble),
    };
    let stake = match Stake::of(&tree.ends, &program.game) {
        Ok(stake) => stake,
        Err(open) => return Ok(Err(open)),
    };
    let mut lesson = Lesson::new(&tree, stake);
    let mut done = 0;
    while done < rounds && watch(done as usize) {
        done += 1;
        for seat in 0..2 {
            lesson.learn(seat, f64::from(done));
        }
    }
    let average = lesson.average();
    let first = lesson.first_of(&average);
    let best: f64 = (0..2).map(|seat| lesson.best_against(seat, &average)).sum();
    Ok(Ok(Equilibrium {
        measure: stake.measure,
        seats: [first, stake.sum - first],
        exploitability: ((best - stake.sum) / 2.0).max(0.0),
        rounds: done,
        lines: tree.nodes.len() - tree.ends.len(),
        states: tree.states.len(),
    }))
}

/// How likely each choice is, by what is known.
type Strategy = Vec<f64>;

struct Lesson<'t> {
    tree: &'t Tree,
    stake: Stake,
    /// By choice of what is known: what it would have been better by, never below nothing.
    regrets: Vec<f64>,
    /// The same: how often it was chosen, later rounds counting more.
    chosen: Vec<f64>,
    /// By node: how likely the seat that learns comes there by its own choices, and all else with it.
    own: Vec<f64>,
    other: Vec<f64>,
    worth: Vec<f64>,
}

impl<'t> Lesson<'t> {
    fn new(tree: &'t Tree, stake: Stake) -> Self {
        let n_choices = tree.states.last().map_or(0, |it| it.first + it.n);
        let nodes = tree.nodes.len();
        Self {
            tree,
            stake,
            regrets: vec![0.0; n_choices],
            chosen: vec![0.0; n_choices],
            own: vec![0.0; nodes],
            other: vec![0.0; nodes],
            worth: vec![0.0; nodes],
        }
    }

    /// Shares of what is added up; the same for all where there is nothing.
    fn shares(&self, sums: &[f64]) -> Strategy {
        let mut shares = sums.to_vec();
        for known in &self.tree.states {
            let Some(own) = shares.get_mut(known.first..known.first + known.n) else {
                continue;
            };
            let sum: f64 = own.iter().sum();
            let even = 1.0 / known.n.max(1) as f64;
            own.iter_mut()
                .for_each(|it| *it = if sum > 0.0 { *it / sum } else { even });
        }
        shares
    }

    fn average(&self) -> Strategy {
        self.shares(&self.chosen)
    }

    /// How likely each node is where both play so.
    fn reach(&mut self, seat: usize, strategy: &Strategy) {
        for (node, share) in &self.tree.starts {
            self.own[*node] = 1.0;
            self.other[*node] = *share;
        }
        for (at, node) in self.tree.nodes.iter().enumerate() {
            let Node::Choice { known, choices } = node else {
                continue;
            };
            let known = &self.tree.states[*known];
            let (own, other) = (self.own[at], self.other[at]);
            for (nth, outcomes) in self.tree.choices[choices.clone()].iter().enumerate() {
                let chosen = strategy[known.first + nth];
                for (next, share) in &self.tree.outcomes[outcomes.clone()] {
                    let is_own = known.seat == seat;
                    self.own[*next] = if is_own { own * chosen } else { own };
                    self.other[*next] = other * share * if is_own { 1.0 } else { chosen };
                }
            }
        }
    }

    /// What each node is worth to a seat where both play so.
    fn work_out(&mut self, seat: usize, strategy: &Strategy) {
        for (at, node) in self.tree.nodes.iter().enumerate().rev() {
            self.worth[at] = match node {
                Node::Met => 0.0,
                Node::End(end) => {
                    let first = self.stake.of_first(&self.tree.ends[*end]);
                    self.stake.for_seat(u32::from(seat > 0), first)
                }
                Node::Choice { known, choices } => {
                    let first = self.tree.states[*known].first;
                    let choices = self.tree.choices[choices.clone()].iter().enumerate();
                    choices
                        .map(|(nth, outcomes)| strategy[first + nth] * self.sum(outcomes.clone()))
                        .sum()
                }
            };
        }
    }

    fn sum(&self, outcomes: std::ops::Range<usize>) -> f64 {
        let outcomes = self.tree.outcomes[outcomes].iter();
        outcomes
            .map(|(next, share)| self.worth[*next] * share)
            .sum()
    }

    /// One round: a seat finds out what other choices would have brought it.
    fn learn(&mut self, seat: usize, weight: f64) {
        let now = self.shares(&self.regrets);
        self.reach(seat, &now);
        self.work_out(seat, &now);
        for (at, node) in self.tree.nodes.iter().enumerate() {
            let Node::Choice { known, choices } = node else {
                continue;
            };
            let known = &self.tree.states[*known];
            if known.seat != seat {
                continue;
            }
            for (nth, outcomes) in self.tree.choices[choices.clone()].iter().enumerate() {
                let better = self.sum(outcomes.clone()) - self.worth[at];
                self.regrets[known.first + nth] += self.other[at] * better;
                self.chosen[known.first + nth] += weight * self.own[at] * now[known.first + nth];
            }
        }
        self.regrets.iter_mut().for_each(|it| *it = it.max(0.0));
    }

    fn first_of(&mut self, strategy: &Strategy) -> f64 {
        self.work_out(0, strategy);
        self.at_start()
    }

    fn at_start(&self) -> f64 {
        let starts = self.tree.starts.iter();
        starts.map(|(node, share)| self.worth[*node] * share).sum()
    }

    /// What a seat comes to that knows how the other plays: its last choices are made first.
    fn best_against(&mut self, seat: usize, strategy: &Strategy) -> f64 {
        let mut best = strategy.clone();
        self.reach(seat, strategy);
        let own = self.tree.states.iter().filter(|it| it.seat == seat);
        for depth in (0..own.map(|it| it.depth + 1).max().unwrap_or(0)).rev() {
            self.work_out(seat, &best);
            let mut sums = vec![0.0; best.len()];
            for (at, node) in self.tree.nodes.iter().enumerate() {
                if let Node::Choice { known, choices } = node {
                    let first = self.tree.states[*known].first;
                    let choices = self.tree.choices[choices.clone()].iter().enumerate();
                    for (nth, outcomes) in choices {
                        sums[first + nth] += self.other[at] * self.sum(outcomes.clone());
                    }
                }
            }
            let here = self.tree.states.iter();
            for known in here.filter(|it| it.seat == seat && it.depth == depth) {
                let choices = known.first..known.first + known.n;
                let nth = choices.clone().max_by(|a, b| sums[*a].total_cmp(&sums[*b]));
                choices.for_each(|it| best[it] = if Some(it) == nth { 1.0 } else { 0.0 });
            }
        }
        self.work_out(seat, &best);
        self.at_start()
    }
}

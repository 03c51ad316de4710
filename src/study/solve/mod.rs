//! What a game is worth to those who play as well as one can.
//!
//! Where whoever chooses knows all that lies, the worth of a position follows from those behind it, from the ends
//! backwards: each position once, chance by how likely its outcomes are. Where something is hidden, both seats learn from
//! playing against each other ([`equilibrium`]).

mod ends;
mod regret;
mod solved;
mod tree;

use std::collections::HashMap;
use std::ops::Range;

pub use self::ends::names_winners;
use self::ends::{End, Stake};
pub use self::regret::{Equilibrium, equilibrium};
pub use self::solved::Solved;
use super::{Mark, POSITION_WORK, Trouble, trouble, turned};
use crate::engine::{COMMAND_WORK, Machine, Move, Program, State, Status, Ways};
use crate::model::Game;

/// What is added up for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The first figure of the ranking: for one seat, and for two where the rules rank by figures that add up alike in
    /// every end.
    Figures,
    /// A game that is won is worth 1, one that is shared half of that.
    Wins,
}

/// Why a game has no worth that could be worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// There are more positions than may be looked at.
    Positions,
    /// Chance may decide in more than [`MOST_OUTCOMES`](crate::engine::MOST_OUTCOMES) ways between two choices.
    Chance,
    /// This seat does not see all that may differ when it chooses.
    Hidden(u32),
    /// It is played by more than two.
    Seats,
    /// All seats win or lose together somewhere: they are no opponents.
    Together,
    /// A position can come back.
    Returns,
    /// Somebody did not want any more.
    Stopped,
}

/// What a game or a position is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth {
    /// In what.
    pub measure: Measure,
    /// By seat.
    pub seats: Vec<f64>,
    /// Where the game begins with a choice: what each move is worth to who chooses.
    pub moves: Vec<(Move, f64)>,
    /// Different positions in which somebody chooses.
    pub positions: usize,
    /// Different positions in which the game is over.
    pub ends: usize,
    /// Whether anything is left to chance.
    pub has_chance: bool,
}

/// Positions and what leads from one to another.
#[derive(Default)]
struct Graph {
    nodes: Vec<Node>,
    /// By choice of a position: its outcomes.
    choices: Vec<Range<usize>>,
    /// Which position, and how likely.
    outcomes: Vec<(usize, f64)>,
    ends: Vec<End>,
}

enum Node {
    /// Not looked at yet.
    Met,
    End(usize),
    Choice {
        seat: u32,
        choices: Range<usize>,
    },
}

/// Works out what a game is worth, from its beginning or from a position.
///
/// # Errors
/// Where the rules stop with a fault, or chance has too many outcomes.
pub fn solve(
    program: &Program,
    from: Option<&State>,
    positions: usize,
    watch: &mut dyn FnMut(usize) -> bool,
) -> Result<Result<Worth, Open>, Trouble> {
    let explored = explore(program, from, positions, watch)?;
    let worth = explored.and_then(|it| {
        let (worth, moves) = it.graph.worth(&it.starts, &program.game)?;
        Ok(Worth {
            moves: it.first.into_iter().zip(moves).collect(),
            ..worth
        })
    });
    Ok(worth)
}

/// All positions that can be reached.
struct Explored {
    graph: Graph,
    known: HashMap<Mark, usize>,
    /// Where it begins, and how likely.
    starts: Vec<(usize, f64)>,
    /// The moves of the first position, where it is one.
    first: Vec<Move>,
}

fn explore(
    program: &Program,
    from: Option<&State>,
    positions: usize,
    watch: &mut dyn FnMut(usize) -> bool,
) -> Result<Result<Explored, Open>, Trouble> {
    if program.game.n_seats > 2 {
        return Ok(Err(Open::Seats));
    }
    program.bound_work(COMMAND_WORK);
    let mut search = Search {
        machine: Machine::new(program),
        graph: Graph::default(),
        known: HashMap::new(),
        waiting: Vec::new(),
        scratch: Vec::new(),
    };
    let starts = match from {
        Some(state) => {
            search.machine.load(state);
            let status = search.machine.status();
            vec![(search.meet(status), 1.0)]
        }
        None => search.starts()?,
    };
    let first = search.machine.moves().to_vec();
    if let Err(open) = search.run(positions, watch)? {
        return Ok(Err(open));
    }
    Ok(Ok(Explored {
        graph: search.graph,
        known: search.known,
        starts,
        first,
    }))
}

struct Search<'p> {
    machine: Machine<'p>,
    graph: Graph,
    known: HashMap<Mark, usize>,
    waiting: Vec<(usize, State)>,
    scratch: Vec<u8>,
}

impl Search<'_> {
    fn starts(&mut self) -> Result<Vec<(usize, f64)>, Trouble> {
        let (mut starts, mut ways) = (Vec::new(), Ways::default());
        loop {
            let status = self.machine.start(&mut ways)?;
            starts.push((self.meet(status), ways.likelihood()));
            if !turned(&mut ways, 0)? {
                return Ok(starts);
            }
        }
    }

    /// The number of the position of the machine.
    fn meet(&mut self, status: Status) -> usize {
        let state = self.machine.save();
        let new = self.graph.nodes.len();
        let mark = State::mark([&state], &mut self.scratch);
        let node = *self.known.entry(mark).or_insert(new);
        if node == new {
            self.graph.nodes.push(match status {
                Status::Choice { .. } => {
                    self.waiting.push((node, state));
                    Node::Met
                }
                Status::Ended => {
                    self.graph.ends.push(End::of(&self.machine));
                    Node::End(self.graph.ends.len() - 1)
                }
            });
        }
        node
    }

    fn run(
        &mut self,
        most: usize,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Result<(), Open>, Trouble> {
        while let Some((node, state)) = self.waiting.pop() {
            if self.graph.nodes.len() > most {
                return Ok(Err(Open::Positions));
            }
            if !watch(self.graph.nodes.len()) {
                return Ok(Err(Open::Stopped));
            }
            self.machine.program().allow_work(POSITION_WORK);
            self.machine.load(&state);
            let Status::Choice { seat } = self.machine.status() else {
                continue;
            };
            if !self.machine.dealer(seat).is_certain() {
                return Ok(Err(Open::Hidden(seat)));
            }
            let first = self.graph.choices.len();
            for played in self.machine.moves().to_vec() {
                let begin = self.graph.outcomes.len();
                let mut ways = Ways::default();
                loop {
                    let status = self.machine.play_from(&state, played, &mut ways);
                    let next = self.meet(status.map_err(trouble)?);
                    self.graph.outcomes.push((next, ways.likelihood()));
                    if !turned(&mut ways, 1)? {
                        break;
                    }
                }
                self.graph.choices.push(begin..self.graph.outcomes.len());
            }
            let choices = first..self.graph.choices.len();
            if let Some(slot) = self.graph.nodes.get_mut(node) {
                *slot = Node::Choice { seat, choices };
            }
        }
        Ok(Ok(()))
    }
}

/// How far the worth of a position is worked out.
#[derive(Clone, Copy, PartialEq)]
enum Worked {
    Not,
    /// It waits for what follows from it.
    Waits,
    Known(f64),
}

impl Graph {
    fn worth(&self, starts: &[(usize, f64)], game: &Game) -> Result<(Worth, Vec<f64>), Open> {
        let stake = Stake::of(&self.ends, game)?;
        let worked = self.worked(starts, &stake)?;
        let known = |node: usize| match worked.get(node) {
            Some(Worked::Known(worth)) => *worth,
            _ => 0.0,
        };
        let sum = |outcomes: &[(usize, f64)]| -> f64 {
            outcomes
                .iter()
                .map(|(node, share)| known(*node) * share)
                .sum()
        };
        let mut moves: Vec<f64> = Vec::new();
        if let [(start, _)] = starts
            && let Some(Node::Choice { seat, choices }) = self.nodes.get(*start)
        {
            let ranges = self.choices.get(choices.clone()).unwrap_or_default();
            moves.extend(ranges.iter().map(|it| {
                let worth = sum(self.outcomes.get(it.clone()).unwrap_or_default());
                stake.for_seat(*seat, worth)
            }));
        }
        let worth = sum(starts);
        let worth = Worth {
            measure: stake.measure,
            seats: (0..game.n_seats)
                .map(|it| stake.for_seat(it, worth))
                .collect(),
            moves: Vec::new(),
            positions: self.nodes.len() - self.ends.len(),
            ends: self.ends.len(),
            has_chance: starts.len() > 1 || self.outcomes.iter().any(|(_, share)| *share < 1.0),
        };
        Ok((worth, moves))
    }

    /// What all positions are worth to the first seat.
    fn worked(&self, starts: &[(usize, f64)], stake: &Stake) -> Result<Vec<Worked>, Open> {
        let mut worked = vec![Worked::Not; self.nodes.len()];
        for (start, _) in starts {
            self.work_out(*start, stake, &mut worked)?;
        }
        Ok(worked)
    }

    /// Works out what a position is worth to the first seat, and all that follow from it.
    fn work_out(&self, start: usize, stake: &Stake, worked: &mut [Worked]) -> Result<(), Open> {
        let mut way = vec![start];
        while let Some(node) = way.last().copied() {
            let state = worked.get(node).copied().unwrap_or(Worked::Waits);
            if let Worked::Known(_) = state {
                way.pop();
                continue;
            }
            let worth = match self.nodes.get(node) {
                Some(Node::End(end)) => self.ends.get(*end).map_or(0.0, |it| stake.of_first(it)),
                Some(Node::Choice { seat, choices }) => {
                    let ranges = self.choices.get(choices.clone()).unwrap_or_default();
                    if state == Worked::Not {
                        worked[node] = Worked::Waits;
                        let all = ranges.first().map_or(0, |it| it.start)
                            ..ranges.last().map_or(0, |it| it.end);
                        for (next, _) in self.outcomes.get(all).unwrap_or_default() {
                            match worked.get(*next) {
                                Some(Worked::Not) => way.push(*next),
                                Some(Worked::Waits) => return Err(Open::Returns),
                                Some(Worked::Known(_)) | None => {}
                            }
                        }
                        continue;
                    }
                    let worths = ranges.iter().map(|it| -> f64 {
                        let outcomes = self.outcomes.get(it.clone()).unwrap_or_default();
                        let known = outcomes
                            .iter()
                            .map(|(next, share)| match worked.get(*next) {
                                Some(Worked::Known(worth)) => worth * share,
                                _ => 0.0,
                            });
                        known.sum()
                    });
                    match seat {
                        0 => worths.fold(f64::NEG_INFINITY, f64::max),
                        _ => worths.fold(f64::INFINITY, f64::min),
                    }
                }
                Some(Node::Met) | None => 0.0,
            };
            worked[node] = Worked::Known(worth);
            way.pop();
        }
        Ok(())
    }
}

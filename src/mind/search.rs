//! The one loop of all searches: a deal, a line of moves down the tree, the game played on, and what it came to.

use std::thread;
use std::time::Duration;

use super::ahead::Ahead;
use super::judge::Judge;
use super::tree::Tree;
use super::weighed::{Thought, Weighed};
use super::{Budget, Means, Mind, Quick, Thinker};
use crate::engine::{Dealer, Knowledge, Machine, Move, Scale, State, Status, mixed};

/// Choices after which a game that is played on is judged where it stands, if that can be told.
pub(super) const CUT: u32 = 40;
/// Choices after which it is given up.
const MOST_CHOICES: u32 = 4_000;
/// Games of one tree: more are shared among several, whatever the number of threads. One alone may settle on a wrong move.
const TREE: u32 = 2_048;
/// Most trees.
const MOST_TREES: u32 = 8;
/// With fewer games for each move they are spent on ever fewer moves.
const FEW: u32 = 8;
/// Games that `medium` plays on.
const MEDIUM: u32 = 300;
/// Work after which it stops: so it takes less than a second in any game.
const MEDIUM_WORK: u64 = 20_000_000;
/// Work for each game played on, at most for so many, that looking ahead may take.
const AHEAD: u64 = 40_000;
const MOST_AHEAD: u64 = 500;
/// How long `hard` thinks.
const HARD: Duration = Duration::from_secs(2);
/// Deals that cannot be made, or stop with a fault, before a search gives up.
const MOST_DROPPED: u32 = 64;

/// The position that is thought about.
struct Root {
    state: State,
    known: Knowledge,
    seat: u32,
    moves: Vec<Move>,
    asked: u32,
    /// The only moves that are looked at, by their place in the list.
    starts: Vec<usize>,
    /// The moves that lose for certain, where not all do.
    lost: Vec<usize>,
    /// Choices after which a game is judged where it stands; none: it is played to its end.
    cut: Option<u32>,
}

/// Where moves stand in a list.
fn starts(moves: &[Move], only: &[Move]) -> Vec<usize> {
    let found = only.iter().map(|it| moves.iter().position(|mv| mv == it));
    found.flatten().collect()
}

/// How the first move of a game is chosen.
#[derive(Clone, Copy, PartialEq)]
enum First {
    Promising,
    This(usize),
}

/// One tree, with all that it takes to grow it.
struct Lane<'p, 'r> {
    seed: u64,
    root: &'r Root,
    machine: Machine<'p>,
    dealer: Dealer<'p>,
    judge: Judge<'r>,
    scale: Scale,
    dice: Quick,
    tree: Tree,
    path: Vec<(u32, u32)>,
    moves: Vec<Weighed>,
    /// By move of the root, in order: its place, and the game in which it was made last behind the root.
    places: Vec<(Move, usize, u32)>,
    /// The moves of the root that its seat made later in this game.
    later: Vec<usize>,
    games: u32,
    faults: u32,
    undealt: u32,
}

/// Which choice it is, and whose.
fn asked(machine: &Machine<'_>, seat: u32) -> u32 {
    let point = machine.choice_number().unwrap_or(0);
    u32::try_from(point).unwrap_or(0) << 8 | seat & 0xff
}

/// What is thought about.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// How.
    pub mind: Mind,
    /// Whose choice it is.
    pub seat: u32,
    /// What all random numbers follow from.
    pub seed: u64,
    /// Choices after which a game is judged where it stands, if that can be told; else it is played to its end.
    pub cut: Option<u32>,
    /// These moves are looked at, equally often; without any all are, as it promises.
    pub only: &'q [Move],
}

/// Thinks about the choice of a seat: plays games on from it, in deals that agree with what the seat knows.
#[must_use]
pub fn ponder<'p>(
    by: &Thinker<'p>,
    of: &Machine<'p>,
    about: Question<'_>,
    means: Means<'_>,
) -> Thought {
    let Question {
        mind, seat, seed, ..
    } = about;
    let (budget, flat) = match mind {
        Mind::Flat(budget) => (budget, true),
        Mind::Tree(budget) => (budget, false),
        Mind::Hard => (Budget::Time(HARD), false),
        _ => (Budget::Games(MEDIUM), false),
    };
    let state = of.save();
    let mut ahead = match flat || !about.only.is_empty() {
        true => None,
        false => Ahead::new(by, &state, seat, of.moves()),
    };
    let work = AHEAD
        * match budget {
            Budget::Games(games) => u64::from(games).min(MOST_AHEAD),
            Budget::Time(_) => MOST_AHEAD,
        };
    if let Some(ahead) = &mut ahead {
        ahead.grant(work);
        by.unbound(|| ahead.look());
    }
    let root = Root {
        state: state.clone(),
        known: of.knowledge().clone(),
        seat,
        moves: of.moves().to_vec(),
        asked: asked(of, seat),
        starts: starts(of.moves(), about.only),
        lost: ahead.as_ref().map_or(Vec::new(), Ahead::lost),
        cut: about.cut.filter(|_| by.gauge.is_some()),
    };
    let n_trees = match budget {
        Budget::Games(games) => (games / TREE).clamp(1, MOST_TREES) as usize,
        Budget::Time(_) => means.threads.max(1),
    };
    let began = (means.clock)();
    let lane = |nth: usize| {
        let mut lane = Lane::new(by, &root, mixed(seed ^ mixed(nth as u64)));
        match budget {
            Budget::Games(games) => {
                let (each, rest) = (games as usize / n_trees, games as usize % n_trees);
                let own = u32::try_from(each + usize::from(nth < rest)).unwrap_or(1);
                let most = match mind {
                    Mind::Medium => MEDIUM_WORK,
                    _ => u64::MAX,
                };
                lane.think(own, flat, &|work| work < most && !(means.is_stopped)());
            }
            Budget::Time(time) => {
                let goes_on = |_| (means.clock)() - began < time && !(means.is_stopped)();
                lane.think(u32::MAX, flat, &goes_on);
            }
        }
        lane.told()
    };
    let mut told: Vec<Option<Thought>> = vec![None; n_trees];
    by.unbound(|| in_lanes(&mut told, means.threads, &lane));
    let mut all = told.into_iter().flatten();
    let mut thought = all.next().unwrap_or(Thought {
        moves: Vec::new(),
        games: 0,
        faults: 0,
    });
    all.for_each(|other| thought.join(&other));
    if let Some(ahead) = &mut ahead {
        by.unbound(|| thought.settle(ahead, work));
    }
    thought
}

/// Grows the trees, each of them on one of the threads.
fn in_lanes(
    told: &mut [Option<Thought>],
    threads: usize,
    lane: &(impl Fn(usize) -> Thought + Sync),
) {
    let each = told.len().div_ceil(threads.max(1)).max(1);
    if told.len() <= each {
        let all = told.iter_mut().enumerate();
        all.for_each(|(nth, it)| *it = Some(lane(nth)));
        return;
    }
    thread::scope(|scope| {
        for (part, all) in told.chunks_mut(each).enumerate() {
            scope.spawn(move || {
                for (nth, it) in all.iter_mut().enumerate() {
                    *it = Some(lane(part * each + nth));
                }
            });
        }
    });
}

impl<'p, 'r> Lane<'p, 'r> {
    fn new(by: &'r Thinker<'p>, root: &'r Root, seed: u64) -> Lane<'p, 'r> {
        let mut machine = Machine::new(by.program);
        machine.load(&root.state);
        machine.recall(root.known.clone());
        let dealer = machine.dealer(root.seat);
        machine.live_no_more();
        let n_seats = by.program.game.n_seats as usize;
        let weighed = |mv: &Move| Weighed::new(*mv, n_seats);
        Lane {
            seed,
            root,
            dealer,
            machine,
            judge: Judge::new(by.program, by.gauge.as_ref()),
            scale: Scale::default(),
            dice: Quick::new(seed),
            tree: Tree::new(root.asked, &root.moves),
            path: Vec::new(),
            moves: root.moves.iter().map(weighed).collect(),
            places: Vec::new(),
            later: Vec::new(),
            games: 0,
            faults: 0,
            undealt: 0,
        }
    }

    /// Plays so many games on, as long as it may with the work that it has done.
    fn think(&mut self, games: u32, flat: bool, goes_on: &dyn Fn(u64) -> bool) {
        let n_moves = u32::try_from(self.root.moves.len()).unwrap_or(u32::MAX);
        let starts = &self.root.starts;
        if !flat && starts.is_empty() && games < n_moves.saturating_mul(FEW) {
            self.halve(games, goes_on);
            return;
        }
        for at in &self.root.lost {
            // As if it had been tried once: luck may let it look better than it is.
            self.tree.note(self.tree.of_root(*at), 0.0);
        }
        for nth in 0..games {
            if !goes_on(self.machine.work_done()) || self.is_lost() {
                return;
            }
            if !starts.is_empty() {
                // Each of them meets the same deal and the same luck.
                let round = u64::from(nth) / starts.len() as u64;
                self.dice = Quick::new(self.seed ^ mixed(round));
            }
            let first = match (starts.as_slice(), flat) {
                ([], true) => First::This((nth % n_moves.max(1)) as usize),
                ([], false) => First::Promising,
                (starts, _) => First::This(starts[nth as usize % starts.len()]),
            };
            self.play_on(first, !flat);
        }
    }

    /// Spends few games on ever fewer moves: after each round the better half stays.
    fn halve(&mut self, games: u32, goes_on: &dyn Fn(u64) -> bool) {
        let all = 0..self.root.moves.len();
        let mut alive: Vec<usize> = all.filter(|it| !self.root.lost.contains(it)).collect();
        let places = self.root.moves.iter().zip(0..).map(|(mv, at)| (*mv, at, 0));
        self.places = places.collect();
        self.places.sort_unstable();
        let mut rounds = alive.len().next_power_of_two().trailing_zeros().max(1);
        let mut left = games;
        // Where there are fewer games than moves, luck says which of them are looked at.
        for last in (1..alive.len()).rev() {
            alive.swap(last, self.dice.below(last + 1));
        }
        alive.truncate(games.max(1) as usize);
        while left > 0 && rounds > 0 {
            let n_alive = u32::try_from(alive.len()).unwrap_or(1).max(1);
            let each = (left / rounds / n_alive).max(1);
            for _ in 0..each {
                for at in &alive {
                    if left == 0 || !goes_on(self.machine.work_done()) || self.is_lost() {
                        return;
                    }
                    left -= 1;
                    self.play_on(First::This(*at), true);
                }
            }
            let moves = &self.moves;
            let value = |it: &usize| moves[*it].value_anywhere();
            alive.sort_by(|a, b| value(b).total_cmp(&value(a)));
            alive.truncate(alive.len().div_ceil(2));
            rounds -= 1;
        }
    }

    /// Whether no game can be played on.
    fn is_lost(&self) -> bool {
        self.games == 0 && self.faults + self.undealt >= MOST_DROPPED
    }

    /// Plays one game on. One that stops with a fault counts for nothing: the deal may be one that cannot be.
    fn play_on(&mut self, first: First, grows: bool) {
        let root = self.root;
        let is_dealt = self.machine.deal(&mut self.dealer, &mut self.dice);
        // What a seat may do follows from what it sees.
        if !is_dealt || self.machine.moves() != root.moves {
            self.undealt += 1;
            return;
        }
        let Some(index) = self.descend(first, grows) else {
            self.faults += 1;
            return;
        };
        for (edge, seat) in &self.path {
            self.tree.note(*edge, self.judge.reward(*seat));
        }
        self.games += 1;
        let seat = root.seat;
        let Some(weighed) = self.moves.get_mut(index) else {
            return;
        };
        weighed.note(seat, &self.judge);
        let reward = self.judge.reward(seat);
        for at in self.later.drain(..).filter(|at| *at != index) {
            if let Some(weighed) = self.moves.get_mut(at) {
                weighed.note_later(reward);
            }
        }
    }

    /// Notes that the seat makes a move of the root later in the game.
    fn note_later(&mut self, mv: Move) {
        let now = self.games + self.faults + 1;
        let found = self.places.binary_search_by_key(&mv, |it| it.0);
        if let Ok(at) = found
            && let Some((_, place, last)) = self.places.get_mut(at)
            && std::mem::replace(last, now) != now
        {
            self.later.push(*place);
        }
    }

    /// Goes down the tree and plays on from where it ends; returns the index of the first move.
    fn descend(&mut self, first: First, grows: bool) -> Option<usize> {
        self.path.clear();
        self.later.clear();
        let mut node = Some(0).filter(|_| grows || first == First::Promising);
        let (mut chosen, mut choices) = (None, 0);
        let mut status = self.machine.status();
        while let Status::Choice { seat } = status {
            let asked = asked(&self.machine, seat);
            let moves = self.machine.moves();
            let index = match (moves.len(), first) {
                (_, First::This(index)) if chosen.is_none() => {
                    let edge = self.tree.of_root(index);
                    self.path.push((edge, seat));
                    node = node.map(|_| edge);
                    index
                }
                (1, _) => 0,
                (n, _) => {
                    let dice = &mut self.dice;
                    let known = node.and_then(|it| self.tree.select(it, asked, moves, dice));
                    node = known.map(|it| it.1);
                    match known {
                        Some((index, edge)) => {
                            self.path.push((edge, seat));
                            index
                        }
                        None => dice.below(n),
                    }
                }
            };
            if chosen.is_some() && seat == self.root.seat && asked == self.root.asked {
                self.note_later(self.machine.moves()[index]);
            }
            chosen = chosen.or(Some(index));
            status = self.machine.play_nth(index, &mut self.dice).ok()?;
            choices += 1;
            let is_cut = root_cut(self.root, choices) && node.is_none();
            if is_cut || choices == MOST_CHOICES {
                break;
            }
        }
        if choices == MOST_CHOICES
            && self.machine.status() != Status::Ended
            && self.root.cut.is_none()
        {
            self.judge.leave_open();
        } else if !self.judge.look(&mut self.machine, &mut self.scale) {
            return None;
        }
        chosen
    }

    fn told(self) -> Thought {
        let mut moves = self.moves;
        for (at, weighed) in moves.iter_mut().enumerate() {
            weighed.replies = self.tree.replies(at);
        }
        Thought {
            moves,
            games: self.games,
            faults: self.faults,
        }
    }
}

/// Whether a game has been played on for long enough to be judged where it stands.
fn root_cut(root: &Root, choices: u32) -> bool {
    root.cut.is_some_and(|cut| choices >= cut)
}

//! All lines of play under two rule sets at once: they are the same game, or part somewhere.

use std::collections::HashSet;

use super::draws::{Draws, Echo};
use super::kind::Kind;
use super::odds::{Forced, Kept, Odd, Odds};
use super::sight::{Sighting, Sights};
use super::step::{Pair, Rules};
use crate::engine::{
    Fault, FaultKind, Knowledge, Machine, Move, PlayError, Program, State, Status, Streams, Ways,
};
use crate::model::{Start, StreamId};

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Choices from the start.
    pub choices: u32,
    /// Different pairs of positions.
    pub pairs: usize,
}

/// Bytes that the positions of one depth may take.
const MOST_BYTES: usize = 256 << 20;
/// Work that each pair adds to what a search may take.
const PAIR_WORK: u64 = 400_000;

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What is proven.
    pub found: Found,
    /// Different pairs of positions that were looked at.
    pub pairs: usize,
    /// In which of them somebody sees under one rule set only what lies there, and what.
    pub sights: (Sights, Option<Sighting>),
    /// Where a fault stops both alike.
    pub halted: Option<Halted>,
}

/// A fault that stops both rule sets in some positions: what they are alike in is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Halted {
    /// How often, by each move and outcome of chance that was followed.
    pub times: usize,
    /// Choices that lead to the first of them.
    pub choices: u32,
    /// What stops the second rule set there.
    pub fault: Box<Fault>,
}

/// What is proven.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Both are the same game: nothing else can be reached.
    Same,
    /// In every line of at most so many choices both ask the same seat for the same moves.
    Proven(u32),
    /// A shortest line to a difference.
    Differs(Parting),
    /// Nothing beyond so many choices is known, or not even how both begin.
    Open(Option<u32>, Why),
}

/// Why a search was left off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// There are too many pairs of positions.
    Pairs,
    /// Chance decides in more ways than are followed between two choices.
    Chance,
    /// It takes too much work.
    Work,
    /// Somebody did not want any more.
    Stopped,
}

/// What chance gave, in order.
pub type Given = Vec<(StreamId, i64)>;

/// Where two rule sets part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// How.
    pub kind: Kind,
    /// By side: what chance gave before the first choice.
    pub opening: [Given; 2],
    /// By choice and side: the move, and what chance gave upon it.
    pub line: Vec<[(Move, Given); 2]>,
    /// What only one side offers then, as it is written.
    pub only: [Vec<String>; 2],
    /// The seat that is to choose then, on either side.
    pub choosers: [Option<u32>; 2],
    /// What stops either side.
    pub faults: [Option<Box<Fault>>; 2],
}

/// How a pair was reached.
struct Node {
    parent: Option<u32>,
    moves: [Move; 2],
    chance: [Given; 2],
}

/// A pair that is followed further: how it was reached, both positions, and what seats know there.
type Reached = (u32, [State; 2], [Knowledge; 2]);

/// What a pair turned out to be.
enum Met {
    Known,
    New,
    Full,
    Differs(Kind),
}

struct Search<'p> {
    programs: [&'p Program; 2],
    pair: Pair<'p>,
    /// The names of the streams of either side.
    streams: [Vec<u64>; 2],
    nodes: Vec<Node>,
    seen: HashSet<u128>,
    level: Vec<Reached>,
    bytes: usize,
    reach: Reach,
    scratch: Vec<u8>,
    sights: (Sights, Option<Sighting>),
    halted: Option<Halted>,
}

/// Searches all lines of two rule sets for as many seats, from the start of the game or from a position that both have, until
/// `watch` says no; it is told how deep the search is and how many pairs it has seen.
pub fn prove(
    programs: [&Program; 2],
    starts: Option<[Start; 2]>,
    reach: Reach,
    watch: &mut dyn FnMut(u32, usize) -> bool,
) -> Proof {
    let rules = Rules::of(programs);
    let mut search = Search {
        programs,
        pair: Pair::new(&rules, u64::MAX),
        streams: rules.streams.each_ref().map(Streams::names),
        nodes: Vec::new(),
        seen: HashSet::new(),
        level: Vec::new(),
        bytes: 0,
        reach,
        scratch: Vec::new(),
        sights: (Sights::default(), None),
        halted: None,
    };
    search.pair.listen(search.pair.hides);
    let found = search.run(starts, watch);
    // Where all lies open, who sees what is a question only if something differs.
    let sights = match search.sights {
        (Sights { differ: 0, .. }, _) if !search.pair.hides => Default::default(),
        sights => sights,
    };
    Proof {
        found,
        pairs: search.seen.len(),
        sights,
        halted: search.halted,
    }
}

impl Search<'_> {
    fn run(
        &mut self,
        starts: Option<[Start; 2]>,
        watch: &mut dyn FnMut(u32, usize) -> bool,
    ) -> Found {
        let start = self.each_way(None, [Move(0); 2], 0, &mut |machine, at, chance| {
            match starts {
                None => machine.start(chance),
                Some(starts) => machine.set_up_from(starts[at], chance),
            }
            .map_err(PlayError::Fault)
        });
        if let Some(found) = start {
            return Search::told(None, found);
        }
        for depth in 0..self.reach.choices {
            if self.level.is_empty() {
                return Found::Same;
            }
            self.bytes = 0;
            for (node, states, known) in std::mem::take(&mut self.level) {
                if !watch(depth, self.seen.len()) {
                    return Found::Open(Some(depth), Why::Stopped);
                }
                self.pair.put(&states);
                for moves in self.pair.matched() {
                    let behind = depth + 1;
                    let found =
                        self.each_way(Some(node), moves, behind, &mut |machine, at, chance| {
                            machine.recall(known[at].clone());
                            machine.play_from(&states[at], moves[at], chance)
                        });
                    if let Some(found) = found {
                        return Search::told(Some(depth), found);
                    }
                }
            }
        }
        match self.level.is_empty() {
            true => Found::Same,
            false => Found::Proven(self.reach.choices),
        }
    }

    fn told(depth: Option<u32>, stop: Stop) -> Found {
        match stop {
            Stop::Differs(parting) => Found::Differs(*parting),
            Stop::Open(why) => Found::Open(depth, why),
        }
    }

    /// Does the same on both sides in each way of chance; what ends the search.
    fn each_way(
        &mut self,
        parent: Option<u32>,
        moves: [Move; 2],
        depth: u32,
        act: Act<'_>,
    ) -> Option<Stop> {
        let mut ways = Ways::default();
        // Whether outcomes are given from one side to the other, and no tickets; and whether something else may happen on
        // either, so that only the tickets are the same.
        let (mut is_given, mut is_other) = (false, false);
        loop {
            for program in self.programs {
                program.allow_work(PAIR_WORK);
            }
            let [names, other] = &self.streams;
            let sides = &mut self.pair.sides;
            let (first, second, chance, parted) = if is_given {
                let mut draws = Draws::Kept(Kept::new(&mut ways, names));
                let first = act(&mut sides[0].machine, 0, &mut draws);
                let outcomes = match draws {
                    Draws::Kept(kept) => kept.outcomes(),
                    _ => Vec::new(),
                };
                let mut draws = Draws::Forced(Forced::of(outcomes, other));
                let second = act(&mut sides[1].machine, 1, &mut draws);
                let drawn = match draws {
                    Draws::Forced(it) => it.happened,
                    _ => Vec::new(),
                };
                (first, second, [ways.happened().to_vec(), drawn], None)
            } else {
                let mut draws = Draws::First {
                    ways: &mut ways,
                    names,
                    tickets: Vec::new(),
                };
                let first = act(&mut sides[0].machine, 0, &mut draws);
                let tickets = match draws {
                    Draws::First { tickets, .. } => tickets,
                    _ => Vec::new(),
                };
                let mut draws = Draws::Second(Echo::of(tickets, other));
                let second = act(&mut sides[1].machine, 1, &mut draws);
                let (apart, drawn) = match draws {
                    Draws::Second(echo) => {
                        let asks_less = !echo.apart;
                        (echo.is_apart().then_some(asks_less), echo.happened)
                    }
                    _ => (Some(false), Vec::new()),
                };
                (first, second, [ways.happened().to_vec(), drawn], apart)
            };
            for (side, status) in self.pair.sides.iter_mut().zip([first, second]) {
                side.settle_as_promised(match status {
                    Ok(status) => Ok(status),
                    Err(PlayError::Fault(fault)) => Err(fault),
                    // What was listed is legal.
                    Err(PlayError::Illegal | PlayError::Over) => {
                        return Some(Stop::Open(Why::Work));
                    }
                });
                if side.fault().is_some_and(|it| it.kind == FaultKind::Work) {
                    return Some(Stop::Open(Why::Work));
                }
            }
            let met = match parted {
                // What chance might still give does not count where the rules stop before they ask for it.
                Some(asks_less) => match self.pair.difference() {
                    Some(kind @ (Kind::Fault | Kind::Over | Kind::Chooser)) if asks_less => {
                        Met::Differs(kind)
                    }
                    Some(Kind::Fault) => Met::Differs(Kind::Fault),
                    _ => match self.odds(act) {
                        Odd::Same => {
                            (ways, is_given) = (Ways::default(), true);
                            continue;
                        }
                        Odd::Likelihood => Met::Differs(Kind::Likelihood),
                        Odd::Other => Met::Differs(Kind::Chance),
                    },
                },
                None if !is_given && !is_other && self.happened_otherwise(&chance) => {
                    match self.odds(act) {
                        Odd::Likelihood => Met::Differs(Kind::Likelihood),
                        odd => {
                            (is_given, is_other) = (odd == Odd::Same, odd == Odd::Other);
                            ways = Ways::default();
                            continue;
                        }
                    }
                }
                None => self.meet(),
            };
            let node = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
            if matches!(met, Met::Known | Met::New) {
                self.halt(depth);
            }
            match met {
                // The position was looked at, but what is seen on the way hangs on the way.
                Met::Known => {
                    if let Some(found) = self.pair.passing() {
                        Sights::look(&mut self.sights, u64::from(depth), 0, Some(found));
                    }
                }
                Met::Full => return Some(Stop::Open(Why::Pairs)),
                Met::Differs(kind) => {
                    self.nodes.push(Node {
                        parent,
                        moves,
                        chance,
                    });
                    return Some(Stop::Differs(Box::new(self.parting(node, kind))));
                }
                Met::New => {
                    self.nodes.push(Node {
                        parent,
                        moves,
                        chance,
                    });
                    self.look(depth);
                    if self.pair.chooser().is_some() {
                        let sides = self.pair.sides.each_ref();
                        let states = sides.map(|it| it.machine.save());
                        let known = sides.map(|it| it.machine.knowledge().clone());
                        self.bytes += states.iter().map(State::bytes).sum::<usize>();
                        self.level.push((node, states, known));
                    }
                }
            }
            if !ways.turn() {
                return None;
            }
            if ways.are_too_many() {
                return Some(Stop::Open(Why::Chance));
            }
        }
    }

    /// Whether the same tickets have come to something else on one side.
    fn happened_otherwise(&self, chance: &[Given; 2]) -> bool {
        let [one, other] = [0, 1].map(|at: usize| {
            let names = &self.streams[at];
            let all = chance[at].iter();
            let name = |it: StreamId| names.get(it.index()).copied().unwrap_or(0);
            let mut all: Vec<(u64, i64)> = all.map(|(it, value)| (name(*it), *value)).collect();
            // Each stream in its own order.
            all.sort_by_key(|it| it.0);
            all
        });
        one != other
    }

    /// Compares what chance may come to on both sides, where it is not drawn from the same; what fails or takes too long to
    /// follow is something else.
    fn odds(&mut self, act: Act<'_>) -> Odd {
        let mut odds = [Odds::default(), Odds::default()];
        for (at, odds) in odds.iter_mut().enumerate() {
            let mut ways = Ways::default();
            loop {
                self.programs[at].allow_work(PAIR_WORK);
                let mut draws = Draws::Kept(Kept::new(&mut ways, &self.streams[at]));
                let status = act(&mut self.pair.sides[at].machine, at, &mut draws);
                let outcomes = match draws {
                    Draws::Kept(kept) => kept.outcomes(),
                    _ => Vec::new(),
                };
                if status.is_err() || ways.are_too_many() {
                    return Odd::Other;
                }
                odds.add(outcomes, ways.likelihood());
                if !ways.turn() {
                    break;
                }
            }
        }
        let [one, other] = odds;
        one.compared(&other)
    }

    /// Compares what seats see of the positions at hand, behind so many choices.
    fn look(&mut self, choices: u32) {
        let found = self.pair.sighting();
        Sights::look(&mut self.sights, u64::from(choices), 0, found);
    }

    /// Counts where nothing goes on on either side.
    fn halt(&mut self, choices: u32) {
        if let Some(fault) = self.pair.sides[1].fault() {
            let first = || Halted {
                times: 0,
                choices,
                fault: Box::new(fault.clone()),
            };
            self.halted.get_or_insert_with(first).times += 1;
        }
    }

    /// Looks at the pair of positions at hand.
    fn meet(&mut self) -> Met {
        if let Some(kind) = self.pair.difference() {
            return Met::Differs(kind);
        }
        let states = self.pair.sides.each_ref().map(|it| it.machine.save());
        // The same position is another one to seats that know something else of it.
        let sides = self.pair.sides.each_ref();
        let known = sides.map(|it| it.machine.knowledge().mark());
        let mark = State::mark(&states, &mut self.scratch) ^ known[0] ^ known[1].rotate_left(64);
        if !self.seen.insert(mark) {
            return Met::Known;
        }
        match self.seen.len() > self.reach.pairs || self.bytes > MOST_BYTES {
            true => Met::Full,
            false => Met::New,
        }
    }

    fn parting(&mut self, node: u32, kind: Kind) -> Parting {
        let only = match kind {
            Kind::Fewer | Kind::More | Kind::Other => self.pair.only(),
            _ => [Vec::new(), Vec::new()],
        };
        let choosers = [0, 1].map(|at| self.pair.seat(at));
        let faults = self.pair.sides.each_ref();
        let faults = faults.map(|it| it.fault().cloned().map(Box::new));
        let mut nodes = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.and_then(|at| self.nodes.get(at as usize)) {
            nodes.push(node);
            at = node.parent;
        }
        let first = nodes.pop();
        let opening = first.map_or_else(Default::default, |it| it.chance.clone());
        let line = nodes.iter().rev().map(|it| {
            let [a, b] = &it.chance;
            [(it.moves[0], a.clone()), (it.moves[1], b.clone())]
        });
        Parting {
            kind,
            opening,
            line: line.collect(),
            only,
            choosers,
            faults,
        }
    }
}

/// What is done on a side with its chance.
type Act<'a> =
    &'a mut dyn FnMut(&mut Machine<'_>, usize, &mut Draws<'_>) -> Result<Status, PlayError>;

/// What ends a search.
enum Stop {
    Differs(Box<Parting>),
    Open(Why),
}

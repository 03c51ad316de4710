//! All lines of play under two rule sets at once: they are the same game, or part somewhere.

use std::collections::{HashMap, HashSet, VecDeque};

use super::sight::{Sighting, Sights};
use super::step::{Kind, Pair};
use crate::engine::{
    Chance, FaultKind, Knowledge, Machine, Move, Names, PlayError, Program, State, Status, Streams,
    Ways,
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
}

/// How a pair was reached.
struct Node {
    parent: Option<u32>,
    moves: [Move; 2],
    chance: [Given; 2],
}

/// A pair that is followed further: how it was reached, both positions, and what seats know there.
type Reached = (u32, [State; 2], [Knowledge; 2]);

/// A ticket that was drawn: of which stream, of how many, and which.
type Ticket = (u64, u64, u64);

/// Chance of one side.
enum Draws<'w> {
    /// It takes down what it was asked.
    First {
        ways: &'w mut Ways,
        names: &'w [u64],
        tickets: Vec<Ticket>,
    },
    /// It gives the same tickets, each stream in its own order.
    Second(Echo<'w>),
}

struct Echo<'w> {
    names: &'w [u64],
    tickets: HashMap<u64, VecDeque<(u64, u64)>>,
    happened: Given,
    /// Whether it was asked for something else.
    apart: bool,
}

impl<'w> Echo<'w> {
    fn of(tickets: Vec<Ticket>, names: &'w [u64]) -> Echo<'w> {
        let mut echo = Echo {
            names,
            tickets: HashMap::new(),
            happened: Vec::new(),
            apart: false,
        };
        for (stream, total, ticket) in tickets {
            let queue = echo.tickets.entry(stream).or_default();
            queue.push_back((total, ticket));
        }
        echo
    }

    fn is_apart(&self) -> bool {
        self.apart || self.tickets.values().any(|it| !it.is_empty())
    }
}

impl Chance for Draws<'_> {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        let name = |names: &[u64]| names.get(stream.index()).copied().unwrap_or(0);
        match self {
            Draws::First {
                ways,
                names,
                tickets,
            } => {
                let ticket = ways.ticket(stream, total);
                tickets.push((name(names), total, ticket));
                ticket
            }
            Draws::Second(echo) => {
                let queue = echo.tickets.get_mut(&name(echo.names));
                match queue.and_then(VecDeque::pop_front) {
                    Some((of, ticket)) if of == total => ticket,
                    _ => {
                        echo.apart = true;
                        0
                    }
                }
            }
        }
    }

    fn happened(&mut self, stream: StreamId, value: i64) {
        match self {
            Draws::First { ways, .. } => Chance::happened(*ways, stream, value),
            Draws::Second(echo) => echo.happened.push((stream, value)),
        }
    }
}

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
}

/// Searches all lines of two rule sets for as many seats, from the start of the game or from a position that both have, until
/// `watch` says no; it is told how deep the search is and how many pairs it has seen.
pub fn prove(
    programs: [&Program; 2],
    starts: Option<[Start; 2]>,
    reach: Reach,
    watch: &mut dyn FnMut(u32, usize) -> bool,
) -> Proof {
    let names = programs.map(Names::of);
    let streams = programs.map(|it| Streams::of(&it.game));
    let mut search = Search {
        programs,
        pair: Pair::new(programs, &names, &streams, u64::MAX),
        streams: streams.each_ref().map(Streams::names),
        nodes: Vec::new(),
        seen: HashSet::new(),
        level: Vec::new(),
        bytes: 0,
        reach,
        scratch: Vec::new(),
        sights: (Sights::default(), None),
    };
    search.pair.listen(search.pair.hides);
    let found = search.run(starts, watch);
    Proof {
        found,
        pairs: search.seen.len(),
        sights: search.sights,
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
        loop {
            for program in self.programs {
                program.allow_work(PAIR_WORK);
            }
            let mut draws = Draws::First {
                ways: &mut ways,
                names: &self.streams[0],
                tickets: Vec::new(),
            };
            let first = act(&mut self.pair.sides[0].machine, 0, &mut draws);
            let tickets = match draws {
                Draws::First { tickets, .. } => tickets,
                Draws::Second(_) => Vec::new(),
            };
            let mut draws = Draws::Second(Echo::of(tickets, &self.streams[1]));
            let second = act(&mut self.pair.sides[1].machine, 1, &mut draws);
            let (apart, asks_less, drawn) = match draws {
                Draws::Second(echo) => (echo.is_apart(), !echo.apart, echo.happened),
                Draws::First { .. } => (true, false, Vec::new()),
            };
            let chance = [ways.happened().to_vec(), drawn];
            for (side, status) in self.pair.sides.iter_mut().zip([first, second]) {
                match status {
                    Ok(status) => side.settle(Ok(status)),
                    Err(PlayError::Fault(fault)) if fault.kind == FaultKind::Work => {
                        return Some(Stop::Open(Why::Work));
                    }
                    Err(PlayError::Fault(fault)) => side.settle(Err(fault)),
                    // What was listed is legal.
                    Err(PlayError::Illegal | PlayError::Over) => {
                        return Some(Stop::Open(Why::Work));
                    }
                }
            }
            let met = match apart {
                // What chance might still give does not count where the rules stop before they ask for it.
                true => Met::Differs(match self.pair.difference() {
                    Some(kind @ (Kind::Fault | Kind::Over | Kind::Chooser)) if asks_less => kind,
                    Some(Kind::Fault) => Kind::Fault,
                    _ => Kind::Chance,
                }),
                false => self.meet(),
            };
            let node = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
            match met {
                Met::Known => {}
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

    /// Compares what seats see of the positions at hand, behind so many choices.
    fn look(&mut self, choices: u32) {
        if !self.pair.hides {
            return;
        }
        let (sights, first) = &mut self.sights;
        let found = self.pair.sighting(true);
        sights.add(u64::from(choices), 0, found.is_some());
        if first.is_none() {
            *first = found;
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

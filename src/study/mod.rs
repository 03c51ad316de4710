//! Studies: searches for a shortest line of play into a position, over all moves of all seats and all
//! outcomes of chance.
//!
//! A position is one that is looked for if the study's `find` holds there, and if no continuation
//! whatever reaches a position in which its `never` holds. The search goes ply by ply, so the first
//! line found is a shortest one. Positions are told apart by 128 bits of a hash of their words.

mod follow;
mod perft;
mod solve;

use std::collections::HashSet;

use crate::engine::{
    COMMAND_WORK, Fault, FaultKind, Machine, Move, PlayError, Program, Sought, State, Status, Ways,
};
pub use crate::engine::{MOST_OUTCOMES, MOST_VALUES};
use crate::model::{StreamId, Study};
use follow::{Follower, Reaches};
pub use perft::{Step, divide, starts};
pub use solve::{Equilibrium, Measure, Open, Solved, Worth, equilibrium, names_winners, solve};

/// How far a search may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Choices from the start to the position that is looked for.
    pub plies: u32,
    /// Different positions that are looked at, those of continuations included.
    pub positions: usize,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The line that was found.
    pub found: Option<Line>,
    /// How much was searched, where nothing was found.
    pub extent: Extent,
    /// Different positions on the way from the start.
    pub positions: usize,
    /// Different positions of continuations, those of each position that was looked for anew.
    pub followed: usize,
}

/// How much of a game was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All positions that can be reached from the start.
    Everything,
    /// All positions within the plies that were asked for.
    Plies,
    /// No more positions than were allowed.
    Positions,
    /// No more than [`MOST_VALUES`] combinations of values of one position.
    Values,
    /// What there was time for until somebody stopped it.
    Stopped,
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What chance gave before the first choice.
    pub opening: Vec<(StreamId, i64)>,
    /// The choices.
    pub plies: Vec<Ply>,
    /// The values for which the position is one that was looked for, in the order of the names.
    pub values: Vec<i64>,
}

/// A choice and what chance gave upon it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The choice.
    pub played: Move,
    /// What chance gave before the next choice.
    pub chance: Vec<(StreamId, i64)>,
}

/// Why a search could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The rules stopped with a fault.
    Fault(Fault),
    /// Chance may decide in more than [`MOST_OUTCOMES`] ways between two choices; before the first one
    /// if that many plies were played.
    Chance(u32),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Positions of a small game that are looked at where nobody says how many: each takes about 200 bytes.
pub const MOST_POSITIONS: usize = 2_000_000;

/// Work that each position adds to what a search may take.
const POSITION_WORK: u64 = 200_000;

/// A position of which only this is kept.
type Mark = u128;

/// How a position was reached.
struct Node {
    parent: Option<u32>,
    ply: Ply,
}

/// Searches for what a study of this program asks for, until `watch`, which hears how many positions were looked at, says no.
///
/// # Errors
/// Where the rules stop with a fault, or chance has too many outcomes.
pub fn search(
    program: &Program,
    study: &Study,
    bounds: Bounds,
    watch: Watch<'_>,
) -> Result<Answer, Trouble> {
    // Studies of one program share the work.
    if program.work_left().is_none() {
        program.bound_work(COMMAND_WORK);
    }
    let mut search = Search {
        machine: Machine::new(program),
        sought: Sought::new(program, study)?,
        bounds,
        nodes: Vec::new(),
        seen: HashSet::new(),
        follower: Follower::default(),
        watch,
        scratch: Vec::new(),
    };
    search.run(study)
}

/// Is told how many positions were looked at, and says whether to go on.
pub type Watch<'w> = &'w mut dyn FnMut(usize) -> bool;

struct Search<'p, 'w> {
    machine: Machine<'p>,
    sought: Sought,
    bounds: Bounds,
    nodes: Vec<Node>,
    seen: HashSet<Mark>,
    follower: Follower,
    watch: Watch<'w>,
    scratch: Vec<u8>,
}

/// What a position turned out to be.
enum Judged {
    Known,
    Other,
    Found(Vec<i64>),
    /// It could not be judged to the end.
    Open(Extent),
}

impl Search<'_, '_> {
    fn run(&mut self, study: &Study) -> Result<Answer, Trouble> {
        let mut level: Vec<(u32, State)> = Vec::new();
        let mut ways = Ways::default();
        loop {
            let status = self.machine.set_up_from(study.start, &mut ways)?;
            let chance = ways.happened().to_vec();
            let ply = Ply {
                played: Move(0),
                chance,
            };
            if let Some(answer) = self.meet(status, None, ply, &mut level)? {
                return Ok(answer);
            }
            if !turned(&mut ways, 0)? {
                break;
            }
        }
        for depth in 1..=self.bounds.plies {
            if level.is_empty() {
                return Ok(self.none(Extent::Everything));
            }
            let mut next = Vec::new();
            for (node, state) in level {
                self.machine.load(&state);
                for played in self.machine.moves().to_vec() {
                    let mut ways = Ways::default();
                    loop {
                        let status = self.machine.play_from(&state, played, &mut ways);
                        let status = status.map_err(trouble)?;
                        let chance = ways.happened().to_vec();
                        let ply = Ply { played, chance };
                        if let Some(answer) = self.meet(status, Some(node), ply, &mut next)? {
                            return Ok(answer);
                        }
                        if !turned(&mut ways, depth)? {
                            break;
                        }
                    }
                }
            }
            level = next;
        }
        let extent = if level.is_empty() {
            Extent::Everything
        } else {
            Extent::Plies
        };
        Ok(self.none(extent))
    }

    /// Looks at the position of the machine; an answer ends the search.
    fn meet(
        &mut self,
        status: Status,
        parent: Option<u32>,
        ply: Ply,
        level: &mut Vec<(u32, State)>,
    ) -> Result<Option<Answer>, Trouble> {
        let state = self.machine.save();
        let judged = self.judge(&state)?;
        if matches!(judged, Judged::Known) {
            return Ok(None);
        }
        let node = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(Node { parent, ply });
        match judged {
            Judged::Found(values) => Ok(Some(Answer {
                found: Some(self.line(node, values)),
                ..self.none(Extent::Plies)
            })),
            Judged::Open(extent) => Ok(Some(self.none(extent))),
            Judged::Known | Judged::Other => {
                if matches!(status, Status::Choice { .. }) {
                    level.push((node, state));
                }
                let n_looked_at = self.n_looked_at();
                if !(self.watch)(n_looked_at) {
                    return Ok(Some(self.none(Extent::Stopped)));
                }
                let full = n_looked_at >= self.bounds.positions;
                Ok(full.then(|| self.none(Extent::Positions)))
            }
        }
    }

    fn n_looked_at(&self) -> usize {
        self.seen.len() + self.follower.n_looked_at
    }

    fn judge(&mut self, state: &State) -> Result<Judged, Trouble> {
        let mark = State::mark([state], &mut self.scratch);
        if !self.seen.insert(mark) {
            return Ok(Judged::Known);
        }
        self.machine.program().allow_work(POSITION_WORK);
        if !self.sought.is_here(&mut self.machine)? {
            return Ok(Judged::Other);
        }
        let found = self.sought.values(&mut self.machine)?;
        for values in found.values {
            if !self.sought.forbids() {
                return Ok(Judged::Found(values));
            }
            let most = self.bounds.positions.saturating_sub(self.seen.len());
            let so_far = self.seen.len();
            let reaches = self.follower.reaches(
                &mut self.machine,
                &mut self.sought,
                (state, &values),
                &mut |followed| match (self.watch)(so_far + followed) {
                    false => Some(Extent::Stopped),
                    true => (followed >= most).then_some(Extent::Positions),
                },
            )?;
            match reaches {
                Reaches::No => return Ok(Judged::Found(values)),
                Reaches::Yes => {}
                Reaches::Unknown(extent) => return Ok(Judged::Open(extent)),
            }
        }
        Ok(if found.more {
            Judged::Open(Extent::Values)
        } else {
            Judged::Other
        })
    }

    fn none(&self, extent: Extent) -> Answer {
        Answer {
            found: None,
            extent,
            positions: self.seen.len(),
            followed: self.follower.n_looked_at,
        }
    }

    fn line(&self, node: u32, values: Vec<i64>) -> Line {
        let mut plies = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at.and_then(|at| self.nodes.get(at as usize)) {
            plies.push(node.ply.clone());
            at = node.parent;
        }
        let opening = plies.pop().map_or(Vec::new(), |first| first.chance);
        plies.reverse();
        Line {
            opening,
            plies,
            values,
        }
    }
}

/// Goes to the next way of chance; false if there is none.
fn turned(ways: &mut Ways, plies: u32) -> Result<bool, Trouble> {
    let more = ways.turn();
    if more && ways.are_too_many() {
        return Err(Trouble::Chance(plies));
    }
    Ok(more)
}

fn trouble(error: PlayError) -> Trouble {
    match error {
        PlayError::Fault(fault) => Trouble::Fault(fault),
        // Only moves that the machine listed are played.
        PlayError::Illegal | PlayError::Over => {
            Trouble::Fault(Fault::at(FaultKind::NoChoice, None))
        }
    }
}

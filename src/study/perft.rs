//! Counts lines of play (perft): what others have published for many games, and so a check of every list of moves.

use std::collections::HashSet;

use super::{Trouble, trouble, turned};
use crate::engine::{COMMAND_WORK, Machine, Move, State, Status, Ways};

/// What one step of a count is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A choice.
    Ply,
    /// All choices of one seat in a row.
    Turn,
}

/// A position on the way, and which of its moves are still to be followed.
struct Level {
    state: State,
    seat: u32,
    /// How many choices led here.
    plies: u32,
    /// How many steps are to be counted from here.
    left: u32,
    moves: Vec<Move>,
}

/// Returns the positions in which a game can begin, one for each outcome of chance before the first choice.
///
/// # Errors
/// Where the rules stop with a fault, or chance has too many outcomes.
pub fn starts(machine: &mut Machine<'_>) -> Result<Vec<State>, Trouble> {
    let mut states = Vec::new();
    let mut ways = Ways::default();
    let mut known = HashSet::new();
    loop {
        machine.start(&mut ways)?;
        if known.insert(ways.happened().to_vec()) {
            states.push(machine.save());
        }
        if !turned(&mut ways, 0)? {
            return Ok(states);
        }
    }
}

/// Counts for each legal move the lines of `depth` steps that begin with it.
///
/// Two outcomes of chance make two lines; what chance gives behind the last step makes none. A finished game goes on
/// no further: it counts only where it ends with the last step. The machine is left in any position. Takes the time
/// to play each line but its last ply, and the memory of one position for each ply of one line. None where it may not go on.
///
/// # Errors
/// Where the rules stop with a fault, or chance has too many outcomes, or takes more than [`COMMAND_WORK`] upon one
/// choice.
pub fn divide(
    machine: &mut Machine<'_>,
    from: &State,
    depth: u32,
    step: Step,
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<Vec<(Move, u64)>>, Trouble> {
    let program = machine.program();
    let is_bounded = program.work_left().is_some();
    let counted = by_first(machine, from, depth, step, is_bounded, goes_on);
    if !is_bounded {
        program.unbound_work();
    }
    counted
}

fn by_first(
    machine: &mut Machine<'_>,
    from: &State,
    depth: u32,
    step: Step,
    is_bounded: bool,
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<Vec<(Move, u64)>>, Trouble> {
    machine.load(from);
    let (Status::Choice { seat }, true) = (machine.status(), depth > 0) else {
        return Ok(Some(Vec::new()));
    };
    let mut counts = Vec::new();
    for played in machine.moves().to_vec() {
        let first = Level {
            state: from.clone(),
            seat,
            plies: 0,
            left: depth,
            moves: vec![played],
        };
        let Some(n_lines) = lines(machine, first, step, is_bounded, goes_on)? else {
            return Ok(None);
        };
        counts.push((played, n_lines));
    }
    Ok(Some(counts))
}

/// Counts the lines that go on from a level; none where it may not go on.
fn lines(
    machine: &mut Machine<'_>,
    first: Level,
    step: Step,
    is_bounded: bool,
    goes_on: &dyn Fn() -> bool,
) -> Result<Option<u64>, Trouble> {
    let mut n_lines = 0u64;
    let mut levels = vec![first];
    while let Some(level) = levels.last_mut() {
        if step == Step::Ply && level.left == 1 {
            n_lines += level.moves.len() as u64;
            level.moves.clear();
        }
        let Some(played) = level.moves.pop() else {
            levels.pop();
            continue;
        };
        if !goes_on() {
            return Ok(None);
        }
        let (state, seat, left) = (level.state.clone(), level.seat, level.left);
        let plies = level.plies + 1;
        let mut is_last = false;
        let mut known = HashSet::new();
        let mut ways = Ways::default();
        if !is_bounded {
            // However many choices are followed, what happens upon one of them soon comes to an end.
            machine.program().bound_work(COMMAND_WORK);
        }
        loop {
            let status = machine.play_from(&state, played, &mut ways);
            let status = status.map_err(trouble)?;
            let next = match status {
                Status::Choice { seat } => Some(seat),
                Status::Ended => None,
            };
            let left = left - u32::from(step == Step::Ply || next != Some(seat));
            is_last |= left == 0;
            if let (Some(seat), 1..) = (next, left)
                && known.insert(ways.happened().to_vec())
            {
                levels.push(Level {
                    state: machine.save(),
                    seat,
                    plies,
                    left,
                    moves: machine.moves().to_vec(),
                });
            }
            if !turned(&mut ways, plies)? {
                break;
            }
        }
        n_lines += u64::from(is_last);
    }
    Ok(Some(n_lines))
}

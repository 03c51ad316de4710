//! What moves many things at once.

use crate::engine::chance::Chance;
use crate::engine::layout::{Contents, Store, ZoneSlot};
use crate::engine::memory::{Memory, at, has};
use crate::engine::op::{FaultKind, Reg};
use crate::model::{NONE, StreamId};

/// Everything in a bag changes places with everything in another; what both hold stays.
///
/// # Errors
/// Where it does not fit.
pub fn swap_all(
    mem: &mut Memory,
    source: &ZoneSlot,
    place: usize,
    goal: &ZoneSlot,
    target: usize,
    more: &mut Vec<usize>,
) -> Result<(), FaultKind> {
    more.clear();
    // Nobody was shown what lies there now, even if it is the same.
    source.forget(mem, place);
    goal.forget(mem, target);
    for kind in 0..source.kinds as usize {
        let one = source.copies(mem, place, kind);
        let other = goal.copies(mem, target, kind);
        for _ in other..one {
            source.take(mem, place, kind)?;
            more.push(kind * 2);
        }
        for _ in one..other {
            goal.take(mem, target, kind)?;
            more.push(kind * 2 + 1);
        }
    }
    for kind in &*more {
        match kind % 2 {
            0 => goal.put(mem, target, kind / 2)?,
            _ => source.put(mem, place, kind / 2)?,
        }
    }
    Ok(())
}

/// What moves at once, and where to.
pub struct Moved<'z> {
    pub source: &'z ZoneSlot,
    pub place: usize,
    pub goal: &'z ZoneSlot,
    pub target: usize,
    /// Only the kinds in this set.
    pub only: Option<Reg>,
    /// Whether all see in which order it comes to lie.
    pub is_seen: bool,
}

impl Moved<'_> {
    fn is_meant(&self, mem: &Memory, kind: usize) -> bool {
        self.only.is_none_or(|set| has(mem, set, kind))
    }

    /// Takes all away that is meant, and writes down what lay in order, the lowest first, and then what lay in none, kind by
    /// kind; returns where the former and the latter begin. What stays keeps its order.
    fn take(&self, mem: &mut Memory, things: &mut Vec<usize>) -> Result<[usize; 2], FaultKind> {
        let (source, place) = (self.source, self.place);
        things.clear();
        let ordered = || source.ordered(mem, place);
        things.extend(ordered().filter(|kind| !self.is_meant(mem, *kind)));
        let n_kept = things.len();
        things.extend(ordered().filter(|kind| self.is_meant(mem, *kind)));
        let n_ordered = things.len();
        if n_ordered > n_kept {
            // Without its order everything can be taken at once.
            source.shuffle(mem, place);
            for kind in &*things {
                source.take(mem, place, *kind)?;
            }
            for kind in things.iter().take(n_kept) {
                source.put(mem, place, *kind)?;
            }
        }
        for kind in 0..source.kinds as usize {
            if self.is_meant(mem, kind) {
                for _ in 0..source.copies(mem, place, kind) {
                    source.take(mem, place, kind)?;
                    things.push(kind);
                }
            }
        }
        Ok([n_kept, n_ordered])
    }
}

/// Moves everything that is meant; the order of a pile stays. What lies in no order, or in a bag, comes to lie on a
/// pile in one that chance decides: at once if it has a stream and something lies there, or all see it; else when
/// somebody takes it. `things` is room for all of it.
///
/// # Errors
/// Where it does not fit, or a place does not exist.
pub fn move_all(
    mem: &mut Memory,
    moved: &Moved<'_>,
    stream: Option<StreamId>,
    chance: &mut dyn Chance,
    things: &mut Vec<usize>,
) -> Result<(), FaultKind> {
    let (source, place) = (moved.source, moved.place);
    let (goal, target) = (moved.goal, moved.target);
    if place >= source.places as usize {
        return Ok(());
    }
    if target >= goal.places as usize {
        return if source.size(mem, place) == 0 {
            Ok(())
        } else {
            Err(FaultKind::Absent)
        };
    }
    if place == target && std::ptr::eq(source, goal) {
        return Ok(());
    }
    if let Store::One { .. } | Store::List(_) = source.store {
        let kind = source.peek(mem, place);
        if kind != NONE {
            source.take(mem, place, kind as usize)?;
            goal.put(mem, target, kind as usize)?;
        }
        return Ok(());
    }
    let [n_kept, n_ordered] = moved.take(mem, things)?;
    let (before, loose) = things.split_at_mut(n_ordered);
    let is_pile = matches!(goal.store, Store::Pile { .. });
    let mut is_undecided = is_pile && !loose.is_empty();
    if is_undecided
        && let Some(stream) = stream
        && (moved.is_seen || goal.size(mem, target) > 0)
    {
        set_in_order(loose, stream, chance)?;
        is_undecided = false;
    }
    for kind in &*loose {
        goal.put(mem, target, *kind)?;
    }
    if is_undecided {
        goal.shuffle(mem, target);
    }
    for kind in before.iter().skip(n_kept) {
        goal.put(mem, target, *kind)?;
    }
    Ok(())
}

/// Lets chance decide in which order things lie that are sorted by kind, the lowest first.
fn set_in_order(
    things: &mut [usize],
    stream: StreamId,
    chance: &mut dyn Chance,
) -> Result<(), FaultKind> {
    for done in 0..things.len() {
        let rest = things.get_mut(done..).unwrap_or_default();
        if rest.first() == rest.last() {
            break;
        }
        let at = match chance.forced(stream) {
            Some(kind) => rest.iter().position(|it| *it as i64 == kind),
            None => usize::try_from(chance.ticket(stream, rest.len() as u64)).ok(),
        };
        let chosen = at.and_then(|at| rest.get_mut(..=at));
        chosen.ok_or(FaultKind::Impossible)?.rotate_right(1);
        let kind = rest.first().copied().unwrap_or_default();
        chance.happened(stream, kind as i64);
    }
    Ok(())
}

/// Lets chance pick among the unordered components of a place; absent where there is none. `counts` is room
/// for how many there are of each kind.
///
/// # Errors
/// `Impossible` where a forced outcome does not lie there.
pub fn draw(
    mem: &Memory,
    slot: &ZoneSlot,
    place: usize,
    stream: StreamId,
    chance: &mut dyn Chance,
    counts: &mut Vec<usize>,
) -> Result<i64, FaultKind> {
    let kinds = slot.kinds as usize;
    let total: u64 = slot.size(mem, place) - slot.ordered(mem, place).count() as u64;
    if total == 0 {
        return Ok(NONE);
    }
    let kind = if let Some(value) = chance.forced(stream) {
        let inside = usize::try_from(value)
            .is_ok_and(|kind| kind < kinds && slot.loose(mem, place, kind) > 0);
        if !inside {
            return Err(FaultKind::Impossible);
        }
        value
    } else {
        let ticket = chance.ticket(stream, total);
        nth_loose(mem, slot, place, ticket, counts) as i64
    };
    chance.happened(stream, kind);
    Ok(kind)
}

fn nth_loose(
    mem: &Memory,
    slot: &ZoneSlot,
    place: usize,
    mut ticket: u64,
    counts: &mut Vec<usize>,
) -> usize {
    let ordered = slot.ordered(mem, place).next().is_some();
    if let (false, Store::Bag(contents) | Store::Pile { contents, .. }) = (ordered, &slot.store)
        && let Contents::Bits(base) = contents
    {
        let words = usize::from(slot.kind_words);
        for w in 0..words {
            let mut bits = mem[at(*base, place * words + w)];
            let n = u64::from(bits.count_ones());
            if ticket < n {
                for _ in 0..ticket {
                    bits &= bits - 1;
                }
                return w * 64 + bits.trailing_zeros() as usize;
            }
            ticket -= n;
        }
    }
    counts.clear();
    let kinds = 0..slot.kinds as usize;
    counts.extend(kinds.map(|kind| slot.copies(mem, place, kind) as usize));
    for kind in slot.ordered(mem, place) {
        if let Some(n) = counts.get_mut(kind) {
            *n = n.saturating_sub(1);
        }
    }
    let found = counts.iter().position(|n| {
        let found = ticket < *n as u64;
        ticket = ticket.saturating_sub(*n as u64);
        found
    });
    found.unwrap_or(0)
}

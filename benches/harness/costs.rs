//! What the engine's work in random playouts goes to, counted in operations.

use std::collections::HashMap;

use adit::engine::{Dice, Machine, Program, Status};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::baseline::chance::pick;

/// Enough for shares that are right to the last digit shown.
const PLIES: u64 = 5_000;
/// How many kinds of choices are shown.
const SHOWN: usize = 4;

/// Prints for which choices the rules work most: an operation belongs to the choice that it leads to,
/// because most of them find out what may be chosen there.
pub fn print(program: &Program) {
    let Some(counted) = count(program) else {
        return;
    };
    let all: u64 = counted.values().map(|(_, ops)| ops).sum();
    let mut sorted: Vec<_> = counted.into_iter().collect();
    sorted.sort_by(|(one, (_, a)), (other, (_, b))| b.cmp(a).then(one.cmp(other)));
    let shares = sorted.iter().take(SHOWN).map(|(path, (plies, ops))| {
        let share = 100.0 * *ops as f64 / all.max(1) as f64;
        format!("{share:.0} % to `{path}` ({} a time)", ops / plies)
    });
    println!(
        "    of its operations go {}",
        shares.collect::<Vec<_>>().join(", ")
    );
}

/// Counts by choice how often it was asked and how many operations led to it.
fn count(program: &Program) -> Option<HashMap<String, (u64, u64)>> {
    let mut counted: HashMap<String, (u64, u64)> = HashMap::new();
    let mut machine = Machine::new(program);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut plies = 0;
    for seed in 0.. {
        let mut dice = Dice::new(seed);
        machine.start(&mut dice).ok()?;
        while machine.status() != Status::Ended {
            let at = pick(&mut rng, machine.moves().len());
            let (_, ops) = machine.play_counting(at, &mut dice).ok()?;
            let clause = machine.clause();
            let clause = clause.and_then(|id| program.game.clauses.get(id.index()));
            let path = clause.map_or("the end", |it| it.path.as_str());
            let entry = counted.entry(path.to_owned()).or_default();
            entry.0 += 1;
            entry.1 += ops;
            plies += 1;
        }
        if plies >= PLIES {
            break;
        }
    }
    Some(counted)
}

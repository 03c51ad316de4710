//! Many random games of Tunnels under every single reading: they end, keep their invariants, follow
//! from their seed, and refuse what is not offered.

use std::sync::atomic::{AtomicUsize, Ordering};

use adit::engine::{Dice, Machine, Move, PlayError, Program, Query, Status, below};
use rand_chacha::rand_core::Rng;

use crate::fixtures::width;
use crate::perft::program;
use crate::rulebooks::readings;

/// Games under each reading.
pub fn n_games() -> u64 {
    width(3, 15, 200)
}
/// No reading needs as many choices for one game.
const MOST_PLIES: u32 = 50_000;
/// The stream of the choices, apart from those of the rules.
const CHOICES: u32 = 1_000;

/// What a game came to: the number of choices and a figure made of all of them.
#[derive(Debug, PartialEq, Eq)]
struct Course {
    plies: u32,
    trail: u64,
}

fn play(
    machine: &mut Machine<'_>,
    truths: &Query,
    seed: u64,
    may_stall: bool,
) -> Result<Course, String> {
    let mut dice = Dice::new(seed);
    machine
        .start(&mut dice)
        .map_err(|fault| format!("{fault:?}"))?;
    let mut course = Course {
        plies: 0,
        trail: seed,
    };
    while machine.status() != Status::Ended {
        check_truths(machine, truths, course.plies)?;
        let n = machine.moves().len();
        let index = below(dice.stream(CHOICES).next_u64(), n as u64) as usize;
        if course.plies.is_multiple_of(7) {
            refuse(machine, course.trail)?;
        }
        let mv = machine.moves()[index];
        course.trail = course.trail.rotate_left(5) ^ mv.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        machine
            .play(mv, &mut dice)
            .map_err(|it| format!("ply {}: {it:?}", course.plies))?;
        course.plies += 1;
        if course.plies > MOST_PLIES {
            return Err("the game does not end".to_owned());
        }
    }
    match machine.outcome() {
        Some(outcome) if may_stall || outcome.places.contains(&1) => Ok(course),
        other => Err(format!("no result: {other:?}")),
    }
}

fn check_truths(machine: &mut Machine<'_>, truths: &Query, ply: u32) -> Result<(), String> {
    let values = machine
        .ask(truths)
        .map_err(|fault| format!("ply {ply}: {fault:?}"))?;
    let failed = values.iter().position(|value| value.scalar() == 0);
    failed.map_or(Ok(()), |at| {
        Err(format!("ply {ply}: invariant {at} does not hold"))
    })
}

/// A move that is not offered changes no byte.
fn refuse(machine: &mut Machine<'_>, junk: u64) -> Result<(), String> {
    let mv = Move(junk);
    if machine.moves().contains(&mv) {
        return Ok(());
    }
    let (before, moves) = (machine.save(), machine.moves().to_vec());
    let refused = machine.play(mv, &mut Dice::new(1)) == Err(PlayError::Illegal);
    let same = machine.save() == before && machine.moves() == moves;
    if refused && same {
        Ok(())
    } else {
        Err("an illegal move was played".to_owned())
    }
}

/// Plays so many games; the first of them twice. Where play may come to a standstill, a game may end
/// without a winner.
pub fn check(program: &Program, what: &str, games: u64, may_stall: bool) {
    let game = &program.game;
    let truths: Vec<_> = game.invariants.iter().map(|it| &it.cond).collect();
    let truths = Query::new(program, truths).unwrap();
    let mut machine = Machine::new(program);
    for seed in 0..games {
        let course = play(&mut machine, &truths, seed, may_stall);
        let again = (seed < 3).then(|| play(&mut machine, &truths, seed, may_stall));
        match (course, again) {
            (Err(it), _) => panic!("{what}, seed {seed}: {it}"),
            (Ok(course), Some(again)) => {
                assert_eq!(Ok(course), again, "{what}: seed {seed} gives another game");
            }
            (Ok(_), None) => {}
        }
    }
}

#[test]
fn games_end_and_keep_their_invariants_under_every_reading_of_tunnels() {
    let path = "rules/tunnels.rules";
    let default = program(path, &[], None);
    check(&default, "the default", n_games(), false);
    let readings = readings(&default.game);
    assert!(readings.len() > 50, "{}", readings.len());
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(set) = readings.get(next.fetch_add(1, Ordering::Relaxed)) {
            let words: Vec<_> = set.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            let program = program(path, &words, None);
            check(&program, &format!("{set:?}"), n_games(), false);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}

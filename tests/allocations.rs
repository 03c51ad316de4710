//! Playing takes no memory: what a machine needs it has after its first games.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[allow(dead_code, reason = "the other tests ask for more")]
#[path = "it/fixtures.rs"]
mod fixtures;

use std::path::Path;

use adit::engine::{Chance, Machine, Program, Status, below, compile};
use adit::model::StreamId;
use adit::pipeline::{self, Request};
use adit::source::Sources;
use allocation_counter::measure;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Takes what nature decides from the generator of the choices.
struct Luck(ChaCha8Rng);

impl Luck {
    fn pick(&mut self, n: usize) -> usize {
        below(self.0.next_u64(), n as u64) as usize
    }
}

impl Chance for Luck {
    fn ticket(&mut self, _: StreamId, total: u64) -> u64 {
        below(self.0.next_u64(), total)
    }
}

/// Plays games at random, one after the other, until so many choices have been made.
fn play(machine: &mut Machine<'_>, seed: u64, plies: u64) {
    let mut luck = Luck(ChaCha8Rng::seed_from_u64(seed));
    let mut status = Status::Ended;
    for _ in 0..plies {
        if status == Status::Ended {
            machine.start(&mut luck).unwrap();
        }
        let index = luck.pick(machine.moves().len());
        status = machine.play_nth(index, &mut luck).unwrap();
    }
}

fn program(path: &Path) -> Program {
    let mut sources = Sources::new();
    let files = fixtures::with_bases(path).into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        sources.add(path.display().to_string(), text)
    });
    let files: Vec<_> = files.collect();
    let request = Request {
        base: files[0],
        amendments: files[1..].to_vec(),
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    compile(compiled.game.unwrap()).unwrap()
}

/// How often a list that is longer than all before it may ask for more room.
const GROWTHS: u64 = 8;

#[test]
fn choices_take_no_memory() {
    let plies = fixtures::width(50, 300, 10_000);
    let folder = if cfg!(debug_assertions) {
        "rules/classics"
    } else {
        "rules"
    };
    for path in fixtures::rulebook_files(folder) {
        let program = program(&path);
        let mut machine = Machine::new(&program);
        // Two lists of moves take turns: the second time each of them has held all.
        for _ in 0..2 {
            play(&mut machine, 0, plies);
        }
        let again = measure(|| play(&mut machine, 0, plies));
        assert_eq!(again.count_total, 0, "{}: {again:?}", path.display());
        let others = measure(|| play(&mut machine, 1, 10 * plies));
        let is_growth = others.count_total <= GROWTHS;
        assert!(is_growth, "{}: {others:?}", path.display());
    }
}

/// Who deals anew what a seat cannot see does so thousands of times a second.
#[test]
fn deals_take_no_memory() {
    for game in ["tunnels", "channel_tunnel", "classics/whist", "carcassonne"] {
        let program = program(Path::new(&format!("rules/{game}.rules")));
        let mut machine = Machine::new(&program);
        play(&mut machine, 0, 30);
        let mut dealer = machine.dealer(0);
        let mut luck = Luck(ChaCha8Rng::seed_from_u64(1));
        let mut deals = |n: u32| {
            (0..n)
                .filter(|_| machine.deal(&mut dealer, &mut luck))
                .count()
        };
        assert_eq!(deals(20), 20, "{game}");
        let again = measure(|| assert_eq!(deals(50), 50));
        assert_eq!(again.count_total, 0, "{game}: {again:?}");
    }
}

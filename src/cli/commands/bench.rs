use std::time::Duration;

use clap::Args;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;

use super::play::MOST_CHOICES;
use crate::cli::load::{self, GameArgs, Loaded};
use crate::cli::{CliError, Exit, Ui};
use crate::engine::{Dice, Fault, Machine, PlayError, Program, Status, below};

/// The clock is asked once in so many choices.
const BETWEEN_CLOCKS: u64 = 4_096;
/// What part of the time goes to counting operations.
const PART_FOR_COUNTING: u32 = 8;

/// Measure how fast a game is played at random.
///
/// Each legal move is equally likely; the games have the seeds from 0 on. Ctrl-C ends it and tells what was measured by then.
#[derive(Args, Debug)]
pub struct BenchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Seconds of processor time to measure for
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
}

/// What was measured.
#[derive(Serialize)]
struct Measured {
    /// Choices for each second of processor time.
    moves_per_second: f64,
    moves_per_game: f64,
    /// Operations of the engine for each choice, up to the list of the next one's moves.
    ops_per_move: f64,
    state_bytes: usize,
    games: u64,
    moves: u64,
    /// Games that were left off because they did not end.
    cut: u64,
}

/// Random games one after the other.
pub(super) struct Games<'p> {
    pub machine: Machine<'p>,
    choices: ChaCha8Rng,
    pub games: u64,
    pub moves: u64,
    cut: u64,
    ops: u64,
}

impl<'p> Games<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self {
            machine: Machine::new(program),
            choices: ChaCha8Rng::seed_from_u64(0),
            games: 0,
            moves: 0,
            cut: 0,
            ops: 0,
        }
    }

    /// Plays whole games until `is_over`; the operations are counted only if that is asked for.
    pub fn play<const COUNT: bool>(&mut self, is_over: impl Fn() -> bool) -> Result<(), Fault> {
        let mut asked = self.moves;
        loop {
            self.one::<COUNT>()?;
            self.games += 1;
            // A game without any choice takes time as well.
            if COUNT || self.moves - asked >= BETWEEN_CLOCKS || self.moves < self.games {
                asked = self.moves;
                if is_over() {
                    return Ok(());
                }
            }
        }
    }

    fn one<const COUNT: bool>(&mut self) -> Result<(), Fault> {
        let mut dice = Dice::new(self.games);
        let mut status = self.machine.start(&mut dice)?;
        let last = self.moves + MOST_CHOICES as u64;
        while status != Status::Ended {
            if self.moves == last {
                self.cut += 1;
                return Ok(());
            }
            let n_moves = self.machine.moves().len() as u64;
            let at = below(self.choices.next_u64(), n_moves) as usize;
            let played = if COUNT {
                let played = self.machine.play_counting(at, &mut dice);
                played.map(|(status, ops)| {
                    self.ops += ops;
                    status
                })
            } else {
                self.machine.play_nth(at, &mut dice)
            };
            status = match played {
                Ok(status) => status,
                Err(PlayError::Fault(fault)) => return Err(fault),
                // Only moves that the machine listed are played.
                Err(PlayError::Illegal | PlayError::Over) => Status::Ended,
            };
            self.moves += 1;
        }
        Ok(())
    }
}

/// Measures for the time that was asked for.
pub fn run(args: &BenchArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let loaded = load::load(args.game.asked())?;
    // How long it takes was asked for.
    loaded.program.unbound_work();
    let measured = measure(&loaded, Duration::from_secs(args.seconds), ui)?;
    let exit = match ui.is_stopped() {
        true => Exit::Failure,
        false => Exit::Yes,
    };
    if ui.json {
        ui.json_value(&measured)?;
        return Ok(exit);
    }
    let Measured {
        moves_per_second,
        moves_per_game,
        ops_per_move,
        state_bytes,
        games,
        moves,
        cut,
    } = measured;
    ui.line(format!("moves per CPU second  {moves_per_second:.0}"))?;
    ui.line(format!("moves per game        {moves_per_game:.2}"))?;
    ui.line(format!("operations per move   {ops_per_move:.1}"))?;
    ui.line(format!("bytes of state        {state_bytes}"))?;
    ui.line(format!("random games          {games} with {moves} moves"))?;
    if cut > 0 {
        ui.line(format!(
            "left off              {cut} after {MOST_CHOICES} moves"
        ))?;
    }
    Ok(exit)
}

fn measure(loaded: &Loaded, time: Duration, ui: &Ui<'_>) -> Result<Measured, CliError> {
    let start = ui.processor_time();
    let spent = || ui.processor_time().saturating_sub(start);
    let is_over = |time| spent() >= time || ui.is_stopped();
    let mut counted = Games::new(&loaded.program);
    let counting = counted.play::<true>(|| is_over(time / PART_FOR_COUNTING));
    counting.map_err(|fault| stopped(loaded, &counted, &fault))?;
    let mut games = Games::new(&loaded.program);
    let before = spent();
    let playing = games.play::<false>(|| is_over(time));
    playing.map_err(|fault| stopped(loaded, &games, &fault))?;
    let seconds = (spent() - before).as_secs_f64();
    Ok(Measured {
        moves_per_second: games.moves as f64 / seconds,
        moves_per_game: games.moves as f64 / games.games as f64,
        ops_per_move: counted.ops as f64 / counted.moves.max(1) as f64,
        state_bytes: loaded.program.state_bytes(),
        games: games.games,
        moves: games.moves,
        cut: games.cut,
    })
}

pub(super) fn stopped(loaded: &Loaded, games: &Games<'_>, fault: &Fault) -> CliError {
    let mut found = fault.diagnostic();
    found.message = format!(
        "{}: a random game with seed {} stops so",
        found.message, games.games
    );
    CliError::found(loaded.sources.clone(), vec![found])
}

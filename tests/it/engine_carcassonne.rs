//! Carcassonne with The Tunnel by the engine against the game written by hand.

use adit::engine::{CandidateKind, Chance, Dice, Machine, Move as Mv, Query, Status};
use adit::model::{Expr, StreamId};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::baseline::carcassonne::land::{self, Spot};
use crate::baseline::carcassonne::{Carcassonne, MOST_SEATS, Move, Setup};
use crate::baseline::chance::{Card, Scripted, pick};
use crate::carcassonne::ask::{Names, coordinate};
use crate::carcassonne::rulebook::program;
use crate::fixtures::width;

/// How many games are played for each number of seats; the release profile plays many more in the
/// same time.
fn n_games() -> u64 {
    width(2, 15, 200)
}

/// Random numbers that remember what came of them.
struct Recording {
    dice: Dice,
    drawn: Vec<Card>,
}

impl Chance for Recording {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        self.dice.ticket(stream, total)
    }

    fn happened(&mut self, _: StreamId, value: i64) {
        self.drawn.push(Card::try_from(value).unwrap());
    }
}

/// Both games, at the same choice.
struct Both {
    machine: Machine<'static>,
    names: Names,
    chance: Recording,
    hand_written: Carcassonne,
    /// Points of the seats, their followers in supply, tiles still to be drawn and tiles out of the
    /// game.
    figures: Query,
}

impl Both {
    fn start(seed: u64, setup: &Setup) -> Both {
        let set = [
            ("tile_sets", setup.base_sets.to_string()),
            ("farmers", setup.farmers.to_string()),
            ("followers", setup.followers.to_string()),
        ];
        let set = set.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let program = program(&(setup.seats, true, set));
        let names = Names { program };
        let mut chance = Recording {
            dice: Dice::new(seed),
            drawn: Vec::new(),
        };
        let mut machine = Machine::new(program);
        machine.start(&mut chance).unwrap();
        let mut script = Scripted::new(&chance.drawn);
        let hand_written = Carcassonne::new(setup.clone(), &mut script);
        assert_eq!(script.verdict(), Ok(()));
        chance.drawn.clear();
        let points = |seat| names.track("points", names.seat(seat));
        let supply = |seat| names.count(names.place("reserve", vec![names.seat(seat)]));
        let seats = 0..setup.seats;
        let pile = |zone| names.count(names.place(zone, vec![]));
        let figures: Vec<Expr> = seats
            .clone()
            .map(points)
            .chain(seats.map(supply))
            .chain([pile("bag"), pile("removed")])
            .collect();
        Both {
            machine,
            names,
            chance,
            hand_written,
            figures: Query::new(program, &figures).unwrap(),
        }
    }

    fn part(&self, part: i64) -> land::Part {
        let names = self.names;
        let domain = names.domain_of(names.domain("Part"));
        let at = |axis| coordinate(domain, axis, usize::try_from(part).unwrap());
        let slot = names.print(names.domain("Slot"), i64::try_from(at(1)).unwrap());
        let mut pieces = self.hand_written.table.laid[at(0)].design().pieces.iter();
        land::Part::new(at(0), pieces.position(|it| it.name == slot).unwrap())
    }

    /// A move of the engine as the hand-written game has it.
    fn read(&self, mv: Mv) -> Move {
        let (id, args) = match self.machine.candidate(mv).unwrap().kind {
            CandidateKind::Action(id, args) => (id, args),
            CandidateKind::Text(_) => return Move::Done,
            CandidateKind::Value(..) => panic!("nobody chooses a value in this game"),
        };
        let args: Vec<i64> = args.into_iter().map(Option::unwrap).collect();
        let names = self.names;
        match names.game().actions[id.index()].name.as_str() {
            "place_tile" => {
                let domain = names.domain_of(names.domain("Spot"));
                let at = |axis| coordinate(domain, axis, usize::try_from(args[0]).unwrap());
                Move::Lay {
                    at: Spot {
                        x: u16::try_from(at(0)).unwrap(),
                        y: u16::try_from(at(1)).unwrap(),
                    },
                    turn: u8::try_from(args[1]).unwrap(),
                }
            }
            "place_follower" => Move::Follower {
                on: self.part(args[0]),
            },
            "place_token" => Move::Token {
                colour: u8::try_from(args[0]).unwrap(),
                at: self.part(args[1]),
            },
            other => panic!("{other}"),
        }
    }

    /// Compares the two at a choice, or at the end.
    fn compare(&mut self) -> Result<(), String> {
        let legal: Vec<Move> = self
            .machine
            .moves()
            .iter()
            .map(|it| self.read(*it))
            .collect();
        let game = &self.hand_written;
        if legal != game.legal {
            return Err(format!("offers {legal:?} instead of {:?}", game.legal));
        }
        let mover = match self.machine.status() {
            Status::Choice { seat } => Some(seat as usize),
            Status::Ended => None,
        };
        if mover != (!game.is_over()).then_some(game.mover) {
            return Err(format!("{mover:?} chooses instead of {}", game.mover));
        }
        let figures = self.machine.ask(&self.figures).unwrap();
        let figures: Vec<i64> = figures.iter().map(|it| it.scalar()).collect();
        let seats = game.setup.seats;
        let points = game.points[..seats].iter().map(|it| i64::from(*it));
        let supply = game.supply[..seats].iter().map(|it| i64::from(*it));
        let piles = [game.bag.len(), game.discarded.len()].map(|it| it as i64);
        let own: Vec<i64> = points.chain(supply).chain(piles).collect();
        if figures != own {
            return Err(format!("figures {figures:?} instead of {own:?}"));
        }
        Ok(())
    }

    fn play(&mut self, nth: usize) -> Result<(), String> {
        let choice = self.hand_written.legal[nth];
        let played = self.machine.play_nth(nth, &mut self.chance);
        played.map_err(|it| format!("{choice:?}: {it:?}"))?;
        let mut script = Scripted::new(&self.chance.drawn);
        self.hand_written.apply(choice, &mut script);
        script.verdict().map_err(|it| format!("{choice:?}: {it}"))?;
        self.chance.drawn.clear();
        Ok(())
    }
}

/// Plays a random game and reports the first choice at which the two differ.
fn follow(seed: u64, setup: &Setup) -> Result<Carcassonne, String> {
    let mut both = Both::start(seed, setup);
    let mut choices = ChaCha8Rng::seed_from_u64(!seed);
    for ply in 0.. {
        let at = |it| format!("ply {ply}: {it}");
        both.compare().map_err(at)?;
        if both.hand_written.is_over() {
            break;
        }
        let nth = pick(&mut choices, both.hand_written.legal.len());
        both.play(nth).map_err(at)?;
    }
    let outcome = both.machine.outcome().unwrap();
    let points = &both.hand_written.points[..setup.seats];
    let own: Vec<Vec<i64>> = points.iter().map(|it| vec![i64::from(*it)]).collect();
    if outcome.keys != own {
        return Err(format!("ends {:?} instead of {own:?}", outcome.keys));
    }
    Ok(both.hand_written)
}

#[test]
fn every_choice_equals_that_of_the_game_written_by_hand() {
    for seats in 2..=MOST_SEATS {
        let setup = Setup::with_tunnel(seats, 1);
        for seed in 0..n_games() {
            follow(seed, &setup).unwrap_or_else(|it| panic!("{seats} seats, seed {seed}: {it}"));
        }
    }
}

#[test]
fn every_choice_of_a_large_game_equals_that_of_the_game_written_by_hand() {
    let setup = Setup::with_tunnel(2, 3);
    for seed in 0..n_games().div_ceil(20) {
        follow(seed, &setup).unwrap_or_else(|it| panic!("seed {seed}: {it}"));
    }
}

#[test]
fn followers_run_out_and_farmers_stay_away() {
    for (followers, farmers) in [(1, true), (2, false), (8, false)] {
        let setup = Setup {
            followers,
            farmers,
            ..Setup::with_tunnel(3, 1)
        };
        for seed in 0..n_games().div_ceil(2) {
            follow(seed, &setup).unwrap_or_else(|it| panic!("{setup:?}, seed {seed}: {it}"));
        }
    }
}

/// What a machine derives from the land follows wherever it goes: back, on, and to other games.
#[test]
fn a_position_is_the_same_wherever_the_machine_comes_from() {
    let program = program(&(2, true, vec![]));
    let mut machine = Machine::new(program);
    let mut words = ChaCha8Rng::seed_from_u64(1);
    let mut seen = Vec::new();
    for seed in 0..3 {
        let mut dice = Dice::new(seed);
        machine.start(&mut dice).unwrap();
        while machine.status() != Status::Ended {
            let nth = pick(&mut words, machine.moves().len());
            let before = (machine.save(), machine.moves().to_vec(), dice.clone(), nth);
            machine.play_nth(nth, &mut dice).unwrap();
            seen.push((before, machine.save()));
        }
    }
    for _ in 0..2 * seen.len() {
        let ((before, moves, dice, nth), after) = &seen[pick(&mut words, seen.len())];
        machine.load(before);
        assert_eq!(machine.moves(), moves);
        machine.play_nth(*nth, &mut dice.clone()).unwrap();
        assert_eq!(machine.save(), *after);
    }
}

#[test]
fn a_tile_without_a_place_is_out_of_the_game() {
    // Seeds of games in which that happens.
    for seed in [154, 178] {
        let game = follow(seed, &Setup::with_tunnel(2, 1)).unwrap();
        assert_eq!(game.discarded.len(), 1, "seed {seed}");
    }
}

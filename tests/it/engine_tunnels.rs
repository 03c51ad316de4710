//! Tunnels by the engine against the game written by hand.

use adit::model::text::Form;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use adit::engine::{
    Chance, Dice, Machine, Move as Mv, Program, Seen, Status, TrackValue, View, Viewer,
};
use adit::model::{ClauseId, StreamId};

use crate::baseline::chance::Card;
use crate::baseline::tunnels::{DEPTHS, LANES, Move, PLOTS};
use crate::fixtures::width;
use crate::perft::program;
use crate::properties;
use crate::referee::{Referee, Table, follow};

/// How many matches are played; the release profile plays many more in the same time.
fn n_matches() -> u64 {
    width(20, 600, 5_000)
}

fn tunnels() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| program("rules/tunnels.rules", &[], None))
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

struct Engine {
    machine: Machine<'static>,
    chance: Recording,
    /// Moves read before, by the clause of their choice.
    known: RefCell<HashMap<(ClauseId, Mv), Move>>,
    /// Prints moves; the position of the game stays as it is.
    printer: RefCell<Machine<'static>>,
}

impl Engine {
    fn view(&self) -> View {
        self.machine.view(Viewer::Referee)
    }
}

fn zone(view: &View, name: &str, place: usize) -> Vec<Card> {
    let zone = view.zones.iter().find(|zone| zone.name == name).unwrap();
    let seen = zone.places[place].seen.iter().map(|seen| match seen {
        Seen::Known(card) => Card::try_from(*card).unwrap(),
        Seen::Unknown => panic!("the referee sees everything"),
    });
    let mut cards: Vec<Card> = seen.collect();
    cards.sort_unstable();
    cards
}

fn track(view: &View, name: &str, place: usize) -> TrackValue {
    let track = view.tracks.iter().find(|track| track.name == name).unwrap();
    track.values[place].clone().unwrap()
}

fn number(view: &View, name: &str, place: usize) -> i64 {
    match track(view, name, place) {
        TrackValue::Scalar(value) => value,
        TrackValue::Set(_) => panic!("{name} is a set"),
    }
}

/// Reads a move as it is printed: `match 7d with c1`.
fn parse(text: &str) -> Move {
    let words: Vec<&str> = text.split(' ').collect();
    match words.as_slice() {
        ["match", used, "with", at] => Move::Match {
            used: card(used),
            at: plot(at),
        },
        ["swap", used, "with", at] => Move::Swap {
            used: card(used),
            at: plot(at),
        },
        ["discard", gone] => Move::Discard { gone: card(gone) },
        _ => panic!("{text}"),
    }
}

fn card(text: &str) -> Card {
    let (rank, suit) = text.split_at(text.len() - 1);
    let ranks = [
        "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K",
    ];
    let rank = ranks.iter().position(|r| *r == rank).unwrap();
    let suit = ["c", "d", "h", "s"]
        .iter()
        .position(|s| *s == suit)
        .unwrap();
    Card::try_from(suit * 13 + rank).unwrap()
}

fn plot(text: &str) -> u8 {
    let lane = text.as_bytes()[0] - b'a';
    let depth: u8 = text[1..].parse().unwrap();
    lane * u8::try_from(DEPTHS).unwrap() + depth - 1
}

impl Referee for Engine {
    fn start(seed: u64) -> Self {
        let mut machine = Machine::new(tunnels());
        let mut chance = Recording {
            dice: Dice::new(seed),
            drawn: Vec::new(),
        };
        machine.start(&mut chance).unwrap();
        let printer = RefCell::new(Machine::new(tunnels()));
        Engine {
            machine,
            chance,
            known: RefCell::default(),
            printer,
        }
    }

    fn legal(&self) -> Vec<Move> {
        let Some(clause) = self.machine.clause() else {
            return Vec::new();
        };
        let (mut known, mut printer) = (self.known.borrow_mut(), self.printer.borrow_mut());
        let mut read = |mv: Mv| {
            *known.entry((clause, mv)).or_insert_with(|| {
                printer.load(&self.machine.save());
                parse(&printer.print(mv, Form::Plain))
            })
        };
        self.machine.moves().iter().map(|mv| read(*mv)).collect()
    }

    fn apply(&mut self, choice: Move) {
        let at = self.legal().iter().position(|mv| *mv == choice).unwrap();
        self.machine.play_nth(at, &mut self.chance).unwrap();
    }

    fn look(&self) -> Table {
        let view = self.view();
        let field = std::array::from_fn(|plot| zone(&view, "field", plot).first().copied());
        let inside = match track(&view, "inside", 0) {
            TrackValue::Set(words) => words.iter().map(|word| word.count_ones() as usize).sum(),
            TrackValue::Scalar(_) => PLOTS,
        };
        let mover = match self.machine.status() {
            Status::Choice { seat } => Some(seat as usize),
            Status::Ended => None,
        };
        Table {
            mover,
            dealer: usize::try_from(number(&view, "dealer", 0)).unwrap(),
            width: (inside / DEPTHS).min(LANES),
            field,
            stock: zone(&view, "stock", 0),
            hands: [zone(&view, "hand", 0), zone(&view, "hand", 1)],
            away: [zone(&view, "away", 0), zone(&view, "away", 1)],
            points: [0, 1].map(|seat| u32::try_from(number(&view, "points", seat)).unwrap()),
        }
    }

    fn take_drawn(&mut self) -> Vec<Card> {
        std::mem::take(&mut self.chance.drawn)
    }
}

#[test]
fn every_choice_equals_that_of_the_game_written_by_hand() {
    for seed in 0..n_matches() / 20 {
        follow::<Engine>(seed).unwrap_or_else(|it| panic!("seed {seed}: {it}"));
    }
}

#[test]
fn what_holds_in_every_match_holds_by_the_engine() {
    let half = n_matches() / 2;
    std::thread::scope(|scope| {
        for seeds in [0..half, half..n_matches()] {
            scope.spawn(|| properties::check::<Engine>(seeds, &properties::ALL).unwrap());
        }
    });
}

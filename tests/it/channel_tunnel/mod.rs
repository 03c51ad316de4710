//! 1987 Channel Tunnel, with and without its expansion.

mod data;
mod exact;
mod known;
mod points;
mod properties;
mod readings;
mod secrets;
mod table;

use adit::model::text::Form;
use std::sync::OnceLock;

use adit::engine::{Chance, Dice, Machine, Program, Status, below, compile};
use adit::model::StreamId;
use rand_chacha::rand_core::Rng;

const BASE: &str = "rules/channel_tunnel.rules";
const AGENDA: &str = "rules/channel_tunnel_agenda.rules";
/// The stream of the choices, apart from those of the rules.
const CHOICES: u32 = 1_000;

/// Reads the rulebook with these amendments and settings.
pub fn read(amendments: &[&str], set: &[(String, String)]) -> Program {
    let (sources, compiled) = crate::fixtures::compiled(BASE, amendments, set, None);
    let said = adit::report::plain(&sources, &compiled.diagnostics);
    assert!(said.is_empty(), "{amendments:?} {set:?}\n{said}");
    compile(compiled.game.unwrap()).unwrap_or_else(|it| panic!("{set:?}: {it:#?}"))
}

/// The game without and with its expansion, by the default readings.
fn games() -> &'static [(&'static str, Program); 2] {
    static GAMES: OnceLock<[(&str, Program); 2]> = OnceLock::new();
    GAMES.get_or_init(|| [("base", read(&[], &[])), ("agenda", read(&[AGENDA], &[]))])
}

/// Random numbers that tell whether discs were drawn.
struct Luck {
    dice: Dice,
    bag: Option<StreamId>,
    drew_discs: bool,
    /// The move that was played last, as it is printed, and who played it.
    played: (u32, String),
}

impl Luck {
    fn new(program: &Program, seed: u64) -> Luck {
        let streams = program.game.streams.iter();
        let bag = streams.zip(0..).find(|(it, _)| it.name == "bag");
        Luck {
            dice: Dice::new(seed),
            bag: bag.map(|(_, number)| StreamId(number)),
            drew_discs: false,
            played: (0, String::new()),
        }
    }

    fn pick(&mut self, n: usize) -> usize {
        usize::try_from(below(self.dice.stream(CHOICES).next_u64(), n as u64)).unwrap()
    }
}

impl Chance for Luck {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        self.dice.ticket(stream, total)
    }

    fn happened(&mut self, stream: StreamId, _: i64) {
        self.drew_discs |= Some(stream) == self.bag;
    }
}

/// After so many turns in a row in which a seat could only pass, nobody will ever act again: what is
/// drawn differs from round to round, so it is not the discs that are missing. The printed rules know
/// no such end (KQ-11).
const BARREN_TURNS: u32 = 100;

/// Plays a random game and calls `look` at every choice and at the end. Returns whether it ended.
fn walk(program: &Program, seed: u64, look: &mut dyn FnMut(&mut Machine<'_>, &mut Luck)) -> bool {
    let mut barren_turns = 0;
    let mut machine = Machine::new(program);
    let mut luck = Luck::new(program, seed);
    machine.start(&mut luck).unwrap();
    look(&mut machine, &mut luck);
    while let Status::Choice { seat } = machine.status() {
        if path(&machine) == "take_turn.move" {
            barren_turns = if machine.moves().len() == 1 {
                barren_turns + 1
            } else {
                0
            };
        }
        if barren_turns == BARREN_TURNS {
            return false;
        }
        let at = luck.pick(machine.moves().len());
        luck.played = (seat, machine.print(machine.moves()[at], Form::Plain));
        machine.play_nth(at, &mut luck).unwrap();
        look(&mut machine, &mut luck);
    }
    true
}

/// The address of the clause that asks for the pending choice.
fn path(machine: &Machine<'_>) -> String {
    let clauses = &machine.program().game.clauses;
    machine
        .clause()
        .map_or_else(String::new, |id| clauses[id.index()].path.clone())
}

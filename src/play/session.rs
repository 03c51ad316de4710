//! A game in progress with its past.

use crate::model::text::Form;
use std::collections::{HashMap, VecDeque};

use super::Problem;
use super::recorded::{Fixed, Luck};
use super::transcript::{
    Choice, Ending, Header, Hint, Luck as From, Outcome, Record, Undo, line_of,
};
use super::undo::{self, Barrier};
use crate::diagnostic::codes;
use crate::engine::text::print_value;
use crate::engine::{
    Dice, Event, Fault, FaultKind, Knowledge, Known, Machine, Move, PlayError, Program, State,
    Status, Streams, Told, Viewer,
};
use crate::model::{Base, Game, Start, StreamId, Type};

/// Bytes of positions that choices can be taken back to.
const MOST_OPEN: usize = 32 << 20;
/// Work that each choice of a game adds to what all may take.
const CHOICE_WORK: u64 = 100_000;

/// A choice that can be taken back.
struct Open {
    seat: u32,
    /// Whether there was anything to choose from.
    is_free: bool,
    before: State,
    knowledge: Knowledge,
}

/// A game in progress: the position, how it came about, and what was written down of it.
pub struct Session<'p> {
    machine: Machine<'p>,
    program: &'p Program,
    chance: Luck,
    stream_types: Vec<Type>,
    /// By stream: what can come of it, as it is written down.
    outcomes: HashMap<usize, HashMap<i64, String>>,
    header: Header,
    records: Vec<Record>,
    n_choices: usize,
    /// The choices that no person has learnt anything from.
    open: VecDeque<Open>,
    /// Why the choices before those stand, for each seat that may ask.
    barriers: Vec<Barrier>,
    /// Who chose last of several that choose at the same time.
    chose_last: Option<u32>,
    /// What happened to components by the last move.
    events: Vec<Event>,
    /// What the rules told when it was made.
    told: Vec<Told>,
    /// The line of the outcome of chance that came last when a move could not be played.
    refused: Option<usize>,
}

impl<'p> Session<'p> {
    /// Starts a game and plays on to the first choice.
    pub fn start(program: &'p Program, header: Header) -> Result<Session<'p>, Fault> {
        let mut session = Session::with(program, header, Machine::new(program), Vec::new());
        session.machine.start(&mut session.chance)?;
        session.told = session.machine.heard().to_vec();
        session.write_chance();
        session.write_end();
        Ok(session)
    }

    /// Starts as a header says, at the beginning of the game or in the position of a study or ruling,
    /// with outcomes of chance that are fixed, and plays on to the first choice.
    pub fn start_with(
        program: &'p Program,
        header: Header,
        fixed: Vec<Fixed>,
    ) -> Result<Session<'p>, Problem> {
        let from = match &header.from {
            Some(id) => Some(start_named(&program.game, id)?),
            None => None,
        };
        let mut session = Session::with(program, header, Machine::new(program), fixed);
        let started = match from {
            // A ruling goes on with the luck that led there, unless its lines say what chance gave.
            Some((_, Some(ruling))) if session.header.chance.is_none() => {
                session.machine.set_up(ruling, &mut session.chance)
            }
            Some((from, _)) => session.machine.set_up_from(from, &mut session.chance),
            None => session.machine.start(&mut session.chance),
        };
        session.told = session.machine.heard().to_vec();
        started.map_err(|fault| {
            let problem = super::of_fault(&fault);
            match session.chance.line {
                Some(line) if fault.kind == FaultKind::Impossible => problem.on_line(line),
                _ => problem,
            }
        })?;
        session.write_chance();
        session.write_end();
        Ok(session)
    }

    /// Goes on from a position that was set up: its transcript cannot be replayed.
    pub fn at(program: &'p Program, header: Header, machine: Machine<'p>) -> Session<'p> {
        let mut session = Session::with(program, header, machine, Vec::new());
        session.write_end();
        session
    }

    fn with(
        program: &'p Program,
        header: Header,
        machine: Machine<'p>,
        fixed: Vec<Fixed>,
    ) -> Session<'p> {
        let mut machine = machine;
        machine.listen(true);
        machine.keep_past();
        let seed = header.seed.unwrap_or(0);
        let dice = match header.chance {
            Some(From::Named) => Dice::named(seed, &Streams::of(&program.game)),
            Some(From::Recorded) | None => Dice::new(seed),
        };
        Session {
            machine,
            program,
            chance: Luck::new(dice, fixed),
            stream_types: super::stream_types(&program.game),
            outcomes: HashMap::new(),
            header,
            records: Vec::new(),
            n_choices: 0,
            open: VecDeque::new(),
            barriers: vec![Barrier::Start; program.game.n_seats as usize],
            chose_last: None,
            events: Vec::new(),
            told: Vec::new(),
            refused: None,
        }
    }

    /// Returns the rules that are played.
    pub fn game(&self) -> &'p Game {
        &self.program.game
    }

    /// Returns the position with everything that can be asked of it.
    pub fn machine(&mut self) -> &mut Machine<'p> {
        &mut self.machine
    }

    /// Returns who has to choose.
    pub fn status(&self) -> Status {
        self.machine.status()
    }

    /// Returns the first line of the transcript.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns all that happened so far.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Returns how many choices lead to this position.
    pub fn n_choices(&self) -> usize {
        self.n_choices
    }

    /// Returns the transcript so far.
    pub fn transcript(&self) -> String {
        let mut text = line_of(&self.header);
        self.records
            .iter()
            .for_each(|record| text.push_str(&line_of(record)));
        text
    }

    /// Returns the transcript so far with a choice that the rules cannot finish, and what chance gave upon it.
    pub fn transcript_with(&mut self, chosen: Move, upon: &[(StreamId, i64)]) -> String {
        let mut text = self.transcript();
        for record in self.unfinished(chosen, upon) {
            text.push_str(&line_of(&record));
        }
        text
    }

    /// Returns the records of a choice that the rules cannot finish.
    pub fn unfinished(&mut self, chosen: Move, upon: &[(StreamId, i64)]) -> Vec<Record> {
        let seat = match self.machine.status() {
            Status::Choice { seat } => super::seat_name(self.game(), seat, Form::Plain),
            Status::Ended => String::new(),
        };
        let played = Some(self.machine.print(chosen, Form::Plain));
        let together = self.machine.is_together();
        let choice = Choice {
            seat,
            played,
            together,
        };
        let mut records = vec![Record::Choice(choice)];
        records.extend(upon.iter().map(|it| self.outcome(*it)));
        records
    }

    /// Plays a move of the seat that has to choose; on an error nothing has changed.
    pub fn play(&mut self, chosen: Move) -> Result<Status, PlayError> {
        let Status::Choice { seat } = self.machine.status() else {
            return Err(PlayError::Over);
        };
        let printed = self.machine.name(chosen, Form::Plain);
        let open = Open {
            seat,
            is_free: self.machine.moves().len() > 1,
            before: self.machine.save(),
            knowledge: self.machine.knowledge().clone(),
        };
        let together = self.machine.is_together();
        let in_secret = self.machine.is_decided_in_secret(chosen);
        let hears = self.machine.hears_that_it_holds(chosen, &self.people());
        let known_before = self.known();
        let luck_before = self.chance.clone();
        let status = match self.machine.play_watched(chosen, &mut self.chance) {
            Ok((status, events)) => {
                self.events = events;
                self.told = self.machine.heard().to_vec();
                status
            }
            Err(error) => {
                self.refused = self.chance.line;
                self.chance = luck_before;
                return Err(error);
            }
        };
        let known = [&known_before[..], &self.known()[..]];
        if together {
            self.stand_together(seat);
        } else {
            let happened = (&self.chance.happened[..], &self.events[..]);
            let people = self.people();
            let (game, because) = (self.game(), (in_secret, hears));
            let barriers = undo::barriers(game, &people, because, happened, known);
            self.stand(open, barriers);
        }
        let seat = super::seat_name(self.game(), seat, Form::Plain);
        self.records.push(Record::Choice(Choice {
            seat,
            played: Some(printed),
            together,
        }));
        self.program.allow_work(CHOICE_WORK);
        self.write_chance();
        self.write_end();
        Ok(status)
    }

    /// Returns the line of the outcome of chance that came last when a move could not be played.
    pub fn refused_line(&self) -> Option<usize> {
        self.refused
    }

    /// Notes a choice that was made, and forgets the positions that nobody can go back to.
    fn stand(&mut self, open: Open, barriers: Option<Vec<Barrier>>) {
        self.n_choices += 1;
        if let Some(barriers) = barriers {
            self.open.clear();
            self.barriers = barriers;
            return;
        }
        let room = 8 * open.before.words().len().max(1);
        if self.open.len() >= (MOST_OPEN / room).max(1) {
            self.open.pop_front();
            self.barriers.fill(Barrier::Long);
        }
        self.open.push_back(open);
    }

    /// The seats of people; all, where nobody sits but programs.
    fn people(&self) -> Vec<u32> {
        let human = super::Player::Human.word();
        let seats = (0..self.game().n_seats).zip(&self.header.seats);
        let people: Vec<u32> = seats.filter(|it| *it.1 == human).map(|it| it.0).collect();
        match people.is_empty() {
            true => (0..self.game().n_seats).collect(),
            false => people,
        }
    }

    /// Notes a choice that others make at the same time: it can be taken back until all have chosen, and nothing
    /// before it while somebody has.
    fn stand_together(&mut self, seat: u32) {
        self.n_choices += 1;
        self.chose_last = Some(seat);
        if !self.has_chosen(seat) {
            self.open.clear();
            self.barriers.fill(Barrier::Together);
        }
    }

    /// The seat that has chosen last where others have yet to choose.
    fn has_chosen_already(&self) -> Option<u32> {
        let last = self.chose_last.filter(|it| self.has_chosen(*it));
        let first = || self.machine.pending().first().map(|(seat, _)| *seat);
        last.or_else(first)
    }

    /// Whether a seat has made its choice where others have yet to make theirs.
    pub fn has_chosen(&self, seat: u32) -> bool {
        self.machine.pending().iter().any(|(it, _)| *it == seat)
    }

    /// The person who chose last, where that can be taken back; what was the only move counts where it was asked for.
    pub fn last_chooser(&self, is_asked: bool) -> Option<u32> {
        let people = self.people();
        let own = |it: &&Open| people.contains(&it.seat) && (it.is_free || is_asked);
        self.open.iter().rev().find(own).map(|it| it.seat)
    }

    /// Takes back what a seat has chosen where others have yet to choose, or else all up to where it last had something to
    /// choose from: what programs have chosen since, too, but not what another person has. What was the only move counts
    /// where the seat was asked for it all the same.
    ///
    /// # Errors
    /// Why that cannot be, as far as it is the business of who asks: of what another seat has seen, what follows from what who
    /// asks saw itself.
    pub fn undo_by(&mut self, asker: u32, seat: u32, is_asked: bool) -> Result<(), Barrier> {
        let taken_back = self.take_back(seat, is_asked);
        taken_back.map_err(|barrier| match barrier {
            Barrier::Seen { seat, .. } if seat != asker => self.barrier_of(asker),
            other => other,
        })
    }

    fn take_back(&mut self, seat: u32, is_asked: bool) -> Result<(), Barrier> {
        if self.machine.retract(seat) {
            self.events.clear();
            self.told.clear();
            self.n_choices = self.n_choices.saturating_sub(1);
            let seat = super::seat_name(self.game(), seat, Form::Plain);
            self.records.push(Record::Undo(Undo { undo: seat }));
            return Ok(());
        }
        match self.machine.status() {
            Status::Ended => self.undo(),
            Status::Choice { .. } => {
                let own = |it: &&Open| it.seat == seat && (it.is_free || is_asked);
                let mut behind = self.open.iter().rev().enumerate();
                let n = behind.find(|(_, it)| own(it)).map(|(at, _)| at + 1);
                let barrier = self.barrier_of(seat);
                match self.has_chosen_already() {
                    // What was never chosen, or stands whatever is taken back first, nobody has to make way for.
                    Some(_) if n.is_none() && barrier.stands_alone() => return Err(barrier),
                    Some(other) => return Err(Barrier::Seat(other)),
                    None => {}
                }
                let n = n.ok_or(barrier)?;
                match self.last_chooser(is_asked) {
                    Some(other) if other != seat && self.people().contains(&seat) => {
                        Err(Barrier::Seat(other))
                    }
                    _ => (0..n).try_for_each(|_| self.undo()),
                }
            }
        }
    }

    /// Takes back what a record says that was taken back here.
    ///
    /// # Errors
    /// Why that cannot be.
    pub fn undo_again(&mut self, undo: &Undo) -> Result<(), Barrier> {
        let by = super::seat_named(self.game(), &undo.undo);
        match by.filter(|it| self.has_chosen(*it)) {
            Some(by) => self.take_back(by, true),
            None => self.undo(),
        }
    }

    /// Says why the last choice cannot be taken back by the seat that has to choose now.
    pub fn undo_barrier(&self) -> Option<Barrier> {
        if let Some(seat) = self.has_chosen_already() {
            return Some(Barrier::Seat(seat));
        }
        match (self.machine.status(), self.open.back()) {
            (Status::Ended, _) => Some(Barrier::Ended),
            (Status::Choice { seat }, None) => Some(self.barrier_of(seat)),
            (Status::Choice { .. }, Some(_)) => None,
        }
    }

    /// Takes the last choice back, if no person has learnt anything from it.
    pub fn undo(&mut self) -> Result<(), Barrier> {
        if let Some(barrier) = self.undo_barrier() {
            return Err(barrier);
        }
        let Some(last) = self.open.pop_back() else {
            return Err(Barrier::Start);
        };
        self.machine.load(&last.before);
        self.machine.recall(last.knowledge);
        self.events.clear();
        self.told.clear();
        self.n_choices = self.n_choices.saturating_sub(1);
        let seat = super::seat_name(self.game(), last.seat, Form::Plain);
        self.records.push(Record::Undo(Undo { undo: seat }));
        Ok(())
    }

    /// Notes that a seat was told what it should do.
    pub fn hinted(&mut self, seat: String) {
        self.records.push(Record::Hint(Hint { hint: seat }));
    }

    fn barrier_of(&self, seat: u32) -> Barrier {
        let own = self.barriers.get(seat as usize);
        own.cloned().unwrap_or(Barrier::Start)
    }

    /// Returns what happened to components by the last move, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns what the rules told when the last move was made, or when the game began.
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    fn known(&self) -> Vec<Known> {
        let seats = 0..self.game().n_seats;
        seats
            .map(|seat| self.machine.known(Viewer::Seat(seat)))
            .collect()
    }

    fn write_chance(&mut self) {
        for given in std::mem::take(&mut self.chance.happened) {
            let record = self.outcome(given);
            self.records.push(record);
        }
    }

    fn outcome(&mut self, (stream, value): (StreamId, i64)) -> Record {
        let game = self.game();
        let ty = self.stream_types.get(stream.index());
        let ty = ty.copied().unwrap_or(Type::BOOL);
        // Numbers never print alike, and there may be many.
        let name = matches!(ty.base, Base::Elem(_)).then(|| {
            let names = self.outcomes.entry(stream.index());
            let names = names.or_insert_with(|| super::outcome_names(game, ty));
            names.get(&value).cloned()
        });
        let name = name.flatten();
        Record::Chance(Outcome {
            chance: super::stream_name(game, stream),
            value: name.or_else(|| Some(print_value(game, ty, value, Form::Plain))),
        })
    }

    fn write_end(&mut self) {
        if let Some(outcome) = self.machine.outcome() {
            let end = self.game().procs.get(outcome.ending.index());
            self.records.push(Record::End(Ending {
                end: end.map_or_else(String::new, |it| it.name.clone()),
                places: outcome.places,
                figures: outcome.keys,
            }));
        }
    }
}

/// Finds the position that a header names, and the ruling if it is that of one.
fn start_named(game: &Game, id: &str) -> Result<(Start, Option<usize>), Problem> {
    let studies = game.studies.iter().map(|it| (&it.id, it.start, None));
    let rulings = game.rulings.iter().enumerate();
    let rulings = rulings.map(|(at, it)| (&it.id, it.start, Some(at)));
    let found = studies.chain(rulings).find(|(it, ..)| *it == id);
    found
        .map(|(_, start, ruling)| (start, ruling))
        .ok_or_else(|| {
            let message = format!("the rulebook has no study and no ruling `{id}` to start from");
            Problem::new(codes::UNKNOWN_STUDY, message)
                .help("`adit study GAME` and `adit rulings GAME` list them")
        })
}

//! One game under two rule sets, choice by choice.

use super::course::{Course, End, number};
use super::kind::Kind;
use super::seen::Shared;
use super::sight::{self, MOST_LOOKS, Sights};
use super::uses::Uses;
use crate::engine::{
    Dice, Fault, FaultKind, Invariants, Machine, Move, Names, Outcome, PlayError, Preferred,
    Program, State, Status, Streams, mixed,
};
use crate::model::text::Form;

/// Of so many moves of a game the words are compared: to write one may take as long as to play many.
const MOST_WORDINGS: usize = 150;

/// Where a side stands.
#[derive(Clone, Debug)]
pub(super) enum Stand {
    Choice(u32),
    Ended(Outcome),
    Fault(Box<Fault>),
}

/// Two rule sets, and what is made of them once for all who play them.
pub struct Rules<'p> {
    programs: [&'p Program; 2],
    names: [Names; 2],
    pub(super) streams: [Streams; 2],
    /// What must hold at each choice, where it can be asked.
    invariants: [Option<Invariants>; 2],
    shared: Shared<'p>,
}

impl<'p> Rules<'p> {
    /// Makes them ready.
    #[must_use]
    pub fn of(programs: [&'p Program; 2]) -> Rules<'p> {
        Rules {
            programs,
            names: programs.map(Names::of),
            streams: programs.map(|it| Streams::of(&it.game)),
            invariants: programs.map(|it| Invariants::of(it).ok().flatten()),
            shared: Shared::of(programs),
        }
    }
}

/// A rule set that is played.
pub(super) struct Side<'p> {
    pub machine: Machine<'p>,
    pub stand: Stand,
    names: &'p Names,
    streams: &'p Streams,
    invariants: Option<&'p Invariants>,
    /// What could be chosen in this game, and was.
    uses: Uses,
    pub(super) dice: Dice,
    /// By seat, how often it has chosen.
    chosen: Vec<u64>,
    /// The names of the legal moves, sorted.
    list: Vec<u64>,
    course: Course,
    last: Option<u32>,
}

impl<'p> Side<'p> {
    fn new(rules: &'p Rules<'p>, at: usize) -> Side<'p> {
        let program = rules.programs[at];
        let streams = &rules.streams[at];
        Side {
            machine: Machine::new(program),
            stand: Stand::Choice(0),
            names: &rules.names[at],
            streams,
            invariants: rules.invariants[at].as_ref(),
            uses: Uses::of(program),
            dice: Dice::named(0, streams),
            chosen: vec![0; program.game.n_seats as usize],
            list: Vec::new(),
            course: Course::begun(0),
            last: None,
        }
    }

    fn begin(&mut self, seed: u64) {
        self.dice = Dice::named(seed, self.streams);
        self.chosen.fill(0);
        self.course = Course::begun(seed);
        self.last = None;
        self.uses = Uses::of(self.machine.program());
        let status = self.machine.start(&mut self.dice);
        self.settle_as_promised(status);
    }

    /// As [`Self::settle`]; a choice at which an invariant does not hold is a fault.
    pub(super) fn settle_as_promised(&mut self, status: Result<Status, Fault>) {
        self.settle(status);
        if let (Stand::Choice(_), Some(invariants)) = (&self.stand, self.invariants)
            && let Err(fault) = invariants.check(&mut self.machine)
        {
            self.stand = Stand::Fault(Box::new(fault));
        }
    }

    pub(super) fn settle(&mut self, status: Result<Status, Fault>) {
        self.stand = match status {
            Ok(Status::Choice { seat }) => Stand::Choice(seat),
            // A machine that has ended has an outcome.
            Ok(Status::Ended) => self
                .machine
                .outcome()
                .map_or(Stand::Choice(0), Stand::Ended),
            Err(fault) => Stand::Fault(Box::new(fault)),
        };
    }

    /// What has stopped it.
    pub(super) fn fault(&self) -> Option<&Fault> {
        match &self.stand {
            Stand::Fault(fault) => Some(fault),
            Stand::Choice(_) | Stand::Ended(_) => None,
        }
    }

    /// The move that comes first by the second law.
    fn preferred(&self, seat: u32) -> Option<Preferred> {
        let nth = self.chosen.get(seat as usize).copied().unwrap_or(0);
        let number = number(self.course.seed, seat, nth);
        self.machine.preferred(self.names, number)
    }

    /// Plays a legal move by its place in the list.
    fn play(&mut self, seat: u32, index: usize, name: u64) {
        if let Some(chosen) = self.chosen.get_mut(seat as usize) {
            if *chosen == 0 {
                self.course.order.push(seat);
            }
            *chosen += 1;
        }
        let course = &mut self.course;
        course.choices += 1;
        course.digest = mixed(course.digest ^ mixed(name ^ u64::from(seat)));
        if self.last != Some(seat) {
            course.turns += 1;
            self.last = Some(seat);
        }
        let status = match self.machine.play_nth(index, &mut self.dice) {
            Ok(status) => Ok(status),
            Err(PlayError::Fault(fault)) => Err(fault),
            // What was listed is legal.
            Err(PlayError::Illegal | PlayError::Over) => return,
        };
        self.settle_as_promised(status);
    }

    /// Plays a legal move by its place in the list, and counts from what it was chosen.
    fn choose(&mut self, seat: u32, from: &Preferred, index: usize, name: u64) {
        if let Some(mv) = self.machine.moves().get(index) {
            self.uses.chose(from, *mv);
        }
        self.play(seat, index, name);
    }

    /// Plays on alone; none where it was told to stop.
    fn finish(&mut self, most: u64, go_on: &mut dyn FnMut() -> bool) -> Option<Course> {
        while let Stand::Choice(seat) = self.stand {
            if self.course.choices >= most || !self.has_moves() {
                break;
            }
            if !go_on() {
                return None;
            }
            let preferred = self.preferred(seat)?;
            self.choose(seat, &preferred, preferred.index, preferred.name);
        }
        Some(self.ended())
    }

    fn index_of(&self, name: u64) -> Option<usize> {
        let mut names = Vec::new();
        self.machine.name_moves(self.names, &mut names);
        names.into_iter().position(|it| it == name)
    }

    fn has_moves(&self) -> bool {
        !self.machine.moves().is_empty()
    }

    fn ended(&self) -> Course {
        let mut course = self.course.clone();
        course.end = match &self.stand {
            Stand::Choice(_) => End::Overlong,
            Stand::Ended(outcome) => End::Judged(outcome.clone()),
            Stand::Fault(fault) => End::Fault(fault.clone()),
        };
        course
    }

    fn ending(&self) -> &str {
        let Stand::Ended(outcome) = &self.stand else {
            return "";
        };
        let procs = &self.machine.program().game.procs;
        let ending = procs.get(outcome.ending.index());
        ending.map_or("", |it| it.name.as_str())
    }
}

/// Two rule sets that are played with the same chance.
pub struct Pair<'p> {
    pub(super) sides: [Side<'p>; 2],
    most_choices: u64,
    /// Whether anything is hidden under either.
    pub(super) hides: bool,
    /// What both have.
    pub(super) shared: &'p Shared<'p>,
    /// Of how many moves the words may still be compared, if not of all.
    pub(super) wordings: Option<usize>,
}

/// What came of a game that both have played.
pub(super) struct Both {
    pub courses: [Course; 2],
    /// By side, what could be chosen and was.
    pub uses: [Uses; 2],
    /// Choices that both were asked for in step.
    pub in_step: u64,
    /// Those of them where both did not offer the same moves, by how they differ.
    pub differ: [u64; Kind::ALL.len()],
    /// The first difference: behind how many choices, and how.
    pub first: Option<(u64, Kind)>,
    /// Whether they went apart before their ends.
    pub parted: bool,
    /// What was compared of what seats see, up to the first difference.
    pub sights: Sights,
}

impl<'p> Pair<'p> {
    /// Two rule sets at the beginning; a game of so many choices is left off.
    #[must_use]
    pub fn new(rules: &'p Rules<'p>, most_choices: u64) -> Pair<'p> {
        Pair {
            sides: [Side::new(rules, 0), Side::new(rules, 1)],
            most_choices,
            hides: rules.programs.into_iter().any(sight::hides),
            shared: &rules.shared,
            wordings: None,
        }
    }

    /// Begins the game of a seed.
    pub fn begin(&mut self, seed: u64) {
        self.sides.iter_mut().for_each(|it| it.begin(seed));
    }

    /// Whether a side has run out of work.
    pub(super) fn is_endless(&self) -> bool {
        let mut stands = self.sides.iter().map(|it| &it.stand);
        stands.any(|it| matches!(it, Stand::Fault(fault) if fault.kind == FaultKind::Fuel))
    }

    /// How the two differ in what they ask now, or where they have come to.
    pub fn difference(&mut self) -> Option<Kind> {
        let [one, other] = &mut self.sides;
        match (&one.stand, &other.stand) {
            (Stand::Choice(a), Stand::Choice(b)) if a != b => Some(Kind::Chooser),
            (Stand::Choice(_), Stand::Choice(_)) => {
                if one.machine.is_of_several() != other.machine.is_of_several() {
                    return Some(Kind::Together);
                }
                for side in [&mut *one, &mut *other] {
                    side.machine.name_moves(side.names, &mut side.list);
                    side.list.sort_unstable();
                }
                if one.list == other.list {
                    return None;
                }
                self.lists()
            }
            (Stand::Fault(a), Stand::Fault(b)) => {
                let same = a.kind == b.kind && a.span.range() == b.span.range();
                (!same).then_some(Kind::Fault)
            }
            (Stand::Fault(_), _) | (_, Stand::Fault(_)) => Some(Kind::Fault),
            (Stand::Ended(a), Stand::Ended(b)) => {
                let same = a.places == b.places && a.keys == b.keys && a.alike == b.alike;
                (!same || one.ending() != other.ending()).then_some(Kind::End)
            }
            (Stand::Ended(_), Stand::Choice(_)) | (Stand::Choice(_), Stand::Ended(_)) => {
                Some(Kind::Over)
            }
        }
    }

    /// Who chooses in both; none where they do not stand at the same choice.
    pub(super) fn chooser(&self) -> Option<u32> {
        match (&self.sides[0].stand, &self.sides[1].stand) {
            (Stand::Choice(a), Stand::Choice(b)) if a == b => Some(*a),
            _ => None,
        }
    }

    /// Goes to a position of either side.
    pub(super) fn put(&mut self, states: &[State; 2]) {
        for (side, state) in self.sides.iter_mut().zip(states) {
            side.machine.load(state);
            let status = side.machine.status();
            side.settle(Ok(status));
        }
    }

    /// The seat that is to choose on a side.
    pub(super) fn seat(&self, at: usize) -> Option<u32> {
        match self.sides[at].stand {
            Stand::Choice(seat) => Some(seat),
            Stand::Ended(_) | Stand::Fault(_) => None,
        }
    }

    /// Lets both play the move that each prefers; no where these are not the same, and nothing was played.
    pub(super) fn step(&mut self, seat: u32, same: bool) -> bool {
        let [one, other] = &mut self.sides;
        let (Some(a), Some(b)) = (one.preferred(seat), other.preferred(seat)) else {
            return false;
        };
        if a.name == b.name {
            one.choose(seat, &a, a.index, a.name);
            other.choose(seat, &b, b.index, b.name);
            return true;
        }
        // Moves that are called otherwise and written alike are the same ones.
        let Some(index) = same.then(|| self.written_alike(a.index)).flatten() else {
            return false;
        };
        let [one, other] = &mut self.sides;
        one.choose(seat, &a, a.index, a.name);
        other.choose(seat, &b, index, a.name);
        true
    }

    fn written_alike(&mut self, index: usize) -> Option<usize> {
        let [one, other] = &mut self.sides;
        let mv = one.machine.moves().get(index).copied()?;
        let text = one.machine.name(mv, Form::Plain);
        let written = other.machine.names(Form::Plain);
        written.iter().position(|it| *it == text)
    }

    /// A game of so many choices is left off.
    pub(super) fn most_choices(&self) -> u64 {
        self.most_choices
    }

    /// The names of the legal moves of a side, in their order.
    pub(super) fn names(&self, at: usize) -> Vec<u64> {
        let side = &self.sides[at];
        let mut names = Vec::new();
        side.machine.name_moves(side.names, &mut names);
        names
    }

    /// The first move of a name that a side offers.
    pub(super) fn move_named(&self, at: usize, name: u64) -> Option<Move> {
        let side = &self.sides[at];
        let index = side.index_of(name)?;
        side.machine.moves().get(index).copied()
    }

    /// Lets both play the first move of a name; no where one does not offer it.
    pub(super) fn play_named(&mut self, seat: u32, name: u64) -> bool {
        let at = self.sides.each_ref().map(|side| side.index_of(name));
        let [Some(one), Some(other)] = at else {
            return false;
        };
        self.sides[0].play(seat, one, name);
        self.sides[1].play(seat, other, name);
        true
    }

    /// Plays the game of a seed under both, in step as long as they choose alike; none where it was told to stop. Where it
    /// `looks`, what seats see is compared too.
    pub(super) fn play(
        &mut self,
        seed: u64,
        looks: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<Both> {
        self.listen(looks && self.hides);
        self.wordings = Some(MOST_WORDINGS);
        self.begin(seed);
        let mut both = Both {
            courses: [Course::begun(seed), Course::begun(seed)],
            uses: Default::default(),
            in_step: 0,
            differ: [0; Kind::ALL.len()],
            first: None,
            parted: false,
            sights: Sights::default(),
        };
        loop {
            let differs = self.difference();
            if let Some(kind) = differs {
                both.first.get_or_insert((both.in_step, kind));
                both.differ[kind as usize] += 1;
            }
            let chooser = self.chooser();
            if looks && both.first.is_none() && (both.in_step < MOST_LOOKS || chooser.is_none()) {
                let found = self.sighting();
                both.sights.add(both.in_step, seed, found.as_ref());
            }
            let Some(seat) = chooser else { break };
            if both.in_step == self.most_choices {
                break;
            }
            if !go_on() {
                return None;
            }
            both.in_step += 1;
            if !self.step(seat, differs.is_none()) {
                both.parted = true;
                break;
            }
        }
        let going = |it: &Side<'_>| matches!(it.stand, Stand::Choice(_));
        both.parted |= self.sides.iter().any(going) && both.in_step < self.most_choices;
        let most = self.most_choices;
        let [one, other] = &mut self.sides;
        both.courses = [one.finish(most, go_on)?, other.finish(most, go_on)?];
        both.uses = [one, other].map(|it| std::mem::take(&mut it.uses));
        Some(both)
    }

    /// The names of the moves that the first side has made in the game of a seed, up to the first difference.
    pub(super) fn line(&mut self, seed: u64, most: u64) -> Vec<u64> {
        self.begin(seed);
        let mut line = Vec::new();
        while (line.len() as u64) < most {
            let differs = self.difference().is_some();
            let Some(seat) = self.chooser().filter(|_| !differs) else {
                break;
            };
            let Some(preferred) = self.sides[0].preferred(seat) else {
                break;
            };
            if !self.step(seat, true) {
                break;
            }
            line.push(preferred.name);
        }
        line
    }
}

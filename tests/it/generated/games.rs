//! Generated games go the same way as written, lowered, and in a slow interpreter.

use adit::model::text::Form;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::sync::Arc;

use adit::diagnostic::codes;
use adit::engine::{
    Chance, Dice, Fault, FaultKind, Machine, PlayError, Program, Seen, Status, Tier, Told,
    ToldPart, TrackValue, Viewer, compile, compile_as,
};
use adit::model::{Base, Game, NONE, StreamId, ZoneId};

use super::interpreter::{Ended, Found, Heap, Interpreter, Stop, Table, Value, World};
use super::questions::{accepted, is_same_fault};
use super::writer::{Shape, generate};
use super::{Looks, run};
use crate::fixtures::rule_files;
use crate::mutation::Numbers;

/// Choices after which a game is left.
const PLIES: usize = 40;

/// Dice that remember what they gave.
#[derive(Clone)]
struct Kept {
    dice: Dice,
    given: VecDeque<(StreamId, i64)>,
}

impl Chance for Kept {
    fn ticket(&mut self, stream: StreamId, total: u64) -> u64 {
        self.dice.ticket(stream, total)
    }

    fn happened(&mut self, stream: StreamId, value: i64) {
        self.given.push_back((stream, value));
    }
}

/// Two machines that play what the interpreter is asked.
struct Both<'p> {
    game: &'p Game,
    lowered: Machine<'p>,
    plain: Machine<'p>,
    chance: [Kept; 2],
    words: Numbers,
    plies: usize,
    /// Where both stopped.
    fault: Option<Fault>,
    /// What they told and the interpreter has yet to tell; none where nobody listens.
    heard: Option<VecDeque<Told>>,
}

const ENOUGH: &str = "enough";

impl Both<'_> {
    fn went(&mut self, one: Result<Status, Fault>, other: Result<Status, Fault>) -> Found<()> {
        let is_tired =
            |it: &Result<Status, Fault>| matches!(it, Err(it) if it.kind == FaultKind::Fuel);
        if is_tired(&one) || is_tired(&other) {
            return Err(Stop::TooLong);
        }
        if one != other {
            return disagreed(format!("lowered {one:?}, as written {other:?}"));
        }
        if self.chance[0].given != self.chance[1].given {
            return disagreed("another chance".into());
        }
        self.fault = one.err();
        if let Some(heard) = &mut self.heard {
            if self.lowered.heard() != self.plain.heard() {
                return disagreed("lowered and as written tell otherwise".into());
            }
            if !heard.is_empty() {
                return disagreed(format!("the interpreter does not tell {heard:?}"));
            }
            heard.extend(self.lowered.heard().iter().cloned());
        }
        Ok(())
    }

    fn start(&mut self) -> Found<()> {
        let [a, b] = &mut self.chance;
        let (one, other) = (self.lowered.start(a), self.plain.start(b));
        self.went(one, other)
    }

    /// Compares what lies on the table.
    fn compare(&self, table: &Table) -> Found<()> {
        let view = self.lowered.view(Viewer::Referee);
        if view != self.plain.view(Viewer::Referee) {
            return disagreed("lowered and as written lie differently".into());
        }
        for ((track, seen), values) in self.game.tracks.iter().zip(&view.tracks).zip(&table.tracks)
        {
            for (at, (seen, value)) in seen.values.iter().zip(values).enumerate() {
                let seen = match (seen, track.ty.base) {
                    (Some(TrackValue::Scalar(NONE)), _) => Value::None,
                    (Some(TrackValue::Scalar(it)), _) => Value::Number(i128::from(*it)),
                    (Some(TrackValue::Set(words)), Base::Set(id)) => {
                        let lo = i128::from(self.game.domains[id.index()].lo);
                        let members = adit::engine::text::members(words);
                        Value::Set(members.map(|it| lo + it as i128).collect())
                    }
                    other => panic!("{other:?}"),
                };
                if seen != *value {
                    return disagreed(format!(
                        "{} {at} is {seen:?}, the interpreter: {value:?}",
                        track.name
                    ));
                }
            }
        }
        for (seen, heaps) in view.zones.iter().zip(&table.zones) {
            for (at, (seen_place, heap)) in seen.places.iter().zip(heaps).enumerate() {
                let kinds = seen_place.seen.iter().map(|it| match it {
                    Seen::Known(kind) => i128::from(*kind),
                    Seen::Unknown => panic!("the referee sees all"),
                });
                let kinds: Vec<i128> = kinds.collect();
                let fields = seen_place.fields.iter().map(|it| match *it {
                    NONE => Value::None,
                    it => Value::Number(i128::from(it)),
                });
                let (mut mine, mut known, with) = listed(heap);
                if seen_place.ordered == 0 {
                    // An order that no rule looks at is not kept.
                    mine.sort_unstable();
                    known = 0;
                }
                if kinds != mine
                    || seen_place.ordered != known
                    || fields.collect::<Vec<_>>() != with
                {
                    return disagreed(format!(
                        "{} {at} holds {seen_place:?}, the interpreter: {heap:?}",
                        seen.name
                    ));
                }
            }
        }
        Ok(())
    }

    /// Plays a move and takes it back: all is as it was.
    fn take_back(&mut self, moves: usize) -> Found<()> {
        let (chosen, mut chance) = (self.words.below(moves), self.chance[0].clone());
        let (before, offered) = (self.lowered.save(), self.lowered.moves().to_vec());
        let seen = self.lowered.view(Viewer::Referee);
        if played(&mut self.lowered, chosen, &mut chance).is_ok() {
            self.lowered.load(&before);
        }
        if self.lowered.moves() != offered || self.lowered.view(Viewer::Referee) != seen {
            return disagreed("a move that is taken back leaves something".into());
        }
        Ok(())
    }

    fn finished(&self, ended: &Ended) -> Found<()> {
        if self.lowered.status() != Status::Ended || self.fault.is_some() {
            return disagreed(format!("the interpreter ended, {:?}", self.fault));
        }
        let (one, other) = (self.lowered.outcome(), self.plain.outcome());
        let Some(outcome) = one.clone().filter(|_| one == other) else {
            return disagreed(format!("lowered {one:?}, as written {other:?}"));
        };
        let figures: Vec<Vec<i128>> = ended
            .1
            .iter()
            .zip(&outcome.keys)
            .map(|(mine, theirs)| {
                let mut mine = mine.clone();
                mine.resize(theirs.len(), 0);
                mine
            })
            .collect();
        let keys: Vec<Vec<i128>> = outcome
            .keys
            .iter()
            .map(|it| it.iter().map(|it| i128::from(*it)).collect())
            .collect();
        let place = |own: &Vec<i128>| 1 + figures.iter().filter(|it| *it > own).count();
        let places: Vec<usize> = figures.iter().map(place).collect();
        let seen: Vec<usize> = outcome.places.iter().map(|it| *it as usize).collect();
        if outcome.ending != ended.0 || keys != figures || seen != places {
            return disagreed(format!("{outcome:?}, the interpreter: {ended:?}"));
        }
        Ok(())
    }
}

fn played(machine: &mut Machine<'_>, chosen: usize, chance: &mut Kept) -> Result<Status, Fault> {
    match machine.play_nth(chosen, chance) {
        Ok(status) => Ok(status),
        Err(PlayError::Fault(fault)) => Err(fault),
        Err(other) => panic!("{other:?}"),
    }
}

/// What lies in a heap, those in no order first; how many have an order; the fields.
fn listed(heap: &Heap) -> (Vec<i128>, usize, Vec<Value>) {
    let copies = |kinds: &BTreeMap<i128, u64>| -> Vec<i128> {
        let all = kinds
            .iter()
            .map(|(kind, n)| vec![*kind; usize::try_from(*n).unwrap()]);
        all.flatten().collect()
    };
    match heap {
        Heap::One(None) => (Vec::new(), 0, Vec::new()),
        Heap::One(Some((kind, fields))) => (vec![*kind], 0, fields.clone()),
        Heap::Bag(kinds) => (copies(kinds), 0, Vec::new()),
        Heap::Pile { loose, known } => {
            let mut all = copies(loose);
            all.extend(known);
            (all, known.len(), Vec::new())
        }
    }
}

fn disagreed<T>(said: String) -> Found<T> {
    Err(Stop::Disagreed(said))
}

impl World for Both<'_> {
    fn choose(&mut self, table: &Table, seat: i128, texts: &[String]) -> Found<usize> {
        if let Some(fault) = &self.fault {
            return disagreed(format!("{fault:?}, the interpreter asks for {texts:?}"));
        }
        let status = self.lowered.status();
        if status != self.plain.status() || self.lowered.moves() != self.plain.moves() {
            return disagreed("lowered and as written offer different moves".into());
        }
        let Status::Choice { seat: asked } = status else {
            return disagreed(format!("it has ended, the interpreter asks for {texts:?}"));
        };
        let moves = self.lowered.moves().to_vec();
        let printed: Vec<String> = moves
            .iter()
            .map(|it| self.lowered.print(*it, Form::Signs))
            .collect();
        if i128::from(asked) != seat || printed != texts {
            return disagreed(format!(
                "{asked} has {printed:?}, the interpreter: {seat} {texts:?}"
            ));
        }
        self.compare(table)?;
        if self.chance.iter().any(|it| !it.given.is_empty()) {
            return disagreed("there was more chance".into());
        }
        self.plies += 1;
        if self.plies > PLIES {
            return disagreed(ENOUGH.into());
        }
        if self.words.below(3) == 0 {
            self.take_back(moves.len())?;
        }
        let chosen = self.words.below(moves.len());
        let [a, b] = &mut self.chance;
        let one = played(&mut self.lowered, chosen, a);
        let other = played(&mut self.plain, chosen, b);
        self.went(one, other)?;
        Ok(chosen)
    }

    fn keeps_order(&self, zone: ZoneId) -> bool {
        self.lowered.program().keeps_order(zone)
    }

    fn told(&mut self, to: &[i128], text: &str, values: Option<[i128; 2]>) -> Found<()> {
        let Some(heard) = &mut self.heard else {
            return Ok(());
        };
        let Some(told) = heard.pop_front() else {
            return disagreed(format!("only the interpreter tells {text:?} to {to:?}"));
        };
        let parts = told.parts.iter().map(|part| match part {
            ToldPart::Text(text) => text.as_str(),
            ToldPart::Value { printed, .. } => printed[0].as_str(),
        });
        let said: String = parts.collect();
        let heard_by: Vec<i128> = told.to.iter().map(|it| i128::from(*it)).collect();
        let changed = told
            .of
            .as_ref()
            .map(|it| it.values.map(|it| it.map(i128::from)));
        let is_same = values.is_none_or(|values| changed == Some(values.map(Some)));
        if said != text || heard_by != to || !is_same {
            return disagreed(format!(
                "told is {told:?}, the interpreter: {to:?} {text:?} {values:?}"
            ));
        }
        Ok(())
    }

    fn outcome(&mut self, stream: StreamId) -> Found<i128> {
        let given = self.chance.each_mut().map(|it| it.given.pop_front());
        match given {
            [Some((of, value)), Some(_)] if of == stream => Ok(i128::from(value)),
            _ => disagreed(format!(
                "chance gave {given:?}, the interpreter asks {stream:?}"
            )),
        }
    }
}

#[derive(Default, Debug)]
struct Tally {
    played: usize,
    plies: usize,
    ended: usize,
    left: usize,
    too_long: usize,
    faults: BTreeMap<String, usize>,
    refused: BTreeMap<&'static str, usize>,
    not_accepted: usize,
    wrong: Vec<String>,
}

fn play(game: &Game, program: &Program, seed: u64, tally: &mut Tally) -> Found<()> {
    let kept = || Kept {
        dice: Dice::new(seed),
        given: VecDeque::new(),
    };
    let mut both = Both {
        game,
        lowered: Machine::new(program),
        plain: Machine::plain(program).expect("plain code"),
        chance: [kept(), kept()],
        words: Numbers::new(seed),
        plies: 0,
        fault: None,
        heard: None,
    };
    // Where somebody listens a game is begun in another way.
    if seed.is_multiple_of(2) {
        both.lowered.listen(true);
        both.plain.listen(true);
        both.heard = Some(VecDeque::new());
    }
    match both.start() {
        Err(Stop::TooLong) => {
            tally.too_long += 1;
            return Ok(());
        }
        started => started?,
    }
    let mut interpreter = Interpreter::new(game, &mut both);
    let found = interpreter.play();
    let table = interpreter.table;
    tally.plies += both.plies;
    match found {
        Ok(ended) => {
            both.finished(&ended)?;
            both.compare(&table)?;
            tally.ended += 1;
        }
        Err(stop @ Stop::Fault(kind, _)) => {
            match &both.fault {
                Some(fault) if is_same_fault(fault, &stop) => {}
                other => return disagreed(format!("{other:?}, the interpreter: {stop:?}")),
            }
            *tally.faults.entry(format!("{kind:?}")).or_default() += 1;
        }
        Err(Stop::TooLong) => tally.too_long += 1,
        Err(Stop::Disagreed(said)) if said == ENOUGH => tally.left += 1,
        Err(stop) => return Err(stop),
    }
    Ok(())
}

impl Looks for Tally {
    fn look(&mut self, seed: u64) {
        self.look_at(generate(seed, &Shape::default()), seed);
    }

    fn look_at(&mut self, text: String, seed: u64) {
        let Some((text, game)) = accepted(&text, &mut self.refused) else {
            self.not_accepted += 1;
            return;
        };
        let program = match compile(Arc::clone(&game)) {
            Ok(program) => program,
            Err(problems) => {
                for problem in problems {
                    // Only for its size may what is sound be refused.
                    if problem.code != codes::TOO_LARGE_FOR_ENGINE {
                        self.wrong.push(format!("seed {seed}: {problem:?}"));
                    }
                }
                self.not_accepted += 1;
                return;
            }
        };
        self.played += 1;
        let kept = std::env::var("ADIT_KEEP").map(|it| format!("{it}/{seed}.rules"));
        // What panics is kept as well.
        if let Ok(kept) = &kept {
            std::fs::write(kept, &text).unwrap();
        }
        let baseline = compile_as(game, Tier::Baseline).expect("what is optimized fits");
        for (luck, program) in (0..).zip([&program, &program, &baseline]) {
            if let Err(stop) = play(&program.game, program, seed ^ luck << 40, self) {
                self.wrong.push(format!("seed {seed}, {luck}: {stop:?}"));
                return;
            }
        }
        if let Ok(kept) = &kept {
            std::fs::remove_file(kept).unwrap();
        }
    }

    fn done(&self) -> u64 {
        self.played as u64
    }

    fn wrong(&mut self) -> &mut Vec<String> {
        &mut self.wrong
    }
}

#[test]
fn games_go_as_in_the_slow_interpreter() {
    run::<Tally>("ADIT_RULEBOOKS", 10, 60, 300);
}

/// Rulebooks that showed a difference once, made short.
#[test]
fn what_differed_once_goes_as_in_the_slow_interpreter() {
    each_goes("tests/fixtures/differed");
}

/// Rulebooks for what neither random rulebooks nor shipped ones reach.
#[test]
fn what_is_seldom_met_goes_as_in_the_slow_interpreter() {
    each_goes("tests/fixtures/seldom");
}

fn each_goes(folder: &str) {
    let mut tally = Tally::default();
    for path in rule_files(folder) {
        let (text, before) = (fs::read_to_string(&path).unwrap(), tally.played);
        for seed in 0..8 {
            tally.look_at(text.clone(), seed);
        }
        assert_eq!(
            tally.played,
            before + 8,
            "{} is refused: {tally:?}",
            path.display()
        );
    }
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
    assert!(tally.refused.is_empty(), "{:?}", tally.refused);
}

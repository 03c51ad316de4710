//! What `--prove` says of two rule sets is what a plain enumeration of all lines comes to.

use adit::model::text::Form;
use std::collections::{HashMap, VecDeque};

use adit::engine::{Chance, Machine, PlayError, Program, State, Status, compile};
use adit::lab::{self, Found, Kind, Reach};
use adit::model::{Game, StreamId};
use adit::pipeline::{self, Request};
use adit::source::Sources;

const HEAP: &str = include_str!("../fixtures/tried/heap.rules");

/// Edits of the heap, of every sort; alive and dead.
const EDITS: [(&str, &str); 24] = [
    ("no_three", "forbid take(n) label three when n == 3"),
    (
        "four",
        "replace action take(n in 1..4) \"take {n}\" { require enough: n <= heap  do { lift(me, min { n, 3 }) } }",
    ),
    (
        "pass",
        "action pass() \"pass\" { }\nadd choice to main.take: pass",
    ),
    ("bo_first", "replace track first: seat = bo"),
    ("short", "insert after lift { if heap <= 2 { end over() } }"),
    ("double", "insert after lift { points[s] += n }"),
    ("fewest", "replace over { ranking seat by 0 - points[it] }"),
    ("broken", "insert after lift { if heap == 2 { heap -= 3 } }"),
    (
        "broken_late",
        "insert after lift { if heap == 1 and points[bo] == 2 { heap -= 3 } }",
    ),
    ("dead", "forbid take label dead when heap > 7"),
    (
        "dead_points",
        "forbid take(n) label dead when n == 3 and points[ann] > 7",
    ),
    ("idle", "insert after lift { if heap > 20 { heap = 0 } }"),
    ("title", "replace main.deal { base() }"),
    (
        "said_again",
        "replace lift { heap = heap - n  points[s] = points[s] + n }",
    ),
    (
        "larger",
        "replace main.deal { choose chance n in 4..9  heap = n }",
    ),
    ("fixed", "replace main.deal { heap = 6 }"),
    (
        "at_four",
        "forbid take(n) label four when heap == 4 and n == 2 and points[ann] > 0 and points[bo] > 0",
    ),
    (
        "last",
        "insert after lift { if heap == 0 { points[s] += 1 } }",
    ),
    (
        "last_alone",
        "insert after lift { if heap == 0 and n == 1 and points[ann] == points[bo] { points[s] += 1 } }",
    ),
    (
        "later_ending",
        "ending other() { ranking seat by points[it] }\ninsert after lift { if heap == 0 and points[bo] > 4 { end other() } }",
    ),
    (
        "lost",
        "insert after lift { if points[ann] == 5 { points[ann] = 4 } }",
    ),
    (
        "drawn",
        "insert after lift { if heap == 3 { choose chance k in 0..1  heap -= k } }",
    ),
    (
        "hidden",
        "track odd: bool = false\ninsert after lift { odd = not odd }",
    ),
    (
        "hidden_till_end",
        "track odd: bool = false\ninsert after lift { odd = not odd  if heap == 0 and odd and points[ann] == 4 { points[ann] = 3 } }",
    ),
];

fn program(edits: &str) -> Program {
    let mut sources = Sources::new();
    let base = sources.add("heap.rules", HEAP);
    let amendments = match edits {
        "" => Vec::new(),
        edits => {
            let text = format!("variant v \"V\" for heap {{ }}\n{edits}\n");
            vec![sources.add("v.rules", text)]
        }
    };
    let request = Request {
        base,
        amendments,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    let game = compiled
        .game
        .unwrap_or_else(|| panic!("{edits}: {:?}", compiled.diagnostics));
    compile(game).expect("it compiles")
}

fn stream(game: &Game, id: StreamId) -> &str {
    &game.streams[id.index()].name
}

/// Answers with a given list of tickets, then with zeros, and takes down what it was asked.
struct Tape<'g> {
    game: &'g Game,
    given: VecDeque<u64>,
    asked: Vec<(&'g str, u64, u64)>,
}

impl Chance for Tape<'_> {
    fn ticket(&mut self, id: StreamId, total: u64) -> u64 {
        let ticket = self.given.pop_front().unwrap_or(0);
        self.asked.push((stream(self.game, id), total, ticket));
        ticket
    }
}

/// Answers what the other side was answered, and knows whether it is asked for the same.
struct Other<'g> {
    game: &'g Game,
    left: HashMap<&'g str, VecDeque<(u64, u64)>>,
    apart: bool,
}

impl Chance for Other<'_> {
    fn ticket(&mut self, id: StreamId, total: u64) -> u64 {
        let queue = self.left.get_mut(stream(self.game, id));
        match queue.and_then(VecDeque::pop_front) {
            Some((of, ticket)) if of == total => ticket,
            _ => {
                self.apart = true;
                0
            }
        }
    }
}

/// All that is compared where somebody is to choose, or the game is over.
#[derive(PartialEq, Debug)]
enum Seen {
    Choice(u32, Vec<String>),
    Ended(Vec<u32>, Vec<Vec<i64>>, String),
    Fault(String),
}

fn seen(machine: &mut Machine<'_>, status: Result<Status, PlayError>) -> Seen {
    match status {
        Ok(Status::Choice { seat }) => {
            let moves = machine.moves().to_vec();
            let mut names: Vec<String> = moves
                .iter()
                .map(|it| machine.name(*it, Form::Plain))
                .collect();
            names.sort();
            Seen::Choice(seat, names)
        }
        Ok(Status::Ended) => {
            let outcome = machine.outcome().unwrap();
            let ending = &machine.program().game.procs[outcome.ending.index()].name;
            Seen::Ended(outcome.places, outcome.keys, ending.clone())
        }
        Err(PlayError::Fault(fault)) => Seen::Fault(fault.diagnostic().code.id().to_owned()),
        Err(other) => panic!("{other:?}"),
    }
}

type Step<'s> = &'s dyn Fn(&mut Machine<'_>, usize, &mut dyn Chance) -> Result<Status, PlayError>;

/// A generic function takes no trait object.
struct Dyn<'c>(&'c mut dyn Chance);

impl Chance for Dyn<'_> {
    fn ticket(&mut self, id: StreamId, total: u64) -> u64 {
        self.0.ticket(id, total)
    }
}

/// What is done on both sides, in every way of chance: whether something differs, and the positions in which both go on.
fn all_ways(programs: [&Program; 2], step: Step<'_>, next: &mut Vec<[State; 2]>) -> bool {
    let mut tapes: Vec<Vec<u64>> = vec![Vec::new()];
    while let Some(given) = tapes.pop() {
        let n_given = given.len();
        let mut machines = programs.map(Machine::new);
        let mut tape = Tape {
            game: &programs[0].game,
            given: given.clone().into(),
            asked: Vec::new(),
        };
        let first = step(&mut machines[0], 0, &mut tape);
        // Each ticket that was not given has other answers as well.
        for at in n_given..tape.asked.len() {
            for ticket in 1..tape.asked[at].1 {
                let before = tape.asked[..at].iter().map(|it| it.2);
                tapes.push(before.chain([ticket]).collect());
            }
        }
        let mut other = Other {
            game: &programs[1].game,
            left: HashMap::new(),
            apart: false,
        };
        for (name, total, ticket) in &tape.asked {
            other
                .left
                .entry(name)
                .or_default()
                .push_back((*total, *ticket));
        }
        let second = step(&mut machines[1], 1, &mut other);
        if other.apart || other.left.values().any(|it| !it.is_empty()) {
            return true;
        }
        let [one, two] = &mut machines;
        let (a, b) = (seen(one, first), seen(two, second));
        if a != b {
            return true;
        }
        if matches!(a, Seen::Choice(..)) {
            next.push([one.save(), two.save()]);
        }
    }
    false
}

/// The least number of choices to a difference within so many; nothing if there is none, and whether all lines have ended.
fn enumerated(programs: [&Program; 2], most: u32) -> (Option<u32>, bool) {
    let mut level = Vec::new();
    let start: Step<'_> =
        &|machine, _, chance| machine.start(&mut Dyn(chance)).map_err(PlayError::Fault);
    if all_ways(programs, start, &mut level) {
        return (Some(0), false);
    }
    for depth in 1..=most {
        let mut next = Vec::new();
        let mut differs = false;
        for states in &level {
            let mut machine = Machine::new(programs[0]);
            machine.load(&states[0]);
            let moves = machine.moves().to_vec();
            for mv in moves {
                let name = machine.name(mv, Form::Plain);
                let step: Step<'_> = &|machine, side, chance| {
                    machine.load(&states[side]);
                    let moves = machine.moves().to_vec();
                    let mut moves = moves.into_iter();
                    let mv = moves
                        .find(|it| machine.name(*it, Form::Plain) == name)
                        .unwrap();
                    machine.play(mv, &mut Dyn(chance))
                };
                differs |= all_ways(programs, step, &mut next);
            }
        }
        if differs {
            return (Some(depth), false);
        }
        level = next;
        if level.is_empty() {
            return (None, true);
        }
    }
    (None, level.is_empty())
}

#[test]
fn what_is_proven_is_what_all_lines_come_to() {
    let base = program("");
    let (mut same, mut differ) = (0, 0);
    for (name, edits) in EDITS {
        let other = program(edits);
        let programs = [&base, &other];
        for choices in [1, 2, 3, 12] {
            let reach = Reach {
                choices,
                pairs: 100_000,
            };
            let proof = lab::prove(programs, None, reach, &mut |_, _| true);
            let (least, ended) = enumerated(programs, choices);
            match (&proof.found, least, ended) {
                (Found::Same, None, true) => same += 1,
                (Found::Proven(depth), None, false) => assert_eq!(*depth, choices, "{name}"),
                (Found::Differs(parting), Some(least), _) => {
                    assert_eq!(parting.line.len(), least as usize, "{name}: {parting:?}");
                    let is_chance = parting.kind == Kind::Chance;
                    let draws = ["larger", "fixed", "drawn"].contains(&name);
                    assert_eq!(is_chance, draws, "{name}: {parting:?}");
                    differ += 1;
                }
                found => panic!("{name}, {choices} choices: {found:?}"),
            }
        }
    }
    // Neither answer is the only one.
    assert!(
        same >= 6 && differ >= 40,
        "{same} the same, {differ} differ"
    );
}

/// Weights in one ratio are one chance, and what is certain is none; where only the likelihood differs, that is said.
#[test]
fn chance_is_compared_by_what_it_comes_to() {
    let game = |throw: &str, weights: &str| {
        let rules = format!(
            "game dice \"Dice\" {{ seats ann, bo }}
track points[seat]: 0..9 = 0
table w[1..3]: 0..40 {{ {weights} }}
flow main() {{ {throw}  points[ann] = n  choose ann: stop  end over() }}
action stop() \"stop\" {{ do {{ points[bo] = 1 }} }}
ending over() {{ ranking seat by points[it] }}
"
        );
        let mut sources = Sources::new();
        let request = Request {
            base: sources.add("dice.rules", rules),
            ..Request::default()
        };
        let compiled = pipeline::compile(&sources, &request);
        let game = compiled.game;
        compile(game.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics))).expect("it compiles")
    };
    let throw = "choose chance n in 1..3 weighted w[n]";
    let base = game(throw, "1: 1 2: 2 3: 1");
    for (throw, weights, found) in [
        (throw, "1: 7 2: 14 3: 7", None),
        (
            "choose chance n in 1..3 weighted 3 * w[n]",
            "1: 1 2: 2 3: 1",
            None,
        ),
        (
            "choose chance k in 2..2  choose chance n in 1..3 weighted w[n]",
            "1: 1 2: 2 3: 1",
            None,
        ),
        (throw, "1: 1 2: 1 3: 1", Some(Kind::Likelihood)),
        (throw, "1: 2 2: 1 3: 1", Some(Kind::Likelihood)),
        (throw, "1: 1 2: 9 3: 1", Some(Kind::Likelihood)),
        (throw, "1: 1 2: 2 3: 0", Some(Kind::Chance)),
        (
            "choose chance n in 1..2",
            "1: 1 2: 2 3: 1",
            Some(Kind::Chance),
        ),
        (
            "choose chance k in 1..2  choose chance n in 1..3 weighted w[n]",
            "1: 1 2: 2 3: 1",
            Some(Kind::Chance),
        ),
    ] {
        let other = game(throw, weights);
        let reach = Reach {
            choices: 3,
            pairs: 1_000,
        };
        let proof = lab::prove([&base, &other], None, reach, &mut |_, _| true);
        match (&proof.found, found) {
            (Found::Same, None) => {}
            (Found::Differs(it), Some(kind)) => assert_eq!(it.kind, kind, "{throw}, {weights}"),
            other => panic!("{throw}, {weights}: {other:?}"),
        }
    }
}

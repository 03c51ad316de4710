//! Studies of many small games against a plain enumeration of all their positions.
//!
//! The enumeration keeps whole states, asks each condition clause by clause for every choice of values,
//! and follows `never` backwards through the whole graph. It shares nothing with `study` but the machine.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

use adit::engine::{Chance, Machine, Move, Program, Query, State, Status, compile};
use adit::model::{Base, DefineId, Expr, ExprKind, StreamId, Study, Type};
use adit::pipeline::{self, Request};
use adit::report;
use adit::source::{Sources, Span};
use adit::study::{Bounds, Extent, Line, search};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::baseline::chance::pick;

/// Games that are made up.
const GAMES: u64 = 70;
/// Studies of each.
const STUDIES: usize = 5;
/// A game with more positions is left out.
const MOST: usize = 800;

/// Values that a name can take, as they are written, with its type as a parameter.
struct Kind {
    over: &'static [&'static str],
    param: &'static str,
    lo: i64,
    n: i64,
    /// Truths about a value `@`.
    atoms: &'static [&'static str],
    /// Truths about two values `@` and `%`.
    pairs: &'static [&'static str],
}

const KINDS: [Kind; 4] = [
    Kind {
        over: &[
            "Heap",
            "{ it in Heap where size[it] > 0 }",
            "{ left, right }",
        ],
        param: "Heap",
        lo: 0,
        n: 3,
        atoms: &["size[@] == 0", "size[@] == 2", "@ == right", "@ != left"],
        pairs: &["@ != %", "size[@] < size[%]", "size[@] == size[%]"],
    },
    Kind {
        over: &["seat", "{ it in seat where mark[it] == 0 }"],
        param: "seat",
        lo: 0,
        n: 2,
        atoms: &[
            "mark[@] > 0",
            "mark[@] == 0",
            "@ == bert",
            "count kept[@] > 0",
        ],
        pairs: &[
            "@ != %",
            "mark[@] > mark[%]",
            "count kept[@] > count kept[%]",
        ],
    },
    Kind {
        over: &["0..2", "0..size[left]", "size[right]..2", "0..@"],
        param: "0..3",
        lo: 0,
        n: 4,
        atoms: &[
            "size[left] == @",
            "@ == mark[anna]",
            "@ > 1",
            "count bag == @",
        ],
        pairs: &["@ < %", "@ + % == 3", "@ == %"],
    },
    Kind {
        over: &["bag", "kept[anna]", "kept[bert]"],
        param: "Ball",
        lo: 0,
        n: 2,
        atoms: &[
            "@ in kept[anna]",
            "@ in kept[bert]",
            "@.colour == blue",
            "not (@ in bag)",
        ],
        pairs: &["@ != %", "@.colour == %.colour"],
    },
];

const PLAIN: [&str; 6] = [
    "size[left] == 0",
    "size[right] > size[left]",
    "mark[anna] == 1",
    "empty bag",
    "count kept[anna] == 1",
    "every { size[h] == 0 for h in Heap }",
];

fn below(random: &mut ChaCha8Rng, n: usize) -> usize {
    pick(random, n)
}

fn one_of<'t>(random: &mut ChaCha8Rng, of: &[&'t str]) -> &'t str {
    of[below(random, of.len())]
}

/// A study as it is written, and what the oracle asks.
struct Asked {
    /// For each name, its least value and how many there are.
    names: Vec<(i64, i64)>,
    plies: u32,
    forbids: bool,
}

/// A truth about the names.
fn truth(random: &mut ChaCha8Rng, names: &[&'static Kind]) -> String {
    let n_terms = 1 + below(random, 2);
    let mut terms = Vec::new();
    for _ in 0..n_terms {
        let at = below(random, names.len() + 1);
        let Some(kind) = names.get(at) else {
            terms.push(one_of(random, &PLAIN).to_owned());
            continue;
        };
        let other = (0..names.len()).rfind(|it| *it != at && names[*it].param == kind.param);
        let it = match other {
            Some(other) if below(random, 2) == 0 => {
                one_of(random, kind.pairs).replace('%', &format!("n{other}"))
            }
            _ => one_of(random, kind.atoms).to_owned(),
        };
        let it = it.replace('@', &format!("n{at}"));
        terms.push(if below(random, 5) == 0 {
            format!("not ({it})")
        } else {
            it
        });
    }
    let joint = [" and ", " or "][below(random, 2)];
    format!("({})", terms.join(joint))
}

/// Writes a study, and for the oracle what it asks as definitions.
fn study(random: &mut ChaCha8Rng, number: usize, text: &mut String) -> Asked {
    let n_names = below(random, 4);
    let mut names: Vec<&'static Kind> = Vec::new();
    let mut binders = Vec::new();
    let mut fits = Vec::new();
    for at in 0..n_names {
        let kind = &KINDS[below(random, KINDS.len())];
        let mut over = one_of(random, kind.over).to_owned();
        if over.contains('@') {
            let number = names.iter().position(|it| it.param == "0..3");
            over = number.map_or(String::from("0..1"), |it| {
                over.replace('@', &format!("n{it}"))
            });
        }
        // Whether a value is among them is asked in other words.
        let (first, last) = over.split_once("..").unwrap_or(("", ""));
        fits.push(match over.as_str() {
            "Heap" | "seat" => String::from("true"),
            "bag" | "kept[anna]" | "kept[bert]" => format!("count_of(n{at}, {over}) > 0"),
            _ if kind.param == "0..3" => format!("n{at} >= {first} and n{at} <= {last}"),
            set => format!("(n{at} in {set})"),
        });
        names.push(kind);
        if below(random, 3) == 0 || at + 1 == n_names {
            let guard = truth(random, &names);
            binders.push(format!("n{at} in {over} where {guard}"));
            fits.push(guard);
        } else {
            binders.push(format!("n{at} in {over}"));
        }
    }
    let find = if names.is_empty() {
        truth(random, &[])
    } else {
        binders.join(", ")
    };
    let find_is = if names.is_empty() {
        find.clone()
    } else {
        fits.join(" and ")
    };
    let never = (below(random, 2) == 0).then(|| truth(random, &names));
    let params: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(at, it)| format!("n{at}: {}", it.param))
        .collect();
    let params = params.join(", ");
    let plies = u32::try_from(1 + below(random, 9)).unwrap();
    let given = match below(random, 3) {
        0 => "given { from seed 3 at main.luck  size[left] = 1 }",
        1 => "given { from seed 2 at main.luck  move Ball(red) from bag to kept[bert] }",
        _ => "",
    };
    let never_line = never
        .as_ref()
        .map_or(String::new(), |it| format!("never {it}"));
    writeln!(
        text,
        "define find_{number}({params}): bool = {find_is}\n\
         define never_{number}({params}): bool = {}\n\
         study s{number} \"?\" {{ {given} find {find} {never_line} within {plies} plies }}",
        never.as_deref().unwrap_or("false"),
    )
    .unwrap();
    Asked {
        names: names.iter().map(|it| (it.lo, it.n)).collect(),
        plies,
        forbids: never.is_some(),
    }
}

/// A small game with heaps, marks, and balls that chance draws.
fn game(random: &mut ChaCha8Rng) -> String {
    let most = 1 + below(random, 2);
    let start = below(random, most + 1).max(1);
    let luck = [
        "",
        "if filled bag and empty drawn { draw 1 of bag to drawn }",
        "choose chance lost in Heap  if size[lost] > 0 { size[lost] -= 1 }",
        "choose chance lost in 0..1 weighted lost + 1  mark[anna] = lost",
    ];
    let luck = one_of(random, &luck);
    let more = one_of(
        random,
        &[
            "action more() \"more\" { require m: mark[me] < 1 else \"no\" do { mark[me] += 1 } }",
            "action more() \"more\" { require m: filled bag else \"no\" do { draw 1 of bag to kept[me] } }",
            "action more() \"more\" { require m: size[middle] < 2 else \"no\" do { size[middle] += 1 } }",
        ],
    );
    let keep = if luck.contains("drawn") {
        "keep | lose |"
    } else {
        ""
    };
    let behind = one_of(
        random,
        &[
            "",
            "if mark[anna] == mark[bert] { end early() }",
            "if count kept[anna] == 2 { end early() }",
        ],
    );
    format!(
        r#"game tiny "Tiny" {{ seats anna, bert }}
enum Heap {{ left, right, middle }}
enum Colour {{ red, blue }}
component Ball {{ colour: Colour }}
show Ball as "{{colour}}"
zone bag: bag of Ball open
zone drawn: bag of Ball open
zone kept[seat]: bag of Ball open
supply {copies} every Ball in bag
track size[Heap]: 0..2 = {start}
track mark[seat]: 0..1 = 0
action take(h: Heap) "take {{h}}" {{ require t: size[h] > 0 else "no" do {{ size[h] -= 1 }} }}
action shift(h: Heap) "shift {{h}}" {{ require t: size[h] > 0 and size[left] < {most} else "no" do {{ size[h] -= 1  size[left] += 1 }} }}
action keep() "keep" {{ require t: filled drawn else "no" do {{ move all of drawn to kept[me] }} }}
action lose() "lose" {{ require t: filled drawn else "no" do {{ move all of drawn to kept[next_seat(me)] }} }}
{more}
flow main() {{
    turns me from anna {{
        step luck {{ {luck} }}
        choose me: take | {keep} {shift} more otherwise {{ end over() }}
        {behind}
    }}
}}
ending over() {{ winner none }}
ending early() {{ winner none }}
"#,
        copies = 1 + below(random, 2),
        shift = one_of(random, &["shift |", "", ""]),
    )
}

/// Chance that goes through all its ways like the wheels of a counter.
#[derive(Default)]
struct Wheels {
    wheels: Vec<(u64, u64)>,
    at: usize,
    forced: VecDeque<i64>,
}

impl Wheels {
    fn forced(values: &[(StreamId, i64)]) -> Self {
        Self {
            forced: values.iter().map(|it| it.1).collect(),
            ..Self::default()
        }
    }

    /// Runs once for every way.
    fn each(mut run: impl FnMut(&mut Wheels)) {
        let mut wheels = Wheels::default();
        loop {
            wheels.at = 0;
            run(&mut wheels);
            while wheels.wheels.last().is_some_and(|(it, n)| it + 1 == *n) {
                wheels.wheels.pop();
            }
            match wheels.wheels.last_mut() {
                Some((it, _)) => *it += 1,
                None => return,
            }
        }
    }
}

impl Chance for Wheels {
    fn ticket(&mut self, _: StreamId, total: u64) -> u64 {
        if self.at == self.wheels.len() {
            self.wheels.push((0, total));
        }
        self.at += 1;
        self.wheels[self.at - 1].0
    }

    fn forced(&mut self, _: StreamId) -> Option<i64> {
        self.forced.pop_front()
    }
}

/// All positions of a game from where a study starts.
#[derive(Default)]
struct Graph {
    numbers: HashMap<State, usize>,
    states: Vec<State>,
    plies: Vec<u32>,
    open: Vec<bool>,
    before: Vec<Vec<usize>>,
}

impl Graph {
    fn note(&mut self, machine: &Machine<'_>, plies: u32) -> usize {
        let state = machine.save();
        let next = self.states.len();
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.states.push(state);
            self.plies.push(plies);
            self.open
                .push(matches!(machine.status(), Status::Choice { .. }));
            self.before.push(Vec::new());
        }
        number
    }

    /// None where there are too many positions.
    fn of(program: &Program, study: &Study) -> Option<Graph> {
        let mut graph = Graph::default();
        let mut machine = Machine::new(program);
        Wheels::each(|chance| {
            machine.set_up_from(study.start, chance).unwrap();
            graph.note(&machine, 0);
        });
        let mut at = 0;
        while at < graph.states.len() {
            let (state, plies) = (graph.states[at].clone(), graph.plies[at]);
            machine.load(&state);
            let moves: Vec<Move> = machine.moves().to_vec();
            for played in moves {
                Wheels::each(|chance| {
                    machine.load(&state);
                    machine.play(played, chance).unwrap();
                    let next = graph.note(&machine, plies + 1);
                    graph.before[next].push(at);
                });
            }
            at += 1;
            if graph.states.len() > MOST {
                return None;
            }
        }
        Some(graph)
    }

    /// The positions from which one of these can be reached, themselves among them.
    fn leading_to(&self, mut open: Vec<usize>) -> Vec<bool> {
        let mut leads = vec![false; self.states.len()];
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut leads[at], true) {
                open.extend(&self.before[at]);
            }
        }
        leads
    }
}

fn combinations(names: &[(i64, i64)]) -> Vec<Vec<i64>> {
    names.iter().fold(vec![Vec::new()], |all, (lo, n)| {
        let longer =
            |values: Vec<i64>| (*lo..lo + n).map(move |it| [values.clone(), vec![it]].concat());
        all.into_iter().flat_map(longer).collect()
    })
}

/// A definition of the rulebook for these values, asked clause by clause.
fn query(program: &Program, name: &str, values: &[i64]) -> Query {
    let game = &program.game;
    let at = game.defines.iter().position(|it| it.name == name).unwrap();
    let expr = |kind, ty| Expr {
        kind,
        ty,
        span: Span::default(),
    };
    let args = game.defines[at].params.iter().zip(values);
    let args =
        args.map(|(param, value)| expr(ExprKind::Value(*value), game.locals[param.index()].ty));
    let define = DefineId(u32::try_from(at).unwrap());
    let call = expr(ExprKind::Call(define, args.collect()), Type::of(Base::Bool));
    Query::plain(program, [&call]).unwrap()
}

/// For each choice of values, the positions that are found for it.
fn found(
    program: &Program,
    graph: &Graph,
    number: usize,
    asked: &Asked,
) -> Vec<(Vec<i64>, Vec<bool>)> {
    let mut machine = Machine::new(program);
    let mut holds = |name: &str, values: &[i64]| -> Vec<bool> {
        let query = query(program, name, values);
        let states = graph.states.iter();
        states
            .map(|state| {
                machine.load(state);
                machine.ask(&query).unwrap()[0].scalar() != 0
            })
            .collect()
    };
    let all = combinations(&asked.names).into_iter();
    all.map(|values| {
        let mut here = holds(&format!("find_{number}"), &values);
        if asked.forbids {
            let never = holds(&format!("never_{number}"), &values);
            let bad = (0..never.len()).filter(|at| never[*at]).collect();
            for (here, leads) in here.iter_mut().zip(graph.leading_to(bad)) {
                *here &= !leads;
            }
        }
        (values, here)
    })
    .collect()
}

/// Plays a line and returns where it leads.
fn follow(program: &Program, study: &Study, line: &Line) -> State {
    let mut machine = Machine::new(program);
    let mut opening = Wheels::forced(&line.opening);
    machine.set_up_from(study.start, &mut opening).unwrap();
    assert!(opening.forced.is_empty());
    for ply in &line.plies {
        let mut chance = Wheels::forced(&ply.chance);
        machine.play(ply.played, &mut chance).unwrap();
        assert!(chance.forced.is_empty());
    }
    machine.save()
}

#[derive(Default, Debug)]
struct Tally {
    games: usize,
    found: usize,
    several_names_found: usize,
    exhausted: usize,
    cut: usize,
}

fn compare(seed: u64, tally: &mut Tally) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut text = game(&mut random);
    let asked: Vec<Asked> = (0..STUDIES)
        .map(|number| study(&mut random, number, &mut text))
        .collect();
    let mut sources = Sources::new();
    let request = Request {
        base: sources.add("tiny", text.as_str()),
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    let told = || format!("{text}\n{}", report::plain(&sources, &compiled.diagnostics));
    let model = compiled
        .game
        .clone()
        .unwrap_or_else(|| panic!("seed {seed}: {}", told()));
    let program = compile(Arc::clone(&model)).unwrap();
    assert_eq!(model.studies.len(), STUDIES);
    for (number, (study, asked)) in model.studies.iter().zip(&asked).enumerate() {
        let Some(graph) = Graph::of(&program, study) else {
            continue;
        };
        tally.games += usize::from(number == 0);
        let all = found(&program, &graph, number, asked);
        let nearest = all
            .iter()
            .flat_map(|(_, here)| here.iter().zip(&graph.plies))
            .filter_map(|(here, plies)| here.then_some(*plies))
            .min()
            .filter(|plies| *plies <= asked.plies);
        let bounds = Bounds {
            plies: asked.plies,
            positions: 1_000_000,
        };
        let answer = search(&program, study, bounds, &mut |_| true).unwrap();
        let at = format!("seed {seed}, study s{number}\n{text}");
        match (&answer.found, nearest) {
            (Some(line), Some(nearest)) => {
                assert_eq!(line.plies.len(), nearest as usize, "length, {at}");
                let there = graph.numbers[&follow(&program, study, line)];
                let (_, here) = all.iter().find(|(it, _)| *it == line.values).unwrap();
                assert!(here[there], "not for {:?}, {at}", line.values);
                tally.found += 1;
                tally.several_names_found += usize::from(line.values.len() > 1);
            }
            (None, None) => {
                let cut = (0..graph.states.len())
                    .any(|it| graph.open[it] && graph.plies[it] >= asked.plies);
                let extent = if cut {
                    Extent::Plies
                } else {
                    Extent::Everything
                };
                assert_eq!(answer.extent, extent, "{at}");
                tally.exhausted += usize::from(!cut);
                tally.cut += usize::from(cut);
            }
            (line, nearest) => panic!("study {line:?}, plain {nearest:?}, {at}"),
        }
    }
}

#[test]
fn studies_agree_with_all_positions_of_many_small_games() {
    let mut tally = Tally::default();
    for seed in 0..GAMES {
        compare(seed, &mut tally);
    }
    assert!(tally.games >= 50, "{tally:?}");
    assert!(tally.several_names_found >= 40, "{tally:?}");
    assert!(tally.exhausted >= 30, "{tally:?}");
    assert!(tally.cut >= 15, "{tally:?}");
}

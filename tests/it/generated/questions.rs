//! Definitions of generated rulebooks have the value that a slow interpreter finds.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use adit::engine::{Fault, FaultKind, Machine, Query, Value as Engine, compile};
use adit::model::{Base, DefineId, Expr, ExprKind, Game, NONE, StreamId, ZoneId};
use adit::pipeline::{self, Request};
use adit::source::Sources;

use super::interpreter::{Found, Interpreter, Stop, Table, Value, World};
use super::writer::{Question, Shape, questions};
use super::{Looks, run};

/// Definitions in one rulebook.
const IN_ONE: usize = 60;

/// Nobody decides anything.
struct Nobody;

impl World for Nobody {
    fn choose(&mut self, _: &Table, _: i128, _: &[String]) -> Found<usize> {
        Err(Stop::Disagreed("nobody chooses".into()))
    }

    fn outcome(&mut self, _: StreamId) -> Found<i128> {
        Err(Stop::Disagreed("there is no chance".into()))
    }

    fn keeps_order(&self, _: ZoneId) -> bool {
        false
    }

    fn told(&mut self, _: &[i128], _: &str, _: Option<[i128; 2]>) -> Found<()> {
        Err(Stop::Disagreed("nobody listens".into()))
    }
}

/// What came of many.
#[derive(Default, Debug)]
struct Tally {
    asked: usize,
    folded: usize,
    faults: BTreeMap<String, usize>,
    too_long: usize,
    refused: BTreeMap<&'static str, usize>,
    /// What the checker does not take for a constant, or refuses though it is never reached.
    not_folded: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

/// Compiles a text, leaving out the lines of definitions and tables that the checker refuses.
pub fn accepted(
    text: &str,
    tally: &mut BTreeMap<&'static str, usize>,
) -> Option<(String, Arc<Game>)> {
    let mut text = text.to_owned();
    for _ in 0..12 {
        let mut sources = Sources::new();
        let base = sources.add("made.rules", text.clone());
        let compiled = pipeline::compile(
            &sources,
            &Request {
                base,
                ..Request::default()
            },
        );
        if let Some(game) = compiled.game {
            return Some((text, game));
        }
        let mut bad: Vec<usize> = Vec::new();
        for problem in compiled.diagnostics.iter().filter(|it| it.is_error()) {
            let start = problem.span()?.start as usize;
            bad.push(text[..start].matches('\n').count());
            *tally.entry(problem.code.id()).or_default() += 1;
        }
        bad.sort_unstable();
        let lines = text.lines().zip(0..).filter(|(line, at)| {
            let removable = !line.starts_with("flow main")
                && ["define ", "table f", "event ", "action ", "flow "]
                    .iter()
                    .any(|it| line.starts_with(it));
            !(removable && bad.binary_search(at).is_ok())
        });
        let shorter: String = lines.map(|(line, _)| format!("{line}\n")).collect();
        if shorter.len() == text.len() {
            return None;
        }
        text = shorter;
    }
    None
}

/// The engine's value in the interpreter's words.
pub fn same(game: &Game, expr: &Expr, value: &Engine) -> Value {
    match (value, expr.ty.base) {
        (Engine::Set(words), Base::Set(id)) => {
            let lo = i128::from(game.domains[id.index()].lo);
            let members = adit::engine::text::members(words);
            Value::Set(members.map(|it| lo + it as i128).collect())
        }
        (Engine::Scalar(NONE), _) => Value::None,
        (it, _) => Value::Number(i128::from(it.scalar())),
    }
}

/// Whether a fault is one that the interpreter found: of the kind, at a place that it was following.
pub fn is_same_fault(fault: &Fault, stop: &Stop) -> bool {
    matches!(stop, Stop::Fault(kind, trail) if *kind == fault.kind && trail.contains(&fault.span))
}

fn call(id: usize, game: &Game) -> Expr {
    let define = &game.defines[id];
    Expr {
        kind: ExprKind::Call(DefineId(u32::try_from(id).unwrap()), Vec::new()),
        ty: define.ty,
        span: define.body.span,
    }
}

fn look(seed: u64, text: &str, asked: &[Question], tally: &mut Tally) {
    let Some((text, game)) = accepted(text, &mut tally.refused) else {
        tally.wrong.push(format!("seed {seed} is not accepted"));
        return;
    };
    let program = match compile(Arc::clone(&game)) {
        Ok(program) => program,
        Err(problems) => {
            tally.wrong.push(format!("seed {seed}: {problems:?}"));
            return;
        }
    };
    let before = tally.wrong.len();
    let mut machine = Machine::new(&program);
    if let Err(fault) = machine.start(&mut adit::engine::Dice::new(1)) {
        tally
            .wrong
            .push(format!("seed {seed} does not start: {fault:?}"));
        return;
    }
    let mut nobody = Nobody;
    let mut interpreter = Interpreter::new(&program.game, &mut nobody);
    interpreter.lay_out().expect("a table");
    let mut twins = Vec::new();
    for question in asked {
        let Some(id) = game.defines.iter().position(|it| it.name == question.name) else {
            continue;
        };
        let expr = call(id, &game);
        let found = interpreter.ask(&expr);
        tally.asked += 1;
        match &found {
            Err(Stop::TooLong) => {
                tally.too_long += 1;
                continue;
            }
            Err(Stop::Fault(kind, _)) => {
                *tally.faults.entry(format!("{kind:?}")).or_default() += 1;
            }
            Err(Stop::Disagreed(_)) | Ok(_) => {}
        }
        let answers = [
            Query::new(&program, [&expr]),
            Query::plain(&program, [&expr]),
        ];
        for (query, how) in answers.into_iter().zip(["lowered", "as written"]) {
            let answer = query.and_then(|query| machine.ask(&query));
            if matches!(&answer, Err(fault) if matches!(fault.kind, FaultKind::Fuel | FaultKind::Room))
            {
                tally.too_long += 1;
                continue;
            }
            let agrees = match (&answer, &found) {
                (Ok(values), Ok(found)) => same(&game, &expr, &values[0]) == *found,
                (Err(fault), Err(stop)) => is_same_fault(fault, stop),
                _ => false,
            };
            if !agrees {
                let line = text
                    .lines()
                    .find(|it| it.starts_with(&format!("define {}:", question.name)));
                tally.wrong.push(format!(
                    "seed {seed}, {how}: {answer:?}, the interpreter: {found:?}\n    {}",
                    line.unwrap_or_default()
                ));
            }
        }
        twins.push((question, found));
    }
    fold(seed, &text, &twins, tally);
    if tally.wrong.len() > before
        && let Ok(folder) = std::env::var("ADIT_KEEP")
    {
        fs::write(format!("{folder}/{seed}.rules"), &text).unwrap();
    }
}

/// Tables of the same with literals in place of tracks have the same value.
fn fold(seed: u64, text: &str, twins: &[(&Question, Found)], tally: &mut Tally) {
    let mut more = text.to_owned();
    for (question, found) in twins {
        if let (Some(folded), Ok(_)) = (&question.folded, found) {
            more.push_str(&format!(
                "table f{}[bool]: {} else {folded} {{ }}\n",
                question.name, question.ty
            ));
        }
    }
    let mut refused = BTreeMap::new();
    let Some((_, game)) = accepted(&more, &mut refused) else {
        tally
            .wrong
            .push(format!("seed {seed}, folded: not accepted {refused:?}"));
        return;
    };
    for (code, n) in refused {
        *tally.not_folded.entry(code).or_default() += n;
    }
    for (question, found) in twins {
        let name = format!("f{}", question.name);
        let (Some(table), Ok(found)) = (game.tables.iter().find(|it| it.name == name), found)
        else {
            continue;
        };
        tally.folded += 1;
        let cell = table.cell(0).unwrap();
        let value = match table.ty.base {
            Base::Set(_) => {
                let words = cell.iter().map(|it| *it as u64).collect();
                same(&game, &as_set(&game, table.ty), &Engine::Set(words))
            }
            _ if cell == [NONE] => Value::None,
            _ => Value::Number(i128::from(cell[0])),
        };
        if value != *found {
            tally.wrong.push(format!(
                "seed {seed}, folded: {value:?}, the interpreter: {found:?}\n    {:?}",
                question.folded
            ));
        }
    }
}

fn as_set(game: &Game, ty: adit::model::Type) -> Expr {
    Expr {
        ty,
        ..call(0, game)
    }
}

impl Looks for Tally {
    fn look(&mut self, seed: u64) {
        let shape = Shape {
            questions: IN_ONE,
            ..Shape::default()
        };
        let (text, asked) = questions(seed, &shape);
        look(seed, &text, &asked, self);
    }

    fn look_at(&mut self, text: String, seed: u64) {
        let names = text
            .lines()
            .filter_map(|line| line.strip_prefix("define q"));
        let asked = names
            .filter_map(|rest| rest.split_once(": "))
            .map(|(number, _)| Question {
                name: format!("q{number}"),
                ty: String::new(),
                folded: None,
            });
        look(seed, &text, &asked.collect::<Vec<_>>(), self);
    }

    fn done(&self) -> u64 {
        self.asked as u64
    }

    fn wrong(&mut self) -> &mut Vec<String> {
        &mut self.wrong
    }
}

#[test]
fn definitions_have_the_value_of_the_slow_interpreter() {
    run::<Tally>("ADIT_EXPRESSIONS", 500, 2_000, 10_000);
}

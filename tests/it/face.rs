//! What the engine shows of a game agrees with what it lets happen.

use adit::model::text::Form;
use std::sync::LazyLock;

use adit::engine::{
    Candidate, CandidateKind, Dice, Judged, Machine, Move, Program, Query, Reading, Status,
    Verdict, Viewer, compile, write_expr,
};
use adit::model::{Base, DefineId, Expr, ExprKind, Game, LocalId};
use adit::pipeline::{self, Request};
use adit::source::Sources;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::fixtures::{rule_files, width};

/// Readings of Tunnels that change what is legal.
const READINGS: &[&[(&str, &str)]] = &[
    &[("hand_visibility", "open"), ("match_values", "straight")],
    &[("exposure", "five"), ("tunnel_adjacency", "never_back")],
    &[("exposure", "sides"), ("aces_high", "everywhere")],
    &[("reach_rule", "any"), ("match_values", "equal")],
    &[
        ("must_match_if_able", "always"),
        ("equal_swap", "forbidden"),
    ],
    &[("dodge", "forbidden"), ("discard_on_match", "keep_one")],
    &[("reach_rule", "forwards"), ("covered_diagonal", "no")],
];

pub fn program(path: &str, set: &[(&str, &str)]) -> Result<Program, String> {
    let set = set
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let (_, compiled) = crate::fixtures::compiled(path, &[], &set.collect::<Vec<_>>(), None);
    let game = compiled
        .game
        .ok_or_else(|| format!("{path}: {:#?}", compiled.diagnostics))?;
    compile(game).map_err(|problems| format!("{path}: {problems:#?}"))
}

fn below(words: &mut ChaCha8Rng, n: usize) -> usize {
    usize::try_from(words.next_u64() % n as u64).unwrap()
}

/// Games whose rules fault often.
const FAULTS: &str = "tests/fixtures/faults";

/// All small games and fragments, and Tunnels in several readings.
static PROGRAMS: LazyLock<Vec<(String, Program)>> = LazyLock::new(|| {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut all = Vec::new();
    for folder in [
        "tests/fixtures/games",
        "tests/fixtures/fragments",
        "tests/fixtures/samples",
        FAULTS,
    ] {
        for file in rule_files(folder) {
            let path = file
                .strip_prefix(root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            let text = std::fs::read_to_string(&file).unwrap();
            if text.lines().any(|line| line.starts_with("game ")) {
                all.push((path.clone(), program(&path, &[])));
            }
        }
    }
    all.push(("tunnels".to_owned(), program("rules/tunnels.rules", &[])));
    for set in READINGS {
        all.push((
            format!("tunnels {set:?}"),
            program("rules/tunnels.rules", set),
        ));
    }
    let mut sound = Vec::new();
    for (name, program) in all {
        match program {
            Ok(program) => sound.push((name, program)),
            Err(problem) => panic!("{problem}"),
        }
    }
    sound
});

/// Choices that are looked at: few where the unlowered rules are slow.
fn plies(name: &str) -> usize {
    if name.starts_with(FAULTS) {
        300
    } else if name.contains("samples/") {
        12
    } else {
        40
    }
}

/// Plays random games and calls `f` at every choice, until `plies` were played.
fn walk(program: &Program, plies: usize, f: &mut dyn FnMut(&mut Machine<'_>, &mut ChaCha8Rng)) {
    let mut machine = Machine::new(program);
    let mut words = ChaCha8Rng::seed_from_u64(7);
    let mut played = 0;
    for seed in 0.. {
        let mut dice = Dice::new(seed);
        if machine.start(&mut dice).is_err() {
            played += 1;
            continue;
        }
        while machine.status() != Status::Ended && played < plies {
            f(&mut machine, &mut words);
            let index = below(&mut words, machine.moves().len());
            played += 1;
            if machine.play_nth(index, &mut dice).is_err() {
                break;
            }
        }
        if played >= plies || seed > 1000 {
            return;
        }
    }
}

#[test]
fn plain_and_lowered_rules_list_the_same_moves() {
    for (name, program) in PROGRAMS.iter() {
        let mut lowered = Machine::new(program);
        let mut plain = Machine::plain(program).expect("plain code");
        let mut words = ChaCha8Rng::seed_from_u64(1);
        let mut faults = 0;
        for seed in 0..3 {
            let mut dice = [Dice::new(seed), Dice::new(seed)];
            lowered.start(&mut dice[0]).unwrap();
            plain.start(&mut dice[1]).unwrap();
            for ply in 0..4 * plies(name) {
                assert_eq!(
                    lowered.moves(),
                    plain.moves(),
                    "{name}, seed {seed}, ply {ply}"
                );
                assert_eq!(lowered.status(), plain.status());
                let view = |machine: &Machine<'_>| machine.view(Viewer::Referee);
                assert_eq!(
                    view(&lowered),
                    view(&plain),
                    "{name}, seed {seed}, ply {ply}"
                );
                if lowered.status() == Status::Ended {
                    break;
                }
                let index = below(&mut words, lowered.moves().len());
                let played = lowered.play_nth(index, &mut dice[0]);
                assert_eq!(
                    played,
                    plain.play_nth(index, &mut dice[1]),
                    "{name}, seed {seed}, ply {ply}"
                );
                if played.is_err() {
                    faults += 1;
                    if !name.starts_with(FAULTS) {
                        break;
                    }
                }
            }
            assert_eq!(lowered.outcome(), plain.outcome(), "{name}, seed {seed}");
        }
        assert!(
            faults > 0 || !name.starts_with(FAULTS),
            "{name} never faults"
        );
    }
}

/// Calls of every definition whose parameters are no sets, with any arguments.
fn any_calls(game: &Game, words: &mut ChaCha8Rng) -> Vec<Expr> {
    let mut calls = Vec::new();
    for (id, define) in (0..).zip(&game.defines) {
        let types = define
            .params
            .iter()
            .map(|local| game.locals[local.index()].ty);
        if types.clone().any(|ty| matches!(ty.base, Base::Set(_))) {
            continue;
        }
        for _ in 0..=4.min(define.params.len() * 4) {
            let args = define.params.iter().map(|local| Expr {
                kind: ExprKind::Value(any_value(game, *local, words)),
                ty: game.locals[local.index()].ty,
                span: define.body.span,
            });
            calls.push(Expr {
                kind: ExprKind::Call(DefineId(id), args.collect()),
                ty: define.ty,
                span: define.body.span,
            });
        }
    }
    calls
}

#[test]
fn definitions_mean_the_same_plain_and_lowered() {
    for (name, program) in PROGRAMS.iter() {
        let mut words = ChaCha8Rng::seed_from_u64(5);
        let calls = any_calls(&program.game, &mut words);
        // A fault ends a query, so each call is one of its own.
        let queries: Vec<[Query; 2]> = calls
            .iter()
            .map(|call| {
                [
                    Query::new(program, [call]).unwrap(),
                    Query::plain(program, [call]).unwrap(),
                ]
            })
            .collect();
        walk(program, plies(name), &mut |machine, _| {
            for (call, [lowered, plain]) in calls.iter().zip(&queries) {
                let (lowered, plain) = (machine.ask(lowered), machine.ask(plain));
                let same = match (&lowered, &plain) {
                    (Ok(lowered), Ok(plain)) => lowered == plain,
                    (Err(lowered), Err(plain)) => lowered == plain,
                    _ => false,
                };
                assert!(
                    same,
                    "{name}: {} is {lowered:?} lowered, {plain:?} plain\n{}",
                    write_expr(&program.game, call),
                    adit::play::board::draw(
                        &program.game,
                        &machine.view(Viewer::Referee),
                        &adit::play::tableau::Drawn::default(),
                        false,
                        adit::play::board::WIDTH,
                    )
                );
            }
        });
    }
}

#[test]
fn every_legal_move_is_read_as_it_is_printed() {
    // Each is read against all of them.
    let most = width(4, 4, 48) as usize;
    for (name, program) in PROGRAMS.iter() {
        walk(program, plies(name), &mut |machine, _| {
            let before = machine.save();
            let moves = machine.moves().to_vec();
            for mv in moves
                .iter()
                .copied()
                .step_by(moves.len().div_ceil(most).max(1))
            {
                for form in Form::ALL {
                    let printed = machine.print(mv, form);
                    let typed = format!("  {} ", printed.to_uppercase().replace(' ', "  "));
                    for text in [printed.clone(), typed] {
                        match machine.read(&text) {
                            Reading::Legal(read) => assert_eq!(read, mv, "{name}: {text}"),
                            Reading::Ambiguous(several) => {
                                let same = |it: &Move| machine.print(*it, form) == printed;
                                assert!(
                                    !several.iter().all(same),
                                    "{name}: several print as {text}"
                                );
                            }
                            other => panic!("{name}: {text} is {other:?}"),
                        }
                    }
                }
            }
            assert_eq!(before, machine.save());
        });
    }
}

#[test]
fn a_pair_is_read_in_either_order() {
    let text = r#"
        game pairs "Pairs" { seats anna, bert }
        enum Fruit { apple, pear, plum }
        action take(both in 2 of { f in Fruit where f != plum }) "take {both}" { do { end over() } }
        flow main() { turns me from anna { choose me: take } }
        ending over() { winner none }
    "#;
    let mut sources = Sources::new();
    let base = sources.add("pairs.rules", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    let program = compile(compiled.game.expect("a game")).expect("a program");
    let mut machine = Machine::new(&program);
    machine
        .start(&mut Dice::new(1))
        .expect("a game that begins");
    let only = machine.moves()[0];
    for typed in ["take pear apple", "take apple pear"] {
        assert_eq!(machine.read(typed), Reading::Legal(only), "{typed}");
    }
    assert!(matches!(
        machine.read("take pear pear"),
        Reading::Refused(_)
    ));
}

#[test]
fn explanations_agree_with_the_list_of_moves() {
    for (name, program) in PROGRAMS.iter() {
        let game = &program.game;
        walk(program, plies(name), &mut |machine, words| {
            let Status::Choice { seat } = machine.status() else {
                return;
            };
            let before = machine.save();
            for mv in machine.moves().to_vec() {
                let explanation = machine.explain_move(mv);
                assert_eq!(explanation.verdict, Verdict::Legal, "{name}");
                let all = explanation
                    .findings
                    .iter()
                    .all(|it| it.judged == Judged::Allows);
                assert!(
                    all && !explanation.secret,
                    "{name}: {}",
                    explanation.lines(game)
                );
            }
            for _ in 0..10 {
                let Some(candidate) = any_candidate(game, seat, words) else {
                    return;
                };
                let legal = !machine.moves_of(&candidate).is_empty();
                for viewer in [Viewer::Seat(seat), Viewer::Referee] {
                    let explanation = machine.explain_to(viewer, &candidate, Form::Signs);
                    let told = explanation.lines(game);
                    assert_eq!(
                        legal,
                        explanation.verdict == Verdict::Legal,
                        "{name}: {told}"
                    );
                    let refusing = explanation.findings.iter().any(|it| it.refuses());
                    let refused = explanation.verdict == Verdict::Refused;
                    assert!(!refused || refusing || explanation.secret, "{name}: {told}");
                }
            }
            assert_eq!(before, machine.save());
        });
    }
}

/// An action with any values of its parameters' domains.
fn any_candidate(game: &Game, seat: u32, words: &mut ChaCha8Rng) -> Option<Candidate> {
    if game.actions.is_empty() {
        return None;
    }
    let id = below(words, game.actions.len());
    let args = game.actions[id]
        .params
        .iter()
        .map(|param| Some(any_value(game, param.local, words)))
        .collect();
    let id = adit::model::ActionId(u32::try_from(id).unwrap());
    Some(Candidate {
        seat,
        kind: CandidateKind::Action(id, args),
    })
}

fn any_value(game: &Game, local: LocalId, words: &mut ChaCha8Rng) -> i64 {
    let (lo, n) = match game.locals[local.index()].ty.base {
        Base::Int(lo, hi) => (lo, usize::try_from(hi - lo + 1).unwrap()),
        Base::Elem(domain) => (
            0,
            usize::try_from(game.domains[domain.index()].size).unwrap(),
        ),
        _ => (0, 2),
    };
    lo + i64::try_from(below(words, n)).unwrap()
}

#[test]
fn a_new_deal_looks_the_same_to_the_seat() {
    for (name, program) in PROGRAMS.iter() {
        let mut changed = 0;
        walk(program, plies(name), &mut |machine, words| {
            let before = machine.save();
            for seat in 0..program.game.n_seats {
                let viewer = Viewer::Seat(seat);
                let (seen, moves) = (machine.view(viewer), machine.moves().to_vec());
                let mut dice = Dice::new(words.next_u64());
                machine.redeal(seat, &mut dice);
                assert_eq!(seen, machine.view(viewer), "{name}");
                if machine.status() == (Status::Choice { seat }) {
                    assert_eq!(
                        moves,
                        machine.moves(),
                        "{name}: the list tells of hidden things"
                    );
                }
                assert!(!machine.moves().is_empty());
                changed += usize::from(machine.save() != before);
                machine.load(&before);
            }
        });
        if name.as_str() == "tunnels" || name.contains("kuhn") {
            assert!(changed > 10, "{name}: nothing was dealt");
        }
    }
}

#[test]
fn a_new_deal_keeps_explanations() {
    for (name, program) in PROGRAMS.iter() {
        walk(program, plies(name), &mut |machine, words| {
            let Status::Choice { seat } = machine.status() else {
                return;
            };
            let before = machine.save();
            for _ in 0..4 {
                let Some(candidate) = any_candidate(&program.game, seat, words) else {
                    return;
                };
                let told = machine.explain(&candidate);
                machine.redeal(seat, &mut Dice::new(words.next_u64()));
                assert_eq!(told, machine.explain(&candidate), "{name}");
                machine.load(&before);
            }
        });
    }
}

/// What the referee answers to typed moves in the position of a ruling of Tunnels. `{own}` stands
/// for a card in the hand of the seat that has to choose; a question that begins with `rival:` is
/// asked by the other seat.
fn answers(ruling: &str, set: &[(&str, &str)], typed: &[&str]) {
    let program = program("rules/tunnels.rules", set).unwrap();
    let game = &program.game;
    let mut machine = Machine::new(&program);
    let at = game.rulings.iter().position(|it| it.id == ruling).unwrap();
    machine
        .set_up(at, &mut Dice::new(game.rulings[at].start.seed))
        .unwrap();
    let Status::Choice { seat } = machine.status() else {
        panic!("{ruling}: the game is over")
    };
    let first = machine.moves()[0];
    let (ty, card) = machine.args(first)[0];
    let own = adit::engine::text::print_value(&**game, ty, card, Form::Plain);
    let mut text = format!("# {}\n", game.rulings[at].title);
    for (name, value) in set {
        text.push_str(&format!("# {name} = {value}\n"));
    }
    for question in typed {
        let question = question.replace("{own}", &own);
        let (seat, typed) = match question.strip_prefix("rival: ") {
            Some(typed) => (1 - seat, typed),
            None => (seat, question.as_str()),
        };
        let name = adit::engine::print_seat(game, seat, Form::Signs);
        text.push_str(&format!("\n> {name}: {typed}\n"));
        text.push_str(&match machine.read_by(seat, typed) {
            Reading::Legal(mv) => machine.explain_move(mv).lines(game),
            Reading::Refused(candidate) => machine.explain(&candidate).lines(game),
            Reading::Ambiguous(several) => format!("one of {} moves\n", several.len()),
            Reading::NoSuch { word, near } => {
                format!("there is no `{word}`; perhaps {}\n", near.join(", "))
            }
            Reading::Unknown { near } => format!("no rule reads so; perhaps {}\n", near.join(", ")),
        });
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/why");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = format!(
        "tunnels_{}",
        ruling.trim_start_matches("R-").replace('-', "_")
    );
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn moves_that_no_clause_allows_or_nobody_understands() {
    answers(
        "R-tableau",
        &[],
        &[
            "swap {own} with a1",
            "swap {own} with a3",
            "SWAP  {own} with  A♠",
            "swap {own} with z9",
            "swap 1x with a1",
            "swap ks with a1",
            "match {own} with g3",
            "discard {own}",
            "pass",
            "mtch {own} with a1",
            "jump",
            "rival: swap {own} with a1",
            "rival: swap kc with a7",
        ],
    );
}

#[test]
fn swaps_that_would_avoid_a_match() {
    answers(
        "R-fourth-swap",
        &[],
        &[
            "swap 9s with a1",
            "swap 9s with c1",
            "match 9s with b1",
            "match 9s with c1",
            "rival: swap 9s with a7",
        ],
    );
}

#[test]
fn swaps_that_some_readings_forbid() {
    let set = [
        ("must_match_if_able", "always"),
        ("equal_swap", "forbidden"),
    ];
    answers(
        "R-must-match",
        &set,
        &["swap 9s with b1", "swap 9♠ with a1", "match 9s with a1"],
    );
}

#[test]
fn swaps_that_leave_no_match() {
    let set = [("dodge", "forbidden")];
    answers("R-dodge", &set, &["swap 9s with b1", "swap 9s with c1"]);
}

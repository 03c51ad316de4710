//! What games are worth: known values, and a plain recursion over all lines.

use adit::engine::{Machine, Program, State, Status, Viewer, Ways};
use adit::study::{Measure, Open, equilibrium, solve};

use crate::command::keep;
use crate::fixtures::width;
use crate::perft::program;
use crate::secrets;

/// Looks at all positions that are asked for.
const ALL: usize = 1_000_000;

fn small(text: &str) -> Program {
    let text = format!("game g \"G\" {{ seats anna, bert }} {text}");
    secrets::program(&text).expect("a game")
}

#[test]
fn tic_tac_toe_is_drawn() {
    let program = program("rules/classics/tic_tac_toe.rules", &[], None);
    let worth = solve(&program, None, ALL, &mut |_| true).unwrap().unwrap();
    assert_eq!((worth.positions, worth.ends), (4_520, 958));
    assert_eq!(
        (worth.measure, worth.seats),
        (Measure::Wins, vec![0.5, 0.5])
    );
    assert!(worth.moves.len() == 9 && worth.moves.iter().all(|it| it.1 == 0.5));
}

/// What a move is worth is what the position is worth that it leads to, so two who play the best move each time draw; one who
/// does, against any other moves, does not lose.
#[test]
fn who_plays_the_best_move_does_not_lose() {
    let program = program("rules/classics/tic_tac_toe.rules", &[], None);
    for careless in [None, Some(0), Some(1)] {
        let mut machine = Machine::new(&program);
        machine.start(&mut Ways::default()).unwrap();
        let mut expected = [0.5; 2];
        while let Status::Choice { seat } = machine.status() {
            let state = machine.save();
            let worth = solve(&program, Some(&state), ALL, &mut |_| true)
                .unwrap()
                .unwrap();
            assert_eq!(worth.seats, expected);
            let last = *worth.moves.last().unwrap();
            let best = worth
                .moves
                .iter()
                .copied()
                .reduce(|a, b| if b.1 > a.1 { b } else { a });
            let (played, worth) = if careless == Some(seat) {
                last
            } else {
                best.unwrap()
            };
            expected = match seat {
                0 => [worth, 1.0 - worth],
                _ => [1.0 - worth, worth],
            };
            machine.load(&state);
            machine.play(played, &mut Ways::default()).unwrap();
        }
        let places = machine.outcome().unwrap().places;
        match careless {
            None => assert_eq!(places, [1, 1]),
            Some(seat) => assert!(places[seat as usize] >= places[1 - seat as usize]),
        }
    }
}

/// Who leaves heaps whose sizes, bit by bit, are in pairs has won.
#[test]
fn moves_of_nim_win_where_they_leave_pairs_of_bits() {
    let program = program("tests/fixtures/games/nim.rules", &[], None);
    let mut machine = Machine::new(&program);
    machine.start(&mut Ways::default()).unwrap();
    let heaps = |machine: &Machine<'_>| {
        let view = machine.view(Viewer::Referee);
        let sizes = view.zones[0].places.iter().map(|it| it.seen.len());
        sizes.fold(0, |all, n| all ^ n)
    };
    let state = machine.save();
    let worth = solve(&program, None, ALL, &mut |_| true).unwrap().unwrap();
    for (played, worth) in worth.moves {
        machine.load(&state);
        machine.play(played, &mut Ways::default()).unwrap();
        assert_eq!(worth == 1.0, heaps(&machine) == 0);
    }
}

/// What the first seat gets from here on, line by line.
fn followed(machine: &mut Machine<'_>, state: &State) -> f64 {
    machine.load(state);
    let Status::Choice { seat } = machine.status() else {
        return machine.outcome().unwrap().keys[0][0] as f64;
    };
    let moves = machine.moves().to_vec();
    let worths = moves.into_iter().map(|played| {
        let (mut sum, mut ways) = (0.0, Ways::default());
        loop {
            machine.load(state);
            machine.play(played, &mut ways).unwrap();
            let next = machine.save();
            sum += ways.likelihood() * followed(machine, &next);
            if !ways.turn() {
                return sum;
            }
        }
    });
    match seat {
        0 => worths.fold(f64::MIN, f64::max),
        _ => worths.fold(f64::MAX, f64::min),
    }
}

#[test]
fn a_game_with_dice_is_worth_what_its_lines_come_to() {
    let program = small(
        "track points[seat]: 0..30 = 0
        action stop() \"stop\" { do { points[me] += 2 } }
        action roll() \"roll\" { do { choose chance n in 1..6
            if n > 2 { points[me] += n - 1 } else { points[next_seat(me)] += 3 } } }
        flow main() { repeat 2 { turns me from anna once { choose me: stop | roll } } end over() }
        ending over() { ranking seat by points[it] - points[next_seat(it)] }",
    );
    let mut machine = Machine::new(&program);
    machine.start(&mut Ways::default()).unwrap();
    let state = machine.save();
    let worth = solve(&program, None, ALL, &mut |_| true).unwrap().unwrap();
    assert_eq!(worth.measure, Measure::Figures);
    assert!(worth.has_chance && worth.positions < 100);
    assert!((worth.seats[0] - followed(&mut machine, &state)).abs() < 1e-9);
    assert!((worth.seats[0] + worth.seats[1]).abs() < 1e-9);
    assert!(worth.moves.iter().any(|it| it.1 < worth.seats[0] - 0.1));
}

#[test]
fn what_cannot_be_worked_out_stays_open() {
    let open = |text: &str| {
        solve(&small(text), None, ALL, &mut |_| true)
            .unwrap()
            .unwrap_err()
    };
    let wait = "action wait() \"wait\" { do { } }";
    let hidden = format!(
        "track note[seat]: 0..3 = 0 seen by owner {wait}
        flow main() {{ choose bert: wait  end over() }} ending over() {{ winner anna }}"
    );
    assert_eq!(open(&hidden), Open::Hidden(1));
    let together = format!(
        "{wait} flow main() {{ choose bert: wait  end over() }} ending over() {{ winner seat }}"
    );
    assert_eq!(open(&together), Open::Together);
    let returns = "track side: bool = false
        flow main() { turns me from anna { choose me: turn | stop } } ending over() { winner anna }
        action turn() \"turn\" { do { side = not side } }
        action stop() \"stop\" { do { end over() } }";
    assert_eq!(open(returns), Open::Returns);
    let tic_tac_toe = program("rules/classics/tic_tac_toe.rules", &[], None);
    let bounded = solve(&tic_tac_toe, None, 1_000, &mut |_| true).unwrap();
    assert_eq!(bounded.unwrap_err(), Open::Positions);
    let stopped = solve(&tic_tac_toe, None, ALL, &mut |seen| seen < 500).unwrap();
    assert_eq!(stopped.unwrap_err(), Open::Stopped);
    let whist = program("rules/classics/whist.rules", &[], None);
    assert_eq!(
        solve(&whist, None, ALL, &mut |_| true)
            .unwrap()
            .unwrap_err(),
        Open::Seats
    );
}

/// Kuhn (1950): the first player loses an eighteenth of a coin.
#[test]
fn seats_learn_to_play_kuhn_poker() {
    for path in [
        "rules/classics/kuhn_poker.rules",
        "tests/fixtures/games/kuhn.rules",
    ] {
        let program = program(path, &[], None);
        let learnt = equilibrium(&program, 1_000, ALL, &mut |_| true)
            .unwrap()
            .unwrap();
        assert_eq!((learnt.lines, learnt.states), (24, 12));
        assert!((learnt.seats[0] + 1.0 / 18.0).abs() < 0.001, "{learnt:?}");
        assert!(learnt.exploitability < 0.005, "{learnt:?}");
    }
}

/// Southey and others (2005): about -0.0856 for who speaks first.
#[test]
fn seats_learn_to_play_leduc_poker() {
    let program = program("rules/classics/leduc_poker.rules", &[], None);
    let rounds = u32::try_from(width(200, 1_000, 2_000)).unwrap();
    let learnt = equilibrium(&program, rounds, ALL, &mut |_| true)
        .unwrap()
        .unwrap();
    assert_eq!((learnt.lines, learnt.states), (3_780, 936));
    assert!((learnt.seats[0] + 0.0856).abs() < 0.001, "{learnt:?}");
    assert!(learnt.exploitability < 0.02, "{learnt:?}");
}

/// A seat that cannot know what the other chose plays each as often: whether the choice lies on a track, under a card or is
/// made at the same time.
#[test]
fn rock_paper_scissors_is_even_however_it_is_hidden() {
    let beats = "enum Throw cyclic { rock, paper, scissors }
        track thrown[seat]: Throw or none = none seen by owner
        action throw(t: Throw) \"throw {t}\" { do { thrown[me] = t } }
        define better(a: Throw, b: Throw): -1..1 = if a == b then 0 else if a == b + 1 then 1 else -1
        ending over(n: -1..1) { ranking seat by if it == anna then n else -n }";
    let one_by_one = "flow main() { choose anna: throw  choose bert: throw
        if some thrown[anna] and some thrown[bert] { end over(better(thrown[anna], thrown[bert])) }  end over(0) }";
    let at_once = "flow main() { together s in seat { choose s: throw }
        if some thrown[anna] and some thrown[bert] { end over(better(thrown[anna], thrown[bert])) }  end over(0) }";
    for flow in [one_by_one, at_once] {
        let program = small(&format!("{beats} {flow}"));
        let learnt = equilibrium(&program, 400, ALL, &mut |_| true)
            .unwrap()
            .unwrap();
        assert_eq!((learnt.lines, learnt.states), (4, 2), "{flow}");
        assert!(
            learnt.seats[0].abs() < 0.01 && learnt.exploitability < 0.01,
            "{learnt:?}"
        );
    }
}

#[test]
fn worth_is_told_to_people_and_to_programs() {
    keep("solve", "drawn", "solve tic_tac_toe");
    keep(
        "solve",
        "won",
        "--plain solve tests/fixtures/games/nim.rules --moves \"take 1 from a\"",
    );
    keep("solve", "learnt", "solve kuhn_poker --cfr 200");
    keep("solve", "for_programs", "--json solve kuhn_poker --cfr 20");
    keep("solve", "hidden", "solve kuhn_poker");
    keep("solve", "too_many", "solve connect_four --positions 500");
    keep("solve", "several_seats", "solve whist");
}

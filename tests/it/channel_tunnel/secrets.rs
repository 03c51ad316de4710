//! What a seat does not see makes no difference to it.

use adit::engine::{Dice, Machine, Program, Seen, Status, View, Viewer};
use adit::model::text::Form;
use rand_chacha::rand_core::Rng;

use super::table::card;
use super::{games, walk};
use crate::command::adit;

/// Games of each kind.
const GAMES: u64 = if cfg!(debug_assertions) { 3 } else { 60 };
/// The stream for dealing hidden things anew.
const DEALS: u32 = 1_001;

/// All that a seat is shown at a choice.
#[derive(Debug, PartialEq)]
struct Shown {
    view: View,
    /// As far as it has to choose.
    moves: Vec<String>,
    explained: Vec<String>,
}

fn shown(machine: &mut Machine<'_>, seat: u32) -> Shown {
    let mut shown = Shown {
        view: machine.view(Viewer::Seat(seat)),
        moves: Vec::new(),
        explained: Vec::new(),
    };
    if machine.status() == (Status::Choice { seat }) {
        for mv in machine.moves().to_vec() {
            shown
                .moves
                .push(machine.print_for(&[Viewer::Seat(seat)], mv, Form::Plain));
        }
        for mv in machine.moves().to_vec().into_iter().step_by(9) {
            let explanation = machine.explain_move(mv);
            shown
                .explained
                .push(explanation.lines(&machine.program().game));
        }
    }
    shown
}

fn check(name: &str, program: &Program) {
    let mut changed = [0, 0];
    for seed in 0..GAMES {
        let mut choice = 0;
        walk(program, seed, &mut |machine, luck| {
            choice += 1;
            if choice % 7 != 0 || machine.status() == Status::Ended {
                return;
            }
            let before = machine.save();
            for seat in 0..2 {
                let seen = shown(machine, seat);
                let mut dice = Dice::new(luck.dice.stream(DEALS).next_u64());
                machine.redeal(seat, &mut dice);
                changed[seat as usize] += u32::from(machine.save() != before);
                assert_eq!(
                    seen,
                    shown(machine, seat),
                    "{name}, game {seed}, seat {seat}"
                );
                machine.load(&before);
            }
        });
    }
    assert!(
        changed.iter().all(|it| *it > 20),
        "{name}: {changed:?} new deals"
    );
}

#[test]
fn hidden_things_make_no_difference_to_either_seat() {
    for (name, program) in games() {
        check(name, program);
    }
}

fn seen<'v>(view: &'v View, zone: &str, place: usize) -> &'v [Seen] {
    let zone = view.zones.iter().find(|it| it.name == zone).unwrap();
    &zone.places[place].seen
}

/// Stands at the first choice after a ruling of the rulebook was set up and its moves were played.
fn at_ruling<'p>(program: &'p Program, id: &str) -> Machine<'p> {
    let rulings = &program.game.rulings;
    let number = rulings.iter().position(|it| it.id == id).unwrap();
    let mut machine = Machine::new(program);
    machine.set_up(number, &mut Dice::new(1)).unwrap();
    machine
}

/// K-107, K-108: the rival sees how many cards are exhausted, and not which.
#[test]
fn exhausted_cards_are_hidden_from_the_rival() {
    let program = &games()[0].1;
    let machine = at_ruling(program, "R-exhausted");
    let heavy = i64::try_from(card(&program.game, "heavy_machinery_1")).unwrap();
    let [own, rival] = [0, 1].map(|seat| machine.view(Viewer::Seat(seat)));
    assert_eq!(seen(&own, "done", 0), [Seen::Known(heavy)]);
    assert_eq!(seen(&rival, "done", 0), [Seen::Unknown]);
}

/// K-95: a look shows a token to one seat.
#[test]
fn a_look_is_private() {
    let program = &games()[0].1;
    let mut machine = Machine::new(program);
    let mut dice = Dice::new(3);
    machine.start(&mut dice).unwrap();
    let wanted = [
        "blue on Finance/Technology",
        "technology",
        "advance the lower counter",
    ];
    for text in wanted {
        let moves = machine.moves().to_vec();
        let at = moves.iter().position(|mv| {
            let printed = machine.print(*mv, Form::Plain);
            printed == text
                || (text.contains(" on ") && printed.ends_with(" on Finance/Technology"))
        });
        machine.play_nth(at.unwrap(), &mut dice).unwrap();
    }
    let before = [0, 1].map(|seat| machine.view(Viewer::Seat(seat)));
    assert!(
        machine
            .print(machine.moves()[0], Form::Plain)
            .starts_with("look at ")
    );
    machine.play_nth(0, &mut dice).unwrap();
    let after = [0, 1].map(|seat| machine.view(Viewer::Seat(seat)));
    let known = |view: &View| {
        let zone = view.zones.iter().find(|it| it.name == "face_down").unwrap();
        let places = zone.places.iter().flat_map(|it| &it.seen);
        places.filter(|it| matches!(it, Seen::Known(_))).count()
    };
    assert_eq!(before.each_ref().map(known), [0, 0]);
    assert_eq!(after.each_ref().map(known), [1, 0]);
}

/// The composition of the bag is no secret; what comes out of it is luck.
#[test]
fn both_seats_can_count_the_bag() {
    let program = &games()[0].1;
    let mut bags = std::collections::HashSet::new();
    for seed in 0..20 {
        let mut machine = Machine::new(program);
        machine.start(&mut Dice::new(seed)).unwrap();
        let views = [0, 1].map(|seat| machine.view(Viewer::Seat(seat)));
        let [one, other] = views.each_ref().map(|view| seen(view, "bag", 0));
        assert_eq!(one, other);
        assert!(one.len() == 5 && !one.contains(&Seen::Unknown));
        bags.insert(format!("{one:?}"));
    }
    assert!(bags.len() > 5, "{bags:?}");
}

/// A card that is turned face down stays known to the rival who saw it lie open.
#[test]
fn the_rival_remembers_what_it_sees_no_more() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("remembered.jsonl");
    let path = path.display();
    let (mut games, mut named) = (0, 0);
    for seed in 1..4 {
        let _ = std::fs::remove_file(path.to_string());
        let ran = adit(&format!(
            "play channel_tunnel --seats random,random --seed {seed} --journal {path}"
        ));
        assert_eq!(ran.exit, adit::cli::Exit::Yes, "{}", ran.err);
        let state = adit(&format!("replay {path} --as france")).out;
        let observation = adit(&format!(
            "show channel_tunnel --at {path} --seat france --plain"
        ))
        .out;
        let hidden = observation
            .lines()
            .filter(|it| it.starts_with("done[britain]: "));
        let Some(hidden) = hidden.map(str::to_owned).next() else {
            continue;
        };
        let names = hidden.trim_start_matches("done[britain]: ");
        let names = names
            .split(", ")
            .filter(|it| !it.contains(['?', '0', '1', '2', '3']));
        for name in names {
            assert!(state.contains(name), "{name}");
            named += 1;
        }
        games += 1;
    }
    assert!(games > 0 && named > games, "{games} games, {named} cards");
}

//! The order of piles where things are moved from one to the other.

use adit::engine::{Dice, Machine, Program, Seen, Status, Viewer, compile};
use adit::pipeline::{self, Request};
use adit::source::Sources;

fn game(zones: &str, flow: &str) -> Program {
    let text = format!(
        "game g \"G\" {{ seats anna, bert }}
        component Card {{ value: 1..4 }}
        zone deck: bag of Card open
        {zones}
        supply every Card in deck
        action lay(c in deck) \"lay {{c}}\" {{ do {{ move c from deck to out }} }}
        flow main() {{ repeat 4 {{ choose anna: lay }}  {flow}  choose anna: stop \"stop\" {{ }}  end over() }}
        ending over() {{ winner none }}"
    );
    let mut sources = Sources::new();
    let base = sources.add("text", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    compile(compiled.game.expect("a game")).unwrap()
}

/// What lies in a zone after the cards 3, 1, 4, 2 were laid in this order.
fn lies_in(program: &Program, zone: &str) -> Vec<i64> {
    let mut machine = Machine::new(program);
    let mut dice = Dice::new(1);
    machine.start(&mut dice).unwrap();
    for card in [2, 0, 1, 0] {
        machine.play_nth(card, &mut dice).unwrap();
    }
    assert_eq!(machine.status(), Status::Choice { seat: 0 });
    let view = machine.view(Viewer::Referee);
    let zone = view.zones.iter().find(|it| it.name == zone).unwrap();
    let kinds = zone.places[0].seen.iter().map(|it| match it {
        Seen::Known(kind) => kind + 1,
        Seen::Unknown => panic!("the referee sees all"),
    });
    kinds.collect()
}

/// No rule takes the top of `out`, but what lay there comes to lie where one does.
#[test]
fn everything_moves_in_its_order_where_only_the_goal_is_looked_at() {
    let zones =
        "zone out: pile of Card open  zone middle: pile of Card open  zone back: pile of Card open";
    let program = game(
        zones,
        "move all of out to middle  move all of middle to back  if filled deck { move top of back to deck }",
    );
    assert_eq!(lies_in(&program, "back"), [3, 1, 4, 2]);
}

#[test]
fn a_pile_that_moves_onto_itself_stays_as_it_is() {
    let program = game(
        "zone out: pile of Card open",
        "move all of out to out  if filled deck { move top of out to deck }",
    );
    assert_eq!(lies_in(&program, "out"), [3, 1, 4, 2]);
}

//! What a seat does not see is dealt anew, and the position stays one that could be.

use std::collections::BTreeSet;

use adit::engine::{Dice, Machine, Program, Seen, State, TrackValue, Viewer};

use super::program;

/// Deals that are tried.
const DEALS: u64 = 80;

fn started<'p>(program: &'p Program, moves: &[usize]) -> Machine<'p> {
    let mut machine = Machine::new(program);
    machine.start(&mut Dice::new(1)).unwrap();
    for nth in moves {
        machine.play_nth(*nth, &mut Dice::new(1)).unwrap();
    }
    machine
}

/// The positions that a seat may be in.
fn deals(machine: &Machine<'_>, seat: u32) -> Vec<State> {
    let deals = (0..DEALS).filter_map(|seed| {
        let mut copy = Machine::new(machine.program());
        copy.load(&machine.save());
        let is_dealt = copy.redeal(seat, &mut Dice::new(seed));
        assert_eq!(
            machine.view(Viewer::Seat(seat)),
            copy.view(Viewer::Seat(seat))
        );
        is_dealt.then(|| copy.save())
    });
    deals.collect()
}

fn scalar(machine: &Machine<'_>, name: &str, at: usize) -> i64 {
    let view = machine.view(Viewer::Referee);
    let track = view.tracks.iter().find(|it| it.name == name).unwrap();
    match track.values[at] {
        Some(TrackValue::Scalar(value)) => value,
        _ => panic!("no number"),
    }
}

/// What stands on a track once the first move has been played in each deal.
fn after(machine: &Machine<'_>, seat: u32, name: &str) -> BTreeSet<i64> {
    let values = deals(machine, seat).into_iter().map(|dealt| {
        let mut copy = Machine::new(machine.program());
        copy.load(&dealt);
        copy.play_nth(0, &mut Dice::new(1)).unwrap();
        scalar(&copy, name, 0)
    });
    values.collect()
}

#[test]
fn what_stands_on_a_hidden_track_is_dealt_anew() {
    let program = program(
        "game g \"G\" { seats anna, bert }
        track note[seat]: 0..3 = 0 seen by owner
        track secret: 0..3 = 0 hidden
        flow main() { choose anna: wait \"wait\" { }  end over() }
        ending over() { winner none }",
    );
    let program = program.expect("a game");
    let mut copy = Machine::new(&program);
    let mut seen = [0; 4];
    for dealt in deals(&started(&program, &[]), 0) {
        copy.load(&dealt);
        seen[usize::try_from(scalar(&copy, "secret", 0)).unwrap()] += 1;
        assert_eq!(scalar(&copy, "note", 0), 0);
    }
    assert!(seen.iter().all(|n| *n > 5), "{seen:?}");
}

#[test]
fn what_was_picked_in_secret_is_picked_anew() {
    let program = program(
        "game g \"G\" { seats anna, bert }
        track got: 0..9 = 0 hidden
        flow main() {
            choose anna a in 1..4
            let more = a / 2
            choose bert b in 1..2
            got = a + more
            choose bert: wait \"wait\" { }
            end over()
        }
        ending over() { winner none }",
    );
    let program = program.expect("a game");
    let machine = started(&program, &[3]);
    assert_eq!(after(&machine, 1, "got"), BTreeSet::from([1, 3, 4, 6]));
    assert_eq!(after(&machine, 0, "got"), BTreeSet::from([6]));
}

#[test]
fn a_card_that_was_picked_in_secret_lies_where_it_was_picked() {
    let program = program(
        "game g \"G\" { seats anna, bert }
        component Card { value: 1..8 }
        zone deck: pile of Card hidden
        zone hand[seat]: bag of Card seen by owner
        zone dark: bag of Card hidden
        supply every Card in deck
        flow main() {
            shuffle deck
            for each s in seat { repeat 3 { move top of deck to hand[s] } }
            choose anna a in hand[anna] where a.value > 2
            choose bert b in hand[bert]
            move a from hand[anna] to dark
            move b from hand[bert] to dark
            choose bert: wait \"wait\" { }
            end over()
        }
        ending over() { winner none }",
    );
    let program = program.expect("a game");
    let machine = started(&program, &[0]);
    let kinds = |machine: &Machine<'_>, zone: usize, at: usize| -> Vec<i64> {
        let view = machine.view(Viewer::Referee);
        let seen = view.zones[zone].places[at].seen.iter();
        let kinds = seen.map(|it| match it {
            Seen::Known(kind) => *kind,
            Seen::Unknown => panic!("the referee sees all"),
        });
        kinds.collect()
    };
    let own = kinds(&machine, 1, 1);
    let mut picked = BTreeSet::new();
    let mut copy = Machine::new(&program);
    for dealt in deals(&machine, 1) {
        copy.load(&dealt);
        copy.play_nth(0, &mut Dice::new(1)).unwrap();
        let dark = kinds(&copy, 2, 0).into_iter();
        picked.extend(dark.filter(|it| !own.contains(it)));
    }
    let could_be = (2..8).filter(|it| !own.contains(it));
    assert_eq!(picked, could_be.collect());
}

/// The value stands for what lay there before: no other deal is known to fit it.
#[test]
fn nothing_is_dealt_anew_around_a_secret_from_before() {
    let text = |between: &str| {
        format!(
            "game g \"G\" {{ seats anna, bert }}
            component Card {{ value: 1..8 }}
            zone deck: pile of Card hidden
            zone hand[seat]: bag of Card seen by owner
            zone dark: bag of Card hidden
            track got: 0..9 = 0 hidden
            supply every Card in deck
            flow main() {{
                shuffle deck
                for each s in seat {{ repeat 3 {{ move top of deck to hand[s] }} }}
                let best = max {{ c.value for c in hand[anna] }} default 0
                {between}
                choose bert: wait \"wait\" {{ }}
                got = best
                choose bert: on \"on\" {{ }}
                end over()
            }}
            ending over() {{ winner none }}"
        )
    };
    let fresh = program(&text("")).expect("a game");
    let machine = started(&fresh, &[]);
    assert!(after(&machine, 1, "got").len() > 2);
    let old = program(&text("draw hand[anna] to dark")).expect("a game");
    assert_eq!(deals(&started(&old, &[]), 1).len(), 0);
    // Who sees the hand knows the value.
    assert!(!deals(&started(&old, &[]), 0).is_empty());
}

/// An action that goes on while its seat chooses again, in a flow that it calls: what that seat gave it, it knows, and
/// what is read no more ties nothing.
#[test]
fn what_a_seat_gave_an_action_it_knows_while_that_goes_on() {
    let text = |behind: &str| {
        format!(
            "game g \"G\" {{ seats anna, bert }}
            component Card {{ value: 1..8 }}
            zone deck: pile of Card hidden
            zone hand[seat]: bag of Card seen by owner
            track got: 0..9 = 0 hidden
            supply every Card in deck
            action keep(c in hand[me]) \"keep {{c}}\" {{ do {{ use_up(c)  trim()  {behind} }} }}
            event use_up(c: Card) {{ got = c.value }}
            action drop(c in hand[me]) \"drop {{c}}\" {{ do {{ move c from hand[me] to deck }} }}
            flow trim() {{ while count hand[bert] > 2 {{ choose bert: drop }}  choose anna: wait \"wait\" {{ }} }}
            flow main() {{
                for each s in seat {{ repeat 3 {{ draw 1 of deck to hand[s] }} }}
                choose bert: keep
                end over()
            }}
            ending over() {{ winner none }}"
        )
    };
    let [free, tied] = ["", "got = c.value"].map(|it| program(&text(it)).expect("a game"));
    for program in [&free, &tied] {
        assert!(!deals(&started(program, &[0]), 1).is_empty());
    }
    let can_anna = [&free, &tied].map(|it| !deals(&started(it, &[0, 0]), 0).is_empty());
    assert_eq!(can_anna, [true, false]);
}

/// What a flow still keeps of a secret choice, and reads no more, ties nothing to what lies there.
#[test]
fn what_is_read_no_more_does_not_stop_a_deal() {
    let text = |behind: &str| {
        format!(
            "game g \"G\" {{ seats anna, bert }}
            component Card {{ value: 1..8 }}
            zone deck: pile of Card hidden
            zone hand[seat]: bag of Card seen by owner
            zone secret[seat]: one Card seen by owner
            track got: 0..9 = 0 hidden
            supply every Card in deck
            flow main() {{
                for each s in seat {{ repeat 3 {{ draw 1 of deck to hand[s] }} }}
                choose bert c in hand[bert] {{
                    move c from hand[bert] to secret[bert]
                    choose anna: wait \"wait\" {{ }}
                    {behind}
                }}
                end over()
            }}
            ending over() {{ winner none }}"
        )
    };
    let [free, tied] = ["", "got = c.value"].map(|it| program(&text(it)).expect("a game"));
    assert!(!deals(&started(&free, &[0]), 0).is_empty());
    assert!(deals(&started(&tied, &[0]), 0).is_empty());
    assert!(!deals(&started(&tied, &[0]), 1).is_empty());
}

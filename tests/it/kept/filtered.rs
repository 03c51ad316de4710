//! What is looked for among many places at once is what a look at one after the other finds.

use std::fmt::Write;

use adit::engine::TrackValue;

use super::*;

/// How many sets of values are asked for in one game.
const SETS: usize = 24;
/// Values of a card; those of a whole word of sets.
const VALUES: usize = 60;

/// Sets of values: runs, which are compared at once, others, all and none.
fn sets(rng: &mut ChaCha8Rng) -> Vec<u64> {
    let all = (1 << VALUES) - 1;
    let mut word = move || (u64::from(rng.next_u32()) << 32 | u64::from(rng.next_u32())) & all;
    let run = |first: u64, n: u64| ((1 << n) - 1) << first & all;
    let set = |at: usize| match at % 4 {
        0 => word(),
        1 => run(word() % 60, word() % 9),
        2 => all << (word() % 60) & all,
        _ => run(word() % 60, 1 + word() % 30),
    };
    let mut sets: Vec<u64> = (0..SETS).map(set).collect();
    sets[0] = all;
    sets[4] = 0;
    sets
}

fn game(sets: &[u64]) -> String {
    let mut rows = String::new();
    for (at, set) in sets.iter().enumerate() {
        let values = (0..VALUES).filter(|it| set >> it & 1 == 1);
        let values: Vec<String> = values.map(|it| it.to_string()).collect();
        writeln!(rows, "{at}: {{ {} }}", values.join(", ")).unwrap();
    }
    let last = sets.len() - 1;
    format!(
        "game g \"G\" {{ seats anna, bert }}
        component Card {{ value: 0..59 }}
        space Field: grid(column: 1..8, row: 1..8)
        zone board[Field]: one Card open
        zone sack: bag of Card open
        supply 2 every Card in sack
        track number: 0..{last} = 0
        track score[Field]: 0..59 = 0
        table wanted[0..{last}]: set of 0..59 {{ {rows} }}
        define found: set of Field = {{ p in Field where filled board[p] and board[p].value in wanted[number] }}
        define equal: set of Field = {{ p in Field where score[p] == 7 * number mod 60 }}
        define less: set of Field = {{ p in Field where score[p] < 20 }}
        define others: set of Field = {{ p in Field where score[p] != 3 }}
        track n_found: set of Field = {{}}
        track n_equal: set of Field = {{}}
        track n_less: set of Field = {{}}
        track n_others: set of Field = {{}}
        flow main() {{
            for each p in Field {{
                choose chance lies in 0..3 {{ if lies > 0 {{ draw 1 of sack to board[p] }} }}
                choose chance points in 0..59 {{ score[p] = points }}
            }}
            for each k in 0..{last} {{
                number = k
                n_found = found
                n_equal = equal
                n_less = less
                n_others = others
                choose anna: go_ \"go\" {{ }}
            }}
            end over()
        }}
        ending over() {{ winner none }}"
    )
}

/// The members of a track that holds a set of places.
fn kept(machine: &Machine<'_>, name: &str) -> u64 {
    let view = machine.view(Viewer::Referee);
    let track = view.tracks.into_iter().find(|it| it.name == name).unwrap();
    match track.values.first() {
        Some(Some(TrackValue::Set(words))) => words[0],
        other => panic!("{name}: {other:?}"),
    }
}

/// The places for which something holds.
fn those(holds: impl Fn(usize) -> bool) -> u64 {
    (0..64)
        .filter(|at| holds(*at))
        .fold(0, |set, at| set | 1 << at)
}

#[test]
fn sets_that_are_filtered_at_once_are_those_filtered_one_by_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut n_found, mut n_asked) = (0, 0);
    for seed in 0..width(4, 40, 400) {
        let sets = sets(&mut rng);
        let program = program_of(&game(&sets));
        let ops = program.listing(false);
        let n_filters = ops.iter().filter(|it| it.name == "FilterLanes").count();
        assert_eq!(n_filters, 4);
        let mut machine = Machine::new(&program);
        let mut dice = Dice::new(seed);
        machine.start(&mut dice).unwrap();
        let view = machine.view(Viewer::Referee);
        let board = view
            .zones
            .into_iter()
            .find(|it| it.name == "board")
            .unwrap();
        let card = |at: usize| match board.places[at].seen.first() {
            Some(Seen::Known(kind)) => Some(*kind),
            _ => None,
        };
        let score = view
            .tracks
            .into_iter()
            .find(|it| it.name == "score")
            .unwrap();
        let score = |at: usize| match score.values[at] {
            Some(TrackValue::Scalar(value)) => value,
            _ => panic!("everybody sees the score"),
        };
        for (number, set) in sets.iter().enumerate() {
            let found = those(|at| card(at).is_some_and(|it| set >> it & 1 == 1));
            let equal = 7 * i64::try_from(number).unwrap() % 60;
            for (name, slow) in [
                ("n_found", found),
                ("n_equal", those(|at| score(at) == equal)),
                ("n_less", those(|at| score(at) < 20)),
                ("n_others", those(|at| score(at) != 3)),
            ] {
                assert_eq!(
                    kept(&machine, name),
                    slow,
                    "{name} of {set:#b}, game {seed}"
                );
            }
            n_found += found.count_ones();
            n_asked += those(|at| card(at).is_some()).count_ones();
            machine.play_nth(0, &mut dice).unwrap();
        }
    }
    assert!(
        n_found > n_asked / 10 && n_found < n_asked,
        "{n_found} of {n_asked}"
    );
}

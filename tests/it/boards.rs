//! Boards whose places are listed: hexagons, grids with holes, lines between places, drawings.

use adit::engine::{Dice, Machine, Viewer, compile};
use adit::model::text::Form;
use adit::pipeline::{self, Request};
use adit::play::board;
use adit::play::tableau::Drawn;
use adit::ruling::{self, Verdict};
use adit::source::Sources;

fn sources() -> (Sources, Request) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/boards/boards.rules"
    );
    let mut sources = Sources::new();
    let base = sources.add("boards.rules", std::fs::read_to_string(path).unwrap());
    let request = Request {
        base,
        ..Request::default()
    };
    (sources, request)
}

#[test]
fn places_lie_beside_each_other_as_they_are_declared() {
    let (sources, request) = sources();
    let compiled = pipeline::compile(&sources, &request);
    let program = compile(compiled.game.expect("a game")).unwrap();
    for ran in ruling::run_all(&program) {
        assert_eq!(ran.verdict(), Verdict::Holds, "{}", ran.id);
    }
}

/// The table after some moves, each written as it is printed.
fn table_after(moves: &[&str]) -> String {
    let (sources, request) = sources();
    let compiled = pipeline::compile(&sources, &request);
    let program = compile(compiled.game.expect("a game")).unwrap();
    let mut machine = Machine::new(&program);
    let mut dice = Dice::new(1);
    machine.start(&mut dice).unwrap();
    for wanted in moves {
        let legal = machine.moves().to_vec();
        let nth = legal
            .iter()
            .position(|mv| machine.print(*mv, Form::Plain) == *wanted);
        let nth = nth.unwrap_or_else(|| panic!("{wanted} is not offered"));
        machine.play_nth(nth, &mut dice).unwrap();
    }
    let view = machine.view(Viewer::Referee);
    board::draw(&program.game, &view, &Drawn::default(), false, board::WIDTH)
}

#[test]
fn boards_are_drawn_as_they_lie() {
    let table = table_after(&[
        "hex Hex(1, 1)",
        "hex Hex(3, 2)",
        "star Star(3, 3)",
        "star Star(1, 1)",
        "cross Cross(4, 7)",
        "line Dot(1, 1)-Dot(1, 2)",
        "line Dot(2, 1)-Dot(3, 1)",
        "line Dot(1, 3)-Dot(2, 3)",
        "point b1",
        "point q2",
        "point end",
    ]);
    crate::fixtures::snapshot("boards", "boards", &table);
}

/// A sea of each seat that only its owner sees, and a flag for each place of it.
const SEA: &str = r#"
game sea "Sea" { seats anna, bert }
space Cell: grid(x: 1..2, y: 1..2)
enum Ship { boat "B" }
track ships[seat, Cell]: Ship or none = none seen by owner
track ready[seat]: bool = false seen by owner
track goal: 0..9 = 3 hidden
show ships as "ships"
show ready as "ready"
action place(p: Cell) "place {p}" { do { ships[me, p] = boat } }
flow main() { turns me from anna once { choose me: place } end over() }
ending over() { winner none }
"#;

#[test]
fn what_is_not_seen_does_not_look_like_nothing() {
    let mut sources = Sources::new();
    let base = sources.add("sea.rules", SEA);
    let request = Request {
        base,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    let program = compile(compiled.game.expect("a game")).unwrap();
    let mut machine = Machine::new(&program);
    machine.start(&mut Dice::new(1)).unwrap();
    let game = &program.game;
    let view = machine.view(Viewer::Seat(1));
    let drawn = board::draw(game, &view, &Drawn::default(), false, board::WIDTH);
    assert!(
        drawn.contains("anna  4 hidden") && drawn.contains("none none"),
        "{drawn}"
    );
    assert!(drawn.contains("ready  anna ?\n"), "{drawn}");
    // Of what nobody sees nothing is drawn.
    assert!(!drawn.contains("goal"), "{drawn}");
    let facts = board::draw(game, &view, &Drawn::default(), true, board::WIDTH);
    assert!(facts.contains("ships[anna, Cell(1, 1)]: ?"), "{facts}");
    assert!(facts.contains("ships[bert, Cell(1, 1)]: none"), "{facts}");
    let json = serde_json::to_string(&view.tracks[0]).unwrap();
    let values = r#"[null,null,null,null,"none","none","none","none"]"#;
    assert!(json.contains(values), "{json}");
}

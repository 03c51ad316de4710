//! The shapes of what is drawn on a tile, and where things stand on it.

use adit::engine::{Looks, Program, compile};
use adit::model::{Brush, DomainId};
use adit::pipeline::{self, Request};
use adit::play::picture::shape::{CENTRE, Point, is_inside, on_edge};
use adit::play::picture::tile::{Tile, outline, strokes};
use adit::source::Sources;

fn holds(ports: &[f64], taken: &[f64], x: f64, y: f64) -> bool {
    let path = outline(ports, taken);
    is_inside(&path.points(16), Point { x, y })
}

/// An area lies along its sides and leaves the others free.
#[test]
fn areas_follow_their_sides() {
    let (n, e, s, w) = (0.5, 1.5, 2.5, 3.5);
    let probes = [(0.5, 0.06), (0.94, 0.5), (0.5, 0.94), (0.06, 0.5)];
    let shows = |ports: &[f64]| probes.map(|(x, y)| holds(ports, ports, x, y));
    assert_eq!(shows(&[n]), [true, false, false, false]);
    assert_eq!(shows(&[n, e]), [true, true, false, false]);
    assert_eq!(shows(&[n, w]), [true, false, false, true]);
    assert_eq!(shows(&[e, w]), [false, true, false, true]);
    assert_eq!(shows(&[n, e, w]), [true, true, false, true]);
    assert_eq!(shows(&[n, e, s, w]), [true, true, true, true]);
    assert!(!holds(&[n], &[n], 0.5, 0.5));
    assert!(holds(&[e, w], &[e, w], 0.5, 0.5));
}

/// Two areas share a side that both have ports on.
#[test]
fn areas_share_a_side() {
    let (left, right) = (0.25, 0.75);
    assert!(holds(&[left], &[left, right], 0.2, 0.03));
    assert!(!holds(&[left], &[left, right], 0.8, 0.03));
    assert!(holds(&[right], &[left, right], 0.8, 0.03));
}

#[test]
fn lines_lead_from_port_to_port_or_inside() {
    let path = &strokes(&[0.5, 2.5], false)[0];
    assert_eq!((path.start, path.at(1.0)), (on_edge(0.5), on_edge(2.5)));
    assert!(path.at(0.5).distance(CENTRE) < 1e-9);
    let path = &strokes(&[1.5], false)[0];
    assert!(path.at(1.0).distance(CENTRE) < 1e-9);
    let path = &strokes(&[1.5], true)[0];
    assert!(path.at(1.0).distance(CENTRE) > 0.1);
    assert_eq!(strokes(&[0.5, 1.5, 2.5], false).len(), 3);
    assert!(strokes(&[], false).is_empty());
}

fn landscape() -> Program {
    let mut sources = Sources::new();
    let text = include_str!("../fixtures/pictures/paths.rules");
    let base = sources.add("paths", text);
    let request = Request {
        base,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    compile(compiled.game.expect("a game")).expect("a program")
}

/// However a component is turned, each of its parts has a place of its own on it.
#[test]
fn parts_have_places_of_their_own() {
    let program = landscape();
    let space = program.game.pictures.first().expect("a picture").space;
    let mut looks = Looks::of(&program, space).expect("looks").expect("parts");
    let size = |id: DomainId| program.game.domains[id.index()].size as i64;
    let mut n_places = 0;
    for kind in 0..size(looks.component) {
        let parts = looks.parts(kind).expect("looks");
        for turn in 0..4 {
            let tile = Tile::new(&looks, &parts, turn);
            let places: Vec<Point> = tile.places.iter().flatten().map(|it| it.middle).collect();
            let marked = |layer: &usize| looks.layers[*layer].brush == Brush::Mark;
            let shown = parts
                .iter()
                .filter(|it| !it.ports.is_empty() || it.layers.iter().any(marked));
            assert_eq!(places.len(), shown.count(), "{kind} turned {turn}");
            for (at, place) in places.iter().enumerate() {
                assert!((0.0..=1.0).contains(&place.x) && (0.0..=1.0).contains(&place.y));
                let near = places[..at].iter().map(|other| place.distance(*other));
                assert!(
                    near.fold(1.0, f64::min) > 0.1,
                    "{kind} turned {turn}: {places:?}"
                );
            }
            n_places += places.len();
        }
    }
    assert_eq!(n_places, 4 * 12);
}

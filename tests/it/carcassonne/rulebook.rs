//! The rulebook of Carcassonne, compiled for a table.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use adit::engine::{Program, compile};
use adit::library;

use super::log::{Config, SmallCity, TokenRule};

const BASE: &str = "rules/carcassonne.rules";
pub const TUNNEL: &str = "rules/carcassonne_tunnel.rules";

/// What a machine plays: seats, whether The Tunnel is in, settings.
pub type Table = (usize, bool, Vec<(String, String)>);

/// The rulebook for one table, compiled once.
pub fn program(table: &Table) -> &'static Program {
    type Known = Mutex<HashMap<Table, &'static Program>>;
    static KNOWN: OnceLock<Known> = OnceLock::new();
    let mut known = KNOWN.get_or_init(Known::default).lock().unwrap();
    known
        .entry(table.clone())
        .or_insert_with(|| Box::leak(Box::new(compiled(table))))
}

fn compiled((seats, tunnel, set): &Table) -> Program {
    let amendments: &[&str] = if *tunnel { &[TUNNEL] } else { &[] };
    amended(*seats, amendments, set)
}

/// The rulebook with these amendments.
pub fn amended(seats: usize, amendments: &[&str], set: &[(String, String)]) -> Program {
    let seats = u32::try_from(seats).unwrap();
    let (_, compiled) = crate::fixtures::compiled(BASE, amendments, set, Some(seats));
    let errors: Vec<String> = compiled
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .map(|it| format!("{} {}", it.code.id(), it.message))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    compile(compiled.game.unwrap()).unwrap_or_else(|it| panic!("{it:#?}"))
}

/// The table of a recorded game.
pub fn table_of(config: &Config) -> Table {
    let small_city = match config.small_city {
        SmallCity::Four => "four",
        SmallCity::Two => "two",
    };
    let mut set = vec![
        ("farmers", config.farmers.to_string()),
        ("followers", config.followers.to_string()),
        ("small_city", small_city.to_owned()),
    ];
    if let Some(rule) = config.token_rule {
        let (two, three) = match rule {
            TokenRule::ThreeTwo => ("three", "two"),
            TokenRule::TwoOne => ("two", "one"),
            TokenRule::OneOne => ("one", "one"),
        };
        set.push(("tunnel_sets", config.tunnel_sets.to_string()));
        set.push(("sets_for_two", two.to_owned()));
        set.push(("sets_for_three", three.to_owned()));
    }
    let set = set
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value));
    (config.players, config.tunnel, set.collect())
}

/// Every disputed point of the specification has a ruling, every ruling says who decided it, and every
/// refusal in one names the clause that refuses.
#[test]
fn every_disputed_point_has_a_ruling_with_its_authority() {
    let files = library::FILES.iter().chain(library::PARTS);
    let texts = files.filter(|file| file.text.contains("carcassonne"));
    let lines: Vec<&str> = texts
        .flat_map(|file| file.text.lines())
        .map(str::trim)
        .collect();
    let rulings: Vec<&str> = lines
        .iter()
        .filter_map(|it| it.strip_prefix("ruling "))
        .collect();
    for ruling in &rulings {
        assert!(
            ruling.contains(" cite ") && ruling.contains(" status "),
            "{ruling}"
        );
    }
    for line in lines.iter().filter(|it| it.starts_with("expect illegal ")) {
        assert!(line.contains(" by "), "{line}");
    }
    let points = (1..=35).map(|n| format!("CT-{n}"));
    let house_rules = (0..=4).map(|n| format!("V{n}"));
    for point in points.chain(house_rules).chain(["example".to_owned()]) {
        let is_there = rulings.iter().any(|it| {
            let rest = it.strip_prefix(point.as_str());
            rest.is_some_and(|it| it.starts_with([' ', '-']))
        });
        assert!(is_there, "{point} has no ruling");
    }
}

//! The whole component data is replaced by the amendments that `docs/box_data.md` shows.

use adit::engine::{Machine, Program, Status};
use adit::model::DomainKind;
use adit::model::text::Form;
use adit::pipeline::{self, Request};
use adit::source::Sources;

use super::{AGENDA, BASE, Luck, games};
use crate::command::adit;
use crate::fixtures::parts_of;

const PAGE: &str = "docs/box_data.md";
const GAMES: u64 = if cfg!(debug_assertions) { 5 } else { 200 };

/// Games are a few hundred choices long.
const MOST_CHOICES: u32 = 5_000;

fn text(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The rulebooks of the page: the data of the game, and that of the expansion.
fn examples() -> [String; 2] {
    let page = text(PAGE);
    let parts = page.split("```rules\n").skip(1);
    let examples: Vec<String> = parts
        .map(|part| part.split("```").next().unwrap().to_owned())
        .collect();
    examples.try_into().unwrap()
}

/// Reads the game with the expansion and these amendments.
pub fn read(amendments: &[String]) -> Result<Program, String> {
    let mut sources = Sources::new();
    let base = sources.add(BASE, text(BASE));
    let mut all = vec![sources.add(AGENDA, text(AGENDA))];
    for part in [BASE, AGENDA].iter().flat_map(|it| parts_of(it)) {
        all.push(sources.add(&part, text(&part)));
    }
    for (number, amendment) in amendments.iter().enumerate() {
        all.push(sources.add(format!("{PAGE}#{number}"), amendment));
    }
    let request = Request {
        base,
        amendments: all,
        ..Request::default()
    };
    let compiled = pipeline::compile(&sources, &request);
    if !compiled.diagnostics.is_empty() {
        return Err(adit::report::plain(&sources, &compiled.diagnostics));
    }
    let ready = adit::engine::compile(compiled.game.unwrap());
    ready.map_err(|found| adit::report::plain(&sources, &found))
}

#[test]
fn all_data_can_be_replaced_by_an_amendment() {
    let program = read(&examples()).unwrap_or_else(|said| panic!("{said}"));
    let assumed = program.game.clauses.iter().filter(|clause| {
        clause.status.as_deref() == Some("assumed") && clause.kind == adit::model::ClauseKind::Data
    });
    let assumed: Vec<&str> = assumed.map(|clause| clause.path.as_str()).collect();
    assert!(assumed.is_empty(), "still assumed: {assumed:?}");
    let (mut developed, mut ended) = (0, 0);
    for seed in 0..GAMES {
        let mut machine = Machine::new(&program);
        let mut luck = Luck::new(&program, seed);
        machine.start(&mut luck).unwrap();
        // Players who keep all money cards can leave none to develop, and then nothing goes on.
        for _ in 0..MOST_CHOICES {
            if machine.status() == Status::Ended {
                break;
            }
            let at = luck.pick(machine.moves().len());
            let mv = machine.moves()[at];
            developed += u32::from(machine.print(mv, Form::Plain) == "develop Better drill");
            machine.play_nth(at, &mut luck).unwrap();
        }
        ended += u64::from(machine.outcome().is_some());
    }
    assert!(developed > 0);
    assert!(10 * ended > 9 * GAMES, "{ended} of {GAMES} games end");
}

/// Rulings about cards that are gone are left out, the others stay.
#[test]
fn rulings_about_other_cards_lapse() {
    let [data, points] = examples();
    let program = read(&[data, points]).unwrap();
    let has = |id: &str| program.game.rulings.iter().any(|it| it.id == id);
    assert!(has("F9") && has("R-spaces"));
    assert!(!has("R-used-tokens") && !has("R-exhausted"));
}

#[test]
fn the_page_names_every_word_for_cards() {
    let page = text(PAGE);
    let (_, words) = page.split_once("## The words for cards").unwrap();
    let game = &games()[0].1.game;
    for list in ["Ability", "Cost"] {
        let domain = game.domains.iter().find(|it| it.name == list).unwrap();
        let DomainKind::Enum { values, .. } = &domain.kind else {
            panic!("{list} is a list of words")
        };
        for value in values {
            assert!(
                words.contains(&format!("`{}`", value.name)),
                "{}",
                value.name
            );
        }
    }
}

/// An ability that no token pays for (KQ-50): no assumed card has one, but a card of the example does.
const FREE_ABILITY: &str = r#"
variant free_ability "A disputed case of the invented cards" for my_box { }
ruling R-free-always "An ability that costs no token works once in every round" cite "an example" answers free_ability {
    given {
        from seed 1 at main.actions
        clear
        move Card(barter) from deck to works[france]
        use_up(france, barter)
    }
    expect Card(barter) in works[france]
    expect Card(barter) in done[france] under free_ability = single_use
}
"#;

#[test]
fn an_ability_that_costs_nothing_lasts_or_is_used_up() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [data, _] = examples();
    let files = [
        ("my_box.rules", data.as_str()),
        ("free_ability.rules", FREE_ABILITY),
    ];
    let with = files.map(|(name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        format!("--with {}", path.display())
    });
    let with = with.join(" ");
    for set in ["", "--set free_ability=single_use"] {
        let ran = adit(&format!(
            "rulings {BASE} R-free-always {with} {set} --plain"
        ));
        let line = ran.out.lines().find(|it| it.contains("R-free-always"));
        assert!(
            line.is_some_and(|it| it.starts_with("ok")),
            "{set}\n{}{}",
            ran.out,
            ran.err
        );
    }
    let wrong = FREE_ABILITY.replace("in works[france]", "in done[france]");
    std::fs::write(folder.join("free_ability.rules"), wrong).unwrap();
    let ran = adit(&format!("rulings {BASE} R-free-always {with} --plain"));
    let line = ran.out.lines().find(|it| it.contains("R-free-always"));
    assert!(line.is_some_and(|it| !it.starts_with("ok")), "{}", ran.out);
}

/// Replaces one piece of the example, which must then be refused with these words.
fn refused(old: &str, new: &str, words: &str) {
    let [data, points] = examples();
    assert!(data.contains(old), "{old}");
    let said = read(&[data.replacen(old, new, 1), points]).err();
    let said = said.unwrap_or_else(|| panic!("{new} is accepted"));
    assert!(said.contains(words), "{said}");
}

#[test]
fn data_that_cannot_be_is_refused() {
    refused(
        "    soil_e: topographical_analysis, place_one, 0, 3, tunnel\n",
        "",
        "soil_e",
    );
    refused(
        "crane: heavy_machinery",
        "crane: heavy_machines",
        "heavy_machines",
    );
    refused("    blue: 2\n", "    blue: 3\n", "20");
    refused("    purple, 1: 2\n", "    purple, 1: 1\n", "9");
    refused(
        "    plain, 2: 1\n",
        "    plain, 2: 0\n    purple, 2: 1\n",
        "plain",
    );
    refused("    room_5 \"Control room 5\",\n", "", "room_5");
    refused(
        "    france, lower, 2: 4, 2, disc = true\n",
        "",
        "space 2 has no row",
    );
    refused(
        "    france, upper: 4\n",
        "    france, upper: 3\n",
        "a row for space 4",
    );
    let belgium = "country_01: european_influence, free, 2, 2, ";
    let (known, unknown) = (format!("{belgium}plan"), format!("{belgium}development"));
    refused(&known, &unknown, "at the foot");
}

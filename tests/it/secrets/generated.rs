//! Two positions that a seat cannot tell apart give it equal outputs of every kind, in generated rulebooks.
//!
//! `ADIT_SECRETS=2000` looks at so many, from `ADIT_SEED` on; `ADIT_KEEP=FOLDER` keeps the rulebooks that tell something.
//! `ADIT_FILE=FILE` looks at that rulebook alone, with the luck of `ADIT_SEED`.

use adit::model::text::Form;
use std::collections::{BTreeMap, BTreeSet};

use adit::engine::{Dice, Event, Happened, Machine, Program, State, Status, Viewer};
use adit::model::Game;
use adit::play::spoken::Spoken;
use adit::play::{Session, board, explain, news, picture, tableau};

use super::header;
use crate::fixtures::rule_files;
use crate::generated::writer::{Shape, generate};
use crate::generated::{Looks, questions, run};
use crate::mutation::Numbers;

/// Choices after which a game is left.
const PLIES: usize = 12;
/// Moves of a position that are tried.
const MOVES: usize = 6;

/// Moves that are tried until one does not end in a fault.
const TRIES: usize = 8;

/// So many moves of a list are asked about.
const ASKED: usize = 100;

/// All that a seat is shown of a position, by kind.
pub(super) fn outputs(session: &mut Session<'_>, seat: u32) -> Vec<(&'static str, String)> {
    let viewer = Viewer::Seat(seat);
    let game = session.game();
    let mut shown = Vec::new();
    let view = session.machine().view(viewer);
    let nothing = tableau::Drawn::default();
    shown.push(("json", serde_json::to_string(&view).unwrap()));
    shown.push(("board", board::draw(game, &view, &nothing, false, 80)));
    shown.push((
        "facts of the board",
        format!("{:?}", board::facts(game, &view)),
    ));
    let machine = session.machine();
    let table = tableau::draw(machine, &view, &nothing, 80);
    shown.push(("table", format!("{table:?}")));
    if let Ok(spoken) = Spoken::of(machine, &view, Form::Spoken) {
        let parts = spoken.names().into_iter().flat_map(|it| spoken.about(it));
        let lines: Vec<String> = spoken.overview().into_iter().chain(parts).collect();
        shown.push(("spoken", lines.join("\n")));
        shown.push(("untold", format!("{:?}", spoken.untold())));
    }
    shown.push(("facts", format!("{:?}", tableau::facts(machine, viewer))));
    let scenes = picture::scenes(machine, &view, &[]).unwrap();
    let mut parts = tableau::parts(machine, &view, &nothing, 80).unwrap_or_default();
    parts.extend(board::parts(game, &view, &nothing, 80));
    let picture = picture::svg::draw(&scenes, "made", &parts, &BTreeSet::new());
    shown.push(("picture", picture));
    shown.push(("clause", format!("{:?}", machine.clause())));
    if session.status() == (Status::Choice { seat }) {
        let names = session.machine().names(Form::Plain);
        shown.push(("list", names.join("\n")));
        // To read a move goes through the whole list: of a long one a part is asked about.
        let apart = names.len().div_ceil(ASKED).max(1);
        let mut names: Vec<String> = names.into_iter().step_by(apart).collect();
        let actions = game.actions.iter().map(|it| it.name.clone());
        names.extend(actions.chain(["hue1", "1", "Card(hue1, 1)"].map(String::from)));
        for typed in names {
            let answer = explain::answer(session, &typed, Form::Plain);
            shown.push(("why", serde_json::to_string(&answer).unwrap()));
        }
    }
    let undo = match session.status() {
        Status::Choice { seat: own } if own == seat => session.undo_barrier(),
        _ => None,
    };
    shown.push((
        "undo",
        format!("{:?}", undo.map(|it| it.message(game, Form::Signs))),
    ));
    shown
}

/// What a seat saw on the way from one table to the next.
pub(super) fn seen(game: &Game, seat: u32, events: &[Event]) -> Vec<(usize, usize, i64)> {
    let saw = |it: &&Event| match it.what {
        Happened::Taken | Happened::Laid => it.is_seen_by_rule(game, seat),
        Happened::Forgotten(_) | Happened::Poured { .. } => false,
        Happened::Shown(who) => who.is_none_or(|it| it == seat),
    };
    let events = events.iter().filter(saw);
    events
        .map(|it| (it.zone.index(), it.place, it.kind))
        .collect()
}

/// A move that was played.
struct Played {
    /// All that the seat saw by it, and the line in which it is told.
    saw: String,
    line: String,
    outputs: Vec<(&'static str, String)>,
}

fn at<'p>(program: &'p Program, state: &State) -> Session<'p> {
    let mut machine = Machine::new(program);
    machine.load(state);
    Session::at(program, header(program, 7), machine)
}

/// Plays a move; none where the rules stop with a fault.
fn played(program: &Program, state: &State, seat: u32, nth: usize) -> Option<Played> {
    let mut session = at(program, state);
    let before = news::look_at_table(session.machine(), seat, Form::Plain);
    let chosen = *session.machine().moves().get(nth)?;
    let Status::Choice { seat: by } = session.status() else {
        return None;
    };
    let line = session
        .machine()
        .print_for(&[Viewer::Seat(seat)], chosen, Form::Plain);
    // What others chose at the same time comes to light with the last of the choices.
    let mut waited: Vec<String> = Vec::new();
    for (_, mv) in session.machine().pending() {
        let machine = session.machine();
        waited.push(machine.print_for(&[Viewer::Seat(seat)], mv, Form::Plain));
    }
    session.play(chosen).ok()?;
    if session.machine().is_together() {
        waited.clear();
    }
    let after = news::look_at_table(session.machine(), seat, Form::Plain);
    let (game, events) = (session.game(), session.events());
    let sights = [&before, &after];
    let done = [(by, line.clone())];
    let news = news::told(game, sights, events, session.told(), &done, Form::Plain);
    let saw = seen(game, seat, events);
    let view = session.machine().view(Viewer::Seat(seat));
    let mut all = vec![
        ("line", line.clone()),
        ("news", news::in_line(&news, Form::Plain)),
    ];
    all.extend(outputs(&mut session, seat));
    Some(Played {
        saw: format!("{saw:?} {view:?} {waited:?}"),
        line,
        outputs: all,
    })
}

/// What came of many.
#[derive(Default, Debug)]
struct Tally {
    played: usize,
    positions: usize,
    pairs: usize,
    moves: usize,
    /// Moves by which the seat saw the same.
    alike: usize,
    /// Pairs of choices that the seat is told in the same words.
    silent: usize,
    /// Deals that differ from what lay there.
    other_deals: usize,
    /// Rulebooks that hold a leak in a line of their own, which is left out.
    refused: BTreeMap<&'static str, usize>,
    not_accepted: usize,
    differed: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

/// Returns what differs first.
fn different(
    one: &[(&'static str, String)],
    other: &[(&'static str, String)],
) -> Option<(&'static str, String)> {
    let mut both = one.iter().zip(other);
    if let Some((a, b)) = both.find(|(a, b)| a != b) {
        return Some((a.0, format!("{}\n-- or\n{}", a.1, b.1)));
    }
    (one.len() != other.len()).then(|| ("number of outputs", String::new()))
}

impl Tally {
    /// Plays a rulebook and compares; returns where something was told.
    fn compare(&mut self, seed: u64, program: &Program) -> Option<(&'static str, String)> {
        let mut machine = Machine::new(program);
        let mut dice = Dice::new(seed);
        if machine.start(&mut dice).is_err() {
            return None;
        }
        let mut pick = Numbers::new(seed + 1);
        for _ in 0..PLIES {
            let Status::Choice { seat: chooser } = machine.status() else {
                break;
            };
            self.positions += 1;
            let state = machine.save();
            for seat in 0..program.game.n_seats {
                let mut other = Machine::new(program);
                other.load(&state);
                if !other.redeal(seat, &mut Dice::new(seed * 31 + u64::from(seat))) {
                    continue;
                }
                let dealt = other.save();
                self.pairs += 1;
                if dealt == state {
                    continue;
                }
                self.other_deals += 1;
                let viewer = Viewer::Seat(seat);
                let [one, two] = [&state, &dealt].map(|it| outputs(&mut at(program, it), seat));
                let told = |kind, what| Some((kind, format!("{seat} of {chooser}: {what}")));
                if machine.view(viewer) != other.view(viewer) {
                    return told("view", "the redeal".into());
                }
                if let Some((kind, what)) = different(&one, &two) {
                    return told(kind, what);
                }
                let many = machine.moves().len();
                for _ in 0..many.min(MOVES) {
                    let nth = pick.below(many);
                    if machine.moves().get(nth) != other.moves().get(nth) {
                        continue;
                    }
                    let one = played(program, &state, seat, nth);
                    let (Some(one), Some(two)) = (one, played(program, &dealt, seat, nth)) else {
                        continue;
                    };
                    // Another choice that the seat is told in the same words.
                    let other_nth = pick.below(many);
                    if chooser != seat
                        && other_nth != nth
                        && let Some(three) = played(program, &state, seat, other_nth)
                        && (&one.saw, &one.line) == (&three.saw, &three.line)
                    {
                        self.silent += 1;
                        if let Some((kind, what)) = different(&one.outputs, &three.outputs) {
                            let moves = [nth, other_nth].map(|it| machine.moves()[it]);
                            let [a, b] = moves.map(|it| machine.print(it, Form::Plain));
                            let line = &one.line;
                            return told(kind, format!("by {a} or {b}, told as `{line}`\n{what}"));
                        }
                    }
                    self.moves += 1;
                    if one.saw != two.saw {
                        continue;
                    }
                    self.alike += 1;
                    if let Some((kind, what)) = different(&one.outputs, &two.outputs) {
                        let mv = machine.print(machine.moves()[nth], Form::Plain);
                        return told(kind, format!("by {mv}\n{what}"));
                    }
                }
            }
            // Many a move of these ends in a fault.
            let many = machine.moves().len();
            let mut tries = (0..TRIES).map(|_| pick.below(many));
            if !tries.any(|nth| machine.play_nth(nth, &mut dice).is_ok()) {
                break;
            }
        }
        None
    }
}

impl Looks for Tally {
    fn look(&mut self, seed: u64) {
        let shape = Shape {
            secrets: true,
            ..Shape::default()
        };
        self.look_at(generate(seed, &shape), seed);
    }

    fn look_at(&mut self, text: String, seed: u64) {
        let accepted = questions::accepted(&text, &mut self.refused);
        let program = accepted.and_then(|(text, game)| {
            let program = adit::engine::compile(game).ok()?;
            Some((text, program))
        });
        let Some((text, program)) = program else {
            self.not_accepted += 1;
            return;
        };
        self.played += 1;
        if let Some((kind, what)) = self.compare(seed, &program) {
            *self.differed.entry(kind).or_default() += 1;
            if let Ok(folder) = std::env::var("ADIT_KEEP") {
                std::fs::write(format!("{folder}/{seed}.rules"), &text).unwrap();
            }
            self.wrong.push(format!("seed {seed}, {kind}: {what}"));
        }
    }

    fn done(&self) -> u64 {
        self.played as u64
    }

    fn wrong(&mut self) -> &mut Vec<String> {
        &mut self.wrong
    }
}

#[test]
fn positions_that_look_alike_are_told_alike() {
    run::<Tally>("ADIT_SECRETS", 6, 12, 60);
}

/// Rulebooks that told something once, made short.
#[test]
fn what_was_told_once_is_told_no_more() {
    let mut tally = Tally::default();
    let files = rule_files("tests/fixtures/secrets/differed");
    for path in &files {
        let text = std::fs::read_to_string(path).unwrap();
        for seed in 0..8 {
            tally.look_at(text.clone(), seed);
        }
    }
    assert_eq!(tally.played, 8 * files.len(), "{tally:?}");
    assert!(tally.alike > 0, "{tally:?}");
    assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
}

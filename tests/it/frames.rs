//! What a person sees of a game on the screen of a terminal, read through a terminal emulator.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

use adit::engine::text::{print_index, print_value};
use adit::engine::{
    Dice, Event, Happened, Machine, Move, Program, Seen, Status, TrackValue, View, Viewer,
};
use adit::library;
use adit::model::text::Form;
use adit::model::{Base, Game, ShownWhat, Type, Visibility};
use adit::play::figures::{main_figure, score};
use adit::play::history::history;
use adit::play::transcript::Transcript;
use adit::play::{Compare, Happening, Session, each_choice, news, replay, seat_name, tableau};
use adit::syntax::{ast::HeaderKind, parse_header};

use crate::command::adit_answering;
use crate::fixtures::{compiled, width};

const LAND: &str = "rules/carcassonne.rules";
const TUNNEL: &str = "rules/carcassonne_tunnel.rules";
const AGENDA: &str = "rules/channel_tunnel_agenda.rules";
/// Amendments, and what they amend.
const AMENDED: [(&str, &str); 2] = [(TUNNEL, LAND), (AGENDA, "rules/channel_tunnel.rules")];

const SIZES: [(usize, usize); 3] = [(80, 24), (100, 30), (60, 24)];

/// Lines of moves below a table, at most.
const MOST_LINES: usize = 6;

/// What stands on the screen when a person is asked, and what was written since it was asked last.
struct Frame {
    lines: Vec<String>,
    said: String,
}

impl Frame {
    /// All that stands there, with one blank between words.
    fn words(&self) -> String {
        in_words(&self.lines.join(" "))
    }
}

fn in_words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn luck(of: &mut u64) -> usize {
    *of = of
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*of >> 33) as usize
}

/// The names in a list of moves, which may stand in columns, or go on in the next line.
fn listed(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|it| it.starts_with(' '));
    let words = lines.flat_map(|it| it.split("  ")).map(str::trim);
    let mut named: BTreeMap<usize, String> = BTreeMap::new();
    let mut last = None;
    for word in words.filter(|it| !it.is_empty()) {
        match (last, word.parse()) {
            (Some(n), _) if !named.contains_key(&n) => _ = named.insert(n, word.to_owned()),
            (_, Ok(n)) => last = Some(n),
            (Some(n), Err(_)) => *named.entry(n).or_default() += &format!(" {word}"),
            (None, Err(_)) => {}
        }
    }
    named.into_values().collect()
}

#[test]
fn a_name_that_goes_on_in_the_next_line_is_read_whole() {
    let list = "  1  take a disc back from\n     Finance\n  2  done   3  4\nfrance> ";
    assert_eq!(listed(list), ["take a disc back from Finance", "done", "4"]);
}

/// A text without its colours.
pub(crate) fn strip(text: &str) -> String {
    let mut in_style = false;
    let kept = text.chars().filter(|letter| {
        let starts = *letter == '\u{1b}';
        let is_kept = !starts && !in_style;
        in_style = starts || in_style && *letter != 'm';
        is_kept
    });
    kept.collect()
}

/// A game of a person on one seat, who chooses at random, so often at most.
struct Watched {
    program: Program,
    transcript: Transcript,
    frames: Vec<Frame>,
    seat: u32,
    at: String,
}

fn watch(game: &str, seat: u32, size: (usize, usize), seed: u64, most: u64) -> Watched {
    let amended = AMENDED.iter().find(|it| it.0 == game);
    let (base, amendments) = amended.map_or((game, Vec::new()), |it| (it.1, vec![game]));
    let (_, compiled) = compiled(base, &amendments, &[], None);
    let rules = compiled.game.expect("a game");
    let own = seat_name(&rules, seat, Form::Signs);
    let seats = (0..rules.n_seats).map(|it| if it == seat { "human" } else { "random" });
    let seats = seats.collect::<Vec<_>>().join(",");
    let name = game.rsplit('/').next().unwrap();
    let (folder, n) = (env!("CARGO_TARGET_TMPDIR"), size.0);
    let journal = format!("{folder}/frames_{name}.jsonl");
    let _ = std::fs::remove_file(&journal);
    let line = format!("play {game} --seats {seats} --seed {seed} --journal {journal}");
    let at = format!("{line} at {n}x{}", size.1);
    let of = |n: usize| NonZero::new(n as u16).unwrap();
    let mut parser = vt100::Parser::new(of(size.1), of(size.0), 0);
    let mut chance = seed;
    let mut frames: Vec<Frame> = Vec::new();
    let mut typed = String::new();
    let ran = adit_answering(size, &line, |new| {
        parser.process(format!("{typed}\r\n").as_bytes());
        parser.process(new.replace('\n', "\r\n").as_bytes());
        let new = strip(new);
        if new.ends_with("over> ") {
            return None;
        }
        if typed == "list" {
            let moves = listed(&new);
            assert!(!moves.is_empty(), "{at}\n{new}");
            typed = moves[luck(&mut chance) % moves.len()].clone();
            return Some(typed.clone());
        }
        let screen = parser.screen();
        let lines: Vec<String> = screen.rows(0, of(size.0).get()).collect();
        let all = lines.join("\n");
        let prompt = format!("{own}>");
        assert!(lines.last().unwrap().starts_with(&prompt), "{at}\n{all}");
        assert!(lines[0].contains(" (you)"), "{at}\n{all}");
        assert_eq!(
            usize::from(screen.cursor_position().0) + 1,
            size.1,
            "{at}\n{all}"
        );
        assert!(
            (0..of(size.1).get()).all(|row| !screen.row_wrapped(row)),
            "{at}\n{all}"
        );
        frames.push(Frame { lines, said: new });
        typed = String::from("list");
        (frames.len() < most as usize).then(|| typed.clone())
    });
    assert!(!frames.is_empty(), "{at}\n{}{}", ran.out, ran.err);
    let transcript = Transcript::read(&std::fs::read_to_string(&journal).unwrap()).unwrap();
    let program = adit::engine::compile(rules).unwrap();
    Watched {
        program,
        transcript,
        frames,
        seat,
        at,
    }
}

impl Watched {
    /// Goes through the game again and calls with each position, what is played there, and the frame that shows it if there is one.
    fn each(&self, look: &mut dyn FnMut(&mut Session<'_>, Move, Option<&Frame>)) {
        let whole = replay(&self.program, &self.transcript, Compare::Bytes).unwrap();
        let mut frames = self.frames.iter();
        each_choice(&self.program, &whole, &mut |session, happening| {
            if let Happening::Choice(chosen) = happening {
                let is_asked = chosen.seat == self.seat && session.machine().moves().len() > 1;
                let frame = is_asked.then(|| frames.next().expect(&self.at));
                look(session, chosen.played, frame);
            }
            Ok(true)
        })
        .unwrap();
    }
}

impl Watched {
    /// All that `score` tells of a figure is how it came to be what it is.
    fn score_adds_up(&self) {
        let rules: &Game = &self.program.game;
        let mut whole = replay(&self.program, &self.transcript, Compare::Bytes).unwrap();
        let mut begun = Session::start(&self.program, whole.header().clone()).unwrap();
        let [before, after] = [&mut begun, &mut whole].map(|session| {
            let view = session.machine().view(Viewer::Seat(self.seat));
            score(session.machine(), &view, Form::Signs).unwrap()
        });
        let told = history(&self.program, &whole, self.seat, Form::Signs).unwrap();
        let told: Vec<&news::Changed> = told
            .iter()
            .flat_map(|it| &it.gained)
            .filter_map(|it| it.change.as_ref())
            .collect();
        // An ending that ranks by nothing leaves no figure to be won by, and all numbers on the table are told.
        if after.title.is_none() && before.title.is_some() {
            return;
        }
        assert_eq!(before.title, after.title, "{} of {}", self.at, rules.title);
        let both = before.figures.iter().zip(&after.figures).zip(after.names());
        for (((_, before), (_, after)), name) in both {
            let (Ok(before), Ok(after)) = (before.parse::<i64>(), after.parse::<i64>()) else {
                continue;
            };
            let own = told.iter().filter(|it| it.of == name);
            let all = own.fold(before, |sum, it| {
                assert_eq!(sum + it.by, it.to, "{it:?}: {}", self.at);
                it.to
            });
            assert_eq!(all, after, "{name}: {}", self.at);
        }
    }

    /// By choice what the seat is told of numbers. For the first two seats, all that either is told of a number is its change.
    fn told_of_numbers(&self) -> Vec<Vec<String>> {
        let rules: &Game = &self.program.game;
        let whole = replay(&self.program, &self.transcript, Compare::Bytes).unwrap();
        let mut all = Vec::new();
        let (mut stood, mut done) = (Vec::new(), Vec::new());
        each_choice(&self.program, &whole, &mut |session, happening| {
            let seats = [self.seat, 1 - self.seat.min(1)];
            let looks = seats.map(|seat| {
                let sight = news::look_at_table(session.machine(), seat, Form::Signs);
                (sight, numbers(session, seat))
            });
            match happening {
                Happening::Choice(chosen) => {
                    let machine = session.machine();
                    let viewer = [Viewer::Seat(self.seat)];
                    let words = machine.print_for(&viewer, chosen.played, Form::Signs);
                    done = vec![(chosen.seat, words)];
                }
                Happening::Made => {
                    let (events, heard) = (session.events(), session.told());
                    let told = std::mem::take(&mut stood).into_iter().zip(&looks);
                    let told = told.map(|((before, old), (after, now)): ((news::Sight, _), _)| {
                        let sights = [&before, after];
                        let news = news::told(rules, sights, events, heard, &done, Form::Signs);
                        let news: Vec<String> = news.into_iter().map(|it| it.text).collect();
                        accounted(&news, &old, now, &self.at)
                    });
                    all.extend(told.collect::<Vec<_>>().into_iter().next());
                }
                Happening::Undone => panic!("{}: nothing is taken back", self.at),
            }
            stood = looks.into();
            Ok(true)
        })
        .unwrap();
        all
    }
}

/// What of the components in zones of its own only this seat sees.
fn own_hand(game: &Game, view: &View, seat: u32) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for shown in &game.shown {
        let ShownWhat::Zone(id) = shown.what else {
            continue;
        };
        let zone = &game.zones[id.index()];
        let is_own = zone.index.first() == Some(&game.seat)
            && matches!(zone.visibility, Visibility::Owner(_));
        for place in &view.zones[id.index()].places {
            if is_own && place.index.first() == Some(&(seat as usize)) {
                for seen in &place.seen {
                    if let Seen::Known(kind) = seen {
                        let ty = Type::of(Base::Elem(zone.component));
                        names.insert(print_value(game, ty, *kind, Form::Signs));
                    }
                }
            }
        }
    }
    names
}

/// All numbers that a seat sees under a name, with what they are called when they change.
fn numbers(session: &mut Session<'_>, seat: u32) -> BTreeMap<String, String> {
    let game = session.game();
    let machine = session.machine();
    let view = machine.view(Viewer::Seat(seat));
    let facts = tableau::facts(machine, Viewer::Seat(seat)).unwrap();
    let mut numbers = BTreeMap::new();
    for shown in game.shown.iter().filter(|it| !it.label.is_empty()) {
        let label = &shown.label;
        match shown.what {
            ShownWhat::Track(id) => {
                let track = &game.tracks[id.index()];
                let values = view.tracks[id.index()].values.iter().enumerate();
                for (at, value) in values {
                    let Some(TrackValue::Scalar(value)) = value else {
                        continue;
                    };
                    let place = print_index(game, &track.index, at, Form::Signs).replace(", ", " ");
                    let of_seat = track.index.first() == Some(&game.seat);
                    let (owner, rest) = place.split_once(' ').unwrap_or((&place, ""));
                    let name = match of_seat {
                        true => format!("{owner} {label} {rest}"),
                        false => format!("{label} {place}"),
                    };
                    if matches!(track.ty.base, Base::Int(..)) {
                        numbers.insert(in_words(&name), value.to_string());
                    }
                }
            }
            ShownWhat::Define(id) => {
                let define = &game.defines[id.index()];
                for (address, value) in &facts {
                    let own = address
                        .strip_prefix(&define.name)
                        .map(|it| it.trim_matches(['[', ']']));
                    if matches!(define.ty.base, Base::Int(..))
                        && let Some(place) = own
                    {
                        numbers.insert(in_words(&format!("{place} {label}")), value.clone());
                    }
                }
            }
            ShownWhat::Zone(_) | ShownWhat::Table(_) => {}
        }
    }
    // What it is won by stands in the first line.
    if let Some((title, figures)) = main_figure(machine, &view).unwrap() {
        for (of, figure) in (0..).zip(figures) {
            let name = format!("{} {title}", seat_name(game, of, Form::Signs));
            numbers.insert(name, figure);
        }
    }
    numbers
}

/// The names of all components that a view shows.
fn things(game: &Game, view: &View) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (zone, seen) in game.zones.iter().zip(&view.zones) {
        let ty = Type::of(Base::Elem(zone.component));
        for seen in seen.places.iter().flat_map(|it| &it.seen) {
            if let Seen::Known(kind) = seen {
                names.insert(print_value(game, ty, *kind, Form::Signs));
            }
        }
    }
    names
}

/// The names of the components that a seat saw come, go or shown.
fn passing(game: &Game, events: &[Event], seat: u32) -> Vec<String> {
    let is_seen = |it: &&Event| match it.what {
        Happened::Shown(who) => who.is_none_or(|it| it == seat),
        Happened::Laid | Happened::Taken => it.is_seen_by_rule(game, seat),
        Happened::Forgotten(_) | Happened::Poured { .. } => false,
    };
    let named = events.iter().filter(is_seen).map(|it| {
        let ty = Type::of(Base::Elem(game.zones[it.zone.index()].component));
        print_value(game, ty, it.kind, Form::Signs)
    });
    named.collect()
}

/// Whether a name stands in a text as a word.
fn names(text: &str, name: &str) -> bool {
    let is_end = |letter: Option<char>| letter.is_none_or(|it| !it.is_alphanumeric());
    text.match_indices(name).any(|(at, _)| {
        is_end(text[..at].chars().next_back()) && is_end(text[at + name.len()..].chars().next())
    })
}

/// The news of numbers: by how much each has changed, as often as it did, and what it is in the end. All of that together
/// is the change.
fn accounted(
    news: &[String],
    old: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
    at: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in now {
        let before = old.get(name).and_then(|it| it.parse::<i64>().ok());
        let after = value.parse::<i64>().ok();
        let (Some(before), Some(after)) = (before, after) else {
            continue;
        };
        let mut last = before;
        for told in news {
            let words = in_words(told);
            let Some(rest) = words.strip_prefix(&format!("{name} ")) else {
                continue;
            };
            let number = rest.split([' ', ':']).next().unwrap_or_default();
            let Ok(number) = number.parse::<i64>() else {
                continue;
            };
            let change = rest.split_once(" (").and_then(|it| it.1.split_once(')'));
            if let Some(change) = change.and_then(|it| it.0.parse::<i64>().ok()) {
                assert_eq!(last + change, number, "{told}, before it {last}: {at}");
            }
            assert_ne!(last, number, "{told}, before it {last}: {at}");
            last = number;
            found.push(told.clone());
        }
        assert_eq!(last, after, "{name} was {before}: {at}\n{news:?}");
    }
    found
}

/// What a person is asked, in the words of the clause or of what that is a part of.
fn question(machine: &Machine<'_>) -> String {
    let clause = machine.clause().expect("somebody is asked");
    let clauses = &machine.program().game.clauses;
    let path = clauses[clause.index()].path.as_str();
    let said = |path: &str| {
        let mut said = clauses.iter().filter(|it| it.path == path);
        said.find(|it| !it.text.is_empty())
            .map(|it| it.text.clone())
    };
    let ends = path.match_indices('.').rev().map(|(at, _)| &path[..at]);
    // Where one thing is all that can be done, what is said of that.
    let of_action = || match machine.actions_named().as_slice() {
        [only] => {
            let action = machine.program().game.actions[only.index()].clause;
            Some(clauses[action.index()].text.clone()).filter(|it| !it.is_empty())
        }
        _ => None,
    };
    let said = std::iter::once(path).chain(ends).find_map(said);
    said.or_else(of_action)
        .unwrap_or_else(|| panic!("nothing is said of what is asked at {path}"))
}

/// Whoever plays a shipped game reads at each choice what it is about.
#[test]
fn each_choice_of_a_shipped_game_has_its_words() {
    for file in library::FILES {
        let mut files = vec![*file];
        while let Some(header) = parse_header(files[0].text)
            && let HeaderKind::Amendment { base, .. } = header.kind
        {
            files.insert(0, library::find(base.as_str()).expect("what it amends"));
        }
        let paths: Vec<&str> = files.iter().map(|it| it.path).collect();
        let (_, compiled) = compiled(paths[0], &paths[1..], &[], None);
        let program = adit::engine::compile(compiled.game.expect("a game")).expect("a program");
        let mut machine = Machine::new(&program);
        let (mut dice, mut of) = (Dice::new(7), 7);
        machine.start(&mut dice).expect("a beginning");
        for _ in 0..width(80, 400, 1_000) {
            if machine.status() == Status::Ended {
                break;
            }
            question(&machine);
            let at = luck(&mut of) % machine.moves().len();
            machine.play_nth(at, &mut dice).expect("a legal move");
        }
    }
}

/// How often a person was asked, and how often six lines had no room for all words.
#[derive(Default)]
struct Asked {
    all: usize,
    cut: usize,
}

fn check(game: &str, seat: u32, size: (usize, usize), seed: u64, most: u64, asked: &mut Asked) {
    let watched = watch(game, seat, size, seed, most);
    let (at, rules): (_, &Game) = (&watched.at, &watched.program.game);
    let rivals: Vec<String> = (0..rules.n_seats)
        .filter(|it| *it != seat)
        .map(|it| seat_name(rules, it, Form::Signs))
        .collect();
    watched.score_adds_up();
    let mut told = watched.told_of_numbers().into_iter();
    let mut told_since: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut rival = None;
    watched.each(&mut |session, played, frame| {
        let viewer = Viewer::Seat(seat);
        let news = told.next().expect(at);
        let view = session.machine().view(viewer);
        seen.extend(things(rules, &view));
        seen.extend(passing(rules, session.events(), seat));
        let words = session.machine().print_for(&[viewer], played, Form::Signs);
        let unseen = things(rules, &session.machine().view(Viewer::Referee));
        if let Some(frame) = frame {
            let all = frame.lines.join("\n");
            // Of one sign there may be another meaning.
            let unseen = unseen.difference(&seen).filter(|it| it.chars().count() > 1);
            for name in unseen {
                assert!(!names(&all, name), "{name} was never seen: {at}\n{all}");
            }
        }
        seen.extend(unseen.into_iter().filter(|it| names(&words, it)));
        let before = std::mem::replace(&mut told_since, news);
        let Some(frame) = frame else {
            told_since.splice(0..0, before);
            return;
        };
        let all = frame.lines.join("\n");
        let words = frame.words();
        if let Some((_, figures)) = main_figure(session.machine(), &view).unwrap() {
            for (of, figure) in (0..).zip(figures) {
                let name = seat_name(rules, of, Form::Signs);
                let you = if of == seat { " (you)" } else { "" };
                let told = format!("{name}{you} {figure}");
                assert!(frame.lines[0].contains(&told), "{told}: {at}\n{all}");
            }
        }
        for name in own_hand(rules, &view, seat) {
            let first = name.split(' ').next().unwrap();
            assert!(names(&all, first), "{name} of the own hand: {at}\n{all}");
        }
        let mut moves = frame.said.lines().filter(|it| {
            rivals
                .iter()
                .any(|rival| it.starts_with(&format!("{rival}: ")))
        });
        rival = moves.next_back().map(str::to_owned).or(rival.take());
        if let Some(rival) = &rival {
            let begun: Vec<&str> = rival.split_whitespace().take(2).collect();
            assert!(words.contains(&begun.join(" ")), "{rival}: {at}\n{all}");
        }
        let said = in_words(&frame.said);
        for told in before {
            assert!(said.contains(&in_words(&told)), "{told}: {at}\n{said}");
        }
        // It stands in a line, or in two of which the second may be cut.
        let text = question(session.machine());
        let ends = frame.lines.iter().zip(&frame.lines[1..]);
        let question = ends.enumerate().rev().find_map(|(nth, (line, next))| {
            let rest = text.strip_prefix(line.trim_end())?.trim_start();
            if line.trim_end() == text {
                return Some(nth);
            }
            let next = next.trim_end().trim_end_matches('…');
            (rest.starts_with(next) && 2 * line.len() > size.0).then_some(nth + 1)
        });
        let question = question.unwrap_or_else(|| panic!("{text}: {at}\n{all}"));
        let moves = &frame.lines[question + 1..frame.lines.len() - 1];
        assert!(moves.len() <= MOST_LINES, "{at}\n{all}");
        asked.all += 1;
        asked.cut += usize::from(moves.iter().any(|it| it.contains('…')));
    });
}

/// Games of each size: one, or as many as are asked for; over all of them from both seats.
fn check_all(path: &str, most_cut: f64) {
    let asked = std::env::var("ADIT_FRAMES").ok();
    let n_games = asked.map_or(1, |it| it.parse().expect("a number of games"));
    let most = width(8, 10_000, 10_000);
    let mut asked = Asked::default();
    for (at, size) in (0..).zip(SIZES) {
        for n in 0..n_games {
            let seat = u32::try_from((n + at) % 2).unwrap();
            check(path, seat, size, n + 3, most, &mut asked);
        }
    }
    let Asked { all, cut } = asked;
    println!("{path}: words left out at {cut} of {all} choices");
    assert!(cut as f64 <= most_cut * all as f64, "{cut} of {all}");
}

#[test]
fn what_was_just_turned_over_is_seen_when_it_is_asked_about() {
    let frames: Vec<Frame> = (1..=width(1, 2, 8))
        .flat_map(|seed| watch(AGENDA, 0, (80, 24), seed, 10_000).frames)
        .collect();
    let asked = frames
        .iter()
        .filter(|it| it.words().contains("· refuse the agenda card"));
    let asked: Vec<&Frame> = asked.collect();
    assert!(!asked.is_empty());
    for frame in asked {
        let all = frame.lines.join("\n");
        // Where the table has no room for it, the news still says it.
        let shown = frame.lines.iter().take_while(|it| !it.starts_with("more:"));
        let is_seen = |line: &String| line.contains("agenda card drawn");
        assert!(shown.into_iter().any(is_seen), "{all}");
    }
}

#[test]
fn tunnels_on_a_screen() {
    check_all("rules/tunnels.rules", 0.02);
}

#[test]
fn carcassonne_on_a_screen() {
    check_all(LAND, 0.05);
}

#[test]
fn carcassonne_with_the_tunnel_on_a_screen() {
    check_all(TUNNEL, 0.05);
}

#[test]
fn channel_tunnel_on_a_screen() {
    check_all("rules/channel_tunnel.rules", 0.02);
}

#[test]
fn backgammon_on_a_screen() {
    check_all("rules/classics/backgammon.rules", 0.02);
}

#[test]
fn othello_on_a_screen() {
    check_all("rules/classics/othello.rules", 0.02);
}

#[test]
fn a_card_of_each_on_a_screen() {
    check_all("rules/classics/leduc_poker.rules", 0.02);
}

#[test]
fn partners_on_a_screen() {
    check_all("rules/classics/whist.rules", 0.02);
}

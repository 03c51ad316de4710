//! A line of play as a ruling.

use super::{CITE, findings, is_sound, laid_out, quoted, read, unwritten};
use crate::cli::CliError;
use crate::cli::load::{self, Asked, Loaded};
use crate::cli::position;
use crate::engine::text::{print_index, print_value};
use crate::engine::{
    Alternative, Candidate, CandidateKind, Machine, Move, Reading, Status, TrackValue, Viewer,
};
use crate::model::text::{Form, field_value, fields_of, name_of};
use crate::model::{Alike, Base, DomainId, DomainKind, Shape};
use crate::play::explain::{self, Says};
use crate::play::transcript::{Header, Record, Transcript};
use crate::play::{Session, fixed_outcomes, seat_name, typed};
use crate::ruling::{self, run_some};
use crate::source::Sources;

/// A ruling that is asked for.
pub struct RulingAsked<'a> {
    /// Its id.
    pub id: &'a str,
    /// The transcript.
    pub from: &'a str,
    /// The rules that judge the last move.
    pub rules: Option<&'a str>,
    /// What it says.
    pub title: Option<&'a str>,
}

/// So many seeds are looked through for one that gives the line its luck.
const SEEDS: u64 = 2_000;

/// Writes a line of play down as a ruling.
pub fn ruling(asked: &RulingAsked<'_>) -> Result<String, CliError> {
    let text = load::read_text(asked.from)?;
    let transcript = Transcript::read(&text)
        .map_err(|problem| CliError::about(&Sources::new(), &problem, asked.from, &text))?;
    let played = Asked::by(&transcript.header, asked.from, None)?;
    let (rules, own) = match asked.rules {
        None => (played, None),
        Some(game) => {
            let rules = Asked {
                game: game.to_owned(),
                seats: played.seats,
                ..Asked::default()
            };
            (rules, Some(played))
        }
    };
    let loaded = load::load(rules)?;
    let records = transcript.lines.iter();
    let records = records.filter_map(|line| Record::read(line, 0).ok());
    let moves = records.filter_map(|it| match it {
        Record::Choice(it) => Some((it.seat, it.played?)),
        _ => None,
    });
    let moves: Vec<(String, String)> = moves.collect();
    let Some((last, before)) = moves.split_last() else {
        let help = "name a line that has a move";
        return Err(unwritten(format!("`{}` holds no move", asked.from), help));
    };
    let line = (&transcript, before, last);
    let Some(happened) = Told::of(&loaded, line)? else {
        let message = format!(
            "under these rules `{}` does not lead to its last move, or nothing like `{}` is offered there",
            asked.from, last.1
        );
        let help = "a ruling says that a move is legal or that a clause forbids it; name the rules of the line, or write `expect` of what there is";
        return Err(unwritten(message, help));
    };
    let other = match own {
        None => None,
        Some(own) => Some(others(load::load(own)?, &loaded)?),
    };
    let alike = match other.flatten() {
        None => None,
        Some(other) => Told::of(&other, line)?,
    };
    let Some(expected) = happened.expected(alike.as_ref()) else {
        let message = format!(
            "with the rule and without it the last move of `{}` may be played; who is to choose behind it, how the game has ended, who has won and what all see counted is the same",
            asked.from
        );
        let help = "what is different may be what lies where, or what was done before: write `when` with that move, and `expect` of what there is";
        return Err(unwritten(message, help));
    };
    let from = transcript.header.seed.unwrap_or(0);
    let seeds = std::iter::once(from).chain(0..SEEDS);
    for seed in seeds {
        let told = Told::with(&loaded, seed, before, last);
        if told.is_none_or(|it| it != happened) {
            continue;
        }
        let title = match asked.title {
            Some(title) => quoted(title)?,
            None => happened.title.clone(),
        };
        let lines = [happened.before.as_slice(), &expected].concat().join("\n");
        let text = format!(
            "ruling {} \"{title}\" {CITE} {{\ngiven {{ from seed {seed} }}\n{lines}\n}}\n",
            asked.id
        );
        let part = part_of(&loaded, &text)?;
        if holds(&loaded, asked.id, &part)? {
            let (_, own) = part.split_once("\n\n").unwrap_or(("", &part));
            return Ok(own.to_owned());
        }
    }
    let message = format!(
        "no seed below {SEEDS} leads along `{}` so that its last move is judged as it was",
        asked.from
    );
    let help = "a ruling begins with a seed: write down where what lies instead, `adit explain J0975` shows how";
    Err(unwritten(message, help))
}

/// The rules from which those of a ruling are to be told: those of the line, or, where these are the same, what they change.
fn others(own: Loaded, loaded: &Loaded) -> Result<Option<Loaded>, CliError> {
    if own.program.game.hash != loaded.program.game.hash {
        return Ok(Some(own));
    }
    let mut asked = loaded.asked.clone();
    if asked.amendments.pop().is_none() {
        return Ok(None);
    }
    load::load(asked.with_own_settings()?).map(Some)
}

/// A line of play: as it was kept, its moves but for the last one, and that.
type Line<'a> = (&'a Transcript, &'a [(String, String)], &'a (String, String));

/// A line in the words of a ruling.
#[derive(PartialEq, Eq)]
struct Told {
    before: Vec<String>,
    /// The last move, by whom.
    last: String,
    verdict: Verdict,
    title: String,
    /// What each clause says of the last move: what is legal for another reason is another case.
    judged: Vec<(String, Says)>,
}

/// What is so behind a move, as a ruling expects it.
struct Stands {
    /// Who is to choose, or by what the game has ended and who has won.
    turn: Vec<String>,
    /// What all see counted.
    counts: Vec<String>,
}

impl PartialEq for Stands {
    /// What is counted is asked where the ruling is run.
    fn eq(&self, other: &Self) -> bool {
        self.turn == other.turn
    }
}

impl Eq for Stands {}

impl Stands {
    /// What is so here and not there.
    fn unlike(&self, other: &Stands) -> Vec<&String> {
        let turn = self.turn.iter().filter(|it| !other.turn.contains(it));
        let counts = self.counts.iter().filter(|it| !other.counts.contains(it));
        turn.chain(counts).collect()
    }
}

/// What the rules say of the last move of a line.
#[derive(PartialEq, Eq)]
enum Verdict {
    /// It may be played, and each of these is expected behind it.
    Legal(Stands),
    /// A clause refuses it.
    Refused(String),
    /// It is not offered to this seat.
    NotOffered,
}

impl Told {
    /// Plays the line as it happened.
    fn of(loaded: &Loaded, (transcript, before, last): Line<'_>) -> Result<Option<Told>, CliError> {
        let was = &transcript.header;
        let mut header = header(loaded, was.seed.unwrap_or(0));
        header.chance = was.chance;
        header.from.clone_from(&was.from);
        let fixed = fixed_outcomes(&loaded.program.game, transcript)?;
        let session = Session::start_with(&loaded.program, header, fixed)?;
        Ok(Told::along(session, before, last))
    }

    /// Plays the line with a seed; none if it does not go so.
    fn with(
        loaded: &Loaded,
        seed: u64,
        before: &[(String, String)],
        last: &(String, String),
    ) -> Option<Told> {
        let session = Session::start(&loaded.program, header(loaded, seed)).ok()?;
        Told::along(session, before, last)
    }

    fn along(
        mut session: Session<'_>,
        before: &[(String, String)],
        (seat, last): &(String, String),
    ) -> Option<Told> {
        let mut lines = Vec::new();
        for (seat, text) in before {
            let chosen = typed::read(&mut session, text, Form::Plain).ok()?;
            let words = chosen_in_words(&mut session, chosen)?;
            session.play(chosen).ok()?;
            lines.push(format!("when {seat}: {words}"));
        }
        let seats = 0..session.game().n_seats;
        let mut named = seats.filter(|it| seat_name(session.game(), *it, Form::Plain) == *seat);
        let by = named.next()?;
        let reading = session.machine().read_by(by, last);
        let is_asked = session.status() == Status::Choice { seat: by };
        let answer = explain::answer(&mut session, last, Form::Plain);
        let findings = answer
            .filter(|_| is_asked)
            .map_or_else(Vec::new, |it| it.findings);
        let refuses = findings.iter().find(|it| it.says == Says::Refuses);
        let refuses = refuses.and_then(|it| it.clause.rsplit('.').next());
        let (words, verdict, became) = match reading {
            Reading::Legal(chosen) => {
                let words = chosen_in_words(&mut session, chosen)?;
                session.play(chosen).ok()?;
                (words, Verdict::Legal(stands(&mut session)), "may be played")
            }
            Reading::Refused(candidate) => {
                let words = in_words(&mut session, &candidate)?;
                match (refuses, is_asked) {
                    (Some(label), _) => (words, Verdict::Refused(label.to_owned()), "is refused"),
                    (None, true) => (words, Verdict::NotOffered, "is not offered"),
                    (None, false) => (words, Verdict::NotOffered, "is not asked for"),
                }
            }
            _ => return None,
        };
        let title = format!("Of {seat}, {last} {became}").replace(['"', '{', '}', '\\'], "");
        let judged = findings.into_iter().map(|it| (it.clause, it.says));
        Some(Told {
            judged: judged.collect(),
            before: lines,
            last: format!("{seat}: {words}"),
            verdict,
            title,
        })
    }

    /// What is expected of the last move, where it may be told from what other rules say of it; none if it cannot.
    fn expected(&self, other: Option<&Told>) -> Option<Vec<String>> {
        let last = &self.last;
        let other = other.map(|it| &it.verdict);
        Some(match (&self.verdict, other) {
            (Verdict::Legal(now), Some(Verdict::Legal(before))) => {
                let other = now.unlike(before).into_iter();
                let mut lines = vec![format!("when {last}")];
                lines.extend(other.map(|it| format!("expect {it}")));
                match lines.as_slice() {
                    [_] => return None,
                    _ => lines,
                }
            }
            (Verdict::Legal(_), _) => vec![format!("expect legal {last}")],
            (Verdict::Refused(label), _) => vec![format!("expect illegal {last} by {label}")],
            (Verdict::NotOffered, _) => vec![format!("expect illegal {last}")],
        })
    }
}

fn stands(session: &mut Session<'_>) -> Stands {
    Stands {
        turn: turn(session),
        counts: counts(session),
    }
}

/// The numbers and yes or no that lie open, each alone or for each seat.
fn counts(session: &mut Session<'_>) -> Vec<String> {
    let view = session.machine().view(Viewer::NOBODY);
    let game = session.game();
    let mut counts = Vec::new();
    for (track, seen) in game.tracks.iter().zip(view.tracks) {
        let is_plain = matches!(track.ty.base, Base::Int(..) | Base::Bool);
        let is_named = track.index.iter().all(|it| *it == game.seat) && track.index.len() < 2;
        if !is_plain || !is_named {
            continue;
        }
        for (place, value) in seen.values.iter().enumerate() {
            let Some(TrackValue::Scalar(value)) = value else {
                continue;
            };
            let at = print_index(game, &track.index, place, Form::Plain);
            let place = match at.is_empty() {
                true => track.name.clone(),
                false => format!("{}[{at}]", track.name),
            };
            let value = print_value(game, track.ty, *value, Form::Plain);
            counts.push(format!("{place} == {value}"));
        }
    }
    counts
}

/// Who is to choose, or by what the game has ended and who has won, as a ruling expects it.
fn turn(session: &mut Session<'_>) -> Vec<String> {
    let outcome = session.machine().outcome();
    let game = session.game();
    let name = |seat: &u32| seat_name(game, *seat, Form::Plain);
    match (session.status(), outcome) {
        (Status::Choice { seat }, _) => vec![format!("to_move == {}", name(&seat))],
        (Status::Ended, None) => vec![String::from("ended")],
        (Status::Ended, Some(outcome)) => {
            let ending = game.procs.get(outcome.ending.index());
            let ended = format!("ended by {}", ending.map_or("", |it| it.name.as_str()));
            let first = outcome.first();
            let winner = match first.as_slice() {
                [] if outcome.alike == Some(Alike::Draw) => String::from("none"),
                [] => String::from("{}"),
                [one] => name(one),
                some => {
                    let names: Vec<String> = some.iter().map(name).collect();
                    format!("{{ {} }}", names.join(", "))
                }
            };
            vec![ended, format!("winner {winner}")]
        }
    }
}

fn header(loaded: &Loaded, seed: u64) -> Header {
    let game = &loaded.program.game;
    let seats = vec![String::from("human"); game.n_seats as usize];
    position::header(game, &loaded.asked, seats, seed)
}

/// A legal move as a ruling names it.
fn chosen_in_words(session: &mut Session<'_>, chosen: Move) -> Option<String> {
    let machine = session.machine();
    let candidate = machine.candidate(chosen)?;
    if let CandidateKind::Text(_) = candidate.kind {
        let asks = machine.clause()?;
        let mut choices = machine.program().choices();
        let choice = choices.find(|it| it.clause == asks)?;
        return match choice.alternatives.get(chosen.alternative())? {
            Alternative::Option(name) => Some((*name).to_owned()),
            _ => None,
        };
    }
    in_words(session, &candidate)
}

/// A move as a ruling names it; none where it has no word for it.
fn in_words(session: &mut Session<'_>, candidate: &Candidate) -> Option<String> {
    let CandidateKind::Action(id, args) = &candidate.kind else {
        return None;
    };
    let machine = session.machine();
    let game = &machine.program().game;
    let action = game.actions.get(id.index())?;
    let mut words = Vec::new();
    for (param, value) in action.params.iter().zip(args) {
        let local = game.locals.get(param.local.index())?;
        let printed = print_value(machine.ground(), local.ty, (*value)?, Form::Plain);
        words.push(match local.ty.base {
            Base::Elem(id) => match part_in_words(machine, id, (*value)?) {
                Some(part) => format!("{}: {part}", local.name),
                None => format!("{}: \"{printed}\"", local.name),
            },
            _ => format!("{}: {printed}", local.name),
        });
    }
    Some(match words.is_empty() {
        true => action.name.clone(),
        false => format!("{}({})", action.name, words.join(", ")),
    })
}

/// A part of what lies on a plane, which has no sign: it is called by the spot and the slot. None for all else.
fn part_in_words(machine: &Machine<'_>, id: DomainId, value: i64) -> Option<String> {
    let game = &machine.program().game;
    let parts = game.domains.get(id.index())?;
    let DomainKind::Space {
        shape: Shape::Parts { zone, .. },
        ..
    } = &parts.kind
    else {
        return None;
    };
    let plane = game.zones.get(zone.index())?.index.first()?;
    let plane = game.domains.get(plane.index())?;
    let DomainKind::Space {
        shape: Shape::Plane { span, .. },
        ..
    } = &plane.kind
    else {
        return None;
    };
    let spot = machine.spot_of_part(id, usize::try_from(value).ok()?)?;
    let span = i64::from(*span);
    let at = fields_of(plane).iter().map(|axis| {
        let at = field_value(axis, i64::try_from(spot).unwrap_or(0));
        let at = if at * 2 >= span { at - span } else { at };
        at.to_string()
    });
    let at: Vec<String> = at.collect();
    let slot = fields_of(parts).last()?;
    let Base::Elem(slots) = slot.ty.base else {
        return None;
    };
    let name = name_of(game.domains.get(slots.index())?, field_value(slot, value));
    let (plane, at) = (&plane.name, at.join(", "));
    Some(format!("{}({plane}({at}), {name})", parts.name))
}

/// The text as a part of the rulebook that it is for.
fn part_of(loaded: &Loaded, text: &str) -> Result<String, CliError> {
    let game = &loaded.program.game;
    let name = game.amendments.last().unwrap_or(&game.name);
    laid_out(&format!("part \"A case\" of {name}\n\n{text}"))
}

/// Returns whether the ruling holds under the rules that it is for.
fn holds(loaded: &Loaded, id: &str, part: &str) -> Result<bool, CliError> {
    let texts = loaded.sources.iter();
    let texts = texts.map(|(_, it)| (it.name.clone(), it.text.clone()));
    let own = (String::from("what was written"), part.to_owned());
    let read = read(&loaded.asked, texts.chain([own]).collect())?;
    if !is_sound(&read) {
        return Err(findings(read));
    }
    let Some(program) = load::finished(read).program else {
        return Ok(false);
    };
    let ran = run_some(&program, |it| it.id == id);
    Ok(!ran.is_empty() && ran.iter().all(|it| it.verdict() == ruling::Verdict::Holds))
}

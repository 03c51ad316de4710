//! Moves as people type them.

use super::explain::for_people;
use super::loose::{turned_round, without_links};
use super::short::{Meant, TIMES, meant, sharing};
use super::{Problem, Session};
use crate::diagnostic::{codes, sort_by_likeness};
use crate::engine::text::{print_index, print_value};
use crate::engine::{
    Candidate, CandidateKind, Explanation, Finding, Machine, Move, Reading, Seen, Status, Verdict,
    Viewer,
};
use crate::model::text::{Form, field_value, fields_of};
use crate::model::{ActionId, Base, Domain, DomainKind, Field, Game, ShowPart, Type};

/// Most moves of which one is to be typed.
const MOST_TOLD: usize = 20;
/// Most moves of which it is asked what forbids them.
const MOST_OF_KIND: usize = 64;
/// Most things of a kind whose names are looked at.
const MOST_KINDS: i64 = 1_024;

/// Reads a typed move; the finding tells apart what no rule offers, what a clause forbids, and what
/// does not exist. It has symbols or plain letters.
pub fn read(session: &mut Session<'_>, text: &str, form: Form) -> Result<Move, Problem> {
    read_by(session, text, form, Reader::Seat)
}

/// Reads a move that stands in a file, which has all that is hidden too: who reads that sits on no seat.
pub fn read_in_file(session: &mut Session<'_>, text: &str, form: Form) -> Result<Move, Problem> {
    read_by(session, text, form, Reader::OfFile)
}

/// Who is told what is wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// The seat that has to choose.
    Seat,
    /// Whoever reads a file.
    OfFile,
}

fn read_by(
    session: &mut Session<'_>,
    text: &str,
    form: Form,
    reader: Reader,
) -> Result<Move, Problem> {
    let text = text.trim();
    let read = read_as_typed(session, text, form, reader);
    read.map_err(|it| in_order(session, text, form, it))
}

/// Names the move that has the words of a text in its own order, where they are none in theirs.
fn in_order(session: &mut Session<'_>, text: &str, form: Form, problem: Problem) -> Problem {
    let wrong = [codes::NO_RULE, codes::NO_SUCH_THING, codes::ILLEGAL_MOVE];
    let meant = wrong.contains(&problem.code);
    match meant.then(|| turned_round(session, text, form)).flatten() {
        Some(meant) => did_you_mean(problem, &[meant]),
        None => problem,
    }
}

fn read_as_typed(
    session: &mut Session<'_>,
    text: &str,
    form: Form,
    reader: Reader,
) -> Result<Move, Problem> {
    if matches!(session.status(), Status::Ended) {
        return Err(Problem::new(
            codes::NO_CHOICE,
            "the game is over, and nobody has to choose",
        ));
    }
    let read = session.machine().read(text);
    // Between the words of a name people write others: `queen of hearts`.
    let is_unread = matches!(read, Reading::NoSuch { .. } | Reading::Unknown { .. });
    let bare = without_links(text);
    let has_links = is_unread && !bare.is_empty() && bare.len() < text.len();
    let without = has_links.then(|| session.machine().read(&bare));
    let without = without.filter(|it| matches!(it, Reading::Legal(_) | Reading::Refused(_)));
    match without.unwrap_or(read) {
        Reading::Legal(chosen) => Ok(chosen),
        Reading::Ambiguous(moves) => {
            let machine = session.machine();
            let names = machine.names(form);
            let legal = machine.moves();
            let place = |it: &Move| legal.iter().position(|other| other == it);
            let several = moves.iter().take(MOST_TOLD).filter_map(place);
            let several: Vec<String> = several.filter_map(|at| names.get(at).cloned()).collect();
            Err(ambiguous(text, &several))
        }
        Reading::Refused(candidate) => {
            let viewer = match reader {
                Reader::Seat => Viewer::Seat(candidate.seat),
                Reader::OfFile => Viewer::Referee,
            };
            let explanation = session.machine().explain_to(viewer, &candidate, form);
            Err(refused(session, &explanation).legal(legal_like(session, text, form)))
        }
        Reading::NoSuch { word, near } => {
            let message = format!("there is no `{}` in this game", in_message(&word));
            let problem = did_you_mean(Problem::new(codes::NO_SUCH_THING, message), &near);
            Err(problem.legal(legal_like(session, text, form)))
        }
        Reading::Unknown { near } => {
            // Of a move that there is, but not here, its own words are no advice.
            let word = text
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_lowercase();
            let is_own = |it: &String| {
                it.contains("...") && it.to_lowercase().split(' ').next() == Some(&word)
            };
            let message = match near.iter().any(is_own) {
                true => format!("nothing that begins with `{word}` can be chosen now"),
                false => format!("no rule offers `{}` here", in_message(text)),
            };
            let near: Vec<String> = near.into_iter().filter(|it| !is_own(it)).collect();
            let problem = did_you_mean(Problem::new(codes::NO_RULE, message), &near);
            Err(problem.legal(legal_like(session, text, form)))
        }
    }
}

/// The same of the beginnings of a move's words, in any order, where no whole move is written.
pub fn read_begun(session: &mut Session<'_>, text: &str, form: Form) -> Result<Move, Problem> {
    let whole = read(session, text, form);
    let is_open = |it: &Problem| [codes::NO_RULE, codes::NO_SUCH_THING].contains(&it.code);
    if !whole.as_ref().is_err_and(is_open) {
        return whole;
    }
    match meant(session.machine(), text) {
        Meant::One(chosen) => Ok(chosen),
        Meant::Several(places) => {
            let names = session.machine().names(form);
            let several = places.iter().take(MOST_TOLD);
            let several: Vec<String> = several.filter_map(|at| names.get(*at).cloned()).collect();
            Err(ambiguous(text, &several))
        }
        Meant::Nothing => whole,
    }
}

/// The finding about words that name some of a move and by that alone what a clause forbids; none where they do not.
pub fn refused_begun(session: &mut Session<'_>, text: &str, form: Form) -> Option<Problem> {
    let told = least_refused(session, text, form, |_| true)?;
    if !told.findings.iter().any(Finding::refuses) {
        return None;
    }
    // Where it is named by what lies there, its places tell what is like it.
    let like = match session.machine().begun(text).is_empty() {
        true => told.printed.clone(),
        false => text.to_owned(),
    };
    let problem = refused(session, &told).legal(legal_like(session, &like, form));
    Some(in_order(session, text, form, problem))
}

/// Of what these words can mean and what is forbidden that which the fewest clauses refuse: who names a beginning means what is
/// nearest to a move.
pub(super) fn least_refused(
    session: &mut Session<'_>,
    text: &str,
    form: Form,
    is_meant: impl Fn(&Candidate) -> bool,
) -> Option<Explanation> {
    let refused_of = |session: &mut Session<'_>, all: Vec<Candidate>| {
        let told = all.iter().filter(|it| is_meant(it)).filter_map(|it| {
            let viewer = Viewer::Seat(it.seat);
            let told = session.machine().explain_to(viewer, it, form);
            (told.verdict == Verdict::Refused).then_some(told)
        });
        told.min_by_key(n_refusing)
    };
    let refused = |session: &mut Session<'_>, text: &str| {
        let begun = session.machine().begun(text);
        refused_of(session, begun)
    };
    if let Some(told) = refused(session, text) {
        return Some(told);
    }
    let placed = by_places(session.machine(), text);
    let told = placed.iter().filter_map(|it| refused(session, it));
    if let Some(told) = told.min_by_key(n_refusing) {
        return Some(told);
    }
    let kinds = of_kind(session.machine(), text);
    refused_of(session, kinds)
}

/// How many clauses refuse; a reason that may not be told is the last to name.
fn n_refusing(told: &Explanation) -> usize {
    match told.findings.iter().filter(|it| it.refuses()).count() {
        0 => usize::MAX,
        n => n,
    }
}

/// A move whose first place is named by what lies there, as those who note games do, with the places at which such a thing
/// lies instead: `b1 f6` and `g1 f6` for `Nf6`.
fn by_places(machine: &mut Machine<'_>, text: &str) -> Vec<String> {
    let typed = text.trim().trim_end_matches(['+', '#', '!', '?']);
    let typed = typed.to_lowercase();
    let Status::Choice { seat } = machine.status() else {
        return Vec::new();
    };
    if typed.contains(' ') {
        return Vec::new();
    }
    let view = machine.view(Viewer::Seat(seat));
    let game = &*machine.program().game;
    let mut placed = Vec::new();
    for (zone, seen) in game.zones.iter().zip(&view.zones) {
        let ty = Type::of(Base::Elem(zone.component));
        for place in &seen.places {
            let ([at], [Seen::Known(kind)]) = (place.index.as_slice(), place.seen.as_slice())
            else {
                continue;
            };
            let [space] = zone.index.as_slice() else {
                continue;
            };
            let at = print_index(game, &zone.index, *at, Form::Plain);
            let signs = Form::ALL.map(|form| print_value(game, ty, *kind, form).to_lowercase());
            let rests = signs
                .iter()
                .filter_map(|it| typed.strip_prefix(it.as_str()));
            let rests = rests.map(|it| it.trim_start_matches(TIMES));
            let rest = rests.filter(|it| !it.is_empty()).min_by_key(|it| it.len());
            placed.extend(rest.map(|it| (*space, at, it.to_owned())));
        }
    }
    // What follows is another place, and no word that only begins like what lies somewhere.
    placed.retain(|(space, _, rest)| machine.has_word(Base::Elem(*space), rest));
    let placed = placed.into_iter();
    placed.map(|(_, at, rest)| format!("{at} {rest}")).collect()
}

/// What is asked for where a word names something that is printed of things, as the suit of cards: it with each of these.
fn of_kind(machine: &mut Machine<'_>, text: &str) -> Vec<Candidate> {
    let Status::Choice { seat } = machine.status() else {
        return Vec::new();
    };
    let game = &*machine.program().game;
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (nth, word) in words.iter().enumerate().take(MOST_OF_KIND) {
        let kinds = |of: Base| match of {
            Base::Elem(of) => game
                .domains
                .get(of.index())
                .map(|it| with_part(game, it, word)),
            Base::Bool | Base::Int(..) | Base::Set(_) | Base::Unit => None,
        };
        let others = words.iter().enumerate().filter(|(at, _)| *at != nth);
        let others: Vec<&str> = others.map(|(_, it)| *it).collect();
        let open = |id: ActionId| {
            let n = game.actions.get(id.index()).map_or(0, |it| it.params.len());
            let kind = CandidateKind::Action(id, vec![None; n]);
            Candidate { seat, kind }
        };
        let asked = match others.is_empty() {
            true => machine.actions_named().into_iter().map(open).collect(),
            false => machine.begun(&others.join(" ")),
        };
        for it in asked {
            let CandidateKind::Action(id, args) = &it.kind else {
                continue;
            };
            let params = game
                .actions
                .get(id.index())
                .map_or(&[][..], |it| &it.params);
            for (at, param) in params.iter().enumerate() {
                let of = game.locals.get(param.local.index()).map(|it| it.ty.base);
                let kinds = of.and_then(kinds).unwrap_or_default();
                for kind in kinds {
                    let mut args = args.clone();
                    match args.get_mut(at) {
                        Some(open @ None) => *open = Some(kind),
                        _ => continue,
                    }
                    let kind = CandidateKind::Action(*id, args);
                    found.push(Candidate { seat, kind });
                }
            }
        }
    }
    // Of very many nobody says which is nearest to a move.
    if found.len() > MOST_OF_KIND {
        found.clear();
    }
    found
}

/// The things of a kind in whose printed name a word stands for one of the parts.
fn with_part(game: &Game, domain: &Domain, word: &str) -> Vec<i64> {
    let fields = fields_of(domain);
    let shown = domain.show.iter().flatten();
    let shown = shown.filter_map(|it| match it {
        ShowPart::Field(at) => fields.get(*at),
        ShowPart::Text(_) | ShowPart::Name | ShowPart::OfPlace(_) => None,
    });
    let shown: Vec<&Field> = shown.collect();
    let word = word.to_lowercase();
    let is_called = |field: &Field, whole: i64| {
        let value = field_value(field, whole);
        let mut printed = Form::ALL.into_iter();
        printed.any(|form| print_value(game, field.ty, value, form).to_lowercase() == word)
    };
    let is_record = matches!(domain.kind, DomainKind::Record { .. });
    let size = i64::try_from(domain.size).unwrap_or(i64::MAX);
    let all = (0..size.min(MOST_KINDS)).filter(|_| is_record);
    let found = all.filter(|whole| shown.iter().any(|field| is_called(field, *whole)));
    found.collect()
}

fn ambiguous(text: &str, several: &[String]) -> Problem {
    let message = format!("`{}` can mean several moves", in_message(text));
    Problem::new(codes::AMBIGUOUS_MOVE, message).help(format!("type one of {}", in_words(several)))
}

/// A line of words each of which looks like a move, with the sign between several moves; none where it is no such line.
pub fn in_series(session: &mut Session<'_>, text: &str) -> Option<String> {
    let shape = |it: &str| -> String {
        let letters = it.chars().map(|it| match it {
            _ if it.is_ascii_digit() => '0',
            _ if it.is_alphabetic() => 'a',
            _ => it,
        });
        let mut shape: Vec<char> = letters.collect();
        shape.dedup();
        shape.into_iter().collect()
    };
    let names = session.machine().names(Form::Plain);
    // A word without a digit or a sign looks like any other.
    let is_telling =
        |it: &&String| !it.contains(' ') && it.contains(|it: char| !it.is_alphabetic());
    let shapes: Vec<String> = names
        .iter()
        .filter(is_telling)
        .map(|it| shape(it))
        .collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_series = words.len() > 1 && words.iter().all(|it| shapes.contains(&shape(it)));
    is_series.then(|| words.join("; "))
}

/// Letters of what was typed that a message repeats.
const LONGEST: usize = 200;

/// Returns what was typed as it fits into a message.
pub(super) fn in_message(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or("")),
        None => String::from(text),
    }
}

fn did_you_mean(problem: Problem, near: &[String]) -> Problem {
    if near.is_empty() {
        problem
    } else {
        problem.help(format!("did you mean {}?", in_words(near)))
    }
}

/// Returns the finding about a move that a clause forbids.
fn refused(session: &Session<'_>, explanation: &Explanation) -> Problem {
    let game = session.game();
    let reasons: Vec<String> = explanation
        .findings
        .iter()
        .filter(|finding| finding.refuses())
        .map(|finding| {
            let clause = game.clauses.get(finding.clause.index());
            let path = clause.map_or("", |clause| clause.path.as_str());
            let cites = super::cites_of(game, finding.clause);
            let cites = if cites.is_empty() {
                String::new()
            } else {
                format!(" ({cites})")
            };
            match &finding.message {
                Some(message) => {
                    let message = for_people(game, finding.clause, message);
                    format!("`{path}`{cites}: {message}")
                }
                None => format!("`{path}`{cites} does not hold"),
            }
        })
        .collect();
    let printed = &explanation.printed;
    let (code, message) = match explanation.verdict {
        Verdict::Refused if reasons.is_empty() => (
            codes::ILLEGAL_MOVE,
            format!("`{printed}` is not legal, for a reason that may not be told"),
        ),
        Verdict::Legal | Verdict::Refused => (
            codes::ILLEGAL_MOVE,
            format!("`{printed}` is not legal: {}", reasons.join("; ")),
        ),
        Verdict::NotOffered => (codes::NO_RULE, format!("no rule offers `{printed}` here")),
        Verdict::NotYourTurn => (
            codes::NO_RULE,
            format!("another seat has to choose, so `{printed}` cannot be played"),
        ),
        Verdict::Over => (
            codes::NO_CHOICE,
            format!("the game is over, so `{printed}` cannot be played"),
        ),
    };
    Problem::new(code, message)
}

/// Returns what is legal now, what is most like the text first; without a text in the order of the rules.
pub fn legal_like(session: &mut Session<'_>, text: &str, form: Form) -> Vec<String> {
    let printed = session.machine().names(form);
    if text.is_empty() {
        return printed;
    }
    // People type letters for signs.
    let plain = session.machine().names(Form::Plain);
    let mut like = plain.clone();
    sort_by_likeness(text, &mut like);
    let place = |it: &String| plain.iter().position(|other| other == it);
    let mut places: Vec<usize> = like.iter().filter_map(place).collect();
    // What has whole words of it goes before what looks like it.
    let shared = sharing(session.machine(), text);
    places.sort_by_key(|at| std::cmp::Reverse(shared.get(*at).copied()));
    let printed = places.iter().filter_map(|at| printed.get(*at));
    printed.cloned().collect()
}

fn in_words(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

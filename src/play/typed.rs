//! Moves as people type them.

use super::among::{MOST_WORDS, small};
use super::forbidden::{least_refused, of_words};
use super::groups::phrases_of;
use super::loose::{turned_round, without_links};
use super::reasons::for_people;
use super::short::{Meant, meant, sharing};
use super::{Problem, Session};
use crate::diagnostic::{codes, sort_by_likeness};
use crate::engine::{Explanation, Finding, Move, Phrase, Reading, Status, Verdict, Viewer};
use crate::model::text::Form;

/// Most moves of which one is to be typed.
const MOST_TOLD: usize = 20;

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
            let problem = refused(session, &explanation, reader == Reader::Seat);
            Err(problem.legal(legal_like(session, text, form)))
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

/// Words of who wants nothing of what is offered.
const DECLINING: [&str; 12] = [
    "decline", "done", "end", "finish", "no", "none", "nothing", "pass", "skip", "stop",
    "finished", "next",
];

/// The only legal move that names nothing, for whoever says in another word that nothing else is wanted.
pub fn declined(session: &mut Session<'_>, text: &str, form: Form) -> Option<String> {
    let words = small(text);
    if !words.iter().any(|it| DECLINING.contains(&it.as_str())) {
        return None;
    }
    let phrases = phrases_of(session.machine(), form);
    let names_nothing = |it: &Vec<Phrase>| it.iter().all(|it| it.of.is_none());
    let bare = phrases
        .iter()
        .enumerate()
        .filter(|(_, it)| names_nothing(it));
    let bare: Vec<usize> = bare.map(|(at, _)| at).collect();
    match bare.as_slice() {
        [only] if phrases.len() > 1 => session.machine().names(form).get(*only).cloned(),
        _ => None,
    }
}

/// The moves that all but one of these words mean, where they are no move together: whoever counts what is taken as a whole, or has
/// another word for what is done.
pub fn all_but_one(session: &mut Session<'_>, text: &str, form: Form) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found: Vec<String> = Vec::new();
    if !(2..=MOST_WORDS).contains(&words.len()) {
        return found;
    }
    for nth in 0..words.len() {
        let others = words.iter().enumerate().filter(|(at, _)| *at != nth);
        let others: Vec<&str> = others.map(|(_, it)| *it).collect();
        if let Meant::One(mv) = meant(session.machine(), &others.join(" ")) {
            let name = session.machine().name(mv, form);
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// The finding about words that name some of a move and by that alone what a clause forbids; none where they do not.
pub fn refused_begun(session: &mut Session<'_>, text: &str, form: Form) -> Option<Problem> {
    let told = least_refused(session, text, form, |_| true)?;
    if !told.findings.iter().any(Finding::refuses) {
        return None;
    }
    // Where it is named by what lies there, its places tell what is like it.
    let like = match of_words(session.machine(), text).is_empty() {
        true => told.printed.clone(),
        false => text.to_owned(),
    };
    let problem = refused(session, &told, true).legal(legal_like(session, &like, form));
    Some(in_order(session, text, form, problem))
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
fn refused(session: &Session<'_>, explanation: &Explanation, to_seat: bool) -> Problem {
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
                    let message = for_people(game, finding.clause, message, to_seat);
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

/// Words in the marks of what can be typed, with commas between them.
pub fn in_words(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

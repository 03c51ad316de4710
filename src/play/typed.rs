//! Moves as people type them.

use super::short::{Meant, meant, sharing};
use super::{Problem, Session};
use crate::diagnostic::{codes, sort_by_likeness};
use crate::engine::{Candidate, Explanation, Finding, Move, Reading, Status, Verdict, Viewer};
use crate::model::text::Form;

/// Most moves of which one is to be typed.
const MOST_TOLD: usize = 20;

/// Reads a typed move; the finding tells apart what no rule offers, what a clause forbids, and what
/// does not exist. It has symbols or plain letters.
pub fn read(session: &mut Session<'_>, text: &str, form: Form) -> Result<Move, Problem> {
    let text = text.trim();
    if matches!(session.status(), Status::Ended) {
        return Err(Problem::new(
            codes::NO_CHOICE,
            "the game is over, and nobody has to choose",
        ));
    }
    match session.machine().read(text) {
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
            let explanation =
                session
                    .machine()
                    .explain_to(Viewer::Seat(candidate.seat), &candidate, form);
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
    Some(refused(session, &told).legal(legal_like(session, text, form)))
}

/// Of what these words can mean and what is forbidden that which the fewest clauses refuse: who names a beginning means what is
/// nearest to a move.
pub(super) fn least_refused(
    session: &mut Session<'_>,
    text: &str,
    form: Form,
    is_meant: impl Fn(&Candidate) -> bool,
) -> Option<Explanation> {
    let begun = session.machine().begun(text).into_iter();
    let told = begun.filter(|it| is_meant(it)).filter_map(|it| {
        let viewer = Viewer::Seat(it.seat);
        let told = session.machine().explain_to(viewer, &it, form);
        (told.verdict == Verdict::Refused).then_some(told)
    });
    told.min_by_key(
        |it| match it.findings.iter().filter(|it| it.refuses()).count() {
            // A reason that may not be told is the last to name.
            0 => usize::MAX,
            n => n,
        },
    )
}

fn ambiguous(text: &str, several: &[String]) -> Problem {
    let message = format!("`{}` can mean several moves", in_message(text));
    Problem::new(codes::AMBIGUOUS_MOVE, message).help(format!("type one of {}", in_words(several)))
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
                Some(message) => format!("`{path}`{cites}: {message}"),
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

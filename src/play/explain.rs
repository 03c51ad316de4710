//! Why a move is legal, or why not, as plain data that can be shown.

use crate::model::text::Form;
use std::collections::BTreeSet;

use serde::Serialize;

use super::forbidden::least_refused;
use super::reasons::{drawn_from, for_people};
use super::short::{Meant, meant};
use super::typed::in_message;
use super::{Sentence, Session, citations, cites_of, citing, sentences_of};
use crate::engine::{
    Candidate, CandidateKind, Explanation, Judged, Reading, Status, Verdict, Viewer,
};
use crate::model::{
    Action, Alt, AltKind, Citation, ClauseId, DefineId, Dispute, Expr, ExprKind, Game, Node,
    TemplatePart, each_in_expr,
};
use crate::source::Span;

/// Most moves that are listed where none was meant.
const OFFERED: usize = 12;

/// An answer to `why` or `why-not`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// One of the four answers.
    pub verdict: Kind,
    /// The move: as printed if it is one, else as typed.
    #[serde(rename = "move")]
    pub typed: String,
    /// What was found out, in a sentence.
    pub message: String,
    /// The clauses that were asked, those that refuse first.
    pub findings: Vec<Asked>,
    /// What the sentences say that the clauses cite which decided: those that refuse, or all that allow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sentences: Vec<Sentence>,
    /// What was probably meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// What could be chosen instead, if it is little and nothing was probably meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<String>,
}

/// The answers that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// It may be played.
    Legal,
    /// A clause forbids it.
    Forbidden,
    /// No rule offers it now.
    NoRule,
    /// It is another seat's turn.
    NotYourTurn,
    /// It names something that does not exist.
    NoSuchThing,
    /// It can mean several moves.
    Ambiguous,
}

/// What a clause says about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    /// It refuses the move.
    Refuses,
    /// It allows the move.
    Allows,
    /// It was not asked, because a clause before it refuses.
    NotAsked,
}

/// A clause that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// Its address.
    pub clause: String,
    /// Its number in the game.
    #[serde(skip)]
    pub id: ClauseId,
    /// What it says.
    pub says: Says,
    /// Where it is printed.
    pub cites: String,
    /// Why it does not hold, in the rulebook's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What it saw: expressions with their values.
    pub values: Vec<(String, String)>,
    /// The amendment or the reading it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The questions of which another reading changes it, or what it asks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<String>,
}

/// Returns the questions of which another reading changes a clause or what it stands in.
pub fn disputed(game: &Game, id: ClauseId) -> Vec<String> {
    let Some(clause) = game.clauses.get(id.index()) else {
        return Vec::new();
    };
    let of = |question: &str| match clause.origin.as_deref().map(|it| it.strip_prefix(question)) {
        Some(Some(rest)) => rest.is_empty() || rest.starts_with(" = "),
        _ => false,
    };
    let is_about = |it: &&Dispute| match clause.path.strip_prefix(it.address.as_str()) {
        Some(rest) => rest.is_empty() || it.inside && rest.starts_with('.'),
        None => false,
    };
    let disputes = game.disputes.iter().filter(is_about);
    let questions = disputes.map(|it| it.question.clone());
    let mut questions: Vec<String> = questions.filter(|it| !of(it)).collect();
    questions.sort_unstable();
    questions.dedup();
    questions
}

/// Returns the questions of which another reading changes a clause or a definition that it asks, itself or through
/// others.
fn disputed_behind(game: &Game, id: ClauseId) -> Vec<String> {
    let mut questions = disputed(game, id);
    let mut open: Vec<&Expr> = asked_by(game, id);
    let mut known: BTreeSet<DefineId> = BTreeSet::new();
    while let Some(expr) = open.pop() {
        let mut met = |expr: &Expr| {
            if let ExprKind::Call(define, _) = &expr.kind
                && known.insert(*define)
                && let Some(define) = game.defines.get(define.index())
            {
                questions.extend(disputed(game, define.clause));
                open.push(&define.body);
            }
        };
        met(expr);
        each_in_expr(expr, &mut |node| {
            if let Node::Expr(expr) = node {
                met(expr);
            }
        });
    }
    questions.sort_unstable();
    questions.dedup();
    questions
}

/// What a clause of an action asks: its condition, or the set that a parameter is drawn from.
fn asked_by(game: &Game, id: ClauseId) -> Vec<&Expr> {
    let requires = game.actions.iter().flat_map(|it| &it.requires);
    let conditions = requires.filter(|it| it.clause == id).map(|it| &it.cond);
    let params = game.actions.iter().flat_map(|it| &it.params);
    let drawn = params.filter(|it| it.clause == id);
    let sets = drawn.flat_map(|it| it.over.exprs());
    conditions.chain(sets).collect()
}

/// Says behind the name of a clause which amendment or reading it comes from, and what is disputed about it.
pub fn provenance(game: &Game, origin: Option<&str>, disputed: &[String]) -> String {
    let is_reading = |origin: &str| {
        let name = origin.split(" = ").next().unwrap_or_default();
        game.settings.iter().any(|it| it.name == name)
    };
    let from = match origin {
        Some(origin) if is_reading(origin) => format!(", as read by {origin}"),
        Some(origin) => format!(" (of {origin})"),
        None => String::new(),
    };
    match disputed {
        [] => from,
        questions => format!("{from}  disputed: {}", questions.join(", ")),
    }
}

/// Answers why a typed move is legal, or why not, with symbols or in plain letters; none when nobody has to
/// choose.
pub fn answer(session: &mut Session<'_>, typed: &str, form: Form) -> Option<Answer> {
    let typed = typed.trim();
    if matches!(session.status(), Status::Ended) {
        return None;
    }
    let simple = |verdict, message, near| simple(typed, verdict, message, near);
    let reading = session.machine().read(typed);
    if matches!(reading, Reading::NoSuch { .. } | Reading::Unknown { .. })
        && let Some(answer) = of_beginning(session, typed, form)
    {
        return Some(answer);
    }
    let mut answer = match reading {
        Reading::Legal(chosen) => {
            let candidate = session.machine().candidate(chosen)?;
            asked_of(session, &candidate, form)
        }
        Reading::Refused(candidate) => asked_of(session, &candidate, form),
        Reading::Ambiguous(moves) => {
            let several = moves
                .iter()
                .map(|it| session.machine().name(*it, form))
                .collect();
            simple(
                Kind::Ambiguous,
                format!("`{}` can mean several moves", in_message(typed)),
                several,
            )
        }
        Reading::NoSuch { word, near } => simple(
            Kind::NoSuchThing,
            format!("there is no `{}` in this game", in_message(&word)),
            near,
        ),
        Reading::Unknown { near } => {
            let message = format!("no rule offers `{}` here", in_message(typed));
            simple(Kind::NoRule, message, near)
        }
    };
    let is_left_open = answer.verdict == Kind::NoRule && answer.near.is_empty();
    if is_left_open && session.machine().moves().len() <= OFFERED {
        answer.offered = session.machine().names(form);
    }
    Some(answer)
}

fn simple(typed: &str, verdict: Kind, message: String, near: Vec<String>) -> Answer {
    Answer {
        verdict,
        typed: typed.to_owned(),
        message,
        findings: Vec::new(),
        sentences: Vec::new(),
        near,
        offered: Vec::new(),
    }
}

/// Answers for all that a beginning of a move or of its words can mean: the moves that are legal, or what refuses each of them.
fn of_beginning(session: &mut Session<'_>, typed: &str, form: Form) -> Option<Answer> {
    let Status::Choice { seat } = session.status() else {
        return None;
    };
    let shown = in_message(typed);
    match meant(session.machine(), typed) {
        Meant::One(chosen) => {
            let candidate = session.machine().candidate(chosen)?;
            return Some(asked_of(session, &candidate, form));
        }
        Meant::Several(places) => {
            let names = session.machine().names(form);
            let several = places.iter().filter_map(|at| names.get(*at).cloned());
            let message = format!(
                "`{shown}` can mean {} moves, all of them legal",
                places.len()
            );
            return Some(simple(typed, Kind::Ambiguous, message, several.collect()));
        }
        Meant::Nothing => {}
    }
    // Where nothing is named all that refuses the action counts.
    let names_some = |it: &Candidate| match &it.kind {
        CandidateKind::Action(_, args) => args.iter().any(Option::is_some),
        _ => true,
    };
    if let Some(told) = least_refused(session, typed, form, names_some) {
        return Some(explained(session, told));
    }
    let mut refusing = Vec::new();
    for id in session.machine().actions_named() {
        let action = session.game().actions.get(id.index())?;
        // What is called otherwise than it is printed may be legal.
        if !is_beginning(typed, action) || session.machine().has_moves_of(id) {
            continue;
        }
        let alt = Alt {
            kind: AltKind::Action(id, vec![None; action.params.len()]),
            offered: None,
            among: Vec::new(),
            then: Vec::new(),
            span: Span::default(),
        };
        refusing.extend(session.machine().refusals(seat, &alt).ok()?);
    }
    let game = session.game();
    let findings = refusing.iter().map(|id| {
        let clause = game.clauses.get(id.index());
        Asked {
            clause: clause.map_or_else(String::new, |it| it.path.clone()),
            id: *id,
            says: Says::Refuses,
            cites: cites_of(game, *id),
            message: None,
            values: Vec::new(),
            origin: clause.and_then(|it| it.origin.clone()),
            disputed: disputed_behind(game, *id),
        }
    });
    let findings: Vec<Asked> = findings.collect();
    let paths: Vec<String> = findings
        .iter()
        .map(|it| format!("`{}`", it.clause))
        .collect();
    let message = match paths.as_slice() {
        [] => return None,
        [only] => format!("{only} forbids all that begins with `{shown}`"),
        several => format!(
            "all that begins with `{shown}` is forbidden, by {}",
            several.join(" or ")
        ),
    };
    Some(Answer {
        sentences: sentences_of(game, refusing),
        findings,
        ..simple(typed, Kind::Forbidden, message, Vec::new())
    })
}

/// Whether a text is the name of an action, or the words that all its moves begin with.
fn is_beginning(typed: &str, action: &Action) -> bool {
    let begins = match action.text.parts.first() {
        Some(TemplatePart::Text(text)) => text.trim(),
        _ => "",
    };
    let typed = typed.to_lowercase();
    typed == action.name || !typed.is_empty() && begins.to_lowercase() == typed
}

/// The citations of a parameter, and those of the definition that it is drawn from where these say more.
fn with_those_of(game: &Game, clause: ClauseId, define: DefineId) -> String {
    let own = citing(game, clause);
    let cites = cites_of(game, clause);
    let Some(define) = game.defines.get(define.index()) else {
        return cites;
    };
    let more: Vec<Citation> = citing(game, define.clause)
        .iter()
        .filter(|it| !own.contains(it))
        .cloned()
        .collect();
    if more.is_empty() {
        return cites;
    }
    let before = if cites.is_empty() { "" } else { "; " };
    format!("{cites}{before}{}: {}", define.name, citations(game, &more))
}

fn asked_of(session: &mut Session<'_>, candidate: &Candidate, form: Form) -> Answer {
    let viewer = Viewer::Seat(candidate.seat);
    let explanation = session.machine().explain_to(viewer, candidate, form);
    explained(session, explanation)
}

fn explained(session: &Session<'_>, explanation: Explanation) -> Answer {
    let game = session.game();
    let printed = explanation.printed;
    let mut findings: Vec<Asked> = explanation
        .findings
        .into_iter()
        .map(|finding| {
            let clause = game.clauses.get(finding.clause.index());
            Asked {
                clause: clause.map_or_else(String::new, |clause| clause.path.clone()),
                id: finding.clause,
                says: match finding.judged {
                    Judged::Refuses => Says::Refuses,
                    Judged::Allows => Says::Allows,
                    Judged::Open => Says::NotAsked,
                },
                cites: match (finding.judged, drawn_from(game, finding.clause)) {
                    (Judged::Refuses, Some(define)) => with_those_of(game, finding.clause, define),
                    _ => cites_of(game, finding.clause),
                },
                message: finding
                    .message
                    .map(|it| for_people(game, finding.clause, &it, true)),
                values: finding.values,
                origin: clause.and_then(|clause| clause.origin.clone()),
                disputed: disputed_behind(game, finding.clause),
            }
        })
        .collect();
    findings.sort_by_key(|finding| finding.says);
    let (verdict, message) = match explanation.verdict {
        Verdict::Legal => (Kind::Legal, format!("`{printed}` is legal")),
        Verdict::Refused => (Kind::Forbidden, refused(&printed, &findings)),
        Verdict::NotOffered => (Kind::NoRule, format!("no rule offers `{printed}` here")),
        Verdict::NotYourTurn => (
            Kind::NotYourTurn,
            format!("another seat has to choose, so `{printed}` cannot be played"),
        ),
        Verdict::Over => (
            Kind::NoRule,
            format!("the game is over, so no rule offers `{printed}`"),
        ),
    };
    let decisive = findings.first().map(|it| it.says);
    let decided = findings
        .iter()
        .filter(|it| Some(it.says) == decisive && it.says != Says::NotAsked);
    Answer {
        verdict,
        typed: printed,
        message,
        sentences: sentences_of(game, decided.map(|it| it.id)),
        findings,
        near: Vec::new(),
        offered: Vec::new(),
    }
}

/// Says which clauses refuse; where all of them look at something hidden, only that there are some.
fn refused(printed: &str, findings: &[Asked]) -> String {
    let refusing = findings
        .iter()
        .filter(|finding| finding.says == Says::Refuses);
    let labels: Vec<String> = refusing.map(|it| format!("`{}`", it.clause)).collect();
    match labels.as_slice() {
        [] => format!("`{printed}` is refused for a reason that may not be told"),
        [only] => format!("{only} forbids `{printed}`"),
        several => format!("{} forbid `{printed}`", several.join(" and ")),
    }
}

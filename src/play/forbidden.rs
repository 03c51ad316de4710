//! What forbids a move that is typed as legal ones are: in few words, in any order, by what lies there, or by a kind of things.

use super::Session;
use super::among::{Among, MOST_WORDS, small};
use super::lying::by_places;
use super::reasons::for_people;
use super::typed::in_message;
use crate::engine::text::print_value;
use crate::engine::{
    Candidate, CandidateKind, Explanation, Finding, Machine, Status, Verdict, Viewer,
};
use crate::model::text::{Form, field_value, fields_of};
use crate::model::{ActionId, Base, Domain, DomainKind, Field, Game, ShowPart};

/// Most moves of which it is asked what forbids them.
const MOST_ASKED: usize = 64;
/// Most things of a kind whose names are looked at.
const MOST_KINDS: i64 = 1_024;
/// Between a thing and where it should be, in the reason why it cannot be taken.
const IS_NOT: &str = " is not ";

/// Of what these words can mean and what is forbidden that which the fewest clauses refuse: who names a beginning means what is
/// nearest to a move.
pub(super) fn least_refused(
    session: &mut Session<'_>,
    text: &str,
    form: Form,
    is_meant: impl Fn(&Candidate) -> bool,
) -> Option<Explanation> {
    let told_of = |session: &mut Session<'_>, all: Vec<Candidate>| {
        let meant = all.into_iter().filter(|it| is_meant(it)).take(MOST_ASKED);
        let told = meant.map(|it| {
            let viewer = Viewer::Seat(it.seat);
            session.machine().explain_to(viewer, &it, form)
        });
        let told: Vec<Explanation> = told.collect();
        // What means a legal move as well is not refused.
        if told.iter().any(|it| it.verdict == Verdict::Legal) {
            return None;
        }
        if let Some(none) = none_of_kind(session.game(), text, &told) {
            return Some(none);
        }
        let told = told.into_iter();
        let refused = told.filter(|it| it.verdict == Verdict::Refused);
        refused.min_by_key(n_refusing)
    };
    let named = of_words(session.machine(), text);
    if let Some(told) = told_of(session, named) {
        return Some(told);
    }
    let placed = by_places(session.machine(), text);
    let placed: Vec<Vec<Candidate>> = placed
        .iter()
        .map(|it| of_words(session.machine(), it))
        .collect();
    if let Some(told) = told_of(session, placed.concat()) {
        return Some(told);
    }
    let kinds = of_kind(session.machine(), text);
    told_of(session, kinds)
}

/// What the pending choice asks for that a text can mean, be it legal or not: it is read as legal moves are. What it does not name
/// stays open.
pub(super) fn of_words(machine: &mut Machine<'_>, text: &str) -> Vec<Candidate> {
    let among = Among::asked(machine, text);
    let mut found = among.find(machine, text).at;
    if found.is_empty() {
        // What is worked out may be written otherwise in another position.
        let typed = small(text);
        for words in without_strange(&among, &typed) {
            let n_strange = typed.len() - words.len();
            let mut at = among.find(machine, &words.join(" ")).at;
            at.retain(|at| match among.moves.get(*at).map(|it| &it.kind) {
                Some(CandidateKind::Action(id, _)) => n_strange <= machine.n_worked_out(*id),
                _ => false,
            });
            if !at.is_empty() {
                found = at;
                break;
            }
        }
    }
    let found = found.iter().filter_map(|at| among.moves.get(*at));
    let found: Vec<&Candidate> = found.collect();
    // What names more than is typed is no better than what leaves that open.
    let is_least = |it: &&&Candidate| !found.iter().any(|other| leaves_open(other, it));
    found.iter().filter(is_least).copied().cloned().collect()
}

/// Words of which each is one of some move: all that are, or all but one.
fn without_strange(among: &Among, typed: &[String]) -> Vec<Vec<String>> {
    if typed.len() > MOST_WORDS {
        return Vec::new();
    }
    let known: Vec<String> = typed
        .iter()
        .filter(|it| among.has_word(it))
        .cloned()
        .collect();
    if known.len() < typed.len() {
        return vec![known];
    }
    let others = (0..typed.len()).map(|nth| {
        let others = typed.iter().enumerate().filter(|(at, _)| *at != nth);
        others.map(|(_, it)| it.clone()).collect()
    });
    others.collect()
}

/// Whether something leaves open what another names, and is the same otherwise.
fn leaves_open(one: &Candidate, other: &Candidate) -> bool {
    let (CandidateKind::Action(id, less), CandidateKind::Action(other_id, more)) =
        (&one.kind, &other.kind)
    else {
        return false;
    };
    let mut both = less.iter().zip(more);
    id == other_id && less != more && both.all(|(less, more)| less.is_none() || less == more)
}

/// Where each of several things is refused because it is not where it should be, that none is there; none where something else
/// forbids one of them.
fn none_of_kind(game: &Game, text: &str, all: &[Explanation]) -> Option<Explanation> {
    let reason = |it: &Explanation| {
        let finding = it.findings.iter().find(|it| it.refuses())?.clone();
        let message = for_people(game, finding.clause, finding.message.as_deref()?, true);
        let (thing, place) = message.split_once(IS_NOT)?;
        let (thing, place) = (thing.to_owned(), place.to_owned());
        // What is written as the rules write it is told of one thing only.
        let is_in_words = !place.contains(['(', '{', '[']);
        (is_in_words && it.verdict == Verdict::Refused).then_some((finding, thing, place))
    };
    let reasons: Option<Vec<_>> = all.iter().map(reason).collect();
    let reasons = reasons.filter(|_| all.len() < MOST_ASKED)?;
    let (first, (finding, thing, place)) = all.first().zip(reasons.first().cloned())?;
    let are_same = |it: &(Finding, String, String)| it.0.clause == finding.clause && it.2 == place;
    if !reasons.iter().all(are_same) || reasons.iter().all(|it| it.1 == thing) {
        return None;
    }
    let finding = Finding {
        message: Some(format!("nothing of that name is {place}")),
        values: Vec::new(),
        ..finding
    };
    Some(Explanation {
        findings: vec![finding],
        printed: in_message(text),
        ..first.clone()
    })
}

/// How many clauses refuse; a reason that may not be told is the last to name.
fn n_refusing(told: &Explanation) -> usize {
    match told.findings.iter().filter(|it| it.refuses()).count() {
        0 => usize::MAX,
        n => n,
    }
}

/// What is asked for where a word names something that is printed of things, as the suit of cards: it with each of these.
fn of_kind(machine: &mut Machine<'_>, text: &str) -> Vec<Candidate> {
    let Status::Choice { seat } = machine.status() else {
        return Vec::new();
    };
    let game = &*machine.program().game;
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (nth, word) in words.iter().enumerate().take(MOST_ASKED) {
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
            false => of_words(machine, &others.join(" ")),
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
    if found.len() > MOST_ASKED {
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

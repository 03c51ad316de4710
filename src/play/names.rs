//! How parts of a game are called in text.

use crate::model::text::Form;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::Serialize;

use crate::engine::text::{print_sign, print_value};
use crate::model::{
    Base, Citation, ClauseId, DomainKind, Game, Node, Pick, Picker, Setting, StmtKind, StreamId,
    Type, ZoneId, each_in_block,
};

/// Returns the name of a seat.
pub fn seat_name(game: &Game, seat: u32, form: Form) -> String {
    print_value(game, Type::of(Base::Elem(game.seat)), i64::from(seat), form)
}

/// Returns the name of a seat behind the sign by which what is its own stands on boards, if it has one.
#[must_use]
pub fn seat_with_sign(game: &Game, seat: u32) -> String {
    let name = seat_name(game, seat, Form::Signs);
    let ty = Type::of(Base::Elem(game.seat));
    let sign = print_sign(game, ty, i64::from(seat), Form::Signs);
    match sign == name {
        true => name,
        false => format!("{sign} {name}"),
    }
}

/// Returns the seat with this name, plain or with its signs.
#[must_use]
pub fn seat_named(game: &Game, name: &str) -> Option<u32> {
    let called = |form| (0..game.n_seats).find(|it| seat_name(game, *it, form) == name);
    Form::ALL.into_iter().rev().find_map(called)
}

/// Whether a person who typed something means a place of this name: `0,1`, `spot 0 1` and `spot(0,1)` mean `Spot(0, 1)`.
#[must_use]
pub fn is_called(name: &str, typed: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let is_part = |it: char| it.is_alphanumeric() || it == '-';
        let text = text.to_lowercase();
        let parts = text.split(|it: char| !is_part(it)).map(str::to_owned);
        parts.filter(|it| !it.is_empty()).collect()
    };
    if name.to_lowercase() == typed.to_lowercase() {
        return true;
    }
    let Some((kind, _)) = name.split_once('(') else {
        return false;
    };
    let (name, kind, typed) = (parts(name), parts(kind), parts(typed));
    name == typed || name.strip_prefix(&*kind).is_some_and(|it| it == typed)
}

/// Returns the name of a stream of chance.
pub fn stream_name(game: &Game, stream: StreamId) -> String {
    let stream = game.streams.get(stream.index());
    stream.map_or_else(String::new, |stream| stream.name.clone())
}

/// Returns the type of what each stream of chance gives.
pub fn stream_types(game: &Game) -> Vec<Type> {
    let mut types = vec![Type::BOOL; game.streams.len()];
    let mut note = |stream: StreamId, ty: Type| {
        if let Some(slot) = types.get_mut(stream.index()) {
            *slot = Type::of(ty.base);
        }
    };
    // What is drawn from a zone, or laid on it by luck, is called after the zone.
    for (id, zone) in (0..).map(ZoneId).zip(&game.zones) {
        if let Some(stream) = game.stream_of(id) {
            note(stream, Type::of(Base::Elem(zone.component)));
        }
    }
    for proc in &game.procs {
        each_in_block(&proc.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            if let StmtKind::Pick(Pick {
                who: Picker::Chance(_, stream),
                local,
                ..
            }) = &stmt.kind
                && let Some(local) = game.locals.get(local.index())
            {
                note(*stream, local.ty);
            }
        });
    }
    types
}

/// Returns what each outcome of chance is called where it is written down: as it prints, and where several
/// print alike with its number behind it.
pub(super) fn outcome_names(game: &Game, ty: Type) -> HashMap<i64, String> {
    let printed =
        values_of(game, ty).map(|value| (value, print_value(game, ty, value, Form::Plain)));
    let printed: Vec<(i64, String)> = printed.collect();
    let mut n_bearers: HashMap<&str, usize> = HashMap::new();
    for (_, name) in &printed {
        *n_bearers.entry(name).or_default() += 1;
    }
    let names = (1..).zip(&printed).map(|(number, (value, name))| {
        let mut told = name.clone();
        let mut signs = String::from("#");
        while n_bearers
            .get(told.as_str())
            .is_some_and(|n| *n > 1 || told != *name)
        {
            told = format!("{name} {signs}{number}");
            signs.push('#');
        }
        (*value, told)
    });
    names.collect()
}

fn values_of(game: &Game, ty: Type) -> std::ops::Range<i64> {
    match ty.base {
        Base::Bool => 0..2,
        Base::Int(lo, hi) => lo..hi.saturating_add(1),
        Base::Elem(domain) => {
            let domain = game.domains.get(domain.index());
            let size = domain.map_or(0, |it| i64::try_from(it.size).unwrap_or(0));
            let lo = domain.map_or(0, |it| it.lo);
            lo..lo.saturating_add(size)
        }
        Base::Set(_) | Base::Unit => 0..0,
    }
}

/// Returns the citations that hold for a clause, as [`citing`] does: `book T-3, T-5`.
pub fn cites_of(game: &Game, clause: ClauseId) -> String {
    citations(game, citing(game, clause))
}

/// Returns the citations of a clause, or of the nearest clause around it that has any. What an amendment brings stands nowhere
/// in what is around it: that says something else.
pub fn citing(game: &Game, clause: ClauseId) -> &[Citation] {
    let mut at = Some(clause);
    // A clause stands in finitely many others; the count guards against a broken chain.
    for _ in 0..64 {
        let Some(clause) = at.and_then(|id| game.clauses.get(id.index())) else {
            break;
        };
        if !clause.cites.is_empty() {
            return &clause.cites;
        }
        let parent = clause.parent.and_then(|id| game.clauses.get(id.index()));
        let is_brought = clause.origin.as_ref().is_some_and(|by| {
            game.amendments.contains(by) && parent.is_some_and(|it| it.origin != clause.origin)
        });
        at = clause.parent.filter(|_| !is_brought);
    }
    &[]
}

/// A sentence of a printed rulebook that is cited, with what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// The name of the book in citations.
    pub book: String,
    /// Its number.
    pub id: String,
    /// The heading that it stands under.
    pub heading: String,
    /// What it says, in the words of the rulebook.
    pub text: String,
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sentence {
            book,
            id,
            heading,
            text,
        } = self;
        write!(f, "{book} {id} ({heading}): {text}")
    }
}

/// Returns what the sentences say that clauses cite, each once, as far as the rulebook tells it.
pub fn sentences_of(game: &Game, clauses: impl IntoIterator<Item = ClauseId>) -> Vec<Sentence> {
    let cited = clauses.into_iter().flat_map(|it| citing(game, it));
    let mut known = HashSet::new();
    let cited = cited.filter(|cite| known.insert(*cite));
    let sentences = cited.filter_map(|cite| {
        let Citation::Sentence(book, id) = cite else {
            return None;
        };
        let book = game.books.get(*book as usize)?;
        let wording = book.wordings.get(id)?;
        Some(Sentence {
            book: book.name.clone(),
            id: id.clone(),
            heading: wording.heading.clone(),
            text: wording.text.clone(),
        })
    });
    sentences.collect()
}

/// Returns citations as they are written in a rulebook, without the word `cite`.
pub fn citations(game: &Game, cites: &[Citation]) -> String {
    let mut last_book = None;
    let mut words: Vec<String> = Vec::new();
    let mut rest = cites;
    while let [cite, behind @ ..] = rest {
        rest = behind;
        match cite {
            Citation::Sentence(book, id) => {
                let mut word = id.clone();
                let run = behind.iter().zip(1..).take_while(|(cite, ahead)| {
                    matches!(cite, Citation::Sentence(other, next) if other == book && follows(id, next, *ahead))
                });
                let run = run.count();
                // A stretch of two is no shorter than its two sentences.
                if let Some(Citation::Sentence(_, last)) =
                    behind.get(run.wrapping_sub(1)).filter(|_| run >= 2)
                {
                    word = format!("{id}..{last}");
                    rest = behind.get(run..).unwrap_or(&[]);
                }
                if last_book != Some(*book) {
                    let name = game
                        .books
                        .get(*book as usize)
                        .map_or("?", |book| book.name.as_str());
                    word = format!("{name} {word}");
                }
                last_book = Some(*book);
                words.push(word);
            }
            Citation::Reason(reason) => {
                last_book = None;
                words.push(format!("“{reason}”"));
            }
        }
    }
    words.join(", ")
}

/// Returns whether a sentence stands so many places behind another one: `T-7` two behind `T-5`.
fn follows(first: &str, next: &str, ahead: u32) -> bool {
    let split = |id: &str| {
        let (series, number) = id.rsplit_once('-')?;
        Some((series.to_owned(), number.parse::<u32>().ok()?))
    };
    match (split(first), split(next)) {
        (Some((series, number)), Some((other, next))) => {
            series == other && number.checked_add(ahead) == Some(next)
        }
        _ => false,
    }
}

/// Returns the hash of the rules as transcripts write it.
pub fn rules_hash(game: &Game) -> String {
    format!("{:016x}", game.hash)
}

/// Returns the value of a setting as it is given to `--set`.
pub fn setting_value(game: &Game, setting: &Setting, value: i64) -> String {
    match setting.ty.base {
        Base::Bool => (value != 0).to_string(),
        Base::Int(..) => value.to_string(),
        Base::Elem(domain) => {
            let domain = game.domains.get(domain.index());
            let name = match domain.map(|domain| &domain.kind) {
                Some(DomainKind::Enum { values, .. }) => usize::try_from(value)
                    .ok()
                    .and_then(|value| values.get(value))
                    .map(|value| value.name.clone()),
                _ => None,
            };
            name.unwrap_or_else(|| print_value(game, setting.ty, value, Form::Plain))
        }
        Base::Set(_) | Base::Unit => print_value(game, setting.ty, value, Form::Plain),
    }
}

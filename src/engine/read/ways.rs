//! Texts that are read by the template of an action.

use super::super::face::Piece;
use super::super::machine::Machine;
use super::super::say::{Candidate, CandidateKind};
use super::super::view::Viewer;
use super::{collapsed, folded, squeezed};
use crate::model::text::Form;
use crate::model::{ActionId, NONE, Type};

/// Most ways to read one text by one template.
const MOST_WAYS: usize = 64;

/// What reading a text by a template found.
#[derive(Default)]
pub(super) struct Ways {
    /// Values of the inputs.
    pub found: Vec<Vec<Option<i64>>>,
    /// A part that names nothing: what is there and what it should be.
    pub unknown: Option<(String, Type)>,
}

impl Machine<'_> {
    /// The ways to read a text by an action's template. Parameters that it does not name stay open.
    pub(super) fn ways(&mut self, id: ActionId, seat: u32, typed: &str) -> Ways {
        let mut ways = Ways::default();
        let Some(face) = self.program.face(id) else {
            return ways;
        };
        let text: Vec<char> = typed.chars().collect();
        let mut args = vec![None; face.params.len() + 1];
        if let Some(me) = args.first_mut() {
            *me = Some(i64::from(seat));
        }
        let mut unknown = None;
        self.match_pieces(&face.text, &text, &mut args, &mut unknown, &mut ways);
        if !ways.found.is_empty() {
            ways.unknown = None;
        }
        for args in &mut ways.found {
            args.remove(0);
            self.in_order(id, args);
        }
        // A hole that is no parameter was matched by anything: what prints as typed comes first.
        let lower = folded(typed);
        let mut found = std::mem::take(&mut ways.found);
        found.sort_by_key(|args| {
            let kind = CandidateKind::Action(id, args.clone());
            let candidate = Candidate { seat, kind };
            !Form::ALL.iter().any(|form| {
                let printed = self.print_candidate(&candidate, &[Viewer::Seat(seat)], *form);
                folded(&collapsed(&printed)) == lower
            })
        });
        ways.found = found;
        ways
    }

    /// Puts what was typed for members of one set into the order of the moves: it is one choice, however it is typed.
    fn in_order(&self, id: ActionId, args: &mut [Option<i64>]) {
        let action = self.program.game.actions.get(id.index());
        let params = action.map_or(&[][..], |action| action.params.as_slice());
        let mut start = 0;
        while start < params.len() {
            let run = params
                .iter()
                .skip(start + 1)
                .take_while(|it| it.member.is_some_and(|it| it.before > 0));
            let end = start + 1 + run.count();
            if let Some(together) = args.get_mut(start..end)
                && together.iter().all(Option::is_some)
            {
                together.sort_unstable();
            }
            start = end;
        }
    }

    fn match_pieces(
        &mut self,
        pieces: &[Piece],
        text: &[char],
        args: &mut Vec<Option<i64>>,
        unknown: &mut Option<(String, Type)>,
        ways: &mut Ways,
    ) {
        if ways.found.len() >= MOST_WAYS {
            return;
        }
        let Some((piece, rest)) = pieces.split_first() else {
            if text.iter().all(|it| it.is_whitespace()) {
                match unknown {
                    None => ways.found.push(args.clone()),
                    Some(word) => {
                        ways.unknown.get_or_insert_with(|| word.clone());
                    }
                }
            }
            return;
        };
        match piece {
            Piece::Text(words) => {
                let words: Vec<char> = squeezed(words).chars().collect();
                let starts = text.len() >= words.len()
                    && text.iter().zip(&words).all(|(a, b)| same_letter(*a, *b));
                if starts && let Some(text) = text.get(words.len()..) {
                    self.match_pieces(rest, text, args, unknown, ways);
                }
            }
            Piece::Input(at, ty) => {
                self.match_missing((*at, *ty), rest, text, args, unknown, ways);
                for end in ends(rest, text) {
                    let (own, after) = text.split_at(end);
                    let word: String = own.iter().collect();
                    let word = word.trim();
                    let mut values = self.values_of(Type::of(ty.base), word);
                    let before = args.get(*at).copied().flatten();
                    if let Some(before) = before {
                        values.retain(|value| *value == before);
                    }
                    for value in &values {
                        if let Some(slot) = args.get_mut(*at) {
                            *slot = Some(*value);
                        }
                        self.match_pieces(rest, after, args, unknown, ways);
                        if let Some(slot) = args.get_mut(*at) {
                            *slot = before;
                        }
                    }
                    if values.is_empty() && unknown.is_none() && !word.is_empty() {
                        *unknown = Some((word.to_owned(), *ty));
                        self.match_pieces(rest, after, args, unknown, ways);
                        *unknown = None;
                    }
                }
            }
            Piece::Hole(..) => {
                for end in ends(rest, text) {
                    if let Some(after) = text.get(end..) {
                        self.match_pieces(rest, after, args, unknown, ways);
                    }
                }
            }
        }
    }

    /// Leaves a member out that may be missing, as all of its set before it are.
    fn match_missing(
        &mut self,
        (at, ty): (usize, Type),
        rest: &[Piece],
        text: &[char],
        args: &mut Vec<Option<i64>>,
        unknown: &mut Option<(String, Type)>,
        ways: &mut Ways,
    ) {
        if !ty.optional || args.get(at).copied().flatten().is_some() {
            return;
        }
        if let Some(slot) = args.get_mut(at) {
            *slot = Some(NONE);
        }
        let rest = match rest {
            [Piece::Text(gap), rest @ ..] if gap == " " => rest,
            rest => rest,
        };
        let before = text.len() - text.iter().take_while(|it| it.is_whitespace()).count();
        let text = text.get(text.len() - before..).unwrap_or_default();
        self.match_pieces(rest, text, args, unknown, ways);
        if let Some(slot) = args.get_mut(at) {
            *slot = None;
        }
    }

    // ---- values
}

/// Where a hole may end: before each occurrence of the text behind it.
fn ends(rest: &[Piece], text: &[char]) -> Vec<usize> {
    match rest.first() {
        None => vec![text.len()],
        Some(Piece::Text(words)) => {
            let words: Vec<char> = squeezed(words).chars().collect();
            (0..=text.len())
                .filter(|at| {
                    text.get(*at..).is_some_and(|text| {
                        text.len() >= words.len()
                            && text.iter().zip(&words).all(|(a, b)| same_letter(*a, *b))
                    })
                })
                .collect()
        }
        Some(Piece::Input(..) | Piece::Hole(..)) => (0..=text.len()).collect(),
    }
}

fn same_letter(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

//! Moves as people type them.

use std::collections::HashMap;

use super::explain::MOST_INSTANCES;
use super::face::Piece;
use super::machine::{Machine, Move};
use super::op::{ChoiceKind, word};
use super::say::{Candidate, CandidateKind};
use super::text::{Ground, name_of, print_value};
use super::view::Viewer;
use super::vm::peek;
use crate::diagnostic::closest;
use crate::model::{
    ActionId, AltKind, Base, DomainId, Game, NONE, Node, StmtKind, Type, each_in_block,
};

/// Largest domain whose elements are tried by their printed forms.
const MOST_FORMS: u64 = 65_536;
/// Most suggestions.
const MOST_NEAR: usize = 3;
/// Most ways to read one text by one template.
const MOST_WAYS: usize = 64;
/// Longest text that is read.
const MOST_CHARS: usize = 400;

/// What a typed text means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A legal move.
    Legal(Move),
    /// Several legal moves.
    Ambiguous(Vec<Move>),
    /// A move that is not legal now.
    Refused(Candidate),
    /// It names something that does not exist.
    NoSuch {
        /// What.
        word: String,
        /// What was perhaps meant.
        near: Vec<String>,
    },
    /// No template fits.
    Unknown {
        /// Legal moves that look alike.
        near: Vec<String>,
    },
}

/// Printed forms of a domain's elements: with symbols, plain, and the names of an enum.
#[derive(Debug, Default)]
pub(super) struct Forms {
    exact: HashMap<String, Vec<i64>>,
    folded: HashMap<String, Vec<i64>>,
}

/// What reading a text by a template found.
#[derive(Default)]
struct Ways {
    /// Values of the inputs.
    found: Vec<Vec<Option<i64>>>,
    /// A part that names nothing: what is there and what it should be.
    unknown: Option<(String, Type)>,
}

impl Machine<'_> {
    /// Reads a text typed by the seat that has to choose: any printed form of a move, whatever the
    /// case and the number of spaces.
    pub fn read(&mut self, text: &str) -> Reading {
        let seat = u32::try_from(peek(&self.mem, word::WHO)).unwrap_or(0);
        self.read_by(seat, text)
    }

    /// Reads a text typed by any seat. Of a seat that need not choose nothing is legal.
    pub fn read_by(&mut self, seat: u32, text: &str) -> Reading {
        let typed = collapsed(text);
        if typed.chars().count() > MOST_CHARS {
            return Reading::Unknown { near: Vec::new() };
        }
        let may_choose = self.status() == super::Status::Choice { seat };
        let moves = if may_choose {
            self.moves.clone()
        } else {
            Vec::new()
        };
        let printed: Vec<(Move, [String; 2])> = moves
            .iter()
            .map(|mv| {
                (
                    *mv,
                    [false, true].map(|plain| collapsed(&self.print(*mv, plain))),
                )
            })
            .collect();
        let same = |fits: &dyn Fn(&str) -> bool| -> Vec<Move> {
            let fitting = printed
                .iter()
                .filter(|(_, forms)| forms.iter().any(|it| fits(it)));
            fitting.map(|(mv, _)| *mv).collect()
        };
        let lower = folded(&typed);
        for fits in [&(|it: &str| it == typed) as &dyn Fn(&str) -> bool, &|it| {
            folded(it) == lower
        }] {
            match same(fits).as_slice() {
                [] => {}
                [only] => return Reading::Legal(*only),
                several => return Reading::Ambiguous(several.to_vec()),
            }
        }
        let mut unknown = None;
        let mut refused: Option<Candidate> = None;
        for id in self.actions_in_order() {
            let ways = self.ways(id, seat, &typed);
            for args in ways.found {
                let kind = CandidateKind::Action(id, args);
                let meant = self.as_typed(Candidate { seat, kind }, &lower);
                let mut legal: Vec<Move> = Vec::new();
                if may_choose {
                    legal = meant.iter().flat_map(|it| self.moves_of(it)).collect();
                    legal.dedup();
                }
                match legal.as_slice() {
                    [] => {}
                    [only] => return Reading::Legal(*only),
                    several => return Reading::Ambiguous(several.to_vec()),
                }
                refused = refused.or(meant.into_iter().next());
            }
            unknown = unknown.or(ways.unknown);
        }
        if let Some(reading) = self.read_value(seat, &typed, may_choose) {
            return reading;
        }
        if let Some(candidate) = refused {
            return Reading::Refused(candidate);
        }
        if let Some(option) = named_options(&self.program.game)
            .into_iter()
            .find(|option| folded(&collapsed(option)) == lower)
        {
            let kind = CandidateKind::Text(option);
            return Reading::Refused(Candidate { seat, kind });
        }
        if let Some((word, ty)) = unknown {
            let near = self.near_values(&word, ty);
            return Reading::NoSuch { word, near };
        }
        let forms = || printed.iter().flat_map(|(_, forms)| forms.iter());
        let mut near = nearest(&typed, forms().map(String::as_str));
        if near.is_empty() {
            let begun = printed.iter().map(|(_, [shown, _])| shown);
            let begun = begun.filter(|it| folded(it).starts_with(&lower));
            near = begun.take(MOST_NEAR).cloned().collect();
        }
        let word = first_word(&lower);
        if near.is_empty() && !forms().any(|it| first_word(&folded(it)) == word) {
            near = self.like_templates(&typed);
        }
        Reading::Unknown { near }
    }

    /// What a candidate can stand for. Where its text names an open parameter only by something of it, such as
    /// where it lies, what is printed as it was typed.
    fn as_typed(&mut self, candidate: Candidate, lower: &str) -> Vec<Candidate> {
        let Candidate { seat, kind } = &candidate;
        let (seat, CandidateKind::Action(id, args)) = (*seat, kind) else {
            return vec![candidate];
        };
        let face = self.program.face(*id);
        let speaks_of_more = face.is_some_and(|face| {
            face.text
                .iter()
                .any(|piece| matches!(piece, Piece::Hole(..)))
        });
        if !speaks_of_more {
            return vec![candidate];
        }
        let id = *id;
        let mut meant = Vec::new();
        let mut left = MOST_INSTANCES;
        self.each_instance(id, seat, args, &mut left, &mut |machine, args, empty| {
            let kind = CandidateKind::Action(id, args.to_vec());
            let instance = Candidate { seat, kind };
            let is_typed = [false, true].iter().any(|plain| {
                let printed = machine.print_candidate(&instance, Viewer::Seat(seat), *plain);
                folded(&collapsed(&printed)) == lower
            });
            // What cannot be chosen at all is refused for that.
            if is_typed || empty.is_some() {
                meant.push(instance);
            }
        });
        meant
    }

    /// The templates of actions that begin with the first word typed, of those that are offered also with one
    /// like it: `match ... with ...`.
    fn like_templates(&self, typed: &str) -> Vec<String> {
        let offers = |id: ActionId| {
            let alts = self.point().into_iter().flat_map(|point| &point.alts);
            alts.into_iter()
                .any(|choice| matches!(choice.kind, ChoiceKind::Action(own) if own == id))
        };
        let typed = folded(first_word(typed));
        let ids = self.actions_in_order().into_iter();
        let templates = ids.filter_map(|id| {
            let text = template(&self.program.game, id)?;
            let word = folded(first_word(&text));
            let is_like = word == typed || offers(id) && closest(&typed, [word.as_str()]).is_some();
            (is_like && !word.starts_with(HOLE)).then_some(text)
        });
        templates.take(MOST_NEAR).collect()
    }

    /// The actions that the pending choice offers, then all others.
    fn actions_in_order(&self) -> Vec<ActionId> {
        let offered = self.point().into_iter().flat_map(|point| &point.alts);
        let mut actions: Vec<ActionId> = offered
            .filter_map(|choice| match choice.kind {
                ChoiceKind::Action(id) => Some(id),
                ChoiceKind::Inline { .. } | ChoiceKind::Value(_) => None,
            })
            .collect();
        let all = u32::try_from(self.program.game.actions.len()).unwrap_or(u32::MAX);
        actions.extend((0..all).map(ActionId));
        let mut seen = Vec::new();
        actions.retain(|id| {
            let fresh = !seen.contains(id);
            seen.push(*id);
            fresh
        });
        actions
    }

    /// A value of the pending `choose x in S`.
    fn read_value(&mut self, seat: u32, typed: &str, may_choose: bool) -> Option<Reading> {
        let locals: Vec<_> = self
            .point()?
            .alts
            .iter()
            .filter_map(|choice| match choice.kind {
                ChoiceKind::Value(local) => Some(local),
                ChoiceKind::Action(_) | ChoiceKind::Inline { .. } => None,
            })
            .collect();
        for local in locals {
            let ty = Type::of(self.type_of(local).base);
            if let Some(value) = self.values_of(ty, typed).first() {
                let kind = CandidateKind::Value(local, *value);
                let candidate = Candidate { seat, kind };
                return Some(match self.moves_of(&candidate).first() {
                    Some(mv) if may_choose => Reading::Legal(*mv),
                    _ => Reading::Refused(candidate),
                });
            }
        }
        None
    }

    // ---- templates

    /// The ways to read a text by an action's template. Parameters that it does not name stay open.
    fn ways(&mut self, id: ActionId, seat: u32, typed: &str) -> Ways {
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
        }
        // A hole that is no parameter was matched by anything: what prints as typed comes first.
        let lower = folded(typed);
        let mut found = std::mem::take(&mut ways.found);
        found.sort_by_key(|args| {
            let kind = CandidateKind::Action(id, args.clone());
            let candidate = Candidate { seat, kind };
            ![false, true].iter().any(|plain| {
                let printed = self.print_candidate(&candidate, Viewer::Seat(seat), *plain);
                folded(&collapsed(&printed)) == lower
            })
        });
        ways.found = found;
        ways
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
                for end in ends(rest, text) {
                    let (own, after) = text.split_at(end);
                    let word: String = own.iter().collect();
                    let word = word.trim();
                    let mut values = self.values_of(*ty, word);
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

    // ---- values

    /// The values that a word names.
    fn values_of(&mut self, ty: Type, word: &str) -> Vec<i64> {
        let mut values = match ty.base {
            Base::Bool => match folded(word).as_str() {
                "true" => vec![1],
                "false" => vec![0],
                _ => Vec::new(),
            },
            Base::Int(lo, hi) => {
                let number = word.parse::<i64>().ok();
                number
                    .filter(|it| (lo..=hi).contains(it))
                    .into_iter()
                    .collect()
            }
            Base::Elem(domain) => {
                let forms = self.forms(domain);
                let exact = forms.exact.get(word);
                let known = exact.or_else(|| forms.folded.get(&folded(word)));
                known.cloned().unwrap_or_default()
            }
            Base::Set(_) | Base::Unit => Vec::new(),
        };
        if ty.optional && folded(word) == "none" {
            values.push(NONE);
        }
        values
    }

    fn near_values(&mut self, word: &str, ty: Type) -> Vec<String> {
        match ty.base {
            Base::Elem(domain) => {
                let forms = self.forms(domain);
                let mut names: Vec<&str> = forms.exact.keys().map(String::as_str).collect();
                names.sort_unstable();
                nearest(word, names)
            }
            Base::Int(lo, hi) => vec![format!("{lo}..{hi}")],
            Base::Bool | Base::Set(_) | Base::Unit => Vec::new(),
        }
    }

    fn forms(&mut self, domain: DomainId) -> &Forms {
        let program = self.program;
        let parts = program
            .game
            .domains
            .get(domain.index())
            .is_some_and(is_parts);
        if parts {
            // Where the parts lie changes with every move.
            self.forms.remove(&domain);
        }
        let ground = Ground::of(&program.game, &self.mem, &program.layout);
        self.forms
            .entry(domain)
            .or_insert_with(|| Forms::of(&program.game, ground, domain))
    }
}

impl Forms {
    fn of(game: &Game, ground: Ground<'_>, id: DomainId) -> Self {
        let mut forms = Self::default();
        let Some(domain) = game.domains.get(id.index()) else {
            return forms;
        };
        if domain.size > MOST_FORMS {
            return forms;
        }
        for value in 0..i64::try_from(domain.size).unwrap_or(0) {
            let ty = Type::of(Base::Elem(id));
            let mut printed = [false, true]
                .map(|plain| print_value(ground, ty, value, plain))
                .to_vec();
            if let crate::model::DomainKind::Enum { .. } = domain.kind {
                printed.push(name_of(domain, value));
            }
            for form in printed {
                let form = collapsed(&form);
                let folded = folded(&form);
                for (map, form) in [(&mut forms.exact, form), (&mut forms.folded, folded)] {
                    let values: &mut Vec<i64> = map.entry(form).or_default();
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
            }
        }
        forms
    }
}

fn is_parts(domain: &crate::model::Domain) -> bool {
    matches!(
        &domain.kind,
        crate::model::DomainKind::Space {
            shape: crate::model::Shape::Parts { .. },
            ..
        }
    )
}

/// What stands for a hole where a template is shown.
const HOLE: &str = "...";

/// An action's template, without what its holes are.
fn template(game: &Game, id: ActionId) -> Option<String> {
    let action = game.actions.get(id.index())?;
    let parts = action.text.parts.iter();
    let written = parts.map(|part| match part {
        crate::model::TemplatePart::Text(text) => text.clone(),
        crate::model::TemplatePart::Hole(_) => HOLE.to_owned(),
    });
    Some(written.collect())
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

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}

fn same_letter(a: char, b: char) -> bool {
    a == b || a.to_lowercase().eq(b.to_lowercase())
}

/// Without space around it, and with single spaces inside.
fn collapsed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// With single spaces, those at the ends kept.
fn squeezed(text: &str) -> String {
    let mut squeezed = String::new();
    for letter in text.chars() {
        if !letter.is_whitespace() {
            squeezed.push(letter);
        } else if !squeezed.ends_with(' ') {
            squeezed.push(' ');
        }
    }
    squeezed
}

fn folded(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// The texts that look most like a typed one.
fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut left: Vec<&str> = candidates.into_iter().collect();
    let mut near = Vec::new();
    while near.len() < MOST_NEAR
        && let Some(found) = closest(typed, left.iter().copied())
    {
        left.retain(|it| *it != found);
        near.push(found.to_owned());
    }
    near
}

/// The named options that some choice of the game offers.
fn named_options(game: &Game) -> Vec<String> {
    let mut found = vec!["decline".to_owned(), "done".to_owned()];
    for proc in &game.procs {
        each_in_block(&proc.body, &mut |node| {
            let Node::Stmt(stmt) = node else { return };
            let mut note = |alts: &[crate::model::Alt]| {
                for alt in alts {
                    if let AltKind::Inline { text, .. } = &alt.kind {
                        found.push(text.clone());
                    }
                }
            };
            match &stmt.kind {
                StmtKind::Choose(choose) => note(&choose.alts),
                StmtKind::Window(window) => window.slots.iter().for_each(|it| note(&it.alts)),
                _ => {}
            }
        });
    }
    found
}

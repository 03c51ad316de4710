//! Moves as people type them.

mod begun;
mod forms;
mod names;
mod ways;

pub(super) use forms::Forms;

use super::explain::MOST_INSTANCES;
use super::face::Piece;
use super::machine::{Machine, Move};
use super::op::{ChoiceKind, word};
use super::say::{Candidate, CandidateKind};
use super::view::Viewer;
use super::vm::peek;
use crate::diagnostic::closest;
use crate::model::text::Form;
use crate::model::{ActionId, AltKind, Game, Node, StmtKind, Type, each_in_block};
use names::Names;

/// Most suggestions.
const MOST_NEAR: usize = 3;
/// Longest text that is read if it is not what a legal move is called.
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
        let may_choose = self.status() == super::Status::Choice { seat };
        let moves = if may_choose {
            self.moves.to_vec()
        } else {
            Vec::new()
        };
        let without_gaps = |forms: Names| forms.map(|it| collapsed(&it));
        let (printed, names) = match may_choose {
            true => self.named(),
            false => (Vec::new(), Vec::new()),
        };
        let with_moves = |texts: Vec<Names>| -> Vec<(Move, Names)> {
            let texts = texts.into_iter().map(without_gaps);
            moves.iter().copied().zip(texts).collect()
        };
        let (printed, named) = (with_moves(printed), with_moves(names));
        let same = |texts: &[(Move, Names)], forms: &[Form], fits: &dyn Fn(&str) -> bool| {
            let is_meant = |own: &Names| forms.iter().any(|it| fits(&own[*it as usize]));
            let fitting = texts.iter().filter(|(_, own)| is_meant(own));
            let fitting: Vec<Move> = fitting.map(|(mv, _)| *mv).collect();
            fitting
        };
        let lower = folded(&typed);
        // A name before a text that several moves bear, and what is written before what is spoken.
        let (written, spoken) = (&Form::WRITTEN[..], &[Form::Spoken][..]);
        for (texts, forms) in [(&named, written), (&printed, written), (&named, spoken)] {
            for fits in [&(|it: &str| it == typed) as &dyn Fn(&str) -> bool, &|it| {
                letters(it).eq(lower.chars())
            }] {
                match same(texts, forms, fits).as_slice() {
                    [] => {}
                    [only] => return Reading::Legal(*only),
                    several => return Reading::Ambiguous(several.to_vec()),
                }
            }
        }
        if typed.chars().count() > MOST_CHARS {
            return Reading::Unknown { near: Vec::new() };
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
        // What there is in the game, and only does not go here, is not said to be nowhere.
        if let Some((word, ty)) = unknown
            && !self.is_name(&word)
        {
            let near = self.near_values(&word, ty);
            return Reading::NoSuch { word, near };
        }
        let forms = || named.iter().flat_map(|(_, forms)| forms.iter());
        let mut near = nearest(&typed, forms().map(String::as_str));
        if near.is_empty() {
            let begun = named.iter().map(|(_, [shown, ..])| shown);
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
            let is_typed = Form::ALL.iter().any(|form| {
                let printed = machine.print_candidate(&instance, &[Viewer::Seat(seat)], *form);
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

    /// The actions that the pending choice names, be they legal or not.
    #[must_use]
    pub fn actions_named(&self) -> Vec<ActionId> {
        let named = self.point().into_iter().flat_map(|point| &point.alts);
        let named = named.filter_map(|choice| match choice.kind {
            ChoiceKind::Action(id) => Some(id),
            ChoiceKind::Inline { .. } | ChoiceKind::Value(_) => None,
        });
        named.collect()
    }

    /// The actions that the pending choice names, then all others.
    fn actions_in_order(&self) -> Vec<ActionId> {
        let mut actions = self.actions_named();
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

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
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

/// The letters of a text whatever their case and the spaces around them.
fn letters(text: &str) -> impl Iterator<Item = char> {
    let words = text.split_whitespace().enumerate();
    words.flat_map(|(at, word)| {
        let space = (at > 0).then_some(' ');
        let word = word.chars().flat_map(char::to_lowercase);
        space.into_iter().chain(word)
    })
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

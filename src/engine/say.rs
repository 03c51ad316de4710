//! Moves as text, and what they are made of.

use super::face::Piece;
use super::machine::{Machine, Move};
use super::op::{Choice, ChoiceKind, word};
use super::sight::{Known, Sight};
use super::text::{self, print_value};
use super::view::Viewer;
use super::vm::peek;
use crate::model::text::Form;
use crate::model::{Action, ActionId, Alt, AltKind, Base, Expr, LocalId, NONE, Type};

/// Stands for what a viewer may not see.
pub(super) const UNSEEN: &str = "…";

/// A move that somebody means: legal, or well-formed and refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    /// The seat that would play it.
    pub seat: u32,
    /// What it is.
    pub kind: CandidateKind,
}

/// A part of a printed move: what the rulebook writes, or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// As it is printed.
    pub text: String,
    /// Of what the value is; none where the rulebook writes it.
    pub of: Option<Base>,
}

/// What a candidate is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CandidateKind {
    /// An action; parameters may be left open.
    Action(ActionId, Vec<Option<i64>>),
    /// A named option, as printed.
    Text(String),
    /// A value of `choose x in S`.
    Value(LocalId, i64),
}

impl Machine<'_> {
    /// A legal move as it is printed and typed.
    pub fn print(&mut self, mv: Move, form: Form) -> String {
        match self.candidate(mv) {
            Some(candidate) => self.print_candidate(&candidate, &[Viewer::Referee], form),
            None => String::new(),
        }
    }

    /// What a legal move is called, in parts; in one part where another legal move prints alike.
    #[must_use]
    pub fn phrases(&mut self, mv: Move, name: &str, form: Form) -> Vec<Phrase> {
        let candidate = self.candidate(mv);
        let phrases = match &candidate {
            Some(candidate) => self.phrases_of(candidate, &[Viewer::Referee], form),
            None => Vec::new(),
        };
        if joined(&phrases) == name {
            return phrases;
        }
        vec![Phrase::written(name)]
    }

    /// The same for viewers who hear it when it is played: what one of them may not know is printed as `…`,
    /// and alternatives that print alike are told by their number among them.
    pub fn print_for(&mut self, viewers: &[Viewer], mv: Move, form: Form) -> String {
        let Some(candidate) = self.candidate(mv) else {
            return String::new();
        };
        let seat = candidate.seat;
        if viewers.iter().any(|it| self.is_silent(*it, mv, seat)) {
            return UNSEEN.to_owned();
        }
        let printed = self.print_candidate(&candidate, viewers, form);
        match self.way(mv) {
            Some((way, of)) => format!("{printed} (way {way} of {of})"),
            None => printed,
        }
    }

    /// The values that a move is made of: the parameters of its action, or the value chosen.
    #[must_use]
    pub fn args(&self, mv: Move) -> Vec<(Type, i64)> {
        let Some(candidate) = self.candidate(mv) else {
            return Vec::new();
        };
        match candidate.kind {
            CandidateKind::Action(id, args) => {
                let params = self.params_of(id);
                let args = args.into_iter().flatten();
                params
                    .into_iter()
                    .map(|it| self.type_of(it))
                    .zip(args)
                    .collect()
            }
            CandidateKind::Text(_) => Vec::new(),
            CandidateKind::Value(local, value) => vec![(self.type_of(local), value)],
        }
    }

    /// A move of the pending choice taken apart.
    #[must_use]
    pub fn candidate(&self, mv: Move) -> Option<Candidate> {
        let choice = self.choice(mv)?;
        let mut values = unpack(choice, mv);
        let kind = match &choice.kind {
            ChoiceKind::Action(id) => {
                CandidateKind::Action(*id, values.into_iter().map(Some).collect())
            }
            ChoiceKind::Inline { text, .. } => CandidateKind::Text(text.clone()),
            ChoiceKind::Value(local) => CandidateKind::Value(*local, values.pop()?),
        };
        let seat = u32::try_from(peek(&self.mem, word::WHO)).ok()?;
        Some(Candidate { seat, kind })
    }

    /// The legal moves that a candidate stands for.
    #[must_use]
    pub fn moves_of(&self, candidate: &Candidate) -> Vec<Move> {
        let fits = |mv: &&Move| {
            self.candidate(**mv).is_some_and(|legal| {
                legal.seat == candidate.seat
                    && match (&legal.kind, &candidate.kind) {
                        (CandidateKind::Action(a, args), CandidateKind::Action(b, wanted)) => {
                            a == b
                                && args
                                    .iter()
                                    .zip(wanted)
                                    .all(|(arg, wanted)| wanted.is_none() || arg == wanted)
                        }
                        (legal, wanted) => legal == wanted,
                    }
            })
        };
        self.moves.iter().filter(fits).copied().collect()
    }

    /// The legal moves of the pending choice that fit an alternative, some of whose arguments may be
    /// left open. Named options fit by their name.
    ///
    /// # Errors
    /// A fault of an argument.
    pub fn instances(&mut self, alt: &Alt) -> Result<Vec<Move>, super::Fault> {
        match &alt.kind {
            AltKind::Action(id, args) => {
                let candidate = Candidate {
                    seat: u32::try_from(peek(&self.mem, word::WHO)).unwrap_or(u32::MAX),
                    kind: CandidateKind::Action(*id, self.arguments(args)?),
                };
                Ok(self.moves_of(&candidate))
            }
            AltKind::Inline { name, .. } => {
                let named = |mv: &&Move| {
                    matches!(
                        self.choice(**mv).map(|choice| &choice.kind),
                        Some(ChoiceKind::Inline { name: own, .. }) if own == name
                    )
                };
                Ok(self.moves.iter().filter(named).copied().collect())
            }
        }
    }

    pub(super) fn arguments(
        &mut self,
        args: &[Option<Expr>],
    ) -> Result<Vec<Option<i64>>, super::Fault> {
        args.iter()
            .map(|arg| arg.as_ref().map(|arg| self.eval(arg)).transpose())
            .collect()
    }

    pub(super) fn print_candidate(
        &mut self,
        candidate: &Candidate,
        viewers: &[Viewer],
        form: Form,
    ) -> String {
        joined(&self.phrases_of(candidate, viewers, form))
    }

    pub(super) fn phrases_of(
        &mut self,
        candidate: &Candidate,
        viewers: &[Viewer],
        form: Form,
    ) -> Vec<Phrase> {
        let program = self.program;
        let whole = |text: &str| vec![Phrase::written(text)];
        match &candidate.kind {
            CandidateKind::Text(text) => whole(text),
            CandidateKind::Value(local, _)
                if !viewers
                    .iter()
                    .all(|it| self.tells_value(*it, *local, candidate.seat)) =>
            {
                whole(UNSEEN)
            }
            CandidateKind::Value(local, value) => {
                let ty = self.type_of(*local);
                vec![Phrase {
                    text: print_value(self.ground(), ty, *value, form),
                    of: Some(ty.base),
                }]
            }
            CandidateKind::Action(id, args) => {
                let Some(action) = program.game.actions.get(id.index()) else {
                    return Vec::new();
                };
                let inputs = inputs_of(candidate.seat, args);
                let text = program.face(*id).map(|face| &face.text);
                match text {
                    Some(pieces) if !pieces.is_empty() => {
                        self.fill(*id, action, pieces, &inputs, viewers, form)
                    }
                    _ => whole(&action.name),
                }
            }
        }
    }

    /// Fills the holes of a text. `inputs` are `me` and the parameters.
    pub(super) fn fill(
        &mut self,
        id: ActionId,
        action: &Action,
        pieces: &[Piece],
        inputs: &[Option<i64>],
        viewers: &[Viewer],
        form: Form,
    ) -> Vec<Phrase> {
        let known = self.known_to(viewers, action, inputs);
        let mut phrases: Vec<Phrase> = Vec::new();
        let mut missing = false;
        for piece in pieces {
            // A member that is missing leaves no gap.
            let gap = std::mem::take(&mut missing);
            let (filled, of) = match piece {
                Piece::Text(text) if gap => (Some(text.trim_start().to_owned()), None),
                Piece::Text(text) => (Some(text.clone()), None),
                Piece::Input(at, ty)
                    if ty.optional && inputs.get(*at).copied().flatten() == Some(NONE) =>
                {
                    missing = true;
                    continue;
                }
                Piece::Input(at, ty) => {
                    let given = inputs.get(*at).copied().flatten().filter(|_| {
                        let param = at.checked_sub(1).and_then(|at| action.params.get(at));
                        param.is_none_or(|it| !known.untold.contains(&it.local))
                    });
                    let printed = given.map(|it| print_value(self.ground(), *ty, it, form));
                    (printed, Some(ty.base))
                }
                Piece::Hole(section, expr) => {
                    let value = self.seen_value(id, *section, expr, inputs, &known, viewers);
                    let printed = value.map(|it| text::print(self.ground(), expr.ty, &it, form));
                    (printed, Some(expr.ty.base))
                }
            };
            let text = filled.unwrap_or_else(|| UNSEEN.to_owned());
            phrases.push(Phrase { text, of });
        }
        if missing {
            for last in phrases.iter_mut().rev() {
                last.text.truncate(last.text.trim_end().len());
                if !last.text.is_empty() {
                    break;
                }
            }
        }
        phrases
    }

    /// The value of a section of an action's face, if all viewers may see it and it has one.
    pub(super) fn seen_value(
        &mut self,
        id: ActionId,
        section: usize,
        expr: &Expr,
        inputs: &[Option<i64>],
        known: &Known,
        viewers: &[Viewer],
    ) -> Option<super::Value> {
        let mut viewers = viewers.iter();
        if !viewers.all(|it| Sight::new(self, *it).sees(expr, known)) {
            return None;
        }
        let face = self.program.face(id)?;
        let given = face.inputs(section, inputs)?;
        self.probe(&face.query, section, &given).ok()
    }

    /// The inputs of an action that are given, and which of them some viewer is not told.
    pub(super) fn known_to(
        &self,
        viewers: &[Viewer],
        action: &Action,
        inputs: &[Option<i64>],
    ) -> Known {
        let mut known = known_inputs(action, inputs);
        let seat = inputs.first().copied().flatten();
        if let Some(seat) = seat.and_then(|it| u32::try_from(it).ok()) {
            for viewer in viewers {
                let untold = self.untold(*viewer, action, inputs, seat);
                known.untold.extend(untold);
            }
        }
        known
    }

    pub(super) fn params_of(&self, id: ActionId) -> Vec<LocalId> {
        let action = self.program.game.actions.get(id.index());
        action.map_or_else(Vec::new, |action| {
            action.params.iter().map(|param| param.local).collect()
        })
    }

    /// Type of a local where it is bound: a value that was chosen is there.
    pub(super) fn type_of(&self, local: LocalId) -> Type {
        let local = self.program.game.locals.get(local.index());
        local.map_or(Type::UNIT, |local| local.ty)
    }
}

impl Phrase {
    fn written(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            of: None,
        }
    }
}

/// Phrases as one text.
pub(super) fn joined(phrases: &[Phrase]) -> String {
    phrases.iter().map(|it| it.text.as_str()).collect()
}

/// `me` and the parameters.
pub(super) fn inputs_of(seat: u32, args: &[Option<i64>]) -> Vec<Option<i64>> {
    std::iter::once(Some(i64::from(seat)))
        .chain(args.iter().copied())
        .collect()
}

/// The inputs that are given, by local.
pub(super) fn known_inputs(action: &Action, inputs: &[Option<i64>]) -> Known {
    let mut known = Known::default();
    let locals = action.params.iter().map(|param| param.local);
    for (local, value) in std::iter::once(action.me).chain(locals).zip(inputs) {
        known.put(local, *value);
    }
    known
}

fn unpack(choice: &Choice, mv: Move) -> Vec<i64> {
    choice
        .slots
        .iter()
        .map(|slot| {
            let mask = (1u64 << (slot.bits & 63)) - 1;
            let raw = mv.0 >> (slot.shift & 63) & mask;
            match i64::try_from(raw) {
                Ok(value) if slot.none != Some(raw) => value + slot.lo,
                _ => NONE,
            }
        })
        .collect()
}

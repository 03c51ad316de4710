//! Why a move is legal, or why not, by the clauses as they are written.

mod among;
mod instances;

use self::among::not_among;
pub(super) use self::instances::MOST_INSTANCES;
use super::face::Shown;
use super::fault::Fault;
use super::machine::{Machine, Status};
use super::op::ChoiceKind;
use super::query::Value;
use super::say::{Candidate, CandidateKind, inputs_of, joined};
use super::sight::Sight;
use super::text::{self, print_value};
use super::view::Viewer;
use super::words::write_expr;
use crate::model::text::Form;
use crate::model::{Action, ActionId, Alt, AltKind, ClauseId, Expr, ExprKind, Game, Type};

/// What is to be said about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The answer.
    pub verdict: Verdict,
    /// The clauses that were asked, in the order of the rulebook: parameters, then conditions.
    pub findings: Vec<Finding>,
    /// The move as printed.
    pub printed: String,
    /// Whether a clause refuses it that the viewer may not see through: it is not among the findings.
    pub secret: bool,
}

/// Whether a move may be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It may.
    Legal,
    /// A clause forbids it.
    Refused,
    /// The pending choice does not offer it.
    NotOffered,
    /// Another seat has to choose.
    NotYourTurn,
    /// The game is over.
    Over,
}

/// What one clause says about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The clause.
    pub clause: ClauseId,
    /// What it says.
    pub judged: Judged,
    /// Of a clause that does not hold: why, in the rulebook's words.
    pub message: Option<String>,
    /// What it saw: expressions as they are written and their values.
    pub values: Vec<(String, String)>,
}

impl Finding {
    /// Whether the clause refuses the move.
    #[must_use]
    pub fn refuses(&self) -> bool {
        self.judged == Judged::Refuses
    }
}

/// What a clause says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judged {
    /// It allows the move.
    Allows,
    /// It refuses the move.
    Refuses,
    /// It cannot be judged, because a clause before it refuses.
    Open,
}

impl<'p> Machine<'p> {
    /// Explains a legal move to the seat that has to choose.
    pub fn explain_move(&mut self, mv: super::Move) -> Explanation {
        match self.candidate(mv) {
            Some(candidate) => self.explain(&candidate),
            None => Explanation {
                verdict: Verdict::NotOffered,
                findings: Vec::new(),
                printed: String::new(),
                secret: false,
            },
        }
    }

    /// Explains a candidate to the seat that would play it. What that seat may not see is neither
    /// printed nor judged.
    pub fn explain(&mut self, candidate: &Candidate) -> Explanation {
        self.explain_to(Viewer::Seat(candidate.seat), candidate, Form::Signs)
    }

    /// Explains a candidate to a viewer, with symbols or in plain letters.
    pub fn explain_to(&mut self, viewer: Viewer, candidate: &Candidate, form: Form) -> Explanation {
        let candidate = self.completed(candidate);
        let printed = self.print_candidate(&candidate, &[viewer], form);
        let mut explanation = Explanation {
            verdict: Verdict::NotOffered,
            findings: Vec::new(),
            printed,
            secret: false,
        };
        let chooser = match self.status() {
            Status::Ended => {
                explanation.verdict = Verdict::Over;
                return explanation;
            }
            Status::Choice { seat } => seat,
        };
        let mut refused = false;
        let closed = self.closed_by(&candidate.kind);
        if let CandidateKind::Action(id, args) = &candidate.kind {
            let (findings, secret) = self.findings(viewer, *id, candidate.seat, args, form);
            refused = secret || findings.iter().any(Finding::refuses);
            explanation.findings = findings;
            explanation.secret = secret;
        }
        explanation.verdict = if chooser != candidate.seat {
            explanation.secret = false;
            Verdict::NotYourTurn
        } else if !self.moves_of(&candidate).is_empty() {
            Verdict::Legal
        } else if !self.offers(&candidate) {
            explanation.secret = false;
            Verdict::NotOffered
        } else if matches!(candidate.kind, CandidateKind::Value(..)) {
            explanation.findings.extend(self.not_among());
            Verdict::Refused
        } else if refused {
            Verdict::Refused
        } else if !closed.is_empty() && !explanation.secret {
            // All that the action itself asks is met.
            explanation.findings.extend(closed);
            Verdict::Refused
        } else {
            Verdict::NotOffered
        };
        // Another clause that refuses it is told; a secret one would tell more than the list of
        // moves does.
        explanation.secret &= !explanation.findings.iter().any(Finding::refuses);
        explanation
    }

    /// What is said where an action is offered only sometimes: the clauses of its alternatives, if nothing but
    /// these can keep it from being offered.
    fn closed_by(&self, kind: &CandidateKind) -> Vec<Finding> {
        let Some(point) = self.point() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for (alt, slot) in self.offered_at(point) {
            let is_open = match (&alt.kind, kind) {
                (AltKind::Action(own, args), CandidateKind::Action(id, _)) if own == id => {
                    args.iter().all(Option::is_none) && alt.among.is_empty()
                }
                (AltKind::Inline { text: own, .. }, CandidateKind::Text(text)) if own == text => {
                    true
                }
                _ => continue,
            };
            let once = slot.filter(|it| it.once);
            let (clause, message) = match (alt.offered.as_ref(), once) {
                _ if !is_open => return Vec::new(),
                (Some(offered), once) => {
                    let written = write_expr(&self.program.game, &offered.cond);
                    let also = if once.is_some() { ", and once" } else { "" };
                    let message = format!("it is offered only where {written}{also}");
                    (offered.clause, message)
                }
                (None, Some(slot)) => (slot.clause, "it may be used once, and was".to_owned()),
                (None, None) => return Vec::new(),
            };
            found.push(Finding {
                clause,
                judged: Judged::Refuses,
                message: Some(message),
                values: Vec::new(),
            });
        }
        found
    }

    /// That a value is not among those that may be chosen.
    fn not_among(&self) -> Option<Finding> {
        Some(Finding {
            clause: self.point()?.clause,
            judged: Judged::Refuses,
            message: Some("it is not among what may be chosen here".to_owned()),
            values: Vec::new(),
        })
    }

    /// Whether some move of an action is legal now.
    #[must_use]
    pub fn has_moves_of(&mut self, id: ActionId) -> bool {
        let moves = self.moves().to_vec();
        let mut offered = moves.into_iter().filter_map(|it| self.candidate(it));
        offered.any(|it| matches!(it.kind, CandidateKind::Action(own, _) if own == id))
    }

    /// Whether the pending choice offers what a candidate is an instance of.
    fn offers(&self, candidate: &Candidate) -> bool {
        let Some(point) = self.point() else {
            return false;
        };
        point
            .alts
            .iter()
            .any(|choice| match (&choice.kind, &candidate.kind) {
                (ChoiceKind::Action(own), CandidateKind::Action(id, _)) => own == id,
                (ChoiceKind::Value(own), CandidateKind::Value(local, _)) => own == local,
                (ChoiceKind::Inline { text: own, .. }, CandidateKind::Text(text)) => own == text,
                _ => false,
            })
    }

    /// The clauses that refuse some instance of an alternative for a seat, whoever has to choose:
    /// arguments that are given are judged, those left open take the values that their clauses allow.
    ///
    /// # Errors
    /// A fault of an argument.
    pub fn refusals(&mut self, seat: u32, alt: &Alt) -> Result<Vec<ClauseId>, Fault> {
        let AltKind::Action(id, args) = &alt.kind else {
            return Ok(Vec::new());
        };
        let args = self.arguments(args)?;
        let Some(action) = self.program.game.actions.get(id.index()) else {
            return Ok(Vec::new());
        };
        let mut refusing = Vec::new();
        let mut is_met = false;
        let mut left = MOST_INSTANCES;
        self.each_instance(*id, seat, &args, &mut left, &mut |machine, args, empty| {
            let judged = machine.judge(*id, seat, args);
            is_met |= empty.is_none() && judged.iter().all(|it| *it == Judged::Allows);
            let clauses = action.params.iter().map(|param| param.clause);
            let clauses = clauses.chain(action.requires.iter().map(|it| it.clause));
            for (at, (clause, judged)) in clauses.zip(judged).enumerate() {
                let none_there = empty == Some(at);
                if (judged == Judged::Refuses || none_there) && !refusing.contains(&clause) {
                    refusing.push(clause);
                }
            }
        });
        // All that the action itself asks is met by some instance, and still none is offered.
        let is_asked = matches!(self.status(), Status::Choice { seat: asked } if asked == seat);
        if is_met && is_asked && !self.has_moves_of(*id) {
            let kind = CandidateKind::Action(*id, Vec::new());
            refusing.extend(self.closed_by(&kind).iter().map(|it| it.clause));
        }
        Ok(refusing)
    }

    /// Each clause by itself: parameters, then requires.
    fn judge(&mut self, id: ActionId, seat: u32, args: &[Option<i64>]) -> Vec<Judged> {
        let Some(face) = self.program.face(id) else {
            return Vec::new();
        };
        let inputs = inputs_of(seat, args);
        let params = face.params.iter().map(|param| param.allowed);
        let sections = params.chain(face.requires.iter().map(|require| require.cond));
        let mut judged = Vec::new();
        for section in sections {
            judged.push(match face.inputs(section, &inputs) {
                None => Judged::Open,
                Some(given) => match self.probe(&face.query, section, &given) {
                    Ok(Value::Scalar(0)) => Judged::Refuses,
                    Ok(_) => Judged::Allows,
                    Err(_) => Judged::Open,
                },
            });
        }
        judged
    }

    fn findings(
        &mut self,
        viewer: Viewer,
        id: ActionId,
        seat: u32,
        args: &[Option<i64>],
        form: Form,
    ) -> (Vec<Finding>, bool) {
        let program = self.program;
        let (Some(action), Some(face)) = (program.game.actions.get(id.index()), program.face(id))
        else {
            return (Vec::new(), false);
        };
        let inputs = inputs_of(seat, args);
        let known = self.known_to(&[viewer], action, &inputs);
        let judged = self.judge(id, seat, args);
        let mut findings: Vec<Finding> = Vec::new();
        let mut secret = false;
        for (at, judged) in judged.into_iter().enumerate() {
            let mut sight = Sight::new(self, viewer);
            let asked = match action.params.get(at) {
                Some(param) => {
                    let values = face.params.get(at).map_or(&[][..], |it| &it.values);
                    let seen = sight.sees_range(&param.over, &known);
                    (param.clause, seen, values, None)
                }
                None => {
                    let at = at - action.params.len();
                    let (Some(require), Some(own)) =
                        (action.requires.get(at), face.requires.get(at))
                    else {
                        continue;
                    };
                    // Under these readings it says nothing.
                    if matches!(require.cond.kind, ExprKind::Value(1)) {
                        continue;
                    }
                    let seen = sight.sees(&require.cond, &known);
                    (
                        require.clause,
                        seen,
                        &own.values[..],
                        own.message.as_deref(),
                    )
                }
            };
            let (clause, seen, values, message) = asked;
            if !seen {
                secret |= judged == Judged::Refuses;
                continue;
            }
            let mut finding = Finding {
                clause,
                judged,
                message: None,
                values: Vec::new(),
            };
            if judged == Judged::Refuses {
                finding.message = match action.params.get(at) {
                    Some(param) => inputs.get(at + 1).copied().flatten().map(|value| {
                        let place = self.place_in_words(viewer, id, at, &inputs, form);
                        not_among((&program.game, self.ground()), param, (value, place), form)
                    }),
                    None => message
                        .map(|it| joined(&self.fill(id, action, it, &inputs, &[viewer], form))),
                };
            }
            if judged != Judged::Open {
                finding.values = self.values(id, action, values, &inputs, viewer, form);
            }
            // Members that are taken together are one clause: the first that is refused speaks for all.
            match findings.last_mut() {
                Some(before) if before.clause == clause && at < action.params.len() => {
                    if before.judged != Judged::Refuses && judged != Judged::Allows {
                        *before = finding;
                    }
                }
                _ => findings.push(finding),
            }
            if judged == Judged::Allows
                && let Some(at) = at.checked_sub(action.params.len())
            {
                findings.extend(self.lifting(viewer, id, at, &inputs, form));
            }
        }
        (findings, secret)
    }

    /// The permits and exceptions by which a condition is met that would not be met without them.
    fn lifting(
        &mut self,
        viewer: Viewer,
        id: ActionId,
        at: usize,
        inputs: &[Option<i64>],
        form: Form,
    ) -> Vec<Finding> {
        let program = self.program;
        let action = program.game.actions.get(id.index());
        let Some((action, face)) = action.zip(program.face(id)) else {
            return Vec::new();
        };
        let require = action.requires.get(at).zip(face.requires.get(at));
        let Some((require, own)) = require else {
            return Vec::new();
        };
        let Some((bare, section)) = require.bare.as_ref().zip(own.bare) else {
            return Vec::new();
        };
        let known = self.known_to(&[viewer], action, inputs);
        let holds = |machine: &mut Self, section: usize, cond: &Expr| {
            let given = face.inputs(section, inputs)?;
            let seen = Sight::new(machine, viewer).sees(cond, &known);
            let value = machine.probe(&face.query, section, &given).ok()?;
            seen.then_some(value.scalar() != 0)
        };
        if holds(self, section, bare) != Some(false) {
            return Vec::new();
        }
        let path = |clause: ClauseId| {
            let clause = program.game.clauses.get(clause.index());
            clause.map_or("", |it| it.path.as_str())
        };
        let mut found = Vec::new();
        for (lift, (section, shown)) in require.lifts.iter().zip(&own.lifts) {
            if holds(self, *section, &lift.cond) == Some(true) {
                found.push(Finding {
                    clause: lift.clause,
                    judged: Judged::Allows,
                    message: Some(format!("`{}` alone would refuse", path(require.clause))),
                    values: self.values(id, action, shown, inputs, viewer, form),
                });
            }
        }
        found
    }

    fn values(
        &mut self,
        id: ActionId,
        action: &Action,
        shown: &[Shown],
        inputs: &[Option<i64>],
        viewer: Viewer,
        form: Form,
    ) -> Vec<(String, String)> {
        let program = self.program;
        let game = &*program.game;
        let known = self.known_to(&[viewer], action, inputs);
        let mut values: Vec<(String, String)> = Vec::new();
        for Shown { section, expr } in shown {
            let written = write_expr(game, expr);
            if values.iter().any(|(known, _)| *known == written) {
                continue;
            }
            if let Some(value) = self.seen_value(id, *section, expr, inputs, &known, &[viewer]) {
                values.push((written, text::print(self.ground(), expr.ty, &value, form)));
            }
        }
        values
    }
}

impl Explanation {
    /// The explanation as lines of text, for tests and logs: the verdict, then each clause with its
    /// message and what it saw.
    #[must_use]
    pub fn lines(&self, game: &Game) -> String {
        let verdict = match self.verdict {
            Verdict::Legal => "is legal",
            Verdict::Refused => "is refused",
            Verdict::NotOffered => "is not offered",
            Verdict::NotYourTurn => "is not for this seat to choose now",
            Verdict::Over => "comes too late: the game is over",
        };
        let mut lines = format!("{} {verdict}\n", self.printed);
        for finding in &self.findings {
            let mark = match finding.judged {
                Judged::Allows => "+",
                Judged::Refuses => "-",
                Judged::Open => "?",
            };
            let clause = game.clauses.get(finding.clause.index());
            let path = clause.map_or("", |clause| clause.path.as_str());
            lines.push_str(&format!("{mark} {path}"));
            if let Some(message) = &finding.message {
                lines.push_str(&format!(": {message}"));
            }
            lines.push('\n');
            for (written, value) in &finding.values {
                lines.push_str(&format!("    {written} = {value}\n"));
            }
        }
        if self.secret {
            lines.push_str("- refused for a reason that you may not see\n");
        }
        lines
    }
}

/// Prints a seat.
#[must_use]
pub fn print_seat(game: &Game, seat: u32, form: Form) -> String {
    let ty = Type::of(crate::model::Base::Elem(game.seat));
    print_value(game, ty, i64::from(seat), form)
}

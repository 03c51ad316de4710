//! The instances of an action whose parameters are left open.

use std::collections::BTreeSet;

use super::Judged;
use crate::engine::face::RangeFace;
use crate::engine::machine::{Machine, Status};
use crate::engine::query::Value;
use crate::engine::say::{Candidate, CandidateKind, inputs_of};
use crate::engine::text::members;
use crate::model::{ActionId, ClauseId, NONE};

/// Called with the arguments of an instance, and with the number of the parameter that has no value
/// to take.
type EachInstance<'f, 'p> = dyn FnMut(&mut Machine<'p>, &[Option<i64>], Option<usize>) + 'f;

/// Most instances of an action that are judged where parameters are left open.
pub(in crate::engine) const MOST_INSTANCES: usize = 4_096;

impl<'p> Machine<'p> {
    /// The candidate with every parameter given: of the instances it leaves open a legal one, else
    /// the one that the fewest clauses refuse.
    pub(super) fn completed(&mut self, candidate: &Candidate) -> Candidate {
        let CandidateKind::Action(id, args) = &candidate.kind else {
            return candidate.clone();
        };
        if args.iter().all(Option::is_some) {
            return candidate.clone();
        }
        if let Some(legal) = self.moves_of(candidate).first() {
            return self.candidate(*legal).unwrap_or_else(|| candidate.clone());
        }
        let mut best: Option<(usize, Vec<Option<i64>>)> = None;
        let mut left = MOST_INSTANCES;
        self.each_instance(
            *id,
            candidate.seat,
            args,
            &mut left,
            &mut |machine, args, _| {
                let judged = machine.judge(*id, candidate.seat, args);
                let bad = judged.iter().filter(|it| **it != Judged::Allows).count();
                if best.as_ref().is_none_or(|(least, _)| bad < *least) {
                    best = Some((bad, args.to_vec()));
                }
            },
        );
        Candidate {
            seat: candidate.seat,
            kind: CandidateKind::Action(*id, best.map_or_else(|| args.clone(), |(_, args)| args)),
        }
    }

    /// The clauses that alone refuse some instance of an action for the seat that has to choose: everything else allows
    /// it. And whether all instances were looked at. It is for counting: no seat is told of it.
    pub fn refused_alone(&mut self, id: ActionId) -> (BTreeSet<ClauseId>, bool) {
        let mut alone = BTreeSet::new();
        let Status::Choice { seat } = self.status() else {
            return (alone, true);
        };
        let Some(action) = self.program.game.actions.get(id.index()) else {
            return (alone, true);
        };
        let open = vec![None; action.params.len()];
        let mut left = MOST_INSTANCES;
        self.each_instance(id, seat, &open, &mut left, &mut |machine, args, empty| {
            if empty.is_some() {
                return;
            }
            let judged = machine.judge(id, seat, args);
            let mut against = (0..).zip(&judged).filter(|(_, it)| **it != Judged::Allows);
            let (Some((at, Judged::Refuses)), None) = (against.next(), against.next()) else {
                return;
            };
            let param = action.params.get(at).map(|it| it.clause);
            let require = usize::checked_sub(at, action.params.len());
            let require = require.and_then(|at| action.requires.get(at));
            alone.extend(param.or(require.map(|it| it.clause)));
        });
        (alone, left > 0)
    }

    /// Runs through the instances of an action. A parameter that has no value to take stays open, and
    /// its number is told.
    pub(in crate::engine) fn each_instance(
        &mut self,
        id: ActionId,
        seat: u32,
        args: &[Option<i64>],
        left: &mut usize,
        each: &mut EachInstance<'_, 'p>,
    ) {
        if *left == 0 {
            return;
        }
        let open = args.iter().position(Option::is_none);
        let Some(at) = open else {
            *left -= 1;
            return each(self, args, None);
        };
        let values = self.range(id, seat, args, at);
        if values.is_empty() {
            *left -= 1;
            return each(self, args, Some(at));
        }
        let mut args = args.to_vec();
        for value in values {
            if let Some(slot) = args.get_mut(at) {
                *slot = Some(value);
            }
            self.each_instance(id, seat, &args, left, each);
        }
    }

    /// The values that a parameter may take, the ones before it given.
    fn range(&mut self, id: ActionId, seat: u32, args: &[Option<i64>], at: usize) -> Vec<i64> {
        let Some(face) = self.program.face(id) else {
            return Vec::new();
        };
        let inputs = inputs_of(seat, args);
        let Some(param) = face.params.get(at) else {
            return Vec::new();
        };
        let mut probe = |section: usize| match face.inputs(section, &inputs) {
            Some(given) => self.probe(&face.query, section, &given).ok(),
            None => None,
        };
        let mut values = match param.range {
            RangeFace::Set(section, lo) => match probe(section) {
                Some(Value::Set(words)) => members(&words)
                    .map(|member| lo + i64::try_from(member).unwrap_or(0))
                    .collect(),
                Some(Value::Scalar(_)) | None => Vec::new(),
            },
            RangeFace::Span(from, to) => match (probe(from), probe(to)) {
                (Some(from), Some(to)) => {
                    (from.scalar()..=to.scalar()).take(MOST_INSTANCES).collect()
                }
                _ => Vec::new(),
            },
        };
        // Members that are taken together are in order.
        let action = self.program.game.actions.get(id.index());
        let member = action
            .and_then(|it| it.params.get(at))
            .and_then(|it| it.member);
        if member.is_some_and(|it| it.optional) {
            values.insert(0, NONE);
        }
        if member.is_some_and(|it| it.before > 0 || it.optional) {
            values.retain(|value| {
                let mut given = inputs.clone();
                if let Some(slot) = given.get_mut(at + 1) {
                    *slot = Some(*value);
                }
                let Some(given) = face.inputs(param.allowed, &given) else {
                    return false;
                };
                let allowed = self.probe(&face.query, param.allowed, &given);
                matches!(allowed, Ok(Value::Scalar(1)))
            });
        }
        values
    }
}

//! Which seats a variable is not, told by what it ranges over: what all see but their owner is seen by these.

use rustc_hash::FxHashMap as HashMap;

use super::Analysis;
use super::label::Label;
use super::sym::Sym;
use crate::model::{AggregateOp, BinaryOp, Expr, ExprKind, LocalId, Over, Visibility};

impl Analysis<'_> {
    /// Notes which seats a variable is not.
    pub(super) fn note_apart(&mut self, local: LocalId, over: &Over, guard: Option<&Expr>) {
        if !self.is_seat(local) || self.facts.apart.contains_key(&local) {
            return;
        }
        let mut seats = Vec::new();
        self.left_out(local, over, guard, &mut seats);
        self.facts.apart.insert(local, seats);
    }

    /// Notes which seats the parameters of actions are not, where they are asked for and where the actions are done.
    pub(super) fn note_chosen_apart(&mut self) {
        for action in &self.game.actions {
            for param in &action.params {
                self.note_apart(param.local, &param.over, None);
            }
            let Some(body) = self.game.procs.get(action.body.index()) else {
                continue;
            };
            // Whose action it is stands first, where what is done asks for it.
            let asked = action.params.iter().rev().map(|it| it.local);
            let asked = asked.chain([action.me]);
            let done = body.params.iter().rev().copied();
            let done: HashMap<LocalId, LocalId> = asked.zip(done).collect();
            let there = |local| done.get(&local).map_or(Sym::Other, |it| Sym::Local(*it));
            for (asked, done) in &done {
                if let Some(seats) = self.facts.apart.get(asked) {
                    let seats = seats.iter().map(|it| it.with(&there)).collect();
                    self.facts.apart.insert(*done, seats);
                }
            }
        }
    }

    /// The seats that are left out of what a variable ranges over.
    fn left_out(&self, local: LocalId, over: &Over, guard: Option<&Expr>, out: &mut Vec<Sym>) {
        if let Some(guard) = guard {
            self.unequal(local, guard, out);
        }
        let Over::Set(set) = over else { return };
        match &set.kind {
            ExprKind::Aggregate(it) if it.op == AggregateOp::Collect && it.value.is_none() => {
                if let [one] = it.binders.as_slice() {
                    self.left_out(one.local, &one.over, one.guard.as_ref(), out);
                }
            }
            ExprKind::Call(id, args) => {
                let Some(define) = self.game.defines.get(id.index()) else {
                    return;
                };
                if define.depth > 0 {
                    return;
                }
                let mut inner = Vec::new();
                let body = Over::Set(define.body.clone());
                self.left_out(local, &body, None, &mut inner);
                let given = |local| {
                    let at = define.params.iter().position(|it| *it == local);
                    let arg = at.and_then(|at| args.get(at));
                    arg.map_or(Sym::Other, |it| self.sym(it))
                };
                out.extend(inner.iter().map(|it| it.with(&given)));
                out.retain(|it| self.stays(it));
            }
            _ => {}
        }
    }

    /// Which seats a variable is not where a condition holds.
    fn unequal(&self, local: LocalId, cond: &Expr, out: &mut Vec<Sym>) {
        let ExprKind::Binary(op, one, other) = &cond.kind else {
            return;
        };
        match op {
            BinaryOp::And => {
                self.unequal(local, one, out);
                self.unequal(local, other, out);
            }
            BinaryOp::Ne => {
                for (it, seat) in [(one, other), (other, one)] {
                    let seat = self.sym(seat);
                    if matches!(it.kind, ExprKind::Local(it) if it == local) && self.stays(&seat) {
                        out.push(seat);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether that is the same seat as long as it is known by this name.
    fn stays(&self, seat: &Sym) -> bool {
        let varies = |it: &Sym| match it {
            Sym::Local(it) => self.facts.is_set_again(*it),
            Sym::Value(_) | Sym::Beside(..) => false,
            _ => true,
        };
        !seat.any(&varies)
    }

    /// What all see but their owner is known to each seat that the owner is not.
    pub(super) fn known_apart(&self, label: &mut Label) {
        if let Visibility::Others(at) = label.seen
            && let Some(Sym::Local(owner)) = label.at.get(at)
        {
            let seats = self.facts.apart.get(owner).cloned().unwrap_or_default();
            seats.iter().for_each(|seat| label.known_to(seat));
        }
    }
}

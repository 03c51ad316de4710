//! What a procedure asks of those that call it.

use super::Analysis;
use super::acts::Asked;
use super::label::{How, Label, Labels, What};
use super::needs::{Asks, Need};
use super::state::{Few, State};
use super::sym::Sym;
use crate::model::{Expr, ExprKind, LocalId, ProcId};
use crate::source::Span;

impl Analysis<'_> {
    pub(super) fn arguments(&mut self, args: &[Expr], state: &State) -> Vec<(Labels, Sym, Span)> {
        let given = args.iter();
        given
            .map(|it| (self.eval(it, state), self.sym(it), it.span))
            .collect()
    }

    /// Does what a procedure asks of its caller; returns what its value follows from.
    pub(super) fn call(
        &mut self,
        id: ProcId,
        given: &[(Labels, Sym, Span)],
        span: Span,
        state: &mut State,
    ) -> Labels {
        let Some(proc) = self.game.procs.get(id.index()) else {
            return Labels::default();
        };
        let summary = self.procs.get(id.index()).cloned().unwrap_or_default();
        let at = |local: LocalId| proc.params.iter().position(|it| *it == local);
        let with = |local: LocalId| {
            let given = at(local).and_then(|at| given.get(at));
            given.map_or(Sym::Other, |(_, sym, _)| sym.clone())
        };
        let has_one_entry = self.facts.has_one_entry(id);
        // What the caller knows of a label of the procedure.
        let here = |label: &Label| -> Labels {
            let mut labels = Labels::default();
            match label.what {
                What::Param(param) => {
                    if let Some((given, _, span)) = at(param).and_then(|at| given.get(at)) {
                        labels = given.map(&|it| {
                            let mut handed = it.by(How::Handed(param), *span);
                            handed.known_to_all_of(label, &with);
                            handed
                        });
                    }
                }
                What::Entry { asked } => {
                    // Whoever is asked where only this call leads to shows that it came to this call.
                    let is_shown = asked && has_one_entry;
                    for (_, it) in state.course.iter() {
                        let from_outside = matches!(it.what, What::Entry { .. });
                        if !is_shown {
                            labels.add(it.clone());
                        } else if from_outside {
                            labels.add(Label {
                                what: What::Entry { asked: true },
                                ..it.clone()
                            });
                        }
                    }
                }
                What::Zone(_) | What::Track(_) | What::Many => {
                    if let Some(label) = state.admit(label.with(&with)) {
                        labels.add(label);
                    }
                }
            }
            labels
        };
        for need in summary.needs.iter() {
            let seat = need.seat.with(&with);
            for label in here(&need.label).iter() {
                self.need(label, &seat, need.asks, need.span);
            }
        }
        let mut result = Labels::default();
        for label in summary.result.iter() {
            result.join(&here(label));
        }
        let mut reads = Labels::default();
        for label in summary.reads.iter() {
            reads.join(&here(label));
        }
        self.note(&reads);
        self.pay(&reads, span);
        if let Some(changes) = self.facts.changes_of(id) {
            self.change(changes, state);
        }
        let acts = self.facts.acts.get(id.index());
        if let Some(acts) = acts.filter(|_| !reads.is_empty()) {
            Few::join_shared(&mut state.unsure, &acts.varied());
        }
        if let Some(acts) = acts.filter(|it| matches!(it.asks, Asked::Seat(_)) && has_one_entry) {
            self.asked_there(acts.shows, state);
        }
        result
    }

    /// Whoever a procedure asks first, everybody knows by then.
    pub(super) fn ask_known(&self, id: ProcId, args: &[Expr], state: &mut State) {
        let asks = self.facts.acts.get(id.index()).map(|it| &it.asks);
        let params = self.game.procs.get(id.index()).map(|it| &it.params);
        if let (Some(Asked::Seat(Sym::Local(asked))), Some(params)) = (asks, params)
            && let Some(at) = params.iter().position(|it| it == asked)
            && let Some(ExprKind::Local(local)) = args.get(at).map(|it| &it.kind)
        {
            state.tell(*local, None, None);
        }
    }

    /// A seat that chooses must see this.
    pub(super) fn need(&mut self, label: &Label, seat: &Sym, asks: Asks, span: Span) {
        if label.is_seen_by(seat) {
            return;
        }
        self.now.says_more |= self.now.summary.needs.add(Need {
            label: label.clone(),
            seat: seat.clone(),
            asks,
            span,
        });
    }
}

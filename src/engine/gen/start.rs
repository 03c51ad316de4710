//! The start of a game: tracks, supplies, `main`.

use super::Gen;
use super::graph::Callee;
use crate::engine::op::{FaultKind, Op, zone16};
use crate::engine::setup::BEFORE_MAIN;
use crate::model::Place;

impl Gen<'_, '_> {
    /// Tracks, supplies, `main`.
    pub fn start(&mut self) {
        let game = self.shared.game;
        for (at, track) in game.tracks.iter().enumerate() {
            let Some(slot) = self.shared.layout.tracks.get(at).copied() else {
                continue;
            };
            let mark = self.mark();
            self.at(track.init.span);
            let mut init = track.init.clone();
            self.shared.expand(&mut init);
            let value = self.value(&init);
            self.check_bounds(value, init.ty, track.ty);
            let (i, one) = (self.temp(), self.constant(1));
            let (zero, len) = (self.constant(0), self.constant(i64::from(slot.len)));
            let top = self.label();
            self.mov(i, zero);
            self.bind(top);
            if slot.set_words > 0 {
                self.op(Op::StoreWide {
                    base: slot.array.base,
                    i,
                    a: value,
                    n: slot.set_words,
                });
            } else {
                self.store(slot.array, super::place::Index::Inside(i), value);
            }
            self.op(Op::Add { d: i, a: i, b: one });
            let to = self.to(top);
            self.op(Op::JumpLt { a: i, b: len, to });
            self.release(mark);
        }
        for supply in &game.supplies {
            self.supply(supply);
        }
        self.op(Op::Mark {
            clause: BEFORE_MAIN,
        });
        self.call(Callee::Proc(game.main));
        self.fail(FaultKind::NoEnd);
    }

    pub(super) fn supply(&mut self, supply: &crate::model::Supply) {
        let mark = self.mark();
        let clause = self.shared.game.clauses.get(supply.clause.index());
        let around = clause.map(|it| self.within(it.span));
        let kinds = self.domain_size(supply.component);
        let (kind, zero) = (self.temp(), self.constant(0));
        let all = self.constant(i64::try_from(kinds).unwrap_or(i64::MAX));
        let (top, next) = (self.label(), self.label());
        self.set_local(supply.it, kind);
        self.mov(kind, zero);
        self.bind(top);
        if let Some(guard) = &supply.guard {
            let mut guard = guard.clone();
            self.shared.expand(&mut guard);
            self.cond(&guard, false, next);
        }
        let mut count = supply.count.clone();
        self.shared.expand(&mut count);
        let mut place = Place {
            zone: supply.zone,
            index: supply.index.clone(),
        };
        place
            .index
            .iter_mut()
            .for_each(|index| self.shared.expand(index));
        self.times(Some(&count), &mut |r#gen| {
            let landing = r#gen.landing(&place, &[], &[]);
            r#gen.put(landing, kind);
        });
        // Nobody has seen in which order things were put there.
        let at = self.place_reg(&place);
        self.op(Op::Shuffle {
            zone: zone16(place.zone),
            place: at,
        });
        self.bind(next);
        self.op(Op::AddK {
            d: kind,
            a: kind,
            k: 1,
        });
        let to = self.to(top);
        self.op(Op::JumpLt {
            a: kind,
            b: all,
            to,
        });
        if let Some(around) = around {
            self.within(around);
        }
        self.release(mark);
    }
}

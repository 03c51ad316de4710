//! Who wins.

use super::Gen;
use crate::engine::op::Op;
use crate::model::{Expr, LocalId};

impl Gen<'_, '_> {
    pub(super) fn ranking(&mut self, it: LocalId, keys: &[Expr]) {
        let (seats, n_keys) = (self.shared.game.n_seats, self.shared.layout.keys);
        let outcome = self.shared.layout.outcome;
        let seat = self.temp();
        self.set_local(it, seat);
        for s in 0..seats {
            let value = self.constant(i64::from(s));
            self.mov(seat, value);
            for (at, key) in keys.iter().enumerate() {
                let mark = self.mark();
                let word = u16::try_from(s).unwrap_or(0) * n_keys + u16::try_from(at).unwrap_or(0);
                self.value_there_to(key, outcome + word);
                self.release(mark);
            }
        }
        self.has_judged();
    }

    fn has_judged(&mut self) {
        if let Some(judged) = self.judged {
            let yes = self.constant(1);
            self.mov(judged, yes);
        }
    }

    pub(super) fn winner(&mut self, who: &Expr) {
        let (seats, n_keys) = (self.shared.game.n_seats, self.shared.layout.keys);
        let outcome = self.shared.layout.outcome;
        let who = self.value(who);
        for s in 0..seats {
            let seat = self.constant(i64::from(s));
            let word = u16::try_from(s).unwrap_or(0) * n_keys;
            self.op(Op::Eq {
                d: outcome + word,
                a: who,
                b: seat,
            });
        }
        self.has_judged();
    }
}

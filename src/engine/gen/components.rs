//! Components change place: the only statements that touch zones.

use super::aggregate::levels_of;
use super::landing::Landing;
use super::nest::Sink;
use super::{Gen, structure};
use crate::engine::op::{FaultKind, Op, Reg, stream16, zone16};
use crate::model::{
    Aggregate, AggregateOp, Binder, Expr, ExprKind, Holder, Holding, Lie, Move, NONE, Place,
    Poured, Stmt, StreamId, Visibility, What, ZoneKind, poured,
};
use crate::source::Span;

/// Whether two places are written alike.
fn is_same_place(one: &Place, other: &Place) -> bool {
    let alike = |(one, other)| structure::same(one, other);
    one.zone == other.zone && one.index.iter().zip(&other.index).all(alike)
}

impl Gen<'_, '_> {
    /// What lies on top of a pile, known or not.
    fn topmost(&mut self, kind: Reg, zone: u16, place: Reg, stream: StreamId) {
        self.op(Op::Top {
            d: kind,
            zone,
            place,
        });
        self.draw_unless_known(kind, zone, place, stream);
    }

    /// What lies in a pile at a depth where its order is not known yet, chance decides.
    fn draw_unless_known(&mut self, kind: Reg, zone: u16, place: Reg, stream: StreamId) {
        let known = self.label();
        let (none, to) = (self.constant(NONE), self.to(known));
        self.op(Op::JumpNe {
            a: kind,
            b: none,
            to,
        });
        self.op(Op::Draw {
            d: kind,
            zone,
            place,
            stream: stream16(stream),
        });
        self.bind(known);
    }

    /// Everything, or all of some kinds, from one place to another.
    fn pour(&mut self, from: &Place, goal: &Place, lie: Lie, only: Option<Reg>) {
        let (place, target) = (self.place_reg(from), self.place_reg(goal));
        let stream = self.shared.game.stream_of(goal.zone);
        let stream = stream.filter(|_| lie == Lie::Ordered && self.hypothetical == 0);
        let stream = stream.map_or(u16::MAX, stream16);
        let goal_zone = self.shared.game.zones.get(goal.zone.index());
        let seen = u8::from(goal_zone.is_some_and(|it| it.visibility != Visibility::Hidden));
        let done = self.label();
        let fields = match goal_zone.is_some_and(|it| !it.fields.is_empty()) {
            true => {
                // Where nothing comes, no field changes.
                self.cond(
                    &Expr::truth(ExprKind::Filled(from.clone()), Span::default()),
                    false,
                    done,
                );
                let carried = self.carried_fields(from, place, goal, &[]);
                self.landing_fields(goal, &[], &carried)
            }
            false => Vec::new(),
        };
        let (from, to) = (zone16(from.zone), zone16(goal.zone));
        self.op(match only {
            None => Op::MoveAll {
                from,
                place,
                to,
                target,
                stream,
                seen,
            },
            Some(only) => Op::MoveThose {
                from,
                place,
                to,
                target,
                only,
                stream,
                seen,
            },
        });
        self.put_fields(to, target, fields);
        self.bind(done);
    }

    /// `move all of P where … to Q` onto a pile, which keeps the order; false where these loops are something else.
    pub(super) fn pour_those(&mut self, binders: &[Binder], body: &[Stmt]) -> bool {
        let Some(Poured {
            places,
            kinds,
            from,
            to,
            lie,
        }) = poured(binders, body)
        else {
            return false;
        };
        let zones = &self.shared.game.zones;
        let [Some(zone), Some(goal)] = [from, to].map(|it| zones.get(it.zone.index())) else {
            return false;
        };
        if zone.kind == ZoneKind::One || goal.kind != ZoneKind::Pile {
            return false;
        }
        let those = Expr::set(
            Aggregate::over(AggregateOp::Collect, vec![kinds.clone()]),
            zone.component,
            kinds
                .guard
                .as_ref()
                .map_or_else(Span::default, |it| it.span),
        );
        let mut pour = |r#gen: &mut Gen<'_, '_>, _: Option<Reg>| {
            let only = r#gen.value(&those);
            r#gen.pour(from, to, lie, Some(only));
        };
        match places {
            [] => pour(self, None),
            _ => {
                let (levels, conds) = levels_of(places);
                self.nest_in_order(&levels, &conds, &mut Sink::Each(&mut pour));
            }
        }
        true
    }

    pub(super) fn move_stmt(&mut self, moved: &Move) {
        match &moved.what {
            What::At(from) => {
                let (zone, at, kind) = (zone16(from.zone), self.place_reg(from), self.temp());
                self.op(Op::Peek {
                    d: kind,
                    zone,
                    place: at,
                });
                self.op(Op::NeedSome { a: kind });
                let carried = self.carried_fields(from, at, &moved.to, &moved.with);
                let landing = self.landing(&moved.to, &moved.with, &carried);
                self.op(Op::Take {
                    zone,
                    place: at,
                    kind,
                });
                self.put(landing, kind);
            }
            What::All(from) => self.pour(from, &moved.to, moved.lie, None),
            What::Top(from, stream) => {
                let (zone, at, kind) = (zone16(from.zone), self.place_reg(from), self.temp());
                self.topmost(kind, zone, at, *stream);
                self.taken(kind);
                let landing = self.landing(&moved.to, &moved.with, &[]);
                self.op(Op::Take {
                    zone,
                    place: at,
                    kind,
                });
                self.put(landing, kind);
            }
            What::Nth(from, n, stream) => {
                let (zone, place) = (zone16(from.zone), self.place_reg(from));
                let [deep, size, kind] = [self.temp(), self.temp(), self.temp()];
                self.value_there_to(n, deep);
                self.op(Op::Size {
                    d: size,
                    zone,
                    place,
                });
                let top = self.constant(1);
                self.op(Op::Check {
                    a: deep,
                    lo: top,
                    hi: size,
                    fault: FaultKind::Missing,
                });
                self.op(Op::Nth {
                    d: kind,
                    zone,
                    place,
                    n: deep,
                });
                self.draw_unless_known(kind, zone, place, *stream);
                let landing = self.landing(&moved.to, &moved.with, &[]);
                self.op(Op::Dig {
                    zone,
                    place,
                    kind,
                    n: deep,
                });
                self.put(landing, kind);
            }
            What::Copies(count, value, holding) => {
                self.move_copies(moved, count.as_ref(), value, holding)
            }
            What::Draw(count, from, stream) => {
                let zone = zone16(from.zone);
                let has_order = self.shared.layout.may_have_top(from.zone);
                self.times(count.as_ref(), &mut |r#gen| {
                    let (at, kind) = (r#gen.place_reg(from), r#gen.temp());
                    // What lies in order on top of a pile is what comes first.
                    if has_order {
                        r#gen.topmost(kind, zone, at, *stream);
                    } else {
                        r#gen.op(Op::Draw {
                            d: kind,
                            zone,
                            place: at,
                            stream: stream16(*stream),
                        });
                    }
                    r#gen.taken(kind);
                    let landing = r#gen.landing(&moved.to, &moved.with, &[]);
                    r#gen.op(Op::Take {
                        zone,
                        place: at,
                        kind,
                    });
                    r#gen.put(landing, kind);
                });
            }
        }
        let moves_one = match &moved.what {
            What::At(_) | What::Top(..) | What::Nth(..) => true,
            What::Copies(count, ..) | What::Draw(count, ..) => count.is_none(),
            What::All(_) => false,
        };
        if moves_one {
            self.learn_named(&moved.to);
        }
    }

    /// A fault where there was nothing to take.
    pub(super) fn taken(&mut self, kind: Reg) {
        let zero = self.constant(0);
        let most = self.constant(i64::MAX);
        self.op(Op::Check {
            a: kind,
            lo: zero,
            hi: most,
            fault: FaultKind::Missing,
        });
    }

    pub(super) fn times(&mut self, count: Option<&Expr>, body: &mut dyn FnMut(&mut Self)) {
        let Some(count) = count else {
            return body(self);
        };
        let (left, zero) = (self.temp(), self.constant(0));
        let (top, done) = (self.label(), self.label());
        self.value_there_to(count, left);
        let most = self.constant(i64::MAX);
        self.op(Op::Check {
            a: left,
            lo: zero,
            hi: most,
            fault: FaultKind::Bounds,
        });
        self.bind(top);
        let to = self.to(done);
        self.op(Op::JumpLe {
            a: left,
            b: zero,
            to,
        });
        self.op(Op::AddK {
            d: left,
            a: left,
            k: -1,
        });
        let mark = self.mark();
        body(self);
        self.release(mark);
        self.loop_to(top);
        self.bind(done);
    }

    pub(super) fn move_copies(
        &mut self,
        moved: &Move,
        count: Option<&Expr>,
        value: &Expr,
        holding: &Holding,
    ) {
        let kind = self.temp();
        self.value_to(value, kind);
        if value.ty.optional {
            self.op(Op::NeedSome { a: kind });
        }
        self.times(count, &mut |r#gen| match holding {
            Holding::Place(from) => {
                let (zone, at) = (zone16(from.zone), r#gen.place_reg(from));
                let carried = r#gen.carried_fields(from, at, &moved.to, &moved.with);
                let landing = r#gen.landing(&moved.to, &moved.with, &carried);
                let comes_up =
                    r#gen.shared.layout.may_have_top(from.zone) && is_same_place(from, &moved.to);
                if comes_up {
                    let n = r#gen.constant(i64::MAX);
                    r#gen.op(Op::Dig {
                        zone,
                        place: at,
                        kind,
                        n,
                    });
                } else {
                    r#gen.op(Op::Take {
                        zone,
                        place: at,
                        kind,
                    });
                }
                r#gen.put(landing, kind);
            }
            Holding::Anywhere(from) => {
                let (zone, at) = (zone16(*from), r#gen.temp());
                r#gen.op(Op::Find { d: at, zone, kind });
                r#gen.taken(at);
                let landing = r#gen.landing(&moved.to, &moved.with, &[]);
                r#gen.op(Op::Take {
                    zone,
                    place: at,
                    kind,
                });
                r#gen.put(landing, kind);
            }
        });
    }

    pub(super) fn exchange(&mut self, one: &Holder, other: &Holder) {
        if let (Holder::All(one), Holder::All(other)) = (one, other) {
            let (place, target) = (self.place_reg(one), self.place_reg(other));
            self.op(Op::SwapAll {
                from: zone16(one.zone),
                place,
                to: zone16(other.zone),
                target,
            });
            return;
        }
        let (a, b) = (self.held(one), self.held(other));
        let sides = [(one, a, other, b), (other, b, one, a)];
        let landings = sides.map(|(to, (zone, place, _), from, (_, at, kind))| {
            let (to, from) = (place_of(to), place_of(from));
            let carried = self.carried_fields(from, at, to, &[]);
            let values = self.landing_fields(to, &[], &carried);
            (
                Landing {
                    zone,
                    place,
                    values,
                },
                kind,
            )
        });
        for (zone, place, kind) in [a, b] {
            self.op(Op::Take { zone, place, kind });
        }
        for (landing, kind) in landings {
            self.put(landing, kind);
        }
    }

    pub(super) fn held(&mut self, holder: &Holder) -> (u16, Reg, Reg) {
        match holder {
            // Both sides are whole, which is done elsewhere.
            Holder::At(place) | Holder::All(place) => {
                let (zone, at, kind) = (zone16(place.zone), self.place_reg(place), self.temp());
                self.op(Op::Peek {
                    d: kind,
                    zone,
                    place: at,
                });
                self.op(Op::NeedSome { a: kind });
                (zone, at, kind)
            }
            Holder::Copy(value, place) => {
                let kind = self.temp();
                self.value_to(value, kind);
                (zone16(place.zone), self.place_reg(place), kind)
            }
        }
    }
}

fn place_of(holder: &Holder) -> &Place {
    match holder {
        Holder::At(place) | Holder::All(place) | Holder::Copy(_, place) => place,
    }
}

//! Listing the legal instances of actions.

use std::rc::Rc;

use super::bags::over_mentions;
use super::facts::Facts;
use super::inline::mentions;
use super::lifted::Lifted;
use super::nest::{Cond, Level, Sink, depth_of};
use super::{FRAME_REL, Gen};
use crate::engine::face::{allowed, in_order, with_it};
use crate::engine::layout::span_of;
use crate::engine::op::{Op, Reg, SlotBits, TEMPS};
use crate::model::{
    ActionId, Alt, AltKind, Expr, ExprKind, LocalId, MOVE_BITS, NONE, Order, Over, Param,
};
use crate::source::Span;

/// An action whose definitions are put in place.
#[derive(Debug)]
pub(in crate::engine) struct Expanded {
    pub me: LocalId,
    pub params: Vec<Param>,
    pub conds: Vec<Expr>,
    /// By clause: how it is asked of all the places to which a thing may go.
    pub lifted: Vec<Option<Lifted>>,
}

/// First bit of a move's first parameter: the alternative lies below.
const FIRST_SLOT: u8 = 8;

/// The parameters that are bound whenever a clause is asked, also where some are given beforehand: it speaks of them and of all on
/// which their values depend.
fn asked_behind<'a>(cond: &Expr, params: &'a [Param]) -> impl Iterator<Item = (usize, &'a Param)> {
    let unsaid: Vec<LocalId> = (params.iter().map(|it| it.local))
        .filter(|it| !mentions(cond, &[*it]))
        .collect();
    (params.iter().enumerate())
        .filter(move |(_, it)| !unsaid.contains(&it.local) && !over_mentions(&it.over, &unsaid))
}

/// That something lies where this one is chosen, unless it may be none of them.
fn lies_there(param: &Param) -> Option<Expr> {
    let may_lack = param.member.is_some_and(|it| it.optional);
    match &param.over {
        Over::Zone(place) if !may_lack => Some(Expr::truth(
            ExprKind::Filled(place.clone()),
            Span::default(),
        )),
        _ => None,
    }
}

impl Gen<'_, '_> {
    /// An action ready for listing.
    pub(super) fn action(&mut self, id: ActionId) -> Option<Rc<Expanded>> {
        if let Some(known) = self.shared.actions.get(&id) {
            return Some(Rc::clone(known));
        }
        let action = self.shared.game.actions.get(id.index())?;
        let mut params = action.params.clone();
        for param in &mut params {
            match &mut param.over {
                Over::Set(set) => self.shared.expand(set),
                Over::Zone(place) => {
                    place
                        .index
                        .iter_mut()
                        .for_each(|index| self.shared.expand(index));
                }
                Over::Span(from, to) => {
                    self.shared.expand(from);
                    self.shared.expand(to);
                }
            }
        }
        let mut conds: Vec<Expr> = action
            .requires
            .iter()
            .map(|require| {
                let mut cond = require.cond.clone();
                // Of what was chosen among what lies somewhere, there is some.
                let behind = asked_behind(&require.cond, &params);
                self.shared.there = behind.filter_map(|it| lies_there(it.1)).collect();
                self.shared.expand(&mut cond);
                cond
            })
            .collect();
        self.shared.there.clear();
        let behind: Vec<Vec<usize>> = (action.requires.iter())
            .map(|it| asked_behind(&it.cond, &params).map(|it| it.0).collect())
            .collect();
        self.shared
            .use_equal_params(&mut params, &mut conds, &behind);
        self.shared.join_ways_of(&mut conds);
        let lifted = conds.iter().map(|it| self.lifted(it, &params)).collect();
        let expanded = Rc::new(Expanded {
            me: action.me,
            params,
            conds,
            lifted,
        });
        self.shared.actions.insert(id, Rc::clone(&expanded));
        Some(expanded)
    }

    /// Where the parameters of locals lie in a packed move; `None` where they do not fit.
    pub(super) fn slots_of(&self, locals: &[LocalId]) -> Option<Vec<SlotBits>> {
        let mut shift = FIRST_SLOT;
        let mut slots = Vec::new();
        for local in locals {
            let ty = self.shared.local_type(*local);
            let (lo, n) = span_of(self.shared.game, ty)?;
            let none = ty.optional.then_some(n);
            let bits =
                u8::try_from(64 - none.unwrap_or(n.saturating_sub(1)).leading_zeros()).ok()?;
            slots.push(SlotBits {
                shift,
                bits,
                lo,
                none,
                part: None,
            });
            shift = shift.checked_add(bits)?;
        }
        (shift <= FIRST_SLOT + MOVE_BITS).then_some(slots)
    }

    /// What stands for a value in a move.
    fn packed(&mut self, value: Reg, slot: SlotBits) -> Reg {
        let Some(none) = slot.none else {
            return self.bit_of(value, slot.lo);
        };
        let (e, missing, done) = (self.temp(), self.constant(NONE), self.label());
        let behind = self.constant(i64::try_from(none).unwrap_or(0));
        self.mov(e, behind);
        let to = self.to(done);
        self.op(Op::JumpEq {
            a: value,
            b: missing,
            to,
        });
        let bit = self.bit_of(value, slot.lo);
        self.mov(e, bit);
        self.bind(done);
        e
    }

    /// The value that stands in the move chosen.
    pub(super) fn unpacked(&mut self, d: Reg, slot: SlotBits) {
        let SlotBits { shift, bits, .. } = slot;
        let Some(none) = slot.none else {
            // What was packed is at hand where only that is asked for.
            let raw = if slot.lo == 0 { d } else { self.temp() };
            self.op(Op::Unpack {
                d: raw,
                shift,
                bits,
            });
            if slot.lo != 0 {
                self.sub_const(d, raw, -slot.lo);
            }
            return;
        };
        self.op(Op::Unpack { d, shift, bits });
        let (there, done) = (self.label(), self.label());
        let behind = self.constant(i64::try_from(none).unwrap_or(0));
        let to = self.to(there);
        self.op(Op::JumpNe {
            a: d,
            b: behind,
            to,
        });
        let missing = self.constant(NONE);
        self.mov(d, missing);
        self.jump(done);
        self.bind(there);
        self.unbit(d, slot.lo);
        self.bind(done);
    }

    /// Lists every legal instance of an action, or jumps as the sink says at the first.
    pub(super) fn instances(
        &mut self,
        id: ActionId,
        fixed: &[Option<Expr>],
        among: &[Expr],
        me: Reg,
        slots: &[SlotBits],
        sink: &mut Sink<'_>,
    ) {
        let Some(action) = self.action(id) else {
            return;
        };
        let skip = self.label();
        let mark = self.mark();
        self.set_local(action.me, me);
        let mut packed = match sink {
            Sink::Emit { base, .. } => Some(*base),
            _ => None,
        };
        let (mut levels, mut free_slots, mut tests) = (Vec::new(), Vec::new(), Vec::new());
        let game = self.shared.game;
        let mut perhaps_none = Vec::new();
        let written = game.actions.get(id.index());
        let as_written = written.map_or(&[][..], |it| &it.params);
        for (at, (param, written)) in action.params.iter().zip(as_written).enumerate() {
            let before = with_it(&action.params, at);
            let Some(value) = fixed.get(at).and_then(Option::as_ref) else {
                let given =
                    (at - before.len()..at).any(|at| fixed.get(at).is_some_and(Option::is_some));
                levels.push(Level {
                    local: param.local,
                    over: &param.over,
                    order: &Order::Ascending,
                    member: param.member.filter(|_| !given),
                });
                let ordered = given.then(|| in_order(game, param, before)).flatten();
                tests.extend(ordered.map(|it| (it.clone(), it)));
                free_slots.extend(slots.get(at).copied());
                continue;
            };
            let reg = self.temp();
            self.value_to(value, reg);
            self.set_local(param.local, reg);
            let optional = param.member.is_some_and(|it| it.optional);
            if !optional && !self.is_there(value, &Facts::default()) {
                perhaps_none.push(reg);
            }
            if let (Some(a), Some(slot)) = (packed, slots.get(at)) {
                let (d, e) = (self.temp(), self.packed(reg, *slot));
                self.op(Op::Pack {
                    d,
                    a,
                    e,
                    shift: slot.shift,
                });
                packed = Some(d);
            }
            let behind = with_it(as_written, at);
            tests.push((allowed(game, param, before), allowed(game, written, behind)));
        }
        tests.extend(among.iter().map(|it| (it.clone(), it.clone())));
        // Nothing fits what is not there, and the parameters count as there from here on.
        let none = self.constant(NONE);
        for a in perhaps_none {
            let to = self.to(skip);
            self.op(Op::JumpEq { a, b: none, to });
        }
        // A clause is asked as soon as the parameters are known that it speaks of.
        let locals: Vec<LocalId> = levels.iter().map(|level| level.local).collect();
        let tests = tests.iter().map(|(expr, written)| Cond {
            expr,
            written: depth_of(written, &locals),
        });
        // An argument that a definition does not use is not there any more once the definition is put in place.
        let requires = written.into_iter().flat_map(|it| &it.requires);
        let required = action.conds.iter().zip(&action.lifted).zip(requires);
        // What is given beforehand may go to one place only.
        let is_free = levels.len() == action.params.len();
        let lifted = action.lifted.iter().flatten().filter(|_| is_free);
        let around = self.lifted.len();
        self.lifted.extend(lifted.map(|it| it.asked.clone()));
        // Among what is chosen here stands above all clauses.
        let chosen = among.iter().map(|it| depth_of(it, &locals));
        let mut above = chosen.max().unwrap_or(0);
        let required = required.map(|((expr, lifted), require)| {
            let lifted = lifted.as_ref().filter(|_| is_free);
            let expr = lifted.map_or(expr, |it| &it.cond);
            let mut written = depth_of(&require.cond, &locals);
            // What is done first is done only where all clauses above would let it be done.
            if matches!(require.cond.kind, ExprKind::After(..)) {
                written = written.max(above);
            }
            above = above.max(written);
            Cond { expr, written }
        });
        let conds: Vec<Cond<'_>> = tests.chain(required).collect();
        self.nest(&levels, &conds, &mut with_base(sink, packed, &free_slots));
        self.lifted.truncate(around);
        self.bind(skip);
        self.release(mark);
    }

    /// Whether some instance of the alternatives is legal.
    pub(super) fn can_to(&mut self, who: &Expr, alts: &[Alt], d: Reg) {
        let (yes, done) = (self.label(), self.label());
        let (one, zero) = (self.constant(1), self.constant(0));
        let mut me = self.value_there(who);
        if (FRAME_REL..TEMPS).contains(&me) {
            let own = self.temp();
            self.mov(own, me);
            me = own;
        }
        if self.hypothetical > 0 {
            // What an `end` has stopped allows nothing.
            let no = self.label();
            let to = self.to(no);
            self.op(Op::JumpIf {
                a: crate::engine::op::word::STOPPED,
                to,
            });
            self.in_one_position(|it| it.any_of(alts, me, yes));
            self.bind(no);
        } else {
            self.in_one_position(|it| it.any_of(alts, me, yes));
        }
        self.mov(d, zero);
        self.jump(done);
        self.bind(yes);
        self.mov(d, one);
        self.bind(done);
    }

    fn any_of(&mut self, alts: &[Alt], me: Reg, yes: super::func::Label) {
        if self.nested_can > 8 {
            let what = "`can` within `can`, more than eight deep,";
            return self.overflow_at(what, alts.first().map(|it| it.span));
        }
        self.nested_can += 1;
        for alt in alts {
            let not = alt.offered.as_ref().map(|offered| {
                let not = self.label();
                self.cond_at(&offered.cond, false, not);
                not
            });
            match &alt.kind {
                AltKind::Action(id, fixed) => {
                    self.instances(*id, fixed, &alt.among, me, &[], &mut Sink::Exists(yes));
                }
                AltKind::Inline { .. } => self.jump(yes),
            }
            if let Some(not) = not {
                self.bind(not);
            }
        }
        self.nested_can -= 1;
    }
}

/// The sink with another packed move and the slots of the parameters that are left.
fn with_base<'e>(sink: &'e mut Sink<'_>, packed: Option<Reg>, slots: &'e [SlotBits]) -> Sink<'e> {
    match sink {
        Sink::Emit { base, .. } => Sink::Emit {
            base: packed.unwrap_or(*base),
            slots,
        },
        Sink::Exists(label) => Sink::Exists(*label),
        Sink::Count { d } => Sink::Count { d: *d },
        Sink::Gather { d, n } => Sink::Gather { d: *d, n: *n },
        Sink::Each(each) => Sink::Each(&mut **each),
    }
}

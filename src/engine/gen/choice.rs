//! Choice points: where the rules stop until somebody answers.

use super::Gen;
use super::func::Label;
use super::graph::Callee;
use super::nest::Sink;
use crate::engine::layout::span_of;
use crate::engine::op::{Choice, ChoiceKind, FaultKind, Op, Point, Reg, SlotBits, stream16, word};
use crate::limits::{MOST_ALTERNATIVES, MOST_SLOTS};
use crate::model::{
    Alt, AltKind, Base, Choose, ClauseId, Expr, LocalId, NONE, Order, Pick, Picker, Stmt, StmtKind,
    Type, Window, arith, blocks_of, each_in_block,
};
use crate::source::Span;

/// How many tickets an element may have: so few that those of all elements can be counted.
const WEIGHT: Type = Type::of(Base::Int(-arith::MOST, u32::MAX as i64));

/// Text of the option that declines.
pub(in crate::engine) const DECLINE: &str = "decline";
/// Text of the option that leaves a window.
pub(in crate::engine) const DONE: &str = "done";
/// Longest body of an action that is written out at each choice, in nodes.
const SHORT_BODY: usize = 120;

impl Gen<'_, '_> {
    /// `choose WHO: a | b`.
    pub(super) fn choose(&mut self, choose: &Choose) {
        let (list, empty, end) = (self.label(), self.label(), self.label());
        let point = self.open_point(list, choose.clause, choose.who.span);
        self.bind(list);
        self.ask(&choose.who);
        let mut entries = Vec::new();
        self.in_one_position(|it| {
            let offers = choose.alts.iter().map(|alt| it.offer(point, alt));
            entries.extend(offers);
        });
        let decline = choose.may.then(|| self.offer_text(point, DECLINE));
        let to = self.to(empty);
        self.op(Op::Stop { point, empty: to });
        for (entry, alt) in entries.into_iter().zip(&choose.alts) {
            self.bind(entry);
            self.enter_alt(alt);
            self.jump(end);
        }
        if let Some(entry) = decline {
            self.bind(entry);
            self.jump(end);
        }
        self.bind(empty);
        self.otherwise(choose.otherwise.as_deref());
        self.bind(end);
    }

    /// Statements one after the other; whether somebody may choose behind them while what they bind is asked for.
    pub(super) fn stmts(&mut self, block: &[Stmt], pauses_behind: bool) {
        let around = (self.pauses, self.pauses_behind);
        let last = block.iter().rposition(|it| self.may_choose(it));
        for (at, stmt) in block.iter().enumerate() {
            self.pauses_behind = pauses_behind || last.is_some_and(|last| at < last);
            self.pauses = last == Some(at) || self.pauses_behind && self.may_choose(stmt);
            self.stmt(stmt);
        }
        (self.pauses, self.pauses_behind) = around;
    }

    /// Whether somebody, or chance, may choose while a statement is done.
    pub(super) fn may_choose(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Choose(_)
            | StmtKind::Pick(_)
            | StmtKind::Window(_)
            | StmtKind::Together(_) => self.keeps,
            StmtKind::Call(proc, _) | StmtKind::CallInto(_, proc, _) => {
                self.keeps && self.calls_chooser(*proc)
            }
            _ => {
                let mut found = false;
                if self.keeps {
                    blocks_of(stmt, &mut |block| {
                        found = found || block.iter().any(|it| self.may_choose(it));
                    });
                }
                found
            }
        }
    }

    pub(super) fn otherwise(&mut self, block: Option<&[crate::model::Stmt]>) {
        match block {
            Some(block) => self.block(block),
            None => self.fail(FaultKind::NoChoice),
        }
    }

    /// Who chooses, and an empty list.
    pub(super) fn ask(&mut self, who: &Expr) {
        self.clear_dead();
        self.value_there_to(who, word::WHO);
        self.op(Op::List);
    }

    pub(super) fn open_point(&mut self, list: Label, clause: ClauseId, at: Span) -> u16 {
        let list = self.to(list);
        self.add_point(Point {
            list,
            clause,
            at,
            frame: self.kept(),
            pending: None,
            alts: Vec::new(),
        })
    }

    /// Adds an alternative; its entry is bound later.
    fn add_alt(&mut self, point: u16, kind: ChoiceKind, slots: Vec<SlotBits>) -> (Label, Reg) {
        let label = self.label();
        let entry = self.to(label);
        let mut index = 0;
        if let Some(point) = self.point_mut(point) {
            index = point.alts.len();
            point.alts.push(Choice { kind, slots, entry });
        }
        if index >= MOST_ALTERNATIVES {
            self.overflow("a choice with more than 256 alternatives");
        }
        let base = self.constant(i64::try_from(index).unwrap_or(0));
        (label, base)
    }

    /// Lists the legal instances of an alternative.
    pub(super) fn offer(&mut self, point: u16, alt: &Alt) -> Label {
        let Some(offered) = &alt.offered else {
            return self.offer_always(point, alt);
        };
        let (not, mark) = (self.label(), self.mark());
        self.cond_at(&offered.cond, false, not);
        self.release(mark);
        let entry = self.offer_always(point, alt);
        self.bind(not);
        entry
    }

    fn offer_always(&mut self, point: u16, alt: &Alt) -> Label {
        match &alt.kind {
            AltKind::Inline { name, text } => {
                let kind = ChoiceKind::Inline {
                    name: name.clone(),
                    text: text.clone(),
                };
                let (label, base) = self.add_alt(point, kind, Vec::new());
                self.op(Op::Emit { a: base });
                label
            }
            AltKind::Action(id, fixed) => {
                let locals = self.params_of(*id);
                let slots = self.slots_of(&locals).unwrap_or_else(|| {
                    self.overflow("the parameters of one move");
                    Vec::new()
                });
                let kind = ChoiceKind::Action(*id);
                let (label, base) = self.add_alt(point, kind, slots.clone());
                let (mark, around) = (self.mark(), self.here());
                self.at(alt.span);
                let mut sink = Sink::Emit { base, slots: &[] };
                self.instances(*id, fixed, &alt.among, word::WHO, &slots, &mut sink);
                self.at(around);
                self.release(mark);
                label
            }
        }
    }

    fn params_of(&self, id: crate::model::ActionId) -> Vec<LocalId> {
        let action = self.shared.game.actions.get(id.index());
        action
            .map(|a| a.params.iter().map(|p| p.local).collect())
            .unwrap_or_default()
    }

    pub(super) fn offer_text(&mut self, point: u16, text: &str) -> Label {
        let kind = ChoiceKind::Inline {
            name: text.to_owned(),
            text: text.to_owned(),
        };
        let (label, base) = self.add_alt(point, kind, Vec::new());
        self.op(Op::Emit { a: base });
        label
    }

    /// What an alternative does once it is chosen.
    pub(super) fn enter_alt(&mut self, alt: &Alt) {
        if let AltKind::Action(id, _) = &alt.kind {
            self.enter_action(*id);
        }
        self.block(&alt.then);
    }

    fn enter_action(&mut self, id: crate::model::ActionId) {
        let Some(action) = self.shared.game.actions.get(id.index()) else {
            return;
        };
        let body = action.body;
        if self.inline_body(id, body) {
            return;
        }
        let mark = self.mark();
        let me = self.temp();
        self.mov(me, word::WHO);
        let mut ready = vec![(me, 1)];
        for slot in self.slots_of(&self.params_of(id)).unwrap_or_default() {
            ready.push((self.unpack(slot), 1));
        }
        self.args_from(&ready);
        self.clear_dead();
        self.call(Callee::Proc(body));
        self.release(mark);
    }

    /// Writes a short body out where its action is chosen: a call would cost as much as it does.
    fn inline_body(&mut self, id: crate::model::ActionId, body: crate::model::ProcId) -> bool {
        let Some(proc) = self.shared.game.procs.get(body.index()) else {
            return false;
        };
        let mut nodes = 0;
        each_in_block(&proc.body, &mut |_| nodes += 1);
        let slots = self.slots_of(&self.params_of(id)).unwrap_or_default();
        let fits = nodes <= SHORT_BODY && proc.params.len() == slots.len() + 1;
        if self.shared.is_plain() || !fits || self.shared.graph.recursive(Callee::Proc(body)) {
            return false;
        }
        let block = self.shared.expanded_block(&proc.body);
        let mark = self.mark();
        let around = (self.pauses, self.pauses_behind);
        self.pauses = block.iter().any(|it| self.may_choose(it));
        self.pauses_behind = false;
        let regs: Vec<Reg> = proc.params.iter().map(|_| self.keep(1)).collect();
        (self.pauses, self.pauses_behind) = around;
        for (at, (param, reg)) in proc.params.iter().zip(regs).enumerate() {
            match at.checked_sub(1).and_then(|at| slots.get(at)) {
                Some(slot) => {
                    self.unpacked(reg, *slot);
                }
                None => self.mov(reg, word::WHO),
            }
            self.set_local(*param, reg);
        }
        let exit = self.label();
        let (outer, turns) = (self.exit.replace(exit), std::mem::take(&mut self.turn));
        self.block(&block);
        self.bind(exit);
        self.exit = outer;
        self.turn = turns;
        self.release(mark);
        true
    }

    fn unpack(&mut self, slot: SlotBits) -> Reg {
        let d = self.temp();
        self.unpacked(d, slot);
        d
    }

    /// `window WHO { … }`.
    pub(super) fn window(&mut self, window: &Window) {
        let used = self.keep(1);
        let zero = self.constant(0);
        self.mov(used, zero);
        let (list, end) = (self.label(), self.label());
        let point = self.open_point(list, window.clause, window.who.span);
        self.bind(list);
        self.ask(&window.who);
        let mut entries = Vec::new();
        self.in_one_position(|it| {
            for (at, slot) in window.slots.iter().enumerate() {
                let skip = it.label();
                let bit = it.constant(i64::try_from(at).unwrap_or(0));
                if slot.once {
                    let to = it.to(skip);
                    it.op(Op::JumpIn {
                        set: used,
                        e: bit,
                        to,
                    });
                }
                for alt in &slot.alts {
                    let entry = it.offer(point, alt);
                    entries.push((entry, bit, alt));
                }
                it.bind(skip);
            }
        });
        if window.slots.len() > MOST_SLOTS {
            self.overflow("a window with more than 64 slots");
        }
        let to = self.to(end);
        self.op(Op::JumpNone { to });
        let done = self.offer_text(point, DONE);
        let to = self.to(end);
        self.op(Op::Stop { point, empty: to });
        for (entry, bit, alt) in entries {
            self.bind(entry);
            self.op(Op::SetBit { d: used, e: bit });
            self.enter_alt(alt);
            self.loop_to(list);
        }
        self.bind(done);
        self.bind(end);
    }

    /// `choose WHO x in S`.
    pub(super) fn pick(&mut self, pick: &Pick) {
        let local = self.keep(1);
        match &pick.who {
            Picker::Seat(who) => self.pick_by_seat(pick, who, local),
            Picker::Chance(weight, stream) => {
                self.pick_by_chance(pick, weight.as_ref(), stream16(*stream), local);
            }
        }
        self.set_local(pick.local, local);
    }

    fn pick_by_seat(&mut self, pick: &Pick, who: &Expr, local: Reg) {
        let (list, empty, end) = (self.label(), self.label(), self.label());
        let point = self.open_point(list, pick.clause, who.span);
        self.bind(list);
        self.ask(who);
        let mut ty = self.shared.local_type(pick.local);
        ty.optional = false;
        let slots: Vec<SlotBits> = span_of(self.shared.game, ty)
            .map(|(lo, n)| {
                let bits = u8::try_from(64 - n.saturating_sub(1).leading_zeros()).unwrap_or(0);
                SlotBits {
                    shift: 8,
                    bits,
                    lo,
                    none: None,
                    part: None,
                }
            })
            .into_iter()
            .collect();
        let (entry, base) = self.add_alt(point, ChoiceKind::Value(pick.local), slots.clone());
        let mark = self.mark();
        let level = super::nest::Level {
            local: pick.local,
            over: &pick.over,
            order: &Order::Ascending,
            member: None,
        };
        self.nest(
            &[level],
            &[],
            &mut Sink::Emit {
                base,
                slots: &slots,
            },
        );
        self.release(mark);
        let decline = pick.may.then(|| self.offer_text(point, DECLINE));
        let to = self.to(empty);
        self.op(Op::Stop { point, empty: to });
        self.bind(entry);
        if let Some(slot) = slots.first() {
            let value = self.unpack(*slot);
            self.mov(local, value);
        }
        self.jump(end);
        let none = self.constant(NONE);
        if let Some(entry) = decline {
            self.bind(entry);
            self.mov(local, none);
            self.jump(end);
        }
        self.bind(empty);
        self.mov(local, none);
        self.otherwise(pick.otherwise.as_deref());
        self.bind(end);
    }

    /// A ticket below the sum of weights, then the element that it falls on.
    fn pick_by_chance(&mut self, pick: &Pick, weight: Option<&Expr>, stream: u16, local: Reg) {
        let level = || super::nest::Level {
            local: pick.local,
            over: &pick.over,
            order: &Order::Ascending,
            member: None,
        };
        let (total, zero, none) = (self.temp(), self.constant(0), self.constant(NONE));
        let (forced, empty, found, end) = (self.label(), self.label(), self.label(), self.label());
        self.mov(total, zero);
        self.tickets(&[level()], weight, &mut |r#gen, n| {
            r#gen.op(Op::Add {
                d: total,
                a: total,
                b: n,
            });
        });
        let to = self.to(empty);
        self.op(Op::JumpEq {
            a: total,
            b: zero,
            to,
        });
        let to = self.to(forced);
        self.op(Op::Forced {
            d: local,
            stream,
            to,
        });
        let left = self.temp();
        self.op(Op::Ticket {
            d: left,
            a: total,
            stream,
        });
        self.tickets(&[level()], weight, &mut |r#gen, n| {
            r#gen.op(Op::Sub {
                d: left,
                a: left,
                b: n,
            });
            let skip = r#gen.label();
            let to = r#gen.to(skip);
            r#gen.op(Op::JumpLe {
                a: zero,
                b: left,
                to,
            });
            let x = r#gen.local(pick.local);
            r#gen.mov(local, x);
            r#gen.jump(found);
            r#gen.bind(skip);
        });
        self.fail(FaultKind::NoChoice);
        self.bind(forced);
        self.tickets(&[level()], weight, &mut |r#gen, n| {
            let skip = r#gen.label();
            let x = r#gen.local(pick.local);
            let to = r#gen.to(skip);
            r#gen.op(Op::JumpNe { a: x, b: local, to });
            let to = r#gen.to(found);
            r#gen.op(Op::JumpLt { a: zero, b: n, to });
            r#gen.bind(skip);
        });
        self.fail(FaultKind::Impossible);
        self.bind(empty);
        self.mov(local, none);
        self.otherwise(pick.otherwise.as_deref());
        self.jump(end);
        self.bind(found);
        self.op(Op::Happened { a: local, stream });
        self.bind(end);
    }

    /// Runs over the elements with the number of tickets of each.
    fn tickets(
        &mut self,
        levels: &[super::nest::Level<'_>],
        weight: Option<&Expr>,
        each: &mut dyn FnMut(&mut Gen<'_, '_>, Reg),
    ) {
        let mark = self.mark();
        let one = self.constant(1);
        let zero = self.constant(0);
        let mut sink = |r#gen: &mut Gen<'_, '_>, copies: Option<Reg>| {
            let mut n = one;
            if let Some(weight) = weight {
                n = r#gen.temp();
                r#gen.value_there_to(weight, n);
                r#gen.check_bounds(n, weight.ty, WEIGHT);
                r#gen.op(Op::Max {
                    d: n,
                    a: n,
                    b: zero,
                });
            }
            if let Some(copies) = copies {
                let product = r#gen.temp();
                let tickets = Op::Mul {
                    d: product,
                    a: n,
                    b: copies,
                };
                r#gen.calculated(tickets, product, WEIGHT);
                n = product;
            }
            each(r#gen, n);
        };
        self.nest(levels, &[], &mut Sink::Each(&mut sink));
        self.release(mark);
    }
}

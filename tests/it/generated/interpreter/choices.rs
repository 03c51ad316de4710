//! Who may choose what, and what follows.

use std::collections::VecDeque;

use adit::engine::FaultKind;
use adit::model::{
    Action, ActionId, Alt, AltKind, Choose, Expr, ExprKind, LocalId, Node, Order, Over, Param,
    Pick, Picker, Require, Together, Window, each_in_expr,
};

use super::aggregates::Then;
use super::statements::Flow;
use super::{Found, Interpreter, Stop, Value};

/// A legal answer: its text, which alternative it is, and the values of the parameters.
struct Offer {
    text: String,
    alt: usize,
    args: Vec<Value>,
}

impl<'g> Interpreter<'g> {
    fn asked(&mut self, seat: i128, offers: &[Offer]) -> Found<usize> {
        let texts: Vec<String> = offers.iter().map(|it| it.text.clone()).collect();
        self.world.choose(&self.table, seat, &texts)
    }

    pub(super) fn choose(&mut self, choose: &Choose) -> Found<Flow> {
        let seat = self.number(&choose.who)?;
        let mut offers = Vec::new();
        for (at, alt) in choose.alts.iter().enumerate() {
            self.offer(at, alt, seat, &mut offers)?;
        }
        if choose.may {
            offers.push(word("decline", choose.alts.len()));
        }
        if offers.is_empty() {
            return match &choose.otherwise {
                Some(otherwise) => self.block(otherwise),
                None => self.fault(FaultKind::NoChoice),
            };
        }
        let chosen = self.asked(seat, &offers)?;
        let offer = offers.swap_remove(chosen);
        match choose.alts.get(offer.alt) {
            Some(alt) => self.enter_alt(alt, seat, offer.args),
            None => Ok(Flow::On),
        }
    }

    pub(super) fn together(&mut self, it: &Together) -> Found<Flow> {
        let (local, choose) = (it.seats.local, it.choose().expect("a choice"));
        let mut seats = Vec::new();
        self.combinations(std::slice::from_ref(&it.seats), 1, &mut |this, _| {
            seats.push(this.local(local));
            Ok(Then::Next)
        })?;
        let mut made = Vec::new();
        for own in seats {
            self.bind(local, own.clone());
            let seat = self.number(&choose.who)?;
            let mut offers = Vec::new();
            for (at, alt) in choose.alts.iter().enumerate() {
                self.offer(at, alt, seat, &mut offers)?;
            }
            if choose.may {
                offers.push(word("decline", choose.alts.len()));
            }
            if offers.is_empty() {
                if choose.otherwise.is_none() {
                    return self.fault(FaultKind::NoChoice);
                }
                made.push((own, seat, None));
                continue;
            }
            let chosen = self.asked(seat, &offers)?;
            made.push((own, seat, Some(offers.swap_remove(chosen))));
        }
        for (own, seat, offer) in made {
            self.bind(local, own);
            let flow = match (offer, &choose.otherwise) {
                (Some(offer), _) => match choose.alts.get(offer.alt) {
                    Some(alt) => self.enter_alt(alt, seat, offer.args)?,
                    None => Flow::On,
                },
                (None, Some(otherwise)) => self.block(otherwise)?,
                (None, None) => Flow::On,
            };
            match flow {
                Flow::On => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    fn enter_alt(&mut self, alt: &Alt, seat: i128, args: Vec<Value>) -> Found<Flow> {
        if let AltKind::Action(id, _) = &alt.kind {
            let body = self.game.actions[id.index()].body;
            let mut all = vec![Value::Number(seat)];
            all.extend(args);
            if let Err(ended) = self.proc_with(body, all)? {
                return Ok(Flow::End(ended));
            }
        }
        self.block(&alt.then)
    }

    fn is_offered(&mut self, alt: &Alt) -> Found<bool> {
        let Some(offered) = &alt.offered else {
            return Ok(true);
        };
        self.trail.push(offered.cond.span);
        let is_offered = self.truth(&offered.cond)?;
        self.trail.pop();
        Ok(is_offered)
    }

    fn offer(&mut self, at: usize, alt: &Alt, seat: i128, offers: &mut Vec<Offer>) -> Found<()> {
        if !self.is_offered(alt)? {
            return Ok(());
        }
        match &alt.kind {
            AltKind::Inline { text, .. } => offers.push(word(text, at)),
            AltKind::Action(id, fixed) => {
                self.trail.push(alt.span);
                let mut found = Vec::new();
                self.instances(*id, fixed, &alt.among, seat, &mut |this, args| {
                    let action = &this.game.actions[id.index()];
                    let text = this.template(&action.text)?;
                    found.push(Offer {
                        text,
                        alt: at,
                        args,
                    });
                    Ok(true)
                })?;
                offers.append(&mut found);
                self.trail.pop();
            }
        }
        Ok(())
    }

    /// Goes through the legal instances of an action until enough have been found.
    fn instances(
        &mut self,
        id: ActionId,
        fixed: &[Option<Expr>],
        among: &[Expr],
        seat: i128,
        each: &mut dyn FnMut(&mut Interpreter<'g>, Vec<Value>) -> Found<bool>,
    ) -> Found<bool> {
        let game = self.game;
        let mut action = game.actions[id.index()].clone();
        let among = among.iter().map(|cond| Require {
            cond: cond.clone(),
            message: None,
            clause: action.clause,
            bare: None,
            lifts: Vec::new(),
        });
        let among: Vec<Require> = among.collect();
        action.requires.splice(..0, among);
        let action = &action;
        self.bind(action.me, Value::Number(seat));
        let mut all_there = true;
        for (param, value) in action.params.iter().zip(fixed) {
            if let Some(value) = value {
                let value = self.value(value)?;
                all_there &= value != Value::None || may_be_missing(param);
                self.bind(param.local, value);
            }
        }
        if !all_there {
            return Ok(true);
        }
        let open: Vec<LocalId> = action
            .params
            .iter()
            .enumerate()
            .filter(|(at, _)| !is_fixed(fixed, *at))
            .map(|(_, param)| param.local)
            .collect();
        self.parameter(action, fixed, &open, 0, each)
    }

    /// Whether what can be asked now, with so many parameters bound, allows it.
    fn allowed(
        &mut self,
        action: &Action,
        fixed: &[Option<Expr>],
        open: &[LocalId],
        bound: usize,
    ) -> Found<bool> {
        for (at, param) in action.params.iter().enumerate() {
            let with_it = with_it(action, at);
            let open_before = open.iter().rposition(|it| with_it.contains(it));
            let known = over_depth(&param.over, open).max(open_before.map_or(0, |at| at + 1));
            if !is_fixed(fixed, at) || known != bound {
                continue;
            }
            let before: Vec<Value> = with_it.iter().map(|it| self.local(*it)).collect();
            let Value::Number(own) = self.local(param.local) else {
                if before.iter().any(|it| *it != Value::None) {
                    return Ok(false);
                }
                continue;
            };
            if !self.is_among(param.local, &param.over)? {
                return Ok(false);
            }
            let copies = match &param.over {
                Over::Zone(_) => self.members(&param.over, &Order::Ascending)?,
                _ => VecDeque::new(),
            };
            let copies = copies.iter().find(|(it, _)| *it == own);
            if !in_order(&before, own, copies.map_or(1, |(_, n)| *n)) {
                return Ok(false);
            }
        }
        let mut above = 0;
        for require in &action.requires {
            let mut known = depth(&require.cond, open);
            // What tries something out waits for the clauses above it.
            if matches!(require.cond.kind, ExprKind::After(..)) {
                known = known.max(above);
            }
            above = above.max(known);
            if known == bound && !self.truth(&require.cond)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_among(&mut self, local: LocalId, over: &Over) -> Found<bool> {
        let value = self.local(local);
        let members = match over {
            Over::Set(set) => self.set(set)?,
            _ => {
                let members = self.members(over, &Order::Ascending)?;
                members.into_iter().map(|(it, _)| it).collect()
            }
        };
        Ok(match value {
            Value::Number(number) => members.contains(&number),
            _ => false,
        })
    }

    fn parameter(
        &mut self,
        action: &Action,
        fixed: &[Option<Expr>],
        open: &[LocalId],
        bound: usize,
        each: &mut dyn FnMut(&mut Interpreter<'g>, Vec<Value>) -> Found<bool>,
    ) -> Found<bool> {
        self.step()?;
        if !self.allowed(action, fixed, open, bound)? {
            return Ok(true);
        }
        let Some(local) = open.get(bound) else {
            let args = action.params.iter().map(|it| self.local(it.local));
            let args = args.collect();
            return each(self, args);
        };
        let at = action.params.iter().position(|it| it.local == *local);
        let at = at.expect("a parameter");
        let param = &action.params[at];
        let before = with_it(action, at);
        let before: Vec<Value> = before.iter().map(|it| self.local(*it)).collect();
        let members = self.members(&param.over, &Order::Ascending)?;
        if may_be_missing(param) && before.iter().all(|it| *it == Value::None) {
            self.bind(*local, Value::None);
            if !self.parameter(action, fixed, open, bound + 1, each)? {
                return Ok(false);
            }
        }
        for (member, copies) in members {
            let copies = match param.over {
                Over::Zone(_) => copies,
                _ => 1,
            };
            if !in_order(&before, member, copies) {
                continue;
            }
            self.bind(*local, Value::Number(member));
            if !self.parameter(action, fixed, open, bound + 1, each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn can(&mut self, who: &Expr, alts: &[Alt]) -> Found<bool> {
        let seat = self.number(who)?;
        if self.inside > 0 && self.stopped {
            return Ok(false);
        }
        for alt in alts {
            if !self.is_offered(alt)? {
                continue;
            }
            let found = match &alt.kind {
                AltKind::Inline { .. } => true,
                AltKind::Action(id, fixed) => {
                    !self.instances(*id, fixed, &alt.among, seat, &mut |_, _| Ok(false))?
                }
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn window(&mut self, window: &Window) -> Found<Flow> {
        let mut used = vec![false; window.slots.len()];
        loop {
            self.step()?;
            let seat = self.number(&window.who)?;
            let (mut offers, mut owners) = (Vec::new(), Vec::new());
            for (at, slot) in window.slots.iter().enumerate() {
                if slot.once && used[at] {
                    continue;
                }
                for alt in &slot.alts {
                    self.offer(owners.len(), alt, seat, &mut offers)?;
                    owners.push((at, alt));
                }
            }
            if offers.is_empty() {
                return Ok(Flow::On);
            }
            offers.push(word("done", owners.len()));
            let chosen = self.asked(seat, &offers)?;
            let offer = offers.swap_remove(chosen);
            let Some((slot, alt)) = owners.get(offer.alt) else {
                return Ok(Flow::On);
            };
            used[*slot] = true;
            match self.enter_alt(alt, seat, offer.args)? {
                Flow::On => {}
                other => return Ok(other),
            }
        }
    }

    pub(super) fn pick(&mut self, pick: &Pick) -> Found<Flow> {
        match &pick.who {
            Picker::Seat(who) => {
                let seat = self.number(who)?;
                let mut ty = self.game.locals[pick.local.index()].ty;
                ty.optional = false;
                let members = self.members(&pick.over, &Order::Ascending)?;
                let mut offers: Vec<Offer> = members
                    .into_iter()
                    .map(|(member, _)| Offer {
                        text: self.print(&Value::Number(member), ty),
                        alt: 0,
                        args: vec![Value::Number(member)],
                    })
                    .collect();
                if pick.may {
                    offers.push(Offer {
                        args: vec![Value::None],
                        ..word("decline", 1)
                    });
                }
                if offers.is_empty() {
                    return self.nothing_to_pick(pick);
                }
                let chosen = self.asked(seat, &offers)?;
                let value = offers.swap_remove(chosen).args.remove(0);
                self.bind(pick.local, value);
                Ok(Flow::On)
            }
            Picker::Chance(weight, stream) => {
                let mut possible = Vec::new();
                for (member, copies) in self.members(&pick.over, &Order::Ascending)? {
                    self.bind(pick.local, Value::Number(member));
                    let weight = match weight {
                        Some(weight) => self.number(weight)?,
                        None => 1,
                    };
                    if weight.max(0) * copies > 0 {
                        possible.push(member);
                    }
                }
                if possible.is_empty() {
                    return self.nothing_to_pick(pick);
                }
                let found = self.world.outcome(*stream)?;
                if !possible.contains(&found) {
                    let said = format!("chance chose {found} out of {possible:?}");
                    return Err(Stop::Disagreed(said));
                }
                self.bind(pick.local, Value::Number(found));
                Ok(Flow::On)
            }
        }
    }

    fn nothing_to_pick(&mut self, pick: &Pick) -> Found<Flow> {
        self.bind(pick.local, Value::None);
        match &pick.otherwise {
            Some(otherwise) => self.block(otherwise),
            None => self.fault(FaultKind::NoChoice),
        }
    }
}

fn word(text: &str, alt: usize) -> Offer {
    Offer {
        text: text.to_owned(),
        alt,
        args: Vec::new(),
    }
}

/// The members that stand before a parameter, taken together with it.
fn with_it(action: &Action, at: usize) -> Vec<LocalId> {
    let before = action.params[at].member.map_or(0, |it| it.before);
    let members = &action.params[at - before..at];
    members.iter().map(|it| it.local).collect()
}

fn may_be_missing(param: &Param) -> bool {
    param.member.is_some_and(|it| it.optional)
}

/// Whether a member may stand behind those before it: each is greater than the last, or one more of its copies.
fn in_order(before: &[Value], own: i128, copies: i128) -> bool {
    let taken = before.iter().filter(|it| **it == Value::Number(own));
    let last = before.last().unwrap_or(&Value::None);
    let behind = match last {
        Value::Number(last) => own >= *last,
        _ => true,
    };
    behind && (taken.count() as i128) < copies
}

fn is_fixed(fixed: &[Option<Expr>], at: usize) -> bool {
    fixed.get(at).is_some_and(Option::is_some)
}

/// How many of some variables are bound once all are that an expression speaks of.
fn depth(expr: &Expr, locals: &[LocalId]) -> usize {
    let mut deepest = 0;
    let mut look = |expr: &Expr| {
        if let ExprKind::Local(local) = &expr.kind
            && let Some(at) = locals.iter().position(|it| it == local)
        {
            deepest = deepest.max(at + 1);
        }
    };
    look(expr);
    each_in_expr(expr, &mut |node| {
        if let Node::Expr(part) = node {
            look(part);
        }
    });
    deepest
}

fn over_depth(over: &Over, locals: &[LocalId]) -> usize {
    match over {
        Over::Set(set) => depth(set, locals),
        Over::Zone(place) => place
            .index
            .iter()
            .map(|it| depth(it, locals))
            .max()
            .unwrap_or(0),
        Over::Span(from, to) => depth(from, locals).max(depth(to, locals)),
    }
}

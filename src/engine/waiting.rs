//! What flows keep in locals while they wait, and a seat may not know.

use std::collections::BTreeSet;

use super::chance::Chance;
use super::r#gen::Tier;
use super::machine::Machine;
use super::op::Reg;
use super::query::{Query, Value};
use super::sight::{Known, Sight};
use super::text::members;
use super::told::{in_block, leading_to};
use super::view::Viewer;
use crate::model::{
    Base, ClauseId, Expr, ExprKind, LocalId, NONE, Node, Over, Pick, Picker, ProcId, ProcKind,
    Stmt, StmtKind, StreamId, Type, each_in_block,
};

/// How a local comes to its value.
#[derive(Clone, Copy, Debug)]
enum Source<'p> {
    Worked(&'p Expr),
    Picked(&'p Pick),
}

/// A local that is to be dealt anew.
#[derive(Debug)]
pub(super) struct Secret<'p> {
    reg: Reg,
    ty: Type,
    source: Source<'p>,
    /// What it is, or what it is picked from.
    asks: Query,
    /// What that reads.
    inputs: Vec<Reg>,
}

impl<'p> Machine<'p> {
    /// The locals of all flows that wait, each flow's in the order in which they were bound.
    fn kept(&self) -> Vec<(LocalId, Reg)> {
        let mut kept = Vec::new();
        let mut frame = self.point().map(|it| &it.frame);
        // No more calls wait than there are.
        for _ in 0..=self.code.frames.len() {
            let Some(at) = frame else { break };
            kept.extend(at.locals.iter().copied());
            let back = at.back.map(|reg| self.mem[usize::from(reg)]);
            let back = back.and_then(|pc| u16::try_from(pc).ok());
            frame = back.and_then(|pc| self.code.frames.get(&pc));
        }
        kept
    }

    /// The locals whose values a seat does not know, in the order in which they are to be dealt anew.
    ///
    /// # Errors
    /// One of them that may be tied to what has happened since.
    pub(super) fn secrets_kept(&self, seat: u32) -> Result<Vec<Secret<'p>>, LocalId> {
        let closed = self.closed_locals();
        if closed.is_empty() {
            return Ok(Vec::new());
        }
        let kept = self.kept();
        let mut known = Known::default();
        for (local, reg) in &kept {
            if closed.contains(local) {
                known.untold.insert(*local);
            } else {
                known.put(*local, Some(self.mem[usize::from(*reg)] as i64));
            }
        }
        let game = &self.program.game;
        let scalars = kept.iter().copied().filter(|(local, _)| {
            let ty = game.locals.get(local.index()).map(|it| it.ty.base);
            !matches!(ty, None | Some(Base::Set(_)))
        });
        let (locals, inputs): (Vec<LocalId>, Vec<Reg>) = scalars.unzip();
        let mut secrets = Vec::new();
        let secret = |local: &LocalId| closed.contains(local) && self.is_read_later(*local);
        for (local, reg) in kept.iter().filter(|(local, _)| secret(local)) {
            if self.is_given_by(seat, *local, &known) {
                known.untold.remove(local);
                continue;
            }
            let (source, is_fresh) = self.source_of(*local).ok_or(*local)?;
            if self.knows(seat, source, is_fresh, &known).ok_or(*local)? {
                known.untold.remove(local);
                continue;
            }
            let is_chance = matches!(
                source,
                Source::Picked(Pick {
                    who: Picker::Chance(..),
                    ..
                })
            );
            if !is_fresh || is_chance {
                return Err(*local);
            }
            let ty = game.locals.get(local.index()).ok_or(*local)?.ty;
            let exprs = self.asked_for(source, ty).ok_or(*local)?;
            let exprs: Vec<&Expr> = exprs.iter().collect();
            secrets.push(Secret {
                reg: *reg,
                ty,
                source,
                asks: Query::with_inputs(self.program, &locals, &exprs, Tier::AsWritten)
                    .map_err(|_| *local)?,
                inputs: inputs.clone(),
            });
        }
        Ok(secrets)
    }

    /// Whether a seat has chosen it, for an action that still goes on.
    fn is_given_by(&self, seat: u32, local: LocalId, known: &Known) -> bool {
        let procs = self.program.game.procs.iter();
        let mut bodies = procs.filter(|it| it.kind == ProcKind::Body && it.params.contains(&local));
        let me = bodies.next().and_then(|it| it.params.first());
        me.is_some_and(|me| known.values_of(&[*me]) == [Some(i64::from(seat))])
    }

    /// Whether the rules may come to read a local behind the pending choice before it gets another value.
    fn is_read_later(&self, local: LocalId) -> bool {
        let Some(clause) = self.clause() else {
            return true;
        };
        let game = &self.program.game;
        let waits = |stmt: &Stmt| waits_in(stmt, clause, &BTreeSet::new());
        let leading = leading_to(game, &waits);
        let is_read_in = |block: &[Stmt]| is_read_behind(block, clause, &leading, local);
        let (mut is_bound, mut is_read) = (false, false);
        for proc in &game.procs {
            if proc.params.contains(&local) {
                is_bound = true;
                is_read |= is_read_in(&proc.body);
            }
            in_block(&proc.body, &mut |stmt, rest| {
                let binds = match &stmt.kind {
                    StmtKind::Let(own, _) => *own == local,
                    StmtKind::Pick(pick) => pick.local == local,
                    _ => false,
                };
                is_bound |= binds;
                is_read |= binds && is_read_in(rest);
            });
        }
        !is_bound || is_read
    }

    /// The only statement that gives a local a value, and whether nothing has changed since where the pending choice
    /// waits.
    fn source_of(&self, local: LocalId) -> Option<(Source<'p>, bool)> {
        let clause = self.clause()?;
        let mut found = Vec::new();
        for proc in &self.program.game.procs {
            in_block(&proc.body, &mut |stmt, rest| match &stmt.kind {
                StmtKind::Let(own, value) if *own == local => {
                    found.push(Some((Source::Worked(value), waits(rest, clause))));
                }
                StmtKind::Pick(pick) if pick.local == local => {
                    let is_fresh = pick.otherwise.is_none() && waits(rest, clause);
                    found.push(Some((Source::Picked(pick), is_fresh)));
                }
                StmtKind::SetLocal(own, ..) | StmtKind::CallInto(own, ..) if *own == local => {
                    found.push(None);
                }
                _ => {}
            });
        }
        match found.as_slice() {
            [only] => *only,
            _ => None,
        }
    }

    /// Whether a seat knows what a local is; none where it is not sure who picked.
    fn knows(&self, seat: u32, source: Source<'p>, is_fresh: bool, known: &Known) -> Option<bool> {
        let viewer = Viewer::Seat(seat);
        // Where nothing has changed, what is read now is what was read then.
        let mut sight = match is_fresh {
            true => Sight::new(self, viewer),
            false => Sight::by_rule(self, viewer),
        };
        Some(match source {
            Source::Worked(value) => sight.sees(value, known),
            Source::Picked(pick) => match &pick.who {
                Picker::Seat(who) => {
                    let picker = u32::try_from(sight.constant(who, known)?).ok()?;
                    picker == seat || is_fresh && self.tells_value(viewer, pick.local, picker)
                }
                Picker::Chance(..) => sight.sees_range(&pick.over, known),
            },
        })
    }

    /// Gives what is kept values that fit the position; returns whether there are such.
    pub(super) fn deal_kept<C: Chance>(
        &mut self,
        secrets: &[Secret<'p>],
        stream: StreamId,
        chance: &mut C,
    ) -> bool {
        secrets
            .iter()
            .all(|it| self.deal_one(it, stream, chance).is_some())
    }

    fn deal_one<C: Chance>(
        &mut self,
        secret: &Secret<'p>,
        stream: StreamId,
        chance: &mut C,
    ) -> Option<()> {
        let at = usize::from(secret.reg);
        // Whether somebody declines is not asked again.
        if let Source::Picked(pick) = secret.source
            && pick.may
            && self.mem[at] as i64 == NONE
        {
            return Some(());
        }
        let inputs = secret.inputs.iter();
        let inputs: Vec<i64> = inputs
            .map(|reg| self.mem[usize::from(*reg)] as i64)
            .collect();
        let mut values = self.ask_of(&secret.asks, &inputs).ok()?;
        let value = match secret.source {
            Source::Worked(_) => values.pop()?,
            Source::Picked(pick) => {
                Value::Scalar(self.picked(&pick.over, &values, |n| chance.ticket(stream, n))?)
            }
        };
        match value {
            Value::Scalar(value) => {
                if let Base::Int(lo, hi) = secret.ty.base
                    && value != NONE
                    && !(lo..=hi).contains(&value)
                {
                    return None;
                }
                self.mem[at] = value as u64;
            }
            Value::Set(words) => {
                let place = self.mem.get_mut(at..at + words.len())?;
                place.copy_from_slice(&words);
            }
        }
        Some(())
    }

    /// What is asked for a value: itself, the ends of a span, or a set.
    fn asked_for(&self, source: Source<'p>, ty: Type) -> Option<Vec<Expr>> {
        Some(match source {
            Source::Worked(value) => vec![value.clone()],
            Source::Picked(pick) => match &pick.over {
                Over::Span(from, to) => vec![from.clone(), to.clone()],
                Over::Set(set) => vec![set.clone()],
                Over::Zone(place) => {
                    let component = ty.base.element_of()?;
                    vec![Expr::set(
                        ExprKind::Kinds(place.clone()),
                        component,
                        self.program.game.clauses.first().map(|it| it.span)?,
                    )]
                }
            },
        })
    }

    /// One of what is picked from, each equally likely; none where there is none.
    fn picked(
        &self,
        over: &Over,
        values: &[Value],
        ticket: impl FnOnce(u64) -> u64,
    ) -> Option<i64> {
        let nth = |n: u64| match n {
            0 => None,
            n => i64::try_from(ticket(n)).ok(),
        };
        match values {
            [Value::Scalar(from), Value::Scalar(to)] => {
                let n = to.checked_sub(*from)?.checked_add(1)?;
                from.checked_add(nth(u64::try_from(n).ok()?)?)
            }
            [Value::Set(words)] => {
                let lo = match over {
                    Over::Set(set) => match set.ty.base {
                        Base::Set(domain) => self.program.game.domains.get(domain.index())?.lo,
                        _ => return None,
                    },
                    Over::Zone(_) | Over::Span(..) => 0,
                };
                let of: Vec<usize> = members(words).collect();
                let nth = usize::try_from(nth(of.len() as u64)?).ok()?;
                i64::try_from(*of.get(nth)?).ok()?.checked_add(lo)
            }
            _ => None,
        }
    }
}

/// Whether a choice waits here with nothing but locals bound before it.
fn waits(block: &[Stmt], clause: ClauseId) -> bool {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Let(..) => {}
            StmtKind::Pick(pick) if pick.clause == clause => return true,
            StmtKind::Pick(pick) if pick.otherwise.is_none() => {}
            StmtKind::Choose(choose) => return choose.clause == clause,
            StmtKind::Step(_, inner) => return waits(inner, clause),
            StmtKind::If(_, then, other) => return waits(then, clause) || waits(other, clause),
            _ => return false,
        }
    }
    false
}

/// Whether a choice waits somewhere in a statement, or in what that calls.
fn waits_in(stmt: &Stmt, clause: ClauseId, leading: &BTreeSet<ProcId>) -> bool {
    let mut found = false;
    each_in_block(std::slice::from_ref(stmt), &mut |node| {
        let Node::Stmt(stmt) = node else { return };
        found |= match &stmt.kind {
            StmtKind::Choose(choose) => choose.clause == clause,
            StmtKind::Pick(pick) => pick.clause == clause,
            StmtKind::Call(id, _) | StmtKind::CallInto(_, id, _) => leading.contains(id),
            _ => false,
        };
    });
    found
}

/// Whether a block reads a local from the statement on in which a choice waits; anywhere where that waits elsewhere.
fn is_read_behind(
    block: &[Stmt],
    clause: ClauseId,
    leading: &BTreeSet<ProcId>,
    local: LocalId,
) -> bool {
    let waits = block.iter().position(|it| waits_in(it, clause, leading));
    let mut found = false;
    let rest = block.get(waits.unwrap_or(0)..).unwrap_or_default();
    each_in_block(rest, &mut |node| {
        found |= matches!(node, Node::Expr(expr) if matches!(expr.kind, ExprKind::Local(it) if it == local));
    });
    found
}

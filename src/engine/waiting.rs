//! What flows keep in locals while they wait, and a seat may not know.

use super::chance::Chance;
use super::machine::Machine;
use super::op::Reg;
use super::query::{Query, Value};
use super::sight::{Known, Sight};
use super::text::members;
use super::told::in_block;
use super::view::Viewer;
use crate::model::{
    Base, ClauseId, Expr, ExprKind, LocalId, NONE, Over, Pick, Picker, Stmt, StmtKind, StreamId,
    Type,
};

/// How a local comes to its value.
#[derive(Clone, Copy, Debug)]
enum Source<'p> {
    Worked(&'p Expr),
    Picked(&'p Pick),
}

/// A local that is to be dealt anew.
pub(super) struct Secret<'p> {
    reg: Reg,
    ty: Type,
    source: Source<'p>,
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

    /// The locals whose values a seat does not know, in the order in which they are to be dealt anew; none at all where
    /// one of them may be tied to what has happened since.
    pub(super) fn secrets_kept(&self, seat: u32) -> Option<Vec<Secret<'p>>> {
        let closed = self.closed_locals();
        if closed.is_empty() {
            return Some(Vec::new());
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
        let mut secrets = Vec::new();
        for (local, reg) in kept.iter().filter(|(local, _)| closed.contains(local)) {
            let (source, is_fresh) = self.source_of(*local)?;
            if self.knows(seat, source, is_fresh, &known)? {
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
                return None;
            }
            let ty = self.program.game.locals.get(local.index())?.ty;
            secrets.push(Secret {
                reg: *reg,
                ty,
                source,
            });
        }
        Some(secrets)
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
        let value = match secret.source {
            Source::Worked(value) => self.worked_out(&[value])?.pop()?,
            // Whether somebody declines is not asked again.
            Source::Picked(pick) if pick.may && self.mem[at] as i64 == NONE => return Some(()),
            Source::Picked(pick) => {
                let of = self.picked_from(&pick.over, secret.ty)?;
                let nth = usize::try_from(chance.ticket(stream, of.len().max(1) as u64)).ok()?;
                Value::Scalar(*of.get(nth)?)
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

    fn picked_from(&mut self, over: &Over, ty: Type) -> Option<Vec<i64>> {
        let set = match over {
            Over::Span(from, to) => {
                let ends = self.worked_out(&[from, to])?;
                let [from, to] = ends.as_slice() else {
                    return None;
                };
                return Some((from.scalar()..=to.scalar()).collect());
            }
            Over::Set(set) => set.clone(),
            Over::Zone(place) => {
                let Base::Elem(component) = ty.base else {
                    return None;
                };
                Expr {
                    kind: ExprKind::Kinds(place.clone()),
                    ty: Type::of(Base::Set(component)),
                    span: self.program.game.clauses.first().map(|it| it.span)?,
                }
            }
        };
        let Base::Set(domain) = set.ty.base else {
            return None;
        };
        let lo = self.program.game.domains.get(domain.index())?.lo;
        let Value::Set(words) = self.worked_out(&[&set])?.pop()? else {
            return None;
        };
        members(&words)
            .map(|it| i64::try_from(it).ok()?.checked_add(lo))
            .collect()
    }

    /// The values of expressions that may read what is kept in one word.
    fn worked_out(&mut self, exprs: &[&Expr]) -> Option<Vec<Value>> {
        let game = &self.program.game;
        let kept = self.kept().into_iter().filter(|(local, _)| {
            let ty = game.locals.get(local.index()).map(|it| it.ty.base);
            !matches!(ty, None | Some(Base::Set(_)))
        });
        let (locals, values): (Vec<LocalId>, Vec<i64>) = kept
            .map(|(local, reg)| (local, self.mem[usize::from(reg)] as i64))
            .unzip();
        let query = Query::with_inputs(self.program, &locals, exprs, true).ok()?;
        self.ask_of(&query, &values).ok()
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

//! Tracks that live in a block: what they are when it begins and ends, and who may set them.

mod entered;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::diagnostic::{Diagnostic, codes};
use crate::model::{
    AssignOp, Base, DomainId, Expr, ExprKind, LocalId, ProcId, ProcKind, Stmt, StmtKind, TrackId,
    Type,
};
use crate::source::Span;
use crate::syntax::ast;

use super::moves::statement;
use super::scope::BodyKind;
use super::{Checked, Checker, Entity, Reported};

/// Each value of such a track is kept by itself while its block is entered once more.
const MOST_VALUES: u64 = 64;

/// A track whose block is around what is being checked.
#[derive(Clone, Debug)]
pub(super) struct Living {
    track: TrackId,
    /// What its values were before, in order.
    before: Vec<LocalId>,
    /// The number of `turns` around it.
    turns: u32,
    span: Span,
}

/// What leads where, and what is set, as far as it matters to tracks that live in a block.
#[derive(Default)]
pub(super) struct Lives {
    /// Who calls whom and where, and the tracks whose blocks are around that.
    calls: Vec<(ProcId, ProcId, Span, Vec<TrackId>)>,
    /// Where such a track is set outside of its block.
    sets: Vec<(ProcId, TrackId, Span)>,
    /// What is called where something is only tried, or a ruling is set up.
    tried: Vec<ProcId>,
    /// Whose block a track lives in, and what keeps its values meanwhile.
    homes: Vec<(TrackId, Option<ProcId>, Vec<LocalId>)>,
}

impl Checker<'_> {
    /// `track x: T = e` in a block.
    #[inline(never)]
    pub(super) fn track_statement(
        &mut self,
        decl: &ast::TrackDecl,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        self.is_done_here(
            span,
            |inside| format!("no track lives in {inside}"),
            "write it as an item, or use `let`",
        )?;
        let Some(entity) = self.named(decl.name.as_str()) else {
            return Err(Reported);
        };
        let own = self.composed.lives.get(decl.name.as_str());
        let Entity::Track(id) = entity? else {
            return Err(Reported);
        };
        // Of two that are called so only one is known.
        if !own.is_some_and(|it| it.same_place(decl.name.span)) {
            return Err(Reported);
        }
        let Some(track) = self.game.tracks.get(id.index()) else {
            return Err(Reported);
        };
        let (index, ty, init) = (track.index.clone(), track.ty, track.init.clone());
        let sizes = index.iter().map(|it| self.size(*it));
        if sizes.fold(1, u64::saturating_mul) > MOST_VALUES {
            let message = format!("a track of a block has at most {MOST_VALUES} values");
            return Err(self.complain(
                codes::TOO_MANY_ELEMENTS,
                decl.name.span,
                message,
                "write it as an item, and give it its values where the block begins",
            ));
        }
        let mut first = match &decl.start {
            Some(start) => self.result(start, Some(ty), out)?,
            None => init,
        };
        let keys = self.keys_of(&index, decl.name.span);
        if keys.len() > 1 && self.constant(&first).is_none() {
            let kept = self.fresh(&decl.name.text, ty, first.span);
            out.push(statement(StmtKind::Let(kept, first), span));
            first = self.local(kept, span);
        }
        let mut before = Vec::new();
        for key in &keys {
            let value = Expr::new(ExprKind::Track(id, key.clone()), ty, span);
            let kept = self.fresh(&decl.name.text, ty, span);
            out.push(statement(StmtKind::Let(kept, value), span));
            before.push(kept);
        }
        for key in keys {
            let set = StmtKind::SetTrack(id, key, AssignOp::Set, first.clone());
            out.push(statement(set, span));
        }
        self.lives.homes.push((id, self.body.proc, before.clone()));
        self.body.living.push(Living {
            track: id,
            before,
            turns: self.body.turns,
            span,
        });
        Ok(())
    }

    /// All keys of an index, in order.
    fn keys_of(&self, index: &[DomainId], span: Span) -> Vec<Vec<Expr>> {
        let mut keys = vec![Vec::new()];
        for domain in index {
            let ty = self.element(*domain);
            let lo = self.domain(*domain).map_or(0, |it| it.lo);
            let n = i64::try_from(self.size(*domain)).unwrap_or(0);
            let longer = keys.iter().flat_map(|key: &Vec<Expr>| {
                (lo..lo + n).map(move |value| {
                    let kind = ExprKind::Value(value);
                    let mut key = key.clone();
                    key.push(Expr { kind, ty, span });
                    key
                })
            });
            keys = longer.collect();
        }
        keys
    }

    /// Gives the tracks of the present body behind the first `from` what they were before.
    pub(super) fn give_back(&mut self, from: usize, out: &mut Vec<Stmt>) {
        let living = self.body.living.get(from..).unwrap_or_default().to_vec();
        for it in living.iter().rev() {
            let index = self.game.tracks.get(it.track.index());
            let index = index.map_or(Vec::new(), |it| it.index.clone());
            for (key, kept) in self.keys_of(&index, it.span).into_iter().zip(&it.before) {
                let value = self.local(*kept, it.span);
                let set = StmtKind::SetTrack(it.track, key, AssignOp::Set, value);
                out.push(statement(set, it.span));
            }
        }
    }

    /// The first of the tracks that live in the turn.
    pub(super) fn living_in_turn(&self) -> usize {
        let turns = self.body.turns;
        let mut living = self.body.living.iter();
        let first = living.position(|it| it.turns >= turns);
        first.unwrap_or(self.body.living.len())
    }

    /// What all tracks of blocks are given where the game ends: outside of its block each has its first value.
    pub(super) fn first_values(&mut self) -> Vec<Stmt> {
        let mut set = Vec::new();
        for (name, span) in &self.composed.lives {
            let Some(Ok(Entity::Track(id))) = self.named(name) else {
                continue;
            };
            let Some(track) = self.game.tracks.get(id.index()) else {
                continue;
            };
            let (index, init) = (track.index.clone(), track.init.clone());
            let sizes = index.iter().map(|it| self.size(*it));
            if sizes.fold(1, u64::saturating_mul) > MOST_VALUES {
                continue;
            }
            for key in self.keys_of(&index, *span) {
                let kind = StmtKind::SetTrack(id, key, AssignOp::Set, init.clone());
                set.push(statement(kind, *span));
            }
        }
        set
    }

    /// The value of such a track outside of its block, where it is not written: the first of its kind.
    pub(super) fn first_of_kind(&self, ty: Type, span: Span) -> Expr {
        let kind = match ty.base {
            _ if ty.optional => ExprKind::Value(crate::model::NONE),
            Base::Int(lo, hi) if !(lo..=hi).contains(&0) => ExprKind::Value(lo),
            Base::Set(_) => ExprKind::SetOf(Vec::new()),
            _ => ExprKind::Value(0),
        };
        Expr { kind, ty, span }
    }

    /// Notes that the present body calls something, or offers an action.
    pub(super) fn leads_to(&mut self, callee: ProcId, span: Span) {
        if self.composed.lives.is_empty() {
            return;
        }
        if matches!(self.body.kind, BodyKind::After | BodyKind::Given) {
            self.lives.tried.push(callee);
            return;
        }
        let Some(caller) = self.body.proc else {
            return;
        };
        let is_ending = self
            .proc(callee)
            .is_some_and(|it| it.kind == ProcKind::Ending);
        let living = self.body.living.iter().filter(|_| !is_ending);
        let living = living.map(|it| it.track).collect();
        self.lives.calls.push((caller, callee, span, living));
    }

    /// Notes that the present body sets a track.
    pub(super) fn sets_track(&mut self, track: TrackId, span: Span) {
        if self.composed.lives.is_empty()
            || matches!(self.body.kind, BodyKind::After | BodyKind::Given)
            || self.body.living.iter().any(|it| it.track == track)
        {
            return;
        }
        if let Some(proc) = self.body.proc {
            self.lives.sets.push((proc, track, span));
        }
    }

    /// Reports where a track of a block is set while it does not live: the value would stay.
    pub(super) fn check_lives(&mut self) {
        let composed = self.composed;
        for (name, span) in &composed.lives {
            let Some(Ok(Entity::Track(id))) = self.named(name) else {
                continue;
            };
            let reached = self.reached_without(id);
            let sets = self.lives.sets.iter();
            let mut outside = sets.filter(|(_, track, _)| *track == id);
            let found = outside.find_map(|(proc, _, at)| Some((*at, *reached.get(proc)?)));
            let Some((at, way)) = found else {
                continue;
            };
            let message = format!("`{name}` is set where it does not live");
            let mut finding = Diagnostic::new(codes::NOT_CHANGEABLE, message)
                .label(at, "it is set here")
                .label(*span, "it lives until this block ends");
            if let Some(way) = way {
                finding = finding.label(way, "and this leads there from outside of that block");
            }
            self.report(finding.help(
                "write the track into a block that is around all of this, or make it an item",
            ));
        }
    }

    /// Where each procedure that may run outside of the block of a track is called.
    fn reached_without(&self, track: TrackId) -> HashMap<ProcId, Option<Span>> {
        let mut calls: HashMap<ProcId, Vec<(ProcId, Span)>> = HashMap::default();
        for (caller, callee, span, living) in &self.lives.calls {
            if !living.contains(&track) {
                calls.entry(*caller).or_default().push((*callee, *span));
            }
        }
        let main = self.game.main;
        let mut reached = HashMap::from_iter([(main, None)]);
        let mut open = vec![main];
        let mut met = HashSet::from_iter([main]);
        while let Some(caller) = open.pop() {
            for (callee, span) in calls.get(&caller).into_iter().flatten() {
                if met.insert(*callee) {
                    reached.insert(*callee, Some(*span));
                    open.push(*callee);
                }
            }
        }
        reached
    }
}

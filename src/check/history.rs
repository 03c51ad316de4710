//! What a position is for `repeated()`.

use crate::diagnostic::codes;
use crate::model::{
    AssignOp, Base, BinaryOp, Expr, ExprKind, Node, StmtKind, TrackId, ZoneId, each_in_block,
};

use super::{Checked, Checker, Entity, bounds};

/// Which way the values of a track go.
#[derive(Clone, Copy, Debug, Default)]
struct Course {
    rises: bool,
    falls: bool,
    /// It is set to something else.
    jumps: bool,
}

impl Checker<'_> {
    /// Finds what does not belong to a position: what `history of …` does not name; without it, numbers
    /// that only grow or only shrink, because with them no position would ever come again.
    pub(super) fn settle_history(&mut self) {
        let Some(history) = &self.composed.header.history else {
            return;
        };
        self.game.passing.counters = self.counters();
        if history.of.is_empty() {
            self.game.passing.tracks = self.game.passing.counters.clone();
            return;
        }
        let (mut tracks, mut zones) = (Vec::new(), Vec::new());
        for name in &history.of {
            let found: Checked<()> = match self.named(name.as_str()) {
                Some(Ok(Entity::Track(id))) => {
                    tracks.push(id);
                    Ok(())
                }
                Some(Ok(Entity::Zone(id))) => {
                    zones.push(id);
                    Ok(())
                }
                _ => {
                    let things = self.game.tracks.iter().map(|it| it.name.clone());
                    let things = things.chain(self.game.zones.iter().map(|it| it.name.clone()));
                    let things: Vec<String> = things.collect();
                    let message = format!("no zone and no track is called `{name}`");
                    Err(self.not_among(codes::UNKNOWN_NAME, name, message, &things))
                }
            };
            if found.is_err() {
                return;
            }
        }
        let all = 0..u32::try_from(self.game.tracks.len()).unwrap_or(u32::MAX);
        self.game.passing.tracks = all.map(TrackId).filter(|it| !tracks.contains(it)).collect();
        let all = 0..u32::try_from(self.game.zones.len()).unwrap_or(u32::MAX);
        self.game.passing.zones = all.map(ZoneId).filter(|it| !zones.contains(it)).collect();
    }

    /// The numbers that only grow or only shrink while the game goes on.
    fn counters(&self) -> Vec<TrackId> {
        let mut courses = vec![Course::default(); self.game.tracks.len()];
        let given = |at: usize| {
            let mut given = self.givens.iter().filter_map(|(_, proc)| *proc);
            given.any(|it| it.index() == at)
        };
        for (at, proc) in self.game.procs.iter().enumerate() {
            if given(at) {
                continue;
            }
            each_in_block(&proc.body, &mut |node| {
                let Node::Stmt(stmt) = node else { return };
                if let StmtKind::SetTrack(id, index, op, value) = &stmt.kind
                    && let Some(course) = courses.get_mut(id.index())
                {
                    course.take(*id, index, *op, value);
                }
            });
        }
        let tracks = self.game.tracks.iter().zip(courses).enumerate();
        tracks
            .filter(|(_, (track, course))| {
                matches!(track.ty.base, Base::Int(..)) && course.is_one_way()
            })
            .map(|(at, _)| TrackId(u32::try_from(at).unwrap_or(u32::MAX)))
            .collect()
    }
}

impl Course {
    fn is_one_way(self) -> bool {
        !self.jumps && self.rises != self.falls
    }

    fn take(&mut self, track: TrackId, index: &[Expr], op: AssignOp, value: &Expr) {
        let step = match (op, &value.kind) {
            (AssignOp::Add, _) => Some((true, value)),
            (AssignOp::Sub, _) => Some((false, value)),
            // `n = n + 1`, of a track that is one value.
            (AssignOp::Set, ExprKind::Binary(op, left, right)) if index.is_empty() => {
                let is_old = matches!(&left.kind, ExprKind::Track(id, _) if *id == track);
                match op {
                    BinaryOp::Add if is_old => Some((true, &**right)),
                    BinaryOp::Sub if is_old => Some((false, &**right)),
                    _ => None,
                }
            }
            (AssignOp::Set, _) => None,
        };
        let Some((up, by)) = step.filter(|(_, by)| matches!(by.ty.base, Base::Int(..))) else {
            self.jumps = true;
            return;
        };
        let (low, high) = bounds::of(by);
        self.rises |= if up { high > 0 } else { low < 0 };
        self.falls |= if up { low < 0 } else { high > 0 };
    }
}

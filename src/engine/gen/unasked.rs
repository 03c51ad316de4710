//! What is tried out and nobody asks for: within `after`, tracks that neither the question nor what is still
//! done there reads are not written.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use super::facts::Facts;
use super::graph::Callee;
use super::{Gen, Shared};
use crate::model::{
    AssignOp, Base, DefineId, Expr, ExprKind, Game, Node, ProcId, Stmt, StmtKind, TrackId,
    each_in_block, each_in_expr, parts_of_stmt,
};

/// How deep calls are looked into.
const DEEPEST: usize = 6;
/// How deep statements within statements are looked through for one that goes.
const MOST_WITHIN: usize = 3;
/// Nodes that are looked at for one question.
const MOST_NODES: usize = 20_000;

/// What is asked after something was tried out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct Asked {
    /// The tracks that are read.
    tracks: BTreeSet<TrackId>,
    /// The procedures in which something goes.
    procs: BTreeSet<ProcId>,
}

impl Gen<'_, '_> {
    /// What is asked by `value` after `body`, if something in the body goes.
    pub(super) fn asked_after(&mut self, body: &[Stmt], value: &Expr) -> Option<u32> {
        if self.shared.is_plain() {
            return None;
        }
        let mut reads = Reads::of(self.shared.game);
        reads.expr(value);
        loop {
            let (before, mut procs) = (reads.tracks.len(), BTreeSet::new());
            let goes = self.left_of(body, DEEPEST, &mut reads, &mut procs)?;
            if reads.left == 0 || !goes {
                return None;
            }
            if reads.tracks.len() == before {
                let tracks = reads.tracks;
                return self.shared.interned(Asked { tracks, procs });
            }
        }
    }

    /// Adds what is read by what is left of statements; whether something in them goes. None where more can
    /// happen than is looked through.
    fn left_of(
        &mut self,
        block: &[Stmt],
        depth: usize,
        reads: &mut Reads<'_>,
        procs: &mut BTreeSet<ProcId>,
    ) -> Option<bool> {
        let mut goes = false;
        for stmt in block {
            if self.goes(stmt, &reads.tracks, MOST_WITHIN, &mut Facts::default()) {
                goes = true;
                continue;
            }
            let mut within = Vec::new();
            parts_of_stmt(stmt, &mut |node| match node {
                Node::Expr(expr) => reads.expr(expr),
                Node::Stmt(stmt) => within.push(stmt),
                Node::Binds(_) => {}
            });
            for stmt in within {
                goes |= self.left_of(std::slice::from_ref(stmt), depth, reads, procs)?;
            }
            match &stmt.kind {
                StmtKind::SetTrack(track, _, AssignOp::Add | AssignOp::Sub, _) => {
                    reads.tracks.insert(*track);
                }
                StmtKind::Call(proc, _) | StmtKind::CallInto(_, proc, _) => {
                    let game = self.shared.game;
                    let body = &game.procs.get(proc.index())?.body;
                    if self.shared.graph.recursive(Callee::Proc(*proc)) {
                        reads.proc(*proc);
                    } else if self.left_of(body, depth.checked_sub(1)?, reads, procs)? {
                        procs.insert(*proc);
                        goes = true;
                    }
                }
                StmtKind::End(proc, _) => reads.proc(*proc),
                StmtKind::Choose(_)
                | StmtKind::Pick(_)
                | StmtKind::Window(_)
                | StmtKind::Together(_)
                | StmtKind::Turns(_) => return None,
                _ => {}
            }
        }
        Some(goes)
    }

    /// Whether a statement does nothing but write tracks that nobody reads, and cannot fault.
    fn goes(
        &mut self,
        stmt: &Stmt,
        asked: &BTreeSet<TrackId>,
        depth: usize,
        facts: &mut Facts,
    ) -> bool {
        let Some(deeper) = depth.checked_sub(1) else {
            return false;
        };
        let mark = facts.mark();
        let goes = match &stmt.kind {
            StmtKind::SetTrack(track, index, op, value) => {
                !asked.contains(track) && self.is_set(*track, index, *op, value, facts)
            }
            StmtKind::If(cond, then, other) => {
                let others = self.all_go(other, asked, deeper, facts);
                others && self.sure(cond, facts) && {
                    self.learn(cond, true, facts);
                    self.all_go(then, asked, deeper, facts)
                }
            }
            StmtKind::Match(subject, arms, Some(other)) => {
                let blocks = arms.iter().map(|it| &it.1).chain([other]);
                let mut blocks = blocks.map(|it| self.all_go(it, asked, deeper, facts));
                blocks.all(|goes| goes) && self.sure(subject, facts)
            }
            // What is known before the first round need not hold in the second.
            StmtKind::ForEach(binders, body) => {
                let mut facts = Facts::default();
                binders.iter().all(|it| self.binder_sure(it, &mut facts))
                    && self.all_go(body, asked, deeper, &mut facts)
            }
            // What only would be is not told.
            StmtKind::Tell(..) => true,
            StmtKind::Step(_, body) => self.all_go(body, asked, deeper, facts),
            _ => false,
        };
        facts.release(mark);
        goes
    }

    fn all_go(
        &mut self,
        block: &[Stmt],
        asked: &BTreeSet<TrackId>,
        depth: usize,
        facts: &mut Facts,
    ) -> bool {
        // What is known of tracks holds until one is written.
        let mut later = Facts::default();
        let mut facts = Some(facts);
        block.iter().all(|stmt| match &stmt.kind {
            StmtKind::Let(_, value) => self.sure(value, facts.as_deref_mut().unwrap_or(&mut later)),
            _ => match facts.take() {
                Some(facts) => self.goes(stmt, asked, depth, facts),
                None => self.goes(stmt, asked, depth, &mut later),
            },
        })
    }

    /// Whether an assignment surely leaves a value that its track may have.
    fn is_set(
        &mut self,
        track: TrackId,
        index: &[Expr],
        op: AssignOp,
        value: &Expr,
        facts: &mut Facts,
    ) -> bool {
        let counted = self.shared.graph.counted.contains(&track);
        let Some(track) = self.shared.game.tracks.get(track.index()) else {
            return false;
        };
        let is_whole = op == AssignOp::Set || matches!(track.ty.base, Base::Set(_));
        self.index_sure(index, &track.index, facts)
            && self.sure(value, facts)
            && (counted && self.is_there(value, facts)
                || is_whole && self.fits(value, track.ty, facts))
    }

    /// Of statements that are tried out, those that do not go where so much is asked; what only would be is not told.
    pub(super) fn all_asked(&mut self, mut block: Vec<Stmt>, asked: Option<u32>) -> Vec<Stmt> {
        // What was known before is not known after.
        let facts = std::mem::take(&mut self.facts);
        let around = std::mem::replace(&mut self.asked, asked);
        block.retain(|it| !matches!(it.kind, StmtKind::Tell(..)) && !self.is_unasked(it));
        self.asked = around;
        self.facts = facts;
        block
    }

    /// Whether a statement that is being written goes.
    pub(super) fn is_unasked(&mut self, stmt: &Stmt) -> bool {
        let Some(asked) = self
            .asked
            .and_then(|it| self.shared.asked_after.get(it as usize))
        else {
            return false;
        };
        let asked = Rc::clone(asked);
        self.goes(stmt, &asked.tracks, MOST_WITHIN, &mut Facts::default())
    }
}

impl Shared<'_> {
    fn interned(&mut self, asked: Asked) -> Option<u32> {
        let same = self.asked_after.iter().position(|it| **it == asked);
        let at = same.unwrap_or_else(|| {
            self.asked_after.push(Rc::new(asked));
            self.asked_after.len() - 1
        });
        u32::try_from(at).ok()
    }

    /// Whether something in a procedure goes where so much is asked.
    pub(super) fn is_shorter(&self, proc: ProcId, asked: u32) -> bool {
        let asked = self.asked_after.get(asked as usize);
        asked.is_some_and(|it| it.procs.contains(&proc))
    }
}

/// The tracks that are read, wherever it is called for.
struct Reads<'g> {
    game: &'g Game,
    tracks: BTreeSet<TrackId>,
    defines: HashSet<DefineId>,
    procs: HashSet<ProcId>,
    /// Nodes that may still be looked at; none left where everything may be read.
    left: usize,
}

impl<'g> Reads<'g> {
    fn of(game: &'g Game) -> Self {
        Self {
            game,
            tracks: BTreeSet::new(),
            defines: HashSet::new(),
            procs: HashSet::new(),
            left: MOST_NODES,
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let mut called = Called::default();
        self.node(Node::Expr(expr), &mut called);
        each_in_expr(expr, &mut |node| self.node(node, &mut called));
        self.follow(called);
    }

    fn proc(&mut self, proc: ProcId) {
        self.follow(Called {
            defines: Vec::new(),
            procs: vec![proc],
        });
    }

    /// Looks into what is called, one after the other.
    fn follow(&mut self, mut called: Called) {
        let game = self.game;
        while self.left > 0 {
            if let Some(id) = called.defines.pop() {
                if self.defines.insert(id)
                    && let Some(define) = game.defines.get(id.index())
                {
                    self.node(Node::Expr(&define.body), &mut called);
                    each_in_expr(&define.body, &mut |node| self.node(node, &mut called));
                }
            } else if let Some(id) = called.procs.pop() {
                if self.procs.insert(id)
                    && let Some(proc) = game.procs.get(id.index())
                {
                    each_in_block(&proc.body, &mut |node| self.node(node, &mut called));
                }
            } else {
                return;
            }
        }
    }

    fn node(&mut self, node: Node<'_>, called: &mut Called) {
        self.left = self.left.saturating_sub(1);
        match node {
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Track(track, _) => {
                    self.tracks.insert(*track);
                }
                ExprKind::Call(define, _) => called.defines.push(*define),
                // What may be done hangs on anything.
                ExprKind::Can(..) | ExprKind::Repeated => self.left = 0,
                _ => {}
            },
            Node::Stmt(stmt) => match &stmt.kind {
                StmtKind::SetTrack(track, ..) => {
                    self.tracks.insert(*track);
                }
                StmtKind::Call(proc, _) | StmtKind::CallInto(_, proc, _) => {
                    called.procs.push(*proc);
                }
                StmtKind::End(proc, _) => called.procs.push(*proc),
                _ => {}
            },
            Node::Binds(_) => {}
        }
    }
}

/// What is still to be looked into.
#[derive(Default)]
struct Called {
    defines: Vec<DefineId>,
    procs: Vec<ProcId>,
}

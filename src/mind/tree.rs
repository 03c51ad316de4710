//! What was played in a search, move by move: a node is a line of moves, whatever luck and deals were.

use super::Quick;
use super::weighed::variance;
use crate::engine::Move;

/// Most edges of a tree: it grows no more then.
const MOST_EDGES: usize = 1 << 21;
/// No edge: the root is none of its own moves.
const NONE: u32 = 0;

/// A move from a node, and the node behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    mv: Move,
    /// What its seat gained, and the squares of it.
    sum: f64,
    squares: f64,
    /// Which choice of the rules, and whose: equal moves elsewhere are others.
    asked: u32,
    /// The next move from the same node.
    next: u32,
    /// The first move from the node behind it.
    child: u32,
    visits: u32,
    /// How often it was among the legal moves.
    offered: u32,
}

impl Edge {
    /// What it may be worth, supposing the best that is not unlikely: the bonus grows with how far its own games lie apart, so
    /// that a few unlucky ones do not rule it out (UCB1, Auer, Cesa-Bianchi and Fischer 2002, with the variance that was
    /// found in place of the greatest one).
    fn promise(&self) -> f64 {
        let visits = f64::from(self.visits);
        let spread = variance(visits, self.sum, self.squares);
        self.sum / visits + (spread * f64::from(self.offered).ln() / visits).sqrt()
    }
}

/// Replies to a move of the root that are told.
const REPLIES: usize = 8;

/// A move that followed one of the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The move.
    pub mv: Move,
    /// Which choice of the rules, and whose.
    pub(super) asked: u32,
    /// How often it was gone along.
    pub times: u32,
    /// What mostly followed it.
    pub next: Option<Move>,
}

/// The moves of a search.
pub(super) struct Tree {
    edges: Vec<Edge>,
    /// By legal move its edge: used again from choice to choice.
    found: Vec<u32>,
}

impl Tree {
    /// A tree with the moves of its root.
    pub(super) fn new(asked: u32, moves: &[Move]) -> Tree {
        let mut tree = Tree {
            edges: Vec::new(),
            found: Vec::new(),
        };
        tree.add(asked, Move(0));
        tree.open(0, asked, moves);
        tree
    }

    fn add(&mut self, asked: u32, mv: Move) -> u32 {
        let at = u32::try_from(self.edges.len()).unwrap_or(NONE);
        self.edges.push(Edge {
            mv,
            sum: 0.0,
            squares: 0.0,
            asked,
            next: NONE,
            child: NONE,
            visits: 0,
            offered: 0,
        });
        at
    }

    /// Gives a node its moves.
    fn open(&mut self, node: u32, asked: u32, moves: &[Move]) {
        let mut last = NONE;
        for mv in moves {
            let edge = self.add(asked, *mv);
            match last {
                NONE => self.edges[node as usize].child = edge,
                last => self.edges[last as usize].next = edge,
            }
            last = edge;
        }
    }

    /// The edge of the move at an index of the root.
    pub(super) fn of_root(&self, index: usize) -> u32 {
        u32::try_from(index + 1).unwrap_or(NONE)
    }

    /// Chooses among the legal moves of a node: one that was never tried, or else the one that promises most to who
    /// chooses. None where nothing is known of the node yet.
    pub(super) fn select(
        &mut self,
        node: u32,
        asked: u32,
        moves: &[Move],
        dice: &mut Quick,
    ) -> Option<(usize, u32)> {
        let of = self.edges.get(node as usize)?;
        if of.child == NONE {
            let has_room = self.edges.len() + moves.len() < MOST_EDGES;
            if of.visits == 0 || !has_room {
                return None;
            }
            self.open(node, asked, moves);
        }
        self.find(node, asked, moves)?;
        let mut untried = 0;
        for edge in &self.found {
            let edge = self.edges.get_mut(*edge as usize)?;
            edge.offered += 1;
            untried += usize::from(edge.visits == 0);
        }
        if untried > 0 {
            let mut nth = dice.below(untried);
            for (index, edge) in self.found.iter().enumerate() {
                if self.edges[*edge as usize].visits > 0 {
                    continue;
                }
                if nth == 0 {
                    return Some((index, *edge));
                }
                nth -= 1;
            }
        }
        let (mut best, mut chosen) = (f64::NEG_INFINITY, None);
        for (index, edge) in self.found.iter().enumerate() {
            let it = self.edges.get(*edge as usize)?;
            let value = it.promise();
            if value > best {
                (best, chosen) = (value, Some((index, *edge)));
            }
        }
        chosen
    }

    /// Finds the edges of the legal moves. They come in the same order again and again, so each is looked for behind
    /// the last one.
    fn find(&mut self, node: u32, asked: u32, moves: &[Move]) -> Option<()> {
        self.found.clear();
        let first = self.edges.get(node as usize)?.child;
        let mut at = first;
        for mv in moves {
            let begin = at;
            let mut last = NONE;
            let found = loop {
                let edge = self.edges.get(at as usize)?;
                if at != NONE && edge.mv == *mv && edge.asked == asked {
                    break at;
                }
                if at != NONE && edge.next == NONE {
                    last = at;
                }
                at = match at {
                    NONE => first,
                    _ => edge.next,
                };
                if at == begin {
                    break NONE;
                }
            };
            let edge = match found {
                NONE => {
                    let new = self.add(asked, *mv);
                    self.edges.get_mut(last as usize)?.next = new;
                    new
                }
                found => found,
            };
            self.found.push(edge);
            at = self.edges.get(edge as usize)?.next;
        }
        Some(())
    }

    /// Notes what a seat gained by a move.
    pub(super) fn note(&mut self, edge: u32, reward: f64) {
        if let Some(edge) = self.edges.get_mut(edge as usize) {
            edge.visits += 1;
            edge.sum += reward;
            edge.squares += reward * reward;
        }
    }

    /// What followed a move of the root, the most frequent first.
    pub(super) fn replies(&self, index: usize) -> Vec<Reply> {
        let mut played = self.played(self.of_root(index));
        played.truncate(REPLIES);
        let reply = |at: u32| {
            let edge = self.edges.get(at as usize)?;
            let next = self.played(at).first().copied();
            Some(Reply {
                mv: edge.mv,
                asked: edge.asked,
                times: edge.visits,
                next: next
                    .and_then(|it| self.edges.get(it as usize))
                    .map(|it| it.mv),
            })
        };
        played.into_iter().filter_map(reply).collect()
    }

    /// The edges of a node that were gone along more than once, the most frequent first.
    fn played(&self, node: u32) -> Vec<u32> {
        let mut found: Vec<(u32, u32)> = Vec::new();
        let mut at = self.edges.get(node as usize).map_or(NONE, |it| it.child);
        while at != NONE
            && let Some(edge) = self.edges.get(at as usize)
        {
            if edge.visits > 1 {
                found.push((edge.visits, at));
            }
            at = edge.next;
        }
        found.sort_by_key(|(visits, at)| (u32::MAX - visits, *at));
        found.into_iter().map(|it| it.1).collect()
    }
}

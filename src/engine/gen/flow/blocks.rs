//! Code as blocks: what may follow what.

use crate::engine::op::{Op, Pc};

/// Blocks of the code of one instance, by number in the order of the code.
pub(in crate::engine::r#gen) struct Blocks {
    /// First operation of each, and the number of operations at the end.
    starts: Vec<usize>,
    /// What may come before each block.
    pub before: Vec<Vec<usize>>,
    /// What may come behind each block.
    pub behind: Vec<Vec<usize>>,
    /// Whether a block is entered from outside, where nothing is known.
    pub is_entry: Vec<bool>,
    /// Those that can be reached, each behind one that leads to it.
    pub order: Vec<usize>,
    /// For each `Leave`, its `Enter`.
    pub entered: Vec<(usize, usize)>,
    /// For each block the first and last number of those that are reached only through it.
    through: Vec<(usize, usize)>,
}

impl Blocks {
    /// `entries` are the places where the code is entered from outside, `pausing` those calls in which
    /// somebody may choose. None where `Enter` and `Leave` do not stand in pairs.
    pub fn of(ops: &[Op], entries: &[usize], pausing: &[usize]) -> Option<Self> {
        let (inside, entered) = pairs(ops)?;
        let mut first = vec![false; ops.len() + 1];
        let mut outside = vec![false; ops.len() + 1];
        for at in entries {
            *outside.get_mut(*at)? = true;
        }
        for (at, op) in ops.iter().enumerate() {
            let mut op = *op;
            op.each_jump(&mut |to| {
                if let Some(first) = first.get_mut(usize::from(*to)) {
                    *first = true;
                }
            });
            // A ruling may change the position where it goes on.
            outside[at + 1] |= matches!(op, Op::Mark { .. }) || pausing.contains(&at);
            first[at + 1] |= ends(op) || op.effect().leaves;
        }
        let starts: Vec<usize> = (0..ops.len())
            .filter(|at| *at == 0 || first[*at] || outside[*at])
            .chain([ops.len()])
            .collect();
        let n = starts.len() - 1;
        let mut blocks = Self {
            before: vec![Vec::new(); n],
            behind: vec![Vec::new(); n],
            is_entry: starts[..n]
                .iter()
                .map(|at| *at == 0 || outside[*at])
                .collect(),
            order: Vec::new(),
            starts,
            entered,
            through: Vec::new(),
        };
        for block in 0..n {
            let mut next = Vec::new();
            for at in blocks.ops(block) {
                let mut op = ops[at];
                op.each_jump(&mut |to| next.push(usize::from(*to)));
                // What is called may end the game.
                if matches!(op, Op::Call { .. } | Op::End)
                    && let Some(stopped) = inside[at]
                {
                    next.push(usize::from(stopped));
                }
            }
            let last = blocks.ops(block).end;
            if last
                .checked_sub(1)
                .is_some_and(|at| !ops[at].effect().leaves)
            {
                next.push(last);
            }
            next.sort_unstable();
            next.dedup();
            for to in next {
                if let Ok(to) = blocks.starts[..n].binary_search(&to) {
                    blocks.behind[block].push(to);
                    blocks.before[to].push(block);
                }
            }
        }
        blocks.order = blocks.in_order();
        blocks.through = blocks.dominated();
        Some(blocks)
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.before.len()
    }

    /// Whether a block begins with an operation.
    pub fn starts_at(&self, at: usize) -> bool {
        self.starts.binary_search(&at).is_ok()
    }

    /// The operations of a block.
    pub fn ops(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block]..self.starts[block + 1]
    }

    /// The block of an operation.
    pub fn block_of(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }

    /// Whether an operation has been executed wherever another is about to be, since the code was entered.
    pub fn dominates(&self, first: usize, then: usize) -> bool {
        let (one, other) = (self.block_of(first), self.block_of(then));
        if one == other {
            return first < then;
        }
        let ((from, to), (at, _)) = (self.through[one], self.through[other]);
        from <= at && at <= to && from > 0
    }

    /// Dominators by K. D. Cooper, T. J. Harvey, K. Kennedy, "A simple, fast dominance algorithm" (2001), and
    /// the tree that they form, numbered from 1 on. All entries lie behind one root, which has no number.
    fn dominated(&self) -> Vec<(usize, usize)> {
        const ROOT: usize = usize::MAX;
        let mut place = vec![0; self.len()];
        for (at, block) in self.order.iter().enumerate() {
            place[*block] = at + 1;
        }
        let rank = |block: usize| if block == ROOT { 0 } else { place[block] };
        let mut above: Vec<Option<usize>> = vec![None; self.len()];
        loop {
            let mut changed = false;
            for block in &self.order {
                let mut new = self.is_entry[*block].then_some(ROOT);
                for from in &self.before[*block] {
                    if above[*from].is_none() {
                        continue;
                    }
                    let Some(mut one) = new else {
                        new = Some(*from);
                        continue;
                    };
                    let mut other = *from;
                    while one != other {
                        let lower = if rank(one) > rank(other) {
                            &mut one
                        } else {
                            &mut other
                        };
                        *lower = above.get(*lower).copied().flatten().unwrap_or(ROOT);
                    }
                    new = Some(one);
                }
                changed |= above[*block] != new;
                above[*block] = new;
            }
            if !changed {
                break;
            }
        }
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); self.len()];
        let mut open: Vec<(usize, usize)> = Vec::new();
        for block in &self.order {
            match above[*block] {
                Some(ROOT) => open.push((*block, 0)),
                Some(over) => below[over].push(*block),
                None => {}
            }
        }
        let mut through = vec![(0, 0); self.len()];
        let mut next = 0;
        while let Some((block, at)) = open.pop() {
            if at == 0 {
                next += 1;
                through[block].0 = next;
            }
            through[block].1 = next;
            if let Some(to) = below[block].get(at) {
                open.push((block, at + 1));
                open.push((*to, 0));
            }
        }
        through
    }

    /// Depth first from the entries, turned round.
    fn in_order(&self) -> Vec<usize> {
        let mut met = vec![false; self.len()];
        let mut done = Vec::new();
        for start in (0..self.len()).rev().filter(|it| self.is_entry[*it]) {
            let mut open = vec![(start, 0)];
            if std::mem::replace(&mut met[start], true) {
                continue;
            }
            while let Some((block, next)) = open.pop() {
                match self.behind[block].get(next) {
                    Some(to) => {
                        open.push((block, next + 1));
                        if !std::mem::replace(&mut met[*to], true) {
                            open.push((*to, 0));
                        }
                    }
                    None => done.push(block),
                }
            }
        }
        done.reverse();
        done
    }
}

/// For each operation where an `end` leads from there, and for each `Leave` its `Enter`.
#[expect(clippy::type_complexity, reason = "named where it is used")]
fn pairs(ops: &[Op]) -> Option<(Vec<Option<Pc>>, Vec<(usize, usize)>)> {
    let mut open: Vec<(usize, Pc)> = Vec::new();
    let mut inside = Vec::with_capacity(ops.len());
    let mut entered = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        inside.push(open.last().map(|(_, stopped)| *stopped));
        match op {
            Op::Enter { stopped, .. } => open.push((at, *stopped)),
            Op::Leave => entered.push((at, open.pop()?.0)),
            _ => {}
        }
    }
    open.is_empty().then_some((inside, entered))
}

/// Whether an operation may lead elsewhere than to the next.
fn ends(op: Op) -> bool {
    matches!(op, Op::Call { .. }) || op.jumps()
}

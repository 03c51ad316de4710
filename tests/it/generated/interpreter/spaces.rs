//! What lies beside what. That the engine works out the same is meant: who checks must not ask whom he checks.

use std::collections::BTreeSet;

use adit::model::{DomainId, DomainKind, Near, Shape};

use super::{Interpreter, Value};

/// Columns and rows that one step in each of the eight directions goes: n, ne, e and so on.
const WAYS: [(i128, i128); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

impl Interpreter<'_> {
    /// The cell one step away.
    pub(super) fn next_cell(
        &self,
        space: DomainId,
        ways: DomainId,
        cell: i128,
        way: i128,
    ) -> Option<i128> {
        assert_eq!(
            self.game.domains[ways.index()].size,
            8,
            "only the eight directions"
        );
        self.beside(space, cell, WAYS[usize::try_from(way).ok()?])
    }

    fn beside(&self, space: DomainId, cell: i128, (dx, dy): (i128, i128)) -> Option<i128> {
        let DomainKind::Space { axes, shape } = &self.game.domains[space.index()].kind else {
            panic!("no space");
        };
        let size = |axis: usize| axes.get(axis).map_or(1, |it| i128::from(it.size));
        let (width, height) = (size(0), size(1));
        let (x, y) = (cell / height + dx, cell % height + dy);
        let x = match shape {
            Shape::Ring => x.rem_euclid(width),
            _ => x,
        };
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        inside.then_some(x * height + y)
    }

    pub(super) fn near(&self, near: Near, space: DomainId, cell: i128) -> BTreeSet<i128> {
        let kind = &self.game.domains[space.index()].kind;
        if let DomainKind::Space {
            shape: Shape::Graph(edges),
            ..
        } = kind
        {
            let list = &edges[usize::try_from(cell).unwrap()];
            return list.iter().map(|it| i128::from(*it)).collect();
        }
        let ways = WAYS.iter().filter(|(dx, dy)| match near {
            Near::Orthogonal | Near::Neighbours => *dx == 0 || *dy == 0,
            Near::Diagonal => *dx != 0 && *dy != 0,
            Near::Around => true,
        });
        ways.filter_map(|way| self.beside(space, cell, *way))
            .collect()
    }

    /// So many steps in a direction; a negative number of them goes the other way.
    pub(super) fn stepped(
        &self,
        space: DomainId,
        ways: DomainId,
        cell: i128,
        way: i128,
        count: i128,
    ) -> Value {
        let way = if count < 0 { (way + 4) % 8 } else { way };
        let mut at = cell;
        // On a ring, so many steps as it has cells lead back.
        let size = i128::from(self.game.domains[space.index()].size);
        for _ in 0..count.abs().min(size + count.abs() % size) {
            match self.next_cell(space, ways, at, way) {
                Some(next) => at = next,
                None => return Value::None,
            }
        }
        Value::Number(at)
    }

    /// Steps between two values of a cyclic list, or two cells.
    pub(super) fn apart(&self, id: DomainId, a: i128, b: i128) -> Option<i128> {
        let domain = &self.game.domains[id.index()];
        if !matches!(domain.kind, DomainKind::Space { .. }) {
            let size = i128::from(domain.size);
            let way = (a - b).rem_euclid(size);
            return Some(way.min(size - way));
        }
        let (mut edge, mut seen, mut steps) = (BTreeSet::from([a]), BTreeSet::from([a]), 0);
        while !edge.is_empty() {
            if edge.contains(&b) {
                return Some(steps);
            }
            let next: BTreeSet<i128> = edge
                .iter()
                .flat_map(|cell| self.near(Near::Neighbours, id, *cell))
                .collect();
            edge = &next - &seen;
            seen.extend(&edge);
            steps += 1;
        }
        None
    }
}

//! What everybody notices of a block before somebody is asked.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;

use super::Analysis;
use super::sym::Sym;
use crate::model::{
    AssignOp, Expr, ExprKind, Holder, Holding, Node, Picker, Place, Stmt, StmtKind, Visibility,
    What, parts_of_expr,
};

/// So many ways that things can go on are compared.
const MOST_WAYS: usize = 32;

/// What everybody notices of a block before somebody is asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Acts {
    /// What changes for certain, such as how many things lie somewhere.
    sure: Vec<u64>,
    /// Open values that are set, and to what.
    sets: Vec<(u64, u64)>,
    /// Who is asked first.
    pub(super) asks: Option<Sym>,
    /// Whether the procedure may be left before anything of that.
    pub(super) leaves: bool,
    /// The same of a turn.
    pub(super) turns_over: bool,
    /// Whether nothing behind it happens.
    gone: bool,
}

impl Acts {
    pub(super) fn is_noticed(&self) -> bool {
        !self.sure.is_empty()
    }

    /// Of a block in which a seat is asked first.
    pub(super) fn asking(seat: Sym) -> Acts {
        Acts {
            asks: Some(seat),
            ..Acts::default()
        }
    }

    fn then(&mut self, more: Acts) {
        let unnoticed = self.sure.is_empty();
        self.leaves |= more.leaves && unnoticed;
        self.turns_over |= more.turns_over && unnoticed;
        self.sure.extend(more.sure);
        self.sets.extend(more.sets);
        self.asks = more.asks;
        self.gone = more.gone;
    }

    fn differs(&self, other: &Acts) -> bool {
        let more = |one: &Acts, other: &Acts| one.sure.iter().any(|it| !other.sure.contains(it));
        let set_otherwise = self.sets.iter().any(|(target, value)| {
            let of = |(it, to): &(u64, u64)| it == target && to != value;
            other.sets.iter().any(of)
        });
        let asks = match (&self.asks, &other.asks) {
            (Some(one), Some(other)) => one.is_told() && other.is_told() && one != other,
            _ => false,
        };
        more(self, other) || more(other, self) || set_otherwise || asks
    }

    fn asks_otherwise(&self, other: &Acts) -> bool {
        match (&self.asks, &other.asks) {
            (Some(one), Some(other)) => one.is_told() && other.is_told() && one != other,
            (None, None) => false,
            _ => true,
        }
    }
}

/// Whether everybody notices which of these ways things go.
pub(super) fn are_told(ways: &[Acts]) -> bool {
    each_pair(ways, &|one, other| one.differs(other))
}

/// Whether everybody knows which of these ways things go once somebody has been asked.
pub(super) fn are_asked(ways: &[Acts]) -> bool {
    each_pair(ways, &|one, other| one.asks_otherwise(other))
}

fn each_pair(ways: &[Acts], differ: &dyn Fn(&Acts, &Acts) -> bool) -> bool {
    ways.len() <= MOST_WAYS
        && ways.iter().enumerate().all(|(at, one)| {
            let others = ways.iter().skip(at + 1);
            others.into_iter().all(|other| differ(one, other))
        })
}

impl Analysis<'_> {
    pub(super) fn acts(&self, block: &[Stmt]) -> Acts {
        let mut acts = Acts::default();
        for stmt in block {
            if acts.asks.is_some() || acts.gone {
                break;
            }
            acts.then(self.act(stmt));
        }
        acts
    }

    /// A block, and what comes behind it if it does not leave.
    pub(super) fn acts_with(&self, block: &[Stmt], rest: &[Stmt]) -> Acts {
        let mut acts = self.acts(block);
        if acts.asks.is_none() && !acts.gone {
            acts.then(self.acts(rest));
        }
        acts
    }

    /// Whether nothing behind a block happens.
    pub(super) fn is_left(block: &[Stmt]) -> bool {
        block.last().is_some_and(|it| {
            matches!(
                it.kind,
                StmtKind::Return(_) | StmtKind::Next | StmtKind::Again | StmtKind::End(..)
            )
        })
    }

    fn act(&self, stmt: &Stmt) -> Acts {
        let mut acts = Acts::default();
        match &stmt.kind {
            StmtKind::SetTrack(id, index, op, value) => {
                let open = self.game.tracks.get(id.index());
                if open.is_some_and(|it| it.visibility == Visibility::Open) {
                    let target = hashed(&|to| {
                        (0u8, id).hash(to);
                        index.iter().for_each(|it| shape(it, to));
                    });
                    let value_shape = hashed(&|to| shape(value, to));
                    self.assigned(&mut acts, *op, target, value_shape);
                }
            }
            StmtKind::SetField(place, field, op, value) if self.is_open(place) => {
                let target = hashed(&|to| {
                    (1u8, field).hash(to);
                    shape_of(place, to);
                });
                let value = hashed(&|to| shape(value, to));
                self.assigned(&mut acts, *op, target, value);
            }
            StmtKind::Move(moved) => acts.sure.push(hashed(&|to| {
                2u8.hash(to);
                discriminant(&moved.what).hash(to);
                shape_of(&moved.to, to);
                match &moved.what {
                    What::At(place) | What::All(place) | What::Top(place, _) => {
                        shape_of(place, to);
                    }
                    What::Draw(count, place, _) => {
                        count.iter().for_each(|it| shape(it, to));
                        shape_of(place, to);
                    }
                    What::Copies(count, kind, from) => {
                        count.iter().for_each(|it| shape(it, to));
                        shape(kind, to);
                        match from {
                            Holding::Place(place) => shape_of(place, to),
                            Holding::Anywhere(zone) => zone.hash(to),
                        }
                    }
                }
            })),
            StmtKind::Exchange(one, other) => {
                let place = |it: &Holder| match it {
                    Holder::At(place) | Holder::Copy(_, place) => place.clone(),
                };
                let (one, other) = (place(one), place(other));
                if self.is_open(&one) || self.is_open(&other) {
                    acts.sure.push(hashed(&|to| {
                        3u8.hash(to);
                        shape_of(&one, to);
                        shape_of(&other, to);
                    }));
                }
            }
            StmtKind::Show(place, None) => acts.sure.push(hashed(&|to| {
                4u8.hash(to);
                shape_of(place, to);
            })),
            StmtKind::End(id, args) => {
                acts.sure.push(hashed(&|to| {
                    (5u8, id).hash(to);
                    args.iter().for_each(|it| shape(it, to));
                }));
                acts.gone = true;
            }
            StmtKind::Call(id, args) | StmtKind::CallInto(_, id, args) => {
                let Some(called) = self.procs.get(id.index()) else {
                    return acts;
                };
                if called.is_noticed {
                    acts.sure.push(hashed(&|to| {
                        (6u8, id).hash(to);
                        args.iter().for_each(|it| shape(it, to));
                    }));
                }
                let params = self.game.procs.get(id.index()).map(|it| &it.params);
                let given = |local| {
                    let at = params?.iter().position(|it| *it == local)?;
                    Some(self.sym(args.get(at)?))
                };
                let asks = called.asks.as_ref();
                acts.asks = asks.map(|it| it.with(&|local| given(local).unwrap_or(Sym::Other)));
            }
            StmtKind::Choose(choose) => acts.asks = Some(self.sym(&choose.who)),
            StmtKind::Window(window) => acts.asks = Some(self.sym(&window.who)),
            StmtKind::Pick(pick) => {
                if let Picker::Seat(who) = &pick.who {
                    acts.asks = Some(self.sym(who));
                }
            }
            StmtKind::Return(_) => (acts.leaves, acts.gone) = (true, true),
            StmtKind::Next | StmtKind::Again => (acts.turns_over, acts.gone) = (true, true),
            StmtKind::Step(_, body) => acts = self.acts(body),
            StmtKind::If(_, then, other) => {
                acts = self.either(&[then.as_slice(), other.as_slice()]);
            }
            StmtKind::Match(_, arms, other) => {
                let arms = arms.iter().map(|(_, arm)| arm.as_slice());
                let all: Vec<&[Stmt]> = arms.chain(other.as_deref()).collect();
                acts = self.either(&all);
            }
            StmtKind::ForEach(_, body) | StmtKind::While(_, body) | StmtKind::Times(_, body) => {
                acts = self.maybe(body);
            }
            StmtKind::Repeat(body, _) => {
                acts = self.maybe(body);
            }
            StmtKind::Turns(turns) => {
                acts = self.maybe(&turns.body);
                acts.turns_over = false;
            }
            _ => {}
        }
        acts
    }

    /// What a loop does: mostly it does something at all.
    fn maybe(&self, body: &[Stmt]) -> Acts {
        let mut acts = self.acts(body);
        acts.asks = acts.asks.map(|_| Sym::Other);
        acts.gone = false;
        acts.sets.clear();
        acts
    }

    fn either(&self, arms: &[&[Stmt]]) -> Acts {
        let mut ways = arms.iter().map(|it| self.acts(it));
        let mut acts = ways.next().unwrap_or_default();
        for way in ways {
            acts.leaves |= way.leaves;
            acts.turns_over |= way.turns_over;
            acts.gone &= way.gone;
            acts.sets.clear();
            if way.sure.is_empty() {
                acts.sure.clear();
            } else if !acts.sure.is_empty() {
                acts.sure.extend(way.sure);
            }
            acts.asks = match (acts.asks, way.asks) {
                (Some(one), Some(other)) if one == other => Some(one),
                (None, None) => None,
                _ => Some(Sym::Other),
            };
        }
        acts
    }

    /// To add something changes it for certain; to set it may leave it as it was.
    fn assigned(&self, acts: &mut Acts, op: AssignOp, target: u64, value: u64) {
        match op {
            AssignOp::Set => acts.sets.push((target, value)),
            AssignOp::Add | AssignOp::Sub => acts.sure.push(hashed(&|to| {
                (target, value, op == AssignOp::Add).hash(to);
            })),
        }
    }

    fn is_open(&self, place: &Place) -> bool {
        let zone = self.game.zones.get(place.zone.index());
        zone.is_some_and(|it| it.visibility == Visibility::Open)
    }
}

fn hashed(f: &dyn Fn(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    f(&mut hasher);
    hasher.finish()
}

fn shape_of(place: &Place, to: &mut DefaultHasher) {
    place.zone.hash(to);
    place.index.iter().for_each(|it| shape(it, to));
}

/// Expressions that are written alike have one shape.
fn shape(expr: &Expr, to: &mut DefaultHasher) {
    discriminant(&expr.kind).hash(to);
    match &expr.kind {
        ExprKind::Value(value) => value.hash(to),
        ExprKind::Setting(folded) => folded.value.hash(to),
        ExprKind::Local(local) => local.hash(to),
        ExprKind::Track(id, _) => id.hash(to),
        ExprKind::Table(id, _) => id.hash(to),
        ExprKind::Call(id, _) => id.hash(to),
        ExprKind::Make(id, _) => id.hash(to),
        ExprKind::Field(_, at) => at.hash(to),
        ExprKind::Unary(op, _) => op.hash(to),
        ExprKind::Binary(op, ..) => op.hash(to),
        ExprKind::Component(place)
        | ExprKind::PlaceField(place, _)
        | ExprKind::Top(place)
        | ExprKind::Count(place)
        | ExprKind::CountOf(place, _)
        | ExprKind::Kinds(place)
        | ExprKind::Filled(place) => place.zone.hash(to),
        _ => {}
    }
    parts_of_expr(expr, &mut |node| {
        if let Node::Expr(inner) = node {
            shape(inner, to);
        }
    });
}

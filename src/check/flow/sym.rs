//! Which seat or place something is, told by how it is written.

use crate::model::{BinaryOp, DefineId, Domain, Expr, ExprKind, Game, LocalId, TableId, TrackId};

/// How much may be written to name a seat or place.
const MOST_WORDS: usize = 12;

/// A value that can be told from others by how it is written: two that are equal are the same value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sym {
    Local(LocalId),
    Value(i64),
    Track(TrackId, Vec<Sym>),
    Table(TableId, Vec<Sym>),
    Define(DefineId, Vec<Sym>),
    /// So many further on, round a circle of so many.
    Beside(Box<Sym>, i64, i64),
    /// One of such a set, whichever it is.
    Member(Box<Sym>),
    /// One that cannot be told: not even the same as another such.
    Other,
}

impl Sym {
    pub(super) fn of(game: &Game, expr: &Expr) -> Sym {
        let sym = Sym::written(game, expr);
        if sym.size() > MOST_WORDS {
            Sym::Other
        } else {
            sym
        }
    }

    fn written(game: &Game, expr: &Expr) -> Sym {
        let all = |index: &[Expr]| index.iter().map(|it| Sym::of(game, it)).collect();
        match &expr.kind {
            ExprKind::Local(local) => Sym::Local(*local),
            ExprKind::Value(value) => Sym::Value(*value),
            ExprKind::Setting(folded) => Sym::Value(folded.value),
            ExprKind::Track(id, index) => Sym::Track(*id, all(index)),
            ExprKind::Table(id, index) => Sym::Table(*id, all(index)),
            ExprKind::Call(id, args) => Sym::of_define(game, *id, all(args)),
            ExprKind::Binary(op @ (BinaryOp::CycleAdd | BinaryOp::CycleSub), from, steps) => {
                let size = match expr.ty.base {
                    crate::model::Base::Elem(domain) => game.domains.get(domain.index()),
                    _ => None,
                };
                let size = size.and_then(|it: &Domain| i64::try_from(it.size).ok());
                match (Sym::of(game, steps), size) {
                    (Sym::Value(steps), Some(size)) if size > 0 && steps.abs() < size * 2 => {
                        let sign = if *op == BinaryOp::CycleAdd { 1 } else { -1 };
                        Sym::of(game, from).beside(sign * steps, size)
                    }
                    _ => Sym::Other,
                }
            }
            _ => Sym::Other,
        }
    }

    /// What a definition of a place beside another one says; any other is known by its name.
    fn of_define(game: &Game, id: DefineId, args: Vec<Sym>) -> Sym {
        let define = game.defines.get(id.index()).filter(|it| it.depth == 0);
        let beside = define.and_then(|it| match &it.body.kind {
            ExprKind::Binary(BinaryOp::CycleAdd | BinaryOp::CycleSub, from, _) => {
                let ExprKind::Local(of) = from.kind else {
                    return None;
                };
                let at = it.params.iter().position(|param| *param == of)?;
                match Sym::written(game, &it.body) {
                    Sym::Other => None,
                    sym => Some(sym.with(&|_| args.get(at).cloned().unwrap_or(Sym::Other))),
                }
            }
            _ => None,
        });
        beside.unwrap_or(Sym::Define(id, args))
    }

    pub(super) fn beside(self, steps: i64, size: i64) -> Sym {
        match self {
            Sym::Value(value) => Sym::Value((value + steps).rem_euclid(size)),
            Sym::Beside(from, more, round) if round == size => from.beside(steps + more, size),
            from => match steps.rem_euclid(size) {
                0 => from,
                steps => Sym::Beside(Box::new(from), steps, size),
            },
        }
    }

    /// Any one of a set; of one that cannot be told it is one that cannot be told.
    pub(super) fn member(set: Sym) -> Sym {
        match set.is_told() {
            true => Sym::Member(Box::new(set)),
            false => Sym::Other,
        }
    }

    /// Puts what `f` gives in the places of the locals.
    pub(super) fn with(&self, f: &dyn Fn(LocalId) -> Sym) -> Sym {
        let sym = self.replaced(f);
        if sym.size() > MOST_WORDS {
            Sym::Other
        } else {
            sym
        }
    }

    fn replaced(&self, f: &dyn Fn(LocalId) -> Sym) -> Sym {
        let all = |inner: &[Sym]| inner.iter().map(|it| it.replaced(f)).collect();
        match self {
            Sym::Local(local) => f(*local),
            Sym::Track(id, inner) => Sym::Track(*id, all(inner)),
            Sym::Table(id, inner) => Sym::Table(*id, all(inner)),
            Sym::Define(id, inner) => Sym::Define(*id, all(inner)),
            Sym::Beside(from, steps, size) => from.replaced(f).beside(*steps, *size),
            Sym::Member(set) => Sym::member(set.replaced(f)),
            Sym::Value(_) | Sym::Other => self.clone(),
        }
    }

    /// Whether both are the same for certain.
    pub(super) fn is(&self, other: &Sym) -> bool {
        self == other && self.is_told()
    }

    /// Whether what holds of each that this may be holds of the other.
    pub(super) fn is_all_of(&self, other: &Sym) -> bool {
        match (self, other) {
            (Sym::Member(one), Sym::Member(other)) => one.is(other),
            _ => self.is(other),
        }
    }

    /// Whether both are different for certain.
    pub(super) fn is_not(&self, other: &Sym) -> bool {
        match (self, other) {
            (Sym::Value(one), Sym::Value(other)) => one != other,
            (Sym::Beside(from, ..), other) | (other, Sym::Beside(from, ..)) => from.is(other),
            _ => false,
        }
    }

    /// Whether it can be told which one it is.
    pub(super) fn is_told(&self) -> bool {
        !self.any(&|it| matches!(it, Sym::Other | Sym::Member(_)))
    }

    /// Whether it, or what it is made of, is such.
    pub(super) fn any(&self, is_such: &dyn Fn(&Sym) -> bool) -> bool {
        is_such(self)
            || match self {
                Sym::Track(_, inner) | Sym::Table(_, inner) | Sym::Define(_, inner) => {
                    inner.iter().any(|it| it.any(is_such))
                }
                Sym::Beside(from, ..) | Sym::Member(from) => from.any(is_such),
                Sym::Local(_) | Sym::Value(_) | Sym::Other => false,
            }
    }

    fn size(&self) -> usize {
        match self {
            Sym::Track(_, inner) | Sym::Table(_, inner) | Sym::Define(_, inner) => {
                1 + inner.iter().map(Sym::size).sum::<usize>()
            }
            Sym::Beside(from, ..) | Sym::Member(from) => 1 + from.size(),
            Sym::Local(_) | Sym::Value(_) | Sym::Other => 1,
        }
    }
}

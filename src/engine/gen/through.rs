//! Conditions on `f(x)`, `f` in a table: what holds of `y`, and then which `x` lead there.

use std::mem::discriminant;

use super::facts::{Facts, filled};
use super::inline::mentions;
use super::mask::{Plan, is_local};
use super::structure::{alike, same};
use super::tables::Tabled;
use super::{Gen, Shared};
use crate::engine::layout::words_for;
use crate::engine::op::{MOST_GATHERED, Reg};
use crate::model::{
    Base, BinaryOp, Domain, DomainId, DomainKind, Expr, ExprKind, LocalId, NONE, Node, NodeMut,
    Place, Type, UnaryOp, change, each_in_expr, locals_of,
};

/// How many elements lead to each number at least, where all numbers are asked for.
const FEWER: u64 = 4;

/// A condition on what a table leads to.
#[derive(Clone, Debug)]
pub(super) struct Through {
    /// Stands for what the table leads to.
    pub local: LocalId,
    pub domain: DomainId,
    /// What is asked of it.
    pub cond: Expr,
    pub plan: Plan,
    pub table: Tabled,
    /// What the table holds, if it is written somewhere.
    pub step: Option<Expr>,
    /// Has to be there for each element that is asked, because the condition might be met where it leads nowhere.
    pub needed: Option<Expr>,
}

impl Gen<'_, '_> {
    /// How to get the elements of which a condition speaks only by way of one place that they lead to, and which
    /// is not met where they lead nowhere.
    pub(super) fn through_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let through = self.through(cond, x, domain, false)?;
        Some(Plan::Through(Box::new(through)))
    }

    /// The same where it might be met there: only elements that lead somewhere may be asked.
    pub(super) fn through_there(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
    ) -> Option<Plan> {
        let through = self.through(cond, x, domain, true)?;
        Some(Plan::Through(Box::new(through)))
    }

    fn through(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
        is_last: bool,
    ) -> Option<Through> {
        self.led_to(cond, x)
            .into_iter()
            .chain(is_last.then(|| field_of(cond, x)).flatten())
            .find_map(|step| self.through_step(cond, step, x, domain, is_last))
            .or_else(|| {
                let (joined, place) = self.joined_place(cond, x)?;
                self.through_step(&joined, place, x, domain, is_last)
            })
    }

    /// `z[a, x]` with its place as one value.
    fn joined_place(&self, cond: &Expr, x: LocalId) -> Option<(Expr, Expr)> {
        let (mut found, mut bound) = (None, Vec::new());
        each_in_expr(cond, &mut |node| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(expr) if found.is_none() => found = self.place_in(expr, x),
            _ => {}
        });
        let place = found.or_else(|| self.place_in(cond, x))?;
        let mut joined = cond.clone();
        self.join_places(&mut joined, &place);
        (!mentions(&place, &bound)).then_some((joined, place))
    }

    fn place_in(&self, expr: &Expr, x: LocalId) -> Option<Expr> {
        let (index, declared) = self.several_indices(&expr.kind)?;
        let fits = |(at, domain): (&Expr, &DomainId)| !self.may_lie_outside(at, *domain);
        let is_meant = index.iter().any(|it| mentions(it, &[x]));
        if !is_meant || !index.iter().zip(declared).all(fits) {
            return None;
        }
        let product = self.shared.product_of(declared)?;
        Some(Expr {
            kind: ExprKind::Make(product, index.to_vec()),
            ty: Type::of(Base::Elem(product)),
            span: expr.span,
        })
    }

    /// The indices of what is looked at by several of them, and over what these are.
    fn several_indices<'e>(&'e self, kind: &'e ExprKind) -> Option<(&'e [Expr], &'e [DomainId])> {
        let game = self.shared.game;
        let (index, declared) = match kind {
            ExprKind::Track(track, index) => {
                (index.as_slice(), &game.tracks.get(track.index())?.index)
            }
            _ => {
                let place = kind.place()?;
                let zone = game.zones.get(place.zone.index())?;
                (place.index.as_slice(), &zone.index)
            }
        };
        (index.len() > 1 && index.len() == declared.len()).then_some((index, declared))
    }

    fn join_places(&self, expr: &mut Expr, place: &Expr) {
        if let (Some((index, declared)), ExprKind::Make(product, args)) =
            (self.several_indices(&expr.kind), &place.kind)
            && self.shared.product_of(declared) == Some(*product)
            && index.iter().zip(args).all(|(one, other)| same(one, other))
            && let Some(index) = index_mut(&mut expr.kind)
        {
            *index = vec![place.clone()];
            return;
        }
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.join_places(part, place);
            }
        });
    }

    /// What is known of the place that a step leads to.
    pub(super) fn learn_led(&self, through: &Through, facts: &mut Facts) {
        let Some(step) = &through.step else { return };
        let mut known = Vec::new();
        each_in_expr(&through.cond, &mut |node| {
            let Node::Expr(expr) = node else { return };
            let Some(place) = expr.kind.place() else {
                return;
            };
            if !matches!(place.index.as_slice(), [index] if is_local(index, through.local)) {
                return;
            }
            let index = match &step.kind {
                ExprKind::Make(of, args) if self.zone_index(place.zone).len() > 1 => {
                    debug_assert_eq!(self.place_index(place), [*of]);
                    args.clone()
                }
                _ => vec![step.clone()],
            };
            let zone = place.zone;
            if facts.has(&filled(&Place { zone, index })) {
                known.push(filled(place));
            }
        });
        facts.0.extend(known);
    }

    fn through_step(
        &mut self,
        cond: &Expr,
        step: Expr,
        x: LocalId,
        domain: DomainId,
        is_last: bool,
    ) -> Option<Through> {
        let (over, led) = self.led_among(&step)?;
        let fits = self.is_gathered(domain);
        // Which of several boards is meant may hang on the position.
        let is_joined = self.shared.is_product(over);
        if !fits || self.is_parts(over) || !is_joined && self.shared.reads_state(&step) {
            return None;
        }
        let ty = Type::of(step.ty.base);
        let local = self.shared.new_local(ty);
        let mut inner = cond.clone();
        put(&mut inner, &step, local, ty);
        if mentions(&inner, &[x]) {
            return None;
        }
        let needed = step.ty.optional && !is_nowhere(&inner, local);
        if needed && !is_last {
            return None;
        }
        let table = self.by_last(&led, x, domain)?;
        let plan = self
            .plan(&inner, local, over)
            .or_else(|| self.one_by_one(&inner, local, [over, domain], is_last))?;
        Some(Through {
            local,
            domain: over,
            cond: inner,
            plan,
            table,
            needed: needed.then(|| step.clone()),
            step: Some(step),
        })
    }

    /// What is asked of few values that many elements lead to, asked of one after the other.
    fn one_by_one(
        &mut self,
        cond: &Expr,
        local: LocalId,
        [over, domain]: [DomainId; 2],
        is_last: bool,
    ) -> Option<Plan> {
        // For each value of a variable that is not known yet others would be asked.
        let is_number = matches!(self.shared.local_type(local).base, Base::Int(..));
        let mut own = vec![local];
        each_in_expr(cond, &mut |node| {
            if let Node::Binds(local) = node {
                own.push(local);
            }
        });
        let mut known = locals_of(cond).into_iter();
        let is_known = is_last && known.all(|it| own.contains(&it) || self.is_bound(it));
        if !is_number && !is_known {
            return None;
        }
        let are_few = self.domain_size(over).saturating_mul(FEWER) <= self.domain_size(domain);
        let members = self.collect(cond, local, over, local);
        are_few.then_some(Plan::Member(members))
    }

    /// What a step leads to a member of, and which one of these that is, counted from 0.
    fn led_among(&self, step: &Expr) -> Option<(DomainId, Expr)> {
        match step.ty.base {
            Base::Elem(over) => (self.domain_lo(over) == 0).then(|| (over, step.clone())),
            Base::Int(lo, hi) if !step.ty.optional => {
                let over = self.shared.range(lo, hi)?;
                let first = Box::new(Expr::number(lo, step.span));
                let led = ExprKind::Binary(BinaryOp::Sub, Box::new(step.clone()), first);
                let ty = Type::of(Base::Int(0, hi.checked_sub(lo)?));
                Some((over, Expr::new(led, ty, step.span)))
            }
            _ => None,
        }
    }

    /// The step, what else is made of an element, and the first of what comes of it without a look at the table, by any
    /// of which a condition may speak of it alone.
    fn led_to(&self, cond: &Expr, x: LocalId) -> Vec<Expr> {
        let (mut step, mut made, mut part, mut any) = (None, None, None, None);
        let mut bound = Vec::new();
        each_in_expr(cond, &mut |node| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(expr) => {
                let found = match expr.kind {
                    _ if !matches!(expr.ty.base, Base::Elem(_)) => return,
                    ExprKind::Step { .. } => &mut step,
                    ExprKind::Make(..) => &mut made,
                    ExprKind::Table(..) | ExprKind::Call(..) => &mut part,
                    ExprKind::Let(..) | ExprKind::If(..) | ExprKind::Match(..) => &mut any,
                    _ => return,
                };
                if found.is_none() && mentions(expr, &[x]) {
                    *found = Some(expr);
                }
            }
            Node::Stmt(_) => {}
        });
        let found = [step.or(made).or(part), any].into_iter().flatten();
        let found = found.filter(|it| {
            let mut others = bound.clone();
            each_in_expr(it, &mut |node| {
                if let Node::Binds(own) = node {
                    others.retain(|local| *local != own);
                }
            });
            !mentions(it, &others)
        });
        found.cloned().collect()
    }

    /// Whether sets of elements are gathered from where these lead.
    pub(super) fn is_gathered(&self, domain: DomainId) -> bool {
        usize::from(words_for(self.domain_size(domain))) <= MOST_GATHERED
    }

    pub(super) fn through_mask(
        &mut self,
        through: &Through,
        domain: DomainId,
        within: Option<Reg>,
    ) -> Reg {
        let rows = self.collect(&through.cond, through.local, through.domain, through.local);
        let known = self.reached.iter().flatten();
        let mut known = known.filter(|(other, _)| alike(other, &rows));
        let filled = match known.next().map(|(_, mask)| *mask) {
            Some(mask) => mask,
            None => {
                let mask = self.mask(&through.plan, through.domain, None);
                self.reached
                    .iter_mut()
                    .for_each(|it| it.push((rows.clone(), mask)));
                mask
            }
        };
        self.leading_to(filled, through.domain, &through.table, domain, within)
    }
}

/// What an element has, `q.row`, by which a condition may speak of it alone.
fn field_of(cond: &Expr, x: LocalId) -> Option<Expr> {
    let mut found = None;
    let is_it = |it: &Expr| matches!(&it.kind, ExprKind::Field(of, _) if is_local(of, x));
    each_in_expr(cond, &mut |node| {
        if let Node::Expr(it) = node
            && is_it(it)
        {
            found.get_or_insert_with(|| it.clone());
        }
    });
    found
}

fn index_mut(kind: &mut ExprKind) -> Option<&mut Vec<Expr>> {
    match kind {
        ExprKind::Track(_, index) => Some(index),
        ExprKind::Component(place)
        | ExprKind::PlaceField(place, _)
        | ExprKind::Top(place)
        | ExprKind::Nth(place, _)
        | ExprKind::Count(place)
        | ExprKind::CountOf(place, _)
        | ExprKind::Kinds(place)
        | ExprKind::Filled(place) => Some(&mut place.index),
        _ => None,
    }
}

/// Writes a variable for each such step.
pub(super) fn put(expr: &mut Expr, step: &Expr, local: LocalId, ty: Type) {
    if discriminant(&expr.kind) == discriminant(&step.kind) && same(expr, step) {
        expr.kind = ExprKind::Local(local);
        expr.ty = ty;
        return;
    }
    change::parts_of_expr(expr, &mut |node| {
        if let NodeMut::Expr(part) = node {
            put(part, step, local, ty);
        }
    });
}

impl Shared<'_> {
    /// The domain of the numbers from one to another.
    fn range(&self, lo: i64, hi: i64) -> Option<DomainId> {
        let mut domains = self.game.domains.iter().zip(0..);
        let is_it = |it: &Domain| {
            let last = it.lo.checked_add_unsigned(it.size);
            matches!(it.kind, DomainKind::Range) && it.lo == lo && last == hi.checked_add(1)
        };
        domains.find_map(|(it, id)| is_it(it).then_some(DomainId(id)))
    }

    /// The same, whatever names are bound in them.
    pub(super) fn put_alike(&self, expr: &mut Expr, place: &Expr, local: LocalId, ty: Type) {
        if discriminant(&expr.kind) == discriminant(&place.kind) && alike(expr, place) {
            expr.kind = ExprKind::Local(local);
            expr.ty = ty;
            return;
        }
        change::parts_of_expr(expr, &mut |node| {
            if let NodeMut::Expr(part) = node {
                self.put_alike(part, place, local, ty);
            }
        });
    }
}

/// Whether a condition is not met, and nothing faults, where a place is not there: nothing lies nowhere.
pub(super) fn is_nowhere(cond: &Expr, place: LocalId) -> bool {
    let lies_there = |it: &Expr| match &it.kind {
        ExprKind::Component(at) => at.index.iter().any(|it| is_local(it, place)),
        _ => false,
    };
    match &cond.kind {
        ExprKind::Binary(BinaryOp::Eq, left, right) => {
            let is_it = |it: &Expr| lies_there(it) || is_local(it, place);
            is_it(left) && !right.ty.optional || is_it(right) && !left.ty.optional
        }
        // What comes first decides.
        ExprKind::Binary(BinaryOp::And, left, _) => is_nowhere(left, place),
        ExprKind::Filled(at) => at.index.iter().any(|it| is_local(it, place)),
        ExprKind::Unary(UnaryOp::IsSome, part) => is_local(part, place),
        ExprKind::Binary(BinaryOp::Ne, one, none) => {
            is_local(one, place) && matches!(none.kind, ExprKind::Value(NONE))
        }
        // Of a kind that is not there nothing lies anywhere, and nowhere anything.
        ExprKind::Binary(BinaryOp::Gt | BinaryOp::Ge, left, right) => {
            let least = match (&cond.kind, &right.kind) {
                (ExprKind::Binary(BinaryOp::Gt, ..), ExprKind::Value(0)) => true,
                (_, ExprKind::Value(least)) => *least > 0,
                _ => false,
            };
            let is_of = |it: &Expr| is_local(it, place);
            least
                && match &left.kind {
                    ExprKind::CountOf(at, kind) => match at.index.as_slice() {
                        [index] if is_of(index) => !mentions(kind, &[place]),
                        others => is_of(kind) && !others.iter().any(|it| mentions(it, &[place])),
                    },
                    ExprKind::Count(at) => {
                        matches!(at.index.as_slice(), [index] if is_of(index))
                    }
                    _ => false,
                }
        }
        ExprKind::Binary(BinaryOp::In, one, set) => {
            is_local(one, place) && !mentions(set, &[place])
        }
        _ => false,
    }
}

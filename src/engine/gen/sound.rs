//! Lowering that keeps faults: what is worked out for many elements at once, or before any asks for
//! it, faults where and only where the rules as they are written do.

use super::Gen;
use super::facts::{Facts, element, filled, laid, there};
use super::func::Label;
use super::inline::mentions;
use super::mask::Plan;
use super::sure::within;
use super::tables::{Tabled, is_scalar};
use crate::model::{
    BinaryOp, DomainId, Expr, ExprKind, LocalId, Node, Place, UnaryOp, ZoneId, each_in_expr,
};

impl Gen<'_, '_> {
    /// Writes code that is reached only where a condition holds, or where it does not.
    pub(super) fn knowing(&mut self, cond: &Expr, holds: bool, write: impl FnOnce(&mut Self)) {
        let mark = self.facts.mark();
        let mut facts = std::mem::take(&mut self.facts);
        self.learn(cond, holds, &mut facts);
        self.facts = facts;
        write(self);
        self.facts.release(mark);
    }

    /// Whether working an expression out here surely comes to a value.
    pub(super) fn sure_here(&mut self, expr: &Expr) -> bool {
        let mut facts = std::mem::take(&mut self.facts);
        let sure = self.sure(expr, &mut facts);
        self.facts = facts;
        sure
    }

    /// An expression as a table, where no fault gets lost by that.
    pub(super) fn sure_table(&mut self, expr: &Expr, last: &[LocalId]) -> Option<Tabled> {
        let mut facts = std::mem::take(&mut self.facts);
        let table = self.table_for(expr, last, &mut facts);
        self.facts = facts;
        table
    }

    /// The same; the locals in `last` are not bound yet, but `facts` say what is known of them.
    pub(super) fn table_for(
        &mut self,
        expr: &Expr,
        last: &[LocalId],
        facts: &mut Facts,
    ) -> Option<Tabled> {
        let table = self.shared.tabled(expr, last)?;
        let kept = self.inputs_sure(&table) && (!table.faults || self.sure(expr, facts));
        kept.then_some(table)
    }

    pub(super) fn inputs_sure(&mut self, table: &Tabled) -> bool {
        table.inputs.iter().all(|input| self.sure_here(&input.expr))
    }

    /// How to get the set of elements for which a condition holds, where no fault gets lost and none
    /// comes up: `early` is known where the set is worked out, `facts` where an element is asked.
    pub(super) fn sound_plan(
        &mut self,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
        early: &mut Facts,
        facts: &mut Facts,
    ) -> Option<Plan> {
        let known = self.plan(cond, x, domain);
        let is_known = known.is_some();
        let plan = known.or_else(|| self.filled_plan(cond, x, domain))?;
        let sound = self.early(&plan, early) && self.exact(&plan, cond, x, domain, facts);
        if !sound && is_known {
            self.note_unguarded(cond, facts);
        }
        sound.then_some(plan)
    }

    /// Whether all that a set is worked out from has a value, even if no element asks for it.
    pub(super) fn early(&mut self, plan: &Plan, facts: &mut Facts) -> bool {
        match plan {
            Plan::Filled(_) | Plan::Kept(_) | Plan::Open(_) => true,
            Plan::Member(expr)
            | Plan::Kind(_, expr)
            | Plan::Field(_, _, expr)
            | Plan::Held(_, expr)
            | Plan::Is(expr)
            | Plan::Fixed(expr) => self.sure(expr, facts),
            Plan::Row(table) | Plan::KindIn(_, table) | Plan::KindAt(_, table) => {
                self.inputs_early(table, facts)
            }
            Plan::Preimage(part, _, table) => {
                self.early(part, facts) && self.inputs_early(table, facts)
            }
            Plan::Related(related) => self.related_early(related, facts),
            Plan::Flood(flood) => self.flood_early(flood, facts),
            Plan::Lined(lined) => self.early(&lined.cells.2, facts),
            Plan::Behind(behind) => {
                let parts = [&behind.run.2, &behind.end.2];
                self.sure(&behind.way, facts) && parts.iter().all(|it| self.early(it, facts))
            }
            Plan::Through(through) => {
                self.early(&through.plan, facts) && self.inputs_early(&through.table, facts)
            }
            Plan::Holds(holds) => holds.kind.as_ref().is_none_or(|it| self.sure(it, facts)),
            Plan::Weighed(weighed) => self.weighed_early(weighed, facts),
            Plan::Lane(_, values) => values.exprs().iter().all(|it| self.sure(it, facts)),
            Plan::Choice(parts) => parts.iter().all(|it| self.early(it, facts)),
            Plan::Any(parts) => parts.iter().all(|(_, it)| self.early(it, facts)),
            Plan::Several(several) => several.parts.iter().all(|(_, it)| self.early(it, facts)),
            Plan::Said(said) => self.early(&said.1, facts),
            Plan::Not(part) => self.early(part, facts),
            Plan::And(left, right) | Plan::Or(left, right) => {
                self.early(left, facts) && self.early(right, facts)
            }
        }
    }

    fn inputs_early(&mut self, table: &Tabled, facts: &mut Facts) -> bool {
        table.inputs.iter().all(|it| self.sure(&it.expr, facts))
    }

    /// Whether the set has the right answer for each element that may be asked, faults included.
    pub(super) fn exact(
        &mut self,
        plan: &Plan,
        cond: &Expr,
        x: LocalId,
        domain: DomainId,
        facts: &mut Facts,
    ) -> bool {
        let one = Expr {
            ty: self.shared.local_type(x),
            ..element(x, domain)
        };
        let lies_there = |zone: ZoneId, facts: &Facts| {
            let index = vec![one.clone()];
            facts.has(&filled(&Place { zone, index }))
        };
        match (plan, &cond.kind) {
            (
                Plan::Member(_)
                | Plan::Filled(_)
                | Plan::Kind(..)
                | Plan::Held(..)
                | Plan::Is(_)
                | Plan::Lane(..)
                | Plan::Holds(_)
                | Plan::Fixed(_),
                _,
            ) => true,
            // Nothing is said of an empty place, and nothing is kept of what is not laid.
            (Plan::Field(zone, ..), _) => lies_there(*zone, facts),
            (Plan::KindIn(zone, table) | Plan::KindAt(zone, table), _) => {
                lies_there(*zone, facts) && (!table.faults || self.sure(cond, facts))
            }
            (Plan::Kept(kept), _) => {
                let faults = self.shared.faulty_kept.contains(kept);
                facts.has(&laid(&one)) && (!faults || self.sure(cond, facts))
            }
            (Plan::Flood(flood), _) => self.flood_exact(flood, domain, facts),
            (Plan::Lined(lined), _) => {
                let (x, cond, plan) = &lined.cells;
                self.exact(plan, cond, *x, domain, facts)
            }
            (Plan::Behind(behind), _) => self.behind_exact(behind, domain, facts),
            (Plan::Through(through), _) => {
                let (cond, y) = (&through.cond, through.local);
                let leads = through
                    .needed
                    .as_ref()
                    .is_none_or(|it| facts.has(&there(it)));
                let mark = facts.mark();
                self.learn_led(through, facts);
                let exact = self.exact(&through.plan, cond, y, through.domain, facts);
                facts.release(mark);
                leads && !through.table.faults && exact
            }
            (Plan::Related(related), _) => self.related_exact(related, facts),
            (Plan::Weighed(weighed), _) => self.weighed_exact(weighed, facts),
            (Plan::Open(_), _) => facts.has(&laid(&one)),
            (Plan::Row(table) | Plan::Preimage(_, _, table), _) => {
                !table.faults || self.sure(cond, facts)
            }
            (Plan::Said(said), _) => {
                let (said, plan) = &**said;
                self.sure(cond, facts) && self.exact(plan, said, x, domain, facts)
            }
            (Plan::Not(part), ExprKind::Unary(UnaryOp::Not, cond)) => {
                self.exact(part, cond, x, domain, facts)
            }
            (Plan::Not(part), _) => self.exact(part, cond, x, domain, facts),
            (
                Plan::And(one, other) | Plan::Or(one, other),
                ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right),
            ) => {
                if !self.exact(one, left, x, domain, facts) {
                    return false;
                }
                // The second is asked only where the first does not decide.
                let mark = facts.mark();
                self.learn(left, *op == BinaryOp::And, facts);
                let exact = self.exact(other, right, x, domain, facts);
                facts.release(mark);
                exact
            }
            (Plan::Choice(parts), ExprKind::If(cond, then, other)) => {
                let [which, yes, no] = &**parts;
                let mut exact = self.exact(which, cond, x, domain, facts);
                for (plan, asked, holds) in [(yes, then, true), (no, other, false)] {
                    let mark = facts.mark();
                    self.learn(cond, holds, facts);
                    exact = exact && self.exact(plan, asked, x, domain, facts);
                    facts.release(mark);
                }
                exact
            }
            // What has a name is worked out first.
            (Plan::Any(_), ExprKind::Let(local, value, _))
                if !self.is_one(*local, value, facts) =>
            {
                false
            }
            (Plan::Several(several), _) => {
                let mut parts = several.parts.iter();
                parts.all(|(asked, plan)| self.exact(plan, asked, x, domain, facts))
            }
            (Plan::Any(parts), _) => {
                let mut parts = parts.iter();
                parts.all(|(asked, plan)| self.exact(plan, asked, x, domain, facts))
            }
            (Plan::And(..) | Plan::Or(..) | Plan::Choice(_), _) => false,
        }
    }
}

impl Gen<'_, '_> {
    /// Whether what is put into a local surely is one of its values.
    pub(super) fn is_one(&mut self, local: LocalId, value: &Expr, facts: &mut Facts) -> bool {
        let ty = self.shared.local_type(local);
        let fits = within(value.ty, ty) && (ty.optional || self.is_there(value, facts));
        self.sure(value, facts) && (fits || !is_scalar(ty))
    }

    /// Conditions that something is there, known before some loops, of which conditions in these loops read more than whether it
    /// is: what lies at a place or on a pile, a track that may be none.
    pub(super) fn needed(&mut self, conds: &[&Expr], locals: &[LocalId]) -> Vec<Expr> {
        let mut bound = locals.to_vec();
        let mut asked: Vec<Expr> = Vec::new();
        let mut note = |node: Node<'_>| match node {
            Node::Binds(local) => bound.push(local),
            Node::Expr(expr) => match &expr.kind {
                ExprKind::Field(base, _) => asked.extend(asked_of(base)),
                ExprKind::Call(_, args) => asked.extend(args.iter().filter_map(asked_of)),
                ExprKind::Let(local, value, _) if !self.shared.local_type(*local).optional => {
                    asked.extend(asked_of(value));
                }
                ExprKind::Binary(op, left, right) if op.needs_both() => {
                    asked.extend([left, right].into_iter().filter_map(|it| asked_of(it)));
                }
                _ => {}
            },
            Node::Stmt(_) => {}
        };
        for cond in conds {
            note(Node::Expr(cond));
            each_in_expr(cond, &mut note);
        }
        let mut needed: Vec<Expr> = Vec::new();
        for expr in asked {
            let new = !needed.iter().any(|other| there(other) == there(&expr));
            if new && !mentions(&expr, &bound) && self.sure_here(&expr) {
                needed.push(expr);
            }
        }
        needed
    }

    /// Jumps where all of these conditions hold.
    pub(super) fn jump_if_filled(&mut self, needed: &[Expr], to: Label) {
        let other = self.label();
        for (at, cond) in needed.iter().enumerate() {
            if at + 1 < needed.len() {
                self.cond(cond, false, other);
            } else {
                self.cond(cond, true, to);
            }
        }
        self.bind(other);
    }
}

/// Whether something is there that is read.
fn asked_of(part: &Expr) -> Option<Expr> {
    let kind = match &part.kind {
        ExprKind::Component(place) => ExprKind::Filled(place.clone()),
        ExprKind::Top(_) | ExprKind::Nth(..) | ExprKind::Track(..) if part.ty.optional => {
            ExprKind::unary(UnaryOp::IsSome, part.clone())
        }
        _ => return None,
    };
    Some(Expr::truth(kind, part.span))
}

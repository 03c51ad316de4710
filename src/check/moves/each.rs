//! `move all of Z where P to …`, `move all of S from Z to …`.

use super::{statement, when};
use crate::check::scope::Binding;
use crate::check::thing::Thing;
use crate::check::{Checked, Checker, Reported};
use crate::diagnostic::codes;
use crate::model::{
    Binder, Expr, ExprKind, Holding, Move, Over, Place, Stmt, StmtKind, Type, UnaryOp, What,
    ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// `move all of Z where P to …` and `move all of S from Z to …`: one move for each.
    pub(super) fn move_each(
        &mut self,
        it: &ast::Move,
        (what, from, condition): (&ast::Expr, Option<&ast::Expr>, Option<&ast::Expr>),
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let mut to = self.place(&it.to)?;
        self.effect_allowed(what.span)?;
        // Where they go is asked once, before any has gone.
        self.settle_index(&mut to, span, out);
        let with = self.with_fields(it, &to)?;
        let some = |amount: Option<Expr>, kind: Expr, from: &Place| {
            let what = What::Copies(amount, kind, Holding::Place(from.clone()));
            let (to, with) = (to.clone(), with.clone());
            statement(StmtKind::Move(Move::new(what, to, with)), span)
        };
        let one = |kind: Expr, from: &Place| some(None, kind, from);
        let component = self.component_type(&to);
        let thing = match self.members_named(what) {
            Some(_) => None,
            None => Some(self.thing(what, None)?),
        };
        let (mut places, mut lies_at) = (Vec::new(), None);
        match (&thing, from) {
            (Some(Thing::Place(place)), None) => lies_at = Some(place.clone()),
            (Some(Thing::Family(family)), None) => {
                let mut family = family.clone();
                self.settle_family(&mut family, span, out);
                let (binders, place) = self.each_in(&family, span);
                (places, lies_at) = (binders, Some(place));
            }
            _ => {}
        }
        if let Some(place) = &lies_at {
            self.same_component(self.component_type(place), &to, what.span)?;
            let local = self.fresh("it", component, what.span);
            let guard = self.picked_out(self.local(local, what.span), condition)?;
            let binder = Binder::over(local, Over::Zone(place.clone())).guarded(guard);
            let kind = self.local(local, what.span);
            let many = self.may_hold_copies(&binder.over)
                || self.zone_kind(place) != ZoneKind::One && self.zone_kind(&to) == ZoneKind::Pile;
            let amount = many.then(|| self.copies_at(place, kind.clone(), what.span));
            let body = vec![some(amount, kind, place)];
            places.push(binder);
            out.push(statement(StmtKind::ForEach(places, body), span));
            return Ok(());
        }
        let Some(from) = from else {
            return Err(self.complain(
                codes::NOT_A_PLACE,
                what.span,
                "nothing says where they lie",
                "write `move all of … from ZONE to …`",
            ));
        };
        let from = self.place(from)?;
        if let Some(members) = self.members_named(what) {
            for member in members {
                let there = member.clone().with_type(Type::of(member.ty.base));
                self.same_component(there.ty, &to, what.span)?;
                let guard = self.picked_out(there.clone(), condition)?;
                let mut moved = vec![one(there, &from)];
                if let Some(guard) = guard {
                    moved = vec![when(guard, moved, Vec::new(), span)];
                }
                if member.ty.optional {
                    let is_there = Expr::truth(ExprKind::unary(UnaryOp::IsSome, member), what.span);
                    moved = vec![when(is_there, moved, Vec::new(), span)];
                }
                out.extend(moved);
            }
            return Ok(());
        }
        let set = match thing {
            Some(thing) => self.as_value(thing, None, what.span)?,
            None => return Err(Reported),
        };
        let binder = self.binder_over_set(set)?;
        let kind = self.kind_of(self.local(binder.local, what.span));
        self.same_component(kind.ty, &to, what.span)?;
        let guard = self.picked_out(kind.clone(), condition)?;
        let body = vec![one(kind, &from)];
        let binder = binder.guarded(guard);
        out.push(statement(StmtKind::ForEach(vec![binder], body), span));
        Ok(())
    }

    /// The condition of `move all of … where …`, asked of one that is called `it`.
    fn picked_out(&mut self, it: Expr, condition: Option<&ast::Expr>) -> Checked<Option<Expr>> {
        let Some(condition) = condition else {
            return Ok(None);
        };
        self.scoped(|this| {
            this.body.locals.push(("it".to_owned(), Binding::Alias(it)));
            this.condition(condition).map(Some)
        })
    }
}

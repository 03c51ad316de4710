//! `move all of field[S] to …`: what lies in several places, each of which holds one.

use crate::model::{
    Base, Binder, Expr, ExprKind, Move, Place, Stmt, StmtKind, Type, What, ZoneId, ZoneKind,
};
use crate::source::Span;
use crate::syntax::ast;

use super::family::Family;
use super::moves::statement;
use super::signs::is_drawn;
use super::thing::Thing;
use super::{Checked, Checker, Reported};

impl Checker<'_> {
    /// How one runs through all that lies in a zone of many places: `p in Cell, x in lying[p]`.
    pub(super) fn lying_anywhere(&self, family: &Family) -> String {
        let name = self.family_name(family);
        let domains = self.rest_of(family);
        let binders: Vec<(String, String)> = domains
            .iter()
            .zip('p'..='w')
            .map(|(domain, letter)| {
                let of = self.domain(*domain).map_or("", |it| it.name.as_str());
                (letter.to_string(), of.to_owned())
            })
            .collect();
        let through: Vec<String> = binders
            .iter()
            .map(|(it, of)| format!("{it} in {of}"))
            .collect();
        let given = family.given.iter().map(|_| "…");
        let index: Vec<&str> = given
            .chain(binders.iter().map(|(it, _)| it.as_str()))
            .collect();
        format!("{}, x in {name}[{}]", through.join(", "), index.join(", "))
    }

    /// `field[S]`: the places of a zone that holds one in each, if S is a set of them.
    pub(super) fn many_places(&mut self, expr: &ast::Expr) -> Checked<Option<(ZoneId, Expr)>> {
        let ast::ExprKind::Index { base, indices } = &expr.kind else {
            return Ok(None);
        };
        let ([index], ast::ExprKind::Name(_)) = (indices.as_slice(), &base.kind) else {
            return Ok(None);
        };
        let Thing::Family(Family { zone, .. }) = self.thing(base, None)? else {
            return Ok(None);
        };
        let domain = match self.game.zones.get(zone.index()) {
            Some(it) if it.kind == ZoneKind::One => match it.index.as_slice() {
                [only] => *only,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let set = Type::of(Base::Set(domain));
        let is_set = match &index.kind {
            ast::ExprKind::Set(_) | ast::ExprKind::Comprehension(_) => true,
            _ if is_drawn(index) => true,
            _ => {
                let (said, errors) = (self.diagnostics.len(), self.errors);
                let value = self.value(index, Some(set));
                self.diagnostics.truncate(said);
                self.errors = errors;
                matches!(value.map(|it| it.ty.base), Ok(Base::Set(_)))
            }
        };
        match is_set {
            true => Ok(Some((zone, self.typed(index, set)?))),
            false => Ok(None),
        }
    }

    /// One move for each place of a set where something lies.
    pub(super) fn move_from_each(
        &mut self,
        it: &ast::Move,
        (zone, places): (ZoneId, Expr),
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let mut to = self.place(&it.to)?;
        self.effect_allowed(span)?;
        self.settle_index(&mut to, span, out);
        let Base::Set(domain) = places.ty.base else {
            return Err(Reported);
        };
        let local = self.fresh("it", self.element(domain), places.span);
        let from = Place {
            zone,
            index: vec![self.local(local, places.span)],
        };
        self.same_component(self.component_type(&from), &to, span)?;
        let with = self.with_fields(it, &to)?;
        let filled = Expr::truth(ExprKind::Filled(from.clone()), places.span);
        let binder = Binder::over(local, places).guarded(filled);
        let what = What::At(from);
        let go = statement(StmtKind::Move(Move::new(what, to, with)), span);
        out.push(statement(StmtKind::ForEach(vec![binder], vec![go]), span));
        Ok(())
    }
}
